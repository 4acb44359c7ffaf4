/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chords and capsules under compliant laws. Capsules: half of the stiffness per length is that of
 * the grid points, half that of the nearest points between them. On a line that follows the surface
 * these are the middles of the pieces; everywhere forces are those of an energy of the gaps.
 */
#include "support/compliant_stage.h"
#include "support/random.h"

#include <math.h>

static const double section = 0.005, stiffness = 1e5, length = 0.3;

static void set_up(compliant_stage *s, haw_proxy proxy, int points, const char *law)
{
    stage_init(s);
    for (int i = 0; i < STAGE_BODIES; i++) {
        s->body[i].shape = i == STAGE_DISK ? "cylinder" : "sphere";
        s->body[i].shape_options[1] = i == STAGE_DISK ? 1 : 0;
        s->body[i].inertia = 0.01;
    }
    s->cable.elements = 2;
    s->cable.radius = section;
    s->cable.from[2] = s->cable.to[2] = 0;
    s->contact.proxy = proxy;
    s->contact.kinematics = HAW_KINEMATICS_CURVE;
    s->contact.points_per_element = points;
    s->contact.per = HAW_PER_LENGTH;
    s->contact.normal = law;
    s->contact.normal_exponent = 2;
    s->contact.normal_stiffness = s->contact.tangential_stiffness = stiffness;
    s->contact.tangential_damping = 30;
    s->contact.friction = 0.4;
}

static void build(compliant_stage *s)
{
    const haw_scene scene = {.dimension = 3,
                             .bodies = STAGE_BODIES,
                             .body = s->body,
                             .cables = 1,
                             .cable = &s->cable,
                             .contacts = 1,
                             .contact = &s->contact};
    stage_build_scene(s, &scene);
}

static void open_stage(compliant_stage *s, haw_proxy proxy, int points, const char *law)
{
    set_up(s, proxy, points, law);
    build(s);
}

/* Nodes on a line through a and b; the other body far away. */
static void lay(compliant_stage *s, const double a[3], const double b[3])
{
    const haw_cable *cable = &s->model->cable[0];
    for (int i = 0; i <= 2; i++) {
        double *node = s->q + cable->first_q + (ptrdiff_t)i * cable->stride_q;
        for (int k = 0; k < 3; k++) {
            node[k] = a[k] + 0.5 * i * (b[k] - a[k]);
            node[3 + k] = (b[k] - a[k]) / length;
        }
    }
    s->q[s->model->body[STAGE_OTHER].first_q] = 10;
}

static void capsules_along_the_surface_are_points_twice_as_dense(void **unused)
{
    static const double a[3] = {0, 0.1245, 0}, b[3] = {0, 0.1245, 0.3};
    compliant_stage s[2];
    uint64_t seed = 5;
    (void)unused;
    open_stage(&s[0], HAW_PROXY_CAPSULES, 3, "linear");
    open_stage(&s[1], HAW_PROXY_POINTS, 6, "linear");
    for (int i = 0; i < s[0].dofs; i++) {
        s[0].u[i] = s[1].u[i] = 0.1 * random_signed(&seed);
    }
    for (int k = 0; k < 2; k++) {
        lay(&s[k], a, b);
        haw_compliant_begin(s[k].compliant, s[k].state, HAW_DYNAMICS, 1e-3);
        stage_evaluate(&s[k]);
        assert_int_equal(haw_compliant_closed(s[k].compliant), 13);
    }
    for (int i = 0; i < s[0].dofs; i++) {
        assert_near(s[0].normal[i], s[1].normal[i], 1e-6, 0);
        assert_near(s[0].tangential[i], s[1].tangential[i], 1e-6, 0);
    }
    assert_near(haw_compliant_energy(s[0].compliant), 0.5 * stiffness * length * 25e-8, 0, 1e-9);
    stage_close(&s[0]);
    stage_close(&s[1]);
}

static void normal_forces_are_those_of_their_energy(void **unused)
{
    static const double a[3] = {-0.15, 0.117, -0.03}, b[3] = {0.15, 0.12, 0.04};
    static const double small = 1e-7;
    compliant_stage s;
    uint64_t seed = 7;
    (void)unused;
    open_stage(&s, HAW_PROXY_CAPSULES, 2, "hunt-crossley");
    lay(&s, a, b);
    for (int i = 0; i < s.model->cable[0].coordinates; i++) {
        s.q[s.model->cable[0].first_q + i] += 0.002 * random_signed(&seed);
    }
    haw_compliant_begin(s.compliant, s.state, HAW_STATICS, 0);
    stage_evaluate(&s);
    assert_true(haw_compliant_closed(s.compliant) >= 3);
    for (int i = 0; i < s.model->cable[0].coordinates; i++) {
        double energy[2], *x = &s.q[s.model->cable[0].first_q + i];
        const double at = *x, force = s.normal[s.model->cable[0].first + i];
        for (int k = 0; k < 2; k++) {
            *x = at + (2 * k - 1) * small;
            stage_evaluate(&s);
            energy[k] = haw_compliant_energy(s.compliant);
        }
        *x = at;
        stage_evaluate(&s);
        assert_near(force, (energy[0] - energy[1]) / (2 * small), 1e-6, 1e-6);
    }
    stage_close(&s);
}

/* Of a line across the cylinder, whose contact ends within pieces. */
static double pressed(haw_proxy proxy, int points)
{
    static const double a[3] = {-0.15, 0.121, 0}, b[3] = {0.15, 0.121, 0.02};
    compliant_stage s;
    open_stage(&s, proxy, points, "linear");
    lay(&s, a, b);
    haw_compliant_begin(s.compliant, s.state, HAW_STATICS, 0);
    stage_evaluate(&s);
    const double force = -s.normal[s.model->body[STAGE_DISK].first + 1];
    stage_close(&s);
    return force;
}

static void capsules_converge_to_points(void **unused)
{
    const double exact = pressed(HAW_PROXY_POINTS, 4096);
    double before = INFINITY;
    (void)unused;
    for (int n = 16; n <= 1024; n *= 4) {
        const double error = fabs(pressed(HAW_PROXY_CAPSULES, n) / exact - 1);
        print_message("%d pieces: %.3g\n", n, error);
        assert_true(error < before / 3);
        before = error;
    }
    assert_true(before < 0.01);
}

/* Fraction of the way along its piece of every touch between grid points of a line that rises by
 * `slope` of its length; ends of elements are grid points. */
static void check_places(haw_proxy proxy, haw_kinematics kinematics, double slope, double want)
{
    const double rise = 0.15 * slope, a[3] = {0, 0.1245 - rise, 0},
                 b[3] = {0, 0.1245 + rise, 0.3 * sqrt(1 - slope * slope)};
    compliant_stage s;
    int found = 0;
    set_up(&s, proxy, 3, "linear");
    s.contact.kinematics = kinematics;
    build(&s);
    lay(&s, a, b);
    haw_compliant_begin(s.compliant, s.state, HAW_DYNAMICS, 1e-3);
    stage_evaluate(&s);
    stage_commit(&s);
    for (int i = 0; i < s.contacts->count; i++) {
        const double x = 3 * s.contacts->item[i].s;
        if (proxy == HAW_PROXY_POINTS || s.contacts->item[i].id >= 7) {
            assert_near(x - floor(x), want, 1e-5, 0);
            found++;
        }
    }
    assert_true(found >= 3);
    stage_close(&s);
}

static void pieces_that_lie_down_touch_with_their_middle(void **unused)
{
    (void)unused;
    check_places(HAW_PROXY_CAPSULES, HAW_KINEMATICS_CURVE, 0, 0.5);
    check_places(HAW_PROXY_CAPSULES, HAW_KINEMATICS_CURVE, 0.01, 0.5 - 0.01 / 0.2);
    check_places(HAW_PROXY_CAPSULES, HAW_KINEMATICS_CURVE, -0.06, 0.5 + 0.06 / 0.2);
    check_places(HAW_PROXY_CAPSULES, HAW_KINEMATICS_CURVE, 0.12, 0);
    check_places(HAW_PROXY_POINTS, HAW_KINEMATICS_CHORD, 0, 0.5);
    check_places(HAW_PROXY_POINTS, HAW_KINEMATICS_CHORD, 0.01, 0);
}

/* A cable and a cylinder, or with d = 2 a circle of the radii of both, in the plane of x and y: at
 * the second step of a contact. */
static void run_plane(compliant_stage *s, int d, haw_chord_length counted, const char *friction)
{
    uint64_t seed = 31;
    set_up(s, HAW_PROXY_POINTS, 3, "linear");
    s->contact.kinematics = HAW_KINEMATICS_CHORD;
    s->contact.chord_length = counted;
    s->contact.arm = HAW_ARM_DISTANCE;
    s->contact.tangential = friction;
    s->contact.regularization = 0.1;
    if (d == 2) {
        s->cable.radius = 0;
        s->body[STAGE_DISK].shape = s->body[STAGE_OTHER].shape = "circle";
        s->body[STAGE_DISK].shape_options[0] += section;
        stage_build(s);
    } else {
        build(s);
    }
    const haw_cable *cable = &s->model->cable[0];
    for (int i = 0; i <= 2; i++) {
        double *node = s->q + cable->first_q + (ptrdiff_t)i * cable->stride_q;
        double *rate = s->u + cable->first + (ptrdiff_t)i * cable->stride_q;
        node[0] = 0.15 * (i - 1) + 0.02;
        node[1] = 0.118;
        for (int k = 0; k < 2; k++) {
            node[d + k] = (k == 0 ? 1 : 0) + 0.02 * random_signed(&seed);
            rate[k] = 0.2 * random_signed(&seed);
            rate[d + k] = 0.2 * random_signed(&seed);
        }
    }
    s->q[s->model->body[STAGE_OTHER].first_q] = 10;
    s->u[s->model->body[STAGE_DISK].first + (d == 2 ? 2 : 5)] = 3;
    memcpy(s->state->q, s->q, (size_t)s->model->coordinates * sizeof *s->q);
    memcpy(s->state->u, s->u, (size_t)s->dofs * sizeof *s->u);
    haw_compliant_begin(s->compliant, s->state, HAW_DYNAMICS, 1e-5);
    stage_evaluate(s);
    assert_true(haw_compliant_closed(s->compliant) >= 1);
    stage_commit(s);
    haw_compliant_begin(s->compliant, s->state, HAW_DYNAMICS, 1e-5);
    for (int i = 0; i < s->dofs; i++) {
        s->total[i] = 1e-5 * s->u[i];
    }
    haw_model_move(s->model, s->q, 1, s->total, s->q);
    stage_evaluate(s);
}

/* Touches at ends of chords are 1e-9 of a chord inside there. Bristles measure their way in space
 * at the cable, in the plane on the surface: with 7e-3 of the radius between both, 3e-3 apart. */
static void chords_in_a_plane_of_space_are_those_of_the_plane(void **unused)
{
    static const struct {
        const char *friction;
        double tolerance;
    } row[] = {{"regularized", 3e-9}, {"bristle", 3e-3}}; /* of 70 N, and of 1.5 N */

    (void)unused;
    for (int i = 0; i < 4; i++) {
        compliant_stage s[2];
        for (int d = 2; d <= 3; d++) {
            run_plane(&s[d - 2], d, i / 2 == 0 ? HAW_CHORD_REFERENCE : HAW_CHORD_DEFORMED,
                      row[i % 2].friction);
        }
        for (int a = 0; a < 12; a++) { /* of the three nodes */
            const int at = s[0].model->cable[0].first + a,
                      there = s[1].model->cable[0].first + 6 * (a / 4) + 3 * (a / 2 % 2) + a % 2;
            assert_near(s[1].normal[there], s[0].normal[at], 70 * 3e-9, 0);
            assert_near(s[1].tangential[there], s[0].tangential[at],
                        row[i % 2].tolerance * (i % 2 == 0 ? 70 : 1.5), 0);
        }
        stage_close(&s[0]);
        stage_close(&s[1]);
    }
}

TEST_FILE(test_compliant_proxies)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capsules_along_the_surface_are_points_twice_as_dense),
        cmocka_unit_test(normal_forces_are_those_of_their_energy),
        cmocka_unit_test(capsules_converge_to_points),
        cmocka_unit_test(pieces_that_lie_down_touch_with_their_middle),
        cmocka_unit_test(chords_in_a_plane_of_space_are_those_of_the_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
