/* SPDX-License-Identifier: BSD-3-Clause */
/* Grooves of sheaves: feet against a search over the meridian, distances in closed form. */
#include "support/arena_fixture.h"
#include "support/near.h"
#include "support/random.h"
#include "support/surfaces.h"

#include <string.h>

enum { PROFILES = 4, PIECES = 8 };

static const double pi = 3.14159265358979323846;

/* A line or an arc of the meridian in (rho, z), drawn here once more. */
typedef struct stroke {
    double from[2], to[2];
    double center[2], radius; /* 0: a line */
} stroke;

typedef struct outline {
    int count;
    stroke part[PIECES];
    double apex, edge; /* rho_0, z of the edge of the rim */
} outline;

/* Its rims lie below the flanks. */
static const sheave shallow = {"u", 0.35, 0.05, 60.0, 0.06, 0.0, 0.32, 0.1};
static const sheave *const all[PROFILES] = {&sheave_v, &sheave_flat, &sheave_u, &shallow};

static void line(outline *o, double r0, double z0, double r1, double z1)
{
    o->part[o->count++] = (stroke){{r0, z0}, {r1, z1}, {0.0, 0.0}, 0.0};
}

/* The half z > 0 and its mirror image. */
static outline outline_of(const sheave *s)
{
    const double delta = 0.5 * s->angle_deg * pi / 180.0, slope = tan(delta);
    const double center = s->radius - s->rope_radius + s->groove_radius;
    const bool is_round = s->groove_radius > 0.0;
    outline o = {.apex = s->radius - s->rope_radius / sin(delta)};
    const double low =
        is_round ? fmin(center - s->groove_radius * sin(delta), s->rim) : fmax(o.apex, s->bottom);
    const double width =
        is_round ? sqrt(pow(s->groove_radius, 2) - pow(center - low, 2)) : (low - o.apex) * slope;

    o.edge = width + (s->rim - low) * slope;
    for (int side = -1; side <= 1; side += 2) {
        line(&o, s->rim, side * (o.edge + s->land), s->rim, side * o.edge);
        line(&o, s->rim, side * o.edge, low, side * width);
        line(&o, low, side * width, low, 0.0);
        if (is_round) {
            o.part[o.count - 1] = (stroke){{low, side * width},
                                           {s->radius - s->rope_radius, 0.0},
                                           {center, 0.0},
                                           s->groove_radius};
        }
    }
    return o;
}

static void at(const stroke *part, double share, double point[2])
{
    if (part->radius > 0.0) {
        const double from = atan2(part->from[1], part->center[0] - part->from[0]);
        const double angle = from * (1.0 - share);

        point[0] = part->center[0] - part->radius * cos(angle);
        point[1] = part->radius * sin(angle);
        return;
    }
    for (int k = 0; k < 2; k++) {
        point[k] = part->from[k] + share * (part->to[k] - part->from[k]);
    }
}

static double distance_at(const stroke *part, double share, const double p[2])
{
    double point[2];

    at(part, share, point);
    return hypot(p[0] - point[0], p[1] - point[1]);
}

/* Golden section: a stroke has one minimum. */
static double nearest_on(const stroke *part, const double p[2], double point[2])
{
    const double golden = 0.6180339887498949;
    double low = 0.0, high = 1.0;

    while (high - low > 1.0e-10) {
        const double a = high - golden * (high - low), b = low + golden * (high - low);

        if (distance_at(part, a, p) < distance_at(part, b, p)) {
            high = b;
        } else {
            low = a;
        }
    }
    at(part, 0.5 * (low + high), point);
    return hypot(p[0] - point[0], p[1] - point[1]);
}

/* Above the surface and between the ends of the lands. */
static bool is_outside(const sheave *s, const outline *o, const double p[2])
{
    if (p[0] > s->rim) {
        return fabs(p[1]) < o->edge + s->land;
    }
    const double delta = 0.5 * s->angle_deg * pi / 180.0;
    const double center = s->radius - s->rope_radius + s->groove_radius;

    if (s->groove_radius > 0.0 && p[0] < center - s->groove_radius * sin(delta)) {
        return hypot(p[0] - center, p[1]) < s->groove_radius;
    }
    return p[0] > s->bottom && fabs(p[1]) < o->edge - (s->rim - p[0]) * tan(delta);
}

static void check_nearest(const sheave *s, const haw_surface *surface, const double p[2])
{
    const outline o = outline_of(s);
    double best = INFINITY, foot_at[2] = {0.0, 0.0}, x[3];
    haw_foot foot[HAW_FEET_MAX];

    for (int i = 0; i < o.count; i++) {
        double point[2];
        const double distance = nearest_on(&o.part[i], p, point);

        if (distance < best) {
            best = distance;
            memcpy(foot_at, point, sizeof foot_at);
        }
    }
    const double angle = 7.0 * p[0];

    surface_around(p, angle, x);
    assert_true(surface->ops->feet(surface, x, 1.0, foot) >= 1);
    assert_near(foot[0].gap, best, 1.0e-9, 0.0);
    if (best < 1.0e-3) {
        return; /* the search is good to 1e-9: too little for a direction */
    }
    /* two feet may be equally near */
    const double r = foot[0].normal[0] * cos(angle) + foot[0].normal[1] * sin(angle);
    const double found[2] = {p[0] - foot[0].gap * r, p[1] - foot[0].gap * foot[0].normal[2]};

    if (fabs(p[1]) > 1.0e-6 && fabs(foot[1].gap - foot[0].gap) > 1.0e-6) {
        assert_near(found[0], foot_at[0], 1.0e-6, 0.0);
        assert_near(found[1], foot_at[1], 1.0e-6, 0.0);
    }
}

static void the_nearest_foot_is_the_nearest_point_of_the_meridian(void **state)
{
    uint64_t seed = 21;

    (void)state;
    for (int k = 0; k < PROFILES; k++) {
        const outline o = outline_of(all[k]);
        haw_surface surface;
        int used = 0;

        assert_int_equal(sheave_open(&arena, all[k], &surface), HAW_OK);
        for (int trial = 0; trial < 3000; trial++) {
            const double p[2] = {0.4 + 0.15 * random_signed(&seed),
                                 (o.edge + 0.05) * random_signed(&seed)};

            if (is_outside(all[k], &o, p)) {
                check_nearest(all[k], &surface, p);
                used++;
            }
        }
        assert_true(used > 800);
    }
}

/* Foot whose normal has this sign along the axis. */
static const haw_foot *find(const haw_foot *foot, int feet, int sign)
{
    for (int i = 0; i < feet; i++) {
        const int own = (foot[i].normal[2] > 1.0e-9) - (foot[i].normal[2] < -1.0e-9);

        if (own == sign) {
            return &foot[i];
        }
    }
    fail_msg("no foot with the sign %d", sign);
    return NULL;
}

static void flanks_and_flat_have_the_closed_distances(void **state)
{
    const double delta = pi / 6.0, apex = 0.35 - 0.05 / sin(delta);
    uint64_t seed = 22;
    haw_surface surface;

    (void)state;
    assert_int_equal(sheave_open(&arena, &sheave_flat, &surface), HAW_OK);
    for (int trial = 0; trial < 200; trial++) {
        const double p[2] = {0.35 + 0.01 * random_signed(&seed), 0.01 * random_signed(&seed)};
        double x[3];
        haw_foot foot[HAW_FEET_MAX];

        surface_around(p, 0.3, x);
        assert_int_equal(surface.ops->feet(&surface, x, 0.2, foot), 3);
        for (int side = -1; side <= 1; side += 2) {
            const haw_foot *flank = find(foot, 3, -side);

            assert_near(flank->gap, (p[0] - apex) * sin(delta) - side * p[1] * cos(delta), 1e-14,
                        0.0);
            assert_near(flank->normal[2], -side * cos(delta), 1e-14, 0.0);
            assert_near(hypot(flank->normal[0], flank->normal[1]), sin(delta), 1e-14, 0.0);
            assert_near(flank->bend[0], sin(delta) / p[0], 1e-13, 0.0);
            assert_near(flank->bend[1], 0.0, 0.0, 0.0);
        }
        assert_near(find(foot, 3, 0)->gap, p[0] - 0.3, 1e-14, 0.0);
    }
}

static void a_round_bottom_has_the_distance_to_its_centre(void **state)
{
    uint64_t seed = 23;
    haw_surface surface;

    (void)state;
    assert_int_equal(sheave_open(&arena, &sheave_u, &surface), HAW_OK);
    for (int trial = 0; trial < 200; trial++) {
        const double away = 0.005 + 0.05 * fabs(random_signed(&seed));
        const double turn = random_signed(&seed); /* +-60 deg is where the flanks begin */
        const double p[2] = {0.36 - away * cos(turn), away * sin(turn)};
        double x[3];
        haw_foot foot[HAW_FEET_MAX];

        surface_around(p, -2.0, x);
        assert_true(surface.ops->feet(&surface, x, 0.2, foot) >= 1);
        assert_near(foot[0].gap, 0.06 - away, 1e-14, 0.0);
        assert_near(foot[0].normal[2], -sin(turn), 1e-12, 0.0);
        assert_near(foot[0].bend[1], -1.0 / away, 0.0, 1e-12);
    }
}

static void a_rope_at_rest_touches_with_its_own_radius(void **state)
{
    static const int areas[PROFILES] = {2, 3, 1, 1};
    const double x[3] = {0.0, -0.35, 0.0};

    (void)state;
    for (int k = 0; k < PROFILES; k++) {
        haw_surface surface;
        haw_foot foot[HAW_FEET_MAX];

        assert_int_equal(sheave_open(&arena, all[k], &surface), HAW_OK);
        assert_int_equal(surface.ops->feet(&surface, x, 0.06, foot), areas[k]);
        for (int i = 0; i < areas[k]; i++) {
            assert_near(foot[i].gap, 0.05, 1e-15, 0.0);
        }
    }
}

/* A narrow rope beside the foot of a flank, one above its end, one beyond the land. */
static void feet_lie_within_their_part_or_on_the_edge_of_the_rim(void **state)
{
    const outline o = outline_of(&sheave_flat);
    const double low[3] = {0.31, 0.0, 0.0}, high[3] = {0.49, 0.0, o.edge - 0.02};
    const double beyond[3] = {0.46, 0.0, o.edge + 0.1001};
    haw_surface surface;
    haw_foot foot[HAW_FEET_MAX];

    (void)state;
    assert_int_equal(sheave_open(&arena, &sheave_flat, &surface), HAW_OK);
    assert_int_equal(surface.ops->feet(&surface, low, 0.02, foot), 1);
    assert_near(foot[0].gap, 0.01, 1e-15, 0.0);
    assert_true(surface.ops->feet(&surface, high, 0.2, foot) >= 1);
    assert_near(foot[0].gap, hypot(0.04, 0.02), 1e-15, 0.0);
    assert_near(foot[0].bend[1], 1.0 / hypot(0.04, 0.02), 0.0, 1e-13);
    assert_near(foot[0].normal[2], -0.02 / hypot(0.04, 0.02), 1e-13, 0.0);
    assert_int_equal(surface.ops->feet(&surface, beyond, 0.02, foot), 0);
}

/*
 * A straight rope along (0, cos(phi), sin(phi)) through (R + h, 0, 0): its distance from the flank
 * it leans to is least where d rho / ds sin(delta) = sin(phi) cos(delta); the other is farther.
 */
static void a_rope_that_enters_obliquely_touches_one_flank_first(void **state)
{
    const double phi = 2.0 * pi / 180.0, delta = pi / 6.0, r = 0.36;
    const double slope = tan(phi) / tan(delta); /* d rho / d(s cos(phi)) = y / rho */
    const double y = r * slope / sqrt(1.0 - slope * slope);
    double best = INFINITY, place = 0.0;
    haw_surface surface;
    haw_foot foot[HAW_FEET_MAX];

    (void)state;
    assert_int_equal(sheave_open(&arena, &sheave_v, &surface), HAW_OK);
    for (int i = 0; i <= 20000; i++) {
        const double s = 1.0e-5 * i;
        const double x[3] = {r, s * cos(phi), s * sin(phi)};

        assert_true(surface.ops->feet(&surface, x, 0.2, foot) >= 2);
        assert_true(i == 0 || foot[0].normal[2] < 0.0);
        if (foot[0].gap < best) {
            best = foot[0].gap;
            place = x[1];
            assert_true(i == 0 || find(foot, 2, 1)->gap > best);
        }
    }
    assert_near(place, y, 2.0e-5, 0.0);
    assert_true(best < 0.36 * sin(delta) - 0.25 * sin(delta)); /* nearer than in the middle */
}

static void what_is_too_thick_for_the_groove_exceeds_its_hollow(void **state)
{
    const outline o = outline_of(&sheave_v);
    haw_surface surface;
    haw_foot foot[HAW_FEET_MAX];

    (void)state;
    assert_int_equal(sheave_open(&arena, &sheave_v, &surface), HAW_OK);
    const double most = surface.ops->hollow(&surface);
    /* the circle through the edges: its centre is just past the ends of the flanks */
    const double inside[3] = {o.apex + (most - 1e-9) / 0.5, 0.0, 0.0};
    const double past[3] = {o.apex + (most + 1e-9) / 0.5, 0.0, 0.0};

    assert_near(surface.ops->radius(&surface), 0.35, 0.0, 0.0);
    assert_int_equal(surface.ops->feet(&surface, inside, 1.0, foot), 2);
    assert_near(foot[0].bend[1], 0.0, 0.0, 0.0);
    assert_int_equal(surface.ops->feet(&surface, past, 1.0, foot), 2);
    assert_true(foot[0].bend[1] > 1.0); /* an edge */
    assert_int_equal(sheave_open(&arena, &sheave_u, &surface), HAW_OK);
    assert_near(surface.ops->hollow(&surface), 0.06, 0.0, 0.0);
}

/* Walls across the axis: the arc of the bottom is half a turn. */
static void a_round_groove_may_have_straight_walls(void **state)
{
    sheave walls = sheave_u;
    haw_surface surface;
    haw_foot foot[HAW_FEET_MAX];

    (void)state;
    walls.angle_deg = 0.0;
    assert_int_equal(sheave_open(&arena, &walls, &surface), HAW_OK);
    const double low[3] = {0.32, 0.0, 0.03}, high[3] = {0.4, 0.0, 0.03};

    assert_int_equal(surface.ops->feet(&surface, low, 0.06, foot), 1);
    assert_near(foot[0].gap, 0.06 - 0.05, 1e-15, 0.0);
    assert_int_equal(surface.ops->feet(&surface, high, 0.06, foot), 1);
    assert_near(foot[0].gap, 0.03, 1e-15, 0.0);
    assert_near(foot[0].normal[2], -1.0, 0.0, 0.0);
    const double middle[3] = {0.3, 0.0, 0.0};

    assert_int_equal(surface.ops->feet(&surface, middle, 0.06, foot), 1);
    assert_near(foot[0].gap, 0.0, 1e-15, 0.0);
}

static void drawn_points_lie_on_the_groove(void **state)
{
    (void)state;
    for (int k = 0; k < PROFILES; k++) {
        const outline o = outline_of(all[k]);
        double point[33][2], widest = 0.0;
        haw_surface surface;

        assert_int_equal(sheave_open(&arena, all[k], &surface), HAW_OK);
        surface.ops->draw(&surface, 33, point);
        for (int i = 0; i < 33; i++) {
            double best = INFINITY, nearest[2];

            for (int j = 0; j < o.count; j++) {
                best = fmin(best, nearest_on(&o.part[j], point[i], nearest));
            }
            assert_near(best, 0.0, 1e-9, 0.0);
            widest = fmax(widest, fabs(point[i][1]));
        }
        assert_near(widest, o.edge + 0.1, 1e-15, 0.0);
    }
}

/* ---- grooves that cannot be, and why ---- */

static void assert_refused(const sheave *s, const char *reason)
{
    haw_surface surface;

    assert_int_equal(sheave_open(&arena, s, &surface), HAW_ERR_INPUT);
    if (strstr(haw_context_message(context), reason) == NULL) {
        fail_msg("'%s' does not say '%s'", haw_context_message(context), reason);
    }
}

static void bad_grooves_are_refused_with_the_reason(void **state)
{
    sheave s = sheave_v;

    (void)state;
    s.angle_deg = 0.0;
    assert_refused(&s, "'angle_deg' of a groove with the profile 'v' must be > 0");
    s.angle_deg = 180.0;
    assert_refused(&s, "must be between 0 and 175 deg");
    s.angle_deg = 10.0;
    assert_refused(&s, "the flanks would not meet above the axis");
    s = sheave_v;
    s.rim = 0.32;
    assert_refused(&s, "above the circle where the rope touches the flanks (0.325 m)");
    s = sheave_flat;
    s.bottom = 0.0;
    assert_refused(&s, "needs the radius 'bottom'");
    s.bottom = 0.24;
    assert_refused(&s, "above the edge in which the flanks would meet (0.25 m)");
    s.bottom = 0.45;
    assert_refused(&s, "below the rim (0.45 m)");
    s = sheave_u;
    s.groove_radius = 0.0;
    assert_refused(&s, "needs its 'groove_radius'");
    s.groove_radius = 0.05;
    assert_refused(&s, "greater than the radius of its rope (0.05 m)");
    s = sheave_u;
    s.rim = 0.3;
    assert_refused(&s, "above the bottom (0.3 m)");
    s = sheave_u;
    s.rope_radius = 0.4;
    s.groove_radius = 0.5;
    assert_refused(&s, "less than the radius (0.35 m)");
    s = sheave_u;
    s.profile = "w";
    assert_refused(&s, "unknown word 'w' for 'profile'");
}

TEST_FILE(test_groove)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_foot_is_the_nearest_point_of_the_meridian),
        cmocka_unit_test(flanks_and_flat_have_the_closed_distances),
        cmocka_unit_test(a_round_bottom_has_the_distance_to_its_centre),
        cmocka_unit_test(a_rope_at_rest_touches_with_its_own_radius),
        cmocka_unit_test(feet_lie_within_their_part_or_on_the_edge_of_the_rim),
        cmocka_unit_test(a_rope_that_enters_obliquely_touches_one_flank_first),
        cmocka_unit_test(what_is_too_thick_for_the_groove_exceeds_its_hollow),
        cmocka_unit_test(a_round_groove_may_have_straight_walls),
        cmocka_unit_test(drawn_points_lie_on_the_groove),
        cmocka_unit_test(bad_grooves_are_refused_with_the_reason),
    };
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
