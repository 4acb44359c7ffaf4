/* SPDX-License-Identifier: BSD-3-Clause */
#include "solver/newton.h"
#include "solver/referee.h"
#include "support/global_problem.h"
#include "support/near.h"
#include "support/problems.h"
#include "support/random.h"
#include "support/rows.h"

#include <float.h>

static haw_report solve(const haw_problem *problem, double tolerance, double *r, double *u)
{
    haw_report report;

    assert_true(rows_solve((const haw_solver_ops *)haw_row_find(haw_solvers, "newton"), problem,
                           tolerance, r, u, &report));
    return report;
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

/* ---- residual and derivative ---- */

/* Central differences of g along a random direction at one point; counts the states seen. */
static void check_derivative(int d, double mu, uint64_t *seed, int seen[3])
{
    const haw_contact_equations e = {d, mu, 0.7};
    const double h = 1e-6;
    double s[3], u[3], ds[3], du[3], g[3], a[9], b[9], far[2][3];
    haw_contact_state states[2];

    for (int i = 0; i < d; i++) {
        s[i] = random_signed(seed);
        u[i] = random_signed(seed);
        ds[i] = random_signed(seed);
        du[i] = random_signed(seed);
    }
    const haw_contact_state state = haw_newton_jacobian(&e, s, u, g, a, b);

    for (int side = 0; side < 2; side++) {
        double s2[3], u2[3];

        for (int i = 0; i < d; i++) {
            s2[i] = s[i] + (side == 0 ? -h : h) * ds[i];
            u2[i] = u[i] + (side == 0 ? -h : h) * du[i];
        }
        states[side] = haw_newton_residual(&e, s2, u2, far[side]);
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
    const haw_contact_equations e = {3, 0.5, 0.3};
    const double slip[2][3] = {{1.0, -0.3, 0.4}, {0.0, 0.6, -0.8}}; /* |r_T| = mu r_N, opposed */
    const double(*const points[])[3] = {open, stick, slip};
    double g[3];

    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(haw_newton_residual(&e, points[i][0], points[i][1], g), i);
        for (int k = 0; k < 3; k++) {
            assert_near(g[k], 0.0, 1e-15, 0.0);
        }
    }
}

static void frictionless_contact_asks_for_no_tangential_impulse(void **state)
{
    const haw_contact_equations e = {3, 0.0, 0.5};
    const double s[3] = {1.0, 0.0, 0.0}, u[3] = {0.0, 0.0, 0.0};
    double g[3], a[9], b[9];

    (void)state;
    (void)haw_newton_jacobian(&e, s, u, g, a, b);
    for (int i = 1; i < 3; i++) {
        assert_near(b[3 * i + i], 2.0, 1e-15, 0.0); /* row: ds_T / c = -s_T / c */
        assert_near(a[3 * i + i], 0.0, 0.0, 0.0);
    }
}

/* ---- single steps ---- */

enum { ROWS = 2, BLOCK = 4 };

typedef struct bench {
    small_problem s;
    haw_context *context;
    haw_arena arena;
    haw_task task;
    haw_newton newton;
    double w[1], u[ROWS], dr[ROWS], du[ROWS], r_trial[ROWS], u_trial[ROWS], r_best[ROWS];
    double g[ROWS], a[BLOCK], b[BLOCK], r[ROWS], first[ROWS]; /* the iterate, u at the start */
    haw_contact_state state[1];
} bench;

/* The contact at r = (10, 0) with the velocities u, about to take a step with this alpha. */
static void bench_open(bench *t, double x, const double u[ROWS], double alpha)
{
    *t = (bench){.w = {1.0}, .state = {HAW_CONTACT_STICK}, .r = {10.0}, .u = {u[0], u[1]}};
    memcpy(t->first, u, sizeof t->first);
    small_problem_init(&t->s, 2, 1);
    memcpy(t->s.value, (double[]){1.0, x, x, 1.0}, sizeof(double[BLOCK]));
    t->s.q[0] = u[0] - t->r[0];
    t->s.q[1] = u[1] - x * t->r[0];
    t->s.mu[0] = 2.0;
    assert_int_equal(haw_context_create(NULL, &t->context), HAW_OK);
    haw_arena_init(&t->arena, t->context);
    t->task = (haw_task){.context = t->context,
                         .arena = &t->arena,
                         .problem = &t->s.problem,
                         .tolerance = 1e-12,
                         .max_iterations = 100,
                         .best = HUGE_VAL};
    assert_int_equal(haw_operator_create(&t->arena, &t->s.problem, &t->task.op), HAW_OK);
    t->task.v_ref = haw_referee_reference(&t->task.op);
    t->newton = (haw_newton){.task = &t->task,
                             .rho = 0.3,
                             .first_rho = 0.3,
                             .first_alpha = 10.0,
                             .course.alpha = alpha,
                             .best = HUGE_VAL,
                             .r = t->r,
                             .n = 1,
                             .d = 2,
                             .w = t->w,
                             .u = t->u,
                             .dr = t->dr,
                             .du = t->du,
                             .r_trial = t->r_trial,
                             .u_trial = t->u_trial,
                             .r_best = t->r_best,
                             .g = t->g,
                             .a = t->a,
                             .b = t->b,
                             .state = t->state};
    assert_int_equal(haw_newton_system_create(&t->task, t->w, &t->newton.system), HAW_OK);
    haw_newton_evaluate(&t->newton);
    haw_newton_judge(&t->newton);
    assert_int_equal(t->newton.course.changed, 0);
}

static void bench_close(bench *t)
{
    haw_newton_system_release(t->newton.system);
    haw_operator_release(&t->task.op);
    haw_arena_fini(&t->arena);
    haw_context_free(t->context);
}

/* u along (1, -1), where W has the eigenvalue -2; alpha that makes a step change u by change u. */
static void step_by(bench *t, double change)
{
    const double alpha = 2.0 + 2.0 / change; /* change = 2/(alpha - 2) */

    bench_open(t, 3.0, (double[]){-1.0, 1.0}, alpha);
    assert_int_equal(haw_newton_advance(&t->newton), HAW_OK);
    for (int i = 0; i < ROWS; i++) {
        assert_near(t->du[i], change * t->first[i], 1e-12, 1e-12);
    }
}

/* r and u after this part of the step. */
static void check_taken(const bench *t, double cut)
{
    for (int i = 0; i < ROWS; i++) {
        assert_near(t->r[i], (i == 0 ? 10.0 : 0.0) + cut * t->dr[i], 1e-13, 0.0);
        assert_near(t->u[i], t->first[i] + cut * t->du[i], 1e-13, 0.0);
    }
}

static void a_step_solves_its_linear_system(void **state)
{
    const double alpha = 0.7, u[ROWS] = {-1.0, 0.1};
    bench t;

    (void)state;
    bench_open(&t, 0.4, u, alpha);
    assert_int_equal(haw_newton_advance(&t.newton), HAW_OK);
    const double det = 1.7 * 1.7 - 0.4 * 0.4; /* of W + alpha */

    assert_near(t.dr[0], -(1.7 * u[0] - 0.4 * u[1]) / det, 1e-15, 0.0);
    assert_near(t.dr[1], -(1.7 * u[1] - 0.4 * u[0]) / det, 1e-15, 0.0);
    assert_near(t.newton.course.cut, 1.0, 0.0, 0.0);
    check_taken(&t, 1.0);
    bench_close(&t);
}

/* W + 10 is singular for x = 11: the next alpha is 1000, in the place of 10 and not on top of it */
static void alpha_rises_until_the_system_is_regular(void **state)
{
    const double u[ROWS] = {-1.0, 0.1}, det = 1001.0 * 1001.0 - 11.0 * 11.0;
    bench t;

    (void)state;
    bench_open(&t, 11.0, u, 10.0);
    assert_int_equal(haw_newton_advance(&t.newton), HAW_OK);
    assert_int_equal(t.task.effort.factorizations, 2);
    assert_near(t.dr[0], -(1001.0 * u[0] - 11.0 * u[1]) / det, 0.0, 1e-14);
    assert_near(t.dr[1], -(1001.0 * u[1] - 11.0 * u[0]) / det, 0.0, 1e-14);
    bench_close(&t);
}

/* W = [1 1; 1 1] and u not in its range: 1e-17 and 1e-15 are lost beside 1, 1e-13 is not. */
static void alpha_may_rise_twice(void **state)
{
    bench t;

    (void)state;
    bench_open(&t, 1.0, (double[]){-1.0, 0.5}, 1e-17);
    assert_int_equal(haw_newton_advance(&t.newton), HAW_OK);
    assert_int_equal(t.task.effort.factorizations, 3);
    /* u = -0.25 (1, 1) - 0.75 (1, -1): dr = 0.125 (1, 1) + 0.75/alpha (1, -1) */
    assert_near(t.dr[0], 0.75e13, 0.0, 4e-3);
    assert_near(t.dr[1], -0.75e13, 0.0, 4e-3);
    bench_close(&t);
}

/* Equations that are none, whatever alpha: the iterate stays. */
static void a_system_that_stays_singular_is_told(void **state)
{
    bench t;

    (void)state;
    bench_open(&t, 1.0, (double[]){-1.0, 0.5}, 10.0);
    for (int i = 0; i < BLOCK; i++) {
        t.a[i] = 0.0;
        t.b[i] = 0.0;
    }
    assert_int_equal(haw_newton_advance(&t.newton), HAW_ERR_SINGULAR);
    assert_near(t.r[0], 10.0, 0.0, 0.0);
    assert_near(t.u[0], -1.0, 0.0, 0.0);
    bench_close(&t);
}

/* du is of the size of 1e162: no trial has a finite norm. */
static void a_step_that_is_not_finite_is_not_taken(void **state)
{
    const double u[ROWS] = {-1e150, 1e150};
    bench t;

    (void)state;
    bench_open(&t, 11.0 * (1.0 + 4e-14), u, 10.0);
    t.newton.course.steps = 3;
    assert_int_equal(haw_newton_advance(&t.newton), HAW_OK);
    assert_int_equal(t.task.effort.factorizations, 1);
    assert_true(fabs(t.dr[0]) > 1e160);
    assert_near(t.newton.course.cut, 0.0, 0.0, 0.0);
    for (int i = 0; i < ROWS; i++) {
        assert_near(t.r[i], i == 0 ? 10.0 : 0.0, 0.0, 0.0);
        assert_near(t.u[i], u[i], 0.0, 0.0);
        assert_near(t.r_best[i], t.r[i], 0.0, 0.0);
    }
    assert_near(t.newton.course.norm, sqrt(2.0) * 1e150, 0.0, 1e-12);
    assert_true(t.newton.course.alpha >= 10.0);
    bench_close(&t);
}

/* u grows with every part of the step, fivefold at its end: there is nothing better to do. */
static void a_step_that_leads_uphill_is_taken_whole_once(void **state)
{
    bench t;

    (void)state;
    step_by(&t, 4.0);
    assert_near(t.newton.course.cut, 0.0, 0.0, 0.0);
    check_taken(&t, 1.0);
    assert_int_equal(t.newton.course.steps, 0); /* the line search forgets the smaller norms */
    assert_near(t.newton.course.norm, 5.0 * sqrt(2.0), 0.0, 1e-12);
    assert_near(t.newton.course.alpha, sqrt(2.5 * 10.0), 0.0, 1e-12);
    assert_near(t.r_best[0], 10.0, 0.0, 0.0);
    bench_close(&t);
}

/* From u to -2.2 u, half of it to -0.6 u. */
static void after_half_a_step_alpha_falls(void **state)
{
    bench t;

    (void)state;
    step_by(&t, -3.2);
    assert_near(t.newton.course.cut, 0.5, 0.0, 0.0);
    check_taken(&t, 0.5);
    assert_near(t.newton.course.norm, 0.6 * sqrt(2.0), 0.0, 1e-12);
    assert_near(t.newton.course.alpha, 1.375 * 0.3 * sqrt(0.6), 0.0, 1e-12);
    bench_close(&t);
}

/* From u to -5.4 u, half of it to -2.2 u, a quarter to -0.6 u: alpha goes half way to its start. */
static void after_a_quarter_of_a_step_alpha_rises(void **state)
{
    bench t;

    (void)state;
    step_by(&t, -6.4);
    assert_near(t.newton.course.cut, 0.25, 0.0, 0.0);
    check_taken(&t, 0.25);
    assert_near(t.newton.course.norm, 0.6 * sqrt(2.0), 0.0, 1e-12);
    assert_near(t.newton.course.alpha, sqrt(1.6875 * 10.0), 0.0, 1e-12);
    bench_close(&t);
}

/* alpha falls faster than the residual where no contact changes its state. */
static void convergence_is_faster_than_linear(void **state)
{
    bench t;
    double last = 0.0;

    (void)state;
    bench_open(&t, 0.4, (double[]){-1.0, 0.1}, 0.1);
    for (int i = 0; i < 4; i++) {
        const double norm = t.newton.course.norm, alpha = t.newton.course.alpha;

        assert_int_equal(haw_newton_advance(&t.newton), HAW_OK);
        assert_true(t.newton.course.norm <= 1.001 * alpha / (0.6 + alpha) * norm + 1e-15);
        assert_true(i == 0 || t.newton.course.norm / norm < 0.02 * last ||
                    t.newton.course.norm < 1e-14);
        last = t.newton.course.norm / norm;
    }
    assert_near(t.newton.course.norm, 0.0, 1e-14, 0.0);
    bench_close(&t);
}

TEST_FILE(test_newton)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_contact_opens_sticks_and_slips),
        cmocka_unit_test(coupled_frictionless_contacts_share_the_load),
        cmocka_unit_test(hyperstatic_problems_are_solved),
        cmocka_unit_test(local_and_global_form_agree),
        cmocka_unit_test(jacobian_is_the_derivative_of_the_residual_away_from_kinks),
        cmocka_unit_test(zeros_of_the_residual_are_solutions_of_one_contact),
        cmocka_unit_test(frictionless_contact_asks_for_no_tangential_impulse),
        cmocka_unit_test(a_step_solves_its_linear_system),
        cmocka_unit_test(alpha_rises_until_the_system_is_regular),
        cmocka_unit_test(alpha_may_rise_twice),
        cmocka_unit_test(a_system_that_stays_singular_is_told),
        cmocka_unit_test(a_step_that_is_not_finite_is_not_taken),
        cmocka_unit_test(a_step_that_leads_uphill_is_taken_whole_once),
        cmocka_unit_test(after_half_a_step_alpha_falls),
        cmocka_unit_test(after_a_quarter_of_a_step_alpha_rises),
        cmocka_unit_test(convergence_is_faster_than_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
