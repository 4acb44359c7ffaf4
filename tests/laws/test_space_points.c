/* SPDX-License-Identifier: BSD-3-Clause */
/* Kinematics and inertia of every spatial element kind, on random cables. */
#include "base/lie.h"
#include "support/finite.h"
#include "support/space_trial.h"
#include "support/table.h"
#include "support/vector.h"

static const double samples[5] = {0, 0.2, 0.55, 0.9, 1};

typedef struct place {
    const space_trial *t;
    double s;
} place;

static void at_place(const place *at, const double *d, bool jacobians, haw_space_point *point)
{
    double q[SPACE_Q];
    space_move(&at->t->beam, at->t->q, d, q);
    at->t->beam.ops->point(&at->t->beam, 1, at->s, q, jacobians, point);
}

static const double nothing[SPACE_U] = {0};

/* Position, and the rotation since d = 0 as an inertial rotation vector. */
static void point_over_q(const void *user, const double *d, double *value)
{
    const place *at = user;
    haw_space_point point, reference;
    double a[4], b[4], w[3];
    at_place(at, d, false, &point);
    at_place(at, nothing, false, &reference);
    memcpy(value, point.x, sizeof point.x);
    quaternion_from_matrix(reference.rotation, a);
    quaternion_from_matrix(point.rotation, b);
    so3_difference(a, b, w);
    mat3_apply(reference.rotation, w, value + 3);
}

static void check_jacobian(space_trial *t)
{
    for (int k = 0; k < 5; k++) {
        const place at = {t, samples[k]};
        double difference[6 * SPACE_U];
        haw_space_point point;
        at_place(&at, nothing, true, &point);
        finite_jacobian(point_over_q, &at, SPACE_U, 6, nothing, 1e-3, difference);
        for (int i = 0; i < 3 * SPACE_U; i++) {
            const int row = i / SPACE_U, column = i % SPACE_U - t->beam.ops->node_dofs;
            const bool inside = column >= 0 && column < t->beam.ops->dofs;
            const bool turns = inside && t->beam.ops->has_rotations;
            SPACE_NEAR(t, "dx/dq", inside ? point.jx[row][column] : 0, difference[i], 1e-9);
            SPACE_NEAR(t, "rotation", turns ? point.jw[row][column] : 0,
                       t->beam.ops->has_rotations ? difference[3 * SPACE_U + i] : 0, 1e-9);
            SPACE_NEAR(t, "none", inside && !turns ? point.jw[row][column] : 0, 0, 0);
        }
    }
}

static void point_jacobians_agree_with_differences(void **state)
{
    (void)state;
    space_all(check_jacobian);
}

/* jx' f + jw' m of a force and a moment that are held, over the velocities of element 1. */
static const double force[3] = {0.7, -0.4, 1.1}, moment[3] = {-0.3, 0.9, 0.5};

static void power_over_q(const void *user, const double *d, double *value)
{
    const place *at = user;
    haw_space_point point;
    at_place(at, d, true, &point);
    for (int a = 0; a < at->t->beam.ops->dofs; a++) {
        value[a] = 0;
        for (int i = 0; i < 3; i++) {
            value[a] += point.jx[i][a] * force[i] + point.jw[i][a] * moment[i];
        }
    }
}

static void turn_over_s(const void *user, const double *s, double *value)
{
    const place at = {user, *s};
    haw_space_point point;
    at_place(&at, nothing, true, &point);
    memcpy(value, point.jw, sizeof point.jw);
}

static void check_change(space_trial *t)
{
    const haw_space_ops *ops = t->beam.ops;
    const int n = ops->dofs;
    for (int k = 0; k < 5 && ops->has_rotations; k++) {
        const place at = {t, samples[k]};
        double own[HAW_SPACE_DOFS * HAW_SPACE_DOFS] = {0}, difference[HAW_SPACE_DOFS * SPACE_U];
        double twist[3][HAW_SPACE_DOFS], rate[3 * HAW_SPACE_DOFS];
        ops->point_tangent(&t->beam, 1, at.s, t->q, force, moment, own);
        finite_jacobian(power_over_q, &at, SPACE_U, n, nothing, 1e-3, difference);
        for (int i = 0; i < n * SPACE_U; i++) {
            const int column = i % SPACE_U - ops->node_dofs;
            const bool inside = column >= 0 && column < n;
            SPACE_NEAR(t, "d(J' f)/dq", inside ? -own[n * (i / SPACE_U) + column] : 0,
                       difference[i], 1e-9);
        }
        ops->twist(&t->beam, 1, at.s, t->q, twist);
        finite_jacobian(turn_over_s, t, 1, 3 * HAW_SPACE_DOFS, &at.s, 1e-3, rate);
        for (int i = 0; i < 3 * n; i++) {
            SPACE_NEAR(t, "dw/ds", twist[i / n][i % n], rate[i], 1e-9);
        }
    }
}

static void point_tangents_agree_with_differences(void **state)
{
    (void)state;
    space_all(check_change);
}

static void check_nodes(space_trial *t)
{
    for (int side = 0; side < 2; side++) {
        const double *node = t->q + t->beam.ops->node_coordinates * (1 + side);
        const int width = t->beam.ops->node_dofs;
        haw_space_point point;
        double frame[9], t0[3] = {0}, p[4][3];
        t->beam.ops->point(&t->beam, 1, side, t->q, true, &point);
        quaternion_matrix(node + 3, frame);
        for (int i = 0; i < 3 && t->beam.ops->polygon != NULL; i++) {
            t->beam.ops->polygon(&t->beam, 1, t->q, p);
            t0[i] = p[1 + 2 * side][i] - p[2 * side][i];
        }
        const double size = t->beam.ops->polygon != NULL ? vec3_norm(t0) : 1;
        for (int i = 0; i < 3; i++) {
            SPACE_NEAR(t, "position", point.x[i], node[i], 1e-14);
            SPACE_NEAR(t, "axis", point.rotation[3 * i],
                       t->beam.ops->has_rotations ? frame[3 * i] : t0[i] / size, 1e-14);
            for (int j = 0; j < t->beam.ops->dofs; j++) {
                SPACE_NEAR(t, "dx/dt", point.jx[i][j], j == width * side + i ? 1 : 0, 1e-14);
                const int axis = j - width * side - 3;
                const bool turns = t->beam.ops->has_rotations && axis >= 0 && axis < 3;
                SPACE_NEAR(t, "omega", point.jw[i][j], turns ? frame[3 * i + axis] : 0, 1e-14);
            }
        }
    }
}

static void ends_of_an_element_are_its_nodes(void **state)
{
    (void)state;
    space_all(check_nodes);
}

static void position_over_s(const void *user, const double *s, double *x)
{
    const space_trial *t = user;
    haw_space_point point;
    t->beam.ops->point(&t->beam, 1, *s, t->q, false, &point);
    memcpy(x, point.x, sizeof point.x);
}

static void check_stretch(space_trial *t)
{
    const double *a = t->q + t->beam.ops->node_coordinates, *b = a + t->beam.ops->node_coordinates;
    const double chord[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    haw_space_strain state;
    t->beam.ops->strain(&t->beam, 1, 0.5, t->q, NULL, &state);
    SPACE_NEAR(t, "stretch", 1 + state.strain[0], vec3_norm(chord) / t->beam.le, 1e-14);
}

/* On chords the stretch is that of the chord, and the line leaves the nodes along their axes. */
static void check_cubic(space_trial *t)
{
    check_stretch(t);
    for (int end = 0; end < 2; end++) {
        const double s = end;
        double slope[3];
        haw_space_point point;
        finite_jacobian(position_over_s, t, 1, 3, &s, 1e-3, slope);
        t->beam.ops->point(&t->beam, 1, s, t->q, false, &point);
        for (int i = 0; i < 3; i++) {
            SPACE_NEAR(t, "slope", slope[i] / t->beam.le, point.rotation[3 * i], 1e-10);
        }
    }
}

/* The slope of the centreline is R (1 + strain) with shear; ANCF has no shear. */
static void check_slope(space_trial *t)
{
    if (strcmp(t->beam.ops->row.name, "corotational") == 0) {
        check_cubic(t);
        return;
    }
    if (t->beam.ops->on_chords) {
        check_stretch(t);
    }
    for (int k = 0; k < 5; k++) {
        double slope[3], frame[3];
        haw_space_point point;
        haw_space_strain state;
        finite_jacobian(position_over_s, t, 1, 3, &samples[k], 1e-3, slope);
        t->beam.ops->point(&t->beam, 1, samples[k], t->q, false, &point);
        t->beam.ops->strain(&t->beam, 1, samples[k], t->q, NULL, &state);
        const double gamma[3] = {1 + state.strain[0], state.strain[1], state.strain[2]};
        mat3_apply_t(point.rotation, slope, frame);
        for (int i = t->beam.ops->on_chords ? 1 : 0; i < 3; i++) {
            SPACE_NEAR(t, "slope", frame[i] / t->beam.le, gamma[i], 1e-10);
        }
        for (int i = 0; i < 9; i++) {
            const double *a = point.rotation + 3 * (i / 3), *b = point.rotation + 3 * (i % 3);
            SPACE_NEAR(t, "orthonormal frame", vec3_dot(a, b), i % 4 == 0 ? 1 : 0, 1e-14);
        }
    }
}

static void strains_agree_with_the_slope_of_the_centreline(void **state)
{
    (void)state;
    space_all(check_slope);
}

static void slope_over_s(const void *user, const double *s, double *slope)
{
    finite_jacobian(position_over_s, user, 1, 3, s, 1e-2, slope);
}

static void check_curvature(space_trial *t)
{
    if (t->beam.ops->has_rotations) {
        return; /* sheared: its curvature is not that of the centreline */
    }
    for (int k = 0; k < 5; k++) {
        double first[3], second[3], normal[3];
        haw_space_strain state;
        slope_over_s(t, &samples[k], first);
        finite_jacobian(slope_over_s, t, 1, 3, &samples[k], 1e-2, second);
        vec3_cross(first, second, normal);
        t->beam.ops->strain(&t->beam, 1, samples[k], t->q, NULL, &state);
        SPACE_NEAR(t, "curvature", state.curvature,
                   vec3_norm(normal) / vec3_dot(first, first) /
                       (t->beam.ops->stretches_only ? vec3_norm(first) : t->beam.le),
                   1e-9);
    }
}

static void curvature_agrees_with_that_of_the_centreline(void **state)
{
    (void)state;
    space_all(check_curvature);
}

static void check_mass(space_trial *t)
{
    const int n = t->beam.ops->dofs;
    double m[HAW_SPACE_DOFS * HAW_SPACE_DOFS], sum = 0;
    t->beam.ops->mass(&t->beam, m);
    for (int e = 0; e < SPACE_ELEMENTS; e++) {
        for (int i = 0; i < n; i++) {
            const double *u = t->u + t->beam.ops->node_dofs * e;
            sum += 0.5 * u[i] * vector_dot(n, m + n * i, u);
        }
    }
    SPACE_NEAR(t, "kinetic energy", t->beam.ops->kinetic(&t->beam, t->u), sum, 1e-14 * sum);
    assert_true(sum > 0);
}

static void kinetic_energy_is_that_of_the_mass(void **state)
{
    (void)state;
    space_all(check_mass);
}

/* A translation has the energy and the momentum of all the mass, in any shape. */
static void check_translation(space_trial *t)
{
    const double mass = t->beam.density * t->beam.le * SPACE_ELEMENTS;
    const double motion[6] = {0.3, -0.7, 0.5};
    const int n = t->beam.ops->dofs;
    double u[SPACE_U], v[3][SPACE_U], m[HAW_SPACE_DOFS * HAW_SPACE_DOFS], momentum[3] = {0};
    space_rigid(&t->beam, t->q, motion, u);
    t->beam.ops->mass(&t->beam, m);
    for (int k = 0; k < 3; k++) {
        const double unit[6] = {k == 0, k == 1, k == 2};
        space_rigid(&t->beam, t->q, unit, v[k]);
    }
    for (int i = 0; i < SPACE_ELEMENTS * n; i++) {
        const int first = t->beam.ops->node_dofs * (i / n), row = i % n;
        const double p = vector_dot(n, m + n * row, u + first);
        for (int k = 0; k < 3; k++) {
            momentum[k] += v[k][first + row] * p;
        }
    }
    SPACE_NEAR(t, "energy", t->beam.ops->kinetic(&t->beam, u),
               0.5 * mass * vec3_dot(motion, motion), 1e-14);
    for (int i = 0; i < 3; i++) {
        SPACE_NEAR(t, "momentum", momentum[i], mass * motion[i], 1e-14);
    }
}

static void translation_has_the_momentum_of_all_the_mass(void **state)
{
    (void)state;
    space_all(check_translation);
}

/* -W x J W of half an element at each end of it; without power. */
static void check_gyroscopic(space_trial *t)
{
    double f[SPACE_U] = {0};
    assert_true(t->beam.ops->has_rotations == (t->beam.ops->gyroscopic != NULL));
    if (t->beam.ops->gyroscopic == NULL) {
        return;
    }
    t->beam.ops->gyroscopic(&t->beam, t->u, f);
    SPACE_NEAR(t, "power", vector_dot(SPACE_U, f, t->u), 0, 1e-15);
    for (int n = 0; n < SPACE_NODES; n++) {
        const double *w = t->u + 6 * n + 3, *j = t->beam.rotary;
        const double share = t->beam.le * (n == 0 || n == SPACE_ELEMENTS ? 0.5 : 1);
        const double want[6] = {0,
                                0,
                                0,
                                share * (j[1] - j[2]) * w[1] * w[2],
                                share * (j[2] - j[0]) * w[2] * w[0],
                                share * (j[0] - j[1]) * w[0] * w[1]};
        for (int i = 0; i < 6; i++) {
            SPACE_NEAR(t, "gyroscopic force", f[6 * n + i],
                       t->beam.ops->has_rotations ? want[i] : 0, 1e-15);
        }
    }
}

static void gyroscopic_forces_do_no_work(void **state)
{
    (void)state;
    space_all(check_gyroscopic);
}

static void check_difference(space_trial *t)
{
    double to[SPACE_Q], d[SPACE_U] = {0};
    haw_space_nodes_move(t->beam.ops, SPACE_NODES, t->q, 1, t->u, to);
    haw_space_nodes_difference(t->beam.ops, SPACE_NODES, t->q, to, d);
    for (int i = 0; i < SPACE_U; i++) {
        SPACE_NEAR(t, "difference", d[i], t->u[i], 2e-15);
    }
    memcpy(to, t->q, sizeof to);
    haw_space_nodes_move(t->beam.ops, SPACE_NODES, to, 1, t->u, to);
    haw_space_nodes_difference(t->beam.ops, SPACE_NODES, t->q, to, d);
    for (int i = 0; i < SPACE_U; i++) {
        SPACE_NEAR(t, "difference in place", d[i], t->u[i], 2e-15);
    }
}

static void difference_of_nodes_is_the_move_between_them(void **state)
{
    (void)state;
    space_all(check_difference);
}

static void check_turn(space_trial *t)
{
    const int stride = t->beam.ops->node_coordinates;
    int element = -1;
    double turned[SPACE_Q];
    const double pose[4] = {cos(0.75), 0, sin(0.75), 0}, none[3] = {0};
    if (t->beam.ops->turn == NULL) {
        return;
    }
    haw_beam one = t->beam;
    one.elements = 1;
    memcpy(turned, t->q, sizeof turned);
    for (int n = 1; n < SPACE_NODES; n++) {
        memcpy(turned + stride * n, t->q, (size_t)stride * sizeof *turned);
    }
    space_turn(&(haw_beam){.ops = t->beam.ops}, t->q, pose, none, turned + 2 * stride);
    space_turn(&(haw_beam){.ops = t->beam.ops}, t->q, pose, none, turned + 3 * stride);
    SPACE_NEAR(t, "no turn", haw_space_nodes_turn(&one, turned, &element), 0, 0);
    assert_int_equal(element, 0);
    const double angle = haw_space_nodes_turn(&t->beam, turned, &element);
    assert_int_equal(element, 1);
    if (t->beam.ops->has_rotations) {
        SPACE_NEAR(t, "turn", angle, 1.5, 1e-14);
    }
    turned[4] = NAN;
    assert_true(isnan(haw_space_nodes_turn(&t->beam, turned, &element)));
}

static void largest_turn_names_its_element(void **state)
{
    (void)state;
    space_all(check_turn);
}

/* The strains of an arc are its curvature, whatever the element's length, and of a chord that it is
 * shorter than the arc. */
static void arc_is_bent_by_its_curvature(void **state)
{
    (void)state;
    for (int k = 0; haw_space_elements[k] != NULL; k++) {
        const space_helix arc = {{1, 0, 0, 0}, {0, 0, 0}, 2, 0.5, 0};
        space_trial t = space_trial_make(space_element_at(k), 1);
        t.beam.le = t.beam.ops->has_rotations ? 1.9 : 0.05;
        t.beam.ops->interpolate(&t.beam, space_curve, &arc, t.q);
        for (int e = 0; e < SPACE_ELEMENTS && t.beam.ops->natural != NULL; e++) {
            const double half = 0.25 * t.beam.le;
            const double chord = t.beam.ops->on_chords ? sin(half) / half - 1 : 0;
            const double want[HAW_STRAINS] = {chord, 0, 0, 0, 0, 0.5};
            double strain[HAW_STRAINS];
            t.beam.ops->natural(&t.beam, e, t.q, strain);
            for (int i = 0; i < HAW_STRAINS; i++) {
                const double tolerance = t.beam.ops->has_rotations ? 1e-14 : 1e-6;
                SPACE_NEAR(&t, "strain", strain[i], want[i], tolerance);
            }
        }
    }
}

static void elements_are_found_by_name(void **state)
{
    (void)state;
    for (int k = 0; haw_space_elements[k] != NULL; k++) {
        assert_ptr_equal(haw_row_find(haw_space_elements, haw_space_elements[k]->name),
                         haw_space_elements[k]);
    }
    assert_null(haw_row_find(haw_space_elements, "bezzier"));
}

TEST_FILE(test_space_points)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(point_jacobians_agree_with_differences),
        cmocka_unit_test(point_tangents_agree_with_differences),
        cmocka_unit_test(ends_of_an_element_are_its_nodes),
        cmocka_unit_test(strains_agree_with_the_slope_of_the_centreline),
        cmocka_unit_test(curvature_agrees_with_that_of_the_centreline),
        cmocka_unit_test(kinetic_energy_is_that_of_the_mass),
        cmocka_unit_test(translation_has_the_momentum_of_all_the_mass),
        cmocka_unit_test(gyroscopic_forces_do_no_work),
        cmocka_unit_test(difference_of_nodes_is_the_move_between_them),
        cmocka_unit_test(largest_turn_names_its_element),
        cmocka_unit_test(arc_is_bent_by_its_curvature),
        cmocka_unit_test(elements_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
