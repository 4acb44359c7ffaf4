/* SPDX-License-Identifier: BSD-3-Clause */
/* Gauss-Legendre rules on [0, 1] with the derivatives of the cubic Bernstein polynomials. */
#include "element/element.h"

#include <gsl/gsl_integration.h>
#include <math.h>

void haw_quadrature_init(int points, haw_quadrature *rule)
{
    *rule = (haw_quadrature){.points = points};
    gsl_integration_glfixed_table *table = gsl_integration_glfixed_table_alloc((size_t)points);
    for (int g = 0; g < points; g++) {
        if (table != NULL) {
            gsl_integration_glfixed_point(0.0, 1.0, (size_t)g, &rule->s[g], &rule->weight[g],
                                          table);
        } else {
            /* out of memory for a few bytes: not a number ends the run as not finite */
            rule->s[g] = rule->weight[g] = (double)NAN;
        }
        const double s = rule->s[g], t = 1.0 - s;
        rule->slope[g][0] = -3.0 * t * t;
        rule->slope[g][1] = 3.0 * t * (t - 2.0 * s);
        rule->slope[g][2] = 3.0 * s * (2.0 * t - s);
        rule->slope[g][3] = 3.0 * s * s;
    }
    if (table != NULL) {
        gsl_integration_glfixed_table_free(table);
    }
}
