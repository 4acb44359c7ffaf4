/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the probes that ask for belts. */
#include "observe/belt.h"
#include "observe/probe.h"
#include "observe/rope_wrap.h"

#include <math.h>

/* At one place of the cable, or the mean of the samples of the elements of a range. */
void haw_belt_tension(const haw_simulation *s, const haw_probe *p, double *v)
{
    const haw_cable *cable = &s->model.cable[p->index];
    const int n = cable->line.elements;
    if (cable->rope != NULL) {
        haw_rope_tension(s, p, v);
        return;
    }
    if (p->range[1] > p->range[0]) {
        const haw_belt_samples *all = &haw_belt_line_get(s, p->index)->tension;
        int first, end;
        haw_probe_elements(n, p->range, &first, &end);
        v[0] = 0;
        for (int k = 2 * first; k < 2 * end; k++) {
            v[0] += all->value[k] / (2 * (end - first));
        }
        return;
    }
    const double place = p->range[0] * n;
    const int e = (int)fmin(floor(place), n - 1);
    haw_axial axial;
    cable->line.ops->axial(&cable->line, e, place - e, s->state->q + cable->first,
                           s->state->u + cable->first, &axial);
    v[0] = axial.tension;
}

void haw_belt_tension_tight(const haw_simulation *s, const haw_probe *p, double *v)
{
    v[0] = haw_belt_line_get(s, p->index)->tight[0];
}

void haw_belt_tension_slack(const haw_simulation *s, const haw_probe *p, double *v)
{
    v[0] = haw_belt_line_get(s, p->index)->slack[0];
}

void haw_belt_speed_tight(const haw_simulation *s, const haw_probe *p, double *v)
{
    v[0] = fabs(haw_belt_line_get(s, p->index)->tight[1]);
}

void haw_belt_speed_slack(const haw_simulation *s, const haw_probe *p, double *v)
{
    v[0] = fabs(haw_belt_line_get(s, p->index)->slack[1]);
}

/* (v_1 - v_2) / v_1: what the belt is slower where it is less stretched. */
void haw_belt_creep(const haw_simulation *s, const haw_probe *p, double *v)
{
    const haw_belt_line *line = haw_belt_line_get(s, p->index);
    v[0] = line->tight[1] != 0 ? (line->tight[1] - line->slack[1]) / line->tight[1] : (double)NAN;
}

/* Of no pair there is nothing to tell. */
#define WRAP_PROBE(name, member)                                                                   \
    void name(const haw_simulation *s, const haw_probe *p, double *v)                              \
    {                                                                                              \
        v[0] = p->index >= 0 ? haw_belt_wrap_get(s, p->index)->member : (double)NAN;               \
    }

WRAP_PROBE(haw_belt_entry, entry)
WRAP_PROBE(haw_belt_exit, exit)
WRAP_PROBE(haw_belt_contact_length, length)
WRAP_PROBE(haw_belt_slip_angle, slip)
WRAP_PROBE(haw_belt_stick_angle, stick)
WRAP_PROBE(haw_belt_friction, effect.friction)
WRAP_PROBE(haw_belt_deviation, effect.deviation)
WRAP_PROBE(haw_belt_tension_in, side[0])
WRAP_PROBE(haw_belt_tension_out, side[1])
WRAP_PROBE(haw_belt_wrap_creep, creep)
WRAP_PROBE(haw_belt_tangential_max, tangential_max)
