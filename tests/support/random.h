/* SPDX-License-Identifier: BSD-3-Clause */
/* Reproducible pseudo-random numbers, the same on every machine. */
#ifndef HAWSER_TESTS_RANDOM_H
#define HAWSER_TESTS_RANDOM_H

#include <stdint.h>

/* xorshift64* (Vigna, ACM TOMS 42 (2016) 30); uniform in [-1, 1). The state must not be 0. */
static inline double random_signed(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    const uint64_t bits = *state * UINT64_C(2685821657736338717);
    return (double)(bits >> 11) * 0x1p-52 - 1;
}

#endif
