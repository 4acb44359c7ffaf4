/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Energy of a rope of three contact elements whose outer labels stay while those between them run:
 * a closed system, in which what one element loses at a moving node the next one takes up.
 */
#include "support/ale.h"
#include "support/vector.h"

#include <string.h>

enum { NODES = 4, VALUES = 5 }; /* x, y, x', y', s */

typedef double nodes[NODES][VALUES];

/* Energies, and power of the forces and of the inertia forces. */
typedef struct balance {
    double potential, kinetic, power, inertia;
} balance;

static void element(nodes from, int e, double *x)
{
    for (int i = 0; i < 2; i++) {
        memcpy(x + 4 * i, from[e + i], 4 * sizeof *x);
        x[8 + i] = from[e + i][4];
    }
}

static balance chain(const ale_trial *t, nodes node, nodes rate, nodes second)
{
    const haw_ale_ops *ops = t->kind.ops;
    balance sum = {0, 0, 0, 0};
    for (int e = 0; e < NODES - 1; e++) {
        double q[HAW_ALE_DOFS], u[HAW_ALE_DOFS], a[HAW_ALE_DOFS];
        double f[HAW_ALE_DOFS] = {0}, d[HAW_ALE_DOFS] = {0}, y[HAW_ALE_DOFS] = {0};
        double energy[2] = {0, 0};
        element(node, e, q);
        element(rate, e, u);
        element(second, e, a);
        ops->force(&t->kind, &t->section, q, u, f, d);
        ops->inertia(&t->kind, &t->section, q, u, a, y);
        ops->energy(&t->kind, &t->section, q, energy);
        sum.potential += energy[0] + energy[1];
        sum.kinetic += ops->kinetic(&t->kind, &t->section, q, u);
        sum.power += vector_dot(t->kind.dofs, f, u);
        sum.inertia += vector_dot(t->kind.dofs, y, u);
    }
    return sum;
}

static balance moved(const ale_trial *t, double h, nodes node, nodes rate, nodes second)
{
    nodes at, speed;
    for (int i = 0; i < NODES; i++) {
        for (int k = 0; k < VALUES; k++) {
            at[i][k] = node[i][k] + h * (rate[i][k] + h / 2 * second[i][k]);
            speed[i][k] = rate[i][k] + h * second[i][k];
        }
    }
    return chain(t, at, speed, second);
}

/*
 * At an inner node the slopes agree, but not the curvatures: the energy of bending per length that
 * a moving node leaves behind is not what it meets, so that a string is looked at.
 */
static void power_of_a_chain_is_the_rate_of_its_energy(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ALE_SEEDS; seed++) {
        ale_trial t = ale_make(ale_kind_of(&haw_ale_cubic, 0, 0), seed, 1.05);
        nodes node, rate, second;
        const double h = 1e-4;
        t.section.bending = 0;
        for (int i = 0; i < NODES; i++) {
            const bool is_end = i % (NODES - 1) == 0;
            const double s = 0.4 * i + (is_end ? 0 : ale_uniform(&t, -0.05, 0.05));
            const double values[VALUES] = {1.05 * s, 0.1 * sin(s), 1.05, 0.1 * cos(s), s};
            for (int k = 0; k < VALUES; k++) {
                const bool is_held = k == 4 && is_end;
                node[i][k] = values[k];
                rate[i][k] = is_held ? 0 : ale_uniform(&t, -0.3, 0.3);
                second[i][k] = is_held ? 0 : ale_uniform(&t, -0.3, 0.3);
            }
        }
        const balance now = chain(&t, node, rate, second);
        const balance before = moved(&t, -h, node, rate, second);
        const balance after = moved(&t, h, node, rate, second);
        const double work = (after.potential - before.potential) / (2 * h);
        const double motion = (after.kinetic - before.kinetic) / (2 * h);
        ALE_NEAR(&t, "power of the forces", now.power, -work, 1e-5 * fabs(work), 0);
        ALE_NEAR(&t, "power of inertia", now.inertia, motion, 1e-7 * now.kinetic, 0);
    }
}

TEST_FILE(test_ale_chain)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(power_of_a_chain_is_the_rate_of_its_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
