/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of a run, and what its frames say about the contacts. */
#include "model/model.h"
#include "stepper/simulation.h"
#include "support/rig.h"

enum { EVENTS = 1000 };

typedef struct event_log {
    int count;
    haw_event event[EVENTS];
    int frames;
    double wrap_max, wrap_last, normal_max;
    const haw_simulation *simulation;
    double last_impulse; /* time of it, < 0: none yet */
    int pauses;          /* between impulses, longer than the separation time */
} event_log;

static haw_status note(void *user, const haw_event *event)
{
    event_log *log = user;
    assert_true(log->count < EVENTS);
    log->event[log->count++] = *event;
    return HAW_OK;
}

static haw_status look(void *user, const haw_frame *frame)
{
    event_log *log = user;
    log->frames++;
    log->wrap_max = fmax(log->wrap_max, frame->pair[0].wrap_angle);
    log->wrap_last = frame->pair[0].wrap_angle;
    log->normal_max = fmax(log->normal_max, frame->pair[0].normal_sum);
    return HAW_OK;
}

/* Pauses counted from the impulses of the steps themselves. */
static void watch(void *user, const haw_frame *frame, int contacts, double residual)
{
    event_log *log = user;
    const haw_simulation *s = log->simulation;
    double sum = 0;
    (void)residual;
    for (int i = 0; i < contacts; i++) {
        sum += s->contacts->impulse[2 * i];
    }
    if (sum > 0) {
        const double open = frame->t - s->step - log->last_impulse;
        log->pauses += log->last_impulse >= 0 && open > s->settings.separation;
        log->last_impulse = frame->t;
    }
}

static void run_logged(rig *r, event_log *log)
{
    const haw_observer observer = {.frame = look, .event = note, .progress = watch, .user = log};
    haw_summary summary;
    memset(log, 0, sizeof *log);
    log->simulation = r->simulation;
    log->last_impulse = -1;
    assert_int_equal(haw_simulation_run(r->simulation, &observer, &summary), HAW_OK);
}

/* Event i is of this kind, at t +- window. */
static void expect(const event_log *log, int i, haw_event_kind kind, double t, double window)
{
    assert_true(i < log->count);
    assert_int_equal(log->event[i].kind, kind);
    assert_near(log->event[i].t, t, window, 0);
    assert_int_equal(log->event[i].pair, 0);
}

static int count_kind(const event_log *log, haw_event_kind kind)
{
    int count = 0;
    for (int i = 0; i < log->count; i++) {
        count += log->event[i].kind == kind;
    }
    return count;
}

/* The gap of 0.05 m closes at 3 m/s after 1/60 s; the disk leaves before 0.16 s. */
static void the_disk_impact_is_one_contact_with_its_events(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    event_log log;
    disk_case_init(&c);
    rig_disk_settings(&r, &c);
    r.settings.every = 1e-3;
    rig_build(&r, disk_case_scene(&c));
    run_logged(&r, &log);
    expect(&log, 0, HAW_EVENT_FIRST_CONTACT, 1.0 / 60, 2e-5);
    expect(&log, 1, HAW_EVENT_SLIP, 1.0 / 60, 2e-3);
    assert_true(log.event[1].value == 1); /* gamma_T = R omega > 0 */
    expect(&log, log.count - 2, HAW_EVENT_WRAP, 0.146, 3e-3);
    expect(&log, log.count - 1, HAW_EVENT_SEPARATION, 0.146, 3e-3);
    assert_true(log.event[log.count - 1].t == log.event[log.count - 2].t);
    assert_near(log.event[log.count - 2].value, log.wrap_max, 0, 0);
    assert_int_equal(count_kind(&log, HAW_EVENT_CONTACT), 0);
    assert_int_equal(log.frames, 251);
    assert_true(log.wrap_last == 0);
    for (int i = 1; i < log.count; i++) {
        assert_true(log.event[i].t >= log.event[i - 1].t || log.event[i].kind == HAW_EVENT_STICK ||
                    log.event[i].kind == HAW_EVENT_SLIP);
    }
    rig_close(&r);
}

/* Separation times below some pauses of the contact split it there. */
static void a_short_separation_time_splits_the_contact(void **state)
{
    (void)state;
    static const double separation[2] = {5e-6, 1.505e-3};
    for (int k = 0; k < 2; k++) {
        rig r;
        disk_case c;
        event_log log;
        disk_case_init(&c);
        rig_disk_settings(&r, &c);
        r.settings.separation = separation[k];
        rig_build(&r, disk_case_scene(&c));
        run_logged(&r, &log);
        const int again = count_kind(&log, HAW_EVENT_CONTACT);
        print_message("%g s: %d contacts\n", separation[k], again + 1);
        assert_true(again > 0);
        assert_int_equal(again, log.pauses);
        assert_int_equal(count_kind(&log, HAW_EVENT_FIRST_CONTACT), 1);
        assert_int_equal(count_kind(&log, HAW_EVENT_SEPARATION), again + 1);
        assert_int_equal(count_kind(&log, HAW_EVENT_WRAP), again + 1);
        rig_close(&r);
    }
}

/* A disk that slides right on the ground (gamma_T > 0) and rolls from v0 / (3 mu g) on. */
static void a_sliding_disk_sticks_when_it_rolls(void **state)
{
    (void)state;
    rig r;
    event_log log;
    rig_open(&r);
    rig_time(&r, 1e-4, 0.6, 0);
    r.settings.every = 0.01;
    haw_body_spec body[2] = {haw_body_spec_default(), haw_body_spec_default()};
    haw_contact_spec contact = haw_contact_spec_default();
    body[0].name = contact.between[0] = "ground";
    body[0].shape = "plane";
    body[0].motion = HAW_MOTION_FIXED;
    body[1].name = contact.between[1] = "disk";
    body[1].shape = "circle";
    body[1].shape_options[0] = 0.1;
    body[1].mass = 2;
    body[1].position[1] = 0.1;
    body[1].velocity[0] = 2;
    contact.friction = 0.2;
    const haw_scene scene = {
        .gravity = {0, -9.81}, .bodies = 2, .body = body, .contacts = 1, .contact = &contact};
    rig_build(&r, &scene);
    run_logged(&r, &log);
    assert_int_equal(log.count, 4);
    expect(&log, 0, HAW_EVENT_FIRST_CONTACT, 0.5e-4, 1e-12);
    expect(&log, 1, HAW_EVENT_SLIP, 0.5e-4, 1e-12);
    assert_true(log.event[1].value == 1);
    expect(&log, 2, HAW_EVENT_STICK, 2 / (3 * 0.2 * 9.81), 2e-4);
    expect(&log, 3, HAW_EVENT_WRAP, 0.6 - 0.5e-4, 1e-12); /* the contact lasts to the end */
    assert_near(log.normal_max, 2 * 9.81, 0, 1e-9);
    const haw_frame *f = haw_simulation_frame(r.simulation);
    assert_true(f->pair[0].closed == 1 && f->pair[0].sticking == 1);
    assert_int_equal(f->point_state[0], HAW_POINT_STICK);
    assert_true(f->point_gap[0] <= 0);
    rig_close(&r);
}

/* A disk on the ground that spins on the spot: gamma_T = R omega, whatever the friction. */
static void a_slipping_point_knows_its_side(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        rig r;
        rig_open(&r);
        rig_time(&r, 1e-4, 0.1, 0);
        haw_body_spec body[2] = {haw_body_spec_default(), haw_body_spec_default()};
        haw_contact_spec contact = haw_contact_spec_default();
        body[0].name = contact.between[0] = "ground";
        body[0].shape = "plane";
        body[0].motion = HAW_MOTION_FIXED;
        body[1].name = contact.between[1] = "disk";
        body[1].shape = "circle";
        body[1].shape_options[0] = 0.1;
        body[1].mass = 2;
        body[1].position[1] = 0.1;
        body[1].spin = k % 2 == 0 ? 30 : -30;
        contact.friction = k < 2 ? 0.2 : 0;
        const haw_scene scene = {
            .gravity = {0, -9.81}, .bodies = 2, .body = body, .contacts = 1, .contact = &contact};
        rig_build(&r, &scene);
        const haw_frame *f = haw_simulation_frame(r.simulation);
        assert_true(f->point_state[0] == HAW_POINT_OPEN && isnan(f->point_gap[0]));
        rig_steps(&r, 20);
        f = haw_simulation_frame(r.simulation);
        assert_int_equal(f->point_state[0], k % 2 == 0 ? HAW_POINT_FORWARD : HAW_POINT_BACKWARD);
        rig_close(&r);
    }
}

/* A quarter turn of cable pressed to a fixed disk: between its outermost points, below 90 degrees.
 */
static void the_wrap_angle_is_that_between_the_outermost_points(void **state)
{
    (void)state;
    rig r;
    event_log log;
    rig_open(&r);
    rig_time(&r, 5e-6, 0.04, 0);
    r.settings.every = 0.01;
    const haw_path_segment path[3] = {
        {.to = {-0.1, 0}},
        {.kind = HAW_PIECE_ARC, .center = {0, 0}, .radius = 0.1, .angle_deg = -90},
        {.to = {0.5, 0.1}},
    };
    haw_body_spec body = haw_body_spec_default();
    haw_contact_spec contact = haw_contact_spec_default();
    haw_cable_spec cable = haw_cable_spec_default();
    body.name = contact.between[0] = "disk";
    body.shape = "circle";
    body.shape_options[0] = 0.1;
    body.motion = HAW_MOTION_FIXED;
    cable.name = contact.between[1] = "cable";
    cable.element = "chain";
    cable.elements = 232;
    cable.from[0] = -0.1;
    cable.from[1] = -0.5;
    cable.segments = 3;
    cable.path = path;
    cable.stiffness = 4e4;
    cable.density = 0.1;
    cable.tension = 100;
    cable.damping_mass = 300;
    contact.points_per_element = 1;
    const haw_scene scene = {.bodies = 1,
                             .body = &body,
                             .cables = 1,
                             .cable = &cable,
                             .contacts = 1,
                             .contact = &contact};
    rig_build(&r, &scene);
    run_logged(&r, &log);
    const double spacing = 1.157 / 232 / 0.1, quarter = 1.5707963267948966;
    const haw_pair_frame *p = haw_simulation_frame(r.simulation)->pair;
    assert_true(p->wrap_angle <= quarter + spacing && p->wrap_angle >= quarter - 3 * spacing);
    const double mean = haw_cable_tension_mean(&r.simulation->model.cable[0], r.state->q);
    assert_near(p->normal_sum, mean * quarter, 0, 5e-4);
    assert_near(hypot(p->force[0], p->force[1]), mean * sqrt(2), 0, 2e-4);
    assert_true(p->gap_min <= 0 && p->closed > 20);
    rig_close(&r);
}

/* Reading a frame changes nothing; the averages start anew with the first step after it. */
static void frames_average_over_the_time_since_the_last_one(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    rig_disk(&r, &c);
    const haw_frame *f = haw_simulation_frame(r.simulation);
    assert_true(f->pair[0].normal_sum == 0 && isinf(f->pair[0].gap_min));
    rig_steps(&r, 1600);
    haw_simulation_frame(r.simulation);
    rig_steps(&r, 400);
    f = haw_simulation_frame(r.simulation);
    const haw_pair_frame first = f->pair[0];
    assert_near(first.normal_sum * 4e-3, hypot(first.impulse[0], first.impulse[1]), 0, 0.05);
    assert_near(first.force[0] * 4e-3, first.impulse[0], 0, 1e-12);
    f = haw_simulation_frame(r.simulation);
    assert_memory_equal(&f->pair[0], &first, sizeof first);
    rig_steps(&r, 100);
    f = haw_simulation_frame(r.simulation);
    assert_near(f->pair[0].force[0] * 1e-3, f->pair[0].impulse[0] - first.impulse[0], 0, 1e-11);
    rig_close(&r);
}

TEST_FILE(test_monitor)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_disk_impact_is_one_contact_with_its_events),
        cmocka_unit_test(a_short_separation_time_splits_the_contact),
        cmocka_unit_test(a_sliding_disk_sticks_when_it_rolls),
        cmocka_unit_test(a_slipping_point_knows_its_side),
        cmocka_unit_test(the_wrap_angle_is_that_between_the_outermost_points),
        cmocka_unit_test(frames_average_over_the_time_since_the_last_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
