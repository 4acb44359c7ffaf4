/* SPDX-License-Identifier: BSD-3-Clause */
/* Error messages in the form of compilers: place, text, source line, caret. */
#include "scenario/yaml.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A message with its source and caret lines must fit into the 1024 bytes of a log line. */
enum {
    ERRORS_MAX = 50,
    WINDOW = 120,
    OPEN_MAX = 1000,
    EXCERPT_MAX = 4 * WINDOW,
    MESSAGE_MAX = 320
};

static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xC0U) == 0x80U;
}

/* Start of a line of the text, counted from 1; its length without the line's end. */
static const char *find_line(const char *text, int line, size_t *length)
{
    for (int i = 1; i < line; ++i) {
        const char *end = strchr(text, '\n');
        if (end == NULL) {
            break;
        }
        text = end + 1;
    }
    *length = strcspn(text, "\r\n");
    return text;
}

/* Bytes of the first `characters` characters of a line of `length` bytes. */
static size_t skip_characters(const char *line, size_t length, int characters)
{
    size_t i = 0;
    while (i < length && (characters > 0 || is_continuation(line[i]))) {
        characters -= is_continuation(line[i]) ? 0 : 1;
        ++i;
    }
    return i;
}

/* The line, or the part of it around the place, with `^~~~` below; nothing for an empty line. */
static void write_excerpt(const haw_yaml *yaml, haw_yaml_place place, size_t size, char *excerpt)
{
    size_t length = 0;
    const char *line = find_line(yaml->text, place.line, &length);
    excerpt[0] = '\0';
    if (length == 0) {
        return;
    }
    const char *before = "", *after = "";
    if (skip_characters(line, length, WINDOW) < length) {
        const int left = place.column > WINDOW / 2 ? place.column - WINDOW / 2 : 0;
        const size_t skipped = skip_characters(line, length, left);
        line += skipped;
        length -= skipped;
        place.column -= left;
        before = left > 0 ? "..." : "";
        const size_t shown = skip_characters(line, length, WINDOW);
        after = shown < length ? "..." : "";
        length = shown;
    }
    char caret[WINDOW + 2];
    size_t used = 0;
    int column = 1;
    for (size_t i = 0; i < length && column < place.column + place.width; ++i) {
        if (is_continuation(line[i])) {
            continue;
        }
        if (column >= place.column) {
            caret[used++] = column == place.column ? '^' : '~';
        } else {
            caret[used++] = line[i] == '\t' ? '\t' : ' ';
        }
        ++column;
    }
    if (column <= place.column) { /* behind the end of the line */
        caret[used++] = '^';
    }
    caret[used] = '\0';
    (void)snprintf(excerpt, size, "\n%s%.*s%s\n%*s%s", before, (int)length, line, after,
                   (int)strlen(before), "", caret);
}

/* Counts an error; false once there are so many that more would not help. */
/* Without memory the parser says the strangest things. */
static bool count_error(haw_yaml *yaml)
{
    if (errno == ENOMEM) {
        yaml->status = HAW_ERR_NOMEM;
        return false;
    }
    ++yaml->errors;
    if (yaml->errors == ERRORS_MAX + 1) {
        haw_log(yaml->context, HAW_LOG_ERROR,
                "%s: error: more than %d errors; the rest are not shown", yaml->file,
                (int)ERRORS_MAX);
    }
    return yaml->errors <= ERRORS_MAX;
}

void haw_yaml_error_at(haw_yaml *yaml, haw_yaml_place place, const char *message)
{
    if (!count_error(yaml)) {
        return;
    }
    char excerpt[EXCERPT_MAX + WINDOW + 16];
    if (place.line <= 0) {
        haw_log(yaml->context, HAW_LOG_ERROR, "%.300s: error: %s", yaml->file, message);
        return;
    }
    if (yaml->first_line == 0) {
        yaml->first_line = place.line;
    }
    write_excerpt(yaml, place, sizeof excerpt, excerpt);
    haw_log(yaml->context, HAW_LOG_ERROR, "%.200s:%d:%d: error: %s%s", yaml->file, place.line,
            place.column, message, excerpt);
}

void haw_yaml_error_set(haw_yaml *yaml, int set, const char *format, ...)
{
    char message[MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (yaml->last[0] != '\0' && yaml->last_set == set &&
        strncmp(yaml->last, message, sizeof yaml->last - 1) == 0) {
        return;
    }
    (void)snprintf(yaml->last, sizeof yaml->last, "%.*s", (int)sizeof yaml->last - 1, message);
    yaml->last_set = set;
    if (count_error(yaml)) {
        haw_log(yaml->context, HAW_LOG_ERROR, "--set %.200s: error: %s", yaml->set[set], message);
    }
}

void haw_yaml_error(haw_yaml *yaml, const haw_yaml_node *node, const char *format, ...)
{
    char message[MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (node != NULL && node->set >= 0) {
        haw_yaml_error_set(yaml, node->set, "%s", message);
    } else if (node != NULL && yaml->errors < ERRORS_MAX) {
        haw_yaml_error_at(yaml, haw_yaml_locate(yaml, node), message);
    } else {
        haw_yaml_error_at(yaml, (haw_yaml_place){0, 0, 0}, message);
    }
}

haw_status haw_yaml_status(haw_yaml *yaml)
{
    if (yaml->status == HAW_ERR_NOMEM) { /* readers went on and may have left another message */
        return haw_fail(yaml->context, HAW_ERR_NOMEM, "out of memory");
    }
    if (yaml->status != HAW_OK || yaml->errors == 0) {
        return yaml->status;
    }
    const haw_status status = yaml->file_missing ? HAW_ERR_IO : HAW_ERR_INPUT;
    const char *plural = yaml->errors > 1 ? "s" : "";
    if (yaml->first_line == 0) {
        return haw_fail(yaml->context, status, "%.300s: %d error%s", yaml->file, yaml->errors,
                        plural);
    }
    return haw_fail(yaml->context, status, "%.300s: %d error%s, the first in line %d", yaml->file,
                    yaml->errors, plural, yaml->first_line);
}

/* Bytes of the UTF-8 character at s, 0 if it is none (RFC 3629, without its rarest checks). */
static size_t character_size(const unsigned char *s, size_t left)
{
    size_t size = 1;
    if (s[0] >= 0xF0U && s[0] <= 0xF4U) {
        size = 4;
    } else if (s[0] >= 0xE0U && s[0] < 0xF0U) {
        size = 3;
    } else if (s[0] >= 0xC2U && s[0] < 0xE0U) {
        size = 2;
    } else if (s[0] >= 0x80U || s[0] == 0x7FU ||
               (s[0] < 0x20U && s[0] != '\t' && s[0] != '\n' && s[0] != '\r')) {
        return 0;
    }
    for (size_t i = 1; i < size; ++i) {
        if (i >= left || !is_continuation((char)s[i])) {
            return 0;
        }
    }
    return size;
}

/* Without an excerpt: a terminal might obey it. */
static void refuse_byte(haw_yaml *yaml, haw_yaml_place place, int set, unsigned byte)
{
    if (!count_error(yaml)) {
        return;
    }
    if (set >= 0) {
        haw_log(yaml->context, HAW_LOG_ERROR, "--set number %d: error: not a text: byte 0x%02X",
                set + 1, byte);
        return;
    }
    yaml->first_line = place.line;
    haw_log(yaml->context, HAW_LOG_ERROR, "%.300s:%d:%d: error: not a text file: byte 0x%02X",
            yaml->file, place.line, place.column, byte);
}

bool haw_yaml_check_bytes(haw_yaml *yaml, const char *text, int set)
{
    haw_yaml_place place = {1, 1, 1};
    int open = 0; /* brackets; the YAML library takes 350 bytes for each before it complains */
    const size_t bytes = strlen(text);
    for (size_t i = 0; i < bytes;) {
        const unsigned char *s = (const unsigned char *)text + i;
        const size_t size = character_size(s, bytes - i);
        if (size == 0) {
            refuse_byte(yaml, place, set, s[0]);
            return false;
        }
        open += s[0] == '[' || s[0] == '{' ? 1 : 0;
        open -= s[0] == ']' || s[0] == '}' ? 1 : 0;
        if (open > OPEN_MAX) {
            if (set >= 0) {
                haw_yaml_error_set(yaml, set, "nested too deeply");
            } else {
                haw_yaml_error_at(yaml, place, "nested too deeply");
            }
            return false;
        }
        i += size;
        ++place.column;
        if (s[0] == '\n') {
            ++place.line;
            place.column = 1;
        }
    }
    return true;
}

/* ---- small questions to nodes ---- */

haw_yaml_node *haw_yaml_get(const haw_yaml_node *node, const char *key)
{
    if (node == NULL || node->kind != HAW_YAML_MAPPING) {
        return NULL;
    }
    for (haw_yaml_node *entry = node->first; entry != NULL; entry = entry->next) {
        if (strcmp(entry->key->text, key) == 0) {
            return entry;
        }
    }
    return NULL;
}

bool haw_yaml_is_null(const haw_yaml_node *node)
{
    return node->kind == HAW_YAML_SCALAR && node->plain &&
           (node->text[0] == '\0' || strcmp(node->text, "~") == 0 ||
            strcmp(node->text, "null") == 0);
}

const char *haw_yaml_describe(const haw_yaml_node *node, size_t size, char *text)
{
    if (node->kind == HAW_YAML_LIST) {
        return "a list";
    }
    if (node->kind == HAW_YAML_MAPPING) {
        return "a mapping";
    }
    if (haw_yaml_is_null(node)) {
        return "nothing";
    }
    (void)snprintf(text, size, "%s'%.40s'", node->plain ? "" : "the text ", node->text);
    return text;
}
