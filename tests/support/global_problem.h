/* SPDX-License-Identifier: BSD-3-Clause */
/* Random contact problems in global form, all entries present, with bilateral rows. */
#ifndef HAWSER_TESTS_GLOBAL_PROBLEM_H
#define HAWSER_TESTS_GLOBAL_PROBLEM_H

#include "support/near.h"

#include <hawser/problem.h>

#include <string.h>

void global_dense(haw_csr *a);

void global_fill(double *x, int count, uint64_t *seed);

/*
 * M = A^T A / nv + I with a random A, f random, mu in [0, mu_max]. W has full rank, almost surely,
 * if nv - p >= d n. Some velocity v* opens all contacts without sliding, H^T v* + w = (0.1, 0, 0):
 * a solution exists whatever mu is (Acary, Cadoux, Lemarechal, Malick, ZAMM 91 (2011) 155-175).
 */
haw_problem *global_random(int dimension, int contacts, int velocities, int bilateral,
                           double mu_max, uint64_t *seed);

#endif
