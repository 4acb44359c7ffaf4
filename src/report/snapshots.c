/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Snapshots: the scene at several instants as small multiples of one scale, the cables coloured by
 * tension, the bodies with a spoke that shows how they turn and the path of their centres.
 */
#include "report/snapshots.h"

#include <float.h>
#include <math.h>

/* ---- tables: one block per instant, bodies and cables apart ---- */

enum { LINES, SUPPORTS, OUTLINES, SURFACES, TABLES };

static const char *const table_names[TABLES] = {"snapshots", "supports", "outlines", "surfaces"};

typedef struct tables {
    haw_figure *figure;
    haw_snapshots *scene;
    haw_text text[TABLES];
} tables;

static void extend(haw_snapshots *scene, double x, double y, double r)
{
    const double p[2] = {x, y};
    for (int i = 0; i < 2; i++) {
        scene->min[i] = fmin(scene->min[i], p[i] - r);
        scene->max[i] = fmax(scene->max[i], p[i] + r);
    }
}

/* Two empty lines and a comment begin the block of an instant. */
static void begin_block(tables *t, int table, int instant, const char *columns)
{
    const haw_figure *figure = t->figure;
    (void)fprintf(t->text[table].stream, "%s# t = %.9g s: %s\n", instant > 0 ? "\n\n" : "",
                  figure->t.value[figure->instant[instant]], columns);
}

/* ---- cables ---- */

/* @param value  x, y and tension of the n samples, one array after the other */
static void put_cable(tables *t, int instant, const double *value, int n)
{
    haw_snapshots *scene = t->scene;
    FILE *stream = t->text[LINES].stream;
    for (int j = 0; j < n; j++) {
        const double tension = value[2 * n + j];
        extend(scene, value[j], value[n + j], 0.0);
        scene->tension[0] = fmin(scene->tension[0], tension);
        scene->tension[1] = fmax(scene->tension[1], tension);
        scene->mean[instant] += tension / (n * scene->cables);
        (void)fprintf(stream, "%.9g,%.9g,%.9g\n", value[j], value[n + j], tension);
    }
}

/* Ends that do not move, at the first instant. */
static void put_supports(tables *t, const char *cable, const double *value, int n)
{
    double pinned[2] = {0.0, 0.0};
    if (!haw_results_attribute(t->figure->results, "cables", cable, "pinned", pinned)) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        const int j = i == 0 ? 0 : n - 1;
        if (pinned[i] > 0.0) {
            (void)fprintf(t->text[SUPPORTS].stream, "%.9g,%.9g\n", value[j], value[n + j]);
        }
    }
}

static haw_status write_cable(tables *t, int instant, const char *cable)
{
    static const char *const columns[3] = {"x", "y", "element_tension"};
    haw_figure *figure = t->figure;
    char path[256];
    haw_array xi;
    (void)snprintf(path, sizeof path, "/hawser/cables/%s/xi", cable);
    HAW_TRY(haw_results_array(figure->results, path, &xi));
    const int n = xi.rows;
    double *value = haw_allocate(figure->context, (size_t)n * 3 + 1, sizeof *value);
    haw_status status = value != NULL ? HAW_OK : HAW_ERR_NOMEM;
    for (int i = 0; i < 3 && status == HAW_OK; i++) {
        status = haw_results_profile(figure->results, cable, columns[i], figure->instant[instant],
                                     n, value + (size_t)i * (size_t)n);
    }
    if (status == HAW_OK) {
        put_cable(t, instant, value, n);
    }
    if (status == HAW_OK && instant == 0) {
        put_supports(t, cable, value, n);
    }
    haw_release(figure->context, value);
    return status;
}

static haw_status write_lines(tables *t, int instant)
{
    const haw_names *cables = haw_results_names(t->figure->results, HAW_RESULTS_CABLES);
    t->scene->cables = cables->count;
    begin_block(t, LINES, instant, "x [m], y [m], mean tension of the element [N]");
    for (int c = 0; c < cables->count; c++) {
        (void)fputs(c > 0 ? "\n" : "", t->text[LINES].stream);
        HAW_TRY(write_cable(t, instant, cables->name[c]));
    }
    return HAW_OK;
}

/* ---- bodies ---- */

/* Position and angle of a body at an instant, and how far it has turned since the start. */
static haw_status read_pose(const tables *t, int instant, const char *body, double pose[4])
{
    const int frame = t->figure->instant[instant];
    haw_array position;
    haw_array angle;
    HAW_TRY(haw_results_column(t->figure->results, "bodies", body, "position", &position));
    HAW_TRY(haw_results_column(t->figure->results, "bodies", body, "angle", &angle));
    pose[0] = position.value[2 * frame];
    pose[1] = position.value[2 * frame + 1];
    pose[2] = angle.value[frame];
    pose[3] = pose[2] - angle.value[0];
    return HAW_OK;
}

static haw_status write_disc(tables *t, int instant, const char *body)
{
    double pose[4];
    double r[2];
    if (!haw_results_attribute(t->figure->results, "bodies", body, "radius", r)) {
        return HAW_OK;
    }
    HAW_TRY(read_pose(t, instant, body, pose));
    extend(t->scene, pose[0], pose[1], r[0]);
    (void)fprintf(t->text[OUTLINES].stream, "%.9g,%.9g,%.9g,%.9g,%.9g\n", pose[0], pose[1], r[0],
                  r[0] * cos(pose[2]), r[0] * sin(pose[2]));
    return HAW_OK;
}

/* A straight surface as a start and a vector, long enough to leave the picture on both sides. */
static haw_status write_plane(tables *t, int instant, const char *body)
{
    const haw_snapshots *scene = t->scene;
    const double half = 4.0 * (scene->max[0] - scene->min[0] + scene->max[1] - scene->min[1]);
    double pose[4];
    double n[2];
    if (!haw_results_attribute(t->figure->results, "bodies", body, "normal", n)) {
        return HAW_OK;
    }
    HAW_TRY(read_pose(t, instant, body, pose));
    const double along[2] = {n[1] * cos(pose[3]) + n[0] * sin(pose[3]),
                             n[1] * sin(pose[3]) - n[0] * cos(pose[3])};
    t->scene->planes++;
    (void)fprintf(t->text[SURFACES].stream, "%.9g,%.9g,%.9g,%.9g\n", pose[0] - half * along[0],
                  pose[1] - half * along[1], 2.0 * half * along[0], 2.0 * half * along[1]);
    return HAW_OK;
}

/* ---- all tables ---- */

static haw_status write_bodies(tables *t, int instant,
                               haw_status (*write)(tables *, int, const char *))
{
    const haw_names *bodies = haw_results_names(t->figure->results, HAW_RESULTS_BODIES);
    for (int b = 0; b < bodies->count; b++) {
        HAW_TRY(write(t, instant, bodies->name[b]));
    }
    return HAW_OK;
}

void haw_snapshots_pad(haw_snapshots *scene)
{
    double size[2];
    for (int i = 0; i < 2; i++) {
        size[i] = scene->max[i] - scene->min[i];
    }
    const double longest = fmax(fmax(size[0], size[1]), 1e-9);
    for (int i = 0; i < 2; i++) {
        const double wanted = fmax(size[i] + 0.08 * longest, 0.34 * longest);
        scene->min[i] -= 0.5 * (wanted - size[i]);
        scene->max[i] += 0.5 * (wanted - size[i]);
    }
}

static haw_status write_tables(tables *t)
{
    const int instants = t->figure->instants;
    for (int i = 0; i < instants; i++) {
        HAW_TRY(write_lines(t, i));
        begin_block(t, OUTLINES, i, "x [m], y [m], radius [m], spoke [m]");
        HAW_TRY(write_bodies(t, i, write_disc));
    }
    if (t->scene->min[0] > t->scene->max[0]) {
        return HAW_OK; /* nothing has a size */
    }
    haw_snapshots_pad(t->scene);
    for (int i = 0; i < instants; i++) {
        begin_block(t, SURFACES, i, "x [m], y [m], dx [m], dy [m]");
        HAW_TRY(write_bodies(t, i, write_plane));
    }
    return HAW_OK;
}

/* Write snapshots.csv, supports.csv, outlines.csv, surfaces.csv and find out how large all is. */
static haw_status write_all_tables(haw_figure *figure, haw_snapshots *scene)
{
    tables t = {.figure = figure, .scene = scene};
    haw_status status = HAW_OK;
    int open = 0;
    while (open < TABLES && status == HAW_OK) {
        status = haw_text_open(figure->context, figure->folder, table_names[open], ".csv",
                               &t.text[open]);
        open += status == HAW_OK;
    }
    if (status == HAW_OK) {
        status = write_tables(&t);
    }
    while (open-- > 0) { /* in reverse: each restores the locale it found */
        const haw_status closed = haw_text_close(&t.text[open]);
        status = status == HAW_OK ? closed : status;
    }
    return status;
}

enum { LEFT = 72, RIGHT = 14, BAR = 92, TOP = 26, BOTTOM = 46, GAP_X = 14, GAP_Y = 30 };

/* ---- layout ---- */

/* Rows and columns that come nearest to a picture twice as wide as high. */
void haw_snapshots_arrange(haw_snapshots *scene, int panels)
{
    const double w = scene->max[0] - scene->min[0];
    const double h = scene->max[1] - scene->min[1];
    double best = DBL_MAX;
    for (int columns = 1; columns <= panels; columns++) {
        const int rows = (panels + columns - 1) / columns;
        const double miss = fabs(log(columns * w / (rows * h) / 2.0)) +
                            0.2 * (rows * columns - panels); /* empty places look careless */
        if (miss < best) {
            best = miss;
            scene->columns = columns;
            scene->rows = rows;
        }
    }
    const double room[2] = {900.0 - LEFT - RIGHT - BAR - GAP_X * (scene->columns - 1),
                            620.0 - TOP - BOTTOM - GAP_Y * (scene->rows - 1)};
    const double scale = fmin(room[0] / (scene->columns * w), room[1] / (scene->rows * h));
    scene->panel[0] = scale * w;
    scene->panel[1] = scale * h;
    const bool has_bar = scene->tension[1] >= scene->tension[0];
    scene->canvas[0] = LEFT + scene->columns * scene->panel[0] + GAP_X * (scene->columns - 1) +
                       (has_bar ? BAR : RIGHT);
    scene->canvas[1] = TOP + scene->rows * scene->panel[1] + GAP_Y * (scene->rows - 1) + BOTTOM;
}

/* ---- script ---- */

/* Space that the tics of an axis need from one to the next, and from the border [px]. */
static double tic_space(const haw_snapshots *scene, int axis, double step)
{
    if (axis == 1) {
        return 30.0; /* two lines of text */
    }
    int longest = 1;
    const int last = (int)floor(scene->max[axis] / step);
    for (int i = (int)ceil(scene->min[axis] / step); i <= last; i++) {
        char text[32];
        const int length = snprintf(text, sizeof text, "%.6g", i * step);
        longest = length > longest ? length : longest;
    }
    return 7.0 * longest + 4.0;
}

/* The finest of 1, 2, 5 times a power of ten whose numbers stand apart, also between panels. */
static void write_tics(const haw_snapshots *scene, int axis, FILE *stream)
{
    static const double digits[] = {1.0, 2.0, 5.0};
    const double range = scene->max[axis] - scene->min[axis];
    const double power = pow(10.0, floor(log10(range)) - 2.0);
    double step = range;
    double inset = 0.0;
    for (int i = 0; i < 12; i++) {
        const int decade = i / 3;
        step = power * digits[i % 3] * pow(10.0, decade);
        const double space = tic_space(scene, axis, step);
        inset = axis == 0 ? fmax(0.0, (space - GAP_X) / 2.0) * range / scene->panel[axis] : 0.0;
        if (step / range * scene->panel[axis] >= space) {
            break;
        }
    }
    const double first = ceil((scene->min[axis] + inset) / step) * step;
    const double last = floor((scene->max[axis] - inset) / step) * step;
    (void)fprintf(stream, "set %ctics %.9g, %.9g, %.9g\n", axis == 0 ? 'x' : 'y', first, step,
                  fmax(last, first));
}

void haw_snapshots_margins(const haw_snapshots *scene, int i, FILE *stream)
{
    const int row = i / scene->columns;
    const int column = i % scene->columns;
    const double left = LEFT + column * (scene->panel[0] + GAP_X);
    const double top = TOP + row * (scene->panel[1] + GAP_Y);
    (void)fprintf(stream,
                  "set lmargin at screen %.6f\nset rmargin at screen %.6f\n"
                  "set tmargin at screen %.6f\nset bmargin at screen %.6f\n",
                  left / scene->canvas[0], (left + scene->panel[0]) / scene->canvas[0],
                  1.0 - top / scene->canvas[1], 1.0 - (top + scene->panel[1]) / scene->canvas[1]);
}

void haw_snapshots_title(const haw_figure *figure, int i, FILE *stream)
{
    char time[32];
    haw_figure_time(figure, i, time);
    (void)fprintf(stream, "set title '{/:Italic t} = %s' offset 0,-0.6\n", time);
}

void haw_snapshots_box(const haw_snapshots *scene, FILE *stream)
{
    (void)fprintf(stream,
                  "set colorbox user origin screen %.6f, screen %.6f size screen %.6f, "
                  "screen %.6f noborder\n"
                  "set cblabel 'tension  [N]' offset 0.4\n",
                  1.0 - (BAR - 14) / scene->canvas[0], BOTTOM / scene->canvas[1],
                  12 / scene->canvas[0], 1.0 - (TOP + BOTTOM) / scene->canvas[1]);
}

static void write_frame(const haw_snapshots *scene, const haw_figure *figure, int i, FILE *stream)
{
    const int column = i % scene->columns;
    const bool is_bottom = i + scene->columns >= figure->instants;
    haw_snapshots_margins(scene, i, stream);
    haw_snapshots_title(figure, i, stream);
    (void)fprintf(stream, "set format y '%s'\nset ylabel '%s'\n", column == 0 ? "%g" : "",
                  column == 0 ? "{/:Italic y}  [m]" : "");
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
                          figure->instant[i], 2 + HAW_HISTORY_BODY_COLUMNS * b,
                          3 + HAW_HISTORY_BODY_COLUMNS * b);
        }
    }
    return HAW_OK;
}

static haw_status write_panel(haw_figure *figure, const haw_snapshots *scene, int i, FILE *stream)
{
    const bool has_cables = scene->tension[1] >= scene->tension[0];
    write_frame(scene, figure, i, stream);
    if (has_cables && i + 1 == figure->instants) {
        haw_snapshots_box(scene, stream);
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
    if (scene->planes > 0) {
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
                      i, scene->mean[i], i);
    }
    (void)fputc('\n', stream);
    return HAW_OK;
}

void haw_snapshots_palette(const double tension[2], FILE *stream)
{
    const bool is_flat = !(tension[1] > tension[0]);
    (void)fputs("set palette defined (", stream);
    for (int i = 0; i <= 8; i++) {
        char color[8];
        haw_figure_ramp(i / 8.0, color);
        (void)fprintf(stream, "%s%d '%s'", i > 0 ? ", " : "", i, color);
    }
    (void)fprintf(stream, ")\nset cbrange [%.9g:%.9g]\nunset colorbox\n",
                  is_flat ? tension[0] - 1.0 : tension[0], is_flat ? tension[0] + 1.0 : tension[1]);
}

static haw_status write_script(haw_figure *figure, const haw_snapshots *scene)
{
    haw_text script;
    const int size[2] = {(int)ceil(scene->canvas[0]), (int)ceil(scene->canvas[1])};
    HAW_TRY(haw_script_begin(figure, "snapshots", size, &script));
    (void)fprintf(script.stream,
                  "set multiplot\nset clip two\nset xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n"
                  "unset grid\n",
                  scene->min[0], scene->max[0], scene->min[1], scene->max[1]);
    write_tics(scene, 0, script.stream);
    write_tics(scene, 1, script.stream);
    if (scene->tension[1] >= scene->tension[0]) {
        haw_snapshots_palette(scene->tension, script.stream);
    }
    haw_status status = HAW_OK;
    for (int i = 0; i < figure->instants && status == HAW_OK; i++) {
        status = write_panel(figure, scene, i, script.stream);
    }
    const haw_status ended = haw_script_end(&script);
    return status == HAW_OK ? ended : status;
}

haw_status haw_figure_snapshots(haw_figure *figure, bool *drawn)
{
    haw_snapshots scene = {
        .min = {DBL_MAX, DBL_MAX}, .max = {-DBL_MAX, -DBL_MAX}, .tension = {DBL_MAX, -DBL_MAX}};
    HAW_TRY(write_all_tables(figure, &scene));
    *drawn = scene.min[0] <= scene.max[0];
    if (!*drawn) {
        return HAW_OK;
    }
    haw_snapshots_arrange(&scene, figure->instants);
    return write_script(figure, &scene);
}
