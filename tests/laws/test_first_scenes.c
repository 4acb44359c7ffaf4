/* SPDX-License-Identifier: BSD-3-Clause */
/* A dozen scenes of beginners (support/first_scene.c); tests/long has two hundred others. */
#include "support/near.h"
#include "support/random_scene.h"

static void scenes_of_beginners_run_or_say_what_helps(void **state)
{
    (void)state;
    first_scenes(UINT64_C(500), 12);
}

TEST_FILE(test_first_scenes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_of_beginners_run_or_say_what_helps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
