/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hawser as a contestant. It is charged with everything from the sparse global form on: its memory,
 * the factor of M, q, the diagonal of W, the solve and the referee's verdicts. The tolerance is the
 * referee's own.
 */
#include "contestant.h"

#include <stdlib.h>

typedef struct run {
    const haw_problem *problem;
    haw_context *context;
    haw_workspace *workspace;
    haw_solver_settings settings;
    haw_report report;
    haw_status status;
    double *u;
} run;

static void finish(void *user, answer *said)
{
    run *a = user;

    *said = (answer){.code = a->status == HAW_OK && a->report.outcome == HAW_CONVERGED ? 0 : 1,
                     .iterations = a->report.iterations,
                     .error = a->report.residual.natural};
    haw_workspace_free(a->workspace);
    haw_context_free(a->context);
    free(a->u);
    free(a);
}

static void *prepare(const contestant *self, const contest *problem, const aim *to)
{
    const haw_problem *p = problem->problem;
    run *made = calloc(1, sizeof *made);

    if (made == NULL) {
        return NULL;
    }
    made->problem = p;
    made->u = calloc((size_t)p->contacts * (size_t)p->dimension + 1, sizeof *made->u);
    made->status = haw_context_create(NULL, &made->context);
    if (made->status == HAW_OK) {
        made->status = haw_solver_settings_init(made->context, self->name, &made->settings);
    }
    if (made->status == HAW_OK && made->u != NULL) {
        ((haw_solver_common *)made->settings.options)->tolerance = to->tolerance;
        return made;
    }
    answer unused;

    finish(made, &unused);
    return NULL;
}

static void solve(void *user, double *r)
{
    run *a = user;

    a->status = haw_workspace_create(a->context, &a->workspace);
    if (a->status == HAW_OK) {
        a->status = haw_solve(a->problem, &a->settings, a->workspace, r, a->u, &a->report);
    }
}

const contestant hawser_contestants[] = {
    {"auto", "hawser, defaults", ROLE_HAWSER, 0, false, 0, NULL, prepare, solve, finish},
    {NULL, NULL, ROLE_HAWSER, 0, false, 0, NULL, NULL, NULL, NULL},
};
