/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comparing solvers over a set of problems: performance profiles and percentiles.
 *
 * The cost t_ps of solver s on problem p is infinite where it did not solve it. With the ratios
 * r_ps = t_ps / min_s t_ps the profile of s is
 *
 *     rho_s(tau) = |{ p : r_ps <= tau }| / problems,
 *
 * the share of problems that s solves within tau times the cost of the best solver of each: rho(1)
 * says how often it is the best, the limit for large tau how many it solves at all
 * (E. D. Dolan, J. J. More, Math. Program. 91 (2002) 201-213). A problem that nobody solves has
 * infinite ratios and stays in the count.
 */
#ifndef HAWSER_BENCH_PROFILE_H
#define HAWSER_BENCH_PROFILE_H

/**
 * Ratios r_ps of each solver in ascending order.
 *
 * @param cost   [problems * solvers] > 0, problem by problem; infinite or NaN: not solved
 * @param ratio  [solvers * problems] out: solver by solver; infinite: not solved
 */
void haw_profile_ratios(int problems, int solvers, const double *cost, double *ratio);

/**
 * Percentile of n numbers, infinite ones included: linear between the order statistics, place
 * 1 + (n - 1) percent / 100 (R. J. Hyndman, Y. Fan, Am. Stat. 50 (1996) 361-365, definition 7);
 * 50 is the median in its usual sense. Infinite where an infinite number takes part; NaN if n is 0.
 *
 * @param ascending  [n]
 * @param percent    0 to 100
 */
double haw_percentile(int n, const double *ascending, double percent);

#endif
