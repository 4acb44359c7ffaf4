/* SPDX-License-Identifier: BSD-3-Clause */
/* Equilibria of other spatial cables: ancf, end tensions, weight, and what is refused. */
#include "support/space_cantilever.h"

static void the_ancf_cable_bends_to_the_same_elastica(void **state)
{
    (void)state;
    double tip[2][7];
    for (int i = 0; i < 2; i++) {
        cantilever c;
        set_elastica(&c, 24, 5);
        c.cable.element = i == 0 ? "se3" : "ancf";
        c.cable.stiffness = c.cable.shear_stiffness = 1e5;
        find_tip(&c, tip[i]);
    }
    assert_near(tip[1][0], tip[0][0], 2e-3, 0);
    assert_near(tip[1][1], tip[0][1], 2e-3, 0);
}

static void end_tension_is_a_force_that_follows_the_end(void **state)
{
    (void)state;
    double tip[2][7];
    for (int i = 0; i < 2; i++) {
        cantilever c;
        set_roll_up(&c, 8, 0.25, 5);
        c.force.follows = true;
        c.cable.ends[1].tension = (haw_function){.constant = i == 0 ? 50 : 0};
        c.force.force[0] = (haw_function){.constant = i == 0 ? 0 : 50};
        find_tip(&c, tip[i]);
    }
    for (int j = 0; j < 3; j++) {
        assert_near(tip[0][j], tip[1][j], 1e-11, 0);
    }
}

static void end_tension_stretches_a_straight_cable(void **state)
{
    (void)state;
    cantilever c;
    double tip[7];
    set_roll_up(&c, 8, 0, 1);
    c.cable.ends[1].tension = (haw_function){.constant = 50};
    find_tip(&c, tip);
    assert_near(tip[0], 10 * (1 + 50 / 1e6), 1e-12, 0);
}

static void set_heavy(cantilever *c, int dimension)
{
    set_cantilever(c, 40, 2, 1);
    c->scene.dimension = dimension;
    c->scene.forces = 0;
    c->scene.gravity[1] = -9.81;
    c->cable.element = dimension == 3 ? "se3" : "ancf";
    c->cable.stiffness = 2000;
    c->cable.shear_stiffness = 1e5;
    c->cable.bending_stiffness = c->cable.torsional_stiffness = 0.02;
    c->cable.ends[0].kind = c->cable.ends[1].kind = HAW_END_PINNED;
}

/* Nothing holds the turn of a pinned beam about itself: the matrix is singular. */
static void a_heavy_cable_that_is_free_to_spin_sags_as_in_the_plane(void **state)
{
    (void)state;
    double middle[2][7];
    for (int i = 0; i < 2; i++) {
        cantilever c;
        set_heavy(&c, 2 + i);
        if (solve_node(&c, 20, middle[i], NULL) != HAW_OK) {
            fail_msg("%s", haw_context_message(context));
        }
    }
    assert_true(middle[0][1] < -0.1);
    assert_near(middle[1][1], middle[0][1], 0, 2e-3);
    assert_near(middle[1][2], 0, 1e-9, 0);
}

/* ---- what is refused ---- */

static void a_beam_that_does_not_converge_says_so(void **state)
{
    (void)state;
    cantilever c;
    double tip[7];
    set_cantilever(&c, 4, 1, 1);
    c.cable.stiffness = c.cable.shear_stiffness = 1e6;
    c.cable.bending_stiffness = c.cable.torsional_stiffness = 1;
    c.cable.ends[0].kind = HAW_END_FREE;
    c.force.force[1] = (haw_function){.constant = 1};
    assert_int_equal(solve(&c, tip, NULL), HAW_ERR_UNCONVERGED);
    assert_non_null(strstr(haw_context_message(context), "hold what nothing keeps in place"));
}

/* A drum below the middle of a beam that is pulled down, `below` from its surface. */
static haw_status solve_above_drum(double below)
{
    cantilever c;
    double tip[7];
    haw_body_spec drum = haw_body_spec_default();
    haw_contact_spec pair = haw_contact_spec_default();
    set_cantilever(&c, 4, 1, 1);
    c.cable.stiffness = 1e6;
    c.cable.bending_stiffness = 1;
    c.force.force[1] = (haw_function){.constant = -0.3};
    drum.name = "drum";
    drum.shape = "cylinder";
    drum.shape_options[0] = 0.4;
    drum.shape_options[1] = 1;
    drum.mass = 1;
    drum.orientation[0] = 1;
    drum.position[0] = 0.5;
    drum.position[1] = -0.5 - below;
    drum.position[2] = 0;
    drum.motion = HAW_MOTION_FIXED;
    pair.between[0] = "beam";
    pair.between[1] = "drum";
    pair.law = "hard";
    pair.points_per_element = 1;
    c.scene.bodies = c.scene.contacts = 1;
    c.scene.body = &drum;
    c.scene.contact = &pair;
    return solve(&c, tip, NULL);
}

static void an_equilibrium_that_touches_is_refused_with_a_way_out(void **state)
{
    (void)state;
    assert_int_equal(solve_above_drum(0.2), HAW_OK);
    assert_int_equal(solve_above_drum(0.01), HAW_ERR_INPUT);
    assert_non_null(strstr(haw_context_message(context), "'beam' and 'drum'"));
    assert_non_null(strstr(haw_context_message(context), "moreau-jean"));
}

TEST_FILE(test_space_static_loads)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ancf_cable_bends_to_the_same_elastica),
        cmocka_unit_test(end_tension_is_a_force_that_follows_the_end),
        cmocka_unit_test(end_tension_stretches_a_straight_cable),
        cmocka_unit_test(a_heavy_cable_that_is_free_to_spin_sags_as_in_the_plane),
        cmocka_unit_test(a_beam_that_does_not_converge_says_so),
        cmocka_unit_test(an_equilibrium_that_touches_is_refused_with_a_way_out),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
