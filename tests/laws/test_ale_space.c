/* SPDX-License-Identifier: BSD-3-Clause */
/* The modal span of a rope in space, by differences and independent integrals. */
#include "support/ale_space.h"

enum { S = SPACE_DOFS };

static double step(const space_trial *t)
{
    return 5e-5 * (t->q[t->labels + 1] - t->q[t->labels]);
}

/* ---- motion ---- */

static void place_over_q(const void *user, const double *q, double *y)
{
    const space_trial *t = user;
    haw_alem_space_point p;
    haw_alem_space_point_at(&t->kind, t->s, q, t->u, &p);
    memcpy(y, p.x, sizeof p.x);
    y[3] = p.twist;
}

static void place_over_s(const void *user, const double *s, double *y)
{
    const space_trial *t = user;
    haw_alem_space_point p;
    haw_alem_space_point_at(&t->kind, *s, t->q, t->u, &p);
    memcpy(y, p.x, sizeof p.x);
    memcpy(y + 3, p.slope, sizeof p.slope);
}

static void motion_over_time(const void *user, const double *time, double *y)
{
    const space_trial *t = user;
    double q[S], u[S];
    haw_alem_space_point p;
    for (int i = 0; i < t->dofs; i++) {
        q[i] = t->q[i] + *time * (t->u[i] + *time / 2 * t->a[i]);
        u[i] = t->u[i] + *time * t->a[i];
    }
    haw_alem_space_point_at(&t->kind, t->s, q, u, &p);
    memcpy(y, p.x, sizeof p.x);
    memcpy(y + 3, p.v, sizeof p.v);
    y[6] = p.twist;
    y[7] = p.twist_rate;
}

static void check_motion(space_trial *t)
{
    const double now = 0;
    double j[4 * S], along[6], rate[8];
    haw_alem_space_point p;
    haw_alem_space_point_at(&t->kind, t->s, t->q, t->u, &p);
    finite_jacobian(place_over_q, t, t->dofs, 4, t->q, 1e-3, j);
    finite_jacobian(place_over_s, t, 1, 6, &t->s, step(t), along);
    finite_jacobian(motion_over_time, t, 1, 8, &now, 1e-4, rate);
    for (int i = 0; i < t->dofs; i++) {
        for (int l = 0; l < 3; l++) {
            assert_near(p.j[l][i], j[t->dofs * l + i], 1e-9, 0);
        }
        assert_near(p.j_twist[i], j[t->dofs * 3 + i], 1e-9, 0);
    }
    for (int i = 0; i < 3; i++) {
        const double gamma = vector_dot(t->dofs, p.j[i], t->a) + p.gamma[i];
        assert_near(p.slope[i], along[i], 1e-9, 0);
        assert_near(p.bend[i], along[3 + i], 1e-8, 0);
        assert_near(p.v[i], vector_dot(t->dofs, p.j[i], t->u), 1e-12, 0);
        assert_near(p.v[i], rate[i], 1e-8, 0);
        assert_near(gamma, rate[3 + i], 1e-7, 1e-8);
    }
    assert_near(p.twist_rate, vector_dot(t->dofs, p.j_twist, t->u), 1e-12, 0);
    assert_near(p.twist_rate, rate[6], 1e-9, 0);
    assert_near(vector_dot(t->dofs, p.j_twist, t->a) + p.twist_gamma, rate[7], 1e-8, 0);
}

static void columns_and_gamma_agree_with_differences(void **state)
{
    (void)state;
    space_all(check_motion);
}

static double fine(const space_trial *t, int k, double *weight)
{
    ale_trial labels = {.kind.dofs = 2, .q = {t->q[t->labels], t->q[t->labels + 1]}};
    return ale_fine(&labels, k, weight);
}

static void check_inertia(space_trial *t)
{
    const int n = t->dofs;
    static double m[S * S], mass[S * S];
    double y[S] = {0}, want[S] = {0}, kinetic = 0;
    memset(mass, 0, sizeof mass);
    for (int k = 0; k < ALE_FINE; k++) {
        double weight;
        haw_alem_space_point p;
        haw_alem_space_point_at(&t->kind, fine(t, k, &weight), t->q, t->u, &p);
        const double line = weight * t->section.density, roll = weight * t->section.rotary;
        kinetic += line / 2 * vector_dot(3, p.v, p.v) + roll / 2 * p.twist_rate * p.twist_rate;
        for (int i = 0; i < n; i++) {
            want[i] += roll * p.j_twist[i] * (vector_dot(n, p.j_twist, t->a) + p.twist_gamma);
            for (int l = 0; l < 3; l++) {
                want[i] += line * p.j[l][i] * (vector_dot(n, p.j[l], t->a) + p.gamma[l]);
            }
            for (int c = 0; c < n; c++) {
                mass[n * i + c] +=
                    line * (p.j[0][i] * p.j[0][c] + p.j[1][i] * p.j[1][c] + p.j[2][i] * p.j[2][c]) +
                    roll * p.j_twist[i] * p.j_twist[c];
            }
        }
    }
    haw_alem_space_mass(&t->kind, &t->section, t->q, m);
    haw_alem_space_inertia(&t->kind, &t->section, t->q, t->u, t->a, y);
    const double scale = vector_largest(n * n, mass), force = vector_largest(n, want);
    for (int i = 0; i < n * n; i++) {
        assert_near(m[i], mass[i], 1e-12 * scale, 0);
    }
    for (int i = 0; i < n; i++) {
        assert_near(y[i], want[i], 1e-11 * force, 0);
    }
    assert_near(haw_alem_space_kinetic(&t->kind, &t->section, t->q, t->u), kinetic, 0, 1e-12);
}

static void inertia_is_the_integral_over_the_material(void **state)
{
    (void)state;
    space_all(check_inertia);
}

/* ---- forces ---- */

static void energy_over_q(const void *user, const double *q, double *v)
{
    const space_trial *t = user;
    double energy[2] = {0, 0};
    haw_alem_space_energy(&t->kind, &t->section, q, energy);
    *v = energy[0] + energy[1];
}

/* Energy per length at an end. */
static double density(const space_trial *t, double s)
{
    const haw_alem_space_section *rope = &t->section;
    const double twist =
        (t->q[t->twist + 1] - t->q[t->twist]) / (t->q[t->labels + 1] - t->q[t->labels]);
    haw_alem_space_point p;
    double kappa[3];
    haw_alem_space_point_at(&t->kind, s, t->q, t->u, &p);
    const double size = vec3_norm(p.slope), strain = size - 1;
    vec3_cross(p.slope, p.bend, kappa);
    return rope->stiffness / 2 * strain * strain + rope->coupling * strain * twist +
           rope->torsion / 2 * twist * twist +
           rope->bending / 2 * vec3_dot(kappa, kappa) / pow(size, 6) -
           rope->density * vec3_dot(rope->gravity, p.x);
}

static void check_forces(space_trial *t)
{
    double f[S] = {0}, d[S] = {0}, gradient[S];
    haw_alem_space_force(&t->kind, &t->section, t->q, t->u, f, d);
    finite_jacobian(energy_over_q, t, t->dofs, 1, t->q, step(t), gradient);
    const double scale = vector_largest(t->dofs, gradient);
    for (int i = 0; i < t->dofs; i++) {
        double flux = 0;
        if (i >= t->labels) {
            flux = (i == t->labels ? -1 : 1) * density(t, t->q[i]);
        }
        assert_near(f[i], -gradient[i] + flux, 1e-8 * scale, 0);
    }
}

static void forces_are_the_gradient_of_the_energy_and_fixed_material(void **state)
{
    (void)state;
    space_all(check_forces);
}

/* Damping of twist alone takes c (d(theta')/dt)^2 L. */
static void check_twist_damping(space_trial *t)
{
    const double le = t->q[t->labels + 1] - t->q[t->labels];
    const double slope = (t->q[t->twist + 1] - t->q[t->twist]) / le;
    const double rate =
        (t->u[t->twist + 1] - t->u[t->twist] - slope * (t->u[t->labels + 1] - t->u[t->labels])) /
        le;
    double f[S] = {0}, d[S] = {0}, all_of_it[S] = {0};
    haw_alem_space_force(&t->kind, &t->section, t->q, t->u, f, all_of_it);
    assert_true(vector_dot(t->dofs, all_of_it, t->u) < 0);
    t->section = (haw_alem_space_section){.damping_twist = 0.7};
    haw_alem_space_force(&t->kind, &t->section, t->q, t->u, f, d);
    assert_near(vector_dot(t->dofs, d, t->u), -0.7 * le * rate * rate, 0, 1e-12);
}

static void damping_of_twist_takes_its_power(void **state)
{
    (void)state;
    space_all(check_twist_damping);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_and_gamma_agree_with_differences),
        cmocka_unit_test(inertia_is_the_integral_over_the_material),
        cmocka_unit_test(forces_are_the_gradient_of_the_energy_and_fixed_material),
        cmocka_unit_test(damping_of_twist_takes_its_power),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
