/* SPDX-License-Identifier: BSD-3-Clause */
#include "match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LOOSEST 1e-4 /* first tolerance of a peer */
#define AIM     0.7  /* of MATCH_TOLERANCE: what the next tolerance aims at */
#define BATCH_S 2e-3 /* CPU seconds of a batch at least */

enum { ATTEMPTS = 12, MOST_BATCH = 256 };

typedef struct table {
    haw_context *context;
    const contest *problem;
    double *r, *u; /* [n d] */
} table;

/* One attempt, judged by the referee whatever the solver says and however it ended. */
static haw_status attempt(const table *t, const child_plan *plan, child_result *result, match *m)
{
    if (!child_run(m->who, t->problem, plan, t->r, result)) {
        return HAW_ERR_NOMEM;
    }
    m->end = result->end;
    m->to = plan->to;
    if (result->end == CHILD_FINISHED) {
        m->said = result->said;
    }
    const haw_status status =
        haw_problem_residual(t->context, t->problem->problem, t->r, t->u, &m->residual);

    m->best = fmin(m->best, m->residual.natural);
    m->is_solved = result->end == CHILD_FINISHED && m->residual.natural <= MATCH_TOLERANCE;
    return status;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void statistics(child_result *result, match *m)
{
    m->runs = result->runs;
    qsort(result->seconds, (size_t)result->runs, sizeof *result->seconds, compare);
    m->least = result->seconds[0];
    m->median = result->seconds[result->runs / 2];
}

/*
 * A peer stops by a measure of its own. The first tolerance is loose, the next ones follow from
 * what the referee found, in proportion, so that the last one is hardly stricter than needed.
 */
static haw_status tighten(const table *t, double limit, child_result *result, match *m)
{
    const bool is_peer = m->who->role != ROLE_HAWSER;
    child_plan plan = {.to = {.tolerance = is_peer ? LOOSEST : MATCH_TOLERANCE},
                       .limit = limit,
                       .runs = 1,
                       .batch = 1};

    for (m->attempts = 1;; m->attempts++) {
        const haw_status status = attempt(t, &plan, result, m);

        if (status != HAW_OK || m->is_solved || !is_peer || m->attempts == ATTEMPTS) {
            return status;
        }
        if (m->end == CHILD_TIMEOUT && m->best <= MATCH_TOLERANCE && !plan.to.keeps_limit) {
            plan.to.keeps_limit = true; /* it had arrived, and did not stop by its own measure */
            continue;
        }
        if (m->end != CHILD_FINISHED || m->said.code != 0) {
            return status;
        }
        const double factor = AIM * MATCH_TOLERANCE / m->residual.natural;

        plan.to.tolerance *= fmax(1e-3, fmin(0.3, factor));
    }
}

/* Repeat the run that was good enough: short ones in batches, long ones less often. */
static haw_status repeat(const table *t, double limit, child_result *result, match *m)
{
    const double once = fmax(result->seconds[0], 1e-7);
    const child_plan plan = {
        .to = m->to,
        .limit = limit,
        .batch = (int)fmin(MOST_BATCH, ceil(BATCH_S / once)),
        .runs = once < 0.1   ? CHILD_RUNS
                : once < 1.0 ? 5
                             : 1,
    };

    if (plan.runs == 1) {
        return HAW_OK;
    }
    return attempt(t, &plan, result, m);
}

haw_status match_play(haw_context *context, const contestant *who, const contest *problem,
                      double limit, match *m)
{
    const size_t size = (size_t)problem->problem->contacts * (size_t)problem->problem->dimension;
    table t = {context, problem, calloc(size + 1, sizeof *t.r), calloc(size + 1, sizeof *t.u)};
    haw_status status = t.r == NULL || t.u == NULL ? HAW_ERR_NOMEM : HAW_OK;
    child_result result = {.runs = 0};

    memset(m, 0, sizeof *m);
    m->who = who;
    m->best = HUGE_VAL;
    if (!contestant_takes(who, problem)) {
        m->end = CHILD_ABSENT;
    } else if (status == HAW_OK) {
        status = tighten(&t, limit, &result, m);
    }
    if (status == HAW_OK && m->is_solved) {
        status = repeat(&t, limit, &result, m);
    }
    if (status == HAW_OK && result.runs > 0) {
        statistics(&result, m);
    }
    free(t.r);
    free(t.u);
    return status;
}

const char *match_claim(const match *m)
{
    static const char *const ends[] = {
        [CHILD_TIMEOUT] = "timeout", [CHILD_CRASHED] = "fault", [CHILD_ABSENT] = "-"};

    if (m->end != CHILD_FINISHED) {
        return ends[m->end];
    }
    return m->said.code == 0 ? "converged" : "gave up";
}
