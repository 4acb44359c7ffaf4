/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The semismooth Newton method of the solver `newton` (P. Alart, A. Curnier, Comput. Methods Appl.
 * Mech. Eng. 92 (1991) 353-375, with a fading proximal term), in the band of the mechanics. The
 * first step takes open, stick and slip from the impulses at hand, which are right but for some
 * points at the ends of an arc. It starts from v = 0: where the regimes are right it lands on the
 * solution from anywhere, and A itself need not be factorized. Where v = 0 nearly solves the
 * problem already, steps go on from there instead. A step
 *
 *     A dv - H dr = -rest,   a (du + alpha w dr) + b w dr = -g,   du = H^T dv
 *
 * eliminates the impulses point by point, with c = (b + alpha a) w, D = c^-1 a, e = c^-1 g:
 *
 *     (A + H D H^T) dv = -rest - H e,   dr = -e - D du,
 *
 * a matrix with the pattern of the elements: a step costs what one with compliant contact costs.
 */
#include "solver/band_newton.h"

#include "linalg/small.h"
#include "linalg/vector.h"
#include "solver/band_pass.h"
#include "solver/cone.h"
#include "solver/referee.h"

#include <math.h>
#include <string.h>

enum {
    HALVINGS = 12,
    PATIENCE = 40,   /* steps before `enough` will do: with 20 piles take more of them in all */
    NEAR = 10,       /* steps from where the laws are nearly obeyed, before regimes are guessed */
    ROUND = 40,      /* steps with one augmentation parameter, unless the caller has other ideas */
    CROWDED = 12,    /* of an equilibrium with more contacts than it takes, before the inside */
    REFINED = 2,     /* times that the first step of an equilibrium is refined */
    ITERATIONS = 120 /* in all rounds */
};

/* Augmentation parameters, times 1 / w: with another one the method passes through other states. */
static const double RHO[] = {1, 0.3, 3};
static const double ALPHA_GUESS = 1e-8; /* while open, stick and slip are those of the last step */
/* Of equilibria: 1 / w is the stiffness about a point, 12 B / le^3 of a beam, and what is held by
 * contact alone, as a knot along its rod, is softer by many powers of ten: over 1e8 / w it would be
 * lost in rounding. So are digits of impulses that are judged by what they do: 1e8 times 1e-16 is a
 * tolerance. Refined steps leave as little of u = 0. */
static const double ALPHA_REST = 1e-5;
static const double ROUNDING = 1e-12; /* impulses of open contacts, over the largest and over
                                          what the reference speed would ask for */
static const double CRUMB =
    1e-100; /* over the largest: products with less underflow, and leave it */
static const double ALPHA_MIN = 1e-8;

/* ---- memory and places ---- */

static haw_status create_vectors(haw_arena *arena, haw_band_pass *x)
{
    const size_t rows = (size_t)x->n * (size_t)x->d;
    double **const vector[] = {&x->free, &x->g, &x->e, &x->dr, &x->du, &x->r_trial, &x->u_trial};
    double **const block[] = {&x->a, &x->b, &x->inverse, &x->gain};
    double **const wide[] = {&x->rest, &x->dv};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) {
        *vector[i] = haw_arena_allocate(arena, rows, sizeof(double));
    }
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        *block[i] = haw_arena_allocate(arena, rows * (size_t)x->d, sizeof(double));
    }
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        *wide[i] = haw_arena_allocate(arena, (size_t)x->equations, sizeof(double));
    }
    x->state = haw_arena_allocate(arena, (size_t)x->n, sizeof *x->state);
    if (!x->problem->is_kept) { /* nothing is factored */
        x->pressed = haw_arena_allocate(arena, x->values, sizeof(double));
        x->point = haw_arena_allocate(arena, (size_t)x->n, sizeof *x->point);
    }
    return haw_arena_status(arena);
}

/* Columns of a contact with an entry in one of its rows, ascending as those of the rows are. */
static void merge_rows(const haw_csr *ht, int d, int contact, haw_band_point *point)
{
    const int *start = ht->start + (ptrdiff_t)d * contact;
    int next[3], least;
    memcpy(next, start, (size_t)d * sizeof *next);
    do {
        double *row = point->row + (ptrdiff_t)d * point->count;
        bool any = false;
        least = ht->columns;
        for (int k = 0; k < d; k++) {
            const bool left = next[k] < start[k + 1];
            least = left && ht->column[next[k]] < least ? ht->column[next[k]] : least;
        }
        for (int k = 0; k < d && least < ht->columns; k++) {
            const bool has = next[k] < start[k + 1] && ht->column[next[k]] == least;
            row[k] = has ? ht->value[next[k]] : 0;
            next[k] += has ? 1 : 0;
            any = any || row[k] != 0;
        }
        if (any) {
            point->column[point->count++] = least;
        }
    } while (least < ht->columns);
}

static haw_status create_point(haw_band_pass *x, haw_arena *arena, int contact, bool *inside)
{
    const haw_csr *ht = x->problem->ht;
    haw_band_point *point = &x->point[contact];
    const int room = ht->start[x->d * (contact + 1)] - ht->start[x->d * contact];
    point->column = haw_arena_allocate(arena, (size_t)room, sizeof(int));
    point->row = haw_arena_allocate(arena, (size_t)room, (size_t)x->d * sizeof(double));
    HAW_TRY(haw_arena_status(arena));
    merge_rows(ht, x->d, contact, point);
    const size_t count = (size_t)point->count;
    if (contact > 0 && point[-1].count == point->count &&
        memcmp(point[-1].column, point->column, count * sizeof(int)) == 0) {
        point->place = point[-1].place; /* of the same element */
        return HAW_OK;
    }
    point->place = haw_arena_allocate(arena, count * count, sizeof(ptrdiff_t));
    HAW_TRY(haw_arena_status(arena));
    for (int p = 0; p < point->count; p++) {
        ptrdiff_t *place = point->place + (ptrdiff_t)p * point->count;
        haw_matrix_places(x->problem->matrix, point->column[p], point->count, point->column, place);
        for (int q = 0; q < point->count; q++) {
            *inside = *inside && place[q] >= 0;
        }
    }
    return HAW_OK;
}

/*
 * Of a pass with the arrays of the caller: memory from the arena, the entries of the matrix and the
 * places of the contacts in it.
 * @param inside  out: false if a contact couples equations outside of the matrix's pattern
 */
static haw_status create_pass(haw_band_pass *x, haw_arena *arena, bool *inside)
{
    const haw_band_problem *problem = x->problem;
    x->arena = arena;
    x->d = problem->dimension;
    x->n = problem->contacts;
    x->equations = problem->ht->columns;
    x->is_factored = problem->is_factored;
    x->values = (size_t)haw_matrix_spare(problem->matrix) + 1;
    x->base = haw_matrix_value(problem->matrix);
    *inside = true;
    HAW_TRY(create_vectors(arena, x));
    for (int i = 0; i < x->n && !problem->is_kept; i++) {
        HAW_TRY(create_point(x, arena, i, inside));
    }
    return HAW_OK;
}

/* ---- the matrix of the mechanics ---- */

/* @return false if it is singular, which is no error */
static bool is_factored(haw_band_pass *x, haw_status status)
{
    x->result->factorizations += haw_matrix_is_kept(x->problem->matrix) ? 0 : 1;
    if (status != HAW_OK && status != HAW_ERR_SINGULAR) {
        x->failure = status;
    }
    return status == HAW_OK;
}

/* Factors of A itself. @return false if it is singular */
static bool factor(haw_band_pass *x)
{
    haw_matrix_exchange(x->problem->matrix, x->base);
    if (!x->is_factored) {
        x->is_factored = is_factored(x, haw_matrix_factor(x->problem->matrix));
    }
    return x->is_factored;
}

/* trace(W_cc) / d of a contact, with the factors of A at hand. */
static double weigh(haw_band_pass *x, int contact)
{
    const haw_band_point *point = &x->point[contact];
    double trace = 0;
    for (int k = 0; k < x->d; k++) {
        trace += haw_matrix_product(x->problem->matrix, point->count, point->column, point->row + k,
                                    x->d, x->dv);
    }
    return trace / x->problem->scale / x->d;
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

/* Weights that are not known yet. @param regular  out: false if a contact cannot move */
static haw_status find_weights(haw_band_pass *x, haw_arena *arena, bool *regular)
{
    double *weight = x->problem->weight;
    int first = x->n, count = 0;
    for (int i = x->n - 1; i >= 0; i--) {
        first = weight[i] > 0 ? first : i;
        count += weight[i] > 0 ? 0 : x->d;
    }
    *regular = first == x->n || factor(x);
    if (first < x->n && *regular) {
        HAW_TRY(haw_matrix_prepare_products(x->problem->matrix, x->problem->ht, count, arena));
    }
    for (int i = first; i < x->n && *regular; i++) {
        weight[i] = weight[i] > 0 ? weight[i] : weigh(x, i);
        *regular = weight[i] != 0 && isfinite(weight[i]);
    }
    *regular = *regular && mend_weights(x);
    return HAW_OK;
}

/* ---- one step ---- */

/* u [n d] += what springs yield to the impulses r. */
static void yield(const haw_band_pass *x, const double *r, double *u)
{
    for (int i = 0; i < x->d * x->n && x->problem->compliance != NULL; i++) {
        u[i] += x->problem->compliance[i] * r[i];
    }
}

/* c^-1 and D of a contact; b + alpha a is regular for alpha > 0. */
static void eliminate(haw_band_pass *x, int i)
{
    const int d = x->d, size = d * d;
    const double *a = x->a + (ptrdiff_t)size * i, *b = x->b + (ptrdiff_t)size * i;
    const double *soft = x->problem->compliance != NULL ? x->problem->compliance + d * i : NULL;
    double c[9] = {0}, *inverse = x->inverse + (ptrdiff_t)size * i,
           *gain = x->gain + (ptrdiff_t)size * i;
    for (int k = 0; k < size; k++) {
        c[k] = (b[k] + x->course.alpha * a[k]) * x->problem->weight[i];
    }
    for (int k = 0; k < size && soft != NULL; k++) {
        c[k] += a[k] * soft[k % d];
    }
    haw_invert[d](c, inverse);
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
    double *value = x->pressed;
    for (int p = 0; p < count; p++) {
        const double *row = point->row + (ptrdiff_t)d * p, *other = point->row;
        double left[3] = {0};
        for (int k = 0; k < d * d; k++) {
            left[k % d] += factor * row[k / d] * gain[k];
        }
        for (int q = 0; q < count; q++, other += d) {
            double sum = left[0] * other[0];
            for (int k = 1; k < d; k++) {
                sum += left[k] * other[k];
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
        x->rest[i] = problem->f != NULL ? -problem->f[i] : 0;
    }
    haw_csr_add_transposed(problem->ht, -1, x->r, x->rest);
    if (x->has_moved) {
        haw_matrix_multiply(problem->matrix, problem->scale, x->v, x->rest);
    }
}

/* A + H D H^T from a, b and alpha. */
static void press(haw_band_pass *x)
{
    memcpy(x->pressed, x->base, x->values * sizeof(double));
    for (int i = 0; i < x->n; i++) {
        eliminate(x, i);
        if (x->state[i] != HAW_CONTACT_OPEN) {
            add_point(x, i);
        }
    }
}

/* dv = -(rest + H e) of the equations for it. */
static void set_right(haw_band_pass *x)
{
    const haw_band_problem *problem = x->problem;
    const int d = x->d;
    haw_matrix_exchange(problem->matrix, x->base);
    find_rest(x);
    for (int i = 0; i < x->n; i++) {
        const ptrdiff_t first = (ptrdiff_t)d * i;
        multiply_block(d, x->inverse + first * d, x->g + first, x->e + first);
    }
    haw_csr_add_transposed(problem->ht, 1, x->e, x->rest);
    for (int i = 0; i < x->equations; i++) {
        x->dv[i] = -x->rest[i] / problem->scale;
    }
    haw_matrix_exchange(problem->matrix, x->pressed);
}

/* du and dr from dv. */
static void follow(haw_band_pass *x)
{
    const haw_band_problem *problem = x->problem;
    const int d = x->d;
    memset(x->du, 0, (size_t)(d * x->n) * sizeof(double));
    haw_csr_add(problem->ht, 1, x->dv, x->du);
    for (int i = 0; i < x->n; i++) {
        const ptrdiff_t first = (ptrdiff_t)d * i;
        multiply_block(d, x->gain + first * d, x->du + first, x->dr + first);
        for (int k = 0; k < d; k++) {
            x->dr[first + k] = -x->e[first + k] - x->dr[first + k];
        }
    }
    yield(x, x->dr, x->du);
}

/* dv, dr and du from g, with the factors of the last step. */
void haw_band_solve(haw_band_pass *x)
{
    set_right(x);
    haw_matrix_solve(x->problem->matrix, x->dv);
    follow(x);
}

/* dv, dr and du from g, a, b and alpha. @return false if the matrix is singular */
bool haw_band_step(haw_band_pass *x)
{
    press(x);
    set_right(x);
    x->is_factored = false;
    if (!is_factored(x, haw_matrix_factor_solve(x->problem->matrix, x->dv))) {
        return false;
    }
    follow(x);
    return true;
}

/* ---- equations ---- */

/* s = w r of a contact. */
void haw_band_scale(const haw_band_pass *x, int i, const double *r, double s[3])
{
    for (int k = 0; k < x->d; k++) {
        s[k] = x->problem->weight[i] * r[x->d * i + k];
    }
}

static double square(int d, const double *g)
{
    double sum = 0;
    for (int k = 0; k < d; k++) {
        sum += g[k] * g[k];
    }
    return sum;
}

static double square_norm(const haw_band_pass *x, const double *r, const double *u)
{
    double sum = 0, s[3], g[3];
    for (int i = 0; i < x->n; i++) {
        const haw_contact_equations equations = {x->d, x->problem->mu[i], x->rho};
        haw_band_scale(x, i, r, s);
        (void)haw_newton_residual(&equations, s, u + (ptrdiff_t)x->d * i, g);
        sum += square(x->d, g);
    }
    return sum;
}

static void evaluate(haw_band_pass *x)
{
    const int d = x->d;
    double sum = 0, s[3];
    x->course.changed = 0;
    for (int i = 0; i < x->n; i++) {
        const haw_contact_equations equations = {x->d, x->problem->mu[i], x->rho};
        double *g = x->g + (ptrdiff_t)d * i;
        haw_band_scale(x, i, x->r, s);
        const haw_contact_state state =
            haw_newton_jacobian(&equations, s, x->u + (ptrdiff_t)d * i, g,
                                x->a + (ptrdiff_t)d * d * i, x->b + (ptrdiff_t)d * d * i);
        x->course.changed += state != x->state[i];
        x->state[i] = state;
        sum += square(d, g);
    }
    x->course.norm = sqrt(sum);
}

/* What the referee says of the iterate, with the weights at hand. */
bool haw_band_met(haw_band_pass *x)
{
    const haw_problem problem = {.dimension = x->d, .contacts = x->n, .mu = x->problem->mu};
    const haw_operator op = {.problem = &problem, .weight = x->problem->weight};
    x->result->residual = haw_referee_stop(&op, x->result->reference, x->r, x->u);
    const double enough = x->result->iterations > PATIENCE ? x->problem->enough : 0;
    return x->has_moved && x->result->residual <= fmax(x->problem->tolerance, enough);
}

/* ---- without contact impulses ---- */

/* v [equations] = A^-1 f. */
static bool move_freely(haw_band_pass *x, double *v)
{
    const haw_band_problem *problem = x->problem;
    if (problem->f == NULL) {
        memset(v, 0, (size_t)x->equations * sizeof *v);
        return true;
    }
    haw_matrix_exchange(problem->matrix, x->base);
    for (int i = 0; i < x->equations; i++) {
        v[i] = problem->f[i] / problem->scale;
    }
    if (x->is_factored) {
        haw_matrix_solve(problem->matrix, v);
    } else {
        x->is_factored = is_factored(x, haw_matrix_factor_solve(problem->matrix, v));
    }
    return x->is_factored;
}

/* Velocities without contact impulses, by the factors of A: part of the reference. */
static bool find_free(haw_band_pass *x)
{
    const haw_band_problem *problem = x->problem;
    const int rows = x->d * x->n;
    if (problem->is_resting) {
        x->cold = problem->speed;
        return true;
    }
    if (x->has_free) {
        return true;
    }
    if (!move_freely(x, x->dv)) {
        return false;
    }
    memcpy(x->free, problem->w, (size_t)rows * sizeof(double));
    haw_csr_add(problem->ht, 1, x->dv, x->free);
    for (int i = 0; i < rows && !problem->is_judged; i += x->d) {
        x->result->reference = fmax(x->result->reference, sqrt(square(x->d, x->free + i)));
    }
    memset(x->r_trial, 0, (size_t)rows * sizeof(double));
    x->cold = sqrt(square_norm(x, x->r_trial, x->free));
    x->has_free = true;
    return true;
}

/* ---- iterations ---- */

/* The equations of the regime that the impulse of a contact speaks of: none, u = 0, or u_N = 0 and
 * r_T = mu r_N n along its own direction n. */
static haw_contact_state guess_point(const haw_band_pass *x, int i, double least, double *g,
                                     double *a, double *b)
{
    const int d = x->d;
    const double mu = x->problem->mu[i], weight = x->problem->weight[i];
    const double *r = x->r + (ptrdiff_t)d * i, *u = x->u + (ptrdiff_t)d * i;
    const double tangential = haw_tangent_norm(d, r);
    const bool closed = r[0] > least, sticks = closed && tangential < mu * r[0] * (1 - 1e-6);
    memset(a, 0, (size_t)(d * d) * sizeof *a);
    memset(b, 0, (size_t)(d * d) * sizeof *b);
    for (int k = 0; k < d; k++) {
        const bool held = sticks || (closed && k == 0);
        g[k] = held ? u[k] : weight * r[k] / x->rho;
        a[d * k + k] = held ? 1 : 0;
        b[d * k + k] = held ? 0 : 1 / x->rho;
    }
    for (int k = 1; closed && !sticks && k < d; k++) {
        const double bound = tangential > 0 ? mu * r[k] / tangential : 0;
        g[k] -= weight * bound * r[0] / x->rho;
        b[d * k] = -bound / x->rho;
    }
    if (!closed) {
        return HAW_CONTACT_OPEN;
    }
    return sticks ? HAW_CONTACT_STICK : HAW_CONTACT_SLIP;
}

/* What steps have shortened again and again is none. */
static void drop_crumbs(haw_band_pass *x)
{
    double most = 0;
    for (int i = 0; i < x->d * x->n; i++) {
        most = fmax(most, fabs(x->r[i]));
    }
    for (int i = 0; i < x->d * x->n; i++) {
        x->r[i] = fabs(x->r[i]) > CRUMB * most ? x->r[i] : 0;
    }
}

static void guess(haw_band_pass *x)
{
    const ptrdiff_t d = x->d;
    double most = 0;
    for (int i = 0; i < x->n; i++) {
        most = fmax(most, x->r[d * i]);
    }
    for (int i = 0; i < x->n; i++) {
        const double least = fmax(most, x->problem->speed / x->problem->weight[i]);
        x->state[i] =
            guess_point(x, i, ROUNDING * least, x->g + d * i, x->a + d * d * i, x->b + d * d * i);
    }
}

static double try_step(haw_band_pass *x, double t)
{
    for (int i = 0; i < x->d * x->n; i++) {
        x->r_trial[i] = x->r[i] + t * x->dr[i];
        x->u_trial[i] = x->u[i] + t * x->du[i];
    }
    return square_norm(x, x->r_trial, x->u_trial);
}

void haw_band_move(haw_band_pass *x, double t)
{
    const int rows = x->d * x->n;
    for (int i = 0; i < rows; i++) {
        x->r[i] += t * x->dr[i];
    }
    for (int i = 0; i < x->equations; i++) {
        x->v[i] += t * x->dv[i];
    }
    memcpy(x->u, x->problem->w, (size_t)rows * sizeof(double));
    haw_csr_add(x->problem->ht, 1, x->v, x->u);
    yield(x, x->r, x->u);
    x->has_moved = x->has_moved || t > 0;
    x->result->iterations++;
}

static void take_step(haw_band_pass *x, double t)
{
    haw_band_move(x, t);
    evaluate(x);
}

/* The largest part of the step that the line search accepts; else it is taken whole; in an
 * equilibrium, once the mechanics holds, not at all. */
static void search(haw_band_pass *x)
{
    haw_newton_course *course = &x->course;
    const double highest = haw_newton_highest(course);
    course->cut = 0;
    for (int i = 0; i <= HALVINGS && course->cut == 0; i++) {
        const double t = ldexp(1, -i);
        course->cut = haw_newton_accepts(highest, t, try_step(x, t)) ? t : 0;
    }
    if (course->cut == 0) {
        course->steps = 0;
    }
    if (course->cut == 0 && x->problem->is_resting && x->has_moved) {
        x->result->iterations++; /* a whole step may lead far away: alpha rises where it is */
        return;
    }
    take_step(x, course->cut > 0 ? course->cut : 1);
}

/* Once more in the same regimes, by the factors at hand: less is left of u = 0, and of rounding. */
static void refine(haw_band_pass *x)
{
    const int d = x->d;
    for (ptrdiff_t i = 0; i < x->n; i++) {
        double s[3], pressed[3], *g = x->g + d * i;
        haw_band_scale(x, (int)i, x->r, s);
        multiply_block(d, x->a + d * d * i, x->u + d * i, g);
        multiply_block(d, x->b + d * d * i, s, pressed);
        haw_axpy(d, 1, pressed, g);
    }
    haw_band_solve(x);
    haw_band_move(x, 1);
}

void haw_band_begin(haw_band_pass *x)
{
    memset(x->v, 0, (size_t)x->equations * sizeof(double));
    memcpy(x->u, x->problem->w, (size_t)(x->d * x->n) * sizeof(double));
    yield(x, x->r, x->u);
    x->has_moved = false;
}

/* First step: open, stick and slip as the impulses at hand have them. */
static bool continue_last(haw_band_pass *x)
{
    haw_band_begin(x);
    guess(x);
    const bool is_fine = x->problem->is_resting || x->problem->is_judged;
    x->course.alpha = is_fine ? ALPHA_REST : ALPHA_GUESS;
    if (!haw_band_step(x)) {
        return false;
    }
    haw_band_move(x, 1);
    for (int i = 0; i < REFINED && is_fine; i++) {
        refine(x);
    }
    evaluate(x);
    return true;
}

/* The proximal term by which steps from the iterate begin. */
static double find_alpha(const haw_band_pass *x)
{
    return fmax(fmin(x->course.norm / x->cold, 1), ALPHA_MIN);
}

static bool iterate(haw_band_pass *x, double rho, int limit)
{
    x->rho = rho;
    x->course.steps = x->course.crawl = 0;
    evaluate(x);
    x->course.alpha = find_alpha(x);
    for (int k = 0; k < limit && !haw_band_met(x); k++) {
        if (!isfinite(x->course.norm) || !haw_band_step(x)) {
            return false;
        }
        x->course.last_norm = x->course.norm;
        search(x);
        haw_newton_adapt(&x->course, 1, ALPHA_MIN);
    }
    return haw_band_met(x);
}

/* From v = 0, the reference being known; the first step is whole, for the sake of the mechanics,
 * which v = 0 may miss where the laws are obeyed. @return false: r is as it was */
static bool go_on(haw_band_pass *x)
{
    const size_t bytes = (size_t)(x->d * x->n) * sizeof(double);
    double *first = haw_arena_allocate(x->arena, bytes, 1);
    if (first == NULL) {
        x->failure = HAW_ERR_NOMEM;
        return false;
    }
    memcpy(first, x->r, bytes);
    haw_band_begin(x);
    x->cold = x->problem->speed;
    evaluate(x);
    x->course.alpha = find_alpha(x);
    if (haw_band_step(x)) {
        take_step(x, 1);
        if (iterate(x, x->rho, NEAR)) {
            return true;
        }
    }
    memcpy(x->r, first, bytes);
    return false;
}

/* As the first step, by factors of a matrix nearby. */
static bool keep_on(haw_band_pass *x)
{
    x->rho = RHO[0];
    haw_band_begin(x);
    guess(x);
    x->course.alpha = ALPHA_GUESS;
    for (int i = 0; i < x->n; i++) {
        eliminate(x, i);
    }
    set_right(x);
    haw_matrix_solve_once(x->problem->matrix, x->dv);
    follow(x);
    haw_band_move(x, 1);
    return haw_band_met(x);
}

/* The reference without the free velocities, which cost a factorization, is a lower bound. */
static bool solve(haw_band_pass *x)
{
    const bool needs_free = x->problem->free != NULL;
    const int round = x->problem->round > 0 ? x->problem->round : ROUND;
    bool met = false;
    x->rho = RHO[0];
    if (x->problem->is_near && !needs_free && go_on(x)) {
        return true;
    }
    if (((needs_free || x->is_factored) && !find_free(x)) ||
        (!continue_last(x) && !x->problem->is_resting)) {
        return false;
    }
    if (haw_band_met(x)) {
        return true;
    }
    if (!find_free(x)) {
        return false;
    }
    const bool is_crowded = x->d * x->n > x->equations;
    const bool passes = x->problem->walks && (is_crowded || !x->problem->is_brief);
    const int first = passes ? CROWDED : round, most = passes ? round : ITERATIONS;
    met = x->problem->is_resting && !x->problem->is_inward && iterate(x, RHO[0], first);
    x->result->has_walked = !met && x->problem->walks && haw_band_walk(x, passes);
    if (met || x->result->has_walked) {
        return true;
    }
    for (int i = 0; i * round < most && !met && isfinite(x->course.norm); i++) {
        met = iterate(x, RHO[i % (int)(sizeof RHO / sizeof *RHO)], round);
    }
    return met || (x->problem->is_last && !passes && haw_band_walk(x, true));
}

static haw_status run(haw_band_pass *x, haw_arena *arena)
{
    bool inside;
    HAW_TRY(create_pass(x, arena, &inside));
    if (x->problem->free != NULL) {
        x->free = x->problem->free;
    }
    if (x->n == 0) {
        x->result->met = move_freely(x, x->v);
    } else if (x->problem->is_kept) {
        x->result->fits = true;
        drop_crumbs(x);
        x->result->met = keep_on(x);
    } else if (inside) {
        bool regular;
        x->result->fits = true;
        HAW_TRY(find_weights(x, arena, &regular));
        drop_crumbs(x);
        x->result->met = regular && solve(x);
    }
    haw_matrix_exchange(x->problem->matrix, x->base);
    return x->failure != HAW_OK ? x->failure : haw_arena_status(arena);
}

haw_status haw_band_newton(const haw_band_problem *problem, haw_arena *arena, double *r, double *v,
                           double *u, haw_band_result *result)
{
    const haw_arena_mark mark = haw_arena_here(arena);
    haw_band_pass x = {.problem = problem, .result = result};
    *result = (haw_band_result){.reference = problem->speed};
    x.r = r;
    x.v = v;
    x.u = u;
    const haw_status status = run(&x, arena);
    haw_arena_rewind(arena, &mark);
    return status;
}
