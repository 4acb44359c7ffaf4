/* SPDX-License-Identifier: BSD-3-Clause */
/* A spatial cable and a ball near a body with any surface, at random configurations. */
#ifndef HAWSER_TESTS_SPACE_CONTACT_H
#define HAWSER_TESTS_SPACE_CONTACT_H

#include "contact/contact.h"
#include "support/near.h"

#include <hawser/hawser.h>

#include <stdlib.h>
#include <string.h>

enum { TOUCH_Q = 256, TOUCH_SURFACES = 5 };

static const double touch_radius = 0.01, touch_ball = 0.04, touch_drum = 0.3;

typedef struct touch_case {
    const char *element; /* NULL: se3 */
    int surface;         /* of touch_surface_name */
    int proxy, points, refine, elements;
    double length; /* of an element [m] 0: 0.08 */
    bool pinned;   /* at its start */
} touch_case;

typedef struct touch_rig {
    haw_context *context;
    haw_model *model;
    haw_contacts *contacts;
    uint64_t random;
    double le;
    double q[TOUCH_Q], u[TOUCH_Q];
} touch_rig;

/** Model and workspace; q and u have room for both numbers of coordinates. */
void touch_open(touch_rig *r, const touch_case *c);

void touch_close(touch_rig *r);

void touch_detect(touch_rig *r, double margin);

double touch_number(touch_rig *r, double size);

/** Node of the cable: position and quaternion; ANCF takes the first axis as its slope. */
void touch_node(touch_rig *r, int node, const double pose[7]);

/** A random pose of the drum; cable and ball by and by around its surface near z = 0. */
void touch_scatter(touch_rig *r, double turn);

/** Gap of x to its nearest foot by the surface itself, less the radius; INFINITY: no foot. */
double touch_gap(const touch_rig *r, const double x[3], double radius);

/** Position of the centreline. */
void touch_point(const touch_rig *r, int e, double s, double x[3]);

double touch_least(const touch_rig *r);

/* Contacts of the cable, without those of the ball. */
int touch_count(const touch_rig *r);

const haw_touch *touch_find(const touch_rig *r, int id);

/* Node on a line: position and the axis that points along it. */
void touch_line(touch_rig *r, const double from[3], const double along[3]);

/* A straight cable on a cylinder of radius R, across its axis, touching in the middle. */
void touch_tangent(touch_rig *r);

#endif
