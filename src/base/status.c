/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts of the status codes, messages, log lines, and suggestions for misspelt names. */
#include "base/status.h"

#include "base/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define TEXT_OF(x)      #x
#define VERSION_OF(...) VERSION_JOIN(__VA_ARGS__)
#define VERSION_JOIN(major, minor, patch)                                                          \
    TEXT_OF(major)                                                                                 \
    "." TEXT_OF(minor) "." TEXT_OF(patch)

enum { WORD_MAX = 63, SUGGESTION_DISTANCE = 3 };

const char *haw_status_text(haw_status status)
{
    switch (status) {
#define STATUS_CASE(name, value, text)                                                             \
    case HAW_##name:                                                                               \
        return text;
        HAW_STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
    }
    return "unknown status";
}

const char *haw_version(void)
{
    return VERSION_OF(HAWSER_VERSION_MAJOR, HAWSER_VERSION_MINOR, HAWSER_VERSION_PATCH);
}

haw_status haw_fail(haw_context *context, haw_status status, const char *format, ...)
{
    if (context == NULL) {
        return status;
    }
    /* A caller may wrap the present message in a longer one: format aside, then copy. */
    char line[HAW_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    memcpy(context->message, line, sizeof line);
    context->place[0] = '\0';
    return status;
}

haw_status haw_place(haw_context *context, haw_status status, const char *format, ...)
{
    if (context == NULL || status == HAW_OK || context->place[0] != '\0') {
        return status;
    }
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(context->place, sizeof context->place, format, arguments);
    va_end(arguments);
    return status;
}

void haw_log(haw_context *context, haw_log_level level, const char *format, ...)
{
    if (context == NULL || context->log == NULL) {
        return;
    }
    char line[HAW_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    context->log(context->log_user, level, line);
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/*
 * Edits between two words: insert, delete, replace, swap of neighbours (optimal string alignment,
 * the restricted form of Damerau, Commun. ACM 7 (1964) 171). Three rows of the table are enough.
 */
static int edit_distance(const char *a, const char *b)
{
    const size_t n = strlen(a);
    const size_t m = strlen(b);
    if (n > WORD_MAX || m > WORD_MAX) {
        return WORD_MAX;
    }
    int row[3][WORD_MAX + 1];
    for (size_t j = 0; j <= m; ++j) {
        row[0][j] = (int)j;
    }
    for (size_t i = 1; i <= n; ++i) {
        int *now = row[i % 3];
        const int *last = row[(i + 2) % 3];
        const int *before = row[(i + 1) % 3];
        now[0] = (int)i;
        for (size_t j = 1; j <= m; ++j) {
            const int replace = last[j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0);
            now[j] = smaller(replace, smaller(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                now[j] = smaller(now[j], before[j - 2] + 1);
            }
        }
    }
    return row[n % 3][m];
}

const char *haw_nearest(const char *word, int count, const char *const *names)
{
    if (word == NULL) {
        return NULL;
    }
    /* A distance as long as the word would suggest anything for it. */
    int best = smaller(SUGGESTION_DISTANCE + 1, (int)strlen(word));
    const char *nearest = NULL;
    for (int i = 0; i < count; ++i) {
        const int distance = names[i] != NULL ? edit_distance(word, names[i]) : best;
        if (distance < best) {
            best = distance;
            nearest = names[i];
        }
    }
    return nearest;
}

const char *haw_hint(const char *word, int count, const char *const *names,
                     char hint[HAW_HINT_SIZE])
{
    const char *nearest = haw_nearest(word, count, names);
    hint[0] = '\0';
    if (nearest != NULL) {
        (void)snprintf(hint, HAW_HINT_SIZE, "; did you mean '%.100s'?", nearest);
    }
    return hint;
}
