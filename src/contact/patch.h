/* SPDX-License-Identifier: BSD-3-Clause */
/* Compliant contact on points and chords: closed points by the elements that they lie on. */
#ifndef HAWSER_CONTACT_PATCH_H
#define HAWSER_CONTACT_PATCH_H

#include "contact/compliant.h"
#include "contact/knot.h"

enum { HAW_SHAPES = HAW_HULL_MAX };

/* How the gap of a point is found. */
typedef enum haw_touch_kind {
    HAW_TOUCH_CHORD,  /* chord against a circle */
    HAW_TOUCH_CIRCLE, /* point of the curve against a circle */
    HAW_TOUCH_SHAPE,  /* point of the curve against any shape */
    HAW_TOUCH_PROXY   /* a disk against any shape */
} haw_touch_kind;

/* A pair with what does not change in a run. */
typedef struct haw_compliant_pair {
    const haw_pair *pair;
    haw_touch_kind kind;
    const haw_body *body;
    const haw_cable *cable; /* NULL: proxy */
    int index;              /* in the model */
    int n;                  /* points per element */
    int first_box;          /* of the cable in haw_compliant.box */
    bool owns_boxes;        /* the first pair of its cable fills them */
    bool switched;          /* post-Newton */
    bool has_offset;
    double offset, chord;            /* [m] reference length of a chord */
    double radius;                   /* of a circle [m] */
    double period;                   /* of the slide, INFINITY: none [m] */
    double (*basis)[2 * HAW_SHAPES]; /* [n + 1] values and slopes at s = j / n */
    double (*twice)[4 * HAW_SHAPES]; /* [n + 1] the same, every number doubled */
    int *support; /* [n + 1] first of the 4 coordinates that alone place a knot, -1: all do */
    const haw_normal_ops *normal;
    const haw_friction_ops *tangential; /* NULL: no friction */
    haw_normal_parameters normal_of[2]; /* of a full share, and of an end point's */
    haw_friction_parameters tangential_of[2];
    int end[2]; /* ids of the points with the share of an end, -1: none */
} haw_compliant_pair;

/*
 * A grid point of an element that is in contact. Vectors are relative to the centre of the surface
 * body. With an offset y, p = x + y nu and v = x_t - y w tau with the unit tangent tau of the
 * curve, nu = (-tau_y, tau_x) and w = (x' x x'_t) / |x'|^2.
 */
typedef struct haw_knot {
    double p[2], v[2];
    double tangent[2];  /* tau; with an offset only, as all below */
    double inverse;     /* 1 / |x'| */
    double bend[2];     /* x'_t / |x'| */
    double turn;        /* w [1/s] */
    double force[2][2]; /* normal and tangential, on the cable [N] */
} haw_knot;

/*
 * A closed contact point P, rho of the way from its knot to the next (chords), with l = P - X from
 * the centre of the body: gamma_N = n . w - omega arm_n and gamma_T = t . w + omega arm_t, w the
 * velocity of P relative to that of the centre.
 */
typedef struct haw_press {
    int id;
    int knot;    /* of the patch */
    int share;   /* of haw_compliant_pair.normal_of */
    bool inside; /* of a chord: rho moves */
    bool is_new; /* open at the start of the step */
    double rho, gap, normal[2];
    double curvature;    /* dn = (curvature t . dl) t at a body at rest [1/m] */
    double level;        /* n . l [m] */
    double arm_n, arm_t; /* t . l, and n . l less the depth where the foot is the arm [m] */
    double rate[2];      /* gamma_N, gamma_T [m/s] */
    double drift[2];     /* n . w, t . w [m/s] */
    double slide;        /* present slide along t [m] */
    double slide_slope;  /* of the slide to a displacement of P along t */
    double slide_rho;    /* of the slide to rho, explicit part [m] */
    double slide_length; /* of the slide to the length of the chord; 0: it counts as in the
                            reference */
    double impact;       /* speed at first touch [m/s] */
    haw_normal_force n;
    haw_friction_force f;
} haw_press;

/* An element (or proxy) with closed points; its knots are n + 1 from `knot` on. */
typedef struct haw_patch {
    int pair;    /* of haw_compliant.pair */
    int element; /* -1: proxy */
    int knot;
    int touch, count;
} haw_patch;

/* Derivatives of the force at knot i, and of the moment tau on the body, to itself and its two
 * neighbours, while an element block is gathered. */
typedef struct haw_knot_block {
    double a[3][4];   /* df_i / dp_j + rate df_i / dv_j, j = i - 1, i, i + 1, row-major 2 x 2 */
    double b[3][4];   /* df_i / dv_j */
    double column[2]; /* df_i / dphi + rate df_i / domega */
    double row[2];    /* dtau / dp_i + rate dtau / dv_i */
    double row_v[2];  /* dtau / dv_i */
} haw_knot_block;

/* Forces at a knot by the coordinates of its element, and what acts through the slope there. */
typedef struct haw_knot_rows {
    double force[2][2 * HAW_SHAPES], turned[2][2 * HAW_SHAPES];
} haw_knot_rows;

/* A direction whose angle is known; those of its neighbours are a short series away. */
typedef struct haw_bearing {
    bool is_set;
    double normal[2], angle;
} haw_bearing;

struct haw_compliant {
    haw_context *context;
    haw_arena arena;
    const haw_model *model;
    haw_knots *comb; /* of pairs whose points ride through the elements */
    int pairs;       /* all others */
    haw_compliant_pair *pair;
    haw_phase phase;
    double h;              /* of the step [s] */
    const double *history; /* [points][HAW_HISTORY] at the start of the step */
    double *trial;         /* the same, of switched pairs, at the last switch */
    double *q, *u;         /* [dofs] of the last evaluation */
    double *start_u;       /* [dofs] at the start of the step, where a law uses the impact speed */
    double *impact;        /* [points] frozen at first touch in the step, NAN: none yet [m/s] */
    signed char *seen;     /* [points] closed at the last look in the step, -1: none yet */
    unsigned char *flips;  /* [points] within the step */
    double *gap_min;       /* [model pairs] of the last evaluation */
    haw_box *box;          /* [elements of all cables] hulls */
    haw_knot_block *block; /* [largest n + 1] */
    haw_knot_rows *rows;   /* [largest n + 1] */
    haw_knot *spare;       /* [largest n + 1] of an element in the post-Newton step */
    bool uses_impact;
    bool searches;    /* some pair is not switched */
    haw_bearing base; /* of the pair in evaluation */

    int patches, knots, touches; /* of the last evaluation */
    int patch_capacity, knot_capacity, touch_capacity;
    haw_patch *patch;
    haw_knot *knot;
    haw_press *touch;
    int held;
};

/* One pair at one configuration. */
typedef struct haw_patch_view {
    haw_compliant *compliant;
    const haw_compliant_pair *pair;
    const double *pose, *rate; /* of the body, [3] */
    double angle;              /* of the body, reduced to one turn [rad] */
    double *gap_min;
} haw_patch_view;

/* History of an open point; its gap may be any positive length where nobody has looked. */
static inline void haw_history_open(double history[HAW_HISTORY])
{
    history[0] = 0.1;
    history[1] = HAW_REGIME_NONE;
    history[2] = 0;
}

haw_patch_view haw_patch_view_init(haw_compliant *compliant, const haw_compliant_pair *pair,
                                   const double *q, const double *u);

/** Bounding box of control points, which contains the cubic. */
haw_box haw_hull_box(const double p[4][2]);

/** Exact bounding box of the cubic x(s) with Bernstein control points p, 0 <= s <= 1. */
haw_box haw_cubic_box(const double p[4][2]);

/** Control points of an element from its coordinates and the basis at its ends.
 */
void haw_compliant_controls(const haw_compliant_pair *pair, const double *z, double p[4][2]);

/** Hull boxes of all elements of the cables with compliant contact. */
void haw_compliant_boxes(haw_compliant *compliant, const double *q);

/** False only if no point of the contact line of an element is within `pad` of the surface; asked
 * where its hull is. */
bool haw_compliant_near(const haw_patch_view *view, const double *z, double pad);

/**
 * Normal and friction forces of closed points, by the return map or with the frozen data `trial`;
 * the knots get their shares.
 */
void haw_presses_push(const haw_compliant *compliant, const haw_compliant_pair *pair, int count,
                      haw_press *touch, haw_knot *knots);

/** Knots `first` to `last` of a cable element that carry contact: chords start there. */
void haw_compliant_range(const haw_compliant_pair *pair, int e, int *first, int *last);

/** True if any of `count` points from `first` on is closed by the data of the last switch. */
bool haw_compliant_any_closed(const haw_compliant *compliant, int first, int count);

/** Room for another patch with its knots and touches. @return ERR_NOMEM */
HAW_NODISCARD haw_status haw_compliant_reserve(haw_compliant *compliant, int knots, int touches);

#endif
