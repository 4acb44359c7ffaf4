/* SPDX-License-Identifier: BSD-3-Clause */
/* What all cubic kinds answer from their control points alone. */
#include "element/bezier_kernel.h"

/** Axial state from x' and x'' to the local coordinate s. */
void haw_cubic_axial(const haw_line *line, int e, double s, const double *q, const double *u,
                     haw_axial *axial)
{
    (void)u;
    double p[4][2], first[2], second[2];
    line->ops->controls(line, e, q, p);
    cubic_slope(p, s, first, second);
    const double size = sqrt(first[0] * first[0] + first[1] * first[1]);
    axial->strain = size / line->le - 1.0;
    axial->tension = line->stiffness * axial->strain;
    if (line->slack && axial->strain < 0.0) {
        axial->tension = 0.0;
    }
    axial->curvature = (first[0] * second[1] - first[1] * second[0]) / (size * size * size);
    axial->tangent[0] = first[0] / size;
    axial->tangent[1] = first[1] / size;
}

double haw_cubic_length(const haw_line *line, int e, const double *q)
{
    double p[4][2], sum = 0.0;
    line->ops->controls(line, e, q, p);
    for (int g = 0; g < line->rule.points; g++) {
        double first[2], second[2];
        cubic_slope(p, line->rule.s[g], first, second);
        sum += line->rule.weight[g] * sqrt(first[0] * first[0] + first[1] * first[1]);
    }
    return sum;
}
