/* SPDX-License-Identifier: BSD-3-Clause */
/* Probes of momenta: what free motion keeps, closed forms, ropes whose mesh moves. */
#include "model/dynamics.h"
#include "support/rigid.h"
#include "support/scenario.h"

#include <math.h>

enum { SIZE = 2048, AXES = 3 };

/* Momenta of rigid motions and masses, without the probes' functions. */
static void find_momentum(const haw_frame *frame, double p[6])
{
    static double zero[SIZE], mass_u[SIZE], u[SIZE];
    const haw_model *model = frame->model;
    haw_model_inertia(model, frame->state->q, zero, frame->state->u, mass_u);
    for (int k = 0; k < 6; k++) {
        rigid_motion(model, frame->state->q, k, u);
        p[k] = 0;
        for (int i = 0; i < model->dofs; i++) {
            p[k] += u[i] * mass_u[i];
        }
    }
}

/* ---- free cables and bodies that hit each other ---- */

/* Sections that do not turn take no couple: friction then has the arm of the distance, and there is
 * none between two of them, whose centrelines are apart. */
static bool turns(const char *element)
{
    const haw_row *row = haw_row_find(haw_space_elements, element);
    return row != NULL && ((const haw_space_ops *)row)->has_rotations;
}

static void write_free(scenario_text *scene, int dimension, const char *element)
{
    const bool plane = dimension == 2, bends = turns(element);
    scenario_write(scene, "hawser: 1\ndimension: %d\ngravity: [0, 0%s]\nstart: given\nbodies:\n",
                   dimension, plane ? "" : ", 0");
    scenario_write(
        scene, plane ? "  - {name: ball, shape: {type: circle, radius: 0.05}, mass: 0.03, "
                       "inertia: 4.0e-5, position: [0.1, 0.08], velocity: [0.3, -2], spin: 40}\n"
                     : "  - {name: ball, shape: {type: sphere, radius: 0.05}, mass: 0.03, "
                       "inertias: [4.0e-5, 3.0e-5, 2.5e-5], position: [0.1, 0.01, 0.08], "
                       "velocity: [0.3, 0.1, -2], spins: [20, -10, 40]}\n");
    scenario_write(scene, "cables:\n");
    for (int i = 0; i < 2; i++) {
        static const char *const place[2][2] = {
            {"from: [-0.3, 0], to: [0.3, 0.02]", "from: [-0.3, 0, 0], to: [0.3, 0.02, 0]"},
            {"from: [-0.25, -0.04], to: [-0.05, -0.5], velocity: [0.1, 1]",
             "from: [-0.1, -0.2, -0.04], to: [-0.13, 0.3, -0.03], velocity: [0.4, 0.1, 1]"}};
        scenario_write(scene,
                       "  - {name: %s, element: %s, elements: 6, %s, tension: 0, stiffness: 500, "
                       "%sdensity: 0.1, radius: 0.01, ends: {start: free, end: free}}\n",
                       i == 0 ? "a" : "b", element, place[i][plane ? 0 : 1],
                       bends ? "bending_stiffness: 1.0e-3, " : "");
    }
    scenario_write(scene,
                   "contact:\n"
                   "  - {between: [a, ball], friction: 0.3, restitution: 0.3%s}\n%s"
                   "stepper: {type: moreau, step: 4.0e-6, end: 0.04}\n"
                   "solver: {tolerance: 1.0e-13}\n"
                   "output: {every: 2.0e-3, probes: [system.momentum, system.angular_momentum, "
                   "ball.momentum, ball.angular_momentum, a.momentum, a.angular_momentum, "
                   "b.momentum, b.angular_momentum, a-ball.normal_sum]}\n",
                   bends ? "" : ", arm: distance",
                   plane   ? ""
                   : bends ? "  - {between: [a, b], friction: 0.3}\n"
                           : "  - {between: [a, b], friction: 0}\n");
}

static void look(scenario_run *run, const haw_frame *frame, void *user)
{
    static const char *const of[] = {"momentum", "angular_momentum"};
    const int d = frame->model->dimension;
    double cables[6];
    find_momentum(frame, cables);
    for (int m = 0; m < 2; m++) {
        const int size = m == 0 || d == 3 ? d : 1;
        for (int k = 0; k < size; k++) {
            double part[4];
            static const char *const owner[] = {"system", "ball", "a", "b"};
            for (int i = 0; i < 4; i++) {
                char name[64];
                (void)snprintf(name, sizeof name, "%s.%s", owner[i], of[m]);
                part[i] = scenario_at(run, run->frames - 1, name, k);
            }
            assert_near(part[1] + part[2] + part[3], part[0], 1e-16, 0);
            if (*(const bool *)user) { /* the nodes' coordinates are Cartesian */
                assert_near(part[2] + part[3], cables[AXES * m + (size == 1 ? 2 : k)], 1e-15, 0);
            }
        }
    }
}

/* Largest change of one of the system's momenta, over all frames. */
static double drift(const scenario_run *run, const char *probe, int size)
{
    double most = 0;
    for (int i = 0; i < run->frames; i++) {
        for (int k = 0; k < size; k++) {
            most = fmax(most, fabs(scenario_at(run, i, probe, k) - scenario_at(run, 0, probe, k)));
        }
    }
    return most;
}

/* .1 N s and .01 N m s; of a mass that depends on q the steps keep them to their order only. */
static void check_free(int dimension, const char *element, bool is_exact)
{
    const int size = dimension == 2 ? 1 : dimension;
    const double most = is_exact ? 2e-14 : 1e-5;
    scenario_run run;
    scenario_text scene = {.length = 0};
    write_free(&scene, dimension, element);
    scenario_init(&run, "free");
    run.text = scene.text;
    run.look = look;
    run.user = &is_exact;
    scenario_complete(&run);
    const double p = drift(&run, "system.momentum", dimension);
    const double l = drift(&run, "system.angular_momentum", size);
    print_message("%s, %d: %.2g N s, %.2g N m s\n", element, dimension, p, l);
    assert_near(fmax(p, l), 0, most, 0);
    /* they met: the ball is another way */
    assert_true(drift(&run, "ball.momentum", dimension) > 1e-2);
    assert_true(drift(&run, "b.momentum", dimension) > 1e-3 || dimension == 2);
    scenario_close(&run);
}

static void free_cables_and_bodies_keep_the_momenta_of_all(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        const haw_element_ops *ops = (const haw_element_ops *)haw_elements[i];
        check_free(2, haw_elements[i]->name, ops->mass_constant);
    }
    for (int i = 0; haw_space_elements[i] != NULL; i++) {
        check_free(3, haw_space_elements[i]->name, true);
    }
}

/* ---- closed forms ---- */

/* A body about its own axes, turned by 90 degrees about z: its x axis is the inertial y. */
static void a_body_has_its_spin_and_the_moment_of_its_way(void **state)
{
    scenario_run run;
    (void)state;
    scenario_init(&run, "body");
    run.text = "hawser: 1\ndimension: 3\ngravity: [0, 0, 0]\nbodies:\n"
               "  - {name: top, mass: 2, inertias: [0.1, 0.2, 0.3], position: [1, 2, 3], "
               "orientation: [0.70710678118654752, 0, 0, 0.70710678118654752], velocity: [0.5, -1, "
               "0.25], spins: [3, 4, 5]}\n"
               "stepper: {type: moreau, step: 1.0e-3, end: 0.1}\n"
               "output: {every: 0.1, probes: [top.momentum, top.angular_momentum, "
               "system.angular_momentum.z]}\n";
    scenario_complete(&run);
    static const double p[AXES] = {1, -2, 0.5};
    /* x cross p = (1 + 6, 3 - .5, -2 - 2); J Omega = (.3, .8, 1.5), turned (-.8, .3, 1.5) */
    static const double l[AXES] = {7 - 0.8, 2.5 + 0.3, -4 + 1.5};
    for (int k = 0; k < AXES; k++) {
        for (int i = 0; i < 2; i++) { /* it tumbles, and the inertial components stay */
            assert_near(scenario_at(&run, i, "top.momentum", k), p[k], 1e-14, 0);
            assert_near(scenario_at(&run, i, "top.angular_momentum", k), l[k], 1e-12, 0);
        }
    }
    assert_near(scenario_last(&run, "system.angular_momentum.z", 0), l[2], 1e-12, 0);
    scenario_close(&run);
}

/* A rod of 0.5 kg and 2 m turns about z through its middle and flies: J = m L^2 / 12 and the
 * rotary inertia of its section, twice that of its sides. */
static void a_thrown_rod_has_the_momenta_of_a_rigid_one(void **state)
{
    static const char *const elements[] = {"ancf", "se3", "corotational"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        scenario_run run;
        haw_state *thrown;
        scenario_init(&run, "rod");
        run.text = "hawser: 1\ndimension: 3\ngravity: [0, 0, 0]\nstart: given\ncables:\n"
                   "  - {name: rod, element: se3, elements: 4, from: [1, 3, 0.5], to: [3, 3, 0.5], "
                   "stiffness: 1.0e+4, bending_stiffness: 10, density: 0.25, radius: 0.01, "
                   "ends: {start: free, end: free}}\n"
                   "stepper: {type: moreau, step: 1.0e-5, end: 1.0e-3}\n"
                   "output: {every: 1.0e-3, probes: [rod.momentum, rod.angular_momentum]}\n";
        scenario_set(&run, "cables.rod.element=%s", elements[i]);
        if (i > 0) {
            scenario_set(&run, "cables.rod.rotary_inertia=[2.0e-3, 1.0e-3, 3.0e-3]");
        }
        scenario_open(&run);
        assert_int_equal(haw_state_create(run.context, run.model, &thrown), HAW_OK);
        double turn[64], move[64];
        rigid_motion(run.model, thrown->q, 5, turn); /* about z through the origin */
        rigid_motion(run.model, thrown->q, 0, move);
        for (int k = 0; k < run.model->dofs; k++) {
            thrown->u[k] = 2 * turn[k] + move[k];
        }
        assert_int_equal(haw_simulation_restore(run.simulation, thrown), HAW_OK);
        assert_int_equal(scenario_try(&run), HAW_OK);
        /* omega 2 about z through the origin, middle at (2, 3, .5): v = (-6 + 1, 4, 0) */
        const double section = i > 0 ? 3e-3 * 2 : 0, m = 0.5;
        const double spin = 2 * (m * 4 / 12 + section);
        const double p[AXES] = {-5 * m, 4 * m, 0};
        const double l[AXES] = {-0.5 * p[1], 0.5 * p[0], 2 * p[1] - 3 * p[0] + spin};
        for (int k = 0; k < AXES; k++) {
            assert_near(scenario_last(&run, "rod.momentum", k), p[k], 1e-13, 0);
            /* consistent masses are exact, of straight two-node elements as well */
            assert_near(scenario_last(&run, "rod.angular_momentum", k), l[k], 1e-12, 0);
        }
        haw_state_free(run.context, thrown);
        scenario_close(&run);
    }
}

/* ---- ropes whose mesh moves along the material ---- */

/* Momenta of the mass of many material points on their way from one pose to another, without any
 * Jacobian: rho dX (x+ - x) / h, and that about the origin. */
static void find_way(const haw_cable *cable, const double *before, const double *after, double h,
                     double sum[3])
{
    enum { POINTS = 4000 };

    const double length = cable->ops->label(cable, cable->line.elements, before);
    sum[0] = sum[1] = sum[2] = 0;
    for (int i = 0; i < POINTS; i++) {
        const double *pose[2] = {before, after}, label = length * (i + 0.5) / POINTS;
        haw_cable_point point[2];
        for (int k = 0; k < 2; k++) {
            double s;
            const int e = cable->ops->locate(cable, pose[k], label, &s);
            cable->ops->point(cable, e, s, pose[k], NULL, HAW_POINT_PLACE, &point[k]);
        }
        const double *a = point[0].x, *b = point[1].x, mass = cable->line.density * length / POINTS;
        sum[0] += mass * (b[0] - a[0]) / h;
        sum[1] += mass * (b[1] - a[1]) / h;
        sum[2] += mass * (a[0] * b[1] - a[1] * b[0]) / h;
    }
}

static void the_momenta_of_a_rope_are_those_of_its_material_points(void **state)
{
    static const char *const elements[] = {"ale", "arc1d"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        static double before[SIZE], after[SIZE];
        double way[3], sum[6] = {0}, weights[6] = {0}, work[SIZE];
        const double h = 1e-5;
        scenario_run run;
        scenario_init(&run, "rope");
        run.text = "hawser: 1\ngravity: [0, -9.81]\nbodies:\n"
                   "  - {name: sheave, shape: {type: circle, radius: 0.3}, inertia: 0.05, joint: "
                   "revolute}\n"
                   "  - {name: heavy, mass: 3, position: [-0.3, -2], joint: vertical}\n"
                   "  - {name: light, mass: 2, position: [0.3, -1.5], joint: vertical}\n"
                   "cables:\n"
                   "  - {name: rope, element: ale, reeving: [{sheave: sheave, side: right}], "
                   "elements: 16, modes: {axial: 2, transverse: 1}, overflow: 0.3, "
                   "ends: {start: {body: heavy}, end: {body: light}}, stiffness: 1.0e+5, density: "
                   "0.5}\n"
                   "contact:\n"
                   "  - {between: [rope, sheave], law: penalty, spacing: 0.03, friction: 0.5, "
                   "per: length, normal: linear, normal_stiffness: 1.0e+7, tangential: bristle, "
                   "tangential_stiffness: 1.0e+6, tangential_damping: 100}\n"
                   "start: {type: static, lock: [heavy.y, light.y, sheave.angle]}\n"
                   "stepper: {type: generalized-alpha, step: 2.5e-4, end: 0.1}\n"
                   "output: {every: 0.1, probes: [rope.momentum, rope.angular_momentum, "
                   "system.momentum]}\n";
        scenario_set(&run, "cables.rope.element=%s", elements[i]);
        scenario_complete(&run);
        const haw_frame *frame = haw_simulation_frame(run.simulation);
        const haw_state *now = frame->state;
        const haw_cable *cable = &run.model->cable[0];
        haw_model_move(run.model, now->q, -h, now->u, before);
        haw_model_move(run.model, now->q, h, now->u, after);
        find_way(cable, before, after, 2 * h, way);
        haw_cable_momentum(run.model, 0, now->q, now->u, work, sum);
        print_message("%s: %.6f %.6f N s, %.6f N m s\n", elements[i], way[0], way[1], way[2]);
        for (int k = 0; k < 2; k++) {
            assert_near(scenario_last(&run, "rope.momentum", k), sum[k], 0, 0);
            assert_near(sum[k], way[k], 1e-6, 0); /* of .1 N s; the sum's points */
        }
        assert_near(scenario_last(&run, "rope.angular_momentum", 0), sum[5], 0, 0);
        assert_near(sum[5], way[2], 1e-6, 0);
        assert_true(hypot(sum[0], sum[1]) > 0.05 && sum[5] > 0.05);
        haw_body_momentum(run.model, 1, now->q, now->u, weights);
        haw_body_momentum(run.model, 2, now->q, now->u, weights);
        assert_near(weights[1] + sum[1], scenario_last(&run, "system.momentum", 1), 1e-14, 0);
        scenario_close(&run);
    }
}

TEST_FILE(test_momentum_probe)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_cables_and_bodies_keep_the_momenta_of_all),
        cmocka_unit_test(a_body_has_its_spin_and_the_moment_of_its_way),
        cmocka_unit_test(a_thrown_rod_has_the_momenta_of_a_rigid_one),
        cmocka_unit_test(the_momenta_of_a_rope_are_those_of_its_material_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
