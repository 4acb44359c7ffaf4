/* SPDX-License-Identifier: BSD-3-Clause */
/* Two hundred scenes of beginners; tests/laws/test_first_scenes.c has a dozen of them. */
#include "support/near.h"
#include "support/random_scene.h"

static void scenes_of_beginners_run_or_say_what_helps(void **state)
{
    (void)state;
    first_scenes(UINT64_C(1000), 200);
}

TEST_FILE(test_first_scenes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_of_beginners_run_or_say_what_helps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
