/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What runs with what: element, stepper, law, open or closed, ends. A cell of this table is a small
 * scene of its rows, a cable and a round body about to touch it; whether the checks of the model
 * and the guard of the steppers accept that scene is the entry of the table, so that there is no
 * second list of flags.
 */
#ifndef HAWSER_BENCH_COMBINATION_H
#define HAWSER_BENCH_COMBINATION_H

#include <hawser/stepper.h>

typedef struct haw_cell {
    const haw_row *element, *stepper, *law;
    int dimension;
    bool is_reeved; /* over a sheave */
    bool bends;     /* in space, where elements that bend have stiffness for it */
    bool is_closed;
    haw_end_kind end; /* of the second end; the first one is pinned */
} haw_cell;

/** Cell number i, elements varying slowest and laws fastest. @return false beyond the last */
bool haw_cell_at(int i, haw_cell *cell);

/** "open pinned", "closed", ... */
const char *haw_cell_form(const haw_cell *cell);

/**
 * Run so many steps of a cell; with 0 steps only its checks and guards.
 * @return ERR_INPUT with the reason of a refusal; what ended the steps, HAW_OK where nothing did
 */
HAW_NODISCARD haw_status haw_cell_run(haw_context *context, const haw_cell *cell, int steps);

#endif
