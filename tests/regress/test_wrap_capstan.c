/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A cable over a disk: at rest without friction (tension uniform, sum of the normal forces N w,
 * resultant 2 N sin(w/2)) and on a turning disk (Euler's ratio, level from the elastic split).
 */
#include "support/scenario.h"
#include "support/theory.h"
#include "support/validation.h"

static const double pi = 3.14159265358979323846;

typedef struct cable_case {
    const char *element;
    int elements, points;
    double step; /* [s]; 0: as shipped, < 0: the static stepper */
} cable_case;

static void set_case(scenario_run *run, const cable_case *c)
{
    scenario_set(run, "cables.cable.element=%s", c->element);
    scenario_set(run, "cables.cable.elements=%d", c->elements);
    scenario_set(run, "contact.points_per_element=%d", c->points);
    scenario_set(run, "output.every=1e-2");
    scenario_set(run, "output.probes=[cable.tension_start, cable.tension_end, contact.normal_sum, "
                      "contact.tangential_sum, contact.force, contact.moment, contact.wrap_angle]");
    if (c->step > 0) {
        scenario_set(run, "stepper.step=%g", c->step);
    } else if (c->step < 0) {
        scenario_set(run, "stepper={type: static}");
    }
}

/* ---- wrap of 90 degrees, frictionless, 100 N ---- */

typedef struct wrap_figures {
    double tension, end; /* N at the two pins, relative to 100 N */
    double sum;          /* sum of normal forces over N w, minus 1 */
    double resultant;    /* over 2 N sin(w/2), minus 1 */
} wrap_figures;

static wrap_figures run_wrap(const cable_case *c)
{
    scenario_run run;
    scenario_init(&run, "wrap");
    set_case(&run, c);
    scenario_complete(&run);
    const double start = scenario_last(&run, "cable.tension_start", 0);
    const double end = scenario_last(&run, "cable.tension_end", 0);
    const double force =
        hypot(scenario_last(&run, "contact.force", 0), scenario_last(&run, "contact.force", 1));
    const wrap_figures f = {start / 100 - 1, end / 100 - 1,
                            scenario_last(&run, "contact.normal_sum", 0) / (start * pi / 2) - 1,
                            force / (2 * start * sin(pi / 4)) - 1};
    print_message("%s %d step %g: N %.3e, sum %.2e, resultant %.2e\n", c->element, c->elements,
                  c->step, f.tension, f.sum, f.resultant);
    assert_near(f.end, f.tension, 3e-5, 0);
    assert_near(scenario_last(&run, "contact.moment", 0), 0, 1e-12, 0);
    assert_near(scenario_last(&run, "contact.tangential_sum", 0), 0, 0, 0);
    /* the resultant halves the angle between the legs: it pushes the disk to (1, -1) */
    assert_near(scenario_last(&run, "contact.force", 0), -scenario_last(&run, "contact.force", 1),
                0, 2e-3);
    scenario_close(&run);
    return f;
}

static void wrap_has_uniform_tension_and_the_resultant_of_its_legs(void **state)
{
    (void)state;
    const cable_case shipped = {"bezier", 48, 2, 0}, still = {"bezier", 48, 2, -1};
    const cable_case polar = {"bezier-polar", 48, 2, -1}, fine = {"bezier", 192, 2, -1};
    const wrap_figures rows[] = {run_wrap(&shipped), run_wrap(&still), run_wrap(&polar)};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_near(rows[i].tension, 0, 2e-3, 0);
        assert_near(rows[i].sum, 0, 5e-4, 0);
        assert_near(rows[i].resultant, 0, 1e-4, 0);
    }
    const wrap_figures f = run_wrap(&fine);
    assert_near(f.tension, 0, 5e-6, 0);
    assert_near(f.sum, 0, 5e-5, 0);
    assert_near(f.resultant, 0, 1e-5, 0);
}

/*
 * A chain cuts the corners of its arc: with the angle d = ds/R between its nodes it is too long by
 * the fraction d^2 / 24 of the arc, and the tension misses (EA/T)(R w/L) d^2/24 of itself.
 */
static double chain_tension(int elements)
{
    const double length = 1 + 0.05 * pi, angle = length / elements / 0.1;
    return -4e4 / 100 * (0.05 * pi / length) * angle * angle / 24;
}

static void check_order(const double *error, int count, double order, double tolerance)
{
    for (int i = 1; i < count; i++) {
        const double observed = log2(fabs(error[i - 1] / error[i]));
        print_message("order %.3f\n", observed);
        assert_near(observed, order, tolerance, 0);
    }
}

static void wrapped_chain_converges_with_order_two(void **state)
{
    (void)state;
    const double reference[] = {-9.25e-2, -2.32e-2, -5.80e-3, -1.43e-3};
    double error[4];
    for (int i = 0; i < 4; i++) {
        const cable_case still = {"chain", 58 << i, 1, -1};
        const wrap_figures f = run_wrap(&still);
        error[i] = f.tension;
        assert_near(f.tension, reference[i], 0, 0.02);
        assert_near(f.tension, chain_tension(58 << i), 0, 0.05);
        assert_near(f.resultant, 0, 1e-4, 0);
        assert_near(f.sum, 0, 4e-3, 0);
    }
    check_order(error, 4, 2, 0.05);
}

/* The penetration of the first step, h^2 times the acceleration N/(R rho), stays in the level. */
static void moreau_settles_to_the_static_wrap(void **state)
{
    (void)state;
    const double reference[] = {-9.25e-2, -2.32e-2, -5.80e-3};
    for (int i = 0; i < 3; i++) {
        const cable_case moving = {"chain", 58 << i, 1, 1e-5};
        assert_near(run_wrap(&moving).tension, reference[i], 6e-4, 0);
    }
}

/* ---- capstan: half a turn on a disk that turns at 5 rad/s ---- */

typedef struct capstan_case {
    cable_case cable;
    double friction, spin;
} capstan_case;

typedef struct capstan_figures {
    double ratio;                     /* T2 / T1 over the closed form, minus 1 */
    double low, high, normal, moment; /* over the closed form, minus 1 */
    double tangential;                /* sum of tangential over sum of normal forces */
} capstan_figures;

static capstan_figures read_capstan(const scenario_run *run, const capstan_case *c)
{
    const setting set[] = {{"friction", c->friction}};
    haw_theory_result theory = theory_run(run->context, "capstan", 1, set);
    const bool forward = c->spin > 0;
    const double low = scenario_last(run, forward ? "cable.tension_start" : "cable.tension_end", 0);
    const double high =
        scenario_last(run, forward ? "cable.tension_end" : "cable.tension_start", 0);
    const double normal = scenario_last(run, "contact.normal_sum", 0);
    const double moment = scenario_last(run, "contact.moment", 0) * (forward ? -1 : 1);
    const capstan_figures f = {
        .ratio = high / low / haw_theory_value(&theory, "ratio") - 1,
        .low = low / haw_theory_value(&theory, "tension_low") - 1,
        .high = high / haw_theory_value(&theory, "tension_high") - 1,
        .normal = normal / haw_theory_value(&theory, "normal_sum") - 1,
        .moment = moment / haw_theory_value(&theory, "moment") - 1,
        .tangential = scenario_last(run, "contact.tangential_sum", 0) / normal,
    };
    /* the disk is in equilibrium with its drive: the moment is that of the tangential forces */
    assert_near(moment, 0.1 * c->friction * normal, 0, 1e-6);
    haw_theory_result_free(run->context, &theory);
    return f;
}

static capstan_figures run_capstan(const capstan_case *c)
{
    scenario_run run;
    scenario_init(&run, "capstan");
    set_case(&run, &c->cable);
    scenario_set(&run, "contact.friction=%g", c->friction);
    scenario_set(&run, "bodies.disk.motion.spin=%g", c->spin);
    scenario_complete(&run);
    const capstan_figures f = read_capstan(&run, c);
    print_message("%s %d mu %g spin %g step %g: ratio %.2e, T1 %.2e, T2 %.2e, sum N %.2e, moment "
                  "%.2e, T/N %.9f\n",
                  c->cable.element, c->cable.elements, c->friction, c->spin, c->cable.step, f.ratio,
                  f.low, f.high, f.normal, f.moment, f.tangential);
    assert_near(f.tangential, c->spin > 0 ? -c->friction : c->friction, 1e-6, 0);
    scenario_close(&run);
    return f;
}

static void check_ratio(const char *row, const capstan_figures *f)
{
    double reference = 0, tolerance = 0;
    assert_true(haw_validation(row, "tension ratio", &reference, &tolerance));
    assert_near(exp(0.3 * pi), reference, 0, 1e-6);
    assert_near(f->ratio, 0, tolerance, 0);
}

static void capstan_has_eulers_ratio_and_the_elastic_split(void **state)
{
    (void)state;
    const capstan_case bezier = {{"bezier", 52, 2, 0}, 0.3, 5};
    const capstan_case polar = {{"bezier-polar", 52, 2, 0}, 0.3, 5};
    const capstan_case chain = {{"chain", 132, 1, 0}, 0.3, 5};
    const capstan_figures b = run_capstan(&bezier), p = run_capstan(&polar);
    const capstan_figures c = run_capstan(&chain);
    check_ratio("capstan-bezier", &b);
    check_ratio("capstan-bezier", &p);
    check_ratio("capstan-chain", &c);
    assert_near(b.low, 0, 2e-3, 0);
    assert_near(b.high, 0, 2e-3, 0);
    assert_near(b.normal, 0, 2e-3, 0);
    assert_near(b.moment, 0, 2e-3, 0);
}

static void capstan_obeys_other_frictions_and_spins(void **state)
{
    (void)state;
    const capstan_case rows[] = {
        {{"bezier", 52, 2, 0}, 0.1, 5},   {{"bezier", 52, 2, 0}, 0.5, 5},
        {{"bezier", 52, 2, 0}, 0.3, -5},  {{"bezier", 52, 2, 0}, 0.3, 1},
        {{"bezier", 52, 2, 0}, 0.1, -20},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const capstan_figures f = run_capstan(&rows[i]);
        assert_near(f.ratio, 0, 2e-3, 0);
        assert_near(f.low, 0, 3e-3, 0);
        assert_near(f.high, 0, 3e-3, 0);
        assert_near(f.normal, 0, 3e-3, 0);
        assert_near(f.moment, 0, 3e-3, 0);
    }
}

/* T1 levels of an independent program: 20.2, 47.6, 54.7, 56.5 N towards 57.030495 N. */
static void capstan_chain_converges_with_order_two(void **state)
{
    (void)state;
    const double ratio[] = {1.3e-2, 3.1e-3, 5.6e-4, 7e-5};
    double level[4], error[4];
    for (int i = 0; i < 4; i++) {
        const capstan_case c = {{"chain", 33 << i, 1, 1e-5}, 0.3, 5};
        const capstan_figures f = run_capstan(&c);
        level[i] = f.high;
        error[i] = f.ratio;
        assert_near(f.ratio, ratio[i], 2e-5, 0.05);
    }
    /* the ratio gains more than two orders from 66 on, where its terms of second order cancel */
    check_order(error, 2, 2, 0.3);
    assert_near(log2(error[0] / error[2]) / 2, 2, 0.3, 0);
    check_order(level + 1, 3, 2, 0.15);
}

/* The rope, at rest at first, is thrown forward by the first step, and Newton's method must not
 * start from where that leads. Without damping sustained sliding flutters until a step fails. */
static void laws_on_positions_take_the_capstan_at_long_steps(void **state)
{
    (void)state;
    static const char *const theta[] = {"0.55", "0.6", "1"};
    scenario_run run;
    for (int i = 0; i < 3; i++) {
        scenario_init(&run, "capstan");
        scenario_set(&run,
                     "stepper={type: moreau-jean, contact_law: position, theta: %s, "
                     "step: 1.0e-3, end: 0.25}",
                     theta[i]);
        scenario_complete(&run);
        const double ratio = scenario_last(&run, "cable.tension_end", 0) /
                             scenario_last(&run, "cable.tension_start", 0);
        print_message("theta %s: ratio %.7g\n", theta[i], ratio);
        assert_near(ratio, exp(0.3 * pi), 0, 2e-3);
        scenario_close(&run);
    }
    scenario_init(&run, "capstan");
    scenario_set(&run, "stepper={type: moreau-jean, contact_law: position, theta: 0.5, "
                       "step: 1.0e-3, end: 0.25}");
    scenario_open(&run);
    assert_int_equal(scenario_try(&run), HAW_ERR_UNCONVERGED);
    assert_non_null(strstr(haw_context_message(run.context), "needs theta >= 0.55"));
    scenario_close(&run);
}

TEST_FILE(test_wrap_capstan)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrap_has_uniform_tension_and_the_resultant_of_its_legs),
        cmocka_unit_test(wrapped_chain_converges_with_order_two),
        cmocka_unit_test(moreau_settles_to_the_static_wrap),
        cmocka_unit_test(capstan_has_eulers_ratio_and_the_elastic_split),
        cmocka_unit_test(capstan_obeys_other_frictions_and_spins),
        cmocka_unit_test(capstan_chain_converges_with_order_two),
        cmocka_unit_test(laws_on_positions_take_the_capstan_at_long_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
