/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Probes of a belt drive whose state and contact forces are set by hand: exponential tensions on
 * slip arcs of known angles, constant ones elsewhere.
 */
#include "contact/contact.h"
#include "observe/probe.h"
#include "support/rig.h"

enum {
    ELEMENTS = 240,
    PER_ELEMENT = 4,
    POINTS = ELEMENTS * PER_ELEMENT,
    TABLE = 20001,
    PROBES = 26
};

static const double pi = 3.14159265358979323846;
static const double radius = 0.1, mu = 0.5, slip = 2.2, slack = 200, stiffness = 8000;

static const haw_probe_spec names[PROBES] = {
    {"belt.tension_tight"},
    {"belt.tension_slack"},
    {"belt.speed_tight"},
    {"belt.speed_slack"},
    {"belt.creep"},
    {"belt-p1.tension_in"},
    {"belt-p1.tension_out"},
    {"belt-p2.tension_in"},
    {"belt-p2.tension_out"},
    {"belt-p1.entry"},
    {"belt-p2.entry"},
    {"belt-p1.exit"},
    {"belt-p2.exit"},
    {"belt-p1.contact_length"},
    {"belt-p2.contact_length"},
    {"belt-p1.slip_angle"},
    {"belt-p2.slip_angle"},
    {"belt-p1.stick_angle"},
    {"belt-p2.stick_angle"},
    {"belt-p1.friction_effective"},
    {"belt-p2.friction_effective"},
    {"belt-p1.friction_effective_deviation"},
    {"belt-p2.friction_effective_deviation"},
    {"belt-p1.wrap_angle"},
    {"belt-p2.wrap_angle"},
    {"p1.torque"},
};

/*
 * The drawn path, clockwise from the top of p1, by its arc length s: tension N(s) and the
 * unstrained length up to there, xi(s), as a table. The belt travels along +s (sense 1) or against
 * it.
 */
typedef struct drive {
    int sense;
    double start; /* s of the first node */
    double s[TABLE], xi[TABLE];
    rig r;
    haw_body_spec body[2];
    haw_cable_spec cable;
    haw_contact_spec contact[2];
    haw_path_segment path[4];
} drive;

static double tight(void)
{
    return slack * exp(mu * slip);
}

/* Exponential over the last `slip` of an arc in the direction of travel; on p2 the tension rises
 * along the travel, on p1 it falls. */
static double tension(const drive *d, double s)
{
    const double arc = radius * pi, total = 4 * arc;
    const double along = fmod(fmod(d->sense * s, total) + total, total);
    /* along the travel: sense 1 top span, p2, bottom span, p1; sense -1 p1, bottom, p2, top */
    const int part = (int)(along / arc);
    const double phi = (along - part * arc) / radius, free = pi - slip;
    const double rising = slack * exp(mu * fmax(phi - free, 0));
    const double falling = tight() * exp(-mu * fmax(phi - free, 0));
    if (d->sense > 0) {
        return part == 0 ? slack : part == 1 ? rising : part == 2 ? tight() : falling;
    }
    return part == 0 ? falling : part == 1 ? slack : part == 2 ? rising : tight();
}

static void place(double s, double x[2], double t[2])
{
    const double arc = radius * pi, total = 4 * arc;
    s = fmod(fmod(s, total) + total, total);
    const int part = (int)(s / arc);
    const double along = s - part * arc, a = (part == 1 ? 0.5 : -0.5) * pi - along / radius;
    if (part == 0 || part == 2) {
        t[0] = part == 0 ? 1 : -1;
        t[1] = 0;
        x[0] = part == 0 ? along : arc - along;
        x[1] = part == 0 ? radius : -radius;
        return;
    }
    x[0] = (part == 1 ? arc : 0) + radius * cos(a);
    x[1] = radius * sin(a);
    t[0] = sin(a);
    t[1] = -cos(a);
}

static void tabulate(drive *d)
{
    const double step = 4 * radius * pi / (TABLE - 1);
    for (int i = 0; i < TABLE; i++) {
        d->s[i] = d->start + i * step;
        d->xi[i] =
            i > 0 ? d->xi[i - 1] + step / (1 + tension(d, d->s[i] - step / 2) / stiffness) : 0;
    }
}

static double path_at(const drive *d, double xi)
{
    int i = 1;
    while (i < TABLE - 1 && d->xi[i] < xi) {
        i++;
    }
    const double part = (xi - d->xi[i - 1]) / (d->xi[i] - d->xi[i - 1]);
    return d->s[i - 1] + part * (d->s[i] - d->s[i - 1]);
}

/* haw_curve of element.h */
static void curve(const void *user, double xi, double x[2], double t[2], double *stretch)
{
    const drive *d = user;
    const double s = path_at(d, xi);
    place(s, x, t);
    *stretch = 1 + tension(d, s) / stiffness;
}

static void open_drive(drive *d, int sense, double start)
{
    *d = (drive){.sense = sense,
                 .start = start,
                 .body = {haw_body_spec_default(), haw_body_spec_default()},
                 .contact = {haw_contact_spec_default(), haw_contact_spec_default()},
                 .cable = haw_cable_spec_default()};
    const double arc = radius * pi;
    const haw_path_segment path[4] = {
        {.to = {arc, radius}},
        {.kind = HAW_PIECE_ARC, .center = {arc, 0}, .radius = radius, .angle_deg = -180},
        {.to = {0, -radius}},
        {.kind = HAW_PIECE_ARC, .center = {0, 0}, .radius = radius, .angle_deg = -180}};
    memcpy(d->path, path, sizeof path);
    for (int i = 0; i < 2; i++) {
        d->body[i].name = d->contact[i].between[1] = i == 0 ? "p1" : "p2";
        d->body[i].shape = "circle";
        d->body[i].shape_options[0] = 0.09995;
        d->body[i].position[0] = i * arc;
        d->body[i].motion = HAW_MOTION_FIXED;
        d->contact[i].between[0] = "belt";
        d->contact[i].friction = mu;
        d->contact[i].kinematics = HAW_KINEMATICS_CHORD;
        d->contact[i].points_per_element = PER_ELEMENT;
        d->contact[i].offset = -5e-5;
        d->contact[i].law = "penalty";
        d->contact[i].normal_stiffness = 1e5;
        d->contact[i].tangential_stiffness = 1e5;
    }
    d->cable.name = "belt";
    d->cable.element = "ancf";
    d->cable.elements = ELEMENTS;
    d->cable.closed = true;
    d->cable.from[0] = 0;
    d->cable.from[1] = radius;
    d->cable.segments = 4;
    d->cable.path = d->path;
    d->cable.stiffness = stiffness;
    d->cable.bending_stiffness = 1e-3;
    d->cable.density = 0.8;
    const haw_scene scene = {.start = HAW_START_GIVEN,
                             .bodies = 2,
                             .body = d->body,
                             .cables = 1,
                             .cable = &d->cable,
                             .contacts = 2,
                             .contact = d->contact};
    rig_open(&d->r);
    assert_int_equal(
        haw_stepper_settings_init(d->r.context, "generalized-alpha", &d->r.settings.stepper),
        HAW_OK);
    rig_set(&d->r, "step", 1e-4);
    rig_set(&d->r, "end", 1);
    d->r.settings.probes = PROBES;
    d->r.settings.probe = names;
    rig_build(&d->r, &scene);
}

/* The belt under its tensions, every material point moving along the path at v (1 + eps). */
static void set_state(drive *d, double v)
{
    haw_simulation *s = d->r.simulation;
    haw_line *line = &s->model.cable[0].line;
    tabulate(d);
    line->le = d->xi[TABLE - 1] / ELEMENTS;
    double *q = s->state->q + s->model.cable[0].first, *u = s->state->u + s->model.cable[0].first;
    line->ops->interpolate(line, curve, d, q);
    for (int i = 0; i <= ELEMENTS; i++) {
        double x[2], t[2], stretch;
        curve(d, i * line->le, x, t, &stretch);
        u[4 * i] = d->sense * v * stretch * t[0];
        u[4 * i + 1] = d->sense * v * stretch * t[1];
    }
}

/* Contacts of the chords whose middle is on an arc: forces T deps on the slip arc. */
static void set_contacts(drive *d)
{
    haw_simulation *s = d->r.simulation;
    haw_contacts *contacts = s->contacts;
    const haw_line *line = &s->model.cable[0].line;
    assert_int_equal(haw_contacts_reserve_rows(contacts, 2 * POINTS), HAW_OK);
    contacts->count = 0;
    for (int pair = 0; pair < 2; pair++) {
        for (int j = 0; j < POINTS; j++) {
            double x[2], t[2];
            const double at = path_at(d, (j + 0.5) * line->le / PER_ELEMENT);
            place(at, x, t);
            const double n[2] = {x[0] - pair * radius * pi, x[1]};
            const bool is_free = tension(d, at - 1e-9) == tension(d, at + 1e-9);
            if (fabs(hypot(n[0], n[1]) - radius) > 1e-9 || (pair == 0 ? n[0] > 0 : n[0] < 0)) {
                continue;
            }
            const int i = contacts->count++;
            contacts->item[i] = (haw_touch){.id = pair * POINTS + j,
                                            .pair = pair,
                                            .gap = -1e-6,
                                            .normal = {n[0] / radius, n[1] / radius}};
            contacts->impulse[2 * i] = 1e-4 * tension(d, at);
            contacts->impulse[2 * i + 1] =
                (pair == 0 ? 1 : -1) * mu * contacts->impulse[2 * i] * (is_free ? 0.5 : 1);
            contacts->problem.mu[i] = mu;
            s->state->history[contacts->item[i].id * HAW_HISTORY + 1] =
                is_free ? HAW_REGIME_STICK : HAW_REGIME_FORWARD;
        }
    }
}

static double value(const haw_frame *frame, const char *name)
{
    for (int i = 0; i < PROBES; i++) {
        if (strcmp(names[i].of, name) == 0) {
            return frame->probe[i];
        }
    }
    fail_msg("no probe %s", name);
    return 0;
}

static const haw_frame *show(drive *d, double v)
{
    set_state(d, v);
    set_contacts(d);
    assert_int_equal(haw_monitor_step(d->r.simulation), HAW_OK);
    return haw_simulation_frame(d->r.simulation);
}

/* Angles of two directions differ by less than a chord. */
static void near_angle(double got, double want, double chord)
{
    assert_near(remainder(got - want, 2 * pi), 0, chord, 0);
}

static void check_drive(drive *d)
{
    const haw_frame *f = show(d, 1.2);
    const double chord = 4 * pi / POINTS * 1.1; /* angle of a chord */
    const double stretch[2] = {1 + tight() / stiffness, 1 + slack / stiffness};
    assert_near(value(f, "belt.tension_tight"), tight(), 1e-3, 0);
    assert_near(value(f, "belt.tension_slack"), slack, 1e-3, 0);
    assert_near(value(f, "belt.speed_tight"), 1.2 * stretch[0], 1e-6, 0);
    assert_near(value(f, "belt.speed_slack"), 1.2 * stretch[1], 1e-6, 0);
    assert_near(value(f, "belt.creep"), 1 - stretch[1] / stretch[0], 1e-6, 0);
    assert_near(value(f, "belt-p1.tension_in"), tight(), 1e-3, 0);
    assert_near(value(f, "belt-p1.tension_out"), slack, 1e-3, 0);
    assert_near(value(f, "belt-p2.tension_in"), slack, 1e-3, 0);
    assert_near(value(f, "belt-p2.tension_out"), tight(), 1e-3, 0);
    const double down = d->sense > 0 ? 0.5 * pi : -0.5 * pi;
    near_angle(value(f, "belt-p2.entry"), down, chord);
    near_angle(value(f, "belt-p2.exit"), -down, chord);
    near_angle(value(f, "belt-p1.entry"), -down, chord);
    near_angle(value(f, "belt-p1.exit"), down, chord);
    for (int i = 0; i < 2; i++) {
        const double slipping = value(f, i == 0 ? "belt-p1.slip_angle" : "belt-p2.slip_angle");
        const double sticking = value(f, i == 0 ? "belt-p1.stick_angle" : "belt-p2.stick_angle");
        const double length =
            value(f, i == 0 ? "belt-p1.contact_length" : "belt-p2.contact_length");
        const double friction =
            value(f, i == 0 ? "belt-p1.friction_effective" : "belt-p2.friction_effective");
        const double deviation = value(f, i == 0 ? "belt-p1.friction_effective_deviation"
                                                 : "belt-p2.friction_effective_deviation");
        const double wrap = value(f, i == 0 ? "belt-p1.wrap_angle" : "belt-p2.wrap_angle");
        assert_near(slipping, slip, chord, 0);
        assert_near(slipping + sticking, pi, 2 * chord, 0);
        assert_near(wrap, pi, 2 * chord, 0);
        assert_near(friction, mu, 1e-5, 0);
        assert_true(deviation < 6e-4); /* the element over the kink of N(s) */
        assert_true(length > radius * pi / stretch[0] - 1e-3 &&
                    length < radius * pi / stretch[1] + 1e-3);
    }
    assert_true(f->pair[0].closed > 200 && f->pair[1].closed > 200);
}

/* Drawn from the top of p1, and from the middle of its arc: the zone lies over the first node. */
static void a_drive_is_measured_wherever_its_first_node_is(void **state)
{
    (void)state;
    static drive d;
    for (int sense = -1; sense <= 1; sense += 2) {
        for (int k = 0; k < 3; k++) {
            open_drive(&d, sense, radius * (k == 0 ? 0 : k == 1 ? 3.5 * pi : 1.6 * pi));
            check_drive(&d);
            rig_close(&d.r);
        }
    }
}

/* The belt is drawn clockwise: over a surface that turns counter-clockwise it runs forward. */
static void a_cable_at_rest_runs_against_the_surface(void **state)
{
    (void)state;
    static drive d;
    open_drive(&d, 1, 0);
    for (int k = 0; k < 2; k++) {
        d.r.simulation->state->u[2] = k == 0 ? 3 : -3;
        const haw_frame *f = show(&d, 0);
        near_angle(value(f, "belt-p1.entry"), k == 0 ? -0.5 * pi : 0.5 * pi, 0.02);
        near_angle(value(f, "belt-p1.exit"), k == 0 ? 0.5 * pi : -0.5 * pi, 0.02);
        assert_near(value(f, "belt-p1.slip_angle"), k == 0 ? slip : 0, 0.02, 0);
    }
    assert_true(isnan(value(haw_simulation_frame(d.r.simulation), "belt.creep")));
    rig_close(&d.r);
}

/* Below the speed of a wave of a strain of 1e-8 it would be a quotient of what steps leave; in a
 * step in which a wave goes farther than the belt is long, below that strain of it. */
static void a_belt_at_rest_does_not_creep(void **state)
{
    (void)state;
    static drive d;
    open_drive(&d, 1, 0);
    set_state(&d, 0);
    const haw_line *line = &d.r.simulation->model.cable[0].line;
    const double wave = sqrt(stiffness / d.cable.density), length = line->elements * line->le;
    const double stretch[2] = {1 + tight() / stiffness, 1 + slack / stiffness};
    for (int k = 0; k < 4; k++) {
        const double least = k < 2 ? wave : 0.5 * wave;
        const double rest = (k % 2 == 0 ? -1e-8 : 1e-8) * least / stretch[0];
        d.r.simulation->h = (k < 2 ? 0.5 : 2) * length / wave;
        assert_true(isnan(value(show(&d, 0.99 * rest), "belt.creep")));
        assert_near(value(show(&d, 1.01 * rest), "belt.creep"), 1 - stretch[1] / stretch[0], 1e-6,
                    0);
    }
    rig_close(&d.r);
}

/* States and gaps are those of the closed points of the last step, none of the steps before. */
static void points_show_the_state_of_the_last_step(void **state)
{
    (void)state;
    static drive d;
    open_drive(&d, 1, 0);
    const haw_frame *f = show(&d, 1.2);
    const haw_contacts *contacts = d.r.simulation->contacts;
    int closed = 0, sticking = 0;
    for (int id = 0; id < 2 * POINTS; id++) {
        closed += f->point_state[id] != HAW_POINT_OPEN;
        sticking += f->point_state[id] == HAW_POINT_STICK;
        assert_true(isnan(f->point_gap[id]) == (f->point_state[id] == HAW_POINT_OPEN));
    }
    assert_int_equal(closed, contacts->count);
    assert_int_equal(closed, f->pair[0].closed + f->pair[1].closed);
    assert_int_equal(sticking, f->pair[0].sticking + f->pair[1].sticking);
    assert_true(sticking > 100 && sticking < closed - 100);
    assert_near(f->point_gap[contacts->item[7].id], -1e-6, 0, 0);
    d.r.simulation->contacts->count = 0;
    assert_int_equal(haw_monitor_step(d.r.simulation), HAW_OK);
    for (int id = 0; id < 2 * POINTS; id++) {
        assert_true(f->point_state[id] == HAW_POINT_OPEN && isnan(f->point_gap[id]));
    }
    rig_close(&d.r);
}

/* A moment of 3 N m for one step of two since the last frame is a mean of 1.5 N m. */
static void the_torque_is_a_mean_over_the_frame(void **state)
{
    (void)state;
    static drive d;
    open_drive(&d, 1, 0);
    haw_simulation *s = d.r.simulation;
    double *kept = s->reaction, *reaction = calloc((size_t)s->model.dofs, sizeof *reaction);
    assert_non_null(reaction);
    s->reaction = reaction;
    s->state->t = 1e-4;
    reaction[2] = 3e-4;
    assert_int_equal(haw_monitor_step(s), HAW_OK);
    s->state->t = 2e-4;
    reaction[2] = 0;
    assert_int_equal(haw_monitor_step(s), HAW_OK);
    assert_near(value(haw_simulation_frame(s), "p1.torque"), 1.5, 1e-12, 0);
    assert_near(haw_simulation_frame(s)->torque[0], 1.5, 1e-12, 0);
    s->state->t = 3e-4;
    assert_int_equal(haw_monitor_step(s), HAW_OK);
    assert_near(haw_simulation_frame(s)->torque[0], 0, 0, 0);
    s->reaction = kept;
    free(reaction);
    rig_close(&d.r);
}

TEST_FILE(test_belt)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_drive_is_measured_wherever_its_first_node_is),
        cmocka_unit_test(a_cable_at_rest_runs_against_the_surface),
        cmocka_unit_test(a_belt_at_rest_does_not_creep),
        cmocka_unit_test(points_show_the_state_of_the_last_step),
        cmocka_unit_test(the_torque_is_a_mean_over_the_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
