/* SPDX-License-Identifier: BSD-3-Clause */
/* The shipped block and beams in space against their closed forms and reference runs. */
#include "support/scenario.h"

static void start(scenario_run *run, const char *name, const char *set)
{
    scenario_init(run, name);
    if (set != NULL) {
        scenario_set(run, "%s", set);
    }
}

static void near3(const scenario_run *run, int frame, const char *probe, const double want[3],
                  double tolerance)
{
    for (int i = 0; i < 3; i++) {
        assert_near(scenario_at(run, frame, probe, i), want[i], tolerance, 0);
    }
}

/* Friction on velocities alone forgets what the position correction moved: h g sin(20 deg) / 2. */
static void a_block_rests_unless_friction_acts_on_velocities_alone(void **state)
{
    static const char *const steppers[] = {"stepper.type=moreau-jean", "stepper.type=nsga"};
    (void)state;
    scenario_run run;
    for (int i = 0; i < 2; i++) {
        start(&run, "block-on-incline", steppers[i]);
        scenario_complete(&run);
        near3(&run, -1, "block.position", (const double[3]){0, 0, 0.1}, 1e-9);
        scenario_close(&run);
    }
    start(&run, "block-on-incline", steppers[1]);
    scenario_set(&run, "stepper.friction_level=velocity");
    scenario_complete(&run);
    const double creep = 0.5 * 5e-3 * 9.81 * sin(20 * 3.14159265358979323846 / 180);
    assert_near(scenario_last(&run, "block.position", 0), 10 * creep, 0, 1e-3);
    scenario_close(&run);
}

/* Extrapolated from 64 and 128 elements; the error falls with the square of the element length. */
static void a_curved_cantilever_bends_as_published(void **state)
{
    static const double exact[3] = {15.684801, 47.150438, 53.474859};
    double tip[2][3];
    (void)state;
    for (int k = 0; k < 2; k++) {
        scenario_run run;
        start(&run, "bathe-bolourchi", k == 0 ? NULL : "cables.beam.elements=64");
        scenario_complete(&run);
        for (int i = 0; i < 3; i++) {
            tip[k][i] = scenario_last(&run, "beam.position[0.999999998:1]", i);
        }
        scenario_close(&run);
    }
    for (int i = 0; i < 3; i++) {
        assert_near(tip[1][i] + (tip[1][i] - tip[0][i]) / 3, exact[i], 1e-5, 0);
    }
}

static void a_thrown_beam_flies_as_the_reference_run(void **state)
{
    (void)state;
    scenario_run run;
    start(&run, "flying-spaghetti", NULL);
    scenario_complete(&run);
    near3(&run, -1, "beam.position[0:0]", (const double[3]){30.8747, -0.9783, 0.3652}, 1e-3);
    near3(&run, -1, "beam.position[1:1]", (const double[3]){29.8592, 8.948, -0.2258}, 1e-3);
    const haw_ledger *ledger = &run.summary.ledger;
    assert_near(ledger->kinetic + ledger->elastic, 884.073, 0, 1e-4);
    scenario_close(&run);
}

static void a_rubber_rod_swings_as_the_reference_run(void **state)
{
    static const double want[][3] = {{0.3, 0.79775, -0.42371},
                                     {0.5, -0.23241, -0.92007},
                                     {0.8, -0.92981, -0.28780},
                                     {1.0, -0.94118, -0.09606}};
    (void)state;
    scenario_run run;
    start(&run, "swinging-rod", NULL);
    scenario_complete(&run);
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        const int frame = scenario_frame_at(&run, want[i][0]);
        near3(&run, frame, "rod.position[1:1]", (const double[3]){want[i][1], 0, want[i][2]}, 2e-5);
    }
    scenario_close(&run);
}

/* 0.2 kg: the cylinder carries the rope, which swings about its place. */
static void a_rope_falls_on_a_cylinder_and_hangs_over_it(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        start(&run, "rope-on-cylinder", i == 0 ? NULL : "contact.friction=0");
        scenario_complete(&run);
        const haw_certificate *certificate = &run.summary.certificate;
        const haw_ledger *l = &run.summary.ledger;
        assert_int_equal(certificate->unconverged_steps, 0);
        assert_true(certificate->penetration_points_max < 1e-10);
        assert_near(scenario_last(&run, "rope.position", 0), 0, 5e-3, 0);
        assert_near(scenario_last(&run, "rope.position", 2), 0.405, 1e-3, 0);
        assert_near(scenario_last(&run, "contact.force", 2), -0.2 * 9.81, 0, 0.25);
        assert_true(l->friction_loss > (i == 0 ? 0.05 : -1e-12));
        assert_true(l->kinetic + l->elastic + l->gravity < 0.5 * l->initial);
        assert_near(l->balance_drift, 0, 1e-7, 0);
        scenario_close(&run);
    }
}

/* Largest gap through which a point is pressed. */
static void find_gap(scenario_run *run, const haw_frame *frame, void *user)
{
    double *largest = user;
    (void)run;
    for (int i = 0; i < frame->state->rows / 3; i++) {
        if (frame->point_force[(ptrdiff_t)3 * i] > 0) {
            *largest = fmax(*largest, frame->point_gap[i]);
        }
    }
}

/* What the position problem leaves of rounding where it opens, 1e-52 N s, closes nothing. */
static void nothing_presses_through_a_gap(void **state)
{
    scenario_run run;
    double largest = 0;
    (void)state;
    start(&run, "rope-on-cylinder", "stepper.type=nsga");
    scenario_set(&run, "stepper.end=0.24");
    scenario_set(&run, "output.every=1e-3");
    run.look = find_gap;
    run.user = &largest;
    scenario_complete(&run);
    print_message("largest gap %.3g\n", largest);
    assert_true(largest < 1e-9);
    scenario_close(&run);
}

TEST_FILE(test_space_scenarios)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_rests_unless_friction_acts_on_velocities_alone),
        cmocka_unit_test(a_curved_cantilever_bends_as_published),
        cmocka_unit_test(a_thrown_beam_flies_as_the_reference_run),
        cmocka_unit_test(a_rubber_rod_swings_as_the_reference_run),
        cmocka_unit_test(a_rope_falls_on_a_cylinder_and_hangs_over_it),
        cmocka_unit_test(nothing_presses_through_a_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
