/* SPDX-License-Identifier: BSD-3-Clause */
/* Ropes over sheaves in scenarios: what is read, what is written back, what is refused where. */
#include "support/reading.h"

#define HEAD                                                                                       \
    "hawser: 1\ngravity: [0, -9.81]\nbodies:\n"                                                    \
    "  - {name: a, shape: {type: circle, radius: 0.2}, motion: {fixed: true}}\n"                   \
    "  - {name: b, shape: {type: circle, radius: 0.2}, position: [1, 0], motion: {fixed: true}}\n" \
    "  - {name: w, mass: 10, inertia: 1, position: [-0.2, -2], joint: vertical}\n"                 \
    "cables:\n  - name: r\n    element: ale\n    elements: 20\n    stiffness: 1.0e+6\n    "        \
    "density: 1\n"
#define TAIL  "stepper: {end: 1}\n"
#define OVER  "    reeving: [{sheave: a, side: right}, {on: b}]\n"
#define FROM  "    ends: {start: {body: w}, end: pinned}\n"
#define KEYS  "    modes: {axial: 4, transverse: 1}\n    overflow: 0.1\n"
#define WHOLE HEAD OVER FROM KEYS "    to: [2, -1]\n" TAIL

static void check_rope(const haw_cable_spec *rope)
{
    assert_int_equal(rope->sheaves, 2);
    assert_string_equal(rope->reeving[0].on, "a");
    assert_int_equal(rope->reeving[0].side, HAW_SIDE_RIGHT);
    assert_string_equal(rope->reeving[1].on, "b");
    assert_int_equal(rope->reeving[1].side, HAW_SIDE_LEFT);
    assert_string_equal(rope->ends[0].body, "w");
    assert_null(rope->ends[1].body);
    assert_int_equal(rope->ends[1].kind, HAW_END_PINNED);
    assert_int_equal(rope->modes[0], 4);
    assert_int_equal(rope->modes[1], 1);
    assert_near(rope->overflow, 0.1, 0, 0);
    assert_near(rope->to[0], 2, 0, 0);
    assert_near(rope->to[1], -1, 0, 0);
    assert_true(isnan(rope->from[0]));
}

static void a_reeving_is_read_and_written_back(void **state)
{
    fixture *f = *state;
    char *text = NULL;
    if (parse_text(f, WHOLE, NULL) != HAW_OK) {
        fail_msg("%s", f->log.text);
    }
    check_rope(&f->scenario->scene.cable[0]);
    assert_int_equal(f->scenario->scene.body[2].joint, HAW_JOINT_VERTICAL);
    assert_int_equal(haw_scenario_resolve(f->context, f->scenario, &text), HAW_OK);
    if (parse_text(f, text, NULL) != HAW_OK) {
        fail_msg("%s\n%s", f->log.text, text);
    }
    check_rope(&f->scenario->scene.cable[0]);
    haw_text_free(f->context, text);
}

static void settings_reach_the_sheaves(void **state)
{
    static const char *const set[] = {"cables.r.reeving=[{on: b, side: right}]",
                                      "cables.r.overflow=auto", "cables.r.element=arc1d", NULL};
    fixture *f = *state;
    if (parse_text(f, WHOLE, set) != HAW_OK) {
        fail_msg("%s", f->log.text);
    }
    const haw_cable_spec *rope = &f->scenario->scene.cable[0];
    assert_int_equal(rope->sheaves, 1);
    assert_string_equal(rope->reeving[0].on, "b");
    assert_true(isnan(rope->overflow));
    assert_string_equal(rope->element, "arc1d");
}

static void the_schema_knows_reevings(void **state)
{
    fixture *f = *state;
    char *text = NULL;
    assert_int_equal(haw_scenario_schema(f->context, &text), HAW_OK);
    const char *reeving = strstr(text, "\"reeving\": {\"type\": \"array\", \"minItems\": 1");
    assert_non_null(reeving);
    assert_non_null(strstr(reeving, "\"required\": [\"sheave\"]"));
    assert_non_null(strstr(reeving, "\"side\": {\"enum\": [\"left\", \"right\"]"));
    assert_non_null(strstr(text, "\"vertical\""));
    haw_text_free(f->context, text);
}

static const refusal refusals[] = {
    {HEAD FROM "    to: [2, -1]\n    reeving: [{on: a, side: up}]\n" TAIL,
     "t.yaml:15:29: error: unknown word 'up' for 'side' (allowed: left, right)"},
    {HEAD FROM "    to: [2, -1]\n    reeving: [{on: c}]\n" TAIL,
     "t.yaml:15:20: error: no body or cable is named 'c'"},
    {HEAD FROM "    to: [2, -1]\n    reeving: [{side: left}]\n" TAIL,
     "t.yaml:15:15: error: missing required key 'sheave' in an entry of 'reeving'"},
    {HEAD FROM "    to: [2, -1]\n    reeving: [{on: a, sides: left}]\n" TAIL,
     "t.yaml:15:23: error: unknown key 'sides' in an entry of 'reeving'; did you mean 'side'?"},
    {HEAD FROM "    to: [2, -1]\n    reeving: [3]\n" TAIL, "t.yaml:15:15: error: 'an entry of"},
    {HEAD FROM "    to: [2, -1]\n    reeving: []\n" TAIL,
     "t.yaml:15:14: error: a reeving needs at least one sheave"},
    {HEAD FROM "    to: [2, -1]\n    reeving: {on: a}\n" TAIL,
     "t.yaml:15:14: error: 'reeving' must be a list (got a mapping)"},
    {HEAD OVER FROM "    to: [2, -1]\n    path: [{line: [0, 1]}]\n" TAIL,
     "t.yaml:16:5: error: 'reeving' and 'path' exclude each other"},
    {HEAD OVER FROM "    to: [2, -1]\n    from: [0, 0]\n" TAIL,
     "t.yaml:16:5: error: 'from' and a body at the start of the rope exclude each other"},
    {HEAD OVER "    from: [0, 0]\n    to: [2, -1]\n    ends: {end: {body: w}}\n" TAIL,
     "t.yaml:15:5: error: 'to' and a body at the end of the rope exclude each other"},
    {HEAD OVER FROM TAIL,
     "t.yaml:8:5: error: missing required key 'to' (or 'ends: {end: {body: ...}}') in a rope"},
    {HEAD OVER "    to: [2, -1]\n" TAIL,
     "t.yaml:8:5: error: missing required key 'from' (or 'ends: {start: {body: ...}}') in a rope"},
    {HEAD OVER "    to: [2, -1]\n    ends: {start: {body: v}}\n" TAIL,
     "t.yaml:15:26: error: no body or cable is named 'v'"},
};

static void what_is_wrong_is_told_with_its_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        check_refusal(&refusals[i]);
    }
}

#define WITH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

TEST_FILE(test_scenario_reeving)
{
    const struct CMUnitTest tests[] = {
        WITH(a_reeving_is_read_and_written_back),
        WITH(settings_reach_the_sheaves),
        WITH(the_schema_knows_reevings),
        cmocka_unit_test(what_is_wrong_is_told_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
