/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The static bristle theory by ale ropes: a comb of bristles laid without deflection on the
 * unstretched rope, then both ends pulled at once with T1 = 1 kN and T2 = 3 kN; R = 1 m,
 * EA = k_n R^2 = 1e7 N, mu = 0.5. Errors are over T1 / R, t > 0 where it raises T from the low end
 * alpha = 0 on, for 0.15 < alpha < pi - 0.15.
 */
#include "cable/reeving.h"
#include "contact/contact.h"
#include "element/element.h"
#include "model/model.h"
#include "stepper/simulation.h"
#include "support/contact_force.h"
#include "support/rope_ride.h"
#include "support/rope_theory.h"

#include <gsl/gsl_math.h>

static const double T_LOW = 1000, T_HIGH = 3000, MU = 0.5, EDGE = 0.15;

/* T = T_I exp(r alpha) + T_II exp(-r alpha) up to alpha_high, then slip. */
typedef struct bristles {
    double r, part[2], high;
} bristles;

static bristles theory(double r)
{
    const setting set[] = {{"t1", T_LOW}, {"t2", T_HIGH}, {"mu", MU}, {"r", r}, {"radius", 1}};
    haw_context *context = NULL;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    haw_theory_result result = rope_run(context, "bristle", (word){NULL, NULL}, 5, set);
    const bristles b = {r,
                        {haw_theory_value(&result, "T_I"), haw_theory_value(&result, "T_II")},
                        haw_theory_value(&result, "alpha_high")};
    haw_theory_result_free(context, &result);
    haw_context_free(context);
    return b;
}

static double tension_at(const bristles *b, double alpha)
{
    return alpha < b->high ? b->part[0] * exp(b->r * alpha) + b->part[1] * exp(-b->r * alpha)
                           : T_HIGH * exp(-MU * (M_PI - alpha));
}

static double friction_at(const bristles *b, double alpha)
{
    return alpha < b->high
               ? b->r * (b->part[0] * exp(b->r * alpha) - b->part[1] * exp(-b->r * alpha))
               : MU * tension_at(b, alpha);
}

/* Angle from the low end, on the right, of a place (x, y) about the centre. */
static double place(double x, double y)
{
    const double alpha = atan2(y, x);
    return alpha < -M_PI_2 ? alpha + 2 * M_PI : alpha;
}

typedef struct errors {
    double rms, most; /* of t over T1 / R */
    double tension;   /* largest at Gauss points, over T1 */
    double mean;      /* rms of element means, over T1 */
    double sum;       /* R int t over T1 */
    double slip;      /* alpha of the first knot that slips */
} errors;

static void compare_knots(const rig *r, const bristles *b, errors *e)
{
    const haw_contacts *contacts = r->simulation->contacts;
    const double spacing = r->simulation->model.pair[0].spacing;
    double sum = 0;
    int count = 0;
    e->slip = M_PI;
    for (int i = 0; i < contacts->count; i++) {
        const haw_touch *c = &contacts->item[i];
        const double alpha = place(c->normal[0], c->normal[1]);
        const double force[2] = {contact_force(r->simulation, 2 * i),
                                 contact_force(r->simulation, 2 * i + 1)};
        e->sum += force[1] / T_LOW;
        if (alpha < EDGE || alpha > M_PI - EDGE) {
            continue;
        }
        const double error = (force[1] / spacing - friction_at(b, alpha)) / T_LOW;
        sum += error * error;
        count++;
        e->most = fmax(e->most, fabs(error));
        e->slip = force[1] > (1 - 1e-9) * MU * force[0] ? fmin(e->slip, alpha) : e->slip;
    }
    e->rms = sqrt(sum / count);
}

static void compare_tension(const rig *r, const bristles *b, errors *e)
{
    const haw_model *model = &r->simulation->model;
    const haw_cable *cable = &model->cable[0];
    const haw_rope *rope = cable->rope;
    const haw_rope_arc *arc = &rope->arc[0];
    const double *q = r->state->q;
    haw_quadrature rule;
    double sum = 0;
    int count = 0;
    haw_quadrature_init(5, &rule);
    for (int k = arc->first_element; k < arc->first_element + arc->elements; k++) {
        const double *s[2] = {q + rope->label[k], q + rope->label[k + 1]};
        double mean = 0, middle = 0;
        for (int g = 0; g < rule.points; g++) {
            haw_sample at;
            cable->ops->state(cable, k, *s[0] + rule.s[g] * (*s[1] - *s[0]), q, NULL, &at);
            const double alpha = place(at.x[0], at.x[1]), want = tension_at(b, alpha);
            mean += rule.weight[g] * want;
            middle += rule.weight[g] * alpha;
            if (alpha > EDGE && alpha < M_PI - EDGE) {
                e->tension = fmax(e->tension, fabs(at.tension - want) / T_LOW);
            }
        }
        if (middle > EDGE && middle < M_PI - EDGE) {
            const double error = (cable->ops->tension(cable, k, q, NULL) - mean) / T_LOW;
            sum += error * error;
            count++;
        }
    }
    e->mean = sqrt(sum / count);
}

static errors pull(double ratio, int elements)
{
    rope_ride ride;
    rig r;
    errors e = {0};
    const bristles b = theory(ratio);
    ride_pull(&ride, "ale", elements, ratio);
    ride.body[1].position[1] = ride.body[2].position[1] = -2;
    ride.cable.overflow = 0.3;
    ride.scene.start = HAW_START_GIVEN;
    ride.force[0].force[1] = ride_constant(-T_HIGH);
    ride.force[1].force[1] = ride_constant(-T_LOW);
    rig_open(&r);
    ride_stepper(&r, "static");
    rig_build(&r, &ride.scene);
    rig_step(&r);
    compare_knots(&r, &b, &e);
    compare_tension(&r, &b, &e);
    print_message("r %.1f, %d elements: t rms %.2e, max %.2e; T at Gauss points max %.2e, of "
                  "elements rms %.2e; R int t %.5f; slips from %.4f on (theory %.4f)\n",
                  ratio, elements, e.rms, e.most, e.tension, e.mean, e.sum, e.slip, b.high);
    assert_near(e.sum, 2 - 4e-4, 5e-5, 0); /* the rope acts on the levers R - T / (k_n R) */
    rig_close(&r);
    return e;
}

static void friction_and_tension_are_those_of_the_bristle_theory(void **state)
{
    (void)state;
    const errors coarse = pull(0.6, 20), fine = pull(0.6, 40);
    assert_true(coarse.rms <= 2e-3 && coarse.tension <= 2e-2);
    assert_true(fine.rms <= 5e-4 && fine.tension <= 2e-3);
    assert_near(coarse.slip, 2.124278849, 0.03, 0);
    assert_near(fine.slip, 2.124278849, 0.01, 0);
}

/* r = 0.3 sticks everywhere, r = 1 slips on two thirds of the arc. */
static void soft_and_stiff_bristles_fit_as_well(void **state)
{
    (void)state;
    static const double most[2][2] = {{4e-4, 4e-4}, {2.5e-3, 6e-4}};
    for (int i = 0; i < 2; i++) {
        const double ratio = i == 0 ? 0.3 : 1;
        for (int k = 0; k < 2; k++) {
            const errors e = pull(ratio, k == 0 ? 20 : 40);
            assert_true(e.rms <= most[i][k]);
            assert_true(e.tension <= (k == 0 ? 2e-2 : 2e-3));
            assert_near(e.slip, i == 0 ? M_PI : 1.019054419, k == 0 ? 0.03 : 0.015, 0);
        }
    }
}

TEST_FILE(test_rope_ale_static)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_and_tension_are_those_of_the_bristle_theory),
        cmocka_unit_test(soft_and_stiff_bristles_fit_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
