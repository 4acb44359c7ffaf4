/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Single steps of Newton's method on one sticking contact of the plane, where the equations are
 * linear: W = [1 x; x 1] has the eigenvectors (1, 1) and (1, -1) with 1 + x and 1 - x. A step from
 * an eigenvector with the eigenvalue e leads from u to alpha/(e + alpha) u. For x > 1, which no
 * body has, e is negative in the second: the step may then overshoot or lead uphill.
 */
#include "solver/newton.h"
#include "solver/referee.h"
#include "support/problems.h"
#include "support/rows.h"

#include <float.h>

enum { ROWS = 2, BLOCK = 4 };

typedef struct bench {
    small_problem s;
    haw_context *context;
    haw_arena arena;
    haw_task task;
    haw_newton newton;
    haw_newton_pass pass;
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
                             .alpha = 10.0,
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
    t->pass = (haw_newton_pass){
        .newton = &t->newton, .r = t->r, .rho = 0.3, .alpha = alpha, .best = HUGE_VAL};
    haw_newton_evaluate(&t->pass);
    haw_newton_judge(&t->pass);
    assert_int_equal(t->pass.changed, 0);
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
    assert_int_equal(haw_newton_advance(&t->pass), HAW_OK);
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
    assert_int_equal(haw_newton_advance(&t.pass), HAW_OK);
    const double det = 1.7 * 1.7 - 0.4 * 0.4; /* of W + alpha */

    assert_near(t.dr[0], -(1.7 * u[0] - 0.4 * u[1]) / det, 1e-15, 0.0);
    assert_near(t.dr[1], -(1.7 * u[1] - 0.4 * u[0]) / det, 1e-15, 0.0);
    assert_near(t.pass.cut, 1.0, 0.0, 0.0);
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
    assert_int_equal(haw_newton_advance(&t.pass), HAW_OK);
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
    assert_int_equal(haw_newton_advance(&t.pass), HAW_OK);
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
    assert_int_equal(haw_newton_advance(&t.pass), HAW_ERR_SINGULAR);
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
    t.pass.steps = 3;
    assert_int_equal(haw_newton_advance(&t.pass), HAW_OK);
    assert_int_equal(t.task.effort.factorizations, 1);
    assert_true(fabs(t.dr[0]) > 1e160);
    assert_near(t.pass.cut, 0.0, 0.0, 0.0);
    for (int i = 0; i < ROWS; i++) {
        assert_near(t.r[i], i == 0 ? 10.0 : 0.0, 0.0, 0.0);
        assert_near(t.u[i], u[i], 0.0, 0.0);
        assert_near(t.r_best[i], t.r[i], 0.0, 0.0);
    }
    assert_near(t.pass.norm, sqrt(2.0) * 1e150, 0.0, 1e-12);
    assert_true(t.pass.alpha >= 10.0);
    bench_close(&t);
}

/* u grows with every part of the step, fivefold at its end: there is nothing better to do. */
static void a_step_that_leads_uphill_is_taken_whole_once(void **state)
{
    bench t;

    (void)state;
    step_by(&t, 4.0);
    assert_near(t.pass.cut, 0.0, 0.0, 0.0);
    check_taken(&t, 1.0);
    assert_int_equal(t.pass.steps, 0); /* the line search forgets the smaller norms */
    assert_near(t.pass.norm, 5.0 * sqrt(2.0), 0.0, 1e-12);
    assert_near(t.pass.alpha, sqrt(2.5 * 10.0), 0.0, 1e-12);
    assert_near(t.r_best[0], 10.0, 0.0, 0.0);
    bench_close(&t);
}

/* From u to -2.2 u, half of it to -0.6 u. */
static void after_half_a_step_alpha_falls(void **state)
{
    bench t;

    (void)state;
    step_by(&t, -3.2);
    assert_near(t.pass.cut, 0.5, 0.0, 0.0);
    check_taken(&t, 0.5);
    assert_near(t.pass.norm, 0.6 * sqrt(2.0), 0.0, 1e-12);
    assert_near(t.pass.alpha, 1.375 * 0.3 * sqrt(0.6), 0.0, 1e-12);
    bench_close(&t);
}

/* From u to -5.4 u, half of it to -2.2 u, a quarter to -0.6 u: alpha goes half way to its start. */
static void after_a_quarter_of_a_step_alpha_rises(void **state)
{
    bench t;

    (void)state;
    step_by(&t, -6.4);
    assert_near(t.pass.cut, 0.25, 0.0, 0.0);
    check_taken(&t, 0.25);
    assert_near(t.pass.norm, 0.6 * sqrt(2.0), 0.0, 1e-12);
    assert_near(t.pass.alpha, sqrt(1.6875 * 10.0), 0.0, 1e-12);
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
        const double norm = t.pass.norm, alpha = t.pass.alpha;

        assert_int_equal(haw_newton_advance(&t.pass), HAW_OK);
        assert_true(t.pass.norm <= 1.001 * alpha / (0.6 + alpha) * norm + 1e-15);
        assert_true(i == 0 || t.pass.norm / norm < 0.02 * last || t.pass.norm < 1e-14);
        last = t.pass.norm / norm;
    }
    assert_near(t.pass.norm, 0.0, 1e-14, 0.0);
    bench_close(&t);
}

TEST_FILE(test_newton_step)
{
    const struct CMUnitTest tests[] = {
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
