/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The centreline of a cable as something that is touched: all feet of a point x on it, the local
 * minima of its distance, and none missed. A foot lies inside an element, where
 *
 *     f(s) = (y - x) . y' = 0,   f' = |y'|^2 + (y - x) . y'' > 0,
 *
 * or rests at a node: at an end of the cable, or where f changes its sign from one element to the
 * next. Between nodes f is followed by intervals. With its value in the middle of one, and bounds
 * of the first three derivatives of the curve over the element, it has no zero there, or f' has one
 * sign all over it, or it is halved.
 *
 * Elements are found by a tree of boxes, which is fitted to a configuration; n points are searched
 * in n log n. The elements of one cable are in their order in it, those of many in that of a curve
 * that fills space: what is near each other is near each other in the tree.
 */
#ifndef HAWSER_CONTACT_CENTRELINE_H
#define HAWSER_CONTACT_CENTRELINE_H

#include "model/model.h"
#include "shape/surface.h"

/* The curve at a place of an element. */
typedef struct haw_line_sample {
    double x[3], d[3][3]; /* [m], and derivatives */
    double turn;          /* by which its second derivative turns, w: of a cubic 0 [rad] */
    bool is_known;
} haw_line_sample;

/* What contains an element, and how its curve changes. */
typedef struct haw_line_leaf {
    double centre[3], radius;
    double rate[3];  /* no derivative of the curve is larger [m per local coordinate] */
    double turn;     /* nor the angle between two of its tangents [rad] */
    double corner;   /* at its end; negative: not known yet (haw_centreline_corner) [rad] */
    int straight[2]; /* how many elements the curve goes on from it, back and ahead, before it has
                        turned by haw_line_memory.bent; negative: not known yet */
    haw_line_sample sample[3]; /* at its start, middle and end, once asked for: every search of a
                                  point nearby begins there */
} haw_line_leaf;

/* An element and its leaf of the tree. */
typedef struct haw_line_entry {
    int e, node;
} haw_line_entry;

/* What the last searches of a configuration have found, for those beside them. */
typedef struct haw_line_memory {
    double centre[3], radius; /* of a ball, negative: there is none [m] */
    int count;                /* elements whose boxes come into it */
    double touching, bent;    /* turn that `straight` of leaves is of [rad], and what it is of */
} haw_line_memory;

typedef struct haw_centreline {
    const haw_cable *cable;
    const double *q; /* that it was fitted to */
    bool is_cubic;   /* all elements are */
    int first;       /* node of the tree that is the first leaf */
    haw_line_leaf *leaf;
    struct haw_line_key
        *key;              /* [elements] leaves of the tree in their order; NULL: as on the cable */
    haw_line_entry *found; /* [elements] of the ball in `memory`, in the order of the cable */
    haw_line_memory *memory;
    double (*box)[6]; /* [2 first] least x, y, z, and the largest */
} haw_centreline;

/* A stretch of the cable that has no feet, in elements from its start: what is next to a point of
 * the cable itself. On a closed cable it may begin before 0. */
typedef struct haw_window {
    double from, to; /* to <= from: none */
    int first, end;  /* elements that it may hide: of the cable's own part of a bundle */
    int turn;        /* elements of a closed cable, after which it begins again; 0: it is open */
    bool begins, closes; /* its first or last place is a foot, too, where the curve leads away from
                            there: the nearest place that is seen */
} haw_window;

/* All of them: of the cable itself, and beside joints with others. */
typedef struct haw_windows {
    int count;
    haw_window item[2 + HAW_MEETINGS];
} haw_windows;

/* A foot y on the curve. */
typedef struct haw_line_foot {
    double s; /* local coordinate in `element` */
    double distance;
    double x[3];    /* y [m] */
    double d[3][3]; /* derivatives of the curve there */
    int element;
    bool rests; /* at a node: it stays where it is while x moves */
} haw_line_foot;

/** H = |y'|^2 - d n . y'' of a foot at the distance d along n, not less than 1e-6 of |y'|^2: there
 * the centre of curvature is near. */
double haw_line_sharpness(const double n[3], double distance, const double y1[3],
                          const double y2[3]);

HAW_NODISCARD haw_status haw_centreline_create(haw_arena *arena, const haw_cable *cable,
                                               haw_centreline *curve);

/** Fit the tree to the configuration q, which it refers to from now on. */
void haw_centreline_fit(haw_centreline *curve, const double *q);

/** Angle by which the tangent turns at the node between element e and the `next` one [rad]. */
double haw_centreline_corner(const haw_centreline *curve, int e, int next);

/** How many elements the curve goes on from element e, back (0) or ahead (1), before it has turned
 * by `most`: 0 or more; to the end of the cable and one more, if it never does. */
int haw_centreline_straight(const haw_centreline *curve, int e, int ahead, double most);

/**
 * Feet of x nearer than `reach`, outside of windows; the nearest of them, in the order of the
 * cable.
 * @return their number, at most `most` <= HAW_LINE_FEET
 */
int haw_centreline_feet(const haw_centreline *curve, const double x[3], double reach,
                        const haw_windows *windows, int most, haw_line_foot foot[HAW_LINE_FEET]);

/** Less than the distance of any point of the curve outside of windows from a ball; INFINITY: they
 * are all. @param enough  distances above it are not told apart
 * @param little  nor are those below, -INFINITY: they are */
double haw_centreline_clear(const haw_centreline *curve, const double centre[3], double radius,
                            double enough, double little, const haw_windows *windows);

/** The foot at another configuration q: the nearest to the place where `foot` is, which need not be
 * one there. False: it is farther away than an element. */
bool haw_centreline_follow(const haw_cable *cable, const double *q, const double x[3],
                           haw_line_foot *foot);

#endif
