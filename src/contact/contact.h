/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contact grid of a model: closed points of a step, their rows and the contact problem.
 *
 * A closed point has an owner (an element of a cable, or a disk acting as a point with a radius)
 * and a surface body. Its rows are Jacobian-transposed directions: w_N = J^T n, w_T = J^T t for the
 * owner and minus the velocity of the surface point for the body, so that gamma = W^T u. In the
 * plane a contact has d = 2 rows, in space d = 3 (space.h).
 */
#ifndef HAWSER_CONTACT_CONTACT_H
#define HAWSER_CONTACT_CONTACT_H

#include "model/dynamics.h"

#include <hawser/problem.h>

/* Most rows of a contact, most degrees of freedom of its owner (three nodes of a mortar row) and of
 * a body. */
enum { HAW_DIRECTIONS = 3, HAW_OWNER_DOFS = 18, HAW_BODY_DOFS = 6 };

/* What the points of a contact list carry. */
typedef enum haw_phase {
    HAW_DYNAMICS, /* impulses of a step [N s] */
    HAW_STATICS   /* forces of an equilibrium [N] */
} haw_phase;

typedef struct haw_contact {
    int id; /* grid point (in space, foot of one), survives between steps */
    int pair;
    int owner;  /* first degree of freedom of the owner's block */
    int width;  /* its length */
    int body;   /* first degree of freedom of the surface body */
    double gap; /* [m] */
    double normal[3];
    double row[HAW_DIRECTIONS][HAW_OWNER_DOFS];     /* N, T (T1, T2) over the owner's block */
    double body_row[HAW_DIRECTIONS][HAW_BODY_DOFS]; /* N, T (T1, T2) over the body */
    double convection; /* ropes, as detected: n . J' u, acceleration of the knot at rates of q that
                          stay [m/s^2] */
    /* Space only: */
    double tangent[3]; /* t1; t2 = n x t1 */
    double bend[2];    /* of the surface at the contact point, as in haw_foot [1/m] */
    double x[3];       /* of the centreline point or the proxy's centre [m] */
    int element;       /* of the owner cable, -1: a body */
    double s;          /* local coordinate there */
    double share; /* of a mortar contact: sum of the weights of its points; of a knot of a rope the
                     part of its length on the sheave */
} haw_contact;

/* Workspace of the contact stage; arrays grow to the largest number of closed points seen. */
typedef struct haw_contacts {
    haw_context *context;
    const haw_model *model;
    int dimension; /* d */
    int count, capacity;
    int matrix_capacity; /* contacts that problem.w has room for */
    haw_contact *item;   /* [count] in the order of the grid */
    const double *q;     /* where they were detected, in space only [coordinates] */
    double margin;       /* points with gap <= margin count as closed [m], 0 in dynamics */
    haw_phase phase;     /* of what was found last: which of force and impulse holds */
    double *gap_min;     /* [pairs] smallest gap found, INFINITY where all is far */
    double *gamma_minus; /* [d count] before the step [m/s] */
    double *gamma_free;  /* [d count] without contact impulses [m/s] */
    double *gamma_plus;  /* [d count] after the step [m/s] */
    double *impulse;     /* [d count] of a step [N s] */
    double *force;       /* [d count] of an equilibrium [N] */
    haw_problem problem;
    double *column; /* right-hand sides of the Delassus columns */
    double *chosen; /* [points] places on capsules that were chosen in this step, NAN: not yet;
                       NULL: haw_space_begin was not called, or there are none */
    double *choice; /* its storage, NULL: no capsules */
    void *block;    /* owner of the arrays that grow */
} haw_contacts;

HAW_NODISCARD haw_status haw_contacts_create(haw_context *context, const haw_model *model,
                                             haw_contacts **contacts);
void haw_contacts_free(haw_contacts *contacts);

/** Forces [N] or impulses [N s] of the points by the phase, [d count]. */
static inline double *haw_contacts_load(const haw_contacts *contacts)
{
    return contacts->phase == HAW_STATICS ? contacts->force : contacts->impulse;
}

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

/** gamma [d count] = W^T u. */
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
