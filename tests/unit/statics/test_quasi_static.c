/* SPDX-License-Identifier: BSD-3-Clause */
/* The stepper quasi-static on a cable and on springs: closed forms of backward Euler. */
#include "model/model.h"
#include "stepper/generalized_alpha.h"
#include "support/rig.h"

static void open_with(rig *r, double step, double end)
{
    rig_open(r);
    assert_int_equal(haw_stepper_settings_init(r->context, "quasi-static", &r->settings.stepper),
                     HAW_OK);
    rig_set(r, "step", step);
    rig_set(r, "end", end);
}

/* A bar of 2 m that hangs from a pin, EA = 4e4 N, pulled at its free end. */
static haw_cable_spec bar(void)
{
    haw_cable_spec cable = haw_cable_spec_default();
    cable.name = "bar";
    cable.element = "ancf";
    cable.elements = 4;
    cable.from[0] = cable.from[1] = cable.to[0] = 0;
    cable.to[1] = -2;
    cable.stiffness = 4e4;
    cable.density = 0.1;
    cable.length = 2;
    cable.ends[1].kind = HAW_END_FREE;
    return cable;
}

static haw_force_spec pull(haw_function force)
{
    haw_force_spec spec = haw_force_spec_default();
    spec.on = "bar";
    spec.point = 1;
    spec.force[1] = force;
    return spec;
}

static double end_of(const rig *r)
{
    const haw_cable *cable = &r->simulation->model.cable[0];
    return r->state->q[cable->first + cable->line.ops->stride * cable->line.elements + 1];
}

/* A given force over time: at every step the stretch is F L / EA, forth and back. */
static void equilibria_follow_the_load(void **state)
{
    (void)state;
    static const double time[3] = {0, 1, 2}, value[3] = {0, -400, 100};
    const haw_cable_spec cable = bar();
    const haw_force_spec force = pull((haw_function){.count = 3, .time = time, .value = value});
    const haw_scene scene = {.cables = 1, .cable = &cable, .forces = 1, .force = &force};
    rig r;
    open_with(&r, 0.125, 1.75);
    rig_build(&r, &scene);
    while (!haw_simulation_is_done(r.simulation)) {
        rig_step(&r);
        const double f = haw_function_value(&force.force[1], r.state->t);
        assert_near(end_of(&r), -2 + f * 2 / 4e4, 1e-10, 0);
    }
    const haw_ledger *l = &r.simulation->ledger;
    const double f = haw_function_value(&force.force[1], 1.75);
    assert_near(l->elastic, 0.5 * f * f * 2 / 4e4, 1e-12, 1e-9);
    assert_near(l->external_work, l->elastic, 1e-9, 0);
    assert_near(l->numerical_loss, 0, 1e-9, 0);
    assert_near(l->balance_error, 0, 1e-9, 0);
    rig_close(&r);
}

/* The velocity of the step before leads a bar nowhere that is in balance, and where it would lead
 * one that is not does not measure the residual: with a tolerance of 1 that would be accepted. */
static void what_is_in_balance_rests(void **state)
{
    (void)state;
    static const double time[4] = {0, 1, 2, 3},
                        value[2][4] = {{0, -4e-3, -4e-3 - 2e-10, 0}, {0, -400, -400.0004, 0}};
    const haw_cable_spec cable = bar();
    for (int i = 0; i < 2; i++) {
        const haw_force_spec force =
            pull((haw_function){.count = 4, .time = time, .value = value[i]});
        const haw_scene scene = {.cables = 1, .cable = &cable, .forces = 1, .force = &force};
        rig r;
        open_with(&r, 0.25, 3);
        rig_build(&r, &scene);
        rig_steps(&r, 4);
        const long iterations = r.simulation->certificate.newton_iterations;
        ((haw_alpha_options *)(void *)r.simulation->settings.stepper.options)->newton_tolerance = 1;
        rig_step(&r);
        assert_near(end_of(&r), -2 + value[i][1] * 2 / 4e4, 1e-6 * fabs(value[i][1] / 4e4), 0);
        assert_true(i > 0 || r.simulation->certificate.newton_iterations == iterations);
        rig_close(&r);
    }
}

/*
 * A force that is there at once on a bar with N = EA (eps + tau eps'): backward Euler creeps to
 * F / EA as 1 - (1 + h / tau)^-n.
 */
static void strain_rates_are_those_of_the_step(void **state)
{
    (void)state;
    const double tau = 0.2, h = 0.05, most = 100 / 4e4;
    haw_cable_spec cable = bar();
    cable.damping_strain = 4e4 * tau;
    const haw_force_spec force = pull((haw_function){.constant = -100});
    const haw_scene scene = {.cables = 1, .cable = &cable, .forces = 1, .force = &force};
    rig r;
    open_with(&r, h, 1);
    rig_build(&r, &scene);
    for (int n = 1; n <= 20; n++) {
        rig_step(&r);
        const double strain = most * (1 - pow(1 + h / tau, -n));
        assert_near(end_of(&r), -2 * (1 + strain), 1e-9, 0);
    }
    /* half of the work that the force does in the first step meets nothing */
    const haw_ledger *l = &r.simulation->ledger;
    const double first = 100 * 2 * most * (1 - 1 / (1 + h / tau));
    assert_near(l->numerical_loss, 0.5 * first, 1e-9, 1e-6);
    assert_near(l->balance_error, 0, 1e-9, 0);
    assert_true(l->damping_loss > 0);
    rig_close(&r);
}

/* Way along a ramp to 0.6 m/s from `rest` to 1 s. */
static double way(haw_ramp ramp, double rest, double t)
{
    const double turn = 2 * acos(-1.0), span = 1 - rest, s = fmax(t - rest, 0) / span;
    return 0.6 * span *
           (0.5 * s * s + (ramp == HAW_RAMP_LINEAR ? 0 : (cos(turn * s) - 1) / (turn * turn)));
}

/* A disk that is driven along a ramp and pulls a spring. */
static void check_drive(haw_ramp ramp, double step, double rest)
{
    static const double speed[2] = {0, 0.6}, tolerance = 1e-14;
    const double time[2] = {rest, 1};
    haw_body_spec body[2] = {haw_body_spec_default(), haw_body_spec_default()};
    haw_spring_spec spring[2] = {haw_spring_spec_default(), haw_spring_spec_default()};
    for (int i = 0; i < 2; i++) {
        body[i].name = i == 0 ? "drive" : "free";
        body[i].mass = body[i].inertia = 1;
        body[i].position[0] = i;
        spring[i].between[0].on = "free";
        spring[i].between[1].on = i == 0 ? "drive" : NULL;
        spring[i].between[1].at[0] = 2;
        spring[i].stiffness = i == 0 ? 300 : 100;
        spring[i].length = 1;
    }
    body[0].motion = HAW_MOTION_PRESCRIBED;
    body[0].motion_velocity[0] =
        (haw_function){.count = 2, .time = time, .value = speed, .ramp = ramp};
    const haw_scene scene = {.bodies = 2, .body = body, .springs = 2, .spring = spring};
    rig r;
    open_with(&r, step, 1);
    rig_build(&r, &scene);
    while (!haw_simulation_is_done(r.simulation)) {
        rig_step(&r);
        const double x = way(ramp, rest, r.state->t);
        assert_near(r.state->q[0], x, tolerance, 0);
        assert_near(r.state->q[3], 1 + 0.75 * x, 1e-10 + tolerance, 0);
        assert_near(r.simulation->reaction[0] / r.simulation->h, 75 * x, 1e-8 + 75 * tolerance, 0);
    }
    const double end = way(ramp, rest, 1);
    assert_near(r.simulation->ledger.external_work, 0.5 * 75 * end * end, 0, 1e-8);
    rig_close(&r);
}

/* The integral of the velocity counts, whatever corners and curves a step spans. */
static void prescribed_motions_move_by_their_integral(void **state)
{
    (void)state;
    check_drive(HAW_RAMP_LINEAR, 0.25, 0);
    check_drive(HAW_RAMP_LINEAR, 0.25, 0.1); /* a corner within the first step */
    check_drive(HAW_RAMP_CYCLOID, 0.05, 0);
}

TEST_FILE(test_quasi_static)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equilibria_follow_the_load),
        cmocka_unit_test(strain_rates_are_those_of_the_step),
        cmocka_unit_test(prescribed_motions_move_by_their_integral),
        cmocka_unit_test(what_is_in_balance_rests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
