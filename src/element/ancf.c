/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Planar cubic cable with axial and bending work, strain and curvature damping and reference
 * strain and curvature; three quadrature rules (line.scheme 0, 1, 2 = a, b, c).
 */
#include "element/ancf_kernel.h"
#include "element/bezier_kernel.h"

enum { STRIDE = HAW_HERMITE_STRIDE, DOFS = HAW_HERMITE_DOFS };

/* sum += twice the elastic energy of an element over its length. */
static void add_strain_energy(const haw_line *line, int e, const double *q, double *sum)
{
    const haw_ancf_rule *rule = &ancf_rules[line->scheme];
    const double floor = line->slack ? 0.0 : -HUGE_VAL, *natural = ancf_natural(line, e);
    double z[3][2], x[2], y[2], stretch = 0.0, bending = 0.0;
    ancf_gather(q + STRIDE * e, 1.0 / line->le, z);
    for (int g = 0; g < rule->axial; g++) {
        ancf_combine(rule->stretch[g].slope, z, x);
        const double strain = sqrt(x[0] * x[0] + x[1] * x[1]) - 1.0 - line->strain0 - natural[g];
        const double eps = floor > strain ? floor : strain; /* in this order a NaN survives */
        stretch += rule->stretch[g].weight * (eps * eps);
    }
    for (int g = 0; g < rule->bending && line->bending > 0.0; g++) {
        ancf_combine(rule->turn[g].slope, z, x);
        ancf_combine(rule->turn[g].bend, z, y);
        const double curvature =
            ancf_curve(x, y).kappa / line->le - line->curvature0 - natural[rule->axial + g];
        bending += rule->turn[g].weight * (curvature * curvature);
    }
    *sum += line->stiffness * stretch;
    *sum += line->bending * bending;
}

/* The weights of gravity are the integrals of the shape functions: 1/2, Le/12, 1/2, -Le/12. */
static void energy(const haw_line *line, const double *q, double energy[2])
{
    const double mass = line->density * line->le, arm = line->le / 6.0;
    double elastic = 0.0, potential = 0.0;
    for (int e = 0; e < line->elements; e++) {
        const double *qe = q + STRIDE * e;
        add_strain_energy(line, e, q, &elastic);
        for (int i = 0; i < 2; i++) {
            potential += line->gravity[i] * (qe[i] + qe[4 + i] + arm * (qe[2 + i] - qe[6 + i]));
        }
    }
    energy[0] += 0.5 * line->le * elastic;
    energy[1] -= 0.5 * mass * potential;
}

/* Work of one element on dc, da, db over Le, elastic and damping apart [N]. */
typedef struct work {
    double elastic[3][2], damping[3][2];
} work;

static inline void add_work(const double h[3], double factor, const double x[2], double sum[3][2])
{
    const double nx = factor * x[0], ny = factor * x[1];
    for (int i = 0; i < 3; i++) {
        sum[i][0] += h[i] * nx;
        sum[i][1] += h[i] * ny;
    }
}

/* w N t h_i; v: velocities, NULL for the elastic part alone. */
static inline void add_stretch(const haw_line *line, const haw_ancf_rule *rule, double z[3][2],
                               double (*v)[2], const double *natural, work *sum)
{
    for (int g = 0; g < rule->axial; g++) {
        const haw_ancf_point *point = &rule->stretch[g];
        double x[2], rate[2], elastic, damping, along = 0.0;
        ancf_combine(point->slope, z, x);
        const double size = sqrt(x[0] * x[0] + x[1] * x[1]), inverse = 1.0 / size;
        if (v != NULL) {
            ancf_combine(point->slope, v, rate);
            along = (x[0] * rate[0] + x[1] * rate[1]) * inverse;
        }
        ancf_tension(line, size - 1.0 - line->strain0 - natural[g], along, &elastic, &damping);
        add_work(point->slope, point->weight * inverse * elastic, x, sum->elastic);
        if (v != NULL) {
            add_work(point->slope, point->weight * inverse * damping, x, sum->damping);
        }
    }
}

/* w M dK/dz_i = w M (h_i dkappa/dr' + k_i dkappa/d(Le r'')) / Le; v as above. */
static inline void add_bending(const haw_line *line, const haw_ancf_rule *rule, double z[3][2],
                               double (*v)[2], const double *natural, work *sum)
{
    const double inverse_le = 1.0 / line->le;
    for (int g = 0; g < rule->bending; g++) {
        const haw_ancf_point *point = &rule->turn[g];
        double x[2], y[2], dx[2], dy[2];
        ancf_combine(point->slope, z, x);
        ancf_combine(point->bend, z, y);
        const haw_ancf_curve at = ancf_curve(x, y);
        const double bent = at.kappa * inverse_le - line->curvature0 - natural[rule->axial + g];
        const double moment = point->weight * line->bending * bent * inverse_le;
        add_work(point->slope, moment, at.x, sum->elastic);
        add_work(point->bend, moment, at.y, sum->elastic);
        if (v != NULL) {
            ancf_combine(point->slope, v, dx);
            ancf_combine(point->bend, v, dy);
            const double rate =
                at.x[0] * dx[0] + at.x[1] * dx[1] + at.y[0] * dy[0] + at.y[1] * dy[1];
            const double viscous =
                point->weight * line->damping_curvature * rate * inverse_le * inverse_le;
            add_work(point->slope, viscous, at.x, sum->damping);
            add_work(point->bend, viscous, at.y, sum->damping);
        }
    }
}

/* fe -= the work as forces on r0, r0', r1, r1'. */
static inline void scatter(double sum[3][2], double le, double *fe)
{
    for (int i = 0; i < 2; i++) {
        fe[i] += sum[0][i];
        fe[2 + i] -= le * sum[1][i];
        fe[4 + i] -= sum[0][i];
        fe[6 + i] -= le * sum[2][i];
    }
}

static inline void add_weight(const haw_line *line, double *fe)
{
    const double half = 0.5 * line->density * line->le, arm = line->le / 6.0;
    for (int i = 0; i < 2; i++) {
        const double lump = half * line->gravity[i];
        fe[i] += lump;
        fe[2 + i] += arm * lump;
        fe[4 + i] += lump;
        fe[6 + i] -= arm * lump;
    }
}

static void force(const haw_line *line, const double *q, double *f)
{
    const haw_ancf_rule *rule = &ancf_rules[line->scheme];
    for (int e = 0; e < line->elements; e++) {
        double z[3][2];
        work sum = {{{0.0}}, {{0.0}}};
        ancf_gather(q + STRIDE * e, 1.0 / line->le, z);
        add_stretch(line, rule, z, NULL, ancf_natural(line, e), &sum);
        if (line->bending > 0.0) {
            add_bending(line, rule, z, NULL, ancf_natural(line, e), &sum);
        }
        scatter(sum.elastic, line->le, f + STRIDE * e);
        add_weight(line, f + STRIDE * e);
    }
}

static void force_rates(const haw_line *line, const double *q, const double *u, double *f,
                        double *d)
{
    const haw_ancf_rule *rule = &ancf_rules[line->scheme];
    const double inverse_le = 1.0 / line->le;
    for (int e = 0; e < line->elements; e++) {
        double z[3][2], v[3][2];
        work sum = {{{0.0}}, {{0.0}}};
        ancf_gather(q + STRIDE * e, inverse_le, z);
        ancf_gather(u + STRIDE * e, inverse_le, v);
        add_stretch(line, rule, z, v, ancf_natural(line, e), &sum);
        if (line->damping_curvature > 0.0) {
            add_bending(line, rule, z, v, ancf_natural(line, e), &sum);
        } else if (line->bending > 0.0) {
            add_bending(line, rule, z, NULL, ancf_natural(line, e), &sum);
        }
        scatter(sum.elastic, line->le, f + STRIDE * e);
        scatter(sum.damping, line->le, d + STRIDE * e);
        add_weight(line, f + STRIDE * e);
    }
}

static void natural(const haw_line *line, int e, const double *q, double *natural)
{
    const haw_ancf_rule *rule = &ancf_rules[line->scheme];
    double z[3][2], x[2], y[2];
    memset(natural, 0, HAW_NATURAL_MAX * sizeof *natural);
    ancf_gather(q + STRIDE * e, 1.0 / line->le, z);
    for (int g = 0; g < rule->axial; g++) {
        ancf_combine(rule->stretch[g].slope, z, x);
        natural[g] = sqrt(x[0] * x[0] + x[1] * x[1]) - 1.0;
    }
    for (int g = 0; g < rule->bending; g++) {
        ancf_combine(rule->turn[g].slope, z, x);
        ancf_combine(rule->turn[g].bend, z, y);
        natural[rule->axial + g] = ancf_curve(x, y).kappa / line->le;
    }
}

/* The natural strain between the points of the rule: their interpolation polynomial. */
static double natural_strain(const haw_line *line, int e, double s)
{
    const haw_ancf_rule *rule = &ancf_rules[line->scheme];
    const double *value = ancf_natural(line, e);
    double sum = 0.0;
    for (int g = 0; g < rule->axial && line->natural != NULL; g++) {
        double share = 1.0;
        for (int k = 0; k < rule->axial; k++) {
            const double at = rule->stretch[k].s;
            share *= k != g ? (s - at) / (rule->stretch[g].s - at) : 1.0;
        }
        sum += share * value[g];
    }
    return sum;
}

static void axial(const haw_line *line, int e, double s, const double *q, const double *u,
                  haw_axial *axial)
{
    double elastic, damping, along = 0.0;
    haw_cubic_axial(line, e, s, q, u, axial);
    if (u != NULL) {
        double p[4][2], rate[2], second[2];
        haw_hermite_controls(line, e, u, p);
        cubic_slope(2, p[0], s, rate, second);
        along = (axial->tangent[0] * rate[0] + axial->tangent[1] * rate[1]) / line->le;
    }
    const double strain = axial->strain - line->strain0 - natural_strain(line, e, s);
    ancf_tension(line, strain, along, &elastic, &damping);
    axial->tension = elastic + damping;
}

static double length(const haw_line *line, int e, const double *q)
{
    const haw_ancf_rule *rule = &ancf_rules[line->scheme];
    double z[3][2], sum = 0.0;
    ancf_gather(q + STRIDE * e, 1.0 / line->le, z);
    for (int g = 0; g < rule->axial; g++) {
        double x[2];
        ancf_combine(rule->stretch[g].slope, z, x);
        sum += rule->stretch[g].weight * sqrt(x[0] * x[0] + x[1] * x[1]);
    }
    return line->le * sum;
}

/* ---- tangent ---- */

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

static inline void add_stretch_tangent(const haw_line *line, double z[3][2], double v[3][2],
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

/* Of z_i: its gradient of kappa, s_i = -2 M X_i, and what the gradient of z_j multiplies. */
typedef struct turn_part {
    double h, k;
    double gradient[2], left[2], right[2];
} turn_part;

static inline turn_part turn_part_of(const haw_ancf_point *point, const turn *p, int i)
{
    const double h = point->slope[i], k = point->bend[i], s = -2.0 * p->moment * h;
    const double gx = h * p->at.x[0] + k * p->at.y[0], gy = h * p->at.x[1] + k * p->at.y[1];
    const double sx = s * p->x[0], sy = s * p->x[1];
    return (turn_part){h, k, {gx, gy}, {sx, sy}, {p->stiffness * gx + sx, p->stiffness * gy + sy}};
}

/* stiffness g g' + g s' + s g' + M [-2 kappa I, E; E', 0] of one pair. */
static inline void add_turn_pair(const turn *p, const turn_part *i, const turn_part *j, double *to)
{
    const double even = -2.0 * p->moment * p->at.kappa * i->h * j->h;
    const double odd = p->moment * (i->h * j->k - i->k * j->h);
    to[0] += i->gradient[0] * j->right[0] + i->left[0] * j->gradient[0] + even;
    to[1] += i->gradient[0] * j->right[1] + i->left[0] * j->gradient[1] + odd;
    to[2] += i->gradient[1] * j->right[0] + i->left[1] * j->gradient[0] - odd;
    to[3] += i->gradient[1] * j->right[1] + i->left[1] * j->gradient[1] + even;
}

static inline void add_turn(const haw_ancf_point *point, const turn *p, tangent_sum *sum)
{
    const turn_part c = turn_part_of(point, p, 0);
    const turn_part a = turn_part_of(point, p, 1);
    const turn_part b = turn_part_of(point, p, 2);
    add_turn_pair(p, &c, &c, sum->block[0][0]);
    add_turn_pair(p, &c, &a, sum->block[0][1]);
    add_turn_pair(p, &c, &b, sum->block[0][2]);
    add_turn_pair(p, &a, &a, sum->block[1][1]);
    add_turn_pair(p, &a, &b, sum->block[1][2]);
    add_turn_pair(p, &b, &b, sum->block[2][2]);
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

/* The block (i, j) of r0, r0', r1, r1'. */
static inline void put(double *k, int i, int j, double factor, const double block[4])
{
    double *to = k + 2 * DOFS * i + 2 * j;
    to[0] = factor * block[0];
    to[1] = factor * block[1];
    to[DOFS] = factor * block[2];
    to[DOFS + 1] = factor * block[3];
}

/* r0 and r1 move c by -+1 / Le, the slopes are a and b; the sum is over Le. */
static inline void spread(double le, tangent_sum *sum, double *k)
{
    const double inverse_le = 1.0 / le;
    for (int i = 0; i < 2; i++) {
        const double sign = i == 0 ? -1.0 : 1.0;
        put(k, 2 * i, 0, -sign * inverse_le, sum->block[0][0]);
        put(k, 2 * i, 2, sign * inverse_le, sum->block[0][0]);
        put(k, 2 * i, 1, sign, sum->block[0][1]);
        put(k, 2 * i, 3, sign, sum->block[0][2]);
        put(k, 2 * i + 1, 0, -1.0, sum->block[1 + i][0]);
        put(k, 2 * i + 1, 2, 1.0, sum->block[1 + i][0]);
        put(k, 2 * i + 1, 1, le, sum->block[1 + i][1]);
        put(k, 2 * i + 1, 3, le, sum->block[1 + i][2]);
    }
}

/* What dEI makes unsymmetric: after the rest is mirrored. */
static void add_drag(const haw_line *line, double z[3][2], double v[3][2], const double *natural,
                     const mode *how, tangent_sum *sum)
{
    const haw_ancf_rule *rule = &ancf_rules[line->scheme];
    for (int g = 0; g < rule->bending; g++) {
        turn p = turn_at(line, &rule->turn[g], z, natural[rule->axial + g], how->clip);
        turn_viscous(line, &rule->turn[g], v, how->rate, &p);
        add_viscous(&rule->turn[g], &p, sum);
    }
}

static inline void element(const haw_line *line, int e, double z[3][2], double v[3][2],
                           const mode *how, double *k)
{
    const haw_ancf_rule *rule = &ancf_rules[line->scheme];
    const double *natural = ancf_natural(line, e);
    const bool viscous = line->damping_curvature > 0.0;
    tangent_sum sum = {{{{0.0}}}, {{0.0}}};
    add_stretch_tangent(line, z, v, natural, how, &sum);
    for (int g = 0; g < rule->bending && (line->bending > 0.0 || viscous); g++) {
        turn p = turn_at(line, &rule->turn[g], z, natural[rule->axial + g], how->clip);
        if (viscous) {
            turn_viscous(line, &rule->turn[g], v, how->rate, &p);
        }
        add_turn(&rule->turn[g], &p, &sum);
    }
    mirror(&sum);
    if (viscous) {
        add_drag(line, z, v, natural, how, &sum);
    }
    spread(line->le, &sum, k);
}

static void tangent(const haw_line *line, int e, const double *q, bool clip, double *k)
{
    const mode how = {.clip = clip};
    double z[3][2], v[3][2] = {{0.0}};
    ancf_gather(q + 4 * e, 1.0 / line->le, z);
    element(line, e, z, v, &how, k);
}

static void tangent_rates(const haw_line *line, int e, const double *q, const double *u,
                          double rate, double *k)
{
    const mode how = {.rate = rate};
    double z[3][2], v[3][2];
    ancf_gather(q + 4 * e, 1.0 / line->le, z);
    ancf_gather(u + 4 * e, 1.0 / line->le, v);
    element(line, e, z, v, &how, k);
}

const haw_element_ops haw_element_ancf = {
    .row.name = "ancf",
    .row.summary = "C1 cubic in positions and slopes with bending, damping and a reference shape",
    .row.source = "J. Gerstmayr, H. Irschik, J. Sound Vib. 318 (2008); quadrature and damping of "
                  "K. Ntarladima, M. Pieber, J. Gerstmayr, Nonlinear Dyn. 111 (2023)",
    .stride = STRIDE,
    .dofs = DOFS,
    .places = 2,
    .hull = 4,
    .mass_width = 3,
    .mass_copies = 2,
    .mass_block = 4,
    .mass_constant = true,
    .step_limit = 0.1951,         /* 2 / sqrt(105), rule c: all slopes equal, positions at rest */
    .step_limit_free = 0.1027,    /* one element on its own, rule c: 2 / 19.4657 */
    .step_limit_bending = 0.0218, /* one element on its own: 2 / sqrt(8400) */
    .order = 4,                   /* with bending; for rule c however large EA is */
    .interpolate = haw_hermite_interpolate,
    .energy = energy,
    .force = force,
    .tangent = tangent,
    .mass = haw_hermite_mass,
    .kinetic = haw_hermite_kinetic,
    .controls = haw_hermite_controls,
    .position = haw_hermite_position,
    .axial = axial,
    .basis = haw_hermite_basis,
    .force_rates = force_rates,
    .tangent_rates = tangent_rates,
    .natural = natural,
    .length = length,
};
