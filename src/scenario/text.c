/* SPDX-License-Identifier: BSD-3-Clause */
#include "scenario/text.h"

#include <hawser/scenario.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(haw_text *text, size_t bytes)
{
    if (text->failed || text->used + bytes <= text->capacity) {
        return !text->failed;
    }
    const size_t wanted = 2 * (text->used + bytes);
    char *larger = haw_allocate(text->context, wanted, 1);
    if (larger == NULL) {
        text->failed = true;
        return false;
    }
    if (text->data != NULL) {
        memcpy(larger, text->data, text->used);
        haw_release(text->context, text->data);
    }
    text->data = larger;
    text->capacity = wanted;
    return true;
}

void haw_text_add(haw_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || !reserve(text, (size_t)length + 1)) {
        text->failed = true;
        return;
    }
    va_start(arguments, format);
    (void)vsnprintf(text->data + text->used, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->used += (size_t)length;
}

void haw_text_number(haw_text *text, double value)
{
    char number[40];
    for (int digits = 15; digits <= 17; ++digits) {
        (void)snprintf(number, sizeof number, "%.*g", digits, value);
        if (strtod(number, NULL) == value) {
            break;
        }
    }
    const int mantissa = (int)strcspn(number, "e");
    const bool has_point = strchr(number, '.') != NULL;
    haw_text_add(text, "%.*s%s%s", mantissa, number, has_point ? "" : ".0", number + mantissa);
}

void haw_text_quote(haw_text *text, const char *value)
{
    haw_text_add(text, "\"");
    for (const char *s = value; *s != '\0'; ++s) {
        if (*s == '"' || *s == '\\') {
            haw_text_add(text, "\\%c", *s);
        } else if ((unsigned char)*s < 0x20U || *s == 0x7F) {
            haw_text_add(text, "\\u%04x", (unsigned)*s);
        } else {
            haw_text_add(text, "%c", *s);
        }
    }
    haw_text_add(text, "\"");
}

haw_status haw_text_finish(haw_text *text, char **result)
{
    *result = NULL;
    if (text->failed) {
        haw_release(text->context, text->data);
        text->data = NULL;
        return HAW_ERR_NOMEM;
    }
    *result = text->data;
    return HAW_OK;
}

void haw_text_free(haw_context *context, char *text)
{
    haw_release(context, text);
}

haw_locale haw_locale_begin(void)
{
    haw_locale saved = {.made = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0)};
    saved.before = uselocale(saved.made); /* without one, this only asks */
    return saved;
}

void haw_locale_end(haw_locale saved)
{
    if (saved.made != (locale_t)0) {
        (void)uselocale(saved.before);
        freelocale(saved.made);
    }
}
