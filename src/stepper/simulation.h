/* SPDX-License-Identifier: BSD-3-Clause */
/* A model in motion: state, workspace, ledger and certificate of one run. */
#ifndef HAWSER_STEPPER_SIMULATION_H
#define HAWSER_STEPPER_SIMULATION_H

#include "base/pack.h"
#include "contact/compliant.h"
#include "contact/contact.h"
#include "contact/guard.h"
#include "contact/region.h"
#include "model/projection.h"
#include "statics/statics.h"
#include "stepper/stepper.h"

struct haw_simulation {
    haw_context *context;
    haw_arena arena;
    haw_model model; /* own copy: a static start may change unstrained lengths */
    haw_run_settings settings;
    haw_solver_settings solver; /* of the settings, until it stalls */
    haw_state *state;
    haw_inertia *inertia;
    haw_projection *projection; /* of explicit steps with joints, or NULL */
    haw_region *region;         /* of explicit steps whose contacts are many, or NULL */
    haw_contacts *contacts;
    haw_guard *guard;
    haw_workspace *workspace;
    int *closed; /* ids with a non-zero impulse in the state */
    int closed_count, closed_capacity;
    int set_valued; /* touches of the last step that its contact problem had: the first ones of the
                       list; those of compliant laws follow */

    double h;        /* of the current step [s] */
    double step;     /* the regular one [s] */
    double end;      /* [s] */
    double origin_t; /* the grid of times starts here, after origin_step steps [s] */
    long origin_step;
    long steps_total; /* < 0: until `end` */

    /* Vectors of one step, [dofs] each. */
    double *q_mid; /* where forces and contacts are evaluated; this and work[] have room for
                      max(dofs, coordinates) */
    double *force; /* f there, gyroscopic part included [N] */
    double *u_free, *u_plus, *u_mean;
    double *push;   /* H Lambda [N s] */
    haw_hold *hold; /* [joints] of the certificate */
    double *work[2];

    /* Compliant contact and implicit steps; NULL in runs that need none of them. */
    haw_compliant *compliant;
    struct haw_implicit *implicit; /* implicit.h */
    struct haw_pass *pass;      /* contact_pass.h, NULL but in implicit steps with hard contact */
    const haw_stepper_ops *ops; /* whose steps are taken: of the settings, or its `nonsmooth` */
    void *method;               /* workspace of that row */
    long crowded_most[2];  /* factorizations of an equilibrium with more contacts than it takes, and
                              of one that may be halved instead */
    double contact_energy; /* in contact springs less their impact_loss, at the start [J] */
    double hard[2];        /* parts of impact_loss and friction_loss of hard contact [J] */
    bool is_warned;        /* of a rope that pushes, of friction that chatters */
    bool is_pushed;        /* by a force from outside in this step */
    double bristle_energy; /* in bristles at the start; INFINITY: unknown [J] */
    double *reaction;      /* [dofs] impulse of prescribed motions in the last step [N s, N m s] */
    double *support;       /* [dofs] force on what an equilibrium holds [N, N m] */

    haw_energy energy; /* of the state */
    double kinetic;
    double energy_scale; /* largest kinetic + elastic energy so far, at least 1e-9 EA L [J] */
    haw_ledger ledger;
    haw_certificate certificate;
    haw_sparse_calls sparse; /* of the context before this simulation */
    haw_report report;       /* of the last contact solve */
    haw_balance balance;     /* of the last Newton iterations */
    double last_residual;

    /* Who looks on (observe/): the steppers know no more of it. */
    struct haw_observation *observation;
    haw_status (*observe)(haw_simulation *simulation); /* of every step or part of one, or NULL */
};

extern const haw_stepper_ops haw_stepper_moreau, haw_stepper_static, haw_stepper_generalized_alpha,
    haw_stepper_moreau_jean, haw_stepper_nsga, haw_stepper_quasi_static;

/** Room for the ids of `count` closed points. */
HAW_NODISCARD haw_status haw_step_reserve_closed(haw_simulation *simulation, int count);

/** The list of closed points of a state that was put back: those with an impulse. @return ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_step_recount_closed(haw_simulation *simulation);

/** The solver of the run stalls: `auto` solves what is left and all that follows. */
HAW_NODISCARD haw_status haw_step_relieve_solver(haw_simulation *simulation);

/** One step of length simulation->h of the state, its ledger and its certificate (step.c). */
HAW_NODISCARD haw_status haw_step(haw_simulation *simulation);

/** Store the impulses as the warm start of the next step. */
HAW_NODISCARD haw_status haw_step_keep_impulses(haw_simulation *simulation);

/** Book the depths of the closed points as they are now. */
void haw_step_book_depths(haw_simulation *simulation);

/** Book residuals, contact work, closed points and depth of an accepted step. */
void haw_step_certify(haw_simulation *simulation);

/**
 * Energy in the contact springs of the state, as at rest [J]; 0 without compliant contact.
 * @return ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_step_contact_energy(haw_simulation *simulation, double *energy);

/** Impulses of the contact problem from those given, velocities u, simulation->report. */
HAW_NODISCARD haw_status haw_step_solve_contacts(haw_simulation *simulation, double *u);

/** Losses of the contacts in this step: friction, impact [J]. */
void haw_step_contact_losses(const haw_simulation *simulation, double *friction, double *impact);

/** @param sum  of energies or coordinates of a new state @return ERR_DIVERGED if not finite */
HAW_NODISCARD haw_status haw_guard_finite(const haw_simulation *simulation, double sum);

/** Of a closing contact without a solution: W_NN is 0 where joints and motions hold both sides.
 * @param own, other  W_NN of this contact and what it is nothing beside [1/kg]
 * @return ERR_DIVERGED if it is that */
HAW_NODISCARD
haw_status haw_guard_held(const haw_simulation *simulation, int contact, double own, double other);

/** Forces balance in a fold, too: it is nothing that a taut line would come to.
 * @param at_ends  only where ends are led @param status  of a configuration with one */
HAW_NODISCARD haw_status haw_guard_folds(const haw_simulation *simulation, const double *q,
                                         bool at_ends, haw_status status);

/** Flags that a stepper needs for a model, of haw_stepper_flag. */
unsigned haw_guard_needs(const haw_model *model);

/** Refuse what the stepper of this name does not take of the model, by its flags.
 * @return ERR_INPUT with a message that names the steppers which take it */
HAW_NODISCARD haw_status haw_guard_model(const haw_simulation *simulation, const char *name,
                                         unsigned flags);

/** True if the row of the run's stepper has this flag. */
static inline bool haw_stepper_has(const haw_simulation *simulation, haw_stepper_flag flag)
{
    return (simulation->settings.stepper.ops->flags & (unsigned)flag) != 0;
}

/* What the public functions of observe/run.c are made of. */

/** Copy of the model, start state, workspace. @return ERR_NOMEM, ERR_INPUT */
HAW_NODISCARD haw_status haw_simulation_build(haw_context *context, const haw_model *model,
                                              const haw_run_settings *settings,
                                              haw_simulation **simulation);

/** Refuse what the stepper does not take, find a static start, begin the ledger. */
HAW_NODISCARD haw_status haw_simulation_start(haw_simulation *simulation);

/** True if a pair has friction. */
bool haw_simulation_rubs(const haw_simulation *simulation);

/** One step on the grid of times. @return HAW_DONE at the end of the run */
HAW_NODISCARD haw_status haw_simulation_advance(haw_simulation *simulation);

/** Go on from another state. @return ERR_ARG if the sizes differ */
HAW_NODISCARD haw_status haw_simulation_restart(haw_simulation *simulation, const haw_state *state);

/** At the end of a run of equilibria: warn if the last one is unstable, as far as that is certain
 * (stability.c). @return ERR_NOMEM */
HAW_NODISCARD haw_status haw_simulation_warn_unstable(haw_simulation *simulation);

/* ---- checkpoint.c ---- */

enum { HAW_RENEWAL = 50 }; /* steps after which a run keeps nothing but what it carries */

/** Before a step that is a multiple of HAW_RENEWAL: forget what only saves time. @return ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_simulation_renew(haw_simulation *simulation);

/** What the run carries from such a step to the next. Once it was loaded the run goes on with the
 * same bits. @return ERR_NOMEM */
HAW_NODISCARD haw_status haw_simulation_pack(haw_simulation *simulation, haw_pack *pack);

/* ---- control.c ---- */

/** What was set since the last step acts from now on. */
HAW_NODISCARD haw_status haw_control_take(haw_simulation *simulation);

/** Bodies and ends whose drives would put them elsewhere than the state has them go on from there.
 */
void haw_control_anchor(haw_simulation *simulation);

/* ---- quasi_static.c ---- */

/** haw_statics.find_contact of a simulation. */
HAW_NODISCARD haw_status haw_quasi_static_find(void *simulation,
                                               const haw_static_settings *settings,
                                               const bool *held);

/* ---- static.c ---- */

/** A start from equilibrium. */
HAW_NODISCARD haw_status haw_static_start(haw_simulation *simulation);

#endif
