/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines and balls in the plane under compliant laws: points of the grid, or the chords between them
 * (K. Ntarladima, M. Pieber, J. Gerstmayr, Nonlinear Dynamics 2023). A chord is the straight line
 * between two neighbouring grid points (shifted by the pair's offset along the curve's normal); its
 * contact point is the one closest to the centre of the circle, its friction that of one point.
 *
 * An element with closed points is a patch: forces of all its points are summed at its grid points
 * (knots) before they go to degrees of freedom.
 */
#include "contact/chord.h"

#include <string.h>

/* ---- creation ---- */

static haw_status allocate_basis(haw_compliant *c, haw_compliant_pair *pair)
{
    const size_t knots = (size_t)pair->n + 1;
    pair->basis = haw_arena_allocate(&c->arena, knots, sizeof *pair->basis);
    pair->twice = haw_arena_allocate(&c->arena, knots, sizeof *pair->twice);
    pair->support = haw_arena_allocate(&c->arena, knots, sizeof *pair->support);
    return haw_arena_status(&c->arena);
}

/* Knots at the two nodes of an element of 8 coordinates depend on half of them. */
static void finish_basis(haw_compliant_pair *pair)
{
    for (int j = 0; j <= pair->n; j++) {
        bool uses[2] = {false, false};
        for (int a = 0; a < 2 * HAW_SHAPES; a++) {
            uses[a / 2 % 2] = uses[a / 2 % 2] || pair->basis[j][a] != 0;
        }
        pair->support[j] = uses[0] && uses[1] ? -1 : (uses[1] ? HAW_SHAPES : 0);
        for (int a = 0; a < 4 * HAW_SHAPES; a++) {
            pair->twice[j][a] = pair->basis[j][a / 2];
        }
    }
}

static haw_status set_basis(haw_compliant *c, haw_compliant_pair *pair)
{
    const haw_line *line = &pair->cable->line;
    if (line->ops->basis == NULL || line->ops->dofs > 2 * HAW_SHAPES) {
        return haw_fail(c->context, HAW_ERR_INPUT,
                        "cable '%s': element '%s' has no compliant contact, which needs positions "
                        "that are linear in its coordinates",
                        pair->cable->name, line->ops->row.name);
    }
    HAW_TRY(allocate_basis(c, pair));
    for (int j = 0; j <= pair->n; j++) {
        double *b = pair->basis[j];
        line->ops->basis(line, (double)j / pair->n, b, b + HAW_SHAPES);
        for (int a = line->ops->dofs / 2; a < HAW_SHAPES; a++) {
            b[a] = b[HAW_SHAPES + a] = 0;
        }
    }
    finish_basis(pair);
    return HAW_OK;
}

/* The surface; points at the two ends of a grid, which may have less than a full share. */
static void set_places(haw_compliant *c, haw_compliant_pair *pair)
{
    pair->radius = haw_body_radius(pair->body);
    pair->period = pair->body->surface.ops->period(&pair->body->surface);
    pair->end_share = 1;
    for (int i = 0; i < 2; i++) {
        const int point = i == 0 ? 0 : pair->pair->points - 1;
        const double share = pair->cable == NULL ? 1 : haw_pair_weight(c->model, pair->pair, point);
        pair->end[i] = -1;
        if (share < 1) {
            pair->end[i] = pair->pair->first_point + point;
            pair->end_share = share;
        }
    }
}

static haw_status create_line(haw_compliant *c, haw_compliant_pair *pair)
{
    const haw_pair *of = pair->pair;
    const bool is_circle = pair->body->surface.ops->is_circle;
    pair->kind = is_circle ? HAW_TOUCH_CIRCLE : HAW_TOUCH_SHAPE;
    if (of->kinematics == HAW_KINEMATICS_CHORD) {
        pair->kind = HAW_TOUCH_CHORD;
        if (!is_circle) {
            return haw_fail(c->context, HAW_ERR_INPUT,
                            "contact with '%s': chords touch circles only; use kinematics: curve",
                            pair->body->name);
        }
    }
    pair->n = of->points_per_element;
    pair->offset = of->offset;
    pair->has_offset = of->offset != 0;
    pair->chord = pair->cable->line.le / pair->n;
    set_places(c, pair);
    HAW_TRY(of->refine == HAW_REFINE_CONTACT ? haw_press_list(c) : HAW_OK);
    pair->last = -1; /* what was open and is open needs no entry */
    c->has_lines = true;
    pair->clear =
        haw_arena_allocate(&c->arena, (size_t)pair->cable->line.elements + 1, sizeof(double));
    return set_basis(c, pair);
}

/* A ball is one knot, its centre. */
static haw_status create_ball(haw_compliant *c, haw_compliant_pair *pair)
{
    pair->kind = HAW_TOUCH_PROXY;
    pair->n = 1;
    set_places(c, pair);
    pair->period *= 1 + pair->pair->proxy_radius * curvature_of(&pair->body->surface);
    HAW_TRY(allocate_basis(c, pair));
    pair->basis[0][0] = pair->basis[1][0] = 1;
    finish_basis(pair);
    return HAW_OK;
}

haw_status haw_chords_create(haw_compliant *compliant)
{
    haw_compliant *c = compliant;
    size_t knots = 2;
    for (int i = 0; i < c->pairs; i++) {
        const size_t n = (size_t)c->pair[i].n + 1;
        knots = n > knots ? n : knots;
    }
    c->block = haw_arena_allocate(&c->arena, knots, sizeof *c->block);
    c->rows = haw_arena_allocate(&c->arena, knots, sizeof *c->rows);
    c->spare = haw_arena_allocate(&c->arena, knots, sizeof *c->spare);
    return haw_arena_status(&c->arena);
}

/* ---- evaluation ---- */

haw_patch_view haw_patch_view_init(haw_compliant *compliant, const haw_compliant_pair *pair,
                                   const double *q, const double *u)
{
    const double *pose = q + pair->body->first;
    return (haw_patch_view){.compliant = compliant,
                            .pair = pair,
                            .q = q,
                            .pose = pose,
                            .rate = u + pair->body->first,
                            .angle = remainder(pose[2], 2 * acos(-1.0)),
                            .gap_min = &compliant->gap_min[pair->index]};
}

static HAW_INLINE bool is_closed(const haw_patch_view *view, const haw_press *touch)
{
    haw_compliant *c = view->compliant;
    if (touch->gap < *view->gap_min) {
        *view->gap_min = touch->gap;
    }
    if (haw_press_is_frozen(c, view->pair)) {
        return haw_history_trial(&c->histories, touch->id)[0] <= 0;
    }
    return haw_history_close(&c->histories, touch->id, touch->gap <= 0);
}

/* Speed of approach at the start of the step, as seen from where the touch is now. */
static double approach(const haw_press *touch, const double *v, const haw_knot *knot)
{
    double rate = -v[2] * touch->arm_n;
    for (int i = 0; i < 2; i++) {
        const double last = touch->rho > 0 ? touch->rho * knot[1].v[i] : 0;
        rate += touch->normal[i] * ((1 - touch->rho) * knot[0].v[i] + last);
    }
    return rate < 0 ? -rate : 0;
}

static haw_arrival arrive_line(haw_compliant *c, const haw_compliant_pair *pair,
                               const haw_press *touch)
{
    const haw_line *line = &pair->cable->line;
    const double *v = c->start_u + pair->body->first;
    const int e = (touch->id - pair->pair->first_point - touch->knot) / pair->n;
    const int knots = pair->kind == HAW_TOUCH_CHORD ? 2 : 1;
    double local[2 * HAW_SHAPES];
    const double *z = element_vector(
        pair, c->start_u + pair->cable->first + (ptrdiff_t)line->ops->stride * e, local);
    haw_knot knot[2] = {{.inverse = 0}};
    memcpy(knot, c->knot + c->knots + touch->knot, (size_t)knots * sizeof *knot);
    for (int k = 0; k < knots; k++) {
        knot_move(pair, touch->knot + k, z, v, &knot[k]);
    }
    return (haw_arrival){.impact = approach(touch, v, knot)};
}

static haw_arrival arrive_ball(haw_compliant *c, const haw_compliant_pair *pair,
                               const haw_press *touch)
{
    const double *v = c->start_u + pair->body->first;
    const double *w = c->start_u + c->model->body[pair->pair->proxy].first;
    const haw_knot knot[2] = {{.v = {w[0] - v[0], w[1] - v[1]}}};
    return (haw_arrival){.impact = approach(touch, v, knot)};
}

/* The force of a point on the knots of its chord, or on its own. @param own_normals  at the ends of
 * the chord, instead of that at its closest point */
static HAW_INLINE void add_force(const haw_press *touch, int ends, bool own_normals, haw_knot *a)
{
    for (int i = 0; i < ends; i++) {
        double n[2] = {touch->normal[0], touch->normal[1]};
        if (own_normals) {
            const double size = sqrt(a[i].p[0] * a[i].p[0] + a[i].p[1] * a[i].p[1]);
            n[0] = a[i].p[0] / size;
            n[1] = a[i].p[1] / size;
        }
        const double weight = i == 0 ? 1 - touch->rho : touch->rho;
        const double normal = weight * touch->n.force, tangential = -weight * touch->f.force;
        a[i].force[0][0] += normal * n[0];
        a[i].force[0][1] += normal * n[1];
        a[i].force[1][0] += tangential * n[1];
        a[i].force[1][1] -= tangential * n[0];
    }
}

static HAW_INLINE void share_forces(const haw_compliant_pair *pair, int count,
                                    const haw_press *touch, haw_knot *knots)
{
    const bool is_chord = pair->kind == HAW_TOUCH_CHORD;
    const bool own_normals = is_chord && pair->pair->normals == HAW_NORMALS_POINT;
    for (int i = 0; i < count; i++) {
        add_force(&touch[i], is_chord ? 2 : 1, own_normals, &knots[touch[i].knot]);
    }
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

/* Where the grid is refined by contact, those of [first, last] that may touch; the published switch
 * holds points closed wherever they are. */
static void narrow_range(const haw_patch_view *view, int e, int *first, int *last)
{
    haw_compliant *c = view->compliant;
    if (view->pair->pair->refine == HAW_REFINE_CONTACT && !haw_press_is_frozen(c, view->pair)) {
        haw_view at = haw_view_init(c->touched, view->pair->index, false, view->q);
        int from, to;
        at.margin = haw_press_margin(view->pair);
        at.looked = &c->looked;
        haw_view_span(&at, e, &from, &to);
        *first = from > *first ? from : *first;
        *last = to < *last ? to : *last;
    }
}

/* Points of the curve skip prescribed nodes, and the last free end has one of its own. */
void haw_compliant_range(const haw_compliant_pair *pair, int e, int *first, int *last)
{
    const haw_cable *cable = pair->cable;
    const bool is_open = !cable->line.closed;
    const bool end = e == cable->line.elements - 1 && is_open && !haw_cable_end_held(cable, 1);
    const bool is_chord = pair->kind == HAW_TOUCH_CHORD;
    *first = !is_chord && e == 0 && is_open && haw_cable_end_held(cable, 0) ? 1 : 0;
    *last = !is_chord && end ? pair->n : pair->n - 1;
}

/* Rates, slides and forces of the closed points of an element, stage by stage: the points of a
 * stage do not wait for each other. */
static HAW_INLINE void finish_element(const haw_patch_view *view, haw_touch_kind kind,
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
        press_start(view, &touch[i]);
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
    for (int i = 0; i < count; i++) {
        haw_press_push(c, pair, &touch[i]);
    }
    share_forces(pair, count, touch, knots);
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
    narrow_range(view, e, &first, &last);
    c->looked += last >= first ? last - first + 1 : 0;
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
        finish_element(view, kind, w, count);
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
    c->closed += count;
}

bool haw_compliant_any_closed(const haw_compliant *compliant, int first, int count)
{
    const double *trial = haw_history_trial(&compliant->histories, first);
    for (int j = 0; j < count; j++) {
        if (trial[(ptrdiff_t)j * HAW_HISTORY] <= 0) {
            return true;
        }
    }
    return false;
}

static bool is_candidate(const haw_patch_view *view, int e)
{
    const haw_compliant_pair *pair = view->pair;
    if (haw_press_is_frozen(view->compliant, pair)) {
        int first, last;
        haw_compliant_range(pair, e, &first, &last);
        const int id = pair->pair->first_point + e * pair->n;
        return haw_compliant_any_closed(view->compliant, id + first, last - first + 1);
    }
    double way;
    if (view->compliant->moved < pair->clear[e]) {
        return false;
    }
    const bool is_near = haw_line_near(view, e, 0, &way);
    pair->clear[e] = view->compliant->moved + way;
    return is_near;
}

/* haw_compliant_reserve, which is seldom needed. */
static inline haw_status reserve(haw_compliant *c, int points)
{
    const bool has_room = c->patches < c->patch_capacity && c->knots + points <= c->knot_capacity &&
                          c->touches + points <= c->touch_capacity;
    return has_room ? HAW_OK : haw_compliant_reserve(c, points, points, 0);
}

static haw_status evaluate_line(haw_compliant *c, haw_compliant_pair *pair, const double *q,
                                const double *u, double *const force[2])
{
    const haw_patch_view view = haw_patch_view_init(c, pair, q, u);
    const haw_line *line = &pair->cable->line;
    c->base.is_set = false;
    for (int e = 0; e < line->elements; e++) {
        const int owner = pair->cable->first + line->ops->stride * e;
        double local[2][2 * HAW_SHAPES];
        const double *z = element_vector(pair, q + owner, local[0]);
        if (!is_candidate(&view, e)) {
            continue;
        }
        HAW_TRY(reserve(c, pair->n + 1));
        const int count = close_kind(&view, e, z, element_vector(pair, u + owner, local[1]));
        if (count > 0) {
            add_patch(&view, e, count);
            scatter(&view, &c->patch[c->patches - 1], owner, line->ops->dofs, force);
        }
    }
    return HAW_OK;
}

/* A disk: its lowest point is at -radius n, so gamma_T = t . v + radius omega.
 */
static haw_status evaluate_ball(haw_compliant *c, haw_compliant_pair *pair, const double *q,
                                const double *u, double *const force[2])
{
    const haw_patch_view place = haw_patch_view_init(c, pair, q, u), *view = &place;
    const haw_body *disk = &c->model->body[pair->pair->proxy];
    const double *x = q + disk->first, *v = u + disk->first;
    HAW_TRY(haw_compliant_reserve(c, 2, 1, 0));
    haw_knot *knot = c->knot + c->knots;
    haw_press *touch = c->touch + c->touches;
    *knot = ball_knot(view, x, v);
    touch->id = pair->pair->first_point;
    touch->knot = 0;
    shape_touch(view, knot->p, touch);
    if (!is_closed(view, touch)) {
        return HAW_OK;
    }
    press_start(view, touch);
    touch_rates(view, knot, knot, touch);
    touch->rate[1] += pair->pair->proxy_radius * v[2];
    shape_slide(view, knot->p, x[2], touch);
    haw_press_push(c, pair, touch);
    share_forces(pair, 1, touch, knot);
    add_patch(view, -1, 1);
    scatter(view, &c->patch[c->patches - 1], disk->first, 2, force);
    force[1][disk->first + 2] -= pair->pair->proxy_radius * touch->f.force;
    return HAW_OK;
}

static void describe(const haw_compliant *c, const haw_patch *patch, int i, haw_touch *item,
                     double *rate, double *force)
{
    const haw_press *touch = &c->touch[patch->touch + i];
    const double *n = touch->normal;
    double(*row)[HAW_SIDE_DOFS] = item->side[1].row;
    haw_press_describe(&c->pair[patch->pair], touch, item, rate, force);
    row[0][0] = -n[0];
    row[0][1] = -n[1];
    row[0][2] = -touch->arm_n;
    row[1][0] = -n[1];
    row[1][1] = n[0];
    row[1][2] = touch->arm_t;
}

static const haw_press *get_point(const haw_compliant *c, const haw_patch *patch, int i)
{
    return &c->touch[patch->touch + i];
}

const haw_press_ops haw_press_line = {
    .create = create_line,
    .evaluate = evaluate_line,
    .arrive = arrive_line,
    .tangent = haw_line_tangent,
    .change = haw_line_switch,
    .point = get_point,
    .describe = describe,
    .keep = haw_press_keep,
};

const haw_press_ops haw_press_ball = {
    .create = create_ball,
    .evaluate = evaluate_ball,
    .arrive = arrive_ball,
    .tangent = haw_ball_tangent,
    .change = haw_ball_switch,
    .point = get_point,
    .describe = describe,
    .keep = haw_press_keep,
};
