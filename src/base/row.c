/* SPDX-License-Identifier: BSD-3-Clause */
/* What all tables share: counting rows, finding one by its name, saying that there is none. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 256 };

int haw_row_count(const haw_row *const *table)
{
    int count = 0;
    while (table[count] != NULL) {
        count++;
    }
    return count;
}

const haw_row *haw_row_find(const haw_row *const *table, const char *name)
{
    for (int i = 0; name != NULL && table[i] != NULL; i++) {
        if (strcmp(table[i]->name, name) == 0) {
            return table[i];
        }
    }
    return NULL;
}

const char *haw_row_nearest(const haw_row *const *table, const char *name)
{
    const char *best = NULL;
    for (int i = 0; table[i] != NULL; i++) {
        const char *const either[2] = {best, table[i]->name};
        best = haw_nearest(name, 2, either);
    }
    return best;
}

haw_status haw_row_unknown(haw_context *context, const haw_row *const *table, const char *name,
                           const char *format, ...)
{
    char what[TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const char *nearest = haw_row_nearest(table, name);
    if (nearest == NULL) {
        return haw_fail(context, HAW_ERR_INPUT, "%s '%s'", what, name != NULL ? name : "");
    }
    return haw_fail(context, HAW_ERR_INPUT, "%s '%s'; did you mean '%s'?", what, name, nearest);
}
