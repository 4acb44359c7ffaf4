/* SPDX-License-Identifier: BSD-3-Clause */
/* States and histories of compliant points over steps: a small disk on a half plane. */
#include "support/compliant_stage.h"

static const double h = 1e-3;
static const double k = 1000, d = 5, k_t = 800, d_t = 2, mu = 0.4, radius = 0.05;

/* The disk "other" on the plane y = 0 of the body "disk". */
static void open_stage(compliant_stage *s, const char *normal, const char *tangential)
{
    stage_init(s);
    s->body[STAGE_DISK].shape = "plane";
    s->body[STAGE_DISK].shape_options[0] = 0;
    s->body[STAGE_DISK].shape_options[1] = 1;
    s->body[STAGE_DISK].inertia = 1;
    s->contact.between[0] = "other";
    s->contact.kinematics = HAW_KINEMATICS_CURVE;
    s->contact.normal = normal;
    s->contact.tangential = tangential;
    s->contact.normal_stiffness = k;
    s->contact.normal_damping = d;
    s->contact.tangential_stiffness = k_t;
    s->contact.tangential_damping = d_t;
    s->contact.friction = mu;
    s->contact.restitution = 0.5;
    s->contact.regularization = 0.1;
    stage_build(s);
}

/* Place the disk at a gap, moved by x and turned by an angle. */
static void put(compliant_stage *s, double x, double gap, double angle)
{
    double *q = stage_body(s, s->q, STAGE_OTHER);
    q[0] = x;
    q[1] = radius + gap;
    q[2] = angle;
}

static double *velocity(compliant_stage *s)
{
    return stage_body(s, s->u, STAGE_OTHER);
}

static double *force(compliant_stage *s)
{
    return stage_body(s, s->total, STAGE_OTHER);
}

static void begin(compliant_stage *s, double step)
{
    haw_compliant_begin(s->compliant, s->state, HAW_DYNAMICS, step);
}

static void test_a_new_contact_sticks_with_a_relaxed_bristle(void **unused)
{
    (void)unused;
    compliant_stage s;
    open_stage(&s, "linear", "bristle");
    velocity(&s)[0] = 0.3;
    velocity(&s)[1] = -0.2;
    begin(&s, h);
    put(&s, 5, 1e-3, 0);
    stage_evaluate(&s);
    assert_int_equal(haw_compliant_closed(s.compliant), 0);
    assert_near(force(&s)[1], 0, 0, 0);
    put(&s, 5, -0.01, 0);
    stage_evaluate(&s);
    assert_near(force(&s)[1], k * 0.01 + d * 0.2, 0, 1e-12);
    assert_near(force(&s)[0], -d_t * 0.3, 0, 1e-12); /* damping only, below the limit */
    assert_near(haw_compliant_energy(s.compliant), 0.5 * k * 1e-4, 0, 1e-12);
    stage_commit(&s);
    assert_near(stage_history(&s, 0)[1], HAW_REGIME_STICK, 0, 0);
    begin(&s, h);
    put(&s, 5.002, -0.01, 0);
    stage_evaluate(&s);
    assert_near(force(&s)[0], -d_t * 0.3 - k_t * 0.002, 0, 1e-10);
    put(&s, 5.002, 1e-9, 0);
    stage_evaluate(&s);
    stage_commit(&s);
    assert_near(stage_history(&s, 0)[1], HAW_REGIME_NONE, 0, 0);
    stage_close(&s);
}

static void test_a_disk_that_rolls_does_not_stretch_the_bristle(void **unused)
{
    (void)unused;
    compliant_stage s;
    open_stage(&s, "linear", "bristle");
    begin(&s, h);
    put(&s, 0, -0.01, 0);
    stage_evaluate(&s);
    stage_commit(&s);
    begin(&s, h);
    put(&s, 0.3, -0.01, -0.3 / radius); /* to the right: clockwise */
    stage_evaluate(&s);
    assert_near(force(&s)[0], 0, 1e-10, 0);
    put(&s, 0.3, -0.01, -0.31 / radius);
    stage_evaluate(&s);
    assert_true(force(&s)[0] > 1);                              /* spins too fast: pushed on */
    assert_near(force(&s)[2], radius * force(&s)[0], 1e-12, 0); /* and braked in its turning */
    stage_close(&s);
}

static void test_slip_drags_the_bristle_along(void **unused)
{
    (void)unused;
    compliant_stage s;
    open_stage(&s, "linear", "bristle");
    const double limit = mu * k * 0.01;
    begin(&s, h);
    put(&s, 0, -0.01, 0);
    stage_evaluate(&s);
    stage_commit(&s);
    begin(&s, h);
    put(&s, 0.1, -0.01, 0);
    stage_evaluate(&s);
    assert_near(force(&s)[0], -limit, 0, 1e-12);
    stage_commit(&s);
    assert_near(stage_history(&s, 0)[1], HAW_REGIME_FORWARD, 0, 0);
    assert_near(s.contacts->problem.mu[0], mu, 0, 1e-15);
    assert_near(s.contacts->impulse[0], h * k * 0.01, 0, 1e-12);
    assert_near(s.contacts->impulse[1], -h * limit, 0, 1e-12);
    begin(&s, h);
    put(&s, 0.1 - limit / k_t, -0.01, 0); /* back to where the dragged bristle is relaxed */
    stage_evaluate(&s);
    assert_near(force(&s)[0], 0, 1e-9, 0);
    stage_close(&s);
}

/* A gap that alternates around 0 with the damper's force: the fourth change is refused. */
static void test_a_point_that_alternates_is_held_for_the_rest_of_the_step(void **unused)
{
    (void)unused;
    compliant_stage s;
    open_stage(&s, "linear", "bristle");
    velocity(&s)[1] = -0.2;
    begin(&s, h);
    for (int i = 0; i < 4; i++) {
        put(&s, 0, i % 2 == 0 ? 1e-7 : -1e-7, 0);
        stage_evaluate(&s);
        assert_int_equal(haw_compliant_closed(s.compliant), i % 2);
        assert_int_equal(haw_compliant_held(s.compliant), 0);
    }
    put(&s, 0, 1e-7, 0);
    stage_evaluate(&s);
    assert_int_equal(haw_compliant_closed(s.compliant), 1);
    assert_int_equal(haw_compliant_held(s.compliant), 1);
    assert_near(force(&s)[1], d * 0.2 - k * 1e-7, 0, 1e-12);
    velocity(&s)[1] = 0.2; /* it may not pull */
    stage_evaluate(&s);
    assert_near(force(&s)[1], 0, 0, 0);
    begin(&s, h);
    stage_evaluate(&s);
    assert_int_equal(haw_compliant_closed(s.compliant), 0);
    assert_int_equal(haw_compliant_held(s.compliant), 0);
    stage_close(&s);
}

static void test_statics_never_hold_and_end_with_relaxed_bristles(void **unused)
{
    (void)unused;
    compliant_stage s;
    open_stage(&s, "linear", "bristle");
    haw_compliant_friction(s.compliant, 0);
    haw_compliant_begin(s.compliant, s.state, HAW_STATICS, 0);
    for (int i = 0; i < 20; i++) {
        put(&s, 0.01 * i, i % 2 == 0 ? 0.01 : -0.01, 0);
        stage_evaluate(&s);
        assert_int_equal(haw_compliant_closed(s.compliant), i % 2);
    }
    assert_near(force(&s)[1], k * 0.01, 0, 1e-12);
    assert_near(force(&s)[0], 0, 0, 0);
    stage_commit(&s);
    assert_near(s.contacts->force[0], k * 0.01, 0, 1e-12);
    assert_near(stage_history(&s, 0)[1], HAW_REGIME_STICK, 0, 0);
    haw_compliant_friction(s.compliant, (double)NAN);
    begin(&s, h);
    stage_evaluate(&s);
    assert_near(force(&s)[0], 0, 0, 0);
    put(&s, 0.19 + 0.001, -0.01, 0);
    stage_evaluate(&s);
    assert_near(force(&s)[0], -k_t * 0.001, 0, 1e-10);
    stage_close(&s);
}

static void test_the_speed_at_first_touch_is_kept_until_the_contact_opens(void **unused)
{
    (void)unused;
    compliant_stage s;
    open_stage(&s, "lankarani-nikravesh", "regularized");
    stage_body(&s, s.state->u, STAGE_OTHER)[1] = -2; /* before the step */
    velocity(&s)[1] = -1;
    begin(&s, h);
    put(&s, 0, -0.01, 0);
    stage_evaluate(&s);
    const double power = k * pow(0.01, 1.5);
    assert_near(force(&s)[1], power * (1 + 0.75 * (1 - 0.25) * 1 / 2), 0, 1e-12);
    stage_commit(&s);
    assert_near(stage_history(&s, 0)[0], 2, 0, 1e-15);
    stage_body(&s, s.state->u, STAGE_OTHER)[1] = 7;
    begin(&s, h);
    stage_evaluate(&s);
    assert_near(force(&s)[1], power * (1 + 0.75 * (1 - 0.25) * 1 / 2), 0, 1e-12);
    put(&s, 0, 0.01, 0);
    stage_evaluate(&s);
    stage_commit(&s);
    stage_body(&s, s.state->u, STAGE_OTHER)[1] = -4;
    begin(&s, h);
    put(&s, 0, -0.01, 0);
    stage_evaluate(&s);
    assert_near(force(&s)[1], power * (1 + 0.75 * (1 - 0.25) * 1 / 4), 0, 1e-12);
    stage_close(&s);
}

/* Points of one element are up to 0.4 rad apart; periods make no difference. */
static void test_the_slide_on_a_circle_is_its_arc_length(void **unused)
{
    (void)unused;
    for (int n = 2; n <= 12; n++) {
        compliant_stage s;
        stage_init(&s);
        s.contact.kinematics = HAW_KINEMATICS_CURVE;
        s.contact.points_per_element = n;
        s.contact.normal_stiffness = s.contact.tangential_stiffness = k;
        s.body[STAGE_DISK].shape_options[0] = 0.4;
        stage_build(&s);
        double *body = stage_body(&s, s.q, STAGE_DISK), *z = stage_cable(&s, s.q);
        body[0] = 0.15;
        body[1] = -0.3;
        body[2] = 2 * n;
        z[3] = 0.02 * n;
        haw_compliant_begin(s.compliant, s.state, HAW_STATICS, 0);
        stage_evaluate(&s);
        stage_commit(&s);
        const haw_body *owner = &s.model->body[STAGE_DISK];
        for (int i = 0; i <= n; i++) {
            const haw_line *line = &s.model->cable[0].line;
            double x[2];
            line->ops->position(line, 0, (double)i / n, z, x, NULL);
            const double arc = owner->surface.ops->arc(&owner->surface, body, x);
            const double turns = (stage_history(&s, i)[2] - arc) / (0.8 * acos(-1.0));
            assert_near(turns - round(turns), 0, 4e-16, 0);
        }
        assert_int_equal(s.contacts->count, n + 1);
        stage_close(&s);
    }
}

static void test_opening_and_closing_count_in_the_switching_error(void **unused)
{
    (void)unused;
    compliant_stage s;
    open_stage(&s, "linear", "bristle");
    stage_drop(&s);
    s.contact.switching = HAW_SWITCHING_POST_NEWTON;
    stage_build(&s);
    begin(&s, h);
    put(&s, 0, -2e-3, 0);
    stage_evaluate(&s);
    assert_near(force(&s)[1], 0, 0, 0); /* still open to Newton */
    const double start = stage_history(&s, 0)[0];
    assert_true(start > 0);
    /* and a new point that sticks, by what it is short of slipping */
    assert_near(haw_compliant_switch(s.compliant), k * (start + 2e-3) + mu * k * 2e-3, 0, 1e-12);
    assert_near(haw_compliant_switch(s.compliant), 0, 0, 0);
    stage_evaluate(&s);
    assert_near(force(&s)[1], k * 2e-3, 0, 1e-12);
    put(&s, 0, 1e-3, 0);
    stage_evaluate(&s);
    assert_near(force(&s)[1], -k * 1e-3, 0, 1e-12); /* not clipped */
    assert_near(haw_compliant_switch(s.compliant), k * 3e-3, 0, 1e-12);
    stage_commit(&s);
    assert_near(stage_history(&s, 0)[0], 1e-3, 0, 1e-12);
    assert_near(stage_history(&s, 0)[1], HAW_REGIME_NONE, 0, 0);
    stage_close(&s);
}

/* The bristle of the LuGre model is a state of its own; at rest it stays where it is. */
static void test_lugre_keeps_its_deflection(void **unused)
{
    (void)unused;
    compliant_stage s;
    open_stage(&s, "linear", "lugre");
    velocity(&s)[0] = 0.01;
    put(&s, 0, -0.01, 0);
    double z = 0;
    for (int i = 0; i < 5; i++) {
        begin(&s, h);
        stage_evaluate(&s);
        stage_commit(&s);
        const double limit = mu * k * 0.01, a = limit + k_t * h * 0.01;
        z = (z + h * 0.01) * limit / a; /* implicit Euler */
        assert_near(stage_history(&s, 0)[2], z, 0, 1e-12);
    }
    velocity(&s)[0] = 0;
    begin(&s, h);
    stage_evaluate(&s);
    assert_near(force(&s)[0], -k_t * z, 0, 1e-12);
    stage_close(&s);
}

static void test_end_points_of_a_grid_have_half_a_share(void **unused)
{
    (void)unused;
    compliant_stage s;
    stage_init(&s);
    s.contact.kinematics = HAW_KINEMATICS_CURVE;
    s.contact.per = HAW_PER_LENGTH;
    s.contact.normal_stiffness = s.contact.tangential_stiffness = k;
    s.body[STAGE_DISK].shape = "plane";
    s.body[STAGE_DISK].shape_options[0] = 0;
    s.body[STAGE_DISK].shape_options[1] = 1;
    s.body[STAGE_DISK].inertia = 1;
    s.body[STAGE_DISK].position[1] = 0.01; /* the whole cable is this deep */
    stage_build(&s);
    begin(&s, h);
    stage_evaluate(&s);
    stage_commit(&s);
    assert_int_equal(s.contacts->count, 5);
    for (int i = 0; i < 5; i++) {
        const double share = 0.075 * (i == 0 || i == 4 ? 0.5 : 1);
        assert_near(s.contacts->impulse[2 * i], h * share * k * 0.01, 0, 1e-12);
    }
    assert_near(haw_compliant_energy(s.compliant), 0.5 * k * 0.3 * 1e-4, 0, 1e-12);
    stage_close(&s);
}

static void test_what_has_no_compliant_contact_is_refused(void **unused)
{
    (void)unused;
    compliant_stage s;
    stage_init(&s);
    s.cable.element = "bezier-polar";
    s.cable.bending_stiffness = 0;
    s.contact.normal_stiffness = s.contact.tangential_stiffness = k;
    s.contact.offset = 1e-3;
    const haw_scene scene = {.bodies = STAGE_BODIES,
                             .body = s.body,
                             .cables = 1,
                             .cable = &s.cable,
                             .contacts = 1,
                             .contact = &s.contact};
    haw_status status = haw_model_build(s.context, &scene, &s.model);
    if (status == HAW_OK) {
        status = haw_compliant_create(s.context, s.model, &s.compliant);
    }
    assert_int_equal(status, HAW_ERR_INPUT);
    assert_non_null(strstr(haw_context_message(s.context), "takes only the default of 'offset'"));
    haw_model_free(s.model);
    haw_context_free(s.context);
}

TEST_FILE(test_compliant)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_new_contact_sticks_with_a_relaxed_bristle),
        cmocka_unit_test(test_a_disk_that_rolls_does_not_stretch_the_bristle),
        cmocka_unit_test(test_slip_drags_the_bristle_along),
        cmocka_unit_test(test_a_point_that_alternates_is_held_for_the_rest_of_the_step),
        cmocka_unit_test(test_statics_never_hold_and_end_with_relaxed_bristles),
        cmocka_unit_test(test_the_speed_at_first_touch_is_kept_until_the_contact_opens),
        cmocka_unit_test(test_the_slide_on_a_circle_is_its_arc_length),
        cmocka_unit_test(test_opening_and_closing_count_in_the_switching_error),
        cmocka_unit_test(test_lugre_keeps_its_deflection),
        cmocka_unit_test(test_end_points_of_a_grid_have_half_a_share),
        cmocka_unit_test(test_what_has_no_compliant_contact_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
