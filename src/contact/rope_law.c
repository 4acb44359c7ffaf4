/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces of a closed knot: the rows of the law tables with its share, and where its bristle stands.
 */
#include "contact/rope_internal.h"

#include <math.h>

/* More than any friction: a bristle that is held in stick. */
static const double NO_LIMIT = 1e100;

/* The representative of a slide next to zero. */
static double wrap(double slide, double period)
{
    return fabs(slide) <= 0.5 * period ? slide : remainder(slide, period);
}

/* Where the knot was at the start of the step: looked up when it turns out to be a new one. */
static const haw_knot_memo *recall_start(haw_rope_contact *c, const haw_rope_pair *pair, int id)
{
    haw_knot_memo *memo = &c->memo[id];
    if (!memo->has_start) {
        c->start.id = id;
        c->start.label = (id - pair->pair->first_point) * pair->pair->spacing;
        pair->kernel->place(&pair->side, c->q, c->u, 1, &c->start);
        memo->has_start = true;
        memo->inset = c->start.inset;
        memo->slide = c->start.slide;
        memo->impact = c->start.rate[0] < 0 ? -c->start.rate[0] : 0;
    }
    return memo;
}

bool haw_knot_waits(haw_rope_contact *contact, const haw_rope_pair *pair,
                    const haw_rope_touch *touch)
{
    const double *history = contact->history + (ptrdiff_t)touch->id * HAW_HISTORY;
    return touch->inset < 0 && contact->h > 0 && history[1] == (double)HAW_REGIME_NONE &&
           recall_start(contact, pair, touch->id)->inset < 0;
}

/*
 * Deflection of a new bristle. It stands where the knot was at the entry, the moment tau of the
 * step at which the inset vanishes, linear in time:
 *
 *     s_0 + tau (s - s_0),   tau = -i_0 / (i - i_0),
 *
 * so that its deflection is (1 - tau) (s - s_0). A knot that was inside already, or one of statics,
 * has no entry: tau = 0, as the comb is laid on the rope where it lies.
 * @param slope  out: of the deflection to slide and to inset
 */
static double deflect_new(const haw_rope_contact *c, const haw_rope_pair *pair,
                          const haw_knot_memo *start, const haw_rope_touch *touch, double slope[2])
{
    const double way = wrap(touch->slide - start->slide, pair->period);
    slope[0] = 1;
    slope[1] = 0;
    if (c->h == 0 || start->inset >= 0) {
        return way;
    }
    if (touch->inset <= 0) { /* held closed outside: it has not come in yet */
        slope[0] = 0;
        return 0;
    }
    const double depth = touch->inset - start->inset, tau = -start->inset / depth;
    slope[0] = 1 - tau;
    slope[1] = way * tau / depth;
    return (1 - tau) * way;
}

static double push_normal(const haw_rope_pair *pair, haw_rope_touch *touch)
{
    const haw_compliance *law = &pair->pair->compliance;
    haw_normal_force *f = &touch->n;
    haw_normal_extend(law->normal, &law->n, touch->gap, touch->rate[0], touch->impact, f);
    if (touch->share != 1) {
        f->force *= touch->share;
        f->d_gap *= touch->share;
        f->d_rate *= touch->share;
    }
    return f->force;
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

/*
 * Stick or slip as the return map finds it, but for a bristle that has changed too often in this
 * step: that keeps its regime, without a limit or at it.
 */
static void settle(haw_rope_contact *c, const haw_friction_ops *law,
                   const haw_friction_parameters *p, const haw_friction_state *state,
                   haw_rope_touch *touch)
{
    haw_knot_memo *memo = &c->memo[touch->id];
    if (memo->slips == (int)touch->f.regime || c->h == 0) {
        return;
    }
    if (memo->slips == HAW_REGIME_NONE || memo->slip_flips < HAW_SLIP_FLIPS_MAX) {
        if (memo->slips != HAW_REGIME_NONE) {
            memo->slip_flips++;
        }
        memo->slips = (signed char)touch->f.regime;
        return;
    }
    c->held++;
    if (memo->slips == HAW_REGIME_STICK) {
        haw_friction_parameters free = *p;
        free.mu_static = free.mu_kinetic = NO_LIMIT;
        law->force(&free, state, &touch->f);
    } else {
        hold_slip(p, state, memo->slips, &touch->f);
    }
}

static haw_friction_parameters share_of(const haw_friction_parameters *whole, double share)
{
    haw_friction_parameters part = *whole;
    part.stiffness *= share;
    part.damping *= share;
    part.viscous *= share;
    return part;
}

/* In statics a mean deflection of lugre's bristles is that of a single one, which slips at the
 * limit at rest. */
static const haw_friction_ops *law_of(const haw_rope_contact *c, const haw_rope_pair *pair)
{
    const haw_friction_ops *law = pair->pair->compliance.tangential;
    const bool is_mean = law != NULL && !law->uses_slide && pair->t[0].stiffness > 0;
    return c->h == 0 && is_mean ? &haw_friction_bristle : law;
}

/* What the law asks for: the deflection of the knot's bristle, or what lugre remembers of it. */
static void recall_bristle(haw_rope_contact *c, const haw_rope_pair *pair, bool is_new,
                           const haw_rope_touch *touch, haw_friction_state *state, double slope[2])
{
    const double kept = c->history[(ptrdiff_t)touch->id * HAW_HISTORY + 2];
    slope[0] = 1;
    slope[1] = 0;
    if (!law_of(c, pair)->uses_slide) {
        state->memory = is_new ? 0 : kept;
    } else if (is_new) {
        const haw_knot_memo *start = recall_start(c, pair, touch->id);
        state->slide = deflect_new(c, pair, start, touch, slope);
    } else if (pair->pair->compliance.tangential->uses_slide) {
        state->slide = wrap(touch->slide - kept, pair->period);
    } else {
        const double start = recall_start(c, pair, touch->id)->slide;
        state->slide = kept + wrap(touch->slide - start, pair->period);
    }
}

static void push_tangential(haw_rope_contact *c, const haw_rope_pair *pair, bool is_new,
                            haw_friction_state *state, haw_rope_touch *touch)
{
    const haw_friction_ops *law = law_of(c, pair);
    touch->f_inset = 0;
    if (law == NULL) {
        touch->f = (haw_friction_force){.regime = HAW_REGIME_STICK};
        return;
    }
    const haw_friction_parameters *p = haw_knot_friction(c, pair, touch->id);
    haw_friction_parameters part;
    if (touch->share != 1) {
        part = share_of(p, touch->share);
        p = &part;
    }
    double slope[2];
    recall_bristle(c, pair, is_new, touch, state, slope);
    law->force(p, state, &touch->f);
    if (law->uses_slide && !law->is_unbounded) {
        settle(c, law, p, state, touch);
    }
    if (is_new) {
        touch->f_inset = touch->f.d_slide * slope[1];
        touch->f.d_slide *= slope[0];
    }
}

void haw_knot_push(haw_rope_contact *contact, const haw_rope_pair *pair, haw_rope_touch *touch)
{
    const double *history = contact->history + (ptrdiff_t)touch->id * HAW_HISTORY;
    const bool is_new = history[1] == (double)HAW_REGIME_NONE;
    touch->impact = 0;
    if (pair->pair->compliance.normal->uses_impact) {
        touch->impact = is_new ? recall_start(contact, pair, touch->id)->impact : history[0];
    }
    /* by value: a compiler that loads the parts of a touch in pairs waits for what was just stored
     */
    const double rate = touch->rate[1], normal = push_normal(pair, touch);
    haw_friction_state state = {.normal = normal, .rate = rate, .h = contact->h};
    push_tangential(contact, pair, is_new, &state, touch);
}
