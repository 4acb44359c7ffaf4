/* SPDX-License-Identifier: BSD-3-Clause */
/* The modal span of a rope in space against closed forms, the planar span, and turned. */
#include "support/ale_space.h"

enum { S = SPACE_DOFS };

/* ---- against closed forms ---- */

static void straight(space_trial *t, double length, double stretch)
{
    static const double along[3] = {2.0 / 7, -3.0 / 7, 6.0 / 7};
    const double up[3] = {0, 1, 0};
    memset(t->q, 0, sizeof t->q);
    memset(t->u, 0, sizeof t->u);
    memset(t->a, 0, sizeof t->a);
    t->q[t->labels] = 2;
    t->q[t->labels + 1] = 2 + length;
    for (int i = 0; i < 3; i++) {
        t->q[3 + i] = stretch * length * along[i];
    }
    haw_alem_space_start(&t->kind, t->q, up);
}

/* M_t = GJ theta' + c eps, T = EA eps + c theta'. */
static void check_torque(space_trial *t)
{
    const double length = 11, strain = 1e-3, twist = 0.7;
    straight(t, length, 1 + strain);
    memset(t->section.gravity, 0, sizeof t->section.gravity);
    t->q[t->twist] = 0.2;
    t->q[t->twist + 1] = 0.2 + twist;
    double f[S] = {0}, d[S] = {0};
    haw_alem_space_force(&t->kind, &t->section, t->q, t->u, f, d);
    const haw_alem_space_section *rope = &t->section;
    const double torque = rope->torsion * twist / length + rope->coupling * strain;
    const double tension = rope->stiffness * strain + rope->coupling * twist / length;
    assert_near(f[t->twist], torque, 0, 1e-10);
    assert_near(f[t->twist + 1], -torque, 0, 1e-10);
    assert_near(vector_dot(3, f, t->q + 3) / (length * (1 + strain)), tension, 0, 1e-10);
    assert_near(vec3_norm(f + 3), fabs(tension), 0, 1e-10);
}

static void torque_and_tension_of_a_twisted_rope(void **state)
{
    (void)state;
    space_all(check_torque);
}

/* Rope of 1.4 kg/m that runs out along a line in space; see the planar test. It turns about itself
 * as it runs: the twist that passes is its own inertia. */
static void payout(space_trial *t, double speed)
{
    const double length = 11, acceleration = 0.7, slope = 0.3;
    straight(t, length, 1);
    t->section = (haw_alem_space_section){.density = 1.4, .rotary = 0.02};
    for (int i = 0; i < 3; i++) {
        t->u[3 + i] = speed * t->q[3 + i] / length;
        t->a[3 + i] = acceleration * t->q[3 + i] / length;
    }
    t->u[t->labels] = -speed;
    t->a[t->labels] = -acceleration;
    t->q[t->twist + 1] = slope * length;
    double y[S] = {0};
    haw_alem_space_inertia(&t->kind, &t->section, t->q, t->u, t->a, y);
    for (int i = 0; i < 3; i++) {
        assert_near(y[i], 5.39 * t->q[3 + i] / length, 1e-11, 0);
        assert_near(y[3 + i], 5.39 * t->q[3 + i] / length, 1e-11, 0);
    }
    /* theta at a fixed label: slope (s2 - s1) (s - s1) / (s2 - s1) while both twists are held, so
     * that with L = L0 + v t it is slope L0 (1 - (s2 - s) / L), whose second rate is this */
    const double first = speed / length, second = acceleration / length;
    const double rate = 0.02 * slope * length * length * (second - 2 * first * first);
    assert_near(y[t->twist], rate / 3, 1e-11 * (1 + speed * speed), 0);
    assert_near(y[t->twist + 1], rate / 6, 1e-11 * (1 + speed * speed), 0);
    assert_near(y[t->labels], -5.39 - slope * rate / 3, 1e-11 * (1 + speed * speed), 0);
    assert_near(y[t->labels + 1], -5.39 - slope * rate / 6, 1e-11 * (1 + speed * speed), 0);
}

static void payout_in_space_needs_half_of_the_force_at_either_end(void **state)
{
    (void)state;
    for (int kind = 0; kind < SPACE_KINDS; kind++) {
        space_trial t = space_make(kind, 1);
        payout(&t, 0);
        payout(&t, 3);
        payout(&t, 30);
    }
}

/* ---- against the planar span, in a plane of any direction ---- */

typedef struct plane {
    double x[3], y[3], z[3];
} plane;

static void lift(const plane *in, const haw_ale_kind *kind, const double *flat, double *q)
{
    const int amplitudes = kind->modes[0] + kind->modes[1];
    memset(q, 0, S * sizeof *q);
    for (int e = 0; e < 2; e++) {
        for (int i = 0; i < 3; i++) {
            q[3 * e + i] = flat[2 * e] * in->x[i] + flat[2 * e + 1] * in->y[i];
        }
        q[8 + amplitudes + e] = flat[4 + amplitudes + e];
    }
    memcpy(q + 6, flat + 4, (size_t)amplitudes * sizeof *q);
}

static void compare(const space_trial *t, const double *got, const double *want)
{
    const double scale = vector_largest(t->dofs, want);
    for (int i = 0; i < t->dofs; i++) {
        assert_near(got[i], want[i], 1e-12 * scale, 0);
    }
}

static void check_plane(const ale_trial *flat)
{
    const plane in = {
        {2.0 / 7, -3.0 / 7, 6.0 / 7}, {6.0 / 7, -2.0 / 7, -3.0 / 7}, {3.0 / 7, 6.0 / 7, 2.0 / 7}};
    const haw_ale_section *section = &flat->section;
    const haw_alem_space_section rope = {
        .stiffness = section->stiffness,
        .bending = section->bending,
        .torsion = 1,
        .density = section->density,
        .rotary = 1,
        .damping_strain = section->damping_strain,
        .damping_curvature = section->damping_curvature,
        .gravity = {section->gravity[0] * in.x[0] + section->gravity[1] * in.y[0],
                    section->gravity[0] * in.x[1] + section->gravity[1] * in.y[1],
                    section->gravity[0] * in.x[2] + section->gravity[1] * in.y[2]},
    };
    space_trial t = {.kind.modes = {flat->kind.modes[0], flat->kind.modes[1], 0}};
    double f[2][S] = {{0}}, d[2][S] = {{0}}, y[2][S] = {{0}}, want[S], along[6];
    double up[3], v[2][2] = {{0}};
    t.dofs = haw_alem_space_dofs(&t.kind);
    lift(&in, &flat->kind, flat->q, t.q);
    lift(&in, &flat->kind, flat->u, t.u);
    lift(&in, &flat->kind, flat->a, t.a);
    memcpy(along, t.q, sizeof along);
    for (int i = 0; i < 3; i++) { /* a reference that is turned by 0.3 rad in the plane */
        const double c = t.q[3 + i] - t.q[i];
        along[3 + i] = t.q[i] + c;
    }
    const double e[3] = {along[3] - along[0], along[4] - along[1], along[5] - along[2]};
    vec3_cross(in.z, e, up);
    for (int i = 0; i < 3; i++) {
        along[3 + i] += 0.3 * up[i];
    }
    haw_alem_space_start(&t.kind, along, up);
    haw_alem_space_force(&t.kind, &rope, t.q, t.u, f[0], d[0]);
    haw_alem_space_inertia(&t.kind, &rope, t.q, t.u, t.a, y[0]);
    haw_alem_space_energy(&t.kind, &rope, t.q, v[0]);
    flat->kind.ops->force(&flat->kind, section, flat->q, flat->u, f[1], d[1]);
    flat->kind.ops->inertia(&flat->kind, section, flat->q, flat->u, flat->a, y[1]);
    flat->kind.ops->energy(&flat->kind, section, flat->q, v[1]);
    lift(&in, &flat->kind, f[1], want);
    compare(&t, f[0], want);
    lift(&in, &flat->kind, d[1], want);
    compare(&t, d[0], want);
    lift(&in, &flat->kind, y[1], want);
    compare(&t, y[0], want);
    assert_near(v[0][0], v[1][0], 0, 1e-12);
    assert_near(v[0][1], v[1][1], 1e-12 * fabs(v[1][0]), 1e-12);
    assert_near(haw_alem_space_kinetic(&t.kind, &rope, t.q, t.u),
                flat->kind.ops->kinetic(&flat->kind, section, flat->q, flat->u), 0, 1e-12);
}

static void planar_motion_in_a_tilted_plane_is_that_of_the_planar_span(void **state)
{
    (void)state;
    for (int kind = 1; kind < ALE_KINDS; kind++) {
        for (uint64_t seed = 1; seed <= ALE_SEEDS; seed++) {
            const ale_trial t = ale_make(ale_kind(kind), seed, 1.05);
            check_plane(&t);
        }
    }
}

/* ---- rotations ---- */

static void rotate_all(const double r[9], const double *x, double *y)
{
    memcpy(y, x, S * sizeof *y);
    mat3_apply(r, x, y);
    mat3_apply(r, x + 3, y + 3);
}

/* Ends and reference turned together: everything turns with them. */
static void check_objective(space_trial *t)
{
    const double quaternion[4] = {0.5, -0.1, 0.7, sqrt(1 - 0.25 - 0.01 - 0.49)};
    double r[9], f[2][S] = {{0}}, d[2][S] = {{0}}, y[2][S] = {{0}}, want[S];
    space_trial other = *t;
    quaternion_matrix(quaternion, r);
    rotate_all(r, t->q, other.q);
    rotate_all(r, t->u, other.u);
    rotate_all(r, t->a, other.a);
    mat3_apply(r, t->section.gravity, other.section.gravity);
    mat3_product(r, t->kind.triad, other.kind.triad);
    haw_alem_space_force(&t->kind, &t->section, t->q, t->u, f[0], d[0]);
    haw_alem_space_inertia(&t->kind, &t->section, t->q, t->u, t->a, y[0]);
    haw_alem_space_force(&other.kind, &other.section, other.q, other.u, f[1], d[1]);
    haw_alem_space_inertia(&other.kind, &other.section, other.q, other.u, other.a, y[1]);
    rotate_all(r, f[0], want);
    compare(t, f[1], want);
    rotate_all(r, d[0], want);
    compare(t, d[1], want);
    rotate_all(r, y[0], want);
    compare(t, y[1], want);
}

static void turned_span_carries_the_same(void **state)
{
    (void)state;
    space_all(check_objective);
}

/* Renewed, the triad is where it was; from there it does not turn about e1: the shape follows a
 * turn of d by the velocity that the smallest rotation gives it. */
static void check_renewal(space_trial *t)
{
    haw_alem_space renewed = t->kind;
    haw_alem_space_point before, after;
    double omega[3], want[3], away[3], d[3];
    haw_alem_space_point_at(&t->kind, t->s, t->q, t->u, &before);
    haw_alem_space_renew(&renewed, t->q);
    haw_alem_space_point_at(&renewed, t->s, t->q, t->u, &after);
    for (int i = 0; i < 3; i++) {
        assert_near(after.x[i], before.x[i], 1e-13, 0);
        assert_near(after.bend[i], before.bend[i], 1e-11, 0);
        d[i] = t->q[3 + i] - t->q[i];
        away[i] = before.x[i] - t->q[i];
        omega[i] = t->a[i];
    }
    vec3_add(-vec3_dot(omega, d) / vec3_dot(d, d), d, omega);
    memset(t->u, 0, sizeof t->u);
    vec3_cross(omega, d, t->u + 3);
    vec3_cross(omega, away, want);
    haw_alem_space_point_at(&renewed, t->s, t->q, t->u, &after);
    for (int i = 0; i < 3; i++) {
        assert_near(after.v[i], want[i], 1e-12, 0);
    }
}

static void renewed_triad_does_not_turn_about_the_span(void **state)
{
    (void)state;
    space_all(check_renewal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torque_and_tension_of_a_twisted_rope),
        cmocka_unit_test(payout_in_space_needs_half_of_the_force_at_either_end),
        cmocka_unit_test(planar_motion_in_a_tilted_plane_is_that_of_the_planar_span),
        cmocka_unit_test(turned_span_carries_the_same),
        cmocka_unit_test(renewed_triad_does_not_turn_about_the_span),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
