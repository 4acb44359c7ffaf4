/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Planar elements of a rope whose mesh moves along the material (arbitrary Lagrangian-Eulerian):
 * the labels s1, s2 (unstrained arc length [m]) of an element's ends are coordinates of their own.
 * A material point has the label s for ever; at fixed s
 *
 *     v = dr/dt = J q',   J = dr/dq (the columns of the labels carry the convection),
 *     dv/dt = J q'' + gamma,   gamma = J' q',
 *
 * and d'Alembert's principle over the material now between s1 and s2 gives
 *
 *     M = int rho A J^T J ds,   inertia forces = M q'' + int rho A J^T gamma ds.
 *
 * (J. L. Escalona, Multibody Syst. Dyn. 2024, with Lagrange's equations over moving limits replaced
 * by d'Alembert's principle: they differ by the flux through the limits.) Forces are those of the
 * virtual work at fixed labels of the material, Q = -int [N d(eps) + M d(kappa)] ds.
 *
 * Order of coordinates: ale-cubic [r1, r1', r2, r2', s1, s2], primes d/ds; alem-span
 * [r1, r2, a_1.., b_1.., s1, s2], a axial and b transverse amplitudes. Velocities the same.
 */
#ifndef HAWSER_ELEMENT_ALE_H
#define HAWSER_ELEMENT_ALE_H

#include "base/status.h"

enum { HAW_ALE_MODES = 8, HAW_ALE_DOFS = 24 };

/* Section of the rope, per unstrained length. */
typedef struct haw_ale_section {
    double stiffness;         /* EA [N] */
    double bending;           /* EI [N m^2], 0: a string */
    double density;           /* rho A [kg/m] */
    double damping_strain;    /* N += this times d(eps)/dt at fixed label [N s] */
    double damping_curvature; /* M += this times d(kappa)/dt [N m^2 s] */
    double gravity[2];        /* [m/s^2] */
} haw_ale_section;

/* A material point. */
typedef struct haw_ale_point {
    double x[2], v[2];         /* position, material velocity */
    double slope[2];           /* r' = dr/ds */
    double bend[2];            /* r'' */
    double slope_rate[2];      /* d(r')/dt at fixed label */
    double gamma[2];           /* convective acceleration J' q' */
    double j[2][HAW_ALE_DOFS]; /* dr/dq, all coordinates of the element */
} haw_ale_point;

/* What is wanted of a point besides x and slope. */
typedef enum haw_ale_want {
    HAW_ALE_PLACE = 0,
    HAW_ALE_MOTION = 1,   /* v, slope_rate; needs u */
    HAW_ALE_JACOBIAN = 2, /* j */
    HAW_ALE_GAMMA = 4,    /* gamma; needs u */
    HAW_ALE_BEND = 8      /* bend */
} haw_ale_want;

typedef struct haw_ale_axial {
    double strain;    /* |r'| - 1 */
    double tension;   /* EA eps + damping [N] */
    double curvature; /* r' x r'' / |r'|^3 [1/m] */
} haw_ale_axial;

typedef struct haw_ale_ops haw_ale_ops;

/* A kind with its numbers of modes. */
typedef struct haw_ale_kind {
    const haw_ale_ops *ops;
    int modes[2]; /* alem-span: axial and transverse; 0 of ale-cubic */
    int dofs;     /* of one element */
} haw_ale_kind;

struct haw_ale_ops {
    const char *name;
    /** Degrees of freedom with these modes. */
    int (*dofs)(const int modes[2]);
    /** The point of label s; outside of [s1, s2] the element's own continuation. @param u may be
     * NULL without MOTION and GAMMA */
    void (*point)(const haw_ale_kind *kind, double s, const double *q, const double *u, int want,
                  haw_ale_point *point);
    /** energy[0] += elastic, energy[1] += gravity [J]. */
    void (*energy)(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                   double energy[2]);
    /** [J], from the material velocity field. */
    double (*kinetic)(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                      const double *u);
    /** f [dofs] += elastic and gravity forces, d [dofs] += those of the damping; rows of the labels
     * included. */
    void (*force)(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                  const double *u, double *f, double *d);
    /** y [dofs] += M a + int rho A J^T gamma ds, a the second time derivatives of q. */
    void (*inertia)(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                    const double *u, const double *a, double *y);
    /** m [dofs^2] = M, row-major. */
    void (*mass)(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                 double *m);
    /**
     * k [dofs^2] = factor[0] M + factor[1] C + K, row-major: K, C the derivatives of -(f + d) to q
     * and u, exact in rows and columns that are not labels; rows and columns of the labels are left
     * 0. The derivative of the inertia forces to q and u is left out: convection is slow against
     * waves.
     */
    void (*tangent)(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                    const double *u, const double factor[2], double *k);
    /** Axial state at label s. @param u  NULL: without damping */
    void (*axial)(const haw_ale_kind *kind, const haw_ale_section *section, double s,
                  const double *q, const double *u, haw_ale_axial *axial);
    /** Mean tension of the element, by its own quadrature [N]. @param u  or NULL */
    double (*tension_mean)(const haw_ale_kind *kind, const haw_ale_section *section,
                           const double *q, const double *u);
};

extern const haw_ale_ops haw_ale_cubic, haw_alem_span;

#endif
