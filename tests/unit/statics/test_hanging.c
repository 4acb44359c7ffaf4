/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Equilibria of hanging cables on meshes from 1e2 to 1e5 elements: they begin as catenaries, so
 * that the number of factorizations does not grow with the mesh (one in each iteration, and one for
 * the forces at the end by the frictionless method, of a band of fixed width), and end where the
 * closed form says, as far as rounding allows, EA eps L / le in a force.
 */
#include "stepper/simulation.h"
#include "support/rig.h"
#include "theory/catenary.h"

enum { MOST_ITERATIONS = 12 };

static haw_cable_spec rope(const char *element, int elements, double length, double drop)
{
    haw_cable_spec cable = haw_cable_spec_default();
    cable.name = "rope";
    cable.element = element;
    cable.elements = elements;
    memset(cable.from, 0, sizeof cable.from);
    memset(cable.to, 0, sizeof cable.to);
    cable.to[0] = 2;
    cable.to[1] = -drop;
    cable.stiffness = 4e3;
    cable.density = 0.1;
    cable.tension = NAN;
    cable.length = length;
    return cable;
}

static void open_static(rig *r, const haw_scene *scene)
{
    rig_open(r);
    assert_int_equal(haw_stepper_settings_init(r->context, "static", &r->settings.stepper), HAW_OK);
    rig_build(r, scene);
    rig_step(r);
}

static void find_middle(const rig *r, double x[3])
{
    const haw_cable *cable = &r->model->cable[0];
    haw_cable_point point;
    cable->ops->point(cable, cable->line.elements / 2, 0, r->state->q, NULL, HAW_POINT_PLACE,
                      &point);
    memcpy(x, point.x, sizeof point.x);
}

/* Middle of the rope, x and y (up), from the closed form. */
static void expect_middle(double length, double drop, double x[2])
{
    haw_catenary c = {.kappa = 0.1 * 9.81 * length / 4e3, .end = {2 / length, drop / length}};
    assert_true(haw_catenary_solve(&c) <= HAW_CATENARY_MISS);
    haw_catenary_place(&c, 0.5, x);
    x[0] *= length;
    x[1] *= -length;
}

/* A chain is a polygon: its error is that of the mesh. */
static void look(const char *element, int elements, double length, double drop, double error)
{
    const haw_cable_spec cable = rope(element, elements, length, drop);
    const haw_scene scene = {.gravity = {0, -9.81}, .cables = 1, .cable = &cable};
    double x[2], middle[3];
    rig r;
    open_static(&r, &scene);
    expect_middle(length, drop, x);
    find_middle(&r, middle);
    assert_near(middle[0], x[0], error, 0);
    assert_near(middle[1], x[1], error, 0);
    const haw_certificate *certificate = &r.simulation->certificate;
    assert_true(certificate->iterations_total <= MOST_ITERATIONS);
    assert_int_equal(certificate->factorizations,
                     certificate->iterations_total + (strcmp(element, "ancf") != 0 ? 1 : 0));
    rig_close(&r);
}

static void slack_ropes_hang_in_a_few_iterations_on_any_mesh(void **state)
{
    (void)state;
    static const char *const element[] = {"bezier", "bezier-c0", "ancf", "chain"};
    for (int elements = 100; elements <= 100000; elements *= 10) {
        for (int i = 0; i < 4; i++) {
            look(element[i], elements, 2.2, 0, i == 3 ? 1.0 / elements : 1e-6);
        }
    }
}

static void from_nearly_taut_to_folded_and_between_uneven_supports(void **state)
{
    (void)state;
    look("bezier", 1000, 2.001, 0, 1e-6);
    look("bezier", 1000, 8, 0, 1e-5);
    look("bezier", 1000, 2.5, 1, 1e-6);
    look("bezier", 1000, 2.5, -1, 1e-6);
}

/* Taut or of just the length of its span it begins straight, and stretches. */
static void straight_cables_sag_on_any_mesh(void **state)
{
    (void)state;
    static const double length[2] = {1.999, 2};
    for (int i = 0; i < 2; i++) {
        for (int elements = 100; elements <= 10000; elements *= 10) {
            const haw_cable_spec cable = rope("ancf", elements, length[i], 0);
            const haw_scene scene = {.gravity = {0, -9.81}, .cables = 1, .cable = &cable};
            double x[2], middle[3];
            rig r;
            open_static(&r, &scene);
            expect_middle(length[i], 0, x);
            find_middle(&r, middle);
            assert_near(middle[1], x[1], 1e-6, 0);
            assert_true(r.simulation->certificate.iterations_total <= 40);
            assert_in_range(r.simulation->certificate.factorizations, 1, 40);
            rig_close(&r);
        }
    }
}

/* In space, along a line askew, and with gravity along z. */
static void a_rope_in_space_hangs_as_in_the_plane(void **state)
{
    (void)state;
    double x[2];
    expect_middle(2.2, 0.3, x);
    haw_cable_spec cable = rope("ancf", 200, 2.2, 0);
    cable.to[0] = 2 * cos(0.7);
    cable.to[1] = 2 * sin(0.7);
    cable.to[2] = -0.3;
    const haw_scene scene = {
        .dimension = 3, .gravity = {0, 0, -9.81}, .cables = 1, .cable = &cable};
    rig r;
    open_static(&r, &scene);
    double middle[3];
    find_middle(&r, middle);
    assert_near(middle[0], x[0] * cos(0.7), 1e-6, 0);
    assert_near(middle[1], x[0] * sin(0.7), 1e-6, 0);
    assert_near(middle[2], x[1], 1e-6, 0);
    rig_close(&r);
}

/* 5 N at the start and about 2 N of weight: the length comes with the catenary, secants on the mesh
 * confirm it. */
static void a_wanted_tension_takes_a_few_iterations_on_any_mesh(void **state)
{
    (void)state;
    static const char *const element[] = {"bezier", "ancf"};
    for (int i = 0; i < 2; i++) {
        for (int elements = 100; elements <= 100000; elements *= 10) {
            haw_cable_spec cable = rope(element[i], elements, (double)NAN, 0.5);
            cable.tension = 5;
            const haw_scene scene = {.gravity = {0, -9.81}, .cables = 1, .cable = &cable};
            double x[2], middle[3];
            rig r;
            open_static(&r, &scene);
            const haw_line *line = &r.simulation->model.cable[0].line;
            const double length = line->le * line->elements;
            const haw_certificate *certificate = &r.simulation->certificate;
            expect_middle(length, 0.5, x);
            find_middle(&r, middle);
            print_message("%s %d: %.12f m, %ld iterations\n", element[i], elements, length,
                          certificate->iterations_total);
            assert_near(middle[0], x[0], 1e-7, 0);
            assert_near(middle[1], x[1], 1e-7, 0);
            haw_catenary c = {.kappa = 0.1 * 9.81 * length / 4e3,
                              .end = {2 / length, 0.5 / length}};
            assert_true(haw_catenary_solve(&c) <= HAW_CATENARY_MISS);
            assert_near(0.1 * 9.81 * length * haw_catenary_tension(&c, 0), 5, 0, 1e-6);
            assert_true(certificate->iterations_total <= MOST_ITERATIONS);
            rig_close(&r);
        }
    }
}

/* Residual of a motion's start with a tolerance. */
static double start_with(double tolerance)
{
    haw_cable_spec cable = rope("ancf", 100, 2, 0);
    const haw_scene scene = {.gravity = {0, -9.81},
                             .start = HAW_START_STATIC,
                             .start_tolerance = tolerance,
                             .cables = 1,
                             .cable = &cable};
    rig r;
    rig_open(&r);
    assert_int_equal(haw_stepper_settings_init(r.context, "moreau-jean", &r.settings.stepper),
                     HAW_OK);
    rig_set(&r, "step", 1e-3);
    rig_build(&r, &scene);
    const double residual = r.simulation->last_residual;
    rig_close(&r);
    return residual;
}

static void a_start_is_as_sharp_as_its_tolerance(void **state)
{
    (void)state;
    const double sharp = start_with(0), rough = start_with(1e-2);
    print_message("residuals %.2e, %.2e\n", sharp, rough);
    assert_true(sharp <= 1e-9 && rough <= 1e-2 && rough > 1e3 * sharp);
}

TEST_FILE(test_hanging)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slack_ropes_hang_in_a_few_iterations_on_any_mesh),
        cmocka_unit_test(from_nearly_taut_to_folded_and_between_uneven_supports),
        cmocka_unit_test(straight_cables_sag_on_any_mesh),
        cmocka_unit_test(a_rope_in_space_hangs_as_in_the_plane),
        cmocka_unit_test(a_wanted_tension_takes_a_few_iterations_on_any_mesh),
        cmocka_unit_test(a_start_is_as_sharp_as_its_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
