/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Benchmark W1, stick-dominated winding: a yarn of 4 m and 1 mm radius under 10 N, pulled onto a
 * drum of 0.4 m that turns by 6 rad in 6 s; then its far end traverses along the axis, and friction
 * decides which part of the wound yarn follows.
 */
#ifndef HAWSER_TESTS_WINDING_H
#define HAWSER_TESTS_WINDING_H

#include "support/rig.h"

#include <time.h>

typedef struct winding {
    rig rig;
    double friction, bending_factor, step, theta;
    int elements, points; /* points per element */
    haw_proxy proxy;
    haw_arm arm;
    bool hinged;        /* at its start; else clamped to the drum */
    const char *solver; /* NULL: the default */
    double newton;      /* tolerance of Newton's method; 0: the default */
    double end;         /* [s] */
    /* found */
    double slip_time; /* when |z25| exceeds 0.5 mm, interpolated [s]; NAN: never */
    double stuck;     /* largest |z25| before it slips: before t = `stuck_until` [m] */
    double spurious;  /* max T / T0 - 1 in [0.2, 5] s */
    double highest;   /* max T / T0 - 1 of the whole run */
    double z25;       /* at the end [m] */
    double cpu;       /* [s] */
    double stuck_until;
} winding;

static const double winding_radius = 0.4, winding_yarn = 1e-3, winding_length = 4,
                    winding_tension = 10, winding_modulus = 90e9, winding_poisson = 0.21,
                    winding_density = 2700;

static inline winding winding_default(double friction)
{
    return (winding){.friction = friction,
                     .bending_factor = 1,
                     .step = 5e-3,
                     .theta = 0.6,
                     .elements = 50,
                     .points = 1,
                     .arm = HAW_ARM_DISTANCE,
                     .end = 12,
                     .stuck_until = 5};
}

static inline haw_body_spec winding_drum(void)
{
    static const double time[] = {0, 1, 5, 6}, spin[] = {0, 1.2, 1.2, 0};
    haw_body_spec drum = haw_body_spec_default();
    drum.name = "drum";
    drum.shape = "cylinder";
    drum.shape_options[0] = winding_radius;
    drum.shape_options[1] = (double)NAN;
    drum.motion = HAW_MOTION_PRESCRIBED;
    drum.motion_spin =
        (haw_function){.count = 4, .time = time, .value = spin, .ramp = HAW_RAMP_SMOOTHSTEP};
    return drum;
}

static inline haw_cable_spec winding_cable(const winding *w)
{
    static const double time[] = {6, 6.25}, traverse[] = {0, 0.15};
    const double r = winding_yarn, pi = 3.14159265358979323846;
    const double area = pi * r * r, second = pi * r * r * r * r / 4, e = winding_modulus;
    haw_cable_spec yarn = haw_cable_spec_default();
    yarn.name = "yarn";
    yarn.element = "se3";
    yarn.elements = w->elements;
    yarn.radius = r;
    yarn.stiffness = e * area;
    yarn.shear_stiffness = e / (2 * (1 + winding_poisson)) * area;
    yarn.torsional_stiffness = e / (2 * (1 + winding_poisson)) * 2 * second;
    yarn.bending_stiffness = e * second;
    yarn.bending_factor = w->bending_factor;
    yarn.density = winding_density * area;
    yarn.from[0] = yarn.to[0] = winding_radius + r;
    yarn.from[1] = yarn.from[2] = yarn.to[2] = 0;
    yarn.to[1] = -winding_length * (1 + winding_tension / yarn.stiffness);
    yarn.tension = (double)NAN;
    yarn.length = winding_length;
    yarn.ends[0] = (haw_end_spec){.kind = HAW_END_PINNED, .body = "drum"};
    yarn.ends[1] = (haw_end_spec){.kind = HAW_END_MOTION,
                                  .guide = {HAW_GUIDE_VELOCITY, HAW_GUIDE_FREE, HAW_GUIDE_VELOCITY},
                                  .tension = {.constant = winding_tension},
                                  .towards = {0, -1, 0}};
    yarn.ends[1].velocity[2] =
        (haw_function){.count = 2, .time = time, .value = traverse, .ramp = HAW_RAMP_SMOOTHSTEP};
    return yarn;
}

static inline void winding_open(winding *w)
{
    static haw_body_spec drum;
    static haw_cable_spec yarn;
    static haw_contact_spec contact;
    rig *r = &w->rig;
    rig_open(r);
    if (w->solver != NULL) {
        assert_int_equal(haw_solver_settings_init(r->context, w->solver, &r->settings.solver),
                         HAW_OK);
    }
    rig_solver_set(r, "tolerance", 1e-8);
    assert_int_equal(haw_stepper_settings_init(r->context, "moreau-jean", &r->settings.stepper),
                     HAW_OK);
    rig_time(r, w->step, w->end, w->theta);
    if (w->newton > 0) {
        rig_set(r, "newton_tolerance", w->newton);
    }
    drum = winding_drum();
    yarn = winding_cable(w);
    yarn.ends[0].kind = w->hinged ? HAW_END_PINNED : HAW_END_CLAMPED;
    contact = haw_contact_spec_default();
    contact.between[0] = "yarn";
    contact.between[1] = "drum";
    contact.friction = w->friction;
    contact.restitution = 0;
    contact.points_per_element = w->points;
    contact.proxy = w->proxy;
    contact.arm = w->arm;
    const haw_scene scene = {.dimension = 3,
                             .start = HAW_START_GIVEN,
                             .bodies = 1,
                             .cables = 1,
                             .contacts = 1,
                             .body = &drum,
                             .cable = &yarn,
                             .contact = &contact};
    rig_build(r, &scene);
}

/** z of the node in the middle, 2 m along the yarn [m]. */
static inline double winding_middle(const winding *w)
{
    const haw_cable *yarn = &w->rig.simulation->model.cable[0];
    const ptrdiff_t node = (ptrdiff_t)yarn->beam.ops->node_coordinates * (w->elements / 2);
    return w->rig.state->q[yarn->first_q + node + 2];
}

static inline double winding_highest(const winding *w)
{
    const haw_cable *yarn = &w->rig.simulation->model.cable[0];
    double most = 0;
    for (int e = 0; e < yarn->beam.elements; e++) {
        haw_space_strain strain;
        yarn->beam.ops->strain(&yarn->beam, e, 0.5, w->rig.state->q + yarn->first_q, NULL, &strain);
        most = fmax(most, strain.tension);
    }
    return most / winding_tension - 1;
}

static inline double winding_clock(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void winding_watch(winding *w, double t_before, double z_before)
{
    const double t = w->rig.state->t, z = fabs(winding_middle(w)), level = 5e-4;
    if (isnan(w->slip_time) && z > level) {
        w->slip_time = t_before + (t - t_before) * (level - z_before) / (z - z_before);
    }
    if (t <= w->stuck_until + 1e-9) {
        w->stuck = fmax(w->stuck, z);
    }
    const double excess = winding_highest(w);
    w->highest = fmax(w->highest, excess);
    if (t > 0.2 - 1e-9 && t < 5 + 1e-9) {
        w->spurious = fmax(w->spurious, excess);
    }
}

/** The whole run. */
static inline void winding_run(winding *w)
{
    winding_open(w);
    w->slip_time = (double)NAN;
    w->stuck = w->spurious = w->highest = w->cpu = 0;
    while (!haw_simulation_is_done(w->rig.simulation)) {
        const double t = w->rig.state->t, z = fabs(winding_middle(w)), start = winding_clock();
        rig_step(&w->rig);
        w->cpu += winding_clock() - start;
        winding_watch(w, t, z);
    }
    w->z25 = winding_middle(w);
}

#endif
