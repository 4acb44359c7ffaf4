/* SPDX-License-Identifier: BSD-3-Clause */
/* Probes watched at every step: first crossings, largest values, scale and shift. */
#include "support/rig.h"
#include "support/space_run.h"

enum { WATCHES = 6 };

static const char middle[] = "yarn.position.z[0.52:0.52]"; /* node 13 of 25 */
static const double level = 2e-3;

static void open_watched(space_run *run, int count, const char *const *probe,
                         const char *const *name, const haw_probe_watch *watch)
{
    space_run_read(run, 0, NULL);
    run->settings.every = 0.7; /* frames are rare: the watch does not wait for them */
    run->settings.probes = count;
    run->settings.probe = probe;
    run->settings.probe_name = name;
    run->settings.probe_mean = NULL;
    run->settings.probe_watch = watch;
}

static const char *const probes[WATCHES] = {middle, middle, middle, middle, "drum.spin", middle};
static const char *const keys[WATCHES] = {"value", "crossing", "largest", "early", "spin", "never"};
static const haw_probe_watch watches[WATCHES] = {
    {.scale = 1},
    {.kind = HAW_WATCH_FIRST_ABOVE, .level = 2e-3, .until = 1e9, .scale = 1},
    {.kind = HAW_WATCH_MAXIMUM, .until = 1e9, .scale = 1},
    {.kind = HAW_WATCH_MAXIMUM, .after = 2.2, .until = 2.5, .scale = 100, .shift = -1},
    {.kind = HAW_WATCH_MAXIMUM, .until = 0.3, .scale = 1},
    {.kind = HAW_WATCH_FIRST_ABOVE, .level = 1e3, .until = 1e9, .scale = 1},
};

static void watches_see_every_step(void **state)
{
    space_run run;
    double before = 0, crossing = (double)NAN, largest = 0, early = -1e9;
    (void)state;
    open_watched(&run, WATCHES, probes, keys, watches);
    space_run_start(&run);
    while (!haw_simulation_is_done(run.simulation)) {
        const double t_before = run.state->t;
        space_run_step(&run);
        const double t = run.state->t;
        const double z = run.state->q[run.simulation->model.cable[0].first_q + 7 * 13 + 2];
        if (isnan(crossing) && fabs(z) > level) {
            crossing = t_before + (t - t_before) * (level - before) / (fabs(z) - before);
        }
        before = fabs(z);
        largest = fmax(largest, z);
        early = t > 2.2 - 1e-9 && t < 2.5 + 1e-9 ? fmax(early, z) : early;
    }
    const double *value = haw_simulation_frame(run.simulation)->probe;
    assert_true(crossing > 2 && crossing < 3);
    assert_near(value[1], crossing, 1e-12, 0);
    assert_near(value[2], largest, 1e-14, 0);
    assert_near(value[3], 100 * early - 1, 1e-12, 0);
    assert_true(value[0] <= value[2]);
    /* 1.2 (3 s^2 - 2 s^3) at 0.3 / 0.5 */
    assert_near(value[4], 1.2 * 0.36 * (3 - 1.2), 1e-12, 0);
    assert_true(isnan(value[5]));
    assert_string_equal(haw_simulation_probe_unit(run.simulation, 1), "s");
    assert_string_equal(haw_simulation_probe_unit(run.simulation, 2), "m");
    assert_string_equal(haw_simulation_probe_unit(run.simulation, 3), "");
    space_run_close(&run);
}

/* Between two looks the value is taken for linear; the first look has nothing before it. */
static void crossings_are_interpolated(void **state)
{
    const haw_probe fresh = {
        .watch = {.kind = HAW_WATCH_FIRST_ABOVE, .level = 2, .until = 10, .scale = 1},
        .component = 0,
        .seen_t = (double)NAN,
        .seen = (double)NAN,
        .extreme = (double)NAN};
    haw_probe probe = fresh;
    double value = 0;
    (void)state;
    haw_probe_watch_look(&probe, 1, 1);
    haw_probe_watch_look(&probe, 2, -5); /* |value| from 1 to 5 */
    haw_probe_watch_look(&probe, 3, 9);
    haw_probe_watch_result(&probe, &value);
    assert_near(value, 1.25, 1e-15, 0);
    probe = fresh;
    haw_probe_watch_look(&probe, 4, 3);
    haw_probe_watch_result(&probe, &value);
    assert_near(value, 4, 0, 0);
    probe = fresh;
    haw_probe_watch_look(&probe, 11, 3); /* too late */
    haw_probe_watch_result(&probe, &value);
    assert_true(isnan(value));
    probe = fresh;
    haw_probe_watch_look(&probe, 1, 2); /* on the level is not above */
    haw_probe_watch_look(&probe, 2, 4);
    haw_probe_watch_result(&probe, &value);
    assert_near(value, 1, 0, 0);
}

/* A state that is put back begins a new run for the watch. */
static void a_restored_state_forgets_what_was_seen(void **state)
{
    space_run run;
    haw_state *start = NULL;
    (void)state;
    open_watched(&run, WATCHES, probes, keys, watches);
    space_run_start(&run);
    assert_int_equal(haw_state_create(run.context, run.model, &start), HAW_OK);
    haw_state_copy(start, run.state);
    for (int i = 0; i < 60; i++) {
        space_run_step(&run);
    }
    assert_true(haw_simulation_frame(run.simulation)->probe[4] > 0.5);
    assert_int_equal(haw_simulation_restore(run.simulation, start), HAW_OK);
    space_run_step(&run);
    assert_true(haw_simulation_frame(run.simulation)->probe[4] < 0.01);
    haw_state_free(run.context, start);
    space_run_close(&run);
}

static void vectors_are_scaled_and_shifted(void **state)
{
    static const char *const names[] = {"drum.position", "drum.spin"};
    static const haw_probe_watch scaled[] = {{.scale = 2, .shift = 1}, {.scale = 0}};
    space_run run;
    (void)state;
    open_watched(&run, 2, names, NULL, scaled);
    space_run_start(&run);
    for (int i = 0; i < 200; i++) {
        space_run_step(&run);
    }
    const double *value = haw_simulation_frame(run.simulation)->probe;
    assert_near(value[2], 1, 0, 0);
    assert_near(value[3], 1.2, 1e-12, 0); /* an empty watch changes nothing */
    space_run_close(&run);
}

static void assert_refused(const char *probe, double mean, const char *reason)
{
    const haw_probe_watch watch = {.kind = HAW_WATCH_MAXIMUM, .until = 1, .scale = 1};
    space_run run;
    open_watched(&run, 1, &probe, NULL, &watch);
    run.settings.every = 0.1;
    run.settings.probe_mean = &mean;
    assert_int_equal(space_run_try(&run), HAW_ERR_INPUT);
    if (strstr(haw_context_message(run.context), reason) == NULL) {
        fail_msg("'%s' does not say '%s'", haw_context_message(run.context), reason);
    }
    space_run_close(&run);
}

static void what_has_no_value_at_every_step_is_not_watched(void **state)
{
    (void)state;
    assert_refused("yarn.position", 0, "only a single value can be watched");
    assert_refused("contact.normal_sum", 0, "mean over the time between two frames");
    assert_refused("contact.force.x", 0, "mean over the time between two frames");
    assert_refused("drum.spin", 1, "exclude each other");
}

/* Planar models have watches and components too. */
static void planar_probes_are_watched(void **state)
{
    static const char *const names[] = {"disk.position.y", "disk.velocity.x", "disk.position"};
    static const haw_probe_watch watch[] = {
        {.kind = HAW_WATCH_MAXIMUM, .until = 1e9, .scale = 1},
        {.kind = HAW_WATCH_FIRST_ABOVE, .level = 0, .until = 1e9, .scale = 1},
        {.scale = 1}};
    rig r;
    disk_case c;
    double highest = -1e9;
    (void)state;
    disk_case_init(&c);
    rig_disk_settings(&r, &c);
    r.settings.probes = 3;
    r.settings.probe = names;
    r.settings.probe_watch = watch;
    rig_build(&r, disk_case_scene(&c));
    for (int i = 0; i < 500; i++) {
        rig_step(&r);
        highest = fmax(highest, r.state->q[1]);
    }
    const haw_frame *frame = haw_simulation_frame(r.simulation);
    assert_int_equal(frame->probe_values, 4);
    assert_near(frame->probe[0], highest, 0, 0);
    assert_near(frame->probe[1], r.simulation->step, 1e-15, 0);
    assert_near(frame->probe[3], r.state->q[1], 0, 0);
    rig_close(&r);
}

TEST_FILE(test_probe_watch)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(watches_see_every_step),
        cmocka_unit_test(crossings_are_interpolated),
        cmocka_unit_test(a_restored_state_forgets_what_was_seen),
        cmocka_unit_test(vectors_are_scaled_and_shifted),
        cmocka_unit_test(what_has_no_value_at_every_step_is_not_watched),
        cmocka_unit_test(planar_probes_are_watched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
