/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/csv.h"

double csv_at(const csv_table *table, int row, int column)
{
    return table->value[(size_t)row * (size_t)table->columns + (size_t)column];
}

int csv_column(const csv_table *table, const char *name)
{
    char header[1024];
    memcpy(header, table->header, sizeof header);
    int column = 0;
    for (char *word = strtok(header, ",\n"); word != NULL; word = strtok(NULL, ",\n"), column++) {
        if (strcmp(word, name) == 0) {
            return column;
        }
    }
    fail_msg("no column %s", name);
    return -1;
}

static void csv_add_line(csv_table *table, char *line)
{
    const size_t columns = (size_t)table->columns, row = (size_t)table->rows;
    table->value = realloc(table->value, (row + 1) * columns * sizeof(double));
    assert_non_null(table->value);
    for (size_t i = 0; i < columns; i++) {
        table->value[row * columns + i] = strtod(line, &line);
        line += *line == ',';
    }
    table->rows++;
}

void csv_read(const char *file, csv_table *table)
{
    char line[4096];
    FILE *stream = fopen(file, "r");
    if (stream == NULL) {
        fail_msg("cannot read %s", file);
        return;
    }
    memset(table, 0, sizeof *table);
    assert_non_null(fgets(table->header, sizeof table->header, stream));
    table->columns = 1;
    for (const char *p = table->header; *p != '\0'; p++) {
        table->columns += *p == ',';
    }
    while (fgets(line, sizeof line, stream) != NULL) {
        csv_add_line(table, line);
    }
    fclose(stream);
}

void csv_free(csv_table *table)
{
    free(table->value);
    table->value = NULL;
}
