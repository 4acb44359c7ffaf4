/* SPDX-License-Identifier: BSD-3-Clause */
/* The canonical case HAWSER-DISK-1 through the library API, and running it. */
#ifndef HAWSER_TESTS_SCENE_H
#define HAWSER_TESTS_SCENE_H

#include "support/near.h"

#include <hawser/hawser.h>

typedef struct disk_case {
    const char *element;
    int elements, points;
    double friction, step, end, theta, tolerance;
    int gyro_iterations;
    const char *solver;
    haw_body_spec body;
    haw_cable_spec cable;
    haw_contact_spec contact;
    haw_scene scene;
} disk_case;

/* design: H = 2 m, EA = 4e4 N, rho = 0.1 kg/m, T = 400 N; disk R = 0.1 m, 2 kg, 3 m/s, 40 rad/s. */
void disk_case_init(disk_case *c);

/* Copy the variable settings into the specifications; the scene points into the case. */
const haw_scene *disk_case_scene(disk_case *c);

void disk_case_settings(haw_context *context, const disk_case *c, haw_run_settings *settings);

/* Run a scene to its end; prints the message of a failure. */
haw_status scene_run(haw_context *context, const haw_scene *scene, const haw_run_settings *settings,
                     const haw_observer *observer, haw_summary *summary);

#endif
