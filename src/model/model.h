/* SPDX-License-Identifier: BSD-3-Clause */
/* The built model: topology and parameters, read-only after haw_model_build. */
#ifndef HAWSER_MODEL_MODEL_H
#define HAWSER_MODEL_MODEL_H

#include "base/arena.h"
#include "element/element.h"
#include "element/space.h"
#include "law/law.h"
#include "linalg/band.h"
#include "shape/shape.h"
#include "shape/surface.h"

#include <hawser/model.h>

typedef struct haw_body {
    const char *name;
    const haw_shape_ops *shape; /* NULL: no contact surface, and in space */
    double shape_options[8];
    haw_surface surface;      /* space; ops NULL: no contact surface */
    double mass[6];           /* generalized masses m, m, J; in space m, m, m, J1, J2, J3; 0 where
                                 not given */
    bool held[6];             /* prescribed, also by a joint */
    double start[7], rate[6]; /* initial pose and velocity */
    haw_motion motion;
    haw_function drive[6]; /* prescribed velocities vx, vy, spin; in space vx, vy, vz, 0, 0, spin
                              about the body's z axis */
    double rotational_damping; /* [N m s/rad] */
    haw_function torque;       /* [N m] */
    int first;                 /* of its degrees of freedom in u, 3 or 6 */
    int first_q;               /* of its coordinates in q; the same in the plane */
} haw_body;

/* A given force: on a body's centre (cable < 0), or on a material point of a cable. */
typedef struct haw_load {
    int body, cable;
    int element;
    double s; /* local coordinate */
    haw_function force[3], moment[3];
    bool follows; /* space: components in the frame of the section or body */
} haw_load;

/* One end of a spring, as haw_load; both -1: the place `at` on the ground. */
typedef struct haw_spring_foot {
    int body, cable;
    int element;
    double s;
    double at[3];
} haw_spring_foot;

typedef struct haw_spring {
    haw_spring_foot foot[2];
    double stiffness, damping, length;
} haw_spring;

/* A prescribed end of a spatial cable, its coordinates one by one. */
typedef struct haw_space_end {
    bool held[6];             /* of the node's velocities */
    int guide[3];             /* haw_guide of a held coordinate that moves by itself */
    haw_function function[3]; /* velocity [m/s] or position [m] */
    int body;                 /* whose prescribed motion it rides on, -1: none */
    double arm[3];            /* in that body's frame [m] */
    double turn[4];           /* orientation of a clamped end in that body's frame, or inertial */
    double start[3];          /* position at t = 0 [m] */
    bool is_clamped;
    bool pulls; /* `tension` acts */
    haw_function tension;
    double towards[3]; /* unit; 0: along the cable's end, outwards */
} haw_space_end;

typedef struct haw_cable {
    const char *name;
    haw_line line; /* in space ops is NULL, and only elements, dofs, le, stiffness and density are
                      set */
    haw_beam beam; /* space only */
    haw_space_end guide[2]; /* space only */
    double radius;          /* of the section, space only [m] */
    int first_q;            /* of its coordinates in q; = first in the plane */
    int first;              /* of its line.dofs degrees of freedom */
    double damping_mass;    /* [1/s] */
    haw_end_spec end[2];
    int end_dof[2]; /* of its position x (y follows) where prescribed; -1 if free or closed. A
                       clamped end also holds the slope, the next two */
    haw_band mass;  /* constant mass, not reduced by the ends; empty if it depends on q */
    double *start;  /* [line.dofs] initial coordinates */
    bool is_path;   /* drawn as segments, arcs interpolated */
    double tension; /* wanted at `from`, NAN: the length is given */
    double width;   /* [m] NAN: unknown */
    struct haw_rope *rope; /* rope.h; NULL: an ordinary cable. Then line.ops is NULL too, and only
                              elements, dofs, le (mean), stiffness, bending and density are set */
} haw_cable;

/* A compliant law with the parameters of one point. */
typedef struct haw_compliance {
    const haw_normal_ops *normal; /* NULL: the law is set-valued */
    const haw_friction_ops *tangential;
    haw_normal_parameters n;
    haw_friction_parameters t;
    bool post_newton; /* the published switching */
    haw_per per;      /* what the parameters were given for; see haw_pair_weight */
} haw_compliance;

/*
 * One line of the contact table: a grid of material points (or one moving disk) and a surface. In
 * space a point may have several feet: the contact id of foot k of point i is
 * first_point + feet i + k, and `points` counts ids.
 */
typedef struct haw_pair {
    int cable; /* owner of the points, -1: the disk `proxy` is the only point */
    int proxy; /* body that acts as a point with radius `proxy_radius`, or -1 */
    double proxy_radius;
    int body;               /* owner of the surface */
    int points_per_element; /* points at s = j / n, j = 0 ... n - 1, and the last node */
    int points;             /* grid points of the pair; in space times feet */
    int feet;               /* 1 in the plane */
    haw_proxy proxies;      /* space only */
    int first_point;        /* contact id of its first point */
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
} haw_pair;

struct haw_model {
    haw_context *context;
    haw_arena arena;
    const char *title;
    int dimension; /* 2 or 3 */
    double gravity[3];
    haw_start start; /* resolved: never HAW_START_AUTO */
    double start_friction;
    int load_steps;
    bool *lock; /* [dofs] held during a static start */
    int bodies, cables, pairs, loads, springs;
    haw_load *load;
    haw_spring *spring;
    haw_body *body;
    haw_cable *cable;
    haw_pair *pair;
    int dofs;        /* of u */
    int coordinates; /* of q; = dofs in the plane */
    int points;      /* contact points of all pairs */
};

/* Lengths of a body in q and u, of a cable in q. */
static inline size_t haw_body_coordinates(const haw_model *model)
{
    return model->dimension == 3 ? 7 : 3;
}

static inline size_t haw_body_dofs(const haw_model *model)
{
    return model->dimension == 3 ? 6 : 3;
}

static inline size_t haw_cable_coordinates(const haw_model *model, const haw_cable *cable)
{
    const haw_line *line = &cable->line;
    if (model->dimension == 3) {
        return (size_t)(line->elements + 1) * (size_t)cable->beam.ops->node_coordinates;
    }
    return (size_t)line->dofs;
}

/* Degrees of freedom from one element to the next, and of one element. */
static inline int haw_cable_stride(const haw_model *model, const haw_cable *cable)
{
    return model->dimension == 3 ? cable->beam.ops->node_dofs : cable->line.ops->stride;
}

static inline int haw_cable_block(const haw_model *model, const haw_cable *cable)
{
    return model->dimension == 3 ? HAW_SPACE_DOFS : cable->line.ops->dofs;
}

/* Points per element that a spatial pair has ids for: its grid, four times finer near lift-off. */
static inline int haw_pair_fineness(const haw_pair *pair)
{
    return pair->points_per_element * (pair->refine == HAW_REFINE_LIFTOFF ? 4 : 1);
}

/*
 * Places of a spatial pair's grid that have contact ids, `points` = feet times as many: all points
 * j / n and the last node (ends included, prescribed ones stay unused); of capsules these, and then
 * the pieces between them; of the mortar grid the nodes.
 */
static inline int haw_pair_places(const haw_model *model, const haw_pair *pair)
{
    if (pair->cable < 0) {
        return 1;
    }
    const int elements = model->cable[pair->cable].line.elements;
    const int points = haw_pair_fineness(pair) * elements;
    if (pair->proxies == HAW_PROXY_MORTAR) {
        return elements + 1;
    }
    return pair->proxies == HAW_PROXY_CAPSULES ? 2 * points + 1 : points + 1;
}

/** Centreline samples per element used for results: s = j / n, plus the end of the cable. Of ropes
 * those of a contact element; spans have more. */
int haw_cable_samples(const haw_model *model, int cable);

/** Number of centreline points of a cable: samples * elements + 1, except of ropes. */
int haw_cable_sample_count(const haw_model *model, int cable);

/* Profile of a cable at one instant, arrays of haw_cable_sample_count values. */
typedef struct haw_profile {
    double *xi; /* unstrained arc length [m] */
    double *x, *y, *tension, *strain, *curvature;
    double *element_tension; /* mean tension of the sample's element [N] */
    double *z;               /* space only, else NULL */
} haw_profile;

/** @param q  the whole configuration of the model */
void haw_cable_profile(const haw_model *model, int cable, const double *q,
                       const haw_profile *profile);

/** The same with the damping part of the tension. @param u  velocities of the model, or NULL */
void haw_cable_profile_rates(const haw_model *model, int cable, const double *q, const double *u,
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

/**
 * Share of a grid point in what is given per length or area: 1, or 1/2 where a grid of points on
 * the curve begins or ends with the cable (trapezoidal rule). Stiffnesses and dampings of
 * haw_compliance are those of a full share.
 */
double haw_pair_weight(const haw_model *model, const haw_pair *pair, int point);

/** Number of prescribed degrees of freedom from end_dof[end] on: 0, 2, or 4 where clamped. */
int haw_cable_end_held(const haw_cable *cable, int end);

/** Write the prescribed velocities (driven bodies, fixed bodies, ends) at time t into u [dofs]. */
void haw_model_prescribe(const haw_model *model, double t, double *u);

/** Index of a body or cable by name, -1 if there is none. */
int haw_model_find_body(const haw_model *model, const char *name);
int haw_model_find_cable(const haw_model *model, const char *name);

#endif
