/* SPDX-License-Identifier: BSD-3-Clause */
/* Every probe against the same quantity taken from the state or the frame. */
#include "observe/probe.h"
#include "support/rig.h"

enum { PROBES = 40 };

static const char *const names[PROBES] = {
    "disk.position",
    "disk.angle",
    "disk.velocity",
    "disk.spin",
    "cable.tension_mean",
    "cable.tension_mean[0.25:0.5]",
    "cable.tension_start",
    "cable.tension_end",
    "cable.length",
    "cable.reaction_start",
    "cable.reaction_end",
    "cable.position",
    "cable.position[0.2:0.3]",
    "cable.chord_angle",
    "cable.chord_angle[0:0.05]",
    "contact.normal_sum",
    "contact.tangential_sum",
    "cable-disk.force",
    "disk-cable.force",
    "contact.moment",
    "contact.impulse",
    "contact.wrap_angle",
    "contact.closed",
    "contact.sticking",
    "disk.torque",
    "cable.tension[0.31:0.31]",
    "cable.tension[0.25:0.5]",
    "cable.tension_tight",
    "cable.tension_slack",
    "cable.speed_tight",
    "cable.speed_slack",
    "cable.creep",
    "contact.entry",
    "cable-disk.entry",
    "contact.exit",
    "contact.contact_length",
    "contact.slip_angle",
    "contact.stick_angle",
    "contact.friction_effective",
    "contact.friction_effective_deviation",
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
        if (strcmp(names[i], name) == 0) {
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
    for (int k = 0; k < 10; k++) {
        line->ops->axial(line, 5 + k / 2, k % 2 * 0.5, f->state->q + 3, f->state->u + 3, &axial);
        sum += axial.tension / 10;
    }
    assert_near(value(&r, f, "cable.tension[0.25:0.5]")[0], sum, 1e-10, 0);
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
    static const char *const probe[4] = {"contact.impulse", "cable-disk.impulse",
                                         "other-cable.impulse", "contact.normal_sum"};
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
    static const char *const entry[1] = {"contact.entry"};
    r.settings.probes = 1;
    r.settings.probe = entry;
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
        bool seen = row->plane == 0 || (row->traits & HAW_PROBE_ROPE) != 0; /* none here */
        for (int i = 0; i < PROBES; i++) {
            const haw_probe *probe = &r.simulation->observation->probe[i];
            seen = seen || probe->row == row;
            assert_true(probe->row != row ||
                        (haw_simulation_probe_size(r.simulation, i) == row->plane &&
                         strcmp(haw_simulation_probe_unit(r.simulation, i), row->unit) == 0));
        }
        assert_true(seen);
        assert_true(strlen(row->row.summary) > 5 && row->plane <= 3 &&
                    row->plane + row->space >= 1);
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
        r.settings.probe = &bad[i];
        RIG_REFUSES(&r, disk_case_scene(&c), "probe", bad[i]);
        rig_close(&r);
    }
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
