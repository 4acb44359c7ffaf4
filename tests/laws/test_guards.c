/* SPDX-License-Identifier: BSD-3-Clause */
/* What ends a run: guards, a missed tolerance, a cancel; and the state it leaves behind. */
#include "element/element.h"
#include "stepper/simulation.h"
#include "support/rig.h"
#include "support/scenario.h"

#include <stdlib.h>

/* A small fast disk in front of a cable with a fine grid. */
static void open_fast(rig *r, double speed)
{
    disk_case c;
    disk_case_init(&c);
    c.points = 16;
    c.step = 4e-5;
    c.body.shape_options[0] = 0.01;
    c.body.position[0] = -0.05;
    c.body.velocity[0] = speed;
    c.body.mass = 0.1;
    c.contact.depth_limit = 0.25; /* this is about speed */
    rig_disk(r, &c);
}

/* At most `most` steps; the first status that is not HAW_OK. */
static haw_status run_until(rig *r, long most)
{
    haw_status status = HAW_OK;
    for (long i = 0; i < most && status == HAW_OK; i++) {
        status = haw_simulation_step(r->simulation);
    }
    return status;
}

/* h v = R / 4 at 62.5 m/s: above, the run ends; well below, it goes on. */
static void more_than_a_quarter_of_the_radius_per_step_ends_the_run(void **state)
{
    (void)state;
    rig r;
    open_fast(&r, 64);
    assert_int_equal(run_until(&r, 40), HAW_ERR_GUARD);
    assert_non_null(strstr(haw_context_message(r.context), "a quarter of its radius"));
    assert_true(r.state->q[0] < 0); /* before it could pass */
    rig_close(&r);
    open_fast(&r, 40);
    assert_int_equal(run_until(&r, 40), HAW_OK);
    assert_true(r.simulation->certificate.contacts_max > 0);
    rig_close(&r);
}

/* Even a disk that crosses the whole cable within one step is seen. */
static void no_disk_is_too_fast_to_be_seen(void **state)
{
    (void)state;
    static const double speed[3] = {300, 3e3, 3e5};
    for (int i = 0; i < 3; i++) {
        rig r;
        open_fast(&r, speed[i]);
        assert_int_equal(run_until(&r, 40), HAW_ERR_GUARD);
        rig_close(&r);
    }
}

/* A weightless cable that flies at a fixed disk and crosses it within one step. */
static void no_cable_is_too_fast_to_be_seen(void **state)
{
    (void)state;
    rig r;
    rig_flying(&r, 5000);
    assert_int_equal(run_until(&r, 20), HAW_ERR_GUARD);
    rig_close(&r);
}

/* A slack cable in polar coordinates in which one handle shrinks. */
static void a_vanishing_handle_of_the_polar_element_ends_the_run(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    c.element = "bezier-polar";
    c.cable.slack = true;
    c.cable.tension = 0;
    rig_disk_settings(&r, &c);
    haw_scene scene = *disk_case_scene(&c);
    scene.gravity[1] = 0;
    rig_build(&r, &scene);
    r.simulation->state->u[3 + 5 * 10 + 3] = -500;
    rig_restart(&r);
    assert_int_equal(run_until(&r, 2000), HAW_ERR_GUARD);
    assert_non_null(strstr(haw_context_message(r.context), "bezier-polar"));
    const haw_line *line = &r.simulation->model.cable[0].line;
    assert_true(line->ops->handle(line, r.state->q + 3) >= 0.05); /* the step was not taken */
    rig_close(&r);
}

/* Blow-up is named; it does not look like a disk that flies on. */
static void a_state_that_is_no_longer_finite_ends_the_run(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        rig r;
        disk_case c;
        disk_case_init(&c);
        c.element = haw_elements[i]->name;
        c.body.position[0] = -10;
        rig_disk(&r, &c);
        r.simulation->step = 2 * haw_model_critical_step(r.model);
        r.simulation->state->u[10] += 1e-3;
        const haw_status status = run_until(&r, 20000);
        print_message("%s: %s\n", c.element, haw_context_message(r.context));
        assert_true(status == HAW_ERR_DIVERGED || status == HAW_ERR_GUARD);
        for (int k = 0; k < r.state->dofs; k++) {
            assert_true(isfinite(r.state->q[k]) && isfinite(r.state->u[k]));
        }
        rig_close(&r);
    }
}

static void a_velocity_that_is_not_a_number_ends_the_run(void **state)
{
    (void)state;
    static const int dof[2] = {0, 40}; /* of the disk, of the cable */
    for (int i = 0; i < 2; i++) {
        rig r;
        disk_case c;
        disk_case_init(&c);
        rig_disk(&r, &c);
        r.simulation->state->u[dof[i]] = (double)NAN;
        assert_int_equal(haw_simulation_step(r.simulation), HAW_ERR_DIVERGED);
        rig_close(&r);
    }
}

/* Twenty iterations are too few for the canonical case at 40 elements: the tolerance is missed. */
static void open_strained(rig *r, int on_unconverged, double step)
{
    disk_case c;
    disk_case_init(&c);
    c.elements = 40;
    c.step = step;
    c.tolerance = 1e-8;
    rig_disk_settings(r, &c);
    r->settings.on_unconverged = on_unconverged;
    rig_solver_set(r, "max_iterations", 20);
    rig_build(r, disk_case_scene(&c));
}

/* stop: the state, the ledger and the warm start are those before the step that failed. */
static void an_unconverged_step_is_not_taken(void **state)
{
    (void)state;
    rig r;
    open_strained(&r, HAW_UNCONVERGED_STOP, 5e-6);
    haw_state *before = NULL;
    haw_ledger ledger;
    haw_status status = HAW_OK;
    assert_int_equal(haw_state_create(r.context, r.model, &before), HAW_OK);
    while (status == HAW_OK && r.state->t < 0.03) {
        haw_state_copy(before, r.state);
        ledger = r.simulation->ledger;
        status = haw_simulation_step(r.simulation);
    }
    const size_t n = (size_t)before->dofs * sizeof(double);
    assert_int_equal(status, HAW_ERR_UNCONVERGED);
    assert_memory_equal(r.state->q, before->q, n);
    assert_memory_equal(r.state->u, before->u, n);
    assert_memory_equal(r.state->impulse, before->impulse, (size_t)before->rows * sizeof(double));
    assert_memory_equal(&r.simulation->ledger, &ledger, sizeof ledger);
    assert_true(r.state->t == before->t && r.state->step == before->step);
    assert_int_equal(r.simulation->certificate.unconverged_steps, 1);
    assert_non_null(strstr(haw_context_message(r.context), "missed its tolerance"));
    haw_state_free(r.context, before);
    rig_close(&r);
}

static void count_warnings(void *user, haw_log_level level, const char *text)
{
    (void)text;
    *(int *)user += level == HAW_LOG_WARNING;
}

/* warn: every missed step is taken and counted, the first one is logged. */
static void warnings_count_every_unconverged_step(void **state)
{
    (void)state;
    rig r;
    int warnings = 0;
    open_strained(&r, HAW_UNCONVERGED_WARN, 5e-6);
    haw_context_set_log(r.context, count_warnings, &warnings);
    long missed = 0;
    for (int i = 0; i < 5000; i++) {
        rig_step(&r);
        missed +=
            r.simulation->contacts->count > 0 && r.simulation->report.outcome != HAW_CONVERGED;
    }
    assert_true(missed > 10);
    assert_int_equal(r.simulation->certificate.unconverged_steps, missed);
    assert_int_equal(warnings, 1);
    const haw_frame *f = haw_simulation_frame(r.simulation);
    assert_true(f->certificate->residual_max > 1e-8);
    assert_near(2 * (f->state->u[0] - 3), f->pair[0].impulse[0], 1e-11, 0);
    rig_close(&r);
}

/* halve: the parts of a step add up to it, in time, in impulse and in the ledger. */
static void halved_steps_add_up_to_the_step(void **state)
{
    (void)state;
    rig r;
    open_strained(&r, HAW_UNCONVERGED_HALVE, 5e-6);
    for (int i = 1; i <= 4500; i++) {
        rig_step(&r);
        assert_near(r.state->t, 5e-6 * i, 0, 1e-14);
        assert_int_equal(r.state->step, i);
    }
    const haw_frame *f = haw_simulation_frame(r.simulation);
    const haw_ledger *l = f->ledger;
    assert_true(f->certificate->unconverged_steps > 0);
    assert_true(f->certificate->residual_max <= 1e-8);
    assert_near(l->balance_error, 0, 1e-14 * l->initial, 0);
    assert_near(2 * (f->state->u[0] - 3), f->pair[0].impulse[0], 1e-11, 0);
    assert_near(0.01 * (f->state->u[2] - 40), f->pair[0].impulse[5], 1e-11, 0);
    rig_close(&r);
}

/* auto: a step that the program has chosen is divided, one that is given is not. */
static void only_steps_that_are_chosen_are_divided(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        rig r;
        haw_status status = HAW_OK;
        open_strained(&r, HAW_UNCONVERGED_AUTO, i == 0 ? 5e-6 : (double)NAN);
        const haw_certificate *certificate = &r.simulation->certificate;
        while (status == HAW_OK && certificate->rejected_steps == 0) {
            status = haw_simulation_step(r.simulation);
        }
        assert_int_equal(status, i == 0 ? HAW_ERR_UNCONVERGED : HAW_OK);
        assert_int_equal(certificate->unconverged_steps, 1);
        assert_true(i == 0 || certificate->residual_max <= 1e-8);
        rig_close(&r);
    }
}

/* Cancels in frame 3. */
typedef struct watcher {
    haw_context *context;
    int frames, cancel_at, fail_at;
    double last;
} watcher;

static haw_status watch(void *user, const haw_frame *frame)
{
    watcher *w = user;
    w->frames++;
    w->last = frame->t;
    if (w->frames == w->cancel_at) {
        haw_context_cancel(w->context);
    }
    return w->frames == w->fail_at ? HAW_ERR_IO : HAW_OK;
}

static haw_status watched_run(watcher *w, haw_summary *summary)
{
    rig r;
    disk_case c;
    disk_case_init(&c);
    c.end = 0.01;
    rig_disk_settings(&r, &c);
    r.settings.every = 1e-3;
    rig_build(&r, disk_case_scene(&c));
    w->context = r.context;
    const haw_observer observer = {.frame = watch, .user = w};
    const haw_status status = haw_simulation_run(r.simulation, &observer, summary);
    rig_close(&r);
    return status;
}

static void a_cancel_ends_the_run_after_the_frame(void **state)
{
    (void)state;
    haw_summary summary;
    watcher w = {.cancel_at = 4};
    assert_int_equal(watched_run(&w, &summary), HAW_ERR_CANCELLED);
    assert_int_equal(w.frames, 4);
    assert_near(summary.t_end, 3e-3, 1e-12, 0);
    assert_int_equal(summary.steps, 300);
}

static void an_observer_ends_the_run_with_its_own_status(void **state)
{
    (void)state;
    haw_summary summary;
    watcher w = {.fail_at = 6};
    assert_int_equal(watched_run(&w, &summary), HAW_ERR_IO);
    assert_near(w.last, 5e-3, 1e-12, 0);
    assert_int_equal(summary.steps, 500);
}

static void a_run_shows_the_start_every_interval_and_the_end(void **state)
{
    (void)state;
    haw_summary summary;
    watcher w = {.frames = 0};
    assert_int_equal(watched_run(&w, &summary), HAW_OK);
    assert_int_equal(w.frames, 11);
    assert_true(w.last == 0.01 && summary.t_end == 0.01);
    assert_int_equal(summary.steps, 1000);
    assert_string_equal(summary.stepper, "moreau");
    assert_string_equal(summary.solver, "pgs");
}

/* A disk that has come to roll, m_eff = m / (1 + m R^2 / I) = 1/3 kg: above v_r = h mu N / 2 m_eff
 * = 4.41e-4 m/s its force vanishes, below it goes to and fro. */
static void friction_that_chatters_is_said(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        int warnings = 0;
        scenario_init(&run, "rolling");
        run.text =
            "hawser: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n  - {name: disk, shape: {type: "
            "circle, radius: 0.1}, mass: 1, inertia: 0.005, position: [0, 0.1], velocity: [1, 0]}\n"
            "  - {name: floor, shape: {type: plane}, motion: {fixed: true}}\ncontact: [{between: "
            "[disk, floor], law: penalty, normal_stiffness: 1.0e+5, normal_damping: 100, friction: "
            "0.3, tangential: regularized, regularization_velocity: 1}]\nstart: given\n"
            "stepper: {type: moreau, step: 1.0e-4, end: 0.3}\noutput: {probes: [disk.velocity]}\n";
        scenario_set(&run, "contact.regularization_velocity=%g", i == 0 ? 4.45e-4 : 4.38e-4);
        scenario_open(&run);
        haw_context_set_log(run.context, count_warnings, &warnings);
        assert_int_equal(scenario_try(&run), HAW_OK);
        assert_int_equal(warnings, i);
        const double off = scenario_last(&run, "disk.velocity", 0) - 2.0 / 3;
        assert_true(i == 0 ? fabs(off) < 1e-12 : fabs(off) > 1e-6);
        scenario_close(&run);
    }
}

static const char rod_and_rope[] =
    "hawser: 1\ndimension: 3\n"
    "bodies: [{name: rod, shape: {type: cylinder, radius: 0.01}, motion: {fixed: true}}]\n"
    "cables: [{name: rope, element: bezier, elements: 40, tension: 10, stiffness: 1.0e+3,\n"
    "  density: 0.05, radius: 0.002,";

/* A belt that is drawn round a rod, with pinned ends: 2 % off it the length of its path is slack in
 * equilibrium: legs of .040073 m and an arc of 3.12961 rad are 3.589e-3 longer than the unstrained
 * rope. */
static void a_path_off_its_rod_is_said(void **state)
{
    (void)state;
    static const double radius[] = {0.0120001, 0.01224};
    static const char *const stepper[] = {"quasi-static, step: 0.1, end: 0.1", "static"};
    for (int k = 0; k < 4; k++) { /* a start has no friction */
        const int i = k % 2;
        const double r = radius[i];
        char text[1024];
        scenario_run run;
        int warnings = 0;
        scenario_init(&run, "belt");
        (void)snprintf(
            text, sizeof text,
            "%s from: [%g, -0.04, 0], path: [{line: [%g, 0, 0]},\n"
            "  {arc: {center: [0, 0, 0], radius: %g, angle_deg: 180}}, {line: [%g, -0.04, 0]}],\n"
            "  ends: {start: pinned, end: pinned}}]\n"
            "contact: [{between: [rope, rod], friction: %s}]\n"
            "start: %s\n"
            "stepper: {type: %s}\n",
            rod_and_rope, r, r, r, -r, k < 2 ? "0.1" : "0", k < 2 ? "static" : "given",
            stepper[k / 2]);
        run.text = text;
        assert_int_equal(haw_context_create(NULL, &run.context), HAW_OK);
        haw_context_set_log(run.context, count_warnings, &warnings);
        assert_int_equal(scenario_build(&run), HAW_OK);
        assert_int_equal(scenario_try(&run), HAW_OK);
        const double has = run.simulation->model.cable[0].ops->tension(
            &run.simulation->model.cable[0], 0, run.simulation->state->q, NULL);
        assert_near(has, i == 0 ? 10 : 3.589, 0, 3e-3);
        assert_int_equal(warnings, i);
        scenario_close(&run);
    }
}

/* A bow whose end is pulled is straight in equilibrium: the first step of its path is all the way,
 * in steps of any length. */
static void a_path_out_of_balance_names_its_start(void **state)
{
    (void)state;
    static const double step[] = {0.1, 1e-4};
    for (int i = 0; i < 2; i++) {
        char text[1024];
        scenario_run run;
        scenario_init(&run, "bow");
        (void)snprintf(text, sizeof text,
                       "%s from: [-0.1, 0, 0],\n"
                       "  path: [{arc: {center: [0, 0, 0], radius: 0.1, angle_deg: -180}}],\n"
                       "  ends: {start: pinned, end: {tension: 10, towards: [1, 0, 0]}}}]\n"
                       "contact: [{between: [rope, rod], friction: 0.1}]\n"
                       "stepper: {type: quasi-static, step: %g, end: 0.1}\n",
                       rod_and_rope, step[i]);
        run.text = text;
        assert_int_equal(haw_context_create(NULL, &run.context), HAW_OK);
        assert_int_equal(scenario_build(&run), HAW_OK);
        assert_int_equal(scenario_try(&run), HAW_ERR_GUARD);
        assert_non_null(strstr(haw_context_message(run.context), "needs start: static"));
        scenario_close(&run);
    }
}

/* What nsga loses where something lands is parted between impacts and the steps themselves. */
static void energy_made_by_landing_names_moreau_jean(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "rope-on-cylinder");
    scenario_set(&run, "stepper.type=nsga");
    scenario_set(&run, "stepper.rho_infinity=.8");
    scenario_open(&run);
    assert_int_equal(scenario_try(&run), HAW_ERR_DIVERGED);
    assert_non_null(strstr(haw_context_message(run.context), "or moreau-jean where impacts"));
    scenario_close(&run);
}

/* A rod of few elements is rolled up: passes that would turn one of them too far are cut, and the
 * step that misses its tolerance says why. No shorter step is named where only the mesh helps. */
static void a_mesh_too_coarse_to_turn_is_said(void **state)
{
    (void)state;
    static const char *const stepper[] = {"moreau-jean", "generalized-alpha"};
    static const char *const remedy[] = {"stop", "halve"};
    for (int i = 0; i < 4; i++) {
        char text[1024];
        scenario_run run;
        scenario_init(&run, "rolled");
        (void)snprintf(
            text, sizeof text,
            "hawser: 1\n"
            "dimension: 3\n"
            "cables: [{name: rod, element: se3, elements: 3, from: [0, 0, 0], to: [1, 0, 0],\n"
            "  stiffness: 1.0e+4, shear_stiffness: 5.0e+3, bending_stiffness: 1,\n"
            "  torsional_stiffness: 1, density: 1, radius: 0.02,\n"
            "  ends: {start: clamped, end: free}}]\n"
            "forces: [{target: rod, point: end, moment: [0, 0, {table: [[0, 0], [1, 20]]}]}]\n"
            "solver: {on_unconverged: %s}\n"
            "stepper: {type: %s, step: 1.0e-2, end: 1}\n",
            remedy[i % 2], stepper[i / 2]);
        run.text = text;
        assert_int_equal(haw_context_create(NULL, &run.context), HAW_OK);
        assert_int_equal(scenario_build(&run), HAW_OK);
        const haw_status status = scenario_try(&run);
        assert_int_equal(status, i / 2 == 0 ? HAW_ERR_UNCONVERGED : HAW_ERR_GUARD);
        const char *said = haw_context_message(run.context);
        assert_non_null(strstr(said, "cable 'rod': element 0 of 3 turns by 2."));
        assert_int_equal(strstr(said, "stepper.step: 2.5e-03") != NULL, i / 2 == 0);
        assert_int_equal(strstr(said, "on_unconverged: halve") != NULL, i == 0);
        scenario_close(&run);
    }
}

TEST_FILE(test_guards)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_than_a_quarter_of_the_radius_per_step_ends_the_run),
        cmocka_unit_test(no_disk_is_too_fast_to_be_seen),
        cmocka_unit_test(no_cable_is_too_fast_to_be_seen),
        cmocka_unit_test(a_vanishing_handle_of_the_polar_element_ends_the_run),
        cmocka_unit_test(a_state_that_is_no_longer_finite_ends_the_run),
        cmocka_unit_test(a_velocity_that_is_not_a_number_ends_the_run),
        cmocka_unit_test(an_unconverged_step_is_not_taken),
        cmocka_unit_test(warnings_count_every_unconverged_step),
        cmocka_unit_test(halved_steps_add_up_to_the_step),
        cmocka_unit_test(only_steps_that_are_chosen_are_divided),
        cmocka_unit_test(a_cancel_ends_the_run_after_the_frame),
        cmocka_unit_test(an_observer_ends_the_run_with_its_own_status),
        cmocka_unit_test(a_run_shows_the_start_every_interval_and_the_end),
        cmocka_unit_test(friction_that_chatters_is_said),
        cmocka_unit_test(a_mesh_too_coarse_to_turn_is_said),
        cmocka_unit_test(a_path_off_its_rod_is_said),
        cmocka_unit_test(a_path_out_of_balance_names_its_start),
        cmocka_unit_test(energy_made_by_landing_names_moreau_jean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
