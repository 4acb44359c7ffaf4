/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A circle pressed into a slender beam (K. Ntarladima, M. Pieber, J. Gerstmayr, Nonlinear Dynamics
 * 2023, section 3) against the string that wraps it: bending is a millionth of the tension.
 */
#include "support/scenario.h"
#include "support/validation.h"

#include <math.h>

/* Displacement of the circle and tension of the string limit. */
typedef struct wrapped {
    double u, tension;
} wrapped;

/* F - k u = 2 T sin theta, T = EA (2 (l + r theta) - 1), l the free length of a side. */
static wrapped string_limit(double stiffness, double spring, double force, double r)
{
    double low = r, high = 2, tension = 0;
    for (int i = 0; i < 200; i++) {
        const double u = 0.5 * (low + high), y = r - u, d = sqrt(0.25 + y * y);
        const double theta = asin(r / d) - atan2(y, 0.5);
        tension = stiffness * (2 * (sqrt(d * d - r * r) + r * theta) - 1);
        const bool is_below = 2 * tension * sin(theta) < force - spring * u;
        low = is_below ? u : low;
        high = is_below ? high : u;
    }
    return (wrapped){low, tension};
}

static wrapped press(int elements)
{
    scenario_run run;
    scenario_init(&run, "circle-on-beam");
    scenario_set(&run, "cables.beam.elements=%d", elements);
    scenario_complete(&run);
    const wrapped found = {0.35 - scenario_last(&run, "circle.position", 1),
                           scenario_last(&run, "beam.tension[0.5:0.5]", 0)};
    scenario_close(&run);
    return found;
}

/* The row holds the limit itself, and how near to it a run must come. */
static void check(const char *quantity, double found, double limit)
{
    double reference, tolerance;
    assert_true(haw_validation("circle-on-beam", quantity, &reference, &tolerance));
    assert_near(limit, reference, 1e-6, 0);
    assert_near(found, reference, tolerance, 0);
}

static void the_string_limit_is_that_of_the_reference(void **state)
{
    (void)state;
    const wrapped limit = string_limit(200, 1, 200, 0.35);
    assert_near(limit.u, 0.541879601, 1e-9, 0);
    assert_near(limit.tension, 113.157702, 1e-6, 0);
}

static void a_fine_beam_wraps_the_circle_as_the_string_does(void **state)
{
    (void)state;
    const wrapped limit = string_limit(200, 1, 200, 0.35), found = press(128);
    print_message("u %.7f m, N %.4f N\n", found.u, found.tension);
    check("displacement", found.u, limit.u);
    check("tension in the middle", found.tension, limit.tension);
}

/* The springs give by T / (r k) = 3e-6 m; the differences of meshes do not see it. */
static void the_displacement_converges_with_the_square_of_the_segments(void **state)
{
    (void)state;
    double u[4];
    for (int i = 0; i < 4; i++) {
        u[i] = press(8 << i).u;
    }
    const double order = 0.5 * log2((u[1] - u[0]) / (u[3] - u[2]));
    print_message("order %.3f from %.3g, %.3g, %.3g\n", order, u[1] - u[0], u[2] - u[1],
                  u[3] - u[2]);
    assert_near(order, 2, 0.2, 0);
}

TEST_FILE(test_circle_on_beam)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_string_limit_is_that_of_the_reference),
        cmocka_unit_test(a_fine_beam_wraps_the_circle_as_the_string_does),
        cmocka_unit_test(the_displacement_converges_with_the_square_of_the_segments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
