/* SPDX-License-Identifier: BSD-3-Clause */
/* The shipped windings on cones, compound mandrels and drums against their closed forms. */
#include "support/scenario.h"

static const double pi = 3.14159265358979323846;

/* How far the middle of a laid yarn has moved along the axis with slip = share of mu. */
static double moved(const char *name, double share)
{
    scenario_run run;
    scenario_init(&run, name);
    scenario_set(&run, "contact.friction=%.17g", 0.1 / share);
    scenario_complete(&run);
    const double way = scenario_last(&run, "yarn.position.z[0.5:0.5]", 0);
    print_message("%s, slip %.2f mu: moved %.3g m\n", name, share, way);
    scenario_close(&run);
    return fabs(way);
}

/* A path with |k_g / k_n| below mu is held, one above it is not (semi-geodesics). */
static void a_semi_geodesic_is_stable_below_mu_and_slides_above(void **state)
{
    (void)state;
    assert_true(moved("winding-cone", 0.95) < 1e-7);
    assert_true(moved("winding-cone", 0.99) < 1e-7);
    assert_true(moved("winding-cone", 1.01) > 1e-3);
    assert_true(moved("winding-cone", 1.2) > 1e-2);
    assert_true(moved("winding-compound", 0.95) < 1e-7);
    assert_true(moved("winding-compound", 0.99) < 1e-7);
    assert_true(moved("winding-compound", 1.01) > 5e-4);
    assert_true(moved("winding-compound", 1.2) > 5e-3);
}

static double middle_radius(const scenario_run *run, int frame)
{
    return hypot(scenario_at(run, frame, "yarn.position.x[0.5:0.5]", 0),
                 scenario_at(run, frame, "yarn.position.y[0.5:0.5]", 0));
}

/* How far the middle of the yarn leaves the mandrel. */
static double rise(double alpha, double *closed)
{
    scenario_run run;
    scenario_init(&run, "winding-bridge");
    scenario_set(&run, "cables.yarn.lay.angle_deg=%g", alpha);
    scenario_complete(&run);
    const double before = middle_radius(&run, 0), after = middle_radius(&run, -1);
    *closed = scenario_last(&run, "contact.closed", 0);
    print_message("alpha %g deg: rises by %.3g m, %g nodes touch\n", alpha, after - before,
                  *closed);
    scenario_close(&run);
    return after - before;
}

/* The limit at the bulge is asin(0.25 sin(35.0873 deg) / 0.35) = 24.24 deg. */
static void a_yarn_bridges_the_waist_below_the_limit_and_not_above(void **state)
{
    double closed = 0;
    (void)state;
    assert_true(rise(20, &closed) > 1e-2);
    assert_true(closed < 60);
    assert_true(rise(24, &closed) > 1e-4);
    assert_true(closed < 90);
    assert_near(rise(25, &closed), 0, 1e-6, 0);
    assert_near(closed, 99, 0, 0);
    assert_near(rise(30, &closed), 0, 1e-6, 0);
    assert_near(closed, 99, 0, 0);
}

/* Total slip at T2 / T1 = exp(mu phi cos(beta)), phi = 2 pi. */
static void a_helical_capstan_slips_at_its_closed_form(void **state)
{
    (void)state;
    for (int degrees = 15; degrees <= 45; degrees += 15) {
        const double beta = degrees * pi / 180, want = exp(0.1 * 2 * pi * cos(beta));
        const double strain = 10 / 282743.34;
        scenario_run run;
        scenario_init(&run, "winding-capstan");
        scenario_set(&run, "cables.yarn.lay.angle_deg=%d", 90 - degrees);
        scenario_set(&run, "cables.yarn.length=%.12g", 2 * pi * 0.401 / cos(beta) / (1 + strain));
        scenario_set(&run, "cables.yarn.ends.start.towards=[0, %.12g, %.12g]", -cos(beta),
                     -sin(beta));
        scenario_set(&run, "cables.yarn.ends.end.towards=[0, %.12g, %.12g]", cos(beta), sin(beta));
        scenario_set(&run, "stepper.end=%g", 2.1 * (want - 1));
        scenario_set(&run, "output.probes.4=contact.friction_effective"); /* before it slips */
        scenario_complete(&run);
        const double got = 1 + 0.5 * scenario_last(&run, "yarn.position.z[0:0]", 0);
        assert_near(scenario_at(&run, (int)((want - 1) / 0.02), "contact.friction_effective", 0),
                    0.1 * cos(beta), 0, 1e-3);
        print_message("beta %d deg: T2 / T1 = %.5f, closed form %.5f\n", degrees, got, want);
        assert_near(got, want, 0, 5e-3);
        scenario_close(&run);
    }
}

/* As with moreau-jean, whatever the damping; two passes at most where nothing changes. */
static void nsga_holds_a_semi_geodesic_too(void **state)
{
    static const char *const name[] = {"winding-cone", "winding-compound"};
    static const double rho[] = {0, 0.5, 0.8};
    (void)state;
    for (int i = 0; i < 6; i++) {
        scenario_run run;
        scenario_init(&run, name[i % 2]);
        scenario_set(&run, "stepper.type=nsga");
        scenario_set(&run, "stepper.rho_infinity=%g", rho[i / 2]);
        scenario_set(&run, "stepper.end=0.1");
        scenario_complete(&run);
        assert_near(scenario_last(&run, "yarn.position.z[0.5:0.5]", 0), 0, 2e-8, 0);
        assert_near(scenario_last(&run, "yarn.tension_start", 0), 10, 0.05, 0);
        assert_near(scenario_last(&run, "contact.closed", 0), 80, 0, 0);
        assert_near(run.summary.ledger.numerical_loss, 0, 1e-7, 0);
        assert_near(run.summary.ledger.friction_loss, 0, 1e-7, 0);
        assert_true(fabs(run.summary.ledger.balance_drift) < 1e-10);
        assert_true(run.summary.certificate.newton_iterations < 300);
        scenario_close(&run);
    }
}

/* Where a capsule touches on a straight flank depends on rounding: forces go on where they are, and
 * moments about where they were make no spins of sections; they made 3e-5 J in the first step. */
static void nsga_holds_capsules_on_a_cone(void **state)
{
    static const double rho[] = {0, 0.5, 0.8};
    (void)state;
    for (int i = 0; i < 3; i++) {
        scenario_run run;
        scenario_init(&run, "winding-cone");
        scenario_set(&run, "stepper={type: nsga, rho_infinity: %g, step: 1.0e-3, end: 0.02}",
                     rho[i]);
        scenario_set(&run, "contact.proxy=capsules");
        scenario_complete(&run);
        assert_near(scenario_last(&run, "yarn.position.z[0.5:0.5]", 0), 0, 2e-8, 0);
        assert_near(scenario_last(&run, "yarn.tension_start", 0), 10, 1e-3, 0);
        assert_near(run.summary.ledger.numerical_loss, 0, 1e-6, 0);
        assert_near(run.summary.ledger.impact_loss, 0, 1e-9, 0);
        scenario_close(&run);
    }
}

/* A quarter of the way to slip: nothing moves, and the first steps make no blow. */
static void nsga_holds_a_helical_capstan(void **state)
{
    scenario_run run;
    (void)state;
    scenario_init(&run, "winding-capstan");
    scenario_set(&run, "stepper={type: nsga, step: 1.0e-3, end: 0.2}");
    scenario_complete(&run);
    assert_near(scenario_last(&run, "yarn.tension_start", 0), 10, 0.1, 0);
    assert_near(run.summary.ledger.impact_loss, 0, 1e-6, 0);
    assert_near(run.summary.ledger.numerical_loss, 0, 1e-5, 0);
    scenario_close(&run);
}

/* A quarter of the wound yarn of W1: what holds on a turning drum does no work, pushed along the
 * means of the rows at both ends of a step; along those at the end it had -1e-3 J. */
static void nsga_makes_no_impacts_of_turns(void **state)
{
    static const double rho[] = {0, 0.8};
    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        scenario_init(&run, "winding-w1");
        scenario_set(&run, "stepper={type: nsga, rho_infinity: %g, step: 5.0e-3, end: 2}", rho[i]);
        scenario_complete(&run);
        print_message("rho_infinity %g: impact_loss %.3g J, numerical_loss %.3g J\n", rho[i],
                      run.summary.ledger.impact_loss, run.summary.ledger.numerical_loss);
        assert_near(run.summary.ledger.impact_loss, 1e-4, 1e-4, 0);
        assert_near(run.summary.ledger.numerical_loss, 0, 1e-3, 0);
        assert_near(run.summary.ledger.balance_error, 0, 1e-11, 0);
        scenario_close(&run);
    }
}

/* Damped curvatures, pressed between nodes by the guide: as with moreau-jean, and the drum does the
 * work that a quarter of the step converges to. */
static void nsga_leads_a_damped_yarn_to_a_drum(void **state)
{
    scenario_run run;
    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_init(&run, "winding-helix");
        scenario_set(&run, "stepper.end=0.75");
        scenario_set(&run, i == 0 ? "stepper.theta=0.5"
                                  : "stepper={type: nsga, step: 2.5e-3, end: 0.75}");
        scenario_complete(&run);
        const haw_ledger *ledger = &run.summary.ledger;
        assert_near(scenario_last(&run, "yarn.position.z[0.75:0.75]", 0), 0.0201, 2e-5, 0);
        assert_near(ledger->external_work, 0.04264, 2.5e-4, 0);
        assert_near(ledger->damping_loss, 0.01140, 3e-5, 0);
        assert_near(ledger->impact_loss + ledger->numerical_loss, 0, 4e-4, 0);
        scenario_close(&run);
    }
}

TEST_FILE(test_winding_scenarios)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_semi_geodesic_is_stable_below_mu_and_slides_above),
        cmocka_unit_test(nsga_holds_a_semi_geodesic_too),
        cmocka_unit_test(nsga_holds_capsules_on_a_cone),
        cmocka_unit_test(nsga_holds_a_helical_capstan),
        cmocka_unit_test(nsga_makes_no_impacts_of_turns),
        cmocka_unit_test(nsga_leads_a_damped_yarn_to_a_drum),
        cmocka_unit_test(a_yarn_bridges_the_waist_below_the_limit_and_not_above),
        cmocka_unit_test(a_helical_capstan_slips_at_its_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
