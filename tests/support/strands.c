/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/strands.h"

#include "base/lie.h"
#include "stepper/simulation.h"

#include <stdlib.h>

enum { SAMPLES = 16, STEPS = 12 }; /* of an element; of Newton's method */

static const double NEAR = 1.02; /* pairs of samples that are followed, over the least of them */

typedef struct strands {
    const haw_cable *cable;
    const double *q;
} strands;

/* The point at the label s, in elements from the start, and its derivatives. */
static void look(const strands *a, double s, double x[3], double d[3][3])
{
    haw_cable_point point;
    const int last = a->cable->line.elements - 1, e = s < last ? (int)s : last;
    a->cable->ops->point(a->cable, e, s - e, a->q, NULL, HAW_POINT_PLACE, &point);
    a->cable->ops->curve(a->cable, e, s - e, a->q, d);
    for (int i = 0; i < 3; i++) {
        x[i] = point.x[i];
    }
}

static double clamp(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

/* Least squared distance of places within one sample of s and t: Newton's method on both, downhill
 * where it is not convex. */
static double descend(const strands *a, const double from[2])
{
    const double width = 1.0 / SAMPLES, end = a->cable->line.elements;
    double at[2] = {from[0], from[1]}, least = HUGE_VAL;
    for (int k = 0; k < STEPS; k++) {
        double x[2][3], d[2][3][3], r[3], slope[2], bend[3], step[2];
        look(a, at[0], x[0], d[0]);
        look(a, at[1], x[1], d[1]);
        for (int i = 0; i < 3; i++) {
            r[i] = x[0][i] - x[1][i];
        }
        least = fmin(least, vec3_dot(r, r));
        slope[0] = vec3_dot(r, d[0][0]);
        slope[1] = -vec3_dot(r, d[1][0]);
        bend[0] = vec3_dot(d[0][0], d[0][0]) + vec3_dot(r, d[0][1]);
        bend[1] = -vec3_dot(d[0][0], d[1][0]);
        bend[2] = vec3_dot(d[1][0], d[1][0]) - vec3_dot(r, d[1][1]);
        const double det = bend[0] * bend[2] - bend[1] * bend[1];
        const bool convex = bend[0] > 0 && det > 1e-9 * bend[0] * bend[2];
        step[0] = convex ? (-bend[2] * slope[0] + bend[1] * slope[1]) / det
                         : -slope[0] / vec3_dot(d[0][0], d[0][0]);
        step[1] = convex ? (bend[1] * slope[0] - bend[0] * slope[1]) / det
                         : -slope[1] / vec3_dot(d[1][0], d[1][0]);
        for (int i = 0; i < 2; i++) {
            at[i] = clamp(at[i] + step[i], fmax(from[i] - width, 0), fmin(from[i] + width, end));
        }
    }
    return least;
}

static double distance_of(const double *x, const double *y)
{
    const double r[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
    return vec3_norm(r);
}

/* Over all pairs of samples; those nearer than `near` go down from where they are. What is far is
 * passed by as many samples as it takes to come near. */
static double sweep(const strands *a, int count, double (*x)[3], int skip, double near)
{
    double least = HUGE_VAL, spacing = 0;
    for (int i = 0; i + 1 < count; i++) {
        spacing = fmax(spacing, distance_of(x[i], x[i + 1]));
    }
    for (int i = 0; i < count; i++) {
        for (int j = i + skip; j < count; j++) {
            const double distance = distance_of(x[i], x[j]);
            const double from[2] = {(double)i / SAMPLES, (double)j / SAMPLES};
            least = fmin(least, distance < near ? sqrt(descend(a, from)) : distance);
            j += (int)(fmax(distance - fmax(near, least), 0) / spacing);
        }
    }
    return least;
}

double strands_distance(const haw_model *model, int cable, const double *q, double apart)
{
    const strands a = {&model->cable[cable], q};
    const int count = SAMPLES * a.cable->line.elements + 1, skip = (int)ceil(apart * SAMPLES);
    double(*x)[3] = malloc((size_t)count * sizeof *x), d[3][3];
    assert_non_null(x);
    for (int i = 0; i < count; i++) {
        look(&a, (double)i / SAMPLES, x[i], d);
    }
    const double sampled = sweep(&a, count, x, skip, 0);
    const double least = sweep(&a, count, x, skip, NEAR * sampled);
    free(x);
    return least;
}

void strands_look(scenario_run *run, const haw_frame *frame, void *least)
{
    const haw_cable *cable = &run->model->cable[0];
    const double diameter = 2 * cable->radius;
    const double distance =
        strands_distance(run->model, 0, run->simulation->state->q, 2 * diameter / cable->line.le);
    double *all = least;
    *all = frame->t > 0 ? fmin(*all, distance / diameter) : *all; /* it begins as it is drawn */
}
