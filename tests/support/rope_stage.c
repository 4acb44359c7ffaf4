/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/rope_stage.h"

enum { ROPE_STAGE_ELEMENTS = 8 };

void rope_stage_init(compliant_stage *s, rope_case *c)
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

void rope_stage_press(const compliant_stage *s, double part, double *q)
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

void rope_stage_open(compliant_stage *s, rope_case *c, double part)
{
    stage_build_scene(s, &c->scene);
    rope_stage_press(s, part, s->state->q);
    memcpy(s->q, s->state->q, (size_t)s->dofs * sizeof(double));
}

void rope_stage_start(compliant_stage *s)
{
    rope_case c;
    rope_stage_init(s, &c);
    rope_stage_open(s, &c, 0.01);
}

void rope_stage_feed(const compliant_stage *s, double shift, double *q)
{
    const haw_rope *rope = s->model->cable[0].rope;
    const haw_rope_arc *arc = &rope->arc[0];
    for (int i = arc->first_element; i <= arc->first_element + arc->elements; i++) {
        q[rope->label[i]] -= shift;
    }
}

void rope_stage_accept(compliant_stage *s)
{
    stage_commit(s);
    memcpy(s->state->q, s->q, (size_t)s->dofs * sizeof(double));
    memcpy(s->state->u, s->u, (size_t)s->dofs * sizeof(double));
}

void rope_stage_rest(compliant_stage *s)
{
    haw_compliant_begin(s->compliant, s->state, HAW_STATICS, 0);
    stage_evaluate(s);
    rope_stage_accept(s);
}

void rope_stage_step(compliant_stage *s, double h)
{
    haw_compliant_begin(s->compliant, s->state, HAW_DYNAMICS, h);
    stage_evaluate(s);
    rope_stage_accept(s);
}
