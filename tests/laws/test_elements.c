/* SPDX-License-Identifier: BSD-3-Clause */
/* Statics and geometry of every element kind, on random cables. */
#include "support/trial.h"
#include "support/vector.h"

static const double stretched = 1.06;

static void add_gravity(trial *t)
{
    t->line.gravity[0] = trial_uniform(t, -10, 10);
    t->line.gravity[1] = trial_uniform(t, -10, 10);
}

static void check_force(trial *t)
{
    const int n = t->line.dofs;
    double gradient[TRIAL_DOFS], f[TRIAL_DOFS];
    add_gravity(t);
    finite_jacobian(line_energy_function, &t->line, n, 1, t->q, 1e-4 * t->line.le, gradient);
    line_force_function(&t->line, t->q, f);
    const double scale = vector_largest(n, f);
    for (int i = 0; i < n; i++) {
        TRIAL_NEAR(t, "force", f[i], -gradient[i], 1e-10 * scale, 0);
    }
}

static void force_is_minus_the_gradient_of_the_energy(void **state)
{
    (void)state;
    trial_all(check_force, stretched);
    trial_stiff(check_force, stretched);
}

static void check_tangent(trial *t)
{
    const int n = t->line.dofs;
    static double difference[TRIAL_DOFS * TRIAL_DOFS], k[TRIAL_DOFS * TRIAL_DOFS];
    add_gravity(t);
    finite_jacobian(line_force_function, &t->line, n, n, t->q, 1e-3 * t->line.le, difference);
    line_stiffness(&t->line, t->q, false, k);
    const double scale = vector_largest(n * n, k);
    for (int i = 0; i < n * n; i++) {
        TRIAL_NEAR(t, "tangent", k[i], -difference[i], 1e-9 * scale, 0);
        TRIAL_NEAR(t, "transposed tangent", k[n * (i % n) + i / n], k[i], 1e-14 * scale, 0);
    }
}

static void tangent_is_minus_the_gradient_of_the_force(void **state)
{
    (void)state;
    trial_all(check_tangent, stretched);
    trial_stiff(check_tangent, stretched);
}

static void tangent_holds_for_a_pushing_cable(void **state)
{
    (void)state;
    trial_all(check_tangent, 0.9);
    trial_stiff(check_tangent, 0.9);
}

/* Without compression nothing is clipped; with it, kinds linear in q get a semidefinite tangent. */
static void check_clip(trial *t)
{
    const int n = t->line.dofs;
    static double k[TRIAL_DOFS * TRIAL_DOFS], clipped[TRIAL_DOFS * TRIAL_DOFS];
    double eigenvalue[TRIAL_DOFS];
    haw_axial state;
    t->line.ops->axial(&t->line, 0, 0.5, t->q, NULL, &state);
    line_stiffness(&t->line, t->q, false, k);
    line_stiffness(&t->line, t->q, true, clipped);
    const double scale = vector_largest(n * n, k);
    if (state.strain > 0) {
        assert_memory_equal(k, clipped, (size_t)(n * n) * sizeof *k);
    } else if (t->line.ops->mass_constant) {
        assert_int_equal(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', n, k, n, eigenvalue), 0);
        assert_true(eigenvalue[0] < -1e-6 * scale);
        assert_int_equal(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', n, clipped, n, eigenvalue), 0);
        TRIAL_NEAR(t, "smallest eigenvalue", eigenvalue[0], 0, 1e-13 * scale, 0);
    }
}

static void clipping_changes_a_pushing_cable_only(void **state)
{
    (void)state;
    trial_all(check_clip, 1.15);
    trial_all(check_clip, 0.85);
}

/* The configuration whose material points are turned by `angle` about the origin and shifted. */
static void turn(const trial *t, double angle, const double shift[2], double *q)
{
    double x[TRIAL_ROWS], now[TRIAL_ROWS], u[TRIAL_DOFS];
    static double j[TRIAL_ROWS * TRIAL_DOFS];
    const int steps = 8, corrections = 6;
    trial_points(&t->line, t->q, x, j);
    memcpy(q, t->q, sizeof t->q);
    for (int i = 0; i < steps * corrections; i++) {
        const int step = 1 + i / corrections;
        const double share = (double)step / steps;
        const double c = cos(share * angle), s = sin(share * angle);
        trial_points(&t->line, q, now, j);
        for (int k = 0; k < TRIAL_ROWS; k += 2) {
            now[k] = c * x[k] - s * x[k + 1] + share * shift[0] - now[k];
            now[k + 1] = s * x[k] + c * x[k + 1] + share * shift[1] - now[k + 1];
        }
        trial_rates(&t->line, q, now, u);
        for (int k = 0; k < t->line.dofs; k++) {
            q[k] += u[k];
        }
    }
}

static void compare_axial(const trial *t, const double *turned, double angle)
{
    for (int k = 0; k < TRIAL_ROWS / 2; k++) {
        int e = 0;
        haw_axial a, b;
        const double s = trial_sample(k, &e), c = cos(angle), n = sin(angle);
        t->line.ops->axial(&t->line, e, s, t->q, NULL, &a);
        t->line.ops->axial(&t->line, e, s, turned, NULL, &b);
        TRIAL_NEAR(t, "strain", b.strain, a.strain, 1e-13, 0);
        TRIAL_NEAR(t, "tension", b.tension, a.tension, 1e-13 * t->line.stiffness, 0);
        TRIAL_NEAR(t, "curvature", b.curvature, a.curvature, 1e-11 / t->line.le, 0);
        TRIAL_NEAR(t, "tangent x", b.tangent[0], c * a.tangent[0] - n * a.tangent[1], 1e-12, 0);
        TRIAL_NEAR(t, "tangent y", b.tangent[1], n * a.tangent[0] + c * a.tangent[1], 1e-12, 0);
    }
}

/* Power of the forces on rates u before, and on the rates of the turned velocities after. */
static void compare_power(const trial *t, const double *turned, double angle)
{
    double x[TRIAL_ROWS], v[TRIAL_ROWS], u[TRIAL_DOFS], f[TRIAL_DOFS], g[TRIAL_DOFS];
    static double j[TRIAL_ROWS * TRIAL_DOFS];
    const int n = t->line.dofs;
    const double c = cos(angle), s = sin(angle);
    trial_points(&t->line, t->q, x, j);
    for (int k = 0; k < TRIAL_ROWS; k += 2) {
        const double vx = vector_dot(n, j + k * n, t->u), vy = vector_dot(n, j + k * n + n, t->u);
        v[k] = c * vx - s * vy;
        v[k + 1] = s * vx + c * vy;
    }
    trial_rates(&t->line, turned, v, u);
    line_force_function(&t->line, t->q, f);
    line_force_function(&t->line, turned, g);
    TRIAL_NEAR(t, "power", vector_dot(n, g, u), vector_dot(n, f, t->u), 1e-13 * t->line.stiffness,
               0);
}

static void check_objectivity(trial *t)
{
    double turned[TRIAL_DOFS], before[2] = {0, 0}, after[2] = {0, 0};
    const double angle = trial_uniform(t, -1.5, 1.5);
    const double shift[2] = {trial_uniform(t, -2, 2), trial_uniform(t, -2, 2)};
    turn(t, angle, shift, turned);
    t->line.ops->energy(&t->line, t->q, before);
    t->line.ops->energy(&t->line, turned, after);
    TRIAL_NEAR(t, "elastic energy", after[0], before[0], 0, 1e-13);
    compare_axial(t, turned, angle);
    compare_power(t, turned, angle);
}

static void rigid_motion_keeps_energy_and_strain_and_turns_the_force(void **state)
{
    (void)state;
    trial_all(check_objectivity, stretched);
    trial_stiff(check_objectivity, stretched);
}

static void check_balance(trial *t)
{
    const double motions[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double f[TRIAL_DOFS], u[TRIAL_DOFS];
    line_force_function(&t->line, t->q, f);
    const double scale = vector_largest(t->line.dofs, f);
    for (int i = 0; i < 3; i++) {
        trial_rigid(&t->line, t->q, motions[i], u);
        TRIAL_NEAR(t, "power on a rigid motion", vector_dot(t->line.dofs, f, u), 0, 1e-13 * scale,
                   0);
    }
}

static void internal_forces_have_no_resultant_and_no_moment(void **state)
{
    (void)state;
    trial_all(check_balance, stretched);
    trial_stiff(check_balance, stretched);
}

/* rho J'g integrated over the cable, and -rho g.x: with the exact rule of 5 points. */
static void check_gravity(trial *t)
{
    double with[TRIAL_DOFS], without[TRIAL_DOFS], integral[TRIAL_DOFS] = {0}, energy[2] = {0, 0};
    double potential = 0;
    const int m = t->line.ops->dofs;
    haw_quadrature rule;
    haw_quadrature_init(5, &rule);
    line_force_function(&t->line, t->q, without);
    add_gravity(t);
    line_force_function(&t->line, t->q, with);
    const double *g = t->line.gravity;
    for (int k = 0; k < TRIAL_ELEMENTS * rule.points; k++) {
        const int e = k / rule.points;
        double x[2], j[2 * HAW_ELEMENT_DOFS_MAX];
        const double weight = t->line.density * t->line.le * rule.weight[k % rule.points];
        t->line.ops->position(&t->line, e, rule.s[k % rule.points], t->q, x, j);
        potential -= weight * (g[0] * x[0] + g[1] * x[1]);
        for (int i = 0; i < m; i++) {
            integral[t->line.ops->stride * e + i] += weight * (g[0] * j[i] + g[1] * j[m + i]);
        }
    }
    t->line.ops->energy(&t->line, t->q, energy);
    TRIAL_NEAR(t, "potential energy", energy[1], potential, 1e-12, 1e-13);
    const double scale = vector_largest(t->line.dofs, without);
    for (int i = 0; i < t->line.dofs; i++) {
        TRIAL_NEAR(t, "weight", with[i] - without[i], integral[i], 1e-14 * scale, 1e-12);
    }
}

static void gravity_is_the_integral_of_the_weight(void **state)
{
    (void)state;
    trial_all(check_gravity, stretched);
    trial_stiff(check_gravity, stretched);
}

typedef struct place {
    const haw_line *line;
    int element;
    double s;
    const double *q;
} place;

static void place_over_q(const void *user, const double *q, double *x)
{
    const place *at = user;
    at->line->ops->position(at->line, at->element, at->s, q, x, NULL);
}

static void place_over_s(const void *user, const double *s, double *x)
{
    const place *at = user;
    at->line->ops->position(at->line, at->element, *s, at->q, x, NULL);
}

static void check_position(trial *t)
{
    const int n = t->line.dofs, m = t->line.ops->dofs;
    for (int k = 0; k < TRIAL_ROWS / 2; k++) {
        place at = {.line = &t->line};
        at.s = trial_sample(k, &at.element);
        double x[2], j[2 * HAW_ELEMENT_DOFS_MAX], difference[2 * TRIAL_DOFS];
        t->line.ops->position(&t->line, at.element, at.s, t->q, x, j);
        finite_jacobian(place_over_q, &at, n, 2, t->q, 1e-3, difference);
        for (int i = 0; i < 2 * n; i++) {
            const int column = i % n - t->line.ops->stride * at.element;
            const bool inside = column >= 0 && column < m;
            TRIAL_NEAR(t, "dx/dq", difference[i], inside ? j[m * (i / n) + column] : 0, 1e-11, 0);
        }
    }
}

static void position_jacobian_agrees_with_differences(void **state)
{
    (void)state;
    trial_all(check_position, stretched);
}

static void slope_over_s(const void *user, const double *s, double *slope)
{
    finite_jacobian(place_over_s, user, 1, 2, s, 1e-2, slope);
}

/* Strain, tangent and curvature from differences of the position along the element. */
static void check_axial(trial *t)
{
    for (int k = 0; k < TRIAL_ROWS / 2; k++) {
        place at = {.line = &t->line, .q = t->q};
        at.s = trial_sample(k, &at.element);
        double first[2], second[2];
        haw_axial a;
        t->line.ops->axial(&t->line, at.element, at.s, t->q, NULL, &a);
        slope_over_s(&at, &at.s, first);
        finite_jacobian(slope_over_s, &at, 1, 2, &at.s, 1e-2, second);
        const double size = hypot(first[0], first[1]);
        TRIAL_NEAR(t, "strain", a.strain, size / t->line.le - 1, 1e-12, 0);
        TRIAL_NEAR(t, "tension", a.tension, t->line.stiffness * a.strain, 0, 1e-14);
        TRIAL_NEAR(t, "tangent x", a.tangent[0], first[0] / size, 1e-12, 0);
        TRIAL_NEAR(t, "tangent y", a.tangent[1], first[1] / size, 1e-12, 0);
        TRIAL_NEAR(t, "curvature", a.curvature,
                   (first[0] * second[1] - first[1] * second[0]) / pow(size, 3), 1e-9 / t->line.le,
                   0);
    }
}

static void axial_state_agrees_with_differences_of_the_position(void **state)
{
    (void)state;
    trial_all(check_axial, stretched);
}

/* Length and energy by the element's own rule, from the axial state at its points. */
static void check_length(trial *t)
{
    double energy[2] = {0, 0}, sum = 0;
    haw_quadrature rule = t->line.rule, bending;
    if (t->line.ops->force_rates != NULL) {
        trial_rules(&t->line, &rule, &bending);
    }
    for (int e = 0; e < TRIAL_ELEMENTS; e++) {
        double length = 0;
        for (int g = 0; g < rule.points; g++) {
            haw_axial a;
            t->line.ops->axial(&t->line, e, rule.s[g], t->q, NULL, &a);
            length += rule.weight[g] * t->line.le * (1 + a.strain);
            sum += rule.weight[g] * t->line.le * a.tension * a.strain / 2;
        }
        TRIAL_NEAR(t, "length", t->line.ops->length(&t->line, e, t->q), length, 0, 1e-14);
    }
    t->line.ops->energy(&t->line, t->q, energy);
    TRIAL_NEAR(t, "elastic energy", energy[0], sum, 0, 1e-13);
}

static void length_and_energy_follow_from_the_axial_state(void **state)
{
    (void)state;
    trial_all(check_length, stretched);
}

TEST_FILE(test_elements)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(force_is_minus_the_gradient_of_the_energy),
        cmocka_unit_test(tangent_is_minus_the_gradient_of_the_force),
        cmocka_unit_test(tangent_holds_for_a_pushing_cable),
        cmocka_unit_test(clipping_changes_a_pushing_cable_only),
        cmocka_unit_test(rigid_motion_keeps_energy_and_strain_and_turns_the_force),
        cmocka_unit_test(internal_forces_have_no_resultant_and_no_moment),
        cmocka_unit_test(gravity_is_the_integral_of_the_weight),
        cmocka_unit_test(position_jacobian_agrees_with_differences),
        cmocka_unit_test(axial_state_agrees_with_differences_of_the_position),
        cmocka_unit_test(length_and_energy_follow_from_the_axial_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
