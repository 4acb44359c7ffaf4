/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/profile.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;

    return (x > y) - (x < y);
}

void haw_sort_numbers(int n, double *values)
{
    if (n > 1) {
        qsort(values, (size_t)n, sizeof *values, compare);
    }
}

/* Infinity instead of NaN: fmin would pass a NaN over, a quotient would not. */
static double smallest(int n, const double *cost)
{
    double best = HUGE_VAL;

    for (int i = 0; i < n; i++) {
        best = cost[i] < best ? cost[i] : best;
    }
    return best;
}

haw_status haw_profile_create(haw_arena *arena, int problems, int solvers, const double *cost,
                              haw_profile *profile)
{
    *profile = (haw_profile){.problems = problems, .solvers = solvers};
    profile->ratio =
        haw_arena_allocate(arena, (size_t)problems * (size_t)solvers, sizeof *profile->ratio);
    HAW_TRY(haw_arena_status(arena));
    for (int p = 0; p < problems; p++) {
        const double *of_problem = cost + (ptrdiff_t)p * solvers;
        const double best = smallest(solvers, of_problem);

        for (int s = 0; s < solvers; s++) {
            const bool is_solved = of_problem[s] < HUGE_VAL;

            profile->ratio[(ptrdiff_t)s * problems + p] =
                is_solved ? of_problem[s] / best : HUGE_VAL;
        }
    }
    for (int s = 0; s < solvers; s++) {
        haw_sort_numbers(problems, profile->ratio + (ptrdiff_t)s * problems);
    }
    return HAW_OK;
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
