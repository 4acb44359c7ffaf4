/* SPDX-License-Identifier: BSD-3-Clause */
/* Quasi-static steps with set-valued friction, in the plane and in space: what slipped is
 * remembered. */
#include "cable/cable.h"
#include "model/model.h"
#include "stepper/simulation.h"
#include "support/rig.h"

enum { ELEMENTS = 24, LOADS = 5 };

static const double LENGTH = 12, EA = 1e4; /* q = mu weight = 2 N/m */

/* Time, load at the end of the rope, and how far the end has come. */
static const double TIME[LOADS + 1] = {0, 1, 2, 3, 4, 5};
static const double LOAD[LOADS + 1] = {0, -20, -8, 0, -12, -20};
static const double WAY[LOADS + 1] = {0, 0.01, 0.0082, 0.005, 0.0068, 0.01};

typedef struct floor_scene {
    haw_body_spec floor;
    haw_cable_spec rope;
    haw_force_spec pull;
    haw_contact_spec contact;
    haw_scene scene;
} floor_scene;

/* A rope of 60 N that lies on a floor along x; `up` is the axis of gravity. */
static void lay_rope(rig *r, int dimension, const char *element, floor_scene *s)
{
    const int up = dimension - 1;
    s->floor = haw_body_spec_default();
    s->floor.name = "floor";
    s->floor.motion = HAW_MOTION_FIXED;
    s->rope = haw_cable_spec_default();
    s->rope.name = "rope";
    s->rope.element = element;
    s->rope.elements = ELEMENTS;
    for (int k = 0; k < 3; k++) {
        s->rope.from[k] = s->rope.to[k] = 0;
    }
    s->rope.to[0] = LENGTH;
    s->rope.stiffness = EA;
    s->rope.density = 0.5;
    s->rope.tension = 0;
    s->rope.ends[0].kind = s->rope.ends[1].kind = HAW_END_FREE;
    s->pull = haw_force_spec_default();
    s->pull.on = "rope";
    s->pull.point = 0;
    s->pull.force[0] = (haw_function){.count = LOADS + 1, .time = TIME, .value = LOAD};
    s->contact = haw_contact_spec_default();
    s->contact.between[0] = "rope";
    s->contact.between[1] = "floor";
    s->contact.points_per_element = 1;
    s->contact.friction = 0.4;
    if (dimension > 2) {
        s->rope.radius = 0.01;
        s->rope.bending_stiffness = s->rope.torsional_stiffness = 1e-2;
        s->rope.from[up] = s->rope.to[up] = s->rope.radius;
        s->contact.arm = HAW_ARM_DISTANCE; /* friction that turns no section */
    }
    s->scene = haw_scene_default();
    s->scene.dimension = dimension;
    s->scene.start = HAW_START_GIVEN;
    s->scene.gravity[1] = 0;
    s->scene.gravity[up] = -10;
    s->scene.bodies = s->scene.cables = s->scene.forces = s->scene.contacts = 1;
    s->scene.body = &s->floor;
    s->scene.cable = &s->rope;
    s->scene.force = &s->pull;
    s->scene.contact = &s->contact;
    assert_int_equal(haw_body_set_shape(r->context, &s->floor, "plane", NULL, 0), HAW_OK);
}

static double x_of(const rig *r, int node)
{
    const haw_cable *cable = &r->simulation->model.cable[0];
    return r->state->q[cable->ops->node_q(cable, node)];
}

/*
 * T falls by q per length from the loaded end; a front F / q away nothing has moved. Back from F to
 * F' the rope slips on half of (F - F') / q, forth again likewise. Fronts at nodes are exact.
 */
static void check_rope(int dimension, const char *element)
{
    rig r;
    floor_scene s;
    rig_open(&r);
    lay_rope(&r, dimension, element, &s);
    assert_int_equal(haw_stepper_settings_init(r.context, "quasi-static", &r.settings.stepper),
                     HAW_OK);
    rig_set(&r, "step", 1);
    rig_set(&r, "end", LOADS);
    rig_solver_set(&r, "tolerance", 1e-10);
    rig_build(&r, &s.scene);
    for (int k = 1; k <= LOADS; k++) {
        rig_step(&r);
        assert_near(-x_of(&r, 0), WAY[k], 1e-11, 0);
        for (int i = 20; i <= ELEMENTS; i++) { /* beyond 10 m */
            assert_near(x_of(&r, i), 0.5 * i, 1e-11, 0);
        }
        const double slope = (x_of(&r, 1) - x_of(&r, 0)) / 0.5 - 1;
        const double half = k == 1 || k == 4 || k == 5 ? -0.5 : 0.5;
        assert_near(EA * slope, -LOAD[k] + half, 1e-8, 0);
    }
    const haw_ledger *ledger = &r.simulation->ledger;
    assert_near(ledger->balance_error, 0, 1e-11, 0);
    assert_near(ledger->friction_loss + ledger->elastic, ledger->external_work, 1e-9, 0);
    assert_true(r.simulation->certificate.residual_max <= 1e-9);
    rig_close(&r);
}

static void a_rope_on_a_floor_remembers_its_loads(void **state)
{
    (void)state;
    check_rope(2, "chain");
    check_rope(3, "se3");
    check_rope(3, "corotational");
}

/* Nothing keeps a rope in the air: it falls until the floor bears its 60 N. */
static void a_rope_is_caught_where_it_falls(void **state)
{
    static const char *const elements[] = {"chain", "se3", "corotational"};
    static const double fall[] = {0.01, 1, 100};
    (void)state;
    for (size_t i = 0; i < 3 * 3 * 2; i++) {
        rig r;
        floor_scene s;
        rig_open(&r);
        lay_rope(&r, 3, elements[i / 6], &s);
        s.rope.from[2] += fall[i % 3];
        s.rope.to[2] = s.rope.from[2];
        s.contact.friction = i % 6 < 3 ? 0 : 0.2;
        s.contact.points_per_element = 2;
        s.scene.forces = 0;
        if (i < 6) { /* without bending */
            s.rope.bending_stiffness = s.rope.torsional_stiffness = 0;
        }
        assert_int_equal(haw_stepper_settings_init(r.context, "static", &r.settings.stepper),
                         HAW_OK);
        rig_build(&r, &s.scene);
        rig_step(&r);
        double sum = 0;
        for (int k = 0; k < r.simulation->contacts->count; k++) {
            sum += r.simulation->contacts->force[3 * k];
        }
        assert_near(sum, 60, 0, 1e-8);
        rig_close(&r);
    }
}

/* Without bending and with no point but at its nodes a rope hangs through the floor between them:
 * no contact knows of it, the guard does. */
static void a_rope_that_hangs_through_the_floor_ends_the_run(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        rig r;
        floor_scene s;
        rig_open(&r);
        lay_rope(&r, dimension, "bezier-c0", &s);
        s.rope.bending_stiffness = s.rope.torsional_stiffness = 0;
        assert_int_equal(haw_stepper_settings_init(r.context, "quasi-static", &r.settings.stepper),
                         HAW_OK);
        rig_set(&r, "step", 1);
        rig_set(&r, "end", LOADS);
        rig_solver_set(&r, "tolerance", 1e-10);
        rig_build(&r, &s.scene);
        assert_int_equal(haw_simulation_step(r.simulation), HAW_ERR_GUARD);
        assert_non_null(strstr(haw_context_message(r.context), "between two contact points"));
        rig_close(&r);
    }
}

/* ---- what friction alone holds ---- */

typedef struct slope_scene {
    haw_body_spec body[2];
    haw_contact_spec contact;
    haw_scene scene;
} slope_scene;

/* A sphere that cannot turn on a plane with gravity aside. */
static void open_slope(rig *r, const char *stepper, double slope, double friction, slope_scene *s)
{
    rig_open(r);
    for (int i = 0; i < 2; i++) {
        s->body[i] = haw_body_spec_default();
        s->body[i].name = i == 0 ? "block" : "slope";
    }
    s->body[0].mass = 2;
    s->body[0].position[0] = s->body[0].position[1] = 0;
    s->body[0].position[2] = 0.1;
    s->body[0].joint = HAW_JOINT_TRANSLATION;
    s->body[1].motion = HAW_MOTION_FIXED;
    s->contact = haw_contact_spec_default();
    s->contact.between[0] = "block";
    s->contact.between[1] = "slope";
    s->contact.friction = friction;
    s->scene = haw_scene_default();
    s->scene.dimension = 3;
    s->scene.gravity[0] = 9.81 * sin(slope) * 0.6;
    s->scene.gravity[1] = 9.81 * sin(slope) * 0.8;
    s->scene.gravity[2] = -9.81 * cos(slope);
    s->scene.bodies = 2;
    s->scene.body = s->body;
    s->scene.contacts = 1;
    s->scene.contact = &s->contact;
    assert_int_equal(haw_body_set_shape(r->context, &s->body[0], "sphere", "radius", 0.1), HAW_OK);
    assert_int_equal(haw_body_set_shape(r->context, &s->body[1], "plane", NULL, 0), HAW_OK);
    assert_int_equal(haw_stepper_settings_init(r->context, stepper, &r->settings.stepper), HAW_OK);
    rig_set(r, "step", 1);
    rig_set(r, "end", 2);
}

/* At the start of a path or in the one step of `static`. */
static void expect_no_equilibrium(rig *r, const haw_scene *scene, bool is_path)
{
    if (is_path) {
        RIG_REFUSES(r, scene, "what friction does not hold", "'block'");
    } else {
        rig_build(r, scene);
        assert_int_equal(haw_simulation_step(r->simulation), HAW_ERR_INPUT);
        assert_non_null(strstr(haw_context_message(r->context), "here 'block'"));
    }
}

/* The tangential force is the weight along the slope, and nothing moves; beyond the angle of
 * friction there is no equilibrium. */
static void friction_alone_holds_a_block(void **state)
{
    (void)state;
    static const char *const stepper[] = {"quasi-static", "static"};
    for (int i = 0; i < 2; i++) {
        rig r;
        slope_scene s;
        open_slope(&r, stepper[i], atan(0.5), 0.51, &s);
        rig_build(&r, &s.scene);
        rig_step(&r);
        const haw_contacts *contacts = r.simulation->contacts;
        const double *force = haw_contacts_load(contacts);
        assert_int_equal(contacts->count, 1);
        assert_near(force[0], 2 * 9.81 * cos(atan(0.5)), 0, 1e-9);
        assert_near(hypot(force[1], force[2]), 2 * 9.81 * sin(atan(0.5)), 0, 1e-9);
        assert_near(hypot(r.state->q[0], r.state->q[1]), 0, 1e-12, 0);
        rig_close(&r);
        open_slope(&r, stepper[i], atan(0.5), 0.49, &s);
        expect_no_equilibrium(&r, &s.scene, i % 2 == 0);
        rig_close(&r);
    }
}

/* What is dropped lands below itself, and is held there or slides away. */
static void a_block_is_caught_where_it_falls(void **state)
{
    (void)state;
    static const char *const stepper[] = {"quasi-static", "static"};
    static const double SLOPE = 0.4, RADIUS = 0.1, height[] = {0.7, 0.7, 0.7, 0.7, 700, 700};
    for (int i = 0; i < 6; i++) {
        const bool is_held = i < 2 || i > 3;
        rig r;
        slope_scene s;
        open_slope(&r, stepper[i % 2], SLOPE, is_held ? 0.43 : 0.42, &s);
        s.body[0].position[2] = height[i];
        if (is_held) {
            rig_build(&r, &s.scene);
            rig_step(&r);
            const double *force = haw_contacts_load(r.simulation->contacts), *q = r.state->q;
            const double way = (height[i] - RADIUS) * tan(SLOPE),
                         h = i % 2 == 0 ? r.simulation->h : 1;
            assert_int_equal(r.simulation->contacts->count, 1);
            assert_near(force[0] / h, 2 * 9.81 * cos(SLOPE), 0, 1e-9);
            assert_near(hypot(force[1], force[2]) / h, 2 * 9.81 * sin(SLOPE), 0, 1e-9);
            assert_near(q[0], 0.6 * way, 1e-10, 1e-10);
            assert_near(q[1], 0.8 * way, 1e-10, 1e-10);
            assert_near(q[2], RADIUS, 1e-10, 0);
        } else {
            expect_no_equilibrium(&r, &s.scene, i % 2 == 0);
        }
        rig_close(&r);
    }
}

typedef struct string_scene {
    haw_body_spec disk;
    haw_cable_spec string;
    haw_contact_spec contact;
    haw_scene scene;
} string_scene;

/* A disk of 2 kg and 0.1 m above the middle of a string of 2 m, which has to catch it. */
static void drop_disk(rig *r, string_scene *s)
{
    rig_open(r);
    s->disk = haw_body_spec_default();
    s->disk.name = "disk";
    s->disk.mass = 2;
    s->disk.position[0] = 1;
    s->disk.position[1] = 0.2;
    s->string = haw_cable_spec_default();
    s->string.name = "string";
    s->string.elements = 20;
    s->string.from[0] = s->string.from[1] = s->string.to[1] = 0;
    s->string.to[0] = 2;
    s->contact = haw_contact_spec_default();
    s->contact.between[0] = "string";
    s->contact.between[1] = "disk";
    s->contact.points_per_element = 2;
    s->contact.friction = 0.3;
    s->scene = haw_scene_default();
    s->scene.start = HAW_START_GIVEN;
    s->scene.bodies = s->scene.cables = s->scene.contacts = 1;
    s->scene.body = &s->disk;
    s->scene.cable = &s->string;
    s->scene.contact = &s->contact;
    assert_int_equal(haw_body_set_shape(r->context, &s->disk, "circle", "radius", 0.1), HAW_OK);
}

/* The string carries the disk. */
static void rest_disk(rig *r, const char *stepper, const string_scene *s)
{
    double lift = 0;
    assert_int_equal(haw_stepper_settings_init(r->context, stepper, &r->settings.stepper), HAW_OK);
    rig_build(r, &s->scene);
    rig_step(r);
    const haw_contacts *contacts = r->simulation->contacts;
    const double h = contacts->phase == HAW_STATICS ? 1 : r->simulation->h;
    for (int k = 0; k < contacts->count; k++) {
        const double *force = haw_contacts_load(contacts) + (ptrdiff_t)2 * k;
        const haw_touch *touch = &contacts->item[k];
        lift += (force[0] * touch->normal[1] + force[1] * touch->tangent[1]) / h;
    }
    assert_near(lift, s->disk.mass * s->scene.gravity[1], 0, 1e-7); /* 1e-8 of the tension */
}

/* 20 N: w and T of T = EA (2 l / L0 - 1), 2 T w / l = 20 N, without the weight of the string. */
static void a_disk_is_caught_by_a_string(void **state)
{
    (void)state;
    static const char *const element[] = {"chain", "bezier-c0"};
    for (int i = 0; i < 4; i++) {
        rig r;
        string_scene s;
        drop_disk(&r, &s);
        s.disk.joint = HAW_JOINT_TRANSLATION;
        s.string.element = element[i % 2];
        s.string.stiffness = 1e4;
        s.string.density = 1e-7;
        s.string.length = 2 / 1.01;
        s.scene.gravity[1] = -10;
        rest_disk(&r, i < 2 ? "static" : "quasi-static", &s);
        assert_near(r.state->q[0], 1, 1e-9, 0);
        assert_near(r.state->q[1], 0.1 - 0.0771455882262, 2e-8, 0);
        assert_near(haw_cable_tension_mean(&r.simulation->model.cable[0], r.state->q),
                    130.010196256, 0, 1e-6);
        rig_close(&r);
    }
}

/* One that may turn rolls off the point it falls on, onto two; also while the length is sought that
 * gives a tension. */
static void a_disk_that_turns_comes_to_rest(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        rig r;
        string_scene s;
        drop_disk(&r, &s);
        s.string.element = "bezier";
        s.string.stiffness = 4e4;
        s.string.density = 0.1;
        s.string.length = i == 0 ? 2 / 1.0025 : (double)NAN;
        s.string.tension = i == 0 ? (double)NAN : 100;
        s.string.elements = i == 0 ? 40 : 20;
        s.contact.points_per_element = i == 0 ? 4 : 2;
        s.scene.gravity[1] = -9.81;
        rest_disk(&r, "static", &s);
        assert_true(r.simulation->contacts->count >= 2);
        if (i == 1) {
            const double *pin = r.simulation->support + r.simulation->model.cable[0].first;
            assert_near(hypot(pin[0], pin[1]), 100, 1e-6, 0);
        }
        rig_close(&r);
    }
}

/* Friction in proportion to a velocity holds nothing: no equilibrium, and a path of them creeps by
 * v_s tan(slope) / mu. */
static void regularized_friction_creeps(void **state)
{
    (void)state;
    static const double SPEED = 1e-3, SLOPE = 0.3;
    for (int i = 0; i < 2; i++) {
        rig r;
        slope_scene s;
        open_slope(&r, i == 0 ? "static" : "quasi-static", SLOPE, 0.5, &s);
        s.contact.law = "penalty";
        s.contact.normal_stiffness = 1e7;
        s.contact.tangential = "regularized";
        s.contact.regularization = SPEED;
        s.scene.start_friction = i == 0 ? 0.5 : 0;
        rig_build(&r, &s.scene);
        if (i == 0) {
            assert_int_equal(haw_simulation_step(r.simulation), HAW_ERR_UNCONVERGED);
            assert_non_null(strstr(haw_context_message(r.context), "none at rest"));
        } else {
            rig_step(&r);
            assert_near(hypot(r.state->u[0], r.state->u[1]), SPEED * tan(SLOPE) / 0.5, 0, 1e-8);
        }
        rig_close(&r);
    }
}

TEST_FILE(test_friction_statics)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rope_on_a_floor_remembers_its_loads),
        cmocka_unit_test(a_rope_is_caught_where_it_falls),
        cmocka_unit_test(a_rope_that_hangs_through_the_floor_ends_the_run),
        cmocka_unit_test(friction_alone_holds_a_block),
        cmocka_unit_test(a_block_is_caught_where_it_falls),
        cmocka_unit_test(a_disk_is_caught_by_a_string),
        cmocka_unit_test(a_disk_that_turns_comes_to_rest),
        cmocka_unit_test(regularized_friction_creeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
