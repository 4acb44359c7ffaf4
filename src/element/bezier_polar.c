/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * G1 cubic cable in the coordinates of S. R. Eugster: node (x, y, phi), element (r, q), with the
 * handles a = r e(phi1), b = q e(phi4), e(phi) = (cos phi, sin phi). Element coordinates
 * (x1, y1, phi1, r1, q4, x4, y4, phi4). The mass matrix depends on the configuration and is
 * singular at r = 0 or q = 0.
 *
 * Every coordinate moves one of the vectors z = (x1, a, x4, b) along one direction, so that a
 * matrix over z in 2 x 2 blocks A becomes d_k' A_(z(k) z(l)) d_l over the coordinates.
 */
#include "element/bezier_kernel.h"

enum { STRIDE = 5, DOFS = 8 };

/* Which of x1, a, x4, b each coordinate moves. */
static const int moved[DOFS] = {0, 0, 1, 1, 3, 2, 2, 3};

/* Directions e and n (e turned by +90 degrees) at both ends, lengths of the handles. */
typedef struct frame {
    double r, q;
    double e1[2], e4[2];
} frame;

static inline void node_direction(double phi, double e[2])
{
    e[0] = cos(phi);
    e[1] = sin(phi);
}

static frame frame_at(const double *qe)
{
    frame at = {.r = qe[3], .q = qe[4]};
    node_direction(qe[2], at.e1);
    node_direction(qe[7], at.e4);
    return at;
}

/* Frame of the next element: the node between them is shared. */
static inline void frame_advance(frame *at, const double *qe)
{
    at->r = qe[3];
    at->q = qe[4];
    at->e1[0] = at->e4[0];
    at->e1[1] = at->e4[1];
    node_direction(qe[7], at->e4);
}

/* Direction d_k = dz / dq_k of every coordinate. */
static void directions(const frame *at, double d[DOFS][2])
{
    const double all[DOFS][2] = {{1.0, 0.0},
                                 {0.0, 1.0},
                                 {-at->r * at->e1[1], at->r * at->e1[0]},
                                 {at->e1[0], at->e1[1]},
                                 {at->e4[0], at->e4[1]},
                                 {1.0, 0.0},
                                 {0.0, 1.0},
                                 {-at->q * at->e4[1], at->q * at->e4[0]}};
    memcpy(d, all, sizeof all);
}

static inline void gather(const double *qe, const frame *at, double c[2], double a[2], double b[2])
{
    for (int i = 0; i < 2; i++) {
        a[i] = at->r * at->e1[i];
        b[i] = at->q * at->e4[i];
        c[i] = qe[5 + i] - qe[i];
    }
}

/* fe += J' z for forces z on x1, a, x4, b. */
static inline void scatter(const frame *at, double z[4][2], double *fe)
{
    fe[0] += z[0][0];
    fe[1] += z[0][1];
    fe[2] += at->r * (at->e1[0] * z[1][1] - at->e1[1] * z[1][0]);
    fe[3] += at->e1[0] * z[1][0] + at->e1[1] * z[1][1];
    fe[4] += at->e4[0] * z[3][0] + at->e4[1] * z[3][1];
    fe[5] += z[2][0];
    fe[6] += z[2][1];
    fe[7] += at->q * (at->e4[0] * z[3][1] - at->e4[1] * z[3][0]);
}

static void interpolate(const haw_line *line, haw_curve curve, const void *user, double *q)
{
    const double third = line->le / 3.0;
    for (int n = 0; n <= line->elements; n++) {
        double tangent[2], stretch;
        double *node = q + STRIDE * n;
        curve(user, n * line->le, node, tangent, &stretch);
        node[2] = atan2(tangent[1], tangent[0]);
        if (n > 0) {
            node[-1] = third * stretch;
        }
        if (n < line->elements) {
            node[3] = third * stretch;
        }
    }
}

static void energy(const haw_line *line, const double *q, double energy[2])
{
    const haw_cubic cubic = cubic_init(line);
    const double mass = line->density * line->le, *gravity = line->gravity;
    double elastic = 0.0, potential = 0.0;
    frame at = {0};
    node_direction(q[2], at.e4);
    for (int e = 0; e < line->elements; e++) {
        const double *qe = q + STRIDE * e;
        double a[2], b[2], c[2];
        frame_advance(&at, qe);
        gather(qe, &at, c, a, b);
        elastic += cubic_energy(2, &cubic, c, a, b);
        potential += gravity[0] * (2.0 * (qe[0] + qe[5]) + (a[0] - b[0])) +
                     gravity[1] * (2.0 * (qe[1] + qe[6]) + (a[1] - b[1]));
    }
    energy[0] += elastic;
    energy[1] -= 0.25 * mass * potential;
}

/* Forces on x1, a, x4, b of one element, elastic and gravity. */
static inline void element_force(const haw_cubic *cubic, const double *qe, const frame *at,
                                 const double weight[2], double z[4][2])
{
    double a[2], b[2], c[2], gradient[3][3];
    gather(qe, at, c, a, b);
    cubic_gradient(2, cubic, c, a, b, gradient);
    for (int i = 0; i < 2; i++) {
        z[0][i] = gradient[0][i] + 0.5 * weight[i];
        z[1][i] = -gradient[1][i] + 0.25 * weight[i];
        z[2][i] = -gradient[0][i] + 0.5 * weight[i];
        z[3][i] = -gradient[2][i] - 0.25 * weight[i];
    }
}

static void force(const haw_line *line, const double *q, double *f)
{
    const haw_cubic cubic = cubic_init(line);
    const double mass = line->density * line->le;
    const double weight[2] = {mass * line->gravity[0], mass * line->gravity[1]};
    frame at = {0};
    node_direction(q[2], at.e4);
    for (int e = 0; e < line->elements; e++) {
        double z[4][2];
        frame_advance(&at, q + STRIDE * e);
        element_force(&cubic, q + STRIDE * e, &at, weight, z);
        scatter(&at, z, f + STRIDE * e);
    }
}

static void controls(const haw_line *line, int e, const double *q, double p[HAW_HULL_MAX][2])
{
    (void)line;
    const double *qe = q + STRIDE * e;
    const frame at = frame_at(qe);
    for (int i = 0; i < 2; i++) {
        p[0][i] = qe[i];
        p[1][i] = qe[i] + at.r * at.e1[i];
        p[2][i] = qe[5 + i] - at.q * at.e4[i];
        p[3][i] = qe[5 + i];
    }
}

/* k += grad V . d2z/dq2: de/dphi = n, dn/dphi = -e at both ends. */
static void tangent_curved(const haw_line *line, const double *qe, const frame *at, double *k)
{
    const haw_cubic cubic = cubic_init(line);
    const double mass = line->density * line->le;
    const double weight[2] = {mass * line->gravity[0], mass * line->gravity[1]};
    double z[4][2];
    element_force(&cubic, qe, at, weight, z);
    const double *ga = z[1], *gb = z[3]; /* minus the gradients */
    const double start = ga[0] * at->e1[1] - ga[1] * at->e1[0];
    const double end = gb[0] * at->e4[1] - gb[1] * at->e4[0];
    k[DOFS * 3 + 2] += start;
    k[DOFS * 2 + 3] += start;
    k[DOFS * 2 + 2] += at->r * (ga[0] * at->e1[0] + ga[1] * at->e1[1]);
    k[DOFS * 4 + 7] += end;
    k[DOFS * 7 + 4] += end;
    k[DOFS * 7 + 7] += at->q * (gb[0] * at->e4[0] + gb[1] * at->e4[1]);
}

static void tangent(const haw_line *line, int e, const double *q, bool clip, double *k)
{
    double p[4][2], basis[HAW_GAUSS_MAX][4], block[64], d[DOFS][2];
    const double *qe = q + STRIDE * e;
    const frame at = frame_at(qe);
    controls(line, e, q, p);
    cubic_hermite_basis(line, 1.0, basis);
    cubic_tangent(2, line, p[0], basis, clip, block);
    directions(&at, d);
    for (int i = 0; i < DOFS; i++) {
        for (int j = 0; j < DOFS; j++) {
            const double *z = block + (16 * moved[i]) + (2 * moved[j]);
            k[DOFS * i + j] = d[i][0] * (z[0] * d[j][0] + z[1] * d[j][1]) +
                              d[i][1] * (z[8] * d[j][0] + z[9] * d[j][1]);
        }
    }
    tangent_curved(line, qe, &at, k);
}

static void mass(const haw_line *line, int e, const double *q, double *m)
{
    const double unit = line->density * line->le / 420.0;
    const frame at = frame_at(q + STRIDE * e);
    double d[DOFS][2];
    directions(&at, d);
    for (int i = 0; i < DOFS; i++) {
        for (int j = 0; j < DOFS; j++) {
            m[DOFS * i + j] = unit * cubic_gram_matrix[moved[i]][moved[j]] *
                              (d[i][0] * d[j][0] + d[i][1] * d[j][1]);
        }
    }
}

/* The handles accelerate by 2 r' phi' n - r phi'^2 e where all second derivatives vanish. */
static void gyroscopic(const haw_line *line, const double *q, const double *u, double *f)
{
    const double unit = line->density * line->le / 420.0;
    frame at = {0};
    node_direction(q[2], at.e4);
    for (int e = 0; e < line->elements; e++) {
        const double *ue = u + STRIDE * e;
        frame_advance(&at, q + STRIDE * e);
        const double ta = 2.0 * ue[3] * ue[2], na = -at.r * ue[2] * ue[2];
        const double tb = 2.0 * ue[4] * ue[7], nb = -at.q * ue[7] * ue[7];
        const double a[2] = {na * at.e1[0] - ta * at.e1[1], na * at.e1[1] + ta * at.e1[0]};
        const double b[2] = {nb * at.e4[0] - tb * at.e4[1], nb * at.e4[1] + tb * at.e4[0]};
        double z[4][2];
        for (int i = 0; i < 4; i++) {
            const double *gram = cubic_gram_matrix[i];
            z[i][0] = -unit * (gram[1] * a[0] + gram[3] * b[0]);
            z[i][1] = -unit * (gram[1] * a[1] + gram[3] * b[1]);
        }
        scatter(&at, z, f + STRIDE * e);
    }
}

static double kinetic(const haw_line *line, const double *q, const double *u)
{
    double sum = 0.0;
    frame at = {0};
    node_direction(q[2], at.e4);
    for (int e = 0; e < line->elements; e++) {
        const double *ue = u + STRIDE * e;
        frame_advance(&at, q + STRIDE * e);
        const double ta = at.r * ue[2], tb = at.q * ue[7];
        const double a[2] = {ue[3] * at.e1[0] - ta * at.e1[1], ue[3] * at.e1[1] + ta * at.e1[0]};
        const double b[2] = {ue[4] * at.e4[0] - tb * at.e4[1], ue[4] * at.e4[1] + tb * at.e4[0]};
        sum += cubic_gram(2, ue, a, ue + 5, b);
    }
    return 0.5 * line->density * line->le * sum;
}

/* The sum of x1, a, x4, b with the weights w, and its Jacobian. */
static void combine(const double *qe, const double w[4], double x[2], double *j)
{
    double c[2], a[2], b[2];
    const frame at = frame_at(qe);
    gather(qe, &at, c, a, b);
    for (int i = 0; i < 2; i++) {
        x[i] = w[0] * qe[i] + w[1] * a[i] + w[2] * qe[5 + i] + w[3] * b[i];
    }
    if (j != NULL) {
        double d[DOFS][2];
        directions(&at, d);
        for (int k = 0; k < DOFS; k++) {
            j[k] = w[moved[k]] * d[k][0];
            j[DOFS + k] = w[moved[k]] * d[k][1];
        }
    }
}

static void position(const haw_line *line, int e, double s, const double *q, double x[2], double *j)
{
    double shape[4];
    (void)line;
    cubic_hermite(s, 1.0, shape);
    combine(q + STRIDE * e, shape, x, j);
}

static void slope(const haw_line *line, int e, double s, const double *q, double x[2], double *j)
{
    const double t = 1.0 - s, chord = 6.0 * s * t;
    const double shape[4] = {-chord, 3.0 * t * (1.0 - 3.0 * s), chord, 3.0 * s * (3.0 * s - 2.0)};
    (void)line;
    combine(q + STRIDE * e, shape, x, j);
}

static double handle(const haw_line *line, const double *q)
{
    double smallest = HUGE_VAL;
    for (int e = 0; e < line->elements; e++) {
        smallest = fmin(smallest, fmin(q[STRIDE * e + 3], q[STRIDE * e + 4]));
    }
    return smallest / (line->le / 3.0);
}

const haw_element_ops haw_element_bezier_polar = {
    .row.name = "bezier-polar",
    .row.summary = "G1 cubic in polar handles (x, y, phi | r, q), configuration-dependent mass",
    .row.source = "S. R. Eugster, Frictional impact of a rigid disk on an elastic cable, eq. 5-6",
    .stride = STRIDE,
    .dofs = DOFS,
    .places = 2,
    .hull = 4,
    .mass_width = 7,
    .mass_copies = 1,
    .mass_block = 8,
    .mass_constant = false,
    .step_limit = 0.1533, /* one element on its own, modes x and x^3: 2 / 13.0432 */
    .step_limit_free = 0.1533,
    .order = 4,
    .handle_min = 0.05,
    .interpolate = interpolate,
    .energy = energy,
    .force = force,
    .tangent = tangent,
    .mass = mass,
    .gyroscopic = gyroscopic,
    .kinetic = kinetic,
    .controls = controls,
    .position = position,
    .slope = slope,
    .axial = haw_cubic_axial,
    .length = haw_cubic_length,
    .handle = handle,
};
