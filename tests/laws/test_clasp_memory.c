/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bristles in the tangent plane over many steps: a point that is led on a circle draws its anchor
 * behind it on a smaller one, and on a body that moves and turns all is the same as at rest.
 *
 * With the limit d = mu f_N / k_t and N steps a turn (Delta = 2 pi / N) the anchor of the return
 * map is on the circle b^2 + d^2 + 2 b d sin(Delta / 2) = a^2, and friction leans from -v towards
 * the centre.
 */
#include "base/lie.h"
#include "support/compliant_stage.h"

enum { TURNS = 20 };

static const double pi = 3.14159265358979323846;
static const double h = 1e-3, radius = 0.05, depth = 1e-4, stiffness = 1e6, tangential = 1e5;

typedef struct path {
    double a, d;
    int steps;
    double anchor, lag; /* [m], [deg] */
} path;

static const path paths[] = {{.01, .001, 100, .00991851319, 7.5363290},
                             {.01, .005, 100, .00850462421, 31.7836785},
                             {.01, .009, 50, .00383026410, 67.5256004}};

static void open_stage(compliant_stage *s, double limit)
{
    stage_init(s);
    for (int i = 0; i < STAGE_BODIES; i++) {
        s->body[i].shape = i == STAGE_DISK ? "plane" : "sphere";
        s->body[i].shape_options[0] = i == STAGE_DISK ? 0 : radius;
        s->body[i].inertia = 0.01;
    }
    s->contact.between[0] = "other";
    s->contact.kinematics = HAW_KINEMATICS_CURVE;
    s->contact.normal_stiffness = stiffness;
    s->contact.tangential_stiffness = tangential;
    s->contact.tangential_damping = 0;
    s->contact.friction = limit * tangential / (stiffness * depth);
    const haw_scene scene = {.dimension = 3,
                             .bodies = STAGE_BODIES,
                             .body = s->body,
                             .contacts = 1,
                             .contact = &s->contact};
    stage_build_scene(s, &scene);
    memset(s->u, 0, (size_t)s->dofs * sizeof *s->u);
}

/* Pose of the plane in step k: at rest, or on a screw motion. */
static void place_plane(compliant_stage *s, int k, bool moves, double rotation[9])
{
    static const double axis[3] = {0.3, -0.5, 0.8};
    double *q = s->q + s->model->body[STAGE_DISK].first_q;
    const double angle = moves ? 0.02 * k : 0;
    q[3] = cos(angle / 2);
    for (int i = 0; i < 3; i++) {
        q[i] = moves ? 1e-3 * k * (i + 1) : 0;
        q[4 + i] = sin(angle / 2) * axis[i] / vec3_norm(axis);
    }
    quaternion_matrix(q + 3, rotation);
}

/* Friction on the ball in the frame of the plane, the ball at x there and turning with it. */
static void lead(compliant_stage *s, int k, bool moves, const double x[3], double force[3])
{
    const double *plane = s->q + s->model->body[STAGE_DISK].first_q;
    double *ball = s->q + s->model->body[STAGE_OTHER].first_q, rotation[9], arm[3];
    haw_compliant_begin(s->compliant, s->state, HAW_DYNAMICS, h);
    place_plane(s, k, moves, rotation);
    mat3_apply(rotation, x, arm);
    for (int i = 0; i < 3; i++) {
        ball[i] = plane[i] + arm[i];
    }
    memcpy(ball + 3, plane + 3, 4 * sizeof *ball);
    stage_evaluate(s);
    mat3_apply_t(rotation, s->tangential + s->model->body[STAGE_OTHER].first, force);
    memcpy(s->state->q, s->q, (size_t)s->model->coordinates * sizeof *s->q);
    stage_commit(s);
}

static void check_path(const path *p, bool moves)
{
    compliant_stage s;
    double force[3] = {0}, x[3] = {0}, anchor[3];
    open_stage(&s, p->d);
    for (int k = 0; k <= TURNS * p->steps; k++) {
        const double phi = 2 * pi * k / p->steps;
        x[0] = p->a * cos(phi);
        x[1] = p->a * sin(phi);
        x[2] = radius - depth;
        lead(&s, k, moves, x, force);
    }
    for (int i = 0; i < 3; i++) { /* the force is that of the bristle from the anchor to x */
        anchor[i] = (i < 2 ? x[i] : 0) + force[i] / tangential;
    }
    assert_near(vec3_norm(force), tangential * p->d, 0, 1e-9);
    assert_near(vec3_norm(anchor), p->anchor, 0, 1e-8);
    /* x is at angle 0: -v along -y, the centre along -x */
    assert_near(atan2(-force[0], -force[1]) * 180 / pi, p->lag, 0, 1e-8);
    stage_close(&s);
}

static void an_anchor_is_drawn_on_a_smaller_circle(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        check_path(&paths[i], false);
    }
}

static void a_moving_surface_takes_its_bristles_along(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        check_path(&paths[i], true);
    }
}

TEST_FILE(test_clasp_memory)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_anchor_is_drawn_on_a_smaller_circle),
        cmocka_unit_test(a_moving_surface_takes_its_bristles_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
