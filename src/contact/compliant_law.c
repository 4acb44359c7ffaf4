/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces of one closed point: the rows of the law tables, or the published frozen data. */
#include "contact/compliant_kernel.h"

static void return_map(const haw_compliant *c, const haw_compliant_pair *pair, haw_touch *touch)
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
static void frozen(const haw_compliant *c, const haw_compliant_pair *pair, haw_touch *touch)
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
static HAW_INLINE void add_force(const haw_touch *touch, int ends, haw_knot *a)
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
static void add_point_force(const haw_touch *touch, haw_knot *a)
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

void haw_touches_push(const haw_compliant *compliant, const haw_compliant_pair *pair, int count,
                      haw_touch *touch, haw_knot *knots)
{
    const bool is_frozen = pair->switched && compliant->h > 0;
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
