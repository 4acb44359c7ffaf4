/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the theories of a rope on a sheave share: options, the bed of bristles, profiles.
 * alpha = 0 at the end of the low tension T1, alpha = W at that of the high tension T2; t > 0
 * raises T with alpha, dT/dalpha = R t.
 */
#ifndef HAWSER_THEORY_ROPE_H
#define HAWSER_THEORY_ROPE_H

#include "theory/result.h"

typedef struct haw_rope_options {
    double t1, t2, radius, wrap;
    double mu, mu_s, mu_k; /* NAN: not given */
    double r;              /* NAN: from the stiffnesses */
    double ea, kt, kn;     /* kn NAN: rigid */
    double t0;
    int direction, form, points;
} haw_rope_options;

/* Rows of the option tables, in groups. */
#define HAW_ROPE_ROW_LOADS                                                                         \
    {"t1",                                                                                         \
     HAW_OPTION_REAL,                                                                              \
     offsetof(haw_rope_options, t1),                                                               \
     1000,                                                                                         \
     DBL_MIN,                                                                                      \
     DBL_MAX,                                                                                      \
     "N",                                                                                          \
     "low tension T1, at alpha = 0",                                                               \
     NULL},                                                                                        \
    {                                                                                              \
        "t2", HAW_OPTION_REAL, offsetof(haw_rope_options, t2), 3000, DBL_MIN, DBL_MAX, "N",        \
            "high tension T2, at alpha = W", NULL                                                  \
    }

#endif
