/* SPDX-License-Identifier: BSD-3-Clause */
/* Shape functions of every kind; bending, damping and stress-free shapes of those that have them.
 */
#include "support/trial.h"
#include "support/vector.h"

/* Strains and curvatures of the whole cable, as `natural` gives them. */
static void strains_over_time(const void *user, const double *time, double *strain)
{
    const trial *t = user;
    double q[TRIAL_DOFS];
    for (int i = 0; i < t->line.dofs; i++) {
        q[i] = t->q[i] + *time * t->u[i];
    }
    for (int e = 0; e < TRIAL_ELEMENTS; e++) {
        t->line.ops->natural(&t->line, e, q, strain + HAW_NATURAL_MAX * e);
    }
}

enum { STRAINS = TRIAL_ELEMENTS * HAW_NATURAL_MAX };

/* Strain of the position at the axial points; its curvature times the stretch at the others. */
static void check_strains(trial *t)
{
    haw_quadrature axial, bending;
    const int stretches = trial_rules(&t->line, &axial, &bending);
    for (int e = 0; e < TRIAL_ELEMENTS; e++) {
        double natural[HAW_NATURAL_MAX];
        haw_axial a;
        t->line.ops->natural(&t->line, e, t->q, natural);
        for (int g = 0; g < stretches; g++) {
            t->line.ops->axial(&t->line, e, axial.s[g], t->q, NULL, &a);
            TRIAL_NEAR(t, "strain", natural[g], a.strain, 1e-14, 0);
        }
        for (int g = 0; g < bending.points; g++) {
            t->line.ops->axial(&t->line, e, bending.s[g], t->q, NULL, &a);
            TRIAL_NEAR(t, "curvature", natural[stretches + g], a.curvature * (1 + a.strain),
                       1e-13 / t->line.le, 0);
        }
    }
}

static void natural_strains_are_those_of_the_curve(void **state)
{
    (void)state;
    trial_stiff(check_strains, 1.06);
}

/*
 * Energy and dissipated power as sums of squares over the points, with EA and EI for the strains,
 * dEA and dEI for their rates.
 */
static void form(const trial *t, const double *strain, bool viscous, double *sum)
{
    const haw_line *line = &t->line;
    haw_quadrature axial, bending;
    const int stretches = trial_rules(line, &axial, &bending);
    *sum = 0;
    for (int i = 0; i < TRIAL_ELEMENTS * (stretches + bending.points); i++) {
        const int e = i / (stretches + bending.points), g = i % (stretches + bending.points);
        const bool is_axial = g < stretches;
        const double offset = viscous ? 0 : t->natural[HAW_NATURAL_MAX * e + g];
        const double zero = is_axial ? line->strain0 : line->curvature0;
        const double value = strain[HAW_NATURAL_MAX * e + g] - (viscous ? 0 : zero) - offset;
        const double weight = is_axial ? axial.weight[g] : bending.weight[g - stretches];
        const double elastic = is_axial ? line->stiffness : line->bending;
        const double damping = is_axial ? line->damping_strain : line->damping_curvature;
        *sum += line->le * weight * (viscous ? damping : elastic) * value * value;
    }
}

static void check_energy(trial *t)
{
    double strain[STRAINS], energy[2] = {0, 0}, sum;
    const double now = 0;
    strains_over_time(t, &now, strain);
    form(t, strain, false, &sum);
    t->line.ops->energy(&t->line, t->q, energy);
    TRIAL_NEAR(t, "energy", energy[0], sum / 2, 0, 1e-13);
}

static void energy_is_that_of_strains_and_curvatures(void **state)
{
    (void)state;
    trial_stiff(check_energy, 1.06);
}

static void forces(const haw_line *line, const double *q, const double *u, double *f, double *d)
{
    memset(f, 0, (size_t)line->dofs * sizeof *f);
    memset(d, 0, (size_t)line->dofs * sizeof *d);
    line->ops->force_rates(line, q, u, f, d);
}

static void check_power(trial *t)
{
    double rate[STRAINS], f[TRIAL_DOFS], d[TRIAL_DOFS], elastic[TRIAL_DOFS], sum;
    const double now = 0;
    finite_jacobian(strains_over_time, t, 1, STRAINS, &now, 1e-4 * t->line.le, rate);
    form(t, rate, true, &sum);
    forces(&t->line, t->q, t->u, f, d);
    TRIAL_NEAR(t, "power", vector_dot(t->line.dofs, d, t->u), -sum, 0, 1e-9);
    line_force_function(&t->line, t->q, elastic);
    const double scale = vector_largest(t->line.dofs, elastic);
    for (int i = 0; i < t->line.dofs; i++) {
        TRIAL_NEAR(t, "elastic force", f[i], elastic[i], 1e-14 * scale, 0);
    }
}

static void damping_takes_the_power_of_the_strain_rates(void **state)
{
    (void)state;
    trial_stiff(check_power, 1.06);
}

static void check_rigid(trial *t)
{
    for (int i = 0; i < 3; i++) {
        double u[TRIAL_DOFS], f[TRIAL_DOFS], d[TRIAL_DOFS], other[TRIAL_DOFS];
        trial_rigid(&t->line, t->q, (const double[3]){i == 0, i == 1, i == 2}, u);
        forces(&t->line, t->q, t->u, f, other);
        forces(&t->line, t->q, u, f, d);
        const double scale = vector_largest(t->line.dofs, other);
        TRIAL_NEAR(t, "damping of a rigid motion", vector_largest(t->line.dofs, d), 0,
                   1e-12 * scale, 0);
        TRIAL_NEAR(t, "power on a rigid motion", vector_dot(t->line.dofs, other, u), 0,
                   1e-12 * scale, 0);
    }
}

static void rigid_motion_is_not_damped(void **state)
{
    (void)state;
    trial_stiff(check_rigid, 1.06);
}

static void resisting_over_q(const void *user, const double *q, double *f)
{
    const trial *t = user;
    memset(f, 0, (size_t)t->line.dofs * sizeof *f);
    t->line.ops->force_rates(&t->line, q, t->u, f, f);
}

static void resisting_over_u(const void *user, const double *u, double *f)
{
    const trial *t = user;
    memset(f, 0, (size_t)t->line.dofs * sizeof *f);
    t->line.ops->force_rates(&t->line, t->q, u, f, f);
}

static void check_tangent_rates(trial *t)
{
    const int n = t->line.dofs, m = t->line.ops->dofs;
    static double stiffness[TRIAL_DOFS * TRIAL_DOFS], damping[TRIAL_DOFS * TRIAL_DOFS];
    static double k[TRIAL_DOFS * TRIAL_DOFS];
    double block[HAW_ELEMENT_DOFS_MAX * HAW_ELEMENT_DOFS_MAX];
    const double rate = trial_uniform(t, 0.1, 10);
    t->line.gravity[1] = -9.81;
    finite_jacobian(resisting_over_q, t, n, n, t->q, 3e-4 * t->line.le, stiffness);
    finite_jacobian(resisting_over_u, t, n, n, t->u, 1e-4, damping);
    memset(k, 0, sizeof k);
    for (int e = 0; e < TRIAL_ELEMENTS; e++) {
        const int first = t->line.ops->stride * e;
        t->line.ops->tangent_rates(&t->line, e, t->q, t->u, rate, block);
        for (int i = 0; i < m * m; i++) {
            k[n * (first + i / m) + first + i % m] += block[i];
        }
    }
    const double scale = vector_largest(n * n, k);
    for (int i = 0; i < n * n; i++) {
        TRIAL_NEAR(t, "tangent", k[i], -stiffness[i] - rate * damping[i], 1e-9 * scale, 0);
    }
}

static void tangent_of_force_and_damping_agrees_with_differences(void **state)
{
    (void)state;
    trial_stiff(check_tangent_rates, 1.06);
    trial_stiff(check_tangent_rates, 0.9);
}

static void check_slack_tangent(trial *t)
{
    t->line.slack = true;
    check_tangent_rates(t);
}

/* Tension that ends by the strain, and by its rate; no point is near to where it does. */
static void tangent_of_a_slack_cable_agrees_with_differences(void **state)
{
    (void)state;
    trial_stiff(check_slack_tangent, 1.5);
    trial_stiff(check_slack_tangent, 0.6);
}

static void check_at_rest(trial *t)
{
    const int m = t->line.ops->dofs;
    const double u[TRIAL_DOFS] = {0};
    double rates[HAW_ELEMENT_DOFS_MAX * HAW_ELEMENT_DOFS_MAX], alone[64];
    for (int e = 0; e < TRIAL_ELEMENTS; e++) {
        t->line.ops->tangent_rates(&t->line, e, t->q, u, 0, rates);
        t->line.ops->tangent(&t->line, e, t->q, false, alone);
        for (int i = 0; i < m * m; i++) {
            TRIAL_NEAR(t, "tangent at rest", rates[i], alone[i], 0, 1e-15);
        }
    }
}

static void tangents_are_the_same_at_rest(void **state)
{
    (void)state;
    trial_stiff(check_at_rest, 1.06);
}

static void check_clip(trial *t)
{
    const int n = t->line.dofs;
    static double k[TRIAL_DOFS * TRIAL_DOFS];
    double eigenvalue[TRIAL_DOFS];
    line_stiffness(&t->line, t->q, true, k);
    const double scale = vector_largest(n * n, k);
    assert_int_equal(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', n, k, n, eigenvalue), 0);
    TRIAL_NEAR(t, "smallest eigenvalue", fmin(eigenvalue[0], 0), 0, 1e-13 * scale, 0);
}

static void clipped_tangent_is_semidefinite(void **state)
{
    (void)state;
    trial_stiff(check_clip, 1.06);
    trial_stiff(check_clip, 0.85);
}

/* The drawn shape carries nothing once its own strains are the stress-free ones. */
static void check_stress_free(trial *t)
{
    double f[TRIAL_DOFS], energy[2] = {0, 0};
    haw_axial a;
    haw_quadrature axial, bending;
    const double now = 0;
    const int stretches = trial_rules(&t->line, &axial, &bending);
    t->line.strain0 = t->line.curvature0 = 0;
    line_force_function(&t->line, t->q, f);
    const double scale = vector_largest(t->line.dofs, f);
    strains_over_time(t, &now, t->natural);
    line_force_function(&t->line, t->q, f);
    t->line.ops->energy(&t->line, t->q, energy);
    TRIAL_NEAR(t, "force", vector_largest(t->line.dofs, f), 0, 1e-13 * scale, 0);
    TRIAL_NEAR(t, "energy", energy[0], 0, 1e-20 * t->line.stiffness, 0);
    for (int k = 0; k < TRIAL_ELEMENTS * stretches; k++) {
        t->line.ops->axial(&t->line, k / stretches, axial.s[k % stretches], t->q, NULL, &a);
        TRIAL_NEAR(t, "tension", a.tension, 0, 1e-13 * t->line.stiffness, 0);
    }
}

static void stress_free_shape_carries_nothing(void **state)
{
    (void)state;
    trial_stiff(check_stress_free, 1.06);
}

typedef struct spot {
    const trial *t;
    int element;
    double s;
} spot;

static void strain_over_time(const void *user, const double *time, double *strain)
{
    const spot *at = user;
    double q[TRIAL_DOFS];
    haw_axial a;
    for (int i = 0; i < at->t->line.dofs; i++) {
        q[i] = at->t->q[i] + *time * at->t->u[i];
    }
    at->t->line.ops->axial(&at->t->line, at->element, at->s, q, NULL, &a);
    *strain = a.strain;
}

/* A parabola through natural strains at the points of the rule is known in between. */
static void check_tension(trial *t)
{
    haw_quadrature axial, bending;
    const int stretches = trial_rules(&t->line, &axial, &bending);
    const double p[3] = {0.01, -0.03, 0.02};
    for (int i = 0; i < TRIAL_ELEMENTS * stretches; i++) {
        const double s = axial.s[i % stretches];
        t->natural[i / stretches * HAW_NATURAL_MAX + i % stretches] = p[0] + s * (p[1] + s * p[2]);
    }
    for (int k = 0; k < TRIAL_ROWS / 2; k++) {
        spot at = {.t = t};
        haw_axial still, moving;
        double rate = 0;
        const double now = 0, s = at.s = trial_sample(k, &at.element);
        t->line.ops->axial(&t->line, at.element, s, t->q, NULL, &still);
        t->line.ops->axial(&t->line, at.element, s, t->q, t->u, &moving);
        finite_jacobian(strain_over_time, &at, 1, 1, &now, 1e-4 * t->line.le, &rate);
        const double free = t->line.strain0 + p[0] + s * (p[1] + s * p[2]);
        const double scale = t->line.stiffness + t->line.damping_strain;
        TRIAL_NEAR(t, "tension", still.tension, t->line.stiffness * (still.strain - free),
                   1e-13 * scale, 0);
        TRIAL_NEAR(t, "damping", moving.tension - still.tension, t->line.damping_strain * rate,
                   1e-10 * scale / t->line.le, 0);
    }
}

static void tension_has_its_reference_and_its_damping(void **state)
{
    (void)state;
    trial_stiff(check_tension, 1.06);
}

/* Against the strain rates, however fast: a slack cable never pushes, and loses energy. */
static void check_slack(trial *t)
{
    double f[TRIAL_DOFS], d[TRIAL_DOFS];
    haw_axial a;
    t->line.slack = true;
    t->line.damping_curvature = 0;
    forces(&t->line, t->q, t->u, f, d);
    assert_true(vector_dot(t->line.dofs, d, t->u) <= 0);
    for (int k = 0; k < TRIAL_ROWS / 2; k++) {
        int e = 0;
        const double s = trial_sample(k, &e);
        t->line.ops->axial(&t->line, e, s, t->q, t->u, &a);
        assert_true(a.tension >= 0);
    }
}

static void slack_cable_never_pushes_while_it_moves(void **state)
{
    (void)state;
    trial_stiff(check_slack, 1.03);
    trial_stiff(check_slack, 0.95);
}

static void rows_have_all_of_it_or_nothing(void **state)
{
    (void)state;
    int stiff = 0;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        const haw_element_ops *ops = (const haw_element_ops *)haw_elements[i];
        const bool has = ops->force_rates != NULL;
        assert_true((ops->tangent_rates != NULL) == has && (ops->natural != NULL) == has);
        assert_true((ops->step_limit_bending > 0) == has);
        stiff += has;
    }
    assert_true(stiff > 0);
}

TEST_FILE(test_element_rates)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_have_all_of_it_or_nothing),
        cmocka_unit_test(natural_strains_are_those_of_the_curve),
        cmocka_unit_test(energy_is_that_of_strains_and_curvatures),
        cmocka_unit_test(damping_takes_the_power_of_the_strain_rates),
        cmocka_unit_test(rigid_motion_is_not_damped),
        cmocka_unit_test(tangent_of_force_and_damping_agrees_with_differences),
        cmocka_unit_test(tangent_of_a_slack_cable_agrees_with_differences),
        cmocka_unit_test(tangents_are_the_same_at_rest),
        cmocka_unit_test(clipped_tangent_is_semidefinite),
        cmocka_unit_test(stress_free_shape_carries_nothing),
        cmocka_unit_test(tension_has_its_reference_and_its_damping),
        cmocka_unit_test(slack_cable_never_pushes_while_it_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
