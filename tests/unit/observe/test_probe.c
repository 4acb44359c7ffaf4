/* SPDX-License-Identifier: BSD-3-Clause */
/* Every probe against the same quantity taken from the state or the frame. */
#include "observe/probe.h"
#include "support/rig.h"
#include "support/space_run.h"

enum { PROBES = 52 };

static const haw_probe_spec names[PROBES] = {
    {"disk.position"},
    {"disk.angle"},
    {"disk.velocity"},
    {"disk.spin"},
    {"cable.tension_mean"},
    {"cable.tension_mean[0.25:0.5]"},
    {"cable.tension_start"},
    {"cable.tension_end"},
    {"cable.length"},
    {"cable.reaction_start"},
    {"cable.reaction_end"},
    {"cable.position"},
    {"cable.position[0.2:0.3]"},
    {"cable.chord_angle"},
    {"cable.chord_angle[0:0.05]"},
    {"contact.normal_sum"},
    {"contact.tangential_sum"},
    {"cable-disk.force"},
    {"disk-cable.force"},
    {"contact.moment"},
    {"contact.impulse"},
    {"contact.wrap_angle"},
    {"contact.closed"},
    {"contact.sticking"},
    {"disk.torque"},
    {"cable.tension[0.31:0.31]"},
    {"cable.tension[0.25:0.5]"},
    {"cable.tension_tight"},
    {"cable.tension_slack"},
    {"cable.speed_tight"},
    {"cable.speed_slack"},
    {"cable.creep"},
    {"contact.entry"},
    {"cable-disk.entry"},
    {"contact.exit"},
    {"contact.contact_length"},
    {"contact.length"},
    {"contact.gap_min"},
    {"contact.slip_angle"},
    {"contact.stick_angle"},
    {"contact.friction_effective"},
    {"contact.friction_effective_deviation"},
    {"contact.tension_in"},
    {"contact.tension_out"},
    {"cable.velocity[0.6:0.6]"},
    {"cable.tension_max"},
    {"disk.momentum"},
    {"disk.angular_momentum"},
    {"cable.momentum"},
    {"cable.angular_momentum"},
    {"system.momentum"},
    {"system.angular_momentum"},
};

static void open_probed(rig *r, disk_case *c)
{
    disk_case_init(c);
    rig_disk_settings(r, c);
    r->settings.probes = PROBES;
    r->settings.probe = names;
    rig_build(r, disk_case_scene(c));
}

/* Values of a probe in the frame. */
static const double *value(const rig *r, const haw_frame *frame, const char *name)
{
    const double *at = frame->probe;
    for (int i = 0; i < PROBES; i++) {
        if (strcmp(names[i].of, name) == 0) {
            return at;
        }
        at += haw_simulation_probe_size(r->simulation, i);
    }
    fail_msg("no probe %s", name);
    return NULL;
}

/* A frame in the middle of the contact, with points closed in its last step. */
static const haw_frame *contact_frame(rig *r)
{
    rig_steps(r, 4000);
    while (r->simulation->contacts->count == 0) {
        rig_step(r);
    }
    return haw_simulation_frame(r->simulation);
}

static void probes_of_a_body_read_its_state(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    open_probed(&r, &c);
    const haw_frame *f = contact_frame(&r);
    const double *q = f->state->q, *u = f->state->u;
    assert_true(value(&r, f, "disk.position")[0] == q[0]);
    assert_true(value(&r, f, "disk.position")[1] == q[1]);
    assert_true(value(&r, f, "disk.angle")[0] == q[2]);
    assert_true(value(&r, f, "disk.velocity")[0] == u[0]);
    assert_true(value(&r, f, "disk.velocity")[1] == u[1]);
    assert_true(value(&r, f, "disk.spin")[0] == u[2]);
    rig_close(&r);
}

/* Mean tension of the elements [first, end): EA (l / L - 1), l by the elements' own rule. */
static double tension(const rig *r, int first, int end)
{
    const haw_cable *cable = &r->simulation->model.cable[0];
    double length = 0;
    for (int e = first; e < end; e++) {
        length += cable->line.ops->length(&cable->line, e, r->state->q + cable->first);
    }
    return 4e4 * (length / (cable->line.le * (end - first)) - 1);
}

static void probes_of_a_cable_are_those_of_its_range(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    open_probed(&r, &c);
    const haw_frame *f = contact_frame(&r);
    const double *node = f->state->q + 3, le = r.simulation->model.cable[0].line.le;
    assert_near(value(&r, f, "cable.tension_mean")[0], tension(&r, 0, 20), 1e-8, 0);
    assert_near(value(&r, f, "cable.tension_mean[0.25:0.5]")[0], tension(&r, 5, 10), 1e-8, 0);
    assert_near(value(&r, f, "cable.tension_start")[0], tension(&r, 0, 1), 1e-8, 0);
    assert_near(value(&r, f, "cable.tension_end")[0], tension(&r, 19, 20), 1e-8, 0);
    assert_near(value(&r, f, "cable.length")[0], 20 * le * (1 + tension(&r, 0, 20) / 4e4), 0,
                1e-14);
    assert_true(value(&r, f, "cable.position")[0] == node[4 * 10]);
    assert_true(value(&r, f, "cable.position")[1] == node[4 * 10 + 1]);
    assert_near(value(&r, f, "cable.position[0.2:0.3]")[1], node[4 * 5 + 1], 1e-15, 0);
    assert_near(value(&r, f, "cable.chord_angle")[0], 1.5707963267948966, 1e-15, 0);
    assert_near(value(&r, f, "cable.chord_angle[0:0.05]")[0], atan2(node[5], node[4]), 1e-15, 0);
    rig_close(&r);
}

static void probes_of_a_contact_read_the_frame_of_the_pair(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    open_probed(&r, &c);
    const haw_frame *f = contact_frame(&r);
    const haw_pair_frame *p = f->pair;
    assert_true(p->closed > 0 && p->normal_sum > 0);
    assert_true(value(&r, f, "contact.normal_sum")[0] == p->normal_sum);
    assert_true(value(&r, f, "contact.tangential_sum")[0] == p->tangential_sum);
    for (int k = 0; k < 2; k++) {
        assert_true(value(&r, f, "cable-disk.force")[k] == p->force[k]);
        assert_true(value(&r, f, "disk-cable.force")[k] == p->force[k]);
    }
    assert_true(value(&r, f, "contact.moment")[0] == p->moment[2]);
    for (int k = 0; k < 3; k++) {
        assert_true(value(&r, f, "contact.impulse")[k] == p->impulse[k == 2 ? 5 : k]);
    }
    assert_true(value(&r, f, "contact.wrap_angle")[0] == p->wrap_angle);
    assert_true(value(&r, f, "contact.gap_min")[0] == p->gap_min);
    assert_true(value(&r, f, "contact.closed")[0] == p->closed);
    assert_true(value(&r, f, "contact.sticking")[0] == p->sticking);
    rig_close(&r);
}

/* Axial force with its rates at a point, and the mean of the samples at x = 0 and L / 2. */
static void tension_at_a_point_and_over_a_range(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    open_probed(&r, &c);
    const haw_frame *f = contact_frame(&r);
    const haw_line *line = &r.simulation->model.cable[0].line;
    haw_axial axial;
    double sum = 0;
    line->ops->axial(line, 6, 0.2, f->state->q + 3, f->state->u + 3, &axial);
    assert_near(value(&r, f, "cable.tension[0.31:0.31]")[0], axial.tension, 1e-10, 0);
    for (int k = 0; k < 500; k++) { /* midpoints of a hundredth of each of five elements */
        line->ops->axial(line, 5 + k / 100, (k % 100 + 0.5) / 100, f->state->q + 3, f->state->u + 3,
                         &axial);
        sum += axial.tension / 500;
    }
    assert_near(value(&r, f, "cable.tension[0.25:0.5]")[0], sum, 0, 1e-6);
    rig_close(&r);
}

/* Without contact there are no spans and no zones; a probe that has nothing to tell says so. */
static void belts_without_contact_have_no_numbers(void **state)
{
    (void)state;
    static const char *const none[] = {"cable.tension_tight", "cable.tension_slack",
                                       "cable.speed_tight",   "cable.speed_slack",
                                       "cable.creep",         "contact.entry",
                                       "contact.exit",        "contact.slip_angle",
                                       "contact.stick_angle", "contact.friction_effective"};
    rig r;
    disk_case c;
    open_probed(&r, &c);
    rig_steps(&r, 10);
    const haw_frame *f = haw_simulation_frame(r.simulation);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_true(isnan(value(&r, f, none[i])[0]));
    }
    assert_true(value(&r, f, "contact.contact_length")[0] == 0);
    assert_true(value(&r, f, "disk.torque")[0] == 0);
    rig_close(&r);
}

/* Two disks at one cable: `contact` is the sum of the pairs. */
static void contact_without_a_pair_sums_over_all(void **state)
{
    (void)state;
    static const haw_probe_spec probe[4] = {{"contact.impulse"},
                                            {"cable-disk.impulse"},
                                            {"other-cable.impulse"},
                                            {"contact.normal_sum"}};
    rig r;
    disk_case c;
    disk_case_init(&c);
    rig_disk_settings(&r, &c);
    haw_scene scene = *disk_case_scene(&c);
    haw_body_spec body[2] = {c.body, c.body};
    haw_contact_spec contact[2] = {c.contact, c.contact};
    body[0].position[1] = 0.5;
    body[1].position[1] = 1.5;
    body[1].name = contact[1].between[0] = "other";
    contact[1].between[1] = "cable";
    scene.bodies = scene.contacts = 2;
    scene.body = body;
    scene.contact = contact;
    r.settings.probes = 4;
    r.settings.probe = probe;
    rig_build(&r, &scene);
    rig_steps(&r, 3000);
    const haw_frame *f = haw_simulation_frame(r.simulation);
    assert_int_equal(f->probe_values, 10);
    for (int k = 0; k < 3; k++) {
        assert_near(f->probe[k], f->probe[3 + k] + f->probe[6 + k], 1e-15, 1e-15);
        assert_true(f->probe[3 + k] == f->pair[0].impulse[k == 2 ? 5 : k]);
        assert_true(f->probe[6 + k] == f->pair[1].impulse[k == 2 ? 5 : k]);
    }
    assert_true(f->probe[3] < -0.1 && f->probe[6] < -0.1);
    assert_near(f->probe[9], f->pair[0].normal_sum + f->pair[1].normal_sum, 0, 1e-15);
    rig_drop(&r);
    r.settings.probes = 1;
    r.settings.probe = &(haw_probe_spec){"contact.entry"};
    RIG_REFUSES(&r, &scene, "several pairs", "cable-disk.entry");
    rig_close(&r);
}

/* Every row of the table is one of the names above, and says its size and unit. */
static void every_row_has_a_size_and_a_unit(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    open_probed(&r, &c);
    int values = 0;
    for (int k = 0; haw_probes[k] != NULL; k++) {
        const haw_probe_row *row = (const haw_probe_row *)haw_probes[k];
        bool seen = row->size[2] == 0 || row->kind == HAW_PROBE_JOINT ||
                    (row->traits & HAW_PROBE_SHEAVES) != 0; /* none here */
        for (int i = 0; i < PROBES; i++) {
            const haw_probe *probe = &r.simulation->observation->probe[i];
            seen = seen || probe->row == row;
            assert_true(probe->row != row ||
                        (haw_simulation_probe_size(r.simulation, i) == row->size[2] &&
                         strcmp(haw_simulation_probe_unit(r.simulation, i), row->unit) == 0));
        }
        assert_true(seen);
        assert_true(strlen(row->row.summary) > 5 && row->size[2] <= 3 &&
                    row->size[2] + row->size[3] >= 1);
    }
    for (int i = 0; i < PROBES; i++) {
        values += haw_simulation_probe_size(r.simulation, i);
    }
    assert_int_equal(haw_simulation_frame(r.simulation)->probe_values, values);
    assert_string_equal(haw_simulation_probe_unit(r.simulation, 3), "rad/s");
    rig_close(&r);
}

static void probes_that_mean_nothing_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "disk",
        "",
        "disk.",
        "disc.position",
        "disk.positon",
        "cable.spin",
        "wall.angle",
        "disk-disk.force",
        "cable.tension_mean[0.5:0.5]",
        "cable.tension_mean[0.5:0.2]",
        "cable.tension_mean[0:1.5]",
        "cable.tension_mean[a:b]",
        "cable.tension_mean[0.1]",
        "cable.tension_mean[0.1:0.2",
        "cable.tension_mean[0:1]x",
        "disk.position[0:1]",
        "contact.normal_sum[0:1]",
        "cable.tension_mean[-0.1:1]",
        "cable.tension[0.5:0.4]",
        "cable.tension[1.1:1.1]",
        "cable.creep[0:1]",
        "disk.friction_effective",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        rig r;
        disk_case c;
        disk_case_init(&c);
        rig_disk_settings(&r, &c);
        r.settings.probes = 1;
        r.settings.probe = &(haw_probe_spec){bad[i]};
        RIG_REFUSES(&r, disk_case_scene(&c), "probe", bad[i]);
        rig_close(&r);
    }
}

/* ---- names in the results, and means over the last frames ---- */

/* Names in the results are the given ones, or the probe itself. */
static void a_name_stands_for_a_probe(void **state)
{
    (void)state;
    static const haw_probe_spec probe[3] = {
        {"disk.spin", "omega"}, {"disk.angle"}, {"cable.length", "length"}};
    const haw_run_settings settings = {.probes = 3, .probe = probe};
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

    static const haw_probe_spec probe[3] = {
        {"disk.position", "now"}, {"disk.position", "mean", 0.2}, {"disk.spin", "spin"}};
    rig r;
    disk_case c;
    disk_case_init(&c);
    rig_disk_settings(&r, &c);
    r.settings.every = 0.01;
    r.settings.probes = 3;
    r.settings.probe = probe;
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
    static const haw_probe_spec probe[2] = {{"contact.entry", "entry"},
                                            {"cable-disk.entry", "entry_mean", 0.1}};
    rig r;
    disk_case c;
    disk_case_init(&c);
    rig_disk_settings(&r, &c);
    r.settings.every = 0.001;
    r.settings.probes = 2;
    r.settings.probe = probe;
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
    static const haw_probe_spec probe[5][2] = {{{"disk.spin", "a"}, {"disk.angle", "a"}},
                                               {{"disk.spin", "a"}, {"disk.angle", ""}},
                                               {{"disk.spin"}, {"disk.angle", NULL, -1}},
                                               {{"disk.spin"}, {"disk.angle", NULL, 1e9}},
                                               {{"disk.spin"}, {"disk.angle", NULL, (double)NAN}}};
    rig r;
    disk_case c;
    disk_case_init(&c);
    for (int i = 0; i < 5; i++) {
        rig_disk_settings(&r, &c);
        r.settings.probes = 2;
        r.settings.probe = probe[i];
        RIG_REFUSES(&r, disk_case_scene(&c), i == 0 ? "named 'a'" : "'disk.angle'",
                    i == 0   ? "two probes"
                    : i == 1 ? "empty"
                             : "a mean over");
        rig_close(&r);
    }
}

/* ---- probes watched at every step: first crossings, largest values, scale and shift ---- */

enum { WATCHES = 6 };

static const char middle[] = "yarn.position.z[0.52:0.52]"; /* node 13 of 25 */
static const double level = 2e-3;

static void open_watched(space_run *run, int count, const haw_probe_spec *probe)
{
    space_run_read(run, 0, NULL);
    run->settings.every = 0.7; /* frames are rare: the watch does not wait for them */
    run->settings.probes = count;
    run->settings.probe = probe;
}

static const haw_probe_spec watched[WATCHES] = {
    {middle, "value", 0, {.scale = 1}},
    {middle,
     "crossing",
     0,
     {.kind = HAW_WATCH_FIRST_ABOVE, .level = 2e-3, .until = 1e9, .scale = 1}},
    {middle, "largest", 0, {.kind = HAW_WATCH_MAXIMUM, .until = 1e9, .scale = 1}},
    {middle,
     "early",
     0,
     {.kind = HAW_WATCH_MAXIMUM, .after = 2.2, .until = 2.5, .scale = 100, .shift = -1}},
    {"drum.spin", "spin", 0, {.kind = HAW_WATCH_MAXIMUM, .until = 0.3, .scale = 1}},
    {middle, "never", 0, {.kind = HAW_WATCH_FIRST_ABOVE, .level = 1e3, .until = 1e9, .scale = 1}},
};

static void watches_see_every_step(void **state)
{
    space_run run;
    double before = 0, crossing = (double)NAN, largest = 0, early = -1e9;
    (void)state;
    open_watched(&run, WATCHES, watched);
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
    assert_string_equal(haw_simulation_probe_unit(run.simulation, 3), "0.01 m");
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
    haw_probe_watch_value(&probe, 1, 1);
    haw_probe_watch_value(&probe, 2, -5); /* |value| from 1 to 5 */
    haw_probe_watch_value(&probe, 3, 9);
    haw_probe_watch_result(&probe, &value);
    assert_near(value, 1.25, 1e-15, 0);
    probe = fresh;
    haw_probe_watch_value(&probe, 4, 3);
    haw_probe_watch_result(&probe, &value);
    assert_near(value, 4, 0, 0);
    probe = fresh;
    haw_probe_watch_value(&probe, 11, 3); /* too late */
    haw_probe_watch_result(&probe, &value);
    assert_true(isnan(value));
    probe = fresh;
    haw_probe_watch_value(&probe, 1, 2); /* on the level is not above */
    haw_probe_watch_value(&probe, 2, 4);
    haw_probe_watch_result(&probe, &value);
    assert_near(value, 1, 0, 0);
}

/* A state that is put back begins a new run for the watch. */
static void a_restored_state_forgets_what_was_seen(void **state)
{
    space_run run;
    haw_state *start = NULL;
    (void)state;
    open_watched(&run, WATCHES, watched);
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
    static const haw_probe_spec scaled[] = {{"drum.position", NULL, 0, {.scale = 2, .shift = 1}},
                                            {"drum.spin"}};
    space_run run;
    (void)state;
    open_watched(&run, 2, scaled);
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
    const haw_probe_spec watch = {
        probe, NULL, mean, {.kind = HAW_WATCH_MAXIMUM, .until = 1, .scale = 1}};
    space_run run;
    open_watched(&run, 1, &watch);
    run.settings.every = 0.1;
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
    static const haw_probe_spec planar[] = {
        {"disk.position.y", NULL, 0, {.kind = HAW_WATCH_MAXIMUM, .until = 1e9, .scale = 1}},
        {"disk.velocity.x",
         NULL,
         0,
         {.kind = HAW_WATCH_FIRST_ABOVE, .level = 0, .until = 1e9, .scale = 1}},
        {"disk.position", NULL, 0, {.scale = 1}}};
    rig r;
    disk_case c;
    double highest = -1e9;
    (void)state;
    disk_case_init(&c);
    rig_disk_settings(&r, &c);
    r.settings.probes = 3;
    r.settings.probe = planar;
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

TEST_FILE(test_probe)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probes_of_a_body_read_its_state),
        cmocka_unit_test(probes_of_a_cable_are_those_of_its_range),
        cmocka_unit_test(probes_of_a_contact_read_the_frame_of_the_pair),
        cmocka_unit_test(tension_at_a_point_and_over_a_range),
        cmocka_unit_test(belts_without_contact_have_no_numbers),
        cmocka_unit_test(contact_without_a_pair_sums_over_all),
        cmocka_unit_test(every_row_has_a_size_and_a_unit),
        cmocka_unit_test(probes_that_mean_nothing_are_refused),
        cmocka_unit_test(a_name_stands_for_a_probe),
        cmocka_unit_test(a_mean_is_that_of_the_frames_of_its_time),
        cmocka_unit_test(means_leave_out_what_is_not_a_number),
        cmocka_unit_test(means_and_names_that_cannot_be_are_refused),
        cmocka_unit_test(watches_see_every_step),
        cmocka_unit_test(crossings_are_interpolated),
        cmocka_unit_test(a_restored_state_forgets_what_was_seen),
        cmocka_unit_test(vectors_are_scaled_and_shifted),
        cmocka_unit_test(what_has_no_value_at_every_step_is_not_watched),
        cmocka_unit_test(planar_probes_are_watched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
