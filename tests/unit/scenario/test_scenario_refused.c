/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors in drives, closed cables, compliant contact, forces, springs, starts and named probes. */
#include "support/reading.h"

#define HEAD  "hawser: 1\n"
#define BODY  "bodies: [{name: disk, shape: {type: circle, radius: 0.1}, mass: 2}]\n"
#define CABLE "{name: c, elements: 4, from: [0, 0], to: [0, 1], stiffness: 1, density: 1}"
#define BOTH  BODY "cables: [" CABLE "]\n"
#define RING                                                                                       \
    "cables:\n  - name: c\n    elements: 4\n    from: [0, 1]\n    closed: true\n    stiffness: "   \
    "1\n    density: 1\n"

static const refusal refusals[] = {
    /* joints and torques */
    {HEAD "bodies:\n  - {name: a, joint: revolut, inertia: 1}\n",
     "t.yaml:3:22: error: unknown word 'revolut' for 'joint'; did you mean 'revolute'?"},
    {HEAD "bodies:\n  - {name: a, joint: revolute}\n",
     "t.yaml:3:5: error: missing required key 'inertia': a body of this shape has no default"},
    {HEAD "bodies:\n  - {name: a, joint: revolute, shape: {type: circle, radius: 1}}\n",
     "t.yaml:3:5: error: missing required key 'inertia' (or 'mass') in a body that can turn"},
    {HEAD "bodies:\n  - {name: a, joint: translation}\n",
     "t.yaml:3:5: error: missing required key 'mass' in a body that can move"},
    {HEAD "bodies:\n  - {name: a, joint: revolute, inertia: 1, velocity: [1, 0]}\n",
     "t.yaml:3:54: error: the revolute joint holds the centre of this body; remove 'velocity'"},
    {HEAD "bodies:\n  - {name: a, joint: revolute, motion: {spin: 3, velocity: [0, 1]}}\n",
     "t.yaml:3:60: error: the revolute joint holds the centre of this body; remove 'velocity'"},
    {HEAD "bodies:\n  - {name: a, joint: translation, mass: 1, spin: 4}\n",
     "t.yaml:3:50: error: the translation joint holds the angle of this body; remove 'spin'"},
    {HEAD "bodies:\n  - {name: a, joint: translation, motion: {spin: 4}}\n",
     "t.yaml:3:50: error: the translation joint holds the angle of this body; remove 'spin'"},
    {HEAD "bodies:\n  - {name: a, mass: 1, inertia: 1, torque: [1, 2]}\n",
     "t.yaml:3:44: error: 'torque' must be a number (got a list)"},
    {HEAD "bodies:\n  - {name: a, mass: 1, inertia: 1, rotational_damping: -2}\n",
     "t.yaml:3:56: error: 'rotational_damping' must be >= 0 N m s/rad (got -2)"},
    /* joints between bodies and cables */
    {HEAD BODY "joints: [{name: j, type: pined, between: [{body: disk}, {ground: [0, 0]}]}]\n",
     "t.yaml:3:26: error: unknown joint 'pined'; did you mean 'pinned'?"},
    {HEAD BODY "joints: [{name: j, type: pinned, between: [{body: disk}]}]\n",
     "t.yaml:3:43: error: a joint connects 2 points (got 1)"},
    {HEAD BODY "joints: [{name: j, type: pinned, between: [{body: dsk}, {ground: [0, 0]}]}]\n",
     "t.yaml:3:51: error: no body or cable is named 'dsk'; did you mean 'disk'?"},
    {HEAD BODY "joints: [{name: j, type: pinned, between: [{body: disk, at: 1}, {ground: [0, "
               "0]}]}]\n",
     "t.yaml:3:61: error: write a point of a body as {body: name, at: [x, y]}"},
    {HEAD BODY "joints: [{name: j, type: pinned, between: [{body: disk}, {at: [0, 0]}]}]\n",
     "t.yaml:3:58: error: a point of a joint belongs to exactly one of a body, a cable and the "
     "ground"},
    {HEAD BOTH "joints: [{name: j, type: pinned, between: [{body: disk}, {cable: c}]}]\n",
     "t.yaml:4:58: error: write a point of a cable as {cable: name, at: fraction of its length}"},
    {HEAD BODY "joints:\n  - {name: j, type: pinned, between: [{body: disk}, {ground: [0, 0]}]}\n"
               "  - {name: j, type: pinned, between: [{body: disk}, {ground: [0, 0]}]}\n",
     "t.yaml:5:12: error: the name 'j' is already taken"},
    /* closed cables, sections */
    {HEAD "cables:\n  - {name: c}\n",
     "error: missing required key 'to' (or 'path', 'reeving', 'closed')"},
    {HEAD RING, "t.yaml:3:5: error: missing required key 'path', needed by 'closed'"},
    {HEAD RING "    path: [{line: [1, 1]}, {line: [1, 0]}]\n",
     "t.yaml:9:11: error: the path of a closed cable must end where it starts, at [0, 1] (got [1, "
     "0])"},
    {HEAD RING "    path: [{line: [1, 1]}, {line: [0, 1]}]\n    ends: {start: free}\n",
     "t.yaml:10:5: error: 'closed' and 'ends' exclude each other"},
    {HEAD "cables:\n  - {name: c, closed: 1}\n",
     "t.yaml:3:23: error: 'closed' must be true or false (got '1')"},
    {HEAD "cables:\n  - {name: c, quadrature: d}\n",
     "t.yaml:3:27: error: unknown word 'd' for 'quadrature' (allowed: a, b, c)"},
    {HEAD "cables:\n  - {name: c, damping: {strian: 1}}\n",
     "t.yaml:3:25: error: unknown key 'strian' in damping; did you mean 'strain'?"},
    /* compliant contact */
    {HEAD BOTH "contact:\n  - {between: [c, disk], law: penalti}\n",
     "t.yaml:5:31: error: unknown contact law 'penalti'; did you mean 'penalty'? (known: hard, "
     "penalty)"},
    {HEAD BOTH "contact:\n  - {between: [c, disk], normal: hunt-crosley}\n",
     "t.yaml:5:34: error: unknown normal law 'hunt-crosley'; did you mean 'hunt-crossley'? "
     "(known: linear, lankarani-nikravesh, hunt-crossley)"},
    {HEAD BOTH "contact:\n  - {between: [c, disk], tangential: brisle}\n",
     "t.yaml:5:38: error: unknown friction law 'brisle'; did you mean 'bristle'? (known: coulomb, "
     "bristle, regularized, lugre, blend)"},
    {HEAD BOTH "contact:\n  - {between: [c, disk], law: penalty}\n",
     "t.yaml:5:5: error: missing required key 'normal_stiffness' in a contact with law 'penalty'"},
    {HEAD BOTH "contact:\n  - {between: [c, disk], law: penalty, normal_stiffness: 1, tangential: "
               "coulomb}\n",
     "t.yaml:5:73: error: friction law 'coulomb' is set-valued; it is the friction of law 'hard'"},
    {HEAD BOTH "contact:\n  - {between: [c, disk], law: penalty, normal_stiffness: 1, friction: "
               "0.1, tangential: lugre}\n",
     "error: missing required key 'tangential_stiffness' in a contact with friction law 'lugre'"},
    {HEAD BOTH "contact:\n  - {between: [c, disk], law: penalty, normal_stiffness: 1, friction: "
               "0.1, tangential: regularized}\n",
     "error: missing required key 'regularization_velocity' in a contact with friction law "
     "'regularized'"},
    {HEAD BOTH "contact:\n  - {between: [c, disk], law: penalty, normal_stiffness: 1, friction: "
               "0.1}\n",
     "error: missing required key 'tangential_stiffness' (or 'regularization_velocity') in a "
     "contact with law 'penalty' and friction"},
    {HEAD BOTH "contact:\n  - {between: [c, disk], law: penalty, normal_stiffness: 1, friction: "
               "0.1, tangential_stiffness: 1, friction_kinetic: 0.05}\n",
     "error: missing required key 'stribeck_velocity' in a contact with 'friction_kinetic'"},
    {HEAD BOTH "contact:\n  - {between: [c, disk], normal_stiffness: -1}\n",
     "t.yaml:5:44: error: 'normal_stiffness' must be > 0 N/m or 'none' (got -1)"},
    {HEAD BOTH "contact:\n  - {between: [c, disk], per: volume}\n",
     "t.yaml:5:31: error: unknown word 'volume' for 'per'"},
    {HEAD BOTH "contact:\n  - {between: [c, disk], kinematics: cord}\n",
     "error: unknown word 'cord' for 'kinematics'; did you mean 'chord'?"},
    {HEAD BOTH "contact:\n  - {between: [c, disk], switching: return}\n",
     "error: unknown word 'return' for 'switching'"},
    {HEAD BOTH "contact:\n  - {between: [c, disk], normal_stifness: 1}\n",
     "error: unknown key 'normal_stifness' in a contact; did you mean 'normal_stiffness'?"},
    {HEAD BOTH "contact:\n  - {between: [c, 'd*']}\n",
     "t.yaml:5:19: error: no cable has a name that begins with 'd' (a pattern stands for cables; "
     "bodies have a pair each)"},
    /* forces */
    {HEAD BOTH "forces: {on: c}\n", "t.yaml:4:9: error: 'forces' must be a list (got a mapping)"},
    {HEAD BOTH "forces: [3]\n", "error: 'an entry of 'forces'' must be a mapping"},
    {HEAD BOTH "forces:\n  - {force: [1, 2]}\n",
     "t.yaml:5:5: error: missing required key 'target' in a force"},
    {HEAD BOTH "forces:\n  - {on: disc, force: [1, 2]}\n",
     "t.yaml:5:10: error: no body or cable is named 'disc'; did you mean 'disk'?"},
    {HEAD BOTH "forces:\n  - {on: disk, point: end, force: [1, 2]}\n",
     "t.yaml:5:16: error: 'point' is for cables; a force on a body acts on its centre"},
    {HEAD BOTH "forces:\n  - {on: c, force: [1, 2]}\n",
     "t.yaml:5:5: error: missing required key 'point' in a force on a cable: 'start', 'end', or"},
    {HEAD BOTH "forces:\n  - {target: c, point: 1.5, force: [1, 2]}\n",
     "t.yaml:5:24: error: 'point' must be between 0 and 1 or 'none' (got 1.5)"},
    {HEAD BOTH "forces:\n  - {on: c, point: middle, force: [1, 2]}\n",
     "t.yaml:5:20: error: 'point' must be a number (got 'middle')"},
    {HEAD BOTH "forces:\n  - {on: disk}\n",
     "error: missing required key 'force' (or 'moment') in a force"},
    {HEAD BOTH "forces:\n  - {on: disk, force: 3}\n",
     "t.yaml:5:23: error: 'force' must be a list of 2 functions of time (got '3')"},
    {HEAD BOTH "forces:\n  - {on: disk, force: {table: [[0, 1], [1, 2]]}}\n",
     "t.yaml:5:32: error: 'row of a table' must be a list of 3 numbers (got a list of 2)"},
    {HEAD BOTH "forces:\n  - {on: disk, momnet: 3}\n",
     "t.yaml:5:16: error: unknown key 'momnet' in a force; did you mean 'moment'?"},
    /* springs */
    {HEAD BOTH "springs:\n  - {stiffness: 1, length: 0}\n",
     "t.yaml:5:5: error: missing required key 'between' in a spring"},
    {HEAD BOTH "springs:\n  - {between: [disk, [0, 0]], length: 0}\n",
     "error: missing required key 'stiffness' in a spring"},
    {HEAD BOTH "springs:\n  - {between: [disk], stiffness: 1, length: 0}\n",
     "t.yaml:5:15: error: 'between' must be a list of 2: a body, {cable: fraction}, or a place"},
    {HEAD BOTH "springs:\n  - {between: [disk, c], stiffness: 1, length: 0}\n",
     "t.yaml:5:22: error: 'c' is a cable: write {c: fraction of its length}"},
    {HEAD BOTH "springs:\n  - {between: [{disk: 0.5}, {c: 1}], stiffness: 1, length: 0}\n",
     "t.yaml:5:17: error: 'disk' is a body: a spring acts on its centre; write the name alone"},
    {HEAD BOTH "springs:\n  - {between: [disk, {c: 2}], stiffness: 1, length: 0}\n",
     "t.yaml:5:26: error: 'fraction' must be between 0 and 1 (got 2)"},
    {HEAD BOTH "springs:\n  - {between: [disk, {c: 0, d: 1}], stiffness: 1, length: 0}\n",
     "t.yaml:5:22: error: write a point of a cable as {cable: fraction of its length}"},
    {HEAD BOTH "springs:\n  - {between: [dsk, [0, 0]], stiffness: 1, length: 0}\n",
     "t.yaml:5:16: error: no body or cable is named 'dsk'; did you mean 'disk'?"},
    {HEAD BOTH "springs:\n  - {between: [disk, [0]], stiffness: 1, length: 0}\n",
     "t.yaml:5:22: error: 'place on the ground' must be a list of 2 numbers (got a list of 1)"},
    {HEAD BOTH "springs:\n  - {between: [disk, disk], stiffness: 1, length: 0}\n",
     "t.yaml:5:15: error: a spring needs two different ends"},
    {HEAD BOTH "springs:\n  - {between: [[0, 0], [1, 0]], stiffness: 1, length: 0}\n",
     "t.yaml:5:15: error: a spring needs a body or a cable at one end"},
    {HEAD BOTH "springs:\n  - {between: [disk, [0, 0]], stiffness: -1, length: 0}\n",
     "t.yaml:5:42: error: 'stiffness' must be >= 0 N/m (got -1)"},
    /* static starts */
    {HEAD "start: {type: statik}\n" BODY,
     "t.yaml:2:15: error: unknown word 'statik' for 'type'; did you mean 'static'?"},
    {HEAD "start: {type: static, frition: 0}\n" BODY,
     "t.yaml:2:23: error: unknown key 'frition' in the start; did you mean 'friction'?"},
    {HEAD "start: {type: static, friction: -1}\n" BODY,
     "t.yaml:2:33: error: 'friction' must be between 0 and 1000000000 (got -1)"},
    {HEAD "start: {type: static, load_steps: 0}\n" BODY,
     "t.yaml:2:35: error: 'load_steps' must be a whole number "},
    {HEAD "start: {type: static, tolerance: 0.1}\n" BODY,
     "t.yaml:2:34: error: 'tolerance' must be between 1e-14 and 0.01 (got 0.1)"},
    {HEAD "start: {type: static, lock: disk.x}\n" BODY,
     "t.yaml:2:29: error: 'lock' must be a list (got 'disk.x')"},
    {HEAD "start: {type: static, lock: [disc]}\n" BODY,
     "t.yaml:2:30: error: write a lock as body, body.x, body.y, body.angle, cable.start.x, ... "
     "(got "
     "'disc')"},
    {HEAD "start: {type: static, lock: [disc.x]}\n" BODY,
     "t.yaml:2:30: error: no body or cable is named 'disc'; did you mean 'disk'?"},
    {HEAD "start: {type: static, lock: [disk.x, disk.angel]}\n" BODY,
     "t.yaml:2:38: error: body 'disk' has no 'angel' to lock; did you mean 'angle'? (known: x, y, "
     "angle)"},
    {HEAD "start: {type: static, lock: [c.middle.x]}\n" BOTH,
     "t.yaml:2:30: error: cable 'c' has no 'middle.x' to lock (known: start.x, start.y, end.x, "
     "end.y)"},
    /* named probes */
    {HEAD BODY "output: {probes: [{name: w}]}\n",
     "t.yaml:3:19: error: missing required key 'of' in a probe"},
    {HEAD BODY "output: {probes: [{name: w, of: disk.spni}]}\n", "t.yaml:3:33: error: "},
    {HEAD BODY "output: {probes: [{name: w x, of: disk.spin}]}\n",
     "t.yaml:3:26: error: a name is made of up to 60 letters, digits, _ and - (got 'w x')"},
    {HEAD BODY "output: {probes: [{name: w, of: disk.spin}, {name: w, of: disk.angle}]}\n",
     "t.yaml:3:52: error: there is already a probe named 'w'"},
    {HEAD BODY "output: {probes: [disk.spin, {of: disk.spin, mean_over: 1}]}\n",
     "t.yaml:3:30: error: there is already a probe named 'disk.spin'"},
    {HEAD BODY "output: {probes: [{of: disk.spin, mean_over: -1}]}\n",
     "t.yaml:3:46: error: 'mean_over' must be >= 0 s (got -1)"},
    {HEAD BODY "output: {probes: [{of: disk.spin, mean: 1}]}\n",
     "t.yaml:3:35: error: unknown key 'mean' in a probe"},
    {HEAD BODY "output: {probes: [[disk.spin]]}\n",
     "t.yaml:3:19: error: 'a probe' must be text (got a list)"},
};

static void each_class_of_error_is_told_with_its_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; ++i) {
        check_refusal(&refusals[i]);
    }
}

static void what_a_compliant_law_needs_is_not_asked_of_the_hard_one(void **state)
{
    (void)state;
    haw_context *context = NULL;
    haw_scenario *scenario = NULL;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    assert_int_equal(haw_scenario_parse(context, "t.yaml",
                                        HEAD BOTH "contact:\n  - {between: [c, disk], tangential: "
                                                  "bristle, friction: 0.2}\n",
                                        0, NULL, &scenario),
                     HAW_OK);
    haw_scenario_free(context, scenario);
    haw_context_free(context);
}

TEST_FILE(test_scenario_refused)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_class_of_error_is_told_with_its_place),
        cmocka_unit_test(what_a_compliant_law_needs_is_not_asked_of_the_hard_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
