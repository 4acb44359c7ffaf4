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
 * error of first order. Histories are those of compliant.h: [0] speed at first touch, [1] regime,
 * [2] slide of the relaxed bristle or z of lugre.
 *
 * Active sets that depend on two points may chatter: a knot that opened and closed HAW_FLIPS_MAX
 * times in one step, or whose bristle went between stick and slip HAW_SLIP_FLIPS_MAX times, keeps
 * its state for the rest of it and is counted as held where that is against its gap or its limit.
 */
#ifndef HAWSER_CONTACT_KNOT_H
#define HAWSER_CONTACT_KNOT_H

#include "cable/reeving.h"
#include "contact/compliant.h"

typedef struct haw_knots haw_knots;

enum { HAW_SLIP_FLIPS_MAX = 7 };

/*
 * A knot near its sheave, over the dofs of its element (haw_rope_element.dof) and x, y, angle of
 * the sheave. What a kernel does not use itself it need not fill: rows are read where the rope
 * takes no hard contact (arc1d), `point` where it does (ale).
 */
typedef struct haw_knot_press {
    int id;
    bool is_closed; /* carries forces */
    int element;
    double label;
    double share; /* of its forces in those of its length: the part that lies on the sheave, and
                     next to an edge what the knot there lacks by its lever */
    double share_slope, inset_slope; /* ale: along t */
    double angle;                    /* of its normal [rad] */
    double gap;     /* <= 0: pressed; arc1d: -T / (k_n R), a place before the sheave has gap > 0 */
    double inset;   /* way that it is past the end of the contact where it came in, < 0 before it
                       [m]: 0 is the moment of entry */
    double slide;   /* [m] */
    double rate[2]; /* gamma_N, gamma_T [m/s] */
    double normal[2];
    double level, drift;          /* ale: |r - c| [m], t . w, w relative to the centre [m/s] */
    double impact;                /* speed at first touch [m/s] */
    double f_inset;               /* df_T / d(inset) by the moment of entry [N/m] */
    haw_normal_force n;           /* of the share */
    haw_friction_force f;         /* of the share */
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

/** Place of the material point with this label of an `ale` rope [m]. */
void haw_knot_point(const haw_cable *cable, double label, const double *q, double x[3]);

/** n . J' u of a knot of `ale`, -v^2 / R where material flows along the sheave [m/s^2]. */
double haw_knot_ale_convection(const haw_rope *rope, const haw_knot_press *touch, const double *q,
                               const double *u);

/** Rows of a knot of `ale`, such that gamma_N and gamma_T are their products with u. */
void haw_knot_ale_rows(const haw_rope *rope, haw_knot_press *touch);

/* ---- the same protocol as compliant.h, which leads here for pairs of ropes ---- */

HAW_NODISCARD haw_status haw_knots_create(haw_context *context, haw_arena *arena,
                                          const haw_model *model, haw_knots **contact);
void haw_knots_free(haw_knots *contact);

void haw_knots_friction(haw_knots *contact, double friction);

/** In statics knots without history are anchored where they are: a comb laid on the rope. */
void haw_knots_begin(haw_knots *contact, const haw_state *state, haw_phase phase, double h);

HAW_NODISCARD haw_status haw_knots_evaluate(haw_knots *contact, const double *q, const double *u,
                                            double *normal, double *tangential);
void haw_knots_tangent(haw_knots *contact, double rate, haw_system *system);
double haw_knots_energy(const haw_knots *contact);
int haw_knots_closed(const haw_knots *contact);

/** Knots of the last evaluation that are held against the sign of their gap or their limit. */
int haw_knots_held(const haw_knots *contact);

/** Accept the step: closed knots of a pair of the model, if it has any, into `contacts`, which has
 * room for them; histories into the state. */
void haw_knots_list(const haw_knots *contact, int pair, haw_contacts *contacts);
void haw_knots_keep(haw_knots *contact, haw_state *state);

/** True if the points of the pair are knots. */
static inline bool haw_pair_has_knots(const haw_pair *pair)
{
    return pair->spacing > 0;
}

#endif
