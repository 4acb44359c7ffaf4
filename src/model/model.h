/* SPDX-License-Identifier: BSD-3-Clause */
/* The built model: topology and parameters, read-only after haw_model_build. */
#ifndef HAWSER_MODEL_MODEL_H
#define HAWSER_MODEL_MODEL_H

#include "base/arena.h"
#include "element/element.h"
#include "law/law.h"
#include "linalg/band.h"
#include "shape/shape.h"

#include <hawser/model.h>

typedef struct haw_body {
    const char *name;
    const haw_shape_ops *shape; /* NULL: no contact surface */
    double shape_options[8];
    double mass[3];           /* generalized masses m, m, J; 0 where not given */
    bool held[3];             /* prescribed, also by a joint */
    double start[3], rate[3]; /* initial pose and velocity */
    haw_motion motion;
    haw_function drive[3];     /* prescribed velocities vx, vy, spin */
    double rotational_damping; /* [N m s/rad] */
    haw_function torque;       /* [N m] */
    int first;                 /* of its 3 degrees of freedom */
} haw_body;

/* A given force: on a body's centre (cable < 0), or on a material point of a cable. */
typedef struct haw_load {
    int body, cable;
    int element;
    double s; /* local coordinate */
    haw_function force[2], moment;
} haw_load;

/* One end of a spring, as haw_load; both -1: the place `at` on the ground. */
typedef struct haw_spring_foot {
    int body, cable;
    int element;
    double s;
    double at[2];
} haw_spring_foot;

typedef struct haw_spring {
    haw_spring_foot foot[2];
    double stiffness, damping, length;
} haw_spring;

typedef struct haw_cable {
    const char *name;
    haw_line line;
    int first;           /* of its line.dofs degrees of freedom */
    double damping_mass; /* [1/s] */
    haw_end_spec end[2];
    int end_dof[2]; /* of its position x (y follows) where prescribed; -1 if free or closed. A
                       clamped end also holds the slope, the next two */
    haw_band mass;  /* constant mass, not reduced by the ends; empty if it depends on q */
    double *start;  /* [line.dofs] initial coordinates */
    bool is_path;   /* drawn as segments, arcs interpolated */
    double tension; /* wanted at `from`, NAN: the length is given */
    double width;   /* [m] NAN: unknown */
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

/* One line of the contact table: a grid of material points (or one moving disk) and a surface. */
typedef struct haw_pair {
    int cable; /* owner of the points, -1: the disk `proxy` is the only point */
    int proxy; /* body that acts as a point with radius `proxy_radius`, or -1 */
    double proxy_radius;
    int body;               /* owner of the surface */
    int points_per_element; /* points at s = j / n, j = 0 ... n - 1, and the last node */
    int points;             /* grid points of the pair */
    int first_point;        /* contact id of its first point */
    const haw_law_ops *law;
    haw_law_options options;
    haw_arm arm;
    haw_refine refine;
    haw_kinematics
        kinematics; /* chord: point j of an element is its chord from j / n to (j + 1) / n */
    haw_normals normals;
    haw_chord_length chord_length;
    double offset; /* of the contact line, to the left of the centreline [m] */
    haw_compliance compliance;
} haw_pair;

struct haw_model {
    haw_context *context;
    haw_arena arena;
    const char *title;
    double gravity[2];
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
    int dofs;   /* of q and u */
    int points; /* contact points of all pairs */
};

/** Centreline samples per element used for results: s = j / n, plus the end of the cable. */
int haw_cable_samples(const haw_model *model, int cable);

/** Number of centreline points of a cable: samples * elements + 1. */
int haw_cable_sample_count(const haw_model *model, int cable);

/* Profile of a cable at one instant, arrays of haw_cable_sample_count values. */
typedef struct haw_profile {
    double *xi; /* unstrained arc length [m] */
    double *x, *y, *tension, *strain, *curvature;
    double *element_tension; /* mean tension of the sample's element [N] */
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

/** Grid point of a pair: element and local coordinate. */
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
