/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems with bilateral rows in other units of mass and length: the same iterations. */
#include "solver/operator.h"
#include "support/near.h"
#include "support/random.h"

#include <hawser/solver.h>

#include <string.h>

/* Behind the others: its names are theirs for parameters. */
#include "support/arena_fixture.h"

enum { BODIES = 20, VELOCITIES = 3 * BODIES };

/* Factors of masses, lengths and of the rows of G. */
typedef struct units {
    double mass, length, rod;
} units;

/* A chain of particles between rods, each with a contact. */
static haw_problem *make_chain(units unit)
{
    const haw_problem_size size = {.dimension = 3,
                                   .contacts = BODIES,
                                   .velocities = VELOCITIES,
                                   .bilateral = BODIES - 1,
                                   .m_count = VELOCITIES,
                                   .h_count = 3 * VELOCITIES,
                                   .g_count = 6 * (BODIES - 1)};
    uint64_t seed = 11;
    haw_problem *problem;

    assert_int_equal(haw_problem_create(NULL, &size, &problem), HAW_OK);
    haw_global *g = problem->global;

    for (int i = 0; i < VELOCITIES; i++) {
        g->m.start[i + 1] = i + 1;
        g->m.column[i] = i;
        g->m.value[i] = unit.mass * (1.0 + 0.5 * random_signed(&seed));
        g->f[i] = unit.mass * unit.length * (random_signed(&seed) - (i % 3 == 0 ? 1.0 : 0.0));
        g->ht.start[i + 1] = 3 * (i + 1);
        for (int j = 0; j < 3; j++) {
            g->ht.column[3 * i + j] = i / 3 * 3 + j;
            g->ht.value[3 * i + j] = (i % 3 == j ? 1.0 : 0.0) + 0.2 * random_signed(&seed);
        }
    }
    for (int k = 0; k < BODIES - 1; k++) {
        g->gt.start[k + 1] = 6 * (k + 1);
        for (int j = 0; j < 3; j++) {
            const double t = unit.rod * random_signed(&seed);

            g->gt.column[6 * k + j] = 3 * k + j;
            g->gt.column[6 * k + 3 + j] = 3 * k + 3 + j;
            g->gt.value[6 * k + j] = -t;
            g->gt.value[6 * k + 3 + j] = t;
        }
    }
    for (int c = 0; c < BODIES; c++) {
        problem->mu[c] = 0.3;
    }
    return problem;
}

typedef struct answer {
    double r[VELOCITIES], u[VELOCITIES];
    haw_report report;
} answer;

static void solve(const char *solver, units unit, answer *a)
{
    haw_problem *problem = make_chain(unit);
    haw_workspace *workspace;
    haw_solver_settings settings;

    memset(a->r, 0, sizeof a->r);
    assert_int_equal(haw_workspace_create(context, &workspace), HAW_OK);
    assert_int_equal(haw_solver_settings_init(context, solver, &settings), HAW_OK);
    assert_int_equal(haw_solve(problem, &settings, workspace, a->r, a->u, &a->report), HAW_OK);
    if (a->report.outcome != HAW_CONVERGED) {
        fail_msg("%s, masses times %g: %s", solver, unit.mass, haw_outcome_text(a->report.outcome));
    }
    haw_workspace_free(workspace);
    haw_problem_free(NULL, problem);
}

/* Powers of two scale every number of the iteration exactly. */
static void units_change_no_decision(void **state)
{
    const char *const solvers[] = {"newton", "ppa", "admm"};

    const units one = {1.0, 1.0, 1.0};
    const units other[] = {{0x1p20, 1.0, 1.0},  {0x1p-50, 1.0, 1.0}, {1.0, 0x1p-10, 1.0},
                           {1.0, 1.0, 0x1p-40}, {1.0, 1.0, 0x1p40},  {0x1p-50, 0x1p-10, 0x1p7}};

    (void)state;
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        answer want, got;

        solve(solvers[s], one, &want);
        for (size_t k = 0; k < sizeof other / sizeof other[0]; k++) {
            const double impulse = other[k].mass * other[k].length;

            solve(solvers[s], other[k], &got);
            assert_int_equal(got.report.iterations, want.report.iterations);
            assert_int_equal(got.report.effort.factorizations, want.report.effort.factorizations);
            assert_int_equal(got.report.effort.products, want.report.effort.products);
            for (int i = 0; i < VELOCITIES; i++) {
                assert_near(got.r[i], want.r[i] * impulse, 0.0, 1.0e-12);
                assert_near(got.u[i], want.u[i] * other[k].length, 1.0e-14 * other[k].length,
                            1.0e-12);
            }
        }
    }
}

static void masses_of_any_size_are_regular(void **state)
{
    answer a;

    (void)state;
    for (int exponent = -24; exponent <= 24; exponent += 3) {
        solve("newton", (units){pow(10.0, exponent), 1.0, 1.0}, &a);
    }
}

/* Two particles of 1 kg and 2^-55 kg with the same velocity along t = (1, 1), by hand: the heavy
 * one takes an impulse along t; across, s = (1, -1), the light one is alone: W = t t^T / (2 (m_1 +
 * m_2)) + s s^T / (2 m_2). */
static void a_light_body_may_hang_on_a_heavy_one(void **state)
{
    const double light = 0x1p-55;
    const haw_problem_size size = {.dimension = 2,
                                   .contacts = 1,
                                   .velocities = 4,
                                   .bilateral = 1,
                                   .m_count = 4,
                                   .h_count = 2,
                                   .g_count = 4};
    const double r[2] = {3.0, 3.0};
    double v[4], l;
    haw_problem *problem;
    haw_operator op;

    (void)state;
    assert_int_equal(haw_problem_create(NULL, &size, &problem), HAW_OK);
    haw_global *g = problem->global;

    for (int i = 0; i < 4; i++) {
        g->m.start[i + 1] = i + 1;
        g->m.column[i] = g->gt.column[i] = i;
        g->m.value[i] = i < 2 ? 1.0 : light;
        g->gt.value[i] = i < 2 ? 0x1p20 : -0x1p20;
    }
    for (int i = 0; i < 2; i++) {
        g->ht.start[i + 1] = i + 1;
        g->ht.column[i] = 2 + i;
        g->ht.value[i] = 1.0;
    }
    g->gt.start[1] = 4;
    assert_int_equal(haw_operator_create(&arena, problem, &op), HAW_OK);
    const double *block = haw_operator_block(&op, 0);

    assert_near(block[0], 0.5 / light, 0.0, 1.0e-12);
    assert_near(block[1], -0.5 / light, 0.0, 1.0e-12);
    assert_near(block[3], 0.5 / light, 0.0, 1.0e-12);
    haw_operator_state(&op, r, v, &l);
    assert_near(v[0], 3.0, 0.0, 1.0e-12);
    assert_near(v[1], 3.0, 0.0, 1.0e-12);
    assert_near(l, 3.0 * 0x1p-20, 0.0, 1.0e-12);
    haw_operator_release(&op);
    haw_problem_free(NULL, problem);
}

/* W_cc of a particle that holds one without a mass by one bilateral row; a second row, of the
 * massless one alone, holds it too. */
static void block_beside_a_massless_body(double mass, double block[4])
{
    const haw_problem_size size = {.dimension = 2,
                                   .contacts = 1,
                                   .velocities = 4,
                                   .bilateral = 2,
                                   .m_count = 2,
                                   .h_count = 2,
                                   .g_count = 6};
    const double rows[6] = {0.7, -0.4, 0.9, 0.3, -0.8, 0.6};
    haw_problem *problem;
    haw_operator op;

    assert_int_equal(haw_problem_create(NULL, &size, &problem), HAW_OK);
    haw_global *g = problem->global;

    for (int i = 0; i < 4; i++) {
        g->m.start[i + 1] = i < 2 ? i + 1 : 2;
        g->gt.column[i] = i;
    }
    for (int i = 0; i < 2; i++) {
        g->ht.start[i + 1] = i + 1;
        g->m.column[i] = g->ht.column[i] = i;
        g->m.value[i] = mass * (1.0 + 0.3 * i);
        g->ht.value[i] = 1.0;
        g->gt.column[4 + i] = 2 + i;
    }
    g->gt.start[1] = 4;
    g->gt.start[2] = 6;
    memcpy(g->gt.value, rows, sizeof rows);
    assert_int_equal(haw_operator_create(&arena, problem, &op), HAW_OK);
    memcpy(block, haw_operator_block(&op, 0), 4 * sizeof *block);
    haw_operator_release(&op);
    haw_problem_free(NULL, problem);
}

static void a_body_without_a_mass_has_no_unit_of_its_own(void **state)
{
    double one[4], other[4];

    (void)state;
    block_beside_a_massless_body(1.0, one);
    assert_near(one[0], 1.0, 0.0, 1.0e-14); /* what it is held by moves freely with it */
    assert_near(one[3], 1.0 / 1.3, 0.0, 1.0e-14);
    for (int exponent = -60; exponent <= 60; exponent += 20) {
        block_beside_a_massless_body(ldexp(1.0, exponent), other);
        for (int i = 0; i < 4; i++) {
            assert_true(ldexp(other[i], exponent) == one[i]);
        }
    }
}

TEST_FILE(test_bilateral)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_change_no_decision),
        cmocka_unit_test(masses_of_any_size_are_regular),
        cmocka_unit_test(a_body_without_a_mass_has_no_unit_of_its_own),
        cmocka_unit_test(a_light_body_may_hang_on_a_heavy_one),
    };

    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
