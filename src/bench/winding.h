/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contact problems of a cable wound on a drum, in global form: stick-dominated, arbitrarily stiff,
 * and hard for methods that go from contact to contact.
 *
 * A cable of 3 turns on a drum of radius 0.5, in space with a pitch of 0.05 per turn: N nodes at
 * the angles i D, D = 6 pi / (N - 1), each of unit mass and in contact. One implicit Euler step:
 *
 *     M = I + kappa sum_e [t t^T + 1e-3 (I - t t^T)] (x) [1 -1; -1 1]  + 1e-4 kappa D2^T D2,
 *
 * with t the direction of the chord of element e, kappa = h^2 EA / (l m), and D2 the second
 * differences of the N - 2 inner nodes. Every element carries the tension impulse T0 = 1/D; the
 * slack end is held by T0 and the other one pulled by 3 T0, both along the tangent of the helix;
 * f has a normally distributed random part of standard deviation 0.01. Contact frames are
 * (radial, hoop[, axial]) and w = 0. A second layer has the radius 0.52 and the same angles, and
 * touches the first one node by node. Nodes, layers and contacts are interleaved: M and the
 * system of all unknowns are banded.
 */
#ifndef HAWSER_BENCH_WINDING_H
#define HAWSER_BENCH_WINDING_H

#include <hawser/problem.h>

typedef struct haw_winding {
    int dimension; /* 2 or 3 */
    int nodes;     /* N of a layer, at least 3 */
    int layers;    /* 1 or 2 */
    double kappa, friction;
    unsigned long seed; /* of the random part of f (mt19937) */
} haw_winding;

enum { HAW_WINDING_NAME_SIZE = 64 };

/** Build one problem, freed by haw_problem_free. @return ERR_ARG with what is out of range */
HAW_NODISCARD haw_status haw_winding_create(haw_context *context, const haw_winding *winding,
                                            haw_problem **problem);

/** "c3_200_k1e4_m0.4": c2 or c3, with two layers L2 (L2c2 in the plane), N, kappa, friction. */
void haw_winding_name(const haw_winding *winding, char name[HAW_WINDING_NAME_SIZE]);

/** The suite: problem `index` of haw_winding_suite_count(). */
int haw_winding_suite_count(void);
haw_winding haw_winding_suite(int index);

#endif
