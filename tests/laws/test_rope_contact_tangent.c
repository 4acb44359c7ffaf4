/* SPDX-License-Identifier: BSD-3-Clause */
/* The tangent of knots of an ale rope against differences of their forces: every normal and
 * friction law, stick, slip, and knots that come in within the step. */
#include "contact/knot.h"
#include "support/random.h"
#include "support/rope_stage.h"
#include "support/stage_tangent.h"

#include <stdio.h>

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

TEST_FILE(test_rope_contact_tangent)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knots_have_the_tangent_of_their_forces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
