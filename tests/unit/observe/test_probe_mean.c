/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of probes in the results, and means over the last frames. */
#include "support/rig.h"

/* Names in the results are the given ones, or the probe itself. */
static void a_name_stands_for_a_probe(void **state)
{
    (void)state;
    static const char *const probe[3] = {"disk.spin", "disk.angle", "cable.length"};
    static const char *const name[3] = {"omega", NULL, "length"};
    haw_run_settings settings = {.probes = 3, .probe = probe};
    assert_string_equal(haw_run_probe_name(&settings, 0), "disk.spin");
    settings.probe_name = name;
    assert_string_equal(haw_run_probe_name(&settings, 0), "omega");
    assert_string_equal(haw_run_probe_name(&settings, 1), "disk.angle");
    assert_string_equal(haw_run_probe_name(&settings, 2), "length");
}

/* The last 0.2 s of frames every 0.01 s are 20, from (t - 0.2, t]; without enough, what is there.
 */
static void a_mean_is_that_of_the_frames_of_its_time(void **state)
{
    (void)state;

    enum { EVERY = 1000, FRAMES = 25, KEPT = 20 };

    static const char *const probe[3] = {"disk.position", "disk.position", "disk.spin"};
    static const char *const name[3] = {"now", "mean", "spin"};
    static const double mean[3] = {0, 0.2, 0};
    rig r;
    disk_case c;
    disk_case_init(&c);
    rig_disk_settings(&r, &c);
    r.settings.every = 0.01;
    r.settings.probes = 3;
    r.settings.probe = probe;
    r.settings.probe_name = name;
    r.settings.probe_mean = mean;
    rig_build(&r, disk_case_scene(&c));
    double x[FRAMES + 1];
    for (int i = 0; i <= FRAMES; i++) {
        rig_steps(&r, i > 0 ? EVERY : 0);
        (void)haw_simulation_frame(r.simulation); /* read twice, counts once */
        const haw_frame *f = haw_simulation_frame(r.simulation);
        double sum = 0;
        const int first = i < KEPT ? 0 : i - KEPT + 1;
        x[i] = f->probe[0];
        for (int k = first; k <= i; k++) {
            sum += x[k] / (i - first + 1);
        }
        assert_near(f->probe[2], sum, 1e-15, 1e-14);
        assert_true(f->probe[4] == f->state->u[2]);
    }
    haw_state *start = NULL;
    assert_int_equal(haw_state_create(r.context, r.model, &start), HAW_OK);
    assert_int_equal(haw_simulation_restore(r.simulation, start), HAW_OK);
    assert_true(haw_simulation_frame(r.simulation)->probe[2] == -0.15);
    haw_state_free(r.context, start);
    rig_close(&r);
}

/* What is not a number is left out: the contact is there in a part of the frames only. */
static void means_leave_out_what_is_not_a_number(void **state)
{
    (void)state;
    static const char *const probe[2] = {"contact.entry", "cable-disk.entry"};
    static const char *const name[2] = {"entry", "entry_mean"};
    static const double mean[2] = {0, 0.1};
    rig r;
    disk_case c;
    disk_case_init(&c);
    rig_disk_settings(&r, &c);
    r.settings.every = 0.001;
    r.settings.probes = 2;
    r.settings.probe = probe;
    r.settings.probe_name = name;
    r.settings.probe_mean = mean;
    rig_build(&r, disk_case_scene(&c));
    double sum = 0;
    int numbers = 0;
    for (int i = 0; i < 60; i++) {
        rig_steps(&r, 100);
        const haw_frame *f = haw_simulation_frame(r.simulation);
        if (!isnan(f->probe[0])) {
            sum += f->probe[0];
            numbers++;
        }
        assert_true(numbers > 0 || isnan(f->probe[1]));
        if (numbers > 0) {
            assert_near(f->probe[1], sum / numbers, 1e-14, 0);
        }
    }
    assert_true(numbers > 1 && numbers < 50);
    rig_close(&r);
}

static void means_and_names_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const char *const probe[2] = {"disk.spin", "disk.angle"};
    static const char *const same[2] = {"a", "a"}, *const empty[2] = {"a", ""};
    static const double negative[2] = {0, -1}, huge[2] = {0, 1e9};
    static const double nothing[2] = {0, (double)NAN};
    rig r;
    disk_case c;
    disk_case_init(&c);
    for (int i = 0; i < 5; i++) {
        rig_disk_settings(&r, &c);
        r.settings.probes = 2;
        r.settings.probe = probe;
        r.settings.probe_name = i == 0 ? same : i == 1 ? empty : NULL;
        r.settings.probe_mean = i == 2 ? negative : i == 3 ? huge : i == 4 ? nothing : NULL;
        RIG_REFUSES(&r, disk_case_scene(&c), i == 0 ? "named 'a'" : "'disk.angle'",
                    i == 0   ? "two probes"
                    : i == 1 ? "empty"
                             : "a mean over");
        rig_close(&r);
    }
}

TEST_FILE(test_probe_mean)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_stands_for_a_probe),
        cmocka_unit_test(a_mean_is_that_of_the_frames_of_its_time),
        cmocka_unit_test(means_leave_out_what_is_not_a_number),
        cmocka_unit_test(means_and_names_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
