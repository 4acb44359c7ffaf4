/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Snapshots of a spatial scene: the cables coloured by tension and the wires of the bodies, seen
 * from far away under the same angles at several instants. The script projects the points, so that
 * its angles can be changed.
 */
#include "report/snapshots.h"

#include <float.h>
#include <math.h>

enum { CORNERS_OF_A_PLANE = 5 };

/* Where the eye is: its angle about z from x, and above the plane of x and y [deg]. */
static const double azimuth = -60.0, elevation = 25.0;

/* What is drawn: lines of /VTKHDF, the cables first. */
typedef struct scene {
    haw_figure *figure;
    haw_array corners, offsets;
    int points;            /* of a frame */
    double min[3], max[3]; /* without planes */
    haw_snapshots picture; /* as projected */
    haw_text lines, wires;
} scene;

/* To the right and upwards in the picture. */
static void project(const double x[3], double p[2])
{
    const double degree = 3.14159265358979323846 / 180.0;
    const double a = azimuth * degree, e = elevation * degree;
    p[0] = cos(a) * x[1] - sin(a) * x[0];
    p[1] = cos(e) * x[2] - sin(e) * (cos(a) * x[0] + sin(a) * x[1]);
}

static void begin_block(const scene *s, FILE *stream, int instant, const char *columns)
{
    const haw_figure *figure = s->figure;
    (void)fprintf(stream, "%s# t = %.9g s: %s\n", instant > 0 ? "\n\n" : "",
                  figure->t.value[figure->instant[instant]], columns);
}

static void extend_picture(scene *s, const double *x)
{
    haw_snapshots *picture = &s->picture;
    double p[2];
    project(x, p);
    for (int k = 0; k < 2; k++) {
        picture->min[k] = fmin(picture->min[k], p[k]);
        picture->max[k] = fmax(picture->max[k], p[k]);
    }
}

static void extend(scene *s, const double *x)
{
    extend_picture(s, x);
    for (int k = 0; k < 3; k++) {
        s->min[k] = fmin(s->min[k], x[k]);
        s->max[k] = fmax(s->max[k], x[k]);
    }
}

/* ---- cables ---- */

static void put_cable(scene *s, const double *value, int n)
{
    for (int j = 0; j < n; j++) {
        const double x[3] = {value[j], value[n + j], value[2 * n + j]};
        const double tension = value[3 * n + j];
        extend(s, x);
        s->picture.tension[0] = fmin(s->picture.tension[0], tension);
        s->picture.tension[1] = fmax(s->picture.tension[1], tension);
        (void)fprintf(s->lines.stream, "%.9g,%.9g,%.9g,%.9g\n", x[0], x[1], x[2], tension);
    }
}

static haw_status write_cable(scene *s, int instant, const char *cable)
{
    static const char *const columns[4] = {"x", "y", "z", "element_tension"};
    haw_figure *figure = s->figure;
    char path[256];
    haw_array xi;
    (void)snprintf(path, sizeof path, "/hawser/cables/%s/xi", cable);
    HAW_TRY(haw_results_array(figure->results, path, &xi));
    const int n = xi.rows;
    double *value = haw_allocate(figure->context, (size_t)n * 4 + 1, sizeof *value);
    haw_status status = value != NULL ? HAW_OK : HAW_ERR_NOMEM;
    for (int i = 0; i < 4 && status == HAW_OK; i++) {
        status = haw_results_profile(figure->results, cable, columns[i], figure->instant[instant],
                                     n, value + (size_t)i * (size_t)n);
    }
    if (status == HAW_OK) {
        put_cable(s, value, n);
    }
    haw_release(figure->context, value);
    return status;
}

/* ---- bodies ---- */

/* A plane is drawn as large as the rest of the scene. */
static void cut_plane(const scene *s, double *x)
{
    double center[3], size = 0.0, half = 0.0;
    for (int k = 0; k < 3; k++) {
        center[k] = 0.5 * (x[k] + x[6 + k]);
        size = fmax(size, s->max[k] - s->min[k]);
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
    return (int)s->offsets.value[line + 1] - (int)s->offsets.value[line];
}

/* One line of /VTKHDF: its points follow each other. */
static haw_status write_wire(scene *s, int instant, int line)
{
    const haw_figure *figure = s->figure;
    const int from = (int)s->offsets.value[line];
    const int count = corners_of(s, line);
    const bool is_plane = count == CORNERS_OF_A_PLANE;
    const haw_block block = {.row =
                                 figure->instant[instant] * s->points + (int)s->corners.value[from],
                             .rows = count,
                             .components = 3};
    double *x = haw_allocate(figure->context, (size_t)count * 3 + 1, sizeof *x);
    if (x == NULL) {
        return HAW_ERR_NOMEM;
    }
    const haw_status status = haw_results_block(figure->results, "/VTKHDF/Points", &block, x);
    if (status == HAW_OK && is_plane) {
        cut_plane(s, x);
    }
    for (int j = 0; j < count && status == HAW_OK; j++) {
        (is_plane ? extend_picture : extend)(s, x + (ptrdiff_t)3 * j);
        (void)fprintf(s->wires.stream, "%.9g,%.9g,%.9g\n", x[3 * j], x[3 * j + 1], x[3 * j + 2]);
    }
    (void)fputc('\n', s->wires.stream);
    haw_release(figure->context, x);
    return status;
}

static haw_status write_instant(scene *s, int instant)
{
    const haw_names *cables = haw_results_names(s->figure->results, HAW_RESULTS_CABLES);
    begin_block(s, s->lines.stream, instant, "x, y, z [m], mean tension of the element [N]");
    for (int i = 0; i < cables->count; i++) {
        (void)fputs(i > 0 ? "\n" : "", s->lines.stream);
        HAW_TRY(write_cable(s, instant, cables->name[i]));
    }
    begin_block(s, s->wires.stream, instant, "x, y, z [m]");
    for (int i = cables->count; i + 1 < s->offsets.rows; i++) {
        HAW_TRY(corners_of(s, i) != CORNERS_OF_A_PLANE ? write_wire(s, instant, i) : HAW_OK);
    }
    for (int i = cables->count; i + 1 < s->offsets.rows; i++) { /* as large as all the rest */
        HAW_TRY(corners_of(s, i) == CORNERS_OF_A_PLANE ? write_wire(s, instant, i) : HAW_OK);
    }
    return HAW_OK;
}

/* ---- script ---- */

/* Three arrows of a round length in the lower right corner of the first panel. */
static void write_axes(const scene *s, FILE *stream)
{
    const haw_snapshots *picture = &s->picture;
    const double size = fmax(picture->max[0] - picture->min[0], picture->max[1] - picture->min[1]);
    const double power = pow(10.0, floor(log10(0.15 * size)));
    const double digit = 0.15 * size / power;
    const double length = power * (digit < 2.0 ? 1.0 : digit < 5.0 ? 2.0 : 5.0);
    const double from[2] = {picture->max[0] - 0.25 * size, picture->min[1] + 0.1 * size};
    for (int k = 0; k < 3; k++) {
        double axis[3] = {0.0, 0.0, 0.0}, to[2];
        axis[k] = length;
        project(axis, to);
        (void)fprintf(stream,
                      "set arrow from %.6g, %.6g rto %.6g, %.6g size screen 0.006, 20 filled "
                      "linewidth 0.8 linecolor rgb '#404040'\n"
                      "set label '{/:Italic %c}' at %.6g, %.6g center font ',9'\n",
                      from[0], from[1], to[0], to[1], 'x' + k, from[0] + 1.3 * to[0],
                      from[1] + 1.3 * to[1]);
    }
    (void)fprintf(stream, "set label '%g m' at graph 0.98, graph 0.03 right font ',8'\n", length);
}

static void write_view(const scene *s, FILE *stream)
{
    const haw_snapshots *picture = &s->picture;
    (void)fprintf(stream,
                  "a = %g * pi / 180 # of the eye about z, from x\n"
                  "e = %g * pi / 180 # above the plane of x and y\n"
                  "u(x, y) = cos(a) * y - sin(a) * x\n"
                  "v(x, y, z) = cos(e) * z - sin(e) * (cos(a) * x + sin(a) * y)\n"
                  "set multiplot\nset clip two\nunset border\nunset tics\nunset grid\n"
                  "set cbtics\nset xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n",
                  azimuth, elevation, picture->min[0], picture->max[0], picture->min[1],
                  picture->max[1]);
}

static void write_panel(const scene *s, int i, FILE *stream)
{
    const haw_snapshots *picture = &s->picture;
    const bool has_cables = picture->tension[1] >= picture->tension[0];
    haw_snapshots_margins(picture, i, stream);
    haw_snapshots_title(s->figure, i, stream);
    if (has_cables && i + 1 == s->figure->instants) {
        haw_snapshots_box(picture, stream);
    }
    (void)fprintf(stream,
                  "plot 'outlines.csv' index %d using (u($1, $2)):(v($1, $2, $3)) with lines "
                  "linewidth 0.4 linecolor rgb '#9a9a9a' notitle",
                  i);
    if (has_cables) {
        (void)fprintf(stream,
                      ", \\\n  'snapshots.csv' index %d using (u($1, $2)):(v($1, $2, $3)):4 with "
                      "lines linewidth 1.8 linecolor palette notitle",
                      i);
    }
    (void)fputs(i == 0 ? "\nunset arrow\nunset label\n" : "\n", stream);
}

static haw_status write_script(scene *s)
{
    haw_snapshots *picture = &s->picture;
    haw_text script;
    haw_snapshots_pad(picture);
    haw_snapshots_arrange(picture, s->figure->instants);
    const int size[2] = {(int)ceil(picture->canvas[0]), (int)ceil(picture->canvas[1])};
    HAW_TRY(haw_script_begin(s->figure, "snapshots", size, &script));
    write_view(s, script.stream);
    if (picture->tension[1] >= picture->tension[0]) {
        haw_snapshots_palette(picture->tension, script.stream);
    }
    write_axes(s, script.stream);
    for (int i = 0; i < s->figure->instants; i++) {
        write_panel(s, i, script.stream);
    }
    return haw_script_end(&script);
}

/* ---- all ---- */

static haw_status read_lines(scene *s)
{
    haw_results *results = s->figure->results;
    haw_array points;
    HAW_TRY(haw_results_array(results, "/VTKHDF/Lines/Connectivity", &s->corners));
    HAW_TRY(haw_results_array(results, "/VTKHDF/Lines/Offsets", &s->offsets));
    HAW_TRY(haw_results_array(results, "/VTKHDF/NumberOfPoints", &points));
    s->points = points.rows > 0 ? (int)points.value[0] : 0;
    for (int i = 0; i + 1 < s->offsets.rows; i++) {
        const double from = s->offsets.value[i], to = s->offsets.value[i + 1];
        if (!(from >= 0.0 && from < to && to <= s->corners.rows)) {
            return haw_fail(s->figure->context, HAW_ERR_IO,
                            "cannot read the lines of the results: damaged");
        }
    }
    return HAW_OK;
}

static haw_status write_tables(scene *s)
{
    const haw_figure *figure = s->figure;
    HAW_TRY(haw_text_open(figure->context, figure->folder, "snapshots", ".csv", &s->lines));
    haw_status status =
        haw_text_open(figure->context, figure->folder, "outlines", ".csv", &s->wires);
    if (status == HAW_OK) {
        for (int i = 0; i < figure->instants && status == HAW_OK; i++) {
            status = write_instant(s, i);
        }
        const haw_status closed = haw_text_close(&s->wires);
        status = status == HAW_OK ? closed : status;
    }
    const haw_status closed = haw_text_close(&s->lines);
    return status == HAW_OK ? closed : status;
}

haw_status haw_figure_views(haw_figure *figure, bool *drawn)
{
    scene s = {.figure = figure,
               .min = {DBL_MAX, DBL_MAX, DBL_MAX},
               .max = {-DBL_MAX, -DBL_MAX, -DBL_MAX},
               .picture = {.min = {DBL_MAX, DBL_MAX},
                           .max = {-DBL_MAX, -DBL_MAX},
                           .tension = {DBL_MAX, -DBL_MAX}}};
    HAW_TRY(read_lines(&s));
    HAW_TRY(write_tables(&s));
    *drawn = s.picture.min[0] <= s.picture.max[0];
    return *drawn ? write_script(&s) : HAW_OK;
}
