/* SPDX-License-Identifier: BSD-3-Clause */
/* Knots of ropes over one sheave: their energy, what they remember, the tangent of arc1d. */
#include "contact/knot.h"
#include "support/random.h"
#include "support/rope_stage.h"
#include "support/stage_tangent.h"

/* Linear springs, at the edges with the share of their forces. */
static void the_energy_of_knots_is_half_of_force_times_depth(void **unused)
{
    compliant_stage s;
    double sum = 0;
    int shared = 0;
    (void)unused;
    rope_stage_start(&s);
    haw_compliant_begin(s.compliant, s.state, HAW_STATICS, 0);
    stage_evaluate(&s);
    stage_commit(&s);
    for (int i = 0; i < s.contacts->count; i++) {
        const haw_touch *knot = &s.contacts->item[i];
        assert_true(knot->gap < 0);
        shared += knot->share > 0.05 && knot->share < 0.95 ? 1 : 0;
        sum -= 0.5 * s.contacts->force[2 * i] * knot->gap;
    }
    assert_true(shared > 0);
    assert_near(haw_compliant_energy(s.compliant), sum, 0, 1e-12);
    stage_close(&s);
}

/* An equilibrium that is sought again finds the bristles as they were left. */
static void bristles_of_statics_go_on_in_statics(void **unused)
{
    static const char *const law[] = {"bristle", "lugre"};
    (void)unused;
    for (int k = 0; k < 2; k++) {
        compliant_stage s;
        rope_case c;
        rope_stage_init(&s, &c);
        c.contact.tangential = law[k];
        rope_stage_open(&s, &c, 0.01);
        s.q[2] += 0.01;
        rope_stage_rest(&s);
        const double turned = s.tangential[2];
        assert_true(turned < -1);
        rope_stage_rest(&s);
        assert_near(s.tangential[2], turned, 0, 1e-12);
        s.q[2] += 0.01;
        rope_stage_rest(&s);
        assert_near(s.tangential[2], 2 * turned, 0, 1e-2);
        stage_close(&s);
    }
}

/* Nodes that move in by v: what is pressed at the end of the step was open at its start. */
static void knots_remember_the_speed_of_their_first_touch(void **unused)
{
    const double v = 0.3, h = 0.1;
    compliant_stage s;
    rope_case c;
    int met = 0;
    (void)unused;
    rope_stage_init(&s, &c);
    c.contact.normal = "lankarani-nikravesh";
    c.contact.restitution = 0.6;
    rope_stage_open(&s, &c, -0.02);
    const haw_rope *rope = s.model->cable[0].rope;
    const haw_rope_arc *arc = &rope->arc[0];
    for (int i = arc->first_element; i <= arc->first_element + arc->elements; i++) {
        for (int j = rope->label[i] - 4; j < rope->label[i]; j++) {
            s.state->u[j] = -v / 1.02 * s.state->q[j];
        }
    }
    memcpy(s.u, s.state->u, (size_t)s.dofs * sizeof(double));
    for (int i = 0; i < s.dofs; i++) {
        s.q[i] = s.state->q[i] + h * s.u[i];
    }
    for (int k = 0; k < 2; k++) { /* at rest in the second step */
        rope_stage_step(&s, h);
        memset(s.u, 0, (size_t)s.dofs * sizeof(double));
    }
    for (int i = 0; i < s.model->points; i++) {
        const double *history = stage_history(&s, i);
        const double angle = (i * s.model->pair[0].spacing - 1);
        if (history[1] != (double)HAW_REGIME_NONE && angle > 0.2 && angle < 2.9) {
            assert_near(history[0], v, 0, 1e-3);
            met++;
        }
    }
    assert_true(met > 20);
    stage_close(&s);
}

/* The tangent takes the depth in the bed for constant over a cell, and leaves out that it changes
 * the lever of friction, by T / (k_n R^2): a hundredth here. */
static void knots_of_arc_models_have_the_tangent_of_their_friction(void **unused)
{
    (void)unused;
    for (int is_hinged = 0; is_hinged < 2; is_hinged++) {
        uint64_t seed = 7;
        compliant_stage s;
        rope_case c;
        rope_stage_init(&s, &c);
        c.cable.element = "arc1d";
        c.cable.overflow = (double)NAN;
        c.cable.tension = 100;
        c.contact.friction = 30;
        c.contact.tangential_damping = 4;
        c.body[0].joint = is_hinged == 1 ? HAW_JOINT_REVOLUTE : HAW_JOINT_NONE;
        rope_stage_open(&s, &c, 0);
        rope_stage_rest(&s);
        for (int i = 0; i < s.dofs; i++) {
            const bool is_free = s.system->equation[i] >= 0;
            s.q[i] += is_free ? 1e-3 * random_signed(&seed) : 0;
            s.u[i] += is_free ? 0.1 * random_signed(&seed) : 0;
        }
        haw_compliant_begin(s.compliant, s.state, HAW_DYNAMICS, 1e-3);
        stage_compare(&s, 50, 1e-6, 1e-2, is_hinged == 1 ? "hinged" : "free");
        stage_close(&s);
    }
}

TEST_FILE(test_rope_knots)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_energy_of_knots_is_half_of_force_times_depth),
        cmocka_unit_test(bristles_of_statics_go_on_in_statics),
        cmocka_unit_test(knots_remember_the_speed_of_their_first_touch),
        cmocka_unit_test(knots_of_arc_models_have_the_tangent_of_their_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
