/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Proximal point method for hyperstatic problems: with D = alpha w_c and the impulses r_k at hand,
 * the problem of W + D and q - D r_k is solved and r_k moves there (R. T. Rockafellar, SIAM J.
 * Control Optim. 14 (1976) 877-898). W + D is regular where W is not: of all impulses that solve a
 * problem this takes those near the start.
 *
 *   1. Path: the inner problems are smoothed (smoothing.h) by a width that falls together with
 *      alpha, as fast as the Newton steps it takes allow.
 *   2. Where the path ends, steps on the problem itself: alpha falls after a solved inner problem
 *      and rises after a failed one.
 *   3. Where these no longer help, both once more with another augmentation parameter.
 */
#include "base/status.h"
#include "solver/newton_system.h"
#include "solver/smoothing.h"
#include "solver/solver.h"

#include <math.h>
#include <string.h>

/* ---- inner problems ---- */

/*
 * Newton's method on the inner problems: u = W r + q + D (r - center) with D = alpha w_c, and the
 * equations of smoothing.h in it.
 */

enum { MEMORY = 8 }; /* norms that a line search may return to, at most */

typedef struct ppa {
    haw_task *task;
    haw_newton_system *system;
    int n, d;
    size_t bytes;    /* of a vector [n d] */
    double *w;       /* [n] trace(W_cc)/d */
    double alpha;    /* proximal term over w_c */
    double width;    /* of the smoothing [velocity], 0: none */
    double c;        /* of the equations, for alpha = 0 */
    double *center;  /* [n d] */
    double *r, *u;   /* [n d] iterate and W r + q */
    double *dr, *du; /* [n d] step */
    double *r_try, *u_try, *r_best;
    double *g, *a, *b;    /* [n d], [n d d], [n d d] */
    double norm, largest; /* |g| and max_c |g_c| at the iterate [velocity] */
    double *saved, *best; /* [n d] where an inner problem began; the best iterate of all */
    double natural;       /* of that one */
} ppa;

/* When a descent ends, and what its line search accepts. */
typedef struct ppa_rule {
    double goal;  /* on `largest` [velocity] */
    int limit;    /* steps */
    int memory;   /* norms to return to, 1: monotone */
    int halvings; /* of a step */
    bool insists; /* takes the shortest step where none is accepted, rather than to end */
} ppa_rule;

static const double armijo = 1e-3; /* relative decrease of the norm per step */

/* Memory from the task's arena; haw_newton_system_release must run before the arena is reset. */
static haw_status ppa_create(haw_task *task, ppa *k)
{
    const int n = task->problem->contacts, d = task->problem->dimension;
    const size_t rows = (size_t)n * (size_t)d, blocks = rows * (size_t)d;
    double **const vectors[] = {&k->center, &k->r,      &k->u, &k->dr,    &k->du,  &k->r_try,
                                &k->u_try,  &k->r_best, &k->g, &k->saved, &k->best};

    *k = (ppa){.task = task, .n = n, .d = d, .bytes = rows * sizeof(double), .c = 1.0};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = haw_task_doubles(task, rows);
    }
    k->w = haw_task_weights(task);
    k->a = haw_task_doubles(task, blocks);
    k->b = haw_task_doubles(task, blocks);
    HAW_TRY(haw_arena_status(task->arena));
    return haw_newton_system_create(task, k->w, &k->system);
}

/* The norm |g| at r, u; with `a` also g, its derivatives and the largest |g_c| of the iterate. */
static double measure(ppa *k, const double *r, const double *u, bool derive)
{
    haw_smoothing smoothing = {.d = k->d, .c = k->c / (1.0 + k->alpha), .e = k->width};
    const ptrdiff_t d = k->d;
    double sum = 0.0, largest = 0.0;

    for (int c = 0; c < k->n; c++) {
        double s[3], v[3], g[3], square = 0.0;

        for (int i = 0; i < k->d; i++) {
            const ptrdiff_t row = d * c + i;

            s[i] = k->w[c] * r[row];
            v[i] = u[row] + k->alpha * k->w[c] * (r[row] - k->center[row]);
        }
        smoothing.mu = k->task->problem->mu[c];
        haw_smoothing_residual(&smoothing, s, v, g, derive ? k->a + d * d * c : NULL,
                               k->b + d * d * c);
        for (int i = 0; i < k->d; i++) {
            square += g[i] * g[i];
            k->g[d * c + i] = g[i];
        }
        sum += square;
        largest = haw_larger(largest, square);
    }
    if (derive) {
        k->norm = sqrt(sum);
        k->largest = sqrt(largest);
    }
    return sqrt(sum);
}

/* The Newton step from g and its derivatives; alpha ds is a part of du. */
static haw_status find_step(ppa *k)
{
    const int entries = k->n * k->d * k->d;

    for (int i = 0; i < entries; i++) {
        k->b[i] += k->alpha * k->a[i];
    }
    HAW_TRY(haw_newton_system_factor(k->system, k->a, k->b));
    haw_newton_system_solve(k->system, k->g, k->dr, k->du);
    k->task->effort.iterations++;
    return HAW_OK;
}

/* Halve the step until the norm falls below `highest`. @return whether it does */
static bool search(ppa *k, double highest, int halvings)
{
    double t = 1.0;

    for (int i = 0; i <= halvings; i++) {
        for (int row = 0; row < k->n * k->d; row++) {
            k->r_try[row] = k->r[row] + t * k->dr[row];
            k->u_try[row] = k->u[row] + t * k->du[row];
        }
        if (measure(k, k->r_try, k->u_try, false) <= (1.0 - armijo * t) * highest) {
            return true;
        }
        t *= 0.5;
    }
    return false;
}

/* Newton steps; `best` follows the smallest `largest`, whose iterate r_best has. */
static haw_status take_steps(ppa *k, const ppa_rule *rule, double *best, int *steps)
{
    double history[MEMORY];

    while (!(k->largest <= rule->goal) && *steps < rule->limit && k->norm <= DBL_MAX &&
           !haw_task_exhausted(k->task)) {
        double highest = 0.0;

        history[*steps % rule->memory] = k->norm;
        for (int i = 0; i < rule->memory && i <= *steps; i++) {
            highest = haw_larger(highest, history[i]);
        }
        HAW_TRY(find_step(k));
        ++*steps;
        if (!search(k, highest, rule->halvings) && !rule->insists) {
            return HAW_OK;
        }
        memcpy(k->r, k->r_try, k->bytes);
        memcpy(k->u, k->u_try, k->bytes);
        (void)measure(k, k->r, k->u, true);
        if (k->largest < *best) {
            *best = k->largest;
            memcpy(k->r_best, k->r, k->bytes);
        }
    }
    return HAW_OK;
}

/*
 * Newton steps from k->r until the rule ends them; u = W r + q must belong to r. Leaves the
 * best iterate and its `largest`, with neither u nor the derivatives.
 *
 * A linear system that cannot be solved ends them too.
 *
 * @param steps  out: how many
 * @return ERR_NOMEM
 */
static haw_status descend(ppa *k, const ppa_rule *rule, int *steps)
{
    *steps = 0;
    (void)measure(k, k->r, k->u, true);
    double best = k->largest;

    memcpy(k->r_best, k->r, k->bytes);
    const haw_status status = take_steps(k, rule, &best, steps);

    memcpy(k->r, k->r_best, k->bytes);
    k->largest = best;
    return status == HAW_ERR_SINGULAR ? HAW_OK : status;
}

/* ---- the method ---- */

typedef struct ppa_options {
    haw_solver_common common;
    double rho, alpha;
} ppa_options;

static const haw_option ppa_table[] = {
    HAW_SOLVER_TOLERANCE,
    {"max_iterations", HAW_OPTION_INT, offsetof(haw_solver_common, max_iterations), 10000.0, 1.0,
     1.0e9, "", "Newton steps of all inner problems, one factorization each", NULL},
    {"rho", HAW_OPTION_REAL, offsetof(ppa_options, rho), 1.0, 1.0e-6, 1.0e6, "",
     "augmentation parameter, times 1/w_c", NULL},
    {"alpha", HAW_OPTION_REAL, offsetof(ppa_options, alpha), 1.0e-3, 1.0e-12, 1.0e6, "",
     "first proximal term, times w_c", NULL},
    {0},
};

static const double alpha_min = 1e-12, alpha_max = 1e3;

/* residual_natural of the iterate with u afresh; the best one is kept. */
static double judge(ppa *k)
{
    const double natural = haw_task_natural(k->task, k->r, k->u);

    if (natural < k->natural) {
        k->natural = natural;
        memcpy(k->best, k->r, k->bytes);
    }
    return natural;
}

static bool is_over(const ppa *k)
{
    return k->natural <= k->task->tolerance || haw_task_exhausted(k->task);
}

static void return_to(ppa *k, const double *r)
{
    memcpy(k->r, r, k->bytes);
    haw_task_velocity(k->task, r, k->u);
}

/* ---- the path ---- */

enum {
    PATH_FIRST = 30,   /* Newton steps for the first point of the path */
    PATH_STEPS = 20,   /* and for every other one */
    PATH_HALVINGS = 9, /* of a Newton step */
    PATH_REFUSED = 2   /* widths in a row that cannot be reached: the path ends */
};

/* Widths over v_ref and their ratio from one point to the next. */
static const double width_min = 1e-13, width_max = 1e4;
static const double cut_first = 0.1, cut_min = 0.01, cut_max = 0.8;
static const double on_path = 0.3; /* largest |g_c| of a point over its width */

typedef struct path {
    double width, last; /* of the point aimed at, of the one reached */
    double cut;         /* from the last to the next */
    bool begun;
    int refused;
} path;

/* Few Newton steps: the next width may fall faster; many: slower. */
static void advance(path *p, int steps)
{
    if (steps <= 4) {
        p->cut = fmax(p->cut * p->cut * (steps <= 2 ? 0.5 : 1.0), cut_min);
    } else if (steps > 8) {
        p->cut = fmin(sqrt(p->cut), cut_max);
    }
    p->last = p->width;
    p->width *= p->cut;
    p->begun = true;
    p->refused = 0;
}

static void retreat(path *p)
{
    if (p->begun) {
        p->cut = sqrt(p->cut);
        p->width = p->last * p->cut;
        p->refused++;
    } else {
        p->width *= 10.0;
    }
}

/* @param alpha  first proximal term over w_c */
static haw_status follow_path(ppa *k, double alpha)
{
    path at = {.width = fmin(1.0, k->natural), .cut = cut_first};

    while (!is_over(k) && at.refused < PATH_REFUSED && at.width >= width_min &&
           at.width <= width_max) {
        const ppa_rule rule = {.goal = on_path * at.width * k->task->v_ref,
                               .limit = at.begun ? PATH_STEPS : PATH_FIRST,
                               .memory = 1,
                               .halvings = PATH_HALVINGS};
        int steps;

        memcpy(k->saved, k->r, k->bytes);
        memcpy(k->center, k->r, k->bytes);
        k->alpha = fmax(alpha * at.width, alpha_min);
        k->width = at.width * k->task->v_ref;
        HAW_TRY(descend(k, &rule, &steps));
        if (k->largest <= rule.goal) {
            (void)judge(k);
            advance(&at, steps);
        } else {
            return_to(k, k->saved);
            retreat(&at);
        }
    }
    return HAW_OK;
}

/* ---- proximal point steps ---- */

enum {
    INNER_HALVINGS = 3,
    PATIENCE = 1500 /* Newton steps without a residual 10 % below the best one: the round ends */
};

static const double shrink = 0.2, grow = 4.0; /* of alpha after success and failure */
static const double inner_share = 0.01;       /* inner tolerance over the outer residual */
static const double floor_share = 1e-3;       /* and over the one asked for, at least */

/*
 * A round: its augmentation parameter, times that of the options, and the Newton steps of an inner
 * problem. What takes more steps will hardly be solved at all, and another parameter leads through
 * other sequences of contact states.
 */

typedef struct ppa_round {
    double rho;
    int steps;
} ppa_round;

static const ppa_round rounds[] = {{1.0, 12}, {10.0, 40}, {0.1, 12}};

static haw_status step_outside(ppa *k, int limit, double *natural)
{
    const double tolerance =
        fmax(inner_share * fmin(*natural, 1.0), floor_share * k->task->tolerance);
    const ppa_rule rule = {.goal = tolerance * k->task->v_ref,
                           .limit = limit,
                           .memory = MEMORY,
                           .halvings = INNER_HALVINGS,
                           .insists = true};
    int steps;

    memcpy(k->saved, k->r, k->bytes);
    memcpy(k->center, k->r, k->bytes);
    HAW_TRY(descend(k, &rule, &steps));
    const bool solved = k->largest <= rule.goal;
    const double reached = judge(k);

    k->alpha = solved ? fmax(k->alpha * shrink, alpha_min) : fmin(k->alpha * grow, alpha_max);
    if (solved || reached < *natural) {
        *natural = reached;
    } else {
        return_to(k, k->saved);
    }
    return HAW_OK;
}

static haw_status step_on(ppa *k, double alpha, int limit)
{
    const int *steps = &k->task->effort.iterations;
    double natural = k->natural, progress = k->natural;
    int progress_at = *steps;

    return_to(k, k->best);
    k->width = 0.0;
    k->alpha = alpha;
    while (!is_over(k) && natural <= DBL_MAX && *steps - progress_at < PATIENCE) {
        const int before = *steps;

        HAW_TRY(step_outside(k, limit, &natural));
        if (k->natural < 0.9 * progress) {
            progress = k->natural;
            progress_at = *steps;
        }
        /* The inner problems are solved where they begin, or cannot be begun. */
        if (*steps == before && (k->alpha <= alpha_min || k->alpha >= alpha_max)) {
            break;
        }
    }
    return HAW_OK;
}

/* ---- the row ---- */

static haw_status ppa_solve(haw_task *task, const void *options, double *r)
{
    const ppa_options *o = options;
    ppa k;
    haw_status status = ppa_create(task, &k);

    if (status == HAW_OK) {
        k.natural = HUGE_VAL;
        memcpy(k.best, r, k.bytes);
        memcpy(k.r, r, k.bytes);
        (void)judge(&k);
        for (size_t i = 0; status == HAW_OK && i < sizeof rounds / sizeof *rounds && !is_over(&k);
             i++) {
            k.c = o->rho * rounds[i].rho;
            status = follow_path(&k, o->alpha);
            status = status == HAW_OK ? step_on(&k, o->alpha, rounds[i].steps) : status;
        }
        memcpy(r, k.best, k.bytes);
    }
    haw_newton_system_release(k.system);
    return status;
}

const haw_solver_ops haw_solver_ppa = {
    .row.name = "ppa",
    .row.summary = "proximal point method on a path of smoothed problems, for singular W",
    .row.source = "R. T. Rockafellar, SIAM J. Control Optim. 14 (1976) 877-898",
    .row.options = ppa_table,
    .row.options_size = sizeof(ppa_options),
    .solve = ppa_solve,
};
