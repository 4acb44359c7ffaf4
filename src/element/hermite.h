/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What all kinds with Cartesian Hermite coordinates share: node (x, y, x', y') with ' = d/dxi, so
 * that the handles of the cubic are a = Le/3 x1', b = Le/3 x4'. Rows of haw_element_ops.
 */
#ifndef HAWSER_ELEMENT_HERMITE_H
#define HAWSER_ELEMENT_HERMITE_H

#include "element/element.h"

enum { HAW_HERMITE_STRIDE = 4, HAW_HERMITE_DOFS = 8 };

void haw_hermite_interpolate(const haw_line *line, haw_curve curve, const void *user, double *q);
void haw_hermite_controls(const haw_line *line, int e, const double *q, double p[HAW_HULL_MAX][2]);
void haw_hermite_mass(const haw_line *line, int e, const double *q, double *m);
double haw_hermite_kinetic(const haw_line *line, const double *q, const double *u);
void haw_hermite_position(const haw_line *line, int e, double s, const double *q, double x[2],
                          double *j);
void haw_hermite_basis(const haw_line *line, double s, double value[HAW_HULL_MAX],
                       double slope[HAW_HULL_MAX]);

#endif
