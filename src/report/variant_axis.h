/* SPDX-License-Identifier: BSD-3-Clause */
/* The ways that one text of variants offers, before they are multiplied with those of the others.
 */
#ifndef HAWSER_REPORT_VARIANT_AXIS_H
#define HAWSER_REPORT_VARIANT_AXIS_H

#include "base/arena.h"

typedef struct haw_choice {
    const char *name;
    int sets;
    const char **set; /* [sets] path=value */
    double value;     /* NAN: no number */
} haw_choice;

typedef struct haw_axis {
    const char *text;
    const char *path; /* of a list of values, NULL for named variants */
    int choices;
    haw_choice *choice;
} haw_axis;

/** Read a text of either form. @return ERR_INPUT with one line; ERR_NOMEM */
HAW_NODISCARD haw_status haw_axis_read(haw_arena *arena, const char *text, haw_axis *axis);

/** Read one named variant. */
HAW_NODISCARD haw_status haw_choice_read(haw_arena *arena, const char *text, haw_choice *choice);

/** Three texts as one from the arena, NULL without memory. */
char *haw_axis_join(haw_arena *arena, const char *a, const char *between, const char *b);

#endif
