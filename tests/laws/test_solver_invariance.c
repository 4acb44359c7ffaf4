/* SPDX-License-Identifier: BSD-3-Clause */
/* What must not change a solver's answer: units, the frame of the tangents, a known solution. */
#include "support/global_problem.h"
#include "support/rows.h"
#include "support/table.h"

#include <inttypes.h>
#include <stdlib.h>

/* Masses times 2^20 and lengths over 2^10, near 1e6 and 1e-3 and exact, so that every product of
 * the iteration scales exactly: W over masses, velocities with lengths. */
static const double mass = 1048576.0, length = 1.0 / 1024.0;

typedef struct pair {
    const haw_solver_ops *ops;
    haw_report one, two;
    double r[PROBLEM_ROWS], u[PROBLEM_ROWS], scaled_r[PROBLEM_ROWS], scaled_u[PROBLEM_ROWS];
} pair;

/* The same iterations and decisions, in the other units. */
static void check_pair(const pair *p, int rows, uint64_t number)
{
    if (p->one.iterations != p->two.iterations || p->one.outcome != p->two.outcome) {
        fail_msg("%s, problem %" PRIu64 ": %d iterations (%s), in other units %d (%s)",
                 p->ops->row.name, number, p->one.iterations, haw_outcome_text(p->one.outcome),
                 p->two.iterations, haw_outcome_text(p->two.outcome));
    }
    assert_int_equal(p->one.effort.factorizations, p->two.effort.factorizations);
    assert_near(p->two.residual.natural, p->one.residual.natural, 1.0e-14, 1.0e-6);
    for (int i = 0; i < rows; i++) {
        assert_near(p->scaled_r[i], p->r[i] * mass * length, 1.0e-12 * mass * length, 1.0e-11);
        assert_near(p->scaled_u[i], p->u[i] * length, 1.0e-12 * length, 1.0e-11);
    }
}

static void units_do_not_matter(void **state)
{
    (void)state;
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        for (uint64_t first = 1; first <= 50; first++) {
            pair p = {.ops = solver_at(k)};
            uint64_t seed = first;
            const int d = 2 + (int)(first % 2), n = first % 3 == 0 ? 3 : 6;
            small_problem s;

            small_problem_init(&s, d, n);
            small_problem_random(&s, 2 * d * n - 4, 0.1, 0.4, &seed);
            if (!rows_solve(p.ops, &s.problem, 1.0e-10, p.r, p.u, &p.one)) {
                continue;
            }
            for (int i = 0; i < PROBLEM_ROWS * PROBLEM_ROWS; i++) {
                s.value[i] /= mass;
            }
            for (int i = 0; i < PROBLEM_ROWS; i++) {
                s.q[i] *= length;
            }
            assert_true(rows_solve(p.ops, &s.problem, 1.0e-10, p.scaled_r, p.scaled_u, &p.two));
            check_pair(&p, d * n, first);
        }
    }
}

static void multiply(double *x, int count, double factor)
{
    for (int i = 0; i < count; i++) {
        x[i] *= factor;
    }
}

/* Rows of H and G keep their units: they take velocities to velocities. */
static void units_do_not_matter_in_the_global_form(void **state)
{
    (void)state;
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        for (uint64_t first = 1; first <= 30; first++) {
            pair p = {.ops = solver_at(k)};
            uint64_t seed = first;
            const int d = 2 + (int)(first % 2), n = 3, b = (int)(first % 3), nv = d * n + b + 2;
            haw_problem *problem = global_random(d, n, nv, b, 0.4, &seed);
            haw_global *g = problem->global;

            if (rows_solve(p.ops, problem, 1.0e-10, p.r, p.u, &p.one)) {
                multiply(g->m.value, nv * nv, mass);
                multiply(g->f, nv, mass * length);
                multiply(g->w, d * n, length);
                multiply(g->b, b, length);
                assert_true(rows_solve(p.ops, problem, 1.0e-10, p.scaled_r, p.scaled_u, &p.two));
                check_pair(&p, d * n, first);
            }
            haw_problem_free(NULL, problem);
        }
    }
}

/* x_T <- Q x_T for one contact. */
static void turn(double cosine, double sine, double *x)
{
    const double first = cosine * x[1] - sine * x[2];

    x[2] = sine * x[1] + cosine * x[2];
    x[1] = first;
}

/* Turn the tangents of contact c by its own angle in all vectors: W <- Q W Q^T, q <- Q q. */
static void turn_problem(small_problem *s, const double *cosine, const double *sine)
{
    const int rows = 3 * s->problem.contacts;

    for (int pass = 0; pass < 2; pass++) { /* rows, then columns */
        for (int j = 0; j < rows; j++) {
            for (int c = 0; c < s->problem.contacts; c++) {
                double x[3];

                for (int i = 0; i < 3; i++) {
                    x[i] = pass == 0 ? *small_problem_entry(s, 3 * c + i, j)
                                     : *small_problem_entry(s, j, 3 * c + i);
                }
                turn(cosine[c], sine[c], x);
                for (int i = 0; i < 3; i++) {
                    *(pass == 0 ? small_problem_entry(s, 3 * c + i, j)
                                : small_problem_entry(s, j, 3 * c + i)) = x[i];
                }
            }
        }
    }
    for (int c = 0; c < s->problem.contacts; c++) {
        turn(cosine[c], sine[c], s->q + 3 * c);
    }
}

/* Isotropic friction knows no direction: the answer turns with the frame, in about as many
 * iterations, for the rounding differs and rows may use |W_ij| in the frame they are given. */
static void the_frame_of_the_tangents_does_not_matter(void **state)
{
    (void)state;
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        for (uint64_t first = 1; first <= 50; first++) {
            uint64_t seed = first;
            const int n = first % 2 == 0 ? 3 : 6;
            double cosine[PROBLEM_CONTACTS], sine[PROBLEM_CONTACTS];
            double r[PROBLEM_ROWS] = {0}, u[PROBLEM_ROWS], r2[PROBLEM_ROWS] = {0}, u2[PROBLEM_ROWS];
            haw_report one, two;
            small_problem s;

            small_problem_init(&s, 3, n);
            small_problem_random(&s, 6 * n, 0.2, 0.4, &seed);
            if (!rows_solve(solver_at(k), &s.problem, 1.0e-12, r, u, &one)) {
                continue;
            }
            for (int c = 0; c < n; c++) {
                cosine[c] = cos(1.0 + 2.0 * c);
                sine[c] = sin(1.0 + 2.0 * c);
            }
            turn_problem(&s, cosine, sine);
            assert_true(rows_solve(solver_at(k), &s.problem, 1.0e-12, r2, u2, &two));
            assert_int_equal(one.outcome, HAW_CONVERGED);
            assert_int_equal(two.outcome, HAW_CONVERGED);
            if (strcmp(haw_solvers[k]->name, "pgs") == 0) {
                assert_true(abs(one.iterations - two.iterations) <= 16);
            }
            for (int c = 0; c < n; c++) {
                turn(cosine[c], sine[c], r + 3 * c);
                turn(cosine[c], sine[c], u + 3 * c);
            }
            if (!(enum_distance(3 * n, r, r2) < 1.0e-9 && enum_distance(3 * n, u, u2) < 1.0e-10)) {
                fail_msg("%s, problem %" PRIu64 ": r off by %g, u by %g", haw_solvers[k]->name,
                         first, enum_distance(3 * n, r, r2), enum_distance(3 * n, u, u2));
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
            haw_report report;
            double r[PROBLEM_ROWS] = {0}, u[PROBLEM_ROWS], again[PROBLEM_ROWS];

            small_problem_init(&s, 2 + (int)(first % 2), first % 3 == 0 ? 3 : 5);
            small_problem_random(&s, 40, 0.1, 0.4, &seed);
            if (!rows_solve(solver_at(k), &s.problem, 1.0e-10, r, u, &report)) {
                continue;
            }
            assert_int_equal(report.outcome, HAW_CONVERGED);
            memcpy(again, r, sizeof r);
            assert_true(rows_solve(solver_at(k), &s.problem, 1.0e-10, again, u, &report));
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
        haw_report report;
        double r[PROBLEM_ROWS], u[PROBLEM_ROWS];

        small_problem_init(&s, 2, 3);
        small_problem_random(&s, 20, 0.1, 0.4, &seed);
        memset(s.q, 0, sizeof s.q);
        for (int i = 0; i < 6; i++) {
            r[i] = 1.0 + i;
        }
        if (!rows_solve(solver_at(k), &s.problem, 1.0e-8, r, u, &report)) {
            continue;
        }
        assert_int_equal(report.outcome, HAW_CONVERGED);
        assert_int_equal(report.iterations, 0);
        for (int i = 0; i < 6; i++) {
            assert_true(r[i] == 0.0 && u[i] == 0.0);
        }
    }
}

TEST_FILE(test_solver_invariance)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(units_do_not_matter_in_the_global_form),
        cmocka_unit_test(the_frame_of_the_tangents_does_not_matter),
        cmocka_unit_test(a_solution_is_left_alone),
        cmocka_unit_test(without_any_velocity_the_impulses_vanish),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
