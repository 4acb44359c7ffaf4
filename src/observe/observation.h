/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is observed of a simulation: averages and events between frames, the frames themselves, and
 * probes. The monitor accumulates what the steps leave; probes, belts and wraps read frames.
 */
#ifndef HAWSER_OBSERVE_OBSERVATION_H
#define HAWSER_OBSERVE_OBSERVATION_H

#include "stepper/simulation.h"

/* Contact history of one pair, for frames and events. */
typedef struct haw_pair_history {
    bool in_contact;
    bool was_in_contact; /* ever */
    double last_impulse; /* time of it [s] */
    double wrap_max;     /* of the contact that goes on [rad] */
    int slip;            /* reported: -1, 0 (stick), 1; 2: none yet */
    int candidate;       /* differs from `slip` since `candidate_since` */
    double candidate_since;
} haw_pair_history;

typedef struct haw_observation {
    haw_context *context;
    haw_arena *arena; /* of the simulation */
    const haw_run_settings *settings;
    const haw_observer *observer; /* of the current run, may be NULL */
    haw_frame frame;

    /* Since the previous frame. */
    double frame_time;        /* of it [s] */
    double next;              /* time of the next one of a run, NAN: not yet known [s] */
    bool was_shown;           /* no step since the last frame */
    bool is_coarse;           /* said of some element */
    double *point_impulse;    /* [state->rows] [N s] */
    double *point_force;      /* [state->rows] of the frame [N] */
    signed char *point_state; /* [points] haw_point_state */
    double *point_gap;        /* [points] */
    int *marked;              /* [marked_count] points whose state or gap is not that of open */
    int marked_count;
    double *torque_impulse;    /* [bodies] [N m s] */
    double *torque;            /* [bodies] of the frame [N m] */
    double (*pair_impulse)[6]; /* [pairs] force and moment on the body, or on the cable about the
                                  origin; in the plane x, y, 0, 0, 0, moment [N s, N m s] */
    haw_pair_frame *pair;      /* [pairs] */
    haw_pair_history *history; /* [pairs] */
    haw_touch_frame *touch;    /* [points] of the last step */

    struct haw_probe *probe; /* [settings->probes] */
    int probe_values;
    bool is_watched;       /* some probe at every step */
    double *probe_value;   /* [probe_values] */
    double *work;          /* [dofs] */
    struct haw_belt *belt; /* belt.h; NULL without probes that need it */

    haw_checkpoint checkpoint; /* the last one, without data before the first */
} haw_observation;

/* ---- monitor.c: averages per frame and events ---- */

HAW_NODISCARD haw_status haw_monitor_create(haw_simulation *simulation);

/** Take up the contacts of a step, or of a part of one. */
HAW_NODISCARD haw_status haw_monitor_step(haw_simulation *simulation);

/** Take up the contacts of the start, into the first frame: no step has led there, no event is. */
void haw_monitor_start(haw_simulation *simulation);

/** Means since the previous frame, into the frame. */
void haw_monitor_frame(haw_simulation *simulation);

/** Put time, touches and courses of the present state into the frame, for what reads it. */
void haw_monitor_refresh(haw_simulation *simulation);

/** Events of the contacts that go on at the end of a run. */
HAW_NODISCARD haw_status haw_monitor_finish(haw_simulation *simulation);

/** Forget averages and contact histories: the state was replaced. */
void haw_monitor_restart(haw_simulation *simulation);

/* ---- coarse.c ---- */

/** Say once that an element turns by more than 1 rad round what it lies on, at a frame. */
void haw_coarse_warn(haw_simulation *simulation);

/* ---- checkpoint.c ---- */

/** True after steps of which a run may have a checkpoint. */
bool haw_checkpoint_is_due(const haw_simulation *simulation);

/** Take one. @return ERR_NOMEM */
HAW_NODISCARD haw_status haw_checkpoint_take(haw_simulation *simulation);

/* ---- wrap.c ---- */

/** Tangent points of the sheaves at the present state, into the pairs of the frame. */
void haw_courses_find(haw_observation *o);

/* ---- probe_run.c ---- */

HAW_NODISCARD haw_status haw_probes_create(haw_observation *o);

/** Values of all probes for the present frame. */
void haw_probes_evaluate(haw_observation *o);

/** Pass the values of the present frame to the watched probes. */
void haw_probes_watch(haw_observation *o);

/** Forget the frames that means were taken of, and what was watched. */
void haw_probes_restart(haw_observation *o);

#endif
