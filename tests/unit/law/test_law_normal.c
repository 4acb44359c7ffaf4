/* SPDX-License-Identifier: BSD-3-Clause */
/* Compliant normal laws: tangents, sign, energy, and the restitution of an impact. */
#include "law/law.h"
#include "support/finite.h"
#include "support/near.h"
#include "support/random.h"
#include "support/table.h"

static const haw_normal_parameters sample = {
    .stiffness = 3.0e3, .damping = 40.0, .exponent = 1.5, .restitution = 0.7};

typedef struct law_call {
    const haw_normal_ops *law;
    double impact;
} law_call;

static void force_at(const void *user, const double *x, double *y)
{
    const law_call *call = user;
    haw_normal_force out;

    call->law->force(&sample, x[0], x[1], call->impact, &out);
    *y = out.force;
}

static void tangents_are_those_of_finite_differences(void **state)
{
    uint64_t seed = 11;

    (void)state;
    for (int i = 0; haw_normal_laws[i] != NULL; i++) {
        for (int trial = 0; trial < 500; trial++) {
            const law_call call = {normal_at(i), 0.5 + fabs(random_signed(&seed))};
            const double x[2] = {-0.01 - 0.1 * fabs(random_signed(&seed)), random_signed(&seed)};
            haw_normal_force out;
            double slope[2];

            call.law->force(&sample, x[0], x[1], call.impact, &out);
            finite_jacobian(force_at, &call, 2, 1, x, 1.0e-4, slope);
            assert_true(out.force > 0.0); /* no trial is near the clamp */
            assert_near(out.d_gap, slope[0], 1.0e-6, 1.0e-6);
            assert_near(out.d_rate, slope[1], 1.0e-6, 1.0e-6);
        }
    }
}

static void contact_never_pulls(void **state)
{
    (void)state;
    for (int i = 0; haw_normal_laws[i] != NULL; i++) {
        haw_normal_force out;

        /* opening so fast that the damper would pull */
        normal_at(i)->force(&sample, -1.0e-3, 1.0e3, 1.0, &out);
        assert_true(out.force == 0.0 && out.d_gap == 0.0 && out.d_rate == 0.0);
        normal_at(i)->force(&sample, 1.0e-3, -1.0e3, 1.0, &out);
        assert_true(out.force == 0.0 && out.d_gap == 0.0 && out.d_rate == 0.0);
        assert_near(normal_at(i)->energy(&sample, 1.0e-3), 0.0, 0.0, 0.0);
    }
}

/* Without a rate the force is the derivative of the energy. */
static void the_energy_is_the_work_of_the_spring(void **state)
{
    (void)state;
    for (int i = 0; haw_normal_laws[i] != NULL; i++) {
        const double gap = -0.03, h = 1.0e-5;
        haw_normal_force out;

        normal_at(i)->force(&sample, gap, 0.0, 1.0, &out);
        const double slope =
            (normal_at(i)->energy(&sample, gap + h) - normal_at(i)->energy(&sample, gap - h)) /
            (2.0 * h);

        assert_near(out.force, -slope, 0.0, 1.0e-6);
        assert_near(normal_at(i)->energy(&sample, 0.0), 0.0, 0.0, 0.0);
    }
}

static void a_contact_that_was_never_hit_has_no_hysteresis(void **state)
{
    haw_normal_force out;

    (void)state;
    haw_normal_lankarani.force(&sample, -0.04, -0.5, 0.0, &out);
    assert_near(out.force, sample.stiffness * 0.04 * 0.2, 0.0, 1.0e-14);
    assert_near(out.d_rate, 0.0, 0.0, 0.0);
}

/* ---- impact of a mass m on the contact, classical Runge-Kutta method ---- */

static const double mass = 2.0;

static double acceleration(const haw_normal_ops *law, const haw_normal_parameters *p, double speed,
                           const double y[2])
{
    haw_normal_force out;

    law->force(p, y[0], y[1], speed, &out);
    return out.force / mass;
}

static void advance(const haw_normal_ops *law, const haw_normal_parameters *p, double speed,
                    double h, double y[2])
{
    static const double node[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double slope[2] = {0.0, 0.0}, sum[2] = {0.0, 0.0};

    for (int stage = 0; stage < 4; stage++) {
        const double at[2] = {y[0] + node[stage] * h * slope[0], y[1] + node[stage] * h * slope[1]};

        slope[0] = at[1];
        slope[1] = acceleration(law, p, speed, at);
        sum[0] += weight[stage] * slope[0] / 6.0;
        sum[1] += weight[stage] * slope[1] / 6.0;
    }
    y[0] += h * sum[0];
    y[1] += h * sum[1];
}

/* Speed of the rebound over that of the impact. */
static double rebound(const haw_normal_ops *law, const haw_normal_parameters *p, double speed)
{
    double y[2] = {0.0, -speed};

    for (int step = 0; step < 1000000; step++) {
        advance(law, p, speed, 1.0e-6, y);
        if (y[1] > 0.0 && (y[0] >= 0.0 || acceleration(law, p, speed, y) == 0.0)) {
            return y[1] / speed;
        }
    }
    fail_msg("%s: the mass stays in contact", law->row.name);
    return 0.0;
}

/*
 * m v dv = -(k + d delta') delta^n d delta on the way in and out gives, with c = d / k and v_- and
 * v_+ the speeds of impact and rebound, c (v_- + v_+) = ln((1 + c v_-) / (1 - c v_+)).
 */
static double residual_of_rebound(double c, double in, double out)
{
    return c * (in + out) - log((1.0 + c * in) / (1.0 - c * out));
}

static void hunt_crossley_rebounds_as_its_first_integral_says(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        const double speed = 0.5 + i;
        haw_normal_parameters p = sample;

        p.damping = 600.0;
        const double e = rebound(&haw_normal_hunt, &p, speed);

        assert_true(e > 0.3 && e < 0.95);
        assert_near(residual_of_rebound(p.damping / p.stiffness, speed, e * speed), 0.0, 1.0e-7,
                    0.0);
    }
}

/* Lankarani and Nikravesh's damping is Hunt and Crossley's with c = 3 (1 - e^2) / (4 v_-). */
static void lankarani_nikravesh_restores_nearly_its_restitution(void **state)
{
    static const double restitution[] = {1.0, 0.9, 0.8};

    (void)state;
    for (int i = 0; i < 3; i++) {
        haw_normal_parameters p = sample;

        p.restitution = restitution[i];
        for (int k = 0; k < 3; k++) {
            const double speed = 0.3 * pow(3.0, k);
            const double e = rebound(&haw_normal_lankarani, &p, speed);
            const double loss = 1.0 - p.restitution; /* of first order in it */
            const double c = 0.75 * (1.0 - p.restitution * p.restitution) / speed;

            assert_near(e, p.restitution, 1.0e-7 + 1.5 * loss * loss, 0.0);
            assert_near(residual_of_rebound(c, speed, e * speed), 0.0, 1.0e-7, 0.0);
        }
    }
}

/*
 * Linear spring and damper that let go when the force vanishes (T. Schwager, T. Poeschel, Granular
 * Matter 9 (2007) 465, eq. 21): with beta = d / (2 m), omega^2 = k / m - beta^2,
 * e = exp(-beta / omega (pi - atan(2 beta omega / (omega^2 - beta^2)))).
 */
static void the_linear_law_has_its_closed_restitution(void **state)
{
    static const double damping[] = {0.0, 10.0, 60.0};

    (void)state;
    for (int i = 0; i < 3; i++) {
        haw_normal_parameters p = sample;

        p.damping = damping[i];
        const double beta = 0.5 * p.damping / mass;
        const double omega = sqrt(p.stiffness / mass - beta * beta);
        const double angle = atan(2.0 * beta * omega / (omega * omega - beta * beta));
        const double want = exp(-beta / omega * (acos(-1.0) - angle));

        assert_near(rebound(&haw_normal_linear, &p, 1.5), want, 1.0e-7, 0.0);
    }
}

TEST_FILE(test_law_normal)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tangents_are_those_of_finite_differences),
        cmocka_unit_test(contact_never_pulls),
        cmocka_unit_test(the_energy_is_the_work_of_the_spring),
        cmocka_unit_test(a_contact_that_was_never_hit_has_no_hysteresis),
        cmocka_unit_test(hunt_crossley_rebounds_as_its_first_integral_says),
        cmocka_unit_test(lankarani_nikravesh_restores_nearly_its_restitution),
        cmocka_unit_test(the_linear_law_has_its_closed_restitution),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
