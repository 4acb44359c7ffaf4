/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A start for the contact problems of a step, by Newton's method on mechanics and contact at once.
 * With impulses L of the iteration before and masses rho (P. Alart, A. Curnier, Comput. Methods
 * Appl. Mech. Eng. 92 (1991) 353-375)
 *
 *     Lambda_N = max(0, L_N - rho_N (gamma_N + c_N)),
 *     Lambda_T = L_T - rho_T (gamma_T + c_T) within -+ mu Lambda_N,
 *
 * the residual M (u+ - u) - h f - H Lambda(u+) has the matrix A + H D H^T, D = -dLambda/dgamma,
 * which stays in the band of the elements: contacts cost what compliant ones cost. L moves to
 * Lambda where open, stick and slip are those that the matrix assumed (a proximal point method:
 * more points than degrees of freedom, whose impulses are not unique, do it no harm). What the
 * referee says of the result decides; where this does not converge the solver starts from the
 * impulses of the last step.
 */
#include "stepper/moreau_jean.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 40, WIDTH = HAW_ELEMENT_DOFS_MAX + 3 };

typedef enum regime { OPEN = -2, BACKWARD = -1, STICK = 0, FORWARD = 1 } regime;

typedef struct prox {
    haw_jean_step *step;
    int count;
    double beta, part;
    double *mass;                  /* [2 count] rho */
    double *center;                /* [2 count] L */
    double *gamma;                 /* [2 count] gamma+ + c */
    signed char *assumed, *regime; /* [count] of the matrix, of the iterate */
} prox;

static haw_status create(haw_jean_step *step, prox *p)
{
    haw_arena *arena = &step->jean->arena;
    const size_t n = (size_t)step->simulation->contacts->count;
    *p = (prox){.step = step, .count = (int)n};
    p->mass = haw_arena_allocate(arena, 2 * n, sizeof(double));
    p->center = haw_arena_allocate(arena, 2 * n, sizeof(double));
    p->gamma = haw_arena_allocate(arena, 2 * n, sizeof(double));
    p->assumed = haw_arena_allocate(arena, n, 1);
    p->regime = haw_arena_allocate(arena, n, 1);
    return p->mass != NULL && p->center != NULL && p->gamma != NULL && p->assumed != NULL &&
                   p->regime != NULL
               ? HAW_OK
               : HAW_ERR_NOMEM;
}

/* Impulses of the iterate into contacts->impulse, H Lambda into push. */
static void project_(prox *p, bool branch)
{
    haw_simulation *simulation = p->step->simulation;
    haw_contacts *contacts = simulation->contacts;
    haw_contacts_velocity(contacts, simulation->u_plus, p->gamma);
    for (int i = 0; i < p->count; i++) {
        double *gamma = p->gamma + 2 * i, *impulse = contacts->impulse + 2 * i;
        const double *mass = p->mass + 2 * i, *center = p->center + 2 * i;
        gamma[0] += p->step->jean->shift[2 * i];
        gamma[1] += p->step->jean->shift[2 * i + 1];
        const double normal = center[0] - mass[0] * gamma[0];
        const double tangential = center[1] - mass[1] * gamma[1];
        impulse[0] = fmax(normal, 0);
        const double bound = contacts->problem.mu[i] * impulse[0];
        impulse[1] = fmax(-bound, fmin(tangential, bound));
        if (branch) {
            const int r = p->regime[i];
            impulse[0] = r == OPEN ? 0 : normal;
            impulse[1] = r == OPEN    ? 0
                         : r == STICK ? tangential
                                      : r * contacts->problem.mu[i] * normal;
            continue;
        }
        const int slip = tangential > bound ? FORWARD : tangential < -bound ? BACKWARD : STICK;
        p->regime[i] = (signed char)(normal > 0 ? slip : OPEN);
    }
    memset(simulation->push, 0, (size_t)simulation->model.dofs * sizeof(double));
    haw_contacts_apply(contacts, contacts->impulse, simulation->push);
    haw_model_tie(&simulation->model, simulation->push);
}

static void project(prox *p)
{
    project_(p, false);
}

static void guess_regimes(prox *p)
{
    const haw_contacts *contacts = p->step->simulation->contacts;
    for (int i = 0; i < p->count; i++) {
        const double *l = p->center + 2 * i;
        const double bound = contacts->problem.mu[i] * l[0] * (1 - 1e-6);
        p->regime[i] = (signed char)(!(l[0] > 0)      ? OPEN
                                     : l[1] >= bound  ? FORWARD
                                     : l[1] <= -bound ? BACKWARD
                                                      : STICK);
    }
}

/* rho = beta / sum_a H_a^2 / A_aa, a lower bound of 1 / W_cc but for beta. */
static void find_masses(prox *p, double beta)
{
    const haw_simulation *simulation = p->step->simulation;
    const haw_system *system = simulation->implicit->system;
    const double *value = haw_bordered_value(system->matrix);
    const double ahead = p->step->theta * p->step->h;
    for (int i = 0; i < p->count; i++) {
        const haw_contact *c = &simulation->contacts->item[i];
        for (int k = 0; k < 2; k++) {
            double sum = 0;
            for (int a = 0; a < c->width + 3; a++) {
                const int dof = a < c->width ? c->owner + a : c->body + a - c->width;
                const double x = a < c->width ? c->row[k][a] : c->body_row[k][a - c->width];
                const int e = system->equation[dof];
                if (e >= 0) {
                    sum += x * x / fabs(value[haw_bordered_place(system->matrix, e, e)]);
                }
            }
            p->mass[2 * i + k] = beta * ahead * ahead / sum;
        }
    }
}

/* Matrix += H D H^T of one point, over (theta h)^2. */
static void add_point(prox *p, int i, double scale)
{
    const haw_simulation *simulation = p->step->simulation;
    haw_system *system = simulation->implicit->system;
    const haw_contact *c = &simulation->contacts->item[i];
    const haw_pair *pair = &simulation->model.pair[c->pair];
    const double *mass = p->mass + 2 * i;
    const int regime = p->regime[i], n = c->width + 3;
    double row[2][WIDTH], left[WIDTH], k[WIDTH * WIDTH];
    for (int r = 0; r < 2; r++) {
        memcpy(row[r], c->row[r], (size_t)c->width * sizeof(double));
        memcpy(row[r] + c->width, c->body_row[r], 3 * sizeof(double));
    }
    const double bent = regime == STICK ? 0 : regime * simulation->contacts->problem.mu[i];
    const double tangential = regime == STICK ? scale * mass[1] : 0;
    for (int a = 0; a < n; a++) {
        left[a] = scale * mass[0] * (row[0][a] + bent * row[1][a]);
    }
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++) {
            k[a * n + b] = left[a] * row[0][b] + tangential * row[1][a] * row[1][b];
        }
    }
    if (pair->cable >= 0) {
        const haw_cable *cable = &simulation->model.cable[pair->cable];
        haw_system_add_contact(system, pair->cable,
                               (c->owner - cable->first) / cable->line.ops->stride, pair->body, k);
        return;
    }
    for (int ab = 0; ab < n * n; ab++) {
        const int a = ab / n, b = ab % n;
        haw_system_add(system, a < 3 ? c->owner + a : c->body + a - 3,
                       b < 3 ? c->owner + b : c->body + b - 3, k[ab]);
    }
}

static haw_status factor(prox *p, bool first, double beta)
{
    haw_simulation *simulation = p->step->simulation;
    haw_implicit *implicit = simulation->implicit;
    const double rate = 1 / (p->step->theta * p->step->h);
    haw_system_clear(implicit->system);
    haw_system_add_model(implicit->system, implicit->q, p->step->jean->u_theta, rate * rate, rate);
    if (first) {
        find_masses(p, beta);
        if (getenv("GUESS")) {
            guess_regimes(p);
            project_(p, true);
        } else
            project(p);
        HAW_TRY(haw_jean_evaluate(p->step));
    }
    memcpy(p->assumed, p->regime, (size_t)p->count);
    for (int i = 0; i < p->count; i++) {
        if (p->regime[i] != OPEN) {
            add_point(p, i, rate * rate);
        }
    }
    simulation->certificate.factorizations++;
    return haw_system_factor(implicit->system);
}

/* Largest velocity by which the impulses still want to change, and L <- Lambda. */
static double move_center(prox *p)
{
    const haw_contacts *contacts = p->step->simulation->contacts;
    double most = 0;
    for (int i = 0; i < 2 * p->count; i++) {
        const double change = fabs(contacts->impulse[i] - p->center[i]) / p->mass[i];
        most = change > most ? change : most;
        p->center[i] = contacts->impulse[i];
    }
    return most;
}

static haw_status newton(prox *p)
{
    haw_jean_step *step = p->step;
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    const int n = simulation->model.dofs;
    const double rate = 1 / (step->theta * step->h);
    double *direction = implicit->direction;
    for (int i = 0; i < n; i++) {
        direction[i] = -rate * rate * implicit->residual[i];
    }
    haw_system_solve(implicit->system, direction);
    haw_axpy(n, 1, direction, simulation->u_plus);
    simulation->certificate.newton_iterations++;
    project(p);
    const double before = step->norm;
    HAW_TRY(haw_jean_evaluate(step));
    double part = 1;
    const int ls = getenv("LS") ? atoi(getenv("LS")) : 6;
    for (int k = 0; k < ls && !(step->norm <= (1 - 1e-4 * part) * before); k++) {
        part *= 0.5;
        haw_axpy(n, -part, direction, simulation->u_plus);
        project(p);
        HAW_TRY(haw_jean_evaluate(step));
    }
    p->part = part;
    return HAW_OK;
}

static double target(const prox *p)
{
    haw_solver_common common;
    const haw_simulation *simulation = p->step->simulation;
    double reference = simulation->contacts->problem.scale;
    memcpy(&common, simulation->settings.solver.options, sizeof common);
    for (int i = 0; i < 2 * p->count; i++) {
        reference = fmax(reference, simulation->contacts->impulse[i] * p->beta / p->mass[i]);
    }
    return 0.1 * common.tolerance * reference;
}

static void scale_masses(prox *p, double factor)
{
    p->beta *= factor;
    for (int i = 0; i < 2 * p->count; i++) {
        p->mass[i] *= factor;
    }
}

static haw_status run(prox *p, bool *done)
{
    haw_jean_step *step = p->step;
    const double bmax = getenv("BMAX") ? atof(getenv("BMAX")) : 1e4;
    const double up = getenv("UP") ? atof(getenv("UP")) : 10;
    const int verbose = getenv("VERB") != NULL;
    int pending = 0;
    p->beta = getenv("BETA") ? atof(getenv("BETA")) : 1e2;
    memcpy(p->center, step->simulation->contacts->impulse, 2 * (size_t)p->count * sizeof(double));
    for (int k = 0; k < ITERATIONS; k++) {
        HAW_TRY(factor(p, k == 0, p->beta));
        HAW_TRY(newton(p));
        int changes = 0;
        for (int i = 0; i < p->count; i++)
            changes += p->assumed[i] != p->regime[i];
        const int lim = getenv("LIM") ? atoi(getenv("LIM")) : 0;
        const bool settled = changes <= lim;
        double left = NAN;
        if (!isfinite(step->norm)) {
            return HAW_OK;
        }
        if (settled) {
            left = move_center(p);
            *done =
                left <= target(p) && changes == 0 && step->norm <= 100 * haw_jean_tolerance(step);
        }
        if (verbose)
            fprintf(stderr,
                    "  %d: part %g beta %g changes %d norm %.3g (tol %.3g) left %.3g (%.3g)\n", k,
                    p->part, p->beta, changes, step->norm, haw_jean_tolerance(step), left,
                    target(p));
        if (*done)
            return HAW_OK;
        if (settled) {
            pending = 0;
            if (p->beta < bmax)
                scale_masses(p, up);
        } else if (++pending > 5) {
            pending = 0;
            scale_masses(p, 0.1);
        } else
            continue;
        project(p);
        HAW_TRY(haw_jean_evaluate(step));
    }
    return HAW_OK;
}

haw_status haw_jean_warm(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    const size_t bytes = 2 * (size_t)simulation->contacts->count * sizeof(double);
    prox p;
    bool done = false;
    HAW_TRY(create(step, &p));
    double *start = haw_arena_allocate(&step->jean->arena, bytes, 1);
    if (start == NULL) {
        return HAW_ERR_NOMEM;
    }
    memcpy(start, simulation->contacts->impulse, bytes);
    const haw_status status = run(&p, &done);
    if (status == HAW_ERR_NOMEM || done) {
        return status;
    }
    if (getenv("VERB"))
        fprintf(stderr, "FAILED\n");
    memcpy(simulation->contacts->impulse, start, bytes);
    haw_jean_predict(step);
    return haw_jean_evaluate(step);
}
