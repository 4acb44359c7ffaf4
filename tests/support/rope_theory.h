/* SPDX-License-Identifier: BSD-3-Clause */
/* Theories of a rope on a sheave by name, with words and numbers as options. */
#ifndef HAWSER_TESTS_ROPE_THEORY_H
#define HAWSER_TESTS_ROPE_THEORY_H

#include "support/theory.h"

#define COUNT(list) ((int)(sizeof(list) / sizeof((list)[0])))

static const double pi = 3.14159265358979323846;

/* A choice; key NULL: none. */
typedef struct word {
    const char *key, *value;
} word;

static const word no_word = {NULL, NULL};

static const word driving = {"direction", "driving"};

static const word braking = {"direction", "braking"};

double value(const haw_theory_result *r, const char *key);

/* Short printed numbers are exact. */
void assert_printed(double got, const char *printed);

haw_status rope_try(haw_context *context, const char *name, word choice, int count,
                    const setting *set, haw_theory_result *result);

haw_theory_result rope_run(haw_context *context, const char *name, word choice, int count,
                           const setting *set);

/* Refused with a message that contains a text. */
void rope_refused(haw_context *context, const char *name, int count, const setting *set,
                  const char *text);

#endif
