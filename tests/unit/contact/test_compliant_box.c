/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounding boxes of cubics, and the broad phase of compliant contact against every grid point. */
#include "contact/chord.h"
#include "support/compliant_stage.h"
#include "support/random.h"

enum { CURVES = 2000, SAMPLES = 400, SCENES = 300 };

static uint64_t seed = 99;

static double cubic(const double p[4][2], int i, double s)
{
    const double t = 1 - s;
    return t * t * t * p[0][i] + 3 * s * t * t * p[1][i] + 3 * s * s * t * p[2][i] +
           s * s * s * p[3][i];
}

/* Largest value of sign * x_i on [0, 1]: samples, then a section search around the best. */
static double extreme(const double p[4][2], int i, double sign)
{
    double best = -HUGE_VAL, at = 0;
    for (int k = 0; k <= SAMPLES; k++) {
        const double s = (double)k / SAMPLES, x = sign * cubic(p, i, s);
        if (x > best) {
            best = x;
            at = s;
        }
    }
    double low = fmax(0, at - 1.0 / SAMPLES), high = fmin(1, at + 1.0 / SAMPLES);
    while (high - low > 1e-9) {
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (sign * cubic(p, i, a) < sign * cubic(p, i, b)) {
            low = a;
        } else {
            high = b;
        }
    }
    return fmax(best, sign * cubic(p, i, 0.5 * (low + high)));
}

static void test_the_box_of_a_cubic_is_exact(void **unused)
{
    (void)unused;
    int inner = 0;
    for (int k = 0; k < CURVES; k++) {
        double p[4][2];
        for (int a = 0; a < 8; a++) {
            /* some curves are straight, quadratic or degenerate in one direction */
            p[a / 2][a % 2] = k % 7 == 0 && a % 2 == 0 ? a : random_signed(&seed);
        }
        const haw_box box = haw_cubic_box((const double(*)[2])p);
        const haw_box hull = haw_points_box(4, p);
        for (int i = 0; i < 2; i++) {
            assert_near(box.max[i], extreme((const double(*)[2])p, i, 1), 1e-14, 0);
            assert_near(box.min[i], -extreme((const double(*)[2])p, i, -1), 1e-14, 0);
            assert_true(box.max[i] <= hull.max[i] && box.min[i] >= hull.min[i]);
            inner += box.max[i] < hull.max[i] - 1e-3;
        }
    }
    assert_true(inner > CURVES / 2); /* the hull is not the box */
}

/* ---- broad phase ---- */

/* Contact point `j` of element e relative to the centre of the body, from the element's rows. */
static void place(const compliant_stage *s, int e, double xi, double p[2])
{
    const haw_cable *cable = &s->model->cable[0];
    const double *q = s->q + cable->first, *z = q + (ptrdiff_t)cable->line.ops->stride * e;
    const double *body = s->q + s->model->body[STAGE_DISK].first;
    double value[HAW_HULL_MAX], slope[HAW_HULL_MAX], x[2], d[2] = {0, 0};
    cable->line.ops->position(&cable->line, e, xi, q, x, NULL);
    cable->line.ops->basis(&cable->line, xi, value, slope);
    for (int a = 0; a < cable->line.ops->dofs; a++) {
        d[a % 2] += slope[a / 2] * z[a];
    }
    const double size = hypot(d[0], d[1]), y = s->model->pair[0].offset;
    p[0] = x[0] - y * d[1] / size - body[0];
    p[1] = x[1] + y * d[0] / size - body[1];
}

static double distance(const double a[2], const double b[2])
{
    const double e[2] = {b[0] - a[0], b[1] - a[1]}, square = e[0] * e[0] + e[1] * e[1];
    const double rho = square > 0 ? -(a[0] * e[0] + a[1] * e[1]) / square : 0;
    const double r = rho < 0 ? 0 : (rho > 1 ? 1 : rho);
    return hypot(a[0] + r * e[0], a[1] + r * e[1]);
}

/* Gap of a grid point by its definition. */
static double gap(const compliant_stage *s, int id)
{
    const haw_pair *pair = &s->model->pair[0];
    const haw_body *body = &s->model->body[STAGE_DISK];
    int e;
    double xi, a[2], b[2];
    haw_pair_point(s->model, pair, id, &e, &xi);
    place(s, e, xi, a);
    if (pair->kinematics == HAW_KINEMATICS_CHORD) {
        place(s, e, xi + 1.0 / pair->points_per_element, b);
        return distance(a, b) - body->surface.options[0];
    }
    const double *pose = s->q + body->first, x[2] = {pose[0] + a[0], pose[1] + a[1]};
    double normal[2];
    return body->surface.ops->gap(&body->surface, pose, x, normal);
}

static void open_stage(compliant_stage *s, int k)
{
    static const char *const elements[] = {"ancf", "bezier", "bezier-c0", "chain"};
    const bool is_chord = k % 3 == 0, is_plane = k % 3 == 2;
    stage_init(s);
    s->cable.element = elements[k / 3 % 4];
    if (k / 3 % 4 != 0) {
        s->cable.bending_stiffness = 0;
    }
    s->cable.elements = 6;
    s->contact.points_per_element = 3;
    s->contact.kinematics = is_chord ? HAW_KINEMATICS_CHORD : HAW_KINEMATICS_CURVE;
    s->contact.normal_stiffness = s->contact.tangential_stiffness = 1e3;
    s->contact.offset = k % 2 == 0 ? 0 : 0.02;
    if (is_plane) {
        s->body[STAGE_DISK].shape = "plane";
        s->body[STAGE_DISK].shape_options[0] = 0;
        s->body[STAGE_DISK].shape_options[1] = 1;
        s->body[STAGE_DISK].inertia = 1;
    }
    stage_build(s);
}

/* A cable in wild curves, with a body somewhere among them. */
static void set_state(compliant_stage *s)
{
    double *z = stage_cable(s, s->q), *body = stage_body(s, s->q, STAGE_DISK);
    for (int a = 0; a < s->model->cable[0].line.dofs; a++) {
        z[a] = 0.4 * random_signed(&seed);
    }
    for (int a = 0; a < 3; a++) {
        body[a] = 0.4 * random_signed(&seed);
    }
}

static void test_no_closed_point_is_missed_and_none_is_made_up(void **unused)
{
    (void)unused;
    int total = 0;
    for (int k = 0; k < SCENES; k++) {
        compliant_stage s;
        open_stage(&s, k);
        set_state(&s);
        haw_compliant_begin(s.compliant, s.state, HAW_DYNAMICS, 1e-3);
        stage_evaluate(&s);
        stage_commit(&s);
        int count = 0;
        for (int id = 0; id < s.model->pair[0].points; id++) {
            const double want = gap(&s, id);
            if (fabs(want) < 1e-15) {
                continue;
            }
            const bool is_listed = count < s.contacts->count && s.contacts->item[count].id == id;
            assert_int_equal(is_listed, want <= 0);
            if (is_listed) {
                assert_near(s.contacts->item[count].gap, want, 1e-14, 1e-12);
                count++;
            }
        }
        assert_int_equal(count, s.contacts->count);
        assert_int_equal(count, haw_compliant_closed(s.compliant));
        total += count;
        stage_close(&s);
    }
    assert_true(total > SCENES);
}

static void test_points_of_a_prescribed_node_carry_no_contact(void **unused)
{
    (void)unused;
    for (int end = 0; end < 2; end++) {
        compliant_stage s;
        stage_init(&s);
        s.contact.kinematics = HAW_KINEMATICS_CURVE;
        s.contact.normal_stiffness = s.contact.tangential_stiffness = 1e3;
        s.cable.ends[end].kind = HAW_END_PINNED;
        s.body[STAGE_DISK].shape_options[0] = 10; /* all of the cable is inside */
        stage_build(&s);
        haw_compliant_begin(s.compliant, s.state, HAW_DYNAMICS, 1e-3);
        stage_evaluate(&s);
        stage_commit(&s);
        assert_int_equal(s.contacts->count, 4); /* of s = 0, 1/4, 1/2, 3/4, 1 */
        assert_int_equal(s.contacts->item[0].id, end == 0 ? 1 : 0);
        assert_int_equal(s.contacts->item[3].id, end == 0 ? 4 : 3);
        stage_close(&s);
    }
}

TEST_FILE(test_compliant_box)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_box_of_a_cubic_is_exact),
        cmocka_unit_test(test_no_closed_point_is_missed_and_none_is_made_up),
        cmocka_unit_test(test_points_of_a_prescribed_node_carry_no_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
