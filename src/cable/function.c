/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of time: a constant, or a table whose values are joined by ramps. */
#include "cable/site.h"

#include <gsl/gsl_interp.h>
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* A ramp from 0 to 1 over s in [0, 1] with its slope and its integral from 0. */
typedef struct ramp {
    double value, slope, integral;
} ramp;

static ramp ramp_at(haw_ramp kind, double s)
{
    const double sine = sin(pi * s), cosine = cos(pi * s);
    switch (kind) {
    case HAW_RAMP_COSINE:
        return (ramp){0.5 * (1.0 - cosine), 0.5 * pi * sine, 0.5 * (s - sine / pi)};
    case HAW_RAMP_SMOOTHSTEP:
        return (ramp){s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s), s * s * s * (1.0 - 0.5 * s)};
    case HAW_RAMP_CYCLOID: /* the integral: (cos(2 pi s) - 1) / (4 pi^2), without cancellation */
        return (ramp){s - sin(2.0 * pi * s) / (2.0 * pi), 2.0 * sine * sine,
                      0.5 * s * s - 0.5 * sine * sine / (pi * pi)};
    case HAW_RAMP_LINEAR:
        break;
    }
    return (ramp){s, 1.0, 0.5 * s * s};
}

/* Index i with time[i] <= t < time[i + 1]; t lies inside the table. */
static int find_interval(const haw_function *function, double t)
{
    return (int)gsl_interp_bsearch(function->time, t, 0, (size_t)function->count - 1);
}

double haw_function_value(const haw_function *function, double t)
{
    const int last = function->count - 1;
    if (last < 0) {
        return function->constant;
    }
    if (!(t > function->time[0])) {
        return function->value[0];
    }
    if (t >= function->time[last]) {
        return function->value[last];
    }
    const int i = find_interval(function, t);
    const double s = (t - function->time[i]) / (function->time[i + 1] - function->time[i]);
    const double rise = function->value[i + 1] - function->value[i];
    return function->value[i] + rise * ramp_at(function->ramp, s).value;
}

/* Integral from a to b > a, row by row, with the end values before and behind the table. */
static double integrate(const haw_function *function, double a, double b)
{
    const int last = function->count - 1;
    const double *time = function->time, *value = function->value;
    double sum =
        value[0] * fmax(fmin(b, time[0]) - a, 0) + value[last] * fmax(b - fmax(a, time[last]), 0);
    for (int i = a > time[0] ? find_interval(function, a) : 0; i < last && time[i] < b; i++) {
        const double from = fmax(a, time[i]), to = fmin(b, time[i + 1]);
        const double length = time[i + 1] - time[i];
        if (to > from) {
            const double rise = ramp_at(function->ramp, (to - time[i]) / length).integral -
                                ramp_at(function->ramp, (from - time[i]) / length).integral;
            sum += value[i] * (to - from) + (value[i + 1] - value[i]) * length * rise;
        }
    }
    return sum;
}

double haw_function_integral(const haw_function *function, double t)
{
    if (function->count <= 0) {
        return function->constant * t;
    }
    return t < 0 ? -integrate(function, t, 0) : integrate(function, 0, t);
}

double haw_function_mean(const haw_function *function, double t, double h)
{
    if (function->count <= 0 || h == 0) {
        return haw_function_value(function, t);
    }
    return integrate(function, t, t + h) / h;
}

double haw_function_slope(const haw_function *function, double t)
{
    const int last = function->count - 1;
    if (last < 1 || t < function->time[0] || t >= function->time[last]) {
        return 0;
    }
    const int i = find_interval(function, t);
    const double length = function->time[i + 1] - function->time[i];
    const double rise = function->value[i + 1] - function->value[i];
    return rise / length * ramp_at(function->ramp, (t - function->time[i]) / length).slope;
}

/* ---- from a scene ---- */

static haw_status check_function(haw_context *context, const haw_function *function)
{
    for (int i = 0; i < function->count; i++) {
        const bool rises = i == 0 || function->time[i] > function->time[i - 1];
        if (!isfinite(function->time[i]) || !isfinite(function->value[i]) || !rises) {
            return haw_fail(context, HAW_ERR_INPUT,
                            "a table over time needs finite numbers and rising times (row %d)",
                            i + 1);
        }
    }
    return isfinite(function->constant) || function->count > 0
               ? HAW_OK
               : haw_fail(context, HAW_ERR_INPUT, "a prescribed value must be finite");
}

haw_status haw_function_copy(haw_arena *arena, const haw_function *from, haw_function *to)
{
    *to = *from;
    HAW_TRY(check_function(arena->context, from));
    if (from->count == 0) {
        return HAW_OK;
    }
    const size_t n = (size_t)from->count;
    double *table = haw_arena_allocate(arena, 2 * n, sizeof(double));
    HAW_TRY(haw_arena_status(arena));
    memcpy(table, from->time, n * sizeof(double));
    memcpy(table + n, from->value, n * sizeof(double));
    to->time = table;
    to->value = table + n;
    return HAW_OK;
}

double haw_function_largest(const haw_function *function)
{
    double largest = function->count == 0 ? fabs(function->constant) : 0;
    for (int i = 0; i < function->count; i++) {
        largest = fmax(largest, fabs(function->value[i]));
    }
    return largest;
}

double haw_function_change(const haw_function *function, double h)
{
    double change = 0;
    for (int i = 1; i < function->count; i++) {
        const double step = fabs(function->value[i] - function->value[i - 1]);
        const double time = function->time[i] - function->time[i - 1];
        change = fmax(change, h < time ? step * h / time : step);
    }
    return change;
}
