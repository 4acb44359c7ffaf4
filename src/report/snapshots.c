/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Snapshots: the scene at several instants as small multiples of one scale, the cables coloured by
 * tension, the bodies with a spoke that shows how they turn and the path of their centres.
 */
#include "report/figure.h"

#include <float.h>
#include <math.h>

/* Everything that is drawn, and how the panels are laid out. */
typedef struct layout {
    double min[2], max[2];         /* of the scene [m] */
    double tension[2];             /* smallest and largest */
    double mean[HAW_INSTANTS_MAX]; /* tension */
    double ground;                 /* half length of plane surfaces [m] */
    int planes, discs, pins;       /* rows of their tables */
    int rows, columns;
    double panel[2];  /* width and height of a panel [px] */
    double canvas[2]; /* [px] */
} layout;

enum { LEFT = 62, RIGHT = 14, BAR = 92, TOP = 26, BOTTOM = 46, GAP_X = 14, GAP_Y = 30 };

static void extend(layout *lay, double x, double y, double r)
{
    const double p[2] = {x, y};
    for (int i = 0; i < 2; i++) {
        lay->min[i] = fmin(lay->min[i], p[i] - r);
        lay->max[i] = fmax(lay->max[i], p[i] + r);
    }
}

/* ---- cables ---- */

static haw_status write_cable(haw_figure *figure, const char *cable, const haw_array *xi, int frame,
                              double *value, layout *lay, FILE *stream)
{
    static const char *const columns[3] = {"x", "y", "element_tension"};
    const int n = xi->rows;
    for (int i = 0; i < 3; i++) {
        HAW_TRY(haw_results_profile(figure->results, cable, columns[i], frame, n,
                                    value + (size_t)i * (size_t)n));
    }
    for (int j = 0; j < n; j++) {
        const double tension = value[2 * n + j];
        extend(lay, value[j], value[n + j], 0.0);
        lay->tension[0] = fmin(lay->tension[0], tension);
        lay->tension[1] = fmax(lay->tension[1], tension);
        (void)fprintf(stream, "%.9g,%.9g,%.9g\n", value[j], value[n + j], tension);
    }
    (void)fputc('\n', stream);
    return HAW_OK;
}

/* Ends that do not move, at the first instant. */
static void write_supports(haw_figure *figure, const char *cable, const double *value, int n,
                           FILE *stream)
{
    double pinned[2] = {0.0, 0.0};
    if (!haw_results_attribute(figure->results, "cables", cable, "pinned", pinned)) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        const int j = i == 0 ? 0 : n - 1;
        if (pinned[i] > 0.0) {
            (void)fprintf(stream, "%.9g,%.9g\n", value[j], value[n + j]);
        }
    }
}

static haw_status write_lines(haw_figure *figure, layout *lay, FILE *lines, FILE *supports)
{
    const haw_names *cables = haw_results_names(figure->results, HAW_RESULTS_CABLES);
    for (int i = 0; i < figure->instants; i++) {
        (void)fprintf(lines, "%s# t = %.9g s: x [m], y [m], mean tension of the element [N]\n",
                      i > 0 ? "\n" : "", figure->t.value[figure->instant[i]]);
        for (int c = 0; c < cables->count; c++) {
            char path[256];
            haw_array xi;
            (void)snprintf(path, sizeof path, "/hawser/cables/%s/xi", cables->name[c]);
            HAW_TRY(haw_results_array(figure->results, path, &xi));
            double *value = haw_allocate(figure->context, (size_t)xi.rows * 3 + 1, sizeof *value);
            if (value == NULL) {
                return HAW_ERR_NOMEM;
            }
            const haw_status status =
                write_cable(figure, cables->name[c], &xi, figure->instant[i], value, lay, lines);
            for (int j = 0; j < xi.rows; j++) {
                lay->mean[i] += value[2 * xi.rows + j] / (xi.rows * cables->count);
            }
            if (status == HAW_OK && i == 0) {
                write_supports(figure, cables->name[c], value, xi.rows, supports);
            }
            haw_release(figure->context, value);
            HAW_TRY(status);
        }
    }
    return HAW_OK;
}

/* ---- bodies ---- */

/* Discs as x, y, radius, spoke; all instants are needed before a plane knows how long to be. */
static haw_status write_discs(haw_figure *figure, layout *lay, FILE *stream)
{
    const haw_names *bodies = haw_results_names(figure->results, HAW_RESULTS_BODIES);
    for (int i = 0; i < figure->instants; i++) {
        (void)fprintf(stream, "%s# t = %.9g s: x [m], y [m], radius [m], spoke [m]\n",
                      i > 0 ? "\n\n" : "", figure->t.value[figure->instant[i]]);
        for (int b = 0; b < bodies->count; b++) {
            double r[2] = {0.0, 0.0};
            haw_array position;
            haw_array angle;
            const char *name = bodies->name[b];
            if (!haw_results_attribute(figure->results, "bodies", name, "radius", r)) {
                continue;
            }
            HAW_TRY(haw_results_column(figure->results, "bodies", name, "position", &position));
            HAW_TRY(haw_results_column(figure->results, "bodies", name, "angle", &angle));
            const double *x = &position.value[(size_t)figure->instant[i] * 2];
            const double a = angle.value[figure->instant[i]];
            extend(lay, x[0], x[1], r[0]);
            lay->discs++;
            (void)fprintf(stream, "%.9g,%.9g,%.9g,%.9g,%.9g\n", x[0], x[1], r[0], r[0] * cos(a),
                          r[0] * sin(a));
        }
    }
    return HAW_OK;
}

/* Straight surfaces as a start and a vector, long enough to leave the picture on both sides. */
static haw_status write_planes(haw_figure *figure, layout *lay, FILE *stream)
{
    const haw_names *bodies = haw_results_names(figure->results, HAW_RESULTS_BODIES);
    const double half = 4.0 * (lay->max[0] - lay->min[0] + lay->max[1] - lay->min[1]);
    for (int i = 0; i < figure->instants; i++) {
        (void)fprintf(stream, "%s# t = %.9g s: x [m], y [m], dx [m], dy [m]\n", i > 0 ? "\n\n" : "",
                      figure->t.value[figure->instant[i]]);
        for (int b = 0; b < bodies->count; b++) {
            double n[2] = {0.0, 0.0};
            haw_array position;
            haw_array angle;
            const char *name = bodies->name[b];
            if (!haw_results_attribute(figure->results, "bodies", name, "normal", n)) {
                continue;
            }
            HAW_TRY(haw_results_column(figure->results, "bodies", name, "position", &position));
            HAW_TRY(haw_results_column(figure->results, "bodies", name, "angle", &angle));
            const double *x = &position.value[(size_t)figure->instant[i] * 2];
            lay->planes++;
            const double turned = angle.value[figure->instant[i]] - angle.value[0];
            const double t[2] = {n[1] * cos(turned) + n[0] * sin(turned),
                                 n[1] * sin(turned) - n[0] * cos(turned)};
            (void)fprintf(stream, "%.9g,%.9g,%.9g,%.9g\n", x[0] - half * t[0], x[1] - half * t[1],
                          2.0 * half * t[0], 2.0 * half * t[1]);
        }
    }
    return HAW_OK;
}

/* ---- layout ---- */

/* A margin around the scene, and no panel thinner than a third of its length. */
static void pad(layout *lay)
{
    double size[2];
    for (int i = 0; i < 2; i++) {
        size[i] = lay->max[i] - lay->min[i];
    }
    const double longest = fmax(fmax(size[0], size[1]), 1e-9);
    for (int i = 0; i < 2; i++) {
        const double wanted = fmax(size[i] + 0.08 * longest, 0.34 * longest);
        lay->min[i] -= 0.5 * (wanted - size[i]);
        lay->max[i] += 0.5 * (wanted - size[i]);
    }
}

/* Rows and columns that come nearest to a picture twice as wide as high. */
static void arrange(layout *lay, int panels)
{
    const double w = lay->max[0] - lay->min[0];
    const double h = lay->max[1] - lay->min[1];
    double best = DBL_MAX;
    for (int columns = 1; columns <= panels; columns++) {
        const int rows = (panels + columns - 1) / columns;
        const double miss = fabs(log(columns * w / (rows * h) / 2.0)) +
                            0.2 * (rows * columns - panels); /* empty places look careless */
        if (miss < best) {
            best = miss;
            lay->columns = columns;
            lay->rows = rows;
        }
    }
    const double room[2] = {900.0 - LEFT - RIGHT - BAR - GAP_X * (lay->columns - 1),
                            620.0 - TOP - BOTTOM - GAP_Y * (lay->rows - 1)};
    const double scale = fmin(room[0] / (lay->columns * w), room[1] / (lay->rows * h));
    lay->panel[0] = scale * w;
    lay->panel[1] = scale * h;
    const bool has_bar = lay->tension[1] >= lay->tension[0];
    lay->canvas[0] =
        LEFT + lay->columns * lay->panel[0] + GAP_X * (lay->columns - 1) + (has_bar ? BAR : RIGHT);
    lay->canvas[1] = TOP + lay->rows * lay->panel[1] + GAP_Y * (lay->rows - 1) + BOTTOM;
}

/* ---- script ---- */

static void write_frame(const layout *lay, const haw_figure *figure, int i, FILE *stream)
{
    const int row = i / lay->columns;
    const int column = i % lay->columns;
    const double left = LEFT + column * (lay->panel[0] + GAP_X);
    const double top = TOP + row * (lay->panel[1] + GAP_Y);
    const bool is_bottom = i + lay->columns >= figure->instants;
    (void)fprintf(stream,
                  "set lmargin at screen %.6f\nset rmargin at screen %.6f\n"
                  "set tmargin at screen %.6f\nset bmargin at screen %.6f\n",
                  left / lay->canvas[0], (left + lay->panel[0]) / lay->canvas[0],
                  1.0 - top / lay->canvas[1], 1.0 - (top + lay->panel[1]) / lay->canvas[1]);
    (void)fprintf(stream, "set title '{/:Italic t} = %.4g s' offset 0,-0.6\n",
                  figure->t.value[figure->instant[i]]);
    (void)fprintf(stream, "set format y '%s'\nset ylabel '%s' offset 0.5\n",
                  column == 0 ? "%g" : "", column == 0 ? "{/:Italic y}  [m]" : "");
    (void)fprintf(stream, "set format x '%s'\nset xlabel '%s' offset 0,0.4\n",
                  is_bottom ? "%g" : "", is_bottom ? "{/:Italic x}  [m]" : "");
}

/* Paths of the bodies that move, as columns of histories.csv. */
static haw_status write_paths(haw_figure *figure, int i, FILE *stream)
{
    const haw_names *bodies = haw_results_names(figure->results, HAW_RESULTS_BODIES);
    for (int b = 0; b < bodies->count && figure->instant[i] > 0; b++) {
        double r[2];
        if (haw_results_attribute(figure->results, "bodies", bodies->name[b], "radius", r)) {
            (void)fprintf(stream,
                          ", \\\n  'histories.csv' skip 1 every ::0::%d using %d:%d with lines "
                          "linewidth 0.8 linecolor rgb '#8a8a8a' notitle",
                          figure->instant[i], 2 + 6 * b, 3 + 6 * b);
        }
    }
    return HAW_OK;
}

static haw_status write_panel(haw_figure *figure, const layout *lay, int i, FILE *stream)
{
    const bool has_cables = lay->tension[1] >= lay->tension[0];
    write_frame(lay, figure, i, stream);
    if (has_cables && i + 1 == figure->instants) {
        (void)fprintf(stream,
                      "set colorbox user origin screen %.6f, screen %.6f size screen %.6f, "
                      "screen %.6f noborder\n"
                      "set cblabel 'tension  [N]' offset 0.4\n",
                      1.0 - (BAR - 14) / lay->canvas[0], BOTTOM / lay->canvas[1],
                      12 / lay->canvas[0], 1.0 - (TOP + BOTTOM) / lay->canvas[1]);
    }
    (void)fprintf(stream,
                  "plot 'outlines.csv' index %d using 1:2:3 with circles fillstyle solid border "
                  "linecolor rgb '#404040' fillcolor rgb '#dcdcdc' linewidth 1 notitle",
                  i);
    HAW_TRY(write_paths(figure, i, stream));
    (void)fprintf(stream,
                  ", \\\n  'outlines.csv' index %d using 1:2:4:5 with vectors nohead linewidth 1.6 "
                  "linecolor rgb '#202020' notitle",
                  i);
    if (lay->planes > 0) {
        (void)fprintf(stream,
                      ", \\\n  'surfaces.csv' index %d using 1:2:3:4 with vectors nohead "
                      "linewidth 1.6 linecolor rgb '#404040' notitle",
                      i);
    }
    if (has_cables) {
        (void)fprintf(stream,
                      ", \\\n  'snapshots.csv' index %d using 1:2 with lines linewidth 2 "
                      "linecolor palette cb %.9g notitle" /* below the seams of the next */
                      ", \\\n  'snapshots.csv' index %d using 1:2:3 with lines linewidth 2 "
                      "linecolor palette notitle"
                      ", \\\n  'supports.csv' using 1:2 with points pointtype 5 pointsize 0.45 "
                      "linecolor rgb '#202020' notitle",
                      i, lay->mean[i], i);
    }
    (void)fputc('\n', stream);
    return HAW_OK;
}

static void write_palette(const layout *lay, FILE *stream)
{
    const bool is_flat = !(lay->tension[1] > lay->tension[0]);
    (void)fputs("set palette defined (", stream);
    for (int i = 0; i <= 8; i++) {
        char color[8];
        haw_figure_ramp(i / 8.0, color);
        (void)fprintf(stream, "%s%d '%s'", i > 0 ? ", " : "", i, color);
    }
    (void)fprintf(stream, ")\nset cbrange [%.9g:%.9g]\nunset colorbox\n",
                  is_flat ? lay->tension[0] - 1.0 : lay->tension[0],
                  is_flat ? lay->tension[0] + 1.0 : lay->tension[1]);
}

static haw_status write_script(haw_figure *figure, const layout *lay)
{
    haw_text script;
    const int size[2] = {(int)ceil(lay->canvas[0]), (int)ceil(lay->canvas[1])};
    HAW_TRY(haw_script_begin(figure, "snapshots", size, &script));
    (void)fprintf(script.stream,
                  "set multiplot\nset clip two\nset xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n"
                  "set xtics %.9g\nset ytics %.9g\nunset grid\n",
                  lay->min[0], lay->max[0], lay->min[1], lay->max[1],
                  haw_figure_step(lay->max[0] - lay->min[0], (int)fmax(2.0, lay->panel[0] / 48.0)),
                  haw_figure_step(lay->max[1] - lay->min[1], (int)fmax(2.0, lay->panel[1] / 48.0)));
    if (lay->tension[1] >= lay->tension[0]) {
        write_palette(lay, script.stream);
    }
    haw_status status = HAW_OK;
    for (int i = 0; i < figure->instants && status == HAW_OK; i++) {
        status = write_panel(figure, lay, i, script.stream);
    }
    const haw_status ended = haw_script_end(&script);
    return status == HAW_OK ? ended : status;
}

/* ---- tables ---- */

static haw_status write_tables(haw_figure *figure, layout *lay)
{
    static const char *const names[4] = {"snapshots", "supports", "outlines", "surfaces"};
    haw_text text[4];
    haw_status status = HAW_OK;
    int open = 0;
    for (; open < 4 && status == HAW_OK; open++) {
        status = haw_text_open(figure->context, figure->folder, names[open], ".csv", &text[open]);
    }
    open -= status != HAW_OK;
    if (status == HAW_OK) {
        status = write_lines(figure, lay, text[0].stream, text[1].stream);
    }
    if (status == HAW_OK) {
        status = write_discs(figure, lay, text[2].stream);
    }
    if (status == HAW_OK && lay->min[0] <= lay->max[0]) {
        pad(lay);
        status = write_planes(figure, lay, text[3].stream);
    }
    while (open-- > 0) { /* in reverse: each restores the locale it found */
        const haw_status closed = haw_text_close(&text[open]);
        status = status == HAW_OK ? closed : status;
    }
    return status;
}

haw_status haw_figure_snapshots(haw_figure *figure, bool *drawn)
{
    layout lay = {
        .min = {DBL_MAX, DBL_MAX}, .max = {-DBL_MAX, -DBL_MAX}, .tension = {DBL_MAX, -DBL_MAX}};
    HAW_TRY(write_tables(figure, &lay));
    *drawn = lay.min[0] <= lay.max[0];
    if (!*drawn) {
        return HAW_OK;
    }
    arrange(&lay, figure->instants);
    return write_script(figure, &lay);
}
