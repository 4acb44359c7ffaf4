/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/small.h"
#include "solver/interior.h"
#include "support/near.h"
#include "support/random.h"

#include <string.h>

typedef struct point {
    double s[3], u[3], z[4];
} point;

static point random_point(int d, double mu, uint64_t *seed)
{
    point p = {{0}, {0}, {0}};
    double force = 0, slip = 0;
    for (int k = 1; k < d; k++) {
        p.s[k] = random_signed(seed);
        p.z[k] = random_signed(seed);
        force = hypot(force, p.s[k]);
        slip = hypot(slip, p.z[k]);
    }
    for (int k = 0; k < d; k++) {
        p.u[k] = random_signed(seed);
    }
    p.s[0] = mu > 0 ? (force + 0.1 + fabs(random_signed(seed))) / mu : 0.7;
    p.z[0] = 0.1 + fabs(random_signed(seed));
    p.z[d] = slip + 0.1 + fabs(random_signed(seed));
    return p;
}

static point moved(int d, const point *p, double part, const point *step)
{
    point q = *p;
    for (int k = 0; k <= d; k++) {
        q.z[k] += part * step->z[k];
    }
    for (int k = 0; k < d; k++) {
        q.s[k] += part * step->s[k];
        q.u[k] += part * step->u[k];
    }
    return q;
}

/* y - u, s_N y_N - t, R l + s_T . y_T - 2 t, R y_T + l s_T. */
static void formula(int d, double mu, double t, const point *p, double f[8])
{
    memset(f, 0, 8 * sizeof *f);
    f[3] = p->s[0] * p->z[0] - t;
    f[4] = mu * p->s[0] * p->z[d] - 2 * t;
    for (int k = 0; k < d; k++) {
        f[k] = p->z[k] - p->u[k];
        f[4] += k > 0 ? p->s[k] * p->z[k] : 0;
        f[4 + k] += k > 0 ? mu * p->s[0] * p->z[k] + p->z[d] * p->s[k] : 0;
    }
}

static haw_interior contact_at(int d, double mu, double t, const point *p)
{
    return (haw_interior){.d = d, .mu = mu, .alpha = 0.4, .t = t, .s = p->s, .u = p->u, .z = p->z};
}

/* ds and dz of the equations for a random du, to which alpha ds comes. */
static point newton_step(const haw_interior *contact, uint64_t *seed)
{
    const int d = contact->d;
    double g[3], a[9], b[9], inverse[9];
    point step = {{0}, {0}, {0}};
    haw_interior_equations(contact, g, a, b);
    for (int k = 0; k < d * d; k++) {
        b[k] += contact->alpha * a[k];
    }
    haw_invert[d](b, inverse);
    for (int k = 0; k < d; k++) {
        step.u[k] = random_signed(seed);
    }
    for (int k = 0; k < d * d; k++) {
        const int row = k % d;
        double rest = -g[row];
        for (int j = 0; j < d; j++) {
            rest -= a[d * row + j] * step.u[j];
        }
        step.s[k / d] += inverse[k] * rest;
    }
    haw_interior_slack(contact, step.s, step.u, step.z);
    for (int k = 0; k < d; k++) {
        step.u[k] += contact->alpha * step.s[k];
    }
    return step;
}

/* A small part of Newton's step takes that part of the residuals away, all of them. */
static void steps_are_those_of_newton(void **state)
{
    (void)state;
    static const double part = 1e-7;
    uint64_t seed = 5;
    for (int i = 0; i < 100; i++) {
        const int d = 2 + i % 2;
        const double mu = 0.2 + 0.01 * i, t = 0.3;
        const point p = random_point(d, mu, &seed);
        const haw_interior contact = contact_at(d, mu, t, &p);
        const point step = newton_step(&contact, &seed), next = moved(d, &p, part, &step);
        double before[8], after[8];
        formula(d, mu, t, &p, before);
        formula(d, mu, t, &next, after);
        for (int k = 0; k < 4 + d; k++) {
            assert_near((before[k] - after[k]) / part, before[k], 1e-4, 1e-4);
        }
    }
}

/* With the products of the first step in it, the second leaves products of higher order only. */
static void corrected_steps_end_nearer(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 40; i++) {
        const int d = 2 + i % 2;
        const point p = random_point(d, 0.4, &seed);
        double f[8], first[3] = {0}, g[3], a[9], b[9];
        haw_interior contact = contact_at(d, 0.4, 0, &p);
        const point step = newton_step(&contact, &seed), end = moved(d, &p, 1, &step);
        haw_interior_equations(&contact, first, a, b);
        contact.ds = step.s;
        contact.dz = step.z;
        haw_interior_equations(&contact, g, a, b);
        formula(d, 0.4, 0, &end, f); /* the products that the linear equations left out */
        assert_near((g[0] - first[0]) * (p.s[0] + p.z[0]), f[3], 1e-12, 1e-12);
        for (int k = 1; k < d; k++) {
            const double radius = 0.4 * p.s[0];
            assert_near((g[k] - first[k]) * (radius + p.z[d]), f[4 + k] - p.s[k] * f[4] / radius,
                        1e-12, 1e-10);
        }
    }
}

static double edge(int d, double mu, const point *p)
{
    double force = 0, slip = 0;
    for (int k = 1; k < d; k++) {
        force = hypot(force, p->s[k]);
        slip = hypot(slip, p->z[k]);
    }
    return fmin(fmin(p->s[0], p->z[0]), fmin(mu * p->s[0] - force, p->z[d] - slip));
}

static void steps_end_at_the_edge(void **state)
{
    (void)state;
    uint64_t seed = 11;
    int ends = 0;
    for (int i = 0; i < 200; i++) {
        const int d = 2 + i % 2;
        const point p = random_point(d, 0.3, &seed);
        const haw_interior contact = contact_at(d, 0.3, 0.01, &p);
        const point step = newton_step(&contact, &seed);
        const double room = haw_interior_room(&contact, step.s, step.z);
        assert_true(room > 0);
        const point far = moved(d, &p, fmin(room, 1e3), &step),
                    near = moved(d, &p, 0.98 * fmin(room, 1e3), &step);
        assert_true(edge(d, 0.3, &near) > 0);
        if (room < 1e3) {
            assert_near(edge(d, 0.3, &far), 0, 1e-9, 1e-9);
            ends++;
        }
    }
    assert_true(ends > 100);
}

static void without_friction_there_is_none(void **state)
{
    (void)state;
    uint64_t seed = 13;
    const point p = random_point(3, 0, &seed);
    const haw_interior contact = contact_at(3, 0, 0.2, &p);
    const point step = newton_step(&contact, &seed);
    assert_near(step.s[1], -p.s[1], 1e-15, 0);
    assert_near(step.s[2], -p.s[2], 1e-15, 0);
    assert_near(p.s[0] * step.z[0] + p.z[0] * step.s[0], 0.2 - p.s[0] * p.z[0], 1e-14, 0);
    assert_near(haw_interior_gap(&contact, 1, step.s, step.z),
                (p.s[0] + step.s[0]) * (p.z[0] + step.z[0]), 1e-14, 0);
    const double less[3] = {-2, 0, 0}, more[4] = {1, 0, 0, 0};
    assert_near(haw_interior_room(&contact, less, more), 0.5 * p.s[0], 1e-15, 0);
}

/* Sums of products, with the sizes of both cones: 3 t where the equations hold. */
static void gaps_are_sums_of_products(void **state)
{
    (void)state;
    static const double mu = 0.3, part = 0.4;
    uint64_t seed = 19;
    for (int i = 0; i < 50; i++) {
        const int d = 2 + i % 2;
        const point p = random_point(d, mu, &seed), step = random_point(d, mu, &seed);
        const point end = moved(d, &p, part, &step);
        const haw_interior contact = contact_at(d, mu, 0.2, &p);
        double f[8];
        formula(d, mu, 0.2, &end, f);
        assert_near(haw_interior_gap(&contact, part, step.s, step.z), f[3] + f[4] + 0.6, 1e-13, 0);
    }
}

/* Where rounding has put a point on its cone. */
static void edges_leave_some_room(void **state)
{
    (void)state;
    const point p = {{2, 1}, {0, 0}, {1, 0.5, 0.5}};
    const double ds[2] = {1, -0.5}, dz[3] = {1, -0.5, 0.5};
    const haw_interior contact = contact_at(2, 0.5, 0, &p);
    assert_true(isfinite(haw_interior_product(&contact, ds, dz, ds, dz)));
    const double out[2] = {0, 1};
    assert_true(haw_interior_room(&contact, out, dz) > 0);
}

/* In the plane: relative changes of all that must stay positive. */
static void products_are_those_of_relative_changes(void **state)
{
    (void)state;
    static const double mu = 0.3;
    uint64_t seed = 17;
    for (int i = 0; i < 50; i++) {
        const point p = random_point(2, mu, &seed);
        const haw_interior contact = contact_at(2, mu, 0.01, &p);
        const point a = newton_step(&contact, &seed), b = newton_step(&contact, &seed);
        double want = a.s[0] * b.s[0] / (p.s[0] * p.s[0]) + a.z[0] * b.z[0] / (p.z[0] * p.z[0]);
        for (int k = -1; k <= 1; k += 2) {
            const double force = mu * p.s[0] + k * p.s[1], slip = p.z[2] + k * p.z[1];
            want += (mu * a.s[0] + k * a.s[1]) * (mu * b.s[0] + k * b.s[1]) / (force * force);
            want += (a.z[2] + k * a.z[1]) * (b.z[2] + k * b.z[1]) / (slip * slip);
        }
        assert_near(haw_interior_product(&contact, a.s, a.z, b.s, b.z), want, 1e-10, 1e-10);
    }
}

TEST_FILE(test_interior)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_newton),
        cmocka_unit_test(corrected_steps_end_nearer),
        cmocka_unit_test(steps_end_at_the_edge),
        cmocka_unit_test(without_friction_there_is_none),
        cmocka_unit_test(gaps_are_sums_of_products),
        cmocka_unit_test(edges_leave_some_room),
        cmocka_unit_test(products_are_those_of_relative_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
