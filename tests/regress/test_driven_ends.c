/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Quasi-static paths of cables whose ends are driven forth and back, further in a step than the
 * control points of an element are apart. Newton's method may come to a fold within an element,
 * where forces balance, too: it must not begin there, nor pass one off for an equilibrium.
 */
#include "support/scenario.h"

#include <math.h>

/* A straight string under 2 kN that is carried along itself by both ends: nothing changes. */
static const char *const string =
    "hawser: 1\ndimension: 3\ngravity: [0, 0, 0]\ncables:\n"
    "  - {name: string, element: bezier, elements: 125, from: [0, 0, 0], to: [0.1, 0, 0],\n"
    "     tension: 2000, stiffness: 2.0e+4, density: 0.01, ends: {start: pinned, end: pinned}}\n"
    "stepper: {type: quasi-static, step: 0.1, end: 0.5}\n"
    "output: {every: 0.1, probes: [string.tension_start, string.tension_end, "
    "string.reaction_end]}\n";

static void carry(scenario_run *run, const char *element, double speed)
{
    static const char *const end[] = {"start", "end"};
    scenario_init(run, "string");
    run->text = string;
    scenario_set(run, "cables.string.element=%s", element);
    for (int i = 0; i < 2; i++) {
        scenario_set(run,
                     "cables.string.ends.%s={motion: {velocity: [{table: [[0, %g], [0.2, %g], "
                     "[0.2001, %g], [1, %g]]}, 0, 0]}}",
                     end[i], speed, speed, -speed, -speed);
    }
}

static void assert_taut(const scenario_run *run)
{
    for (int i = 0; i < run->frames; i++) {
        assert_near(scenario_at(run, i, "string.tension_start", 0), 2000, 1e-6, 0);
        assert_near(scenario_at(run, i, "string.tension_end", 0), 2000, 1e-6, 0);
        assert_near(scenario_at(run, i, "string.reaction_end", 0), 2000, 1e-6, 0);
    }
}

static const char *const elements[] = {"bezier", "bezier-c0", "ancf", "chain"};

/* Steps of 0.2 mm, elements of 0.8 mm: where it turns round the last velocities would fold it. */
static void a_string_that_is_pushed_back_keeps_its_tension(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        scenario_run run;
        carry(&run, elements[i], 2e-3);
        scenario_complete(&run);
        assert_int_equal(run.frames, 6);
        assert_taut(&run);
        scenario_close(&run);
    }
}

/* Steps of 0.4 to 8 mm fold it from rest, too: ends that go a small part of their way show what
 * follows them. Nothing is halved for that. */
static void ends_go_further_than_elements_are_long(void **state)
{
    static const double speed[] = {4e-3, 2e-2, 8e-2};
    (void)state;
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        for (int k = 0; k < 3; k++) {
            scenario_run run;
            carry(&run, elements[i], speed[k]);
            scenario_complete(&run);
            assert_taut(&run);
            scenario_close(&run);
        }
    }
}

/* What stays folded is refused, and halved where that is asked for. */
static void a_fold_is_no_equilibrium(void **state)
{
    (void)state;
    for (int halves = 0; halves < 2; halves++) {
        scenario_run run;
        carry(&run, "bezier-c0", 0.9);
        scenario_set(&run, "solver.on_unconverged=%s", halves ? "halve" : "stop");
        scenario_open(&run);
        assert_int_equal(scenario_try(&run), halves ? HAW_OK : HAW_ERR_UNCONVERGED);
        if (halves) {
            assert_taut(&run);
        } else {
            assert_non_null(strstr(haw_context_message(run.context), "folded upon itself"));
        }
        scenario_close(&run);
    }
}

/* So it is in motions, which went on with the fold, or ended by the energy that it takes. */
static void a_step_of_a_motion_that_folds_is_refused(void **state)
{
    static const char *const stepper[] = {"nsga", "moreau-jean"};
    (void)state;
    for (int i = 0; i < 8; i++) {
        const bool halves = i % 2 == 1;
        scenario_run run;
        carry(&run, elements[i / 2 % 2], 2e-2);
        scenario_set(&run, "stepper.type=%s", stepper[i / 4]);
        scenario_set(&run, "solver.on_unconverged=%s", halves ? "halve" : "stop");
        scenario_open(&run);
        assert_int_equal(scenario_try(&run), halves ? HAW_OK : HAW_ERR_GUARD);
        if (halves) {
            assert_near(scenario_last(&run, "string.tension_start", 0), 2000, 1, 0);
            assert_near(scenario_last(&run, "string.tension_end", 0), 2000, 1, 0);
        } else {
            assert_non_null(strstr(haw_context_message(run.context), "folded upon itself"));
        }
        scenario_close(&run);
    }
}

/* A string over three radians of a drum, mu = 0.15, is drawn by its end until all of it slides, and
 * then let back: exp(0.45) and exp(-0.45), read at the end as well as by what holds it. */
static void a_string_slides_forth_and_back_over_a_drum(void **state)
{
    static const double angle = 1.5, radius = 20.5e-3, leg = 0.02, speed = 1.2e-3;
    const double c = cos(angle), s = sin(angle);
    static scenario_text scene;
    scenario_run run;
    (void)state;
    scene.length = 0;
    scenario_write(
        &scene,
        "hawser: 1\ndimension: 3\ngravity: [0, 0, 0]\nbodies:\n"
        "  - {name: drum, shape: {type: cylinder, radius: 0.02}, motion: {fixed: true}}\n"
        "cables:\n  - name: string\n    element: bezier-c0\n    elements: 200\n"
        "    tension: 50\n    stiffness: 2.0e+4\n    density: 0.01\n    radius: 5.0e-4\n"
        "    from: [%.12g, %.12g, 0]\n",
        radius * c - leg * s, -radius * s - leg * c);
    scenario_write(&scene,
                   "    path: [{line: [%.12g, %.12g, 0]}, {arc: {center: [0, 0, 0], radius: "
                   "%.12g, angle_deg: %.12g}}, {line: [%.12g, %.12g, 0]}]\n",
                   radius * c, -radius * s, radius, angle * 2 * 180 / acos(-1),
                   radius * c - leg * s, radius * s + leg * c);
    scenario_write(&scene,
                   "    ends:\n      start: {tension: 50, towards: [%.12g, %.12g, 0]}\n"
                   "      end: {motion: {velocity: [",
                   -s, -c);
    for (int i = 0; i < 2; i++) {
        const double v = speed * (i == 0 ? -s : c);
        scenario_write(&scene, "{table: [[0, %.12g], [0.8, %.12g], [0.8001, %.12g], [2, %.12g]]}, ",
                       v, v, -v, -v);
    }
    scenario_write(&scene,
                   "0]}}\ncontact:\n  - {between: [string, drum], points_per_element: 2, friction: "
                   "0.15}\nstart: static\n"
                   "stepper: {type: quasi-static, step: 0.1, end: 1.6}\n"
                   "output: {every: 0.1, probes: [string.tension_start, string.tension_end, "
                   "string.reaction_end]}\n");
    scenario_init(&run, "drum");
    run.text = scene.text;
    scenario_complete(&run);
    for (int i = 0; i < run.frames; i++) {
        const double pull = hypot(scenario_at(&run, i, "string.reaction_end", 0),
                                  scenario_at(&run, i, "string.reaction_end", 1));
        const double ratio = exp((i <= 8 ? 0.3 : -0.3) * angle);
        assert_near(scenario_at(&run, i, "string.tension_end", 0), pull, 0, 1e-6);
        if (i >= 5 && (i <= 8 || i > 12)) {
            assert_near(pull, 50 * ratio, 0, 5e-3);
        }
    }
    scenario_close(&run);
}

/* A string is lowered by 20 mm onto another one and drawn along it with friction 0.3. Where it
 * begins to slide on springs Newton's method may find the strings apart: the step is refused, and
 * parts of it lead on. */
static const char *const crossing =
    "hawser: 1\ndimension: 3\ngravity: [0, 0, 0]\ncables:\n"
    "  - {name: a, element: bezier-c0, elements: 40, from: [-0.5, 0, 0], to: [0.5, 0, 0],\n"
    "     tension: 100, stiffness: 2.0e+4, density: 0.05, radius: 0.002,\n"
    "     ends: {start: pinned, end: pinned}}\n"
    "  - name: b\n    element: bezier-c0\n    elements: 40\n    from: [0, -0.5, 0.0041]\n"
    "    to: [0, 0.5, 0.0041]\n    tension: 100\n    stiffness: 2.0e+4\n    density: 0.05\n"
    "    radius: 0.002\n    ends:\n"
    "      start: {motion: {velocity: [{table: [[0, 0], [1, 0], [1.0001, 0.05], [2, 0.05]]}, 0,\n"
    "        {table: [[0, -0.0201], [1, -0.0201], [1.0001, 0], [2, 0]]}]}}\n"
    "      end: {motion: {velocity: [{table: [[0, 0], [1, 0], [1.0001, 0.05], [2, 0.05]]}, 0,\n"
    "        {table: [[0, -0.0201], [1, -0.0201], [1.0001, 0], [2, 0]]}]}}\n"
    "contact:\n  - {between: [a, b], friction: 0.3}\n"
    "stepper: {type: quasi-static, step: 0.025, end: 1.3}\n"
    "output: {every: 0.1, probes: [contact.force]}\n";

static void on_springs(scenario_run *run)
{
    scenario_set(run, "contact.law=penalty");
    scenario_set(run, "contact.normal_stiffness=1e9");
    scenario_set(run, "contact.per=length");
    scenario_set(run, "contact.tangential=bristle");
    scenario_set(run, "contact.tangential_stiffness=1e9");
}

static void an_equilibrium_that_leaps_asks_for_parts_of_a_step(void **state)
{
    double force[2][3];
    scenario_run run;
    (void)state;
    scenario_init(&run, "crossing");
    run.text = crossing;
    on_springs(&run);
    scenario_open(&run);
    assert_int_equal(scenario_try(&run), HAW_ERR_GUARD);
    assert_non_null(strstr(haw_context_message(run.context), "solver.on_unconverged: halve"));
    scenario_close(&run);
    for (int i = 0; i < 2; i++) {
        scenario_init(&run, "crossing");
        run.text = crossing;
        if (i == 1) {
            on_springs(&run);
            scenario_set(&run, "solver.on_unconverged=halve");
        }
        scenario_open(&run);
        assert_int_equal(scenario_try(&run), HAW_OK);
        for (int k = 0; k < 3; k++) {
            force[i][k] = scenario_last(&run, "contact.force", k);
        }
        scenario_close(&run);
    }
    print_message("hard %g, %g N, on springs %g, %g N\n", force[0][0], force[0][2], force[1][0],
                  force[1][2]);
    assert_near(force[1][0], force[0][0], 0, 1e-2);
    assert_near(force[1][2], force[0][2], 0, 2e-3);
}

TEST_FILE(test_driven_ends)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_string_that_is_pushed_back_keeps_its_tension),
        cmocka_unit_test(ends_go_further_than_elements_are_long),
        cmocka_unit_test(a_fold_is_no_equilibrium),
        cmocka_unit_test(a_step_of_a_motion_that_folds_is_refused),
        cmocka_unit_test(a_string_slides_forth_and_back_over_a_drum),
        cmocka_unit_test(an_equilibrium_that_leaps_asks_for_parts_of_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
