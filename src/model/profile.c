/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of a cable: samples along the centreline and mean tensions. */
#include "model/model.h"

int haw_cable_samples(const haw_model *model, int cable)
{
    const haw_cable *c = &model->cable[cable];
    const int last = c->line.elements - 1;
    return c->ops->samples(c, last > 0 ? last - 1 : 0);
}

int haw_cable_sample_count(const haw_model *model, int cable)
{
    const haw_cable *c = &model->cable[cable];
    int count = 1;
    for (int e = 0; e < c->line.elements; e++) {
        count += c->ops->samples(c, e);
    }
    return count;
}

void haw_cable_profile(const haw_model *model, int cable, const double *q, const double *u,
                       const haw_profile *profile)
{
    const haw_cable *c = &model->cable[cable];
    int k = 0;
    for (int e = 0; e < c->line.elements; e++) {
        const int n = c->ops->samples(c, e), last = e == c->line.elements - 1 ? 1 : 0;
        const double tension = c->ops->tension(c, e, q, u);
        for (int j = 0; j < n + last; j++, k++) {
            haw_sample at;
            c->ops->state(c, e, haw_cable_local(c, e, (double)j / n, q), q, u, &at);
            profile->xi[k] = at.label;
            profile->x[k] = at.x[0];
            profile->y[k] = at.x[1];
            if (profile->z != NULL) {
                profile->z[k] = at.x[2];
            }
            profile->tension[k] = at.tension;
            profile->strain[k] = at.strain;
            profile->curvature[k] = at.curvature;
            profile->element_tension[k] = tension;
        }
    }
}

haw_status haw_cable_sample(haw_context *context, const haw_model *model, const haw_state *state,
                            int cable, const haw_samples *samples)
{
    if (cable < 0 || cable >= model->cables) {
        return haw_fail(context, HAW_ERR_ARG, "the model has no cable number %d", cable);
    }
    const int n = haw_cable_sample_count(model, cable);
    double *own = haw_allocate(context, (size_t)n * 8, sizeof *own);
    if (own == NULL) {
        return HAW_ERR_NOMEM;
    }
    double *const given[8] = {
        NULL, NULL, NULL, samples->label, samples->tension, samples->strain, samples->curvature,
        NULL};
    double *part[8];
    for (int i = 0; i < 8; i++) {
        part[i] = given[i] != NULL ? given[i] : own + (ptrdiff_t)n * i;
    }
    const haw_profile profile = {.x = part[0],
                                 .y = part[1],
                                 .z = part[2],
                                 .xi = part[3],
                                 .tension = part[4],
                                 .strain = part[5],
                                 .curvature = part[6],
                                 .element_tension = part[7]};
    haw_cable_profile(model, cable, state->q, state->u, &profile);
    for (int k = 0; samples->position != NULL && k < 3 * n; k++) {
        samples->position[k] = part[k % 3][k / 3];
    }
    haw_release(context, own);
    return HAW_OK;
}

/* Label of a node, in elements where all have one length. */
static double node_label(const haw_cable *cable, int n, const double *q)
{
    return cable->ops->label != NULL ? cable->ops->label(cable, n, q) : n;
}

double haw_cable_tension_range(const haw_cable *cable, int first, int end, const double *q)
{
    double sum = 0;
    for (int e = first; e < end; e++) {
        const double length = node_label(cable, e + 1, q) - node_label(cable, e, q);
        sum += cable->ops->tension(cable, e, q, NULL) * length;
    }
    return sum / (node_label(cable, end, q) - node_label(cable, first, q));
}

double haw_cable_tension_mean(const haw_cable *cable, const double *q)
{
    return haw_cable_tension_range(cable, 0, cable->line.elements, q);
}
