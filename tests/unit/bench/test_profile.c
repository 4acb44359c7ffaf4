/* SPDX-License-Identifier: BSD-3-Clause */
/* Performance profiles and percentiles, against cases worked out by hand. */
#include "bench/profile.h"
#include "support/near.h"

#include <math.h>

typedef struct ratios {
    int problems;
    double ratio[12];
} ratios;

static ratios make(int problems, int solvers, const double *cost)
{
    ratios made = {.problems = problems};

    assert_true(problems * solvers <= 12);
    haw_profile_ratios(problems, solvers, cost, made.ratio);
    return made;
}

/* rho_s(tau) */
static double share(const ratios *made, int solver, double tau)
{
    int count = 0;

    for (int p = 0; p < made->problems; p++) {
        const double ratio = made->ratio[solver * made->problems + p];

        assert_true(p == 0 || ratio >= made->ratio[solver * made->problems + p - 1]);
        count += ratio <= tau && ratio < HUGE_VAL;
    }
    return (double)count / made->problems;
}

/*
 * Three problems, two solvers: ratios of the first are 1, 3, 1, those of the second 2, 1, 4. By
 * hand: rho_1(1) = 2/3, rho_1(3) = 1; rho_2(1) = 1/3, rho_2(2) = 2/3, rho_2(4) = 1.
 */
static void shares_count_the_ratios_to_the_best_of_each_problem(void **state)
{
    const double cost[] = {1.0, 2.0, 6.0, 2.0, 0.5, 2.0};

    (void)state;
    const ratios profile = make(3, 2, cost);

    assert_near(share(&profile, 0, 1.0), 2.0 / 3.0, 0.0, 1e-15);
    assert_near(share(&profile, 0, 2.999), 2.0 / 3.0, 0.0, 1e-15);
    assert_near(share(&profile, 0, 3.0), 1.0, 0.0, 1e-15);
    assert_near(share(&profile, 1, 1.0), 1.0 / 3.0, 0.0, 1e-15);
    assert_near(share(&profile, 1, 2.0), 2.0 / 3.0, 0.0, 1e-15);
    assert_near(share(&profile, 1, 3.999), 2.0 / 3.0, 0.0, 1e-15);
    assert_near(share(&profile, 1, 4.0), 1.0, 0.0, 1e-15);
    assert_near(share(&profile, 0, 0.999), 0.0, 0.0, 0.0);
}

static void a_failure_is_never_reached_however_long_one_waits(void **state)
{
    const double cost[] = {HUGE_VAL, 2.0, 6.0, (double)NAN};

    (void)state;
    const ratios profile = make(2, 2, cost);

    assert_near(share(&profile, 0, 1.0), 0.5, 0.0, 0.0);
    assert_near(share(&profile, 0, 1e300), 0.5, 0.0, 0.0);
    assert_near(share(&profile, 0, HUGE_VAL), 0.5, 0.0, 0.0);
    assert_near(share(&profile, 1, HUGE_VAL), 0.5, 0.0, 0.0);
}

static void a_problem_that_nobody_solves_stays_in_the_count(void **state)
{
    const double cost[] = {HUGE_VAL, HUGE_VAL, 1.0, 2.0};

    (void)state;
    const ratios profile = make(2, 2, cost);

    assert_near(share(&profile, 0, 1.0), 0.5, 0.0, 0.0);
    assert_near(share(&profile, 1, 1.0), 0.0, 0.0, 0.0);
    assert_near(share(&profile, 1, 2.0), 0.5, 0.0, 0.0);
}

/* Only ratios matter: all costs of a problem times a factor change nothing. */
static void the_unit_of_cost_does_not_matter(void **state)
{
    const double cost[] = {1.0, 2.0, 3.0, 8.0, 4.0, 2.0};
    const double scaled[] = {1e-3, 2e-3, 3e-3, 8e5, 4e5, 2e5};

    (void)state;
    const ratios a = make(2, 3, cost);
    const ratios b = make(2, 3, scaled);

    for (int i = 0; i < 6; i++) {
        assert_near(a.ratio[i], b.ratio[i], 0.0, 1e-14);
    }
}

static void one_solver_is_the_best_wherever_it_solves(void **state)
{
    const double cost[] = {5.0, HUGE_VAL, 0.1, 7.0};

    (void)state;
    const ratios profile = make(4, 1, cost);

    assert_near(share(&profile, 0, 1.0), 0.75, 0.0, 0.0);
}

/* 15, 20, 35, 40, 50 is the textbook example: place 1 + 4 * 0.4 = 2.6 gives 20 + 0.6 * 15 = 29. */
static void percentiles_are_linear_between_the_order_statistics(void **state)
{
    const double five[] = {15.0, 20.0, 35.0, 40.0, 50.0};
    const double four[] = {1.0, 2.0, 4.0, 8.0};

    (void)state;
    assert_near(haw_percentile(5, five, 40.0), 29.0, 0.0, 1e-14);
    assert_near(haw_percentile(5, five, 50.0), 35.0, 0.0, 0.0);
    assert_near(haw_percentile(5, five, 90.0), 46.0, 0.0, 1e-14);
    assert_near(haw_percentile(4, four, 50.0), 3.0, 0.0, 1e-15);
    assert_near(haw_percentile(4, four, 90.0), 6.8, 0.0, 1e-14);
}

static void the_ends_are_the_smallest_and_the_largest(void **state)
{
    const double x[] = {3.0, 4.0, 9.0};

    (void)state;
    assert_near(haw_percentile(3, x, 0.0), 3.0, 0.0, 0.0);
    assert_near(haw_percentile(3, x, 100.0), 9.0, 0.0, 0.0);
    assert_near(haw_percentile(3, x, -5.0), 3.0, 0.0, 0.0);
    assert_near(haw_percentile(3, x, 200.0), 9.0, 0.0, 0.0);
    assert_near(haw_percentile(1, x, 90.0), 3.0, 0.0, 0.0);
    assert_true(isnan(haw_percentile(0, x, 50.0)));
}

/* Ten numbers, the last two infinite: the median is finite, 90 % and the largest are not. */
static void infinite_numbers_reach_only_the_percentiles_they_belong_to(void **state)
{
    const double x[] = {1, 2, 3, 4, 5, 6, 7, 8, HUGE_VAL, HUGE_VAL};
    const double five[] = {1.0, 2.0, 3.0, 4.0, HUGE_VAL};
    const double all[] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};

    (void)state;
    assert_near(haw_percentile(10, x, 50.0), 5.5, 0.0, 1e-15);
    assert_near(haw_percentile(5, five, 75.0), 4.0, 0.0, 0.0);
    assert_true(isinf(haw_percentile(5, five, 76.0)));
    assert_true(isinf(haw_percentile(10, x, 80.0)));
    assert_true(isinf(haw_percentile(10, x, 90.0)));
    assert_true(isinf(haw_percentile(10, x, 100.0)));
    assert_true(isinf(haw_percentile(3, all, 50.0)));
}

TEST_FILE(test_profile)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_count_the_ratios_to_the_best_of_each_problem),
        cmocka_unit_test(a_failure_is_never_reached_however_long_one_waits),
        cmocka_unit_test(a_problem_that_nobody_solves_stays_in_the_count),
        cmocka_unit_test(the_unit_of_cost_does_not_matter),
        cmocka_unit_test(one_solver_is_the_best_wherever_it_solves),
        cmocka_unit_test(percentiles_are_linear_between_the_order_statistics),
        cmocka_unit_test(the_ends_are_the_smallest_and_the_largest),
        cmocka_unit_test(infinite_numbers_reach_only_the_percentiles_they_belong_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
