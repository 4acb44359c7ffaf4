/* SPDX-License-Identifier: BSD-3-Clause */
/* Drives, closed cables, compliant contact, forces, springs, static starts, named probes. */
#include "stepper/stepper.h"
#include "support/failing.h"
#include "support/reading.h"

static const char belt[] =
    "hawser: 1\n"
    "title: belt\n"
    "bodies:\n"
    "  - name: p1\n"
    "    shape: {type: circle, radius: 0.5}\n"
    "    mass: 3\n"
    "    inertia: 0.25\n"
    "    joint: revolute\n"
    "    motion: {spin: {table: [[0.05, 0], [0.6, 12]], ramp: linear}}\n"
    "  - name: p2\n"
    "    shape: {type: circle, radius: 0.5}\n"
    "    inertia: 0.5\n"
    "    position: [2, 0]\n"
    "    joint: revolute\n"
    "    rotational_damping: 2\n"
    "    torque: {table: [[1, 0], [1.5, -25]], ramp: cosine}\n"
    "  - {name: weight, mass: 1, joint: translation}\n"
    "cables:\n"
    "  - name: belt\n"
    "    element: ancf\n"
    "    elements: 16\n"
    "    closed: true\n"
    "    from: [0, 0.5]\n"
    "    path:\n"
    "      - line: [2, 0.5]\n"
    "      - arc: {center: [2, 0], radius: 0.5, angle_deg: -180}\n"
    "      - line: [0, -0.5]\n"
    "      - arc: {center: [0, 0], radius: 0.5, angle_deg: -180}\n"
    "    stiffness: 8000\n"
    "    bending_stiffness: 1.0e-3\n"
    "    density: 0.8\n"
    "    width: 0.08\n"
    "    damping: {mass: 3, strain: 1, curvature: 0.5}\n"
    "    reference_strain: -0.05\n"
    "    quadrature: b\n"
    "  - {name: beam, element: ancf, elements: 4, from: [0, 2], to: [1, 2], stiffness: 10,\n"
    "     density: 1, length: 1, ends: {start: clamped, end: free}}\n"
    "contact:\n"
    "  - between: [belt, p1]\n"
    "    law: penalty\n"
    "    kinematics: chord\n"
    "    points_per_element: 4\n"
    "    normals: point\n"
    "    offset: -5.0e-5\n"
    "    friction: 0.5\n"
    "    friction_kinetic: 0.4\n"
    "    stribeck_velocity: 0.01\n"
    "    per: area\n"
    "    normal: hunt-crossley\n"
    "    normal_stiffness: 4.0e+9\n"
    "    normal_damping: 8.0e+4\n"
    "    normal_exponent: 1.5\n"
    "    tangential: bristle\n"
    "    tangential_stiffness: 5.0e+9\n"
    "    tangential_damping: auto\n"
    "    switching: post-newton\n"
    "  - {between: [belt, p2], law: hard, friction: 0.3, normal_stiffness: 7, tangential: lugre}\n"
    "forces:\n"
    "  - {on: beam, point: end, moment: 6}\n"
    "  - {on: beam, point: 0.25, force: {table: [[0, 1, 2], [1, 3, 4]]}}\n"
    "  - {on: weight, force: [0, {table: [[0, 0], [1, -10]], ramp: smoothstep}]}\n"
    "springs:\n"
    "  - {between: [weight, p2], stiffness: 2, length: 0}\n"
    "  - {between: [{beam: 0.5}, [1, 3]], stiffness: 5, damping: 0.1, length: 0.5}\n"
    "start: {type: static, friction: 0.1, lock: [p2.angle, belt.start.x, beam.end.y], "
    "load_steps: 7}\n"
    "stepper: {type: generalized-alpha, step: 1.0e-3, end: 1, theta: 0.55, rho_infinity: 0.9}\n"
    "output:\n"
    "  probes:\n"
    "    - p2.spin\n"
    "    - {name: mean, of: p2.spin, mean_over: 0.2}\n"
    "    - {name: now, of: p2.spin}\n"
    "    - {of: p2.angle, mean_over: 0.1}\n";

static void accept(fixture *f, const char *const *set)
{
    if (parse_text(f, belt, set) != HAW_OK) {
        fail_msg("%s", f->log.text);
    }
}

static void a_revolute_body_is_driven_or_turns_freely(void **state)
{
    fixture *f = *state;
    accept(f, NULL);
    const haw_body_spec *body = f->scenario->scene.body;
    assert_int_equal(body[0].joint, HAW_JOINT_REVOLUTE);
    assert_int_equal(body[0].motion, HAW_MOTION_PRESCRIBED);
    assert_near(haw_function_value(&body[0].motion_spin, 0.325), 6, 0, 1e-15);
    assert_near(body[0].inertia, 0.25, 0, 0);
    assert_near(body[0].mass, 3, 0, 0);
    assert_int_equal(body[1].motion, HAW_MOTION_FREE);
    assert_true(isnan(body[1].mass));
    assert_near(body[1].rotational_damping, 2, 0, 0);
    assert_near(haw_function_value(&body[1].torque, 1.25), -12.5, 0, 1e-15);
    assert_near(haw_function_value(&body[1].torque, 9), -25, 0, 0);
    assert_int_equal(body[2].joint, HAW_JOINT_TRANSLATION);
}

static void a_closed_cable_and_clamped_ends_are_read(void **state)
{
    fixture *f = *state;
    accept(f, NULL);
    const haw_cable_spec *cable = f->scenario->scene.cable;
    assert_true(cable[0].closed);
    assert_true(isnan(cable[0].tension) && isnan(cable[0].length));
    assert_near(cable[0].damping_mass, 3, 0, 0);
    assert_near(cable[0].damping_strain, 1, 0, 0);
    assert_near(cable[0].damping_curvature, 0.5, 0, 0);
    assert_near(cable[0].reference_strain, -0.05, 0, 0);
    assert_near(cable[0].width, 0.08, 0, 0);
    assert_int_equal(cable[0].quadrature, HAW_SCHEME_B);
    assert_false(cable[1].closed);
    assert_int_equal(cable[1].ends[0].kind, HAW_END_CLAMPED);
    assert_int_equal(cable[1].ends[1].kind, HAW_END_FREE);
}

static void a_compliant_contact_keeps_its_keys_under_either_law(void **state)
{
    fixture *f = *state;
    static const char *const set[] = {"contact.law=hard", NULL};
    for (int hard = 0; hard < 2; ++hard) {
        accept(f, hard == 1 ? set : NULL);
        const haw_contact_spec *contact = f->scenario->scene.contact;
        assert_string_equal(contact[0].law, hard == 1 ? "hard" : "penalty");
        assert_string_equal(contact[0].normal, "hunt-crossley");
        if (hard == 1) { /* ignored: its own friction is Coulomb's */
            assert_null(contact[0].tangential);
        } else {
            assert_string_equal(contact[0].tangential, "bristle");
        }
        assert_int_equal(contact[0].kinematics, HAW_KINEMATICS_CHORD);
        assert_int_equal(contact[0].normals, HAW_NORMALS_POINT);
        assert_int_equal(contact[0].per, HAW_PER_AREA);
        assert_int_equal(contact[0].switching, HAW_SWITCHING_POST_NEWTON);
        assert_near(contact[0].offset, -5e-5, 0, 0);
        assert_near(contact[0].friction_kinetic, 0.4, 0, 0);
        assert_near(contact[0].normal_stiffness, 4e9, 0, 0);
        assert_near(contact[0].normal_exponent, 1.5, 0, 0);
        assert_near(contact[0].tangential_stiffness, 5e9, 0, 0);
        assert_true(isnan(contact[0].tangential_damping));
        assert_near(contact[1].normal_stiffness, 7, 0, 0);
    }
}

static void forces_and_springs_are_read_with_what_they_act_on(void **state)
{
    fixture *f = *state;
    accept(f, NULL);
    const haw_scene *scene = &f->scenario->scene;
    assert_int_equal(scene->forces, 3);
    assert_string_equal(scene->force[0].on, "beam");
    assert_near(scene->force[0].point, 1, 0, 0);
    assert_near(scene->force[0].moment[2].constant, 6, 0, 0);
    assert_near(scene->force[1].point, 0.25, 0, 0);
    assert_near(scene->force[1].force[1].value[1], 4, 0, 0);
    assert_near(haw_function_value(&scene->force[2].force[1], 0.5), -5, 0, 1e-15);
    assert_int_equal(scene->springs, 2);
    assert_string_equal(scene->spring[0].between[0].on, "weight");
    assert_string_equal(scene->spring[0].between[1].on, "p2");
    assert_near(scene->spring[0].length, 0, 0, 0);
    assert_string_equal(scene->spring[1].between[0].on, "beam");
    assert_near(scene->spring[1].between[0].at[0], 0.5, 0, 0);
    assert_null(scene->spring[1].between[1].on);
    assert_near(scene->spring[1].between[1].at[1], 3, 0, 0);
    assert_near(scene->spring[1].damping, 0.1, 0, 0);
}

static void a_static_start_has_parts(void **state)
{
    fixture *f = *state;
    accept(f, NULL);
    const haw_scene *scene = &f->scenario->scene;
    assert_int_equal(scene->start, HAW_START_STATIC);
    assert_near(scene->start_friction, 0.1, 0, 0);
    assert_int_equal(scene->load_steps, 7);
    assert_int_equal(scene->locks, 3);
    assert_string_equal(scene->lock[1], "belt.start.x");
}

static void probes_have_names_and_means(void **state)
{
    fixture *f = *state;
    accept(f, NULL);
    const haw_run_settings *run = &f->scenario->run;
    static const char *const names[] = {"p2.spin", "mean", "now", "p2.angle"};
    static const double means[] = {0, 0.2, 0, 0.1};
    assert_int_equal(run->probes, 4);
    for (int i = 0; i < 4; ++i) {
        assert_string_equal(haw_run_probe_name(run, i), names[i]);
        assert_string_equal(run->probe[i].of, i < 3 ? "p2.spin" : "p2.angle");
        assert_near(run->probe[i].mean_over, means[i], 0, 0);
    }
}

static void options_of_other_methods_are_ignored_but_checked(void **state)
{
    fixture *f = *state;
    static const char *const jean[] = {"stepper.type=moreau-jean", NULL};
    static const char *const moreau[] = {"stepper.type=moreau", "solver.type=pgs", NULL};
    static const char *const wrong[] = {"stepper.type=moreau", "stepper.rho_infinity=2", NULL};
    accept(f, jean);
    assert_string_equal(f->scenario->run.stepper.ops->row.name, "moreau-jean");
    accept(f, moreau);
    const haw_stepper_common *common = (const haw_stepper_common *)f->scenario->run.stepper.options;
    assert_near(common->step, 1e-3, 0, 0);
    assert_int_equal(parse_text(f, belt, wrong), HAW_ERR_INPUT);
    assert_non_null(strstr(f->log.text, "error: 'rho_infinity' must be between 0 and 1 (got 2)\n"));
}

/* The resolved text says the same: it is a fixed point, and nothing of the scene is lost. */
static void every_new_key_survives_resolving(void **state)
{
    fixture *f = *state;
    char *first = NULL, *second = NULL;
    accept(f, NULL);
    assert_int_equal(haw_scenario_resolve(f->context, f->scenario, &first), HAW_OK);
    if (parse_text(f, first, NULL) != HAW_OK) {
        fail_msg("%s", f->log.text);
    }
    assert_int_equal(haw_scenario_resolve(f->context, f->scenario, &second), HAW_OK);
    assert_string_equal(first, second);
    const haw_scene *scene = &f->scenario->scene;
    assert_near(haw_function_value(&scene->body[1].torque, 1.25), -12.5, 0, 1e-15);
    assert_int_equal(scene->body[2].joint, HAW_JOINT_TRANSLATION);
    assert_near(scene->cable[0].damping_curvature, 0.5, 0, 0);
    assert_int_equal(scene->cable[1].ends[0].kind, HAW_END_CLAMPED);
    assert_int_equal(scene->contact[0].switching, HAW_SWITCHING_POST_NEWTON);
    assert_near(scene->contact[0].friction_kinetic, 0.4, 0, 0);
    assert_near(scene->force[1].force[0].value[1], 3, 0, 0);
    assert_near(scene->force[1].point, 0.25, 0, 0);
    assert_near(scene->spring[1].between[0].at[0], 0.5, 0, 0);
    assert_near(scene->spring[1].between[1].at[0], 1, 0, 0);
    assert_near(scene->start_friction, 0.1, 0, 0);
    assert_int_equal(scene->load_steps, 7);
    assert_string_equal(scene->lock[2], "beam.end.y");
    assert_string_equal(f->scenario->run.probe[1].name, "mean");
    assert_near(f->scenario->run.probe[3].mean_over, 0.1, 0, 0);
    haw_text_free(f->context, first);
    haw_text_free(f->context, second);
}

static void settings_reach_forces_springs_probes_and_the_start(void **state)
{
    fixture *f = *state;
    static const char *const set[] = {"cables.belt.elements=60",
                                      "bodies.p2.inertia=0.75",
                                      "contact.friction=0.2",
                                      "contact.belt-p1.normal_stiffness=4.0e8",
                                      "forces.weight.force=[1, 2]",
                                      "forces.1.point=start",
                                      "springs.weight-p2.stiffness=9",
                                      "springs.ground-beam.length=2",
                                      "start.friction=0.4",
                                      "output.probes.mean.mean_over=0.5",
                                      "output.probes.3.of=p1.spin",
                                      NULL};
    accept(f, set);
    const haw_scene *scene = &f->scenario->scene;
    assert_int_equal(scene->cable[0].elements, 60);
    assert_near(scene->body[1].inertia, 0.75, 0, 0);
    assert_near(scene->contact[1].friction, 0.2, 0, 0);
    assert_near(scene->contact[0].normal_stiffness, 4e8, 0, 0);
    assert_near(scene->contact[1].normal_stiffness, 7, 0, 0);
    assert_near(scene->force[2].force[1].constant, 2, 0, 0);
    assert_near(scene->force[1].point, 0, 0, 0);
    assert_near(scene->spring[0].stiffness, 9, 0, 0);
    assert_near(scene->spring[1].length, 2, 0, 0);
    assert_near(scene->start_friction, 0.4, 0, 0);
    assert_near(f->scenario->run.probe[1].mean_over, 0.5, 0, 0);
    assert_string_equal(f->scenario->run.probe[3].of, "p1.spin");
}

static void an_ambiguous_or_missing_item_is_told(void **state)
{
    fixture *f = *state;
    static const char *const two[] = {"forces.beam.point=start", NULL};
    static const char *const none[] = {"springs.7.stiffness=1", NULL};
    static const char *const turned[] = {"springs.p2-wieght.stiffness=1", NULL};
    assert_int_equal(parse_text(f, belt, two), HAW_ERR_INPUT);
    assert_non_null(strstr(f->log.text,
                           "error: 2 items are named 'beam' in 'forces'; address one by "
                           "its number, counted from 0\n"));
    assert_int_equal(parse_text(f, belt, none), HAW_ERR_INPUT);
    assert_non_null(strstr(f->log.text, "error: no item '7' in 'springs'\n"));
    assert_int_equal(parse_text(f, belt, turned), HAW_ERR_INPUT);
    assert_non_null(strstr(f->log.text, "error: no item 'p2-wieght' in 'springs'"));
}

static haw_status read_and_resolve(haw_context *context, void *user)
{
    (void)user;
    return resolve_text(context, belt, 0, NULL);
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    assert_true(failing_loop(read_and_resolve, NULL) > 10);
}

TEST_FILE(test_scenario_drive)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_revolute_body_is_driven_or_turns_freely),
        FIXTURE_TEST(a_closed_cable_and_clamped_ends_are_read),
        FIXTURE_TEST(a_compliant_contact_keeps_its_keys_under_either_law),
        FIXTURE_TEST(forces_and_springs_are_read_with_what_they_act_on),
        FIXTURE_TEST(a_static_start_has_parts),
        FIXTURE_TEST(probes_have_names_and_means),
        FIXTURE_TEST(options_of_other_methods_are_ignored_but_checked),
        FIXTURE_TEST(every_new_key_survives_resolving),
        FIXTURE_TEST(settings_reach_forces_springs_probes_and_the_start),
        FIXTURE_TEST(an_ambiguous_or_missing_item_is_told),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
