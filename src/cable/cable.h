/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A cable as the rest of the house sees it: a line of elements. One row per kind of cable in
 * table.c: a line in the plane, one in space, and two ropes over sheaves whose labels of the mesh
 * are coordinates. Everything above asks the row, and never which row it is.
 *
 * Vectors q [coordinates], u, a, f, increments [dofs] are those of the whole model: a row finds its
 * own part at cable->first_q and cable->first, and may read and load the degrees of freedom of
 * bodies (sheaves, bodies at its ends), which it knows by their numbers. Rows allocate nothing
 * unless they say so.
 *
 * A material point is an element and a local coordinate s there: from 0 to 1 along an element whose
 * nodes are fixed to the material, else (`moves_along`) its label, the unstrained arc length from
 * the start of the cable [m]. A label belongs to the material for ever; `locate` finds its element.
 */
#ifndef HAWSER_CABLE_CABLE_H
#define HAWSER_CABLE_CABLE_H

#include "base/arena.h"
#include "cable/body.h"
#include "element/ale.h"
#include "element/element.h"
#include "element/space.h"
#include "linalg/band.h"

#include <hawser/model.h>

typedef struct haw_cable_ops haw_cable_ops;
typedef struct haw_site haw_site; /* site.h */
typedef struct haw_course haw_course;

/* Most degrees of freedom of an element: a span of `ale` also acts on the slopes of the two nodes
 * beside it. */
enum { HAW_CABLE_DOFS = HAW_ALE_DOFS + 4 };

/* Degrees of freedom in u that an element acts on, in the order of its blocks: a stretch, or a
 * list. */
typedef struct haw_dofs {
    int count, first;
    const int *list; /* NULL: first, first + 1, ... */
} haw_dofs;

static inline int haw_dof_at(const haw_dofs *dofs, int k)
{
    return dofs->list != NULL ? dofs->list[k] : dofs->first + k;
}

/* What is wanted of a material point besides its position. */
typedef enum haw_point_want {
    HAW_POINT_PLACE = 0,
    HAW_POINT_JACOBIAN = 1,   /* j, w */
    HAW_POINT_CONVECTION = 2, /* convection; needs u */
    HAW_POINT_POSITION = 4    /* not its rotation either */
} haw_point_want;

/* A material point. Beyond d components are zero; j and w have as many columns as the element has
 * degrees of freedom. */
typedef struct haw_cable_point {
    double x[3];                 /* [m] */
    double rotation[9];          /* row-major, section to inertial, first column along the cable;
                                    where sections turn (haw_cable_turns) */
    double j[3][HAW_CABLE_DOFS]; /* dx/dt = j u */
    double w[3][HAW_CABLE_DOFS]; /* inertial angular velocity of the section = w u; where sections
                                    turn */
    double convection[3];        /* J' u: dv/dt = j u' + convection; 0 where J is constant or only
                                    turns with the element [m/s^2] */
} haw_cable_point;

/* What contains an element: a ball, and where d = 2 a box. */
typedef struct haw_bounds {
    double min[2], max[2];
    double centre[3], radius;
    double slope; /* of lines and beams: no |dx/ds| is larger [m per local coordinate] */
} haw_bounds;

/* A sample of the centreline, for results. */
typedef struct haw_sample {
    double label;             /* unstrained arc length from the start [m] */
    double x[3];              /* [m] */
    double tangent[3];        /* unit; 0: not asked of the kind */
    double tension;           /* [N] */
    double strain, curvature; /* [1], [1/m] */
} haw_sample;

/* Generalized forces by what becomes of their work, [dofs] each [N, N m]. */
typedef struct haw_forces {
    double *conservative; /* -dV/dq: elastic, gravity, springs */
    double *damping;      /* of strain and curvature rates, of mass, of dampers */
    double *load;         /* given forces, moments and torques */
    double *gyroscopic;   /* -Omega x J Omega of spatial beams and bodies; NULL in the plane */
} haw_forces;

/* How a joint holds an end that rides on a body or points where no coordinate says. */
typedef enum haw_join { HAW_JOIN_NONE, HAW_JOIN_PINNED, HAW_JOIN_CLAMPED } haw_join;

/* The end of a line: what is prescribed, coordinate by coordinate, what a joint holds, what pulls.
 */
typedef struct haw_cable_guide {
    bool held[6];             /* of the node's velocities */
    int guide[3];             /* haw_guide of a held coordinate that moves by itself */
    haw_function function[3]; /* velocity [m/s] or position [m] */
    int body;                 /* whose prescribed motion it rides on, -1: none */
    const haw_body *carrier;  /* the same */
    double arm[3];            /* in that body's frame, or in the one that a joint holds it to [m] */
    double turn[4];           /* orientation of a clamped end in that body's frame, or inertial */
    double start[3];          /* position at t = 0 [m] */
    bool is_clamped;
    haw_join join; /* by a joint of the model to `joined`, a body, or -1: the ground at `start` */
    int joined;
    int lambda; /* of that joint's multipliers in u: force of the cable on what holds it [N] */
    bool pulls; /* `tension` acts */
    haw_function tension;
    double towards[3]; /* unit, of a pull that does not follow */
    bool follows;      /* along the cable's end, outwards */
} haw_cable_guide;

/* A sheave that a cable runs over. Angles are those of its outward normal where the straight parts
 * touch it, on the side of the lower and of the higher labels, continuous from the drawn ones. */
typedef struct haw_sheave {
    int dof;       /* of its angle in u (= q) */
    int turn;      /* +1: counter-clockwise with growing labels, -1: clockwise */
    double radius; /* of the centreline [m] */
    double at[2];  /* [rad] */
} haw_sheave;

/* How an element gives its mass: a scalar block M_s, M = M_s (x) I_c. */
typedef struct haw_mass_form {
    int copies;       /* c; 0: the kind takes no explicit steps */
    int width;        /* half bandwidth of M_s over the cable */
    int block;        /* scalar rows of an element = dofs / copies */
    bool is_constant; /* else it is assembled anew with q */
} haw_mass_form;

/* Cables that contact takes for one, their elements one behind the other: bundle.c. It stands
 * behind all cables of the model and has no degrees of freedom of its own. */
typedef struct haw_bundle {
    int count;
    const int *back;  /* [count] members, in places of the list of cables before the bundle */
    const int *first; /* [count + 1] their first elements, and the end */
    const int *owner; /* [elements] which member has it */
    double shortest;  /* le of the finest member [m] */
} haw_bundle;

typedef struct haw_cable {
    const haw_cable_ops *ops;
    const char *name;
    const haw_bundle *bundle; /* NULL: one cable */
    haw_line line; /* of every kind: elements, dofs, le (mean), stiffness and density are set; the
                      rest and `ops` only of lines in the plane */
    haw_beam beam; /* lines in space only */
    struct haw_rope *rope;    /* reeving.h; ropes over sheaves only */
    haw_cable_guide guide[2]; /* of its ends */
    double radius;            /* of the section [m] */
    double drift[3];          /* velocity of all of it at the start, the same [m/s] */
    int stride_q, stride;     /* lines: coordinates, degrees of freedom from a node to the next */
    int element_dofs;         /* lines: degrees of freedom of an element */
    int coordinates;          /* its own in q; those in u are line.dofs */
    int first_q;              /* of its coordinates in q */
    int first;                /* of its degrees of freedom in u */
    bool *held;               /* [line.dofs] prescribed */
    double damping_mass;      /* [1/s] */
    haw_end_spec end[2];
    int end_dof[2]; /* of its position x (y follows) where prescribed; -1 if free or closed. A
                       clamped end also holds the slope, the next two */
    haw_mass_form form;
    haw_band mass; /* constant mass, not reduced by the ends; empty where the kind has none */
    double *start; /* [coordinates] initial coordinates; NULL: the row's `start` knows them */
    const haw_course *course; /* site.h: of a cable along a path while the model is built */
    bool is_path;   /* drawn on a curve: nodes there, elements inside of it by their sagitta */
    double cut;     /* largest distance between the middle of an element and that curve [m] */
    double tension; /* wanted at `from`, NAN: the length is given */
    double asked;   /* tension of its description, NAN: none [N] */
    double drawn;   /* unstrained length with which it was built [m] */
    double width;   /* [m] NAN: unknown */
    int samples;    /* of an element, for results; see haw_cable_ops.samples */
} haw_cable;

/** Takes the block of an element, [count^2] row-major over its haw_dofs. */
typedef void (*haw_block_sink)(void *user, int e, const double *k);

/** Takes an entry of a matrix over the degrees of freedom of the model, added to what is there. */
typedef void (*haw_entry_sink)(void *user, int row, int column, double value);

/*
 * What every kind of cable answers. Functions that may be NULL say so; a NULL is an ability that a
 * kind lacks, and whoever needs the ability tests for that.
 */
struct haw_cable_ops {
    haw_row row;
    int dimension;                  /* d, of the scenes that it can be in; 0: any */
    bool is_reeved;                 /* lies over sheaves: takes descriptions that have a reeving */
    const haw_row *const *elements; /* table that `element` is a row of; NULL: it names the kind */
    const char *refused; /* message that says what the kind takes instead of explicit steps; NULL:
                            it takes them */
    bool moves_along;    /* labels are coordinates: the mesh moves along the material */
    bool takes_hard;     /* contact points carry normal forces of their own */
    bool turns_first;    /* equilibria: a turn of its sections leaves tensions of second order that
                            the next step removes, so that steps are whole ones */

    /**
     * From a description that has its own keys checked: elements, line.dofs, coordinates (0: as
     * many), held, start, ends. Name, `first` and what every cable has are known.
     */
    haw_status (*build)(haw_site *site, const haw_cable_spec *spec, haw_cable *cable);

    /* ---- coordinates ---- */

    /** Number the degrees of freedom of a rope whose course and mesh are known: line.elements,
     * line.dofs from `first` on, elements, labels, held. NULL: none of its own. */
    haw_status (*layout)(haw_arena *arena, haw_cable *cable);
    /** Length of the longest element at the start, to space a grid of contact points [m]; NULL: the
     * kind has a comb of knots. */
    double (*longest)(const haw_cable *cable);
    /** Make what haw_cable_set_gravity changes a copy of this cable's own; NULL: all of it stands
     * in haw_cable. @return ERR_NOMEM */
    haw_status (*copy)(haw_arena *arena, haw_cable *cable);
    /** Initial coordinates into q. */
    void (*start)(const haw_cable *cable, double *q);
    /** Velocities of the drift into u; NULL: there is none. */
    void (*drift)(const haw_cable *cable, double *u);
    /** q_plus = q moved by the increments h u of its own degrees of freedom; may be in place. */
    void (*move)(const haw_cable *cable, const double *q, double h, const double *u,
                 double *q_plus);
    /** d that moves q to q_plus: the inverse. */
    void (*difference)(const haw_cable *cable, const double *q, const double *q_plus, double *d);
    /** Prescribed velocities into u, means over [t, t + h], h = 0: at t; labels between the ends
     * are those of `guide`. */
    void (*prescribe)(const haw_cable *cable, double t, double h, double *u);
    /** Prescribed coordinates at time t into q, from the exact integrals of the drives; NULL: they
     * are integrated like all others. */
    void (*place)(const haw_cable *cable, double t, double *q);
    /** Degrees of freedom of element e. */
    haw_dofs (*dofs)(const haw_cable *cable, int e);
    /** Elements that touch in a node: dofs of element e and of the one behind it; NULL: none. */
    haw_dofs (*dofs_of_two)(const haw_cable *cable, int e);
    /** First of the coordinates in q and of the degrees of freedom in u of node n, 0 ... elements:
     * its position, and what else it has. NULL: nodes have no position of their own, or not all. */
    int (*node_q)(const haw_cable *cable, int n);
    int (*node_dof)(const haw_cable *cable, int n);
    /** Degrees of freedom of the labels of a mesh. NULL: it has none. */
    haw_dofs (*labels)(const haw_cable *cable);
    /** Body that moves and carries an end by its centre, -1: none. NULL: none does. */
    int (*end_body)(const haw_cable *cable, int end);

    /* ---- dynamics ---- */

    /** energy[0] += elastic, energy[1] += gravity [J]. */
    void (*energy)(const haw_cable *cable, const double *q, double energy[2]);
    /** From the velocity field [J]. */
    double (*kinetic)(const haw_cable *cable, const double *q, const double *u);
    /** Forces at (q, u) into the sums by what becomes of their work, on all dofs of the elements;
     * a copied node is not tied. */
    void (*forces)(const haw_cable *cable, const double *q, const double *u,
                   const haw_forces *forces);
    /** y = M a on its own degrees of freedom, M the constant mass; NULL: it depends on q. */
    void (*mass)(const haw_cable *cable, const double *a, double *y);
    /** y += M(q) a + convective inertia; NULL: `mass` is all. */
    void (*inertia)(const haw_cable *cable, const double *q, const double *u, const double *a,
                    double *y);
    /** factor[0] M + factor[1] C + K of all elements, one after another, into the sink: damping
     * proportional to mass included, derivatives of gyroscopic forces among C and K. */
    void (*blocks)(const haw_cable *cable, const double *q, const double *u, const double factor[2],
                   haw_block_sink add, void *user);
    /** Largest stable step of explicit steps [s]; where the kind takes none, the time of an axial
     * wave through the smallest element. */
    double (*critical_step)(const haw_cable *cable);
    /** Upper bound of the rates at which dampers of strains and curvatures decay [1/s]; NULL: 0. */
    double (*damping_rate)(const haw_cable *cable);
    /** f += -dV/dq, elastic and gravity; here and below NULL: no explicit steps. */
    void (*force)(const haw_cable *cable, const double *q, double *f);
    /** Sections that are free to turn do so for a time h: way = the increment, u_plus = the
     * velocities then (so3_coast). Elsewhere nothing; NULL: nothing turns so. */
    void (*coast)(const haw_cable *cable, double h, const double *u, double *way, double *u_plus);
    /** f += velocity-dependent inertia forces of what does not coast; NULL: there are none. */
    void (*gyroscopic)(const haw_cable *cable, const double *q, const double *u, double *f);
    /** Scalar mass block of element e, [form.block^2] row-major [kg]. @param q  or NULL where it is
     * constant */
    void (*mass_block)(const haw_cable *cable, int e, const double *q, double *m);
    /** Stiffness of element e for linearised implicit steps, [count^2] row-major, symmetric; where
     * the kind can, with tensions >= 0 in its geometric part. */
    void (*stiffness_block)(const haw_cable *cable, int e, const double *q, double *k);
    /** @return  ERR_GUARD, said in the context: a configuration that elements cannot represent;
     * NULL: there is none */
    haw_status (*guard)(const haw_cable *cable, haw_context *context, double t, const double *q);

    /* ---- given forces; NULL: there are none ---- */

    /** @param what   acts on it: "force", "spring"
     *  @param turns  components of a moment that are given
     *  @return  ERR_INPUT, said in the context: the element does not take it */
    haw_status (*check_load)(const haw_cable *cable, haw_context *context, const char *what,
                             const bool turns[3]);
    /** f += generalized forces of what pulls at the ends at time t. */
    void (*pull)(const haw_cable *cable, double t, const double *q, double *f);
    /** Derivative of their opposite to q, times `part`, into the sink. */
    void (*pull_tangent)(const haw_cable *cable, double t, double part, const double *q,
                         haw_entry_sink add, void *user);

    /* ---- material points ---- */

    /** Element and local coordinate of a label at q; labels beyond the ends belong to the end
     * elements. */
    int (*locate)(const haw_cable *cable, const double *q, double label, double *s);
    /** @param u     or NULL without HAW_POINT_CONVECTION
     *  @param want  of haw_point_want, added up */
    void (*point)(const haw_cable *cable, int e, double s, const double *q, const double *u,
                  int want, haw_cable_point *point);
    /** Slope x' of the centreline at a place [1 per local coordinate] and its Jacobian; NULL: no
     * contact line runs beside the cable. */
    void (*slope)(const haw_cable *cable, int e, double s, const double *q, double d[3],
                  double j[3][HAW_CABLE_DOFS]);
    /** First three derivatives of the centreline to the local coordinate. NULL: nothing touches the
     * line from all sides. */
    void (*curve)(const haw_cable *cable, int e, double s, const double *q, double d[3][3]);
    /** Whether these are those of a cubic; with `curve`. */
    bool (*is_cubic)(const haw_cable *cable);
    /** Bounds of the second and the third of them on an element; with `curve`. */
    void (*bends)(const haw_cable *cable, int e, const double *q, double bend[2]);
    /** k [count^2] -= d(j' f + w' m)/dq of a force f [3] and a moment m [3] (NULL: none) on the
     * material at a place, row-major over the element; NULL: j is constant. */
    void (*point_tangent)(const haw_cable *cable, int e, double s, const double *q,
                          const double f[3], const double *m, double *k);
    /** Derivative of w to the local coordinate; where sections turn. */
    void (*twist)(const haw_cable *cable, int e, double s, const double *q,
                  double w[3][HAW_CABLE_DOFS]);
    /** What contains element e at q. */
    void (*bounds)(const haw_cable *cable, int e, const double *q, haw_bounds *bounds);
    /** Upper bound of how far any place of the line, a part of its element, moves from q to q_plus
     * by the cable's own coordinates, those of bodies being the same [m]. */
    double (*reach)(const haw_cable *cable, const double *q, const double *q_plus);

    /* ---- results ---- */

    /** Number of samples in element e, its first end included. */
    int (*samples)(const haw_cable *cable, int e);
    /** Sample at a place. @param u  or NULL: without damping forces */
    void (*state)(const haw_cable *cable, int e, double s, const double *q, const double *u,
                  haw_sample *sample);
    /** Mean tension of element e [N]. @param u  or NULL */
    double (*tension)(const haw_cable *cable, int e, const double *q, const double *u);
    /** Least tension of what must stay taut [N]. NULL: all of it may go slack. */
    double (*least_tension)(const haw_cable *cable, const double *q, const double *u);
    /** Label of node n at q [m]; NULL: n line.le. */
    double (*label)(const haw_cable *cable, int n, const double *q);
    /** Deformed length [m]; NULL: not asked of the kind. */
    double (*stretched)(const haw_cable *cable, const double *q);
    /** Force of the support on an end in the directions that it holds, what balances the internal
     * forces there [N], and its moment in space where it holds the direction [N m]; NULL: not asked
     * of the kind. @param work  [line.dofs] scratch */
    void (*reaction)(const haw_cable *cable, int end, const double *q, const double *u,
                     double *work, double wrench[6]);

    /* ---- sheaves, numbered along the cable; NULL: the kind runs over none ---- */

    haw_sheave (*sheave)(const haw_cable *cable, int i, const double *q);
    /** Tension at a label of element e on a sheave, where that of `state` oscillates within
     * elements [N]; NULL: it does not. */
    double (*sheave_tension)(const haw_cable *cable, int e, double label, const double *q,
                             const double *u);
    /** Tension where the straight part before (side 0) or behind it touches sheave i [N]. */
    double (*side_tension)(const haw_cable *cable, int i, int side, const double *q,
                           const double *u);
    /** Label at a fixed place of the arc of sheave i, but for a constant [m]. */
    double (*sheave_label)(const haw_cable *cable, int i, const double *q);

    /* ---- meshes that move along the material ---- */

    /**
     * Velocities of given labels at the end of a step of length h from (q, u), into u_plus:
     * the mesh follows the flow of the rope over each sheave, with a feedback that holds the nodes
     * at the tangent points of the present course. NULL: no labels are given.
     */
    void (*guide)(const haw_cable *cable, const double *q, const double *u, double h,
                  double *u_plus);
    /** Statics: move the mesh back to the tangent points, the rope itself stays where it is.
     * Allocates. @return largest way of a node over its element [1], INFINITY: no memory. NULL:
     * nothing to do */
    double (*recentre)(const haw_cable *cable, haw_context *context, double *q);
    /** Unstrained length of the shortest element at q [m]; NULL: line.le, of all. */
    double (*shortest)(const haw_cable *cable, const double *q);
    /** Speed of the fastest end of an element, in space or along the cable [m/s]; NULL: of the
     * nodes. */
    double (*speed)(const haw_cable *cable, const double *u);

    /* ---- equilibria ---- */

    /**
     * How much the increment d [dofs of the model] is longer than one step may be: the largest
     * turn, stretch and move of its elements over what they may have.
     * @param move  that a point may have [m], INFINITY: any
     */
    double (*excess)(const haw_cable *cable, const double *q, const double *d, double move);
    /** True if the cable lies over this body or ends on it without a joint of the model; NULL:
     * none.
     */
    bool (*keeps)(const haw_cable *cable, int body);
};

extern const haw_cable_ops haw_cable_line, haw_cable_beam, haw_cable_ale, haw_cable_arc1d;

/** Rows of haw_cable_ops: all kinds; ends with NULL. */
extern const haw_row *const haw_cables[];

/** Element i of all kinds of cables, as scenes name them; NULL beyond the last. */
const haw_row *haw_cable_element(int i, const haw_cable_ops **ops);

/** Make `length` the unstrained length of a cable: element length and constant mass follow. */
HAW_NODISCARD haw_status haw_cable_set_length(haw_arena *arena, haw_cable *cable, double length);

/** Assemble the constant mass of a cable whose form and element length are known. @return ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_cable_set_mass(haw_arena *arena, haw_cable *cable);

/** True if a cable in space has no stiffness but that of its length. */
static inline bool haw_cable_is_thread(const haw_cable *cable)
{
    return cable->beam.ops != NULL && cable->beam.ops->stretches_only;
}

/** True if the sections of a cable turn: its points have a rotation and an angular Jacobian. */
static inline bool haw_cable_turns(const haw_cable *cable)
{
    return cable->beam.ops != NULL && cable->beam.ops->has_rotations;
}

/** Point with Jacobians as `point` gives it; where sections do not turn with the rotation and the w
 * of the tangent. Lines only. */
void haw_cable_direct(const haw_cable *cable, int e, double s, const double *q,
                      haw_cable_point *point);

/** k [count^2] -= d(w' m)/dq of a moment m [3] across the tangent, where sections do not turn. */
void haw_cable_direct_tangent(const haw_cable *cable, int e, double s, const double *q,
                              const double m[3], double *k);

/** Derivative of that w to s, of a cable that is a cubic of its coordinates in each element. */
void haw_cable_direct_twist(const haw_cable *cable, int e, double s, const double *q,
                            double w[3][HAW_CABLE_DOFS]);

/** Force of the joint that holds an end on the cable, if there is one [N]; else left alone. */
void haw_cable_joint_reaction(const haw_cable *cable, int end, const double *u, double force[3]);

/** What pulls at the ends of a line, as `pull` and `pull_tangent`. */
void haw_cable_pull(const haw_cable *cable, double t, const double *q, double *f);
void haw_cable_pull_tangent(const haw_cable *cable, double t, double part, const double *q,
                            haw_entry_sink add, void *user);

/** The first of elements [from, to) of a cable without slack that is folded upon itself, which
 * pulls and presses there without end, or -1. */
int haw_cable_fold(const haw_cable *cable, int from, int to, const double *q);

/** True if the position of an end is no unknown that contact may move: held, or by a joint. */
static inline bool haw_cable_end_held(const haw_cable *cable, int end)
{
    return cable->end_dof[end] >= 0 || cable->guide[end].join != HAW_JOIN_NONE;
}

/** Make g the gravity of a cable [m/s^2]: loads rise in an equilibrium. */
void haw_cable_set_gravity(haw_cable *cable, const double g[3]);

/** Local coordinate of a part of element e, from 0 to 1. */
static inline double haw_cable_local(const haw_cable *cable, int e, double part, const double *q)
{
    return cable->ops->label == NULL ? part
                                     : (1 - part) * cable->ops->label(cable, e, q) +
                                           part * cable->ops->label(cable, e + 1, q);
}

/** Unstrained length of the shortest element at q [m]. */
static inline double haw_cable_shortest(const haw_cable *cable, const double *q)
{
    return cable->ops->shortest != NULL ? cable->ops->shortest(cable, q) : cable->line.le;
}

/** Pose of a body of prescribed motion at time t: x, quaternion. */
void haw_body_driven_pose(const haw_body *body, double t, double pose[7]);

/** Of lines in space: prescribed velocities into u, means over [t, t + h], h = 0: at t, and
 * coordinates at t into q; what is not held is left alone. */
void haw_cable_prescribe_ends(const haw_cable *cable, double t, double h, double *u);
void haw_cable_place_ends(const haw_cable *cable, double t, double *q);

/** Moment that the ends of a cable in space which ride on a body take for its spin, about the z
 * axis of that body at q, of forces at all degrees of freedom: an equilibrium is not of the time at
 * which it is shown. */
double haw_cable_torque(const haw_cable *cable, int body, const double *q, const double *reaction);

/* ---- what kinds may share: drawn coordinates, and coordinates that are numbers ---- */

void haw_cable_start(const haw_cable *cable, double *q);
void haw_cable_move(const haw_cable *cable, const double *q, double h, const double *u,
                    double *q_plus);
void haw_cable_difference(const haw_cable *cable, const double *q, const double *q_plus, double *d);

/** Of lines, whose elements and nodes follow one another. */
haw_dofs haw_cable_dofs(const haw_cable *cable, int e);
haw_dofs haw_cable_dofs_of_two(const haw_cable *cable, int e);
int haw_cable_node_q(const haw_cable *cable, int n);
int haw_cable_node_dof(const haw_cable *cable, int n);
int haw_cable_locate(const haw_cable *cable, const double *q, double label, double *s);

/** Of lines whose curves are cubics or helices. */
void haw_cable_bends(const haw_cable *cable, int e, const double *q, double bend[2]);

/** Of lines whose nodes have positions, and slopes or turns: a cubic between two nodes moves by at
 * most sqrt(d) of their largest change and 8 sqrt(d) le / 27 of that of the slopes. */
double haw_cable_reach(const haw_cable *cable, const double *q, const double *q_plus);

/** Of its elements' ends [m/s]. */
double haw_cable_speed(const haw_cable *cable, const double *u);

/** The cable that has element *e of a bundle, and *e as it counts there; any other cable is its
 * own.
 */
const haw_cable *haw_cable_member(const haw_cable *cable, int *e);

/** Member i of a bundle; any other cable is the only one of its own. */
static inline const haw_cable *haw_cable_part(const haw_cable *cable, int i)
{
    return cable->bundle != NULL ? cable - cable->bundle->back[i] : cable;
}

/** Number of members, 1 of any other cable. */
static inline int haw_cable_parts(const haw_cable *cable)
{
    return cable->bundle != NULL ? cable->bundle->count : 1;
}

/** Which of them has element e. */
static inline int haw_cable_part_of(const haw_cable *cable, int e)
{
    return cable->bundle != NULL ? cable->bundle->owner[e] : 0;
}

/** First element of member i, that of the next one where it ends. */
static inline int haw_cable_part_first(const haw_cable *cable, int i)
{
    return cable->bundle != NULL ? cable->bundle->first[i] : i * cable->line.elements;
}

/** Element `step` elements behind e of the same cable, -1: it ends before. */
int haw_cable_beside(const haw_cable *cable, int e, int step);

/**
 * Make `cable`, whose place is behind its members, the bundle of them.
 * @param member  [count] of the same element and section, none closed
 */
HAW_NODISCARD haw_status haw_bundle_build(haw_arena *arena, int count, const haw_cable **member,
                                          haw_cable *cable);

/** Count of the widest element. */
int haw_cable_widest(const haw_cable *cable);

/** Degrees of freedom of the copied node of a closed cable, 0 of others, and where they begin. */
int haw_cable_tied(const haw_cable *cable, int *last);

#endif
