/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces, energies, masses and the matrix of spatial models. */
#include "base/lie.h"
#include "model/system.h"
#include "support/near.h"
#include "support/random.h"

#include <hawser/hawser.h>

#include <string.h>

enum { DOFS = 160, COORDINATES = 200, BODIES = 2, CABLES = 2, FORCES = 6, SPRINGS = 3 };

typedef struct space_scene {
    haw_body_spec body[BODIES];
    haw_cable_spec cable[CABLES];
    haw_force_spec force[FORCES];
    haw_spring_spec spring[SPRINGS];
    haw_scene scene;
} space_scene;

static haw_context *context;
static haw_model *model;
static space_scene all;
static double load_part = 1;

static void set_bodies(space_scene *s)
{
    for (int i = 0; i < BODIES; i++) {
        s->body[i] = haw_body_spec_default();
        s->body[i].mass = 2 + i;
        s->body[i].inertias[0] = 0.3;
        s->body[i].inertias[1] = 0.4;
        s->body[i].inertias[2] = 0.7 + i;
        s->body[i].position[0] = 3.0 * i;
        s->body[i].orientation[0] = 0.8;
        s->body[i].orientation[1] = 0.6;
    }
    s->body[0].name = "top";
    s->body[0].rotational_damping = 0.2;
    s->body[0].torque = (haw_function){.constant = 0.5};
    s->body[1].name = "wheel";
    s->body[1].joint = HAW_JOINT_REVOLUTE;
}

static void set_cables(space_scene *s)
{
    for (int i = 0; i < CABLES; i++) {
        haw_cable_spec *c = &s->cable[i];
        *c = haw_cable_spec_default();
        c->elements = 4;
        c->from[0] = c->from[2] = 0;
        c->from[1] = 1.0 + i;
        c->to[0] = 2;
        c->to[1] = 1.5;
        c->to[2] = -0.5;
        c->stiffness = 500;
        c->shear_stiffness = 200;
        c->bending_stiffness = 2;
        c->torsional_stiffness = 1.5;
        c->density = 0.4;
        c->radius = 0.05;
        c->damping_mass = 0.5;
        c->damping_strain = 0.3;
        c->damping_curvature = 0.02;
        c->ends[0].kind = c->ends[1].kind = HAW_END_FREE;
        c->ends[1].tension = (haw_function){.constant = 7};
    }
    s->cable[0].name = "yarn";
    s->cable[0].element = "se3";
    s->cable[0].rotary_inertia[0] = 0.05;
    s->cable[0].rotary_inertia[1] = 0.02;
    s->cable[0].rotary_inertia[2] = 0.03;
    s->cable[0].damping_shear = 0.1;
    s->cable[0].damping_torsion = 0.03;
    s->cable[0].ends[0].tension = (haw_function){.constant = 3};
    s->cable[0].ends[0].towards[0] = -1;
    s->cable[0].ends[0].towards[2] = 2;
    s->cable[1].name = "wire";
    s->cable[1].element = "ancf";
    s->cable[1].ends[0].kind = HAW_END_CLAMPED;
    s->cable[1].to[1] = s->cable[1].from[1]; /* along x: coordinates alone hold its direction */
    s->cable[1].to[2] = s->cable[1].from[2];
}

static void set_force(haw_force_spec *force, const char *on, double point, bool follows)
{
    *force = haw_force_spec_default();
    force->on = on;
    force->point = point;
    force->follows = follows;
    for (int j = 0; j < 3; j++) {
        force->force[j] = (haw_function){.constant = 1.3 - j};
        force->moment[j] = (haw_function){.constant = 0.4 + 0.7 * j};
    }
}

static void set_forces(space_scene *s)
{
    set_force(&s->force[0], "yarn", 0.5, false);
    set_force(&s->force[1], "yarn", 1, true);
    set_force(&s->force[2], "yarn", 0, true);
    set_force(&s->force[3], "top", 0, false);
    set_force(&s->force[4], "top", 0, true);
    set_force(&s->force[5], "wire", 0.25, false);
    memset(s->force[5].moment, 0, sizeof s->force[5].moment);
}

/* From a node, a place inside an element, the end of a cable; to a cable, a body, the ground. */
static void set_springs(space_scene *s)
{
    for (int i = 0; i < SPRINGS; i++) {
        s->spring[i] = haw_spring_spec_default();
        s->spring[i].stiffness = 20 + i;
        s->spring[i].damping = 0.3;
        s->spring[i].length = 0.4 * i;
    }
    s->spring[0].between[0] = (haw_spring_end){.on = "yarn", .at = {1}};
    s->spring[0].between[1] = (haw_spring_end){.on = "top"};
    s->spring[1].between[0] = (haw_spring_end){.on = "yarn", .at = {0.5}};
    s->spring[1].between[1] = (haw_spring_end){.on = "wire", .at = {0.3}};
    s->spring[2].between[0] = (haw_spring_end){.at = {1, 2, 3}};
    s->spring[2].between[1] = (haw_spring_end){.on = "top"};
}

static haw_model *build(const haw_scene *scene)
{
    haw_model *made = NULL;
    if (haw_model_build(context, scene, &made) != HAW_OK) {
        fail_msg("%s", haw_context_message(context));
    }
    return made;
}

static int open_scene(void **state)
{
    (void)state;
    memset(&all, 0, sizeof all);
    if (haw_context_create(NULL, &context) != HAW_OK) {
        return -1;
    }
    set_bodies(&all);
    set_cables(&all);
    set_forces(&all);
    set_springs(&all);
    all.scene = (haw_scene){.dimension = 3,
                            .gravity = {0.3, -9.81, 1},
                            .load_steps = 1,
                            .bodies = BODIES,
                            .body = all.body,
                            .cables = CABLES,
                            .cable = all.cable,
                            .forces = FORCES,
                            .force = all.force,
                            .springs = SPRINGS,
                            .spring = all.spring};
    model = build(&all.scene);
    return model->dofs <= DOFS && model->coordinates <= COORDINATES ? 0 : -1;
}

static int close_scene(void **state)
{
    (void)state;
    haw_model_free(model);
    haw_context_free(context);
    return 0;
}

/* A state with large rotations: every node and body turns by about a radian, neighbours less. */
static void random_state(uint64_t *seed, double *q, double *u)
{
    double d[DOFS];
    haw_state *start;
    assert_int_equal(haw_state_create(context, model, &start), HAW_OK);
    for (int i = 0; i < model->dofs; i++) {
        const bool turns = i % 6 >= 3;
        d[i] = (turns ? 0.9 : 0) + 0.3 * random_signed(seed);
        u[i] = 2 * random_signed(seed);
    }
    haw_model_move(model, start->q, 1, d, q);
    haw_state_free(context, start);
}

/* parts [4][DOFS]: conservative, damping, load, gyroscopic; their sum into f. */
static void forces(const double *q, const double *u, double part[4][DOFS], double *f)
{
    const haw_forces set = {part[0], part[1], part[2], part[3]};
    haw_model_forces(model, 0, load_part, q, u, &set);
    for (int i = 0; i < model->dofs; i++) {
        f[i] = part[0][i] + part[1][i] + part[2][i] + part[3][i];
    }
}

static double largest(const double *x)
{
    double most = 0;
    for (int i = 0; i < model->dofs; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

static void conservative_forces_are_minus_the_gradient_of_the_energy(void **state)
{
    (void)state;
    uint64_t seed = 5;
    double q[COORDINATES], u[DOFS], part[4][DOFS], f[DOFS];
    const double e = 1e-5;
    random_state(&seed, q, u);
    forces(q, u, part, f);
    for (int i = 0; i < model->dofs; i++) {
        double moved[COORDINATES], d[DOFS] = {0}, energy[2];
        for (int k = 0; k < 2; k++) {
            d[i] = k == 0 ? -e : e;
            haw_model_move(model, q, 1, d, moved);
            const haw_energy sum = haw_model_energy(model, moved);
            energy[k] = sum.elastic + sum.gravity;
        }
        assert_near(part[0][i], -(energy[1] - energy[0]) / (2 * e), 1e-7 * largest(part[0]), 0);
    }
}

static void the_matrix_is_the_derivative_of_all_forces(void **state)
{
    (void)state;
    haw_system *system;
    uint64_t seed = 12;
    const double mass = 30, rate = 7, e = 1e-6;
    assert_int_equal(haw_system_create(context, model, NULL, NULL, &system), HAW_OK);
    for (int trial = 0; trial < 5; trial++) {
        double q[COORDINATES], u[DOFS], d[DOFS] = {0}, x[DOFS] = {0}, y[DOFS] = {0}, m[DOFS];
        double part[4][DOFS], f[2][DOFS], change[DOFS];
        random_state(&seed, q, u);
        load_part = system->part = trial % 2 == 0 ? 1 : 0.4;
        haw_system_clear(system);
        haw_system_add_model(system, q, u, mass, rate);
        for (int i = 0; i < system->equations; i++) {
            x[i] = d[system->dof[i]] = random_signed(&seed);
        }
        haw_matrix_multiply(system->matrix, 1, x, y);
        for (int k = 0; k < 2; k++) {
            double way[DOFS], moved[COORDINATES], v[DOFS];
            for (int i = 0; i < model->dofs; i++) {
                way[i] = (k == 0 ? -e : e) * d[i];
                v[i] = u[i] + rate * way[i];
            }
            haw_model_move(model, q, 1, way, moved);
            forces(moved, v, part, f[k]);
        }
        haw_model_mass(model, d, m);
        for (int i = 0; i < model->dofs; i++) {
            change[i] = (f[0][i] - f[1][i]) / (2 * e);
        }
        for (int i = 0; i < system->equations; i++) {
            const int dof = system->dof[i];
            assert_near(y[i], change[dof] + mass * m[dof], 2e-8 * largest(change), 0);
        }
    }
    load_part = 1;
    haw_system_free(system);
}

static void the_mass_is_symmetric_and_gives_the_kinetic_energy(void **state)
{
    (void)state;
    uint64_t seed = 77;
    double x[DOFS], y[DOFS], mx[DOFS], my[DOFS], q[COORDINATES] = {0};
    double xmy = 0, ymx = 0, xmx = 0;
    for (int i = 0; i < model->dofs; i++) {
        x[i] = random_signed(&seed);
        y[i] = random_signed(&seed);
    }
    haw_model_mass(model, x, mx);
    haw_model_mass(model, y, my);
    for (int i = 0; i < model->dofs; i++) {
        xmy += x[i] * my[i];
        ymx += y[i] * mx[i];
        xmx += x[i] * mx[i];
    }
    assert_near(xmy, ymx, 1e-14, 1e-13);
    assert_near(haw_model_kinetic(model, q, x), 0.5 * xmx, 0, 1e-13);
}

/* Free of loads: J dOmega = -Omega x J Omega keeps energy and momentum in space. */
static void a_free_body_keeps_its_energy_and_angular_momentum(void **state)
{
    (void)state;
    double q[COORDINATES], u[DOFS], part[4][DOFS], f[DOFS], start[3], end[3], r[9];
    uint64_t seed = 2;
    random_state(&seed, q, u);
    const haw_body *top = &model->body[0];
    const double *inertia = top->mass + 3, h = 1e-4;
    double *omega = u + top->first + 3, momentum[3], energy[2] = {0, 0};
    for (int k = 0; k <= 20000; k++) {
        double d[DOFS] = {0}, half[3];
        memcpy(half, omega, sizeof half);
        for (int stage = 0; stage < 2; stage++) { /* midpoint rule */
            double at[DOFS];
            memcpy(at, u, sizeof at);
            memcpy(at + top->first + 3, half, sizeof half);
            forces(q, at, part, f);
            for (int j = 0; j < 3; j++) {
                const double rate = part[3][top->first + 3 + j] / inertia[j];
                half[j] = omega[j] + (stage == 0 ? 0.5 : 1) * h * rate;
                d[top->first + 3 + j] = h * at[top->first + 3 + j];
            }
        }
        if (k == 0 || k == 20000) {
            double *to = k == 0 ? start : end;
            quaternion_matrix(q + top->first_q + 3, r);
            for (int j = 0; j < 3; j++) {
                momentum[j] = inertia[j] * omega[j];
                energy[k > 0] += 0.5 * momentum[j] * omega[j];
            }
            mat3_apply(r, momentum, to);
        }
        memcpy(omega, half, sizeof half);
        haw_model_move(model, q, 1, d, q);
    }
    assert_near(energy[1], energy[0], 0, 1e-7);
    for (int j = 0; j < 3; j++) {
        assert_near(end[j], start[j], 1e-6 * vec3_norm(start), 0);
    }
}

/*
 * Steady precession: with the vertical z as seen from the body, Omega = p z + s e3 and
 * dOmega/dt = -p s e3 x z, the moment is p sin(tilt) (C (s + p cos(tilt)) - A p cos(tilt)) about
 * the line of nodes (J. P. Den Hartog, Mechanics, 1948, ch. 17).
 */
static void a_top_in_steady_precession_has_the_moment_of_the_books(void **state)
{
    (void)state;
    const double a = 0.3, c = 0.7, p = 1.7, s = 40, tilt = 0.6;
    double q[COORDINATES], u[DOFS], part[4][DOFS], f[DOFS], moment[3];
    haw_body top = model->body[0];
    haw_body *const kept = model->body;
    haw_model *const whole = model;
    haw_model one = *model;
    uint64_t seed = 6;
    random_state(&seed, q, u);
    top.mass[3] = top.mass[4] = a;
    top.mass[5] = c;
    one.body = &top;
    one.bodies = 1;
    one.cables = one.loads = one.springs = 0;
    one.dofs = 6;
    model = &one;
    double *omega = u + 3;
    const double vertical[3] = {sin(tilt), 0, cos(tilt)};
    omega[0] = p * vertical[0];
    omega[1] = 0;
    omega[2] = p * vertical[2] + s;
    const double rate[3] = {0, -p * s * sin(tilt), 0};
    forces(q, u, part, f);
    for (int j = 0; j < 3; j++) {
        moment[j] = top.mass[3 + j] * rate[j] - part[3][3 + j];
    }
    const double want = p * sin(tilt) * (c * (s + p * cos(tilt)) - a * p * cos(tilt));
    assert_near(vec3_norm(moment), want, 0, 1e-14);
    assert_near(fabs(moment[1]), want, 0, 1e-14);
    model = whole;
    assert_ptr_equal(model->body, kept);
}

static void held_degrees_of_freedom_have_no_equation(void **state)
{
    (void)state;
    haw_system *system;
    bool further[DOFS] = {false};
    const haw_cable *yarn = &model->cable[0], *wire = &model->cable[1];
    further[yarn->first + 8] = true;
    assert_int_equal(haw_system_create(context, model, further, NULL, &system), HAW_OK);
    for (int j = 0; j < 6; j++) {
        assert_true(system->equation[j] >= 0);                 /* free */
        assert_true((system->equation[6 + j] < 0) == (j < 5)); /* revolute about its z axis */
        assert_true((system->equation[wire->first + j] < 0) == (j != 3)); /* its strain is free */
    }
    assert_int_equal(system->equation[yarn->first + 8], -1);
    assert_int_equal(system->border, 7);
    assert_int_equal(system->equations, 2 * 5 * 6 - 5 - 1 + 7);
    haw_system_free(system);
}

static void an_element_that_turns_too_far_is_refused_by_name(void **state)
{
    (void)state;
    double q[COORDINATES], d[DOFS] = {0};
    haw_state *start;
    assert_int_equal(haw_state_create(context, model, &start), HAW_OK);
    assert_int_equal(haw_model_guard(model, 0, start->q), HAW_OK);
    const haw_cable *yarn = &model->cable[0];
    for (int node = 3; node <= yarn->beam.elements; node++) {
        d[yarn->first + 6 * node + 4] = 0.91 * 3.14159265358979;
    }
    haw_model_move(model, start->q, 1, d, q);
    assert_int_equal(haw_model_guard(model, 0, q), HAW_ERR_GUARD);
    assert_non_null(strstr(haw_context_message(context), "'yarn': element 2 of 4"));
    assert_non_null(strstr(haw_context_message(context), "finer mesh"));
    haw_state_free(context, start);
}

/* ---- given forces and moments, dead and following, and end tensions ---- */

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
        haw_model_move(model, q, 1, d, moved);
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

TEST_FILE(test_space_dynamics)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conservative_forces_are_minus_the_gradient_of_the_energy),
        cmocka_unit_test(the_matrix_is_the_derivative_of_all_forces),
        cmocka_unit_test(the_mass_is_symmetric_and_gives_the_kinetic_energy),
        cmocka_unit_test(a_free_body_keeps_its_energy_and_angular_momentum),
        cmocka_unit_test(a_top_in_steady_precession_has_the_moment_of_the_books),
        cmocka_unit_test(held_degrees_of_freedom_have_no_equation),
        cmocka_unit_test(an_element_that_turns_too_far_is_refused_by_name),
        cmocka_unit_test(loads_have_their_part_in_the_forces),
        cmocka_unit_test(the_power_of_loads_is_that_of_forces_and_moments),
        cmocka_unit_test(a_force_between_two_nodes_does_the_work_of_its_point),
        cmocka_unit_test(end_tension_pulls_along_the_cable_or_a_direction),
    };
    return cmocka_run_group_tests(tests, open_scene, close_scene);
}
