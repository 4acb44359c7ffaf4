/* SPDX-License-Identifier: BSD-3-Clause */
/* The contact grid of a model: closed points of a step, their rows and the contact problem. */
#ifndef HAWSER_CONTACT_CONTACT_H
#define HAWSER_CONTACT_CONTACT_H

#include "contact/centreline.h"
#include "contact/touch.h"
#include "model/projection.h"
#include "model/system.h"

#include <hawser/problem.h>

/* What the points of a contact list carry. */
typedef enum haw_phase {
    HAW_DYNAMICS, /* impulses of a step [N s] */
    HAW_STATICS   /* forces of an equilibrium [N] */
} haw_phase;

/* How long a point of the grid stays away; see haw_clearance. */
typedef struct haw_point_clearance {
    double until, radius;
} haw_point_clearance;

/* How long the elements of a pair stay away from its surface, so that the broad phase need not ask
 * for each of them in every step. */
typedef struct haw_clearance {
    double moved;   /* sum of the ways of the cable and of the body since the start [m] */
    double turned;  /* of a point around the body, over its distance from the body's centre */
    double way;     /* what the last detection added to `moved` [m] */
    double turn;    /* and to `turned` */
    double *until;  /* [elements] no point is near before `moved`, `turned` times the radius and the
                       pad together make this; NULL: places on the cable depend on more than its own
                       coordinates */
    double *radius; /* [elements] about the body's centre, which nothing of the element leaves
                       before [m] */
    haw_point_clearance *point; /* [places] what looks at points have told of each */
} haw_clearance;

/* Workspace of the contact stage; arrays grow to the largest number of closed points seen. */
/** How much nearer a line comes to a foot of a point, in the pieces beside the point. */
typedef struct haw_dip {
    double depth; /* [m]; 0: none */
    double on;    /* where the foot was, in elements along its line */
} haw_dip;

typedef struct haw_contacts {
    haw_context *context;
    const haw_model *model;
    int dimension; /* d */
    int count, capacity;
    int matrix_capacity; /* contacts that problem.w has room for */
    haw_touch *item;     /* [count] in the order of the grid; rates and loads of touch i are the d
                            numbers from d i on in the arrays below, as solvers take them */
    const double *q;     /* where they were detected [coordinates] */
    double margin;       /* points with gap <= margin count as closed [m], 0 in dynamics */
    haw_phase phase;     /* of what was found last: which of force and impulse holds */
    double *gap_min;     /* [pairs] smallest gap found, INFINITY where all is far */
    int *looked;         /* places of grids that the last detection looked at */
    int looked_max;      /* most of them in any detection */
    double *gamma_minus; /* [d count] before the step [m/s] */
    double *gamma_free;  /* [d count] without contact impulses [m/s] */
    double *gamma_plus;  /* [d count] after the step [m/s] */
    double *impulse;     /* [d count] of a step [N s] */
    double *force;       /* [d count] of an equilibrium [N] */
    haw_problem problem;
    double *column;     /* right-hand sides of the Delassus columns */
    double *joint;      /* [d matrix_capacity][multipliers] what unit impulses do to the joints */
    double *answer;     /* [d matrix_capacity][multipliers] and S^-1 times that */
    int *loaded;        /* [multipliers] those that one contact moves */
    double *chosen;     /* [points] places on capsules that were chosen in this step, NAN: not yet;
                           NULL: haw_contacts_begin was not called, or there are none */
    double *choice;     /* its storage, NULL: no capsules */
    haw_dip *dip;       /* [points] in this step; NULL: no pair asks for them */
    haw_dip *dip_kept;  /* [points] before they were measured last; NULL like those */
    int refinements;    /* so often they were measured in it */
    const double *held; /* [points] where forces act on lines, in elements along them, -1: nowhere;
                           NULL: of no pass */
    bool is_compliant;  /* touches are of compliant laws, else of set-valued ones */
    haw_clearance *clear;  /* [pairs] */
    haw_centreline *curve; /* [cables] their centrelines, of those that are touched */
    double *seen;          /* [coordinates] q of the last detection, what `moved` counts from */
    bool is_blind;         /* nothing was seen yet: nothing is known of clearances */
    haw_arena rows;        /* of the arrays that grow */
    haw_arena arena;
} haw_contacts;

HAW_NODISCARD haw_status haw_contacts_create(haw_context *context, const haw_model *model,
                                             haw_contacts **contacts);
void haw_contacts_free(haw_contacts *contacts);

/** [cables] centrelines, made for those that are touched. @return ERR_NOMEM */
HAW_NODISCARD haw_status haw_centrelines_create(haw_arena *arena, const haw_model *model,
                                                haw_centreline **curve);

/** Forget what is known of the places of cables: a detection depends on nothing before it. */
void haw_contacts_forget(haw_contacts *contacts);

/** True if any pair of the model has a set-valued law. */
bool haw_contacts_any(const haw_model *model);

/** Forces [N] or impulses [N s] of the points by the phase, [d count]. */
static inline double *haw_contacts_load(const haw_contacts *contacts)
{
    return contacts->phase == HAW_STATICS ? contacts->force : contacts->impulse;
}

/** Room for `count` items of this size in an array that keeps what it has. @return ERR_NOMEM */
HAW_NODISCARD haw_status haw_grow(haw_context *context, int count, size_t size, int *capacity,
                                  void **array);

/** Room for `count` contacts; the items found so far are kept, with velocities and impulses. */
HAW_NODISCARD haw_status haw_contacts_reserve(haw_contacts *contacts, int count);

/** The same without room for the matrix of the contact problem, which is quadratic in `count`. */
HAW_NODISCARD haw_status haw_contacts_reserve_rows(haw_contacts *contacts, int count);

enum { HAW_DELASSUS_COLUMNS = 2 * HAW_DIRECTIONS }; /* of one solve: two contacts */

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

/** Begin a step: the nearest points that detections choose on capsules are kept until the next
 * call, as material points: places that moved with every pass of Newton's method would need their
 * derivatives. Without any call every detection chooses anew. */
void haw_contacts_begin(haw_contacts *contacts);

/** Measure the dips between points of grids that ask for it, where two cables are too near at the
 * last detection; they count in detections until the next step begins. What is balanced with those
 * at hand would not be with others: where they will do, they stay. @return whether others count */
bool haw_contacts_refine(haw_contacts *contacts);

/** Gap of a listed touch at another configuration, the same material point [m]. */
double haw_contacts_gap(const haw_contacts *contacts, const haw_touch *touch, const double *q);

/** No gap of a pair changes by more from one configuration to another, INFINITY: nothing is known
 * of that [m]. */
double haw_contacts_most_change(const haw_contacts *contacts, int pair, const double *before,
                                const double *q);

/**
 * Gap, and way along t1 (and t2) that the touching material point has gone on the surface, in the
 * frame of the moving body, since the configuration `before`: with poses (X, Q) of the body and
 * E = R R_0^T, what the material has turned by,
 *
 *     way = t . ( x + r - X - Q Q_0^T (x_0 + r_0 - X_0) ),  r = (rho + E rho) / 2,
 *                                                           r_0 = (rho + E^T rho) / 2,
 *
 * the mean over the material points that touch at the end and at the start: either of them alone
 * is moved sideways by the square of the turn, where a ball spins about the normal.
 *
 * A point that sticks to a prescribed body has way 0 to rounding, however far the body has turned.
 *
 * @param q     where the touches were detected
 * @param way   [d count] out: gap, way1 (, way2) [m]
 */
void haw_contacts_way(const haw_contacts *contacts, const double *before, const double *q,
                      double *way);

/* A material point of a touch: itself, or one of those that a mortar touch weighs. */
typedef struct haw_touch_part {
    haw_touch point;  /* as a touch of its own: sides, frame, bend and place */
    double weight;    /* of its rows in those of the touch */
    double softening; /* minus the derivative of the weight to its gap [1/m] */
} haw_touch_part;

/** Number of parts of a touch. */
int haw_contacts_parts(const haw_contacts *contacts, const haw_touch *touch);

/** Part i at the configuration of the detection; false: it takes no part. */
bool haw_contacts_part(const haw_contacts *contacts, const haw_touch *touch, int i,
                       haw_touch_part *part);

/** Matrix -= factor d(W P)/dq on the cables, with the impulses P of the listed touches that press:
 * their rows turn with the surface and with the cable. */
void haw_contacts_tangent(const haw_contacts *contacts, double factor, haw_system *system);

/** gamma [d count] = W^T u. */
void haw_contacts_velocity(const haw_contacts *contacts, const double *u, double *gamma);

/** Largest speed of a contacting material or surface point, the scale of a contact problem [m/s].
 */
double haw_contacts_speed(const haw_contacts *contacts, const double *u);

/** normal, tangential [dofs] += factor times what the rows of W make of lambda, by direction. */
void haw_contacts_split(const haw_contacts *contacts, const double *lambda, double factor,
                        double *normal, double *tangential);

/** f [dofs] += W lambda. */
static inline void haw_contacts_apply(const haw_contacts *contacts, const double *lambda, double *f)
{
    haw_contacts_split(contacts, lambda, 1, f, f);
}

/**
 * Of the contact problem all but W: q = gamma_free + e gamma_minus, mu, and the reference speed of
 * the referee.
 *
 * @param u_free  [dofs] velocity without contact impulses
 * @return        ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_contacts_pose(haw_contacts *contacts, const double *u_free);

/**
 * W = H^T M^^-1 H of the contact problem, column by column through the factor; with joints
 * W = H^T P H.
 *
 * @param projection  up to date, NULL without joints
 * @return            ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_contacts_delassus(haw_contacts *contacts, const haw_inertia *inertia,
                                               haw_projection *projection);

/** The whole contact problem. */
HAW_NODISCARD haw_status haw_contacts_assemble(haw_contacts *contacts, const haw_inertia *inertia,
                                               haw_projection *projection, const double *u_free);

/**
 * Couple the cables of the listed contacts that touch cables, and the elements next to these, in
 * the pattern of a system, unless it has them.
 * @param keeps    what is coupled already, for others
 * @param renewed  out, where the pattern is another one: true
 * @return         ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_contacts_couple(const haw_contacts *contacts, bool keeps,
                                             haw_system *system, bool *renewed);

/** H^T [d count x equations] of the listed contacts, columns ascending; from the arena.
 * @param equation  [dofs] of a degree of freedom, < 0: none */
HAW_NODISCARD haw_status haw_contact_rows(const haw_contacts *contacts, const int *equation,
                                          int equations, haw_arena *arena, haw_csr *ht);

/**
 * (A + A^T) / 2 with A = scale times the entries of the system's matrix: what damping of a
 * stretched cable and turned sections add is not symmetric, but solvers are faster on a matrix that
 * is. Newton's method on the mechanics has the same limit with either.
 */
HAW_NODISCARD haw_status haw_contact_matrix(const haw_system *system, double scale,
                                            haw_arena *arena, haw_csr *matrix);

#endif
