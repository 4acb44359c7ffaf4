/* SPDX-License-Identifier: BSD-3-Clause */
/* F of the grammar: a number, a table over time, or a column of a file. */
#include "scenario/reader.h"

enum { TEXT_SIZE = 64, COLUMNS_MAX = 4 };

const char *const haw_ramp_names[] = {"linear", "cosine", "smoothstep", "cycloid", NULL};

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
            haw_yaml_error(&reader->yaml, row, "%s of a table must ascend (got %g after %g)",
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
        haw_yaml_error(&reader->yaml, table, "a table needs at least %d rows (got %d)", least,
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

static void read_mapping(haw_reader *reader, const haw_yaml_node *mapping, const char *what,
                         int functions, haw_function *function)
{
    static const char *const keys[] = {"table", "ramp", NULL};
    if (haw_yaml_get(mapping, "csv") != NULL && functions == 1) {
        haw_read_csv(reader, mapping, function);
        return;
    }
    haw_read_keys(reader, mapping, "a function of time", keys);
    const haw_yaml_node *table = haw_yaml_get(mapping, "table");
    const haw_yaml_node *ramp = haw_yaml_get(mapping, "ramp");
    const int shape = ramp != NULL ? haw_read_word(reader, ramp, "ramp", haw_ramp_names) : 0;
    if (table == NULL) {
        haw_yaml_error(&reader->yaml, mapping, "missing required key 'table' in '%s'", what);
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
                                     .ramp = (haw_ramp)(shape > 0 ? shape : 0)};
    }
}

void haw_read_function(haw_reader *reader, const haw_yaml_node *node, const char *what,
                       haw_function *function)
{
    if (node->kind == HAW_YAML_MAPPING) {
        read_mapping(reader, node, what, 1, function);
        return;
    }
    (void)haw_read_number(reader, node, what, &function->constant);
}

void haw_read_functions(haw_reader *reader, const haw_yaml_node *node, const char *what,
                        haw_function function[3])
{
    const int count = haw_read_dimension(reader);
    if (node->kind == HAW_YAML_MAPPING) {
        read_mapping(reader, node, what, count, function);
        return;
    }
    if (node->kind != HAW_YAML_LIST || node->count != count) {
        char text[TEXT_SIZE];
        haw_yaml_error(&reader->yaml, node, "'%s' must be a list of %d functions of time (got %s)",
                       what, count, haw_yaml_describe(node, sizeof text, text));
        return;
    }
    const haw_yaml_node *item = node->first;
    for (int i = 0; i < count; ++i, item = item->next) {
        haw_read_function(reader, item, what, &function[i]);
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
