/* SPDX-License-Identifier: BSD-3-Clause */
/* Degrees of freedom of an element in the order of its matrix: a stretch, or the list of a rope. */
#ifndef HAWSER_MODEL_SYSTEM_BLOCK_H
#define HAWSER_MODEL_SYSTEM_BLOCK_H

#include "model/rope.h"

typedef struct haw_block {
    int count, first;
    const int *list; /* NULL: first, first + 1, ... */
} haw_block;

static inline int haw_block_dof(const haw_block *block, int k)
{
    return block->list != NULL ? block->list[k] : block->first + k;
}

/** Of element e, or of the nodes of a `span` of elements from there on; a rope's one element. */
static inline haw_block haw_block_of(const haw_model *model, const haw_cable *cable, int e,
                                     int span)
{
    if (cable->rope != NULL) {
        const haw_rope_element *element = &cable->rope->element[e];
        return (haw_block){.count = element->dofs, .list = element->dof};
    }
    const int stride = haw_cable_stride(model, cable);
    return (haw_block){.count = haw_cable_block(model, cable) + (span - 1) * stride,
                       .first = cable->first + stride * e};
}

/** Count of the widest block of a cable. */
static inline int haw_block_widest(const haw_model *model, const haw_cable *cable)
{
    int widest = 0;
    for (int e = 0; e < (cable->rope != NULL ? cable->line.elements : 1); e++) {
        const int count = haw_block_of(model, cable, e, 1).count;
        widest = count > widest ? count : widest;
    }
    return widest;
}

#endif
