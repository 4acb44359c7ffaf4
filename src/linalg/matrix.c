/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * B is kept by rows: in the order of its band each from its first to its last entry, so that a
 * place is one addition and the LU of banded matrices takes the values as they are; or as the
 * pattern has it, for a sparse LU of all rows without a border. The unknowns of the border go
 * first,
 *
 *     X = B^-1 C,   S = E - D X,   y = S^-1 (b_2 - D B^-1 b_1),   x = B^-1 b_1 - X y.
 *
 * The LU of the band is that of lu_band.c: for a ring of 240 blocks of 4 x 4 (half-band 11) it
 * takes 0.15 ms as dgbtrf does, and a solve 16 us against the 37 us of dgbtrs.
 */
#include "linalg/matrix.h"

#include "linalg/lu_kinds.h"
#include "linalg/vector.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
    SHAPES = 2,
    FEW = 1024,  /* a shape serves entries of which one in so many is zero there */
    VISITED = 4, /* one entry in so many of the factors is, by the product of a row */
    INVERSE = 4  /* times a factorization: one, and the entries of the inverse */
};

/* A pattern that a sparse matrix has had, and its LU. */
typedef struct shape {
    haw_csr live; /* entries that are not zero, the diagonal, and few that have not been zero */
    haw_arena arena;
    haw_csr_order order;
    haw_lu *lu; /* NULL: none */
} shape;

struct haw_matrix {
    haw_matrix_kind kind;
    haw_csr pattern;     /* of all rows */
    int n, m, width;     /* a sparse matrix has no border, m = 0, and no width */
    int *place;          /* [n] of a row and column of B in its order */
    haw_csr stored;      /* entries of B in its order; of a band without gaps in a row */
    int *group, groups;  /* [n] of a sparse matrix: nodes, whose rows have the same columns, */
    shape shape[SHAPES]; /* patterns with few zeros, */
    int last;            /* the one at hand, */
    shape wide;          /* and one for a while, for entries of the inverse */
    bool *is_live;       /* [entries] what a new one is to have */
    haw_lu *lu; /* of B, NULL for n = 0 and before the first factorization of a sparse one */
    haw_lu_products *products; /* of the factors of a sparse matrix, NULL: by solves */
    haw_lu *schur;             /* of S, NULL for m = 0 */
    double *value; /* B by rows; C by columns; D by rows; E by rows; one entry to spare */
    ptrdiff_t column, row, corner, count; /* where C, D and E start, and behind E */
    double *x;                            /* [m n] X by columns */
    double *right;                        /* [n + m] in the order of B */
};

/* ---- layout and choice ---- */

/* Pattern of the rows and columns before the border. */
static haw_status find_inner(haw_arena *arena, const haw_matrix *a, haw_csr *inner)
{
    const haw_csr *pattern = &a->pattern;
    HAW_TRY(haw_csr_create(arena, a->n, a->n, pattern->start[a->n], false, inner));
    int count = 0;
    for (int i = 0; i < a->n; ++i) {
        for (int k = pattern->start[i]; k < pattern->start[i + 1] && pattern->column[k] < a->n;
             ++k) {
            inner->column[count++] = pattern->column[k];
        }
        inner->start[i + 1] = count;
    }
    return HAW_OK;
}

/* The entries of a band: every ordered row from its first to its last column of the pattern, to
 * which the diagonal always belongs. */
static haw_status store_band(haw_arena *arena, const haw_csr *inner, haw_matrix *a)
{
    ptrdiff_t count = 0;
    int *first = haw_arena_allocate(arena, (size_t)a->n + 1, sizeof(int));
    int *last = haw_arena_allocate(arena, (size_t)a->n + 1, sizeof(int));
    HAW_TRY(haw_arena_status(arena));
    for (int i = 0; i < a->n; ++i) {
        const int row = a->place[i];
        first[row] = last[row] = row;
        for (int k = inner->start[i]; k < inner->start[i + 1]; ++k) {
            const int column = a->place[inner->column[k]];
            first[row] = column < first[row] ? column : first[row];
            last[row] = column > last[row] ? column : last[row];
        }
        count += last[row] - first[row] + 1;
    }
    HAW_TRY(haw_csr_create(arena, a->n, a->n, count, false, &a->stored));
    int next = 0;
    for (int i = 0; i < a->n; ++i) {
        for (int j = first[i]; j <= last[i]; ++j) {
            a->stored.column[next++] = j;
        }
        a->stored.start[i + 1] = next;
    }
    return HAW_OK;
}

/* Predicted seconds of the band, of a solve for each column of the border, and of the Schur
 * complement; a solve of 960 rows and half-band 11 takes 16 us. */
static double seconds_bordered(const haw_matrix *a)
{
    const double n = a->n, m = a->m, width = a->width;
    return haw_lu_seconds_band(n, width) + m * n * (1.5e-9 * width + 1e-9 * m) +
           haw_lu_seconds_dense(m);
}

/* A sparse LU of all rows, if it takes less than `seconds` with no entry zero. */
static haw_status try_sparse(haw_arena *arena, haw_matrix *a, double seconds)
{
    const int rows = a->pattern.rows;
    haw_lu *lu;
    HAW_TRY(haw_lu_create_sparse(&a->shape[0].arena, &a->pattern, NULL, seconds, &lu));
    haw_lu_release(lu);
    haw_arena_fini(&a->shape[0].arena);
    if (lu == NULL) {
        return HAW_OK;
    }
    a->kind = HAW_MATRIX_SPARSE;
    a->n = rows;
    a->m = 0;
    a->width = -1;
    a->stored = a->pattern;
    a->place = haw_arena_allocate(arena, (size_t)rows, sizeof(int));
    a->group = haw_arena_allocate(arena, (size_t)rows, sizeof(int));
    a->is_live = haw_arena_allocate(arena, (size_t)a->stored.start[rows], sizeof(bool));
    HAW_TRY(haw_arena_status(arena));
    for (int i = 0; i < rows; ++i) {
        a->place[i] = i;
    }
    a->groups = haw_csr_groups(&a->pattern, a->group);
    return HAW_OK;
}

/* @param kind  NULL: by count */
static haw_status lay_out(haw_arena *arena, const haw_matrix_kind *kind, haw_matrix *a)
{
    haw_csr inner;
    if (kind != NULL && *kind == HAW_MATRIX_SPARSE) {
        return try_sparse(arena, a, (double)INFINITY);
    }
    a->place = haw_arena_allocate(arena, (size_t)a->n + 1, sizeof(int));
    HAW_TRY(haw_arena_status(arena));
    HAW_TRY(find_inner(arena, a, &inner));
    if (a->n > 0) {
        HAW_TRY(haw_csr_place_groups(arena, &inner, a->place, &a->width));
    }
    if (kind == NULL) {
        HAW_TRY(try_sparse(arena, a, seconds_bordered(a)));
    }
    if (a->kind == HAW_MATRIX_BORDERED) {
        HAW_TRY(store_band(arena, &inner, a));
    }
    return a->kind == HAW_MATRIX_BORDERED && a->n > 0
               ? haw_lu_create_kind(arena, &a->stored, HAW_LU_BAND, &a->lu)
               : HAW_OK;
}

static haw_status create_values(haw_arena *arena, haw_matrix *a)
{
    const size_t n = (size_t)a->n, m = (size_t)a->m;
    a->column = a->stored.start[a->n];
    a->row = a->column + (ptrdiff_t)(m * n);
    a->corner = a->row + (ptrdiff_t)(m * n);
    a->count = a->corner + (ptrdiff_t)(m * m);
    a->value = haw_arena_allocate(arena, (size_t)a->count + 1, sizeof(double));
    a->stored.value = a->value;
    a->x = haw_arena_allocate(arena, m * n + 1, sizeof(double));
    a->right = haw_arena_allocate(arena, n + m + 1, sizeof(double));
    HAW_TRY(haw_arena_status(arena));
    return a->m > 0 ? haw_lu_create_full(arena, a->m, &a->schur) : HAW_OK;
}

haw_status haw_matrix_create(haw_arena *arena, const haw_csr *pattern, int border,
                             const haw_matrix_kind *kind, haw_matrix **matrix)
{
    *matrix = NULL;
    if (pattern->rows != pattern->columns || border < 0 || border > pattern->rows ||
        pattern->rows < 1) {
        return haw_fail(arena->context, HAW_ERR_ARG, "matrix of %d x %d with a border of %d",
                        pattern->rows, pattern->columns, border);
    }
    haw_matrix *made = haw_arena_allocate(arena, 1, sizeof *made);
    HAW_TRY(haw_arena_status(arena));
    made->pattern = *pattern;
    made->n = pattern->rows - border;
    made->m = border;
    for (int i = 0; i < SHAPES; ++i) {
        haw_arena_init(&made->shape[i].arena, arena->context);
    }
    haw_arena_init(&made->wide.arena, arena->context);
    haw_status status = lay_out(arena, kind, made);
    if (status == HAW_OK) {
        status = create_values(arena, made);
    }
    if (status != HAW_OK) {
        haw_matrix_release(made);
        return status;
    }
    *matrix = made;
    return HAW_OK;
}

void haw_matrix_release(haw_matrix *matrix)
{
    for (int i = 0; matrix != NULL && i < SHAPES; ++i) { /* a band holds nothing outside */
        haw_lu_release(matrix->shape[i].lu);
        haw_arena_fini(&matrix->shape[i].arena);
    }
    if (matrix != NULL) {
        haw_lu_release(matrix->wide.lu);
        haw_arena_fini(&matrix->wide.arena);
    }
}

haw_matrix_kind haw_matrix_kind_of(const haw_matrix *matrix)
{
    return matrix->kind;
}

int haw_matrix_width(const haw_matrix *matrix)
{
    return matrix->width;
}

/* ---- entries ---- */

double *haw_matrix_value(const haw_matrix *matrix)
{
    return matrix->value;
}

void haw_matrix_exchange(haw_matrix *matrix, double *value)
{
    matrix->value = matrix->stored.value = value;
}

static ptrdiff_t place_inner(const haw_matrix *matrix, int row, int column)
{
    if (matrix->kind == HAW_MATRIX_SPARSE) {
        return haw_csr_find(&matrix->stored, row, column);
    }
    const int i = matrix->place[row], start = matrix->stored.start[i];
    const int place = start + matrix->place[column] - matrix->stored.column[start];
    return place >= start && place < matrix->stored.start[i + 1] ? place : -1;
}

ptrdiff_t haw_matrix_place(const haw_matrix *matrix, int row, int column)
{
    const int n = matrix->n, m = matrix->m;
    if (row < n && column < n) {
        return place_inner(matrix, row, column);
    }
    if (row < n) {
        return matrix->column + (ptrdiff_t)(column - n) * n + matrix->place[row];
    }
    if (column < n) {
        return matrix->row + (ptrdiff_t)(row - n) * n + matrix->place[column];
    }
    return matrix->corner + (ptrdiff_t)(row - n) * m + column - n;
}

/* Columns that follow one another, as those of a node do, are not looked up one by one. */
void haw_matrix_places(const haw_matrix *matrix, int row, int count, const int *column,
                       ptrdiff_t *place)
{
    const bool is_sparse = matrix->kind == HAW_MATRIX_SPARSE;
    const int end = is_sparse ? matrix->stored.start[row + 1] : 0;
    for (int k = 0; k < count; ++k) {
        const ptrdiff_t next = k > 0 && place[k - 1] >= 0 ? place[k - 1] + 1 : end;
        place[k] = next < end && matrix->stored.column[next] == column[k]
                       ? next
                       : haw_matrix_place(matrix, row, column[k]);
    }
}

ptrdiff_t haw_matrix_spare(const haw_matrix *matrix)
{
    return matrix->count;
}

void haw_matrix_clear(haw_matrix *matrix)
{
    memset(matrix->value, 0, ((size_t)matrix->count + 1) * sizeof(double));
}

haw_status haw_matrix_csr(const haw_matrix *matrix, int border, haw_arena *arena, haw_csr *csr)
{
    const haw_csr *pattern = &matrix->pattern;
    const int n = pattern->rows, inner = n - border;
    int count = 0;
    HAW_TRY(haw_csr_create(arena, n, n, pattern->start[n], true, csr));
    for (int i = 0; i < n; ++i) {
        for (int k = pattern->start[i]; k < pattern->start[i + 1]; ++k) {
            const int j = pattern->column[k];
            const double entry = matrix->value[haw_matrix_place(matrix, i, j)];
            if (entry != 0 || i == j || (i < inner && j < inner)) {
                csr->column[count] = j;
                csr->value[count++] = entry;
            }
        }
        csr->start[i + 1] = count;
    }
    return HAW_OK;
}

/* ---- factors ---- */

/* Entries that are not zero, and the diagonal; all unless most are zero. @return how many */
static int mark_live(haw_matrix *a)
{
    const int all = a->stored.start[a->n];
    int count = 0, zeros = 0;
    for (int i = 0; i < a->n; ++i) {
        for (int k = a->stored.start[i]; k < a->stored.start[i + 1]; ++k) {
            const bool is_zero = a->value[k] == 0;
            zeros += is_zero;
            a->is_live[k] = !is_zero || a->stored.column[k] == i;
            count += a->is_live[k];
        }
    }
    if (2 * zeros > all) {
        return count;
    }
    memset(a->is_live, true, (size_t)all * sizeof *a->is_live);
    return all;
}

/* The live entries as values of a shape; its places without one are zero, `idle` of them.
 * @return how many it has no place for, as far as a row with more than `most` */
static int fill(const haw_matrix *a, const shape *to, int most, int *idle)
{
    const haw_csr *stored = &a->stored, *live = &to->live;
    int out = 0;
    *idle = to->lu != NULL ? 0 : INT_MAX;
    for (int i = 0; i < a->n && to->lu != NULL && out <= most; ++i) {
        int at = live->start[i];
        for (int k = stored->start[i]; k < stored->start[i + 1]; ++k) {
            const bool has = at < live->start[i + 1] && live->column[at] == stored->column[k];
            out += a->is_live[k] && !has;
            *idle += has && !a->is_live[k];
            if (has) {
                live->value[at++] = a->is_live[k] ? a->value[k] : 0;
            }
        }
    }
    return out;
}

/* The places of a shape, too, are to be kept. @return how many there are then */
static int widen(haw_matrix *a, const shape *by)
{
    const haw_csr *stored = &a->stored;
    int count = 0;
    for (int i = 0; i < a->n; ++i) {
        int at = by->live.start[i];
        for (int k = stored->start[i]; k < stored->start[i + 1]; ++k) {
            const bool has = at < by->live.start[i + 1] && by->live.column[at] == stored->column[k];
            at += has;
            a->is_live[k] = a->is_live[k] || has;
            count += a->is_live[k];
        }
    }
    return count;
}

static void drop(shape *old)
{
    haw_lu_release(old->lu);
    old->lu = NULL;
    haw_arena_reset(&old->arena);
}

/* Order and analyse the entries of a shape: nodes stay together, and multipliers with them. */
static haw_status analyse(const haw_matrix *a, shape *to)
{
    int groups = a->groups, *group = haw_arena_allocate(&to->arena, (size_t)a->n, sizeof(int));
    HAW_TRY(haw_arena_status(&to->arena));
    memcpy(group, a->group, (size_t)a->n * sizeof *group);
    HAW_TRY(haw_csr_join_groups(&to->arena, &to->live, group, &groups));
    HAW_TRY(haw_csr_order_groups(&to->arena, &to->live, group, groups, &to->order));
    return haw_lu_create_sparse(&to->arena, &to->live, groups < a->n ? &to->order : NULL,
                                (double)INFINITY, &to->lu);
}

/* A shape for the `count` live entries, which is analysed. */
static haw_status reshape(const haw_matrix *a, int count, shape *to)
{
    const haw_csr *stored = &a->stored;
    drop(to);
    HAW_TRY(haw_csr_create(&to->arena, a->n, a->n, count, true, &to->live));
    count = 0;
    for (int i = 0; i < a->n; ++i) {
        for (int k = stored->start[i]; k < stored->start[i + 1]; ++k) {
            if (a->is_live[k]) {
                to->live.column[count] = stored->column[k];
                to->live.value[count++] = a->value[k];
            }
        }
        to->live.start[i + 1] = count;
    }
    return analyse(a, to);
}

/*
 * The pattern has room for whatever may touch, the most of which does not: of a pile of 100 cables
 * seven entries in eight are zero. Without them it is analysed anew when others are zero: 24 600
 * equations take 3 ms to analyse and 3 to factorize, where zeros that fill in take 300. Few zeros
 * stay, and the analysis: entries that rounding makes zero or not, from step to step, get a place
 * for good.
 */
static haw_status find_shape(haw_matrix *a)
{
    int count = mark_live(a), best = -1, wide = -1, fewest = count / FEW + 1;
    const int most = count / FEW;
    for (int k = 0; k < SHAPES && fewest > 0; ++k) {
        const int i = (a->last + k) % SHAPES;
        int idle;
        const int out = fill(a, &a->shape[i], most, &idle);
        wide = wide < 0 && out <= most && idle <= most ? i : wide;
        if (out == 0 && idle < fewest) {
            fewest = idle;
            best = i;
        }
    }
    if (best >= 0) {
        a->last = best;
        return HAW_OK;
    }
    a->last = wide >= 0 ? wide : (a->last + 1) % SHAPES; /* the one at hand stays */
    count = wide >= 0 ? widen(a, &a->shape[wide]) : count;
    return reshape(a, count, &a->shape[a->last]);
}

/* The LU of the entries at hand, and these. */
static haw_status choose_inner(haw_matrix *a, const double **value)
{
    *value = a->value;
    if (a->kind == HAW_MATRIX_SPARSE) {
        a->lu = NULL;
        HAW_TRY(find_shape(a));
        a->lu = a->shape[a->last].lu;
        *value = a->shape[a->last].live.value;
    }
    return HAW_OK;
}

static haw_status factor_inner(haw_matrix *a)
{
    const double *value;
    HAW_TRY(choose_inner(a, &value));
    return haw_lu_factor(a->lu, value);
}

double haw_matrix_entries(const haw_matrix *matrix)
{
    return matrix->lu != NULL ? haw_lu_solve_flops(matrix->lu) / 2 : 0;
}

bool haw_matrix_is_kept(const haw_matrix *matrix)
{
    return matrix != NULL && matrix->lu != NULL && haw_lu_is_kept(matrix->lu);
}

void haw_matrix_forget(haw_matrix *matrix)
{
    const bool is_sparse = matrix != NULL && matrix->kind == HAW_MATRIX_SPARSE;
    for (int i = 0; is_sparse && i < SHAPES; ++i) {
        drop(&matrix->shape[i]); /* shapes depend on those before, too */
        matrix->lu = NULL;
        matrix->last = 0;
    }
}

/* Nothing was factorized where there is no LU yet. */
static void solve_inner(const haw_matrix *a, double *x)
{
    if (a->lu != NULL) {
        haw_lu_solve(a->lu, x);
        return;
    }
    for (int i = 0; i < a->n; ++i) {
        x[i] = (double)NAN;
    }
}

/* What was made of other factors, and whether the run goes on. */
static haw_status begin_factors(haw_matrix *matrix)
{
    haw_context *context = matrix->shape[0].arena.context;
    matrix->products = NULL;
    return haw_context_insists(context) ? haw_context_goes_on(context) : HAW_OK;
}

haw_status haw_matrix_factor(haw_matrix *matrix)
{
    const int n = matrix->n, m = matrix->m;
    HAW_TRY(begin_factors(matrix));
    if (n > 0) {
        HAW_TRY(factor_inner(matrix));
    }
    if (m == 0) {
        return HAW_OK;
    }
    if (n > 0) {
        memcpy(matrix->x, matrix->value + matrix->column, (size_t)m * (size_t)n * sizeof(double));
    }
    double *s = haw_lu_matrix(matrix->schur);
    for (int k = 0; k < m; ++k) {
        double *x = matrix->x + (ptrdiff_t)k * n;
        solve_inner(matrix, x);
        for (int i = 0; i < m; ++i) {
            const double *d = matrix->value + matrix->row + (ptrdiff_t)i * n;
            s[(ptrdiff_t)k * m + i] =
                matrix->value[matrix->corner + (ptrdiff_t)i * m + k] - haw_dot(n, d, x);
        }
    }
    return haw_lu_factor(matrix->schur, NULL);
}

void haw_matrix_solve(haw_matrix *matrix, double *x)
{
    const int n = matrix->n, m = matrix->m;
    double *right = matrix->right, *y = x + n;
    for (int i = 0; i < n; ++i) {
        right[matrix->place[i]] = x[i];
    }
    solve_inner(matrix, right);
    for (int k = 0; k < m; ++k) {
        y[k] -= haw_dot(n, matrix->value + matrix->row + (ptrdiff_t)k * n, right);
    }
    if (m > 0) {
        haw_lu_solve(matrix->schur, y);
    }
    for (int k = 0; k < m; ++k) {
        const double *column = matrix->x + (ptrdiff_t)k * n;
        for (int i = 0; i < n; ++i) {
            right[i] -= column[i] * y[k];
        }
    }
    for (int i = 0; i < n; ++i) {
        x[i] = right[matrix->place[i]];
    }
}

void haw_matrix_solve_once(haw_matrix *matrix, double *x)
{
    if (matrix->kind == HAW_MATRIX_SPARSE && matrix->lu != NULL) {
        haw_lu_solve_once(matrix->lu, x);
    } else {
        haw_matrix_solve(matrix, x);
    }
}

haw_status haw_matrix_factor_solve(haw_matrix *matrix, double *x)
{
    const double *value;
    haw_status status = HAW_OK;
    if (matrix->kind != HAW_MATRIX_SPARSE) {
        status = haw_matrix_factor(matrix);
        haw_matrix_solve(matrix, x);
        return status;
    }
    HAW_TRY(begin_factors(matrix));
    HAW_TRY(choose_inner(matrix, &value));
    return haw_lu_factor_solve(matrix->lu, value, x);
}

/* All pairs of the columns of rows, too, where there is room for them. @return how many entries
 * then are live */
static int mark_pairs(haw_matrix *a, const haw_csr *rows)
{
    const int *column = rows->column;
    int count = 0;
    for (int i = 0; i < rows->rows; ++i) {
        const int start = rows->start[i], end = rows->start[i + 1];
        const size_t size = (size_t)(end - start) * sizeof *column;
        if (i > 0 && start - rows->start[i - 1] == end - start &&
            memcmp(column + rows->start[i - 1], column + start, size) == 0) {
            continue; /* of the same elements */
        }
        for (int p = start; p < end; ++p) {
            for (int q = start; q < end; ++q) {
                const int place = haw_csr_find(&a->stored, column[p], column[q]);
                a->is_live[place >= 0 ? place : 0] |= place >= 0;
            }
        }
    }
    for (int k = 0; k < a->stored.start[a->n]; ++k) {
        count += a->is_live[k];
    }
    return count;
}

/* Of many rows the entries of the inverse are made at once, by factors of their own, which are
 * ordered for a pattern with all pairs of these; unless that takes longer. */
static haw_status prepare_inverse(haw_matrix *a, const haw_csr *wanted, int count, haw_arena *arena)
{
    const double singly = count * haw_lu_solve_flops(a->lu) / VISITED;
    shape *wide = &a->wide;
    if (singly < INVERSE * haw_lu_factor_flops(a->lu)) {
        return HAW_OK;
    }
    (void)mark_live(a);
    HAW_TRY(reshape(a, mark_pairs(a, wanted), wide));
    haw_status status = HAW_OK;
    if (INVERSE * haw_lu_factor_flops(wide->lu) < singly) {
        status = haw_lu_factor(wide->lu, wide->live.value);
        if (status == HAW_OK) {
            status = haw_lu_prepare_products(wide->lu, wanted, arena, &a->products);
        }
    }
    drop(wide);
    return status == HAW_ERR_SINGULAR ? HAW_OK : status;
}

haw_status haw_matrix_prepare_products(haw_matrix *matrix, const haw_csr *wanted, int count,
                                       haw_arena *arena)
{
    matrix->products = NULL;
    if (matrix->kind != HAW_MATRIX_SPARSE || matrix->lu == NULL) {
        return HAW_OK;
    }
    HAW_TRY(wanted != NULL ? prepare_inverse(matrix, wanted, count, arena) : HAW_OK);
    return matrix->products == NULL
               ? haw_lu_prepare_products(matrix->lu, NULL, arena, &matrix->products)
               : HAW_OK;
}

double haw_matrix_product(haw_matrix *matrix, int count, const int *column, const double *h,
                          int stride, double *work)
{
    double sum = 0;
    if (matrix->products != NULL) {
        return haw_lu_product(matrix->products, count, column, h, stride);
    }
    memset(work, 0, (size_t)matrix->pattern.rows * sizeof *work);
    for (int i = 0; i < count; ++i) {
        work[column[i]] = h[(ptrdiff_t)stride * i];
    }
    haw_matrix_solve(matrix, work);
    for (int i = 0; i < count; ++i) {
        sum += h[(ptrdiff_t)stride * i] * work[column[i]];
    }
    return sum;
}

/* Row i of [B C] times x, i in the order of B. */
static double multiply_row(const haw_matrix *a, int i, const double *ordered, const double *tail)
{
    const int first = a->stored.start[i], end = a->stored.start[i + 1];
    double sum = 0;
    if (a->kind == HAW_MATRIX_BORDERED) { /* without gaps: no column is looked up */
        sum = haw_dot(end - first, a->value + first, ordered + a->stored.column[first]);
    }
    for (int k = first; k < end && a->kind != HAW_MATRIX_BORDERED; ++k) {
        sum += a->value[k] * ordered[a->stored.column[k]];
    }
    for (int k = 0; k < a->m; ++k) {
        sum += a->value[a->column + (ptrdiff_t)k * a->n + i] * tail[k];
    }
    return sum;
}

void haw_matrix_multiply(const haw_matrix *matrix, double factor, const double *x, double *y)
{
    const int n = matrix->n, m = matrix->m;
    double *ordered = matrix->right;
    for (int i = 0; i < n; ++i) {
        ordered[matrix->place[i]] = x[i];
    }
    for (int i = 0; i < n; ++i) {
        y[i] += factor * multiply_row(matrix, matrix->place[i], ordered, x + n);
    }
    for (int k = 0; k < m; ++k) {
        const double *row = matrix->value + matrix->row + (ptrdiff_t)k * n;
        const double *corner = matrix->value + matrix->corner + (ptrdiff_t)k * m;
        y[n + k] += factor * (haw_dot(n, row, ordered) + haw_dot(m, corner, x + n));
    }
}
