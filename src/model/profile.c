/* SPDX-License-Identifier: BSD-3-Clause */
/* What results show of a cable: samples along the centreline and mean tensions. */
#include "model/model.h"

/* The contact grid where there is one, so that contact forces land on samples. */
int haw_cable_samples(const haw_model *model, int cable)
{
    for (int i = 0; i < model->pairs; i++) {
        if (model->pair[i].cable == cable && model->pair[i].points_per_element > 1) {
            return model->pair[i].points_per_element;
        }
    }
    return model->cable[cable].line.ops->hull > 2 ? 4 : 1;
}

int haw_cable_sample_count(const haw_model *model, int cable)
{
    return haw_cable_samples(model, cable) * model->cable[cable].line.elements + 1;
}

static double slack_tension(const haw_line *line, int e, const double *q)
{
    double sum = 0;
    for (int g = 0; g < line->rule.points; g++) {
        haw_axial axial;
        line->ops->axial(line, e, line->rule.s[g], q, NULL, &axial);
        sum += line->rule.weight[g] * axial.tension;
    }
    return sum;
}

static double element_tension(const haw_line *line, int e, const double *q)
{
    if (line->slack) {
        return slack_tension(line, e, q);
    }
    return line->stiffness * (line->ops->length(line, e, q) / line->le - 1);
}

static void sample(const haw_line *line, int e, double s, const double *q, int k,
                   const haw_profile *profile)
{
    haw_axial axial;
    double x[2];
    line->ops->position(line, e, s, q, x, NULL);
    line->ops->axial(line, e, s, q, NULL, &axial);
    profile->xi[k] = (e + s) * line->le;
    profile->x[k] = x[0];
    profile->y[k] = x[1];
    profile->tension[k] = axial.tension;
    profile->strain[k] = axial.strain;
    profile->curvature[k] = axial.curvature;
    profile->element_tension[k] = element_tension(line, e, q);
}

void haw_cable_profile(const haw_model *model, int cable, const double *q,
                       const haw_profile *profile)
{
    const haw_line *line = &model->cable[cable].line;
    const double *own = q + model->cable[cable].first;
    const int n = haw_cable_samples(model, cable);
    for (int k = 0; k < n * line->elements; k++) {
        sample(line, k / n, (double)(k % n) / n, own, k, profile);
    }
    sample(line, line->elements - 1, 1, own, n * line->elements, profile);
}

double haw_cable_tension_range(const haw_cable *cable, int first, int end, const double *q)
{
    double sum = 0;
    for (int e = first; e < end; e++) {
        sum += element_tension(&cable->line, e, q + cable->first);
    }
    return sum / (end - first);
}

double haw_cable_tension_mean(const haw_cable *cable, const double *q)
{
    return haw_cable_tension_range(cable, 0, cable->line.elements, q);
}
