/* SPDX-License-Identifier: BSD-3-Clause */
/* A rope from the ground through a hook block and over a drive to a car: scene and built model. */
#ifndef HAWSER_TESTS_REEVING_H
#define HAWSER_TESTS_REEVING_H

#include "cable/reeving.h"
#include "model/model.h"
#include "support/near.h"

#include <hawser/hawser.h>

#include <string.h>

enum { REEVING_BLOCK, REEVING_DRIVE, REEVING_CAR, REEVING_BODIES };

typedef struct reeving_case {
    haw_body_spec body[REEVING_BODIES];
    haw_reeving_spec sheave[2];
    haw_cable_spec cable;
    haw_contact_spec contact[2];
    haw_scene scene;
    haw_context *context;
    haw_model *model;
    haw_state *state;
} reeving_case;

/* Kind k of cables that are reeved, NULL beyond the last. */
const haw_row *rope_kind(int k);

haw_body_spec reeving_sheave(const char *name, double x, double y, double radius);

/* The block hangs in the bight of the rope (0.2 m), the drive is hinged above it (0.3 m). */
void reeving_init(reeving_case *c, const char *element);

const haw_rope *reeving_rope(const reeving_case *c);

/* The present course over moving sheaves: rigid tangents. */
typedef struct reeving_arc {
    double in, out;  /* angles of the tangent points [rad] */
    double span;     /* length of the straight line before it [m] */
    double along[2]; /* unit vector along that line, in the direction of growing labels */
} reeving_arc;

/* arc [arcs + 1]: the last entry has only the line after the last sheave. */
void reeving_course(const reeving_case *c, const double *q, reeving_arc *arc);

/* Unstrained length of an element on a sheave. */
double reeving_element(const haw_rope *rope, int arc);

void reeving_open(reeving_case *c);

void reeving_start(reeving_case *c, const char *element);

void reeving_close(reeving_case *c);

/* A change of the case that makes it refused, with the place and part of the message. */
typedef struct reeving_refusal {
    void (*change)(reeving_case *c);
    const char *place, *text;
} reeving_refusal;

void reeving_refuses(const reeving_refusal *rows, size_t count);

/** factor[0] M + factor[1] C + K of element e of a cable into k [dofs^2]. */
void reeving_block(const haw_cable *cable, int e, const double *q, const double *u,
                   const double factor[2], double *k);

#endif
