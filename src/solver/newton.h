/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Alart-Curnier equations of one contact, in velocities: with s = w r, w = trace(W_cc)/d, and
 * a pure number rho > 0,
 *
 *     a = s_N - rho u_N,   g_N = (s_N - max(a, 0)) / rho,
 *     x = s_T - rho u_T,   g_T = (s_T - x min(1, mu max(a, 0) / |x|)) / rho,
 *
 * whose zeros are the solutions (P. Alart, A. Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991)
 * 353-375, with rho/w for their rho). All of it scales with the unit of velocity alone.
 */
#ifndef HAWSER_SOLVER_NEWTON_H
#define HAWSER_SOLVER_NEWTON_H

#include "solver/newton_system.h"

typedef enum haw_contact_state {
    HAW_CONTACT_OPEN,
    HAW_CONTACT_STICK,
    HAW_CONTACT_SLIP
} haw_contact_state;

typedef struct haw_contact_equations {
    int d; /* 2 or 3 */
    double mu;
    double rho; /* times w, a pure number > 0 */
} haw_contact_equations;

/**
 * g of one contact.
 *
 * @param s, u  [d] scaled impulse and velocity
 * @param g     [d] out
 */
haw_contact_state haw_newton_residual(const haw_contact_equations *e, const double *s,
                                      const double *u, double *g);

/**
 * The same with an element of the generalized Jacobian, dg = a du + b ds.
 *
 * @param a, b  [d d] out, row-major
 */
haw_contact_state haw_newton_jacobian(const haw_contact_equations *e, const double *s,
                                      const double *u, double *g, double *a, double *b);

/* ---- the course of a run, for the row `newton` and the method in a band ---- */

typedef struct haw_newton_course {
    double alpha;           /* proximal term of the next step */
    double norm, last_norm; /* |g| now and before the last step */
    double history[8];      /* squared norms that the line search may return to */
    int steps;              /* in the history */
    double cut;             /* factor of the last step; 0: the line search gave up */
    int changed;            /* contacts whose state the last step changed */
    int crawl;              /* steps in a row that hardly helped though alpha was small */
} haw_newton_course;

/**
 * Begin a non-monotone line search (L. Grippo, F. Lampariello, S. Lucidi, SIAM J. Numer. Anal. 23
 * (1986) 707-716): the largest of the last squared norms has to decrease. @return it
 */
double haw_newton_highest(haw_newton_course *course);

/** Whether a step times t may be taken, by the squared norm behind it. */
bool haw_newton_accepts(double highest, double t, double square_norm);

/** alpha for the next step: falls with the residual, rises where steps are cut or a front crawls.
 * @param start, least  of the first step; smallest alpha */
void haw_newton_adapt(haw_newton_course *course, double start, double least);

/* ---- a run of the row, for newton.c and its tests ---- */

typedef struct haw_newton {
    haw_task *task;
    haw_newton_system *system;
    double first_rho, first_alpha; /* options: times 1/w_c; times w_c, of the first step */
    int n, d;                      /* contacts, dimension */
    double *w;                     /* [n] trace(W_cc)/d */
    double *r, *u, *dr, *du;       /* [n d] iterate, velocities W r + q; the step */
    double *r_trial, *u_trial, *r_best;
    double *g, *a, *b;        /* [n d], [n d d], [n d d]: residual and its derivatives */
    haw_contact_state *state; /* [n] */
    double rho;               /* at present */
    haw_newton_course course;
    double natural, best; /* what the referee says of the iterate, and of r_best */

    /* When it ends, and when it starts again. */
    int iterations;
    int met_at;      /* step at which the tolerance was met first; -1: not yet */
    double progress; /* norm that counts as progress, and the step that reached it */
    int progress_at;
    int restarts;
} haw_newton;

/** g and its generalized Jacobian at r, u; the norm, and how many contacts changed state. */
void haw_newton_evaluate(haw_newton *k);

/** Ask the referee about the iterate; remember the best one. */
void haw_newton_judge(haw_newton *k);

/**
 * One step: linear system, line search, evaluation, and the alpha of the next step.
 * @return ERR_SINGULAR, ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_newton_advance(haw_newton *k);

#endif
