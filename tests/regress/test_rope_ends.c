/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends of ropes over sheaves: free and pulled, led, clamped; and ropes in nsga. */
#include "cable/ale.h"
#include "cable/reeving.h"
#include "model/system.h"
#include "stepper/implicit.h"
#include "support/random.h"
#include "support/rope_ride.h"

#include <stdlib.h>

static const char *const kinds[] = {"ale", "arc1d", NULL};

enum { LEFT = 1, RIGHT = 2 };

static const double pi = 3.14159265358979323846, radius = 0.24, drawn = 500, depth = 3;

/* A rope over half a sheave that turns freely, from the ground to an end at `to`, without gravity.
 */
static void hang(rope_ride *ride, const char *kind)
{
    ride_elevator(ride, kind);
    ride->body[0].motion = HAW_MOTION_FREE;
    ride->body[0].joint = HAW_JOINT_REVOLUTE;
    ride->body[0].mass = 1;
    ride->scene.bodies = 1;
    ride->scene.gravity[1] = 0;
    ride->contact.friction = 0;
    ride->contact.normal_stiffness = 1e11;
    ride->cable.tension = drawn;
    ride->cable.bending_stiffness = 0;
    ride->cable.ends[0].body = ride->cable.ends[1].body = NULL;
    ride->cable.from[0] = -radius;
    ride->cable.to[0] = radius;
    ride->cable.from[1] = ride->cable.to[1] = -depth;
}

static const double *end_of(const rig *r)
{
    const haw_rope *rope = r->simulation->model.cable[0].rope;
    return r->state->q + rope->arc[rope->arcs].dof;
}

/* Tension T all along it, longer by (T - T0) L / EA; and it sinks into its bed by w = T / (k R),
 * which is pi w of length. */
static void a_pulled_end_stretches_the_rope(void **state)
{
    (void)state;
    for (int k = 0; kinds[k] != NULL; k++) {
        static const double pull = 1500;
        const double path = 2 * depth + pi * radius, length = path / (1 + drawn / 1.6e7);
        const double longer = (pull - drawn) * length / 1.6e7 + pi * pull / (1e11 * radius);
        rope_ride ride;
        rig r;
        hang(&ride, kinds[k]);
        ride.cable.ends[1].kind = HAW_END_FREE;
        ride.cable.ends[1].tension.constant = pull;
        rig_open(&r);
        ride_stepper(&r, "static");
        rig_build(&r, &ride.scene);
        rig_steps(&r, 1);
        print_message("%s: %.8g N and %.8g N, longer by %.9g m (%.9g m)\n", kinds[k],
                      ride_tension(&r, 0), ride_tension(&r, 1), -depth - end_of(&r)[1], longer);
        assert_near(ride_tension(&r, 0), pull, 0, 1e-5);
        assert_near(ride_tension(&r, 1), pull, 0, 1e-6);
        assert_near(-depth - end_of(&r)[1], longer, 0, 1e-3);
        assert_near(end_of(&r)[0], radius, 1e-6, 0); /* of the polygon of the mesh */
        rig_close(&r);
    }
}

/* The work of a constant pull is that on the way of the end, and nothing else does any. */
static void a_pull_does_the_work_of_its_end(void **state)
{
    (void)state;
    for (int k = 0; kinds[k] != NULL; k++) {
        static const double pull = 800;
        rope_ride ride;
        rig r;
        hang(&ride, kinds[k]);
        ride.contact.normal_stiffness = 3e8;
        ride.cable.ends[1].kind = HAW_END_FREE;
        ride.cable.ends[1].tension.constant = pull;
        ride.cable.ends[1].towards[1] = -2;
        ride.scene.start = HAW_START_GIVEN;
        ride_alpha(&r, 2e-5, 2e-3);
        rig_build(&r, &ride.scene);
        const double start = end_of(&r)[1];
        while (!haw_simulation_is_done(r.simulation)) {
            rig_step(&r);
        }
        const haw_ledger *l = &r.simulation->ledger;
        print_message("%s: work %.6g J on %.4g m, balance %.2g J\n", kinds[k], l->external_work,
                      start - end_of(&r)[1], l->balance_error);
        assert_true(start - end_of(&r)[1] > 1e-5);
        assert_near(l->external_work, pull * (start - end_of(&r)[1]), 1e-9, 1e-6);
        assert_near(l->balance_error, 0, 1e-9, 0);
        rig_close(&r);
    }
}

/* An end that is led is one on a body that is led alike. */
static void run_led(const char *kind, bool by_body, double found[4])
{
    rope_ride ride;
    rig r;
    const haw_function way = {
        .count = RIDE_TIMES, .time = ride.time, .value = ride.spin, .ramp = HAW_RAMP_CYCLOID};
    ride_elevator(&ride, kind);
    ride.body[0].motion_spin = ride_constant(0);
    for (int i = 0; i < RIDE_TIMES; i++) {
        ride.time[i] *= 0.01;
        ride.spin[i] *= -0.01;
    }
    if (by_body) {
        haw_body_spec *body = &ride.body[RIGHT];
        body->motion = HAW_MOTION_PRESCRIBED;
        body->joint = HAW_JOINT_NONE;
        body->motion_velocity[0] = body->motion_velocity[1] = ride_constant(0);
        body->motion_spin = ride_constant(0);
        body->motion_velocity[1] = way;
    } else {
        haw_end_spec *end = &ride.cable.ends[1];
        *end = (haw_end_spec){.kind = HAW_END_MOTION};
        end->velocity[1] = way;
        ride.cable.to[0] = ride.body[RIGHT].position[0];
        ride.cable.to[1] = ride.body[RIGHT].position[1];
        ride.scene.bodies = 2;
    }
    ride_alpha(&r, 1e-3, 0.05);
    rig_set(&r, "newton_tolerance", 1e-12);
    rig_build(&r, &ride.scene);
    while (!haw_simulation_is_done(r.simulation)) {
        rig_step(&r);
    }
    found[0] = r.state->q[3 * LEFT + 1];
    found[1] = ride_tension(&r, 0);
    found[2] = ride_tension(&r, 1);
    found[3] = end_of(&r)[1];
    rig_close(&r);
}

static void a_led_end_is_one_on_a_led_body(void **state)
{
    (void)state;
    for (int k = 0; kinds[k] != NULL; k++) {
        double led[4], on_body[4];
        run_led(kinds[k], false, led);
        run_led(kinds[k], true, on_body);
        print_message("%s: %.12g m, %.9g N, %.9g N, at %.9g m\n", kinds[k], led[0], led[1], led[2],
                      led[3]);
        assert_true(fabs(led[3] + 11) > 1e-4); /* it has moved */
        assert_near(led[0], on_body[0], 0, 1e-10);
        assert_near(led[1], on_body[1], 0, 1e-8);
        assert_near(led[2], on_body[2], 0, 1e-8);
        assert_near(led[3], on_body[3], 0, 1e-12);
    }
}

/* The hinge in a clamp: c / 2 sin^2 of the angle between the rope as drawn and its span, with the
 * forces and the matrix of that energy. */
static void a_clamp_holds_the_direction_of_its_span(void **state)
{
    (void)state;
    static const double small = 1e-6, turn = 0.2;
    for (int end = 0; end < 2; end++) {
        rope_ride ride;
        rig r;
        hang(&ride, "ale");
        ride.cable.bending_stiffness = 10;
        ride.cable.ends[end].kind = HAW_END_CLAMPED;
        ride.scene.start = HAW_START_GIVEN;
        ride_alpha(&r, 1e-3, 1);
        rig_build(&r, &ride.scene);
        const haw_rope *rope = r.simulation->model.cable[0].rope;
        const int e = end == 0 ? 0 : rope->elements - 1, n = rope->element[e].dofs;
        double local[HAW_ROPE_DOFS], f[HAW_ROPE_DOFS] = {0};
        double k[HAW_ROPE_DOFS * HAW_ROPE_DOFS] = {0};
        haw_rope_gather(rope, e, r.state->q, local);
        const double rest = haw_ale_hinge_energy(rope, e, local); /* of the node of the sheave */
        assert_near(rest, 0, 1e-12, 0);
        const double d[2] = {local[2] - local[0], local[3] - local[1]}, sign = end == 0 ? -1 : 1;
        double *moved = local + 2 * end; /* the end goes around the node, whose slope goes along */
        double *slope = local + rope->kind[1].dofs;
        moved[0] += sign * (d[0] * (cos(turn) - 1) - d[1] * sin(turn));
        moved[1] += sign * (d[1] * (cos(turn) - 1) + d[0] * sin(turn));
        const double s[2] = {slope[0], slope[1]};
        slope[0] = s[0] * cos(turn) - s[1] * sin(turn);
        slope[1] = s[1] * cos(turn) + s[0] * sin(turn);
        const double stiffness = 10 / (1e-3 * haw_rope_arc_element(rope, 0));
        assert_near(haw_ale_hinge_energy(rope, e, local), 0.5 * stiffness * sin(turn) * sin(turn),
                    0, 1e-9);
        haw_ale_hinge_force(rope, e, local, f);
        haw_ale_hinge_tangent(rope, e, local, k);
        for (int i = 0; i < n; i++) {
            double change[2][HAW_ROPE_DOFS] = {{0}}, energy[2];
            for (int side = 0; side < 2; side++) {
                local[i] += side == 0 ? small : -2 * small;
                energy[side] = haw_ale_hinge_energy(rope, e, local);
                haw_ale_hinge_force(rope, e, local, change[side]);
            }
            local[i] += small;
            assert_near(-(energy[0] - energy[1]) / (2 * small), f[i], 1e-5 * stiffness, 0);
            for (int j = 0; j < n; j++) {
                assert_near(-(change[0][j] - change[1][j]) / (2 * small), k[n * j + i],
                            1e-5 * stiffness, 0);
            }
        }
        rig_close(&r);
    }
}

/* Where nothing is set-valued nsga is generalized-alpha, on ropes too. */
static void run_elevator(const char *kind, const char *stepper, double found[3])
{
    rope_ride ride;
    rig r;
    ride_elevator(&ride, kind);
    rig_open(&r);
    ride_stepper(&r, stepper);
    rig_set(&r, "step", 1e-3);
    rig_set(&r, "end", 0.3);
    rig_set(&r, "rho_infinity", 0.7);
    rig_set(&r, "newton_tolerance", 1e-11);
    rig_build(&r, &ride.scene);
    while (!haw_simulation_is_done(r.simulation)) {
        rig_step(&r);
    }
    found[0] = r.state->q[3 * LEFT + 1];
    found[1] = ride_torque(&r, 0);
    found[2] = r.simulation->ledger.external_work;
    assert_near(r.simulation->ledger.balance_error, 0, 1e-10, 0);
    rig_close(&r);
}

static void nsga_takes_ropes_as_generalized_alpha_does(void **state)
{
    (void)state;
    for (int k = 0; kinds[k] != NULL; k++) {
        double alpha[3], nsga[3];
        run_elevator(kinds[k], "generalized-alpha", alpha);
        run_elevator(kinds[k], "nsga", nsga);
        print_message("%s: %.12g m, %.9g N m, %.6g J\n", kinds[k], nsga[0], nsga[1], nsga[2]);
        assert_near(nsga[0], alpha[0], 0, 1e-11);
        assert_near(nsga[1], alpha[1], 0, 1e-7);
        assert_near(nsga[2], alpha[2], 0, 1e-4);
    }
}

/* The mass in a matrix is that of the inertia forces at rest. */
static void the_mass_of_a_rope_in_the_matrix_is_that_of_its_inertia(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int k = 0; kinds[k] != NULL; k++) {
        rope_ride ride;
        rig r;
        ride_open(&ride, &r, kinds[k], 1e-3, 1);
        const haw_model *model = &r.simulation->model;
        haw_system *system = r.simulation->implicit->system;
        double *x = calloc((size_t)model->dofs, sizeof *x),
               *y = calloc((size_t)model->dofs, sizeof *y);
        double *rest = calloc((size_t)model->dofs, sizeof *rest);
        for (int i = 0; i < model->dofs; i++) {
            x[i] = system->equation[i] >= 0 ? random_signed(&seed) : 0;
        }
        haw_system_clear(system);
        haw_system_add_mass(system, r.state->q, 1e6); /* as 1 / h^2 has it */
        assert_int_equal(haw_system_factor(system), HAW_OK);
        haw_model_inertia(model, r.state->q, rest, x, y);
        haw_system_solve(system, y);
        for (int i = 0; i < model->dofs; i++) {
            assert_near(1e6 * y[i], x[i], 1e-6, 0);
        }
        free(x);
        free(y);
        free(rest);
        rig_close(&r);
    }
}

TEST_FILE(test_rope_ends)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pulled_end_stretches_the_rope),
        cmocka_unit_test(a_pull_does_the_work_of_its_end),
        cmocka_unit_test(a_led_end_is_one_on_a_led_body),
        cmocka_unit_test(a_clamp_holds_the_direction_of_its_span),
        cmocka_unit_test(nsga_takes_ropes_as_generalized_alpha_does),
        cmocka_unit_test(the_mass_of_a_rope_in_the_matrix_is_that_of_its_inertia),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
