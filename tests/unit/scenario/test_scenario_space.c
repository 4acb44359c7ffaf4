/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenarios in space: surfaces, laid cables, guided and pulled ends, follower forces, watches. */
#include "support/failing.h"
#include "support/reading.h"

static const char winding[] =
    "hawser: 1\n"
    "title: winding\n"
    "gravity: [0, 1, -9.81]\n"
    "bodies:\n"
    "  - name: drum\n"
    "    shape: {type: cylinder, radius: 0.4}\n"
    "    position: [1, 2, 3]\n"
    "    orientation: [0.6, 0, 0.8, 0]\n"
    "    motion: {spin: {table: [[0, 0], [1, 1.2], [5, 1.2], [6, 0]], ramp: smoothstep},\n"
    "             velocity: [0, 0, 0.5]}\n"
    "  - name: mandrel\n"
    "    shape: {type: revolution, profile: [[-1, 0.3], [0, 0.35], [1, 0.3], [2, 0.35]]}\n"
    "    motion: {fixed: true}\n"
    "  - name: form\n"
    "    shape:\n"
    "      type: revolution\n"
    "      meridian: {from: [-1, 0.3], path: [{line: [0, 0.3]}, {arc: {center: [0, 0], to: "
    "[0.3, 0]}}]}\n"
    "    motion: {table: [[0, 0, 0, 0], [1, 1, 2, 3]]}\n"
    "  - {name: ball, shape: {type: sphere, radius: 0.1}, mass: 1, inertias: [1, 2, 3], joint: "
    "translation, velocity: [1, 2, 3]}\n"
    "cables:\n"
    "  - name: yarn\n"
    "    element: se3\n"
    "    elements: 50\n"
    "    from: [0.401, 0, 0]\n"
    "    to: [0.401, -4.00014, 0]\n"
    "    tension: 10\n"
    "    stiffness: 282743.34\n"
    "    shear_stiffness: 116836.1\n"
    "    bending_stiffness: 0.07068583\n"
    "    torsional_stiffness: 0.05841805\n"
    "    density: 8.4823e-3\n"
    "    radius: 1.0e-3\n"
    "    rotary_inertia: [4.0e-9, 2.0e-9, 3.0e-9]\n"
    "    damping: {mass: 1, shear: 2, torsion: 3}\n"
    "    ends:\n"
    "      start: {body: drum, clamped: true}\n"
    "      end: {motion: {velocity: [0, free, {table: [[6, 0], [6.25, 0.15]]}]}, tension: 10, "
    "towards: [0, -1, 0]}\n"
    "  - {name: laid, elements: 4, lay: {on: mandrel, z: 0.1, phi_deg: 20, angle_deg: 30, slip: "
    "0.1},\n"
    "     length: 1.2, tension: 10, stiffness: 1, density: 1, radius: 0.001,\n"
    "     ends: {start: {body: mandrel}, end: {tension: {table: [[0, 1], [1, 2]]}}}}\n"
    "  - {name: bow, elements: 8, from: [0, 0, 1], path: [{arc: {center: [1, 0, 1], radius: 1,\n"
    "     angle_deg: -90}}, {line: [2, 1, 3]}], stiffness: 1, density: 1, radius: 0.001,\n"
    "     ends: {start: clamped, end: {motion: {position: [2, 1, free]}}}}\n"
    "contact:\n"
    "  - {between: [yarn, drum], points_per_element: 1, proxy: mortar, friction: 0.4}\n"
    "  - {between: [laid, mandrel], points_per_element: 4, proxy: capsules, refine: liftoff}\n"
    "  - {between: [ball, drum]}\n"
    "forces:\n"
    "  - {on: yarn, point: 1, force: [0, 0, {table: [[0, 0], [1, 6]]}], moment: [1, 2, 3], "
    "follows: true}\n"
    "  - {on: ball, moment: {table: [[0, 0, 0, 1], [1, 0, 0, 5]]}}\n"
    "stepper: {type: moreau-jean, theta: 0.6, step: 5.0e-3, end: 12}\n"
    "output:\n"
    "  probes:\n"
    "    - ball.position\n"
    "    - {name: late, of: ball.velocity, first_above: 5.0e-4, after: 1}\n"
    "    - {name: peak, of: yarn.tension_mean, maximum: true, after: 0.2, until: 5, scale: 0.1, "
    "shift: -1}\n"
    "    - {name: half, of: yarn.length, scale: 0.5}\n"
    "dimension: 3\n";

static const haw_scene *accept(fixture *f, const char *const *set)
{
    if (parse_text(f, winding, set) != HAW_OK) {
        fail_msg("%s", f->log.text);
    }
    return &f->scenario->scene;
}

static void near3(const double got[3], double x, double y, double z)
{
    assert_near(got[0], x, 0, 0);
    assert_near(got[1], y, 0, 0);
    assert_near(got[2], z, 0, 0);
}

/* `dimension` is the last key of the text: the others are read by it all the same. */
static void the_dimension_counts_wherever_it_stands(void **state)
{
    fixture *f = *state;
    const haw_scene *scene = accept(f, NULL);
    assert_int_equal(scene->dimension, 3);
    near3(scene->gravity, 0, 1, -9.81);
    assert_int_equal(parse_text(f,
                                "hawser: 1\nbodies: [{name: a, mass: 1, inertia: 1}]\n"
                                "stepper: {end: 1}\n",
                                NULL),
                     HAW_OK);
    assert_int_equal(f->scenario->scene.dimension, 2);
}

static void bodies_have_places_turns_and_surfaces(void **state)
{
    const haw_body_spec *body = accept(*state, NULL)->body;
    assert_string_equal(body[0].shape, "cylinder");
    assert_near(body[0].shape_options[0], 0.4, 0, 0);
    near3(body[0].position, 1, 2, 3);
    near3(body[0].orientation, 0.6, 0, 0.8);
    assert_near(haw_function_value(&body[0].motion_spin, 0.5), 0.6, 0, 1e-15);
    assert_near(body[0].motion_velocity[2].constant, 0.5, 0, 0);
    assert_near(body[1].orientation[0], 1, 0, 0);
    near3(body[3].inertias, 1, 2, 3);
    near3(body[3].velocity, 1, 2, 3);
    near3((const double[3]){haw_function_value(&body[2].motion_velocity[0], 0.5),
                            haw_function_value(&body[2].motion_velocity[1], 0.5),
                            haw_function_value(&body[2].motion_velocity[2], 0.5)},
          0.5, 1, 1.5);
}

static void a_surface_of_revolution_has_a_profile_or_a_meridian(void **state)
{
    const haw_body_spec *body = accept(*state, NULL)->body;
    assert_int_equal(body[1].profile.count, 4);
    assert_near(body[1].profile.time[0], -1, 0, 0);
    assert_near(body[1].profile.value[1], 0.35, 0, 0);
    assert_int_equal(body[1].meridian_segments, 0);
    assert_int_equal(body[2].meridian_segments, 2);
    assert_near(body[2].meridian_from[1], -1, 0, 0);
    assert_false(body[2].meridian[0].is_arc);
    assert_near(body[2].meridian[0].to[0], 0.3, 0, 0);
    assert_true(body[2].meridian[1].is_arc);
    assert_near(body[2].meridian[1].to[1], 0.3, 0, 0);
    assert_near(body[2].meridian[1].center[0], 0, 0, 0);
}

static void cables_are_straight_laid_or_along_a_path(void **state)
{
    const haw_cable_spec *cable = accept(*state, NULL)->cable;
    near3(cable[0].from, 0.401, 0, 0);
    near3(cable[0].to, 0.401, -4.00014, 0);
    near3(cable[0].rotary_inertia, 4e-9, 2e-9, 3e-9);
    assert_near(cable[0].shear_stiffness, 116836.1, 0, 0);
    assert_near(cable[0].damping_torsion, 3, 0, 0);
    assert_null(cable[0].lay.on);
    assert_string_equal(cable[1].element, "se3");
    assert_string_equal(cable[1].lay.on, "mandrel");
    assert_near(cable[1].lay.phi_deg, 20, 0, 0);
    assert_near(cable[1].lay.slip, 0.1, 0, 0);
    assert_near(cable[1].length, 1.2, 0, 0);
    assert_near(cable[1].tension, 10, 0, 0);
    assert_true(isnan(cable[1].shear_stiffness) && isnan(cable[1].rotary_inertia[2]));
    assert_int_equal(cable[2].segments, 2);
    assert_near(cable[2].path[0].to[0], 1, 0, 1e-15);
    assert_near(cable[2].path[0].to[1], 1, 0, 1e-15);
    assert_near(cable[2].path[0].to[2], 1, 0, 0);
    near3(cable[2].path[1].to, 2, 1, 3);
}

static void ends_ride_on_bodies_are_guided_and_pulled(void **state)
{
    const haw_cable_spec *cable = accept(*state, NULL)->cable;
    const haw_end_spec *start = &cable[0].ends[0], *end = &cable[0].ends[1];
    assert_int_equal(start->kind, HAW_END_CLAMPED);
    assert_string_equal(start->body, "drum");
    assert_int_equal(end->kind, HAW_END_MOTION);
    assert_int_equal(end->guide[0], HAW_GUIDE_VELOCITY);
    assert_int_equal(end->guide[1], HAW_GUIDE_FREE);
    assert_near(haw_function_value(&end->velocity[2], 6.125), 0.075, 0, 1e-15);
    assert_near(end->tension.constant, 10, 0, 0);
    near3(end->towards, 0, -1, 0);
    assert_int_equal(cable[1].ends[0].kind, HAW_END_PINNED);
    assert_string_equal(cable[1].ends[0].body, "mandrel");
    assert_int_equal(cable[1].ends[1].kind, HAW_END_FREE);
    assert_near(haw_function_value(&cable[1].ends[1].tension, 0.5), 1.5, 0, 1e-15);
    near3(cable[1].ends[1].towards, 0, 0, 0);
    assert_int_equal(cable[2].ends[0].kind, HAW_END_CLAMPED);
    assert_null(cable[2].ends[0].body);
    assert_int_equal(cable[2].ends[1].guide[1], HAW_GUIDE_POSITION);
    assert_int_equal(cable[2].ends[1].guide[2], HAW_GUIDE_FREE);
}

static void contacts_have_proxies_and_forces_may_follow(void **state)
{
    const haw_scene *scene = accept(*state, NULL);
    assert_int_equal(scene->contact[0].proxy, HAW_PROXY_MORTAR);
    assert_int_equal(scene->contact[1].proxy, HAW_PROXY_CAPSULES);
    assert_int_equal(scene->contact[1].refine, HAW_REFINE_LIFTOFF);
    assert_true(scene->force[0].follows);
    assert_near(haw_function_value(&scene->force[0].force[2], 0.5), 3, 0, 1e-15);
    near3((const double[3]){scene->force[0].moment[0].constant, scene->force[0].moment[1].constant,
                            scene->force[0].moment[2].constant},
          1, 2, 3);
    assert_false(scene->force[1].follows);
    assert_near(haw_function_value(&scene->force[1].moment[2], 0.5), 3, 0, 1e-15);
}

static void probes_are_watched_and_scaled(void **state)
{
    fixture *f = *state;
    accept(f, NULL);
    const haw_probe_spec *probe = f->scenario->run.probe;
    assert_int_equal(probe[0].watch.kind, HAW_WATCH_NONE);
    assert_near(probe[0].watch.scale, 1, 0, 0);
    assert_int_equal(probe[1].watch.kind, HAW_WATCH_FIRST_ABOVE);
    assert_near(probe[1].watch.level, 5e-4, 0, 0);
    assert_near(probe[1].watch.after, 1, 0, 0);
    assert_true(isinf(probe[1].watch.until) && probe[1].watch.until > 0);
    assert_int_equal(probe[2].watch.kind, HAW_WATCH_MAXIMUM);
    assert_near(probe[2].watch.until, 5, 0, 0);
    assert_near(probe[2].watch.scale, 0.1, 0, 0);
    assert_near(probe[2].watch.shift, -1, 0, 0);
    assert_int_equal(probe[3].watch.kind, HAW_WATCH_NONE);
    assert_near(probe[3].watch.scale, 0.5, 0, 0);
}

static void settings_reach_spatial_keys(void **state)
{
    static const char *const set[] = {"cables.yarn.bending_factor=0.01",
                                      "cables.yarn.elements=100",
                                      "contact.friction=0.1",
                                      "cables.laid.lay.slip=0.3",
                                      "cables.yarn.damping.shear=7",
                                      "bodies.drum.position=[4, 5, 6]",
                                      "bodies.ball.inertias=auto",
                                      "contact.yarn-drum.proxy=points",
                                      "output.probes.peak.until=end",
                                      NULL};
    fixture *f = *state;
    const haw_scene *scene = accept(f, set);
    assert_near(scene->cable[0].bending_factor, 0.01, 0, 0);
    assert_int_equal(scene->cable[0].elements, 100);
    assert_near(scene->contact[1].friction, 0.1, 0, 0);
    assert_near(scene->cable[1].lay.slip, 0.3, 0, 0);
    assert_near(scene->cable[0].damping_shear, 7, 0, 0);
    near3(scene->body[0].position, 4, 5, 6);
    assert_true(isnan(scene->body[3].inertias[0]) && isnan(scene->body[3].inertias[2]));
    assert_int_equal(scene->contact[0].proxy, HAW_PROXY_POINTS);
    assert_true(isinf(f->scenario->run.probe[2].watch.until));
}

/* The resolved text says the same: it is a fixed point, and nothing of the scene is lost. */
static void every_spatial_key_survives_resolving(void **state)
{
    fixture *f = *state;
    char *first = NULL, *second = NULL;
    accept(f, NULL);
    assert_int_equal(haw_scenario_resolve(f->context, f->scenario, &first), HAW_OK);
    if (parse_text(f, first, NULL) != HAW_OK) {
        fail_msg("%s%s", first, f->log.text);
    }
    assert_int_equal(haw_scenario_resolve(f->context, f->scenario, &second), HAW_OK);
    assert_string_equal(first, second);
    static const char *const lines[] = {
        "dimension: 3\n",
        "gravity: [0.0, 1.0, -9.81]\n",
        "    orientation: [0.6, 0.0, 0.8, 0.0]\n",
        "          - arc: {center: [0.0, 0.0], to: [0.3, 0.0]}\n",
        "      profile: [[-1.0, 0.3], [0.0, 0.35], [1.0, 0.3], [2.0, 0.35]]\n",
        ("    lay: {body: \"mandrel\", radius: 0.0, pitch: 0.0, ramp: 0.0, z: 0.1, phi_deg: 20.0, "
         "angle_deg: 30.0, slip: 0.1}\n"),
        "    shear_stiffness: auto\n",
        "    ends: {start: {body: \"drum\", at: auto, clamped: true}, ",
        "end: {motion: {velocity: [0.0, free, ",
        ", tension: 10.0, towards: [0.0, -1.0, 0.0]}}\n",
        "    ends: {start: clamped, end: {motion: {position: [2.0, 1.0, free]}}}\n",
        "    moment: [1.0, 2.0, 3.0]\n",
        "    follows: true\n",
        "    proxy: \"mortar\"\n",
        ", maximum: true, first_above: none, after: 0.2, until: 5.0, scale: 0.1, shift: -1.0}",
        ", first_above: 0.0005, after: 1.0, until: end, scale: 1.0, shift: 0.0}",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i) {
        if (strstr(second, lines[i]) == NULL) {
            fail_msg("missing: %s\nin %s", lines[i], second);
        }
    }
    assert_null(strstr(second, "quadrature")); /* a key of the plane */
    haw_text_free(f->context, first);
    haw_text_free(f->context, second);
}

static void a_planar_scene_resolves_without_spatial_keys(void **state)
{
    static const char *const foreign[] = {"orientation", "shear_stiffness", "lay",
                                          "proxy",       "torsion",         "inertias"};
    fixture *f = *state;
    char *text = NULL;
    assert_int_equal(parse_text(f,
                                "hawser: 1\nbodies: [{name: a, mass: 1, inertia: 1}]\n"
                                "cables: [{name: c, elements: 2, from: [0, 0], to: [0, 1], "
                                "stiffness: 1, density: 1}]\nstepper: {end: 1}\n"
                                "forces: [{on: a, moment: 2}]\n",
                                NULL),
                     HAW_OK);
    assert_int_equal(haw_scenario_resolve(f->context, f->scenario, &text), HAW_OK);
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; ++i) {
        assert_null(strstr(text, foreign[i]));
    }
    assert_non_null(strstr(text, "dimension: 2\n"));
    assert_non_null(strstr(text, "gravity: [0.0, 0.0]\n"));
    haw_text_free(f->context, text);
}

static haw_status read_and_resolve(haw_context *context, void *user)
{
    (void)user;
    return resolve_text(context, winding, 0, NULL);
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    assert_true(failing_loop(read_and_resolve, NULL) > 10);
}

#define WITH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

/* ---- errors, and keys of one dimension in scenarios of the other ---- */

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
    {PLANE ", lay: {body: c}}]\n", "t.yaml:2:85: error: 'lay' needs dimension: 3"},
    {PLANE ", damping: {torsion: 1}}]\n", "error: 'torsion' needs dimension: 3"},
    {PLANE ", ends: {start: {body: c}}}]\n", "error: no body or cable is named 'c'"},
    {PLANE ", element: se3}]\n", "error: element 'se3' needs dimension: 3"},
    {"hawser: 1\nbodies: [{name: a, orientation: [1, 0, 0, 0]}]\n",
     "t.yaml:2:20: error: 'orientation' needs dimension: 3"},
    {"hawser: 1\nbodies: [{name: a, shape: {type: cylinder, radius: 1}}]\n",
     "t.yaml:2:34: error: the shape 'cylinder' needs dimension: 3"},
    {HEAD "bodies: [{name: a, shape: {type: circle, radius: 1}}]\n",
     "t.yaml:3:34: error: the shape 'circle' needs dimension: 2"},
    {HEAD "bodies: [{name: a, angle_deg: 1}]\n",
     "t.yaml:3:20: error: 'angle_deg' needs dimension: 2"},
    {HEAD "cables: [{" ALONG ", closed: true}]\n",
     "error: missing required key 'path', needed by 'closed'"},
    {HEAD "cables: [{" ALONG ", element: bezier-polar}]\n",
     "error: element 'bezier-polar' needs dimension: 2"},
    {HEAD "cables: [{" ALONG ", element: se4}]\n",
     "error: unknown element 'se4'; did you mean 'se3'?"},
    {BOTH "contact: [{between: [y, drum], normals: point}]\n",
     "t.yaml:5:32: error: 'normals' needs dimension: 2"},
    {BOTH "contact: [{between: [y, drum], refine: minima}]\n",
     "t.yaml:5:40: error: 'refine: minima' needs dimension: 2"},
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
    {HEAD "cables: [{" YARN "}]\n",
     "t.yaml:3:10: error: missing required key 'from' (or 'path', 'lay') in a cable"},
    {HEAD "cables: [{" ALONG ", lay: {on: y}}]\n", "error: 'from' and 'lay' exclude each other"},
    {HEAD DRUM "cables: [{" YARN ", lay: {z: 0}, length: 1}]\n",
     "t.yaml:4:79: error: 'lay' needs either a 'body' or a 'cable'"},
    {HEAD DRUM "cables: [{" YARN ", lay: {on: durm}, length: 1}]\n",
     "t.yaml:4:84: error: no body or cable is named 'durm'; did you mean 'drum'?"},
    {HEAD DRUM "cables: [{" YARN ", lay: {on: drum}}]\n",
     "t.yaml:4:10: error: missing required key 'length', needed by 'lay'"},
    {HEAD DRUM "cables: [{" YARN ", lay: {on: drum, angle_dge: 3}, length: 1}]\n",
     "error: unknown key 'angle_dge' in lay; did you mean 'angle_deg'?"},
    {HEAD "cables: [{" YARN ", from: [0, 0, 0], path: [{arc: {center: [1, 0, 2], radius: 1, "
          "angle_deg: 90}}]}]\n",
     "error: an arc turns about its axis, the z direction if it has none: [0, 0, 0] is -2 m along "
     "it "
     "from its centre"},
    {HEAD "cables: [{" YARN ", from: [0, 0, 0], path: [{arc: {center: [0, 0, 1], radius: 1, "
          "angle_deg: 90, axis: [0, 0, 0]}}]}]\n",
     "error: the axis has no direction"},
    {HEAD "cables: [{" YARN ", from: [0, 0, 0], path: [{arc: {center: [0, 1, 1], radius: 1, "
          "angle_deg: 90, axis: [2, 0, 0]}}]}]\n",
     "error: the arc does not start at the end of the path so far: [0, 0, 0] is 1.41421356 m from "
     "its axis, the radius is 1 m"},
    {HEAD "cables: [{" YARN ", from: [0, 0, 0], path: [{line: [0, 0, 0]}]}]\n",
     "error: this line has no length: the path is already at [0, 0, 0]"},
    /* ends */
    {HEAD DRUM "cables: [{" ALONG ", ends: {start: {body: drun}}}]\n",
     "error: no body or cable is named 'drun'; did you mean 'drum'?"},
    {HEAD DRUM "cables: [{" ALONG ", ends: {start: {body: drum, tension: 3}}}]\n",
     "error: 'body' and 'tension' exclude each other"},
    {HEAD DRUM "cables: [{" ALONG
               ", ends: {start: {body: drum, motion: {velocity: [0, 0, 0]}}}}]\n",
     "error: 'body' and 'motion' exclude each other"},
    {HEAD "cables: [{" ALONG ", ends: {end: {}}}]\n",
     "error: missing required key 'body' (or 'motion', 'tension') in an end"},
    {HEAD "cables: [{" ALONG ", ends: {end: {clamped: true, tension: 1}}}]\n",
     "error: missing required key 'body', needed by 'clamped'"},
    {HEAD "cables: [{" ALONG ", ends: {end: {motion: {velocity: [0, free, 0]}, towards: [1, 0, "
          "0]}}}]\n",
     "error: missing required key 'tension', needed by 'towards'"},
    {HEAD "cables: [{" ALONG ", ends: {end: {motion: {velocity: [0, fre, 0]}}}}]\n",
     "error: 'velocity' must be a number (got 'fre')"},
    {HEAD "cables: [{" ALONG ", ends: {end: {motion: {velocity: [0, 0]}}}}]\n",
     "error: 'velocity' must be a list of 3 functions of time (got a list)"},
    {HEAD "cables: [{" ALONG ", ends: {end: {motion: {velocity: [0, 0, 0], position: [0, 0, "
          "0]}}}}]\n",
     "error: 'velocity' and 'position' exclude each other"},
    {HEAD "cables: [{" ALONG ", ends: {end: {motion: {speed: 1}}}}]\n",
     "error: missing required key 'velocity' (or 'position') in the motion"},
    /* contacts, forces, springs, starts */
    {HEAD
     "bodies: [{name: a, shape: {type: plane}, motion: {fixed: true}}, {name: b, shape: {type: "
     "plane}, motion: {fixed: true}}]\ncontact: [{between: [a, b]}]\n",
     "t.yaml:4:21: error: contact between two bodies needs a sphere, capsule or box"},
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

TEST_FILE(test_scenario_space)
{
    const struct CMUnitTest tests[] = {
        WITH(the_dimension_counts_wherever_it_stands),
        WITH(bodies_have_places_turns_and_surfaces),
        WITH(a_surface_of_revolution_has_a_profile_or_a_meridian),
        WITH(cables_are_straight_laid_or_along_a_path),
        WITH(ends_ride_on_bodies_are_guided_and_pulled),
        WITH(contacts_have_proxies_and_forces_may_follow),
        WITH(probes_are_watched_and_scaled),
        WITH(settings_reach_spatial_keys),
        WITH(every_spatial_key_survives_resolving),
        WITH(a_planar_scene_resolves_without_spatial_keys),
        cmocka_unit_test(every_failing_allocation_is_reported),
        cmocka_unit_test(each_class_of_error_is_told_with_its_place),
        cmocka_unit_test_setup_teardown(a_wrong_dimension_is_the_only_complaint, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
