/* SPDX-License-Identifier: BSD-3-Clause */
/* Equilibria with set-valued friction and a history of loading: a capstan, a rope on a plane. */
#include "support/scenario.h"

#include <math.h>

enum { LOADS = 6, PLACES = 4 };

static const double DEGREES[PLACES] = {15, 30, 60, 90};

/* u for EA = 4e4 N [m], T at the places [N], after each load. */
static const double ROW[LOADS][1 + PLACES] = {
    {1.768444459e-4, 166.4037451, 153.8344798, 131.4724844, 112.3611181},
    {1.263341887e-4, 129.8047709, 140.4106545, 131.4724844, 112.3611181},
    {1.402662112e-4, 138.6697876, 140.4106545, 131.4724844, 112.3611181},
    {1.017777925e-5, 86.5365139, 93.6071030, 109.5286216, 112.3611181},
    {-9.11047465e-5, 64.9023854, 70.2053272, 82.1464662, 96.1186591},
    {1.768444459e-4, 166.4037451, 153.8344798, 131.4724844, 112.3611181}};

static const char *const NEAR = "rope.position[0:0]";

static void name_place(int place, int elements, char name[64])
{
    const double middle = DEGREES[place] / 180, half = 0.999 / elements; /* two elements */
    (void)snprintf(name, 64, "rope.tension[%.9f:%.9f]", middle - half, middle + half);
}

static void open_capstan(scenario_run *run, int elements)
{
    char name[PLACES][64];
    scenario_init(run, "capstan-history");
    for (int i = 0; i < PLACES; i++) {
        name_place(i, elements, name[i]);
    }
    scenario_set(run, "cables.rope.elements=%d", elements);
    scenario_set(run, "output.probes=['%s', '%s', '%s', '%s', '%s']", NEAR, name[0], name[1],
                 name[2], name[3]);
}

/* The same about a cylinder along z: a rope of 1 mm on a drum that is as much smaller. */
static void lift(scenario_run *run)
{
    scenario_set(run, "dimension=3");
    scenario_set(run, "gravity=[0, 0, 0]");
    scenario_set(run,
                 "bodies.drum={name: drum, type: rigid, shape: {type: cylinder, radius: 0.099}, "
                 "position: [0, 0, 0], motion: {fixed: true}}");
    scenario_set(run, "cables.rope.element=bezier-c0");
    scenario_set(run, "cables.rope.radius=1.0e-3");
    scenario_set(run, "cables.rope.from=[0.1, 0, 0]");
    scenario_set(run, "cables.rope.path=[{arc: {center: [0, 0, 0], radius: 0.1, angle_deg: 180}}]");
    scenario_set(run, "forces.rope.force=[0, {table: [[0, -100], [1, -180], [2, -120], [3, -150], "
                      "[4, -80], [5, -60], [6, -180]]}, 0]");
}

/*
 * With finite strains the tension is the same, and the drum holds R dx / (1 + T / EA) of material
 * at the angle dx: what it gives off hangs below it under the load F,
 *
 *     u = (1 + F / EA) (R / EA) int (T - T0) / ((1 + T0 / EA) (1 + T / EA)) dx.
 */
static double find_way(int load, double ea)
{
    enum { CELLS = 20000 };

    static const double LOAD[LOADS] = {180, 120, 150, 80, 60, 180};
    const double h = acos(-1.0) / CELLS;
    double sum = 0;
    for (int i = 0; i < CELLS; i++) {
        const double x = (i + 0.5) * h;
        double t = 100;
        for (int k = 0; k <= load; k++) {
            const bool rises = LOAD[k] > (k > 0 ? LOAD[k - 1] : 100);
            t = rises ? fmax(t, LOAD[k] * exp(-0.3 * x)) : fmin(t, LOAD[k] * exp(0.3 * x));
        }
        sum += (t - 100) / ((1 + 100 / ea) * (1 + t / ea));
    }
    return (1 + LOAD[load] / ea) * 0.1 / ea * h * sum;
}

/* Largest relative errors of u and of T. */
static void run_capstan(int dimension, int elements, double *way, double *tension)
{
    scenario_run run;
    open_capstan(&run, elements);
    if (dimension > 2) {
        lift(&run);
    }
    scenario_complete(&run);
    *way = *tension = 0;
    for (int k = 1; k <= LOADS; k++) {
        const double u = scenario_at(&run, 0, NEAR, 1) - scenario_at(&run, k, NEAR, 1);
        *way = fmax(*way, fabs(100 * u - ROW[k - 1][0]) / fabs(ROW[k - 1][0]));
        for (int i = 0; i < PLACES; i++) {
            char name[64];
            name_place(i, elements, name);
            const double t = scenario_at(&run, k, name, 0);
            *tension = fmax(*tension, fabs(t / ROW[k - 1][1 + i] - 1));
        }
    }
    const haw_ledger *ledger = &run.summary.ledger;
    assert_near(ledger->balance_drift, 0, 1e-10 * ledger->initial, 0);
    /* what slips forth and back comes back to where it was */
    assert_near(scenario_at(&run, LOADS, NEAR, 1), scenario_at(&run, 1, NEAR, 1), 1e-13, 0);
    print_message("%dD, %d elements: u to %.2g, T to %.2g\n", dimension, elements, *way, *tension);
    scenario_close(&run);
}

static void a_capstan_remembers_its_loads(void **state)
{
    (void)state;
    double way[3], tension[3];
    for (int i = 0; i < 3; i++) {
        run_capstan(2, 60 << i, &way[i], &tension[i]);
    }
    assert_true(way[1] < 1e-3 && tension[1] < 2e-4);
    assert_near(log2(tension[0] / tension[1]), 2, 0.15, 0);
    assert_near(log2(tension[1] / tension[2]), 2, 0.15, 0);
    assert_true(way[2] < 1e-4);
    run_capstan(3, 120, &way[0], &tension[0]);
    assert_true(way[0] < 1e-3 && tension[0] < 2e-4);
    assert_near(tension[0], tension[1], 0, 0.02);
}

/* A rope that is a hundred times as soft stretches by 0.5 %: its ways are 2 to 5 thousandths
 * smaller than those of small strains, and of second order in the mesh. */
static void a_soft_rope_takes_finite_strains(void **state)
{
    (void)state;
    double worst[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        open_capstan(&run, 60 << (2 * i));
        scenario_set(&run, "cables.rope.stiffness=4.0e+4");
        scenario_set(&run, "cables.rope.length=%.15f", 0.1 * acos(-1.0) / (1 + 100 / 4e4));
        scenario_complete(&run);
        for (int k = 1; k <= LOADS; k++) {
            const double u = scenario_at(&run, 0, NEAR, 1) - scenario_at(&run, k, NEAR, 1);
            const double wanted = find_way(k - 1, 4e4);
            assert_near(find_way(k - 1, 4e12) * 1e8, ROW[k - 1][0], 0, 1e-7);
            worst[i] = fmax(worst[i], fabs(u / wanted - 1));
        }
        scenario_close(&run);
    }
    print_message("finite strains: u to %.2g with 60, %.2g with 240 elements\n", worst[0],
                  worst[1]);
    assert_true(worst[1] < 1e-3 && worst[1] < 0.3 * worst[0]);
}

/* Energy lost until t. */
static double lose(double step, double t)
{
    scenario_run run;
    scenario_init(&run, "capstan-history");
    scenario_set(&run, "cables.rope.elements=240");
    scenario_set(&run,
                 "forces.rope.force=[0, {table: [[0, -100], [1, -180], [2, -120], [3, -180]]}]");
    scenario_set(&run, "stepper={type: quasi-static, step: %g, end: %g}", step, t);
    scenario_complete(&run);
    const double loss = run.summary.ledger.friction_loss;
    scenario_close(&run);
    return 100 * loss;
}

/* From 180 N to 120 N and back: the mean of the forces at the ends of a step is of second order in
 * it. */
static void a_cycle_of_loads_loses_its_energy(void **state)
{
    (void)state;
    static const double LOSS = 1.010205144e-3;
    const double coarse = (lose(0.05, 3) - lose(0.05, 1)) / LOSS - 1,
                 fine = (lose(0.025, 3) - lose(0.025, 1)) / LOSS - 1;
    print_message("cycle loss: %.3g at 0.05, %.3g at 0.025\n", coarse, fine);
    assert_near(fine, 0, 1e-3, 0);
    assert_near(log2(coarse / fine), 2, 0.15, 0);
}

/*
 * A rope without tension on the drum, T1 and T2 brought up at both ends in proportion: they fall
 * towards a point at alpha = (W - ln(T2 / T1) / mu) / 2 from the first end, with T1 exp(-mu alpha).
 */
static void loads_at_both_ends_meet_on_the_drum(void **state)
{
    (void)state;

    enum { ELEMENTS = 240 };

    static const double ALPHA = 0.4721840381, LEAST = 0.7897080024;
    const double pi = acos(-1.0), half = 0.999 / ELEMENTS;
    const double place[] = {9.0 / ELEMENTS, 36.0 / ELEMENTS, 0.5, 0.75};
    scenario_run run;
    scenario_init(&run, "capstan-history");
    scenario_set(&run, "start=given");
    scenario_set(&run, "stepper={type: static}");
    scenario_set(&run, "cables.rope.elements=%d", ELEMENTS);
    scenario_set(&run, "cables.rope.length=%.15f", 0.2 * ELEMENTS * sin(pi / (2 * ELEMENTS)));
    scenario_set(&run, "cables.rope.ends={start: free, end: free}");
    scenario_set(&run, "forces=[{target: rope, point: 0, force: [0, -1]}, "
                       "{target: rope, point: 1, force: [0, -3]}]");
    scenario_set(&run, "contact.friction=0.5");
    char name[4][64];
    for (int i = 0; i < 4; i++) {
        (void)snprintf(name[i], sizeof name[i], "rope.tension[%.9f:%.9f]", place[i] - half,
                       place[i] + half);
    }
    scenario_set(&run, "output.probes=['%s', '%s', '%s', '%s']", name[0], name[1], name[2],
                 name[3]);
    scenario_complete(&run);
    for (int i = 0; i < 4; i++) {
        const double x = pi * place[i];
        const double exact = x < ALPHA ? exp(-0.5 * x) : 3 * exp(-0.5 * (pi - x));
        const double found = scenario_last(&run, name[i], 0);
        print_message("T at %.4g: %.8g, exact %.8g\n", x, found, exact);
        assert_near(found, exact, 0, i == 1 ? 6e-3 : 1e-4); /* place 1 is at the kink of T */
    }
    assert_near(3 * exp(-0.5 * (pi - ALPHA)), LEAST, 1e-9, 0);
    scenario_close(&run);
}

/* Frames that are four steps apart show the same contact forces as frames of every step: those of
 * the equilibrium. */
static void frames_show_the_contact_forces_of_their_equilibrium(void **state)
{
    (void)state;
    double force[2][2];
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        scenario_init(&run, "capstan-history");
        scenario_set(&run, "stepper.step=0.25");
        scenario_set(&run, "stepper.end=1");
        scenario_set(&run, "output.every=%g", i == 0 ? 0.25 : 1.0);
        scenario_set(&run, "output.probes=[contact.force]");
        scenario_complete(&run);
        for (int k = 0; k < 2; k++) {
            force[i][k] = scenario_last(&run, "contact.force", k);
        }
        scenario_close(&run);
    }
    assert_near(force[1][0], force[0][0], 1e-9 * fabs(force[0][1]), 0);
    assert_near(force[1][1], force[0][1], 0, 1e-12);
}

TEST_FILE(test_friction_history)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_capstan_remembers_its_loads),
        cmocka_unit_test(a_soft_rope_takes_finite_strains),
        cmocka_unit_test(a_cycle_of_loads_loses_its_energy),
        cmocka_unit_test(loads_at_both_ends_meet_on_the_drum),
        cmocka_unit_test(frames_show_the_contact_forces_of_their_equilibrium),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
