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

#include "solver/cone.h"

#include <float.h>

/* (w (r - P_K(r - u^/w)) / v_ref)^2 of one contact; not finite if w or mu is not valid. */
static inline double defect_2d(const double *block, double mu, const double *r, const double *u,
                               double v_ref)
{
    const double w = 0.5 * (block[0] + block[3]);
    const double step = 1.0 / w, weight = w / v_ref;
    const double x[2] = {r[0] - step * (u[0] + mu * fabs(u[1])), r[1] - step * u[1]};
    double p[2];

    haw_cone_project_2d(mu, x, p);
    const double a = weight * (r[0] - p[0]), b = weight * (r[1] - p[1]);

    const bool valid = w > 0.0 && mu >= 0.0 && mu <= DBL_MAX && fabs(u[0]) + fabs(u[1]) <= DBL_MAX;

    return valid ? a * a + b * b : HUGE_VAL;
}

static inline double defect_3d(const double *block, double mu, const double *r, const double *u,
                               double v_ref)
{
    const double w = (block[0] + block[4] + block[8]) / 3.0;
    const double step = 1.0 / w, weight = w / v_ref;
    const double slip = sqrt(u[1] * u[1] + u[2] * u[2]);
    const double x[3] = {r[0] - step * (u[0] + mu * slip), r[1] - step * u[1], r[2] - step * u[2]};
    double p[3];

    haw_cone_project_3d(mu, x, p);
    const double a = weight * (r[0] - p[0]), b = weight * (r[1] - p[1]), c = weight * (r[2] - p[2]);

    const bool valid = w > 0.0 && mu >= 0.0 && mu <= DBL_MAX && fabs(u[0]) + slip <= DBL_MAX;

    return valid ? a * a + b * b + c * c : HUGE_VAL;
}

double haw_referee_natural(const haw_operator *op, double v_ref, const double *r, const double *u)
{
    const haw_problem *p = op->problem;
    double worst = 0.0;
    bool finite = true;

    for (int c = 0; c < p->contacts; c++) {
        const double *block = haw_operator_block(op, c);
        const ptrdiff_t row = (ptrdiff_t)p->dimension * c;
        const double defect = p->dimension == 2
                                  ? defect_2d(block, p->mu[c], r + row, u + row, v_ref)
                                  : defect_3d(block, p->mu[c], r + row, u + row, v_ref);

        finite = finite && defect <= DBL_MAX;
        worst = defect > worst ? defect : worst;
    }
    return finite ? sqrt(worst) : HUGE_VAL;
}

double haw_referee_stop(const haw_operator *op, double v_ref, const double *r, const double *u)
{
    const haw_problem *p = op->problem;
    double stop = haw_referee_natural(op, v_ref, r, u);

    for (int c = 0; c < p->contacts; c++) {
        const double approach = -0.1 * u[(ptrdiff_t)p->dimension * c] / v_ref;

        stop = approach > stop ? approach : stop;
    }
    return stop;
}

double haw_referee_reference(const haw_operator *op)
{
    const haw_problem *problem = op->problem;
    const int d = problem->dimension;
    double square = 0.0;

    for (int c = 0; c < problem->contacts; c++) {
        const double *q = op->q + (ptrdiff_t)d * c;
        const double s = q[0] * q[0] + q[1] * q[1] + (d == 3 ? q[2] * q[2] : 0.0);

        square = s <= square ? square : s;
        if (s != s) {
            return NAN;
        }
    }
    double v_ref = sqrt(square);

    if (square < 1.0e-280 || square > 1.0e280) { /* squares leave the range of doubles */
        v_ref = 0.0;
        for (int i = 0; i < problem->contacts * d; i += d) {
            const double t = d == 3 ? hypot(op->q[i + 1], op->q[i + 2]) : op->q[i + 1];
            const double v = hypot(op->q[i], t);

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
    const double slip = d == 2 ? fabs(u[1]) : sqrt(u[1] * u[1] + u[2] * u[2]);
    double hat[3] = {0}, x[3] = {0}, map[3], foot[3] = {0}, cone = 0.0, work = 0.0;
    double gap;

    for (int i = 0; i < d; i++) {
        hat[i] = i == 0 ? u[0] + p->mu[c] * slip : u[i];
        x[i] = r[i] - hat[i];
    }
    haw_cone_project(d, p->mu[c], x, map);
    haw_cone_project(d, p->mu[c], r, foot);
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

static bool all_zero(int count, const double *x)
{
    for (int i = 0; i < count; i++) {
        if (x[i] != 0.0) {
            return false;
        }
    }
    return true;
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
        residual->natural = all_zero(d * problem->contacts, r) ? 0.0 : HUGE_VAL;
    }
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

    *residual = (haw_residual){.natural = HUGE_VAL, .relative = HUGE_VAL};
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
    if (dimension == 2) {
        haw_cone_project_2d(mu, x, p);
    } else {
        haw_cone_project_3d(mu, x, p);
    }
}
