/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Closed forms that the simulations are checked against, one row each.
 */
#ifndef HAWSER_THEORY_H
#define HAWSER_THEORY_H

#include <hawser/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One named result: a number (count 1) or a profile of any number of points, one too. */
typedef struct haw_quantity {
    const char *key, *unit, *help;
    int count;
    bool is_profile;
    double *value; /* [count], owned by the result */
} haw_quantity;

/* One named word or sentence, such as the regime that holds. */
typedef struct haw_theory_text {
    const char *key, *help, *value; /* not owned by the result */
} haw_theory_text;

enum { HAW_THEORY_TEXTS_MAX = 8 };

typedef struct haw_theory_result {
    int count;
    haw_quantity *quantity;
    int texts;
    haw_theory_text text[HAW_THEORY_TEXTS_MAX];
} haw_theory_result;

typedef struct haw_theory_ops {
    haw_row row;
    const char *formula; /* what is evaluated, in lines of plain text */
    const char *example; /* options on a command line: "--mu 0.2 --wrap 3.1" */
    haw_status (*evaluate)(haw_context *context, const void *options, haw_theory_result *result);
} haw_theory_ops;

/** All theories; ends with NULL. */
HAW_API extern const haw_row *const haw_theories[];

/** Evaluate with a filled options struct. Free the result with haw_theory_result_free. */
HAW_API HAW_NODISCARD haw_status haw_theory_evaluate(haw_context *context,
                                                     const haw_theory_ops *theory,
                                                     const void *options,
                                                     haw_theory_result *result);

/** Value of a scalar quantity, NAN if there is none of that key. */
HAW_API double haw_theory_value(const haw_theory_result *result, const char *key);

/** Value of a text, NULL if there is none of that key. */
HAW_API const char *haw_theory_word(const haw_theory_result *result, const char *key);
HAW_API void haw_theory_result_free(haw_context *context, haw_theory_result *result);

#ifdef __cplusplus
}
#endif
#endif
