/* SPDX-License-Identifier: BSD-3-Clause */
/* Cables that touch themselves: which places are partners, whatever the length of elements. */
#include "contact/centreline.h"
#include "contact/contact.h"
#include "support/scenario.h"

static const char *const text = "hawser: 1\n"
                                "dimension: 3\n"
                                "cables:\n"
                                "  - name: rod\n"
                                "    element: ancf\n"
                                "    elements: 100\n"
                                "    path: [{line: [0, 0, 0]}]\n"
                                "    from: [-0.1, 0, 0]\n"
                                "    stiffness: 100\n"
                                "    bending_stiffness: 1.0e-3\n"
                                "    density: 0.1\n"
                                "    radius: 0.01\n"
                                "contact: [{between: [rod, rod], points_per_element: 10}]\n"
                                "start: given\n"
                                "stepper: {type: moreau-jean, end: 0}\n";

static const double radius = 0.01;

typedef struct stage {
    scenario_run run;
    haw_contacts *contacts;
} stage;

/* Touches with gaps below a margin where the cable is drawn. */
static void detect(stage *s, double margin)
{
    scenario_open(&s->run);
    assert_int_equal(haw_contacts_create(s->run.context, s->run.model, &s->contacts), HAW_OK);
    s->contacts->margin = margin;
    const haw_frame *frame = haw_simulation_frame(s->run.simulation);
    assert_int_equal(haw_contacts_detect(s->contacts, frame->state->q, NULL, 0), HAW_OK);
}

static void leave(stage *s)
{
    haw_contacts_free(s->contacts);
    scenario_close(&s->run);
}

static void begin(stage *s, const char *element, int elements, const char *path)
{
    *s = (stage){.contacts = NULL};
    scenario_init(&s->run, "rod");
    s->run.text = text;
    scenario_set(&s->run, "cables.rod.element=%s", element);
    scenario_set(&s->run, "cables.rod.elements=%d", elements);
    scenario_set(&s->run, "cables.rod.path=%s", path);
    scenario_set(&s->run, "contact.points_per_element=%d", elements > 100 ? 2 : 1000 / elements);
}

/* Bent as far as its section allows, by an arc of 1.2 radii, a cable has no partner next to a
 * point: with elements of three diameters as with twenty to a diameter. */
static void a_bend_does_not_touch_itself(void **state)
{
    static const char *const elements[] = {"ancf", "se3", "corotational"};
    static const int counts[] = {10, 50, 200};

    (void)state;
    for (int i = 0; i < 9; i++) {
        stage s;
        begin(&s, elements[i % 3], counts[i / 3],
              "[{line: [0, 0, 0]}, {arc: {center: [0, 0.012, 0], radius: 0.012, angle_deg: 90}},"
              " {line: [0.012, 0.1, 0]}]");
        detect(&s, 0.5 * radius);
        assert_int_equal(s.contacts->count, 0);
        leave(&s);
    }
}

/* The legs of a hairpin, half a millimetre apart: every point of the first that has the second
 * beside it touches there, and only once. */
static void legs_of_a_hairpin_touch_once(void **state)
{
    static const int counts[] = {25, 100, 250};

    (void)state;
    for (int i = 0; i < 3; i++) {
        stage s;
        begin(
            &s, "ancf", counts[i],
            "[{line: [0, 0, 0]}, {arc: {center: [0, 0.01025, 0], radius: 0.01025, angle_deg: 180}},"
            " {line: [-0.1, 0.0205, 0]}]");
        detect(&s, 0.1 * radius);
        const haw_cable *cable = &s.run.model->cable[0];
        const double length = cable->line.le * counts[i], arc = length - 0.2;
        const int points = s.run.model->pair[0].points_per_element;
        assert_near(s.contacts->count, 0.1 / (cable->line.le / points), 3, 0.03);
        for (int k = 0; k < s.contacts->count; k++) {
            const haw_touch *touch = &s.contacts->item[k];
            const double place = (touch->element + touch->s) * cable->line.le;
            const double foot = (touch->on + touch->at) * cable->line.le;
            assert_in_range(touch->element, 0, counts[i] / 2);
            assert_true(place < 0.1 + 0.5 * arc);
            if (place < 0.08) { /* where no element has a part in the arc */
                assert_near(foot, length - place, 1e-3 * length, 0);
                assert_near(touch->normal[1], -1, 1e-4, 0);
                assert_near(touch->gap, 0.0005, 1e-5, 0);
            }
        }
        leave(&s);
    }
}

/* A ring of two turns, which wind about their common axis: each touches the other all around,
 * once. */
static void turns_of_a_ring_touch_once(void **state)
{
    enum { CORNERS = 24 };

    const double ring = 0.15, away = 0.01025, step = 4 * acos(-1.0) / CORNERS;
    char path[SCENARIO_TEXT] = "[{points: [";
    stage s;
    (void)state;
    for (int k = 0; k <= CORNERS; k++) {
        const double turn = k % CORNERS * step, r = ring + away * cos(turn / 2);
        const size_t used = strlen(path);
        (void)snprintf(path + used, sizeof path - used, "[%.5f, %.5f, %.5f]%s", r * cos(turn),
                       r * sin(turn), away * sin(turn / 2), k < CORNERS ? "," : "]}]");
    }
    begin(&s, "ancf", 120, path);
    scenario_set(&s.run, "cables.rod.closed=true");
    scenario_set(&s.run, "cables.rod.from=[%.5f, 0, 0]", ring + away);
    detect(&s, 0.2 * radius);
    const int points = 120 * s.run.model->pair[0].points_per_element;
    assert_in_range(s.contacts->count, points / 2, points / 2 + 10); /* the first of each two */
    for (int k = 0; k < s.contacts->count; k++) {
        const haw_touch *touch = &s.contacts->item[k];
        const double ahead = touch->on + touch->at - touch->element - touch->s;
        assert_near(fmod(ahead + 120, 120), 60, 5, 0);
        assert_near(touch->gap, 0.0005, 2e-4, 0);
    }
    leave(&s);
}

/* Elements that do not bend turn at their nodes: the legs of a chain meet behind two corners, as
 * those of a hairpin do. */
static void corners_lead_back_as_bends_do(void **state)
{
    static const char corners[] = "hawser: 1\n"
                                  "cables:\n"
                                  "  - {name: rod, element: chain, elements: 44, from: [-0.1, 0],"
                                  " path: [{line: [0, 0]}, {line: [0, 0.02]}, {line: [-0.1,"
                                  " 0.02]}], stiffness: 100, density: 0.1, radius: 0.00975}\n"
                                  "contact: [{between: [rod, rod], points_per_element: 10}]\n"
                                  "start: given\n"
                                  "stepper: {type: moreau-jean, end: 0}\n";
    stage s = {.contacts = NULL};
    (void)state;
    scenario_init(&s.run, "rod");
    s.run.text = corners;
    detect(&s, 0.1 * radius);
    assert_near(s.contacts->count, 200, 35, 0); /* of the first leg, without its corner */
    for (int k = 0; k < s.contacts->count; k++) {
        const haw_touch *touch = &s.contacts->item[k];
        const double own = touch->element + touch->s, end = own + acos(-1.0) * 0.00975 / 0.005;
        const double foot = fmax(44 - own, end), beside = foot - (44 - own);
        assert_near(touch->on + touch->at, foot, 1e-9, 0); /* or where neighbours end */
        assert_near(touch->gap, hypot(0.02, 0.005 * beside) - 0.0195, 1e-12, 0);
    }
    const haw_centreline *curve = &s.contacts->curve[0];
    double turned = 0;
    for (int e = 0; e < 43; e++) {
        turned += haw_centreline_corner(curve, e, e + 1);
    }
    assert_near(turned, acos(-1.0), 1e-12, 0);
    leave(&s);
}

/* Of cables that are named together: the tip of one on the middle of the next, whichever has the
 * lower elements. */
static void a_tip_touches_the_next_cable_of_its_set(void **state)
{
    static const char tip[] =
        "hawser: 1\n"
        "dimension: 3\n"
        "cables:\n"
        "  - {name: rod-1, element: se3, elements: 8, from: [0, 0, 0.12], to: [0, 0, 0.0205],"
        " stiffness: 100, bending_stiffness: 1.0e-3, torsional_stiffness: 1.0e-3, density: 0.1,"
        " radius: 0.01, ends: {start: pinned, end: free}}\n"
        "  - {name: rod-2, element: se3, elements: 10, from: [0, -0.05, 0], to: [0, 0.05, 0],"
        " stiffness: 100, bending_stiffness: 1.0e-3, torsional_stiffness: 1.0e-3, density: 0.1,"
        " radius: 0.01}\n"
        "contact: [{between: [\"rod-*\", \"rod-*\"], points_per_element: 4}]\n"
        "start: given\n"
        "stepper: {type: moreau-jean, end: 0}\n";
    (void)state;
    for (int i = 0; i < 2; i++) {
        stage s = {.contacts = NULL};
        scenario_init(&s.run, "rod");
        s.run.text = tip;
        scenario_set(&s.run, "cables.rod-1.elements=%d", i == 0 ? 8 : 16);
        detect(&s, 0.1 * radius);
        assert_true(s.contacts->count > 0);
        assert_near(s.contacts->gap_min[0], 0.0005, 1e-12, 0);
        leave(&s);
    }
}

/* ---- folded at a corner ---- */

/* Two legs of links that may kink, at an angle: the feet of places near the corner lie within the
 * arc of neighbours. The places where it ends are partners all the same, a + b = half a turn; and
 * only these, for the other leg is nearest there. */
static void legs_that_fold_meet_where_neighbours_end(void **state)
{
    static const double angle[] = {110, 95, 88, 84, 80};
    static const char folded[] =
        "hawser: 1\n"
        "cables: [{name: rod, element: chain, elements: 10, from: [-0.1, 0], path: [],"
        " stiffness: 100, density: 0.1, radius: 0.01}]\n"
        "contact: [{between: [rod, rod], points_per_element: 20}]\n"
        "start: given\n"
        "stepper: {type: moreau-jean, end: 0}\n";
    const double pi = acos(-1.0), arc = pi * radius;
    (void)state;
    for (int i = 0; i < 5; i++) {
        const double turn = angle[i] * pi / 180, reach = arc / (1 + cos(turn));
        int met = 0;
        stage s;
        s.contacts = NULL;
        scenario_init(&s.run, "rod");
        s.run.text = folded;
        scenario_set(&s.run, "cables.rod.path=[{line: [0, 0]}, {line: [%.17g, %.17g]}]",
                     -0.1 * cos(turn), 0.1 * sin(turn));
        detect(&s, 0.9 * radius);
        for (int k = 0; k < s.contacts->count; k++) {
            const haw_touch *touch = &s.contacts->item[k];
            const double a = 0.1 - 0.02 * (touch->element + touch->s);
            const double b = 0.02 * (touch->on + touch->at) - 0.1;
            if (a > 0 && a < reach - 1e-9) {
                const double square = a * a + b * b - 2 * a * b * cos(turn);
                assert_near(a + b, arc, 1e-12, 0);
                assert_near(touch->gap, sqrt(square) - 2 * radius, 1e-12, 0);
                met++;
            }
        }
        assert_true(met >= 5);
        leave(&s);
    }
}

/* A chain that comes down on a floor folds up at its joints. No two of its places that are half a
 * turn of arc apart come nearer than its diameter, and contact makes no energy. */
static void a_chain_falls_in_a_heap(void **state)
{
    static const double step[] = {5e-4, 2e-4};
    static const char heap[] =
        "hawser: 1\n"
        "dimension: 3\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies: [{name: floor, shape: {type: plane}, motion: {fixed: true}}]\n"
        "cables:\n"
        "  - {name: chain, element: chain, elements: 40, path: [{points: [[0, 0, 0]]}],\n"
        "     stiffness: 1.0e+3, density: 0.1, radius: 3.0e-3, ends: {start: free, end: free}}\n"
        "contact:\n"
        "  - {between: [chain, floor], points_per_element: 2, friction: 0.3}\n"
        "  - {between: [chain, chain], points_per_element: 3, friction: 0.3}\n"
        "start: given\n"
        "stepper: {type: moreau-jean, end: 0.3}\n"
        "solver: {on_unconverged: halve}\n"
        "output: {every: 0.01, probes: [chain-chain.gap_min, chain-floor.normal_sum]}\n";

    (void)state;
    for (int i = 0; i < 2; i++) {
        char path[SCENARIO_TEXT] = "[{points: [";
        scenario_run run;
        for (int k = 0; k <= 20; k++) {
            const size_t used = strlen(path);
            (void)snprintf(path + used, sizeof path - used, "[%.5f, %.5f, %.5f]%s", 0.006 * sin(k),
                           0.004 * cos(0.74 * k), 0.01 + 0.012 * k, k < 20 ? "," : "]}]");
        }
        scenario_init(&run, "heap");
        run.text = heap;
        scenario_set(&run, "cables.chain.path=%s", path);
        scenario_set(&run, "stepper.step=%g", step[i]);
        scenario_open(&run);
        assert_int_equal(scenario_try(&run), HAW_OK);
        assert_true(run.summary.certificate.penetration_points_max < 1e-9);
        assert_near(run.summary.ledger.balance_error, 0, 1e-9, 0);
        assert_true(scenario_last(&run, "chain-chain.gap_min", 0) > -1e-9);
        scenario_close(&run);
    }
}

/* ---- beside joints ---- */

/* Two cables across each other, or one along the other, joined in a point of both. */
static const char crossing[] =
    "hawser: 1\n"
    "dimension: 3\n"
    "cables:\n"
    "  - {name: a, element: se3, elements: 40, from: [-0.1, 0, 0], to: [0.1, 0, 0], stiffness: 100,"
    " bending_stiffness: 1.0e-3, torsional_stiffness: 1.0e-3, density: 0.1, radius: 0.01}\n"
    "  - {name: b, element: se3, elements: 40, from: [-0.1, 0, 0], to: [0.1, 0, 0], stiffness: 100,"
    " bending_stiffness: 1.0e-3, torsional_stiffness: 1.0e-3, density: 0.1, radius: 0.01}\n"
    "joints: [{name: k, type: pinned, between: [{cable: a, at: 0.5}, {cable: b, at: 0.5}]}]\n"
    "contact: [{between: [a, b], points_per_element: 10}]\n"
    "start: given\n"
    "stepper: {type: moreau-jean, end: 0}\n";

/* Line b crosses line a at an angle [rad]; the contact may name b first. */
static void cross(stage *s, double angle, bool swaps)
{
    const double x = 0.1 * cos(angle), y = 0.1 * sin(angle);
    s->contacts = NULL;
    scenario_init(&s->run, "knot");
    s->run.text = crossing;
    scenario_set(&s->run, "cables.b.from=[%.17g, %.17g, 0]", -x, -y);
    scenario_set(&s->run, "cables.b.to=[%.17g, %.17g, 0]", x, y);
    scenario_set(&s->run, "contact.between=[%s]", swaps ? "b, a" : "a, b");
}

/* At any angle that a knot has nothing touches as drawn, whichever of both is named first; where
 * nothing joins them the two go through each other. */
static void lines_beside_a_joint_are_no_partners(void **state)
{
    static const double angle[] = {90, 60, 45, 30, 20};
    (void)state;
    for (int i = 0; i < 10; i++) {
        const double turn = angle[i / 2] * acos(-1.0) / 180;
        for (int joined = 0; joined < 2; joined++) {
            stage s;
            cross(&s, turn, i % 2 == 1);
            if (joined == 0) {
                scenario_set(&s.run,
                             "joints.k.between=[{cable: a, at: 0.25}, {ground: [-0.05, 0, 0]}]");
                scenario_set(&s.run, "contact.law=penalty");
                scenario_set(&s.run, "contact.normal_stiffness=1");
                scenario_set(&s.run, "contact.depth_limit=3");
            }
            detect(&s, 0);
            if (joined == 1) {
                assert_int_equal(s.contacts->count, 0);
            } else {
                assert_true(s.contacts->gap_min[0] < -0.75 * 2 * radius);
            }
            leave(&s);
        }
    }
}

/* Feet are perpendicular, at b = a cos(phi): partners from a (1 + cos(phi)) on, which is half a
 * turn or the arc after which legs are 5 % of the diameter apart. */
static void partners_begin_at_the_arc_through_the_joint(void **state)
{
    static const double angle[] = {90, 60, 30};
    const double pi = acos(-1.0), spacing = 0.005 / 100;
    (void)state;
    for (int i = 0; i < 6; i++) {
        const double turn = angle[i / 2] * pi / 180;
        const double arc = fmax(pi, 1.05 * 2 / sin(turn / 2)) * radius / (1 + cos(turn));
        double least = HUGE_VAL;
        stage s;
        cross(&s, turn, i % 2 == 1);
        scenario_set(&s.run, "contact.points_per_element=100");
        detect(&s, 1.5 * radius);
        for (int k = 0; k < s.contacts->count; k++) {
            const haw_touch *touch = &s.contacts->item[k];
            least = fmin(least, 0.005 * fabs(touch->element + touch->s - 20));
        }
        assert_near(least, arc + 0.5 * spacing, 0.51 * spacing, 0);
        leave(&s);
    }
}

static void impossible_neighbours_are_refused(void **state)
{
    static const struct {
        const char *set, *says;
    } of[] = {
        {"contact.neighbours=0.015", "would touch where the cable is straight"},
        {"contact.neighbours=0.2", "'rod' cannot touch itself"},
        {"cables.rod.radius=0.02", "'rod' cannot touch itself"},
        {"contact.proxy=capsules", "use proxy: points"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        scenario_run run;
        scenario_init(&run, "rod");
        run.text = text;
        scenario_set(&run, "%s", of[i].set);
        scenario_set(&run, "contact.points_per_element=20");
        assert_int_equal(haw_context_create(NULL, &run.context), HAW_OK);
        assert_int_equal(scenario_build(&run), HAW_ERR_INPUT);
        if (strstr(haw_context_message(run.context), of[i].says) == NULL) {
            fail_msg("%s: %s", of[i].set, haw_context_message(run.context));
        }
        scenario_close(&run);
    }
}

TEST_FILE(test_self_contact)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bend_does_not_touch_itself),
        cmocka_unit_test(legs_of_a_hairpin_touch_once),
        cmocka_unit_test(turns_of_a_ring_touch_once),
        cmocka_unit_test(corners_lead_back_as_bends_do),
        cmocka_unit_test(a_tip_touches_the_next_cable_of_its_set),
        cmocka_unit_test(legs_that_fold_meet_where_neighbours_end),
        cmocka_unit_test(a_chain_falls_in_a_heap),
        cmocka_unit_test(lines_beside_a_joint_are_no_partners),
        cmocka_unit_test(partners_begin_at_the_arc_through_the_joint),
        cmocka_unit_test(impossible_neighbours_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
