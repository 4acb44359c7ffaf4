/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of spatial contact share: one pair at one configuration, feet and rows there. */
#ifndef HAWSER_CONTACT_VIEW_H
#define HAWSER_CONTACT_VIEW_H

#include "contact/proxy.h"

/* Position and orientation, body to inertial, row-major. */
typedef struct haw_pose {
    double x[3];
    double rotation[9];
} haw_pose;

typedef struct haw_space_view {
    const haw_model *model;
    const haw_pair *pair;
    const haw_cable *cable; /* NULL: a sphere */
    const haw_body *body;   /* owner of the surface */
    const double *q;
    haw_pose pose; /* of that body */
    double radius; /* of the section, or of the sphere [m] */
    double arm;    /* from the centreline to where friction acts: the radius; 0 by the pair's arm or
                      where the element has no rotations [m] */
    double margin; /* [m] */
    double *gap_min;
} haw_space_view;

/* Feet of a point; in the inertial frame, gaps less the radius. */
typedef struct haw_feet {
    int count;
    haw_foot foot[HAW_FEET_MAX];
} haw_feet;

haw_space_view haw_space_view_init(const haw_contacts *contacts, int pair, const double *q);

/**
 * Feet of x with gap <= reach, at most pair->feet of them, the nearest. They are sorted along the
 * axis of the body: which slot of its ids a foot takes depends on where it stands, not on which one
 * is nearest, and so stays the same from step to step as long as the number of feet does.
 */
void haw_space_view_feet(const haw_space_view *view, const double x[3], double reach,
                         haw_feet *feet);

/** The foot of x, however far, whose normal is nearest to `normal`; false: there is none. */
bool haw_space_view_foot(const haw_space_view *view, const double x[3], const double normal[3],
                         haw_foot *foot);

/** Material point at s of an element at coordinates q; jx and jw only where `jacobians`. Of
 * elements without rotations its own rotation is any. */
void haw_space_view_point(const haw_space_view *view, int e, double s, const double *q,
                          bool jacobians, haw_space_point *point);

/** Pose of the material point at s of an element, or of the sphere, at coordinates q. */
void haw_space_view_place(const haw_space_view *view, int e, double s, const double *q,
                          haw_pose *place);

/**
 * A new contact with id, gap, frame and place; its rows are to be set.
 * @param slot  of the pair's places and feet
 * @return      ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_space_add(haw_contacts *contacts, const haw_space_view *view, int slot,
                                       const haw_foot *foot, haw_touch **contact);

/** What the foot of a point gives a contact: its frame. */
void haw_space_set_frame(const haw_foot *foot, haw_touch *contact);

/** Sides and place of a point of the cable. */
void haw_space_view_set(const haw_space_view *view, int e, double s, const haw_space_point *point,
                        const haw_foot *foot, haw_touch *contact);

/** The same of a sphere. */
void haw_space_view_sphere(const haw_space_view *view, const haw_pose *place, const haw_foot *foot,
                           haw_touch *contact);

/** Contacts of all feet within the margin of a point with `place` among the ids of the pair. */
HAW_NODISCARD haw_status haw_space_touch(haw_contacts *contacts, const haw_space_view *view,
                                         int place, int e, double s);

/** True if a node has a contact: one whose position is prescribed carries none. */
bool haw_space_carries(const haw_space_view *view, int node);

/** False only if no point of an element is within the margin of the surface. */
bool haw_space_near(const haw_space_view *view, int e);

HAW_NODISCARD haw_status haw_space_capsules(haw_contacts *contacts, const haw_space_view *view);
HAW_NODISCARD haw_status haw_space_mortar(haw_contacts *contacts, const haw_space_view *view);

/* A point that a mortar contact takes part of its gap from. */
typedef struct haw_mortar_point {
    int element;
    double s;
    double weight; /* w Phi, up to a common factor */
} haw_mortar_point;

static inline bool haw_space_is_mortar(const haw_space_view *view)
{
    return view->cable != NULL && view->pair->proxies == HAW_PROXY_MORTAR;
}

/** Node of a mortar contact. */
static inline int haw_mortar_node(const haw_touch *contact)
{
    return contact->element + (contact->s > 0 ? 1 : 0);
}

/** Number of points that a node takes its share from, and point i of them. */
int haw_mortar_count(const haw_space_view *view, int node);
haw_mortar_point haw_mortar_at(const haw_space_view *view, int node, int i);

/** What a gap counts in the sum, and its derivative. */
double haw_mortar_gap(const haw_space_view *view, double gap, double *slope);

#endif
