/* SPDX-License-Identifier: BSD-3-Clause */
/* Hull, shape functions, interpolation and slackness of every element kind. */
#include "support/finite.h"
#include "support/trial.h"
#include "support/vector.h"

/* A point is in the convex hull if no direction separates it from the control points. */
static void check_hull(trial *t)
{
    const int directions = 180;
    for (int k = 0; k < TRIAL_ROWS / 2; k++) {
        int e = 0;
        double x[2], p[HAW_HULL_MAX][2];
        const double s = trial_sample(k, &e);
        t->line.ops->position(&t->line, e, s, t->q, x, NULL);
        t->line.ops->controls(&t->line, e, t->q, p);
        for (int i = 0; i < directions; i++) {
            const double c = cos(i * 2 * 3.14159265358979 / directions);
            const double n = sin(i * 2 * 3.14159265358979 / directions);
            double reach = -INFINITY;
            for (int h = 0; h < t->line.ops->hull; h++) {
                reach = fmax(reach, c * p[h][0] + n * p[h][1]);
            }
            const double out = c * x[0] + n * x[1] - reach;
            TRIAL_NEAR(t, "distance from the hull", fmax(out, 0), 0, 1e-14, 0);
        }
    }
}

/* Bent to and fro, so that the hull is not just the ends. */
static void check_bent_hull(trial *t)
{
    for (int i = 0; i < t->line.dofs; i++) {
        t->q[i] += trial_uniform(t, -0.5, 0.5) * t->line.le;
    }
    check_hull(t);
}

static void hull_contains_the_curve(void **state)
{
    (void)state;
    trial_all(check_hull, 1.06);
    trial_all(check_bent_hull, 1.06);
}

static void check_continuity(trial *t)
{
    for (int e = 0; e < TRIAL_ELEMENTS; e++) {
        double end[2], start[2];
        const double *node = t->q + t->line.ops->stride * (e + 1);
        t->line.ops->position(&t->line, e, 1, t->q, end, NULL);
        t->line.ops->position(&t->line, e, 0, t->q, start, NULL);
        for (int i = 0; i < 2; i++) {
            TRIAL_NEAR(t, "end of the element", end[i], node[i], 1e-15, 1e-15);
            TRIAL_NEAR(t, "start of the element", start[i], node[i - t->line.ops->stride], 1e-15,
                       1e-15);
        }
    }
}

static void elements_join_at_the_coordinates_of_the_nodes(void **state)
{
    (void)state;
    trial_all(check_continuity, 1.06);
}

static void check_basis(trial *t)
{
    const haw_element_ops *ops = t->line.ops;
    const int hull = ops->dofs / 2;
    for (int k = 0; k < TRIAL_ROWS / 2 && ops->basis != NULL; k++) {
        int e = 0;
        double x[2], j[2 * HAW_ELEMENT_DOFS_MAX], sum[2] = {0, 0};
        double value[HAW_HULL_MAX], slope[HAW_HULL_MAX];
        const double s = trial_sample(k, &e);
        ops->basis(&t->line, s, value, slope);
        ops->position(&t->line, e, s, t->q, x, j);
        for (int a = 0; a < hull; a++) {
            TRIAL_NEAR(t, "dx/dq", value[a], j[2 * a], 1e-15, 1e-14);
            TRIAL_NEAR(t, "dy/dq", value[a], j[ops->dofs + 2 * a + 1], 1e-15, 1e-14);
            sum[0] += value[a] * t->q[ops->stride * e + 2 * a];
            sum[1] += value[a] * t->q[ops->stride * e + 2 * a + 1];
        }
        TRIAL_NEAR(t, "x", sum[0], x[0], 1e-14, 1e-14);
        TRIAL_NEAR(t, "y", sum[1], x[1], 1e-14, 1e-14);
    }
}

static void basis_gives_the_position(void **state)
{
    (void)state;
    trial_all(check_basis, 1.06);
}

static void basis_over_s(const void *user, const double *s, double *value)
{
    const haw_line *line = user;
    double slope[HAW_HULL_MAX];
    line->ops->basis(line, *s, value, slope);
}

static void check_slope(trial *t)
{
    for (int k = 0; k < TRIAL_SAMPLES && t->line.ops->basis != NULL; k++) {
        int e = 0;
        const double s = trial_sample(k, &e);
        double value[HAW_HULL_MAX], slope[HAW_HULL_MAX], difference[HAW_HULL_MAX];
        t->line.ops->basis(&t->line, s, value, slope);
        const int hull = t->line.ops->dofs / 2;
        finite_jacobian(basis_over_s, &t->line, 1, hull, &s, 1e-2, difference);
        for (int a = 0; a < hull; a++) {
            TRIAL_NEAR(t, "slope", slope[a], difference[a], 1e-12, 0);
        }
    }
}

static void slopes_of_the_basis_agree_with_differences(void **state)
{
    (void)state;
    trial_all(check_slope, 1.06);
}

/* Of kinds that are not linear in q: x' and dx'/dq by differences of x and dx/dq. */
static void check_curved_slope(trial *t)
{
    const double h = 1e-3;
    for (int k = 0; k < TRIAL_SAMPLES && t->line.ops->slope != NULL; k++) {
        int e = 0;
        const double s = trial_sample(k, &e);
        const int n = 2 * t->line.ops->dofs;
        double x[4][2], j[4][2 * HAW_ELEMENT_DOFS_MAX], d[2], dj[2 * HAW_ELEMENT_DOFS_MAX];
        static const double at[4] = {-2, -1, 1, 2};
        for (int i = 0; i < 4; i++) {
            t->line.ops->position(&t->line, e, s + at[i] * h, t->q, x[i], j[i]);
        }
        t->line.ops->slope(&t->line, e, s, t->q, d, dj);
        for (int i = 0; i < 2; i++) {
            const double want = (8 * (x[2][i] - x[1][i]) - (x[3][i] - x[0][i])) / (12 * h);
            TRIAL_NEAR(t, "slope", d[i], want, 1e-11, 0);
        }
        for (int i = 0; i < n; i++) {
            const double want = (8 * (j[2][i] - j[1][i]) - (j[3][i] - j[0][i])) / (12 * h);
            TRIAL_NEAR(t, "Jacobian of the slope", dj[i], want, 1e-11, 0);
        }
    }
}

static void slopes_of_curved_kinds_agree_with_differences(void **state)
{
    (void)state;
    trial_all(check_curved_slope, 1.06);
}

/* A uniformly stretched straight cable is exact, with any stretch and direction. */
static void check_straight(trial *t)
{
    const trial_wave wave = {.stretch = trial_uniform(t, 0.9, 1.2),
                             .direction = trial_uniform(t, -3, 3),
                             .origin = {trial_uniform(t, -1, 1), trial_uniform(t, -1, 1)}};
    t->line.ops->interpolate(&t->line, trial_curve, &wave, t->q);
    for (int k = 0; k < TRIAL_ROWS / 2; k++) {
        int e = 0;
        double x[2], want[2], tangent[2], stretch = 0;
        haw_axial a;
        const double s = trial_sample(k, &e);
        trial_curve(&wave, (e + s) * t->line.le, want, tangent, &stretch);
        t->line.ops->position(&t->line, e, s, t->q, x, NULL);
        t->line.ops->axial(&t->line, e, s, t->q, NULL, &a);
        TRIAL_NEAR(t, "x", x[0], want[0], 1e-14, 1e-14);
        TRIAL_NEAR(t, "y", x[1], want[1], 1e-14, 1e-14);
        TRIAL_NEAR(t, "strain", a.strain, stretch - 1, 1e-14, 0);
        TRIAL_NEAR(t, "curvature", a.curvature, 0, 1e-12 / t->line.le, 0);
    }
}

static void straight_cable_is_interpolated_exactly(void **state)
{
    (void)state;
    trial_all(check_straight, 1);
}

/* Everywhere compressed: no energy, no force, no tension, no stiffness. */
static void check_slack(trial *t)
{
    const int n = t->line.dofs;
    double energy[2] = {0, 0}, f[TRIAL_DOFS];
    static double k[TRIAL_DOFS * TRIAL_DOFS];
    t->line.slack = true;
    t->line.ops->energy(&t->line, t->q, energy);
    line_force_function(&t->line, t->q, f);
    line_stiffness(&t->line, t->q, false, k);
    TRIAL_NEAR(t, "energy", energy[0], 0, 0, 0);
    TRIAL_NEAR(t, "largest force", vector_largest(n, f), 0, 0, 0);
    TRIAL_NEAR(t, "largest stiffness", vector_largest(n * n, k), 0, 0, 0);
    for (int i = 0; i < TRIAL_ROWS / 2; i++) {
        int e = 0;
        haw_axial a;
        const double s = trial_sample(i, &e);
        t->line.ops->axial(&t->line, e, s, t->q, NULL, &a);
        assert_true(a.strain < 0);
        TRIAL_NEAR(t, "tension", a.tension, 0, 0, 0);
    }
}

static void slack_cable_in_compression_carries_nothing(void **state)
{
    (void)state;
    trial_all(check_slack, 0.8);
}

static void check_taut(trial *t)
{
    const int n = t->line.dofs;
    double f[TRIAL_DOFS], g[TRIAL_DOFS], energy[2] = {0, 0}, other[2] = {0, 0};
    line_force_function(&t->line, t->q, f);
    t->line.ops->energy(&t->line, t->q, energy);
    t->line.slack = true;
    line_force_function(&t->line, t->q, g);
    t->line.ops->energy(&t->line, t->q, other);
    assert_memory_equal(f, g, (size_t)n * sizeof *f);
    TRIAL_NEAR(t, "energy", other[0], energy[0], 0, 0);
}

static void slack_option_does_not_change_a_taut_cable(void **state)
{
    (void)state;
    trial_all(check_taut, 1.2);
}

/* Partly compressed: the force is continuous and still the gradient; no point pushes. */
static void check_partly_slack(trial *t)
{
    const int n = t->line.dofs;
    double gradient[TRIAL_DOFS], f[TRIAL_DOFS];
    t->line.slack = true;
    finite_jacobian(line_energy_function, &t->line, n, 1, t->q, 1e-6 * t->line.le, gradient);
    line_force_function(&t->line, t->q, f);
    for (int i = 0; i < n; i++) {
        TRIAL_NEAR(t, "force", f[i], -gradient[i], 1e-8 * t->line.stiffness, 0);
    }
    for (int i = 0; i < TRIAL_ROWS / 2; i++) {
        int e = 0;
        haw_axial a;
        const double s = trial_sample(i, &e);
        t->line.ops->axial(&t->line, e, s, t->q, NULL, &a);
        TRIAL_NEAR(t, "tension", a.tension, fmax(0, t->line.stiffness * a.strain),
                   1e-14 * t->line.stiffness, 0);
    }
}

static void partly_slack_cable_never_pushes(void **state)
{
    (void)state;
    trial_all(check_partly_slack, 1);
}

static void rows_are_complete_and_consistent(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        const haw_element_ops *ops = (const haw_element_ops *)haw_elements[i];
        assert_ptr_equal(haw_row_find(haw_elements, ops->row.name), ops);
        assert_true(strlen(ops->row.summary) > 0 && strlen(ops->row.source) > 0);
        assert_true(ops->dofs <= HAW_ELEMENT_DOFS_MAX && ops->hull <= HAW_HULL_MAX);
        assert_int_equal(ops->dofs, ops->mass_block * ops->mass_copies);
        assert_true(ops->stride < ops->dofs && ops->mass_width < ops->mass_block);
        assert_true(ops->step_limit > 0 && ops->order > 0);
        assert_true((ops->handle == NULL) == (ops->handle_min <= 0));
        assert_true(ops->basis != NULL || ops->slope != NULL);
    }
    assert_null(haw_row_find(haw_elements, "bezzier"));
}

TEST_FILE(test_element_shape)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_complete_and_consistent),
        cmocka_unit_test(hull_contains_the_curve),
        cmocka_unit_test(elements_join_at_the_coordinates_of_the_nodes),
        cmocka_unit_test(basis_gives_the_position),
        cmocka_unit_test(slopes_of_the_basis_agree_with_differences),
        cmocka_unit_test(slopes_of_curved_kinds_agree_with_differences),
        cmocka_unit_test(straight_cable_is_interpolated_exactly),
        cmocka_unit_test(slack_cable_in_compression_carries_nothing),
        cmocka_unit_test(slack_option_does_not_change_a_taut_cable),
        cmocka_unit_test(partly_slack_cable_never_pushes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
