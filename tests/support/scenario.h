/* SPDX-License-Identifier: BSD-3-Clause */
/* Run a shipped scenario with `path=value` settings and keep its frames, events and summary. */
#ifndef HAWSER_TESTS_SCENARIO_H
#define HAWSER_TESTS_SCENARIO_H

#include "support/near.h"

#include <hawser/hawser.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCENARIO_SETS = 48, SCENARIO_TEXT = 1024, SCENARIO_EVENTS = 512, SCENARIO_LONG = 16384 };

typedef struct scenario_run {
    const char *name;
    const char *text; /* of a scenario that is not shipped, or NULL */
    int sets;
    char set[SCENARIO_SETS][SCENARIO_TEXT];

    haw_context *context;
    haw_scenario *scenario;
    haw_model *model;
    haw_simulation *simulation;
    haw_summary summary;
    int frames, columns; /* time, external work, then the probes */
    double *value;       /* [frames * columns] */
    int events;
    haw_event event[SCENARIO_EVENTS];
    /* Called with every frame after it was kept; may be NULL. */
    void (*look)(struct scenario_run *run, const haw_frame *frame, void *user);
    void *user;
} scenario_run;

/* A scenario that is written piece by piece; begins with length 0. */
typedef struct scenario_text {
    char text[SCENARIO_LONG];
    int length;
} scenario_text;

HAW_PRINTF(2, 3) void scenario_write(scenario_text *scenario, const char *format, ...);

void scenario_init(scenario_run *run, const char *name);

HAW_PRINTF(2, 3) void scenario_set(scenario_run *run, const char *format, ...);

haw_status scenario_build(scenario_run *run);

/** Read, build, and stop before the first step; a failure fails the test with its message. */
void scenario_open(scenario_run *run);

/** Run an open scenario to its end. */
haw_status scenario_try(scenario_run *run);

/** Open and run; a failed run or an unconverged step fails the test. */
void scenario_complete(scenario_run *run);

void scenario_close(scenario_run *run);

/** Value k of a probe in a frame; -1 is the last frame. */
double scenario_at(const scenario_run *run, int frame, const char *probe, int k);

double scenario_last(const scenario_run *run, const char *probe, int k);

double scenario_time(const scenario_run *run, int frame);

/** Index of the frame at time t, which must be one of the frames to a millionth of t. */
int scenario_frame_at(const scenario_run *run, double t);

/** Work of the prescribed motions up to a frame [J]. */
double scenario_work(const scenario_run *run, int frame);

/** First or last event of a kind of one pair; NULL if there is none. */
const haw_event *scenario_find(const scenario_run *run, haw_event_kind kind, int pair, bool last);

#endif
