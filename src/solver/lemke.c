/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In the plane Coulomb's law is a linear complementarity problem (Ch. Glocker, F. Pfeiffer,
 * Nonlinear Dyn. 7 (1995) 471-497). With s = r_T + mu r_N and u_T = a - b,
 *
 *     y = M z + p,   0 <= y _|_ z >= 0,   y = (u_N, a, 2 mu r_N - s),   z = (r_N, s, b),
 *
 * and C. E. Lemke's pivots (Manag. Sci. 11 (1965) 681-689) follow the solutions of the problem with
 * p + d x0, d > 0, from large x0 to x0 = 0, whatever the rank of W: the method for contacts that
 * outnumber what they act on. With both directions of friction as unknowns the path ends at a
 * solution where there is one (M. Anitescu, F. A. Potra, Nonlinear Dyn. 14 (1997) 231-247); this
 * form has one unknown less for each contact. Paths that miss are told, and another one is tried.
 *
 * One entry is stored for each basic and each other variable: basic = last columns + T others.
 */
#include "base/status.h"
#include "linalg/vector.h"
#include "solver/solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    TRIES = 4,  /* paths, with other d */
    PIVOTS = 30 /* per contact, on one path; 2 to 15 are usual */
};

/* Contacts, by dimension: that the tableau has room for, 72 bytes times their square; that it
 * solves in the time of other methods. */
static const int most[] = {[2] = 600, [3] = 0}, few[] = {[2] = 250, [3] = 0};

static const double SMALL = 1e-10; /* entries of a column that are rounding */
static const double TIE = 1e-13;   /* of two ratios: the larger pivot is taken */
static const double SHIFT = 1e-9;  /* of p in the first tries, which unties ratios */

static const haw_option lemke_table[] = {HAW_SOLVER_TOLERANCE, HAW_SOLVER_MAX_ITERATIONS, {0}};

/* Variables have numbers: 0 to m - 1 are the left-hand sides, m + i is complementary to i, 2 m is
 * x0. */
typedef struct tableau {
    haw_task *task;
    int n, m;        /* contacts, pairs */
    int columns;     /* m + 3: of the others and x0, then p shifted against ties, and p */
    double *t;       /* [m columns] */
    int *basic;      /* [m] variable of a row */
    int *other;      /* [m + 1] variable of a column */
    int *column;     /* [2 m + 1] of a variable that is not basic */
    const double *w; /* [n] */
} tableau;

static double *row_of(const tableau *x, int i)
{
    return x->t + (ptrdiff_t)x->columns * i;
}

/* ---- the problem ---- */

static haw_status create(haw_task *task, tableau *x)
{
    haw_arena *arena = task->arena;
    const size_t m = 3 * (size_t)task->problem->contacts;
    *x = (tableau){.task = task, .n = task->problem->contacts, .m = (int)m, .columns = (int)m + 3};
    x->t = haw_task_doubles(task, m * (m + 3));
    x->basic = haw_arena_allocate(arena, m, sizeof *x->basic);
    x->other = haw_arena_allocate(arena, m + 1, sizeof *x->other);
    x->column = haw_arena_allocate(arena, 2 * m + 1, sizeof *x->column);
    x->w = haw_task_weights(task);
    return haw_arena_status(arena);
}

/* Between 0 and 1, evenly: the fractions of the multiples of an irrational number. */
static double scatter(int i, int attempt)
{
    const double turn = (i + 1) * 0.6180339887498949 + attempt * 0.7548776662466927 * (i + 1);
    return turn - floor(turn);
}

/* What r_k of contact c does to contact i: s and r_N, scaled by w_c, in its place. */
static void put(tableau *x, int i, int c, int k, const double u[2])
{
    const double mu = x->task->problem->mu[c], scale = 1 / x->w[c];
    for (int j = 0; j < 2; j++) {
        double *row = row_of(x, x->n * j + i);
        row[k * x->n + c] += scale * u[j];
        row[c] -= k == 1 ? mu * scale * u[j] : 0; /* r_T = s - mu r_N */
    }
}

/* From the blocks of W, or by its product with each unit impulse r. */
static void put_all(tableau *x, double *r, double *u)
{
    const haw_problem *problem = x->task->problem;
    const haw_bsr *w = &problem->w;
    const int n = x->n;
    if (problem->global == NULL) {
        for (int i = 0; i < n; i++) {
            for (int b = w->start[i]; b < w->start[i + 1]; b++) {
                const double *block = w->value + (ptrdiff_t)4 * b;
                put(x, i, w->column[b], 0, (const double[]){block[0], block[2]});
                put(x, i, w->column[b], 1, (const double[]){block[1], block[3]});
            }
        }
        return;
    }
    for (int k = 0; k < 2 * n; k++) {
        memset(r, 0, 2 * (size_t)n * sizeof *r);
        r[k] = 1;
        haw_operator_multiply(&x->task->op, r, u);
        for (int i = 0; i < n; i++) {
            put(x, i, k / 2, k % 2, u + 2 * i);
        }
    }
    x->task->effort.products += 2 * n;
    x->task->effort.first_order_flops += 2 * n * x->task->op.flops;
}

static void fill(tableau *x, int attempt, double *r, double *u)
{
    const int n = x->n, m = x->m;
    const double shift = attempt < TRIES / 2 ? SHIFT : 0;
    memset(x->t, 0, (size_t)m * (size_t)x->columns * sizeof *x->t);
    put_all(x, r, u);
    for (int c = 0; c < n; c++) {
        row_of(x, n + c)[2 * n + c] = 1;
        row_of(x, 2 * n + c)[c] = 2 * x->task->problem->mu[c];
        row_of(x, 2 * n + c)[n + c] = -1;
    }
    for (int i = 0; i < m; i++) {
        double *row = row_of(x, i);
        row[m] = 1 + scatter(i, attempt); /* d */
        row[m + 2] = i < 2 * n ? x->task->op.q[2 * (i % n) + i / n] / x->task->v_ref : 0;
        row[m + 1] = row[m + 2] + shift * scatter(i, attempt + 1);
        x->basic[i] = i;
        x->other[i] = m + i;
        x->column[m + i] = i;
    }
    x->other[m] = 2 * m;
    x->column[2 * m] = m;
}

/* ---- pivots ---- */

/* The basic variable of row i and the other one of column j change places. */
static void exchange(tableau *x, int i, int j)
{
    double *own = row_of(x, i);
    const double entry = own[j];
    const int leaves = x->basic[i], columns = x->columns;
    for (int k = 0; k < columns; k++) {
        own[k] /= -entry;
    }
    own[j] = 1 / entry;
    for (int k = 0; k < x->m; k++) {
        double *row = row_of(x, k);
        const double factor = row[j];
        if (k != i && factor != 0) {
            row[j] = 0;
            haw_axpy(columns, factor, own, row);
        }
    }
    x->basic[i] = x->other[j];
    x->other[j] = leaves;
    x->column[leaves] = j;
    x->task->effort.iterations++;
    x->task->effort.newton_flops += 2.0 * x->m * columns;
}

static int complement(const tableau *x, int variable)
{
    return variable < x->m ? variable + x->m : variable - x->m;
}

/* The row that the variable of column j makes zero first as it grows; x0 if it is among them.
 * @return -1: none, the path goes on for ever */
static int find_row(const tableau *x, int j)
{
    const int level = x->m + 1;
    double least = HUGE_VAL;
    int best = -1;
    for (int i = 0; i < x->m; i++) {
        const double *row = row_of(x, i);
        if (row[j] < -SMALL) {
            least = fmin(least, fmax(row[level], 0) / -row[j]);
        }
    }
    for (int i = 0; i < x->m; i++) {
        const double *row = row_of(x, i);
        if (!(row[j] < -SMALL) || fmax(row[level], 0) / -row[j] > least + TIE) {
            continue;
        }
        if (x->basic[i] == 2 * x->m) {
            return i;
        }
        best = best < 0 || row[j] < row_of(x, best)[j] ? i : best;
    }
    return best;
}

/* The first pivot: x0 becomes as large as makes all sides positive. @return -1: they are */
static int find_first(const tableau *x)
{
    const int m = x->m;
    double least = 0;
    int first = -1;
    for (int i = 0; i < m; i++) {
        const double *row = row_of(x, i);
        const double ratio = row[m + 1] / row[m];
        if (ratio < least) {
            least = ratio;
            first = i;
        }
    }
    return first;
}

/* r from the basic variables, by p without its shift. */
static void read_impulses(const tableau *x, double *r)
{
    const int n = x->n, m = x->m;
    memset(r, 0, 2 * (size_t)n * sizeof *r);
    for (int i = 0; i < m; i++) {
        const int variable = x->basic[i] - m;
        if (variable >= 0 && variable < 2 * n) {
            r[2 * (variable % n) + variable / n] = fmax(row_of(x, i)[m + 2], 0);
        }
    }
    for (int c = 0; c < n; c++) {
        const double mu = x->task->problem->mu[c], normal = r[2 * c];
        const double tangential = fmin(r[2 * c + 1], 2 * mu * normal) - mu * normal;
        r[2 * c] = normal * x->task->v_ref / x->w[c];
        r[2 * c + 1] = tangential * x->task->v_ref / x->w[c];
    }
}

/* Tells the observer, often at first. */
static void tell(tableau *x, int pivots, double *r, double *u)
{
    enum { EVERY = 32 };

    if (pivots % EVERY == 0 || (pivots < EVERY && (pivots & (pivots - 1)) == 0)) {
        read_impulses(x, r);
        (void)haw_task_natural(x->task, r, u);
    }
}

/* @return whether x0 = 0 was reached */
static bool follow(tableau *x, double *r, double *u)
{
    const int m = x->m;
    int row = find_first(x), column = m;
    if (row < 0) {
        return true;
    }
    for (int k = 0; row >= 0 && k < PIVOTS * x->n && !haw_task_exhausted(x->task); k++) {
        const int leaves = x->basic[row];
        exchange(x, row, column);
        tell(x, k + 1, r, u);
        if (leaves == 2 * m) {
            return true;
        }
        column = x->column[complement(x, leaves)];
        row = find_row(x, column);
    }
    return false;
}

/*
 * s - mu r_N loses digits where mu is large; steps of `newton` from there, where all regimes are
 * known, do not.
 */
static haw_status polish(haw_task *task, double *r)
{
    const haw_budget budget = {8, HUGE_VAL};
    haw_solver_settings newton = {.ops = &haw_solver_newton};
    haw_options_init(haw_solver_newton.row.options, newton.options);
    const haw_status status = haw_task_delegate(task, &newton, &budget, r);
    return status == HAW_ERR_SINGULAR ? HAW_OK : status;
}

bool haw_lemke_pays(const haw_problem *problem)
{
    return problem->contacts <= few[problem->dimension];
}

/* One path. @param trial  out: where it ended  @param natural  out: its residual, infinite for a
 * ray */
static haw_status try_path(tableau *x, int attempt, double *trial, double *u, double *natural)
{
    haw_task *task = x->task;
    *natural = HUGE_VAL;
    fill(x, attempt, trial, u);
    if (haw_task_exhausted(task) || !follow(x, trial, u)) {
        return HAW_OK;
    }
    read_impulses(x, trial);
    *natural = haw_task_natural(task, trial, u);
    if (*natural > task->tolerance) {
        HAW_TRY(polish(task, trial));
        *natural = haw_task_natural(task, trial, u);
    }
    return HAW_OK;
}

static haw_status lemke_solve(haw_task *task, const void *options, double *r)
{
    const int n = task->problem->contacts;
    tableau x;
    (void)options;
    if (n > most[task->problem->dimension]) {
        return haw_fail(
            task->context, HAW_ERR_INPUT,
            "lemke takes problems of the plane with at most %d contacts (found %d, in %d "
            "dimensions); choose another solver",
            most[2], n, task->problem->dimension);
    }
    double *trial = haw_task_doubles(task, 2 * (size_t)n);
    double *u = haw_task_doubles(task, 2 * (size_t)n);
    HAW_TRY(haw_arena_status(task->arena));
    double best = haw_task_natural(task, r, u);
    if (best <= task->tolerance || !(best <= DBL_MAX)) {
        return HAW_OK;
    }
    HAW_TRY(create(task, &x));
    for (int k = 0; k < TRIES && best > task->tolerance; k++) {
        double natural;
        HAW_TRY(try_path(&x, k, trial, u, &natural));
        if (natural < best) {
            best = natural;
            memcpy(r, trial, 2 * (size_t)n * sizeof *r);
        }
    }
    return HAW_OK;
}

const haw_solver_ops haw_solver_lemke = {
    .row.name = "lemke",
    .row.summary = "direct, in the plane: Lemke's pivots, whatever the rank of W",
    .row.source = "M. Anitescu, F. A. Potra, Nonlinear Dyn. 14 (1997) 231-247",
    .row.options = lemke_table,
    .row.options_size = sizeof(haw_solver_common),
    .solve = lemke_solve,
};
