/* SPDX-License-Identifier: BSD-3-Clause */
/* What has no friction and no damper goes back the way it came once all velocities are turned
 * round: the explicit midpoint and the midpoint rule are symmetric in time (Hairer, Lubich, Wanner,
 * Geometric Numerical Integration, V.1), whatever the element. */
#include "support/scenario.h"

static const char *const swing =
    "hawser: 1\n"
    "dimension: %d\n"
    "gravity: [0.3, -9.81%s]\n"
    "start: given\n"
    "bodies:\n"
    "  - {name: first, mass: 0.7, inertia: 0.01, position: [1, 0%s], velocity: [0.4, 1%s], spin: "
    "3}\n"
    "  - {name: second, mass: 0.3, inertia: 0.02, position: [1.5, 0.3%s], spin: -5}\n"
    "cables: [{name: rope, element: %s, elements: 6, from: [0, 0%s], to: [1, 0%s], stiffness: 2e3, "
    "density: 0.2, tension: 20, radius: 0.01%s, ends: {start: pinned, end: {body: first}}}]\n"
    "springs:\n"
    "  - {between: [first, second], stiffness: 80, length: 0.3}\n"
    "  - {between: [second, [2, 1%s]], stiffness: 40}\n"
    "stepper: %s\n";

static void make_steps(const scenario_run *run, int steps)
{
    for (int i = 0; i < steps; i++) {
        if (haw_simulation_step(run->simulation) != HAW_OK) {
            fail_msg("%s", haw_context_message(run->context));
        }
    }
}

/* The largest |a + sign b| of the entries from ... to - 1. */
static double difference(const double *a, const double *b, double sign, int from, int to)
{
    double largest = 0;
    for (int i = from; i < to; i++) {
        largest = fmax(largest, fabs(a[i] + sign * b[i]));
    }
    return largest;
}

static haw_state *state_of(const scenario_run *run)
{
    haw_state *state = NULL;
    assert_int_equal(haw_state_create(run->context, run->model, &state), HAW_OK);
    haw_state_copy(state, haw_simulation_frame(run->simulation)->state);
    return state;
}

static void expect_return(scenario_run *run, int steps)
{
    haw_state *start = state_of(run);
    make_steps(run, steps);
    haw_state *there = state_of(run);
    for (int i = 0; i < there->dofs; i++) {
        there->u[i] = -there->u[i];
    }
    assert_int_equal(haw_simulation_restore(run->simulation, there), HAW_OK);
    make_steps(run, steps);
    const haw_state *back = haw_simulation_frame(run->simulation)->state;
    /* bodies and cables; behind them are multipliers of joints, which are impulses of a step */
    const haw_extent rope = haw_model_cable_extent(run->model, 0);
    const int coordinates = rope.first_q + rope.coordinates, dofs = rope.first_u + rope.dofs;
    assert_true(difference(there->q, start->q, -1, 0, coordinates) > 0.05);
    assert_near(difference(back->q, start->q, -1, 0, coordinates), 0, 1e-11, 0);
    assert_near(difference(back->u, start->u, 1, 0, dofs), 0, 1e-8, 0);
    haw_state_free(run->context, start);
    haw_state_free(run->context, there);
}

static void motion_without_losses_goes_back_the_way_it_came(void **state)
{
    (void)state;
    static const char *const bends = ", bending_stiffness: 1",
                             *const turns = ", bending_stiffness: 1, torsional_stiffness: 0.8";

    static const struct {
        int steps;
        const char *settings;
    } stepper[] = {
        {1200, "{type: moreau, step: 2.0e-5, end: 10}"},
        {200, "{type: moreau-jean, step: 5.0e-4, end: 10, theta: 0.5, newton_tolerance: 1.0e-13}"}};

    const struct {
        int dimension;
        const char *element, *stiffness;
    } of[] = {{2, "chain", ""},     {2, "bezier", ""},       {2, "bezier-polar", ""},
              {2, "bezier-c0", ""}, {2, "ancf", bends},      {3, "chain", ""},
              {3, "bezier", ""},    {3, "bezier-c0", ""},    {3, "ancf", bends},
              {3, "se3", turns},    {3, "se3-chord", turns}, {3, "corotational", turns}};

    for (size_t i = 0; i < 2 * sizeof of / sizeof *of; i++) {
        scenario_run run;
        scenario_text text = {.length = 0};
        const char *z = of[i / 2].dimension == 3 ? ", 0" : "";
        scenario_write(&text, swing, of[i / 2].dimension, of[i / 2].dimension == 3 ? ", 0.2" : "",
                       z, z, z, of[i / 2].element, z, z, of[i / 2].stiffness, z,
                       stepper[i % 2].settings);
        scenario_init(&run, "swing");
        run.text = text.text;
        scenario_open(&run);
        expect_return(&run, stepper[i % 2].steps);
        scenario_close(&run);
    }
}

TEST_FILE(test_reversal)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motion_without_losses_goes_back_the_way_it_came),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
