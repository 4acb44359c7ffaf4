/* SPDX-License-Identifier: BSD-3-Clause */
/* F of the grammar: a number, a table over time, or a column of a file. */
#include "scenario/grammar.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 64, COLUMNS_MAX = 4, FILE_COLUMNS_MAX = 1000 };

static const char *const ramp_names[] = {"linear", "cosine", "smoothstep", "cycloid", NULL};

/* ---- {table: [[t, v], ...], ramp: ...} ---- */

/* A table, or a column of numbers over the first column of a file. */
typedef struct function_entry {
    const char *csv; /* as seen from the file of the scenario */
    int column;      /* from 1, the time */
    int ramp;        /* haw_ramp */
} function_entry;

#define AT(field) offsetof(function_entry, field)
#define RAMP                                                                                       \
    {                                                                                              \
        "ramp", HAW_OPTION_CHOICE, AT(ramp), HAW_RAMP_LINEAR, 0.0, 0.0, "",                        \
            "interpolation between the rows", ramp_names                                           \
    }
static const haw_option ramp_options[] = {RAMP, {0}};
static const haw_option csv_options[] = {
    {"csv", HAW_OPTION_STRING, AT(csv), 0.0, 0.0, 0.0, "",
     "text file of numbers, relative to the scenario file; the first column is the time, columns "
     "are separated by commas, semicolons or blanks (one of them in a line), and one line may name "
     "them",
     NULL, HAW_KEY_REQUIRED},
    {"column", HAW_OPTION_INT, AT(column), 2.0, 2.0, FILE_COLUMNS_MAX, "",
     "column of the values; the time is column 1", NULL},
    RAMP,
    {0}};
#undef RAMP
#undef AT

/* Read where the columns are known. */
static const haw_form rows_form = {
    .schema = "\"type\": \"array\", \"minItems\": 2, \"items\": {\"type\": \"array\", "
              "\"minItems\": 2, \"maxItems\": 4, \"items\": {\"type\": \"number\"}}",
    .word = "table"};

static const haw_key table_keys[] = {
    {"table", &rows_form, .flags = HAW_KEY_REQUIRED,
     .help = "rows [t, value], [t, vx, vy] or [t, vx, vy, vz]; the end values hold outside"},
    {.of = ramp_options},
    {NULL},
};
static const haw_mapping table_mapping = {"a function of time", table_keys, .name = "function"};

/* Columns of a table [count]: an argument that ascends, then values. */
typedef struct columns {
    const char *argument; /* what the first column is, in the plural */
    int count, rows;
    double *column[COLUMNS_MAX];
} columns;

static bool read_rows(haw_reader *reader, const haw_yaml_node *table, const columns *into)
{
    bool good = true;
    int i = 0;
    for (const haw_yaml_node *row = table->first; row != NULL; row = row->next, ++i) {
        double value[COLUMNS_MAX] = {0};
        const bool read = haw_read_numbers(reader, row, "row of a table", into->count, value);
        for (int c = 0; c < into->count; ++c) {
            into->column[c][i] = value[c];
        }
        const double *t = into->column[0];
        if (read && good && i > 0 && !(t[i] > t[i - 1])) {
            haw_read_error(reader, row, "%s of a table must ascend (got %g after %g)",
                           into->argument, t[i], t[i - 1]);
            good = false;
        }
        good = good && read;
    }
    return good && i == into->rows;
}

/* A list of at least `least` rows; false after an error. */
static bool read_table(haw_reader *reader, const haw_yaml_node *table, int least, columns *into)
{
    if (table->count < least) {
        haw_read_error(reader, table, "a table needs at least %d rows (got %d)", least,
                       table->count);
        return false;
    }
    into->rows = table->count;
    for (int c = 0; c < into->count; ++c) {
        into->column[c] = haw_read_allocate(reader, table->count, sizeof(double));
        if (into->column[c] == NULL) {
            return false;
        }
    }
    return read_rows(reader, table, into);
}

static void read_mapping(haw_reader *reader, const haw_yaml_node *mapping, int functions,
                         haw_function *function)
{
    if (haw_yaml_get(mapping, "csv") != NULL && functions == 1) {
        haw_read_csv(reader, mapping, function);
        return;
    }
    char owner[TEXT_SIZE];
    function_entry entry = {.ramp = HAW_RAMP_LINEAR};
    (void)snprintf(owner, sizeof owner, "'%s'", reader->key->key);
    haw_mapping owned = table_mapping;
    owned.owner = owner;
    haw_read_mapping(reader, mapping, &owned, &entry);
    const haw_yaml_node *table = haw_yaml_get(mapping, "table");
    if (table == NULL) {
        return;
    }
    columns read = {.argument = "times", .count = functions + 1};
    if (!haw_read_kind(reader, table, "table", HAW_YAML_LIST) ||
        !read_table(reader, table, 2, &read)) {
        return;
    }
    for (int f = 0; f < functions; ++f) {
        function[f] = (haw_function){.count = read.rows,
                                     .time = read.column[0],
                                     .value = read.column[f + 1],
                                     .ramp = (haw_ramp)entry.ramp};
    }
}

void haw_read_function(haw_reader *reader, const haw_yaml_node *node, void *function)
{
    if (node->kind == HAW_YAML_MAPPING) {
        read_mapping(reader, node, 1, function);
    } else {
        double *constant = &((haw_function *)function)->constant;
        (void)haw_read_number(reader, node, reader->key->key, constant);
    }
}

void haw_read_functions(haw_reader *reader, const haw_yaml_node *node, void *functions)
{
    haw_function *function = functions;
    const int count = haw_read_dimension(reader);
    if (node->kind == HAW_YAML_MAPPING) {
        read_mapping(reader, node, count, function);
        return;
    }
    if (node->kind != HAW_YAML_LIST || node->count != count) {
        char text[TEXT_SIZE];
        haw_read_error(reader, node, "'%s' must be a list of %d functions of time (got %s)",
                       reader->key->key, count, haw_yaml_describe(node, sizeof text, text));
        return;
    }
    for (const haw_yaml_node *item = node->first; item != NULL; item = item->next) {
        haw_read_function(reader, item, function++);
    }
}

void haw_read_curve(haw_reader *reader, const haw_yaml_node *node, const char *what, int least,
                    haw_function *function)
{
    columns read = {.argument = what, .count = 2};
    if (read_table(reader, node, least, &read)) {
        *function =
            (haw_function){.count = read.rows, .time = read.column[0], .value = read.column[1]};
    }
}

void haw_resolve_table(haw_resolve *out, const haw_function *function)
{
    haw_text_add(&out->text, "[");
    for (int i = 0; i < function->count; ++i) {
        const double row[2] = {function->time[i], function->value[i]};
        haw_text_add(&out->text, "%s", i > 0 ? ", " : "");
        haw_resolve_numbers(out, 2, row);
    }
    haw_text_add(&out->text, "]");
}

void haw_resolve_function(haw_resolve *out, const void *value)
{
    const haw_function *function = value;
    if (function->count == 0) {
        haw_text_number(&out->text, function->constant);
        return;
    }
    haw_text_add(&out->text, "{table: ");
    haw_resolve_table(out, function);
    haw_text_add(&out->text, ", ramp: %s}", ramp_names[function->ramp]);
}

void haw_resolve_functions(haw_resolve *out, const void *functions)
{
    const haw_function *function = functions;
    for (int i = 0; i < out->dimension; ++i) {
        haw_text_add(&out->text, "%s", i > 0 ? ", " : "[");
        haw_resolve_function(out, &function[i]);
    }
    haw_text_add(&out->text, "]");
}

/* ---- {csv: file, column: k, ramp: ...} ---- */

static const haw_key csv_keys[] = {{.of = csv_options}, {NULL}};
static const haw_mapping csv_mapping = {"a function of time", csv_keys, .name = "history"};

/* The times of a history ascend. */
static bool ascends(const haw_rows *rows)
{
    for (int i = 1; i < rows->count; ++i) {
        const double t = rows->value[2 * i], before = rows->value[2 * i - 2];
        if (!(t > before)) {
            haw_yaml_error(&rows->reader->yaml, rows->node,
                           "'%.150s' line %d: times must ascend (got %g after %g)", rows->path,
                           rows->line[i], t, before);
            return false;
        }
    }
    return true;
}

void haw_read_csv(haw_reader *reader, const haw_yaml_node *node, haw_function *function)
{
    const int errors = reader->yaml.errors;
    function_entry entry;
    haw_options_init(csv_options, &entry);
    haw_read_mapping(reader, node, &csv_mapping, &entry);
    if (entry.csv == NULL || reader->yaml.errors > errors) {
        return;
    }
    const haw_yaml_node *place = haw_yaml_get(node, "csv");
    haw_rows rows = {.columns = 2, .least = 2, .column = {1, entry.column}};
    if (!haw_read_rows(reader, place, entry.csv, &rows) || !ascends(&rows)) {
        return;
    }
    if (rows.count < 2) {
        haw_read_error(reader, place, "a table needs at least 2 rows (got %d)", rows.count);
    }
    double *time = haw_read_allocate(reader, rows.count, sizeof *time);
    double *value = haw_read_allocate(reader, rows.count, sizeof *value);
    for (int i = 0; i < rows.count && time != NULL && value != NULL; ++i) {
        time[i] = rows.value[2 * i];
        value[i] = rows.value[2 * i + 1];
    }
    *function = (haw_function){
        .count = rows.count, .time = time, .value = value, .ramp = (haw_ramp)entry.ramp};
}

/* ---- forms ---- */

const haw_form haw_form_function = {haw_read_function, haw_resolve_function,
                                    .schema = "\"$ref\": \"#/$defs/function\"", .word = "function",
                                    .inner = {&table_mapping, &csv_mapping}};
const haw_form haw_form_functions = {haw_read_functions, haw_resolve_functions,
                                     .schema = "\"$ref\": \"#/$defs/vector\"", .word = "functions",
                                     .inner = {&table_mapping, &csv_mapping}};

void haw_define_functions(haw_text *text)
{
    haw_text_add(text, "    \"function\": {\"if\": {\"type\": \"object\"}, \"then\": {\"if\": "
                       "{\"required\": [\"csv\"]}, \"then\": {\"$ref\": \"#/$defs/history\"}, "
                       "\"else\": {\"$ref\": \"#/$defs/table\"}}, \"else\": {\"type\": "
                       "\"number\"}},\n    \"table\": {");
    haw_describe_mapping(text, &table_mapping);
    haw_text_add(text, "},\n    \"history\": {");
    haw_describe_mapping(text, &csv_mapping);
    haw_text_add(text, "},\n"
                       "    \"vector\": {\"if\": {\"type\": \"object\"}, \"then\": {\"$ref\": "
                       "\"#/$defs/table\"}, \"else\": {\"type\": \"array\", \"minItems\": 2, "
                       "\"maxItems\": 3, \"items\": {\"$ref\": \"#/$defs/function\"}}},\n");
}
