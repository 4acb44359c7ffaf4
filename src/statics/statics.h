/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Equilibria: f(q) = 0 of all that is free, contact included, and starts from equilibrium. Statics
 * carry forces [N], never impulses.
 */
#ifndef HAWSER_STATICS_STATICS_H
#define HAWSER_STATICS_STATICS_H

#include "contact/compliant.h"
#include "statics/forces.h"

#include <hawser/solver.h>

typedef struct haw_static_settings {
    double tolerance; /* residual force over the force scale */
    int max_iterations;
} haw_static_settings;

/* What an equilibrium is sought of, all of it lent, and what is found. */
typedef struct haw_statics {
    haw_context *context;
    haw_arena *arena;         /* scratch */
    haw_model *model;         /* its gravity rises, unstrained lengths may change */
    haw_state *state;         /* in: where the search begins; out: the equilibrium */
    haw_contacts *contacts;   /* out: closed points with their forces */
    haw_compliant *compliant; /* NULL: no such contact; may become another one */
    haw_workspace *workspace;
    double *drawn;   /* [coordinates] where the search began */
    double pull;     /* largest force where all is drawn, contact apart [N] */
    double *stiffer; /* [pairs] factors of the springs that stand for contact of bodies */
    bool is_start;   /* a motion starts from it: bodies that nothing keeps in place are held */
    bool is_caught;  /* what nothing keeps has fallen to where the state is */
    bool is_out;     /* what was drawn inside a body has come out */
    double *force;   /* [dofs] out: all forces [N, N m] */
    double *support; /* [dofs] out: forces on what is held [N, N m] */

    /** Equilibrium with set-valued contact and friction from the state, its loads rising in the
     * model's load steps; by the passes of the steppers. @return ERR_UNCONVERGED */
    haw_status (*find_contact)(void *finder, const haw_static_settings *settings, const bool *held);
    void *finder;

    haw_report *report; /* of the last contact problem; its cone is one of forces [N] */
    double *residual;   /* largest unbalanced force over the force scale */
    long *iterations;   /* of all methods, counted on */
    long *newton_iterations, *factorizations;
} haw_statics;

/** Equilibrium of the model; wanted tensions at `from` hold by their unstrained lengths.
 * @return ERR_UNCONVERGED, ERR_INPUT: contact would have a part in a spatial one */
HAW_NODISCARD haw_status haw_statics_solve(haw_statics *statics,
                                           const haw_static_settings *settings);

/** The same as the start of a motion: no contact carries a force yet, bristles are relaxed, and
 * velocities are those of the scene. @return also ERR_INPUT: joints do not allow them */
HAW_NODISCARD haw_status haw_statics_start(haw_statics *statics);

/* ---- methods ---- */

/**
 * Equilibrium of the cables with the bodies held, frictionless contact included: Newton with line
 * search on f(q) + W_N F = 0, 0 <= g(q), F >= 0, g F = 0 (frictionless.c).
 *
 * @return ERR_UNCONVERGED
 */
HAW_NODISCARD haw_status haw_frictionless_solve(haw_statics *statics,
                                                const haw_static_settings *settings);

/**
 * Equilibrium of a model without set-valued contact, free bodies included: Newton on
 * f(q) = 0 with the exact tangent, pseudo-transient steps (K + sigma M, sigma falling with the
 * residual) and a line search, the loads rising in `load_steps` steps. Velocities of what was free
 * become zero (equilibrium.c).
 *
 * @param held  [dofs] further degrees of freedom to hold, or NULL
 * @return      ERR_UNCONVERGED
 */
HAW_NODISCARD haw_status haw_equilibrium_solve(haw_statics *statics,
                                               const haw_static_settings *settings,
                                               const bool *held, int load_steps);

/* The iterate of an equilibrium; vectors of [dofs] or, q and kept, [coordinates]. */
typedef struct haw_equilibrium {
    const haw_static_settings *settings;
    haw_model *model;
    haw_compliant *compliant; /* or NULL */
    haw_system *system;
    haw_arena *arena; /* scratch */
    haw_force_set *now;
    haw_hold *hold; /* [joints] */
    double *q, *u, *direction;
    double *kept;              /* where the load step began */
    double gravity[3];         /* of the model [m/s^2] */
    double t, part;            /* time and part of the loads */
    double rate;               /* du / dq: 1 / h of a quasi-static step, 0 at rest */
    double sigma, sigma_first; /* of matrices, and the scale that it has far from equilibrium */
    double sigma_start;        /* of every load step */
    int settled;               /* iterations with the smallest sigma */
    double residual;           /* largest unbalanced force [N] */
    double scale;              /* largest force [N] */
    double s;                  /* of the last step */
    int iterations;
    long factorizations;
} haw_equilibrium;

/** First sigma of an equilibrium at q, the scale of K / M of the softest modes [1/s^2]. */
double haw_equilibrium_sigma(const haw_model *model, const double *q);

/* What is known of the gaps at the iterate. */
typedef struct haw_free_way {
    const double *gap; /* [pairs] the smallest */
    double most;       /* up to which gaps are seen */
} haw_free_way;

/** The part of the direction, at most 1, that folds no element of a cable and, where anything
 * touches, moves nothing by more than a part of a radius, or a body of its gap.
 * @param part   of the smallest radius, by which nothing is nearer to an axis; INFINITY: nothing
 * touches
 * @param clear  NULL: gaps are not known */
double haw_equilibrium_longest(const haw_model *model, double part, const haw_free_way *clear,
                               const double *q, const double *direction);

/** Loads of the model's own gravity, this part of what it is at rest [m/s^2]. */
void haw_equilibrium_load(haw_model *model, const double gravity[3], double part);

/* Of the largest force, the residual of what is near its balance: what springs press is foreseen
 * there alone. */
#define HAW_NEARLY 0.1

/** Forces at the iterate. */
HAW_NODISCARD haw_status haw_equilibrium_evaluate(haw_equilibrium *x);

/** Their matrix K + rate C + sigma M, with the rows and columns of joints. */
void haw_equilibrium_assemble(haw_equilibrium *x);

/** The part of the direction that may be gone at once. */
double haw_equilibrium_reach(const haw_equilibrium *x);

/** To the part s of the direction, x->s being where the iterate is on it; forces there. */
HAW_NODISCARD haw_status haw_equilibrium_go(haw_equilibrium *x, double s);

/** Largest force before forces cancel, reactions and axial forces included [N]. */
double haw_equilibrium_scale(const haw_equilibrium *x);

/**
 * Where springs of clasps are all the compliant contact that there is, near to the equilibrium by
 * passes with their forces as unknowns (foresight.c). Newton's method has to follow.
 *
 * @param is_warm  from the forces of the last evaluation by the laws, else from none
 * @param done     out: false where it failed, or has nothing to say; the iterate is as it was
 */
HAW_NODISCARD haw_status haw_equilibrium_foresee(haw_equilibrium *x, bool is_warm, bool *done);

/** Pseudo-transient iterations with line search from the present iterate. */
HAW_NODISCARD haw_status haw_equilibrium_balance(haw_equilibrium *x, double tolerance, bool *done);

#endif
