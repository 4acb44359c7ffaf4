/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arc lengths by Gauss' rule on each span; the parameter of an arc length by Newton's method, which
 * converges because speeds are positive and hardly vary within a span.
 */
#include "cable/trace.h"

#include "base/lie.h"

#include <math.h>
#include <string.h>

enum { GAUSS = 5, NEWTON = 40, PROBES = 4, HALVES = 30 };

static const double SHARP = 0.1; /* turn that is looked at more closely [rad] */

static double speed(const haw_trace *trace, double u)
{
    double x[HAW_TRACE], d[HAW_TRACE];
    trace->at(trace->data, u, x, d);
    return vec3_norm(d);
}

static double length_between(const haw_trace *trace, double a, double b)
{
    static const double place[] = {0, 0.5384693101056831, -0.5384693101056831, 0.9061798459386640,
                                   -0.9061798459386640}; /* Gauss-Legendre on [-1, 1] */
    static const double weight[] = {0.5688888888888889, 0.4786286704993665, 0.4786286704993665,
                                    0.2369268850561891, 0.2369268850561891};
    double sum = 0;
    for (int g = 0; g < GAUSS; g++) {
        sum += 0.5 * weight[g] * speed(trace, a + 0.5 * (1 + place[g]) * (b - a));
    }
    return sum * (b - a);
}

haw_status haw_trace_measure(haw_arena *arena, haw_trace *trace)
{
    if (trace->s == NULL) {
        trace->s = haw_arena_allocate(arena, (size_t)trace->spans + 1, sizeof *trace->s);
        HAW_TRY(haw_arena_status(arena));
    }
    for (int k = 0; k < trace->spans; k++) {
        trace->s[k + 1] = trace->s[k] + length_between(trace, trace->u[k], trace->u[k + 1]);
    }
    return HAW_OK;
}

/* The span of an arc length, by bisection. */
static int find_span(const haw_trace *trace, double s)
{
    int low = 0, high = trace->spans;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (trace->s[middle] <= s) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static double find_parameter(const haw_trace *trace, double s)
{
    const int k = find_span(trace, s);
    const double a = trace->u[k], b = trace->u[k + 1], span = trace->s[k + 1] - trace->s[k];
    double u = a + (b - a) * (s - trace->s[k]) / span;
    for (int i = 0; i < NEWTON && s > trace->s[k]; i++) {
        const double miss = trace->s[k] + length_between(trace, a, u) - s;
        u = fmax(a, fmin(b, u - miss / speed(trace, u)));
        if (!(fabs(miss) > 1e-15 * haw_trace_length(trace))) {
            break;
        }
    }
    return u;
}

double haw_trace_point(const haw_trace *trace, double s, double x[3], double t[3])
{
    const double inside = fmax(0, fmin(haw_trace_length(trace), s));
    double place[HAW_TRACE], d[HAW_TRACE];
    trace->at(trace->data, find_parameter(trace, inside), place, d);
    const double size = vec3_norm(d);
    for (int i = 0; i < 3; i++) {
        t[i] = d[i] / size;
        x[i] = place[i] + (s - inside) * t[i];
    }
    return place[3];
}

/* Angle between the tangents at two places. */
static double turn_between(const haw_trace *trace, double a, double b)
{
    double x[3], t[3], u[3], across[3];
    (void)haw_trace_point(trace, a, x, t);
    (void)haw_trace_point(trace, b, x, u);
    vec3_cross(t, u, across);
    return atan2(vec3_norm(across), vec3_dot(t, u));
}

/* Mean curvature between two places, where they turn by much that of the sharper half, and so on.
 */
static double bend_between(const haw_trace *trace, double a, double b, double *at)
{
    double turn = turn_between(trace, a, b);
    for (int i = 0; i < HALVES && turn > SHARP; i++) {
        const double middle = 0.5 * (a + b);
        const double first = turn_between(trace, a, middle),
                     second = turn_between(trace, middle, b);
        a = first > second ? a : middle;
        b = first > second ? middle : b;
        turn = fmax(first, second);
    }
    *at = 0.5 * (a + b);
    return turn / (b - a);
}

double haw_trace_curvature(const haw_trace *trace, double *at)
{
    double most = 0;
    for (int k = 0; k < PROBES * trace->spans; k++) {
        const int span = k / PROBES;
        const double length = (trace->s[span + 1] - trace->s[span]) / PROBES;
        const double s = trace->s[span] + length * (k % PROBES);
        double place;
        const double bend = bend_between(trace, s, s + length, &place);
        if (!(bend <= most)) {
            most = bend;
            *at = place;
        }
        if (isnan(bend)) {
            return bend;
        }
    }
    return most;
}

/* ---- helices ---- */

double haw_winding_angle(const haw_winding *winding, double u, double *rate)
{
    const double two_pi = 6.283185307179586477, r = winding->ramp;
    const double full = two_pi * winding->turns / (1 - r), rest = fmin(u, 1 - u);
    double angle = rest - 0.5 * r;
    *rate = full;
    if (rest < r) {
        const double s = rest / r;
        angle = r * s * s * s * (1 - 0.5 * s);
        *rate = full * s * s * (3 - 2 * s);
    }
    angle *= full;
    return winding->phase + (u > 0.5 ? two_pi * winding->turns - angle : angle);
}

static int winding_spans(const haw_winding *winding)
{
    const double spans = 16 * fabs(winding->turns) / (1 - winding->ramp);
    return (int)ceil(fmin(spans, 1e6)) + 8;
}

typedef struct helix {
    haw_winding winding;
    double center[3];
    double climb[3]; /* from end to end */
    double e1[3], e2[3];
} helix;

static void helix_at(const void *data, double u, double x[HAW_TRACE], double d[HAW_TRACE])
{
    const helix *h = data;
    double rate;
    const double angle = haw_winding_angle(&h->winding, u, &rate), r = h->winding.radius;
    const double c = r * cos(angle), s = r * sin(angle);
    for (int i = 0; i < 3; i++) {
        x[i] = h->center[i] + u * h->climb[i] + c * h->e1[i] + s * h->e2[i];
        d[i] = h->climb[i] + rate * (c * h->e2[i] - s * h->e1[i]);
    }
    x[3] = d[3] = 0;
}

/* Ends of equal spans. */
static haw_status spread(haw_arena *arena, int spans, haw_trace *trace)
{
    double *u = haw_arena_allocate(arena, (size_t)spans + 1, sizeof *u);
    HAW_TRY(haw_arena_status(arena));
    for (int k = 0; k <= spans; k++) {
        u[k] = (double)k / spans;
    }
    trace->spans = spans;
    trace->u = u;
    return HAW_OK;
}

haw_status haw_trace_wind(haw_arena *arena, const haw_winding *winding, int least, haw_trace *trace)
{
    const int spans = winding_spans(winding);
    HAW_TRY(spread(arena, spans > least ? spans : least, trace));
    return haw_trace_measure(arena, trace);
}

haw_status haw_trace_helix(haw_arena *arena, const haw_path_segment *segment, haw_trace *trace)
{
    const double degree = 3.14159265358979323846 / 180;
    helix *h = haw_arena_allocate(arena, 1, sizeof *h);
    HAW_TRY(haw_arena_status(arena));
    h->winding = (haw_winding){.radius = segment->radius,
                               .phase = segment->phase_deg * degree,
                               .turns = segment->turns,
                               .ramp = segment->ramp};
    const double pitch = haw_helix_pitch(segment->radius, segment->pitch, segment->lay_deg);
    const double height = pitch * fabs(segment->turns) / (1 - segment->ramp);
    double e[3][3];
    haw_axis_frame(segment->axis, e);
    for (int i = 0; i < 3; i++) {
        h->center[i] = segment->center[i];
        h->climb[i] = height * e[0][i];
        h->e1[i] = e[1][i];
        h->e2[i] = e[2][i];
    }
    *trace = (haw_trace){.at = helix_at, .data = h};
    return haw_trace_wind(arena, &h->winding, 1, trace);
}

double haw_helix_pitch(double radius, double pitch, double lay_deg)
{
    const double pi = 3.14159265358979323846;
    return isnan(lay_deg) ? pitch : 2 * pi * radius / tan(lay_deg * pi / 180);
}

void haw_upright_normal(const double t[3], double n[3])
{
    const double across = hypot(t[0], t[1]);
    n[0] = across > 1e-8 ? -t[1] / across : 1;
    n[1] = across > 1e-8 ? t[0] / across : 0;
    n[2] = 0;
}

void haw_axis_frame(const double axis[3], double e[3][3])
{
    const double size = vec3_norm(axis);
    for (int i = 0; i < 3; i++) {
        e[0][i] = size > 0 ? axis[i] / size : i == 2;
    }
    haw_upright_normal(e[0], e[1]);
    vec3_cross(e[0], e[1], e[2]);
}
