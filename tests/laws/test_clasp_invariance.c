/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compliant contact in space, of points, chords and capsules: forces turn with the scene and are
 * mirrored with it, their sum and their moment vanish, and a rigid motion adds none.
 */
#include "base/lie.h"
#include "support/compliant_stage.h"
#include "support/random.h"

#include <math.h>

static const double step = 1e-3, size = 1e-12;
static uint64_t seed = 4711;

typedef struct variant {
    const char *element, *surface;
    double options[2];
    haw_kinematics kinematics;
    haw_proxy proxy;
    double tolerance; /* of forces of some N */
} variant;

static const variant variants[] = {
    {"ancf", "cylinder", {0.12, 1}, HAW_KINEMATICS_CURVE, HAW_PROXY_POINTS, 1e-13},
    {"ancf", "cylinder", {0.12, 1}, HAW_KINEMATICS_CHORD, HAW_PROXY_POINTS, 1e-12},
    {"bezier", "sphere", {0.12}, HAW_KINEMATICS_CHORD, HAW_PROXY_POINTS, 1e-12},
    /* its places are found to 1e-8 of a piece */
    {"bezier", "cylinder", {0.12, 1}, HAW_KINEMATICS_CURVE, HAW_PROXY_CAPSULES, 1e-7},
};

enum { VARIANTS = sizeof variants / sizeof *variants };

/* x -> O x + shift, O a rotation, or the reflection of z. */
typedef struct motion {
    double o[9], shift[3];
    double turn[4]; /* the rotation as a quaternion */
    bool mirrors;
} motion;

static void open_stage(compliant_stage *s, const variant *v)
{
    stage_init(s);
    for (int i = 0; i < STAGE_BODIES; i++) {
        s->body[i].shape = i == STAGE_DISK ? v->surface : "sphere";
        s->body[i].inertia = 0.01;
    }
    memcpy(s->body[STAGE_DISK].shape_options, v->options, sizeof v->options);
    s->cable.element = v->element;
    s->cable.bending_stiffness = strcmp(v->element, "bezier") == 0 ? 0 : 2;
    s->cable.elements = 2;
    s->cable.from[2] = s->cable.to[2] = 0;
    s->cable.radius = 0.005;
    s->contact.points_per_element = 3;
    s->contact.kinematics = v->kinematics;
    s->contact.proxy = v->proxy;
    s->contact.arm = HAW_ARM_DISTANCE;
    s->contact.normal = "hunt-crossley";
    s->contact.restitution = 0.6;
    s->contact.friction = 0.4;
    s->contact.normal_stiffness = 500;
    s->contact.tangential_stiffness = 400;
    s->contact.tangential_damping = 1.5;
    const haw_scene scene = {.dimension = 3,
                             .bodies = STAGE_BODIES,
                             .body = s->body,
                             .cables = 1,
                             .cable = &s->cable,
                             .contacts = 1,
                             .contact = &s->contact};
    stage_build_scene(s, &scene);
}

static void set_state(compliant_stage *s)
{
    static const double centre[3] = {0.01, -0.01, 0.02}, pose[4] = {0.96, 0.1, -0.2, 0.1};
    const haw_cable *cable = &s->model->cable[0];
    for (int i = 0; i <= cable->line.elements; i++) {
        double *node = s->q + cable->first_q + (ptrdiff_t)i * cable->stride_q;
        node[0] = 0.15 * (i - 1);
        node[1] = 0.11;
        node[2] = 0.3 * node[0];
    }
    for (int i = 0; i < cable->coordinates; i++) {
        s->q[cable->first_q + i] += 0.004 * random_signed(&seed);
    }
    for (int b = 0; b < STAGE_BODIES; b++) {
        double *q = s->q + s->model->body[b].first_q;
        memcpy(q, centre, sizeof centre);
        memcpy(q + 3, pose, sizeof pose);
        quaternion_normalise(q + 3);
    }
    s->q[s->model->body[STAGE_OTHER].first_q] = 10;
    for (int i = 0; i < s->dofs; i++) {
        s->u[i] = 0.3 * random_signed(&seed);
    }
}

static void apply(const double o[9], double *x)
{
    double y[3];
    mat3_apply(o, x, y);
    memcpy(x, y, sizeof y);
}

/* Body-frame vectors that are axial, of a frame that is mirrored with the scene. */
static void flip(const motion *m, double *w)
{
    w[0] *= m->mirrors ? -1 : 1;
    w[1] *= m->mirrors ? -1 : 1;
}

static void move_coordinates(const compliant_stage *s, const motion *m, double *q)
{
    const haw_cable *cable = &s->model->cable[0];
    for (int i = 0; i < cable->coordinates; i += 3) {
        apply(m->o, q + cable->first_q + i);
        for (int k = 0; k < 3 && i % cable->stride_q == 0; k++) {
            q[cable->first_q + i + k] += m->shift[k];
        }
    }
    for (int b = 0; b < STAGE_BODIES; b++) {
        double *x = q + s->model->body[b].first_q, turned[4];
        apply(m->o, x);
        vec3_add(1, m->shift, x);
        flip(m, x + 4);
        quaternion_product(m->turn, x + 3, turned);
        memcpy(x + 3, turned, sizeof turned);
    }
}

/* Velocities, or forces. */
static void move_rates(const compliant_stage *s, const motion *m, double *u)
{
    const haw_cable *cable = &s->model->cable[0];
    for (int i = 0; i < cable->coordinates; i += 3) {
        apply(m->o, u + cable->first + i);
    }
    for (int b = 0; b < STAGE_BODIES; b++) {
        apply(m->o, u + s->model->body[b].first);
        flip(m, u + s->model->body[b].first + 3);
    }
}

/* The second step of a contact, whose first was at rest there; everything moved by m. */
static void run(compliant_stage *s, const variant *v, const motion *m)
{
    seed = 4711;
    open_stage(s, v);
    set_state(s);
    move_coordinates(s, m, s->q);
    move_rates(s, m, s->u);
    memcpy(s->state->q, s->q, (size_t)s->model->coordinates * sizeof *s->q);
    memcpy(s->state->u, s->u, (size_t)s->dofs * sizeof *s->u);
    haw_compliant_begin(s->compliant, s->state, HAW_DYNAMICS, step);
    stage_evaluate(s);
    assert_true(haw_compliant_closed(s->compliant) >= 2);
    stage_commit(s);
    haw_compliant_begin(s->compliant, s->state, HAW_DYNAMICS, step);
    for (int i = 0; i < s->dofs; i++) {
        s->u[i] *= step;
    }
    haw_model_move(s->model, s->q, 1, s->u, s->q);
    memcpy(s->u, s->state->u, (size_t)s->dofs * sizeof *s->u);
    stage_evaluate(s);
}

static const motion still = {.o = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .turn = {1, 0, 0, 0}};

static void forces_move_with_the_scene(void **unused)
{
    motion moves[2] = {{.turn = {0.5, -0.3, 0.7, 0.2}, .shift = {0.3, -0.2, 0.5}},
                       {.o = {1, 0, 0, 0, 1, 0, 0, 0, -1}, .turn = {1, 0, 0, 0}, .mirrors = true}};
    (void)unused;
    quaternion_normalise(moves[0].turn);
    quaternion_matrix(moves[0].turn, moves[0].o);
    for (int i = 0; i < VARIANTS; i++) {
        for (int k = 0; k < 2; k++) {
            compliant_stage here, there;
            run(&here, &variants[i], &still);
            run(&there, &variants[i], &moves[k]);
            move_rates(&here, &moves[k], here.total);
            for (int a = 0; a < here.dofs; a++) {
                assert_near(there.total[a], here.total[a], variants[i].tolerance, 0);
            }
            stage_close(&here);
            stage_close(&there);
        }
    }
}

/* Power of the forces in a rigid motion: turns omega about the origin, or moves. */
static double power(const compliant_stage *s, const double move[3], const double omega[3],
                    double *most)
{
    const haw_cable *cable = &s->model->cable[0];
    double sum = 0;
    *most = 0;
    for (int i = 0; i < s->dofs; i += 3) {
        double v[3], r[9];
        const bool is_cable = i >= cable->first && i < cable->first + cable->coordinates;
        const double *x = s->q + cable->first_q + (i - cable->first);
        const bool is_place = is_cable && (i - cable->first) % cable->stride_q == 0;
        for (int b = 0; b < STAGE_BODIES && !is_cable; b++) {
            x = i - s->model->body[b].first < 6 && i >= s->model->body[b].first
                    ? s->q + s->model->body[b].first_q
                    : x;
        }
        const bool is_centre = !is_cable && (i - s->model->body[STAGE_DISK].first) % 6 == 0;
        vec3_cross(omega, x, v);
        if (!is_cable && !is_centre) {
            quaternion_matrix(x + 3, r);
            mat3_apply_t(r, omega, v);
        } else if (is_place || is_centre) {
            vec3_add(1, move, v);
        }
        sum += vec3_dot(v, s->total + i);
        *most += fabs(vec3_dot(v, s->total + i));
    }
    return sum;
}

static void forces_and_moments_balance(void **unused)
{
    (void)unused;
    for (int i = 0; i < VARIANTS; i++) {
        compliant_stage s;
        run(&s, &variants[i], &still);
        for (int k = 0; k < 6; k++) {
            const double unit[2][3] = {{k == 0, k == 1, k == 2}, {k == 3, k == 4, k == 5}};
            double most;
            const double sum = power(&s, unit[0], unit[1], &most);
            assert_near(sum, 0, size * most, 0);
        }
        stage_close(&s);
    }
}

TEST_FILE(test_clasp_invariance)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_move_with_the_scene),
        cmocka_unit_test(forces_and_moments_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
