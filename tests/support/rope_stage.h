/* SPDX-License-Identifier: BSD-3-Clause */
/* An ale rope over one sheave of radius 1 at the origin, pressed in by a given depth, at states
 * that the test chooses. */
#ifndef HAWSER_TESTS_ROPE_STAGE_H
#define HAWSER_TESTS_ROPE_STAGE_H

#include "contact/knot.h"
#include "support/compliant_stage.h"
#include "support/rope_rig.h"

enum { ROPE_STAGE_ELEMENTS = 8 };

/** Up on the left, over the sheave, down on the right; 30 knots on the arc. The sheave is free. */
static inline void rope_stage_init(compliant_stage *s, rope_case *c)
{
    stage_init(s);
    rope_case_init(c);
    c->body[0].motion = HAW_MOTION_FREE;
    c->body[0].mass = 2;
    c->cable.elements = ROPE_STAGE_ELEMENTS;
    c->cable.overflow = 0.2;
    c->cable.modes[0] = c->cable.modes[1] = 2;
    c->cable.from[0] = -1;
    c->cable.from[1] = c->cable.to[1] = -1;
    c->cable.to[0] = 1;
    c->cable.stiffness = 1e4;
    c->cable.bending_stiffness = 1e-2;
    c->cable.density = 1;
    c->contact.law = "penalty";
    c->contact.normal = "linear";
    c->contact.tangential = "bristle";
    c->contact.per = HAW_PER_LENGTH;
    c->contact.spacing = acos(-1.0) / 30;
    c->contact.points_per_element = 0;
    c->contact.friction = 0.5;
    c->contact.normal_stiffness = 1e4;
    c->contact.tangential_stiffness = 300;
    c->contact.tangential_damping = 0;
    c->scene.contacts = 1;
}

/** Move the nodes of the contact elements towards the centre by this part of their distance. */
static inline void rope_stage_press(const compliant_stage *s, double part, double *q)
{
    const haw_rope *rope = s->model->cable[0].rope;
    const haw_rope_arc *arc = &rope->arc[0];
    for (int i = arc->first_element; i <= arc->first_element + arc->elements; i++) {
        double *node = q + rope->label[i] - 4;
        for (int k = 0; k < 4; k++) {
            node[k] *= 1 - part;
        }
    }
}

static inline void rope_stage_open(compliant_stage *s, rope_case *c, double part)
{
    stage_build_scene(s, &c->scene);
    rope_stage_press(s, part, s->state->q);
    memcpy(s->q, s->state->q, (size_t)s->dofs * sizeof(double));
}

/** Pressed in by a hundredth of the radius. */
static inline void rope_stage_start(compliant_stage *s)
{
    rope_case c;
    rope_stage_init(s, &c);
    rope_stage_open(s, &c, 0.01);
}

/** Labels of all nodes on the sheave by -shift, as if the rope had moved on by it. */
static inline void rope_stage_feed(const compliant_stage *s, double shift, double *q)
{
    const haw_rope *rope = s->model->cable[0].rope;
    const haw_rope_arc *arc = &rope->arc[0];
    for (int i = arc->first_element; i <= arc->first_element + arc->elements; i++) {
        q[rope->label[i]] -= shift;
    }
}

/** Accept the step at (q, u): histories and the state itself. */
static inline void rope_stage_accept(compliant_stage *s)
{
    stage_commit(s);
    memcpy(s->state->q, s->q, (size_t)s->dofs * sizeof(double));
    memcpy(s->state->u, s->u, (size_t)s->dofs * sizeof(double));
}

/** An equilibrium at the stage's (q, u). */
static inline void rope_stage_rest(compliant_stage *s)
{
    haw_compliant_begin(s->compliant, s->state, HAW_STATICS, 0);
    stage_evaluate(s);
    rope_stage_accept(s);
}

/** A step of length h to the stage's (q, u). */
static inline void rope_stage_step(compliant_stage *s, double h)
{
    haw_compliant_begin(s->compliant, s->state, HAW_DYNAMICS, h);
    stage_evaluate(s);
    rope_stage_accept(s);
}

#endif
