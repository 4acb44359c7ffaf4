/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two equal disks hit a rope from both sides: the scene is its own mirror image about x = 0. The
 * solvers treat the contacts one after another; the answer must not show in which order.
 */
#include "support/scenario.h"
#include "support/validation.h"

typedef struct mirror_case {
    const char *element;
    int elements, points;
    double restitution;
    const char *solver;
} mirror_case;

static const char *const probes =
    "output.probes=[left.position, left.velocity, left.spin, left.angle, right.position, "
    "right.velocity, right.spin, right.angle, rope.position, rope-left.impulse, "
    "rope-right.impulse]";

static void set_case(scenario_run *run, const mirror_case *c)
{
    scenario_init(run, "two-disks");
    scenario_set(run, "cables.rope.element=%s", c->element);
    scenario_set(run, "cables.rope.elements=%d", c->elements);
    scenario_set(run, "contact.points_per_element=%d", c->points);
    scenario_set(run, "contact.restitution=%g", c->restitution);
    scenario_set(run, "solver={type: %s, tolerance: 1.0e-12, max_iterations: 100000}", c->solver);
    scenario_set(run, "%s", probes);
}

/* |left - sign right| of one pair of probes */
static double mismatch(const scenario_run *run, int frame, const char *const pair[2], int k,
                       double sign)
{
    return fabs(scenario_at(run, frame, pair[0], k) - sign * scenario_at(run, frame, pair[1], k));
}

/* Largest deviation from the mirror image over the run. */
static double asymmetry(const scenario_run *run)
{
    static const char *const pair[][2] = {
        {"left.position", "right.position"},
        {"left.velocity", "right.velocity"},
        {"left.spin", "right.spin"},
        {"left.angle", "right.angle"},
        {"rope-left.impulse", "rope-right.impulse"},
    };
    double worst = 0;
    for (int i = 0; i < run->frames; i++) {
        for (int p = 0; p < 5; p++) {
            const bool turns = p == 2 || p == 3;
            worst = fmax(worst, mismatch(run, i, pair[p], 0, -1));
            worst = turns ? worst : fmax(worst, mismatch(run, i, pair[p], 1, 1));
        }
        worst = fmax(worst, mismatch(run, i, pair[4], 2, -1));
        worst = fmax(worst, fabs(scenario_at(run, i, "rope.position", 0)));
    }
    return worst;
}

static void run_case(const mirror_case *c)
{
    scenario_run run;
    double reference = 0, tolerance = 0;
    set_case(&run, c);
    scenario_complete(&run);
    assert_true(haw_validation("two-disks", "mirror symmetry", &reference, &tolerance));
    const double worst = asymmetry(&run);
    print_message("%s %d x %d, e = %g, %s: asymmetry %.2e, most closed points %d\n", c->element,
                  c->elements, c->points, c->restitution, c->solver, worst,
                  run.summary.certificate.contacts_max);
    assert_true(run.summary.certificate.contacts_max >= 2);
    assert_near(worst, 0, tolerance, 0);
    scenario_close(&run);
}

static void shipped_scene_is_its_own_mirror_image(void **state)
{
    (void)state;
    const mirror_case pgs = {"bezier", 20, 8, 0.5, "pgs"};
    const mirror_case alprox = {"bezier", 20, 8, 0.5, "alprox"};
    run_case(&pgs);
    run_case(&alprox);
}

static void every_element_restitution_and_solver_keeps_the_symmetry(void **state)
{
    (void)state;
    const char *const solver[] = {"pgs", "alprox"};
    const mirror_case rows[] = {
        {"bezier-polar", 20, 8, 0.5, NULL}, {"bezier-c0", 20, 8, 0.5, NULL},
        {"chain", 200, 1, 0.5, NULL},       {"bezier", 20, 8, 0, NULL},
        {"bezier", 20, 8, 1, NULL},         {"bezier", 40, 4, 0, NULL},
        {"chain", 200, 1, 0, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int k = 0; k < 2; k++) {
            mirror_case c = rows[i];
            c.solver = solver[k];
            run_case(&c);
        }
    }
}

/* A light rope is caught between the disks and slides; many steps with contacts on both sides. */
static void a_light_rope_between_the_disks_keeps_the_symmetry(void **state)
{
    (void)state;
    const char *const solver[] = {"pgs", "alprox"};
    for (int k = 0; k < 2; k++) {
        const mirror_case c = {"bezier", 20, 4, 0, solver[k]};
        scenario_run run;
        set_case(&run, &c);
        scenario_set(&run, "cables.rope.density=0.1");
        scenario_set(&run, "cables.rope.stiffness=4.0e+4");
        scenario_set(&run, "bodies.left.velocity=[3, 0.5]");
        scenario_set(&run, "bodies.right.velocity=[-3, 0.5]");
        scenario_complete(&run);
        const double worst = asymmetry(&run);
        print_message("%s: asymmetry %.2e, %ld iterations\n", c.solver, worst,
                      run.summary.certificate.iterations_total);
        assert_near(worst, 0, 1e-10, 0);
        scenario_close(&run);
    }
}

/* Each disk leaves with e times its normal velocity: the rope between them cannot give way. */
static void restitution_holds_on_both_sides(void **state)
{
    (void)state;
    const double restitution[] = {0, 0.5, 1};
    for (int i = 0; i < 3; i++) {
        const mirror_case c = {"chain", 160, 1, restitution[i], "pgs"};
        scenario_run run;
        set_case(&run, &c);
        scenario_set(&run, "contact.friction=0");
        scenario_set(&run, "gravity=[0, 0]");
        scenario_complete(&run);
        /* frictionless and level with a node: nothing but the impact changes the velocity */
        assert_near(scenario_last(&run, "left.velocity", 0), -3 * restitution[i], 1e-9, 0);
        assert_near(scenario_last(&run, "right.velocity", 0), 3 * restitution[i], 1e-9, 0);
        scenario_close(&run);
    }
}

TEST_FILE(test_two_disks)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_scene_is_its_own_mirror_image),
        cmocka_unit_test(every_element_restitution_and_solver_keeps_the_symmetry),
        cmocka_unit_test(a_light_rope_between_the_disks_keeps_the_symmetry),
        cmocka_unit_test(restitution_holds_on_both_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
