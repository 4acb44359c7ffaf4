/* SPDX-License-Identifier: BSD-3-Clause */
/* The driver: a solver improves r, the referee alone says what was achieved. */
#include "base/status.h"
#include "solver/solver.h"

#include <math.h>
#include <string.h>

enum { NAMES_MAX = 32 };

haw_status haw_solver_settings_init(haw_context *context, const char *name,
                                    haw_solver_settings *settings)
{
    const haw_solver_ops *ops = haw_solver_find(name);

    *settings = (haw_solver_settings){.ops = ops};
    if (ops == NULL) {
        const char *names[NAMES_MAX];
        int count = 0;

        while (count < NAMES_MAX && haw_solvers[count] != NULL) {
            names[count] = haw_solvers[count]->name;
            count++;
        }
        const char *nearest = haw_nearest(name, count, names);

        return haw_fail(context, HAW_ERR_INPUT, "unknown solver '%s'%s%s%s", name,
                        nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                        nearest != NULL ? "'?" : "");
    }
    haw_options_init(ops->options, settings->options);
    return HAW_OK;
}

size_t haw_solve_work_size(const haw_solver_settings *settings, int dimension, int contacts)
{
    return settings->ops->work_size(dimension, contacts);
}

static haw_outcome judge(const haw_report *report, int max_iterations)
{
    if (report->residual.natural <= report->tolerance) {
        return HAW_CONVERGED;
    }
    if (!(report->residual.natural <= DBL_MAX)) {
        return HAW_NOT_FINITE;
    }
    return report->iterations >= max_iterations ? HAW_ITERATION_LIMIT : HAW_STALLED;
}

/* A warm start that is not finite would poison the first sweep: such a solve starts cold. */
static void check_start(const haw_problem *problem, double *r)
{
    const size_t rows = (size_t)problem->dimension * (size_t)problem->contacts;
    double sum = 0.0;

    for (size_t i = 0; i < rows; i++) {
        sum += 0.0 * r[i];
    }
    if (sum != 0.0) { /* NaN */
        memset(r, 0, rows * sizeof *r);
    }
}

void haw_solve(const haw_problem *problem, const haw_solver_settings *settings, void *work,
               double *r, double *u, haw_report *report)
{
    const double floor = 64.0 * DBL_EPSILON; /* what rounding leaves of the residual */
    haw_solver_settings applied = *settings;
    haw_solver_common common;

    memcpy(&common, applied.options, sizeof common);
    if (!(common.tolerance >= floor)) {
        common.tolerance = floor;
    }
    memcpy(applied.options, &common, sizeof common);
    *report = (haw_report){.outcome = HAW_CONVERGED, .tolerance = common.tolerance};
    if (problem->contacts == 0) {
        return;
    }
    if (haw_problem_reference(problem) == 0.0) { /* nothing moves: r = 0 is the answer */
        memset(r, 0, sizeof *r * (size_t)problem->dimension * (size_t)problem->contacts);
    } else {
        check_start(problem, r);
        settings->ops->solve(problem, applied.options, work, r, &report->iterations);
    }
    haw_problem_residual(problem, r, u, &report->residual);
    report->outcome = judge(report, common.max_iterations);
}
