/* SPDX-License-Identifier: BSD-3-Clause */
/* A net whose draw-cord closes around a ball: cables on cables, on themselves and on a body. */
#include "model/model.h"
#include "support/scenario.h"

#include <math.h>

/* Distance from the axis of the strand that is farthest from it in the neck, the narrowest place of
 * each above the ball [m]. */
static double neck(const haw_frame *frame)
{
    const haw_model *model = frame->model;
    const double top = frame->state->q[model->body[0].first_q + 2] + 0.1;
    double widest = 0;
    for (int i = 0; i < model->cables - 1; i++) { /* the last one is the cord */
        const haw_cable *strand = &model->cable[i];
        double least = HUGE_VAL;
        for (int k = 0; k < 8 * strand->line.elements; k++) {
            haw_cable_point at;
            strand->ops->point(strand, k / 8, k % 8 / 8.0, frame->state->q, NULL, HAW_POINT_PLACE,
                               &at);
            least = at.x[2] > top ? fmin(least, hypot(at.x[0], at.x[1])) : least;
        }
        widest = fmax(widest, least);
    }
    return widest;
}

static void look(scenario_run *run, const haw_frame *frame, void *user)
{
    double *radius = user;
    (void)run;
    radius[1] = neck(frame);
    radius[0] = isnan(radius[0]) ? radius[1] : radius[0];
}

static void the_cord_closes_the_net_above_the_ball(void **state)
{
    scenario_run run;
    double radius[2] = {(double)NAN, 0};
    (void)state;
    scenario_init(&run, "net-catches-ball-closing");
    run.look = look;
    run.user = radius;
    scenario_complete(&run);
    print_message("neck %.4f to %.4f m, ledger %.2g J, depth %.2g m\n", radius[0], radius[1],
                  run.summary.ledger.balance_error, run.summary.certificate.penetration_points_max);
    assert_near(radius[0], 0.13, 1e-3, 0);
    assert_true(radius[1] < 0.05);
    assert_int_equal(run.summary.certificate.unconverged_steps, 0);
    assert_true(run.summary.certificate.residual_max <= 1e-9);
    assert_near(run.summary.ledger.balance_error, 0, 1e-9, 0);
    assert_near(run.summary.ledger.balance_drift, 0, 1e-9, 0);
    assert_true(run.summary.certificate.penetration_points_max < 1e-9);
    scenario_close(&run);
}

TEST_FILE(test_net_closes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cord_closes_the_net_above_the_ball),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
