/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of ropes on their own: hinges, lines, states along arc1d, the first nodes of a mesh. */
#include "cable/ale.h"
#include "cable/arc1d.h"
#include "support/finite.h"
#include "support/random.h"
#include "support/reeving.h"
#include "support/rope_ride.h"

static const double pi = 3.14159265358979323846;

/* ---- ale ---- */

/* Slope of a node, at `slope`, at an angle to the span's own end slope. */
static void turn_slope(const haw_ale_kind *kind, int end, double angle, double *local,
                       double *slope)
{
    haw_ale_point point;
    kind->ops->point(kind, local[kind->dofs - 2 + end], local, NULL, HAW_ALE_PLACE, &point);
    slope[0] = 1.3 * (cos(angle) * point.slope[0] - sin(angle) * point.slope[1]);
    slope[1] = 1.3 * (sin(angle) * point.slope[0] + cos(angle) * point.slope[1]);
}

/* c / 2 sin^2 of the angle between node and span, c = EI / (1e-3 l_e), with every amplitude. */
static void hinges_tie_the_direction_of_the_end_of_their_span(void **state)
{
    (void)state;
    static const double angle[3][2] = {{0, 0}, {0.1, 0}, {0, -0.2}};
    uint64_t seed = 4;
    reeving_case c;
    reeving_init(&c, "ale");
    c.cable.bending_stiffness = 25;
    c.cable.bending_factor = 0.4;
    c.cable.tension = 2e3;
    c.cable.modes[0] = c.cable.modes[1] = 3;
    reeving_open(&c);
    const haw_rope *rope = reeving_rope(&c);
    const int span = rope->arc[1].first_element - 1; /* from the block to the drive */
    const haw_ale_kind *kind = &rope->kind[1];
    double local[HAW_ROPE_DOFS];
    haw_rope_gather(rope, span, c.state->q, local);
    for (int k = 0; k < 6; k++) {
        local[4 + k] = 0.05 * random_signed(&seed);
    }
    for (int i = 0; i < 3; i++) {
        double want = 0;
        for (int end = 0; end < 2; end++) {
            const double off = sin(angle[i][end]);
            turn_slope(kind, end, angle[i][end], local, &local[kind->dofs + 2 * end]);
            want += 0.5 * 10 / (1e-3 * reeving_element(rope, end)) * off * off;
        }
        assert_near(haw_ale_hinge_energy(rope, span, local), want, 1e-18, 1e-9);
    }
    reeving_close(&c);
}

static void the_mesh_reaches_over_the_overflow(void **state)
{
    (void)state;
    reeving_case c;
    reeving_init(&c, "ale");
    c.cable.overflow = 0.37;
    c.cable.tension = 2e3;
    reeving_open(&c);
    const haw_rope *rope = reeving_rope(&c);
    for (int i = 0; i < rope->arcs; i++) {
        const haw_rope_arc *arc = &rope->arc[i];
        const int first = rope->label[arc->first_element];
        const int last = rope->label[arc->first_element + arc->elements];
        assert_near(c.state->q[first], arc->label_in - 0.37, 1e-12, 0);
        assert_near(c.state->q[last], arc->label_out + 0.37, 1e-12, 0);
    }
    reeving_close(&c);
}

/* ---- arc1d ---- */

typedef struct view {
    const haw_rope *rope;
    int line;
    double q[FINITE_MAX];
} view;

/* Gradient of the turn, n / l, over the displacement of the second circle. */
static void turn_gradient_at(const void *user, const double *x, double *g)
{
    const view *v = user;
    view moved = *v;
    haw_arc_line line;
    haw_arc_line_find(v->rope, v->line, v->q, &line);
    moved.q[line.dof[1]] += x[0];
    moved.q[line.dof[1] + 1] += x[1];
    haw_arc_line_find(v->rope, v->line, moved.q, &line);
    g[0] = line.left[0] / line.length;
    g[1] = line.left[1] / line.length;
}

/* The line between the sheaves crosses over: delta is the sum of both radii. */
static void a_line_turns_with_the_slope_of_its_gradient(void **state)
{
    (void)state;
    reeving_case c;
    view v;
    haw_arc_line line;
    double curve[4], want[4];
    const double rest[2] = {0, 0};
    reeving_init(&c, "arc1d");
    c.body[REEVING_BLOCK].position[1] = -0.3;
    reeving_open(&c);
    v.rope = reeving_rope(&c);
    v.line = 1;
    assert_true(c.model->dofs <= FINITE_MAX);
    memcpy(v.q, c.state->q, (size_t)c.model->dofs * sizeof *v.q);
    haw_arc_line_find(v.rope, v.line, v.q, &line);
    assert_near(line.delta, -0.5, 1e-12, 0);
    haw_arc_line_curve(&line, curve);
    finite_jacobian(turn_gradient_at, &v, 2, 2, rest, 1e-5, want);
    for (int i = 0; i < 4; i++) {
        assert_near(curve[i], want[i], 1e-8, 0);
    }
    reeving_close(&c);
}

/* A hanging string: dT + rho g . dr = 0 along it. */
static void check_span(const haw_cable *cable, int e, const double *q)
{
    const haw_rope *rope = cable->rope;
    const double *s[2] = {&q[rope->label[e]], &q[rope->label[e + 1]]};
    haw_sample at[2];
    for (int end = 0; end < 2; end++) {
        cable->ops->state(cable, e, *s[end], q, NULL, &at[end]);
    }
    const double rise = at[1].x[1] - at[0].x[1];
    assert_near(at[1].tension - at[0].tension, 9.81 * 14 * rise, 1e-9, 0);
    assert_near(0.5 * (at[0].tension + at[1].tension), cable->ops->tension(cable, e, q, NULL), 0,
                1e-12);
}

/* (r' x r'') / |r'|^3 by differences, within a cell. */
static void check_curvature(const haw_cable *cable, int e, const double *q)
{
    const haw_rope *rope = cable->rope;
    const double ds = q[rope->label[e + 1]] - q[rope->label[e]], h = 0.4 * ds;
    haw_sample at[3];
    double d[2], b[2];
    for (int k = 0; k < 3; k++) {
        const double s = q[rope->label[e]] + 0.5 * ds + (k - 1) * h;
        cable->ops->state(cable, e, s, q, NULL, &at[k]);
    }
    for (int k = 0; k < 2; k++) {
        d[k] = (at[2].x[k] - at[0].x[k]) / (2 * h);
        b[k] = (at[2].x[k] - 2 * at[1].x[k] + at[0].x[k]) / (h * h);
    }
    const double size = hypot(d[0], d[1]);
    const double want = (d[0] * b[1] - d[1] * b[0]) / (size * size * size);
    assert_near(at[1].curvature, want, 0, 0.02);
    assert_near(at[1].strain, at[1].tension / 1e6, 0, 1e-12);
}

/* One sheave turns the rope to the left, the other to the right. */
static void states_along_an_arc_model_are_those_of_a_hanging_string(void **state)
{
    (void)state;
    reeving_case c;
    reeving_init(&c, "arc1d");
    c.cable.tension = 2e3;
    c.cable.density = 14;
    reeving_open(&c);
    const haw_cable *cable = &c.model->cable[0];
    for (int e = 0; e < cable->rope->elements; e++) {
        (cable->rope->element[e].is_span ? check_span : check_curvature)(cable, e, c.state->q);
    }
    reeving_close(&c);
}

/* Moment on the sheave over R (T2 - T1), less 1, times k_n R^2: -(T1 + T2) / 2. */
static void the_moment_on_a_sheave_lacks_the_sinking_of_the_rope(void **state)
{
    (void)state;
    static const double force[2] = {-2e3, -6e3};
    rope_ride ride;
    rig r;
    ride_pull(&ride, "arc1d", 100, 0.6);
    ride.contact.spacing = pi / 100;
    ride.contact.normal_stiffness = 1e6;
    for (int i = 0; i < 2; i++) {
        ride.force[i].force[1] = (haw_function){.constant = force[i]};
    }
    rig_open(&r);
    ride_stepper(&r, "quasi-static");
    rig_set(&r, "step", 1);
    rig_build(&r, &ride.scene);
    rig_step(&r);
    const double pulled = ride_tension(&r, 1) - ride_tension(&r, 0);
    assert_near(pulled, 4e3, 0, 1e-6);
    assert_near((fabs(ride_torque(&r, 0)) / pulled - 1) * 1e6, -4e3, 0, 2e-2);
    rig_close(&r);
}

TEST_FILE(test_rope_parts)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hinges_tie_the_direction_of_the_end_of_their_span),
        cmocka_unit_test(the_mesh_reaches_over_the_overflow),
        cmocka_unit_test(a_line_turns_with_the_slope_of_its_gradient),
        cmocka_unit_test(states_along_an_arc_model_are_those_of_a_hanging_string),
        cmocka_unit_test(the_moment_on_a_sheave_lacks_the_sinking_of_the_rope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
