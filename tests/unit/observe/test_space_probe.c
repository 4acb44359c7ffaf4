/* SPDX-License-Identifier: BSD-3-Clause */
/* Probes of spatial models, against the state and the contacts that they speak of. */
#include "base/lie.h"
#include "support/space_run.h"

static const haw_probe_spec names[] = {
    {"drum.position"},
    {"drum.orientation"},
    {"drum.velocity"},
    {"drum.spin"},
    {"drum.angular_velocity"},
    {"drum.torque"},
    {"yarn.tension_mean"},
    {"yarn.tension[0.5:0.5]"},
    {"yarn.tension_max"},
    {"yarn.tension_start"},
    {"yarn.tension_end"},
    {"yarn.reaction_start"},
    {"yarn.reaction_end"},
    {"yarn.length"},
    {"yarn.twist"},
    {"yarn.position[0.5:0.5]"},
    {"yarn.position.x[0.5:0.5]"},
    {"yarn.position.y[0.4:0.6]"},
    {"yarn.position.z"},
    {"yarn.velocity[0.5:0.5]"},
    {"contact.normal_sum"},
    {"contact.tangential_sum"},
    {"contact.force"},
    {"contact.force.z"},
    {"yarn-drum.moment"},
    {"contact.impulse"},
    {"contact.wrap_angle"},
    {"contact.closed"},
    {"contact.sticking"},
    {"contact.slip_front"},
    {"yarn.tension_tight"},
    {"yarn.tension_slack"},
    {"yarn.speed_tight"},
    {"yarn.speed_slack"},
    {"yarn.creep"},
    {"contact.contact_length"},
    {"contact.length"},
    {"contact.gap_min"},
    {"contact.slip_angle"},
    {"contact.stick_angle"},
    {"contact.friction_effective"},
    {"contact.friction_effective_deviation"},
    {"contact.tension_in"},
    {"contact.tension_out"},
    {"yarn.reaction_moment_start"},
    {"yarn.reaction_moment_end"},
    {"yarn.writhe"},
    {"yarn.link"},
    {"drum.momentum"},
    {"drum.angular_momentum"},
    {"yarn.momentum"},
    {"yarn.angular_momentum"},
    {"system.momentum"},
    {"system.angular_momentum"},
};

enum { NAMES = sizeof names / sizeof names[0] };

static void open_probed(space_run *run)
{
    space_run_read(run, 0, NULL);
    run->settings.probes = NAMES;
    run->settings.probe = names;
    space_run_start(run);
}

/* Values of a probe in the present frame. */
static const double *value_of(space_run *run, const char *name)
{
    const double *value = haw_simulation_frame(run->simulation)->probe;
    for (int i = 0; i < NAMES; i++) {
        if (strcmp(names[i].of, name) == 0) {
            return value;
        }
        value += haw_simulation_probe_size(run->simulation, i);
    }
    fail_msg("no probe %s", name);
    abort(); /* not reached */
}

static void run_to(space_run *run, double t)
{
    while (run->state->t < t - 1e-9) {
        space_run_step(run);
    }
}

static void every_row_has_values_and_a_unit(void **state)
{
    space_run run;
    int values = 0;
    (void)state;
    open_probed(&run);
    for (int k = 0; haw_probes[k] != NULL; k++) {
        const haw_probe_row *row = (const haw_probe_row *)haw_probes[k];
        bool seen = row->size[3] == 0 || row->kind == HAW_PROBE_JOINT;
        for (int i = 0; i < NAMES; i++) {
            seen = seen || run.simulation->observation->probe[i].row == row;
        }
        assert_true(seen && strlen(row->row.summary) > 5 && row->size[3] <= 6);
    }
    for (int i = 0; i < NAMES; i++) {
        values += haw_simulation_probe_size(run.simulation, i);
    }
    assert_int_equal(haw_simulation_frame(run.simulation)->probe_values, values);
    assert_int_equal(haw_simulation_probe_size(run.simulation, 16), 1);
    assert_string_equal(haw_simulation_probe_unit(run.simulation, 16), "m");
    space_run_close(&run);
}

static void bodies_show_their_pose_and_rates(void **state)
{
    space_run run;
    (void)state;
    open_probed(&run);
    run_to(&run, 1.0);
    /* turned by 1.2 (0.25 + 0.5) rad about z */
    const double *turned = value_of(&run, "drum.orientation");
    assert_near(turned[0], cos(0.45), 1e-12, 0);
    assert_near(turned[3], sin(0.45), 1e-12, 0);
    assert_near(value_of(&run, "drum.spin")[0], 1.2, 1e-12, 0);
    assert_near(value_of(&run, "drum.angular_velocity")[2], 1.2, 1e-12, 0);
    for (int k = 0; k < 3; k++) {
        assert_near(value_of(&run, "drum.position")[k], 0, 0, 0);
        assert_near(value_of(&run, "drum.velocity")[k], 0, 0, 0);
    }
    space_run_close(&run);
}

/* At the start the yarn is straight along -y under 10 N. */
static void a_straight_yarn_shows_its_tension(void **state)
{
    space_run run;
    (void)state;
    open_probed(&run);
    const char *const tensions[] = {"yarn.tension_mean", "yarn.tension[0.5:0.5]",
                                    "yarn.tension_max", "yarn.tension_start", "yarn.tension_end"};
    for (int i = 0; i < 5; i++) {
        assert_near(value_of(&run, tensions[i])[0], 10, 1e-6, 0);
    }
    assert_near(value_of(&run, "yarn.length")[0], 2, 1e-12, 0);
    assert_near(value_of(&run, "yarn.twist")[0], 0, 1e-12, 0);
    assert_near(value_of(&run, "yarn.reaction_start")[1], 10, 1e-6, 0);
    assert_near(value_of(&run, "yarn.reaction_end")[1], 0, 0, 0); /* free there: a dead load */
    assert_near(value_of(&run, "yarn.position[0.5:0.5]")[1], -1, 1e-12, 0);
    assert_near(value_of(&run, "yarn.position.x[0.5:0.5]")[0], 0.401, 1e-15, 0);
    assert_near(value_of(&run, "yarn.position.y[0.4:0.6]")[0], -1, 1e-12, 0);
    assert_near(value_of(&run, "contact.slip_front")[0], 0, 0, 0);
    space_run_close(&run);
}

/* x of the step: q_plus = q + h (0.4 u + 0.6 u_plus) for translations. */
static void velocities_are_those_of_the_positions(void **state)
{
    space_run run;
    double x[3], v[3];
    (void)state;
    open_probed(&run);
    run_to(&run, 2.5);
    memcpy(x, value_of(&run, "yarn.position[0.5:0.5]"), sizeof x);
    memcpy(v, value_of(&run, "yarn.velocity[0.5:0.5]"), sizeof v);
    space_run_step(&run);
    const double *now = value_of(&run, "yarn.position[0.5:0.5]");
    const double *rate = value_of(&run, "yarn.velocity[0.5:0.5]");
    for (int k = 0; k < 3; k++) { /* between nodes, up to the curvature in time */
        assert_near(now[k] - x[k], 5e-3 * (0.4 * v[k] + 0.6 * rate[k]), 2e-7, 0);
    }
    assert_true(fabs(rate[2]) > 1e-3);
    assert_near(value_of(&run, "yarn.position.z")[0], now[2], 0, 0);
    space_run_close(&run);
}

/* Largest of the elements, and components of vectors. */
static void single_values_belong_to_their_wholes(void **state)
{
    space_run run;
    (void)state;
    open_probed(&run);
    run_to(&run, 2.6);
    const haw_cable *cable = &run.simulation->model.cable[0];
    double most = 0;
    for (int e = 0; e < cable->beam.elements; e++) {
        haw_space_strain strain;
        cable->beam.ops->strain(&cable->beam, e, 0.5, run.state->q + cable->first_q,
                                run.state->u + cable->first, &strain);
        most = fmax(most, strain.tension);
    }
    assert_near(value_of(&run, "yarn.tension_max")[0], most, 0, 0);
    assert_near(value_of(&run, "contact.force.z")[0], value_of(&run, "contact.force")[2], 0, 0);
    const haw_pair_frame *pair = haw_simulation_frame(run.simulation)->pair;
    for (int k = 0; k < 3; k++) {
        assert_near(value_of(&run, "yarn-drum.moment")[k], pair->moment[k], 0, 0);
        assert_near(value_of(&run, "contact.impulse")[3 + k], pair->impulse[3 + k], 0, 0);
    }
    assert_near(value_of(&run, "contact.closed")[0], pair->closed, 0, 0);
    assert_near(value_of(&run, "contact.normal_sum")[0], pair->normal_sum, 0, 0);
    space_run_close(&run);
}

/* Turned back by the drum's angle and unrolled, from the last closed node to one that sticks. */
static double front_of(const space_run *run, const signed char *points)
{
    const haw_cable *cable = &run->simulation->model.cable[0];
    const double *q = run->state->q + cable->first_q;
    const int feet = run->simulation->model.pair[0].feet;
    int last = cable->beam.elements;
    while (last > 0 && points[last * feet] == HAW_POINT_OPEN) {
        last--;
    }
    int stuck = last;
    while (stuck > 0 && points[stuck * feet] != HAW_POINT_STICK) {
        stuck--;
    }
    const double *a = q + (ptrdiff_t)7 * last, *b = q + (ptrdiff_t)7 * stuck;
    const double sine = a[0] * b[1] - a[1] * b[0], cosine = a[0] * b[0] + a[1] * b[1];
    return fabs(atan2(sine, cosine)); /* less than half a turn here */
}

static void the_slip_front_is_behind_the_lift_off(void **state)
{
    space_run run;
    double largest = 0;
    (void)state;
    open_probed(&run);
    while (run.state->t < 3 - 1e-9) {
        run_to(&run, run.state->t + 0.05);
        const haw_frame *frame = haw_simulation_frame(run.simulation);
        const double front = value_of(&run, "contact.slip_front")[0];
        assert_true(front >= 0);
        if (frame->pair->closed > 0 && frame->pair->sticking > 0) {
            assert_near(front, front_of(&run, frame->point_state), 1e-6, 0);
            largest = fmax(largest, front);
        }
    }
    assert_true(largest > 0.3);
    space_run_close(&run);
}

static void assert_refused(const char *text, const char *reason)
{
    space_run run;
    space_run_read(&run, 0, NULL);
    run.settings.probes = 1;
    run.settings.probe = &(haw_probe_spec){text};
    assert_int_equal(space_run_try(&run), HAW_ERR_INPUT);
    if (strstr(haw_context_message(run.context), reason) == NULL) {
        fail_msg("'%s' does not say '%s'", haw_context_message(run.context), reason);
    }
    space_run_close(&run);
}

static void probes_that_mean_nothing_in_space_are_refused(void **state)
{
    (void)state;
    assert_refused("drum.angle", "only planar models have this quantity (allowed: position, ");
    assert_refused("yarn.chord_angle", "only planar models");
    assert_refused("contact.entry", "only planar models");
    assert_refused("drum.foo", "unknown quantity (allowed: position, orientation");
    assert_refused("drum.spin.x", "'spin' has no component 'x'");
    assert_refused("drum.orientation.x", "'orientation' has no component");
    assert_refused("yarn.position.w", "its first part must be");
    assert_refused("yarn.x", "unknown quantity");
    assert_refused(".x", "a pair such as yarn-drum, as `contact` names it");
    assert_refused("drum", "its first part must be");
    assert_refused("yarn.position[0.6:0.5]", "a range is written");
    assert_refused("drum.position[0:1]", "a range is written");
}

TEST_FILE(test_space_probe)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_has_values_and_a_unit),
        cmocka_unit_test(bodies_show_their_pose_and_rates),
        cmocka_unit_test(a_straight_yarn_shows_its_tension),
        cmocka_unit_test(velocities_are_those_of_the_positions),
        cmocka_unit_test(single_values_belong_to_their_wholes),
        cmocka_unit_test(the_slip_front_is_behind_the_lift_off),
        cmocka_unit_test(probes_that_mean_nothing_in_space_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
