/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A closed cable drawn as a circle of radius R, of the length 2 pi R (1 - e): its hoop force drives
 * it towards its own radius r = R (1 - e), as an oscillator of frequency sqrt(EA / rho) / r, exact
 * for forces EA times the strain; of a chain r is that of its polygon. Every element that closes,
 * every stepper, in the plane and in space.
 */
#include "base/lie.h"
#include "model/dynamics.h"
#include "support/scenario.h"

static const char ring[] =
    "hawser: 1\n"
    "bodies: []\n"
    "gravity: [0, 0]\n"
    "cables:\n"
    "  - {name: ring, element: bezier, elements: 60, closed: true, from: [0, 0.3],\n"
    "     path: [{arc: {center: [0, 0], radius: 0.3, angle_deg: -180}},\n"
    "            {arc: {center: [0, 0], radius: 0.3, angle_deg: -180}}],\n"
    "     stiffness: 5.0e+3, density: 0.2, length: 1}\n"
    "start: given\n"
    "stepper: {type: moreau-jean, theta: 0.5, step: 1.0e-5, end: 2.5e-3}\n"
    "output: {every: 1.0e-3, probes: ['ring.position[0:0]', 'ring.position[0.25:0.25]']}\n";

enum { ELEMENTS = 60 };

static const double pi = 3.14159265358979324, radius = 0.3, slack = 4e-3;

static void open_ring(scenario_run *run, int dimension, const char *element)
{
    const bool turns = strchr(element, '3') != NULL || strcmp(element, "corotational") == 0;
    scenario_init(run, "ring");
    run->text = ring;
    if (dimension == 3) {
        scenario_set(run, "dimension=3");
        scenario_set(run, "gravity=[0, 0, 0]");
        scenario_set(run, "cables.ring.from=[0, 0.3, 0]");
        scenario_set(run,
                     "cables.ring.path=[{arc: {center: [0, 0, 0], radius: 0.3, angle_deg: -180}}, "
                     "{arc: {center: [0, 0, 0], radius: 0.3, angle_deg: -180}}]");
    }
    if (turns || strcmp(element, "ancf") == 0) {
        scenario_set(run, "cables.ring.bending_stiffness=1.0e-5");
    }
    if (turns) {
        scenario_set(run, "cables.ring.torsional_stiffness=1.0e-5");
        scenario_set(run, "cables.ring.radius=1.0e-3");
    }
    scenario_set(run, "cables.ring.element=%s", element);
}

static void check(int dimension, const char *element, const char *stepper)
{
    const double length = 2 * pi * radius * (1 - slack), chords = 2 * ELEMENTS * sin(pi / ELEMENTS);
    const double own = length / (strcmp(element, "chain") == 0 ? chords : 2 * pi);
    const double want = own + (radius - own) * cos(sqrt(5e3 / 0.2) / own * 2.5e-3);
    scenario_run run;
    open_ring(&run, dimension, element);
    scenario_set(&run, "cables.ring.length=%.17g", length);
    scenario_set(&run, "stepper={%s, end: 2.5e-3}", stepper);
    scenario_complete(&run);
    for (int i = 0; i < 2; i++) {
        const char *probe = i == 0 ? "ring.position[0:0]" : "ring.position[0.25:0.25]";
        const double r = hypot(scenario_last(&run, probe, 0), scenario_last(&run, probe, 1));
        assert_near((r - want) / (radius * slack), 0, 2e-3, 0);
    }
    scenario_close(&run);
}

static void a_ring_breathes(void **state)
{
    static const char *const elements[] = {"chain", "bezier",    "bezier-c0",   "ancf",
                                           "se3",   "se3-chord", "corotational"};
    static const char *const steppers[] = {
        "type: moreau, step: 1.0e-6", "type: moreau-jean, theta: 0.5, step: 1.0e-5",
        "type: generalized-alpha, rho_infinity: 0.9, step: 1.0e-5",
        "type: nsga, rho_infinity: 0.9, step: 1.0e-5"};
    (void)state;
    for (int i = 0; i < 4 * 7; i++) {
        check(3, elements[i / 4], steppers[i % 4]);
        if (i < 4 * 4) {
            check(2, elements[i / 4], steppers[i % 4]);
        }
    }
}

/* -Omega x J Omega at every node, J what the masses say of it: where the ring closes, too, as one
 * node and not as two halves. */
static void a_ring_has_no_seam(void **state)
{
    static const char *const elements[] = {"se3", "se3-chord", "corotational"};

    enum { NODE = 6, DOFS = NODE * (ELEMENTS + 1) };

    (void)state;
    for (int i = 0; i < 3; i++) {
        double u[DOFS], ones[DOFS], mass[DOFS], all[4][DOFS];
        scenario_run run;
        open_ring(&run, 3, elements[i]);
        scenario_open(&run);
        const haw_state *own = haw_simulation_frame(run.simulation)->state;
        assert_int_equal(own->dofs, DOFS);
        for (int k = 0; k < DOFS; k++) {
            u[k] = 10 * sin(1.0 + k % (DOFS - NODE));
            ones[k] = 1;
        }
        const haw_forces forces = {all[0], all[1], all[2], all[3]};
        haw_model_mass(run.model, ones, mass);
        haw_model_forces(run.model, 0, 1, own->q, u, &forces);
        for (int node = 0; node <= ELEMENTS; node++) {
            double momentum[3], moment[3];
            for (int k = 0; k < 3; k++) {
                momentum[k] = mass[NODE * node + 3 + k] * u[NODE * node + 3 + k];
            }
            vec3_cross(momentum, u + NODE * node + 3, moment);
            for (int k = 0; k < 3; k++) {
                assert_near(forces.gyroscopic[NODE * node + 3 + k], moment[k], 1e-20, 1e-12);
            }
        }
        scenario_close(&run);
    }
}

TEST_FILE(test_rings)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_breathes),
        cmocka_unit_test(a_ring_has_no_seam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
