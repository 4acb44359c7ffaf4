/* SPDX-License-Identifier: BSD-3-Clause */
/* A function of time from a column of a text file: measured histories. */
#include "scenario/file.h"
#include "scenario/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELD_SIZE = 64, PATH_SIZE = 1024, COLUMNS_MAX = 1000 };

#define AT(field) offsetof(haw_csv_entry, field)
const haw_option haw_csv_options[] = {
    {"csv", HAW_OPTION_STRING, AT(csv), 0.0, 0.0, 0.0, "",
     "text file of numbers, as seen from the scenario file; the first column is the time, columns "
     "are parted by commas, semicolons or blanks, one line may name them",
     NULL, HAW_KEY_REQUIRED},
    {"column", HAW_OPTION_INT, AT(column), 2.0, 2.0, COLUMNS_MAX, "",
     "column of the values; the time is column 1", NULL},
    {"ramp", HAW_OPTION_CHOICE, AT(ramp), HAW_RAMP_LINEAR, 0.0, 0.0, "", "course between the rows",
     haw_ramp_names},
    {0}};
#undef AT

/* The rows read so far. */
typedef struct history {
    haw_reader *reader;
    const haw_yaml_node *node;
    const char *file;
    int column, rows;
    bool has_header;
    double *time, *value;
} history;

/* A path of the scenario file's own folder, unless it is absolute. */
static void locate(const haw_reader *reader, const char *file, char path[PATH_SIZE])
{
    const char *scenario = reader->scenario->file;
    const char *slash = strrchr(scenario, '/');
    const int folder = slash != NULL && file[0] != '/' ? (int)(slash - scenario) + 1 : 0;
    (void)snprintf(path, PATH_SIZE, "%.*s%s", folder, scenario, file);
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

static bool read_field(const history *h, const char *line, int number, int k, double *value)
{
    haw_yaml *yaml = &h->reader->yaml;
    char field[FIELD_SIZE] = "";
    if (!find_field(line, k, field)) {
        haw_yaml_error(yaml, h->node, "'%.150s' line %d has no column %d", h->file, number, k);
        return false;
    }
    *value = haw_read_is_number(field) ? strtod(field, NULL) : (double)NAN;
    if (!isfinite(*value)) {
        haw_yaml_error(yaml, h->node,
                       "'%.150s' line %d: column %d must be a finite number (got '%.40s')", h->file,
                       number, k, field);
        return false;
    }
    return true;
}

static bool is_skipped(history *h, const char *line)
{
    char field[FIELD_SIZE];
    const char first = line[strspn(line, " \t\r")];
    if (first == '\0' || first == '#') {
        return true;
    }
    if (h->rows > 0 || h->has_header) {
        return false;
    }
    h->has_header = !find_field(line, 1, field) || !haw_read_is_number(field);
    return h->has_header;
}

static bool read_line(history *h, const char *line, int number)
{
    double t = 0, value = 0;
    if (is_skipped(h, line)) {
        return true;
    }
    if (!read_field(h, line, number, 1, &t) || !read_field(h, line, number, h->column, &value)) {
        return false;
    }
    if (h->rows > 0 && !(t > h->time[h->rows - 1])) {
        haw_yaml_error(&h->reader->yaml, h->node,
                       "'%.150s' line %d: times must ascend (got %g after %g)", h->file, number, t,
                       h->time[h->rows - 1]);
        return false;
    }
    h->time[h->rows] = t;
    h->value[h->rows++] = value;
    return true;
}

static int count_lines(const char *text)
{
    int lines = 1;
    for (; *text != '\0'; ++text) {
        lines += *text == '\n' ? 1 : 0;
    }
    return lines;
}

static bool read_lines(history *h, char *text)
{
    const int lines = count_lines(text);
    h->time = haw_read_allocate(h->reader, lines, sizeof(double));
    h->value = haw_read_allocate(h->reader, lines, sizeof(double));
    char *line = text;
    for (int number = 1; h->value != NULL && h->time != NULL && number <= lines; ++number) {
        char *end = line + strcspn(line, "\n");
        *end = '\0';
        if (!read_line(h, line, number)) {
            return false;
        }
        line = end + 1;
    }
    return h->value != NULL && h->time != NULL;
}

/* A file that is not there has an exit code of its own. */
static char *load(haw_reader *reader, const haw_yaml_node *node, const char *path)
{
    haw_context *context = reader->yaml.context;
    char *text = NULL;
    const haw_status status = haw_file_history(context, path, &text);
    if (status == HAW_ERR_NOMEM) {
        reader->yaml.status = status;
    } else if (status != HAW_OK) {
        reader->yaml.file_missing = reader->yaml.file_missing || status == HAW_ERR_IO;
        haw_yaml_error(&reader->yaml, node, "%s", haw_context_message(context));
    }
    return text;
}

void haw_read_csv(haw_reader *reader, const haw_yaml_node *node, haw_function *function)
{
    static const haw_grammar grammar = {"a function of time", haw_csv_options, NULL, NULL};
    const int errors = reader->yaml.errors;
    haw_csv_entry entry;
    char path[PATH_SIZE];
    haw_options_init(haw_csv_options, &entry);
    haw_read_options(reader, node, &grammar, &entry);
    if (entry.csv == NULL || reader->yaml.errors > errors) {
        return;
    }
    locate(reader, entry.csv, path);
    const haw_yaml_node *place = haw_yaml_get(node, "csv");
    char *text = load(reader, place, path);
    history h = {.reader = reader, .node = place, .file = path, .column = entry.column};
    if (text == NULL || !read_lines(&h, text)) {
        haw_release(reader->yaml.context, text);
        return;
    }
    if (h.rows < 2) {
        haw_yaml_error(&reader->yaml, place, "a table needs at least 2 rows (got %d)", h.rows);
    } else {
        *function = (haw_function){
            .count = h.rows, .time = h.time, .value = h.value, .ramp = (haw_ramp)entry.ramp};
    }
    haw_release(reader->yaml.context, text);
}
