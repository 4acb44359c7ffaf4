/* SPDX-License-Identifier: BSD-3-Clause */
/* Spatial models: benchmark W1, prescribed motion, bodies, grids, loads. */
#include "support/near.h"
#include "support/random.h"
#include "support/space_scene.h"
#include "support/winding.h"

#include <string.h>

/* ---- benchmark W1 ---- */

static void the_winding_benchmark_is_built_as_defined(void **unused)
{
    (void)unused;
    space_scene f;
    space_scene_open(&f);
    space_scene_build(&f);
    const haw_cable *yarn = &f.model->cable[0];
    assert_int_equal(haw_model_dofs(f.model), 6 + 51 * 6);
    assert_int_equal(f.model->coordinates, 7 + 51 * 7);
    assert_int_equal(f.model->points, 51);
    assert_int_equal(f.model->start, HAW_START_GIVEN);
    assert_near(yarn->beam.le * yarn->beam.elements, 4, 1e-14, 0);
    assert_near(yarn->beam.stiffness[0], 282743.34, 0, 1e-7);
    assert_near(yarn->beam.stiffness[1], 116836.1, 0, 1e-6);
    assert_near(yarn->beam.stiffness[3], 0.05841805, 0, 1e-6);
    assert_near(yarn->beam.stiffness[4], 0.07068583, 0, 1e-6);
    assert_near(yarn->beam.density * yarn->beam.le, 6.786e-4, 0, 1e-4);
    assert_near(yarn->beam.rotary[0], 2 * 2.120575e-9, 0, 1e-6);
    assert_near(yarn->beam.rotary[2], 2.120575e-9, 0, 1e-6);
    /* shear of a thin section: 2 / sqrt(GA (12 / (rho A L^2) + 1 / (rho I))) */
    const double shear = 116836.1 * (12 / (6.786e-4 * 0.08) + 1 / 2.120575e-9);
    assert_near(haw_model_critical_step(f.model), 2 / sqrt(shear), 0, 1e-5);
    space_scene_close(&f);
}

static void the_winding_benchmark_starts_under_a_uniform_tension(void **unused)
{
    (void)unused;
    space_scene f;
    space_scene_open(&f);
    double q[SPACE_SIZE], value[8][SPACE_SIZE];
    for (int given = 0; given < 2; given++) {
        f.cable.tension = given == 1 ? winding_tension : (double)NAN;
        f.cable.length = given == 1 ? (double)NAN : winding_length;
        space_scene_build(&f);
        space_scene_start(&f, q);
        const haw_profile all = {.xi = value[0],
                                 .x = value[1],
                                 .y = value[2],
                                 .z = value[3],
                                 .tension = value[4],
                                 .strain = value[5],
                                 .curvature = value[6],
                                 .element_tension = value[7]};
        haw_cable_profile(f.model, 0, q, NULL, &all);
        assert_int_equal(haw_cable_sample_count(f.model, 0), 201);
        for (int k = 0; k <= 200; k++) {
            assert_near(all.tension[k], 10, 1e-8, 0);
            assert_near(all.element_tension[k], 10, 1e-8, 0);
            assert_near(all.x[k], 0.401, 1e-15, 0);
            assert_near(all.y[k], -(1 + 10 / f.cable.stiffness) * all.xi[k], 1e-14, 0);
            assert_near(all.z[k], 0, 0, 0);
            assert_near(all.curvature[k], 0, 1e-12, 0);
        }
        assert_near(haw_cable_tension_mean(&f.model->cable[0], q), 10, 1e-8, 0);
        assert_near(f.model->cable[0].beam.le * 50, 4, 1e-13, 0);
    }
    space_scene_close(&f);
}

/* Drum: all six; first node: its position; last node: x and z. */
static void what_is_prescribed_is_held(void **unused)
{
    (void)unused;
    space_scene f;
    space_scene_open(&f);
    space_scene_build(&f);
    bool held[SPACE_SIZE];
    haw_model_held(f.model, held);
    for (int i = 0; i < f.model->dofs; i++) {
        const int last = 6 + 50 * 6;
        const bool want = i < 9 || i == last || i == last + 2;
        assert_int_equal(held[i], want);
    }
    space_scene_close(&f);
}

static void the_prescribed_place_is_exact_after_the_whole_motion(void **unused)
{
    (void)unused;
    space_scene f;
    space_scene_open(&f);
    space_scene_build(&f);
    double q[SPACE_SIZE], u[SPACE_SIZE] = {0};
    space_scene_start(&f, q);
    haw_model_place(f.model, 9, q);
    assert_near(q[3], cos(3), 1e-15, 0);
    assert_near(q[6], sin(3), 1e-15, 0);
    assert_near(space_scene_node(&f, q, 0)[0], 0.401 * cos(6), 1e-15, 0);
    assert_near(space_scene_node(&f, q, 0)[1], 0.401 * sin(6), 1e-15, 0);
    assert_near(space_scene_node(&f, q, 50)[0], 0.401, 0, 1e-15);
    assert_near(space_scene_node(&f, q, 50)[2], 0.15 * (9 - 6.125), 1e-14, 0);
    haw_model_prescribe(f.model, 3, u);
    assert_near(u[5], 1.2, 1e-15, 0);
    /* at t = 3 the drum has turned by 1.2 (3 - 1/2) = 3 */
    assert_near(u[6], -0.401 * 1.2 * sin(3), 1e-15, 0);
    assert_near(u[7], 0.401 * 1.2 * cos(3), 1e-15, 0);
    haw_model_prescribe(f.model, 9, u);
    assert_near(u[6 + 6 * 50 + 2], 0.15, 1e-16, 0);
    space_scene_close(&f);
}

/* ---- motion ---- */

/* Moving from q by what `difference` found leads to q_plus, and the other way round. */
static void difference_inverts_move(void **unused)
{
    (void)unused;
    static const char *const kind[2] = {"se3", "ancf"};
    for (int k = 0; k < 2; k++) {
        space_scene f;
        space_scene_open(&f);
        f.cable.element = kind[k];
        space_scene_build(&f);
        double q[SPACE_SIZE], d[SPACE_SIZE], plus[SPACE_SIZE], back[SPACE_SIZE], again[SPACE_SIZE];
        uint64_t random = 41;
        space_scene_start(&f, q);
        for (int i = 0; i < f.model->dofs; i++) {
            d[i] = 1.5 * random_signed(&random);
        }
        haw_model_move(f.model, q, 1, d, plus);
        haw_model_difference(f.model, q, plus, back);
        for (int i = 0; i < f.model->dofs; i++) {
            assert_near(back[i], d[i], 1e-13, 0);
        }
        haw_model_move(f.model, q, 1, back, again);
        haw_model_move(f.model, q, 1, d, q); /* in place */
        for (int i = 0; i < f.model->coordinates; i++) {
            assert_near(again[i], plus[i], 1e-13, 0);
            assert_near(q[i], plus[i], 0, 0);
        }
        space_scene_close(&f);
    }
}

/* The prescribed velocity is the rate of the prescribed place, of every kind of end. */
static void prescribed_velocities_are_the_rates_of_the_place(void **unused)
{
    (void)unused;
    static const char *const kind[2] = {"se3", "ancf"};
    static const double time[] = {0, 1, 2}, value[] = {0, 0.7, -0.4};
    for (int k = 0; k < 4; k++) {
        space_scene f;
        space_scene_open(&f);
        f.cable.element = kind[k % 2];
        const double tilt[4] = {0.9, 0.3, -0.2, 0.25};
        memcpy(f.body[0].orientation, tilt, sizeof tilt);
        f.body[0].motion_velocity[1] = (haw_function){.constant = 0.3};
        f.cable.ends[0].kind = k < 2 ? HAW_END_CLAMPED : HAW_END_PINNED;
        f.cable.ends[1].guide[0] = HAW_GUIDE_POSITION;
        const double wave[] = {0.401, 0.7, -0.4};
        f.cable.ends[1].velocity[0] = (haw_function){.count = 3, .time = time, .value = wave};
        f.cable.ends[1].velocity[0].ramp = HAW_RAMP_CYCLOID;
        f.cable.ends[1].velocity[2] =
            (haw_function){.count = 3, .time = time, .value = value, .ramp = HAW_RAMP_COSINE};
        space_scene_build(&f);
        double before[SPACE_SIZE], after[SPACE_SIZE], d[SPACE_SIZE], u[SPACE_SIZE] = {0};
        bool held[SPACE_SIZE] = {false}; /* multipliers of joints are not */
        const double t = 1.3, h = 1e-4;
        space_scene_start(&f, before);
        space_scene_start(&f, after);
        haw_model_place(f.model, t - h, before);
        haw_model_place(f.model, t + h, after);
        haw_model_difference(f.model, before, after, d);
        haw_model_prescribe(f.model, t, u);
        haw_model_held(f.model, held);
        for (int i = 0; i < f.model->dofs; i++) {
            assert_near(d[i] / (2 * h), held[i] ? u[i] : 0, 1e-7, 0);
        }
        space_scene_close(&f);
    }
}

static void the_first_place_is_the_drawn_start(void **unused)
{
    (void)unused;
    static const char *const kind[2] = {"se3", "ancf"};
    for (int k = 0; k < 4; k++) {
        space_scene f;
        space_scene_open(&f);
        f.cable.element = kind[k % 2];
        f.cable.from[2] = 0.3;
        f.cable.ends[0].kind = HAW_END_CLAMPED;
        f.cable.ends[1] = (haw_end_spec){.kind = k < 2 ? HAW_END_CLAMPED : HAW_END_PINNED};
        f.body[0].orientation[2] = -0.7;
        space_scene_build(&f);
        double q[SPACE_SIZE], placed[SPACE_SIZE];
        space_scene_start(&f, q);
        space_scene_start(&f, placed);
        haw_model_place(f.model, 0, placed);
        for (int i = 0; i < f.model->coordinates; i++) {
            assert_near(placed[i], q[i], 4e-15, 0);
        }
        space_scene_close(&f);
    }
}

/* ---- bodies ---- */

static void a_cylinder_has_the_inertias_of_a_solid_one(void **unused)
{
    (void)unused;
    space_scene f;
    space_scene_open(&f);
    haw_body_spec *drum = &f.body[0];
    drum->motion = HAW_MOTION_FREE;
    drum->mass = 3;
    drum->shape_options[1] = 2;
    drum->orientation[0] = 2;
    drum->orientation[3] = 2;
    drum->joint = HAW_JOINT_REVOLUTE;
    drum->spin = 0.5;
    f.cable.ends[0].body = NULL;
    space_scene_build(&f);
    const haw_body *body = &f.model->body[0];
    assert_near(body->mass[2], 3, 0, 0);
    assert_near(body->mass[5], 0.5 * 3 * 0.16, 1e-15, 0);
    assert_near(body->mass[3], 3 * (3 * 0.16 + 4) / 12, 1e-15, 0);
    assert_near(body->start[3], sqrt(0.5), 1e-15, 0);
    assert_near(body->start[6], sqrt(0.5), 1e-15, 0);
    assert_near(body->rate[5], 0.5, 0, 0);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(body->held[i], i < 5);
    }
    drum->inertias[0] = 7;
    drum->inertia = 5;
    space_scene_build(&f);
    assert_near(f.model->body[0].mass[3], 7, 0, 0);
    assert_near(f.model->body[0].mass[4], 5, 0, 0);
    drum->joint = HAW_JOINT_TRANSLATION;
    drum->spin = 0;
    space_scene_build(&f);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(f.model->body[0].held[i], i >= 3);
    }
    space_scene_close(&f);
}

/* ---- contact pairs ---- */

static void grids_count_places_and_feet(void **unused)
{
    (void)unused;
    space_scene f;
    space_scene_open(&f);

    const struct {
        haw_proxy proxy;
        int points, refine, count;
    } row[] = {
        {HAW_PROXY_POINTS, 1, HAW_REFINE_OFF, 51},
        {HAW_PROXY_POINTS, 4, HAW_REFINE_OFF, 201},
        {HAW_PROXY_POINTS, 0, HAW_REFINE_OFF, 101}, /* 80 mm by R / 8 = 50 mm */
        {HAW_PROXY_POINTS, 2, HAW_REFINE_LIFTOFF, 401},
        {HAW_PROXY_CAPSULES, 2, HAW_REFINE_OFF, 201}, /* and the pieces between them */
        {HAW_PROXY_MORTAR, 4, HAW_REFINE_OFF, 51},
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        f.contact.proxy = (int)row[i].proxy;
        f.contact.points_per_element = row[i].points;
        f.contact.refine = row[i].refine;
        space_scene_build(&f);
        const haw_pair *pair = &f.model->pair[0];
        int element;
        double s;
        assert_int_equal(f.model->points, row[i].count);
        assert_int_equal(pair->feet, 1);
        haw_pair_point(f.model, pair, row[i].count - 1, &element, &s);
        assert_int_equal(element, 49);
        assert_near(s, row[i].proxy == HAW_PROXY_CAPSULES ? 0.5 : 1, 0, 0); /* where it begins */
        haw_pair_point(f.model, pair, 1, &element, &s);
        const int n = row[i].proxy == HAW_PROXY_MORTAR ? 1 : pair->points_per_element;
        assert_near(element + s, 1.0 / n, 0, 0);
    }
    space_scene_close(&f);
}

static void a_sphere_touches_a_plane_at_one_place(void **unused)
{
    (void)unused;
    space_scene f;
    space_scene_open(&f);
    f.scene.cables = 0;
    f.scene.bodies = 2;
    f.body[0] = f.body[1] = haw_body_spec_default();
    f.body[0].name = "ball";
    f.body[0].shape = "sphere";
    f.body[0].shape_options[0] = 0.1;
    f.body[0].mass = 2;
    f.body[1].name = "ground";
    f.body[1].shape = "plane";
    f.body[1].motion = HAW_MOTION_FIXED;
    f.contact.between[0] = "ground";
    f.contact.between[1] = "ball";
    space_scene_build(&f);
    assert_int_equal(f.model->points, 1);
    assert_int_equal(f.model->pair[0].proxy, 0);
    assert_int_equal(f.model->pair[0].body, 1);
    assert_near(f.model->pair[0].proxy_radius, 0.1, 0, 0);
    assert_near(f.model->body[0].mass[4], 0.4 * 2 * 0.01, 1e-16, 0);
    space_scene_close(&f);
}

/* ---- loads, locks ---- */

static void forces_and_locks_find_their_place(void **unused)
{
    (void)unused;
    space_scene f;
    static const char *const lock[2] = {"yarn.end.y", "drum.angle"};
    space_scene_open(&f);
    f.scene.forces = 1;
    f.scene.locks = 2;
    f.scene.lock = lock;
    f.force.on = "yarn";
    f.force.point = 0.25;
    f.force.force[2].constant = 3;
    f.force.moment[0].constant = -2;
    f.force.follows = true;
    space_scene_build(&f);
    const haw_load *load = &f.model->load[0];
    assert_int_equal(load->spot.element, 12);
    assert_near(load->spot.s, 0.5, 1e-12, 0);
    assert_true(load->follows);
    assert_near(haw_function_value(&load->force[2], 0), 3, 0, 0);
    assert_near(haw_function_value(&load->moment[0], 0), -2, 0, 0);
    for (int i = 0; i < f.model->dofs; i++) {
        assert_int_equal(f.model->lock[i], i == 5 || i == 6 + 6 * 50 + 1);
    }
    space_scene_close(&f);
}

TEST_FILE(test_space_model)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_winding_benchmark_is_built_as_defined),
        cmocka_unit_test(the_winding_benchmark_starts_under_a_uniform_tension),
        cmocka_unit_test(what_is_prescribed_is_held),
        cmocka_unit_test(the_prescribed_place_is_exact_after_the_whole_motion),
        cmocka_unit_test(difference_inverts_move),
        cmocka_unit_test(prescribed_velocities_are_the_rates_of_the_place),
        cmocka_unit_test(the_first_place_is_the_drawn_start),
        cmocka_unit_test(a_cylinder_has_the_inertias_of_a_solid_one),
        cmocka_unit_test(grids_count_places_and_feet),
        cmocka_unit_test(a_sphere_touches_a_plane_at_one_place),
        cmocka_unit_test(forces_and_locks_find_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
