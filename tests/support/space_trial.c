/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/space_trial.h"

#include "base/lie.h"
#include "support/random.h"
#include "support/table.h"

void space_near(const space_trial *t, const char *what, const double pair[2], double tolerance)
{
    if (!(fabs(pair[0] - pair[1]) <= tolerance)) {
        fail_msg("%s, seed %llu: %s is %.17g, expected %.17g (error %.3g)", t->beam.ops->row.name,
                 (unsigned long long)t->seed, what, pair[0], pair[1], fabs(pair[0] - pair[1]));
    }
}

double space_stiffness(const haw_beam *beam, int i)
{
    if (!beam->ops->bends_as_cubic || i < 1 || i > 2) {
        return beam->stiffness[i];
    }
    const double cubic = beam->le * beam->le / (12 * beam->stiffness[i == 1 ? 5 : 4]);
    return 1 / (1 / beam->stiffness[i] + cubic);
}

double space_uniform(space_trial *t, double low, double high)
{
    return low + (high - low) * (1 + random_signed(&t->random)) / 2;
}

void space_curve(const void *user, double xi, haw_section *section)
{
    const space_helix *p = user;
    const double a = p->rate * xi, r = p->radius;
    const double x[3] = {r * cos(a), r * sin(a), p->rise * xi};
    const double slope[3] = {-r * p->rate * sin(a), r * p->rate * cos(a), p->rise};
    const double size = vec3_norm(slope);
    const double t[3] = {slope[0] / size, slope[1] / size, slope[2] / size};
    const double n[3] = {-cos(a), -sin(a), 0};
    double b[3], local[4];
    vec3_cross(t, n, b);
    const double frame[9] = {t[0], n[0], b[0], t[1], n[1], b[1], t[2], n[2], b[2]};
    quaternion_from_matrix(frame, local);
    quaternion_product(p->pose, local, section->quaternion);
    quaternion_rotate(p->pose, x, section->x);
    vec3_add(1, p->origin, section->x);
    section->stretch = size;
}

void space_move(const haw_beam *beam, const double *q, const double *d, double *to)
{
    haw_space_nodes_move(beam->ops, beam->elements + 1, q, 1, d, to);
}

space_trial space_trial_make(const haw_space_ops *ops, uint64_t seed)
{
    space_trial t = {.seed = seed, .random = seed * UINT64_C(0x9E3779B97F4A7C15)};
    haw_beam *beam = &t.beam;
    *beam = (haw_beam){.ops = ops, .elements = SPACE_ELEMENTS, .le = space_uniform(&t, 0.4, 0.8)};
    beam->density = space_uniform(&t, 0.1, 2);
    const double stretch = space_uniform(&t, 0.9, 1.1), climb = space_uniform(&t, 0.2, 0.7);
    space_helix helix = {.rate = space_uniform(&t, 0.6, 1.2) / beam->le};
    double q[SPACE_Q] = {0}, d[SPACE_U] = {0};
    const int dofs = haw_space_dofs(ops, SPACE_ELEMENTS);
    helix.radius = stretch * cos(climb) / helix.rate;
    helix.rise = stretch * sin(climb);
    for (int i = 0; i < 4; i++) {
        helix.pose[i] = space_uniform(&t, -1, 1);
    }
    quaternion_normalise(helix.pose);
    for (int i = 0; i < 3; i++) {
        helix.origin[i] = space_uniform(&t, -0.5, 0.5);
        beam->rotary[i] = beam->density * space_uniform(&t, 0.01, 0.1);
        beam->gravity[i] = space_uniform(&t, -10, 10);
    }
    ops->interpolate(beam, space_curve, &helix, q);
    for (int i = 0; i < dofs; i++) {
        d[i] = space_uniform(&t, -0.03, 0.03);
        t.u[i] = space_uniform(&t, -1, 1);
    }
    space_move(beam, q, d, t.q);
    for (int i = 0; i < HAW_STRAINS; i++) {
        beam->stiffness[i] = space_uniform(&t, 1e3, 1e4);
        beam->damping[i] = space_uniform(&t, 0.1, 1) * beam->stiffness[i];
        beam->damping[i] *= ops->stretches_only ? 0 : 1;
    }
    haw_quadrature_init(3, &beam->rule);
    return t;
}

/** A stress-free shape near the helices. `natural` is a part of t: call it where t stays. */
static void space_trial_curve(space_trial *t)
{
    for (int i = 0; i < SPACE_ELEMENTS * HAW_STRAINS; i++) {
        t->natural[i] = space_uniform(t, -0.1, 0.1);
    }
    for (int e = 0; e < SPACE_ELEMENTS; e++) {
        t->natural[HAW_STRAINS * e + 5] = space_uniform(t, 0.1, 1) / t->beam.le;
    }
    t->beam.natural = t->natural;
}

void space_all(space_check check)
{
    for (int k = 0; haw_space_elements[k] != NULL; k++) {
        for (uint64_t seed = 1; seed <= SPACE_SEEDS; seed++) {
            space_trial t = space_trial_make(space_element_at(k), seed);
            if (seed % 2 == 0 && !t.beam.ops->stretches_only) {
                space_trial_curve(&t);
            }
            check(&t);
        }
    }
}

void space_forces(const haw_beam *beam, const double *q, const double *u, double *f)
{
    memset(f, 0, SPACE_U * sizeof *f);
    beam->ops->force(beam, q, u, f, f);
    if (u != NULL && beam->ops->gyroscopic != NULL) {
        beam->ops->gyroscopic(beam, u, f);
    }
}

void space_tangent(const haw_beam *beam, const double *q, const double *u, double rate, double *k)
{
    const int n = beam->ops->dofs;
    double element[HAW_SPACE_DOFS * HAW_SPACE_DOFS];
    memset(k, 0, SPACE_U * SPACE_U * sizeof *k);
    for (int e = 0; e < beam->elements; e++) {
        beam->ops->tangent(beam, e, q, u, rate, element);
        for (int i = 0; i < n * n; i++) {
            const int first = beam->ops->node_dofs * e;
            const int row = first + i / n, column = first + i % n;
            k[SPACE_U * row + column] += element[i];
        }
    }
}

/* Vector k of a kind without rotations is a place, or a slope. */
static bool is_place(const haw_space_ops *ops, int k)
{
    return ops->node_dofs != 6 || k % 2 == 0;
}

void space_rigid(const haw_beam *beam, const double *q, const double motion[6], double *u)
{
    const int vectors = haw_space_dofs(beam->ops, beam->elements) / 3;
    for (int k = 0; k < vectors; k++) {
        const double *from = q + (beam->ops->has_rotations ? 7 * (k / 2) : 3 * k);
        if (beam->ops->has_rotations && k % 2 == 1) {
            double r[9];
            quaternion_matrix(from + 3, r);
            mat3_apply_t(r, motion + 3, u + 3 * k);
            continue;
        }
        vec3_cross(motion + 3, from, u + 3 * k);
        vec3_add(is_place(beam->ops, k) ? 1 : 0, motion, u + 3 * k);
    }
}

void space_turn(const haw_beam *beam, const double *q, const double pose[4], const double shift[3],
                double *to)
{
    const int vectors = haw_space_dofs(beam->ops, beam->elements) / 3;
    for (int k = 0; k < vectors; k++) {
        const int at = beam->ops->has_rotations ? 7 * (k / 2) + 3 * (k % 2) : 3 * k;
        if (beam->ops->has_rotations && k % 2 == 1) {
            quaternion_product(pose, q + at, to + at);
            continue;
        }
        quaternion_rotate(pose, q + at, to + at);
        vec3_add(is_place(beam->ops, k) ? 1 : 0, shift, to + at);
    }
}
