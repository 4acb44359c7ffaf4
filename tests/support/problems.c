/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/problems.h"

#include "support/random.h"

void small_problem_init(small_problem *s, int dimension, int contacts)
{
    memset(s, 0, sizeof *s);
    for (int c = 0; c < contacts; c++) {
        s->start[c + 1] = (c + 1) * contacts;
        s->diagonal[c] = c * contacts + c;
        for (int k = 0; k < contacts; k++) {
            s->column[c * contacts + k] = k;
        }
    }
    s->problem = (haw_problem){
        .dimension = dimension,
        .contacts = contacts,
        .w = {dimension, contacts, s->start, s->column, s->diagonal, s->value},
        .q = s->q,
        .mu = s->mu,
    };
}

double *small_problem_entry(small_problem *s, int i, int j)
{
    const int d = s->problem.dimension, n = s->problem.contacts;

    return s->value + (((i / d) * n + j / d) * d + i % d) * d + j % d;
}

void small_problem_random(small_problem *s, int m, double shift, double mu_max, uint64_t *seed)
{
    const int d = s->problem.dimension, rows = d * s->problem.contacts;
    double h[2 * PROBLEM_ROWS][PROBLEM_ROWS]; /* m <= 2 PROBLEM_ROWS */

    for (int i = 0; i < m; i++) {
        for (int j = 0; j < rows; j++) {
            h[i][j] = random_signed(seed);
        }
    }
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            double sum = i == j ? shift : 0.0;

            for (int k = 0; k < m; k++) {
                sum += h[k][i] * h[k][j] / m;
            }
            *small_problem_entry(s, i, j) = sum;
        }
        s->q[i] = random_signed(seed) - (i % d == 0 ? 0.5 : 0.0);
    }
    for (int c = 0; c < s->problem.contacts; c++) {
        s->mu[c] = 0.5 * mu_max * (1.0 + random_signed(seed));
    }
}

haw_status small_solve(const haw_problem *problem, const haw_solver_settings *settings, double *r,
                       double *u, haw_report *report)
{
    haw_context *context;
    haw_workspace *workspace;

    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    assert_int_equal(haw_workspace_create(context, &workspace), HAW_OK);
    const haw_status status = haw_solve(problem, settings, workspace, r, u, report);

    haw_workspace_free(workspace);
    haw_context_free(context);
    return status;
}
