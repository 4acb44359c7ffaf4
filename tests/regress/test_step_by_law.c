/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Steppers by laws: the same physics by several roads. Compliant contact by the theta-method and by
 * generalized-alpha, hard contact by nsga in the plane and by others, both laws in one scene, and
 * explicit steps of closed cables.
 */
#include "stepper/simulation.h"
#include "support/rig.h"
#include "support/scenario.h"

/* ---- compliant contact ---- */

/* The belt drive of 60 elements while its motor starts. */
static void run_belt(scenario_run *run, const char *stepper)
{
    scenario_init(run, "belt-drive");
    scenario_set(run, "cables.belt.elements=60");
    scenario_set(run, "stepper.end=0.08");
    scenario_set(run, "stepper.step=2.0e-4");
    scenario_set(run, "output.every=0.02");
    scenario_set(run, "output.probes=[belt.tension_tight, belt.tension_slack, p2.spin, p1.torque]");
    scenario_set(run, "stepper={type: %s}", stepper);
    scenario_complete(run);
}

/* With theta = 1/2 and forces at the ends of the step the theta-method is the trapezoidal rule, as
 * generalized-alpha with rho_infinity = 1 is; with forces in the middle it is of the same order. */
static void a_belt_with_bristles_runs_alike_by_both_implicit_methods(void **state)
{
    (void)state;
    static const char *const probe[] = {"belt.tension_tight", "belt.tension_slack", "p2.spin",
                                        "p1.torque"};
    static const char *const other[] = {
        "moreau-jean, theta: 0.5, contact_law: position, step: 2.0e-4, end: 0.08",
        "moreau-jean, theta: 0.5, contact_law: velocity, step: 2.0e-4, end: 0.08"};
    static const double tolerance[] = {1e-7, 1e-5};
    scenario_run reference, run;
    run_belt(&reference, "generalized-alpha, rho_infinity: 1, step: 2.0e-4, end: 0.08");
    for (int i = 0; i < 2; i++) {
        run_belt(&run, other[i]);
        for (int k = 0; k < 4; k++) {
            const double a = scenario_last(&run, probe[k], 0);
            const double b = scenario_last(&reference, probe[k], 0);
            print_message("%s: %.10g, %.10g\n", probe[k], a, b);
            assert_near(a, b, 0, tolerance[i]);
        }
        const haw_ledger *ledger = &run.summary.ledger;
        assert_true(fabs(ledger->balance_drift) <= 1e-7 * ledger->external_work);
        scenario_close(&run);
    }
    scenario_close(&reference);
}

/* ---- both laws in one scene ---- */

/* Touches are shown in the order of pairs and of ids, whichever law they have. */
static void check_order(scenario_run *run, const haw_frame *frame, void *user)
{
    bool *both = user;
    (void)run;
    for (int i = 1; i < frame->touches; i++) {
        assert_true(frame->touch[i].id > frame->touch[i - 1].id);
        *both = *both || frame->touch[i].pair != frame->touch[i - 1].pair;
    }
}

/* The same rope and disks in the plane x-z of space: drums on a rope of 5 mm. */
static void lift(scenario_run *run)
{
    scenario_set(run, "dimension=3");
    scenario_set(run, "gravity=[0, 0, -9.81]");
    scenario_set(run, "cables.rope.from=[0, 0, 0]");
    scenario_set(run, "cables.rope.to=[0, 0, 2]");
    scenario_set(run, "cables.rope.radius=5.0e-3");
    for (int i = 0; i < 2; i++) {
        const char *side = i == 0 ? "left" : "right";
        const int sign = i == 0 ? -1 : 1;
        scenario_set(run,
                     "bodies.%s={name: %s, type: rigid, shape: {type: cylinder, radius: 0.095}, "
                     "mass: 0.5, inertias: [2.5e-3, 2.5e-3, 2.5e-3], position: [%g, 0, 1.25], "
                     "orientation: [0.70710678118654752, 0.70710678118654752, 0, 0], "
                     "velocity: [%d, 0, 0], spin: %d}",
                     side, side, sign * 0.15, sign * -3, sign * -40);
    }
}

static void run_disks(scenario_run *run, int dimension, const char *soft, const char *stepper,
                      bool *both)
{
    scenario_init(run, "two-disks");
    if (dimension > 2) {
        lift(run);
    }
    scenario_set(run, "contact.restitution=0");
    scenario_set(run, "contact.rope-%s.law=penalty", soft);
    scenario_set(run, "contact.rope-%s.normal_stiffness=1.0e+7", soft);
    scenario_set(run, "contact.rope-%s.tangential=bristle", soft);
    scenario_set(run, "contact.rope-%s.tangential_stiffness=1.0e+5", soft);
    scenario_set(run, "stepper={type: %s, step: 2.0e-5, end: 0.04}", stepper);
    scenario_set(run, "solver={type: auto, tolerance: 1.0e-9}");
    run->look = check_order;
    run->user = both;
    scenario_complete(run);
}

/* What a disk does in its plane: x and height, their velocities, spin. */
static void find_motion(const scenario_run *run, int dimension, const char *side, double value[5])
{
    static const char *const vector[] = {"position", "velocity"};
    char name[32];
    for (int p = 0; p < 2; p++) {
        (void)snprintf(name, sizeof name, "%s.%s", side, vector[p]);
        value[2 * p] = scenario_last(run, name, 0);
        value[2 * p + 1] = scenario_last(run, name, dimension - 1);
    }
    (void)snprintf(name, sizeof name, "%s.spin", side);
    value[4] = scenario_last(run, name, 0);
}

/* Runs in which the one and the other disk is met through springs are mirror images.
 * @param value  [2][5] motions of the left and the right disk, the left one being the soft one */
static void meet(int dimension, const char *stepper, double tolerance, double value[2][5])
{
    static const char *const side[2] = {"left", "right"};
    static const int sign[5] = {-1, 1, -1, 1, -1};
    scenario_run run, mirrored;
    bool both = false;
    run_disks(&run, dimension, side[0], stepper, &both);
    run_disks(&mirrored, dimension, side[1], stepper, &both);
    assert_true(both);
    for (int i = 0; i < 2; i++) {
        double image[5];
        find_motion(&run, dimension, side[i], value[i]);
        find_motion(&mirrored, dimension, side[1 - i], image);
        for (int k = 0; k < 5; k++) {
            assert_near(value[i][k], sign[k] * image[k], tolerance, 0);
        }
    }
    const haw_ledger *ledger = &run.summary.ledger;
    print_message("%s, dimension %d: balance %.2g J of %.4g J, spins %.9g and %.9g rad/s\n",
                  stepper, dimension, ledger->balance_drift, ledger->initial, value[0][4],
                  value[1][4]);
    assert_near(ledger->balance_drift, 0, 1e-7 * ledger->initial, 0);
    scenario_close(&run);
    scenario_close(&mirrored);
}

/* One disk meets the rope hard, the other one through springs and bristles. The mirror image, in
 * which the pairs have changed their places in the list, runs alike by every stepper, and so does
 * the same scene in space, but for the depth of 0.17 mm over the radius: bristles in the plane
 * measure slides on the surface, in space where the point is. */
static void hard_and_compliant_pairs_meet_one_rope(void **state)
{
    (void)state;

    static const struct {
        const char *stepper;
        double mirror; /* tolerance of the image */
        bool in_space;
    } runs[] = {{"moreau", 1e-10, true},
                {"moreau-jean, theta: 0.5", 1e-6, false},
                {"moreau-jean, theta: 0.5, contact_law: position", 1e-6, true},
                {"nsga", 1e-5, true},
                {"generalized-alpha", 1e-5, true}};

    static const double SLIDE = 2e-4;
    double first = 0;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        double plane[2][5], space[2][5];
        meet(2, runs[i].stepper, runs[i].mirror, plane);
        first = i == 0 ? plane[0][4] : first;
        assert_near(plane[0][4], first, 0, 0.01);
        if (runs[i].in_space) {
            meet(3, runs[i].stepper, runs[i].mirror, space);
            for (int k = 0; k < 10; k++) {
                assert_near(space[k / 5][k % 5], plane[k / 5][k % 5], SLIDE, 2 * SLIDE);
            }
        }
    }
}

/* ---- a disk and a cable ---- */

typedef struct disk_on_cable {
    haw_body_spec body;
    haw_cable_spec cable;
    haw_contact_spec contact;
    haw_scene scene;
} disk_on_cable;

static void disk_on_cable_init(disk_on_cable *d, double radius, const char *element)
{
    *d = (disk_on_cable){.body = haw_body_spec_default(),
                         .cable = haw_cable_spec_default(),
                         .contact = haw_contact_spec_default()};
    d->body.name = "disk";
    d->body.shape = "circle";
    d->body.shape_options[0] = radius;
    d->cable.name = "cable";
    d->cable.element = element;
    d->cable.stiffness = 1e3;
    d->contact.between[0] = "cable";
    d->contact.between[1] = "disk";
    d->scene = (haw_scene){.gravity = {0, -9.81},
                           .load_steps = 1,
                           .bodies = 1,
                           .body = &d->body,
                           .cables = 1,
                           .cable = &d->cable,
                           .contacts = 1,
                           .contact = &d->contact};
}

static void open_stepper(rig *r, const char *stepper, double h)
{
    rig_open(r);
    assert_int_equal(haw_stepper_settings_init(r->context, stepper, &r->settings.stepper), HAW_OK);
    rig_set(r, "step", h);
    rig_set(r, "end", 1);
}

/* ---- hard contact ---- */

/* A disk is laid on the middle of a horizontal cable and sinks in: one contact point on the axis
 * of symmetry, closed from the start, and no impact. @return height of the disk after 0.15 s */
static double sink(const char *stepper, double theta, double h)
{
    rig r;
    disk_on_cable d;
    disk_on_cable_init(&d, 0.05, "chain");
    d.body.mass = 0.1;
    d.body.position[0] = 0.5;
    d.body.position[1] = 0.05;
    d.cable.elements = 8;
    d.cable.from[0] = d.cable.from[1] = d.cable.to[1] = 0;
    d.cable.to[0] = 1;
    d.cable.density = 0.05;
    d.cable.tension = 10;
    d.contact.points_per_element = 4;
    open_stepper(&r, stepper, h);
    rig_set(&r, "newton_tolerance", 1e-11);
    rig_solver_set(&r, "tolerance", 1e-11); /* where it turns round, 1e-12 is rounding */
    if (theta > 0) {
        rig_set(&r, "theta", theta);
    }
    rig_build(&r, &d.scene);
    rig_steps(&r, lround(0.15 / h));
    const haw_ledger *ledger = &r.simulation->ledger;
    assert_near(ledger->balance_drift, 0, 1e-9, 0);
    const double y = r.state->q[1];
    assert_true(y > 0.05 - 0.8 * 0.5 * 9.81 * 0.15 * 0.15); /* it does not fall */
    rig_close(&r);
    return y;
}

static double order_of_sinking(const char *stepper, double theta, double *limit)
{
    double y[3];
    for (int i = 0; i < 3; i++) {
        y[i] = sink(stepper, theta, 1e-3 / (1 << i));
    }
    const double order = log2((y[0] - y[1]) / (y[1] - y[2]));
    *limit = y[2] + (y[2] - y[1]) / (exp2(round(order)) - 1);
    print_message("%s, theta %g: %.10g, order %.3f, limit %.10g\n", stepper, theta, y[2], order,
                  *limit);
    return order;
}

static void
hard_contact_that_stays_is_of_second_order_by_nsga_and_of_first_by_moreau_jean(void **state)
{
    (void)state;
    double limit[3];
    assert_near(order_of_sinking("nsga", 0, &limit[0]), 2, 0.3, 0);
    assert_near(order_of_sinking("generalized-alpha", 0, &limit[1]), 2, 0.3, 0);
    assert_near(order_of_sinking("moreau-jean", 1, &limit[2]), 1, 0.3, 0);
    assert_near(limit[1], limit[0], 0, 1e-5);
    assert_near(limit[2], limit[0], 0, 1e-2);
}

/* ---- masses that depend on the configuration ---- */

/* The disk impact on the polar element by four steppers. */
static void the_polar_element_takes_the_impact_alike_by_every_stepper(void **state)
{
    (void)state;
    static const char *const stepper[] = {"moreau", "moreau-jean", "nsga", "generalized-alpha"};
    static const char *const probe[] = {"disk.velocity", "disk.spin"};
    double value[4][2];
    for (int i = 0; i < 4; i++) {
        scenario_run run;
        scenario_init(&run, "disk-impact");
        scenario_set(&run, "cables.cable.element=bezier-polar");
        scenario_set(&run, "stepper={type: %s, step: 2.0e-5, end: 0.03}", stepper[i]);
        scenario_set(&run, "solver={type: auto, tolerance: 1.0e-9}");
        scenario_complete(&run);
        for (int k = 0; k < 2; k++) {
            value[i][k] = scenario_last(&run, probe[k], 0);
            assert_near(value[i][k], value[0][k], 0, 1e-3);
        }
        const haw_ledger *ledger = &run.summary.ledger;
        print_message("%s: velocity %.6g m/s, spin %.6g rad/s, balance %.2g J\n", stepper[i],
                      value[i][0], value[i][1], ledger->balance_drift);
        assert_near(ledger->balance_drift, 0, 1e-7 * ledger->initial, 0);
        scenario_close(&run);
    }
}

/* ---- explicit steps of closed cables ---- */

/* A ring of two arcs on a disk inside it; the cut is at an angle. */
static void run_ring(rig *r, const char *stepper, const char *element, double cut)
{
    static const double radius = 0.5;
    haw_path_segment half[2] = {{.kind = HAW_PIECE_ARC, .radius = radius, .angle_deg = 180},
                                {.kind = HAW_PIECE_ARC, .radius = radius, .angle_deg = 180}};
    disk_on_cable d;
    disk_on_cable_init(&d, 0.1, element);
    d.body.mass = 0.2;
    d.body.position[0] = 0.02;
    d.body.position[1] = 0.39;
    d.body.velocity[1] = 1;
    d.body.spin = 20;
    d.cable.elements = 40;
    d.cable.closed = true;
    d.cable.from[0] = radius * cos(cut);
    d.cable.from[1] = radius * sin(cut);
    d.cable.segments = 2;
    d.cable.path = half;
    d.cable.density = 0.1;
    d.contact.points_per_element = 8;
    d.contact.friction = 0.3;
    open_stepper(r, stepper, 2e-5);
    rig_build(r, &d.scene);
    rig_steps(r, 2500);
    const haw_ledger *ledger = &r->simulation->ledger;
    print_message("%s, %s, cut at %.3g: disk %.10g %.10g, friction %.4g J, balance %.2g J\n",
                  stepper, element, cut, r->state->q[0], r->state->q[1], ledger->friction_loss,
                  ledger->balance_drift);
    assert_true(ledger->friction_loss > 1e-4);
}

static void a_ring_moves_alike_wherever_it_is_cut_and_by_moreau_jean(void **state)
{
    (void)state;
    static const char *const elements[] = {"bezier", "chain"};
    const double quarter = 2 * atan(1);
    for (int i = 0; i < 2; i++) {
        rig r, cut, implicit;
        run_ring(&r, "moreau", elements[i], 0);
        run_ring(&cut, "moreau", elements[i], quarter);
        run_ring(&implicit, "moreau-jean", elements[i], 0);
        assert_near(r.simulation->ledger.balance_drift, 0, 1e-12, 0);
        for (int k = 0; k < 3; k++) {
            assert_near(cut.state->q[k], r.state->q[k], 1e-9, 0);
            assert_near(implicit.state->q[k], r.state->q[k], 1e-4, 1e-3);
        }
        rig_close(&r);
        rig_close(&cut);
        rig_close(&implicit);
    }
}

TEST_FILE(test_step_by_law)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_belt_with_bristles_runs_alike_by_both_implicit_methods),
        cmocka_unit_test(hard_and_compliant_pairs_meet_one_rope),
        cmocka_unit_test(
            hard_contact_that_stays_is_of_second_order_by_nsga_and_of_first_by_moreau_jean),
        cmocka_unit_test(the_polar_element_takes_the_impact_alike_by_every_stepper),
        cmocka_unit_test(a_ring_moves_alike_wherever_it_is_cut_and_by_moreau_jean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
