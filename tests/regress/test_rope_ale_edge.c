/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rope with bending stiffness that leaves a smooth sheave, T = 1 kN, R = 1 m: it lifts off at the
 * angle theta before the tangent point, and what the arc there does not press acts at the edge,
 * the excess of the pressure over T / R. A rigid sheave has theta = sqrt(EI / T) / R and the edge
 * force T theta; on a bed of stiffness k_n both are about sqrt(EI / T) / R - (4 EI / k_n)^(1/4) / R.
 */
#include "support/rope_ride.h"

#include <gsl/gsl_math.h>

static const double T = 1000, REACH = 0.5, SPACING = 2.5e-3;

/* EI and k_n over T, and numbers of an ANCF chain on knots: the first one that is pressed, and the
 * edge force over T. */
typedef struct published {
    double bending, bed, lift, force;
} published;

static const published table[] = {
    {1e-2, 1e4, 0.0544, 0.0517},   {1e-2, 1e5, 0.0749, 0.0718},   {1e-2, 1e6, 0.0871, 0.0840},
    {2.5e-3, 1e4, 0.0176, 0.0169}, {2.5e-3, 1e5, 0.0331, 0.0320}, {2.5e-3, 1e6, 0.0401, 0.0390},
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
    double x[2];
    haw_ale_axial axial;
    cable->rope->ops->axial(model, cable, e, label, r->state->q, NULL, x, &axial);
    *gap = hypot(x[0], x[1]) - 1;
    return atan2(x[1], x[0]);
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
        if (contacts->impulse[2 * i] > 0 && alpha > -0.5 && alpha < REACH) {
            e.force += contacts->impulse[2 * i] / T;
            last = fmax(last, alpha);
        }
    }
    e.force -= last + 0.5 * SPACING - e.lift;
    return e;
}

/* Held at the left, 41 m below, pulled at the right; a knot is on the right tangent point. */
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

static void the_edge_is_that_of_an_ancf_chain_and_of_the_formula(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        const published *row = &table[i];
        const edge e = leave(row);
        print_message("EI %.1e, k_n %.0e: lifts off at %.5f (formula %.5f, published "
                      "%.4f), edge force %.5f (published %.4f)\n",
                      row->bending, row->bed, e.lift, formula(row), row->lift, e.force,
                      row->force);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_edge_is_that_of_an_ancf_chain_and_of_the_formula),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
