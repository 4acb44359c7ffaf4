/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Feet on a cubic r(z), z = z_0 + h u: half the squared distance has along z the slope
 *     F(u) = (z - z_p) + (r - rho) r',
 * a polynomial of degree 5. Its Bernstein coefficients change sign at least as often as F has
 * roots (variation diminishing), so halving the interval until they change at most once isolates
 * every root.
 */
#include "shape/revolution.h"

#include <float.h>

enum { DEGREE = 5, DEPTH_MAX = 48, NEWTON_MAX = 100 };

typedef struct stretch {
    double c[DEGREE + 1];
    double from, to; /* of u */
} stretch;

void haw_cubic_at(const haw_piece *piece, double h, double share, double r[3])
{
    const double *b = piece->r;
    const double u = share, v = 1.0 - share;
    const double d[3] = {b[1] - b[0], b[2] - b[1], b[3] - b[2]};

    r[0] = v * v * (v * b[0] + 3.0 * u * b[1]) + u * u * (3.0 * v * b[2] + u * b[3]);
    r[1] = 3.0 / h * (v * v * d[0] + 2.0 * u * v * d[1] + u * u * d[2]);
    r[2] = 6.0 / (h * h) * (v * (d[1] - d[0]) + u * (d[2] - d[1]));
}

/* Bernstein coefficients of F; those at the ends are the slopes that the neighbours see. */
static void expand(const haw_revolution *revolution, int piece, const double p[2], stretch *s)
{
    static const double cubic[4] = {1.0, 3.0, 3.0, 1.0}, square[3] = {1.0, 2.0, 1.0};
    static const double quintic[DEGREE + 1] = {1.0, 5.0, 10.0, 10.0, 5.0, 1.0};
    const double *b = revolution->piece[piece].r;
    const haw_joint_point *joint = &revolution->joint[piece];
    const double h = joint[1].at[1] - joint[0].at[1];

    *s = (stretch){.from = 0.0, .to = 1.0};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 3; j++) {
            const double slope = 3.0 / h * (b[j + 1] - b[j]);

            s->c[i + j] += cubic[i] * square[j] / quintic[i + j] * (b[i] - p[0]) * slope;
        }
    }
    for (int k = 0; k <= DEGREE; k++) {
        s->c[k] += joint[0].at[1] - p[1] + h * k / DEGREE;
    }
    s->c[0] = haw_joint_slope(&joint[0], p);
    s->c[DEGREE] = haw_joint_slope(&joint[1], p);
}

static int sign_changes(const double c[DEGREE + 1])
{
    int changes = 0;

    for (int k = 0; k < DEGREE; k++) {
        changes += (c[k] >= 0.0) != (c[k + 1] >= 0.0);
    }
    return changes;
}

/* De Casteljau in the middle. */
static void halve(const stretch *whole, stretch half[2])
{
    double c[DEGREE + 1];

    for (int k = 0; k <= DEGREE; k++) {
        c[k] = whole->c[k];
    }
    half[0].from = whole->from;
    half[1].to = whole->to;
    half[0].to = half[1].from = 0.5 * (whole->from + whole->to);
    half[0].c[0] = c[0];
    half[1].c[DEGREE] = c[DEGREE];
    for (int level = 1; level <= DEGREE; level++) {
        for (int k = 0; k <= DEGREE - level; k++) {
            c[k] = 0.5 * (c[k] + c[k + 1]);
        }
        half[0].c[level] = c[0];
        half[1].c[DEGREE - level] = c[DEGREE - level];
    }
}

/* Root of F between from (F < 0) and to (F >= 0): Newton, halving where it leaves the bracket. */
static double refine(const haw_piece *piece, const haw_joint_point *joint, const double p[2],
                     const stretch *s)
{
    const double h = joint[1].at[1] - joint[0].at[1];
    double low = s->from, high = s->to, u = 0.5 * (low + high);

    for (int i = 0; i < NEWTON_MAX; i++) {
        double r[3];

        haw_cubic_at(piece, h, u, r);
        const double f = joint[0].at[1] + h * u - p[1] + (r[0] - p[0]) * r[1];
        const double slope = h * (1.0 + r[1] * r[1] + (r[0] - p[0]) * r[2]);

        if (f >= 0.0) {
            high = u;
        } else {
            low = u;
        }
        const double newton = u - f / slope;
        const double next =
            slope > 0.0 && newton >= low && newton <= high ? newton : 0.5 * (low + high);

        if (fabs(next - u) <= 2.0 * DBL_EPSILON) {
            return next;
        }
        u = next;
    }
    return u;
}

static haw_half_foot foot_at(const haw_piece *piece, const haw_joint_point *joint, double u,
                             const double p[2])
{
    const double h = joint[1].at[1] - joint[0].at[1];
    double r[3];

    haw_cubic_at(piece, h, u, r);
    const double q = sqrt(1.0 + r[1] * r[1]);
    const double kappa = -r[2] / (q * q * q);
    const double gap = (p[0] - r[0] - r[1] * (p[1] - joint[0].at[1] - h * u)) / q;

    return (haw_half_foot){gap, {1.0 / q, -r[1] / q}, kappa / (1.0 + kappa * gap)};
}

int haw_cubic_feet(const haw_revolution *revolution, int piece, const double p[2], int room,
                   haw_half_foot *half)
{
    const haw_joint_point *joint = &revolution->joint[piece];
    stretch stack[DEPTH_MAX + 2];
    int depth = 1, count = 0;

    expand(revolution, piece, p, &stack[0]);
    while (depth > 0 && count < room) {
        const stretch s = stack[--depth];
        const int changes = sign_changes(s.c);

        if (changes > 1 && depth < DEPTH_MAX && s.to - s.from > 4.0 * DBL_EPSILON) {
            halve(&s, &stack[depth]);
            depth += 2;
        } else if (s.c[0] < 0.0 && s.c[DEGREE] >= 0.0) {
            const double u = refine(&revolution->piece[piece], joint, p, &s);

            half[count++] = foot_at(&revolution->piece[piece], joint, u, p);
        }
    }
    return count;
}
