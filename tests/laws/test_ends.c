/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends of cables: on bodies that are free, driven or fixed, pinned or clamped, in the plane and in
 * space; what pulls at them. */
#include "model/joint.h"
#include "support/joints.h"

/* ---- a weight on a rope ---- */

enum { MODES = 6, MANY = 150 };

/* All frequencies are among the lowest ones of the model. */
static void check_modes(scenario_run *run, const double *want, int count, int modes,
                        double tolerance)
{
    double frequency[MANY];
    assert_int_equal(haw_simulation_modes(run->simulation, modes, frequency, NULL), HAW_OK);
    for (int i = 0; i < count; i++) {
        double nearest = frequency[0];
        for (int k = 1; k < modes; k++) {
            nearest =
                fabs(frequency[k] - want[i]) < fabs(nearest - want[i]) ? frequency[k] : nearest;
        }
        assert_near(nearest, want[i], 0, tolerance);
    }
}

/* (P v')' + rho omega^2 v = 0 with m omega^2 v = P v' at the weight; x tan x = rho L / m. */
static void a_weight_swings_and_bounces_on_its_rope(void **state)
{
    static const struct {
        double stiffness, density, mass, stretch, frequency[6];
    } rows[] = {
        {1e4,
         .1,
         1,
         2.1582e-3,
         {.3576323747, 2.6418516, 5.2106328, 10.892266, 80.625762, 158.910615}},
        {4e4,
         .5,
         .5,
         4.905e-4,
         {.3829836057, 1.2053202, 2.2134588, 24.238181, 82.009749, 148.064530}},
    };

    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        scenario_init(&run, "weight-on-rope");
        scenario_set(&run, "cables.rope.stiffness=%g", rows[i].stiffness);
        scenario_set(&run, "cables.rope.density=%g", rows[i].density);
        scenario_set(&run, "bodies.weight.mass=%g", rows[i].mass);
        scenario_set(&run, "stepper.end=0.1");
        scenario_set(&run, "cables.rope.elements=40");
        scenario_open(&run);
        check_modes(&run, rows[i].frequency, 6, MANY, 1e-7);
        assert_int_equal(scenario_try(&run), HAW_OK);
        const double weight = 9.81 * (rows[i].mass + 2 * rows[i].density);
        assert_near(scenario_at(&run, 0, "weight.position", 1), -2 - rows[i].stretch, 0, 1e-10);
        assert_near(scenario_at(&run, 0, "rope.reaction_start", 1), weight, 0, 1e-10);
        assert_near(scenario_at(&run, 0, "rope.reaction_end", 1), -9.81 * rows[i].mass, 0, 1e-10);
        assert_near(run.summary.ledger.balance_error, 0, 1e-12, 0);
        assert_true(run.summary.certificate.joint_drift_max < 1e-12);
        scenario_close(&run);
    }
}

static double third_frequency(const char *element, int elements)
{
    double frequency[3];
    scenario_run run;
    scenario_init(&run, "weight-on-rope");
    scenario_set(&run, "cables.rope.element=%s", element);
    scenario_set(&run, "cables.rope.elements=%d", elements);
    scenario_open(&run);
    assert_int_equal(haw_simulation_start(run.simulation), HAW_OK);
    assert_int_equal(haw_simulation_modes(run.simulation, 3, frequency, NULL), HAW_OK);
    scenario_close(&run);
    return frequency[2];
}

/* Of the cubic 6, of the chain with its lumped mass 2. */
static void its_frequencies_have_the_order_of_the_element(void **state)
{
    (void)state;
    const double fine = third_frequency("bezier", 96);
    const double cubic[] = {third_frequency("bezier", 16) - fine,
                            third_frequency("bezier", 32) - fine};
    const double chain[] = {third_frequency("chain", 100) - fine,
                            third_frequency("chain", 200) - fine};
    assert_near(log2(cubic[0] / cubic[1]), 6, 0.15, 0);
    assert_near(log2(chain[0] / chain[1]), 2, 0.01, 0);
}

/* Every element, in the plane and in space, where each mode stands twice. */
static void a_body_that_hangs_by_its_rim_swings_with_two_modes(void **state)
{
    static const double want[] = {.3406815017, 1.5351277, 2.7754039};

    static const struct {
        const char *element;
        int elements;
        bool is_space;
        double tolerance;
    } rows[] = {{"bezier", 20, false, 1e-7},   {"bezier-c0", 20, false, 1e-7},
                {"ancf", 20, false, 1e-6},     {"bezier-polar", 20, false, 1e-7},
                {"chain", 400, false, 1e-5},   {"bezier", 20, true, 1e-7},
                {"bezier-c0", 20, true, 1e-7}, {"ancf", 20, true, 1e-6}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *zero = rows[i].is_space ? "0, 0, " : "0, ";
        char text[1024];
        scenario_run run;
        snprintf(text, sizeof text,
                 "%sbodies:\n  - {name: weight, mass: 1, inertia: 0.02, position: [%s-2.2]}\n"
                 "cables:\n  - {name: rope, element: %s, elements: %d, from: [%s0], to: [%s-2],"
                 " length: 2, stiffness: 1.0e+4, density: 0.1, ends: {end: {body: weight, at:"
                 " [%s0.2]}}}\nstart: static\nstepper: {type: moreau-jean}\n",
                 rows[i].is_space ? SPACE : PLANE, zero, rows[i].element, rows[i].elements, zero,
                 zero, zero);
        joints_open(&run, text, "");
        assert_int_equal(haw_simulation_start(run.simulation), HAW_OK);
        check_modes(&run, want, 3, rows[i].is_space ? 12 : 6, rows[i].tolerance);
        scenario_close(&run);
    }
}

/* ---- clamped ends ---- */

/* Tangent at an end in the frame of the body that holds it. */
static void check_direction(const scenario_run *run, int end, const double want[3])
{
    const haw_cable *cable = &run->simulation->model.cable[0];
    const double *q = run->simulation->state->q;
    haw_cable_point point;
    haw_cable_direct(cable, end == 0 ? 0 : cable->line.elements - 1, end, q, &point);
    for (int i = 0; i < 3; i++) {
        assert_near(point.rotation[3 * i], want[i], 1e-9, 0);
    }
}

/* A drum turns by 1 rad, and the direction of the end that is clamped to it too; the other one
 * stays. */
static void a_clamped_end_keeps_its_direction(void **state)
{
    static const struct {
        const char *element;
        bool is_space;
    } rows[] = {{"bezier", false}, {"bezier-c0", false}, {"bezier-polar", false}, {"chain", false},
                {"ancf", false},   {"bezier", true},     {"bezier-c0", true},     {"ancf", true}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1024];
        scenario_run run;
        snprintf(
            text, sizeof text,
            "%sbodies:\n  - {name: drum, mass: 1, inertia: 1, joint: revolute,"
            " motion: {spin: {table: [[0, 0], [0.5, 2], [1, 0]]}}}\n"
            "cables:\n  - {name: rope, element: %s, elements: 10, from: [0.2, 0%s], to: [1, 0%s"
            "], tension: 20, stiffness: 1.0e+3, density: 0.1, damping: {mass: 3},"
            " ends: {start: {body: drum, clamped: true}, end: clamped}}\n"
            "start: static\nstepper: {type: moreau-jean, step: 1.0e-2, newton_tolerance: 1.0e-13}\n"
            "output: {probes: [rope.reaction_start]}\n",
            rows[i].is_space ? "hawser: 1\ndimension: 3\ngravity: [0, -9.81, 0]\n" : PLANE,
            rows[i].element, rows[i].is_space ? ", 0" : "", rows[i].is_space ? ", 0" : "");
        joints_complete(&run, text, "", 1e-10);
        check_direction(&run, 0, (const double[]){cos(1), sin(1), 0});
        check_direction(&run, 1, (const double[]){1, 0, 0});
        assert_near(run.summary.ledger.balance_error, 0, 1e-12, 0);
        scenario_close(&run);
    }
}

/* A stretched beam between clamps, a force across its middle: the tension at the clamp is the force
 * of the support along it, whatever coordinates or rows of a joint hold the direction. */
static void a_clamped_end_holds_no_strain(void **state)
{
    static const char *const steppers[] = {"static", "quasi-static, step: 0.1, end: 0.1",
                                           "moreau-jean, step: 1.0e-3, end: 0.01"};
    (void)state;
    for (int i = 0; i < 6; i++) {
        double first[3] = {0, 0, 0};
        for (int turned = 0; turned < 2; turned++) {
            const bool is_space = i % 2 == 1;
            const double c = cos(0.5 * turned), s = sin(0.5 * turned);
            char text[1024];
            scenario_run run;
            snprintf(text, sizeof text,
                     "%scables:\n  - {name: beam, element: ancf, elements: 8, from: [0, 0%s], to: "
                     "[%.17g, %.17g%s], tension: 100, stiffness: 1.0e+3, bending_stiffness: 1, "
                     "density: 1, ends: {start: clamped, end: clamped}}\nforces: [{target: beam, "
                     "point: 0.5, force: [%.17g, %.17g%s]}]\nstart: static\nstepper: {type: "
                     "%s}\noutput: {probes: [\"beam.tension[0:0]\", "
                     "beam.reaction_start, beam.length]}\n",
                     is_space ? "hawser: 1\ndimension: 3\ngravity: [0, 0, 0]\n"
                              : "hawser: 1\ndimension: 2\ngravity: [0, 0]\n",
                     is_space ? ", 0" : "", c, s, is_space ? ", 0" : "", -20 * s, 20 * c,
                     is_space ? ", 0" : "", steppers[i / 2]);
            scenario_init(&run, "beam");
            run.text = text;
            scenario_complete(&run);
            const double force[2] = {scenario_last(&run, "beam.reaction_start", 0),
                                     scenario_last(&run, "beam.reaction_start", 1)};
            const double now[3] = {scenario_last(&run, "beam.tension[0:0]", 0),
                                   -force[0] * c - force[1] * s,
                                   scenario_last(&run, "beam.length", 0)};
            assert_near(now[0], now[1], 0, 1e-3); /* of the mesh */
            for (int k = 0; k < 3; k++) {
                first[k] = turned == 0 ? now[k] : first[k];
                assert_near(now[k], first[k], 1e-9, 0);
            }
            scenario_close(&run);
        }
    }
}

/* ---- pulled ends ---- */

static void a_pulled_end_hangs_along_its_pull(void **state)
{
    static const char *const elements[] = {"bezier", "bezier-c0", "chain", "ancf"};
    (void)state;
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        char text[512];
        scenario_run run;
        snprintf(text, sizeof text,
                 "hawser: 1\ncables:\n  - {name: rope, element: %s, elements: 5, from: [0, 0], to:"
                 " [1, 0], length: 1, stiffness: 1.0e+3, density: 0.1, ends: {end: {tension: 10,"
                 " towards: [3, 4]}}}\nstepper: {type: static}\n"
                 "output: {probes: [rope.reaction_start, 'rope.position[1:1]']}\n",
                 elements[i]);
        joints_complete(&run, text, "", 1e-10);
        for (int k = 0; k < 2; k++) {
            const double part = k == 0 ? .6 : .8;
            assert_near(scenario_last(&run, "rope.reaction_start", k), -10 * part, 1e-9, 0);
            assert_near(scenario_last(&run, "rope.position[1:1]", k), 1.01 * part, 1e-9, 0);
        }
        scenario_close(&run);
    }
}

enum { MOST = 64 };

typedef struct sums {
    double k[MOST][MOST];
} sums;

static void keep(void *user, int row, int column, double value)
{
    ((sums *)user)->k[row][column] += value;
}

static void pull_at(const haw_model *model, const double *q, int dof, double step, double *f)
{
    double d[MOST] = {0}, moved[MOST];
    memcpy(moved, q, (size_t)model->coordinates * sizeof(double));
    d[dof] = step;
    haw_model_move(model, moved, 1, d, moved);
    memset(f, 0, MOST * sizeof(double));
    haw_cable_pull(&model->cable[0], 0, moved, f);
}

/* The direction of a cable without sections that turn is that of its line. */
static void check_tangent(const haw_model *model, const double *q)
{
    static const double STEP = 1e-5;
    const haw_cable *cable = &model->cable[0];
    for (int n = 1; n < 10 && !haw_cable_turns(cable); n += 2) {
        const double s = 0.1 * n;
        haw_cable_point at, side[2];
        double way[3], size = 0;
        haw_cable_direct(cable, 1, s, q, &at);
        for (int k = 0; k < 2; k++) {
            cable->ops->point(cable, 1, s + (k - 0.5) * 2 * STEP, q, NULL, HAW_POINT_PLACE,
                              &side[k]);
        }
        for (int i = 0; i < 3; i++) {
            way[i] = side[1].x[i] - side[0].x[i];
            size += way[i] * way[i];
        }
        for (int i = 0; i < 3; i++) {
            assert_near(at.rotation[3 * i], way[i] / sqrt(size), 1e-7, 0);
        }
    }
}

/* Along the ends: the force turns with them. */
static void a_pull_that_follows_has_an_exact_tangent(void **state)
{
    static const struct {
        const char *element;
        bool is_space;
    } rows[] = {{"bezier", false},   {"bezier-c0", false}, {"bezier-polar", false},
                {"chain", false},    {"ancf", false},      {"bezier", true},
                {"bezier-c0", true}, {"ancf", true},       {"se3", true}};

    static const double STEP = 1e-5;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *third = rows[i].is_space ? ", 0" : "";
        char text[512];
        scenario_run run;
        haw_state *at;
        sums sum = {{{0}}};
        double d[MOST], f[2][MOST];
        snprintf(
            text, sizeof text,
            "%scables:\n  - {name: rope, element: %s, elements: 2, from: [0, 0%s], to: [1, 0%s],"
            " stiffness: 1.0e+3, density: 0.1%s, ends: {start: {tension: 7}, end: {tension:"
            " 10}}}\nstart: given\nstepper: {type: moreau-jean}\n",
            rows[i].is_space ? SPACE : PLANE, rows[i].element, third, third,
            rows[i].is_space ? ", radius: 0.01" : "");
        joints_open(&run, text, "");
        const haw_model *model = run.model;
        assert_true(model->coordinates <= MOST);
        assert_int_equal(haw_state_create(run.context, model, &at), HAW_OK);
        for (int k = 0; k < model->dofs; k++) {
            d[k] = 0.1 * sin(3.0 * k + 1);
        }
        haw_model_move(model, at->q, 1, d, at->q);
        haw_cable_pull_tangent(&model->cable[0], 0, 1, at->q, keep, &sum);
        check_tangent(model, at->q);
        for (int dof = 0; dof < model->dofs; dof++) {
            pull_at(model, at->q, dof, -STEP, f[0]);
            pull_at(model, at->q, dof, STEP, f[1]);
            for (int k = 0; k < model->dofs; k++) {
                assert_near(sum.k[k][dof], (f[0][k] - f[1][k]) / (2 * STEP), 1e-7, 1e-7);
            }
        }
        haw_state_free(run.context, at);
        scenario_close(&run);
    }
}

/* ---- ends of thrown bodies ---- */

/* A cable at rest, its end on a body that moves and turns: after a time that is small the gaps of
 * the joint are of second order, and the body has kept its velocity. */
static void an_end_begins_with_the_velocity_of_its_body(void **state)
{
    static const struct {
        const char *element;
        bool is_space;
    } rows[] = {{"bezier", false},   {"bezier-c0", false}, {"bezier-polar", false},
                {"chain", false},    {"ancf", false},      {"se3", true},
                {"se3-chord", true}, {"ancf", true},       {"corotational", true},
                {"bezier", true},    {"bezier-c0", true},  {"chain", true}};

    (void)state;
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        const bool is_space = rows[i / 2].is_space, is_clamped = i % 2 == 1;
        char text[1024];
        scenario_run run;
        snprintf(text, sizeof text,
                 "%sbodies: [{name: ball, mass: 2, inertia: 0.1, position: [1.1, 0.3%s], velocity:"
                 " [0.5, 3%s], spin: 4}]\n"
                 "cables: [{name: rope, element: %s, elements: 4, from: [0, 0%s], to: [1, 0.2%s],"
                 " velocity: [7, 7%s], stiffness: 1.0e+3, density: 0.1,%s ends: {start: pinned,"
                 " end: {body: ball, clamped: %s}}}]\nstart: given\n",
                 is_space ? SPACE : PLANE, is_space ? ", 0.1" : "", is_space ? ", -1" : "",
                 rows[i / 2].element, is_space ? ", 0" : "", is_space ? ", 0.05" : "",
                 is_space ? ", 7" : "", is_space ? " radius: 0.01," : "",
                 is_clamped ? "true" : "false");
        joints_open(&run, text, JEAN("1"));
        const haw_model *model = &run.simulation->model;
        const haw_state *at = run.simulation->state;
        const double *ball = at->u + model->body[0].first, size = 1e-8;
        double moved[MOST];
        haw_hold hold;
        assert_int_equal(model->joints, 1);
        assert_true(model->coordinates <= MOST);
        haw_model_move(model, at->q, size, at->u, moved);
        haw_joints_find(model, moved, &hold);
        for (int row = 0; row < model->joint[0].rows; row++) {
            assert_near(hold.gap[row] / size, 0, 1e-5, 0);
        }
        assert_near(ball[0], 0.5, 0, 0);
        assert_near(ball[1], 3, 0, 0);
        assert_near(ball[is_space ? 5 : 2], 4, 0, 0);
        scenario_close(&run);
    }
}

/* An error of a joint that an end is points to the end. */
static void what_is_apart_is_said_of_the_end(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "weight-on-rope");
    scenario_set(&run, "start=given");
    scenario_set(&run, "cables.rope.ends.end.at=[0, 0.1]");
    assert_int_equal(haw_context_create(NULL, &run.context), HAW_OK);
    assert_int_equal(scenario_build(&run), HAW_ERR_INPUT);
    assert_string_equal(haw_context_place(run.context), "cables.rope.ends.end");
    assert_non_null(strstr(haw_context_message(run.context), "are 0.1 m apart"));
    scenario_close(&run);
}

/* A step that takes no joints says which end is one: here a direction along no axis. */
static void a_clamp_that_a_joint_holds_is_named(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "clamped");
    run.text =
        PLANE "cables:\n  - {name: beam, element: ancf, elements: 4, from: [0, 0], to: [1, 1], "
              "tension: 1, stiffness: 1.0e+3, bending_stiffness: 1, density: 1, ends: {start: "
              "clamped, end: free}}\nstart: given\nstepper: {type: generalized-alpha}\n";
    assert_int_equal(haw_context_create(NULL, &run.context), HAW_OK);
    assert_int_equal(scenario_build(&run), HAW_ERR_INPUT);
    assert_string_equal(haw_context_place(run.context), "stepper.rho_infinity");
    assert_non_null(strstr(haw_context_message(run.context), "holds cables.beam.ends.start"));
    scenario_close(&run);
}

/* ---- bodies on rails, bodies that tumble ---- */

/* Without an inertia: the rails hold its turns. */
static void a_weight_on_rails_bounces(void **state)
{
    static const double want[] = {10.892266};
    (void)state;
    for (int space = 0; space < 2; space++) {
        const char *zero = space ? "0, 0, " : "0, ";
        char text[512];
        scenario_run run;
        snprintf(text, sizeof text,
                 "%sbodies: [{name: weight, mass: 1, position: [%s-2], joint: vertical}]\n"
                 "cables: [{name: rope, element: bezier, elements: 20, from: [%s0], to: [%s-2],"
                 " length: 2, stiffness: 1.0e+4, density: 0.1, ends: {end: {body: weight}}}]\n"
                 "start: static\nstepper: {type: moreau-jean}\n",
                 space ? SPACE : PLANE, zero, zero, zero);
        joints_open(&run, text, "");
        assert_int_equal(haw_simulation_start(run.simulation), HAW_OK);
        check_modes(&run, want, 1, 12, 1e-7);
        double lowest;
        assert_int_equal(haw_simulation_modes(run.simulation, 1, &lowest, NULL), HAW_OK);
        assert_true(lowest > 2); /* the string alone, 2.5 Hz: nothing swings */
        scenario_close(&run);
    }
}

/* A w1' = (A - C) w2 w3: without torque w1 and w2 go round at (C - A) / A w3. */
static void a_free_body_tumbles(void **state)
{
    static const char text[] =
        "hawser: 1\ndimension: 3\n"
        "bodies: [{name: top, mass: 1, inertias: [0.02, 0.02, 0.03], spins: [2, 0, 7], spin: 3}]\n"
        "stepper: {type: moreau-jean, theta: 0.5, step: 1.0e-3, end: 0.5, newton_tolerance:"
        " 1.0e-13}\n";
    (void)state;
    scenario_run run;
    joints_complete(&run, text, "", 1e-10);
    const double *u = run.simulation->state->u;
    assert_near(u[3], 2 * cos(2.5), 1e-5, 0);
    assert_near(u[4], 2 * sin(2.5), 1e-5, 0);
    assert_near(u[5], 10, 1e-10, 0);
    scenario_close(&run);
}

TEST_FILE(test_ends)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_weight_swings_and_bounces_on_its_rope),
        cmocka_unit_test(its_frequencies_have_the_order_of_the_element),
        cmocka_unit_test(a_body_that_hangs_by_its_rim_swings_with_two_modes),
        cmocka_unit_test(a_clamped_end_keeps_its_direction),
        cmocka_unit_test(a_clamped_end_holds_no_strain),
        cmocka_unit_test(a_pulled_end_hangs_along_its_pull),
        cmocka_unit_test(a_pull_that_follows_has_an_exact_tangent),
        cmocka_unit_test(an_end_begins_with_the_velocity_of_its_body),
        cmocka_unit_test(what_is_apart_is_said_of_the_end),
        cmocka_unit_test(a_clamp_that_a_joint_holds_is_named),
        cmocka_unit_test(a_weight_on_rails_bounces),
        cmocka_unit_test(a_free_body_tumbles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
