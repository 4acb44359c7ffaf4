/* SPDX-License-Identifier: BSD-3-Clause */
/* LuGre friction: steady slip, presliding, a falling normal force. */
#include "support/friction.h"

static void lugre_slides_steadily_on_the_stribeck_curve(void **state)
{
    const haw_friction_parameters p = parameters();

    (void)state;
    for (int i = -10; i < 10; i++) {
        const double v = 0.1 * (i + 0.5);
        bristle kept = {0.0, 0.0};
        double work = 0.0, unused;

        for (int k = 0; k < 2000; k++) {
            work = slide(&haw_friction_lugre, &p, 5.0, v, &kept);
        }
        const double limit = 5.0 * haw_friction_coefficient(&p, v, &unused);

        assert_near(work / (v * step), copysign(limit, v) + p.viscous * v, 1.0e-12, 0.0);
        assert_near(kept.z, copysign(limit, v) / p.stiffness, 1.0e-14, 0.0);
    }
}

/* Slow loading from rest: dz/dx = 1 - sigma_0 z / F_lim, so z = (F_lim / sigma_0)
 * (1 - exp(-sigma_0 x / F_lim)); its error is of first order in the step. */
static void lugre_preslides_on_its_exponential(void **state)
{
    haw_friction_parameters p = parameters();
    double error[2];

    (void)state;
    p.mu_static = p.mu_kinetic;
    for (int half = 0; half < 2; half++) {
        const double v = (half == 0 ? 1.0e-3 : 0.5e-3), length = 5.0 * p.mu_kinetic / p.stiffness;
        const int steps = (int)lround(length / (v * step));
        bristle kept = {0.0, 0.0};

        for (int k = 0; k < steps; k++) {
            (void)slide(&haw_friction_lugre, &p, 5.0, v, &kept);
        }
        error[half] = kept.z / length - (1.0 - exp(-steps * v * step / length));
    }
    assert_near(error[0], 0.0, 1.0e-3, 0.0);
    assert_near(error[0] / error[1], 2.0, 0.05, 0.0);
}

/* Bristles bent under a greater normal force: what the present one holds is left of them, and the
 * rest does not come back as a force. */
static void lugre_lets_go_where_the_normal_force_falls(void **state)
{
    const haw_friction_parameters p = parameters();
    const friction_call call = {&haw_friction_lugre, p, 5.0 * p.mu_static / p.stiffness};
    const haw_friction_force rest = force_of(&call, (double[]){0.0, 0.0, 0.5});
    const haw_friction_force moving = force_of(&call, (double[]){0.1, 0.0, 0.5});

    (void)state;
    assert_near(rest.force, 0.5 * p.mu_static, 0.0, 1.0e-14);
    assert_near(rest.deflection, 0.5 * p.mu_static / p.stiffness, 0.0, 1.0e-14);
    assert_true(moving.force > 0.0 && moving.force < 0.5 * p.mu_static + p.viscous * 0.1);
}

/* From rest the first answer is the spring sigma_0 and the damper sigma_1. */
static void lugre_begins_as_spring_and_damper(void **state)
{
    const haw_friction_parameters p = parameters();
    const friction_call call = {&haw_friction_lugre, p, 0.0};
    const double v = 1.0e-9;

    (void)state;
    assert_near(force_of(&call, (double[]){v, 0.0, 5.0}).force,
                p.stiffness * step * v + (p.damping + p.viscous) * v, 0.0, 1.0e-6);
}

TEST_FILE(test_lugre)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lugre_slides_steadily_on_the_stribeck_curve),
        cmocka_unit_test(lugre_preslides_on_its_exponential),
        cmocka_unit_test(lugre_lets_go_where_the_normal_force_falls),
        cmocka_unit_test(lugre_begins_as_spring_and_damper),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
