/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/small.h"

static void invert_2d(const double *c, double *inverse)
{
    const double scale = 1 / (c[0] * c[3] - c[1] * c[2]);
    inverse[0] = scale * c[3];
    inverse[1] = -scale * c[1];
    inverse[2] = -scale * c[2];
    inverse[3] = scale * c[0];
}

/* By the adjugate. */
static void invert_3d(const double *c, double *inverse)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const int p = (j + 1) % 3, q = (j + 2) % 3, s = (i + 1) % 3, t = (i + 2) % 3;
            inverse[3 * i + j] = c[3 * p + s] * c[3 * q + t] - c[3 * p + t] * c[3 * q + s];
        }
    }
    const double scale = 1 / (c[0] * inverse[0] + c[1] * inverse[3] + c[2] * inverse[6]);
    for (int k = 0; k < 9; k++) {
        inverse[k] *= scale;
    }
}

void (*const haw_invert[])(const double *c, double *inverse) = {[2] = invert_2d, [3] = invert_3d};
