/* SPDX-License-Identifier: BSD-3-Clause */
/* A new law is one file and one row here. */
#include "law/law.h"

#include <string.h>

/* Which forces it has is told by one row of each of the two tables below. */
const haw_law_ops haw_law_penalty = {
    .name = "penalty",
    .summary = "compliant contact: forces of gap, velocity and history",
    .source = "K. Ntarladima, M. Pieber, J. Gerstmayr, A model for contact and friction between "
              "beams under large deformation and sheaves, 2023",
    .set_valued = false,
};

const haw_law_ops *const haw_laws[] = {&haw_law_hard, &haw_law_penalty, NULL};

const haw_normal_ops *const haw_normal_laws[] = {&haw_normal_linear, &haw_normal_lankarani,
                                                 &haw_normal_hunt, NULL};

const haw_friction_ops *const haw_friction_laws[] = {&haw_friction_regularized,
                                                     &haw_friction_bristle, &haw_friction_lugre,
                                                     &haw_friction_blend, NULL};

const haw_law_ops *haw_law_find(const char *name)
{
    for (int i = 0; haw_laws[i] != NULL; i++) {
        if (strcmp(haw_laws[i]->name, name) == 0) {
            return haw_laws[i];
        }
    }
    return NULL;
}

const haw_normal_ops *haw_normal_find(const char *name)
{
    for (int i = 0; haw_normal_laws[i] != NULL; i++) {
        if (strcmp(haw_normal_laws[i]->name, name) == 0) {
            return haw_normal_laws[i];
        }
    }
    return NULL;
}

const haw_friction_ops *haw_friction_find(const char *name)
{
    for (int i = 0; haw_friction_laws[i] != NULL; i++) {
        if (strcmp(haw_friction_laws[i]->name, name) == 0) {
            return haw_friction_laws[i];
        }
    }
    return NULL;
}
