/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Snapshots: the scene at several instants as small multiples of one scale, the cables coloured by
 * tension, the bodies with a spoke that shows how they turn and the path of their centres.
 */
#include "report/figure.h"

#include <float.h>
#include <math.h>

/* Everything that is drawn, and how the panels are laid out. */
typedef struct layout {
    double min[2], max[2]; /* of the scene [m] */
    double tension[2];     /* smallest and largest */
    double ground;         /* half length of plane surfaces [m] */
    int rows, columns;
    double panel[2];  /* width and height of a panel [px] */
    double canvas[2]; /* [px] */
} layout;

enum { LEFT = 62, RIGHT = 14, BAR = 80, TOP = 26, BOTTOM = 46, GAP_X = 14, GAP_Y = 30 };

static void extend(layout *lay, double x, double y, double r)
{
    const double p[2] = {x, y};
    for (int i = 0; i < 2; i++) {
        lay->min[i] = fmin(lay->min[i], p[i] - r);
        lay->max[i] = fmax(lay->max[i], p[i] + r);
    }
}

/* ---- cables ---- */

static haw_status write_cable(haw_figure *figure, const char *cable, const haw_array *xi, int frame,
                              double *value, layout *lay, FILE *stream)
{
    static const char *const columns[3] = {"x", "y", "element_tension"};
    const int n = xi->rows;
    for (int i = 0; i < 3; i++) {
        HAW_TRY(haw_results_profile(figure->results, cable, columns[i], frame, n,
                                    value + (size_t)i * (size_t)n));
    }
    for (int j = 0; j < n; j++) {
        const double tension = value[2 * n + j];
        extend(lay, value[j], value[n + j], 0.0);
        lay->tension[0] = fmin(lay->tension[0], tension);
        lay->tension[1] = fmax(lay->tension[1], tension);
        (void)fprintf(stream, "%.9g,%.9g,%.9g\n", value[j], value[n + j], tension);
    }
    (void)fputc('\n', stream);
    return HAW_OK;
}
