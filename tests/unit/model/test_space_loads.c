/* SPDX-License-Identifier: BSD-3-Clause */
/* Given forces and moments on spatial models, dead and following, and end tensions. */
#include "support/space_loaded.h"

static void loads_have_their_part_in_the_forces(void **state)
{
    (void)state;
    uint64_t seed = 3;
    double q[COORDINATES], u[DOFS], whole[4][DOFS], half[4][DOFS], f[DOFS];
    const haw_forces set = {half[0], half[1], half[2], half[3]};
    random_state(&seed, q, u);
    forces(q, u, whole, f);
    haw_model_forces(model, 0, 0.5, q, u, &set);
    for (int i = 0; i < model->dofs; i++) {
        assert_near(half[2][i], 0.5 * whole[2][i], 0, 1e-15);
        assert_true(half[0][i] == whole[0][i]);
    }
}

static void the_power_of_loads_is_that_of_forces_and_moments(void **state)
{
    (void)state;
    uint64_t seed = 31;
    double q[COORDINATES], u[DOFS], part[4][DOFS], f[DOFS], r[9];
    random_state(&seed, q, u);
    forces(q, u, part, f);
    const haw_body *top = &model->body[0];
    const double *load = part[2] + top->first;
    quaternion_matrix(q + top->first_q + 3, r);
    for (int j = 0; j < 3; j++) {
        double follower = 0, dead = 0;
        for (int k = 0; k < 3; k++) {
            follower += r[3 * j + k] * (1.3 - k);
            dead += r[3 * k + j] * (0.4 + 0.7 * k);
        }
        assert_near(load[j], 1.3 - j + follower, 1e-14, 1e-14);
        assert_near(load[3 + j], dead + 0.4 + 0.7 * j + (j == 2 ? 0.5 : 0), 1e-14, 1e-14);
    }
}

/* f . d is the work of F along the way of its point; the scene has no other load. */
static void a_force_between_two_nodes_does_the_work_of_its_point(void **state)
{
    (void)state;
    haw_force_spec force;
    haw_scene scene = all.scene;
    haw_model *const kept = model;
    uint64_t seed = 19;
    double q[COORDINATES], u[DOFS], d[DOFS], moved[COORDINATES], part[4][DOFS], f[DOFS];
    double work = 0, x[2][3], towards = 0;
    const double e = 1e-5;
    set_force(&force, "yarn", 0.4, false);
    memset(force.moment, 0, sizeof force.moment);
    scene.forces = 1;
    scene.force = &force;
    model = build(&scene);
    random_state(&seed, q, u);
    forces(q, u, part, f);
    const haw_cable *yarn = &model->cable[0];
    for (int k = 0; k < 2; k++) {
        haw_space_point point;
        seed = 44;
        for (int i = 0; i < model->dofs; i++) {
            const bool is_inside = i >= yarn->first + 6 && i < yarn->first + 24;
            d[i] = (k == 0 ? -e : e) * (is_inside ? random_signed(&seed) : 0);
        }
        haw_model_move(model, q, d, moved);
        yarn->beam.ops->point(&yarn->beam, 1, 0.6, moved + yarn->first_q, false, &point);
        memcpy(x[k], point.x, sizeof x[k]);
    }
    for (int i = 0; i < model->dofs; i++) {
        work += part[2][i] * d[i];
    }
    for (int j = 0; j < 3; j++) {
        towards += (1.3 - j) * (x[1][j] - x[0][j]) / 2;
    }
    assert_near(work, towards, 1e-8 * e, 1e-8);
    haw_model_free(model);
    model = kept;
}

static void end_tension_pulls_along_the_cable_or_a_direction(void **state)
{
    (void)state;
    haw_scene scene = all.scene;
    scene.forces = 0;
    haw_model *const kept = model;
    model = build(&scene);
    uint64_t seed = 8;
    double q[COORDINATES], u[DOFS], part[4][DOFS], f[DOFS], r[9];
    random_state(&seed, q, u);
    forces(q, u, part, f);
    const haw_cable *yarn = &model->cable[0], *wire = &model->cable[1];
    const int last = 6 * yarn->beam.elements;
    quaternion_matrix(q + yarn->first_q + 7 * yarn->beam.elements + 3, r);
    const double *slope = q + wire->first_q + 6 * wire->beam.elements + 3;
    for (int j = 0; j < 3; j++) {
        const double towards[3] = {-1, 0, 2};
        assert_near(part[2][yarn->first + j], 3 * towards[j] / sqrt(5), 1e-14, 0);
        assert_near(part[2][yarn->first + last + j], 7 * r[3 * j], 1e-14, 0);
        assert_near(part[2][wire->first + last + j], 7 * slope[j] / vec3_norm(slope), 1e-14, 0);
    }
    haw_model_free(model);
    model = kept;
}

TEST_FILE(test_space_loads)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_have_their_part_in_the_forces),
        cmocka_unit_test(the_power_of_loads_is_that_of_forces_and_moments),
        cmocka_unit_test(a_force_between_two_nodes_does_the_work_of_its_point),
        cmocka_unit_test(end_tension_pulls_along_the_cable_or_a_direction),
    };
    return cmocka_run_group_tests(tests, open_scene, close_scene);
}
