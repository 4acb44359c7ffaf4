/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces and energies of the planar rope elements. */
#include "support/ale.h"
#include "support/finite.h"
#include "support/vector.h"

enum { N = HAW_ALE_DOFS };

static void energy_over_q(const void *user, const double *q, double *v)
{
    const ale_trial *t = user;
    double energy[2] = {0, 0};
    t->kind.ops->energy(&t->kind, &t->section, q, energy);
    *v = energy[0] + energy[1];
}

static void forces(const ale_trial *t, const double *q, const double *u, double *f, double *d)
{
    memset(f, 0, N * sizeof *f);
    memset(d, 0, N * sizeof *d);
    t->kind.ops->force(&t->kind, &t->section, q, u, f, d);
}

static haw_ale_axial axial(const ale_trial *t, double s, const double *q, const double *u)
{
    haw_ale_axial at;
    t->kind.ops->axial(&t->kind, &t->section, s, q, u, &at);
    return at;
}

/* Energy per length at a label. */
static double density(const ale_trial *t, double s)
{
    const haw_ale_axial at = axial(t, s, t->q, NULL);
    const haw_ale_point p = ale_point(t, s, t->q, t->u);
    return t->section.stiffness / 2 * at.strain * at.strain +
           t->section.bending / 2 * at.curvature * at.curvature -
           t->section.density * vector_dot(2, t->section.gravity, p.x);
}

static void check_gradient(ale_trial *t)
{
    const int n = t->kind.dofs;
    double f[N], d[N], gradient[N];
    forces(t, t->q, t->u, f, d);
    finite_jacobian(energy_over_q, t, n, 1, t->q, ale_step(t), gradient);
    const double scale = vector_largest(n, gradient);
    for (int i = 0; i < n - 2; i++) {
        ALE_NEAR(t, "force", f[i], -gradient[i], 1e-8 * scale, 0);
    }
}

static void forces_are_the_gradient_of_the_energy(void **state)
{
    (void)state;
    ale_all(check_gradient);
}

/* The ends of the integral move over the rope: Q_1 = -dV/ds1 - W(s1), Q_2 = -dV/ds2 + W(s2). The
 * rule of the cubic has an error, on its own shape and on its moved ends. */
static void check_labels(ale_trial *t)
{
    const int n = t->kind.dofs;
    const double accuracy = t->kind.ops == &haw_ale_cubic ? 1e-5 : 1e-8;
    double f[N], d[N], gradient[N];
    forces(t, t->q, t->u, f, d);
    finite_jacobian(energy_over_q, t, n, 1, t->q, ale_step(t), gradient);
    const double scale = vector_largest(n, gradient);
    for (int e = 0; e < 2; e++) {
        const int i = n - 2 + e;
        const double flux = (e == 0 ? -1 : 1) * density(t, t->q[i]);
        ALE_NEAR(t, "force on a label", f[i], -gradient[i] + flux, accuracy * scale, 0);
    }
}

static void forces_on_labels_are_those_of_fixed_material(void **state)
{
    (void)state;
    ale_all(check_labels);
}

/* Strain, curvature and their rates at a fixed label along a motion. */
static void strains_over_time(const void *user, const double *time, double *y)
{
    const ale_trial *t = user;
    double q[N], u[N];
    ale_advance(t, *time, q, u);
    const haw_ale_axial at = axial(t, t->s, q, NULL);
    y[0] = at.strain;
    y[1] = at.curvature;
}

/* The places of the kernels are not those of the test: an error of their rules is left. */
static void check_damping(ale_trial *t)
{
    const int n = t->kind.dofs;
    const double now = 0, le = t->q[n - 1] - t->q[n - 2], scale = t->section.damping_strain;
    const double accuracy = t->kind.ops == &haw_ale_cubic ? 1e-5 : 1e-6;
    double f[N], d[N], rate[2], power = 0;
    ale_trial at = *t;
    forces(t, t->q, t->u, f, d);
    for (int k = 0; k < ALE_FINE; k++) {
        double weight;
        at.s = ale_fine(t, k, &weight);
        finite_jacobian(strains_over_time, &at, 1, 2, &now, ale_step(t), rate);
        const haw_ale_axial with = axial(t, at.s, t->q, t->u), still = axial(t, at.s, t->q, NULL);
        ALE_NEAR(t, "damping", with.tension - still.tension, scale * rate[0], 1e-6 * scale / le, 0);
        ALE_NEAR(t, "tension", still.tension, t->section.stiffness * still.strain, 0, 1e-14);
        power +=
            weight * (scale * rate[0] * rate[0] + t->section.damping_curvature * rate[1] * rate[1]);
    }
    ALE_NEAR(t, "power", vector_dot(n, d, t->u), -power, 0, accuracy);
}

static void damping_takes_the_power_of_the_rates_at_fixed_labels(void **state)
{
    (void)state;
    ale_all(check_damping);
}

/* Turned and moved, the element carries the same, turned. */
static void turn(const ale_trial *t, double angle, const double *x, double *y)
{
    const int pairs = t->kind.ops == &haw_ale_cubic ? 4 : 2;
    memcpy(y, x, N * sizeof *y);
    for (int i = 0; i < pairs; i++) {
        y[2 * i] = cos(angle) * x[2 * i] - sin(angle) * x[2 * i + 1];
        y[2 * i + 1] = sin(angle) * x[2 * i] + cos(angle) * x[2 * i + 1];
    }
}

static void check_turned(ale_trial *t)
{
    const int n = t->kind.dofs, step = t->kind.ops == &haw_ale_cubic ? 4 : 2;
    double f[N], d[N], y[N] = {0}, want[3][N], got[3][N] = {{0}};
    ale_trial other = *t;
    const double angle = ale_uniform(t, -3, 3);
    forces(t, t->q, t->u, f, d);
    t->kind.ops->inertia(&t->kind, &t->section, t->q, t->u, t->a, y);
    turn(t, angle, f, want[0]);
    turn(t, angle, d, want[1]);
    turn(t, angle, y, want[2]);
    turn(t, angle, t->q, other.q);
    turn(t, angle, t->u, other.u);
    turn(t, angle, t->a, other.a);
    const double g[2] = {t->section.gravity[0], t->section.gravity[1]};
    other.section.gravity[0] = cos(angle) * g[0] - sin(angle) * g[1];
    other.section.gravity[1] = sin(angle) * g[0] + cos(angle) * g[1];
    for (int i = 0; i < 2; i++) {
        other.q[i] += 2;
        other.q[step + i] += 2;
    }
    forces(&other, other.q, other.u, got[0], got[1]);
    t->kind.ops->inertia(&t->kind, &t->section, other.q, other.u, other.a, got[2]);
    for (int p = 0; p < 3; p++) {
        const double scale = vector_largest(n, want[p]);
        for (int i = 0; i < n; i++) {
            ALE_NEAR(t, "turned", got[p][i], want[p][i], 1e-11 * scale, 0);
        }
    }
}

static void turned_element_carries_the_same(void **state)
{
    (void)state;
    ale_all(check_turned);
}

/*
 * Rope that moves as a rigid body while the mesh runs along it: no damping, and the momenta of one.
 * Slopes of the cubic follow the curve, a span is straight.
 */
static void rigid(const ale_trial *t, double omega, double *u)
{
    const int n = t->kind.dofs, pairs = t->kind.ops == &haw_ale_cubic ? 4 : 2;
    const bool is_cubic = pairs == 4;
    memset(u, 0, N * sizeof *u);
    for (int e = 0; e < 2; e++) {
        const double rate = u[n - 2 + e] = t->u[n - 2 + e];
        const haw_ale_point end = ale_point(t, t->q[n - 2 + e], t->q, t->u);
        double *to = u + (is_cubic ? 4 * e : 2 * e);
        to[0] = 0.3 - omega * end.x[1] + rate * end.slope[0];
        to[1] = -0.2 + omega * end.x[0] + rate * end.slope[1];
        if (is_cubic) {
            to[2] = -omega * end.slope[1] + rate * end.bend[0];
            to[3] = omega * end.slope[0] + rate * end.bend[1];
        }
    }
}

static void check_rigid(ale_trial *t)
{
    const int n = t->kind.dofs;
    const bool is_cubic = t->kind.ops == &haw_ale_cubic;
    const double omega = 0.7;
    double u[N], f[N], d[N], other[N], energy = 0;
    if (!is_cubic) {
        memset(t->q + 4, 0, (size_t)(n - 6) * sizeof *t->q);
    }
    rigid(t, omega, u);
    forces(t, t->q, t->u, f, other);
    forces(t, t->q, u, f, d);
    for (int i = 0; i < n; i++) {
        ALE_NEAR(t, "damping", d[i], 0, 1e-12 * vector_largest(n, other), 0);
    }
    const haw_ale_point p = ale_point(t, t->s, t->q, u);
    ALE_NEAR(t, "velocity", p.v[0], 0.3 - omega * p.x[1], 1e-13, 0);
    ALE_NEAR(t, "velocity", p.v[1], -0.2 + omega * p.x[0], 1e-13, 0);
    for (int k = 0; k < ALE_FINE; k++) {
        double weight;
        const haw_ale_point at = ale_point(t, ale_fine(t, k, &weight), t->q, t->u);
        const double v[2] = {0.3 - omega * at.x[1], -0.2 + omega * at.x[0]};
        energy += t->section.density / 2 * weight * vector_dot(2, v, v);
    }
    ALE_NEAR(t, "energy", t->kind.ops->kinetic(&t->kind, &t->section, t->q, u), energy, 0, 1e-12);
}

static void rigid_motion_under_a_moving_mesh_is_not_damped(void **state)
{
    (void)state;
    ale_all(check_rigid);
}

static void check_tension_mean(ale_trial *t)
{
    const int n = t->kind.dofs;
    const double accuracy = t->kind.ops == &haw_ale_cubic ? 1e-6 : 1e-10;
    double sum[2] = {0, 0};
    for (int k = 0; k < ALE_FINE; k++) {
        double weight;
        const double s = ale_fine(t, k, &weight), share = weight / (t->q[n - 1] - t->q[n - 2]);
        sum[0] += share * axial(t, s, t->q, NULL).tension;
        sum[1] += share * axial(t, s, t->q, t->u).tension;
    }
    ALE_NEAR(t, "mean", t->kind.ops->tension_mean(&t->kind, &t->section, t->q, NULL), sum[0], 0,
             accuracy);
    ALE_NEAR(t, "mean, moving", t->kind.ops->tension_mean(&t->kind, &t->section, t->q, t->u),
             sum[1], accuracy * fabs(sum[0]), accuracy);
}

static void mean_tension_is_that_along_the_element(void **state)
{
    (void)state;
    ale_all(check_tension_mean);
}

/* Weight: whole on the ends, and where all accelerate with g the inertia forces are the weight. */
static void check_weight(ale_trial *t)
{
    const int n = t->kind.dofs, step = t->kind.ops == &haw_ale_cubic ? 4 : 2;
    const double whole = t->section.density * (t->q[n - 1] - t->q[n - 2]);
    double f[N], d[N], y[N] = {0}, a[N] = {0}, none[N] = {0};
    t->section.stiffness = t->section.bending = 0;
    forces(t, t->q, t->u, f, d);
    for (int i = 0; i < 2; i++) {
        a[i] = a[step + i] = t->section.gravity[i];
        ALE_NEAR(t, "weight", f[i] + f[step + i], whole * a[i], 1e-12 * whole, 0);
    }
    t->kind.ops->inertia(&t->kind, &t->section, t->q, none, a, y);
    for (int i = 0; i < n; i++) {
        ALE_NEAR(t, "weight", f[i], y[i], 1e-11 * vector_largest(n, y), 0);
    }
}

static void weight_is_the_inertia_of_a_free_fall(void **state)
{
    (void)state;
    ale_all(check_weight);
}

TEST_FILE(test_ale_forces)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_the_gradient_of_the_energy),
        cmocka_unit_test(forces_on_labels_are_those_of_fixed_material),
        cmocka_unit_test(damping_takes_the_power_of_the_rates_at_fixed_labels),
        cmocka_unit_test(turned_element_carries_the_same),
        cmocka_unit_test(rigid_motion_under_a_moving_mesh_is_not_damped),
        cmocka_unit_test(mean_tension_is_that_along_the_element),
        cmocka_unit_test(weight_is_the_inertia_of_a_free_fall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
