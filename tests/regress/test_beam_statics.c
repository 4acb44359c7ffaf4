/* SPDX-License-Identifier: BSD-3-Clause */
/* Cantilevers of `ancf` elements in equilibrium: a force at the tip, and a moment at the tip. */
#include "support/scenario.h"
#include "support/theory.h"

static const double pi = 3.14159265358979323846;

/* Position and angle at the tip. */
typedef struct tip {
    double x, y, angle;
} tip;

/* Position and slope of the last node are the last coordinates of the only cable. */
static tip run_tip(scenario_run *run)
{
    scenario_complete(run);
    const double *q = haw_simulation_frame(run->simulation)->state->q;
    const double *node = q + haw_model_dofs(run->model) - 4;
    return (tip){node[0], node[1], atan2(node[3], node[2])};
}

/* The scenario with other elements, axial stiffness and quadrature. */
static tip solve(const char *name, int elements, double stiffness, char quadrature)
{
    scenario_run run;
    scenario_init(&run, name);
    scenario_set(&run, "cables.beam.elements=%d", elements);
    scenario_set(&run, "cables.beam.stiffness=%.17g", stiffness);
    scenario_set(&run, "cables.beam.quadrature=%c", quadrature);
    scenario_set(&run, "start.load_steps=50");
    const tip end = run_tip(&run);
    scenario_close(&run);
    return end;
}

/* Beam of EI = 1, L = 1 under a force of 10: (x, y, theta, theta') of the extensible elastica,
 * N = P sin theta, theta'' = -(1 + N / EA) P cos theta. */
static void slope(const double y[4], double stiffness, double dy[4])
{
    const double load = 10, stretch = 1 + load * sin(y[2]) / stiffness;
    dy[0] = stretch * cos(y[2]);
    dy[1] = stretch * sin(y[2]);
    dy[2] = y[3];
    dy[3] = -stretch * load * cos(y[2]);
}

/* Runge-Kutta from the clamp with the curvature y[3] there. */
static void integrate(double stiffness, double y[4])
{
    enum { STEPS = 2000 };

    const double h = 1.0 / STEPS;
    for (int n = 0; n < STEPS; n++) {
        static const double node[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
        double rate[4] = {0}, sum[4] = {0}, at[4];
        for (int stage = 0; stage < 4; stage++) {
            for (int i = 0; i < 4; i++) {
                at[i] = y[i] + h * node[stage] * rate[i];
            }
            slope(at, stiffness, rate);
            for (int i = 0; i < 4; i++) {
                sum[i] += weight[stage] * rate[i] / 6;
            }
        }
        for (int i = 0; i < 4; i++) {
            y[i] += h * sum[i];
        }
    }
}

/* The curvature at the clamp for which none is left at the tip, by the secant method. */
static tip extensible(double stiffness)
{
    double curvature[2] = {4.4, 4.5}, left[2], y[4];
    for (int i = 0; i < 20; i++) {
        for (int k = 0; k < 2; k++) {
            memset(y, 0, sizeof y);
            y[3] = curvature[k];
            integrate(stiffness, y);
            left[k] = y[3];
        }
        if (left[0] == left[1]) {
            break;
        }
        const double next =
            curvature[1] - left[1] * (curvature[1] - curvature[0]) / (left[1] - left[0]);
        curvature[0] = curvature[1];
        curvature[1] = next;
    }
    assert_near(y[3], 0, 1e-10, 0);
    return (tip){y[0], y[1], y[2]};
}

static void elastica_of_the_scenario_is_that_of_the_theory(void **state)
{
    scenario_run run;
    (void)state;
    scenario_init(&run, "elastica");
    const tip end = run_tip(&run);
    haw_theory_result theory = theory_run(run.context, "elastica", 0, NULL);
    print_message("errors %.2g, %.2g m, %.2g rad\n", end.x - haw_theory_value(&theory, "tip_x"),
                  end.y - haw_theory_value(&theory, "tip_y"),
                  end.angle - haw_theory_value(&theory, "tip_angle"));
    assert_near(end.x, haw_theory_value(&theory, "tip_x"), 2e-6, 0);
    assert_near(end.y, haw_theory_value(&theory, "tip_y"), 2e-6, 0);
    assert_near(end.angle, haw_theory_value(&theory, "tip_angle"), 2e-6, 0);
    haw_theory_result_free(run.context, &theory);
    scenario_close(&run);
}

/* The strain of order P / EA is all that a stiff but extensible beam differs by. */
static void extension_vanishes_with_the_axial_stiffness(void **state)
{
    haw_theory_result theory = theory_run(*state, "elastica", 0, NULL);
    const double exact = haw_theory_value(&theory, "tip_y");
    const double soft = extensible(1e4).y - exact, stiff = extensible(1e6).y - exact;
    assert_near(soft, 8.0e-4, 0, 0.01);
    assert_near(soft / stiff, 100, 0.2, 0);
    haw_theory_result_free(*state, &theory);
}

static double distance(const tip *a, const tip *b)
{
    return hypot(a->x - b->x, a->y - b->y);
}

/* Order between 64 and 128 elements: with 32, the errors of stretch and bending cancel in part. */
static double order(const char *name, const tip *exact, double stiffness, char quadrature)
{
    double error[3];
    for (int i = 0; i < 3; i++) {
        const tip end = solve(name, 32 << i, stiffness, quadrature);
        error[i] = distance(&end, exact);
    }
    print_message("%s, EA %g, %c: %.2e %.2e %.2e, order %.2f\n", name, stiffness, quadrature,
                  error[0], error[1], error[2], log2(error[1] / error[2]));
    return log2(error[1] / error[2]);
}

static void elastica_converges_with_fourth_order(void **state)
{
    (void)state;
    const tip exact = extensible(1e4);
    for (int i = 0; i < 3; i++) {
        assert_near(order("elastica", &exact, 1e4, "abc"[i]), 4, 0.25, 0);
    }
}

static void roll_up_converges_with_fourth_order(void **state)
{
    (void)state;
    const tip exact = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        assert_near(order("roll-up", &exact, 1e4, "abc"[i]), 4, 0.1, 0);
    }
}

/* Lobatto's three axial points ask of a cubic no more than it has: the error stays that of bending
 * however stiff the beam is axially, while Gauss's five lock on coarse meshes. */
static void quadrature_c_does_not_lock(void **state)
{
    (void)state;
    const tip start = {0, 0, 0};
    tip end[2];
    for (int i = 0; i < 2; i++) {
        end[i] = solve("roll-up", 8, i == 0 ? 1e4 : 1e6, 'c');
    }
    assert_near(distance(&end[1], &start), distance(&end[0], &start), 0, 0.01);
    for (int i = 0; i < 2; i++) {
        end[i] = solve("roll-up", 8, i == 0 ? 1e4 : 1e6, 'a');
    }
    assert_true(distance(&end[1], &start) > 3 * distance(&end[0], &start));
}

static void roll_up_of_the_scenario_is_a_circle(void **state)
{
    scenario_run run;
    (void)state;
    scenario_init(&run, "roll-up");
    const tip end = run_tip(&run);
    assert_near(end.x, 0, 2e-5, 0);
    assert_near(end.y, 0, 2e-5, 0);
    assert_near(end.angle, 0, 1e-4, 0);
    const double *q = haw_simulation_frame(run.simulation)->state->q;
    const int nodes = haw_model_dofs(run.model) / 4, elements = nodes - 1;
    for (int n = 0; n < nodes; n++) {
        const double angle = 2 * pi * n / elements, radius = 1 / (2 * pi);
        assert_near(q[4 * n], radius * sin(angle), 2e-5, 0);
        assert_near(q[4 * n + 1], radius * (1 - cos(angle)), 2e-5, 0);
    }
    scenario_close(&run);
}

TEST_FILE(test_beam_statics)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elastica_of_the_scenario_is_that_of_the_theory),
        cmocka_unit_test(extension_vanishes_with_the_axial_stiffness),
        cmocka_unit_test(elastica_converges_with_fourth_order),
        cmocka_unit_test(roll_up_of_the_scenario_is_a_circle),
        cmocka_unit_test(roll_up_converges_with_fourth_order),
        cmocka_unit_test(quadrature_c_does_not_lock),
    };
    return cmocka_run_group_tests(tests, theory_create, theory_free);
}
