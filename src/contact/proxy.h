/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contact of spatial cables and spheres with surfaces: one grid of material points with a radius,
 * seen as points, as capsules between them, or weighted to the nodes (mortar: A. Bosten, A. Cosimo,
 * J. Linn, O. Bruls, Multibody Syst. Dyn. 54 (2022) 479-512, with a rigid surface as master).
 */
#ifndef HAWSER_CONTACT_PROXY_H
#define HAWSER_CONTACT_PROXY_H

#include "contact/contact.h"

/**
 * Contacts with gap <= contacts->margin at q, of all pairs, with their rows there; gap_min as in
 * haw_contacts_detect, which leads here where the model is spatial. The gap is the distance of the
 * centreline from the surface less the radius; rows are those of the material point at the radius,
 *
 *     row_k = k . (jx + jw x rho),   rho = -r n,   k = n, t1, t2;
 *
 * rho = 0 with arm: distance, and for elements without rotations: nothing would carry the moment.
 */
HAW_NODISCARD haw_status haw_space_detect(haw_contacts *contacts, const double *q);

/**
 * Begin a step: the nearest points that detections choose on capsules from here on are kept until
 * the next call. Within the passes of Newton's method of a step capsules act as material points;
 * a point that moved along its element with every pass would need the derivative of its place.
 * Without any call every detection chooses anew.
 */
void haw_space_begin(haw_contacts *contacts);

/**
 * Gap, and way along t1 and t2 that the touching material point has gone on the surface, in the
 * frame of the moving body, since the configuration `before`: with poses (X, Q) of the body and
 * rho_0 = R_0 R^T rho in the material,
 *
 *     way = t . ( x + rho - X - Q Q_0^T (x_0 + rho_0 - X_0) ).
 *
 * A point that sticks to a prescribed body has way 0 to rounding, however far the body has turned.
 *
 * @param q     where the contacts were detected
 * @param way   [3 count] out: gap, way1, way2 [m]
 */
void haw_space_way(const haw_contacts *contacts, const double *before, const double *q,
                   double *way);

/* A material point of a contact: itself, or one of those that a mortar contact weighs. */
typedef struct haw_contact_part {
    haw_touch point;  /* as a contact of its own: owner, rows, frame, bend and place */
    double weight;    /* of its rows in those of the contact */
    double softening; /* minus the derivative of the weight to its gap [1/m] */
} haw_contact_part;

/** Number of parts of a contact. */
int haw_space_parts(const haw_contacts *contacts, const haw_touch *contact);

/** Part i at the configuration of the detection; false: it takes no part. */
bool haw_space_part(const haw_contacts *contacts, const haw_touch *contact, int i,
                    haw_contact_part *part);

/** Gap of a listed contact at another configuration, the same material point [m]. */
double haw_space_gap(const haw_contacts *contacts, const haw_touch *contact, const double *q);

#endif
