/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The published post-Newton step (K. Ntarladima et al. 2023, Fig. 5), which freezes the state of
 * every point and finds gap, regime and bristle anew from the state that Newton found, always
 * relative to the start of the step. Known weakness, kept: the sign of a slip is that of the
 * bristle's deflection, not of its whole force.
 */
#include "contact/chord.h"

static double sign(double x)
{
    return x > 0 ? 1 : (x < 0 ? -1 : 0);
}

/* Stick or slip of a closed point; the error in force if it changes [N]. */
static double switch_friction(const haw_compliant *c, const haw_compliant_pair *pair,
                              const haw_press *touch, double *trial)
{
    const haw_normal_parameters *n = &pair->pressing;
    const haw_friction_parameters *t = &pair->rubbing[0];
    const double stiffness = t->stiffness * touch->share, damping = t->damping * touch->share;
    const double pressed = n->stiffness * touch->gap + n->damping * touch->rate[0];
    const double limit = t->mu_static * fabs(touch->share * pressed);
    const double relaxed = haw_history_is_new(&c->histories, touch->id)
                               ? touch->slide
                               : haw_history_start(&c->histories, touch->id)[2];
    const double deflection =
        stiffness == 0 ? touch->rate[1] : haw_slide_wrap(touch->slide - relaxed, pair->period);
    const double linear = damping * touch->rate[1] + stiffness * deflection;
    const double excess = fabs(linear) - limit;
    double regime = HAW_REGIME_STICK;
    trial[2] = relaxed;
    if (excess > 0) {
        regime = sign(deflection);
        trial[2] = touch->slide - (stiffness == 0 ? 0 : regime * limit / stiffness);
    }
    const double error = regime == trial[1] ? 0 : fabs(excess);
    trial[1] = regime;
    return error;
}

static double switch_point(const haw_compliant *c, const haw_compliant_pair *pair,
                           const haw_press *touch)
{
    double *trial = haw_history_trial(&c->histories, touch->id);
    const haw_friction_parameters *t = &pair->rubbing[0];
    const bool is_open = touch->gap > 0;
    double error = 0;
    if (is_open != (trial[0] > 0)) {
        error = touch->share * pair->pressing.stiffness * fabs(touch->gap - trial[0]);
    }
    trial[0] = touch->gap;
    if (is_open || (t->stiffness == 0 && t->damping == 0)) {
        trial[1] = HAW_REGIME_NONE;
        return error;
    }
    return error + switch_friction(c, pair, touch, trial);
}

/* Rates and slide as in an evaluation; a is the knot of the point. */
static double evaluate_point(const haw_patch_view *view, const haw_knot *a, haw_bearing *base,
                             haw_press *touch)
{
    const haw_compliant_pair *pair = view->pair;
    press_start(view, touch);
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
        error += evaluate_point(view, &knots[j], &base, &touch);
    }
    return error;
}

/*
 * An element farther away than its own length has no point that is closed, and none that the next
 * step could close from a gap that matters: its stored gaps stay as they are.
 */
double haw_line_switch(haw_compliant *compliant, const haw_compliant_pair *pair)
{
    const double *q = compliant->q, *u = compliant->u;
    const haw_patch_view view = haw_patch_view_init(compliant, pair, q, u);
    const haw_line *line = &pair->cable->line;
    double error = 0;
    for (int e = 0; e < line->elements; e++) {
        const int owner = pair->cable->first + line->ops->stride * e;
        const int id = pair->pair->first_point + e * pair->n;
        double local[2][2 * HAW_SHAPES], way;
        const double *z = element_vector(pair, q + owner, local[0]);
        int first, last;
        haw_compliant_range(pair, e, &first, &last);
        if (haw_compliant_any_closed(compliant, id + first, last - first + 1) ||
            haw_line_near(&view, e, line->le, &way)) {
            error =
                fmax(error, switch_element(&view, e, z, element_vector(pair, u + owner, local[1])));
        }
    }
    return error;
}

double haw_ball_switch(haw_compliant *compliant, const haw_compliant_pair *pair)
{
    const haw_patch_view view = haw_patch_view_init(compliant, pair, compliant->q, compliant->u);
    const haw_body *disk = &compliant->model->body[pair->pair->proxy];
    const double *x = compliant->q + disk->first, *v = compliant->u + disk->first;
    const haw_knot knot = ball_knot(&view, x, v);
    haw_press touch = {.id = pair->pair->first_point, .share = 1};
    shape_touch(&view, knot.p, &touch);
    touch_rates(&view, &knot, &knot, &touch);
    touch.rate[1] += pair->pair->proxy_radius * v[2];
    shape_slide(&view, knot.p, x[2], &touch);
    *view.gap_min = touch.gap;
    return switch_point(compliant, pair, &touch);
}
