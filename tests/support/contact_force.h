/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces of contact points, whatever the phase of the step. */
#ifndef HAWSER_TESTS_CONTACT_FORCE_H
#define HAWSER_TESTS_CONTACT_FORCE_H

#include <hawser/hawser.h>

/** Force in a row of the contacts of the last step [N]: that of an equilibrium, or the mean over
 * the step. Rows are counted over all points, normal first. */
double contact_force(const haw_simulation *simulation, int row);

#endif
