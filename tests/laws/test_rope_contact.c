/* SPDX-License-Identifier: BSD-3-Clause */
/* Knots of an ale rope on a sheave: balance, anchors at the entry, histories and held sets. */
#include "contact/histories.h"
#include "contact/knot.h"
#include "support/random.h"
#include "support/rope_stage.h"
#include "support/stage_tangent.h"

#include <stdio.h>

static const double step = 1e-3; /* [s] */

static double most(const compliant_stage *s, const double *x)
{
    double size = 0;
    for (int i = 0; i < s->dofs; i++) {
        size = fmax(size, fabs(x[i]));
    }
    return size;
}

/* Force on the sheave, and power of all forces in a rigid motion of the rope and the sheave. */
static double rigid_power(const compliant_stage *s, const double *f, const double motion[3])
{
    const haw_rope *rope = s->model->cable[0].rope;
    const haw_rope_arc *arc = &rope->arc[0];
    const double spin = motion[2], *body = stage_body(s, s->q, 0);
    double power = f[0] * (motion[0] - spin * body[1]) + f[1] * (motion[1] + spin * body[0]);
    power += f[2] * spin;
    for (int i = arc->first_element; i <= arc->first_element + arc->elements; i++) {
        const double *z = s->q + rope->label[i] - 4, *g = f + rope->label[i] - 4;
        power += g[0] * (motion[0] - spin * z[1]) + g[1] * (motion[1] + spin * z[0]);
        power += spin * (g[3] * z[2] - g[2] * z[3]);
    }
    return power;
}

static void forces_are_action_and_reaction_with_their_moment(void **unused)
{
    static const double motion[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    uint64_t seed = 3;
    compliant_stage s;
    (void)unused;
    rope_stage_start(&s);
    haw_compliant_begin(s.compliant, s.state, HAW_STATICS, 0);
    for (int i = 0; i < s.dofs; i++) {
        s.q[i] += 1e-3 * random_signed(&seed);
    }
    s.q[2] += 0.02;
    stage_evaluate(&s);
    assert_true(haw_compliant_closed(s.compliant) > 25);
    assert_true(fabs(s.tangential[2]) > 10 && hypot(s.normal[0], s.normal[1]) > 10);
    for (int k = 0; k < 3; k++) {
        assert_near(rigid_power(&s, s.normal, motion[k]), 0, 1e-11 * most(&s, s.normal), 0);
        assert_near(rigid_power(&s, s.tangential, motion[k]), 0, 1e-11 * most(&s, s.tangential), 0);
    }
    stage_close(&s);
}

/* The listed rows and impulses are the forces on the sheave again, f = W (h f_N, -h f_T) / h; rates
 * and impulses give those on every degree of freedom. */
static void listed_contacts_carry_the_forces(void **unused)
{
    compliant_stage s;
    (void)unused;
    rope_stage_start(&s);
    s.q[2] += 0.02;
    s.u[2] = 0.3;
    haw_compliant_begin(s.compliant, s.state, HAW_DYNAMICS, step);
    stage_evaluate(&s);
    stage_commit(&s);
    double *f = calloc((size_t)s.dofs, sizeof *f);
    const int sheave = s.model->body[s.model->pair[0].body].first;
    assert_non_null(f);
    assert_true(s.contacts->count > 25 && s.contacts->count < 64);
    haw_contacts_apply(s.contacts, s.contacts->impulse, f);
    for (int i = sheave; i < sheave + 3; i++) {
        assert_near(f[i], step * s.total[i], 1e-14 * most(&s, s.total), 1e-13);
    }
    stage_check_listed(&s, step, 1e-11);
    free(f);
    stage_close(&s);
}

static void a_knot_passes_from_element_to_element_without_a_jump(void **unused)
{
    compliant_stage s;
    (void)unused;
    rope_stage_start(&s);
    const haw_rope *rope = s.model->cable[0].rope;
    const double spacing = s.model->pair[0].spacing;
    const double label = s.q[rope->label[rope->arc[0].first_element + 6]];
    double *before = calloc((size_t)s.dofs, sizeof *before);
    assert_non_null(before);
    rope_stage_feed(&s, remainder(label, spacing) - 1e-10, s.q);
    s.q[2] += 0.01;
    haw_compliant_begin(s.compliant, s.state, HAW_STATICS, 0);
    stage_evaluate(&s);
    memcpy(before, s.total, (size_t)s.dofs * sizeof *before);
    rope_stage_feed(&s, 2e-10, s.q);
    stage_evaluate(&s);
    for (int i = 0; i < s.dofs; i++) {
        assert_near(s.total[i], before[i], 1e-7 * most(&s, before), 0);
    }
    free(before);
    stage_close(&s);
}

/* A disk pressed into a plane beside the rope: both have their forces, listed pair by pair. */
static void other_pairs_of_the_model_keep_their_place(void **unused)
{
    (void)unused;
    for (int first = 0; first < 2; first++) {
        compliant_stage s;
        rope_case c;
        rope_stage_init(&s, &c);
        haw_contact_spec contact[2] = {c.contact, c.contact};
        haw_contact_spec *disk = &contact[first];
        c.body[1].name = "disk";
        c.body[1].shape = "circle";
        c.body[1].shape_options[0] = 0.1;
        c.body[1].mass = 1;
        c.body[1].position[0] = 5;
        c.body[1].position[1] = 0.099;
        c.body[2].name = "plane";
        c.body[2].shape = "plane";
        c.body[2].shape_options[1] = 1;
        c.body[2].motion = HAW_MOTION_FIXED;
        c.scene.bodies = 3;
        disk->between[0] = "disk";
        disk->between[1] = "plane";
        disk->per = HAW_PER_POINT;
        disk->spacing = (double)NAN;
        c.scene.contacts = 2;
        c.scene.contact = contact;
        rope_stage_open(&s, &c, 0.01);
        haw_compliant_begin(s.compliant, s.state, HAW_DYNAMICS, step);
        stage_evaluate(&s);
        stage_commit(&s);
        const int count = s.contacts->count, at = first == 0 ? 0 : count - 1;
        assert_int_equal(count, haw_compliant_closed(s.compliant));
        assert_int_equal(s.contacts->item[at].pair, first);
        assert_int_equal(s.contacts->item[count - 1 - at].pair, 1 - first);
        assert_near(s.contacts->impulse[2 * at], step * 1e4 * 1e-3, 0, 1e-9);
        assert_near(stage_body(&s, s.normal, 1)[1], 10, 0, 1e-9);
        assert_true(haw_compliant_energy(s.compliant) > 5e-3 + 1);
        stage_close(&s);
    }
}

/* ---- entry ---- */

/* A rope whose nodes stand still while its labels flow at `flow`, and a sheave that runs ahead. */
static const double flow = 1, ahead = 0.02, rim = -1.01;

static void move_to(compliant_stage *s, double t)
{
    memcpy(s->q, s->state->q, (size_t)s->dofs * sizeof(double));
    rope_stage_feed(s, flow * (t - s->state->t), s->q);
    s->q[2] = (rim + ahead) * t;
}

/* A knot at time t, from a state that lies at t = state->t. */
static haw_knot_press look(compliant_stage *s, double label, double t)
{
    const haw_knot_side side = haw_knot_side_of(s->model, &s->model->pair[0]);
    haw_knot_press touch = {.label = label};
    move_to(s, t);
    haw_knot_kernel_ale.place(&side, s->q, s->u, 1, &touch);
    return touch;
}

/* Slide at the moment when the knot came in, by bisection in time. */
static double exact_anchor(compliant_stage *s, double label)
{
    double high = s->state->t, low = high;
    while (look(s, label, low).at.inset >= 0) {
        high = low;
        low -= 0.02;
    }
    for (int k = 0; k < 50; k++) {
        const double middle = 0.5 * (low + high);
        if (look(s, label, middle).at.inset >= 0) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return look(s, label, high).at.slide;
}

/* Largest error of an anchor when all knots on the sheave have come in while it ran. */
static double anchor_error(double h)
{
    compliant_stage s;
    rope_case c;
    rope_stage_init(&s, &c);
    c.contact.friction = 100;
    c.cable.from[1] = -6; /* material for the way */
    rope_stage_open(&s, &c, 0.01);
    const haw_pair *pair = &s.model->pair[0];
    for (int k = 1; k < 4 / h; k++) {
        move_to(&s, k * h);
        rope_stage_step(&s, h);
        s.state->t = k * h;
    }
    double error = 0;
    int closed = 0;
    for (int i = 0; i < pair->points; i++) {
        const double *history = stage_history(&s, i);
        if (history[1] == (double)HAW_REGIME_STICK) {
            const double want = exact_anchor(&s, i * pair->spacing);
            error = fmax(error, fabs(remainder(history[2] - want, 2 * acos(-1.0))));
            closed++;
        }
    }
    assert_true(closed > 25);
    stage_close(&s);
    return error;
}

/* An anchor at the end of the step would be up to a step's slide, 2e-2 h, beside it: of first
 * order. */
static void anchors_at_the_entry_are_of_second_order(void **unused)
{
    (void)unused;
    const double error[3] = {anchor_error(0.04), anchor_error(0.02), anchor_error(0.01)};
    print_message("anchors: %g %g %g\n", error[0], error[1], error[2]);
    assert_true(error[0] < 0.2 * ahead * 0.04);
    assert_true(error[0] > 3 * error[1] && error[1] > 3 * error[2]);
}

/* ---- histories ---- */

/* Statics under a turn of the sheave, then a step of dynamics that moves nothing. */
static void turn_and_go_on(compliant_stage *s, double friction)
{
    double *at_rest = calloc((size_t)s->dofs, sizeof *at_rest);
    assert_non_null(at_rest);
    haw_compliant_friction(s->compliant, friction);
    s->q[2] += 0.05;
    haw_compliant_begin(s->compliant, s->state, HAW_STATICS, 0);
    stage_evaluate(s);
    memcpy(at_rest, s->total, (size_t)s->dofs * sizeof *at_rest);
    assert_true(at_rest[2] < -1);
    rope_stage_accept(s);
    haw_compliant_begin(s->compliant, s->state, HAW_DYNAMICS, step);
    stage_evaluate(s);
    for (int i = 0; i < s->dofs; i++) {
        assert_near(s->total[i], at_rest[i], 1e-12 * most(s, at_rest), 0);
    }
    free(at_rest);
}

/* Stick and slip; lugre's mean deflection is one of a bristle in statics. */
static void bristles_of_statics_go_on_in_dynamics(void **unused)
{
    static const char *const law[] = {"bristle", "lugre"};
    (void)unused;
    for (int k = 0; k < 4; k++) {
        compliant_stage s;
        rope_case c;
        rope_stage_init(&s, &c);
        c.contact.tangential = law[k / 2];
        c.contact.tangential_damping = k < 2 ? 0 : 1;
        rope_stage_open(&s, &c, 0.01);
        turn_and_go_on(&s, k % 2 == 0 ? 100 : 0.05);
        stage_close(&s);
    }
}

/* All knots that leave are open: those that come back start anew. */
static void knots_that_leave_forget(void **unused)
{
    compliant_stage s;
    (void)unused;
    rope_stage_start(&s);
    s.q[2] += 0.01;
    rope_stage_step(&s, step);
    assert_true(s.tangential[2] < -1);
    rope_stage_press(&s, -0.02, s.q);
    rope_stage_step(&s, step);
    assert_int_equal(haw_compliant_closed(s.compliant), 0);
    assert_int_equal(s.contacts->count, 0);
    for (int i = 0; i < s.model->points; i++) {
        assert_true(stage_history(&s, i)[1] == (double)HAW_REGIME_NONE);
    }
    rope_stage_press(&s, 0.03, s.q);
    rope_stage_step(&s, step);
    assert_true(haw_compliant_closed(s.compliant) > 25);
    assert_near(s.tangential[2], 0, 1e-9, 0);
    stage_close(&s);
}

/* mu_s until the knots slip, mu_k until they stick again. */
static void friction_has_hysteresis_without_a_stribeck_velocity(void **unused)
{
    compliant_stage s;
    rope_case c;
    (void)unused;
    rope_stage_init(&s, &c);
    c.contact.friction = 0.5;
    c.contact.friction_kinetic = 0.3;
    rope_stage_open(&s, &c, 0.01);
    double pressed = 0, peak = 0, last = 0;
    haw_compliant_begin(s.compliant, s.state, HAW_STATICS, 0);
    stage_evaluate(&s);
    rope_stage_accept(&s);
    for (int i = 0; i < s.contacts->count; i++) {
        pressed += 0.99 * s.contacts->force[2 * i];
    }
    for (int k = 0; k < 60; k++) {
        s.q[2] += 0.01;
        rope_stage_step(&s, step);
        last = -s.tangential[2];
        peak = fmax(peak, last);
    }
    assert_true(peak > 0.48 * pressed && peak <= 0.5 * pressed * (1 + 1e-3));
    assert_near(last, 0.3 * pressed, 0, 1e-3);
    s.q[2] -= 0.002; /* back: stick, where the limit is the static one again */
    rope_stage_step(&s, step);
    assert_true(-s.tangential[2] < last);
    peak = 0;
    for (int k = 0; k < 60; k++) {
        s.q[2] += 0.01;
        rope_stage_step(&s, step);
        peak = fmax(peak, -s.tangential[2]);
    }
    assert_true(peak > 0.45 * pressed);
    stage_close(&s);
}

/* ---- sets that chatter ---- */

static void a_knot_that_chatters_is_held(void **unused)
{
    compliant_stage s;
    (void)unused;
    rope_stage_start(&s);
    for (int h = 0; h < 2; h++) {
        haw_compliant_begin(s.compliant, s.state, h == 0 ? HAW_STATICS : HAW_DYNAMICS, h * step);
        for (int k = 0; k < 12; k++) {
            const bool is_in = k % 2 == 0;
            memcpy(s.q, s.state->q, (size_t)s.dofs * sizeof(double));
            rope_stage_press(&s, is_in ? 0 : -0.02, s.q);
            stage_evaluate(&s);
            const bool is_held = h > 0 && k > HAW_FLIPS_MAX;
            const bool is_closed = is_held ? HAW_FLIPS_MAX % 2 == 0 : is_in;
            assert_int_equal(haw_compliant_closed(s.compliant) > 25, is_closed);
            assert_int_equal(haw_compliant_held(s.compliant) > 0, is_held && is_closed != is_in);
        }
    }
    stage_close(&s);
}

static void a_bristle_that_chatters_is_held(void **unused)
{
    compliant_stage s;
    (void)unused;
    rope_stage_start(&s);
    haw_compliant_begin(s.compliant, s.state, HAW_STATICS, 0);
    stage_evaluate(&s);
    rope_stage_accept(&s);
    haw_compliant_begin(s.compliant, s.state, HAW_DYNAMICS, step);
    for (int k = 0; k < 20; k++) {
        s.q[2] = k % 2 == 0 ? 1e-4 : 1;
        stage_evaluate(&s);
        assert_int_equal(haw_compliant_held(s.compliant) > 0, k > HAW_SLIP_FLIPS_MAX && k % 2 == 0);
    }
    stage_commit(&s); /* what is stored has no more than the limit, and no more than the way */
    for (int i = 0; i < s.model->points; i++) {
        const double *history = stage_history(&s, i);
        assert_true(history[1] == (double)HAW_REGIME_NONE || history[1] == HAW_REGIME_FORWARD);
    }
    stage_close(&s);
}

/* ---- tangents ---- */

static const double rate = 50;    /* of velocities to positions [1/s] */
static const double small = 1e-6; /* difference of coordinates */

typedef enum want { WANT_STICK, WANT_SLIP, WANT_ENTRY, WANT_RETURN, WANTS } want;

static uint64_t seed = 5;

/* Everything but the labels, whose motion is given. */
static void shake(const compliant_stage *s, double size, double *x)
{
    const haw_rope *rope = s->model->cable[0].rope;
    for (int i = 0; i < s->dofs; i++) {
        bool is_label = false;
        for (int k = 0; k < rope->labels; k++) {
            is_label = is_label || rope->label[k] == i;
        }
        x[i] += is_label ? 0 : size * random_signed(&seed);
    }
}

/* The first evaluation of a step anchors what was pressed at its start; a start outside of the
 * sheave lets all knots come in. */
static void prepare(compliant_stage *s, want w)
{
    haw_compliant_begin(s->compliant, s->state, HAW_STATICS, 0);
    stage_evaluate(s);
    if (w >=
        WANT_ENTRY) { /* the first or last knots come in, no others have had a bristle either */
        const double way = w == WANT_ENTRY ? -2.3 : 2.3;
        rope_stage_feed(s, way * s->model->pair[0].spacing, s->state->q);
    } else {
        stage_commit(s);
    }
    shake(s, 2e-4, s->q);
    shake(s, 0.2, s->u);
    s->q[2] += 0.01;
    haw_compliant_begin(s->compliant, s->state, HAW_DYNAMICS, 1e-3);
}

/* The tangent leaves out that the course changes where the sheave moves: exact where it is hinged.
 */
static void check(const char *const laws[2], want w, bool is_damped, bool is_hinged)
{
    compliant_stage s;
    rope_case c;
    char where[64];
    rope_stage_init(&s, &c);
    c.contact.normal = laws[0];
    c.contact.tangential = laws[1];
    c.contact.normal_exponent = 2; /* smooth at g = 0, which differences need */
    c.contact.restitution = 0.6;
    c.contact.normal_stiffness = strcmp(laws[0], "linear") == 0 ? 1e4 : 1e6;
    c.contact.normal_damping = is_damped ? 5 : 0;
    c.contact.tangential_damping = is_damped ? 4 : 0;
    c.contact.viscous_friction = is_damped ? 2 : 0;
    c.contact.stribeck_velocity = 0.4;
    c.contact.regularization = 0.5;
    c.contact.friction = w == WANT_SLIP ? 0.002 : 30;
    c.contact.friction_kinetic = 0.7 * c.contact.friction;
    c.body[0].joint = is_hinged ? HAW_JOINT_REVOLUTE : HAW_JOINT_NONE;
    rope_stage_open(&s, &c, 0.01);
    prepare(&s, w);
    snprintf(where, sizeof where, "%s, %s, case %d", laws[0], laws[1], (int)w);
    stage_compare(&s, rate, small, is_hinged ? 2e-6 : 2e-2, where);
    stage_commit(&s);
    int met[3] = {0};
    for (int i = 0; i < s.model->points; i++) {
        const int regime = (int)stage_history(&s, i)[1];
        met[1 + (regime < -1 ? 0 : regime)] += regime < -1 ? 0 : 1;
    }
    assert_true(strcmp(laws[1], "bristle") != 0 || met[w == WANT_SLIP ? 2 : 1] > 20);
    stage_close(&s);
}

static void knots_have_the_tangent_of_their_forces(void **unused)
{
    (void)unused;
    for (int i = 0; haw_normal_laws[i] != NULL; i++) {
        for (int k = 0; haw_friction_laws[k] != NULL; k++) {
            const char *const laws[2] = {haw_normal_laws[i]->name, haw_friction_laws[k]->name};
            for (want w = WANT_STICK; w < WANTS; w++) {
                for (int j = 0; j < 4; j++) {
                    check(laws, w, j % 2 == 0, j / 2 == 0);
                }
            }
        }
    }
}

TEST_FILE(test_rope_contact)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_action_and_reaction_with_their_moment),
        cmocka_unit_test(listed_contacts_carry_the_forces),
        cmocka_unit_test(a_knot_passes_from_element_to_element_without_a_jump),
        cmocka_unit_test(other_pairs_of_the_model_keep_their_place),
        cmocka_unit_test(anchors_at_the_entry_are_of_second_order),
        cmocka_unit_test(bristles_of_statics_go_on_in_dynamics),
        cmocka_unit_test(knots_that_leave_forget),
        cmocka_unit_test(friction_has_hysteresis_without_a_stribeck_velocity),
        cmocka_unit_test(a_knot_that_chatters_is_held),
        cmocka_unit_test(a_bristle_that_chatters_is_held),
        cmocka_unit_test(knots_have_the_tangent_of_their_forces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
