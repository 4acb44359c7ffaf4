/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Motion and inertia of the spatial modal span. With m = (m1, m2, m3) the components of e1 in the
 * reference, the smallest rotation that brings its first axis to e1 gives
 *
 *     e2 = (-m2, 1 - m2^2 / (1 + m1), -m2 m3 / (1 + m1)),   e3 alike,
 *
 * and with alpha = e2.d'/l, beta = e3.d'/l the triad turns, in its own components, with
 *
 *     omega = (w, -beta, alpha),   w = k2 alpha + k3 beta,   k = (m3, -m2) / (1 + m1).
 *
 * A second time,
 *
 *     alpha. = (e2.d.. - 2 alpha l') / l + w beta,   beta. = (e3.d.. - 2 beta l') / l - w alpha,
 *     w. = (k2 e2.d.. + k3 e3.d.. - 2 w l') / l - w (k3 alpha - k2 beta).
 */
#include "element/alem_space_kernel.h"

int haw_alem_space_dofs(const haw_alem_space *kind)
{
    return SPACE_ENDS + 4 + kind->modes[0] + kind->modes[1] + kind->modes[2];
}

static void set_triad(haw_alem_space *kind, double e[3][3])
{
    for (int i = 0; i < 9; i++) {
        kind->triad[i] = e[i % 3][i / 3];
    }
}

void haw_alem_space_start(haw_alem_space *kind, const double *q, const double up[3])
{
    const double d[3] = {q[3] - q[0], q[4] - q[1], q[5] - q[2]};
    const double length = vec3_norm(d);
    double e[3][3];
    for (int i = 0; i < 3; i++) {
        e[0][i] = d[i] / length;
    }
    const double along = vec3_dot(up, e[0]);
    for (int i = 0; i < 3; i++) {
        e[1][i] = up[i] - along * e[0][i];
    }
    const double size = vec3_norm(e[1]);
    for (int i = 0; i < 3; i++) {
        e[1][i] /= size;
    }
    vec3_cross(e[0], e[1], e[2]);
    set_triad(kind, e);
}

void haw_alem_space_renew(haw_alem_space *kind, const double *q)
{
    const double d[3] = {q[3] - q[0], q[4] - q[1], q[5] - q[2]};
    double e[3][3], k[2];
    space_triad(kind->triad, d, e, k);
    set_triad(kind, e);
}

/* ---- motion of a place, in the triad ---- */

static inline void velocity(const space_span *span, const alem_place *place, const double *u,
                            double v[3])
{
    const alem_modes *modes = &span->modes;
    const double drift = alem_drift(modes, place->eta), eta = place->eta;
    double turned[3];
    space_local(span, u, v);
    vec3_cross(span->omega, place->w[0], turned);
    for (int i = 0; i < 3; i++) {
        v[i] += turned[i] + alem_sum(modes->modes[i], modes->rate[i], place->sine) +
                place->w[1][i] * drift;
    }
    v[0] += eta * modes->stretching + drift * modes->length;
    v[1] += eta * modes->length * span->omega[2];
    v[2] -= eta * modes->length * span->omega[1];
}

static inline double twist_rate(const space_span *span, double eta)
{
    return (1.0 - eta) * span->rate[0] + eta * span->rate[1] +
           (span->end[1] - span->end[0]) * alem_drift(&span->modes, eta);
}

/* Second rates of the span's own quantities; zero: the convective part alone. */
typedef struct second {
    double ends[2][3]; /* of r1, r2, in the triad */
    double twist[2];
    alem_second modes;
} second;

static const second none = {.modes = {.amplitude = {alem_rest, alem_rest, alem_rest}}};

static second second_of(const space_span *span, const double *a)
{
    second rates = {.twist = {a[span->twist], a[span->twist + 1]},
                    .modes = {.label = {a[span->labels], a[span->labels + 1]}}};
    for (int i = 0; i < 3; i++) {
        rates.modes.amplitude[i] = a + span->first[i];
    }
    space_local(span, a, rates.ends[0]);
    space_local(span, a + 3, rates.ends[1]);
    return rates;
}

/* omega. in the triad. */
static inline void spin_rate(const space_span *span, const second *rates, double out[3])
{
    const double inverse = 1.0 / span->modes.length, twice = 2.0 * span->modes.stretching * inverse;
    const double w = span->omega[0], alpha = span->omega[2], beta = -span->omega[1];
    const double turn[2] = {(rates->ends[1][1] - rates->ends[0][1]) * inverse,
                            (rates->ends[1][2] - rates->ends[0][2]) * inverse};
    out[0] = span->k[0] * turn[0] + span->k[1] * turn[1] - twice * w -
             w * (span->k[1] * alpha - span->k[0] * beta);
    out[1] = -(turn[1] - twice * beta - w * alpha);
    out[2] = turn[0] - twice * alpha + w * beta;
}

/* Acceleration of the place and, returned, of its twist. */
static inline double acceleration(const space_span *span, const alem_place *place,
                                  const second *rates, double out[3])
{
    const double eta = place->eta, length = span->modes.length;
    const alem_flow flow = alem_flow_of(&span->modes, place, &rates->modes);
    const double pull = 2.0 * flow.drift;
    double spin[3], turned[3], again[3], rolled[3], twisted[3];
    spin_rate(span, rates, spin);
    vec3_cross(spin, place->w[0], twisted);
    vec3_cross(span->omega, flow.first, rolled);
    vec3_cross(span->omega, place->w[0], turned);
    vec3_cross(span->omega, turned, again);
    for (int i = 0; i < 3; i++) {
        out[i] = (1.0 - eta) * rates->ends[0][i] + eta * rates->ends[1][i] + flow.twice[i] +
                 twisted[i] + 2.0 * rolled[i] + again[i];
    }
    out[0] += pull * span->modes.stretching + flow.push * length;
    out[1] += pull * length * span->omega[2];
    out[2] -= pull * length * span->omega[1];
    return (1.0 - eta) * rates->twist[0] + eta * rates->twist[1] +
           pull * (span->rate[1] - span->rate[0]) + flow.push * (span->end[1] - span->end[0]);
}

/* ---- a point ---- */

/* Columns of r1, r2: a change of d turns the triad by (k2 alpha + k3 beta, -beta, alpha). */
static void end_columns(const space_span *span, const alem_place *place,
                        double j[3][HAW_ALEM_SPACE_DOFS])
{
    double across[2][3];
    for (int l = 0; l < 2; l++) {
        const double turn[3] = {span->k[l], l == 1 ? -1.0 : 0.0, l == 0 ? 1.0 : 0.0};
        double local[3];
        vec3_cross(turn, place->w[0], local);
        space_global(span, local, across[l]);
    }
    for (int i = 0; i < 9; i++) {
        const int row = i / 3, column = i % 3;
        const double one = row == column ? 1.0 : 0.0;
        const double turn =
            (across[0][row] * span->e[1][column] + across[1][row] * span->e[2][column]) /
            span->modes.length;
        j[row][column] = (1.0 - place->eta) * one - turn;
        j[row][3 + column] = place->eta * one + turn;
    }
}

static void jacobian(const space_span *span, const alem_place *place, haw_alem_space_point *point)
{
    const double eta = place->eta, share[2] = {1.0 - eta, eta};
    memset(point->j, 0, sizeof point->j);
    memset(point->j_twist, 0, sizeof point->j_twist);
    end_columns(span, place, point->j);
    for (int i = 0; i < 3; i++) {
        for (int part = 0; part < 3; part++) {
            for (int k = 0; k < span->modes.modes[part]; k++) {
                point->j[i][span->first[part] + k] = span->e[part][i] * place->sine[k];
            }
        }
        for (int e = 0; e < 2; e++) {
            point->j[i][span->labels + e] = -share[e] * point->slope[i];
        }
    }
    for (int e = 0; e < 2; e++) {
        point->j_twist[span->twist + e] = share[e];
        point->j_twist[span->labels + e] =
            -share[e] * (span->end[1] - span->end[0]) * span->modes.inverse;
    }
}

/* Place, slope, twist and their columns. */
static void place_point(const space_span *span, const alem_place *place, const double *q,
                        haw_alem_space_point *point)
{
    const double eta = place->eta;
    double x[3][3], local[3];
    alem_slopes(&span->modes, place, x);
    space_global(span, place->w[0], local);
    space_global(span, x[0], point->slope);
    space_global(span, x[1], point->bend);
    for (int i = 0; i < 3; i++) {
        point->x[i] = (1.0 - eta) * q[i] + eta * q[3 + i] + local[i];
    }
    point->twist = (1.0 - eta) * span->end[0] + eta * span->end[1];
    jacobian(span, place, point);
}

void haw_alem_space_point_at(const haw_alem_space *kind, double s, const double *q, const double *u,
                             haw_alem_space_point *point)
{
    const space_span span = space_span_of(kind, q, u);
    const double eta = (s - q[span.labels]) * span.modes.inverse;
    const alem_place place = alem_place_at(&span.modes, eta);
    double local[3];
    place_point(&span, &place, q, point);
    velocity(&span, &place, u, local);
    space_global(&span, local, point->v);
    point->twist_rate = twist_rate(&span, eta);
    point->twist_gamma = acceleration(&span, &place, &none, local);
    space_global(&span, local, point->gamma);
}

/* ---- inertia ---- */

double haw_alem_space_kinetic(const haw_alem_space *kind, const haw_alem_space_section *section,
                              const double *q, const double *u)
{
    const space_span span = space_span_of(kind, q, u);
    const alem_rule *rule = space_rule(kind);
    double sum = 0.0;
    for (int g = 0; g < rule->points; g++) {
        const alem_gauss at = alem_gauss_at(rule, g);
        const alem_place place = alem_place_of(&span.modes, &at);
        const double turning = twist_rate(&span, at.eta);
        double v[3];
        velocity(&span, &place, u, v);
        sum +=
            at.weight * (section->density * vec3_dot(v, v) + section->rotary * turning * turning);
    }
    return 0.5 * span.modes.le * sum;
}

void haw_alem_space_scatter(const space_span *span, const space_inertia *sum, double factor,
                            double *y)
{
    const alem_inertia *modes = &sum->modes;
    const double inverse = 1.0 / span->modes.length, *turn = sum->turn;
    const double last[3] = {modes->moment[0],
                            modes->moment[1] + (span->k[0] * turn[0] + turn[2]) * inverse,
                            modes->moment[2] + (span->k[1] * turn[0] - turn[1]) * inverse};
    const double slope = (span->end[1] - span->end[0]) * span->modes.inverse;
    double whole[3], end[3];
    space_global(span, modes->whole, whole);
    space_global(span, last, end);
    for (int i = 0; i < 3; i++) {
        y[i] += factor * (whole[i] - end[i]);
        y[3 + i] += factor * end[i];
        for (int k = 0; k < span->modes.modes[i]; k++) {
            y[span->first[i] + k] += factor * modes->amplitude[i][k];
        }
    }
    for (int e = 0; e < 2; e++) {
        y[span->twist + e] += factor * sum->twist[e];
        y[span->labels + e] += factor * (modes->label[e] - slope * sum->twist[e]);
    }
}

void haw_alem_space_inertia(const haw_alem_space *kind, const haw_alem_space_section *section,
                            const double *q, const double *u, const double *a, double *y)
{
    const space_span span = space_span_of(kind, q, u);
    const second rates = second_of(&span, a);
    const alem_rule *rule = space_rule(kind);
    space_inertia sum = {.turn = {0.0}};
    for (int g = 0; g < rule->points; g++) {
        const alem_gauss at = alem_gauss_at(rule, g);
        const alem_place place = alem_place_of(&span.modes, &at);
        double acc[3], force[3] = {0.0};
        const double twist = acceleration(&span, &place, &rates, acc);
        vec3_add(section->density, acc, force);
        space_add_inertia(&span, &place, force, section->rotary * twist, &sum);
    }
    haw_alem_space_scatter(&span, &sum, span.modes.le, y);
}

void haw_alem_space_mass(const haw_alem_space *kind, const haw_alem_space_section *section,
                         const double *q, double *m)
{
    const space_span span = space_span_of(kind, q, NULL);
    const alem_rule *rule = space_rule(kind);
    const int n = span.labels + 2;
    memset(m, 0, (size_t)(n * n) * sizeof *m);
    for (int g = 0; g < rule->points; g++) {
        const alem_gauss at = alem_gauss_at(rule, g);
        const alem_place place = alem_place_of(&span.modes, &at);
        const double weight = at.weight * span.modes.le;
        haw_alem_space_point p;
        place_point(&span, &place, q, &p);
        for (int i = 0; i < n * n; i++) {
            const int row = i / n, column = i % n;
            m[i] += weight * (section->density *
                                  (p.j[0][row] * p.j[0][column] + p.j[1][row] * p.j[1][column] +
                                   p.j[2][row] * p.j[2][column]) +
                              section->rotary * p.j_twist[row] * p.j_twist[column]);
        }
    }
}
