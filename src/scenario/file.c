/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of a scenario from a file or the standard input; the locale of its numbers. */
#include "scenario/file.h"

#include "scenario/locale.h"

#include <hawser/scenario.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Far above any sensible scenario or history; keeps a wrong file from filling the memory. */
enum { TEXT_MAX = 4 * 1024 * 1024, HISTORY_MAX = 64 * 1024 * 1024, CHUNK = 64 * 1024 };

/* What is read, for messages, and how large it may be. */
typedef struct source {
    const char *file, *noun;
    size_t limit;
} source;

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

static haw_status refuse(haw_context *context, const char *file, int error)
{
    char reason[128] = "unknown error";
    (void)strerror_r(error, reason, sizeof reason);
    return haw_fail(context, HAW_ERR_IO, "cannot read '%.300s': %s", file, reason);
}

/* Doubles the block while there is more to read; the text ends with a zero byte. */
static haw_status read_stream(haw_context *context, const source *from, FILE *stream, char **text,
                              size_t *bytes)
{
    size_t capacity = CHUNK;
    char *data = haw_allocate(context, capacity, 1);
    *bytes = 0;
    while (data != NULL) {
        *bytes += fread(data + *bytes, 1, capacity - *bytes - 1, stream);
        if (ferror(stream)) {
            const int error = errno;
            haw_release(context, data);
            return refuse(context, from->file, error);
        }
        if (*bytes > from->limit) {
            haw_release(context, data);
            return haw_fail(context, HAW_ERR_INPUT, "'%.300s' is no %s: larger than %zu MiB",
                            from->file, from->noun, from->limit / (1024 * 1024));
        }
        if (*bytes + 1 < capacity) {
            data[*bytes] = '\0';
            *text = data;
            return HAW_OK;
        }
        char *larger = haw_allocate(context, 2 * capacity, 1);
        if (larger != NULL) {
            memcpy(larger, data, *bytes);
        }
        haw_release(context, data);
        data = larger;
        capacity *= 2;
    }
    return HAW_ERR_NOMEM;
}

static haw_status read_file(haw_context *context, const source *from, char **text, size_t *bytes)
{
    FILE *stream = fopen(from->file, "rb");
    if (stream == NULL) {
        return refuse(context, from->file, errno);
    }
    const haw_status status = read_stream(context, from, stream, text, bytes);
    (void)fclose(stream);
    return status;
}

/* Takes the text of `from` only if it is one without zero bytes. */
static haw_status check_text(haw_context *context, const source *from, size_t bytes, char **text)
{
    if (*text == NULL || strlen(*text) == bytes) {
        return HAW_OK;
    }
    haw_release(context, *text);
    *text = NULL;
    return haw_fail(context, HAW_ERR_INPUT, "'%.300s' is no text file: it has zero bytes",
                    from->file);
}

haw_status haw_file_history(haw_context *context, const char *file, char **text)
{
    const source from = {.file = file, .noun = "history", .limit = HISTORY_MAX};
    size_t bytes = 0;
    *text = NULL;
    HAW_TRY(read_file(context, &from, text, &bytes));
    return check_text(context, &from, bytes, text);
}

haw_status haw_scenario_read(haw_context *context, const char *file, int sets,
                             const char *const *set, haw_scenario **scenario)
{
    const source from = {.file = file, .noun = "scenario", .limit = TEXT_MAX};
    char *text = NULL;
    size_t bytes = 0;
    *scenario = NULL;
    if (strcmp(file, "-") == 0) {
        HAW_TRY(read_stream(context, &from, stdin, &text, &bytes));
    } else {
        HAW_TRY(read_file(context, &from, &text, &bytes));
    }
    HAW_TRY(check_text(context, &from, bytes, &text));
    const haw_status status = haw_scenario_parse(context, file, text, sets, set, scenario);
    haw_release(context, text);
    return status;
}
