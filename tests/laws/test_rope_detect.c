/* SPDX-License-Identifier: BSD-3-Clause */
/* Closed knots of hard contact of an ale rope: which, rows, gaps elsewhere, convection. */
#include "contact/knot.h"
#include "support/random.h"
#include "support/rope_stage.h"

typedef struct hard_stage {
    haw_context *context;
    rope_case c;
    haw_model *model;
    haw_contacts *contacts;
    haw_state *state;
    double *q; /* [dofs] work space */
} hard_stage;

/* Everything moves, labels too; the sheave is free. */
static void open_stage(hard_stage *s, double part)
{
    uint64_t seed = 17;
    compliant_stage scene;
    rope_stage_init(&scene, &s->c);
    s->context = scene.context;
    s->c.contact.law = "hard";
    s->c.contact.normal = s->c.contact.tangential = NULL;
    if (haw_model_build(s->context, &s->c.scene, &s->model) != HAW_OK) {
        fail_msg("%s", haw_context_message(s->context));
    }
    assert_int_equal(haw_state_create(s->context, s->model, &s->state), HAW_OK);
    assert_int_equal(haw_contacts_create(s->context, s->model, &s->contacts), HAW_OK);
    s->q = calloc((size_t)s->model->dofs, sizeof *s->q);
    assert_non_null(s->q);
    scene.model = s->model;
    rope_stage_press(&scene, part, s->state->q);
    for (int i = 0; i < s->model->dofs; i++) {
        s->state->q[i] += 1e-4 * random_signed(&seed);
        s->state->u[i] = 0.5 * random_signed(&seed);
    }
}

static void close_stage(hard_stage *s)
{
    free(s->q);
    haw_contacts_free(s->contacts);
    haw_state_free(s->context, s->state);
    haw_model_free(s->model);
    haw_context_free(s->context);
}

static void detect(hard_stage *s, double margin)
{
    s->contacts->margin = margin;
    assert_int_equal(haw_contacts_detect(s->contacts, s->state->q, s->state->u, 0), HAW_OK);
}

/* Gap of a listed knot after the time t at the velocities of the state. */
static double gap_after(hard_stage *s, const haw_touch *c, double t)
{
    for (int i = 0; i < s->model->dofs; i++) {
        s->q[i] = s->state->q[i] + t * s->state->u[i];
    }
    return haw_contacts_gap(s->contacts, c, s->q);
}

static haw_knot_press place(const hard_stage *s, const haw_touch *c, const double *q)
{
    const haw_pair *pair = &s->model->pair[0];
    const haw_knot_side side = haw_knot_side_of(s->model, pair);
    haw_knot_press touch = {.at.id = c->id, .label = (c->id - pair->first_point) * pair->spacing};
    haw_knot_kernel_ale.place(&side, q, s->state->u, 1, &touch);
    return touch;
}

static void the_margin_decides_what_is_listed(void **unused)
{
    hard_stage s;
    (void)unused;
    open_stage(&s, 1e-3);
    detect(&s, 0);
    const int pressed = s.contacts->count;
    assert_true(pressed > 25 && s.contacts->gap_min[0] < -5e-4);
    for (int i = 0; i < pressed; i++) {
        const haw_touch *c = &s.contacts->item[i];
        assert_true(c->gap <= 0 && (i == 0 || c->id == c[-1].id + 1));
        assert_near(gap_after(&s, c, 0), c->gap, 1e-15, 0);
    }
    detect(&s, 0.05);
    assert_true(s.contacts->count > pressed);
    detect(&s, -1);
    assert_int_equal(s.contacts->count, 0);
    close_stage(&s);
}

/* Labels move, and knots pass to other elements: the rows are those of the material points. */
static void rows_give_the_rates_of_gap_and_slide(void **unused)
{
    hard_stage s;
    double gamma[2 * 64];
    const double t = 1e-5;
    (void)unused;
    open_stage(&s, 1e-3);
    detect(&s, 0.01);
    assert_true(s.contacts->count < 64);
    haw_contacts_velocity(s.contacts, s.state->u, gamma);
    for (int i = 0; i < s.contacts->count; i++) {
        const haw_touch *c = &s.contacts->item[i];
        const double ahead = gap_after(&s, c, t), slide = place(&s, c, s.q).at.slide;
        const double before = gap_after(&s, c, -t), way = slide - place(&s, c, s.q).at.slide;
        const double level = 1 + c->gap; /* the friction acts at the knot, the slide at R = 1 */
        assert_near(gamma[2 * i], (ahead - before) / (2 * t), 1e-7, 0);
        assert_near(gamma[2 * i + 1], level * way / (2 * t), 1e-7, 0);
        assert_int_equal(c->side[0].count, 10);
    }
    assert_true(haw_contacts_speed(s.contacts, s.state->u) > 0.1);
    close_stage(&s);
}

/* d2(gap)/dt2 at rates that stay: that of the convection, and of turning about the centre. */
static void convection_is_the_acceleration_of_the_gap(void **unused)
{
    hard_stage s;
    const double t = 1e-4;
    (void)unused;
    open_stage(&s, 1e-3);
    detect(&s, 0.01);
    for (int i = 0; i < s.contacts->count; i++) {
        const haw_touch *c = &s.contacts->item[i];
        const double drift = place(&s, c, s.state->q).at.drift[1];
        const double want =
            (gap_after(&s, c, t) - 2 * gap_after(&s, c, 0) + gap_after(&s, c, -t)) / (t * t);
        assert_near(c->convection + drift * drift / (1 + c->gap), want, 1e-6, 1e-5);
    }
    close_stage(&s);
}

TEST_FILE(test_rope_detect)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_margin_decides_what_is_listed),
        cmocka_unit_test(rows_give_the_rates_of_gap_and_slide),
        cmocka_unit_test(convection_is_the_acceleration_of_the_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
