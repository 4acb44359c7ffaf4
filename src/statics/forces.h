/* SPDX-License-Identifier: BSD-3-Clause */
/* What equilibria and implicit steps share: forces by kind, and the matrix of their derivatives. */
#ifndef HAWSER_STATICS_FORCES_H
#define HAWSER_STATICS_FORCES_H

#include "contact/compliant.h"
#include "model/joint.h"

/* Generalized forces at one state, by what becomes of their work; [dofs] each. */
typedef struct haw_force_set {
    double t, part;     /* time, and part of the given loads that is applied, 1 in dynamics */
    haw_forces model;   /* conservative, damping, load; gyroscopic: zero in the plane */
    double *normal;     /* of compliant contact */
    double *tangential; /* of compliant contact */
    double *total;      /* sum of all, tied */
} haw_force_set;

/** Vectors of a set from an arena. */
HAW_NODISCARD haw_status haw_force_set_create(haw_arena *arena, int dofs, haw_force_set *set);

/** Several vectors of `dofs` values from an arena. @return ERR_NOMEM */
HAW_NODISCARD haw_status haw_vectors_create(haw_arena *arena, int dofs, int count,
                                            double **const *vector);

/**
 * All forces at (set->t, q, u), contacts included, into `set`; total is tied.
 * @param compliant  NULL: no such contact
 */
HAW_NODISCARD haw_status haw_forces_find(const haw_model *model, haw_compliant *compliant,
                                         const double *q, const double *u, haw_force_set *set);

/** Assemble mass M + rate C + K at the last evaluation, without joints. */
void haw_forces_assemble(haw_system *system, haw_compliant *compliant, const double *q,
                         const double *u, double mass, double rate);

/**
 * Assemble mass M + rate C, compliant contacts at the last evaluation, without joints. Where
 * nothing has a damper C is left out, gyroscopic terms too.
 */
void haw_forces_assemble_rates(haw_system *system, haw_compliant *compliant, const double *q,
                               const double *u, double mass, double rate);

/** 2-norm over the degrees of freedom that have an equation. The rows of joints are gaps and no
 * forces: haw_joints_miss is their measure. */
double haw_free_norm(const haw_system *system, const double *x);

/**
 * Rounding error of the 2-norm of all forces [N]: strains carry the machine epsilon of the
 * coordinates over the element length, axial forces EA times as much, forces of bending 12 EI over
 * its square; contact springs that of the gap. Labels count where they are among the coordinates,
 * and the shortest element does.
 */
double haw_forces_noise(const haw_model *model, const double *q);

/** The same of the largest force, with room for what sums of a few terms leave [N]. */
double haw_forces_noise_largest(const haw_model *model, const double *q);

/** True if the model has forces that moreau and the frictionless `static` do not know: given
 * forces, springs, dampers, torques, damping of strains, compliant contact. */
bool haw_model_has_extra_forces(const haw_model *model);

/** True if cables, bodies or springs have dampers. */
bool haw_model_has_dampers(const haw_model *model);

/* ---- cables ---- */

/** Largest force in a cable that forces are compared with: its mean tension, where its mesh moves
 * along it the largest mean tension of an element [N]. */
double haw_cable_largest_tension(const haw_cable *cable, const double *q);

/** Move meshes that move along the material to where they belong at q. @return largest way of a
 * node over its element, INFINITY: no memory */
double haw_model_recentre(const haw_model *model, double *q);

/** A body that is free to go where nothing keeps it, or NULL.
 * @param held  [dofs] further degrees of freedom that are held, or NULL */
const haw_body *haw_model_loose(const haw_model *model, const bool *held);

#endif
