/* SPDX-License-Identifier: BSD-3-Clause */
/* Tangents of the planar rope elements against differences of their forces. */
#include "support/ale.h"
#include "support/finite.h"
#include "support/vector.h"

enum { N = HAW_ALE_DOFS };

/* What the tangent is the derivative of, without mass: -(f + d) over q and over u. */
static void resisting_over_q(const void *user, const double *q, double *f)
{
    const ale_trial *t = user;
    memset(f, 0, N * sizeof *f);
    t->kind.ops->force(&t->kind, &t->section, q, t->u, f, f);
}

static void resisting_over_u(const void *user, const double *u, double *f)
{
    const ale_trial *t = user;
    memset(f, 0, N * sizeof *f);
    t->kind.ops->force(&t->kind, &t->section, t->q, u, f, f);
}

static void check_tangent(ale_trial *t)
{
    const int n = t->kind.dofs;
    const double mass = ale_uniform(t, 1, 100), rate = ale_uniform(t, 0.1, 10);
    const double factor[2] = {mass, rate};
    double k[N * N], m[N * N], stiffness[N * N] = {0}, damping[N * N] = {0};
    t->kind.ops->tangent(&t->kind, &t->section, t->q, t->u, factor, k);
    t->kind.ops->mass(&t->kind, &t->section, t->q, m);
    finite_jacobian(resisting_over_q, t, n, n, t->q, ale_step(t), stiffness);
    finite_jacobian(resisting_over_u, t, n, n, t->u, 1e-4, damping);
    const double scale = vector_largest(n * n, k);
    for (int i = 0; i < n * n; i++) {
        const bool is_free = i / n < n - 2 && i % n < n - 2;
        const double want = mass * m[i] - rate * damping[i] - stiffness[i];
        ALE_NEAR(t, "tangent", k[i], is_free ? want : 0, is_free ? 1e-9 * scale : 0, 0);
    }
}

static void tangent_agrees_with_differences(void **state)
{
    (void)state;
    ale_all(check_tangent);
}

static void check_string_tangent(ale_trial *t)
{
    t->section.bending = t->section.damping_curvature = 0;
    check_tangent(t);
    t->section.damping_strain = 0;
    check_tangent(t);
}

static void check_parts_of_the_tangent(ale_trial *t)
{
    const haw_ale_section all = t->section;
    t->section = (haw_ale_section){.bending = all.bending};
    check_tangent(t);
    t->section = (haw_ale_section){.damping_curvature = all.damping_curvature};
    check_tangent(t);
    t->section = (haw_ale_section){.damping_strain = all.damping_strain};
    check_tangent(t);
    t->section = (haw_ale_section){.density = 1, .gravity = {3, -9.81}};
    check_tangent(t);
}

static void tangent_of_each_part_agrees_with_differences(void **state)
{
    (void)state;
    ale_all(check_string_tangent);
    ale_all(check_parts_of_the_tangent);
}

TEST_FILE(test_ale_tangent)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tangent_agrees_with_differences),
        cmocka_unit_test(tangent_of_each_part_agrees_with_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
