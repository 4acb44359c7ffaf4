/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forces of a closed point: by the rows of the law tables with their return map, or with the frozen
 * data of the published switch (switching.c).
 *
 * Bristles of a grid on a line move with a new contact until the step ends. Those of a comb, which
 * rides through the elements of a rope (ops->anchors), stand where the point came in.
 */
#include "contact/press.h"

/* More than any friction: a bristle that is held in stick. */
static const double NO_LIMIT = 1e100;

const haw_arrival *haw_press_arrival(haw_compliant *compliant, const haw_compliant_pair *pair,
                                     const haw_press *touch)
{
    haw_point_step *point = haw_history_point(&compliant->histories, touch->id);
    haw_arrival *arrival = &compliant->histories.arrival[touch->id];
    if (!point->has_arrived) {
        *arrival = pair->ops->arrive(compliant, pair, touch);
        point->has_arrived = true;
    }
    return arrival;
}

double haw_press_normal(haw_compliant *compliant, const haw_compliant_pair *pair, haw_press *touch)
{
    haw_compliant *c = compliant;
    touch->impact = 0;
    if (pair->normal->uses_impact) {
        touch->impact = touch->is_new ? haw_press_arrival(c, pair, touch)->impact
                                      : haw_history_start(&c->histories, touch->id)[0];
    }
    haw_normal_extend(pair->normal, &pair->pressing, touch->gap, touch->rate[0], touch->impact,
                      &touch->n);
    if (touch->share != 1) {
        touch->n.force *= touch->share;
        touch->n.d_gap *= touch->share;
        touch->n.d_rate *= touch->share;
    }
    return touch->n.force;
}

/* In statics a mean deflection of lugre's bristles is that of a single one of the comb, which slips
 * at the limit at rest. */
static const haw_friction_ops *law_of(const haw_compliant *c, const haw_compliant_pair *pair)
{
    const haw_friction_ops *law = pair->tangential;
    const bool is_mean = c->phase == HAW_STATICS && pair->ops->anchors && law != NULL &&
                         !law->uses_slide && pair->rubbing[0].stiffness > 0;
    return is_mean ? &haw_friction_bristle : law;
}

/*
 * Deflection of a new bristle. It stands where the point was at the entry, the moment tau of the
 * step at which the inset vanishes, linear in time:
 *
 *     s_0 + tau (s - s_0),   tau = -i_0 / (i - i_0),
 *
 * so that its deflection is (1 - tau) (s - s_0). A point that was inside already, or one of
 * statics, has no entry: tau = 0, as the comb is laid on the rope where it lies.
 * @param slope  out: of the deflection to slide and to inset
 */
static double deflect_new(haw_compliant *c, const haw_compliant_pair *pair, const haw_press *touch,
                          double slope[2])
{
    slope[0] = slope[1] = 0;
    if (!pair->ops->anchors) {
        return 0;
    }
    const haw_arrival *start = haw_press_arrival(c, pair, touch);
    const double way = haw_slide_wrap(touch->slide - start->slide, pair->period);
    if (c->phase == HAW_STATICS || start->inset >= 0) {
        slope[0] = 1;
        return way;
    }
    if (touch->inset <= 0) { /* held closed outside: it has not come in yet */
        return 0;
    }
    const double depth = touch->inset - start->inset, tau = -start->inset / depth;
    slope[0] = 1 - tau;
    slope[1] = way * tau / depth;
    return (1 - tau) * way;
}

/* What the law asks for: the deflection of the bristle, or what lugre remembers of it. */
static void recall_bristle(haw_compliant *c, const haw_compliant_pair *pair,
                           const haw_friction_ops *law, const haw_press *touch,
                           haw_friction_state *state, double slope[2])
{
    const double kept = haw_history_start(&c->histories, touch->id)[2];
    slope[0] = touch->is_new ? 0 : 1;
    slope[1] = 0;
    if (!law->uses_slide) {
        state->memory = touch->is_new ? 0 : kept;
    } else if (touch->is_new) {
        state->slide = deflect_new(c, pair, touch, slope);
    } else if (pair->tangential->uses_slide) {
        state->slide = haw_slide_wrap(touch->slide - kept, pair->period);
    } else {
        const double start = haw_press_arrival(c, pair, touch)->slide;
        state->slide = kept + haw_slide_wrap(touch->slide - start, pair->period);
    }
}

static haw_friction_parameters share_of(const haw_friction_parameters *full, double share)
{
    haw_friction_parameters part = *full;
    part.stiffness *= share;
    part.damping *= share;
    part.viscous *= share;
    return part;
}

/* Slip with the sign at which it is held, whatever the deflection. */
static void hold_slip(const haw_friction_parameters *p, const haw_friction_state *state, int sign,
                      haw_friction_force *f)
{
    double slope;
    const double mu = haw_friction_coefficient(p, state->rate, &slope), limit = mu * state->normal;
    const double most = p->stiffness > 0 ? limit / p->stiffness : 0;
    *f = (haw_friction_force){.force = sign * limit + p->viscous * state->rate,
                              .d_rate = sign * slope * state->normal + p->viscous,
                              .d_normal = sign * mu,
                              .regime = sign > 0 ? HAW_REGIME_FORWARD : HAW_REGIME_BACKWARD,
                              .deflection = fmax(-most, fmin(state->slide, most))};
}

/* Stick or slip as the return map finds it, but for a bristle of a comb that has changed too often
 * in this step: that keeps its regime, without a limit or at it. */
static void keep_regime(haw_compliant *c, const haw_friction_ops *law,
                        const haw_friction_parameters *p, const haw_friction_state *state,
                        haw_press *touch)
{
    const haw_regime kept = haw_history_slip(&c->histories, touch->id, touch->f.regime);
    if (kept == touch->f.regime) {
        return;
    }
    if (kept == HAW_REGIME_STICK) {
        haw_friction_parameters free = *p;
        free.mu_static = free.mu_kinetic = NO_LIMIT;
        law->force(&free, state, &touch->f);
    } else {
        hold_slip(p, state, (int)kept, &touch->f);
    }
}

const haw_friction_parameters *haw_press_share(const haw_compliant *compliant,
                                               const haw_compliant_pair *pair,
                                               const haw_press *touch,
                                               haw_friction_parameters *part)
{
    const haw_friction_parameters *p = haw_press_friction(compliant, pair, touch->id);
    if (touch->share == 1) {
        return p;
    }
    *part = share_of(p, touch->share);
    return part;
}

static void push_tangential(haw_compliant *c, const haw_compliant_pair *pair,
                            haw_friction_state *state, haw_press *touch)
{
    const haw_friction_ops *law = law_of(c, pair);
    touch->f_inset = 0;
    if (law == NULL) {
        touch->f = (haw_friction_force){.regime = HAW_REGIME_STICK};
        return;
    }
    haw_friction_parameters part;
    const haw_friction_parameters *p = haw_press_share(c, pair, touch, &part);
    double slope[2];
    recall_bristle(c, pair, law, touch, state, slope);
    law->force(p, state, &touch->f);
    if (pair->ops->anchors && law->uses_slide && !law->is_unbounded) {
        keep_regime(c, law, p, state, touch);
    }
    if (touch->is_new) {
        touch->f_inset = touch->f.d_slide * slope[1];
        touch->f.d_slide *= slope[0];
    }
}

/*
 * Newton's forces with the data of the last switch: nothing is clipped, a sticking bristle has no
 * limit, a slipping one is at mu |f_N| whatever its velocity.
 */
static void push_frozen(const haw_compliant *c, const haw_compliant_pair *pair, haw_press *touch)
{
    const double *trial = haw_history_trial(&c->histories, touch->id);
    const haw_normal_parameters *n = &pair->pressing;
    const haw_friction_parameters *t = &pair->rubbing[0];
    haw_friction_force *f = &touch->f;
    touch->n.d_gap = -n->stiffness * touch->share;
    touch->n.d_rate = -n->damping * touch->share;
    touch->n.force = touch->n.d_gap * touch->gap + touch->n.d_rate * touch->rate[0];
    *f = (haw_friction_force){.regime = (haw_regime)(int)trial[1]};
    if (f->regime == HAW_REGIME_FORWARD || f->regime == HAW_REGIME_BACKWARD) {
        f->d_normal = t->mu_static * (int)f->regime * (touch->n.force < 0 ? -1 : 1);
        f->force = f->d_normal * touch->n.force;
        return;
    }
    f->d_rate = t->damping * touch->share;
    f->force = f->d_rate * touch->rate[1];
    if (f->regime == HAW_REGIME_STICK) {
        f->d_slide = t->stiffness * touch->share;
        f->deflection = haw_slide_wrap(touch->slide - trial[2], pair->period);
        f->force += f->d_slide * f->deflection;
    }
}

void haw_press_push(haw_compliant *compliant, const haw_compliant_pair *pair, haw_press *touch)
{
    if (haw_press_is_frozen(compliant, pair)) {
        push_frozen(compliant, pair, touch);
        return;
    }
    /* by value: loads of a touch's parts in pairs would wait for what was just stored */
    const double rate = touch->rate[1], normal = haw_press_normal(compliant, pair, touch);
    haw_friction_state state = {.normal = normal, .rate = rate, .h = compliant->h};
    push_tangential(compliant, pair, &state, touch);
}

haw_status haw_press_list(haw_compliant *compliant)
{
    haw_compliant *c = compliant;
    HAW_TRY(c->touched != NULL ? HAW_OK : haw_contacts_create(c->context, c->model, &c->touched));
    c->touched->is_compliant = true;
    return HAW_OK;
}

/* ---- what is kept and listed of a point with one slide ---- */

/* The bristle is relaxed where it would be without its deflection after the return map. */
void haw_press_keep(const haw_compliant *compliant, const haw_compliant_pair *pair,
                    const haw_press *touch, bool is_relaxed, double *history)
{
    const bool slides = pair->tangential != NULL && pair->tangential->uses_slide;
    const double deflection = is_relaxed ? 0 : touch->f.deflection;
    (void)compliant;
    history[2] = slides ? touch->slide - deflection : deflection;
}

/* Its forces are known, so that its owner needs no rows. */
void haw_press_describe(const haw_compliant_pair *pair, const haw_press *touch, haw_touch *item,
                        double *rate, double *force)
{
    haw_touch_set_plane(item, touch->normal);
    haw_side_set(&item->side[0], -1, -1, 0, 0);
    haw_side_set(&item->side[1], -1, pair->pair->body, pair->body->first, 3);
    rate[0] = touch->rate[0];
    rate[1] = touch->rate[1];
    force[0] = touch->n.force;
    force[1] = -touch->f.force;
}
