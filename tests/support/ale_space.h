/* SPDX-License-Identifier: BSD-3-Clause */
/* Random modal spans in space. */
#ifndef HAWSER_TESTS_ALE_SPACE_H
#define HAWSER_TESTS_ALE_SPACE_H

#include "base/lie.h"
#include "element/alem_space.h"
#include "support/ale.h"

enum { SPACE_DOFS = HAW_ALEM_SPACE_DOFS, SPACE_KINDS = 4 };

typedef struct space_trial {
    uint64_t random;
    haw_alem_space kind;
    haw_alem_space_section section;
    int dofs, twist, labels;
    double q[SPACE_DOFS], u[SPACE_DOFS], a[SPACE_DOFS], s;
} space_trial;

static inline double space_uniform(space_trial *t, double low, double high)
{
    return low + (high - low) * (1 + random_signed(&t->random)) / 2;
}

/* The reference is turned away from the span: the triad of a span that has moved. */
static inline space_trial space_make(int kind, uint64_t seed)
{
    static const int modes[SPACE_KINDS][3] = {{0, 0, 0}, {1, 2, 2}, {3, 0, 4}, {2, 5, 3}};
    space_trial t = {.random = seed * UINT64_C(0x9E3779B97F4A7C15)};
    memcpy(t.kind.modes, modes[kind], sizeof t.kind.modes);
    t.dofs = haw_alem_space_dofs(&t.kind);
    t.labels = t.dofs - 2;
    t.twist = t.dofs - 4;
    const double le = space_uniform(&t, 0.5, 3), up[3] = {0.3, -0.2, 1};
    double other[6] = {0}, size = 0;
    for (int i = 0; i < 3; i++) {
        t.q[i] = space_uniform(&t, -2, 2);
        t.q[3 + i] = space_uniform(&t, -1, 1);
        size += t.q[3 + i] * t.q[3 + i];
    }
    for (int i = 0; i < 3; i++) {
        t.q[3 + i] *= 1.05 * le / sqrt(size);
        other[3 + i] = t.q[3 + i] + space_uniform(&t, -0.5, 0.5) * le;
        t.q[3 + i] += t.q[i];
    }
    haw_alem_space_start(&t.kind, other, up);
    for (int part = 0, k = 6; part < 3; part++) {
        for (int l = 0; l < t.kind.modes[part]; l++, k++) {
            t.q[k] =
                space_uniform(&t, -1, 1) * (part == 0 ? 0.005 : 0.02) * le / ((l + 1) * (l + 1));
        }
    }
    t.q[t.twist] = space_uniform(&t, -1, 1);
    t.q[t.twist + 1] = space_uniform(&t, -1, 1);
    t.q[t.labels] = space_uniform(&t, -2, 5);
    t.q[t.labels + 1] = t.q[t.labels] + le;
    t.s = t.q[t.labels] + space_uniform(&t, 0.05, 0.95) * le;
    for (int i = 0; i < t.dofs; i++) {
        t.u[i] = space_uniform(&t, -1, 1);
        t.a[i] = space_uniform(&t, -3, 3);
    }
    const double stiffness = space_uniform(&t, 1e3, 1e5);
    t.section = (haw_alem_space_section){
        .stiffness = stiffness,
        .bending = stiffness * le * le * space_uniform(&t, 0.01, 0.1),
        .torsion = stiffness * le * le * space_uniform(&t, 0.01, 0.1),
        .coupling = stiffness * le * space_uniform(&t, 0.01, 0.05),
        .density = space_uniform(&t, 0.1, 2),
        .rotary = space_uniform(&t, 0.1, 1),
        .damping_strain = stiffness * space_uniform(&t, 0.01, 0.1),
        .damping_curvature = stiffness * le * le * space_uniform(&t, 0.001, 0.01),
        .damping_twist = stiffness * le * le * space_uniform(&t, 0.001, 0.01),
        .gravity = {space_uniform(&t, -5, 5), 2, -9.81},
    };
    return t;
}

static inline void space_all(void (*check)(space_trial *t))
{
    for (int kind = 0; kind < SPACE_KINDS; kind++) {
        for (uint64_t seed = 1; seed <= ALE_SEEDS; seed++) {
            space_trial t = space_make(kind, seed);
            check(&t);
        }
    }
}

#endif
