/* SPDX-License-Identifier: BSD-3-Clause */
/* Mirrored, rotated and rescaled scenes move alike; the same scene moves the same, bit by bit. */
#include "stepper/simulation.h"
#include "support/rig.h"

enum { ROWS = 128 };

typedef struct motion {
    double q[ROWS], u[ROWS];
    haw_ledger ledger;
    haw_certificate certificate;
} motion;

static void record(const rig *r, motion *m)
{
    assert_true(r->state->dofs <= ROWS);
    memset(m, 0, sizeof *m);
    memcpy(m->q, r->state->q, (size_t)r->state->dofs * sizeof *m->q);
    memcpy(m->u, r->state->u, (size_t)r->state->dofs * sizeof *m->u);
    m->ledger = r->simulation->ledger;
    m->certificate = r->simulation->certificate;
}

/* State of a disk case after `steps` steps. */
static void run_case(disk_case *c, long steps, motion *m)
{
    rig r;
    rig_disk(&r, c);
    rig_steps(&r, steps);
    record(&r, m);
    rig_close(&r);
}

static const char *const elements[] = {"bezier", "bezier-c0", "bezier-polar", "chain"};

enum { ELEMENTS = sizeof elements / sizeof *elements };

static void element_case(disk_case *c, int i)
{
    disk_case_init(c);
    c->element = elements[i];
    c->elements = strcmp(elements[i], "chain") == 0 ? 60 : 20;
    c->points = strcmp(elements[i], "chain") == 0 ? 1 : 4;
    c->gyro_iterations = 3;
}

/* x -> -x turns velocities, angle and spin of the disk over. */
static void a_disk_from_the_other_side_moves_in_the_mirror(void **state)
{
    (void)state;
    for (int i = 0; i < ELEMENTS; i++) {
        disk_case c;
        motion left, right;
        element_case(&c, i);
        run_case(&c, 8000, &left);
        c.body.position[0] = 0.15;
        c.body.velocity[0] = -3;
        c.body.spin = -40;
        run_case(&c, 8000, &right);
        print_message("%s: %.2g\n", elements[i], fabs(left.u[0] + right.u[0]));
        for (int k = 0; k < 3; k++) {
            const double sign = k == 1 ? 1 : -1;
            assert_near(right.q[k], sign * left.q[k], 1e-10, 0);
            assert_near(right.u[k], sign * left.u[k], 1e-10, 0);
        }
        assert_near(right.ledger.friction_loss, left.ledger.friction_loss, 1e-10, 0);
    }
}

/* Two disks at once, restitution included; the scene is its own mirror image in `axis`. */
static void run_pair(const char *element, int axis, motion *m)
{
    rig r;
    disk_case c;
    disk_case_init(&c);
    c.element = element;
    c.body.mass = 0.5; /* the rope is not light against the disks: pgs converges at once */
    c.cable.density = 1;
    c.cable.stiffness = 4e5;
    rig_disk_settings(&r, &c);
    haw_scene scene = *disk_case_scene(&c);
    haw_body_spec body[2] = {c.body, c.body};
    haw_contact_spec contact[2] = {c.contact, c.contact};
    body[1].name = contact[1].between[1] = "other";
    body[1].spin = -40;
    contact[0].restitution = contact[1].restitution = 0.5;
    if (axis == 0) { /* from both sides at the same height */
        body[1].position[0] = 0.15;
        body[1].velocity[0] = -3;
    } else { /* from one side, as far from either end */
        scene.gravity[1] = 0;
        body[0].position[1] = 0.6;
        body[1].position[1] = 1.4;
        body[0].velocity[1] = -0.5;
        body[1].velocity[1] = 0.5;
    }
    scene.bodies = scene.contacts = 2;
    scene.body = body;
    scene.contact = contact;
    rig_build(&r, &scene);
    rig_steps(&r, 6000);
    assert_true(r.simulation->certificate.contacts_max >= 2);
    record(&r, m);
    rig_close(&r);
}

static void two_disks_keep_the_symmetry_of_their_scene(void **state)
{
    (void)state;
    for (int i = 0; i < ELEMENTS; i++) {
        for (int axis = 0; axis < 2; axis++) {
            motion m;
            run_pair(elements[i], axis, &m);
            const double y = axis == 0 ? 0 : 2;
            assert_near(m.u[3 + axis], -m.u[axis], 1e-10, 0);
            assert_near(m.u[4 - axis], m.u[1 - axis], 1e-10, 0);
            assert_near(m.u[5], -m.u[2], 1e-10, 0);
            assert_near(m.q[3 + axis], y - m.q[axis], 1e-10, 0);
            assert_near(m.q[4 - axis], m.q[1 - axis], 1e-10, 0);
            assert_true(fabs(m.u[2] - 40) > 0.01); /* friction did act */
        }
    }
}

static void turn(double angle, double x[2])
{
    const double c = cos(angle), s = sin(angle), x0 = x[0];
    x[0] = c * x0 - s * x[1];
    x[1] = s * x0 + c * x[1];
}

/* The whole scene, gravity included, turned about the origin. */
static void run_turned(int i, double angle, motion *m)
{
    rig r;
    disk_case c;
    element_case(&c, i);
    rig_disk_settings(&r, &c);
    haw_scene scene = *disk_case_scene(&c);
    turn(angle, scene.gravity);
    turn(angle, c.body.position);
    turn(angle, c.body.velocity);
    turn(angle, c.cable.to);
    rig_build(&r, &scene);
    rig_steps(&r, 8000);
    record(&r, m);
    rig_close(&r);
}

static void a_rotated_scene_moves_as_the_rotated_motion(void **state)
{
    (void)state;
    static const double angles[3] = {0.7, -1.5707963267948966, 2.4};
    for (int i = 0; i < ELEMENTS; i++) {
        motion m, turned;
        run_turned(i, 0, &m);
        for (int k = 0; k < 3; k++) {
            run_turned(i, angles[k], &turned);
            turn(-angles[k], turned.q);
            turn(-angles[k], turned.u);
            for (int j = 0; j < 3; j++) {
                assert_near(turned.q[j], m.q[j], 1e-9, 0);
                assert_near(turned.u[j], m.u[j], 1e-9, 0);
            }
        }
    }
}

/* The case in other units: `length` per metre, `time` per second, `mass` per kilogram. */
static void rescale(disk_case *c, haw_scene *scene, double length, double time, double mass)
{
    const double force = mass * length / (time * time);
    for (int i = 0; i < 2; i++) {
        c->body.position[i] *= length;
        c->body.velocity[i] *= length / time;
        c->cable.to[i] *= length;
        scene->gravity[i] *= length / (time * time);
    }
    c->body.shape_options[0] *= length;
    c->body.mass *= mass;
    c->body.spin /= time;
    c->cable.stiffness *= force;
    c->cable.tension *= force;
    c->cable.density *= mass / length;
    c->cable.damping_mass /= time;
    c->step *= time;
    c->end *= time;
}

static void run_rescaled(int i, double length, double time, double mass, motion *m)
{
    rig r;
    disk_case c;
    element_case(&c, i);
    c.cable.damping_mass = 10;
    haw_scene scene = *disk_case_scene(&c);
    rescale(&c, &scene, length, time, mass);
    rig_disk_settings(&r, &c);
    rig_build(&r, &scene);
    rig_steps(&r, 8000);
    record(&r, m);
    rig_close(&r);
}

/* Powers of two change no rounding: every decision and every bit is the same. */
static void binary_units_give_the_same_bits(void **state)
{
    (void)state;
    for (int i = 0; i < ELEMENTS; i++) {
        motion m, n;
        const double length = 1024, time = 1.0 / 64, mass = 16;
        run_rescaled(i, 1, 1, 1, &m);
        run_rescaled(i, length, time, mass, &n);
        for (int k = 0; k < 2; k++) {
            assert_true(n.q[k] == length * m.q[k]);
            assert_true(n.u[k] == length / time * m.u[k]);
        }
        assert_true(n.q[2] == m.q[2] && n.u[2] == m.u[2] / time);
        const double energy = mass * length * length / (time * time);
        assert_true(n.ledger.friction_loss == energy * m.ledger.friction_loss);
        assert_true(n.ledger.damping_loss == energy * m.ledger.damping_loss);
        assert_int_equal(n.certificate.iterations_total, m.certificate.iterations_total);
    }
}

static void millimetres_give_the_same_motion(void **state)
{
    (void)state;
    for (int i = 0; i < ELEMENTS; i++) {
        motion m, n;
        run_rescaled(i, 1, 1, 1, &m);
        run_rescaled(i, 1000, 1, 1000, &n);
        for (int k = 0; k < 2; k++) {
            assert_near(n.q[k], 1000 * m.q[k], 1e-6, 0);
            assert_near(n.u[k], 1000 * m.u[k], 1e-6, 0);
        }
        assert_near(n.u[2], m.u[2], 1e-9, 0);
        assert_int_equal(n.certificate.contacts_max, m.certificate.contacts_max);
    }
}

static void two_runs_are_the_same_in_every_bit(void **state)
{
    (void)state;
    for (int i = 0; i < ELEMENTS; i++) {
        disk_case c;
        motion a, b;
        element_case(&c, i);
        run_case(&c, 6000, &a);
        run_case(&c, 6000, &b);
        assert_memory_equal(&a, &b, sizeof a);
    }
}

/* A state copied in the middle of the contact, put into a simulation that never moved. */
static void a_copied_state_goes_on_in_the_same_bits(void **state)
{
    (void)state;
    for (int i = 0; i < ELEMENTS; i++) {
        disk_case c;
        motion want, got;
        rig whole, rest;
        element_case(&c, i);
        rig_disk(&whole, &c);
        rig_disk(&rest, &c);
        rig_steps(&whole, 3000);
        assert_int_equal(haw_simulation_restore(rest.simulation, whole.state), HAW_OK);
        rig_steps(&whole, 7000);
        rig_steps(&rest, 7000);
        record(&whole, &want);
        record(&rest, &got);
        assert_memory_equal(got.q, want.q, sizeof got.q);
        assert_memory_equal(got.u, want.u, sizeof got.u);
        assert_memory_equal(rest.state->impulse, whole.state->impulse,
                            (size_t)whole.state->rows * sizeof(double));
        assert_true(rest.state->t == whole.state->t && rest.state->step == whole.state->step);
        rig_close(&whole);
        rig_close(&rest);
    }
}

TEST_FILE(test_symmetry)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disk_from_the_other_side_moves_in_the_mirror),
        cmocka_unit_test(two_disks_keep_the_symmetry_of_their_scene),
        cmocka_unit_test(a_rotated_scene_moves_as_the_rotated_motion),
        cmocka_unit_test(binary_units_give_the_same_bits),
        cmocka_unit_test(millimetres_give_the_same_motion),
        cmocka_unit_test(two_runs_are_the_same_in_every_bit),
        cmocka_unit_test(a_copied_state_goes_on_in_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
