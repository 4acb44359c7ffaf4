/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ANCF cable element in space (J. Gerstmayr, H. Irschik, J. Sound Vib. 318 (2008)) with chord,
 * slopes and rules of ancf_kernel.h. The curvature is a vector, k = (r' x Le r'') / |r'|^2 = Le K.
 * Without a material frame only its length is known to the cable: the work is that of
 *
 *     M = (EI - EI K0 / K) K + dEI (K . dK/dt) K / K^2
 *
 * with every section turned about its axis to where it stores least. Torsion has no work. The
 * quadrature is that of scheme c: with more points a stiff axis locks the bending, and the order
 * falls to two.
 */
#include "base/lie.h"
#include "element/ancf_kernel.h"
#include "element/bezier_kernel.h"
#include "element/space.h"

#include <string.h>

enum { STRIDE = 6, N = HAW_SPACE_DOFS };

/* K^2 that is added in divisions by K^2, over Le^2: a cable this straight has neither a reference
 * curvature nor a drag of bending. */
static const double ancf_space_straight = 1e-8;

static const haw_ancf_rule *const ancf_space_rule = &ancf_rules[2];

/** Chord and slopes c, a, b of the element whose first coordinate is q[0]; of rates as well. */
static inline void ancf_space_gather(const double *q, double inverse_le, double z[3][3])
{
    for (int i = 0; i < 3; i++) {
        z[0][i] = (q[6 + i] - q[i]) * inverse_le;
        z[1][i] = q[3 + i];
        z[2][i] = q[9 + i];
    }
}

static inline void ancf_space_combine(const double h[3], double z[3][3], double x[3])
{
    for (int i = 0; i < 3; i++) {
        x[i] = h[0] * z[0][i] + h[1] * z[1][i] + h[2] * z[2][i];
    }
}

/* Where the strains of an element's stress-free shape stand: that at its start, and what it has
 * more at the points of the rule. A shape may change within an element, as a path of lines and arcs
 * does. */
enum { STRETCHED = 0, STRETCHED_PER_S = 1, STRETCHED_PER_S2 = 2, BENT_PER_S = 4, BENT = 5 };

/** The axial strain of the stress-free shape, of order two in s as the rule has three points. */
static inline double ancf_space_stretched(const haw_beam *beam, int e, double s)
{
    const double *row = beam->natural != NULL ? beam->natural + (ptrdiff_t)HAW_STRAINS * e : NULL;
    return row != NULL ? row[STRETCHED] + s * (row[STRETCHED_PER_S] + s * row[STRETCHED_PER_S2])
                       : 0.0;
}

/** Its curvature [1/m], linear in s as the rule has two points. */
static inline double ancf_space_bent(const haw_beam *beam, int e, double s)
{
    const double *row = beam->natural != NULL ? beam->natural + (ptrdiff_t)HAW_STRAINS * e : NULL;
    return row != NULL ? row[BENT] + s * row[BENT_PER_S] : 0.0;
}

/* Stretch of a point: r', its rate, unit tangent, N elastic and viscous. */
typedef struct ancf_space_stretch {
    double rate[3], t[3], size, along; /* along: d|r'|/dt */
    double elastic, viscous;           /* [N] */
} ancf_space_stretch;

/** @param v  rates of z; zeros: at rest */
static inline ancf_space_stretch ancf_space_stretch_at(const haw_beam *beam, int e,
                                                       const haw_ancf_point *point, double z[3][3],
                                                       double v[3][3])
{
    ancf_space_stretch p;
    ancf_space_combine(point->slope, z, p.t);
    ancf_space_combine(point->slope, v, p.rate);
    p.size = vec3_norm(p.t);
    for (int i = 0; i < 3; i++) {
        p.t[i] /= p.size;
    }
    p.along = vec3_dot(p.t, p.rate);
    p.elastic = beam->stiffness[0] * (p.size - 1.0 - ancf_space_stretched(beam, e, point->s));
    p.viscous = beam->damping[0] * p.along;
    return p;
}

/* Curvature of a point: x = r', y = Le r'', k and their rates. */
typedef struct ancf_space_turn {
    double x[3], y[3], dx[3], dy[3], k[3], dk[3];
    double inverse, square;        /* 1 / |r'|^2, k.k */
    double natural;                /* Le K0 */
    double elastic[3], viscous[3]; /* Le^2 M, by which the work is M.dk / Le */
} ancf_space_turn;

/* k = (x x y) / x.x and its rate. */
static inline void ancf_space_bend(ancf_space_turn *p)
{
    double first[3], second[3];
    p->inverse = 1.0 / vec3_dot(p->x, p->x);
    vec3_cross(p->x, p->y, p->k);
    vec3_cross(p->dx, p->y, first);
    vec3_cross(p->x, p->dy, second);
    const double growth = 2.0 * vec3_dot(p->x, p->dx) * p->inverse;
    for (int i = 0; i < 3; i++) {
        p->k[i] *= p->inverse;
        p->dk[i] = (first[i] + second[i]) * p->inverse - growth * p->k[i];
    }
    p->square = vec3_dot(p->k, p->k);
}

static inline ancf_space_turn ancf_space_turn_at(const haw_beam *beam, int e,
                                                 const haw_ancf_point *point, double z[3][3],
                                                 double v[3][3])
{
    ancf_space_turn p;
    p.natural = ancf_space_bent(beam, e, point->s) * beam->le;
    ancf_space_combine(point->slope, z, p.x);
    ancf_space_combine(point->bend, z, p.y);
    ancf_space_combine(point->slope, v, p.dx);
    ancf_space_combine(point->bend, v, p.dy);
    ancf_space_bend(&p);
    const double floored = p.square + ancf_space_straight;
    const double elastic = beam->stiffness[5] * (1.0 - p.natural / sqrt(floored));
    const double viscous = beam->damping[5] * vec3_dot(p.k, p.dk) / floored;
    for (int i = 0; i < 3; i++) {
        p.elastic[i] = elastic * p.k[i];
        p.viscous[i] = viscous * p.k[i];
    }
    return p;
}

/** What a moment m does on dx and dy: the transposed Jacobian of k. */
static inline void ancf_space_work(const ancf_space_turn *p, const double m[3], double fx[3],
                                   double fy[3])
{
    const double along = 2.0 * vec3_dot(p->k, m);
    vec3_cross(p->y, m, fx);
    vec3_cross(m, p->x, fy);
    for (int i = 0; i < 3; i++) {
        fx[i] = (fx[i] - along * p->x[i]) * p->inverse;
        fy[i] *= p->inverse;
    }
}

/* At the points of the rule, of which only those at s = 0, 1/2, 1 and two inside are read: no
 * stress as drawn, whatever the shape is between them. */
static void natural(const haw_beam *beam, int e, const double *q, double strain[HAW_STRAINS])
{
    const haw_ancf_rule *rule = ancf_space_rule;
    const haw_ancf_point *turn = rule->turn;
    double z[3][3], x[3], axial[3], bent[2];
    memset(strain, 0, HAW_STRAINS * sizeof *strain);
    ancf_space_gather(q + STRIDE * e, 1.0 / beam->le, z);
    for (int g = 0; g < 3; g++) {
        ancf_space_combine(rule->stretch[g].slope, z, x);
        axial[g] = vec3_norm(x) - 1.0;
    }
    for (int g = 0; g < 2; g++) {
        ancf_space_turn p = {.dx = {0.0}};
        ancf_space_combine(turn[g].slope, z, p.x);
        ancf_space_combine(turn[g].bend, z, p.y);
        ancf_space_bend(&p);
        bent[g] = sqrt(p.square) / beam->le;
    }
    strain[STRETCHED] = axial[0];
    strain[STRETCHED_PER_S] = 4.0 * axial[1] - 3.0 * axial[0] - axial[2];
    strain[STRETCHED_PER_S2] = 2.0 * (axial[0] - 2.0 * axial[1] + axial[2]);
    strain[BENT_PER_S] = (bent[1] - bent[0]) / (turn[1].s - turn[0].s);
    strain[BENT] = bent[0] - strain[BENT_PER_S] * turn[0].s;
}

/*
 * EA eps^2 + EI (K^2 - 2 K0 sqrt(K^2 + s^2) + C), twice the energy over the length, with s of
 * straight pieces. C makes it zero where there is no moment: at K^2 = K0^2 - s^2, or at K = 0.
 */
static double strain_energy(const haw_beam *beam, int e, const double *q)
{
    const haw_ancf_rule *rule = ancf_space_rule;
    const double inverse_le = 1.0 / beam->le;
    const double straight = sqrt(ancf_space_straight) * inverse_le;
    double z[3][3], rest[3][3] = {{0.0}}, sum = 0.0;
    ancf_space_gather(q + STRIDE * e, inverse_le, z);
    for (int g = 0; g < rule->axial; g++) {
        const ancf_space_stretch p = ancf_space_stretch_at(beam, e, &rule->stretch[g], z, rest);
        sum += rule->stretch[g].weight * p.elastic * (p.elastic / beam->stiffness[0]);
    }
    for (int g = 0; g < rule->bending; g++) {
        const ancf_space_turn p = ancf_space_turn_at(beam, e, &rule->turn[g], z, rest);
        const double curvature = sqrt(p.square + ancf_space_straight) * inverse_le;
        const double bent = p.natural * inverse_le;
        const double least =
            bent > straight ? bent * bent + straight * straight : 2.0 * bent * straight;
        const double square = p.square * inverse_le * inverse_le;
        const double work = square - 2.0 * bent * curvature + least;
        sum += rule->turn[g].weight * beam->stiffness[5] * work;
    }
    return sum;
}

static void energy(const haw_beam *beam, const double *q, double energy[2])
{
    const double arm = beam->le / 6.0;
    double elastic = 0.0, height = 0.0;
    for (int e = 0; e < beam->elements; e++) {
        const double *qe = q + STRIDE * e;
        elastic += strain_energy(beam, e, q);
        for (int i = 0; i < 3; i++) {
            height += beam->gravity[i] * (qe[i] + qe[6 + i] + arm * (qe[3 + i] - qe[9 + i]));
        }
    }
    energy[0] += 0.5 * beam->le * elastic;
    energy[1] -= 0.5 * beam->density * beam->le * height;
}

/* sum += h f. */
static inline void add_work(const double h[3], double factor, const double f[3], double sum[3][3])
{
    for (int i = 0; i < 3; i++) {
        vec3_add(factor * h[i], f, sum[i]);
    }
}

static inline void add_moment(const haw_ancf_point *point, double factor, const ancf_space_turn *p,
                              const double m[3], double sum[3][3])
{
    double fx[3], fy[3];
    ancf_space_work(p, m, fx, fy);
    add_work(point->slope, factor, fx, sum);
    add_work(point->bend, factor, fy, sum);
}

/* f [12] -= the work over Le on c, a, b as forces on r0, r0', r1, r1'. */
static inline void scatter(double sum[3][3], double le, double *f)
{
    vec3_add(1.0, sum[0], f);
    vec3_add(-le, sum[1], f + 3);
    vec3_add(-1.0, sum[0], f + 6);
    vec3_add(-le, sum[2], f + 9);
}

static void force(const haw_beam *beam, const double *q, const double *u, double *f, double *d)
{
    const haw_ancf_rule *rule = ancf_space_rule;
    const double inverse_le = 1.0 / beam->le, half = 0.5 * beam->density * beam->le;
    const double arm = half * beam->le / 6.0;
    for (int e = 0; e < beam->elements; e++) {
        double z[3][3], v[3][3] = {{0.0}}, elastic[3][3] = {{0.0}}, viscous[3][3] = {{0.0}};
        double *fe = f + STRIDE * e;
        ancf_space_gather(q + STRIDE * e, inverse_le, z);
        if (u != NULL) {
            ancf_space_gather(u + STRIDE * e, inverse_le, v);
        }
        for (int g = 0; g < rule->axial; g++) {
            const haw_ancf_point *point = &rule->stretch[g];
            const ancf_space_stretch p = ancf_space_stretch_at(beam, e, point, z, v);
            add_work(point->slope, point->weight * p.elastic, p.t, elastic);
            add_work(point->slope, point->weight * p.viscous, p.t, viscous);
        }
        for (int g = 0; g < rule->bending; g++) {
            const haw_ancf_point *point = &rule->turn[g];
            const double factor = point->weight * inverse_le * inverse_le;
            const ancf_space_turn p = ancf_space_turn_at(beam, e, point, z, v);
            add_moment(point, factor, &p, p.elastic, elastic);
            add_moment(point, factor, &p, p.viscous, viscous);
        }
        scatter(elastic, beam->le, fe);
        if (u != NULL) {
            scatter(viscous, beam->le, d + STRIDE * e);
        }
        vec3_add(half, beam->gravity, fe);
        vec3_add(arm, beam->gravity, fe + 3);
        vec3_add(half, beam->gravity, fe + 6);
        vec3_add(-arm, beam->gravity, fe + 9);
    }
}

/* The limits of the planar element with the same rule (ancf.c): a straight cable stretches and
 * bends in directions of its own. */
static double stiffest(const haw_beam *beam, bool is_free)
{
    const double square = beam->le * beam->le, mass = beam->density * square;
    const double axial = beam->stiffness[0] / mass, bending = beam->stiffness[5] / (mass * square);
    return fmax((is_free ? 378.9139 : 105.0) * axial, 8400.0 * bending);
}

static double kinetic(const haw_beam *beam, const double *u)
{
    const haw_line line = cubic_line(beam);
    double block[16], sum = 0.0;
    haw_hermite_mass(&line, 0, NULL, block);
    for (int e = 0; e < beam->elements; e++) {
        const double *ue = u + STRIDE * e;
        for (int i = 0; i < 16; i++) {
            sum += block[i] * vec3_dot(ue + 3 * (i / 4), ue + 3 * (i % 4));
        }
    }
    return 0.5 * sum;
}

static void strain(const haw_beam *beam, int e, double s, const double *q, const double *u,
                   haw_space_strain *strain)
{
    const haw_ancf_point at = {
        .s = s,
        .slope = {6.0 * s * (1.0 - s), (1.0 - s) * (1.0 - 3.0 * s), s * (3.0 * s - 2.0)},
        .bend = {6.0 * (1.0 - 2.0 * s), 6.0 * s - 4.0, 6.0 * s - 2.0}};
    double z[3][3], v[3][3] = {{0.0}};
    memset(strain, 0, sizeof *strain);
    ancf_space_gather(q + STRIDE * e, 1.0 / beam->le, z);
    if (u != NULL) {
        ancf_space_gather(u + STRIDE * e, 1.0 / beam->le, v);
    }
    const ancf_space_stretch p = ancf_space_stretch_at(beam, e, &at, z, v);
    const ancf_space_turn b = ancf_space_turn_at(beam, e, &at, z, v);
    const double size = sqrt(b.square + ancf_space_straight);
    strain->strain[0] = p.size - 1.0;
    strain->tension = strain->stress[0] = p.elastic + p.viscous;
    strain->curvature = strain->strain[5] = sqrt(b.square) / beam->le;
    strain->stress[5] = (vec3_dot(b.elastic, b.k) + vec3_dot(b.viscous, b.k)) / (size * beam->le);
}

static double turn(const double *a, const double *b)
{
    double normal[3];
    vec3_cross(a + 3, b + 3, normal);
    return atan2(vec3_norm(normal), vec3_dot(a + 3, b + 3));
}

/* ---- tangent: at each point the derivative of the work on x and y, spread over chord and slopes,
 * then over the nodes ---- */

/* Derivative of the forces on x and y: xx, xy, yx, yy [9]. */
typedef struct pair {
    double block[2][2][9];
} pair;

/* Blocks of c, a, b [9]. */
typedef struct sum {
    double block[3][3][9];
} sum;

static inline void add(double factor, const double m[9], double *to)
{
    for (int i = 0; i < 9; i++) {
        to[i] += factor * m[i];
    }
}

static inline void unit(double factor, double m[9])
{
    m[0] += factor;
    m[4] += factor;
    m[8] += factor;
}

/* c += a^T b. */
static inline void add_t_product(const double a[9], const double b[9], double c[9])
{
    for (int i = 0; i < 3; i++) {
        mat3_add_outer(1.0, a + 3 * i, b + 3 * i, c);
    }
}

/* N t: N / |r'| (1 - t t^T) + t dN^T, dN = (EA + rate dEA) t + dEA (1 - t t^T) dr'/dt / |r'|. */
static inline void add_stretch(const haw_beam *beam, const haw_ancf_point *point,
                               const ancf_space_stretch *p, double rate, sum *to)
{
    const double across = (p->elastic + p->viscous) / p->size;
    const double along = beam->stiffness[0] + rate * beam->damping[0];
    const double drag = beam->damping[0] / p->size;
    double m[9] = {0.0}, grow[3];
    for (int i = 0; i < 3; i++) {
        grow[i] = (along - across - drag * p->along) * p->t[i] + drag * p->rate[i];
    }
    unit(across, m);
    mat3_add_outer(1.0, p->t, grow, m);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            add(point->weight * point->slope[i] * point->slope[j], m, to->block[i][j]);
        }
    }
}

/* Jacobian of k to x and y: -(y~ + 2 k x^T) / x.x, x~ / x.x. */
static inline void jacobian(const ancf_space_turn *p, double j[2][9])
{
    memset(j, 0, 2 * sizeof *j);
    mat3_add_skew(-p->inverse, p->y, j[0]);
    mat3_add_outer(-2.0 * p->inverse, p->k, p->x, j[0]);
    mat3_add_skew(p->inverse, p->x, j[1]);
}

/* The moment m held. */
static inline void add_geometric(const ancf_space_turn *p, const double m[3], pair *h)
{
    const double factor = -2.0 * p->inverse;
    double fx[3], fy[3];
    ancf_space_work(p, m, fx, fy);
    unit(factor * vec3_dot(p->k, m), h->block[0][0]);
    mat3_add_outer(factor, p->x, fx, h->block[0][0]);
    mat3_add_outer(factor, fx, p->x, h->block[0][0]);
    mat3_add_skew(-p->inverse, m, h->block[0][1]);
    mat3_add_outer(factor, p->x, fy, h->block[0][1]);
    mat3_add_skew(p->inverse, m, h->block[1][0]);
    mat3_add_outer(factor, fy, p->x, h->block[1][0]);
}

/* dM/dk, the rate included with `rate`; and dM/d(dk/dt). */
static inline void moduli(const haw_beam *beam, const ancf_space_turn *p, double rate,
                          double now[9], double drag[9])
{
    const double floored = p->square + ancf_space_straight, size = sqrt(floored);
    const double share = p->natural / size;
    const double viscous = beam->damping[5] / floored, along = vec3_dot(p->k, p->dk);
    const double bent = beam->stiffness[5] * share / floored;
    unit(beam->stiffness[5] * (1.0 - share) + viscous * along, now);
    mat3_add_outer(bent + viscous * (rate - 2.0 * along / floored), p->k, p->k, now);
    mat3_add_outer(viscous, p->k, p->dk, now);
    mat3_add_outer(viscous, p->k, p->k, drag);
}

/* Jacobian of dk/dt to x and y at fixed rates of both. */
static inline void rate_jacobian(const ancf_space_turn *p, double j[2][9], double dj[2][9])
{
    const double growth = -2.0 * vec3_dot(p->x, p->dx) * p->inverse;
    memset(dj, 0, 2 * sizeof *dj);
    mat3_add_skew(-p->inverse, p->dy, dj[0]);
    mat3_add_outer(-2.0 * p->inverse, p->dk, p->x, dj[0]);
    mat3_add_outer(-2.0 * p->inverse, p->k, p->dx, dj[0]);
    add(growth, j[0], dj[0]);
    mat3_add_skew(p->inverse, p->dx, dj[1]);
    add(growth, j[1], dj[1]);
}

static inline void differentiate(const haw_beam *beam, const ancf_space_turn *p, double rate,
                                 pair *h)
{
    double m[3], j[2][9], dj[2][9], now[9] = {0.0}, drag[9] = {0.0};
    for (int i = 0; i < 3; i++) {
        m[i] = p->elastic[i] + p->viscous[i];
    }
    jacobian(p, j);
    rate_jacobian(p, j, dj);
    moduli(beam, p, rate, now, drag);
    add_geometric(p, m, h);
    for (int c = 0; c < 2; c++) {
        double change[9], follow[9];
        mat3_product(now, j[c], change);
        mat3_product(drag, dj[c], follow);
        add(1.0, follow, change);
        add_t_product(j[0], change, h->block[0][c]);
        add_t_product(j[1], change, h->block[1][c]);
    }
}

static inline void add_turn(const haw_ancf_point *point, double factor, const pair *h, sum *to)
{
    for (int i = 0; i < 3; i++) {
        const double row[2] = {factor * point->slope[i], factor * point->bend[i]};
        for (int j = 0; j < 3; j++) {
            add(row[0] * point->slope[j], h->block[0][0], to->block[i][j]);
            add(row[0] * point->bend[j], h->block[0][1], to->block[i][j]);
            add(row[1] * point->slope[j], h->block[1][0], to->block[i][j]);
            add(row[1] * point->bend[j], h->block[1][1], to->block[i][j]);
        }
    }
}

/* r0 and r1 move c by -+1 / Le, the slopes are a and b; the sum is over Le. */
static inline void spread(double le, const sum *from, double *k)
{
    static const int part[4] = {0, 1, 0, 2};
    const double scale[4] = {-1.0 / le, 1.0, 1.0 / le, 1.0};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            const double factor = le * scale[i] * scale[j];
            const double *m = from->block[part[i]][part[j]];
            for (int r = 0; r < 9; r++) {
                k[N * (3 * i + r / 3) + 3 * j + r % 3] = factor * m[r];
            }
        }
    }
}

static void tangent(const haw_beam *beam, int e, const double *q, const double *u, double rate,
                    double k[HAW_SPACE_DOFS * HAW_SPACE_DOFS])
{
    const haw_ancf_rule *rule = ancf_space_rule;
    const double inverse_le = 1.0 / beam->le;
    double z[3][3], v[3][3] = {{0.0}};
    sum total = {{{{0.0}}}};
    ancf_space_gather(q + STRIDE * e, inverse_le, z);
    if (u != NULL) {
        ancf_space_gather(u + STRIDE * e, inverse_le, v);
    }
    for (int g = 0; g < rule->axial; g++) {
        const haw_ancf_point *point = &rule->stretch[g];
        const ancf_space_stretch p = ancf_space_stretch_at(beam, e, point, z, v);
        add_stretch(beam, point, &p, rate, &total);
    }
    for (int g = 0; g < rule->bending; g++) {
        const haw_ancf_point *point = &rule->turn[g];
        const ancf_space_turn p = ancf_space_turn_at(beam, e, point, z, v);
        pair h = {{{{0.0}}}};
        differentiate(beam, &p, rate, &h);
        add_turn(point, point->weight * inverse_le * inverse_le, &h, &total);
    }
    spread(beam->le, &total, k);
}

const haw_space_ops haw_space_element_ancf = {
    .row.name = "ancf",
    .row.summary = "C1 cubic in positions and slopes: stretch and bending, no torsion",
    .row.source = "J. Gerstmayr, H. Irschik, J. Sound Vib. 318 (2008)",
    .node_coordinates = STRIDE,
    .node_dofs = STRIDE,
    .dofs = HAW_SPACE_DOFS,
    .order = 4,
    .interpolate = haw_hermite_lay,
    .natural = natural,
    .energy = energy,
    .force = force,
    .tangent = tangent,
    .mass = haw_hermite_block,
    .kinetic = kinetic,
    .stiffest = stiffest,
    .mass_copies = 3,
    .mass_width = 3,
    .point = haw_hermite_point,
    .strain = strain,
    .turn = turn,
    .polygon = haw_hermite_polygon,
    .curve = haw_cubic_curve,
};
