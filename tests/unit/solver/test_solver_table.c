/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/near.h"
#include "support/problems.h"

#include <float.h>

static void every_row_is_complete_and_can_be_found(void **state)
{
    (void)state;
    for (int i = 0; haw_solvers[i] != NULL; i++) {
        const haw_solver_ops *ops = (const haw_solver_ops *)haw_solvers[i];

        assert_ptr_equal(haw_row_find(haw_solvers, ops->row.name), ops);
        assert_true(strlen(ops->row.summary) > 0 && strlen(ops->row.source) > 0);
        assert_true(ops->row.options_size >= sizeof(haw_solver_common));
        assert_true(ops->row.options_size <= sizeof((haw_solver_settings *)0)->options);
        assert_non_null(haw_options_find(ops->row.options, "tolerance"));
        assert_non_null(haw_options_find(ops->row.options, "max_iterations"));
    }
    assert_null(haw_row_find(haw_solvers, "magic"));
}

static void settings_start_from_the_presets(void **state)
{
    (void)state;
    for (int i = 0; haw_solvers[i] != NULL; i++) {
        haw_solver_settings settings;
        haw_solver_common common;

        assert_int_equal(haw_solver_settings_init(NULL, haw_solvers[i]->name, &settings), HAW_OK);
        memcpy(&common, settings.options, sizeof common);
        assert_near(common.tolerance, 1.0e-8, 0.0, 0.0);
        assert_true(common.max_iterations >= 1000);
    }
}

static void a_misspelt_solver_is_refused_with_a_suggestion(void **state)
{
    haw_context *context;
    haw_solver_settings settings;

    (void)state;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    assert_int_equal(haw_solver_settings_init(context, "alprax", &settings), HAW_ERR_INPUT);
    assert_string_equal(haw_context_message(context),
                        "unknown solver 'alprax'; did you mean 'alprox'?");
    assert_int_equal(haw_solver_settings_init(context, "magic", &settings), HAW_ERR_INPUT);
    assert_string_equal(haw_context_message(context), "unknown solver 'magic'");
    haw_context_free(context);
}

static void no_contacts_need_no_iterations(void **state)
{
    small_problem s;

    (void)state;
    small_problem_init(&s, 2, 0);
    for (int i = 0; haw_solvers[i] != NULL; i++) {
        haw_solver_settings settings;
        haw_report report;
        double r[1] = {3.0}, u[1] = {4.0};

        assert_int_equal(haw_solver_settings_init(NULL, haw_solvers[i]->name, &settings), HAW_OK);
        assert_int_equal(small_solve(&s.problem, &settings, r, u, &report), HAW_OK);
        assert_int_equal(report.outcome, HAW_CONVERGED);
        assert_int_equal(report.iterations, 0);
        assert_near(report.residual.natural, 0.0, 0.0, 0.0);
        assert_true(r[0] == 3.0 && u[0] == 4.0);
    }
}

static void the_tolerance_has_a_floor_of_64_epsilons(void **state)
{
    uint64_t seed = 11;
    small_problem s;

    (void)state;
    small_problem_init(&s, 2, 2);
    small_problem_random(&s, 8, 0.3, 0.5, &seed);
    for (int i = 0; haw_solvers[i] != NULL; i++) {
        haw_solver_settings settings;
        haw_report report;
        double r[4] = {0}, u[4];

        assert_int_equal(haw_solver_settings_init(NULL, haw_solvers[i]->name, &settings), HAW_OK);
        settings.options[0] = 1.0e-30; /* the tolerance leads every options struct */
        assert_int_equal(small_solve(&s.problem, &settings, r, u, &report), HAW_OK);
        assert_near(report.tolerance, 64.0 * DBL_EPSILON, 0.0, 0.0);
        assert_int_equal(report.outcome, HAW_CONVERGED);
        assert_near(settings.options[0], 1.0e-30, 0.0, 0.0);
    }
}

/* Each planted fault must be refused, with its contact in the message. */
static void invalid_problems_are_refused_by_name(void **state)
{
    const char *const want[] = {
        "contact 1: W contains nan",
        "contact 1: diagonal of W must not be negative (found -1)",
        "contact 1: friction must be finite and at least 0 (found -0.1)",
        "q[3] is inf",
        "scale must be finite and at least 0 (found -1)",
        "W, row 1: columns must ascend within 0 ... 1 (found 0 after 1)",
        "contact 1: W has no diagonal block",
        "contact 1: row of W is empty",
        "dimension must be 2 or 3 (found 4)",
        "W has 2 rows of 2 x 2 blocks, expected 3 rows of 2 x 2",
    };
    haw_context *context;

    (void)state;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    for (int fault = 0; fault < (int)(sizeof want / sizeof want[0]); fault++) {
        uint64_t seed = 11;
        small_problem s;

        small_problem_init(&s, 2, 2);
        small_problem_random(&s, 8, 0.3, 0.5, &seed);
        assert_int_equal(haw_problem_check(context, &s.problem), HAW_OK);
        s.value[12] = fault == 0 ? nan("") : fault == 1 ? -1.0 : s.value[12];
        s.mu[1] = fault == 2 ? -0.1 : s.mu[1];
        s.q[3] = fault == 3 ? HUGE_VAL : s.q[3];
        s.problem.scale = fault == 4 ? -1.0 : 0.0;
        if (fault == 5) {
            s.column[2] = 1;
            s.column[3] = 0;
        }
        s.diagonal[1] = fault == 6 ? 2 : 3;
        s.start[2] = fault == 7 ? 2 : 4;
        s.problem.dimension = fault == 8 ? 4 : 2;
        s.problem.contacts = fault == 9 ? 3 : 2;
        assert_int_equal(haw_problem_check(context, &s.problem), HAW_ERR_INPUT);
        assert_string_equal(haw_context_message(context), want[fault]);
    }
    haw_context_free(context);
}

TEST_FILE(test_solver_table)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_complete_and_can_be_found),
        cmocka_unit_test(settings_start_from_the_presets),
        cmocka_unit_test(a_misspelt_solver_is_refused_with_a_suggestion),
        cmocka_unit_test(no_contacts_need_no_iterations),
        cmocka_unit_test(the_tolerance_has_a_floor_of_64_epsilons),
        cmocka_unit_test(invalid_problems_are_refused_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
