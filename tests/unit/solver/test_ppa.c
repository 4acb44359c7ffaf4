/* SPDX-License-Identifier: BSD-3-Clause */
/* Proximal point method: problems with more contact forces than the bodies can tell apart. */
#include "bench/winding.h"
#include "support/global_problem.h"
#include "support/random.h"
#include "support/rows.h"

static haw_report solve_with(const char *name, const haw_problem *problem, double *r, double *u)
{
    haw_report report;

    assert_true(rows_solve((const haw_solver_ops *)haw_row_find(haw_solvers, name), problem, 1e-12,
                           r, u, &report));
    return report;
}

/* ---- a block on eight feet ---- */

enum { FEET = 8, FEET_ROWS = 3 * FEET };

static const double mass = 2.0, height = 0.3; /* of the centre over the feet */

static void foot(int c, double x[3])
{
    x[0] = c % 4 < 2 ? -1.0 : 1.0;
    x[1] = c % 2 == 0 ? -0.8 : 0.8;
    x[2] = -height;
    if (c >= 4) {
        x[0] *= 0.5;
        x[1] *= 0.5;
    }
}

/* A rigid block on flat ground under its weight, for 1 s of g = 10, pushed along x at the height of
 * the ground: 24 contact rows for 6 velocities. */
static haw_problem *block(double push, double mu)
{
    const haw_problem_size size = {
        .dimension = 3, .contacts = FEET, .velocities = 6, .m_count = 36, .h_count = 6 * FEET_ROWS};
    static const double inertia[3] = {0.4, 0.7, 1.0};
    static const int axes[3] = {2, 0, 1}; /* normal, tangents */
    haw_problem *problem;

    assert_int_equal(haw_problem_create(NULL, &size, &problem), HAW_OK);
    haw_global *g = problem->global;

    global_dense(&g->m);
    global_dense(&g->ht);
    for (int i = 0; i < 6; i++) {
        g->m.value[7 * i] = i < 3 ? mass : inertia[i - 3];
    }
    for (int row = 0; row < FEET_ROWS; row++) { /* u_k = v_k + (omega x x)_k */
        const int k = axes[row % 3], next = (k + 1) % 3, last = (k + 2) % 3;
        double x[3];

        foot(row / 3, x);
        g->ht.value[6 * row + k] = 1.0;
        g->ht.value[6 * row + 3 + next] = x[last];
        g->ht.value[6 * row + 3 + last] = -x[next];
    }
    g->f[2] = -10.0 * mass;
    g->f[0] = push;
    g->f[4] = -height * push;
    for (int c = 0; c < FEET; c++) {
        problem->mu[c] = mu;
    }
    return problem;
}

/* Impulses carry the weight and hold against the push as far as friction goes. */
static void check_block(const haw_problem *problem, double push, double mu)
{
    double r[FEET_ROWS] = {0}, u[FEET_ROWS], total[3] = {0};
    const haw_report report = solve_with("ppa", problem, r, u);
    const double weight = 10.0 * mass, friction = fmin(push, mu * weight);

    assert_int_equal(report.outcome, HAW_CONVERGED);
    for (int i = 0; i < FEET_ROWS; i++) {
        const double slip = i % 3 == 1 ? (push - friction) / mass : 0.0;

        total[i % 3] += r[i];
        assert_near(u[i], slip, 1e-9, 0.0);
    }
    assert_near(total[0], weight, 1e-9, 0.0);
    assert_near(total[1], -friction, 1e-9, 0.0);
    assert_near(total[2], 0.0, 1e-9, 0.0);
}

static void a_block_on_eight_feet_stands_or_slides(void **state)
{
    static const double pushes[] = {0.0, 6.0, 9.999, 10.0, 14.0};

    (void)state;
    for (int i = 0; i < 5; i++) {
        haw_problem *global = block(pushes[i], 0.5), *local;

        assert_int_equal(haw_problem_reduce(NULL, global, &local), HAW_OK);
        check_block(global, pushes[i], 0.5);
        check_block(local, pushes[i], 0.5);
        haw_problem_free(NULL, local);
        haw_problem_free(NULL, global);
    }
}

/* Weight, feet and start are symmetric, and every step is: of all solutions it takes one that is,
 * but for what a nearly singular W makes of rounding errors. */
static void mirrored_feet_carry_the_same(void **state)
{
    haw_problem *problem = block(0.0, 0.5);
    double r[FEET_ROWS] = {0}, u[FEET_ROWS];

    (void)state;
    assert_int_equal(solve_with("ppa", problem, r, u).outcome, HAW_CONVERGED);
    for (int c = 0; c < FEET; c++) {
        const double *like = r + (c < 4 ? 0 : 12), *own = r + 3 * (ptrdiff_t)c;

        assert_near(own[0], like[0], 1e-2, 0.0);
        assert_near(fabs(own[1]), fabs(like[1]), 1e-2, 0.0);
        assert_near(fabs(own[2]), fabs(like[2]), 1e-2, 0.0);
        assert_true(own[0] > 0.1);
    }
    haw_problem_free(NULL, problem);
}

/* ---- other problems ---- */

static void it_agrees_with_newton_in_the_velocities(void **state)
{
    (void)state;
    for (uint64_t first = 1; first <= 40; first++) { /* up to 18 rows for 5 velocities */
        uint64_t seed = first;
        const int d = 2 + (int)(first % 2), n = 4 + (int)(first % 3), b = (int)(first % 4 == 0);
        haw_problem *global = global_random(d, n, 5 + b, b, 0.1, &seed), *local;
        double r[PROBLEM_ROWS] = {0}, u[PROBLEM_ROWS], want[PROBLEM_ROWS];

        assert_int_equal(haw_problem_reduce(NULL, global, &local), HAW_OK);
        assert_int_equal(solve_with("newton", local, r, want).outcome, HAW_CONVERGED);
        for (int k = 0; k < 2; k++) {
            memset(r, 0, sizeof r);
            assert_int_equal(solve_with("ppa", k == 0 ? local : global, r, u).outcome,
                             HAW_CONVERGED);
            assert_near(enum_distance(d * n, u, want), 0.0, 1e-8, 0.0);
        }
        haw_problem_free(NULL, local);
        haw_problem_free(NULL, global);
    }
}

static void windings_have_the_impulses_of_newton(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        const haw_winding winding = {2 + i % 2, 30, 1, i / 2 == 0 ? 1e2 : 1e4, 0.4, 1};
        haw_problem *problem;
        double r[90] = {0}, want[90] = {0}, u[90];
        haw_report report;

        assert_int_equal(haw_winding_create(NULL, &winding, &problem), HAW_OK);
        assert_true(rows_solve((const haw_solver_ops *)haw_row_find(haw_solvers, "newton"), problem,
                               1e-11, want, u, &report));
        assert_int_equal(report.outcome, HAW_CONVERGED);
        assert_true(rows_solve((const haw_solver_ops *)haw_row_find(haw_solvers, "ppa"), problem,
                               1e-11, r, u, &report));
        assert_int_equal(report.outcome, HAW_CONVERGED);
        assert_true(report.effort.factorizations <= 150);
        for (int k = 0; k < 30 * winding.dimension; k++) {
            assert_near(r[k], want[k], 1e-5, 1e-6);
        }
        haw_problem_free(NULL, problem);
    }
}

/* Friction up to 10 and up to 21 rows for 5 velocities. Without the path of smoothed problems the
 * 60 take 1800 steps; the path alone solves 48 of them. */
static void rough_ground_is_no_hindrance(void **state)
{
    int steps = 0;

    (void)state;
    for (uint64_t first = 1; first <= 60; first++) {
        uint64_t seed = first;
        haw_problem *problem =
            global_random(2 + (int)(first % 2), 4 + (int)(first % 4), 5, 0, 10.0, &seed);
        double r[PROBLEM_ROWS] = {0}, u[PROBLEM_ROWS];
        haw_report report;

        assert_true(rows_solve((const haw_solver_ops *)haw_row_find(haw_solvers, "ppa"), problem,
                               1e-10, r, u, &report));
        assert_int_equal(report.outcome, HAW_CONVERGED);
        assert_true(report.iterations <= 250);
        steps += report.iterations;
        haw_problem_free(NULL, problem);
    }
    assert_true(steps <= 1600);
}

/* ---- more points than a curve can follow ---- */

enum { POINTS = 40, DEGREE = 7, CURVE = 2 * (DEGREE + 1) };

static double bernstein(int k, double x)
{
    double value = 1.0;

    for (int i = 1; i <= k; i++) {
        value *= x * (DEGREE + 1 - i) / i;
    }
    return value * pow(1.0 - x, DEGREE - k);
}

/* A Bezier curve of degree 7 that slides along a quarter of a circle, pressed on by random loads
 * around a mean: 80 contact rows for 16 velocities, most points neither pressed nor parting. */
static haw_problem *curve(double mu, uint64_t *seed)
{
    const haw_problem_size size = {.dimension = 2,
                                   .contacts = POINTS,
                                   .velocities = CURVE,
                                   .m_count = CURVE * CURVE,
                                   .h_count = 2 * POINTS * CURVE};
    haw_problem *problem;

    assert_int_equal(haw_problem_create(NULL, &size, &problem), HAW_OK);
    haw_global *g = problem->global;

    global_dense(&g->m);
    global_dense(&g->ht);
    for (int i = 0; i < CURVE; i++) {
        const int node = i / 2;
        const double angle = 1.5 * node / DEGREE, press = 1.0 + random_signed(seed);

        g->m.value[(CURVE + 1) * i] = 1.0;
        g->f[i] = i % 2 == 0 ? -cos(angle) * press - sin(angle) : -sin(angle) * press + cos(angle);
    }
    for (int c = 0; c < POINTS; c++) {
        const double x = c / (POINTS - 1.0), n[2] = {cos(1.5 * x), sin(1.5 * x)};

        for (int k = 0; k <= DEGREE; k++) {
            double *normal = g->ht.value + (2 * c) * CURVE + 2 * k, *tangent = normal + CURVE;

            normal[0] = n[0] * bernstein(k, x);
            normal[1] = n[1] * bernstein(k, x);
            tangent[0] = n[1] * bernstein(k, x);
            tangent[1] = -n[0] * bernstein(k, x);
        }
        problem->mu[c] = mu;
    }
    return problem;
}

static void points_denser_than_the_curve_can_follow_are_solved(void **state)
{
    uint64_t seed = 8;

    (void)state;
    for (int i = 0; i < 20; i++) {
        haw_problem *global = curve(0.1 + 0.02 * i, &seed), *local;
        double r[2 * POINTS] = {0}, u[2 * POINTS];
        haw_report report;

        assert_int_equal(haw_problem_reduce(NULL, global, &local), HAW_OK);
        for (int k = 0; k < 2; k++) {
            memset(r, 0, sizeof r);
            assert_true(rows_solve((const haw_solver_ops *)haw_row_find(haw_solvers, "ppa"),
                                   k == 0 ? local : global, 1e-8, r, u, &report));
            assert_int_equal(report.outcome, HAW_CONVERGED);
        }
        haw_problem_free(NULL, local);
        haw_problem_free(NULL, global);
    }
}

/* ---- budgets ---- */

static bool remember_best(void *user, const haw_solve_progress *progress)
{
    *(double *)user = progress->best;
    return false;
}

/* Rough ground lets the residual rise and fall on the way. */
static void what_comes_back_is_the_best_iterate_seen(void **state)
{
    haw_solver_settings settings;

    (void)state;
    assert_int_equal(haw_solver_settings_init(NULL, "ppa", &settings), HAW_OK);
    settings.options[0] = 1e-12; /* the tolerance leads */
    for (int i = 0; i < 500; i++) {
        const int limit = 1 + i % 25, d = 2 + i / 25 % 2;
        uint64_t seed = 1 + (uint64_t)i / 25;
        haw_problem *problem = global_random(d, 4 + i / 25 % 4, 5, 0, 10.0, &seed);
        double r[PROBLEM_ROWS] = {0}, u[PROBLEM_ROWS], best = HUGE_VAL;
        const haw_solve_observer observer = {remember_best, &best};
        haw_report report;

        assert_int_equal(haw_options_set_real(NULL, settings.ops->row.options, settings.options,
                                              "max_iterations", limit),
                         HAW_OK);
        haw_workspace_observe(rows_workspace(), &observer);
        assert_int_equal(haw_solve(problem, &settings, rows_workspace(), r, u, &report), HAW_OK);
        haw_workspace_observe(rows_workspace(), NULL);
        assert_int_equal(report.outcome, report.iterations < limit || best <= 1e-12
                                             ? HAW_CONVERGED
                                             : HAW_ITERATION_LIMIT);
        assert_true(report.iterations <= limit);
        assert_true(report.residual.natural <= best);
        haw_problem_free(NULL, problem);
    }
}

static void a_solution_is_left_alone(void **state)
{
    haw_problem *problem = block(6.0, 0.5);
    double r[FEET_ROWS] = {0}, u[FEET_ROWS], first[FEET_ROWS];

    (void)state;
    assert_int_equal(solve_with("ppa", problem, r, u).outcome, HAW_CONVERGED);
    memcpy(first, r, sizeof first);
    assert_int_equal(solve_with("ppa", problem, r, u).iterations, 0);
    assert_memory_equal(r, first, sizeof first);
    haw_problem_free(NULL, problem);
}

TEST_FILE(test_ppa)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_on_eight_feet_stands_or_slides),
        cmocka_unit_test(mirrored_feet_carry_the_same),
        cmocka_unit_test(it_agrees_with_newton_in_the_velocities),
        cmocka_unit_test(windings_have_the_impulses_of_newton),
        cmocka_unit_test(rough_ground_is_no_hindrance),
        cmocka_unit_test(points_denser_than_the_curve_can_follow_are_solved),
        cmocka_unit_test(what_comes_back_is_the_best_iterate_seen),
        cmocka_unit_test(a_solution_is_left_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
