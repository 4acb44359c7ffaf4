/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What no rigid motion may change: forces turn with the scene, their sum vanishes, and so does
 * their moment where the arm reaches the contact point. A bristle gives back what it stores.
 */
#include "support/compliant_stage.h"
#include "support/random.h"

static uint64_t seed = 7;

typedef struct variant {
    double offset;
    int kinematics, normals, arm;
    bool is_proxy, is_plane;
} variant;

static const variant variants[] = {
    {0, HAW_KINEMATICS_CHORD, HAW_NORMALS_SEGMENT, HAW_ARM_DISTANCE, false, false},
    {-0.01, HAW_KINEMATICS_CHORD, HAW_NORMALS_SEGMENT, HAW_ARM_DISTANCE, false, false},
    {-0.01, HAW_KINEMATICS_CHORD, HAW_NORMALS_POINT, HAW_ARM_DISTANCE, false, false},
    {0, HAW_KINEMATICS_CHORD, HAW_NORMALS_SEGMENT, HAW_ARM_RADIUS, false, false},
    {0, HAW_KINEMATICS_CURVE, HAW_NORMALS_SEGMENT, HAW_ARM_DISTANCE, false, false},
    {0.02, HAW_KINEMATICS_CURVE, HAW_NORMALS_SEGMENT, HAW_ARM_DISTANCE, false, true},
    {0.02, HAW_KINEMATICS_CURVE, HAW_NORMALS_SEGMENT, HAW_ARM_RADIUS, false, true},
    {0, HAW_KINEMATICS_CURVE, HAW_NORMALS_SEGMENT, HAW_ARM_DISTANCE, true, false},
    {0, HAW_KINEMATICS_CURVE, HAW_NORMALS_SEGMENT, HAW_ARM_DISTANCE, true, true},
};

enum { VARIANTS = sizeof variants / sizeof *variants, DOFS_MAX = 40 };

static void set_state(compliant_stage *s, const variant *v)
{
    double *z = stage_cable(s, s->q);
    for (int i = 0; i <= s->model->cable[0].line.elements; i++, z += 4) {
        const double x = 0.15 * i - 0.15;
        z[0] = x + 0.005 * random_signed(&seed);
        z[1] = 0.1 + x * x + 0.005 * random_signed(&seed);
        z[2] = 1 + 0.05 * random_signed(&seed);
        z[3] = 2 * x + 0.05 * random_signed(&seed);
    }
    const double disk[3] = {0.02, v->is_plane ? 0.14 : -0.01, 0.1};
    const double other[3] = {0.1, v->is_plane ? 0.17 : 0.12, 0.4};
    memcpy(stage_body(s, s->q, STAGE_DISK), disk, sizeof disk);
    memcpy(stage_body(s, s->q, STAGE_OTHER), other, sizeof other);
    for (int i = 0; i < s->dofs; i++) {
        s->u[i] = 0.3 * random_signed(&seed);
    }
}

static void open_stage(compliant_stage *s, const variant *v)
{
    stage_init(s);
    if (v->is_plane) {
        s->body[STAGE_DISK].shape = "plane";
        s->body[STAGE_DISK].shape_options[0] = 0.1;
        s->body[STAGE_DISK].shape_options[1] = 1;
        s->body[STAGE_DISK].inertia = 1;
    }
    s->cable.elements = 2;
    s->contact.between[0] = v->is_proxy ? "other" : "cable";
    s->contact.points_per_element = 3;
    s->contact.kinematics = v->kinematics;
    s->contact.normals = v->normals;
    s->contact.offset = v->offset;
    s->contact.arm = v->arm;
    s->contact.friction = 0.4;
    s->contact.normal_stiffness = 500;
    s->contact.normal_damping = 3;
    s->contact.tangential_stiffness = 400;
    s->contact.tangential_damping = 1.5;
    stage_build(s);
    set_state(s, v);
    haw_compliant_begin(s->compliant, s->state, HAW_STATICS, 0);
    stage_evaluate(s);
    stage_commit(s);
    for (int i = 0; i < s->model->points; i++) {
        stage_history(s, i)[2] += 3e-3 * random_signed(&seed);
    }
    haw_compliant_begin(s->compliant, s->state, HAW_DYNAMICS, 1e-3);
}

/* Rates of a rigid motion (x, y, turn about the origin) of everything at q. */
static void rigid(const compliant_stage *s, const double motion[3], double *u)
{
    const int first = s->model->cable[0].first;
    for (int i = 0; i < s->model->cable[0].line.dofs; i += 2) {
        const double *z = s->q + first + i;
        const double shift[2] = {i % 4 == 0 ? motion[0] : 0, i % 4 == 0 ? motion[1] : 0};
        u[first + i] = shift[0] - motion[2] * z[1];
        u[first + i + 1] = shift[1] + motion[2] * z[0];
    }
    for (int i = 0; i < STAGE_BODIES; i++) {
        const double *x = s->q + s->model->body[i].first;
        double *v = u + s->model->body[i].first;
        v[0] = motion[0] - motion[2] * x[1];
        v[1] = motion[1] + motion[2] * x[0];
        v[2] = motion[2];
    }
}

static double power(const compliant_stage *s, const double *f, const double *u)
{
    double sum = 0;
    for (int i = 0; i < s->dofs; i++) {
        sum += f[i] * u[i];
    }
    return sum;
}

static double size(const compliant_stage *s, const double *f)
{
    double sum = 0;
    for (int i = 0; i < s->dofs; i++) {
        sum += fabs(f[i]);
    }
    return sum;
}

static void test_forces_of_a_contact_balance(void **unused)
{
    (void)unused;
    for (int i = 0; i < VARIANTS; i++) {
        const variant *v = &variants[i];
        compliant_stage s;
        open_stage(&s, v);
        stage_evaluate(&s);
        assert_true(size(&s, s.total) > 1);
        for (int k = 0; k < 3; k++) {
            const double motion[3] = {k == 0, k == 1, k == 2};
            double u[DOFS_MAX] = {0};
            rigid(&s, motion, u);
            const bool is_exact = v->normals == HAW_NORMALS_SEGMENT && v->arm == HAW_ARM_DISTANCE;
            /* to the foot on the surface, the arm of friction is short of the penetration */
            const double left = k < 2 || is_exact ? 1e-13 : 0.05;
            assert_near(power(&s, s.normal, u), 0, left * size(&s, s.normal), 0);
            assert_near(power(&s, s.tangential, u), 0, left * size(&s, s.total), 0);
        }
        stage_close(&s);
    }
}

/* Work of the forces in a motion that nothing resists: none. */
static void test_a_rigid_motion_adds_no_force(void **unused)
{
    (void)unused;
    for (int i = 0; i < VARIANTS; i++) {
        compliant_stage s;
        open_stage(&s, &variants[i]);
        stage_evaluate(&s);
        double before[DOFS_MAX], u[DOFS_MAX] = {0};
        memcpy(before, s.total, (size_t)s.dofs * sizeof(double));
        const double motion[3] = {0.3, -0.2, variants[i].arm == HAW_ARM_DISTANCE ? 0.7 : 0};
        rigid(&s, motion, u);
        for (int a = 0; a < s.dofs; a++) {
            s.u[a] += u[a];
        }
        stage_evaluate(&s);
        for (int a = 0; a < s.dofs; a++) {
            assert_near(s.total[a], before[a], 1e-13 * size(&s, before), 0);
        }
        stage_close(&s);
    }
}

static void turn(const double c[2], double *x)
{
    const double y[2] = {c[0] * x[0] - c[1] * x[1], c[1] * x[0] + c[0] * x[1]};
    x[0] = y[0];
    x[1] = y[1];
}

/* The whole scene turned by an angle about the origin, then shifted. */
static void move_scene(compliant_stage *s, double angle, const double shift[2])
{
    const double c[2] = {cos(angle), sin(angle)};
    for (int i = 0; i < s->model->cable[0].line.dofs; i += 2) {
        turn(c, stage_cable(s, s->q) + i);
        turn(c, stage_cable(s, s->u) + i);
        stage_cable(s, s->q)[i] += i % 4 == 0 ? shift[0] : 0;
        stage_cable(s, s->q)[i + 1] += i % 4 == 0 ? shift[1] : 0;
    }
    for (int i = 0; i < STAGE_BODIES; i++) {
        double *x = stage_body(s, s->q, i);
        turn(c, x);
        turn(c, stage_body(s, s->u, i));
        x[0] += shift[0];
        x[1] += shift[1];
        x[2] += angle;
    }
}

static void test_forces_turn_with_the_scene(void **unused)
{
    (void)unused;
    for (int i = 0; i < VARIANTS; i++) {
        for (int k = 1; k < 9; k++) {
            compliant_stage s;
            open_stage(&s, &variants[i]);
            stage_evaluate(&s);
            double want[DOFS_MAX];
            memcpy(want, s.total, (size_t)s.dofs * sizeof(double));
            const double angle = 0.8 * k, c[2] = {cos(angle), sin(angle)};
            move_scene(&s, angle, (const double[2]){0.3, -0.7});
            for (int a = 0; a < s.model->cable[0].line.dofs; a += 2) {
                turn(c, stage_cable(&s, want) + a);
            }
            for (int a = 0; a < STAGE_BODIES; a++) {
                turn(c, stage_body(&s, want, a));
            }
            stage_evaluate(&s);
            for (int a = 0; a < s.dofs; a++) {
                assert_near(s.total[a], want[a], 1e-11 * size(&s, want), 0);
            }
            stage_close(&s);
        }
    }
}

/* Work of friction on a disk that is pushed to and fro over a plane by +- amplitude [J]. */
static double loop_work(compliant_stage *s, double amplitude)
{
    enum { STEPS = 4000 };

    double work = 0, last = 0, before = 0;
    double *x = stage_body(s, s->q, STAGE_OTHER);
    for (int i = 0; i <= 2 * STEPS; i++) {
        const double phase = fmod(4.0 * i / STEPS, 4);
        x[0] = amplitude * (phase < 1 ? phase : (phase < 3 ? 2 - phase : phase - 4));
        haw_compliant_begin(s->compliant, s->state, HAW_DYNAMICS, 1e-3);
        stage_evaluate(s);
        const double force = stage_body(s, s->tangential, STAGE_OTHER)[0];
        stage_commit(s);
        work += i > STEPS ? 0.5 * (force + last) * (x[0] - before) : 0; /* the second round */
        last = force;
        before = x[0];
    }
    return work;
}

/* What the monitor sees is what acted: the rows of the body give its forces, rates and impulses
 * those on all. */
static void test_reported_contacts_give_the_forces_and_the_rates(void **unused)
{
    (void)unused;
    for (int i = 0; i < VARIANTS; i++) {
        compliant_stage s;
        double force[DOFS_MAX] = {0};
        if (variants[i].normals == HAW_NORMALS_POINT) {
            continue;
        }
        open_stage(&s, &variants[i]);
        stage_evaluate(&s);
        stage_commit(&s);
        assert_true(s.contacts->count > 0);
        haw_contacts_apply(s.contacts, s.contacts->impulse, force);
        for (int a = 0; a < 3; a++) {
            const double *on_disk = stage_body(&s, force, STAGE_DISK);
            assert_near(on_disk[a], 1e-3 * stage_body(&s, s.total, STAGE_DISK)[a],
                        1e-16 * size(&s, s.total), 1e-12);
        }
        stage_check_listed(&s, 1e-3, 1e-12);
        stage_close(&s);
    }
}

/* Spring k in series with a slider F: the loop's area is 4 F (X - F / k), or 0 without slip. */
static void test_a_bristle_loses_what_slips_and_nothing_else(void **unused)
{
    (void)unused;
    const variant v = {0, HAW_KINEMATICS_CURVE, HAW_NORMALS_SEGMENT, HAW_ARM_RADIUS, true, true};
    compliant_stage s;
    open_stage(&s, &v);
    memset(s.u, 0, (size_t)s.dofs * sizeof(double));
    const double wall[3] = {0, 0, atan(0.1)}, disk[3] = {0, 0.05 - 0.02, 0}; /* normal (0, 1) */
    memcpy(stage_body(&s, s.q, STAGE_DISK), wall, sizeof wall);
    memcpy(stage_body(&s, s.q, STAGE_OTHER), disk, sizeof disk);
    haw_compliant_reset(s.state);
    const double limit = 0.4 * 500 * 0.02, slip = limit / 400;
    assert_near(loop_work(&s, 5 * slip), -4 * limit * (5 * slip - slip), 0, 1e-3);
    haw_compliant_reset(s.state);
    assert_near(loop_work(&s, 0.9 * slip), 0, 1e-12 * limit * slip, 0);
    stage_close(&s);
}

TEST_FILE(test_compliant_invariance)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forces_of_a_contact_balance),
        cmocka_unit_test(test_a_rigid_motion_adds_no_force),
        cmocka_unit_test(test_forces_turn_with_the_scene),
        cmocka_unit_test(test_reported_contacts_give_the_forces_and_the_rates),
        cmocka_unit_test(test_a_bristle_loses_what_slips_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
