/* SPDX-License-Identifier: BSD-3-Clause */
/* A small scene with everything that implicit systems know: a closed and an open cable, bodies of
 * which some degrees of freedom are held, springs (also between cables), forces, moments and a
 * contact. */
#ifndef HAWSER_TESTS_DRIVE_H
#define HAWSER_TESTS_DRIVE_H

#include "model/system.h"
#include "support/near.h"

#include <stdlib.h>
#include <string.h>

enum { DRIVE_BODIES = 2, DRIVE_CABLES = 2, DRIVE_SPRINGS = 6, DRIVE_FORCES = 3 };

typedef struct drive_scene {
    haw_body_spec body[DRIVE_BODIES];
    haw_cable_spec cable[DRIVE_CABLES];
    haw_path_segment path[2];
    haw_spring_spec spring[DRIVE_SPRINGS];
    haw_force_spec force[DRIVE_FORCES];
    haw_contact_spec contact;
    haw_scene scene;
} drive_scene;

/* A state off the drawn one; copies of nodes agree. */
void drive_state(const haw_model *model, uint64_t seed, double *q, double *u);

/* ---- the scene of a group of tests ---- */

enum { DOFS_MAX = 80 };

/** Build the scene in a context of its own, as a cmocka group setup does.
 * @return 0, or -1 when it has more than DOFS_MAX dofs or is refused. */
int drive_open(haw_context **context, drive_scene *scene, haw_model **model);

#endif
