/* SPDX-License-Identifier: BSD-3-Clause */
#include "law/law.h"
#include "support/near.h"
#include "support/table.h"

#include <string.h>

static void every_row_can_be_found(void **state)
{
    (void)state;
    for (int i = 0; haw_laws[i] != NULL; i++) {
        assert_ptr_equal(haw_row_find(haw_laws, haw_laws[i]->name), haw_laws[i]);
        assert_true(strlen(haw_laws[i]->summary) > 0 && strlen(haw_laws[i]->source) > 0);
    }
    assert_null(haw_row_find(haw_laws, "soft"));
}

static void every_normal_law_can_be_found(void **state)
{
    (void)state;
    for (int i = 0; haw_normal_laws[i] != NULL; i++) {
        const haw_normal_ops *law = (const haw_normal_ops *)haw_normal_laws[i];

        assert_ptr_equal(haw_row_find(haw_normal_laws, law->row.name), law);
        assert_true(strlen(law->row.summary) > 0 && strlen(law->row.source) > 0);
    }
    assert_ptr_equal(haw_row_find(haw_normal_laws, "linear"), &haw_normal_linear);
    assert_ptr_equal(haw_row_find(haw_normal_laws, "lankarani-nikravesh"), &haw_normal_lankarani);
    assert_ptr_equal(haw_row_find(haw_normal_laws, "hunt-crossley"), &haw_normal_hunt);
    assert_null(haw_row_find(haw_normal_laws, "soft"));
}

/* `coulomb` is the set-valued friction of the hard law, no row of this table. */
static void every_friction_law_can_be_found(void **state)
{
    (void)state;
    for (int i = 0; haw_friction_laws[i] != NULL; i++) {
        const haw_friction_ops *law = (const haw_friction_ops *)haw_friction_laws[i];

        assert_ptr_equal(haw_row_find(haw_friction_laws, law->row.name), law);
        assert_true(strlen(law->row.summary) > 0 && strlen(law->row.source) > 0);
    }
    assert_ptr_equal(haw_row_find(haw_friction_laws, "regularized"), &haw_friction_regularized);
    assert_ptr_equal(haw_row_find(haw_friction_laws, "bristle"), &haw_friction_bristle);
    assert_ptr_equal(haw_row_find(haw_friction_laws, "lugre"), &haw_friction_lugre);
    assert_ptr_equal(haw_row_find(haw_friction_laws, "blend"), &haw_friction_blend);
    assert_null(haw_row_find(haw_friction_laws, "coulomb"));
}

/* Only set-valued laws shift the velocity of a contact problem. */
static void set_valued_laws_and_no_others_have_a_shift(void **state)
{
    (void)state;
    for (int i = 0; haw_laws[i] != NULL; i++) {
        assert_int_equal(law_at(i)->set_valued, law_at(i)->shift != NULL);
    }
    assert_true(haw_law_hard.set_valued);
    assert_false(haw_law_penalty.set_valued);
}

/* u = gamma+ + e gamma-, row by row. */
static void restitution_shifts_the_velocity(void **state)
{
    const haw_law_options options = {0.3, 0.5, 0.25};
    const double minus[3] = {-4.0, 8.0, -12.0}, want[3] = {-2.0, 2.0, -3.0};

    (void)state;
    for (int d = 2; d <= 3; d++) {
        double shift[3] = {NAN, NAN, NAN};

        haw_law_hard.shift(&options, d, minus, shift);
        for (int i = 0; i < d; i++) {
            assert_near(shift[i], want[i], 0.0, 0.0);
        }
        assert_true(d == 3 || isnan(shift[2]));
    }
}

static void without_restitution_nothing_is_shifted(void **state)
{
    const haw_law_options options = {0.3, 0.0, 0.0};
    const double minus[2] = {-4.0, 8.0};
    double shift[2] = {NAN, NAN};

    (void)state;
    haw_law_hard.shift(&options, 2, minus, shift);
    assert_near(shift[0], 0.0, 0.0, 0.0);
    assert_near(shift[1], 0.0, 0.0, 0.0);
}

TEST_FILE(test_law)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_can_be_found),
        cmocka_unit_test(every_normal_law_can_be_found),
        cmocka_unit_test(every_friction_law_can_be_found),
        cmocka_unit_test(set_valued_laws_and_no_others_have_a_shift),
        cmocka_unit_test(restitution_shifts_the_velocity),
        cmocka_unit_test(without_restitution_nothing_is_shifted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
