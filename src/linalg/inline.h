/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For kernels whose loops must unroll for constant bandwidths: without the attribute compilers
 * keep one general copy, four times slower in the substitutions of factor_band.c.
 */
#ifndef HAWSER_LINALG_INLINE_H
#define HAWSER_LINALG_INLINE_H

#if defined(__GNUC__) || defined(__clang__)
#define HAW_INLINE inline __attribute__((always_inline))
#else
#define HAW_INLINE inline
#endif

/** f(d, ...) with d = 2 or 3 as a constant: the loops of an inline f over d rows unroll. */
#define HAW_BY_DIMENSION(d, f, ...) ((d) == 2 ? f(2, __VA_ARGS__) : f(3, __VA_ARGS__))

#endif
