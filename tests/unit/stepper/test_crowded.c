/* SPDX-License-Identifier: BSD-3-Clause */
/* Equilibria with more contacts than they take are given up in the end, others never for that. */
#include "stepper/simulation.h"
#include "support/scenario.h"

/* A rope that slips on a drum, its tension rising; points per element, what a miss does. */
static void open_rope(scenario_run *run, int points, const char *remedy)
{
    scenario_init(run, "rope");
    run->text =
        "hawser: 1\n"
        "gravity: [0, 0]\n"
        "bodies: [{name: drum, shape: {type: circle, radius: 0.1}, motion: {fixed: true}}]\n"
        "cables:\n"
        "  - {name: rope, element: bezier, elements: 16, from: [0.1, -0.1], path: [{line: [0.1, "
        "0]}, {arc: {center: [0, 0], radius: 0.1, angle_deg: 180}}, {line: [-0.1, -0.1]}],\n"
        "     stiffness: 1.0e+4, density: 0.1, ends: {start: pinned, end: {tension: {table: [[0, "
        "100], [1, 180]]}, towards: [0, -1]}}}\n"
        "contact: [{between: [rope, drum], points_per_element: 20, friction: 0.3}]\n"
        "start: static\n"
        "stepper: {type: quasi-static, step: 0.25, end: 1}\n"
        "solver: {on_unconverged: stop}\n";
    scenario_set(run, "contact.points_per_element=%d", points);
    scenario_set(run, "solver.on_unconverged=%s", remedy);
    scenario_open(run);
}

static void a_crowded_equilibrium_ends_after_its_factorizations(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) { /* of k / 2 that may halve, its own bound acts, not the other */
        scenario_run run;
        open_rope(&run, 20, k / 2 == 0 ? "stop" : "halve");
        assert_int_equal(run.simulation->crowded_most[0], 10000);
        assert_int_equal(run.simulation->crowded_most[1], 400);
        run.simulation->crowded_most[k % 2] = 5;
        const bool acts = k / 2 == k % 2;
        const haw_status status = scenario_try(&run);
        if (acts) {
            assert_int_equal(status, HAW_ERR_UNCONVERGED);
            assert_non_null(strstr(haw_context_message(run.context), "fewer points_per_element"));
            assert_true(run.simulation->certificate.unconverged_steps > 0);
        } else {
            assert_int_equal(status, HAW_OK);
            assert_true(run.simulation->certificate.factorizations > 50);
        }
        scenario_close(&run);
    }
}

/* Fewer contacts than equations: however few factorizations are allowed, it goes on. */
static void others_have_no_such_end(void **state)
{
    scenario_run run;
    (void)state;
    open_rope(&run, 2, "stop");
    run.simulation->crowded_most[0] = run.simulation->crowded_most[1] = 0;
    assert_int_equal(scenario_try(&run), HAW_OK);
    assert_true(run.simulation->certificate.factorizations > 50);
    scenario_close(&run);
}

TEST_FILE(test_crowded)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crowded_equilibrium_ends_after_its_factorizations),
        cmocka_unit_test(others_have_no_such_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
