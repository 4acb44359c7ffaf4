/* SPDX-License-Identifier: BSD-3-Clause */
/* A scene that runs step by step, with its insides visible to the test. */
#ifndef HAWSER_TESTS_RIG_H
#define HAWSER_TESTS_RIG_H

#include "support/scene.h"

#include <stdlib.h>
#include <string.h>

typedef struct rig {
    haw_context *context;
    haw_run_settings settings;
    haw_model *model;
    haw_simulation *simulation;
    const haw_state *state;
} rig;

/** A context and the default settings; pgs at 1e-12. */
void rig_open(rig *r);

void rig_set(rig *r, const char *key, double value);

void rig_solver_set(rig *r, const char *key, double value);

/** Step and end of the explicit midpoint, or of the implicit variant. */
void rig_time(rig *r, double step, double end, double theta);

/** Build and create; a failure fails the test with its message. */
void rig_build(rig *r, const haw_scene *scene);

/** Settings of a disk case, without running it. */
void rig_disk_settings(rig *r, const disk_case *c);

void rig_disk(rig *r, disk_case *c);

/** A free cable without weight and tension that flies at a fixed disk of 1 cm, 0.6 m away, with
 * this speed [m/s]. */
void rig_flying(rig *r, double speed);

void rig_step(rig *r);

void rig_steps(rig *r, long count);

void rig_drop(rig *r);

void rig_close(rig *r);

/** A refusal: this status, and every one of the words (ends with NULL) in the message. */
void rig_refuses(rig *r, const haw_scene *scene, const char *const *words);

#define RIG_REFUSES(r, scene, ...) rig_refuses(r, scene, (const char *const[]){__VA_ARGS__, NULL})

/** After a test changed q or u: energies and ledger start anew. */
void rig_restart(rig *r);

/** Every coordinate of cable 0 that may move gets a velocity of its own, of about this size. */
void rig_stir(rig *r, double size);

/** Largest kinetic energy of cable 0, stirred, over the first, in steps of this multiple of the
 * critical one. Closes the rig. */
double rig_growth(rig *r, double factor, double size, int steps);

/** Deflect cable 0, drawn along y from the origin, by half a sine across and a sine along. */
void rig_deflect(rig *r, double across, double along);

/** Linear and angular momentum about the origin of all bodies and cables [N s, N m s]. */
void rig_momentum(const rig *r, double p[3]);

#endif
