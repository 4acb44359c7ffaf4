/* SPDX-License-Identifier: BSD-3-Clause */
/* Equilibria of spatial beams against closed forms and published figures. */
#include "support/space_cantilever.h"

static void an_end_moment_rolls_a_cantilever_up_to_a_full_circle(void **state)
{
    (void)state;
    const int elements[] = {5, 10, 40};
    for (int k = 0; k < 3; k++) {
        cantilever c;
        double tip[7];
        set_roll_up(&c, elements[k], 1, 10);
        find_tip(&c, tip);
        for (int j = 0; j < 3; j++) {
            assert_near(tip[j], 0, 1e-12, 0);
        }
        assert_near(fabs(tip[3]), 1, 1e-12, 0); /* the same frame, after a full turn */
    }
}

static void half_the_moment_makes_half_a_circle(void **state)
{
    (void)state;
    cantilever c;
    double tip[7];
    set_roll_up(&c, 8, 0.5, 5);
    find_tip(&c, tip);
    assert_near(tip[0], 0, 1e-11, 0);
    assert_near(tip[1], 2 * 10 / PI, 1e-11, 0);
    assert_near(tip[2], 0, 1e-12, 0);
}

static void a_follower_moment_makes_the_same_circle(void **state)
{
    (void)state;
    cantilever c;
    double tip[7];
    set_roll_up(&c, 10, 1, 10);
    c.force.follows = true;
    find_tip(&c, tip);
    assert_near(sqrt(tip[0] * tip[0] + tip[1] * tip[1]), 0, 1e-11, 0);
}

static void a_moment_about_the_axis_twists(void **state)
{
    (void)state;
    cantilever c;
    double tip[7];
    set_roll_up(&c, 6, 0, 1);
    c.force.moment[0] = (haw_function){.constant = 90};
    find_tip(&c, tip);
    assert_near(2 * atan2(tip[4], tip[3]), 90 * 10 / 1000.0, 1e-12, 0);
    assert_near(tip[0], 10, 1e-12, 0);
}

/* ---- elastica under a dead tip load ---- */

/* Richardson of two meshes, error O(l^2). */
static double extrapolate(double coarse, double fine)
{
    return fine + (fine - coarse) / 3;
}

/* By elliptic integrals: tip angle, deflection and position over the length. */
static void a_tip_load_bends_a_cantilever_to_the_elastica(void **state)
{
    (void)state;
    const double table[][4] = {{1, 26.433520, 0.30172077, 0.94356676},
                               {2, 44.790966, 0.49345748, 0.83935828},
                               {5, 69.635464, 0.71379152, 0.61237164},
                               {10, 81.949325, 0.81060902, 0.44500440}};
    for (int k = 0; k < 4; k++) {
        double tip[2][7], angle[2];
        for (int i = 0; i < 2; i++) {
            cantilever c;
            set_elastica(&c, 24 << i, table[k][0]);
            find_tip(&c, tip[i]);
            angle[i] = 2 * atan2(tip[i][6], tip[i][3]) * 180 / PI;
        }
        assert_near(extrapolate(angle[0], angle[1]), table[k][1], 2e-4, 0);
        assert_near(extrapolate(tip[0][1], tip[1][1]), table[k][2], 1e-6, 0);
        assert_near(extrapolate(tip[0][0], tip[1][0]), table[k][3], 1e-6, 0);
        assert_near(tip[1][2], 0, 1e-12, 0);
    }
}

/* ---- 45 degree bend (K. J. Bathe, S. Bolourchi, Int. J. Numer. Meth. Eng. 14 (1979) 961) ---- */

static void set_bend(cantilever *c, int elements, double load, int load_steps)
{
    set_cantilever(c, elements, 1, load_steps);
    c->arc = (haw_path_segment){.is_arc = true, .center = {100, 0}, .angle_deg = -45};
    c->arc.radius = 100;
    c->cable.segments = 1;
    c->cable.path = &c->arc;
    c->cable.reference = HAW_REFERENCE_DRAWN;
    c->cable.stiffness = 1e7;
    c->cable.shear_stiffness = 5e6;
    c->cable.bending_stiffness = c->cable.torsional_stiffness = 1e7 / 12;
    c->force.force[2] = (haw_function){.constant = load};
}

static void the_bend_with_eight_elements_has_its_printed_digits(void **state)
{
    (void)state;
    const double want[3] = {15.71112, 47.23185, 53.33318};
    const int load_steps[] = {6, 20};
    for (int k = 0; k < 2; k++) {
        cantilever c;
        double tip[7];
        set_bend(&c, 8, 600, load_steps[k]);
        find_tip(&c, tip);
        for (int j = 0; j < 3; j++) {
            assert_near(tip[j], want[j], 5e-6, 0);
        }
    }
}

static void the_bend_converges_with_order_two_to_its_extrapolated_figures(void **state)
{
    (void)state;
    const double want[3] = {15.684801, 47.150438, 53.474859};
    double tip[3][7];
    for (int k = 0; k < 3; k++) {
        cantilever c;
        set_bend(&c, 16 << k, 600, 8);
        find_tip(&c, tip[k]);
    }
    for (int j = 0; j < 3; j++) {
        const double order = log2((tip[0][j] - tip[1][j]) / (tip[1][j] - tip[2][j]));
        assert_near(order, 2, 0.02, 0);
        assert_near(extrapolate(tip[1][j], tip[2][j]), want[j], 1e-5, 0);
    }
}

static void one_load_step_is_divided_where_newton_does_not_converge(void **state)
{
    (void)state;
    cantilever c;
    double at_once[7], in_steps[7];
    set_bend(&c, 8, 600, 1);
    find_tip(&c, at_once);
    set_bend(&c, 8, 600, 8);
    find_tip(&c, in_steps);
    for (int j = 0; j < 3; j++) {
        assert_near(at_once[j], in_steps[j], 1e-9, 0);
    }
}

/* ---- other elements, other loads ---- */

TEST_FILE(test_space_static)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_end_moment_rolls_a_cantilever_up_to_a_full_circle),
        cmocka_unit_test(half_the_moment_makes_half_a_circle),
        cmocka_unit_test(a_follower_moment_makes_the_same_circle),
        cmocka_unit_test(a_moment_about_the_axis_twists),
        cmocka_unit_test(a_tip_load_bends_a_cantilever_to_the_elastica),
        cmocka_unit_test(the_bend_with_eight_elements_has_its_printed_digits),
        cmocka_unit_test(the_bend_converges_with_order_two_to_its_extrapolated_figures),
        cmocka_unit_test(one_load_step_is_divided_where_newton_does_not_converge),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
