/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The energy ledger: an identity in every step, terms that stand for what their names say, and the
 * figures of the canonical case.
 */
#include "contact/contact.h"
#include "model/dynamics.h"
#include "stepper/simulation.h"
#include "support/rig.h"
#include "support/scenario.h"

/* What a run of the disk impact is varied by. */
typedef struct variant {
    const char *name;
    double theta, damping, restitution;
    bool driven_disk, moving_end;
} variant;

static const variant variants[] = {
    {.name = "explicit"},
    {.name = "implicit", .theta = 0.55},
    {.name = "damped", .damping = 300},
    {.name = "damped, implicit", .damping = 300, .theta = 0.55},
    {.name = "restitution", .restitution = 0.5},
    {.name = "driven disk", .driven_disk = true},
    {.name = "moving end", .moving_end = true, .damping = 300},
    {.name = "moving end, implicit", .moving_end = true, .theta = 0.55},
};

enum { VARIANTS = sizeof variants / sizeof *variants };

static const double ramp_time[2] = {0.0, 0.02}, ramp_value[2] = {0.0, 0.8};

static void disk_variant(disk_case *c, const char *element, const variant *v)
{
    disk_case_init(c);
    c->element = element;
    c->elements = strcmp(element, "chain") == 0 ? 60 : 20;
    c->points = strcmp(element, "chain") == 0 ? 2 : 4;
    c->theta = v->theta;
    c->cable.damping_mass = v->damping;
    c->contact.restitution = v->restitution;
    c->end = 0.15;
    if (v->driven_disk) {
        c->body.motion = HAW_MOTION_PRESCRIBED;
        c->body.motion_velocity[0].constant = 3;
        c->body.motion_spin = (haw_function){.count = 2,
                                             .time = ramp_time,
                                             .value = (const double[]){20, 40},
                                             .ramp = HAW_RAMP_COSINE};
        c->end = 0.05;
    }
    if (v->moving_end) {
        c->cable.ends[1].kind = HAW_END_MOTION;
        c->cable.ends[1].velocity[1] = (haw_function){
            .count = 2, .time = ramp_time, .value = ramp_value, .ramp = HAW_RAMP_CYCLOID};
        c->cable.ends[1].velocity[0].constant = 0.1;
    }
}

/* E(t) - E0 - external work + losses, from what the ledger reports. */
static double balance(const haw_ledger *l)
{
    return l->kinetic + l->elastic + l->gravity - l->initial - l->external_work + l->friction_loss +
           l->impact_loss + l->damping_loss + l->numerical_loss;
}

/* sum (gamma_free + gamma+) Lambda / 2 of the last step [J]: never positive. */
static double contact_work(const haw_contacts *contacts)
{
    double work = 0;
    for (int i = 0; i < 2 * contacts->count; i++) {
        work += 0.5 * (contacts->gamma_free[i] + contacts->gamma_plus[i]) * contacts->impulse[i];
    }
    return work;
}

static void check_variant(const char *element, const variant *v)
{
    rig r;
    disk_case c;
    disk_variant(&c, element, v);
    rig_disk(&r, &c);
    const haw_ledger *l = &r.simulation->ledger;
    double drift = 0, least = 0;
    while (r.state->t < c.end) {
        rig_step(&r);
        drift = fmax(drift, fabs(balance(l)));
        const double work = contact_work(r.simulation->contacts);
        assert_true(work <= 1e-12 * l->initial);
        least = fmin(least, work);
    }
    print_message("%s, %s: balance error %.2g, drift %.2g, contact work %.2g of E0\n", element,
                  v->name, l->balance_error / l->initial, drift / l->initial,
                  l->contact_work_max / l->initial);
    assert_true(r.simulation->certificate.contacts_max > 0);
    assert_near(l->balance_error, 0, 1e-14 * l->initial, 0);
    assert_near(drift, 0, 1e-12 * l->initial, 0);
    assert_true(l->contact_work_max <= 1e-12 * l->initial);
    assert_true(least < -1e-6); /* it does take energy out */
    rig_close(&r);
}

static void the_balance_is_an_identity_in_every_step(void **state)
{
    (void)state;
    for (int i = 0; i < VARIANTS; i++) {
        check_variant("bezier", &variants[i]);
        check_variant("bezier-c0", &variants[i]);
        check_variant("chain", &variants[i]);
    }
}

/* Everything at once: every term of the ledger is far from zero. */
static void open_all(rig *r, disk_case *c)
{
    const variant all = {.damping = 300, .driven_disk = true, .moving_end = true};
    disk_variant(c, "bezier", &all);
    c->contact.restitution = 0.3;
    rig_disk(r, c);
}

static void an_error_of_one_percent_in_any_term_breaks_the_balance(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    open_all(&r, &c);
    while (r.state->t < c.end) {
        rig_step(&r);
    }
    haw_ledger l = r.simulation->ledger;
    double *const term[] = {&l.kinetic,       &l.elastic,     &l.gravity,      &l.external_work,
                            &l.friction_loss, &l.impact_loss, &l.damping_loss, &l.numerical_loss};
    assert_near(balance(&l), 0, 1e-12 * l.initial, 0);
    for (size_t i = 0; i < sizeof term / sizeof *term; i++) {
        const double kept = *term[i];
        *term[i] *= 1.01;
        if (!(fabs(balance(&l)) > 1e-11 * l.initial)) {
            fail_msg("1 %% of term %zu (%g J) goes unseen", i, kept);
        }
        *term[i] = kept;
    }
    rig_close(&r);
}

/*
 * dV cancels between the energies and numerical_loss: an error in an energy or in the force would
 * show as a large numerical_loss and nowhere else. It is 7.4e-6 J at the end of the canonical run.
 */
static void the_canonical_run_has_the_reference_losses(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    rig_disk(&r, &c);
    const haw_ledger *l = &r.simulation->ledger;
    assert_near(l->initial, 42.5420764, 5e-8, 0);
    while (r.state->t < c.end) {
        rig_step(&r);
        assert_near(l->numerical_loss, 0, 1e-4, 0);
    }
    assert_near(l->friction_loss, 3.88532, 5e-6, 0);
    assert_near(l->impact_loss, 0.051641, 5e-7, 0);
    assert_near(l->numerical_loss, -7.39e-6, 5e-9, 0);
    assert_near(l->kinetic + l->elastic + l->gravity, 38.6051191, 5e-8, 0);
    assert_near(r.simulation->certificate.penetration_points_max, 1.586e-5, 5e-9, 0);
    assert_int_equal(r.simulation->certificate.contacts_max, 2);
    assert_int_equal(r.simulation->certificate.unconverged_steps, 0);
    const double *impulse = haw_simulation_frame(r.simulation)->pair[0].impulse;
    assert_near(impulse[0], -11.9032399, 5e-8, 0);
    assert_near(impulse[1], -1.69569425, 5e-9, 0);
    assert_near(impulse[5], -0.18274539, 5e-9, 0);
    rig_close(&r);
}

static void the_frictionless_run_has_the_reference_losses(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    c.friction = 0;
    rig_disk(&r, &c);
    rig_steps(&r, 25000);
    const haw_ledger *l = &r.simulation->ledger;
    assert_true(l->friction_loss == 0);
    assert_near(l->impact_loss, 0.040588, 5e-7, 0);
    assert_near(l->numerical_loss, -7.86e-6, 5e-9, 0);
    assert_near(l->kinetic + l->elastic + l->gravity, 42.5014963, 5e-8, 0);
    rig_close(&r);
}

/* V = integral N^2 / 2k with N = T + w xi; gravity of the disk and of y = xi b + w xi^2 / 2k. */
static void the_energies_at_the_start_are_those_of_the_closed_form(void **state)
{
    (void)state;
    static const char *const element[] = {"bezier", "bezier-c0", "bezier-polar"};
    const double t = 400, k = 4e4, w = 0.981, b = 1 + t / k, a = w / (2 * k);
    const double length = 4 / (b + sqrt(b * b + 8 * a)), top = t + w * length;
    const double elastic = (top * top * top - t * t * t) / (6 * k * w);
    const double gravity = 19.62 + w * length * length * (b / 2 + w * length / (6 * k));
    assert_near(elastic, 3.97956444605, 5e-12, 0);
    assert_near(gravity, 21.5625119903, 5e-11, 0);
    for (size_t i = 0; i < sizeof element / sizeof *element; i++) {
        rig r;
        disk_case c;
        disk_case_init(&c);
        c.element = element[i];
        rig_disk(&r, &c);
        assert_near(r.simulation->ledger.elastic, elastic, 0, 1e-13);
        assert_near(r.simulation->ledger.gravity, gravity, 0, 1e-13);
        assert_near(r.simulation->ledger.kinetic, 17, 0, 1e-15);
        rig_close(&r);
    }
}

/*
 * What each impulse does at its end of the step has a sign: -Lambda_T gamma_T+ >= 0 (Coulomb) and
 * Lambda_N gamma_N+ = 0 (Signorini, e = 0). The mean of gamma- and gamma+ that is booked has not:
 * a sixth of the canonical steps give back up to 2e-6 J of the 3.9 J of friction.
 */
static void friction_takes_energy_out_at_the_end_of_every_step(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    rig_disk(&r, &c);
    const haw_contacts *contacts = r.simulation->contacts;
    double most = 0;
    while (r.state->t < c.end) {
        rig_step(&r);
        const double friction = r.simulation->ledger.friction_loss;
        for (int i = 0; i < contacts->count; i++) {
            const double *impulse = contacts->impulse + 2 * i, *plus = contacts->gamma_plus + 2 * i;
            assert_true(impulse[1] * plus[1] <= 1e-14);
            assert_near(impulse[0] * plus[0], 0, 1e-12, 0);
        }
        most = fmax(most, friction);
        assert_true(friction >= most - 1e-5);
    }
    rig_close(&r);
}

/* A disk that is driven past the cable slides all the time and takes energy in every step. */
static void friction_on_a_driven_disk_never_returns_energy(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    c.body.motion = HAW_MOTION_PRESCRIBED;
    c.body.motion_velocity[0].constant = 3;
    c.body.motion_spin.constant = 60;
    c.end = 0.06;
    rig_disk(&r, &c);
    double last = 0;
    while (r.state->t < c.end) {
        rig_step(&r);
        assert_true(r.simulation->ledger.friction_loss >= last);
        last = r.simulation->ledger.friction_loss;
    }
    assert_true(last > 1);
    rig_close(&r);
}

/* ---- each term from its own forces ---- */

/* The reactions of a body at constant velocity work on it against the impulse it receives. */
static void the_work_of_a_driven_body_is_its_impulse_times_its_velocity(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    c.body.motion = HAW_MOTION_PRESCRIBED;
    c.body.motion_velocity[0].constant = 3;
    c.body.motion_velocity[1].constant = -0.5;
    c.body.motion_spin.constant = 40;
    rig_disk(&r, &c);
    rig_steps(&r, 5000);
    const double *p = haw_simulation_frame(r.simulation)->pair[0].impulse;
    const double work = -(3 * p[0] - 0.5 * p[1] + 40 * p[5]);
    assert_true(work > 1);
    assert_near(r.simulation->ledger.external_work, work, 0, 1e-12);
    rig_close(&r);
}

/* Slow stretching of a weightless cable: work = integral of EA eps dl = (T0 + T1) dl / 2. */
static void the_work_of_a_slowly_moving_end_is_that_of_the_tension(void **state)
{
    (void)state;
    static const double time[2] = {0, 0.2}, speed[2] = {0.05, 0.05};
    rig r;
    rig_open(&r);
    rig_time(&r, 2e-5, 0.2, 0);
    haw_cable_spec cable = haw_cable_spec_default();
    cable = (haw_cable_spec){.name = "line",
                             .element = "bezier",
                             .elements = 20,
                             .to = {2, 0},
                             .tension = 400,
                             .length = NAN,
                             .stiffness = 4e4,
                             .density = 0.1,
                             .damping_mass = 50,
                             .gauss_points = cable.gauss_points,
                             .width = cable.width};
    cable.ends[1] = (haw_end_spec){.kind = HAW_END_MOTION,
                                   .velocity[0] = {.count = 2, .time = time, .value = speed}};
    const haw_scene scene = {.cables = 1, .cable = &cable};
    rig_build(&r, &scene);
    rig_steps(&r, 10000);
    const double final = haw_cable_tension_mean(&r.simulation->model.cable[0], r.state->q);
    assert_near(final, 400 + 4e4 * 0.01 / (2 / 1.01), 0, 1e-4);
    assert_near(r.simulation->ledger.external_work, 0.5 * (400 + final) * 0.01, 0, 2e-3);
    rig_close(&r);
}

static void open_vibration(rig *r, disk_case *c, double step, double theta)
{
    c->step = step;
    c->theta = theta;
    c->end = 0.01;
    rig_disk_settings(r, c);
    haw_scene scene = *disk_case_scene(c);
    scene.bodies = scene.contacts = 0;
    rig_build(r, &scene);
    rig_deflect(r, 0.05, 0.004);
}

/* Twice the kinetic energy times the rate, by the trapezoidal rule. */
static void the_damping_loss_is_the_integral_of_its_power(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    c.cable.damping_mass = 120;
    open_vibration(&r, &c, 5e-6, 0);
    const haw_ledger *l = &r.simulation->ledger;
    double sum = 0, last = 0, power = 0;
    for (int i = 0; i < 2000; i++) {
        rig_step(&r);
        sum += 0.5 * 5e-6 * (power + 2 * 120 * l->kinetic);
        power = 2 * 120 * l->kinetic;
        assert_true(l->damping_loss >= last);
        last = l->damping_loss;
    }
    assert_true(last > 0.1);
    assert_near(last, sum, 0, 1e-4);
    rig_close(&r);
}

/* -sum (dV + f . dq) with the force of a step at q + h u / 2, summed outside the ledger. */
static void the_numerical_loss_is_the_work_that_the_forces_miss(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    double before[128] = {0}, middle[128] = {0}, f[128] = {0}, sum = 0;
    disk_case_init(&c);
    open_vibration(&r, &c, 2e-5, 0);
    const haw_model *model = &r.simulation->model;
    assert_true(model->dofs <= 128);
    for (int k = 0; k < 500; k++) {
        const haw_energy old = haw_model_energy(model, r.state->q);
        for (int i = 0; i < model->dofs; i++) {
            before[i] = r.state->q[i];
            middle[i] = r.state->q[i] + 1e-5 * r.state->u[i];
        }
        haw_model_force(model, middle, f);
        rig_step(&r);
        const haw_energy now = haw_model_energy(model, r.state->q);
        sum -= now.elastic + now.gravity - old.elastic - old.gravity;
        for (int i = 0; i < model->dofs; i++) {
            sum -= f[i] * (r.state->q[i] - before[i]);
        }
    }
    assert_true(fabs(sum) > 1e-4);
    assert_near(r.simulation->ledger.numerical_loss, sum, 1e-11, 0);
    rig_close(&r);
}

static double vibration_loss(const char *element, double theta, double step)
{
    rig r;
    disk_case c;
    disk_case_init(&c);
    c.element = element;
    c.gyro_iterations = 3;
    open_vibration(&r, &c, step, theta);
    rig_steps(&r, lround(0.01 / step));
    const double loss = r.simulation->ledger.numerical_loss;
    rig_close(&r);
    return loss;
}

/* Order 2 in the step, for the explicit and the implicit midpoint. */
static void the_numerical_loss_falls_with_the_square_of_the_step(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        for (int k = 0; k < 2; k++) {
            const char *name = haw_elements[i]->name;
            const double coarse = vibration_loss(name, 0.5 * k, 5e-6);
            const double fine = vibration_loss(name, 0.5 * k, 2.5e-6);
            print_message("%s, theta %g: %.3g J, %.3g J\n", name, 0.5 * k, coarse, fine);
            assert_near(coarse / fine, 4, 0.05, 0);
        }
    }
}

/* A path of equilibria has no inertia: what is stored is EA s^2 / 2 L, also where the run begins
 * with an end that is led and a body that moves. */
static void equilibria_have_no_kinetic_energy(void **state)
{
    scenario_run run;
    (void)state;
    scenario_init(&run, "pulled");
    run.text = "hawser: 1\ndimension: 2\ngravity: [0, 0]\nbodies:\n"
               "  - {name: hand, mass: 3, position: [2, 0], motion: {velocity: [0.01, 0]}}\n"
               "cables:\n  - {name: rope, element: bezier, elements: 4, from: [0, 0], to: [2, 0], "
               "length: 2, stiffness: 1.0e+4, density: 0.5, ends: {end: {body: hand}}}\n"
               "stepper: {type: quasi-static, step: 0.1, end: 1}\n";
    scenario_complete(&run);
    const haw_ledger *ledger = &run.summary.ledger;
    assert_near(ledger->kinetic, 0, 0, 0);
    assert_near(ledger->initial, 0, 1e-15, 0);
    assert_near(ledger->elastic, 0.25, 0, 1e-10);
    assert_near(ledger->external_work, 0.25, 0, 1e-9); /* Newton's tolerance */
    scenario_close(&run);
}

/* A clamp that a joint holds turns from the first moment on: g'' of its rows, over the impulses of
 * the joint, was taken for work, ten times that of the plate. */
static void a_path_begins_in_motion(void **state)
{
    scenario_run run;
    (void)state;
    scenario_init(&run, "turned");
    run.text =
        "hawser: 1\ndimension: 3\ngravity: [0, 0, 0]\n"
        "bodies: [{name: plate, position: [0, 0, 0.08], motion: {spin: 62.8}}]\n"
        "cables: [{name: rod, element: ancf, elements: 4, from: [1.0e-3, 0, 0], to: [1.0e-3, "
        "0, 0.08], tension: 10, stiffness: 6283, bending_stiffness: 1.6e-3, "
        "torsional_stiffness: 1.2e-3, density: 4.0e-3, radius: 1.0e-3, ends: {start: "
        "clamped, end: {body: plate, clamped: true}}}]\n"
        "start: given\nstepper: {type: quasi-static, step: 5.0e-3, end: 5.0e-3}\n";
    scenario_complete(&run);
    const haw_ledger *ledger = &run.summary.ledger;
    const double stored = ledger->elastic - ledger->initial;
    assert_true(stored > 5e-6);
    assert_near(ledger->external_work, stored, 0, 1e-2); /* trapezoidal rule, over 0.3 rad */
    assert_near(ledger->numerical_loss, ledger->external_work - stored, 1e-15, 0);
    scenario_close(&run);
}

TEST_FILE(test_ledger)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_balance_is_an_identity_in_every_step),
        cmocka_unit_test(an_error_of_one_percent_in_any_term_breaks_the_balance),
        cmocka_unit_test(the_canonical_run_has_the_reference_losses),
        cmocka_unit_test(the_frictionless_run_has_the_reference_losses),
        cmocka_unit_test(the_energies_at_the_start_are_those_of_the_closed_form),
        cmocka_unit_test(friction_takes_energy_out_at_the_end_of_every_step),
        cmocka_unit_test(friction_on_a_driven_disk_never_returns_energy),
        cmocka_unit_test(the_work_of_a_driven_body_is_its_impulse_times_its_velocity),
        cmocka_unit_test(the_work_of_a_slowly_moving_end_is_that_of_the_tension),
        cmocka_unit_test(the_damping_loss_is_the_integral_of_its_power),
        cmocka_unit_test(the_numerical_loss_is_the_work_that_the_forces_miss),
        cmocka_unit_test(the_numerical_loss_falls_with_the_square_of_the_step),
        cmocka_unit_test(equilibria_have_no_kinetic_energy),
        cmocka_unit_test(a_path_begins_in_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
