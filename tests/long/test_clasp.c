/* SPDX-License-Identifier: BSD-3-Clause */
/* A bight of one string holds that of another: equilibria and slip against the closed form at the
 * angles and tensions of the run (doc/theory/cable-cable.md, `hawser theory clasp`). */
#include "support/scenario.h"
#include "support/theory.h"

static const double pi = 3.14159265358979323846;

enum { ARC = 24, LEG = 4, POINTS_MAX = 400, FEET_MAX = 8 };

static const double D = 0.01;

/* ---- the scene ---- */

/* A string with the slope `angle` of its legs: an arc of the radius D between them. Both arcs touch
 * in their tips at first. */
typedef struct bight {
    const char *name, *element;
    double angle, leg, tension;
    int elements;
} bight;

/* A point at a place along and a height over the tip; the second string hangs head down. */
static void add_point(scenario_text *scene, bool hangs, double along, double height)
{
    scenario_write(scene, hangs ? "[0, %.9g, %.9g]" : "[%.9g, 0, %.9g]", along,
                   hangs ? D - height : height - 1e-3 * D);
}

/* Point i of -LEG - ARC / 2 ... LEG + ARC / 2. */
static void add_place(scenario_text *scene, const bight *own, bool hangs, int i)
{
    const int side = i < 0 ? -1 : 1, n = abs(i);
    const double on = own->angle * fmin(n, 0.5 * ARC) / (0.5 * ARC);
    const double beyond = own->leg * fmax(n - 0.5 * ARC, 0) / LEG;
    add_point(scene, hangs, side * (D * sin(on) + beyond * cos(own->angle)),
              D * (1 - cos(on)) + beyond * sin(own->angle));
}

static void add_string(scenario_text *scene, const bight *own, bool hangs)
{
    const int most = LEG + ARC / 2;
    scenario_write(scene, "  - name: %s\n    element: %s\n    elements: %d\n    from: ", own->name,
                   own->element, own->elements);
    add_place(scene, own, hangs, -most);
    scenario_write(scene, "\n    path: [{points: [");
    for (int i = -most; i <= most; i++) {
        add_place(scene, own, hangs, i);
        scenario_write(scene, i < most ? ", " : "]}]\n");
    }
    scenario_write(scene,
                   "    tension: %.9g\n    stiffness: %.9g\n    density: 0.05\n    radius: %g\n"
                   "    ends: {start: pinned, end: pinned}\n",
                   own->tension, 40 * own->tension, D / 2);
}

typedef struct table_row {
    double half, ratio; /* slope of the legs of A [deg], TA / TB */
    double leg;         /* over D */
    int a, b;           /* elements */
    bool is_fine;       /* those of B are short, or turn by much: feet come and go side by side */
} table_row;

static void write_scene(scenario_text *scene, const table_row *row)
{
    const double angle = row->half * pi / 180, other = asin(row->ratio * sin(angle));
    const bight a = {"a", "bezier-c0", angle, row->leg * D, 10, row->a};
    const bight b = {"b", "bezier", other, row->leg * D, 10 / row->ratio, row->b};
    scene->length = 0;
    scenario_write(scene, "hawser: 1\ndimension: 3\ngravity: [0, 0, 0]\ncables:\n");
    add_string(scene, &a, false);
    add_string(scene, &b, true);
    scenario_write(scene, "contact:\n  - {between: [a, b], friction: 0}\n"
                          "stepper: {type: quasi-static, step: 1, end: 1}\n"
                          "output:\n  every: 1\n  probes: [contact.normal_sum, a.reaction_start, "
                          "b.reaction_start, \"a.position[0.5:0.5]\", \"b.position[0.5:0.5]\"]\n");
}

/* ---- what is seen ---- */

/* A point of A in contact, from the touches of the last frame. */
typedef struct point {
    double x[3], force[3];
    int feet;
    double across[FEET_MAX]; /* y of the feet */
    double press[FEET_MAX];  /* normal impulses */
} point;

typedef struct seen {
    int count;
    point point[POINTS_MAX];
} seen;

static double distance(const double a[3], const double b[3])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static void look(scenario_run *run, const haw_frame *frame, void *user)
{
    seen *own = user;
    (void)run;
    own->count = 0;
    for (int i = 0; i < frame->touches; i++) {
        const haw_touch_frame *touch = &frame->touch[i];
        if (!(touch->impulse[0] > 0)) {
            continue;
        }
        point *last = own->count > 0 ? &own->point[own->count - 1] : NULL;
        if (last == NULL || distance(last->x, touch->x) > 0) {
            assert_true(own->count < POINTS_MAX);
            last = &own->point[own->count++];
            *last = (point){.feet = 0};
            memcpy(last->x, touch->x, sizeof last->x);
        }
        assert_true(last->feet < FEET_MAX);
        const double across = touch->x[1] - (D + touch->gap) * touch->normal[1];
        int at = last->feet++;
        for (; at > 0 && last->across[at - 1] > across; at--) { /* in their order along B */
            last->across[at] = last->across[at - 1];
            last->press[at] = last->press[at - 1];
        }
        last->across[at] = across;
        last->press[at] = touch->impulse[0];
        for (int k = 0; k < 3; k++) {
            last->force[k] += touch->impulse[0] * touch->normal[k];
        }
    }
}

/* Length of A in contact: two points at either end have as much as their force is over that of a
 * whole piece beside them. */
static double find_arc(const seen *own)
{
    static const double none[3] = {0, 0, 0};
    double arc = 0;
    assert_true(own->count > 8);
    for (int end = 0; end < 2; end++) {
        const point *p[4];
        double force[4];
        for (int k = 0; k < 4; k++) {
            p[k] = &own->point[end == 0 ? k : own->count - 1 - k];
            force[k] = distance(p[k]->force, none);
        }
        const double whole = 2 * force[2] - force[3];
        arc += distance(p[1]->x, p[2]->x) * ((force[0] + force[1]) / whole - 0.5);
    }
    for (int i = 1; i + 2 < own->count; i++) {
        arc += distance(own->point[i].x, own->point[i + 1].x);
    }
    return arc;
}

/* y of the foot of the point of A at x, in the profile of the closed form. */
static double find_across(const haw_theory_result *clasp, double x)
{
    const haw_quantity *at = theory_profile(clasp, "x"), *across = theory_profile(clasp, "y");
    int i = 1;
    while (i < at->count - 1 && at->value[i] < x) {
        i++;
    }
    const double part = (x - at->value[i - 1]) / (at->value[i] - at->value[i - 1]);
    return across->value[i - 1] + part * (across->value[i] - across->value[i - 1]);
}

/*
 * Every point of A has two feet on B, mirrored and with the same force, where the closed form has
 * them. They merge at the tip of B, where the arc of A ends. B follows the curvature of its contact
 * there and where its own arc ends: a foot of the closed form may be two of elements side by side.
 */
static double check_feet(const seen *own, const haw_theory_result *clasp)
{
    const double half_width = haw_theory_value(clasp, "half_width_b");
    double most = 0;
    int pairs = 0;
    for (int i = 0; i < own->count; i++) {
        const point *p = &own->point[i];
        const double expected = find_across(clasp, fabs(p->x[0]));
        double across = 0, press = 0;
        for (int k = 0; k < p->feet; k++) {
            assert_near(p->across[k], -p->across[p->feet - 1 - k], 1e-5 * D, 0);
            assert_near(p->press[k], p->press[p->feet - 1 - k], 0, 1e-3);
            across += fabs(p->across[k]) * p->press[k];
            press += p->press[k];
        }
        if (expected > 0.5 * half_width) {
            assert_true(p->feet == 2 || p->feet == 4);
            pairs++;
            most = fmax(most, fabs(across / press - expected));
        }
    }
    assert_true(pairs > 0);
    return most / D;
}

/* ---- equilibria ---- */

static void check_row(haw_context *context, const table_row *row)
{
    static scenario_text text;
    static seen seen_points;
    const double angle = row->half * pi / 180;
    scenario_run run;
    double f[2][3], x[2][3], tension[2], slope[2];
    write_scene(&text, row);
    scenario_init(&run, "clasp");
    run.text = text.text;
    run.look = look;
    run.user = &seen_points;
    scenario_complete(&run);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            f[i][k] = scenario_last(&run, i == 0 ? "a.reaction_start" : "b.reaction_start", k);
            x[i][k] =
                scenario_last(&run, i == 0 ? "a.position[0.5:0.5]" : "b.position[0.5:0.5]", k);
        }
        tension[i] = hypot(hypot(f[i][0], f[i][1]), f[i][2]);
        slope[i] = asin(fabs(f[i][2]) / tension[i]);
    }
    const setting set[] = {{"diameter", D, NULL},
                           {"tension-a", tension[0], NULL},
                           {"tension-b", tension[1], NULL},
                           {"half-angle-deg", slope[0] * 180 / pi, NULL},
                           {"points", 2001, NULL}};
    haw_theory_result clasp = theory_run(context, "clasp", 5, set);
    const double sum = scenario_last(&run, "contact.normal_sum", 0) / tension[0];
    const double tips = distance(x[0], x[1]), arc = find_arc(&seen_points);
    const double off = row->is_fine ? 0 : check_feet(&seen_points, &clasp);
    print_message("%g, %g (%.4g, %.5g): W %.3g, tips %.3g, arc %.3g, feet %.3g D\n", row->half,
                  row->ratio, slope[0] * 180 / pi, tension[0] / tension[1],
                  sum / haw_theory_value(&clasp, "W") - 1,
                  tips / haw_theory_value(&clasp, "tip_distance") - 1,
                  arc / haw_theory_value(&clasp, "arc_a") - 1, off);
    assert_near(sum, haw_theory_value(&clasp, "W"), 0, 1e-3);
    assert_near(tips, haw_theory_value(&clasp, "tip_distance"), 0, 1e-3);
    assert_near(arc, haw_theory_value(&clasp, "arc_a"), 0, row->is_fine ? 3e-3 : 1e-3);
    assert_near(slope[1], haw_theory_value(&clasp, "half_angle_b"), 0, 1e-3);
    assert_near(slope[0], angle, 0, 1e-2);
    assert_near(tension[0] / tension[1], row->ratio, 0, 2e-2);
    assert_true(off < 0.025); /* a third of an element of B */
    haw_theory_result_free(context, &clasp);
    scenario_close(&run);
}

static void two_bights_hold_each_other(void **state)
{
    static const table_row row[] = {
        {30, 1, 1, 164, 40},      {45, 1, 1, 164, 40},      {60, 1, 1, 164, 40},
        {60, 1, 1, 82, 40},       {70, 1, 1, 164, 40},      {60, 0.5, 1, 164, 40},
        {75, 1, 1, 164, 40},      {70, 1, 1, 82, 40, true}, {75, 1, 1, 82, 40, true},
        {80, 1, 1, 82, 40, true}, {80, 1, 1, 82, 20, true}, {90, 0.5, 0.5, 164, 40},
        {90, 0.1, 0.5, 126, 24},  {90, 0.02, 0.5, 126, 24}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        check_row(*state, &row[i]);
    }
}

/* ---- slip ---- */

enum { ARITHMETIC, GEOMETRIC, MEANS }; /* means of the tensions of A */

/* Angle by which a string turns between the forces on its ends, and these [N]. */
static double find_turn(const scenario_run *run, const char *start, const char *end,
                        double tension[2])
{
    double dot = 0, square[2] = {0, 0};
    for (int k = 0; k < 3; k++) {
        const double f[2] = {scenario_last(run, start, k), scenario_last(run, end, k)};
        dot += f[0] * f[1];
        square[0] += f[0] * f[0];
        square[1] += f[1] * f[1];
    }
    tension[0] = sqrt(square[0]);
    tension[1] = sqrt(square[1]);
    return pi - acos(dot / (tension[0] * tension[1]));
}

/*
 * Both ends of A go along their legs by a fifth of D, through friction, and those of B by `aside`
 * [m] against the pull, so that its bight stays. All of A slips.
 *
 * @param over  ln(T1 / T2) over mu W, with W of either mean of both tensions
 */
static void slip(haw_context *context, double ratio, double friction, double aside,
                 double over[MEANS])
{
    static scenario_text text;
    const table_row row = {60, ratio, 3, 160, 40};
    const double way = 0.2 * D, along = way * cos(pi / 3), up = way * sin(pi / 3);
    scenario_run run;
    double a[2], b[2];
    write_scene(&text, &row);
    scenario_init(&run, "clasp");
    run.text = text.text;
    scenario_set(&run, "start={type: static, friction: 0}");
    scenario_set(&run, "contact.friction=%g", friction);
    scenario_set(&run, "cables.a.stiffness=2000");
    scenario_set(&run, "cables.b.stiffness=%.9g", 2000 / ratio);
    for (int i = 0; i < 2; i++) {
        const char *end = i == 0 ? "start" : "end";
        scenario_set(&run, "cables.a.ends.%s={motion: {velocity: [%.9g, 0, %.9g]}}", end, along,
                     i == 0 ? -up : up);
        scenario_set(&run, "cables.b.ends.%s={motion: {velocity: [%.9g, 0, 0]}}", end, aside);
    }
    scenario_set(&run, "stepper.step=0.5");
    scenario_set(&run, "output.probes=[a.reaction_start, a.reaction_end, b.reaction_start, "
                       "b.reaction_end, contact.sticking]");
    scenario_complete(&run);
    const double turn = find_turn(&run, "a.reaction_start", "a.reaction_end", a);
    (void)find_turn(&run, "b.reaction_start", "b.reaction_end", b);
    const double mean[MEANS] = {(a[0] + a[1]) / 2, sqrt(a[0] * a[1])};
    for (int i = 0; i < MEANS; i++) {
        const setting set[] = {{"diameter", D, NULL},
                               {"tension-a", mean[i], NULL},
                               {"tension-b", (b[0] + b[1]) / 2, NULL},
                               {"half-angle-deg", turn * 90 / pi, NULL}};
        const double w = theory_quantity(context, "clasp", 4, set, "W");
        over[i] = log(a[1] / a[0]) / friction / w;
        print_message("%s: TA / TB %.4g, %.4g deg, mu %g: ln(T1 / T2) / mu %.5g, W %.5g\n",
                      i == ARITHMETIC ? "mean" : "geometric mean", mean[i] * 2 / (b[0] + b[1]),
                      turn * 90 / pi, friction, over[i] * w, w);
    }
    assert_true(scenario_last(&run, "contact.sticking", 0) <= 2); /* of 80 points */
    assert_near(turn, 2 * pi / 3, 0, 1e-2);
    scenario_close(&run);
}

/*
 * Of equal tensions ln(T1 / T2) over mu is 2.49, 2.54 and 2.605, to half a percent, by an
 * independent computation; they fit W of the geometric mean. W of the mean itself is met to the
 * third order in mu.
 */
static void a_bight_slips_through_another(void **state)
{
    static const double figures[] = {2.49, 2.54, 2.605}, equal = 2.447452; /* W */
    double over[MEANS];
    for (int i = 0; i < 3; i++) {
        const double friction = 0.1 * (i + 1);
        slip(*state, 1, friction, -2 * friction * D, over);
        assert_near(over[ARITHMETIC], 1 + 0.3 * friction * friction, 3e-3, 0);
        assert_near(over[GEOMETRIC] * equal, figures[i], 0, 1e-2);
    }
    slip(*state, 0.1, 0.1, 0, over);
    assert_near(over[ARITHMETIC], 1, 2e-3, 0);
    slip(*state, 0.1, 0.3, 0, over);
    assert_near(over[ARITHMETIC], 1, 2e-3, 0);
}

TEST_FILE(test_clasp)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(two_bights_hold_each_other, theory_create, theory_free),
        cmocka_unit_test_setup_teardown(a_bight_slips_through_another, theory_create, theory_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
