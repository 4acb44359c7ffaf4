/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What every planar cable element answers. One row per kind in table.c; the generic tests loop
 * over the table. The degrees of freedom of element e are contiguous:
 * q[stride e] ... q[stride e + dofs - 1]; the position of node e is always q[stride e], [+1].
 * Kernels take plain pointers to the cable's own part of q and u, allocate nothing, and work on a
 * whole cable where the inner loop matters.
 */
#ifndef HAWSER_ELEMENT_ELEMENT_H
#define HAWSER_ELEMENT_ELEMENT_H

#include "base/status.h"

enum { HAW_ELEMENT_DOFS_MAX = 8, HAW_GAUSS_MAX = 5, HAW_HULL_MAX = 4, HAW_NATURAL_MAX = 8 };

struct haw_element_ops;

/* Gauss rule on [0, 1] with the derivatives of the basis at its points. */
typedef struct haw_quadrature {
    int points;
    double s[HAW_GAUSS_MAX], weight[HAW_GAUSS_MAX];
    double slope[HAW_GAUSS_MAX][HAW_HULL_MAX]; /* b_a'(s), cubic Bernstein */
} haw_quadrature;

/* One cable, as its element kind sees it; immutable after the build. */
typedef struct haw_line {
    const struct haw_element_ops *ops;
    int elements;
    int dofs;          /* stride * elements + dofs of the last node */
    double le;         /* unstrained element length [m] */
    double stiffness;  /* EA [N] */
    double density;    /* [kg/m] */
    double gravity[3]; /* [m/s^2] */
    bool slack;        /* N = max(0, EA eps) */
    haw_quadrature rule;
    bool closed; /* node `elements` is a copy of node 0; who moves one moves both */
    /* Of elements with bending stiffness: */
    double bending;           /* EI [N m^2] */
    double damping_strain;    /* N += this times d(eps)/dt [N s] */
    double damping_curvature; /* M += this times d(kappa)/dt [N m^2 s] */
    double strain0;           /* reference strain */
    double curvature0;        /* reference curvature [1/m] */
    int scheme;               /* haw_scheme */
    const double *natural; /* [elements][HAW_NATURAL_MAX] strains and curvatures of the stress-free
                              shape at the points of the rule, added to the two above; or NULL */
} haw_line;

/* Axial state at a material point. */
typedef struct haw_axial {
    double strain;    /* eps [1] */
    double tension;   /* N [N] */
    double curvature; /* signed, of the deformed curve [1/m]; 0 for straight elements */
    double tangent[2];
} haw_axial;

/*
 * A point of the initial curve at the unstrained arc length xi [m] from its start: position, unit
 * tangent and stretch |dx/dxi| = 1 + N / EA.
 */
typedef void (*haw_curve)(const void *user, double xi, double x[2], double t[2], double *stretch);

typedef struct haw_element_ops {
    haw_row row;
    int stride;      /* degrees of freedom from one element to the next */
    int dofs;        /* of one element */
    int places;      /* of these, `stride` by `stride`, the first ones are positions: pairs that a
                        translation moves, the others it leaves alone */
    int hull;        /* control points whose convex hull contains the element */
    int mass_width;  /* half bandwidth of the scalar mass matrix */
    int mass_copies; /* 2: M = M_s (x) I_2; 1: M couples the components */
    int mass_block;  /* scalar rows of an element's mass block = dofs / mass_copies */
    bool mass_constant; /* else reassembled with q, and `gyroscopic` is not NULL */
    double step_limit;  /* explicit midpoint: h_crit = step_limit * le / c, c = sqrt(EA / rho) */
    double step_limit_free;    /* the same where an end is free; below it every mesh is stable */
    double step_limit_bending; /* h_crit = this * le^2 / sqrt(EI / rho); 0: no bending stiffness */
    int order;         /* observed convergence order of positions in statics, for the tests */
    double handle_min; /* `handle` below this fraction of le / 3 ends the run; 0: no guard */

    /** Interpolate a curve parametrised by the unstrained arc length xi into q [dofs]. */
    void (*interpolate)(const haw_line *line, haw_curve curve, const void *user, double *q);
    /** energy[0] += elastic, energy[1] += gravity [J] of the whole cable. */
    void (*energy)(const haw_line *line, const double *q, double energy[2]);
    /** f [dofs] -= dV/dq, elastic and gravity, of the whole cable [N]. */
    void (*force)(const haw_line *line, const double *q, double *f);
    /**
     * Tangent d2V/dq2 of element e, dofs x dofs row-major.
     * @param clip  use max(N, 0) in the geometric part, and no geometric part of the bending (keeps
     *              implicit steps positive definite)
     */
    void (*tangent)(const haw_line *line, int e, const double *q, bool clip, double *k);
    /** Scalar mass block of element e, mass_block x mass_block row-major [kg]. */
    void (*mass)(const haw_line *line, int e, const double *q, double *m);
    /** f [dofs] += -(velocity-dependent inertia forces); NULL where M is constant. */
    void (*gyroscopic)(const haw_line *line, const double *q, const double *u, double *f);
    /** Kinetic energy of the whole cable [J], from the velocity field, not from M. */
    double (*kinetic)(const haw_line *line, const double *q, const double *u);
    /** Control points of element e, p[hull][2]. */
    void (*controls)(const haw_line *line, int e, const double *q, double p[HAW_HULL_MAX][2]);
    /** Position and Jacobian dx/dq, j[2 * dofs] row-major, at local coordinate s of element e. */
    void (*position)(const haw_line *line, int e, double s, const double *q, double x[2],
                     double *j);
    /**
     * Axial state at local coordinate s of element e.
     * @param u  velocities, for the damping part of the tension; NULL: none
     */
    void (*axial)(const haw_line *line, int e, double s, const double *q, const double *u,
                  haw_axial *axial);
    /**
     * Shape functions of a Cartesian kind, x(s) = sum_a value_a z_a with z_a = (q[2 a], q[2 a + 1])
     * of the element, and their derivatives to s. NULL where x is not linear in q.
     */
    void (*basis)(const haw_line *line, double s, double value[HAW_HULL_MAX],
                  double slope[HAW_HULL_MAX]);
    /** Derivative x' to s and its Jacobian dx'/dq, j[2 * dofs] row-major, where x is not linear in
     * q. NULL: `basis` has it. */
    void (*slope)(const haw_line *line, int e, double s, const double *q, double x[2], double *j);
    /**
     * As `force`, with the damping forces of strain and curvature rates apart: f -= dV/dq,
     * d -= dR/du [dofs] of the whole cable. NULL: no such damping, `force` is all.
     */
    void (*force_rates)(const haw_line *line, const double *q, const double *u, double *f,
                        double *d);
    /**
     * Tangent of -(f + d): d(-f - d)/dq + rate d(-d)/du of element e, dofs x dofs row-major, exact
     * (nothing clipped). NULL: `tangent` is all.
     */
    void (*tangent_rates)(const haw_line *line, int e, const double *q, const double *u,
                          double rate, double *k);
    /** Strains and curvatures of q at the points of the rule: what `natural` holds of element e. */
    void (*natural)(const haw_line *line, int e, const double *q, double *natural);
    /** Deformed length of element e by the element's own quadrature [m]. */
    double (*length)(const haw_line *line, int e, const double *q);
    /** Smallest handle r, q over the cable as a fraction of le / 3; NULL where there is none. */
    double (*handle)(const haw_line *line, const double *q);
} haw_element_ops;

/** All cable elements; ends with NULL. */
extern const haw_row *const haw_elements[];

/** Gauss-Legendre rule of 1 to 5 points on [0, 1]. */
void haw_quadrature_init(int points, haw_quadrature *rule);

#endif
