/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A static start looks for an equilibrium of what the ground keeps, by held coordinates, joints,
 * springs and cables; what hangs together but not on the ground begins where it is drawn.
 */
#include "stepper/simulation.h"
#include "support/rig.h"

enum { LINKS = 3 };

typedef struct links {
    haw_body_spec body[LINKS + 1];
    haw_joint_spec joint[LINKS];
    haw_joint_end foot[LINKS][2];
    haw_spring_spec spring;
    haw_cable_spec cable;
    haw_scene scene;
} links;

/* Three bars of 1 m and 1 kg in a row along x, pinned to one another where they meet. */
static void lay(rig *r, int dimension, links *s)
{
    static const char *const name[] = {"a", "b", "c"};
    rig_open(r);
    memset(s, 0, sizeof *s);
    for (int i = 0; i < LINKS; i++) {
        s->body[i] = haw_body_spec_default();
        s->body[i].name = name[i];
        s->body[i].mass = 1;
        s->body[i].inertia = 1.0 / 12;
        memset(s->body[i].position, 0, sizeof s->body[i].position);
        s->body[i].position[0] = i + 0.5;
    }
    for (int i = 0; i < LINKS - 1; i++) {
        s->foot[i][0] = (haw_joint_end){.body = name[i], .at = {0.5}};
        s->foot[i][1] = (haw_joint_end){.body = name[i + 1], .at = {-0.5}};
    }
    for (int i = 0; i < LINKS; i++) {
        s->joint[i] = haw_joint_spec_default();
        s->joint[i].type = "pinned";
        s->joint[i].ends = 2;
        s->joint[i].between = s->foot[i];
    }
    s->scene = haw_scene_default();
    s->scene.dimension = dimension;
    s->scene.gravity[1] = -9.81;
    s->scene.start = HAW_START_STATIC;
    s->scene.bodies = LINKS;
    s->scene.body = s->body;
    s->scene.joints = LINKS - 1;
    s->scene.joint = s->joint;
    assert_int_equal(haw_stepper_settings_init(r->context, "moreau-jean", &r->settings.stepper),
                     HAW_OK);
}

static double height(const rig *r, int body)
{
    return r->state->q[r->model->body[body].first_q + 1];
}

static void what_is_joined_only_to_itself_begins_as_drawn(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        rig r;
        links s;
        lay(&r, dimension, &s);
        rig_build(&r, &s.scene);
        for (int i = 0; i < LINKS; i++) {
            assert_near(height(&r, i), 0, 0, 0);
        }
        rig_steps(&r, 10); /* all fall alike, and the joints stay closed */
        assert_true(height(&r, 0) < -1e-6);
        assert_near(height(&r, 2), height(&r, 0), 1e-12, 0);
        rig_close(&r);
    }
}

/* A row that hangs on its last bar: nothing but the way through the others tells of the first. */
static void a_row_hangs_on_its_last_link(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        rig r;
        links s;
        lay(&r, dimension, &s);
        s.foot[LINKS - 1][0] = (haw_joint_end){.is_ground = true, .at = {LINKS}};
        s.foot[LINKS - 1][1] = (haw_joint_end){.body = "c", .at = {0.5}};
        s.scene.joints = LINKS;
        rig_build(&r, &s.scene);
        for (int i = 0; i < LINKS; i++) {
            assert_near(height(&r, i), i - LINKS + 0.5, 1e-9, 0);
        }
        rig_close(&r);
    }
}

/* The same by the means other than joints: a locked centre, a spring, a cable with a pinned end. */
static void locks_springs_and_cables_keep(void **state)
{
    (void)state;
    static const char *const lock[] = {"c.x", "c.y"};
    for (int means = 0; means < 3; means++) {
        rig r;
        links s;
        lay(&r, 2, &s);
        s.scene.locks = means == 0 ? 2 : 0;
        s.scene.lock = lock;
        s.spring = haw_spring_spec_default();
        s.spring.between[0].on = "c";
        s.spring.between[1] = (haw_spring_end){.at = {LINKS - 0.5, 2}};
        s.spring.stiffness = 1e3;
        s.spring.length = 2;
        s.scene.springs = means == 1 ? 1 : 0;
        s.scene.spring = &s.spring;
        s.cable = haw_cable_spec_default();
        s.cable.name = "rope";
        s.cable.element = "chain";
        s.cable.elements = 4;
        memset(s.cable.from, 0, sizeof s.cable.from);
        memset(s.cable.to, 0, sizeof s.cable.to);
        s.cable.from[0] = s.cable.to[0] = LINKS - 0.5;
        s.cable.from[1] = 2;
        s.cable.stiffness = 1e5;
        s.cable.density = 0.1;
        s.cable.tension = 10;
        s.cable.ends[1] = (haw_end_spec){.body = "c"};
        s.scene.cables = means == 2 ? 1 : 0;
        s.scene.cable = &s.cable;
        rig_build(&r, &s.scene);
        assert_near(height(&r, 2) - height(&r, 1), 1, 1e-9, 0); /* they hang */
        assert_near(height(&r, 1) - height(&r, 0), 1, 1e-9, 0);
        rig_close(&r);
    }
}

/* What is held only across the fall keeps nothing from falling. */
static void a_guide_keeps_no_partner(void **state)
{
    (void)state;
    rig r;
    links s;
    lay(&r, 2, &s);
    s.body[1].joint = HAW_JOINT_VERTICAL;
    rig_build(&r, &s.scene);
    assert_near(height(&r, 0), 0, 0, 0);
    rig_close(&r);
}

TEST_FILE(test_kept)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_joined_only_to_itself_begins_as_drawn),
        cmocka_unit_test(a_row_hangs_on_its_last_link),
        cmocka_unit_test(locks_springs_and_cables_keep),
        cmocka_unit_test(a_guide_keeps_no_partner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
