/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/global_problem.h"

#include "support/random.h"

void global_dense(haw_csr *a)
{
    for (int i = 0; i < a->rows; i++) {
        a->start[i + 1] = (i + 1) * a->columns;
        for (int j = 0; j < a->columns; j++) {
            a->column[i * a->columns + j] = j;
        }
    }
}

void global_fill(double *x, int count, uint64_t *seed)
{
    for (int i = 0; i < count; i++) {
        x[i] = random_signed(seed);
    }
}

/* y -= A x for a matrix with all entries */
static void global_subtract(const haw_csr *a, const double *x, double *y)
{
    for (int i = 0; i < a->rows; i++) {
        for (int j = 0; j < a->columns; j++) {
            y[i] -= a->value[i * a->columns + j] * x[j];
        }
    }
}

haw_problem *global_random(int dimension, int contacts, int velocities, int bilateral,
                           double mu_max, uint64_t *seed)
{
    const int rows = dimension * contacts, nv = velocities;
    const haw_problem_size size = {.dimension = dimension,
                                   .contacts = contacts,
                                   .velocities = nv,
                                   .bilateral = bilateral,
                                   .m_count = nv * nv,
                                   .h_count = rows * nv,
                                   .g_count = bilateral * nv};
    double a[64][64], free[64];
    haw_problem *problem;

    assert_true(nv <= 64);
    assert_int_equal(haw_problem_create(NULL, &size, &problem), HAW_OK);
    haw_global *g = problem->global;

    global_dense(&g->m);
    global_dense(&g->ht);
    global_dense(&g->gt);
    for (int i = 0; i < nv; i++) {
        global_fill(a[i], nv, seed);
    }
    for (int i = 0; i < nv; i++) {
        for (int j = 0; j < nv; j++) {
            double sum = i == j ? 1.0 : 0.0;

            for (int k = 0; k < nv; k++) {
                sum += a[k][i] * a[k][j] / nv;
            }
            g->m.value[i * nv + j] = sum;
        }
    }
    global_fill(g->ht.value, rows * nv, seed);
    global_fill(g->gt.value, bilateral * nv, seed);
    global_fill(g->f, nv, seed);
    global_fill(free, nv, seed);
    global_subtract(&g->ht, free, g->w);
    global_subtract(&g->gt, free, g->b);
    for (int c = 0; c < contacts; c++) {
        g->w[dimension * c] += 0.1;
        problem->mu[c] = 0.5 * mu_max * (1.0 + random_signed(seed));
    }
    return problem;
}
