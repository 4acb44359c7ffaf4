/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One pair at one configuration, as the narrow phase sees it: positions of material points, their
 * feet on what they touch, frames and sides. In the plane surfaces have one foot for each point and
 * bodies turn about z only; sections do not turn.
 *
 * What is touched, the surface of a body or the centreline of a cable with a radius, is the partner
 * (partner.h): a row of functions that answer where the feet of a point are, what moves them, and
 * how far away it all is.
 */
#ifndef HAWSER_CONTACT_VIEW_H
#define HAWSER_CONTACT_VIEW_H

#include "contact/centreline.h"
#include "contact/contact.h"

#include <math.h>

/* Position and orientation, body to inertial, row-major. */
typedef struct haw_pose {
    double x[3];
    double rotation[9];
} haw_pose;

/** Pose of a body. @param turns  degrees of freedom of its orientation, 1 or 3 */
void haw_body_pose(const haw_body *body, const double *q, int turns, haw_pose *pose);

typedef struct haw_partner haw_partner;

typedef struct haw_view {
    const haw_model *model;
    const haw_pair *pair;
    const haw_cable *cable; /* whose points these are, or NULL: */
    const haw_body *ball;   /* the body with these corners */
    const haw_partner *partner;
    const haw_body *body;        /* owner of the surface, */
    const haw_cable *line;       /* or the cable that is touched, */
    const haw_centreline *curve; /* its centreline where the contacts were detected */
    bool is_back;                /* points of the pair's `line` or `body` look back */
    const double *q;
    haw_pose pose; /* of that body; of that cable's section where a touch is (haw_passage_set) */
    int chords;    /* per element: the cable is the straight lines between its grid points; 0: the
                      curve itself */
    int moves;     /* directions that bodies move in, d; behind these come their turns */
    int turns;     /* 3 about the axes of the body, or 1 about z */
    double radius; /* of the section, or around a corner [m] */
    double arm;    /* from the centreline to where friction acts: the radius; 0 by the pair's arm or
                      where the element has no rotations [m] */
    bool tilts;    /* sections of elements without rotations turn with the tangent */
    bool to_foot;  /* friction acts farther away than that by the gap: at the foot itself */
    bool lists;    /* false: of a compliant law, only the smallest gap is wanted */
    double margin; /* [m] */
    double *gap_min;
    haw_clearance *clear; /* NULL: each element is asked for */
    int *looked;          /* += places whose distance from the surface was asked for */
    /* haw_view_sweep: */
    const double *u;
    double h;     /* 0: no guard of speeds */
    double least; /* smallest radius that a point may tunnel through, INFINITY of a plane [m] */
    double pad;   /* elements farther away than this cannot touch in one step [m] */
} haw_view;

/* The straight line between two grid points of an element that a place is on. Sections of elements
 * without rotations turn with it. */
typedef struct haw_chord {
    double s[2]; /* its ends */
    double rho;  /* of the way from one end to the other */
    haw_cable_point end[2];
    double along[3]; /* from end to end [m] */
    double square;   /* of its length [m^2] */
} haw_chord;

/* Feet this many radii farther away than the margin still count for the order of slots. */
enum { HAW_FAR_FEET = 4 };

/* Feet of a point; in the inertial frame, gaps less the radius. */
typedef struct haw_feet {
    int count;
    haw_foot foot[HAW_LINE_FEET];
    int slot[HAW_LINE_FEET]; /* of the pair's, ascending */
} haw_feet;

/** @param is_back  points of the pair's `line` or `body`, which look back at its cable or `proxy`
 */
haw_view haw_view_init(const haw_contacts *contacts, int pair, bool is_back, const double *q);

/** The same without what contacts add: where touches go, how far to look, centrelines. */
haw_view haw_view_of(const haw_model *model, int pair, bool is_back, const double *q);

/** The view that a touch is of. */
haw_view haw_view_at(const haw_contacts *contacts, const haw_touch *touch, const double *q);

/** True if points of the pair's `line` or `body` look back. */
static inline bool haw_pair_looks_back(const haw_pair *pair)
{
    return pair->ahead < pair->points;
}

/** True if sections of the line that is touched turn with its tangent. */
static inline bool haw_view_line_tilts(const haw_view *view)
{
    return view->pair->arm == HAW_ARM_TILT && view->line != NULL && !haw_cable_turns(view->line);
}

/** The first id of its points. */
static inline int haw_view_first(const haw_view *view)
{
    return view->pair->first_point + (view->is_back ? view->pair->ahead : 0);
}

/** Fit the centrelines of cables that are touched to q. */
void haw_contacts_fit(haw_contacts *contacts, const double *q);

/** Add the ways from the last detection to q to the clearances of all pairs. */
void haw_contacts_track(haw_contacts *contacts, const double *q);

/** Label of a place: the end of one cable of a bundle is none of the next one. */
static inline double haw_view_label(const haw_cable *cable, int e, double s)
{
    const double label = e + s;
    return cable == NULL || cable->bundle == NULL || s < 1 ? label : nextafter(label, e);
}

/** How far two places of its line are apart, by their labels [elements]. */
static inline double haw_view_apart(const haw_view *view, double label, double other)
{
    const double way = fabs(label - other);
    const haw_cable *line = view->line;
    const int last = line->line.elements - 1, e = label < last ? (int)label : last;
    const int part = haw_cable_part_of(line, e), first = haw_cable_part_first(line, part);
    const int n = haw_cable_part_first(line, part + 1) - first;
    const bool is_own = other >= first && other <= first + n;
    return line->line.closed && is_own && n - way < way ? n - way : way;
}

/**
 * Feet of x with gap <= reach, at most pair->feet of them, the nearest. They are sorted along the
 * axis of the body or along the cable: which slot of its ids a foot takes depends on where it
 * stands, not on which one is nearest, and so stays the same from step to step as long as the
 * number of feet does.
 *
 * @param label  where x is on its own cable, in elements from the start
 */
void haw_view_feet(const haw_view *view, const double x[3], double label, double reach,
                   haw_feet *feet);

/** The foot of x on a surface, however far, whose normal is nearest to `normal`; false: there is
 * none. */
bool haw_view_foot(const haw_view *view, const double x[3], const double normal[3], haw_foot *foot);

/** Material point at s of an element at coordinates q; j and w only where `jacobians`. Of
 * elements without rotations its own rotation is any. */
void haw_view_point(const haw_view *view, int e, double s, const double *q, bool jacobians,
                    haw_cable_point *point);

/** The chord at s of an element. */
void haw_view_chord(const haw_view *view, int e, double s, const double *q, bool jacobians,
                    haw_chord *chord);

/** The mean of both ends of a chord at its rho; a chord c that turns by itself does so with
 * c x dc / |c|^2. */
void haw_chord_point(const haw_view *view, int e, const haw_chord *chord, bool jacobians,
                     haw_cable_point *point);

/** Position of the material point at s of an element, or of corner s of a body, at coordinates q.
 */
void haw_view_position(const haw_view *view, int e, double s, const double *q, double x[3]);

/** The same with its rotation. */
void haw_view_place(const haw_view *view, int e, double s, const double *q, haw_pose *place);

/**
 * A new contact with id, gap, frame and place; its rows are to be set.
 * @param slot  of the pair's places and feet
 * @return      ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_view_add(haw_contacts *contacts, const haw_view *view, int slot,
                                      const haw_foot *foot, haw_touch **touch);

/** What the foot of a point gives a contact: its frame. */
void haw_touch_set_frame(const haw_foot *foot, haw_touch *touch);

/** Sides and place of a point of the cable. */
void haw_view_set_cable(const haw_view *view, int e, double s, const haw_cable_point *point,
                        const haw_foot *foot, haw_touch *touch);

/** The same of corner s of a body. */
void haw_view_set_ball(const haw_view *view, double s, const haw_pose *place, const haw_foot *foot,
                       haw_touch *touch);

/** Touches at all feet within the margin of a point with `place` among the ids of the pair. */
HAW_NODISCARD haw_status haw_view_touch(haw_contacts *contacts, const haw_view *view, int place,
                                        int e, double s);

/** The part of a moment that a body's degrees of freedom count, times the factor. */
void haw_view_turn(const haw_view *view, const double rotation[9], const double moment[3],
                   double factor, double *row);

/** True if the first (end 0) or the last node of an element has a contact: one whose position is
 * prescribed carries none, nor does the last of a closed cable, which is its first. */
bool haw_view_carries(const haw_view *view, int e, int end);

/** Begin the search of a pair with velocities u: how far from the surface to look, so that whatever
 * may reach it within the step h has its speed checked. h = 0: no guards. */
void haw_view_sweep(haw_view *view, const double *u, double h);

/**
 * Broad phase of an element.
 *
 * @param near  out: false only if no point of it is within the margin of the surface
 * @return      ERR_GUARD if a node near the surface moves more than a quarter of its radius in the
 *              step relative to the body
 */
HAW_NODISCARD haw_status haw_view_near(const haw_view *view, int e, bool *near);

/** Points `from` to `to` of the grid of an element may touch, `to` < `from`: none; all of them
 * where the grid is not refined by contact. Found from both ends by balls about parts of the
 * element: no closed point is missed. */
void haw_view_span(const haw_view *view, int e, int *from, int *to);

/** Whether a point is known to be farther away than the margin and the nearest of those before it:
 * a look would find nothing. */
bool haw_view_skips(const haw_view *view, int place);

/** Keep what a look at a point at x has found. @param gap  least of its feet, INFINITY: none */
void haw_view_looked(const haw_view *view, int place, const double x[3], double gap);

/** Go from element e, -1 to begin with, to the next one that is near; to their number at the end.
 */
HAW_NODISCARD haw_status haw_view_next(const haw_view *view, int *e);

/** A touch of corner s of a body, or of a place between two, with a foot that is known. */
HAW_NODISCARD haw_status haw_view_touch_foot(haw_contacts *contacts, const haw_view *view,
                                             int place, double s, const haw_foot *foot);

/** The same guard of corner s of a body. */
HAW_NODISCARD haw_status haw_view_guard_ball(const haw_view *view, double s, double gap);

/** Velocity in the plane of the material of a body at x. */
void haw_body_velocity(const haw_body *body, const double *q, const double *u, const double x[2],
                       double v[2]);

/** After the search: nothing is deeper than a quarter of the radius. @return ERR_GUARD */
HAW_NODISCARD haw_status haw_view_guard_depth(const haw_view *view);

#endif
