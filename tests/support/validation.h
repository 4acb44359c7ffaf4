/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference and tolerance of a checked figure, from the one table data/validation.csv. */
#ifndef HAWSER_TESTS_VALIDATION_H
#define HAWSER_TESTS_VALIDATION_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cut the next comma-separated field off a line; no field of the table contains a comma. */
static inline char *haw_validation_field(char **line)
{
    char *field = *line;
    char *comma = strchr(field, ',');

    if (comma != NULL) {
        *comma = '\0';
        *line = comma + 1;
    } else {
        *line = field + strlen(field);
    }
    return field;
}

/**
 * Look a figure up; the tests run in the folder that holds data/.
 *
 * @param reference  out, in the unit of the row
 * @param tolerance  out, relative or absolute as the row's `kind` says
 * @return           false if the table has no such row
 */
static inline bool haw_validation(const char *name, const char *quantity, double *reference,
                                  double *tolerance)
{
    char text[1024];
    bool found = false;
    FILE *file = fopen("data/validation.csv", "r");

    while (file != NULL && !found && fgets(text, sizeof text, file) != NULL) {
        char *rest = text;
        const bool is_case = strcmp(haw_validation_field(&rest), name) == 0;
        const bool is_quantity = strcmp(haw_validation_field(&rest), quantity) == 0;

        found = is_case && is_quantity;
        *reference = strtod(haw_validation_field(&rest), NULL);
        (void)haw_validation_field(&rest); /* unit */
        *tolerance = strtod(haw_validation_field(&rest), NULL);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return found;
}

#endif
