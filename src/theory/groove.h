/* SPDX-License-Identifier: BSD-3-Clause */
/* Friction of a rope in a groove: the options and the factor f / mu. */
#ifndef HAWSER_THEORY_GROOVE_H
#define HAWSER_THEORY_GROOVE_H

#include "theory/result.h"

#include <float.h>
#include <math.h>

enum { HAW_GROOVE_FLAT, HAW_GROOVE_V, HAW_GROOVE_U, HAW_GROOVE_UNDERCUT };

typedef struct haw_groove {
    int kind;
    double gamma_deg; /* angle of a V, or of the missing arc at the sides; NAN: usual */
    double beta_deg;  /* angle of the undercut; NAN: usual */
} haw_groove;

extern const char *const haw_groove_kinds[];
extern const char *const haw_groove_usual[];

/** Fill in the usual angles: V 35 degrees, U 0, undercut gamma = 25, beta = 90 degrees. */
void haw_groove_init(haw_groove *groove);

/** @return ERR_INPUT with the angle that no groove of this kind has */
HAW_NODISCARD haw_status haw_groove_check(haw_context *context, const haw_groove *groove);

/** 4 (cos(gamma/2) - sin(beta/2)) / (pi - beta - gamma - sin(beta) + sin(gamma)), in radians. */
double haw_groove_seat_factor(double beta, double gamma);

/** f / mu of a groove that has passed the check. */
double haw_groove_factor(const haw_groove *groove);

/** Rows of an option table; `at` is the offset of a haw_groove. */
#define HAW_GROOVE_ROWS(at)                                                                        \
    {"groove",                                                                                     \
     HAW_OPTION_CHOICE,                                                                            \
     (at) + offsetof(haw_groove, kind),                                                            \
     HAW_GROOVE_FLAT,                                                                              \
     0,                                                                                            \
     0,                                                                                            \
     "",                                                                                           \
     "flat, v, u (round seat) or undercut (round seat without its bottom)",                        \
     haw_groove_kinds},                                                                            \
        {"gamma-deg",                                                                              \
         HAW_OPTION_REAL,                                                                          \
         (at) + offsetof(haw_groove, gamma_deg),                                                   \
         (double)NAN,                                                                              \
         0,                                                                                        \
         179.999,                                                                                  \
         "deg",                                                                                    \
         "angle between the flanks of a V, or the angle that the seat lacks at its sides; usual: " \
         "V 35, U 0, undercut 25",                                                                 \
         haw_groove_usual},                                                                        \
    {                                                                                              \
        "beta-deg", HAW_OPTION_REAL, (at) + offsetof(haw_groove, beta_deg), (double)NAN, 0,        \
            179.999, "deg", "angle of the undercut, seen from the rope's centre; usual: 90",       \
            haw_groove_usual                                                                       \
    }

#endif
