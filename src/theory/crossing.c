/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * String B lies across the taut string A, both flexible; the straight lines between their supports
 * overlap by the approach delta. Each wraps the other over 2 l: with the sine and cosine c of the
 * angle between them, the foot of x on A is Y x on B, Y = (TA + c TB) / (TB + c TA), and
 *     l_A = alpha_A D (TB + c TA) / (TB sin^2),   m_A = TA TB sin^2 / (D (TB + c TA))
 * are half the length of contact and the force per length (B: swap), 2 alpha the angle of turn.
 * Legs drawn on meet in kinks that are (alpha_A l_A + alpha_B l_B) / 2 further apart than D. With
 * this distance the strings are two kinked lines: six coordinates and the tensions of both legs of
 * A are found from balance, lengths and, where B slides along A, the capstan T1 = T2 exp(2 mu
 * alpha_A).
 */
#include "base/lie.h"
#include "theory/result.h"

typedef struct string_options {
    double stiffness, tension, before, after;
} string_options;

typedef struct crossing_options {
    string_options a, b;
    double diameter, approach, angle_deg, friction, shift;
} crossing_options;

/* clang-format off */
#define STRING(side, at)                                                                       \
    {"stiffness-" side, HAW_OPTION_REAL, (at) + offsetof(string_options, stiffness), 2e4,        \
     DBL_MIN, DBL_MAX, "N", "axial stiffness EA of string " side, NULL},                           \
    {"tension-" side, HAW_OPTION_REAL, (at) + offsetof(string_options, tension), 100, DBL_MIN,   \
     DBL_MAX, "N", "tension of the straight string " side, NULL},                                  \
    {"before-" side, HAW_OPTION_REAL, (at) + offsetof(string_options, before), 0.5, DBL_MIN,     \
     DBL_MAX, "m", "length of string " side " from its first support to the crossing", NULL},      \
    {"after-" side, HAW_OPTION_REAL, (at) + offsetof(string_options, after), 0.5, DBL_MIN,       \
     DBL_MAX, "m", "length of string " side " from the crossing to its second support", NULL}

static const haw_option options[] = {
    STRING("a", offsetof(crossing_options, a)),
    STRING("b", offsetof(crossing_options, b)),
    HAW_POSITIVE("diameter", crossing_options, diameter, 4e-3, "m", "sum D of the two radii"),
    HAW_POSITIVE("approach", crossing_options, approach, 0.02, "m", "overlap delta of the straight strings"),
    {"angle-deg", HAW_OPTION_REAL, offsetof(crossing_options, angle_deg), 90, 5, 90, "deg",
     "angle between the strings", NULL},
    HAW_NONNEGATIVE("friction", crossing_options, friction, 0.3, "", "coefficient of friction mu"),
    HAW_NONNEGATIVE("shift", crossing_options, shift, 0, "m", "way u of the supports of B along A"),
    {0},
};

/* clang-format on */

/* to = from - of, as a unit vector; returns its length. */
static double unit(const double from[3], const double of[3], double to[3])
{
    for (int i = 0; i < 3; ++i) {
        to[i] = from[i] - of[i];
    }
    const double length = vec3_norm(to);
    for (int i = 0; i < 3; ++i) {
        to[i] /= length;
    }
    return length;
}

/* A string with a kink: supports, unstrained length, legs. */
typedef struct kinked {
    double support[2][3], unstrained, ea, t0;
    double kink[3], leg[2], to[2][3], tension[2];
    double alpha, wrap; /* half the angle of turn, half the length of contact */
} kinked;

static void kinked_start(kinked *k, const string_options *o, const double along[3],
                         const double middle[3])
{
    const double place[2] = {-o->before, o->after};
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < 3; ++i) {
            k->support[side][i] = middle[i] + place[side] * along[i];
        }
    }
    k->ea = o->stiffness;
    k->t0 = o->tension;
    k->unstrained = (o->before + o->after) / (1 + o->tension / o->stiffness);
}

static void kinked_at(kinked *k, const double at[3])
{
    double sum[3], difference[3];
    for (int side = 0; side < 2; ++side) {
        k->leg[side] = unit(k->support[side], at, k->to[side]);
    }
    for (int i = 0; i < 3; ++i) {
        k->kink[i] = at[i];
        sum[i] = k->to[0][i] + k->to[1][i];
        difference[i] = k->to[1][i] - k->to[0][i];
    }
    k->alpha = atan2(vec3_norm(sum), vec3_norm(difference));
}

/* Force of the legs on the kink. */
static void pull(const kinked *k, double force[3])
{
    for (int i = 0; i < 3; ++i) {
        force[i] = k->tension[0] * k->to[0][i] + k->tension[1] * k->to[1][i];
    }
}

enum { UNKNOWNS = 8 };

typedef struct pair {
    kinked a, b;
    double diameter, approach, cosine, mu, load, shift;
    double separation, normal;
} pair;

/* Half lengths of contact of both, and the distance of the kinks. */
static double separation_of(const pair *p, double wrap[2])
{
    const double sine2 = (1 - p->cosine) * (1 + p->cosine);
    const double ta = (p->a.tension[0] + p->a.tension[1]) / 2;
    const double tb = (p->b.tension[0] + p->b.tension[1]) / 2;
    wrap[0] = p->a.alpha * p->diameter * (tb + p->cosine * ta) / (tb * sine2);
    wrap[1] = p->b.alpha * p->diameter * (ta + p->cosine * tb) / (ta * sine2);
    return p->diameter + (p->a.alpha * wrap[0] + p->b.alpha * wrap[1]) / 2;
}

/* Set both strings from the unknowns: kinks in units of the approach, tensions of A in those of t0.
 */
static void set_pair(pair *p, const double *x)
{
    double at[2][3], wrap[2];
    for (int i = 0; i < 3; ++i) {
        at[0][i] = x[i] * p->approach;
        at[1][i] = x[3 + i] * p->approach;
    }
    at[0][0] += p->shift;
    at[1][0] += p->shift;
    kinked_at(&p->a, at[0]);
    kinked_at(&p->b, at[1]);
    p->a.tension[0] = x[6] * p->a.t0;
    p->a.tension[1] = x[7] * p->a.t0;
    p->b.tension[0] = p->b.ea * ((p->b.leg[0] + p->b.leg[1]) / p->b.unstrained - 1);
    p->b.tension[1] = p->b.tension[0];
    p->separation = separation_of(p, wrap);
    p->a.wrap = wrap[0];
    p->b.wrap = wrap[1];
}

/* Normal from A to B and the tangent of A across it, towards its second support. */
static double frame_of(const pair *p, double n[3], double e1[3], double e2[3])
{
    const double gap = unit(p->b.kink, p->a.kink, n);
    double chord[3], zero[3] = {0, 0, 0};
    for (int i = 0; i < 3; ++i) {
        chord[i] = p->a.to[1][i] - p->a.to[0][i];
    }
    const double part = vec3_dot(chord, n);
    for (int i = 0; i < 3; ++i) {
        chord[i] -= part * n[i];
    }
    unit(chord, zero, e1);
    vec3_cross(n, e1, e2);
    return gap;
}

static void misfit(const double *x, double *f, void *data)
{
    pair *p = data;
    double n[3], e1[3], e2[3], on_a[3], on_b[3];
    set_pair(p, x);
    const kinked *a = &p->a;
    const double gap = frame_of(p, n, e1, e2);
    pull(a, on_a);
    pull(&p->b, on_b);
    p->normal = vec3_dot(on_a, n);
    for (int i = 0; i < 3; ++i) {
        f[i] = (on_a[i] + on_b[i]) / p->load;
    }
    f[3] = (gap - p->separation) / p->approach;
    f[4] = (vec3_dot(on_a, e1) + p->mu * p->normal) / p->load;
    f[5] = vec3_dot(on_a, e2) / p->load;
    f[6] = a->tension[0] / a->t0 - a->tension[1] / a->t0 * exp(2 * p->mu * a->alpha);
    f[7] = (a->leg[0] / (1 + a->tension[0] / a->ea) + a->leg[1] / (1 + a->tension[1] / a->ea)) /
               p->approach -
           a->unstrained / p->approach;
}

/* Transverse stiffness of a taut string at the crossing. */
static double transverse(const string_options *o)
{
    return o->tension * (o->before + o->after) / (o->before * o->after);
}

static void set_up(pair *p, const crossing_options *o, double shift)
{
    const double angle = o->angle_deg * HAW_PI / 180;
    const double cosine = o->angle_deg < 90 ? cos(angle) : 0;
    const double along_a[3] = {1, 0, 0}, along_b[3] = {cosine, sin(angle), 0};
    const double low[3] = {0, 0, 0}, high[3] = {shift, 0, o->diameter - o->approach};
    kinked_start(&p->a, &o->a, along_a, low);
    kinked_start(&p->b, &o->b, along_b, high);
    p->diameter = o->diameter;
    p->approach = o->approach;
    p->cosine = cosine;
    p->shift = shift;
    p->load = o->approach / (1 / transverse(&o->a) + 1 / transverse(&o->b));
}

/* Equilibrium; with a shift by steps, each from the last one. */
static haw_status solve(haw_context *context, const crossing_options *o, double shift, double mu,
                        pair *p)
{
    set_up(p, o, 0);
    const double down = p->load / transverse(&o->a), up = p->load / transverse(&o->b);
    double x[UNKNOWNS] = {
        0, 0, -down / o->approach, 0, 0, (o->diameter - o->approach + up) / o->approach, 1, 1};
    const int steps = 1 + (int)fmin(20 * shift / o->a.after, 100);
    for (int i = 0; i <= steps; ++i) {
        set_up(p, o, shift * i / steps);
        p->mu = i == 0 ? 0 : mu;
        HAW_TRY(haw_roots_find(context, misfit, p, UNKNOWNS, x));
    }
    double f[UNKNOWNS];
    misfit(x, f, p);
    return HAW_OK;
}

/* ---- friction ---- */

static haw_status add_friction(haw_context *context, const crossing_options *o, const pair *still,
                               haw_theory_result *result)
{
    const double along = o->a.stiffness * (1 / o->a.before + 1 / o->a.after);
    const double tb = still->b.tension[0];
    const double across = tb * (1 / o->b.before + 1 / o->b.after);
    const double limit = o->friction * still->normal, way = limit * (1 / across + 1 / along);
    const bool slides = o->shift > way;
    pair p = *still;
    double on_a[3];
    if (slides) {
        HAW_TRY(solve(context, o, o->shift, o->friction, &p));
    }
    pull(&p.a, on_a);
    haw_result_text(result, "contact", "of B shifted by u along A", slides ? "slides" : "sticks");
    const haw_scalar rows[] = {
        {"stick_shift", "m", "way u* of B along A up to which friction holds", way},
        {"stick_force", "N", "friction then", limit},
        {"shift_x", "m", "place of the contact on A after the shift u",
         slides ? p.a.kink[0] : o->shift / (1 + along / across)},
        {"shift_force", "N", "contact force after the shift", p.normal},
        {"shift_force_along", "N", "force along A that holds B back after the shift",
         slides ? -on_a[0] : o->shift / (1 / across + 1 / along)},
        {"shift_tension_1", "N", "tension of A before B after the shift", p.a.tension[0]},
        {"shift_tension_2", "N", "tension of A behind B after the shift", p.a.tension[1]},
    };
    return haw_result_scalars(context, result, HAW_ROWS(rows));
}

static haw_status check(haw_context *context, const crossing_options *o)
{
    if (o->shift > 0 && o->angle_deg < 90) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "'shift' is of strings at right angles: 'angle-deg' must be 90 (got %g)",
                        o->angle_deg);
    }
    if (!(o->shift < o->a.after)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "'shift' must be less than 'after-a', %g m (got %g)", o->a.after, o->shift);
    }
    return HAW_OK;
}

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const crossing_options *o = data;
    pair p = {.mu = 0};
    HAW_TRY(check(context, o));
    HAW_TRY(solve(context, o, 0, 0, &p));
    const kinked *a = &p.a, *b = &p.b;
    const double ta = a->tension[0], tb = b->tension[0], c = p.cosine, sine2 = 1 - c * c;
    const haw_scalar rows[] = {
        {"force", "N", "contact force N, the resultant", p.normal},
        {"tension_a", "N", "tension of A", ta},
        {"tension_b", "N", "tension of B", tb},
        {"kink_a_x", "m", "place of the kink of A along A", a->kink[0]},
        {"kink_a_y", "m", "place of the kink of A across A", a->kink[1]},
        {"kink_b_x", "m", "place of the kink of B along A", b->kink[0]},
        {"kink_b_y", "m", "place of the kink of B across A", b->kink[1]},
        {"deflection_a", "m", "how far A is pressed down", -a->kink[2]},
        {"deflection_b", "m", "how far B is lifted", b->kink[2] - (o->diameter - o->approach)},
        {"alpha_a", "rad", "half the angle by which A turns", a->alpha},
        {"alpha_b", "rad", "half the angle by which B turns", b->alpha},
        {"wrap_a", "m", "half the length of contact on A", a->wrap},
        {"wrap_b", "m", "half the length of contact on B", b->wrap},
        {"line_a", "N/m", "contact force per length of A",
         ta * tb * sine2 / (o->diameter * (tb + c * ta))},
        {"line_b", "N/m", "contact force per length of B",
         ta * tb * sine2 / (o->diameter * (ta + c * tb))},
        {"separation", "m", "distance of the kinks", p.separation},
    };
    HAW_TRY(haw_result_scalars(context, result, HAW_ROWS(rows)));
    return add_friction(context, o, &p, result);
}

const haw_theory_ops haw_theory_crossing = {
    .row.name = "crossing",
    .row.summary = "two taut strings that cross: force, tensions, contact length, stick and slide",
    .row.source = "balance of two flexible strings; the wrap to the order of alpha^2",
    .row.options = options,
    .row.options_size = sizeof(crossing_options),
    .formula =
        "N / kA + N / kB = delta + (alphaA lA + alphaB lB) / 2 with exact kinks,  k = T L / (L1 "
        "L2)\nlA = alphaA D (TB + c TA) / (TB sin^2),  mA = TA TB sin^2 / (D (TB + c TA))\n"
        "sticks up to u = mu N (1 / kB + 1 / (EA (1 / L1 + 1 / L2)))",
    .example = "--angle-deg 60",
    .evaluate = evaluate,
};

/* ---- the contact itself ---- */

typedef struct wrap_options {
    double angle_deg, alpha, tension, diameter;
} wrap_options;

static const haw_option wrap_rows[] = {
    {"angle-deg", HAW_OPTION_REAL, offsetof(wrap_options, angle_deg), 60, 0.1, 90, "deg",
     "angle between the legs of both strings, seen along the normal", NULL},
    {"alpha", HAW_OPTION_REAL, offsetof(wrap_options, alpha), 0.1, DBL_MIN, 1.5, "rad",
     "half the angle by which each string turns", NULL},
    HAW_POSITIVE("tension", wrap_options, tension, 1, "N", "tension of each string"),
    HAW_POSITIVE("diameter", wrap_options, diameter, 1, "m", "sum D of the two radii"),
    {0},
};

/*
 * Equal tensions: half a turn about the bisector of the legs changes the strings for each other, so
 * that each point touches its own image, and the strings lie on a cylinder of the diameter D about
 * the bisector. They are helices on it, at the angle beta with cos(beta) = cos(alpha) cos(theta /
 * 2), from -psi to psi with sin(alpha) = sin(beta) sin(psi): a piece of a two-ply, below its
 * lock-up at beta = 45 degrees. At right angles every point touches two others, as in a clasp.
 */
static haw_status evaluate_wrap(haw_context *context, const void *data, haw_theory_result *result)
{
    const wrap_options *o = data;
    const double half = o->angle_deg * HAW_PI / 360, sa = sin(o->alpha), ca = cos(o->alpha);
    const double cb = ca * cos(half), sb = sqrt(sa * sa + ca * ca * sin(half) * sin(half));
    if (!(cb > sb)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "helices at more than 45 degrees to their bisector do not touch in pairs: "
                        "'angle-deg' must be less than %.6g; at right angles see theory 'clasp'",
                        2 * acos(fmin(sqrt(0.5) / ca, 1)) * 180 / HAW_PI);
    }
    const double psi = asin(fmin(sa / sb, 1)), r = o->diameter / 2, l = r * psi / sb;
    const double leg = (l * cb * cb + r * sin(psi) * cos(psi) * sb) / (ca * ca);
    const double separation = 2 * (r * cos(psi) + leg * sa), closed = sin(half) * sin(half);
    const haw_scalar rows[] = {
        {"separation", "m", "distance of the kinks where the legs meet, seen along the normal",
         separation},
        {"separation_small", "m", "the same to the order of alpha^2",
         o->diameter * (1 + o->alpha * o->alpha / (2 * closed))},
        {"sum_over_force", "", "sum |p| over the resultant N", psi / sin(psi)},
        {"force", "N", "resultant N = 2 T sin(alpha)", 2 * o->tension * sa},
        {"line", "N/m", "contact force per length of each string", o->tension * sb * sb / r},
        {"beta", "rad", "angle of the helices to the bisector", acos(fmin(cb, 1))},
        {"psi", "rad", "angle about the bisector where they part", psi},
        {"wrap", "m", "half the length of contact", l},
        {"leg", "m", "from there to the kink, along the leg", leg},
    };
    return haw_result_scalars(context, result, HAW_ROWS(rows));
}

const haw_theory_ops haw_theory_crossing_wrap = {
    .row.name = "crossing-wrap",
    .row.summary = "contact of two crossing strings of equal tension, exact for any slope",
    .row.source = "symmetry: both strings are helices about the bisector, as in a two-ply",
    .row.options = wrap_rows,
    .row.options_size = sizeof(wrap_options),
    .formula =
        "cos(beta) = cos(alpha) cos(theta / 2),  sin(psi) = sin(alpha) / sin(beta),  sum |p| / N "
        "= psi / sin(psi),  p = 2 T sin^2(beta) / D",
    .example = "--angle-deg 30",
    .evaluate = evaluate_wrap,
};
