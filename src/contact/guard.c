/* SPDX-License-Identifier: BSD-3-Clause */
/* What no law may let happen: guard.h. */
#include "contact/guard.h"

#include <math.h>
#include <string.h>

enum { AXES = 3 };

static const double BETWEEN = 5; /* of depth_limit, between two points of a grid */

struct haw_guard {
    haw_context *context;
    haw_arena arena;
    const haw_model *model;
    double *increment; /* [dofs] h u */
    double *coast;     /* [coordinates] where the velocities at the start lead */
};

/* One pair and one step. */
typedef struct watch {
    const haw_guard *guard;
    const haw_guard_step *step;
    const haw_pair *pair;
    const haw_body *body;   /* of the surface */
    const haw_cable *cable; /* NULL: a ball */
    double thickness;       /* radius of the section or ball, less the offset of the pair [m] */
    double surface;         /* smallest radius of the surface [m] */
    double smallest;        /* of both, INFINITY: no limits [m] */
    double turn;            /* radius that speeds are measured by [m] */
    double speed_limit, depth_limit, between_limit; /* [m] */
} watch;

haw_status haw_guard_create(haw_context *context, const haw_model *model, haw_guard **guard)
{
    haw_guard *made = haw_allocate(context, 1, sizeof *made);
    if (made == NULL) {
        return HAW_ERR_NOMEM;
    }
    *made = (haw_guard){.context = context, .model = model};
    haw_arena_init(&made->arena, context);
    made->increment = haw_arena_allocate(&made->arena, (size_t)model->dofs + 1, sizeof(double));
    made->coast = haw_arena_allocate(&made->arena, (size_t)model->coordinates + 1, sizeof(double));
    *guard = made;
    return made->increment == NULL || made->coast == NULL ? HAW_ERR_NOMEM : HAW_OK;
}

void haw_guard_free(haw_guard *guard)
{
    if (guard != NULL) {
        haw_arena_fini(&guard->arena);
        haw_release(guard->context, guard);
    }
}

static watch watch_init(const haw_guard *guard, const haw_guard_step *step, const haw_pair *pair)
{
    const haw_model *model = guard->model;
    const haw_body *body = &model->body[pair->body];
    const haw_cable *cable = pair->cable >= 0 ? &model->cable[pair->cable] : NULL;
    watch w = {.guard = guard,
               .step = step,
               .pair = pair,
               .body = body,
               .cable = cable,
               .thickness =
                   (cable != NULL ? cable->radius : pair->proxy_radius) - fabs(pair->offset),
               .surface = model->kind->radius(body)};
    const double part =
        isnan(pair->depth_limit) ? (pair->law->set_valued ? 0.01 : 0.25) : pair->depth_limit;
    w.smallest = w.thickness > 0 ? fmin(w.surface, w.thickness) : w.surface;
    w.between_limit = fmax(part, fmin(BETWEEN * part, 0.25)) * w.surface;
    w.depth_limit = pair->proxies == HAW_PROXY_MORTAR ? w.between_limit : part * w.smallest;
    w.turn = cable != NULL ? w.surface : w.smallest;
    w.speed_limit = pair->speed_limit * w.turn;
    return w;
}

/* Signed distance of a point of the cable, or of a ball's centre, less its radius. */
static double gap_at(const watch *w, const double *q, const double x[AXES], double normal[AXES])
{
    return w->guard->model->kind->gap(w->body, q + w->body->first_q, x, normal) - w->thickness;
}

static void place_at(const watch *w, int e, double part, const double *q, double x[AXES])
{
    haw_sample sample;
    if (w->cable == NULL) {
        const haw_model *model = w->guard->model;
        memset(x, 0, AXES * sizeof *x);
        memcpy(x, q + model->body[w->pair->proxy].first_q, (size_t)model->dimension * sizeof *x);
        return;
    }
    w->cable->ops->sample(w->cable, e, part, q, NULL, &sample);
    memcpy(x, sample.x, sizeof sample.x);
}

static const char *name_of(const watch *w)
{
    return w->cable != NULL ? w->cable->name : w->guard->model->body[w->pair->proxy].name;
}

/* How far a point goes towards the surface on its way to q [m]. */
static double approach(const watch *w, int e, double part, const double x[AXES],
                       const double normal[AXES], const double *q)
{
    const haw_guard_step *step = w->step;
    double now[AXES], carried[AXES], way = 0;
    place_at(w, e, part, q, now);
    w->guard->model->kind->carry(step->before + w->body->first_q, q + w->body->first_q, x, carried);
    for (int i = 0; i < AXES; i++) {
        way -= normal[i] * (now[i] - carried[i]);
    }
    return way;
}

static haw_status guard_speed(const watch *w, int e, double part)
{
    const haw_guard_step *step = w->step;
    double x[AXES], normal[AXES];
    place_at(w, e, part, step->before, x);
    const double gap = gap_at(w, step->before, x, normal);
    const double way = fmax(approach(w, e, part, x, normal, w->guard->coast),
                            approach(w, e, part, x, normal, step->after));
    if (!(way > w->speed_limit && way > gap)) {
        return HAW_OK;
    }
    return haw_fail(
        w->guard->context, HAW_ERR_GUARD,
        "t = %g s: '%s' comes towards '%s' by %g m in one step of %g s, more than %g of "
        "the smallest radius %g m (speed_limit): use a step of at most %.2g s",
        step->t, name_of(w), w->body->name, way, step->h, w->pair->speed_limit, w->smallest,
        step->h * w->speed_limit / way);
}

/* @param limit  of this point [m] @param gap  at the end of the step */
static haw_status guard_depth(const watch *w, double gap, double limit, const char *where)
{
    if (!(-gap > limit)) {
        return HAW_OK;
    }
    return haw_fail(w->guard->context, HAW_ERR_GUARD,
                    "t = %g s: '%s' is %g m inside '%s'%s, deeper than the limit of %g m "
                    "(depth_limit): use %s",
                    w->step->t + w->step->h, name_of(w), -gap, w->body->name, where, limit,
                    w->pair->law->set_valued ? "a finer grid or a smaller step"
                                             : "a stiffer contact, a finer grid or a smaller step");
}

static double distance(const double a[AXES], const double b[AXES])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* False only if no point of an element can be near the surface in this step. */
static bool is_near(const watch *w, int e)
{
    const double *at[3] = {w->step->after, w->step->before, w->guard->coast};
    const int count = w->step->u_before != NULL ? 3 : 1;
    double middle[3][AXES], nearest = HUGE_VAL, reach = 0, way = 0, normal[AXES];
    for (int i = 0; i < count; i++) {
        double end[2][AXES];
        place_at(w, e, 0.5, at[i], middle[i]);
        place_at(w, e, 0, at[i], end[0]);
        place_at(w, e, 1, at[i], end[1]);
        nearest = fmin(nearest, gap_at(w, at[i], middle[i], normal));
        reach = fmax(reach, 2 * fmax(distance(middle[i], end[0]), distance(middle[i], end[1])));
        way = fmax(way, distance(middle[i], middle[0]));
    }
    for (int i = 1; i < count; i++) {
        double carried[AXES];
        w->guard->model->kind->carry(w->step->before + w->body->first_q,
                                     at[i == 2 ? 2 : 0] + w->body->first_q, middle[1], carried);
        way = fmax(way, distance(carried, middle[1]));
    }
    return nearest <= reach + 2 * way;
}

/* Points of the grid at even places, those between them at odd ones. */
static haw_status check_element(const watch *w, int e)
{
    const int n = w->pair->points_per_element > 0 ? w->pair->points_per_element : 4;
    double x[AXES], normal[AXES];
    if (!is_near(w, e)) {
        return HAW_OK;
    }
    for (int k = 0; k <= 2 * n; k++) {
        const double part = 0.5 * k / n;
        HAW_TRY(w->step->u_before != NULL ? guard_speed(w, e, part) : HAW_OK);
        place_at(w, e, part, w->step->after, x);
        const double gap = gap_at(w, w->step->after, x, normal);
        HAW_TRY(k % 2 == 0 ? guard_depth(w, gap, w->depth_limit, "")
                           : guard_depth(w, gap, w->between_limit, " between two contact points"));
    }
    return HAW_OK;
}

static haw_status check_cable(const watch *w)
{
    for (int e = 0; e < w->cable->line.elements; e++) {
        HAW_TRY(check_element(w, e));
    }
    return HAW_OK;
}

static haw_status check_ball(const watch *w)
{
    double x[AXES], normal[AXES];
    HAW_TRY(w->step->u_before != NULL ? guard_speed(w, 0, 0) : HAW_OK);
    place_at(w, 0, 0, w->step->after, x);
    return guard_depth(w, gap_at(w, w->step->after, x, normal), w->depth_limit, "");
}

bool haw_guard_is_slow(const haw_guard *guard, const haw_guard_step *step, const double *u_after)
{
    const haw_model *model = guard->model;
    double least = HUGE_VAL, fastest = 0;
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        if (pair->law->set_valued) {
            return false; /* their depths have narrow limits */
        }
        least = fmin(least, watch_init(guard, step, pair).speed_limit);
    }
    for (int i = 0; i < model->dofs; i++) {
        fastest = fmax(fastest, fmax(fabs(step->u_before[i]), fabs(u_after[i])));
    }
    return step->h * fastest < 0.125 * least;
}

haw_status haw_guard_check(haw_guard *guard, const haw_guard_step *step)
{
    const haw_model *model = guard->model;
    if (step->u_before != NULL) {
        for (int i = 0; i < model->dofs; i++) {
            guard->increment[i] = step->h * step->u_before[i];
        }
        haw_model_move(model, step->before, guard->increment, guard->coast);
    }
    for (int i = 0; i < model->pairs; i++) {
        const watch w = watch_init(guard, step, &model->pair[i]);
        if (isinf(w.smallest)) {
            continue;
        }
        HAW_TRY(w.cable != NULL ? check_cable(&w) : check_ball(&w));
    }
    return HAW_OK;
}
