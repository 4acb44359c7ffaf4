/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Newton steps of a contact problem in the band of the mechanics: from
 *
 *     A dv - H dr = -rest,   a (du + alpha w dr) + b w dr = -g,   du = H^T dv
 *
 * the impulses are eliminated point by point, with c = (b + alpha a) w, D = c^-1 a, e = c^-1 g:
 *
 *     (A + H D H^T) dv = -rest - H e,   dr = -e - D du,
 *
 * a matrix with the pattern of the elements: a step costs what one with compliant contact costs.
 */
#include "solver/band_newton_step.h"

#include "solver/newton_residual.h"

#include <math.h>
#include <string.h>

/* ---- memory and places ---- */

static haw_status create_vectors(haw_arena *arena, haw_band_pass *x)
{
    const size_t rows = (size_t)x->n * (size_t)x->d;
    double **const vector[] = {&x->free, &x->g, &x->e, &x->dr, &x->du, &x->r_trial, &x->u_trial};
    double **const block[] = {&x->a, &x->b, &x->inverse, &x->gain};
    double **const wide[] = {&x->rest, &x->dv};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) {
        *vector[i] = haw_arena_allocate(arena, rows + 1, sizeof(double));
    }
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        *block[i] = haw_arena_allocate(arena, rows * (size_t)x->d + 1, sizeof(double));
    }
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        *wide[i] = haw_arena_allocate(arena, (size_t)x->equations + 1, sizeof(double));
    }
    x->state = haw_arena_allocate(arena, (size_t)x->n + 1, 1);
    x->point = haw_arena_allocate(arena, (size_t)x->n + 1, sizeof *x->point);
    bool complete = x->state != NULL && x->point != NULL;
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) {
        complete = complete && *vector[i] != NULL;
    }
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        complete = complete && *block[i] != NULL;
    }
    return complete && x->rest != NULL && x->dv != NULL ? HAW_OK : HAW_ERR_NOMEM;
}

/* Columns of a contact with an entry in one of its rows, ascending as those of the rows are. */
static int merge_columns(const haw_csr *ht, int d, int contact, int *column)
{
    int next[3], count = 0;
    for (int k = 0; k < d; k++) {
        next[k] = ht->start[d * contact + k];
    }
    for (;;) {
        int least = ht->columns;
        bool any = false;
        for (int k = 0; k < d; k++) {
            const bool left = next[k] < ht->start[d * contact + k + 1];
            least = left && ht->column[next[k]] < least ? ht->column[next[k]] : least;
        }
        if (least == ht->columns) {
            return count;
        }
        for (int k = 0; k < d; k++) {
            if (next[k] < ht->start[d * contact + k + 1] && ht->column[next[k]] == least) {
                any = any || ht->value[next[k]] != 0;
                next[k]++;
            }
        }
        column[count] = least;
        count += any ? 1 : 0;
    }
}

static void fill_rows(const haw_csr *ht, int d, int contact, haw_band_point *point)
{
    for (int k = 0; k < d; k++) {
        int at = ht->start[d * contact + k];
        const int end = ht->start[d * contact + k + 1];
        for (int j = 0; j < point->count; j++) {
            while (at < end && ht->column[at] < point->column[j]) {
                at++;
            }
            const bool has = at < end && ht->column[at] == point->column[j];
            point->row[k * point->count + j] = has ? ht->value[at] : 0;
        }
    }
}

static haw_status create_point(haw_band_pass *x, haw_arena *arena, int contact, bool *inside)
{
    const haw_csr *ht = x->problem->ht;
    haw_band_point *point = &x->point[contact];
    const int room = ht->start[x->d * (contact + 1)] - ht->start[x->d * contact];
    point->column = haw_arena_allocate(arena, (size_t)room + 1, sizeof(int));
    if (point->column == NULL) {
        return HAW_ERR_NOMEM;
    }
    point->count = merge_columns(ht, x->d, contact, point->column);
    const size_t count = (size_t)point->count;
    point->row = haw_arena_allocate(arena, (size_t)x->d * count + 1, sizeof(double));
    point->place = haw_arena_allocate(arena, count * count + 1, sizeof(ptrdiff_t));
    if (point->row == NULL || point->place == NULL) {
        return HAW_ERR_NOMEM;
    }
    fill_rows(ht, x->d, contact, point);
    for (int p = 0; p < point->count; p++) {
        for (int q = 0; q < point->count; q++) {
            const ptrdiff_t place =
                haw_bordered_place(x->problem->matrix, point->column[p], point->column[q]);
            point->place[(ptrdiff_t)p * point->count + q] = place;
            *inside = *inside && place >= 0;
        }
    }
    return HAW_OK;
}

haw_status haw_band_pass_create(haw_band_pass *x, haw_arena *arena, bool *inside)
{
    const haw_band_problem *problem = x->problem;
    const size_t values = (size_t)haw_bordered_spare(problem->matrix) + 1;
    x->d = problem->dimension;
    x->n = problem->contacts;
    x->equations = problem->ht->columns;
    x->is_factored = problem->is_factored;
    *inside = true;
    HAW_TRY(create_vectors(arena, x));
    x->base = haw_arena_allocate(arena, values, sizeof(double));
    if (x->base == NULL) {
        return HAW_ERR_NOMEM;
    }
    memcpy(x->base, haw_bordered_value(problem->matrix), values * sizeof(double));
    for (int i = 0; i < x->n; i++) {
        HAW_TRY(create_point(x, arena, i, inside));
    }
    return HAW_OK;
}

/* ---- the matrix of the mechanics ---- */

void haw_band_restore(haw_band_pass *x)
{
    haw_bordered *matrix = x->problem->matrix;
    memcpy(haw_bordered_value(matrix), x->base,
           ((size_t)haw_bordered_spare(matrix) + 1) * sizeof(double));
}

bool haw_band_factor(haw_band_pass *x)
{
    haw_band_restore(x);
    if (!x->is_factored) {
        x->result->factorizations++;
        x->is_factored = haw_bordered_factor(x->problem->matrix) == HAW_OK;
    }
    return x->is_factored;
}

/* W_kk of row k of a contact, with the factors of A at hand. */
static double mobility(haw_band_pass *x, const haw_band_point *point, int k)
{
    const double *row = point->row + (ptrdiff_t)k * point->count;
    double sum = 0;
    memset(x->dv, 0, (size_t)x->equations * sizeof(double));
    for (int j = 0; j < point->count; j++) {
        x->dv[point->column[j]] = row[j];
    }
    haw_bordered_solve(x->problem->matrix, x->dv);
    for (int j = 0; j < point->count; j++) {
        sum += row[j] * x->dv[point->column[j]];
    }
    return sum / x->problem->scale;
}

/* trace(W_cc) / d of a contact. */
static double weigh(haw_band_pass *x, int contact)
{
    double trace = 0;
    for (int k = 0; k < x->d; k++) {
        trace += mobility(x, &x->point[contact], k);
    }
    return trace / x->d;
}

/*
 * Without its contacts a mechanism may be unstable, and A indefinite: a length of rod that is
 * twisted or pressed, and held by what it lies on. A negative trace then says nothing of the
 * contact; the mean of those that are positive has the order of magnitude that the method needs.
 */
static bool mend_weights(haw_band_pass *x)
{
    double *weight = x->problem->weight, sum = 0, most = 0;
    int count = 0;
    for (int i = 0; i < x->n; i++) {
        sum += weight[i] > 0 ? log(weight[i]) : 0;
        count += weight[i] > 0 ? 1 : 0;
        most = fmax(most, fabs(weight[i]));
    }
    for (int i = 0; i < x->n; i++) {
        if (weight[i] < 0) {
            weight[i] = count > 0 ? exp(sum / count) : most;
        }
        if (!(weight[i] > 0) || !isfinite(weight[i])) {
            return false;
        }
    }
    return true;
}

bool haw_band_weigh(haw_band_pass *x)
{
    double *weight = x->problem->weight;
    for (int i = 0; i < x->n; i++) {
        if (weight[i] > 0) {
            continue;
        }
        if (!haw_band_factor(x)) {
            return false;
        }
        weight[i] = weigh(x, i);
        if (weight[i] == 0 || !isfinite(weight[i])) {
            return false;
        }
    }
    return mend_weights(x);
}

/* ---- one step ---- */

static void invert_2d(const double *c, double *inverse)
{
    const double scale = 1 / (c[0] * c[3] - c[1] * c[2]);
    inverse[0] = scale * c[3];
    inverse[1] = -scale * c[1];
    inverse[2] = -scale * c[2];
    inverse[3] = scale * c[0];
}

/* By the adjugate. */
static void invert_3d(const double *c, double *inverse)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const int p = (j + 1) % 3, q = (j + 2) % 3, s = (i + 1) % 3, t = (i + 2) % 3;
            inverse[3 * i + j] = c[3 * p + s] * c[3 * q + t] - c[3 * p + t] * c[3 * q + s];
        }
    }
    const double scale = 1 / (c[0] * inverse[0] + c[1] * inverse[3] + c[2] * inverse[6]);
    for (int k = 0; k < 9; k++) {
        inverse[k] *= scale;
    }
}

static void (*const invert[])(const double *c,
                              double *inverse) = {[2] = invert_2d, [3] = invert_3d};

/* c^-1 and D of a contact; b + alpha a is regular for alpha > 0. */
static void eliminate(haw_band_pass *x, int i)
{
    const int d = x->d, size = d * d;
    const double *a = x->a + (ptrdiff_t)size * i, *b = x->b + (ptrdiff_t)size * i;
    double c[9] = {0}, *inverse = x->inverse + (ptrdiff_t)size * i,
           *gain = x->gain + (ptrdiff_t)size * i;
    for (int k = 0; k < size; k++) {
        c[k] = (b[k] + x->alpha * a[k]) * x->problem->weight[i];
    }
    invert[d](c, inverse);
    for (int k = 0; k < d; k++) {
        for (int j = 0; j < d; j++) {
            double sum = 0;
            for (int l = 0; l < d; l++) {
                sum += inverse[d * k + l] * a[d * l + j];
            }
            gain[d * k + j] = sum;
        }
    }
}

/* Matrix += H D H^T of one contact. */
static void add_point(haw_band_pass *x, int i)
{
    const haw_band_point *point = &x->point[i];
    const int d = x->d, count = point->count;
    const double *gain = x->gain + (ptrdiff_t)d * d * i, factor = 1 / x->problem->scale;
    const ptrdiff_t *place = point->place;
    double *value = haw_bordered_value(x->problem->matrix);
    for (int p = 0; p < count; p++) {
        double left[3] = {0};
        for (int k = 0; k < d * d; k++) {
            left[k % d] += factor * point->row[k / d * count + p] * gain[k];
        }
        for (int q = 0; q < count; q++) {
            double sum = left[0] * point->row[q];
            for (int k = 1; k < d; k++) {
                sum += left[k] * point->row[k * count + q];
            }
            value[*place++] += sum;
        }
    }
}

/* y [d] = M x for a block M [d d]. */
static void multiply_block(int d, const double *m, const double *x, double *y)
{
    for (int k = 0; k < d; k++) {
        double sum = 0;
        for (int j = 0; j < d; j++) {
            sum += m[d * k + j] * x[j];
        }
        y[k] = sum;
    }
}

/* rest = A v - f - H r, from the entries of A. */
static void find_rest(haw_band_pass *x)
{
    const haw_band_problem *problem = x->problem;
    for (int i = 0; i < x->equations; i++) {
        x->rest[i] = -problem->f[i];
    }
    haw_csr_add_transposed(problem->ht, -1, x->r, x->rest);
    haw_bordered_multiply(problem->matrix, problem->scale, x->v, x->rest);
}

/* e = c^-1 g of all contacts, and the matrix A + H D H^T. */
static void assemble(haw_band_pass *x)
{
    const int d = x->d, size = d * d;
    for (int i = 0; i < x->n; i++) {
        eliminate(x, i);
        multiply_block(d, x->inverse + (ptrdiff_t)size * i, x->g + (ptrdiff_t)d * i,
                       x->e + (ptrdiff_t)d * i);
        if (x->state[i] != HAW_CONTACT_OPEN) {
            add_point(x, i);
        }
    }
}

bool haw_band_step(haw_band_pass *x)
{
    const haw_band_problem *problem = x->problem;
    const int d = x->d;
    haw_band_restore(x);
    find_rest(x);
    assemble(x);
    haw_csr_add_transposed(problem->ht, 1, x->e, x->rest);
    for (int i = 0; i < x->equations; i++) {
        x->dv[i] = -x->rest[i] / problem->scale;
    }
    x->is_factored = false;
    x->result->factorizations++;
    if (haw_bordered_factor(problem->matrix) != HAW_OK) {
        return false;
    }
    haw_bordered_solve(problem->matrix, x->dv);
    memset(x->du, 0, (size_t)(d * x->n) * sizeof(double));
    haw_csr_add(problem->ht, 1, x->dv, x->du);
    for (int i = 0; i < x->n; i++) {
        const ptrdiff_t first = (ptrdiff_t)d * i;
        multiply_block(d, x->gain + first * d, x->du + first, x->dr + first);
        for (int k = 0; k < d; k++) {
            x->dr[first + k] = -x->e[first + k] - x->dr[first + k];
        }
    }
    return true;
}
