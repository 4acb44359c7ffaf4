/* SPDX-License-Identifier: BSD-3-Clause */
/* Clasps: what their forces (clasp.c) and the derivatives of these (stiffness.c) share. */
#ifndef HAWSER_CONTACT_CLASP_H
#define HAWSER_CONTACT_CLASP_H

#include "contact/press.h"

struct haw_clasp {
    haw_press press; /* id, gap, share, rate (normal, |v_T|), normal force; first: see keep */
    int touch;       /* of haw_compliant.touched */
    const haw_compliant_pair *pair;
    double part; /* of its point's force, which it shares with the foot of touch `with`; -1: none */
    int with;
    double slope[2];  /* of ln(part) to the places of its own foot and of that other one */
    bool is_bare;     /* nothing is known of its bristle: that of a step that began open */
    double entry[2];  /* part of the way that bends its bristle, and the slope of that to the gap */
    haw_slip_force f; /* n = 3 */
    double rate[3];   /* v [m/s] */
    double bristle[3]; /* Q sigma [m] */
    double given[3];   /* friction that is given, turned into the tangent plane; else 0 [N] */
    double way[3];     /* w [m] */
    double carried[3]; /* from the body's centre to where it has taken the point by now [m] */
};

/** The pair of a touch at q, since it was at q0. */
haw_passage haw_clasp_passage(const haw_compliant *c, const haw_touch *touch, const double *q,
                              const double *q0);

/** Measure the dips between points of grids that ask for them at q; no touch stays listed.
 * @return ERR_NOMEM */
HAW_NODISCARD haw_status haw_clasp_measure(haw_compliant *c, const double *q);

/** c = T(n) b. */
void haw_clasp_carry(const double n[3], const double b[3], double c[3]);

/** Where a bristle counts the travel of a touch along its chord c in the reference length l, as on
 * a circle in the plane, the way has (|c| - l) travel c / |c| more. @return |c| - l */
double haw_clasp_excess(const haw_view *view, const haw_places *at, double unit[3]);

/** haw_press_ops.tangent. */
void haw_clasp_tangent(haw_compliant *c, const haw_patch *patch, double rate, haw_system *system);

#endif
