/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of time: a constant, or a table whose values are joined by ramps. */
#include "base/status.h"

#include <hawser/model.h>

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Ramp from 0 to 1 over s in [0, 1]. */
static double ramp_value(haw_ramp ramp, double s)
{
    switch (ramp) {
    case HAW_RAMP_COSINE:
        return 0.5 * (1.0 - cos(pi * s));
    case HAW_RAMP_SMOOTHSTEP:
        return s * s * (3.0 - 2.0 * s);
    case HAW_RAMP_CYCLOID:
        return s - sin(2.0 * pi * s) / (2.0 * pi);
    case HAW_RAMP_LINEAR:
        break;
    }
    return s;
}

/* Index i with time[i] <= t < time[i + 1]; t lies inside the table. */
static int find_interval(const haw_function *function, double t)
{
    int low = 0, high = function->count - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (function->time[middle] <= t) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
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
    return function->value[i] + rise * ramp_value(function->ramp, s);
}
