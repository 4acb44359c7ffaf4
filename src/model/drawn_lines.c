/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements against the paths that they are drawn along, where lines touch lines: no line may come
 * through another one on the way from its path to where its elements begin. Both go there at the
 * same time, straight and evenly, as chains of short pieces. Two pieces that pass through each
 * other lie in one plane at that time, where the volume between them changes its sign. Where all of
 * the way is in one plane, as of all scenes in the plane, ends of the pieces of one line pass
 * through pieces of the other.
 */
#include "base/lie.h"
#include "model/build.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AXES = 3, MOMENTS = 8, HALVINGS = 50, LEAST_PLACES = 4, MOST_PLACES = 256 };

static const double FLAT = 1e-9;     /* volume over the sizes it is of, none */
static const double BESIDE = 1e-9;   /* of a piece, beyond its ends */
static const double THROUGH = 0.5;   /* of both radii: lines that are nearer are drawn through */
static const double GENEROUS = 1.57; /* a chord of a whole turn is that much shorter than its
                                        sagitta says */

/* A place of a line: on its path, and where its element has it. */
typedef struct moved {
    double at[2][AXES];
} moved;

typedef struct ball {
    double centre[AXES], radius;
} ball;

typedef struct chain {
    const haw_cable *cable;
    int places;    /* of an element */
    moved *place;  /* [elements places + 1] */
    ball *element; /* [elements] holds all of it all the way */
    double most;   /* longest way [m] */
} chain;

/* ---- chains ---- */

/* True if its elements may be elsewhere than its path. */
static bool goes(const haw_cable *cable)
{
    return cable->is_path && cable->course != NULL;
}

static moved find_place(const haw_cable *cable, int e, double s, const double *q)
{
    moved m = {.at = {{0}}};
    double along[AXES];
    haw_cable_point at;
    if (goes(cable)) {
        haw_drawn_way(cable, e, s, q, m.at[0], along);
        for (int i = 0; i < AXES; i++) {
            m.at[1][i] = m.at[0][i] + along[i];
        }
        return m;
    }
    cable->ops->point(cable, e, s, q, NULL, HAW_POINT_PLACE, &at);
    memcpy(m.at[0], at.x, sizeof at.x);
    memcpy(m.at[1], at.x, sizeof at.x);
    return m;
}

static double distance(const double a[AXES], const double b[AXES])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static void enclose(const moved *place, int count, ball *b)
{
    const double *first = place[0].at[0], *last = place[count - 1].at[0];
    b->radius = 0;
    for (int i = 0; i < AXES; i++) {
        b->centre[i] = 0.5 * (first[i] + last[i]);
    }
    for (int k = 0; k < 2 * count; k++) {
        b->radius = fmax(b->radius, distance(b->centre, place[k / 2].at[k % 2]));
    }
}

static int count_places(const haw_model *model, const haw_pair *pair, const haw_cable *cable)
{
    const double turn = 8 * haw_pair_elements(model, pair, cable) / cable->line.elements;
    return (int)fmax(LEAST_PLACES, fmin(turn, MOST_PLACES));
}

/* The longest way alone: most lines go by less than their radius, and nothing is kept of them. */
static double find_most(const haw_cable *cable, int places, const double *q)
{
    double most = 0;
    for (int k = 0; goes(cable) && k < places * cable->line.elements; k++) {
        const moved m = find_place(cable, k / places, (k % places + 0.5) / places, q);
        most = fmax(most, distance(m.at[0], m.at[1]));
    }
    return most;
}

static haw_status create_chain(haw_arena *arena, const haw_cable *cable, int places,
                               const double *q, chain *c)
{
    const int elements = cable->line.elements, count = places * elements + 1;
    *c = (chain){.cable = cable, .places = places};
    c->place = haw_arena_allocate(arena, (size_t)count, sizeof *c->place);
    c->element = haw_arena_allocate(arena, (size_t)elements, sizeof *c->element);
    HAW_TRY(haw_arena_status(arena));
    for (int k = 0; k < count; k++) {
        const int e = k < count - 1 ? k / places : elements - 1;
        c->place[k] = find_place(cable, e, (double)(k - places * e) / places, q);
        c->most = fmax(c->most, distance(c->place[k].at[0], c->place[k].at[1]));
    }
    for (int e = 0; e < elements; e++) {
        enclose(c->place + (ptrdiff_t)places * e, places + 1, &c->element[e]);
    }
    return HAW_OK;
}

/* ---- two pieces ---- */

typedef struct meeting {
    double t;       /* part of the way */
    double part[2]; /* of each piece */
    double volume;  /* of the tetrahedron, six times */
    double size;    /* largest that it could be */
} meeting;

static void between(const double a[AXES], const double b[AXES], double t, double x[AXES])
{
    for (int i = 0; i < AXES; i++) {
        x[i] = (1 - t) * a[i] + t * b[i];
    }
}

/* Both pieces at a part of the way, and where the lines through them are nearest. */
static meeting meet(const moved *a, const moved *b, double t)
{
    double end[4][AXES], u[AXES], v[AXES], w[AXES], normal[AXES];
    for (int k = 0; k < 2; k++) {
        between(a[k].at[0], a[k].at[1], t, end[k]);
        between(b[k].at[0], b[k].at[1], t, end[2 + k]);
    }
    for (int i = 0; i < AXES; i++) {
        u[i] = end[1][i] - end[0][i];
        v[i] = end[3][i] - end[2][i];
        w[i] = end[2][i] - end[0][i];
    }
    vec3_cross(u, v, normal);
    const double uu = vec3_dot(u, u), vv = vec3_dot(v, v), uv = vec3_dot(u, v);
    const double uw = vec3_dot(u, w), vw = vec3_dot(v, w), square = uu * vv - uv * uv;
    return (meeting){.t = t,
                     .part = {(uw * vv - vw * uv) / square, (uw * uv - vw * uu) / square},
                     .volume = vec3_dot(normal, w),
                     .size = sqrt(uu * vv) * (vec3_norm(w) + sqrt(uu) + sqrt(vv))};
}

static bool is_within(double part)
{
    return part >= -BESIDE && part <= 1 + BESIDE;
}

/* Where they pass through each other; false: nowhere. @param flat  out: all is in one plane */
static bool find_meeting(const moved *a, const moved *b, meeting *found, bool *flat)
{
    meeting low = meet(a, b, 0);
    *flat = fabs(low.volume) <= FLAT * low.size;
    for (int k = 1; k <= MOMENTS; k++) {
        const meeting next = meet(a, b, (double)k / MOMENTS);
        meeting high = next;
        *flat = *flat && fabs(high.volume) <= FLAT * high.size;
        const bool changes = low.volume * high.volume < 0;
        for (int i = 0; i < HALVINGS && changes; i++) {
            const meeting middle = meet(a, b, 0.5 * (low.t + high.t));
            if (middle.volume * low.volume > 0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        if (changes && is_within(high.part[0]) && is_within(high.part[1])) {
            *found = high;
            return true;
        }
        low = next;
    }
    return false;
}

/* The first end of a piece as a piece of its own, upright on the plane of all. */
static void erect(const moved *a, const moved *b, moved upright[2])
{
    const double *from = a[0].at[0];
    const double *other[] = {a[1].at[0], a[0].at[1], b[0].at[0], b[1].at[0], b[0].at[1]};
    double normal[AXES] = {0, 0, 0}, size = 0;
    for (int k = 0; k < 5 * 5; k++) {
        double u[AXES], v[AXES], across[AXES];
        for (int i = 0; i < AXES; i++) {
            u[i] = other[k / 5][i] - from[i];
            v[i] = other[k % 5][i] - from[i];
        }
        vec3_cross(u, v, across);
        if (vec3_norm(across) > size) {
            size = vec3_norm(across);
            memcpy(normal, across, sizeof normal);
        }
    }
    const double length = distance(b[0].at[0], b[1].at[0]) / fmax(size, DBL_MIN);
    for (int k = 0; k < 2 * 2; k++) {
        memcpy(upright[k / 2].at[k % 2], a[0].at[k % 2], sizeof normal);
        vec3_add(k / 2 == 0 ? -length : length, normal, upright[k / 2].at[k % 2]);
    }
}

/* @param apart  distance on the paths below which they are drawn through each other */
static bool passes(const moved *a, const moved *b, double apart, meeting *found)
{
    bool flat = false;
    moved upright[2];
    double x[2][AXES];
    if (!find_meeting(a, b, found, &flat)) {
        if (!flat) {
            return false;
        }
        erect(a, b, upright);
        a = upright;
        if (!find_meeting(a, b, found, &flat)) {
            return false;
        }
    }
    between(a[0].at[0], a[1].at[0], found->part[0], x[0]);
    between(b[0].at[0], b[1].at[0], found->part[1], x[1]);
    return distance(x[0], x[1]) > apart;
}

/* ---- lines ---- */

typedef struct both {
    haw_model *model;
    const haw_contact_spec *spec;
    const haw_pair *pair;
    const chain *side[2];
} both;

/* Elements that follow the section of what is touched, or go by less than half of both radii. */
static haw_status refuse(const both *of, const chain *moves, const chain *other, const moved *place)
{
    const haw_cable *cable = moves->cable;
    const double *x = place->at[0], room = 0.5 * (cable->radius + other->cable->radius);
    const double even = ceil(GENEROUS * cable->line.elements * sqrt(moves->most / room));
    return haw_pair_refuse(
        of->model, of->spec, "between",
        "elements of '%s', %.3g m long, start on the other side of '%s' than its path, %.3g m from "
        "there near [%.4g, %.4g, %.4g]: they are too long to follow it (%.0f do)",
        cable->name, cable->line.le, other->cable->name, distance(place->at[0], place->at[1]), x[0],
        x[1], x[2], fmax(even, haw_pair_elements(of->model, of->pair, cable)));
}

/* Arc between two pieces of one cable, the shorter way round a closed one [m]. */
static double find_arc(const chain *c, int i, int k)
{
    const haw_line *line = &c->cable->line;
    const double arc = abs(i - k) * line->le / c->places;
    return line->closed ? fmin(arc, line->le * line->elements - arc) : arc;
}

static haw_status check_elements(const both *of, int e, int f)
{
    const chain *a = of->side[0], *b = of->side[1];
    const bool is_own = a->cable == b->cable;
    const double apart = THROUGH * (a->cable->radius + b->cable->radius);
    for (int i = a->places * e; i < a->places * (e + 1); i++) {
        ball own;
        enclose(a->place + i, 2, &own);
        for (int k = b->places * f; k < b->places * (f + 1); k++) {
            const moved *pa = a->place + i, *pb = b->place + k;
            ball other;
            meeting found;
            enclose(pb, 2, &other);
            if (distance(own.centre, other.centre) > own.radius + other.radius ||
                (is_own && find_arc(a, i, k) <= of->pair->apart) ||
                !passes(pa, pb, apart, &found)) {
                continue;
            }
            const bool first = distance(pa->at[0], pa->at[1]) >= distance(pb->at[0], pb->at[1]);
            return first ? refuse(of, a, b, pa) : refuse(of, b, a, pb);
        }
    }
    return HAW_OK;
}

static haw_status check_element(const both *of, int e)
{
    const chain *a = of->side[0], *b = of->side[1];
    for (int f = a->cable == b->cable ? e : 0; f < b->cable->line.elements; f++) {
        const double apart = distance(a->element[e].centre, b->element[f].centre);
        const bool is_near = apart <= a->element[e].radius + b->element[f].radius;
        HAW_TRY(is_near ? check_elements(of, e, f) : HAW_OK);
    }
    return haw_context_goes_on(of->model->context);
}

/* Two lines can pass through each other only if their ways together are as long as they are apart.
 */
static haw_status check_lines(const both *pairs, const haw_cable *a, const haw_cable *b,
                              const double *q)
{
    const int places[2] = {count_places(pairs->model, pairs->pair, a),
                           count_places(pairs->model, pairs->pair, b)};
    const double apart = THROUGH * (a->radius + b->radius);
    if (a->start == NULL || b->start == NULL ||
        find_most(a, places[0], q) + find_most(b, places[1], q) <= apart) {
        return HAW_OK;
    }
    haw_arena arena;
    chain side[2];
    const both of = {pairs->model, pairs->spec, pairs->pair, {&side[0], &side[1]}};
    haw_arena_init(&arena, pairs->model->context);
    haw_status status = create_chain(&arena, a, places[0], q, &side[0]);
    status = status == HAW_OK ? create_chain(&arena, b, places[1], q, &side[1]) : status;
    for (int e = 0; e < a->line.elements && status == HAW_OK; e++) {
        status = check_element(&of, e);
    }
    haw_arena_fini(&arena);
    return status;
}

haw_status haw_build_check_lines(haw_model *model, const haw_contact_spec *spec,
                                 const haw_pair *pair, const double *q)
{
    const haw_cable *a = &model->cable[pair->cable], *b = &model->cable[pair->line];
    const both of = {.model = model, .spec = spec, .pair = pair};
    haw_status status = HAW_OK;
    for (int i = 0; i < haw_cable_parts(a) && status == HAW_OK; i++) {
        for (int k = a == b ? i : 0; k < haw_cable_parts(b) && status == HAW_OK; k++) {
            status = check_lines(&of, haw_cable_part(a, i), haw_cable_part(b, k), q);
        }
    }
    return status;
}
