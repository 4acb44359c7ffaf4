/* SPDX-License-Identifier: BSD-3-Clause */
/* Contact points beside the centreline, and those of closed cables. */
#include "contact/contact.h"
#include "support/near.h"
#include "support/random.h"
#include "support/ties.h"

#include <hawser/hawser.h>

#include <string.h>

enum { ELEMENTS = 12, POINTS = 3, DOFS_MAX = 64 };

static const double OFFSET = -0.02;

static haw_context *context;
static haw_model *model;
static haw_contacts *contacts;

/* A closed cable drawn on a circle of 0.5 m; its contact line, 0.02 m inside, on a disk. */
static int open_ring(void **state)
{
    haw_body_spec body = haw_body_spec_default();
    haw_cable_spec cable = haw_cable_spec_default();
    haw_contact_spec contact = haw_contact_spec_default();
    haw_path_segment path[2] = {{.kind = HAW_PIECE_ARC, .radius = 0.5, .angle_deg = -180},
                                {.kind = HAW_PIECE_ARC, .radius = 0.5, .angle_deg = -180}};
    (void)state;
    body.name = "disk";
    body.shape = "circle";
    body.shape_options[0] = 0.48;
    body.mass = 1;
    cable.name = "ring";
    cable.element = "ancf";
    cable.elements = ELEMENTS;
    cable.closed = true;
    cable.from[0] = 0.5;
    cable.from[1] = 0;
    cable.segments = 2;
    cable.path = path;
    cable.stiffness = 100;
    cable.density = 1;
    contact.between[0] = "ring";
    contact.between[1] = "disk";
    contact.points_per_element = POINTS;
    contact.offset = OFFSET;
    contact.arm = HAW_ARM_DISTANCE;
    const haw_scene scene = {.load_steps = 1,
                             .bodies = 1,
                             .body = &body,
                             .cables = 1,
                             .cable = &cable,
                             .contacts = 1,
                             .contact = &contact};
    if (haw_context_create(NULL, &context) != HAW_OK ||
        haw_model_build(context, &scene, &model) != HAW_OK ||
        haw_contacts_create(context, model, &contacts) != HAW_OK) {
        print_message("%s\n", haw_context_message(context));
        return -1;
    }
    contacts->margin = 1;
    return model->dofs <= DOFS_MAX ? 0 : -1;
}

static int close_ring(void **state)
{
    (void)state;
    haw_contacts_free(contacts);
    haw_model_free(model);
    haw_context_free(context);
    return 0;
}

static void drawn(double disturbance, double *q)
{
    haw_state *start = NULL;
    uint64_t seed = 77;
    assert_int_equal(haw_state_create(context, model, &start), HAW_OK);
    for (int i = 0; i < model->dofs; i++) {
        q[i] = start->q[i] + disturbance * random_signed(&seed);
    }
    copy_ties(model, q);
    haw_state_free(context, start);
}

static void every_point_of_a_ring_is_listed_once(void **state)
{
    (void)state;
    double q[DOFS_MAX], u[DOFS_MAX] = {0};
    drawn(0, q);
    assert_int_equal(haw_contacts_detect(contacts, q, u, 0), HAW_OK);
    assert_int_equal(contacts->count, ELEMENTS * POINTS);
    for (int i = 0; i < contacts->count; i++) {
        assert_int_equal(contacts->item[i].id, i);
        assert_near(contacts->item[i].gap, 0, 2e-4, 0); /* a cubic beside the circle */
        assert_near(haw_contacts_gap(contacts, &contacts->item[i], q), contacts->item[i].gap, 0, 0);
    }
}

static void the_normal_row_is_the_gradient_of_the_gap(void **state)
{
    (void)state;
    const double e = 1e-6;
    double q[DOFS_MAX], u[DOFS_MAX] = {0};
    drawn(0.02, q);
    assert_int_equal(haw_contacts_detect(contacts, q, u, 0), HAW_OK);
    for (int i = 0; i < contacts->count; i++) {
        const haw_touch *c = &contacts->item[i];
        for (int a = 0; a < c->side[0].count + 3; a++) {
            const int dof = a < c->side[0].count ? c->side[0].first + a
                                                 : c->side[1].first + a - c->side[0].count;
            const double row = a < c->side[0].count ? c->side[0].row[0][a]
                                                    : c->side[1].row[0][a - c->side[0].count];
            const double kept = q[dof];
            q[dof] = kept + e;
            const double above = haw_contacts_gap(contacts, c, q);
            q[dof] = kept - e;
            const double below = haw_contacts_gap(contacts, c, q);
            q[dof] = kept;
            assert_near((above - below) / (2 * e), row, 1e-8, 1e-7);
        }
    }
}

static void turning_together_makes_no_contact_velocity(void **state)
{
    (void)state;
    double q[DOFS_MAX], u[DOFS_MAX], gamma[2 * ELEMENTS * POINTS];
    drawn(0.02, q);
    memset(u, 0, sizeof u);
    for (int a = 3; a < model->dofs; a += 2) {
        const bool is_position = (a - 3) % 4 == 0;
        u[a] = -(q[a + 1] - (is_position ? q[1] : 0));
        u[a + 1] = q[a] - (is_position ? q[0] : 0);
    }
    u[2] = 1;
    assert_int_equal(haw_contacts_detect(contacts, q, u, 0), HAW_OK);
    assert_int_equal(contacts->count, ELEMENTS * POINTS);
    haw_contacts_velocity(contacts, u, gamma);
    for (int i = 0; i < 2 * contacts->count; i++) {
        assert_near(gamma[i], 0, 1e-13, 0);
    }
}

/* The curve is 0.02 m away from the surface: only the padded search finds its points. */
static void the_broad_phase_knows_the_offset(void **state)
{
    (void)state;
    double q[DOFS_MAX], u[DOFS_MAX] = {0};
    drawn(0, q);
    contacts->margin = 3e-4;
    assert_int_equal(haw_contacts_detect(contacts, q, u, 0), HAW_OK);
    contacts->margin = 1;
    assert_int_equal(contacts->count, ELEMENTS * POINTS);
}

TEST_FILE(test_contact_offset)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_point_of_a_ring_is_listed_once),
        cmocka_unit_test(the_normal_row_is_the_gradient_of_the_gap),
        cmocka_unit_test(turning_together_makes_no_contact_velocity),
        cmocka_unit_test(the_broad_phase_knows_the_offset),
    };
    return cmocka_run_group_tests(tests, open_ring, close_ring);
}
