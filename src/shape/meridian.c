/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Meridians in pieces: drawn as a chain of lines and arcs, or the spline through a table r(z);
 * points of the pieces and the feet on them.
 */
#include "shape/revolution.h"

#include <lapacke.h>

/* ---- a chain of lines and arcs ---- */

/* Largest corner that passes for a smooth joint [rad], and misfit of an arc's two radii. */
static const double corner_max = 1.0e-4;
static const double misfit_max = 1.0e-4;

static haw_status refuse(haw_context *context, int piece, const double at[2], const char *reason)
{
    return haw_fail(context, HAW_ERR_INPUT, "piece %d of the meridian, at r = %g m, z = %g m: %s",
                    piece + 1, at[0], at[1], reason);
}

static void set_line(haw_piece *piece, haw_joint_point end[2])
{
    const double dr = end[1].at[0] - end[0].at[0], dz = end[1].at[1] - end[0].at[1];
    const double length = hypot(dr, dz);

    piece->kind = HAW_PIECE_LINE;
    for (int e = 0; e < 2; e++) {
        end[e].tangent[0] = dr / length;
        end[e].tangent[1] = dz / length;
    }
    piece->low = fmin(end[0].at[0], end[1].at[0]);
    piece->high = fmax(end[0].at[0], end[1].at[0]);
}

/*
 * The centre is given in decimal digits: the one used lies at the same distance from both ends,
 * on the perpendicular through the middle of the chord.
 */
static void set_center(haw_piece *piece, const double given[2], const haw_joint_point end[2])
{
    const double dr = end[1].at[0] - end[0].at[0], dz = end[1].at[1] - end[0].at[1];
    const double middle[2] = {0.5 * (end[0].at[0] + end[1].at[0]),
                              0.5 * (end[0].at[1] + end[1].at[1])};
    const double along =
        ((given[0] - middle[0]) * dr + (given[1] - middle[1]) * dz) / (dr * dr + dz * dz);

    piece->center[0] = given[0] - along * dr;
    piece->center[1] = given[1] - along * dz;
    piece->radius = hypot(end[0].at[0] - piece->center[0], end[0].at[1] - piece->center[1]);
}

/* An arc that goes up lies wholly outside (convex) or inside (concave) of its centre. */
static haw_status set_arc(haw_context *context, int index, const double given[2], haw_piece *piece,
                          haw_joint_point end[2])
{
    const double first = hypot(end[0].at[0] - given[0], end[0].at[1] - given[1]);
    const double last = hypot(end[1].at[0] - given[0], end[1].at[1] - given[1]);

    if (!(fabs(first - last) <= misfit_max * fmax(first, last))) {
        return refuse(context, index, end[1].at,
                      "the two ends of the arc must be at the same distance from its centre");
    }
    set_center(piece, given, end);
    const double slack = corner_max * piece->radius;
    const double from = end[0].at[0] - piece->center[0], to = end[1].at[0] - piece->center[0];

    piece->kind = HAW_PIECE_ARC;
    piece->side = from + to >= 0.0 ? 1.0 : -1.0;
    if (piece->side * from < -slack || piece->side * to < -slack) {
        return refuse(context, index, end[1].at,
                      "the arc must not turn back downwards: split it, or check its centre");
    }
    for (int e = 0; e < 2; e++) {
        end[e].tangent[0] = -piece->side * (end[e].at[1] - piece->center[1]) / piece->radius;
        end[e].tangent[1] = piece->side * (end[e].at[0] - piece->center[0]) / piece->radius;
    }
    const bool has_top = end[0].at[1] < piece->center[1] && end[1].at[1] > piece->center[1];
    const double top = piece->center[0] + piece->side * piece->radius;

    piece->low = fmin(fmin(end[0].at[0], end[1].at[0]), has_top ? top : (double)INFINITY);
    piece->high = fmax(fmax(end[0].at[0], end[1].at[0]), has_top ? top : -(double)INFINITY);
    return HAW_OK;
}

static haw_status set_piece(haw_context *context, int index, const haw_meridian_segment *segment,
                            haw_piece *piece, haw_joint_point end[2])
{
    const double rise = end[1].at[1] - end[0].at[1];

    if (!isfinite(rise) || !isfinite(end[1].at[0]) ||
        (rise == 0.0 && end[1].at[0] == end[0].at[0])) {
        return refuse(context, index, end[1].at, "it must have a length");
    }
    if (rise < 0.0) {
        return refuse(context, index, end[1].at, "z must not decrease along the meridian");
    }
    if (segment->is_arc) {
        HAW_TRY(set_arc(context, index, segment->center, piece, end));
    } else {
        set_line(piece, end);
    }
    if (!(piece->low > 0.0)) {
        return refuse(context, index, end[1].at, "r must be > 0 along the meridian");
    }
    return HAW_OK;
}

/* Append a piece from the last joint on. */
static void append(haw_revolution *revolution, const haw_piece *piece, const haw_joint_point *end)
{
    revolution->piece[revolution->pieces++] = *piece;
    revolution->joint[revolution->pieces] = *end;
}

/*
 * A corner is an arc of radius 0: seen from a convex one every direction between the normals of its
 * two sides has its foot there, with the distance and the bend 1 / distance of a circle; from
 * outside a concave one none has.
 */
static void append_corner(haw_revolution *revolution, const haw_joint_point *after, double turn)
{
    const haw_piece corner = {
        .kind = HAW_PIECE_ARC,
        .low = after->at[0],
        .high = after->at[0],
        .center = {after->at[0], after->at[1]},
        .side = turn > 0.0 ? 1.0 : -1.0,
    };

    append(revolution, &corner, after);
}

static haw_status allocate(haw_arena *arena, size_t pieces, haw_revolution *revolution)
{
    revolution->pieces = 0;
    revolution->piece = haw_arena_allocate(arena, pieces, sizeof *revolution->piece);
    revolution->joint = haw_arena_allocate(arena, pieces + 1, sizeof *revolution->joint);
    return haw_arena_status(arena);
}

haw_status haw_revolution_chain(haw_arena *arena, const haw_meridian *meridian, bool corners,
                                haw_revolution *revolution)
{
    haw_joint_point end[2] = {{{meridian->from[0], meridian->from[1]}, {0.0, 0.0}}, {{0.0}, {0.0}}};
    haw_joint_point before = {{0.0}, {0.0}};

    HAW_TRY(allocate(arena, (corners ? 2 : 1) * (size_t)meridian->segments, revolution));
    for (int i = 0; i < meridian->segments; i++) {
        const haw_meridian_segment *segment = &meridian->segment[i];
        haw_piece piece = {.radius = 0.0};

        end[1].at[0] = segment->to[0];
        end[1].at[1] = segment->to[1];
        HAW_TRY(set_piece(arena->context, i, segment, &piece, end));
        /* angle between the two pieces, > 0 at a convex corner [rad] */
        const double *a = before.tangent, *b = end[0].tangent;
        const double turn =
            i > 0 ? atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]) : 0.0;

        if (fabs(turn) > corner_max && !corners) {
            return haw_fail(arena->context, HAW_ERR_INPUT,
                            "the meridian has a corner of %.4g deg before piece %d, at r = %g m, "
                            "z = %g m: join the pieces with a common tangent, by an arc",
                            fabs(turn) * 180.0 / 3.14159265358979323846, i + 1, end[0].at[0],
                            end[0].at[1]);
        }
        if (fabs(turn) > corner_max) {
            append_corner(revolution, &end[0], turn);
        }
        if (i == 0) {
            revolution->joint[0] = end[0];
        }
        append(revolution, &piece, &end[1]);
        before = end[1];
        end[0] = end[1];
    }
    return HAW_OK;
}

/* ---- a table r(z) ---- */

/*
 * The C2 cubic spline whose third derivative is continuous at the second and the last but one point
 * too (not-a-knot: C. de Boor, A Practical Guide to Splines, Springer 1978, ch. IV), of fourth
 * order up to its ends.
 */

/* Unknowns: the slopes m_i at the points; rows of a tridiagonal system. */
typedef struct spline {
    int count;
    const double *z, *r;
    double *low, *middle, *high, *m;
} spline;

static double step(const spline *s, int i)
{
    return s->z[i + 1] - s->z[i];
}

static double chord(const spline *s, int i)
{
    return (s->r[i + 1] - s->r[i]) / step(s, i);
}

/*
 * r''' continuous at the second point, with r'' of its row eliminated: b m_0 + (a + b) m_1 =
 * ((a + 2 (a + b)) b d_0 + a^2 d_1) / (a + b), steps a, b and chords d_0, d_1 from that end on.
 */
static double end_value(double a, double b, double d0, double d1)
{
    return ((3.0 * a + 2.0 * b) * b * d0 + a * a * d1) / (a + b);
}

static haw_status check_table(haw_context *context, const haw_meridian *meridian)
{
    if (meridian->count < 4) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "the table r(z) of a surface of revolution needs at least 4 points (got "
                        "%d)",
                        meridian->count);
    }
    for (int i = 0; i < meridian->count; i++) {
        if (!isfinite(meridian->z[i]) || (i > 0 && !(meridian->z[i] > meridian->z[i - 1]))) {
            return haw_fail(context, HAW_ERR_INPUT,
                            "the table r(z) of a surface of revolution must have ascending z "
                            "(point %d: %g m)",
                            i + 1, meridian->z[i]);
        }
        if (!(meridian->r[i] > 0.0) || !isfinite(meridian->r[i])) {
            return haw_fail(context, HAW_ERR_INPUT,
                            "the table r(z) of a surface of revolution must have r > 0 (point %d: "
                            "%g m)",
                            i + 1, meridian->r[i]);
        }
    }
    return HAW_OK;
}

static haw_status find_slopes(haw_arena *arena, const haw_meridian *meridian, spline *s)
{
    const size_t count = (size_t)meridian->count;
    double *rows = haw_arena_allocate(arena, 4 * count, sizeof *rows);

    HAW_TRY(haw_arena_status(arena));
    *s = (spline){meridian->count, meridian->z,      meridian->r,     rows,
                  rows + count,    rows + 2 * count, rows + 3 * count};
    const int n = s->count - 1;
    for (int i = 1; i < n; i++) { /* r'' continuous at point i */
        const double a = step(s, i - 1), b = step(s, i);

        s->low[i] = b;
        s->middle[i] = 2.0 * (a + b);
        s->high[i] = a;
        s->m[i] = 3.0 * (b * chord(s, i - 1) + a * chord(s, i));
    }
    s->middle[0] = step(s, 1);
    s->high[0] = step(s, 0) + step(s, 1);
    s->m[0] = end_value(step(s, 0), step(s, 1), chord(s, 0), chord(s, 1));
    s->middle[n] = step(s, n - 2);
    s->low[n] = step(s, n - 1) + step(s, n - 2);
    s->m[n] = end_value(step(s, n - 1), step(s, n - 2), chord(s, n - 1), chord(s, n - 2));
    /* inner rows dominate, and the end rows leave them so: it cannot fail */
    (void)LAPACKE_dgtsv_work(LAPACK_COL_MAJOR, s->count, 1, s->low + 1, s->middle, s->high, s->m,
                             s->count);
    return HAW_OK;
}

static haw_piece piece_of(const spline *s, int i)
{
    const double third = step(s, i) / 3.0;
    haw_piece piece = {
        .kind = HAW_PIECE_CUBIC,
        .r = {s->r[i], s->r[i] + third * s->m[i], s->r[i + 1] - third * s->m[i + 1], s->r[i + 1]},
    };

    piece.low = piece.high = piece.r[0];
    for (int k = 1; k < 4; k++) { /* a Bezier curve stays within its control polygon */
        piece.low = fmin(piece.low, piece.r[k]);
        piece.high = fmax(piece.high, piece.r[k]);
    }
    return piece;
}

haw_status haw_revolution_table(haw_arena *arena, const haw_meridian *meridian,
                                haw_revolution *revolution)
{
    const int pieces = meridian->count - 1;
    spline s;

    HAW_TRY(check_table(arena->context, meridian));
    HAW_TRY(allocate(arena, (size_t)pieces, revolution));
    revolution->pieces = pieces;
    const haw_arena_mark mark = haw_arena_here(arena);

    HAW_TRY(find_slopes(arena, meridian, &s));
    for (int i = 0; i <= pieces; i++) {
        revolution->joint[i] = (haw_joint_point){{s.r[i], s.z[i]}, {s.m[i], 1.0}};
    }
    for (int i = 0; i < pieces; i++) {
        revolution->piece[i] = piece_of(&s, i);
    }
    haw_arena_rewind(arena, &mark);
    return HAW_OK;
}

/* ---- points ---- */

void haw_cubic_at(const haw_piece *piece, double h, double share, double r[3])
{
    const double *b = piece->r;
    const double u = share, v = 1.0 - share;
    const double d[3] = {b[1] - b[0], b[2] - b[1], b[3] - b[2]};

    r[0] = v * v * (v * b[0] + 3.0 * u * b[1]) + u * u * (3.0 * v * b[2] + u * b[3]);
    r[1] = 3.0 / h * (v * v * d[0] + 2.0 * u * v * d[1] + u * u * d[2]);
    r[2] = 6.0 / (h * h) * (v * (d[1] - d[0]) + u * (d[2] - d[1]));
}

static haw_meridian_point arc_at(const haw_piece *piece, const haw_joint_point *joint, double share)
{
    const double *c = piece->center;

    if (!(piece->radius > 0.0)) { /* a corner */
        return (haw_meridian_point){{c[0], c[1]}, {1.0, 0.0}, piece->side * (double)INFINITY};
    }
    const double from = asin(fmax(-1.0, fmin(1.0, (joint[0].at[1] - c[1]) / piece->radius)));
    const double to = asin(fmax(-1.0, fmin(1.0, (joint[1].at[1] - c[1]) / piece->radius)));
    const double angle = from + share * (to - from);
    const double n[2] = {cos(angle), piece->side * sin(angle)};

    return (haw_meridian_point){
        .at = {c[0] + piece->side * piece->radius * n[0], c[1] + piece->radius * sin(angle)},
        .normal = {n[0], n[1]},
        .curvature = piece->side / piece->radius,
    };
}

haw_meridian_point haw_piece_at(const haw_revolution *revolution, int piece, double share)
{
    const haw_piece *it = &revolution->piece[piece];
    const haw_joint_point *joint = &revolution->joint[piece];
    const double dr = joint[1].at[0] - joint[0].at[0], dz = joint[1].at[1] - joint[0].at[1];
    double r[3];

    if (it->kind == HAW_PIECE_ARC) {
        return arc_at(it, joint, share);
    }
    if (it->kind == HAW_PIECE_LINE) {
        const double length = hypot(dr, dz);

        return (haw_meridian_point){
            .at = {joint[0].at[0] + share * dr, joint[0].at[1] + share * dz},
            .normal = {dz / length, -dr / length},
        };
    }
    haw_cubic_at(it, dz, share, r);
    const double q = sqrt(1.0 + r[1] * r[1]);

    return (haw_meridian_point){
        .at = {r[0], joint[0].at[1] + share * dz},
        .normal = {1.0 / q, -r[1] / q},
        .curvature = -r[2] / (q * q * q),
    };
}

/* ---- feet ---- */

/*
 * Feet on a cubic r(z), z = z_0 + h u: half the squared distance has along z the slope
 *     F(u) = (z - z_p) + (r - rho) r',
 * a polynomial of degree 5. Its Bernstein coefficients change sign at least as often as F has
 * roots (variation diminishing), so halving the interval until they change at most once isolates
 * every root.
 */

enum { DEGREE = 5, DEPTH_MAX = 48, NEWTON_MAX = 100 };

typedef struct stretch {
    double c[DEGREE + 1];
    double from, to; /* of u */
} stretch;

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

static haw_half_foot cubic_foot(const haw_piece *piece, const haw_joint_point *joint, double u,
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

static int cubic_feet(const haw_revolution *revolution, int piece, const double p[2], int room,
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

            half[count++] = cubic_foot(&revolution->piece[piece], joint, u, p);
        }
    }
    return count;
}

/* s = +-(|p - c| - a); kappa / (1 + kappa s) = +-1 / |p - c|, also at a corner, a = 0. */
static haw_half_foot arc_foot(const haw_piece *piece, const double p[2])
{
    const double dr = p[0] - piece->center[0], dz = p[1] - piece->center[1];
    const double distance = hypot(dr, dz);
    haw_half_foot half = {
        .gap = piece->side * (distance - piece->radius),
        .normal = {1.0, 0.0},
        .bend = piece->side / distance,
    };

    if (distance > 0.0) {
        half.normal[0] = piece->side * dr / distance;
        half.normal[1] = piece->side * dz / distance;
    } else { /* the centre has every normal */
        half.bend = 0.0;
    }
    return half;
}

int haw_piece_feet(const haw_revolution *revolution, int piece, const double p[2], int room,
                   haw_half_foot *half)
{
    const haw_piece *it = &revolution->piece[piece];
    const haw_joint_point *joint = &revolution->joint[piece];

    if (it->kind == HAW_PIECE_CUBIC) {
        return cubic_feet(revolution, piece, p, room, half);
    }
    /* the slope grows along a line; along an arc of at most half a turn it has one zero at most */
    if (room < 1 ||
        !(haw_joint_slope(&joint[0], p) < 0.0 && haw_joint_slope(&joint[1], p) >= 0.0)) {
        return 0;
    }
    if (it->kind == HAW_PIECE_ARC) {
        half[0] = arc_foot(it, p);
    } else {
        const haw_meridian_point line = haw_piece_at(revolution, piece, 0.0);
        const double *n = line.normal;

        half[0] = (haw_half_foot){.gap = n[0] * (p[0] - line.at[0]) + n[1] * (p[1] - line.at[1]),
                                  .normal = {n[0], n[1]}};
    }
    return 1;
}
