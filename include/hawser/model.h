/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Describe a scene as plain data, build it once into an immutable model, query its state.
 *
 * Sign conventions of the whole project (plane):
 *   - x to the right, y up, angles and spins counter-clockwise.
 *   - The contact normal n points out of the body that owns the surface, towards the cable.
 *   - The tangent t is n turned clockwise: t = (n_y, -n_x).
 *   - Impulses (N, T) act on the cable along n and t; the body gets their negative.
 *   - gamma_N = n . (v_cable - v_surface) > 0 separates; gamma_T = t . (v_cable - v_surface).
 *     For a disk of radius R: gamma_T = t . (v_cable - v_D) + R omega.
 *   - Tension is positive in a stretched cable.
 *   - A disk that rolls right on the ground turns clockwise: omega = -v / R.
 * State: q holds the bodies first (x, y, angle), then the cables, both in the order of the scene;
 * u holds their rates.
 * In space (dimension 3):
 *   - Orientations are unit quaternions (w, x, y, z) from the body's frame to the inertial one; q
 * of a body is position and quaternion [7], u inertial velocity and body-frame angular velocity
 *     [6]; nodes of SE(3) beams likewise. A surface of revolution turns about the z axis of its
 * body.
 *   - A contact has the rows n, t1, t2 = n x t1; t1 runs along the circles of a surface of
 *     revolution, counter-clockwise about its axis.
 */
#ifndef HAWSER_MODEL_H
#define HAWSER_MODEL_H

#include <hawser/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- F of the scenario grammar: a number or a table over time ---- */

typedef enum haw_ramp {
    HAW_RAMP_LINEAR,
    HAW_RAMP_COSINE,     /* (1 - cos(pi s)) / 2 */
    HAW_RAMP_SMOOTHSTEP, /* s^2 (3 - 2 s) */
    HAW_RAMP_CYCLOID     /* s - sin(2 pi s) / (2 pi) */
} haw_ramp;

/* Outside the table the end values hold. count 0: `constant` at all times. */
typedef struct haw_function {
    double constant;
    int count;
    const double *time;  /* [count] ascending [s] */
    const double *value; /* [count] */
    haw_ramp ramp;
} haw_function;

HAW_API double haw_function_value(const haw_function *function, double t);

/** Integral from 0 to t, exact for every ramp. */
HAW_API double haw_function_integral(const haw_function *function, double t);

/** Mean over [t, t + h], h > 0, exact for every ramp; h = 0: the value at t. */
HAW_API double haw_function_mean(const haw_function *function, double t, double h);

/** Derivative at t; from the right at a corner. */
HAW_API double haw_function_slope(const haw_function *function, double t);

/* ---- specifications: what a user may say; defaults from the option tables ---- */

typedef enum haw_motion { HAW_MOTION_FREE, HAW_MOTION_FIXED, HAW_MOTION_PRESCRIBED } haw_motion;

/* What holds a body to the ground: revolute, its centre; translation, its angle; vertical, its x,
 * in space x and y, and the angle where it has no inertia (a car on guide rails, a hook block). */
typedef enum haw_joint {
    HAW_JOINT_NONE,
    HAW_JOINT_REVOLUTE,
    HAW_JOINT_TRANSLATION,
    HAW_JOINT_VERTICAL
} haw_joint;

/* A piece of the meridian of a surface of revolution, from the end of the one before. */
typedef struct haw_meridian_spec {
    bool is_arc;
    double to[2];     /* (r, z) [m] */
    double center[2]; /* of an arc (r, z) [m] */
} haw_meridian_spec;

/* Components that a planar scene does not have are ignored there. */
typedef struct haw_body_spec {
    size_t size; /* of this struct; 0: as in these headers. See doc/abi.md */
    const char *name;
    const char *shape; /* row of haw_shapes (circle, plane), in space of haw_surfaces (cylinder,
                          cone, plane, sphere, revolution, groove); NULL: no contact surface */
    double shape_options[8]; /* storage of that row's options struct */
    double mass;             /* [kg] NAN: none, where the centre is held */
    double inertia;          /* [kg m^2] NAN: that of a solid body of the shape */
    double position[3];      /* [m] */
    double angle_deg;        /* [deg] */
    double velocity[3];      /* [m/s] */
    double spin;             /* [rad/s] in space about the body's z axis */
    haw_motion motion;
    haw_function motion_velocity[3]; /* [m/s] of a prescribed body */
    haw_function motion_spin;        /* [rad/s] in space about the body's z axis */
    int joint;                       /* haw_joint; a prescribed spin leaves a revolute body held */
    double rotational_damping;       /* to the ground [N m s/rad] */
    haw_function torque;             /* [N m] in space about the body's z axis */
    /* Space only: */
    double orientation[4];   /* unit quaternion (w, x, y, z) */
    double spins[3];         /* [rad/s] about the body's axes, beside `spin` */
    double inertias[3];      /* principal [kg m^2] NAN: `inertia` for all, or those of the shape */
    double meridian_from[2]; /* (r, z) start of the meridian of a `revolution` [m] */
    int meridian_segments;   /* 0: by the table */
    const haw_meridian_spec *meridian;
    haw_function profile; /* r(z): time stands for z; a smooth curve through the points [m] */
} haw_body_spec;

/* clamped: position and slope held, for elements that have a slope of their own. */
typedef enum haw_end_kind {
    HAW_END_PINNED,
    HAW_END_FREE,
    HAW_END_MOTION,
    HAW_END_CLAMPED
} haw_end_kind;

/* What prescribes one coordinate of a moving end in space. */
typedef enum haw_guide { HAW_GUIDE_VELOCITY, HAW_GUIDE_POSITION, HAW_GUIDE_FREE } haw_guide;

typedef struct haw_end_spec {
    haw_end_kind kind;
    haw_function velocity[3]; /* [m/s] of a moving end; in space, where guide[i] says so, a position
                                 [m] */
    int guide[3];             /* space only: haw_guide of each coordinate of a moving end */
    const char *body; /* a pinned or clamped end rides on this body, that of a rope on its centre;
                         NULL: on the ground */
    bool has_at;      /* else where the end is drawn */
    double at[3];     /* where, in its frame [m] */
    haw_function tension; /* [N] pulls the end, by the sign of `towards` */
    double towards[3];    /* direction of that pull; 0: along the cable's own end (follower) */
} haw_end_spec;

/* A piece of a path: a straight line, a part of a circle, a smooth curve through points, or a helix
 * (space). */
typedef enum haw_piece {
    HAW_PIECE_LINE,
    HAW_PIECE_ARC,
    HAW_PIECE_POINTS,
    HAW_PIECE_HELIX
} haw_piece;

/* Pieces begin where the one before ends, or at `from`: a curve through points with the first of
 * them, an arc and a helix at a point of theirs. */
typedef struct haw_path_segment {
    int kind;            /* haw_piece */
    int points;          /* curve: at least 3; the last may be the first */
    double to[3];        /* line: end point [m] */
    double center[3];    /* arc; helix: point of its axis at the height of its start [m] */
    double radius;       /* arc, helix [m] */
    double angle_deg;    /* arc: turned angle, counter-clockwise about its axis positive */
    const double *point; /* curve: [points][4] x, y, z [m], and how far the section is twisted there
                            against a frame that does not twist [deg]; z and twist count in space */
    double axis[3];      /* helix, arc: its direction; arc: 0 for the z direction (and in the
                            plane) */
    double pitch;        /* helix: height of a turn [m] NAN: by lay_deg */
    double lay_deg;      /* helix: angle between it and its axis; 90: a ring. NAN: by pitch */
    double turns;        /* helix: > 0 right-handed, < 0 left-handed */
    double phase_deg; /* helix: where it starts, about the axis from e_z x axis (e_x where the axis
                         is z) */
    double ramp;      /* helix: part of its height at either end in which the turns set in, so
                         that it starts and ends along the axis, 0 to 1/2 */
} haw_path_segment;

/* Quadrature of axial and bending strains of the ANCF cable: Gauss 5 and 3, Gauss 4 and 2, or
 * Lobatto 3 and Gauss 2 points. */
typedef enum haw_scheme { HAW_SCHEME_A, HAW_SCHEME_B, HAW_SCHEME_C } haw_scheme;

/* Stress-free shape: straight, or as drawn. */
typedef enum haw_reference { HAW_REFERENCE_STRAIGHT, HAW_REFERENCE_DRAWN } haw_reference;

/* A cable laid on a surface of revolution along a path with k_g = slip k_n (0: a geodesic), or
 * wound about another cable as a helix. */
typedef struct haw_lay_spec {
    const char *on;    /* body; NULL: the cable is straight or a path, or on a cable */
    double z;          /* of the first point in the body's frame [m] */
    double phi_deg;    /* its angle about the axis */
    double angle_deg;  /* alpha between path and meridian (the core) at the first point, towards
                          growing phi; 90: along the hoop */
    double slip;       /* k_g / k_n */
    const char *cable; /* its core, which stands before it in the scene; or NULL */
    double radius;     /* on a cable: of the helix [m] 0: that of both sections */
    double pitch;      /* the same: length of the core under a turn, < 0 left-handed [m] 0: by
                          angle_deg */
    double ramp;       /* the same: as of a haw_path_segment */
} haw_lay_spec;

/* Where the sheave lies, seen along the rope from its start. */
typedef enum haw_side { HAW_SIDE_LEFT, HAW_SIDE_RIGHT } haw_side;

/* A sheave in the reeving of a rope: a body with the shape circle, whose radius is that of the
 * rope's centreline. */
typedef struct haw_reeving_spec {
    const char *on; /* body */
    int side;       /* haw_side */
} haw_reeving_spec;

typedef struct haw_cable_spec {
    size_t size; /* of this struct; 0: as in these headers. See doc/abi.md */
    const char *name;
    const char *element;   /* row of haw_elements, in space of haw_space_elements; with `reeving` a
                              kind of rope (ale, arc1d) */
    int elements;          /* of a rope: between the tangent points of each sheave */
    double from[3], to[3]; /* [m]; `to` only without path */
    int segments;          /* of the path; 0: straight from `from` to `to` */
    int sheaves;           /* of the reeving; 0: not a rope */
    const haw_path_segment *path;
    double tension;           /* at `from` [N]; NAN if length is given */
    double length;            /* unstrained [m]; NAN if tension is given. Both NAN: as drawn */
    double stiffness;         /* EA [N] */
    double density;           /* mass per unstrained length [kg/m] */
    double bending_stiffness; /* EI [N m^2] */
    double bending_factor;    /* scales EI only */
    double reference_strain;  /* added to the strain of the stress-free shape; -0.05: pretension */
    double reference_curvature; /* [1/m] */
    int reference;              /* haw_reference */
    int quadrature;             /* haw_scheme */
    double width;               /* for stiffness per area [m] NAN: unknown */
    double damping_mass;        /* mass-proportional damping rate [1/s] */
    double damping_strain;      /* N += this times the strain rate [N s] */
    double damping_curvature;   /* M += this times the rate of curvature [N m^2 s] */
    int gauss_points;           /* per element, 3 to 5 */
    bool slack;                 /* N = max(0, EA eps) */
    bool closed;                /* the path ends where it starts, and the last node is the first */
    haw_end_spec ends[2];
    /* Ropes over sheaves, plane only: from the body of ends[0] (or `from`) over the sheaves to the
     * body of ends[1] (or `to`), by straight tangents. */
    const haw_reeving_spec *reeving; /* [sheaves] */
    double overflow; /* ale: straight length with contact elements beyond the tangent points [m]
                        NAN: 5 sqrt(EI / T) and at least two elements */
    int modes[2];    /* ale: axial and transverse modes of a span */
    /* Space only: */
    double shear_stiffness;     /* GA [N] NAN: EA / 2 */
    double torsional_stiffness; /* GJ [N m^2] NAN: EI */
    double radius;              /* of the section: contact distance, rotary inertia [m] */
    double velocity[3];         /* of all free points at the start [m/s] */
    double rotary_inertia[3];   /* rho (J, I2, I3) [kg m] NAN: of a round section of `radius` */
    double damping_shear;       /* Q += this times the shear rate [N s] */
    double damping_torsion;     /* torque per rate of twist [N m^2 s] */
    double twist_deg;           /* of its end against its start beyond the stress-free cable, evenly
                                   over its length [deg] */
    haw_lay_spec lay;
} haw_cable_spec;

typedef enum haw_arm { HAW_ARM_RADIUS, HAW_ARM_DISTANCE, HAW_ARM_TILT } haw_arm;

/* minima (plane): local minima of the gap; liftoff: refine_factor times as many points in elements
 * next to the end of a contact; contact: so many wherever the cable may touch. */
typedef enum haw_refine {
    HAW_REFINE_OFF,
    HAW_REFINE_MINIMA,
    HAW_REFINE_LIFTOFF,
    HAW_REFINE_CONTACT
} haw_refine;

/* Where a spatial cable touches: at the points of the grid; there and at the closest point of each
 * piece of an element between them; or at the nodes, with gap and slip weighted over the points;
 * or, of cables that touch cables, at the points and where between them the gap is least. */
typedef enum haw_proxy {
    HAW_PROXY_POINTS,
    HAW_PROXY_CAPSULES,
    HAW_PROXY_MORTAR,
    HAW_PROXY_MINIMA
} haw_proxy;

/* Contact points of the grid on the curve itself, or chords between them. */
typedef enum haw_kinematics { HAW_KINEMATICS_CURVE, HAW_KINEMATICS_CHORD } haw_kinematics;

/* Where the normals of a chord are taken: at its closest point, or at its two ends. */
typedef enum haw_normals { HAW_NORMALS_SEGMENT, HAW_NORMALS_POINT } haw_normals;

/* Length in which a bristle counts the way of the contact point along its chord: reference, as
 * published (the error falls with the chord), or deformed (with its square). */
typedef enum haw_chord_length { HAW_CHORD_REFERENCE, HAW_CHORD_DEFORMED } haw_chord_length;

/* What the stiffnesses and dampings of a compliant law refer to. */
typedef enum haw_per { HAW_PER_POINT, HAW_PER_LENGTH, HAW_PER_AREA } haw_per;

/* Stick or slip of a bristle: within the solve, or by the published step after it. */
typedef enum haw_switching { HAW_SWITCHING_RETURN_MAP, HAW_SWITCHING_POST_NEWTON } haw_switching;

typedef struct haw_contact_spec {
    size_t size; /* of this struct; 0: as in these headers. See doc/abi.md */
    const char *between[2];
    const char *law;         /* row of haw_laws: hard, penalty */
    double friction;         /* mu >= 0, at rest where friction_kinetic is given */
    double friction_kinetic; /* NAN: the same */
    double restitution;      /* Newton, normal, 0 to 1; also of lankarani-nikravesh */
    double restitution_tangential;
    int points_per_element; /* 0: by spacing, or by the default R/8 */
    int refine_factor;      /* of refine: liftoff, contact */
    double spacing;         /* [m] NAN: by points_per_element */
    int arm;                /* haw_arm */
    int refine;             /* haw_refine */
    /* law: penalty; units of a point, or of it over a length or an area by `per` */
    const char *normal;          /* row of haw_normal_laws */
    const char *tangential;      /* row of haw_friction_laws; NULL: by the law */
    double normal_stiffness;     /* [N/m], [N/m^n] with an exponent n */
    double normal_damping;       /* [N s/m] */
    double normal_exponent;      /* n of lankarani-nikravesh and hunt-crossley */
    double tangential_stiffness; /* [N/m] */
    double tangential_damping;   /* [N s/m] NAN: sqrt(2 k_t m) of the point */
    double viscous_friction;     /* sigma_2 of lugre [N s/m] */
    double stribeck_velocity;    /* [m/s] */
    double regularization;       /* slip speed of full friction [m/s] */
    int per;                     /* haw_per */
    int kinematics;              /* haw_kinematics */
    int normals;                 /* haw_normals */
    int chord_length;            /* haw_chord_length */
    int switching;               /* haw_switching */
    int proxy;                   /* haw_proxy; space only */
    double offset;      /* of the contact line from the centreline, to the left of it [m] */
    double speed_limit; /* guard: way towards the surface in a step, over its radius */
    double
        depth_limit; /* guard: depth over the smallest radius; NAN: 0.01 of set-valued laws, 0.25 */
    double neighbours; /* arc within which places are no partners, of one cable or through a joint
                          between two [m]; NAN: by the radius and the angle of the legs */
} haw_contact_spec;

/* A dead force or moment on a body's centre, or on a cable at a fraction of its length. */
typedef struct haw_force_spec {
    size_t size; /* of this struct; 0: as in these headers. See doc/abi.md */
    const char *on;
    double point;           /* cables: 0 (start) to 1 (end) */
    haw_function force[3];  /* [N] */
    haw_function moment[3]; /* [N m]; in the plane [2] only */
    bool follows;           /* components in the frame of the section or body, else inertial */
} haw_force_spec;

/* One end of a spring: a body's centre, a point of a cable, or a place on the ground. */
typedef struct haw_spring_end {
    const char *on; /* NULL: the ground */
    double at[3];   /* ground: [m]; cable: at[0] is the fraction of its length */
} haw_spring_end;

typedef struct haw_spring_spec {
    size_t size; /* of this struct; 0: as in these headers. See doc/abi.md */
    haw_spring_end between[2];
    double stiffness; /* [N/m] */
    double damping;   /* [N s/m] */
    double length;    /* unstrained [m] */
} haw_spring_spec;

/* One side of a joint: a point of a body, of a cable, or of the ground; exactly one is given. */
typedef struct haw_joint_end {
    const char *body, *cable;
    bool is_ground;
    double at[3]; /* [m], of a body in its frame; cable: at[0] is the fraction of its length */
} haw_joint_end;

/* Two points that coincide, and directions that stay as they are drawn to each other. */
typedef struct haw_joint_spec {
    size_t size; /* of this struct; 0: as in these headers. See doc/abi.md */
    const char *name;
    const char *type; /* row of haw_joints */
    int ends;         /* 2 */
    const haw_joint_end *between;
    double axis[3]; /* of what turns or slides, as drawn */
} haw_joint_spec;

/* auto: static where a planar scene is drawn out of equilibrium, else given. */
typedef enum haw_start { HAW_START_AUTO, HAW_START_GIVEN, HAW_START_STATIC } haw_start;

typedef struct haw_scene {
    size_t size; /* of this struct; 0: as in these headers. See doc/abi.md */
    const char *title;
    int dimension;           /* 2 or 3 */
    double gravity[3];       /* [m/s^2] */
    int start;               /* haw_start */
    double start_friction;   /* friction coefficient while a static start is sought */
    int load_steps;          /* of a static start: the loads rise geometrically to their values, in
                                space in equal parts */
    int locks;               /* degrees of freedom held during a static start */
    const char *const *lock; /* "body" for all of it, "body.x", ".y", ".angle"; "cable.start.x",
                                ".start.y", ".end.x"; in space ".z" too, and ".angle" about the
                                body's z axis */
    int bodies, cables, contacts, forces, springs, joints;
    const haw_body_spec *body;
    const haw_cable_spec *cable;
    const haw_contact_spec *contact;
    const haw_force_spec *force;
    const haw_spring_spec *spring;
    const haw_joint_spec *joint;
    double start_tolerance; /* of a static start: unbalanced over largest force, where rounding
                               allows it; 0: 1e-12 */
} haw_scene;

/** A planar scene without gravity, with every default; its lists are empty. */
HAW_API haw_scene haw_scene_default(void);

/** Specifications with every default of the option tables; names and tables are left to set. */
HAW_API haw_body_spec haw_body_spec_default(void);
HAW_API haw_cable_spec haw_cable_spec_default(void);
HAW_API haw_contact_spec haw_contact_spec_default(void);
HAW_API haw_force_spec haw_force_spec_default(void);
HAW_API haw_spring_spec haw_spring_spec_default(void);
HAW_API haw_joint_end haw_joint_end_default(void);
HAW_API haw_joint_spec haw_joint_spec_default(void);

/* The tables behind the defaults: one row gives key, default, range, unit and help. */
HAW_API extern const haw_option haw_body_options[];
HAW_API extern const haw_option haw_cable_options[];
HAW_API extern const haw_option haw_contact_options[];
HAW_API extern const haw_option haw_force_options[];
HAW_API extern const haw_option haw_spring_options[];
HAW_API extern const haw_option haw_joint_end_options[];
HAW_API extern const haw_option haw_joint_options[];

/* Rows of the kinds of joints; ends with NULL. */
HAW_API extern const haw_row *const haw_joints[];

HAW_API extern const haw_option haw_start_options[]; /* of haw_scene: a `start` with parts */
HAW_API extern const haw_option haw_scene_options[];

/*
 * Setters by key, as in a scenario ("damping.strain"): a number, or the text of a number, word or
 * list ("auto", "true", "[0, 1]"). Keys that are texts keep the pointer. context may be NULL.
 * @return ERR_INPUT with a message that says what is allowed
 */
HAW_API HAW_NODISCARD haw_status haw_body_set(haw_context *context, haw_body_spec *body,
                                              const char *key, double value);
HAW_API HAW_NODISCARD haw_status haw_body_set_text(haw_context *context, haw_body_spec *body,
                                                   const char *key, const char *text);
HAW_API HAW_NODISCARD haw_status haw_cable_set(haw_context *context, haw_cable_spec *cable,
                                               const char *key, double value);
HAW_API HAW_NODISCARD haw_status haw_cable_set_text(haw_context *context, haw_cable_spec *cable,
                                                    const char *key, const char *text);
HAW_API HAW_NODISCARD haw_status haw_contact_set(haw_context *context, haw_contact_spec *contact,
                                                 const char *key, double value);
HAW_API HAW_NODISCARD haw_status haw_contact_set_text(haw_context *context,
                                                      haw_contact_spec *contact, const char *key,
                                                      const char *text);

/**
 * Give a body a shape, and the shape an option: "circle", "radius", 0.1. The other options of the
 * shape have their presets where the body had another shape before, else they stay.
 *
 * @param key  NULL: no option
 */
HAW_API HAW_NODISCARD haw_status haw_body_set_shape(haw_context *context, haw_body_spec *body,
                                                    const char *shape, const char *key,
                                                    double value);
HAW_API HAW_NODISCARD haw_status haw_body_set_shape_text(haw_context *context, haw_body_spec *body,
                                                         const char *shape, const char *key,
                                                         const char *text);

/* ---- model: immutable after the build, may be shared between threads ---- */

typedef struct haw_model haw_model;

/**
 * Check a scene and build the model. Copies all it needs from the scene.
 *
 * @return ERR_INPUT with the reason (negative density, grid spacing above the radius, unknown
 *         name, ...); ERR_NOMEM
 */
HAW_API HAW_NODISCARD haw_status haw_model_build(haw_context *context, const haw_scene *scene,
                                                 haw_model **model);
HAW_API void haw_model_free(haw_model *model);

HAW_API int haw_model_dofs(const haw_model *model);
HAW_API int haw_model_bodies(const haw_model *model);
HAW_API int haw_model_cables(const haw_model *model);

/** Number of a body or cable, in the order of the scene; -1 if none has that name. */
HAW_API int haw_model_find_body(const haw_model *model, const char *name);
HAW_API int haw_model_find_cable(const haw_model *model, const char *name);

/** Name of a body or cable, NULL beyond the last. */
HAW_API const char *haw_model_body_name(const haw_model *model, int body);
HAW_API const char *haw_model_cable_name(const haw_model *model, int cable);

/* What of q and u belongs to a body or cable. */
typedef struct haw_extent {
    int first_q, coordinates; /* q[first_q] ... q[first_q + coordinates - 1] */
    int first_u, dofs;        /* likewise in u */
} haw_extent;

/** All zero beyond the last body or cable. */
HAW_API haw_extent haw_model_body_extent(const haw_model *model, int body);
HAW_API haw_extent haw_model_cable_extent(const haw_model *model, int cable);

/** Largest stable step of the explicit midpoint, from the element table's formulas, dampers of
 * strains and curvatures included; of ropes, which take none, the time of an axial wave through the
 * shortest element [s]. */
HAW_API double haw_model_critical_step(const haw_model *model);

enum { HAW_HISTORY = 5 }; /* numbers that a compliant law remembers of a contact point */

/* What acts on a body from outside the scene; set by haw_simulation_set_force and its kin. By
 * degree of freedom of the body, in the plane (x, y, angle), in space (x, y, z, turns about its own
 * axes).
 */
typedef struct haw_control {
    double force[6]; /* beside those of the scene [N, N m] */
    double drive[6]; /* velocity in place of the scene's [m/s, rad/s]; NAN: the scene's */
    double since[6]; /* when that drive was set [s] */
    double way[6];   /* integral of the drive up to then; of the scene's what it has in addition */
} haw_control;

/* Flat arrays; copying them is a checkpoint. */
typedef struct haw_state {
    double t;        /* [s] */
    long step;       /* steps done */
    int dimension;   /* d */
    int dofs;        /* n */
    int coordinates; /* of q: n in the plane, more in space */
    int rows;        /* contact rows of the whole grid, d per grid point */
    double *q, *u;   /* [coordinates], [n] configuration and velocity */
    double *a;       /* [2 n] of generalized-alpha: its variable a, then true accelerations; of
                        moreau-jean in space: the change of u in the last step over h */
    double *impulse; /* [rows] impulses of the last step by contact id, the warm start [N s] */
    double *history; /* [rows / d][HAW_HISTORY] of compliant laws by contact id */
    int bodies;
    haw_control *control; /* [bodies] of the next step */
    haw_control *acting;  /* [bodies] of the last step */
} haw_state;

/** The drawn start (not yet the equilibrium of a static one) with the given velocities. */
HAW_API HAW_NODISCARD haw_status haw_state_create(haw_context *context, const haw_model *model,
                                                  haw_state **state);
HAW_API void haw_state_copy(haw_state *to, const haw_state *from);
HAW_API void haw_state_free(haw_context *context, haw_state *state);

/* Points of a centreline at a state, several per element; arrays of the caller, NULL: not wanted.
 */
typedef struct haw_samples {
    double *label;     /* [count] unstrained arc length from the start [m] */
    double *position;  /* [count * 3] x, y, z; z is 0 in the plane [m] */
    double *tension;   /* [count] axial force, with its damping part [N] */
    double *strain;    /* [count] */
    double *curvature; /* [count] of bending [1/m] */
} haw_samples;

/** Number of points that haw_cable_sample gives of a cable; the same at every state. */
HAW_API int haw_cable_sample_count(const haw_model *model, int cable);

/** Sample a centreline. @return ERR_NOMEM; ERR_ARG: no such cable */
HAW_API HAW_NODISCARD haw_status haw_cable_sample(haw_context *context, const haw_model *model,
                                                  const haw_state *state, int cable,
                                                  const haw_samples *samples);

#ifdef __cplusplus
}
#endif
#endif
