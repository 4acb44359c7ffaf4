/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The referee: one formula for every solver,
 *
 *     natural = max_c | w_c ( r_c - P_K( r_c - u^_c / w_c ) ) | / v_ref,  w_c = trace(W_cc)/d,
 *
 * the natural map of K* contains u^ perpendicular to r in K with the step 1/w_c, which makes it a
 * velocity over a velocity (Acary, Brogliato: Numerical Methods for Nonsmooth Dynamical Systems).
 */
#include "solver/referee.h"

#include "linalg/inline.h"
#include "solver/cone.h"

#include <float.h>

/* (w (r - P_K(r - u^/w)) / v_ref)^2 of one contact; not finite if w or mu is not valid. */
static HAW_INLINE double defect(int d, double w, double mu, const double *r, const double *u,
                                double v_ref)
{
    const double step = 1.0 / w, weight = w / v_ref, slip = haw_tangent_norm(d, u);
    double x[3] = {0.0}, p[3], sum = 0.0;

    x[0] = r[0] - step * (u[0] + mu * slip);
    for (int i = 1; i < d; i++) {
        x[i] = r[i] - step * u[i];
    }
    haw_cone_foot(d, mu, x, p);
    for (int i = 0; i < d; i++) {
        const double part = weight * (r[i] - p[i]);

        sum += part * part;
    }
    const bool valid = w > 0.0 && mu >= 0.0 && mu <= DBL_MAX && fabs(u[0]) + slip <= DBL_MAX;

    return valid ? sum : HUGE_VAL;
}

/* The largest over all contacts, squared. */
static HAW_INLINE double worst_defect(int d, const haw_operator *op, double v_ref, const double *r,
                                      const double *u)
{
    const haw_problem *p = op->problem;
    double worst = 0.0;
    bool finite = true;

    for (int c = 0; c < p->contacts; c++) {
        const ptrdiff_t row = (ptrdiff_t)d * c;
        const double found =
            defect(d, haw_operator_weight(op, d, c), p->mu[c], r + row, u + row, v_ref);

        finite = finite && found <= DBL_MAX;
        worst = found > worst ? found : worst;
    }
    return finite ? worst : HUGE_VAL;
}

double haw_referee_natural(const haw_operator *op, double v_ref, const double *r, const double *u)
{
    return sqrt(HAW_BY_DIMENSION(op->problem->dimension, worst_defect, op, v_ref, r, u));
}

/* A tenth of the largest approach velocity over v_ref, at least `least`. */
static double approach(const haw_problem *p, double v_ref, const double *u, double least)
{
    for (int c = 0; c < p->contacts; c++) {
        const double speed = -0.1 * u[(ptrdiff_t)p->dimension * c] / v_ref;

        least = speed > least ? speed : least;
    }
    return least;
}

double haw_referee_stop(const haw_operator *op, double v_ref, const double *r, const double *u)
{
    return approach(op->problem, v_ref, u, haw_referee_natural(op, v_ref, r, u));
}

double haw_referee_reference(const haw_operator *op)
{
    const haw_problem *problem = op->problem;
    const int d = problem->dimension;
    double square = 0.0;

    for (int c = 0; c < problem->contacts; c++) {
        double s = 0.0;

        for (int i = d * c; i < d * (c + 1); i++) {
            s += op->q[i] * op->q[i];
        }
        square = s <= square ? square : s;
        if (s != s) {
            return NAN;
        }
    }
    double v_ref = sqrt(square);

    if (square < 1.0e-280 || square > 1.0e280) { /* squares leave the range of doubles */
        v_ref = 0.0;
        for (int i = 0; i < problem->contacts * d; i += d) {
            double v = 0.0;

            for (int k = d - 1; k >= 0; k--) {
                v = hypot(op->q[i + k], v);
            }
            v_ref = v > v_ref ? v : v_ref;
        }
    }
    return problem->scale <= v_ref ? v_ref : problem->scale;
}

typedef struct sums {
    double q, r, u, map; /* squared Euclidean norms */
} sums;

/* The measures beside `natural` of one contact, with the unscaled map r - P_K(r - u^). */
static void measure(const haw_operator *op, int c, const double *r, const double *u, sums *sum,
                    haw_residual *residual)
{
    const haw_problem *p = op->problem;
    const int d = p->dimension;
    const double *q = op->q + (ptrdiff_t)d * c;
    const double slip = haw_tangent_norm(d, u);
    double hat[3] = {0}, x[3] = {0}, map[3], foot[3] = {0}, cone = 0.0, work = 0.0;
    double gap;

    for (int i = 0; i < d; i++) {
        hat[i] = i == 0 ? u[0] + p->mu[c] * slip : u[i];
        x[i] = r[i] - hat[i];
    }
    haw_cone_foot(d, p->mu[c], x, map);
    haw_cone_foot(d, p->mu[c], r, foot);
    for (int i = 0; i < d; i++) {
        const double m = r[i] - map[i], v = r[i] - foot[i];

        sum->map += m * m;
        sum->q += q[i] * q[i];
        sum->r += r[i] * r[i];
        sum->u += u[i] * u[i];
        cone += v * v;
        work += r[i] * hat[i];
    }
    gap = foot[0] * (fmax(u[0], 0.0) + p->mu[c] * slip);
    for (int i = 1; i < d; i++) {
        gap += foot[i] * u[i];
    }
    residual->bipotential += gap;
    residual->cone = fmax(residual->cone, sqrt(cone));
    residual->complementarity = fmax(residual->complementarity, fabs(work));
    residual->normal_min = fmin(residual->normal_min, u[0]);
}

void haw_referee_measure(const haw_operator *op, const double *r, const double *u,
                         haw_residual *residual)
{
    const haw_problem *problem = op->problem;
    const int d = problem->dimension;
    const double v_ref = haw_referee_reference(op);
    sums sum = {0};

    *residual = (haw_residual){0};
    residual->natural = haw_referee_natural(op, v_ref > 0.0 ? v_ref : 1.0, r, u);
    if (!(v_ref <= DBL_MAX)) {
        residual->natural = HUGE_VAL;
    } else if (v_ref == 0.0 && residual->natural <= DBL_MAX) {
        residual->natural = 0.0;
        for (int i = 0; i < d * problem->contacts; i++) {
            residual->natural = r[i] != 0.0 ? HUGE_VAL : residual->natural;
        }
    }
    residual->stop =
        v_ref > 0.0 ? approach(problem, v_ref, u, residual->natural) : residual->natural;
    for (int c = 0; c < problem->contacts; c++) {
        measure(op, c, r + (ptrdiff_t)d * c, u + (ptrdiff_t)d * c, &sum, residual);
    }
    const double norm = sqrt(fmax(sum.q, fmax(sum.r, sum.u)));

    residual->relative = norm == 0.0 ? 0.0 : sqrt(sum.map) / norm;
    if (!(residual->natural <= DBL_MAX && residual->relative <= DBL_MAX)) {
        residual->relative = HUGE_VAL;
    }
}

haw_status haw_problem_residual(haw_context *context, const haw_problem *problem, const double *r,
                                double *u, haw_residual *residual)
{
    haw_arena arena;
    haw_operator op;

    *residual = (haw_residual){.natural = HUGE_VAL, .stop = HUGE_VAL, .relative = HUGE_VAL};
    haw_arena_init(&arena, context);
    const haw_status status = haw_operator_create(&arena, problem, &op);

    if (status == HAW_OK) {
        haw_operator_velocity(&op, r, u);
        haw_referee_measure(&op, r, u, residual);
        haw_operator_release(&op);
    }
    haw_arena_fini(&arena);
    return status;
}

void haw_cone_project(int dimension, double mu, const double *x, double *p)
{
    haw_cone_foot(dimension, mu, x, p);
}
