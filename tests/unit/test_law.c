/* SPDX-License-Identifier: BSD-3-Clause */
#include "law/law.h"
#include "support/near.h"

#include <string.h>

static void every_row_can_be_found(void **state)
{
    (void)state;
    for (int i = 0; haw_laws[i] != NULL; i++) {
        assert_ptr_equal(haw_law_find(haw_laws[i]->name), haw_laws[i]);
        assert_true(strlen(haw_laws[i]->summary) > 0 && strlen(haw_laws[i]->source) > 0);
    }
    assert_null(haw_law_find("soft"));
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
    assert_true(haw_law_hard.set_valued);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_can_be_found),
        cmocka_unit_test(restitution_shifts_the_velocity),
        cmocka_unit_test(without_restitution_nothing_is_shifted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
