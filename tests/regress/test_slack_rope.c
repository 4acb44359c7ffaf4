/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A disk falls on a slack rope: no tension below zero, momentum changes by nothing but weight,
 * reactions of the ends and contact impulses, and is conserved where there are none.
 */
#include "model/dynamics.h"
#include "stepper/simulation.h"
#include "support/scenario.h"
#include "support/theory.h"

/* ---- momentum from the velocity field, not from M ---- */

typedef struct momentum {
    double p[2], angular; /* [N s], about the origin [N m s] */
} momentum;

static void add_mass(double mass, const double x[2], const double v[2], momentum *sum)
{
    sum->p[0] += mass * v[0];
    sum->p[1] += mass * v[1];
    sum->angular += mass * (x[0] * v[1] - x[1] * v[0]);
}

/* Four Gauss points integrate r x v of cubics exactly; a chain has its mass at the nodes. */
static void cable_rule(const haw_line *line, haw_quadrature *rule)
{
    if (line->ops->hull > 2) {
        haw_quadrature_init(4, rule);
    } else {
        *rule = (haw_quadrature){.points = 2, .s = {0, 1}, .weight = {0.5, 0.5}};
    }
}

static void add_cable(const haw_cable *cable, const double *q, const double *u, momentum *sum)
{
    const haw_line *line = &cable->line;
    const int n = line->ops->dofs;
    haw_quadrature rule;
    cable_rule(line, &rule);
    for (int i = 0; i < line->elements * rule.points; i++) {
        const int e = i / rule.points, g = i % rule.points;
        const double *ue = u + cable->first + line->ops->stride * e;
        double x[2], v[2] = {0, 0}, j[2 * HAW_ELEMENT_DOFS_MAX];
        line->ops->position(line, e, rule.s[g], q + cable->first, x, j);
        for (int k = 0; k < n; k++) {
            v[0] += j[k] * ue[k];
            v[1] += j[n + k] * ue[k];
        }
        add_mass(line->density * line->le * rule.weight[g], x, v, sum);
    }
}

static momentum total(const haw_simulation *simulation)
{
    const haw_model *model = &simulation->model;
    const double *q = simulation->state->q, *u = simulation->state->u;
    momentum sum = {.angular = 0};
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        add_mass(body->mass[0], q + body->first, u + body->first, &sum);
        sum.angular += body->mass[2] * u[body->first + 2];
    }
    for (int i = 0; i < model->cables; i++) {
        add_cable(&model->cable[i], q, u, &sum);
    }
    return sum;
}

/* ---- tension ---- */

typedef struct extremes {
    double tension, strain;  /* smallest over all samples and frames */
    double element, largest; /* smallest and largest mean tension of an element */
} extremes;

static void look_at_tension(scenario_run *run, const haw_frame *frame, void *user)
{
    extremes *found = user;
    const int count = haw_cable_sample_count(frame->model, 0);
    double *value = calloc(7 * (size_t)count, sizeof *value);
    (void)run;
    assert_non_null(value);
    double *at[7];
    for (int i = 0; i < 7; i++) {
        at[i] = value + (ptrdiff_t)i * count;
    }
    const haw_profile profile = {at[0], at[1], at[2], at[3], at[4], at[5], at[6], NULL};
    haw_cable_profile(frame->model, 0, frame->state->q, NULL, &profile);
    for (int i = 0; i < count; i++) {
        found->tension = fmin(found->tension, profile.tension[i]);
        found->strain = fmin(found->strain, profile.strain[i]);
        found->element = fmin(found->element, profile.element_tension[i]);
        found->largest = fmax(found->largest, profile.element_tension[i]);
    }
    free(value);
}

static const char *const kinds[] = {"bezier", "bezier-c0", "chain"};

static void set_kind(scenario_run *run, const char *kind)
{
    const bool chain = strcmp(kind, "chain") == 0;
    scenario_init(run, "disk-on-slack-rope");
    scenario_set(run, "cables.rope.element=%s", kind);
    scenario_set(run, "cables.rope.elements=%d", chain ? 80 : 40);
    scenario_set(run, "contact.points_per_element=%d", chain ? 1 : 4);
    scenario_set(run, "output.probes=[disk.position, disk.velocity, disk.spin, contact.impulse, "
                      "rope.position]");
}

static void slack_rope_is_never_pushed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        extremes found = {.tension = HUGE_VAL, .strain = HUGE_VAL, .element = HUGE_VAL};
        scenario_run run;
        set_kind(&run, kinds[i]);
        run.look = look_at_tension;
        run.user = &found;
        scenario_complete(&run);
        print_message("%s: tension %g to %g N, strain from %g\n", kinds[i], found.element,
                      found.largest, found.strain);
        assert_true(found.tension >= 0 && found.element >= 0);
        assert_true(found.strain < -1e-4); /* the rule was needed */
        assert_true(found.largest > 20);
        assert_true(run.summary.ledger.balance_error <= 1e-14 * run.summary.ledger.initial);
        scenario_close(&run);
    }
}

/* m dv = m g t + impulse, J domega = moment of the impulse: m = 0.5 kg, J = m R^2 / 2. */
static void disk_takes_weight_and_contact_impulse_and_nothing_else(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        scenario_run run;
        set_kind(&run, kinds[i]);
        scenario_complete(&run);
        assert_true(fabs(scenario_last(&run, "contact.impulse", 1)) > 1);
        for (int k = 0; k < run.frames; k++) {
            const double weight = 0.5 * 9.81 * scenario_time(&run, k);
            const double x = 0.5 * scenario_at(&run, k, "disk.velocity", 0);
            const double y = 0.5 * scenario_at(&run, k, "disk.velocity", 1) + weight;
            const double spin = 0.0025 * scenario_at(&run, k, "disk.spin", 0);
            assert_near(x, scenario_at(&run, k, "contact.impulse", 0), 1e-12, 1e-12);
            assert_near(y, scenario_at(&run, k, "contact.impulse", 1), 1e-12 * weight, 1e-12);
            assert_near(spin, scenario_at(&run, k, "contact.impulse", 2), 1e-13, 1e-12);
        }
        scenario_close(&run);
    }
}

/* ---- impulses of the pins ---- */

typedef struct balance {
    momentum start;
    double mass;      /* of everything [kg] */
    double pins[2];   /* impulse of the reactions [N s] */
    double scale;     /* sum of its absolute values */
    double *u, *rate; /* [dofs] */
} balance;

/* R h = M (u+ - u) - h f - H Lambda at the degrees of freedom of the pins. */
static void add_reactions(haw_simulation *simulation, balance *b)
{
    const haw_cable *rope = &simulation->model.cable[0];
    for (int i = 0; i < simulation->model.dofs; i++) {
        b->u[i] = simulation->state->u[i] - b->u[i];
    }
    haw_inertia_mass(simulation->inertia, b->u, b->rate);
    for (int k = 0; k < 4; k++) {
        const int dof = rope->first + rope->end_dof[k / 2] + k % 2;
        const double impulse =
            b->rate[dof] - simulation->h * simulation->force[dof] - simulation->push[dof];
        b->pins[k % 2] += impulse;
        b->scale += fabs(impulse);
    }
}

static void check_balance(const haw_simulation *simulation, const balance *b)
{
    const momentum now = total(simulation);
    const double weight = -9.81 * b->mass * simulation->state->t;
    assert_near(now.p[0] - b->start.p[0], b->pins[0], 1e-12 * b->scale, 0);
    assert_near(now.p[1] - b->start.p[1], b->pins[1] + weight, 1e-12 * b->scale, 0);
}

static void momentum_changes_by_weight_and_reactions(void **state)
{
    (void)state;
    scenario_run run;
    set_kind(&run, "bezier");
    scenario_open(&run);
    haw_simulation *simulation = run.simulation;
    const size_t dofs = (size_t)simulation->model.dofs;
    balance b = {.start = total(simulation), .mass = 0.5 + 0.1 * 2.2};
    b.u = calloc(2 * dofs, sizeof *b.u);
    assert_non_null(b.u);
    b.rate = b.u + dofs;
    for (int k = 1; k <= 50000; k++) {
        memcpy(b.u, simulation->state->u, dofs * sizeof *b.u);
        assert_int_equal(haw_simulation_step(simulation), HAW_OK);
        add_reactions(simulation, &b);
        if (k % 500 == 0) {
            check_balance(simulation, &b);
        }
    }
    /* the pins carried the weight of the rope, and of the disk while it lay on it */
    assert_true(b.pins[1] > 0.22 * 9.81 * simulation->state->t);
    free(b.u);
    scenario_close(&run);
}

/* ---- free flight: a disk meets a loose rope without gravity ---- */

static void set_free(scenario_run *run, const char *kind)
{
    set_kind(run, kind);
    scenario_set(run, "gravity=[0, 0]");
    scenario_set(run, "start=given");
    scenario_set(run, "cables.rope.length=2.0");
    scenario_set(run, "cables.rope.ends={start: free, end: free}");
    scenario_set(run, "contact.arm=distance");
    scenario_set(run, "bodies.disk.position=[0.2, 0.11]");
    scenario_set(run, "bodies.disk.velocity=[1.5, -4]");
    scenario_set(run, "bodies.disk.spin=-30");
    scenario_set(run, "stepper.end=0.2");
}

static void free_disk_and_rope_conserve_momentum(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        scenario_run run;
        set_free(&run, kinds[i]);
        scenario_open(&run);
        const momentum before = total(run.simulation);
        assert_int_equal(scenario_try(&run), HAW_OK);
        const momentum after = total(run.simulation);
        const double size = hypot(before.p[0], before.p[1]);
        print_message("%s: momentum %.2e, angular %.2e\n", kinds[i],
                      hypot(after.p[0] - before.p[0], after.p[1] - before.p[1]) / size,
                      after.angular / before.angular - 1);
        assert_near(before.p[1], -2, 0, 1e-14);
        assert_true(fabs(scenario_last(&run, "disk.velocity", 1) + 4) > 0.1); /* they met */
        assert_near(after.p[0], before.p[0], 1e-12 * size, 0);
        assert_near(after.p[1], before.p[1], 1e-12 * size, 0);
        assert_near(after.angular, before.angular, 0, 1e-12);
        scenario_close(&run);
    }
}

/* ---- start ---- */

/* At rest in the elastic catenary until the disk arrives. */
static void rope_hangs_still_in_its_catenary_until_it_is_hit(void **state)
{
    (void)state;
    const setting set[] = {
        {"span", 2}, {"drop", 0}, {"length", 2.2}, {"weight", 0.981}, {"stiffness", 4e3}};
    scenario_run run;
    set_kind(&run, "bezier");
    scenario_set(&run, "stepper.end=0.5");
    scenario_complete(&run);
    haw_theory_result theory = theory_run(run.context, "catenary", 5, set);
    const haw_event *hit = scenario_find(&run, HAW_EVENT_FIRST_CONTACT, 0, false);
    assert_non_null(hit);
    for (int i = 0; i < run.frames && scenario_time(&run, i) < hit->t; i++) {
        assert_near(scenario_at(&run, i, "rope.position", 0), 0, 1e-9, 0);
        assert_near(scenario_at(&run, i, "rope.position", 1),
                    haw_theory_value(&theory, "midpoint_y"), 2e-6, 0);
    }
    /* free fall from 0.3 m to the rope: a little below the catenary at x = 0.2 */
    const double fall = 0.3 - 0.5 * 9.81 * hit->t * hit->t;
    assert_near(fall - 0.1, haw_theory_value(&theory, "midpoint_y"), 0.03, 0);
    haw_theory_result_free(run.context, &theory);
    scenario_close(&run);
}

/* ---- slack all over ---- */

/* A loop about a post, which it does not touch yet, is led along by its ends: without weight or
 * tension nothing resists, and each of its equilibria is as good as any other. */
static void a_loop_that_nothing_holds_is_in_equilibrium(void **state)
{
    scenario_run run;
    (void)state;
    scenario_init(&run, "loop");
    run.text =
        "hawser: 1\n"
        "dimension: 3\n"
        "gravity: [0, 0, 0]\n"
        "bodies: [{name: post, shape: {type: cylinder, radius: 0.03}, motion: {fixed: true}}]\n"
        "cables:\n"
        "  - name: rope\n"
        "    element: bezier\n"
        "    elements: 80\n"
        "    from: [0.1, 0.0001, 0]\n"
        "    path: [{points: [[0.1, 0.0001, 0], [0.07, 0.012, 0], [0.04, 0.028, 0],"
        " [0.02, 0.0385, 0], [0, 0.0425, 0], [-0.02, 0.0385, 0], [-0.036, 0.025, 0],"
        " [-0.043, 0, 0], [-0.036, -0.025, 0], [-0.02, -0.0385, 0], [0, -0.0425, 0],"
        " [0.02, -0.0385, 0], [0.04, -0.028, 0], [0.07, -0.012, 0], [0.1, -0.0001, 0]]}]\n"
        "    stiffness: 1000\n"
        "    tension: 1\n"
        "    density: 0.05\n"
        "    radius: 0.003\n"
        "    ends: {start: {motion: {velocity: [0.02, 0, 0]}},"
        " end: {motion: {velocity: [0.02, 0, 0]}}}\n"
        "contact: [{between: [rope, post], friction: 0.3}]\n"
        "start: static\n"
        "stepper: {type: quasi-static, step: 0.1, end: 0.2}\n"
        "output: {every: 0.1, probes: [rope.length, rope.tension_start]}\n";
    scenario_complete(&run);
    const double drawn = scenario_at(&run, 0, "rope.length", 0);
    assert_near(scenario_last(&run, "rope.length", 0), drawn, 0, 1e-9);
    assert_near(scenario_last(&run, "rope.tension_start", 0), 0, 1e-9, 0);
    scenario_close(&run);
}

/* A string thrown on a log with friction makes energy in steps of 1 ms. A theta is asked for only
 * where it is smaller than that. */
static void a_theta_at_hand_is_not_asked_for(void **state)
{
    static const char *const text =
        "hawser: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  - {name: log, shape: {type: cylinder, radius: 0.05},\n"
        "     orientation: [0.7071067811865476, 0, 0.7071067811865476, 0], motion: {fixed: true}}\n"
        "cables:\n"
        "  - {name: string, element: bezier, elements: 20, from: [0.03, -0.15, 0.06],\n"
        "     to: [0.03, 0.2, 0.06], stiffness: 2.0e+3, slack: true, density: 0.05, radius: "
        "0.004,\n"
        "     velocity: [0, 0, -1], ends: {start: free, end: free}}\n"
        "contact:\n  - {between: [string, log], friction: 0.3}\nstart: given\n"
        "stepper: {type: moreau-jean, step: 1.0e-3, end: 0.2}\n";
    static const double theta[] = {0.5, 0.55};
    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        scenario_init(&run, "thrown");
        run.text = text;
        scenario_set(&run, "stepper.theta=%g", theta[i]);
        scenario_open(&run);
        assert_int_equal(scenario_try(&run), HAW_ERR_DIVERGED);
        const char *said = haw_context_message(run.context);
        assert_non_null(strstr(said, "more than 1 % of the energy"));
        assert_true((strstr(said, "needs theta") != NULL) == (theta[i] < 0.55));
        scenario_close(&run);
    }
}

/* A string without tension or weight is in equilibrium as drawn, but for rounding, which is all
 * that its forces can be compared with. One with a weight that nothing holds is so nowhere, however
 * far.
 */
static void what_bears_nothing_is_in_equilibrium_as_drawn(void **state)
{
    static const char *const element[] = {"chain", "bezier", "bezier-c0", "ancf"};
    static const int elements[] = {3, 7, 33, 200};
    (void)state;
    for (int i = 0; i < 4 * 4; i++) {
        char text[512];
        scenario_run run;
        scenario_init(&run, "unloaded");
        (void)snprintf(text, sizeof text,
                       "hawser: 1\ngravity: [0, 0]\n"
                       "cables: [{name: string, element: %s, elements: %d, from: [0.13, 0.37],\n"
                       "  to: [1.41, 0.93], stiffness: 1.0e+4, density: 0.1,\n"
                       "  ends: {start: pinned, end: pinned}}]\nstepper: {type: static}\n",
                       element[i % 4], elements[i / 4]);
        run.text = text;
        scenario_open(&run);
        assert_int_equal(scenario_try(&run), HAW_OK);
        assert_near(run.simulation->ledger.elastic, 0, 1e-20, 0);
        scenario_close(&run);
        scenario_init(&run, "unheld");
        run.text = text;
        scenario_set(&run, "gravity=[0, -9.81]");
        scenario_set(&run, "cables.string.ends={start: free, end: free}");
        scenario_open(&run);
        assert_true(scenario_try(&run) != HAW_OK);
        scenario_close(&run);
    }
}

TEST_FILE(test_slack_rope)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slack_rope_is_never_pushed),
        cmocka_unit_test(disk_takes_weight_and_contact_impulse_and_nothing_else),
        cmocka_unit_test(momentum_changes_by_weight_and_reactions),
        cmocka_unit_test(free_disk_and_rope_conserve_momentum),
        cmocka_unit_test(rope_hangs_still_in_its_catenary_until_it_is_hit),
        cmocka_unit_test(a_loop_that_nothing_holds_is_in_equilibrium),
        cmocka_unit_test(a_theta_at_hand_is_not_asked_for),
        cmocka_unit_test(what_bears_nothing_is_in_equilibrium_as_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
