/* SPDX-License-Identifier: BSD-3-Clause */
/* Kinds of cables, and what all of them share. */
#include "cable/cable.h"

const haw_row *const haw_cables[] = {&haw_cable_line.row, &haw_cable_beam.row, &haw_cable_ale.row,
                                     &haw_cable_arc1d.row, NULL};

const haw_row *const haw_ropes[] = {&haw_cable_ale.row, &haw_cable_arc1d.row, NULL};

int haw_cable_widest(const haw_cable *cable)
{
    int widest = 0;
    for (int e = 0; e < cable->line.elements; e++) {
        const int count = cable->ops->dofs(cable, e).count;
        widest = count > widest ? count : widest;
    }
    return widest;
}
