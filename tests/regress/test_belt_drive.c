/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The published belt drive with its coarsest mesh, 60 elements, over the whole 2.45 s: against the
 * published files of that case. The nominal mesh is among the long tests.
 */
#include "support/belt.h"

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
    const double spans = span_error(&p, &published), spin = spin_error(&run);
    const double distance = belt_distance(&p, &published);
    print_message("spans %.3g N, spin %.3g rad/s, profile %.3g, %.1f s, %ld halved steps\n", spans,
                  spin, distance, run.summary.cpu_seconds,
                  run.summary.certificate.unconverged_steps);
    assert_true(spans <= 0.05);
    assert_true(spin <= 2e-3);
    assert_true(distance <= 2e-4);
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
    const double spans = span_error(&p, &published), spin = spin_error(&run);
    print_message("spans %.3g N, spin %.3g rad/s, profile %.3g, %.1f s, balance %.3g J of %.3g J\n",
                  spans, spin, belt_distance(&p, &published), s->cpu_seconds,
                  s->ledger.balance_drift, s->ledger.external_work);
    assert_int_equal(s->certificate.unconverged_steps, 0);
    assert_true(spans <= 0.1);
    assert_true(spin <= 5e-3);
    assert_true(fabs(s->ledger.balance_drift) <= 1e-6 * s->ledger.external_work);
    belt_free(&published);
    belt_free(&p);
    scenario_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_switching_repeats_the_published_ride),
        cmocka_unit_test(test_the_return_map_misses_no_step_and_stays_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
