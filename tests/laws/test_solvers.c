/* SPDX-License-Identifier: BSD-3-Clause */
/* What every solver of the table must find: closed forms, the enumeration, one another. */
#include "support/global_problem.h"
#include "support/rows.h"
#include "support/table.h"

#include <inttypes.h>

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
    {"large friction", 0.5, 0.25, {-1.0, 3.0}, 1.0e+6, {2.0, -12.0}, {0.0, 0.0}},
    {"nothing moves", 0.5, 0.25, {0.0, 0.0}, 0.5, {0.0, 0.0}, {0.0, 0.0}},
};

enum { CLOSED_FORMS = sizeof one_contact / sizeof one_contact[0] };

static void set_local(small_problem *s, const closed_form *form, int d)
{
    small_problem_init(s, d, 1);
    *small_problem_entry(s, 0, 0) = form->a;
    for (int j = 1; j < d; j++) { /* in space the slip runs along t2 */
        *small_problem_entry(s, j, j) = form->b;
    }
    s->q[0] = form->q[0];
    s->q[d - 1] = form->q[1];
    s->mu[0] = form->mu;
}

/* The same as masses 1/a, 1/b that move along the axes, with a quarter of q from f = M q / 4. */
static haw_problem *make_global(const closed_form *form, int d)
{
    const haw_problem_size size = {
        .dimension = d, .contacts = 1, .velocities = d, .m_count = d, .h_count = d};
    haw_problem *p;

    assert_int_equal(haw_problem_create(NULL, &size, &p), HAW_OK);
    for (int i = 0; i < d; i++) {
        const double q = i == 0 ? form->q[0] : i == d - 1 ? form->q[1] : 0.0;

        p->global->m.start[i + 1] = i + 1;
        p->global->m.column[i] = i;
        p->global->m.value[i] = 1.0 / (i == 0 ? form->a : form->b);
        p->global->ht.start[i + 1] = i + 1;
        p->global->ht.column[i] = i;
        p->global->ht.value[i] = 1.0;
        p->global->f[i] = 0.25 * q * p->global->m.value[i];
        p->global->w[i] = 0.75 * q;
    }
    p->mu[0] = form->mu;
    return p;
}

/* De Saxce's term makes the residual as sensitive as mu to the rounding of u_T. */
static void check_form(const haw_solver_ops *ops, const closed_form *form,
                       const haw_problem *problem)
{
    const int d = problem->dimension;
    const double tolerance = fmax(1.0e-13, 1.0e-14 * form->mu);
    double r[3] = {0.7, 0.1, 0.2}, u[3];
    haw_report report;

    if (!rows_solve(ops, problem, tolerance, r, u, &report)) {
        return;
    }
    if (report.outcome != HAW_CONVERGED) {
        fail_msg("%s, %dD, %s: residual %g", ops->row.name, d, form->what, report.residual.natural);
    }
    assert_near(r[0], form->r[0], 1.0e-11, 1.0e-11);
    assert_near(r[d - 1], form->r[1], 1.0e-11, 1.0e-11);
    assert_near(u[0], form->u[0], 1.0e-12, 1.0e-12);
    assert_near(u[d - 1], form->u[1], 1.0e-12, 1.0e-12);
    assert_true(d == 2 || (fabs(r[1]) < 1.0e-12 && fabs(u[1]) < 1.0e-12));
}

static void one_contact_has_its_closed_form(void **state)
{
    (void)state;
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        for (int i = 0; i < 2 * CLOSED_FORMS; i++) {
            const closed_form *form = one_contact + i / 2;
            small_problem local;

            set_local(&local, form, 2 + i % 2);
            check_form(solver_at(k), form, &local.problem);
            haw_problem *global = make_global(form, 2 + i % 2);

            check_form(solver_at(k), form, global);
            haw_problem_free(NULL, global);
        }
    }
}

/*
 * A mass m2 on a mass m1 on the ground, both falling with speed g h; rows: ground, between.
 * v1 is the speed of m1 along the last tangent before the impact.
 */
static void stacked_masses(small_problem *s, int d, const double m[2], double gh, double v1)
{
    small_problem_init(s, d, 2);
    for (int i = 0; i < d; i++) {
        *small_problem_entry(s, i, i) = 1.0 / m[0];
        *small_problem_entry(s, i, d + i) = -1.0 / m[0];
        *small_problem_entry(s, d + i, i) = -1.0 / m[0];
        *small_problem_entry(s, d + i, d + i) = 1.0 / m[0] + 1.0 / m[1];
    }
    s->q[0] = -gh;
    s->q[d - 1] = v1;
    s->q[2 * d - 1] = -v1;
    s->mu[0] = 0.4;
    s->mu[1] = 0.25;
}

/* The tolerance bounds velocities; impulses follow with the condition of W. */
static void two_stacked_masses_have_their_closed_form(void **state)
{
    const double m[2] = {2.0, 3.0}, gh = 0.1;

    (void)state;
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        for (int d = 2; d <= 3; d++) {
            small_problem s;
            double r[6] = {0}, u[6];
            haw_report report;

            /* fast: m1 slips on the ground and below m2 */
            stacked_masses(&s, d, m, gh, 10.0);
            if (!rows_solve(solver_at(k), &s.problem, 1.0e-13, r, u, &report)) {
                continue;
            }
            assert_int_equal(report.outcome, HAW_CONVERGED);
            assert_near(r[0], (m[0] + m[1]) * gh, 0.0, 1.0e-10);
            assert_near(r[d], m[1] * gh, 0.0, 1.0e-10);
            assert_near(r[d - 1], -0.4 * (m[0] + m[1]) * gh, 0.0, 1.0e-10);
            assert_near(r[2 * d - 1], 0.25 * m[1] * gh, 0.0, 1.0e-10);
            /* slow: the ground stops m1, m2 never moves */
            stacked_masses(&s, d, m, gh, 0.01);
            (void)rows_solve(solver_at(k), &s.problem, 1.0e-13, r, u, &report);
            assert_int_equal(report.outcome, HAW_CONVERGED);
            assert_near(r[d - 1], -m[0] * 0.01, 0.0, 1.0e-9);
            assert_near(r[2 * d - 1], 0.0, 1.0e-10, 0.0);
            assert_near(u[d - 1], 0.0, 1.0e-13, 0.0);
        }
    }
}

/* ---- random problems ---- */

/* The planar enumeration of the test support finds all solutions: each row must find one. */
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
            haw_report report;
            double r[ENUM_ROWS] = {0}, u[ENUM_ROWS], nearest = INFINITY;

            small_problem_init(&s, 2, n);
            small_problem_random(&s, 4 * n, 0.2, 0.6, &seed);
            enum_solve(&s, &e);
            if (!rows_solve(solver_at(k), &s.problem, 1.0e-12, r, u, &report)) {
                continue;
            }
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

typedef struct answer {
    const haw_solver_ops *ops;
    haw_report report;
    double r[PROBLEM_ROWS], u[PROBLEM_ROWS];
} answer;

/* One row's answer from zero against another's: u, and r where W has full rank. */
static void compare(const haw_problem *problem, double tolerance, bool unique, const answer *want,
                    answer *got, uint64_t number)
{
    const int rows = problem->dimension * problem->contacts;

    memset(got->r, 0, sizeof got->r);
    if (!rows_solve(got->ops, problem, tolerance, got->r, got->u, &got->report)) {
        return;
    }
    const double far = enum_distance(rows, got->u, want->u);
    const double off = unique ? enum_distance(rows, got->r, want->r) : 0.0;

    if (got->report.outcome != HAW_CONVERGED || !(far < 1.0e-8 && off < 1.0e-7)) {
        fail_msg("%s against %s, %s problem %" PRIu64 ": residual %g after %d iterations, u off by "
                 "%g, r by %g",
                 got->ops->row.name, want->ops->row.name,
                 problem->global != NULL ? "global" : "local", number, got->report.residual.natural,
                 got->report.iterations, far, off);
    }
}

/* All rows on a problem, against the first one that takes it in `first`. */
static void compare_rows(const haw_problem *problem, const char *first, bool unique,
                         uint64_t number)
{
    answer want = {.ops = (const haw_solver_ops *)haw_row_find(haw_solvers, first)}, got;

    if (!rows_solve(want.ops, problem, 1.0e-12, want.r, want.u, &want.report)) {
        fail_msg("%s refuses problem %" PRIu64, first, number);
    }
    if (want.report.outcome != HAW_CONVERGED) {
        fail_msg("%s, problem %" PRIu64 ": residual %g", first, number,
                 want.report.residual.natural);
    }
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        got.ops = solver_at(k);
        compare(problem, 1.0e-12, unique, &want, &got, number);
    }
}

static void solvers_find_what_enum_finds_in_space(void **state)
{
    (void)state;
    for (uint64_t first = 1; first <= 300; first++) {
        uint64_t seed = first;
        const int n = 1 + (int)(first % 3);
        small_problem s;

        small_problem_init(&s, 3, n);
        small_problem_random(&s, 6 * n, 0.2, 0.5, &seed);
        compare_rows(&s.problem, "enum", true, first);
    }
}

static void solvers_agree_with_one_another(void **state)
{
    (void)state;
    for (uint64_t first = 1; first <= 200; first++) {
        uint64_t seed = first;
        const int d = 2 + (int)(first % 2), n = 2 + (int)(first % 7);
        small_problem s;

        small_problem_init(&s, d, n);
        small_problem_random(&s, 2 * d * n - 2, 0.1, 0.4, &seed);
        compare_rows(&s.problem, "pgs", true, first);
    }
}

/* The same problem in both forms, with and without bilateral rows. */
static void both_forms_have_one_answer(void **state)
{
    (void)state;
    for (uint64_t first = 1; first <= 60; first++) {
        uint64_t seed = first;
        const int d = 2 + (int)(first % 2), n = 1 + (int)(first % 5), p = (int)(first % 3);
        haw_problem *global = global_random(d, n, 2 * d * n + p, p, 0.4, &seed), *local;
        answer want = {.ops = (const haw_solver_ops *)haw_row_find(haw_solvers, "pgs")},
               got = {.ops = want.ops};

        assert_int_equal(haw_problem_reduce(NULL, global, &local), HAW_OK);
        assert_true(rows_solve(want.ops, local, 1.0e-12, want.r, want.u, &want.report));
        compare(global, 1.0e-12, true, &want, &got, first);
        compare_rows(global, "pgs", true, first);
        compare_rows(local, "pgs", true, first);
        haw_problem_free(NULL, global);
        haw_problem_free(NULL, local);
    }
}

/*
 * More rows than degrees of freedom: W is singular, single impulses are not determined, the
 * velocities are. A row may stop above the tolerance, but not at other velocities.
 */
static void hyperstatic_problems_have_one_velocity(void **state)
{
    (void)state;
    for (uint64_t first = 1; first <= 60; first++) {
        uint64_t seed = first;
        const int d = 2 + (int)(first % 2), n = 3, p = (int)(first % 3);
        haw_problem *global = global_random(d, n, 2 * d + p - 1, p, 0.3, &seed), *local;

        assert_int_equal(haw_problem_reduce(NULL, global, &local), HAW_OK);
        compare_rows(local, "enum", false, first);
        compare_rows(global, "enum", false, first);
        haw_problem_free(NULL, global);
        haw_problem_free(NULL, local);
    }
}

TEST_FILE(test_solvers)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_contact_has_its_closed_form),
        cmocka_unit_test(two_stacked_masses_have_their_closed_form),
        cmocka_unit_test(solvers_find_what_enumeration_finds),
        cmocka_unit_test(solvers_find_what_enum_finds_in_space),
        cmocka_unit_test(solvers_agree_with_one_another),
        cmocka_unit_test(both_forms_have_one_answer),
        cmocka_unit_test(hyperstatic_problems_have_one_velocity),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
