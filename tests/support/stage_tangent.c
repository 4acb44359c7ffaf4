/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/stage_tangent.h"

/* matrix [dofs][dofs] -= factor d(total)/d(vector), by central differences. */
static void stage_differences(compliant_stage *s, double *vector, double small, double factor,
                              double *matrix)
{
    const size_t n = (size_t)s->dofs;
    double *plus = calloc(n, sizeof *plus);
    assert_non_null(plus);
    for (size_t j = 0; j < n; j++) {
        const double keep = vector[j];
        if (s->system->equation[j] < 0) {
            continue;
        }
        vector[j] = keep + small;
        stage_evaluate(s);
        memcpy(plus, s->total, n * sizeof *plus);
        vector[j] = keep - small;
        stage_evaluate(s);
        vector[j] = keep;
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
    stage_differences(s, s->q, small, 1, want);
    stage_differences(s, s->u, small, rate, want);
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
