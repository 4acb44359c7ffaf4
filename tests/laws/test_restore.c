/* SPDX-License-Identifier: BSD-3-Clause */
/* Going on from a checkpoint: the clock, the ledger and the averages follow it. */
#include "support/rig.h"

/* Run the canonical impact for `steps` of h and keep its state. */
static haw_state *checkpoint(rig *r, disk_case *c, long steps)
{
    haw_state *kept = NULL;
    rig_disk(r, c);
    rig_steps(r, steps);
    assert_int_equal(haw_state_create(r->context, r->model, &kept), HAW_OK);
    haw_state_copy(kept, r->state);
    return kept;
}

static double balance_of(const haw_ledger *l)
{
    return l->kinetic + l->elastic + l->gravity - l->initial - l->external_work + l->friction_loss +
           l->impact_loss + l->damping_loss + l->numerical_loss;
}

static void an_earlier_state_takes_ledger_and_averages_along(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    haw_state *kept = checkpoint(&r, &c, 3000);
    rig_steps(&r, 2000);
    (void)haw_simulation_frame(r.simulation);
    assert_int_equal(haw_simulation_restore(r.simulation, kept), HAW_OK);
    rig_steps(&r, 1000);
    const haw_frame *f = haw_simulation_frame(r.simulation);
    assert_near(f->t, 0.04, 1e-12, 0);
    assert_near(balance_of(f->ledger), 0, 1e-11, 0);
    rig fresh;
    rig_disk(&fresh, &c);
    rig_steps(&fresh, 3000);
    (void)haw_simulation_frame(fresh.simulation);
    rig_steps(&fresh, 1000);
    const haw_frame *g = haw_simulation_frame(fresh.simulation);
    assert_near(f->pair[0].normal_sum, g->pair[0].normal_sum, 0, 1e-12);
    haw_state_free(r.context, kept);
    rig_close(&fresh);
    rig_close(&r);
}

/* Another step begins its grid of times at the checkpoint: steps are as long as asked for. */
static void another_step_starts_its_clock_at_the_checkpoint(void **state)
{
    (void)state;
    const double steps[2] = {2e-5, 5e-6};
    rig r;
    disk_case c;
    disk_case_init(&c);
    haw_state *kept = checkpoint(&r, &c, 1000);
    for (int i = 0; i < 2; i++) {
        rig other;
        disk_case d = c;
        d.step = steps[i];
        rig_disk(&other, &d);
        assert_int_equal(haw_simulation_restore(other.simulation, kept), HAW_OK);
        for (int k = 1; k <= 3; k++) {
            rig_step(&other);
            assert_near(other.state->t, 0.01 + k * steps[i], 1e-15, 0);
        }
        rig_close(&other);
    }
    haw_state_free(r.context, kept);
    rig_close(&r);
}

static void there_is_no_step_beyond_the_end(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    c.end = 2.5e-5;
    rig_disk(&r, &c);
    rig_steps(&r, 3);
    assert_near(r.state->t, 2.5e-5, 0, 0);
    assert_int_equal(haw_simulation_step(r.simulation), HAW_DONE);
    assert_true(haw_simulation_is_done(r.simulation));
    assert_true(r.state->step == 3 && r.state->t == 2.5e-5);
    rig_close(&r);
}

/* Two disks that meet at any speed are seen, whichever of them is named first. */
static void fast_disks_do_not_pass_through_each_other_unseen(void **state)
{
    (void)state;
    for (int first = 0; first < 2; first++) {
        rig r;
        rig_open(&r);
        haw_body_spec body[2] = {haw_body_spec_default(), haw_body_spec_default()};
        haw_contact_spec contact = haw_contact_spec_default();
        const char *const names[2] = {"fast", "still"};
        for (int i = 0; i < 2; i++) {
            body[i].name = names[i];
            body[i].shape = "circle";
            body[i].shape_options[0] = 0.01;
            body[i].mass = 1;
            contact.between[i] = names[i == first ? 0 : 1];
        }
        body[0].position[0] = -0.15;
        body[0].velocity[0] = 1000;
        const haw_scene scene = {.bodies = 2, .body = body, .contacts = 1, .contact = &contact};
        rig_time(&r, 1e-4, 0.01, 0);
        rig_build(&r, &scene);
        haw_status status = HAW_OK;
        for (int i = 0; i < 10 && status == HAW_OK; i++) {
            status = haw_simulation_step(r.simulation);
        }
        assert_int_equal(status, HAW_ERR_GUARD);
        rig_close(&r);
    }
}

TEST_FILE(test_restore)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_earlier_state_takes_ledger_and_averages_along),
        cmocka_unit_test(another_step_starts_its_clock_at_the_checkpoint),
        cmocka_unit_test(there_is_no_step_beyond_the_end),
        cmocka_unit_test(fast_disks_do_not_pass_through_each_other_unseen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
