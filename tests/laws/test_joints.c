/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joints: rows and stiffness against differences, pendulums, tops and nets against closed forms
 * and independent integrations.
 */
#include "model/joint.h"
#include "support/joints.h"

/* ---- rows and stiffness ---- */

static const char *const mixed[] = {
    PLANE
    "bodies:\n"
    "  - {name: a, " BAR ", position: [1, 2], angle_deg: 20}\n"
    "  - {name: b, " BAR ", position: [0.5, 1], angle_deg: 50}\n"
    "cables:\n"
    "  - {name: c, element: bezier, elements: 3, from: [0, 0], to: [1, 0], stiffness: 100,"
    " density: 1}\n"
    "joints:\n"
    "  - {name: one, type: fixed, between: [{body: a, at: [0.3, 0.1]}, {body: b, at: [1, 2]}]}\n"
    "  - {name: two, type: pinned, between: [{cable: c, at: 0.5}, {body: b, at: [1, -2]}]}\n"
    "  - {name: three, type: prismatic, axis: [1, 3], between: [{body: a, at: [0.2, -0.1]}, "
    "{ground:"
    " [1, 1]}]}\n"
    "start: static\nstepper: {type: moreau-jean}\n",
    SPACE
    "bodies:\n"
    "  - {name: a, " BAR ", position: [1, 2, 3], orientation: [0.5, 0.1, 0.7, 0.5]}\n"
    "  - {name: b, " BAR ", position: [0.5, 1, 1], orientation: [0.1, 0.5, 0.5, 0.7]}\n"
    "  - {name: d, " BAR ", position: [1, 1, 0], orientation: [0.7, 0.5, 0.1, 0.5]}\n"
    "cables:\n"
    "  - {name: c, element: se3, elements: 2, from: [0, 0, 0], to: [1, 0, 0], stiffness: 100,"
    " bending_stiffness: 1, radius: 0.01, density: 1}\n"
    "joints:\n"
    "  - {name: one, type: fixed, between: [{body: a, at: [0.3, 0.1, 1]}, {body: b}]}\n"
    "  - {name: two, type: revolute, axis: [1, 2, 2], between: [{cable: c, at: 0.5}, {body: b,"
    " at: [1, -2, 1]}]}\n"
    "  - {name: three, type: pinned, between: [{ground: [1, 1, 1]}, {body: a}]}\n"
    "  - {name: four, type: cylindrical, axis: [1, 3, -1], between: [{body: d, at: [0.2, -0.1, 1]},"
    " {body: b, at: [1, 1, 2]}]}\n"
    "  - {name: five, type: prismatic, axis: [1, 0, 2], between: [{body: d, at: [0.2, 1, 1]},"
    " {ground: [1, 1, 2]}]}\n"
    "start: static\nstepper: {type: moreau-jean}\n",
    /* directions of cables whose sections do not turn */
    PLANE "bodies:\n"
          "  - {name: a, " BAR ", position: [1, 2], angle_deg: 20}\n"
          "cables:\n"
          "  - {name: c, element: bezier, elements: 3, from: [0, 0], to: [1, 0], stiffness: 100,"
          " density: 1, ends: {start: clamped, end: {body: a, clamped: true}}}\n"
          "  - {name: d, element: chain, elements: 2, from: [0, 0], to: [1, 0], stiffness: 100,"
          " density: 1, ends: {start: {body: a, at: [0.1, 0.2], clamped: true}, end: pinned}}\n"
          "start: static\nstepper: {type: moreau-jean}\n",
    PLANE
    "bodies:\n"
    "  - {name: a, " BAR ", position: [1, 2], angle_deg: 20}\n"
    "cables:\n"
    "  - {name: c, element: bezier-polar, elements: 3, from: [0, 0], to: [1, 0], stiffness: 100,"
    " density: 1, ends: {start: clamped, end: {body: a, clamped: true}}}\n"
    "joints:\n"
    "  - {name: one, type: fixed, between: [{body: a}, {cable: c, at: 0}]}\n"
    "start: static\nstepper: {type: moreau-jean}\n",
    SPACE
    "bodies:\n"
    "  - {name: a, " BAR ", position: [1, 2, 3], orientation: [0.5, 0.1, 0.7, 0.5]}\n"
    "cables:\n"
    "  - {name: c, element: bezier-c0, elements: 2, from: [0, 0, 0], to: [1, 0, 0], stiffness:"
    " 100, density: 1, ends: {start: clamped, end: {body: a, clamped: true}}}\n"
    "  - {name: d, element: bezier, elements: 2, from: [0, 0, 0], to: [0, 1, 0], stiffness: 100,"
    " density: 1}\n"
    "joints:\n"
    "  - {name: one, type: fixed, between: [{body: a, at: [0.3, 0.1, 1]}, {cable: d, at:"
    " 0.3}]}\n"
    "start: static\nstepper: {type: moreau-jean}\n",
};

enum { MOST = 96, HOLDS = 5 };

/* G lambda at q moved by `step` along one degree of freedom; and the gaps. */
static void push_at(const haw_model *model, const double *q, int dof, double step,
                    const double *lambda, double *f, double *gap)
{
    double d[MOST] = {0}, moved[MOST];
    haw_hold hold[HOLDS];
    memcpy(moved, q, (size_t)model->coordinates * sizeof(double));
    d[dof] = step;
    haw_model_move(model, moved, 1, d, moved);
    haw_joints_find(model, moved, hold);
    memset(f, 0, (size_t)model->dofs * sizeof(double));
    haw_joints_push(model, hold, 1, lambda, f);
    for (int i = 0; i < model->joints; i++) {
        memcpy(gap, hold[i].gap, (size_t)model->joint[i].rows * sizeof(double));
        gap += model->joint[i].rows;
    }
}

/* A configuration that is none of a symmetry. */
static void disturb(const haw_model *model, double *q, double *lambda)
{
    double d[MOST];
    for (int i = 0; i < model->dofs; i++) {
        d[i] = 0.1 * sin(3.0 * i + 1);
    }
    haw_model_move(model, q, 1, d, q);
    for (int i = 0; i < model->multipliers; i++) {
        lambda[i] = 2 + cos(2.0 * i);
    }
}

static void check_derivatives(const char *text)
{
    static const double STEP = 1e-5;
    scenario_run run;
    double lambda[MOST], f[2][MOST], gap[2][MOST], rates[MOST];
    haw_hold hold[HOLDS];
    haw_system *system;
    haw_csr matrix;
    haw_arena arena;
    joints_build(&run, text, "");
    const haw_model *model = run.model;
    haw_state *state;
    assert_true(model->dofs <= MOST && model->coordinates <= MOST && model->joints <= HOLDS);
    assert_int_equal(haw_state_create(run.context, model, &state), HAW_OK);
    disturb(model, state->q, lambda);
    haw_joints_find(model, state->q, hold);
    haw_arena_init(&arena, run.context);
    assert_int_equal(haw_system_create(run.context, model, NULL, NULL, &system), HAW_OK);
    haw_system_clear(system);
    haw_joints_add_stiffness(system, state->q, 1, lambda);
    assert_int_equal(haw_system_csr(system, &arena, &matrix), HAW_OK);
    for (int dof = 0; dof < model->dofs - model->multipliers; dof++) {
        double u[MOST] = {0};
        u[dof] = 1;
        haw_joints_rates(model, hold, u, rates);
        push_at(model, state->q, dof, -STEP, lambda, f[0], gap[0]);
        push_at(model, state->q, dof, STEP, lambda, f[1], gap[1]);
        for (int row = 0; row < model->multipliers; row++) {
            assert_near(rates[row], (gap[1][row] - gap[0][row]) / (2 * STEP), 1e-8, 1e-8);
        }
        for (int i = 0; i < model->dofs && system->equation[dof] >= 0; i++) {
            const int equation = system->equation[i];
            double entry = 0;
            for (int k = matrix.start[equation < 0 ? 0 : equation];
                 equation >= 0 && k < matrix.start[equation + 1]; k++) {
                entry += matrix.column[k] == system->equation[dof] ? matrix.value[k] : 0;
            }
            const double want = equation < 0 ? 0 : (f[0][i] - f[1][i]) / (2 * STEP);
            assert_near(entry, want, 1e-7, 1e-7);
        }
    }
    haw_system_free(system);
    haw_arena_fini(&arena);
    haw_state_free(run.context, state);
    scenario_close(&run);
}

static void rows_and_stiffness_are_derivatives(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mixed / sizeof *mixed; i++) {
        check_derivatives(mixed[i]);
    }
}

/* ---- pendulums ---- */

static void a_pendulum_is_back_after_its_period(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "pendulum-joint");
    scenario_complete(&run);
    const haw_certificate *certificate = &run.summary.certificate;
    assert_true(certificate->newton_iterations <= 2 * 1758);
    assert_true(certificate->joint_drift_max < 1e-12);
    joints_check_ledger(&run, 2.5);
    assert_near(run.summary.ledger.numerical_loss, 0, 1e-9, 0);
    assert_near(scenario_last(&run, "bar.position", 1), -0.25, 1e-8, 0);
    /* it grows by 12.74 rad/s^2: the period is right to 8e-6 s */
    assert_near(scenario_last(&run, "bar.spin", 0), 0, 1e-4, 0);
    assert_near(scenario_last(&run, "joint.pivot.force", 0), -3.18585, 0, 1e-3);
    assert_near(scenario_last(&run, "joint.pivot.force", 1), 4.29187, 0, 1e-3);
    scenario_close(&run);
}

/* Its gaps are metres beside impulses in N s, and have no part in what may be left of these. */
static void a_pendulum_swings_as_one_however_light_it_is(void **state)
{
    static const char *const stepper[] = {"moreau-jean", "nsga", "generalized-alpha"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        double spin[2];
        for (int light = 0; light < 2; light++) {
            scenario_run run;
            scenario_init(&run, "pendulum-joint");
            scenario_set(&run, "stepper={type: %s, step: 1.0e-3, rho_infinity: 0.9, end: 0.1}",
                         stepper[k]);
            scenario_set(&run, "bodies.bar.mass=%s", light ? "1.0e-12" : "1");
            scenario_set(&run, "bodies.bar.inertia=%s", light ? "8.333333e-14" : "8.333333e-2");
            scenario_complete(&run);
            spin[light] = scenario_last(&run, "bar.spin", 0);
            scenario_close(&run);
        }
        assert_near(spin[1], spin[0], 0, 1e-8);
    }
}

/* Its two halves, one of which stands across its bar, about a horizontal axis in space. */
static void a_bar_of_two_halves_swings_as_one(void **state)
{
    static const char text[] = SPACE
        "bodies:\n"
        "  - {name: near, mass: 0.5, inertias: [1.0e-4, 0.010416666666666667,"
        " 0.010416666666666667], position: [0.21650635094610966, 0, -0.125], orientation:"
        " [0.96592582628906829, 0, 0.25881904510252076, 0]}\n"
        "  - {name: far, mass: 0.5, inertias: [1.0e-4, 0.010416666666666667,"
        " 0.010416666666666667], position: [0.64951905283832898, 0, -0.375], orientation:"
        " [0.96592582628906829, 0, 0.25881904510252076, 0]}\n"
        "joints:\n"
        "  - {name: pivot, type: revolute, axis: [0, 1, 0], between: [{ground: [0, 0, 0]}, {body:"
        " near, at: [-0.25, 0, 0]}]}\n"
        "  - {name: weld, type: fixed, between: [{body: near, at: [0.25, 0, 0]}, {body: far, at:"
        " [-0.25, 0, 0]}]}\n"
        "forces: [{target: far, force: [0, 1, 0]}]\n" JEAN(
            "1.7578148047") "output: {probes: [far.position, joint.weld.force]}\n";
    (void)state;
    scenario_run run;
    joints_complete(&run, text, "", 1e-11);
    joints_check_ledger(&run, 2.5);
    assert_near(scenario_last(&run, "far.position", 0), 0.64951905283832898, 1e-8, 0);
    assert_near(scenario_last(&run, "far.position", 1), 0, 1e-12, 0);
    assert_near(scenario_last(&run, "joint.weld.force", 1), -1, 1e-9, 0);
    scenario_close(&run);
}

static void a_double_pendulum_has_the_reference_angles_and_forces(void **state)
{
#define SECOND(name, end)                                                                          \
    "stepper: {type: " name ", rho_infinity: 0.9, step: 1.0e-3, end: " end                         \
    ", newton_tolerance: 1.0e-12}\n"

    static const struct {
        const char *stepper;
        double angles, forces;
    } rows[] = {{JEAN("1"), 1e-5, 1e-3},
                {SECOND("generalized-alpha", "1"), 1e-5, 2e-5},
                {SECOND("nsga", "1"), 1e-5, 2e-5},
                {SECOND("generalized-alpha", "2"), 2e-5, 1e-4},
                {SECOND("nsga", "2"), 2e-5, 1e-4}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        scenario_run run;
        joints_complete(&run, joints_double_pendulum, rows[i].stepper, 1e-11);
        joints_check_ledger(&run, 15);
        joints_check_double_pendulum(&run, rows[i].angles, rows[i].forces);
        scenario_close(&run);
    }
}

/* After one nutation it is up again. */
static void a_top_precesses_by_the_reference_angle(void **state)
{
    (void)state;
    scenario_run run;
    joints_complete(&run, joints_top,
                    "stepper: {type: moreau-jean, theta: 0.5, step: 2.0e-4, end: 0.1719603058,"
                    " newton_tolerance: 1.0e-13}\n",
                    1e-11);
    joints_check_ledger(&run, 25);
    (void)joints_check_top(&run, 1e-7);
    scenario_close(&run);
}

/* ---- what slides ---- */

static const char *const moving[] = {
    "stepper: {type: moreau-jean, theta: 0.5, step: 1.0e-3, end: 1, newton_tolerance: 1.0e-13}\n",
    ("stepper: {type: generalized-alpha, rho_infinity: 0.9, step: 1.0e-3, end: 1, newton_tolerance:"
     " 1.0e-13}\n"),
    "stepper: {type: nsga, rho_infinity: 0.9, step: 1.0e-3, end: 1, newton_tolerance: 1.0e-13}\n",
    "stepper: {type: moreau, step: 1.0e-3, end: 1}\n"};

/* On an arm that turns with 2 rad/s a bead is at r = r_0 cosh(2 t), pushed by 4 m r'. */
static void a_bead_flies_off_along_a_turning_arm(void **state)
{
    static const char text[] =
        "hawser: 1\n"
        "bodies:\n"
        "  - {name: arm, " BAR ", angle_deg: 30, motion: {velocity: [0, 0], spin: 2}}\n"
        "  - {name: bead, " BAR ", position: [0.1, 0], velocity: [0, 0.2], spin: 2}\n"
        "joints: [{name: slide, type: prismatic, axis: [1, 0], between: [{body: arm}, {body:"
        " bead}]}]\n"
        "output: {probes: [bead.position, bead.spin, joint.slide.force]}\n";
    (void)state;
    for (size_t i = 0; i < sizeof moving / sizeof *moving; i++) {
        scenario_run run;
        joints_complete(&run, text, moving[i], i < 3 ? 1e-12 : 1e-5);
        joints_check_ledger(&run, 1);
        const double r = 0.1 * cosh(2), rate = 0.2 * sinh(2);
        assert_near(scenario_last(&run, "bead.position", 0), r * cos(2), 1e-5, 0);
        assert_near(scenario_last(&run, "bead.position", 1), r * sin(2), 1e-5, 0);
        assert_near(scenario_last(&run, "bead.spin", 0), 2, 1e-5, 0);
        assert_near(scenario_last(&run, "joint.slide.force", 0), -4 * rate * sin(2), 1e-2, 0);
        assert_near(scenario_last(&run, "joint.slide.force", 1), 4 * rate * cos(2), 1e-2, 0);
        const double energy = 0.5 * (rate * rate + 4 * r * r - 0.04);
        assert_near(run.summary.ledger.external_work, energy, 1e-5, 0);
        scenario_close(&run);
    }
}

/* Down a line in space under its weight, turning about it all the same. */
static void a_ring_slides_and_turns_on_a_line(void **state)
{
    static const char text[] = SPACE
        "bodies:\n"
        "  - {name: ring, " TOP "position: [1.2, 0, 1.6], orientation: [0.94868329805051377, 0,"
        " 0.31622776601683794, 0], spin: 5}\n"
        "joints: [{name: line, type: cylindrical, axis: [0.6, 0, 0.8], between: [{ground: [0, 0,"
        " 0]}, {body: ring}]}]\n"
        "output: {probes: [ring.position, ring.spin, joint.line.force]}\n";
    (void)state;
    for (size_t i = 0; i < sizeof moving / sizeof *moving; i++) {
        scenario_run run;
        joints_complete(&run, text, moving[i], 1e-12);
        joints_check_ledger(&run, 40);
        assert_near(scenario_last(&run, "ring.position", 0), 1.2 - 0.5 * 9.81 * 0.48, 1e-9, 0);
        assert_near(scenario_last(&run, "ring.position", 1), 0, 1e-12, 0);
        assert_near(scenario_last(&run, "ring.position", 2), 1.6 - 0.5 * 9.81 * 0.64, 1e-9, 0);
        assert_near(scenario_last(&run, "ring.spin", 0), 5, 1e-9, 0);
        /* gaps are differences of positions of 2 m; their roundings are forces m eps x / h^2, and
           where rho is 0.9 those of ten steps before count as well (generalized_alpha.h) */
        const double steps = strstr(moving[i], "rho_infinity") != NULL ? 1 / (1 - 0.9) : 1;
        const double rounding = steps * 16 * DBL_EPSILON * 2 / 1e-6;
        assert_near(scenario_last(&run, "joint.line.force", 0), -9.81 * 0.48, rounding, 0);
        assert_near(scenario_last(&run, "joint.line.force", 2), 9.81 * 0.36, rounding, 0);
        scenario_close(&run);
    }
}

/* A weight on a line at 30 degrees, held by a spring: k x = m g / 2. */
static void a_weight_stands_on_its_slide(void **state)
{
    static const char text[] = PLANE
        "bodies: [{name: car, " BAR ", position: [0.86602540378443865, 0.5], angle_deg: 10}]\n"
        "joints: [{name: slide, type: prismatic, axis: [0.86602540378443865, 0.5], between: [{body:"
        " car}, {ground: [0, 0]}]}]\n"
        "springs: [{between: [car, [0, 0]], stiffness: 100, length: 1}]\n"
        "start: static\nstepper: {type: static}\n"
        "output: {probes: [car.position, joint.slide.force]}\n";
    (void)state;
    scenario_run run;
    joints_complete(&run, text, "", 1e-12);
    const double r = 1 - 9.81 / 200;
    assert_near(scenario_last(&run, "car.position", 0), r * 0.86602540378443865, 1e-9, 0);
    assert_near(scenario_last(&run, "car.position", 1), r * 0.5, 1e-9, 0);
    assert_near(scenario_last(&run, "joint.slide.force", 1), -9.81 * 0.75, 1e-8, 0);
    scenario_close(&run);
}

/* ---- cables ---- */

#define STRING(name, from, length, stiffness)                                                      \
    "  - {name: " name ", element: ancf, elements: 4, from: " from                                 \
    ", to: [0, 0, 0], length: " length ", stiffness: " stiffness                                   \
    ", density: 1.0e-6, ends: {start: pinned, end: free}}\n"
#define KNOT(name, other)                                                                          \
    "  - {name: " name ", type: pinned, between: [{cable: a1, at: 1}, {cable: " other ", at: "     \
    "1}]}\n"

static void an_unequal_cross_has_the_reference_knot(void **state)
{
    static const char text[] =
        "hawser: 1\ndimension: 3\n"
        "cables:\n" STRING("a1", "[-0.6, 0, 0]", "0.59405940594059405",
                           "1.0e+4") STRING("a2", "[1.4, 0, 0]", "1.3861386138613861", "1.0e+4")
            STRING("b1", "[0, -0.9, 0]", "0.88932806324110671",
                   "5.0e+3") STRING("b2", "[0, 0.6, 0]", "0.59288537549407114",
                                    "5.0e+3") "joints:\n" KNOT("k1", "a2") KNOT("k2", "b1")
                KNOT("k3",
                     "b2") "forces: [{target: a1, point: 1, force: [5, 0, -20]}]\n"
                           "stepper: {type: static, newton_tolerance: 1.0e-11}\n"
                           "output: {probes: ['b2.position[1:1]', a1.tension_mean, "
                           "a2.tension_mean, b1.tension_mean,"
                           " b2.tension_mean, joint.k1.force, joint.k2.force, joint.k3.force]}\n";
    static const double knot[] = {-6.73586313549e-4, 5.06613381946e-4, -.0434041853714};
    (void)state;
    scenario_run run;
    joints_complete(&run, text, "", 1e-11);
    for (int i = 0; i < 3; i++) {
        assert_near(scenario_last(&run, "b2.position[1:1]", i), knot[i], 1e-12, 1e-10);
    }
    assert_near(scenario_last(&run, "a1.tension_mean", 0), 115.087251, 0, 1e-8);
    assert_near(scenario_last(&run, "a2.tension_mean", 0), 109.7105924, 0, 1e-8);
    assert_near(scenario_last(&run, "b1.tension_mean", 0), 68.72733856, 0, 1e-8);
    assert_near(scenario_last(&run, "b2.tension_mean", 0), 68.96440643, 0, 1e-8);
    assert_near(scenario_last(&run, "joint.k2.force", 1), 68.64762404, 0, 1e-6);
    scenario_close(&run);
}

/* Two chains that meet, and a bar that hangs there by its end and is pulled sideways: at once, and
 * on a path of equilibria. It stands along the force on its centre. */
static void a_hanging_bar_stands_along_its_load(void **state)
{
#define CHAIN(name, from)                                                                          \
    "  - {name: " name ", element: chain, elements: 10, from: " from ", to: [1, 0], length: 0.95," \
    " stiffness: 1.0e+3, density: 0.1, ends: {start: pinned, end: free}}\n"
    static const char text[] = PLANE
        "bodies: [{name: bar, " BAR ", position: [1, -0.5]}]\n"
        "cables:\n" CHAIN("c", "[0, 0]") CHAIN(
            "d", "[2, 0]") "joints:\n"
                           "  - {name: k, type: pinned, between: [{cable: c, at: 1}, {cable: d, "
                           "at: 1}]}\n"
                           "  - {name: j, type: pinned, between: [{cable: c, at: 1}, {body: bar, "
                           "at: [0, 0.5]}]}\n"
                           "output: {probes: [bar.angle, 'd.position[1:1]', joint.j.force]}\n";
    static const char *const ways[] = {
        "forces: [{target: bar, force: [5, 0]}]\nstepper: {type: static}\n",
        "forces: [{target: bar, force: [{table: [[0, 0], [1, 5]]}, 0]}]\nstart: static\n"
        "stepper: {type: quasi-static, step: 0.1, end: 1}\n"};
    double x[2], y[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        char whole[2048];
        scenario_run run;
        snprintf(whole, sizeof whole, "%s%s", text, ways[i]);
        joints_complete(&run, whole, "", 1e-11);
        assert_near(scenario_last(&run, "bar.angle", 0), atan(5 / 9.81), 1e-9, 0);
        assert_near(scenario_last(&run, "joint.j.force", 0), -5, 0, 1e-8);
        assert_near(scenario_last(&run, "joint.j.force", 1), 9.81, 0, 1e-8);
        x[i] = scenario_last(&run, "d.position[1:1]", 0);
        y[i] = scenario_last(&run, "d.position[1:1]", 1);
        scenario_close(&run);
    }
    assert_near(x[0], x[1], 1e-10, 0);
    assert_near(y[0], y[1], 1e-10, 0);
}

/* Wherever it is drawn, upside down but for a hair too, and where it is drawn apart. */
static void a_bar_hangs_however_it_is_drawn(void **state)
{
    static const double degrees[] = {-150, 0, 30, 60, 88, 89.999, 179, 215};
    (void)state;
    for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++) {
        char whole[2048];
        scenario_run run;
        const double angle = degrees[i] * acos(-1.0) / 180;
        snprintf(whole, sizeof whole,
                 PLANE "bodies: [{name: bar, " BAR
                       ", position: [%.17g, %.17g], angle_deg: %.17g}]\n"
                       "joints: [{name: j, type: pinned, between: [{ground: [0, 0]}, {body: bar, "
                       "at: [-0.5, 0]}]}]\n"
                       "start: static\nstepper: {type: static}\n"
                       "output: {probes: [bar.position, joint.j.force]}\n",
                 0.5 * cos(angle) + (i % 2 > 0 ? 0.1 : 0), 0.5 * sin(angle), degrees[i]);
        joints_complete(&run, whole, "", 1e-11);
        assert_near(scenario_last(&run, "bar.position", 0), 0, 1e-9, 0);
        assert_near(scenario_last(&run, "bar.position", 1), -0.5, 1e-9, 0);
        assert_near(scenario_last(&run, "joint.j.force", 1), 9.81, 1e-8, 0);
        scenario_close(&run);
    }
}

/* ---- with contact ---- */

/* The rim lies m g / k deep in a soft plane, which carries all of the weight. With theta 1/2 the
 * force of the pivot would change its sign from step to step for ever: nothing damps it. */
static void a_pendulum_comes_to_rest_on_a_soft_plane(void **state)
{
    static const char text[] = ROD("law: penalty, normal: linear, normal_stiffness: 1.0e+4, "
                                   "normal_damping: 1000, friction: 0");
    static const char *const steppers[] = {"moreau-jean, contact_law: position", "moreau-jean",
                                           "generalized-alpha, rho_infinity: 0.9"};
    (void)state;
    for (size_t i = 0; i < sizeof steppers / sizeof *steppers; i++) {
        char whole[2048];
        scenario_run run;
        snprintf(whole, sizeof whole,
                 "%sstepper: {type: %s, step: 1.0e-3, end: 3, newton_tolerance: 1.0e-12}\n", text,
                 steppers[i]);
        joints_complete(&run, whole, "", 1e-11);
        joints_check_ledger(&run, 10);
        assert_true(run.summary.ledger.impact_loss + run.summary.ledger.damping_loss > 1.9);
        assert_near(scenario_last(&run, "bar.position", 1), -0.45 - 9.81e-4, 1e-7, 0);
        assert_near(scenario_last(&run, "joint.pivot.force", 0), 0, 2e-3, 0);
        assert_near(scenario_last(&run, "joint.pivot.force", 1), 0, 2e-3, 0);
        assert_near(scenario_last(&run, "contact.force", 1), -9.81, 2e-3, 0);
        scenario_close(&run);
    }
}

/* It comes to rest where the rim touches: 0.45 m below the pivot, 0.5 m away. */
static void a_pendulum_comes_to_rest_on_a_plane(void **state)
{
    static const char *const steppers[] = {
        "stepper: {type: moreau-jean, step: 1.0e-3, end: 1}\n",
        "stepper: {type: nsga, step: 1.0e-3, end: 1, newton_tolerance: 1.0e-12}\n"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        joints_complete(&run, ROD("law: hard, friction: 0.3"), steppers[i], 1e-11);
        joints_check_ledger(&run, 1);
        assert_near(scenario_last(&run, "bar.position", 0), sqrt(0.25 - 0.45 * 0.45), 1e-9, 0);
        assert_near(scenario_last(&run, "bar.position", 1), -0.45, 1e-9, 0);
        const double x = scenario_last(&run, "joint.pivot.force", 0);
        const double y = scenario_last(&run, "joint.pivot.force", 1);
        assert_near(y - scenario_last(&run, "contact.force", 1), 9.81, 0, 2e-3);
        assert_near(x, scenario_last(&run, "contact.force", 0), 2e-2, 0);
        scenario_close(&run);
    }
}

/* nsga: velocities obey joints in steps with contact, and what holds a post gets their force. */
/* A cart above a rope, locked where it is drawn, or left alone as nothing keeps it in place: the
 * rope comes to rest as without the cart, whose joint holds nothing yet. */
static void joints_of_what_is_held_rest(void **state)
{
    static const char rope[] =
        "cables:\n  - {name: rope, element: ancf, elements: 8, from: [0, 0], to: [2, 0], stiffness:"
        " 1.0e+5, bending_stiffness: 2, density: 0.5, tension: 300}\n"
        "stepper: {type: moreau-jean, step: 1.0e-4, end: 1.0e-4}\n"
        "output: {probes: [rope.tension_mean, 'rope.position[0.5:0.5]']}\n";
    static const char *const carts[] = {"", "bodies:\n  - {name: a, " BAR
                                            ", position: [0, 1]}\n  - {name: b, " BAR
                                            ", position: [1, 1]}\n"
                                            "joints: [{name: j, type: fixed, between: [{body: a, "
                                            "at: [0.5, 0]}, {body: b, at: [-0.5, 0]}]}]\n"};
    static const char *const starts[] = {"", ", lock: [a.x, a.y, a.angle, b.x, b.y, b.angle]"};
    double want[2] = {0};
    (void)state;
    for (int i = 0; i < 3; i++) {
        char text[2048];
        scenario_run run;
        snprintf(text, sizeof text, "%s%s%sstart: {type: static%s}\n", PLANE, carts[i > 0], rope,
                 starts[i == 2]);
        joints_complete(&run, text, "", 1e-9);
        const double got[2] = {scenario_last(&run, "rope.tension_mean", 0),
                               scenario_last(&run, "rope.position[0.5:0.5]", 1)};
        for (int k = 0; k < 2; k++) {
            want[k] = i == 0 ? got[k] : want[k];
            assert_near(got[k], want[k], 0, 1e-9);
        }
        scenario_close(&run);
    }
}

static void joints_hold_velocities_beside_contacts(void **state)
{
    static const char text[] = PLANE
        "bodies:\n"
        "  - {name: bar, shape: {type: circle, radius: 0.1}, mass: 1, position:"
        " [0.43301270189221932, -0.25], angle_deg: -30}\n"
        "  - {name: wall, shape: {type: plane}, position: [0, -0.55], motion: {fixed: true}}\n"
        "  - {name: post, mass: 1, inertia: 1, motion: {fixed: true}}\n"
        "joints: [{name: pivot, type: pinned, between: [{body: post}, {body: bar, at: [-0.5,"
        " 0]}]}]\n"
        "contact: [{between: [bar, wall], law: hard, friction: 0.3}]\n"
        "stepper: {type: nsga, step: 1.0e-3, end: 1, newton_tolerance: 1.0e-12}\n";
    haw_status status = HAW_OK;
    int closed = 0;
    (void)state;
    scenario_run run;
    joints_open(&run, text, "");
    const haw_simulation *simulation = run.simulation;
    const haw_model *model = &simulation->model;
    while (status == HAW_OK) {
        double rates[2];
        haw_hold hold;
        status = haw_simulation_step(run.simulation);
        if (status == HAW_OK && simulation->contacts->count > 0) {
            haw_joints_find(model, simulation->state->q, &hold);
            haw_joints_rates(model, &hold, simulation->state->u, rates);
            assert_near(rates[0], 0, 1e-10, 0);
            assert_near(rates[1], 0, 1e-10, 0);
            closed++;
        }
    }
    assert_int_equal(status, HAW_DONE);
    assert_true(closed > 100);
    for (int i = 0; i < 2; i++) {
        const double held = simulation->reaction[model->body[2].first + i] / 1e-3;
        assert_near(held, simulation->state->u[model->joint[0].first + i], 1e-3, 1e-6);
        assert_true(fabs(held) > 1);
    }
    scenario_close(&run);
}

/* The bar of a driven arm: the work of its motor is what the energies have gained. */
static void an_arm_works_through_its_joint(void **state)
{
    static const char text[] = PLANE
        "bodies:\n"
        "  - {name: arm, " BAR ", motion: {velocity: [0, 0], spin: {table: [[0, 0], [1, 3]]}}}\n"
        "  - {name: bar, " BAR ", position: [0.3, -0.5], angle_deg: 90}\n"
        "joints: [{name: pin, type: pinned, between: [{body: arm, at: [0.3, 0]}, {body: bar, at:"
        " [0.5, 0]}]}]\n";
    (void)state;
    for (size_t i = 0; i < sizeof moving / sizeof *moving; i++) {
        scenario_run run;
        joints_complete(&run, text, moving[i], i < 3 ? 1e-12 : 1e-5);
        joints_check_ledger(&run, 10);
        const haw_ledger *ledger = &run.summary.ledger;
        assert_near(ledger->external_work, 9.81 * 0.5 + ledger->kinetic + ledger->gravity, 2e-5, 0);
        assert_true(ledger->external_work > 3);
        scenario_close(&run);
    }
}

/* Of 2 + 2 strings, with friction. */
static void a_ball_bounces_on_a_net(void **state)
{
    static const char *const steppers[] = {
        "stepper: {type: moreau-jean, step: 1.0e-3, end: 0.1, newton_tolerance: 1.0e-12}\n",
        "stepper: {type: nsga, rho_infinity: 0.5, step: 1.0e-3, end: 0.1, newton_tolerance: "
        "1.0e-12}"
        "\nsolver: {type: auto, tolerance: 1.0e-12}\n"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        joints_complete(&run, joints_net, steppers[i], 1e-11);
        joints_check_ledger(&run, 10);
        assert_true(run.summary.certificate.contacts_max > 0);
        assert_true(run.summary.certificate.residual_max < 1e-8);
        assert_true(scenario_last(&run, "ball.velocity", 2) > 0);
        assert_true(run.summary.ledger.friction_loss > 0);
        scenario_close(&run);
    }
}

/* The beginning of the shipped net: it falls on the first strings. Its matrix is no band. */
static void a_ball_falls_on_the_shipped_net(void **state)
{
    static const char *const ways[] = {"stepper.end=0.012",
                                       "stepper={type: moreau, step: 3.5e-5, end: 0.012}"};
    double speed[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        scenario_init(&run, "ball-on-net");
        scenario_set(&run, "%s", ways[i]);
        scenario_set(&run, "contact.depth_limit=0.2");
        scenario_complete(&run);
        joints_check_ledger(&run, 16);
        const haw_sparse_calls *calls = &run.summary.sparse;
        assert_true(run.summary.certificate.contacts_max > 0);
        assert_near(run.summary.certificate.joint_drift_max, 0, 1e-12, 0);
        assert_true(i == 0 ? calls->klu_factorizations >= 12 && calls->klu_solves >= 12
                           : calls->cholmod_factorizations <= 2 && calls->cholmod_solves > 300);
        speed[i] = scenario_last(&run, "ball.velocity", 2);
        scenario_close(&run);
    }
    assert_near(speed[0], speed[1], 0.02, 0);
}

/* ---- checkpoints ---- */

/* Multipliers are in the state: hard contact, both laws of moreau-jean, turning bodies. */
static void a_restored_run_goes_on_with_the_same_bits(void **state)
{
    static const char soft[] = ROD("law: penalty, normal: linear, normal_stiffness: 1.0e+4");
    static const char *const rows[][2] = {
        {joints_net, "moreau-jean, step: 1.0e-3, newton_tolerance: 1.0e-12"},
        {ROD("law: hard, friction: 0.3"), "moreau-jean, step: 1.0e-3"},
        {soft, "moreau-jean, contact_law: position, step: 1.0e-3"},
        {soft, "generalized-alpha, rho_infinity: 0.9, step: 1.0e-3"},
        {joints_top, "moreau-jean, theta: 0.5, step: 2.0e-4"},
        {joints_top, "generalized-alpha, rho_infinity: 0.9, step: 2.0e-4"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char stepper[256];
        snprintf(stepper, sizeof stepper, "stepper: {type: %s, end: 1}\n", rows[i][1]);
        joints_check_restored(rows[i][0], stepper, i == 0 ? 50 : 200);
    }
}

/* ---- refusals ---- */

/* `where` is the place in the scene; NULL: any. */
static void refuses(const char *text, const char *said, const char *where)
{
    scenario_run run;
    scenario_init(&run, "joints");
    assert_int_equal(haw_context_create(NULL, &run.context), HAW_OK);
    haw_status status = haw_scenario_parse(run.context, "joints", text, 0, NULL, &run.scenario);
    if (status == HAW_OK) {
        status = haw_model_build(run.context, &run.scenario->scene, &run.model);
    }
    if (status == HAW_OK) {
        status = haw_simulation_create(run.context, run.model, &run.scenario->run, &run.simulation);
    }
    assert_int_equal(status, HAW_ERR_INPUT);
    if (strstr(haw_context_message(run.context), said) == NULL) {
        fail_msg("no '%s' in: %s", said, haw_context_message(run.context));
    }
    if (where != NULL) {
        assert_string_equal(haw_context_place(run.context), where);
    }
    scenario_close(&run);
}

#define PAIR PLANE "bodies:\n  - {name: a, " BAR "}\n  - {name: b, " BAR ", velocity: [0, 1]}\n"
#define ENDS(name, type, one, other)                                                               \
    "  - {name: " name ", type: " type ", between: [" one ", " other "]}\n"
#define JOIN(type, one, other) "joints:\n" ENDS("j", type, one, other)

static void what_cannot_be_joined_is_refused(void **state)
{
    static const char *const rows[][3] = {
        {PAIR JOIN("pinned", "{body: a}", "{body: a, at: [0, 1]}"), "the same body", "joints.j"},
        {PAIR JOIN("pinned", "{body: a}", "{body: b, at: [0, 1]}"), "are 1 m apart", "joints.j"},
        {PAIR JOIN("pinned", "{body: a}", "{body: b}"), "move apart at the start, by 1 m/s",
         "joints.j"},
        {PAIR JOIN("spherical", "{body: a}", "{body: b}"),
         "there is no joint of type 'spherical' in 2 dimensions", "joints.j"},
        {PLANE "bodies:\n  - {name: a, " BAR "}\n  - {name: b, " BAR
               ", spin: 2}\n" JOIN("fixed", "{body: a}", "{body: b}"),
         "turn apart at the start, by 2 rad/s", "joints.j"},
        {SPACE "bodies: [{name: a, " BAR
               "}]\n" JOIN("revolute, axis: [0, 0, 0]", "{body: a}", "{ground: [0, 0, 0]}"),
         "an axis other than zero", "joints.j"},
        {ROD("law: hard, friction: 0.3") "stepper: {type: nsga, rho_infinity: 0.95}\n",
         "joints need a rho_infinity of at most 0.9 (got 0.95)", "stepper.rho_infinity"},
        {PAIR
         "stepper: {type: generalized-alpha}\n" JOIN("pinned", "{body: a}", "{ground: [0, 0]}"),
         "joints need a rho_infinity of at most 0.9 (got 1)", "stepper.rho_infinity"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        refuses(rows[i][0], rows[i][1], rows[i][2]);
    }
}

/* A bar on two pins, a centre that is held already, a point of a cable and itself, two hinges of a
 * door, a closed chain of hinges; the last with two hinges less can move. */
static void what_is_held_twice_is_refused(void **state)
{
#define GATE(name, x, z) "  - {name: " name ", " BAR ", position: [" x ", 0, " z "]}\n"
#define FOUR                                                                                       \
    SPACE "bodies:\n" GATE("a", "0", "-0.5") GATE("b", "0.5", "-1") GATE("c", "1", "-0.5")         \
        JOIN("revolute, axis: [0, 1, 0]", "{ground: [0, 0, 0]}", "{body: a, at: [0, 0, 0.5]}")     \
            ENDS("k", "revolute, axis: [0, 1, 0]", "{body: a, at: [0, 0, -0.5]}",                  \
                 "{body: b, at: [-0.5, 0, 0]}")
#define LAST(type)                                                                                 \
    ENDS("l", type, "{body: b, at: [0.5, 0, 0]}", "{body: c, at: [0, 0, -0.5]}")                   \
    ENDS("m", type, "{body: c, at: [0, 0, 0.5]}", "{ground: [1, 0, 0]}")
    static const char said[] = "already hold what it holds";
    static const char *const rows[] = {
        PLANE "bodies: [{name: a, " BAR
              "}]\n" JOIN("pinned", "{ground: [1, 0]}", "{body: a, at: [1, 0]}")
                  ENDS("k", "pinned", "{ground: [0, 1]}", "{body: a, at: [0, 1]}"),
        PLANE "bodies: [{name: a, inertia: 1, joint: revolute}]\n" JOIN(
            "pinned", "{ground: [0, 0]}", "{body: a}"),
        PAIR JOIN("pinned", "{ground: [0, 0]}", "{ground: [0, 0]}"),
        PLANE "cables: [{name: c, element: chain, elements: 4, from: [0, 0], to: [1, 0], stiffness:"
              " 1000, density: 1}]\n" JOIN("pinned", "{cable: c, at: 0.5}", "{cable: c, at: 0.5}"),
        SPACE "bodies: [{name: a, " BAR "}]\n" JOIN(
            "revolute, axis: [0, 1, 0]", "{ground: [0, -1, 0]}", "{body: a, at: [0, -1, 0]}")
            ENDS("k", "revolute, axis: [0, 1, 0]", "{ground: [0, 1, 0]}",
                 "{body: a, at: [0, 1, 0]}"),
        FOUR LAST("revolute, axis: [0, 1, 0]"),
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        refuses(rows[i], said, NULL);
    }
    scenario_run run;
    joints_complete(&run, FOUR LAST("pinned"),
                    "stepper: {type: moreau-jean, step: 1.0e-3, end: 0.1}\n", 1e-11);
    scenario_close(&run);
}

TEST_FILE(test_joints)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_stiffness_are_derivatives),
        cmocka_unit_test(a_pendulum_is_back_after_its_period),
        cmocka_unit_test(a_pendulum_swings_as_one_however_light_it_is),
        cmocka_unit_test(a_bar_of_two_halves_swings_as_one),
        cmocka_unit_test(a_double_pendulum_has_the_reference_angles_and_forces),
        cmocka_unit_test(a_top_precesses_by_the_reference_angle),
        cmocka_unit_test(a_bead_flies_off_along_a_turning_arm),
        cmocka_unit_test(a_ring_slides_and_turns_on_a_line),
        cmocka_unit_test(a_weight_stands_on_its_slide),
        cmocka_unit_test(an_unequal_cross_has_the_reference_knot),
        cmocka_unit_test(a_hanging_bar_stands_along_its_load),
        cmocka_unit_test(a_bar_hangs_however_it_is_drawn),
        cmocka_unit_test(a_pendulum_comes_to_rest_on_a_soft_plane),
        cmocka_unit_test(a_pendulum_comes_to_rest_on_a_plane),
        cmocka_unit_test(joints_of_what_is_held_rest),
        cmocka_unit_test(joints_hold_velocities_beside_contacts),
        cmocka_unit_test(an_arm_works_through_its_joint),
        cmocka_unit_test(a_ball_bounces_on_a_net),
        cmocka_unit_test(a_ball_falls_on_the_shipped_net),
        cmocka_unit_test(a_restored_run_goes_on_with_the_same_bits),
        cmocka_unit_test(what_cannot_be_joined_is_refused),
        cmocka_unit_test(what_is_held_twice_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
