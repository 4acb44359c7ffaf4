/* SPDX-License-Identifier: BSD-3-Clause */
/* Moreau-Jean against closed forms, and on the disk impact against the explicit midpoint. */
#include "stepper/moreau_jean.h"
#include "support/arena_fixture.h"
#include "support/failing.h"
#include "support/scene.h"

#include <string.h>

typedef struct jean_run {
    haw_model *model;
    haw_simulation *simulation;
    haw_summary summary;
} jean_run;

static haw_run_settings jean_settings(double step, double end, double theta)
{
    haw_run_settings settings;
    assert_int_equal(haw_run_settings_init(context, &settings), HAW_OK);
    assert_int_equal(haw_stepper_settings_init(context, "moreau-jean", &settings.stepper), HAW_OK);
    assert_int_equal(haw_stepper_set(context, &settings.stepper, "step", step), HAW_OK);
    assert_int_equal(haw_stepper_set(context, &settings.stepper, "end", end), HAW_OK);
    assert_int_equal(haw_stepper_set(context, &settings.stepper, "theta", theta), HAW_OK);
    haw_solver_common *common = (void *)settings.solver.options;
    common->tolerance = 1e-12;
    return settings;
}

static jean_run jean_start(const haw_scene *scene, const haw_run_settings *settings)
{
    jean_run run = {NULL, NULL, {0}};
    if (haw_model_build(context, scene, &run.model) != HAW_OK ||
        haw_simulation_create(context, run.model, settings, &run.simulation) != HAW_OK) {
        fail_msg("%s", haw_context_message(context));
    }
    return run;
}

static jean_run jean_finish(const haw_scene *scene, const haw_run_settings *settings)
{
    jean_run run = jean_start(scene, settings);
    if (haw_simulation_run(run.simulation, NULL, &run.summary) != HAW_OK) {
        fail_msg("%s", haw_context_message(context));
    }
    return run;
}

static void jean_free(jean_run *run)
{
    haw_simulation_free(run->simulation);
    haw_model_free(run->model);
}

static const haw_state *state_of(const jean_run *run)
{
    return haw_simulation_frame(run->simulation)->state;
}

/* A disk of radius 0.5 m and 2 kg over a fixed ground, at a height of its lowest point. */
typedef struct ground_scene {
    haw_body_spec body[2];
    haw_contact_spec contact;
    haw_scene scene;
} ground_scene;

static void ground_init(ground_scene *g, double height, double friction, double restitution)
{
    g->body[0] = haw_body_spec_default();
    g->body[0].name = "ball";
    g->body[0].shape = "circle";
    g->body[0].shape_options[0] = 0.5;
    g->body[0].mass = 2;
    g->body[0].position[1] = 0.5 + height;
    g->body[1] = haw_body_spec_default();
    g->body[1].name = "ground";
    g->body[1].shape = "plane";
    g->body[1].motion = HAW_MOTION_FIXED;
    g->contact = haw_contact_spec_default();
    g->contact.between[0] = "ball";
    g->contact.between[1] = "ground";
    g->contact.friction = friction;
    g->contact.restitution = restitution;
    g->scene = (haw_scene){.gravity = {0, -10},
                           .load_steps = 1,
                           .bodies = 2,
                           .body = g->body,
                           .contacts = 1,
                           .contact = &g->contact};
}

/* ---- smooth motion ---- */

/* Error of a mass on a spring of length zero after one period and a bit. */
static double oscillator_error(double step, double theta)
{
    haw_body_spec body = haw_body_spec_default();
    haw_spring_spec spring = haw_spring_spec_default();
    body.name = "mass";
    body.mass = 2;
    body.inertia = 1;
    body.position[0] = 1;
    spring.between[0].on = "mass";
    spring.stiffness = 8; /* omega = 2 */
    const haw_scene scene = {
        .load_steps = 1, .bodies = 1, .body = &body, .springs = 1, .spring = &spring};
    const haw_run_settings settings = jean_settings(step, 3.6, theta);
    jean_run run = jean_finish(&scene, &settings);
    const double error = fabs(state_of(&run)->q[0] - cos(2 * 3.6));
    jean_free(&run);
    return error;
}

static void the_order_is_two_for_theta_one_half_and_one_above(void **state)
{
    (void)state;
    const double half = log2(oscillator_error(0.02, 0.5) / oscillator_error(0.01, 0.5));
    const double above = log2(oscillator_error(0.002, 0.55) / oscillator_error(0.001, 0.55));
    assert_near(half, 2, 0.05, 0);
    assert_near(above, 1, 0.05, 0);
}

/* The motor of a wheel with a damper gives I alpha + c omega; omega = 3 t / 0.5. */
static void a_prescribed_spin_needs_the_torque_of_inertia_and_damper(void **state)
{
    (void)state;
    static const double time[2] = {0, 0.5}, spin[2] = {0, 3};
    haw_body_spec body = haw_body_spec_default();
    body.name = "wheel";
    body.mass = 5;
    body.inertia = 0.25;
    body.joint = HAW_JOINT_REVOLUTE;
    body.motion = HAW_MOTION_PRESCRIBED;
    body.motion_spin = (haw_function){.count = 2, .time = time, .value = spin};
    body.rotational_damping = 2;
    const haw_scene scene = {.load_steps = 1, .bodies = 1, .body = &body};
    haw_run_settings settings = jean_settings(1e-3, 0.4, 0.5);
    settings.every = 1;
    jean_run run = jean_finish(&scene, &settings);
    const haw_frame *frame = haw_simulation_frame(run.simulation);
    assert_near(frame->torque[0], 0.25 * 6 + 2 * 0.5 * 2.4, 1e-9, 0); /* mean over the run */
    assert_near(frame->state->q[2], 0.5 * 6 * 0.16, 1e-12, 0);
    assert_near(frame->ledger->external_work, 0.5 * 0.25 * 2.4 * 2.4 + 2 * 36 * 0.064 / 3, 1e-4, 0);
    assert_near(frame->ledger->balance_drift, 0, 1e-12, 0);
    jean_free(&run);
}

/* ---- contact with the ground ---- */

static void a_disk_at_rest_stays_where_it_is(void **state)
{
    (void)state;
    ground_scene g;
    ground_init(&g, 0, 0.3, 0);
    const haw_run_settings settings = jean_settings(1e-2, 1, 0.55);
    jean_run run = jean_finish(&g.scene, &settings);
    const haw_state *s = state_of(&run);
    assert_near(s->q[1], 0.5, 1e-13, 0);
    assert_near(s->u[1], 0, 1e-12, 0);
    assert_near(haw_simulation_frame(run.simulation)->pair[0].normal_sum, 20, 1e-9, 0);
    assert_near(run.summary.certificate.penetration_points_max, 0, 1e-13, 0);
    jean_free(&run);
}

/* A fifth of the depth goes in each step, and no velocity is left behind. */
static void a_penetration_decays_without_oscillation(void **state)
{
    (void)state;
    ground_scene g;
    ground_init(&g, -4e-3, 0, 0);
    g.body[0].velocity[0] = 3; /* an energy that the correction is small against */
    const haw_run_settings settings = jean_settings(1e-2, 1, 0.55);
    jean_run run = jean_start(&g.scene, &settings);
    double before = -4e-3;
    for (int k = 0; k < 40; k++) {
        if (haw_simulation_step(run.simulation) != HAW_OK) {
            fail_msg("%s", haw_context_message(context));
        }
        const double gap = state_of(&run)->q[1] - 0.5;
        assert_near(gap / before, k == 0 ? 0.89 : 0.8, 1e-6, 0); /* 1 - 0.2 theta at first */
        before = gap;
    }
    assert_near(state_of(&run)->u[1], 0, 1e-3, 0);
    jean_free(&run);
}

/* e = 0: the ball lies still after at most three steps, and never sinks in. */
static void a_plastic_impact_ends_at_the_surface(void **state)
{
    (void)state;
    ground_scene g;
    ground_init(&g, 0.123, 0, 0);
    const haw_run_settings settings = jean_settings(5e-3, 0.5, 0.55);
    jean_run run = jean_finish(&g.scene, &settings);
    const haw_certificate *c = &run.summary.certificate;
    assert_near(state_of(&run)->q[1], 0.5, 1e-12, 0);
    assert_near(state_of(&run)->u[1], 0, 1e-12, 0);
    assert_true(c->penetration_points_max < 5e-3 * 1.6 * 0.5);
    assert_near(run.summary.ledger.balance_error, 0, 1e-12, 0);
    assert_near(run.summary.ledger.impact_loss + run.summary.ledger.numerical_loss, 20 * 0.123,
                1e-10, 0);
    jean_free(&run);
}

/* Free fall of 0.2 m: impact at 0.2 s with 2 m/s, e = 0.5, top of 0.05 m at 0.3 s. */
static void a_ball_bounces_with_its_restitution(void **state)
{
    (void)state;
    double error[2];
    for (int k = 0; k < 2; k++) {
        ground_scene g;
        ground_init(&g, 0.2, 0, 0.5);
        const haw_run_settings settings = jean_settings(k == 0 ? 1e-3 : 2.5e-4, 0.3, 0.5);
        jean_run run = jean_finish(&g.scene, &settings);
        error[k] = fabs(state_of(&run)->q[1] - 0.55);
        jean_free(&run);
    }
    assert_true(error[0] < 2e-3);
    assert_true(error[1] < 5e-4);
}

/* A solid disk slides with v = 3 m/s, rolls from t = v / (3 mu g) on with 2 v / 3. */
static void sliding_becomes_rolling_as_in_the_closed_form(void **state)
{
    (void)state;
    ground_scene g;
    ground_init(&g, 0, 0.2, 0);
    g.body[0].velocity[0] = 3;
    const haw_run_settings settings = jean_settings(1e-3, 1, 0.5);
    jean_run run = jean_finish(&g.scene, &settings);
    const haw_state *s = state_of(&run);
    const double t = 3 / (3 * 0.2 * 10), x = 3 * t - 0.5 * 2 * t * t + 2 * (1 - t);
    assert_near(s->u[0], 2, 1e-9, 0);
    assert_near(s->u[2], -4, 1e-9, 0);
    assert_near(s->q[0], x, 1e-6, 0);
    assert_near(run.summary.ledger.friction_loss, 9 - 0.5 * 2 * 4 - 0.5 * 0.25 * 16, 1e-9, 0);
    jean_free(&run);
}

/* ---- the disk on the cable ---- */

/* Rebound of HAWSER-DISK-1: -2.945, -3.317 m/s, 21.85 rad/s. */
static double disk_error(double step, haw_summary *summary)
{
    disk_case c;
    disk_case_init(&c);
    haw_run_settings settings = jean_settings(step, 0.25, 0.55);
    jean_run run = jean_finish(disk_case_scene(&c), &settings);
    const double *u = state_of(&run)->u;
    const double error = fmax(hypot(u[0] + 2.945, u[1] + 3.317) / 4.436, fabs(u[2] - 21.85) / 40);
    *summary = run.summary;
    jean_free(&run);
    return error;
}

static void the_disk_impact_agrees_with_its_reference(void **state)
{
    (void)state;
    haw_summary coarse, fine;
    assert_true(disk_error(1e-3, &coarse) < 0.02);
    assert_true(disk_error(1e-4, &fine) < 0.01);
    assert_true(coarse.certificate.residual_max <= 1e-12);
    assert_true(coarse.certificate.penetration_points_max < 1e-5);
    assert_true(coarse.certificate.newton_iterations < 6 * coarse.steps);
    assert_near(coarse.ledger.balance_error, 0, 1e-7 * coarse.ledger.initial, 0);
    assert_true(coarse.ledger.numerical_loss > 0 && coarse.ledger.friction_loss > 0);
    assert_true(fine.ledger.numerical_loss < 0.6 * coarse.ledger.numerical_loss);
    assert_near(fine.ledger.contact_work_max, 0, 1e-12 * fine.ledger.initial, 0);
}

/* ---- memory ---- */

/* The disk starts in touch with the cable. */
static haw_status touch(haw_context *own, void *user)
{
    (void)user;
    disk_case c;
    haw_model *model = NULL;
    haw_simulation *simulation = NULL;
    disk_case_init(&c);
    c.body.position[0] = -0.1;
    c.contact.depth_limit = 0.25; /* the step is long */
    const haw_run_settings settings = jean_settings(1e-3, 1, 0.55);
    haw_status status = haw_model_build(own, disk_case_scene(&c), &model);
    if (status == HAW_OK) {
        status = haw_simulation_create(own, model, &settings, &simulation);
    }
    for (int i = 0; i < 3 && status == HAW_OK; i++) {
        status = haw_simulation_step(simulation);
    }
    if (status == HAW_OK) {
        assert_true(haw_simulation_frame(simulation)->certificate->contacts_max > 0);
    }
    haw_simulation_free(simulation);
    haw_model_free(model);
    return status;
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    print_message("%ld allocations\n", failing_loop(touch, NULL));
}

/* ---- refusals ---- */

static void what_it_cannot_take_is_refused(void **state)
{
    (void)state;
    disk_case c;
    haw_model *model;
    haw_simulation *simulation;
    haw_run_settings settings = jean_settings(1e-3, 1, 0.55);
    haw_jean_options *o = (void *)settings.stepper.options;
    o->contact_law = HAW_JEAN_POSITION;
    disk_case_init(&c);
    c.element = "bezier-polar";
    assert_int_equal(haw_model_build(context, disk_case_scene(&c), &model), HAW_OK);
    assert_int_equal(haw_simulation_create(context, model, &settings, &simulation), HAW_ERR_INPUT);
    assert_non_null(strstr(haw_context_message(context), "bezier-polar"));
    haw_model_free(model);
    disk_case_init(&c);
    c.contact.law = "penalty";
    c.contact.normal_stiffness = c.contact.tangential_stiffness = 1e5;
    c.contact.switching = HAW_SWITCHING_POST_NEWTON;
    if (haw_model_build(context, disk_case_scene(&c), &model) != HAW_OK) {
        fail_msg("%s", haw_context_message(context));
    }
    assert_int_equal(haw_simulation_create(context, model, &settings, &simulation), HAW_ERR_INPUT);
    assert_non_null(strstr(haw_context_message(context), "post-newton"));
    haw_model_free(model);
}

/* A disk slides over the top of a fixed one: what presses all along makes and takes nothing,
 * though the normal turns in a step by v h / r and theta is no half. With the part of the theta
 * method that elastic forces lose, too, as an impact, a belt at 6 m/s was taken for hard contact
 * that makes energy. */
static void what_slides_over_a_hill_has_no_impact(void **state)
{
    static const double theta[] = {0.55, 1};
    (void)state;
    for (int k = 0; k < 2; k++) {
        haw_body_spec body[2] = {haw_body_spec_default(), haw_body_spec_default()};
        haw_contact_spec contact = haw_contact_spec_default();
        body[0].name = "hill";
        body[0].shape = "circle";
        body[0].shape_options[0] = 1;
        body[0].motion = HAW_MOTION_FIXED;
        body[1].name = "disk";
        body[1].shape = "circle";
        body[1].shape_options[0] = 0.25;
        body[1].mass = 2;
        body[1].position[1] = 1.25;
        body[1].velocity[0] = 1;
        contact.between[0] = "hill";
        contact.between[1] = "disk";
        const haw_scene scene = {
            .gravity = {0, -9.81}, .bodies = 2, .body = body, .contacts = 1, .contact = &contact};
        const haw_run_settings settings = jean_settings(1e-3, 0.3, theta[k]);
        jean_run run = jean_finish(&scene, &settings);
        const haw_ledger *ledger = &run.summary.ledger;
        print_message("impact %.3g J, numerical %.3g J, balance %.3g J\n", ledger->impact_loss,
                      ledger->numerical_loss, ledger->balance_drift);
        assert_near(ledger->impact_loss, 0, 1e-5, 0);
        assert_near(ledger->balance_drift, 0, 1e-9, 0);
        jean_free(&run);
    }
}

TEST_FILE(test_moreau_jean)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_is_two_for_theta_one_half_and_one_above),
        cmocka_unit_test(a_prescribed_spin_needs_the_torque_of_inertia_and_damper),
        cmocka_unit_test(a_disk_at_rest_stays_where_it_is),
        cmocka_unit_test(a_penetration_decays_without_oscillation),
        cmocka_unit_test(a_plastic_impact_ends_at_the_surface),
        cmocka_unit_test(a_ball_bounces_with_its_restitution),
        cmocka_unit_test(what_slides_over_a_hill_has_no_impact),
        cmocka_unit_test(sliding_becomes_rolling_as_in_the_closed_form),
        cmocka_unit_test(the_disk_impact_agrees_with_its_reference),
        cmocka_unit_test(every_failing_allocation_is_reported),
        cmocka_unit_test(what_it_cannot_take_is_refused),
    };
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
