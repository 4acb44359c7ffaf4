/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Meridian through a table r(z): the C2 cubic spline whose third derivative is continuous at the
 * second and the last but one point too (not-a-knot: C. de Boor, A Practical Guide to Splines,
 * Springer 1978, ch. IV), of fourth order up to its ends.
 */
#include "shape/revolution.h"

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

/* r'' continuous at point i. */
static void inner_row(spline *s, int i)
{
    const double a = step(s, i - 1), b = step(s, i);

    s->low[i] = b;
    s->middle[i] = 2.0 * (a + b);
    s->high[i] = a;
    s->m[i] = 3.0 * (b * chord(s, i - 1) + a * chord(s, i));
}

/*
 * r''' continuous at the second point, with r'' of its row eliminated: b m_0 + (a + b) m_1 =
 * ((a + 2 (a + b)) b d_0 + a^2 d_1) / (a + b), steps a, b and chords d_0, d_1 from that end on.
 */
static double end_value(double a, double b, double d0, double d1)
{
    return ((3.0 * a + 2.0 * b) * b * d0 + a * a * d1) / (a + b);
}

static void end_rows(spline *s)
{
    const int n = s->count - 1;
    const double a = step(s, 0), b = step(s, 1), c = step(s, n - 1), d = step(s, n - 2);

    s->middle[0] = b;
    s->high[0] = a + b;
    s->m[0] = end_value(a, b, chord(s, 0), chord(s, 1));
    s->middle[n] = d;
    s->low[n] = c + d;
    s->m[n] = end_value(c, d, chord(s, n - 1), chord(s, n - 2));
}

/* Elimination without pivoting: inner rows dominate, and the end rows leave them so. */
static void solve(spline *s)
{
    for (int i = 1; i < s->count; i++) {
        const double factor = s->low[i] / s->middle[i - 1];

        s->middle[i] -= factor * s->high[i - 1];
        s->m[i] -= factor * s->m[i - 1];
    }
    for (int i = s->count - 1; i >= 0; i--) {
        const double above = i + 1 < s->count ? s->high[i] * s->m[i + 1] : 0.0;

        s->m[i] = (s->m[i] - above) / s->middle[i];
    }
}

static haw_status check(haw_context *context, const haw_meridian *meridian)
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

    if (rows == NULL) {
        return HAW_ERR_NOMEM;
    }
    *s = (spline){meridian->count, meridian->z,      meridian->r,     rows,
                  rows + count,    rows + 2 * count, rows + 3 * count};
    for (int i = 1; i + 1 < s->count; i++) {
        inner_row(s, i);
    }
    end_rows(s);
    solve(s);
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

    HAW_TRY(check(arena->context, meridian));
    revolution->pieces = pieces;
    revolution->piece = haw_arena_allocate(arena, (size_t)pieces, sizeof *revolution->piece);
    revolution->joint = haw_arena_allocate(arena, (size_t)pieces + 1, sizeof *revolution->joint);
    if (revolution->piece == NULL || revolution->joint == NULL) {
        return HAW_ERR_NOMEM;
    }
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
