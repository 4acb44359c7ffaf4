/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of spatial contacts against differences of gap and way, and against rigid motions. */
#include "base/lie.h"
#include "model/system.h"
#include "stepper/lean.h"
#include "support/space_contact.h"
#include "support/surfaces.h"

enum { SEEDS = 6, PROXIES = 3, ARMS = 3 };

static const char *const elements[] = {"se3", "ancf"};

typedef void visit(touch_rig *r);

/* Every element, surface, proxy and the first so many arms at random configurations with some
 * contacts. */
static void for_arms(int arms, visit *check)
{
    for (int i = 0; i < 2 * TOUCH_SURFACES * PROXIES; i++) {
        const touch_case c = {.element = elements[i % 2],
                              .surface = i / 2 % TOUCH_SURFACES,
                              .proxy = i / 2 / TOUCH_SURFACES,
                              .points = 3,
                              .elements = 5,
                              .length = 0.05}; /* the groove ends 0.34 m from its middle */
        touch_rig r;
        int contacts = 0;
        touch_open(&r, &c);
        for (int seed = 0; seed < SEEDS; seed++) {
            r.model->pair[0].arm = r.model->pair[1].arm = (haw_arm)(seed % arms);
            touch_scatter(&r, 0.2);
            touch_detect(&r, 0.05);
            contacts += r.contacts->count;
            check(&r);
        }
        assert_in_range(contacts, SEEDS, 100 * SEEDS);
        touch_close(&r);
    }
}

static void for_all(visit *check)
{
    for_arms(ARMS, check);
}

static void random_direction(touch_rig *r, double *du)
{
    for (int i = 0; i < r->model->dofs; i++) {
        du[i] = touch_number(r, 1);
    }
}

/* Gaps and ways [3 count] after an increment, measured from r->q. */
static void measure(const touch_rig *r, double factor, const double *du, double *way)
{
    double d[TOUCH_Q], q[TOUCH_Q];
    for (int i = 0; i < r->model->dofs; i++) {
        d[i] = factor * du[i];
    }
    haw_model_move(r->model, r->q, 1, d, q);
    haw_contacts_way(r->contacts, r->q, q, way);
    for (int i = 0; i < r->contacts->count; i++) {
        way[3 * i] = haw_contacts_gap(r->contacts, &r->contacts->item[i], q);
    }
}

static void check_differences(touch_rig *r)
{
    const double h = 2e-6;
    double du[TOUCH_Q], gamma[TOUCH_Q], plus[TOUCH_Q], minus[TOUCH_Q];
    random_direction(r, du);
    haw_contacts_velocity(r->contacts, du, gamma);
    measure(r, h, du, plus);
    measure(r, -h, du, minus);
    for (int i = 0; i < 3 * r->contacts->count; i++) {
        assert_near((plus[i] - minus[i]) / (2 * h), gamma[i], 1e-7, 0);
    }
}

static void rows_are_the_derivatives_of_gap_and_way(void **state)
{
    (void)state;
    for_all(check_differences);
}

/* Velocities of a common rigid motion V + w x p of cable and bodies. */
static void rigid_velocity(const touch_rig *r, const double v[3], const double w[3], double *u)
{
    const haw_model *model = r->model;
    const haw_cable *cable = &model->cable[0];
    for (int i = 0; i < model->bodies + cable->beam.elements + 1; i++) {
        const bool is_body = i < model->bodies;
        const int node = i - model->bodies;
        const double *q = is_body
                              ? r->q + model->body[i].first_q
                              : r->q + cable->first_q + cable->beam.ops->node_coordinates * node;
        double *to = u + (is_body ? model->body[i].first : cable->first + 6 * node), rotation[9];
        vec3_cross(w, q, to);
        vec3_add(1, v, to);
        if (is_body || cable->beam.ops->has_rotations) {
            quaternion_matrix(q + 3, rotation);
            mat3_apply_t(rotation, w, to + 3);
        } else {
            vec3_cross(w, q + 3, to + 3);
        }
    }
}

static void check_rigid(touch_rig *r)
{
    const double v[3] = {touch_number(r, 1), touch_number(r, 1), touch_number(r, 1)};
    const double w[3] = {touch_number(r, 2), touch_number(r, 2), touch_number(r, 2)};
    double u[TOUCH_Q], gamma[TOUCH_Q];
    rigid_velocity(r, v, w, u);
    haw_contacts_velocity(r->contacts, u, gamma);
    for (int i = 0; i < 3 * r->contacts->count; i++) {
        assert_near(gamma[i], 0, 1e-12, 0);
    }
}

static void rows_do_not_see_a_common_rigid_motion(void **state)
{
    (void)state;
    for_arms(HAW_ARM_TILT, check_rigid);
}

/* A section that only tilts lags behind a rigid turn w by what of it is about its tangent t:
 * friction acts at -a n, which moves by a (w . t) t x n more. */
static void check_tilted(touch_rig *r)
{
    const double v[3] = {touch_number(r, 1), touch_number(r, 1), touch_number(r, 1)};
    const double w[3] = {touch_number(r, 2), touch_number(r, 2), touch_number(r, 2)};
    const haw_cable *cable = &r->model->cable[0];
    double u[TOUCH_Q], gamma[TOUCH_Q];
    rigid_velocity(r, v, w, u);
    haw_contacts_velocity(r->contacts, u, gamma);
    for (int i = 0; i < r->contacts->count; i++) {
        const haw_touch *c = &r->contacts->item[i];
        double d[3][3], across[3], second[3];
        if (c->element < 0) {
            continue;
        }
        cable->ops->curve(cable, c->element, c->s, r->q, d);
        const double spin = vec3_dot(w, d[0]) / vec3_dot(d[0], d[0]);
        vec3_cross(d[0], c->normal, across);
        vec3_cross(c->normal, c->tangent, second);
        const double lag = touch_radius * spin;
        assert_near(gamma[3 * i], 0, 1e-12, 0);
        assert_near(gamma[3 * i + 1], lag * vec3_dot(across, c->tangent), 1e-12, 0);
        assert_near(gamma[3 * i + 2], lag * vec3_dot(across, second), 1e-12, 0);
    }
}

static void sections_that_tilt_do_not_spin(void **state)
{
    (void)state;
    for (int surface = 0; surface < TOUCH_SURFACES; surface++) {
        const touch_case c = {
            .element = "ancf", .surface = surface, .points = 3, .elements = 5, .length = 0.05};
        touch_rig r;
        touch_open(&r, &c);
        r.model->pair[0].arm = HAW_ARM_TILT;
        for (int seed = 0; seed < SEEDS; seed++) {
            touch_scatter(&r, 0.2);
            touch_detect(&r, 0.05);
            check_tilted(&r);
        }
        touch_close(&r);
    }
}

/* Velocity V + Q Omega x (p - X) of the drum where friction acts. */
static void surface_velocity(const touch_rig *r, const haw_touch *c, const double *u,
                             double velocity[3])
{
    const haw_body *drum = &r->model->body[0];
    const double *pose = r->q + drum->first_q;
    const bool turns = c->element < 0 || r->model->cable[0].beam.ops->has_rotations;
    const haw_arm where = r->model->pair[c->pair].arm;
    const bool is_below = where == HAW_ARM_TILT || (turns && where == HAW_ARM_RADIUS);
    const double radius = c->element < 0 ? touch_ball : touch_radius, arm = is_below ? radius : 0;
    double lever[3], spin[3];
    for (int k = 0; k < 3; k++) {
        lever[k] = c->x[k] - arm * c->normal[k] - pose[k];
    }
    quaternion_rotate(pose + 3, u + 3, spin);
    vec3_cross(spin, lever, velocity);
    vec3_add(1, u, velocity);
}

static void check_body_rows(touch_rig *r)
{
    double u[6];
    for (int i = 0; i < 6; i++) {
        u[i] = touch_number(r, 1);
    }
    for (int i = 0; i < r->contacts->count; i++) {
        const haw_touch *c = &r->contacts->item[i];
        double direction[3][3], velocity[3];
        memcpy(direction[0], c->normal, sizeof direction[0]);
        memcpy(direction[1], c->tangent, sizeof direction[1]);
        vec3_cross(c->normal, c->tangent, direction[2]);
        surface_velocity(r, c, u, velocity);
        for (int k = 0; k < 3; k++) {
            double got = 0;
            for (int a = 0; a < 6; a++) {
                got += c->side[1].row[k][a] * u[a];
            }
            assert_near(got, -vec3_dot(direction[k], velocity), 1e-13, 0);
        }
    }
}

/* Of a mortar contact the rows are sums over points: their test is that of the sums. */
static void check_but_mortar(touch_rig *r)
{
    if (r->model->pair[0].proxies != HAW_PROXY_MORTAR) {
        check_body_rows(r);
    }
}

static void body_rows_are_minus_the_surface_velocity(void **state)
{
    (void)state;
    for_all(check_but_mortar);
}

/* All coordinates after a rigid turn about a line through `center`, and a shift. */
static void turn_all(const touch_rig *r, const double w[3], const double center[3], double *q)
{
    const haw_model *model = r->model;
    const haw_cable *cable = &model->cable[0];
    double turn[4];
    so3_exp(w, turn);
    memcpy(q, r->q, (size_t)model->coordinates * sizeof *q);
    for (int i = 0; i < model->bodies + cable->beam.elements + 1; i++) {
        const bool is_body = i < model->bodies;
        const int node = cable->beam.ops->node_coordinates * (i - model->bodies);
        const int at = is_body ? model->body[i].first_q : cable->first_q + node;
        const double arm[3] = {r->q[at] - center[0], r->q[at + 1] - center[1],
                               r->q[at + 2] - center[2]};
        quaternion_rotate(turn, arm, q + at);
        vec3_add(1, center, q + at);
        if (is_body || cable->beam.ops->has_rotations) {
            quaternion_product(turn, r->q + at + 3, q + at + 3);
        } else {
            quaternion_rotate(turn, r->q + at + 3, q + at + 3);
        }
    }
}

static void check_carried(touch_rig *r)
{
    double before[TOUCH_Q], way[TOUCH_Q];
    const double w[3] = {touch_number(r, 1.5), touch_number(r, 1.5), touch_number(r, 1.5)};
    const double center[3] = {touch_number(r, 3), touch_number(r, 3), touch_number(r, 3)};
    turn_all(r, w, center, before);
    haw_contacts_way(r->contacts, before, r->q, way);
    for (int i = 0; i < r->contacts->count; i++) {
        assert_near(way[3 * i], r->contacts->item[i].gap, 0, 0);
        assert_near(way[3 * i + 1], 0, 4e-15, 0);
        assert_near(way[3 * i + 2], 0, 4e-15, 0);
    }
}

static void what_sticks_has_no_way_however_far_the_body_turns(void **state)
{
    (void)state;
    for_arms(HAW_ARM_TILT, check_carried); /* which spins sections that tilt, too */
}

/* A cylinder that turns by phi under a resting cable: p - Q p_0 has -rho sin(phi) along t1. */
static void a_turning_cylinder_slides_under_a_resting_cable(void **state)
{
    (void)state;
    const double phi = 0.3;
    for (int proxy = 0; proxy < PROXIES; proxy++) {
        const touch_case c = {.surface = 0, .proxy = proxy, .points = 2, .elements = 3};
        touch_rig r;
        double before[TOUCH_Q], way[TOUCH_Q];
        touch_open(&r, &c);
        for (int node = 0; node < 4; node++) {
            const double up[7] = {
                touch_drum + touch_radius, 0, r.le * (node - 1.5), sqrt(0.5), 0, -sqrt(0.5)};
            touch_node(&r, node, up);
        }
        memcpy(before, r.q, sizeof before);
        const double turn[3] = {0, 0, phi};
        so3_exp(turn, r.q + r.model->body[0].first_q + 3);
        touch_detect(&r, 1e-9);
        haw_contacts_way(r.contacts, before, r.q, way);
        assert_true(r.contacts->count >= 4);
        for (int i = 0; i < r.contacts->count; i++) {
            assert_near(way[3 * i], 0, 1e-15, 0);
            assert_near(way[3 * i + 1], -touch_drum * sin(phi), 1e-14, 0);
            assert_near(way[3 * i + 2], 0, 1e-15, 0);
        }
        touch_close(&r);
    }
}

/* A full turn in many steps: no step adds more than rounding. */
static void a_full_turn_of_the_drum_leaves_no_way(void **state)
{
    (void)state;

    enum { STEPS = 100 };

    const touch_case c = {.surface = 0, .points = 2, .elements = 6};
    touch_rig r;
    double sum[TOUCH_Q] = {0}, way[TOUCH_Q], next[TOUCH_Q];
    touch_open(&r, &c);
    touch_scatter(&r, 0.1);
    const double *drum = r.q + r.model->body[0].first_q;
    double axis[3], z[3] = {0, 0, 2 * surface_pi / STEPS};
    quaternion_rotate(drum + 3, z, axis);
    for (int i = 0; i < STEPS; i++) {
        double before[TOUCH_Q];
        memcpy(before, r.q, sizeof before);
        turn_all(&r, axis, drum, next);
        memcpy(r.q, next, sizeof next);
        touch_detect(&r, 0.1);
        assert_in_range(r.contacts->count, 5, TOUCH_Q / 3);
        haw_contacts_way(r.contacts, before, r.q, way);
        for (int k = 0; k < r.contacts->count; k++) {
            sum[k] += fabs(way[3 * k + 1]) + fabs(way[3 * k + 2]);
        }
    }
    for (int k = 0; k < r.contacts->count; k++) {
        assert_near(sum[k], 0, STEPS * 4e-15, 0);
    }
    touch_close(&r);
}

/* Impulses on cable and body are opposite wrenches: W P does no work on a rigid motion, and the
 * workspace applies the transpose of what it measures. */
static void check_transpose(touch_rig *r)
{
    double u[TOUCH_Q], impulse[TOUCH_Q], gamma[TOUCH_Q], f[TOUCH_Q] = {0}, power = 0, work = 0;
    random_direction(r, u);
    for (int i = 0; i < 3 * r->contacts->count; i++) {
        impulse[i] = touch_number(r, 1);
    }
    haw_contacts_velocity(r->contacts, u, gamma);
    haw_contacts_apply(r->contacts, impulse, f);
    for (int i = 0; i < 3 * r->contacts->count; i++) {
        power += gamma[i] * impulse[i];
    }
    for (int i = 0; i < r->model->dofs; i++) {
        work += u[i] * f[i];
    }
    assert_near(power, work, 1e-12, 1e-12);
}

/* A contact is the weighted sum of its parts, each with the rows of a point. */
static void check_parts(touch_rig *r)
{
    for (int i = 0; i < r->contacts->count; i++) {
        const haw_touch *c = &r->contacts->item[i];
        double row[3][HAW_SIDE_DOFS] = {{0}}, total = 0;
        for (int k = 0; k < haw_contacts_parts(r->contacts, c); k++) {
            haw_touch_part part;
            assert_true(haw_contacts_part(r->contacts, c, k, &part));
            const int column = part.point.side[0].first - c->side[0].first;
            assert_true(part.softening >= 0 && column >= 0);
            assert_true(part.softening == 0 || part.point.gap > 0);
            total += part.weight;
            for (int a = 0; a < 3 * part.point.side[0].count; a++) {
                const int j = a / part.point.side[0].count, b = a % part.point.side[0].count;
                row[j][column + b] += part.weight * part.point.side[0].row[j][b];
            }
        }
        assert_near(total, 1, 1e-14, 0);
        for (int a = 0; a < 3 * c->side[0].count; a++) {
            assert_near(row[a / c->side[0].count][a % c->side[0].count],
                        c->side[0].row[a / c->side[0].count][a % c->side[0].count], 1e-13, 0);
        }
    }
}

static void a_contact_is_the_weighted_sum_of_its_parts(void **state)
{
    (void)state;
    for_all(check_parts);
}

static void impulses_act_by_the_transpose(void **state)
{
    (void)state;
    for_all(check_transpose);
}

/* ---- tangent ---- */

/* The loads of the touches, carried along as their normals turn, at the rows of now. */
static void carry_loads(const touch_rig *r, const haw_touch *before, const double *before_load,
                        int count, double *load)
{
    memset(load, 0, 3 * (size_t)r->contacts->count * sizeof *load);
    for (int i = 0; i < r->contacts->count; i++) {
        const haw_touch *now = &r->contacts->item[i];
        for (int k = 0; k < count; k++) {
            const haw_touch *then = &before[k];
            double second[3], axis[3], turn[4], force[3];
            if (then->id != now->id || then->pair != now->pair) {
                continue;
            }
            vec3_cross(then->normal, then->tangent, second);
            vec3_cross(then->normal, now->normal, axis);
            so3_exp(axis, turn); /* to second order */
            for (int a = 0; a < 3; a++) {
                force[a] = before_load[3 * k] * then->normal[a] +
                           before_load[3 * k + 1] * then->tangent[a] +
                           before_load[3 * k + 2] * second[a];
            }
            quaternion_rotate(turn, force, force);
            vec3_cross(now->normal, now->tangent, second);
            load[3 * i] = vec3_dot(force, now->normal);
            load[3 * i + 1] = vec3_dot(force, now->tangent);
            load[3 * i + 2] = vec3_dot(force, second);
        }
    }
}

/* Rows that are means of a step which began at r->q (stepper/lean.h). */
static bool leans;
static haw_leaning began[TOUCH_Q];

static void lean(touch_rig *r, const haw_touch *before, const double *before_load, int count)
{
    static const double still[TOUCH_Q];
    haw_leaning now[TOUCH_Q];
    double impulse[3 * TOUCH_Q] = {0};
    assert_in_range(r->model->points, 1, TOUCH_Q);
    for (int k = 0; k < count; k++) {
        impulse[3 * before[k].id] = before_load[3 * k];
    }
    haw_lean(r->contacts, began, impulse, 0.6, still, now);
}

/* Forces of the loads at r->q moved by factor du. */
static void push_there(touch_rig *r, double factor, const double *du, const haw_touch *before,
                       const double *before_load, int count, double *f)
{
    double d[TOUCH_Q], here[TOUCH_Q], load[3 * TOUCH_Q];
    memcpy(here, r->q, sizeof here);
    for (int i = 0; i < r->model->dofs; i++) {
        d[i] = factor * du[i];
    }
    haw_model_move(r->model, here, 1, d, r->q);
    touch_detect(r, 0.06);
    assert_in_range(r->contacts->count, 0, TOUCH_Q);
    carry_loads(r, before, before_load, count, load);
    if (leans) {
        lean(r, before, before_load, count);
    }
    memset(f, 0, (size_t)r->model->dofs * sizeof *f);
    haw_contacts_apply(r->contacts, load, f);
    memcpy(r->q, here, sizeof here);
}

/* Where friction acts at the surface, its moments turn with the sections as well, which the tangent
 * leaves out: friction, or turns, not both. */
static void compare_tangent(touch_rig *r, bool has_friction, bool turns, double tolerance)
{
    const double h = 1e-6;
    double du[TOUCH_Q], load[3 * TOUCH_Q], plus[TOUCH_Q], minus[TOUCH_Q], x[TOUCH_Q], y[TOUCH_Q];
    haw_touch before[64];
    haw_system *system;
    assert_int_equal(haw_system_create(r->context, r->model, NULL, NULL, &system), HAW_OK);
    haw_contacts_begin(r->contacts);
    touch_detect(r, 0.05);
    const int count = r->contacts->count;
    assert_in_range(count, 0, 64);
    memcpy(before, r->contacts->item, (size_t)count * sizeof *before);
    for (int i = 0; i < 3 * count; i++) {
        load[i] = i % 3 == 0 ? 2 + touch_number(r, 1) : has_friction * touch_number(r, 1);
        load[i] *= before[i / 3].pair == 0 ? 1 : 0;
        /* touches of an element lean as the first of them does */
        load[i] *= leans && i > 2 && before[i / 3].element == before[i / 3 - 1].element ? 0 : 1;
        r->contacts->impulse[i] = load[i];
    }
    if (leans) {
        haw_lean_keep(r->contacts, began);
        lean(r, before, load, count);
    }
    haw_system_clear(system);
    haw_contacts_tangent(r->contacts, 1, system);
    for (int i = 0; i < r->model->dofs; i++) {
        const int own = i - r->model->cable[0].first;
        du[i] = own >= 0 && (turns || own % 6 < 3) ? touch_number(r, 1) : 0;
    }
    for (int i = 0; i < system->equations; i++) {
        x[i] = du[system->dof[i]];
        y[i] = 0;
    }
    haw_matrix_multiply(system->matrix, -1, x, y);
    push_there(r, h, du, before, load, count, plus);
    push_there(r, -h, du, before, load, count, minus);
    double most = 0;
    for (int i = 0; i < system->equations; i++) {
        most = fmax(most, fabs(plus[system->dof[i]] - minus[system->dof[i]]) / (2 * h));
    }
    for (int i = 0; i < system->equations; i++) {
        const int dof = system->dof[i];
        if (dof >= r->model->cable[0].first) {
            assert_near(y[i], (plus[dof] - minus[dof]) / (2 * h), tolerance * most, 0);
        }
    }
    haw_system_free(system);
}

/* Cubics, and nodes of beams, have the exact one; of points inside a beam it is that of a straight
 * element without shear, which these are nearly. Mortar contacts, whose weights change, are left
 * out. */
static void the_tangent_is_the_derivative_of_the_forces(void **state)
{
    static const struct {
        const char *element;
        int proxy, points;
        double tolerance;
    } of[] = {{"ancf", 0, 3, 1e-5}, {"ancf", 1, 3, 1e-5}, {"se3", 0, 1, 1e-5}, {"se3", 1, 3, 0.06}};

    (void)state;
    for (int i = 0; i < 4 * TOUCH_SURFACES; i++) {
        const touch_case c = {.element = of[i % 4].element,
                              .surface = i / 4,
                              .proxy = of[i % 4].proxy,
                              .points = of[i % 4].points,
                              .elements = 5,
                              .length = 0.05};
        touch_rig r;
        touch_open(&r, &c);
        for (int seed = 0; seed < SEEDS; seed++) {
            const haw_arm arm = (haw_arm)(seed % ARMS);
            const bool turns = haw_cable_turns(&r.model->cable[0]);
            r.model->pair[0].arm = arm;
            touch_scatter(&r, 1e-3);
            compare_tangent(&r, false, true, of[i % 4].tolerance);
            compare_tangent(&r, true, !turns || arm == HAW_ARM_DISTANCE, of[i % 4].tolerance);
            leans = true;
            compare_tangent(&r, false, true, of[i % 4].tolerance);
            leans = false;
        }
        touch_close(&r);
    }
}

TEST_FILE(test_space_contact_rows)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_the_derivatives_of_gap_and_way),
        cmocka_unit_test(the_tangent_is_the_derivative_of_the_forces),
        cmocka_unit_test(rows_do_not_see_a_common_rigid_motion),
        cmocka_unit_test(sections_that_tilt_do_not_spin),
        cmocka_unit_test(body_rows_are_minus_the_surface_velocity),
        cmocka_unit_test(what_sticks_has_no_way_however_far_the_body_turns),
        cmocka_unit_test(a_turning_cylinder_slides_under_a_resting_cable),
        cmocka_unit_test(a_full_turn_of_the_drum_leaves_no_way),
        cmocka_unit_test(impulses_act_by_the_transpose),
        cmocka_unit_test(a_contact_is_the_weighted_sum_of_its_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
