/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluate a theory with some options set; compare with printed digits. */
#ifndef HAWSER_TESTS_THEORY_H
#define HAWSER_TESTS_THEORY_H

#include "support/near.h"

#include <hawser/theory.h>

#include <stdlib.h>
#include <string.h>

typedef struct setting {
    const char *key;
    double value;
    const char *word; /* of a choice, in place of the value; NULL: none */
} setting;

typedef union theory_options {
    unsigned char bytes[256];
    double align;
} theory_options;

void theory_setup(const char *name, int count, const setting *set, const haw_theory_ops **theory,
                  theory_options *options);

haw_theory_result theory_run(haw_context *context, const char *name, int count, const setting *set);

/* One quantity of a theory. */
double theory_quantity(haw_context *context, const char *name, int count, const setting *set,
                       const char *key);

/* Fails unless the theory refuses these options with a message that has the words `reason`. */
void theory_refuses(haw_context *context, const char *name, int count, const setting *set,
                    const char *reason);

const haw_quantity *theory_profile(const haw_theory_result *result, const char *key);

/* Half a unit of the last digit of a printed decimal number, and a little for rounding. */
double half_digit(const char *printed);

#define assert_digits(got, printed) assert_near(got, strtod(printed, NULL), half_digit(printed), 0)

int theory_create(void **state);

int theory_free(void **state);

#endif
