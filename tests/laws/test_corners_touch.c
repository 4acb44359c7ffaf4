/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Boxes and capsules that touch: eccentric impacts against the impulse of two rigid bodies, boxes
 * at rest and on a slope, what free collisions keep, springs under the ends of a capsule.
 */
#include "base/lie.h"
#include "model/model.h"
#include "support/scenario.h"

#include <math.h>

enum { TEXT = 2048 };

static const double gravity = 9.81;

static void open_text(scenario_run *run, const char *text)
{
    scenario_init(run, "corners");
    run->text = text;
    scenario_open(run);
}

static void end_run(scenario_run *run)
{
    const haw_status status = scenario_try(run);
    if (status != HAW_OK) {
        fail_msg("%s", haw_context_message(run->context));
    }
}

/* Momentum, and the angular one about the origin. */
static void find_momenta(const haw_frame *frame, double p[6])
{
    const haw_model *model = frame->model;
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        const double *x = frame->state->q + body->first_q, *v = frame->state->u + body->first;
        double at[3] = {0, 0, 0}, push[3] = {0, 0, 0}, turn[3] = {0, 0, 0}, orbit[3], r[9];
        for (int k = 0; k < model->dimension; k++) {
            at[k] = x[k];
            push[k] = body->mass[0] * v[k];
        }
        if (model->dimension == 2) {
            turn[2] = body->mass[2] * v[2];
        } else {
            const double own[3] = {body->mass[3] * v[3], body->mass[4] * v[4],
                                   body->mass[5] * v[5]};
            quaternion_matrix(x + 3, r);
            mat3_apply(r, own, turn);
        }
        vec3_cross(at, push, orbit);
        for (int k = 0; k < 3; k++) {
            p[k] += push[k];
            p[3 + k] += turn[k] + orbit[k];
        }
    }
}

/* ---- impacts ---- */

typedef struct hit {
    int dimension;
    const char *shape[2], *pose[2]; /* b at rest, a above it along the last axis */
    double mass[2], inertia[2];     /* about the axis that the impact turns them about */
    double arm[2];                  /* from the centre to the contact, across the normal [m] */
    int turn[2];                    /* degree of freedom of the turn */
    int sign[2];                    /* of the turn that an impulse along +n at +arm makes */
} hit;

/* A capsule that leans by 60 degrees with its lower end over a box; two boxes, the one on an edge;
 * two capsules that cross in space off their middles. */
static const hit hits[] = {
    {2,
     {"box, length: 0.4, height: 0.2", "capsule, radius: 0.05, length: 0.3"},
     {"position: [0, 0]", "position: [0.175, 0.280907810567666], angle_deg: 60"},
     {3, 2},
     {0.07, 0.03},
     {0.1, -0.075},
     {2, 2},
     {1, 1}},
    {2,
     {"box, length: 0.4, height: 0.2, radius: 0.01", "box, length: 0.2, height: 0.2"},
     {"position: [0, 0]", "position: [-0.1, 0.242425356237310], angle_deg: 45"},
     {3, 2},
     {0.07, 0.03},
     {-0.1, 0},
     {2, 2},
     {1, 1}},
    {3,
     {"capsule, radius: 0.05, length: 0.4", "capsule, radius: 0.05, length: 0.4"},
     {"position: [0, 0, 0], orientation: [0.70710678118654752, 0.70710678118654752, 0, 0]",
      "position: [0.08, 0.11, 0.101004], orientation: [0.70710678118654752, 0, "
      "0.70710678118654752, "
      "0]"},
     {3, 2},
     {0.07, 0.03},
     {0.11, -0.08},
     {3, 4},
     {1, -1}},
};

/* N = (1 + e) v / (1 / m_a + 1 / m_b + r_a^2 / J_a + r_b^2 / J_b), without friction. */
static void check_hit(const hit *h, double restitution, const char *stepper, double tolerance)
{
    const char *zero = h->dimension == 2 ? "" : ", 0";
    const double *m = h->mass, *j = h->inertia, *r = h->arm;
    const double yield = 1 / m[0] + 1 / m[1] + r[0] * r[0] / j[0] + r[1] * r[1] / j[1];
    const double push = (1 + restitution) / yield;
    char text[TEXT], inertia[2][64];
    scenario_run run;
    for (int i = 0; i < 2; i++) {
        (void)snprintf(inertia[i], sizeof inertia[i],
                       h->dimension == 2 ? "inertia: %g" : "inertias: [%g, %g, 0.01]", j[i], j[i]);
    }
    (void)snprintf(text, sizeof text,
                   "hawser: 1\ndimension: %d\ngravity: [0, 0%s]\nbodies:\n"
                   "  - {name: b, shape: {type: %s}, mass: %g, %s, %s}\n"
                   "  - {name: a, shape: {type: %s}, mass: %g, %s, %s, velocity: [0%s, -1]}\n"
                   "contact: [{between: [a, b], friction: 0, restitution: %g}]\nstart: given\n"
                   "stepper: {type: %s, step: 1.0e-5, end: 1.06e-3}\nsolver: {tolerance: %s}\n"
                   "output: {every: 1.06e-3}\n",
                   h->dimension, zero, h->shape[0], m[0], inertia[0], h->pose[0], h->shape[1], m[1],
                   inertia[1], h->pose[1], zero, restitution, stepper,
                   strcmp(stepper, "moreau") == 0 ? "1.0e-12" : "1.0e-9");
    open_text(&run, text);
    end_run(&run);
    const double *u = haw_simulation_frame(run.simulation)->state->u;
    const int up = h->dimension - 1, dofs = h->dimension == 2 ? 3 : 6;
    assert_near(u[up], -push / m[0], tolerance, 0);
    assert_near(u[dofs + up], -1 + push / m[1], tolerance, 0);
    for (int i = 0; i < 2; i++) {
        const double turn = (i == 0 ? -1 : 1) * h->sign[i] * r[i] * push / j[i];
        assert_near(u[dofs * i + (h->dimension == 2 ? 2 : h->turn[i])], turn, tolerance, 0);
    }
    assert_near(run.summary.ledger.balance_error, 0, 1e-13, 0);
    scenario_close(&run);
}

static void eccentric_impacts_follow_newton(void **state)
{
    static const double restitutions[] = {0, 0.5, 1};
    (void)state;
    for (size_t i = 0; i < sizeof hits / sizeof *hits; i++) {
        for (int k = 0; k < 3; k++) {
            /* without restitution they stay together, and turn on for the steps that are left;
             * implicit steps push out how deep they find them */
            const bool is_bounce = restitutions[k] > 0;
            check_hit(&hits[i], restitutions[k], "moreau", is_bounce ? 1e-12 : 1e-3);
            check_hit(&hits[i], restitutions[k], "moreau-jean, contact_law: position",
                      is_bounce ? 3e-4 : 1e-3);
            check_hit(&hits[i], restitutions[k], "nsga", is_bounce ? 3e-4 : 1e-3);
        }
    }
}

/* ---- at rest and sliding ---- */

static const char *const steppers[] = {"moreau, step: 1.0e-3", "moreau-jean, step: 1.0e-3",
                                       "nsga, step: 1.0e-3"};

/* A box on the floor and a capsule on the box; in space a capsule on the floor and one across it.
 */
static const struct {
    int dimension;
    const char *bodies;
    double height[2], weight;
} piles[] = {
    {2,
     "  - {name: a, shape: {type: box, length: 0.4, height: 0.2}, mass: 2, position: [0, "
     "0.099999999999]}\n"
     "  - {name: b, shape: {type: capsule, length: 0.2, radius: 0.05}, mass: 1, position: "
     "[0.05, 0.249999999998]}\n",
     {0.1, 0.25},
     3},
    {2,
     "  - {name: a, shape: {type: box, length: 0.4, height: 0.2, radius: 0.02}, mass: 2, "
     "position: [0, 0.099999999999]}\n"
     "  - {name: b, shape: {type: box, length: 0.6, height: 0.1}, mass: 1, position: [0.05, "
     "0.249999999998]}\n",
     {0.1, 0.25},
     3},
    {3,
     "  - {name: a, shape: {type: capsule, length: 0.4, radius: 0.1}, mass: 2, position: [0, "
     "0, 0.099999999999], orientation: [0.70710678118654752, 0.70710678118654752, 0, 0]}\n"
     "  - {name: b, shape: {type: capsule, length: 0.4, radius: 0.1}, mass: 1, position: [0, "
     "0, 0.299999999998], orientation: [0.70710678118654752, 0.70710678118654752, 0, 0]}\n",
     {0.1, 0.3},
     3},
    {3, /* turned by 34 degrees, with edges that cross and one end in the air */
     "  - {name: a, shape: {type: box, length: 0.4, width: 0.4, height: 0.2, radius: 0.02}, "
     "mass: 2, position: [0, 0, 0.099999999999]}\n"
     "  - {name: b, shape: {type: box, length: 0.5, width: 0.2, height: 0.1, radius: 0.01}, "
     "mass: 1, position: [0.12, 0.05, 0.249999999998], orientation: [0.955336489125606, 0, 0, "
     "0.2955202066613396]}\n",
     {0.1, 0.25},
     3},
    {3, /* one end of a capsule in the air */
     "  - {name: a, shape: {type: box, length: 0.4, width: 0.4, height: 0.2}, "
     "mass: 2, position: [0, 0, 0.099999999999]}\n"
     "  - {name: b, shape: {type: capsule, length: 0.5, radius: 0.05}, mass: 1, position: "
     "[0.06, 0.1, 0.249999999998], orientation: [0.70710678118654752, 0, "
     "0.70710678118654752, 0]}\n",
     {0.1, 0.25},
     3},
    {3, /* the other end just above an edge, where tangents of the face and of the edge differ */
     "  - {name: a, shape: {type: box, length: 0.4, width: 0.4, height: 0.2}, "
     "mass: 2, position: [0, 0, 0.099999999999]}\n"
     "  - {name: b, shape: {type: capsule, length: 0.5, radius: 0.05}, mass: 1, position: "
     "[0.05, 0, 0.249999999998], orientation: [0.70710678118654752, 0, "
     "0.70710678118654752, 0]}\n",
     {0.1, 0.25},
     3},
};

static void they_rest(void **state)
{
    (void)state;
    for (int i = 0; i < 3 * (int)(sizeof piles / sizeof *piles); i++) {
        const int p = i / 3, d = piles[p].dimension;
        char text[TEXT];
        scenario_run run;
        (void)snprintf(text, sizeof text,
                       "hawser: 1\ndimension: %d\ngravity: [0, %s%g]\nbodies:\n"
                       "  - {name: floor, shape: {type: plane}, motion: {fixed: true}}\n%s"
                       "contact:\n  - {between: [a, floor], friction: 0.5}\n"
                       "  - {between: [a, b], friction: 0.5}\nstart: given\n"
                       "stepper: {type: %s, end: %d}\nsolver: {tolerance: 1.0e-10}\n"
                       "output: {every: 1, probes: [a.position, b.position, "
                       "contact.normal_sum]}\n",
                       d, d == 2 ? "" : "0, ", -gravity, piles[p].bodies, steppers[i % 3],
                       p < 3 ? 5 : 1);
        open_text(&run, text);
        end_run(&run);
        for (int k = 0; k < 2; k++) {
            const char *probe = k == 0 ? "a.position" : "b.position";
            assert_near(scenario_last(&run, probe, d - 1), piles[p].height[k], 1e-9, 0);
            assert_near(scenario_last(&run, probe, 0), scenario_at(&run, 0, probe, 0), 1e-9, 0);
        }
        assert_near(scenario_last(&run, "contact.normal_sum", 0), 4 * gravity, 1e-8, 0);
        assert_near(run.summary.ledger.kinetic, 0, 1e-15, 0);
        scenario_close(&run);
    }
}

/* On a slope of 30 degrees: a = g (sin - mu cos), or it stays. */
static void a_box_slides_down_a_slope(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        const bool is_flat = i < 6;
        const double friction = i % 6 < 3 ? 0.3 : 0.6;
        const double slope = i % 6 < 3 ? gravity * (0.5 - friction * sqrt(0.75)) : 0;
        char text[TEXT];
        scenario_run run;
        (void)snprintf(text, sizeof text,
                       "hawser: 1\ndimension: %d\ngravity: [%.17g, %s%.17g]\nbodies:\n"
                       "  - {name: floor, shape: {type: plane}, motion: {fixed: true}}\n"
                       "  - {name: a, shape: {type: box, length: 0.4, height: 0.2%s}, mass: 2, "
                       "position: [0, %s0.099999999999]}\n"
                       "contact: [{between: [a, floor], friction: %g}]\nstart: given\n"
                       "stepper: {type: %s, end: 1}\nsolver: {tolerance: 1.0e-12}\n"
                       "output: {every: 1, probes: [a.velocity, a.position, a.%s]}\n",
                       is_flat ? 2 : 3, gravity * 0.5, is_flat ? "" : "0, ", -gravity * sqrt(0.75),
                       is_flat ? "" : ", width: 0.3", is_flat ? "" : "0, ", friction,
                       steppers[i % 3], is_flat ? "angle" : "orientation");
        open_text(&run, text);
        end_run(&run);
        assert_near(scenario_last(&run, "a.velocity", 0), slope, 1e-9, 0);
        assert_near(scenario_last(&run, "a.position", 0), 0.5 * slope, 3e-3, 0);
        assert_near(scenario_last(&run, is_flat ? "a.angle" : "a.orientation", is_flat ? 0 : 2), 0,
                    1e-9, 0);
        assert_near(run.summary.ledger.balance_error, 0, 1e-12, 0);
        scenario_close(&run);
    }
}

/* ---- what is kept ---- */

/* Turning bodies that hit each other with friction, far from anything. Those in space are alike
 * about all axes: a step turns others to second order only. */
static void collisions_keep_momenta_and_energy(void **state)
{
    static const char *const inertia[2][2] = {{"0.05", "0.03"}, {"0.05", "0.03"}};

    static const struct {
        int dimension;
        const char *shape[2];
    } couples[] = {
        {2, {"box, length: 0.4, height: 0.2, radius: 0.02", "box, length: 0.3, height: 0.3"}},
        {2, {"capsule, length: 0.4, radius: 0.1", "box, length: 0.3, height: 0.3"}},
        {2, {"capsule, length: 0.4, radius: 0.1", "capsule, length: 0.5, radius: 0.05"}},
        {3, {"capsule, length: 0.4, radius: 0.1", "capsule, length: 0.5, radius: 0.05"}},
        {3, {"capsule, length: 0.4, radius: 0.1", "sphere, radius: 0.1"}},
        {3,
         {"box, length: 0.4, width: 0.3, height: 0.2, radius: 0.02",
          "box, length: 0.3, width: 0.3, height: 0.3"}},
        {3, {"box, length: 0.4, width: 0.3, height: 0.2", "capsule, length: 0.4, radius: 0.1"}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof couples / sizeof *couples; i++) {
        const int d = couples[i].dimension;
        const char *zero = d == 2 ? "" : ", 0";
        char text[TEXT];
        scenario_run run;
        double before[6] = {0}, after[6] = {0};
        (void)snprintf(
            text, sizeof text,
            "hawser: 1\ndimension: %d\ngravity: [0, 0%s]\nbodies:\n"
            "  - {name: a, shape: {type: %s}, mass: 3, position: [0, 0%s], %s, inertia: %s}\n"
            "  - {name: b, shape: {type: %s}, mass: 2, position: [0.05, 0.6%s], "
            "velocity: [0.1, -2%s], %s, inertia: %s}\n"
            "contact: [{between: [a, b], friction: 0.4, arm: %s}]\nstart: given\n"
            "stepper: {type: moreau, step: 2.0e-5, end: 0.4}\n"
            "solver: {tolerance: 1.0e-13}\noutput: {every: 0.4}\n",
            d, zero, couples[i].shape[0], zero, d == 2 ? "spin: 3" : "spins: [1, 2, 3]",
            inertia[d - 2][0], couples[i].shape[1], d == 2 ? "" : ", 0.02", d == 2 ? "" : ", 0.1",
            d == 2 ? "spin: -4" : "spins: [4, -2, 1]", inertia[d - 2][1],
            d == 2 ? "distance" : "radius");
        open_text(&run, text);
        find_momenta(haw_simulation_frame(run.simulation), before);
        end_run(&run);
        find_momenta(haw_simulation_frame(run.simulation), after);
        for (int k = 0; k < 6; k++) {
            assert_near(after[k], before[k], 1e-12, 0);
        }
        assert_near(run.summary.ledger.balance_error, 0, 1e-12, 0);
        assert_true(run.summary.ledger.friction_loss > 1e-3);
        print_message("%s, %s: %.3g J of %.3g J by friction, %.3g J by impact\n",
                      couples[i].shape[0], couples[i].shape[1], run.summary.ledger.friction_loss,
                      run.summary.ledger.initial, run.summary.ledger.impact_loss);
        scenario_close(&run);
    }
}

/* ---- springs ---- */

/* A capsule that lies on springs under both of its ends is m g / (2 k) deep, and swings about that
 * with sqrt(2 k / m); a box on springs at two corners likewise. */
static void springs_bear_ends_and_corners(void **state)
{
    static const struct {
        int dimension;
        const char *shape, *pose;
        double height, corners;
    } lying[] = {
        {2, "capsule, length: 0.4, radius: 0.1", "position: [0, 0.1]", 0.1, 2},
        {2, "box, length: 0.4, height: 0.2", "position: [0, 0.1]", 0.1, 2},
        {3, "capsule, length: 0.4, radius: 0.1",
         "position: [0, 0, 0.1], orientation: [0.70710678118654752, 0.70710678118654752, 0, 0]",
         0.1, 2},
        {3, "box, length: 0.4, width: 0.3, height: 0.2", "position: [0, 0, 0.1]", 0.1, 4},
    };

    static const char *const implicit[] = {"moreau-jean, theta: 0.5", "generalized-alpha",
                                           "moreau"};
    (void)state;
    for (size_t i = 0; i < 3 * sizeof lying / sizeof *lying; i++) {
        const size_t l = i / 3;
        const int d = lying[l].dimension;
        const double stiffness = lying[l].corners * 1e5;
        const double depth = 2 * gravity / stiffness, half = acos(-1.0) / sqrt(stiffness / 2);
        char text[TEXT];
        scenario_run run;
        (void)snprintf(text, sizeof text,
                       "hawser: 1\ndimension: %d\ngravity: [0, %s%g]\nbodies:\n"
                       "  - {name: floor, shape: {type: plane}, motion: {fixed: true}}\n"
                       "  - {name: a, shape: {type: %s}, mass: 2, %s}\n"
                       "contact: [{between: [a, floor], law: penalty, normal_stiffness: 1.0e+5, "
                       "regularization_velocity: 0.01, friction: 0.3}]\nstart: given\n"
                       "stepper: {type: %s, step: %.17g, end: %.17g}\n"
                       "output: {every: %.17g, probes: [a.position]}\n",
                       d, d == 2 ? "" : "0, ", -gravity, lying[l].shape, lying[l].pose,
                       implicit[i % 3], half / 200, half, half);
        open_text(&run, text);
        end_run(&run);
        assert_near(scenario_last(&run, "a.position", d - 1), lying[l].height - 2 * depth,
                    2e-3 * depth, 0);
        scenario_close(&run);
    }
}

TEST_FILE(test_corners_touch)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eccentric_impacts_follow_newton),
        cmocka_unit_test(they_rest),
        cmocka_unit_test(a_box_slides_down_a_slope),
        cmocka_unit_test(collisions_keep_momenta_and_energy),
        cmocka_unit_test(springs_bear_ends_and_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
