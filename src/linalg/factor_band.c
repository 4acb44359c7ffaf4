/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Banded Cholesky by LAPACK, kept as A = L D L^T with a unit band L (Golub, Van Loan: Matrix
 * Computations, 4th ed., 4.3.5): substitution then has one product and one difference per row on
 * its critical path, and no division.
 */
#include "linalg/factor.h"
#include "linalg/inline.h"

#include <lapacke.h>
#include <limits.h>
#include <math.h>
#include <string.h>

struct haw_factor {
    haw_context *context;
    haw_arena arena;
    bool is_ready; /* the last numeric factorization succeeded */
    int n, width, copies;
    double *work;    /* [n (kd + 1)] for LAPACK, column-major lower band */
    double *lower;   /* [n kd] L_ij at lower[j kd + i - j - 1], with kd^2 zeros in front */
    double *inverse; /* [n] 1 / D_j */

    /* Band of the inverse, computed upwards from the last row as far as a window needs it. */
    double *selected; /* [n (kd + 1)] (A^-1)_ij, i >= j, at selected[j (kd + 1) + i - j] */
    int known;        /* rows and columns from here on are valid */
    double *corner;   /* [kd] */
};

haw_status haw_factor_create_band(haw_context *context, int n, int width, int copies,
                                  haw_factor **factor)
{
    *factor = NULL;
    if (n < 1 || width < 0 || width > SHRT_MAX || copies < 1) {
        return haw_fail(context, HAW_ERR_ARG, "band matrix of %d rows, width %d, %d copies", n,
                        width, copies);
    }
    haw_factor *made = haw_allocate(context, 1, sizeof *made);
    if (made == NULL) {
        return HAW_ERR_NOMEM;
    }
    haw_arena *arena = &made->arena;
    const size_t rows = (size_t)n, kd = (size_t)width;
    haw_arena_init(arena, context);
    made->context = context;
    made->n = n;
    made->width = width;
    made->copies = copies;
    made->work = haw_arena_allocate(arena, rows, (kd + 1) * sizeof(double));
    made->selected = haw_arena_allocate(arena, rows, (kd + 1) * sizeof(double));
    made->corner = haw_arena_allocate(arena, kd, sizeof(double));
    double *lower = haw_arena_allocate(arena, rows + kd, (kd + 1) * sizeof(double));
    made->inverse = haw_arena_allocate(arena, rows, sizeof(double));
    if (haw_arena_status(arena) != HAW_OK) {
        haw_factor_free(made);
        return HAW_ERR_NOMEM;
    }
    made->lower = lower + kd * kd;
    *factor = made;
    return HAW_OK;
}

void haw_factor_free(haw_factor *factor)
{
    if (factor != NULL) {
        haw_arena_fini(&factor->arena);
        haw_release(factor->context, factor);
    }
}

static haw_status refuse(const haw_factor *factor, int row)
{
    return haw_fail(factor->context, HAW_ERR_SINGULAR,
                    "matrix is not positive definite at row %d of %d", row, factor->n);
}

haw_status haw_factor_band(haw_factor *factor, const haw_band *matrix)
{
    const int n = factor->n;
    const int kd = factor->width;
    const size_t lda = (size_t)kd + 1;
    factor->is_ready = false;
    factor->known = n; /* nothing of the inverse */
    if (matrix->n != n || matrix->width != kd || matrix->copies != factor->copies) {
        return haw_fail(factor->context, HAW_ERR_ARG,
                        "band matrix does not have the shape of its factorization");
    }
    memcpy(factor->work, matrix->value, (size_t)n * lda * sizeof(double));
    const lapack_int info =
        LAPACKE_dpbtrf_work(LAPACK_COL_MAJOR, 'L', n, kd, factor->work, (lapack_int)lda);
    if (info != 0) {
        return refuse(factor, (int)info - 1);
    }
    for (int j = 0; j < n; ++j) {
        const double *column = factor->work + (size_t)j * lda;
        double *lower = factor->lower + (size_t)j * (size_t)kd;
        /* LAPACK compares with zero, which a NaN passes. */
        if (!isfinite(column[0])) {
            return refuse(factor, j);
        }
        const double reciprocal = 1 / column[0];
        factor->inverse[j] = reciprocal * reciprocal;
        for (int d = 1; d <= kd; ++d) {
            lower[d - 1] = j + d < n ? column[d] * reciprocal : 0;
        }
    }
    factor->is_ready = true;
    return HAW_OK;
}

/*
 * Why not dpbtrs: it calls the BLAS for every right-hand side and divides in every row. Measured
 * with the reference BLAS (benchmarks/kernels.c), one right-hand side and two interleaved ones:
 * n = 42, kd = 3: 0.48 and 0.92 us against 0.10 and 0.12 us here, 4.6 and 7.7 times less;
 * n = 84, kd = 7: 0.95 and 1.88 us against 0.22 and 0.29 us, 4.3 and 6.5 times less.
 */

enum { REGISTER_WIDTH = 7, CHUNK = 4 };

/* Half bandwidth and number of right-hand sides of one pass, constants after inlining. */
typedef struct shape {
    int kd, w;
} shape;

/*
 * One row of a substitution, x_i = scale x_i - sum_d l_d x_(i-+d), where l_d is l[d step] and
 * `last` holds the kd rows before: with a constant shape all loops unroll and `last` lives in
 * registers. Neighbours outside the matrix are zeros in `last`, met by the zeros in front of and
 * behind L. The nearest neighbour comes last, so only it is on the critical path.
 */
static HAW_INLINE void eliminate(shape s, const double *l, ptrdiff_t step,
                                 double last[REGISTER_WIDTH + 1][CHUNK], double scale, double *x)
{
    double value[CHUNK];
    for (int k = 0; k < s.w; ++k) {
        value[k] = x[k] * scale;
    }
    for (int d = s.kd; d > 0; --d) {
        for (int k = 0; k < s.w; ++k) {
            value[k] -= l[d * step] * last[d - 1][k];
        }
    }
    for (int d = s.kd; d > 0; --d) {
        for (int k = 0; k < s.w; ++k) {
            last[d][k] = last[d - 1][k];
        }
    }
    for (int k = 0; k < s.w; ++k) {
        last[0][k] = value[k];
        x[k] = value[k];
    }
}

/* L y = b in rows first ... n - 1 for s.w of the `stride` interleaved right-hand sides. */
static HAW_INLINE void forward_narrow(const haw_factor *factor, shape s, ptrdiff_t stride,
                                      ptrdiff_t first, double *x)
{
    double last[REGISTER_WIDTH + 1][CHUNK] = {{0}};
    for (ptrdiff_t i = first; i < factor->n; ++i) {
        const double *row = factor->lower + i * s.kd - 1;
        eliminate(s, row, 1 - s.kd, last, 1, x + i * stride);
    }
}

/* L^T x = D^-1 y in rows top - 1 ... 0; the rows from `top` on are solved already. */
static HAW_INLINE void backward_narrow(const haw_factor *factor, shape s, ptrdiff_t stride,
                                       ptrdiff_t top, double *x)
{
    double last[REGISTER_WIDTH + 1][CHUNK] = {{0}};
    for (ptrdiff_t d = 0; d < s.kd && top + d < factor->n; ++d) {
        for (int k = 0; k < s.w; ++k) {
            last[d][k] = x[(top + d) * stride + k];
        }
    }
    for (ptrdiff_t j = top - 1; j >= 0; --j) {
        const double *column = factor->lower + j * s.kd - 1;
        eliminate(s, column, 1, last, factor->inverse[j], x + j * stride);
    }
}

/* The same through memory, for any bandwidth. */
static HAW_INLINE void forward_wide(const haw_factor *factor, int w, ptrdiff_t stride,
                                    ptrdiff_t first, double *x)
{
    const ptrdiff_t kd = factor->width;
    for (ptrdiff_t i = first; i < factor->n; ++i) {
        const double *row = factor->lower + i * kd - 1;
        double *xi = x + i * stride;
        for (ptrdiff_t d = i - first < kd ? i - first : kd; d > 0; --d) {
            for (int k = 0; k < w; ++k) {
                xi[k] -= row[d - d * kd] * xi[k - d * stride];
            }
        }
    }
}

static HAW_INLINE void backward_wide(const haw_factor *factor, int w, ptrdiff_t stride,
                                     ptrdiff_t top, double *x)
{
    const ptrdiff_t kd = factor->width;
    const ptrdiff_t n = factor->n;
    for (ptrdiff_t j = top - 1; j >= 0; --j) {
        const double *column = factor->lower + j * kd - 1;
        double *xj = x + j * stride;
        for (int k = 0; k < w; ++k) {
            xj[k] *= factor->inverse[j];
        }
        for (ptrdiff_t d = n - 1 - j < kd ? n - 1 - j : kd; d > 0; --d) {
            for (int k = 0; k < w; ++k) {
                xj[k] -= column[d] * xj[k + d * stride];
            }
        }
    }
}

/* One pass over the rows, `row` the first one forward, the one behind the last backward. */
typedef enum direction { FORWARD, BACKWARD } direction;

static HAW_INLINE void pass_narrow(const haw_factor *factor, direction way, shape s,
                                   ptrdiff_t stride, ptrdiff_t row, double *x)
{
    if (way == FORWARD) {
        forward_narrow(factor, s, stride, row, x);
    } else {
        backward_narrow(factor, s, stride, row, x);
    }
}

static HAW_INLINE void pass_wide(const haw_factor *factor, direction way, int w, ptrdiff_t stride,
                                 ptrdiff_t row, double *x)
{
    if (way == FORWARD) {
        forward_wide(factor, w, stride, row, x);
    } else {
        backward_wide(factor, w, stride, row, x);
    }
}

/* A pass for up to `left` right-hand sides. @return how many */
static int pass_chunk(const haw_factor *factor, direction way, int left, ptrdiff_t stride,
                      ptrdiff_t row, double *x)
{
    const int kd = factor->width;
    if (kd == 3 && left >= 4) {
        pass_narrow(factor, way, (shape){3, 4}, stride, row, x);
        return 4;
    }
    if (kd == 3 && left == 3) {
        pass_narrow(factor, way, (shape){3, 3}, stride, row, x);
        return 3;
    }
    if (kd == 3 && left >= 2) {
        pass_narrow(factor, way, (shape){3, 2}, stride, row, x);
        return 2;
    }
    if (kd == 3) {
        pass_narrow(factor, way, (shape){3, 1}, stride, row, x);
        return 1;
    }
    if (kd == 7 && left >= 2) { /* four would need more registers than there are */
        pass_narrow(factor, way, (shape){7, 2}, stride, row, x);
        return 2;
    }
    if (kd == 7) {
        pass_narrow(factor, way, (shape){7, 1}, stride, row, x);
        return 1;
    }
    if (left >= 4) {
        pass_wide(factor, way, 4, stride, row, x);
        return 4;
    }
    pass_wide(factor, way, 1, stride, row, x);
    return 1;
}

/* L y = b in place, in rows first ... n - 1 of `stride` interleaved right-hand sides. */
static void forward(const haw_factor *factor, int stride, int first, double *x)
{
    for (int done = 0; done < stride;) {
        done += pass_chunk(factor, FORWARD, stride - done, stride, first, x + done);
    }
}

/* L^T x = D^-1 y in place, in rows top - 1 ... 0; the rows from `top` on are solved already. */
static void backward(const haw_factor *factor, int stride, int top, double *x)
{
    for (int done = 0; done < stride;) {
        done += pass_chunk(factor, BACKWARD, stride - done, stride, top, x + done);
    }
}

/* A solve has no status: what cannot be solved becomes NaN, never a plausible number. */
static void poison(int values, double *x)
{
    for (int i = 0; i < values; ++i) {
        x[i] = (double)NAN;
    }
}

void haw_factor_solve(const haw_factor *factor, int columns, int first, double *x)
{
    const int stride = factor->copies * columns;
    if (!factor->is_ready) {
        poison(factor->n * stride, x);
        return;
    }
    if (factor->width > 0) {
        forward(factor, stride, first, x);
        backward(factor, stride, factor->n, x);
        return;
    }
    for (ptrdiff_t i = first; i < factor->n; ++i) { /* lumped masses */
        for (ptrdiff_t k = 0; k < stride; ++k) {
            x[i * stride + k] *= factor->inverse[i];
        }
    }
}

double haw_factor_margin(const haw_factor *factor, const double *diagonal)
{
    double margin = (double)INFINITY;
    for (int j = 0; j < factor->n; ++j) {
        margin = fmin(margin, 1 / (factor->inverse[j] * diagonal[j]));
    }
    return margin;
}

/* ---- the inverse, and solves in a window of rows ---- */

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

/*
 * Row and column i of Z from the m rows behind it: with v_j = sum_{k > i} Z_jk L_ki,
 * Z_ij = -v_j and Z_ii = 1 / D_i + sum_j L_ji v_j. Each entry of the band serves both triangles.
 */
static void select_row(const haw_factor *factor, ptrdiff_t i, ptrdiff_t m)
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

/* Extend the known part of the inverse up to row `first`. */
static void select_rows(haw_factor *factor, ptrdiff_t first)
{
    const ptrdiff_t kd = factor->width;
    for (ptrdiff_t i = (ptrdiff_t)factor->known - 1; i >= first; --i) {
        select_row(factor, i, i + kd < factor->n ? kd : factor->n - 1 - i);
        factor->known = (int)i;
    }
}

/* x_E = Z_EE L_EE y_E for one right-hand side; E begins at row `first` of the matrix. */
static void solve_corner(const haw_factor *factor, ptrdiff_t first, ptrdiff_t stride, double *x)
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

const double *haw_factor_inverse_band(haw_factor *factor)
{
    if (!factor->is_ready) {
        return NULL;
    }
    select_rows(factor, 0);
    return factor->selected;
}

/* Z_EE^-1 into `work` [kd kd], its lower triangle by columns. @return false: there is none */
static bool invert_corner(haw_factor *factor, ptrdiff_t edge)
{
    const ptrdiff_t kd = factor->width;
    double *corner = factor->work;
    for (ptrdiff_t j = 0; j < kd; ++j) {
        memcpy(corner + (kd + 1) * j, factor->selected + (edge + j) * (kd + 1),
               (size_t)(kd - j) * sizeof *corner);
    }
    const lapack_int n = (lapack_int)kd;
    return kd == 0 || (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, corner, n) == 0 &&
                       LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', n, corner, n) == 0);
}

/* L D L^T of the columns from the window's first row to E, so that the rows above are eliminated,
 * and Z_EE^-1 for all columns from there on. */
void haw_factor_window(haw_factor *factor, int first, int count, double *value)
{
    const ptrdiff_t kd = factor->width, end = first + count, edge = end - kd;
    const bool is_window =
        factor->is_ready && first >= 0 && count >= kd && count >= 1 && first <= factor->n - count;
    if (is_window) {
        select_rows(factor, edge);
    }
    if (!is_window || !invert_corner(factor, edge)) {
        poison((int)(count * (kd + 1)), value);
        return;
    }
    memset(value, 0, (size_t)count * (size_t)(kd + 1) * sizeof *value);
    for (ptrdiff_t j = first; j < end; ++j, value += kd + 1) {
        for (ptrdiff_t i = j; i <= j + kd && i < end; ++i) {
            const ptrdiff_t last = j < edge ? j : edge - 1;
            double sum = j < edge ? 0 : factor->work[(j - edge) * kd + i - edge];
            for (ptrdiff_t k = i - kd > first ? i - kd : first; k <= last; ++k) {
                const double *column = factor->lower + k * kd - k - 1;
                sum += (i > k ? column[i] : 1) * (j > k ? column[j] : 1) / factor->inverse[k];
            }
            value[i - j] = sum;
        }
    }
}

void haw_factor_solve_window(haw_factor *factor, int columns, int first, int count, double *x)
{
    const int kd = factor->width;
    const int stride = factor->copies * columns;
    const int edge = count - kd; /* E within the window */
    if (!factor->is_ready || first < 0 || count < kd || count < 1 || first > factor->n - count) {
        poison(count * stride, x);
        return;
    }
    haw_factor window = *factor;
    window.n = count;
    window.lower += (ptrdiff_t)first * kd;
    window.inverse += first;
    forward(&window, stride, 0, x);
    select_rows(factor, first + edge);
    for (int k = 0; k < stride; ++k) {
        solve_corner(factor, first + edge, stride, x + (ptrdiff_t)edge * stride + k);
    }
    backward(&window, stride, edge, x);
}
