/* SPDX-License-Identifier: BSD-3-Clause */
/* Explicit steps whose contacts outnumber the degrees of freedom that they touch, by their W. */
#include "stepper/simulation.h"
#include "support/scenario.h"

#include <math.h>

enum { STEPS = 200 };

typedef struct counts {
    int regions, contacts; /* steps without a W of their own; most contacts */
} counts;

/* W of the step, which a reader gets, and what it makes of the impulses. */
static void check_step(scenario_run *run, counts *found)
{
    const haw_contacts *contacts = run->simulation->contacts;
    found->regions += contacts->count > 0 && contacts->problem.w.rows == 0;
    const double *impulses;
    const haw_problem *problem = haw_simulation_problem(run->simulation, &impulses);
    if (problem == NULL) {
        return;
    }
    const int rows = problem->dimension * problem->contacts;
    double *u = calloc((size_t)rows, sizeof *u);
    haw_residual residual;
    assert_non_null(u);
    assert_int_equal(haw_problem_residual(run->context, problem, impulses, u, &residual), HAW_OK);
    assert_true(residual.stop <= 1e-8 * (1 + 1e-4));
    for (int i = 0; i < rows; i++) { /* e = 0 */
        assert_near(contacts->gamma_plus[i], u[i], 1e-9, 1e-9);
    }
    free(u);
    found->contacts = problem->contacts > found->contacts ? problem->contacts : found->contacts;
}

/* Momentum of the disk along x, and the end of the run. @param solver  of the scenario */
static double ride(const char *scenario, const char *position, const char *solver, counts *found)
{
    scenario_run run;
    scenario_init(&run, scenario);
    scenario_set(&run, "bodies.disk.position=%s", position);
    scenario_set(&run, "cables.cable.elements=200");
    scenario_set(&run, "contact.0.points_per_element=240");
    scenario_set(&run, "stepper.step=auto");
    scenario_set(&run, "solver.type=%s", solver);
    scenario_open(&run);
    *found = (counts){0};
    for (int i = 0; i < STEPS; i++) {
        assert_int_equal(haw_simulation_step(run.simulation), HAW_OK);
        check_step(&run, found);
    }
    const double speed = run.simulation->state->u[0];
    scenario_close(&run);
    return speed;
}

static void steps_in_a_region_solve_the_problem_of_their_contacts(void **state)
{
    (void)state;
    static const char *const scenario[][2] = {{"disk-impact", "[-0.1000005, 1]"},
                                              {"disk-impact-space", "[-0.1000005, 0, 1]"}};
    for (int i = 0; i < 2; i++) {
        counts found, none;
        const double speed = ride(scenario[i][0], scenario[i][1], "auto", &found);
        const double swept = ride(scenario[i][0], scenario[i][1], "admm", &none);
        print_message("%s: %d of %d steps, %d contacts, speed %.9f, %.9f\n", scenario[i][0],
                      found.regions, STEPS, found.contacts, speed, swept);
        assert_true(found.regions > STEPS / 4 && found.contacts >= 16);
        assert_int_equal(none.regions, 0);
        assert_near(speed, swept, 1e-6, 0);
    }
}

/* A chain lies on the floor: 1e8 / w times what a contact yields was rounding as large as the
 * tolerance, and every step began once more over all contacts, with 90 pivots of another method. */
static void what_rests_takes_few_steps_of_newtons_method(void **state)
{
    static const char text[] =
        "hawser: 1\n"
        "gravity: [0, -9.81]\n"
        "bodies: [{name: floor, shape: {type: plane}, motion: {fixed: true}}]\n"
        "cables: [{name: c, element: chain, elements: 100, from: [0, 0], to: [1, 0], stiffness: "
        "1.0e+4,\n  density: 0.1, slack: true, ends: {start: free, end: free}}]\n"
        "contact: [{between: [c, floor], points_per_element: 1, friction: 0.2}]\n"
        "start: given\n"
        "stepper: {type: moreau, step: 3.0e-6, end: 1.5e-3}\n"
        "output: {every: 1.5e-3, probes: [contact.normal_sum]}\n";
    scenario_run run;
    (void)state;
    scenario_init(&run, "chain");
    run.text = text;
    scenario_complete(&run);
    const haw_certificate *certificate = &run.summary.certificate;
    print_message("%ld iterations of %ld steps\n", (long)certificate->iterations_total,
                  run.summary.steps);
    assert_true(certificate->iterations_total <= 5 * run.summary.steps);
    assert_true(certificate->residual_max < 1e-9);
    assert_near(scenario_last(&run, "contact.normal_sum", 0), 0.1 * 9.81, 0, 1e-6);
    scenario_close(&run);
}

TEST_FILE(test_region)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_in_a_region_solve_the_problem_of_their_contacts),
        cmocka_unit_test(what_rests_takes_few_steps_of_newtons_method),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
