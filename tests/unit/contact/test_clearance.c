/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements that the broad phase skips because they were far away: what is found is what is found
 * without them being skipped, whatever moves and turns, to and fro. Guards of speeds and depths. */
#include "contact/contact.h"
#include "contact/guard.h"
#include "model/dynamics.h"
#include "support/guards.h"
#include "support/near.h"
#include "support/random.h"

#include <hawser/hawser.h>

#include <math.h>
#include <string.h>

enum { ELEMENTS = 16, WALKS = 4000, NUMBERS_MAX = 160 };

typedef struct sample {
    int dimension;
    const char *element;
    double bending_stiffness;
    const char *shape, *key;
    double value, offset; /* of the body, which lies so much higher */
} sample;

static const sample samples[] = {{2, "bezier", 0, "circle", "radius", 0.1},
                                 {2, "bezier-polar", 0, "circle", "radius", 0.1},
                                 {2, "chain", 0, "plane", NULL, 0},
                                 {2, "ancf", 0.01, "circle", "radius", 0.05},
                                 {2, "ancf", 0.01, "circle", "radius", 0.05, 0.5},
                                 {3, "bezier", 0, "sphere", "radius", 0.1},
                                 {3, "se3", 0.01, "cylinder", "radius", 0.1},
                                 {3, "corotational", 0.01, "cylinder", "radius", 0.05}};

/* A straight cable of 1.6 m at rest below a body of which nothing touches it. */
static haw_model *open_model(haw_context *context, const sample *s)
{
    haw_body_spec body = haw_body_spec_default();
    haw_cable_spec cable = haw_cable_spec_default();
    haw_contact_spec contact = haw_contact_spec_default();
    haw_scene scene = haw_scene_default();
    haw_model *model = NULL;
    body.name = "body";
    body.mass = body.inertia = 1;
    assert_int_equal(haw_body_set_shape(context, &body, s->shape, s->key, s->value), HAW_OK);
    body.position[0] = 0.8;
    body.position[s->dimension - 1] = 0.3 + s->offset;
    cable.name = "cable";
    cable.element = s->element;
    cable.elements = ELEMENTS;
    for (int i = 0; i < 3; i++) {
        cable.from[i] = 0;
        cable.to[i] = i == 0 ? 1.6 : 0;
    }
    cable.stiffness = 100;
    cable.bending_stiffness = s->bending_stiffness;
    cable.density = 1;
    cable.radius = s->dimension == 3 || s->offset != 0 ? 0.01 : 0;
    contact.between[0] = "cable";
    contact.between[1] = "body";
    contact.points_per_element = 3;
    contact.offset = s->offset;
    scene.dimension = s->dimension;
    scene.bodies = scene.cables = scene.contacts = 1;
    scene.body = &body;
    scene.cable = &cable;
    scene.contact = &contact;
    const haw_status built = haw_model_build(context, &scene, &model);
    if (built != HAW_OK) {
        print_message("%s\n", haw_context_message(context));
    }
    return model;
}

/* Increments: in the first half the body swings through the cable, along it, in the second half the
 * cable does; the body turns at times, in space about two axes; nodes tremble. */
static void draw_way(const haw_model *model, int walk, uint64_t *seed, double *d)
{
    const haw_cable *cable = &model->cable[0];
    const int across = model->dimension - 1, bodies = (int)haw_body_dofs(model);
    const bool by_body = walk < WALKS / 2;
    const double swing = 0.001 * sin(0.005 * walk);
    const double tremor =
        model->pair[0].offset != 0 ? 1e-3 : 1e-5; /* a line beside it feels turns */
    for (int i = 0; i < model->dofs; i++) {
        d[i] = i < bodies ? 0 : tremor * random_signed(seed);
    }
    for (int n = 0; n <= ELEMENTS; n++) {
        d[cable->ops->node_dof(cable, n) + across] += by_body ? 0 : swing;
    }
    d[0] = by_body ? 0.001 * cos(0.0021 * walk) : 1e-5;
    d[across] = by_body ? -swing : 0;
    const int axis = model->dimension > 2 && walk / 1000 % 2 == 1 ? bodies - 2 : bodies - 1;
    d[axis] = walk / 500 % 2 == 0 ? 0 : 0.002;
}

/* @return number of touches; skipped: elements that were not asked for */
static int compare(const haw_contacts *tracked, haw_context *context, const haw_model *model,
                   const double *q, int *skipped)
{
    static const double u[NUMBERS_MAX];
    haw_contacts *fresh = NULL;
    assert_int_equal(haw_contacts_create(context, model, &fresh), HAW_OK);
    fresh->margin = tracked->margin;
    const haw_status found = haw_contacts_detect(fresh, q, u, 0);
    const int count = fresh->count;
    assert_int_equal(found, HAW_OK);
    assert_int_equal(tracked->count, count);
    assert_true(tracked->gap_min[0] == fresh->gap_min[0] || count == 0);
    for (int i = 0; i < count; i++) {
        assert_int_equal(tracked->item[i].id, fresh->item[i].id);
        assert_true(tracked->item[i].gap == fresh->item[i].gap);
    }
    const haw_clearance *clear = &tracked->clear[0];
    for (int e = 0; e < ELEMENTS; e++) {
        *skipped += clear->until[e] > clear->moved;
    }
    haw_contacts_free(fresh);
    return count;
}

/* Gaps change by no more than is said of their pair. */
static void check_changes(const haw_contacts *contacts, const double *before, const double *q)
{
    const double most = haw_contacts_most_change(contacts, 0, before, q);
    for (int i = 0; i < contacts->count; i++) {
        const haw_touch *touch = &contacts->item[i];
        const double change = touch->gap - haw_contacts_gap(contacts, touch, before);
        assert_true(fabs(change) <= most + 1e-12);
    }
}

static void nothing_is_missed(const sample *s)
{
    haw_context *context = NULL;
    haw_contacts *contacts = NULL;
    haw_state *state = NULL;
    double q[NUMBERS_MAX], d[NUMBERS_MAX], before[NUMBERS_MAX], u[NUMBERS_MAX] = {0};
    uint64_t seed = 5;
    int touches = 0, skipped = 0;
    guards g;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    haw_model *model = open_model(context, s);
    assert_non_null(model);
    assert_true(model->coordinates <= NUMBERS_MAX);
    assert_int_equal(haw_contacts_create(context, model, &contacts), HAW_OK);
    assert_int_equal(haw_state_create(context, model, &state), HAW_OK);
    memcpy(q, state->q, (size_t)model->coordinates * sizeof *q);
    guards_open(&g, context, model);
    for (int walk = 0; walk < WALKS; walk++) {
        draw_way(model, walk, &seed, d);
        memcpy(before, q, (size_t)model->coordinates * sizeof *q);
        haw_model_move(model, before, 1, d, q);
        (void)guards_agree(&g, before, q);
        contacts->margin = walk % 3 == 0 ? 0.05 : 0;
        assert_int_equal(haw_contacts_detect(contacts, q, u, 0), HAW_OK);
        touches += compare(contacts, context, model, q, &skipped);
        check_changes(contacts, before, q);
    }
    assert_true(touches > WALKS / 10);
    assert_true(skipped > WALKS * ELEMENTS / 20);
    guards_close(&g);
    haw_contacts_free(contacts);
    haw_state_free(context, state);
    haw_model_free(model);
    haw_context_free(context);
}

static void skipping_misses_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        print_message("%s %s\n", samples[i].element, samples[i].shape);
        nothing_is_missed(&samples[i]);
    }
}

/* Body and node move against each other, next to but not in contact: refused from a quarter of the
 * radius in a step on, |v - w| h > R / 4, however that speed is shared between them. */
static void speeds_are_refused_from_the_limit_on(void **state)
{
    static const double SHARES[] = {0, 0.4, 1};
    (void)state;
    haw_context *context = NULL;
    haw_contacts *contacts = NULL;
    haw_state *start = NULL;
    const double h = 1e-3, limit = 0.25 * samples[0].value / h;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    haw_model *model = open_model(context, &samples[0]);
    assert_non_null(model);
    assert_int_equal(haw_contacts_create(context, model, &contacts), HAW_OK);
    assert_int_equal(haw_state_create(context, model, &start), HAW_OK);
    start->q[1] = 1.5 * samples[0].value;
    for (int i = 0; i < 18; i++) {
        const int node = ELEMENTS / 2 - 1 + i / 6;
        const bool is_fast = i % 2 == 1;
        const double speed = limit * (is_fast ? 1 + 1e-9 : 1 - 1e-9), share = SHARES[i / 2 % 3];
        double u[NUMBERS_MAX] = {0};
        u[0] = -share * speed;
        u[model->cable[0].ops->node_dof(&model->cable[0], node)] = (1 - share) * speed;
        assert_int_equal(haw_contacts_detect(contacts, start->q, u, h),
                         is_fast ? HAW_ERR_GUARD : HAW_OK);
        assert_int_equal(contacts->count, 0);
    }
    haw_contacts_free(contacts);
    haw_state_free(context, start);
    haw_model_free(model);
    haw_context_free(context);
}

/* The first scene, and what guards it. */
typedef struct guarded {
    haw_context *context;
    haw_model *model;
    haw_state *start;
    haw_guard *guard;
    haw_arena arena;
} guarded;

static void open_guarded(guarded *g)
{
    assert_int_equal(haw_context_create(NULL, &g->context), HAW_OK);
    g->model = open_model(g->context, &samples[0]);
    assert_non_null(g->model);
    assert_int_equal(haw_state_create(g->context, g->model, &g->start), HAW_OK);
    haw_arena_init(&g->arena, g->context);
    assert_int_equal(haw_guard_create(&g->arena, g->model, &g->guard), HAW_OK);
}

static void close_guarded(guarded *g)
{
    haw_arena_fini(&g->arena);
    haw_state_free(g->context, g->start);
    haw_model_free(g->model);
    haw_context_free(g->context);
}

/* A body is moved along the cable so that one place alone is inside: each point of the grid, each
 * middle between two of them, and the end. */
static void depths_are_seen_at_points_and_between(void **state)
{
    enum { PLACES = 2 * 3 * ELEMENTS };

    (void)state;
    const double depth = 0.005 * samples[0].value, length = 1.6;
    guarded g;
    open_guarded(&g);
    g.start->q[1] = samples[0].value - depth;
    for (int k = 0; k <= PLACES; k++) {
        double deepest = 0;
        g.start->q[0] = length * k / PLACES;
        const haw_guard_step step = {.before = g.start->q, .after = g.start->q, .is_last = true};
        assert_int_equal(haw_guard_check(g.guard, &step, &deepest), HAW_OK);
        assert_near(deepest, depth, 1e-15, 0);
    }
    close_guarded(&g);
}

/* A shorter step that follows one that was refused begins where that began: from where it would
 * have led the surface is as far again. */
static void refused_steps_leave_nothing(void **state)
{
    (void)state;
    double deepest = 0, after[NUMBERS_MAX], u[NUMBERS_MAX] = {0};
    guarded g;
    open_guarded(&g);
    const double radius = samples[0].value, limit = haw_pair_depth_limit(&g.model->pair[0]);
    memcpy(after, g.start->q, (size_t)g.model->coordinates * sizeof *after);
    const haw_guard_step step = {.h = 1, .before = g.start->q, .u_before = u, .after = after};
    g.start->q[0] = after[0] = 0.5; /* above one cable, whose far end is left behind */
    g.start->q[1] = radius * (1 + limit);
    after[1] = radius * (1 - 1.2 * limit);
    after[0] = 1.1;
    assert_int_equal(haw_guard_check(g.guard, &step, &deepest), HAW_ERR_GUARD);
    after[0] = 0.5;
    for (int i = 0; i < 3; i++) {
        after[1] = radius * (1 - (i == 1 ? 1.2 : 0.5) * limit);
        assert_int_equal(haw_guard_check(g.guard, &step, &deepest),
                         i == 1 ? HAW_ERR_GUARD : HAW_OK);
    }
    close_guarded(&g);
}

/* Twice the limit of depth may stay where a contact point is drawn so, half as much more not; what
 * is drawn between points lets no point in. */
static void points_may_stay_as_deep_as_they_are_drawn(void **state)
{
    (void)state;
    haw_context *context = NULL;
    haw_state *start = NULL;
    haw_arena arena;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    haw_model *model = open_model(context, &samples[0]);
    assert_non_null(model);
    assert_int_equal(haw_state_create(context, model, &start), HAW_OK);
    haw_arena_init(&arena, context);
    const double radius = samples[0].value, place = 0.5 * 1.6 / (2 * 3 * ELEMENTS);
    const double depth = 2 * haw_pair_depth_limit(&model->pair[0]) * radius;
    for (int is_point = 0; is_point < 2; is_point++) {
        haw_guard *guard = NULL;
        double deepest = 0;
        assert_int_equal(haw_guard_create(&arena, model, &guard), HAW_OK);
        start->q[1] = radius - depth;
        start->q[0] = 0.8 + 2 * place * (1 - is_point);
        const haw_guard_step drawn = {.before = start->q, .after = start->q, .is_drawn = true};
        assert_int_equal(haw_guard_check(guard, &drawn, &deepest), HAW_OK);
        assert_near(deepest, depth, 1e-15, 0);
        const haw_guard_step step = {.before = start->q, .after = start->q, .is_last = true};
        start->q[0] = 0.8;
        assert_int_equal(haw_guard_check(guard, &step, &deepest),
                         is_point ? HAW_OK : HAW_ERR_GUARD);
        start->q[1] = radius - 1.5 * depth;
        assert_int_equal(haw_guard_check(guard, &step, &deepest), HAW_ERR_GUARD);
    }
    haw_arena_fini(&arena);
    haw_state_free(context, start);
    haw_model_free(model);
    haw_context_free(context);
}

TEST_FILE(test_clearance)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(skipping_misses_nothing),
                                       cmocka_unit_test(speeds_are_refused_from_the_limit_on),
                                       cmocka_unit_test(depths_are_seen_at_points_and_between),
                                       cmocka_unit_test(refused_steps_leave_nothing),
                                       cmocka_unit_test(points_may_stay_as_deep_as_they_are_drawn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
