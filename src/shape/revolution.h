/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A meridian as pieces from below upwards: lines, arcs and cubics r(z), joined smoothly or by
 * corners. No piece goes down, so that the meridian is a graph r(z) but for walls across the axis.
 */
#ifndef HAWSER_SHAPE_REVOLUTION_H
#define HAWSER_SHAPE_REVOLUTION_H

#include "shape/surface.h"

/* ---- from the half plane of the meridian (r, z) to a foot in space ---- */

/* Foot of a point on the meridian, in the half plane through that point. */
typedef struct haw_half_foot {
    double gap;       /* signed distance s [m] */
    double normal[2]; /* outward unit (n_r, n_z) */
    double bend;      /* kappa / (1 + kappa s) with the curvature kappa of the meridian, > 0 convex
                         [1/m] */
} haw_half_foot;

/**
 * n = n_r e_r + n_z e_z, t1 = e_phi and the bend n_r / rho along it, rho the distance of x from
 * the axis. A point on the axis takes e_r = e_x.
 */
static inline void haw_foot_revolve(const double x[3], const haw_half_foot *half, haw_foot *foot)
{
    const double rho = hypot(x[0], x[1]);
    const double c = rho > 0.0 ? x[0] / rho : 1.0, s = rho > 0.0 ? x[1] / rho : 0.0;

    *foot = (haw_foot){
        .gap = half->gap,
        .normal = {half->normal[0] * c, half->normal[0] * s, half->normal[1]},
        .tangent = {-s, c, 0.0},
        .bend = {rho > 0.0 ? half->normal[0] / rho : 0.0, half->bend},
    };
}

/* ---- meridians ---- */

typedef enum haw_piece_kind { HAW_PIECE_LINE, HAW_PIECE_ARC, HAW_PIECE_CUBIC } haw_piece_kind;

typedef struct haw_piece {
    haw_piece_kind kind;
    double low, high; /* bounds of r [m] */
    double center[2]; /* of an arc (r, z) [m] */
    double radius;    /* of an arc, 0: a corner [m] */
    double side;      /* of an arc: 1 convex, -1 concave */
    double r[4];      /* of a cubic: Bernstein coefficients over its stretch of z [m] */
} haw_piece;

/* End of a piece and beginning of the next. */
typedef struct haw_joint_point {
    double at[2];      /* (r, z) [m] */
    double tangent[2]; /* (r, z) upwards: of unit length, at a cubic (r', 1) */
} haw_joint_point;

typedef struct haw_revolution {
    int pieces;
    haw_piece *piece;
    haw_joint_point *joint; /* [pieces + 1] */
    double radius, hollow;  /* smallest convex and concave radius [m] */
} haw_revolution;

/* One point of a piece. */
typedef struct haw_meridian_point {
    double at[2];     /* (r, z) [m] */
    double normal[2]; /* outward unit */
    double curvature; /* of the meridian, > 0 convex [1/m] */
} haw_meridian_point;

/**
 * Pieces of a chain of lines and arcs.
 *
 * @param corners  corners are pieces, too: arcs of radius 0
 * @return         ERR_INPUT for a corner where there may be none, a radius <= 0, ...
 */
HAW_NODISCARD haw_status haw_revolution_chain(haw_arena *arena, const haw_meridian *meridian,
                                              bool corners, haw_revolution *revolution);

/** Pieces of a table r(z): the not-a-knot spline. @return ERR_INPUT for z that do not ascend, ...
 */
HAW_NODISCARD haw_status haw_revolution_table(haw_arena *arena, const haw_meridian *meridian,
                                              haw_revolution *revolution);

/** Point of a piece at a share in [0, 1] of it. */
haw_meridian_point haw_piece_at(const haw_revolution *revolution, int piece, double share);

/**
 * Local minima of the distance of p = (rho, z) from a piece. A minimum at a joint belongs to one
 * of its two pieces: with the slope -(p - c) . c' of half the squared distance along the curve,
 * the piece has one where the slope turns from < 0 to >= 0.
 *
 * @return  their number, at most `room`
 */
int haw_piece_feet(const haw_revolution *revolution, int piece, const double p[2], int room,
                   haw_half_foot *half);

/** r, r', r'' of a cubic of length h at a share of it. */
void haw_cubic_at(const haw_piece *piece, double h, double share, double r[3]);

/* Operations of rows whose `data` is a haw_revolution. */
double haw_revolution_radius(const haw_surface *surface);
double haw_revolution_hollow(const haw_surface *surface);
bool haw_revolution_near(const haw_surface *surface, const double x[3], double radius);
int haw_revolution_feet(const haw_surface *surface, const double x[3], double reach,
                        haw_foot foot[HAW_FEET_MAX]);
void haw_revolution_draw(const haw_surface *surface, int count, double (*point)[2]);

/* What their rows answer alike. */
#define HAW_REVOLUTION_ROW                                                                         \
    .radius = haw_revolution_radius, .hollow = haw_revolution_hollow,                              \
    .inertia = haw_surface_bodiless, .near = haw_revolution_near, .feet = haw_revolution_feet,     \
    .draw = haw_revolution_draw, .is_drum = true

/** Slope of half the squared distance of p along the curve at a joint. */
static inline double haw_joint_slope(const haw_joint_point *joint, const double p[2])
{
    return (joint->at[0] - p[0]) * joint->tangent[0] + (joint->at[1] - p[1]) * joint->tangent[1];
}

#endif
