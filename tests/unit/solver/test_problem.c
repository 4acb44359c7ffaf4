/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "support/near.h"

#include <hawser/problem.h>

#include <limits.h>
#include <string.h>

/* Two point masses of 2 kg on a line, each with a planar contact in its own frame. */
static haw_problem *two_masses(haw_context *context)
{
    const haw_problem_size size = {
        .dimension = 2, .contacts = 2, .velocities = 4, .m_count = 4, .h_count = 4};
    haw_problem *p;

    assert_int_equal(haw_problem_create(context, &size, &p), HAW_OK);
    for (int i = 0; i < 4; i++) {
        p->global->m.start[i + 1] = p->global->ht.start[i + 1] = i + 1;
        p->global->m.column[i] = p->global->ht.column[i] = i;
        p->global->m.value[i] = 2.0;
        p->global->ht.value[i] = 1.0;
    }
    return p;
}

static void a_created_problem_has_zeroed_arrays_of_its_form(void **state)
{
    const haw_problem_size local = {.dimension = 3, .contacts = 2, .blocks = 4};
    haw_problem *p;

    (void)state;
    assert_int_equal(haw_problem_create(NULL, &local, &p), HAW_OK);
    assert_null(p->global);
    assert_int_equal(p->w.rows, 2);
    assert_int_equal(p->w.block, 3);
    assert_true(p->w.value[35] == 0.0 && p->q[5] == 0.0 && p->mu[1] == 0.0 && p->scale == 0.0);
    haw_problem_free(NULL, p);

    p = two_masses(NULL);
    assert_null(p->q);
    assert_null(p->w.value);
    assert_int_equal(p->global->gt.rows, 0);
    assert_int_equal(p->global->gt.columns, 4);
    assert_int_equal(haw_problem_check(NULL, p), HAW_OK);
    haw_problem_free(NULL, p);
    haw_problem_free(NULL, NULL);
}

typedef struct fault {
    void (*plant)(haw_problem *p);
    const char *want;
} fault;

static void plant_order(haw_problem *p)
{
    p->global->m.column[1] = 4;
}

static void plant_nan(haw_problem *p)
{
    p->global->m.value[2] = NAN;
}

static void plant_immobile(haw_problem *p)
{
    p->global->ht.value[2] = p->global->ht.value[3] = 0.0;
}

static void plant_friction(haw_problem *p)
{
    p->mu[1] = -1.0;
}

static void plant_force(haw_problem *p)
{
    p->global->f[3] = HUGE_VAL;
}

static void plant_shape(haw_problem *p)
{
    p->global->ht.rows = 3;
}

static void plant_contacts(haw_problem *p)
{
    p->contacts = -1;
}

static void plant_many(haw_problem *p)
{
    p->contacts = INT_MAX / 2 + 1;
}

static void plant_rows(haw_problem *p)
{
    p->global->gt.rows = INT_MAX - 7;
}

static void plant_bilateral(haw_problem *p)
{
    p->global->gt.rows = -1;
}

static void plant_begin(haw_problem *p)
{
    p->global->ht.start[0] = -1;
}

static void plant_end(haw_problem *p)
{
    p->global->m.start[2] = 0;
}

static void faults_of_the_global_form_are_refused_by_name(void **state)
{
    const fault faults[] = {
        {plant_order, "M, row 1: columns must ascend within 0 ... 3 (found 4 after -1)"},
        {plant_nan, "M[2] is nan"},
        {plant_immobile, "contact 1: its columns of H are zero: nothing moves at this contact"},
        {plant_friction, "contact 1: friction must be finite and at least 0 (found -1)"},
        {plant_force, "f[3] is inf"},
        {plant_shape, "H^T is 3 x 4, expected 4 x 4"},
        {plant_contacts, "contacts must not be negative (found -1)"},
        {plant_many, "2147483648 contact rows are too many"},
        {plant_rows, "2147483648 rows of M, H^T and G^T are too many"},
        {plant_bilateral, "4 velocities and -1 bilateral rows"},
        {plant_begin, "H^T: rows must begin at 0 (found -1)"},
        {plant_end, "M, row 1: ends at 0, before it begins at 1"},
    };
    haw_context *context;

    (void)state;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        haw_problem *p = two_masses(context);

        faults[i].plant(p);
        assert_int_equal(haw_problem_check(context, p), HAW_ERR_INPUT);
        assert_string_equal(haw_context_message(context), faults[i].want);
        haw_problem_free(context, p);
    }
    haw_context_free(context);
}

/* One diagonal block, and a row of more blocks than their numbers can be counted: refused before
 * any of them is read. */
static void a_w_of_too_many_numbers_is_refused(void **state)
{
    const haw_problem_size size = {.dimension = 3, .contacts = 1, .blocks = 1};
    haw_context *context;
    haw_problem *p;

    (void)state;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    assert_int_equal(haw_problem_create(context, &size, &p), HAW_OK);
    p->w.start[1] = INT_MAX / 9 + 1;
    assert_int_equal(haw_problem_check(context, p), HAW_ERR_INPUT);
    assert_string_equal(haw_context_message(context), "2147483655 numbers of W are too many");
    p->w.start[0] = 1;
    assert_int_equal(haw_problem_check(context, p), HAW_ERR_INPUT);
    assert_string_equal(haw_context_message(context), "W: rows must begin at 0 (found 1)");
    haw_problem_free(context, p);
    haw_context_free(context);
}

static void sizes_that_no_int_counts_or_below_zero_are_refused(void **state)
{
    const struct {
        haw_problem_size size;
        const char *want;
    } rows[] = {
        {{.dimension = 2, .contacts = -1}, "contacts must not be negative (found -1)"},
        {{.dimension = 2, .blocks = -2}, "blocks must not be negative (found -2)"},
        {{.dimension = 2, .velocities = -3}, "velocities must not be negative (found -3)"},
        {{.dimension = 2, .velocities = 1, .h_count = -4}, "h_count must not be negative"},
        {{.dimension = 4, .contacts = 1}, "dimension must be 2 or 3 (found 4)"},
        {{.dimension = 3, .contacts = INT_MAX / 3 + 1}, "contacts and 0 blocks is too large"},
        {{.dimension = 3, .contacts = 9, .blocks = INT_MAX / 9 + 1}, "9 contacts and 238609295"},
        {{.dimension = 2, .contacts = 2, .velocities = INT_MAX - 3}, "too large"},
    };

    haw_context *context;

    (void)state;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        haw_problem *p;

        assert_int_equal(haw_problem_create(context, &rows[i].size, &p), HAW_ERR_ARG);
        assert_null(p);
        assert_non_null(strstr(haw_context_message(context), rows[i].want));
    }
    haw_context_free(context);
}

/* A mass that is pressed down and pushed: r = (2, -1) holds it back, by hand. */
static void the_referee_measures_the_global_form(void **state)
{
    haw_problem *p = two_masses(NULL);
    const double slip[4] = {2.0, -1.0, 0.0, 0.0}, too_little[4] = {1.0, 0.0, 0.0, 0.0};
    double u[4];
    haw_residual residual;

    (void)state;
    p->global->f[0] = -2.0; /* 1 m/s into the ground */
    p->global->f[1] = 8.0;  /* 4 m/s along it */
    p->global->w[2] = 3.0;  /* the other contact opens */
    p->mu[0] = p->mu[1] = 0.5;
    assert_int_equal(haw_problem_residual(NULL, p, slip, u, &residual), HAW_OK);
    assert_near(residual.natural, 0.0, 1.0e-15, 0.0);
    assert_near(residual.bipotential, 0.0, 1.0e-15, 0.0);
    assert_near(u[1], 3.5, 0.0, 1.0e-15);
    assert_near(u[2], 3.0, 0.0, 1.0e-15);
    assert_int_equal(haw_problem_residual(NULL, p, too_little, u, &residual), HAW_OK);
    assert_near(residual.normal_min, -0.5, 0.0, 1.0e-15);
    /* De Saxce: mu r_N |u_T| + r . max(u, 0) = 0.5 * 1 * 4 */
    assert_near(residual.bipotential, 2.0, 0.0, 1.0e-15);
    assert_true(residual.natural > 0.1);
    haw_problem_free(NULL, p);
}

/* The second mass is held in both directions: no impulse of its contact moves anything. */
static void a_contact_held_by_bilateral_rows_is_named(void **state)
{
    const haw_problem_size size = {.dimension = 2,
                                   .contacts = 2,
                                   .velocities = 4,
                                   .bilateral = 2,
                                   .m_count = 4,
                                   .h_count = 4,
                                   .g_count = 2};
    double r[4] = {0}, u[4];
    haw_context *context;
    haw_problem *p;
    haw_residual residual;

    (void)state;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    assert_int_equal(haw_problem_create(context, &size, &p), HAW_OK);
    for (int i = 0; i < 4; i++) {
        p->global->m.start[i + 1] = p->global->ht.start[i + 1] = i + 1;
        p->global->m.column[i] = p->global->ht.column[i] = i;
        p->global->m.value[i] = 2.0;
        p->global->ht.value[i] = 1.0;
    }
    for (int i = 0; i < 2; i++) {
        p->global->gt.start[i + 1] = i + 1;
        p->global->gt.column[i] = 2 + i;
        p->global->gt.value[i] = 0.7;
    }
    assert_int_equal(haw_problem_check(context, p), HAW_OK);
    assert_int_equal(haw_problem_residual(context, p, r, u, &residual), HAW_ERR_INPUT);
    assert_string_equal(haw_context_message(context),
                        "contact 1: the bilateral constraints hold both sides of it: no impulse "
                        "moves it");
    p->global->gt.column[0] = 0; /* one direction of each is free: solvable */
    assert_int_equal(haw_problem_residual(context, p, r, u, &residual), HAW_OK);
    haw_problem_free(context, p);
    haw_context_free(context);
}

TEST_FILE(test_problem)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_created_problem_has_zeroed_arrays_of_its_form),
        cmocka_unit_test(faults_of_the_global_form_are_refused_by_name),
        cmocka_unit_test(a_w_of_too_many_numbers_is_refused),
        cmocka_unit_test(sizes_that_no_int_counts_or_below_zero_are_refused),
        cmocka_unit_test(the_referee_measures_the_global_form),
        cmocka_unit_test(a_contact_held_by_bilateral_rows_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
