/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forces, inertia and tangents of arc1d ropes against differences of their energies, over sheaves
 * that move, slide along their lines, or stand still.
 */
#include "cable/arc1d.h"
#include "model/dynamics.h"
#include "support/finite.h"
#include "support/random.h"
#include "support/reeving.h"
#include "support/vector.h"

typedef enum course_kind { COURSE_FREE, COURSE_SLIDING, COURSES } course_kind;

typedef struct stage {
    reeving_case c;
    const haw_rope *rope;
    int n;
    double q[FINITE_MAX], u[FINITE_MAX], a[FINITE_MAX];
} stage;

/* Where lines do not turn, what would turn them has no say: x of block, car and the pinned end. */
static bool is_seen(course_kind course, int dof)
{
    return course == COURSE_FREE || dof == 1 || dof == 7 || dof > 10;
}

/* Free: nothing holds the bodies, all lines turn. Sliding: parallel lines; the block moves along
 * them, the drive stands still. */
static void open_stage(stage *s, course_kind course)
{
    uint64_t seed = 11;
    memset(s, 0, sizeof *s);
    reeving_init(&s->c, "arc1d");
    s->c.cable.tension = 2e3;
    s->c.cable.damping_strain = 800;
    s->c.cable.density = 14;
    if (course == COURSE_FREE) {
        for (int i = 0; i < REEVING_BODIES; i++) {
            s->c.body[i].joint = HAW_JOINT_NONE;
            s->c.body[i].inertia = 3;
        }
    } else {
        s->c.body[REEVING_BLOCK].position[0] = 0.7;
        s->c.body[REEVING_CAR].position[0] = 1.5;
        s->c.cable.from[0] = 0.5;
    }
    reeving_open(&s->c);
    s->rope = reeving_rope(&s->c);
    s->n = s->c.model->dofs;
    assert_true(s->n <= FINITE_MAX);
    for (int i = 0; i < s->n; i++) {
        const bool moves = is_seen(course, i);
        s->q[i] = s->c.state->q[i] + (moves ? 1e-2 * random_signed(&seed) : 0);
        s->u[i] = moves ? 3 * random_signed(&seed) : 0;
        s->a[i] = moves ? 9 * random_signed(&seed) : 0;
    }
}

static const haw_cable *cable_of(const stage *s)
{
    return &s->c.model->cable[0];
}

static const haw_cable_ops *ops_of(const stage *s)
{
    return s->c.model->cable[0].ops;
}

static void energy_at(const void *user, const double *q, double *y)
{
    const stage *s = user;
    double energy[2] = {0, 0};
    ops_of(s)->energy(cable_of(s), q, energy);
    y[0] = energy[0] + energy[1];
}

static void forces_are_those_of_the_energy(void **state)
{
    (void)state;
    for (int course = 0; course < COURSES; course++) {
        stage s;
        double f[FINITE_MAX] = {0}, d[FINITE_MAX] = {0}, slope[FINITE_MAX];
        open_stage(&s, course);
        ops_of(&s)->forces(cable_of(&s), s.q, s.u, &(haw_forces){.conservative = f, .damping = d});
        finite_jacobian(energy_at, &s, s.n, 1, s.q, 1e-4, slope);
        for (int i = 0; i < s.n; i++) {
            if (is_seen(course, i)) {
                assert_near(f[i], -slope[i], 2e-8 * vector_largest(s.n, f), 0);
            }
        }
        reeving_close(&s.c);
    }
}

/* Elongation of an element and what of its damping acts on it. */
static double element_strain(const stage *s, int e, const double *q, double *damping)
{
    const int *label = s->rope->element[e].dof;
    haw_arc_line line[2];
    haw_arc_sheave sheave;
    const int i = s->rope->element[e].arc + (s->rope->element[e].is_span ? 1 : 0);
    haw_arc_line_find(s->rope, i, q, &line[0]);
    double length = line[0].length;
    *damping = s->rope->section.damping_strain;
    if (!s->rope->element[e].is_span) {
        const double radius = s->rope->arc[i].radius;
        haw_arc_line_find(s->rope, i + 1, q, &line[1]);
        haw_arc_sheave_find(s->rope, i, line, &sheave);
        length = radius * fabs(sheave.angle[1] - sheave.angle[0]) / sheave.cells;
        *damping /= pow(1 + 1e6 / (3e8 * radius * radius), 2);
    }
    return length / (q[label[1]] - q[label[0]]) - 1;
}

/* Power of the damping is -sum c (eps')^2 ds, and the tension of an element has its c eps'. */
static void damping_takes_what_its_tension_does(void **state)
{
    (void)state;
    for (int course = 0; course < COURSES; course++) {
        stage s;
        double f[FINITE_MAX] = {0}, d[FINITE_MAX] = {0}, power = 0, want = 0, at[2][FINITE_MAX];
        const double step = 1e-5;
        open_stage(&s, course);
        ops_of(&s)->forces(cable_of(&s), s.q, s.u, &(haw_forces){.conservative = f, .damping = d});
        for (int i = 0; i < s.n; i++) {
            power += d[i] * s.u[i];
            at[0][i] = s.q[i] - step * s.u[i];
            at[1][i] = s.q[i] + step * s.u[i];
        }
        for (int e = 0; e < s.rope->elements; e++) {
            const int *label = s.rope->element[e].dof;
            double c;
            const double rate =
                (element_strain(&s, e, at[1], &c) - element_strain(&s, e, at[0], &c)) / (2 * step);
            const double tension = ops_of(&s)->tension(cable_of(&s), e, s.q, s.u) -
                                   ops_of(&s)->tension(cable_of(&s), e, s.q, NULL);
            assert_near(tension, c * rate, 1e-3, 1e-6);
            want -= tension * rate * (s.q[label[1]] - s.q[label[0]]);
        }
        assert_near(power, want, 0, 1e-6);
        reeving_close(&s.c);
    }
}

/* ---- inertia ---- */

static void momentum_at(const stage *s, const double *q, const double *u, double *p)
{
    double at[FINITE_MAX];
    memcpy(at, u, sizeof at);
    for (int i = 0; i < s->n; i++) { /* exact: the energy is quadratic in u */
        at[i] = u[i] + 1;
        const double plus = ops_of(s)->kinetic(cable_of(s), q, at);
        at[i] = u[i] - 1;
        p[i] = 0.5 * (plus - ops_of(s)->kinetic(cable_of(s), q, at));
        at[i] = u[i];
    }
}

static void kinetic_at(const void *user, const double *q, double *y)
{
    const stage *s = user;
    y[0] = ops_of(s)->kinetic(cable_of(s), q, s->u);
}

/* Momenta along q + t u + t^2 a / 2, u + t a. */
static void momentum_on(const void *user, const double *t, double *p)
{
    const stage *s = user;
    double q[FINITE_MAX], u[FINITE_MAX];
    for (int i = 0; i < s->n; i++) {
        q[i] = s->q[i] + t[0] * (s->u[i] + 0.5 * t[0] * s->a[i]);
        u[i] = s->u[i] + t[0] * s->a[i];
    }
    momentum_at(s, q, u, p);
}

static void inertia_forces_are_those_of_lagrange(void **state)
{
    (void)state;
    for (int course = 0; course < COURSES; course++) {
        stage s;
        double y[FINITE_MAX] = {0}, rate[FINITE_MAX], slope[FINITE_MAX];
        const double now = 0;
        open_stage(&s, course);
        ops_of(&s)->inertia(cable_of(&s), s.q, s.u, s.a, y);
        finite_jacobian(momentum_on, &s, 1, s.n, &now, 1e-4, rate);
        finite_jacobian(kinetic_at, &s, s.n, 1, s.q, 1e-4, slope);
        for (int i = 0; i < s.n; i++) {
            if (is_seen(course, i)) {
                assert_near(y[i], rate[i] - slope[i], 1e-8 * vector_largest(s.n, y), 0);
            }
        }
        reeving_close(&s.c);
    }
}

/* The material of the drawn places moves as the velocities say. */
static void kinetic_energy_is_that_of_the_material(void **state)
{
    (void)state;

    enum { POINTS = 4000 };

    stage s;
    double at[2][FINITE_MAX], sum = 0;
    const double step = 1e-6;
    open_stage(&s, COURSE_SLIDING);
    for (int i = 0; i < s.n; i++) {
        at[0][i] = s.q[i] - step * s.u[i];
        at[1][i] = s.q[i] + step * s.u[i];
    }
    const double part = s.rope->length / POINTS;
    for (int k = 0; k < POINTS; k++) {
        const double label = (k + 0.5) * part;
        haw_sample p[2];
        for (int side = 0; side < 2; side++) {
            const int e = haw_rope_find(s.rope, at[side], label);
            ops_of(&s)->state(cable_of(&s), e, label, at[side], NULL, &p[side]);
        }
        const double v = hypot(p[1].x[0] - p[0].x[0], p[1].x[1] - p[0].x[1]) / (2 * step);
        sum += 0.5 * s.rope->section.density * part * v * v;
    }
    /* the cells of the block are chords, and labels of random rates kink at the nodes */
    assert_near(ops_of(&s)->kinetic(cable_of(&s), s.q, s.u), sum, 0, 6e-3);
    reeving_close(&s.c);
}

/* ---- tangents ---- */

static void forces_at(const void *user, const double *q, double *y)
{
    const stage *s = user;
    double d[FINITE_MAX] = {0}, u[FINITE_MAX] = {0};
    memset(y, 0, (size_t)s->n * sizeof *y);
    ops_of(s)->forces(cable_of(s), q, u, &(haw_forces){.conservative = y, .damping = d});
}

static void damping_at(const void *user, const double *u, double *y)
{
    const stage *s = user;
    double f[FINITE_MAX] = {0};
    memset(y, 0, (size_t)s->n * sizeof *y);
    ops_of(s)->forces(cable_of(s), s->q, u, &(haw_forces){.conservative = f, .damping = y});
}

static void inertia_at(const void *user, const double *a, double *y)
{
    const stage *s = user;
    memset(y, 0, (size_t)s->n * sizeof *y);
    ops_of(s)->inertia(cable_of(s), s->q, s->u, a, y);
}

/* Sum of the elements' tangents over all dofs. */
static void assemble(const stage *s, double mass, double rate, const double *u, double *k)
{
    const double factor[2] = {mass, rate};
    double block[HAW_ROPE_DOFS * HAW_ROPE_DOFS];
    memset(k, 0, (size_t)(s->n * s->n) * sizeof *k);
    for (int e = 0; e < s->rope->elements; e++) {
        const haw_rope_element *element = &s->rope->element[e];
        reeving_block(cable_of(s), e, s->q, u, factor, block);
        for (int i = 0; i < element->dofs * element->dofs; i++) {
            const int row = element->dof[i / element->dofs];
            k[s->n * row + element->dof[i % element->dofs]] += block[i];
        }
    }
}

static void compare(const stage *s, course_kind course, const double *k, const double *minus,
                    const double *want, double sign)
{
    const double scale = vector_largest(s->n * s->n, want);
    for (int i = 0; i < s->n * s->n; i++) {
        if (is_seen(course, i / s->n) && is_seen(course, i % s->n)) {
            assert_near(k[i] - (minus != NULL ? minus[i] : 0), sign * want[i], 1e-7 * scale, 0);
        }
    }
}

static void tangents_are_the_slopes_of_the_forces(void **state)
{
    (void)state;

    enum { ALL = FINITE_MAX * FINITE_MAX };

    static double rest[ALL], k[ALL], want[ALL];
    const double still[FINITE_MAX] = {0};
    for (int course = 0; course < COURSES; course++) {
        stage s;
        open_stage(&s, course);
        assemble(&s, 0, 0, still, rest);
        finite_jacobian(forces_at, &s, s.n, s.n, s.q, 1e-5, want);
        compare(&s, course, rest, NULL, want, -1);
        assemble(&s, 0, 1e3, still, k);
        finite_jacobian(damping_at, &s, s.n, s.n, s.u, 1, want);
        for (int i = 0; i < s.n * s.n; i++) {
            want[i] *= 1e3;
        }
        compare(&s, course, k, rest, want, -1);
        assemble(&s, 1e6, 0, still, k);
        finite_jacobian(inertia_at, &s, s.n, s.n, s.a, 1, want);
        for (int i = 0; i < s.n * s.n; i++) {
            want[i] *= 1e6;
        }
        compare(&s, course, k, rest, want, 1);
        reeving_close(&s.c);
    }
}

/* ---- layout ---- */

static void elements_take_only_what_can_move(void **state)
{
    (void)state;
    static const int kinds[COURSES][2] = {{HAW_ARC_GENERAL, HAW_ARC_GENERAL},
                                          {HAW_ARC_SLIDING, HAW_ARC_FIXED}};
    for (int course = 0; course < COURSES; course++) {
        stage s;
        open_stage(&s, course);
        assert_int_equal(s.rope->elements, 3 + 2 * 6);
        for (int e = 0; e < s.rope->elements; e++) {
            const haw_rope_element *element = &s.rope->element[e];
            assert_int_equal(element->is_span, e % 7 == 0);
            assert_int_equal(element->arc, e / 7 - (e % 7 == 0 ? 1 : 0));
            assert_int_equal(element->dof[0], s.rope->label[e]);
            assert_int_equal(element->dof[1], s.rope->label[e + 1]);
            assert_int_equal(element->dofs, e % 7 == 0 ? HAW_ARC_SPAN : kinds[course][e / 7]);
        }
        reeving_close(&s.c);
    }
}

static void the_drawn_start_has_no_strain_but_that_of_its_length(void **state)
{
    (void)state;
    stage s;
    open_stage(&s, COURSE_SLIDING);
    for (int e = 0; e < s.rope->elements; e++) {
        double damping;
        assert_near(element_strain(&s, e, s.c.state->q, &damping), 2e3 / 1e6, 1e-12, 0);
    }
    reeving_close(&s.c);
}

TEST_FILE(test_rope_arc)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_those_of_the_energy),
        cmocka_unit_test(damping_takes_what_its_tension_does),
        cmocka_unit_test(inertia_forces_are_those_of_lagrange),
        cmocka_unit_test(kinetic_energy_is_that_of_the_material),
        cmocka_unit_test(tangents_are_the_slopes_of_the_forces),
        cmocka_unit_test(elements_take_only_what_can_move),
        cmocka_unit_test(the_drawn_start_has_no_strain_but_that_of_its_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
