/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of lines that are laid beside lines start on the side where their path is, or not at
 * all; and what the refusal asks for does. */
#include "cable/cable.h"
#include "stepper/simulation.h"
#include "support/scenario.h"

#include <math.h>

enum { TEXT = 2048, DEEP = -1 }; /* refused by a guard: on the right side, too near */

static const char *const element[] = {"chain", "bezier", "bezier-c0", "se3"};

/* @return elements that the refusal names, 0: there is none; DEEP */
static int start(const char *text, bool *is_right, bool right(const haw_simulation *simulation))
{
    scenario_run run;
    int asked = 0;
    scenario_init(&run, "lines");
    run.text = text;
    assert_int_equal(haw_context_create(NULL, &run.context), HAW_OK);
    if (scenario_build(&run) == HAW_OK) {
        *is_right = right(run.simulation);
    } else {
        const char *message = haw_context_message(run.context);
        const char *number = strstr(message, "follow it (");
        assert_true(strstr(message, "on the other side of '") != NULL ||
                    strstr(message, "inside the surface") != NULL);
        asked = number != NULL ? (int)strtol(number + strlen("follow it ("), NULL, 10) : DEEP;
    }
    scenario_close(&run);
    return asked;
}

static haw_cable_point middle_of(const haw_simulation *simulation, int cable)
{
    const haw_cable *c = &simulation->model.cable[cable];
    haw_cable_point middle;
    const int n = c->line.elements;
    c->ops->point(c, n / 2, n % 2 == 0 ? 0 : 0.5, simulation->state->q, NULL, HAW_POINT_PLACE,
                  &middle);
    return middle;
}

/* ---- half a turn about a taut line ---- */

static bool is_over(const haw_simulation *simulation)
{
    return middle_of(simulation, 0).x[1] > 0.009;
}

static int bight(int i, int elements, bool *is_over_it)
{
    const char *bends = i == 3 ? "bending_stiffness: 1.0e-3, torsional_stiffness: 1.0e-3," : "";
    char text[TEXT];
    (void)snprintf(text, sizeof text,
                   "hawser: 1\ndimension: 3\ncables:\n"
                   "  - {name: cord, element: %s, elements: %d, tension: 10, stiffness: 1.0e+4, "
                   "%s density: 0.05, radius: 0.002, from: [0.012, -0.2, 0], path: [{line: "
                   "[0.012, 0, 0]}, {arc: {center: [0, 0, 0], radius: 0.012, angle_deg: 180}}, "
                   "{line: [-0.012, -0.2, 0]}]}\n"
                   "  - {name: line, element: bezier, elements: 8, tension: 100, stiffness: "
                   "1.0e+5, density: 0.1, radius: 0.01, from: [0, 0, -0.1], to: [0, 0, 0.1]}\n"
                   "contact: [{between: [cord, line], friction: 0}]\n"
                   "stepper: {type: moreau-jean, step: 1.0e-4, end: 1.0e-4}\n",
                   element[i], elements, bends);
    return start(text, is_over_it, is_over);
}

/* Bights of se3 are arcs about a node of the line: all of them is as far from it, which the search
 * for feet once halved for ever (15 elements). */
static void a_bight_starts_over_its_line(void **state)
{
    (void)state;
    int over = 0, refused = 0;
    for (int k = 0; k < 4 * 20; k++) {
        bool is_over_it = false;
        const int elements = 3 + 4 * (k / 4), asked = bight(k % 4, elements, &is_over_it);
        if (asked > 0) {
            assert_true(asked > elements);
            const int then = bight(k % 4, asked, &is_over_it);
            assert_true(then == 0 || (k % 4 == 0 && then == DEEP)); /* chords are 4e-5 m inside */
            refused++;
        }
        assert_true(asked != 0 || is_over_it);
        over += asked == 0;
    }
    print_message("%d over it, %d refused\n", over, refused);
    assert_true(over >= 5 && refused >= 5);
}

/* ---- arcs side by side in one plane, and beside each other along it ---- */

static bool is_outside(const haw_simulation *simulation)
{
    const haw_cable_point out = middle_of(simulation, 0), in = middle_of(simulation, 1);
    return out.x[1] > in.x[1] + 0.009;
}

/* An arc of 120 degrees about another one, whose centrelines are .01 m apart. */
static int arcs(int dimension, int i, int elements, int inner, bool *is_right)
{
    const char *zero = dimension == 3 ? ", 0" : "";
    char text[TEXT];
    int length = snprintf(text, sizeof text,
                          "hawser: 1\ndimension: %d\ngravity: [0, 0%s]\nstart: given\ncables:\n",
                          dimension, zero);
    for (int k = 0; k < 2; k++) {
        const double r = k == 0 ? 0.11 : 0.1, x = r * cos(0.5235987755982988), y = 0.5 * r;
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "  - {name: %s, element: %s, elements: %d, from: [%.15g, %.15g%s], "
                           "path: [{arc: {center: [0, 0%s], radius: %g, angle_deg: 120}}], "
                           "tension: 10, stiffness: 1.0e+4, density: 0.05, radius: 0.005}\n",
                           k == 0 ? "outer" : "inner", element[i], k == 0 ? elements : inner, x, y,
                           zero, zero, r);
    }
    (void)snprintf(text + length, sizeof text - (size_t)length,
                   "contact: [{between: [outer, inner], friction: 0}]\n"
                   "stepper: {type: moreau-jean, step: 1.0e-4, end: 1.0e-4}\n");
    return start(text, is_right, is_outside);
}

/* Three chords of 40 degrees are .0066 m inside in their middle, two of 60 .0147 m: more than the
 * lines are apart. Cubics of 120 degrees miss by less. */
static void an_arc_starts_outside_another_one(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const int dimension = 2 + k;
        bool is_right = false;
        assert_int_equal(arcs(dimension, 0, 3, 60, &is_right), DEEP);
        const int asked = arcs(dimension, 0, 2, 60, &is_right);
        assert_true(asked > 2);
        assert_int_equal(arcs(dimension, 0, asked, 60, &is_right), 0);
        assert_true(is_right);
        /* both as coarse go in together */
        assert_true(arcs(dimension, 0, 2, 2, &is_right) <= 0);
    }
}

TEST_FILE(test_drawn_lines)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bight_starts_over_its_line),
        cmocka_unit_test(an_arc_starts_outside_another_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
