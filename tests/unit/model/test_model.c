/* SPDX-License-Identifier: BSD-3-Clause */
/* Building a model: what is refused, what is copied, what can be asked of it. */
#include "element/element.h"
#include "model/model.h"
#include "support/rig.h"

#include <stdlib.h>

/* One spoilt number of the canonical case and a word that the refusal must name. */
typedef struct spoilt {
    double *field;
    double value;
    const char *word;
} spoilt;

static void check_numbers(disk_case *c, const spoilt *row, int count)
{
    for (int i = 0; i < count; i++) {
        rig r;
        disk_case_init(c);
        *row[i].field = row[i].value;
        rig_disk_settings(&r, c);
        RIG_REFUSES(&r, disk_case_scene(c), row[i].word);
        rig_close(&r);
    }
}

#define CHECK(c, rows) check_numbers(c, rows, (int)(sizeof(rows) / sizeof *(rows)))

static void numbers_of_a_cable_outside_their_range_are_refused(void **state)
{
    (void)state;
    disk_case c;
    const double nan = (double)NAN, inf = (double)INFINITY;
    const spoilt rows[] = {
        {&c.cable.density, -0.1, "density"},     {&c.cable.density, 0, "density"},
        {&c.cable.density, nan, "density"},      {&c.cable.stiffness, 0, "stiffness"},
        {&c.cable.stiffness, inf, "stiffness"},  {&c.cable.tension, -1, "tension"},
        {&c.cable.tension, inf, "tension"},      {&c.cable.damping_mass, -1, "damping"},
        {&c.cable.damping_mass, nan, "damping"}, {&c.cable.length, 1.9, "either tension or length"},
        {&c.cable.from[0], nan, "cable"},        {&c.cable.to[1], nan, "cable"},
        {&c.cable.to[1], inf, "cable"},          {&c.cable.to[1], 0, "ends that coincide"},
    };
    CHECK(&c, rows);
}

static void numbers_of_a_body_outside_their_range_are_refused(void **state)
{
    (void)state;
    disk_case c;
    const double nan = (double)NAN, inf = (double)INFINITY;
    const spoilt rows[] = {
        {&c.body.mass, 0, "mass"},
        {&c.body.mass, -2, "mass"},
        {&c.body.mass, inf, "mass"},
        {&c.body.inertia, -1, "inertia"},
        {&c.body.inertia, inf, "inertia"},
        {&c.body.shape_options[0], 0, "radius"},
        {&c.body.shape_options[0], nan, "radius"},
        {&c.body.position[0], nan, "finite"},
        {&c.body.position[1], inf, "finite"},
        {&c.body.velocity[0], nan, "finite"},
        {&c.body.spin, nan, "finite"},
        {&c.body.angle_deg, nan, "finite"},
    };
    CHECK(&c, rows);
}

static void numbers_of_a_contact_outside_their_range_are_refused(void **state)
{
    (void)state;
    disk_case c;
    const double nan = (double)NAN;
    const spoilt rows[] = {
        {&c.friction, -0.1, "friction"},
        {&c.friction, nan, "friction"},
        {&c.contact.restitution, 1.5, "restitution"},
        {&c.contact.restitution, nan, "restitution"},
        {&c.contact.restitution_tangential, -0.1, "restitution"},
    };
    CHECK(&c, rows);
}

/* Given a length instead of a tension, everything else is still checked. */
static void a_cable_of_given_length_is_checked_as_strictly(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    c.cable.tension = (double)NAN;
    c.cable.length = -1;
    rig_disk_settings(&r, &c);
    RIG_REFUSES(&r, disk_case_scene(&c), "length");
    c.cable.length = 1.9;
    c.cable.damping_mass = -1;
    RIG_REFUSES(&r, disk_case_scene(&c), "damping");
    rig_close(&r);
}

/* Neither tension nor length: the unstrained length is that of the drawing. */
static void a_cable_of_neither_tension_nor_length_is_as_long_as_drawn(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        rig r;
        disk_case c;
        disk_case_init(&c);
        c.element = haw_elements[i]->name;
        c.cable.tension = (double)NAN;
        rig_disk_settings(&r, &c);
        haw_scene scene = *disk_case_scene(&c);
        scene.bodies = scene.contacts = 0;
        assert_int_equal(haw_model_build(r.context, &scene, &r.model), HAW_OK);
        assert_near(r.model->cable[0].line.le, 2.0 / 20, 0, 1e-15);
        assert_int_equal(r.model->start, HAW_START_STATIC); /* it would be pressed at its foot */
        rig_drop(&r);
        scene.gravity[1] = 0;
        assert_int_equal(haw_model_build(r.context, &scene, &r.model), HAW_OK);
        assert_near(haw_cable_tension_mean(&r.model->cable[0], r.model->cable[0].start), 0, 1e-9,
                    0);
        assert_int_equal(r.model->start, HAW_START_GIVEN);
        rig_close(&r);
    }
}

static void unknown_names_are_refused_by_their_name(void **state)
{
    (void)state;
    disk_case c;
    const char **const field[] = {&c.element, &c.contact.law, &c.body.shape, &c.contact.between[1],
                                  &c.contact.between[0]};
    static const char *const word[] = {"element", "law", "shape", "named", "named"};
    for (size_t i = 0; i < sizeof field / sizeof *field; i++) {
        rig r;
        disk_case_init(&c);
        *field[i] = "spaghetti";
        rig_disk_settings(&r, &c);
        RIG_REFUSES(&r, disk_case_scene(&c), "spaghetti", word[i]);
        rig_close(&r);
    }
}

static void names_are_needed_and_are_unique(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    rig_disk_settings(&r, &c);
    c.cable.name = "disk";
    RIG_REFUSES(&r, disk_case_scene(&c), "a unique name");
    c.cable.name = NULL;
    RIG_REFUSES(&r, disk_case_scene(&c), "a unique name");
    c.cable.name = "cable";
    c.body.name = NULL;
    RIG_REFUSES(&r, disk_case_scene(&c), "a unique name");
    rig_close(&r);
}

static void contacts_need_a_surface_and_a_line_or_a_disk(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    rig_disk_settings(&r, &c);
    c.contact.between[1] = "cable";
    RIG_REFUSES(&r, disk_case_scene(&c), "cable 'cable' needs a radius for contact");
    c.contact.between[0] = c.contact.between[1] = "disk";
    RIG_REFUSES(&r, disk_case_scene(&c), "must be a circle, box or capsule");
    c.contact.between[0] = "cable";
    c.body.shape = NULL;
    c.body.inertia = 1;
    RIG_REFUSES(&r, disk_case_scene(&c), "has no shape");
    rig_close(&r);
}

/* The surface could pass between two points of a grid wider than its radius. */
static void a_grid_wider_than_the_radius_is_refused(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    rig_disk_settings(&r, &c);
    c.elements = 19; /* 2 m / 19 > 0.1 m */
    c.points = 1;
    RIG_REFUSES(&r, disk_case_scene(&c), "grid spacing", "radius");
    c.points = 0;
    c.contact.spacing = 0.11;
    RIG_REFUSES(&r, disk_case_scene(&c), "grid spacing", "radius");
    c.contact.spacing = 0;
    RIG_REFUSES(&r, disk_case_scene(&c), "spacing must be > 0");
    c.contact.spacing = 1e-7;
    RIG_REFUSES(&r, disk_case_scene(&c), "at most 4096");
    rig_close(&r);
}

static void other_refusals_name_their_reason(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    rig_disk_settings(&r, &c);
    c.elements = 0;
    RIG_REFUSES(&r, disk_case_scene(&c), "elements");
    c.elements = 20;
    c.cable.gauss_points = 2;
    RIG_REFUSES(&r, disk_case_scene(&c), "gauss_points");
    c.cable.gauss_points = 3;
    haw_scene scene = *disk_case_scene(&c);
    scene.gravity[0] = (double)NAN;
    RIG_REFUSES(&r, &scene, "gravity");
    const haw_scene empty = {.title = "nothing"};
    RIG_REFUSES(&r, &empty, "neither bodies nor cables");
    rig_set(&r, "theta", 0.3);
    RIG_REFUSES(&r, disk_case_scene(&c), "theta");
    rig_set(&r, "theta", 0);
    r.settings.every = 0;
    RIG_REFUSES(&r, disk_case_scene(&c), "every");
    rig_close(&r);
}

static void an_automatic_step_needs_a_cable(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    c.step = 0; /* leaves auto */
    rig_disk_settings(&r, &c);
    haw_scene scene = *disk_case_scene(&c);
    scene.cables = scene.contacts = 0;
    RIG_REFUSES(&r, &scene, "auto needs a cable");
    rig_close(&r);
}

/* The default spacing is an eighth of the radius; points sit at j / n of every element. */
static void the_grid_has_a_spacing_of_an_eighth_of_the_radius(void **state)
{
    (void)state;
    static const haw_end_kind ends[2] = {HAW_END_PINNED, HAW_END_FREE};
    for (int k = 0; k < 2; k++) {
        rig r;
        disk_case c;
        disk_case_init(&c);
        c.points = 0;
        c.step = 2e-5;
        c.cable.ends[1].kind = ends[k];
        c.scene.start = HAW_START_GIVEN;
        rig_disk(&r, &c);
        const haw_pair *pair = &r.model->pair[0];
        assert_int_equal(pair->points_per_element, 9); /* 0.1 m (stretched) / 9 < 0.0125 m */
        assert_int_equal(pair->points, 180 + k);
        int e;
        double s;
        haw_pair_point(r.model, pair, 9 * 7 + 4, &e, &s);
        assert_int_equal(e, 7);
        assert_near(s, 4.0 / 9, 1e-16, 0);
        if (k == 1) {
            haw_pair_point(r.model, pair, 180, &e, &s);
            assert_true(e == 19 && s == 1);
        }
        rig_close(&r);
    }
}

/* The scene may be gone after the build: names, tables and paths are the model's own. */
static void the_model_keeps_nothing_of_the_scene(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    rig_disk_settings(&r, &c);
    char body[8] = "disk", cable[8] = "cable", title[8] = "title";
    double time[2] = {0, 1}, value[2] = {1, 3};
    c.body.name = c.contact.between[1] = body;
    c.cable.name = cable;
    c.body.motion = HAW_MOTION_PRESCRIBED;
    c.body.motion_spin = (haw_function){.count = 2, .time = time, .value = value};
    haw_scene scene = *disk_case_scene(&c);
    scene.title = title;
    rig_build(&r, &scene);
    memset(body, '?', 4);
    memset(cable, '?', 5);
    memset(title, '?', 5);
    time[1] = value[1] = -7;
    memset(&c, 0, sizeof c);
    assert_string_equal(r.model->title, "title");
    assert_int_equal(haw_model_find_body(r.model, "disk"), 0);
    assert_int_equal(haw_model_find_cable(r.model, "cable"), 0);
    assert_int_equal(haw_model_find_cable(r.model, "disk"), -1);
    assert_near(haw_function_value(&r.model->body[0].drive[2], 0.5), 2, 1e-15, 0);
    rig_close(&r);
}

static void counts_and_the_critical_step_can_be_asked(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    rig_disk(&r, &c);
    assert_int_equal(haw_model_bodies(r.model), 1);
    assert_int_equal(haw_model_cables(r.model), 1);
    assert_int_equal(haw_model_dofs(r.model), 3 + 4 * 21);
    const double length = 1.98015041464, speed = sqrt(4e4 / 0.1);
    assert_near(haw_model_critical_step(r.model), 0.3086 * length / 20 / speed, 0, 1e-11);
    assert_near(r.model->body[0].mass[2], 0.5 * 2 * 0.1 * 0.1, 0, 1e-15);
    haw_model_free(NULL);
    rig_close(&r);
}

TEST_FILE(test_model)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_a_cable_outside_their_range_are_refused),
        cmocka_unit_test(numbers_of_a_body_outside_their_range_are_refused),
        cmocka_unit_test(numbers_of_a_contact_outside_their_range_are_refused),
        cmocka_unit_test(a_cable_of_given_length_is_checked_as_strictly),
        cmocka_unit_test(a_cable_of_neither_tension_nor_length_is_as_long_as_drawn),
        cmocka_unit_test(unknown_names_are_refused_by_their_name),
        cmocka_unit_test(names_are_needed_and_are_unique),
        cmocka_unit_test(contacts_need_a_surface_and_a_line_or_a_disk),
        cmocka_unit_test(a_grid_wider_than_the_radius_is_refused),
        cmocka_unit_test(other_refusals_name_their_reason),
        cmocka_unit_test(an_automatic_step_needs_a_cable),
        cmocka_unit_test(the_grid_has_a_spacing_of_an_eighth_of_the_radius),
        cmocka_unit_test(the_model_keeps_nothing_of_the_scene),
        cmocka_unit_test(counts_and_the_critical_step_can_be_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
