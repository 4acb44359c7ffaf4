/* SPDX-License-Identifier: BSD-3-Clause */
/* A cord that is wound about a rope, as in a friction hitch, and pulled: most of its points stick,
 * and what touches what in one equilibrium is not found from what did in the one before. */
#include "support/scenario.h"

static const double pi = 3.14159265358979323846;
static const double pitch = 4.8e-3, radius = 7.02e-3, leg = 0.03; /* [m] */

/* A leg, one turn, a leg: 37 places. */
static void add_places(scenario_text *scene)
{
    for (int i = 0; i < 6; i++) {
        scenario_write(scene, "[%.10g, %.10g, %.10g], ", radius, leg * (i / 6.0 - 1), -0.5 * pitch);
    }
    for (int i = 0; i <= 24; i++) {
        const double angle = 2 * pi * i / 24;
        scenario_write(scene, "[%.10g, %.10g, %.10g], ", radius * cos(angle), radius * sin(angle),
                       pitch * (i / 24.0 - 0.5));
    }
    for (int i = 1; i <= 6; i++) {
        scenario_write(scene, "[%.10g, %.10g, %.10g]%s", radius, leg * i / 6, 0.5 * pitch,
                       i < 6 ? ", " : "");
    }
}

static void write_scene(scenario_text *scene)
{
    scene->length = 0;
    scenario_write(
        scene,
        "hawser: 1\ndimension: 3\ngravity: [0, 0, 0]\ncables:\n"
        "  - {name: rope, element: bezier, elements: 40, from: [0, 0, -0.04], to: [0, 0, 0.04],\n"
        "     tension: 2000, stiffness: 1.0e+5, density: 0.08, radius: 5.0e-3,\n"
        "     ends: {start: pinned, end: pinned}}\n"
        "  - name: cord\n    element: bezier\n    elements: 60\n    path: [{points: [");
    add_places(scene);
    scenario_write(scene, "]}]\n    tension: 5\n    stiffness: 500\n    density: 0.01\n"
                          "    radius: 2.0e-3\n"
                          "    ends: {start: pinned, end: {motion: {velocity: [0, 2.0e-3, 0]}}}\n"
                          "contact:\n"
                          "  - {between: [cord, rope], friction: 0.3}\n"
                          "  - {between: [cord, cord], friction: 0.3}\n"
                          "start: given\n"
                          "stepper: {type: quasi-static, step: 0.1, end: 0.1}\n"
                          "output: {every: 0.1, probes: [cord.reaction_start, cord.reaction_end,\n"
                          "         cord-rope.force, cord.tension_start, cord.tension_end]}\n");
}

/* Forces balance, friction bears no more than on a drum, and few of the equations solved on the way
 * are solved in vain: 1 050 factorizations, 6 700 while each pass tried another way first. */
static void a_cord_about_a_rope_is_pulled(void **state)
{
    static scenario_text scene;
    scenario_run run;
    (void)state;
    write_scene(&scene);
    scenario_init(&run, "cord");
    run.text = scene.text;
    scenario_complete(&run);
    const double low = scenario_last(&run, "cord.tension_start", 0);
    const double high = scenario_last(&run, "cord.tension_end", 0);
    for (int i = 0; i < 3; i++) {
        assert_near(scenario_last(&run, "cord.reaction_start", i) +
                        scenario_last(&run, "cord.reaction_end", i),
                    scenario_last(&run, "cord-rope.force", i), 1e-4, 0);
    }
    assert_true(high > low && log(high / low) < 0.3 * 2 * pi);
    assert_true(run.summary.certificate.penetration_points_max < 1e-8);
    print_message("%ld factorizations\n", run.summary.certificate.factorizations);
    assert_in_range(run.summary.certificate.factorizations, 1, 3000);
    scenario_close(&run);
}

TEST_FILE(test_cord_on_rope)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cord_about_a_rope_is_pulled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
