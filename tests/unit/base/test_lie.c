/* SPDX-License-Identifier: BSD-3-Clause */
/* Rotations and rigid motions: identities, differences, and the series against closed forms. */
#include "base/lie.h"
#include "support/finite.h"
#include "support/near.h"
#include "support/random.h"

#include <stdbool.h>

enum { SEEDS = 50 };

static void random_vector(uint64_t *seed, double size, double v[3])
{
    for (int i = 0; i < 3; i++) {
        v[i] = size * random_signed(seed);
    }
}

static void random_rotation(uint64_t *seed, double a[4])
{
    for (int i = 0; i < 4; i++) {
        a[i] = random_signed(seed);
    }
    quaternion_normalise(a);
}

static void assert_equal(int n, const double *got, const double *want, double tolerance)
{
    for (int i = 0; i < n; i++) {
        assert_near(got[i], want[i], tolerance, 0);
    }
}

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* T(w): the angular velocity in the body's frame of exp(w) is T(w) dw/dt. */
static void so3_tangent(const double w[3], double t[9])
{
    const so3_factors f = so3_exp_factors(vec3_dot(w, w));
    so3_polynomial(-f.b, f.d, w, t);
}

/* b1 = b' / phi and so on, on both sides of phi = 1, where series and closed forms meet. */
static void factors_of_the_exponential_are_derivatives_of_one_another(void **state)
{
    static const double at[] = {0.05, 0.4, 0.9, 1.1, 2, 3};
    const double h = 1e-5;
    (void)state;
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        const double phi = at[i], scale = 1 / (2 * h * phi);
        const so3_factors f = so3_exp_factors(phi * phi);
        const so3_factors plus = so3_exp_factors((phi + h) * (phi + h));
        const so3_factors minus = so3_exp_factors((phi - h) * (phi - h));
        assert_near(f.b1, scale * (plus.b - minus.b), 1e-8, 1e-8);
        assert_near(f.d1, scale * (plus.d - minus.d), 1e-8, 1e-8);
        assert_near(f.b2, scale * (plus.b1 - minus.b1), 1e-8, 1e-7);
        assert_near(f.d2, scale * (plus.d1 - minus.d1), 1e-8, 1e-7);
    }
}

static void products_follow_their_definitions(void **state)
{
    (void)state;
    uint64_t seed = 1;
    double a[3], b[3], c[3], ab[3], abc[3], y[3], m[9] = {0};
    random_vector(&seed, 1, a);
    random_vector(&seed, 1, b);
    random_vector(&seed, 1, c);
    vec3_cross(a, b, ab);
    assert_near(vec3_dot(ab, a), 0, 1e-16, 0);
    vec3_cross(b, c, y);
    vec3_cross(a, y, abc);
    mat3_add_double(2, a, b, m);
    mat3_apply(m, c, y);
    vec3_add(-2, abc, y);
    assert_near(vec3_norm(y), 0, 1e-15, 0);
    memset(m, 0, sizeof m);
    mat3_add_skew(1, a, m);
    mat3_apply(m, b, y);
    assert_equal(3, y, ab, 1e-16);
    mat3_apply_t(m, b, y);
    vec3_add(1, ab, y);
    assert_near(vec3_norm(y), 0, 1e-16, 0);
    memset(m, 0, sizeof m);
    mat3_add_outer(3, a, b, m);
    mat3_apply(m, c, y);
    vec3_add(-3 * vec3_dot(b, c), a, y);
    assert_near(vec3_norm(y), 0, 1e-15, 0);
}

static void quaternions_multiply_as_their_matrices(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int k = 0; k < SEEDS; k++) {
        double a[4], b[4], ab[4], ra[9], rb[9], rab[9], product[9], x[3], y[3], z[3], back[4];
        random_rotation(&seed, a);
        random_rotation(&seed, b);
        random_vector(&seed, 1, x);
        quaternion_product(a, b, ab);
        quaternion_matrix(a, ra);
        quaternion_matrix(b, rb);
        quaternion_matrix(ab, rab);
        mat3_product(ra, rb, product);
        assert_equal(9, rab, product, 1e-15);
        quaternion_rotate(ab, x, y);
        mat3_apply(rab, x, z);
        assert_equal(3, y, z, 1e-15);
        quaternion_between(a, ab, back);
        assert_equal(4, back, b, 1e-15);
    }
}

/* Half turns about every axis are where a plain formula divides by zero. */
static void matrix_gives_its_quaternion_back(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int k = 0; k < SEEDS + 7; k++) {
        double a[4] = {0, k & 1, (k >> 1) & 1, (k >> 2) & 1}, b[4], r[9];
        if (k == 0 || k > 7) {
            random_rotation(&seed, a);
        }
        quaternion_normalise(a);
        quaternion_matrix(a, r);
        quaternion_from_matrix(r, b);
        const double sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
        for (int i = 0; i < 4; i++) {
            assert_near(b[i] * copysign(1, sign), a[i], 1e-15, 0);
        }
    }
}

static void log_undoes_exp_up_to_half_a_turn(void **state)
{
    (void)state;
    const double angles[] = {0, 1e-300, 1e-12, 1e-8, 1e-4, 0.5, 2, 3.1, 3.1415};
    const double axis[3] = {0.6, -0.48, 0.64};
    for (int k = 0; k < 9; k++) {
        const double w[3] = {angles[k] * axis[0], angles[k] * axis[1], angles[k] * axis[2]};
        double a[4], back[3];
        so3_exp(w, a);
        assert_near(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3], 1, 1e-15, 0);
        so3_log(a, back);
        for (int i = 0; i < 3; i++) {
            assert_near(back[i], w[i], 0, 2e-15);
            a[i] = -a[i];
        }
        a[3] = -a[3];
        so3_log(a, back);
        for (int i = 0; i < 3; i++) {
            assert_near(back[i], w[i], 0, 2e-15);
        }
    }
}

static void move_and_difference_are_inverse(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int k = 0; k < SEEDS; k++) {
        double a[4], b[4], w[3], back[3];
        random_rotation(&seed, a);
        random_vector(&seed, 1.7, w);
        so3_move(a, 1, w, b);
        so3_difference(a, b, back);
        assert_equal(3, back, w, 1e-14);
        so3_move(a, 1, w, a);
        assert_equal(4, a, b, 0);
    }
}

/* exp(w) x by the quaternion against 1 + s w~ + b w~^2. */
static void exponential_is_its_series(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int k = 0; k < SEEDS; k++) {
        double w[3], a[4], r[9], polynomial[9];
        random_vector(&seed, k % 2 == 0 ? 0.5 : 1.8, w);
        const so3_factors f = so3_exp_factors(vec3_dot(w, w));
        so3_exp(w, a);
        quaternion_matrix(a, r);
        so3_polynomial(f.s, f.b, w, polynomial);
        assert_equal(9, polynomial, r, 2e-15);
    }
}

typedef struct motion {
    double w[3], step[3];
} motion;

static void rotation_over_time(const void *user, const double *time, double *rotation)
{
    const motion *m = user;
    double w[3], a[4], b[4];
    memcpy(w, m->w, sizeof w);
    so3_exp(w, a);
    vec3_add(time[0], m->step, w);
    so3_exp(w, b);
    so3_difference(a, b, rotation);
}

static void tangent_is_the_derivative_of_the_exponential(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (int k = 0; k < SEEDS; k++) {
        motion m;
        const double now[1] = {0};
        double rate[3], t[9], inverse[9], product[9], want[3];
        random_vector(&seed, 1.7, m.w);
        random_vector(&seed, 1, m.step);
        finite_jacobian(rotation_over_time, &m, 1, 3, now, 1e-3, rate);
        so3_tangent(m.w, t);
        mat3_apply(t, m.step, want);
        assert_equal(3, rate, want, 1e-11);
        so3_tangent_inverse(m.w, inverse);
        mat3_product(inverse, t, product);
        assert_equal(9, product, identity, 1e-14);
    }
}

/* The derivatives of b and d to phi, over phi: by differences, on both sides of phi = 1. */
static void b_and_d(const void *user, const double *phi, double *value)
{
    (void)user;
    const so3_factors f = so3_exp_factors(phi[0] * phi[0]);
    value[0] = f.b;
    value[1] = f.d;
}

static void factors_of_the_exponential_hold_on_both_sides_of_the_switch(void **state)
{
    (void)state;
    const double angles[] = {0.01, 0.3, 0.9, 0.99999999, 1.00000001, 1.1, 2, 3};
    for (int k = 0; k < 8; k++) {
        const double phi = angles[k];
        const so3_factors f = so3_exp_factors(phi * phi);
        double slope[2];
        finite_jacobian(b_and_d, NULL, 1, 2, &phi, 1e-3, slope);
        assert_near(f.s, sin(phi) / phi, 0, 1e-15);
        assert_near(f.b, 2 * pow(sin(phi / 2) / phi, 2), 0, 1e-15);
        assert_near(f.d, (1 - sin(phi) / phi) / (phi * phi), 0, 1e-15 + 4e-16 / (phi * phi));
        if (phi < 0.99 || phi > 1.01) {
            assert_near(f.b1, slope[0] / phi, 0, 1e-10 / phi);
            assert_near(f.d1, slope[1] / phi, 0, 1e-10 / phi);
        }
    }
    const so3_factors below = so3_exp_factors(1 - 1e-15), above = so3_exp_factors(1 + 1e-15);
    assert_near(below.d, above.d, 0, 1e-15);
    assert_near(below.b1, above.b1, 0, 1e-14);
    assert_near(below.d1, above.d1, 0, 1e-14);
    const so3_factors zero = so3_exp_factors(0);
    assert_near(zero.b1, -1.0 / 12, 0, 1e-15);
    assert_near(zero.d1, -1.0 / 60, 0, 1e-15);
}

/* Closed forms with kappa = (phi/2)^2 / sin^2(phi/2), gamma = (phi/2) cot(phi/2). */
static void factors_of_the_logarithm_are_their_closed_forms(void **state)
{
    (void)state;
    const double angles[] = {0.5, 0.99, 1.01, 1.5, 2, 2.5, 2.8, 3.1, 3.14159};
    for (int k = 0; k < 9; k++) {
        const double phi = angles[k], half = phi / 2, x = phi * phi;
        const double kappa = pow(half / sin(half), 2), gamma = half / tan(half);
        const so3_log_factors f = so3_inverse_factors(x);
        const double top = 2 * kappa * (1 - gamma) + gamma - kappa - 4 * (kappa + gamma - 2);
        assert_near(f.c, (1 - gamma) / x, 1e-15 / x, 1e-15);
        assert_near(f.e, (kappa + gamma - 2) / (x * x), 3e-15 / (x * x), 1e-15);
        assert_near(f.e2, top / (x * x * x), 1e-14 / (x * x * x), 2e-15);
    }
    const so3_log_factors zero = so3_inverse_factors(0);
    assert_near(zero.c, 1.0 / 12, 0, 1e-15);
    assert_near(zero.e, 1.0 / 360, 0, 1e-15);
    assert_near(zero.e2, 1.0 / 3780, 0, 1e-15);
}

static void adjoint(const double r[9], const double x[3], double ad[36])
{
    double cross[9] = {0}, product[9];
    mat3_add_skew(1, x, cross);
    mat3_product(cross, r, product);
    for (int i = 0; i < 36; i++) {
        const int row = i / 6, column = i % 6, at = 3 * (row % 3) + column % 3;
        const bool is_diagonal = row / 3 == column / 3;
        ad[i] = is_diagonal ? r[at] : (row < 3 ? product[at] : 0);
    }
}

/* T(d)^-1 and T(-d)^-1 [36] from the blocks. */
static void inverses(const se3_log *log, double plus[36], double minus[36])
{
    double b[9];
    se3_coupling(log, b);
    for (int i = 0; i < 36; i++) {
        const int row = i / 6, column = i % 6;
        const int at = 3 * (row % 3) + column % 3, across = 3 * (column % 3) + row % 3;
        const bool is_diagonal = row / 3 == column / 3, is_coupling = row < 3 && !is_diagonal;
        plus[i] = is_diagonal ? log->a[at] : (is_coupling ? b[at] : 0);
        minus[i] = is_diagonal ? log->a[across] : (is_coupling ? b[across] : 0);
    }
}

static void random_poses(uint64_t *seed, double a[7], double b[7])
{
    double w[3];
    random_vector(seed, 1, a);
    random_vector(seed, 1, b);
    random_vector(seed, 1.7, w);
    random_rotation(seed, a + 3);
    so3_move(a + 3, 1, w, b + 3);
}

/* T(d)^-1 Ad(exp(-d)) = T(-d)^-1. */
static void inverse_tangents_of_both_signs_differ_by_the_adjoint(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int k = 0; k < SEEDS; k++) {
        double a[7], b[7], plus[36], minus[36], ad[36], r[9], between[4], x[3], y[3], inverse[9];
        se3_log log;
        random_poses(&seed, a, b);
        se3_between(a, b, &log);
        inverses(&log, plus, minus);
        quaternion_between(b + 3, a + 3, between);
        quaternion_matrix(between, r);
        memcpy(x, a, sizeof x);
        vec3_add(-1, b, x);
        quaternion_matrix(b + 3, inverse);
        mat3_apply_t(inverse, x, y);
        adjoint(r, y, ad);
        for (int i = 0; i < 36; i++) {
            double sum = 0;
            for (int j = 0; j < 6; j++) {
                sum += plus[6 * (i / 6) + j] * ad[6 * j + i % 6];
            }
            assert_near(sum, minus[i], 1e-14, 0);
        }
    }
}

typedef struct poses {
    double a[7], b[7];
} poses;

/* log(a^-1 b exp(h)) with h [6] of the pose b, then -h of the pose a. */
static void log_over_twist(const void *user, const double *h, double *d)
{
    const poses *p = user;
    double pose[2][7];
    se3_log log;
    memcpy(pose[0], p->a, sizeof p->a);
    memcpy(pose[1], p->b, sizeof p->b);
    for (int k = 0; k < 2; k++) {
        double x[3];
        quaternion_rotate(pose[k] + 3, h + 6 * k, x);
        vec3_add(1, x, pose[k]);
        so3_move(pose[k] + 3, 1, h + 6 * k + 3, pose[k] + 3);
    }
    se3_between(pose[0], pose[1], &log);
    memcpy(d, log.d, sizeof log.d);
}

static void inverse_tangents_are_the_derivatives_of_the_logarithm(void **state)
{
    (void)state;
    uint64_t seed = 8;
    const double none[12] = {0};
    for (int k = 0; k < SEEDS; k++) {
        poses p;
        double plus[36], minus[36], difference[72];
        se3_log log;
        random_poses(&seed, p.a, p.b);
        se3_between(p.a, p.b, &log);
        inverses(&log, plus, minus);
        finite_jacobian(log_over_twist, &p, 12, 6, none, 3e-4, difference);
        for (int i = 0; i < 36; i++) {
            assert_near(difference[12 * (i / 6) + i % 6], -minus[i], 1e-9, 0);
            assert_near(difference[12 * (i / 6) + 6 + i % 6], plus[i], 1e-9, 0);
        }
    }
}

/* x = V(w) u leads back to the other pose. */
static void logarithm_of_two_poses_leads_from_one_to_the_other(void **state)
{
    (void)state;
    uint64_t seed = 9;
    for (int k = 0; k < SEEDS; k++) {
        double a[7], b[7], t[9], local[3], x[3], turned[4];
        se3_log log;
        random_poses(&seed, a, b);
        se3_between(a, b, &log);
        so3_tangent(log.d + 3, t);
        mat3_apply_t(t, log.d, local); /* V = T^T */
        mat3_apply(log.r, local, x);
        vec3_add(1, a, x);
        assert_equal(3, x, b, 1e-14);
        so3_move(a + 3, 1, log.d + 3, turned);
        assert_equal(4, turned, b + 3, 1e-14);
    }
}

/* From rest of the frame: J w, its energy, and that back again leads where it came from. */
static void free_turns_keep_angular_momentum_and_energy(void **state)
{
    static const double steps[] = {1e-5, 1e-2, 0.3, 4}, back = -1;
    uint64_t seed = 11;
    (void)state;
    for (int i = 0; i < 4 * SEEDS; i++) {
        const double h = steps[i % 4];
        double w[3], way[3], turned[4], plus[3], again[3], way_again[3], now[3];
        double j[3] = {1, 1, 1e-3}; /* a needle; a stone */
        for (int k = 0; k < 3 && i % 8 < 4; k++) {
            j[k] = 1 + 0.3 * random_signed(&seed);
        }
        random_vector(&seed, 3, w);
        so3_coast(j, h, w, way, plus);
        so3_coast(j, back * h, plus, way_again, again);
        if (h < 0.1) { /* in one part */
            assert_equal(3, again, w, 1e-13);
        }
        so3_exp(way, turned);
        double momentum[3], moved[3], energy = 0, scale = 0;
        for (int k = 0; k < 3; k++) {
            momentum[k] = j[k] * plus[k];
            now[k] = j[k] * w[k];
            energy += j[k] * (plus[k] * plus[k] - w[k] * w[k]);
            scale = fmax(scale, fabs(now[k]));
        }
        quaternion_rotate(turned, momentum, moved);
        assert_equal(3, moved, now, 1e-13 * scale);
        assert_near(energy, 0, 1e-13 * scale * vec3_norm(w), 0);
    }
}

/* A top of J, A, A: its velocity precesses about its axis by (1 - J / A) w_1 a second. */
static void a_symmetric_top_precesses_to_second_order(void **state)
{
    const double j[3] = {0.5, 1.25, 1.25}, w[3] = {2, 0.7, -0.3}, rate = (1 - j[0] / j[1]) * w[0];
    const double want[3] = {w[0], cos(rate) * w[1] + sin(rate) * w[2],
                            cos(rate) * w[2] - sin(rate) * w[1]};
    double error[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        const int steps = 50 << i;
        double now[3] = {w[0], w[1], w[2]}, next[3], way[3];
        for (int k = 0; k < steps; k++) {
            so3_coast(j, 1.0 / steps, now, way, next);
            memcpy(now, next, sizeof now);
        }
        error[i] = hypot(now[1] - want[1], now[2] - want[2]);
        assert_near(now[0], w[0], 1e-13, 0);
    }
    assert_near(log2(error[0] / error[1]), 2, 0.05, 0);
    assert_true(error[1] < 1e-4);
}

/* What turns about an axis, or has three equal moments, turns as far as ever. */
static void free_turns_about_an_axis_are_uniform(void **state)
{
    const double j[2][3] = {{0.4, 0.4, 0.4}, {0.1, 2, 3}}, w[2][3] = {{30, -20, 7}, {0, 0, 41}};
    (void)state;
    for (int i = 0; i < 2; i++) {
        double way[3], plus[3];
        so3_coast(j[i], 0.01, w[i], way, plus);
        for (int k = 0; k < 3; k++) {
            assert_near(way[k], 0.01 * w[i][k], 1e-16, 0);
            assert_near(plus[k], w[i][k], 0, 1e-15);
        }
    }
}

TEST_FILE(test_lie)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_of_the_exponential_are_derivatives_of_one_another),
        cmocka_unit_test(products_follow_their_definitions),
        cmocka_unit_test(quaternions_multiply_as_their_matrices),
        cmocka_unit_test(matrix_gives_its_quaternion_back),
        cmocka_unit_test(log_undoes_exp_up_to_half_a_turn),
        cmocka_unit_test(move_and_difference_are_inverse),
        cmocka_unit_test(exponential_is_its_series),
        cmocka_unit_test(tangent_is_the_derivative_of_the_exponential),
        cmocka_unit_test(factors_of_the_exponential_hold_on_both_sides_of_the_switch),
        cmocka_unit_test(factors_of_the_logarithm_are_their_closed_forms),
        cmocka_unit_test(inverse_tangents_of_both_signs_differ_by_the_adjoint),
        cmocka_unit_test(inverse_tangents_are_the_derivatives_of_the_logarithm),
        cmocka_unit_test(logarithm_of_two_poses_leads_from_one_to_the_other),
        cmocka_unit_test(free_turns_keep_angular_momentum_and_energy),
        cmocka_unit_test(a_symmetric_top_precesses_to_second_order),
        cmocka_unit_test(free_turns_about_an_axis_are_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
