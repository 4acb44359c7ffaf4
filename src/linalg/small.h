/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HAWSER_LINALG_SMALL_H
#define HAWSER_LINALG_SMALL_H

/** [2], [3]: the inverse [d d] of a block c [d d], which is regular. */
extern void (*const haw_invert[])(const double *c, double *inverse);

#endif
