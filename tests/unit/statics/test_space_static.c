/* SPDX-License-Identifier: BSD-3-Clause */
/* Equilibria of spatial beams against closed forms and published figures. */
#include "support/arena_fixture.h"
#include "support/near.h"

#include <hawser/hawser.h>

#include <string.h>

static const double PI = 3.14159265358979323846;

typedef struct cantilever {
    haw_cable_spec cable;
    haw_path_segment arc;
    haw_force_spec force;
    haw_scene scene;
} cantilever;

/* Straight along x, clamped at the origin, loaded at its free end. */
static void set_cantilever(cantilever *c, int elements, double length, int load_steps)
{
    memset(c, 0, sizeof *c);
    c->cable = haw_cable_spec_default();
    c->cable.name = "beam";
    c->cable.element = "se3";
    c->cable.elements = elements;
    memset(c->cable.from, 0, sizeof c->cable.from);
    c->cable.to[0] = length;
    c->cable.to[1] = c->cable.to[2] = 0;
    c->cable.density = 1;
    c->cable.radius = 0.1;
    c->cable.ends[0].kind = HAW_END_CLAMPED;
    c->cable.ends[1].kind = HAW_END_FREE;
    c->force = haw_force_spec_default();
    c->force.on = "beam";
    c->force.point = 1;
    c->scene = (haw_scene){.dimension = 3,
                           .load_steps = load_steps,
                           .cables = 1,
                           .cable = &c->cable,
                           .forces = 1,
                           .force = &c->force};
}

/* The equilibrium's status; coordinates of the node; Newton iterations. */
static haw_status solve_node(const cantilever *c, int node, double tip[7], long *iterations)
{
    const bool is_beam = strcmp(c->cable.element, "se3") == 0;
    const int width = is_beam ? 7 : c->scene.dimension == 3 ? 6 : 4;
    haw_model *model = NULL;
    haw_simulation *simulation = NULL;
    haw_run_settings settings;
    assert_int_equal(haw_run_settings_init(context, &settings), HAW_OK);
    assert_int_equal(haw_stepper_settings_init(context, "static", &settings.stepper), HAW_OK);
    haw_status status = haw_model_build(context, &c->scene, &model);
    if (status == HAW_OK) {
        status = haw_simulation_create(context, model, &settings, &simulation);
    }
    if (status == HAW_OK) {
        status = haw_simulation_step(simulation);
    }
    if (status == HAW_OK) {
        const haw_frame *frame = haw_simulation_frame(simulation);
        memcpy(tip, frame->state->q + width * node, (size_t)width * sizeof *tip);
        if (iterations != NULL) {
            *iterations = frame->certificate->newton_iterations;
        }
    }
    haw_simulation_free(simulation);
    haw_model_free(model);
    return status;
}

static haw_status solve(const cantilever *c, double tip[7], long *iterations)
{
    return solve_node(c, c->cable.elements, tip, iterations);
}

static void find_tip(const cantilever *c, double tip[7])
{
    long iterations = 0;
    if (solve(c, tip, &iterations) != HAW_OK) {
        fail_msg("%s", haw_context_message(context));
    }
    print_message("n = %d: %ld Newton iterations, tip %.9f %.9f %.9f\n", c->cable.elements,
                  iterations, tip[0], tip[1], tip[2]);
}

/* ---- a cantilever under an end moment is an arc of a circle ---- */

static void set_roll_up(cantilever *c, int elements, double turns, int load_steps)
{
    set_cantilever(c, elements, 10, load_steps);
    c->cable.stiffness = c->cable.shear_stiffness = 1e6;
    c->cable.bending_stiffness = c->cable.torsional_stiffness = 1000;
    c->force.moment[2] = (haw_function){.constant = 2 * PI * turns * 1000 / 10};
}

static void set_elastica(cantilever *c, int elements, double load)
{
    set_cantilever(c, elements, 1, 4);
    c->cable.stiffness = c->cable.shear_stiffness = 1e8;
    c->cable.bending_stiffness = c->cable.torsional_stiffness = 1;
    c->force.force[1] = (haw_function){.constant = load};
}

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
    c->arc = (haw_path_segment){.kind = HAW_PIECE_ARC, .center = {100, 0}, .angle_deg = -45};
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

/* ---- other cables: ancf, end tensions, weight, and what is refused ---- */

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

/* ---- what is refused, and what rests ---- */

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
static double rest_above_drum(double below, const char *law)
{
    cantilever c;
    haw_body_spec drum = haw_body_spec_default();
    haw_contact_spec pair = haw_contact_spec_default();
    double tip[7];
    set_cantilever(&c, 8, 1, 1);
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
    pair.law = law;
    pair.normal_stiffness = 1e7; /* of springs */
    pair.points_per_element = 1;
    c.scene.bodies = c.scene.contacts = 1;
    c.scene.body = &drum;
    c.scene.contact = &pair;
    find_tip(&c, tip);
    return tip[1];
}

/* Hard contact, which the search finds only where it touches, and stiff springs in its place. */
static void an_equilibrium_rests_on_what_it_touches(void **state)
{
    (void)state;
    const double apart = rest_above_drum(0.2, "hard"), resting = rest_above_drum(0.01, "hard");
    assert_true(resting > apart + 0.01);
    assert_near(rest_above_drum(0.2, "penalty"), apart, 1e-9, 0);
    assert_near(rest_above_drum(0.01, "penalty"), resting, 1e-6, 0);
}

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
        cmocka_unit_test(the_ancf_cable_bends_to_the_same_elastica),
        cmocka_unit_test(end_tension_is_a_force_that_follows_the_end),
        cmocka_unit_test(end_tension_stretches_a_straight_cable),
        cmocka_unit_test(a_heavy_cable_that_is_free_to_spin_sags_as_in_the_plane),
        cmocka_unit_test(a_beam_that_does_not_converge_says_so),
        cmocka_unit_test(an_equilibrium_rests_on_what_it_touches),
    };
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
