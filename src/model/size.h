/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a simulation will ask for, by its counts: before any of it is. Elements are refused before a
 * cable is built, points before a grid is, all of a simulation before its first array, and the
 * closed points of the start before the first step; what comes later (more closed points) is
 * refused by the context, which counts what it holds.
 */
#ifndef HAWSER_MODEL_SIZE_H
#define HAWSER_MODEL_SIZE_H

#include "model/model.h"

typedef struct haw_size {
    double coordinates; /* of q */
    double points;      /* of all contact grids, with all feet */
    double touching;    /* elements that may touch a body, whose blocks in the matrix are wider */
    double coupled;     /* coordinates of a model whose cables touch cables: its matrix is sparse,
                           and closed points fill it in */
    double closed;      /* contact points, times the dimension less one */
    double entries;     /* of the matrix that explicit steps have over all pairs of them */
    bool rests;         /* it begins in an equilibrium, which has a matrix, too */
    bool turns;         /* anything has an orientation in space */
    bool is_implicit;   /* steps have a matrix over all freedoms */
} haw_size;

/** Bytes that a simulation asks for at most until after its first steps, with the program itself:
 * no less than it does, and at most 1.5 times that (tests/regress/test_memory.c). */
double haw_size_bytes(const haw_size *size);

/** Counts of a model as far as it is built. */
haw_size haw_size_of(const haw_model *model, bool is_implicit);

/** @return ERR_INPUT with what it needs, what there is and what to change; the caller places it */
HAW_NODISCARD haw_status haw_size_check(haw_context *context, const haw_size *size);

/** A failure placed at the cable or the contact that asks for the most. @return status */
haw_status haw_size_place(const haw_model *model, const haw_size *size, haw_status status);

/** Check, and place. */
HAW_NODISCARD haw_status haw_model_fits(const haw_model *model, const haw_size *size);

#endif
