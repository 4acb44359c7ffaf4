/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes JSON (RFC 8259) to a stream, value by value. Keys are NULL inside arrays and at the top.
 * A writer starts as {.out = stream, .first = true}, and for the script of a page with .compact: no
 * white space, nine digits, and no text that could end the script.
 * What JSON cannot express, NaN and infinity, becomes null.
 */
#ifndef HAWSER_IO_JSON_H
#define HAWSER_IO_JSON_H

#include "io/field.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct haw_json {
    FILE *out;
    int depth;
    bool first; /* no value yet in the innermost object or array */
    bool compact;
} haw_json;

/** bracket is '{' or '['. */
void haw_json_open(haw_json *json, const char *key, char bracket);

/** bracket is '}' or ']'; the end of the outermost one also ends the line. */
void haw_json_close(haw_json *json, char bracket);

void haw_json_number(haw_json *json, const char *key, double value);
void haw_json_integer(haw_json *json, const char *key, long value);
void haw_json_flag(haw_json *json, const char *key, bool value);

/** NULL is written as null; bytes that are not UTF-8 as U+FFFD. */
void haw_json_text(haw_json *json, const char *key, const char *value);

/** A value that the caller writes to json->out. */
void haw_json_key(haw_json *json, const char *key);

/** An array of texts, a line each. */
void haw_json_texts(haw_json *json, const char *key, int count, const char *const *text);

/** Numbers of a struct under their names; without a struct all are null. */
void haw_json_fields(haw_json *json, const haw_field *field, const void *object);

/** A number if count is 1, else an array of numbers on one line. */
void haw_json_values(haw_json *json, const char *key, int count, const double *value);

/** An array of numbers on one line, also for one number. */
void haw_json_array(haw_json *json, const char *key, int count, const double *value);

#endif
