/* SPDX-License-Identifier: BSD-3-Clause */
/* A spatial scene to change and build: the drum and the yarn of benchmark W1, and their contact. */
#ifndef HAWSER_TESTS_SPACE_SCENE_H
#define HAWSER_TESTS_SPACE_SCENE_H

#include "model/system.h"

enum { SPACE_SIZE = 500 }; /* coordinates of a scene, at most */

typedef struct space_scene {
    haw_context *context;
    haw_model *model;
    haw_body_spec body[2];
    haw_cable_spec cable;
    haw_contact_spec contact;
    haw_force_spec force;
    haw_scene scene;
} space_scene;

void space_scene_open(space_scene *f);

haw_status space_scene_try(space_scene *f);

void space_scene_build(space_scene *f);

void space_scene_close(space_scene *f);

const double *space_scene_node(const space_scene *f, const double *q, int node);

void space_scene_start(const space_scene *f, double *q);

#endif
