/* SPDX-License-Identifier: BSD-3-Clause */
/* Springs, dampers, forces and moments: energies, powers, virtual work. */
#include "support/drive.h"
#include "support/random.h"
#include "support/ties.h"

#include <hawser/hawser.h>

static haw_context *context;
static drive_scene scene;
static haw_model *model;

static int open_model(void **state)
{
    (void)state;
    return drive_open(&context, &scene, &model);
}

static int close_model(void **state)
{
    (void)state;
    haw_model_free(model);
    haw_context_free(context);
    return 0;
}

typedef struct force_parts {
    double conservative[DOFS_MAX], damping[DOFS_MAX], load[DOFS_MAX];
} force_parts;

static force_parts forces_at(double part, const double *q, const double *u)
{
    force_parts f;
    const haw_forces forces = {f.conservative, f.damping, f.load, NULL};
    haw_model_forces(model, 0, part, q, u, &forces);
    return f;
}

static double dot(const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < model->dofs; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* What is held carries no weight, so its own share of the energy does not show. */
static void random_motion(uint64_t *seed, double *d)
{
    for (int i = 0; i < model->dofs; i++) {
        const bool is_held = i < 3 * model->bodies && model->body[i / 3].held[i % 3];
        d[i] = is_held ? 0 : random_signed(seed);
    }
    copy_ties(model, d);
}

static double total_energy(const double *q)
{
    const haw_energy energy = haw_model_energy(model, q);
    return energy.elastic + energy.gravity;
}

static void conservative_forces_are_minus_the_gradient_of_the_energy(void **state)
{
    (void)state;
    uint64_t seed = 5;
    const double e = 1e-5;
    double q[DOFS_MAX], u[DOFS_MAX], d[DOFS_MAX], x[2][DOFS_MAX];
    for (int trial = 0; trial < 10; trial++) {
        drive_state(model, 40 + (uint64_t)trial, q, u);
        random_motion(&seed, d);
        for (int i = 0; i < model->dofs; i++) {
            x[0][i] = q[i] - e * d[i];
            x[1][i] = q[i] + e * d[i];
        }
        const double slope = (total_energy(x[1]) - total_energy(x[0])) / (2 * e);
        assert_near(dot(forces_at(1, q, u).conservative, d), -slope, 1e-4, 1e-6);
    }
}

static void damping_takes_power_and_depends_on_rates_alone(void **state)
{
    (void)state;
    double q[DOFS_MAX], u[DOFS_MAX], rest[DOFS_MAX] = {0};
    for (uint64_t trial = 0; trial < 10; trial++) {
        drive_state(model, 60 + trial, q, u);
        u[0] = u[1] = 0; /* the revolute joint holds */
        assert_true(dot(forces_at(1, q, u).damping, u) < 0);
        const force_parts still = forces_at(1, q, rest);
        assert_near(dot(still.damping, still.damping), 0, 1e-24, 0);
    }
}

/* A model of one spring between a body and the ground, for closed forms. */
static haw_model *one_spring(double length, double damping)
{
    haw_model *made = NULL;
    haw_body_spec body = haw_body_spec_default();
    haw_spring_spec spring = haw_spring_spec_default();
    body.name = "mass";
    body.mass = 2;
    body.inertia = 1;
    body.position[0] = 3;
    body.position[1] = 4;
    spring.between[0].on = "mass";
    spring.stiffness = 10;
    spring.length = length;
    spring.damping = damping;
    const haw_scene one = {
        .load_steps = 1, .bodies = 1, .body = &body, .springs = 1, .spring = &spring};
    assert_int_equal(haw_model_build(context, &one, &made), HAW_OK);
    return made;
}

static void a_spring_pulls_along_its_line_and_damps_along_it(void **state)
{
    (void)state;
    const double q[3] = {3, 4, 0}, u[3] = {1, 2, 0};
    double part[3][3];
    const haw_forces forces = {part[0], part[1], part[2], NULL};
    haw_model *long_spring = one_spring(2, 0.5), *zero = one_spring(0, 0.5);
    haw_model_forces(long_spring, 0, 1, q, u, &forces);
    assert_near(part[0][0], -10 * (5 - 2) * 0.6, 1e-13, 0); /* |d| = 5, direction (3, 4) / 5 */
    assert_near(part[0][1], -10 * (5 - 2) * 0.8, 1e-13, 0);
    assert_near(part[1][0], -0.5 * (0.6 + 1.6) * 0.6, 1e-14, 0);
    assert_near(part[1][1], -0.5 * (0.6 + 1.6) * 0.8, 1e-14, 0);
    assert_near(haw_model_spring_energy(long_spring, q), 0.5 * 10 * 9, 1e-13, 0);
    haw_model_forces(zero, 0, 1, q, u, &forces);
    assert_near(part[0][0], -30, 1e-13, 0);
    assert_near(part[1][1], -0.5 * 2, 1e-14, 0);
    haw_model_free(long_spring);
    haw_model_free(zero);
}

/* Rates of a cable that turns about the origin with omega = 1 and moves with v. */
static void rigid_motion(const haw_cable *cable, const double *q, const double v[2], double *d)
{
    memset(d, 0, (size_t)model->dofs * sizeof *d);
    for (int a = 0; a < cable->line.dofs; a += 2) {
        const double *z = q + cable->first + a;
        const bool is_position = a % 4 == 0;
        d[cable->first + a] = -z[1] + (is_position ? v[0] : 0);
        d[cable->first + a + 1] = z[0] + (is_position ? v[1] : 0);
    }
}

static void a_moment_on_a_cable_works_on_its_rotation_alone(void **state)
{
    (void)state;
    double q[DOFS_MAX], u[DOFS_MAX], d[DOFS_MAX], shift[DOFS_MAX];
    const double none[2] = {0, 0}, v[2] = {0.7, -1.9};
    drive_state(model, 3, q, u);
    const haw_cable *rod = &model->cable[1];
    const force_parts f = forces_at(1, q, u);
    rigid_motion(rod, q, none, d);
    rigid_motion(rod, q, v, shift);
    assert_near(dot(f.load, d), 0.8, 1e-12, 0);
    assert_near(dot(f.load, shift), 0.8, 1e-12, 0);
}

/* The force of (0, -2) N and the moment of 0.8 N m at 0.6 of the ring. */
static void a_force_on_a_cable_works_on_the_velocity_of_its_point(void **state)
{
    (void)state;
    double q[DOFS_MAX], u[DOFS_MAX], d[DOFS_MAX], x[2];
    const double v[2] = {0.3, 1.1};
    drive_state(model, 14, q, u);
    const haw_cable *ring = &model->cable[0];
    const haw_load *load = &model->load[0];
    rigid_motion(ring, q, v, d);
    ring->line.ops->position(&ring->line, load->spot.element, load->spot.s, q + ring->first, x,
                             NULL);
    const force_parts f = forces_at(1, q, u);
    assert_near(dot(f.load, d), -2 * (x[0] + v[1]) + 0.8, 1e-12, 0);
}

static void a_part_of_the_loads_scales_forces_moments_and_torques(void **state)
{
    (void)state;
    double q[DOFS_MAX], u[DOFS_MAX];
    drive_state(model, 8, q, u);
    const force_parts all = forces_at(1, q, u), some = forces_at(0.25, q, u);
    for (int i = 0; i < model->dofs; i++) {
        assert_near(some.load[i], 0.25 * all.load[i], 1e-15, 0);
        assert_near(some.conservative[i], all.conservative[i], 0, 0);
    }
    assert_near(all.load[2], 1.3, 0, 0);
    assert_near(all.load[3], 4, 0, 0);
    assert_near(all.load[5], 0.8, 0, 0);
}

static void forces_on_a_copied_node_go_to_the_node_itself(void **state)
{
    (void)state;
    double q[DOFS_MAX], u[DOFS_MAX], m[DOFS_MAX];
    const haw_cable *ring = &model->cable[0];
    const int last = ring->first + 4 * ring->line.elements;
    drive_state(model, 31, q, u);
    const force_parts f = forces_at(1, q, u);
    haw_model_mass(model, u, m);
    for (int j = 0; j < 4; j++) {
        assert_true(f.conservative[last + j] == 0 && f.damping[last + j] == 0 && m[last + j] == 0);
    }
    assert_near(0.5 * dot(u, m), haw_model_kinetic(model, q, u), 0, 1e-13);
}

TEST_FILE(test_loads)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conservative_forces_are_minus_the_gradient_of_the_energy),
        cmocka_unit_test(damping_takes_power_and_depends_on_rates_alone),
        cmocka_unit_test(a_spring_pulls_along_its_line_and_damps_along_it),
        cmocka_unit_test(a_moment_on_a_cable_works_on_its_rotation_alone),
        cmocka_unit_test(a_force_on_a_cable_works_on_the_velocity_of_its_point),
        cmocka_unit_test(a_part_of_the_loads_scales_forces_moments_and_torques),
        cmocka_unit_test(forces_on_a_copied_node_go_to_the_node_itself),
    };
    return cmocka_run_group_tests(tests, open_model, close_model);
}
