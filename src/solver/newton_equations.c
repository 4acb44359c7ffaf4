/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations of a contact, and the rules of the steps. */
#include "solver/cone.h"
#include "solver/newton.h"

#include <math.h>
#include <string.h>

/* ---- the equations ---- */

/* The tangential argument x: its direction n = x/|x| and k = mu max(a, 0)/|x|. */
typedef struct tangent {
    double k, n[2];
} tangent;

static haw_contact_state classify(const haw_contact_equations *e, const double *s, const double *u,
                                  tangent *t)
{
    const double a = s[0] - e->rho * u[0];
    double x[3] = {0.0};

    for (int i = 1; i < e->d; i++) {
        x[i] = s[i] - e->rho * u[i];
    }
    const double length = haw_tangent_norm(e->d, x);

    *t = (tangent){0};
    if (!(a > 0.0)) {
        return HAW_CONTACT_OPEN;
    }
    if (length <= e->mu * a && e->mu > 0.0) {
        return HAW_CONTACT_STICK;
    }
    if (length > 0.0) { /* else mu = 0 and the disk is a point: g_T = s_T/rho */
        t->k = e->mu * a / length;
        t->n[0] = x[1] / length;
        t->n[1] = x[2] / length;
    }
    return HAW_CONTACT_SLIP;
}

haw_contact_state haw_newton_residual(const haw_contact_equations *e, const double *s,
                                      const double *u, double *g)
{
    tangent t;
    const haw_contact_state state = classify(e, s, u, &t);

    g[0] = state == HAW_CONTACT_OPEN ? s[0] / e->rho : u[0];
    for (int i = 1; i < e->d; i++) {
        switch (state) {
        case HAW_CONTACT_OPEN:
            g[i] = s[i] / e->rho;
            break;
        case HAW_CONTACT_STICK:
            g[i] = u[i];
            break;
        case HAW_CONTACT_SLIP:
            g[i] = (s[i] - t.k * (s[i] - e->rho * u[i])) / e->rho;
            break;
        }
    }
    return state;
}

/* rho dg_T = ds_T - P (ds_T - rho du_T) - mu n (ds_N - rho du_N) with P = k (I - n n^T). */
static void slip_rows(const haw_contact_equations *e, const tangent *t, double *a, double *b)
{
    const int d = e->d;

    for (int i = 1; i < d; i++) {
        b[d * i] = -e->mu * t->n[i - 1] / e->rho;
        a[d * i] = e->mu * t->n[i - 1];
        for (int j = 1; j < d; j++) {
            const double unit = i == j ? 1.0 : 0.0;
            const double p = t->k * (unit - t->n[i - 1] * t->n[j - 1]);

            b[d * i + j] = (unit - p) / e->rho;
            a[d * i + j] = p;
        }
    }
}

haw_contact_state haw_newton_jacobian(const haw_contact_equations *e, const double *s,
                                      const double *u, double *g, double *a, double *b)
{
    const int d = e->d;
    tangent t;
    const haw_contact_state state = haw_newton_residual(e, s, u, g);

    memset(a, 0, (size_t)(d * d) * sizeof *a);
    memset(b, 0, (size_t)(d * d) * sizeof *b);
    for (int i = 0; i < d; i++) {
        a[d * i + i] = state == HAW_CONTACT_OPEN ? 0.0 : 1.0;
        b[d * i + i] = state == HAW_CONTACT_OPEN ? 1.0 / e->rho : 0.0;
    }
    if (state == HAW_CONTACT_SLIP) {
        (void)classify(e, s, u, &t);
        slip_rows(e, &t, a, b);
    }
    return state;
}

/* ---- the course of a run ---- */

enum {
    MEMORY = sizeof((haw_newton_course){0}.history) / sizeof(double),
    CRAWL = 2 /* steps that hardly help before alpha rises */
};

static const double armijo = 1e-4;      /* decrease of the squared norm per step */
static const double alpha_felt = 1e-6;  /* below it a front is on its own */
static const double alpha_range = 10.0; /* largest alpha, times that of the first step */

double haw_newton_highest(haw_newton_course *course)
{
    double highest = 0.0;

    course->history[course->steps++ % MEMORY] = course->norm * course->norm;
    for (int i = 0; i < MEMORY && i < course->steps; i++) {
        highest = fmax(highest, course->history[i]);
    }
    return highest;
}

bool haw_newton_accepts(double highest, double t, double square_norm)
{
    return square_norm <= highest * (1.0 - 2.0 * armijo * t);
}

/* The factors are empirical, counts of steps depend on them little. */
void haw_newton_adapt(haw_newton_course *course, double start, double least)
{
    const double ratio = course->norm / course->last_norm;

    if (course->cut < 0.3) { /* half way back to the start, in orders of magnitude */
        course->alpha = fmax(course->alpha, sqrt(fmax(course->alpha, 1e-16) * start));
    } else {
        course->alpha *= fmin(fmax(0.3 * sqrt(ratio), 0.1), 2.0);
    }
    if (course->changed == 0 && ratio < 0.5) { /* the states are right: converge as Newton does */
        course->alpha *= 0.01;
    }
    course->alpha = fmin(fmax(course->alpha, least), alpha_range * start);
    const bool crawls = course->alpha <= alpha_felt && course->changed > 0 && ratio > 0.8;

    course->crawl = crawls ? course->crawl + 1 : 0;
    if (course->crawl == CRAWL) {
        course->alpha = 0.1 * start;
        course->crawl = 0;
    }
}
