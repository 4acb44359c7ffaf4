/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Snapshots: the scene at several instants as small multiples of one scale, the cables coloured by
 * tension. In the plane the bodies have a spoke that shows how they turn and the path of their
 * centres. Space is seen from far away under the same angles at all instants, bodies as wires; the
 * script projects the points, so that its angles can be changed.
 */
#include "report/figure.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { LINES, OUTLINES, SUPPORTS, SURFACES, TABLES };

/* Everything that is drawn, and how the panels are laid out. */
typedef struct scene {
    haw_figure *figure;
    const struct kind *kind;
    haw_text text[TABLES];
    double low[3], high[3]; /* of the scene without planes, in space [m] */
    double min[2], max[2];  /* of the picture [m] */
    double tension[2];      /* smallest and largest */
    double factor;          /* to the unit of the label */
    char label[96];
    double mean[HAW_INSTANTS_MAX]; /* tension */
    int cables, planes;
    haw_cells lines; /* in space: cables first, then bodies */
    int points;      /* of a frame of them */
    int rows, columns;
    double panel[2];  /* width and height of a panel [px] */
    double canvas[2]; /* [px] */
} scene;

/* The parts that differ between plane and space. */
typedef struct kind {
    int tables; /* of the list above */
    const char *column[5], *header;
    void (*project)(const double *x, double p[2]); /* onto the picture */
    haw_status (*outlines)(scene *s, int instant);
    haw_status (*surfaces)(scene *s, int instant); /* once the scene has its size */
    void (*view)(const scene *s, FILE *stream);
    void (*panel)(const scene *s, int i, FILE *stream);
} kind;

static void extend(scene *s, const double *x, double radius)
{
    double p[2];
    s->kind->project(x, p);
    for (int k = 0; k < 2; k++) {
        s->min[k] = fmin(s->min[k], p[k] - radius);
        s->max[k] = fmax(s->max[k], p[k] + radius);
    }
}

/* Two empty lines and a comment begin the block of an instant. */
static void begin_block(scene *s, int table, int instant, const char *columns)
{
    const haw_figure *figure = s->figure;
    (void)fprintf(s->text[table].stream, "%s# t = %.9g s: %s\n", instant > 0 ? "\n\n" : "",
                  figure->t.value[figure->instant[instant]], columns);
}

/* ---- cables ---- */

/* @param p  coordinates and tension of the samples */
static void put_cable(scene *s, int instant, const haw_array *p)
{
    FILE *stream = s->text[LINES].stream;
    const int n = p->rows, d = p->components - 1;
    for (int j = 0; j < n; j++) {
        const double tension = p->value[d * n + j];
        double x[3];
        for (int k = 0; k < d; k++) {
            x[k] = p->value[k * n + j];
            s->low[k] = fmin(s->low[k], x[k]);
            s->high[k] = fmax(s->high[k], x[k]);
            (void)fprintf(stream, "%.9g,", x[k]);
        }
        extend(s, x, 0.0);
        s->tension[0] = fmin(s->tension[0], tension);
        s->tension[1] = fmax(s->tension[1], tension);
        s->mean[instant] += tension / (n * s->cables);
        (void)fprintf(stream, "%.9g\n", tension);
    }
}

/* Ends that do not move. */
static void put_supports(scene *s, const char *cable, const haw_array *p)
{
    double pinned[2] = {0.0, 0.0};
    (void)haw_results_attribute(s->figure->results, "cables", cable, "pinned", pinned);
    for (int i = 0; i < 2; i++) {
        const int j = i == 0 ? 0 : p->rows - 1;
        if (pinned[i] > 0.0 && p->rows > 0) {
            (void)fprintf(s->text[SUPPORTS].stream, "%.9g,%.9g\n", p->value[j],
                          p->value[p->rows + j]);
        }
    }
}

static haw_status write_cables(scene *s, int instant)
{
    const haw_figure *figure = s->figure;
    const haw_names *cables = &figure->results->names[HAW_RESULTS_CABLES];
    s->cables = cables->count;
    begin_block(s, LINES, instant, s->kind->header);
    for (int c = 0; c < cables->count; c++) {
        haw_array p;
        (void)fputs(c > 0 ? "\n" : "", s->text[LINES].stream);
        HAW_TRY(haw_results_profiles(figure->results, cables->name[c], s->kind->column,
                                     figure->instant[instant], &p));
        put_cable(s, instant, &p);
        if (instant == 0 && s->kind->tables > SUPPORTS) {
            put_supports(s, cables->name[c], &p);
        }
    }
    return HAW_OK;
}

/* ---- bodies of the plane ---- */

static void project_plane(const double *x, double p[2])
{
    p[0] = x[0];
    p[1] = x[1];
}

/* Position and angle of a body at an instant, and how far it has turned since the start. */
static haw_status read_pose(const scene *s, int instant, const char *body, double pose[4])
{
    const int frame = s->figure->instant[instant];
    haw_array position;
    haw_array angle;
    HAW_TRY(haw_results_column(s->figure->results, "bodies", body, "position", 2, &position));
    HAW_TRY(haw_results_column(s->figure->results, "bodies", body, "angle", 1, &angle));
    pose[0] = position.value[2 * frame];
    pose[1] = position.value[2 * frame + 1];
    pose[2] = angle.value[frame];
    pose[3] = pose[2] - angle.value[0];
    return HAW_OK;
}

static haw_status write_discs(scene *s, int instant)
{
    const haw_names *bodies = &s->figure->results->names[HAW_RESULTS_BODIES];
    begin_block(s, OUTLINES, instant, "x [m], y [m], radius [m], spoke [m]");
    for (int b = 0; b < bodies->count; b++) {
        double pose[4], r[2] = {0.0, 0.0}, n[2];
        if (!haw_results_attribute(s->figure->results, "bodies", bodies->name[b], "radius", r) &&
            haw_results_attribute(s->figure->results, "bodies", bodies->name[b], "normal", n)) {
            continue; /* planes come later */
        }
        HAW_TRY(read_pose(s, instant, bodies->name[b], pose));
        if (haw_results_attribute(s->figure->results, "bodies", bodies->name[b], "half", n)) {
            extend(s, pose, r[0] + hypot(n[0], n[1]));
            continue;
        }
        extend(s, pose, r[0]);
        (void)fprintf(s->text[OUTLINES].stream, "%.9g,%.9g,%.9g,%.9g,%.9g\n", pose[0], pose[1],
                      r[0], r[0] * cos(pose[2]), r[0] * sin(pose[2]));
    }
    return HAW_OK;
}

/* The outline of a box: all within a radius of a rectangle with these half sides. */
static void write_rectangle(scene *s, const double pose[4], const double half[2], double radius)
{
    enum { EACH = 6, COUNT = 4 * EACH };

    const double right = 0.5 * 3.14159265358979323846;
    double last[2] = {0.0, 0.0};
    for (int i = 0; i <= COUNT; i++) {
        const int corner = i / EACH % 4;
        const double angle = right * (corner + i % EACH / (double)(EACH - 1));
        const double x = (corner % 3 == 0 ? half[0] : -half[0]) + radius * cos(angle);
        const double y = (corner < 2 ? half[1] : -half[1]) + radius * sin(angle);
        const double at[2] = {pose[0] + x * cos(pose[2]) - y * sin(pose[2]),
                              pose[1] + x * sin(pose[2]) + y * cos(pose[2])};
        if (i > 0) {
            (void)fprintf(s->text[SURFACES].stream, "%.9g,%.9g,%.9g,%.9g\n", last[0], last[1],
                          at[0] - last[0], at[1] - last[1]);
        }
        memcpy(last, at, sizeof last);
    }
}

/* A straight surface as a start and a vector, long enough to leave the picture on both sides, and
 * the sides of boxes. */
static haw_status write_planes(scene *s, int instant)
{
    const haw_names *bodies = &s->figure->results->names[HAW_RESULTS_BODIES];
    const double half = 4.0 * (s->max[0] - s->min[0] + s->max[1] - s->min[1]);
    begin_block(s, SURFACES, instant, "x [m], y [m], dx [m], dy [m]");
    for (int b = 0; b < bodies->count; b++) {
        double pose[4], n[2], r[2] = {0.0, 0.0};
        HAW_TRY(read_pose(s, instant, bodies->name[b], pose));
        if (haw_results_attribute(s->figure->results, "bodies", bodies->name[b], "half", n)) {
            (void)haw_results_attribute(s->figure->results, "bodies", bodies->name[b], "radius", r);
            write_rectangle(s, pose, n, r[0]);
            s->planes++;
            continue;
        }
        if (!haw_results_attribute(s->figure->results, "bodies", bodies->name[b], "normal", n)) {
            continue;
        }
        const double along[2] = {n[1] * cos(pose[3]) + n[0] * sin(pose[3]),
                                 n[1] * sin(pose[3]) - n[0] * cos(pose[3])};
        s->planes++;
        (void)fprintf(s->text[SURFACES].stream, "%.9g,%.9g,%.9g,%.9g\n", pose[0] - half * along[0],
                      pose[1] - half * along[1], 2.0 * half * along[0], 2.0 * half * along[1]);
    }
    return HAW_OK;
}

/* ---- bodies of space ---- */

enum { CORNERS_OF_A_PLANE = 5 };

/* Where the eye is: its angle about z from x, and above the plane of x and y [deg]. */
static const double azimuth = -60.0, elevation = 25.0;

/* To the right and upwards in the picture. */
static void project_space(const double *x, double p[2])
{
    const double degree = 3.14159265358979323846 / 180.0;
    const double a = azimuth * degree, e = elevation * degree;
    p[0] = cos(a) * x[1] - sin(a) * x[0];
    p[1] = cos(e) * x[2] - sin(e) * (cos(a) * x[0] + sin(a) * x[1]);
}

/* A plane is drawn as large as the rest of the scene. */
static void cut_plane(const scene *s, double *x)
{
    double center[3], size = 0.0, half = 0.0;
    for (int k = 0; k < 3; k++) {
        center[k] = 0.5 * (x[k] + x[6 + k]);
        size = fmax(size, s->high[k] - s->low[k]);
        half += (x[k] - center[k]) * (x[k] - center[k]);
    }
    half = sqrt(half);
    for (int j = 0; j < CORNERS_OF_A_PLANE && half > size && size > 0.0; j++) {
        for (int k = 0; k < 3; k++) {
            x[3 * j + k] = center[k] + size / half * (x[3 * j + k] - center[k]);
        }
    }
}

static int corners_of(const scene *s, int line)
{
    return (int)s->lines.offsets.value[line + 1] - (int)s->lines.offsets.value[line];
}

/* One line of /VTKHDF: its points follow each other. */
static haw_status write_wire(scene *s, int instant, int line)
{
    haw_results *results = s->figure->results;
    const int from = (int)s->lines.offsets.value[line], count = corners_of(s, line);
    const int first = (int)s->lines.corners.value[from];
    const bool is_plane = count == CORNERS_OF_A_PLANE;
    const haw_block block = {
        .row = s->figure->instant[instant] * s->points + first, .rows = count, .components = 3};
    double *x = haw_arena_allocate(&results->arena, (size_t)count * 3 + 1, sizeof *x);
    HAW_TRY(haw_arena_status(&results->arena));
    HAW_TRY(haw_results_block(results, "/VTKHDF/Points", &block, x));
    if (is_plane) {
        cut_plane(s, x);
    }
    for (int j = 0; j < count; j++, x += 3) {
        extend(s, x, 0.0);
        for (int k = 0; k < 3 && !is_plane; k++) {
            s->low[k] = fmin(s->low[k], x[k]);
            s->high[k] = fmax(s->high[k], x[k]);
        }
        (void)fprintf(s->text[OUTLINES].stream, "%.9g,%.9g,%.9g\n", x[0], x[1], x[2]);
    }
    (void)fputc('\n', s->text[OUTLINES].stream);
    return HAW_OK;
}

static haw_status read_wires(scene *s)
{
    haw_results *results = s->figure->results;
    HAW_TRY(haw_results_points(results, &s->points));
    return haw_results_cells(results, "Lines", s->points, &s->lines);
}

static haw_status write_wires(scene *s, int instant)
{
    HAW_TRY(instant == 0 ? read_wires(s) : HAW_OK);
    begin_block(s, OUTLINES, instant, "x, y, z [m]");
    for (int i = s->cables; i < s->lines.count; i++) {
        HAW_TRY(corners_of(s, i) != CORNERS_OF_A_PLANE ? write_wire(s, instant, i) : HAW_OK);
    }
    for (int i = s->cables; i < s->lines.count; i++) { /* cut to the size of the rest */
        HAW_TRY(corners_of(s, i) == CORNERS_OF_A_PLANE ? write_wire(s, instant, i) : HAW_OK);
    }
    return HAW_OK;
}

/* ---- all tables ---- */

/* A margin around the scene, and no panel thinner than a third of its length. */
static haw_status pad(scene *s)
{
    const double size[2] = {s->max[0] - s->min[0], s->max[1] - s->min[1]};
    const double longest = fmax(fmax(size[0], size[1]), 1e-9);
    if (!isfinite(4 * s->figure->instants * longest)) { /* of all panels side by side */
        return haw_fail(s->figure->context, HAW_ERR_IO,
                        "cannot draw '%s': its positions are %g m apart", s->figure->results->file,
                        longest);
    }
    for (int i = 0; i < 2; i++) {
        const double wanted = fmax(size[i] + 0.08 * longest, 0.34 * longest);
        s->min[i] -= 0.5 * (wanted - size[i]);
        s->max[i] += 0.5 * (wanted - size[i]);
    }
    return HAW_OK;
}

static haw_status fill_tables(scene *s)
{
    const int instants = s->figure->instants;
    for (int i = 0; i < instants; i++) {
        HAW_TRY(write_cables(s, i));
        HAW_TRY(s->kind->outlines(s, i));
    }
    if (s->min[0] > s->max[0]) {
        return HAW_OK; /* nothing has a size */
    }
    HAW_TRY(pad(s));
    for (int i = 0; i < instants && s->kind->surfaces != NULL; i++) {
        HAW_TRY(s->kind->surfaces(s, i));
    }
    return HAW_OK;
}

/* Write the tables and measure the size of the scene. */
static haw_status write_tables(scene *s)
{
    static const char *const name[TABLES] = {"snapshots", "outlines", "supports", "surfaces"};
    const haw_figure *figure = s->figure;
    haw_status status = HAW_OK;
    int open = 0;
    while (open < s->kind->tables && status == HAW_OK) {
        status =
            haw_text_open(figure->context, &s->text[open], figure->folder, "%s.csv", name[open]);
        open += status == HAW_OK;
    }
    if (status == HAW_OK) {
        status = fill_tables(s);
    }
    while (open-- > 0) { /* in reverse: each restores the locale it found */
        status = haw_text_close(&s->text[open], status);
    }
    return status;
}

/* ---- layout ---- */

enum { LEFT = 72, RIGHT = 14, BAR = 92, TOP = 26, BOTTOM = 46, GAP_X = 14, GAP_Y = 30 };

static bool has_cables(const scene *s)
{
    return s->tension[1] >= s->tension[0];
}

/* Rows and columns that come nearest to a picture twice as wide as high. */
static void arrange(scene *s)
{
    const int panels = s->figure->instants;
    const double w = s->max[0] - s->min[0];
    const double h = s->max[1] - s->min[1];
    double best = DBL_MAX;
    for (int columns = 1; columns <= panels; columns++) {
        const int rows = (panels + columns - 1) / columns;
        const double miss = fabs(log(columns * w / (rows * h) / 2.0)) +
                            0.2 * (rows * columns - panels); /* empty places look careless */
        if (miss < best) {
            best = miss;
            s->columns = columns;
            s->rows = rows;
        }
    }
    const double room[2] = {900.0 - LEFT - RIGHT - BAR - GAP_X * (s->columns - 1),
                            620.0 - TOP - BOTTOM - GAP_Y * (s->rows - 1)};
    const double scale = fmin(room[0] / (s->columns * w), room[1] / (s->rows * h));
    s->panel[0] = scale * w;
    s->panel[1] = scale * h;
    s->canvas[0] =
        LEFT + s->columns * s->panel[0] + GAP_X * (s->columns - 1) + (has_cables(s) ? BAR : RIGHT);
    s->canvas[1] = TOP + s->rows * s->panel[1] + GAP_Y * (s->rows - 1) + BOTTOM;
}

static void write_margins(const scene *s, int i, haw_text *script)
{
    const int row = i / s->columns;
    const int column = i % s->columns;
    const double left = LEFT + column * (s->panel[0] + GAP_X);
    const double top = TOP + row * (s->panel[1] + GAP_Y);
    const double x[2] = {left / s->canvas[0], (left + s->panel[0]) / s->canvas[0]};
    const double y[2] = {1.0 - (top + s->panel[1]) / s->canvas[1], 1.0 - top / s->canvas[1]};
    haw_script_margins(script, x, y);
    char time[32];
    haw_figure_time(s->figure, i, time);
    (void)fprintf(script->stream, "set title '{/:Italic t} = %s' offset 0,-0.6\n", time);
}

static void write_palette(const scene *s, FILE *stream)
{
    const double low = s->factor * s->tension[0], high = s->factor * s->tension[1];
    const double half = high > low ? 0.0 : 1.0; /* of a range for one colour */
    (void)fputs("set palette defined (", stream);
    for (int i = 0; i <= 8; i++) {
        char color[8];
        haw_figure_ramp(i / 8.0, color);
        (void)fprintf(stream, "%s%d '%s'", i > 0 ? ", " : "", i, color);
    }
    (void)fprintf(stream, ")\nset cbrange [%.9g:%.9g]\nunset colorbox\n", low - half, high + half);
}

/* The box of the colours stands once, beside the last panel. */
static void write_box(const scene *s, FILE *stream)
{
    (void)fprintf(stream,
                  "set colorbox user origin screen %.6f, screen %.6f size screen %.6f, "
                  "screen %.6f noborder\n"
                  "set cblabel '%s' offset 0.4\n",
                  1.0 - (BAR - 14) / s->canvas[0], BOTTOM / s->canvas[1], 12 / s->canvas[0],
                  1.0 - (TOP + BOTTOM) / s->canvas[1], s->label);
}

/* ---- script of the plane ---- */

/* Space that the tics of an axis need from one to the next, and from the border [px]. */
static double tic_space(const scene *s, int axis, double step)
{
    if (axis == 1) {
        return 30.0; /* two lines of text */
    }
    int longest = 1;
    const int last = (int)floor(s->max[axis] / step);
    for (int i = (int)ceil(s->min[axis] / step); i <= last; i++) {
        char text[32];
        const int length = snprintf(text, sizeof text, "%.6g", i * step);
        longest = length > longest ? length : longest;
    }
    return 7.0 * longest + 4.0;
}

/* The finest of 1, 2, 5 times a power of ten whose numbers stand apart, also between panels. */
static void write_tics(const scene *s, int axis, FILE *stream)
{
    static const double digits[] = {1.0, 2.0, 5.0};
    const double range = s->max[axis] - s->min[axis];
    const double power = pow(10.0, floor(log10(range)) - 2.0);
    double step = range;
    double inset = 0.0;
    for (int i = 0; i < 12; i++) {
        const int decade = i / 3;
        step = power * digits[i % 3] * pow(10.0, decade);
        const double space = tic_space(s, axis, step);
        inset = axis == 0 ? fmax(0.0, (space - GAP_X) / 2.0) * range / s->panel[axis] : 0.0;
        if (step / range * s->panel[axis] >= space) {
            break;
        }
    }
    const double first = ceil((s->min[axis] + inset) / step) * step;
    const double last = floor((s->max[axis] - inset) / step) * step;
    (void)fprintf(stream, "set %ctics %.9g, %.9g, %.9g\n", axis == 0 ? 'x' : 'y', first, step,
                  fmax(last, first));
}

static void view_plane(const scene *s, FILE *stream)
{
    (void)fputs("unset grid\n", stream);
    write_tics(s, 0, stream);
    write_tics(s, 1, stream);
}

/* Paths of the bodies that move, as columns of histories.csv. */
static void write_paths(const scene *s, int i, FILE *stream)
{
    haw_results *results = s->figure->results;
    const haw_names *bodies = &results->names[HAW_RESULTS_BODIES];
    const int frame = s->figure->instant[i];
    for (int b = 0; b < bodies->count && frame > 0; b++) {
        double r[2];
        if (haw_results_attribute(results, "bodies", bodies->name[b], "radius", r)) {
            (void)fprintf(stream,
                          ", \\\n  'histories.csv' skip 1 every ::0::%d using %d:%d with lines "
                          "linewidth 0.8 linecolor rgb '#8a8a8a' notitle",
                          frame, 2 + HAW_HISTORY_BODY_COLUMNS * b,
                          3 + HAW_HISTORY_BODY_COLUMNS * b);
        }
    }
}

static void panel_of_plane(const scene *s, int i, FILE *stream)
{
    const bool is_left = i % s->columns == 0, is_bottom = i + s->columns >= s->figure->instants;
    (void)fprintf(stream, "set format y '%s'\nset ylabel '%s'\n", is_left ? "%g" : "",
                  is_left ? "{/:Italic y}  [m]" : "");
    (void)fprintf(stream, "set format x '%s'\nset xlabel '%s' offset 0,0.4\n",
                  is_bottom ? "%g" : "", is_bottom ? "{/:Italic x}  [m]" : "");
    (void)fprintf(stream,
                  "plot 'outlines.csv' index %d using 1:2:3 with circles fillstyle solid border "
                  "linecolor rgb '#404040' fillcolor rgb '#dcdcdc' linewidth 1 notitle",
                  i);
    write_paths(s, i, stream);
    /* A mass without a shape, such as a car, is a square. */
    (void)fprintf(stream,
                  ", \\\n  'outlines.csv' index %d using 1:($3>0?NaN:$2) with points pointtype 5 "
                  "pointsize 1.1 linecolor rgb '#606060' notitle",
                  i);
    (void)fprintf(stream,
                  ", \\\n  'outlines.csv' index %d using 1:2:4:5 with vectors nohead linewidth 1.6 "
                  "linecolor rgb '#202020' notitle",
                  i);
    if (s->planes > 0) {
        (void)fprintf(stream,
                      ", \\\n  'surfaces.csv' index %d using 1:2:3:4 with vectors nohead "
                      "linewidth 1.6 linecolor rgb '#404040' notitle",
                      i);
    }
    if (has_cables(s)) {
        (void)fprintf(stream,
                      ", \\\n  'snapshots.csv' index %d using 1:2 with lines linewidth 2 "
                      "linecolor palette cb %.9g notitle" /* below the seams of the next */
                      ", \\\n  'snapshots.csv' index %d using 1:2:(%g*$3) with lines linewidth 2 "
                      "linecolor palette notitle"
                      ", \\\n  'supports.csv' using 1:2 with points pointtype 5 pointsize 0.45 "
                      "linecolor rgb '#202020' notitle",
                      i, s->factor * s->mean[i], i, s->factor);
    }
    (void)fputc('\n', stream);
}

/* ---- script of space ---- */

/* Three arrows of a round length in the lower right corner of the first panel. */
static void write_axes(const scene *s, FILE *stream)
{
    const double size = fmax(s->max[0] - s->min[0], s->max[1] - s->min[1]);
    const double power = pow(10.0, floor(log10(0.15 * size)));
    const double digit = 0.15 * size / power;
    const double length = power * (digit < 2.0 ? 1.0 : digit < 5.0 ? 2.0 : 5.0);
    const double from[2] = {s->max[0] - 0.25 * size, s->min[1] + 0.1 * size};
    for (int k = 0; k < 3; k++) {
        double axis[3] = {0.0, 0.0, 0.0}, to[2];
        axis[k] = length;
        project_space(axis, to);
        (void)fprintf(stream,
                      "set arrow from %.6g, %.6g rto %.6g, %.6g size screen 0.006, 20 filled "
                      "linewidth 0.8 linecolor rgb '#404040'\n"
                      "set label '{/:Italic %c}' at %.6g, %.6g center font ',9'\n",
                      from[0], from[1], to[0], to[1], 'x' + k, from[0] + 1.3 * to[0],
                      from[1] + 1.3 * to[1]);
    }
    (void)fprintf(stream, "set label '%g m' at graph 0.98, graph 0.03 right font ',8'\n", length);
}

static void view_space(const scene *s, FILE *stream)
{
    (void)fprintf(stream,
                  "a = %g * pi / 180 # of the eye about z, from x\n"
                  "e = %g * pi / 180 # above the plane of x and y\n"
                  "u(x, y) = cos(a) * y - sin(a) * x\n"
                  "v(x, y, z) = cos(e) * z - sin(e) * (cos(a) * x + sin(a) * y)\n"
                  "unset border\nunset tics\nunset grid\nset cbtics\n",
                  azimuth, elevation);
    write_axes(s, stream);
}

static void panel_of_space(const scene *s, int i, FILE *stream)
{
    (void)fprintf(stream,
                  "plot 'outlines.csv' index %d using (u($1, $2)):(v($1, $2, $3)) with lines "
                  "linewidth 0.4 linecolor rgb '#9a9a9a' notitle",
                  i);
    if (has_cables(s)) {
        (void)fprintf(stream,
                      ", \\\n  'snapshots.csv' index %d using (u($1, $2)):(v($1, $2, $3)):(%g*$4) "
                      "with lines linewidth 1.8 linecolor palette notitle",
                      i, s->factor);
    }
    (void)fputs(i == 0 ? "\nunset arrow\nunset label\n" : "\n", stream);
}

/* ---- all ---- */

static haw_status write_script(const scene *s)
{
    haw_text script;
    const int size[2] = {(int)ceil(s->canvas[0]), (int)ceil(s->canvas[1])};
    HAW_TRY(haw_script_begin(s->figure, "snapshots", size, &script));
    (void)fprintf(script.stream,
                  "set multiplot\nset clip two\nset xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n",
                  s->min[0], s->max[0], s->min[1], s->max[1]);
    s->kind->view(s, script.stream);
    if (has_cables(s)) {
        write_palette(s, script.stream);
    }
    for (int i = 0; i < s->figure->instants; i++) {
        write_margins(s, i, &script);
        if (has_cables(s) && i + 1 == s->figure->instants) {
            write_box(s, script.stream);
        }
        s->kind->panel(s, i, script.stream);
    }
    return haw_script_end(&script);
}

haw_status haw_figure_snapshots(haw_figure *figure, bool *drawn)
{
    static const kind plane = {TABLES,
                               {"x", "y", "element_tension"},
                               "x [m], y [m], mean tension of the element [N]",
                               project_plane,
                               write_discs,
                               write_planes,
                               view_plane,
                               panel_of_plane};
    static const kind space = {SUPPORTS,
                               {"x", "y", "z", "element_tension"},
                               "x, y, z [m], mean tension of the element [N]",
                               project_space,
                               write_wires,
                               NULL,
                               view_space,
                               panel_of_space};
    static const kind *const kinds[] = {[2] = &plane, [3] = &space};
    scene s = {.figure = figure,
               .kind = kinds[figure->results->dimension],
               .low = {DBL_MAX, DBL_MAX, DBL_MAX},
               .high = {-DBL_MAX, -DBL_MAX, -DBL_MAX},
               .min = {DBL_MAX, DBL_MAX},
               .max = {-DBL_MAX, -DBL_MAX},
               .tension = {DBL_MAX, -DBL_MAX}};
    HAW_TRY(write_tables(&s));
    *drawn = s.min[0] <= s.max[0];
    if (!*drawn) {
        return HAW_OK;
    }
    s.factor =
        haw_figure_prefix((haw_interval){s.tension[0], s.tension[1]}, "tension", "N", s.label);
    arrange(&s);
    return write_script(&s);
}
