/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ropes that are reeved over sheaves: cables whose `rope` is not NULL. One row per kind in
 * rope_table.c (`ale`, `arc1d`). Planar. A model that has a rope has no cable of another sort.
 *
 * Labels are unstrained arc lengths from the start of the rope, 0 to `length`. Mesh nodes have
 * labels that are coordinates in q: free unknowns of `arc1d`, whose nodes stand on the arcs, given
 * functions of `ale` (haw_model_guide), whose labels are held dofs with velocities that the stepper
 * sets at the start of each step. The labels of the two ends are held at 0 and `length`.
 *
 * Elements are numbered along the rope: a span, the elements on the first sheave, a span, ... Each
 * has a list of the degrees of freedom in u (= q) of the model that it acts on: those of the
 * cable's block, and those of bodies (at the ends of the rope; of sheaves in `arc1d`).
 */
#ifndef HAWSER_MODEL_ROPE_H
#define HAWSER_MODEL_ROPE_H

#include "element/ale.h"
#include "model/model.h"

typedef struct haw_rope_ops haw_rope_ops;

/* Most dofs of an element: a span of `ale` also acts on the slopes of the two nodes beside it. Most
 * sheaves of a rope. */
enum { HAW_ROPE_DOFS = HAW_ALE_DOFS + 4, HAW_ROPE_SHEAVES = 64 };

/* A sheave in the order of the rope, as drawn. Angles are those of the outward normal of the
 * sheave; out = in + turn * wrap. */
typedef struct haw_rope_arc {
    int body;
    double radius;  /* of the centreline [m] */
    int turn;       /* +1: the rope turns counter-clockwise about it with growing labels (the sheave
                       lies to its left), -1 clockwise */
    double in, out; /* angles of the tangent points, as drawn [rad] */
    double label_in, label_out;  /* labels there, as drawn [m] */
    int first_element, elements; /* on this sheave, with those of the overflow */
    int pair; /* contact pair of rope and sheave, -1: none (set by haw_build_pairs) */
} haw_rope_arc;

typedef struct haw_rope_element {
    bool is_span;
    int arc;  /* its sheave; of a span the sheave before it, -1: the start of the rope */
    int dofs; /* order of coordinates as in ale.h, spans with the slopes of the nodes before and
                 after them behind; arc1d: its own */
    int dof[HAW_ROPE_DOFS];
} haw_rope_element;

typedef struct haw_rope {
    const haw_rope_ops *ops;
    const haw_model *model; /* that it is part of: for what knows the cable alone */
    double length;          /* unstrained [m] */
    haw_ale_section section;
    int per_arc;     /* elements between the tangent points of a sheave */
    double overflow; /* ale: straight length with contact elements beyond each tangent point [m] */
    int modes[2];    /* ale: axial and transverse modes of a span */
    int arcs;
    haw_rope_arc *arc;
    int elements;
    haw_rope_element *element;
    int end_body[2]; /* body whose centre carries the end, -1: held at end_x */
    double end_x[2][2];
    int end_dof[2];       /* x, y of the end: of the body, or of the cable's block (held) */
    int labels;           /* mesh nodes, the ends included */
    int *label;           /* [labels] their degrees of freedom, ascending labels */
    bool *held;           /* [cable.line.dofs] prescribed within the cable's block */
    double *fraction;     /* ale: [labels] place of a node within its sheave's mesh, 0 ... 1 */
    haw_ale_kind kind[2]; /* ale: of contact elements and of spans */
} haw_rope;

/* A material point. */
typedef struct haw_rope_point {
    double x[2]; /* [m] */
    haw_ale_axial axial;
} haw_rope_point;

/* The present course over moving sheaves: rigid tangents. */
typedef struct haw_reeving_arc {
    double in, out;  /* angles of the tangent points, continuous from the drawn ones [rad] */
    double span;     /* length of the straight line before it [m] */
    double along[2]; /* unit vector along that line, in the direction of growing labels */
} haw_reeving_arc;

/**
 * @param q    of the model (positions of bodies and of held ends)
 * @param arc  [arcs + 1] out; the last entry has only the line after the last sheave
 */
void haw_reeving_course(const haw_model *model, const haw_rope *rope, const double *q,
                        haw_reeving_arc *arc);

struct haw_rope_ops {
    haw_row row;
    bool takes_hard; /* contact points carry normal forces of their own */
    /**
     * Number the degrees of freedom: cable->line.dofs from cable->first on, elements, labels, held;
     * needs arcs, per_arc, overflow, modes. Sheaves' and ends' dofs are those of model->body.
     */
    haw_status (*layout)(haw_model *model, haw_cable *cable);
    /** Write the drawn start into q [model->coordinates]: labels, positions, no strain but that of
     * `length`. */
    void (*start)(const haw_model *model, const haw_cable *cable, double *q);
    /** energy[0] += elastic, energy[1] += gravity [J]. */
    void (*energy)(const haw_model *model, const haw_cable *cable, const double *q,
                   double energy[2]);
    double (*kinetic)(const haw_model *model, const haw_cable *cable, const double *q,
                      const double *u);
    /** f, d [model->dofs] += conservative and damping forces, on all dofs of the elements. */
    void (*force)(const haw_model *model, const haw_cable *cable, const double *q, const double *u,
                  double *f, double *d);
    /** y [model->dofs] += M(q) a + convective inertia. */
    void (*inertia)(const haw_model *model, const haw_cable *cable, const double *q,
                    const double *u, const double *a, double *y);
    /** factor[0] M + factor[1] C + K of element e over its dofs, [dofs^2] row-major; as
     * haw_ale_ops.
     */
    void (*tangent)(const haw_cable *cable, int e, const double *q, const double *u,
                    const double factor[2], double *k);
    /**
     * Velocities of given labels at the end of a step of length h from (q, u), into u_plus [dofs]:
     * the mesh follows the flow of the rope over each sheave, with a feedback that holds the nodes
     * at the tangent points of the present course. NULL: no labels are given.
     */
    void (*guide)(const haw_model *model, const haw_cable *cable, const double *q, const double *u,
                  double h, double *u_plus);
    /** Statics: move the mesh back to the tangent points, the rope itself stays where it is.
     * @return largest way of a node over its element [1], INFINITY: no memory. NULL: nothing to do
     */
    double (*recentre)(const haw_model *model, const haw_cable *cable, double *q);
    /** Tension and place at label s, which lies in element e (see haw_rope_find). @param u or NULL
     */
    void (*axial)(const haw_cable *cable, int e, double s, const double *q, const double *u,
                  haw_rope_point *point);
    /** Mean tension of element e [N]. @param u  or NULL */
    double (*tension)(const haw_model *model, const haw_cable *cable, int e, const double *q,
                      const double *u);
};

extern const haw_rope_ops haw_rope_ale, haw_rope_arc1d;

/** All kinds; ends with NULL. */
extern const haw_row *const haw_ropes[];

/** True if the cables of the model are ropes. */
static inline bool haw_model_has_ropes(const haw_model *model)
{
    return model->cables > 0 && model->cable[0].rope != NULL;
}

/** Element with the label s: bisection over the labels in q. */
int haw_rope_find(const haw_rope *rope, const double *q, double s);

/** Coordinates of element e from those of the model. */
void haw_rope_gather(const haw_rope *rope, int e, const double *x, double *local);

/** x [model->dofs] += local. */
void haw_rope_scatter(const haw_rope *rope, int e, const double *local, double *x);

/** Velocities of all given labels at the end of a step of length h from (q, u) into u_plus; nothing
 * without ropes. */
void haw_model_guide(const haw_model *model, const double *q, const double *u, double h,
                     double *u_plus);

/**
 * y [dofs] = M(q) a + velocity-dependent inertia forces, tied; with ropes in the plane. Else
 * haw_model_mass (spatial gyroscopic forces are among the forces). Prescribed rows included.
 */
void haw_model_inertia(const haw_model *model, const double *q, const double *u, const double *a,
                       double *y);

#endif
