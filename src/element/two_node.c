/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Beams of two poses: energy, forces, inertia of translation (consistent) and rotation (lumped).
 *
 * The tangent is in closed form. Moving the nodes changes d by
 *
 *     du = J_X (dx_B - dx_A) + J_B dtheta_B + J_A dtheta_A,    dw = C dtheta_B - C^T dtheta_A
 *
 * and each force by (matrix) du + (matrix) dw, besides what its kind turns with the nodes;
 * multiplying out gives the 12 x 12 blocks. All depends on x_B - x_A alone, so that the blocks of
 * x_A are the negative ones of x_B.
 */
#include "element/two_node.h"

#include <math.h>
#include <string.h>

enum { COORDINATES = TWO_NODE_COORDINATES, N = HAW_SPACE_DOFS, DOFS = TWO_NODE_DOFS };

enum { X = TWO_NODE_X, B = TWO_NODE_B, A = TWO_NODE_A };

static void measure(const haw_beam *beam, const double *node, two_node *pair)
{
    const two_node_kind *kind = beam->ops->kind;
    kind->measure(node, pair);
    for (int i = 0; i < 3; i++) {
        pair->chord[i] = node[COORDINATES + i] - node[i];
    }
}

void haw_two_node_interpolate(const haw_beam *beam, haw_space_curve curve, const void *user,
                              double *q)
{
    for (int n = 0; n <= beam->elements; n++) {
        haw_section section;
        curve(user, n * beam->le, &section);
        memcpy(q + COORDINATES * n, section.x, sizeof section.x);
        memcpy(q + COORDINATES * n + 3, section.quaternion, sizeof section.quaternion);
        quaternion_normalise(q + COORDINATES * n + 3);
    }
}

/* Of the straight reference. */
static void strains(const haw_beam *beam, const two_node *pair, double strain[HAW_STRAINS])
{
    const double inverse_le = 1.0 / beam->le;
    for (int i = 0; i < HAW_STRAINS; i++) {
        strain[i] = pair->log.d[i] * inverse_le;
    }
    strain[0] = (beam->ops->on_chords ? vec3_norm(pair->chord) * inverse_le : strain[0]) - 1.0;
}

/*
 * Stiffness of strain i. Where a node's turn against the chord is shear, though the line between
 * the nodes bends by it as a cubic, the shear springs have the flexibility L^2 / (12 EI) of that
 * cubic in series, and the straight element the stiffness matrix of Hermite's (R. H. MacNeal,
 * Comput. Struct. 8 (1978) 175-183).
 */
static double stiffness(const haw_beam *beam, int i)
{
    if (!beam->ops->bends_as_cubic || (i != 1 && i != 2)) {
        return beam->stiffness[i];
    }
    const double shear = beam->stiffness[i];
    const double bending = 12.0 * beam->stiffness[6 - i] / (beam->le * beam->le);
    return shear > 0.0 ? shear * bending / (shear + bending) : 0.0;
}

/* Elastic stress of element e: (N, Q2, Q3, M1, M2, M3). */
static void find_stress(const haw_beam *beam, int e, const two_node *pair,
                        double stress[HAW_STRAINS])
{
    strains(beam, pair, stress);
    for (int i = 0; i < HAW_STRAINS; i++) {
        const double natural = beam->natural != NULL ? beam->natural[HAW_STRAINS * e + i] : 0.0;
        stress[i] = stiffness(beam, i) * (stress[i] - natural);
    }
}

/* du/dt and dw/dt for the velocities u [12] of the element. */
static void find_rate(const two_node *pair, const double *u, double rate[HAW_STRAINS])
{
    const double *wa = u + 3, *wb = u + DOFS + 3;
    const double v[3] = {u[6] - u[0], u[7] - u[1], u[8] - u[2]};
    double part[4][3];
    mat3_apply(pair->j[TWO_NODE_X], v, rate);
    mat3_apply(pair->j[TWO_NODE_B], wb, part[0]);
    mat3_apply(pair->j[TWO_NODE_A], wa, part[1]);
    mat3_apply(pair->log.a, wb, part[2]);
    mat3_apply_t(pair->log.a, wa, part[3]);
    for (int i = 0; i < 3; i++) {
        rate[i] += part[0][i] + part[1][i];
        rate[3 + i] = part[2][i] - part[3][i];
    }
}

/* Viscous stress for the velocities u [12] of the element. */
static void find_viscous(const haw_beam *beam, const two_node *pair, const double *u,
                         double stress[HAW_STRAINS])
{
    find_rate(pair, u, stress);
    if (beam->ops->on_chords) {
        const double v[3] = {u[6] - u[0], u[7] - u[1], u[8] - u[2]};
        stress[0] = vec3_dot(pair->chord, v) / vec3_norm(pair->chord);
    }
    for (int i = 0; i < HAW_STRAINS; i++) {
        stress[i] *= beam->damping[i] / beam->le;
    }
}

static bool has_damping(const haw_beam *beam)
{
    double sum = 0.0;
    for (int i = 0; i < HAW_STRAINS; i++) {
        sum += beam->damping[i];
    }
    return sum > 0.0;
}

void haw_two_node_natural(const haw_beam *beam, int e, const double *q, double strain[HAW_STRAINS])
{
    two_node pair;
    measure(beam, q + COORDINATES * e, &pair);
    strains(beam, &pair, strain);
}

void haw_two_node_energy(const haw_beam *beam, const double *q, double energy[2])
{
    double elastic = 0.0, height = 0.0;
    for (int e = 0; e < beam->elements; e++) {
        const double *node = q + COORDINATES * e;
        double strain[HAW_STRAINS];
        haw_two_node_natural(beam, e, q, strain);
        for (int i = 0; i < HAW_STRAINS; i++) {
            strain[i] -= beam->natural != NULL ? beam->natural[HAW_STRAINS * e + i] : 0.0;
            elastic += stiffness(beam, i) * (strain[i] * strain[i]);
        }
        height += vec3_dot(beam->gravity, node) + vec3_dot(beam->gravity, node + COORDINATES);
    }
    energy[0] += 0.5 * beam->le * elastic;
    energy[1] -= 0.5 * beam->density * beam->le * height;
}

/*
 * f [12] -= P^T (n, m): the same force on both nodes, so that momentum is kept to rounding. On
 * chords N pulls the nodes along x_B - x_A.
 */
static void pull(const haw_beam *beam, const two_node *pair, const double stress[HAW_STRAINS],
                 double *f)
{
    const bool on_chords = beam->ops->on_chords;
    const double n[3] = {on_chords ? 0.0 : stress[0], stress[1], stress[2]}, *m = stress + 3;
    double force[3], moment[4][3];
    mat3_apply_t(pair->j[TWO_NODE_X], n, force);
    if (on_chords) {
        vec3_add(stress[0] / vec3_norm(pair->chord), pair->chord, force);
    }
    mat3_apply_t(pair->j[TWO_NODE_A], n, moment[0]);
    mat3_apply(pair->log.a, m, moment[1]);
    mat3_apply_t(pair->j[TWO_NODE_B], n, moment[2]);
    mat3_apply_t(pair->log.a, m, moment[3]);
    for (int i = 0; i < 3; i++) {
        f[i] += force[i];
        f[3 + i] -= moment[0][i] - moment[1][i];
        f[DOFS + i] -= force[i];
        f[DOFS + 3 + i] -= moment[2][i] + moment[3][i];
    }
}

void haw_two_node_force(const haw_beam *beam, const double *q, const double *u, double *f,
                        double *d)
{
    const bool is_damped = u != NULL && has_damping(beam);
    const double half = 0.5 * beam->density * beam->le;
    for (int e = 0; e < beam->elements; e++) {
        two_node pair;
        double stress[HAW_STRAINS], *fe = f + DOFS * e;
        measure(beam, q + COORDINATES * e, &pair);
        find_stress(beam, e, &pair, stress);
        pull(beam, &pair, stress, fe);
        vec3_add(half, beam->gravity, fe);
        vec3_add(half, beam->gravity, fe + DOFS);
        if (is_damped) {
            find_viscous(beam, &pair, u + DOFS * e, stress);
            pull(beam, &pair, stress, d + DOFS * e);
        }
    }
}

/* Rotary inertia is lumped: half an element at each of its nodes. */
static double share(const haw_beam *beam, int node)
{
    return node == 0 || node == beam->elements ? 0.5 * beam->le : beam->le;
}

void haw_two_node_gyroscopic(const haw_beam *beam, const double *u, double *f)
{
    for (int n = 0; n <= beam->elements; n++) {
        const double *w = u + DOFS * n + 3, *j = beam->rotary;
        const double momentum[3] = {j[0] * w[0], j[1] * w[1], j[2] * w[2]};
        double moment[3];
        vec3_cross(w, momentum, moment);
        vec3_add(-share(beam, n), moment, f + DOFS * n + 3);
    }
}

void haw_two_node_mass(const haw_beam *beam, double m[HAW_SPACE_DOFS * HAW_SPACE_DOFS])
{
    const double sixth = beam->density * beam->le / 6.0, half = 0.5 * beam->le;
    memset(m, 0, HAW_SPACE_DOFS * HAW_SPACE_DOFS * sizeof *m);
    for (int i = 0; i < 3; i++) {
        const int a = i, b = DOFS + i;
        m[HAW_SPACE_DOFS * a + a] = m[HAW_SPACE_DOFS * b + b] = 2.0 * sixth;
        m[HAW_SPACE_DOFS * a + b] = m[HAW_SPACE_DOFS * b + a] = sixth;
        m[(HAW_SPACE_DOFS + 1) * (a + 3)] = m[(HAW_SPACE_DOFS + 1) * (b + 3)] =
            half * beam->rotary[i];
    }
}

double haw_two_node_kinetic(const haw_beam *beam, const double *u)
{
    double translation = 0.0, rotation = 0.0;
    for (int e = 0; e < beam->elements; e++) {
        const double *va = u + DOFS * e, *vb = va + DOFS;
        translation += vec3_dot(va, va) + vec3_dot(va, vb) + vec3_dot(vb, vb);
    }
    for (int n = 0; n <= beam->elements; n++) {
        const double *w = u + DOFS * n + 3, *j = beam->rotary;
        rotation += share(beam, n) * (j[0] * w[0] * w[0] + j[1] * w[1] * w[1] + j[2] * w[2] * w[2]);
    }
    return beam->density * beam->le / 6.0 * translation + 0.5 * rotation;
}

/*
 * No frequency of a cable is above the highest of its elements on their own (B. M. Irons, J. Strain
 * Anal. 6 (1971): Rayleigh's quotient of the sum is a mean of theirs). A straight element has,
 * with consistent masses and lumped turns, L = Le,
 *
 *     stretch     x_B = -x_A              12 EA / (rho A L^2)
 *     torsion     theta_1B = -theta_1A    4 GJ / (rho J L^2)
 *     bending     theta_B = -theta_A      4 EI / (rho I L^2)
 *     shear       x_B = -x_A, theta_B = theta_A, strain (x_B - x_A) / L - theta:
 *                                         GA (12 / (rho A L^2) + 1 / (rho I)).
 */
double haw_two_node_stiffest(const haw_beam *beam, bool is_free)
{
    const double square = beam->le * beam->le, mass = beam->density * square;
    double most = 12.0 * beam->stiffness[0] / mass;
    (void)is_free; /* the bound is that of an element on its own */
    for (int i = 0; i < 3; i++) {
        most = fmax(most, 4.0 * beam->stiffness[3 + i] / (beam->rotary[i] * square));
    }
    for (int i = 1; i < 3; i++) {
        most = fmax(most, stiffness(beam, i) * (12.0 / mass + 1.0 / beam->rotary[3 - i]));
    }
    return most;
}

void haw_two_node_strain(const haw_beam *beam, int e, double s, const double *q, const double *u,
                         haw_space_strain *strain)
{
    two_node pair;
    double viscous[HAW_STRAINS];
    (void)s; /* constant in the element */
    measure(beam, q + COORDINATES * e, &pair);
    strains(beam, &pair, strain->strain);
    find_stress(beam, e, &pair, strain->stress);
    if (u != NULL) {
        find_viscous(beam, &pair, u + DOFS * e, viscous);
        for (int i = 0; i < HAW_STRAINS; i++) {
            strain->stress[i] += viscous[i];
        }
    }
    strain->tension = strain->stress[0];
    strain->curvature = hypot(strain->strain[4], strain->strain[5]);
}

double haw_two_node_turn(const double *a, const double *b)
{
    double w[3];
    so3_difference(a + 3, b + 3, w);
    return vec3_norm(w);
}

/* R (W_A + s V dw/dt). */
void haw_two_node_turn_rates(const double rv[9], const double r[9], const double c[9],
                             double (*jw)[HAW_SPACE_DOFS])
{
    double m[9], c_t[9];
    memset(jw, 0, 3 * sizeof *jw);
    mat3_product(rv, c, m);
    two_node_put(jw, DOFS + 3, 1.0, m);
    mat3_transpose(c, c_t);
    mat3_product(rv, c_t, m);
    for (int i = 0; i < 9; i++) {
        m[i] = r[i] - m[i];
    }
    two_node_put(jw, 3, 1.0, m);
}

/* ---- tangent ---- */

/* The moment held. */
static void add_moment(two_node_tangent *t)
{
    const double *m = t->stress + 3;
    double odd[9] = {0.0};
    two_node_odd(&t->pair.log, m, odd);
    mat3_add_skew(0.5, m, t->row[B].w);
    mat3_add_skew(0.5, m, t->row[A].w);
    for (int i = 0; i < 9; i++) {
        t->row[B].w[i] -= odd[i];
        t->row[A].w[i] += odd[i];
    }
}

/* dn = (EA ... + rate dEA ...) / L du, dm = (GJ ... + rate dGJ ...) / L dw. */
static void add_material(two_node_tangent *t)
{
    const double *c = t->pair.log.a, inverse_le = 1.0 / t->beam->le;
    const double *k = t->beam->stiffness, *v = t->beam->damping;
    double d[9] = {0.0};
    for (int i = t->beam->ops->on_chords ? 1 : 0; i < 3; i++) {
        d[4 * i] = inverse_le * (stiffness(t->beam, i) + t->rate * v[i]);
    }
    for (int i = 0; i < 3; i++) {
        mat3_add_t_product(t->pair.j[i], d, t->row[i].u);
    }
    for (int j = 0; j < 3; j++) {
        const double km = (k[3 + j] + t->rate * v[3 + j]) * inverse_le;
        for (int i = 0; i < 3; i++) {
            t->row[B].w[3 * i + j] += c[3 * j + i] * km;
            t->row[A].w[3 * i + j] -= c[3 * i + j] * km;
        }
    }
}

/* m <- V m, V = diag(dEA, ..) / L. */
static void damp(const two_node_tangent *t, double m[9])
{
    for (int i = 0; i < 9; i++) {
        const bool on_chord = i < 3 && t->beam->ops->on_chords;
        m[i] *= on_chord ? 0.0 : t->beam->damping[i / 3] / t->beam->le;
    }
}

/* The rates of d also follow the configuration: d(dw/dt) = Q dw, Q = -(W_A + W_B)~/2 - S(W),
 * W = W_B - W_A, and d(du/dt) as the kind has it. */
static void add_viscous(two_node_tangent *t, const double *u)
{
    const double *wa = u + 3, *wb = u + 9, w[3] = {wa[0] - wb[0], wa[1] - wb[1], wa[2] - wb[2]};
    const two_node_kind *kind = t->beam->ops->kind;
    two_node_rates rates = {{0.0}, {0.0}, {0.0}, {0.0}, {0.0}};
    two_node_odd(&t->pair.log, w, rates.spin);
    mat3_add_skew(-0.5, wa, rates.spin);
    mat3_add_skew(-0.5, wb, rates.spin);
    kind->rates(t, u, &rates);
    damp(t, rates.u);
    damp(t, rates.w);
    damp(t, rates.a);
    damp(t, rates.b);
    for (int i = 0; i < 9; i++) {
        rates.spin[i] *= t->beam->damping[3 + i / 3] / t->beam->le;
    }
    for (int i = 0; i < 3; i++) {
        mat3_add_t_product(t->pair.j[i], rates.u, t->row[i].u);
        mat3_add_t_product(t->pair.j[i], rates.w, t->row[i].w);
        mat3_add_t_product(t->pair.j[i], rates.a, t->row[i].a);
        mat3_add_t_product(t->pair.j[i], rates.b, t->row[i].b);
    }
    mat3_add_t_product(t->pair.log.a, rates.spin, t->row[B].w);
    mat3_add_product(-1.0, t->pair.log.a, rates.spin, t->row[A].w);
}

/* c -= a b^T. */
static inline void subtract_product_t(const double a[9], const double b[9], double c[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c[3 * i + j] -= vec3_dot(a + 3 * i, b + 3 * j);
        }
    }
}

static inline void put(double *k, double factor, const double m[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            k[N * i + j] = factor * m[3 * i + j];
        }
    }
}

/* One row of blocks: columns x_A, theta_A, x_B, theta_B. */
static inline void spread(const two_node *pair, two_node_row *row, double *k)
{
    double x[9] = {0.0};
    mat3_add_product(1.0, row->u, pair->j[X], x);
    mat3_add_product(1.0, row->u, pair->j[B], row->b);
    mat3_add_product(1.0, row->w, pair->log.a, row->b);
    mat3_add_product(1.0, row->u, pair->j[A], row->a);
    subtract_product_t(row->w, pair->log.a, row->a);
    put(k, -1.0, x);
    put(k + 3, 1.0, row->a);
    put(k + DOFS, 1.0, x);
    put(k + DOFS + 3, 1.0, row->b);
}

/*
 * What x_B - x_A = r = |r| e does to N e: (EA + rate dEA) / L e e^T + N / |r| P
 * + dEA / (L |r|) e (P v)^T, P = I - e e^T, v = v_B - v_A.
 */
static void add_chord(const two_node_tangent *t, const double *u, double *k)
{
    const haw_beam *beam = t->beam;
    const double *r = t->pair.chord, square = vec3_dot(r, r), across = t->axial / sqrt(square);
    const double along = (beam->stiffness[0] + t->rate * beam->damping[0]) / beam->le;
    double m[9] = {across, 0.0, 0.0, 0.0, across, 0.0, 0.0, 0.0, across};
    mat3_add_outer((along - across) / square, r, r, m);
    if (u != NULL) {
        double v[3] = {u[6] - u[0], u[7] - u[1], u[8] - u[2]};
        vec3_add(-vec3_dot(r, v) / square, r, v);
        mat3_add_outer(beam->damping[0] / (beam->le * square), r, v, m);
    }
    for (int i = 0; i < 9; i++) {
        k[N * (i / 3) + i % 3] -= m[i];
        k[N * (i / 3) + DOFS + i % 3] += m[i];
    }
}

/* rate times W~ J - (J W)~ of half an element at each node. */
static void add_gyroscopic(const haw_beam *beam, const double *u, double rate, double *k)
{
    const double share = 0.5 * rate * beam->le, *j = beam->rotary;
    for (int node = 0; node < 2; node++) {
        const double *w = u + DOFS * node + 3;
        const double momentum[3] = {j[0] * w[0], j[1] * w[1], j[2] * w[2]};
        double m[9] = {0.0}, *to = k + (N + 1) * (DOFS * node + 3);
        mat3_add_skew(share, w, m);
        for (int i = 0; i < 9; i++) {
            m[i] *= j[i % 3];
        }
        mat3_add_skew(-share, momentum, m);
        for (int i = 0; i < 9; i++) {
            to[N * (i / 3) + i % 3] += m[i];
        }
    }
}

void haw_two_node_measure(const haw_beam *beam, int e, const double *q, two_node *pair)
{
    measure(beam, q + (ptrdiff_t)COORDINATES * e, pair);
}

/* Rows of blocks at both turns and at x_B; that of x_A is the negative one. */
static void spread_all(two_node_tangent *t, double *k)
{
    spread(&t->pair, &t->row[X], k + N * DOFS);
    spread(&t->pair, &t->row[B], k + N * (DOFS + 3));
    spread(&t->pair, &t->row[A], k + N * 3);
}

static void negate_first(double *k)
{
    for (int i = 0; i < 3 * N; i++) {
        k[i] = -k[N * DOFS + i];
    }
}

void haw_two_node_add_held(two_node_tangent *t, double factor, double *k)
{
    const two_node_kind *kind = t->beam->ops->kind;
    double own[N * N];
    kind->geometric(t);
    add_moment(t);
    spread_all(t, own);
    negate_first(own);
    for (int i = 0; i < N * N; i++) {
        k[i] += factor * own[i];
    }
}

void haw_two_node_tangent(const haw_beam *beam, int e, const double *q, const double *u,
                          double rate, double k[HAW_SPACE_DOFS * HAW_SPACE_DOFS])
{
    const two_node_kind *kind = beam->ops->kind;
    two_node_tangent now = {.beam = beam, .rate = u != NULL ? rate : 0.0}, *t = &now;
    const double *ue = u != NULL ? u + DOFS * e : NULL;
    const bool is_damped = ue != NULL && has_damping(beam);
    measure(beam, q + TWO_NODE_COORDINATES * e, &t->pair);
    find_stress(t->beam, e, &t->pair, t->stress);
    if (is_damped) {
        double viscous[HAW_STRAINS];
        find_viscous(t->beam, &t->pair, ue, viscous);
        for (int i = 0; i < HAW_STRAINS; i++) {
            t->stress[i] += viscous[i];
        }
    }
    t->axial = t->stress[0];
    if (beam->ops->on_chords) {
        t->stress[0] = 0.0;
    }
    kind->geometric(t);
    add_moment(t);
    add_material(t);
    if (is_damped) {
        add_viscous(t, ue);
    }
    spread_all(t, k);
    if (beam->ops->on_chords) {
        add_chord(t, ue, k + N * DOFS);
    }
    negate_first(k);
    if (u != NULL) {
        add_gyroscopic(t->beam, ue, t->rate, k);
    }
}
