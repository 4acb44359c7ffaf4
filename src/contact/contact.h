/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contact grid of a model: closed points of a step, their rows and the contact problem.
 *
 * A closed point has an owner (an element of a cable, or a disk acting as a point with a radius)
 * and a surface body. Its rows are Jacobian-transposed directions: w_N = J^T n, w_T = J^T t for the
 * owner and minus the velocity of the surface point for the body, so that gamma = W^T u.
 */
#ifndef HAWSER_CONTACT_CONTACT_H
#define HAWSER_CONTACT_CONTACT_H

#include "model/dynamics.h"

#include <hawser/problem.h>

typedef struct haw_contact {
    int id; /* grid point, survives between steps */
    int pair;
    int owner;  /* first degree of freedom of the owner's block */
    int width;  /* its length */
    int body;   /* first degree of freedom of the surface body */
    double gap; /* [m] */
    double normal[2];
    double row[2][HAW_ELEMENT_DOFS_MAX]; /* N, T over the owner's block */
    double body_row[2][3];               /* N, T over the body */
} haw_contact;

/* Workspace of the contact stage; arrays grow to the largest number of closed points seen. */
typedef struct haw_contacts {
    haw_context *context;
    const haw_model *model;
    int count, capacity;
    int matrix_capacity; /* contacts that problem.w has room for */
    haw_contact *item;   /* [count] in the order of the grid */
    double margin;       /* points with gap <= margin count as closed [m], 0 in dynamics */
    double *gap_min;     /* [pairs] smallest gap found, INFINITY where all is far */
    double *gamma_minus; /* [2 count] before the step [m/s] */
    double *gamma_free;  /* [2 count] without contact impulses [m/s] */
    double *gamma_plus;  /* [2 count] after the step [m/s] */
    double *impulse;     /* [2 count] [N s] */
    haw_problem problem;
    double *column; /* right-hand sides of the Delassus columns */
    void *block;    /* owner of the arrays that grow */
} haw_contacts;

HAW_NODISCARD haw_status haw_contacts_create(haw_context *context, const haw_model *model,
                                             haw_contacts **contacts);
void haw_contacts_free(haw_contacts *contacts);

/**
 * Find the closed points (gap <= margin) at q and their rows, of pairs with a set-valued law. Of
 * compliant pairs only the smallest gap is found; their points are those of compliant.h.
 *
 * The broad phase tests the bounding box of each element's control points, whose convex hull
 * contains the curve: exact, no closed point is missed.
 *
 * @param h  step for the speed guard, 0 for none
 * @return   ERR_GUARD if a node near a surface moves more than a quarter of its radius per step
 *           relative to the body, or a point is deeper inside than that
 */
HAW_NODISCARD haw_status haw_contacts_detect(haw_contacts *contacts, const double *q,
                                             const double *u, double h);

/** Gap of a listed point at another configuration [m]. */
double haw_contacts_gap(const haw_contacts *contacts, const haw_contact *contact, const double *q);

/** gamma [2 count] = W^T u. */
void haw_contacts_velocity(const haw_contacts *contacts, const double *u, double *gamma);

/** Largest speed of a contacting material or surface point, the scale of a contact problem [m/s].
 */
double haw_contacts_speed(const haw_contacts *contacts, const double *u);

/** f [dofs] += W lambda. */
void haw_contacts_apply(const haw_contacts *contacts, const double *lambda, double *f);

/**
 * Assemble the contact problem: W = H^T M^^-1 H column by column through the factor,
 * q = gamma_free + e gamma_minus, mu, and the reference speed of the referee.
 *
 * @param u_free  [dofs] velocity without contact impulses
 */
void haw_contacts_assemble(haw_contacts *contacts, const haw_inertia *inertia,
                           const double *u_free);

#endif
