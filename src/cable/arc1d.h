/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ropes of the kind arc1d: a rope as a line. Straight spans with one uniform strain each, and on
 * every sheave `per_arc` cells between nodes at fixed fractions of the wrap, whose labels are the
 * unknowns. The block of a rope in q, in the order along it:
 *
 *     [x, y of a pinned end, held] [label 0, held] [labels of the nodes of all sheaves]
 *     [label `length`, held] [x, y of a pinned end, held]
 *
 * Element e lies between the labels e and e + 1. Its coordinates:
 *
 *     span  [s1, s2, from x, y, to x, y], the centres of the two circles that its line touches (an
 *           end of the rope is a circle of radius 0);
 *     cell  [s1, s2] on a sheave that stays where it is, between lines that do not turn;
 *           [s1, s2, x, y] on one that moves along them (a hook block);
 *           [s1, s2, x, y, before x, y, after x, y] in general, with the neighbouring circles.
 *
 * Energy of an element of length l with ds of material, lambda = l / ds, eps = lambda - 1:
 *
 *     V = v(lambda) ds - rho ds g . X,   v = 1/2 A eps^2,   X the middle of its ends.
 *
 * Spans have A = EA. On a sheave l = R dphi, and the bed of stiffness k_n per length lies in
 * series: the rope sinks in by w, the least energy of EA/2 ((R - w) phi' - 1)^2 + k_n/2 w^2 is at
 *
 *     w = T phi' / k_n,   A = EA / (1 + b lambda^2),   b = EA / (k_n R^2),   T = A eps,
 *
 * T being the tension of the sunk rope: to first order 1/A = 1/EA + 1/(k_n R^2), springs in series.
 * The force on l is v' = T (1 - w / R), the tension at the lever R - w; the one on a label is
 * P = lambda v' - v + rho g . X before it less that behind it: the balance of tension with half the
 * weight of a span above its mean, and at a tangent point with what the bed takes from a rope that
 * sinks in, T^2 / (2 k_n R^2). With friction at the lever R - w (contact) the moment on
 * a sheave between spans with the tensions T1 and T2 is
 *
 *     R (T2 - T1) - R (T2^2 - T1^2) / (2 k_n R^2)
 *
 * to first order in T / (k_n R^2): nodes of fixed places leave out that second part of the balance
 * about the centre.
 */
#ifndef HAWSER_CABLE_ARC1D_H
#define HAWSER_CABLE_ARC1D_H

#include "cable/reeving.h"
#include "linalg/inline.h"

/* Numbers of coordinates of the elements. */
enum { HAW_ARC_FIXED = 2, HAW_ARC_SLIDING = 4, HAW_ARC_SPAN = 6, HAW_ARC_GENERAL = 8 };

/*
 * A straight line between two circles in the present course. A displacement d of the second circle
 * relative to the first turns it by n . d / l and makes it e . d + delta (turn) longer.
 */
typedef struct haw_arc_line {
    double length;
    double along[2], left[2]; /* e, and its left normal n */
    double lever[2];          /* turn R of the two circles */
    double delta;             /* lever[1] - lever[0] */
    double end[2][2];         /* the tangent points */
    int dof[2];               /* x of the two centres, y follows */
} haw_arc_line;

/** Line before sheave i, or of i = arcs behind the last one. */
void haw_arc_line_find(const haw_rope *rope, int i, const double *q, haw_arc_line *line);

/* Rates of turn and length, and second derivatives under given accelerations. */
typedef struct haw_arc_motion {
    double turn[2], length;
} haw_arc_motion;

/** @param a  second time derivatives of q, or NULL: turn[1] is left 0 */
haw_arc_motion haw_arc_line_move(const haw_arc_line *line, const double *u, const double *a);

/** Hessian of the turn to the relative displacement of the circles, row-major. */
void haw_arc_line_curve(const haw_arc_line *line, double h[4]);

/* The cells of a sheave in the present course. */
typedef struct haw_arc_sheave {
    const haw_rope_arc *drawn;
    int cells, kind;  /* kind: HAW_ARC_FIXED, _SLIDING, _GENERAL */
    int first;        /* dof of the label of its first node */
    double angle[2];  /* of the normals at the tangent points, in and out */
    double cell;      /* R dphi of a cell, > 0 [m] */
    double stiffness; /* EA [N] */
    double bed;       /* b, 0: the rope cannot sink */
    double damping;   /* [N s] */
} haw_arc_sheave;

/** @param line  the lines before and behind it; read where its kind is not FIXED */
void haw_arc_sheave_find(const haw_rope *rope, int i, const haw_arc_line line[2],
                         haw_arc_sheave *sheave);

/** Rate of the length of a cell [m/s]. */
static inline double haw_arc_cell_rate(const haw_arc_sheave *sheave, const haw_arc_motion *in,
                                       const haw_arc_motion *out)
{
    return sheave->drawn->turn * sheave->drawn->radius * (out->turn[0] - in->turn[0]) /
           sheave->cells;
}

/*
 * Forces on what an element depends on besides its labels: on the length and the turn of a line, on
 * the circles at its two ends.
 */
typedef struct haw_arc_pull {
    double length, turn, centre[2][2];
} haw_arc_pull;

/** Forces at the tangent points of a line into a pull. */
void haw_arc_pull_ends(const haw_arc_line *line, const double before[2], const double after[2],
                       haw_arc_pull *pull);

/** f [dofs of the model] += the forces on the circles. */
void haw_arc_pull_scatter(const haw_arc_line *line, const haw_arc_pull *pull, double *f);

/* What arc1d answers as a kind of cable (arc1d_mechanics.c). */
void haw_arc_energy(const haw_cable *cable, const double *q, double energy[2]);
void haw_arc_forces(const haw_cable *cable, const double *q, const double *u,
                    const haw_forces *forces);
double haw_arc_kinetic(const haw_cable *cable, const double *q, const double *u);
void haw_arc_inertia(const haw_cable *cable, const double *q, const double *u, const double *a,
                     double *y);
void haw_arc_blocks(const haw_cable *cable, const double *q, const double *u,
                    const double factor[2], haw_block_sink add, void *user);

/** Tension of cell k of a sheave with its labels; u NULL: without damping [N]. */
static HAW_INLINE double haw_arc_cell_tension(const haw_arc_sheave *sheave, int k, double rate,
                                              const double *q, const double *u)
{
    const double *s = q + sheave->first + k;
    const double ds = s[1] - s[0];
    const double strain = (sheave->cell - ds) / ds, stretch = 1 + strain;
    double tension = sheave->stiffness * strain / (1 + sheave->bed * stretch * stretch);
    if (u != NULL) {
        const double *v = u + sheave->first + k;
        tension += sheave->damping * (rate - stretch * (v[1] - v[0])) / ds;
    }
    return tension;
}

/**
 * Tension of the cell before (side -1) or behind (+1) cell k; beyond the ends of the arc the one
 * that goes on from the last three cells. Between the middles of cells tension is linear: the mean
 * of two cells is that of the node between them up to the cube of the cell, where either cell has
 * an error of its square [N].
 */
double haw_arc_tension_beside(const haw_arc_sheave *sheave, int k, int side, double rate,
                              const double *q, const double *u);

#endif
