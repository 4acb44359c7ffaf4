/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Guards of contact: nothing passes through a surface within a step, nothing sinks into it. They
 * know nothing of proxies, laws and solvers, so that no mistake of these can hide from them: they
 * look at the curve itself, at the points of the grid and between them.
 *
 *   speed: the approach to a surface that is reached within the step, by the velocities at its
 *          start or by the motion itself, is at most speed_limit (a quarter) of the radius of the
 *          surface; of a ball of the smaller one of both.
 *   depth: no point of the grid ends deeper inside than depth_limit times the smallest radius, of
 *          the surface or the section (1e-2 of set-valued laws, a quarter of compliant ones).
 *          Between two points of the grid the curve of a coarse grid is deeper by its sagitta,
 *          spacing^2 / (8 R): there, and of mortar contacts, the limit is five times as wide, up
 *          to a quarter, and that of the surface's radius alone. On a flat surface under set-valued
 *          laws it is as large a part of the spacing, below both points. What is drawn deeper, as
 *          cubics are along an arc, may stay so.
 */
#ifndef HAWSER_CONTACT_GUARD_H
#define HAWSER_CONTACT_GUARD_H

#include "contact/contact.h"

typedef struct haw_guard haw_guard;

/** @return ERR_NOMEM */
HAW_NODISCARD haw_status haw_guard_create(haw_arena *arena, const haw_model *model,
                                          haw_guard **guard);

/* The motion of one step. */
typedef struct haw_guard_step {
    double t, h;            /* its start and length [s] */
    const double *before;   /* [coordinates] */
    const double *u_before; /* [dofs], NULL: nothing moves */
    double ahead; /* how long these lead on: h; 0 of equilibria, whose are ways of the past [s] */
    const double *after; /* [coordinates] */
    bool is_drawn;       /* a start, of which others say how deep it may be: there are no limits */
    bool is_last;        /* of the run: nothing may wait for a later look */
    bool is_explicit;    /* speeds towards surfaces were guarded at the detection, */
    bool is_due;         /* and their depths are looked at now and then: in this step */
} haw_guard_step;

/** Step in which nothing that has a hard contact goes more than half its depth limit at the speed
 * of its bodies: explicit steps land as deep as they go. INFINITY where nothing moves [s]. */
double haw_guard_landing(haw_guard *guard, const double *u);

/** Forget what is known of the places of cables: the state is another one. */
void haw_guard_forget(haw_guard *guard);

/**
 * Check all pairs of the model; to be called in every step whose speed is guarded.
 * @param deepest  raised to the largest depth that was seen, the one refused included [m]
 * @return  ERR_GUARD with the limit that was passed and how to keep it
 */
HAW_NODISCARD haw_status haw_guard_check(haw_guard *guard, const haw_guard_step *step,
                                         double *deepest);

#endif
