/* SPDX-License-Identifier: BSD-3-Clause */
/* Closed cables: the copied node of q or u [dofs] takes the values of the node itself. */
#ifndef HAWSER_TESTS_TIES_H
#define HAWSER_TESTS_TIES_H

#include "model/model.h"

#include <string.h>

static inline void copy_ties(const haw_model *model, double *x)
{
    for (int i = 0; i < model->cables; i++) {
        int last = 0;
        const int count = haw_cable_tied(&model->cable[i], &last);
        memcpy(x + last, x + model->cable[i].first, (size_t)count * sizeof *x);
    }
}

#endif
