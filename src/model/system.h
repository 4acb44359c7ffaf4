/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The linear systems of implicit steps and of statics: which degrees of freedom are unknown, and
 * the matrix over them. Prescribed and held degrees of freedom have no equation; the last node of a
 * closed cable shares those of its first. Vectors are over all degrees of freedom of the model.
 *
 * The pattern comes from lists of degrees of freedom: of elements, of bodies, of springs, and of
 * what may touch. Cables may touch cables anywhere: their couples are those of the elements that
 * are near each other, and the pattern is made anew when others are. Whatever couples them, cables
 * and bodies are no special case: a pattern that is a band with a small border is solved as one,
 * any other by a sparse factorization (haw_matrix).
 */
#ifndef HAWSER_MODEL_SYSTEM_H
#define HAWSER_MODEL_SYSTEM_H

#include "linalg/matrix.h"
#include "model/dynamics.h"

/* Two lists of degrees of freedom that touch. */
typedef struct haw_couple {
    haw_dofs side[2];
} haw_couple;

typedef struct haw_system {
    haw_context *context;
    haw_arena arena;
    haw_arena inner; /* of what follows from the pattern */
    const haw_model *model;
    int equations; /* those of cables first, then `border` of bodies */
    int border;    /* equations of free degrees of freedom of bodies */
    int *equation; /* [dofs] of a degree of freedom, -1: none */
    int *dof;      /* [equations] its degree of freedom, of a closed cable that of the first node */
    haw_csr pattern;    /* of all equations: what elements, contacts and springs couple */
    haw_couple *couple; /* [couples] by the first degrees of freedom: what touches now and then */
    int couples;
    haw_status coupled; /* how the last change of couples ended: no factors without a matrix */
    haw_matrix *matrix;
    int block;        /* entries of the widest element block of the model */
    ptrdiff_t *place; /* [all elements][block] of element blocks in the matrix */
    int *first_place; /* [cables] start of a cable in `place`, in element blocks */
    double *unknown;  /* [equations] right-hand side and solution */
    double t, part;   /* time and part of the loads: what moments on cables add to the matrix */
} haw_system;

/**
 * @param held  [dofs] further degrees of freedom to hold, or NULL
 * @param kind  of matrix, for tests and measurements; NULL: by count
 */
HAW_NODISCARD haw_status haw_system_create(haw_context *context, const haw_model *model,
                                           const bool *held, const haw_matrix_kind *kind,
                                           haw_system **system);
void haw_system_free(haw_system *system);

/** True if the pattern has all entries between two lists that touch. */
bool haw_system_has_couple(const haw_system *system, const haw_dofs *a, const haw_dofs *b);

/** Make these the couples of the system, with a new pattern: entries and factors are gone. Sorts
 * the array. @return ERR_NOMEM */
HAW_NODISCARD haw_status haw_system_couple(haw_system *system, int couples, haw_couple *couple);

void haw_system_clear(haw_system *system);

/** Matrix += k, the [dofs^2] block of element e of a cable, row-major. */
void haw_system_add_element(haw_system *system, int cable, int e, const double *k);

/**
 * Matrix += k over the degrees of freedom of element e and the n of a body behind them, 3 or in
 * space 6: a contact's block, [(dofs + n)^2] row-major.
 */
void haw_system_add_contact(haw_system *system, int cable, int e, int body, const double *k);

/** Matrix += k over a list of degrees of freedom, [count^2] row-major, of what is in the pattern:
 * an element, a body, a spring. */
void haw_system_add_block(haw_system *system, const haw_dofs *dofs, const double *k);

/** Matrix += value at two degrees of freedom of one such list; a haw_entry_sink of a haw_system. */
void haw_system_add(void *system, int row, int column, double value);

/**
 * Matrix += mass M + rate C + K at (q, u): elements with their damping, mass-proportional damping,
 * bodies, springs, dampers and moments; in space also gyroscopic and follower forces. Contacts add
 * their own.
 */
void haw_system_add_model(haw_system *system, const double *q, const double *u, double mass,
                          double rate);

/** Matrix += mass M(q), without stiffness and damping. @param mass  factor of M */
void haw_system_add_mass(haw_system *system, const double *q, double mass);

/** @return ERR_SINGULAR */
HAW_NODISCARD haw_status haw_system_factor(haw_system *system);

/** x [dofs] <- A^-1 x: entries without an equation become 0, copies of a node get its value. The
 * right-hand side of a copied node must be at the first (haw_model_tie). */
void haw_system_solve(haw_system *system, double *x);

/** The matrix in compressed rows over the equations, for the contact problem: haw_matrix_csr. */
HAW_NODISCARD haw_status haw_system_csr(const haw_system *system, haw_arena *arena,
                                        haw_csr *matrix);

/* ---- points that something acts on (spot.c) ---- */

/** Degrees of freedom that move a spot; none of the ground. */
haw_dofs haw_spot_dofs(const haw_model *model, const haw_spot *spot);

/** Place, rotation and Jacobians of a spot at q. */
void haw_spot_find(const haw_model *model, const haw_spot *spot, const double *q,
                   haw_cable_point *point);

/** Matrix += -d(j' f)/dq of a force f [3] on a spot, whose j turns with the body or element. */
void haw_spot_add_turn(haw_system *system, const haw_spot *spot, const double *q,
                       const double f[3]);

/*
 * Given forces and springs (load.c), on body centres and on material points of cables, whose rows
 * know what a moment does to them. A spring pulls with
 * k (d - l d/|d|) + c (d/dt d . d) d / |d|^2 along d from its first foot to its second, one of
 * length zero with k d + c d/dt d.
 */

/* Most degrees of freedom that a spring acts on. */
enum { HAW_SPRING_DOFS = 2 * HAW_SPACE_DOFS };

/** Degrees of freedom that a spring acts on at a configuration in general position, into dof
 * [HAW_SPRING_DOFS]. @return their number */
int haw_spring_dofs(const haw_model *model, const haw_spring *spring, const double *q, int *dof);

/** f [dofs] += forces and moments of the loads at time t; not tied. */
void haw_loads_apply(const haw_model *model, double t, const double *q, double *f);

/** conservative, damping [dofs] += forces of the springs; not tied. */
void haw_springs_apply(const haw_model *model, const double *q, const double *u,
                       const haw_forces *forces);

/** Matrix += tangent of -f of what depends on q at the system's time and part of the loads. */
void haw_loads_tangent(haw_system *system, const double *q);

/** Matrix += d(-f)/dq + rate d(-f)/du of the springs at (q, u). */
void haw_springs_tangent(haw_system *system, const double *q, const double *u, double rate);

#endif
