/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Closed forms under refinement of the chain, beyond what the shorter tests run: the impact on a
 * string at four velocities, and the capstan with one contact point per element, at the nodes.
 */
#include "support/scenario.h"
#include "support/theory.h"

enum { MESHES = 4, CAPSTANS = 5 };

static const double pi = 3.14159265358979323846;

/* Of errors on meshes that halve from one to the next. */
static double mean_order(const double *error, int count)
{
    return log2(fabs(error[0] / error[count - 1])) / (count - 1);
}

/* ---- string impact: tension and slope behind the kink, mean from 4.5 to 5.5 ms ---- */

typedef struct string_error {
    double tension, angle, power; /* relative */
} string_error;

static void set_string(scenario_run *run, double velocity, double kink)
{
    const double length = 4 / (1 + 100 / 4e4), a = 1 - 0.8 * kink / length;
    const double b = 1 - 0.2 * kink / length;
    scenario_set(run, "cables.cable.element=chain");
    scenario_set(run,
                 "cables.cable.ends.end.motion.velocity=[{table: [[0, 0], [4e-4, %g]], ramp: "
                 "cosine}, 0]",
                 velocity);
    scenario_set(run, "output.every=2.5e-5");
    scenario_set(run, "stepper.end=5.5e-3");
    scenario_set(run,
                 "output.probes=[\"cable.tension_mean[%.12f:%.12f]\", "
                 "\"cable.chord_angle[%.12f:%.12f]\"]",
                 a, b, a, b);
}

static string_error run_string(double velocity, int elements)
{
    scenario_run run;
    string_error e = {0, 0, 0};
    scenario_init(&run, "string-impact");
    assert_int_equal(haw_context_create(NULL, &run.context), HAW_OK);
    const setting set[] = {{"velocity", velocity}};
    haw_theory_result theory = theory_run(run.context, "string-impact", 1, set);
    const double tension = haw_theory_value(&theory, "tension");
    const double angle = haw_theory_value(&theory, "angle");
    const double force = haw_theory_value(&theory, "force");
    set_string(&run, velocity, haw_theory_value(&theory, "transverse_speed") * 5e-3);
    scenario_set(&run, "cables.cable.elements=%d", elements);
    scenario_complete(&run);
    const int half = scenario_frame_at(&run, 2.5e-3), at = scenario_frame_at(&run, 5e-3);
    const int first = scenario_frame_at(&run, 4.5e-3), count = 2 * (at - first) + 1;
    for (int i = first; i < first + count; i++) {
        const double *row = run.value + (size_t)i * (size_t)run.columns;
        e.tension += (row[2] / tension - 1) / count;
        e.angle += ((pi / 2 - row[3]) / angle - 1) / count;
    }
    e.power =
        (scenario_work(&run, at) - scenario_work(&run, half)) / (force / 2 * velocity * 2.5e-3) - 1;
    print_message("string, V %g, chain %d: tension %.1e, angle %.1e, power %.1e\n", velocity,
                  elements, e.tension, e.angle, e.power);
    haw_theory_result_free(run.context, &theory);
    scenario_close(&run);
    return e;
}

static void string_impact_converges_at_every_velocity(void **state)
{
    (void)state;
    static const double velocity[4] = {4, 10, 40, 100};
    for (int i = 0; i < 4; i++) {
        double tension[MESHES], angle[MESHES], power = 0;
        for (int k = 0; k < MESHES; k++) {
            const string_error e = run_string(velocity[i], 500 << k);
            tension[k] = e.tension;
            angle[k] = e.angle;
            power = e.power;
        }
        print_message("order: tension %.1f, angle %.1f\n", mean_order(tension, MESHES),
                      mean_order(angle, MESHES));
        assert_near(tension[MESHES - 1], 0, 1e-6, 0);
        assert_near(angle[MESHES - 1], 0, 4e-5, 0);
        assert_near(power, 0, 3e-6, 0);
        assert_true(mean_order(tension, MESHES) >= 2);
        assert_true(mean_order(angle, MESHES) >= 1.5);
    }
}

/* ---- capstan ---- */

typedef struct capstan_error {
    double ratio, low, high, moment; /* relative */
} capstan_error;

static capstan_error run_capstan(int elements, double friction)
{
    scenario_run run;
    scenario_init(&run, "capstan");
    scenario_set(&run, "cables.cable.element=chain");
    scenario_set(&run, "cables.cable.elements=%d", elements);
    scenario_set(&run, "contact.points_per_element=1");
    scenario_set(&run, "contact.friction=%g", friction);
    scenario_set(&run, "stepper.step=1e-5");
    scenario_set(&run, "output.every=1e-2");
    scenario_complete(&run);
    const setting set[] = {{"friction", friction}};
    haw_theory_result theory = theory_run(run.context, "capstan", 1, set);
    const double low = scenario_last(&run, "cable.tension_start", 0);
    const double high = scenario_last(&run, "cable.tension_end", 0);
    const capstan_error e = {
        high / low / haw_theory_value(&theory, "ratio") - 1,
        low / haw_theory_value(&theory, "tension_low") - 1,
        high / haw_theory_value(&theory, "tension_high") - 1,
        -scenario_last(&run, "contact.moment", 0) / haw_theory_value(&theory, "moment") - 1};
    print_message("capstan, mu %g, chain %d: ratio %.2e, T1 %.2e, T2 %.2e, moment %.2e\n", friction,
                  elements, e.ratio, e.low, e.high, e.moment);
    haw_theory_result_free(run.context, &theory);
    scenario_close(&run);
    return e;
}

/*
 * A polygon of chords with the angle d between them has T2 / T1 = (1 + mu tan(d/2)) / (1 - mu
 * tan(d/2)) at every corner instead of exp(mu d): the relative error over half a turn.
 */
static double corners_error(int elements, double friction)
{
    const double length = (1 + 0.1 * pi) / 1.0025, d = length / elements / 0.1;
    return expm1(pi / d * 2 * atanh(friction * tan(d / 2)) - friction * pi);
}

/* T1 and T2 keep an error of first order in the step, -1.4e-3 at 1e-5 s: their order is 2 to 264.
 */
static void capstan_converges_with_order_two_at_every_friction(void **state)
{
    (void)state;
    static const double friction[3] = {0.1, 0.3, 0.6};
    for (int i = 0; i < 3; i++) {
        double ratio[CAPSTANS], low[CAPSTANS], high[CAPSTANS];
        for (int k = 0; k < CAPSTANS; k++) {
            const capstan_error e = run_capstan(33 << k, friction[i]);
            ratio[k] = e.ratio;
            low[k] = e.low;
            high[k] = e.high;
            assert_near(e.ratio, corners_error(33 << k, friction[i]), 1.5e-3 * friction[i], 0.08);
            assert_near(e.moment, e.high, 1e-3, 0.02);
        }
        print_message("order: ratio %.2f, T1 %.2f, T2 %.2f\n", mean_order(ratio, 3),
                      mean_order(low, 4), mean_order(high, 4));
        assert_near(mean_order(ratio, 3), 2, 0.4, 0);
        assert_near(mean_order(low, 4), 2, 0.15, 0);
        assert_near(mean_order(high, 4), 2, 0.15, 0);
        assert_near(low[CAPSTANS - 1], 0, 4e-3, 0);
    }
}

TEST_FILE(test_string_capstan)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(string_impact_converges_at_every_velocity),
        cmocka_unit_test(capstan_converges_with_order_two_at_every_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
