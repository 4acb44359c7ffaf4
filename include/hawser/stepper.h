/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time-steppers and the driver that runs them: model + settings -> frames, ledger, certificate.
 */
#ifndef HAWSER_STEPPER_H
#define HAWSER_STEPPER_H

#include <hawser/model.h>
#include <hawser/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Energy ledger since the start [J]. Losses > 0 leave the system. Every term comes from its own
 * forces, none is the remainder of the others:
 *
 *     balance = dE - external_work + friction_loss + impact_loss + damping_loss + numerical_loss
 */
typedef struct haw_ledger {
    double kinetic, elastic, gravity;
    double external_work; /* by prescribed motions, given forces and torques */
    double friction_loss; /* -sum (gamma_T+ + gamma_T-) Lambda_T / 2; what bristles store counts */
    double impact_loss;   /* -sum (gamma_N+ + gamma_N-) Lambda_N / 2; what contact springs store
                             counts, and comes back when they open */
    double damping_loss;
    double numerical_loss;   /* formula in the docstring of each stepper */
    double balance_error;    /* largest |balance| of one step */
    double balance_drift;    /* balance over the whole run */
    double contact_work_max; /* largest sum (gamma_free + gamma+) Lambda / 2 of a step, at least 0;
                                zero for e = 0 */
    double initial;          /* kinetic + elastic + gravity at the start */
} haw_ledger;

/* What was achieved, the worst over the run. */
typedef struct haw_certificate {
    double residual_max;        /* natural, over v_ref */
    double relative_max;        /* Siconos' form, for comparison */
    double cone_max;            /* [N s] */
    double complementarity_max; /* [J] */
    double penetration_max; /* of the curve, as the guards see it, and of the contact points [m] */
    long unconverged_steps;
    long iterations_total;  /* of the contact solver, or of Newton where there is none */
    long newton_iterations; /* of implicit steps */
    long factorizations;    /* of their matrix */
    long rejected_steps;    /* attempts that did not converge and were repeated shorter */
    long held_points; /* contact points of accepted steps that kept open or closed against the sign
                         of their gap, because Newton had them change too often */
    double newton_residual_max; /* of an accepted step, over its tolerance */
    int contacts_max;
    double penetration_points_max; /* at the contact points alone: what the laws see to [m] */
    double joint_drift_max;        /* of what joints hold: of points [m], of directions [rad] */
    int grid_points_max; /* places of contact grids that one detection looked at: points, and
                            middles of the parts of elements of a grid refined by contact */
} haw_certificate;

typedef enum haw_unconverged {
    HAW_UNCONVERGED_STOP,
    HAW_UNCONVERGED_WARN,
    HAW_UNCONVERGED_HALVE,
    HAW_UNCONVERGED_AUTO /* halve where step: auto has chosen the step, else stop */
} haw_unconverged;

/* Leading part of every stepper's options struct. */
typedef struct haw_stepper_common {
    double step; /* [s] NAN: auto */
    double end;  /* [s] */
} haw_stepper_common;

typedef struct haw_stepper_ops haw_stepper_ops; /* src/stepper/stepper.h */

/** Heads of all steppers, for lists and lookups; ends with NULL. */
HAW_API extern const haw_row *const haw_steppers[];

/* A stepper and its options: plain data, copyable. */
typedef struct haw_stepper_settings {
    const haw_stepper_ops *ops;
    double options[16];
} haw_stepper_settings;

HAW_API HAW_NODISCARD haw_status haw_stepper_settings_init(haw_context *context, const char *name,
                                                           haw_stepper_settings *settings);

/** Set an option of the chosen stepper by its key. @return ERR_INPUT with a message */
HAW_API HAW_NODISCARD haw_status haw_stepper_set(haw_context *context,
                                                 haw_stepper_settings *settings, const char *key,
                                                 double value);

/** The same from text: a number, or a word such as "auto". */
HAW_API HAW_NODISCARD haw_status haw_stepper_set_text(haw_context *context,
                                                      haw_stepper_settings *settings,
                                                      const char *key, const char *text);

/* What a probe makes of its first value, watched at every step. */
typedef enum haw_watch {
    HAW_WATCH_NONE,
    HAW_WATCH_MAXIMUM,    /* largest value so far in [after, until] */
    HAW_WATCH_FIRST_ABOVE /* first time |value| exceeds `level`, interpolated; NAN until then [s] */
} haw_watch;

typedef struct haw_probe_watch {
    int kind; /* haw_watch */
    double level;
    double after, until; /* [s] */
    double scale, shift; /* result = scale * value + shift: max T / T0 - 1; both 0: the value */
} haw_probe_watch;

/* One quantity that a run follows; all but `of` may be zero. */
typedef struct haw_probe_spec {
    const char *of;   /* e.g. "disk.position", "cable.tension_mean" */
    const char *name; /* in the results; NULL: `of` itself */
    double mean_over; /* mean of the frames of this last time [s], 0: none */
    haw_probe_watch watch;
} haw_probe_spec;

/* When a writer keeps a checkpoint beside the results file. */
typedef struct haw_checkpoint_settings {
    double wall; /* after so much time has passed, 0: not by time [s] */
    int frames;  /* after so many frames, 0: not by frames */
    int keep;    /* how many, the last ones; 0 is 1 */
} haw_checkpoint_settings;

/* How a writer stores what a frame has of each sample of a cable or body (positions, tensions,
 * contact loads). Histories, ledger and checkpoints are as they are. */
typedef enum haw_precision { HAW_PRECISION_FLOAT64, HAW_PRECISION_FLOAT32 } haw_precision;

typedef struct haw_storage_settings {
    int precision; /* haw_precision */
    int compress;  /* level of deflate, 1 to 9; 0: not at all */
} haw_storage_settings;

typedef struct haw_run_settings {
    size_t size; /* of this struct; 0: as in these headers. See doc/abi.md */
    haw_stepper_settings stepper;
    haw_solver_settings solver;
    int on_unconverged; /* haw_unconverged */
    double every;       /* output interval [s], > 0 */
    int probes;         /* number of probes */
    const haw_probe_spec *probe;
    double separation; /* contact counts as ended after this time open [s] */
    haw_checkpoint_settings checkpoint;
    haw_storage_settings storage;
} haw_run_settings;

/** Name of probe i in the results. */
HAW_API const char *haw_run_probe_name(const haw_run_settings *settings, int i);

/** moreau with pgs, output every millisecond. */
HAW_API HAW_NODISCARD haw_status haw_run_settings_init(haw_context *context,
                                                       haw_run_settings *settings);

/* Contact of one pair, averaged over the time since the previous frame. */
typedef struct haw_pair_frame {
    double normal_sum;     /* over the points of the mean forces [N] */
    double tangential_sum; /* likewise: along t1, in space of the sizes [N] */
    double force[3];       /* mean resultant on the surface body, the second of two disks [N] */
    double moment[3];      /* on the body about its centre; in the plane [2] only [N m] */
    double impulse[6]; /* force and moment on the body since the start; in the plane [0], [1], [5]
                          [N s, N m s] */
    double wrap_angle; /* between the outermost closed points, largest since the last frame [rad] */
    double gap_min;    /* smallest gap found at the frame [m], INFINITY if far */
    int closed, sticking; /* points closed / sticking at the frame */
    double arc[2]; /* directions from the centre of a sheave to its tangent points at the lower and
                      the higher labels of the rope, NAN for other pairs [rad] */
} haw_pair_frame;

/* A contact point that the last step found closed. */
typedef struct haw_touch_frame {
    int pair, id;      /* id: place in point_force and its like, the same from step to step */
    double gap;        /* [m] */
    double normal[3];  /* out of the body */
    double tangent[3]; /* t1, in space; t2 = n x t1 */
    double x[3];       /* of the point of the cable or the centre of the ball, in space [m] */
    double impulse[3]; /* on the cable along normal, t1, t2; of statics force times h [N s] */
    double rate[3];    /* velocity relative to the surface after the step, likewise [m/s] */
    double share; /* of a mortar contact: sum of the weights of its points; of a knot of a rope the
                     part of its length on the sheave */
} haw_touch_frame;

/* Stick and slip of one contact point in the last step. */
typedef enum haw_point_state {
    HAW_POINT_OPEN = -2,
    HAW_POINT_BACKWARD = -1, /* the cable slips against the tangent t */
    HAW_POINT_STICK = 0,
    HAW_POINT_FORWARD = 1 /* in space every slip */
} haw_point_state;

typedef enum haw_event_kind {
    HAW_EVENT_FIRST_CONTACT,
    HAW_EVENT_CONTACT,    /* again, after a separation */
    HAW_EVENT_SEPARATION, /* at the last impulse, once open for `separation` */
    HAW_EVENT_STICK,      /* all closed points stick, of a rope on a sheave any */
    HAW_EVENT_SLIP,       /* resultant slip starts or changes its direction; value = sign */
    HAW_EVENT_WRAP        /* largest wrap angle of the contact that ended; value [rad] */
} haw_event_kind;

typedef struct haw_event {
    double t;
    int pair;
    haw_event_kind kind;
    double value;
} haw_event;

HAW_API const char *haw_event_name(haw_event_kind kind);

/* What an observer or a writer sees; pointers are valid during the call only. */
typedef struct haw_frame {
    double t;
    long step;
    double h; /* length of the last step [s] */
    const haw_model *model;
    const haw_state *state;
    const haw_ledger *ledger;
    const haw_certificate *certificate;
    int pairs;
    const haw_pair_frame *pair;     /* [pairs] in the order of the scene's contacts */
    const double *point_force;      /* [state->rows] mean (N, T) forces since the last frame; in
                                       space (N, T1, T2) [N] */
    const signed char *point_state; /* [state->rows / d] haw_point_state of the last step */
    const double *point_gap;        /* [state->rows / d] gap of closed points, NAN where open [m] */
    int touches;                    /* of the last step */
    const haw_touch_frame *touch;   /* [touches] by pairs, then in the order of the grid */
    const double *torque; /* [bodies] mean moment of prescribed spins since the last frame [N m] */
    int probe_values;
    const double *probe; /* [probe_values] probes one after another */
} haw_frame;

typedef struct haw_simulation haw_simulation;

/*
 * A checkpoint of a run: all that its next step and its next frame read. One is taken before the
 * first step and after every 50th, where a run keeps nothing else, and none of the last step, which
 * may be a short one. Bytes are those of this machine and this version of the library.
 */
typedef struct haw_checkpoint {
    long step;
    double t, h;               /* and the regular step [s] */
    size_t bytes, state_bytes; /* of them of the simulation; the rest is of what is observed */
    void *data;                /* [bytes] valid until the next one */
} haw_checkpoint;

typedef struct haw_observer {
    haw_status (*frame)(void *user, const haw_frame *frame); /* not HAW_OK ends the run */
    haw_status (*event)(void *user, const haw_event *event);
    /* After every step, for progress lines; may be NULL. */
    void (*progress)(void *user, const haw_frame *frame, int contacts, double residual);
    void *user;
    /* Before every step, to set forces and drives; may be NULL, not HAW_OK ends the run. Time,
     * state and ledger of the frame are those of now, its means and probes those of the last
     * output. */
    haw_status (*control)(void *user, haw_simulation *simulation, const haw_frame *frame);
    /* After every checkpoint; may be NULL: there are none. Frames and events so far are those
     * before it. */
    haw_status (*checkpoint)(void *user, const haw_checkpoint *checkpoint);
} haw_observer;

typedef struct haw_summary {
    const char *stepper, *solver;
    long steps;
    double t_end;
    double step; /* [s] the one used */
    double wall_seconds, cpu_seconds;
    haw_ledger ledger;
    haw_certificate certificate;
    haw_sparse_calls sparse; /* of this simulation, its start included */
} haw_summary;

/**
 * Lend a model to a stepper and a solver: start state, factorizations, workspace.
 *
 * @return ERR_INPUT (step above the critical one, unknown probe, ...), ERR_NOMEM,
 *         ERR_UNCONVERGED or ERR_SINGULAR from a static start
 */
HAW_API HAW_NODISCARD haw_status haw_simulation_create(haw_context *context, const haw_model *model,
                                                       const haw_run_settings *settings,
                                                       haw_simulation **simulation);
HAW_API void haw_simulation_free(haw_simulation *simulation);

/**
 * Run to the end time, a failure or a cancel; the observer gets the first frame before the first
 * step. After a failure the observer has seen every frame that was computed.
 *
 * @param observer  NULL for none
 * @return HAW_OK, ERR_DIVERGED, ERR_UNCONVERGED, ERR_GUARD, ERR_CANCELLED or the observer's
 */
HAW_API HAW_NODISCARD haw_status haw_simulation_run(haw_simulation *simulation,
                                                    const haw_observer *observer,
                                                    haw_summary *summary);

/**
 * One step. The frame can be read with haw_simulation_frame.
 * @return those of haw_simulation_run; HAW_DONE at the end of the run: there was no step
 */
HAW_API HAW_NODISCARD haw_status haw_simulation_step(haw_simulation *simulation);
HAW_API const haw_frame *haw_simulation_frame(haw_simulation *simulation);

/*
 * Control from outside: what is set between two steps holds from the next step on until it is set
 * again, constant over each step. The ledger books its work as external_work. It is part of the
 * state, hence of a checkpoint.
 */

/** Dead force on the centre of a body, beside those of the scene [N]; in the plane two components.
 * @return ERR_ARG: no such body; ERR_INPUT: not finite */
HAW_API HAW_NODISCARD haw_status haw_simulation_set_force(haw_simulation *simulation, int body,
                                                          const double force[3]);

/** Torque on a body, beside that of the scene; in space about the body's z axis [N m].
 * @return those of haw_simulation_set_force */
HAW_API HAW_NODISCARD haw_status haw_simulation_set_torque(haw_simulation *simulation, int body,
                                                           double torque);

typedef enum haw_drive { HAW_DRIVE_X, HAW_DRIVE_Y, HAW_DRIVE_Z, HAW_DRIVE_SPIN } haw_drive;

/**
 * Velocity of a body of prescribed motion in place of the scene's; the body goes on from where it
 * is.
 *
 * @param value  [m/s, rad/s], NAN: as the scene says
 * @return ERR_ARG: no such body or direction; ERR_INPUT: infinite, or its motion is not prescribed
 */
HAW_API HAW_NODISCARD haw_status haw_simulation_set_drive(haw_simulation *simulation, int body,
                                                          haw_drive drive, double value);

/** Whether the run has reached its end, so that the next step would be none. */
HAW_API bool haw_simulation_is_done(const haw_simulation *simulation);

/**
 * Go on from another state of the same model, made with haw_state_copy. The ledger goes on from the
 * energies of that state. From a state after a multiple of fifty steps the run has the same bits as
 * one that was not interrupted, but for the parts of contact forces that nsga takes over; from
 * others to the Newton tolerance. haw_simulation_resume goes on with all of it. What a model with
 * other drives prescribes goes on from the state.
 *
 * @return ERR_ARG if the sizes differ
 */
HAW_API HAW_NODISCARD haw_status haw_simulation_restore(haw_simulation *simulation,
                                                        const haw_state *state);

/** The last checkpoint of a run whose observer asks for them; NULL: none yet. */
HAW_API const haw_checkpoint *haw_simulation_checkpoint(const haw_simulation *simulation);

/**
 * Go on from a checkpoint of a run of the same model with the same stepper, step and solver: with
 * the same bits. The end of the run may be another one.
 *
 * @param whole  its observation too: with the same probes and times of output a run gives the
 *               frames and events that follow; else these start anew
 * @return ERR_INPUT: it is that of another run
 */
HAW_API HAW_NODISCARD haw_status haw_simulation_resume(haw_simulation *simulation,
                                                       const haw_checkpoint *checkpoint,
                                                       bool whole);

/** The settings of a run, and the regular step that it chose [s]. */
HAW_API const haw_run_settings *haw_simulation_settings(const haw_simulation *simulation);
HAW_API double haw_simulation_step_length(const haw_simulation *simulation);

/** The simulation's own model: a static start may have changed unstrained lengths. */
HAW_API const haw_model *haw_simulation_model(const haw_simulation *simulation);

/** Number of values of probe i and its unit, in the order of the settings. */
HAW_API int haw_simulation_probe_size(const haw_simulation *simulation, int probe);
HAW_API const char *haw_simulation_probe_unit(const haw_simulation *simulation, int probe);

/**
 * Problem and impulses of the last step; NULL if no contact was closed, without memory, and of
 * `static` with friction, which keeps none. Of moreau-jean in space it is the linearised problem at
 * the end of the step, of nsga that of the velocities. Valid until the next step.
 */
HAW_API const haw_problem *haw_simulation_problem(haw_simulation *simulation,
                                                  const double **impulses);

/**
 * Lowest eigenfrequencies about the present state, at rest. Springs and closed contacts of
 * compliant laws take part (bristles stick), closed contacts of hard laws do not; what no force
 * holds of a body stays where it is. A rigid motion, and one that grows, has the frequency 0; of
 * the latter the log warns.
 *
 * @param modes      number of pairs wanted
 * @param frequency  [modes] out [Hz]
 * @param shape      [modes * dofs] out, mass-normalised, or NULL
 * @return           ERR_INPUT: nothing can move, or fewer modes than wanted; ERR_UNCONVERGED
 */
HAW_API HAW_NODISCARD haw_status haw_simulation_modes(haw_simulation *simulation, int modes,
                                                      double *frequency, double *shape);

#ifdef __cplusplus
}
#endif
#endif
