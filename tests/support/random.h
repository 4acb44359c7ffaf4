/* SPDX-License-Identifier: BSD-3-Clause */
/* Reproducible pseudo-random numbers, the same on every machine. */
#ifndef HAWSER_TESTS_RANDOM_H
#define HAWSER_TESTS_RANDOM_H

#include <stdint.h>

/* xorshift64* (Vigna, ACM TOMS 42 (2016) 30); uniform in [-1, 1). The state must not be 0. */
double random_signed(uint64_t *state);

#endif
