/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Snapshots: the scene at several instants as small multiples of one scale, the cables coloured by
 * tension, the bodies with a spoke that shows how they turn and the path of their centres.
 */
#include "report/snapshots.h"

#include <float.h>
#include <math.h>

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
    HAW_TRY(haw_snapshots_tables(figure, &scene));
    *drawn = scene.min[0] <= scene.max[0];
    if (!*drawn) {
        return HAW_OK;
    }
    haw_snapshots_arrange(&scene, figure->instants);
    return write_script(figure, &scene);
}
