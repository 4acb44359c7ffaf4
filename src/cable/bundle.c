/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many cables as one line of elements, for contact: grids, centrelines and what is near of all of
 * them are found at once, in a time that is that of all points together and not of all pairs. What
 * contact asks of an element is answered by the cable that has it.
 */
#include "cable/cable.h"

#include <math.h>
#include <string.h>

const haw_cable *haw_cable_member(const haw_cable *cable, int *e)
{
    if (cable->bundle == NULL) {
        return cable;
    }
    const int i = cable->bundle->owner[*e];
    *e -= cable->bundle->first[i];
    return haw_cable_part(cable, i);
}

int haw_cable_beside(const haw_cable *cable, int e, int step)
{
    const int i = haw_cable_part_of(cable, e), first = haw_cable_part_first(cable, i);
    const int n = haw_cable_part_first(cable, i + 1) - first, at = e - first + step;
    if (cable->line.closed) {
        return first + (at % n + n) % n;
    }
    return at >= 0 && at < n ? first + at : -1;
}

/* ---- what contact asks ---- */

static haw_dofs dofs(const haw_cable *cable, int e)
{
    const haw_cable *member = haw_cable_member(cable, &e);
    return member->ops->dofs(member, e);
}

/* NOLINTNEXTLINE(readability-function-size): a row of haw_cable_ops */
static void point(const haw_cable *cable, int e, double s, const double *q, const double *u,
                  int want, haw_cable_point *at)
{
    const haw_cable *member = haw_cable_member(cable, &e);
    member->ops->point(member, e, s, q, u, want, at);
}

static void slope(const haw_cable *cable, int e, double s, const double *q, double d[3],
                  double j[3][HAW_CABLE_DOFS])
{
    const haw_cable *member = haw_cable_member(cable, &e);
    member->ops->slope(member, e, s, q, d, j);
}

static void curve(const haw_cable *cable, int e, double s, const double *q, double d[3][3])
{
    const haw_cable *member = haw_cable_member(cable, &e);
    member->ops->curve(member, e, s, q, d);
}

static bool is_cubic(const haw_cable *cable)
{
    const haw_cable *member = haw_cable_part(cable, 0); /* all have the same elements */
    return member->ops->is_cubic(member);
}

static void bends(const haw_cable *cable, int e, const double *q, double bend[2])
{
    const haw_cable *member = haw_cable_member(cable, &e);
    member->ops->bends(member, e, q, bend);
}

/* NOLINTNEXTLINE(readability-function-size): a row of haw_cable_ops */
static void point_tangent(const haw_cable *cable, int e, double s, const double *q,
                          const double f[3], const double *m, double *k)
{
    const haw_cable *member = haw_cable_member(cable, &e);
    if (member->ops->point_tangent != NULL) {
        member->ops->point_tangent(member, e, s, q, f, m, k);
    }
}

static void twist(const haw_cable *cable, int e, double s, const double *q,
                  double w[3][HAW_CABLE_DOFS])
{
    const haw_cable *member = haw_cable_member(cable, &e);
    member->ops->twist(member, e, s, q, w);
}

static void bounds(const haw_cable *cable, int e, const double *q, haw_bounds *box)
{
    const haw_cable *member = haw_cable_member(cable, &e);
    member->ops->bounds(member, e, q, box);
}

static void state(const haw_cable *cable, int e, double s, const double *q, const double *u,
                  haw_sample *sample)
{
    const haw_cable *member = haw_cable_member(cable, &e);
    member->ops->state(member, e, s, q, u, sample);
}

static double longest(const haw_cable *cable)
{
    double most = 0;
    for (int i = 0; i < cable->bundle->count; i++) {
        const haw_cable *member = haw_cable_part(cable, i);
        most = fmax(most, member->ops->longest(member));
    }
    return most;
}

static double reach(const haw_cable *cable, const double *q, const double *q_plus)
{
    double most = 0;
    for (int i = 0; i < cable->bundle->count; i++) {
        const haw_cable *member = haw_cable_part(cable, i);
        most = fmax(most, member->ops->reach(member, q, q_plus));
    }
    return most;
}

static double speed(const haw_cable *cable, const double *u)
{
    double most = 0;
    for (int i = 0; i < cable->bundle->count; i++) {
        most = fmax(most, haw_cable_speed(haw_cable_part(cable, i), u));
    }
    return most;
}

static const haw_cable_ops ops = {
    .row.name = "bundle",
    .row.summary = "cables that contact takes for one",
    .takes_hard = true,
    .dofs = dofs,
    .point = point,
    .slope = slope,
    .curve = curve,
    .is_cubic = is_cubic,
    .bends = bends,
    .point_tangent = point_tangent,
    .twist = twist,
    .bounds = bounds,
    .state = state,
    .longest = longest,
    .reach = reach,
    .speed = speed,
};

haw_status haw_bundle_build(haw_arena *arena, int count, const haw_cable **member, haw_cable *cable)
{
    haw_bundle *bundle = haw_arena_allocate(arena, 1, sizeof *bundle);
    int *back = haw_arena_allocate(arena, (size_t)count, sizeof *back);
    int *first = haw_arena_allocate(arena, (size_t)count + 1, sizeof *first);
    HAW_TRY(haw_arena_status(arena));
    for (int i = 0; i < count; i++) {
        first[i + 1] = first[i] + member[i]->line.elements;
    }
    int *owner = haw_arena_allocate(arena, (size_t)first[count], sizeof *owner);
    HAW_TRY(haw_arena_status(arena));
    const char *name = cable->name;
    *bundle = (haw_bundle){count, back, first, owner, member[0]->line.le};
    *cable = *member[0];
    cable->ops = &ops;
    cable->name = name;
    cable->bundle = bundle;
    cable->start = NULL;
    cable->line.dofs = cable->coordinates = 0;
    for (int i = 0; i < count; i++) {
        back[i] = (int)(cable - member[i]);
        for (int e = first[i]; e < first[i + 1]; e++) {
            owner[e] = i;
        }
        cable->line.le = fmax(cable->line.le, member[i]->line.le);
        bundle->shortest = fmin(bundle->shortest, member[i]->line.le);
    }
    cable->line.elements = first[count];
    return HAW_OK;
}
