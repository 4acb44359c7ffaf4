/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compliant contact on the grid: forces of gap, velocity and history on points of the curve or on
 * the chords between them, their exact tangent, and their histories. A chord is the straight line
 * between two neighbouring grid points (shifted by the pair's offset along the curve's normal); its
 * contact point is the one closest to the centre of the circle, its friction that of one point
 * (K. Ntarladima, M. Pieber, J. Gerstmayr, Nonlinear Dynamics 2023).
 *
 * A step is begin, then evaluate (and tangent) as often as Newton asks, then commit:
 * the histories of the state are those of the start of the step until commit. In statics no time
 * passes: a newly closed point sticks with a relaxed bristle, all pairs use the return map, no
 * point is held, and commit reports forces instead of impulses.
 */
#ifndef HAWSER_CONTACT_COMPLIANT_H
#define HAWSER_CONTACT_COMPLIANT_H

#include "contact/contact.h"
#include "model/system.h"

typedef struct haw_compliant haw_compliant;

HAW_NODISCARD haw_status haw_compliant_create(haw_context *context, const haw_model *model,
                                              haw_compliant **compliant);
void haw_compliant_free(haw_compliant *compliant);

/** True if any pair of the model has a compliant law. */
bool haw_compliant_any(const haw_model *model);

/** Histories of a state that has none yet (start of a run): all points open. */
void haw_compliant_reset(haw_state *state);

/** Friction coefficient of all pairs instead of their own; NAN: their own again. */
void haw_compliant_friction(haw_compliant *compliant, double friction);

/** The state that follows is another one: any of its points may be closed, and nothing is known of
 * places. */
void haw_compliant_forget(haw_compliant *compliant);

/** Within a step: hold no point that goes to and fro between two evaluations, as their steps are
 * searched (statics/search.h), or hold it again. */
void haw_compliant_loosen(haw_compliant *compliant, bool is_free);

/**
 * Start a step of length h from this state; keeps a pointer to its histories.
 *
 * @param h  [s], 0 in statics
 */
void haw_compliant_begin(haw_compliant *compliant, const haw_state *state, haw_phase phase,
                         double h);

/**
 * Contact forces on all degrees of freedom at (q, u), by what they do: normal [dofs] += and
 * tangential [dofs] += (not tied). Keeps what tangent, switch and commit need.
 *
 * @return ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_compliant_evaluate(haw_compliant *compliant, const double *q,
                                                const double *u, double *normal,
                                                double *tangential);

/** Measure the dips between points at the last evaluation, of pairs that ask for it, as
 * haw_contacts_refine does. @return whether forces with them are others: evaluate anew */
bool haw_compliant_refine(haw_compliant *compliant);

/** Have the next refinement measure all dips anew, where a path has gone on since the last ones:
 * else they only grow. */
void haw_compliant_renew(haw_compliant *compliant);

/** Points of the last evaluation that are held open or closed against the sign of their gap. */
int haw_compliant_held(const haw_compliant *compliant);

/** Points that are held closed outside their surface, where they are pulled, are set free for the
 * rest of the step, from the next evaluation on. @return how many */
int haw_compliant_release(haw_compliant *compliant);

/** True if clasps are the only compliant contacts and all of them springs, without dampers: their
 * normal forces can be given. */
bool haw_compliant_is_sprung(const haw_compliant *compliant);

enum { HAW_GIVEN = 4 }; /* numbers of a force that is given: normal, and friction as a vector */

/**
 * From the next evaluation on forces of clasps are these, by the ids of points, whatever their gaps
 * and slips are. Two feet that share one force each have the whole here. Normal forces do not
 * depend on the configuration; friction turns with the tangent plane, and what is viscous is added.
 * All points are listed that are nearer than `sight`.
 *
 * @param force  [points HAW_GIVEN], lent [N]; NULL: by the laws
 */
void haw_compliant_give(haw_compliant *compliant, const double *force, double sight);

/** Forces by the laws at the last evaluation, force [points HAW_GIVEN] out [N]. */
void haw_compliant_read(const haw_compliant *compliant, double *force);

/** The touches of the last evaluation with their rows, NULL: none. */
const haw_contacts *haw_compliant_near(const haw_compliant *compliant);

/* Springs of a touch [m/N]. Friction is Coulomb's on one of them: with u the slip s + (k s + c v) /
 * k' of the last evaluation and its change, and r the force on the first side along the tangents,
 * u + r / k' is against r where |r| = mu r_N, else 0. */
typedef struct haw_softness {
    double normal, tangential; /* 1 / k, 1 / k' */
    double mu;                 /* 0: none, or none of this kind */
    double slip[2];            /* (k s + c v) / k' along the tangents [m] */
    double force[4]; /* HAW_GIVEN: at the last evaluation, friction without what is viscous */
    int with;        /* the touch at another foot that it shares a force with; -1: none */
} haw_softness;

/**
 * Of touch i of haw_compliant_near, as laws of friction are below their limit.
 * @param rate  change of a velocity with its coordinate [1/s]
 */
haw_softness haw_compliant_softness(const haw_compliant *compliant, int i, double rate);

/** Smallest gap of a pair of the model in the last evaluation [m]; HUGE_VAL where all is far. */
double haw_compliant_gap(const haw_compliant *compliant, int pair);

/** Closed points of the last evaluation. */
int haw_compliant_closed(const haw_compliant *compliant);

/** How many points were open at the start of the step and are closed at the last evaluation, or the
 * other way round. */
int haw_compliant_changed(const haw_compliant *compliant);

/** Couple the cables that touch cables at the last evaluation in the pattern of a system, whose
 * entries are lost where it changes. @return ERR_NOMEM, which the system keeps for its
 * factorization */
haw_status haw_compliant_couple(const haw_compliant *compliant, haw_system *system);

/** Matrix += d(-f)/dq + rate d(-f)/du at the last evaluation. */
void haw_compliant_tangent(haw_compliant *compliant, double rate, haw_system *system);

/** True if any pair switches by the published post-Newton step. */
bool haw_compliant_is_switched(const haw_compliant *compliant);

/**
 * The published post-Newton step after a converged Newton: new states of all its points at the last
 * evaluation, always from the histories of the start of the step. Nothing in statics.
 *
 * @return the switching error [N]: largest sum over the points of a pair and element
 */
double haw_compliant_switch(haw_compliant *compliant);

/** Energy stored in the contact springs of the normal law at the last evaluation [J]. */
double haw_compliant_energy(const haw_compliant *compliant);

/**
 * Accept the step: write the new histories into the state, and the closed points into `contacts`,
 * where the monitor reads them, with their impulses h f or in statics their forces f (gamma_plus:
 * present velocities), behind those that it holds.
 *
 * @return ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_compliant_commit(haw_compliant *compliant, haw_state *state,
                                              haw_contacts *contacts);

#endif
