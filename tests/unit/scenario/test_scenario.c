/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading scenarios: what is understood, what is written back, where memory may fail. */
#include "support/failing.h"
#include "support/reading.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

static const char small[] = "hawser: 1\n"
                            "title: \"a \\\"small\\\" one: \\u00e9\"\n"
                            "gravity: [0, -9.81]\n"
                            "start: {type: static}\n"
                            "bodies:\n"
                            "  - {name: disk, shape: {type: circle, radius: 0.1}, mass: 2.0}\n"
                            "  - name: drum\n"
                            "    shape: {type: circle, radius: .25}\n"
                            "    motion:\n"
                            "      spin: {table: [[0, 0], [0.5, 3]], ramp: cycloid}\n"
                            "      velocity: {table: [[0, 1, 2], [1, 3, 4], [2, 5, 6]]}\n"
                            "  - {name: ground, shape: {type: plane}, motion: {fixed: true}}\n"
                            "cables:\n"
                            "  - name: rope\n"
                            "    element: chain\n"
                            "    elements: 7\n"
                            "    from: [-0.1, -0.5]\n"
                            "    path:\n"
                            "      - line: [-0.1, 0]\n"
                            "      - arc: {center: [0, 0], radius: 0.1, angle_deg: -180}\n"
                            "    stiffness: 4.0e+4\n"
                            "    density: 1E-1\n"
                            "    length: 0.8\n"
                            "    slack: true\n"
                            "    damping: {mass: 300}\n"
                            "    ends: {start: free, end: {motion: {velocity: [0.1, 40]}}}\n"
                            "contact:\n"
                            "  - {between: [rope, drum], friction: 0.3, spacing: 0.01}\n"
                            "  - {between: [ground, disk], restitution: 0.7, arm: distance}\n"
                            "stepper: {type: moreau, step: 1.0e-5, end: 0.25, theta: 0.55}\n"
                            "solver: {type: pgs, tolerance: 1.0e-9, on_unconverged: warn}\n"
                            "output: {every: 2.0e-3, probes: [disk.position, rope.tension_mean]}\n";

static int make_context(void **state)
{
    haw_context *context = NULL;
    if (haw_context_create(NULL, &context) != HAW_OK) {
        return -1;
    }
    *state = context;
    return 0;
}

static int free_context(void **state)
{
    haw_context_free(*state);
    return 0;
}

static haw_scenario *parse(haw_context *context, const char *text)
{
    haw_scenario *scenario = NULL;
    const haw_status status = haw_scenario_parse(context, "t.yaml", text, 0, NULL, &scenario);
    if (status != HAW_OK) {
        fail_msg("%s", haw_context_message(context));
    }
    return scenario;
}

static void bodies_are_read_with_their_shapes_and_motions(void **state)
{
    haw_scenario *scenario = parse(*state, small);
    const haw_scene *scene = &scenario->scene;
    assert_string_equal(scenario->title, "a \"small\" one: \xC3\xA9");
    assert_near(scene->gravity[1], -9.81, 0, 0);
    assert_int_equal(scene->start, HAW_START_STATIC);
    assert_int_equal(scene->bodies, 3);
    assert_string_equal(scene->body[0].shape, "circle");
    assert_near(scene->body[0].shape_options[0], 0.1, 0, 0);
    assert_near(scene->body[0].mass, 2, 0, 0);
    assert_true(isnan(scene->body[0].inertia));
    assert_int_equal(scene->body[0].motion, HAW_MOTION_FREE);
    assert_int_equal(scene->body[2].motion, HAW_MOTION_FIXED);
    const haw_body_spec *drum = &scene->body[1];
    assert_int_equal(drum->motion, HAW_MOTION_PRESCRIBED);
    assert_int_equal(drum->motion_spin.ramp, HAW_RAMP_CYCLOID);
    assert_near(drum->motion_spin.value[1], 3, 0, 0);
    assert_int_equal(drum->motion_velocity[0].count, 3);
    assert_near(drum->motion_velocity[0].value[2], 5, 0, 0);
    assert_near(drum->motion_velocity[1].value[1], 4, 0, 0);
    assert_near(drum->motion_velocity[1].time[2], 2, 0, 0);
    haw_scenario_free(*state, scenario);
}

static void cables_are_read_with_their_path_and_ends(void **state)
{
    haw_scenario *scenario = parse(*state, small);
    const haw_cable_spec *cable = &scenario->scene.cable[0];
    assert_int_equal(scenario->scene.cables, 1);
    assert_string_equal(cable->element, "chain");
    assert_int_equal(cable->elements, 7);
    assert_int_equal(cable->gauss_points, 3);
    assert_near(cable->stiffness, 4e4, 0, 0);
    assert_near(cable->density, 0.1, 0, 0);
    assert_near(cable->length, 0.8, 0, 0);
    assert_near(cable->damping_mass, 300, 0, 0);
    assert_true(isnan(cable->tension) && isnan(cable->to[0]) && cable->slack);
    assert_int_equal(cable->segments, 2);
    assert_false(cable->path[0].kind == HAW_PIECE_ARC);
    assert_true(cable->path[1].kind == HAW_PIECE_ARC);
    assert_near(cable->path[1].to[0], 0.1, 0, 1e-15);
    assert_near(cable->path[1].to[1], 0, 1e-16, 0);
    assert_int_equal(cable->ends[0].kind, HAW_END_FREE);
    assert_int_equal(cable->ends[1].kind, HAW_END_MOTION);
    assert_near(cable->ends[1].velocity[1].constant, 40, 0, 0);
    haw_scenario_free(*state, scenario);
}

static void contacts_and_settings_are_read(void **state)
{
    haw_scenario *scenario = parse(*state, small);
    const haw_contact_spec *contact = scenario->scene.contact;
    const haw_run_settings *run = &scenario->run;
    assert_int_equal(scenario->scene.contacts, 2);
    assert_string_equal(contact[0].between[1], "drum");
    assert_string_equal(contact[0].law, "hard");
    assert_near(contact[0].spacing, 0.01, 0, 0);
    assert_near(contact[1].restitution, 0.7, 0, 0);
    assert_int_equal(contact[1].arm, HAW_ARM_DISTANCE);
    const haw_stepper_common *common = (const haw_stepper_common *)run->stepper.options;
    assert_near(common->step, 1e-5, 0, 0);
    assert_near(common->end, 0.25, 0, 0);
    assert_string_equal(run->solver.ops->row.name, "pgs");
    assert_near(((const haw_solver_common *)run->solver.options)->tolerance, 1e-9, 0, 0);
    assert_int_equal(run->on_unconverged, HAW_UNCONVERGED_WARN);
    assert_near(run->every, 2e-3, 0, 0);
    assert_int_equal(run->probes, 2);
    assert_string_equal(run->probe[1].of, "rope.tension_mean");
    haw_scenario_free(*state, scenario);
}

static void a_minimal_scenario_has_the_documented_defaults(void **state)
{
    haw_scenario *scenario = parse(*state, "hawser: 1\n"
                                           "cables: [{name: c, elements: 4, from: [0, 0], "
                                           "to: [0, 1], stiffness: 1, density: 1, tension: 1}]\n");
    haw_run_settings run;
    assert_int_equal(haw_run_settings_init(*state, &run), HAW_OK);
    assert_string_equal(scenario->scene.cable[0].element, "bezier");
    assert_int_equal(scenario->scene.cable[0].ends[0].kind, HAW_END_PINNED);
    assert_near(scenario->scene.gravity[1], 0, 0, 0);
    assert_near(scenario->run.every, 1e-3, 0, 0);
    assert_near(scenario->run.separation, run.separation, 0, 0);
    assert_ptr_equal(scenario->run.stepper.ops, run.stepper.ops);
    assert_string_equal(scenario->title, "");
    haw_scenario_free(*state, scenario);
}

/* The resolved text of a scenario is a fixed point of reading and resolving. */
static void assert_round_trip(haw_context *context, const haw_scenario *scenario)
{
    char *first = NULL, *second = NULL;
    assert_int_equal(haw_scenario_resolve(context, scenario, &first), HAW_OK);
    haw_scenario *again = parse(context, first);
    assert_int_equal(haw_scenario_resolve(context, again, &second), HAW_OK);
    assert_string_equal(first, second);
    assert_string_equal(scenario->title, again->title);
    assert_memory_equal(scenario->scene.gravity, again->scene.gravity, 2 * sizeof(double));
    assert_int_equal(scenario->scene.bodies, again->scene.bodies);
    assert_int_equal(scenario->scene.cables, again->scene.cables);
    assert_int_equal(scenario->scene.contacts, again->scene.contacts);
    assert_int_equal(scenario->scene.forces, again->scene.forces);
    assert_int_equal(scenario->scene.springs, again->scene.springs);
    assert_int_equal(scenario->scene.locks, again->scene.locks);
    assert_int_equal(scenario->run.probes, again->run.probes);
    assert_memory_equal(scenario->run.stepper.options, again->run.stepper.options,
                        sizeof again->run.stepper.options);
    assert_memory_equal(scenario->run.solver.options, again->run.solver.options,
                        sizeof again->run.solver.options);
    for (int i = 0; i < again->scene.bodies; ++i) {
        assert_memory_equal(scenario->scene.body[i].shape_options,
                            again->scene.body[i].shape_options,
                            sizeof again->scene.body[i].shape_options);
    }
    for (int i = 0; i < again->scene.cables; ++i) {
        const haw_cable_spec *a = &scenario->scene.cable[i], *b = &again->scene.cable[i];
        assert_memory_equal(a->from, b->from, sizeof a->from);
        assert_memory_equal(&a->stiffness, &b->stiffness, sizeof a->stiffness);
        assert_int_equal(a->segments, b->segments);
        assert_int_equal(a->ends[1].kind, b->ends[1].kind);
    }
    haw_text_free(context, first);
    haw_text_free(context, second);
    haw_scenario_free(context, again);
}

static void a_resolved_scenario_reads_back_to_the_same(void **state)
{
    haw_scenario *scenario = parse(*state, small);
    assert_round_trip(*state, scenario);
    haw_scenario_free(*state, scenario);
}

static void resolved_numbers_have_a_point_and_a_signed_exponent(void **state)
{
    char *text = NULL;
    haw_scenario *scenario = parse(*state, "hawser: 1\n"
                                           "gravity: [1e-7, 3e22]\n"
                                           "bodies: [{name: b, mass: 0.1, inertia: 7}]\n");
    assert_int_equal(haw_scenario_resolve(*state, scenario, &text), HAW_OK);
    assert_non_null(strstr(text, "gravity: [1.0e-07, 3.0e+22]\n"));
    assert_non_null(strstr(text, "mass: 0.1\n"));
    assert_non_null(strstr(text, "inertia: 7.0\n"));
    haw_text_free(*state, text);
    haw_scenario_free(*state, scenario);
}

static void every_shipped_scenario_is_read_and_resolved(void **state)
{
    DIR *folder = opendir("data/scenarios");
    int count = 0;
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char path[300];
        if (strstr(entry->d_name, ".yaml") == NULL) {
            continue;
        }
        haw_scenario *scenario = NULL;
        (void)snprintf(path, sizeof path, "data/scenarios/%s", entry->d_name);
        if (haw_scenario_read(*state, path, 0, NULL, &scenario) != HAW_OK) {
            fail_msg("%s", haw_context_message(*state));
        }
        assert_true(strlen(scenario->title) > 0);
        assert_round_trip(*state, scenario);
        haw_scenario_free(*state, scenario);
        ++count;
    }
    (void)closedir(folder);
    assert_true(count >= 14);
}

/* Brackets match and quotes close: enough to catch a comma or brace that went missing. */
static void the_schema_is_balanced_and_knows_every_key(void **state)
{
    char *text = NULL;
    char stack[64];
    int depth = 0;
    bool in_string = false;
    assert_int_equal(haw_scenario_schema(*state, &text), HAW_OK);
    for (const char *s = text; *s != '\0'; ++s) {
        if (in_string) {
            s += *s == '\\' ? 1 : 0;
            in_string = *s != '"';
        } else if (*s == '"') {
            in_string = true;
        } else if (*s == '{' || *s == '[') {
            assert_true(depth < (int)sizeof stack);
            stack[depth++] = *s;
        } else if (*s == '}' || *s == ']') {
            assert_true(depth > 0);
            assert_int_equal(stack[--depth], *s == '}' ? '{' : '[');
        } else if (*s == ',') {
            const char *next = s + 1 + strspn(s + 1, " \n");
            assert_true(*next == '"' || *next == '{' || *next == '[' || *next == '-' ||
                        (*next >= '0' && *next <= '9'));
        }
    }
    assert_int_equal(depth, 0);
    const haw_option *const tables[] = {haw_body_options,  haw_cable_options,  haw_contact_options,
                                        haw_force_options, haw_spring_options, haw_start_options,
                                        haw_scene_options};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; ++i) {
        for (const haw_option *row = tables[i]; row->key != NULL; ++row) {
            char key[64];
            const char *dot = strchr(row->key, '.');
            (void)snprintf(key, sizeof key, "\"%s\": {", dot != NULL ? dot + 1 : row->key);
            assert_non_null(strstr(text, key));
        }
    }
    static const char mapping[] = "\"damping\": {\"type\": \"object\"";
    const char *damping = strstr(text, mapping); /* one mapping of all its rows */
    assert_non_null(damping);
    assert_null(strstr(damping + 1, mapping));
    haw_text_free(*state, text);
}

static haw_status read_and_resolve(haw_context *context, void *user)
{
    static const char *const set[] = {"contact.friction=0.2", "stepper.theta=0.6"};
    (void)user;
    return resolve_text(context, small, 2, set);
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    assert_true(failing_loop(read_and_resolve, NULL) > 10);
}

TEST_FILE(test_scenario)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_read_with_their_shapes_and_motions),
        cmocka_unit_test(cables_are_read_with_their_path_and_ends),
        cmocka_unit_test(contacts_and_settings_are_read),
        cmocka_unit_test(a_minimal_scenario_has_the_documented_defaults),
        cmocka_unit_test(a_resolved_scenario_reads_back_to_the_same),
        cmocka_unit_test(resolved_numbers_have_a_point_and_a_signed_exponent),
        cmocka_unit_test(every_shipped_scenario_is_read_and_resolved),
        cmocka_unit_test(the_schema_is_balanced_and_knows_every_key),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
