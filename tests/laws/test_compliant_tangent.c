/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tangent of compliant contact against central differences of its forces, for every kind of
 * contact point, both arms, with and without offset, every normal and friction law, and every
 * regime a point can be in.
 */
#include "support/random.h"
#include "support/stage_tangent.h"

#include <stdio.h>

static const double rate = 7;     /* of velocities to positions, as in an implicit step [1/s] */
static const double step = 1e-3;  /* [s] */
static const double small = 2e-7; /* difference of coordinates */

/* What touches what. */
typedef struct geometry {
    const char *name;
    int kinematics, normals;
    const char *shape; /* of the body that is touched */
    bool is_proxy;
    int chord_length;
    double offset;
} geometry;

static const geometry geometries[] = {
    {"chord", HAW_KINEMATICS_CHORD, HAW_NORMALS_SEGMENT, "circle", false, 0, 0},
    {"chord with offset", HAW_KINEMATICS_CHORD, HAW_NORMALS_SEGMENT, "circle", false, 0, -0.01},
    {"chord, point normals", HAW_KINEMATICS_CHORD, HAW_NORMALS_POINT, "circle", false, 0, 0},
    {"chord, point normals and offset", HAW_KINEMATICS_CHORD, HAW_NORMALS_POINT, "circle", false, 0,
     -0.01},
    {"curve", HAW_KINEMATICS_CURVE, HAW_NORMALS_SEGMENT, "circle", false, 0, 0},
    {"curve with offset", HAW_KINEMATICS_CURVE, HAW_NORMALS_SEGMENT, "circle", false, 0, -0.01},
    {"curve on a plane", HAW_KINEMATICS_CURVE, HAW_NORMALS_SEGMENT, "plane", false, 0, 0},
    {"curve with offset on a plane", HAW_KINEMATICS_CURVE, HAW_NORMALS_SEGMENT, "plane", false, 0,
     0.01},
    {"disk on disk", HAW_KINEMATICS_CURVE, HAW_NORMALS_SEGMENT, "circle", true, 0, 0},
    {"disk on plane", HAW_KINEMATICS_CURVE, HAW_NORMALS_SEGMENT, "plane", true, 0, 0},
    {"chord of its present length", HAW_KINEMATICS_CHORD, HAW_NORMALS_SEGMENT, "circle", false,
     HAW_CHORD_DEFORMED, -0.01},
};

/* Regimes to meet: friction is chosen so that the point is there. */
typedef enum want {
    WANT_NEW,
    WANT_STICK,
    WANT_SLIP,
    WANT_FROZEN_NEW,
    WANT_FROZEN_STICK,
    WANT_FROZEN_SLIP,
    WANTS
} want;

static uint64_t seed = 4711;

/* A sagging cable, both ends above the body; everything moves. */
static void set_state(compliant_stage *s, const geometry *g)
{
    const int n = s->model->cable[0].line.dofs;
    const int elements = s->model->cable[0].line.elements;
    double *z = stage_cable(s, s->q);
    for (int i = 0; i <= elements; i++) {
        const double x = 0.3 * i / elements,
                     r[4] = {x - 0.15, 0.1 + (x - 0.15) * (x - 0.15), 1, 2 * (x - 0.15)};
        memcpy(z + (ptrdiff_t)4 * i, r, sizeof r);
    }
    for (int i = 0; i < n; i++) {
        z[i] += 0.005 * random_signed(&seed);
    }
    const bool is_plane = strcmp(g->shape, "plane") == 0;
    double *disk = stage_body(s, s->q, STAGE_DISK), *other = stage_body(s, s->q, STAGE_OTHER);
    disk[0] = 0.02;
    disk[1] = is_plane ? 0.12 : -0.01;
    disk[2] = 0.1;
    other[0] = 0.1;
    other[1] = is_plane ? 0.15 : 0.12;
    other[2] = 0.4;
    for (int i = 0; i < s->dofs; i++) {
        s->u[i] = 0.3 * random_signed(&seed);
    }
}

static void open_stage(compliant_stage *s, const geometry *g, int arm, bool frozen)
{
    stage_init(s);
    s->body[STAGE_DISK].shape = g->shape;
    if (strcmp(g->shape, "plane") == 0) {
        s->body[STAGE_DISK].shape_options[0] = 0.1;
        s->body[STAGE_DISK].shape_options[1] = 1;
        s->body[STAGE_DISK].inertia = 1;
    }
    s->cable.elements = 2;
    s->contact.between[0] = g->is_proxy ? "other" : "cable";
    s->contact.points_per_element = 3;
    s->contact.kinematics = g->kinematics;
    s->contact.normals = g->normals;
    s->contact.offset = g->offset;
    s->contact.chord_length = g->chord_length;
    s->contact.arm = arm;
    s->contact.normal_stiffness = 500;
    s->contact.normal_damping = 3;
    s->contact.normal_exponent = 2; /* smooth at g = 0, which differences need */
    s->contact.restitution = 0.6;
    s->contact.tangential_stiffness = 400;
    s->contact.tangential_damping = 1.5;
    s->contact.viscous_friction = frozen ? 0 : 0.3;
    s->contact.stribeck_velocity = 0.4;
    s->contact.regularization = 0.5;
    s->contact.switching = frozen ? HAW_SWITCHING_POST_NEWTON : HAW_SWITCHING_RETURN_MAP;
}

/*
 * Histories as after a step: references at the present slides, drawn by the bristle's deflection;
 * then the friction coefficient decides between stick and slip.
 */
static void prepare(compliant_stage *s, want w)
{
    const bool is_frozen = w >= WANT_FROZEN_NEW;
    haw_compliant_begin(s->compliant, s->state, HAW_STATICS, 0);
    stage_evaluate(s);
    stage_commit(s);
    const bool is_bristle = s->model->pair[0].compliance.tangential == &haw_friction_bristle;
    for (int i = 0; i < s->model->points; i++) {
        double *history = stage_history(s, i);
        const bool is_closed = history[1] != (double)HAW_REGIME_NONE;
        if (!is_closed) {
            continue;
        }
        history[0] = is_frozen ? -1e-3 : 0.7;
        history[2] += is_bristle ? 2e-3 * random_signed(&seed) : 4e-4 * random_signed(&seed);
        if (w == WANT_NEW || w == WANT_FROZEN_NEW) {
            history[1] = HAW_REGIME_NONE;
        } else if (w == WANT_FROZEN_SLIP) {
            history[1] = i % 2 == 0 ? HAW_REGIME_FORWARD : HAW_REGIME_BACKWARD;
        }
    }
}

/* One stage at one set of laws; the regimes that were met are counted. */
static void check_case(const geometry *g, int arm, const char *const laws[2], want w, int met[4])
{
    compliant_stage s;
    char where[128];
    open_stage(&s, g, arm, w >= WANT_FROZEN_NEW);
    s.contact.normal = laws[0];
    s.contact.tangential = laws[1];
    s.contact.friction = w == WANT_SLIP ? 0.05 : 0.9;
    s.contact.friction_kinetic = w >= WANT_FROZEN_NEW ? (double)NAN : 0.7 * s.contact.friction;
    if (w == WANT_STICK || w == WANT_NEW) {
        s.contact.friction = 30;
        s.contact.friction_kinetic = 28;
    }
    stage_build(&s);
    set_state(&s, g);
    prepare(&s, w);
    snprintf(where, sizeof where, "%s, arm %d, %s, %s, case %d", g->name, arm, laws[0], laws[1],
             (int)w);
    haw_compliant_begin(s.compliant, s.state, HAW_DYNAMICS, step);
    assert_int_equal(s.system->equations, s.dofs);
    stage_compare(&s, rate, small, 1e-7, where);
    stage_commit(&s);
    for (int i = 0; i < s.model->points; i++) {
        met[2 + (int)stage_history(&s, i)[1]]++;
    }
    stage_close(&s);
}

static void check_geometries(const char *const laws[2], want w)
{
    int met[4] = {0};
    for (size_t i = 0; i < sizeof geometries / sizeof *geometries; i++) {
        for (int arm = 0; arm < 2; arm++) {
            check_case(&geometries[i], arm, laws, w, met);
        }
    }
    if (w == WANT_SLIP && strcmp(laws[1], "bristle") == 0) {
        assert_true(met[1] > 0 && met[3] > 0); /* slip to both sides */
    }
    if (w == WANT_STICK) {
        assert_true(met[2] > 0);
    }
}

static void test_return_map_with_every_normal_and_friction_law(void **unused)
{
    (void)unused;
    for (int i = 0; haw_normal_laws[i] != NULL; i++) {
        for (int k = 0; haw_friction_laws[k] != NULL; k++) {
            const char *const laws[2] = {haw_normal_laws[i]->name, haw_friction_laws[k]->name};
            check_geometries(laws, WANT_NEW);
            check_geometries(laws, WANT_STICK);
            check_geometries(laws, WANT_SLIP);
        }
    }
}

static void test_frozen_data_of_the_post_newton_step(void **unused)
{
    (void)unused;
    static const char *const laws[2] = {"linear", "bristle"};
    for (want w = WANT_FROZEN_STICK; w < WANTS; w++) {
        check_geometries(laws, w);
    }
}

TEST_FILE(test_compliant_tangent)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_return_map_with_every_normal_and_friction_law),
        cmocka_unit_test(test_frozen_data_of_the_post_newton_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
