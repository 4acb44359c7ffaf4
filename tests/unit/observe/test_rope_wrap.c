/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rope shows on its sheaves: entry and exit as it runs, tensions, slip arc; which quantities
 * ropes and belts have. */
#include "observe/belt.h"
#include "support/rope_ride.h"
#include "support/scenario.h"

static const double pi = 3.14159265358979323846, RADIUS = 0.24;

/* Belts are measured where a probe asks for one. */
static const haw_probe_spec entry = {"contact.entry"};

static void ask(rig *r)
{
    r->settings.probes = 1;
    r->settings.probe = &entry;
}

/* A rope on a sheave that starts to turn at once; > 0: the car, on the left, goes down. */
static const haw_belt_wrap *run(rig *r, rope_ride *ride, const char *element, double spin,
                                double friction)
{
    ride_elevator(ride, element);
    ride->contact.friction = friction;
    ride->time[0] = 0;
    ride->spin[0] = 0;
    for (int i = 1; i < RIDE_TIMES; i++) {
        ride->time[i] = 1 + i;
        ride->spin[i] = spin;
    }
    ride_alpha(r, 5e-3, 2.5);
    rig_set(r, "newton_tolerance", 1e-6);
    ask(r);
    rig_build(r, &ride->scene);
    rig_steps(r, 500);
    haw_monitor_refresh(r->simulation);
    return haw_belt_wrap_get(r->simulation->observation, 0);
}

static void check_direction(const char *element, bool is_down, haw_belt_wrap *kept)
{
    rig r;
    rope_ride ride;
    const haw_belt_wrap *wrap = run(&r, &ride, element, is_down ? 4 : -4, 0.2);
    const double span[2] = {ride_tension(&r, 0), ride_tension(&r, 1)};
    print_message("%s, car %s: entry %.4f, exit %.4f rad, tensions in %.1f, out %.1f N, sticks "
                  "over %.4f, slips over %.4f rad\n",
                  element, is_down ? "down" : "up", wrap->entry, wrap->exit, wrap->side[0],
                  wrap->side[1], wrap->stick, wrap->slip);
    assert_near(fabs(wrap->entry), is_down ? 0 : pi, 0.08, 0);
    assert_near(fabs(wrap->exit), is_down ? pi : 0, 0.08, 0);
    assert_near(wrap->side[is_down ? 1 : 0], span[0], 0.01 * span[0], 0);
    assert_near(wrap->side[is_down ? 0 : 1], span[1], 0.02 * span[1], 0);
    assert_near(wrap->slip, 0, 0.1, 0); /* where a rope that bends leaves the sheave */
    assert_near(wrap->stick + wrap->slip, pi, 1e-3, 0);
    assert_near(wrap->length, pi * RADIUS, 0.03, 0);
    *kept = *wrap;
    rig_close(&r);
}

static void entry_and_exit_are_those_of_the_motion(void **state)
{
    static const char *const element[] = {"arc1d", "ale"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        haw_belt_wrap down, up;
        check_direction(element[i], true, &down);
        check_direction(element[i], false, &up);
        assert_true(down.side[0] < down.side[1] && up.side[0] > up.side[1]);
        assert_near(fabs(down.entry), fabs(up.exit), 0.02, 0);
    }
}

/* What slips does so against its friction, and as fast as a rope that shortens towards the exit. */
static void friction_takes_energy_where_the_rope_slips(void **state)
{
    static const char *const element[] = {"arc1d", "ale"};
    static haw_wrap_knot knot[20000];
    (void)state;
    for (int i = 0; i < 2; i++) {
        rig r;
        rope_ride ride;
        int slips = 0;
        (void)run(&r, &ride, element[i], 4, 0.1);
        assert_true(r.simulation->model.pair[0].points <= 20000);
        const int count = haw_wrap_knots(haw_simulation_frame(r.simulation), 0, knot);
        for (int k = 0; k < count; k++) {
            if (fabs(knot[k].tangential) > 0.999999 * 0.1 * knot[k].normal && knot[k].share == 1) {
                assert_true(knot[k].slip * knot[k].tangential < 0);
                assert_true(fabs(knot[k].slip) < 3e-3 * fabs(knot[k].speed));
                assert_near(knot[k].speed, -4 * RADIUS, 0, 4e-3); /* to smaller labels */
                slips++;
            }
        }
        assert_true(slips > 20);
        rig_close(&r);
    }
}

/* ---- a sheave that turns freely ---- */

enum { START = 500, END = 1000 }; /* steps between which means are taken */

static const double M[2] = {1330, 1250}, INERTIA = 20, DENSITY = 1.4, G = 9.81;
static const char *const brake = "sheave.angle";

/* From rest under a brake. */
static void let_go(rig *r, rope_ride *ride, const char *element)
{
    ride_elevator(ride, element);
    ride->body[0].motion = HAW_MOTION_FREE;
    ride->body[0].joint = HAW_JOINT_REVOLUTE;
    ride->body[0].mass = 50;
    ride->body[0].inertia = INERTIA;
    ride->body[2].mass = M[1];
    ride->scene.locks = 1;
    ride->scene.lock = &brake;
    ride_alpha(r, 1e-3, 1);
    rig_set(r, "newton_tolerance", 1e-8);
    rig_set(r, "newton_absolute", 1e-3);
    ask(r);
    rig_build(r, &ride->scene);
}

/*
 * Car and counterweight on spans of the lengths l1 and l2 that a sheave of inertia J leads: with
 * the way x of the car,
 *
 *     (M1 + M2 + m L + J / R^2) x'' = (M1 - M2 + m (l1 - l2) + 2 m x) g,
 *
 * and the sheave is turned by R (T1 - T2) = J x'' / R.
 */
static void a_passive_sheave_turns_by_the_difference_of_its_tensions(void **state)
{
    static const char *const element[] = {"arc1d", "ale"};
    const double ring = INERTIA / (RADIUS * RADIUS);
    const double mass = M[0] + M[1] + DENSITY * (14 + pi * RADIUS) + ring;
    const double rate = sqrt(2 * DENSITY * G / mass);
    const double first = (M[0] - M[1] + DENSITY * (3 - 11)) * G / mass;
    const double way = first / (rate * rate) * (cosh(rate) - 1), speed = first / rate * sinh(rate);
    (void)state;
    for (int i = 0; i < 2; i++) {
        rig r;
        rope_ride ride;
        double difference = 0;
        let_go(&r, &ride, element[i]);
        rig_steps(&r, START);
        const double before = r.state->u[2];
        for (int k = START; k < END; k++) {
            rig_steps(&r, 1);
            haw_monitor_refresh(r.simulation);
            const haw_belt_wrap *wrap = haw_belt_wrap_get(r.simulation->observation, 0);
            difference += (wrap->side[1] - wrap->side[0]) / (END - START);
        }
        const double turning = ring * RADIUS * (r.state->u[2] - before) / 0.5;
        print_message("%s: turns at %.4f rad/s (%.4f), way %.5f m (%.5f), tensions differ by %.2f "
                      "N (%.2f)\n",
                      element[i], r.state->u[2], speed / RADIUS, -3 - r.state->q[4], way,
                      difference, turning);
        assert_near(-3 - r.state->q[4], way, 5e-3, 1e-2);
        assert_near(r.state->u[2], speed / RADIUS, 0, 2e-2);
        assert_near(difference, turning, 0, 5e-2);
        rig_close(&r);
    }
}

/* ---- who has which quantity ---- */

typedef struct wrong_probe {
    const char *scenario, *probe, *said;
} wrong_probe;

static void ropes_and_belts_have_their_own_quantities(void **state)
{
    static const wrong_probe rows[] = {
        {"elevator", "rope.tension_tight", "only cables other than ropes have this quantity"},
        {"elevator", "rope.creep", "only cables other than ropes have this quantity"},
        {"elevator", "rope.reaction_start", "only cables other than ropes have this quantity"},
        {"elevator", "rope.length", "only cables other than ropes have this quantity"},
        {"belt-drive", "belt-p2.creep", "only ropes on sheaves have this quantity"},
        {"belt-drive", "belt-p1.tangential_max", "only ropes on sheaves have this quantity"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        scenario_run run;
        scenario_init(&run, rows[i].scenario);
        scenario_set(&run, "output.probes=[%s]", rows[i].probe);
        assert_int_equal(haw_context_create(NULL, &run.context), HAW_OK);
        assert_int_equal(scenario_build(&run), HAW_ERR_INPUT);
        const char *said = haw_context_message(run.context);
        if (strstr(said, rows[i].said) == NULL || strstr(said, rows[i].probe) == NULL) {
            fail_msg("%s: %s", rows[i].probe, said);
        }
        scenario_close(&run);
    }
}

TEST_FILE(test_rope_wrap)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entry_and_exit_are_those_of_the_motion),
        cmocka_unit_test(friction_takes_energy_where_the_rope_slips),
        cmocka_unit_test(a_passive_sheave_turns_by_the_difference_of_its_tensions),
        cmocka_unit_test(ropes_and_belts_have_their_own_quantities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
