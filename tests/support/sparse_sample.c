/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/sparse_sample.h"

#include "support/random.h"

dense dense_make(int rows, int columns)
{
    dense made = {rows, columns, calloc((size_t)rows * (size_t)columns + 1, sizeof(double))};
    assert_non_null(made.a);
    return made;
}

double *dense_at(const dense *m, int i, int j)
{
    return m->a + (ptrdiff_t)i * m->columns + j;
}

haw_csr dense_to_csr(haw_arena *arena, const dense *m)
{
    haw_csr csr;
    int count = 0;
    for (ptrdiff_t k = 0; k < (ptrdiff_t)m->rows * m->columns; ++k) {
        count += m->a[k] != 0;
    }
    assert_int_equal(haw_csr_create(arena, m->rows, m->columns, count, true, &csr), HAW_OK);
    count = 0;
    for (int i = 0; i < m->rows; ++i) {
        for (int j = 0; j < m->columns; ++j) {
            if (*dense_at(m, i, j) != 0) {
                csr.column[count] = j;
                csr.value[count++] = *dense_at(m, i, j);
            }
        }
        csr.start[i + 1] = count;
    }
    return csr;
}

dense dense_from_csr(const haw_csr *csr)
{
    dense m = dense_make(csr->rows, csr->columns);
    for (int i = 0; i < csr->rows; ++i) {
        for (int k = csr->start[i]; k < csr->start[i + 1]; ++k) {
            *dense_at(&m, i, csr->column[k]) = csr->value[k];
        }
    }
    return m;
}

void dense_solve(const dense *matrix, const dense *right)
{
    const int n = matrix->rows;
    dense copy = dense_make(n, n);
    lapack_int *pivot = calloc((size_t)n, sizeof *pivot);
    memcpy(copy.a, matrix->a, (size_t)n * (size_t)n * sizeof(double));
    assert_int_equal(LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, right->columns, copy.a, n, pivot, right->a,
                                   right->columns),
                     0);
    free(copy.a);
    free(pivot);
}

void shuffle(int n, int *order, uint64_t *seed)
{
    for (int i = 0; i < n; ++i) {
        order[i] = i;
    }
    for (int i = n - 1; i > 0; --i) {
        const int j = (int)((random_signed(seed) + 1) / 2 * (i + 1));
        const int kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

dense chain_make(int n, int width, double density, uint64_t *seed)
{
    dense m = dense_make(n, n);
    int *order = calloc((size_t)n, sizeof *order);
    shuffle(n, order, seed);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            if (abs(i - j) <= width || (random_signed(seed) + 1) / 2 < density) {
                *dense_at(&m, order[i], order[j]) = random_signed(seed);
            }
        }
    }
    free(order);
    return m;
}
