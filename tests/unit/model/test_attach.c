/* SPDX-License-Identifier: BSD-3-Clause */
/* Given forces, springs and locks of a scene: where they act, what is refused. */
#include "model/dynamics.h"
#include "support/rig.h"

typedef struct scene_case {
    haw_body_spec body[2];
    haw_cable_spec cable[2];
    haw_force_spec force;
    haw_spring_spec spring;
    const char *lock[2];
    haw_scene scene;
} scene_case;

static void scene_case_init(scene_case *c)
{
    *c = (scene_case){.force = haw_force_spec_default(), .spring = haw_spring_spec_default()};
    for (int i = 0; i < 2; i++) {
        c->body[i] = haw_body_spec_default();
        c->body[i].name = i == 0 ? "a" : "b";
        c->body[i].mass = c->body[i].inertia = 1;
        c->cable[i] = haw_cable_spec_default();
        c->cable[i].name = i == 0 ? "rope" : "beam";
        c->cable[i].element = i == 0 ? "chain" : "ancf";
        c->cable[i].elements = 10;
        c->cable[i].from[0] = c->cable[i].from[1] = c->cable[i].to[1] = 0;
        c->cable[i].to[0] = 2;
        c->cable[i].stiffness = 100;
        c->cable[i].density = 1;
        c->cable[i].tension = 1;
    }
    c->force.on = "a";
    c->spring.between[0].on = "a";
    c->spring.stiffness = 5;
    c->scene = (haw_scene){.bodies = 2,
                           .body = c->body,
                           .cables = 2,
                           .cable = c->cable,
                           .forces = 1,
                           .force = &c->force,
                           .springs = 1,
                           .spring = &c->spring,
                           .locks = 0,
                           .lock = c->lock};
}

static const haw_model *build(rig *r, const scene_case *c)
{
    rig_open(r);
    if (haw_model_build(r->context, &c->scene, &r->model) != HAW_OK) {
        fail_msg("%s", haw_context_message(r->context));
    }
    return r->model;
}

static void refuses(const scene_case *c, const char *word, const char *where)
{
    rig r;
    rig_open(&r);
    RIG_REFUSES(&r, &c->scene, word);
    assert_string_equal(haw_context_place(r.context), where);
    rig_close(&r);
}

static void a_force_acts_on_a_body_or_on_a_point_of_a_cable(void **state)
{
    (void)state;

    const struct {
        double point;
        int element;
        double s;
    } rows[] = {{0, 0, 0}, {0.3, 3, 0}, {0.7, 7, 0}, {0.25, 2, 0.5}, {1, 9, 1}};

    rig r;
    scene_case c;
    scene_case_init(&c);
    c.force.on = "b";
    c.force.force[1].constant = -3;
    c.force.moment[2].constant = 4;
    const haw_load *load = build(&r, &c)->load;
    assert_true(r.model->loads == 1 && load->spot.body == 1 && load->spot.cable == -1);
    assert_true(load->force[0].constant == 0 && load->force[1].constant == -3);
    assert_true(load->moment[2].constant == 4);
    rig_close(&r);
    c.force.on = "beam";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        c.force.point = rows[i].point;
        load = build(&r, &c)->load;
        assert_true(load->spot.body == -1 && load->spot.cable == 1);
        assert_int_equal(load->spot.element, rows[i].element);
        assert_near(load->spot.s, rows[i].s, 1e-15, 0);
        rig_close(&r);
    }
}

static void forces_without_a_place_are_refused(void **state)
{
    (void)state;
    static const double time[2] = {0, 0};
    scene_case c;
    scene_case_init(&c);
    c.force.on = NULL;
    refuses(&c, "no body or cable is named ''", "forces");
    c.force.on = "c";
    refuses(&c, "no body or cable is named 'c'", "forces");
    c.force.on = "beam";
    refuses(&c, "point must be between 0", "forces");
    c.force.point = 1.01;
    refuses(&c, "point must be between 0", "forces");
    c.force.point = 1;
    c.force.force[0] = (haw_function){.count = 2, .time = time, .value = time};
    refuses(&c, "rising times", "forces");
    c.force.force[0] = (haw_function){.constant = (double)NAN};
    refuses(&c, "finite", "forces");
    c.force.force[0].constant = 1;
    c.force.on = "rope";
    c.force.moment[2].constant = 1;
    refuses(&c, "no bending stiffness", "forces");
    c.cable[0].element = "bezier-polar";
    refuses(&c, "takes none", "forces");
    c.force.on = "a";
    c.spring.between[0] = (haw_spring_end){.on = "rope", .at = {0.5, 0}};
    c.spring.between[1].on = "b";
    refuses(&c, "takes none", "springs");
}

static void a_spring_joins_a_body_and_a_point(void **state)
{
    (void)state;
    rig r;
    scene_case c;
    scene_case_init(&c);
    c.spring.damping = 0.5;
    c.spring.length = 2;
    c.spring.between[1].at[0] = 3;
    c.spring.between[1].at[1] = -4;
    const haw_spring *spring = build(&r, &c)->spring;
    assert_int_equal(r.model->springs, 1);
    assert_true(spring->stiffness == 5 && spring->damping == 0.5 && spring->length == 2);
    assert_true(spring->foot[0].body == 0 && spring->foot[0].cable == -1);
    assert_true(spring->foot[1].body == -1 && spring->foot[1].cable == -1);
    assert_true(spring->foot[1].at[0] == 3 && spring->foot[1].at[1] == -4);
    rig_close(&r);
    c.spring.between[1].on = "rope";
    c.spring.between[1].at[0] = 0.55;
    spring = build(&r, &c)->spring;
    assert_true(spring->foot[1].body == -1 && spring->foot[1].cable == 0);
    assert_int_equal(spring->foot[1].element, 5);
    assert_near(spring->foot[1].s, 0.5, 1e-14, 0);
    rig_close(&r);
}

static void a_spring_joins_two_cables_or_two_points_of_one(void **state)
{
    (void)state;
    scene_case c;
    rig r;
    scene_case_init(&c);
    c.spring.between[0] = (haw_spring_end){.on = "rope", .at = {0.25}};
    c.spring.between[1] = (haw_spring_end){.on = "beam", .at = {1}};
    const haw_spring *spring = build(&r, &c)->spring;
    assert_true(spring->foot[0].cable == 0 && spring->foot[1].cable == 1);
    assert_int_equal(spring->foot[0].element, 2);
    assert_near(spring->foot[0].s, 0.5, 1e-14, 0);
    assert_int_equal(spring->foot[1].element, 9);
    assert_near(spring->foot[1].s, 1, 1e-14, 0);
    rig_close(&r);
    c.spring.between[1] = (haw_spring_end){.on = "rope", .at = {0.75}};
    spring = build(&r, &c)->spring;
    assert_true(spring->foot[0].cable == 0 && spring->foot[1].cable == 0);
    rig_close(&r);
}

static void springs_without_two_places_or_a_free_side_are_refused(void **state)
{
    (void)state;
    scene_case c;
    scene_case_init(&c);
    c.spring.between[0] = (haw_spring_end){.on = "rope", .at = {0.4}};
    c.spring.between[1] = (haw_spring_end){.on = "rope", .at = {0.4}};
    refuses(&c, "two different points", "springs");
    c.spring.between[1].at[0] = 1.5;
    refuses(&c, "between 0 (start)", "springs");
    c.spring.between[1].on = "c";
    refuses(&c, "named 'c'", "springs");
    c.spring.between[0].on = c.spring.between[1].on = "a";
    refuses(&c, "two different bodies", "springs");
    c.spring.between[0].on = c.spring.between[1].on = NULL;
    refuses(&c, "on the ground", "springs");
    c.spring.between[1].at[1] = (double)INFINITY;
    refuses(&c, "must be finite", "springs");
    scene_case_init(&c);
    double *const field[3] = {&c.spring.stiffness, &c.spring.damping, &c.spring.length};
    static const char *const word[3] = {"stiffness", "damping", "length"};
    for (int i = 0; i < 3; i++) {
        scene_case_init(&c);
        *field[i] = i == 1 ? (double)NAN : -1;
        refuses(&c, word[i], "springs");
    }
}

/* The energy that a spring stores is part of the elastic energy: k (d - l)^2 / 2. */
static void the_energy_of_springs_is_elastic(void **state)
{
    (void)state;
    rig r;
    scene_case c;
    scene_case_init(&c);
    c.spring.length = 2;
    c.spring.between[1].at[0] = 3;
    c.spring.between[1].at[1] = -4;
    double with, without;
    haw_state *at;
    (void)build(&r, &c);
    assert_int_equal(haw_state_create(r.context, r.model, &at), HAW_OK);
    with = haw_model_energy(r.model, at->q).elastic;
    haw_state_free(r.context, at);
    rig_close(&r);
    c.scene.springs = 0;
    (void)build(&r, &c);
    assert_int_equal(haw_state_create(r.context, r.model, &at), HAW_OK);
    without = haw_model_energy(r.model, at->q).elastic;
    haw_state_free(r.context, at);
    assert_near(with - without, 0.5 * 5 * 9, 0, 1e-14);
    rig_close(&r);
}

static int locked(const haw_model *model)
{
    int count = 0;
    for (int i = 0; i < model->dofs; i++) {
        count += model->lock[i] ? 1 : 0;
    }
    return count;
}

static void locks_hold_what_they_name(void **state)
{
    (void)state;

    static const struct {
        const char *name;
        int dof;
    } rows[] = {
        {"a.x", 0},          {"a.angle", 2},       {"b.y", 4},
        {"rope.start.x", 6}, {"rope.start.y", 7},  {"rope.end.x", 26},
        {"rope.end.y", 27},  {"beam.start.x", 28}, {"beam.end.y", 69},
    };

    rig r;
    scene_case c;
    scene_case_init(&c);
    assert_int_equal(locked(build(&r, &c)), 0);
    assert_true(r.model->load_steps == 1 && r.model->start_friction == 0);
    assert_near(r.model->start_tolerance, 1e-12, 0, 0);
    rig_close(&r);
    c.scene.locks = 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        c.lock[0] = rows[i].name;
        assert_int_equal(locked(build(&r, &c)), 1);
        assert_true(r.model->lock[rows[i].dof]);
        rig_close(&r);
    }
    c.lock[0] = "b"; /* all of a body */
    assert_int_equal(locked(build(&r, &c)), 3);
    assert_true(r.model->lock[3] && r.model->lock[4] && r.model->lock[5]);
    rig_close(&r);
}

/* Both copies of the node that closes a cable. */
static void a_lock_of_a_closed_cable_holds_both_copies_of_its_node(void **state)
{
    (void)state;
    rig r;
    const haw_path_segment ring = {.kind = HAW_PIECE_ARC, .radius = 2, .angle_deg = 360};
    scene_case c;
    scene_case_init(&c);
    c.cable[1].from[0] = 2;
    c.cable[1].segments = 1;
    c.cable[1].path = &ring;
    c.cable[1].closed = true;
    c.lock[0] = "beam.start.x";
    c.lock[1] = "beam.end.y";
    c.scene.locks = 2;
    assert_int_equal(locked(build(&r, &c)), 4);
    assert_true(r.model->lock[28] && r.model->lock[68] && r.model->lock[29] && r.model->lock[69]);
    rig_close(&r);
}

static void a_start_that_cannot_be_is_refused(void **state)
{
    (void)state;
    static const char *const name[] = {"rope",          "a.z",        "c.x", "rope.x",
                                       "rope.middle.x", "rope.start", "",    "ax"};
    rig r;
    scene_case c;
    scene_case_init(&c);
    c.scene.locks = 1;
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        c.lock[0] = name[i];
        refuses(&c, "cannot lock", "start.lock");
    }
    c.scene.locks = 0;
    c.scene.start_friction = -1;
    refuses(&c, "friction", "start.friction");
    c.scene.start_friction = 0.25;
    c.scene.load_steps = -1;
    refuses(&c, "load_steps", "start.load_steps");
    c.scene.load_steps = 10;
    c.scene.start_tolerance = 0.1;
    refuses(&c, "tolerance", "start.tolerance");
    c.scene.start_tolerance = 1e-9;
    assert_near(build(&r, &c)->start_friction, 0.25, 0, 0);
    assert_int_equal(r.model->load_steps, 10);
    assert_near(r.model->start_tolerance, 1e-9, 0, 0);
    rig_close(&r);
}

TEST_FILE(test_attach)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_force_acts_on_a_body_or_on_a_point_of_a_cable),
        cmocka_unit_test(forces_without_a_place_are_refused),
        cmocka_unit_test(a_spring_joins_a_body_and_a_point),
        cmocka_unit_test(a_spring_joins_two_cables_or_two_points_of_one),
        cmocka_unit_test(springs_without_two_places_or_a_free_side_are_refused),
        cmocka_unit_test(the_energy_of_springs_is_elastic),
        cmocka_unit_test(locks_hold_what_they_name),
        cmocka_unit_test(a_lock_of_a_closed_cable_holds_both_copies_of_its_node),
        cmocka_unit_test(a_start_that_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
