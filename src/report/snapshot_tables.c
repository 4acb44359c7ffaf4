/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of the snapshots: one block per instant, bodies and cables apart. */
#include "report/snapshots.h"

#include <math.h>

static void extend(haw_snapshots *scene, double x, double y, double r)
{
    const double p[2] = {x, y};
    for (int i = 0; i < 2; i++) {
        scene->min[i] = fmin(scene->min[i], p[i] - r);
        scene->max[i] = fmax(scene->max[i], p[i] + r);
    }
}

/* ---- cables ---- */

static haw_status write_cable(haw_figure *figure, const char *cable, const haw_array *xi, int frame,
                              double *value, haw_snapshots *scene, FILE *stream)
{
    static const char *const columns[3] = {"x", "y", "element_tension"};
    const int n = xi->rows;
    for (int i = 0; i < 3; i++) {
        HAW_TRY(haw_results_profile(figure->results, cable, columns[i], frame, n,
                                    value + (size_t)i * (size_t)n));
    }
    for (int j = 0; j < n; j++) {
        const double tension = value[2 * n + j];
        extend(scene, value[j], value[n + j], 0.0);
        scene->tension[0] = fmin(scene->tension[0], tension);
        scene->tension[1] = fmax(scene->tension[1], tension);
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

static haw_status write_lines(haw_figure *figure, haw_snapshots *scene, FILE *lines, FILE *supports)
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
                write_cable(figure, cables->name[c], &xi, figure->instant[i], value, scene, lines);
            for (int j = 0; j < xi.rows; j++) {
                scene->mean[i] += value[2 * xi.rows + j] / (xi.rows * cables->count);
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
static haw_status write_discs(haw_figure *figure, haw_snapshots *scene, FILE *stream)
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
            extend(scene, x[0], x[1], r[0]);
            (void)fprintf(stream, "%.9g,%.9g,%.9g,%.9g,%.9g\n", x[0], x[1], r[0], r[0] * cos(a),
                          r[0] * sin(a));
        }
    }
    return HAW_OK;
}

/* Straight surfaces as a start and a vector, long enough to leave the picture on both sides. */
static haw_status write_planes(haw_figure *figure, haw_snapshots *scene, FILE *stream)
{
    const haw_names *bodies = haw_results_names(figure->results, HAW_RESULTS_BODIES);
    const double half = 4.0 * (scene->max[0] - scene->min[0] + scene->max[1] - scene->min[1]);
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
            scene->planes++;
            const double turned = angle.value[figure->instant[i]] - angle.value[0];
            const double t[2] = {n[1] * cos(turned) + n[0] * sin(turned),
                                 n[1] * sin(turned) - n[0] * cos(turned)};
            (void)fprintf(stream, "%.9g,%.9g,%.9g,%.9g\n", x[0] - half * t[0], x[1] - half * t[1],
                          2.0 * half * t[0], 2.0 * half * t[1]);
        }
    }
    return HAW_OK;
}

/* A margin around the scene, and no panel thinner than a third of its length. */
static void pad(haw_snapshots *scene)
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

haw_status haw_snapshots_tables(haw_figure *figure, haw_snapshots *scene)
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
        status = write_lines(figure, scene, text[0].stream, text[1].stream);
    }
    if (status == HAW_OK) {
        status = write_discs(figure, scene, text[2].stream);
    }
    if (status == HAW_OK && scene->min[0] <= scene->max[0]) {
        pad(scene);
        status = write_planes(figure, scene, text[3].stream);
    }
    while (open-- > 0) { /* in reverse: each restores the locale it found */
        const haw_status closed = haw_text_close(&text[open]);
        status = status == HAW_OK ? closed : status;
    }
    return status;
}
