/* SPDX-License-Identifier: BSD-3-Clause */
/* Rigid scenes against their closed forms: bouncing ball with accumulation, slip to roll. */
#include "support/scenario.h"
#include "support/theory.h"
#include "support/validation.h"

/* ---- bouncing ball ---- */

enum { HEIGHTS = 16, LEVELS = 4 };

/* What one drop shows; relative to the closed form. */
typedef struct drop {
    double first;        /* instant of the first impact [s] */
    double accumulation; /* instant from which the ball rests [s] */
    double apex;         /* highest point after the first impact [m] */
    double rest;         /* final height of the centre above the ground [m] */
} drop;

/*
 * The impact happens in the first step that ends upwards. The ball rests when it stays below the
 * speed g h of one step of free fall: from then on it is in contact in every step and its velocity
 * only changes sign and loses the factor e.
 */
static void watch_drop(scenario_run *run, double step, double end, drop *d)
{
    const haw_state *state = haw_simulation_frame(run->simulation)->state;
    *d = (drop){.first = 0};
    while (state->t < end - 0.5 * step) {
        assert_int_equal(haw_simulation_step(run->simulation), HAW_OK);
        const double v = state->u[1];
        if (d->first == 0 && v > 0) {
            d->first = state->t;
        }
        if (d->first > 0) {
            d->apex = fmax(d->apex, state->q[1] - 0.1);
        }
        if (fabs(v) > 9.81 * step) {
            d->accumulation = 0;
        } else if (d->accumulation == 0) {
            d->accumulation = state->t;
        }
    }
    d->rest = state->q[1];
}

static drop run_drop(double height, double restitution, double step)
{
    scenario_run run;
    drop d;
    scenario_init(&run, "bouncing-ball");
    scenario_set(&run, "bodies.ball.position=[0, %.17g]", height + 0.1);
    scenario_set(&run, "contact.restitution=%g", restitution);
    scenario_set(&run, "stepper.step=%.17g", step);
    scenario_set(&run, "contact.depth_limit=0.1"); /* coarse steps are wanted here */
    scenario_open(&run);
    watch_drop(&run, step, 3, &d);
    scenario_close(&run);
    return d;
}

typedef struct drop_errors {
    double first, accumulation, apex; /* means over the heights of |error| relative */
    double worst_first, worst_accumulation;
} drop_errors;

static void add_error(double got, double want, double *mean, double *worst)
{
    const double error = fabs(got / want - 1);
    *mean += error / HEIGHTS;
    *worst = fmax(*worst, error);
}

/* An impact falls anywhere into a step: the mean over many heights shows the order. */
static drop_errors mean_errors(double restitution, double step)
{
    drop_errors e = {.first = 0};
    double ignored = 0;
    for (int i = 0; i < HEIGHTS; i++) {
        const double height = 0.9 + 0.1 * i / HEIGHTS;
        const double first = sqrt(2 * height / 9.81);
        const drop d = run_drop(height, restitution, step);
        const double total = first * (1 + restitution) / (1 - restitution);
        add_error(d.first, first, &e.first, &e.worst_first);
        add_error(d.accumulation, total, &e.accumulation, &e.worst_accumulation);
        add_error(d.apex, restitution * restitution * height, &e.apex, &ignored);
        assert_near(d.rest, 0.1, 5 * step, 0);
    }
    print_message("h %.3g: first impact %.2e, accumulation %.2e (worst %.2e), apex %.2e\n", step,
                  e.first, e.accumulation, e.worst_accumulation, e.apex);
    return e;
}

static void bouncing_ball_comes_to_rest_with_an_error_of_order_h(void **state)
{
    (void)state;
    const double restitution[] = {0.7, 0.5};
    for (size_t k = 0; k < sizeof restitution / sizeof restitution[0]; k++) {
        drop_errors e[LEVELS];
        for (int i = 0; i < LEVELS; i++) {
            const double step = ldexp(1e-3, -i);
            e[i] = mean_errors(restitution[k], step);
            assert_true(e[i].worst_first <= 4 * step);
            assert_true(e[i].worst_accumulation <= 12 * step);
        }
        const drop_errors *first = &e[0], *last = &e[LEVELS - 1];
        assert_near(log2(first->first / last->first) / (LEVELS - 1), 1, 0.2, 0);
        assert_near(log2(first->accumulation / last->accumulation) / (LEVELS - 1), 1, 0.2, 0);
        assert_near(log2(first->apex / last->apex) / (LEVELS - 1), 1, 0.3, 0);
    }
}

/* Impacts of the shipped scene from its event log: one contact each. */
static void every_bounce_is_an_event_at_its_time(void **state)
{
    (void)state;
    double reference = 0, tolerance = 0;
    scenario_run run;
    scenario_init(&run, "bouncing-ball");
    scenario_complete(&run);
    haw_theory_result theory = theory_run(run.context, "bouncing-ball", 0, NULL);
    const haw_quantity *time = theory_profile(&theory, "time");
    int impact = 0;
    for (int i = 0; i < run.events && impact < time->count; i++) {
        const haw_event_kind kind = run.event[i].kind;
        if (kind == HAW_EVENT_FIRST_CONTACT || kind == HAW_EVENT_CONTACT) {
            const double late = run.event[i].t - time->value[impact];
            assert_near(late, 0, (impact == 0 ? 1.5 : 8) * run.summary.step, 0);
            impact++;
        }
    }
    assert_int_equal(impact, time->count);
    const drop d = run_drop(1, 0.7, run.summary.step);
    assert_true(haw_validation("bouncing-ball", "accumulation point", &reference, &tolerance));
    assert_near(haw_theory_value(&theory, "accumulation"), reference, 0, 1e-8);
    assert_near(d.accumulation, reference, 0, tolerance);
    assert_near(scenario_last(&run, "ball.velocity", 1), 0, 1e-12, 0);
    haw_theory_result_free(run.context, &theory);
    scenario_close(&run);
}

/* ---- slip to roll ---- */

typedef struct roll_case {
    double velocity, spin, friction, step;
} roll_case;

static void set_roll(scenario_run *run, const roll_case *c)
{
    scenario_init(run, "slip-to-roll");
    scenario_set(run, "bodies.disk.velocity=[%g, 0]", c->velocity);
    scenario_set(run, "bodies.disk.spin=%g", c->spin);
    scenario_set(run, "contact.friction=%g", c->friction);
    scenario_set(run, "stepper.step=%g", c->step);
    scenario_set(run, "output.probes=[disk.position, disk.velocity, disk.spin, contact.normal_sum, "
                      "contact.tangential_sum]");
}

/* Sliding from t = 0: the friction opposes v + R omega and equals mu m g; m = 1 kg. */
static void check_sliding(const scenario_run *run, const roll_case *c)
{
    const double slip = c->velocity + 0.1 * c->spin;
    const int early = scenario_frame_at(run, 0.02);
    assert_near(scenario_at(run, early, "contact.normal_sum", 0), 9.81, 0, 1e-11);
    assert_near(scenario_at(run, early, "contact.tangential_sum", 0),
                -copysign(c->friction * 9.81, slip), 0, 1e-11);
}

static void check_rolling(const scenario_run *run, const roll_case *c)
{
    const setting set[] = {{"velocity", c->velocity}, {"spin", c->spin}, {"friction", c->friction}};
    haw_theory_result theory = theory_run(run->context, "slip-to-roll", 3, set);
    const double v = scenario_last(run, "disk.velocity", 0);
    const double spin = scenario_last(run, "disk.spin", 0);
    const double want = haw_theory_value(&theory, "velocity_final");
    const haw_event *stick = scenario_find(run, HAW_EVENT_STICK, 0, false);
    assert_non_null(stick);
    print_message("v %.17g, spin %.17g, rolls at %.9g (closed form %.9g), x %.9g\n", v, spin,
                  stick->t, haw_theory_value(&theory, "time_rolling"),
                  scenario_last(run, "disk.position", 0));
    assert_near(v, want, 1e-12, 1e-12);
    assert_near(spin, haw_theory_value(&theory, "spin_final"), 1e-11, 1e-12);
    assert_near(v + 0.1 * spin, 0, 1e-13, 0);
    assert_near(stick->t - haw_theory_value(&theory, "time_rolling"), 0, c->step, 0);
    assert_near(scenario_last(run, "disk.position", 0), haw_theory_value(&theory, "position"),
                c->friction * 9.81 * c->step * c->step, 0);
    haw_theory_result_free(run->context, &theory);
}

static void sliding_disk_rolls_with_the_velocity_of_the_closed_form(void **state)
{
    (void)state;
    const roll_case rows[] = {
        {2, 0, 0.2, 1e-3},  {2, 0, 0.2, 1e-2},    {2, 0, 0.2, 1e-4},
        {2, 10, 0.2, 1e-3}, {2, -40, 0.2, 1e-3},  {-1.5, 0, 0.15, 1e-3},
        {0, 30, 0.3, 1e-3}, {1, -100, 0.6, 1e-3}, {-1, -20, 0.25, 1e-3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        scenario_run run;
        set_roll(&run, &rows[i]);
        scenario_complete(&run);
        check_sliding(&run, &rows[i]);
        check_rolling(&run, &rows[i]);
        scenario_close(&run);
    }
}

static void shipped_disk_keeps_two_thirds_of_its_velocity(void **state)
{
    (void)state;
    double reference = 0, tolerance = 0;
    scenario_run run;
    scenario_init(&run, "slip-to-roll");
    scenario_complete(&run);
    assert_true(haw_validation("slip-to-roll", "final velocity", &reference, &tolerance));
    assert_near(reference, 2 * 2.0 / 3, 0, 1e-15);
    assert_near(scenario_last(&run, "disk.velocity", 0), reference, 0, tolerance);
    assert_near(scenario_last(&run, "disk.spin", 0) * -0.1, reference, 0, tolerance);
    scenario_close(&run);
}

TEST_FILE(test_rigid)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bouncing_ball_comes_to_rest_with_an_error_of_order_h),
        cmocka_unit_test(every_bounce_is_an_event_at_its_time),
        cmocka_unit_test(sliding_disk_rolls_with_the_velocity_of_the_closed_form),
        cmocka_unit_test(shipped_disk_keeps_two_thirds_of_its_velocity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
