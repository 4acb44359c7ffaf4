/* SPDX-License-Identifier: BSD-3-Clause */
/* refine: minima keeps the local minima of the gap in every run of neighbouring closed points;
 * contact finds all points of the dense grid; liftoff those of the coarse one but beside the end of
 * a contact. */
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

/* ---- contact ---- */

/* Bend and stretch a cable of any element near the disk. */
static void shake(rig *r, double size, uint64_t *seed)
{
    const haw_cable *cable = &r->model->cable[0];
    double *q = r->simulation->state->q;
    memcpy(q, r->model->body[0].start, 3 * sizeof *q);
    q[0] = -0.095 - 0.02 * fabs(random_signed(seed));
    memcpy(q + cable->first, cable->start, (size_t)cable->line.dofs * sizeof *q);
    for (int i = 0; i < cable->line.dofs; i++) {
        q[cable->first + i] += size * random_signed(seed);
    }
}

static void open_case(rig *r, disk_case *c, const char *element, int refine, int points)
{
    disk_case_init(c);
    c->element = element;
    c->elements = ELEMENTS;
    c->points = points;
    c->contact.refine = refine;
    rig_disk(r, c);
}

/* Whatever is closed, or within a margin, on the dense grid is found, with the same id and rows,
 * and most of the rest of the grid is never looked at. */
static void compare_contact(const char *element, double offset)
{
    rig dense, refined;
    disk_case c;
    uint64_t seed = 11;
    long closed = 0, looked[2] = {0, 0};
    open_case(&dense, &c, element, HAW_REFINE_OFF, PER_ELEMENT);
    open_case(&refined, &c, element, HAW_REFINE_CONTACT, PER_ELEMENT / 4);
    haw_contacts *a = dense.simulation->contacts, *b = refined.simulation->contacts;
    assert_int_equal(dense.model->points, refined.model->points);
    dense.simulation->model.pair[0].offset = refined.simulation->model.pair[0].offset = offset;
    for (int k = 0; k < 300; k++) {
        shake(&dense, k % 4 == 3 ? 0.03 : 0.003 * (k % 4), &seed); /* up to bends within 3 cm */
        a->margin = b->margin = k % 2 == 0 ? 0 : 0.005;
        const double *q = dense.state->q, *u = dense.state->u;
        assert_int_equal(haw_contacts_detect(a, q, u, 0), HAW_OK);
        assert_int_equal(haw_contacts_detect(b, q, u, 0), HAW_OK);
        assert_int_equal(b->count, a->count);
        for (int i = 0; i < a->count; i++) {
            assert_memory_equal(&b->item[i], &a->item[i], sizeof *a->item);
        }
        closed += a->count;
        looked[0] += *a->looked;
        looked[1] += *b->looked;
    }
    print_message("%s: %ld closed points of %ld that were looked at, of %ld on the dense grid\n",
                  element, closed, looked[1], looked[0]);
    assert_true(closed > 1000 && looked[1] < looked[0]);
    rig_close(&dense);
    rig_close(&refined);
}

static void a_grid_refined_by_contact_misses_no_point_of_the_dense_one(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        compare_contact(haw_elements[i]->name, 0);
        compare_contact(haw_elements[i]->name, 0.002);
    }
}

/* The ball about each part of an element ends where its tip touches. */
static void a_part_that_points_at_the_disk_is_found_at_its_tip(void **state)
{
    (void)state;

    enum { TIP = 10 };

    rig r;
    disk_case c;
    open_case(&r, &c, "chain", HAW_REFINE_CONTACT, PER_ELEMENT / 4);
    haw_contacts *contacts = r.simulation->contacts;
    double *q = r.simulation->state->q, *node = q + r.model->cable[0].first;
    for (int i = 0; i < TIP; i++) { /* out of the way of the rest */
        node[2 * i] = 5;
        node[2 * i + 1] = 3;
    }
    for (int i = -1; i <= 1; i++) { /* the contact line beside the cable or on it */
        const double offset = 0.02 * i;
        r.simulation->model.pair[0].offset = offset;
        q[0] = node[2 * TIP] - offset;
        q[1] = node[2 * TIP + 1] - c.body.shape_options[0] + 1e-12;
        assert_int_equal(haw_contacts_detect(contacts, q, r.state->u, 0), HAW_OK);
        assert_int_equal(contacts->count, 1);
        assert_int_equal(contacts->item[0].id, TIP * PER_ELEMENT);
    }
    rig_close(&r);
}

/* Run on from a state that was kept, in a simulation of its own. */
static void a_refined_run_is_restored_with_the_same_bits(void **state)
{
    (void)state;
    for (int law = 0; law < 2; law++) {
        rig r, other;
        disk_case c;
        haw_state *kept = NULL;
        disk_case_init(&c);
        c.points = 8;
        c.contact.refine = HAW_REFINE_CONTACT;
        c.contact.law = law == 0 ? "hard" : "penalty";
        c.contact.normal_stiffness = 1e5;
        c.contact.tangential_stiffness = 1e4;
        rig_disk(&r, &c);
        rig_steps(&r, 1700);
        for (int i = 0; i < 1000 && r.simulation->contacts->count < 2; i++) {
            rig_step(&r);
        }
        assert_true(r.simulation->contacts->count > 1); /* in the impact */
        assert_int_equal(haw_state_create(r.context, r.model, &kept), HAW_OK);
        haw_state_copy(kept, r.state);
        rig_steps(&r, 1500);
        rig_disk(&other, &c);
        assert_int_equal(haw_simulation_restore(other.simulation, kept), HAW_OK);
        rig_steps(&other, 1500);
        assert_memory_equal(other.state->q, r.state->q,
                            (size_t)r.state->coordinates * sizeof(double));
        assert_memory_equal(other.state->u, r.state->u, (size_t)r.state->dofs * sizeof(double));
        haw_state_free(r.context, kept);
        rig_close(&other);
        rig_close(&r);
    }
}

/* ---- liftoff ---- */

static void liftoff_refines_beside_the_end_of_contact_only(void **state)
{
    (void)state;

    enum { COARSE = PER_ELEMENT / 4 };

    rig dense, refined;
    disk_case c;
    int edge = 0;
    open_case(&dense, &c, "bezier", HAW_REFINE_OFF, PER_ELEMENT);
    open_case(&refined, &c, "bezier", HAW_REFINE_LIFTOFF, COARSE);
    haw_contacts *a = dense.simulation->contacts, *b = refined.simulation->contacts;
    bool touches[ELEMENTS + 2] = {false};
    dense.simulation->state->q[0] = 0;
    a->margin = b->margin = 0.15;
    assert_int_equal(haw_contacts_detect(a, dense.state->q, dense.state->u, 0), HAW_OK);
    assert_int_equal(haw_contacts_detect(b, dense.state->q, dense.state->u, 0), HAW_OK);
    for (int i = 0; i < a->count; i++) {
        const int e = a->item[i].id / PER_ELEMENT;
        touches[1 + e] = true;
        touches[e] = touches[e] || a->item[i].id % PER_ELEMENT == 0;
    }
    int next = 0;
    for (int i = 0; i < a->count; i++) {
        const int e = a->item[i].id / PER_ELEMENT;
        const bool is_edge = touches[e + 1] != touches[e] || touches[e + 1] != touches[e + 2];
        if (is_edge || a->item[i].id % 4 == 0) {
            assert_true(next < b->count);
            assert_memory_equal(&b->item[next++], &a->item[i], sizeof *a->item);
        }
        edge += is_edge;
    }
    assert_int_equal(next, b->count);
    assert_in_range(edge, 1, a->count - 1);
    rig_close(&dense);
    rig_close(&refined);
}

static void refinement_needs_what_it_acts_on(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    c.contact.law = "penalty";
    c.contact.normal_stiffness = c.contact.tangential_stiffness = 1e5;
    c.contact.refine = HAW_REFINE_LIFTOFF;
    rig_open(&r);
    RIG_REFUSES(&r, disk_case_scene(&c), "an even grid", "contact or off");
    rig_close(&r);
}

TEST_FILE(test_contact_refine)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_local_minima_of_the_gap_are_kept),
        cmocka_unit_test(a_refined_dense_grid_gives_the_same_impact),
        cmocka_unit_test(a_grid_refined_by_contact_misses_no_point_of_the_dense_one),
        cmocka_unit_test(a_part_that_points_at_the_disk_is_found_at_its_tip),
        cmocka_unit_test(a_refined_run_is_restored_with_the_same_bits),
        cmocka_unit_test(liftoff_refines_beside_the_end_of_contact_only),
        cmocka_unit_test(refinement_needs_what_it_acts_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
