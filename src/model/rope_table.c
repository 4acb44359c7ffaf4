/* SPDX-License-Identifier: BSD-3-Clause */
/* Kinds of ropes, and what all of them share: elements as lists of degrees of freedom. */
#include "model/dynamics.h"
#include "model/rope.h"

const haw_row *const haw_ropes[] = {&haw_rope_ale.row, &haw_rope_arc1d.row, NULL};

/* Element e lies between the labels e and e + 1. */
int haw_rope_find(const haw_rope *rope, const double *q, double s)
{
    int low = 0, high = rope->labels - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (q[rope->label[middle]] <= s) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

void haw_rope_gather(const haw_rope *rope, int e, const double *x, double *local)
{
    const haw_rope_element *element = &rope->element[e];
    for (int a = 0; a < element->dofs; a++) {
        local[a] = x[element->dof[a]];
    }
}

void haw_rope_scatter(const haw_rope *rope, int e, const double *local, double *x)
{
    const haw_rope_element *element = &rope->element[e];
    for (int a = 0; a < element->dofs; a++) {
        x[element->dof[a]] += local[a];
    }
}

void haw_model_guide(const haw_model *model, const double *q, const double *u, double h,
                     double *u_plus)
{
    for (int i = 0; i < model->cables && haw_model_has_ropes(model); i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->rope->ops->guide != NULL) {
            cable->rope->ops->guide(model, cable, q, u, h, u_plus);
        }
    }
}

void haw_model_inertia(const haw_model *model, const double *q, const double *u, const double *a,
                       double *y)
{
    haw_model_mass(model, a, y);
    for (int i = 0; i < model->cables && haw_model_has_ropes(model); i++) {
        const haw_cable *cable = &model->cable[i];
        cable->rope->ops->inertia(model, cable, q, u, a, y);
    }
}
