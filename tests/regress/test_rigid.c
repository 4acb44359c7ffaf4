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
    drop_errors e[LEVELS];
    for (int i = 0; i < LEVELS; i++) {
        e[i] = mean_errors(0.7, ldexp(1e-3, -i));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bouncing_ball_comes_to_rest_with_an_error_of_order_h),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
