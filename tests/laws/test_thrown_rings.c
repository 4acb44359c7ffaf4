/* SPDX-License-Identifier: BSD-3-Clause */
/* Rings thrown at each other; tests/long has a thousand more. */
#include "support/near.h"
#include "support/thrown.h"

static void none_passes_through_another(void **state)
{
    (void)state;
    assert_in_range(thrown_rings(1, 6), 3, 6);
}

/* On springs so stiff that a whole step of Newton's method throws a ring through the other, or its
 * friction about: each ended with a message as long as such steps were only halved. */
static void stiff_ones_come_to_their_end(void **state)
{
    static const unsigned seed[] = {1085, 1090, 1112, 1201};
    (void)state;
    for (size_t i = 0; i < sizeof seed / sizeof *seed; i++) {
        assert_int_equal(thrown_rings(seed[i], 1), 1);
    }
}

TEST_FILE(test_thrown_rings)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_passes_through_another),
        cmocka_unit_test(stiff_ones_come_to_their_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
