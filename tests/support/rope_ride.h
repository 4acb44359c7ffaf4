/* SPDX-License-Identifier: BSD-3-Clause */
/* Two masses on a rope over one sheave, at rest or on a ride: scenes for steppers. */
#ifndef HAWSER_TESTS_ROPE_RIDE_H
#define HAWSER_TESTS_ROPE_RIDE_H

#include "support/near.h"
#include "support/rig.h"

enum { RIDE_TIMES = 4 };

/* A car on the left of the sheave and a counterweight on the right, both on guide rails. */
typedef struct rope_ride {
    haw_body_spec body[3];
    haw_reeving_spec reeving;
    haw_cable_spec cable;
    haw_contact_spec contact;
    haw_force_spec force[2];
    haw_scene scene;
    double time[RIDE_TIMES], spin[RIDE_TIMES];
} rope_ride;

haw_function ride_constant(double value);

void ride_mass(rope_ride *r, int i, const char *name, double mass, double x, double y);

void ride_contact(rope_ride *r, double spacing);

void ride_rope(rope_ride *r, const char *element, int elements);

void ride_scene(rope_ride *r);

/** The elevator of data/scenarios/elevator.yaml; start: static. Call again for another scene. */
void ride_elevator(rope_ride *r, const char *element);

/**
 * A rope without weight and bending on a fixed sheave of radius 1 m, EA = k_n R^2 = 1e7 N, so that
 * EA* = 5e6 N and k_t = r^2 EA*; pulled by forces on its ends, of which it is the caller's to give
 * the values: force[0] on the left, force[1] on the right, downwards.
 */
void ride_pull(rope_ride *r, const char *element, int elements, double stiffness);

void ride_stepper(rig *r, const char *name);

/** generalized-alpha as for rides: rho_infinity 0.7, steps halved where they miss. */
void ride_alpha(rig *r, double step, double end);

/** The elevator with these steps, ready to go. */
void ride_open(rope_ride *ride, rig *r, const char *element, double step, double end);

/** Mean tension of the span `which` of the only rope: 0 before the first sheave. */
double ride_tension(const rig *r, int which);

/** Moment that holds or drives body i in the last step [N m]. */
double ride_torque(const rig *r, int i);

#endif
