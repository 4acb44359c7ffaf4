/* SPDX-License-Identifier: BSD-3-Clause */
/* Knots of a rod, without friction and with friction on its centreline, against the curves of
 * data/knots over all of their way (the loose trefoil: tests/regress/test_knot_start.c). */
#include "support/csv.h"
#include "support/scenario.h"

static const double unit = 0.36191; /* B / h^2 [N] */
static const double pull = 4e-3;    /* [m/s] */
static const double window = 5e-3;  /* of means over the shortening, to both sides [m] */

/* A probe where the shortening is e, between two frames; NAN beyond the run. */
static double value_at(const scenario_run *run, double begin, const char *probe, double e)
{
    const double t = (begin - e) / pull;
    for (int k = 1; k < run->frames; k++) {
        const double a = scenario_time(run, k - 1), b = scenario_time(run, k);
        if (a <= t && t <= b * (1 + 1e-12)) {
            const double part = (t - a) / (b - a);
            return scenario_at(run, k - 1, probe, 0) * (1 - part) +
                   scenario_at(run, k, probe, 0) * part;
        }
    }
    return (double)NAN;
}

/* A mean of the run over that of the rows of the reference about e, less 1; the run is read at the
 * shortening of a row and that much more. */
static double deviation(const scenario_run *run, double begin, const csv_table *rows, double e,
                        double shift, const char *probe, const char *column)
{
    double own = 0, other = 0;
    for (int k = 0; k < rows->rows; k++) {
        const double at = csv_at(rows, k, csv_column(rows, "e_m"));
        const double value = value_at(run, begin, probe, at + shift) / unit;
        if (fabs(at - e) <= 1.02 * window && !isnan(value)) {
            own += value;
            other += csv_at(rows, k, csv_column(rows, column));
        }
    }
    assert_true(other > 0);
    return own / other - 1;
}

static void compare(const scenario_run *run, const char *file)
{
    static const double e[] = {0.35, 0.30, 0.25, 0.205};
    csv_table rows;
    csv_read(file, &rows);
    const double half =
        0.5 * (csv_at(&rows, 0, csv_column(&rows, "e_m")) - csv_at(&rows, 1, 0)); /* of a row */
    for (size_t k = 0; k < sizeof e / sizeof *e; k++) {
        double found[2][2];
        for (int middle = 0; middle < 2; middle++) {
            found[middle][0] =
                deviation(run, 0.4, &rows, e[k], middle * half, "rod.reaction_end.x", "Fh2_over_B");
            found[middle][1] =
                deviation(run, 0.4, &rows, e[k], middle * half, "contact.normal_sum", "Ph2_over_B");
        }
        print_message("%s, e = %g: F %+.2f %%, P %+.2f %%; half a row earlier %+.2f %%, %+.2f %%\n",
                      file, e[k], 100 * found[0][0], 100 * found[0][1], 100 * found[1][0],
                      100 * found[1][1]);
        assert_near(found[0][0], 0, 0.03, 0);
        assert_near(found[0][1], 0, 0.03, 0);
        /* what a row says fits the middle of the way that it ends */
        assert_near(found[1][0], 0, 0.01, 0);
        assert_near(found[1][1], 0, 0.02, 0);
    }
    csv_free(&rows);
}

static void tighten(double friction, double step, const char *file)
{
    scenario_run run;
    scenario_init(&run, "knot-trefoil");
    scenario_set(&run, "contact.friction=%g", friction);
    scenario_set(&run, "stepper.step=%g", step);
    scenario_set(&run, "output.every=%g", step);
    scenario_complete(&run);
    compare(&run, file);
    assert_near(scenario_last(&run, "rod.link", 0), -3.03, 0.03, 0); /* nothing passed through */
    assert_true(run.summary.certificate.penetration_max < 2e-3 * 3.2e-3);
    assert_true(run.summary.certificate.unconverged_steps == 0);
    assert_true(fabs(run.summary.ledger.balance_drift) < 1e-10);
    scenario_close(&run);
}

static void without_friction(void **state)
{
    (void)state;
    tighten(0, 0.625, "data/knots/ref_n1_mu0.csv");
}

static void with_little_friction(void **state)
{
    (void)state;
    tighten(0.1, 0.4, "data/knots/ref_n1_mu0.1.csv");
}

static void with_friction(void **state)
{
    (void)state;
    tighten(0.3, 0.625, "data/knots/ref_n1_mu0.3.csv");
}

/* Two turns; the points are those of the equilibrium at e = 0.46 m. The forces are those at the
 * rows themselves. */
static void two_turns_with_friction(void **state)
{
    static const double e[] = {0.40, 0.35, 0.30, 0.25, 0.205};
    const double begin = 0.46;
    scenario_run run;
    csv_table rows;
    (void)state;
    csv_read("data/knots/ref_n2_mu0.3.csv", &rows);
    scenario_init(&run, "knot-trefoil");
    scenario_set(&run, "cables.rod.path=[{file: ../knots/start_n2.csv}]");
    scenario_set(&run, "bodies.hand.position=[%g, 0, 0]", 0.5 * (1 - begin));
    scenario_set(&run, "contact.friction=0.3");
    scenario_set(&run, "cables.rod.damping.mass=0.02");
    scenario_set(&run, "solver.on_unconverged=halve");
    scenario_set(&run, "stepper.step=0.5");
    scenario_set(&run, "stepper.end=65.5");
    scenario_set(&run, "output.every=0.5");
    scenario_complete(&run);
    for (size_t k = 0; k < sizeof e / sizeof *e; k++) {
        const double force =
            deviation(&run, begin, &rows, e[k], 0, "rod.reaction_end.x", "Fh2_over_B");
        const double sum =
            deviation(&run, begin, &rows, e[k], 0, "contact.normal_sum", "Ph2_over_B");
        print_message("two turns, e = %g: F %+.2f %%, P %+.2f %%\n", e[k], 100 * force, 100 * sum);
        assert_near(force, 0, 0.03, 0);
        assert_near(sum, 0, 0.03, 0);
    }
    assert_near(scenario_last(&run, "rod.link", 0), -5.2, 0.15, 0); /* nothing passed through */
    csv_free(&rows);
    scenario_close(&run);
}

TEST_FILE(test_knot)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_friction),
        cmocka_unit_test(with_little_friction),
        cmocka_unit_test(with_friction),
        cmocka_unit_test(two_turns_with_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
