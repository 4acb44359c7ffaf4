/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A touch: two material points that meet, one on each of two sides. The narrow phase makes it, a
 * set-valued law makes d rows of the contact problem of it, a compliant law forces.
 *
 * A side is a list of degrees of freedom with d rows over it, the components of its point's
 * velocity along n, t1 (, t2): J^T n, J^T t1, ... on the first side (a cable or a body that acts as
 * a point with a radius), the negative on the second one, so that gamma = row_0 u + row_1 u is the
 * velocity of the first relative to the second. In the plane d = 2, in space d = 3.
 */
#ifndef HAWSER_CONTACT_TOUCH_H
#define HAWSER_CONTACT_TOUCH_H

#include "cable/reeving.h"
#include "law/law.h"

/* Most rows of a touch, and most degrees of freedom of a side: an element of any kind of cable,
 * three nodes of a mortar row, a body. */
enum { HAW_DIRECTIONS = 3, HAW_SIDE_DOFS = HAW_ROPE_DOFS, HAW_BODY_DOFS = 6 };

typedef struct haw_touch_side {
    int cable, body; /* whose it is; the other one is -1, of the ground both */
    int count;       /* degrees of freedom; of the ground 0 */
    int first;       /* they are first, first + 1, ... */
    const int *list; /* or these, unless NULL */
    double row[HAW_DIRECTIONS][HAW_SIDE_DOFS];
} haw_touch_side;

typedef struct haw_touch {
    double x[3];       /* of the centreline's point or the ball's centre [m] */
    double s;          /* local coordinate in `element` */
    double convection; /* n . J' u, normal acceleration of the point at rates of q that stay: of
                          knots, whose mesh moves along the material [m/s^2] */
    int element;       /* of the cable of the first side, -1: a body */
    int id; /* of the grid point (where a point may have several feet, of one of them); survives
               between steps */
    int pair;
    int on;            /* element of the second side's cable, -1: a body */
    double gap;        /* of the point, or the least of the pieces that it stands for [m] */
    double dip;        /* of the point more than that [m] */
    double share;      /* of a mortar touch: sum of the weights of its points; of a knot the part of
                          its length on the sheave */
    double normal[3];  /* out of the second side */
    double tangent[3]; /* t1; t2 = n x t1 */
    double bend[2];    /* of the surface at the touch: dn = bend[k] t_k (t_k . dx) [1/m] */
    double turning;    /* part of the load along n whose direction turns with n: 1 but in mean rows
                          of a step (stepper/lean.h) */
    double at;         /* local coordinate in `on` */
    bool rests;        /* it does not move along that cable: an end, or a corner */
    bool floats;       /* along the first side's body, to where the gap is least */
    haw_touch_side side[2];
} haw_touch;

/*
 * A touch of a compliant law in the plane, with its forces. It is a tenth as long as haw_touch: an
 * evaluation of a belt makes thousands of them, and sums the forces of an element at its grid
 * points before they go to degrees of freedom, so that sides and rows are set for the list only.
 *
 * With l = P - X from the centre of the body to the point P and its velocity w relative to that of
 * the centre, gamma_N = n . w - omega arm_n and gamma_T = t . w + omega arm_t. The place of a
 * chord's point is rho of the way from a grid point to the next.
 */
typedef struct haw_press {
    double rho;
    double curvature;    /* dn = (curvature t . dl) t at a body at rest [1/m] */
    double level;        /* n . l [m] */
    double arm_n, arm_t; /* t . l, and n . l less the depth where the foot is the arm [m] */
    double drift[2];     /* n . w, t . w [m/s] */
    double slide_slope;  /* of the slide to a displacement of P along t */
    double slide_rho;    /* of the slide to rho, explicit part [m] */
    double slide_length; /* of the slide to the length of the chord; 0: it counts as in the
                            reference */
    /* from here on what every point has: combs, which are walked many times, have nothing else */
    int id;
    int knot;    /* of its patch */
    bool inside; /* of a chord: rho moves */
    bool is_new; /* open at the start of the step */
    double gap, normal[2];
    double share;   /* of a full point's stiffness */
    double rate[2]; /* gamma_N, gamma_T [m/s] */
    double slide;   /* present slide along t [m] */
    double impact;  /* speed at first touch [m/s] */
    double inset;   /* of a comb: way past the end of the contact where it came in, < 0 before
                       it [m]: 0 is the moment of entry */
    double f_inset; /* df_T / d(inset) by the moment of entry [N/m] */
    haw_normal_force n;
    haw_friction_force f;
} haw_press;

/** Degree of freedom k of a side. */
static inline int haw_side_dof(const haw_touch_side *side, int k)
{
    return side->list != NULL ? side->list[k] : side->first + k;
}

/** A side of `count` degrees of freedom from `first` on; its rows are to be set. */
static inline void haw_side_set(haw_touch_side *side, int cable, int body, int first, int count)
{
    side->cable = cable;
    side->body = body;
    side->first = first;
    side->count = count;
    side->list = NULL;
}

/** Frame of a touch in the plane: t1 is the normal turned clockwise; no curvature. */
static inline void haw_touch_set_plane(haw_touch *touch, const double normal[2])
{
    touch->normal[0] = normal[0];
    touch->normal[1] = normal[1];
    touch->tangent[0] = normal[1];
    touch->tangent[1] = -normal[0];
    touch->normal[2] = touch->tangent[2] = 0;
    touch->bend[0] = touch->bend[1] = 0;
    touch->turning = 1;
}

#endif
