/* SPDX-License-Identifier: BSD-3-Clause */
/* Rings of cable that are thrown at each other: none may pass through another in silence. */
#ifndef HAWSER_TESTS_THROWN_H
#define HAWSER_TESTS_THROWN_H

#include <stdint.h>

/**
 * Two rings, linked or not, of any elements and in any attitude, meet at up to 1.3 times the speed
 * that the guard allows, under hard or compliant laws: a run that ends well has kept its linking
 * number in every frame, else the test fails with its seed.
 *
 * @return  how many of `count` runs from this seed on ended well after they had touched
 */
int thrown_rings(uint64_t seed, int count);

#endif
