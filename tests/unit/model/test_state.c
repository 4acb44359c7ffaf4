/* SPDX-License-Identifier: BSD-3-Clause */
/* Layout, copies and prescribed velocities of a state. */
#include "contact/contact.h"
#include "model/dynamics.h"
#include "stepper/simulation.h"
#include "support/rig.h"

/* Two bodies and two cables, driven and not. */
typedef struct set {
    haw_body_spec body[2];
    haw_cable_spec cable[2];
    haw_contact_spec contact[2];
    haw_scene scene;
} set;

static const double time_of[2] = {0, 2}, value_of[2] = {1, 5};

static void set_init(set *s)
{
    static const char *const name[2] = {"first", "second"};
    for (int i = 0; i < 2; i++) {
        s->body[i] = haw_body_spec_default();
        s->body[i].name = i == 0 ? "free" : "driven";
        s->body[i].shape = "circle";
        s->body[i].shape_options[0] = 0.2;
        s->body[i].mass = 1;
        s->body[i].position[0] = 5 + i;
        s->body[i].position[1] = -i;
        s->body[i].angle_deg = 90;
        s->body[i].velocity[1] = 2;
        s->body[i].spin = -3;
        s->cable[i] = haw_cable_spec_default();
        s->cable[i].name = name[i];
        s->cable[i].element = i == 0 ? "bezier" : "chain";
        s->cable[i].elements = 12 + i;
        s->cable[i].from[0] = s->cable[i].to[0] = i;
        s->cable[i].from[1] = 0;
        s->cable[i].to[1] = 1;
        s->cable[i].tension = 10;
        s->cable[i].stiffness = 1e3;
        s->cable[i].density = 0.1;
        s->contact[i] = haw_contact_spec_default();
        s->contact[i].between[0] = name[i];
        s->contact[i].between[1] = "free";
        s->contact[i].points_per_element = 2 + i;
    }
    s->body[1].motion = HAW_MOTION_PRESCRIBED;
    s->body[1].motion_velocity[0].constant = 7;
    s->body[1].motion_spin =
        (haw_function){.count = 2, .time = time_of, .value = value_of, .ramp = HAW_RAMP_LINEAR};
    s->cable[1].ends[0].kind = HAW_END_FREE;
    s->cable[1].ends[1].kind = HAW_END_MOTION;
    s->cable[1].ends[1].velocity[1] = s->body[1].motion_spin;
    s->scene = (haw_scene){.bodies = 2,
                           .body = s->body,
                           .cables = 2,
                           .cable = s->cable,
                           .contacts = 2,
                           .contact = s->contact};
}

static void open_set(rig *r, set *s)
{
    rig_open(r);
    set_init(s);
    assert_int_equal(haw_model_build(r->context, &s->scene, &r->model), HAW_OK);
}

/* Bodies (x, y, angle) first, then cables, both in the order of the scene. */
static void bodies_come_before_cables_in_the_order_of_the_scene(void **state)
{
    (void)state;
    rig r;
    set s;
    haw_state *at;
    open_set(&r, &s);
    assert_int_equal(haw_state_create(r.context, r.model, &at), HAW_OK);
    assert_int_equal(at->dofs, 6 + 4 * 13 + 2 * 14);
    assert_int_equal(at->dofs, haw_model_dofs(r.model));
    assert_int_equal(at->rows, 2 * (2 * 12 + 3 * 13));
    const double q[6] = {5, 0, 1.5707963267948966, 6, -1, 1.5707963267948966};
    const double u[6] = {0, 2, -3, 7, 0, 1};
    for (int i = 0; i < 6; i++) {
        assert_near(at->q[i], q[i], 1e-15, 0);
        assert_near(at->u[i], u[i], 0, 0);
    }
    assert_int_equal(r.model->cable[0].first, 6);
    assert_int_equal(r.model->cable[1].first, 6 + 4 * 13);
    assert_near(at->q[6 + 4 * 12 + 1], 1, 1e-14, 0); /* end of the first cable */
    assert_near(at->q[at->dofs - 2], 1, 1e-15, 0);   /* x of the end of the second */
    assert_near(at->u[at->dofs - 1], 1, 0, 0);       /* which moves up at 1 m/s */
    assert_true(at->t == 0 && at->step == 0 && at->impulse[at->rows - 1] == 0);
    haw_state_free(r.context, at);
    haw_state_free(r.context, NULL);
    rig_close(&r);
}

static void prescribed_velocities_follow_their_tables(void **state)
{
    (void)state;
    rig r;
    set s;
    haw_state *at;
    open_set(&r, &s);
    assert_int_equal(haw_state_create(r.context, r.model, &at), HAW_OK);
    for (int i = 0; i < at->dofs; i++) {
        at->u[i] = 99;
    }
    haw_model_prescribe(r.model, 1.5, at->u);
    const int end = at->dofs - 2, last = 6 + 4 * 12;
    const double want[3] = {7, 0, 4};
    for (int i = 0; i < at->dofs; i++) {
        const bool pinned = (i >= 6 && i < 8) || i == last || i == last + 1 || i == end;
        double expected = pinned ? 0 : 99;
        expected = i >= 3 && i < 6 ? want[i - 3] : expected;
        expected = i == end + 1 ? 4 : expected;
        assert_near(at->u[i], expected, 1e-15, 0);
    }
    haw_state_free(r.context, at);
    rig_close(&r);
}

/* A clamped end holds its direction too, and no strain: of r' what is across it, in velocities, in
 * equilibria, in the mass of a step. */
static void a_clamped_end_holds_position_and_direction(void **state)
{
    (void)state;
    rig r;
    set s;
    haw_inertia *inertia;
    rig_open(&r);
    set_init(&s);
    s.cable[0].element = "ancf";
    s.cable[0].ends[0].kind = HAW_END_CLAMPED;
    assert_int_equal(haw_model_build(r.context, &s.scene, &r.model), HAW_OK);
    const int n = r.model->dofs, last = 6 + 4 * 12, end = n - 2;
    double *u = malloc(3 * (size_t)n * sizeof *u);
    assert_non_null(u);
    double *x = u + n, *y = x + n;
    for (int i = 0; i < n; i++) {
        u[i] = x[i] = y[i] = 9 + i;
    }
    haw_model_prescribe(r.model, 0, u);
    haw_model_hold(r.model, x);
    assert_int_equal(haw_inertia_create(r.context, r.model, &inertia), HAW_OK);
    assert_int_equal(haw_inertia_set(inertia, 1e-3, 0), HAW_OK);
    assert_int_equal(haw_inertia_update(inertia, x), HAW_OK); /* constant masses */
    haw_inertia_solve(inertia, y);
    for (int i = 6; i < n; i++) {
        const bool clamped = i < 9, pinned = i == last || i == last + 1, moved = i >= end;
        const bool held = clamped || pinned || moved;
        assert_int_equal(u[i] == 9 + i, !held);
        assert_int_equal(x[i] == 0, held);
        assert_int_equal(y[i] == 0, held);
    }
    haw_inertia_free(inertia);
    free(u);
    rig_close(&r);
}

static void a_copy_is_independent_of_its_original(void **state)
{
    (void)state;
    rig r;
    set s;
    haw_state *a, *b;
    open_set(&r, &s);
    assert_int_equal(haw_state_create(r.context, r.model, &a), HAW_OK);
    assert_int_equal(haw_state_create(r.context, r.model, &b), HAW_OK);
    for (int i = 0; i < a->dofs; i++) {
        a->q[i] = i;
        a->u[i] = -i;
    }
    for (int i = 0; i < 2 * a->dofs; i++) {
        assert_true(a->a[i] == 0);
        a->a[i] = 3 * i;
    }
    for (int i = 0; i < a->rows; i++) {
        a->impulse[i] = 0.5 * i;
    }
    const int memories = HAW_HISTORY * a->rows / 2;
    for (int i = 0; i < memories; i++) {
        assert_true(a->history[i] == 0);
        a->history[i] = -7 * i;
    }
    a->t = 1.25;
    a->step = 17;
    haw_state_copy(b, a);
    memset(a->q, 0, (size_t)a->dofs * sizeof(double));
    memset(a->a, 0, 2 * (size_t)a->dofs * sizeof(double));
    memset(a->impulse, 0, (size_t)a->rows * sizeof(double));
    memset(a->history, 0, (size_t)memories * sizeof(double));
    assert_true(b->t == 1.25 && b->step == 17 && b->q != a->q);
    for (int i = 0; i < b->dofs; i++) {
        assert_true(b->q[i] == i && b->u[i] == -i);
    }
    for (int i = 0; i < 2 * b->dofs; i++) {
        assert_true(b->a[i] == 3 * i);
    }
    for (int i = 0; i < b->rows; i++) {
        assert_true(b->impulse[i] == 0.5 * i);
    }
    for (int i = 0; i < memories; i++) {
        assert_true(b->history[i] == -7 * i);
    }
    haw_state_free(r.context, a);
    haw_state_free(r.context, b);
    rig_close(&r);
}

/* Driven bodies and ends are where their velocity tables take them (trapezoidal: exact here). */
static void driven_bodies_and_ends_arrive_where_they_are_driven(void **state)
{
    (void)state;
    rig r;
    set s;
    rig_open(&r);
    set_init(&s);
    s.cable[1].ends[1].velocity[1] = (haw_function){.constant = 0.01};
    rig_time(&r, 1e-4, 1, 0);
    rig_build(&r, &s.scene);
    rig_steps(&r, 5000);
    const double *q = r.state->q;
    assert_near(r.state->t, 0.5, 1e-12, 0);
    assert_near(q[3], 6 + 7 * 0.5, 1e-11, 0);
    assert_near(q[4], -1, 0, 0);
    assert_near(q[5], 1.5707963267948966 + 0.5 + 0.25, 1e-11, 0);
    assert_near(q[r.state->dofs - 1], 1 + 0.01 * 0.5, 1e-11, 0);
    assert_near(q[1], 2 * 0.5, 1e-11, 0); /* the free body keeps its velocity */
    rig_close(&r);
}

/* The warm start of the next step belongs to the points that were closed in this one. */
static void impulses_are_kept_for_closed_points_only(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    rig_disk(&r, &c);
    const haw_contacts *contacts = r.simulation->contacts;
    rig_steps(&r, 1600);
    for (int i = 0; i < 14000; i++) {
        double kept = 0, solved = 0;
        rig_step(&r);
        for (int k = 0; k < r.state->rows; k++) {
            kept += fabs(r.state->impulse[k]);
        }
        for (int k = 0; k < contacts->count; k++) {
            const double *impulse = contacts->impulse + 2 * k;
            solved += fabs(impulse[0]) + fabs(impulse[1]);
            assert_memory_equal(r.state->impulse + 2 * contacts->item[k].id, impulse,
                                2 * sizeof *impulse);
        }
        assert_near(kept, solved, 1e-18, 1e-14);
    }
    assert_true(r.simulation->certificate.contacts_max > 0);
    rig_close(&r);
}

TEST_FILE(test_state)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_come_before_cables_in_the_order_of_the_scene),
        cmocka_unit_test(prescribed_velocities_follow_their_tables),
        cmocka_unit_test(a_clamped_end_holds_position_and_direction),
        cmocka_unit_test(a_copy_is_independent_of_its_original),
        cmocka_unit_test(driven_bodies_and_ends_arrive_where_they_are_driven),
        cmocka_unit_test(impulses_are_kept_for_closed_points_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
