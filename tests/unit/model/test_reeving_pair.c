/* SPDX-License-Identifier: BSD-3-Clause */
/* Knots of a rope on its sheaves: spacing, parameters, refusals. */
#include "support/reeving.h"

static void knots_have_one_spacing_along_the_whole_rope(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        reeving_case c;
        reeving_init(&c, "ale");
        c.cable.tension = 2e3;
        c.contact[1].spacing = k == 1 ? 0.011 : (double)NAN;
        c.contact[1].points_per_element = k == 2 ? 7 : 0;
        reeving_open(&c);
        const haw_rope *rope = reeving_rope(&c);
        const haw_pair *pair = &c.model->pair[1];
        const double le = reeving_element(rope, 1);
        const double want = k == 0 ? le / 5 : (k == 1 ? 0.011 : le / 7);
        assert_near(pair->spacing, want, 1e-15, 0);
        assert_int_equal(pair->points, (int)floor(rope->length / want) + 1);
        assert_int_equal(pair->arc, 1);
        assert_int_equal(rope->arc[1].pair, 1);
        assert_int_equal(rope->arc[0].pair, 0);
        assert_int_equal(pair->first_point, c.model->pair[0].points);
        assert_int_equal(c.state->rows, 2 * (c.model->pair[0].points + pair->points));
        for (int i = 0; i < pair->points; i++) {
            int element;
            double s;
            haw_pair_point(c.model, pair, i, &element, &s);
            assert_true(element >= 0 && element < rope->elements && s >= 0 && s <= 1);
            assert_near(haw_pair_weight(c.model, pair, i), 1, 0, 0);
        }
        reeving_close(&c);
    }
}

static void parameters_of_a_knot_are_those_of_its_length(void **state)
{
    (void)state;
    for (int per = HAW_PER_POINT; per <= HAW_PER_AREA; per++) {
        reeving_case c;
        reeving_init(&c, "ale");
        c.cable.width = 0.02;
        c.contact[0].spacing = 0.01;
        c.contact[0].per = per;
        c.contact[0].normal_damping = 50;
        c.contact[0].tangential_damping = (double)NAN;
        reeving_open(&c);
        const haw_compliance *law = &c.model->pair[0].compliance;
        const double share = per == HAW_PER_POINT ? 1 : (per == HAW_PER_LENGTH ? 0.01 : 2e-4);
        assert_near(law->n.stiffness, 3e8 * share, 0, 1e-14);
        assert_near(law->n.damping, 50 * share, 0, 1e-14);
        assert_near(law->t.stiffness, 1e7 * share, 0, 1e-14);
        assert_near(law->t.damping, sqrt(2 * 1e7 * share * 1.4 * 0.01), 0, 1e-14);
        reeving_close(&c);
    }
}

static int warnings;

static void count_warning(void *user, haw_log_level level, const char *text)
{
    (void)user;
    warnings += level == HAW_LOG_WARNING && strstr(text, "sheave 'drive'") != NULL ? 1 : 0;
}

static void a_sheave_without_contact_is_warned_of(void **state)
{
    (void)state;
    for (int k = 1; k < 3; k++) {
        reeving_case c;
        reeving_init(&c, "ale");
        haw_context_set_log(c.context, count_warning, NULL);
        c.scene.contacts = k;
        warnings = 0;
        reeving_open(&c);
        assert_int_equal(warnings, k == 1 ? 1 : 0);
        reeving_close(&c);
    }
}

/* ---- refused ---- */

static void hard_arcs(reeving_case *c)
{
    c->cable.element = "arc1d";
    c->contact[0].law = "hard";
}

static void with_the_car(reeving_case *c)
{
    c->body[REEVING_CAR].shape = "circle";
    c->body[REEVING_CAR].shape_options[0] = 0.1;
    c->contact[0].between[1] = "car";
}

static void same_pair(reeving_case *c)
{
    c->contact[1].between[1] = "block";
}

static void wide_knots(reeving_case *c)
{
    c->contact[0].spacing = 0.4;
}

static void no_knots(reeving_case *c)
{
    c->contact[0].spacing = 0;
}

static void many_knots(reeving_case *c)
{
    c->contact[0].spacing = 1e-9;
}

static void lone_area(reeving_case *c)
{
    c->contact[0].per = HAW_PER_AREA;
}

static void offset(reeving_case *c)
{
    c->contact[0].offset = 0.01;
}

static void chords(reeving_case *c)
{
    c->contact[0].kinematics = HAW_KINEMATICS_CHORD;
}

static void minima(reeving_case *c)
{
    c->contact[0].refine = HAW_REFINE_MINIMA;
}

static void arm(reeving_case *c)
{
    c->contact[0].arm = HAW_ARM_DISTANCE;
}

static void published(reeving_case *c)
{
    c->contact[0].switching = HAW_SWITCHING_POST_NEWTON;
}

static void contacts_that_knots_do_not_know_are_refused(void **state)
{
    (void)state;
    const reeving_refusal rows[] = {
        {hard_arcs, "contact.rope-block.law", "use law: penalty, or element: ale"},
        {with_the_car, "contact.rope-car.between", "'car' is not in the reeving"},
        {same_pair, "contact.rope-block.between", "are already a pair"},
        {wide_knots, "contact.rope-block.spacing", "at most half"},
        {no_knots, "contact.rope-block.spacing", "must be > 0"},
        {many_knots, "contact.rope-block", "contact grid"},
        {lone_area, "cables.rope.width", "needs a width"},
        {offset, "contact.rope-block.offset", "the default of 'offset'"},
        {chords, "contact.rope-block.kinematics", "the default of 'kinematics'"},
        {minima, "contact.rope-block.refine", "the default of 'refine'"},
        {arm, "contact.rope-block.arm", "the default of 'arm'"},
        {published, "contact.rope-block.switching", "the default of 'switching'"},
    };
    reeving_refuses(rows, sizeof rows / sizeof *rows);
}

TEST_FILE(test_reeving_pair)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knots_have_one_spacing_along_the_whole_rope),
        cmocka_unit_test(parameters_of_a_knot_are_those_of_its_length),
        cmocka_unit_test(a_sheave_without_contact_is_warned_of),
        cmocka_unit_test(contacts_that_knots_do_not_know_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
