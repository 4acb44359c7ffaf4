/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Splines through points. The second derivatives at the knots come from GSL; between them
 *
 *     x = (1 - s) x_a + s x_b - h^2 / 6 (((1 - s) - (1 - s)^3) m_a + (s - s^3) m_b),  s = (u - a) /
 * h.
 *
 * The knots are first the lengths of the chords, then those of the spline itself, a few times over.
 */
#include "base/lie.h"
#include "cable/trace.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_spline.h>
#include <math.h>
#include <string.h>

static const double degree = 3.14159265358979323846 / 180;

enum { PASSES = 6, PARTS = 4 }; /* of a span between two points, each with a rule of its own */

typedef struct spline {
    int count;
    bool is_closed;
    double *u;    /* [count] knots from 0 to 1 */
    double *x;    /* [4][count] values, less a straight line of the twist */
    double *m;    /* [4][count] second derivatives */
    double climb; /* of the twist's straight line [rad] */
} spline;

static int find_knot(const spline *c, double u)
{
    int low = 0, high = c->count - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (c->u[middle] <= u) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static void spline_at(const void *data, double u, double x[HAW_TRACE], double d[HAW_TRACE])
{
    const spline *c = data;
    const int k = find_knot(c, u);
    const double h = c->u[k + 1] - c->u[k], s = (u - c->u[k]) / h, r = 1 - s;
    for (int i = 0; i < HAW_TRACE; i++) {
        const double *y = c->x + (ptrdiff_t)i * c->count + k;
        const double *m = c->m + (ptrdiff_t)i * c->count + k;
        const double sixth = h * h / 6;
        x[i] = r * y[0] + s * y[1] - sixth * ((r - r * r * r) * m[0] + (s - s * s * s) * m[1]);
        d[i] = (y[1] - y[0]) / h + sixth / h * ((1 - 3 * r * r) * m[0] - (1 - 3 * s * s) * m[1]);
    }
    x[3] += c->climb * u;
    d[3] += c->climb;
}

/* Second derivatives of one coordinate over the present knots. */
static haw_status fit(haw_arena *arena, const spline *c, int i)
{
    const gsl_interp_type *type = c->is_closed ? gsl_interp_cspline_periodic : gsl_interp_cspline;
    gsl_interp *interp = gsl_interp_alloc(type, (size_t)c->count);
    const double *y = c->x + (ptrdiff_t)i * c->count;
    if (interp == NULL) {
        return haw_fail(arena->context, HAW_ERR_NOMEM, "out of memory for a spline");
    }
    int failed = gsl_interp_init(interp, c->u, y, (size_t)c->count);
    for (int k = 0; k < c->count && failed == GSL_SUCCESS; k++) {
        double *m = c->m + (ptrdiff_t)i * c->count + k;
        failed = gsl_interp_eval_deriv2_e(interp, c->u, y, c->u[k], NULL, m);
    }
    gsl_interp_free(interp);
    return failed == GSL_SUCCESS ? HAW_OK : HAW_ERR_ARG;
}

/* The twist less its straight line over the present knots, which grows by `climb` from end to end
 * of a closed curve. */
static void level_twist(spline *c, const double *point)
{
    double *twist = c->x + (ptrdiff_t)3 * c->count;
    for (int k = 0; k < c->count; k++) {
        const double drawn = point[(ptrdiff_t)HAW_TRACE * k + 3] * degree;
        twist[k] = drawn - c->climb * c->u[k];
    }
    twist[c->count - 1] = c->is_closed ? twist[0] : twist[c->count - 1];
}

/* Knots in the ratio of these lengths [count - 1]. @return ERR_ARG: points that coincide */
static haw_status set_knots(haw_arena *arena, spline *c, const double *point, const double *length)
{
    double total = 0, sum = 0;
    for (int k = 0; k + 1 < c->count; k++) {
        total += length[k];
    }
    for (int k = 0; k + 1 < c->count; k++) {
        c->u[k] = sum / total;
        sum += length[k];
        if (!(c->u[k] < sum / total) || !isfinite(total)) {
            return HAW_ERR_ARG;
        }
    }
    c->u[c->count - 1] = 1;
    level_twist(c, point);
    for (int i = 0; i < HAW_TRACE; i++) {
        HAW_TRY(fit(arena, c, i));
    }
    return HAW_OK;
}

/* Values by coordinate, and the chords between them. */
static void take_points(spline *c, const double *point, double *chord)
{
    const double *last = point + (ptrdiff_t)HAW_TRACE * (c->count - 1);
    const double gap[3] = {last[0] - point[0], last[1] - point[1], last[2] - point[2]};
    double size = 0;
    for (int k = 0; k < c->count; k++) {
        const double *p = point + (ptrdiff_t)HAW_TRACE * k;
        for (int i = 0; i < 3; i++) {
            c->x[(ptrdiff_t)i * c->count + k] = p[i];
        }
        if (k > 0) {
            const double leg[3] = {p[0] - p[-4], p[1] - p[-3], p[2] - p[-2]};
            chord[k - 1] = vec3_norm(leg);
            size += chord[k - 1];
        }
    }
    c->is_closed = c->count > 3 && vec3_norm(gap) <= 1e-9 * size;
    for (int i = 0; i < 3 && c->is_closed; i++) {
        c->x[(ptrdiff_t)i * c->count + c->count - 1] = point[i];
    }
    c->climb = c->is_closed ? (last[3] - point[3]) * degree : 0;
}

/* Each span between two points in parts. */
static void divide(const spline *c, double *u)
{
    for (int k = 0; k < c->count - 1; k++) {
        for (int j = 0; j < PARTS; j++) {
            u[PARTS * k + j] = c->u[k] + (c->u[k + 1] - c->u[k]) * j / PARTS;
        }
    }
    u[(ptrdiff_t)PARTS * (c->count - 1)] = 1;
}

haw_status haw_trace_spline(haw_arena *arena, int count, const double *point, haw_trace *trace)
{
    const size_t n = (size_t)count;
    spline *c = haw_arena_allocate(arena, 1, sizeof *c);
    HAW_TRY(haw_arena_status(arena));
    c->count = count;
    c->u = haw_arena_allocate(arena, n, sizeof *c->u);
    c->x = haw_arena_allocate(arena, HAW_TRACE * n, sizeof *c->x);
    c->m = haw_arena_allocate(arena, HAW_TRACE * n, sizeof *c->m);
    double *length = haw_arena_allocate(arena, n, sizeof *length);
    double *u = haw_arena_allocate(arena, PARTS * n + 1, sizeof *u);
    HAW_TRY(haw_arena_status(arena));
    *trace = (haw_trace){.at = spline_at, .data = c, .spans = PARTS * (count - 1), .u = u};
    take_points(c, point, length);
    for (int pass = 0; pass < PASSES; pass++) {
        HAW_TRY(set_knots(arena, c, point, length));
        divide(c, u);
        HAW_TRY(haw_trace_measure(arena, trace));
        for (int k = 0; k + 1 < count; k++) {
            length[k] = trace->s[PARTS * (k + 1)] - trace->s[PARTS * k];
        }
    }
    return HAW_OK;
}
