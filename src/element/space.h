/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What every spatial cable element answers. One row per kind in space_table.c; the generic tests
 * loop over the table. Two nodes per element. Coordinates q of a node: position x [3], then what
 * gives its direction (a unit quaternion w, x, y, z of the SE(3) beam, the slope r' of ANCF) or, of
 * bezier-c0, the two control points between it and the next node, which the last one lacks;
 * velocities u of a node: inertial dx/dt [3], then body-frame angular velocity, or dr'/dt. Element
 * e has the nodes e and e + 1: q[node_coordinates e] ..., u[node_dofs e] ...
 *
 * Increments are those of the velocities: moving q by d [dofs] is x <- x + d_x, R <- R exp(d_R).
 * Forces are conjugate to u, tangents are derivatives to such increments at d = 0.
 * Kernels take pointers to the cable's own part of q and u and allocate nothing.
 */
#ifndef HAWSER_ELEMENT_SPACE_H
#define HAWSER_ELEMENT_SPACE_H

#include "element/element.h"

enum { HAW_SPACE_DOFS = 12, HAW_SPACE_COORDINATES = 14, HAW_STRAINS = 6 };

struct haw_space_ops;

/* One spatial cable; immutable after the build. */
typedef struct haw_beam {
    const struct haw_space_ops *ops;
    int elements;
    double le;                     /* unstrained element length [m] */
    double stiffness[HAW_STRAINS]; /* EA, GA2, GA3 [N], GJ, EI2, EI3 [N m^2] */
    double damping[HAW_STRAINS];   /* sigma += damping * d(strain)/dt [N s], [N m^2 s] */
    double density;                /* rho A [kg/m] */
    double rotary[3];              /* rho J, rho I2, rho I3 [kg m] */
    double gravity[3];             /* [m/s^2] */
    bool slack;                    /* N = max(0, EA eps); of kinds that stretch only */
    haw_quadrature rule;           /* the same */
    const double *natural; /* [elements][HAW_STRAINS] (d0 / le - e1) of the stress-free shape, of
                              `ancf` with their changes over the element; or NULL: straight */
} haw_beam;

/* A place of the initial curve at an unstrained arc length. */
typedef struct haw_section {
    double x[3];          /* [m] */
    double quaternion[4]; /* (w, x, y, z): the first axis is the tangent */
    double stretch;       /* |dx/dxi| */
} haw_section;

typedef void (*haw_space_curve)(const void *user, double xi, haw_section *place);

/* A material point of the centreline. */
typedef struct haw_space_point {
    double x[3];
    double rotation[9];           /* row-major, body to inertial; first column = tangent */
    double jx[3][HAW_SPACE_DOFS]; /* dx/dt = jx u over the element's velocities */
    double jw[3][HAW_SPACE_DOFS]; /* inertial angular velocity; zero where the kind has none */
} haw_space_point;

/* Stress state at a material point. */
typedef struct haw_space_strain {
    double strain[HAW_STRAINS]; /* (Gamma - e1, kappa) */
    double stress[HAW_STRAINS]; /* (N, Q2, Q3, M1, M2, M3), damping included where u is given */
    double tension;             /* N [N] */
    double curvature;           /* |kappa| of bending [1/m] */
} haw_space_strain;

typedef struct haw_space_ops {
    haw_row row;
    int node_coordinates; /* of q: 7 with a quaternion, else that of u */
    int node_dofs;        /* of u: 6, 9 where control points lie between the nodes, 3 of a chain */
    int dofs;             /* of an element: n = 12, of a chain 6 */
    bool has_rotations;   /* the last three velocities of a node are an angular velocity */
    bool stretches_only; /* no bending, no stress-free shape, no damping of strains; may be slack */
    bool on_chords;      /* the stretch is |x_B - x_A| / L, and N acts along the chord */
    bool is_helix;       /* the curve of an element; else it is a cubic */
    bool bends_as_cubic; /* a node's turn against the chord bends a cubic, in series with shear */
    const void *kind;    /* what rows that share their functions differ in */
    int mass_copies;     /* 3: M = M_s (x) I_3; 1: of positions and turns, a band of its own */
    int mass_width;      /* half bandwidth of M_s, of M */
    int order;           /* observed convergence order of positions in statics, for the tests */

    /** Interpolate a curve parametrised by the unstrained arc length into q. */
    void (*interpolate)(const haw_beam *beam, haw_space_curve curve, const void *user, double *q);
    /** Strains of q in element e as `natural` holds them, constants of the axial one, the torsion
     * and the last curvature at 0, 3 and 5; NULL where it only stretches. */
    void (*natural)(const haw_beam *beam, int e, const double *q, double strain[HAW_STRAINS]);
    /** energy[0] += elastic, energy[1] += gravity [J] of the whole cable. */
    void (*energy)(const haw_beam *beam, const double *q, double energy[2]);
    /** f -= dV/dq, d -= viscous forces of the strain rates (may be the same array), whole cable. */
    void (*force)(const haw_beam *beam, const double *q, const double *u, double *f, double *d);
    /** f += -(Omega x J Omega) of the whole cable; NULL where has_rotations is false. */
    void (*gyroscopic)(const haw_beam *beam, const double *u, double *f);
    /**
     * K + rate C of element e, n x n row-major, exact: K the derivative of -(f + d + gyroscopic)
     * to an increment of q, C that to u. Unsymmetric away from equilibrium.
     */
    void (*tangent)(const haw_beam *beam, int e, const double *q, const double *u, double rate,
                    double k[HAW_SPACE_DOFS * HAW_SPACE_DOFS]);
    /** Constant mass block of one element, n x n row-major. */
    void (*mass)(const haw_beam *beam, double m[HAW_SPACE_DOFS * HAW_SPACE_DOFS]);
    /** Kinetic energy of the whole cable [J]. */
    double (*kinetic)(const haw_beam *beam, const double *u);
    /**
     * Upper bound of the square of the highest frequency of the straight cable without stress
     * [1/s^2]: explicit midpoint steps up to 2 over its root are stable.
     * @param is_free  an end of the cable is free
     */
    double (*stiffest)(const haw_beam *beam, bool is_free);
    /** Point at local coordinate s of element e; jx and jw only where `jacobians`. */
    void (*point)(const haw_beam *beam, int e, double s, const double *q, bool jacobians,
                  haw_space_point *point);
    /** That point's position alone; NULL: as `point` has it. */
    void (*position)(const haw_beam *beam, int e, double s, const double *q, double x[3]);
    /** @param u  velocities, for the damping part; NULL: none */
    void (*strain)(const haw_beam *beam, int e, double s, const double *q, const double *u,
                   haw_space_strain *strain);
    /** Control points of element e, where it is a cubic. */
    void (*polygon)(const haw_beam *beam, int e, const double *q, double p[4][3]);
    /** First three derivatives of the centreline at s [1 per local coordinate]. */
    void (*curve)(const haw_beam *beam, int e, double s, const double *q, double d[3][3]);
    /** Jacobian over the element's 12 velocities of its first derivative; NULL: by the polygon,
     * which is linear in q. */
    void (*slope)(const haw_beam *beam, int e, double s, const double *q,
                  double j[3][HAW_SPACE_DOFS]);
    /** k [n x n] -= d(jx' f + jw' m)/dq of a force f and a moment m on the material at s; NULL:
     * Jacobians are constant. */
    void (*point_tangent)(const haw_beam *beam, int e, double s, const double *q, const double f[3],
                          const double m[3], double *k);
    /** Derivative of jw to s; where has_rotations. */
    void (*twist)(const haw_beam *beam, int e, double s, const double *q,
                  double j[3][HAW_SPACE_DOFS]);
    /** Turn between two nodes with the coordinates a and b [rad]; NULL: any will do. */
    double (*turn)(const double *a, const double *b);
} haw_space_ops;

/** Lengths of `elements` in q and in u: those of all nodes, less what the last one lacks. */
static inline int haw_space_coordinates(const haw_space_ops *ops, int elements)
{
    const int element = ops->has_rotations ? HAW_SPACE_COORDINATES : ops->dofs;
    return ops->node_coordinates * (elements - 1) + element;
}

static inline int haw_space_dofs(const haw_space_ops *ops, int elements)
{
    return ops->node_dofs * elements + ops->dofs - ops->node_dofs;
}

/** All spatial elements; ends with NULL. */
extern const haw_row *const haw_space_elements[];

/** Node update q_plus = q moved by the increments h u (may be in place): haw_space_ops-wide rule.
 */
void haw_space_nodes_move(const haw_space_ops *ops, int nodes, const double *q, double h,
                          const double *u, double *q_plus);

/** The increment d that moves q to q_plus: its inverse. */
void haw_space_nodes_difference(const haw_space_ops *ops, int nodes, const double *q,
                                const double *q_plus, double *d);

/** Largest turn between the nodes of an element over the whole cable [rad], and its element;
 * NULL: it may turn as it likes. */
double haw_space_nodes_turn(const haw_beam *beam, const double *q, int *element);

#endif
