/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groove of a sheave about the z axis, its middle plane z = 0. A round section is a circle in the
 * half plane (rho, z) of the meridian, so that the distances of its centre say all:
 *
 *     flank    D = (rho - rho_0) sin(delta) -+ z cos(delta),   n = (sin(delta), -+cos(delta))
 *     flat     D = rho - rho_b
 *     round    D = b - |(rho - rho_c, z)|, n towards the centre (rho_c, 0) of the groove
 *
 * with half the opening angle delta. The meridian is a chain of lines and arcs with corners, each
 * side between two rims: a foot lies within its piece, or on the edge of a rim.
 */
#include "shape/revolution.h"

enum { PIECES_MAX = 6 };

static const double radians = 3.14159265358979323846 / 180.0;

typedef enum groove_profile { PROFILE_V, PROFILE_V_FLAT, PROFILE_U } groove_profile;

typedef struct groove_options {
    int profile;          /* groove_profile */
    double radius;        /* R of the centreline at rest [m] */
    double rope_radius;   /* a of the rope that rests there [m] */
    double angle_deg;     /* 2 delta */
    double groove_radius; /* b [m] */
    double bottom;        /* rho_b [m] */
    double rim;           /* radius of the rims [m] */
    double land;          /* their width, NAN: a [m] */
} groove_options;

static const char *const profile_words[] = {"v", "v-flat", "u", NULL};
static const char *const absent[] = {"none", NULL};
static const char *const as_rope[] = {"auto", NULL};

#define AT(field) offsetof(groove_options, field)
static const haw_option groove_table[] = {
    {"profile", HAW_OPTION_CHOICE, AT(profile), PROFILE_V, 0.0, 0.0, "",
     "v: two flanks; v-flat: two flanks and a flat bottom; u: a round bottom, and flanks from "
     "where they touch it",
     profile_words},
    {"radius", HAW_OPTION_REAL, AT(radius), NAN, DBL_MIN, DBL_MAX, "m",
     "pitch radius: that of the centreline of a rope at rest on both flanks (v, v-flat) or on the "
     "round bottom (u)",
     NULL},
    {"rope_radius", HAW_OPTION_REAL, AT(rope_radius), NAN, DBL_MIN, DBL_MAX, "m",
     "nominal radius of that rope; a thinner one lies deeper", NULL},
    {"angle_deg", HAW_OPTION_REAL, AT(angle_deg), NAN, 0.0, 175.0, "deg",
     "opening angle between the flanks; 0 (u only): walls across the axis", NULL},
    {"groove_radius", HAW_OPTION_REAL, AT(groove_radius), NAN, DBL_MIN, DBL_MAX, "m",
     "u: radius of the round bottom, greater than that of the rope", absent},
    {"bottom", HAW_OPTION_REAL, AT(bottom), NAN, DBL_MIN, DBL_MAX, "m",
     "v-flat: radius of the flat bottom; above radius - rope_radius the rope lies on it alone",
     absent},
    {"rim", HAW_OPTION_REAL, AT(rim), NAN, DBL_MIN, DBL_MAX, "m",
     "outer radius of the sheave, where the flanks end in the edges of the rims", NULL},
    {"land", HAW_OPTION_REAL, AT(land), NAN, DBL_MIN, DBL_MAX, "m",
     "width of each rim; nothing touches beyond it; auto: rope_radius", as_rope},
    {0},
};
#undef AT

/* The half z > 0 of a meridian, from the bottom outwards. */
typedef struct groove {
    const groove_options *o;
    double sine, cosine; /* of delta */
    double apex;         /* rho_0, where the flanks would meet [m] */
    double center;       /* rho_c [m] */
    double half_width;   /* z of the edge of the rim [m] */
    double foot[2];      /* (rho, z) of the lower end of the flank, or of the edge [m] */
} groove;

static haw_status refuse(haw_context *context, const char *key, double value, const char *reason,
                         double limit)
{
    return haw_fail(context, HAW_ERR_INPUT, "'%s' (%g) of a groove %s (%g m)", key, value, reason,
                    limit);
}

/* Flanks on which a rope of radius a touches at the distance a cot(delta) from the apex. */
static haw_status set_flanks(haw_context *context, groove *g)
{
    const groove_options *o = g->o;
    const double touch = o->radius - o->rope_radius * g->sine;

    if (!(o->angle_deg > 0.0)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "'angle_deg' of a groove with the profile '%s' must be > 0 (got %g)",
                        profile_words[o->profile], o->angle_deg);
    }
    g->apex = o->radius - o->rope_radius / g->sine;
    g->half_width = (o->rim - g->apex) * g->sine / g->cosine;
    g->foot[0] = g->apex;
    g->foot[1] = 0.0;
    if (!(o->rim > touch)) {
        return refuse(context, "rim", o->rim,
                      "must lie above the circle where the rope touches the flanks", touch);
    }
    if (o->profile == PROFILE_V && !(g->apex > 0.0)) {
        return refuse(context, "angle_deg", o->angle_deg,
                      "is too small: the flanks would not meet above the axis", g->apex);
    }
    return HAW_OK;
}

static haw_status set_flat(haw_context *context, groove *g)
{
    const groove_options *o = g->o;

    HAW_TRY(set_flanks(context, g));
    if (isnan(o->bottom)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "a groove with the profile 'v-flat' needs the radius 'bottom'");
    }
    if (!(o->bottom > g->apex)) {
        return refuse(context, "bottom", o->bottom,
                      "must lie above the edge in which the flanks would meet", g->apex);
    }
    if (!(o->bottom < o->rim)) {
        return refuse(context, "bottom", o->bottom, "must lie below the rim", o->rim);
    }
    g->foot[0] = o->bottom;
    g->foot[1] = (o->bottom - g->apex) * g->sine / g->cosine;
    return HAW_OK;
}

/* The flanks touch the arc at the angle 90 deg - delta from its deepest point. */
static haw_status set_round(haw_context *context, groove *g)
{
    const groove_options *o = g->o;
    const double b = o->groove_radius, deepest = o->radius - o->rope_radius;

    if (isnan(b)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "a groove with the profile 'u' needs its 'groove_radius'");
    }
    if (!(b > o->rope_radius)) {
        return refuse(context, "groove_radius", b, "must be greater than the radius of its rope",
                      o->rope_radius);
    }
    if (!(deepest > 0.0)) {
        return refuse(context, "rope_radius", o->rope_radius, "must be less than the radius",
                      o->radius);
    }
    if (!(o->rim > deepest)) {
        return refuse(context, "rim", o->rim, "must lie above the bottom", deepest);
    }
    g->center = deepest + b;
    g->foot[0] = fmin(g->center - b * g->sine, o->rim);
    g->foot[1] = sqrt((g->foot[0] - deepest) * (g->center + b - g->foot[0]));
    g->half_width = g->foot[1] + (o->rim - g->foot[0]) * g->sine / g->cosine;
    return HAW_OK;
}

static haw_status set_sides(haw_context *context, groove *g)
{
    switch (g->o->profile) {
    case PROFILE_V:
        return set_flanks(context, g);
    case PROFILE_V_FLAT:
        return set_flat(context, g);
    case PROFILE_U:
        return set_round(context, g);
    default:
        return haw_fail(context, HAW_ERR_INPUT, "a groove has no profile number %d", g->o->profile);
    }
}

static void add_line(haw_meridian_segment *segment, int *count, double r, double z)
{
    segment[(*count)++] = (haw_meridian_segment){.to = {r, z}};
}

/* From rim to rim towards greater z. */
static int draw_pieces(const groove *g, haw_meridian_segment segment[PIECES_MAX])
{
    const double *foot = g->foot;
    int count = 0;

    add_line(segment, &count, g->o->rim, -g->half_width);
    if (foot[0] < g->o->rim) {
        add_line(segment, &count, foot[0], -foot[1]);
    }
    if (g->o->profile == PROFILE_U) { /* in two parts: half a turn alone might be a bulge, too */
        const double deepest = g->center - g->o->groove_radius;

        segment[count++] = (haw_meridian_segment){true, {deepest, 0.0}, {g->center, 0.0}};
        segment[count++] = (haw_meridian_segment){true, {foot[0], foot[1]}, {g->center, 0.0}};
    } else if (foot[1] > 0.0) {
        add_line(segment, &count, foot[0], foot[1]);
    }
    if (foot[0] < g->o->rim) {
        add_line(segment, &count, g->o->rim, g->half_width);
    }
    return count;
}

static haw_status groove_prepare(haw_arena *arena, haw_surface *surface)
{
    const groove_options *o = (const void *)surface->options;
    const double delta = 0.5 * radians * o->angle_deg;
    const double land = isnan(o->land) ? o->rope_radius : o->land;
    groove g = {.o = o, .sine = sin(delta), .cosine = cos(delta)};
    haw_meridian_segment segment[PIECES_MAX + 1];
    haw_revolution *revolution = haw_arena_allocate(arena, 1, sizeof *revolution);

    HAW_TRY(haw_arena_status(arena));
    HAW_TRY(set_sides(arena->context, &g));
    int count = draw_pieces(&g, segment);

    add_line(segment, &count, o->rim, g.half_width + land);
    const haw_meridian meridian = {
        .from = {o->rim, -g.half_width - land}, .segments = count, .segment = segment};

    HAW_TRY(haw_revolution_chain(arena, &meridian, true, revolution));
    revolution->radius = o->radius;
    /* what touches both flanks below the rims is thinner than the circle through their edges */
    revolution->hollow = o->profile == PROFILE_U ? o->groove_radius : g.half_width / g.cosine;
    surface->data = revolution;
    return HAW_OK;
}

const haw_surface_ops haw_surface_groove = {
    .row.name = "groove",
    .row.summary = "groove of a sheave about the z axis of its body: V, V with a flat bottom, or U",
    .row.source = "signed distance in the half plane of the meridian from flanks, bottom and the "
                  "edges of the rims",
    .row.options = groove_table,
    .row.options_size = sizeof(groove_options),
    .prepare = groove_prepare,
    HAW_REVOLUTION_ROW,
};
