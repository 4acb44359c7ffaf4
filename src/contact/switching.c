/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forces of closed points: by the rows of the law tables with their return map, or by the published
 * post-Newton step (K. Ntarladima et al. 2023, Fig. 5), which freezes the state of every point and
 * finds gap, regime and bristle anew from the state that Newton found, always relative to the start
 * of the step. Known weakness, kept: the sign of a slip is that of the bristle's deflection, not of
 * its whole force.
 */
#include "contact/chord.h"

static void return_map(const haw_compliant *c, const haw_compliant_pair *pair, haw_press *touch)
{
    const double *history = c->history + (ptrdiff_t)touch->id * HAW_HISTORY;
    haw_normal_extend(pair->normal, &pair->normal_of[touch->share], touch->gap, touch->rate[0],
                      touch->impact, &touch->n);
    touch->f = (haw_friction_force){.regime = HAW_REGIME_STICK};
    if (pair->tangential == NULL) {
        return;
    }
    const haw_friction_state state = {
        .normal = touch->n.force,
        .rate = touch->rate[1],
        .slide = touch->is_new ? 0 : slide_wrap(touch->slide - history[2], pair->period),
        .memory = touch->is_new ? 0 : history[2],
        .h = c->h};
    pair->tangential->force(&pair->tangential_of[touch->share], &state, &touch->f);
    if (touch->is_new) { /* the bristle of a new contact moves with it */
        touch->f.d_slide = 0;
    }
}

/*
 * Newton's forces with the data of the last switch: nothing is clipped, a sticking bristle has no
 * limit, a slipping one is at mu |f_N| whatever its velocity.
 */
static void frozen(const haw_compliant *c, const haw_compliant_pair *pair, haw_press *touch)
{
    const double *trial = c->trial + (ptrdiff_t)touch->id * HAW_HISTORY;
    const haw_normal_parameters *n = &pair->normal_of[touch->share];
    const haw_friction_parameters *t = &pair->tangential_of[touch->share];
    haw_friction_force *f = &touch->f;
    touch->n.force = -n->stiffness * touch->gap - n->damping * touch->rate[0];
    touch->n.d_gap = -n->stiffness;
    touch->n.d_rate = -n->damping;
    *f = (haw_friction_force){.regime = (haw_regime)(int)trial[1]};
    if (f->regime == HAW_REGIME_FORWARD || f->regime == HAW_REGIME_BACKWARD) {
        f->d_normal = t->mu_static * (int)f->regime * (touch->n.force < 0 ? -1 : 1);
        f->force = f->d_normal * touch->n.force;
        return;
    }
    f->d_rate = t->damping;
    f->force = t->damping * touch->rate[1];
    if (f->regime == HAW_REGIME_STICK) {
        f->d_slide = t->stiffness;
        f->deflection = slide_wrap(touch->slide - trial[2], pair->period);
        f->force += t->stiffness * f->deflection;
    }
}

/* The force of a point on the knots of its chord, or on its own. */
static HAW_INLINE void add_force(const haw_press *touch, int ends, haw_knot *a)
{
    const double *n = touch->normal;
    for (int i = 0; i < ends; i++) {
        const double weight = i == 0 ? 1 - touch->rho : touch->rho;
        const double normal = weight * touch->n.force, tangential = -weight * touch->f.force;
        a[i].force[0][0] += normal * n[0];
        a[i].force[0][1] += normal * n[1];
        a[i].force[1][0] += tangential * n[1];
        a[i].force[1][1] -= tangential * n[0];
    }
}

/* Normals at the ends of the chord instead of at its closest point. */
static void add_point_force(const haw_press *touch, haw_knot *a)
{
    for (int i = 0; i < 2; i++) {
        const double weight = i == 0 ? 1 - touch->rho : touch->rho;
        const double size = sqrt(a[i].p[0] * a[i].p[0] + a[i].p[1] * a[i].p[1]);
        const double n[2] = {a[i].p[0] / size, a[i].p[1] / size};
        const double normal = weight * touch->n.force, tangential = -weight * touch->f.force;
        a[i].force[0][0] += normal * n[0];
        a[i].force[0][1] += normal * n[1];
        a[i].force[1][0] += tangential * n[1];
        a[i].force[1][1] -= tangential * n[0];
    }
}

void haw_presses_push(const haw_compliant *compliant, const haw_compliant_pair *pair, int count,
                      haw_press *touch, haw_knot *knots)
{
    const bool is_frozen = pair->switched && compliant->phase == HAW_DYNAMICS;
    for (int i = 0; i < count; i++) {
        if (is_frozen) {
            frozen(compliant, pair, &touch[i]);
        } else {
            return_map(compliant, pair, &touch[i]);
        }
    }
    const bool is_chord = pair->kind == HAW_TOUCH_CHORD;
    const bool own_normals = is_chord && pair->pair->normals == HAW_NORMALS_POINT;
    for (int i = 0; i < count; i++) {
        if (own_normals) {
            add_point_force(&touch[i], &knots[touch[i].knot]);
        } else {
            add_force(&touch[i], is_chord ? 2 : 1, &knots[touch[i].knot]);
        }
    }
}

/* ---- the published switch ---- */

static double sign(double x)
{
    return x > 0 ? 1 : (x < 0 ? -1 : 0);
}

/* Stick or slip of a closed point; the error in force if it changes [N]. */
static double switch_friction(const haw_compliant *c, const haw_compliant_pair *pair,
                              const haw_press *touch, double *trial)
{
    const double *start = c->history + (ptrdiff_t)touch->id * HAW_HISTORY;
    const haw_normal_parameters *n = &pair->normal_of[touch->share];
    const haw_friction_parameters *t = &pair->tangential_of[touch->share];
    const double limit =
        t->mu_static * fabs(n->stiffness * touch->gap + n->damping * touch->rate[0]);
    const bool is_new = start[1] == (double)HAW_REGIME_NONE;
    const double relaxed = is_new ? touch->slide : start[2];
    const double deflection =
        t->stiffness == 0 ? touch->rate[1] : slide_wrap(touch->slide - relaxed, pair->period);
    const double linear = t->damping * touch->rate[1] + t->stiffness * deflection;
    const double excess = fabs(linear) - limit;
    double regime = HAW_REGIME_STICK;
    trial[2] = relaxed;
    if (excess > 0) {
        regime = sign(deflection);
        trial[2] = touch->slide - (t->stiffness == 0 ? 0 : regime * limit / t->stiffness);
    }
    const double error = regime == trial[1] ? 0 : fabs(excess);
    trial[1] = regime;
    return error;
}

static double switch_point(const haw_compliant *c, const haw_compliant_pair *pair,
                           const haw_press *touch)
{
    double *trial = c->trial + (ptrdiff_t)touch->id * HAW_HISTORY;
    const haw_friction_parameters *t = &pair->tangential_of[touch->share];
    const bool is_open = touch->gap > 0;
    double error = 0;
    if (is_open != (trial[0] > 0)) {
        error = pair->normal_of[touch->share].stiffness * fabs(touch->gap - trial[0]);
    }
    trial[0] = touch->gap;
    if (is_open || (t->stiffness == 0 && t->damping == 0)) {
        trial[1] = HAW_REGIME_NONE;
        return error;
    }
    return error + switch_friction(c, pair, touch, trial);
}

/* Rates and slide as in an evaluation; a is the knot of the point. */
static double look(const haw_patch_view *view, const haw_knot *a, haw_bearing *base,
                   haw_press *touch)
{
    const haw_compliant_pair *pair = view->pair;
    touch->share = touch->id == pair->end[0] || touch->id == pair->end[1];
    if (touch->gap < *view->gap_min) {
        *view->gap_min = touch->gap;
    }
    if (touch->gap <= 0) {
        touch_rates(view, a, pair->kind == HAW_TOUCH_CHORD ? a + 1 : a, touch);
        if (pair->kind == HAW_TOUCH_SHAPE) {
            shape_slide(view, a->p, 0, touch);
        } else {
            circle_slide(view, a, base, touch);
        }
    }
    return switch_point(view->compliant, pair, touch);
}

static double switch_element(const haw_patch_view *view, int e, const double *z, const double *w)
{
    const haw_compliant_pair *pair = view->pair;
    haw_knot *knots = view->compliant->spare;
    const int ends = pair->kind == HAW_TOUCH_CHORD ? 1 : 0;
    haw_bearing base = {.is_set = false};
    double error = 0;
    int first, last;
    haw_compliant_range(pair, e, &first, &last);
    for (int j = first; j <= last + ends; j++) {
        knot_place(pair, j, z, view->pose, &knots[j]);
        knot_move(pair, j, w, view->rate, &knots[j]);
    }
    for (int j = first; j <= last; j++) {
        haw_press touch = {.id = pair->pair->first_point + e * pair->n + j};
        find_gap(view, pair->kind, &knots[j], &touch);
        error += look(view, &knots[j], &base, &touch);
    }
    return error;
}

/*
 * An element farther away than its own length has no point that is closed, and none that the next
 * step could close from a gap that matters: its stored gaps stay as they are.
 */
static double switch_cable(const haw_patch_view *view, const double *q, const double *u)
{
    const haw_compliant_pair *pair = view->pair;
    const haw_line *line = &pair->cable->line;
    double error = 0;
    for (int e = 0; e < line->elements; e++) {
        const int owner = pair->cable->first + line->ops->stride * e;
        const int id = pair->pair->first_point + e * pair->n;
        double local[2][2 * HAW_SHAPES];
        const double *z = element_vector(pair, q + owner, local[0]);
        int first, last;
        haw_compliant_range(pair, e, &first, &last);
        if (haw_compliant_any_closed(view->compliant, id + first, last - first + 1) ||
            (hull_near(view, e, line->le) && haw_compliant_near(view, z, line->le))) {
            error =
                fmax(error, switch_element(view, e, z, element_vector(pair, u + owner, local[1])));
        }
    }
    return error;
}

static double switch_proxy(const haw_patch_view *view, const double *q, const double *u)
{
    const haw_compliant_pair *pair = view->pair;
    const haw_body *disk = &view->compliant->model->body[pair->pair->proxy];
    const double *x = q + disk->first, *v = u + disk->first;
    const haw_knot knot = ball_knot(view, x, v);
    haw_press touch = {.id = pair->pair->first_point};
    shape_touch(view, knot.p, &touch);
    touch_rates(view, &knot, &knot, &touch);
    touch.rate[1] += pair->pair->proxy_radius * v[2];
    shape_slide(view, knot.p, x[2], &touch);
    *view->gap_min = touch.gap;
    return switch_point(view->compliant, pair, &touch);
}

double haw_compliant_switch(haw_compliant *compliant)
{
    const double *q = compliant->q, *u = compliant->u;
    double error = 0;
    haw_compliant_boxes(compliant, q);
    for (int i = 0; i < compliant->pairs && compliant->phase == HAW_DYNAMICS; i++) {
        const haw_compliant_pair *pair = &compliant->pair[i];
        if (pair->switched) {
            const haw_patch_view view = haw_patch_view_init(compliant, pair, q, u);
            error = fmax(error, pair->cable == NULL ? switch_proxy(&view, q, u)
                                                    : switch_cable(&view, q, u));
        }
    }
    return error;
}
