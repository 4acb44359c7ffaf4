/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems without an operator, and the memory that operators take. */
#include "solver/operator.h"
#include "support/failing.h"
#include "support/global_sample.h"

/* Behind the others: its names are theirs for parameters. */
#include "support/arena_fixture.h"

static void check_singular(const global_sample *s)
{
    haw_operator op;
    haw_problem *local = NULL;
    assert_int_equal(haw_operator_create(&arena, &s->problem, &op), HAW_ERR_SINGULAR);
    assert_non_null(strstr(haw_context_message(context), "singular"));
    haw_operator_release(&op); /* nothing is left to release */
    assert_int_equal(haw_problem_reduce(context, &s->problem, &local), HAW_ERR_SINGULAR);
    assert_null(local);
}

static void velocities_that_are_not_determined_are_refused(void **state)
{
    (void)state;
    uint64_t seed = 13;
    const global_shape shapes[] = {{.contacts = 30, .nodes = 60},
                                   {.contacts = 30, .nodes = 60, .block = 2},
                                   {.contacts = 30, .nodes = 150, .border = 1},
                                   {.contacts = 30, .nodes = 60, .is_unsymmetric = true}};
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; ++k) {
        global_shape shape = shapes[k];
        global_sample s;
        shape.dimension = 2;
        global_sample_make(&arena, &shape, &seed, &s);
        for (int j = 0; j < s.m.columns; ++j) { /* rows and columns 4 and 5 alike */
            *dense_at(&s.m, 5, j) = *dense_at(&s.m, 4, j);
        }
        for (int j = 0; j < s.m.columns; ++j) {
            *dense_at(&s.m, j, 5) = *dense_at(&s.m, j, 4);
        }
        s.global.m = dense_to_csr(&arena, &s.m);
        check_singular(&s);
        global_sample_free(&s);
    }
}

/* The third row of a body is a sum of the others but for rounding. */
static void bodies_that_are_singular_but_for_rounding_are_refused(void **state)
{
    (void)state;
    uint64_t seed = 14;
    for (int node = 0; node < 30; ++node) {
        const global_shape shape = {.dimension = 3, .contacts = 29, .nodes = 30, .block = 1};
        global_sample s;
        global_sample_make(&arena, &shape, &seed, &s);
        for (int j = 3 * node; j < 3 * node + 3; ++j) {
            *dense_at(&s.m, 3 * node + 2, j) =
                *dense_at(&s.m, 3 * node, j) / 3 + 0.7 * *dense_at(&s.m, 3 * node + 1, j);
        }
        s.global.m = dense_to_csr(&arena, &s.m);
        check_singular(&s);
        assert_non_null(strstr(haw_context_message(context), "singular at velocity"));
        global_sample_free(&s);
    }
}

static void bilateral_rows_that_repeat_each_other_are_refused(void **state)
{
    (void)state;
    uint64_t seed = 17;
    global_sample s;
    const global_shape shape = {.dimension = 3, .contacts = 9, .nodes = 20, .bilateral = 3};
    global_sample_make(&arena, &shape, &seed, &s);
    for (int j = 0; j < s.gt.columns; ++j) {
        *dense_at(&s.gt, 2, j) = 0.3 * *dense_at(&s.gt, 0, j) - 1.7 * *dense_at(&s.gt, 1, j);
    }
    s.global.gt = dense_to_csr(&arena, &s.gt);
    check_singular(&s);
    global_sample_free(&s);
}

static void values_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    uint64_t seed = 19;
    for (int block = 0; block <= 2; block += 2) {
        global_sample s;
        const global_shape shape = {.dimension = 2, .contacts = 9, .nodes = 60, .block = block};
        global_sample_make(&arena, &shape, &seed, &s);
        s.global.m.value[7] = (double)NAN;
        check_singular(&s);
        global_sample_free(&s);
    }
}

/* Two operators in a row in the memory of the first. */
static void a_second_operator_asks_the_allocator_for_its_factor_only(void **state)
{
    (void)state;
    uint64_t seed = 37;
    counting count = {0};
    const haw_allocator allocator = counting_allocator(&count);
    haw_context *own = NULL;
    haw_arena reused;
    global_sample s;
    const global_shape shape = {.dimension = 3, .contacts = 70, .nodes = 80};
    global_sample_make(&arena, &shape, &seed, &s);
    assert_int_equal(haw_context_create(&allocator, &own), HAW_OK);
    haw_arena_init(&reused, own);
    long calls[4];
    for (int pass = 0; pass < 4; ++pass) {
        haw_operator op;
        const long before = count.calls;
        assert_int_equal(haw_operator_create(&reused, &s.problem, &op), HAW_OK);
        calls[pass] = count.calls - before;
        haw_operator_release(&op);
        haw_arena_reset(&reused);
    }
    assert_true(calls[2] < calls[0]); /* the second one still asks for one block in place of all */
    assert_int_equal(calls[2], calls[3]);
    assert_in_range(calls[3], 1, 6); /* haw_factor and the blocks of its own arena */
    haw_arena_fini(&reused);
    haw_context_free(own);
    assert_int_equal(count.live, 0);
    global_sample_free(&s);
}

static haw_status create_and_reduce(haw_context *given, void *user)
{
    const global_sample *s = user;
    haw_problem *local = NULL;
    const haw_status status = haw_problem_reduce(given, &s->problem, &local);
    haw_problem_free(given, local);
    return status;
}

static void every_failing_allocation_is_told_and_leaks_nothing(void **state)
{
    (void)state;
    uint64_t seed = 41;
    const global_shape shapes[] = {{.contacts = 30, .nodes = 60},
                                   {.contacts = 30, .nodes = 60, .block = 2},
                                   {.contacts = 30, .nodes = 150, .border = 1},
                                   {.contacts = 30, .nodes = 60, .bilateral = 2}};
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; ++k) {
        global_shape shape = shapes[k];
        global_sample s;
        shape.dimension = 2;
        global_sample_make(&arena, &shape, &seed, &s);
        assert_true(failing_loop(create_and_reduce, &s) >= 4);
        global_sample_free(&s);
    }
}

TEST_FILE(test_operator_refusals)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_that_are_not_determined_are_refused),
        cmocka_unit_test(bodies_that_are_singular_but_for_rounding_are_refused),
        cmocka_unit_test(bilateral_rows_that_repeat_each_other_are_refused),
        cmocka_unit_test(values_that_are_not_finite_are_refused),
        cmocka_unit_test(a_second_operator_asks_the_allocator_for_its_factor_only),
        cmocka_unit_test(every_failing_allocation_is_told_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
