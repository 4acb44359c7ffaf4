/* SPDX-License-Identifier: BSD-3-Clause */
/* Narrow phase: how the touches of a pair are found, one row per proxy. A new row is one file and
 * one line in haw_narrow_of. */
#ifndef HAWSER_CONTACT_NARROW_H
#define HAWSER_CONTACT_NARROW_H

#include "contact/view.h"

/* A touch between two configurations of its pair. */
typedef struct haw_passage {
    haw_view now;
    haw_pose before;  /* of what is touched, as now.pose */
    const double *q0; /* coordinates before */
} haw_passage;

/** Poses of what is touched, now and before: those of a touch where they differ from one to the
 * other. */
void haw_passage_set(haw_passage *passage, const haw_touch *touch);

/** Place s of element e of the passage's cable, now and before. Where sections tilt, their turn
 * from one to the other, and none before. */
void haw_passage_place(const haw_passage *p, int e, double s, haw_pose *now, haw_pose *then);

typedef struct haw_press_ops haw_press_ops;

typedef struct haw_narrow {
    const char *name, *summary;
    /** Touches with gap <= margin, with their sides, and the smallest gap. */
    haw_status (*find)(haw_contacts *contacts, const haw_view *view);
    /** Touches of points that look back, under set-valued laws. NULL: of both ends of a cable. */
    haw_status (*back)(haw_contacts *contacts, const haw_view *view);
    /** Gap of a listed touch, the same material point, at another configuration [m]. NULL, as all
     * below: a touch is one material point. */
    double (*gap)(const haw_view *view, const haw_touch *touch);
    /** way [d] += way along the tangents of a listed touch: way[1], ... [m]. */
    void (*way)(const haw_passage *passage, const haw_touch *touch, double *way);
    /** Material points that a touch weighs. */
    int (*parts)(const haw_view *view, const haw_touch *touch);
    bool (*part)(const haw_view *view, const haw_touch *touch, int i, haw_touch_part *part);
    /** Measure how much the gap is less beside points than at them. @return number of dips */
    int (*refine)(haw_contacts *contacts, const haw_view *view);
    const haw_press_ops *press; /* of compliant laws on curves; NULL: the row takes none */
    const haw_press_ops *clasp; /* of those on any surface */
} haw_narrow;

extern const haw_narrow haw_narrow_point, haw_narrow_chord, haw_narrow_capsule, haw_narrow_mortar,
    haw_narrow_minimum, haw_narrow_ball, haw_narrow_corner, haw_narrow_knot;

/** Row of a pair. */
const haw_narrow *haw_narrow_of(const haw_pair *pair);

/* ---- of a single material point ---- */

/* What lies between grid point j of an element and the next one. */
typedef haw_status haw_piece_touch(haw_contacts *contacts, const haw_view *view, int e, int j);

/** Touches of the grid points of all elements that are near, and of the pieces behind them; `piece`
 * NULL: none. */
HAW_NODISCARD haw_status haw_points_touch(haw_contacts *contacts, const haw_view *view,
                                          haw_piece_touch *piece);

/** Touches of the two ends of a cable, of a bundle those of each member. */
HAW_NODISCARD haw_status haw_ends_touch(haw_contacts *contacts, const haw_view *view);

/**
 * w [3] of the material point at rho = -a n: with rho_0 = R_0 R^T rho before, in the material, and
 * p_0 = x_0 + rho_0 on the body then,
 *
 *     w = x + rho - X - Q Q_0^T (p_0 - X_0).
 *
 * @param then     where the point was before
 * @param carried  out: Q Q_0^T (p_0 - X_0)
 */
void haw_passage_find(const haw_passage *p, const haw_pose *now, const haw_pose *then,
                      const double normal[3], double w[3], double carried[3]);

/** Slope and second derivative of the gap to rho at a foot of a chord. */
void haw_chord_slope(const haw_chord *chord, const double normal[3], const double tangent[3],
                     const double bend[2], double rho, double slope[2]);

/** rho of the point of a chord that is nearest to the side of the surface with this normal. */
double haw_chord_nearest(const haw_view *view, const haw_chord *chord, const double normal[3]);

HAW_NODISCARD haw_status haw_points_find(haw_contacts *contacts, const haw_view *view);

/* Material points of a place: itself, or both ends of its chord. */
typedef struct haw_places {
    int count;
    double weight[2];
    haw_pose now[2], then[2];
    double
        from[3];   /* unit vector along the chord before, where it turns its own sections; else 0 */
    double travel; /* of the nearest point along the chord since then, over its length */
} haw_places;

void haw_passage_places(const haw_passage *p, const haw_touch *touch, haw_places *places);

/** way += weight times that of haw_contacts_way, along the tangents. */
void haw_passage_add(const haw_passage *p, const haw_pose *now, const haw_pose *then,
                     const haw_foot *foot, double weight, double *way);

#endif
