/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One contact inside its cones. With slack velocities y_N, y_T for u_N, u_T, a bound l of the slip
 * and R = mu s_N the law asks for
 *
 *     y = u,   s_N y_N = t,   R l + s_T . y_T = 2 t,   R y_T + l s_T = 0
 *
 * with s_N, y_N > 0, R > |s_T|, l > |y_T| and t = 0: the last two are x o z = 2 t (1, 0) of two
 * vectors of the second-order cone (F. Alizadeh, D. Goldfarb, Math. Program. 95 (2003) 3-51). For
 * t > 0 every contact carries some force and slips a little, whatever their number: impulses are
 * unique where those of t = 0 are not. s, u, y, l are velocities, t is their square.
 */
#ifndef HAWSER_SOLVER_INTERIOR_H
#define HAWSER_SOLVER_INTERIOR_H

typedef struct haw_interior {
    int d; /* 2 or 3 */
    double mu;
    double alpha;          /* proximal term: the equations of a step have u + alpha ds for u */
    double t;              /* twice the work of a contact */
    const double *s;       /* [d] scaled impulse w r */
    const double *u;       /* [d] */
    const double *z;       /* [d + 1] y, l */
    const double *ds, *dz; /* of the step before from the same place, whose products correct this
                              one (S. Mehrotra, SIAM J. Optim. 2 (1992) 575-601); NULL: none */
} haw_interior;

/**
 * Newton's equations without the slack, a (du + alpha ds) + b ds = -g.
 *
 * @param g     [d] out
 * @param a, b  [d d] out, row-major
 */
void haw_interior_equations(const haw_interior *contact, double *g, double *a, double *b);

/** What a step of s and u does to the slack. @param dz  [d + 1] out */
void haw_interior_slack(const haw_interior *contact, const double *ds, const double *du,
                        double *dz);

/** The part of a step that ends at the edge of a cone; may be HUGE_VAL. */
double haw_interior_room(const haw_interior *contact, const double *ds, const double *dz);

/** s_N y_N + R l + s_T . y_T, 3 t where the equations hold, of s + part ds and z + part dz. */
double haw_interior_gap(const haw_interior *contact, double part, const double *ds,
                        const double *dz);

/** Product of two steps in the metric of the logarithmic barriers: in the plane the sum of the
 * products of the relative changes of s_N, y_N, R -+ s_T and l -+ y_T. */
double haw_interior_product(const haw_interior *contact, const double *ds, const double *dz,
                            const double *es, const double *ez);

#endif
