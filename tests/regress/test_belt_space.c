/* SPDX-License-Identifier: BSD-3-Clause */
/* A closed belt in space: on parallel pulleys the one of the plane, on skew ones it walks. */
#include "model/model.h"
#include "support/scenario.h"

#include <math.h>

/* Mean height of the nodes [m] at 1 s and at the end, and means of probes from 1 s on. */
typedef struct heights {
    double first, last;
    double spin, torque; /* [rad/s], [N m] */
    int frames;
} heights;

static double mean_height(const haw_frame *frame)
{
    const haw_cable *cable = &frame->model->cable[0];
    double sum = 0;
    for (int n = 0; n < cable->line.elements; n++) {
        sum += frame->state->q[cable->ops->node_q(cable, n) + 2];
    }
    return sum / cable->line.elements;
}

static void look(scenario_run *run, const haw_frame *frame, void *user)
{
    heights *h = user;
    (void)run;
    h->first = frame->t < 1.0005 ? mean_height(frame) : h->first;
    h->last = mean_height(frame);
    if (frame->t > 1.0005) {
        h->frames++;
        h->spin += (frame->probe[0] - h->spin) / h->frames;
        h->torque += (frame->probe[1] - h->torque) / h->frames;
    }
}

static heights turn(double skew, double end)
{
    const double half = 0.5 * skew * acos(-1) / 180;
    scenario_run run;
    heights h = {0};
    scenario_init(&run, "belt-skew");
    scenario_set(&run, "bodies.p2.orientation=[%.17g, %.17g, 0, 0]", cos(half), sin(half));
    scenario_set(&run, "stepper.end=%g", end);
    run.look = look;
    run.user = &h;
    scenario_complete(&run);
    assert_true(run.summary.certificate.residual_max <= 1e-8);
    assert_true(run.summary.certificate.unconverged_steps == 0);
    scenario_close(&run);
    return h;
}

/* 2 R sin(skew) in each circuit, of two turns of the pulley: 12 rad from 1 s to 2 s. */
static void a_belt_walks_on_skew_pulleys(void **state)
{
    (void)state;
    const double pi = acos(-1);
    const heights h = turn(1, 2);
    const double want = 2 * 0.1 * sin(pi / 180) * 12 / (4 * pi);
    print_message("walked %.6f mm (%.6f), from %.6f\n", 1e3 * (h.last - h.first), 1e3 * want,
                  1e3 * h.first);
    assert_near(fabs(h.last - h.first), want, 0, 0.03);
}

/* What is in a plane stays there; the driving pulley has the torque of the driven one's damper, and
 * of what damps the belt: a contact that made energy would take it over. */
static void a_belt_on_parallel_pulleys_stays_in_its_plane(void **state)
{
    (void)state;
    const heights h = turn(0, 1.5);
    print_message("height %.3g, spin %.6f, torque %.6f\n", h.last, h.spin, h.torque);
    assert_near(h.last, 0, 1e-12, 0);
    assert_near(h.spin, 12, 0.05, 0);
    assert_near(h.torque, 0.1 * h.spin, 0, 0.02);
}

/* The drive with the penalty law and the bristles of the plane, a fourth of its elements and its
 * first 0.1 s. */
static void check_drive(const char *const *of_plane, const char *const *of_space, double of_creep)
{
    static const char *const probe[] = {
        "belt.tension_tight", "belt.tension_slack", "p2.spin",
        "belt.creep",         "belt-p1.slip_angle", "belt-p2.slip_angle"};

    enum { PROBES = 6 };

    double v[2][PROBES];
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        scenario_init(&run, i == 0 ? "belt-drive" : "belt-drive-space");
        scenario_set(&run, "cables.belt.elements=60");
        scenario_set(&run, "stepper.end=0.1");
        scenario_set(&run, "output.every=0.02");
        scenario_set(&run, "output.probes=[%s, %s, %s, %s, %s, %s]", probe[0], probe[1], probe[2],
                     probe[3], probe[4], probe[5]);
        for (const char *const *set = i == 0 ? of_plane : of_space; *set != NULL; set++) {
            scenario_set(&run, "%s", *set);
        }
        scenario_complete(&run);
        for (int k = 0; k < PROBES; k++) {
            v[i][k] = scenario_last(&run, probe[k], 0);
        }
        scenario_close(&run);
    }
    for (int k = 0; k < PROBES; k++) {
        print_message("%s %.7f (%.7f)\n", probe[k], v[1][k], v[0][k]);
        assert_near(v[1][k], v[0][k], k == 3 ? of_creep : 0, 2e-6); /* part of the speed */
    }
}

/* Contact and friction are on the centreline. */
static void a_driven_belt_is_that_of_the_plane(void **state)
{
    static const char *const on_curve[] = {"contact.kinematics=curve",
                                           "contact.normals=point",
                                           "contact.offset=0",
                                           "contact.arm=distance",
                                           "bodies.p1.shape.radius=0.1",
                                           "bodies.p2.shape.radius=0.1",
                                           NULL};
    static const char *const here[] = {NULL};
    (void)state;
    check_drive(on_curve, here, 1e-5);
}

/* Bristles measure their way on the centreline, in the plane on the pulley: creep 2e-4 apart. */
static void its_chords_are_those_of_the_plane(void **state)
{
    static const char *const on_chords[] = {"contact.offset=0", "contact.arm=distance",
                                            "bodies.p1.shape.radius=0.1",
                                            "bodies.p2.shape.radius=0.1", NULL};
    static const char *const here[] = {"contact.kinematics=chord", "contact.arm=distance", NULL};
    (void)state;
    check_drive(on_chords, here, 2e-4);
}

TEST_FILE(test_belt_space)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_belt_walks_on_skew_pulleys),
        cmocka_unit_test(a_driven_belt_is_that_of_the_plane),
        cmocka_unit_test(its_chords_are_those_of_the_plane),
        cmocka_unit_test(a_belt_on_parallel_pulleys_stays_in_its_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
