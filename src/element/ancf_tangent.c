/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tangent of the ANCF cable over z = (c, a, b) of the kernel, all of it over Le; h_i, k_i are the
 * coefficients of z_i in r' and Le r''. An axial point gives h_i h_j times the 2 x 2 matrix
 *
 *     (EA + rate dEA) t t' + N n n' / |r'| + dEA (n.v') t n' / |r'|,   v' = d(r')/dt.
 *
 * With X = r', Y = Le r'', the gradient g = (g_X, g_Y) of kappa and E = [0 1; -1 0], twice
 * differentiating kappa |X|^2 = X x Y gives its Hessian
 *
 *     H = (1 / |X|^2) ([-2 kappa I, E; E', 0] - 2 (X g' + g X')),   X standing for (X, 0),
 *
 * and with w = (X, Y)' the rate of kappa is g.w, its gradient H w, so that a bending point gives
 *
 *     ((EI + rate dEI) / Le g g' + M H + dEI / Le g (H w)') / Le.
 *
 * Only dEA and dEI make it unsymmetric: t n' = sym + E / 2, and the last term. What is symmetric
 * is summed for i <= j alone.
 */
#include "element/ancf_kernel.h"

enum { DOFS = 8 };

typedef struct tangent_sum {
    double block[3][3][4]; /* of z_i, z_j, row-major 2 x 2 */
    double skew[3][3];     /* times E, i <= j, symmetric in i and j */
} tangent_sum;

/* See tangent and tangent_rates of haw_element_ops. */
typedef struct mode {
    bool clip;
    double rate;
} mode;

/* The symmetric 2 x 2 matrix xx, xy, yy of an axial point, and half of the factor of t n'. */
static inline void stretch_matrix(const haw_line *line, const double x[2], const double v[2],
                                  double natural, const mode *how, double m[4])
{
    const double size = sqrt(x[0] * x[0] + x[1] * x[1]), inverse = 1.0 / size;
    const double tx = x[0] * inverse, ty = x[1] * inverse;
    const double along = tx * v[0] + ty * v[1], across = tx * v[1] - ty * v[0];
    double elastic, damping, tt = 0.0, tn = 0.0;
    if (ancf_tension(line, size - 1.0 - line->strain0 - natural, along, &elastic, &damping)) {
        tt = line->stiffness + how->rate * line->damping_strain;
        tn = 0.5 * line->damping_strain * across * inverse;
    }
    const double tension = elastic + damping;
    const double nn = how->clip && tension < 0.0 ? 0.0 : tension * inverse;
    const double turned = 2.0 * tn * tx * ty, mixed = (tt - nn) * tx * ty;
    m[0] = tt * tx * tx + nn * ty * ty - turned;
    m[1] = mixed + tn * (tx * tx - ty * ty);
    m[2] = tt * ty * ty + nn * tx * tx + turned;
    m[3] = tn;
}

static inline void add_pair(tangent_sum *sum, int i, int j, double product, const double m[4])
{
    double *to = sum->block[i][j];
    to[0] += product * m[0];
    to[1] += product * m[1];
    to[2] += product * m[1];
    to[3] += product * m[2];
    sum->skew[i][j] += product * m[3];
}

static inline void add_stretch(const haw_line *line, double z[3][2], double v[3][2],
                               const double *natural, const mode *how, tangent_sum *sum)
{
    const haw_ancf_rule *rule = &ancf_rules[line->scheme];
    for (int g = 0; g < rule->axial; g++) {
        const haw_ancf_point *point = &rule->stretch[g];
        double x[2], rate[2], m[4];
        ancf_combine(point->slope, z, x);
        ancf_combine(point->slope, v, rate);
        stretch_matrix(line, x, rate, natural[g], how, m);
        if (point->node > 0) { /* a Lobatto point at a node sees its slope alone */
            add_pair(sum, point->node, point->node, point->weight, m);
            continue;
        }
        for (int i = 0; i < 3; i++) {
            for (int j = i; j < 3; j++) {
                add_pair(sum, i, j, point->weight * point->slope[i] * point->slope[j], m);
            }
        }
    }
}

/* Terms of a bending point, with its weight. */
typedef struct turn {
    haw_ancf_curve at;
    double x[2];         /* X */
    double stiffness;    /* of g g' */
    double moment;       /* M / (Le |X|^2) */
    double hx[2], hy[2]; /* dEI / Le^2 H w */
} turn;

/* The part of dEI. */
static inline void turn_viscous(const haw_line *line, const haw_ancf_point *point, double v[3][2],
                                double rate, turn *p)
{
    double dx[2], dy[2];
    const haw_ancf_curve *at = &p->at;
    const double viscous = point->weight * line->damping_curvature / (line->le * line->le);
    ancf_combine(point->slope, v, dx);
    ancf_combine(point->bend, v, dy);
    const double turning =
        at->x[0] * dx[0] + at->x[1] * dx[1] + at->y[0] * dy[0] + at->y[1] * dy[1];
    const double spread = 2.0 * (p->x[0] * dx[0] + p->x[1] * dx[1]);
    const double scale = viscous * at->inverse, twice = 2.0 * at->kappa;
    p->hx[0] = scale * (dy[1] - twice * dx[0] - 2.0 * p->x[0] * turning - at->x[0] * spread);
    p->hx[1] = scale * (-dy[0] - twice * dx[1] - 2.0 * p->x[1] * turning - at->x[1] * spread);
    p->hy[0] = scale * (-dx[1] - at->y[0] * spread);
    p->hy[1] = scale * (dx[0] - at->y[1] * spread);
    p->stiffness += rate * viscous;
    p->moment += scale * turning;
}

static inline turn turn_at(const haw_line *line, const haw_ancf_point *point, double z[3][2],
                           double natural, bool clip)
{
    turn p = {.hx = {0.0}};
    double y[2];
    const double inverse_le = 1.0 / line->le, weight = point->weight * inverse_le;
    ancf_combine(point->slope, z, p.x);
    ancf_combine(point->bend, z, y);
    p.at = ancf_curve(p.x, y);
    const double bent = p.at.kappa * inverse_le - line->curvature0 - natural;
    p.stiffness = weight * line->bending * inverse_le;
    p.moment = clip ? 0.0 : weight * line->bending * bent * p.at.inverse;
    return p;
}

/* With s = -2 M X: stiffness g g' + g s' + s g' + M [-2 kappa I, E; E', 0]. */
static inline void add_turn(const haw_ancf_point *point, const turn *p, tangent_sum *sum)
{
    double gradient[3][2], right[3][2], left[3][2];
    for (int i = 0; i < 3; i++) {
        const double h = point->slope[i], k = point->bend[i];
        for (int l = 0; l < 2; l++) {
            gradient[i][l] = h * p->at.x[l] + k * p->at.y[l];
            left[i][l] = -2.0 * p->moment * h * p->x[l];
            right[i][l] = p->stiffness * gradient[i][l] + left[i][l];
        }
    }
    const double diagonal = -2.0 * p->moment * p->at.kappa;
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            const double *gi = gradient[i], *gj = gradient[j];
            const double even = diagonal * point->slope[i] * point->slope[j];
            const double odd =
                p->moment * (point->slope[i] * point->bend[j] - point->bend[i] * point->slope[j]);
            double *to = sum->block[i][j];
            to[0] += gi[0] * right[j][0] + left[i][0] * gj[0] + even;
            to[1] += gi[0] * right[j][1] + left[i][0] * gj[1] + odd;
            to[2] += gi[1] * right[j][0] + left[i][1] * gj[0] - odd;
            to[3] += gi[1] * right[j][1] + left[i][1] * gj[1] + even;
        }
    }
}

/* g (dEI / Le^2 H w)', into all blocks: after the symmetric part is mirrored. */
static void add_viscous(const haw_ancf_point *point, const turn *p, tangent_sum *sum)
{
    for (int i = 0; i < 9; i++) {
        const int row = i / 3, column = i % 3;
        for (int l = 0; l < 4; l++) {
            const double g = point->slope[row] * p->at.x[l / 2] + point->bend[row] * p->at.y[l / 2];
            sum->block[row][column][l] +=
                g * (point->slope[column] * p->hx[l % 2] + point->bend[column] * p->hy[l % 2]);
        }
    }
}

/* Complete the blocks below the diagonal and add the skew parts. */
static inline void mirror(tangent_sum *sum)
{
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            double *upper = sum->block[i][j], *lower = sum->block[j][i];
            const double skew = sum->skew[i][j], across[2] = {upper[1], upper[2]};
            lower[0] = upper[0];
            lower[3] = upper[3];
            lower[1] = across[1] + skew;
            lower[2] = across[0] - skew;
            upper[1] = across[0] + skew;
            upper[2] = across[1] - skew;
        }
    }
}

/* Which of c, a, b the coordinates r0, r0', r1, r1' move, and by how much of 1 / Le. */
static inline void spread(const haw_line *line, const tangent_sum *sum, double *k)
{
    static const int moved[4] = {0, 1, 0, 2};
    const double le = line->le, scale[4] = {-1.0, le, 1.0, le},
                 over[4] = {-1.0 / le, 1.0, 1.0 / le, 1.0};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            const double *block = sum->block[moved[i]][moved[j]], factor = scale[i] * over[j];
            double *to = k + 2 * DOFS * i + 2 * j;
            to[0] = factor * block[0];
            to[1] = factor * block[1];
            to[DOFS] = factor * block[2];
            to[DOFS + 1] = factor * block[3];
        }
    }
}

static inline void element(const haw_line *line, int e, double z[3][2], double v[3][2],
                           const mode *how, double *k)
{
    const haw_ancf_rule *rule = &ancf_rules[line->scheme];
    const double *natural = ancf_natural(line, e);
    const bool viscous = v != NULL && line->damping_curvature > 0.0;
    tangent_sum sum = {{{{0.0}}}, {{0.0}}};
    turn at[ANCF_BENDING_MAX];
    add_stretch(line, z, v, natural, how, &sum);
    const int bending = line->bending > 0.0 || viscous ? rule->bending : 0;
    for (int g = 0; g < bending; g++) {
        const haw_ancf_point *point = &rule->turn[g];
        at[g] = turn_at(line, point, z, natural[rule->axial + g], how->clip);
        if (viscous) {
            turn_viscous(line, point, v, how->rate, &at[g]);
        }
        add_turn(point, &at[g], &sum);
    }
    mirror(&sum);
    for (int g = 0; g < bending && viscous; g++) {
        add_viscous(&rule->turn[g], &at[g], &sum);
    }
    spread(line, &sum, k);
}

void haw_ancf_tangent(const haw_line *line, int e, const double *q, bool clip, double *k)
{
    const mode how = {.clip = clip};
    double z[3][2], v[3][2] = {{0.0}};
    ancf_gather(q + 4 * e, 1.0 / line->le, z);
    element(line, e, z, v, &how, k);
}

void haw_ancf_tangent_rates(const haw_line *line, int e, const double *q, const double *u,
                            double rate, double *k)
{
    const mode how = {.rate = rate};
    double z[3][2], v[3][2];
    ancf_gather(q + 4 * e, 1.0 / line->le, z);
    ancf_gather(u + 4 * e, 1.0 / line->le, v);
    element(line, e, z, v, &how, k);
}
