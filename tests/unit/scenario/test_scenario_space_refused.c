/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors in spatial scenarios, and keys of one dimension in scenarios of the other. */
#include "support/reading.h"

#define HEAD  "hawser: 1\ndimension: 3\n"
#define DRUM  "bodies: [{name: drum, shape: {type: cylinder, radius: 0.1}, motion: {fixed: true}}]\n"
#define YARN  "name: y, elements: 4, stiffness: 1, density: 1, radius: 0.001"
#define ALONG YARN ", from: [0, 0, 0], to: [0, 0, 1]"
#define BOTH  HEAD DRUM "cables: [{" ALONG "}]\n"
#define PLANE                                                                                      \
    "hawser: 1\ncables: [{name: c, elements: 4, from: [0, 0], to: [0, 1], stiffness: 1, density: " \
    "1"

static const refusal refusals[] = {
    /* the dimension */
    {"hawser: 1\ndimension: 4\n",
     "t.yaml:2:12: error: 'dimension' must be a whole number between 2 and 3 (got 4)"},
    {"hawser: 1\ndimension: space\ngravity: [0, 0, -9.81]\n",
     "t.yaml:2:12: error: 'dimension' must be a number (got 'space')"},
    {HEAD "gravity: [0, -9.81]\n",
     "t.yaml:3:10: error: 'gravity' must be a list of 3 numbers (got a list of 2)"},
    {"hawser: 1\ngravity: [0, 0, -9.81]\n",
     "t.yaml:2:10: error: 'gravity' must be a list of 2 numbers (got a list of 3)"},
    {HEAD "gravity: -9.81\n", "t.yaml:3:10: error: 'gravity' must be a list of 3 numbers (got '-9"},
    /* keys of the other dimension */
    {PLANE ", lay: {on: c}}]\n", "t.yaml:2:85: error: 'lay' needs dimension: 3"},
    {PLANE ", damping: {torsion: 1}}]\n", "error: 'torsion' needs dimension: 3"},
    {PLANE ", ends: {start: {body: c}}}]\n",
     "error: a cable that ends at a body needs 'reeving' or dimension: 3"},
    {PLANE ", element: se3}]\n", "error: element 'se3' needs dimension: 3"},
    {"hawser: 1\nbodies: [{name: a, orientation: [1, 0, 0, 0]}]\n",
     "t.yaml:2:20: error: 'orientation' needs dimension: 3"},
    {"hawser: 1\nbodies: [{name: a, shape: {type: cylinder, radius: 1}}]\n",
     "t.yaml:2:34: error: the shape 'cylinder' needs dimension: 3"},
    {HEAD "bodies: [{name: a, shape: {type: circle, radius: 1}}]\n",
     "t.yaml:3:34: error: the shape 'circle' needs dimension: 2"},
    {HEAD "bodies: [{name: a, angle_deg: 1}]\n",
     "t.yaml:3:20: error: 'angle_deg' needs dimension: 2"},
    {HEAD "cables: [{" ALONG ", closed: true}]\n", "error: 'closed' needs dimension: 2"},
    {HEAD "cables: [{" ALONG ", element: bezier}]\n", "error: element 'bezier' needs dimension: 2"},
    {HEAD "cables: [{" ALONG ", element: se4}]\n",
     "error: unknown element 'se4'; did you mean 'se3'?"},
    {BOTH "contact: [{between: [y, drum], normals: point}]\n",
     "t.yaml:5:32: error: 'normals' needs dimension: 2"},
    {BOTH "contact: [{between: [y, drum], refine: minima}]\n",
     "t.yaml:5:40: error: 'refine: minima' needs dimension: 2"},
    {PLANE "}]\nforces: [{on: c, point: 1, force: [0, 1], follows: true}]\n",
     "t.yaml:3:43: error: 'follows' needs dimension: 3"},
    /* bodies */
    {HEAD "bodies: [{name: a, mass: 1, orientation: [1, 1, 0, 0]}]\n",
     "t.yaml:3:42: error: 'orientation' must be a unit quaternion [w, x, y, z] (got one of length "
     "1.41421356)"},
    {HEAD "bodies: [{name: a, mass: 1, orientation: [1, 0, 0]}]\n",
     "t.yaml:3:42: error: 'orientation' must be a list of 4 numbers (got a list of 3)"},
    {HEAD "bodies: [{name: a, mass: 1, inertias: [1, 2, -3]}]\n",
     "t.yaml:3:46: error: 'inertias' must be > 0 kg m^2 or 'auto' (got -3)"},
    {HEAD "bodies: [{name: a, mass: 1, inertias: atuo}]\n",
     "t.yaml:3:39: error: 'inertias' must be a list of numbers (got 'atuo')"},
    {HEAD "bodies: [{name: a, shape: {type: cylinder, radius: 1}}]\n",
     "t.yaml:3:10: error: missing required key 'mass' in a body that can move"},
    {HEAD "bodies: [{name: a, motion: {velocity: [1, 2]}}]\n",
     "t.yaml:3:39: error: 'velocity' must be a list of 3 functions of time (got a list)"},
    {HEAD "bodies: [{name: a, motion: {velocity: [0, 0, 1]}, velocity: [0, 0, 1]}]\n",
     "error: the motion prescribes the velocity of this body; remove one of the two"},
    {HEAD "bodies: [{name: a, shape: {type: revolution}}]\n",
     "t.yaml:3:27: error: missing required key 'profile' (or 'meridian') in the shape "
     "'revolution'"},
    {HEAD "bodies: [{name: a, shape: {type: revolution, profile: [[0, 1], [1, 2]]}}]\n",
     "t.yaml:3:55: error: a table needs at least 4 rows (got 2)"},
    {HEAD "bodies: [{name: a, shape: {type: revolution, profile: [[0, 1], [2, 1], [1, 1], [3, "
          "1]]}}]\n",
     "t.yaml:3:72: error: z of a table must ascend (got 1 after 2)"},
    {HEAD "bodies: [{name: a, shape: {type: revolution, meridian: {from: [1, 0]}}}]\n",
     "t.yaml:3:56: error: missing required key 'path' in a meridian"},
    {HEAD "bodies: [{name: a, shape: {type: revolution, meridian: {from: [1, 0], path: [{arc: {to: "
          "[1, 1]}}]}}}]\n",
     "t.yaml:3:84: error: missing required key 'center' in an arc of a meridian"},
    {HEAD "bodies: [{name: a, shape: {type: revolution, meridian: {from: [1, 0], path: []}}}]\n",
     "error: a meridian needs at least one line or arc"},
    {HEAD "bodies: [{name: a, shape: {type: cylinder, radius: 1, profile: []}}]\n",
     "t.yaml:3:55: error: unknown key 'profile' in the shape 'cylinder'"},
    /* cables */
    {HEAD "cables: [{" YARN "}]\n", "t.yaml:3:10: error: missing required key 'from' in a cable"},
    {HEAD "cables: [{" ALONG ", lay: {on: y}}]\n", "error: 'from' and 'lay' exclude each other"},
    {HEAD DRUM "cables: [{" YARN ", lay: {z: 0}, length: 1}]\n",
     "t.yaml:4:79: error: missing required key 'on' in 'lay'"},
    {HEAD DRUM "cables: [{" YARN ", lay: {on: durm}, length: 1}]\n",
     "t.yaml:4:84: error: no body or cable is named 'durm'; did you mean 'drum'?"},
    {HEAD DRUM "cables: [{" YARN ", lay: {on: drum}}]\n",
     "t.yaml:4:10: error: missing required key 'length' in a cable that is laid"},
    {HEAD DRUM "cables: [{" YARN ", lay: {on: drum, angle_dge: 3}, length: 1}]\n",
     "error: unknown key 'angle_dge' in lay; did you mean 'angle_deg'?"},
    {HEAD "cables: [{" YARN ", from: [0, 0, 0], path: [{arc: {center: [1, 0, 2], radius: 1, "
          "angle_deg: 90}}]}]\n",
     "error: an arc turns about the z direction: its centre must be at the height of the path, z "
     "= 0 m"},
    {HEAD "cables: [{" YARN ", from: [0, 0, 0], path: [{line: [0, 0, 0]}]}]\n",
     "error: a line of no length: the path is at [0, 0, 0] already"},
    /* ends */
    {HEAD DRUM "cables: [{" ALONG ", ends: {start: {body: drun}}}]\n",
     "error: no body or cable is named 'drun'; did you mean 'drum'?"},
    {HEAD DRUM "cables: [{" ALONG ", ends: {start: {body: drum, tension: 3}}}]\n",
     "error: 'body' and 'tension' exclude each other"},
    {HEAD DRUM "cables: [{" ALONG
               ", ends: {start: {body: drum, motion: {velocity: [0, 0, 0]}}}}]\n",
     "error: 'body' and 'motion' exclude each other"},
    {HEAD "cables: [{" ALONG ", ends: {end: {}}}]\n",
     "error: an end needs 'body', 'motion' or 'tension'"},
    {HEAD "cables: [{" ALONG ", ends: {end: {clamped: true, tension: 1}}}]\n",
     "error: missing required key 'body' beside 'clamped'"},
    {HEAD "cables: [{" ALONG ", ends: {end: {motion: {velocity: [0, free, 0]}, towards: [1, 0, "
          "0]}}}]\n",
     "error: missing required key 'tension' beside 'towards'"},
    {HEAD "cables: [{" ALONG ", ends: {end: {motion: {velocity: [0, fre, 0]}}}}]\n",
     "error: 'velocity' must be a number (got 'fre')"},
    {HEAD "cables: [{" ALONG ", ends: {end: {motion: {velocity: [0, 0]}}}}]\n",
     "error: 'velocity' must be a list of 3 functions of time (got a list)"},
    {HEAD "cables: [{" ALONG ", ends: {end: {motion: {velocity: [0, 0, 0], position: [0, 0, "
          "0]}}}}]\n",
     "error: 'velocity' and 'position' exclude each other"},
    {HEAD "cables: [{" ALONG ", ends: {end: {motion: {speed: 1}}}}]\n",
     "error: missing required key 'velocity' in the motion"},
    /* contacts, forces, springs, starts */
    {HEAD
     "bodies: [{name: a, shape: {type: plane}, motion: {fixed: true}}, {name: b, shape: {type: "
     "plane}, motion: {fixed: true}}]\ncontact: [{between: [a, b]}]\n",
     "t.yaml:4:21: error: contact between two bodies needs a sphere"},
    {BOTH "contact: [{between: [y, drum], proxy: capsule}]\n",
     "t.yaml:5:39: error: unknown word 'capsule' for 'proxy'; did you mean 'capsules'?"},
    {BOTH "forces: [{on: y, point: 1, force: [0, 1]}]\n",
     "t.yaml:5:35: error: 'force' must be a list of 3 functions of time (got a list)"},
    {BOTH "forces: [{on: y, point: 1, moment: 1}]\n",
     "t.yaml:5:36: error: 'moment' must be a list of 3 functions of time (got '1')"},
    {BOTH "springs: [{between: [drum, [0, 1]], stiffness: 1}]\n",
     "t.yaml:5:28: error: 'place on the ground' must be a list of 3 numbers (got a list of 2)"},
    {BOTH "start: {type: static, lock: [drum.angel]}\n",
     "error: body 'drum' has no 'angel' to lock; did you mean 'angle'? (known: x, y, z, angle)"},
    /* probes */
    {BOTH "output: {probes: [{of: y.length, maximum: true, first_above: 1}]}\n",
     "error: 'maximum' and 'first_above' exclude each other"},
    {BOTH "output: {probes: [{of: y.length, maximum: true, mean_over: 1}]}\n",
     "error: 'maximum' and 'mean_over' exclude each other"},
    {BOTH "output: {probes: [{of: y.length, maximum: true, after: 2, until: 1}]}\n",
     "error: 'until' must be later than 'after', 2 s"},
    {BOTH "output: {probes: [{of: y.length, first_above: -1}]}\n",
     "error: 'first_above' must be >= 0 or 'none' (got -1)"},
};

static void each_class_of_error_is_told_with_its_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; ++i) {
        check_refusal(&refusals[i]);
    }
}

/* One mistake, one complaint: the dimension is not guessed from what follows. */
static void a_wrong_dimension_is_the_only_complaint(void **state)
{
    fixture *f = *state;
    assert_int_equal(haw_scenario_parse(f->context, "t.yaml",
                                        "hawser: 1\ndimension: 4\ngravity: [0, 0, -9.81]\n"
                                        "bodies: [{name: a, orientation: 3}]\n",
                                        0, NULL, &f->scenario),
                     HAW_ERR_INPUT);
    assert_int_equal(f->log.count, 1);
}

TEST_FILE(test_scenario_space_refused)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_class_of_error_is_told_with_its_place),
        cmocka_unit_test_setup_teardown(a_wrong_dimension_is_the_only_complaint, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
