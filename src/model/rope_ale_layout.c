/* SPDX-License-Identifier: BSD-3-Clause */
/* Degrees of freedom, elements and the drawn start of ALE ropes. */
#include "model/rope_ale.h"

#include <math.h>

static double arc_element(const haw_rope *rope, int arc)
{
    return (rope->arc[arc].label_out - rope->arc[arc].label_in) / rope->per_arc;
}

haw_ale_mesh haw_ale_mesh_of(const haw_rope *rope, int arc)
{
    const int first = rope->arc[arc].first_element, elements = rope->arc[arc].elements;
    const int beyond = (elements - rope->per_arc) / 2;
    return (haw_ale_mesh){.first = first,
                          .in = first + beyond,
                          .out = first + beyond + rope->per_arc,
                          .last = first + elements};
}

double haw_ale_label(const haw_rope *rope, int arc, int node, double label_in, double label_out)
{
    const haw_ale_mesh mesh = haw_ale_mesh_of(rope, arc);
    const haw_rope_arc *drawn = &rope->arc[arc];
    const double *f = rope->fraction, width = f[mesh.out] - f[mesh.in];
    if (node > mesh.in && node < mesh.out) {
        return label_in + (label_out - label_in) * (f[node] - f[mesh.in]) / width;
    }
    const double length = (drawn->label_out - drawn->label_in) / width;
    return node <= mesh.in ? label_in + (f[node] - f[mesh.in]) * length
                           : label_out + (f[node] - f[mesh.out]) * length;
}

static haw_status check(haw_model *model, const haw_cable *cable)
{
    const haw_rope *rope = cable->rope;
    if (rope->arcs > HAW_ROPE_SHEAVES) {
        const haw_status status =
            haw_fail(model->context, HAW_ERR_INPUT,
                     "cable '%s': a rope of ale elements runs over at most %d sheaves (got %d)",
                     cable->name, HAW_ROPE_SHEAVES, rope->arcs);
        return haw_place(model->context, status, "cables.%s.reeving", cable->name);
    }
    return HAW_OK;
}

/* Labels and degrees of freedom; the elements of each sheave are known. */
static void count(haw_cable *cable)
{
    haw_rope *rope = cable->rope;
    int dofs = 2 + 2 * (rope->end_body[0] < 0) + 2 * (rope->end_body[1] < 0);
    for (int i = 0; i < rope->arcs; i++) {
        dofs += HAW_ALE_NODE * (rope->arc[i].elements + 1);
    }
    rope->labels = rope->elements + 1;
    cable->line.dofs = dofs + (rope->arcs + 1) * (rope->modes[0] + rope->modes[1]);
}

static haw_status allocate(haw_model *model, haw_cable *cable)
{
    haw_rope *rope = cable->rope;
    haw_arena *arena = &model->arena;
    rope->element = haw_arena_allocate(arena, (size_t)rope->elements, sizeof *rope->element);
    rope->label = haw_arena_allocate(arena, (size_t)rope->labels, sizeof *rope->label);
    rope->fraction = haw_arena_allocate(arena, (size_t)rope->labels, sizeof *rope->fraction);
    rope->held = haw_arena_allocate(arena, (size_t)cable->line.dofs, sizeof *rope->held);
    const bool is_whole = rope->element != NULL && rope->label != NULL && rope->fraction != NULL &&
                          rope->held != NULL;
    return is_whole ? HAW_OK : HAW_ERR_NOMEM;
}

/* Where the numbers of a span's amplitudes begin. */
typedef struct numbering {
    int next;
    int amplitudes;
} numbering;

static int hold(haw_cable *cable, numbering *n, int dofs)
{
    const int first = n->next;
    for (int j = 0; j < dofs; j++) {
        cable->rope->held[n->next++ - cable->first] = true;
    }
    return first;
}

/* Place of an end: the centre of its body, or held numbers of the rope. */
static void number_end(const haw_model *model, haw_cable *cable, int end, numbering *n)
{
    haw_rope *rope = cable->rope;
    const int body = rope->end_body[end];
    rope->end_dof[end] = body >= 0 ? model->body[body].first : hold(cable, n, 2);
}

static void number_nodes(haw_cable *cable, int arc, numbering *n)
{
    haw_rope *rope = cable->rope;
    const haw_ale_mesh mesh = haw_ale_mesh_of(rope, arc);
    const int beyond = mesh.in - mesh.first;
    const double straight = beyond > 0 ? rope->overflow : 0, step = arc_element(rope, arc);
    const double whole = 2 * straight + rope->per_arc * step;
    for (int i = mesh.first; i <= mesh.last; i++) {
        rope->label[i] = n->next + HAW_ALE_NODE_LABEL;
        rope->held[rope->label[i] - cable->first] = true;
        n->next += HAW_ALE_NODE;
        const int before = i < mesh.in ? i - mesh.first : beyond;
        const int after = i > mesh.out ? i - mesh.out : 0;
        const int within = i - mesh.first - before - after;
        const double at = (before + after) * straight / (beyond > 0 ? beyond : 1) + within * step;
        rope->fraction[i] = at / whole;
    }
}

/* Order of coordinates of alem-span, and the slopes. */
static void list_span(haw_cable *cable, int e, const numbering *n)
{
    haw_rope *rope = cable->rope;
    haw_rope_element *element = &rope->element[e];
    const int before = element->arc >= 0 ? haw_ale_node(rope, e) : -1;
    const int after = element->arc + 1 < rope->arcs ? haw_ale_node(rope, e + 1) : -1;
    const int ends[2] = {before >= 0 ? before : rope->end_dof[0],
                         after >= 0 ? after : rope->end_dof[1]};
    int *dof = element->dof, k = 0;
    for (int j = 0; j < 4; j++) {
        dof[k++] = ends[j / 2] + j % 2;
    }
    for (int j = 0; j < rope->modes[0] + rope->modes[1]; j++) {
        dof[k++] = n->amplitudes + j;
    }
    dof[k++] = rope->label[e];
    dof[k++] = rope->label[e + 1];
    const int beside[2] = {before, after};
    for (int j = 0; j < 4; j++) {
        if (beside[j / 2] >= 0) {
            dof[k++] = beside[j / 2] + HAW_ALE_NODE_SLOPE + j % 2;
        }
    }
    element->dofs = k;
}

/* Order of coordinates of ale-cubic. */
static void list_contact(haw_rope *rope, int e)
{
    haw_rope_element *element = &rope->element[e];
    for (int end = 0; end < 2; end++) {
        for (int j = 0; j < HAW_ALE_NODE_LABEL; j++) {
            element->dof[HAW_ALE_NODE_LABEL * end + j] = haw_ale_node(rope, e + end) + j;
        }
        element->dof[2 * HAW_ALE_NODE_LABEL + end] = rope->label[e + end];
    }
    element->dofs = 2 * HAW_ALE_NODE;
}

/* A span's amplitudes and what follows it, then the lists of both. */
static void number_span(const haw_model *model, haw_cable *cable, int e, int arc, numbering *n)
{
    haw_rope *rope = cable->rope;
    rope->element[e] = (haw_rope_element){.is_span = true, .arc = arc - 1};
    n->amplitudes = n->next;
    n->next += rope->modes[0] + rope->modes[1];
    if (arc == rope->arcs) {
        rope->label[e + 1] = hold(cable, n, 1);
        number_end(model, cable, 1, n);
        list_span(cable, e, n);
        return;
    }
    number_nodes(cable, arc, n);
    list_span(cable, e, n);
    const haw_ale_mesh mesh = haw_ale_mesh_of(rope, arc);
    for (int i = mesh.first; i < mesh.last; i++) {
        rope->element[i] = (haw_rope_element){.is_span = false, .arc = arc};
        list_contact(rope, i);
    }
}

haw_status haw_ale_layout(haw_model *model, haw_cable *cable)
{
    haw_rope *rope = cable->rope;
    HAW_TRY(check(model, cable));
    count(cable);
    HAW_TRY(allocate(model, cable));
    rope->kind[0] = (haw_ale_kind){.ops = &haw_ale_cubic};
    rope->kind[1] =
        (haw_ale_kind){.ops = &haw_alem_span, .modes = {rope->modes[0], rope->modes[1]}};
    for (int k = 0; k < 2; k++) {
        rope->kind[k].dofs = rope->kind[k].ops->dofs(rope->kind[k].modes);
    }
    numbering n = {.next = cable->first};
    number_end(model, cable, 0, &n);
    rope->label[0] = hold(cable, &n, 1);
    for (int i = 0; i <= rope->arcs; i++) {
        const int e = i > 0 ? haw_ale_mesh_of(rope, i - 1).last : 0;
        number_span(model, cable, e, i, &n);
    }
    return HAW_OK;
}

/* A drawn place where a straight line meets a sheave, or an end. */
typedef struct mark {
    double x[2], label;
} mark;

static mark touch(const haw_model *model, const haw_rope *rope, int arc, bool is_out)
{
    const haw_rope_arc *a = &rope->arc[arc];
    const double angle = is_out ? a->out : a->in, *centre = model->body[a->body].start;
    return (mark){{centre[0] + a->radius * cos(angle), centre[1] + a->radius * sin(angle)},
                  is_out ? a->label_out : a->label_in};
}

static mark end_mark(const haw_model *model, const haw_rope *rope, int end)
{
    const int body = rope->end_body[end];
    const double *x = body >= 0 ? model->body[body].start : rope->end_x[end];
    return (mark){{x[0], x[1]}, end == 0 ? 0 : rope->length};
}

/* Label s on the line through two marks: place and dr/ds. */
static void on_line(const mark *from, const mark *to, double s, double *node)
{
    const double length = to->label - from->label;
    for (int j = 0; j < 2; j++) {
        const double slope = (to->x[j] - from->x[j]) / length;
        node[j] = from->x[j] + slope * (s - from->label);
        node[HAW_ALE_NODE_SLOPE + j] = slope;
    }
}

static void on_arc(const haw_model *model, const haw_rope_arc *arc, double s, double *node)
{
    const double part = (s - arc->label_in) / (arc->label_out - arc->label_in);
    const double rate = (arc->out - arc->in) / (arc->label_out - arc->label_in);
    const double angle = arc->in + (arc->out - arc->in) * part;
    const double *centre = model->body[arc->body].start, along = arc->radius * rate;
    node[0] = centre[0] + arc->radius * cos(angle);
    node[1] = centre[1] + arc->radius * sin(angle);
    node[HAW_ALE_NODE_SLOPE] = -along * sin(angle);
    node[HAW_ALE_NODE_SLOPE + 1] = along * cos(angle);
}

static void start_mesh(const haw_model *model, const haw_rope *rope, int arc, double *q)
{
    const haw_rope_arc *drawn = &rope->arc[arc];
    const haw_ale_mesh mesh = haw_ale_mesh_of(rope, arc);
    const mark in = touch(model, rope, arc, false), out = touch(model, rope, arc, true);
    const mark before = arc > 0 ? touch(model, rope, arc - 1, true) : end_mark(model, rope, 0);
    const mark after =
        arc + 1 < rope->arcs ? touch(model, rope, arc + 1, false) : end_mark(model, rope, 1);
    for (int i = mesh.first; i <= mesh.last; i++) {
        const double s = haw_ale_label(rope, arc, i, drawn->label_in, drawn->label_out);
        double *node = q + haw_ale_node(rope, i);
        if (i < mesh.in) {
            on_line(&before, &in, s, node);
        } else if (i > mesh.out) {
            on_line(&out, &after, s, node);
        } else {
            on_arc(model, drawn, s, node);
        }
        node[HAW_ALE_NODE_LABEL] = s;
    }
}

void haw_ale_start(const haw_model *model, const haw_cable *cable, double *q)
{
    const haw_rope *rope = cable->rope;
    for (int a = 0; a < cable->line.dofs; a++) {
        q[cable->first + a] = 0;
    }
    for (int end = 0; end < 2; end++) {
        const mark place = end_mark(model, rope, end);
        for (int j = 0; j < 2 && rope->end_body[end] < 0; j++) {
            q[rope->end_dof[end] + j] = place.x[j];
        }
        q[rope->label[end == 0 ? 0 : rope->labels - 1]] = place.label;
    }
    for (int i = 0; i < rope->arcs; i++) {
        start_mesh(model, rope, i, q);
    }
}
