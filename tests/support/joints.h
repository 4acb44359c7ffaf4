/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenes with joints, as texts, and what every run of them must show. */
#ifndef HAWSER_TESTS_SUPPORT_JOINTS_H
#define HAWSER_TESTS_SUPPORT_JOINTS_H

#include "stepper/simulation.h"
#include "support/scenario.h"

/* ---- parts ---- */

#define PLANE "hawser: 1\ngravity: [0, -9.81]\n"
#define SPACE "hawser: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
#define JEAN(end)                                                                                  \
    "stepper: {type: moreau-jean, theta: 0.5, step: 1.0e-3, end: " end                             \
    ", newton_tolerance: 1.0e-13}\n"
#define BAR "mass: 1, inertia: 0.083333333333333333"
#define TOP "mass: 1, inertias: [2.5e-3, 2.5e-3, 5.0e-3], "

/* A bar that falls about a pivot onto a plane: it lies 0.45 m below the pivot, 0.5 m away. */
#define ROD(rest)                                                                                  \
    PLANE                                                                                          \
    "bodies:\n"                                                                                    \
    "  - {name: bar, shape: {type: circle, radius: 0.1}, mass: 1, position:"                       \
    " [0.43301270189221932, -0.25], angle_deg: -30}\n"                                             \
    "  - {name: wall, shape: {type: plane}, position: [0, -0.55], motion: {fixed: true}}\n"        \
    "joints: [{name: pivot, type: pinned, between: [{ground: [0, 0]}, {body: bar, at: [-0.5,"      \
    " 0]}]}]\n"                                                                                    \
    "contact: [{between: [bar, wall], " rest "}]\n"                                                \
    "output: {probes: [bar.position, joint.pivot.force, contact.force]}\n"

/* ---- whole scenes, but for their steppers ---- */

/* Two uniform bars of 1 m and 1 kg, 30 and 60 degrees from the vertical. */
extern const char joints_double_pendulum[];

/* A symmetric top released 30 degrees from the vertical with no precession. */
extern const char joints_top[];

/* A ball falls on 2 + 2 strings, with friction. */
extern const char joints_net[];

/* ---- runs ---- */

/** Model of the scene followed by its stepper. */
void joints_build(scenario_run *run, const char *scene, const char *stepper);

/** Model and simulation of the scene followed by its stepper. */
void joints_open(scenario_run *run, const char *scene, const char *stepper);

/** Run it to its end, every step converged; joints drift by less than `drift` [m], [rad]. */
void joints_complete(scenario_run *run, const char *scene, const char *stepper, double drift);

/** The ledger closes in every step to 1e-12 of `scale` [J]. */
void joints_check_ledger(const scenario_run *run, double scale);

/** A run restored after some steps goes on with the same bits. */
void joints_check_restored(const char *scene, const char *stepper, int steps);

/** The top is up again after one nutation. @param height  tolerance [m]
 * @return  its precession less that of the reference [rad] */
double joints_check_top(scenario_run *run, double height);

/** Angles and forces of the double pendulum after 1 s or 2 s; of moreau and moreau-jean forces are
 * means over the last step.
 * @param angles, forces  tolerance [rad], relative */
void joints_check_double_pendulum(scenario_run *run, double angles, double forces);

#endif
