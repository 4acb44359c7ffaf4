/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/validation.h"

/* Cut the next comma-separated field off a line; no field of the table contains a comma. */
static char *haw_validation_field(char **line)
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

bool haw_validation(const char *name, const char *quantity, double *reference, double *tolerance)
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
