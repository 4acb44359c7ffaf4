/* SPDX-License-Identifier: BSD-3-Clause */
/* A new law is one file and one row here. */
#include "law/law.h"

#include <string.h>

/* Its forces are those of one row of each of the two tables below. */
const haw_law_ops haw_law_penalty = {
    .row.name = "penalty",
    .row.summary = "compliant contact: forces of gap, velocity and history",
    .row.source =
        "K. Ntarladima, M. Pieber, J. Gerstmayr, A model for contact and friction between "
        "beams under large deformation and sheaves, 2023",
};

const haw_row *const haw_laws[] = {&haw_law_hard.row, &haw_law_penalty.row, NULL};

const haw_row *const haw_normal_laws[] = {&haw_normal_linear.row, &haw_normal_lankarani.row,
                                          &haw_normal_hunt.row, NULL};

/* Where no friction law is named, the first whose needs are given stands in. */
const haw_row *const haw_friction_laws[] = {&haw_friction_bristle.row,
                                            &haw_friction_regularized.row, &haw_friction_lugre.row,
                                            &haw_friction_blend.row, NULL};

bool haw_law_reads(const char *const *keys, const char *key)
{
    for (; *keys != NULL; keys++) {
        if (strcmp(*keys, key) == 0) {
            return true;
        }
    }
    return false;
}

void haw_normal_extend(const haw_normal_ops *law, const haw_normal_parameters *p, double gap,
                       double rate, double impact, haw_normal_force *out)
{
    law->force(p, gap > 0.0 ? 0.0 : gap, rate, impact, out);
    if (gap > 0.0) {
        out->force += out->d_gap * gap;
        if (out->force <= 0.0) {
            *out = (haw_normal_force){0};
        }
    }
}
