/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/band_sample.h"

#include "support/random.h"

haw_band sample_band(sample *s, int copies)
{
    return (haw_band){.n = s->n, .width = s->width, .copies = copies, .value = s->band};
}

haw_sparse sample_sparse(sample *s)
{
    return (haw_sparse){.n = s->n, .start = s->start, .row = s->row, .value = s->value};
}

void sample_spread(sample *s)
{
    memset(s->dense, 0, sizeof s->dense);
    int k = 0;
    for (int j = 0; j < s->n; ++j) {
        s->start[j] = k;
        for (int d = 0; d <= s->width && j + d < s->n; ++d) {
            const double value = s->band[j * (s->width + 1) + d];
            s->dense[j * s->n + j + d] = s->dense[(j + d) * s->n + j] = value;
            s->row[k] = j + d;
            s->value[k++] = value;
        }
    }
    s->start[s->n] = k;
}

void sample_make(sample *s, int n, int width, uint64_t *seed)
{
    s->n = n;
    s->width = width;
    for (int j = 0; j < n; ++j) {
        for (int d = 0; d <= width; ++d) {
            const double off = j + d < n ? random_signed(seed) : (double)NAN;
            s->band[j * (width + 1) + d] = d == 0 ? 2 * width + 0.5 + random_signed(seed) / 4 : off;
        }
    }
    sample_spread(s);
}

void sample_solve_dense(const sample *s, int copies, int columns, double *x)
{
    static double a[N_MAX * N_MAX];
    static double b[N_MAX * COLUMNS_MAX];
    lapack_int pivot[N_MAX];
    for (int k = 0; k < copies; ++k) {
        memcpy(a, s->dense, sizeof a);
        for (int i = 0; i < s->n; ++i) {
            memcpy(b + i * columns, x + (i * copies + k) * columns,
                   (size_t)columns * sizeof(double));
        }
        assert_int_equal(LAPACKE_dgesv(LAPACK_ROW_MAJOR, s->n, columns, a, s->n, pivot, b, columns),
                         0);
        for (int i = 0; i < s->n; ++i) {
            memcpy(x + (i * copies + k) * columns, b + i * columns,
                   (size_t)columns * sizeof(double));
        }
    }
}
