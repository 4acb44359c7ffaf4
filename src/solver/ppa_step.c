/* SPDX-License-Identifier: BSD-3-Clause */
#include "solver/ppa_step.h"

#include "base/status.h"
#include "solver/smoothing.h"
#include "solver/solver.h"

#include <math.h>
#include <string.h>

static const double armijo = 1e-3; /* relative decrease of the norm per step */

haw_status haw_ppa_inner_create(haw_task *task, haw_ppa_inner *inner)
{
    const int n = task->problem->contacts, d = task->problem->dimension;
    const size_t rows = (size_t)n * (size_t)d, blocks = rows * (size_t)d;
    haw_ppa_inner *k = inner;
    double **const vectors[] = {&k->center, &k->r,     &k->u,      &k->dr, &k->du,
                                &k->r_try,  &k->u_try, &k->r_best, &k->g};

    *inner =
        (haw_ppa_inner){.task = task, .n = n, .d = d, .bytes = rows * sizeof(double), .c = 1.0};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = haw_task_doubles(task, rows);
        if (*vectors[i] == NULL) {
            return HAW_ERR_NOMEM;
        }
    }
    k->w = haw_task_weights(task);
    k->a = haw_task_doubles(task, blocks);
    k->b = haw_task_doubles(task, blocks);
    if (k->w == NULL || k->a == NULL || k->b == NULL) {
        return HAW_ERR_NOMEM;
    }
    return haw_newton_system_create(task, k->w, &k->system);
}

void haw_ppa_inner_release(haw_ppa_inner *inner)
{
    haw_newton_system_release(inner->system);
}

/* The norm |g| at r, u; with `a` also g, its derivatives and the largest |g_c| of the iterate. */
static double measure(haw_ppa_inner *k, const double *r, const double *u, bool derive)
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
static haw_status find_step(haw_ppa_inner *k)
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
static bool search(haw_ppa_inner *k, double highest, int halvings)
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

static void accept(haw_ppa_inner *k)
{
    memcpy(k->r, k->r_try, k->bytes);
    memcpy(k->u, k->u_try, k->bytes);
    (void)measure(k, k->r, k->u, true);
}

/* Newton steps; `best` follows the smallest `largest`, whose iterate r_best has. */
static haw_status iterate(haw_ppa_inner *k, const haw_ppa_rule *rule, double *best, int *steps)
{
    double history[HAW_PPA_MEMORY];

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
        accept(k);
        if (k->largest < *best) {
            *best = k->largest;
            memcpy(k->r_best, k->r, k->bytes);
        }
    }
    return HAW_OK;
}

haw_status haw_ppa_descend(haw_ppa_inner *inner, const haw_ppa_rule *rule, int *steps)
{
    *steps = 0;
    (void)measure(inner, inner->r, inner->u, true);
    double best = inner->largest;

    memcpy(inner->r_best, inner->r, inner->bytes);
    const haw_status status = iterate(inner, rule, &best, steps);

    memcpy(inner->r, inner->r_best, inner->bytes);
    inner->largest = best;
    return status;
}
