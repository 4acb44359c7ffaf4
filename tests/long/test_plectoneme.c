/* SPDX-License-Identifier: BSD-3-Clause */
/* A twisted rod that winds itself up, against the energy of its helices at its own angle and radius
 * (doc/theory/cable-cable.md). */
#include "support/scenario.h"

static const double pi = 3.14159265358979323846;
static const double radius = 1.55e-3, bending = 5.8933e-6, axial = 200;

enum { APART = 4 }; /* touches, about a radian of a turn */

typedef struct helix {
    int pairs;
    double alpha, radius; /* means over the middle half of the touches */
} helix;

static void cross(const double a[3], const double b[3], double c[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        c[i] = a[j] * b[k] - a[k] * b[j];
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Normals of two touches are at right angles to the axis, from one strand to the other: so its
 * direction, the angle of the tangent to it, and the height over the turn. */
static void measure(const haw_touch_frame *a, const haw_touch_frame *b, helix *sum)
{
    const double step[3] = {b->x[0] - a->x[0], b->x[1] - a->x[1], b->x[2] - a->x[2]};
    double axis[3];
    cross(a->normal, b->normal, axis);
    const double sine = sqrt(dot(axis, axis)), turn = atan2(sine, dot(a->normal, b->normal));
    const double alpha = acos(fabs(dot(a->tangent, axis)) / sine);
    sum->alpha += alpha;
    sum->radius += tan(alpha) * fabs(dot(step, axis)) / sine / turn;
    sum->pairs++;
}

static void keep_helix(scenario_run *run, const haw_frame *frame, void *user)
{
    helix *mean = user;
    (void)run;
    *mean = (helix){0};
    for (int i = frame->touches / 4; i + APART < 3 * frame->touches / 4; i++) {
        measure(&frame->touch[i], &frame->touch[i + APART], mean);
    }
    mean->alpha /= mean->pairs;
    mean->radius /= mean->pairs;
}

/* Where contacts change over as strands slide along each other, Newton's passes may go to and fro
 * between two sets of them. Such a step is taken in parts, which one hangs on last bits; each part
 * ends in an equilibrium, or the run would have ended. */
static void check_steps(const haw_summary *summary)
{
    const haw_certificate *certificate = &summary->certificate;
    print_message("%ld steps, %ld in parts, %ld attempts rejected\n", (long)summary->steps,
                  certificate->unconverged_steps, certificate->rejected_steps);
    assert_true(certificate->newton_residual_max <= 1);
    assert_true(certificate->residual_max <= 1e-8);
    assert_true(100 * certificate->unconverged_steps <= (long)summary->steps);
}

static void wind(double turns, int elements, double step, double tolerance)
{
    scenario_run run;
    helix own = {0};
    scenario_init(&run, "plectoneme");
    scenario_set(&run, "cables.rod.elements=%d", elements);
    scenario_set(&run, "stepper.end=%g", 4 * turns);
    scenario_set(&run, "stepper.step=%g", step);
    run.look = keep_helix;
    run.user = &own;
    scenario_open(&run);
    if (scenario_try(&run) != HAW_OK) {
        fail_msg("%s", haw_context_message(run.context));
    }
    check_steps(&run.summary);
    const double s = sin(own.alpha), c = cos(own.alpha), r = own.radius;
    const double force = bending / (r * r) * s * s * s * (c * tan(2 * own.alpha) - s / 2);
    const double moment = 2 / sin(2 * own.alpha) * (bending * s * s * s * s / (2 * r) + r * force);
    const double pull = scenario_last(&run, "rod.reaction_end", 0);
    const double torque = scenario_last(&run, "rod.reaction_moment_end", 0);
    print_message("%g turns: R/a %.4f, alpha %.3f deg, F %.5f (%.5f, %+.2f %%), M %.4e (%.4e, "
                  "%+.2f %%), link %.12g, %d pairs\n",
                  turns, r / radius, own.alpha * 180 / pi, pull, force, 100 * (pull / force - 1),
                  torque, moment, 100 * (torque / moment - 1), scenario_last(&run, "rod.link", 0),
                  own.pairs);
    assert_near(r, radius, 0, 1e-2);
    assert_near(pull, force, 0, tolerance);
    assert_near(torque, moment, 0, tolerance);
    assert_near(scenario_last(&run, "hand.torque", 0), torque, 0, 1e-2); /* mean of two steps */
    assert_true(pull / axial < 1e-3);
    for (int i = 0; i < run.frames; i++) { /* nothing has passed through */
        assert_near(scenario_at(&run, i, "rod.link", 0), 0.25 * scenario_time(&run, i), 1e-10, 0);
    }
    assert_true(run.summary.certificate.penetration_points_max < 1e-8 * 2 * radius);
    assert_true(run.summary.certificate.penetration_max < 5e-2 * radius);
    assert_true(run.summary.ledger.friction_loss == 0);
    scenario_close(&run);
}

static void eight_turns(void **state)
{
    (void)state;
    wind(8, 160, 0.2, 2e-2);
}

/* 0.3 rad of twist and of bending on each element; 0.45 and 0.27 with 200, which are 2.8 % off. */
static void twenty_turns(void **state)
{
    (void)state;
    wind(20, 300, 0.4, 2e-2);
}

TEST_FILE(test_plectoneme)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eight_turns),
        cmocka_unit_test(twenty_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
