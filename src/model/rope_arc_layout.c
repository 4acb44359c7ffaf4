/* SPDX-License-Identifier: BSD-3-Clause */
/* Degrees of freedom, elements and the drawn start of ropes of the kind arc1d. */
#include "model/rope_arc.h"

#include <math.h>
#include <string.h>

/* Drawn directions closer to each other than this are the same. */
static const double PARALLEL = 1e-9;

/* ---- what moves ---- */

static bool is_zero(const haw_function *function)
{
    for (int i = 0; i < function->count; i++) {
        if (function->value[i] != 0) {
            return false;
        }
    }
    return function->count > 0 || function->constant == 0;
}

/* True if coordinate k of a body's centre ever changes. */
static bool moves(const haw_model *model, int body, int k)
{
    const haw_body *b = &model->body[body];
    return body >= 0 &&
           (!b->held[k] || (b->motion == HAW_MOTION_PRESCRIBED && !is_zero(&b->drive[k])));
}

/* Body of a circle of the course, -1: an end on the ground. */
static int circle_body(const haw_rope *rope, int i)
{
    if (i >= 0 && i < rope->arcs) {
        return rope->arc[i].body;
    }
    return rope->end_body[i < 0 ? 0 : 1];
}

/* A line turns if one of its circles may leave it sideways. */
static bool turns(const haw_model *model, const haw_rope *rope, int line)
{
    const int sheave = line < rope->arcs ? line : line - 1;
    const haw_rope_arc *arc = &rope->arc[sheave];
    const double normal = line < rope->arcs ? arc->in : arc->out;
    const double sideways[2] = {cos(normal), sin(normal)};
    bool result = false;
    for (int k = 0; k < 2; k++) {
        const bool any = moves(model, circle_body(rope, line - 1), k) ||
                         moves(model, circle_body(rope, line), k);
        result = result || (any && fabs(sideways[k]) > PARALLEL);
    }
    return result;
}

static int cell_kind(const haw_model *model, const haw_rope *rope, int arc)
{
    const int body = rope->arc[arc].body;
    if (turns(model, rope, arc) || turns(model, rope, arc + 1)) {
        return HAW_ARC_GENERAL;
    }
    return moves(model, body, 0) || moves(model, body, 1) ? HAW_ARC_SLIDING : HAW_ARC_FIXED;
}

/* ---- numbering ---- */

static void count(haw_cable *cable)
{
    haw_rope *rope = cable->rope;
    int elements = 1;
    for (int i = 0; i < rope->arcs; i++) {
        rope->arc[i].first_element = elements;
        rope->arc[i].elements = rope->per_arc;
        elements += rope->per_arc + 1;
    }
    rope->elements = elements;
    rope->labels = elements + 1;
    cable->line.elements = elements;
    cable->line.dofs = rope->labels + 2 * (rope->end_body[0] < 0) + 2 * (rope->end_body[1] < 0);
}

static haw_status allocate(haw_model *model, haw_cable *cable)
{
    haw_rope *rope = cable->rope;
    haw_arena *arena = &model->arena;
    rope->element = haw_arena_allocate(arena, (size_t)rope->elements, sizeof *rope->element);
    rope->label = haw_arena_allocate(arena, (size_t)rope->labels, sizeof *rope->label);
    rope->held = haw_arena_allocate(arena, (size_t)cable->line.dofs, sizeof *rope->held);
    return rope->element != NULL && rope->label != NULL && rope->held != NULL ? HAW_OK
                                                                              : HAW_ERR_NOMEM;
}

/* Place of an end: the centre of its body, or two held numbers of the rope. */
static int number_end(const haw_model *model, haw_cable *cable, int end, int next)
{
    haw_rope *rope = cable->rope;
    if (rope->end_body[end] >= 0) {
        rope->end_dof[end] = model->body[rope->end_body[end]].first;
        return next;
    }
    rope->end_dof[end] = next;
    rope->held[next - cable->first] = rope->held[next + 1 - cable->first] = true;
    return next + 2;
}

/* x of the centre of a circle; y follows. */
static int centre_dof(const haw_model *model, const haw_rope *rope, int i)
{
    const int body = circle_body(rope, i);
    return body >= 0 ? model->body[body].first : rope->end_dof[i < 0 ? 0 : 1];
}

static void list_element(const haw_model *model, haw_rope *rope, int e)
{
    haw_rope_element *element = &rope->element[e];
    const int i = element->is_span ? element->arc + 1 : element->arc;
    const int circles[2][3] = {{i, i - 1, i + 1}, {i - 1, i, i}};
    element->dof[0] = rope->label[e];
    element->dof[1] = rope->label[e + 1];
    for (int k = 2; k < element->dofs; k++) {
        const int circle = circles[element->is_span ? 1 : 0][k / 2 - 1];
        element->dof[k] = centre_dof(model, rope, circle) + k % 2;
    }
}

haw_status haw_arc_layout(haw_model *model, haw_cable *cable)
{
    haw_rope *rope = cable->rope;
    count(cable);
    HAW_TRY(allocate(model, cable));
    int next = number_end(model, cable, 0, cable->first);
    for (int i = 0; i < rope->labels; i++) {
        rope->label[i] = next++;
    }
    rope->held[rope->label[0] - cable->first] = true;
    rope->held[rope->label[rope->labels - 1] - cable->first] = true;
    (void)number_end(model, cable, 1, next);
    bool is_span = true;
    for (int e = 0, arc = -1; e < rope->elements; e++) {
        rope->element[e] = (haw_rope_element){
            .is_span = is_span,
            .arc = arc,
            .dofs = is_span ? HAW_ARC_SPAN : cell_kind(model, rope, arc),
        };
        list_element(model, rope, e);
        arc += is_span ? 1 : 0;
        is_span = !is_span && e + 1 == rope->arc[arc].first_element + rope->per_arc;
    }
    return HAW_OK;
}

/* ---- start ---- */

void haw_arc_start(const haw_model *model, const haw_cable *cable, double *q)
{
    const haw_rope *rope = cable->rope;
    (void)model;
    q[rope->label[0]] = 0;
    q[rope->label[rope->labels - 1]] = rope->length;
    for (int i = 0; i < rope->arcs; i++) {
        const haw_rope_arc *arc = &rope->arc[i];
        for (int k = 0; k <= arc->elements; k++) {
            q[rope->label[arc->first_element + k]] =
                arc->label_in + (arc->label_out - arc->label_in) * k / arc->elements;
        }
    }
    for (int end = 0; end < 2; end++) {
        if (rope->end_body[end] < 0) {
            memcpy(q + rope->end_dof[end], rope->end_x[end], sizeof rope->end_x[end]);
        }
    }
}
