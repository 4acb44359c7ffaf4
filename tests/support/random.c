/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/random.h"

double random_signed(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    const uint64_t bits = *state * UINT64_C(2685821657736338717);
    return (double)(bits >> 11) * 0x1p-52 - 1;
}
