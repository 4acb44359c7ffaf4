/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every shipped scenario goes on from seven of its checkpoints with the same bits.
 * HAWSER_RESUME=name takes one of them, HAWSER_RESUME_SECONDS another length of the first run.
 */
#include "support/near.h"
#include "support/resume.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static void every_scenario_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    const char *only = getenv("HAWSER_RESUME"), *given = getenv("HAWSER_RESUME_SECONDS");
    const double seconds = given != NULL ? strtod(given, NULL) : 0.5;
    struct dirent **entry = NULL;
    const int count = scandir("data/scenarios", &entry, NULL, alphasort);
    int tried = 0;
    for (int i = 0; i < count; i++) {
        char *name = entry[i]->d_name, *end = strstr(name, ".yaml");
        if (end != NULL) {
            *end = '\0';
        }
        if (end != NULL && (only == NULL || strcmp(only, name) == 0)) {
            resume_scenario(name, NULL, seconds, 7, 17U + (unsigned)i);
            tried++;
        }
        free(entry[i]);
    }
    free(entry);
    assert_true(tried > (only == NULL ? 40 : 0));
}

TEST_FILE(test_resume)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scenario_goes_on_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
