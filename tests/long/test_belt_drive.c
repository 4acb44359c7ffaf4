/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The published belt drive (K. Ntarladima, M. Pieber, J. Gerstmayr, Nonlinear Dynamics 2023) over
 * its 2.45 s: figures against the published result files, capstan law on the slip arcs, cost.
 */
#include "support/belt.h"
#include "support/validation.h"

#include <math.h>

/* What the published table gives of the nominal case. */
#define TIGHT  665.2227 /* N */
#define SLACK  186.6516 /* N */
#define SPEED  11.34075 /* mean of P2 over (2.25, 2.45] s [rad/s] */
#define TORQUE 47.683   /* mean over the same window [N m] */

typedef struct figures {
    double tight, slack, distance;
    belt_profile profile;
    scenario_run run;
} figures;

static void ride(figures *f, int sets, const char *const *set)
{
    scenario_init(&f->run, "belt-drive");
    scenario_set(&f->run, "output.probes=[%s]",
                 "p2.spin, {name: omega_p2_mean, of: p2.spin, mean_over: 0.2}, "
                 "{name: torque_p1_mean, of: p1.torque, mean_over: 0.2}, "
                 "{name: creep, of: belt.creep}, "
                 "{name: mu_effective_p1, of: belt-p1.friction_effective}, "
                 "{name: mu_effective_p2, of: belt-p2.friction_effective}, "
                 "{name: deviation_p1, of: belt-p1.friction_effective_deviation}, "
                 "{name: deviation_p2, of: belt-p2.friction_effective_deviation}");
    for (int i = 0; i < sets; i++) {
        scenario_set(&f->run, "%s", set[i]);
    }
    scenario_open(&f->run);
    if (scenario_try(&f->run) != HAW_OK) {
        fail_msg("%s", haw_context_message(f->run.context));
    }
    f->profile = belt_tension(f->run.simulation);
    f->tight = belt_tight(&f->profile);
    f->slack = belt_slack(&f->profile);
    belt_profile published = belt_file("nominal_n240_force");
    f->distance = belt_distance(&f->profile, &published);
    belt_free(&published);
}

static void report(const char *what, const figures *f)
{
    const haw_certificate *c = &f->run.summary.certificate;
    print_message("%s: F1 %.4f N, F2 %.4f N, omega %.6f rad/s, torque %.4f N m, creep %.5f, "
                  "distance %.3g, mu %.5f %.5f\n",
                  what, f->tight, f->slack, belt_probe(&f->run, "omega_p2_mean"),
                  belt_probe(&f->run, "torque_p1_mean"), belt_probe(&f->run, "creep"), f->distance,
                  belt_probe(&f->run, "mu_effective_p1"), belt_probe(&f->run, "mu_effective_p2"));
    print_message("    CPU %.2f s, %ld steps, %ld Newton iterations, %ld factorizations, "
                  "%.1f us per iteration, %ld rejected, %ld unconverged\n",
                  f->run.summary.cpu_seconds, f->run.summary.steps, c->newton_iterations,
                  c->factorizations,
                  1e6 * f->run.summary.cpu_seconds / (double)c->newton_iterations,
                  c->rejected_steps, c->unconverged_steps);
}

static void finish(figures *f)
{
    belt_free(&f->profile);
    scenario_close(&f->run);
}

/* Effective friction on the slip arcs, fitted as in the published comparison but with the true arc
 * angle: Coulomb's 0.5. */
static void check_capstan(const figures *f)
{
    assert_near(belt_probe(&f->run, "mu_effective_p1"), 0.5, 1e-3, 0);
    assert_near(belt_probe(&f->run, "mu_effective_p2"), 0.5, 1e-3, 0);
    assert_true(belt_probe(&f->run, "deviation_p1") < 3e-3);
    assert_true(belt_probe(&f->run, "deviation_p2") < 3e-3);
}

static void test_published_switching_gives_the_published_figures(void **state)
{
    (void)state;
    static const char *const set[] = {"contact.switching=post-newton"};
    figures f;
    ride(&f, 1, set);
    report("published switching", &f);
    assert_near(f.tight, TIGHT, 0.1, 0);
    assert_near(f.slack, SLACK, 0.1, 0);
    assert_near(belt_probe(&f.run, "omega_p2_mean"), SPEED, 1e-3, 0);
    assert_true(f.distance <= 1e-3);
    finish(&f);
}

static void test_the_return_map_agrees_and_obeys_the_capstan_law(void **state)
{
    (void)state;
    figures f;
    ride(&f, 0, NULL);
    report("return map", &f);
    assert_near(f.tight, TIGHT, 0.3, 0);
    assert_near(f.slack, SLACK, 0.3, 0);
    assert_near(belt_probe(&f.run, "omega_p2_mean"), SPEED, 3e-3, 0);
    assert_int_equal(f.run.summary.certificate.unconverged_steps, 0);
    check_capstan(&f);
    finish(&f);
}

static void test_twice_the_step_gives_the_same_profile(void **state)
{
    (void)state;
    static const char *const set[] = {"stepper.step=1.0e-4"};
    figures f;
    ride(&f, 1, set);
    report("return map, 1e-4 s", &f);
    assert_near(f.tight, TIGHT, 0.3, 0);
    assert_near(f.slack, SLACK, 0.3, 0);
    assert_int_equal(f.run.summary.certificate.unconverged_steps, 0);
    finish(&f);
}

static void test_hard_contact_balances_the_torque_and_obeys_the_capstan_law(void **state)
{
    (void)state;
    static const char *const set[] = {"contact.law=hard", "stepper.type=moreau-jean",
                                      "stepper.step=1.0e-3", "contact.points_per_element=2"};
    figures f;
    ride(&f, 4, set);
    report("hard contact", &f);
    const double torque = belt_probe(&f.run, "torque_p1_mean");
    assert_near((f.tight - f.slack) * 0.1, torque, 0, 5e-3);
    assert_near(torque, TORQUE, 0, 5e-3);
    check_capstan(&f);
    finish(&f);
}

/* Chords that count their length as it is converge to the curve with its square. */
static void test_chords_converge_to_the_curve(void **state)
{
    (void)state;
    static const int chords[] = {4, 8, 16, 32};

    enum { COUNT = 4 };

    double distance[COUNT];
    figures curve, f;
    static const char *const on_curve[] = {"contact.kinematics=curve",
                                           "contact.points_per_element=32"};
    ride(&curve, 2, on_curve);
    for (int i = 0; i < COUNT; i++) {
        char points[64];
        snprintf(points, sizeof points, "contact.points_per_element=%d", chords[i]);
        const char *const set[] = {"contact.chord_length=deformed", points};
        ride(&f, 2, set);
        distance[i] = belt_distance(&f.profile, &curve.profile);
        print_message("%d chords: distance %.3g\n", chords[i], distance[i]);
        finish(&f);
    }
    print_message("order over all %.2f\n", log2(distance[0] / distance[COUNT - 1]) / (COUNT - 1));
    assert_true(distance[COUNT - 1] <= 1e-4);
    finish(&curve);
}

/* The nominal drive in the plane and in space: spans, speed and torque at the end.
 * @param missed  steps in the plane that may miss their tolerance, however often they are halved */
static void compare_belts(const char *figure, int sets, const char *const *of_plane,
                          const char *of_space, int missed)
{
    static const char *const scenario[] = {"belt-drive", "belt-drive-space"};
    static const char *const probe[] = {"tension_tight", "tension_slack", "omega_p2_mean",
                                        "torque_p1_mean"};
    scenario_run run[2];
    double tolerance, reference;
    assert_true(haw_validation("belt-drive-space", figure, &reference, &tolerance));
    for (int i = 0; i < 2; i++) {
        scenario_init(&run[i], scenario[i]);
        for (int k = 0; k < sets && i == 0; k++) {
            scenario_set(&run[i], "%s", of_plane[k]);
        }
        scenario_set(&run[i], "%s", i == 0 ? "output.every=1.0e-2" : of_space);
        scenario_open(&run[i]);
        assert_int_equal(scenario_try(&run[i]), HAW_OK);
        assert_true(run[i].summary.certificate.unconverged_steps <= (i == 0 ? missed : 0));
    }
    for (int k = 0; k < 4; k++) {
        const double planar = belt_probe(&run[0], probe[k]), here = belt_probe(&run[1], probe[k]);
        print_message("%s: %.4f, in the plane %.4f, %.2g\n", probe[k], here, planar,
                      here / planar - 1);
        assert_near(here, planar, 0, tolerance);
    }
    scenario_close(&run[0]);
    scenario_close(&run[1]);
}

static void test_chords_in_space_are_those_of_the_plane(void **state)
{
    (void)state;
    compare_belts("F1 and F2 at 2.45 s; chords", 0, NULL, "contact.kinematics=chord", 0);
}

/* The same points on the curve, on which friction acts as well. One of the 49 000 steps in the
 * plane misses its tolerance. */
static void test_the_belt_in_space_is_the_planar_one(void **state)
{
    static const char *const on_curve[] = {
        "contact.kinematics=curve", "contact.normals=point",      "contact.offset=0",
        "contact.arm=distance",     "bodies.p1.shape.radius=0.1", "bodies.p2.shape.radius=0.1"};
    (void)state;
    compare_belts("F1 and F2 at 2.45 s", 6, on_curve, "contact.kinematics=curve", 1);
}

TEST_FILE(test_belt_drive)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_switching_gives_the_published_figures),
        cmocka_unit_test(test_the_return_map_agrees_and_obeys_the_capstan_law),
        cmocka_unit_test(test_twice_the_step_gives_the_same_profile),
        cmocka_unit_test(test_chords_converge_to_the_curve),
        cmocka_unit_test(test_the_belt_in_space_is_the_planar_one),
        cmocka_unit_test(test_chords_in_space_are_those_of_the_plane),
        cmocka_unit_test(test_hard_contact_balances_the_torque_and_obeys_the_capstan_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
