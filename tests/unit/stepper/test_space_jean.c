/* SPDX-License-Identifier: BSD-3-Clause */
/* moreau-jean in space: bodies on planes, beams without contact, a cable around a fixed cylinder.
 */
#include "base/lie.h"
#include "element/space.h"
#include "model/model.h"
#include "stepper/simulation.h"
#include "support/winding.h"

static const double pi = 3.14159265358979323846, weight = 9.81;

/* ---- a ball on the plane z = 0, gravity tilted about y: it may slide down along x ---- */

typedef struct ball {
    rig rig;
    haw_body_spec body[2];
    haw_contact_spec contact;
    haw_scene scene;
} ball;

static const double ball_radius = 0.1;

static void open_run(rig *r, double step, double end, double theta)
{
    rig_open(r);
    assert_int_equal(haw_stepper_settings_init(r->context, "moreau-jean", &r->settings.stepper),
                     HAW_OK);
    rig_time(r, step, end, theta);
    rig_set(r, "newton_tolerance", 1e-12);
    rig_solver_set(r, "tolerance", 1e-10);
}

static void draw_ball(ball *b, double friction, double slope_deg, double height)
{
    const double slope = slope_deg * pi / 180;
    for (int i = 0; i < 2; i++) {
        haw_body_spec *body = &b->body[i];
        *body = haw_body_spec_default();
        body->position[0] = body->position[1] = body->position[2] = 0;
        body->mass = 2;
    }
    b->body[0].name = "ground";
    b->body[0].shape = "plane";
    b->body[0].motion = HAW_MOTION_FIXED;
    b->body[1].name = "ball";
    b->body[1].shape = "sphere";
    b->body[1].shape_options[0] = ball_radius;
    b->body[1].position[2] = ball_radius + height;
    b->contact = haw_contact_spec_default();
    b->contact.between[0] = "ball";
    b->contact.between[1] = "ground";
    b->contact.friction = friction;
    b->scene = (haw_scene){.dimension = 3,
                           .gravity = {weight * sin(slope), 0, -weight * cos(slope)},
                           .start = HAW_START_GIVEN,
                           .bodies = 2,
                           .contacts = 1,
                           .body = b->body,
                           .contact = &b->contact};
}

static const double *ball_q(const ball *b)
{
    return b->rig.state->q + b->rig.simulation->model.body[1].first_q;
}

static const double *ball_u(const ball *b)
{
    return b->rig.state->u + b->rig.simulation->model.body[1].first;
}

static void check_ledger(const rig *r, double scale)
{
    const haw_ledger *ledger = &r->simulation->ledger;
    assert_near(ledger->balance_error, 0, 1e-12 * scale, 0);
    assert_int_equal(r->simulation->certificate.unconverged_steps, 0);
}

static void a_block_at_rest_on_an_incline_stays(void **state)
{
    (void)state;
    ball b;
    draw_ball(&b, 0.5, 20, 0);
    b.body[1].joint = HAW_JOINT_TRANSLATION;
    open_run(&b.rig, 5e-3, 10, 0.55);
    rig_build(&b.rig, &b.scene);
    rig_steps(&b.rig, 2000);
    assert_near(ball_q(&b)[0], 0, 1e-9, 0);
    assert_near(ball_q(&b)[2], ball_radius, 1e-12, 0);
    check_ledger(&b.rig, 1);
    rig_close(&b.rig);
}

/* Way of a block that slides from rest after 1 s: a t^2 / 2, a = g (sin - mu cos). */
static double slide(double step)
{
    ball b;
    draw_ball(&b, 0.2, 20, 0);
    b.body[1].joint = HAW_JOINT_TRANSLATION;
    open_run(&b.rig, step, 1, 0.6);
    rig_build(&b.rig, &b.scene);
    rig_steps(&b.rig, lround(1 / step));
    const double x = ball_q(&b)[0], press = 2 * weight * cos(20 * pi / 180);
    check_ledger(&b.rig, 10);
    assert_near(b.rig.simulation->ledger.friction_loss, 0.2 * press * x, 0, 0.01);
    assert_near(b.rig.simulation->ledger.impact_loss, 0, 1e-12, 0);
    rig_close(&b.rig);
    return x;
}

static void a_sliding_block_has_closed_form(void **state)
{
    (void)state;
    const double slope = 20 * pi / 180, way = 0.5 * weight * (sin(slope) - 0.2 * cos(slope));
    const double error[2] = {slide(1e-2) - way, slide(5e-3) - way};
    assert_near(error[1], 0, 1e-2, 0);
    assert_near(error[0] / error[1], 2, 0.05, 0);
}

static void a_sliding_ball_comes_to_roll_with_five_sevenths_of_its_speed(void **state)
{
    (void)state;
    ball b;
    draw_ball(&b, 0.3, 0, 0);
    b.body[1].velocity[0] = 2;
    open_run(&b.rig, 1e-3, 1, 0.55);
    rig_build(&b.rig, &b.scene);
    rig_steps(&b.rig, 500);
    const double *u = ball_u(&b);
    double omega[3];
    quaternion_rotate(ball_q(&b) + 3, u + 3, omega);
    assert_near(u[0], 2 * 5.0 / 7, 2e-3, 0);
    assert_near(omega[1] * ball_radius, u[0], 1e-3, 0);
    assert_near(u[2], 0, 1e-10, 0);
    check_ledger(&b.rig, 4);
    assert_true(b.rig.simulation->ledger.friction_loss > 0);
    rig_close(&b.rig);
}

/* Highest point after the first impact over the height of the drop. */
static double bounce(double restitution, double step)
{
    ball b;
    double most = 0;
    bool hit = false;
    draw_ball(&b, 0.3, 0, 0.2);
    b.contact.restitution = restitution;
    open_run(&b.rig, step, 1, 0.55);
    rig_build(&b.rig, &b.scene);
    while (b.rig.state->t < 0.55) {
        rig_step(&b.rig);
        hit = hit || b.rig.state->impulse[0] > 0;
        most = hit ? fmax(most, ball_q(&b)[2] - ball_radius) : 0;
    }
    check_ledger(&b.rig, 1);
    rig_close(&b.rig);
    return most / 0.2;
}

static void a_falling_ball_without_restitution_stays_down(void **state)
{
    (void)state;
    assert_near(bounce(0, 2e-3), 0, 0.01, 0); /* the way of one step, met when it touches */
}

static void a_falling_ball_bounces_to_the_square_of_its_restitution(void **state)
{
    (void)state;
    assert_near(bounce(0.8, 2.5e-4), 0.64, 0, 0.02);
}

/* Angular momentum of a body without forces, inertial. */
static void momentum(const ball *b, double l[3])
{
    const double *mass = b->rig.simulation->model.body[1].mass + 3, *u = ball_u(b) + 3;
    const double own[3] = {mass[0] * u[0], mass[1] * u[1], mass[2] * u[2]};
    quaternion_rotate(ball_q(b) + 3, own, l);
}

/* Largest change of the angular momentum of a spinning body that tumbles for 1 s. */
static double tumble(double step)
{
    ball b;
    double l[3], first[3], most = 0;
    draw_ball(&b, 0, 0, 1);
    b.scene.contacts = 0;
    b.scene.gravity[2] = 0;
    b.body[1].inertias[0] = 1e-2;
    b.body[1].inertias[1] = 2e-2;
    b.body[1].inertias[2] = 3e-2;
    open_run(&b.rig, step, 2, 0.5);
    rig_build(&b.rig, &b.scene);
    double *u = b.rig.state->u + b.rig.simulation->model.body[1].first;
    u[3] = 0.3;
    u[4] = 4;
    rig_restart(&b.rig);
    momentum(&b, first);
    for (long i = 0; i < lround(1 / step); i++) {
        rig_step(&b.rig);
        momentum(&b, l);
        most = fmax(most, hypot(hypot(l[0] - first[0], l[1] - first[1]), l[2] - first[2]));
    }
    check_ledger(&b.rig, 1);
    rig_close(&b.rig);
    return most / vec3_norm(first);
}

static void a_tumbling_body_keeps_its_angular_momentum_to_second_order(void **state)
{
    (void)state;
    const double error[2] = {tumble(4e-3), tumble(2e-3)};
    assert_near(error[1], 0, 2e-4, 0);
    assert_near(error[0] / error[1], 4, 0.4, 0);
}

/* ---- beams without contact ---- */

static haw_cable_spec rod(void)
{
    haw_cable_spec cable = haw_cable_spec_default();
    cable.name = "rod";
    cable.element = "se3";
    cable.elements = 8;
    cable.radius = 5e-3;
    cable.stiffness = 400;
    cable.shear_stiffness = 120;
    cable.bending_stiffness = 2.5e-3;
    cable.torsional_stiffness = 1.7e-3;
    cable.density = 0.0864;
    for (int i = 0; i < 3; i++) {
        cable.from[i] = 0;
        cable.to[i] = i == 0 ? 1 : 0;
    }
    cable.ends[1].kind = HAW_END_FREE;
    return cable;
}

/* Tip of a rod that swings from the horizontal about its pinned start, after 0.2 s; energy that is
 * lost. */
static void swing(double step, double theta, double tip[3], double *loss)
{
    rig r;
    const haw_cable_spec cable = rod();
    const haw_scene scene = {.dimension = 3,
                             .gravity = {0, 1, -weight},
                             .start = HAW_START_GIVEN,
                             .cables = 1,
                             .cable = &cable};
    open_run(&r, step, 1, theta);
    rig_build(&r, &scene);
    rig_steps(&r, lround(0.2 / step));
    const haw_cable *built = &r.simulation->model.cable[0];
    memcpy(tip, r.state->q + built->first_q + (ptrdiff_t)7 * built->beam.elements,
           3 * sizeof(double));
    *loss = r.simulation->ledger.numerical_loss;
    check_ledger(&r, 0.5);
    rig_close(&r);
}

static double order(double theta, double loss[3])
{
    double tip[3][3], d[2] = {0, 0};
    for (int i = 0; i < 3; i++) {
        swing(5e-4 / (1 << i), theta, tip[i], &loss[i]);
    }
    for (int k = 0; k < 3; k++) {
        d[0] = hypot(d[0], tip[0][k] - tip[1][k]);
        d[1] = hypot(d[1], tip[1][k] - tip[2][k]);
    }
    return log2(d[0] / d[1]);
}

static void a_swinging_rod_converges_with_the_order_of_theta(void **state)
{
    (void)state;
    double loss[3];
    assert_near(order(0.5, loss), 2, 0.2, 0);
    assert_near(order(0.6, loss), 1, 0.2, 0);
    assert_true(loss[0] > loss[1] && loss[1] > loss[2] && loss[2] > 0);
}

/* ---- a yarn drawn over a fixed cylinder ---- */

/* Half a turn about the cylinder; the start is drawn down, 10 N hang on the other end. */
static haw_cable_spec draw_yarn(const haw_path_segment path[3])
{
    haw_cable_spec yarn = rod();
    yarn.name = "yarn";
    yarn.elements = 60;
    yarn.radius = 1e-3;
    yarn.stiffness = 1e4;
    yarn.shear_stiffness = 5e3;
    yarn.bending_stiffness = 1e-5;
    yarn.torsional_stiffness = 1e-5;
    yarn.density = 1e-2;
    yarn.from[0] = -0.201;
    yarn.from[1] = -0.5;
    yarn.segments = 3;
    yarn.path = path;
    yarn.tension = 10;
    yarn.damping_mass = 5;
    yarn.ends[0] = (haw_end_spec){.kind = HAW_END_MOTION};
    yarn.ends[0].velocity[1] = (haw_function){.constant = -0.05};
    yarn.ends[1] = (haw_end_spec){.kind = HAW_END_MOTION,
                                  .guide = {HAW_GUIDE_VELOCITY, HAW_GUIDE_FREE, HAW_GUIDE_VELOCITY},
                                  .tension = {.constant = 10},
                                  .towards = {0, -1, 0}};
    return yarn;
}

static double end_tension(const rig *r, int e)
{
    const haw_cable *yarn = &r->simulation->model.cable[0];
    haw_space_strain strain;
    yarn->beam.ops->strain(&yarn->beam, e, 0.5, r->state->q + yarn->first_q, NULL, &strain);
    return strain.tension;
}

/* T2 / T1 = exp(mu pi); mean of 0.4 s, in which a few nodes run on and off. */
static void a_yarn_drawn_over_a_cylinder_has_the_capstan_ratio(void **state)
{
    (void)state;
    rig r;
    const haw_path_segment path[3] = {
        {.to = {-0.201, 0}},
        {.kind = HAW_PIECE_ARC, .center = {0, 0}, .radius = 0.201, .angle_deg = -180},
        {.to = {0.201, -0.5}}};
    const haw_cable_spec yarn = draw_yarn(path);
    haw_body_spec drum = haw_body_spec_default();
    haw_contact_spec contact = haw_contact_spec_default();
    drum.name = "drum";
    drum.shape = "cylinder";
    drum.shape_options[0] = 0.2;
    drum.shape_options[1] = (double)NAN;
    drum.motion = HAW_MOTION_FIXED;
    contact.between[0] = "yarn";
    contact.between[1] = "drum";
    contact.friction = 0.3;
    contact.points_per_element = 2;
    contact.arm = HAW_ARM_DISTANCE;
    const haw_scene scene = {.dimension = 3,
                             .start = HAW_START_GIVEN,
                             .bodies = 1,
                             .cables = 1,
                             .contacts = 1,
                             .body = &drum,
                             .cable = &yarn,
                             .contact = &contact};
    double mean = 0;
    open_run(&r, 2e-3, 2, 0.8);
    rig_set(&r, "newton_tolerance", 1e-7);
    rig_solver_set(&r, "tolerance", 1e-8);
    rig_build(&r, &scene);
    rig_steps(&r, 400);
    for (int i = 0; i < 200; i++) {
        rig_step(&r);
        mean += end_tension(&r, 2) / end_tension(&r, 57) / 200;
    }
    assert_near(mean, exp(0.3 * pi), 0, 0.02);
    rig_close(&r);
}

/* ---- checkpoints ---- */

static void a_run_goes_on_from_a_checkpoint_with_the_same_bits(void **state)
{
    (void)state;
    winding whole = winding_default(0.4), part = winding_default(0.4);
    whole.elements = part.elements = 20;
    haw_state *kept = NULL;
    winding_open(&whole);
    winding_open(&part);
    assert_int_equal(haw_state_create(whole.rig.context, &whole.rig.simulation->model, &kept),
                     HAW_OK);
    rig_steps(&whole.rig, 300);
    haw_state_copy(kept, whole.rig.state);
    rig_steps(&whole.rig, 60);
    assert_int_equal(haw_simulation_restore(part.rig.simulation, kept), HAW_OK);
    rig_steps(&part.rig, 60);
    assert_true(whole.rig.simulation->contacts->count > 0);
    assert_memory_equal(part.rig.state->q, whole.rig.state->q,
                        (size_t)kept->coordinates * sizeof(double));
    assert_memory_equal(part.rig.state->u, whole.rig.state->u, (size_t)kept->dofs * sizeof(double));
    haw_state_free(whole.rig.context, kept);
    rig_close(&whole.rig);
    rig_close(&part.rig);
}

TEST_FILE(test_space_jean)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_at_rest_on_an_incline_stays),
        cmocka_unit_test(a_sliding_block_has_closed_form),
        cmocka_unit_test(a_sliding_ball_comes_to_roll_with_five_sevenths_of_its_speed),
        cmocka_unit_test(a_falling_ball_without_restitution_stays_down),
        cmocka_unit_test(a_falling_ball_bounces_to_the_square_of_its_restitution),
        cmocka_unit_test(a_tumbling_body_keeps_its_angular_momentum_to_second_order),
        cmocka_unit_test(a_swinging_rod_converges_with_the_order_of_theta),
        cmocka_unit_test(a_yarn_drawn_over_a_cylinder_has_the_capstan_ratio),
        cmocka_unit_test(a_run_goes_on_from_a_checkpoint_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
