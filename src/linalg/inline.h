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

#endif
