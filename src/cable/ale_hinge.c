/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hinge between a contact node's slope r' and the end direction of its span,
 *
 *     V = c / 2 sin^2 phi,   phi = angle(r') - angle(d) - atan2(Q, P),   c = EI / (1e-3 l_e),
 *
 * d = r2 - r1 the chord, P = |d| + U_eta and Q = V_eta the components of r_eta along and across it:
 * U_eta = sum a_k k pi cos(k pi eta), V_eta = sum b_k k pi cos(k pi eta) at eta = 0 or 1. The
 * spring is a thousand times as stiff as a contact element in bending; a string has none.
 */
#include "cable/ale.h"

#include <gsl/gsl_math.h>
#include <math.h>

static const double HINGE_PART = 1e-3;

/* What a degree of freedom moves: chord, slope, and the components P, Q of the end direction. */
typedef struct variation {
    double chord[2], slope[2], end[2];
} variation;

typedef struct hinge {
    double stiffness; /* c [N m] */
    int end;          /* of the span */
    int at;           /* the slope's place in the element's list; beyond it: held by a clamp */
    double chord[2], length, slope[2], along[2];
    double component[2]; /* P, Q */
    double angle;
} hinge;

/* Gradient and Hessian of the angle of a vector, atan2(v1, v0). */
static void angle_gradient(const double v[2], double g[2])
{
    const double square = v[0] * v[0] + v[1] * v[1];
    g[0] = -v[1] / square;
    g[1] = v[0] / square;
}

static void angle_hessian(const double v[2], double h[2][2])
{
    const double square = v[0] * v[0] + v[1] * v[1];
    h[0][0] = 2 * v[0] * v[1] / (square * square);
    h[1][1] = -h[0][0];
    h[0][1] = h[1][0] = (v[1] * v[1] - v[0] * v[0]) / (square * square);
}

/* k pi cos(k pi eta) of the mode k = 1, 2, ... */
static double end_slope(int k, int end)
{
    return k * M_PI * (end == 1 && k % 2 == 1 ? -1 : 1);
}

/* The hinge at an end of span e, also in a clamp; false where the span ends at a body, is pinned or
 * free, or the rope is a string. */
static bool find(const haw_rope *rope, int e, int end, const double *local, hinge *h)
{
    const haw_rope_element *element = &rope->element[e];
    const int arc = element->arc + end, *modes = rope->kind[1].modes;
    const bool is_end = arc < 0 || arc >= rope->arcs;
    const double *clamp = rope->arc[arc].clamp;
    if ((is_end && clamp[0] == 0 && clamp[1] == 0) || rope->section.bending == 0) {
        return false;
    }
    const double part = HINGE_PART * haw_rope_arc_element(rope, is_end ? arc + 1 - 2 * end : arc);
    const int slopes = rope->kind[1].dofs + (end == 1 && element->arc >= 0 ? 2 : 0);
    *h = (hinge){.stiffness = rope->section.bending / part,
                 .end = end,
                 .at = is_end ? HAW_ROPE_DOFS : slopes};
    for (int j = 0; j < 2; j++) {
        h->chord[j] = local[2 + j] - local[j];
        h->slope[j] = is_end ? clamp[j] : local[slopes + j];
    }
    h->length = hypot(h->chord[0], h->chord[1]);
    h->component[0] = h->length;
    for (int j = 0, i = 4; j < 2; j++) {
        h->along[j] = h->chord[j] / h->length;
        for (int k = 1; k <= modes[j]; k++, i++) {
            h->component[j] += local[i] * end_slope(k, end);
        }
    }
    h->angle = atan2(h->slope[1], h->slope[0]) - atan2(h->chord[1], h->chord[0]) -
               atan2(h->component[1], h->component[0]);
    return true;
}

static variation vary(const haw_rope *rope, const hinge *h, int dof)
{
    const int axial = rope->kind[1].modes[0], transverse = rope->kind[1].modes[1];
    variation v = {{0, 0}, {0, 0}, {0, 0}};
    if (dof < 4) {
        v.chord[dof % 2] = dof < 2 ? -1 : 1;
        v.end[0] = v.chord[dof % 2] * h->along[dof % 2];
    } else if (dof < 4 + axial) {
        v.end[0] = end_slope(dof - 3, h->end);
    } else if (dof < 4 + axial + transverse) {
        v.end[1] = end_slope(dof - 3 - axial, h->end);
    } else if (dof >= h->at && dof < h->at + 2) {
        v.slope[dof - h->at] = 1;
    }
    return v;
}

static double dot(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

static double form(const double a[2], double (*h)[2], const double b[2])
{
    return a[0] * dot(h[0], b) + a[1] * dot(h[1], b);
}

/* d(phi)/dq [dofs], and what each degree of freedom moves. */
static void gradient(const haw_rope *rope, const hinge *h, int dofs, variation *v, double *g)
{
    double slope[2], chord[2], end[2];
    angle_gradient(h->slope, slope);
    angle_gradient(h->chord, chord);
    angle_gradient(h->component, end);
    for (int i = 0; i < dofs; i++) {
        v[i] = vary(rope, h, i);
        g[i] = dot(slope, v[i].slope) - dot(chord, v[i].chord) - dot(end, v[i].end);
    }
}

double haw_ale_hinge_energy(const haw_rope *rope, int e, const double *local)
{
    double sum = 0;
    for (int end = 0; end < 2; end++) {
        hinge h;
        if (find(rope, e, end, local, &h)) {
            sum += 0.5 * h.stiffness * sin(h.angle) * sin(h.angle);
        }
    }
    return sum;
}

void haw_ale_hinge_force(const haw_rope *rope, int e, const double *local, double *f)
{
    const int dofs = rope->element[e].dofs;
    for (int end = 0; end < 2; end++) {
        hinge h;
        if (!find(rope, e, end, local, &h)) {
            continue;
        }
        variation v[HAW_ROPE_DOFS];
        double g[HAW_ROPE_DOFS];
        gradient(rope, &h, dofs, v, g);
        const double moment = h.stiffness * sin(h.angle) * cos(h.angle);
        for (int i = 0; i < dofs; i++) {
            f[i] -= moment * g[i];
        }
    }
}

/* d2(phi)/dq_i dq_j; P depends on the chord twice, by its length. */
static void add_tangent(const hinge *h, int dofs, const variation *v, const double *g, double *k)
{
    double slope[2][2], chord[2][2], end[2][2], first[2];
    angle_hessian(h->slope, slope);
    angle_hessian(h->chord, chord);
    angle_hessian(h->component, end);
    angle_gradient(h->component, first);
    const double moment = h->stiffness * sin(h->angle) * cos(h->angle);
    const double stiffness = h->stiffness * cos(2 * h->angle);
    for (int i = 0; i < dofs; i++) {
        for (int j = 0; j < dofs; j++) {
            const double across =
                dot(v[i].chord, v[j].chord) - dot(v[i].chord, h->along) * dot(v[j].chord, h->along);
            const double second = form(v[i].slope, slope, v[j].slope) -
                                  form(v[i].chord, chord, v[j].chord) -
                                  form(v[i].end, end, v[j].end) - first[0] * across / h->length;
            k[dofs * i + j] += stiffness * g[i] * g[j] + moment * second;
        }
    }
}

void haw_ale_hinge_tangent(const haw_rope *rope, int e, const double *local, double *k)
{
    const int dofs = rope->element[e].dofs;
    for (int end = 0; end < 2; end++) {
        hinge h;
        if (find(rope, e, end, local, &h)) {
            variation v[HAW_ROPE_DOFS];
            double g[HAW_ROPE_DOFS];
            gradient(rope, &h, dofs, v, g);
            add_tangent(&h, dofs, v, g, k);
        }
    }
}
