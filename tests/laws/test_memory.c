/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocation: every failure is reported and leaks nothing; steps allocate nothing. */
#include "element/element.h"
#include "stepper/simulation.h"
#include "support/failing_run.h"
#include "support/rope_ride.h"

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
    static const haw_probe_spec probe[2] = {{"disk.position"}, {"cable.tension_mean[0.1:0.4]"}};
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
        {.kind = HAW_PIECE_ARC, .center = {0, 0}, .radius = 0.1, .angle_deg = -90},
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
            c.contact.refine = k == 0 ? HAW_REFINE_OFF : HAW_REFINE_CONTACT;
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

/* ---- implicit steps ---- */

enum { IMPLICIT_STEPS = 4 };

/* A cable with bending over a fixed disk, prestressed, with a force on it; static start. */
typedef struct wrap {
    const char *law, *stepper;
    double step;
    haw_body_spec body;
    haw_cable_spec cable;
    haw_contact_spec contact;
    haw_force_spec force;
    haw_scene scene;
} wrap;

static const haw_scene *stepper_scene(wrap *w)
{
    static const haw_path_segment path[3] = {
        {.to = {-0.1, 0}},
        {.kind = HAW_PIECE_ARC, .center = {0, 0}, .radius = 0.1, .angle_deg = -90},
        {.to = {0.5, 0.1}},
    };
    w->body = haw_body_spec_default();
    w->body.name = "disk";
    w->body.shape = "circle";
    w->body.shape_options[0] = 0.1;
    w->body.motion = HAW_MOTION_FIXED;
    w->cable = haw_cable_spec_default();
    w->cable.name = "cable";
    w->cable.element = "ancf";
    w->cable.elements = 24;
    w->cable.from[0] = -0.1;
    w->cable.from[1] = -0.5;
    w->cable.segments = 3;
    w->cable.path = path;
    w->cable.stiffness = 4e4;
    w->cable.bending_stiffness = 1e-3;
    w->cable.density = 0.1;
    w->cable.tension = 100;
    w->contact = haw_contact_spec_default();
    w->contact.between[0] = "cable";
    w->contact.between[1] = "disk";
    w->contact.points_per_element = 4;
    w->contact.refine = HAW_REFINE_CONTACT;
    w->contact.law = w->law;
    w->contact.friction = 0.2;
    if (strcmp(w->law, "penalty") == 0) {
        w->contact.normal_stiffness = 1e6;
        w->contact.tangential_stiffness = 1e5;
        w->contact.tangential_damping = 1;
    }
    w->force = haw_force_spec_default();
    w->force.on = "cable";
    w->force.point = 0.9;
    w->force.force[1].constant = -1;
    w->scene = (haw_scene){.start = HAW_START_STATIC,
                           .bodies = 1,
                           .body = &w->body,
                           .cables = 1,
                           .cable = &w->cable,
                           .contacts = 1,
                           .contact = &w->contact,
                           .forces = 1,
                           .force = &w->force};
    return &w->scene;
}

static void wrap_settings(haw_context *context, const wrap *w, haw_run_settings *settings)
{
    assert_int_equal(haw_run_settings_init(context, settings), HAW_OK);
    assert_int_equal(haw_stepper_settings_init(context, w->stepper, &settings->stepper), HAW_OK);
    assert_int_equal(haw_stepper_set(context, &settings->stepper, "step", w->step), HAW_OK);
}

static haw_status run_stepper(haw_context *context, void *user)
{
    wrap *w = user;
    haw_run_settings settings;
    wrap_settings(context, w, &settings);
    return failing_run(context, stepper_scene(w), &settings, IMPLICIT_STEPS);
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    wrap cases[] = {{.law = "penalty", .stepper = "generalized-alpha", .step = 1e-4},
                    {.law = "penalty", .stepper = "moreau", .step = 5e-6},
                    {.law = "hard", .stepper = "moreau", .step = 5e-6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        print_message("%s, %s: %ld allocations\n", cases[i].stepper, cases[i].law,
                      failing_loop(run_stepper, &cases[i]));
    }
}

static void implicit_steps_allocate_nothing_after_the_third(void **state)
{
    (void)state;
    counting count = {0};
    const haw_allocator allocator = counting_allocator(&count);
    wrap w = {.law = "penalty", .stepper = "generalized-alpha", .step = 1e-4};
    rig r;
    memset(&r, 0, sizeof r);
    assert_int_equal(haw_context_create(&allocator, &r.context), HAW_OK);
    wrap_settings(r.context, &w, &r.settings);
    rig_build(&r, stepper_scene(&w));
    rig_steps(&r, 3);
    const long calls = count.calls;
    rig_steps(&r, 500);
    assert_int_equal(count.calls, calls);
    assert_true(r.simulation->certificate.newton_iterations > 500);
    rig_close(&r);
    assert_int_equal(count.live, 0);
}

/* ---- ropes ---- */

enum { ROPE_STEPS = 3 };

typedef struct ride_case {
    const char *element, *law, *stepper;
} ride_case;

static const ride_case cases[] = {{"ale", "penalty", "generalized-alpha"},
                                  {"arc1d", "penalty", "generalized-alpha"},
                                  {"ale", "penalty", "quasi-static"},
                                  {"ale", "hard", "moreau-jean"}};

static void draw(const ride_case *c, rope_ride *ride)
{
    ride_elevator(ride, c->element);
    ride->cable.elements = 12;
    ride->contact.spacing = 0.24 * acos(-1) / 48;
    if (strcmp(c->law, "hard") == 0) {
        ride->cable.bending_stiffness = 0;
        ride_contact(ride, ride->contact.spacing);
        ride->contact.friction = 0.2;
        ride->contact.law = "hard";
        ride->contact.normal = ride->contact.tangential = NULL;
        ride->contact.per = HAW_PER_POINT;
    }
}

static void settle(haw_context *context, const ride_case *c, haw_run_settings *settings)
{
    assert_int_equal(haw_run_settings_init(context, settings), HAW_OK);
    assert_int_equal(haw_stepper_settings_init(context, c->stepper, &settings->stepper), HAW_OK);
    assert_int_equal(haw_stepper_set(context, &settings->stepper, "step", 1e-3), HAW_OK);
    assert_int_equal(haw_stepper_set(context, &settings->stepper, "end", 2), HAW_OK);
    settings->on_unconverged = HAW_UNCONVERGED_HALVE;
}

static haw_status run(haw_context *context, void *user)
{
    rope_ride ride;
    haw_run_settings settings;
    draw(user, &ride);
    settle(context, user, &settings);
    return failing_run(context, &ride.scene, &settings, ROPE_STEPS);
}

static void every_failing_allocation_of_a_rope_is_reported(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ride_case c = cases[i];
        print_message("%s, %s: %ld allocations\n", c.element, c.stepper, failing_loop(run, &c));
    }
}

/* Knots come in and leave by then. */
static void steps_of_a_ride_allocate_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        counting count = {0};
        const haw_allocator allocator = counting_allocator(&count);
        rope_ride ride;
        rig r;
        memset(&r, 0, sizeof r);
        assert_int_equal(haw_context_create(&allocator, &r.context), HAW_OK);
        draw(&cases[i], &ride);
        settle(r.context, &cases[i], &r.settings);
        rig_build(&r, &ride.scene);
        rig_steps(&r, 600);
        const long calls = count.calls;
        rig_steps(&r, 600);
        assert_int_equal(count.calls, calls);
        rig_close(&r);
        assert_int_equal(count.live, 0);
    }
}

TEST_FILE(test_memory)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failing_allocation_of_a_run_is_reported),
        cmocka_unit_test(every_failing_allocation_of_a_wrap_is_reported),
        cmocka_unit_test(the_disk_impact_allocates_nothing_after_the_third_step),
        cmocka_unit_test(a_wrap_allocates_nothing_after_the_third_step),
        cmocka_unit_test(every_failing_allocation_is_reported),
        cmocka_unit_test(implicit_steps_allocate_nothing_after_the_third),
        cmocka_unit_test(every_failing_allocation_of_a_rope_is_reported),
        cmocka_unit_test(steps_of_a_ride_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
