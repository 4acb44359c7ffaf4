/* SPDX-License-Identifier: BSD-3-Clause */
/* Contact forces at one state: broad phase, closed points, laws, generalized forces. */
#include "contact/chord.h"

#include <string.h>

haw_patch_view haw_patch_view_init(haw_compliant *compliant, const haw_compliant_pair *pair,
                                   const double *q, const double *u)
{
    const double *pose = q + pair->body->first;
    return (haw_patch_view){.compliant = compliant,
                            .pair = pair,
                            .pose = pose,
                            .rate = u + pair->body->first,
                            .angle = remainder(pose[2], 2 * acos(-1.0)),
                            .gap_min = &compliant->gap_min[pair->index]};
}

/*
 * Open or closed by the sign of the gap, but for a point that has changed too often in this step.
 */
static HAW_INLINE bool decide_closed(haw_compliant *c, int id, double gap)
{
    const bool closed = gap <= 0;
    if (c->phase == HAW_STATICS || c->seen[id] == closed) {
        return closed;
    }
    if (c->seen[id] >= 0) {
        if (c->flips[id] >= HAW_FLIPS_MAX) {
            c->held++;
            return c->seen[id] == 1;
        }
        c->flips[id]++;
    }
    c->seen[id] = (signed char)closed;
    return closed;
}

static HAW_INLINE bool is_frozen(const haw_patch_view *view)
{
    return view->pair->switched && view->compliant->phase == HAW_DYNAMICS;
}

static HAW_INLINE bool is_closed(const haw_patch_view *view, const haw_press *touch)
{
    haw_compliant *c = view->compliant;
    if (touch->gap < *view->gap_min) {
        *view->gap_min = touch->gap;
    }
    if (is_frozen(view)) {
        return c->trial[(ptrdiff_t)touch->id * HAW_HISTORY] <= 0;
    }
    return decide_closed(c, touch->id, touch->gap);
}

/* Speed of approach at the start of the step, kept for the rest of it. */
static double impact_speed(const haw_patch_view *view, int e, const haw_press *touch)
{
    haw_compliant *c = view->compliant;
    const haw_compliant_pair *pair = view->pair;
    if (!touch->is_new) {
        return c->history[(ptrdiff_t)touch->id * HAW_HISTORY];
    }
    if (isnan(c->impact[touch->id])) {
        const double *v = c->start_u + pair->body->first, *n = touch->normal;
        haw_knot knot[2] = {{.inverse = 0}};
        const int knots = pair->kind == HAW_TOUCH_CHORD ? 2 : 1;
        memcpy(knot, c->knot + c->knots + touch->knot, (size_t)knots * sizeof *knot);
        if (pair->cable == NULL) {
            const double *w = c->start_u + c->model->body[pair->pair->proxy].first;
            knot[0].v[0] = w[0] - v[0];
            knot[0].v[1] = w[1] - v[1];
        } else {
            const haw_line *line = &pair->cable->line;
            const double *z = c->start_u + pair->cable->first + (ptrdiff_t)line->ops->stride * e;
            double local[2 * HAW_SHAPES];
            z = element_vector(pair, z, local);
            knot_move(pair, touch->knot, z, v, &knot[0]);
            if (pair->kind == HAW_TOUCH_CHORD) {
                knot_move(pair, touch->knot + 1, z, v, &knot[1]);
            }
        }
        double rate = -v[2] * touch->arm_n;
        for (int i = 0; i < 2; i++) {
            const double last = touch->rho > 0 ? touch->rho * knot[1].v[i] : 0;
            rate += n[i] * ((1 - touch->rho) * knot[0].v[i] + last);
        }
        c->impact[touch->id] = rate < 0 ? -rate : 0;
    }
    return c->impact[touch->id];
}

/* Regime at the start of the step, and whose share of the pair's stiffness the point has. */
static HAW_INLINE void start_touch(const haw_patch_view *view, haw_press *touch)
{
    const haw_compliant_pair *pair = view->pair;
    const int id = touch->id;
    const double *history = view->compliant->history + (ptrdiff_t)id * HAW_HISTORY;
    touch->is_new = history[1] == (double)HAW_REGIME_NONE;
    touch->share = id == pair->end[0] || id == pair->end[1];
    touch->impact = 0;
}

/* Sum over knots of S_a f + S'_a c nu (tau . f), c = -y / |x'|: a force on the element. */
static HAW_INLINE void sum_knots(const haw_compliant_pair *pair, const haw_knot *knots,
                                 const int range[2], int kind, double sum[2 * HAW_SHAPES + 2])
{
    double force[2 * HAW_SHAPES] = {0}, total[2] = {0};
    for (int j = range[0]; j <= range[1]; j++) {
        const double *twice = pair->twice[j], *f = knots[j].force[kind];
        for (int a = 0; a < 2 * HAW_SHAPES; a += 2) {
            force[a] += twice[a] * f[0];
            force[a + 1] += twice[a + 1] * f[1];
        }
        total[0] += f[0];
        total[1] += f[1];
        if (pair->has_offset) {
            const double *t = knots[j].tangent, *slope = twice + 2 * HAW_SHAPES;
            const double moment = -pair->offset * knots[j].inverse * (t[0] * f[0] + t[1] * f[1]);
            const double m[2] = {-t[1] * moment, t[0] * moment};
            for (int a = 0; a < 2 * HAW_SHAPES; a += 2) {
                force[a] += slope[a] * m[0];
                force[a + 1] += slope[a + 1] * m[1];
            }
        }
    }
    memcpy(sum, force, sizeof force);
    memcpy(sum + 2 * HAW_SHAPES, total, sizeof total);
}

/* Forces of a patch on its owner and, the opposite ones, on the body. */
static void scatter(const haw_patch_view *view, const haw_patch *patch, int owner, int dofs,
                    double *const force[2])
{
    const haw_compliant *c = view->compliant;
    const haw_compliant_pair *pair = view->pair;
    const haw_press *touch = c->touch + patch->touch;
    const int last = touch[patch->count - 1].knot + (pair->kind == HAW_TOUCH_CHORD ? 1 : 0);
    const int range[2] = {touch[0].knot, last};
    double moment[2] = {0, 0};
    for (int i = 0; i < patch->count; i++) {
        moment[0] -= touch[i].n.force * touch[i].arm_n;
        moment[1] -= touch[i].f.force * touch[i].arm_t;
    }
    for (int k = 0; k < 2; k++) {
        double sum[2 * HAW_SHAPES + 2], *body = force[k] + pair->body->first;
        sum_knots(pair, c->knot + patch->knot, range, k, sum);
        for (int a = 0; a < dofs; a++) {
            force[k][owner + a] += sum[a];
        }
        body[0] -= sum[2 * HAW_SHAPES];
        body[1] -= sum[2 * HAW_SHAPES + 1];
        body[2] += moment[k];
    }
}

/* Points of the curve skip prescribed nodes, and the last free end has one of its own. */
void haw_compliant_range(const haw_compliant_pair *pair, int e, int *first, int *last)
{
    const haw_cable *cable = pair->cable;
    const bool end = e == cable->line.elements - 1 && !cable->line.closed && cable->end_dof[1] < 0;
    const bool is_chord = pair->kind == HAW_TOUCH_CHORD;
    *first = !is_chord && e == 0 && !cable->line.closed && cable->end_dof[0] >= 0 ? 1 : 0;
    *last = !is_chord && end ? pair->n : pair->n - 1;
}

/* Rates, slides and forces of the closed points of an element, stage by stage: the points of a
 * stage do not wait for each other. */
static HAW_INLINE void finish_element(const haw_patch_view *view, haw_touch_kind kind, int e,
                                      const double *w, int count)
{
    haw_compliant *c = view->compliant;
    const haw_compliant_pair *pair = view->pair;
    haw_knot *knots = c->knot + c->knots;
    haw_press *touch = c->touch + c->touches;
    haw_bearing *base = &c->base;
    const int ends = kind == HAW_TOUCH_CHORD ? 1 : 0;
    for (int j = touch[0].knot; j <= touch[count - 1].knot + ends; j++) {
        knot_move(pair, j, w, view->rate, &knots[j]);
    }
    for (int i = 0; i < count; i++) {
        const haw_knot *a = &knots[touch[i].knot];
        start_touch(view, &touch[i]);
        touch_rates(view, a, a + ends, &touch[i]);
    }
    const bool slides = pair->tangential != NULL && pair->tangential->uses_slide;
    for (int i = 0; i < count && slides; i++) {
        const haw_knot *a = &knots[touch[i].knot];
        if (kind == HAW_TOUCH_SHAPE) {
            shape_slide(view, a->p, 0, &touch[i]);
        } else {
            circle_slide(view, a, base, &touch[i]);
        }
    }
    for (int i = 0; i < count && pair->normal->uses_impact; i++) {
        touch[i].impact = impact_speed(view, e, &touch[i]);
    }
    haw_presses_push(c, pair, count, touch, knots);
}

/* The closed points of element e with coordinates z and velocities w; their number. */
static HAW_INLINE int close_element(const haw_patch_view *view, haw_touch_kind kind, int e,
                                    const double *z, const double *w)
{
    haw_compliant *c = view->compliant;
    const haw_compliant_pair *pair = view->pair;
    haw_knot *knots = c->knot + c->knots;
    haw_press *touch = c->touch + c->touches;
    const int ends = kind == HAW_TOUCH_CHORD ? 1 : 0, id = pair->pair->first_point + e * pair->n;
    int first, last, count = 0;
    haw_compliant_range(pair, e, &first, &last);
    for (int j = first; j <= last + ends; j++) {
        knot_place(pair, j, z, view->pose, &knots[j]);
    }
    for (int j = first; j <= last; j++) {
        haw_press *next = &touch[count];
        next->id = id + j;
        next->knot = j;
        find_gap(view, kind, &knots[j], next);
        count += is_closed(view, next) ? 1 : 0;
    }
    if (count > 0) {
        finish_element(view, kind, e, w, count);
    }
    return count;
}

static int close_kind(const haw_patch_view *view, int e, const double *z, const double *w)
{
    switch (view->pair->kind) {
    case HAW_TOUCH_CHORD:
        return close_element(view, HAW_TOUCH_CHORD, e, z, w);
    case HAW_TOUCH_CIRCLE:
        return close_element(view, HAW_TOUCH_CIRCLE, e, z, w);
    case HAW_TOUCH_SHAPE:
    case HAW_TOUCH_PROXY:
        break;
    }
    return close_element(view, HAW_TOUCH_SHAPE, e, z, w);
}

static void add_patch(const haw_patch_view *view, int e, int count)
{
    haw_compliant *c = view->compliant;
    c->patch[c->patches++] = (haw_patch){.pair = (int)(view->pair - c->pair),
                                         .element = e,
                                         .knot = c->knots,
                                         .touch = c->touches,
                                         .count = count};
    c->knots += view->pair->n + 1;
    c->touches += count;
}

bool haw_compliant_any_closed(const haw_compliant *compliant, int first, int count)
{
    const double *trial = compliant->trial + (ptrdiff_t)first * HAW_HISTORY;
    for (int j = 0; j < count; j++) {
        if (trial[(ptrdiff_t)j * HAW_HISTORY] <= 0) {
            return true;
        }
    }
    return false;
}

static bool is_candidate(const haw_patch_view *view, int e, const double *z)
{
    const haw_compliant_pair *pair = view->pair;
    if (is_frozen(view)) {
        int first, last;
        haw_compliant_range(pair, e, &first, &last);
        const int id = pair->pair->first_point + e * pair->n;
        return haw_compliant_any_closed(view->compliant, id + first, last - first + 1);
    }
    return hull_near(view, e, 0) && haw_compliant_near(view, z, 0);
}

/* haw_compliant_reserve, which is seldom needed. */
static inline haw_status reserve(haw_compliant *c, int points)
{
    const bool has_room = c->patches < c->patch_capacity && c->knots + points <= c->knot_capacity &&
                          c->touches + points <= c->touch_capacity;
    return has_room ? HAW_OK : haw_compliant_reserve(c, points, points);
}

static haw_status evaluate_cable(const haw_patch_view *view, const double *q, const double *u,
                                 double *const force[2])
{
    haw_compliant *c = view->compliant;
    const haw_compliant_pair *pair = view->pair;
    const haw_line *line = &pair->cable->line;
    for (int e = 0; e < line->elements; e++) {
        const int owner = pair->cable->first + line->ops->stride * e;
        double local[2][2 * HAW_SHAPES];
        const double *z = element_vector(pair, q + owner, local[0]);
        if (!is_candidate(view, e, z)) {
            continue;
        }
        HAW_TRY(reserve(c, pair->n + 1));
        const int count = close_kind(view, e, z, element_vector(pair, u + owner, local[1]));
        if (count > 0) {
            add_patch(view, e, count);
            scatter(view, &c->patch[c->patches - 1], owner, line->ops->dofs, force);
        }
    }
    return HAW_OK;
}

/* A disk: its lowest point is at -radius n, so gamma_T = t . v + radius omega.
 */
static haw_status evaluate_proxy(const haw_patch_view *view, const double *q, const double *u,
                                 double *const force[2])
{
    haw_compliant *c = view->compliant;
    const haw_compliant_pair *pair = view->pair;
    const haw_body *disk = &c->model->body[pair->pair->proxy];
    const double *x = q + disk->first, *v = u + disk->first;
    HAW_TRY(haw_compliant_reserve(c, 2, 1));
    haw_knot *knot = c->knot + c->knots;
    haw_press *touch = c->touch + c->touches;
    *knot = ball_knot(view, x, v);
    touch->id = pair->pair->first_point;
    touch->knot = 0;
    shape_touch(view, knot->p, touch);
    if (!is_closed(view, touch)) {
        return HAW_OK;
    }
    start_touch(view, touch);
    touch_rates(view, knot, knot, touch);
    touch->rate[1] += pair->pair->proxy_radius * v[2];
    shape_slide(view, knot->p, x[2], touch);
    if (pair->normal->uses_impact) {
        touch->impact = impact_speed(view, 0, touch);
    }
    haw_presses_push(c, pair, 1, touch, knot);
    add_patch(view, -1, 1);
    scatter(view, &c->patch[c->patches - 1], disk->first, 2, force);
    force[1][disk->first + 2] -= pair->pair->proxy_radius * touch->f.force;
    return HAW_OK;
}

haw_status haw_compliant_evaluate(haw_compliant *compliant, const double *q, const double *u,
                                  double *normal, double *tangential)
{
    const size_t bytes = (size_t)compliant->model->dofs * sizeof(double);
    double *const force[2] = {normal, tangential};
    memcpy(compliant->q, q, bytes);
    memcpy(compliant->u, u, bytes);
    compliant->patches = compliant->knots = compliant->touches = compliant->held = 0;
    if (compliant->searches ||
        compliant->phase == HAW_STATICS) { /* frozen data know what is closed */
        haw_compliant_boxes(compliant, q);
    }
    for (int i = 0; i < compliant->pairs; i++) {
        const haw_compliant_pair *pair = &compliant->pair[i];
        const haw_patch_view view = haw_patch_view_init(compliant, pair, q, u);
        *view.gap_min = HUGE_VAL;
        compliant->base.is_set = false;
        HAW_TRY(pair->cable == NULL ? evaluate_proxy(&view, q, u, force)
                                    : evaluate_cable(&view, q, u, force));
    }
    return haw_knots_evaluate(compliant->comb, q, u, normal, tangential);
}
