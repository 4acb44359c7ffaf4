/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces and tangents of every spatial element kind, on random cables. */
#include "base/lie.h"
#include "support/finite.h"
#include "support/space_trial.h"
#include "support/vector.h"

/* Energy, forces and rates as functions of increments of q. */
static void energy_over_q(const void *user, const double *d, double *value)
{
    const space_trial *t = user;
    double q[SPACE_Q], energy[2] = {0, 0};
    space_move(&t->beam, t->q, d, q);
    t->beam.ops->energy(&t->beam, q, energy);
    value[0] = energy[0] + energy[1];
}

static void static_over_q(const void *user, const double *d, double *f)
{
    const space_trial *t = user;
    double q[SPACE_Q];
    space_move(&t->beam, t->q, d, q);
    space_forces(&t->beam, q, NULL, f);
}

static void forces_over_q(const void *user, const double *d, double *f)
{
    const space_trial *t = user;
    double q[SPACE_Q];
    space_move(&t->beam, t->q, d, q);
    space_forces(&t->beam, q, t->u, f);
}

static void forces_over_u(const void *user, const double *u, double *f)
{
    const space_trial *t = user;
    space_forces(&t->beam, t->q, u, f);
}

static const double nothing[SPACE_U] = {0};
static const double step = 5e-5;

static void check_force(space_trial *t)
{
    double gradient[SPACE_U], f[SPACE_U];
    finite_jacobian(energy_over_q, t, SPACE_U, 1, nothing, step, gradient);
    space_forces(&t->beam, t->q, NULL, f);
    const double scale = vector_largest(SPACE_U, f);
    for (int i = 0; i < SPACE_U; i++) {
        SPACE_NEAR(t, "force", f[i], -gradient[i], 1e-9 * scale);
    }
}

static void force_is_minus_the_gradient_of_the_energy(void **state)
{
    (void)state;
    space_all(check_force);
}

static void compare(const space_trial *t, const char *what, const double *k,
                    const double *difference, double rate)
{
    const double scale = vector_largest(SPACE_U * SPACE_U, k);
    for (int i = 0; i < SPACE_U * SPACE_U; i++) {
        SPACE_NEAR(t, what, rate * k[i], -difference[i], 1e-9 * scale);
    }
}

static void check_tangent(space_trial *t)
{
    static double difference[SPACE_U * SPACE_U], k[SPACE_U * SPACE_U];
    finite_jacobian(static_over_q, t, SPACE_U, SPACE_U, nothing, step, difference);
    space_tangent(&t->beam, t->q, NULL, 0, k);
    compare(t, "static tangent", k, difference, 1);
    finite_jacobian(forces_over_q, t, SPACE_U, SPACE_U, nothing, step, difference);
    space_tangent(&t->beam, t->q, t->u, 0, k);
    compare(t, "tangent", k, difference, 1);
}

static void tangent_is_minus_the_gradient_of_the_forces(void **state)
{
    (void)state;
    space_all(check_tangent);
}

static void check_rate(space_trial *t)
{
    static double difference[SPACE_U * SPACE_U], k[SPACE_U * SPACE_U], rate[SPACE_U * SPACE_U];
    finite_jacobian(forces_over_u, t, SPACE_U, SPACE_U, t->u, 1e-2, difference);
    space_tangent(&t->beam, t->q, t->u, 0, k);
    space_tangent(&t->beam, t->q, t->u, 2.5, rate);
    for (int i = 0; i < SPACE_U * SPACE_U; i++) {
        rate[i] = (rate[i] - k[i]) / 2.5;
    }
    compare(t, "damping matrix", rate, difference, 1);
}

static void damping_matrix_is_minus_the_gradient_to_the_velocities(void **state)
{
    (void)state;
    space_all(check_rate);
}

/* Where the stress is zero the tangent has no geometric part and is symmetric. */
static void check_symmetry(space_trial *t)
{
    static double k[SPACE_U * SPACE_U];
    for (int e = 0; e < SPACE_ELEMENTS && t->beam.ops->natural != NULL; e++) {
        t->beam.ops->natural(&t->beam, e, t->q, t->natural + HAW_STRAINS * e);
        t->beam.natural = t->natural;
    }
    space_tangent(&t->beam, t->q, NULL, 0, k);
    const double scale = vector_largest(SPACE_U * SPACE_U, k);
    for (int i = 0; i < SPACE_U * SPACE_U; i++) {
        SPACE_NEAR(t, "transposed tangent", k[SPACE_U * (i % SPACE_U) + i / SPACE_U], k[i],
                   1e-14 * scale);
    }
}

static void tangent_of_a_stress_free_shape_is_symmetric(void **state)
{
    (void)state;
    space_all(check_symmetry);
}

static void check_objectivity(space_trial *t)
{
    double turned[SPACE_Q], f[SPACE_U], g[SPACE_U], u[SPACE_U];
    double pose[4], shift[3], before[2] = {0, 0}, after[2] = {0, 0};
    for (int i = 0; i < 4; i++) {
        pose[i] = space_uniform(t, -1, 1);
        shift[i % 3] = space_uniform(t, -1, 1);
    }
    quaternion_normalise(pose);
    memset(t->beam.gravity, 0, sizeof t->beam.gravity);
    space_turn(&t->beam, t->q, pose, shift, turned);
    for (int e = 0; e < SPACE_ELEMENTS; e++) {
        haw_space_strain a, b;
        t->beam.ops->strain(&t->beam, e, 0.3, t->q, NULL, &a);
        t->beam.ops->strain(&t->beam, e, 0.3, turned, NULL, &b);
        for (int i = 0; i < HAW_STRAINS; i++) {
            SPACE_NEAR(t, "strain", b.strain[i], a.strain[i], 1e-14);
            SPACE_NEAR(t, "stress", b.stress[i], a.stress[i], 1e-14 * t->beam.stiffness[i]);
        }
    }
    t->beam.ops->energy(&t->beam, t->q, before);
    t->beam.ops->energy(&t->beam, turned, after);
    SPACE_NEAR(t, "elastic energy", after[0], before[0], 3e-14 * before[0]);
    space_forces(&t->beam, t->q, NULL, f);
    space_forces(&t->beam, turned, NULL, g);
    const double scale = vector_largest(SPACE_U, f);
    memcpy(u, f, sizeof u);
    for (int k = 0; k < SPACE_U / 3; k++) {
        if (!t->beam.ops->has_rotations || k % 2 == 0) {
            quaternion_rotate(pose, f + 3 * k, u + 3 * k);
        }
    }
    for (int i = 0; i < SPACE_U; i++) {
        SPACE_NEAR(t, "turned force", g[i], u[i], 5e-14 * scale);
    }
}

static void rigid_motion_keeps_energy_and_strain_and_turns_the_force(void **state)
{
    (void)state;
    space_all(check_objectivity);
}

static void check_balance(space_trial *t)
{
    double f[SPACE_U] = {0}, d[SPACE_U] = {0}, u[SPACE_U] = {0};
    memset(t->beam.gravity, 0, sizeof t->beam.gravity);
    t->beam.ops->force(&t->beam, t->q, t->u, f, d);
    for (int i = 0; i < 6; i++) {
        double motion[6] = {0};
        motion[i] = 1;
        space_rigid(&t->beam, t->q, motion, u);
        SPACE_NEAR(t, "power on a rigid motion", vector_dot(SPACE_U, f, u), 0,
                   1e-14 * vector_largest(SPACE_U, f));
        SPACE_NEAR(t, "viscous power on a rigid motion", vector_dot(SPACE_U, d, u), 0,
                   1e-14 * vector_largest(SPACE_U, d));
    }
    assert_true(vector_dot(SPACE_U, d, t->u) < 0 || t->beam.ops->stretches_only);
}

static void internal_forces_have_no_resultant_and_no_moment(void **state)
{
    (void)state;
    space_all(check_balance);
}

static void check_rigid_drag(space_trial *t)
{
    double f[SPACE_U] = {0}, d[SPACE_U] = {0}, u[SPACE_U] = {0}, motion[6];
    for (int i = 0; i < 6; i++) {
        motion[i] = space_uniform(t, -2, 2);
    }
    t->beam.ops->force(&t->beam, t->q, t->u, f, d);
    const double scale = vector_largest(SPACE_U, d);
    memset(d, 0, sizeof d);
    space_rigid(&t->beam, t->q, motion, u);
    t->beam.ops->force(&t->beam, t->q, u, f, d);
    for (int i = 0; i < SPACE_U; i++) {
        SPACE_NEAR(t, "drag", d[i], 0, 1e-13 * scale);
    }
}

static void rigid_motion_is_not_damped(void **state)
{
    (void)state;
    space_all(check_rigid_drag);
}

/* All stresses, damping included, from differences of the strains along the motion. */
static void strain_over_time(const void *user, const double *time, double *strain)
{
    const space_trial *t = user;
    double d[SPACE_U], q[SPACE_Q];
    haw_space_strain state;
    for (int i = 0; i < SPACE_U; i++) {
        d[i] = time[0] * t->u[i];
    }
    space_move(&t->beam, t->q, d, q);
    t->beam.ops->strain(&t->beam, 1, 0.4, q, NULL, &state);
    memcpy(strain, state.strain, sizeof state.strain);
}

/* Of an element without rotations the row has powers of s (ancf_space.c). */
static double natural_at(const space_trial *t, int i, double s)
{
    const double *row = t->natural + HAW_STRAINS;
    if (t->beam.natural == NULL) {
        return 0;
    }
    if (t->beam.ops->has_rotations) {
        return row[i];
    }
    return i == 0 ? row[0] + s * (row[1] + s * row[2]) : row[5] + s * row[4];
}

static void check_stress(space_trial *t)
{
    const double now[1] = {0};
    double rate[HAW_STRAINS];
    haw_space_strain rest, moving;
    finite_jacobian(strain_over_time, t, 1, HAW_STRAINS, now, 1e-4, rate);
    t->beam.ops->strain(&t->beam, 1, 0.4, t->q, NULL, &rest);
    t->beam.ops->strain(&t->beam, 1, 0.4, t->q, t->u, &moving);
    for (int i = 0; i < HAW_STRAINS; i++) {
        const double natural = natural_at(t, i, 0.4);
        const double elastic = space_stiffness(&t->beam, i) * (rest.strain[i] - natural);
        const bool is_known = t->beam.ops->has_rotations || i == 0 || i == 5;
        /* a curvature that is known by its length only is told from none by 1e-8 / Le^2 */
        const double blur = t->beam.ops->has_rotations ? 1e-9 : 1e-6;
        SPACE_NEAR(t, "elastic stress", rest.stress[i], is_known ? elastic : 0,
                   blur * t->beam.stiffness[i]);
        SPACE_NEAR(t, "viscous stress", moving.stress[i] - rest.stress[i],
                   t->beam.damping[i] * rate[i], blur * t->beam.damping[i]);
    }
    SPACE_NEAR(t, "tension", moving.tension, moving.stress[0], 0);
}

static void stress_follows_strain_and_its_rate(void **state)
{
    (void)state;
    space_all(check_stress);
}

/* Everywhere compressed: no energy, no force, no tension, no stiffness; stretched as without slack.
 */
static void check_slack(space_trial *t)
{
    static double k[SPACE_U * SPACE_U];
    double f[SPACE_U], taut[SPACE_U], energy[2] = {0, 0};
    haw_space_strain state;
    if (!t->beam.ops->stretches_only) {
        return;
    }
    memset(t->beam.gravity, 0, sizeof t->beam.gravity);
    for (int i = 0; i < SPACE_Q; i++) {
        t->q[i] *= 2;
    }
    space_forces(&t->beam, t->q, NULL, taut);
    t->beam.slack = true;
    space_forces(&t->beam, t->q, NULL, f);
    for (int i = 0; i < SPACE_U; i++) {
        SPACE_NEAR(t, "force of a taut cable", f[i], taut[i], 0);
    }
    for (int i = 0; i < SPACE_Q; i++) {
        t->q[i] *= 0.25;
    }
    t->beam.ops->energy(&t->beam, t->q, energy);
    space_forces(&t->beam, t->q, NULL, f);
    space_tangent(&t->beam, t->q, NULL, 0, k);
    t->beam.ops->strain(&t->beam, 1, 0.3, t->q, NULL, &state);
    SPACE_NEAR(t, "energy", energy[0], 0, 0);
    SPACE_NEAR(t, "force", vector_largest(SPACE_U, f), 0, 0);
    SPACE_NEAR(t, "stiffness", vector_largest(SPACE_U * SPACE_U, k), 0, 0);
    SPACE_NEAR(t, "tension", state.tension, 0, 0);
    assert_true(state.strain[0] < 0);
}

static void slack_cable_in_compression_carries_nothing(void **state)
{
    (void)state;
    space_all(check_slack);
}

TEST_FILE(test_space_elements)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(force_is_minus_the_gradient_of_the_energy),
        cmocka_unit_test(tangent_is_minus_the_gradient_of_the_forces),
        cmocka_unit_test(damping_matrix_is_minus_the_gradient_to_the_velocities),
        cmocka_unit_test(tangent_of_a_stress_free_shape_is_symmetric),
        cmocka_unit_test(rigid_motion_keeps_energy_and_strain_and_turns_the_force),
        cmocka_unit_test(internal_forces_have_no_resultant_and_no_moment),
        cmocka_unit_test(rigid_motion_is_not_damped),
        cmocka_unit_test(stress_follows_strain_and_its_rate),
        cmocka_unit_test(slack_cable_in_compression_carries_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
