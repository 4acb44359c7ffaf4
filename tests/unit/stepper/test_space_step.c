/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of moreau-jean in space that are rejected, halved or shortened, and the contact problems
 * that they leave. */
#include "stepper/simulation.h"
#include "support/scenario.h"
#include "support/space_run.h"

#include <hawser/problem.h>

static void set_passes(space_run *run, double passes)
{
    assert_int_equal(
        haw_stepper_set(run->context, &run->simulation->settings.stepper, "max_newton", passes),
        HAW_OK);
}

static void advance(space_run *run, double until)
{
    while (run->state->t < until) {
        space_run_step(run);
    }
}

static haw_state *copy(const space_run *run)
{
    haw_state *kept;
    assert_int_equal(haw_state_create(run->context, &run->simulation->model, &kept), HAW_OK);
    haw_state_copy(kept, run->state);
    return kept;
}

static void assert_same_state(const haw_state *got, const haw_state *want)
{
    assert_memory_equal(&got->t, &want->t, sizeof want->t);
    assert_int_equal(got->step, want->step);
    assert_memory_equal(got->q, want->q, (size_t)want->coordinates * sizeof(double));
    assert_memory_equal(got->u, want->u, (size_t)want->dofs * sizeof(double));
    assert_memory_equal(got->a, want->a, (size_t)want->dofs * sizeof(double));
    assert_memory_equal(got->impulse, want->impulse, (size_t)want->rows * sizeof(double));
}

/* ---- rejected attempts ---- */

static void a_rejected_attempt_leaves_the_run_as_it_was(void **unused)
{
    (void)unused;
    space_run tried, plain;
    space_run_read(&tried, 0, NULL);
    space_run_read(&plain, 0, NULL);
    space_run_start(&tried);
    space_run_start(&plain);
    advance(&tried, 1);
    advance(&plain, 1);
    assert_true(tried.simulation->contacts->count > 0);
    for (int i = 0; i < 20; i++) {
        haw_state *before = copy(&tried);
        set_passes(&tried, 1);
        assert_int_equal(haw_simulation_step(tried.simulation), HAW_ERR_UNCONVERGED);
        assert_same_state(tried.state, before);
        set_passes(&tried, 25);
        space_run_step(&tried);
        space_run_step(&plain);
        assert_same_state(tried.state, plain.state);
        haw_state_free(tried.context, before);
    }
    assert_memory_equal(&tried.simulation->ledger, &plain.simulation->ledger,
                        sizeof plain.simulation->ledger);
    space_run_close(&tried);
    space_run_close(&plain);
}

/* Two steps of h / 2 from a state, by hand. */
static void take_halves(space_run *run, const haw_state *from, double h)
{
    assert_int_equal(haw_simulation_restore(run->simulation, from), HAW_OK);
    for (int i = 1; i <= 2; i++) {
        run->simulation->h = h / 2;
        assert_int_equal(haw_step(run->simulation), HAW_OK);
        run->simulation->state->t = from->t + i * h / 2;
    }
}

static void assert_near_all(int count, const double *got, const double *want, double tolerance)
{
    for (int i = 0; i < count; i++) {
        assert_near(got[i], want[i], tolerance, 0);
    }
}

/* Newton's method may take as many passes as half a step needs: where the whole step is rejected,
 * the two halves are those of a run with half the step. */
static void halved_steps_add_up(void **unused)
{
    (void)unused;
    static const char *const set[] = {"solver.on_unconverged=halve"};
    const double h = 5e-3;
    int halved = 0;
    space_run run, halves;
    space_run_read(&run, 1, set);
    space_run_read(&halves, 0, NULL);
    space_run_start(&run);
    space_run_start(&halves);
    advance(&run, 0.5);
    set_passes(&run, 3);
    while (run.state->t < 1.5) {
        const haw_certificate *certificate = &run.simulation->certificate;
        const long rejected = certificate->rejected_steps, missed = certificate->unconverged_steps;
        haw_state *before = copy(&run);
        space_run_step(&run);
        if (certificate->rejected_steps == rejected + 1) {
            halved++;
            take_halves(&halves, before, h);
            assert_int_equal(certificate->unconverged_steps, missed + 1);
            assert_int_equal(run.state->step, before->step + 1);
            assert_near(run.state->t, before->t + h, 1e-14, 0);
            assert_near_all(run.state->coordinates, run.state->q, halves.state->q, 1e-10);
            assert_near_all(run.state->dofs, run.state->u, halves.state->u, 1e-7);
            assert_near_all(run.state->rows, run.state->impulse, halves.state->impulse, 1e-8);
        }
        haw_state_free(run.context, before);
    }
    assert_in_range(halved, 3, 200);
    assert_true(run.simulation->ledger.balance_error < 1e-9);
    space_run_close(&run);
    space_run_close(&halves);
}

/* Eight halvings, and no more. */
static void a_hopeless_step_ends_the_run(void **unused)
{
    (void)unused;
    static const char *const set[] = {"solver.on_unconverged=halve"};
    space_run run;
    space_run_read(&run, 1, set);
    space_run_start(&run);
    advance(&run, 1);
    run.state->u[run.state->dofs / 2] += 1e5; /* whose stretch no single pass meets */
    haw_state *before = copy(&run);
    set_passes(&run, 1);
    assert_int_equal(haw_simulation_step(run.simulation), HAW_ERR_UNCONVERGED);
    assert_int_equal(run.simulation->certificate.rejected_steps, 8);
    assert_non_null(strstr(haw_context_message(run.context), "Newton passes"));
    assert_same_state(run.state, before);
    haw_state_free(run.context, before);
    space_run_close(&run);
}

/* ---- problems that steps leave ---- */

/* Impulses of one motion differ by what the tolerance leaves over the mobility of a contact. */
static void assert_solved(const scenario_run *run, const haw_problem *problem, const char *name,
                          double tolerance)
{
    haw_solver_settings solver;
    haw_workspace *work;
    haw_report report;
    const double *impulses = run->simulation->contacts->impulse;
    const size_t rows = 3 * (size_t)problem->contacts;
    double *r = calloc(2 * rows, sizeof(double)), size = 0;
    assert_non_null(r);
    for (size_t i = 0; i < rows; i++) {
        size = fmax(size, fabs(impulses[i]));
    }
    assert_int_equal(haw_solver_settings_init(run->context, name, &solver), HAW_OK);
    assert_int_equal(haw_options_set_real(run->context, solver.ops->row.options, solver.options,
                                          "tolerance", tolerance),
                     HAW_OK);
    assert_int_equal(haw_workspace_create(run->context, &work), HAW_OK);
    assert_int_equal(haw_solve(problem, &solver, work, r, r + rows, &report), HAW_OK);
    assert_int_equal(report.outcome, HAW_CONVERGED);
    assert_true(report.residual.natural <= tolerance);
    assert_near_all((int)rows, r, impulses, 1e5 * tolerance * size);
    haw_workspace_free(work);
    free(r);
}

/* Whoever solves the problem of a step finds the impulses of the run, and looking at it changes
 * nothing. */
static void every_solver_finds_the_impulses_of_the_run(void **unused)
{
    (void)unused;
    static const double time[] = {3, 5.5};
    static const char *const name[] = {"newton", "ppa", "admm"};
    const double *impulses;
    scenario_run run, other;
    scenario_init(&run, "winding-w1");
    scenario_init(&other, "winding-w1");
    scenario_open(&run);
    scenario_open(&other);
    for (int i = 0; i < 2; i++) {
        while (run.simulation->state->t < time[i] - 1e-9) {
            assert_int_equal(haw_simulation_step(run.simulation), HAW_OK);
            assert_int_equal(haw_simulation_step(other.simulation), HAW_OK);
        }
        const haw_problem *problem = haw_simulation_problem(run.simulation, &impulses);
        assert_non_null(problem);
        assert_ptr_equal(haw_simulation_problem(run.simulation, &impulses), problem);
        assert_true(problem->contacts > 10);
        assert_int_equal(problem->global->m.rows, run.simulation->model.dofs - 6 - 8);
        for (int k = 0; k < 3; k++) {
            assert_solved(&run, problem, name[k], 1e-8);
            assert_solved(&run, problem, name[k], 1e-11);
        }
    }
    assert_int_equal(haw_simulation_step(run.simulation), HAW_OK);
    assert_int_equal(haw_simulation_step(other.simulation), HAW_OK);
    assert_same_state(run.simulation->state, other.simulation->state);
    scenario_close(&run);
    scenario_close(&other);
}

static void steps_without_contact_leave_no_problem(void **unused)
{
    (void)unused;
    const double *impulses;
    space_run run;
    space_run_read(&run, 0, NULL);
    space_run_start(&run);
    assert_null(haw_simulation_problem(run.simulation, &impulses));
    space_run_step(&run);
    assert_int_equal(run.simulation->contacts->count, 0);
    assert_null(haw_simulation_problem(run.simulation, &impulses));
    space_run_close(&run);
}

/* Of the problem: r in K, w and their complementarity, over the largest of them. */
static double miss_at_end(const haw_problem *problem, const double *impulses)
{
    const int d = problem->dimension, rows = d * problem->contacts;
    const double *w = problem->global->w;
    double force = 1e-6, speed = 1e-3, most = 0;
    for (int i = 0; i < rows; i++) {
        force = fmax(force, fabs(impulses[i]));
        speed = fmax(speed, fabs(w[i]));
    }
    for (int i = 0; i < rows; i += d) {
        double hat[3], foot[3];
        const double slip = d == 2 ? fabs(w[i + 1]) : hypot(w[i + 1], w[i + 2]);
        for (int k = 0; k < d; k++) {
            const double own = w[i + k] + (k == 0 ? problem->mu[i / d] * slip : 0);
            hat[k] = impulses[i + k] - force / speed * own;
        }
        haw_cone_project(d, problem->mu[i / d], hat, foot);
        for (int k = 0; k < d; k++) {
            most = fmax(most, fabs(foot[k] - impulses[i + k]));
        }
    }
    return most / force;
}

/* M v = f + H r, u = H'v + w: of implicit steps v = 0, whoever solved the passes before, and
 * however unsymmetric friction makes their matrix. */
static void problems_are_those_of_the_end(void **unused)
{
    (void)unused;
    static const char *const text[] = {
        "hawser: 1\n"
        "gravity: [0, -32.45]\n"
        "bodies: [{name: ground, shape: {type: plane}, motion: {fixed: true}}]\n"
        "cables: [{name: c0, from: [-1.2671132334752184, 2.2955993649475757e-06],\n"
        "  to: [1.2671132334752184, 2.2955993649475757e-06], ends: {start: free, end: clamped},\n"
        "  element: bezier-c0, elements: 13, stiffness: 17789.595, density: 0.146747046}]\n"
        "contact: [{between: [c0, ground], law: hard, friction: 0, spacing: 0.0643698}]\n"
        "springs: [{between: [{c0: 0.299888}, [-0.30011733285561459, 0.28417545518680831]],\n"
        "  stiffness: 3267.33, damping: 0, length: 0.31514}]\n"
        "joints: [{name: j0, type: pinned, between: [{ground: [0, 2.2955993649475757e-06]},\n"
        "  {cable: c0, at: 0.5}]}]\n"
        "start: given\n"
        "stepper: {type: moreau-jean, step: 2.6824543769942339e-05, end: 1.4e-4}\n"
        "solver: {on_unconverged: halve}\n",
        "hawser: 1\n"
        "gravity: [0, -9.81]\n"
        "bodies: [{name: floor, shape: {type: plane}, motion: {fixed: true}},\n"
        "  {name: side, shape: {type: plane, normal: [-1, 0]}, position: [0.1, 0], motion: {fixed: "
        "true}},\n"
        "  {name: disk, shape: {type: circle, radius: 0.1}, mass: 1, position: [2.0e-5, 0.1005], "
        "velocity: [0.1, -1], spin: 60}]\n"
        "contact: [{between: [disk, floor], friction: 0.3}, {between: [disk, side], law: penalty,\n"
        "  normal_stiffness: 1.0e+5, tangential: lugre, tangential_stiffness: 1.0e+5, friction: "
        "0.3}]\n"
        "start: given\n"
        "stepper: {type: nsga, step: 1.0e-3, end: 5.0e-3}\n"};

    for (int k = 0; k < 2; k++) {
        int seen = 0;
        scenario_run run;
        scenario_init(&run, "problems");
        run.text = text[k];
        scenario_open(&run);
        while (!haw_simulation_is_done(run.simulation)) {
            const double *impulses;
            assert_int_equal(haw_simulation_step(run.simulation), HAW_OK);
            const haw_problem *problem = haw_simulation_problem(run.simulation, &impulses);
            if (problem != NULL) {
                seen++;
                assert_near(miss_at_end(problem, impulses), 0, 1e-6, 0);
            }
        }
        assert_true(seen > 1);
        scenario_close(&run);
    }
}

/* The first contact of a run is in the step that misses: nothing is left of a step before. */
static void a_missed_step_leaves_its_problem(void **unused)
{
    (void)unused;
    const double *impulses;
    scenario_run run;
    scenario_init(&run, "winding-helix");
    scenario_set(&run, "stepper.max_newton=1");
    scenario_set(&run, "stepper.step=5e-3");
    scenario_open(&run);
    assert_int_equal(haw_simulation_step(run.simulation), HAW_ERR_UNCONVERGED);
    const haw_problem *problem = haw_simulation_problem(run.simulation, &impulses);
    assert_non_null(problem);
    assert_int_equal(problem->contacts, run.simulation->contacts->count);
    assert_int_equal(haw_simulation_frame(run.simulation)->touches, problem->contacts);
    scenario_close(&run);
}

TEST_FILE(test_space_step)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rejected_attempt_leaves_the_run_as_it_was),
        cmocka_unit_test(halved_steps_add_up),
        cmocka_unit_test(a_hopeless_step_ends_the_run),
        cmocka_unit_test(every_solver_finds_the_impulses_of_the_run),
        cmocka_unit_test(steps_without_contact_leave_no_problem),
        cmocka_unit_test(problems_are_those_of_the_end),
        cmocka_unit_test(a_missed_step_leaves_its_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
