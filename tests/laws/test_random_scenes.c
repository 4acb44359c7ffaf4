/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random scenes over the grammar: every element, stepper, law, surface, end, joint and spring, in
 * the plane and in space. A run is refused, or ends with a message, or its ledger closes, its
 * certificate holds and nothing is deeper inside a surface than its guard allows. tests/long has
 * many more of them.
 */
#include "support/near.h"
#include "support/random_scene.h"

static void nothing_crashes_hangs_or_ends_well_and_is_wrong(void **state)
{
    (void)state;
    random_scenes(UINT64_C(1000000), 100);
}

/* Residuals over forces that are rounding, or none at all; equilibria that took minutes. */
static void what_was_wrong_once_is_right(void **state)
{
    static const uint64_t seeds[] = {88000143, 88000907, 2001300, 71000165};
    (void)state;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        random_scenes(seeds[i], 1);
    }
}

TEST_FILE(test_random_scenes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_wrong_once_is_right),
        cmocka_unit_test(nothing_crashes_hangs_or_ends_well_and_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
