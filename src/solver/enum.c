/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exact reference for up to three contacts: all combinations of open, sticking and slipping
 * contacts, each solved by itself. The first whose solution satisfies the natural map to rounding
 * is returned, else the best one. A combination is a system of equations,
 *
 *     open: r = 0;   stick: u = 0;   slip: u_N = 0, r = p (cos phi, -sin phi e), u_T x e = 0,
 *
 * with tan phi = mu and the direction of slip e. In the plane e = +-1 is one more state and the
 * system linear; in space e = (cos theta, sin theta) and Newton's method starts from some theta.
 *
 * Where W is singular the impulses of a combination need not be unique, and those found need not be
 * admissible: proximal steps r <- solution for (W + a I, q - a r), each by enumeration, lead to
 * admissible ones (R. T. Rockafellar, SIAM J. Control Optim. 14 (1976) 877-898).
 */
#include "base/status.h"
#include "solver/cone.h"
#include "solver/solver.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { CONTACTS_MAX = 3, ROWS_MAX = 3 * CONTACTS_MAX };

enum { OPEN, STICK, SLIP, SLIP_BACK };

/* The problem, scaled: impulses by w_c = trace(W_cc)/d, velocities by v_ref. */
typedef struct enumeration {
    haw_task *task;
    int d, n;
    bool turns; /* the direction of slip is an angle; else it has two values, each a state */
    double w[ROWS_MAX][ROWS_MAX], q[ROWS_MAX]; /* W / w_c of the column, q / v_ref */
    double mu[CONTACTS_MAX], cosine[CONTACTS_MAX], sine[CONTACTS_MAX]; /* phi */
    double best, best_r[ROWS_MAX];
} enumeration;

/* One combination. The unknowns of contact c begin at d c: r if it sticks, (p, theta) if it slips;
 * the equations likewise. What a state leaves over stays as it is. */
typedef struct combination {
    int state[CONTACTS_MAX];
    bool held; /* theta is not moved */
    double p[CONTACTS_MAX], theta[CONTACTS_MAX],
        e[CONTACTS_MAX][2]; /* e: cosine and sine of theta */
    double r[ROWS_MAX], u[ROWS_MAX];
} combination;

static const haw_option enum_table[] = {HAW_SOLVER_TOLERANCE, HAW_SOLVER_MAX_ITERATIONS, {0}};

static const double sufficient = 32.0 * DBL_EPSILON; /* rounding of the natural map */

/* ---- one combination ---- */

/* Whether theta_c is an unknown. */
static bool is_turning(const enumeration *s, const combination *k, int c)
{
    return k->state[c] == SLIP && s->turns && s->mu[c] > 0.0;
}

static bool active(const enumeration *s, const combination *k, int c, int i)
{
    if (k->state[c] == OPEN || k->state[c] == STICK) {
        return k->state[c] == STICK;
    }
    return i == 0 || (i == 1 && is_turning(s, k, c) && !k->held);
}

/* u = W r + q */
static void find_velocity(const enumeration *s, const double *r, double *u)
{
    const int rows = s->d * s->n;

    for (int i = 0; i < rows; i++) {
        u[i] = s->q[i];
        for (int j = 0; j < rows; j++) {
            u[i] += s->w[i][j] * r[j];
        }
    }
}

/* Impulses and velocities of the present unknowns. */
static void evaluate(const enumeration *s, combination *k)
{
    for (int c = 0; c < s->n; c++) {
        double *r = k->r + s->d * c;

        if (k->state[c] == OPEN) {
            memset(r, 0, (size_t)s->d * sizeof *r);
        } else if (k->state[c] != STICK) {
            k->e[c][0] = k->state[c] == SLIP_BACK ? -1.0 : cos(k->theta[c]);
            k->e[c][1] = sin(k->theta[c]);
            r[0] = k->p[c] * s->cosine[c];
            for (int i = 1; i < s->d; i++) {
                r[i] = -k->p[c] * s->sine[c] * k->e[c][i - 1];
            }
        }
    }
    find_velocity(s, k->r, k->u);
}

/* du by unknown j of contact c. */
static void derivative(const enumeration *s, const combination *k, int c, int j, double *du)
{
    const int d = s->d;

    for (int i = 0; i < d * s->n; i++) {
        const double *w = s->w[i] + d * c;

        if (k->state[c] == STICK) {
            du[i] = w[j];
        } else if (j == 0) {
            du[i] = s->cosine[c] * w[0];
            for (int t = 1; t < d; t++) {
                du[i] -= s->sine[c] * w[t] * k->e[c][t - 1];
            }
        } else {
            du[i] = k->p[c] * s->sine[c] * (w[1] * k->e[c][1] - w[2] * k->e[c][0]);
        }
    }
}

/* Equation i of contact c on velocities or on their derivative. */
static double equation(const enumeration *s, const combination *k, int c, int i, const double *u)
{
    const double *uc = u + s->d * c;

    if (k->state[c] == STICK || i == 0) {
        return uc[i];
    }
    return uc[1] * k->e[c][1] - uc[2] * k->e[c][0];
}

/* Solution of n equations, a by columns, to x, which holds the right-hand side. Of unknowns that
 * are not determined the smallest. */
static void solve(int n, double *a, double *x)
{
    enum { WORK = 64 * ROWS_MAX };

    double work[WORK];
    lapack_int order[ROWS_MAX] = {0}, rank = 0;

    (void)LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, n, n, 1, a, n, x, n, order, 1.0e-14, &rank, work,
                              WORK);
}

/* The linear system a x = b of Newton's step; what is not active does not move. */
static void linearize(const enumeration *s, const combination *k, double *a, double *b)
{
    const int d = s->d, rows = d * s->n;
    double du[ROWS_MAX] = {0};

    for (int column = 0; column < rows; column++) {
        const int c = column / d, j = column % d;
        const bool moves = active(s, k, c, j);

        if (moves) {
            derivative(s, k, c, j, du);
        }
        for (int i = 0; i < rows; i++) {
            const bool holds = moves && active(s, k, i / d, i % d);

            a[rows * column + i] = holds         ? equation(s, k, i / d, i % d, du)
                                   : i == column ? 1.0
                                                 : 0.0;
        }
        if (moves && k->state[c] == SLIP && j == 1) { /* e turns with theta too */
            a[(rows + 1) * column] += k->u[d * c + 1] * k->e[c][0] + k->u[d * c + 2] * k->e[c][1];
        }
        b[column] = moves ? -equation(s, k, c, j, k->u) : 0.0;
    }
}

/* @return largest change of an unknown */
static double newton_step(const enumeration *s, combination *k)
{
    double a[ROWS_MAX * ROWS_MAX], x[ROWS_MAX] = {0}, change = 0.0;

    linearize(s, k, a, x);
    solve(s->d * s->n, a, x);
    for (int c = 0; c < s->n; c++) {
        const double *dx = x + s->d * c;

        for (int i = 0; i < s->d; i++) {
            k->r[s->d * c + i] += dx[i];
            change = fmax(change, fabs(dx[i]));
        }
        k->p[c] += dx[0];
        k->theta[c] += is_turning(s, k, c) ? fmax(-1.0, fmin(1.0, dx[1])) : 0.0;
    }
    evaluate(s, k);
    s->task->effort.factorizations++;
    s->task->effort.newton_flops += 0.7 * pow(s->d * s->n, 3.0);
    return change;
}

/*
 * From the directions of slip theta to a solution r, u of the combination, admissible or not.
 *
 * @param turns  how often theta is first set to the direction of the velocity that it leaves
 */
static void solve_combination(const enumeration *s, combination *k, int turns)
{
    enum { STEPS = 30 };

    bool turning = false;

    evaluate(s, k);
    k->held = true;
    for (int c = 0; c < s->n; c++) {
        turning = turning || is_turning(s, k, c);
    }
    (void)newton_step(s, k);
    for (int i = 0; turning && i < turns; i++) {
        for (int c = 0; c < s->n; c++) {
            k->theta[c] = atan2(k->u[s->d * c + 2], k->u[s->d * c + 1]);
        }
        evaluate(s, k);
        (void)newton_step(s, k);
    }
    k->held = false;
    for (int i = 0; i < (turning ? STEPS : 1); i++) { /* without turns: refine the solution */
        if (!(newton_step(s, k) > 2.0 * DBL_EPSILON)) {
            break;
        }
    }
}

/* ---- all of them ---- */

/* r - P_K(r - u^), the largest of all contacts. */
static double natural(const enumeration *s, const double *r, const double *u)
{
    double worst = 0.0;

    for (int c = 0; c < s->n; c++) {
        const double *rc = r + s->d * c, *uc = u + s->d * c;
        double x[3] = {0.0}, foot[3], slip = 0.0, square = 0.0;

        for (int i = 1; i < s->d; i++) {
            slip = hypot(slip, uc[i]);
        }
        for (int i = 0; i < s->d; i++) {
            x[i] = rc[i] - uc[i] - (i == 0 ? s->mu[c] * slip : 0.0);
        }
        haw_cone_foot(s->d, s->mu[c], x, foot);
        for (int i = 0; i < s->d; i++) {
            square += (rc[i] - foot[i]) * (rc[i] - foot[i]);
        }
        worst = fmax(worst, sqrt(square));
    }
    return worst;
}

/* Keep r, projected onto the cones, if it is the best so far. */
static void consider(enumeration *s, const double *r)
{
    double foot[ROWS_MAX] = {0}, u[ROWS_MAX];

    for (int c = 0; c < s->n; c++) {
        haw_cone_foot(s->d, s->mu[c], r + s->d * c, foot + s->d * c);
    }
    find_velocity(s, foot, u);
    const double defect = natural(s, foot, u);

    if (defect < s->best) {
        s->best = defect;
        memcpy(s->best_r, foot, sizeof foot);
    }
}

static int count_states(const enumeration *s)
{
    return s->turns ? SLIP + 1 : SLIP_BACK + 1;
}

/* Start `start` of combination `code`: theta from q, or from a lattice. @return false: no such */
static bool begin(const enumeration *s, int code, int start, combination *k)
{
    /* powers of the inverse of the root of x^4 = x + 1, whose multiples fill the cube evenly */
    static const double lattice[CONTACTS_MAX] = {0.8191725133961645, 0.6710436067037893,
                                                 0.5497004779019703};
    const int states = count_states(s);
    bool several = false;

    *k = (combination){.held = true};
    for (int c = 0; c < s->n; c++) {
        k->state[c] = code % states;
        code /= states;
        several = several || is_turning(s, k, c);
        k->theta[c] = start > 0  ? 6.283185307179586 * fmod(start * lattice[c], 1.0)
                      : s->turns ? atan2(s->q[3 * c + 2], s->q[3 * c + 1])
                                 : 0.0;
    }
    return code == 0 && (start == 0 || several);
}

static bool found(const enumeration *s)
{
    return s->best <= sufficient || haw_task_exhausted(s->task);
}

/* One combination, from the starts first <= start < last. */
static void try_combination(enumeration *s, int code, int first, int last)
{
    combination k;

    for (int start = first; start < last && !found(s); start++) {
        if (!begin(s, code, start, &k)) {
            return;
        }
        s->task->effort.iterations++;
        solve_combination(s, &k, start % 2 == 0 ? 3 : 0);
        consider(s, k.r);
    }
}

/* All combinations, first from few directions of slip, then from many. */
static void search(enumeration *s)
{
    enum { FEW = 8, MANY = 80 };

    const int states = count_states(s);
    const int codes = (int)lround(pow(states, s->n));

    for (int code = 0; code < codes; code++) {
        try_combination(s, code, 0, FEW);
    }
    for (int code = 0; code < codes; code++) {
        try_combination(s, code, FEW, MANY);
    }
}

/* Proximal steps, as long as the regular problems have solutions and the residual falls. */
static void search_singular(enumeration *s)
{
    enum { STEPS = 60, PATIENCE = 6 };

    const double weight = 1.0e-3;
    double r[ROWS_MAX] = {0}, best = HUGE_VAL;
    int best_at = 0;

    for (int step = 0; step < STEPS && step - best_at < PATIENCE && !found(s); step++) {
        enumeration inner = *s;

        inner.best = HUGE_VAL;
        for (int i = 0; i < s->d * s->n; i++) {
            inner.w[i][i] += weight;
            inner.q[i] -= weight * r[i];
        }
        search(&inner);
        if (!(inner.best <= 1.0e-6)) {
            return;
        }
        memcpy(r, inner.best_r, sizeof r);
        consider(s, r);
        if (s->best < 0.9 * best) {
            best = s->best;
            best_at = step;
        }
    }
}

/* The scaled problem; W from its products with unit impulses. @param mean  [n] trace(W_cc)/d */
static void enumeration_init(enumeration *s, double *r, double *u, const double *mean)
{
    const haw_operator *op = &s->task->op;
    const int rows = s->d * s->n;

    for (int c = 0; c < s->n; c++) {
        const double mu = s->task->problem->mu[c];

        s->mu[c] = mu;
        s->cosine[c] = 1.0 / hypot(1.0, mu);
        s->sine[c] = mu > 1.0 ? 1.0 / hypot(1.0, 1.0 / mu) : mu * s->cosine[c];
    }
    for (int j = 0; j < rows; j++) {
        memset(r, 0, (size_t)rows * sizeof *r);
        r[j] = 1.0;
        haw_operator_multiply(op, r, u);
        s->q[j] = op->q[j] / s->task->v_ref;
        for (int i = 0; i < rows; i++) {
            s->w[i][j] = u[i] / mean[j / s->d];
        }
    }
    s->task->effort.products += rows;
    s->task->effort.first_order_flops += rows * op->flops;
}

static haw_status enum_solve(haw_task *task, const void *options, double *r)
{
    const int d = task->problem->dimension, n = task->problem->contacts;
    enumeration s = {.task = task, .d = d, .n = n, .turns = d == 3, .best = HUGE_VAL};
    double unit[ROWS_MAX], u[ROWS_MAX];

    (void)options;
    if (n > CONTACTS_MAX) {
        return haw_fail(task->context, HAW_ERR_INPUT,
                        "enum takes at most %d contacts (found %d); choose another solver",
                        CONTACTS_MAX, n);
    }
    const double start = haw_task_natural(task, r, u);

    if (start <= task->tolerance || !(start <= DBL_MAX)) {
        return HAW_OK;
    }
    const double *mean = haw_task_weights(task);

    if (mean == NULL) {
        return HAW_ERR_NOMEM;
    }
    enumeration_init(&s, unit, u, mean);
    search(&s);
    search_singular(&s);
    for (int i = 0; i < d * n && s.best <= DBL_MAX; i++) {
        r[i] = s.best_r[i] * task->v_ref / mean[i / d];
    }
    if (!haw_task_exhausted(task)) {
        (void)haw_task_natural(task, r, u);
    }
    return HAW_OK;
}

const haw_solver_ops haw_solver_enum = {
    .row.name = "enum",
    .row.summary =
        "exact reference: all combinations of open, sticking and slipping, up to 3 contacts",
    .row.source = "A. Klarbring, Ing. Arch. 60 (1990) 529-541",
    .row.options = enum_table,
    .row.options_size = sizeof(haw_solver_common),
    .solve = enum_solve,
};
