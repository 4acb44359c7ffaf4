/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The shipped scenarios of a rope on a fixed sheave, for four ratios of bristles to rope, and of a
 * hook block, as a user runs them.
 */
#include "support/rope_theory.h"
#include "support/scenario.h"

/* Static theory of bristles: T1 = 1 kN, T2 = 3 kN, R = 1 m, mu = 0.5. */
typedef struct bristles {
    double low, high;   /* bounds of the adherence arc [rad] */
    double friction[2]; /* at the light and the heavy end [N/m] */
} bristles;

static bristles theory(haw_context *context, double ratio)
{
    const setting set[] = {{"t1", 1000}, {"t2", 3000}, {"radius", 1}, {"mu", 0.5}, {"r", ratio}};
    haw_theory_result result = rope_run(context, "bristle", no_word, COUNT(set), set);
    const bristles b = {value(&result, "alpha_low"),
                        value(&result, "alpha_high"),
                        {value(&result, "t_start"), value(&result, "t_end")}};
    haw_theory_result_free(context, &result);
    return b;
}

static void compare(const char *element, double ratio)
{
    scenario_run run;
    scenario_init(&run, "rope-on-sheave");
    scenario_set(&run, "cables.rope.element=%s", element);
    scenario_set(&run, "contact.tangential_stiffness=%.17g", ratio * ratio * 5e6);
    scenario_complete(&run);
    const bristles want = theory(run.context, ratio);
    const double slip = scenario_last(&run, "rope-sheave.slip_angle", 0);
    const double stick = scenario_last(&run, "rope-sheave.stick_angle", 0);
    const double most = scenario_last(&run, "rope-sheave.tangential_max", 0);
    const double moment = scenario_last(&run, "rope-sheave.moment", 0);
    print_message("%s, r = %.1f: slips over %.4f rad (%.4f), sticks over %.4f (%.4f), friction up "
                  "to %.1f N/m (%.1f), moment %.3f N m\n",
                  element, ratio, slip, pi - want.high, stick, want.high - want.low, most,
                  want.friction[1], moment);
    assert_near(scenario_last(&run, "rope-sheave.tension_out", 0), 3000, 0, 1e-6);
    assert_near(scenario_last(&run, "rope-sheave.tension_in", 0), 1000, 0, 1e-6);
    assert_near(slip, pi - want.high, 8e-3, 0);
    assert_near(stick, want.high - want.low, 8e-3, 0);
    assert_near(most, want.friction[1], 0, 2e-2); /* of `ale` the last knot is not at the edge */
    assert_near(moment, 2000, 0, 5e-4); /* the levers are R - T / (k_n R), R - 3e-4 m at most */
    scenario_close(&run);
}

/* The heavy side hangs by 3 kN; places of ropes are labels in metres. */
static void the_largest_tension_is_that_of_the_heavy_side(void **state)
{
    static const char *const elements[] = {"ale", "arc1d"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        scenario_init(&run, "rope-on-sheave");
        scenario_set(&run, "cables.rope.element=%s", elements[i]);
        scenario_set(&run, "output.probes=[rope.tension_max]");
        scenario_complete(&run);
        assert_near(scenario_last(&run, "rope.tension_max", 0), 3000, 0, 1e-3);
        scenario_close(&run);
    }
}

static void a_rope_on_a_fixed_sheave_is_that_of_the_bristle_theory(void **state)
{
    static const double ratio[] = {0.1, 0.3, 0.6, 1.5};
    (void)state;
    for (int i = 0; i < COUNT(ratio); i++) {
        compare("ale", ratio[i]);
        compare("arc1d", ratio[i]);
    }
}

/* ---- the hook block ---- */

typedef struct hook {
    double force, tensions, weight; /* weight: of the rope below the block */
} hook;

static hook hang(const char *element, double density)
{
    scenario_run run;
    scenario_init(&run, "hook-block");
    scenario_set(&run, "cables.rope.element=%s", element);
    scenario_set(&run, "cables.rope.density=%g", density);
    scenario_set(&run, "stepper.type=static");
    scenario_complete(&run);
    const double in = scenario_last(&run, "rope-block.tension_in", 0);
    const double out = scenario_last(&run, "rope-block.tension_out", 0);
    const double strain = in / run.scenario->scene.cable->stiffness;
    const hook h = {.force = scenario_last(&run, "rope-block.force.y", 0),
                    .tensions = in + out,
                    .weight = density * 9.81 * pi * 0.2 / (1 + strain)};
    print_message("%s, %g kg/m: hook %.6f N, tensions %.6f and %.6f N less the rope's weight "
                  "%.6f N\n",
                  element, density, h.force, in, out, h.weight);
    assert_near(in, out, 0, 2e-4);
    scenario_close(&run);
    return h;
}

/* The two tensions may differ by as much as the bed gives way over the radius. */
static void the_hook_carries_the_tensions_of_both_spans(void **state)
{
    (void)state;
    const hook heavy = hang("ale", 0.5), light = hang("ale", 1e-6), reduced = hang("arc1d", 1e-6);
    assert_near(heavy.force, 400 * 9.81, 0, 1e-8);
    assert_near(heavy.tensions - heavy.weight, heavy.force, 0, 1e-6);
    assert_near(light.tensions, light.force, 0, 1e-7);
    assert_near(reduced.tensions, 400 * 9.81, 0, 1e-6);
    /* sums over knots 0.05 rad apart: the rule has (0.05)^2 / 24 = 1e-4 */
    assert_near(reduced.force, 400 * 9.81, 0, 3e-4);
}

static void the_block_rises_by_half_of_what_the_winch_hauls_in(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "hook-block");
    scenario_complete(&run);
    const double hauled =
        scenario_at(&run, 0, "winch.position", 1) - scenario_last(&run, "winch.position", 1);
    const double risen =
        scenario_last(&run, "block.position", 1) - scenario_at(&run, 0, "block.position", 1);
    print_message("hauled %.6f m, risen %.6f m, CPU %.2f s\n", hauled, risen,
                  run.summary.cpu_seconds);
    assert_near(hauled, 1, 1e-9, 0);
    assert_near(risen, 0.5 * hauled, 1e-4, 0); /* the spans grow shorter, and their stretch less */
    scenario_close(&run);
}

/* ---- bristles that are too stiff for the step ---- */

/* Such a rope would slide where it holds; the same bristles hold with a shorter step. */
static void friction_that_makes_energy_ends_the_run(void **state)
{
    (void)state;
    static const char *const step[] = {"1.0e-3", "2.5e-4"};
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        scenario_init(&run, "elevator");
        scenario_set(&run, "cables.rope.element=arc1d");
        scenario_set(&run, "contact.friction=0.16");
        scenario_set(&run, "contact.tangential_stiffness=1.0e+11");
        scenario_set(&run, "stepper.step=%s", step[i]);
        scenario_set(&run, "stepper.end=0.6");
        scenario_open(&run);
        assert_int_equal(scenario_try(&run), i == 0 ? HAW_ERR_DIVERGED : HAW_OK);
        const char *said = haw_context_message(run.context);
        assert_true(i == 1 || strstr(said, "friction made") != NULL);
        scenario_close(&run);
    }
}

/* What soft bristles have stored in the static start they give back as the loads are balanced. */
static void bristles_give_back_what_they_had(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "elevator");
    scenario_set(&run, "cables.rope.element=arc1d");
    scenario_set(&run, "contact.tangential_stiffness=1.0e+5");
    scenario_set(&run, "bodies.sheave.motion={fixed: true}");
    scenario_set(&run, "forces=[{on: counterweight, force: [0, {table: [[0, 0], [1, -3090]], "
                       "ramp: cosine}]}]");
    scenario_set(&run, "stepper.end=1.2");
    scenario_complete(&run);
    assert_true(run.summary.ledger.friction_loss < -30);
    scenario_close(&run);
}

/* A rope whose edge knots slip now and then still holds: no event but its first stick. */
static void a_rope_that_holds_has_no_events_of_slip(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "elevator");
    scenario_set(&run, "stepper.end=1.2");
    scenario_complete(&run);
    assert_non_null(scenario_find(&run, HAW_EVENT_STICK, 0, false));
    assert_null(scenario_find(&run, HAW_EVENT_SLIP, 0, false));
    scenario_close(&run);
}

/* ---- ropes do not push ---- */

static void count_warnings(void *user, haw_log_level level, const char *message)
{
    int *count = user;
    *count += level == HAW_LOG_WARNING && strstr(message, "'rope' is in compression") != NULL;
}

/* A winch that lets out rope faster than the block falls; hauling in, it only pulls. */
static void a_rope_in_compression_is_reported_once(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        int count = 0;
        scenario_init(&run, "hook-block");
        scenario_set(&run, "cables.rope.element=arc1d");
        scenario_set(&run,
                     "bodies.winch.motion={velocity: [0, {table: [[0, 0], [0.1, %g]], "
                     "ramp: linear}]}",
                     i == 0 ? 5.0 : -5.0);
        scenario_set(&run, "stepper.end=0.1");
        scenario_open(&run);
        haw_context_set_log(run.context, count_warnings, &count);
        assert_int_equal(scenario_try(&run), HAW_OK);
        assert_int_equal(count, i == 0 ? 1 : 0);
        scenario_close(&run);
    }
}

TEST_FILE(test_rope_sheaves)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_tension_is_that_of_the_heavy_side),
        cmocka_unit_test(a_rope_on_a_fixed_sheave_is_that_of_the_bristle_theory),
        cmocka_unit_test(the_hook_carries_the_tensions_of_both_spans),
        cmocka_unit_test(friction_that_makes_energy_ends_the_run),
        cmocka_unit_test(bristles_give_back_what_they_had),
        cmocka_unit_test(a_rope_that_holds_has_no_events_of_slip),
        cmocka_unit_test(a_rope_in_compression_is_reported_once),
        cmocka_unit_test(the_block_rises_by_half_of_what_the_winch_hauls_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
