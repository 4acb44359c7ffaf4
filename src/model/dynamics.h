/* SPDX-License-Identifier: BSD-3-Clause */
/* Motion, forces, energies and the effective mass of the whole model. */
#ifndef HAWSER_MODEL_DYNAMICS_H
#define HAWSER_MODEL_DYNAMICS_H

#include "base/pack.h"
#include "model/model.h"
#include "model/ring.h"

/* ---- motion (motion.c) ---- */

/** q_plus [coordinates] = q moved by the increments h u [dofs]; may be in place. Quaternions are
 * normalised. */
void haw_model_move(const haw_model *model, const double *q, double h, const double *u,
                    double *q_plus);

/** Largest stable step of the explicit midpoint without dampers [s]. */
double haw_model_undamped_step(const haw_model *model);

/** Largest of the coordinates q by which positions are rounded [m], [rad]: without those of the
 * multipliers of joints, which are impulses. */
double haw_model_reach(const haw_model *model, const double *q);

/** d [dofs] that moves q to q_plus. */
void haw_model_difference(const haw_model *model, const double *q, const double *q_plus, double *d);

/**
 * Prescribed coordinates at time t into q [coordinates], from the exact integrals of the drives, of
 * what is not integrated like all others: in space bodies of prescribed motion, guided and clamped
 * ends and those that ride on such bodies.
 */
void haw_model_place(const haw_model *model, double t, double *q);

/** Velocities of all given labels at the end of a step of length h from (q, u) into u_plus. */
void haw_model_guide(const haw_model *model, const double *q, const double *u, double h,
                     double *u_plus);

/** Time and arrays of a state. */
void haw_state_pack(haw_state *state, haw_pack *pack);

/** True if degree of freedom i of u is prescribed; [dofs]. */
void haw_model_held(const haw_model *model, bool *held);

/** @return  ERR_GUARD: a configuration that the elements of a cable cannot represent */
HAW_NODISCARD haw_status haw_model_guard(const haw_model *model, double t, const double *q);

/* ---- forces and energies (dynamics.c) ---- */

/** f [dofs] = -dV/dq, elastic and gravity, of bodies and of cables that take explicit steps [N, N
 * m]. */
void haw_model_force(const haw_model *model, const double *q, double *f);

/**
 * What free motion makes of u for a time h: way [dofs] = the increment that moves q, u_plus [dofs]
 * = u but for what is free to turn in space, which precesses (so3_coast) and keeps its angular
 * momentum and its energy. u_plus may be u where nothing does (haw_model_turns).
 */
void haw_model_coast(const haw_model *model, double h, const double *u, double *way,
                     double *u_plus);

/** f [dofs] += velocity-dependent inertia forces of what does not coast: of elements whose mass
 * depends on q, of sections and spatial bodies that are held in some of their turns. */
void haw_model_gyroscopic(const haw_model *model, const double *q, const double *u, double *f);

/** True if any element has a mass that depends on q. */
bool haw_model_is_gyroscopic(const haw_model *model);

/** True if anything has an orientation in space, whose inertia is constant in its own frame. */
bool haw_model_turns(const haw_model *model);

/**
 * All forces at (t, q, u) but those of contacts; overwrites. Copied nodes of closed cables are
 * tied: their share is added to the node itself.
 *
 * @param part  of the loads that is applied, 1 in dynamics
 */
void haw_model_forces(const haw_model *model, double t, double part, const double *q,
                      const double *u, const haw_forces *forces);

/** Closed cables: f of the copied node goes to the node itself. */
void haw_model_tie(const haw_model *model, double *f);

/** y [dofs] = M x with the model's constant masses, tied; prescribed rows included, 0 where a mass
 * depends on q (haw_model_inertia). */
void haw_model_mass(const haw_model *model, const double *x, double *y);

/** y [dofs] = M(q) a + velocity-dependent inertia forces but those that are among the forces
 * (gyroscopic), tied. Prescribed rows included. */
void haw_model_inertia(const haw_model *model, const double *q, const double *u, const double *a,
                       double *y);

typedef struct haw_energy {
    double elastic, gravity; /* [J] */
} haw_energy;

/** Energy stored in the springs [J]. */
double haw_model_spring_energy(const haw_model *model, const double *q);

haw_energy haw_model_energy(const haw_model *model, const double *q);

/** Kinetic energy from the velocity field [J]. */
double haw_model_kinetic(const haw_model *model, const double *q, const double *u);

/**
 * momentum += linear [N s] and angular momentum about the origin [N m s] of a body, of a cable, of
 * all that has a mass (momentum.c): what steps without forces from outside keep.
 *
 * @param work  [dofs] scratch
 */
void haw_body_momentum(const haw_model *model, int index, const double *q, const double *u,
                       double momentum[6]);
void haw_cable_momentum(const haw_model *model, int index, const double *q, const double *u,
                        double *work, double momentum[6]);
void haw_model_momentum(const haw_model *model, const double *q, const double *u, double *work,
                        double momentum[6]);

/** Clear the entries of bodies and of prescribed ends in x [dofs]: what equilibrium leaves free. */
void haw_model_hold(const haw_model *model, double *x);

/** Spread a scalar block over the components: full_(ci+a, cj+a) = factor block_ij. */
void haw_mass_expand(const haw_mass_form *form, double factor, const double *block, double *full);

/*
 * Effective mass of a step, M^ = (1 + alpha h / 2) M + theta^2 h^2 K, one band per cable and the
 * diagonal of the bodies; prescribed degrees of freedom have an inverse mass of zero.
 */
typedef struct haw_inertia {
    const haw_model *model;
    haw_arena arena;
    double h, theta;
    bool is_constant;     /* computed once: theta = 0 and no q-dependent mass */
    haw_band *mass;       /* [cables] M at the last update, not reduced */
    haw_band *stiffness;  /* [cables] K at the last update, theta > 0 only */
    haw_band *effective;  /* [cables] M^, prescribed rows replaced by the identity */
    haw_factor **factor;  /* [cables] */
    haw_ring *ring;       /* [cables] of closed ones */
    double *body_inverse; /* [dofs of the bodies] */
    int *held;            /* [held_count] prescribed degrees of freedom of cables */
    int held_count;
} haw_inertia;

HAW_NODISCARD haw_status haw_inertia_create(haw_context *context, const haw_model *model,
                                            haw_inertia **inertia);
void haw_inertia_free(haw_inertia *inertia);

/** Choose step and theta; the next update recomputes everything. */
HAW_NODISCARD haw_status haw_inertia_set(haw_inertia *inertia, double h, double theta);

/** Assemble and factorize at q; does nothing where M^ is constant. @return ERR_SINGULAR */
HAW_NODISCARD haw_status haw_inertia_update(haw_inertia *inertia, const double *q);

/** x [dofs] <- M^^-1 x, prescribed entries become zero, copied nodes follow theirs. */
void haw_inertia_solve(const haw_inertia *inertia, double *x);

/**
 * The same for right-hand sides on a window of degrees of freedom of one cable, and only these.
 * @param first, count  whole scalar rows, of closed cables all
 * @param x             [count][columns]
 */
void haw_inertia_solve_window(const haw_inertia *inertia, int cable, int columns, int first,
                              int count, double *x);

/** y [dofs] = M x, K x: bodies and cables, not reduced. K x is zero for theta = 0. */
void haw_inertia_mass(const haw_inertia *inertia, const double *x, double *y);
void haw_inertia_stiffness(const haw_inertia *inertia, const double *x, double *y);

#endif
