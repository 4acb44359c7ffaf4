/* SPDX-License-Identifier: BSD-3-Clause */
/* Nets of cables that are pinned together: equilibria under a load at a knot and under their own
 * weight, a ball that hits a cross, a noose and a lasso. References: Newton's method on the knots
 * alone (residual 1e-11, L-BFGS from another start 4e-9); the wave equation of strings, by its
 * delays. */
#include "stepper/implicit.h"
#include "support/joints.h"

#include <stdarg.h>

enum { ROOM = 16384 };

typedef struct text {
    char data[ROOM];
    int used;
} text;

static void add(text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    t->used += vsnprintf(t->data + t->used, (size_t)(ROOM - t->used), format, arguments);
    va_end(arguments);
    assert_true(t->used < ROOM);
}

/* ---- equilibria ---- */

typedef struct net {
    int n, fine;                   /* strings each way, elements between two knots */
    double tension, density, load; /* of the flat net [N], [kg/m], at the knot [N] */
    int x, y;                      /* of the knot, counted from 1 */
} net;

/* n x n strings over 2 m x 2 m, EA 1e4. */
static void write_net(const net *a, text *t)
{
    const double step = 2.0 / (a->n + 1);
    add(t, SPACE "cables:\n");
    for (int i = 1; i <= 2 * a->n; i++) {
        const bool along = i <= a->n;
        const double at = step * (along ? i : i - a->n);
        add(t,
            "  - {name: %c%d, element: bezier-c0, elements: %d, from: [%.17g, %.17g, 0], to: "
            "[%.17g, %.17g, 0], length: %.17g, stiffness: 1.0e+4, density: %g}\n",
            along ? 'x' : 'y', along ? i : i - a->n, a->fine * (a->n + 1), along ? 0 : at,
            along ? at : 0, along ? 2 : at, along ? at : 2, 2 / (1 + a->tension / 1e4), a->density);
    }
    add(t, "joints:\n");
    for (int i = 1; i <= a->n; i++) {
        for (int j = 1; j <= a->n; j++) {
            add(t,
                "  - {name: k%d%d, type: pinned, between: [{cable: x%d, at: %.17g}, {cable: y%d, "
                "at: %.17g}]}\n",
                i, j, i, (double)j / (a->n + 1), j, (double)i / (a->n + 1));
        }
    }
    if (a->load > 0) {
        add(t, "forces: [{target: x%d, point: %.17g, force: [0, 0, %g]}]\n", a->y,
            (double)a->x / (a->n + 1), -a->load);
    }
    add(t, "stepper: {type: static, newton_tolerance: 1.0e-11}\n");
}

/* Position of the knot (x, y), and tension of its string along x beside it. */
static void check_net(const net *a, const double *knot, double tolerance, double tension, int far,
                      double low, double reaction, double least)
{
    text t = {.used = 0};
    scenario_run run;
    const double at = (double)a->x / (a->n + 1), other = (double)far / (a->n + 1);
    char name[4][64];
    snprintf(name[0], sizeof name[0], "x%d.position[%.17g:%.17g]", a->y, at, at);
    snprintf(name[1], sizeof name[1], "x%d.tension[%.17g:%.17g]", a->y, at - 0.01, at - 0.01);
    snprintf(name[2], sizeof name[2], "x%d.position[%.17g:%.17g]", a->y, other, other);
    snprintf(name[3], sizeof name[3], "x%d.reaction_start", a->y);
    write_net(a, &t);
    add(&t, "output: {probes: ['%s', '%s', '%s', %s]}\n", name[0], name[1], name[2], name[3]);
    joints_complete(&run, t.data, "", 1e-12);
    double worst = 0;
    for (int i = 0; i < 3; i++) {
        const double x = scenario_last(&run, name[0], i);
        worst = fmax(worst, fabs(x - knot[i]));
        assert_near(x, knot[i], tolerance, 0);
    }
    print_message("net %d, knot %d %d: %.1e m\n", a->n, a->x, a->y, worst);
    if (tension > 0) {
        assert_near(scenario_last(&run, name[1], 0), tension, 0, 1e-8);
    }
    assert_near(scenario_last(&run, name[2], 2), -low, tolerance, 0);
    if (least > 0) {
        double found = (double)INFINITY;
        for (int i = 0; i < 2 * a->n; i++) {
            const haw_cable *cable = &run.simulation->model.cable[i];
            for (int e = 0; e < cable->line.elements; e++) {
                haw_sample sample;
                cable->ops->state(cable, e, 0.5, run.simulation->state->q, NULL, &sample);
                found = fmin(found, sample.tension);
            }
        }
        assert_near(found, least, 0, 1e-8);
    }
    if (reaction > 0) {
        assert_near(fabs(scenario_last(&run, name[3], 2)), reaction, 0, 1e-7);
    }
    scenario_close(&run);
}

/* Without weight strings are straight between knots, and one element each is exact. */
static void a_net_hangs_from_its_loaded_knot(void **state)
{
    static const double three[] = {1, 1, -0.0747266149446}, five[] = {1, 1, -0.0623747678872};
    static const double beside[] = {0.497320033857, 1, -0.0658992047896};
    const net nets[] = {
        {.n = 3, .x = 2, .y = 2}, {.n = 5, .x = 3, .y = 3}, {.n = 3, .x = 1, .y = 2}};
    (void)state;
    for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
        net a = nets[i];
        a.fine = 1;
        a.tension = 100;
        a.density = 1e-9;
        a.load = 50;
        if (i == 0) {
            check_net(&a, three, 1e-9, 130.7877746, 1, 0.02679360394, 6.948720142, 103.5518087);
        } else if (i == 1) {
            check_net(&a, five, 1e-9, 124.3580892, 1, 0.01186900788, 4.368030363, 100.7172865);
        } else {
            check_net(&a, beside, 1e-9, 133.6762665, 3, 0.01034184703, 17.55977006, 100.5655989);
        }
    }
}

/* Strings as curves, on two meshes; the printed error is 3e-9. */
static void a_net_hangs_under_its_weight(void **state)
{
    static const struct {
        int n, x;
        double z;
    } rows[] = {
        {3, 2, -0.0625688834}, {3, 1, -0.0404987993}, {5, 3, -0.0632811389}, {5, 1, -0.0262011712}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double error[2];
        for (int k = 0; k < 2; k++) {
            const net a = {.n = rows[i].n, .fine = k + 1, .tension = 20, .density = 0.5};
            text t = {.used = 0};
            scenario_run run;
            char name[64];
            const double at = (double)rows[i].x / (a.n + 1);
            snprintf(name, sizeof name, "x%d.position[%.17g:%.17g]", rows[i].x, at, at);
            write_net(&a, &t);
            add(&t, "output: {probes: ['%s']}\n", name);
            joints_complete(&run, t.data, "", 1e-12);
            error[k] = fabs(scenario_last(&run, name, 2) - rows[i].z);
            scenario_close(&run);
        }
        assert_near(error[0], 0, 3e-9, 0);
        assert_near(error[1], 0, 3e-9, 0);
        print_message("net %d, knot %d: %.1e, %.1e m\n", rows[i].n, rows[i].x, error[0], error[1]);
    }
}

/* ---- a ball hits a cross ---- */

/* Two strings of 2 m pinned together in their middle, T 100 N, 0.1 kg per stretched metre; a ball
 * of 0.5 kg hits the middle with 0.1 m/s. Velocity and way of the ball at t, over 0.1; of one
 * string or two. */
static void hit(int strings, int elements, double end, double result[2])
{
    text t = {.used = 0};
    scenario_run run;
    add(&t,
        "hawser: 1\ndimension: 3\n"
        "bodies: [{name: ball, shape: {type: sphere, radius: 0.05}, mass: 0.5, position: [0, 0, "
        "0.051], velocity: [0, 0, -0.1]}]\ncables:\n");
    for (int i = 0; i < strings; i++) {
        add(&t,
            "  - {name: %c, element: bezier-c0, elements: %d, from: [%d, %d, 0], to: [%d, %d, 0], "
            "stiffness: 1.0e+4, density: 0.101, tension: 100, radius: 1.0e-3}\n",
            'x' + i, elements, i - 1, -i, 1 - i, i);
    }
    add(&t, "%s",
        strings > 1 ? "joints: [{name: k, type: pinned, between: [{cable: x, at: 0.5}, {cable: y, "
                      "at: 0.5}]}]\n"
                    : "");
    add(&t,
        "contact: [{between: [x, ball], law: hard, friction: 0, points_per_element: 1, "
        "depth_limit: "
        "1}]\nstart: given\nstepper: {type: moreau, step: auto, end: %.17g}\n"
        "output: {every: 1.0e-3, probes: [ball.position, ball.velocity]}\n",
        end);
    joints_complete(&run, t.data, "", 1e-12);
    assert_near(run.summary.ledger.balance_error, 0, 1e-12, 0);
    result[0] = scenario_last(&run, "ball.velocity", 2) / -0.1;
    result[1] = (0.051 - scenario_last(&run, "ball.position", 2)) / 0.1;
    scenario_close(&run);
}

/* M v' = -4 Z [v + 2 sum v(t - k t_r)]; the mass of the node that is hit makes the error of meshes
 * of first order. */
static void a_ball_on_a_cross_feels_its_waves(void **state)
{
    static const double rows[][3] = {{0.25, 0.670320046, 0.0130317444},
                                     {0.75, 0.301194212, 0.0276227242},
                                     {1.5, -0.628208389, 0.0208262198}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double coarse[2], fine[2];
        hit(2, 50, 0.0632455532 * rows[i][0], coarse);
        hit(2, 100, 0.0632455532 * rows[i][0], fine);
        for (int k = 0; k < 2; k++) {
            const double exact = rows[i][1 + k], e = (fine[k] - exact) / exact;
            print_message("t/t_r %.2f: %.1e, %.1e\n", rows[i][0], (coarse[k] - exact) / exact, e);
            assert_near(e, 0, 1e-3, 0);
            /* before waves are back, which a mesh disperses */
            assert_true(rows[i][0] > 1 || fabs(fine[k] - exact) < 0.6 * fabs(coarse[k] - exact));
        }
    }
}

/* It leaves a string after 0.157 s, and two after 0.107 s, before their second waves are back. */
static void a_ball_leaves_with_the_reference_velocity(void **state)
{
    static const double rows[][2] = {{0.18, -.9094962142}, {0.12, -.6651111706}};
    (void)state;
    for (int i = 0; i < 2; i++) {
        double left[2];
        hit(i + 1, 100, rows[i][0], left);
        print_message("strings: %d, %.1e\n", i + 1, left[0] / rows[i][1] - 1);
        assert_near(left[0], rows[i][1], 0, 1e-3);
    }
}

/* A noose that is tied to its own line, legs 60 degrees apart as drawn, is pulled about a post of
 * 50 mm by 10 N. Without friction both legs have the tension T / (2 cos(phi / 2)), and the loop of
 * the length 2 rho cot(phi / 2) + rho (pi + phi) gives way by EA; what the mesh leaves is 2e-3.
 * With friction the legs differ by no more than Euler's law says. */
static void a_noose_tightens_about_a_post(void **state)
{
    static const double rho = 0.053, pull = 10, stiffness = 1e4;
    const double pi = acos(-1.0), drawn = pi / 3;
    const double loop = 2 * rho / tan(drawn / 2) + rho * (pi + drawn);
    double phi = drawn, tension = 0;
    (void)state;
    for (int i = 0; i < 20; i++) {
        tension = pull / (2 * cos(phi / 2));
        const double rest =
            2 * rho / tan(phi / 2) + rho * (pi + phi) - loop * (1 + tension / stiffness);
        phi -= rest / (rho - rho / (sin(phi / 2) * sin(phi / 2)));
    }
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        text t = {.used = 0};
        add(&t,
            "hawser: 1\ndimension: 3\n"
            "bodies: [{name: post, shape: {type: capsule, radius: 0.05, length: 1}, motion: {fixed:"
            " true}}]\n"
            "cables:\n"
            "  - {name: rope, element: corotational, elements: 90, from: [%.17g, 0, 0], path:"
            " [{line: [0.106, 0, 0]}, {line: [0.0265, 0.045899346400575247, 0]}, {arc: {center: [0,"
            " 0, 0], radius: 0.053, angle_deg: 240}}, {line: [0.106, 0, 0]}], stiffness: 1.0e+4,"
            " bending_stiffness: 1.0e-5, torsional_stiffness: 1.0e-5, density: 0.05, radius: 0.003,"
            " damping: {mass: 50}, ends: {start: {tension: 10, towards: [2, 0, 0]}, end: free}}\n"
            "joints: [{name: knot, type: pinned, between: [{cable: rope, at: %.17g}, {cable: rope,"
            " at: 1}]}]\n"
            "contact:\n"
            "  - {between: [rope, rope], points_per_element: 4, friction: %g}\n"
            "  - {between: [rope, post], points_per_element: 4, friction: %g}\n"
            "start: given\nstepper: {type: moreau-jean, step: 1.0e-3, end: 0.15}\n"
            "output: {probes: [rope-post.force, joint.knot.force]}\n",
            0.106 + loop / 2, 1.0 / 3, 0.2 * i, 0.2 * i);
        joints_open(&run, t.data, "");
        assert_int_equal(scenario_try(&run), HAW_OK);
        const double x = scenario_last(&run, "joint.knot.force", 0);
        const double y = scenario_last(&run, "joint.knot.force", 1);
        assert_near(scenario_last(&run, "rope-post.force", 0), pull, 0, 1e-3);
        assert_near(scenario_last(&run, "rope-post.force", 1), 0, 1e-3 * pull, 0);
        if (i == 0) {
            assert_near(x, pull / 2, 0, 1e-3);
            assert_near(hypot(x, y), tension, 0, 2e-3);
            assert_near(2 * atan2(y, x), phi, 0, 4e-3);
        } else {
            const double other = hypot(pull - x, y), own = hypot(x, y);
            assert_true(fabs(log(own / other)) < 0.2 * (pi + phi));
        }
        scenario_close(&run);
    }
}

/* A lasso: a rope tied to a ring that it runs through. What is near it makes a dense row of the
 * ring; tied first, all of the rope would fill in, 100 000 entries. */
static void a_lasso_fills_nothing_in(void **state)
{
    static const char lasso[] = SPACE
        "bodies: [{name: ring, shape: {type: torus, radius: 0.05, tube_radius: 0.01}, mass:"
        " 0.05, orientation: [0.70710678118654752, 0, 0.70710678118654752, 0]}]\n"
        "cables:\n"
        "  - {name: rope, element: bezier-c0, elements: 80, from: [0, 0.063, 0], stiffness:"
        " 1.0e+4, density: 0.05, radius: 0.003, damping: {mass: 1}, ends: {start: {body: ring,"
        " at: [0, 0.063, 0]}, end: pinned}, path: [{line: [-0.3, 0.063, 0]}, {arc: {center:"
        " [-0.3, 0.0315, 0], radius: 0.0315, angle_deg: 180}}, {line: [0.3, 0, 0]}]}\n"
        "contact: [{between: [rope, ring], points_per_element: 3, friction: 0.2}]\n"
        "start: given\nstepper: {type: moreau-jean, step: 2.5e-4, end: 2.0e-3}\n";
    scenario_run run;
    (void)state;
    joints_open(&run, lasso, "");
    assert_int_equal(scenario_try(&run), HAW_OK);
    const haw_system *system = run.simulation->implicit->system;
    const double all = system->pattern.start[system->equations];
    assert_true(haw_matrix_entries(system->matrix) > 0.5 * all);
    assert_true(haw_matrix_entries(system->matrix) < 1.25 * all);
    scenario_close(&run);
}

/* Strings that hang from a rope of two elements, which they touch nowhere but at their knots. */
static void hang_strings(int strings, text *t)
{
    add(t,
        PLANE "cables:\n  - {name: rope, element: bezier, elements: 2, from: [0, 0], to: [1, 0], "
              "tension: 10, stiffness: 1.0e+3, density: 0.1, radius: 1.0e-3}\n");
    for (int i = 0; i < strings; i++) {
        const double x = (i + 1.0) / (2 * strings + 2);
        add(t,
            "  - {name: s%d, element: bezier, elements: 2, from: [%.17g, 0], to: [%.17g, -1], "
            "tension: 1, stiffness: 1.0e+3, density: 0.1, radius: 1.0e-3, ends: {start: free}}\n",
            i, x, x);
    }
    add(t, "joints:\n");
    for (int i = 0; i < strings; i++) {
        add(t,
            "  - {name: j%d, between: [{cable: rope, at: %.17g}, {cable: s%d, at: 0}], type: "
            "pinned}\n",
            i, (i + 1.0) / (2 * strings + 2), i);
    }
    add(t, "contact: [{between: [rope, 's*'], law: hard}]\nstart: given\n"
           "stepper: {type: moreau-jean, step: 1.0e-3, end: 5.0e-3}\n");
}

static void many_joints_lie_beside_one_element(void **state)
{
    text t = {.used = 0}, more = {.used = 0};
    scenario_run run;
    (void)state;
    hang_strings(12, &t);
    joints_complete(&run, t.data, "", 1e-12);
    assert_near(run.summary.certificate.penetration_max, 0, 0, 0);
    scenario_close(&run);
    hang_strings(40, &more);
    scenario_init(&run, "joints");
    assert_int_equal(haw_context_create(NULL, &run.context), HAW_OK);
    assert_int_equal(haw_scenario_parse(run.context, "joints", more.data, 0, NULL, &run.scenario),
                     HAW_OK);
    assert_int_equal(haw_model_build(run.context, &run.scenario->scene, &run.model), HAW_ERR_INPUT);
    assert_non_null(strstr(haw_context_message(run.context), "40 joints lie in one element"));
    assert_string_equal(haw_context_place(run.context), "contact.rope-s*.between");
    scenario_close(&run);
}

TEST_FILE(test_nets)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_net_hangs_from_its_loaded_knot),
        cmocka_unit_test(a_net_hangs_under_its_weight),
        cmocka_unit_test(a_ball_on_a_cross_feels_its_waves),
        cmocka_unit_test(a_ball_leaves_with_the_reference_velocity),
        cmocka_unit_test(a_noose_tightens_about_a_post),
        cmocka_unit_test(a_lasso_fills_nothing_in),
        cmocka_unit_test(many_joints_lie_beside_one_element),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
