/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tangent of compliant contact in space against central differences of its forces: every
 * normal and friction law, curved surfaces that move and turn, cables and a sphere, bristles that
 * are bent across the direction of slip. Of elements whose sections turn it is exact at nodes;
 * between them it leaves out how the rates of a point change with the turns (clasp.c). What is
 * listed are the forces.
 */
#include "base/lie.h"
#include "contact/histories.h"
#include "support/random.h"
#include "support/stage_tangent.h"

#include <stdio.h>

static const double rate = 7;     /* of velocities to positions, as in an implicit step [1/s] */
static const double step = 1e-3;  /* [s] */
static const double small = 4e-8; /* difference of coordinates */

/* What touches what. */
typedef struct geometry {
    const char *name, *element; /* NULL: the other body */
    const char *surface;        /* of the body that is touched */
    double options[4];
    bool is_at_nodes; /* points of the grid are nodes */
    haw_kinematics kinematics;
    haw_proxy proxy;
    bool is_box;      /* as long as `length` below, instead of the capsule */
    double tolerance; /* 0: that of rounding */
    double length;    /* of the other body, a capsule; 0: a sphere [m] */
    haw_arm arm;
} geometry;

static const geometry geometries[] = {
    {"ancf on a cylinder", "ancf", "cylinder", {0.12, 1}},
    {"ancf on a sphere", "ancf", "sphere", {0.12}},
    {"ancf on a plane", "ancf", "plane", {0}},
    {"bezier on a cylinder", "bezier", "cylinder", {0.12, 1}},
    {"bezier-c0 on a sphere", "bezier-c0", "sphere", {0.12}},
    {"se3 at nodes", "se3", "cylinder", {0.12, 1}, true},
    {"se3-chord at nodes", "se3-chord", "sphere", {0.12}, true},
    {"corotational at nodes", "corotational", "cylinder", {0.12, 1}, true},
    {"se3 between nodes", "se3", "cylinder", {0.12, 1}, .tolerance = 1e-2},
    {"se3-chord between nodes", "se3-chord", "sphere", {0.12}, .tolerance = 1e-2},
    {"corotational between nodes", "corotational", "cylinder", {0.12, 1}, .tolerance = 1e-2},
    {"chords of ancf on a cylinder",
     "ancf",
     "cylinder",
     {0.12, 1},
     .kinematics = HAW_KINEMATICS_CHORD},
    {"chords of ancf on a sphere", "ancf", "sphere", {0.12}, .kinematics = HAW_KINEMATICS_CHORD},
    {"chords of ancf on a plane", "ancf", "plane", {0}, .kinematics = HAW_KINEMATICS_CHORD},
    {"chords of bezier on a sphere",
     "bezier",
     "sphere",
     {0.12},
     .kinematics = HAW_KINEMATICS_CHORD},
    {"chords of se3 at nodes", "se3", "cylinder", {0.12, 1}, true, HAW_KINEMATICS_CHORD},
    {"chords of corotational at nodes",
     "corotational",
     "sphere",
     {0.12},
     true,
     HAW_KINEMATICS_CHORD},
    {"capsules of ancf", "ancf", "cylinder", {0.12, 1}, .proxy = HAW_PROXY_CAPSULES},
    {"capsule on a cylinder", NULL, "cylinder", {0.12, 1}, .length = 0.04},
    {"capsule across a cylinder", NULL, "cylinder", {0.12, 1}, .length = 0.5},
    {"capsule on a plane", NULL, "plane", {0}, .length = 0.04},
    {"capsule on a capsule", NULL, "capsule", {0.12, 0.2}, .length = 0.1},
    {"capsule across a capsule", NULL, "capsule", {0.12, 0.6}, .length = 0.4},
    {"capsule across a box", NULL, "box", {0.24, 0.26, 0.24, 0.04}, .length = 0.4},
    {"box on a box", NULL, "box", {0.24, 0.24, 0.24, 0.04}, .length = 0.4, .is_box = true},
    {"ancf on a box", "ancf", "box", {0.2, 0.24, 0.2, 0.06}},
    {"sphere on a box", NULL, "box", {0.2, 0.3, 0.2, 0.05}},
    {"sphere on a cylinder", NULL, "cylinder", {0.12, 1}},
    {"sphere on a sphere", NULL, "sphere", {0.12}},
};

static const geometry tilting[] = {
    {"tilting ancf on a cylinder", "ancf", "cylinder", {0.12, 1}, .arm = HAW_ARM_TILT},
    {"tilting bezier-c0 on a sphere", "bezier-c0", "sphere", {0.12}, .arm = HAW_ARM_TILT},
};

typedef enum want { WANT_NEW, WANT_STICK, WANT_SLIP } want;

static uint64_t seed = 815;

static void randomise(double size, int n, double *x)
{
    for (int i = 0; i < n; i++) {
        x[i] += size * random_signed(&seed);
    }
}

static void turn_body(compliant_stage *s, int body, const double x[3], const double pose[4],
                      double size)
{
    double *q = s->q + s->model->body[body].first_q, *angle = q + 3;
    memcpy(q, x, 3 * sizeof *q);
    memcpy(angle, pose, 4 * sizeof *angle);
    randomise(size, 4, angle);
    quaternion_normalise(angle);
}

/* The cable in an arch through the surface, its nodes at height 0.12 above the body's centre; the
 * sphere a little deeper than it touches. */
static void set_state(compliant_stage *s, const geometry *g)
{
    const bool is_plane = strcmp(g->surface, "plane") == 0;
    const double centre[3] = {0.01, is_plane ? 0.12 : -0.01, 0.02};
    static const double along[4] = {1, 0, 0, 0}, up[4] = {0.7, -0.7, 0, 0};
    static const double across[4] = {0.7, 0, 0.7, 0};
    const double ball[3] = {0.03, is_plane ? 0.15 : 0.145, 0.04};
    const haw_cable *cable = &s->model->cable[0];
    double *z = s->q + cable->first_q;
    for (int i = 0; i <= cable->line.elements; i++) {
        const double x = 0.3 * i / cable->line.elements - 0.15;
        double *node = z + (ptrdiff_t)i * cable->stride_q;
        node[0] = x;
        node[1] = 0.105;
        node[2] = 0.3 * x;
    }
    randomise(0.004, cable->coordinates, z);
    for (int i = 0; i <= cable->line.elements && haw_cable_turns(cable); i++) {
        quaternion_normalise(z + (ptrdiff_t)i * cable->stride_q + 3);
    }
    turn_body(s, STAGE_DISK, centre, is_plane ? up : along, is_plane ? 0.01 : 0.3);
    turn_body(s, STAGE_OTHER, ball, g->length > 0.3 ? across : along, 0.5);
    randomise(0.3, s->dofs, s->u);
}

static void open_stage(compliant_stage *s, const geometry *g)
{
    stage_init(s);
    for (int i = 0; i < STAGE_BODIES; i++) {
        s->body[i].shape = i == STAGE_DISK ? g->surface : "sphere";
        s->body[i].inertia = 0.01;
    }
    if (g->length > 0) {
        s->body[STAGE_OTHER].shape = g->is_box ? "box" : "capsule";
        s->body[STAGE_OTHER].shape_options[1] = g->length;
    }
    if (g->is_box) {
        const double box[4] = {0.05, 0.07, g->length, 0.02};
        memcpy(s->body[STAGE_OTHER].shape_options, box, sizeof box);
    }
    memcpy(s->body[STAGE_DISK].shape_options, g->options, sizeof g->options);
    s->cable.element = g->element != NULL ? g->element : "ancf";
    s->cable.bending_stiffness = strncmp(s->cable.element, "bezier", 6) == 0 ? 0 : 2;
    s->cable.elements = g->is_at_nodes ? 4 : 2;
    s->cable.from[2] = s->cable.to[2] = 0;
    s->cable.radius = 0.005;
    s->contact.between[0] = g->element != NULL ? "cable" : "other";
    s->contact.points_per_element = g->is_at_nodes ? 1 : 3;
    s->contact.kinematics = g->kinematics;
    s->contact.arm = g->arm;
    s->contact.proxy = g->proxy;
    s->contact.normal_stiffness = 500;
    s->contact.normal_damping = 3;
    s->contact.normal_exponent = 2; /* smooth at g = 0, which differences need */
    s->contact.restitution = 0.6;
    s->contact.tangential_stiffness = 400;
    s->contact.tangential_damping = 1.5;
    s->contact.viscous_friction = 0.3;
    s->contact.stribeck_velocity = 0.4;
    s->contact.regularization = 0.1;
}

/* Histories as after a step, with bristles bent in any direction of the tangent plane. */
static void prepare(compliant_stage *s, want w)
{
    haw_compliant_begin(s->compliant, s->state, HAW_STATICS, 0);
    stage_evaluate(s);
    stage_commit(s);
    for (int i = 0; i < s->contacts->count; i++) {
        const haw_touch *touch = &s->contacts->item[i];
        const haw_body *body = &s->model->body[s->model->pair[touch->pair].body];
        double *history = stage_history(s, touch->id), bent[3] = {0, 0, 0}, second[3], r[9];
        quaternion_matrix(s->q + body->first_q + 3, r);
        vec3_cross(touch->normal, touch->tangent, second);
        vec3_add(2e-3 * random_signed(&seed), touch->tangent, bent);
        vec3_add(2e-3 * random_signed(&seed), second, bent);
        mat3_apply_t(r, bent, history + 2);
        history[0] = 0.7;
        history[1] = w == WANT_NEW ? (double)HAW_REGIME_NONE : HAW_REGIME_STICK;
    }
    randomise(2e-3, s->dofs, s->state->u);
    memcpy(s->state->q, s->q, (size_t)s->model->coordinates * sizeof *s->q);
    haw_model_move(s->model, s->q, 1, s->state->u, s->q);
}

static void check_case(const geometry *g, const char *const laws[2], want w, int met[4])
{
    compliant_stage s;
    char where[128];
    open_stage(&s, g);
    s.contact.normal = laws[0];
    s.contact.tangential = laws[1];
    s.contact.friction = w == WANT_SLIP ? 0.05 : 30;
    s.contact.friction_kinetic = 0.7 * s.contact.friction;
    const haw_scene scene = {.dimension = 3,
                             .bodies = STAGE_BODIES,
                             .body = s.body,
                             .cables = 1,
                             .cable = &s.cable,
                             .contacts = 1,
                             .contact = &s.contact};
    stage_build_scene(&s, &scene);
    set_state(&s, g);
    prepare(&s, w);
    snprintf(where, sizeof where, "%s, %s, %s, case %d", g->name, laws[0], laws[1], (int)w);
    haw_compliant_begin(s.compliant, s.state, HAW_DYNAMICS, step);
    stage_compare(&s, rate, small, g->tolerance > 0 ? g->tolerance : 1e-7, where);
    stage_commit(&s);
    for (int i = 0; i < s.model->points; i++) {
        met[2 + (int)stage_history(&s, i)[1]]++;
    }
    stage_check_listed(&s, step, 1e-12);
    stage_close(&s);
}

static void check_every_law(const geometry *list, int count)
{
    for (int i = 0; haw_normal_laws[i] != NULL; i++) {
        for (int k = 0; haw_friction_laws[k] != NULL; k++) {
            const char *const laws[2] = {haw_normal_laws[i]->name, haw_friction_laws[k]->name};
            for (want w = WANT_NEW; w <= WANT_SLIP; w++) {
                int met[4] = {0};
                for (int g = 0; g < count; g++) {
                    check_case(&list[g], laws, w, met);
                }
                const bool is_bristle = strcmp(laws[1], "bristle") == 0;
                assert_true(!is_bristle || w == WANT_NEW || met[w == WANT_SLIP ? 3 : 2] > 0);
            }
        }
    }
}

static void every_law_on_every_surface(void **unused)
{
    (void)unused;
    check_every_law(geometries, (int)(sizeof geometries / sizeof *geometries));
}

/* Friction at the surface of elements without rotations. */
static void every_law_on_sections_that_tilt(void **unused)
{
    (void)unused;
    check_every_law(tilting, (int)(sizeof tilting / sizeof *tilting));
}

/* A ball that was in and out of a sphere too often in one step is held, and pulled outside: from
 * its last change on where that leads out. The force is that of a spring in both directions, with
 * what damping has at the surface. */
static void check_held(int evaluations)
{
    const geometry *g = &geometries[sizeof geometries / sizeof *geometries - 1];
    compliant_stage s;
    open_stage(&s, g);
    s.contact.friction = 0.3;
    const haw_scene scene = {.dimension = 3,
                             .bodies = STAGE_BODIES,
                             .body = s.body,
                             .contacts = 1,
                             .contact = &s.contact};
    stage_build_scene(&s, &scene);
    double *ball = s.q + s.model->body[STAGE_OTHER].first_q;
    const double *centre = s.q + s.model->body[STAGE_DISK].first_q;
    static const double inside = 0.169, outside = 0.171; /* the radii are 0.12 and 0.05 m */
    static const double speed = 0.01, pull = 500 * (0.171 - 0.17) - 3 * 0.01;
    double *v = s.u + s.model->body[STAGE_OTHER].first;
    v[0] = -0.6 * speed;
    v[2] = -0.8 * speed;
    haw_compliant_begin(s.compliant, s.state, HAW_DYNAMICS, step);
    for (int k = evaluations; k > 0; k--) {
        const double far = k % 2 == 1 ? outside : inside;
        ball[0] = centre[0] + 0.6 * far;
        ball[1] = centre[1];
        ball[2] = centre[2] + 0.8 * far;
        stage_evaluate(&s);
    }
    assert_int_equal(haw_compliant_held(s.compliant), 1);
    const double *force = s.normal + s.model->body[STAGE_OTHER].first;
    assert_near(force[0], -0.6 * pull, 0, 1e-9);
    assert_near(force[2], -0.8 * pull, 0, 1e-9);
    stage_compare(&s, rate, small, 1e-7, "held closed");
    assert_true(haw_compliant_release(s.compliant));
    stage_evaluate(&s);
    assert_int_equal(haw_compliant_closed(s.compliant), 0);
    assert_true(!haw_compliant_release(s.compliant));
    stage_close(&s);
}

static void a_point_that_is_held_closed_has_the_slope_of_its_pull(void **unused)
{
    (void)unused;
    check_held(9);
    check_held(HAW_FLIPS_MAX + 1);
}

TEST_FILE(test_clasp_tangent)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_law_on_every_surface),
        cmocka_unit_test(a_point_that_is_held_closed_has_the_slope_of_its_pull),
        cmocka_unit_test(every_law_on_sections_that_tilt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
