/* SPDX-License-Identifier: BSD-3-Clause */
/* What no law may let happen: guard.h. */
#include "contact/guard.h"

#include "base/lie.h"
#include "contact/partner.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { AXES = 3, FEW_POINTS = 4, AXIS_PLACES = 8 };

static const double BETWEEN = 5;      /* of depth_limit, between two points of a grid */
static const double DRAWN = 1.25;     /* of the depth of a start, which first has to come out */
static const double BLOWN_UP = 1e-3;  /* of a step: where less would do, motion is none any more */
static const double LOOK_AHEAD = 64;  /* steps that clearances are looked for ahead */
static const double PLACES_AHEAD = 4; /* the same of places */
static const double SEEN = 0.25;      /* of the thickness: how far places are looked about */
static const double SLIGHT_TURN = 1e-6; /* in a step, a way of nothing on any lever [rad] */

/*
 * How far from a surface an element was when it was looked at, and since when: it need not be
 * looked at again before that distance is used up. Let r be the radius about the body's centre
 * that nothing of the element leaves before: then what is used up is the way of its points, that of
 * the body, and the turn of the body times r.
 */
typedef struct clearance {
    double gap, radius;   /* [m] */
    double moved, turned; /* of the pair's `motion` when it was looked at [m], [rad] */
} clearance;

/*
 * An element at rest: for how long none of its places can be deeper than was found in this run, nor
 * hang lower between two points than it may.
 */
typedef struct settled {
    double gap, sag;      /* least gap of its places then, and half of what is left of sag_limit;
                             -INFINITY: it is to be looked at [m] */
    double moved, turned; /* of the pair's `motion` then [m], [rad] */
} settled;

typedef struct motion {
    double moved, turned; /* since the start: the line against the body [m], the body [rad] */
    double looked;        /* moved + turned R at the last look, -INFINITY: there was none [m] */
    clearance *element;   /* [elements] of the pair's cable */
    clearance *place;     /* [places] of these, count_all of each */
    settled *settled;     /* [elements] */
    bool is_swept;        /* nothing is asked of speeds in this step */
    bool is_lost;         /* nor was the motion followed since `element` was looked at */
} motion;

struct haw_guard {
    const haw_model *model;
    double *coast;            /* [coordinates] where the velocities at the start lead */
    double *reach;            /* [cables] way of this step [m] */
    double way;               /* largest of the bodies in this step [m] */
    motion *motion;           /* [pairs] */
    double *drawn;            /* [pairs] of points at the start, which no smaller step mends [m] */
    haw_centreline *curve[2]; /* [cables] centrelines that are touched, at the start and the end */
    bool *is_fitted[2];       /* [cables] to this step, once they are asked */
};

/* One pair and one step. */
typedef struct watch {
    const haw_guard *guard;
    const haw_guard_step *step;
    const double *u_before; /* [dofs], NULL: the speed is guarded elsewhere, or nothing moves */
    const haw_pair *pair;
    const haw_partner *partner;
    haw_view before, after; /* of the pair; lines are to be fitted, `see` */
    const haw_cable *cable; /* NULL: a ball */
    motion *motion;
    double way, turn; /* of this step, as in `motion` */
    double *deepest;  /* seen so far [m] */
    double thickness; /* radius of the section or ball, less the offset of the pair [m] */
    double surface;   /* smallest radius of the surface [m] */
    double smallest;  /* of both, INFINITY: no limits [m] */
    double speed_limit, depth_limit, between_limit; /* [m] */
    double sag_limit; /* between two points, below both; INFINITY where others say enough [m] */
} watch;

/* Number of elements of a pair's cable, 0 of a ball. */
static int count_elements(const haw_model *model, int pair)
{
    const int cable = model->pair[pair].cable;
    return cable >= 0 ? model->cable[cable].line.elements : 0;
}

/* Points of an element in the whole grid, at least. */
static int count_points(const haw_pair *pair)
{
    const int skipped = pair->refine == HAW_REFINE_LIFTOFF ? pair->coarse : 1;
    const int points = pair->points_per_element / skipped;
    return points > 0 ? points : 1;
}

/* Places looked at from one of n points to the next: between the points of a coarse grid the curve
 * may dip on one side of the middle only. */
static int count_places(int n)
{
    return n < FEW_POINTS ? 4 : 2;
}

/* Places of an element, its end too. */
static int count_all(const haw_pair *pair)
{
    const int n = count_points(pair);
    return n * count_places(n) + 1;
}

static void forget_pair(haw_guard *guard, int i)
{
    motion *m = &guard->motion[i];
    const size_t elements = (size_t)count_elements(guard->model, i);
    const size_t places = elements * (size_t)count_all(&guard->model->pair[i]);
    memset(m->element, 0, elements * sizeof(clearance));
    for (size_t k = 0; k < places; k++) {
        m->place[k] = (clearance){.gap = -(double)INFINITY};
    }
    for (size_t e = 0; e < elements; e++) {
        m->settled[e] = (settled){.gap = -(double)INFINITY};
    }
    m->moved = m->turned = 0;
    m->looked = -(double)INFINITY;
    m->is_lost = false;
}

void haw_guard_forget(haw_guard *guard)
{
    for (int i = 0; i < guard->model->pairs; i++) {
        forget_pair(guard, i);
    }
}

haw_status haw_guard_create(haw_arena *arena, const haw_model *model, haw_guard **made)
{
    haw_guard *guard = haw_arena_allocate(arena, 1, sizeof *guard);
    *made = guard;
    HAW_TRY(haw_arena_status(arena));
    guard->model = model;
    guard->coast = haw_arena_allocate(arena, (size_t)model->coordinates + 1, sizeof(double));
    guard->reach = haw_arena_allocate(arena, (size_t)model->lines + 1, sizeof(double));
    guard->motion = haw_arena_allocate(arena, (size_t)model->pairs + 1, sizeof(motion));
    guard->drawn = haw_arena_allocate(arena, (size_t)model->pairs + 1, sizeof(double));
    HAW_TRY(haw_arena_status(arena));
    for (int k = 0; k < 2; k++) {
        HAW_TRY(haw_centrelines_create(arena, model, &guard->curve[k]));
        guard->is_fitted[k] = haw_arena_allocate(arena, (size_t)model->lines + 1, sizeof(bool));
    }
    for (int i = 0; i < model->pairs; i++) {
        const size_t elements = (size_t)count_elements(model, i);
        const size_t places = elements * (size_t)count_all(&model->pair[i]);
        guard->motion[i].element = haw_arena_allocate(arena, elements + 1, sizeof(clearance));
        guard->motion[i].place = haw_arena_allocate(arena, places + 1, sizeof(clearance));
        guard->motion[i].settled = haw_arena_allocate(arena, elements + 1, sizeof(settled));
    }
    HAW_TRY(haw_arena_status(arena));
    haw_guard_forget(guard);
    return HAW_OK;
}

/* Limits of a pair. */
static watch watch_limits(haw_guard *guard, int i)
{
    const haw_model *model = guard->model;
    const haw_pair *pair = &model->pair[i];
    const haw_cable *cable = pair->cable >= 0 ? &model->cable[pair->cable] : NULL;
    watch w = {.guard = guard,
               .pair = pair,
               .partner = haw_partner_of(pair),
               .cable = cable,
               .motion = &guard->motion[i],
               .thickness = haw_pair_thickness(model, pair) - fabs(pair->offset),
               .surface = haw_pair_radius(model, pair)};
    const double part = haw_pair_depth_limit(pair);
    const double own = cable != NULL ? w.thickness : haw_pair_girth(model, pair);
    w.smallest = own > 0 ? fmin(w.surface, own) : w.surface;
    w.between_limit = fmax(part, fmin(BETWEEN * part, 0.25)) * w.surface;
    w.depth_limit = pair->proxies == HAW_PROXY_MORTAR ? w.between_limit : part * w.smallest;
    w.depth_limit = fmax(w.depth_limit, DRAWN * guard->drawn[i]);
    w.speed_limit = pair->speed_limit * (cable != NULL ? w.surface : w.smallest);
    w.sag_limit = (double)INFINITY;
    if (isinf(w.surface) && cable != NULL && pair->law->set_valued &&
        pair->proxies == HAW_PROXY_POINTS && pair->points_per_element > 0) {
        w.sag_limit = fmax(part, fmin(BETWEEN * part, 0.25)) * cable->line.le / count_points(pair);
    }
    return w;
}

static watch watch_init(haw_guard *guard, const haw_guard_step *step, int i)
{
    const int line = guard->model->pair[i].line;
    watch w = watch_limits(guard, i);
    w.step = step;
    w.u_before = step->u_before;
    w.before = haw_view_of(guard->model, i, false, step->before);
    w.after = haw_view_of(guard->model, i, false, step->after);
    if (line >= 0) {
        w.before.curve = &guard->curve[0][line];
        w.after.curve = &guard->curve[1][line];
    }
    return w;
}

/* The view of the start, k = 0, or the end of the step, with the line that it looks at fitted to
 * it: where nothing moves it is not asked. */
static const haw_view *see(const watch *w, int k)
{
    const haw_view *view = k == 0 ? &w->before : &w->after;
    const int line = w->pair->line;
    if (line >= 0 && !w->guard->is_fitted[k][line]) {
        haw_centreline_fit(&w->guard->curve[k][line], k == 0 ? w->step->before : w->step->after);
        w->guard->is_fitted[k][line] = true;
    }
    return view;
}

static double body_speed(const haw_model *model, int body, const double *u)
{
    double speed = 0;
    for (int k = 0; k < model->dimension && body >= 0; k++) {
        speed = hypot(speed, u[model->body[body].first + k]);
    }
    return speed;
}

/* Of the bodies of a pair, and of cables that touch each other [m/s]. */
static double landing_speed(const haw_model *model, const haw_pair *pair, const double *u)
{
    return body_speed(model, pair->body, u) +
           (pair->cable < 0 ? body_speed(model, pair->proxy, u) : 0) +
           (pair->line >= 0 ? haw_cable_speed(&model->cable[pair->line], u) +
                                  haw_cable_speed(&model->cable[pair->cable], u)
                            : 0);
}

double haw_guard_landing(haw_guard *guard, const double *u)
{
    const haw_model *model = guard->model;
    double h = (double)INFINITY;
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        const double speed = landing_speed(model, pair, u);
        if (pair->law->set_valued && speed > 0) {
            h = fmin(h, 0.5 * watch_limits(guard, i).depth_limit / speed);
        }
    }
    return h;
}

/* Signed distance of a point of the cable, or of a ball's centre, less its radius; `enough` where
 * it is farther away. */
static double gap_at(const watch *w, const haw_view *view, double label, const double x[AXES],
                     double enough, double normal[AXES])
{
    return w->partner->gap(view, x, label, enough + w->thickness, normal) - w->thickness;
}

/* A place of the line: part `part` of element e; or corner `part` of the body. */
static void place_at(const watch *w, int e, double part, const double *q, double x[AXES])
{
    const haw_model *model = w->guard->model;
    const haw_cable *cable = w->cable;
    if (cable == NULL) {
        haw_view_position(&w->after, -1, part, q, x);
        return;
    }
    if (cable->ops->node_q != NULL && part == floor(part)) {
        memset(x, 0, AXES * sizeof *x);
        memcpy(x, q + cable->ops->node_q(cable, e + (int)part),
               (size_t)model->dimension * sizeof *x);
        return;
    }
    haw_cable_point point;
    cable->ops->point(cable, e, haw_cable_local(cable, e, part, q), q, NULL, HAW_POINT_POSITION,
                      &point);
    memcpy(x, point.x, sizeof point.x);
}

static const char *name_of(const watch *w)
{
    return w->cable != NULL ? w->cable->name : w->after.ball->name;
}

static const char *partner_of(const watch *w)
{
    return w->after.body != NULL ? w->after.body->name : w->pair->between[1];
}

/* How far a point goes towards the surface on its way to q [m]. */
static double approach(const watch *w, int e, double part, const double x[AXES],
                       const double normal[AXES], const double *q)
{
    const double reach = w->way + w->thickness;
    double now[AXES], carried[AXES], way = 0;
    place_at(w, e, part, q, now);
    w->partner->carry(see(w, 0), x, haw_view_label(w->cable, e, part), reach, q, carried);
    for (int i = 0; i < AXES; i++) {
        way -= normal[i] * (now[i] - carried[i]);
    }
    return way;
}

static haw_status guard_speed(const watch *w, int e, double s)
{
    const haw_guard_step *step = w->step;
    double x[AXES], normal[AXES];
    place_at(w, e, s, step->before, x);
    const double gap = gap_at(w, see(w, 0), haw_view_label(w->cable, e, s), x, w->way, normal);
    if (vec3_dot(normal, normal) == 0) { /* nothing is in reach */
        return HAW_OK;
    }
    const double way = fmax(approach(w, e, s, x, normal, w->guard->coast),
                            approach(w, e, s, x, normal, step->after));
    if (!(way > w->speed_limit && way > gap)) {
        return HAW_OK;
    }
    const double part = 0.9 * w->speed_limit / way;
    char remedy[64] = "the motion has blown up, use a smaller step";
    if (part > BLOWN_UP) {
        (void)snprintf(remedy, sizeof remedy, "use at most stepper.step: %.1e", part * step->h);
    }
    return haw_fail(w->guard->model->context, HAW_ERR_GUARD,
                    "t = %g s: '%s' comes towards '%s' by %g m in one step of %g s, more than %g "
                    "of the smallest radius %g m (speed_limit): %s",
                    step->t, name_of(w), partner_of(w), way, step->h, w->pair->speed_limit,
                    w->smallest, remedy);
}

/* @param limit  of this point [m] @param gap  at the end of the step */
static haw_status guard_depth(const watch *w, double gap, double limit, const char *where,
                              const char *remedy)
{
    *w->deepest = fmax(*w->deepest, -gap);
    if (!(-gap > limit)) {
        return HAW_OK;
    }
    return haw_fail(w->guard->model->context, HAW_ERR_GUARD,
                    "t = %g s: '%s' is %g m inside '%s'%s, deeper than the limit of %g m "
                    "(depth_limit): %s",
                    w->step->t + w->step->h, name_of(w), -gap, partner_of(w), where, limit,
                    remedy != NULL ? remedy
                    : w->pair->law->set_valued
                        ? "use a finer grid or a smaller step"
                        : "use a stiffer contact, a finer grid or a smaller step");
}

/* The same of a contact point: one that is drawn deep may stay so. */
static haw_status guard_point(const watch *w, double gap)
{
    double *drawn = &w->guard->drawn[w->pair - w->guard->model->pair];
    *drawn = w->step->is_drawn ? fmax(*drawn, -gap) : *drawn;
    return guard_depth(w, gap, w->depth_limit, "", NULL);
}

/* No contact point stands where an end is held: nothing keeps a body off that, however short the
 * steps are. */
static haw_status guard_end(const watch *w, double gap)
{
    const double t = w->step->t;
    char remedy[160];
    (void)snprintf(remedy, sizeof remedy,
                   "no contact point stands there: lengthen the cable beyond that place, or end "
                   "the run before, at stepper.end: %.2g",
                   0.9 * t);
    return guard_depth(w, gap, w->between_limit, " with its held end", remedy);
}

static double distance(const double a[AXES], const double b[AXES])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* ---- which elements need no look ---- */

/* The larger change of `count` coordinates of a body from `first` on, in the step itself and by the
 * velocities at its start. */
static double largest_change(const haw_guard *guard, const haw_guard_step *step, int first,
                             int count)
{
    double after = 0, coast = 0;
    for (int i = first; i < first + count; i++) {
        const double q = step->before[i];
        after += (step->after[i] - q) * (step->after[i] - q);
        coast += (guard->coast[i] - q) * (guard->coast[i] - q);
    }
    return sqrt(fmax(after, coast));
}

/* Ways of this step, by the motion itself and by the velocities at its start. */
static void measure_ways(haw_guard *guard, const haw_guard_step *step)
{
    const haw_model *model = guard->model;
    haw_model_move(model, step->before, step->ahead, step->u_before, guard->coast);
    guard->way = 0;
    for (int i = 0; i < model->bodies; i++) {
        const double way = largest_change(guard, step, model->body[i].first_q, model->dimension);
        guard->way = fmax(guard->way, way);
    }
    for (int i = 0; i < model->lines; i++) {
        const haw_cable *cable = &model->cable[i];
        guard->reach[i] = fmax(cable->ops->reach(cable, step->before, step->after),
                               cable->ops->reach(cable, step->before, guard->coast));
    }
}

/* How far a clearance reaches. */
static double sight_of(const watch *w)
{
    return w->partner->sight != NULL ? w->partner->sight(&w->after) : HUGE_VAL;
}

/* What this step uses up of a pair's clearances: the way of the line or ball, where lines may hang
 * on any body, and that of the body or line that it touches; and the turn of that body, which a
 * circle does not notice. Of a quaternion's change half of the turn is left. */
static void use_clearances(watch *w)
{
    const haw_guard *guard = w->guard;
    const int moves = guard->model->dimension, turns = guard->model->kind->coordinates - moves;
    const haw_body *body = w->after.body;
    const bool turned = body != NULL && !body->surface.ops->is_circle;
    w->way = guard->way + (w->cable != NULL ? guard->reach[w->pair->cable] : 0) +
             (body != NULL ? largest_change(guard, w->step, body->first_q, moves)
                           : guard->way + guard->reach[w->pair->line]);
    w->turn = turned ? 2 * largest_change(guard, w->step, body->first_q + moves, turns) : 0;
    w->motion->moved += w->way;
    w->motion->turned += w->turn;
}

/* Of a clearance, since it was looked at. */
static double used_of(const watch *w, const clearance *c)
{
    const motion *m = w->motion;
    return m->moved - c->moved + (m->turned - c->turned) * c->radius;
}

/* True if an element cannot have come near the surface since it was looked at. */
static bool is_clear(const watch *w, const clearance *c)
{
    return w->u_before != NULL && used_of(w, c) < c->gap;
}

/* How deep a place may be without a word: a depth that was seen before, and is allowed. */
static double slight_depth(const watch *w)
{
    return fmin(*w->deepest, fmin(w->depth_limit, w->between_limit));
}

/* True if a place cannot be deeper than that; where a body has turned, that it is clear. */
static bool is_slight(const watch *w, const clearance *c)
{
    const double slight = w->motion->turned == c->turned ? slight_depth(w) : 0;
    return w->u_before != NULL && used_of(w, c) < fmin(c->gap + slight, sight_of(w));
}

/* True if no place of an element can, nor hang too low, and nothing moves so fast that the limit of
 * speed counts. What turns is looked at. */
static bool is_settled(const watch *w, int e)
{
    const motion *m = w->motion;
    const settled *c = &m->settled[e];
    const double used = m->moved - c->moved;
    return w->u_before != NULL && w->way <= w->speed_limit && w->turn == 0 &&
           m->turned == c->turned &&
           used < fmin(c->sag, fmin(c->gap + slight_depth(w), sight_of(w)));
}

/* Ends x[0], x[2] and middle x[1] of an element at the end of the step, and how far it is from the
 * surface: its points are taken to be within twice the distance of its ends from the middle. */
static bool is_near(const watch *w, int e, double x[3][AXES])
{
    const double *q = w->step->after, *middle = x[1];
    const double *centre = w->after.body != NULL ? q + w->after.body->first_q : middle;
    const int d = w->guard->model->dimension;
    double radius = 0;
    for (int k = 0; k < 3; k++) {
        place_at(w, e, 0.5 * k, q, x[k]);
    }
    for (int i = 0; i < d; i++) {
        radius += (middle[i] - centre[i]) * (middle[i] - centre[i]);
    }
    const double reach = 2 * fmax(distance(middle, x[0]), distance(middle, x[2]));
    const double enough = LOOK_AHEAD * w->way + w->thickness;
    const double gap =
        w->partner->clear(see(w, 1), e, middle, reach, enough) - w->thickness - reach;
    w->motion->element[e] = (clearance){.gap = gap,
                                        .radius = sqrt(radius) + reach + fmax(gap, 0),
                                        .moved = w->motion->moved,
                                        .turned = w->motion->turned};
    return gap <= 2 * (w->way + w->turn * w->motion->element[e].radius);
}

/* ---- pairs ---- */

/* Place k of 0 ... count of an element, of which points are those that count_places tells. */
static haw_status guard_place(const watch *w, int e, int k, int count, double gap)
{
    const int every = count_places(count_points(w->pair));
    const bool is_first = k == 0 && haw_cable_beside(w->cable, e, -1) < 0;
    const bool is_last = k == count && haw_cable_beside(w->cable, e, 1) < 0;
    const haw_cable *own = haw_cable_member(w->cable, &e);
    if ((is_first && haw_cable_end_held(own, 0)) || (is_last && haw_cable_end_held(own, 1))) {
        return guard_end(w, gap);
    }
    return k % every == 0
               ? guard_point(w, gap)
               : guard_depth(w, gap, w->between_limit, " between two contact points", NULL);
}

/* A flat surface has no radius that a depth could be compared with. There the curve of a coarse
 * grid shows by how far it hangs between two points below both of them.
 * @param left  out: of that limit [m] */
static haw_status guard_sag(const watch *w, int e, double *left)
{
    const int n = count_points(w->pair), every = count_places(n);
    double x[AXES], normal[AXES], gap[5];
    *left = (double)INFINITY;
    for (int j = 0; j < n && isfinite(w->sag_limit); j++) {
        double deepest = (double)INFINITY;
        for (int k = 0; k <= every; k++) {
            const double part = (j + (double)k / every) / n;
            place_at(w, e, part, w->step->after, x);
            gap[k] = gap_at(w, see(w, 1), haw_view_label(w->cable, e, part), x, 0, normal);
            deepest = fmin(deepest, gap[k]);
        }
        const double lowest = fmin(fmin(gap[0], gap[every]), 0);
        *left = fmin(*left, w->sag_limit - lowest + deepest);
        HAW_TRY(guard_depth(w, deepest, w->sag_limit - lowest, " between two contact points",
                            "use more points_per_element"));
    }
    return HAW_OK;
}

/* Gap of a place, and for how long it need not be looked at again. */
static double look_at(const watch *w, double label, const double x[AXES], clearance *c)
{
    const double *centre = w->after.body != NULL ? w->step->after + w->after.body->first_q : x;
    const double enough = fmax(SEEN * w->thickness, PLACES_AHEAD * w->way);
    double normal[AXES], square = 0;
    const double gap = gap_at(w, see(w, 1), label, x, enough, normal);
    const double known = fmin(gap, sight_of(w));
    for (int i = 0; i < w->guard->model->dimension; i++) {
        square += (x[i] - centre[i]) * (x[i] - centre[i]);
    }
    *c = (clearance){.gap = known,
                     .radius = sqrt(square) + fmax(known, 0),
                     .moved = w->motion->moved,
                     .turned = w->motion->turned};
    return gap;
}

/* Points of the grid, where it is even all of them, and places between them; where knots are the
 * grid, ends and places between. Ends and the middle are known anyway. The last place is the first
 * of the next element. */
static haw_status check_element(const watch *w, int e, bool is_fast, double known[3][AXES])
{
    const int n = count_points(w->pair), count = n * count_places(n);
    const bool is_end = haw_cable_beside(w->cable, e, 1) < 0;
    const bool is_fixed = haw_cable_part(w->cable, 0)->ops->node_q != NULL; /* on the cable */
    clearance *c = w->motion->place + (ptrdiff_t)e * (count + 1);
    double place[AXES];
    for (int k = 0; k < count + is_end; k++, c++) {
        const double part = (double)k / count;
        const int end = k < count ? 0 : 2, at = 2 * k == count ? 1 : end;
        const bool is_known = k == 0 || k == count || at == 1;
        const bool is_far = is_fixed && is_clear(w, c);
        HAW_TRY(is_fast && !is_far ? guard_speed(w, e, part) : HAW_OK);
        if (is_fixed && is_slight(w, c)) {
            continue;
        }
        const double *x = is_known ? known[at] : place;
        if (!is_known) {
            place_at(w, e, part, w->step->after, place);
        }
        HAW_TRY(guard_place(w, e, k, count, look_at(w, haw_view_label(w->cable, e, part), x, c)));
    }
    return HAW_OK;
}

/* What was looked at of an element, for later steps. @param left  of the limit of its sag, which
 * two places that move use up */
static void settle(const watch *w, int e, double left)
{
    const motion *m = w->motion;
    const int count = count_all(w->pair) - 1;
    const bool is_end = haw_cable_beside(w->cable, e, 1) < 0;
    const clearance *place = m->place + (ptrdiff_t)e * (count + 1);
    double gap = (double)INFINITY;
    for (int k = 0; k < count + is_end; k++) {
        gap = fmin(gap, place[k].gap - used_of(w, &place[k]));
    }
    m->settled[e] =
        (settled){.gap = gap, .sag = 0.5 * left, .moved = m->moved, .turned = m->turned};
}

/* In steps in which no relative way can reach the limit of speed nothing is asked of speeds. */
static haw_status check_cable(const watch *w)
{
    const clearance *element = w->motion->element;
    const bool is_fixed = haw_cable_part(w->cable, 0)->ops->node_q != NULL;
    double x[3][AXES], left;
    for (int e = 0; e < w->cable->line.elements; e++) {
        if (is_clear(w, &element[e]) || (is_fixed && is_settled(w, e)) || !is_near(w, e, x)) {
            continue;
        }
        const bool is_fast =
            w->u_before != NULL && w->way + w->turn * element[e].radius > w->speed_limit;
        HAW_TRY(check_element(w, e, is_fast, x));
        HAW_TRY(guard_sag(w, e, &left));
        settle(w, e, left);
    }
    return HAW_OK;
}

static haw_status check_corner(const watch *w, double k)
{
    double x[AXES], normal[AXES];
    HAW_TRY(w->u_before != NULL ? guard_speed(w, 0, k) : HAW_OK);
    place_at(w, 0, k, w->step->after, x);
    return guard_point(w, gap_at(w, see(w, 1), 0, x, 0, normal));
}

/* Corners of a body, and places of its edges between them; a plane meets corners first. */
static haw_status check_corners(const watch *w)
{
    assert(w->after.ball != NULL);
    const haw_surface_ops *ops = w->after.ball->surface.ops;
    const int places = isinf(haw_body_radius(w->after.body)) ? 0 : ops->edges * AXIS_PLACES;
    for (int k = 0; k < ops->corners; k++) {
        HAW_TRY(check_corner(w, k));
    }
    for (int k = 0; k < places; k++) {
        const double part = (double)(k % AXIS_PLACES) / AXIS_PLACES;
        const int edge = k / AXIS_PLACES;
        HAW_TRY(k % AXIS_PLACES > 0 ? check_corner(w, ops->first_edge + 2.0 * edge + part)
                                    : HAW_OK);
    }
    return HAW_OK;
}

/* True of bodies that their spheres keep apart on all of the way: corners are many. */
static bool are_apart(const watch *w)
{
    const haw_body *ball = w->after.ball, *body = w->after.body;
    assert(ball != NULL && body != NULL);
    const double reach = haw_body_reach(ball) + haw_body_reach(body);
    const double *const q[2] = {w->step->before, w->step->after};
    const double way[2] = {w->u_before != NULL ? w->way : 0, 0};
    bool apart = isfinite(reach);
    for (int k = 0; k < 2 && apart; k++) {
        double square = 0;
        for (int i = 0; i < w->guard->model->dimension; i++) {
            const double side = q[k][ball->first_q + i] - q[k][body->first_q + i];
            square += side * side;
        }
        apart = sqrt(square) > reach + way[k];
    }
    return apart;
}

/* Those of both bodies, where they look at each other. */
static haw_status check_bodies(watch *w)
{
    const int pair = (int)(w->pair - w->guard->model->pair);
    if (are_apart(w)) {
        return HAW_OK;
    }
    HAW_TRY(check_corners(w));
    if (!haw_pair_looks_back(w->pair)) {
        return HAW_OK;
    }
    w->before = haw_view_of(w->guard->model, pair, true, w->step->before);
    w->after = haw_view_of(w->guard->model, pair, true, w->step->after);
    w->thickness = w->after.radius;
    return check_corners(w);
}

/* Limits of compliant laws are so wide that steps may be looked at together, as long as nothing
 * moves further in them than a single one may go. */
static bool may_wait(const watch *w)
{
    const motion *m = w->motion;
    const double way = m->moved + m->turned * w->surface - m->looked;
    const bool swings = w->after.ball != NULL && w->after.ball->surface.ops->corner != NULL;
    return !w->pair->law->set_valued && !swings && !w->step->is_last && w->u_before != NULL &&
           way < w->speed_limit;
}

/* Of a body about other axes than its own, the last one [rad/s]. */
static double body_turning(const haw_model *model, int body, const double *u)
{
    double rate = 0;
    for (int k = model->dimension; k < model->kind->dofs - 1 && body >= 0; k++) {
        rate = hypot(rate, u[model->body[body].first + k]);
    }
    return rate;
}

/* True where nothing that counts goes half as far in this step as it may. */
static bool is_slow(haw_guard *guard, const haw_guard_step *step, int i)
{
    const haw_model *model = guard->model;
    const haw_pair *pair = &model->pair[i];
    const double *u = step->u_before;
    const double own = pair->cable >= 0 ? haw_cable_speed(&model->cable[pair->cable], u) : 0;
    const double turning = body_turning(model, pair->body, u) +
                           (pair->cable < 0 ? body_turning(model, pair->proxy, u) : 0);
    return step->h * turning < SLIGHT_TURN &&
           2 * step->h * (landing_speed(model, pair, u) + own) < watch_limits(guard, i).speed_limit;
}

/* Explicit steps are so short that depths may be looked at every now and then, where speeds are
 * guarded as they detect, towards curves in the plane, or are small. */
static bool is_swept(haw_guard *guard, const haw_guard_step *step, int i)
{
    const haw_pair *pair = &guard->model->pair[i];
    return step->is_explicit && haw_partner_of(pair)->is_swept &&
           (haw_pair_is_flat(guard->model, pair) || is_slow(guard, step, i));
}

static haw_status check_pair(haw_guard *guard, const haw_guard_step *step, int i, double *deepest)
{
    watch w = watch_init(guard, step, i);
    w.deepest = deepest;
    if (isinf(w.smallest) && isinf(w.sag_limit)) {
        return HAW_OK;
    }
    if (w.motion->is_swept) {
        w.u_before = NULL;
    }
    if (step->is_drawn) {
        w.depth_limit = w.between_limit = w.sag_limit = (double)INFINITY;
    }
    if (w.u_before != NULL) {
        if (w.motion->is_lost) {
            forget_pair(guard, i);
        }
        use_clearances(&w);
    }
    if (may_wait(&w)) {
        return HAW_OK;
    }
    w.motion->looked = w.motion->moved + w.motion->turned * w.surface;
    return w.cable != NULL ? check_cable(&w) : check_bodies(&w);
}

/* Whether there are centrelines that are touched; none is fitted to this step yet. */
static bool begin_curves(haw_guard *guard)
{
    bool any = false;
    for (int i = 0; i < guard->model->lines; i++) {
        guard->is_fitted[0][i] = guard->is_fitted[1][i] = false;
        any = any || guard->curve[0][i].leaf != NULL;
    }
    return any;
}

static haw_status check_pairs(haw_guard *guard, const haw_guard_step *step, double *deepest)
{
    for (int i = 0; i < guard->model->pairs; i++) {
        const bool is_asked = step->is_due || !guard->motion[i].is_swept;
        HAW_TRY(is_asked ? check_pair(guard, step, i, deepest) : HAW_OK);
    }
    return HAW_OK;
}

haw_status haw_guard_check(haw_guard *guard, const haw_guard_step *step, double *deepest)
{
    const haw_model *model = guard->model;
    bool any = begin_curves(guard);
    for (int i = 0; i < model->pairs; i++) {
        motion *m = &guard->motion[i];
        m->is_swept = is_swept(guard, step, i);
        m->is_lost = m->is_lost || m->is_swept;
        any = any || !m->is_swept;
    }
    if (step->u_before != NULL && any) {
        measure_ways(guard, step);
    }
    const haw_status status = check_pairs(guard, step, deepest);
    if (status != HAW_OK) { /* a shorter step begins where this one began */
        haw_guard_forget(guard);
    }
    return status;
}
