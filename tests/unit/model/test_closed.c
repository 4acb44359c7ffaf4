/* SPDX-License-Identifier: BSD-3-Clause */
/* Closed cables, stress-free shapes and what only elements with bending stiffness can have. */
#include "model/build.h"
#include "model/dynamics.h"
#include "support/rig.h"

static const double pi = 3.14159265358979323846;

/* Two lines of the length d and two half circles of the radius r, clockwise from (0, r). */
typedef struct belt {
    haw_path_segment path[4];
    haw_cable_spec cable;
    haw_scene scene;
} belt;

static void belt_init(belt *b, const char *element, int elements)
{
    const double d = 0.1 * pi, r = 0.1;
    *b = (belt){.cable = haw_cable_spec_default()};
    b->path[0] = (haw_path_segment){.to = {d, r}};
    b->path[1] =
        (haw_path_segment){.kind = HAW_PIECE_ARC, .center = {d, 0}, .radius = r, .angle_deg = -180};
    b->path[2] = (haw_path_segment){.to = {0, -r}};
    b->path[3] =
        (haw_path_segment){.kind = HAW_PIECE_ARC, .center = {0, 0}, .radius = r, .angle_deg = -180};
    b->cable.name = "belt";
    b->cable.element = element;
    b->cable.elements = elements;
    b->cable.from[0] = 0;
    b->cable.from[1] = r;
    b->cable.segments = 4;
    b->cable.path = b->path;
    b->cable.closed = true;
    b->cable.stiffness = 8000;
    b->cable.density = 0.8288;
    b->scene = (haw_scene){.cables = 1, .cable = &b->cable};
}

static void build(rig *r, const haw_scene *scene)
{
    rig_open(r);
    if (haw_model_build(r->context, scene, &r->model) != HAW_OK) {
        fail_msg("%s", haw_context_message(r->context));
    }
}

static void refuses(const haw_scene *scene, const char *word, const char *where)
{
    rig r;
    rig_open(&r);
    RIG_REFUSES(&r, scene, word);
    assert_string_equal(haw_context_place(r.context), where);
    rig_close(&r);
}

/* The published belt: reference length 0.4 pi, 400 N from a reference strain of -0.05. */
static void a_belt_keeps_its_drawn_length_and_has_the_tension_of_its_reference_strain(void **state)
{
    (void)state;
    rig r;
    belt b;
    belt_init(&b, "ancf", 240);
    b.cable.reference_strain = -0.05;
    build(&r, &b.scene);
    const haw_cable *cable = &r.model->cable[0];
    assert_near(cable->line.le, 0.4 * pi / 240, 0, 1e-15);
    assert_true(cable->line.closed && cable->end_dof[0] == -1 && cable->end_dof[1] == -1);
    assert_int_equal(cable->line.dofs, 4 * 241);
    for (int e = 0; e < 240; e += 7) {
        haw_axial axial;
        cable->line.ops->axial(&cable->line, e, 0.5 * (e % 2), cable->start, NULL, &axial);
        /* Chords of arcs are a little short: 400 N but for EA (le / R)^4 / 720 or so. */
        assert_near(axial.tension, 400, 1e-3, 0);
    }
    assert_near(haw_cable_tension_mean(cable, cable->start), 400, 1e-3, 0);
    rig_close(&r);
}

/* Nodes on the path at equal arc lengths, unit slopes along it, the last node a copy. */
static void nodes_of_a_closed_cable_lie_on_its_path_and_the_last_one_is_the_first(void **state)
{
    (void)state;
    rig r;
    belt b;
    belt_init(&b, "ancf", 60);
    build(&r, &b.scene);
    const double *q = r.model->cable[0].start;
    assert_memory_equal(q, q + 4 * 60, 4 * sizeof *q);
    const double first[4] = {0, 0.1, 1, 0}, half[4] = {0.1 * pi, -0.1, -1, 0};
    for (int k = 0; k < 4; k++) {
        assert_near(q[k], first[k], 1e-15, 0);
        assert_near(q[4 * 30 + k], half[k], 1e-15, 0);
    }
    const double angle = 0.5 * pi - 6 * 0.4 * pi / 60 / 0.1; /* of node 21, 6 nodes into the arc */
    assert_near(q[84], 0.1 * pi + 0.1 * cos(angle), 1e-15, 0);
    assert_near(q[85], 0.1 * sin(angle), 1e-15, 0);
    assert_near(q[86], sin(angle), 1e-14, 0);
    assert_near(q[87], -cos(angle), 1e-14, 0);
    rig_close(&r);
}

/* M^ x = b, the copy tied: of masses alone and with a stiffness, by the band of the open cable. */
static void the_effective_mass_of_a_closed_cable_is_solved_exactly(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        rig r;
        belt b;
        haw_inertia *inertia;
        double x[512], y[512], k[512], right[512];
        belt_init(&b, haw_elements[i]->name, 20);
        b.cable.tension = 10;
        build(&r, &b.scene);
        const int n = r.model->dofs;
        assert_true(n <= 512);
        assert_int_equal(haw_inertia_create(r.context, r.model, &inertia), HAW_OK);
        for (int stiff = 0; stiff < 2; stiff++) {
            const double h = 1e-4, theta = 0.6 * stiff;
            assert_int_equal(haw_inertia_set(inertia, h, theta), HAW_OK);
            assert_int_equal(haw_inertia_update(inertia, r.model->cable[0].start), HAW_OK);
            for (int a = 0; a < n; a++) {
                x[a] = right[a] = sin(3 * a + 1.0);
            }
            haw_model_tie(r.model, right);
            haw_inertia_solve(inertia, x);
            haw_inertia_mass(inertia, x, y);
            haw_inertia_stiffness(inertia, x, k);
            for (int a = 0; a < n; a++) {
                y[a] += theta * theta * h * h * k[a];
            }
            haw_model_tie(r.model, y);
            for (int a = 0; a < n; a++) {
                assert_near(y[a], right[a], 1e-11, 0);
            }
            int last;
            const int tied = haw_cable_tied(&r.model->cable[0], &last);
            assert_memory_equal(x, x + last, (size_t)tied * sizeof *x);
        }
        haw_inertia_free(inertia);
        rig_close(&r);
    }
}

static void every_element_can_be_closed(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        rig r;
        belt b;
        belt_init(&b, haw_elements[i]->name, 40);
        b.cable.tension = 10;
        build(&r, &b.scene);
        const haw_line *line = &r.model->cable[0].line;
        const double *q = r.model->cable[0].start;
        assert_near(line->le, 0.4 * pi / (1 + 10.0 / 8000) / 40, 0, 1e-15);
        for (int k = 0; k < line->ops->dofs - line->ops->stride; k++) {
            assert_true(q[k] == q[line->ops->stride * 40 + k]);
        }
        rig_close(&r);
    }
}

static void a_path_that_does_not_close_is_refused(void **state)
{
    (void)state;
    belt b;
    belt_init(&b, "ancf", 24);
    b.path[3].angle_deg = -179.9;
    refuses(&b.scene, "ends at `from`", "cables.belt");
    belt_init(&b, "ancf", 24);
    b.cable.segments = 0;
    b.cable.to[0] = b.cable.to[1] = 1;
    refuses(&b.scene, "needs a path", "cables.belt");
    const haw_path_segment kink[3] = {{.to = {1, 0.1}}, {.to = {1, 1}}, {.to = {0, 0.1}}};
    b.cable.path = kink;
    b.cable.segments = 3;
    refuses(&b.scene, "kink", "cables.belt");
}

/* Coordinates in a file are rounded. */
static void a_path_that_closes_but_for_rounded_numbers_is_closed(void **state)
{
    (void)state;
    rig r;
    belt b;
    belt_init(&b, "ancf", 24);
    b.path[0].to[0] = b.path[1].center[0] = 0.3141593;
    b.path[3].angle_deg = -179.99999;
    build(&r, &b.scene);
    const double *q = r.model->cable[0].start;
    assert_memory_equal(q, q + 4 * 24, 4 * sizeof *q);
    rig_close(&r);
}

/* The points of a ring: none twice, none lost. */
static void a_closed_cable_has_its_points_once(void **state)
{
    (void)state;
    belt b;
    belt_init(&b, "ancf", 24);
    haw_body_spec wheel = haw_body_spec_default();
    wheel.name = "wheel";
    wheel.shape = "circle";
    wheel.shape_options[0] = 0.09995;
    wheel.motion = HAW_MOTION_FIXED;
    haw_contact_spec contact = haw_contact_spec_default();
    contact.between[0] = "belt";
    contact.between[1] = "wheel";
    contact.points_per_element = 4;
    b.scene.bodies = b.scene.contacts = 1;
    b.scene.body = &wheel;
    b.scene.contact = &contact;
    for (int closed = 0; closed < 2; closed++) {
        rig r;
        b.cable.closed = closed == 1;
        b.cable.ends[0].kind = b.cable.ends[1].kind = HAW_END_FREE;
        build(&r, &b.scene);
        assert_int_equal(r.model->pair[0].points, closed == 1 ? 4 * 24 : 4 * 24 + 1);
        rig_close(&r);
    }
}

/* What other elements do not have. */
static void features_of_other_elements_are_refused(void **state)
{
    (void)state;
    belt b;

    const struct {
        double *field;
        const char *word, *place;
    } rows[] = {
        {&b.cable.bending_stiffness, "no bending stiffness", "cables.belt.bending_stiffness"},
        {&b.cable.reference_curvature, "no bending stiffness", "cables.belt.reference_curvature"},
        {&b.cable.reference_strain, "no reference strain", "cables.belt.reference_strain"},
        {&b.cable.damping_strain, "no damping of strain", "cables.belt.damping.strain"},
        {&b.cable.damping_curvature, "no damping of curv", "cables.belt.damping.curvature"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        belt_init(&b, "chain", 24);
        *rows[i].field = 0.125;
        refuses(&b.scene, rows[i].word, rows[i].place);
    }
    belt_init(&b, "bezier", 24);
    b.cable.reference = HAW_REFERENCE_DRAWN;
    refuses(&b.scene, "free of stress", "cables.belt.reference");
}

static void numbers_outside_their_range_are_refused(void **state)
{
    (void)state;
    belt b;
    const double nan = (double)NAN, inf = (double)INFINITY;

    const struct {
        double *field, value;
        const char *word, *place;
    } rows[] = {
        {&b.cable.bending_stiffness, -1, ">= 0", "cables.belt.bending_stiffness"},
        {&b.cable.bending_factor, nan, ">= 0", "cables.belt.bending_factor"},
        {&b.cable.damping_strain, -1, ">= 0", "cables.belt.damping.strain"},
        {&b.cable.damping_curvature, inf, ">= 0", "cables.belt.damping.curvature"},
        {&b.cable.reference_curvature, inf, "finite", "cables.belt.reference_curvature"},
        {&b.cable.reference_strain, nan, "> -1", "cables.belt.reference_strain"},
        {&b.cable.reference_strain, -1, "> -1", "cables.belt.reference_strain"},
        {&b.cable.width, -0.1, "width", "cables.belt.width"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        belt_init(&b, "ancf", 24);
        *rows[i].field = rows[i].value;
        refuses(&b.scene, rows[i].word, rows[i].place);
    }
    belt_init(&b, "ancf", 24);
    b.cable.tension = 100;
    b.cable.reference = HAW_REFERENCE_DRAWN;
    refuses(&b.scene, "cannot be given a tension", "cables.belt.reference");
    b.cable.reference = HAW_REFERENCE_STRAIGHT;
    b.cable.length = 1;
    refuses(&b.scene, "either tension or length", "cables.belt");
}

/* No energy and no forces as drawn, with any length; a reference strain is added to that. */
static void a_shape_that_is_free_of_stress_as_drawn_has_no_forces(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        rig r;
        belt b;
        belt_init(&b, "ancf", 24);
        b.cable.reference = HAW_REFERENCE_DRAWN;
        b.cable.quadrature = k;
        b.cable.bending_stiffness = 1000;
        b.cable.length = k == 1 ? 1.3 : (double)NAN;
        build(&r, &b.scene);
        const haw_cable *cable = &r.model->cable[0];
        double *f = calloc((size_t)r.model->dofs, sizeof *f);
        assert_non_null(f);
        haw_model_force(r.model, cable->start, f);
        for (int i = 0; i < r.model->dofs; i++) {
            assert_near(f[i], 0, 1e-9, 0);
        }
        assert_near(haw_model_energy(r.model, cable->start).elastic, 0, 1e-15, 0);
        assert_int_equal(r.model->start, HAW_START_GIVEN);
        rig_drop(&r);
        b.cable.reference_strain = -0.05;
        assert_int_equal(haw_model_build(r.context, &b.scene, &r.model), HAW_OK);
        assert_near(haw_cable_tension_mean(&r.model->cable[0], r.model->cable[0].start), 400, 0,
                    1e-12);
        free(f);
        rig_close(&r);
    }
}

/* Stiffness and factor multiply; everything arrives at the element. */
static void the_material_arrives_at_the_element(void **state)
{
    (void)state;
    rig r;
    belt b;
    belt_init(&b, "ancf", 24);
    b.cable.bending_stiffness = 2.0 / 3;
    b.cable.bending_factor = 0.02;
    b.cable.damping_strain = 1;
    b.cable.damping_curvature = 3;
    b.cable.reference_strain = -0.05;
    b.cable.reference_curvature = 7;
    b.cable.quadrature = HAW_SCHEME_B;
    b.cable.width = 0.08;
    build(&r, &b.scene);
    const haw_line *line = &r.model->cable[0].line;
    assert_near(line->bending, 0.04 / 3, 0, 1e-15);
    assert_true(line->damping_strain == 1 && line->damping_curvature == 3);
    assert_true(line->strain0 == -0.05 && line->curvature0 == 7 && line->scheme == HAW_SCHEME_B);
    assert_true(line->natural == NULL && r.model->cable[0].width == 0.08);
    assert_int_equal(r.model->start, HAW_START_STATIC); /* arcs of a straight belt are bent */
    rig_close(&r);
}

/* h = c le^2 / sqrt(EI / rho) once that is below c le / sqrt(EA / rho). */
static void the_critical_step_knows_bending(void **state)
{
    (void)state;
    rig r;
    belt b;
    belt_init(&b, "ancf", 24);
    build(&r, &b.scene);
    const haw_element_ops *ops = r.model->cable[0].line.ops;
    const double le = 0.4 * pi / 24;
    const double axial = ops->step_limit * le / sqrt(8000 / 0.8288);
    assert_near(haw_model_critical_step(r.model), axial, 0, 1e-14);
    rig_drop(&r);
    b.cable.bending_stiffness = 1000;
    assert_int_equal(haw_model_build(r.context, &b.scene, &r.model), HAW_OK);
    const double bending = ops->step_limit_bending * le * le / sqrt(1000 / 0.8288);
    assert_true(bending < axial);
    assert_near(haw_model_critical_step(r.model), bending, 0, 1e-14);
    rig_close(&r);
}

/* Damping adds dEA eps' to the tension; between Lobatto's points the profile is linear. */
static void profiles_have_the_damping_part_where_velocities_are_given(void **state)
{
    (void)state;

    enum { ELEMENTS = 6, SAMPLES = 4 * ELEMENTS + 1 };

    rig r;
    double data[7][SAMPLES], rates[7][SAMPLES], u[4 * (ELEMENTS + 1)] = {0};
    const haw_profile p = {data[0], data[1], data[2], data[3], data[4], data[5], data[6], NULL};
    const haw_profile v = {rates[0], rates[1], rates[2], rates[3],
                           rates[4], rates[5], rates[6], NULL};
    haw_cable_spec spec = haw_cable_spec_default();
    spec.name = "line";
    spec.element = "ancf";
    spec.elements = ELEMENTS;
    spec.from[0] = spec.from[1] = spec.to[1] = 0;
    spec.to[0] = 3;
    spec.stiffness = 100;
    spec.density = 1;
    spec.length = 2.5;
    spec.damping_strain = 0.25;
    const haw_scene scene = {.cables = 1, .cable = &spec};
    build(&r, &scene);
    double *q = r.model->cable[0].start;
    assert_int_equal(haw_cable_sample_count(r.model, 0), SAMPLES);
    for (int i = 0; i <= ELEMENTS; i++) { /* a rate of stretching of 2 / s everywhere */
        u[4 * i] = 2 * 2.5 / ELEMENTS * i;
        u[4 * i + 2] = 2;
    }
    haw_cable_profile(r.model, 0, q, NULL, &p);
    haw_cable_profile(r.model, 0, q, u, &v);
    for (int k = 0; k < SAMPLES; k++) {
        assert_near(p.tension[k], 20, 1e-12, 0);
        assert_near(v.tension[k], 20.5, 1e-12, 0);
        assert_near(p.element_tension[k], 20, 1e-12, 0);
        assert_near(v.element_tension[k], 20.5, 1e-12, 0);
    }
    q[4 * 3 + 2] = 1.3; /* a slope */
    haw_cable_profile(r.model, 0, q, NULL, &p);
    assert_near(p.tension[12], 30, 1e-12, 0);
    assert_near(p.tension[11], 0.5 * (p.tension[10] + p.tension[12]), 1e-12, 0);
    assert_near(p.tension[13], 0.5 * (p.tension[12] + p.tension[14]), 1e-12, 0);
    rig_close(&r);
}

TEST_FILE(test_closed)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_belt_keeps_its_drawn_length_and_has_the_tension_of_its_reference_strain),
        cmocka_unit_test(nodes_of_a_closed_cable_lie_on_its_path_and_the_last_one_is_the_first),
        cmocka_unit_test(the_effective_mass_of_a_closed_cable_is_solved_exactly),
        cmocka_unit_test(every_element_can_be_closed),
        cmocka_unit_test(a_path_that_does_not_close_is_refused),
        cmocka_unit_test(a_path_that_closes_but_for_rounded_numbers_is_closed),
        cmocka_unit_test(a_closed_cable_has_its_points_once),
        cmocka_unit_test(features_of_other_elements_are_refused),
        cmocka_unit_test(numbers_outside_their_range_are_refused),
        cmocka_unit_test(a_shape_that_is_free_of_stress_as_drawn_has_no_forces),
        cmocka_unit_test(the_material_arrives_at_the_element),
        cmocka_unit_test(the_critical_step_knows_bending),
        cmocka_unit_test(profiles_have_the_damping_part_where_velocities_are_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
