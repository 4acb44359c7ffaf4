/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Angular momentum of free systems. Of positions that a step moves by h u_theta and a constant mass
 *
 *     L+ - L = (q + (1 - theta) h u_theta) x M (u+ - u):
 *
 * forces in balance keep it where they are those of that place, the middle of the step at theta
 * 1/2. Means of the forces at both ends have the moment - dq x df / 4 in a step, with contact or
 * without.
 */
#include "model/dynamics.h"
#include "support/near.h"
#include "support/rigid.h"
#include "support/scenario.h"

#include <math.h>

enum { TEXT = 2048, DOFS = 256, TURN = 5 };

/* ---- a cable that spins and stretches, without any contact ---- */

static double find_spin(const haw_model *model, const haw_state *state)
{
    double mass_u[DOFS], turn[DOFS], sum = 0;
    haw_model_mass(model, state->u, mass_u);
    rigid_motion(model, state->q, TURN, turn);
    for (int i = 0; i < model->dofs; i++) {
        sum += turn[i] * mass_u[i];
    }
    return sum;
}

typedef struct course {
    double start, drift;
} course;

static void look(scenario_run *run, const haw_frame *frame, void *user)
{
    course *c = user;
    (void)run;
    c->drift = fmax(c->drift, fabs(find_spin(frame->model, frame->state) - c->start));
}

/* 20 rad/s about the start of the cable, which nothing has stretched yet. */
static void set_spinning(scenario_run *run, course *c)
{
    haw_state *state;
    scenario_open(run);
    assert_int_equal(haw_state_create(run->context, run->model, &state), HAW_OK);
    rigid_motion(run->model, state->q, TURN, state->u);
    for (int i = 0; i < run->model->dofs; i++) {
        state->u[i] *= 20;
    }
    assert_int_equal(haw_simulation_restore(run->simulation, state), HAW_OK);
    *c = (course){.start = find_spin(run->model, state)};
    haw_state_free(run->context, state);
}

typedef struct scheme {
    const char *stepper;
    double step;
    int order; /* of the error in the step; 0: there is none */
} scheme;

static const scheme schemes[] = {
    {"moreau", 2e-5, 0},
    {"moreau, theta: 0.5", 2e-5, 0},
    {"moreau, theta: 0.55", 2e-5, 1},
    {"moreau-jean, theta: 0.5, contact_law: velocity", 2e-4, 0},
    {"moreau-jean, theta: 0.5, contact_law: position", 2e-4, 2},
    {"moreau-jean, theta: 0.55, contact_law: position", 2e-4, 1},
    {"nsga", 2e-4, 2},
    {"generalized-alpha", 2e-4, 2},
};

/* Largest change over 0.02 s, over the angular momentum. */
static double spin(const scheme *s, int dimension, const char *element, double step)
{
    const char *zero = dimension == 2 ? "" : ", 0";
    const char *stiff = strcmp(element, "se3") == 0
                            ? "bending_stiffness: 1.0e-3, torsional_stiffness: 1.0e-3, "
                            : "";
    char text[TEXT];
    scenario_run run;
    course c;
    (void)snprintf(text, sizeof text,
                   "hawser: 1\ndimension: %d\ngravity: [0, 0%s]\nstart: given\ncables:\n"
                   "  - {name: a, element: %s, elements: 8, from: [0, 0%s], to: [1, 0.05%s], "
                   "stiffness: 2000, %sdensity: 0.1, radius: 0.01, ends: {start: free, end: "
                   "free}}\nstepper: {type: %s%s, step: %g, end: 0.02}\noutput: {every: 2.0e-3}\n",
                   dimension, zero, element, zero, zero, stiff, s->stepper,
                   s->step < 1e-4 ? "" : ", newton_tolerance: 1.0e-14", /* explicit */
                   step);
    scenario_init(&run, "spin");
    run.text = text;
    run.look = look;
    run.user = &c;
    set_spinning(&run, &c);
    assert_int_equal(scenario_try(&run), HAW_OK);
    scenario_close(&run);
    return c.drift / c.start;
}

static void means_of_forces_change_the_spin_of_a_cable_that_touches_nothing(void **state)
{
    static const char *const elements[] = {"bezier", "chain", "ancf", "se3"};
    (void)state;
    for (size_t i = 0; i < 4 * sizeof schemes / sizeof *schemes; i++) {
        const scheme *s = &schemes[i / 4];
        const int k = (int)(i % 4), dimension = k < 2 ? 2 : 3;
        if (dimension == 3 && strstr(s->stepper, "velocity") != NULL) {
            continue;
        }
        const double coarse = spin(s, dimension, elements[k], s->step);
        const double fine = spin(s, dimension, elements[k], 0.5 * s->step);
        if (s->order == 0) {
            assert_near(fmax(coarse, fine), 0, 1e-13, 0);
            continue;
        }
        print_message("%s, %s: %.2g, order %.3f\n", s->stepper, elements[k], coarse,
                      log2(coarse / fine));
        assert_near(log2(coarse / fine), s->order, 0.04, 0);
        assert_in_range(lround(coarse * 1e8), 20, 5000);
    }
}

/* ---- bodies, which have no forces within ---- */

typedef struct impact {
    double p[2], spin; /* momenta */
    double v[2][2];    /* velocities */
} impact;

static void weigh(const scenario_run *run, int dimension, impact *of)
{
    const haw_state *state = haw_simulation_frame(run->simulation)->state;
    const int turn = dimension == 2 ? 2 : 5;
    *of = (impact){.spin = 0};
    for (int i = 0; i < 2; i++) {
        const haw_body *body = &run->model->body[i];
        const double *x = state->q + body->first_q, *v = state->u + body->first;
        of->spin += body->mass[0] * (x[0] * v[1] - x[1] * v[0]) + body->mass[turn] * v[turn];
        for (int k = 0; k < 2; k++) {
            of->p[k] += body->mass[0] * v[k];
            of->v[i][k] = v[k];
        }
    }
}

/* An oblique impact with friction: what the angular momentum gains, and -theta h v x P of the
 * velocity v = (1 - theta) v- + theta v+ of a against b and the impulse P on a, which is what
 * levers at the end of the step make of it. */
static double strike(int dimension, const char *stepper, const char *arm, double theta, double step,
                     double *want)
{
    const char *zero = dimension == 2 ? "" : ", 0", *ball = dimension == 2 ? "circle" : "sphere";
    char text[TEXT];
    scenario_run run;
    impact before, after;
    double v[2];
    (void)snprintf(text, sizeof text,
                   "hawser: 1\ndimension: %d\ngravity: [0, 0%s]\nstart: given\nbodies:\n"
                   "  - {name: a, shape: {type: %s, radius: 0.1}, mass: 2, position: [0, 0%s], "
                   "velocity: [1, 0.3%s], spin: 20}\n  - {name: b, shape: {type: %s, radius: "
                   "0.15}, mass: 3, position: [0.3, 0.07%s]}\n"
                   "contact: [{between: [a, b], friction: 0.3, restitution: 0.5, arm: %s}]\n"
                   "stepper: {%s, step: %g, end: 0.1}\noutput: {every: 0.1}\n",
                   dimension, zero, ball, zero, zero, ball, zero, arm, stepper, step);
    scenario_init(&run, "strike");
    run.text = text;
    scenario_open(&run);
    weigh(&run, dimension, &before);
    assert_int_equal(scenario_try(&run), HAW_OK);
    weigh(&run, dimension, &after);
    assert_near(after.p[0] - before.p[0], 0, 1e-13, 0);
    assert_near(after.p[1] - before.p[1], 0, 1e-13, 0);
    assert_near(run.summary.ledger.balance_error, 0, 1e-13, 0);
    assert_true(run.summary.ledger.friction_loss > 0.5);
    for (int k = 0; k < 2; k++) {
        v[k] = (1 - theta) * (before.v[0][k] - before.v[1][k]) +
               theta * (after.v[0][k] - after.v[1][k]);
    }
    *want = -theta * step * 2 *
            (v[0] * (after.v[0][1] - before.v[0][1]) - v[1] * (after.v[0][0] - before.v[0][0]));
    scenario_close(&run);
    return after.spin - before.spin;
}

static void bodies_keep_their_spin_where_forces_act_in_the_middle(void **state)
{
    static const struct {
        int dimension;
        const char *stepper, *arm;
        double theta; /* 0: kept */
    } runs[] = {
        {2, "type: moreau", "distance", 0},
        {3, "type: moreau", "radius", 0},
        {2, "type: moreau-jean, theta: 0.5, contact_law: velocity", "distance", 0},
        {2, "type: moreau-jean, theta: 0.5, contact_law: position", "distance", 0.5},
        {2, "type: moreau-jean, theta: 0.55, contact_law: position", "distance", 0.55},
        {3, "type: moreau-jean, theta: 0.5", "radius", 0.5},
        {3, "type: moreau-jean, theta: 0.6", "radius", 0.6},
    };

    (void)state;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        double want;
        const double got =
            strike(runs[i].dimension, runs[i].stepper, runs[i].arm, runs[i].theta, 1e-4, &want);
        assert_near(got, want, 1e-13, 0);
        assert_true(runs[i].theta == 0 || fabs(want) > 1e-5);
    }
}

/* Sum of x x m v + R J Omega. */
static void find_spins(const haw_frame *frame, double spin[3])
{
    memset(spin, 0, 3 * sizeof *spin);
    for (int i = 0; i < frame->model->bodies; i++) {
        const haw_body *body = &frame->model->body[i];
        const double *x = frame->state->q + body->first_q, *v = frame->state->u + body->first;
        double own[3], turned[3], moment[3];
        for (int k = 0; k < 3; k++) {
            own[k] = body->mass[3 + k] * v[3 + k];
        }
        quaternion_rotate(x + 3, own, turned);
        vec3_cross(x, v, moment);
        vec3_add(body->mass[0], moment, spin);
        vec3_add(1, turned, spin);
    }
}

/* Two tumbling bodies of three moments each meet with friction. */
static void tumbling_bodies_keep_their_angular_momentum(void **state)
{
    static const char *const steppers[] = {"moreau", "moreau, theta: 0.5"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        double before[3], after[3];
        char text[TEXT];
        scenario_run run;
        (void)snprintf(text, sizeof text,
                       "hawser: 1\ndimension: 3\ngravity: [0, 0, 0]\nstart: given\nbodies:\n"
                       "  - {name: a, shape: {type: sphere, radius: 0.1}, mass: 2, inertias: "
                       "[0.008, 0.011, 0.006], position: [0, 0, 0], velocity: [1, 0.3, 0.1], "
                       "spin: 20, orientation: [0.7, 0.1, 0.1, 0.7]}\n"
                       "  - {name: b, shape: {type: sphere, radius: 0.15}, mass: 3, inertias: "
                       "[0.03, 0.02, 0.027], position: [0.3, 0.07, 0.02]}\n"
                       "contact: [{between: [a, b], friction: 0.3, restitution: 0.5}]\n"
                       "stepper: {type: %s, step: 1.0e-3, end: 0.5}\noutput: {every: 0.5}\n",
                       steppers[i]);
        scenario_init(&run, "tumbling");
        run.text = text;
        scenario_open(&run);
        find_spins(haw_simulation_frame(run.simulation), before);
        assert_int_equal(scenario_try(&run), HAW_OK);
        find_spins(haw_simulation_frame(run.simulation), after);
        for (int k = 0; k < 3; k++) {
            assert_near(after[k], before[k], 1e-13, 0);
        }
        assert_near(run.summary.ledger.balance_error, 0, 1e-14, 0);
        assert_true(run.summary.ledger.friction_loss > 1e-3);
        scenario_close(&run);
    }
}

TEST_FILE(test_spin_kept)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_of_forces_change_the_spin_of_a_cable_that_touches_nothing),
        cmocka_unit_test(bodies_keep_their_spin_where_forces_act_in_the_middle),
        cmocka_unit_test(tumbling_bodies_keep_their_angular_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
