/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Yarn wound along the hoop of a drum, then pulled sideways by a traverse at its free end: slip
 * runs from the lift-off point back into the wrapped yarn (no bending, quasi-static). Behind the
 * front, at the angle phi before lift-off, the yarn is at rest; ahead of it lies the semi-geodesic
 * of lambda = mu, with the radius R' of the centreline
 *     tan(beta_L) = sinh(mu phi),  z_L = R' (cosh(mu phi) - 1) / mu,  s_L = R' sinh(mu phi) / mu,
 * and the free yarn runs on straight: z_B = z_L + L_f tanh(mu phi). A point at the arc length s'
 * ahead of the front has moved by R' (sqrt(1 + (mu s' / R')^2) - 1) / mu.
 */
#include "theory/result.h"

typedef struct winding_options {
    double friction, drum_radius, yarn_radius, length, turn, place;
    double speed, start, ramp, displacement, end;
} winding_options;

static const haw_option options[] = {
    HAW_NONNEGATIVE("friction", winding_options, friction, 0.4, "", "coefficient of friction mu"),
    HAW_POSITIVE("drum-radius", winding_options, drum_radius, 0.4, "m", "radius of the drum"),
    HAW_NONNEGATIVE("yarn-radius", winding_options, yarn_radius, 0.001, "m", "radius of the yarn"),
    HAW_POSITIVE("length", winding_options, length, 4, "m", "length of the yarn"),
    HAW_POSITIVE("turn", winding_options, turn, 6, "rad", "angle by which the drum has turned"),
    HAW_NONNEGATIVE("place", winding_options, place, 2, "m",
                    "arc length of the observed point from the anchor on the drum"),
    HAW_POSITIVE("speed", winding_options, speed, 0.15, "m/s", "final speed of the traverse"),
    HAW_ANY("start", winding_options, start, 6, "s", "time at which the traverse starts"),
    HAW_NONNEGATIVE("ramp", winding_options, ramp, 0.25, "s",
                    "time in which it reaches its speed, smoothstep"),
    HAW_NONNEGATIVE("displacement", winding_options, displacement, 5e-4, "m",
                    "displacement of the point that counts as slip"),
    HAW_ANY("end", winding_options, end, 12, "s", "time of the final displacement"),
    {0},
};

static double centre_radius(const winding_options *o)
{
    return o->drum_radius + o->yarn_radius;
}

/* L_f with the front at the angle phi; friction > 0. */
static double free_length(const winding_options *o, double phi)
{
    const double radius = centre_radius(o);
    return o->length - radius * (o->turn - phi) - radius / o->friction * sinh(o->friction * phi);
}

/* z_B that brings the front to the angle phi. */
static double traverse_at(const winding_options *o, double phi)
{
    const double x = o->friction * phi, half = sinh(x / 2);
    const double rise = 2 * half * half; /* cosh(x) - 1 without the difference */
    return centre_radius(o) / o->friction * rise + free_length(o, phi) * tanh(x);
}

static double displacement(const winding_options *o, double s)
{
    const double x = o->friction * s / centre_radius(o);
    return centre_radius(o) / o->friction * x * x / (sqrt(1 + x * x) + 1);
}

/* Integral of smoothstep over a ramp of length 1 up to s. */
static double ramped(double s)
{
    return s < 1 ? s * s * s * (1 - s / 2) : s - 0.5;
}

typedef struct crossing {
    const winding_options *options;
    double want;
} crossing;

static double ramp_misfit(double s, void *data)
{
    const crossing *c = data;
    return ramped(s) - c->want;
}

/* Time at which the traverse has gone z. */
static haw_status time_of(haw_context *context, const winding_options *o, double z, double *t)
{
    crossing c = {o, o->ramp > 0 ? z / (o->speed * o->ramp) : 0};
    double share = 0;
    if (o->ramp == 0) {
        *t = o->start + z / o->speed;
        return HAW_OK;
    }
    if (c.want > 0) {
        const haw_bracket bracket = {0, c.want + 1};
        HAW_TRY(haw_root_find(context, ramp_misfit, &c, bracket, &share));
    }
    *t = o->start + share * o->ramp;
    return HAW_OK;
}

static double front_misfit(double phi, void *data)
{
    const crossing *c = data;
    return traverse_at(c->options, phi) - c->want;
}

static double free_misfit(double phi, void *data)
{
    const crossing *c = data;
    return free_length(c->options, phi);
}

/* The front at most: at the anchor, or where the whole yarn ahead of it lies on the drum. */
static haw_status last_front(haw_context *context, const winding_options *o, double *phi)
{
    crossing c = {o, 0};
    const haw_bracket bracket = {0, o->turn};
    *phi = o->turn;
    return free_length(o, o->turn) < 0 ? haw_root_find(context, free_misfit, &c, bracket, phi)
                                       : HAW_OK;
}

/* Way of the traverse at the time `end`. */
static double final_way(const winding_options *o)
{
    const double since = fmax(o->end - o->start, 0);
    return o->ramp > 0 ? o->speed * o->ramp * ramped(since / o->ramp) : o->speed * since;
}

static haw_status check(haw_context *context, const winding_options *o)
{
    const double wrapped = centre_radius(o) * o->turn;
    if (!(wrapped < o->length)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "'turn' winds %.6g m onto the drum: 'length' must be greater (got %g)",
                        wrapped, o->length);
    }
    if (!(o->place > 0 && o->place < wrapped)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "'place' must be within the wrapped length %.6g m (got %g)", wrapped,
                        o->place);
    }
    return HAW_OK;
}

typedef struct slip {
    double z_front, z_slip; /* way of the traverse when the front, and slip, reach the point */
    double front, z;        /* at the time `end` */
} slip;

static haw_status find_slip(haw_context *context, const winding_options *o, double angle, slip *it)
{
    const double radius = centre_radius(o), way = final_way(o);
    /* the arc length ahead of the front at which the yarn has moved by the displacement */
    const double relative = o->friction * o->displacement / radius;
    const double lag = radius / o->friction * sqrt(relative * (2 + relative));
    const double lagging = angle + lag / radius;
    crossing c = {o, way};
    double last = 0;
    HAW_TRY(last_front(context, o, &last));
    const haw_bracket all = {0, last};
    if (lagging > last || way > traverse_at(o, last)) {
        return haw_fail(
            context, HAW_ERR_INPUT,
            "the slip front reaches the anchor, or the whole yarn lies on the drum, once "
            "the traverse has moved %.6g m: 'displacement' and 'end' must be smaller",
            traverse_at(o, last));
    }
    it->z_front = traverse_at(o, angle);
    it->z_slip = traverse_at(o, lagging);
    it->front = 0;
    if (way > 0) {
        HAW_TRY(haw_root_find(context, front_misfit, &c, all, &it->front));
    }
    it->z = it->front > angle ? displacement(o, radius * (it->front - angle)) : 0;
    return HAW_OK;
}

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const winding_options *o = data;
    HAW_TRY(check(context, o));
    const double angle = o->turn - o->place / centre_radius(o);
    slip it = {0};
    double t_front = 0, t_slip = 0;
    if (o->friction > 0) {
        HAW_TRY(find_slip(context, o, angle, &it));
    } else {
        /* one helix from the anchor to the traverse at all times */
        const double share = o->place / o->length;
        it = (slip){0, o->displacement / share, o->turn, final_way(o) * share};
    }
    HAW_TRY(time_of(context, o, it.z_front, &t_front));
    HAW_TRY(time_of(context, o, it.z_slip, &t_slip));
    const haw_scalar rows[] = {
        {"angle", "rad", "angle of the point behind lift-off", angle},
        {"z_front", "m", "way of the traverse when the slip front reaches the point", it.z_front},
        {"beta_front", "rad", "angle of the free yarn from the hoop direction then",
         atan(sinh(o->friction * angle))},
        {"t_front", "s", "time at which the slip front reaches the point", t_front},
        {"t_slip", "s", "time at which the point has moved by 'displacement'", t_slip},
        {"z_end", "m", "displacement of the point at the time 'end'", it.z},
        {"front_end", "rad", "slip front behind lift-off at the time 'end'", it.front},
    };
    return haw_result_scalars(context, result, HAW_ROWS(rows));
}

const haw_theory_ops haw_theory_winding_w1 = {
    .row.name = "winding-w1",
    .row.summary = "slip front in a yarn wound on a drum and pulled sideways",
    .row.source = "semi-geodesics of the cylinder: S. Koussios, Filament Winding: a Unified "
                  "Approach, Delft University Press (2004)",
    .row.options = options,
    .row.options_size = sizeof(winding_options),
    .formula = "tan(beta) = sinh(mu phi) at lift-off, phi behind it; without friction z = z_B "
               "place / length",
    .example = "--friction 0.1",
    .evaluate = evaluate,
};
