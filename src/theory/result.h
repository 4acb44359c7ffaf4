/* SPDX-License-Identifier: BSD-3-Clause */
/* What the rows share: filling a result, finding a root; and their list. */
#ifndef HAWSER_THEORY_RESULT_H
#define HAWSER_THEORY_RESULT_H

#include "base/status.h"

#include <hawser/theory.h>

#include <float.h>
#include <math.h>

#define HAW_PI 3.14159265358979323846

typedef struct haw_scalar {
    const char *key, *unit, *help;
    double value;
} haw_scalar;

/* Rows of options: a real member of a struct that is > 0, >= 0 or any; the number of points of a
 * profile. */
#define HAW_REAL(key, type, member, preset, least, unit, help)                                     \
    {                                                                                              \
        key, HAW_OPTION_REAL, offsetof(type, member), preset, least, DBL_MAX, unit, help, NULL     \
    }
#define HAW_POSITIVE(key, type, member, preset, unit, help)                                        \
    HAW_REAL(key, type, member, preset, DBL_MIN, unit, help)
#define HAW_NONNEGATIVE(key, type, member, preset, unit, help)                                     \
    HAW_REAL(key, type, member, preset, 0, unit, help)
#define HAW_ANY(key, type, member, preset, unit, help)                                             \
    HAW_REAL(key, type, member, preset, -DBL_MAX, unit, help)
#define HAW_POINTS(type, preset)                                                                   \
    {                                                                                              \
        "points", HAW_OPTION_INT, offsetof(type, points), preset, 2, 1e6, "",                      \
            "number of points of the profile", NULL                                                \
    }

/* An array of scalars as the arguments `count, scalar` of the next two. */
#define HAW_ROWS(rows) (int)(sizeof(rows) / sizeof *(rows)), rows

/** Append `count` numbers. */
HAW_NODISCARD haw_status haw_result_scalars(haw_context *context, haw_theory_result *result,
                                            int count, const haw_scalar *scalar);

/** Append those of `count` numbers that are finite: the others cannot be said, or have no data. */
HAW_NODISCARD haw_status haw_result_finite(haw_context *context, haw_theory_result *result,
                                           int count, const haw_scalar *scalar);

/**
 * Append `rows` profiles; key, unit, help and count are those of `row`.
 * @param value  out: zeroed [count] of each, to be filled by the caller
 */
HAW_NODISCARD haw_status haw_result_profiles(haw_context *context, haw_theory_result *result,
                                             int rows, const haw_quantity *row, double **value);

/** Append a text of static storage. */
void haw_result_text(haw_theory_result *result, const char *key, const char *help,
                     const char *value);

typedef struct haw_bracket {
    double low, high;
} haw_bracket;

typedef double (*haw_root_function)(double x, void *data);

/**
 * Root of a continuous function by Brent's method, to a few units of the last place.
 *
 * @param bracket  ends of opposite sign
 * @return         ERR_ARG if the signs agree or a value is not finite; ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_root_find(haw_context *context, haw_root_function function, void *data,
                                       haw_bracket bracket, double *root);

enum { HAW_ROOTS_MAX = 16 };

typedef void (*haw_roots_function)(const double *x, double *f, void *data);

/**
 * Root of `count` functions of as many unknowns by Powell's hybrid method.
 *
 * @param x  [count] unknowns of the order of one; in: near the root, out: the root
 * @return   ERR_ARG if it does not converge to 1e-10 of every function; ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_roots_find(haw_context *context, haw_roots_function function,
                                        void *data, int count, double *x);

/* ---- the rows of the table ---- */

extern const haw_theory_ops haw_theory_bouncing_ball;
extern const haw_theory_ops haw_theory_bridging_limit;
extern const haw_theory_ops haw_theory_bristle;
extern const haw_theory_ops haw_theory_bristle_steady;
extern const haw_theory_ops haw_theory_capstan;
extern const haw_theory_ops haw_theory_catenary;
extern const haw_theory_ops haw_theory_clairaut;
extern const haw_theory_ops haw_theory_clasp;
extern const haw_theory_ops haw_theory_collision;
extern const haw_theory_ops haw_theory_creep;
extern const haw_theory_ops haw_theory_crossing;
extern const haw_theory_ops haw_theory_crossing_wrap;
extern const haw_theory_ops haw_theory_elastica;
extern const haw_theory_ops haw_theory_firbank;
extern const haw_theory_ops haw_theory_geodesic;
extern const haw_theory_ops haw_theory_groove;
extern const haw_theory_ops haw_theory_helical_capstan;
extern const haw_theory_ops haw_theory_knot;
extern const haw_theory_ops haw_theory_multilayer;
extern const haw_theory_ops haw_theory_plectoneme;
extern const haw_theory_ops haw_theory_ply;
extern const haw_theory_ops haw_theory_roll_up;
extern const haw_theory_ops haw_theory_semi_geodesic;
extern const haw_theory_ops haw_theory_slip_to_roll;
extern const haw_theory_ops haw_theory_strand;
extern const haw_theory_ops haw_theory_string_impact;
extern const haw_theory_ops haw_theory_string_modes;
extern const haw_theory_ops haw_theory_traction;
extern const haw_theory_ops haw_theory_twisted_rod;
extern const haw_theory_ops haw_theory_winding_w1;

#endif
