/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of a step of the theta method. Touches that stay push along the mean theta H+ + (1 - theta)
 * H- of the normal rows at both ends of the step, as the forces that they resist are means, and
 * turn bodies about their axes in its middle. Along n+ alone the normal force on a surface that
 * turns by omega h does the work theta omega h on each unit of force and speed, which its torque
 * lacks.
 */
#ifndef HAWSER_STEPPER_LEAN_H
#define HAWSER_STEPPER_LEAN_H

#include "base/pack.h"
#include "contact/contact.h"

/* Normal of a touch, and how its row leans in a step. */
typedef struct haw_leaning {
    bool is_mean;
    double normal[3];
} haw_leaning;

/** Saved and loaded with a checkpoint. @param kept  [points] */
void haw_lean_carry(haw_leaning *kept, int points, haw_pack *pack);

/** Touch i pressed in the last step, too, and does not bounce. @param impulse  as below */
bool haw_lean_stays(const haw_contacts *contacts, const double *impulse, int i);

/** Normals of the touches at hand, by contact id; none leans. */
void haw_lean_keep(const haw_contacts *contacts, haw_leaning *kept);

/**
 * Make the rows of the touches at the end of a step mean ones.
 *
 * @param before     of the touches at its start, by contact id
 * @param impulse    [d points] of the last step: those stay that had one
 * @param increment  [dofs] what the step moves the configuration by
 * @param now        out: of the touches at hand, by contact id
 */
void haw_lean(haw_contacts *contacts, const haw_leaning *before, const double *impulse,
              double theta, const double *increment, haw_leaning *now);

#endif
