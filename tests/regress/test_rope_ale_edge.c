/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rope with bending stiffness that leaves a smooth sheave, T = 1 kN, R = 1 m: it lifts off at the
 * angle theta before the tangent point, and what the arc there does not press acts at the edge,
 * the excess of the pressure over T / R. A rigid sheave has theta = sqrt(EI / T) / R and the edge
 * force T theta; on a bed of stiffness k_n both are about sqrt(EI / T) / R - (4 EI / k_n)^(1/4) /
 * R.
 */
#include "cable/reeving.h"
#include "contact/contact.h"
#include "model/model.h"
#include "stepper/simulation.h"
#include "support/contact_force.h"
#include "support/rope_ride.h"

#include <gsl/gsl_math.h>

static const double T = 1000, REACH = 0.5, SPACING = 2.5e-3;

/* EI and k_n over T; numbers of an ANCF chain, the edge force over T, and how far its own mesh lets
 * them be from the solution below. */
typedef struct published {
    double bending, bed, lift, force, error[2];
} published;

static const published table[] = {
    {1e-2, 1e4, 0.0544, 0.0517, {0.02, 0.02}},   {1e-2, 1e5, 0.0749, 0.0718, {0.02, 0.02}},
    {1e-2, 1e6, 0.0871, 0.0840, {0.02, 0.02}},   {2.5e-3, 1e4, 0.0176, 0.0169, {0.05, 0.04}},
    {2.5e-3, 1e5, 0.0331, 0.0320, {0.04, 0.03}}, {2.5e-3, 1e6, 0.0401, 0.0390, {0.02, 0.02}},
};

enum { ROWS = sizeof table / sizeof *table };

typedef struct edge {
    double lift;  /* where the gap vanishes [rad] */
    double force; /* excess of the pressure within REACH of the tangent point, over T */
} edge;

/* Angle from the right tangent point, and gap, of the material point with this label. */
static double place(const rig *r, double label, double *gap)
{
    const haw_model *model = &r->simulation->model;
    const haw_cable *cable = &model->cable[0];
    const int e = haw_rope_find(cable->rope, r->state->q, label);
    haw_sample at;
    cable->ops->state(cable, e, label, r->state->q, NULL, &at);
    *gap = hypot(at.x[0], at.x[1]) - 1;
    return atan2(at.x[1], at.x[0]);
}

/* Where the gap vanishes, from the right tangent point on. */
static double find_lift(const rig *r)
{
    const haw_rope *rope = r->simulation->model.cable[0].rope;
    const haw_rope_arc *arc = &rope->arc[0];
    const int out = arc->first_element + (arc->elements + rope->per_arc) / 2;
    const double label = r->state->q[rope->label[out]], step = 1e-4;
    double before = 0, gap_before = 0;
    for (int i = 0; i * step < REACH; i++) {
        double gap;
        const double alpha = place(r, label - i * step, &gap);
        if (i > 0 && gap <= 0) {
            return before + (alpha - before) * gap_before / (gap_before - gap);
        }
        before = alpha;
        gap_before = gap;
    }
    return M_PI;
}

/* The knots up to REACH carry what the arc behind the lift-off would, and the edge force. */
static edge measure(const rig *r)
{
    const haw_contacts *contacts = r->simulation->contacts;
    double last = 0;
    edge e = {.lift = find_lift(r)};
    for (int i = 0; i < contacts->count; i++) {
        const double *n = contacts->item[i].normal, alpha = atan2(n[1], n[0]);
        const double force = contact_force(r->simulation, 2 * i);
        if (force > 0 && alpha > -0.5 && alpha < REACH) {
            e.force += force / T;
            last = fmax(last, alpha);
        }
    }
    e.force -= last + 0.5 * SPACING - e.lift;
    return e;
}

/* Held at the left, 41 m below, pulled at the right: the lines are upright. */
static edge leave(const published *row)
{
    rope_ride ride;
    rig r;
    ride_pull(&ride, "ale", 250, 1);
    ride.body[1].motion = HAW_MOTION_FIXED;
    ride.body[1].position[1] = ride.body[2].position[1] = -41;
    ride.cable.bending_stiffness = row->bending * T;
    ride.cable.overflow = 0.8;
    ride.contact.spacing = SPACING;
    ride.contact.friction = 0;
    ride.contact.normal_stiffness = row->bed * T;
    ride.force[0].force[1] = ride_constant(0);
    ride.force[1].force[1] = ride_constant(-T);
    ride.scene.start = HAW_START_GIVEN;
    rig_open(&r);
    ride_stepper(&r, "static");
    rig_build(&r, &ride.scene);
    rig_step(&r);
    const edge e = measure(&r);
    rig_close(&r);
    return e;
}

static double formula(const published *row)
{
    return sqrt(row->bending) - pow(4 * row->bending / row->bed, 0.25);
}

/*
 * The same with all terms for small gaps g, lengths over R and forces over T, x = alpha - theta:
 *
 *     x < 0:  g = (x + theta)^2 / 2 + d + A exp(x / l),   l^2 = EI,
 *     x > 0:  EI g'''' - g'' + k (g + 1 / k) = 0,   g = Re[(B - i C) exp(p x)] - 1 / k,   B = 1 /
 * k,
 *
 * p^2 = (1 + i sqrt(4 EI k - 1)) / (2 EI), Re p < 0; g, g', g'', g''' are continuous, g(0) = 0.
 */
static double linear(const published *row)
{
    const double l = sqrt(row->bending), b = 1 / row->bed;
    const double u = 0.5 / row->bending, v = u * sqrt(4 * row->bending * row->bed - 1);
    const double re = -sqrt(0.5 * (hypot(u, v) + u)), im = 0.5 * v / re;
    const double re3 = re * u - im * v, im3 = re * v + im * u;
    const double c = (b * u - 1 - l * b * re3) / (l * im3 - v);
    return b * re + c * im - l * l * (b * re3 + c * im3);
}

static void lift_off_and_edge_force_are_those_of_bed_and_bending(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        const published *row = &table[i];
        const edge e = leave(row);
        print_message("EI %.1e, k_n %.0e: lifts off at %.5f (linear %.5f, formula %.5f, published "
                      "%.4f), edge force %.5f (published %.4f)\n",
                      row->bending, row->bed, e.lift, linear(row), formula(row), row->lift, e.force,
                      row->force);
        assert_near(e.lift, linear(row), 0, 4e-3);
        assert_near(e.lift, row->lift, 0, row->error[0]);
        assert_near(e.force, row->force, 0, row->error[1]);
        if (row->bed >= 1e5) {
            assert_near(e.lift, formula(row), 0, 0.015);
            assert_near(e.force, formula(row), 0, 0.05);
        }
    }
}

TEST_FILE(test_rope_ale_edge)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lift_off_and_edge_force_are_those_of_bed_and_bending),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
