/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The iterate of Newton's method of an implicit step, and its matrix, which is kept over steps.
 */
#ifndef HAWSER_STEPPER_IMPLICIT_H
#define HAWSER_STEPPER_IMPLICIT_H

#include "linalg/vector.h"
#include "statics/forces.h"
#include "stepper/simulation.h"

enum { HAW_UPDATES = 10 };

typedef struct haw_implicit {
    haw_system *system;
    haw_force_set now, before;      /* at the iterate, and at the start of the step */
    double *q_end;                  /* [coordinates] of joints: where the step of u_plus ends */
    double *q, *u, *a;              /* iterate, [coordinates] and [dofs] */
    double *x;                      /* [dofs] displacement from the state to q: q itself where
                                       configurations add like vectors (haw_implicit_place) */
    double *acceleration;           /* true accelerations of the iterate [dofs] */
    double *residual;               /* M acceleration - f of the iterate; prescribed: reactions */
    double *residual_before;        /* the same of the state */
    double *mass_work;              /* [dofs] */
    double *direction;              /* [dofs] Newton step */
    double factor_h, factor_rate;   /* of the matrix that is factorized, NAN: none */
    long age;                       /* iterations since the last factorization */
    int updates;                    /* of the inverse since then, haw_implicit_direct */
    double *update[HAW_UPDATES][2]; /* w and s of each [dofs] */
    haw_hold *hold, *hold_before;   /* [joints] at the iterate and at the start of the step */
    double *joint, *joint_before;   /* [dofs] forces of the joints at the iterate and at the start;
                                       of steps on velocities their impulses */
    double noise;                   /* rounding error of the residual's 2-norm [N] */
    bool is_current;                /* `before` and `residual_before` are those of the state */
    bool is_exact;                  /* few equations, and a ledger that closes to rounding */
    double leak, leak_most;         /* what haw_implicit_closes found last, and may [J] */
    int closings;                   /* iterations of this step for the ledger alone */
    char reason[256];               /* why the last pass did not go its whole way, or "" */
} haw_implicit;

/** simulation->implicit, freed with the simulation. @return ERR_NOMEM */
HAW_NODISCARD haw_status haw_implicit_create(haw_simulation *simulation, const bool *held);

/** x of the state: no displacement. */
void haw_implicit_rest(haw_simulation *simulation);

/** q where x leads, with what is prescribed at time t. */
void haw_implicit_place(haw_simulation *simulation, double t);

/** x of q. */
void haw_implicit_measure(haw_simulation *simulation);

/**
 * All forces at (t, q, u), contacts included, into `set`; total is tied.
 * @param part  of the given loads that is applied, 1 in dynamics
 */
HAW_NODISCARD haw_status haw_implicit_forces(haw_simulation *simulation, double t, double part,
                                             const double *q, const double *u, haw_force_set *set);

/** mass M + rate C + K at the last evaluation, joints included, into the system's matrix. */
void haw_implicit_assemble(haw_simulation *simulation, const double *q, const double *u,
                           double mass, double rate);

/**
 * The same, factorized as simulation->implicit.
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

/** `before` and what stands beside it, for rows that take forces over from the last step. */
void haw_implicit_carry(haw_implicit *implicit, haw_pack *pack);

/**
 * implicit->mass_work = M jump at implicit->q; of ropes h times the inertia forces with the
 * velocities u and the accelerations jump / h [N s]. Scales `jump`.
 */
void haw_implicit_momentum(haw_simulation *simulation, const double *u, double *jump);

/* ---- steps on velocities: the residual is an impulse, simulation->balance ---- */

/**
 * Reference of the balance, the largest impulse at hand: of elastic forces with the reactions of
 * held ends, of given forces and of contacts, or the momentum itself; and what is small enough.
 *
 * @param force     at the iterate
 * @param u         [dofs] there
 * @param relative  tolerance
 */
void haw_implicit_refer(haw_simulation *simulation, const haw_forces *force, const double *u,
                        double relative);

/**
 * Joints hold where the step ends, g(q+) = 0, and push along the mean of their rows,
 *
 *     h (theta G+ + (1 - theta) G-) lambda:
 *
 * the chord of a circle is at right angles to the mean of the radii at its ends, and with
 * theta = 1/2 a pendulum keeps its energy. Takes these impulses from the residual, whose rows of
 * the multipliers become -theta h g, so that the matrix, over (theta h)^2, has -G' there.
 * hold_before is that of the state.
 */
void haw_implicit_join(haw_simulation *simulation, double theta);

/** The matrix over (theta h)^2 += what joints add to it at the iterate. */
void haw_implicit_join_matrix(haw_simulation *simulation, double theta);

/** True if the residual impulse is small enough and the joints are closed. */
static inline bool haw_implicit_balances(const haw_simulation *simulation)
{
    return simulation->balance.norm <= simulation->balance.tolerance &&
           haw_joints_miss(&simulation->model, simulation->implicit->hold, HAW_JOINT_TOLERANCE) <=
               1;
}

/** How many points that are held closed are pulled: the next evaluation has them open. */
static inline int haw_implicit_pulls(const haw_simulation *simulation)
{
    return simulation->compliant != NULL ? haw_compliant_release(simulation->compliant) : 0;
}

/** True if it balances without them. */
static inline bool haw_implicit_settles(const haw_simulation *simulation)
{
    return haw_implicit_balances(simulation) && haw_implicit_pulls(simulation) == 0;
}

/**
 * True if the residual does no work over the way of the step, which no term of the ledger has. Of
 * models with joints or bodies that move, and of paths without inertia: others pay with every
 * second iteration. True, too, if two iterations for that alone have not helped: it is rounding.
 *
 * @param part  way = part[0] u of the state + part[1] u [1, or s where the residual is a force]
 * @param u     [dofs] velocities of the iterate
 */
bool haw_implicit_closes(const haw_simulation *simulation, const double part[2], const double *u);

/** Measure the gaps beside points of grids that ask for it, of all laws, once all else holds.
 * @return whether what is solved for changes */
bool haw_implicit_refine(haw_simulation *simulation);

/** What else than a smaller step may help: nothing where steps are halved already. */
const char *haw_implicit_or_halve(const haw_simulation *simulation);

/** @param passes  what was counted @return ERR_UNCONVERGED with a message */
haw_status haw_implicit_missed(const haw_simulation *simulation, const char *passes, int count);

/** u_mean = (u + u+) / 2 of the simulation. */
void haw_implicit_mean(haw_simulation *simulation);

/** Impulses of the prescribed motions, the residual there, into simulation->reaction. @return their
 * work on u_mean [J] */
double haw_implicit_react(haw_simulation *simulation);

/**
 * Work on dq of the reactions of given labels, the mesh forces: what the discretisation leaves of a
 * force that would be zero for the exact motion, whose mesh may move at will [J].
 * @param reaction  [dofs], read where there is no equation
 */
double haw_implicit_mesh_work(const haw_implicit *implicit, const double *reaction,
                              const double *dq);

#endif
