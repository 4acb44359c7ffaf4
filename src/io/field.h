/* SPDX-License-Identifier: BSD-3-Clause */
/* Which members of a frame go into the results, with their units: one row each. */
#ifndef HAWSER_IO_FIELD_H
#define HAWSER_IO_FIELD_H

#include <hawser/stepper.h>

typedef enum haw_field_type { HAW_FIELD_REAL, HAW_FIELD_INT, HAW_FIELD_LONG } haw_field_type;

typedef struct haw_field {
    const char *name, *unit;
    size_t offset; /* bytes into the struct */
    haw_field_type type;
    int count;        /* numbers, more than one for an array */
    const int *index; /* [count] which of the array; NULL: the first ones */
    const char *json; /* its key in --json; NULL: the name */
} haw_field;

/* Rows of a table for a struct: in full, and of one number without a unit. */
#define HAW_FIELD_ROW(name, unit, kind, type, member, count, index)                                \
    {                                                                                              \
        name, unit, offsetof(type, member), HAW_FIELD_##kind, count, index                         \
    }
#define HAW_FIELD_NAMED(name, kind, type, member)                                                  \
    HAW_FIELD_ROW(name, "", kind, type, member, 1, NULL)
#define HAW_FIELD_OF(kind, type, member) HAW_FIELD_NAMED(#member, kind, type, member)
#define HAW_FIELDS_END                                                                             \
    {                                                                                              \
        NULL, NULL, 0, HAW_FIELD_REAL, 0, NULL                                                     \
    }

/* Each ends with a row whose name is NULL. */
extern const haw_field haw_ledger_fields[];
extern const haw_field haw_certificate_fields[];
extern const haw_field haw_summary_fields[]; /* without ledger and certificate */

const haw_field *haw_pair_fields_of(int dimension);

/** One number of a field of `object`. */
double haw_field_value(const haw_field *field, const void *object, int number);

#endif
