/* SPDX-License-Identifier: BSD-3-Clause */
/* Two strings that collide: printed figures, a chain of masses, reflections. */
#include "support/theory.h"

typedef struct string_case {
    double ea[2], m[2], t[2], v;
} string_case;

static haw_theory_result collide(void *context, const string_case *c, double along, double end)
{
    const setting set[] = {{"stiffness-a", c->ea[0], NULL}, {"stiffness-b", c->ea[1], NULL},
                           {"density-a", c->m[0], NULL},    {"density-b", c->m[1], NULL},
                           {"tension-a", c->t[0], NULL},    {"tension-b", c->t[1], NULL},
                           {"speed", c->v, NULL},           {"along", along, NULL},
                           {"friction", 0.3, NULL},         {"end", end, NULL}};
    return theory_run(context, "collision", 10, set);
}

static const string_case slow = {{1e4, 1e4}, {.05, .05}, {100, 100}, .2};
static const string_case unequal = {{1e5, 1e5}, {.05, .05}, {100, 400}, 2};
static const string_case fast = {{1e4, 1e4}, {1e-3, 1e-3}, {100, 100}, 100};
static const string_case both = {{1e4, 2e4}, {1e-3, 2e-3}, {100, 50}, 60};

static void collisions_have_the_printed_figures(void **state)
{
    haw_theory_result a = collide(*state, &unequal, 0, 1e-3);
    assert_digits(haw_theory_value(&a, "speed_a"), "1.32970");
    assert_digits(haw_theory_value(&a, "force"), "5.98470");
    assert_digits(haw_theory_value(&a, "linear_force"), "5.95690");
    haw_theory_result b = collide(*state, &fast, 0, 1e-3);
    assert_near(haw_theory_value(&b, "speed_a"), 50, 1e-9, 0);
    assert_digits(haw_theory_value(&b, "force"), "33.25424");
    assert_digits(haw_theory_value(&b, "linear_force"), "31.46584");
    assert_digits(haw_theory_value(&b, "strain_a"), ".0111821");
    assert_digits(haw_theory_value(&b, "slope_a"), ".148694");
    haw_theory_result c = collide(*state, &both, 0, 1e-3);
    assert_digits(haw_theory_value(&c, "speed_a"), "31.58431");
    assert_digits(haw_theory_value(&c, "force"), "20.34863");
    haw_theory_result_free(*state, &a);
    haw_theory_result_free(*state, &b);
    haw_theory_result_free(*state, &c);
}

static void oblique_collisions_stick_or_slip_as_printed(void **state)
{
    haw_theory_result stick = collide(*state, &slow, .03, 1e-3);
    assert_digits(haw_theory_value(&stick, "critical_ratio"), ".16493");
    assert_digits(haw_theory_value(&stick, "friction_force"), ".12142");
    assert_string_equal(haw_theory_word(&stick, "contact"), "sticks");
    haw_theory_result slip = collide(*state, &slow, .06, 1e-3);
    assert_digits(haw_theory_value(&slip, "friction_force"), ".13350");
    assert_digits(haw_theory_value(&slip, "slip_speed"), ".02701");
    assert_string_equal(haw_theory_word(&slip, "contact"), "slips");
    haw_theory_result_free(*state, &stick);
    haw_theory_result_free(*state, &slip);
}

/* N = Z v (1, 3, 5): the waves come back from the supports turned over. */
static void reflections_add_up_as_printed(void **state)
{
    static const double when[] = {10e-3, 30e-3, 50e-3}, force[] = {.4450, 1.335, 2.225};
    haw_theory_result r = collide(*state, &slow, 0, 60e-3);
    const haw_quantity *t = theory_profile(&r, "time"), *n = theory_profile(&r, "force_small");
    const haw_quantity *w = theory_profile(&r, "speed_small");
    assert_near(haw_theory_value(&r, "transverse_return"), 22.25e-3, 0.01e-3, 0);
    for (int k = 0; k < 3; ++k) {
        const int i = (int)(when[k] / 60e-3 * (t->count - 1));
        assert_near(t->value[i], when[k], 1e-9, 0);
        assert_near(n->value[i], force[k], 0, 1e-3);
        assert_near(w->value[i], .1, 1e-12, 0);
    }
    haw_theory_result_free(*state, &r);
}

/* ---- a chain of masses ---- */

enum { MASSES = 800 };

/* Half of a string from the contact (number 0) to its support, in its own plane. */
typedef struct chain {
    double x[MASSES + 1][2], v[MASSES + 1][2], ea, mass, length, first;
} chain;

static void chain_start(chain *c, double ea, double density, double tension, double speed)
{
    const double e0 = tension / ea, unstrained = 0.5 / (1 + e0) / MASSES;
    memset(c, 0, sizeof *c);
    for (int i = 0; i <= MASSES; ++i) {
        c->x[i][0] = 0.5 * i / MASSES;
        c->v[i][1] = speed;
    }
    c->ea = ea;
    c->length = unstrained;
    c->mass = density * unstrained;
}

static void chain_force(const chain *c, int i, double f[2])
{
    const double dx = c->x[i + 1][0] - c->x[i][0], dy = c->x[i + 1][1] - c->x[i][1];
    const double l = hypot(dx, dy), n = c->ea * (l / c->length - 1);
    f[0] = n * dx / l;
    f[1] = n * dy / l;
}

/* All but the contact and the support; c->first: force of the first link across. */
static void chain_step(chain *c, double h)
{
    double left[2], right[2];
    chain_force(c, 0, left);
    c->first = left[1];
    for (int i = 1; i < MASSES; ++i) {
        chain_force(c, i, right);
        for (int j = 0; j < 2; ++j) {
            c->v[i][j] += h / c->mass * (right[j] - left[j]);
            left[j] = right[j];
        }
    }
}

static void chain_move(chain *c, double h)
{
    for (int i = 0; i <= MASSES; ++i) {
        c->x[i][0] += h * c->v[i][0];
        c->x[i][1] += h * c->v[i][1];
    }
}

/* Means of speed and force over a window, the middles of both strings moving as one. */
static void collide_chains(const string_case *s, const double window[2], double *speed,
                           double *force)
{
    static chain a, b;
    const double fastest = fmax(sqrt(s->ea[0] / s->m[0]), sqrt(s->ea[1] / s->m[1]));
    const double h = 0.4 * 0.5 / MASSES / fastest;
    double sum = 0, at[2] = {0, 0}, t = 0;
    chain_start(&a, s->ea[0], s->m[0], s->t[0], 0);
    chain_start(&b, s->ea[1], s->m[1], s->t[1], s->v);
    const double joined = a.mass + b.mass;
    const double w = s->v * b.mass / joined;
    a.v[0][1] = b.v[0][1] = w;
    const int steps = (int)(window[1] / h);
    for (int step = 0; step < steps; ++step) {
        t = step * h;
        chain_step(&a, h);
        chain_step(&b, h);
        const double rate = 2 * (a.first + b.first) / joined, before = a.v[0][1];
        a.v[0][1] = b.v[0][1] = before + h * rate;
        if (t >= window[0] && at[0] <= 0) {
            at[0] = t;
            at[1] = a.x[0][1];
        }
        if (t >= window[0]) {
            sum += h * (a.mass * rate - 2 * a.first);
        }
        chain_move(&a, h);
        chain_move(&b, h);
    }
    t += h;
    *speed = (a.x[0][1] - at[1]) / (t - at[0]);
    *force = sum / (t - at[0]);
}

static void a_chain_of_masses_collides_with_that_force_and_speed(void **state)
{
    const string_case *const rows[] = {&fast, &both};
    for (int i = 0; i < 2; ++i) {
        haw_theory_result r = collide(*state, rows[i], 0, 1e-5);
        const double end = haw_theory_value(&r, "longitudinal_return");
        const double window[] = {0.3 * end, 0.95 * end};
        double speed = 0, force = 0;
        collide_chains(rows[i], window, &speed, &force);
        assert_near(haw_theory_value(&r, "speed_a"), speed, 0, 1e-3);
        assert_near(haw_theory_value(&r, "force"), force, 0, 1e-3);
        haw_theory_result_free(*state, &r);
    }
}

TEST_FILE(test_theory_collision)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(collisions_have_the_printed_figures),
        cmocka_unit_test(oblique_collisions_stick_or_slip_as_printed),
        cmocka_unit_test(reflections_add_up_as_printed),
        cmocka_unit_test(a_chain_of_masses_collides_with_that_force_and_speed),
    };
    return cmocka_run_group_tests(tests, theory_create, theory_free);
}
