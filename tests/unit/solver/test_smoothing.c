/* SPDX-License-Identifier: BSD-3-Clause */
#include "solver/newton.h"
#include "solver/smoothing.h"
#include "support/near.h"
#include "support/random.h"

#include <stdbool.h>

/* Scaled impulse and velocity of a contact. */
typedef struct point {
    double s[3], u[3];
} point;

static point random_point(int d, uint64_t *seed)
{
    point p = {{0}, {0}};

    for (int i = 0; i < d; i++) {
        p.s[i] = random_signed(seed);
        p.u[i] = random_signed(seed);
    }
    return p;
}

static point moved(const point *p, double t, const point *direction)
{
    point q;

    for (int i = 0; i < 3; i++) {
        q.s[i] = p->s[i] + t * direction->s[i];
        q.u[i] = p->u[i] + t * direction->u[i];
    }
    return q;
}

static void residual(const haw_smoothing *k, const point *p, double g[3])
{
    haw_smoothing_residual(k, p->s, p->u, g, NULL, NULL);
}

/* ---- the formula ---- */

static double max_e(double x, double y, double e)
{
    return 0.5 * (x + y + sqrt((x - y) * (x - y) + 4.0 * e * e));
}

/* g_N = (s_N - max_e(a, 0))/c, g_T = (s_T - x R/max_e(R, |x|))/c, R = mu max_e(a, 0). In impulses
 * the width is c e; that of the disk is mu times as large, and a thousandth where mu is 0. */
static void formula(const haw_smoothing *k, const point *p, double g[3])
{
    const double a = max_e(p->s[0] - k->c * p->u[0], 0.0, k->c * k->e);
    double x[3] = {0}, length = 0.0;

    for (int i = 1; i < k->d; i++) {
        x[i] = p->s[i] - k->c * p->u[i];
        length = hypot(length, x[i]);
    }
    const double disk = max_e(k->mu * a, length, k->c * k->e * fmax(k->mu, 1e-3));

    g[0] = (p->s[0] - a) / k->c;
    for (int i = 1; i < k->d; i++) {
        g[i] = (p->s[i] - x[i] * k->mu * a / disk) / k->c;
    }
}

static void corners_are_rounded_by_the_published_maximum(void **state)
{
    static const double widths[] = {1e-8, 1e-3, 0.1, 3.0}, frictions[] = {0.0, 5e-4, 0.8, 20.0};
    uint64_t seed = 1;

    (void)state;
    for (int i = 0; i < 3200; i++) {
        const haw_smoothing k = {2 + i % 2, frictions[i / 16 % 4], i % 4 < 2 ? 1.0 : 0.3,
                                 widths[i / 4 % 4]};
        const point p = random_point(k.d, &seed);
        double g[3], want[3];

        residual(&k, &p, g);
        formula(&k, &p, want);
        for (int row = 0; row < k.d; row++) {
            assert_near(g[row], want[row], 1e-12 * (1.0 + k.mu), 0.0);
        }
    }
}

/* Open contacts far from closing and closed ones far from opening: 2 e^2 may be 1e-20 of the rest,
 * and is the whole residual of a solution. */
static void small_excesses_are_not_lost(void **state)
{
    const haw_smoothing k = {2, 0.5, 1.0, 1e-10};
    double g[2];

    (void)state;
    haw_smoothing_residual(&k, (double[]){1.0, 0.1}, (double[]){0.0, 0.0}, g, NULL, NULL);
    assert_near(g[0], -1e-20, 0.0, 1e-8);                       /* -e^2/a */
    assert_near(g[1], 0.1 * 0.25e-20 / (0.4 * 0.5), 0.0, 1e-8); /* s_T (mu e)^2/((R - |x|) R) */
    haw_smoothing_residual(&k, (double[]){0.0, 0.0}, (double[]){2.0, 0.0}, g, NULL, NULL);
    assert_near(g[0], -0.5e-20, 0.0, 1e-8);
}

/* ---- derivatives ---- */

/* Central differences along a random direction. @return false if too near a kink of e = 0 */
static bool check_derivative(const haw_smoothing *k, uint64_t *seed, int seen[3])
{
    const point p = random_point(k->d, seed), direction = random_point(k->d, seed);
    const double h = 1e-6;
    const point ends[2] = {moved(&p, -h, &direction), moved(&p, h, &direction)};
    const haw_contact_equations exact = {k->d, k->mu, k->c};
    double g[3], a[9], b[9], far[2][3], unused[3];
    const haw_contact_state state = haw_newton_residual(&exact, p.s, p.u, unused);

    for (int side = 0; side < 2; side++) {
        residual(k, &ends[side], far[side]);
        if (k->e == 0.0 &&
            haw_newton_residual(&exact, ends[side].s, ends[side].u, unused) != state) {
            return false;
        }
    }
    seen[state]++;
    haw_smoothing_residual(k, p.s, p.u, g, a, b);
    for (int i = 0; i < k->d; i++) {
        double want = 0.0;

        for (int j = 0; j < k->d; j++) {
            want += a[k->d * i + j] * direction.u[j] + b[k->d * i + j] * direction.s[j];
        }
        assert_near((far[1][i] - far[0][i]) / (2.0 * h), want, 2e-6, 2e-6);
    }
    return true;
}

static void derivatives_are_those_of_the_residual(void **state)
{
    static const double widths[] = {0.0, 1e-2, 0.1, 1.0};
    uint64_t seed = 2;

    (void)state;
    for (int i = 0; i < 16; i++) {
        haw_smoothing k = {.d = 2 + i % 2, .c = i / 2 % 2 == 0 ? 1.0 : 0.4, .e = widths[i / 4]};
        int seen[3] = {0}, checked = 0;

        for (int trial = 0; trial < 400; trial++) {
            k.mu = trial % 10 == 0 ? 0.0 : 0.8;
            checked += check_derivative(&k, &seed, seen);
        }
        assert_true(checked > 390);
        assert_true(seen[HAW_CONTACT_OPEN] > 50 && seen[HAW_CONTACT_STICK] > 20 &&
                    seen[HAW_CONTACT_SLIP] > 50);
    }
}

/* ---- the limit ---- */

static void without_a_width_it_is_the_residual_of_newton(void **state)
{
    uint64_t seed = 3;
    int seen[3] = {0};

    (void)state;
    for (int i = 0; i < 1000; i++) {
        const haw_smoothing k = {2 + i % 2, i % 10 == 0 ? 0.0 : 0.7, 0.6, 0.0};
        const haw_contact_equations exact = {k.d, k.mu, k.c};
        const point p = random_point(k.d, &seed);
        double g[2][3], a[2][9], b[2][9];

        haw_smoothing_residual(&k, p.s, p.u, g[0], a[0], b[0]);
        seen[haw_newton_jacobian(&exact, p.s, p.u, g[1], a[1], b[1])]++;
        for (int row = 0; row < k.d; row++) {
            assert_near(g[0][row], g[1][row], 1e-14, 0.0);
        }
        for (int row = 0; row < k.d * k.d; row++) {
            assert_near(a[0][row], a[1][row], 1e-13, 0.0);
            assert_near(b[0][row], b[1][row], 1e-13, 0.0);
        }
    }
    assert_true(seen[HAW_CONTACT_OPEN] > 100 && seen[HAW_CONTACT_STICK] > 50 &&
                seen[HAW_CONTACT_SLIP] > 100);
}

/* max_e exceeds the maximum by e at most; s and x over c are below 2 and 4 here. */
static void residuals_approach_the_limit_with_the_width(void **state)
{
    uint64_t seed = 4;

    (void)state;
    for (int i = 0; i < 1000; i++) {
        const int d = 2 + i % 2;
        const haw_contact_equations exact = {d, 0.7, 0.6};
        const point p = random_point(d, &seed);
        double g[3], want[3];

        (void)haw_newton_residual(&exact, p.s, p.u, want);
        for (int power = 2; power < 9; power++) {
            const double e = pow(10.0, -power);

            residual(&(haw_smoothing){d, 0.7, 0.6, e}, &p, g);
            assert_true(want[0] - g[0] >= -1e-15 && want[0] - g[0] <= e * (1.0 + 1e-9));
            for (int row = 1; row < d; row++) {
                assert_near(g[row], want[row], 2.0 * e, 0.0);
            }
        }
    }
}

/* s_N = max_e(s_N - c u_N, 0) means s_N u_N = c e^2: there is some force at any distance. */
static void every_contact_carries_some_force(void **state)
{
    const haw_smoothing k = {2, 0.4, 0.5, 0.01};
    double g[2];

    (void)state;
    for (int i = -3; i <= 3; i++) {
        const double s = pow(10.0, i), u = k.c * k.e * k.e / s;

        haw_smoothing_residual(&k, (double[]){s, 0.0}, (double[]){u, 0.0}, g, NULL, NULL);
        assert_near(g[0], 0.0, 1e-13, 0.0);
        assert_near(g[1], 0.0, 0.0, 0.0);
    }
}

TEST_FILE(test_smoothing)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_are_rounded_by_the_published_maximum),
        cmocka_unit_test(small_excesses_are_not_lost),
        cmocka_unit_test(derivatives_are_those_of_the_residual),
        cmocka_unit_test(without_a_width_it_is_the_residual_of_newton),
        cmocka_unit_test(residuals_approach_the_limit_with_the_width),
        cmocka_unit_test(every_contact_carries_some_force),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
