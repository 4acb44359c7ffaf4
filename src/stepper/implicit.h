/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an implicit step and an equilibrium share: the matrix, the forces by kind, and the iterate
 * of Newton's method.
 */
#ifndef HAWSER_STEPPER_IMPLICIT_H
#define HAWSER_STEPPER_IMPLICIT_H

#include "cable/reeving.h"
#include "model/system.h"
#include "stepper/simulation.h"
#include "stepper/vector.h"

/* Generalized forces at one state, by what becomes of their work; [dofs] each. */
typedef struct haw_force_set {
    haw_forces model;   /* conservative, damping, load; gyroscopic: zero in the plane */
    double *normal;     /* of compliant contact */
    double *tangential; /* of compliant contact */
    double *total;      /* sum of all, tied */
} haw_force_set;

/** Vectors of a set from an arena. */
HAW_NODISCARD haw_status haw_force_set_create(haw_arena *arena, int dofs, haw_force_set *set);

enum { HAW_UPDATES = 10 };

typedef struct haw_implicit {
    haw_context *context;
    haw_arena arena;
    haw_system *system;
    haw_force_set now, before;      /* at the iterate, and at the start of the step */
    double *q, *u, *a;              /* iterate, [coordinates] and [dofs] */
    double *acceleration;           /* true accelerations of the iterate [dofs] */
    double *residual;               /* M acceleration - f of the iterate; prescribed: reactions */
    double *residual_before;        /* the same of the state */
    double *mass_work;              /* [dofs] */
    double *direction;              /* [dofs] Newton step */
    double factor_h, factor_rate;   /* of the matrix that is factorized, NAN: none */
    long age;                       /* iterations since the last factorization */
    int updates;                    /* of the inverse since then, haw_implicit_direct */
    double *update[HAW_UPDATES][2]; /* w and s of each [dofs] */
    double noise;                   /* rounding error of the residual's 2-norm [N] */
    bool is_current;                /* `before` and `residual_before` are those of the state */
} haw_implicit;

/** @param held  [dofs] further degrees of freedom to hold, or NULL */
HAW_NODISCARD haw_status haw_implicit_create(haw_simulation *simulation, const bool *held,
                                             haw_implicit **implicit);
void haw_implicit_free(haw_implicit *implicit);

/**
 * All forces at (t, q, u), contacts included, into `set`; total is tied.
 * @param part  of the given loads that is applied, 1 in dynamics
 */
HAW_NODISCARD haw_status haw_implicit_forces(haw_simulation *simulation, double t, double part,
                                             const double *q, const double *u, haw_force_set *set);

/**
 * Assemble mass M + rate C + K at the last evaluation and factorize simulation->implicit.
 * @return ERR_SINGULAR
 */
HAW_NODISCARD haw_status haw_implicit_factor(haw_simulation *simulation, const double *q,
                                             const double *u, double mass, double rate);

/**
 * Newton step -A^-1 residual into `direction` with the matrix as it is factorized and updated.
 * @param learns  direction holds the last full step with this matrix: update the inverse first
 */
void haw_implicit_direct(haw_implicit *implicit, bool learns);

/**
 * Work by kind of the forces of a step, scale (part[0] before + part[1] now) . x [J]: with parts
 * that add up to 1 a mean force over a displacement x, or times h over a mean velocity.
 */
haw_works haw_implicit_work(const haw_implicit *implicit, const double part[2], double scale,
                            const double *x);

/** The forces of the iterate are those of the next start: exchange `now` and `before`. */
void haw_implicit_turn_over(haw_implicit *implicit);

/** 2-norm over the degrees of freedom that have an equation. */
double haw_implicit_norm(const haw_implicit *implicit, const double *x);

/**
 * Rounding error of the residual [N]: strains carry the machine epsilon of the coordinates over the
 * element length, axial forces EA times as much; contact springs that of the gap. Of ropes the
 * labels are among the coordinates, and the shortest element counts.
 */
double haw_implicit_noise(const haw_simulation *simulation, const double *q);

/** True if the model has forces that moreau and the frictionless `static` do not know: given
 * forces, springs, dampers, torques, damping of strains, compliant contact. */
bool haw_model_has_extra_forces(const haw_model *model);

/* ---- ropes over sheaves (cable/reeving.h) ---- */

/** Unstrained length of the shortest element of all ropes [m], INFINITY without one. */
double haw_implicit_rope_element(const haw_model *model, const double *q);

/** Time in which a stretching wave crosses the shortest element of all ropes [s]. */
double haw_implicit_rope_time(const haw_model *model, const double *q);

/** Largest force in a cable that forces are compared with: its mean tension, of a rope the largest
 * mean tension of an element [N]. */
double haw_implicit_tension(const haw_cable *cable, const double *q);

/**
 * implicit->mass_work = M jump at implicit->q; of ropes h times the inertia forces with the
 * velocities u and the accelerations jump / h [N s]. Scales `jump`.
 */
void haw_implicit_momentum(haw_simulation *simulation, const double *u, double *jump);

/** Fastest end of an element, in space or along the rope [m/s]. */
double haw_implicit_rope_speed(const haw_cable *cable, const double *u);

/**
 * Largest turn or stretch of an element of a rope and largest move of its ends and of the rims of
 * its sheaves in implicit->direction, over what a step may have: `change` of an element's length,
 * `move` [m].
 */
double haw_implicit_rope_excess(const haw_simulation *simulation, const haw_cable *cable,
                                double change, double move);

/** Move the meshes of all ropes to the tangent points of q. @return largest way of a node over its
 * element, INFINITY: no memory */
double haw_implicit_rope_recentre(const haw_model *model, double *q);

/**
 * Work on dq of the reactions of given labels, the mesh forces: what the discretisation leaves of a
 * force that would be zero for the exact motion, whose mesh may move at will [J].
 * @param reaction  [dofs], read where there is no equation
 */
double haw_implicit_mesh_work(const haw_implicit *implicit, const double *reaction,
                              const double *dq);

/** True if a rope of the model lies over this body or ends on it. */
bool haw_implicit_has_rope(const haw_model *model, int body);

#endif
