/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Beams in space, static and moving, against elliptic integrals, published cases and exact
 * invariants. Equilibria of the 600 N bend and of the roll-up are in test_space_static.c.
 */
#include "base/lie.h"
#include "model/system.h"
#include "support/scenario.h"

static void node(const haw_frame *frame, const haw_model *model, int n, double x[3])
{
    const haw_cable *cable = &model->cable[0];
    const int at = n < 0 ? cable->beam.elements : n;
    memcpy(x, frame->state->q + cable->first_q + cable->beam.ops->node_coordinates * at,
           3 * sizeof *x);
}

/* ---- equilibria ---- */

static void find_tip(scenario_run *run, double tip[3])
{
    scenario_complete(run);
    node(haw_simulation_frame(run->simulation), run->model, -1, tip);
    scenario_close(run);
}

static void bend_tip(int elements, double load, double tip[3])
{
    scenario_run run;
    scenario_init(&run, "bathe-bolourchi");
    scenario_set(&run, "cables.beam.elements=%d", elements);
    scenario_set(&run, "forces.beam.force=[0, 0, %.17g]", load);
    find_tip(&run, tip);
}

static void smaller_loads_bend_the_arc_to_their_extrapolated_figures(void **state)
{
    (void)state;
    const double want[2][4] = {{300, 22.24478, 58.77912, 40.19189},
                               {450, 18.50818, 52.23856, 48.50293}};
    for (int k = 0; k < 2; k++) {
        double tip[3][3];
        for (int i = 0; i < 3; i++) {
            bend_tip(16 << i, want[k][0], tip[i]);
        }
        for (int j = 0; j < 3; j++) {
            const double end = tip[2][j] + (tip[2][j] - tip[1][j]) / 3;
            assert_near(end, want[k][1 + j], 1e-5, 0);
            assert_near(log2((tip[0][j] - tip[1][j]) / (tip[1][j] - tip[2][j])), 2, 0.01, 0);
        }
    }
}

/* Unit length, EI = 1, a dead force across the free end. */
static void elastica_tip(const char *element, int elements, double load, double tip[3])
{
    scenario_run run;
    scenario_init(&run, "bathe-bolourchi");
    scenario_set(&run, "cables.beam.path=[{line: [1, 0, 0]}]");
    scenario_set(&run, "cables.beam.reference=straight");
    scenario_set(&run, "cables.beam.element=%s", element);
    scenario_set(&run, "cables.beam.elements=%d", elements);
    scenario_set(&run, "cables.beam.stiffness=1.0e+8");
    scenario_set(&run, "cables.beam.shear_stiffness=1.0e+8");
    scenario_set(&run, "cables.beam.bending_stiffness=1");
    scenario_set(&run, "cables.beam.torsional_stiffness=1");
    scenario_set(&run, "forces.beam.force=[0, 0, %.17g]", load);
    find_tip(&run, tip);
}

/* Elliptic integrals; all kinds reach them with the order of their row. */
static void elastica_converges_with_the_order_of_the_element(void **state)
{
    (void)state;
    const double exact[4][3] = {{1, 0.30172077, 0.94356676},
                                {2, 0.49345748, 0.83935828},
                                {5, 0.71379152, 0.61237164},
                                {10, 0.81060902, 0.44500440}};
    for (int k = 0; k < 12; k++) {
        const haw_space_ops *ops = (const haw_space_ops *)haw_space_elements[k / 4];
        const double *want = exact[k % 4];
        double error[2];
        for (int i = 0; i < 2; i++) {
            double tip[3];
            elastica_tip(ops->row.name, 8 << i, want[0], tip);
            error[i] = hypot(tip[2] - want[1], tip[0] - want[2]);
            assert_near(tip[1], 0, 1e-12, 0);
        }
        print_message("%s, load %g: %.2e %.2e, order %.2f\n", ops->row.name, want[0], error[0],
                      error[1], log2(error[0] / error[1]));
        assert_near(log2(error[0] / error[1]), ops->order, 0.2, 0);
    }
}

/* ---- a beam in free flight ---- */

/* Invariants of each frame from 6 s on, when the filtered load has died away. */
typedef struct flight {
    double energy[3], a[3][3], b[3][3]; /* at 2.5, 5 and 8 s */
    double linear[3], angular[3];       /* at 8 s */
    double strayed[3]; /* largest change of energy (of its value at 5 s), and of both momenta */
} flight;

static void momenta(const haw_model *model, const haw_frame *frame, double linear[3],
                    double angular[3])
{
    double p[6 * 100] = {0};
    const int nodes = model->cable[0].beam.elements + 1;
    assert_true(nodes <= 100);
    haw_model_mass(model, frame->state->u, p);
    memset(linear, 0, 3 * sizeof *linear);
    memset(angular, 0, 3 * sizeof *angular);
    for (int n = 0; n < nodes; n++) {
        const double *q = frame->state->q + (ptrdiff_t)7 * n;
        double moment[3], spin[3];
        vec3_add(1, p + 6 * n, linear);
        vec3_cross(q, p + 6 * n, moment);
        quaternion_rotate(q + 3, p + 6 * n + 3, spin);
        vec3_add(1, moment, angular);
        vec3_add(1, spin, angular);
    }
}

static double distance(const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return vec3_norm(d);
}

static void look_at_flight(scenario_run *run, const haw_frame *frame, void *user)
{
    flight *f = user;
    const haw_ledger *ledger = frame->ledger;
    const double energy = ledger->kinetic + ledger->elastic + ledger->gravity;
    const double when[3] = {2.5, 5, 8};
    double linear[3], angular[3];
    for (int k = 0; k < 3; k++) {
        if (fabs(frame->t - when[k]) < 1e-6) {
            f->energy[k] = energy;
            node(frame, run->model, 0, f->a[k]);
            node(frame, run->model, -1, f->b[k]);
        }
    }
    if (frame->t > 6) {
        const double exact[3] = {50, 0, 0};
        momenta(run->model, frame, linear, angular);
        if (vec3_norm(f->angular) > 0) {
            f->strayed[2] = fmax(f->strayed[2], distance(angular, f->angular));
        }
        f->strayed[0] = fmax(f->strayed[0], fabs(energy / f->energy[1] - 1));
        f->strayed[1] = fmax(f->strayed[1], distance(linear, exact));
        memcpy(f->linear, linear, sizeof linear);
        memcpy(f->angular, angular, sizeof angular);
    }
}

static void fly(int elements, flight *f)
{
    scenario_run run;
    memset(f, 0, sizeof *f);
    scenario_init(&run, "flying-spaghetti");
    scenario_set(&run, "cables.beam.elements=%d", elements);
    scenario_set(&run, "stepper.step=%.17g", 0.5 / elements);
    run.look = look_at_flight;
    run.user = f;
    scenario_complete(&run);
    scenario_close(&run);
}

static void free_flight_keeps_momentum_and_energy(void **state)
{
    (void)state;
    flight f;
    fly(40, &f);
    print_message("energy %.2e, momentum %.2e N s, angular momentum %.2e per frame\n", f.strayed[0],
                  f.strayed[1], f.strayed[2]);
    assert_true(f.strayed[0] < 2e-5);
    assert_true(f.strayed[1] < 1e-12 * 50);
    assert_true(f.strayed[2] < 5e-5 * vec3_norm(f.angular));
    const double angular[3] = {0, -295.66, -552.98};
    assert_true(distance(f.angular, angular) < 0.02);
}

static void free_flight_has_its_printed_positions_and_energies(void **state)
{
    (void)state;
    const double energy[3] = {329.570, 884.073, 884.075};
    const double a[3][3] = {
        {3.4131, 0.1966, 0.0178}, {19.5626, 1.5211, -1.5077}, {30.8747, -0.9783, 0.3652}};
    const double b[3][3] = {
        {4.0243, 8.4946, -0.7331}, {11.8785, 6.8808, 1.8306}, {29.8592, 8.9480, -0.2258}};
    flight f;
    fly(40, &f);
    for (int k = 0; k < 3; k++) {
        assert_near(f.energy[k], energy[k], 1e-3, 0);
        for (int i = 0; i < 3; i++) {
            assert_near(f.a[k][i], a[k][i], 6e-5, 0);
            assert_near(f.b[k][i], b[k][i], 6e-5, 0);
        }
    }
}

/* Sections turn in every step: one Newton iteration is enough where the tangent has
 * what rotary inertia makes of it and the first guess is good. Without it 3.6 and 2.7. */
static void newtons_method_knows_that_sections_turn(void **state)
{
    static const char *const stepper[] = {"nsga, rho_infinity: 0.9", "moreau-jean, theta: 0.6"};
    static const double most[] = {1.1, 1.1};
    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        scenario_init(&run, "flying-spaghetti");
        scenario_set(&run, "stepper={type: %s, step: 1.25e-2, end: 8}", stepper[i]);
        scenario_complete(&run);
        const double passes = (double)run.summary.certificate.newton_iterations / 640;
        print_message("%s: %.2f iterations a step\n", stepper[i], passes);
        assert_true(passes <= most[i]);
        scenario_close(&run);
    }
}

/* ---- swinging rod ---- */

static void swing(const char *element, int elements, double tip[11][3], double *loss)
{
    scenario_run run;
    scenario_init(&run, "swinging-rod");
    scenario_set(&run, "cables.rod.element=%s", element);
    scenario_set(&run, "cables.rod.elements=%d", elements);
    scenario_set(&run, "stepper.step=%.17g", 0.05 / elements);
    scenario_set(&run, "output.every=0.1");
    scenario_complete(&run);
    assert_int_equal(run.frames, 11);
    for (int k = 0; k < run.frames; k++) {
        for (int i = 0; i < 3; i++) {
            tip[k][i] = scenario_at(&run, k, "rod.position[1:1]", i);
        }
    }
    *loss = run.summary.ledger.numerical_loss;
    scenario_close(&run);
}

static void swinging_rod_has_its_printed_positions(void **state)
{
    (void)state;
    const double want[][3] = {{1, 0.99360, -0.04888},  {2, 0.94190, -0.19860},
                              {3, 0.79775, -0.42371},  {4, 0.47565, -0.84321},
                              {5, -0.23241, -0.92007}, {6, -0.65506, -0.69795},
                              {8, -0.92981, -0.28780}, {10, -0.94118, -0.09606}};
    double tip[11][3], loss;
    swing("se3", 40, tip, &loss);
    for (int k = 0; k < 8; k++) {
        const double *x = tip[(int)want[k][0]];
        assert_near(x[0], want[k][1], 1.2e-5, 0);
        assert_near(x[1], 0, 1e-12, 0);
        assert_near(x[2], want[k][2], 1.2e-5, 0);
    }
    assert_true(loss > 0 && loss < 2e-5);
}

static void swinging_rod_converges_with_order_two(void **state)
{
    (void)state;
    double tip[3][11][3], loss;
    for (int i = 0; i < 3; i++) {
        swing("se3", 20 << i, tip[i], &loss);
    }
    const double order = log2(distance(tip[0][3], tip[1][3]) / distance(tip[1][3], tip[2][3]));
    print_message("order %.3f\n", order);
    assert_near(order, 2, 0.1, 0);
}

/* Shear is all that the other element lacks. */
static void both_elements_swing_alike(void **state)
{
    (void)state;
    double beam[11][3], cable[11][3], loss;
    swing("se3", 40, beam, &loss);
    swing("ancf", 40, cable, &loss);
    for (int k = 0; k < 11; k++) {
        assert_true(distance(beam[k], cable[k]) < 4e-3);
    }
}

/* ---- right-angle cantilever ---- */

/* Height of elbow and tip, and the energy, at 4, 8 and 10 s. */
typedef struct elbow {
    double value[3][3];
    double least, most; /* energy from 2 s on */
} elbow;

static void look_at_elbow(scenario_run *run, const haw_frame *frame, void *user)
{
    elbow *to = user;
    const double when[3] = {4, 8, 10};
    const double energy = frame->ledger->kinetic + frame->ledger->elastic;
    double x[2][3];
    node(frame, run->model, run->model->cable[0].beam.elements / 2, x[0]);
    node(frame, run->model, -1, x[1]);
    for (int k = 0; k < 3; k++) {
        if (fabs(frame->t - when[k]) < 1e-6) {
            to->value[k][0] = x[0][2];
            to->value[k][1] = x[1][2];
            to->value[k][2] = energy;
        }
    }
    if (frame->t > 2.5) {
        to->least = fmin(to->least, energy);
        to->most = fmax(to->most, energy);
    }
}

/* Legs of 10 along x and y, a force along z at the elbow that is over at 2 s. */
static void draw_elbow(scenario_run *run, int elements)
{
    scenario_init(run, "bathe-bolourchi");
    scenario_set(run, "cables.beam.path=[{line: [10, 0, 0]}, {line: [10, 10, 0]}]");
    scenario_set(run, "cables.beam.elements=%d", elements);
    scenario_set(run, "cables.beam.stiffness=1.0e+6");
    scenario_set(run, "cables.beam.shear_stiffness=1.0e+6");
    scenario_set(run, "cables.beam.bending_stiffness=1000");
    scenario_set(run, "cables.beam.torsional_stiffness=1000");
    scenario_set(run, "cables.beam.rotary_inertia=[20, 10, 10]");
    scenario_set(run, "forces.beam.point=0.5");
    scenario_set(run, "forces.beam.force=[0, 0, {table: [[0, 0], [1, 50], [2, 0]]}]");
}

static void kick(int elements, elbow *to)
{
    scenario_run run;
    *to = (elbow){.least = (double)INFINITY};
    draw_elbow(&run, elements);
    scenario_set(&run, "stepper={type: nsga, rho_infinity: 0.9, step: %.17g, end: 10}",
                 1.0 / elements);
    scenario_set(&run, "output={every: 0.5}");
    run.look = look_at_elbow;
    run.user = to;
    scenario_complete(&run);
    scenario_close(&run);
}

/* The node at the corner turns with the bisector, which makes it an arc of one element to either
 * side: an error of first order in the element beside that of second order. */
static void right_angle_converges_to_its_extrapolated_motion(void **state)
{
    (void)state;
    const double want[3][3] = {
        {4.642, 3.5090, 114.880}, {1.6332, 7.9605, 114.880}, {-3.0961, 4.4631, 114.880}};
    elbow run[3];
    for (int i = 0; i < 3; i++) {
        kick(20 << i, &run[i]);
        assert_true(run[i].most - run[i].least < 1.5e-4 * run[i].most / (1 << (2 * i)));
    }
    for (int k = 0; k < 9; k++) {
        double f[3];
        for (int i = 0; i < 3; i++) {
            f[i] = run[i].value[k / 3][k % 3];
        }
        const double limit = (f[0] - 6 * f[1] + 8 * f[2]) / 3;
        print_message("%g %g %g -> %g\n", f[0], f[1], f[2], limit);
        assert_near(limit, want[k / 3][k % 3], k % 3 == 2 ? 5e-3 : 2e-3, 0);
    }
}

/* The mesh alone is of first order there. */
static void a_corner_leaves_the_order_in_time(void **state)
{
    double z[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        scenario_run run;
        draw_elbow(&run, 8);
        scenario_set(&run, "stepper={type: nsga, step: %g, end: 2, newton_tolerance: 1.0e-12}",
                     0.01 / (1 << i));
        scenario_set(&run, "output={every: 2, probes: [\"beam.position[1:1]\"]}");
        scenario_complete(&run);
        z[i] = scenario_last(&run, "beam.position[1:1]", 2);
        scenario_close(&run);
    }
    print_message("%.6g %.6g %.6g\n", z[0], z[1], z[2]);
    assert_near(log2((z[0] - z[1]) / (z[1] - z[2])), 2, 0.05, 0);
}

TEST_FILE(test_space_beams)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smaller_loads_bend_the_arc_to_their_extrapolated_figures),
        cmocka_unit_test(elastica_converges_with_the_order_of_the_element),
        cmocka_unit_test(free_flight_keeps_momentum_and_energy),
        cmocka_unit_test(free_flight_has_its_printed_positions_and_energies),
        cmocka_unit_test(newtons_method_knows_that_sections_turn),
        cmocka_unit_test(swinging_rod_has_its_printed_positions),
        cmocka_unit_test(swinging_rod_converges_with_order_two),
        cmocka_unit_test(both_elements_swing_alike),
        cmocka_unit_test(right_angle_converges_to_its_extrapolated_motion),
        cmocka_unit_test(a_corner_leaves_the_order_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
