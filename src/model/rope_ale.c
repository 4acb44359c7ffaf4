/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ALE ropes: loops over the elements. Labels are held degrees of freedom; the rows of the labels in
 * forces and inertia are what would hold the mesh, and nothing that moves the rope.
 */
#include "model/rope_ale.h"

static const haw_ale_kind *kind_of(const haw_rope *rope, int e)
{
    return &rope->kind[rope->element[e].is_span ? 1 : 0];
}

static void energy(const haw_model *model, const haw_cable *cable, const double *q,
                   double energies[2])
{
    const haw_rope *rope = cable->rope;
    (void)model;
    for (int e = 0; e < rope->elements; e++) {
        const haw_ale_kind *kind = kind_of(rope, e);
        double local[HAW_ROPE_DOFS];
        haw_rope_gather(rope, e, q, local);
        kind->ops->energy(kind, &rope->section, local, energies);
        if (rope->element[e].is_span) {
            energies[0] += haw_ale_hinge_energy(rope, e, local);
        }
    }
}

static double kinetic(const haw_model *model, const haw_cable *cable, const double *q,
                      const double *u)
{
    const haw_rope *rope = cable->rope;
    double sum = 0;
    (void)model;
    for (int e = 0; e < rope->elements; e++) {
        const haw_ale_kind *kind = kind_of(rope, e);
        double local[HAW_ROPE_DOFS], rate[HAW_ROPE_DOFS];
        haw_rope_gather(rope, e, q, local);
        haw_rope_gather(rope, e, u, rate);
        sum += kind->ops->kinetic(kind, &rope->section, local, rate);
    }
    return sum;
}

static void force(const haw_model *model, const haw_cable *cable, const double *q, const double *u,
                  double *f, double *d)
{
    const haw_rope *rope = cable->rope;
    (void)model;
    for (int e = 0; e < rope->elements; e++) {
        const haw_ale_kind *kind = kind_of(rope, e);
        double local[HAW_ROPE_DOFS], rate[HAW_ROPE_DOFS];
        double conservative[HAW_ROPE_DOFS] = {0}, damping[HAW_ROPE_DOFS] = {0};
        haw_rope_gather(rope, e, q, local);
        haw_rope_gather(rope, e, u, rate);
        kind->ops->force(kind, &rope->section, local, rate, conservative, damping);
        if (rope->element[e].is_span) {
            haw_ale_hinge_force(rope, e, local, conservative);
        }
        haw_rope_scatter(rope, e, conservative, f);
        haw_rope_scatter(rope, e, damping, d);
    }
}

static void inertia(const haw_model *model, const haw_cable *cable, const double *q,
                    const double *u, const double *a, double *y)
{
    const haw_rope *rope = cable->rope;
    (void)model;
    for (int e = 0; e < rope->elements; e++) {
        const haw_ale_kind *kind = kind_of(rope, e);
        double local[HAW_ROPE_DOFS], rate[HAW_ROPE_DOFS], acceleration[HAW_ROPE_DOFS];
        double result[HAW_ROPE_DOFS] = {0};
        haw_rope_gather(rope, e, q, local);
        haw_rope_gather(rope, e, u, rate);
        haw_rope_gather(rope, e, a, acceleration);
        kind->ops->inertia(kind, &rope->section, local, rate, acceleration, result);
        haw_rope_scatter(rope, e, result, y);
    }
}

/* The kernel's matrix has no rows of the slopes that a span's hinges act on. */
static void widen(int from, int to, double *k)
{
    for (int i = to - 1; i >= 0; i--) {
        for (int j = to - 1; j >= 0; j--) {
            k[to * i + j] = i < from && j < from ? k[from * i + j] : 0;
        }
    }
}

static void tangent(const haw_cable *cable, int e, const double *q, const double *u,
                    const double factor[2], double *k)
{
    const haw_rope *rope = cable->rope;
    const haw_ale_kind *kind = kind_of(rope, e);
    double local[HAW_ROPE_DOFS], rate[HAW_ROPE_DOFS];
    haw_rope_gather(rope, e, q, local);
    haw_rope_gather(rope, e, u, rate);
    kind->ops->tangent(kind, &rope->section, local, rate, factor, k);
    if (rope->element[e].is_span) {
        widen(kind->dofs, rope->element[e].dofs, k);
        haw_ale_hinge_tangent(rope, e, local, k);
    }
}

static const double *gather_rate(const haw_rope *rope, int e, const double *u, double *rate)
{
    if (u == NULL) {
        return NULL;
    }
    haw_rope_gather(rope, e, u, rate);
    return rate;
}

static void axial(const haw_cable *cable, int e, double s, const double *q, const double *u,
                  haw_rope_point *point)
{
    const haw_rope *rope = cable->rope;
    const haw_ale_kind *kind = kind_of(rope, e);
    double local[HAW_ROPE_DOFS], rate[HAW_ROPE_DOFS];
    haw_ale_point at;
    haw_rope_gather(rope, e, q, local);
    kind->ops->point(kind, s, local, NULL, HAW_ALE_PLACE, &at);
    kind->ops->axial(kind, &rope->section, s, local, gather_rate(rope, e, u, rate), &point->axial);
    point->x[0] = at.x[0];
    point->x[1] = at.x[1];
}

static double tension(const haw_model *model, const haw_cable *cable, int e, const double *q,
                      const double *u)
{
    const haw_rope *rope = cable->rope;
    const haw_ale_kind *kind = kind_of(rope, e);
    double local[HAW_ROPE_DOFS], rate[HAW_ROPE_DOFS];
    (void)model;
    haw_rope_gather(rope, e, q, local);
    return kind->ops->tension_mean(kind, &rope->section, local, gather_rate(rope, e, u, rate));
}

const haw_rope_ops haw_rope_ale = {
    .row.name = "ale",
    .row.summary = "rope over sheaves: cubic elements on the sheaves and modal spans, with a mesh "
                   "that moves along the material; plane",
    .row.source = "J. L. Escalona, Multibody Syst. Dyn. 2024, doi 10.1007/s11044-024-10000-w",
    .takes_hard = true,
    .layout = haw_ale_layout,
    .start = haw_ale_start,
    .energy = energy,
    .kinetic = kinetic,
    .force = force,
    .inertia = inertia,
    .tangent = tangent,
    .guide = haw_ale_guide,
    .recentre = haw_ale_recentre,
    .axial = axial,
    .tension = tension,
};
