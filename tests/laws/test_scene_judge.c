/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The judge of random scenes is judged: scenes that it finds right are run again by a program that
 * spoils the answer, or measured by a wrong surface, and it must find each of these wrong.
 */
#include "support/near.h"
#include "support/random_scene.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 512, FIRST = 1000000, TRIED = 100, MEET = 3, THICKER = 1000 /* m */ };

static random_scene scene;
static scene_verdict verdict;
static char folder[PATH], program[PATH], spoiler[PATH];

/* A program that runs hawser and edits what it prints, as `sed` would, or what it leaves. */
static int write_spoiler(void **state)
{
    (void)state;
    assert_non_null(getenv("HAWSER"));
    (void)snprintf(program, PATH, "%s", getenv("HAWSER"));
    (void)snprintf(folder, PATH, "%s/judge-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    assert_non_null(mkdtemp(folder));
    (void)snprintf(spoiler, PATH, "%.400s/spoiler", folder);
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    FILE *file = fopen(spoiler, "w");
    assert_non_null(file);
    (void)fprintf(file,
                  "#!/bin/sh\n"
                  "'%s' \"$@\" | sed \"$SPOIL_TEXT\"\n"
                  "eval \"$SPOIL_END\"\n",
                  program);
    assert_int_equal(fclose(file), 0);
    return chmod(spoiler, 0755);
}

static int remove_spoiler(void **state)
{
    static const char *const left[] = {"scene.yaml", "scene.h5", "scene.json", "scene.err",
                                       "spoiler"};
    (void)state;
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        char path[PATH];
        (void)snprintf(path, PATH, "%.400s/%s", folder, left[i]);
        (void)remove(path);
    }
    return rmdir(folder);
}

static scene_end judge(const char *by, const char *text, const char *end)
{
    (void)setenv("HAWSER", by, 1);
    (void)setenv("SPOIL_TEXT", text, 1);
    (void)setenv("SPOIL_END", end, 1);
    random_scene_run(&scene, folder, &verdict);
    (void)setenv("HAWSER", program, 1);
    return verdict.end;
}

/* The next scene that runs to its end; strict: and whose every step is judged. */
static int next_scene(int from, bool strict)
{
    for (int i = from; i < TRIED; i++) {
        random_scene_write(FIRST + (uint64_t)i, &scene);
        const bool is_strict = strstr(scene.text, "on_unconverged: stop") != NULL &&
                               strstr(scene.text, "static") == NULL;
        if ((is_strict || !strict) && judge(program, "", "") == SCENE_DONE) {
            return i;
        }
    }
    return TRIED;
}

/* Each spoils what the program prints, or how it ends. */
static void answers_are_spoiled(void **state)
{
    static const struct {
        const char *text, *end;
    } spoils[] = {
        {"s/\"balance_error\": [^,]*/\"balance_error\": 1e9/", ""},
        {"s/\"balance_drift\": [^,]*/\"balance_drift\": 1e9/", ""},
        {"s/\"kinetic\": [^,]*/\"kinetic\": 1e9/", ""},
        {"s/\"friction_loss\": [^,]*/\"friction_loss\": null/", ""},
        {"s/\"residual_max\": [^,]*/\"residual_max\": 2e-8/", ""},
        {"s/\"cone_max\": [^,]*/\"cone_max\": null/", ""},
        {"s/\"joint_drift_max\": [^,]*/\"joint_drift_max\": null/", ""},
        {"s/\"unconverged_steps\": [^,]*/\"unconverged_steps\": 1/", ""},
        {"d", ""},
        {"", "exit 2"},
        {"", "kill -SEGV $$"},
        {"", "kill -XCPU $$"},
        {"", "rm -f \"$4\""},
    };

    (void)state;
    for (int k = 0, at = next_scene(0, true); k < 2; k++, at = next_scene(at + 1, true)) {
        assert_true(at < TRIED);
        assert_int_equal(judge(spoiler, "", ""), SCENE_DONE);
        for (size_t i = 0; i < sizeof spoils / sizeof *spoils; i++) {
            if (judge(spoiler, spoils[i].text, spoils[i].end) != SCENE_WRONG) {
                fail_msg("%s %s: not seen", spoils[i].text, spoils[i].end);
            }
        }
    }
}

/* What is thicker than the scene has it is inside, wherever a depth is promised. */
static void depths_are_seen(void **state)
{
    (void)state;
    int judged = 0;
    for (int at = next_scene(0, false); judged < MEET; at = next_scene(at + 1, false)) {
        assert_true(at < TRIED);
        for (int i = 0; i < scene.meetings; i++) {
            const meeting was = scene.meeting[i];
            if (!was.is_cable || isfinite(was.radius)) {
                scene.meeting[i].thickness += THICKER;
                assert_int_equal(judge(program, "", ""), SCENE_WRONG);
                scene.meeting[i] = was;
                judged++;
            }
        }
    }
}

TEST_FILE(test_scene_judge)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_spoiled),
        cmocka_unit_test(depths_are_seen),
    };
    return cmocka_run_group_tests(tests, write_spoiler, remove_spoiler);
}
