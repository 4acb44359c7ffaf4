/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ropes that are reeved over sheaves, of the kinds `ale` and `arc1d`, in the plane: where q = u in
 * numbering.
 *
 * Labels are unstrained arc lengths from the start of the rope, 0 to `length`. Mesh nodes have
 * labels that are coordinates in q: free unknowns of `arc1d`, whose nodes stand on the arcs, given
 * functions of `ale` (haw_cable_ops.guide), whose labels are held dofs with velocities that the
 * stepper sets at the start of each step. The labels of the two ends are held at 0 and `length`.
 *
 * Elements are numbered along the rope: a span, the elements on the first sheave, a span, ... Each
 * has a list of the degrees of freedom in u (= q) of the model that it acts on: those of the
 * cable's block, and those of bodies (at the ends of the rope; of sheaves in `arc1d`).
 */
#ifndef HAWSER_CABLE_REEVING_H
#define HAWSER_CABLE_REEVING_H

#include "cable/cable.h"

/* Most dofs of an element. */
enum { HAW_ROPE_DOFS = HAW_CABLE_DOFS };

/* A sheave in the order of the rope, as drawn, or an end of the rope: a circle of radius 0 with
 * turn 1. Angles are those of the outward normal of the sheave; out = in + turn * wrap. */
typedef struct haw_rope_arc {
    int body;         /* its index in the scene, -1: an end that no body carries */
    int dof;          /* x of its centre in u (= q), y follows, and the angle of a sheave */
    double centre[2]; /* as drawn [m] */
    bool moves[2];    /* x and y of the centre may change */
    double clamp[2];  /* of an end: direction along the rope that it holds; 0: none */
    double radius;    /* of the centreline [m] */
    int turn;       /* +1: the rope turns counter-clockwise about it with growing labels (the sheave
                       lies to its left), -1 clockwise */
    double in, out; /* angles of the tangent points, as drawn [rad] */
    double label_in, label_out;  /* labels there, as drawn [m] */
    int first_element, elements; /* on this sheave, with those of the overflow */
    int pair; /* contact pair of rope and sheave, -1: none (set with the pairs, as the next) */
    double softness; /* arc1d: EA / (k_n R^2) of the bed, 0: the rope cannot sink */
} haw_rope_arc;

typedef struct haw_rope_element {
    bool is_span;
    int arc;  /* its sheave; of a span the sheave before it, -1: the start of the rope */
    int dofs; /* order of coordinates as in ale.h, spans with the slopes of the nodes before and
                 after them behind; arc1d: its own */
    int dof[HAW_ROPE_DOFS];
} haw_rope_element;

typedef struct haw_rope {
    double length; /* unstrained [m] */
    haw_ale_section section;
    int per_arc;     /* elements between the tangent points of a sheave */
    double overflow; /* ale: straight length with contact elements beyond each tangent point [m] */
    int modes[2];    /* ale: axial and transverse modes of a span */
    int arcs;        /* sheaves */
    haw_rope_arc *arc; /* [-1] the start of the rope, [arcs] its end */
    int elements;
    haw_rope_element *element;
    int labels;           /* mesh nodes, the ends included */
    int *label;           /* [labels] their degrees of freedom, ascending labels */
    double *fraction;     /* ale: [labels] place of a node within its sheave's mesh, 0 ... 1 */
    haw_ale_kind kind[2]; /* ale: of contact elements and of spans */
} haw_rope;

/* A sheave, or an end of a rope with radius 0. */
typedef struct haw_reeving_circle {
    double x[2];   /* centre [m] */
    double radius; /* [m] */
    int turn;      /* as in haw_rope_arc */
} haw_reeving_circle;

/**
 * Line from one circle to the next that leaves each on the side of its turn.
 * @param along  out: unit vector
 * @return       its length [m]; NAN: there is none
 */
double haw_reeving_line(const haw_reeving_circle *from, const haw_reeving_circle *to,
                        double along[2]);

/** Angle of a sheave's outward normal where a line along this unit vector touches it [rad]. */
double haw_reeving_angle(int turn, const double along[2]);

/** The same, of the equal angles that are 2 pi apart the nearest to a drawn one. */
double haw_reeving_angle_near(int turn, const double along[2], double drawn);

/** Element with the label s: bisection over the labels in q. */
int haw_rope_find(const haw_rope *rope, const double *q, double s);

/** Coordinates of element e from those of the model. */
void haw_rope_gather(const haw_rope *rope, int e, const double *x, double *local);

/** x [dofs of the model] += local. */
void haw_rope_scatter(const haw_rope *rope, int e, const double *local, double *x);

/* ---- what both kinds of rope answer alike (reeving.c) ---- */

/** Memory of elements, labels and `held`, for line.dofs = `dofs` and those of held ends. */
HAW_NODISCARD haw_status haw_rope_allocate(haw_arena *arena, int dofs, haw_cable *cable);

/** The place of end 0 or 1. */
static inline haw_rope_arc *haw_rope_place(const haw_rope *rope, int end)
{
    return &rope->arc[end == 0 ? -1 : rope->arcs];
}

/** Number `count` held degrees of freedom from *next on. @return the first */
int haw_rope_hold(haw_cable *cable, int count, int *next);

/** The same for the place of an end (-1, arcs) that no body carries. */
void haw_rope_number_end(haw_cable *cable, int end, int *next);

/** All coordinates 0 but for the labels and places of the ends. */
void haw_rope_start(const haw_cable *cable, double *q);

haw_status haw_rope_build(haw_site *site, const haw_cable_spec *spec, haw_cable *cable);
void haw_rope_prescribe(const haw_cable *cable, double t, double h, double *u);
void haw_rope_pull(const haw_cable *cable, double t, const double *q, double *f);
haw_status haw_rope_copy(haw_arena *arena, haw_cable *cable);
haw_dofs haw_rope_dofs(const haw_cable *cable, int e);
haw_dofs haw_rope_labels(const haw_cable *cable);
int haw_rope_end_body(const haw_cable *cable, int end);
double haw_rope_critical_step(const haw_cable *cable);
double haw_rope_least_tension(const haw_cable *cable, const double *q, const double *u);
int haw_rope_locate(const haw_cable *cable, const double *q, double label, double *s);
int haw_rope_samples(const haw_cable *cable, int e);
double haw_rope_label(const haw_cable *cable, int n, const double *q);
double haw_rope_reach(const haw_cable *cable, const double *q, const double *q_plus);
double haw_rope_shortest(const haw_cable *cable, const double *q);
double haw_rope_speed(const haw_cable *cable, const double *u);
double haw_rope_excess(const haw_cable *cable, const double *q, const double *d, double move);
bool haw_rope_keeps(const haw_cable *cable, int body);
haw_sheave haw_rope_sheave(const haw_cable *cable, int i, const double *q);

/* What every row of ropes begins with. */
#define HAW_ROPE_ROW(named, summarized, from)                                                      \
    .row.name = (named), .row.summary = (summarized), .row.source = (from), .dimension = 2,        \
    .is_reeved = true, .build = haw_rope_build,                                                    \
    .refused =                                                                                     \
        "ropes over sheaves need an implicit stepper: use generalized-alpha or moreau-jean",       \
    .moves_along = true, .copy = haw_rope_copy, .move = haw_cable_move,                            \
    .difference = haw_cable_difference, .prescribe = haw_rope_prescribe, .pull = haw_rope_pull,    \
    .dofs = haw_rope_dofs, .labels = haw_rope_labels, .end_body = haw_rope_end_body,               \
    .critical_step = haw_rope_critical_step, .locate = haw_rope_locate, .reach = haw_rope_reach,   \
    .samples = haw_rope_samples, .least_tension = haw_rope_least_tension, .label = haw_rope_label, \
    .sheave = haw_rope_sheave, .shortest = haw_rope_shortest, .keeps = haw_rope_keeps

/* Turn or stretch of an element in a step of an equilibrium, over its length. */
static const double HAW_ROPE_CHANGE = 0.5;

/** Unstrained length of the elements between the tangent points of a sheave, as drawn [m]. */
static inline double haw_rope_arc_element(const haw_rope *rope, int arc)
{
    return (rope->arc[arc].label_out - rope->arc[arc].label_in) / rope->per_arc;
}

/** Unstrained length of element e [m]. */
double haw_rope_length(const haw_cable *cable, int e, const double *q);

#endif
