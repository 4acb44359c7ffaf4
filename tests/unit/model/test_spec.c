/* SPDX-License-Identifier: BSD-3-Clause */
/* Option tables of scenes: defaults, words, and rows that do not contradict each other. */
#include "support/near.h"

#include <hawser/hawser.h>

static const haw_option *const tables[] = {
    haw_body_options,   haw_cable_options, haw_contact_options, haw_force_options,
    haw_spring_options, haw_start_options, haw_scene_options,   NULL};

static void no_key_stands_twice_in_a_table(void **state)
{
    (void)state;
    for (int i = 0; tables[i] != NULL; i++) {
        for (const haw_option *row = tables[i]; row->key != NULL; row++) {
            assert_ptr_equal(haw_options_find(tables[i], row->key), row);
            assert_true(row->unit != NULL && row->help != NULL && row->help[0] != '\0');
        }
    }
}

/* Rows of one table write to places of their own. */
static void no_field_has_two_rows(void **state)
{
    (void)state;
    for (int i = 0; tables[i] != NULL; i++) {
        for (const haw_option *a = tables[i]; a->key != NULL; a++) {
            for (const haw_option *b = a + 1; b->key != NULL; b++) {
                assert_int_not_equal(a->offset, b->offset);
            }
        }
    }
}

static void bodies_begin_free_and_cables_straight_and_open(void **state)
{
    (void)state;
    const haw_body_spec body = haw_body_spec_default();
    const haw_cable_spec cable = haw_cable_spec_default();
    assert_true(body.motion == HAW_MOTION_FREE && body.joint == HAW_JOINT_NONE);
    assert_true(isnan(body.mass) && isnan(body.inertia) && body.rotational_damping == 0);
    assert_true(body.torque.count == 0 && body.torque.constant == 0);
    assert_string_equal(cable.element, "bezier");
    assert_true(!cable.closed && isnan(cable.tension) && isnan(cable.length));
    assert_true(cable.bending_stiffness == 0 && cable.bending_factor == 1);
    assert_true(cable.reference_strain == 0 && cable.reference_curvature == 0);
    assert_true(cable.reference == HAW_REFERENCE_STRAIGHT && cable.quadrature == HAW_SCHEME_C);
    assert_true(cable.damping_strain == 0 && cable.damping_curvature == 0 && isnan(cable.width));
    assert_true(cable.ends[0].kind == HAW_END_PINNED && cable.ends[1].kind == HAW_END_PINNED);
}

static void contacts_are_hard_and_their_compliant_parameters_are_left_to_give(void **state)
{
    (void)state;
    const haw_contact_spec c = haw_contact_spec_default();
    assert_string_equal(c.law, "hard");
    assert_string_equal(c.normal, "linear");
    assert_null(c.tangential);
    assert_true(isnan(c.friction_kinetic) && isnan(c.normal_stiffness));
    assert_true(isnan(c.tangential_stiffness) && isnan(c.tangential_damping));
    assert_true(isnan(c.stribeck_velocity) && isnan(c.regularization));
    assert_true(c.normal_damping == 0 && c.viscous_friction == 0 && c.normal_exponent == 1.5);
    assert_true(c.per == HAW_PER_POINT && c.kinematics == HAW_KINEMATICS_CURVE);
    assert_true(c.normals == HAW_NORMALS_SEGMENT && c.switching == HAW_SWITCHING_RETURN_MAP);
    assert_true(c.offset == 0);
}

static void forces_and_springs_are_left_to_place(void **state)
{
    (void)state;
    const haw_force_spec force = haw_force_spec_default();
    const haw_spring_spec spring = haw_spring_spec_default();
    assert_true(force.on == NULL && isnan(force.point));
    assert_true(spring.between[0].on == NULL && spring.between[1].on == NULL);
    assert_true(isnan(spring.stiffness) && spring.damping == 0 && spring.length == 0);
}

/* Every word of a choice, as the enums count them. */
static void words_are_in_the_order_of_their_enums(void **state)
{
    (void)state;

    static const struct {
        const haw_option *table;
        const char *key, *word;
        int value;
    } rows[] = {
        {haw_body_options, "joint", "none", HAW_JOINT_NONE},
        {haw_body_options, "joint", "revolute", HAW_JOINT_REVOLUTE},
        {haw_body_options, "joint", "translation", HAW_JOINT_TRANSLATION},
        {haw_cable_options, "quadrature", "a", HAW_SCHEME_A},
        {haw_cable_options, "quadrature", "b", HAW_SCHEME_B},
        {haw_cable_options, "quadrature", "c", HAW_SCHEME_C},
        {haw_cable_options, "reference", "straight", HAW_REFERENCE_STRAIGHT},
        {haw_cable_options, "reference", "drawn", HAW_REFERENCE_DRAWN},
        {haw_contact_options, "per", "point", HAW_PER_POINT},
        {haw_contact_options, "per", "length", HAW_PER_LENGTH},
        {haw_contact_options, "per", "area", HAW_PER_AREA},
        {haw_contact_options, "kinematics", "curve", HAW_KINEMATICS_CURVE},
        {haw_contact_options, "kinematics", "chord", HAW_KINEMATICS_CHORD},
        {haw_contact_options, "normals", "segment", HAW_NORMALS_SEGMENT},
        {haw_contact_options, "normals", "point", HAW_NORMALS_POINT},
        {haw_contact_options, "switching", "return-map", HAW_SWITCHING_RETURN_MAP},
        {haw_contact_options, "switching", "post-newton", HAW_SWITCHING_POST_NEWTON},
        {haw_start_options, "type", "auto", HAW_START_AUTO},
        {haw_start_options, "type", "given", HAW_START_GIVEN},
        {haw_start_options, "type", "static", HAW_START_STATIC},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const haw_option *row = haw_options_find(rows[i].table, rows[i].key);
        assert_non_null(row);
        assert_int_equal(row->type, HAW_OPTION_CHOICE);
        assert_string_equal(row->choices[rows[i].value], rows[i].word);
    }
}

/* A scene of zeros starts as one whose start is not spoken of. */
static void a_scene_of_zeros_has_the_presets_of_the_start(void **state)
{
    (void)state;
    haw_scene scene = {.title = NULL};
    haw_options_init(haw_start_options, &scene);
    assert_true(scene.start == HAW_START_AUTO && scene.start_friction == 0);
    assert_near(scene.start_tolerance, 1e-12, 0, 0);
    assert_int_equal(scene.load_steps, 1); /* which the model also takes for 0 */
}

TEST_FILE(test_spec)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_key_stands_twice_in_a_table),
        cmocka_unit_test(no_field_has_two_rows),
        cmocka_unit_test(bodies_begin_free_and_cables_straight_and_open),
        cmocka_unit_test(contacts_are_hard_and_their_compliant_parameters_are_left_to_give),
        cmocka_unit_test(forces_and_springs_are_left_to_place),
        cmocka_unit_test(words_are_in_the_order_of_their_enums),
        cmocka_unit_test(a_scene_of_zeros_has_the_presets_of_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
