/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Knots: contact points at the labels k * spacing of a rope, the comb of bristles that rides
 * through the elements (J. L. Escalona, Multibody Syst. Dyn. 2024). A pair of a rope and a sheave
 * has an id for every knot of the rope; only those near the sheave are looked at.
 *
 * Sense: the normal n points out of the sheave; `slide` is the arc coordinate of a knot along t (n
 * turned clockwise) in the frame of the sheave, R (angle of the sheave - angle of the knot), so
 * that gamma_T = d(slide)/dt and the friction -f_T t acts on the rope as everywhere (law.h).
 *
 * A knot that comes in within a step gets its bristle where it was at the moment of the entry,
 * linear in time between the two ends of the step: an anchor at the end of the step would be an
 * error of first order.
 */
#ifndef HAWSER_CONTACT_KNOT_H
#define HAWSER_CONTACT_KNOT_H

#include "cable/reeving.h"
#include "contact/contact.h"

/*
 * A knot near its sheave, over the dofs of its element (haw_rope_element.dof) and x, y, angle of
 * the sheave. What a kernel does not use itself it need not fill: rows are read where the rope
 * takes no hard contact (arc1d), `point` where it does (ale).
 *
 * The share of its forces is the part of its length that lies on the sheave, and next to an edge
 * what the knot there lacks by its lever. The gap of arc1d is -T / (k_n R); a place before the
 * sheave has gap > 0.
 */
typedef struct haw_knot_press {
    double share_slope, inset_slope; /* ale: along t */
    haw_press at;
    bool is_closed; /* carries forces */
    int element;
    double label;
    double angle;                 /* of its normal [rad] */
    double body_row[2][3];        /* as row, over the sheave */
    double row[HAW_ROPE_DOFS][2]; /* d(gap)/dq, d(slide)/dq over the element; few of arc1d, which
                                     lie beside what else an evaluation needs */
    haw_ale_point point;          /* ale: at the label */
} haw_knot_press;

/* A rope on one of its sheaves. */
typedef struct haw_knot_side {
    const haw_model *model;
    const haw_cable *cable;
    int cable_index, arc, body;
    double k_n;     /* bed stiffness per length [N/m^2] */
    double spacing; /* length of the rope that belongs to a knot [m] */
} haw_knot_side;

haw_knot_side haw_knot_side_of(const haw_model *model, const haw_pair *pair);

/* What the two kinds of rope do differently, for runs of knots in ascending order. */
typedef struct haw_knot_kernel {
    const haw_cable_ops *rope;
    /** Labels between which knots may touch the sheave; [0] > [1]: none. */
    void (*range)(const haw_knot_side *side, const double *q, double label[2]);
    /** Fill label-dependent fields of touches (id and label are set): element, share, angle, gap,
     * inset, slide, rates, rows, normal. */
    void (*place)(const haw_knot_side *side, const double *q, const double *u, int count,
                  haw_knot_press *touch);
    /** Forces n and f of closed touches on all dofs: normal [dofs] +=, tangential [dofs] +=. */
    void (*apply)(const haw_knot_side *side, int count, const haw_knot_press *touch, double *normal,
                  double *tangential);
    /** Matrix += d(-forces)/dq + rate d(-forces)/du of closed touches. */
    void (*tangent)(const haw_knot_side *side, int count, const haw_knot_press *touch, double rate,
                    haw_system *system);
} haw_knot_kernel;

extern const haw_knot_kernel haw_knot_kernel_ale, haw_knot_kernel_arc1d;

/** Kernel of a rope's kind. */
const haw_knot_kernel *haw_knot_kernel_find(const haw_cable *cable);

/** Knots of a pair between two labels: first and last index, none where last < first. */
void haw_knot_range(const haw_pair *pair, const double label[2], int *first, int *last);

/** n . J' u of a knot of `ale`, -v^2 / R where material flows along the sheave [m/s^2]. */
double haw_knot_ale_convection(const haw_rope *rope, const haw_knot_press *touch, const double *q,
                               const double *u);

/** Rows of a knot of `ale`, such that gamma_N and gamma_T are their products with u. */
void haw_knot_ale_rows(const haw_rope *rope, haw_knot_press *touch);

/** True if the points of the pair are knots. */
static inline bool haw_pair_has_knots(const haw_pair *pair)
{
    return pair->spacing > 0;
}

/** Radius of the rope's centreline on the sheave of a pair [m]. */
static inline double haw_knots_radius(const haw_model *model, const haw_pair *pair)
{
    return model->cable[pair->cable].rope->arc[pair->arc].radius;
}

#endif
