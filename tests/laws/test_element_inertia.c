/* SPDX-License-Identifier: BSD-3-Clause */
/* Inertia of every element kind, on random cables. */
#include "support/trial.h"
#include "support/vector.h"

/* A diagonal scalar mass is lumped: only its action on translations is that of the integral. */
static bool is_lumped(const trial *t)
{
    return t->line.ops->mass_width == 0;
}

/* Integral of rho J'J [dofs * dofs] by 5 points, more than exact for cubics. */
static void integrate_mass(const trial *t, double *integral)
{
    const int n = t->line.dofs, m = t->line.ops->dofs;
    haw_quadrature rule;
    haw_quadrature_init(5, &rule);
    memset(integral, 0, (size_t)(n * n) * sizeof *integral);
    for (int k = 0; k < TRIAL_ELEMENTS * rule.points; k++) {
        const int e = k / rule.points, first = t->line.ops->stride * e;
        double x[2], j[2 * HAW_ELEMENT_DOFS_MAX];
        const double weight = t->line.density * t->line.le * rule.weight[k % rule.points];
        t->line.ops->position(&t->line, e, rule.s[k % rule.points], t->q, x, j);
        for (int i = 0; i < m * m; i++) {
            const int row = i / m, column = i % m;
            integral[n * (first + row) + first + column] +=
                weight * (j[row] * j[column] + j[m + row] * j[m + column]);
        }
    }
}

static void check_mass(trial *t)
{
    const int n = t->line.dofs;
    static double mass[TRIAL_DOFS * TRIAL_DOFS], integral[TRIAL_DOFS * TRIAL_DOFS];
    line_mass(&t->line, t->q, mass);
    integrate_mass(t, integral);
    const double scale = vector_largest(n * n, mass);
    for (int i = 0; i < n * n && !is_lumped(t); i++) {
        TRIAL_NEAR(t, "mass", mass[i], integral[i], 1e-14 * scale, 0);
    }
    for (int i = 0; i < 2; i++) {
        double u[TRIAL_DOFS];
        trial_rigid(&t->line, t->q, (const double[3]){i == 0, i == 1, 0}, u);
        for (int k = 0; k < n; k++) {
            TRIAL_NEAR(t, "momentum of a translation", vector_dot(n, mass + n * k, u),
                       vector_dot(n, integral + n * k, u), 1e-14 * scale, 0);
        }
    }
}

static void mass_is_the_integral_over_the_position(void **state)
{
    (void)state;
    trial_all(check_mass, 1.06);
}

/* u_a'M u_b of the three rigid motions: total mass, first moments, moment of inertia. */
static void check_rigid(trial *t)
{
    const int n = t->line.dofs;
    static double mass[TRIAL_DOFS * TRIAL_DOFS];
    double x[TRIAL_DOFS], y[TRIAL_DOFS], product[TRIAL_DOFS];
    line_mass(&t->line, t->q, mass);
    trial_rigid(&t->line, t->q, (const double[3]){1, 0, 0}, x);
    trial_rigid(&t->line, t->q, (const double[3]){0, 1, 0}, y);
    for (int k = 0; k < n; k++) {
        product[k] = vector_dot(n, mass + n * k, x);
    }
    const double total = t->line.density * t->line.le * TRIAL_ELEMENTS;
    TRIAL_NEAR(t, "total mass", vector_dot(n, product, x), total, 0, 1e-14);
    TRIAL_NEAR(t, "coupling of x and y", vector_dot(n, product, y), 0, 1e-14 * total, 0);
}

static void translation_feels_the_total_mass(void **state)
{
    (void)state;
    trial_all(check_rigid, 1.06);
}

static void check_kinetic(trial *t)
{
    const int n = t->line.dofs;
    static double mass[TRIAL_DOFS * TRIAL_DOFS];
    double product[TRIAL_DOFS];
    line_mass(&t->line, t->q, mass);
    for (int k = 0; k < n; k++) {
        product[k] = vector_dot(n, mass + n * k, t->u);
        for (int i = 0; i < k; i++) {
            TRIAL_NEAR(t, "transposed mass", mass[n * i + k], mass[n * k + i], 0, 1e-15);
        }
    }
    TRIAL_NEAR(t, "kinetic energy", t->line.ops->kinetic(&t->line, t->q, t->u),
               vector_dot(n, product, t->u) / 2, 0, 1e-14);
    assert_int_equal(LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', n, mass, n), 0);
}

static void kinetic_energy_is_the_form_of_a_positive_mass(void **state)
{
    (void)state;
    trial_all(check_kinetic, 1.06);
}

/* Momentum of the material, integrated from the velocities of its points. */
static void check_momentum(trial *t)
{
    const int n = t->line.dofs, m = t->line.ops->dofs;
    double integral[3] = {0, 0, 0};
    static double mass[TRIAL_DOFS * TRIAL_DOFS];
    haw_quadrature rule;
    haw_quadrature_init(5, &rule);
    for (int k = 0; k < TRIAL_ELEMENTS * rule.points; k++) {
        const int e = k / rule.points;
        double x[2], j[2 * HAW_ELEMENT_DOFS_MAX];
        const double weight = t->line.density * t->line.le * rule.weight[k % rule.points];
        t->line.ops->position(&t->line, e, rule.s[k % rule.points], t->q, x, j);
        const double *u = t->u + t->line.ops->stride * e;
        const double vx = vector_dot(m, j, u), vy = vector_dot(m, j + m, u);
        integral[0] += weight * vx;
        integral[1] += weight * vy;
        integral[2] += weight * (x[0] * vy - x[1] * vx);
    }
    line_mass(&t->line, t->q, mass);
    for (int i = 0; i < (is_lumped(t) ? 2 : 3); i++) {
        double u[TRIAL_DOFS], momentum = 0;
        trial_rigid(&t->line, t->q, (const double[3]){i == 0, i == 1, i == 2}, u);
        for (int k = 0; k < n; k++) {
            momentum += u[k] * vector_dot(n, mass + n * k, t->u);
        }
        TRIAL_NEAR(t, i < 2 ? "momentum" : "angular momentum", momentum, integral[i],
                   1e-14 * t->line.density, 0);
    }
}

static void momentum_is_that_of_the_moving_material(void **state)
{
    (void)state;
    trial_all(check_momentum, 1.06);
}

/* dT/du_i at q + time u; the energy is quadratic in u, so that differences over u are exact. */
static void momentum_over_time(const void *user, const double *time, double *momentum)
{
    const trial *t = user;
    double q[TRIAL_DOFS], u[TRIAL_DOFS];
    for (int i = 0; i < t->line.dofs; i++) {
        q[i] = t->q[i] + *time * t->u[i];
        u[i] = t->u[i];
    }
    for (int i = 0; i < t->line.dofs; i++) {
        u[i] = t->u[i] + 1;
        momentum[i] = t->line.ops->kinetic(&t->line, q, u) / 2;
        u[i] = t->u[i] - 1;
        momentum[i] -= t->line.ops->kinetic(&t->line, q, u) / 2;
        u[i] = t->u[i];
    }
}

static void kinetic_over_place(const void *user, const double *q, double *energy)
{
    const trial *t = user;
    *energy = t->line.ops->kinetic(&t->line, q, t->u);
}

/* Lagrange: d/dt dT/du - dT/dq at constant u is minus the gyroscopic force. */
static void check_gyroscopic(trial *t)
{
    const int n = t->line.dofs;
    double rate[TRIAL_DOFS], gradient[TRIAL_DOFS], f[TRIAL_DOFS] = {0};
    const double now = 0;
    finite_jacobian(momentum_over_time, t, 1, n, &now, 1e-3, rate);
    finite_jacobian(kinetic_over_place, t, n, 1, t->q, 1e-3, gradient);
    assert_true(t->line.ops->mass_constant == (t->line.ops->gyroscopic == NULL));
    if (t->line.ops->gyroscopic != NULL) {
        t->line.ops->gyroscopic(&t->line, t->q, t->u, f);
    }
    const double scale = t->line.ops->kinetic(&t->line, t->q, t->u);
    for (int i = 0; i < n; i++) {
        TRIAL_NEAR(t, "gyroscopic force", f[i], gradient[i] - rate[i], 1e-11 * scale, 0);
    }
}

static void gyroscopic_force_is_that_of_lagrange(void **state)
{
    (void)state;
    trial_all(check_gyroscopic, 1.06);
}

TEST_FILE(test_element_inertia)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_is_the_integral_over_the_position),
        cmocka_unit_test(translation_feels_the_total_mass),
        cmocka_unit_test(kinetic_energy_is_the_form_of_a_positive_mass),
        cmocka_unit_test(momentum_is_that_of_the_moving_material),
        cmocka_unit_test(gyroscopic_force_is_that_of_lagrange),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
