/* SPDX-License-Identifier: BSD-3-Clause */
/* A text that grows, failures kept until the end; numbers with a point in any locale. */
#ifndef HAWSER_SCENARIO_TEXT_H
#define HAWSER_SCENARIO_TEXT_H

#include "base/status.h"

#include <locale.h>

typedef struct haw_text {
    haw_context *context;
    char *data; /* ends with a zero byte; NULL while empty */
    size_t used, capacity;
    bool failed;
} haw_text;

void haw_text_add(haw_text *text, const char *format, ...) HAW_PRINTF(2, 3);

/**
 * The shortest of 15 to 17 digits that reads back as the same double, with a point and a signed
 * exponent: YAML 1.1 readers take 1e5 for a word.
 */
void haw_text_number(haw_text *text, double value);

/** In double quotes, escaped as in JSON. */
void haw_text_quote(haw_text *text, const char *value);

/** Hand the text out, or ERR_NOMEM. */
HAW_NODISCARD haw_status haw_text_finish(haw_text *text, char **result);

/* Numbers of files have a point whatever the language of the program around this library. */
typedef struct haw_locale {
    locale_t made, before;
} haw_locale;

/** The calling thread formats and reads numbers as in C until haw_locale_end. */
haw_locale haw_locale_begin(void);
void haw_locale_end(haw_locale saved);

#endif
