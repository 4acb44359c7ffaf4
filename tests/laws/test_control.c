/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces and drives set from outside between two steps. */
#include "stepper/simulation.h"
#include "support/rig.h"
#include "support/space_run.h"

static const char *const STEPPERS[] = {"moreau", "moreau-jean", "generalized-alpha", "nsga"};

enum { STEPPER_COUNT = 4, STEPS = 60 };

static const double H = 1e-3;

static double balance_of(const haw_ledger *l)
{
    return l->kinetic + l->elastic + l->gravity - l->initial - l->external_work + l->friction_loss +
           l->impact_loss + l->damping_loss + l->numerical_loss;
}

static double largest_energy(const haw_ledger *l)
{
    return fabs(l->external_work) + fabs(l->kinetic) + fabs(l->elastic) + fabs(l->initial);
}

static void choose(rig *r, const char *stepper, double step, double end)
{
    rig_open(r);
    assert_int_equal(haw_stepper_settings_init(r->context, stepper, &r->settings.stepper), HAW_OK);
    rig_set(r, "step", step);
    rig_set(r, "end", end);
}

static void set_force(rig *r, int body, double fx, double fy, double torque)
{
    const double force[3] = {fx, fy, 0};
    assert_int_equal(haw_simulation_set_force(r->simulation, body, force), HAW_OK);
    assert_int_equal(haw_simulation_set_torque(r->simulation, body, torque), HAW_OK);
}

/* ---- forces ---- */

/* A body that a spring holds, and beside it a taut cable for explicit steps' sake. */
typedef struct tether {
    haw_body_spec body;
    haw_spring_spec spring;
    haw_scene scene;
    haw_force_spec force;
} tether;

static void init_tether(tether *t, int dimension)
{
    *t = (tether){.body = haw_body_spec_default(),
                  .spring = haw_spring_spec_default(),
                  .force = haw_force_spec_default(),
                  .scene = haw_scene_default()};
    t->body.name = "mass";
    t->body.mass = 2;
    t->body.inertia = 0.5;
    t->body.position[0] = 0.3;
    t->spring.between[0].on = "mass";
    t->spring.stiffness = 50;
    t->spring.length = 0;
    t->force.on = "mass";
    t->scene.dimension = dimension;
    t->scene.bodies = 1;
    t->scene.body = &t->body;
    t->scene.springs = 1;
    t->scene.spring = &t->spring;
    t->scene.force = &t->force;
}

/* Where in a step the row asks for given forces. */
static double asked_at(const haw_simulation *simulation, const char *stepper)
{
    const double t = simulation->state->t;
    if (strcmp(stepper, "moreau") == 0) {
        return t + 0.5 * simulation->h;
    }
    return t + (strcmp(stepper, "moreau-jean") == 0 ? 0.55 : 1) * simulation->h;
}

static void a_force_set_at_each_step_is_that_force_as_a_table(void **state)
{
    (void)state;
    /* constant over the first step, whose accelerations begin with what acts then */
    static const double time[4] = {0, 1e-3, 0.03, 0.06}, x[4] = {50, 50, 300, 900},
                        y[4] = {5, 5, 0, 3}, turn[4] = {1, 1, -1, 4};
    const haw_function force[2] = {{.count = 4, .time = time, .value = x},
                                   {.count = 4, .time = time, .value = y}};
    const haw_function torque = {.count = 4, .time = time, .value = turn};
    for (int i = 0; i < STEPPER_COUNT; i++) {
        rig table, set;
        tether t;
        init_tether(&t, 2);
        choose(&set, STEPPERS[i], H, 1);
        rig_build(&set, &t.scene);
        t.body.torque = torque;
        t.force.force[0] = force[0];
        t.force.force[1] = force[1];
        t.scene.forces = 1;
        choose(&table, STEPPERS[i], H, 1);
        rig_build(&table, &t.scene);
        for (int n = 0; n < STEPS; n++) {
            const double at = asked_at(set.simulation, STEPPERS[i]);
            set_force(&set, 0, haw_function_value(&force[0], at), haw_function_value(&force[1], at),
                      haw_function_value(&torque, at));
            rig_step(&set);
            rig_step(&table);
        }
        const haw_ledger *a = &set.simulation->ledger, *b = &table.simulation->ledger;
        assert_true(fabs(set.state->u[0]) > 1 && fabs(a->external_work) > 1);
        for (int k = 0; k < 3; k++) { /* 1e-14: accelerations at the start are solved for */
            assert_near(set.state->q[k], table.state->q[k], 0, 1e-12);
            assert_near(set.state->u[k], table.state->u[k], 0, 1e-12);
        }
        assert_near(a->external_work, b->external_work, 0, 1e-12);
        if (i < 2) { /* nothing is known of a force but what is asked for: the same bits */
            assert_memory_equal(set.state->q, table.state->q, 3 * sizeof(double));
            assert_memory_equal(set.state->u, table.state->u, 3 * sizeof(double));
        }
        rig_close(&table);
        rig_close(&set);
    }
}

/* Momentum of a free body: that of its forces. generalized-alpha by its own recursion,
 * (1 - am) a+ + am a = (1 - af) F+ / m + af F / m, v+ = v + h (1 - g) a + h g a+. */
static void a_free_body_gets_the_impulse_of_its_forces(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * STEPPER_COUNT; i++) {
        const int dimension = 2 + i % 2, spin = dimension == 2 ? 2 : 5;
        const char *stepper = STEPPERS[i / 2];
        const bool is_alpha = i / 2 >= 2;
        const double rho = is_alpha ? 0.8 : 0, am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1),
                     g = 0.5 + af - am;
        double v[3] = {0, 0, 0}, a[3] = {0, 0, 0}, last[3] = {0, 0, 0}, scale = 0;
        rig r;
        tether t;
        init_tether(&t, dimension);
        t.scene.springs = 0;
        choose(&r, stepper, H, 1);
        if (is_alpha) {
            rig_set(&r, "rho_infinity", rho);
        }
        rig_build(&r, &t.scene);
        for (int n = 0; n < STEPS; n++) {
            const double f[3] = {20 * sin(n), 7 + n % 5, n % 7 == 0 ? 3 : -1};
            const double over[3] = {f[0] / 2, f[1] / 2, f[2] / 0.5};
            set_force(&r, 0, f[0], f[1], f[2]);
            rig_step(&r);
            for (int k = 0; k < 3; k++) {
                const double next = ((1 - af) * over[k] + af * last[k] - am * a[k]) / (1 - am);
                const double first = n == 0 ? over[k] : a[k]; /* at the start as the force is */
                v[k] +=
                    is_alpha ? H * ((1 - g) * first + g * (n == 0 ? over[k] : next)) : H * over[k];
                a[k] = n == 0 ? over[k] : next;
                last[k] = over[k];
                scale = fmax(scale, fabs(v[k]));
            }
        }
        assert_near(r.state->u[0], v[0], 1e-12 * scale, 0);
        assert_near(r.state->u[1], v[1], 1e-12 * scale, 0);
        assert_near(r.state->u[spin], v[2], 1e-12 * scale, 0);
        const haw_ledger *l = &r.simulation->ledger;
        print_message("%s, %d: v %.3g %.3g, work %.4g J, balance %.2g J\n", stepper, dimension,
                      v[0], v[1], l->external_work, balance_of(l));
        assert_near(balance_of(l), 0, 1e-12 * largest_energy(l), 0);
        assert_true(l->kinetic > 0.01);
        rig_close(&r);
    }
}

/* The canonical impact, its disk pushed by a hand that looks at it; explicit steps that know
 * nothing but elastic forces until then. */
static haw_status brake(void *user, haw_simulation *simulation, const haw_frame *frame)
{
    const double force[3] = {-4 * frame->state->u[0], -4 * frame->state->u[1], 0};
    ++*(int *)user;
    HAW_TRY(haw_simulation_set_force(simulation, 0, force));
    return haw_simulation_set_torque(simulation, 0, -0.02 * frame->state->u[2]);
}

static void a_callback_before_each_step_is_the_same_as_stepping(void **state)
{
    (void)state;
    rig run, steps;
    disk_case c;
    int calls = 0, own = 0;
    const haw_observer observer = {.user = &calls, .control = brake};
    haw_summary summary;
    disk_case_init(&c);
    c.end = 0.05;
    rig_disk(&run, &c);
    rig_disk(&steps, &c);
    assert_int_equal(haw_simulation_run(run.simulation, &observer, &summary), HAW_OK);
    while (!haw_simulation_is_done(steps.simulation)) {
        const haw_frame frame = {.state = steps.state};
        assert_int_equal(brake(&own, steps.simulation, &frame), HAW_OK);
        rig_step(&steps);
    }
    assert_true(calls == own && calls == summary.steps && calls > 1000);
    assert_memory_equal(run.state->q, steps.state->q, (size_t)run.state->dofs * sizeof(double));
    assert_near(balance_of(&summary.ledger), 0, 1e-12 * summary.ledger.initial, 0);
    assert_true(summary.ledger.external_work < -0.5);
    rig_close(&run);
    rig_close(&steps);
}

/* ---- checkpoints ---- */

static void push_about(space_run *run, int n)
{
    const double force[3] = {0.2 * sin(n), 0, 0};
    assert_int_equal(haw_simulation_set_force(run->simulation, 0, force), HAW_OK);
    assert_int_equal(haw_simulation_set_torque(run->simulation, 0, 0.1 * cos(n)), HAW_OK);
    assert_int_equal(
        haw_simulation_set_drive(run->simulation, 0, HAW_DRIVE_SPIN, n % 20 < 10 ? 1.2 : 1.2001),
        HAW_OK);
}

static void a_checkpoint_has_what_was_set(void **state)
{
    (void)state;
    static const char *const row[4] = {"stepper.type=moreau-jean", "stepper.type=generalized-alpha",
                                       "stepper.type=nsga", "stepper.type=quasi-static"};
    for (int i = 0; i < 4; i++) {
        const bool is_smooth = i == 1; /* steps with compliant contact only */
        const bool is_guessed = i == 2;
        const char *const set[5] = {row[i], "contact.law=penalty", "contact.normal_stiffness=1e5",
                                    "contact.tangential_stiffness=1e4",
                                    "solver.on_unconverged=halve"};
        space_run run;
        haw_state *kept = NULL, *end = NULL;
        space_run_read(&run, is_smooth ? 5 : 1, set);
        space_run_start(&run);
        assert_int_equal(haw_state_create(run.context, run.model, &kept), HAW_OK);
        assert_int_equal(haw_state_create(run.context, run.model, &end), HAW_OK);
        for (int n = 0; n < 150; n++) {
            if (n >= 100) {
                push_about(&run, n);
            }
            space_run_step(&run);
        }
        push_about(&run, 150); /* set before the checkpoint, acts after it */
        haw_state_copy(kept, run.state);
        double work[2];
        for (int again = 0; again < 2; again++) {
            work[again] = -run.simulation->ledger.external_work;
            for (int n = 0; n < 30; n++) {
                if (n > 0) {
                    push_about(&run, 150 + n);
                }
                space_run_step(&run);
            }
            work[again] += run.simulation->ledger.external_work;
            if (again == 0) {
                haw_state_copy(end, run.state);
                push_about(&run, 777);
                space_run_step(&run);
                assert_int_equal(haw_simulation_restore(run.simulation, kept), HAW_OK);
            }
        }
        assert_true(fabs(end->q[6]) > 0.1 && fabs(work[0]) > 1e-4);
        assert_true(i == 3 || fabs(work[1] - work[0]) < 1e-6 * work[0]);
        for (int k = 0; k < end->coordinates; k++) { /* nsga's first guess is not in the state */
            assert_near(run.state->q[k], end->q[k], is_guessed ? 1e-9 : 0, 0);
        }
        if (!is_guessed) {
            assert_memory_equal(run.state->u, end->u, (size_t)end->dofs * sizeof(double));
            assert_memory_equal(run.state->a, end->a, 2 * (size_t)end->dofs * sizeof(double));
        }
        haw_state_free(run.context, kept);
        haw_state_free(run.context, end);
        space_run_close(&run);
    }
}

/* Set after the checkpoint: the forces before the next step are still those that acted. */
static void a_restored_body_gets_the_same_work(void **state)
{
    (void)state;
    for (int i = 0; i < STEPPER_COUNT; i++) {
        rig whole, part;
        tether t;
        haw_state *kept = NULL;
        double work = 0;
        init_tether(&t, 3);
        choose(&whole, STEPPERS[i], H, 1);
        choose(&part, STEPPERS[i], H, 1);
        if (i == 3) { /* forces that jump make a little energy, more with less of this */
            rig_set(&whole, "rho_infinity", 0.8);
            rig_set(&part, "rho_infinity", 0.8);
        }
        rig_build(&whole, &t.scene);
        rig_build(&part, &t.scene);
        for (int n = 0; n < STEPS; n++) {
            set_force(&whole, 0, 20 * sin(n), 7, n % 3);
            rig_step(&whole);
        }
        assert_int_equal(haw_state_create(whole.context, whole.model, &kept), HAW_OK);
        haw_state_copy(kept, whole.state);
        assert_int_equal(haw_simulation_restore(part.simulation, kept), HAW_OK);
        work = whole.simulation->ledger.external_work;
        set_force(&whole, 0, -900, 0, 1);
        rig_step(&whole);
        set_force(&part, 0, -900, 0, 1);
        rig_step(&part);
        work = whole.simulation->ledger.external_work - work;
        assert_near(part.simulation->ledger.external_work, work, 0, 1e-9);
        assert_near(balance_of(&part.simulation->ledger), 0, 1e-15, 0);
        assert_near(part.state->q[0], whole.state->q[0], 1e-15, 0);
        haw_state_free(whole.context, kept);
        rig_close(&whole);
        rig_close(&part);
    }
}

/* ---- drives ---- */

static double turned(const haw_state *state) /* of a body about z, from its quaternion */
{
    return 2 * atan2(state->q[6], state->q[3]);
}

static void a_drum_goes_on_from_where_it_is_when_its_drive_changes(void **state)
{
    (void)state;
    /* contacts to rounding as well: what is left of one that lands is work */
    static const char *const exact[3] = {"stepper.newton_tolerance=1e-14",
                                         "cables.yarn.stiffness=2000", "solver.tolerance=1e-12"};
    space_run run;
    space_run_read(&run, 3, exact);
    space_run_start(&run);
    for (int n = 0; n < 200; n++) {
        space_run_step(&run);
    }
    /* 1.2 rad/s smoothly over 0.5 s, then constant */
    assert_near(turned(run.state), 0.3 + 0.6, 1e-12, 0);
    double angle = turned(run.state), worst = 0;
    const double rounding = balance_of(&run.simulation->ledger); /* of the rope's start */
    for (int n = 0; n < 120; n++) {
        const double spin = n < 40 ? 0.7 : n < 80 ? -0.2 + 0.01 * n : 0.7;
        const double before = run.simulation->ledger.external_work;
        assert_int_equal(haw_simulation_set_drive(run.simulation, 0, HAW_DRIVE_SPIN, spin), HAW_OK);
        space_run_step(&run);
        angle += 5e-3 * spin;
        assert_near(turned(run.state), angle, 1e-12, 0);
        assert_near(run.state->u[5], spin, 0, 0);
        worst = fmax(worst, fabs(run.simulation->ledger.external_work - before));
    }
    /* back to the scene's: 1.2 rad/s up to 1.5 s, which is not yet over */
    const double t = run.state->t;
    assert_true(t > 1.5);
    assert_int_equal(haw_simulation_set_drive(run.simulation, 0, HAW_DRIVE_SPIN, (double)NAN),
                     HAW_OK);
    space_run_step(&run);
    const haw_function *drive = &run.model->body[0].drive[5];
    angle += haw_function_integral(drive, t + 5e-3) - haw_function_integral(drive, t);
    assert_near(turned(run.state), angle, 1e-12, 0);
    const haw_ledger *l = &run.simulation->ledger;
    print_message("work of a step at most %.3g J, balance %.2g after %.2g of %.3g J\n", worst,
                  balance_of(l), rounding, largest_energy(l));
    assert_true(worst < 5e-3); /* of a drum that jumps to where another integral leads: 257 J */
    assert_near(balance_of(l), rounding, 1e-12 * largest_energy(l), 0);
    space_run_close(&run);
}

/* The state of one run in a model that drives its drum and its end in another way. */
static void a_state_under_another_drive_does_not_jump(void **state)
{
    (void)state;
    static const char *const other[2] = {
        "bodies.drum.motion.spin=0.6",
        "cables.yarn.ends.end.motion.velocity='[0.001, free, 0.05]'"};
    const char *const set[2] = {other[0],
                                "cables.yarn.ends.end.motion.velocity=[0.001, free, 0.05]"};
    space_run one, two;
    space_run_read(&one, 0, NULL);
    space_run_start(&one);
    space_run_read(&two, 2, set);
    space_run_start(&two);
    for (int n = 0; n < 200; n++) {
        space_run_step(&one);
    }
    const double angle = turned(one.state);
    const int last = haw_model_cable_extent(one.model, 0).first_q +
                     haw_model_cable_extent(one.model, 0).coordinates - 7;
    const double x = one.state->q[last], z = one.state->q[last + 2];
    assert_int_equal(haw_simulation_restore(two.simulation, one.state), HAW_OK);
    const haw_ledger before = two.simulation->ledger;
    space_run_step(&two);
    assert_near(turned(two.state), angle + 0.6 * 5e-3, 1e-12, 0);
    assert_near(two.state->q[last], x + 0.001 * 5e-3, 1e-13, 0);
    assert_near(two.state->q[last + 2], z + 0.05 * 5e-3, 1e-13, 0);
    const double work = two.simulation->ledger.external_work - before.external_work;
    print_message("work of the first step %.3g J\n", work);
    assert_true(fabs(work) < 0.5); /* 10 N on 2 mm, and what stops the spin of the rope */
    assert_near(balance_of(&two.simulation->ledger), 0, 1e-12 * (1 + fabs(work)), 0);
    /* the own state again: the same bits as if it had never been left */
    haw_state *kept = NULL;
    assert_int_equal(haw_state_create(two.context, two.model, &kept), HAW_OK);
    for (int n = 0; n < 49; n++) {
        space_run_step(&two);
    }
    haw_state_copy(kept, two.state);
    space_run_step(&two);
    const double q = turned(two.state), end = two.state->q[last];
    assert_int_equal(haw_simulation_restore(two.simulation, kept), HAW_OK);
    space_run_step(&two);
    assert_true(turned(two.state) == q && two.state->q[last] == end);
    haw_state_free(two.context, kept);
    space_run_close(&one);
    space_run_close(&two);
}

/* Angle and work of a driven rotor with a damper, in the plane: the motor gives what is missing. */
static void a_driven_rotor_takes_the_work_of_its_motor(void **state)
{
    (void)state;
    for (int i = 0; i < STEPPER_COUNT; i++) {
        rig r;
        tether t;
        init_tether(&t, 2);
        t.scene.springs = 0;
        t.body.motion = HAW_MOTION_PRESCRIBED;
        t.body.rotational_damping = 0.5;
        choose(&r, STEPPERS[i], H, 1);
        rig_build(&r, &t.scene);
        for (int n = 0; n < STEPS; n++) {
            assert_int_equal(haw_simulation_set_drive(r.simulation, 0, HAW_DRIVE_SPIN, 0.1 * n),
                             HAW_OK);
            assert_int_equal(haw_simulation_set_torque(r.simulation, 0, 2), HAW_OK);
            rig_step(&r);
            assert_near(r.state->u[2], 0.1 * n, 0, 0);
        }
        const haw_ledger *l = &r.simulation->ledger;
        assert_near(l->kinetic, 0.25 * 5.9 * 5.9, 1e-12, 0);
        assert_near(balance_of(l), 0, 1e-12 * largest_energy(l), 0);
        assert_near(l->external_work, l->kinetic + l->damping_loss + l->numerical_loss,
                    1e-12 * largest_energy(l), 0);
        rig_close(&r);
    }
}

/* ---- refusals ---- */

static void what_cannot_be_set_is_refused_with_its_reason(void **state)
{
    (void)state;
    const double bad[3] = {0, (double)NAN, 0}, good[3] = {1, 2, (double)NAN};
    rig r;
    tether t;
    init_tether(&t, 2);
    choose(&r, "moreau", H, 1);
    rig_build(&r, &t.scene);
    haw_simulation *s = r.simulation;
    assert_int_equal(haw_simulation_set_force(s, 1, good), HAW_ERR_ARG);
    assert_int_equal(haw_simulation_set_force(s, -1, good), HAW_ERR_ARG);
    assert_int_equal(haw_simulation_set_force(s, 0, bad), HAW_ERR_INPUT);
    assert_non_null(
        strstr(haw_context_message(r.context), "body 'mass': a control must be finite"));
    assert_int_equal(haw_simulation_set_torque(s, 0, (double)INFINITY), HAW_ERR_INPUT);
    assert_int_equal(haw_simulation_set_drive(s, 0, HAW_DRIVE_Z, 1), HAW_ERR_ARG);
    assert_int_equal(haw_simulation_set_drive(s, 0, HAW_DRIVE_X, 1), HAW_ERR_INPUT);
    assert_non_null(strstr(haw_context_message(r.context), "'mass' cannot be driven"));
    rig_step(&r); /* nothing of all this has come through */
    assert_near(r.simulation->ledger.external_work, 0, 0, 0);
    assert_int_equal(haw_simulation_set_force(s, 0, good), HAW_OK); /* the plane has no z */
    rig_step(&r);
    assert_near(r.state->u[1], H * 2 / 2, 1e-3 * H, 0);
    rig_close(&r);
}

TEST_FILE(test_control)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_force_set_at_each_step_is_that_force_as_a_table),
        cmocka_unit_test(a_free_body_gets_the_impulse_of_its_forces),
        cmocka_unit_test(a_callback_before_each_step_is_the_same_as_stepping),
        cmocka_unit_test(a_checkpoint_has_what_was_set),
        cmocka_unit_test(a_restored_body_gets_the_same_work),
        cmocka_unit_test(a_drum_goes_on_from_where_it_is_when_its_drive_changes),
        cmocka_unit_test(a_state_under_another_drive_does_not_jump),
        cmocka_unit_test(a_driven_rotor_takes_the_work_of_its_motor),
        cmocka_unit_test(what_cannot_be_set_is_refused_with_its_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
