/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Solve in a window of rows of a banded system, all outside eliminated. With A = L D L^T, the
 * window's last kd rows E and Z = A^-1:
 *
 *     L_w y = b_w,   x_E = Z_EE L_EE y_E,   then backwards from E to the window's first row.
 *
 * The rows above the window do not matter to L y = b, and those below it act through the Schur
 * complement S_E of all other rows only, whose inverse is Z_EE. The band of Z follows upwards from
 * the last row (Takahashi, Fagan, Chin 1973; Erisman, Tinney: Commun. ACM 18 (1975) 177):
 *
 *     Z_ij = delta_ij / D_i - sum_{k > i} L_ki Z_kj,   j >= i
 */
#include "linalg/factor_internal.h"

/*
 * Row and column i of Z from the m rows behind it: with v_j = sum_{k > i} Z_jk L_ki,
 * Z_ij = -v_j and Z_ii = 1 / D_i + sum_j L_ji v_j. Each entry of the band serves both triangles.
 */
static void select_row(const haw_band_factor *factor, ptrdiff_t i, ptrdiff_t m)
{
    const ptrdiff_t kd = factor->width;
    double *v = factor->corner;
    const double *l = factor->lower + i * kd;
    double *column = factor->selected + i * (kd + 1);
    for (ptrdiff_t j = 0; j < m; ++j) {
        v[j] = 0;
    }
    for (ptrdiff_t j = 0; j < m; ++j) {
        const double *z = column + (j + 1) * (kd + 1);
        double sum = z[0] * l[j];
        for (ptrdiff_t d = 1; d < m - j; ++d) {
            sum += z[d] * l[j + d];
            v[j + d] += z[d] * l[j];
        }
        v[j] += sum;
    }
    double diagonal = factor->inverse[i];
    for (ptrdiff_t j = 0; j < m; ++j) {
        column[j + 1] = -v[j];
        diagonal += l[j] * v[j];
    }
    column[0] = diagonal;
}

void haw_band_factor_select(haw_band_factor *factor, ptrdiff_t first)
{
    const ptrdiff_t kd = factor->width;
    for (ptrdiff_t i = (ptrdiff_t)factor->known - 1; i >= first; --i) {
        select_row(factor, i, i + kd < factor->n ? kd : factor->n - 1 - i);
        factor->known = (int)i;
    }
}

/* x_E = Z_EE L_EE y_E for one right-hand side; E begins at row `first` of the matrix. */
static void solve_corner(const haw_band_factor *factor, ptrdiff_t first, ptrdiff_t stride,
                         double *x)
{
    const ptrdiff_t kd = factor->width;
    double *v = factor->corner;
    for (ptrdiff_t i = 0; i < kd; ++i) {
        v[i] = x[i * stride];
        for (ptrdiff_t j = 0; j < i; ++j) {
            v[i] += factor->lower[(first + j) * kd + i - j - 1] * x[j * stride];
        }
    }
    for (ptrdiff_t i = 0; i < kd; ++i) {
        x[i * stride] = 0;
    }
    for (ptrdiff_t j = 0; j < kd; ++j) {
        const double *z = factor->selected + (first + j) * (kd + 1);
        double sum = z[0] * v[j];
        for (ptrdiff_t d = 1; d < kd - j; ++d) {
            sum += z[d] * v[j + d];
            x[(j + d) * stride] += z[d] * v[j];
        }
        x[j * stride] += sum;
    }
}

void haw_band_factor_window(haw_band_factor *factor, int columns, int first, int count, double *x)
{
    const int kd = factor->width;
    const int stride = factor->copies * columns;
    const int edge = count - kd; /* E within the window */
    haw_band_factor window = *factor;
    window.n = count;
    window.lower += (ptrdiff_t)first * kd;
    window.inverse += first;
    haw_band_factor_forward(&window, stride, 0, x);
    haw_band_factor_select(factor, first + edge);
    for (int k = 0; k < stride; ++k) {
        solve_corner(factor, first + edge, stride, x + (ptrdiff_t)edge * stride + k);
    }
    haw_band_factor_backward(&window, stride, edge, x);
}
