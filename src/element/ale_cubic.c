/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cubic contact element of a rope: r = sum N_i Z_i over Z = (r1, r1', r2, r2') with Hermite's
 * functions of (s - s1) / L, L = s2 - s1.
 *
 * A cubic stays the same cubic when its ends move along it. Hence with the label column
 * dr/ds1 = -(N_1 r1' + N_2 r1''), and the same at the other end,
 *
 *     v = sum N_i V_i,        V = (r1, r1', r2, r2')' - (s1' r1', s1' r1'', s2' r2', s2' r2''),
 *     dv/dt = sum N_i A_i,    A_1 = r1.. - s1.. r1' - 2 s1' (r1')' + s1'^2 r1'',
 *                             A_2 = (r1')'.. - s1.. r1'' - 2 s1' v''(s1) - s1'^2 r''',
 *
 * the velocities and accelerations of material points and slopes that are at the ends now: all of
 * the element is the constant Gram matrix of Hermite's functions over V and A, and forces on labels
 * are -(r1'.F_1 + r1''.F_2) of those on Z. Exact, with one rule of five points for strain and
 * curvature.
 */
#include "element/ale_kernel.h"
#include "element/ancf_kernel.h"
#include "element/bezier_kernel.h"

#include <string.h>

enum { FREE = 8, DOFS = 10, POINTS = ANCF_AXIAL_MAX };

/* The rule of strain and curvature. */
static const haw_ancf_point *const ale_rule = ancf_rules[0].stretch;

/* The cubic: r' = sum h_i z_i, r'' = sum k_i z_i / L of z = (c, r1', r2'), c = (r2 - r1) / L. */
typedef struct ale_cubic {
    double le, inverse; /* L, 1 / L */
    double z[3][2];
    double end[2][4]; /* (r', r'') of both ends */
    double third[2];  /* r''' */
} ale_cubic;

static inline void ale_seconds(double z[3][2], double inverse, double first[2], double last[2])
{
    for (int i = 0; i < 2; i++) {
        first[i] = (6.0 * z[0][i] - 4.0 * z[1][i] - 2.0 * z[2][i]) * inverse;
        last[i] = (-6.0 * z[0][i] + 2.0 * z[1][i] + 4.0 * z[2][i]) * inverse;
    }
}

static inline ale_cubic ale_cubic_of(const double *q)
{
    ale_cubic at = {.le = q[9] - q[8], .inverse = 1.0 / (q[9] - q[8])};
    ancf_gather(q, at.inverse, at.z);
    ale_seconds(at.z, at.inverse, at.end[0] + 2, at.end[1] + 2);
    for (int i = 0; i < 2; i++) {
        at.end[0][i] = q[2 + i];
        at.end[1][i] = q[6 + i];
        at.third[i] = (at.end[1][2 + i] - at.end[0][2 + i]) * at.inverse;
    }
    return at;
}

/* V: material velocities of the ends' points and slopes. */
static inline void ale_flow(const ale_cubic *at, const double *u, double v[FREE])
{
    for (int i = 0; i < 4; i++) {
        v[i] = u[i] - u[8] * at->end[0][i];
        v[4 + i] = u[4 + i] - u[9] * at->end[1][i];
    }
}

/* Integrals of rho N_i N_j ds. */
static inline void ale_gram(double density, double le, double m[4][4])
{
    const double third = le / 3.0, unit = density * le / 420.0;
    const double scale[4] = {unit, unit * third, unit, unit * third},
                 other[4] = {1, third, 1, third};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            m[i][j] = scale[i] * other[j] * cubic_gram_matrix[i][j];
        }
    }
}

/* A, with a NULL the convective part alone. */
static inline void acceleration(const ale_cubic *at, const double *u, const double *a,
                                double out[FREE])
{
    double v[FREE], vz[3][2], bend[2][2];
    ale_flow(at, u, v);
    ancf_gather(v, at->inverse, vz);
    ale_seconds(vz, at->inverse, bend[0], bend[1]);
    for (int e = 0; e < 2; e++) {
        const double rate = u[8 + e];
        const double *end = at->end[e];
        for (int i = 0; i < 2; i++) {
            const int x = 4 * e + i, slope = x + 2;
            out[x] = rate * (rate * end[2 + i] - 2.0 * u[slope]);
            out[slope] = -rate * (2.0 * bend[e][i] + rate * at->third[i]);
        }
        for (int i = 0; i < 4 && a != NULL; i++) {
            out[4 * e + i] += a[4 * e + i] - a[8 + e] * end[i];
        }
    }
}

/* out = rho sum_j int N_i N_j ds A_j. */
static inline void gram_product(double m[4][4], const double a[FREE], double out[FREE])
{
    for (int i = 0; i < 4; i++) {
        for (int x = 0; x < 2; x++) {
            out[2 * i + x] =
                m[i][0] * a[x] + m[i][1] * a[2 + x] + m[i][2] * a[4 + x] + m[i][3] * a[6 + x];
        }
    }
}

/* y += forces on Z, and what they are on the labels. */
static inline void add_rows(const ale_cubic *at, const double f[FREE], double *y)
{
    for (int e = 0; e < 2; e++) {
        double label = 0.0;
        for (int i = 0; i < 4; i++) {
            y[4 * e + i] += f[4 * e + i];
            label += at->end[e][i] * f[4 * e + i];
        }
        y[8 + e] -= label;
    }
}

static int dofs(const int modes[2])
{
    (void)modes;
    return DOFS;
}

/* ---- a point ---- */

/* sum basis_i z_i of nodal values (r1, r1', r2, r2'). */
static inline void combine(const double basis[4], const double *z, double x[2])
{
    for (int i = 0; i < 2; i++) {
        x[i] = basis[0] * z[i] + basis[1] * z[2 + i] + basis[2] * z[4 + i] + basis[3] * z[6 + i];
    }
}

static inline void jacobian(const ale_cubic *at, const double basis[4], double j[2][HAW_ALE_DOFS])
{
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < FREE; k++) {
            j[i][k] = k % 2 == i ? basis[k / 2] : 0.0;
        }
        j[i][8] = -basis[0] * at->end[0][i] - basis[1] * at->end[0][2 + i];
        j[i][9] = -basis[2] * at->end[1][i] - basis[3] * at->end[1][2 + i];
    }
}

static void point(const haw_ale_kind *kind, double s, const double *q, const double *u, int want,
                  haw_ale_point *point)
{
    (void)kind;
    const ale_cubic at = ale_cubic_of(q);
    const double eta = (s - q[8]) * at.inverse, t = 1.0 - eta, swell = 6.0 * eta * t * at.inverse;
    const double slope[4] = {-swell, t * (1.0 - 3.0 * eta), swell, eta * (3.0 * eta - 2.0)};
    double basis[4], v[FREE];
    cubic_hermite(eta, at.le / 3.0, basis);
    combine(basis, q, point->x);
    combine(slope, q, point->slope);
    if (want & HAW_ALE_MOTION) {
        ale_flow(&at, u, v);
        combine(basis, v, point->v);
        combine(slope, v, point->slope_rate);
    }
    if (want & HAW_ALE_JACOBIAN) {
        jacobian(&at, basis, point->j);
    }
    if (want & HAW_ALE_GAMMA) {
        acceleration(&at, u, NULL, v);
        combine(basis, v, point->gamma);
    }
    if (want & HAW_ALE_BEND) {
        for (int i = 0; i < 2; i++) {
            point->bend[i] = t * at.end[0][2 + i] + eta * at.end[1][2 + i];
        }
    }
}

/* ---- inertia ---- */

static double kinetic(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                      const double *u)
{
    (void)kind;
    const ale_cubic at = ale_cubic_of(q);
    double v[FREE], m[4][4], p[FREE], sum = 0.0;
    ale_flow(&at, u, v);
    ale_gram(section->density, at.le, m);
    gram_product(m, v, p);
    for (int i = 0; i < FREE; i++) {
        sum += v[i] * p[i];
    }
    return 0.5 * sum;
}

static void inertia(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                    const double *u, const double *a, double *y)
{
    (void)kind;
    const ale_cubic at = ale_cubic_of(q);
    double m[4][4], acc[FREE], f[FREE];
    acceleration(&at, u, a, acc);
    ale_gram(section->density, at.le, m);
    gram_product(m, acc, f);
    add_rows(&at, f, y);
}

/* Columns of the labels are those of unit accelerations. */
static void mass(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                 double *m)
{
    (void)kind;
    const ale_cubic at = ale_cubic_of(q);
    double block[4][4];
    memset(m, 0, DOFS * DOFS * sizeof *m);
    ale_gram(section->density, at.le, block);
    for (int k = 0; k < DOFS; k++) {
        double unit[FREE] = {0.0}, f[FREE], column[DOFS] = {0.0};
        for (int i = 0; i < 4; i++) {
            unit[k < FREE ? k : 4 * (k - FREE) + i] = k < FREE ? 1.0 : -at.end[k - FREE][i];
        }
        gram_product(block, unit, f);
        add_rows(&at, f, column);
        for (int i = 0; i < DOFS; i++) {
            m[DOFS * i + k] = column[i];
        }
    }
}

/* ---- strain and curvature ---- */

static inline void bend_at(const ale_cubic *at, const haw_ancf_point *p, double z[3][2],
                           double y[2])
{
    ancf_combine(p->bend, z, y);
    y[0] *= at->inverse;
    y[1] *= at->inverse;
}

static void energy(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                   double energy[2])
{
    (void)kind;
    ale_cubic at = ale_cubic_of(q);
    double sum = 0.0, height = 0.0;
    for (int g = 0; g < POINTS; g++) {
        const haw_ancf_point *p = ale_rule + g;
        double x[2], y[2];
        ale_measure measure;
        ancf_combine(p->slope, at.z, x);
        bend_at(&at, p, at.z, y);
        ale_stretch(x, &measure);
        ale_bend(x, y, &measure);
        sum += p->weight * (section->stiffness * measure.strain * measure.strain +
                            section->bending * measure.curvature * measure.curvature);
    }
    for (int i = 0; i < 2; i++) {
        const double ends = q[i] + q[4 + i], slopes = q[2 + i] - q[6 + i];
        height += section->gravity[i] * (ends + at.le / 6.0 * slopes);
    }
    energy[0] += 0.5 * at.le * sum;
    energy[1] -= 0.5 * section->density * at.le * height;
}

/* Work on dz over L, elastic and damping. */
typedef struct work {
    double elastic[3][2], damping[3][2];
} work;

static inline void add_stress(const haw_ancf_point *p, double inverse, const ale_stress *stress,
                              bool bends, double sum[3][2])
{
    for (int i = 0; i < 3; i++) {
        const double h = p->weight * p->slope[i], k = p->weight * p->bend[i] * inverse;
        for (int x = 0; x < 2; x++) {
            sum[i][x] += h * stress->n[x] + (bends ? k * stress->m[x] : 0.0);
        }
    }
}

static inline void add_point(const haw_ale_section *section, ale_cubic *at, double v[3][2],
                             const haw_ancf_point *p, work *sum)
{
    const bool bends = ale_bends(section);
    double x[2], y[2], dx[2], dy[2], viscous = 0.0;
    ale_measure measure = {.curvature = 0.0};
    ancf_combine(p->slope, at->z, x);
    ale_stretch(x, &measure);
    if (bends) {
        bend_at(at, p, at->z, y);
        ale_bend(x, y, &measure);
    }
    const ale_stress elastic = ale_stress_of(&measure, section->stiffness * measure.strain,
                                             section->bending * measure.curvature, bends);
    add_stress(p, at->inverse, &elastic, bends, sum->elastic);
    if (ale_damps(section)) {
        ancf_combine(p->slope, v, dx);
        if (bends) {
            bend_at(at, p, v, dy);
            viscous = section->damping_curvature * ale_curvature_rate(&measure, dx, dy);
        }
        const ale_stress damping = ale_stress_of(
            &measure, section->damping_strain * ale_strain_rate(&measure, dx), viscous, bends);
        add_stress(p, at->inverse, &damping, bends, sum->damping);
    }
}

/* The work as forces on Z; weight = rho L g / 2: gravity. */
static inline void spread(const ale_cubic *at, double sum[3][2], const double weight[2],
                          double f[FREE])
{
    for (int i = 0; i < 2; i++) {
        const double arm = at->le / 6.0 * weight[i];
        f[i] = sum[0][i] + weight[i];
        f[2 + i] = arm - at->le * sum[1][i];
        f[4 + i] = weight[i] - sum[0][i];
        f[6 + i] = -arm - at->le * sum[2][i];
    }
}

static void force(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                  const double *u, double *f, double *d)
{
    (void)kind;
    ale_cubic at = ale_cubic_of(q);
    double v[FREE], vz[3][2], local[FREE];
    work sum = {{{0.0}}, {{0.0}}};
    ale_flow(&at, u, v);
    ancf_gather(v, at.inverse, vz);
    for (int g = 0; g < POINTS; g++) {
        add_point(section, &at, vz, ale_rule + g, &sum);
    }
    const double half = 0.5 * section->density * at.le, none[2] = {0.0, 0.0};
    const double weight[2] = {half * section->gravity[0], half * section->gravity[1]};
    spread(&at, sum.elastic, weight, local);
    add_rows(&at, local, f);
    if (ale_damps(section)) {
        spread(&at, sum.damping, none, local);
        add_rows(&at, local, d);
    }
}

static void axial(const haw_ale_kind *kind, const haw_ale_section *section, double s,
                  const double *q, const double *u, haw_ale_axial *axial)
{
    haw_ale_point at;
    point(kind, s, q, u, HAW_ALE_BEND | (u != NULL ? HAW_ALE_MOTION : 0), &at);
    haw_ale_axial_of(section, at.slope, at.bend, u != NULL ? at.slope_rate : NULL, axial);
}

static double tension_mean(const haw_ale_kind *kind, const haw_ale_section *section,
                           const double *q, const double *u)
{
    double sum = 0.0;
    for (int g = 0; g < POINTS; g++) {
        const haw_ancf_point *p = ale_rule + g;
        haw_ale_axial at;
        axial(kind, section, q[8] + p->s * (q[9] - q[8]), q, u, &at);
        sum += p->weight * at.tension;
    }
    return sum;
}

/* ---- tangent ---- */

/*
 * Tangent of the cubic contact element over z = (c, r1', r2') of the kernel: with B_i = (h_i,
 * k_i/L) of x = r', y = r'' and the modulus (S, D) of a place,
 *
 *     K_ij = sum w B_i' (S B_j + D T_j),   T_j = d(x', y')/dz_j,
 *
 * where T is the part of the rates at a fixed label that moves with the shape: with
 * e = d((s - s1)/L)/dt and c' = (r2 - r1)'/L - c L'/L
 *
 *     x' = sum (h_i z_i' + e k_i z_i),   y' = sum (k_i z_i' + e k_i' z_i) / L - y L'/L.
 */

/* Place of the rule: coefficients of z_i in x, y and of T_i in x', y'. */
typedef struct place {
    double x[3], y[3], tx[3], ty[3];
} place;

static inline place place_of(const ale_cubic *at, const haw_ancf_point *p, const double *u)
{
    static const double third[3] = {-12.0, 6.0, 6.0};
    const double swell = (u[9] - u[8]) * at->inverse;
    const double drift = -((1.0 - p->s) * u[8] + p->s * u[9]) * at->inverse;
    place to;
    for (int i = 0; i < 3; i++) {
        const double chord = i == 0 ? swell : 0.0;
        to.x[i] = p->slope[i];
        to.y[i] = p->bend[i] * at->inverse;
        to.tx[i] = drift * p->bend[i] - chord * to.x[i];
        to.ty[i] = drift * third[i] * at->inverse - (swell + chord) * to.y[i];
    }
    return to;
}

/* sum [6][6] += weight B' (S B + D T). */
static inline void add_place(const place *at, const ale_modulus *modulus, double weight,
                             double sum[6][6])
{
    for (int j = 0; j < 6; j++) {
        const int i = j / 2, l = j % 2;
        double column[4];
        for (int row = 0; row < 4; row++) {
            const double *s = modulus->s[row] + l, *d = modulus->d[row] + l;
            column[row] =
                weight * (s[0] * at->x[i] + s[2] * at->y[i] + d[0] * at->tx[i] + d[2] * at->ty[i]);
        }
        for (int row = 0; row < 6; row++) {
            sum[row][j] += at->x[row / 2] * column[row % 2] + at->y[row / 2] * column[2 + row % 2];
        }
    }
}

/* Z_i moves z_j by factor[i][j]: K of Z from that of z. */
static inline void spread_tangent(const ale_cubic *at, double sum[6][6], double *k)
{
    const double inverse = at->inverse;
    const double factor[4][3] = {{-inverse, 0, 0}, {0, 1, 0}, {inverse, 0, 0}, {0, 0, 1}};
    static const int part[4] = {0, 1, 0, 2};
    for (int i = 0; i < FREE; i++) {
        const int row = part[i / 2];
        for (int j = 0; j < FREE; j++) {
            const int column = part[j / 2];
            k[DOFS * i + j] = at->le * factor[i / 2][row] * factor[j / 2][column] *
                              sum[2 * row + i % 2][2 * column + j % 2];
        }
    }
}

static void tangent(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                    const double *u, const double factor[2], double *k)
{
    (void)kind;
    ale_cubic at = ale_cubic_of(q);
    double v[FREE], vz[3][2], m[4][4], sum[6][6] = {{0.0}};
    ale_flow(&at, u, v);
    ancf_gather(v, at.inverse, vz);
    for (int g = 0; g < POINTS; g++) {
        const place p = place_of(&at, ale_rule + g, u);
        ale_slopes slopes;
        ale_modulus modulus;
        ancf_combine(p.x, at.z, slopes.x);
        ancf_combine(p.y, at.z, slopes.y);
        ancf_combine(p.x, vz, slopes.dx);
        ancf_combine(p.y, vz, slopes.dy);
        haw_ale_modulus(section, &slopes, factor[1], &modulus);
        add_place(&p, &modulus, ale_rule[g].weight, sum);
    }
    memset(k, 0, DOFS * DOFS * sizeof *k);
    spread_tangent(&at, sum, k);
    ale_gram(factor[0] * section->density, at.le, m);
    for (int i = 0; i < FREE; i++) {
        for (int j = 0; j < 4; j++) {
            k[DOFS * i + 2 * j + i % 2] += m[i / 2][j];
        }
    }
}

const haw_ale_ops haw_ale_cubic = {
    .name = "ale-cubic",
    .dofs = dofs,
    .point = point,
    .energy = energy,
    .kinetic = kinetic,
    .force = force,
    .inertia = inertia,
    .mass = mass,
    .tangent = tangent,
    .axial = axial,
    .tension_mean = tension_mean,
};
