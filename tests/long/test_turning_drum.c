/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A helix at rest on a drum that turns below it: friction acts along the hoops, T sin(beta) is
 * constant, tan(beta) falls by exp(-mu phi), T2 / T1 = sqrt(sin^2 beta + cos^2 beta exp(2 mu phi)).
 * The first helix of the reference is in tests/regress/test_compliant_space.c.
 */
#include "support/scenario.h"

#include <math.h>

static const double degree = 3.14159265358979323846 / 180;

static void wind(double beta, double phi, double mu, int elements, double want)
{
    const double c = cos(beta * degree), s = sin(beta * degree);
    scenario_run run;
    scenario_init(&run, "winding-capstan");
    scenario_set(&run, "contact.law=penalty");
    scenario_set(&run, "contact.per=length");
    scenario_set(&run, "contact.normal_stiffness=1.0e+7");
    scenario_set(&run, "contact.tangential=bristle");
    scenario_set(&run, "contact.tangential_stiffness=1.0e+7");
    scenario_set(&run, "contact.friction=%g", mu);
    scenario_set(&run, "contact.depth_limit=1");
    scenario_set(&run, "cables.yarn.lay.angle_deg=%g", 90 - beta);
    scenario_set(&run, "cables.yarn.length=%.17g", 0.401 * phi * degree / c);
    scenario_set(&run, "cables.yarn.ends.start.towards=[0, %.17g, %.17g]", -c, -s);
    scenario_set(&run, "cables.yarn.ends.end=pinned");
    scenario_set(&run, "cables.yarn.elements=%d", elements);
    scenario_set(&run, "bodies.drum.motion={spin: {table: [[0, 0], [0.1, -0.1], [5, -0.1], [6, "
                       "-0.4]], ramp: smoothstep}}");
    scenario_set(&run, "stepper={type: quasi-static, step: 1.0e-2, end: 30}");
    scenario_set(&run, "solver.on_unconverged=halve");
    scenario_open(&run);
    assert_int_equal(scenario_try(&run), HAW_OK);
    const double error = scenario_last(&run, "yarn.tension_end", 0) / (10 * want) - 1;
    print_message("helix of %g deg, %d elements: %.2g\n", beta, elements, error);
    assert_near(error, 0, 1e-3, 0);
    scenario_close(&run);
}

static void a_turning_drum_rubs_along_its_hoops(void **unused)
{
    (void)unused;
    wind(35, 360, 0.2, 640, 2.934757194);
    wind(50, 180, 0.3, 480, 1.818798021);
}

TEST_FILE(test_turning_drum)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turning_drum_rubs_along_its_hoops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
