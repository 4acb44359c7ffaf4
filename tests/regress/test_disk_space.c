/* SPDX-License-Identifier: BSD-3-Clause */
/* The disk impact in a plane of space is the planar one. */
#include "base/lie.h"
#include "support/scenario.h"

/* Disk's x, y, vx, vy, spin in the plane of e1 = R e_x and e2 = R e_z. */
typedef struct disk_state {
    double value[5];
    double off; /* largest part of position and velocity off the plane */
} disk_state;

static disk_state run_plane(const char *element)
{
    scenario_run run;
    disk_state out = {.off = 0};
    scenario_init(&run, "disk-impact");
    scenario_set(&run, "solver.tolerance=1.0e-12");
    scenario_set(&run, "cables.cable.element=%s", element);
    scenario_complete(&run);
    for (int k = 0; k < 2; k++) {
        out.value[k] = scenario_last(&run, "disk.position", k);
        out.value[2 + k] = scenario_last(&run, "disk.velocity", k);
    }
    out.value[4] = scenario_last(&run, "disk.spin", 0);
    scenario_close(&run);
    return out;
}

static void set_vector(scenario_run *run, const char *key, const double turn[4], const double x[3])
{
    double y[3];
    quaternion_rotate(turn, x, y);
    scenario_set(run, "%s=[%.17g, %.17g, %.17g]", key, y[0], y[1], y[2]);
}

/* The shipped scenario, turned as a whole. */
static disk_state run_space(const char *element, const double turn[4])
{
    static const double gravity[3] = {0, 0, -9.81}, top[3] = {0, 0, 2}, from[3] = {-0.15, 0, 1};
    static const double velocity[3] = {3, 0, 0};
    static const double drawn[4] = {0.70710678118654752, 0.70710678118654752, 0, 0};
    double pose[4], back[4] = {turn[0], -turn[1], -turn[2], -turn[3]};
    scenario_run run;
    disk_state out = {.off = 0};
    scenario_init(&run, "disk-impact-space");
    scenario_set(&run, "solver.tolerance=1.0e-12");
    scenario_set(&run, "cables.cable.element=%s", element);
    set_vector(&run, "gravity", turn, gravity);
    set_vector(&run, "cables.cable.to", turn, top);
    set_vector(&run, "bodies.disk.position", turn, from);
    set_vector(&run, "bodies.disk.velocity", turn, velocity);
    quaternion_product(turn, drawn, pose);
    scenario_set(&run, "bodies.disk.orientation=[%.17g, %.17g, %.17g, %.17g]", pose[0], pose[1],
                 pose[2], pose[3]);
    scenario_complete(&run);
    for (int i = 0; i < 2; i++) {
        const char *probe = i == 0 ? "disk.position" : "disk.velocity";
        const double x[3] = {scenario_last(&run, probe, 0), scenario_last(&run, probe, 1),
                             scenario_last(&run, probe, 2)};
        double y[3];
        quaternion_rotate(back, x, y);
        out.value[2 * i] = y[0];
        out.value[2 * i + 1] = y[2];
        out.off = fmax(out.off, fabs(y[1]));
    }
    out.value[4] = scenario_last(&run, "disk.spin", 0);
    assert_true(fabs(run.summary.ledger.balance_drift) < 1e-12 * run.summary.ledger.initial);
    scenario_close(&run);
    return out;
}

static void the_impact_in_a_plane_of_space_is_the_planar_one(void **state)
{
    (void)state;
    static const char *const elements[2] = {"bezier", "bezier-c0"};
    double turn[2][4] = {{1, 0, 0, 0}, {0.8, 0.3, -0.4, 0.5}};
    quaternion_normalise(turn[1]);
    for (int e = 0; e < 2; e++) {
        const disk_state want = run_plane(elements[e]);
        for (int i = 0; i < 2; i++) {
            const disk_state got = run_space(elements[e], turn[i]);
            double worst = 0;
            for (int k = 0; k < 5; k++) {
                worst = fmax(worst, fabs(got.value[k] / want.value[k] - 1));
            }
            print_message("%s, plane %d: %.2g relative, %.2g off the plane\n", elements[e], i,
                          worst, got.off);
            assert_true(worst < 1e-9 && got.off < 1e-9);
        }
    }
}

TEST_FILE(test_disk_space)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_impact_in_a_plane_of_space_is_the_planar_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
