/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/profile.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stddef.h>

void haw_profile_ratios(int problems, int solvers, const double *cost, double *ratio)
{
    for (int p = 0; p < problems; p++) {
        const double *of_problem = cost + (ptrdiff_t)p * solvers;
        double best = HUGE_VAL;

        /* Infinity instead of NaN: fmin would pass a NaN over, a quotient would not. */
        for (int s = 0; s < solvers; s++) {
            best = of_problem[s] < best ? of_problem[s] : best;
        }
        for (int s = 0; s < solvers; s++) {
            ratio[(ptrdiff_t)s * problems + p] =
                of_problem[s] < HUGE_VAL ? of_problem[s] / best : HUGE_VAL;
        }
    }
    for (int s = 0; s < solvers; s++) {
        gsl_sort(ratio + (ptrdiff_t)s * problems, 1, (size_t)problems);
    }
}

double haw_percentile(int n, const double *ascending, double percent)
{
    if (n < 1) {
        return (double)NAN;
    }
    const double place = (n - 1) * fmin(fmax(percent, 0.0), 100.0) / 100.0;
    const int below = (int)place;
    const double part = place - below;

    if (part <= 0.0) { /* also where the next number is infinite, or does not exist */
        return ascending[below];
    }
    return ascending[below + 1] < HUGE_VAL
               ? ascending[below] + part * (ascending[below + 1] - ascending[below])
               : HUGE_VAL;
}
