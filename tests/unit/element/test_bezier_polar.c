/* SPDX-License-Identifier: BSD-3-Clause */
/* The polar kind: its configuration-dependent map, mass and inertia forces. */
#include "support/finite.h"
#include "support/line.h"

enum { ELEMENTS = 3, DOFS = 18 };

static haw_line polar_line(double q[DOFS])
{
    haw_line line = line_make("bezier-polar", ELEMENTS, 1.0);
    line.gravity[0] = 3.0;
    line.gravity[1] = -9.81;
    line.ops->interpolate(&line, line_wavy, NULL, q);
    for (int i = 0; i < DOFS; i++) {
        q[i] += 0.01 * sin(5.0 * i); /* r and q of neighbours differ: G1, not C1 */
    }
    return line;
}

static void derivatives_agree_with_differences(void **state)
{
    (void)state;
    double q[DOFS];
    haw_line line = polar_line(q);
    line_check_derivatives(&line, q, 1e-4);
    line_check_position(&line, q, 1e-3);
    q[3] = -q[3]; /* mirror state */
    line_check_derivatives(&line, q, 1e-4);
    line.slack = true;
    line_check_derivatives(&line, q, 1e-4);
}

static void mass_is_the_integral_of_the_shape_functions(void **state)
{
    (void)state;
    double q[DOFS], u[DOFS];
    const haw_line line = polar_line(q);
    for (int i = 0; i < DOFS; i++) {
        u[i] = cos(3.0 * i);
    }
    line_check_mass(&line, q, u);
}

/* Same control points as the C0 kind: same energies; forces related by the virtual work. */
static void geometry_of_the_control_points_decides(void **state)
{
    (void)state;
    double q[DOFS], q0[LINE_MAX], f[DOFS], f0[LINE_MAX], v[2] = {0.0, 0.0}, v0[2] = {0.0, 0.0};
    const haw_line line = polar_line(q);
    haw_line c0 = line_make("bezier-c0", ELEMENTS, 1.0);
    memcpy(c0.gravity, line.gravity, sizeof c0.gravity);
    for (int e = 0; e < ELEMENTS; e++) {
        double p[HAW_HULL_MAX][2];
        line.ops->controls(&line, e, q, p);
        memcpy(q0 + 6 * e, p, sizeof p);
    }
    line.ops->energy(&line, q, v);
    c0.ops->energy(&c0, q0, v0);
    assert_near(v[0], v0[0], 0.0, 1e-13);
    assert_near(v[1], v0[1], 0.0, 1e-13);
    line_force_function(&line, q, f);
    line_force_function(&c0, q0, f0);
    for (int n = 0; n <= ELEMENTS; n++) {
        static const double none[2] = {0.0, 0.0};
        const double *before = n > 0 ? f0 + 6 * n - 2 : none;
        const double *after = n < ELEMENTS ? f0 + 6 * n + 2 : none;
        const double c = cos(q[5 * n + 2]), s = sin(q[5 * n + 2]);
        const double r = n < ELEMENTS ? q[5 * n + 3] : 0.0, arm = n > 0 ? q[5 * n - 1] : 0.0;
        assert_near(f[5 * n], f0[6 * n] + before[0] + after[0], 1e-9, 0.0);
        assert_near(f[5 * n + 2],
                    r * (c * after[1] - s * after[0]) - arm * (c * before[1] - s * before[0]), 1e-9,
                    0.0);
        if (n < ELEMENTS) {
            assert_near(f[5 * n + 3], c * after[0] + s * after[1], 1e-9, 0.0);
        }
        if (n > 0) {
            assert_near(f[5 * n - 1], -(c * before[0] + s * before[1]), 1e-9, 0.0);
        }
    }
}

/* Momentum dT/du at q + t u, for d/dt of it; and T at any q for dT/dq. */
typedef struct motion {
    const haw_line *line;
    double q[DOFS], u[DOFS];
} motion;

static void momentum_over_time(const void *user, const double *t, double *p)
{
    const motion *m = user;
    static double mass[DOFS * DOFS];
    double q[DOFS];
    for (int i = 0; i < DOFS; i++) {
        q[i] = m->q[i] + *t * m->u[i];
    }
    line_mass(m->line, q, mass);
    for (int i = 0; i < DOFS; i++) {
        p[i] = 0.0;
        for (int j = 0; j < DOFS; j++) {
            p[i] += mass[DOFS * i + j] * m->u[j];
        }
    }
}

static void kinetic_over_place(const void *user, const double *q, double *t)
{
    const motion *m = user;
    *t = m->line->ops->kinetic(m->line, q, m->u);
}

/* Lagrange: M u' = force + gyroscopic, gyroscopic = -(dM/dt u - dT/dq). */
static void gyroscopic_force_is_that_of_lagrange(void **state)
{
    (void)state;
    motion m;
    const haw_line line = polar_line(m.q);
    double rate[DOFS], gradient[DOFS], f[DOFS] = {0.0};
    const double now = 0.0;
    m.line = &line;
    for (int i = 0; i < DOFS; i++) {
        m.u[i] = cos(2.0 * i);
    }
    finite_jacobian(momentum_over_time, &m, 1, DOFS, &now, 1e-3, rate);
    finite_jacobian(kinetic_over_place, &m, DOFS, 1, m.q, 1e-3, gradient);
    line.ops->gyroscopic(&line, m.q, m.u, f);
    for (int i = 0; i < DOFS; i++) {
        assert_near(f[i], gradient[i] - rate[i], 1e-11, 0.0);
    }
}

/* An error of 1.3e-4 ... 9.4e-10 at 2 ... 16 elements, sixth order in Le. */
static void string_frequency_converges_with_sixth_order(void **state)
{
    (void)state;
    static const double expected[] = {1.303e-4, 3.175e-6, 5.75e-8, 9.4e-10};
    for (int i = 0; i < 4; i++) {
        assert_near(line_string_error("bezier-polar", 2 << i), expected[i], 0.0, 0.05);
    }
}

static void step_limit_is_sharp(void **state)
{
    (void)state;
    const haw_element_ops *ops =
        (const haw_element_ops *)haw_row_find(haw_elements, "bezier-polar");
    const double pinned = line_step_limit("bezier-polar", 20, true);
    assert_true(pinned >= ops->step_limit && pinned < 1.01 * ops->step_limit);
    for (int elements = 1; elements <= 16; elements *= 2) {
        assert_true(line_step_limit("bezier-polar", elements, false) >= ops->step_limit_free);
    }
}

static void handle_is_the_shortest_of_the_cable(void **state)
{
    (void)state;
    double q[DOFS];
    const haw_line line = polar_line(q);
    q[9] = 0.03 * line.le / 3.0;
    assert_near(line.ops->handle(&line, q), 0.03, 0.0, 1e-14);
    assert_true(line.ops->handle(&line, q) < line.ops->handle_min);
    q[13] = -0.5 * line.le / 3.0;
    assert_near(line.ops->handle(&line, q), -0.5, 0.0, 1e-14);
    assert_null(((const haw_element_ops *)haw_row_find(haw_elements, "bezier"))->handle);
}

TEST_FILE(test_bezier_polar)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_agree_with_differences),
        cmocka_unit_test(mass_is_the_integral_of_the_shape_functions),
        cmocka_unit_test(geometry_of_the_control_points_decides),
        cmocka_unit_test(gyroscopic_force_is_that_of_lagrange),
        cmocka_unit_test(string_frequency_converges_with_sixth_order),
        cmocka_unit_test(step_limit_is_sharp),
        cmocka_unit_test(handle_is_the_shortest_of_the_cable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
