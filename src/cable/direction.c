/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a line points: the rotation of its sections, or of its tangent t = x' / |x'| where they
 * have none. A tangent does not twist: it turns with w = t x dt. */
#include "base/lie.h"
#include "cable/cable.h"

enum { AXES = 3 };

void haw_cable_direct(const haw_cable *cable, int e, double s, const double *q,
                      haw_cable_point *point)
{
    double t[AXES], j[AXES][HAW_CABLE_DOFS];
    cable->ops->point(cable, e, s, q, NULL, HAW_POINT_JACOBIAN, point);
    if (haw_cable_turns(cable)) {
        return;
    }
    cable->ops->slope(cable, e, s, q, t, j);
    const double size = vec3_norm(t);
    for (int i = 0; i < AXES; i++) {
        t[i] /= size;
    }
    mat3_frame(t, point->rotation);
    for (int a = 0; a < cable->element_dofs; a++) {
        const double change[AXES] = {j[0][a] / size, j[1][a] / size, j[2][a] / size};
        double w[AXES];
        vec3_cross(t, change, w);
        for (int i = 0; i < AXES; i++) {
            point->w[i][a] = w[i];
        }
    }
}

/* With w' m = J' (m x x') / |x'|^2 its derivative is J' (skew(m) - 2 (m x t) t') J / |x'|^2. */
void haw_cable_direct_tangent(const haw_cable *cable, int e, double s, const double *q,
                              const double m[3], double *k)
{
    double x[AXES], j[AXES][HAW_CABLE_DOFS], part[9] = {0}, pull[AXES];
    if (haw_cable_turns(cable) || (cable->line.ops != NULL && cable->line.ops->slope != NULL)) {
        return;
    }
    cable->ops->slope(cable, e, s, q, x, j);
    const double square = vec3_dot(x, x);
    vec3_cross(m, x, pull);
    mat3_add_skew(-1 / square, m, part);
    mat3_add_outer(2 / (square * square), pull, x, part);
    const int n = cable->element_dofs;
    for (int ab = 0; ab < n * n; ab++) {
        for (int i = 0; i < 9; i++) {
            k[ab] += j[i / 3][ab / n] * part[i] * j[i % 3][ab % n];
        }
    }
}

/*
 * Of w = x' x J' / |x'|^2 it is (x'' x J' + x' x J'') / |x'|^2 - 2 (x' . x'') w / |x'|^2. J' of a
 * cubic is quadratic in s, so that its difference over any way gives J'' in the middle.
 * NOLINTNEXTLINE(readability-function-size): as haw_cable_ops.twist
 */
void haw_cable_direct_twist(const haw_cable *cable, int e, double s, const double *q,
                            double w[3][HAW_CABLE_DOFS])
{
    double x[AXES], d[AXES][AXES], j[AXES][HAW_CABLE_DOFS];
    double ahead[AXES][HAW_CABLE_DOFS], behind[AXES][HAW_CABLE_DOFS];
    cable->ops->slope(cable, e, s + 0.5, q, x, ahead);
    cable->ops->slope(cable, e, s - 0.5, q, x, behind);
    cable->ops->slope(cable, e, s, q, x, j);
    cable->ops->curve(cable, e, s, q, d);
    const double square = vec3_dot(x, x), grows = 2 * vec3_dot(x, d[1]) / square;
    for (int a = 0; a < cable->element_dofs; a++) {
        double slope[AXES], bend[AXES], turn[AXES], part[AXES];
        for (int i = 0; i < AXES; i++) {
            slope[i] = j[i][a];
            bend[i] = ahead[i][a] - behind[i][a] - grows * j[i][a];
        }
        vec3_cross(d[1], slope, turn);
        vec3_cross(x, bend, part);
        for (int i = 0; i < AXES; i++) {
            w[i][a] = (turn[i] + part[i]) / square;
        }
    }
}

/* ---- what holds an end, what pulls at it ---- */

void haw_cable_joint_reaction(const haw_cable *cable, int end, const double *u, double force[3])
{
    const haw_cable_guide *guide = &cable->guide[end];
    for (int i = 0; i < cable->ops->dimension && guide->join != HAW_JOIN_NONE; i++) {
        force[i] = -u[guide->lambda + i];
    }
}

/* Outwards along the cable where no direction is given. */
static void find_pull(const haw_cable *cable, int end, double t, const double *q,
                      haw_cable_point *point, double force[AXES])
{
    const haw_cable_guide *guide = &cable->guide[end];
    const double tension = haw_function_value(&guide->tension, t);
    const double out = end == 0 ? -tension : tension;
    haw_cable_direct(cable, end == 0 ? 0 : cable->line.elements - 1, end == 0 ? 0 : 1, q, point);
    for (int i = 0; i < AXES; i++) {
        force[i] = guide->follows ? out * point->rotation[AXES * i] : tension * guide->towards[i];
    }
}

void haw_cable_pull(const haw_cable *cable, double t, const double *q, double *f)
{
    for (int end = 0; end < 2; end++) {
        haw_cable_point point;
        double force[AXES];
        if (cable->guide[end].pulls) {
            const int first = cable->ops->node_dof(cable, end == 0 ? 0 : cable->line.elements);
            find_pull(cable, end, t, q, &point, force);
            for (int i = 0; i < AXES && i < cable->ops->dimension; i++) {
                f[first + i] += force[i];
            }
        }
    }
}

/* A force that follows turns with the end: -dF = F x w.
 * NOLINTNEXTLINE(readability-function-size): a row of haw_cable_ops */
void haw_cable_pull_tangent(const haw_cable *cable, double t, double part, const double *q,
                            haw_entry_sink add, void *user)
{
    for (int end = 0; end < 2; end++) {
        haw_cable_point point;
        double force[AXES];
        if (!cable->guide[end].pulls || !cable->guide[end].follows) {
            continue;
        }
        const int element = end == 0 ? 0 : cable->line.elements - 1;
        const int first = cable->ops->node_dof(cable, element + end);
        const haw_dofs dofs = cable->ops->dofs(cable, element);
        find_pull(cable, end, t, q, &point, force);
        for (int a = 0; a < dofs.count; a++) {
            const double w[AXES] = {point.w[0][a], point.w[1][a], point.w[2][a]};
            double change[AXES];
            vec3_cross(force, w, change);
            for (int i = 0; i < AXES && i < cable->ops->dimension; i++) {
                if (change[i] != 0) {
                    add(user, first + i, haw_dof_at(&dofs, a), part * change[i]);
                }
            }
        }
    }
}
