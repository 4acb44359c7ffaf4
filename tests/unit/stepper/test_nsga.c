/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonsmooth generalized-alpha: smooth order, energy, impacts, and stick on a slope. */
#include "base/lie.h"
#include "stepper/simulation.h"
#include "support/winding.h"

static const double weight = 9.81, radius = 0.1;
static const double pi = 3.14159265358979323846;

static void choose(rig *r, double step, double end, double rho)
{
    rig_open(r);
    assert_int_equal(haw_stepper_settings_init(r->context, "nsga", &r->settings.stepper), HAW_OK);
    rig_set(r, "step", step);
    rig_set(r, "end", end);
    rig_set(r, "rho_infinity", rho);
    rig_set(r, "newton_tolerance", 1e-12);
}

/* ---- smooth motion ---- */

/* A soft rod, pinned at the origin, falls from the horizontal. */
static void open_rod(rig *r, double sideways)
{
    haw_cable_spec rod = haw_cable_spec_default();
    rod.name = "rod";
    rod.element = "se3";
    rod.elements = 6;
    rod.from[0] = rod.from[1] = rod.from[2] = rod.to[1] = rod.to[2] = 0;
    rod.to[0] = 1;
    rod.radius = 0.1;
    rod.stiffness = 50;
    rod.shear_stiffness = 20;
    rod.bending_stiffness = 0.05;
    rod.torsional_stiffness = 0.04;
    rod.density = 0.1;
    rod.tension = rod.length = (double)NAN;
    rod.ends[0].kind = HAW_END_PINNED;
    rod.ends[1].kind = HAW_END_FREE;
    const haw_scene scene = {
        .dimension = 3, .gravity = {0, sideways, -weight}, .cables = 1, .cable = &rod};
    rig_build(r, &scene);
}

static void tip_of(const rig *r, double tip[3])
{
    const haw_cable *rod = &r->simulation->model.cable[0];
    const ptrdiff_t node = (ptrdiff_t)rod->beam.ops->node_coordinates * rod->beam.elements;
    memcpy(tip, r->state->q + rod->first_q + node, 3 * sizeof *tip);
}

static double tip_change(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static void without_contact_it_is_of_second_order(void **state)
{
    static const double rho[] = {0, 0.5, 0.8, 1};
    (void)state;
    for (int k = 0; k < 4; k++) {
        double tip[3][3];
        for (int i = 0; i < 3; i++) {
            rig r;
            choose(&r, ldexp(2e-4, -i), 0.3, rho[k]);
            open_rod(&r, 2);
            rig_steps(&r, lround(0.3 / ldexp(2e-4, -i)));
            tip_of(&r, tip[i]);
            rig_close(&r);
        }
        const double coarse = tip_change(tip[0], tip[1]), fine = tip_change(tip[1], tip[2]);
        assert_near(log2(coarse / fine), 2, 0.15, 0);
    }
}

/* A ball turns freely about no principal axis. */
static void open_top(rig *r)
{
    haw_body_spec top = haw_body_spec_default();
    top.name = "top";
    top.mass = 1;
    top.inertias[0] = 1;
    top.inertias[1] = 2;
    top.inertias[2] = 3;
    top.spin = 0;
    const haw_scene scene = {.dimension = 3, .bodies = 1, .body = &top};
    rig_build(r, &scene);
    double *u = r->simulation->state->u + r->simulation->model.body[0].first;
    u[3] = 0.4;
    u[4] = 1;
    u[5] = 0.3;
    rig_restart(r);
}

static double angular_error(const rig *r)
{
    static const double inertia[3] = {1, 2, 3}, start[3] = {0.4, 2, 0.9};
    const haw_body *top = &r->simulation->model.body[0];
    double body[3], momentum[3];
    for (int j = 0; j < 3; j++) {
        body[j] = inertia[j] * r->state->u[top->first + 3 + j];
    }
    quaternion_rotate(r->state->q + top->first_q + 3, body, momentum);
    return tip_change(momentum, start);
}

static void a_free_top_keeps_its_momentum_to_second_order(void **state)
{
    double error[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        rig r;
        choose(&r, ldexp(0.02, -i), 4, 0.8);
        open_top(&r);
        rig_steps(&r, lround(4 / ldexp(0.02, -i)));
        error[i] = angular_error(&r);
        rig_close(&r);
    }
    assert_true(error[1] < 1e-3);
    assert_near(log2(error[0] / error[1]), 2, 0.15, 0);
}

/* Small vibrations along a straight rod are linear: the trapezoidal rule keeps their energy. */
static void without_damping_vibrations_keep_their_energy(void **state)
{
    rig r;
    (void)state;
    choose(&r, 5e-3, 10, 1);
    haw_cable_spec rod = haw_cable_spec_default();
    rod.name = "rod";
    rod.element = "se3";
    rod.elements = 4;
    rod.from[0] = rod.from[1] = rod.from[2] = rod.to[1] = rod.to[2] = 0;
    rod.to[0] = 1;
    rod.radius = 0.02;
    rod.stiffness = 50;
    rod.bending_stiffness = 0.05;
    rod.density = 0.1;
    rod.tension = rod.length = (double)NAN;
    rod.ends[0].kind = HAW_END_PINNED;
    rod.ends[1].kind = HAW_END_FREE;
    const haw_scene scene = {.dimension = 3, .cables = 1, .cable = &rod};
    rig_build(&r, &scene);
    r.simulation->state->u[r.simulation->model.cable[0].first + 24] = 0.1;
    rig_restart(&r);
    const double start = r.simulation->kinetic;
    for (int i = 0; i < 200; i++) {
        rig_step(&r);
        assert_near(r.simulation->kinetic + r.simulation->energy.elastic, start, 0, 1e-9);
    }
    assert_true(fabs(r.simulation->ledger.numerical_loss) < 1e-9 * start);
    assert_true(r.simulation->ledger.balance_error < 1e-12 * start);
    rig_close(&r);
}

/* ---- contact ---- */

/* A ball that does not turn, over or on a plane that is turned about y. */
static void open_ball(rig *r, double height, double slope, double friction, double restitution)
{
    haw_body_spec body[2] = {haw_body_spec_default(), haw_body_spec_default()};
    haw_contact_spec contact = haw_contact_spec_default();
    body[0].name = "ball";
    body[0].shape = "sphere";
    body[0].shape_options[0] = radius;
    body[0].mass = 2;
    body[0].joint = HAW_JOINT_TRANSLATION;
    body[0].position[0] = (radius + height) * sin(slope);
    body[0].position[2] = (radius + height) * cos(slope);
    body[1].name = "ground";
    body[1].shape = "plane";
    body[1].motion = HAW_MOTION_FIXED;
    body[1].orientation[0] = cos(0.5 * slope);
    body[1].orientation[2] = sin(0.5 * slope);
    contact.between[0] = "ball";
    contact.between[1] = "ground";
    contact.friction = friction;
    contact.restitution = restitution;
    const haw_scene scene = {.dimension = 3,
                             .gravity = {0, 0, -weight},
                             .bodies = 2,
                             .body = body,
                             .contacts = 1,
                             .contact = &contact};
    rig_build(r, &scene);
}

static void a_ball_bounces_as_newtons_law_says(void **state)
{
    const double height = 0.5, e = 0.6, fall = sqrt(2 * height / weight), v = weight * fall;
    double error[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        rig r;
        const double h = ldexp(1e-3, -3 * i), t = fall + 0.5 * e * v / weight;
        choose(&r, h, 1, 0.8);
        open_ball(&r, height, 0, 0.3, e);
        rig_steps(&r, lround(t / h));
        const double flown = r.state->t - fall;
        const double want = radius + e * v * flown - 0.5 * weight * flown * flown;
        error[i] = fabs(r.state->q[2] - want);
        const haw_ledger *ledger = &r.simulation->ledger;
        assert_near(ledger->impact_loss, v * v * (1 - e * e), 0, 10 * h);
        assert_true(ledger->balance_error < 1e-12 * v * v);
        rig_close(&r);
    }
    assert_true(error[0] < 5e-3);
    assert_true(error[1] < error[0]);
}

static double drift(double rho, const char *level, double *normal)
{
    const double slope = 20 * pi / 180;
    rig r;
    choose(&r, 5e-3, 10, rho);
    assert_int_equal(haw_options_set_text(r.context, r.settings.stepper.ops->row.options,
                                          r.settings.stepper.options, "friction_level", level),
                     HAW_OK);
    open_ball(&r, 0, slope, 0.5, 0);
    double start[3];
    memcpy(start, r.state->q, sizeof start);
    rig_steps(&r, 2000);
    const double d[3] = {r.state->q[0] - start[0], r.state->q[1] - start[1],
                         r.state->q[2] - start[2]};
    *normal = r.state->impulse[0] / 5e-3;
    rig_close(&r);
    return vec3_norm(d);
}

static void on_a_slope_it_sticks_or_creeps_as_documented(void **state)
{
    static const double rho[] = {0, 0.8, 1};
    const double slope = 20 * pi / 180;
    double normal;
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_true(drift(rho[i], "position-and-velocity", &normal) < 1e-9);
        assert_near(normal, 2 * weight * cos(slope), 0, 1e-6);
        const double creep = 5e-3 * weight * sin(slope) / 2;
        assert_near(drift(rho[i], "velocity", &normal) / 10, creep, 0, 1e-6);
        assert_near(normal, 2 * weight * cos(slope), 0, 1e-6);
    }
}

/* A rod that lies on the ground with dampers on all its velocities, which are none. */
static void at_rest_the_ground_bears_the_weight_whatever_the_dampers(void **state)
{
    static const double rho[] = {0, 0.5, 0.8, 1};
    (void)state;
    for (int k = 0; k < 4; k++) {
        haw_cable_spec rod = haw_cable_spec_default();
        haw_body_spec ground = haw_body_spec_default();
        haw_contact_spec contact = haw_contact_spec_default();
        rig r;
        choose(&r, 1e-3, 0.2, rho[k]);
        rod.name = "rod";
        rod.element = "se3";
        rod.elements = 6;
        rod.from[1] = rod.to[1] = 0;
        rod.from[0] = 0;
        rod.to[0] = 1;
        rod.from[2] = rod.to[2] = rod.radius = 0.02;
        rod.stiffness = 5000;
        rod.bending_stiffness = 0.5;
        rod.density = 0.1;
        rod.damping_mass = 50;
        rod.tension = rod.length = (double)NAN;
        rod.ends[0].kind = rod.ends[1].kind = HAW_END_FREE;
        ground.name = "ground";
        ground.shape = "plane";
        ground.motion = HAW_MOTION_FIXED;
        contact.between[0] = "rod";
        contact.between[1] = "ground";
        contact.points_per_element = 1;
        const haw_scene scene = {.dimension = 3,
                                 .gravity = {0, 0, -weight},
                                 .bodies = 1,
                                 .body = &ground,
                                 .cables = 1,
                                 .cable = &rod,
                                 .contacts = 1,
                                 .contact = &contact};
        rig_build(&r, &scene);
        rig_steps(&r, 200);
        double force = 0;
        for (int i = 0; i < r.simulation->closed_count; i++) {
            force += r.state->impulse[3 * r.simulation->closed[i]] / 1e-3;
        }
        assert_int_equal(r.simulation->closed_count, 7);
        assert_near(force, 0.1 * weight, 1e-8, 0);
        rig_close(&r);
    }
}

static void a_steeper_slope_slides_with_the_difference(void **state)
{
    const double slope = 30 * pi / 180, mu = 0.3;
    rig r;
    (void)state;
    choose(&r, 1e-3, 1, 0.8);
    open_ball(&r, 0, slope, mu, 0);
    rig_steps(&r, 1000);
    const double want = weight * (sin(slope) - mu * cos(slope));
    const double *v = r.state->u;
    assert_near(sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), want, 0, 1e-6);
    const double way = r.state->q[0] / cos(slope) - radius * tan(slope);
    assert_near(way, 0.5 * want, 0, 2e-3);
    assert_near(r.simulation->ledger.friction_loss, 2 * weight * cos(slope) * mu * way, 0, 5e-3);
    assert_true(r.simulation->ledger.balance_error < 1e-9);
    rig_close(&r);
}

/* ---- dampers and contact ---- */

/* A disk in the plane over or on rough ground, with a damper on its spin. */
static void open_disk(rig *r, double height, double spin, double damping, double friction)
{
    haw_body_spec body[2] = {haw_body_spec_default(), haw_body_spec_default()};
    haw_contact_spec contact = haw_contact_spec_default();
    body[0].name = "disk";
    body[0].shape = "circle";
    body[0].shape_options[0] = radius;
    body[0].mass = 2;
    body[0].inertia = 0.01;
    body[0].rotational_damping = damping;
    body[0].position[1] = radius + height;
    body[0].velocity[0] = 1;
    body[0].spin = spin;
    body[1].name = "ground";
    body[1].shape = "plane";
    body[1].motion = HAW_MOTION_FIXED;
    contact.between[0] = "disk";
    contact.between[1] = "ground";
    contact.friction = friction;
    const haw_scene scene = {
        .gravity = {0, -weight}, .bodies = 2, .body = body, .contacts = 1, .contact = &contact};
    rig_build(r, &scene);
}

/* It rolls, (m R^2 + J) dv/dt = -c v. */
static void rolling_against_a_damper_is_of_second_order(void **state)
{
    static const double rho[] = {0, 0.5, 1};
    const double want = exp(-0.06 / (2 * radius * radius + 0.01));
    (void)state;
    for (int k = 0; k < 3; k++) {
        double error[3];
        for (int i = 0; i < 3; i++) {
            rig r;
            const double h = ldexp(8e-3, -i);
            choose(&r, h, 1, rho[k]);
            rig_set(&r, "newton_tolerance", 1e-10);
            rig_solver_set(&r, "tolerance", 1e-9);
            open_disk(&r, 0, -1 / radius, 0.06, 0.9);
            rig_steps(&r, lround(1 / h));
            error[i] = r.state->u[0] - want;
            assert_near(r.state->u[2], -r.state->u[0] / radius, 0, 1e-9);
            assert_near(r.simulation->ledger.balance_error, 0, 1e-12, 0);
            rig_close(&r);
        }
        print_message("rho %g: errors %.3g %.3g %.3g\n", rho[k], error[0], error[1], error[2]);
        assert_near(log2(error[0] / error[1]), 2, 0.1, 0);
        assert_near(log2(error[1] / error[2]), 2, 0.1, 0);
        assert_true(fabs(error[2]) < 1e-5);
    }
}

/* Its damper takes a spin away in J / c = 1e-5 s: the ground stops it like a disk that cannot turn,
 * P_T = -m v. The mass alone would roll on, and c omega be a blow to the next step. */
static void a_damper_stiffer_than_the_step_resists_a_landing(void **state)
{
    static const double rho[] = {0, 0.5};
    (void)state;
    for (int k = 0; k < 2; k++) {
        rig r;
        choose(&r, 1e-3, 1, rho[k]);
        rig_set(&r, "newton_tolerance", 1e-8);
        rig_solver_set(&r, "tolerance", 1e-9);
        open_disk(&r, 0.05, 0, 1e3, 5);
        rig_steps(&r, 115);
        const haw_ledger *ledger = &r.simulation->ledger;
        assert_near(r.state->u[0], 0, 1e-4, 0);
        assert_near(r.state->u[2], 0, 1e-3, 0);
        assert_near(ledger->friction_loss, 0.5 * 2, 0.04, 0);
        assert_near(ledger->numerical_loss, 0, 0.03, 0);
        assert_near(ledger->balance_error, 0, 1e-12, 0);
        rig_close(&r);
    }
}

/* Ground that rises with 1 m/s for 0.1 s and then falls faster than the ball that lay on it. */
static void what_opens_has_been_carried_until_it_opens(void **state)
{
    static const double rho[] = {0, 0.5, 1}, time[] = {0, 0.1, 0.3}, speed[] = {1, 1, -3};
    (void)state;
    for (int k = 0; k < 3; k++) {
        haw_body_spec body[2] = {haw_body_spec_default(), haw_body_spec_default()};
        haw_contact_spec contact = haw_contact_spec_default();
        rig r;
        choose(&r, 1e-3, 1, rho[k]);
        body[0].name = "ball";
        body[0].shape = "circle";
        body[0].shape_options[0] = radius;
        body[0].mass = 2;
        body[0].position[1] = radius;
        body[0].velocity[1] = 1;
        body[1].name = "ground";
        body[1].shape = "plane";
        body[1].motion = HAW_MOTION_PRESCRIBED;
        body[1].motion_velocity[1] = (haw_function){.count = 3, .time = time, .value = speed};
        contact.between[0] = "ball";
        contact.between[1] = "ground";
        const haw_scene scene = {
            .gravity = {0, -weight}, .bodies = 2, .body = body, .contacts = 1, .contact = &contact};
        rig_build(&r, &scene);
        rig_steps(&r, 150);
        const haw_ledger *ledger = &r.simulation->ledger;
        const double work = 2 * weight * 0.1; /* of the weight, at 1 m/s; a step is 0.0196 J */
        assert_int_equal(r.simulation->closed_count, 0);
        assert_near(ledger->external_work, work, 0.012, 0);
        assert_near(ledger->numerical_loss, 0, 1e-4, 0);
        assert_near(ledger->impact_loss, 0, 1e-6, 0);
        rig_close(&r);
    }
}

/* The yarn of benchmark W1 until its third node lies on the drum. */
static void wind(rig *r, const winding *w)
{
    static haw_body_spec drum;
    static haw_cable_spec yarn;
    static haw_contact_spec contact;
    drum = winding_drum();
    yarn = winding_cable(w);
    contact = haw_contact_spec_default();
    contact.between[0] = "yarn";
    contact.between[1] = "drum";
    contact.friction = w->friction;
    contact.points_per_element = 1;
    const haw_scene scene = {.dimension = 3,
                             .bodies = 1,
                             .cables = 1,
                             .contacts = 1,
                             .body = &drum,
                             .cable = &yarn,
                             .contact = &contact};
    rig_build(r, &scene);
    rig_steps(r, 220);
}

static void a_stiff_yarn_winds_as_with_moreau_jean(void **state)
{
    const winding w = winding_default(0.4);
    rig decoupled, implicit;
    (void)state;
    choose(&decoupled, w.step, w.end, 0.8);
    rig_set(&decoupled, "newton_tolerance", 1e-8);
    rig_solver_set(&decoupled, "tolerance", 1e-8);
    wind(&decoupled, &w);
    rig_open(&implicit);
    assert_int_equal(
        haw_stepper_settings_init(implicit.context, "moreau-jean", &implicit.settings.stepper),
        HAW_OK);
    rig_time(&implicit, w.step, w.end, w.theta);
    wind(&implicit, &w);
    const haw_cable *yarn = &decoupled.simulation->model.cable[0];
    const double *q = decoupled.state->q + yarn->first_q;
    double most = 0;
    for (int i = 0; i <= w.elements; i++) {
        const ptrdiff_t node = (ptrdiff_t)yarn->beam.ops->node_coordinates * i;
        most = fmax(most, tip_change(q + node, implicit.state->q + yarn->first_q + node));
    }
    assert_true(decoupled.simulation->contacts->count >= 2);
    assert_true(most < 2e-3);
    assert_true(decoupled.simulation->certificate.penetration_points_max < 1e-8);
    assert_true(decoupled.simulation->ledger.balance_error < 1e-8);
    rig_close(&decoupled);
    rig_close(&implicit);
}

/* In the plane a body is three numbers: a free one moves on a parabola and turns evenly. */
static void a_free_disk_in_the_plane_moves_exactly(void **state)
{
    rig r;
    haw_body_spec body = haw_body_spec_default();
    (void)state;
    choose(&r, 1e-2, 1, 0.8);
    body.name = "disk";
    body.mass = body.inertia = 1;
    body.velocity[0] = 3;
    body.spin = 2;
    const haw_scene scene = {.gravity = {0, -9.81}, .bodies = 1, .body = &body};
    rig_build(&r, &scene);
    rig_steps(&r, 100);
    assert_near(r.state->q[0], 3, 1e-12, 0);
    assert_near(r.state->q[1], -0.5 * 9.81, 1e-12, 0);
    assert_near(r.state->q[2], 2, 1e-12, 0);
    rig_close(&r);
}

TEST_FILE(test_nsga)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_contact_it_is_of_second_order),
        cmocka_unit_test(a_free_top_keeps_its_momentum_to_second_order),
        cmocka_unit_test(without_damping_vibrations_keep_their_energy),
        cmocka_unit_test(a_ball_bounces_as_newtons_law_says),
        cmocka_unit_test(on_a_slope_it_sticks_or_creeps_as_documented),
        cmocka_unit_test(at_rest_the_ground_bears_the_weight_whatever_the_dampers),
        cmocka_unit_test(a_steeper_slope_slides_with_the_difference),
        cmocka_unit_test(rolling_against_a_damper_is_of_second_order),
        cmocka_unit_test(a_damper_stiffer_than_the_step_resists_a_landing),
        cmocka_unit_test(what_opens_has_been_carried_until_it_opens),
        cmocka_unit_test(a_stiff_yarn_winds_as_with_moreau_jean),
        cmocka_unit_test(a_free_disk_in_the_plane_moves_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
