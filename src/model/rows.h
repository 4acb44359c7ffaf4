/* SPDX-License-Identifier: BSD-3-Clause */
/* What the option rows of scenes are written with: ranges, and words for a missing number. */
#ifndef HAWSER_MODEL_ROWS_H
#define HAWSER_MODEL_ROWS_H

#include <hawser/model.h>

#include <float.h>
#include <math.h>

/* Any number, a positive one, one that is not negative. */
#define ANY      (-DBL_MAX), DBL_MAX
#define POSITIVE DBL_MIN, DBL_MAX
#define NOT_NEG  0.0, DBL_MAX
#define NO_RANGE 0.0, 0.0

extern const char *const haw_auto_word[];
extern const char *const haw_none_word[];

#endif
