/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ropes over sheaves share: elements as lists of degrees of freedom, labels, and the course
 * over sheaves by rigid tangents. A line along the unit vector e with the left normal n
 * touches a sheave with centre c and radius R at c - turn R n: the sheave lies to its left where
 * the rope turns counter-clockwise (turn = 1), else to its right. Between two circles (an end of
 * the rope is a circle of radius 0), with d = c2 - c1 and delta = turn2 R2 - turn1 R1,
 *
 *     d = l e + delta n,   l = sqrt(d.d - delta^2),   angle(e) = angle(d) - atan2(delta, l),
 *
 * for all four combinations of sides. The angle of the sheave's outward normal there is
 * angle(e) - turn pi / 2. A virtual displacement of the centres changes the length of line and arcs
 * by e . (dc2 - dc1): the parts of dR theta on the two sheaves are those of the turned line.
 */
#include "cable/reeving.h"

#include <gsl/gsl_math.h>
#include <math.h>

double haw_reeving_line(const haw_reeving_circle *from, const haw_reeving_circle *to,
                        double along[2])
{
    const double d[2] = {to->x[0] - from->x[0], to->x[1] - from->x[1]};
    const double delta = to->turn * to->radius - from->turn * from->radius;
    const double square = d[0] * d[0] + d[1] * d[1] - delta * delta;
    const double length = square > 0 ? sqrt(square) : 0;
    const double angle = atan2(d[1], d[0]) - atan2(delta, length);
    along[0] = cos(angle);
    along[1] = sin(angle);
    return square > 0 ? length : (double)NAN;
}

double haw_reeving_angle(int turn, const double along[2])
{
    return atan2(-turn * along[0], turn * along[1]);
}

/* Sheave i; the ends before and behind them. */
static haw_reeving_circle circle(const haw_rope *rope, int i, const double *q)
{
    if (i >= 0 && i < rope->arcs) {
        const haw_rope_arc *arc = &rope->arc[i];
        const double *x = q + arc->dof;
        return (haw_reeving_circle){.x = {x[0], x[1]}, .radius = arc->radius, .turn = arc->turn};
    }
    const int end = i < 0 ? 0 : 1;
    const double *x = rope->end_body[end] >= 0 ? q + rope->end_dof[end] : rope->end_x[end];
    return (haw_reeving_circle){.x = {x[0], x[1]}, .radius = 0, .turn = 1};
}

/* The angle nearest to that of before, 2 pi apart. */
static double nearest(double angle, double before)
{
    return before + remainder(angle - before, 2 * M_PI);
}

void haw_reeving_course(const haw_rope *rope, const double *q, haw_reeving_arc *arc)
{
    haw_reeving_circle from = circle(rope, -1, q);
    for (int i = 0; i <= rope->arcs; i++) {
        const haw_reeving_circle to = circle(rope, i, q);
        const double length = haw_reeving_line(&from, &to, arc[i].along);
        arc[i].span = length > 0 ? length : 0;
        if (i > 0) {
            const haw_rope_arc *drawn = &rope->arc[i - 1];
            arc[i - 1].out = nearest(haw_reeving_angle(drawn->turn, arc[i].along), drawn->out);
        }
        if (i < rope->arcs) {
            const haw_rope_arc *drawn = &rope->arc[i];
            arc[i].in = nearest(haw_reeving_angle(drawn->turn, arc[i].along), drawn->in);
        }
        from = to;
    }
    arc[rope->arcs].in = arc[rope->arcs].out = 0;
}

haw_sheave haw_rope_sheave(const haw_cable *cable, int i, const double *q)
{
    const haw_rope_arc *arc = &cable->rope->arc[i];
    const double drawn[2] = {arc->in, arc->out};
    haw_sheave found = {.dof = arc->dof + 2, .turn = arc->turn, .radius = arc->radius};
    for (int side = 0; side < 2; side++) {
        const haw_reeving_circle from = circle(cable->rope, i - 1 + side, q);
        const haw_reeving_circle to = circle(cable->rope, i + side, q);
        double along[2];
        (void)haw_reeving_line(&from, &to, along);
        found.at[side] = nearest(haw_reeving_angle(arc->turn, along), drawn[side]);
    }
    return found;
}

/* ---- labels and lists ---- */

/* Element e lies between the labels e and e + 1. */
int haw_rope_find(const haw_rope *rope, const double *q, double s)
{
    int low = 0, high = rope->labels - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (q[rope->label[middle]] <= s) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

void haw_rope_gather(const haw_rope *rope, int e, const double *x, double *local)
{
    const haw_rope_element *element = &rope->element[e];
    for (int a = 0; a < element->dofs; a++) {
        local[a] = x[element->dof[a]];
    }
}

void haw_rope_scatter(const haw_rope *rope, int e, const double *local, double *x)
{
    const haw_rope_element *element = &rope->element[e];
    for (int a = 0; a < element->dofs; a++) {
        x[element->dof[a]] += local[a];
    }
}

/* ---- what both kinds answer alike ---- */

/* The two ends rest; labels between them are `guide`'s. */
void haw_rope_prescribe(const haw_cable *cable, double t, double *u)
{
    const haw_rope *rope = cable->rope;
    (void)t;
    u[rope->label[0]] = u[rope->label[rope->labels - 1]] = 0;
    for (int end = 0; end < 2; end++) {
        if (rope->end_body[end] < 0) {
            u[rope->end_dof[end]] = u[rope->end_dof[end] + 1] = 0;
        }
    }
}

haw_dofs haw_rope_dofs(const haw_cable *cable, int e)
{
    const haw_rope_element *element = &cable->rope->element[e];
    return (haw_dofs){.count = element->dofs, .list = element->dof};
}

/* An axial wave through the smallest element on a sheave, or through one of the mean length. */
double haw_rope_critical_step(const haw_cable *cable)
{
    const haw_rope *rope = cable->rope;
    double least = cable->line.le;
    for (int i = 0; i < rope->arcs; i++) {
        const haw_rope_arc *arc = &rope->arc[i];
        least = fmin(least, (arc->label_out - arc->label_in) / rope->per_arc);
    }
    return least * sqrt(cable->line.density / cable->line.stiffness);
}

void haw_rope_set_gravity(haw_cable *cable, const double g[3])
{
    for (int i = 0; i < 2; i++) {
        cable->rope->section.gravity[i] = g[i];
    }
}

int haw_rope_locate(const haw_cable *cable, const double *q, double label, double *s)
{
    *s = label;
    return haw_rope_find(cable->rope, q, label);
}

enum { CONTACT_SAMPLES = 4, SPAN_SAMPLES = 16 };

int haw_rope_samples(const haw_cable *cable, int e)
{
    return cable->rope->element[e].is_span ? SPAN_SAMPLES : CONTACT_SAMPLES;
}

double haw_rope_length(const haw_cable *cable, int e, const double *q)
{
    const int *label = cable->rope->label;
    return q[label[e + 1]] - q[label[e]];
}

double haw_rope_label(const haw_cable *cable, int n, const double *q)
{
    return q[cable->rope->label[n]];
}

/* Labels, in ascending order, move no part of an element. */
double haw_rope_reach(const haw_cable *cable, const double *q, const double *q_plus)
{
    const haw_rope *rope = cable->rope;
    double most = 0;
    for (int a = 0, label = 0; a < cable->coordinates; a++) {
        while (label < rope->labels && rope->label[label] < cable->first + a) {
            label++;
        }
        if (label == rope->labels || rope->label[label] != cable->first + a) {
            most = fmax(most, fabs(q_plus[cable->first_q + a] - q[cable->first_q + a]));
        }
    }
    return 3 * fmax(1, cable->line.le) * most;
}

double haw_rope_shortest(const haw_cable *cable, const double *q)
{
    double least = (double)INFINITY;
    for (int e = 0; e < cable->rope->elements; e++) {
        least = fmin(least, haw_rope_length(cable, e, q));
    }
    return least;
}

/* Of the labels along the rope; its places go with the bodies. */
double haw_rope_speed(const haw_cable *cable, const double *u)
{
    const haw_rope *rope = cable->rope;
    double most = 0;
    for (int k = 0; k < rope->labels; k++) {
        most = fmax(most, fabs(u[rope->label[k]]));
    }
    return most;
}

/* Of its labels and of the rims of its sheaves. */
double haw_rope_excess(const haw_cable *cable, const double *q, const double *d, double move)
{
    const haw_rope *rope = cable->rope;
    double most = 0;
    for (int k = 0; k < rope->arcs; k++) {
        const int angle = rope->arc[k].dof + 2;
        most = fmax(most, fabs(d[angle]) * rope->arc[k].radius / move);
    }
    for (int e = 0; e < rope->elements; e++) {
        const double change = d[rope->label[e + 1]] - d[rope->label[e]];
        most = fmax(most, fabs(change) / (HAW_ROPE_CHANGE * haw_rope_length(cable, e, q)));
    }
    return most;
}

/* What it lies over or ends on. */
bool haw_rope_keeps(const haw_cable *cable, int body)
{
    const haw_rope *rope = cable->rope;
    bool keeps = rope->end_body[0] == body || rope->end_body[1] == body;
    for (int k = 0; k < rope->arcs && !keeps; k++) {
        keeps = rope->arc[k].body == body;
    }
    return keeps;
}
