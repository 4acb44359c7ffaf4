/* SPDX-License-Identifier: BSD-3-Clause */
/* What every solver of the table must do: closed forms, the enumeration, one another, the truth. */
#include "support/enum.h"
#include "support/near.h"

#include <inttypes.h>

static haw_report solve(const haw_solver_ops *ops, const haw_problem *problem, double tolerance,
                        double *r, double *u)
{
    haw_solver_settings settings;
    haw_report report;
    static small_work work;

    assert_true(ops->work_size(problem->dimension, problem->contacts) <= sizeof work);
    memset(&work, 0xA5, sizeof work); /* nothing may be assumed of lent memory */
    assert_int_equal(haw_solver_settings_init(NULL, ops->name, &settings), HAW_OK);
    settings.options[0] = tolerance; /* leads every options struct */
    haw_solve(problem, &settings, &work, r, u, &report);
    return report;
}

/* ---- closed forms of one contact: r and u for W = diag(a, b) ---- */

typedef struct closed_form {
    const char *what;
    double a, b, q[2], mu, r[2], u[2];
} closed_form;

static const closed_form one_contact[] = {
    {"open", 0.5, 0.25, {1.0, 3.0}, 0.5, {0.0, 0.0}, {1.0, 3.0}},
    {"touching without approach", 0.5, 0.25, {0.0, 3.0}, 0.5, {0.0, 0.0}, {0.0, 3.0}},
    {"stick", 0.5, 0.25, {-1.0, 0.1}, 0.5, {2.0, -0.4}, {0.0, 0.0}},
    {"stick against the other side", 0.5, 0.25, {-1.0, -0.1}, 0.5, {2.0, 0.4}, {0.0, 0.0}},
    {"slip forward", 0.5, 0.25, {-1.0, 3.0}, 0.5, {2.0, -1.0}, {0.0, 2.75}},
    {"slip backward", 0.5, 0.25, {-1.0, -3.0}, 0.5, {2.0, 1.0}, {0.0, -2.75}},
    {"edge of stick and slip", 0.5, 0.25, {-1.0, 0.25}, 0.5, {2.0, -1.0}, {0.0, 0.0}},
    {"no friction", 0.5, 0.25, {-1.0, 3.0}, 0.0, {2.0, 0.0}, {0.0, 3.0}},
    {"very large friction", 0.5, 0.25, {-1.0, 3.0}, 1.0e+12, {2.0, -12.0}, {0.0, 0.0}},
    {"nothing moves", 0.5, 0.25, {0.0, 0.0}, 0.5, {0.0, 0.0}, {0.0, 0.0}},
};

enum { CLOSED_FORMS = sizeof one_contact / sizeof one_contact[0] };

static void one_contact_has_its_closed_form(void **state)
{
    (void)state;
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        for (int i = 0; i < 2 * CLOSED_FORMS; i++) {
            const closed_form *form = one_contact + i / 2;
            const int d = 2 + i % 2;
            double r[3] = {0.7, 0.1, 0.2}, u[3];
            small_problem s;

            small_problem_init(&s, d, 1);
            *small_problem_entry(&s, 0, 0) = form->a;
            for (int j = 1; j < d; j++) { /* in space the slip runs along t2 */
                *small_problem_entry(&s, j, j) = form->b;
            }
            s.q[0] = form->q[0];
            s.q[d - 1] = form->q[1];
            s.mu[0] = form->mu;
            const haw_report report = solve(haw_solvers[k], &s.problem, 1.0e-13, r, u);

            if (report.outcome != HAW_CONVERGED) {
                fail_msg("%s, %dD, %s: residual %g", haw_solvers[k]->name, d, form->what,
                         report.residual.natural);
            }
            assert_near(r[0], form->r[0], 1.0e-11, 1.0e-11);
            assert_near(r[d - 1], form->r[1], 1.0e-11, 1.0e-11);
            assert_near(u[0], form->u[0], 1.0e-12, 1.0e-12);
            assert_near(u[d - 1], form->u[1], 1.0e-12, 1.0e-12);
            assert_true(d == 2 || (fabs(r[1]) < 1.0e-12 && fabs(u[1]) < 1.0e-12));
        }
    }
}

/*
 * A mass m2 on a mass m1 on the ground, both falling with speed g h; rows: ground, between.
 * v1 is the horizontal velocity of m1 before the impact.
 */
static void stacked_masses(small_problem *s, double m1, double m2, double gh, double v1)
{
    small_problem_init(s, 2, 2);
    for (int i = 0; i < 2; i++) {
        *small_problem_entry(s, i, i) = 1.0 / m1;
        *small_problem_entry(s, i, 2 + i) = -1.0 / m1;
        *small_problem_entry(s, 2 + i, i) = -1.0 / m1;
        *small_problem_entry(s, 2 + i, 2 + i) = 1.0 / m1 + 1.0 / m2;
    }
    s->q[0] = -gh;
    s->q[1] = v1;
    s->q[3] = -v1;
}

static void two_stacked_masses_have_their_closed_form(void **state)
{
    const double m1 = 2.0, m2 = 3.0, gh = 0.1;

    (void)state;
    /* the tolerance bounds velocities; impulses follow with the condition of W */
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        small_problem s;
        double r[4] = {0}, u[4];

        /* fast: m1 slips on the ground and below m2 */
        stacked_masses(&s, m1, m2, gh, 10.0);
        s.mu[0] = 0.4;
        s.mu[1] = 0.25;
        assert_int_equal(solve(haw_solvers[k], &s.problem, 1.0e-13, r, u).outcome, HAW_CONVERGED);
        assert_near(r[0], (m1 + m2) * gh, 0.0, 1.0e-10);
        assert_near(r[2], m2 * gh, 0.0, 1.0e-10);
        assert_near(r[1], -0.4 * (m1 + m2) * gh, 0.0, 1.0e-10);
        assert_near(r[3], 0.25 * m2 * gh, 0.0, 1.0e-10);
        /* slow: the ground stops m1, m2 never moves */
        stacked_masses(&s, m1, m2, gh, 0.01);
        s.mu[0] = 0.4;
        s.mu[1] = 0.25;
        assert_int_equal(solve(haw_solvers[k], &s.problem, 1.0e-13, r, u).outcome, HAW_CONVERGED);
        assert_near(r[1], -m1 * 0.01, 0.0, 1.0e-9);
        assert_near(r[3], 0.0, 1.0e-10, 0.0);
        assert_near(u[1], 0.0, 1.0e-13, 0.0);
    }
}

/* ---- random problems ---- */

static void solvers_find_what_enumeration_finds(void **state)
{
    (void)state;
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        int states[2] = {0, 0};

        for (uint64_t first = 1; first <= 600; first++) {
            uint64_t seed = first;
            const int n = 1 + (int)(first % ENUM_CONTACTS);
            small_problem s;
            enumeration e;
            double r[ENUM_ROWS] = {0}, u[ENUM_ROWS], nearest = INFINITY;

            small_problem_init(&s, 2, n);
            small_problem_random(&s, 4 * n, 0.2, 0.6, &seed);
            enum_solve(&s, &e);
            const haw_report report = solve(haw_solvers[k], &s.problem, 1.0e-12, r, u);

            for (int i = 0; i < e.count; i++) {
                nearest = fmin(nearest, fmax(enum_distance(2 * n, r, e.r[i]),
                                             enum_distance(2 * n, u, e.u[i])));
            }
            if (report.outcome != HAW_CONVERGED || !(nearest < 1.0e-9)) {
                fail_msg("%s, seed %" PRIu64 ", %d contacts: residual %g, off by %g",
                         haw_solvers[k]->name, first, n, report.residual.natural, nearest);
            }
            for (int c = 0; c < n; c++) {
                states[r[2 * c] > 0.0 && fabs(u[2 * c + 1]) < 1.0e-9 ? 0 : 1]++;
            }
        }
        assert_true(states[0] > 50 && states[1] > 50); /* sticking and other contacts occur */
    }
}

static void solvers_agree_with_one_another(void **state)
{
    (void)state;
    for (uint64_t first = 1; first <= 200; first++) {
        uint64_t seed = first;
        const int d = 2 + (int)(first % 2), n = 2 + (int)(first % 7);
        double u0[PROBLEM_ROWS] = {0}, sum0[3] = {0};
        small_problem s;

        small_problem_init(&s, d, n);
        small_problem_random(&s, 2 * d * n - 2, 0.1, 0.4, &seed);
        for (int k = 0; haw_solvers[k] != NULL; k++) {
            double r[PROBLEM_ROWS] = {0}, u[PROBLEM_ROWS], sum[3] = {0};

            const haw_report report = solve(haw_solvers[k], &s.problem, 1.0e-12, r, u);
            if (report.outcome != HAW_CONVERGED) {
                fail_msg("%s, seed %" PRIu64 ": residual %g after %d sweeps", haw_solvers[k]->name,
                         first, report.residual.natural, report.iterations);
            }
            for (int i = 0; i < d * n; i++) {
                sum[i % d] += r[i];
            }
            if (k == 0) {
                memcpy(u0, u, sizeof u);
                memcpy(sum0, sum, sizeof sum);
            }
            assert_near(enum_distance(d * n, u, u0), 0.0, 1.0e-8, 0.0);
            assert_near(enum_distance(d, sum, sum0), 0.0, 1.0e-8, 0.0);
        }
    }
}

/* Kilograms or tonnes, metres or millimetres: the same iterations to the same residual. */
static void units_do_not_matter(void **state)
{
    (void)state;
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        for (uint64_t first = 1; first <= 50; first++) {
            const double mass = 1048576.0, length = 1.0 / 1024.0; /* near 1e6, 1e-3; exact */
            uint64_t seed = first;
            small_problem s;
            double r[PROBLEM_ROWS] = {0}, u[PROBLEM_ROWS], scaled[PROBLEM_ROWS] = {0};

            small_problem_init(&s, 2 + (int)(first % 2), 4);
            small_problem_random(&s, 20, 0.1, 0.4, &seed);
            const haw_report a = solve(haw_solvers[k], &s.problem, 1.0e-10, r, u);

            for (int i = 0; i < PROBLEM_ROWS * PROBLEM_ROWS; i++) {
                s.value[i] /= mass;
            }
            for (int i = 0; i < PROBLEM_ROWS; i++) {
                s.q[i] *= length;
            }
            const haw_report b = solve(haw_solvers[k], &s.problem, 1.0e-10, scaled, u);

            assert_int_equal(a.iterations, b.iterations);
            assert_near(b.residual.natural, a.residual.natural, 0.0, 1.0e-6);
            for (int i = 0; i < PROBLEM_ROWS; i++) {
                assert_near(scaled[i], r[i] * mass * length, 0.0, 1.0e-12);
            }
        }
    }
}

static void a_solution_is_left_alone(void **state)
{
    (void)state;
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        for (uint64_t first = 1; first <= 50; first++) {
            uint64_t seed = first;
            small_problem s;
            double r[PROBLEM_ROWS] = {0}, u[PROBLEM_ROWS], again[PROBLEM_ROWS];

            small_problem_init(&s, 2 + (int)(first % 2), 5);
            small_problem_random(&s, 40, 0.1, 0.4, &seed);
            assert_int_equal(solve(haw_solvers[k], &s.problem, 1.0e-10, r, u).outcome,
                             HAW_CONVERGED);
            memcpy(again, r, sizeof r);
            const haw_report report = solve(haw_solvers[k], &s.problem, 1.0e-10, again, u);

            assert_int_equal(report.outcome, HAW_CONVERGED);
            assert_true(report.iterations <= 1);
            assert_near(enum_distance(PROBLEM_ROWS, again, r), 0.0, 1.0e-8, 0.0);
        }
    }
}

static void without_any_velocity_the_impulses_vanish(void **state)
{
    (void)state;
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        uint64_t seed = 6;
        small_problem s;
        double r[PROBLEM_ROWS], u[PROBLEM_ROWS];

        small_problem_init(&s, 2, 4);
        small_problem_random(&s, 20, 0.1, 0.4, &seed);
        memset(s.q, 0, sizeof s.q);
        for (int i = 0; i < 8; i++) {
            r[i] = 1.0 + i;
        }
        const haw_report report = solve(haw_solvers[k], &s.problem, 1.0e-8, r, u);

        assert_int_equal(report.outcome, HAW_CONVERGED);
        assert_int_equal(report.iterations, 0);
        for (int i = 0; i < 8; i++) {
            assert_true(r[i] == 0.0 && u[i] == 0.0);
        }
    }
}

/* ---- problems that must not be called solved ---- */

static void faults_are_told_as_not_finite(void **state)
{
    (void)state;
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        for (int fault = 0; fault < 6; fault++) {
            uint64_t seed = 5;
            small_problem s;
            double r[PROBLEM_ROWS] = {0}, u[PROBLEM_ROWS];

            small_problem_init(&s, 2 + fault % 2, 3);
            small_problem_random(&s, 20, 0.1, 0.4, &seed);
            double *slot[6] = {s.q + 2, s.value + 5, s.mu + 1, s.mu + 2, r + 3, s.q};

            *slot[fault] = fault == 3 ? -0.2 : fault == 5 ? HUGE_VAL : nan("");
            const haw_report report = solve(haw_solvers[k], &s.problem, 1.0e-8, r, u);

            if (fault == 4 && report.outcome == HAW_CONVERGED) {
                continue; /* a solver may recover from a bad start, not from a bad problem */
            }
            assert_int_equal(report.outcome, HAW_NOT_FINITE);
            assert_true(report.iterations <= 1);
            assert_true(isinf(report.residual.natural));
        }
    }
}

/* One mass squeezed between two walls that close: u_1 + u_2 = -2 whatever r does. */
static void an_infeasible_problem_is_never_called_converged(void **state)
{
    (void)state;
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        small_problem s;
        double r[4] = {0}, u[4];

        small_problem_init(&s, 2, 2);
        for (int i = 0; i < 4; i++) {
            for (int j = i % 2; j < 4; j += 2) {
                *small_problem_entry(&s, i, j) = i == j ? 1.0 : -1.0;
            }
        }
        s.q[0] = -1.0;
        s.q[2] = -1.0;
        s.mu[0] = 0.3;
        s.mu[1] = 0.3;
        const haw_report report = solve(haw_solvers[k], &s.problem, 1.0e-8, r, u);

        assert_int_equal(report.outcome, HAW_STALLED);
        assert_true(report.residual.natural > 0.1);
        assert_near(u[0] + u[2], -2.0, 1.0e-6, 0.0);
    }
}

/* More contacts than degrees of freedom: whatever the outcome, it must be the residual's. */
static void singular_problems_are_reported_truthfully(void **state)
{
    (void)state;
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        int converged = 0;

        for (uint64_t first = 1; first <= 60; first++) {
            uint64_t seed = first;
            const int d = 2 + (int)(first % 2);
            small_problem s;
            double r[PROBLEM_ROWS] = {0}, u[PROBLEM_ROWS], fresh[PROBLEM_ROWS];
            haw_residual residual;

            small_problem_init(&s, d, 6);
            small_problem_random(&s, 5, 0.0, 0.5, &seed);
            const haw_report report = solve(haw_solvers[k], &s.problem, 1.0e-8, r, u);

            haw_problem_residual(&s.problem, r, fresh, &residual);
            assert_near(report.residual.natural, residual.natural, 0.0, 0.0);
            assert_true((report.outcome == HAW_CONVERGED) == (residual.natural <= 1.0e-8));
            assert_true(report.outcome != HAW_ITERATION_LIMIT || report.iterations == 1000000);
            converged += report.outcome == HAW_CONVERGED ? 1 : 0;
        }
        assert_true(converged > 0);
    }
}

static void the_iteration_limit_is_kept_and_told(void **state)
{
    (void)state;
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        haw_solver_settings settings;
        haw_report report;
        small_work work;
        small_problem s;
        uint64_t seed = 8;
        double r[PROBLEM_ROWS] = {0}, u[PROBLEM_ROWS];

        small_problem_init(&s, 2, 6);
        small_problem_random(&s, 13, 0.01, 0.5, &seed);
        assert_int_equal(haw_solver_settings_init(NULL, haw_solvers[k]->name, &settings), HAW_OK);
        assert_int_equal(haw_options_set_real(NULL, settings.ops->options, settings.options,
                                              "max_iterations", 2),
                         HAW_OK);
        haw_solve(&s.problem, &settings, &work, r, u, &report);
        assert_int_equal(report.outcome, HAW_ITERATION_LIMIT);
        assert_int_equal(report.iterations, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_contact_has_its_closed_form),
        cmocka_unit_test(two_stacked_masses_have_their_closed_form),
        cmocka_unit_test(solvers_find_what_enumeration_finds),
        cmocka_unit_test(solvers_agree_with_one_another),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(a_solution_is_left_alone),
        cmocka_unit_test(without_any_velocity_the_impulses_vanish),
        cmocka_unit_test(faults_are_told_as_not_finite),
        cmocka_unit_test(an_infeasible_problem_is_never_called_converged),
        cmocka_unit_test(singular_problems_are_reported_truthfully),
        cmocka_unit_test(the_iteration_limit_is_kept_and_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
