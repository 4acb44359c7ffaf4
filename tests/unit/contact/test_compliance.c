/* SPDX-License-Identifier: BSD-3-Clause */
/* Compliant laws of a pair: parameters of a point, defaults, refusals. */
#include "model/model.h"
#include "support/rig.h"

static const double pi = 3.14159265358979323846;

/* A weightless cable of the published belt's material along y, and a disk. */
typedef struct pressed {
    haw_body_spec body[2];
    haw_cable_spec cable;
    haw_contact_spec contact;
    haw_scene scene;
} pressed;

static void pressed_init(pressed *p)
{
    *p = (pressed){.cable = haw_cable_spec_default(), .contact = haw_contact_spec_default()};
    for (int i = 0; i < 2; i++) {
        p->body[i] = haw_body_spec_default();
        p->body[i].name = i == 0 ? "disk" : "floor";
        p->body[i].shape = i == 0 ? "circle" : "plane";
        p->body[i].shape_options[0] = 0.1;
        p->body[i].mass = i == 0 ? 2 : 0.5;
        p->body[i].inertia = 1;
        p->body[i].position[0] = -0.2;
    }
    p->body[1].motion = HAW_MOTION_FIXED;
    p->cable.name = "belt";
    p->cable.element = "ancf";
    p->cable.elements = 240;
    p->cable.from[0] = p->cable.from[1] = p->cable.to[0] = 0;
    p->cable.to[1] = 0.4 * pi;
    p->cable.stiffness = 8000;
    p->cable.density = 0.8288;
    p->cable.width = 0.08;
    p->contact.between[0] = "belt";
    p->contact.between[1] = "disk";
    p->contact.law = "penalty";
    p->contact.points_per_element = 4;
    p->contact.friction = 0.5;
    p->contact.normal_stiffness = 4e9;
    p->contact.normal_damping = 8e4;
    p->contact.tangential_stiffness = 5e9;
    p->contact.per = HAW_PER_AREA;
    p->contact.kinematics = HAW_KINEMATICS_CHORD;
    p->contact.offset = -5e-5;
    p->scene = (haw_scene){.bodies = 2,
                           .body = p->body,
                           .cables = 1,
                           .cable = &p->cable,
                           .contacts = 1,
                           .contact = &p->contact};
}

static const haw_pair *build(rig *r, const pressed *p)
{
    rig_open(r);
    if (haw_model_build(r->context, &p->scene, &r->model) != HAW_OK) {
        fail_msg("%s", haw_context_message(r->context));
    }
    return &r->model->pair[0];
}

static void refuses(const pressed *p, const char *word, const char *where)
{
    rig r;
    rig_open(&r);
    RIG_REFUSES(&r, &p->scene, word);
    assert_string_equal(haw_context_place(r.context), where);
    rig_close(&r);
}

/* The published belt, N/m3 over the area 0.08 m x 0.4 pi / 960: belt-wide parameters of a chord. */
static void parameters_per_area_are_those_of_the_published_belt(void **state)
{
    (void)state;
    rig r;
    pressed p;
    pressed_init(&p);
    const haw_pair *pair = build(&r, &p);
    const haw_compliance *law = &pair->compliance;
    assert_near(law->n.stiffness, 418879.02, 0, 1e-8);
    assert_near(law->n.damping, 8.37758, 0, 1e-6);
    assert_near(law->n.exponent, 1, 0, 0);
    assert_near(law->t.stiffness, 523598.78, 0, 1e-8);
    assert_near(law->t.damping, 33.70609928, 0, 3e-10); /* sqrt(2 k_t m), to the digits given */
    assert_near(law->t.mu_static, 0.5, 0, 0);
    assert_near(law->t.mu_kinetic, 0.5, 0, 0);
    assert_true(law->t.stribeck_velocity > 0 && law->t.viscous == 0);
    assert_true(law->normal == &haw_normal_linear && law->tangential == &haw_friction_bristle);
    assert_true(!law->post_newton && law->per == HAW_PER_AREA);
    assert_near(pair->offset, -5e-5, 0, 0);
    assert_int_equal(pair->kinematics, HAW_KINEMATICS_CHORD);
    rig_close(&r);
}

/* Damping of the other published grids: 60, 120, 480 elements, 8 chords, softer bristles. */
static void automatic_damping_follows_the_grid(void **state)
{
    (void)state;

    const struct {
        int elements, chords;
        double stiffness, want;
    } rows[] = {
        {60, 4, 5e9, 134.82},  {120, 4, 5e9, 67.41},  {480, 4, 5e9, 16.853},
        {240, 8, 5e9, 16.853}, {240, 4, 5e8, 10.659},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rig r;
        pressed p;
        pressed_init(&p);
        p.cable.elements = rows[i].elements;
        p.contact.points_per_element = rows[i].chords;
        p.contact.tangential_stiffness = rows[i].stiffness;
        assert_near(build(&r, &p)->compliance.t.damping, rows[i].want, 0, 5e-5);
        rig_close(&r);
    }
}

static void parameters_scale_with_the_length_or_not_at_all(void **state)
{
    (void)state;
    const double share[2] = {1, 0.4 * pi / 960};
    for (int per = HAW_PER_POINT; per <= HAW_PER_LENGTH; per++) {
        rig r;
        pressed p;
        pressed_init(&p);
        p.cable.width = (double)NAN;
        p.contact.per = per;
        p.contact.tangential_damping = 3;
        p.contact.viscous_friction = 7;
        const haw_compliance *law = &build(&r, &p)->compliance;
        assert_near(law->n.stiffness, 4e9 * share[per], 0, 1e-15);
        assert_near(law->n.damping, 8e4 * share[per], 0, 1e-15);
        assert_near(law->t.stiffness, 5e9 * share[per], 0, 1e-15);
        assert_near(law->t.damping, 3 * share[per], 0, 1e-15);
        assert_near(law->t.viscous, 7 * share[per], 0, 1e-15);
        rig_close(&r);
    }
}

/* The ends of a grid of points on the curve stand for half a spacing; the shares add up to 1. */
static void shares_of_the_points_add_up_to_the_length(void **state)
{
    (void)state;
    for (int kinematics = HAW_KINEMATICS_CURVE; kinematics <= HAW_KINEMATICS_CHORD; kinematics++) {
        for (int per = HAW_PER_POINT; per <= HAW_PER_AREA; per++) {
            rig r;
            pressed p;
            pressed_init(&p);
            p.contact.per = per;
            p.contact.kinematics = kinematics;
            p.cable.ends[0].kind = p.cable.ends[1].kind = HAW_END_FREE;
            const haw_pair *pair = build(&r, &p);
            double sum = 0;
            for (int i = 0; i < pair->points; i++) {
                sum += haw_pair_weight(r.model, pair, i);
            }
            const bool is_curve = kinematics == HAW_KINEMATICS_CURVE;
            assert_int_equal(pair->points, is_curve ? 961 : 960);
            assert_near(sum, is_curve && per == HAW_PER_POINT ? 961 : 960, 1e-12, 0);
            rig_close(&r);
        }
    }
}

/* Chords beside pinned nodes exist; a pinned end has no contact point on the curve. */
static void prescribed_nodes_keep_their_chords(void **state)
{
    (void)state;
    rig r;
    pressed p;
    pressed_init(&p);
    assert_int_equal(build(&r, &p)->points, 960);
    rig_close(&r);
    p.contact.kinematics = HAW_KINEMATICS_CURVE;
    assert_int_equal(build(&r, &p)->points, 960);
    int element;
    double s;
    haw_pair_point(r.model, &r.model->pair[0], 7, &element, &s);
    assert_true(element == 1 && s == 0.75);
    rig_close(&r);
}

static void the_friction_law_follows_from_what_is_given(void **state)
{
    (void)state;
    rig r;
    pressed p;
    pressed_init(&p);
    p.contact.tangential_stiffness = (double)NAN;
    refuses(&p, "needs a tangential_stiffness", "contact.belt-disk.tangential");
    p.contact.regularization = 1e-3;
    const haw_compliance *law = &build(&r, &p)->compliance;
    assert_true(law->tangential == &haw_friction_regularized && law->t.damping == 0);
    assert_near(law->t.regularization, 1e-3, 0, 0);
    rig_close(&r);
    p.contact.regularization = (double)NAN;
    p.contact.friction = 0;
    assert_null(build(&r, &p)->compliance.tangential);
    rig_close(&r);
    p.contact.tangential = "lugre";
    refuses(&p, "needs a tangential_stiffness", "contact.belt-disk.tangential_stiffness");
    p.contact.tangential = "regularized";
    refuses(&p, "needs a regularization_velocity", "contact.belt-disk.regularization_velocity");
    p.contact.tangential = "coulomb";
    refuses(&p, "no friction law 'coulomb'", "contact.belt-disk.tangential");
}

static void friction_that_falls_with_the_speed_needs_a_speed(void **state)
{
    (void)state;
    rig r;
    pressed p;
    pressed_init(&p);
    p.contact.friction_kinetic = 0.4;
    refuses(&p, "needs a stribeck_velocity", "contact.belt-disk.stribeck_velocity");
    p.contact.stribeck_velocity = 1e-3;
    const haw_compliance *law = &build(&r, &p)->compliance;
    assert_true(law->t.mu_static == 0.5 && law->t.mu_kinetic == 0.4);
    assert_true(law->t.stribeck_velocity == 1e-3);
    rig_close(&r);
}

static void other_normal_laws_take_their_exponent_and_restitution(void **state)
{
    (void)state;
    static const char *const name[2] = {"hunt-crossley", "lankarani-nikravesh"};
    for (int i = 0; i < 2; i++) {
        rig r;
        pressed p;
        pressed_init(&p);
        p.contact.normal = name[i];
        p.contact.restitution = 0.7;
        const haw_compliance *law = &build(&r, &p)->compliance;
        assert_string_equal(law->normal->row.name, name[i]);
        assert_true(law->n.exponent == 1.5 && law->n.restitution == 0.7);
        rig_close(&r);
        p.contact.normal_exponent = 0.5;
        refuses(&p, "normal_exponent", "contact.belt-disk.normal_exponent");
    }
}

static void combinations_without_a_meaning_are_refused(void **state)
{
    (void)state;
    pressed p;
    pressed_init(&p);
    p.contact.normal_stiffness = (double)NAN;
    refuses(&p, "needs a normal_stiffness", "contact.belt-disk.normal_stiffness");
    pressed_init(&p);
    p.cable.width = (double)NAN;
    refuses(&p, "needs a width", "cables.belt.width");
    pressed_init(&p);
    p.contact.normal = "cushion";
    refuses(&p, "unknown normal law 'cushion'", "contact.belt-disk.normal");
    pressed_init(&p);
    p.contact.between[1] = "floor";
    refuses(&p, "circles only", "contact.belt-floor.kinematics");
    pressed_init(&p);
    p.contact.switching = HAW_SWITCHING_POST_NEWTON;
    p.contact.normal = "hunt-crossley";
    refuses(&p, "post-newton", "contact.belt-disk.switching");
    p.contact.normal = "linear";
    p.contact.tangential = "lugre";
    refuses(&p, "post-newton", "contact.belt-disk.switching");
    p.contact.tangential = "bristle";
    rig r;
    assert_true(build(&r, &p)->compliance.post_newton);
    rig_close(&r);
}

/* Presses of the plane have no couples. */
static void sections_that_tilt_are_refused_in_the_plane(void **state)
{
    (void)state;
    rig r;
    pressed p;
    pressed_init(&p);
    p.contact.arm = HAW_ARM_TILT;
    refuses(&p, "use radius or distance", "contact.belt-disk.arm");
    p.contact.law = "hard";
    assert_int_equal(build(&r, &p)->arm, HAW_ARM_TILT);
    rig_close(&r);
}

static void numbers_outside_their_range_are_refused(void **state)
{
    (void)state;
    pressed p;
    const double nan = (double)NAN, inf = (double)INFINITY;

    const struct {
        double *field, value;
        const char *place;
    } rows[] = {
        {&p.contact.normal_stiffness, -1, "contact.belt-disk.normal_stiffness"},
        {&p.contact.normal_stiffness, inf, "contact.belt-disk.normal_stiffness"},
        {&p.contact.normal_damping, nan, "contact.belt-disk.normal_damping"},
        {&p.contact.tangential_stiffness, -1, "contact.belt-disk.tangential_stiffness"},
        {&p.contact.tangential_damping, -1, "contact.belt-disk.tangential_damping"},
        {&p.contact.viscous_friction, -1, "contact.belt-disk.viscous_friction"},
        {&p.contact.friction_kinetic, -1, "contact.belt-disk.friction_kinetic"},
        {&p.contact.stribeck_velocity, -1, "contact.belt-disk.stribeck_velocity"},
        {&p.contact.regularization, inf, "contact.belt-disk.regularization_velocity"},
        {&p.contact.offset, nan, "contact.belt-disk.offset"},
        {&p.contact.restitution, 2, "contact.belt-disk.restitution"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pressed_init(&p);
        *rows[i].field = rows[i].value;
        refuses(&p, strrchr(rows[i].place, '.') + 1, rows[i].place);
    }
}

/* A scenario of a compliant law runs as a hard one when its law is changed and nothing else. */
static void a_hard_law_leaves_compliant_parameters_alone(void **state)
{
    (void)state;
    rig r;
    pressed p;
    pressed_init(&p);
    p.contact.law = "hard";
    const haw_pair *pair = build(&r, &p);
    assert_null(pair->compliance.normal);
    assert_int_equal(pair->kinematics, HAW_KINEMATICS_CURVE);
    assert_near(pair->options.friction, 0.5, 0, 0);
    assert_near(pair->offset, -5e-5, 0, 0);
    rig_close(&r);
    p.contact.tangential = "bristle"; /* of the compliant law: left alone */
    (void)build(&r, &p);
    rig_close(&r);
    p.contact.friction_kinetic = 0.4;
    refuses(&p, "one coefficient", "contact.belt-disk.friction_kinetic");
    p.contact.friction_kinetic = 0.5;
    (void)build(&r, &p);
    rig_close(&r);
}

/* The mass of a point is that of the lighter body that can move. */
static void two_bodies_touch_in_one_compliant_point(void **state)
{
    (void)state;
    rig r;
    pressed p;
    pressed_init(&p);
    p.contact.between[0] = "disk";
    p.contact.between[1] = "floor";
    refuses(&p, "use per: point", "contact.disk-floor.per");
    p.contact.per = HAW_PER_POINT;
    refuses(&p, "only a cable has an offset", "contact.disk-floor.offset");
    p.contact.offset = 0;
    const haw_pair *pair = build(&r, &p);
    assert_true(pair->cable == -1 && pair->points == 1);
    assert_near(pair->compliance.n.stiffness, 4e9, 0, 0);
    assert_near(pair->compliance.t.damping, sqrt(2 * 5e9 * 2), 0, 1e-15);
    assert_near(haw_pair_weight(r.model, pair, 0), 1, 0, 0);
    rig_close(&r);
}

TEST_FILE(test_compliance)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_per_area_are_those_of_the_published_belt),
        cmocka_unit_test(automatic_damping_follows_the_grid),
        cmocka_unit_test(parameters_scale_with_the_length_or_not_at_all),
        cmocka_unit_test(shares_of_the_points_add_up_to_the_length),
        cmocka_unit_test(prescribed_nodes_keep_their_chords),
        cmocka_unit_test(the_friction_law_follows_from_what_is_given),
        cmocka_unit_test(friction_that_falls_with_the_speed_needs_a_speed),
        cmocka_unit_test(other_normal_laws_take_their_exponent_and_restitution),
        cmocka_unit_test(combinations_without_a_meaning_are_refused),
        cmocka_unit_test(sections_that_tilt_are_refused_in_the_plane),
        cmocka_unit_test(numbers_outside_their_range_are_refused),
        cmocka_unit_test(a_hard_law_leaves_compliant_parameters_alone),
        cmocka_unit_test(two_bodies_touch_in_one_compliant_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
