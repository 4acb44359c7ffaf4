/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Modal span of a rope in space, with twist. Coordinates q: r1 [3], r2 [3], amplitudes a (axial),
 * b, c (transverse), twists theta1, theta2, labels s1, s2; velocities the same. With L = s2 - s1,
 * eta = (s - s1) / L, d = r2 - r1 = l e1 and the triad (e1, e2, e3),
 *
 *     r = r1 + eta d + U e1 + V e2 + W e3,   theta = (1 - eta) theta1 + eta theta2,
 *
 * U, V, W sums of a_k, b_k, c_k times sin k pi eta. The triad is the smallest rotation from a
 * reference kept by the element: singular where e1 turns back on itself, hence renewed from time
 * to time. Everything else is as in ale.h: velocities and virtual work at fixed labels, so that
 * d(theta)/dt carries convection as well. Per unstrained length
 *
 *     T = EA eps + c theta',   M_t = GJ theta' + c eps,   M = EI kappa,
 *     eps = |r'| - 1,   kappa = r' x r'' / |r'|^3,
 *
 * where c couples stretch and twist of a wire rope, and the kinetic energy has rho J_p / 2 times
 * (d theta/dt)^2: twist is measured from the triad, whose own turn about e1 is left out.
 *
 * (J. L. Escalona, Multibody Syst. Dyn. 2024; see ale.h.)
 */
#ifndef HAWSER_ELEMENT_ALEM_SPACE_H
#define HAWSER_ELEMENT_ALEM_SPACE_H

#include "element/ale.h"

enum { HAW_ALEM_SPACE_DOFS = 10 + 3 * HAW_ALE_MODES };

/* Section of the rope, per unstrained length. */
typedef struct haw_alem_space_section {
    double stiffness;         /* EA [N] */
    double bending;           /* EI [N m^2] */
    double torsion;           /* GJ [N m^2] */
    double coupling;          /* c [N m] */
    double density;           /* rho A [kg/m] */
    double rotary;            /* rho J_p [kg m] */
    double damping_strain;    /* T += this times d(eps)/dt [N s] */
    double damping_curvature; /* M += this times d(kappa)/dt [N m^2 s] */
    double damping_twist;     /* M_t += this times d(theta')/dt [N m^2 s] */
    double gravity[3];        /* [m/s^2] */
} haw_alem_space_section;

typedef struct haw_alem_space {
    int modes[3];    /* axial, and along both normals */
    double triad[9]; /* reference: rotation, row-major, columns e1, e2, e3 */
} haw_alem_space;

/* A material point; see haw_ale_point. */
typedef struct haw_alem_space_point {
    double x[3], v[3];
    double slope[3], bend[3]; /* r', r'' */
    double gamma[3];
    double j[3][HAW_ALEM_SPACE_DOFS]; /* dr/dq */
    double twist, twist_rate;         /* theta [rad], d(theta)/dt */
    double twist_gamma;
    double j_twist[HAW_ALEM_SPACE_DOFS];
} haw_alem_space_point;

int haw_alem_space_dofs(const haw_alem_space *kind);

/** A reference along the span of q, e2 as near to the direction `up` as it can be (not along it).
 */
void haw_alem_space_start(haw_alem_space *kind, const double *q, const double up[3]);

/** Make the present triad of q the reference: nothing moves, and the triad does not turn about e1
 * from now on, to first order. */
void haw_alem_space_renew(haw_alem_space *kind, const double *q);

/** All of the point of label s. */
void haw_alem_space_point_at(const haw_alem_space *kind, double s, const double *q, const double *u,
                             haw_alem_space_point *point);

/** energy[0] += elastic, energy[1] += gravity [J]. */
void haw_alem_space_energy(const haw_alem_space *kind, const haw_alem_space_section *section,
                           const double *q, double energy[2]);
double haw_alem_space_kinetic(const haw_alem_space *kind, const haw_alem_space_section *section,
                              const double *q, const double *u);

/** f [dofs] += elastic and gravity forces, d [dofs] += those of the damping. */
void haw_alem_space_force(const haw_alem_space *kind, const haw_alem_space_section *section,
                          const double *q, const double *u, double *f, double *d);

/** y [dofs] += M a + int (rho A J^T gamma + rho J_p J_t^T gamma_t) ds. */
void haw_alem_space_inertia(const haw_alem_space *kind, const haw_alem_space_section *section,
                            const double *q, const double *u, const double *a, double *y);

/** m [dofs^2] = M, row-major. */
void haw_alem_space_mass(const haw_alem_space *kind, const haw_alem_space_section *section,
                         const double *q, double *m);

#endif
