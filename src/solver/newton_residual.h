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
#ifndef HAWSER_SOLVER_NEWTON_RESIDUAL_H
#define HAWSER_SOLVER_NEWTON_RESIDUAL_H

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

#endif
