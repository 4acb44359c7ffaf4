/* SPDX-License-Identifier: BSD-3-Clause */
/* Cables that springs tie together, against closed forms of strings, and nets of them in both
 * layouts of the matrix. */
#include "stepper/implicit.h"
#include "support/random.h"
#include "support/rig.h"

#include <stdio.h>

static const double PI = 3.14159265358979323846;

enum { CABLES = 12, TIES = 5, SPRINGS = (CABLES - 1) * TIES };

static const double LENGTH = 2, DROP = 0.1;

/* Taut strings one below the other, tied to the next one at points of the same fractions. */
typedef struct net {
    haw_body_spec body;
    haw_cable_spec cable[CABLES];
    haw_spring_spec spring[SPRINGS];
    haw_contact_spec contact;
    char name[CABLES][24];
    haw_scene scene;
} net;

static void net_init(net *n, int cables, int elements, int ties)
{
    n->scene = (haw_scene){.load_steps = 1,
                           .start = HAW_START_GIVEN,
                           .cables = cables,
                           .cable = n->cable,
                           .springs = (cables - 1) * ties,
                           .spring = n->spring};
    for (int i = 0; i < cables; i++) {
        haw_cable_spec *c = &n->cable[i];
        *c = haw_cable_spec_default();
        snprintf(n->name[i], sizeof n->name[i], "string%d", i);
        c->name = n->name[i];
        c->element = "chain";
        c->elements = elements;
        c->from[0] = 0;
        c->to[0] = LENGTH;
        c->from[1] = c->to[1] = -DROP * i;
        c->stiffness = 500;
        c->density = 0.1;
        c->tension = 100;
    }
    for (int k = 0; k < n->scene.springs; k++) {
        haw_spring_spec *s = &n->spring[k];
        const int upper = k / ties;
        const double fraction = (k % ties + 1) / (ties + 1.0);
        *s = haw_spring_spec_default();
        s->between[0] = (haw_spring_end){n->name[upper], {fraction}};
        s->between[1] = (haw_spring_end){n->name[upper + 1], {fraction}};
        s->stiffness = 400;
        s->length = DROP;
    }
}

static void open_with(rig *r, const char *stepper)
{
    rig_open(r);
    assert_int_equal(haw_stepper_settings_init(r->context, stepper, &r->settings.stepper), HAW_OK);
}

/* Vertical position of the middle node. */
static double middle(const rig *r, int cable)
{
    const haw_cable *c = &r->model->cable[cable];
    return r->state->q[c->ops->node_q(c, c->line.elements / 2) + 1];
}

/*
 * Small sags under gravity, the heavier string below: each sags by its weight w L^2 / 8 T and by
 * the force of the spring F L / 4 T, and F = k (difference of the sags).
 */
static void two_strings_share_their_weight_by_a_spring(void **state)
{
    (void)state;
    net n;
    rig r;
    net_init(&n, 2, 16, 1);
    n.scene.gravity[1] = -1;
    n.cable[0].tension = 50;
    n.cable[1].density = 0.4;
    open_with(&r, "static");
    rig_build(&r, &n.scene);
    rig_step(&r);
    double alone[2], compliance[2], given = 1;
    for (int i = 0; i < 2; i++) {
        const haw_cable_spec *c = &n.cable[i];
        const double weight = c->density / (1 + c->tension / c->stiffness);
        alone[i] = weight * LENGTH * LENGTH / (8 * c->tension);
        compliance[i] = LENGTH / (4 * c->tension);
        given += n.spring[0].stiffness * compliance[i];
    }
    const double force = n.spring[0].stiffness * (alone[1] - alone[0]) / given;
    assert_true(force > 0.01);
    assert_near(-middle(&r, 0), alone[0] + force * compliance[0], 0, 2e-5);
    assert_near(-DROP - middle(&r, 1), alone[1] - force * compliance[1], 0, 2e-5);
    rig_close(&r);
}

/* Wave number of the lowest mode in which two equal strings move against each other: each has a
 * spring of 2 k in the middle, 2 T w' + 2 k w = 0 there, with w = sin(wave number x). */
static double wave_number(double tension, double stiffness)
{
    double low = PI / LENGTH, high = 2 * PI / LENGTH;
    for (int i = 0; i < 100; i++) {
        const double wave = 0.5 * (low + high), x = wave * LENGTH / 2;
        const bool is_below = tension * wave * cos(x) + stiffness * sin(x) > 0;
        low = is_below ? wave : low;
        high = is_below ? high : wave;
    }
    return low;
}

/* Half a period after the start from rest in that mode the strings have changed places. */
static void check_opposed_strings(const char *stepper, int steps)
{
    enum { ELEMENTS = 80 };

    const double amplitude = 1e-4;
    net n;
    rig r;
    net_init(&n, 2, ELEMENTS, 1);
    const haw_cable_spec *c = &n.cable[0];
    const double density = c->density / (1 + c->tension / c->stiffness);
    const double wave = wave_number(c->tension, n.spring[0].stiffness);
    const double half_period = PI / (wave * sqrt(c->tension / density));
    open_with(&r, stepper);
    rig_set(&r, "step", half_period / steps);
    rig_set(&r, "end", 1e3);
    rig_build(&r, &n.scene);
    for (int i = 0; i < 2 * ELEMENTS; i++) {
        const haw_cable *cable = &r.model->cable[i % 2];
        const int node = i / 2;
        const double x = LENGTH * node / ELEMENTS, from = fmin(x, LENGTH - x);
        const double up = amplitude * sin(wave * from) / sin(wave * LENGTH / 2);
        r.simulation->state->q[cable->ops->node_q(cable, node) + 1] += i % 2 == 0 ? up : -up;
    }
    rig_restart(&r);
    rig_steps(&r, steps);
    assert_near(middle(&r, 0), -amplitude, 2e-3 * amplitude, 0);
    assert_near(middle(&r, 1) + DROP, amplitude, 2e-3 * amplitude, 0);
    rig_close(&r);
}

static void opposed_strings_swing_at_the_frequency_of_the_spring(void **state)
{
    (void)state;
    check_opposed_strings("generalized-alpha", 400);
    check_opposed_strings("moreau-jean", 400);
    check_opposed_strings("moreau", 1000);
}

/* Nothing outside acts: what one end of a spring gains the other one loses. */
static void check_free_cables(const char *stepper, double step, int steps)
{
    net n;
    rig r;
    uint64_t seed = 5;
    net_init(&n, 2, 8, 2);
    for (int i = 0; i < 2; i++) {
        n.cable[i].ends[0].kind = n.cable[i].ends[1].kind = HAW_END_FREE;
        n.cable[i].tension = 0;
        n.spring[i].length = 0.5 * DROP;
        n.spring[i].damping = 0.2 * i;
    }
    open_with(&r, stepper);
    rig_set(&r, "step", step);
    rig_set(&r, "end", 1e3);
    rig_build(&r, &n.scene);
    for (int i = 0; i < r.model->dofs; i++) {
        r.simulation->state->u[i] = 0.3 * random_signed(&seed);
    }
    rig_restart(&r);
    double before[3], after[3];
    rig_momentum(&r, before);
    rig_steps(&r, steps);
    rig_momentum(&r, after);
    const haw_ledger *l = &r.simulation->ledger;
    const double balance = l->kinetic + l->elastic + l->gravity - l->initial - l->external_work +
                           l->friction_loss + l->impact_loss + l->damping_loss + l->numerical_loss;
    assert_near(after[0], before[0], 1e-10, 0);
    assert_near(after[1], before[1], 1e-10, 0);
    assert_near(after[2], before[2], 1e-4, 0); /* to the order of the step */
    assert_near(balance, 0, 1e-9 * l->initial, 0);
    assert_true(l->damping_loss > 0);
    rig_close(&r);
}

static void free_cables_keep_their_momentum(void **state)
{
    (void)state;
    check_free_cables("generalized-alpha", 1e-4, 400);
    check_free_cables("moreau-jean", 1e-4, 400);
    check_free_cables("moreau", 2e-5, 2000);
}

/* Another layout of the matrix than the one that was chosen. */
static void force_kind(rig *r, haw_matrix_kind kind)
{
    haw_implicit *implicit = r->simulation->implicit;
    haw_system_free(implicit->system);
    assert_int_equal(haw_system_create(r->context, r->model, NULL, &kind, &implicit->system),
                     HAW_OK);
    assert_int_equal(haw_matrix_kind_of(implicit->system->matrix), kind);
}

/* A net under gravity, and a disk that falls on its uppermost string. */
static void open_net(rig *r, net *n, const char *stepper, bool with_disk)
{
    net_init(n, CABLES, 24, TIES);
    n->scene.gravity[1] = -9.81;
    n->body = haw_body_spec_default();
    n->body.name = "disk";
    n->body.shape = "circle";
    n->body.shape_options[0] = 0.2;
    n->body.mass = 1;
    n->body.inertia = 0.02;
    n->body.position[0] = 0.9;
    n->body.position[1] = 0.2005;
    n->body.velocity[0] = 0.5;
    n->body.velocity[1] = -1;
    n->contact = haw_contact_spec_default();
    n->contact.between[0] = n->name[0];
    n->contact.between[1] = "disk";
    n->contact.points_per_element = 2;
    n->contact.friction = 0.3;
    if (with_disk) {
        n->scene.bodies = n->scene.contacts = 1;
        n->scene.body = &n->body;
        n->scene.contact = &n->contact;
    }
    open_with(r, stepper);
    rig_set(r, "step", 1e-3);
    rig_set(r, "end", 1e3);
    rig_set(r, "newton_tolerance", 1e-13);
    rig_build(r, &n->scene);
}

static void check_net(const char *stepper, bool with_disk)
{
    static net n[2]; /* models refer to the names in them */
    rig r[2];
    for (int k = 0; k < 2; k++) {
        open_net(&r[k], &n[k], stepper, with_disk);
        assert_int_equal(haw_matrix_kind_of(r[k].simulation->implicit->system->matrix),
                         HAW_MATRIX_SPARSE);
    }
    force_kind(&r[1], HAW_MATRIX_BORDERED);
    int contacts = 0;
    for (int step = 0; step < 20; step++) {
        rig_step(&r[0]);
        rig_step(&r[1]);
        contacts += r[0].simulation->contacts != NULL ? r[0].simulation->contacts->count : 0;
        for (int i = 0; i < r[0].model->dofs; i++) {
            assert_near(r[1].state->q[i], r[0].state->q[i], 1e-10, 0);
            assert_near(r[1].state->u[i], r[0].state->u[i], 1e-8, 0);
        }
    }
    assert_true(with_disk == (contacts > 0));
    rig_close(&r[0]);
    rig_close(&r[1]);
}

static void a_net_takes_the_same_steps_in_both_layouts(void **state)
{
    (void)state;
    check_net("generalized-alpha", false);
    check_net("moreau-jean", false);
    check_net("moreau-jean", true);
}

TEST_FILE(test_coupled_cables)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_strings_share_their_weight_by_a_spring),
        cmocka_unit_test(opposed_strings_swing_at_the_frequency_of_the_spring),
        cmocka_unit_test(free_cables_keep_their_momentum),
        cmocka_unit_test(a_net_takes_the_same_steps_in_both_layouts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
