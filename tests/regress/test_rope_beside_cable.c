/* SPDX-License-Identifier: BSD-3-Clause */
/* A rope over a sheave and a cable that a disk hits, in one scene: each moves as it does alone. */
#include "cable/cable.h"
#include "model/model.h"
#include "stepper/simulation.h"
#include "support/rope_ride.h"

#include <math.h>

static const double STEP = 1e-4;

/* The disk enters and leaves points of contact on stiff springs, which makes differences grow by
 * two decades in a hundred steps: later runs of other tolerances part. */
enum { STEPS = 250 };

/* Both scenes, and the one of both together; the rope's bodies come first. */
typedef struct company {
    rope_ride ride;
    disk_case disk;
    haw_body_spec body[4];
    haw_cable_spec cable[2];
    haw_contact_spec contact[2];
    haw_scene scene;
} company;

/* 0.5 m to the right of the counterweight, deep enough in the penalty to slide and to stick. */
static void draw(company *c, const char *element)
{
    static const double far = 3;
    ride_elevator(&c->ride, element);
    c->ride.cable.elements = 12;
    c->ride.contact.spacing = 2e-2;
    c->ride.contact.normal_stiffness *= 0.1; /* a tenth of the elevator: forces of one order */
    c->ride.contact.tangential_stiffness *= 0.1;
    c->ride.cable.stiffness *= 0.1;
    c->ride.cable.density *= 0.1;
    c->ride.body[1].mass *= 0.1;
    c->ride.body[2].mass *= 0.1;
    disk_case_init(&c->disk);
    c->disk.body.position[0] = far - 0.105;
    c->disk.cable.from[0] = c->disk.cable.to[0] = far;
    c->disk.contact.law = "penalty";
    c->disk.contact.normal = "linear";
    c->disk.contact.normal_stiffness = 1e6;
    c->disk.contact.tangential = "bristle";
    c->disk.contact.tangential_stiffness = 1e5;
    (void)disk_case_scene(&c->disk);
    c->disk.scene.start = HAW_START_STATIC;
    memcpy(c->body, c->ride.body, sizeof c->ride.body);
    c->body[3] = c->disk.body;
    c->cable[0] = c->ride.cable;
    c->cable[1] = c->disk.cable;
    c->contact[0] = c->ride.contact;
    c->contact[1] = c->disk.contact;
    c->scene = c->ride.scene;
    c->scene.bodies = 4;
    c->scene.body = c->body;
    c->scene.cables = c->scene.contacts = 2;
    c->scene.cable = c->cable;
    c->scene.contact = c->contact;
}

static void ride(rig *r, const haw_scene *scene)
{
    rig_open(r);
    ride_alpha(r, STEP, STEPS * STEP);
    rig_build(r, scene);
    rig_steps(r, STEPS);
}

/* The bodies and the only cable of a run alone against the same ones in company. */
static void compare(const rig *alone, const rig *both, int first_body, int cable)
{
    const haw_cable *a = &alone->model->cable[0], *b = &both->model->cable[cable];
    const double *q[2] = {alone->state->q, both->state->q + (ptrdiff_t)3 * first_body};
    for (int i = 0; i < 3 * alone->model->bodies; i++) {
        assert_near(q[1][i], q[0][i], 1e-6, 0); /* all forces share one tolerance */
    }
    assert_int_equal(a->line.dofs, b->line.dofs);
    for (int i = 0; i < a->line.dofs; i++) {
        assert_near(both->state->q[b->first_q + i], alone->state->q[a->first_q + i], 1e-6, 0);
        assert_near(both->state->u[b->first + i], alone->state->u[a->first + i], 1e-3, 1e-3);
    }
    assert_near(haw_cable_tension_mean(b, both->state->q),
                haw_cable_tension_mean(a, alone->state->q), 0, 1e-6);
}

static void each_moves_as_it_does_alone(void **state)
{
    (void)state;
    static const char *const element[2] = {"ale", "arc1d"};
    for (int k = 0; k < 2; k++) {
        company c;
        rig rope, disk, both;
        draw(&c, element[k]);
        ride(&rope, &c.ride.scene);
        ride(&disk, &c.disk.scene);
        ride(&both, &c.scene);
        assert_true(disk.state->q[0] > 2.95 &&
                    disk.state->u[0] < 2.7); /* the disk has bent the cable */
        compare(&rope, &both, 0, 0);
        compare(&disk, &both, 3, 1);
        rig_close(&rope);
        rig_close(&disk);
        rig_close(&both);
    }
}

TEST_FILE(test_rope_beside_cable)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_moves_as_it_does_alone)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
