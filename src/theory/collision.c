/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * String B with its supports moves at v onto the middle of string A, at rest; they cross at right
 * angles and the contact has no mass. Until a wave has gone to a support and back both are the
 * string that is hit at constant speed (`string-impact`): with c = sqrt(EA / m),
 *     U = c sqrt(e / (1 + e)),   w^2 = ((1 + e) U)^2 - ((1 + e) U - c (e - e0))^2,
 *     N = 2 EA e w / ((1 + e) U),   N_A(w) = N_B(v - w).
 * Small slopes: N = 2 Z w, Z = sqrt(T m / (1 + e0)) with the mass m per unstressed length. The
 * reflected waves then add up: with the wave g that leaves at t, and -g(t - tau) that is back,
 *     w = g - g(t - tau),   N = 2 Z (g + g(t - tau)).
 * If B also moves along A, it takes A along as long as friction holds: A answers with the impedance
 * ZL = sqrt(EA m) of its two longitudinal waves, B with that of its two transverse ones.
 */
#include "theory/result.h"

enum { POINTS_MAX = 100000, WAVES_MAX = 10 };

typedef struct line_options {
    double stiffness, density, tension, length;
} line_options;

typedef struct collision_options {
    line_options a, b;
    double speed, along, friction, end;
    int points;
} collision_options;

static const char *const three[] = {"3 reflections", NULL};

/* clang-format off */
#define LINE(side, at, ea, rho, force)                                                          \
    {"stiffness-" side, HAW_OPTION_REAL, (at) + offsetof(line_options, stiffness), ea,        \
     DBL_MIN, DBL_MAX, "N", "axial stiffness EA of string " side, NULL},                           \
    {"density-" side, HAW_OPTION_REAL, (at) + offsetof(line_options, density), rho, DBL_MIN,  \
     DBL_MAX, "kg/m", "mass per unstressed length of string " side, NULL},                         \
    {"tension-" side, HAW_OPTION_REAL, (at) + offsetof(line_options, tension), force, DBL_MIN, \
     DBL_MAX, "N", "tension of string " side, NULL},                                               \
    {"length-" side, HAW_OPTION_REAL, (at) + offsetof(line_options, length), 1, DBL_MIN,      \
     DBL_MAX, "m", "distance of the supports of string " side, NULL}

static const haw_option options[] = {
    LINE("a", offsetof(collision_options, a), 1e5, 0.05, 100),
    LINE("b", offsetof(collision_options, b), 1e5, 0.05, 400),
    HAW_POSITIVE("speed", collision_options, speed, 2, "m/s", "speed v of string B towards string A"),
    HAW_NONNEGATIVE("along", collision_options, along, 0, "m/s", "speed of string B along string A"),
    HAW_NONNEGATIVE("friction", collision_options, friction, 0.3, "", "coefficient of friction mu"),
    {"end", HAW_OPTION_REAL, offsetof(collision_options, end), (double)NAN, DBL_MIN, DBL_MAX, "s",
     "end of the profile of small slopes", three},
    {"points", HAW_OPTION_INT, offsetof(collision_options, points), 121, 2, POINTS_MAX, "",
     "number of points of the profile", NULL},
    {0},
};

/* clang-format on */

typedef struct line {
    double ea, c, e0, z, zl, delay; /* delay: of the transverse wave to a support and back */
    double longitudinal;            /* of the longitudinal one */
} line;

static line line_from(const line_options *o)
{
    line l = {.ea = o->stiffness, .e0 = o->tension / o->stiffness};
    l.c = sqrt(o->stiffness / o->density);
    l.z = sqrt(o->tension * o->density / (1 + l.e0));
    l.zl = sqrt(o->stiffness * o->density);
    l.delay = o->length * sqrt(o->density / (o->tension * (1 + l.e0)));
    l.longitudinal = o->length / (1 + l.e0) / l.c;
    return l;
}

/* (1 + e) U */
static double kink_speed(const line *l, double e)
{
    return l->c * sqrt(e * (1 + e));
}

/* Speed of the contact that makes the strain e; de = e - e0 keeps its digits. */
static double speed_at(const line *l, double de)
{
    const double kink = kink_speed(l, l->e0 + de), stretch = l->c * de;
    return sqrt(fmax(stretch * (2 * kink - stretch), 0));
}

static double force_at(const line *l, double de)
{
    const double e = l->e0 + de;
    return 2 * l->ea * e * speed_at(l, de) / kink_speed(l, e);
}

typedef struct search {
    const line *line;
    double want;
} search;

static double speed_misfit(double de, void *data)
{
    const search *s = data;
    return speed_at(s->line, de) - s->want;
}

/* Extra strain at a speed of the contact: w^2 > (c de)^2 while the kink is behind the stretch. */
static haw_status strain_at(haw_context *context, const line *l, double w, double *de)
{
    search s = {l, w};
    *de = 0;
    return w > 0 ? haw_root_find(context, speed_misfit, &s, (haw_bracket){0, w / l->c}, de)
                 : HAW_OK;
}

typedef struct pair {
    haw_context *context;
    const line *a, *b;
    double v;
    haw_status status;
} pair;

static double force_misfit(double w, void *data)
{
    pair *p = data;
    double a = 0, b = 0;
    haw_status status = strain_at(p->context, p->a, w, &a);
    if (status == HAW_OK) {
        status = strain_at(p->context, p->b, p->v - w, &b);
    }
    if (status != HAW_OK) {
        p->status = status;
        return (double)NAN;
    }
    return force_at(p->a, a) - force_at(p->b, b);
}

/* ---- small slopes, with reflections ---- */

/*
 * Waves g that leave the contact on A and on B at t, and the one on A that is back then. All that
 * matters left at t - i delay_A - j delay_B; none left before 0, which `end` limits to WAVES_MAX.
 */
static void waves(const pair *p, double t, double g[2], double *back)
{
    double left[WAVES_MAX + 2][WAVES_MAX + 2][2] = {{{0}}};
    const double za = p->a->z, zb = p->b->z;
    for (int i = WAVES_MAX + 1; i >= 0; --i) {
        for (int j = WAVES_MAX + 1; j >= 0; --j) {
            if (t - i * p->a->delay - j * p->b->delay < 0) {
                continue;
            }
            const double a = i <= WAVES_MAX ? left[i + 1][j][0] : 0;
            const double b = j <= WAVES_MAX ? left[i][j + 1][1] : 0;
            /* w_A + w_B = v and Z_A (g_A + a) = Z_B (g_B + b) */
            left[i][j][0] = (zb * (p->v + a + 2 * b) - za * a) / (za + zb);
            left[i][j][1] = p->v + a + b - left[i][j][0];
        }
    }
    g[0] = left[0][0][0];
    g[1] = left[0][0][1];
    *back = left[1][0][0];
}

static haw_status add_profile(haw_context *context, const collision_options *o, const pair *p,
                              haw_theory_result *result)
{
    const haw_quantity rows[] = {
        {"time", "s", "time since the first touch", o->points, true, NULL},
        {"force_small", "N", "contact force, small slopes", o->points, true, NULL},
        {"speed_small", "m/s", "speed of the contact, small slopes", o->points, true, NULL},
    };
    const double shorter = fmin(p->a->delay, p->b->delay);
    const double end = isnan(o->end) ? 3 * shorter : o->end;
    double *value[3];
    if (!(end <= WAVES_MAX * shorter)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "'end' must be within %d reflections, %.6g s (got %g)", WAVES_MAX,
                        WAVES_MAX * shorter, end);
    }
    HAW_TRY(haw_result_profiles(context, result, 3, rows, value));
    for (int i = 0; i < o->points; ++i) {
        const double t = end * i / (o->points - 1);
        double now[2], back = 0;
        waves(p, t, now, &back);
        value[0][i] = t;
        value[1][i] = 2 * p->a->z * (now[0] + back);
        value[2][i] = now[0] - back;
    }
    return HAW_OK;
}

/* ---- oblique ---- */

static haw_status add_friction(haw_context *context, const collision_options *o, const pair *p,
                               haw_theory_result *result)
{
    const double za = p->a->z, zb = p->b->z, zl = p->a->zl, mu = o->friction;
    const double limit = mu * za * (zl + zb) / (zl * (za + zb));
    const double normal = 2 * p->v * za * zb / (za + zb);
    const bool sticks = o->along <= limit * p->v;
    const double force = sticks ? 2 * o->along * zl * zb / (zl + zb) : mu * normal;
    const haw_scalar rows[] = {
        {"critical_ratio", "", "speed along A over v below which the strings stick", limit},
        {"friction_force", "N", "friction", force},
        {"slip_speed", "m/s", "speed of B along A past the contact",
         sticks ? 0 : o->along - force / (2 * zl) - force / (2 * zb)},
    };
    haw_result_text(result, "contact", "of the oblique collision", sticks ? "sticks" : "slips");
    return haw_result_scalars(context, result, 3, rows);
}

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const collision_options *o = data;
    const line a = line_from(&o->a), b = line_from(&o->b);
    pair p = {context, &a, &b, o->speed, HAW_OK};
    double w = 0, da = 0, db = 0;
    const haw_status found = haw_root_find(context, force_misfit, &p, (haw_bracket){0, p.v}, &w);
    HAW_TRY(p.status);
    HAW_TRY(found);
    HAW_TRY(strain_at(context, &a, w, &da));
    HAW_TRY(strain_at(context, &b, p.v - w, &db));
    const double force = force_at(&a, da), slope = force / (2 * a.ea * (a.e0 + da));
    const haw_scalar rows[] = {
        {"speed_a", "m/s", "speed w of the contact until the first reflection", w},
        {"force", "N", "contact force then", force},
        {"strain_a", "", "strain of A behind the longitudinal wave", a.e0 + da},
        {"strain_b", "", "strain of B behind it", b.e0 + db},
        {"slope_a", "", "sine of the slope of A at the contact", slope},
        {"linear_speed_a", "m/s", "speed of the contact, small slopes", p.v * b.z / (a.z + b.z)},
        {"linear_force", "N", "contact force, small slopes", 2 * p.v * a.z * b.z / (a.z + b.z)},
        {"longitudinal_return", "s", "end of this: a longitudinal wave is back",
         fmin(a.longitudinal, b.longitudinal)},
        {"transverse_return", "s", "a transverse wave is back", fmin(a.delay, b.delay)},
    };
    HAW_TRY(haw_result_scalars(context, result, HAW_ROWS(rows)));
    HAW_TRY(add_friction(context, o, &p, result));
    return add_profile(context, o, &p, result);
}

const haw_theory_ops haw_theory_collision = {
    .row.name = "collision",
    .row.summary = "two strings that cross at right angles collide: force, speed, stick or slip",
    .row.source = "J. C. Smith, F. L. McCrackin, H. F. Schiefer, Text. Res. J. 28 (1958), for both "
                  "strings; impedances: K. F. Graff, Wave motion in elastic solids (1975)",
    .row.options = options,
    .row.options_size = sizeof(collision_options),
    .formula =
        "N_A(w) = N_B(v - w),  N = 2 EA e w / ((1 + e) U),  U = sqrt(EA / m e / (1 + e))\n"
        "w^2 = ((1 + e) U)^2 - ((1 + e) U - c (e - e0))^2;  small slopes: N = 2 v ZA ZB / "
        "(ZA + ZB)\noblique: sticks if vx / v <= mu ZA (ZL + ZB) / (ZL (ZA + ZB)),  F = 2 vx "
        "ZL ZB / (ZL + ZB)",
    .example = "--speed 2",
    .evaluate = evaluate,
};
