/* SPDX-License-Identifier: BSD-3-Clause */
/* Benchmark W1 on finer contact grids and meshes; see tests/regress/test_winding_w1.c. */
#include "support/winding.h"

static winding finish(winding w)
{
    winding_run(&w);
    assert_int_equal(w.rig.simulation->certificate.unconverged_steps, 0);
    assert_true(w.rig.simulation->certificate.penetration_max < 1e-8);
    rig_close(&w.rig);
    return w;
}

/* A grid that holds an element at five points has many impulses for one motion: Newton's method
 * finds the motion, but no better than the impulses repeat. */
static winding on_grid(int points, haw_proxy proxy)
{
    winding w = winding_default(0.1);
    w.points = points;
    w.proxy = proxy;
    w.newton = 2e-5;
    return w;
}

static void interior_points_and_mortar_agree_with_the_nodes(void **state)
{
    (void)state;
    const winding nodes = finish(on_grid(1, HAW_PROXY_POINTS));
    const winding grid = finish(on_grid(4, HAW_PROXY_POINTS));
    const winding mortar = finish(on_grid(4, HAW_PROXY_MORTAR));
    assert_near(grid.z25, nodes.z25, 0, 0.02);
    assert_near(mortar.z25, grid.z25, 0, 0.015);
    assert_near(grid.slip_time, nodes.slip_time, 0.02, 0);
    assert_near(mortar.slip_time, grid.slip_time, 0.1, 0);
}

static void a_finer_yarn_and_shorter_steps_keep_the_onset(void **state)
{
    (void)state;
    winding fine = winding_default(0.4), quick = winding_default(0.4);
    fine.bending_factor = quick.bending_factor = 0.01;
    fine.elements = 200;
    quick.elements = 100;
    quick.step = 2.5e-3;
    fine = finish(fine);
    quick = finish(quick);
    assert_near(fine.slip_time, 11.0991, 0, 0.006);
    assert_near(quick.slip_time, 11.0991, 0, 0.006);
    assert_near(fine.z25, 0.00611, 6e-4, 0);
}

static void pgs_gives_the_same_winding(void **state)
{
    (void)state;
    winding newton = winding_default(0.1), pgs = winding_default(0.1);
    newton.end = pgs.end = 2;
    pgs.solver = "pgs";
    newton = finish(newton);
    pgs = finish(pgs);
    assert_near(pgs.spurious, newton.spurious, 5e-3, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interior_points_and_mortar_agree_with_the_nodes),
        cmocka_unit_test(a_finer_yarn_and_shorter_steps_keep_the_onset),
        cmocka_unit_test(pgs_gives_the_same_winding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
