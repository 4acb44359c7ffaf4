/* SPDX-License-Identifier: BSD-3-Clause */
/* Cables that hit cables: what is conserved, waves on strings, taut strings that cross. */
#include "model/dynamics.h"
#include "support/rigid.h"
#include "support/scenario.h"

enum { SIZE = 1024 };

/* ---- two free cables ---- */

static const char *const free_cables =
    "hawser: 1\n"
    "dimension: 3\n"
    "gravity: [0, 0, 0]\n"
    "cables:\n"
    "  - {name: a, element: ancf, elements: 6, from: [-0.3, 0, 0], to: [0.3, 0.02, 0], tension: "
    "0,\n"
    "     stiffness: 500, bending_stiffness: 1.0e-3, density: 0.1, radius: 0.01,\n"
    "     ends: {start: free, end: free}}\n"
    "  - {name: b, element: ancf, elements: 5, from: [0.04, -0.2, 0.021], to: [-0.02, 0.3, 0.03],\n"
    "     tension: 0, stiffness: 500, bending_stiffness: 1.0e-3, density: 0.1, radius: 0.01,\n"
    "     velocity: [0.4, 0.1, -1], ends: {start: free, end: free}}\n"
    "contact: [{between: [a, b], friction: 0}]\n"
    "stepper: {type: moreau, step: 2.0e-5, end: 0.05}\n"
    "solver: {type: auto, tolerance: 1.0e-12}\n"
    "output: {every: 0.01, probes: [contact.impulse]}\n";

/* Momentum, and angular momentum about the origin. */
static void find_momentum(const haw_frame *frame, double p[6])
{
    double mass_u[SIZE], u[SIZE];
    haw_model_mass(frame->model, frame->state->u, mass_u);
    for (int k = 0; k < 6; k++) {
        rigid_motion(frame->model, frame->state->q, k, u);
        p[k] = 0;
        for (int i = 0; i < frame->model->dofs; i++) {
            p[k] += u[i] * mass_u[i];
        }
    }
}

typedef struct momenta {
    double first[6];
    bool has_first;
} momenta;

static void keep_momentum(scenario_run *run, const haw_frame *frame, void *user)
{
    momenta *m = user;
    double now[6];
    (void)run;
    find_momentum(frame, now);
    if (!m->has_first) {
        memcpy(m->first, now, sizeof now);
        m->has_first = true;
    }
    for (int k = 0; k < 6; k++) { /* 0.05 N s, 0.01 N m s */
        assert_near(now[k], m->first[k], 1e-14, 0);
    }
    assert_near(frame->ledger->balance_error, 0, 1e-14, 0); /* of 25 mJ */
}

static void free_cables_keep_momentum_and_energy(void **state)
{
    scenario_run run;
    momenta m = {.has_first = false};
    (void)state;
    scenario_init(&run, "free-cables");
    run.text = free_cables;
    run.look = keep_momentum;
    run.user = &m;
    scenario_complete(&run);
    assert_true(fabs(scenario_last(&run, "contact.impulse", 2)) > 1e-3); /* they met */
    scenario_close(&run);
}

/* With rolling friction forces and moments of both sides still balance. */
static void beams_with_friction_keep_momentum(void **state)
{
    static const char *const elements[] = {"se3", "corotational"};

    (void)state;
    for (int i = 0; i < 4; i++) {
        scenario_run run;
        momenta m = {.has_first = false};
        scenario_init(&run, "free-cables");
        run.text = free_cables;
        run.look = NULL;
        run.user = &m;
        for (int cable = 0; cable < 2; cable++) {
            scenario_set(&run, "cables.%c.element=%s", "ab"[cable], elements[i / (1 + cable) % 2]);
        }
        scenario_set(&run, "contact.friction=0.3");
        scenario_set(&run, "stepper.type=moreau-jean");
        scenario_set(&run, "stepper.step=2.0e-4");
        scenario_set(&run, "stepper.newton_tolerance=1.0e-13");
        scenario_open(&run);
        double first[6], last[6];
        find_momentum(haw_simulation_frame(run.simulation), first);
        assert_int_equal(scenario_try(&run), HAW_OK);
        find_momentum(haw_simulation_frame(run.simulation), last);
        for (int k = 0; k < 3; k++) {
            assert_near(last[k], first[k], 1e-11, 0);
        }
        assert_near(run.summary.ledger.balance_error, 0, 1e-9, 0);
        assert_true(run.summary.ledger.friction_loss > 1e-6);
        scenario_close(&run);
    }
}

/* ---- strings ---- */

/* Force between two instants, from the impulse on the second string. */
static double mean_force(const scenario_run *run, double from, double to)
{
    const int a = scenario_frame_at(run, from), b = scenario_frame_at(run, to);
    return (scenario_at(run, b, "contact.impulse", 2) - scenario_at(run, a, "contact.impulse", 2)) /
           (to - from);
}

/* N = Z v, Z = sqrt(T m) of the stretched string. */
static void two_strings_press_by_their_waves(void **state)
{
    static const struct {
        const char *name, *step;
    } steppers[] = {{"moreau", "5.0e-5"}, {"moreau-jean", "1.0e-4"}};

    const double stretch = 1 + 100 / 1.0e4, wave = 0.2 * sqrt(100 * 0.05 / stretch);

    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        scenario_init(&run, "two-strings-collide");
        scenario_set(&run, "stepper.type=%s", steppers[i].name);
        scenario_set(&run, "stepper.theta=0.55");
        scenario_set(&run, "stepper.step=%s", steppers[i].step);
        scenario_complete(&run);
        assert_near(mean_force(&run, 0.006, 0.021), wave, 0, 3e-3);
        assert_near(mean_force(&run, 0.027, 0.042), 3 * wave, 0, 3e-3);
        scenario_close(&run);
    }
}

/* Table of doc/theory/cable-cable.md. */
static void crossing_strings_are_in_balance(void **state)
{
    scenario_run run;
    (void)state;
    scenario_init(&run, "crossing-strings");
    scenario_complete(&run);
    assert_near(scenario_last(&run, "contact.normal_sum", 0), 4.1603, 0, 1e-3);
    assert_near(scenario_last(&run, "contact.force", 2), 4.1603, 0, 1e-3);
    assert_near(scenario_last(&run, "a.tension_mean", 0), 104.02, 0, 1e-4);
    assert_near(scenario_last(&run, "b.tension_mean", 0), 104.02, 0, 1e-4);
    scenario_close(&run);
}

TEST_FILE(test_line_collision)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_cables_keep_momentum_and_energy),
        cmocka_unit_test(beams_with_friction_keep_momentum),
        cmocka_unit_test(two_strings_press_by_their_waves),
        cmocka_unit_test(crossing_strings_are_in_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
