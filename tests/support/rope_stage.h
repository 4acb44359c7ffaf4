/* SPDX-License-Identifier: BSD-3-Clause */
/* An ale rope over one sheave of radius 1 at the origin, pressed in by a given depth, at states
 * that the test chooses. */
#ifndef HAWSER_TESTS_ROPE_STAGE_H
#define HAWSER_TESTS_ROPE_STAGE_H

#include "support/compliant_stage.h"
#include "support/rope_rig.h"

/** Up on the left, over the sheave, down on the right; 30 knots on the arc. The sheave is free. */
void rope_stage_init(compliant_stage *s, rope_case *c);

/** Move the nodes of the contact elements towards the centre by this part of their distance. */
void rope_stage_press(const compliant_stage *s, double part, double *q);

void rope_stage_open(compliant_stage *s, rope_case *c, double part);

/** Pressed in by a hundredth of the radius. */
void rope_stage_start(compliant_stage *s);

/** Labels of all nodes on the sheave by -shift, as if the rope had moved on by it. */
void rope_stage_feed(const compliant_stage *s, double shift, double *q);

/** Accept the step at (q, u): histories and the state itself. */
void rope_stage_accept(compliant_stage *s);

/** An equilibrium at the stage's (q, u). */
void rope_stage_rest(compliant_stage *s);

/** A step of length h to the stage's (q, u). */
void rope_stage_step(compliant_stage *s, double h);

#endif
