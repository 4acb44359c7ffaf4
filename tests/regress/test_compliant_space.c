/* SPDX-License-Identifier: BSD-3-Clause */
/* Compliant contact in space against closed forms: grooves, helices, a ball that comes to roll. */
#include "support/scenario.h"

static void start(scenario_run *run, const char *name, const char *const *set)
{
    scenario_init(run, name);
    for (; set != NULL && *set != NULL; set++) {
        scenario_set(run, "%s", *set);
    }
}

/* exp(mu W / sin(delta)) less what the sinking of the rope takes; the rope has 100 elements. */
static void a_rope_on_springs_slides_in_a_v_groove(void **unused)
{
    static const struct {
        const char *set[3];
        double want;
    } grooves[] = {
        {{NULL, NULL, NULL}, 3.364875931},
        {{"bodies.sheave.shape.angle_deg=45", "stepper.end=0.2", NULL}, 2.272529988},
        {{"bodies.sheave.shape.angle_deg=60", "contact.friction=0.15", NULL}, 2.566238169},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof grooves / sizeof *grooves; i++) {
        scenario_run run;
        start(&run, "v-groove-bristle", grooves[i].set);
        scenario_complete(&run);
        assert_near(scenario_last(&run, "rope.tension_start", 0), 1e3 * grooves[i].want, 0, 1e-3);
        scenario_close(&run);
    }
}

/* Pulled along itself by a led end: exp(mu phi cos(beta)), first order in the element. */
static void a_helix_on_bristles_slides_along_itself(void **unused)
{
    static const char *const law[] = {
        "contact.law=penalty",
        "contact.per=length",
        "contact.normal_stiffness=1.0e+7",
        "contact.tangential=bristle",
        "contact.tangential_stiffness=1.0e+7",
        "cables.yarn.ends.end={motion: {velocity: [0, 4.330127e-4, 2.5e-4]}}",
        "stepper={type: quasi-static, step: 1.0e-2, end: 1}",
        NULL};
    const double want = 10 * 1.723125528;
    double error[2];
    (void)unused;
    for (int k = 0; k < 2; k++) {
        scenario_run run;
        start(&run, "winding-capstan", law);
        scenario_set(&run, "cables.yarn.elements=%d", k == 0 ? 120 : 240);
        scenario_complete(&run);
        error[k] = scenario_last(&run, "yarn.tension_end", 0) / want - 1;
        scenario_close(&run);
    }
    assert_near(error[1], 0, 1e-3, 0);
    assert_near(error[0] / error[1], 2, 0.3, 0);
}

/*
 * The drum turns below the yarn, which comes to rest: friction acts along the hoops, so that
 * T sin(beta) is constant, tan(beta) falls by exp(-mu phi), and
 * T2 / T1 = sqrt(sin^2 beta1 + cos^2 beta1 exp(2 mu phi)); 10 rad are enough.
 */
static void a_turning_drum_rubs_along_its_hoops(void **unused)
{
    static const char *const law[] = {
        "contact.law=penalty",
        "contact.per=length",
        "contact.normal_stiffness=1.0e+7",
        "contact.tangential=bristle",
        "contact.tangential_stiffness=1.0e+7",
        "bodies.drum.motion={spin: {table: [[0, 0], [0.1, -0.1]], ramp: smoothstep}}",
        "cables.yarn.ends.end=pinned",
        "cables.yarn.elements=240",
        "stepper={type: quasi-static, step: 5.0e-2, end: 60}",
        NULL};
    (void)unused;
    scenario_run run;
    start(&run, "winding-capstan", law);
    scenario_complete(&run);
    assert_near(scenario_last(&run, "yarn.tension_end", 0), 10 * 1.698584475, 0, 1e-3);
    scenario_close(&run);
}

/* With bristles and with LuGre's, whose default damping is that of the critical bristle. */
static void a_ball_with_backspin_comes_back_rolling(void **unused)
{
    static const char *const law[] = {"bristle", "lugre"};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        start(&run, "slip-to-roll-penalty", NULL);
        scenario_set(&run, "contact.tangential=%s", law[i]);
        scenario_complete(&run);
        assert_near(scenario_last(&run, "ball.velocity", 0), -2.0 / 7, 0, 1e-5);
        assert_near(scenario_last(&run, "ball.velocity", 1), 0, 1e-12, 0);
        assert_near(scenario_last(&run, "ball.position", 0), 0.3161843739, 0, 1e-4);
        assert_near(scenario_last(&run, "ball.spin", 0), 20.0 / 7, 0, 1e-5);
        assert_near(run.summary.ledger.balance_error, 0, 1e-12, 0);
        scenario_close(&run);
    }
}

TEST_FILE(test_compliant_space)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rope_on_springs_slides_in_a_v_groove),
        cmocka_unit_test(a_helix_on_bristles_slides_along_itself),
        cmocka_unit_test(a_turning_drum_rubs_along_its_hoops),
        cmocka_unit_test(a_ball_with_backspin_comes_back_rolling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
