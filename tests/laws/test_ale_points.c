/* SPDX-License-Identifier: BSD-3-Clause */
/* Kinematics and inertia of the planar rope elements, by differences and independent integrals. */
#include "support/ale.h"
#include "support/finite.h"
#include "support/vector.h"

#include <lapacke.h>

enum { N = HAW_ALE_DOFS };

static void position_over_q(const void *user, const double *q, double *y)
{
    const ale_trial *t = user;
    haw_ale_point point;
    t->kind.ops->point(&t->kind, t->s, q, NULL, HAW_ALE_BEND, &point);
    memcpy(y, point.x, sizeof point.x);
}

static void position_over_s(const void *user, const double *s, double *y)
{
    const ale_trial *t = user;
    haw_ale_point point;
    t->kind.ops->point(&t->kind, *s, t->q, NULL, HAW_ALE_BEND, &point);
    memcpy(y, point.x, sizeof point.x);
    memcpy(y + 2, point.slope, sizeof point.slope);
}

static void motion_over_time(const void *user, const double *time, double *y)
{
    const ale_trial *t = user;
    double q[N], u[N];
    ale_advance(t, *time, q, u);
    const haw_ale_point point = ale_point(t, t->s, q, u);
    memcpy(y, point.x, sizeof point.x);
    memcpy(y + 2, point.slope, sizeof point.slope);
    memcpy(y + 4, point.v, sizeof point.v);
}

static void check_jacobian(ale_trial *t)
{
    const int n = t->kind.dofs;
    const double le = t->q[n - 1] - t->q[n - 2];
    double j[2 * N];
    const haw_ale_point point = ale_point(t, t->s, t->q, t->u);
    finite_jacobian(position_over_q, t, n, 2, t->q, 1e-3 * le, j);
    for (int i = 0; i < 2 * n; i++) {
        ALE_NEAR(t, "jacobian", point.j[i / n][i % n], j[i], 1e-10, 0);
    }
    for (int i = 0; i < 2; i++) {
        ALE_NEAR(t, "velocity", point.v[i], vector_dot(n, point.j[i], t->u), 1e-13, 0);
    }
}

static void jacobian_is_the_derivative_at_a_fixed_label(void **state)
{
    (void)state;
    ale_all(check_jacobian);
}

static void check_slopes(ale_trial *t)
{
    const double le = t->q[t->kind.dofs - 1] - t->q[t->kind.dofs - 2];
    double j[4];
    const haw_ale_point point = ale_point(t, t->s, t->q, t->u);
    finite_jacobian(position_over_s, t, 1, 4, &t->s, 3e-4 * le, j);
    for (int i = 0; i < 2; i++) {
        ALE_NEAR(t, "slope", point.slope[i], j[i], 1e-9, 0);
        ALE_NEAR(t, "bend", point.bend[i], j[2 + i], 1e-9 / le, 0);
    }
}

static void slope_and_bend_are_derivatives_to_the_label(void **state)
{
    (void)state;
    ale_all(check_slopes);
}

/* dv/dt = J a + gamma along a motion with accelerations. */
static void check_motion(ale_trial *t)
{
    const int n = t->kind.dofs;
    const double now = 0;
    double rate[6];
    const haw_ale_point point = ale_point(t, t->s, t->q, t->u);
    finite_jacobian(motion_over_time, t, 1, 6, &now, 1e-4, rate);
    for (int i = 0; i < 2; i++) {
        const double acceleration = vector_dot(n, point.j[i], t->a) + point.gamma[i];
        ALE_NEAR(t, "velocity", point.v[i], rate[i], 1e-9, 0);
        ALE_NEAR(t, "slope rate", point.slope_rate[i], rate[2 + i], 1e-8, 0);
        ALE_NEAR(t, "acceleration", acceleration, rate[4 + i], 3e-8, 0);
    }
}

static void velocity_and_gamma_are_those_of_a_material_point(void **state)
{
    (void)state;
    ale_all(check_motion);
}

/* M, inertia forces and kinetic energy as integrals over the material. */
static void check_integrals(ale_trial *t)
{
    const int n = t->kind.dofs;
    double mass[N * N] = {0}, m[N * N], want[N] = {0}, y[N] = {0}, kinetic = 0;
    for (int k = 0; k < ALE_FINE; k++) {
        double weight;
        const double s = ale_fine(t, k, &weight);
        const haw_ale_point p = ale_point(t, s, t->q, t->u);
        weight *= t->section.density;
        kinetic += weight / 2 * vector_dot(2, p.v, p.v);
        for (int i = 0; i < n; i++) {
            for (int l = 0; l < 2; l++) {
                want[i] += weight * p.j[l][i] * (vector_dot(n, p.j[l], t->a) + p.gamma[l]);
                for (int c = 0; c < n; c++) {
                    mass[n * i + c] += weight * p.j[l][i] * p.j[l][c];
                }
            }
        }
    }
    t->kind.ops->mass(&t->kind, &t->section, t->q, m);
    t->kind.ops->inertia(&t->kind, &t->section, t->q, t->u, t->a, y);
    ALE_NEAR(t, "kinetic energy", t->kind.ops->kinetic(&t->kind, &t->section, t->q, t->u), kinetic,
             0, 1e-12);
    const double scale = vector_largest(n * n, mass), force = vector_largest(n, want);
    for (int i = 0; i < n * n; i++) {
        ALE_NEAR(t, "mass", m[i], mass[i], 1e-12 * scale, 0);
        ALE_NEAR(t, "symmetry", m[i], m[n * (i % n) + i / n], 1e-15 * scale, 0);
    }
    for (int i = 0; i < n; i++) {
        ALE_NEAR(t, "inertia", y[i], want[i], 3e-11 * force, 0);
    }
}

static void inertia_is_the_integral_over_the_material(void **state)
{
    (void)state;
    ale_all(check_integrals);
}

/* Of the kernels alone, to rounding: y - y(a = 0) = M a, T = u M u / 2. */
static void check_rows(ale_trial *t)
{
    const int n = t->kind.dofs;
    const double none[N] = {0};
    double m[N * N], all[N] = {0}, convective[N] = {0}, kinetic = 0;
    t->kind.ops->mass(&t->kind, &t->section, t->q, m);
    t->kind.ops->inertia(&t->kind, &t->section, t->q, t->u, t->a, all);
    t->kind.ops->inertia(&t->kind, &t->section, t->q, t->u, none, convective);
    const double scale = vector_largest(n, all) + vector_largest(n, convective);
    for (int i = 0; i < n; i++) {
        kinetic += 0.5 * t->u[i] * vector_dot(n, m + n * i, t->u);
        ALE_NEAR(t, "M a", all[i] - convective[i], vector_dot(n, m + n * i, t->a), 1e-13 * scale,
                 0);
    }
    ALE_NEAR(t, "kinetic energy", t->kind.ops->kinetic(&t->kind, &t->section, t->q, t->u), kinetic,
             0, 1e-12);
}

static void inertia_and_kinetic_energy_are_those_of_the_mass_matrix(void **state)
{
    (void)state;
    ale_all(check_rows);
}

static double kinetic_at(const ale_trial *t, double time)
{
    double q[N], u[N];
    ale_advance(t, time, q, u);
    return t->kind.ops->kinetic(&t->kind, &t->section, q, u);
}

/* Power of the inertia forces = dT/dt - what the ends take up: rho v.v / 2 times their speed. */
static void check_power(ale_trial *t)
{
    const int n = t->kind.dofs;
    const double h = 1e-3;
    double y[N] = {0}, flux = 0;
    t->kind.ops->inertia(&t->kind, &t->section, t->q, t->u, t->a, y);
    for (int e = 0; e < 2; e++) {
        const haw_ale_point end = ale_point(t, t->q[n - 2 + e], t->q, t->u);
        flux += (e == 0 ? -1 : 1) * t->section.density / 2 * vector_dot(2, end.v, end.v) *
                t->u[n - 2 + e];
    }
    const double rate = (8 * (kinetic_at(t, h) - kinetic_at(t, -h)) - kinetic_at(t, 2 * h) +
                         kinetic_at(t, -2 * h)) /
                        (12 * h);
    ALE_NEAR(t, "power", vector_dot(n, y, t->u), rate - flux, 1e-7 * (fabs(rate) + fabs(flux)), 0);
}

static void power_of_inertia_is_the_rate_of_the_energy_of_the_material(void **state)
{
    (void)state;
    ale_all(check_power);
}

/* Number of eigenvalues of M that vanish; the next one is far from it. */
static int null_vectors(const ale_trial *t)
{
    const int n = t->kind.dofs;
    double m[N * N], w[N];
    int count = 0;
    t->kind.ops->mass(&t->kind, &t->section, t->q, m);
    assert_int_equal(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', n, m, n, w), 0);
    while (count < n && w[count] < 1e-13 * w[n - 1]) {
        count++;
    }
    ALE_NEAR(t, "negative eigenvalue", fmin(w[0], 0), 0, 1e-14 * w[n - 1], 0);
    assert_true(count < n && w[count] > 1e-8 * w[n - 1]);
    return count;
}

static void free_labels_leave_two_null_vectors(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ALE_SEEDS; seed++) {
        ale_trial cubic = ale_make(ale_kind(0), seed, 1.05);
        assert_int_equal(null_vectors(&cubic), 2);
        for (int i = 1; i < ALE_KINDS; i++) {
            ale_trial span = ale_make(ale_kind(i), seed, 1.05);
            memset(span.q + 4, 0, (size_t)(span.kind.dofs - 6) * sizeof *span.q);
            assert_int_equal(null_vectors(&span), 2);
        }
    }
}

/* Ends moved along the cubic, with the slopes they meet there. */
static void check_sliding(ale_trial *t)
{
    const double now[2] = {t->q[8], t->q[9]};
    ale_trial slid = *t;
    const double to[2] = {now[0] + 0.1, now[1] - 0.05};
    const haw_ale_point a = ale_point(t, to[0], t->q, t->u), b = ale_point(t, to[1], t->q, t->u);
    for (int i = 0; i < 2; i++) {
        slid.q[i] = a.x[i];
        slid.q[2 + i] = a.slope[i];
        slid.q[4 + i] = b.x[i];
        slid.q[6 + i] = b.slope[i];
        slid.q[8 + i] = to[i];
    }
    const haw_ale_point p = ale_point(t, 0.5 * (to[0] + to[1]), t->q, t->u);
    const haw_ale_point r = ale_point(&slid, 0.5 * (to[0] + to[1]), slid.q, t->u);
    for (int i = 0; i < 2; i++) {
        ALE_NEAR(t, "place", r.x[i], p.x[i], 1e-13, 0);
        ALE_NEAR(t, "bend", r.bend[i], p.bend[i], 1e-11, 0);
    }
}

static void cubic_stays_the_same_while_its_ends_move_along_it(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ALE_SEEDS; seed++) {
        ale_trial t = ale_make(ale_kind(0), seed, 1.05);
        check_sliding(&t);
    }
}

/*
 * Straight rope of 11 m and 1.4 kg/m that runs out of a fixed place at any speed, with 0.7 m/s^2:
 * m L a / 2 on either end and on either label.
 */
static void payout(const haw_ale_kind *kind, double speed)
{
    const int n = kind->dofs, labels = n - 2;
    const double length = 11, acceleration = 0.7;
    const haw_ale_section rope = {.density = 1.4};
    double q[N] = {0}, u[N] = {0}, a[N] = {0}, y[N] = {0};
    const bool is_cubic = kind->ops == &haw_ale_cubic;
    q[is_cubic ? 4 : 2] = length;
    u[is_cubic ? 4 : 2] = speed;
    a[is_cubic ? 4 : 2] = acceleration;
    q[labels] = 2;
    u[labels] = -speed;
    a[labels] = -acceleration;
    q[labels + 1] = 2 + length;
    if (is_cubic) {
        q[2] = q[6] = 1;
    }
    kind->ops->inertia(kind, &rope, q, u, a, y);
    const double share = 5.39;
    assert_near(y[0], share, 1e-12, 0);
    assert_near(y[is_cubic ? 4 : 2], share, 1e-12, 0);
    assert_near(y[labels], -share, 1e-12, 0);
    assert_near(y[labels + 1], -share, 1e-12, 0);
    for (int i = 1; i < labels && !is_cubic; i += 2) {
        assert_near(y[i], 0, 1e-12, 0);
    }
    for (int k = 0; k < kind->modes[0]; k++) {
        const double mean = k % 2 == 0 ? 2 / ((k + 1) * 3.14159265358979323846) : 0;
        assert_near(y[4 + k], 1.4 * length * acceleration * mean, 1e-12, 0);
    }
}

static void payout_needs_half_of_the_force_at_either_end_at_any_speed(void **state)
{
    (void)state;
    for (int i = 0; i < ALE_KINDS - 1; i++) {
        const haw_ale_kind kind = ale_kind(i);
        payout(&kind, 0);
        payout(&kind, 3);
        payout(&kind, 30);
    }
}

TEST_FILE(test_ale_points)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jacobian_is_the_derivative_at_a_fixed_label),
        cmocka_unit_test(slope_and_bend_are_derivatives_to_the_label),
        cmocka_unit_test(velocity_and_gamma_are_those_of_a_material_point),
        cmocka_unit_test(inertia_is_the_integral_over_the_material),
        cmocka_unit_test(inertia_and_kinetic_energy_are_those_of_the_mass_matrix),
        cmocka_unit_test(power_of_inertia_is_the_rate_of_the_energy_of_the_material),
        cmocka_unit_test(free_labels_leave_two_null_vectors),
        cmocka_unit_test(cubic_stays_the_same_while_its_ends_move_along_it),
        cmocka_unit_test(payout_needs_half_of_the_force_at_either_end_at_any_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
