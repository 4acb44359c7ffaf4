/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies that are held in part: joints, motions, masses, moments. */
#include "model/dynamics.h"
#include "support/rig.h"

static haw_body_spec wheel(int joint, haw_motion motion)
{
    haw_body_spec body = haw_body_spec_default();
    body.name = "wheel";
    body.joint = joint;
    body.motion = motion;
    body.position[1] = 3;
    return body;
}

static haw_status attempt(rig *r, const haw_body_spec *body)
{
    const haw_scene scene = {.gravity = {1, -2}, .bodies = 1, .body = body};
    rig_open(r);
    return haw_model_build(r->context, &scene, &r->model);
}

static const haw_body *build(rig *r, const haw_body_spec *body)
{
    if (attempt(r, body) != HAW_OK) {
        fail_msg("%s", haw_context_message(r->context));
    }
    return &r->model->body[0];
}

static void refuses(const haw_body_spec *body, const char *word, const char *where)
{
    rig r;
    assert_int_equal(attempt(&r, body), HAW_ERR_INPUT);
    if (strstr(haw_context_message(r.context), word) == NULL) {
        fail_msg("no '%s' in: %s", word, haw_context_message(r.context));
    }
    assert_string_equal(haw_context_place(r.context), where);
    rig_close(&r);
}

static void a_joint_holds_the_centre_or_the_angle(void **state)
{
    (void)state;

    static const struct {
        haw_joint joint;
        haw_motion motion;
        bool centre, angle;
    } rows[] = {
        {HAW_JOINT_NONE, HAW_MOTION_FREE, false, false},
        {HAW_JOINT_REVOLUTE, HAW_MOTION_FREE, true, false},
        {HAW_JOINT_TRANSLATION, HAW_MOTION_FREE, false, true},
        {HAW_JOINT_NONE, HAW_MOTION_FIXED, true, true},
        {HAW_JOINT_REVOLUTE, HAW_MOTION_FIXED, true, true},
        {HAW_JOINT_REVOLUTE, HAW_MOTION_PRESCRIBED, true, true},
        {HAW_JOINT_TRANSLATION, HAW_MOTION_PRESCRIBED, true, true},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rig r;
        haw_body_spec spec = wheel(rows[i].joint, rows[i].motion);
        spec.mass = 2;
        spec.inertia = 0.25;
        const haw_body *body = build(&r, &spec);
        assert_int_equal(body->held[0], rows[i].centre);
        assert_int_equal(body->held[1], rows[i].centre);
        assert_int_equal(body->held[2], rows[i].angle);
        assert_true(body->mass[0] == 2 && body->mass[1] == 2 && body->mass[2] == 0.25);
        rig_close(&r);
    }
}

/* In space a revolute joint leaves the turn about the body's z axis alone. */
static void a_revolute_joint_in_space_leaves_one_axis(void **state)
{
    (void)state;
    rig r;
    haw_body_spec spec = wheel(HAW_JOINT_REVOLUTE, HAW_MOTION_FREE);
    spec.inertia = 0.25;
    const haw_scene scene = {.dimension = 3, .bodies = 1, .body = &spec};
    rig_open(&r);
    assert_int_equal(haw_model_build(r.context, &scene, &r.model), HAW_OK);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(r.model->body[0].held[i], i != 5);
    }
    rig_close(&r);
}

/* The centre needs a mass where it can move, the angle an inertia where it can turn. */
static void only_what_moves_needs_a_mass(void **state)
{
    (void)state;
    rig r;
    haw_body_spec spec = wheel(HAW_JOINT_REVOLUTE, HAW_MOTION_FREE);
    refuses(&spec, "inertia must be > 0", "bodies.wheel.inertia");
    spec.inertia = 0.25;
    const haw_body *body = build(&r, &spec);
    assert_true(body->mass[0] == 0 && body->mass[2] == 0.25);
    rig_close(&r);
    spec.mass = -1;
    refuses(&spec, "mass must be > 0", "bodies.wheel.mass");

    spec = wheel(HAW_JOINT_TRANSLATION, HAW_MOTION_FREE);
    refuses(&spec, "mass must be > 0", "bodies.wheel.mass");
    spec.mass = 2;
    body = build(&r, &spec);
    assert_true(body->mass[1] == 2 && body->mass[2] == 0);
    rig_close(&r);
    spec.inertia = -1;
    refuses(&spec, "inertia must be > 0", "bodies.wheel.inertia");

    spec = wheel(HAW_JOINT_NONE, HAW_MOTION_FIXED);
    body = build(&r, &spec);
    assert_true(body->mass[0] == 0 && body->mass[2] == 0);
    rig_close(&r);
    spec.shape = "circle";
    spec.shape_options[0] = 0.5;
    spec.mass = 4;
    body = build(&r, &spec);
    assert_near(body->mass[2], 0.5, 0, 1e-15); /* m R^2 / 2 */
    rig_close(&r);
}

static void what_a_joint_holds_cannot_have_a_velocity(void **state)
{
    (void)state;
    static const double time[2] = {0, 1}, value[2] = {0, 5}, zeros[2] = {0, 0};
    const haw_function table = {.count = 2, .time = time, .value = value};
    const haw_function rest = {.count = 2, .time = time, .value = zeros};
    haw_body_spec spec = wheel(HAW_JOINT_REVOLUTE, HAW_MOTION_FREE);
    spec.mass = spec.inertia = 1;
    spec.velocity[1] = 1;
    refuses(&spec, "holds the centre", "bodies.wheel");
    spec.velocity[1] = 0;
    spec.joint = HAW_JOINT_TRANSLATION;
    spec.spin = 3;
    refuses(&spec, "holds the angle", "bodies.wheel");
    spec = wheel(HAW_JOINT_REVOLUTE, HAW_MOTION_PRESCRIBED);
    spec.motion_velocity[0] = table;
    refuses(&spec, "holds the centre", "bodies.wheel");
    spec.joint = HAW_JOINT_TRANSLATION;
    spec.motion_spin.constant = 1;
    refuses(&spec, "holds the angle", "bodies.wheel");
    rig r;
    spec.joint = HAW_JOINT_REVOLUTE;
    spec.motion_velocity[0] = rest;
    (void)build(&r, &spec);
    rig_close(&r);
    spec.joint = 4;
    refuses(&spec, "joint must be one of", "bodies.wheel.joint");
}

/* A hook block keeps its turn, a car that is a mass point on its rails does not. */
static void a_vertical_joint_holds_x_and_the_angle_of_a_point(void **state)
{
    (void)state;
    rig r;
    haw_body_spec spec = wheel(HAW_JOINT_VERTICAL, HAW_MOTION_FREE);
    refuses(&spec, "mass must be > 0", "bodies.wheel.mass");
    spec.mass = 4;
    const haw_body *body = build(&r, &spec);
    assert_true(body->held[0] && !body->held[1] && body->held[2]);
    double u[3] = {9, 9, 9}, f[3];
    haw_model_prescribe(r.model, 0.3, u);
    assert_true(u[0] == 0 && u[1] == 9 && u[2] == 0);
    haw_model_force(r.model, body->start, f);
    assert_true(f[0] == 0 && f[1] == -8); /* gravity (1, -2): the rails carry its x */
    rig_close(&r);

    spec.shape = "circle";
    spec.shape_options[0] = 0.5;
    body = build(&r, &spec);
    assert_true(body->held[0] && !body->held[1] && !body->held[2]);
    assert_near(body->mass[2], 0.5, 0, 1e-15);
    rig_close(&r);
    spec.shape = NULL;
    spec.inertia = 3;
    spec.spin = 1;
    spec.velocity[1] = 2;
    body = build(&r, &spec);
    assert_true(!body->held[2] && body->rate[1] == 2 && body->rate[2] == 1);
    rig_close(&r);

    spec.velocity[0] = 1;
    refuses(&spec, "vertical joint holds the horizontal position", "bodies.wheel");
    spec.velocity[0] = 0;
    spec.inertia = (double)NAN;
    refuses(&spec, "vertical joint holds the angle", "bodies.wheel");
}

static void a_vertical_joint_in_space_leaves_z_free(void **state)
{
    (void)state;
    rig r;
    haw_body_spec spec = wheel(HAW_JOINT_VERTICAL, HAW_MOTION_FREE);
    spec.mass = 4;
    spec.velocity[1] = 2;
    spec.orientation[0] = 1;
    const haw_scene scene = {.dimension = 3, .gravity = {1, -2, 3}, .bodies = 1, .body = &spec};
    rig_open(&r);
    assert_int_equal(haw_model_build(r.context, &scene, &r.model), HAW_ERR_INPUT);
    assert_non_null(strstr(haw_context_message(r.context), "holds the horizontal position"));
    rig_close(&r);
    spec.velocity[1] = 0;
    spec.velocity[2] = 2;
    rig_open(&r);
    assert_int_equal(haw_model_build(r.context, &scene, &r.model), HAW_OK);
    for (int i = 0; i < 6; i++) {
        assert_true(r.model->body[0].held[i] == (i != 2));
    }
    rig_close(&r);
    spec.inertia = 1;
    spec.spins[0] = 3;
    spec.spins[2] = spec.spin = 1;
    rig_open(&r);
    assert_int_equal(haw_model_build(r.context, &scene, &r.model), HAW_OK);
    const double rate[6] = {0, 0, 2, 3, 0, 2};
    for (int i = 0; i < 6; i++) {
        assert_true(r.model->body[0].held[i] == (i < 2) && r.model->body[0].rate[i] == rate[i]);
    }
    rig_close(&r);
}

/* Held and driven velocities are written, free ones are left alone. */
static void velocities_are_prescribed_where_a_body_is_held(void **state)
{
    (void)state;
    const int joint[3] = {HAW_JOINT_REVOLUTE, HAW_JOINT_TRANSLATION, HAW_JOINT_REVOLUTE};
    const double want[3][3] = {{0, 0, 9}, {9, 9, 0}, {0, 0, 7}};
    for (int i = 0; i < 3; i++) {
        rig r;
        haw_body_spec spec = wheel(joint[i], i == 2 ? HAW_MOTION_PRESCRIBED : HAW_MOTION_FREE);
        spec.mass = spec.inertia = 1;
        spec.motion_spin.constant = 7;
        (void)build(&r, &spec);
        double u[3] = {9, 9, 9};
        haw_model_prescribe(r.model, 0.3, u);
        for (int k = 0; k < 3; k++) {
            assert_near(u[k], want[i][k], 0, 0);
        }
        rig_close(&r);
    }
}

/* Inverse masses, weights and energies: what holds the centre carries its weight. */
static void a_held_centre_has_neither_weight_nor_an_inverse_mass(void **state)
{
    (void)state;
    const int joint[3] = {HAW_JOINT_NONE, HAW_JOINT_REVOLUTE, HAW_JOINT_TRANSLATION};
    const double inverse[3][3] = {{0.5, 0.5, 4}, {0, 0, 4}, {0.5, 0.5, 0}};
    for (int i = 0; i < 3; i++) {
        rig r;
        haw_inertia *inertia;
        haw_body_spec spec = wheel(joint[i], HAW_MOTION_FREE);
        spec.mass = 2;
        spec.inertia = 0.25;
        const haw_body *body = build(&r, &spec);
        double f[3];
        const double u[3] = {0, 0, 4};
        haw_model_force(r.model, body->start, f);
        const bool hangs = i == 1;
        assert_near(f[0], hangs ? 0 : 2, 0, 0);
        assert_near(f[1], hangs ? 0 : -4, 0, 0);
        assert_near(haw_model_energy(r.model, body->start).gravity, hangs ? 0 : 12, 0, 0);
        assert_near(haw_model_kinetic(r.model, body->start, u), 2, 0, 0);
        assert_int_equal(haw_inertia_create(r.context, r.model, &inertia), HAW_OK);
        assert_int_equal(haw_inertia_set(inertia, 1e-3, 0), HAW_OK);
        for (int k = 0; k < 3; k++) {
            assert_near(inertia->body_inverse[k], inverse[i][k], 0, 0);
        }
        haw_inertia_free(inertia);
        rig_close(&r);
    }
}

static void dampers_and_torques_are_checked_and_copied(void **state)
{
    (void)state;
    rig r;
    double time[2] = {0, 2}, value[2] = {0, -25};
    haw_body_spec spec = wheel(HAW_JOINT_REVOLUTE, HAW_MOTION_FREE);
    spec.inertia = 0.25;
    spec.rotational_damping = 2;
    spec.torque = (haw_function){.count = 2, .time = time, .value = value};
    const haw_body *body = build(&r, &spec);
    value[1] = 99;
    assert_near(body->rotational_damping, 2, 0, 0);
    assert_near(haw_function_value(&body->torque, 1), -12.5, 1e-14, 0);
    rig_close(&r);
    spec.torque.value = time;
    time[1] = (double)NAN;
    refuses(&spec, "finite numbers", "bodies.wheel.torque");
    spec.torque.count = 0;
    spec.rotational_damping = -1;
    refuses(&spec, "rotational_damping", "bodies.wheel.rotational_damping");
}

/* What is zero but for rounding where the matrix is laid out may be no zero elsewhere: a build with
 * assertions ends where an entry has no place. */
static void clamps_in_any_direction_have_places_for_their_rows(void **state)
{
    (void)state;
    static const char *const elements[] = {"bezier", "bezier-c0", "bezier-polar", "chain"};
    for (int i = 0; i < 100; i++) {
        rig r;
        haw_cable_spec cable = haw_cable_spec_default();
        const haw_scene scene = {.cables = 1, .cable = &cable};
        cable.name = "cable";
        cable.element = elements[i % 4];
        cable.elements = 4;
        cable.from[0] = -1 - 0.01 * i;
        cable.from[1] = 0.1 + 0.003 * i;
        cable.to[0] = 1;
        cable.to[1] = 0.37 * i * i / 1000;
        cable.stiffness = 1e4;
        cable.density = 0.02;
        cable.ends[0].kind = HAW_END_CLAMPED;
        rig_open(&r);
        assert_int_equal(haw_model_build(r.context, &scene, &r.model), HAW_OK);
        rig_close(&r);
    }
}

/* In space a vertical joint holds x and y; what it leaves falls as in the plane. */
static void a_vertical_joint_lets_fall(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        rig r;
        haw_body_spec body = wheel(HAW_JOINT_VERTICAL, HAW_MOTION_FREE);
        const int up = dimension - 1;
        body.mass = 2;
        body.inertia = 0.1;
        haw_scene scene = {.dimension = dimension, .bodies = 1, .body = &body};
        scene.gravity[0] = 3;
        scene.gravity[up] = -10;
        rig_open(&r);
        rig_time(&r, 1e-2, 1, 0.5);
        rig_build(&r, &scene);
        rig_steps(&r, 50);
        assert_near(r.state->q[0], body.position[0], 0, 0);
        assert_near(r.state->q[up], body.position[up] - 1.25, 1e-12, 0);
        rig_close(&r);
    }
}

TEST_FILE(test_joint)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vertical_joint_lets_fall),
        cmocka_unit_test(a_joint_holds_the_centre_or_the_angle),
        cmocka_unit_test(a_revolute_joint_in_space_leaves_one_axis),
        cmocka_unit_test(only_what_moves_needs_a_mass),
        cmocka_unit_test(what_a_joint_holds_cannot_have_a_velocity),
        cmocka_unit_test(a_vertical_joint_holds_x_and_the_angle_of_a_point),
        cmocka_unit_test(a_vertical_joint_in_space_leaves_z_free),
        cmocka_unit_test(velocities_are_prescribed_where_a_body_is_held),
        cmocka_unit_test(a_held_centre_has_neither_weight_nor_an_inverse_mass),
        cmocka_unit_test(dampers_and_torques_are_checked_and_copied),
        cmocka_unit_test(clamps_in_any_direction_have_places_for_their_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
