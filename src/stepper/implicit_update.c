/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broyden's updates of the inverse of a matrix that is kept (C. G. Broyden, Math. Comp. 19 (1965)
 * 577-593; product form: C. T. Kelley, Iterative Methods for Linear and Nonlinear Equations, 1995,
 * ch. 7). A point that changed its regime since the factorization changes the matrix by one or two
 * ranks, which a few iterations find. With s the last step, d = -B^-1 r before the update and
 * w = d / (s . s - s . d),
 *
 *     B+^-1 = (I + w s') B^-1,   -B+^-1 r = d + w (s . d).
 */
#include "stepper/implicit.h"

#include <math.h>
#include <string.h>

static void apply(const haw_implicit *implicit, double *d)
{
    const int n = implicit->system->model->dofs;
    for (int k = 0; k < implicit->updates; k++) {
        haw_axpy(n, haw_dot(n, implicit->update[k][1], d), implicit->update[k][0], d);
    }
}

void haw_implicit_direct(haw_implicit *implicit, bool learns)
{
    const int n = implicit->system->model->dofs;
    const size_t bytes = (size_t)n * sizeof(double);
    double *d = implicit->direction;
    const bool room = learns && implicit->updates < HAW_UPDATES;
    double *s = room ? implicit->update[implicit->updates][1] : NULL;
    if (room) {
        memcpy(s, d, bytes);
    }
    for (int i = 0; i < n; i++) {
        d[i] = -implicit->residual[i];
    }
    haw_system_solve(implicit->system, d);
    apply(implicit, d);
    implicit->age++;
    if (!room) {
        return;
    }
    const double square = haw_dot(n, s, s), along = haw_dot(n, s, d);
    if (!(fabs(square - along) > 0.1 * square)) {
        return; /* an update that would be singular */
    }
    double *w = implicit->update[implicit->updates++][0];
    for (int i = 0; i < n; i++) {
        w[i] = d[i] / (square - along);
    }
    haw_axpy(n, along, w, d);
}
