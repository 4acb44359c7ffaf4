/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/stage_tangent.h"

/* Evaluate with degree of freedom j of q or u changed. */
static void stage_change(compliant_stage *s, bool of_q, size_t j, double change)
{
    double *const q = s->q, keep = s->u[j];
    double *d = calloc((size_t)s->dofs + (size_t)s->model->coordinates, sizeof *d);
    assert_non_null(d);
    d[j] = change;
    if (of_q) {
        s->q = d + s->dofs;
        haw_model_move(s->model, q, 1, d, s->q);
    } else {
        s->u[j] += change;
    }
    stage_evaluate(s);
    s->q = q;
    s->u[j] = keep;
    free(d);
}

/* matrix [dofs][dofs] -= factor d(total)/dq or d(total)/du, by central differences. */
static void stage_differences(compliant_stage *s, bool of_q, double small, double factor,
                              double *matrix)
{
    const size_t n = (size_t)s->dofs;
    double *plus = calloc(n, sizeof *plus);
    assert_non_null(plus);
    for (size_t j = 0; j < n; j++) {
        if (s->system->equation[j] < 0) {
            continue;
        }
        stage_change(s, of_q, j, small);
        memcpy(plus, s->total, n * sizeof *plus);
        stage_change(s, of_q, j, -small);
        for (size_t i = 0; i < n; i++) {
            matrix[n * i + j] -= factor * (plus[i] - s->total[i]) / (2 * small);
        }
    }
    free(plus);
}

/* Column of the assembled matrix, by equations. */
static void stage_column(const compliant_stage *s, int equation, double *unit, double *column)
{
    memset(unit, 0, (size_t)s->dofs * sizeof *unit);
    memset(column, 0, (size_t)s->dofs * sizeof *column);
    unit[equation] = 1;
    haw_matrix_multiply(s->system->matrix, 1, unit, column);
}

void stage_compare(compliant_stage *s, double rate, double small, double tolerance,
                   const char *where)
{
    const size_t n = (size_t)s->dofs;
    double *want = calloc(n * n + 2 * n, sizeof *want), *unit = want + n * n, *column = unit + n;
    assert_non_null(want);
    stage_evaluate(s);
    if (haw_compliant_closed(s->compliant) == 0) {
        fail_msg("%s: nothing is closed", where);
    }
    haw_system_clear(s->system);
    haw_compliant_tangent(s->compliant, rate, s->system);
    stage_differences(s, true, small, 1, want);
    stage_differences(s, false, small, rate, want);
    stage_evaluate(s);
    double scale = 0;
    for (size_t k = 0; k < n * n; k++) {
        scale = fmax(scale, fabs(want[k]));
    }
    for (size_t j = 0; j < n; j++) {
        if (s->system->equation[j] < 0) {
            continue;
        }
        stage_column(s, s->system->equation[j], unit, column);
        for (size_t i = 0; i < n; i++) {
            const int row = s->system->equation[i];
            if (row >= 0 && !(fabs(column[row] - want[n * i + j]) <= tolerance * scale)) {
                fail_msg("%s: entry (%zu, %zu) is %g, differences give %g", where, i, j,
                         column[row], want[n * i + j]);
            }
        }
    }
    free(want);
}
