/* SPDX-License-Identifier: BSD-3-Clause */
/* Initial curves: closed form along gravity, paths of lines and arcs, slack and free starts. */
#include "model/build.h"
#include "model/dynamics.h"
#include "stepper/simulation.h"
#include "support/rig.h"

static const double gravity[3] = {0, -9.81, 0}, weightless[3] = {0, 0, 0};
static const double pi = 3.14159265358979323846;

static haw_cable_spec line_spec(double x, double y, double tension, double length)
{
    haw_cable_spec spec = haw_cable_spec_default();
    spec.name = "cable";
    spec.from[0] = spec.from[1] = 0;
    spec.to[0] = x;
    spec.to[1] = y;
    spec.stiffness = 4e4;
    spec.density = 0.1;
    spec.tension = tension;
    spec.length = length;
    return spec;
}

static haw_course course_of(const haw_cable_spec *spec, const double g[3])
{
    const haw_site site = {.dimension = 2, .gravity = g};
    haw_course course;
    assert_int_equal(haw_course_init(&site, spec, g, &course), HAW_OK);
    return course;
}

/* dx/dxi = stretch t, by differences, at `count` places. */
static void check_tangents(const haw_course *course, int count)
{
    for (int i = 0; i < count; i++) {
        const double h = 1e-6 * course->length, xi = course->length * (i + 0.5) / count;
        double a[2], b[2], t[2], stretch, x[2];
        haw_course_point(course, xi - h, a, t, &stretch);
        haw_course_point(course, xi + h, b, t, &stretch);
        haw_course_point(course, xi, x, t, &stretch);
        for (int k = 0; k < 2; k++) {
            assert_near(stretch * t[k], (b[k] - a[k]) / (2 * h), 1e-8, 0);
        }
        assert_near(hypot(t[0], t[1]), 1, 1e-15, 0);
    }
}

/* N = T + w xi, y = xi (1 + T/k) + w xi^2 / 2k, L = 1.98015041464, 401.942528 N at the top. */
static void a_vertical_cable_starts_from_its_closed_form(void **state)
{
    (void)state;
    const double w = 0.981, k = 4e4;
    const haw_cable_spec spec = line_spec(0, 2, 400, (double)NAN);
    const haw_course c = course_of(&spec, gravity);
    assert_false(c.is_static);
    assert_near(c.length, 1.98015041464, 5e-12, 0);
    for (int i = 0; i <= 10; i++) {
        const double xi = c.length * i / 10;
        double x[2], t[2], stretch;
        haw_course_point(&c, xi, x, t, &stretch);
        assert_near(x[0], 0, 1e-16, 0);
        assert_near(x[1], xi * (1 + 400 / k) + w * xi * xi / (2 * k), 1e-15, 0);
        assert_near(stretch, 1 + (400 + w * xi) / k, 0, 1e-15);
        assert_true(t[1] == 1 && (i < 10 || fabs(x[1] - 2) < 1e-15));
        assert_true(i < 10 || fabs(k * (stretch - 1) - 401.942528) < 5e-7);
    }
    check_tangents(&c, 7);
}

/* From the top down with the tension of the top: the same cable. */
static void a_cable_drawn_downwards_is_the_same_cable(void **state)
{
    (void)state;
    const haw_cable_spec up = line_spec(0, 2, 400, (double)NAN);
    const haw_course first = course_of(&up, gravity);
    const double top = 400 + 0.981 * first.length;
    const haw_cable_spec down = line_spec(0, -2, top, (double)NAN);
    const haw_course c = course_of(&down, gravity);
    double x[2], t[2], stretch;
    assert_near(c.length, first.length, 0, 1e-15);
    haw_course_point(&c, c.length, x, t, &stretch);
    assert_near(x[1], -2, 1e-14, 0);
    assert_near(stretch, 1.01, 0, 1e-14);
    const haw_cable_spec given = line_spec(0, 2, (double)NAN, first.length);
    assert_near(course_of(&given, gravity).tension, 400, 0, 1e-12);
}

/* Without gravity any direction is in equilibrium, and so is any drawn path. */
static void a_weightless_cable_is_in_equilibrium_as_drawn(void **state)
{
    (void)state;
    const haw_cable_spec spec = line_spec(3, -4, 100, (double)NAN);
    const haw_course c = course_of(&spec, weightless);
    assert_false(c.is_static);
    assert_near(c.length, 5 / 1.0025, 0, 1e-15);
    double x[2], t[2], stretch;
    haw_course_point(&c, 0.5 * c.length, x, t, &stretch);
    assert_near(x[0], 1.5, 1e-15, 0);
    assert_near(x[1], -2, 1e-15, 0);
    assert_near(stretch, 1.0025, 0, 1e-15);
    assert_true(course_of(&spec, gravity).is_static);
}

/* Half a metre up, a quarter turn clockwise, half a metre right: tangent everywhere. */
static void a_path_of_lines_and_arcs_has_their_length(void **state)
{
    (void)state;
    const haw_path_segment path[3] = {
        {.to = {-0.1, 0}},
        {.kind = HAW_PIECE_ARC, .center = {0, 0}, .radius = 0.1, .angle_deg = -90},
        {.to = {0.5, 0.1}},
    };
    haw_cable_spec spec = line_spec(0, 0, 100, (double)NAN);
    spec.from[0] = -0.1;
    spec.from[1] = -0.5;
    spec.segments = 3;
    spec.path = path;
    const haw_course c = course_of(&spec, weightless);
    assert_false(c.is_static);
    assert_near(c.path, 1 + 0.05 * pi, 0, 1e-15);
    assert_near(c.length, (1 + 0.05 * pi) / 1.0025, 0, 1e-15);
    check_tangents(&c, 29);
    double x[2], t[2], stretch;
    haw_course_point(&c, 0.5 * c.length, x, t, &stretch);
    assert_near(x[0], -0.1 * sqrt(0.5), 1e-15, 0);
    assert_near(x[1], 0.1 * sqrt(0.5), 1e-15, 0);
    assert_near(t[0], sqrt(0.5), 1e-14, 0);
    haw_course_point(&c, c.length, x, t, &stretch);
    assert_near(x[0], 0.5, 1e-15, 0);
    assert_near(x[1], 0.1, 1e-15, 0);
}

/* Counter-clockwise is positive: from (1, 0) about the origin to (0, 1). */
static void positive_arcs_turn_counter_clockwise(void **state)
{
    (void)state;
    const haw_path_segment arc = {.kind = HAW_PIECE_ARC, .radius = 1, .angle_deg = 90};
    haw_cable_spec spec = line_spec(0, 0, 0, (double)NAN);
    spec.from[0] = 1;
    spec.segments = 1;
    spec.path = &arc;
    const haw_course c = course_of(&spec, weightless);
    double x[2], t[2], stretch;
    assert_near(c.length, 0.5 * pi, 0, 1e-15);
    haw_course_point(&c, c.length / 3, x, t, &stretch);
    assert_near(x[0], cos(pi / 6), 1e-15, 0);
    assert_near(x[1], 0.5, 1e-15, 0);
    assert_near(t[0], -0.5, 1e-15, 0);
    assert_near(t[1], cos(pi / 6), 1e-15, 0);
}

/* Longer than its span it begins as the elastic catenary, stretched by T / EA. */
static void a_slack_cable_starts_as_a_catenary_of_its_length(void **state)
{
    (void)state;
    const haw_cable_spec spec = line_spec(2, 0, (double)NAN, 2.2);
    const haw_course c = course_of(&spec, gravity);
    assert_true(c.is_static);
    assert_true(c.hangs);
    double length = 0, before[2] = {0, 0}, t[2], stretch;
    for (int i = 1; i <= 1000; i++) {
        double x[2];
        haw_course_point(&c, 2.2 * i / 1000, x, t, &stretch);
        length += hypot(x[0] - before[0], x[1] - before[1]);
        memcpy(before, x, sizeof x);
    }
    assert_near(before[0], 2, 1e-12, 0);
    assert_near(before[1], 0, 1e-12, 0);
    assert_near(length, 2.2, 0, 1e-3);
    check_tangents(&c, 9);
    assert_true(!course_of(&spec, weightless).hangs);
}

/* EI 1 between hinges 2 m apart carries pi^2 / 4 N, whatever shortens it: a length, or a strain. */
static void what_bending_carries_starts_straight(void **state)
{
    (void)state;
    const double carried = pi * pi / 4;
    for (int i = 0; i < 4; i++) {
        const double strain = (i % 2 == 0 ? 0.99 : 1.01) * carried / 4e4;
        haw_cable_spec spec = line_spec(2, 0, (double)NAN, 2);
        spec.bending_stiffness = 0.5;
        spec.bending_factor = 2;
        spec.length = i < 2 ? 2 / (1 - strain) : 2;
        spec.reference_strain = i < 2 ? 0 : strain;
        assert_int_equal(course_of(&spec, gravity).hangs, i % 2);
    }
}

static void ends_that_coincide_are_refused(void **state)
{
    (void)state;
    haw_course c;
    const haw_site site = {.dimension = 2};
    const haw_cable_spec spec = line_spec(0, 0, 100, (double)NAN);
    assert_int_equal(haw_course_init(&site, &spec, gravity, &c), HAW_ERR_INPUT);
}

static haw_start resolved(const haw_cable_spec *spec, int start, double g)
{
    rig r;
    rig_open(&r);
    const haw_scene scene = {.gravity = {0, g}, .start = start, .cables = 1, .cable = spec};
    assert_int_equal(haw_model_build(r.context, &scene, &r.model), HAW_OK);
    const haw_start answer = r.model->start;
    rig_close(&r);
    return answer;
}

/* auto: static where the drawing is no equilibrium; the user has the last word. */
static void the_start_is_chosen_by_the_drawing_or_by_the_user(void **state)
{
    (void)state;
    haw_cable_spec upright = line_spec(0, 2, 400, (double)NAN);
    haw_cable_spec lying = line_spec(2, 0, 400, (double)NAN);
    upright.elements = lying.elements = 4;
    assert_int_equal(resolved(&upright, HAW_START_AUTO, -9.81), HAW_START_GIVEN);
    assert_int_equal(resolved(&lying, HAW_START_AUTO, -9.81), HAW_START_STATIC);
    assert_int_equal(resolved(&lying, HAW_START_AUTO, 0), HAW_START_GIVEN);
    assert_int_equal(resolved(&lying, HAW_START_GIVEN, -9.81), HAW_START_GIVEN);
    assert_int_equal(resolved(&upright, HAW_START_STATIC, -9.81), HAW_START_STATIC);
}

/* Largest force on what may move, at the start of a simulation. */
static double imbalance(rig *r)
{
    const haw_model *model = &r->simulation->model;
    const haw_cable *cable = &model->cable[0];
    double f[256], worst = 0;
    assert_true(model->dofs <= 256);
    haw_model_force(model, r->state->q, f);
    for (int i = 0; i < cable->line.dofs; i++) {
        const bool held = (cable->end_dof[0] >= 0 && i < 2) ||
                          (cable->end_dof[1] >= 0 && (unsigned)(i - cable->end_dof[1]) < 2);
        worst = held ? worst : fmax(worst, fabs(f[i]));
    }
    return worst;
}

/* The closed form is a quadratic, which every element represents exactly at its nodes. */
static void every_element_starts_in_equilibrium(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        haw_cable_spec spec = line_spec(0, 2, 400, (double)NAN);
        spec.elements = 20;
        spec.element = haw_elements[i]->name;
        for (int start = HAW_START_GIVEN; start <= HAW_START_STATIC; start++) {
            rig r;
            rig_open(&r);
            const haw_scene scene = {
                .gravity = {0, -9.81}, .start = start, .cables = 1, .cable = &spec};
            rig_build(&r, &scene);
            print_message("%s, start %d: %.2g N\n", spec.element, start, imbalance(&r));
            assert_near(imbalance(&r), 0, 1e-8, 0);
            assert_near(haw_cable_tension_mean(&r.simulation->model.cable[0], r.state->q), 401, 0,
                        1e-3);
            rig_close(&r);
        }
    }
}

/* A loose cable without tension stays where it is drawn; its last node carries a contact point. */
static void a_free_cable_rests_where_it_is_drawn(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    haw_cable_spec spec = line_spec(1, 1, 0, (double)NAN);
    spec.elements = 6;
    spec.ends[0].kind = spec.ends[1].kind = HAW_END_FREE;
    const haw_scene scene = {.cables = 1, .cable = &spec};
    rig_time(&r, 1e-5, 1, 0);
    rig_build(&r, &scene);
    rig_steps(&r, 100);
    for (int i = 0; i < r.state->dofs; i++) {
        assert_near(r.state->q[i], r.model->cable[0].start[i], 1e-12, 0);
    }
    assert_true(r.model->cable[0].end_dof[0] < 0 && r.model->cable[0].end_dof[1] < 0);
    rig_close(&r);
}

TEST_FILE(test_course)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vertical_cable_starts_from_its_closed_form),
        cmocka_unit_test(a_cable_drawn_downwards_is_the_same_cable),
        cmocka_unit_test(a_weightless_cable_is_in_equilibrium_as_drawn),
        cmocka_unit_test(a_path_of_lines_and_arcs_has_their_length),
        cmocka_unit_test(positive_arcs_turn_counter_clockwise),
        cmocka_unit_test(a_slack_cable_starts_as_a_catenary_of_its_length),
        cmocka_unit_test(what_bending_carries_starts_straight),
        cmocka_unit_test(ends_that_coincide_are_refused),
        cmocka_unit_test(the_start_is_chosen_by_the_drawing_or_by_the_user),
        cmocka_unit_test(every_element_starts_in_equilibrium),
        cmocka_unit_test(a_free_cable_rests_where_it_is_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
