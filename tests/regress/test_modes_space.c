/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenfrequencies of cables in space, of closed cables, of bodies on cables, of ropes and belts.
 */
#include "support/rig.h"
#include "support/scenario.h"

static const double pi = 3.14159265358979323846;

static void frequencies(const haw_scene *scene, int modes, double *f)
{
    rig r;
    rig_open(&r);
    assert_int_equal(haw_stepper_settings_init(r.context, "moreau-jean", &r.settings.stepper),
                     HAW_OK);
    rig_set(&r, "step", 1e-3);
    rig_build(&r, scene);
    if (haw_simulation_modes(r.simulation, modes, f, NULL) != HAW_OK) {
        fail_msg("%s", haw_context_message(r.context));
    }
    rig_close(&r);
}

static haw_cable_spec cable_in_space(const char *element, int elements, double length)
{
    haw_cable_spec cable = haw_cable_spec_default();
    cable.name = "cable";
    cable.element = element;
    cable.elements = elements;
    cable.from[0] = cable.from[1] = cable.from[2] = 0;
    cable.to[0] = length;
    cable.to[1] = cable.to[2] = 0;
    cable.density = 1;
    return cable;
}

static haw_scene scene_of(haw_cable_spec *cable)
{
    return (haw_scene){.dimension = 3, .load_steps = 1, .cables = 1, .cable = cable};
}

/* (n / 2 L) sqrt(T / (rho0 (1 + T / EA))): L is the stretched length. */
static void a_string_vibrates_in_both_transverse_directions(void **state)
{
    (void)state;
    static const char *const elements[] = {"ancf", "bezier"};
    for (int i = 0; i < 2; i++) {
        double f[4];
        haw_cable_spec cable = cable_in_space(elements[i], 16, 2);
        cable.stiffness = 4e4;
        cable.density = 0.1;
        cable.tension = 100;
        const haw_scene scene = scene_of(&cable);
        frequencies(&scene, 4, f);
        const double want = sqrt(100 / (0.1 / (1 + 100 / 4e4))) / 4;
        for (int k = 0; k < 4; k++) {
            const int number = k / 2 + 1;
            assert_near(f[k], want * number, 0, 2e-5);
        }
    }
}

/* Slender: Euler's beam cosh x cos x = 1, x = 4.730041, 7.853205; torsion sqrt(GJ / rho J) / 2 L.
 */
static void a_free_beam_has_six_rigid_motions_bending_and_torsion(void **state)
{
    (void)state;
    double f[2][11];
    for (int k = 0; k < 2; k++) {
        haw_cable_spec cable = cable_in_space("se3", 40 << k, 1);
        cable.stiffness = cable.shear_stiffness = 1e7;
        cable.bending_stiffness = cable.torsional_stiffness = 1;
        cable.rotary_inertia[0] = 2.5e-3;
        cable.rotary_inertia[1] = cable.rotary_inertia[2] = 1e-7;
        cable.ends[0].kind = cable.ends[1].kind = HAW_END_FREE;
        const haw_scene scene = scene_of(&cable);
        frequencies(&scene, 11, f[k]);
        for (int i = 0; i < 6; i++) {
            assert_true(f[k][i] == 0);
        }
    }
    const double want[5] = {22.3732854, 22.3732854, 61.6728229, 61.6728229, 20 * pi};
    for (int i = 0; i < 5; i++) {
        const double end = f[1][6 + i] + (f[1][6 + i] - f[0][6 + i]) / 3; /* of second order */
        print_message("%.6f (%.6f)\n", 2 * pi * end, want[i]);
        assert_near(2 * pi * end, want[i], 0, 3e-5);
    }
}

/*
 * A ring that does not stretch (S. Timoshenko, Vibration Problems in Engineering, 1937, sections 77
 * and 78): omega^2 R^4 rho = EI n^2 (n^2 - 1)^2 / (n^2 + 1) in its plane, / (n^2 + EI / GJ)
 * across. A closed cable whose turns are shared has these and six rigid motions, no seventh.
 */
static void a_ring_vibrates_in_its_plane_and_across(void **state)
{
    (void)state;
    const double torsion = 0.7, plane = 2.6832815730, across = 6 / sqrt(4 + 1 / torsion);
    double f[2][10];
    for (int k = 0; k < 2; k++) {
        const haw_path_segment circle = {.kind = HAW_PIECE_ARC, .radius = 1, .angle_deg = 360};
        haw_cable_spec cable = cable_in_space("se3", 60 << k, 1);
        cable.from[0] = 1;
        cable.path = &circle;
        cable.segments = 1;
        cable.closed = true;
        cable.reference = HAW_REFERENCE_DRAWN;
        cable.stiffness = cable.shear_stiffness = 1e7;
        cable.bending_stiffness = 1;
        cable.torsional_stiffness = torsion;
        for (int i = 0; i < 3; i++) {
            cable.rotary_inertia[i] = 1e-7;
        }
        const haw_scene scene = scene_of(&cable);
        frequencies(&scene, 10, f[k]);
        for (int i = 0; i < 6; i++) {
            assert_true(f[k][i] == 0);
        }
    }
    for (int i = 0; i < 4; i++) {
        const double end = 2 * pi * (f[1][6 + i] + (f[1][6 + i] - f[0][6 + i]) / 3);
        print_message("%.7f (%.7f, %.7f)\n", end, plane, across);
        assert_near(end, i < 2 ? across : plane, 0, 2e-5);
    }
}

/* A body at the end of a hanging cable, held there by a stiff spring of no length. */
static void hang(int dimension, const char *element, double f[6])
{
    haw_body_spec body = haw_body_spec_default();
    haw_cable_spec cable = cable_in_space(element, 32, 0);
    haw_spring_spec spring = haw_spring_spec_default();
    body.name = "weight";
    body.mass = 1;
    body.joint = HAW_JOINT_TRANSLATION;
    body.position[1] = cable.to[1] = -2;
    cable.length = 2;
    cable.stiffness = 1e4;
    cable.density = 0.1;
    cable.ends[1].kind = HAW_END_FREE;
    spring.between[0] = (haw_spring_end){.on = "cable", .at = {1}};
    spring.between[1] = (haw_spring_end){.on = "weight"};
    spring.stiffness = 1e10;
    const haw_scene scene = {.dimension = dimension,
                             .gravity = {0, -9.81, 0},
                             .start = HAW_START_STATIC,
                             .load_steps = 1,
                             .bodies = 1,
                             .body = &body,
                             .cables = 1,
                             .cable = &cable,
                             .springs = 1,
                             .spring = &spring};
    frequencies(&scene, 6, f);
}

/* Pendulum (Pv')' + rho omega^2 v = 0 with P = N / (1 + N / EA), m omega^2 v(L) = P v'(L); bounce
 * x tan x = rho L / m, f = x sqrt(EA / rho) / (2 pi L): both roots of their own. */
static void a_weight_on_a_cable_swings_and_bounces(void **state)
{
    (void)state;
    const double swing[3] = {0.3576323747, 2.6418516, 5.2106328}, bounce = 10.892266;
    double f[6];
    hang(2, "ancf", f);
    for (int i = 0; i < 3; i++) {
        assert_near(f[i], swing[i], 0, 2e-6);
    }
    print_message("swing %.2e, bounce %.2e\n", f[0] / swing[0] - 1, f[5] / bounce - 1);
    assert_near(f[5], bounce, 0, 2e-6);
    hang(3, "ancf", f);
    for (int i = 0; i < 6; i++) {
        assert_near(f[i], swing[i / 2], 0, 2e-6);
    }
}

static void scenario_modes(scenario_run *run, int modes, double *f)
{
    scenario_open(run);
    if (haw_simulation_modes(run->simulation, modes, f, NULL) != HAW_OK) {
        fail_msg("%s", haw_context_message(run->context));
    }
    scenario_close(run);
}

/* ---- joints and springs ---- */

static haw_joint_end at_body(const char *body, double y)
{
    haw_joint_end end = haw_joint_end_default();
    end.body = body;
    end.at[1] = y;
    return end;
}

static haw_joint_spec joint_of(const char *name, const char *type, const haw_joint_end *between)
{
    haw_joint_spec joint = haw_joint_spec_default();
    joint.name = name;
    joint.type = type;
    joint.ends = 2;
    joint.between = between;
    return joint;
}

/* Bars of 1 m and 1 kg, one below the other: 12 det(A g - B omega^2) = 0 of the small double
 * pendulum. The start is given, so that the forces of the joints are those that hold the weight. */
static void bars_on_joints_swing(void **state)
{
    (void)state;
    haw_body_spec bar[2];
    for (int i = 0; i < 2; i++) {
        bar[i] = haw_body_spec_default();
        bar[i].name = i == 0 ? "upper" : "lower";
        bar[i].mass = 1;
        bar[i].inertia = 1.0 / 12;
        bar[i].position[1] = -0.5 - i;
    }
    haw_joint_end ground = haw_joint_end_default();
    ground.is_ground = true;
    const haw_joint_end pivot[2] = {ground, at_body("upper", 0.5)};
    const haw_joint_end elbow[2] = {at_body("upper", -0.5), at_body("lower", 0.5)};
    const haw_joint_spec joint[2] = {joint_of("pivot", "pinned", pivot),
                                     joint_of("elbow", "pinned", elbow)};
    haw_scene scene = haw_scene_default();
    scene.gravity[1] = -9.81;
    scene.start = HAW_START_GIVEN;
    scene.bodies = 2;
    scene.body = bar;
    scene.joints = 2;
    scene.joint = joint;
    double f[2];
    frequencies(&scene, 2, f);
    print_message("%.9f %.9f\n", f[0], f[1]);
    assert_near(f[0], 0.42655339, 5e-9, 0);
    assert_near(f[1], 1.1441125, 5e-8, 0);
    scene.bodies = scene.joints = 1;
    frequencies(&scene, 1, f);
    assert_near(f[0], 1 / 1.6379465859, 0, 1e-10);
}

enum { CROSS = 2 };

/* Strings along x and y of 2 m under 20 N, pinned together in the middle: as one the knot moves
 * across the plane with the first mode of each, and at rest it leaves their halves to themselves.
 */
static void strings_that_are_tied_vibrate_as_one(void **state)
{
    (void)state;
    haw_cable_spec cable[CROSS];
    for (int i = 0; i < CROSS; i++) {
        cable[i] = cable_in_space("ancf", 40, 2);
        cable[i].name = i == 0 ? "a" : "b";
        cable[i].stiffness = 1e6; /* so that the plane's own modes are next to these */
        cable[i].density = 0.5;
        cable[i].tension = 20;
    }
    cable[1].from[0] = cable[1].to[0] = 1;
    cable[1].from[1] = -1;
    cable[1].to[1] = 1;
    haw_joint_end between[2] = {haw_joint_end_default(), haw_joint_end_default()};
    for (int i = 0; i < 2; i++) {
        between[i].cable = cable[i].name;
        between[i].at[0] = 0.5;
    }
    const haw_joint_spec knot = joint_of("knot", "spherical", between);
    haw_scene scene = haw_scene_default();
    scene.dimension = 3;
    scene.cables = CROSS;
    scene.cable = cable;
    scene.joints = 1;
    scene.joint = &knot;
    double f[5];
    frequencies(&scene, 5, f);
    const double want = sqrt(20 / (0.5 / (1 + 20 / 1e6))) / 4;
    for (int k = 0; k < 5; k++) {
        print_message("%.7f (%.7f)\n", f[k], k == 0 ? want : 2 * want);
        assert_near(f[k], k == 0 ? want : 2 * want, 0, 1e-5);
    }
}

/* Two strings of 2 m with a spring k between their middles: as one they do not feel it; against
 * each other T beta cos(beta l) = -k sin(beta l) on halves of l = 1 m, with a kink at the spring,
 * for which the element is C0. */
static void strings_on_a_spring_vibrate_apart(void **state)
{
    (void)state;
    const double tension = 100, stiffness = 4e6, k = 150;
    haw_cable_spec cable[CROSS];
    for (int i = 0; i < CROSS; i++) {
        cable[i] = cable_in_space("bezier-c0", 40, 2);
        cable[i].name = i == 0 ? "a" : "b";
        cable[i].stiffness = stiffness;
        cable[i].tension = tension;
        cable[i].from[1] = cable[i].to[1] = 0.3 * i;
    }
    haw_spring_spec spring = haw_spring_spec_default();
    for (int i = 0; i < 2; i++) {
        spring.between[i] = (haw_spring_end){.on = cable[i].name, .at = {0.5}};
    }
    spring.stiffness = k;
    spring.length = 0.3;
    haw_scene scene = haw_scene_default();
    scene.cables = CROSS;
    scene.cable = cable;
    scene.springs = 1;
    scene.spring = &spring;
    double low = pi / 2, high = pi, f[2];
    for (int i = 0; i < 60; i++) {
        const double beta = 0.5 * (low + high);
        const bool is_low = tension * beta * cos(beta) + k * sin(beta) > 0;
        low = is_low ? beta : low;
        high = is_low ? high : beta;
    }
    const double speed = sqrt(tension / (1 / (1 + tension / stiffness)));
    frequencies(&scene, 2, f);
    print_message("%.7f (%.7f), %.7f (%.7f)\n", f[0], speed / 4, f[1], low * speed / (2 * pi));
    assert_near(f[0], speed / 4, 0, 1e-5);
    assert_near(f[1], low * speed / (2 * pi), 0, 1e-5);
}

/* ---- scenarios ---- */

/* Car and counterweight of the elevator bounce on their free ropes where the bed is stiff. */
static void masses_on_a_rope_over_a_sheave_bounce_on_their_sides(void **state)
{
    (void)state;
    scenario_run run;
    double f[6];
    scenario_init(&run, "elevator");
    scenario_set(&run, "contact.tangential_stiffness=1.0e11");
    scenario_modes(&run, 6, f);
    assert_near(f[1], 6.00971961, 0, 0.01); /* 11 m and 1015 kg, x tan x = rho L / m */
    assert_near(f[3], 10.07314699, 0, 0.015);
}

/* Spans of a belt: sqrt(T / rho) / 2 L. Without grip nothing but the mesh, which is not quite
 * round, resists its circulation or drives it: it is slow beside all else, or slowly grows. */
static void a_belt_vibrates_in_its_spans_and_circulates(void **state)
{
    (void)state;
    scenario_run run;
    double f[6];
    scenario_init(&run, "belt-drive");
    scenario_modes(&run, 6, f);
    const double span = sqrt(400 / 0.8288) / (2 * 0.31415926535897931);
    print_message("belt %.4f, spans %.4f %.4f (%.4f)\n", f[0], f[1], f[2], span);
    assert_near(f[1], span, 0, 0.01);
    assert_near(f[2], span, 0, 0.01);
    scenario_init(&run, "belt-drive");
    scenario_set(&run, "contact.tangential=regularized");
    scenario_set(&run, "contact.tangential_stiffness=none");
    scenario_set(&run, "contact.regularization_velocity=1.0e-3");
    scenario_modes(&run, 3, f);
    print_message("without grip %.4g %.4f %.4f\n", f[0], f[1], f[2]);
    assert_true(f[0] < 0.05 * span);
    assert_near(f[1], span, 0, 0.01);
}

TEST_FILE(test_modes_space)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_string_vibrates_in_both_transverse_directions),
        cmocka_unit_test(a_free_beam_has_six_rigid_motions_bending_and_torsion),
        cmocka_unit_test(a_ring_vibrates_in_its_plane_and_across),
        cmocka_unit_test(a_weight_on_a_cable_swings_and_bounces),
        cmocka_unit_test(bars_on_joints_swing),
        cmocka_unit_test(strings_that_are_tied_vibrate_as_one),
        cmocka_unit_test(strings_on_a_spring_vibrate_apart),
        cmocka_unit_test(masses_on_a_rope_over_a_sheave_bounce_on_their_sides),
        cmocka_unit_test(a_belt_vibrates_in_its_spans_and_circulates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
