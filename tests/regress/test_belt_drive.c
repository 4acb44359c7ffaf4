/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The published belt drive with its coarsest mesh, 60 elements, over the whole 2.45 s: against the
 * published files of that case. The nominal mesh is among the long tests.
 */
#include "support/belt.h"
#include "support/csv.h"
#include "support/validation.h"

#include <math.h>

/* Run with one more setting (or NULL) and keep the profile. */
static belt_profile ride(scenario_run *run, const char *set)
{
    scenario_init(run, "belt-drive");
    scenario_set(run, "cables.belt.elements=60");
    if (set != NULL) {
        scenario_set(run, "%s", set);
    }
    scenario_open(run);
    if (scenario_try(run) != HAW_OK) {
        fail_msg("%s", haw_context_message(run->context));
    }
    return belt_tension(run->simulation);
}

/* Errors against the published files have the tolerance of their row. */
static void check(const char *quantity, double error)
{
    double reference, tolerance;
    assert_true(haw_validation("belt-drive-60", quantity, &reference, &tolerance));
    print_message("%s: %.3g\n", quantity, error);
    assert_true(error <= tolerance);
}

static double span_error(const belt_profile *p, const belt_profile *published)
{
    return fmax(fabs(belt_tight(p) - belt_tight(published)),
                fabs(belt_slack(p) - belt_slack(published)));
}

/* Largest difference of the spin of P2 from the published samples, every 5 ms. */
static double spin_error(const scenario_run *run)
{
    csv_table table;
    csv_read("data/reference/beltdrive/n60_time.csv", &table);
    const int column = csv_column(&table, "omega_P2_rad_s");
    double most = 0;
    for (int i = 0; i < table.rows; i++) {
        const double t = csv_at(&table, i, 0);
        const int frame = (int)floor(t / 1e-3 + 0.5);
        assert_near(scenario_time(run, frame), t, 1e-9, 0);
        most = fmax(most, fabs(scenario_at(run, frame, "p2.spin", 0) - csv_at(&table, i, column)));
    }
    csv_free(&table);
    return most;
}

static void test_published_switching_repeats_the_published_ride(void **state)
{
    (void)state;
    scenario_run run;
    belt_profile p = ride(&run, "contact.switching=post-newton");
    belt_profile published = belt_file("n60_force");
    check("span tensions with the published switching", span_error(&p, &published));
    check("spin of P2 at all times with the published switching", spin_error(&run));
    check("tension profile with the published switching", belt_distance(&p, &published));
    belt_free(&published);
    belt_free(&p);
    scenario_close(&run);
}

static void test_the_return_map_misses_no_step_and_stays_close(void **state)
{
    (void)state;
    scenario_run run;
    belt_profile p = ride(&run, NULL);
    belt_profile published = belt_file("n60_force");
    const haw_summary *s = &run.summary;
    print_message("%.1f s, balance %.3g J of %.3g J\n", s->cpu_seconds, s->ledger.balance_drift,
                  s->ledger.external_work);
    assert_int_equal(s->certificate.unconverged_steps, 0);
    check("span tensions with the return map", span_error(&p, &published));
    assert_true(fabs(s->ledger.balance_drift) <= 1e-6 * s->ledger.external_work);
    belt_free(&published);
    belt_free(&p);
    scenario_close(&run);
}

/* The three quadratures at 1 s: the published differences between them, c being the smoothest. */
static void test_quadratures_differ_as_published(void **state)
{
    (void)state;
    static const char *const scheme[] = {"a", "c"};
    double rough[2];
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        char name[64];
        scenario_init(&run, "belt-drive");
        scenario_set(&run, "cables.belt.elements=60");
        scenario_set(&run, "cables.belt.quadrature=%s", scheme[i]);
        scenario_set(&run, "contact.switching=post-newton");
        scenario_set(&run, "stepper.end=1.0");
        scenario_open(&run);
        assert_int_equal(scenario_try(&run), HAW_OK);
        snprintf(name, sizeof name, "n60_scheme_%s_t1_force", scheme[i]);
        belt_profile p = belt_tension(run.simulation), published = belt_file(name);
        const double distance = belt_distance(&p, &published);
        rough[i] = belt_roughness(&p, 0.32, 0.6);
        print_message("scheme %s: profile %.3g, roughness %.3f N\n", scheme[i], distance, rough[i]);
        assert_true(distance <= 1e-4);
        assert_near(rough[i], belt_roughness(&published, 0.32, 0.6), 0, 0.01);
        belt_free(&published);
        belt_free(&p);
        scenario_close(&run);
    }
    assert_true(rough[1] < 0.5 * rough[0]);
}

TEST_FILE(test_belt_drive)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_switching_repeats_the_published_ride),
        cmocka_unit_test(test_quadratures_differ_as_published),
        cmocka_unit_test(test_the_return_map_misses_no_step_and_stays_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
