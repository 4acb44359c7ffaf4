/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The static start of the belt drive, closed and prestressed: reactions of the published start, and
 * a belt that stays at rest until the motor turns.
 */
#include "contact/contact.h"
#include "stepper/simulation.h"
#include "support/scenario.h"

#include <math.h>

static void open_belt(scenario_run *run, bool is_hard)
{
    scenario_init(run, "belt-drive");
    if (is_hard) {
        scenario_set(run, "contact.law=hard");
        scenario_set(run, "stepper.type=moreau-jean");
        scenario_set(run, "stepper.step=1.0e-3");
    }
    scenario_open(run);
}

/* Published: -799.2487 N on the driving pulley, two spans of nearly 400 N; it carries its belt. */
static void pulleys_carry_the_published_pretension(void **state)
{
    (void)state;
    scenario_run run;
    open_belt(&run, false);
    const haw_simulation *s = run.simulation;
    const double weight = 0.8288 * 0.4 * 3.14159265358979323846 * 9.81;
    assert_near(s->support[0], -799.2487, 5e-3, 0);
    assert_near(s->support[3], -s->support[0], 2e-3, 0);
    assert_near(s->support[1] + s->support[4], weight, 2e-3, 0);
    scenario_close(&run);
}

/* Points that touch the hard surface are within a ten-millionth of a metre of it. */
static void hard_pulleys_carry_it_without_a_penetration(void **state)
{
    (void)state;
    scenario_run run;
    open_belt(&run, true);
    haw_simulation *s = run.simulation;
    assert_near(s->support[0], -800, 1, 0);
    assert_int_equal(haw_contacts_detect(s->contacts, s->state->q, s->state->u, 0), HAW_OK);
    assert_true(s->contacts->count > 400);
    for (int i = 0; i < s->contacts->count; i++) {
        assert_near(s->contacts->item[i].gap, 0, 1e-7, 0);
    }
    for (int i = 0; i < s->state->dofs; i++) {
        assert_true(s->state->u[i] == 0);
    }
    scenario_close(&run);
}

static void the_belt_rests_until_the_motor_turns(void **state)
{
    (void)state;
    scenario_run run;
    open_belt(&run, false);
    haw_simulation *s = run.simulation;
    for (int n = 0; n < 200; n++) {
        assert_int_equal(haw_simulation_step(s), HAW_OK);
        assert_true(s->kinetic < 1e-12);
    }
    print_message("kinetic energy %.3g J after 10 ms\n", s->kinetic);
    assert_near(s->ledger.balance_error, 0, 1e-14, 0);
    scenario_close(&run);
}

/* From a checkpoint at a whole ten of steps the ride goes on with the same bits. */
static void a_restored_ride_has_the_same_bits(void **state)
{
    (void)state;
    scenario_run run, other;
    haw_state *kept = NULL;
    open_belt(&run, false);
    open_belt(&other, false);
    for (int n = 0; n < 1200; n++) {
        assert_int_equal(haw_simulation_step(run.simulation), HAW_OK);
    }
    assert_int_equal(haw_state_create(run.context, run.model, &kept), HAW_OK);
    haw_state_copy(kept, run.simulation->state);
    assert_int_equal(haw_simulation_restore(other.simulation, kept), HAW_OK);
    for (int n = 0; n < 100; n++) {
        assert_int_equal(haw_simulation_step(run.simulation), HAW_OK);
        assert_int_equal(haw_simulation_step(other.simulation), HAW_OK);
    }
    const haw_state *a = run.simulation->state, *b = other.simulation->state;
    const size_t bytes = (size_t)a->dofs * sizeof(double);
    assert_memory_equal(a->q, b->q, bytes);
    assert_memory_equal(a->u, b->u, bytes);
    assert_memory_equal(a->a, b->a, 2 * bytes);
    assert_memory_equal(a->history, b->history, HAW_HISTORY * (size_t)a->rows / 2 * sizeof(double));
    assert_true(run.simulation->kinetic > 1e-6);
    haw_state_free(run.context, kept);
    scenario_close(&other);
    scenario_close(&run);
}

/* Newton's method takes about as many iterations on 30 720 elements as on 240, though gravity on
 * one element is next to the rounding of its forces; the tension converges with the square. */
static void a_fine_mesh_takes_no_more_iterations(void **state)
{
    (void)state;
    static const int elements[] = {240, 960, 30720};
    double tension[3];
    for (int i = 0; i < 3; i++) {
        scenario_run run;
        scenario_init(&run, "belt-drive");
        scenario_set(&run, "cables.belt.elements=%d", elements[i]);
        scenario_set(&run, "stepper.type=static");
        scenario_set(&run, "output.probes=[belt.tension_mean]");
        scenario_complete(&run);
        const haw_certificate *c = &run.summary.certificate;
        tension[i] = scenario_last(&run, "belt.tension_mean", 0);
        print_message("%d elements: %ld factorizations, %.6f N\n", elements[i], c->factorizations,
                      tension[i]);
        assert_in_range(c->factorizations, 1, 30);
        scenario_close(&run);
    }
    assert_near(tension[1], tension[2], 0, 2e-5);
    assert_near((tension[0] - tension[2]) / (tension[1] - tension[2]), 16, 0, 0.1);
}

TEST_FILE(test_belt_start)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pulleys_carry_the_published_pretension),
        cmocka_unit_test(hard_pulleys_carry_it_without_a_penetration),
        cmocka_unit_test(a_fine_mesh_takes_no_more_iterations),
        cmocka_unit_test(the_belt_rests_until_the_motor_turns),
        cmocka_unit_test(a_restored_ride_has_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
