/* SPDX-License-Identifier: BSD-3-Clause */
/* Corotational beam: its polygons in closed form, its limits those of the arcs. */
#include "base/lie.h"
#include "model/system.h"
#include "support/finite.h"
#include "support/scenario.h"
#include "support/space_trial.h"

static const double PI = 3.14159265358979323846;

static void start(scenario_run *run, int elements)
{
    scenario_init(run, "bathe-bolourchi");
    scenario_set(run, "cables.beam.element=corotational");
    scenario_set(run, "cables.beam.elements=%d", elements);
}

static void find_tip(scenario_run *run, double tip[3])
{
    scenario_complete(run);
    const haw_cable *cable = &run->model->cable[0];
    const double *q = haw_simulation_frame(run->simulation)->state->q + cable->first_q;
    memcpy(tip, q + (ptrdiff_t)7 * cable->beam.elements, 3 * sizeof *tip);
    scenario_close(run);
}

/* Length 10 under the end moment of that many turns. */
static void roll_up(int elements, double turns, double tip[3])
{
    scenario_run run;
    start(&run, elements);
    scenario_set(&run, "cables.beam.path=[{line: [10, 0, 0]}]");
    scenario_set(&run, "cables.beam.from=[0, 0, 0]");
    scenario_set(&run, "cables.beam.stiffness=1.0e+6");
    scenario_set(&run, "cables.beam.shear_stiffness=1.0e+6");
    scenario_set(&run, "cables.beam.bending_stiffness=1000");
    scenario_set(&run, "cables.beam.torsional_stiffness=1000");
    scenario_set(&run, "forces.beam.force=[0, 0, 0]");
    scenario_set(&run, "forces.beam.moment=[0, 0, %.17g]", 2 * PI * turns * 1000 / 10);
    find_tip(&run, tip);
}

/* Chords of unstretched length, each along its middle frame: a regular polygon. */
static void roll_up_is_a_polygon_that_tends_to_the_circle(void **state)
{
    (void)state;
    double tip[3], error[3];
    for (int i = 0; i < 3; i++) {
        const int n = 8 << i;
        roll_up(n, 0.5, tip);
        assert_near(tip[0], 0, 1e-11, 0);
        assert_near(tip[1], 10.0 / n / sin(PI / (2 * n)), 1e-11, 0);
        assert_near(tip[2], 0, 1e-12, 0);
        error[i] = tip[1] - 2 * 10 / PI;
    }
    print_message("errors %.3e %.3e %.3e\n", error[0], error[1], error[2]);
    assert_near(log2(error[0] / error[1]), 2, 0.01, 0);
    assert_near(log2(error[1] / error[2]), 2, 0.01, 0);
    roll_up(10, 1, tip);
    assert_near(vec3_norm(tip), 0, 1e-11, 0);
}

static void curved_cantilever_tends_to_the_limit_of_the_arcs(void **state)
{
    (void)state;
    const double limit[3] = {15.684801, 47.150438, 53.474859};
    double tip[3][3];
    for (int i = 0; i < 3; i++) {
        scenario_run run;
        start(&run, 16 << i);
        find_tip(&run, tip[i]);
    }
    for (int j = 0; j < 3; j++) {
        const double order = log2((tip[0][j] - tip[1][j]) / (tip[1][j] - tip[2][j]));
        const double end = tip[2][j] + (tip[2][j] - tip[1][j]) / 3;
        print_message("%.6f %.6f %.6f -> %.6f, order %.3f\n", tip[0][j], tip[1][j], tip[2][j], end,
                      order);
        assert_near(order, 2, 0.05, 0);
        assert_near(end, limit[j], 1e-5, 0);
    }
}

/* Nodes on a circle, their frames turned by +- `angle` about its axis or across it. */
static void zigzag(const char *element, int axis, double angle, double strain[HAW_STRAINS])
{
    const space_helix arc = {{1, 0, 0, 0}, {0, 0, 0}, 2, 0.5, 0};
    haw_beam beam = {.ops = (const haw_space_ops *)haw_row_find(haw_space_elements, element),
                     .elements = 3,
                     .le = 1};
    double q[SPACE_Q];
    beam.ops->interpolate(&beam, space_curve, &arc, q);
    for (int n = 0; n < SPACE_NODES; n++) {
        double turn[3] = {0};
        turn[axis] = n % 2 == 0 ? angle : -angle;
        so3_move(q + 7 * n + 3, 1, turn, q + 7 * n + 3);
    }
    beam.ops->natural(&beam, 1, q, strain);
}

/* The arcs' stretch is that of an arc of the frames' turn 2 eta over the chord, eta / sin(eta). */
static void stretch_of_a_chord_does_not_follow_the_turns_of_its_nodes(void **state)
{
    (void)state;
    const double chord = 4 * sin(0.25), angle = 1e-3, eta = 0.25 + angle;
    double strain[HAW_STRAINS];
    for (int k = -1; k <= 1; k++) {
        zigzag("corotational", 2, k * angle, strain);
        assert_near(strain[0], chord - 1, 1e-15, 0);
        assert_near(strain[5], 0.5 + 2 * k * angle, 1e-15, 0);
        zigzag("se3-chord", 2, k * angle, strain);
        assert_near(strain[0], chord - 1, 1e-15, 0);
        assert_near(strain[5], 0.5 + 2 * k * angle, 1e-15, 0);
    }
    zigzag("se3", 2, angle, strain);
    assert_near(strain[0], chord * eta / sin(eta) - 1, 1e-15, 0);
    for (int axis = 0; axis < 2; axis++) {
        double change[2];
        for (int i = 0; i < 2; i++) {
            zigzag("corotational", axis, angle / (1 << i), strain);
            change[i] = strain[0] - (chord - 1);
        }
        assert_true(fabs(change[0]) < angle * angle);
        assert_true(fabs(change[0] - 4 * change[1]) < 1e-4 * angle * angle);
    }
}

/* Stiffness of a straight element in its plane, (w_A, theta_A, w_B, theta_B), EI = L = 1. */
static void straight_element_has_the_stiffness_of_the_cubic(void **state)
{
    (void)state;
    static const double cubic[4][4] = {
        {12, 6, -12, 6}, {6, 4, -6, 2}, {-12, -6, 12, -6}, {6, 2, -6, 4}};
    static const int in_plane[4] = {1, 5, 7, 11}, upright[4] = {2, 4, 8, 10};
    haw_beam beam = {.ops = (const haw_space_ops *)haw_row_find(haw_space_elements, "corotational"),
                     .elements = 1,
                     .le = 1};
    const double q[14] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0}, u[12] = {0};
    double k[144];
    for (int i = 0; i < HAW_STRAINS; i++) {
        beam.stiffness[i] = i == 1 || i == 2 ? 1e14 : 1;
    }
    beam.ops->tangent(&beam, 0, q, u, 0, k);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) { /* turns about y tilt the other way */
            const double sign = (i + j) % 2 == 0 ? 1 : -1;
            assert_near(k[12 * in_plane[i] + in_plane[j]], cubic[i][j], 1e-11, 0);
            assert_near(k[12 * upright[i] + upright[j]], sign * cubic[i][j], 1e-11, 0);
        }
    }
}

/* The factors of the middle turn hold wherever the logarithm does. */
typedef struct middle {
    double q[14];
} middle;

static void strains_over_turns(const void *user, const double *d, double *strain)
{
    const middle *m = user;
    const haw_beam beam = {
        .ops = (const haw_space_ops *)haw_row_find(haw_space_elements, "corotational"),
        .elements = 1,
        .le = 1};
    double q[14];
    haw_space_nodes_move(beam.ops, 2, m->q, 1, d, q);
    beam.ops->natural(&beam, 0, q, strain);
}

static void force_holds_up_to_half_a_turn(void **state)
{
    (void)state;
    const double angles[] = {0, 1e-9, 1e-3, 0.5, 1.5, 2.5, 3.0, 3.12}, none[12] = {0};
    for (int k = 0; k < 8; k++) {
        middle m = {{0, 0, 0, 1, 0, 0, 0, 0.9, 0.3, -0.2, 1, 0, 0, 0}};
        const double axis[3] = {angles[k] / 3, -2 * angles[k] / 3, 2 * angles[k] / 3};
        haw_beam beam = {
            .ops = (const haw_space_ops *)haw_row_find(haw_space_elements, "corotational"),
            .elements = 1,
            .le = 1};
        double f[12] = {0}, difference[6 * 12], strain[HAW_STRAINS];
        so3_move(m.q + 3, 1, axis, m.q + 10);
        strains_over_turns(&m, none, strain);
        finite_jacobian(strains_over_turns, &m, 12, 6, none, 1e-3, difference);
        for (int i = 0; i < HAW_STRAINS; i++) {
            beam.stiffness[i] = 1 + i;
        }
        beam.ops->force(&beam, m.q, NULL, f, f);
        for (int j = 0; j < 12; j++) {
            double want = 0;
            for (int i = 0; i < HAW_STRAINS; i++) {
                want -= space_stiffness(&beam, i) * strain[i] * difference[12 * i + j];
            }
            assert_near(f[j], want, 1e-9, 0);
        }
    }
}

TEST_FILE(test_space_corotational)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roll_up_is_a_polygon_that_tends_to_the_circle),
        cmocka_unit_test(curved_cantilever_tends_to_the_limit_of_the_arcs),
        cmocka_unit_test(straight_element_has_the_stiffness_of_the_cubic),
        cmocka_unit_test(stretch_of_a_chord_does_not_follow_the_turns_of_its_nodes),
        cmocka_unit_test(force_holds_up_to_half_a_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
