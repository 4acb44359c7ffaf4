/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Alart-Curnier equations of one contact, in velocities: with s = w r, w = trace(W_cc)/d, and
 * a pure number c > 0,
 *
 *     a = s_N - c u_N,  x = s_T - c u_T,
 *     g_N = (s_N - max(a, 0))/c,  g_T = (s_T - x min(1, mu max(a, 0)/|x|))/c,
 *
 * whose zeros are the solutions (P. Alart, A. Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991)
 * 353-375, with rho = c/w). All of it scales with the unit of velocity alone.
 */
#ifndef HAWSER_SOLVER_NEWTON_RESIDUAL_H
#define HAWSER_SOLVER_NEWTON_RESIDUAL_H

typedef enum haw_contact_state {
    HAW_CONTACT_OPEN,
    HAW_CONTACT_STICK,
    HAW_CONTACT_SLIP
} haw_contact_state;

/**
 * g of one contact.
 *
 * @param d     2 or 3
 * @param s, u  [d] scaled impulse and velocity
 * @param g     [d] out
 */
haw_contact_state haw_newton_residual(int d, double mu, double c, const double *s, const double *u,
                                      double *g);

/**
 * The same with an element of the generalized Jacobian, dg = a du + b ds.
 *
 * @param a, b  [d d] out, row-major
 */
haw_contact_state haw_newton_jacobian(int d, double mu, double c, const double *s, const double *u,
                                      double *g, double *a, double *b);

#endif
