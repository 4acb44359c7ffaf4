/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces, energies, masses and the matrix of spatial models. */
#include "support/space_loaded.h"

static void conservative_forces_are_minus_the_gradient_of_the_energy(void **state)
{
    (void)state;
    uint64_t seed = 5;
    double q[COORDINATES], u[DOFS], part[4][DOFS], f[DOFS];
    const double e = 1e-5;
    random_state(&seed, q, u);
    forces(q, u, part, f);
    for (int i = 0; i < model->dofs; i++) {
        double moved[COORDINATES], d[DOFS] = {0}, energy[2];
        for (int k = 0; k < 2; k++) {
            d[i] = k == 0 ? -e : e;
            haw_model_move(model, q, d, moved);
            const haw_energy sum = haw_model_energy(model, moved);
            energy[k] = sum.elastic + sum.gravity;
        }
        assert_near(part[0][i], -(energy[1] - energy[0]) / (2 * e), 1e-7 * largest(part[0]), 0);
    }
}

static void the_matrix_is_the_derivative_of_all_forces(void **state)
{
    (void)state;
    haw_system *system;
    uint64_t seed = 12;
    const double mass = 30, rate = 7, e = 1e-6;
    assert_int_equal(haw_system_create(context, model, NULL, &system), HAW_OK);
    for (int trial = 0; trial < 5; trial++) {
        double q[COORDINATES], u[DOFS], d[DOFS] = {0}, x[DOFS] = {0}, y[DOFS] = {0}, m[DOFS];
        double part[4][DOFS], f[2][DOFS], change[DOFS];
        random_state(&seed, q, u);
        load_part = system->part = trial % 2 == 0 ? 1 : 0.4;
        haw_system_clear(system);
        haw_system_add_model(system, q, u, mass, rate);
        for (int i = 0; i < system->equations; i++) {
            x[i] = d[system->dof[i]] = random_signed(&seed);
        }
        haw_bordered_multiply(system->matrix, 1, x, y);
        for (int k = 0; k < 2; k++) {
            double way[DOFS], moved[COORDINATES], v[DOFS];
            for (int i = 0; i < model->dofs; i++) {
                way[i] = (k == 0 ? -e : e) * d[i];
                v[i] = u[i] + rate * way[i];
            }
            haw_model_move(model, q, way, moved);
            forces(moved, v, part, f[k]);
        }
        haw_model_mass(model, d, m);
        for (int i = 0; i < model->dofs; i++) {
            change[i] = (f[0][i] - f[1][i]) / (2 * e);
        }
        for (int i = 0; i < system->equations; i++) {
            const int dof = system->dof[i];
            assert_near(y[i], change[dof] + mass * m[dof], 2e-8 * largest(change), 0);
        }
    }
    load_part = 1;
    haw_system_free(system);
}

static void the_mass_is_symmetric_and_gives_the_kinetic_energy(void **state)
{
    (void)state;
    uint64_t seed = 77;
    double x[DOFS], y[DOFS], mx[DOFS], my[DOFS], q[COORDINATES] = {0};
    double xmy = 0, ymx = 0, xmx = 0;
    for (int i = 0; i < model->dofs; i++) {
        x[i] = random_signed(&seed);
        y[i] = random_signed(&seed);
    }
    haw_model_mass(model, x, mx);
    haw_model_mass(model, y, my);
    for (int i = 0; i < model->dofs; i++) {
        xmy += x[i] * my[i];
        ymx += y[i] * mx[i];
        xmx += x[i] * mx[i];
    }
    assert_near(xmy, ymx, 1e-14, 1e-13);
    assert_near(haw_model_kinetic(model, q, x), 0.5 * xmx, 0, 1e-13);
}

/* Free of loads: J dOmega = -Omega x J Omega keeps energy and momentum in space. */
static void a_free_body_keeps_its_energy_and_angular_momentum(void **state)
{
    (void)state;
    double q[COORDINATES], u[DOFS], part[4][DOFS], f[DOFS], start[3], end[3], r[9];
    uint64_t seed = 2;
    random_state(&seed, q, u);
    const haw_body *top = &model->body[0];
    const double *inertia = top->mass + 3, h = 1e-4;
    double *omega = u + top->first + 3, momentum[3], energy[2] = {0, 0};
    for (int k = 0; k <= 20000; k++) {
        double d[DOFS] = {0}, half[3];
        memcpy(half, omega, sizeof half);
        for (int stage = 0; stage < 2; stage++) { /* midpoint rule */
            double at[DOFS];
            memcpy(at, u, sizeof at);
            memcpy(at + top->first + 3, half, sizeof half);
            forces(q, at, part, f);
            for (int j = 0; j < 3; j++) {
                const double rate = part[3][top->first + 3 + j] / inertia[j];
                half[j] = omega[j] + (stage == 0 ? 0.5 : 1) * h * rate;
                d[top->first + 3 + j] = h * at[top->first + 3 + j];
            }
        }
        if (k == 0 || k == 20000) {
            double *to = k == 0 ? start : end;
            quaternion_matrix(q + top->first_q + 3, r);
            for (int j = 0; j < 3; j++) {
                momentum[j] = inertia[j] * omega[j];
                energy[k > 0] += 0.5 * momentum[j] * omega[j];
            }
            mat3_apply(r, momentum, to);
        }
        memcpy(omega, half, sizeof half);
        haw_model_move(model, q, d, q);
    }
    assert_near(energy[1], energy[0], 0, 1e-7);
    for (int j = 0; j < 3; j++) {
        assert_near(end[j], start[j], 1e-6 * vec3_norm(start), 0);
    }
}

/*
 * Steady precession: with the vertical z as seen from the body, Omega = p z + s e3 and
 * dOmega/dt = -p s e3 x z, the moment is p sin(tilt) (C (s + p cos(tilt)) - A p cos(tilt)) about
 * the line of nodes (J. P. Den Hartog, Mechanics, 1948, ch. 17).
 */
static void a_top_in_steady_precession_has_the_moment_of_the_books(void **state)
{
    (void)state;
    const double a = 0.3, c = 0.7, p = 1.7, s = 40, tilt = 0.6;
    double q[COORDINATES], u[DOFS], part[4][DOFS], f[DOFS], moment[3];
    haw_body top = model->body[0];
    haw_body *const kept = model->body;
    haw_model *const whole = model;
    haw_model one = *model;
    uint64_t seed = 6;
    random_state(&seed, q, u);
    top.mass[3] = top.mass[4] = a;
    top.mass[5] = c;
    one.body = &top;
    one.bodies = 1;
    one.cables = one.loads = 0;
    one.dofs = 6;
    model = &one;
    double *omega = u + 3;
    const double vertical[3] = {sin(tilt), 0, cos(tilt)};
    omega[0] = p * vertical[0];
    omega[1] = 0;
    omega[2] = p * vertical[2] + s;
    const double rate[3] = {0, -p * s * sin(tilt), 0};
    forces(q, u, part, f);
    for (int j = 0; j < 3; j++) {
        moment[j] = top.mass[3 + j] * rate[j] - part[3][3 + j];
    }
    const double want = p * sin(tilt) * (c * (s + p * cos(tilt)) - a * p * cos(tilt));
    assert_near(vec3_norm(moment), want, 0, 1e-14);
    assert_near(fabs(moment[1]), want, 0, 1e-14);
    model = whole;
    assert_ptr_equal(model->body, kept);
}

static void held_degrees_of_freedom_have_no_equation(void **state)
{
    (void)state;
    haw_system *system;
    bool further[DOFS] = {false};
    const haw_cable *yarn = &model->cable[0], *wire = &model->cable[1];
    further[yarn->first + 8] = true;
    assert_int_equal(haw_system_create(context, model, further, &system), HAW_OK);
    for (int j = 0; j < 6; j++) {
        assert_true(system->equation[j] >= 0);                 /* free */
        assert_true((system->equation[6 + j] < 0) == (j < 5)); /* revolute about its z axis */
        assert_int_equal(system->equation[wire->first + j], -1);
    }
    assert_int_equal(system->equation[yarn->first + 8], -1);
    assert_int_equal(system->border, 7);
    assert_int_equal(system->equations, 2 * 5 * 6 - 6 - 1 + 7);
    haw_system_free(system);
}

static void an_element_that_turns_too_far_is_refused_by_name(void **state)
{
    (void)state;
    double q[COORDINATES], d[DOFS] = {0};
    haw_state *start;
    assert_int_equal(haw_state_create(context, model, &start), HAW_OK);
    assert_int_equal(haw_model_guard(model, 0, start->q), HAW_OK);
    const haw_cable *yarn = &model->cable[0];
    for (int node = 3; node <= yarn->beam.elements; node++) {
        d[yarn->first + 6 * node + 4] = 0.91 * 3.14159265358979;
    }
    haw_model_move(model, start->q, d, q);
    assert_int_equal(haw_model_guard(model, 0, q), HAW_ERR_GUARD);
    assert_non_null(strstr(haw_context_message(context), "'yarn': element 2 of 4"));
    assert_non_null(strstr(haw_context_message(context), "finer mesh"));
    haw_state_free(context, start);
}

TEST_FILE(test_space_dynamics)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conservative_forces_are_minus_the_gradient_of_the_energy),
        cmocka_unit_test(the_matrix_is_the_derivative_of_all_forces),
        cmocka_unit_test(the_mass_is_symmetric_and_gives_the_kinetic_energy),
        cmocka_unit_test(a_free_body_keeps_its_energy_and_angular_momentum),
        cmocka_unit_test(a_top_in_steady_precession_has_the_moment_of_the_books),
        cmocka_unit_test(held_degrees_of_freedom_have_no_equation),
        cmocka_unit_test(an_element_that_turns_too_far_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, open_scene, close_scene);
}
