/* SPDX-License-Identifier: BSD-3-Clause */
/* Generalized-alpha for those that build on it: coefficients, Newton's method, the step. */
#ifndef HAWSER_STEPPER_GENERALIZED_ALPHA_H
#define HAWSER_STEPPER_GENERALIZED_ALPHA_H

#include "stepper/implicit.h"

/* Level at which set-valued friction acts. */
typedef enum haw_friction_level {
    HAW_FRICTION_POSITION, /* and velocity */
    HAW_FRICTION_VELOCITY
} haw_friction_level;

typedef struct haw_alpha_options {
    haw_stepper_common common;
    double rho_infinity;
    double newton_tolerance, newton_absolute;
    double switching_tolerance; /* [N] */
    int max_newton, max_switching;
    int friction_level; /* haw_friction_level */
} haw_alpha_options;

extern const char *const haw_friction_levels[]; /* names, ends with NULL */

#define HAW_ALPHA_OPTION(name, kind, field, preset, least, most, unit, summary)                    \
    {                                                                                              \
        name, kind, offsetof(haw_alpha_options, field), preset, least, most, unit, summary, NULL   \
    }

#define HAW_ALPHA_FRICTION_LEVEL                                                                   \
    {                                                                                              \
        "friction_level", HAW_OPTION_CHOICE, offsetof(haw_alpha_options, friction_level),          \
            HAW_FRICTION_POSITION, HAW_FRICTION_POSITION, HAW_FRICTION_VELOCITY, "",               \
            "level at which set-valued friction acts; at the velocity level alone sticking "       \
            "contacts creep",                                                                      \
            haw_friction_levels                                                                    \
    }

/* Options of all steps that its Newton's method solves. */
#define HAW_ALPHA_NEWTON(iterations)                                                               \
    HAW_ALPHA_OPTION("newton_tolerance", HAW_OPTION_REAL, newton_tolerance, 1e-8, 1e-15, 1e-1, "", \
                     "2-norm of the residual forces over that at the start of a step"),            \
        HAW_ALPHA_OPTION("newton_absolute", HAW_OPTION_REAL, newton_absolute, 1e-10, 0, DBL_MAX,   \
                         "N", "2-norm of the residual forces that is always accepted"),            \
        HAW_ALPHA_OPTION("max_newton", HAW_OPTION_INT, max_newton, iterations, 1, 1000, "",        \
                         "Newton iterations"),                                                     \
        HAW_ALPHA_OPTION("switching_tolerance", HAW_OPTION_REAL, switching_tolerance, 1e-3, 0,     \
                         DBL_MAX, "N", "switching: post-newton: accepted error"),                  \
        HAW_ALPHA_OPTION("max_switching", HAW_OPTION_INT, max_switching, 5, 1, 1000, "",           \
                         "switching: post-newton: largest number of solutions of a step")

/* Coefficients of one step of length h from `state` to time t. */
typedef struct haw_alpha_step haw_alpha_step;

struct haw_alpha_step {
    haw_simulation *simulation;
    const haw_alpha_options *options;
    double h, t;
    double alpha_m, alpha_f, beta, gamma;
    double mass, rate; /* d acceleration / dq and du / dq of Newton's method: 4 / h^2, 2 / h */
    double norm;       /* 2-norm of the residual [N] */
    double reference;  /* its first value, or the second where that is larger [N] */
    double tolerance;  /* of the norm [N] */
    double part;       /* of the loads that acts, 1 in all steps of a run */
    double margin;     /* quasi-static: of the detection of set-valued contacts [m] */
    bool renews;       /* the matrix is due for a new one, whatever it has done so far */
    bool learns;       /* the last move was a full one with this matrix */
    int pulled;        /* contact points that were held closed and pulled when the rest was met */
    bool is_static;    /* quasi-static: no inertia, and kinetic energy has no part in the ledger;
                          `mass` only keeps the matrix regular */
    bool is_still;     /* and at one time: what is prescribed stays */
    double lead;       /* of its way over a step otherwise, 1 in all that is accepted */
    double most;       /* reference of Newton's method at most [N] */
    double least;      /* and at least: it begins close to the end */
    double bound; /* of what a pass may leave unmet, the merit of the one before, or INFINITY */
    long spent;   /* factorizations before the step */
    double gone;  /* part of the direction of the last pass */
    bool falls;   /* and something has to be caught first */
    bool flows;   /* contacts slide from where the pass before was, in simulation->q_mid */
    /** Predict and iterate once. @return ERR_UNCONVERGED */
    haw_status (*attempt)(haw_alpha_step *step);
    /** Near the end with gaps beside points as they are measured there. NULL: iterations go on */
    haw_status (*settle)(haw_alpha_step *step);
};

/** Accelerations of the state at the end of the two vectors in state->a. */
static inline double *haw_alpha_acceleration(const haw_state *state)
{
    return state->a + state->dofs;
}

/** Coefficients for the spectral radius rho at infinite frequency, from step->h. */
void haw_alpha_coefficients(haw_alpha_step *step, double rho);

/**
 * The iterate that a+ in implicit->a leads to: accelerations, and
 *
 * @param x  [dofs] += displacement of the step
 * @param u  [dofs] in: prescribed velocities at its end; out: all of them
 */
void haw_alpha_complete(const haw_alpha_step *step, double *x, double *u);

/** x, u, a+ and accelerations along a part of implicit->direction, a change of x. */
void haw_alpha_move(const haw_alpha_step *step, double part, double *x, double *u);

/** Errors of the forces of joints change their sign from step to step and fall by rho_infinity
 * only, while what turns lets them grow. @return ERR_INPUT where it is too large */
HAW_NODISCARD haw_status haw_alpha_guard(const haw_simulation *simulation);

/** Vectors and matrix of a run with the options of its row. */
HAW_NODISCARD haw_status haw_alpha_prepare(haw_simulation *simulation);

/** The step of simulation->method with the options of the run, without coefficients. */
haw_alpha_step *haw_alpha_set(haw_simulation *simulation);

/** Contacts and forces where the step starts. @return ERR_SINGULAR, ERR_NOMEM, ERR_DIVERGED */
HAW_NODISCARD haw_status haw_alpha_begin(haw_alpha_step *step);

/* Of its row in the steppers' table, for rows that are solved alike. */
HAW_NODISCARD haw_status haw_alpha_solve(haw_simulation *simulation);
HAW_NODISCARD haw_status haw_alpha_close(haw_simulation *simulation, haw_step_end *end);
void haw_alpha_find_work(haw_simulation *simulation, const haw_step_end *end, haw_step_work *work);
void haw_alpha_turn_over(haw_simulation *simulation);
void haw_alpha_carry(haw_simulation *simulation, haw_pack *pack);

/** Residual of the iterate, its norm, forces and reactions. */
HAW_NODISCARD haw_status haw_alpha_evaluate(haw_alpha_step *step);

/** haw_implicit_closes of the iterate. */
bool haw_alpha_closes(const haw_alpha_step *step);

/** Newton's method from the iterate as it is. @return ERR_UNCONVERGED, ERR_NOMEM */
HAW_NODISCARD haw_status haw_alpha_newton(haw_alpha_step *step);

/**
 * Accelerations of a state that has none: M vdot = f, prescribed ones by the derivative of their
 * velocities (labels of ropes start with none). Leaves forces and reactions of the state in
 * `before`. A quasi-static step has no accelerations.
 * @return ERR_SINGULAR, ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_alpha_start(haw_alpha_step *step);

#endif
