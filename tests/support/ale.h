/* SPDX-License-Identifier: BSD-3-Clause */
/* Random planar elements of a rope with moving labels, for properties that hold for all of them. */
#ifndef HAWSER_TESTS_ALE_H
#define HAWSER_TESTS_ALE_H

#include "element/ale.h"
#include "support/near.h"

enum { ALE_SEEDS = 8, ALE_KINDS = 6 };

typedef struct ale_trial {
    uint64_t seed, random;
    haw_ale_kind kind;
    haw_ale_section section;
    double q[HAW_ALE_DOFS], u[HAW_ALE_DOFS], a[HAW_ALE_DOFS];
    double s; /* a label between the ends */
} ale_trial;

void ale_near(const ale_trial *t, const char *what, const double pair[2], double atol, double rtol);

#define ALE_NEAR(t, what, got, want, atol, rtol)                                                   \
    ale_near(t, what, (const double[2]){got, want}, atol, rtol)

double ale_uniform(ale_trial *t, double low, double high);

haw_ale_kind ale_kind_of(const haw_ale_ops *ops, int axial, int transverse);

/* The cubic, and spans without modes, with few, and with all of them. */
haw_ale_kind ale_kind(int i);

ale_trial ale_make(haw_ale_kind kind, uint64_t seed, double stretch);

typedef void (*ale_check)(ale_trial *t);

/** Run a check on every kind with every seed. */
void ale_all(ale_check check);

/** Step of differences over coordinates: small against the shortest wave. */
double ale_step(const ale_trial *t);

/** q + time u + time^2 / 2 a, u + time a. */
void ale_advance(const ale_trial *t, double time, double *q, double *u);

haw_ale_point ale_point(const ale_trial *t, double s, const double *q, const double *u);

/* Integrals over the labels by 60 panels of five Gauss points, independent of the kernels'. */
enum { ALE_FINE = 300 };

double ale_fine(const ale_trial *t, int k, double *weight);

#endif
