/* SPDX-License-Identifier: BSD-3-Clause */
/* refine: minima keeps the local minima of the gap in every run of neighbouring closed points. */
#include "contact/contact.h"
#include "stepper/simulation.h"
#include "support/random.h"
#include "support/rig.h"

enum { ELEMENTS = 20, PER_ELEMENT = 32, POINTS = ELEMENTS * PER_ELEMENT };

static void open_refined(rig *r, disk_case *c, int refine)
{
    disk_case_init(c);
    c->elements = ELEMENTS;
    c->points = PER_ELEMENT;
    c->contact.refine = refine;
    rig_disk(r, c);
}

/* Bend the cable so that it dips into the disk in several places. */
static void corrugate(haw_simulation *s, uint64_t *seed)
{
    double *q = s->state->q;
    q[0] = -0.097;
    for (int i = 1; i < ELEMENTS; i++) {
        q[3 + 4 * i] = 0.004 * random_signed(seed);
        q[3 + 4 * i + 2] = 0.4 * random_signed(seed);
    }
}

/* The definition, over the full list of closed points. */
static bool is_minimum(const haw_touch *all, int count, int i)
{
    const bool left = i > 0 && all[i - 1].id == all[i].id - 1;
    const bool right = i + 1 < count && all[i + 1].id == all[i].id + 1;
    return (!left || all[i].gap <= all[i - 1].gap) && (!right || all[i].gap < all[i + 1].gap);
}

static void only_local_minima_of_the_gap_are_kept(void **state)
{
    (void)state;
    rig full, refined;
    disk_case c;
    uint64_t seed = 7;
    int kept = 0, closed = 0;
    open_refined(&full, &c, HAW_REFINE_OFF);
    open_refined(&refined, &c, HAW_REFINE_MINIMA);
    const haw_contacts *a = full.simulation->contacts, *b = refined.simulation->contacts;
    for (int k = 0; k < 300; k++) {
        corrugate(full.simulation, &seed);
        haw_state_copy(refined.simulation->state, full.state);
        const double *q = full.state->q, *u = full.state->u;
        assert_int_equal(haw_contacts_detect(full.simulation->contacts, q, u, 0), HAW_OK);
        assert_int_equal(haw_contacts_detect(refined.simulation->contacts, q, u, 0), HAW_OK);
        int next = 0;
        for (int i = 0; i < a->count; i++) {
            if (is_minimum(a->item, a->count, i)) {
                assert_true(next < b->count);
                assert_memory_equal(&b->item[next++], &a->item[i], sizeof *a->item);
            }
        }
        assert_int_equal(next, b->count);
        closed += a->count;
        kept += b->count;
    }
    print_message("%d of %d closed points kept\n", kept, closed);
    assert_true(kept > 100 && closed > 2 * kept);
    rig_close(&full);
    rig_close(&refined);
}

/* On a dense grid the impact is the same and the solver's work far less. */
static void a_refined_dense_grid_gives_the_same_impact(void **state)
{
    (void)state;
    rig full, refined;
    disk_case c;
    open_refined(&full, &c, HAW_REFINE_OFF);
    open_refined(&refined, &c, HAW_REFINE_MINIMA);
    rig_steps(&full, 3000);
    rig_steps(&refined, 3000);
    const haw_certificate *a = &full.simulation->certificate;
    const haw_certificate *b = &refined.simulation->certificate;
    print_message("vx %.8f, %.8f; iterations %ld, %ld\n", full.state->u[0], refined.state->u[0],
                  a->iterations_total, b->iterations_total);
    assert_near(refined.state->u[0], full.state->u[0], 1e-3, 0);
    assert_near(refined.state->u[2], full.state->u[2], 0.05, 0);
    assert_true(b->iterations_total < a->iterations_total);
    assert_true(b->penetration_points_max < 1e-4);
    rig_close(&full);
    rig_close(&refined);
}

TEST_FILE(test_contact_refine)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_local_minima_of_the_gap_are_kept),
        cmocka_unit_test(a_refined_dense_grid_gives_the_same_impact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
