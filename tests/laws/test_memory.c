/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocation: every failure is reported and leaks nothing; steps allocate nothing. */
#include "element/element.h"
#include "stepper/simulation.h"
#include "support/failing_run.h"

enum { STEPS = 5 };

typedef struct attempt {
    const char *element;
    double theta;
    int on_unconverged;
} attempt;

/* The disk starts in touch with the cable; a table drives the other end. */
static haw_status run_disk(haw_context *context, void *user)
{
    static const double time[2] = {0, 1}, value[2] = {0, 1};
    static const char *const probe[2] = {"disk.position", "cable.tension_mean[0.1:0.4]"};
    const attempt *a = user;
    disk_case c;
    disk_case_init(&c);
    c.element = a->element;
    c.theta = a->theta;
    c.body.position[0] = -0.1;
    c.cable.ends[1] = (haw_end_spec){.kind = HAW_END_MOTION,
                                     .velocity[1] = {.count = 2, .time = time, .value = value}};
    haw_run_settings settings;
    disk_case_settings(context, &c, &settings);
    settings.on_unconverged = a->on_unconverged;
    settings.probes = 2;
    settings.probe = probe;
    return failing_run(context, disk_case_scene(&c), &settings, STEPS);
}

static void every_failing_allocation_of_a_run_is_reported(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        attempt a = {.element = haw_elements[i]->name};
        print_message("%s: %ld allocations\n", a.element, failing_loop(run_disk, &a));
        a.theta = 0.55;
        a.on_unconverged = HAW_UNCONVERGED_HALVE;
        print_message("%s, implicit: %ld allocations\n", a.element, failing_loop(run_disk, &a));
    }
}

/* A quarter turn of cable over a fixed disk, `points` per element: many points closed at once. */
static void wrap_scene(haw_scene *scene, haw_body_spec *body, haw_cable_spec *cable,
                       haw_contact_spec *contact)
{
    static const haw_path_segment path[3] = {
        {.to = {-0.1, 0}},
        {.is_arc = true, .center = {0, 0}, .radius = 0.1, .angle_deg = -90},
        {.to = {0.5, 0.1}},
    };
    *body = haw_body_spec_default();
    body->name = "disk";
    body->shape = "circle";
    body->shape_options[0] = 0.1;
    body->motion = HAW_MOTION_FIXED;
    *cable = haw_cable_spec_default();
    cable->name = "cable";
    cable->elements = 24;
    cable->from[0] = -0.1;
    cable->from[1] = -0.5;
    cable->segments = 3;
    cable->path = path;
    cable->stiffness = 4e4;
    cable->density = 0.1;
    cable->tension = 100;
    cable->damping_mass = 300;
    *contact = haw_contact_spec_default();
    contact->between[0] = "cable";
    contact->between[1] = "disk";
    contact->points_per_element = 16;
    *scene = (haw_scene){
        .bodies = 1, .body = body, .cables = 1, .cable = cable, .contacts = 1, .contact = contact};
}

/* The wrap needs room for more contacts than any workspace starts with. */
static haw_status run_wrap(haw_context *context, void *user)
{
    haw_scene scene;
    haw_body_spec body;
    haw_cable_spec cable;
    haw_contact_spec contact;
    haw_run_settings settings;
    wrap_scene(&scene, &body, &cable, &contact);
    scene.start = *(const int *)user;
    assert_int_equal(haw_run_settings_init(context, &settings), HAW_OK);
    assert_int_equal(haw_stepper_set(context, &settings.stepper, "step", 1e-5), HAW_OK);
    settings.on_unconverged = HAW_UNCONVERGED_WARN;
    return failing_run(context, &scene, &settings, STEPS);
}

static void every_failing_allocation_of_a_wrap_is_reported(void **state)
{
    (void)state;
    int start = HAW_START_GIVEN;
    print_message("wrap: %ld allocations\n", failing_loop(run_wrap, &start));
}

/* Allocations asked for in every step after the third. */
static void count_steps(const counting *count, rig *r, long steps)
{
    rig_steps(r, 3);
    const long calls = count->calls;
    rig_steps(r, steps);
    assert_int_equal(count->calls, calls);
}

static void open_counting(rig *r, counting *count)
{
    const haw_allocator allocator = counting_allocator(count);
    memset(r, 0, sizeof *r);
    assert_int_equal(haw_context_create(&allocator, &r->context), HAW_OK);
    assert_int_equal(haw_run_settings_init(r->context, &r->settings), HAW_OK);
}

static void the_disk_impact_allocates_nothing_after_the_third_step(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        for (int k = 0; k < 2; k++) {
            counting count = {0};
            rig r;
            disk_case c;
            disk_case_init(&c);
            c.element = haw_elements[i]->name;
            c.theta = 0.55 * k;
            open_counting(&r, &count);
            disk_case_settings(r.context, &c, &r.settings);
            rig_build(&r, disk_case_scene(&c));
            count_steps(&count, &r, 4000);
            assert_true(r.simulation->certificate.contacts_max > 0);
            rig_close(&r);
            assert_int_equal(count.live, 0);
        }
    }
}

static void a_wrap_allocates_nothing_after_the_third_step(void **state)
{
    (void)state;
    counting count = {0};
    rig r;
    haw_scene scene;
    haw_body_spec body;
    haw_cable_spec cable;
    haw_contact_spec contact;
    wrap_scene(&scene, &body, &cable, &contact);
    open_counting(&r, &count);
    rig_time(&r, 1e-5, 1, 0);
    r.settings.on_unconverged = HAW_UNCONVERGED_WARN;
    /* auto would ask for newton's memory in the first step where sweeps do not do */
    assert_int_equal(haw_solver_settings_init(r.context, "pgs", &r.settings.solver), HAW_OK);
    rig_solver_set(&r, "max_iterations", 50);
    rig_build(&r, &scene);
    count_steps(&count, &r, 3000);
    print_message("%d points closed at once\n", r.simulation->certificate.contacts_max);
    assert_true(r.simulation->certificate.contacts_max > 32);
    rig_close(&r);
    assert_int_equal(count.live, 0);
}

TEST_FILE(test_memory)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failing_allocation_of_a_run_is_reported),
        cmocka_unit_test(every_failing_allocation_of_a_wrap_is_reported),
        cmocka_unit_test(the_disk_impact_allocates_nothing_after_the_third_step),
        cmocka_unit_test(a_wrap_allocates_nothing_after_the_third_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
