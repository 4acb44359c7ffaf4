/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two thousand random scenes over the grammar; tests/laws/test_random_scenes.c has a hundred others
 * and says what is asked of each.
 */
#include "support/near.h"
#include "support/random_scene.h"

static void nothing_crashes_hangs_or_ends_well_and_is_wrong(void **state)
{
    (void)state;
    random_scenes(UINT64_C(2000000), 2000);
}

TEST_FILE(test_random_scenes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_crashes_hangs_or_ends_well_and_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
