/* SPDX-License-Identifier: BSD-3-Clause */
/* A new law is one file and one row here. */
#include "law/law.h"

/* Which forces it has is told by one row of each of the two tables below. */
const haw_law_ops haw_law_penalty = {
    .row.name = "penalty",
    .row.summary = "compliant contact: forces of gap, velocity and history",
    .row.source =
        "K. Ntarladima, M. Pieber, J. Gerstmayr, A model for contact and friction between "
        "beams under large deformation and sheaves, 2023",
    .set_valued = false,
};

const haw_row *const haw_laws[] = {&haw_law_hard.row, &haw_law_penalty.row, NULL};

const haw_row *const haw_normal_laws[] = {&haw_normal_linear.row, &haw_normal_lankarani.row,
                                          &haw_normal_hunt.row, NULL};

const haw_row *const haw_friction_laws[] = {&haw_friction_regularized.row,
                                            &haw_friction_bristle.row, &haw_friction_lugre.row,
                                            &haw_friction_blend.row, NULL};
