/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Courses over sheaves by rigid tangents. A line along the unit vector e with the left normal n
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
#include "model/reeving.h"

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

static haw_reeving_circle sheave(const haw_model *model, const haw_rope *rope, int i,
                                 const double *q)
{
    const haw_rope_arc *arc = &rope->arc[i];
    const double *x = q + model->body[arc->body].first_q;
    return (haw_reeving_circle){.x = {x[0], x[1]}, .radius = arc->radius, .turn = arc->turn};
}

static haw_reeving_circle rope_end(const haw_model *model, const haw_rope *rope, int end,
                                   const double *q)
{
    const int body = rope->end_body[end];
    const double *x = body >= 0 ? q + model->body[body].first_q : rope->end_x[end];
    return (haw_reeving_circle){.x = {x[0], x[1]}, .radius = 0, .turn = 1};
}

/* The angle nearest to that of before, 2 pi apart. */
static double nearest(double angle, double before)
{
    return before + remainder(angle - before, 2 * M_PI);
}

void haw_reeving_course(const haw_model *model, const haw_rope *rope, const double *q,
                        haw_reeving_arc *arc)
{
    haw_reeving_circle from = rope_end(model, rope, 0, q);
    for (int i = 0; i <= rope->arcs; i++) {
        const haw_reeving_circle to =
            i < rope->arcs ? sheave(model, rope, i, q) : rope_end(model, rope, 1, q);
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
