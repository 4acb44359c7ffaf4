/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chain of straight two-node elements with lumped masses in d = 2 and 3 dimensions: the independent
 * reference. Strain |x2 - x1| / Le - 1, half of an element's mass at each of its nodes.
 */
#include "base/lie.h"
#include "element/bezier_kernel.h"

enum { STRIDE = 2, DOFS = 4, SPACE_STRIDE = 3, SPACE_DOFS = 6 };

/* x2 - x1 of the element whose first coordinate is q[0]; its length. */
static HAW_INLINE double chord_of(int d, const double *q, double *chord)
{
    for (int i = 0; i < d; i++) {
        chord[i] = q[d + i] - q[i];
    }
    return cubic_norm(d, chord);
}

static HAW_INLINE void add_energy(int d, const haw_line *line, const double *q, double energy[2])
{
    const double inverse_le = 1.0 / line->le, floor = line->slack ? 0.0 : -HUGE_VAL;
    double elastic = 0.0, potential = 0.0;
    for (int e = 0; e < line->elements; e++) {
        const double *qe = q + (ptrdiff_t)d * e;
        double chord[3];
        const double strain = chord_of(d, qe, chord) * inverse_le - 1.0;
        const double eps = floor > strain ? floor : strain; /* in this order a NaN survives */
        elastic += eps * eps;
        for (int i = 0; i < d; i++) {
            potential += line->gravity[i] * (qe[i] + qe[d + i]);
        }
    }
    energy[0] += 0.5 * line->stiffness * line->le * elastic;
    energy[1] -= 0.5 * line->density * line->le * potential;
}

static HAW_INLINE void add_force(int d, const haw_line *line, const double *q, double *f)
{
    const double inverse_le = 1.0 / line->le, floor = line->slack ? 0.0 : -HUGE_VAL;
    const double half = 0.5 * line->density * line->le;
    for (int e = 0; e < line->elements; e++) {
        double chord[3];
        const double raw = inverse_le - 1.0 / chord_of(d, q + (ptrdiff_t)d * e, chord);
        const double scale = line->stiffness * (floor > raw ? floor : raw);
        double *fe = f + (ptrdiff_t)d * e;
        for (int i = 0; i < d; i++) {
            const double weight = half * line->gravity[i];
            fe[i] += scale * chord[i] + weight;
            fe[d + i] -= scale * chord[i] - weight;
        }
    }
}

/* k [2 d * 2 d] of the element whose first coordinate is q[0]. */
static HAW_INLINE void stiffness(int d, const haw_line *line, const double *q, bool clip, double *k)
{
    const int n = 2 * d;
    double t[3], along, across;
    const double size = chord_of(d, q, t);
    cubic_modulus(line, size, clip, &along, &across);
    along = along - across;
    for (int i = 0; i < d; i++) {
        t[i] /= size;
    }
    for (int i = 0; i < n * n; i++) {
        const int row = i / n, column = i % n, r = row % d, c = column % d;
        const double block = along * t[r] * t[c] + (r == c ? across : 0.0);
        k[i] = row / d == column / d ? block : -block;
    }
}

static HAW_INLINE double energy_of_motion(int d, const haw_line *line, const double *u)
{
    double sum = 0.0;
    for (int e = 0; e < line->elements; e++) {
        const double *ue = u + (ptrdiff_t)d * e;
        for (int i = 0; i < 2 * d; i++) {
            sum += ue[i] * ue[i];
        }
    }
    return 0.25 * line->density * line->le * sum;
}

/* ---- in the plane ---- */

static void interpolate(const haw_line *line, haw_curve curve, const void *user, double *q)
{
    for (int n = 0; n <= line->elements; n++) {
        double tangent[2], stretch;
        curve(user, n * line->le, q + STRIDE * n, tangent, &stretch);
    }
}

static void energy(const haw_line *line, const double *q, double energy[2])
{
    add_energy(2, line, q, energy);
}

static void force(const haw_line *line, const double *q, double *f)
{
    add_force(2, line, q, f);
}

static void axial(const haw_line *line, int e, double s, const double *q, const double *u,
                  haw_axial *axial)
{
    (void)s;
    (void)u;
    const double *qe = q + STRIDE * e;
    const double x = qe[2] - qe[0], y = qe[3] - qe[1], size = sqrt(x * x + y * y);
    axial->strain = size / line->le - 1.0;
    axial->tension = line->stiffness * axial->strain;
    if (line->slack && axial->strain < 0.0) {
        axial->tension = 0.0;
    }
    axial->curvature = 0.0;
    axial->tangent[0] = x / size;
    axial->tangent[1] = y / size;
}

static double length(const haw_line *line, int e, const double *q)
{
    (void)line;
    const double *qe = q + STRIDE * e;
    const double x = qe[2] - qe[0], y = qe[3] - qe[1];
    return sqrt(x * x + y * y);
}

static void tangent(const haw_line *line, int e, const double *q, bool clip, double *k)
{
    stiffness(2, line, q + STRIDE * e, clip, k);
}

static void mass(const haw_line *line, int e, const double *q, double *m)
{
    (void)e, (void)q;
    m[0] = m[3] = 0.5 * line->density * line->le;
    m[1] = m[2] = 0.0;
}

static double kinetic(const haw_line *line, const double *q, const double *u)
{
    (void)q;
    return energy_of_motion(2, line, u);
}

static void controls(const haw_line *line, int e, const double *q, double p[HAW_HULL_MAX][2])
{
    (void)line;
    memcpy(p, q + STRIDE * e, DOFS * sizeof *q);
}

static void position(const haw_line *line, int e, double s, const double *q, double x[2], double *j)
{
    (void)line;
    const double *qe = q + STRIDE * e;
    x[0] = (1.0 - s) * qe[0] + s * qe[2];
    x[1] = (1.0 - s) * qe[1] + s * qe[3];
    if (j != NULL) {
        memset(j, 0, 2 * DOFS * sizeof *j);
        j[0] = j[DOFS + 1] = 1.0 - s;
        j[2] = j[DOFS + 3] = s;
    }
}

static void shapes(const haw_line *line, double s, double value[HAW_HULL_MAX],
                   double slope[HAW_HULL_MAX])
{
    (void)line;
    value[0] = 1.0 - s;
    value[1] = s;
    slope[0] = -1.0;
    slope[1] = 1.0;
}

const haw_element_ops haw_element_chain = {
    .row.name = "chain",
    .row.summary = "straight two-node elements with lumped masses, the built-in reference",
    .row.source = "lumped-mass string; step limit of R. Courant, K. Friedrichs, H. Lewy (1928)",
    .stride = STRIDE,
    .dofs = DOFS,
    .places = STRIDE,
    .hull = 2,
    .mass_width = 0,
    .mass_copies = 2,
    .mass_block = 2,
    .mass_constant = true,
    .step_limit = 1.0,
    .step_limit_free = 1.0,
    .order = 2,
    .interpolate = interpolate,
    .energy = energy,
    .force = force,
    .tangent = tangent,
    .mass = mass,
    .kinetic = kinetic,
    .controls = controls,
    .position = position,
    .axial = axial,
    .basis = shapes,
    .length = length,
};

/* ---- in space ---- */

static void space_interpolate(const haw_beam *beam, haw_space_curve curve, const void *user,
                              double *q)
{
    for (int n = 0; n <= beam->elements; n++) {
        haw_section section;
        curve(user, n * beam->le, &section);
        memcpy(q + (ptrdiff_t)SPACE_STRIDE * n, section.x, sizeof section.x);
    }
}

static void space_energy(const haw_beam *beam, const double *q, double energy[2])
{
    const haw_line line = cubic_line(beam);
    add_energy(3, &line, q, energy);
}

static void space_force(const haw_beam *beam, const double *q, const double *u, double *f,
                        double *d) /* NOLINT(readability-non-const-parameter): a row */
{
    const haw_line line = cubic_line(beam);
    (void)u, (void)d;
    add_force(3, &line, q, f);
}

/* NOLINTNEXTLINE(readability-function-size): a row of haw_space_ops */
static void space_tangent(const haw_beam *beam, int e, const double *q, const double *u,
                          double rate, double k[HAW_SPACE_DOFS * HAW_SPACE_DOFS])
{
    const haw_line line = cubic_line(beam);
    (void)u, (void)rate;
    stiffness(3, &line, q + (ptrdiff_t)SPACE_STRIDE * e, false, k);
}

static void space_mass(const haw_beam *beam, double m[HAW_SPACE_DOFS * HAW_SPACE_DOFS])
{
    memset(m, 0, (size_t)(SPACE_DOFS * SPACE_DOFS) * sizeof *m);
    for (int i = 0; i < SPACE_DOFS; i++) {
        m[(SPACE_DOFS + 1) * i] = 0.5 * beam->density * beam->le;
    }
}

static double space_kinetic(const haw_beam *beam, const double *u)
{
    const haw_line line = cubic_line(beam);
    return energy_of_motion(3, &line, u);
}

/* A lumped element on its own, and a chain of them: 4 EA / (rho Le^2). */
static double stiffest(const haw_beam *beam, bool is_free)
{
    (void)is_free;
    return 4.0 * beam->stiffness[0] / (beam->density * beam->le * beam->le);
}

static void space_point(const haw_beam *beam, int e, double s, const double *q, bool jacobians,
                        haw_space_point *point)
{
    double value[HAW_HULL_MAX], slope[HAW_HULL_MAX];
    (void)beam;
    shapes(NULL, s, value, slope);
    haw_cubic_point(2, value, slope, q + (ptrdiff_t)SPACE_STRIDE * e, jacobians, point);
}

/* The straight line as a cubic. */
static void space_polygon(const haw_beam *beam, int e, const double *q, double p[4][3])
{
    const double *qe = q + (ptrdiff_t)SPACE_STRIDE * e;
    (void)beam;
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 3; i++) {
            p[k][i] = ((3 - k) * qe[i] + k * qe[3 + i]) / 3.0;
        }
    }
}

const haw_space_ops haw_space_element_chain = {
    .row.name = "chain",
    .row.summary = "straight two-node elements with lumped masses, the built-in reference",
    .row.source = "lumped-mass string; step limit of R. Courant, K. Friedrichs, H. Lewy (1928)",
    .node_coordinates = SPACE_STRIDE,
    .node_dofs = SPACE_STRIDE,
    .dofs = SPACE_DOFS,
    .stretches_only = true,
    .mass_copies = 3,
    .mass_width = 0,
    .order = 2,
    .interpolate = space_interpolate,
    .energy = space_energy,
    .force = space_force,
    .tangent = space_tangent,
    .mass = space_mass,
    .kinetic = space_kinetic,
    .stiffest = stiffest,
    .point = space_point,
    .strain = haw_cubic_strain,
    .polygon = space_polygon,
    .curve = haw_cubic_curve,
};
