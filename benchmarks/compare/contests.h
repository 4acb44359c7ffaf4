/* SPDX-License-Identifier: BSD-3-Clause */
/* The problems of the comparison, made one at a time. */
#ifndef HAWSER_COMPARE_CONTESTS_H
#define HAWSER_COMPARE_CONTESTS_H

#include "bench/winding.h"
#include "contestant.h"

enum { TINY_CONTACTS = 5 };

typedef enum contest_set {
    SET_SPACE, /* windings in space */
    SET_PLANE, /* windings in the plane */
    SET_TINY   /* files with at most TINY_CONTACTS contacts */
} contest_set;

typedef struct entry {
    contest_set set;
    haw_winding winding; /* nodes = 0: a file */
    contest contest;
    haw_problem *problem, *reduced; /* owned */
} entry;

/** The contestant has a place in the table of this set, for problems of this dimension. */
bool contest_set_has(contest_set set, int dimension, const contestant *who);

haw_status entry_wind(haw_context *context, const haw_winding *winding, entry *e);

/** @return HAW_OK with e->problem NULL if the problem is not tiny */
haw_status entry_read(haw_context *context, const char *folder, const char *file, entry *e);

void entry_free(haw_context *context, entry *e);

#endif
