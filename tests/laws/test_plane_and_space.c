/* SPDX-License-Identifier: BSD-3-Clause */
/* Cables that collide in the plane, with each other and with their section around them on a disk:
 * the same scene in a tilted plane of space moves alike, whatever the element, the law and the
 * stepper; between cables momenta and energy are kept. */
#include "base/lie.h"
#include "support/rig.h"
#include "support/scenario.h"

#include <math.h>
#include <stdarg.h>

/* Orthonormal directions of the plane. */
static const double along[3] = {2.0 / 3, 1.0 / 3, 2.0 / 3}, up[3] = {-2.0 / 3, 2.0 / 3, 1.0 / 3};

typedef struct motion {
    const char *element, *law, *stepper;
} motion;

/* The first ones collide with each other, the others on the disk. */
enum { COLLISIONS = 7 };

static const motion motions[] = {
    {"bezier", "law: hard, friction: 0.3", "type: moreau, step: 2.0e-5"},
    {"bezier-c0", "law: hard, friction: 0.3, restitution: 0.6", "type: moreau, step: 2.0e-5"},
    {"chain", "law: hard, friction: 0.3",
     "type: moreau-jean, step: 1.0e-4, newton_tolerance: 1.0e-12"},
    {"bezier", "law: hard, friction: 0.3, restitution: 0.5",
     "type: moreau-jean, step: 3.0e-5, newton_tolerance: 1.0e-12"},
    {"bezier", "law: hard, friction: 0.3", "type: nsga, step: 1.0e-4, newton_tolerance: 1.0e-12"},
    {"bezier", "law: penalty, friction: 0.3, normal_stiffness: 2.0e4, tangential_stiffness: 1.0e4",
     "type: generalized-alpha, step: 1.0e-4, newton_tolerance: 1.0e-12"},
    {"chain", "law: penalty, friction: 0.3, normal_stiffness: 2.0e4, regularization_velocity: 0.01",
     "type: nsga, step: 1.0e-4, newton_tolerance: 1.0e-12"},
    {"bezier", "law: hard, friction: 0.3", "type: moreau, step: 2.0e-5"},
    {"chain", "law: hard, friction: 0.3",
     "type: moreau-jean, step: 1.0e-4, newton_tolerance: 1.0e-12, contact_law: position"},
    {"bezier", "law: penalty, friction: 0.3, normal_stiffness: 2.0e4, tangential_stiffness: 1.0e4",
     "type: generalized-alpha, step: 1.0e-4, newton_tolerance: 1.0e-12"},
};

enum { MOTIONS = sizeof motions / sizeof *motions, TEXT = 4096, AWAY = 0x7fffffff };

static void write_place(char *text, size_t size, int dimension, double x, double y)
{
    if (dimension == 2) {
        (void)snprintf(text, size, "[%.17g, %.17g]", x, y);
        return;
    }
    (void)snprintf(text, size, "[%.17g, %.17g, %.17g]", x * along[0] + y * up[0],
                   x * along[1] + y * up[1], x * along[2] + y * up[2]);
}

/* One cable falls with an end, aslant, on the other off its middle, or on the disk below. */
static void describe(const motion *m, int dimension, double end, char *text)
{
    static const double place[6][2] = {{0, 0},     {1, 0.05}, {0.42, 0.055},
                                       {0.3, 0.6}, {1.1, -2}, {0.45, -0.08}};
    char at[6][96];
    for (int i = 0; i < 6; i++) {
        write_place(at[i], sizeof at[i], dimension, place[i][0], place[i][1]);
    }
    (void)snprintf(text, TEXT,
                   "hawser: 1\ndimension: %d\ngravity: [0, 0%s]\nstart: given\n"
                   "bodies: [{name: disk, shape: {type: %s, radius: 0.1}, position: %s, motion: "
                   "{fixed: true}}]\ncables:\n"
                   "  - {name: a, element: %s, elements: 8, from: %s, to: %s, stiffness: 2000, "
                   "density: 0.1, radius: 0.01, ends: {start: free, end: free}}\n"
                   "  - {name: b, element: %s, elements: 7, from: %s, to: %s, stiffness: 3000, "
                   "density: 0.08, radius: 0.012, velocity: %s, ends: {start: free, end: free}}\n"
                   "contact: [{between: [%s, b], points_per_element: 16, %s}]\n"
                   "stepper: {%s, end: %.3g}\nsolver: {type: auto, tolerance: 1.0e-12}\n"
                   "output: {every: 2.0e-3, probes: [a.position, b.position, contact.impulse]}\n",
                   dimension, dimension == 2 ? "" : ", 0", dimension == 2 ? "circle" : "sphere",
                   at[5], m->element, at[0], at[1], m->element, at[2], at[3], at[4],
                   m - motions < COLLISIONS ? "a" : "disk", m->law, m->stepper, end);
}

static void open_motion(scenario_run *run, const motion *m, int dimension, char *text)
{
    describe(m, dimension, 0.02, text);
    scenario_init(run, "collision");
    run->text = text;
}

/* Impulse and moment on the second cable, or on the disk. */
static double compare_impulses(const scenario_run run[2])
{
    const double x = scenario_last(&run[0], "contact.impulse", 0);
    const double y = scenario_last(&run[0], "contact.impulse", 1);
    const double moment = scenario_last(&run[0], "contact.impulse", 2);
    double most = 0, across[3];
    vec3_cross(along, up, across);
    for (int c = 0; c < 3; c++) {
        const double force = scenario_last(&run[1], "contact.impulse", c);
        const double turn = scenario_last(&run[1], "contact.impulse", 3 + c);
        most = fmax(most, fabs(force - x * along[c] - y * up[c]));
        most = fmax(most, fabs(turn - moment * across[c]));
    }
    return most;
}

static void the_plane_is_any_plane_of_space(void **state)
{
    (void)state;
    for (int i = 0; i < MOTIONS; i++) {
        static char text[2][TEXT];
        scenario_run run[2];
        double most = 0;
        for (int k = 0; k < 2; k++) {
            open_motion(&run[k], &motions[i], 2 + k, text[k]);
            scenario_complete(&run[k]);
        }
        for (int cable = 0; cable < 2; cable++) {
            const char *probe = cable == 0 ? "a.position" : "b.position";
            const double x = scenario_last(&run[0], probe, 0), y = scenario_last(&run[0], probe, 1);
            for (int c = 0; c < 3; c++) {
                const double in_space = scenario_last(&run[1], probe, c);
                most = fmax(most, fabs(in_space - x * along[c] - y * up[c]));
            }
        }
        print_message("%s, %s: %.2g m after %d contacts\n", motions[i].element, motions[i].stepper,
                      most, run[0].summary.certificate.contacts_max);
        assert_in_range(run[0].summary.certificate.contacts_max, 1, AWAY);
        assert_true(run[0].summary.ledger.friction_loss > 1e-5);
        assert_near(most, 0, 1e-10, 0);
        assert_true(fabs(scenario_last(&run[0], "contact.impulse", 1)) > 1e-4);
        assert_near(compare_impulses(run), 0, 1e-10, 0);
        scenario_close(&run[0]);
        scenario_close(&run[1]);
    }
}

/* ---- what is kept ---- */

typedef struct balance {
    bool is_open;
    double start[3], drift[3];
} balance;

static void weigh(scenario_run *run, const haw_frame *frame, void *user)
{
    balance *b = user;
    double p[3];
    const rig r = {.simulation = run->simulation, .state = frame->state};
    rig_momentum(&r, p);
    for (int i = 0; i < 3; i++) {
        b->start[i] = b->is_open ? b->start[i] : p[i];
        b->drift[i] = fmax(b->drift[i], fabs(p[i] - b->start[i]));
    }
    b->is_open = true;
}

/* Friction acts on the centrelines of strings: at the distance of both radii it makes a moment, so
 * that angular momentum is kept without friction, and by the midpoint rule: the others have means
 * of the forces at both ends of a step (test_spin_kept.c). */
static void momenta_and_energy_are_kept(void **state)
{
    (void)state;
    for (int i = 0; i < COLLISIONS; i++) {
        static char text[TEXT];
        scenario_run run;
        balance kept = {.is_open = false};
        open_motion(&run, &motions[i], 2, text);
        scenario_set(&run, "contact.friction=0");
        run.look = weigh;
        run.user = &kept;
        scenario_complete(&run);
        const bool is_midpoint = strstr(motions[i].stepper, "moreau,") != NULL;
        print_message("%s, %s: momenta %.2g, %.2g, %.2g, ledger %.2g J\n", motions[i].element,
                      motions[i].stepper, kept.drift[0], kept.drift[1], kept.drift[2],
                      run.summary.ledger.balance_error);
        assert_in_range(run.summary.certificate.contacts_max, 1, AWAY);
        for (int k = 0; k < (is_midpoint ? 3 : 2); k++) {
            assert_near(kept.drift[k], 0, 1e-12, 0);
        }
        assert_near(run.summary.ledger.balance_error, 0, 1e-12, 0);
        scenario_close(&run);
    }
}

/* ---- corners ---- */

/* A chain that is drawn with corners, as from the plane so from space: it falls alike. */
static void chains_take_corners_in_space(void **state)
{
    static const char *const scene[] = {
        "hawser: 1\ngravity: [0, -9.81]\n"
        "cables:\n"
        "  - {name: chain, element: chain, elements: 18, from: [0, 0], path: [{line: [0.3, 0]},"
        " {line: [0.3, 0.2]}, {line: [0.5, 0.2]}, {line: [0.5, 0]}], stiffness: 1.0e+3,"
        " density: 0.1, ends: {start: pinned, end: free}}\n"
        "start: given\n"
        "stepper: {type: moreau-jean, step: 1.0e-3, end: 0.1, contact_law: position,"
        " newton_tolerance: 1.0e-12}\n"
        "output: {every: 0.1, probes: [\"chain.position[0.6:0.6]\"]}\n",
        "hawser: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
        "cables:\n"
        "  - {name: chain, element: chain, elements: 18, from: [0, 0, 0], path: [{line: [0, 0.3,"
        " 0]}, {line: [0, 0.3, 0.2]}, {line: [0, 0.5, 0.2]}, {line: [0, 0.5, 0]}],"
        " stiffness: 1.0e+3, density: 0.1, ends: {start: pinned, end: free}}\n"
        "start: given\n"
        "stepper: {type: moreau-jean, step: 1.0e-3, end: 0.1, contact_law: position,"
        " newton_tolerance: 1.0e-12}\n"
        "output: {every: 0.1, probes: [\"chain.position[0.6:0.6]\"]}\n"};

    double place[2][2][2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        scenario_init(&run, "chain");
        run.text = scene[i];
        scenario_complete(&run);
        for (int k = 0; k < 4; k++) {
            place[i][k / 2][k % 2] = scenario_at(&run, k / 2, "chain.position[0.6:0.6]", i + k % 2);
        }
        scenario_close(&run);
    }
    assert_near(place[1][0][0], 0.34, 1e-9, 0); /* 0.54 along, of 0.3 + 0.2 + 0.2 + 0.2 */
    assert_near(place[1][0][1], 0.2, 1e-9, 0);
    for (int k = 0; k < 4; k++) {
        assert_near(place[1][k / 2][k % 2], place[0][k / 2][k % 2], 1e-10, 0);
    }
}

TEST_FILE(test_plane_and_space)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plane_is_any_plane_of_space),
        cmocka_unit_test(momenta_and_energy_are_kept),
        cmocka_unit_test(chains_take_corners_in_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
