/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/winding.h"
#include "solver/newton.h"
#include "solver/newton_residual.h"
#include "solver/referee.h"
#include "support/failing.h"
#include "support/global_problem.h"
#include "support/problems.h"
#include "support/rows.h"

#include <stdlib.h>

static haw_report solve(const haw_problem *problem, double tolerance, double *r, double *u)
{
    haw_report report;

    assert_true(rows_solve(haw_solver_find("newton"), problem, tolerance, r, u, &report));
    return report;
}

/* ---- the equations of one contact ---- */

/* Central differences of g along a random direction at one point; counts the states seen. */
static void check_derivative(int d, double mu, uint64_t *seed, int seen[3])
{
    const double c = 0.7, h = 1e-6;
    double s[3], u[3], ds[3], du[3], g[3], a[9], b[9], far[2][3];
    haw_contact_state states[2];

    for (int i = 0; i < d; i++) {
        s[i] = random_signed(seed);
        u[i] = random_signed(seed);
        ds[i] = random_signed(seed);
        du[i] = random_signed(seed);
    }
    const haw_contact_state state = haw_newton_jacobian(d, mu, c, s, u, g, a, b);

    for (int side = 0; side < 2; side++) {
        double s2[3], u2[3];

        for (int i = 0; i < d; i++) {
            s2[i] = s[i] + (side == 0 ? -h : h) * ds[i];
            u2[i] = u[i] + (side == 0 ? -h : h) * du[i];
        }
        states[side] = haw_newton_residual(d, mu, c, s2, u2, far[side]);
    }
    if (states[0] != state || states[1] != state) {
        return; /* too near a kink */
    }
    seen[state]++;
    for (int i = 0; i < d; i++) {
        double want = 0.0;

        for (int j = 0; j < d; j++) {
            want += a[d * i + j] * du[j] + b[d * i + j] * ds[j];
        }
        assert_near((far[1][i] - far[0][i]) / (2.0 * h), want, 1e-6, 1e-6);
    }
}

static void jacobian_is_the_derivative_of_the_residual_away_from_kinks(void **state)
{
    uint64_t seed = 11;

    (void)state;
    for (int d = 2; d <= 3; d++) {
        int seen[3] = {0};

        for (int i = 0; i < 300; i++) {
            check_derivative(d, i % 10 == 0 ? 0.0 : 0.8, &seed, seen);
        }
        assert_true(seen[HAW_CONTACT_OPEN] > 50 && seen[HAW_CONTACT_STICK] > 20 &&
                    seen[HAW_CONTACT_SLIP] > 50);
    }
}

static void zeros_of_the_residual_are_solutions_of_one_contact(void **state)
{
    const double open[2][3] = {{0.0, 0.0, 0.0}, {0.2, 0.3, -0.4}};
    const double stick[2][3] = {{1.0, 0.3, 0.1}, {0.0, 0.0, 0.0}};
    const double slip[2][3] = {{1.0, -0.3, 0.4}, {0.0, 0.6, -0.8}}; /* |r_T| = mu r_N, opposed */
    const double(*const points[])[3] = {open, stick, slip};
    double g[3];

    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(haw_newton_residual(3, 0.5, 0.3, points[i][0], points[i][1], g), i);
        for (int k = 0; k < 3; k++) {
            assert_near(g[k], 0.0, 1e-15, 0.0);
        }
    }
}

static void frictionless_contact_asks_for_no_tangential_impulse(void **state)
{
    const double s[3] = {1.0, 0.0, 0.0}, u[3] = {0.0, 0.0, 0.0};
    double g[3], a[9], b[9];

    (void)state;
    (void)haw_newton_jacobian(3, 0.0, 0.5, s, u, g, a, b);
    for (int i = 1; i < 3; i++) {
        assert_near(b[3 * i + i], 2.0, 1e-15, 0.0); /* row: ds_T / c = -s_T / c */
        assert_near(a[3 * i + i], 0.0, 0.0, 0.0);
    }
}

/* ---- problems with known answers ---- */

/* One contact with W = 2 I and the given q. */
static void check_single(int d, double mu, const double *q, const double *want)
{
    small_problem s;
    double r[3] = {0}, u[3];

    small_problem_init(&s, d, 1);
    for (int i = 0; i < d; i++) {
        *small_problem_entry(&s, i, i) = 2.0;
        s.q[i] = q[i];
    }
    s.mu[0] = mu;
    const haw_report report = solve(&s.problem, 1e-12, r, u);

    assert_int_equal(report.outcome, HAW_CONVERGED);
    for (int i = 0; i < d; i++) {
        assert_near(r[i], want[i], 1e-11, 0.0);
    }
}

static void one_contact_opens_sticks_and_slips(void **state)
{
    (void)state;
    check_single(2, 0.5, (double[]){1.0, 3.0}, (double[]){0.0, 0.0});
    check_single(2, 0.5, (double[]){-2.0, 0.8}, (double[]){1.0, -0.4});
    check_single(2, 0.5, (double[]){-2.0, 3.0}, (double[]){1.0, -0.5});
    check_single(2, 0.5, (double[]){-2.0, 1.0}, (double[]){1.0, -0.5}); /* on the edge */
    check_single(3, 0.5, (double[]){1.0, 3.0, -1.0}, (double[]){0.0, 0.0, 0.0});
    check_single(3, 0.5, (double[]){-2.0, 0.6, -0.4}, (double[]){1.0, -0.3, 0.2});
    check_single(3, 0.5, (double[]){-2.0, 3.0, -4.0}, (double[]){1.0, -0.3, 0.4});
    check_single(3, 0.0, (double[]){-2.0, 3.0, -4.0}, (double[]){1.0, 0.0, 0.0});
    check_single(3, 1e8, (double[]){-2.0, 3.0, -4.0}, (double[]){1.0, -1.5, 2.0});
}

static void coupled_frictionless_contacts_share_the_load(void **state)
{
    small_problem s;
    double r[4] = {0}, u[4];

    (void)state;
    small_problem_init(&s, 2, 2); /* normals: [2 1; 1 2] r = (1, 1) */
    for (int i = 0; i < 4; i++) {
        *small_problem_entry(&s, i, i) = 2.0;
    }
    *small_problem_entry(&s, 0, 2) = 1.0;
    *small_problem_entry(&s, 2, 0) = 1.0;
    s.q[0] = -1.0;
    s.q[2] = -1.0;
    s.q[1] = 0.5;
    assert_int_equal(solve(&s.problem, 1e-12, r, u).outcome, HAW_CONVERGED);
    assert_near(r[0], 1.0 / 3.0, 1e-12, 0.0);
    assert_near(r[2], 1.0 / 3.0, 1e-12, 0.0);
    assert_near(r[1], 0.0, 1e-12, 0.0);
    assert_near(u[1], 0.5, 1e-12, 0.0);
}

static void hyperstatic_problems_are_solved(void **state)
{
    uint64_t seed = 5;
    int solved = 0;

    (void)state;
    for (int i = 0; i < 50; i++) { /* 8 contacts of one body with 6 velocities: W of rank 6 in 24 */
        small_problem s;
        double r[PROBLEM_ROWS] = {0}, u[PROBLEM_ROWS];

        small_problem_init(&s, 3, PROBLEM_CONTACTS);
        small_problem_random(&s, 6, 0.0, 0.5, &seed);
        memset(s.q, 0, sizeof s.q);
        for (int k = 0; k < 4; k++) { /* q in the range of W: all contacts can open together */
            for (int row = 0; row < PROBLEM_ROWS; row++) {
                s.q[row] -= *small_problem_entry(&s, row, 3 * k);
            }
        }
        solved += solve(&s.problem, 1e-10, r, u).outcome == HAW_CONVERGED;
    }
    assert_int_equal(solved, 50);
}

static void local_and_global_form_agree(void **state)
{
    uint64_t seed = 3;

    (void)state;
    for (int i = 0; i < 20; i++) {
        const int d = 2 + i % 2, p = i % 3;
        haw_problem *global = global_random(d, 5, 5 * d + 6, p, 1.0, &seed), *local;
        double r[2][15] = {{0}}, u[15];

        assert_int_equal(haw_problem_reduce(NULL, global, &local), HAW_OK);
        const haw_report one = solve(global, 1e-11, r[0], u), two = solve(local, 1e-11, r[1], u);

        assert_int_equal(one.outcome, HAW_CONVERGED);
        assert_int_equal(two.outcome, HAW_CONVERGED);
        assert_int_equal(one.iterations, two.iterations); /* the same steps in other unknowns */
        for (int k = 0; k < 5 * d; k++) {
            assert_near(r[0][k], r[1][k], 1e-7, 1e-7);
        }
        haw_problem_free(NULL, global);
        haw_problem_free(NULL, local);
    }
}

/* ---- windings ---- */

typedef struct wound {
    haw_problem *problem;
    double *r, *u;
} wound;

static wound wind(const haw_winding *winding)
{
    wound w;

    assert_int_equal(haw_winding_create(NULL, winding, &w.problem), HAW_OK);
    const size_t rows = (size_t)winding->dimension * (size_t)w.problem->contacts;

    w.r = calloc(rows, sizeof(double));
    w.u = calloc(rows, sizeof(double));
    assert_true(w.r != NULL && w.u != NULL);
    return w;
}

static void unwind(wound *w)
{
    haw_problem_free(NULL, w->problem);
    free(w->r);
    free(w->u);
}

static void every_winding_of_50_nodes_takes_few_factorizations(void **state)
{
    static const double kappas[] = {1e2, 1e4, 1e6}, frictions[] = {0.0, 0.1, 0.4, 0.8, 10.0};

    (void)state;
    for (int i = 0; i < 60; i++) {
        const haw_winding winding = {.dimension = 2 + i % 2,
                                     .nodes = 50,
                                     .layers = 1 + i / 2 % 2,
                                     .kappa = kappas[i / 4 % 3],
                                     .friction = frictions[i / 12],
                                     .seed = 7};
        wound w = wind(&winding);
        const haw_report report = solve(w.problem, 1e-8, w.r, w.u);

        assert_int_equal(report.outcome, HAW_CONVERGED);
        assert_true(report.residual.relative <= 1e-8);
        assert_true(report.effort.factorizations <= 60);
        assert_true(report.effort.first_order_flops < report.effort.newton_flops);
        unwind(&w);
    }
}

/* A slip front of some 1000 nodes; plain Newton steps move it by one node each. */
static void a_long_slip_front_does_not_crawl(void **state)
{
    const haw_winding winding = {3, 5000, 1, 1e6, 0.4, 1};
    wound w = wind(&winding);
    const haw_report report = solve(w.problem, 1e-8, w.r, w.u);

    (void)state;
    assert_int_equal(report.outcome, HAW_CONVERGED);
    assert_true(report.effort.factorizations <= 60);
    unwind(&w);
}

static void units_change_no_decision(void **state)
{
    const double masses = 1e6, lengths = 1e-3;

    (void)state;
    for (int i = 0; i < haw_winding_suite_count(); i += 5) {
        const haw_winding winding = haw_winding_suite(i);

        if (winding.nodes > 200) {
            continue;
        }
        wound plain = wind(&winding), scaled = wind(&winding);
        haw_global *g = scaled.problem->global;

        for (int k = 0; k < g->m.start[g->m.rows]; k++) {
            g->m.value[k] *= masses;
        }
        for (int k = 0; k < g->m.rows; k++) {
            g->f[k] *= masses * lengths;
        }
        const haw_report one = solve(plain.problem, 1e-8, plain.r, plain.u);
        const haw_report two = solve(scaled.problem, 1e-8, scaled.r, scaled.u);

        assert_int_equal(one.iterations, two.iterations);
        assert_near(two.residual.natural, one.residual.natural, 1e-9, 0.0);
        for (int k = 0; k < g->ht.rows; k++) {
            assert_near(scaled.r[k], masses * lengths * plain.r[k], 1e-5, 1e-6);
        }
        unwind(&plain);
        unwind(&scaled);
    }
}

static void warm_start_saves_steps(void **state)
{
    const haw_winding winding = {3, 200, 1, 1e4, 0.4, 2};
    wound w = wind(&winding);
    const haw_report cold = solve(w.problem, 1e-8, w.r, w.u);

    (void)state;
    assert_int_equal(solve(w.problem, 1e-8, w.r, w.u).iterations, 0);
    for (int i = 0; i < w.problem->global->m.rows; i++) {
        w.problem->global->f[i] *= 1.001;
    }
    const haw_report warm = solve(w.problem, 1e-8, w.r, w.u);

    assert_int_equal(warm.outcome, HAW_CONVERGED);
    assert_true(warm.iterations < cold.iterations);
    unwind(&w);
}

/* ---- inside other methods ---- */

/* W + D and q - D center, written out. */
static void add_shift(small_problem *s, double alpha, const double *center)
{
    const int d = s->problem.dimension;

    for (int c = 0; c < s->problem.contacts; c++) {
        double w = 0.0;

        for (int i = d * c; i < d * (c + 1); i++) {
            w += *small_problem_entry(s, i, i) / d;
        }
        for (int i = d * c; i < d * (c + 1); i++) {
            *small_problem_entry(s, i, i) += alpha * w;
            s->q[i] -= alpha * w * center[i];
        }
    }
}

static void a_shift_adds_to_the_operator_and_to_q(void **state)
{
    haw_context *context;
    uint64_t seed = 21;

    (void)state;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    for (int i = 0; i < 10; i++) {
        const double alpha = 0.5;
        double center[PROBLEM_ROWS], r[PROBLEM_ROWS] = {0}, want[PROBLEM_ROWS] = {0};
        double u[PROBLEM_ROWS];
        small_problem s;
        haw_arena arena;
        haw_newton *newton;
        haw_newton_result result;

        small_problem_init(&s, 2 + i % 2, 6);
        small_problem_random(&s, 40, 0.1, 1.0, &seed);
        global_fill(center, PROBLEM_ROWS, &seed);
        haw_arena_init(&arena, context);
        haw_task task = {.context = context,
                         .arena = &arena,
                         .problem = &s.problem,
                         .tolerance = 1e-13,
                         .max_iterations = 100,
                         .best = HUGE_VAL};

        assert_int_equal(haw_operator_create(&arena, &s.problem, &task.op), HAW_OK);
        task.v_ref = haw_referee_reference(&task.op);
        assert_int_equal(haw_newton_create(&task, &newton), HAW_OK);
        assert_int_equal(
            haw_newton_run(newton, &(haw_newton_shift){alpha, center}, 1e-12, 100, r, &result),
            HAW_OK);
        assert_int_equal(result.end, HAW_NEWTON_CONVERGED);
        assert_true(result.shifted <= 1e-12 && result.natural > 1e-6);
        assert_int_equal(result.iterations, task.effort.iterations);
        haw_newton_release(newton);
        haw_operator_release(&task.op);
        haw_arena_fini(&arena);
        add_shift(&s, alpha, center);
        assert_int_equal(solve(&s.problem, 1e-12, want, u).outcome, HAW_CONVERGED);
        for (int k = 0; k < s.problem.dimension * 6; k++) {
            assert_near(r[k], want[k], 1e-9, 1e-9);
        }
    }
    haw_context_free(context);
}

static void iterations_are_limited_and_the_best_iterate_comes_back(void **state)
{
    const haw_winding winding = {3, 200, 1, 1e6, 0.1, 1};
    wound w = wind(&winding);
    haw_solver_settings settings;
    haw_report report;

    (void)state;
    assert_int_equal(haw_solver_settings_init(NULL, "newton", &settings), HAW_OK);
    assert_int_equal(
        haw_options_set_real(NULL, settings.ops->options, settings.options, "max_iterations", 4.0),
        HAW_OK);
    assert_int_equal(haw_solve(w.problem, &settings, rows_workspace(), w.r, w.u, &report), HAW_OK);
    assert_int_equal(report.outcome, HAW_ITERATION_LIMIT);
    assert_int_equal(report.iterations, 4);
    assert_true(report.residual.natural < 1.0);
    unwind(&w);
}

static void a_second_solve_takes_no_memory(void **state)
{
    const haw_winding winding = {3, 30, 1, 1e4, 0.4, 1};
    wound w = wind(&winding);
    haw_problem *local;
    counting count = {0};
    const haw_allocator allocator = counting_allocator(&count);
    haw_solver_settings settings;
    haw_workspace *workspace;
    haw_context *context;
    haw_report report;

    (void)state;
    assert_int_equal(haw_problem_reduce(NULL, w.problem, &local), HAW_OK);
    assert_int_equal(haw_context_create(&allocator, &context), HAW_OK);
    assert_int_equal(haw_workspace_create(context, &workspace), HAW_OK);
    assert_int_equal(haw_solver_settings_init(context, "newton", &settings), HAW_OK);
    long calls = 0;

    for (int i = 0; i < 3; i++) {
        calls = count.calls;
        memset(w.r, 0, 90 * sizeof *w.r);
        assert_int_equal(haw_solve(local, &settings, workspace, w.r, w.u, &report), HAW_OK);
        assert_int_equal(report.outcome, HAW_CONVERGED);
    }
    assert_int_equal(count.calls, calls);
    haw_problem_free(NULL, local);
    haw_workspace_free(workspace);
    haw_context_free(context);
    unwind(&w);
}

typedef struct attempt {
    const haw_problem *problem;
    double *r, *u;
} attempt;

static haw_status attempt_solve(haw_context *context, void *user)
{
    const attempt *a = user;
    haw_solver_settings settings;
    haw_workspace *workspace;
    haw_report report;
    haw_status status = haw_workspace_create(context, &workspace);

    if (status == HAW_OK) {
        status = haw_solver_settings_init(context, "newton", &settings);
    }
    if (status == HAW_OK) {
        memset(a->r, 0, 24 * sizeof *a->r);
        status = haw_solve(a->problem, &settings, workspace, a->r, a->u, &report);
    }
    haw_workspace_free(workspace);
    return status;
}

static void lack_of_memory_is_told_at_every_allocation(void **state)
{
    const haw_winding winding = {2, 12, 1, 1e2, 0.4, 1};
    wound w = wind(&winding);
    attempt a = {w.problem, w.r, w.u};

    (void)state;
    assert_true(failing_loop(attempt_solve, &a) > 3);
    unwind(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jacobian_is_the_derivative_of_the_residual_away_from_kinks),
        cmocka_unit_test(zeros_of_the_residual_are_solutions_of_one_contact),
        cmocka_unit_test(frictionless_contact_asks_for_no_tangential_impulse),
        cmocka_unit_test(one_contact_opens_sticks_and_slips),
        cmocka_unit_test(coupled_frictionless_contacts_share_the_load),
        cmocka_unit_test(hyperstatic_problems_are_solved),
        cmocka_unit_test(local_and_global_form_agree),
        cmocka_unit_test(every_winding_of_50_nodes_takes_few_factorizations),
        cmocka_unit_test(a_long_slip_front_does_not_crawl),
        cmocka_unit_test(units_change_no_decision),
        cmocka_unit_test(warm_start_saves_steps),
        cmocka_unit_test(a_shift_adds_to_the_operator_and_to_q),
        cmocka_unit_test(iterations_are_limited_and_the_best_iterate_comes_back),
        cmocka_unit_test(a_second_solve_takes_no_memory),
        cmocka_unit_test(lack_of_memory_is_told_at_every_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
