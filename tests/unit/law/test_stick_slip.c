/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A mass of 1 kg on a plane, drawn by a spring of 2 N/m whose end moves at 0.1 m/s; friction 1.5 N
 * at rest and 1 N in motion, v_s = 1 mm/s (K. Ntarladima, M. Pieber, J. Gerstmayr, Nonlinear
 * Dynamics 2023, section 2.4). Implicit trapezoidal rule.
 *
 * Limit of rigid bristles: slip begins at 7.5 s and then every 7.685287 s, advances the mass by
 * 0.768529 m and reaches 0.472857 m/s (event-exact integration of Coulomb friction with Stribeck's
 * curve).
 */
#include "law/law.h"
#include "support/csv.h"
#include "support/near.h"

enum { SLIPS_MAX = 8 };

typedef struct slider {
    const haw_friction_ops *law;
    haw_friction_parameters p;
    double h;
    double t, x, v, a, memory; /* memory: deflection of the bristle, or z */
    double force;
} slider;

typedef struct record {
    int slips, ends;
    double onset[SLIPS_MAX], end[SLIPS_MAX]; /* speed passes 1 mm/s */
    double rest[SLIPS_MAX];                  /* position at the end of the slip */
    double v_max, force_max;
} record;

/* Residual of the trapezoidal rule at the end velocity v: v_0 + h/2 (a_0 + a) - v. */
static double residual(const slider *s, double v, haw_friction_force *out, double *slope)
{
    const double moved = 0.5 * s->h * (s->v + v);
    const haw_friction_state at = {
        .normal = 1.0, .rate = v, .slide = s->memory + moved, .memory = s->memory, .h = s->h};

    s->law->force(&s->p, &at, out);
    const double a = 2.0 * (0.1 * (s->t + s->h) - s->x - moved) - out->force;

    *slope = -1.0 - 0.5 * s->h * (s->h + out->d_rate + 0.5 * s->h * out->d_slide);
    return s->v + 0.5 * s->h * (s->a + a) - v;
}

/* Newton's method within a shrinking bracket: the residual falls with v, with kinks. */
static double solve(const slider *s, haw_friction_force *out)
{
    double low = s->v - 0.1, high = s->v + 0.1, v = s->v, slope;

    for (int k = 0; k < 200 && high - low > 1.0e-16; k++) {
        const double r = residual(s, v, out, &slope);

        if (fabs(r) < 1.0e-15) {
            return v;
        }
        low = r > 0.0 ? v : low;
        high = r < 0.0 ? v : high;
        v -= r / slope;
        v = v > low && v < high ? v : 0.5 * (low + high);
    }
    (void)residual(s, v, out, &slope);
    return v;
}

static void advance(slider *s)
{
    haw_friction_force out;
    const double v = solve(s, &out);

    s->x += 0.5 * s->h * (s->v + v);
    s->a = 2.0 * (v - s->v) / s->h - s->a;
    s->v = v;
    s->t += s->h;
    s->memory = out.deflection;
    s->force = out.force;
}

static void observe(const slider *s, bool *moving, record *r)
{
    r->v_max = fmax(r->v_max, s->v);
    r->force_max = fmax(r->force_max, s->force);
    if (!*moving && s->v > 1.0e-3 && r->slips < SLIPS_MAX) {
        r->onset[r->slips++] = s->t;
    } else if (*moving && s->v <= 1.0e-3 && r->ends < SLIPS_MAX) {
        r->end[r->ends] = s->t;
        r->rest[r->ends++] = s->x;
    }
    *moving = s->v > 1.0e-3;
}

static slider make(const haw_friction_ops *law, double h)
{
    return (slider){.law = law,
                    .p = {.mu_static = 1.5,
                          .mu_kinetic = 1.0,
                          .stribeck_velocity = 1.0e-3,
                          .stiffness = 1.0e5,
                          .damping = sqrt(1.0e5)},
                    .h = h};
}

static record run(slider *s, double end)
{
    record r = {0};
    bool moving = false;

    while (s->t < end - 0.5 * s->h) {
        advance(s);
        observe(s, &moving, &r);
    }
    return r;
}

static void the_return_map_slips_as_rigid_bristles_do(void **state)
{
    slider s = make(&haw_friction_bristle, 1.0e-3);
    const record r = run(&s, 25.0);

    (void)state;
    assert_int_equal(r.slips, 3);
    assert_int_equal(r.ends, 2);
    assert_near(r.onset[1] - r.onset[0], 7.685287, 0.005, 0.0);
    assert_near(r.onset[2] - r.onset[1], 7.685287, 0.005, 0.0);
    assert_near(r.rest[1] - r.rest[0], 0.768529, 5.0e-4, 0.0);
    assert_near(r.v_max, 0.472857, 2.0e-4, 0.0);
    assert_near(r.force_max, 1.5, 1.0e-3, 0.0);
}

/* Figures of an independent trapezoidal run of the same model. */
static void the_return_map_has_its_known_figures(void **state)
{
    slider s = make(&haw_friction_bristle, 1.0e-3);
    const record r = run(&s, 25.0);

    (void)state;
    assert_near(r.onset[0], 7.542, 1.5e-3, 0.0);
    assert_near(r.onset[1], 15.226, 1.5e-3, 0.0);
    assert_near(r.onset[2], 22.911, 1.5e-3, 0.0);
    assert_near(r.end[0], 10.143, 1.5e-3, 0.0);
    assert_near(r.end[1], 17.828, 1.5e-3, 0.0);
    assert_near(r.v_max, 0.472794, 1.0e-6, 0.0);
    assert_near(r.rest[1] - r.rest[0], 0.76845, 5.0e-5, 0.0);
}

/* Stiffer bristles come closer to rigid ones. */
static void stiffer_bristles_reach_the_limit(void **state)
{
    slider s = make(&haw_friction_bristle, 2.0e-4);

    (void)state;
    s.p.stiffness = 1.0e6;
    s.p.damping = 1.0e3;
    const record r = run(&s, 25.0);

    assert_near(r.v_max, 0.472857, 1.0e-5, 0.0);
    assert_near(r.onset[1] - r.onset[0], 7.685287, 1.0e-3, 0.0);
}

/* ---- LuGre itself, against a Radau run of the same equations, relative tolerance 1e-10 ---- */

/* Largest distance from the reference over the run [m]; rows of the table are 10 ms apart. */
static double distance(const csv_table *table, int steps, record *r)
{
    slider s = make(&haw_friction_lugre, 1.0e-2 / steps);
    const int x = csv_column(table, "x_m");
    bool moving = false;
    double worst = 0.0;

    *r = (record){0};
    for (int row = 1; row < table->rows; row++) {
        for (int k = 0; k < steps; k++) {
            advance(&s);
            observe(&s, &moving, r);
        }
        worst = fmax(worst, fabs(s.x - csv_at(table, row, x)));
    }
    return worst;
}

/* The closed-form step of z is of first order, and so is all that follows from it. */
static void lugre_follows_its_reference(void **state)
{
    csv_table table;
    record coarse, fine;

    (void)state;
    csv_read("data/reference/beltdrive/lugre_s0_100000.csv", &table);
    const double first = distance(&table, 100, &coarse), second = distance(&table, 200, &fine);

    csv_free(&table);
    assert_near(second, 0.0, 1.0e-4, 0.0);
    assert_near(first / second, 2.0, 0.1, 0.0);
    assert_int_equal(fine.slips, 3);
    assert_near(fine.onset[0], 7.437, 1.0e-3, 0.0);
    assert_near(fine.onset[1], 14.931, 1.0e-3, 0.0);
    assert_near(fine.onset[2], 22.425, 1.0e-3, 0.0);
    assert_near(fine.end[0], 10.056, 1.0e-3, 0.0);
    assert_near(fine.end[1], 17.550, 1.0e-3, 0.0);
    assert_near(fine.v_max, 0.458732, 1.0e-5, 0.0);
    assert_near(fine.force_max, 1.476455, 1.0e-5, 0.0);
}

TEST_FILE(test_stick_slip)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_return_map_slips_as_rigid_bristles_do),
        cmocka_unit_test(the_return_map_has_its_known_figures),
        cmocka_unit_test(stiffer_bristles_reach_the_limit),
        cmocka_unit_test(lugre_follows_its_reference),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
