/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a point of a pair touches. Two rows answer the same questions: the surface of a body, and
 * the centreline of a cable, which its section surrounds at its radius. Everything above, from the
 * broad phase to the guards, asks the row and never which one it is.
 */
#ifndef HAWSER_CONTACT_PARTNER_H
#define HAWSER_CONTACT_PARTNER_H

#include "contact/narrow.h"

struct haw_partner {
    const char *name, *summary;

    /* ---- the narrow phase ---- */

    /** haw_view_feet. */
    void (*feet)(const haw_view *view, const double x[3], double label, double reach,
                 haw_feet *feet);
    /** Slots of the feet of the point at x that has touched at `held` [feet of the pair] before,
     * and feet that stay there (haw_contacts.held). NULL: feet never move far. */
    void (*hold)(const haw_view *view, const double x[3], const double *held, haw_feet *feet);
    /** The foot of a listed touch whose point is at x now; false: it has none. */
    bool (*follow)(const haw_view *view, const double x[3], const haw_touch *touch, haw_foot *foot);
    /** The second side of a touch of the point at x, its rows along the directions n, t1, t2. */
    void (*set_side)(const haw_view *view, const double x[3], const haw_foot *foot,
                     double direction[HAW_DIRECTIONS][3], haw_touch *touch);
    /** Pose of the material at the foot of a touch, at a configuration. NULL: it is that of the
     * view for all touches. */
    void (*pose)(const haw_view *view, const haw_touch *touch, const double *q, haw_pose *pose);
    /** haw_contacts_tangent, of a part of a touch with these loads. */
    void (*tangent)(const haw_contacts *contacts, const haw_touch_part *part, const double *load,
                    double factor, haw_system *system);

    /* ---- the broad phase ---- */

    /** False only if no place of element e, which these bounds contain, is nearer than `reach`. */
    bool (*within)(const haw_view *view, int e, const haw_bounds *bounds, double reach);
    /** Gaps up to this hold for as long as nothing has moved by more [m]; NULL: all. */
    double (*sight)(const haw_view *view);
    /** Upper bound of how far anything of it has come from one configuration to another [m], or how
     * far its centre has and its surface has turned about it [rad]. */
    double (*way)(const haw_model *model, const haw_pair *pair, const double *before,
                  const double *q, double *turn);

    /* ---- guards: they ask at any configuration, of a place of the pair's cable or ball ---- */

    /** Signed distance that all of a ball about a place of element e keeps but for its radius;
     * where that is more than `enough`, any number above it that is not larger. */
    double (*clear)(const haw_view *view, int e, const double centre[3], double radius,
                    double enough);
    /** Signed distance of x and outward normal at the nearest foot; where nothing is so near,
     * `enough` and no normal. */
    double (*gap)(const haw_view *view, const double x[3], double label, double enough,
                  double normal[3]);
    /** Where x would be at `q_plus` if it went with the material that is nearest, and not farther
     * away than `reach`. */
    void (*carry)(const haw_view *view, const double x[3], double label, double reach,
                  const double *q_plus, double x_plus[3]);
    bool is_swept; /* explicit steps guard speeds towards it as they detect */
};

extern const haw_partner haw_partner_surface, haw_partner_line;

/** The `tangent` of surfaces. */
void haw_surface_tangent(const haw_contacts *contacts, const haw_touch_part *part,
                         const double *load, double factor, haw_system *system);

/** Row of a pair. */
static inline const haw_partner *haw_partner_of(const haw_pair *pair)
{
    return pair->line >= 0 ? &haw_partner_line : &haw_partner_surface;
}

#endif
