/* SPDX-License-Identifier: BSD-3-Clause */
/* Ropes over one sheave, and an explicit integrator of the equations of a rope whose labels are
 * given functions of time: the test's own, to judge elements without any stepper. */
#ifndef HAWSER_TESTS_ROPE_RIG_H
#define HAWSER_TESTS_ROPE_RIG_H

#include "linalg/lu.h"
#include "model/dynamics.h"
#include "model/rope.h"
#include "support/near.h"

#include <hawser/hawser.h>
#include <stdlib.h>
#include <string.h>

enum { ROPE_RIG_DOFS = 400 };

/* A rope from `from` to `to`, or between bodies, over one sheave. */
typedef struct rope_case {
    haw_body_spec body[3];
    haw_reeving_spec reeving[1];
    haw_cable_spec cable;
    haw_contact_spec contact;
    haw_scene scene;
} rope_case;

/** A fixed sheave of radius R at a place, and a rope of EA, EI and density from one place to
 * another, all of it with the strain T / EA; no contact, no gravity. */
static inline void rope_case_init(rope_case *c)
{
    memset(c, 0, sizeof *c);
    haw_body_spec_init(&c->body[0]);
    c->body[0].name = "sheave";
    c->body[0].shape = "circle";
    c->body[0].motion = HAW_MOTION_FIXED;
    haw_cable_spec_init(&c->cable);
    c->cable.name = "rope";
    c->cable.element = "ale";
    c->reeving[0] = (haw_reeving_spec){.on = "sheave", .side = HAW_SIDE_RIGHT};
    c->cable.sheaves = 1;
    c->cable.reeving = c->reeving;
    haw_scene_init(&c->scene);
    c->scene.bodies = 1;
    c->scene.body = c->body;
    c->scene.cables = 1;
    c->scene.cable = &c->cable;
}

#endif
