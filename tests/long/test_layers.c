/* SPDX-License-Identifier: BSD-3-Clause */
/* Layers on a drum, and a turn over a yarn that lies along it (doc/theory/cable-cable.md). */
#include "support/scenario.h"

static const double pi = 3.14159265358979323846;

/* Loads per radian: T of each turn, T / (2 cos(theta)) in a groove; radius and flanges. */
static void a_turn_in_a_groove_presses_on_turns_drum_and_flanges(void **state)
{
    static const struct {
        double pitch, radius, flange;
    } of[] = {{4.4e-3, 55.3407e-3, 103.445}, {4e-3, 55.4641e-3, 90.690}};

    (void)state;
    for (int i = 0; i < 2; i++) {
        static const char *const low[] = {"low", "high"}, *const flange[] = {"flange", "other"};
        scenario_run run;
        scenario_init(&run, "coil-two-layers");
        for (int k = 0; k < 2; k++) {
            const double z = (k - 0.5) * of[i].pitch;
            scenario_set(&run, "cables.%s.from=[0.052, 0, %g]", low[k], z);
            scenario_set(&run,
                         "cables.%s.path=[{arc: {center: [0, 0, %g], radius: 0.052, "
                         "angle_deg: 360}}]",
                         low[k], z);
            scenario_set(&run, "bodies.%s.position=[0, 0, %g]", flange[k],
                         z + (k == 0 ? -2e-3 : 2e-3));
        }
        scenario_set(&run, "cables.second.from=[%.9g, 0, 0]", of[i].radius + 1e-7);
        scenario_set(&run,
                     "cables.second.path=[{arc: {center: [0, 0, 0], radius: %.9g, angle_deg: "
                     "360}}]",
                     of[i].radius + 1e-7);
        scenario_complete(&run);
        const double groove = asin(of[i].pitch / 8e-3);
        const double t = scenario_last(&run, "second.tension_mean", 0);
        const double below = scenario_last(&run, "low.tension_mean", 0);
        assert_near(t, 50, 0, 5e-3);
        assert_near(scenario_last(&run, "second.length", 0), 2 * pi * of[i].radius, 0, 1e-3);
        assert_near(scenario_last(&run, "low-flange.normal_sum", 0), of[i].flange, 0, 5e-3);
        assert_near(scenario_last(&run, "high-other.normal_sum", 0), of[i].flange, 0, 5e-3);
        assert_near(scenario_last(&run, "second-low.normal_sum", 0), pi * t / cos(groove), 0, 1e-3);
        assert_near(scenario_last(&run, "low-drum.normal_sum", 0), 2 * pi * below + pi * t, 0,
                    1e-3);
        scenario_close(&run);
    }
}

/* A turn at R1 = 52 mm leaves the drum by f on either side of a yarn of 4 mm, cos(f) = 12 / 13, and
 * presses it with 2 T sin(f). The drawn curve has this shape: 328.8257 mm. */
static const char *const hoop =
    "hawser: 1\n"
    "dimension: 3\n"
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  - {name: drum, shape: {type: cylinder, radius: 0.05}, motion: {fixed: true}}\n"
    "cables:\n"
    "  - {name: hoop, element: bezier-c0, elements: 400, closed: true, from: [0.048, 0.02, 0],\n"
    "     path: [{arc: {center: [0, 0, 0], radius: 0.052, angle_deg: 314.760270103919}},\n"
    "            {line: [0.0556923076923077, -0.00153846153846154, 0]},\n"
    "            {arc: {center: [0.052, 0, 0], radius: 0.004, angle_deg: 45.2397298960808}},\n"
    "            {line: [0.048, 0.02, 0]}],\n"
    "     tension: 50, stiffness: 2.0e+3, density: 0.01, radius: 2.0e-3}\n"
    "  - {name: yarn, element: bezier-c0, elements: 4, from: [0.052, 0, -0.004],\n"
    "     to: [0.052, 0, 0.004], tension: 1.0e+7, stiffness: 1.0e+9, density: 0.01, radius: "
    "2.0e-3,\n"
    "     ends: {start: pinned, end: pinned}}\n"
    "contact:\n"
    "  - {between: [hoop, drum], points_per_element: 1, friction: 0}\n"
    "  - {between: [hoop, yarn], points_per_element: 1, friction: 0}\n"
    "stepper: {type: quasi-static, step: 0.5, end: 1}\n"
    "output: {every: 0.5, probes: [hoop-drum.normal_sum, hoop-yarn.force, hoop.tension_mean, "
    "hoop.length]}\n";

static void a_turn_over_a_yarn_leaves_the_drum(void **state)
{
    const double angle = acos(12.0 / 13);
    scenario_run run;
    (void)state;
    scenario_init(&run, "hoop");
    run.text = hoop;
    scenario_complete(&run);
    const double t = scenario_last(&run, "hoop.tension_mean", 0);
    assert_near(t, 50, 0, 5e-3);
    assert_near(scenario_last(&run, "hoop.length", 0), 0.3288257, 0, 1e-4);
    assert_near(fabs(scenario_last(&run, "hoop-yarn.force", 0)), 38.4615, 0, 5e-3);
    assert_near(pi - scenario_last(&run, "hoop-drum.normal_sum", 0) / (2 * t), angle, 0, 1e-2);
    scenario_close(&run);
}

/* ---- turns that cross ---- */

/* A yarn on a drum at the angle alpha to its axis, as far as `half` to both sides of where it
 * crosses another one. */
typedef struct turn {
    const char *name, *element;
    int elements;
    double alpha, half, radius, yarn; /* of the drum and of the yarn */
    double rise;                      /* of the drawn curve, over the other one */
} turn;

enum { PIECES = 60 };

/* Place i of PIECES: higher than straight legs would be, which leave the drum in half the angle. */
static void add_place(scenario_text *scene, const turn *own, int i)
{
    const double low = own->radius + own->yarn, along = own->half * (2.0 * i / PIECES - 1);
    const double angle = along * sin(own->alpha) / low, leaves = 2 * acos(low / (low + own->rise));
    const double bump = fabs(angle) < leaves ? cos(0.5 * pi * angle / leaves) : 0;
    const double r = low + own->rise * bump * bump;
    scenario_write(scene, "[%.10g, %.10g, %.10g]", r * cos(angle), r * sin(angle),
                   along * cos(own->alpha));
}

static void add_turn(scenario_text *scene, const turn *own)
{
    scenario_write(scene, "  - name: %s\n    element: %s\n    elements: %d\n    from: ", own->name,
                   own->element, own->elements);
    add_place(scene, own, 0);
    scenario_write(scene, "\n    path: [{points: [");
    for (int i = 0; i <= PIECES; i++) {
        add_place(scene, own, i);
        scenario_write(scene, i < PIECES ? ", " : "]}]\n");
    }
    scenario_write(scene,
                   "    tension: 50\n    stiffness: 1000\n    density: 0.01\n    radius: %g\n"
                   "    ends: {start: pinned, end: pinned}\n",
                   own->yarn);
}

/* Turns at +-alpha with the tension 50 N. */
static void write_cross(scenario_text *scene, double alpha, double yarn, double half, int elements)
{
    const double radius = 0.052 - yarn;
    const turn low = {"low", "bezier", 100, -alpha, half, radius, yarn, 0};
    const turn high = {"high", "bezier-c0", elements, alpha, half, radius, yarn, 2.01 * yarn};
    scene->length = 0;
    scenario_write(scene,
                   "hawser: 1\ndimension: 3\ngravity: [0, 0, 0]\nbodies:\n"
                   "  - {name: drum, shape: {type: cylinder, radius: %g}, motion: {fixed: true}}\n"
                   "cables:\n",
                   radius - 1e-5);
    add_turn(scene, &low);
    add_turn(scene, &high);
    scenario_write(scene, "contact:\n  - {between: [low, drum], friction: 0}\n"
                          "  - {between: [high, drum], friction: 0}\n"
                          "  - {between: [high, low], friction: 0}\n"
                          "stepper: {type: quasi-static, step: 1, end: 1}\n"
                          "output: {every: 1, probes: [high-low.force, high.tension_mean]}\n");
}

/* Force where they cross, at 50 N. */
static double cross(double alpha, double yarn, double half, int elements)
{
    static scenario_text scene;
    scenario_run run;
    write_cross(&scene, alpha, yarn, half, elements);
    scenario_init(&run, "cross");
    run.text = scene.text;
    scenario_complete(&run);
    const double x = scenario_last(&run, "high-low.force", 0);
    const double force = hypot(hypot(x, scenario_last(&run, "high-low.force", 1)),
                               scenario_last(&run, "high-low.force", 2));
    const double tension = scenario_last(&run, "high.tension_mean", 0);
    print_message("%g deg, yarn %g m: N %g at %g N\n", alpha * 180 / pi, yarn, force * 50 / tension,
                  tension);
    assert_near(tension, 50, 0, 0.2); /* the drawn curve is longer */
    scenario_close(&run);
    return force * 50 / tension;
}

/* Geodesics that are held 0.102 m away (and where a thin yarn lies on the drum anyway). */
static void turns_that_cross_press_on_each_other(void **state)
{
    (void)state;
    assert_near(cross(pi / 3, 2e-3, 0.102, 400), 33.3, 0, 5e-3);
    assert_near(cross(pi / 4, 2e-3, 0.102, 300), 26.9, 0, 5e-3);
    assert_near(cross(pi / 3, 0.5e-3, 0.06, 450), 16.87, 0, 5e-3);
}

/* Points of each pair that bear, a thousandth of the largest force at least, and those of them
 * whose friction is at its limit: low on the drum, high on the drum, high on low. */
typedef struct friction_count {
    double friction;
    int bear[3], slip[3];
} friction_count;

static void count_friction(scenario_run *run, const haw_frame *frame, void *user)
{
    friction_count *own = user;
    double most[3] = {0, 0, 0};
    (void)run;
    memset(own->bear, 0, sizeof own->bear);
    memset(own->slip, 0, sizeof own->slip);
    for (int i = 0; i < frame->touches; i++) {
        const haw_touch_frame *touch = &frame->touch[i];
        most[touch->pair] = fmax(most[touch->pair], touch->impulse[0]);
    }
    for (int i = 0; i < frame->touches; i++) {
        const double *impulse = frame->touch[i].impulse;
        const int pair = frame->touch[i].pair;
        if (impulse[0] > 1e-3 * most[pair]) {
            const double limit = (1 - 1e-6) * own->friction * impulse[0];
            own->bear[pair]++;
            own->slip[pair] += hypot(impulse[1], impulse[2]) > limit ? 1 : 0;
        }
    }
}

/*
 * The pull on one end of the upper turn drops, with friction. The turn slips back from that end as
 * far as friction needs for the difference, ln(T / T') = mu times the angle by which it turns, and
 * from there on nothing does: neither where the turns cross, nor at the other end.
 */
static void turns_do_not_slip_back(void **state)
{
    static const char *const quiet[] = {"high.tension_start", "low.tension_start",
                                        "low.tension_end"};
    static scenario_text scene;
    const double alpha = pi / 3, half = 0.102, radius = 0.052, back = 2e-4;
    const double angle = half * sin(alpha) / radius;

    enum { ELEMENTS = 400 };

    friction_count count = {.friction = 0.3};
    scenario_run run;
    (void)state;
    write_cross(&scene, alpha, 2e-3, half, ELEMENTS);
    scenario_init(&run, "cross");
    run.text = scene.text;
    run.look = count_friction;
    run.user = &count;
    scenario_set(&run, "start={type: static, friction: 0}");
    scenario_set(&run, "contact.friction=%g", count.friction);
    scenario_set(&run, "stepper.step=0.25");
    scenario_set(&run, "cables.high.ends.end={motion: {velocity: [%.9g, %.9g, %.9g]}}",
                 back * sin(alpha) * sin(angle), -back * sin(alpha) * cos(angle),
                 -back * cos(alpha));
    scenario_set(&run, "output.probes=[high.tension_start, high.tension_end, low.tension_start, "
                       "low.tension_end]");
    scenario_complete(&run);
    const double before = scenario_at(&run, 0, "high.tension_end", 0);
    const double after = scenario_last(&run, "high.tension_end", 0);
    const double piece = 2 * half / ELEMENTS * sin(alpha) * sin(alpha) / radius;
    print_message("from %g to %g N: %d of %d points slip, over %g rad (%g)\n", before, after,
                  count.slip[1], count.bear[1], count.slip[1] * piece,
                  log(before / after) / count.friction);
    assert_true(after < 0.9 * before);
    assert_near(count.slip[1] * piece, log(before / after) / count.friction, 0, 1.6e-2);
    assert_int_equal(count.slip[0], 0);
    assert_int_equal(count.slip[2], 0);
    assert_true(count.bear[0] > 0 && count.bear[2] > 0);
    for (int i = 0; i < 3; i++) {
        assert_near(scenario_last(&run, quiet[i], 0), scenario_at(&run, 0, quiet[i], 0), 0, 1e-7);
    }
    scenario_close(&run);
}

TEST_FILE(test_layers)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turn_in_a_groove_presses_on_turns_drum_and_flanges),
        cmocka_unit_test(a_turn_over_a_yarn_leaves_the_drum),
        cmocka_unit_test(turns_that_cross_press_on_each_other),
        cmocka_unit_test(turns_do_not_slip_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
