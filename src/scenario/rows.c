/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of a text file: columns separated by commas, semicolons or blanks, one line that may name
 * them, comments behind #. */
#include "scenario/grammar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELD_SIZE = 64 };

/* A path of the scenario file's own folder, unless it is absolute. */
static char *locate(haw_reader *reader, const char *file)
{
    const char *scenario = reader->scenario->file;
    const char *slash = strrchr(scenario, '/');
    const int folder = slash != NULL && file[0] != '/' ? (int)(slash - scenario) + 1 : 0;
    const size_t bytes = (size_t)folder + strlen(file) + 1;
    char *path = haw_arena_allocate(reader->arena, bytes, 1);
    if (path == NULL) {
        reader->yaml.status = HAW_ERR_NOMEM;
        return NULL;
    }
    (void)snprintf(path, bytes, "%.*s%s", folder, scenario, file);
    return path;
}

/* Field k of a line, from 1; false if there are not so many. */
static bool find_field(const char *line, int k, char field[FIELD_SIZE])
{
    static const char blanks[] = " \t", ends[] = ",; \t\r";
    for (;; --k) {
        line += strspn(line, blanks);
        const size_t length = strcspn(line, ends);
        if (k == 1) {
            (void)snprintf(field, FIELD_SIZE, "%.*s", (int)length, line);
            return length > 0;
        }
        line += length;
        line += strspn(line, blanks);
        line += *line == ',' || *line == ';' ? 1 : 0;
        if (*line == '\0' || *line == '\r') {
            return false;
        }
    }
}

static bool read_field(haw_rows *rows, const char *line, int number, int k, double *value)
{
    haw_yaml *yaml = &rows->reader->yaml;
    char field[FIELD_SIZE] = "";
    if (!find_field(line, k, field)) {
        haw_yaml_error(yaml, rows->node, "'%.150s' line %d has no column %d", rows->path, number,
                       k);
        return false;
    }
    *value = haw_read_is_number(field) ? strtod(field, NULL) : (double)NAN;
    if (!isfinite(*value)) {
        haw_yaml_error(yaml, rows->node,
                       "'%.150s' line %d: column %d must be a finite number (got '%.40s')",
                       rows->path, number, k, field);
        return false;
    }
    return true;
}

static bool is_skipped(haw_rows *rows, const char *line)
{
    char field[FIELD_SIZE];
    const char first = line[strspn(line, " \t\r")];
    if (first == '\0' || first == '#') {
        return true;
    }
    if (rows->count > 0 || rows->has_header) {
        return false;
    }
    char *end = field;
    const bool is_empty = !find_field(line, 1, field);
    (void)strtod(field, &end); /* nan, inf and 1e999 are no names */
    rows->has_header = is_empty || end == field || *end != '\0';
    return rows->has_header;
}

/* Kinds of separators in a line: commas, semicolons, and blanks that stand alone between columns.
 */
static int count_separators(const char *line)
{
    const char *end = line + strcspn(line, "#\r");
    bool has[3] = {false, false, false};
    while (end > line && strchr(" \t", end[-1]) != NULL) {
        --end;
    }
    line += strspn(line, " \t");
    while (line < end) {
        line += strcspn(line, ",; \t");
        const char *mark = line + strspn(line, " \t");
        if (line < end) {
            has[*mark == ',' ? 0 : *mark == ';' ? 1 : 2] = true;
            line = mark + (*mark == ',' || *mark == ';' ? 1 : 0);
            line += strspn(line, " \t");
        }
    }
    return has[0] + has[1] + has[2];
}

/* Two of them: numbers with a decimal comma, which would be two columns each. */
static bool has_decimal_commas(haw_rows *rows, const char *line, int number)
{
    if (count_separators(line) <= 1) {
        return false;
    }
    haw_yaml_error(&rows->reader->yaml, rows->node,
                   "'%.150s' line %d has two of commas, semicolons and blanks between its columns: "
                   "one of them separates all, and numbers have a decimal point",
                   rows->path, number);
    return true;
}

/* The first row says whether the columns that may be missing are there. */
static bool read_line(haw_rows *rows, const char *line, int number)
{
    char field[FIELD_SIZE];
    if (is_skipped(rows, line)) {
        return true;
    }
    if (has_decimal_commas(rows, line, number)) {
        return false;
    }
    while (rows->count == 0 && rows->columns > rows->least &&
           !find_field(line, rows->column[rows->columns - 1], field)) {
        --rows->columns;
    }
    double *value = rows->value + (ptrdiff_t)rows->columns * rows->count;
    for (int c = 0; c < rows->columns; ++c) {
        if (!read_field(rows, line, number, rows->column[c], &value[c])) {
            return false;
        }
    }
    rows->line[rows->count++] = number;
    return true;
}

/* No more rows than lines. */
static bool read_lines(haw_rows *rows, char *text)
{
    int lines = 1, number = 1;
    for (const char *s = text; *s != '\0'; ++s) {
        lines += *s == '\n' ? 1 : 0;
    }
    rows->value =
        haw_read_allocate(rows->reader, lines, (size_t)rows->columns * sizeof *rows->value);
    rows->line = haw_read_allocate(rows->reader, lines, sizeof *rows->line);
    bool good = rows->value != NULL && rows->line != NULL;
    const bool has_mark = strncmp(text, "\xEF\xBB\xBF", 3) == 0; /* of UTF-8, as spreadsheets do */
    for (char *line = text + (has_mark ? 3 : 0); good && number <= lines; ++number) {
        char *end = line + strcspn(line, "\n");
        *end = '\0';
        good = read_line(rows, line, number);
        line = end + 1;
    }
    return good;
}

/* A missing file has its own exit code. */
static char *load(haw_reader *reader, const haw_yaml_node *node, const char *path)
{
    haw_context *context = reader->yaml.context;
    char *text = NULL;
    const haw_status status = haw_file_history(context, path, &text);
    if (status == HAW_ERR_NOMEM) {
        reader->yaml.status = status;
    } else if (status != HAW_OK) {
        reader->yaml.file_missing = reader->yaml.file_missing || status == HAW_ERR_IO;
        haw_read_error(reader, node, "%s", haw_context_message(context));
    }
    return text;
}

bool haw_read_rows(haw_reader *reader, const haw_yaml_node *node, const char *file, haw_rows *rows)
{
    rows->reader = reader;
    rows->node = node;
    rows->path = locate(reader, file);
    char *text = rows->path != NULL ? load(reader, node, rows->path) : NULL;
    const bool good = text != NULL && read_lines(rows, text);
    haw_release(reader->yaml.context, text);
    return good;
}
