/* SPDX-License-Identifier: BSD-3-Clause */
/* Rings thrown at each other; a thousand pairs, tests/laws has the first ones. */
#include "support/near.h"
#include "support/thrown.h"

static void none_passes_through_another(void **state)
{
    (void)state;
    assert_in_range(thrown_rings(1000, 1000), 650, 1000);
}

TEST_FILE(test_thrown_rings)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_passes_through_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
