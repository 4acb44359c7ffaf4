/* SPDX-License-Identifier: BSD-3-Clause */
/* What all cubics in space answer: points from shape functions, mass from a scalar block, axial
 * state from control points; then those with nodes (x, x'). */
#include "base/lie.h"
#include "element/bezier_kernel.h"

enum { STRIDE = 6 };

void haw_cubic_point(int shapes, const double *value, const double *slope, const double *qe,
                     bool jacobians, haw_space_point *point)
{
    double t[3] = {0.0};
    memset(point, 0, sizeof *point);
    for (int i = 0; i < shapes; i++) {
        vec3_add(value[i], qe + 3 * i, point->x);
        vec3_add(slope[i], qe + 3 * i, t);
        for (int r = 0; r < 3 && jacobians; r++) {
            point->jx[r][3 * i + r] = value[i];
        }
    }
    const double size = vec3_norm(t);
    for (int i = 0; i < 3; i++) {
        t[i] /= size;
    }
    mat3_frame(t, point->rotation);
}

void haw_cubic_curve(const haw_beam *beam, int e, double s, const double *q, double d[3][3])
{
    double p[4][3];
    beam->ops->polygon(beam, e, q, p);
    cubic_slope(3, p[0], s, d[0], d[1]);
    for (int i = 0; i < 3; i++) {
        d[2][i] = 6.0 * (p[3][i] - p[0][i] + 3.0 * (p[1][i] - p[2][i]));
    }
}

void haw_cubic_mass(const double block[16], double m[HAW_SPACE_DOFS * HAW_SPACE_DOFS])
{
    memset(m, 0, HAW_SPACE_DOFS * HAW_SPACE_DOFS * sizeof *m);
    for (int i = 0; i < 16; i++) {
        double *to = m + 3 * (HAW_SPACE_DOFS * (i / 4) + i % 4);
        to[0] = to[HAW_SPACE_DOFS + 1] = to[2 * (HAW_SPACE_DOFS + 1)] = block[i];
    }
}

void haw_cubic_strain(const haw_beam *beam, int e, double s, const double *q, const double *u,
                      haw_space_strain *strain)
{
    double p[4][3], first[3], second[3], normal[3];
    (void)u;
    memset(strain, 0, sizeof *strain);
    beam->ops->polygon(beam, e, q, p);
    cubic_slope(3, p[0], s, first, second);
    const double size = vec3_norm(first), stretch = size / beam->le - 1.0;
    vec3_cross(first, second, normal);
    strain->strain[0] = stretch;
    strain->tension = beam->slack && stretch < 0.0 ? 0.0 : beam->stiffness[0] * stretch;
    strain->stress[0] = strain->tension;
    strain->curvature = vec3_norm(normal) / (size * size * size);
}

/* ---- nodes (x, x') ---- */

void haw_hermite_node(const haw_beam *beam, int n, haw_space_curve curve, const void *user,
                      double node[6])
{
    haw_section section;
    double r[9];
    curve(user, n * beam->le, &section);
    quaternion_matrix(section.quaternion, r);
    for (int i = 0; i < 3; i++) {
        node[i] = section.x[i];
        node[3 + i] = section.stretch * r[3 * i];
    }
}

void haw_hermite_lay(const haw_beam *beam, haw_space_curve curve, const void *user, double *q)
{
    for (int n = 0; n <= beam->elements; n++) {
        haw_hermite_node(beam, n, curve, user, q + (ptrdiff_t)STRIDE * n);
    }
}

void haw_hermite_polygon(const haw_beam *beam, int e, const double *q, double p[4][3])
{
    const double *qe = q + (ptrdiff_t)STRIDE * e;
    const double third = beam->le / 3.0;
    for (int i = 0; i < 3; i++) {
        p[0][i] = qe[i];
        p[1][i] = qe[i] + third * qe[3 + i];
        p[2][i] = qe[6 + i] - third * qe[9 + i];
        p[3][i] = qe[6 + i];
    }
}

void haw_hermite_point(const haw_beam *beam, int e, double s, const double *q, bool jacobians,
                       haw_space_point *point)
{
    const haw_line line = {.le = beam->le};
    double value[HAW_HULL_MAX], slope[HAW_HULL_MAX];
    haw_hermite_basis(&line, s, value, slope);
    haw_cubic_point(4, value, slope, q + (ptrdiff_t)STRIDE * e, jacobians, point);
}

void haw_hermite_block(const haw_beam *beam, double m[HAW_SPACE_DOFS * HAW_SPACE_DOFS])
{
    const haw_line line = {.le = beam->le, .density = beam->density};
    double block[16];
    haw_hermite_mass(&line, 0, NULL, block);
    haw_cubic_mass(block, m);
}
