/* SPDX-License-Identifier: BSD-3-Clause */
/* Equations and matrices of implicit systems: finite differences of all forces, ties, held dofs. */
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

/* Of the group of tests that runs; NULL: by count, which makes a bordered band of so small a model.
 */
static const haw_matrix_kind *forced;

static int open_sparse_model(void **state)
{
    static const haw_matrix_kind sparse = HAW_MATRIX_SPARSE;
    forced = &sparse;
    return open_model(state);
}

static haw_system *create_system(const bool *held)
{
    haw_system *system;
    assert_int_equal(haw_system_create(context, model, held, forced, &system), HAW_OK);
    assert_int_equal(haw_matrix_kind_of(system->matrix),
                     forced != NULL ? *forced : HAW_MATRIX_BORDERED);
    return system;
}

static int close_model(void **state)
{
    (void)state;
    haw_model_free(model);
    haw_context_free(context);
    return 0;
}

/* f [dofs] = all forces. */
static void all_forces(const double *q, const double *u, double *f)
{
    double part[3][DOFS_MAX];
    const haw_forces forces = {part[0], part[1], part[2], NULL};
    haw_model_forces(model, 0, 1, q, u, &forces);
    for (int i = 0; i < model->dofs; i++) {
        f[i] = part[0][i] + part[1][i] + part[2][i];
    }
}

/* A random direction over the equations, the same on copies. */
static void random_direction(const haw_system *system, uint64_t *seed, double *d)
{
    for (int i = 0; i < model->dofs; i++) {
        d[i] = system->equation[i] >= 0 ? random_signed(seed) : 0;
    }
    copy_ties(model, d);
}

static void product(const haw_system *system, const double *d, double *y)
{
    double x[DOFS_MAX] = {0}, sum[DOFS_MAX] = {0};
    for (int i = 0; i < system->equations; i++) {
        x[i] = d[system->dof[i]];
    }
    haw_matrix_multiply(system->matrix, 1, x, sum);
    memset(y, 0, (size_t)model->dofs * sizeof *y);
    for (int i = 0; i < system->equations; i++) {
        y[system->dof[i]] = sum[i];
    }
}

/* (f(q - e d, u - e rate d) - f(q + e d, u + e rate d)) / 2 e */
static void difference(const double *q, const double *u, const double *d, double rate, double *y)
{
    const double e = 1e-6;
    double f[2][DOFS_MAX];
    for (int k = 0; k < 2; k++) {
        double x[DOFS_MAX], v[DOFS_MAX];
        for (int i = 0; i < model->dofs; i++) {
            const double way = (k == 0 ? -e : e) * d[i];
            x[i] = q[i] + way;
            v[i] = u[i] + rate * way;
        }
        all_forces(x, v, f[k]);
    }
    for (int i = 0; i < model->dofs; i++) {
        y[i] = (f[0][i] - f[1][i]) / (2 * e);
    }
}

static void compare_with_differences(void)
{
    uint64_t seed = 21;
    double q[DOFS_MAX], u[DOFS_MAX], d[DOFS_MAX], got[DOFS_MAX], want[DOFS_MAX], m[DOFS_MAX];
    const double mass = 30, rate = 7;
    haw_system *system = create_system(NULL);
    for (int trial = 0; trial < 5; trial++) {
        drive_state(model, seed + (uint64_t)trial, q, u);
        haw_system_clear(system);
        haw_system_add_model(system, q, u, mass, rate);
        random_direction(system, &seed, d);
        product(system, d, got);
        difference(q, u, d, rate, want);
        haw_model_mass(model, d, m);
        double scale = 0;
        for (int i = 0; i < model->dofs; i++) {
            scale = fmax(scale, fabs(want[i]));
        }
        for (int i = 0; i < system->equations; i++) {
            const int dof = system->dof[i];
            assert_near(got[dof], want[dof] + mass * m[dof], 1e-7 * scale, 1e-6);
        }
    }
    haw_system_free(system);
}

static void the_matrix_is_the_derivative_of_all_forces(void **state)
{
    (void)state;
    compare_with_differences();
}

/* The moment on the ring makes its tangent known; the force turns with it, that on the block too.
 */
static void the_matrix_is_the_derivative_of_forces_that_follow(void **state)
{
    (void)state;
    for (int follows = 1; follows >= 0; follows--) {
        for (int i = 0; i < model->loads; i++) {
            model->load[i].follows = follows == 1;
        }
        compare_with_differences();
    }
}

static void held_and_copied_degrees_of_freedom_have_no_equation_of_their_own(void **state)
{
    (void)state;
    bool held[DOFS_MAX] = {false};
    const haw_cable *ring = &model->cable[0], *rod = &model->cable[1];
    held[ring->first + 5] = true;
    haw_system *system = create_system(held);
    for (int j = 0; j < 3; j++) {
        assert_true((system->equation[j] < 0) == (j < 2)); /* revolute joint */
        assert_true(system->equation[3 + j] >= 0);
    }
    for (int j = 0; j < 4; j++) {
        assert_true((system->equation[rod->first + j] < 0) == (j != 2)); /* its strain is free */
        assert_int_equal(system->equation[ring->first + 4 * ring->line.elements + j],
                         system->equation[ring->first + j]);
    }
    assert_int_equal(system->equation[ring->first + 5], -1);
    assert_int_equal(system->border, 4);
    assert_int_equal(system->equations, 4 * 6 - 1 + 4 * 6 + 1 + 4);
    haw_system_free(system);
}

static void solutions_have_zeros_where_there_is_no_equation_and_agree_on_copies(void **state)
{
    (void)state;
    uint64_t seed = 4;
    double q[DOFS_MAX], u[DOFS_MAX], b[DOFS_MAX], x[DOFS_MAX], y[DOFS_MAX];
    haw_system *system = create_system(NULL);
    drive_state(model, 9, q, u);
    haw_system_clear(system);
    haw_system_add_model(system, q, u, 1e3, 10);
    assert_int_equal(haw_system_factor(system), HAW_OK);
    for (int i = 0; i < model->dofs; i++) {
        b[i] = random_signed(&seed);
    }
    haw_model_tie(model, b);
    memcpy(x, b, sizeof x);
    haw_system_solve(system, x);
    product(system, x, y);
    for (int i = 0; i < model->dofs; i++) {
        assert_true(system->equation[i] >= 0 || x[i] == 0);
        assert_true(system->equation[i] < 0 || x[i] == x[system->dof[system->equation[i]]]);
    }
    for (int i = 0; i < system->equations; i++) {
        assert_near(y[system->dof[i]], b[system->dof[i]], 1e-11, 0);
    }
    haw_system_free(system);
}

static void compressed_rows_hold_the_same_matrix(void **state)
{
    (void)state;
    haw_arena arena;
    haw_csr csr;
    uint64_t seed = 8;
    double q[DOFS_MAX], u[DOFS_MAX], x[DOFS_MAX] = {0}, y[DOFS_MAX] = {0};
    haw_arena_init(&arena, context);
    haw_system *system = create_system(NULL);
    drive_state(model, 2, q, u);
    haw_system_clear(system);
    haw_system_add_model(system, q, u, 5, 3);
    assert_int_equal(haw_system_csr(system, &arena, &csr), HAW_OK);
    for (int i = 0; i < system->equations; i++) {
        x[i] = random_signed(&seed);
        for (int k = csr.start[i] + 1; k < csr.start[i + 1]; k++) {
            assert_true(csr.column[k] > csr.column[k - 1]);
        }
    }
    haw_csr_add(&csr, 1, x, y);
    haw_matrix_multiply(system->matrix, -1, x, y);
    for (int i = 0; i < system->equations; i++) {
        assert_near(y[i], 0, 1e-9, 0);
    }
    haw_system_free(system);
    haw_arena_fini(&arena);
}

/* A contact's block over an element and a body is what its entries add one by one. */
static void a_contact_block_reaches_element_and_body(void **state)
{
    (void)state;
    uint64_t seed = 6;
    double k[11 * 11], d[DOFS_MAX], y[DOFS_MAX];
    const int first = model->cable[0].first + 4 * 5; /* its second node is the copy of the first */
    haw_system *system = create_system(NULL);
    for (int i = 0; i < 11 * 11; i++) {
        k[i] = random_signed(&seed);
    }
    haw_system_clear(system);
    haw_system_add_contact(system, 0, 5, 0, k);
    random_direction(system, &seed, d);
    product(system, d, y);
    double want[DOFS_MAX] = {0};
    for (int i = 0; i < 11 * 11; i++) {
        const int row = i / 11 < 8 ? first + i / 11 : i / 11 - 8;
        const int column = i % 11 < 8 ? first + i % 11 : i % 11 - 8;
        want[row] += k[i] * d[column];
    }
    haw_model_tie(model, want);
    for (int i = 0; i < system->equations; i++) {
        assert_near(y[system->dof[i]], want[system->dof[i]], 1e-12, 0);
    }
    haw_system_free(system);
}

static void a_mass_that_depends_on_q_is_that_of_the_inertia_forces(void **state)
{
    (void)state;
    static const double c = 1e12;
    haw_system *system;
    double q[64], a[64], still[64] = {0}, y[64];
    haw_model *polar;
    haw_cable_spec cable = haw_cable_spec_default();
    cable.name = "cable";
    cable.element = "bezier-polar";
    cable.elements = 4;
    cable.from[0] = cable.from[1] = cable.to[0] = 0;
    cable.to[1] = 1;
    cable.stiffness = 100;
    cable.density = 1;
    cable.tension = 10;
    const haw_scene plain = {.load_steps = 1, .cables = 1, .cable = &cable};
    assert_int_equal(haw_model_build(context, &plain, &polar), HAW_OK);
    assert_int_equal(haw_system_create(context, polar, NULL, NULL, &system), HAW_OK);
    assert_true(polar->dofs <= 64);
    memcpy(q, polar->cable[0].start, (size_t)polar->dofs * sizeof *q);
    for (int i = 0; i < polar->dofs; i++) {
        q[i] += 0.01 * sin(2 * i);
        a[i] = system->equation[i] >= 0 ? cos(3 * i) : 0;
    }
    haw_model_inertia(polar, q, still, a, y);
    haw_system_clear(system);
    haw_system_add_model(system, q, still, c, 0);
    assert_int_equal(haw_system_factor(system), HAW_OK);
    haw_system_solve(system, y);
    for (int i = 0; i < polar->dofs; i++) {
        assert_near(c * y[i], a[i], 1e-5, 0);
    }
    haw_system_free(system);
    haw_model_free(polar);
}

TEST_FILE(test_system)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_matrix_is_the_derivative_of_all_forces),
        cmocka_unit_test(the_matrix_is_the_derivative_of_forces_that_follow),
        cmocka_unit_test(held_and_copied_degrees_of_freedom_have_no_equation_of_their_own),
        cmocka_unit_test(solutions_have_zeros_where_there_is_no_equation_and_agree_on_copies),
        cmocka_unit_test(compressed_rows_hold_the_same_matrix),
        cmocka_unit_test(a_contact_block_reaches_element_and_body),
        cmocka_unit_test(a_mass_that_depends_on_q_is_that_of_the_inertia_forces),
    };
    const int failed =
        cmocka_run_group_tests_name("test_system, by count", tests, open_model, close_model);
    return failed + cmocka_run_group_tests_name("test_system, in a sparse matrix", tests,
                                                open_sparse_model, close_model);
}
