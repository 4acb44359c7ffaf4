/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of the snapshots: one block per instant, bodies and cables apart. */
#include "report/snapshots.h"

#include <math.h>

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

/* ---- all ---- */

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

haw_status haw_snapshots_tables(haw_figure *figure, haw_snapshots *scene)
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
