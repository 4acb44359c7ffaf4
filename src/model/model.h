/* SPDX-License-Identifier: BSD-3-Clause */
/* The built model: topology and parameters, read-only after haw_model_build. */
#ifndef HAWSER_MODEL_MODEL_H
#define HAWSER_MODEL_MODEL_H

#include "base/arena.h"
#include "cable/body.h"
#include "cable/cable.h"
#include "law/law.h"

#include <hawser/model.h>

#define HAW_START_TOLERANCE 1e-12 /* preset of start.tolerance */

typedef struct haw_body_kind haw_body_kind; /* below */

/* A point that forces, springs and joints act on: of a cable, of a body or, both -1, of the ground.
 */
typedef struct haw_spot {
    int body, cable;
    int element;
    double s;        /* local coordinate */
    double at[3];    /* of a body in its frame, of the ground inertial */
    bool is_tangent; /* its frame is that of the tangent of a cable: only the first direction counts
                      */
    double
        frame[9]; /* of joints, columns: directions that they compare, in the frame of the spot */
} haw_spot;

/* A given force. */
typedef struct haw_load {
    haw_spot spot;
    haw_function force[3], moment[3];
    bool follows; /* components in the frame of the section or body */
} haw_load;

typedef struct haw_spring {
    haw_spot foot[2]; /* of a body the centre */
    double stiffness, damping, length;
} haw_spring;

typedef struct haw_joint_kind haw_joint_kind; /* joint.h */

typedef struct haw_link {
    const char *name;
    const char *place; /* where the scene says so */
    const haw_joint_kind *kind;
    haw_spot foot[2];
    bool is_end;     /* a cable's end that rides on a body or is held, the first foot */
    unsigned angles; /* of haw_joint_angle */
    int points;      /* rows that hold points, the first ones */
    int rows;
    int first;   /* of its multipliers in u: force on the second foot along the inertial axes, of
                    what slides across it [N], moments [N m] */
    int first_q; /* of their integrals in q [N s] */
} haw_link;

/* A compliant law with the parameters of one point. */
typedef struct haw_compliance {
    const haw_normal_ops *normal; /* NULL: the law is set-valued */
    const haw_friction_ops *tangential;
    haw_normal_parameters n;
    haw_friction_parameters t;
    bool post_newton; /* the published switching */
    haw_per per;      /* what the parameters were given for; see haw_pair_weight */
} haw_compliance;

enum { HAW_MEETINGS = 31 }; /* joints that one place of a line may have beside it, at most */

/* A joint between two lines that touch: places of one and of the other whose arc through it is
 * shorter than that of neighbours are no partners. */
typedef struct haw_meeting {
    double own, other; /* labels, in elements from the start of the line; of closed ones maybe
                          some turns away */
    double reach;      /* arc of neighbours, in elements of the own line */
    double ratio;      /* of the length of such an element to one of the other line */
    int begin, end;    /* elements of the cable of the other line */
} haw_meeting;

/* Those beside each element of a line, first[e] ... first[e + 1] - 1 of the list. */
typedef struct haw_meetings {
    int *first; /* NULL: there are no joints */
    haw_meeting *list;
} haw_meetings;

/*
 * One line of the contact table: a grid of material points (or corners of a body) and a surface. In
 * space a point may have several feet: the contact id of foot k of point i is
 * first_point + feet i + k, and `points` counts ids.
 */
typedef struct haw_pair {
    const char *between[2]; /* names: of what touches, of the body whose surface it is */
    int cable;              /* owner of the points, -1: the body `proxy` is, */
    int proxy;              /* whose corners (shape/surface.h) have the radius `proxy_radius`; -1 */
    double proxy_radius;
    int body;                 /* owner of the surface, or -1: */
    int line;                 /* cable whose centreline, with its section, is what is touched */
    bool is_swapped;          /* `line` is the cable that the scene names first */
    double apart;             /* of the same cable: arc between partners at least [m]; 0: another */
    double neighbours;        /* the same beside joints, NAN: as they are drawn [m] */
    haw_meetings meetings[2]; /* of `cable`, and of `line` as its points look back */
    int points_per_element;   /* points at s = j / n, j = 0 ... n - 1, and the last node, where the
                                 grid is finest: these have ids */
    int coarse;               /* every coarse-th of them are there without refinement */
    int points;               /* grid points of the pair; in space times feet */
    int ahead;         /* so many of them are of `cable` or `proxy`, those behind of `line` or
                          `body` (pair.c) */
    int feet;          /* 1 in the plane */
    haw_proxy proxies; /* space only */
    int first_point;   /* contact id of its first point */
    const haw_law_ops *law;
    haw_law_options options;
    haw_arm arm;
    haw_refine refine;
    haw_kinematics
        kinematics; /* chord: point j of an element is its chord from j / n to (j + 1) / n */
    haw_normals normals;
    haw_chord_length chord_length;
    double offset;  /* of the contact line, to the left of the centreline [m] */
    double spacing; /* ropes: length between two knots [m]; `points` counts all of the rope */
    int arc;        /* ropes: index of the sheave in the reeving */
    haw_compliance compliance;
    double speed_limit, depth_limit; /* over the smallest radius; depth NAN: by the law (guard.h) */
} haw_pair;

/* How bodies are described and move: one row per dimension (body_kind.c). */
struct haw_body_kind {
    int dimension;
    int dofs, coordinates; /* of a body: 3 and 3, or 6 and 7 */
    int spin;              /* its degree of freedom that a torque and a damper act on */
    const char *turn;      /* what a translation joint holds: "angle", "orientation" */
    const char *proxy;     /* shapes with corners: "circle, box or capsule", ... */
    /** q_plus [coordinates] = q moved by the increment h u [dofs]; may be in place. */
    void (*move)(const double *q, double h, const double *u, double *q_plus);
    /** d that moves q to q_plus. */
    void (*difference)(const double *q, const double *q_plus, double *d);
    /** Prescribed coordinates at time t into its q, from the exact integrals of the drives; NULL:
     * they are integrated like all others. */
    void (*place)(const haw_body *body, double t, double *q);
    /** What is free to turn does so for a time h: way [dofs of the model] = the increment, u_plus =
     * the velocities then (so3_coast). Elsewhere nothing; NULL: nothing turns so. */
    void (*coast)(const haw_body *body, double h, const double *u, double *way, double *u_plus);
    /** f [dofs of the model] += -Omega x J Omega, of the body's rows; NULL: none. */
    void (*gyroscopic)(const haw_body *body, const double *u, double *f);
    /** The derivative of its opposite to u, times `rate`, into the sink; NULL: none. */
    void (*gyroscopic_tangent)(const haw_body *body, const double *u, double rate,
                               haw_entry_sink add, void *user);
    /** Signed distance of x [3] from the surface at the pose q, and the outward normal [3] at the
     * nearest foot. */
    double (*gap)(const haw_body *body, const double *q, const double x[3], double normal[3]);
    /** Where the material point of a body that is at x [3] at the pose q is at q_plus. */
    void (*carry)(const double *q, const double *q_plus, const double x[3], double x_plus[3]);
    /** The material point at `at` in the frame of a body. */
    void (*point)(const haw_body *body, const double *q, const double at[3],
                  haw_cable_point *point);
    /** k [dofs of a body, squared] -= d(j' f)/dq of a force f there. */
    void (*point_tangent)(const haw_body *body, const double *q, const double at[3],
                          const double f[3], double *k);
    /** The pose at the start, from a description. */
    haw_status (*pose)(haw_model *model, const haw_body_spec *spec, haw_body *body);
};

/** True if what the pair's points touch is a curve in the plane. */
bool haw_pair_is_flat(const haw_model *model, const haw_pair *pair);

/** Smallest radius of what the points touch: of a surface that of its curvature, under a body that
 * of the largest ball inside, of a cable that of both sections, whichever is less [m]. */
double haw_pair_radius(const haw_model *model, const haw_pair *pair);

/** Elements of a cable that follow a path round what a pair touches, half a radian each: their
 * chords lie within it by 3 % of the radius. */
double haw_pair_elements(const haw_model *model, const haw_pair *pair, const haw_cable *cable);

/** Mass that a tangential force at one point of a pair moves [kg]; 0: none. */
double haw_pair_point_mass(const haw_model *model, const haw_pair *pair);

/** Radius around the points that touch: of the section, or around corners; 0: none [m]. */
double haw_pair_thickness(const haw_model *model, const haw_pair *pair);

/** Radius of the largest ball inside what touches, 0: there is no section [m]. */
double haw_pair_girth(const haw_model *model, const haw_pair *pair);

/** Depth limit over the smallest radius: the key or what stands for it, a hundredth of set-valued
 * laws, a quarter of compliant ones. */
double haw_pair_depth_limit(const haw_pair *pair);

/** Angle of a place about the z axis of the body that is touched, of a cable about the inertial one
 * [rad]; space only. */
double haw_pair_azimuth(const haw_model *model, const haw_pair *pair, const double *q,
                        const double x[3]);

/** Name of what is touched. */
const char *haw_pair_partner(const haw_model *model, const haw_pair *pair);

/** Row of a dimension, NULL: there is none. */
const haw_body_kind *haw_body_kind_find(int dimension);

struct haw_model {
    haw_context *context;
    haw_arena arena;
    const char *title;
    int dimension;             /* 2 or 3 */
    const haw_body_kind *kind; /* of its bodies */
    double gravity[3];
    haw_start start; /* resolved: never HAW_START_AUTO */
    bool start_is_auto;
    double start_friction, start_tolerance;
    int load_steps;
    bool *lock; /* [dofs] held during a static start */
    bool *kept; /* [bodies] in place, by the ground and what hangs together with it */
    int bodies, cables, pairs, loads, springs, joints;
    int lines; /* cables, and bundles of them behind */
    haw_load *load;
    haw_spring *spring;
    haw_link *joint;
    int multipliers; /* of all joints: the last dofs and coordinates */
    haw_body *body;
    haw_cable *cable; /* [lines] */
    haw_pair *pair;
    int dofs;        /* of u */
    int coordinates; /* of q; = dofs in the plane */
    int points;      /* contact points of all pairs */
};

/* Lengths of a body in q and u. */
static inline size_t haw_body_coordinates(const haw_model *model)
{
    return (size_t)model->kind->coordinates;
}

/** The rest of a list of keys that a law needs, from the first that the contact lacks. */
const char *const *haw_contact_missing(const char *const *needs, const haw_contact_spec *spec);

static inline size_t haw_body_dofs(const haw_model *model)
{
    return (size_t)model->kind->dofs;
}

/** Why the model takes no explicit steps, as a message; NULL: it does. */
const char *haw_model_refuses_explicit(const haw_model *model);

/** True if a mass of the model depends on q by more than the element's own coordinates: a mesh that
 * moves along the material. Steppers then ask haw_model_inertia instead of haw_model_mass. */
bool haw_model_moves_along(const haw_model *model);

/*
 * Places of a spatial pair's grid that have contact ids, `points` = feet times as many: all points
 * j / n and the last node (ends included, prescribed ones stay unused); of capsules these, and then
 * the pieces between them; of the mortar grid the nodes.
 */
static inline int haw_pair_places(const haw_model *model, const haw_pair *pair)
{
    if (pair->cable < 0) {
        return pair->points / pair->feet;
    }
    const haw_cable *cable = &model->cable[pair->cable];
    const int elements = cable->line.elements;
    const int points = pair->points_per_element * elements;
    if (pair->proxies == HAW_PROXY_MORTAR) {
        return elements + 1;
    }
    return pair->proxies == HAW_PROXY_CAPSULES ? 2 * points + 1 : points + haw_cable_parts(cable);
}

/** Centreline samples per element used for results: s = j / n, plus the end of the cable. Of a
 * cable whose elements differ those of the last but one, on a sheave; spans have more. */
int haw_cable_samples(const haw_model *model, int cable);

/* Profile of a cable at one instant, arrays of haw_cable_sample_count values. */
typedef struct haw_profile {
    double *xi; /* unstrained arc length [m] */
    double *x, *y, *tension, *strain, *curvature;
    double *element_tension; /* mean tension of the sample's element [N] */
    double *z;               /* space only, else NULL */
} haw_profile;

/** @param q  the whole configuration of the model
 *  @param u  its velocities, for the damping part of the tension, or NULL */
void haw_cable_profile(const haw_model *model, int cable, const double *q, const double *u,
                       const haw_profile *profile);

/**
 * Mean tension of elements first ... end - 1, the integral of N over their unstrained length by
 * their own quadrature: EA (length / L - 1) unless the cable may go slack [N].
 */
double haw_cable_tension_range(const haw_cable *cable, int first, int end, const double *q);

/** Mean tension of the whole cable [N]. */
double haw_cable_tension_mean(const haw_cable *cable, const double *q);

/** Grid point of a pair: element and local coordinate; of a capsule its start, in space from the id
 * of any foot; of a rope as if its elements were equal. @param point  id - first_point */
void haw_pair_point(const haw_model *model, const haw_pair *pair, int point, int *element,
                    double *s);

/** Cable of a point of a pair: `line` of those that look back from it. @param point  id -
 * first_point */
int haw_pair_owner(const haw_pair *pair, int point);

/** True if a point of the grid is an end of its cable. */
bool haw_pair_is_end(const haw_model *model, const haw_pair *pair, int point);

/** Place of point j / n of an element among those of a cable, j = n: the last node; and back. */
int haw_place_of(const haw_cable *cable, int n, int e, int j);
void haw_place_find(const haw_cable *cable, int n, int place, int *element, double *s);

/** Part of their lengths that the points of a side stand for: half under compliant laws where those
 * of both cables press. */
double haw_pair_side(const haw_pair *pair);

/**
 * Share of a grid point in what is given per length or area: 1, or 1/2 where a grid of points on
 * the curve begins or ends with the cable (trapezoidal rule). Stiffnesses and dampings of
 * haw_compliance are those of a full share.
 */
double haw_pair_weight(const haw_model *model, const haw_pair *pair, int point);

/** Write the prescribed velocities (driven bodies, fixed bodies, ends) at time t into u [dofs]. */
void haw_model_prescribe(const haw_model *model, double t, double *u);

/** Velocities of the scene at t = 0 where the state is: of bodies, cables, and ends that ride. */
void haw_state_set_off(const haw_model *model, haw_state *state);

/** The same, means over [t, t + h]: exact, whatever corners the drives have in between. */
void haw_model_prescribe_over(const haw_model *model, double t, double h, double *u);

#endif
