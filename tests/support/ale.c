/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/ale.h"

#include "support/random.h"

void ale_near(const ale_trial *t, const char *what, const double pair[2], double atol, double rtol)
{
    if (!(fabs(pair[0] - pair[1]) <= atol + rtol * fabs(pair[1]))) {
        fail_msg("%s %d %d, seed %llu: %s is %.17g, expected %.17g (error %.3g)", t->kind.ops->name,
                 t->kind.modes[0], t->kind.modes[1], (unsigned long long)t->seed, what, pair[0],
                 pair[1], fabs(pair[0] - pair[1]));
    }
}

double ale_uniform(ale_trial *t, double low, double high)
{
    return low + (high - low) * (1 + random_signed(&t->random)) / 2;
}

haw_ale_kind ale_kind_of(const haw_ale_ops *ops, int axial, int transverse)
{
    haw_ale_kind kind = {.ops = ops, .modes = {axial, transverse}};
    kind.dofs = ops->dofs(kind.modes);
    return kind;
}

haw_ale_kind ale_kind(int i)
{
    static const int modes[ALE_KINDS][2] = {{0, 0}, {0, 0}, {1, 2}, {3, 0}, {2, 5}, {8, 8}};
    return ale_kind_of(i == 0 ? &haw_ale_cubic : &haw_alem_span, modes[i][0], modes[i][1]);
}

/** An arc of a radius of about two lengths for the cubic, a sum of falling modes for the span. */
static void ale_shape(ale_trial *t, double stretch)
{
    const int n = t->kind.dofs, *modes = t->kind.modes;
    const double le = t->q[n - 1] - t->q[n - 2], angle = ale_uniform(t, -3, 3);
    const double turn = ale_uniform(t, 0.2, 0.5), e[2] = {cos(angle), sin(angle)};
    t->q[0] = ale_uniform(t, -2, 2);
    t->q[1] = ale_uniform(t, -2, 2);
    if (t->kind.ops == &haw_ale_cubic) {
        const double chord = stretch * le * sin(turn / 2) / (turn / 2);
        for (int i = 0; i < 2; i++) {
            const double across = i == 0 ? -e[1] : e[0];
            t->q[4 + i] = t->q[i] + chord * e[i];
            t->q[2 + i] = stretch * (e[i] * cos(turn / 2) - across * sin(turn / 2));
            t->q[6 + i] = stretch * (e[i] * cos(turn / 2) + across * sin(turn / 2));
        }
        for (int i = 0; i < 8; i++) {
            t->q[i] += ale_uniform(t, -1e-3, 1e-3) * (i % 4 < 2 ? le : 1);
        }
        return;
    }
    t->q[2] = t->q[0] + stretch * le * e[0];
    t->q[3] = t->q[1] + stretch * le * e[1];
    for (int k = 0; k < modes[0] + modes[1]; k++) {
        const int wave = 1 + (k < modes[0] ? k : k - modes[0]);
        t->q[4 + k] = ale_uniform(t, -1, 1) * (k < modes[0] ? 0.005 : 0.02) * le / (wave * wave);
    }
}

ale_trial ale_make(haw_ale_kind kind, uint64_t seed, double stretch)
{
    ale_trial t = {.seed = seed, .random = seed * UINT64_C(0x9E3779B97F4A7C15), .kind = kind};
    const double le = ale_uniform(&t, 0.5, 3);
    const double stiffness = ale_uniform(&t, 1e3, 1e5), delay = ale_uniform(&t, 0.01, 0.1);
    t.q[kind.dofs - 2] = ale_uniform(&t, -2, 5);
    t.q[kind.dofs - 1] = t.q[kind.dofs - 2] + le;
    t.s = t.q[kind.dofs - 2] + ale_uniform(&t, 0.05, 0.95) * le;
    ale_shape(&t, stretch);
    for (int i = 0; i < kind.dofs; i++) {
        t.u[i] = ale_uniform(&t, -1, 1);
        t.a[i] = ale_uniform(&t, -3, 3);
    }
    t.section = (haw_ale_section){
        .stiffness = stiffness,
        .bending = stiffness * le * le * ale_uniform(&t, 0.01, 0.1),
        .density = ale_uniform(&t, 0.1, 2),
        .damping_strain = delay * stiffness,
        .damping_curvature = delay * stiffness * le * le * ale_uniform(&t, 0.01, 0.1),
        .gravity = {ale_uniform(&t, -5, 5), -9.81},
    };
    return t;
}

void ale_all(ale_check check)
{
    for (int i = 0; i < ALE_KINDS; i++) {
        for (uint64_t seed = 1; seed <= ALE_SEEDS; seed++) {
            ale_trial t = ale_make(ale_kind(i), seed, 1.05);
            check(&t);
        }
    }
}

double ale_step(const ale_trial *t)
{
    const int *modes = t->kind.modes, most = modes[0] > modes[1] ? modes[0] : modes[1];
    return 3e-4 * (t->q[t->kind.dofs - 1] - t->q[t->kind.dofs - 2]) / (1 + most);
}

void ale_advance(const ale_trial *t, double time, double *q, double *u)
{
    for (int i = 0; i < t->kind.dofs; i++) {
        q[i] = t->q[i] + time * (t->u[i] + time / 2 * t->a[i]);
        u[i] = t->u[i] + time * t->a[i];
    }
}

haw_ale_point ale_point(const ale_trial *t, double s, const double *q, const double *u)
{
    haw_ale_point point;
    t->kind.ops->point(&t->kind, s, q, u,
                       HAW_ALE_MOTION | HAW_ALE_JACOBIAN | HAW_ALE_GAMMA | HAW_ALE_BEND, &point);
    return point;
}

double ale_fine(const ale_trial *t, int k, double *weight)
{
    static const double at[3] = {0.0, 0.53846931010568309104, 0.90617984593866399280};
    static const double part[3] = {0.56888888888888888889, 0.47862867049936646804,
                                   0.23692688505618908751};
    const double *label = t->q + t->kind.dofs - 2, half = (label[1] - label[0]) / (ALE_FINE / 2.5);
    const int panel = k / 5, g = k % 5 - 2, side = g < 0 ? -1 : 1;
    *weight = half * part[side * g];
    return label[0] + half * (2 * panel + 1 + side * at[side * g]);
}
