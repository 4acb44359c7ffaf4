/* SPDX-License-Identifier: BSD-3-Clause */
/* Smooth curves by their arc length: splines through points, helices about a line or about the
 * course of another cable. */
#ifndef HAWSER_CABLE_TRACE_H
#define HAWSER_CABLE_TRACE_H

#include "base/arena.h"

#include <hawser/model.h>

enum { HAW_TRACE = 4 }; /* x, y, z [m], twist of the section [rad] */

/** Place and derivative to the parameter u, from 0 to 1. */
typedef void haw_trace_function(const void *data, double u, double x[HAW_TRACE],
                                double d[HAW_TRACE]);

typedef struct haw_trace {
    haw_trace_function *at;
    const void *data;
    int spans;       /* in which the curve is smooth */
    const double *u; /* [spans + 1] their ends */
    double *s;       /* [spans + 1] arc length up to there [m] */
} haw_trace;

/** Lengths of the spans of a curve whose other members are set; s NULL: allocated. @return
 * ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_trace_measure(haw_arena *arena, haw_trace *trace);

/** Length of the curve [m]. */
static inline double haw_trace_length(const haw_trace *trace)
{
    return trace->s[trace->spans];
}

/** Place and unit tangent at an arc length; beyond its ends the end tangents continue.
 * @return the twist there [rad] */
double haw_trace_point(const haw_trace *trace, double s, double x[3], double t[3]);

/** Largest curvature [1/m], a mean over turns of at most 0.1 rad; NAN where the curve has no
 * direction. @param at  where, arc length [m] */
double haw_trace_curvature(const haw_trace *trace, double *at);

/**
 * A curve with continuous curvature through points: cubic splines of the coordinates over the arc
 * length (gsl_interp_cspline), periodic ones where the last point is the first.
 *
 * @param point  [count][4] x, y, z [m], twist [deg]; at least three, no two neighbours the same
 * @return       ERR_NOMEM; ERR_ARG: points that are no curve
 */
HAW_NODISCARD haw_status haw_trace_spline(haw_arena *arena, int count, const double *point,
                                          haw_trace *trace);

/** A helix about a straight line as a piece of a path describes it. @return ERR_NOMEM */
HAW_NODISCARD haw_status haw_trace_helix(haw_arena *arena, const haw_path_segment *segment,
                                         haw_trace *trace);

/* Turns that set in and out with the angle (2 pi N / (1 - r)) (r / 2) (2 s^3 - s^4) of the
 * parameter s = u / r, whose rate is a smoothstep: tangents along the axis at both ends, and
 * continuous curvature. */
typedef struct haw_winding {
    double radius; /* [m] */
    double phase;  /* at u = 0 [rad] */
    double turns;  /* < 0: left-handed */
    double ramp;   /* r, part of the curve at each end, 0 to 1/2 */
} haw_winding;

/** Angle at u. @param rate  its derivative */
double haw_winding_angle(const haw_winding *winding, double u, double *rate);

/** Measure a curve of which a winding is part, in spans of at most 1/16 turn, at least `least`.
 * @return ERR_NOMEM */
HAW_NODISCARD haw_status haw_trace_wind(haw_arena *arena, const haw_winding *winding, int least,
                                        haw_trace *trace);

/** Height of a turn, by itself or by the angle between helix and axis [deg] (NAN: none) [m]. */
double haw_helix_pitch(double radius, double pitch, double lay_deg);

/** The direction from which angles about a line are counted: e_z x t, or e_x of a vertical one. */
void haw_upright_normal(const double t[3], double n[3]);

/** Of an arc or a helix: the unit vector along its axis (e_z where it has none), that from which
 * its angles are counted, and the one a quarter of a turn from there. */
void haw_axis_frame(const double axis[3], double e[3][3]);

/* ---- frames that do not twist ---- */

/** A curve that frames are carried along: place and unit tangent at an arc length. */
typedef void haw_transport_function(const void *data, double s, double x[3], double t[3]);

/* Rotation-minimizing frames at stations, by double reflection (W. Wang, B. Juttler, D. Zheng, Y.
 * Liu, ACM Trans. Graph. 27 (2008) 2): the error falls with the fourth power of their distance. */
typedef struct haw_transport {
    haw_transport_function *at;
    const void *data;
    int stations;  /* steps between them */
    double length; /* [m] */
    double *row;   /* [stations + 1][9] x, t, n */
} haw_transport;

/** Carry the normal n along a curve whose other members are set. @return ERR_NOMEM */
HAW_NODISCARD haw_status haw_transport_carry(haw_arena *arena, const double n[3],
                                             haw_transport *transport);

/** The normal at an arc length, where place x and unit tangent t are known. */
void haw_transport_normal(const haw_transport *transport, double s, const double x[3],
                          const double t[3], double n[3]);

#endif
