/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compliant contact behind compliant.h: pairs, closed points and their forces, common to all
 * proxies, and what a row of the narrow phase answers to take a compliant law.
 */
#ifndef HAWSER_CONTACT_PRESS_H
#define HAWSER_CONTACT_PRESS_H

#include "contact/compliant.h"
#include "contact/histories.h"
#include "contact/knot.h"
#include "contact/narrow.h"

#include <math.h>

typedef struct haw_knot_block haw_knot_block;
typedef struct haw_knot_rows haw_knot_rows;
typedef struct haw_clasp haw_clasp;

enum { HAW_SHAPES = HAW_HULL_MAX };

/* How the gap of a point of a line is found. */
typedef enum haw_touch_kind {
    HAW_TOUCH_CHORD,  /* chord against a circle */
    HAW_TOUCH_CIRCLE, /* point of the curve against a circle */
    HAW_TOUCH_SHAPE,  /* point of the curve against any shape */
    HAW_TOUCH_PROXY   /* a disk against any shape */
} haw_touch_kind;

/* A pair with what does not change in a run. */
typedef struct haw_compliant_pair {
    const haw_pair *pair;
    const haw_press_ops *ops;
    const haw_body *body;   /* NULL: a cable is touched */
    const haw_cable *cable; /* NULL: a ball */
    int index;              /* in the model */
    bool switched;          /* post-Newton */
    const haw_normal_ops *normal;
    const haw_friction_ops *tangential; /* NULL: no friction */
    haw_normal_parameters pressing;     /* of a full share */
    haw_friction_parameters rubbing[2]; /* the same, after stick and after slip */
    double radius;                      /* of a circle [m] */
    double period;                      /* of the slide, INFINITY: none [m] */
    int first, last;                    /* points of the pair that were looked at */
    int from, to;                       /* points whose histories in the state may be closed */
    /* of lines and balls */
    haw_touch_kind kind;
    int n; /* points per element */
    bool has_offset;
    double offset, chord;            /* [m] reference length of a chord */
    double (*basis)[2 * HAW_SHAPES]; /* [n + 1] values and slopes at s = j / n */
    double (*twice)[4 * HAW_SHAPES]; /* [n + 1] the same, every number doubled */
    int *support;  /* [n + 1] first of the 4 coordinates that alone place a knot, -1: all do */
    double *clear; /* [elements] up to this haw_compliant.moved an element cannot come near */
    int end[2];    /* ids of points at ends with less than a full share, -1: none */
    double end_share;
    /* of ropes */
    haw_knot_side side;
    const haw_knot_kernel *kernel;
} haw_compliant_pair;

/* Closed points of an element, of a ball or of a rope on a sheave. */
typedef struct haw_patch {
    int pair;    /* of haw_compliant.pair */
    int element; /* -1: of several, or of a ball */
    int knot;    /* of an element: its n + 1 grid points begin here */
    int touch, count;
} haw_patch;

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

/* A direction whose angle is known; those of its neighbours are a short series away. */
typedef struct haw_bearing {
    bool is_set;
    double normal[2], angle;
} haw_bearing;

struct haw_compliant {
    haw_context *context;
    haw_arena arena;
    const haw_model *model;
    int pairs;
    haw_compliant_pair *pair;
    haw_phase phase;
    double h; /* of the step [s] */
    haw_histories histories;
    double *q, *u;             /* [dofs] of the last evaluation */
    double *start_q, *start_u; /* [dofs] at the start of the step */
    const double *rest_q;      /* of the state at a commit; NULL: that of the last evaluation */
    bool has_lines;            /* elements that may be clear of their surface */
    bool is_blind;             /* the state was forgotten, and not evaluated since */
    double moved;              /* sum of the largest changes of q between evaluations */
    double *gap_min;           /* [model pairs] of the last evaluation */
    haw_knot_block *block;     /* [largest n + 1] */
    haw_knot_rows *rows;       /* [largest n + 1] */
    haw_knot *spare;           /* [largest n + 1] of an element in the post-Newton step */
    haw_bearing base;          /* of the pair in evaluation */

    int most_teeth;                             /* room that combs ask for */
    int patches, knots, touches, teeth, closed; /* of the last evaluation */
    int patch_capacity, knot_capacity, touch_capacity, tooth_capacity;
    haw_patch *patch;
    haw_knot *knot;
    haw_press *touch;
    haw_knot_press *tooth; /* of ropes */

    haw_contacts
        *touched;        /* for views, and what the narrow phase lists for clasps; NULL: neither */
    const double *given; /* [points] normal forces of springs, NULL: those of their gaps [N] */
    double sight;        /* points nearer than this are listed with them [m] */
    int looked;          /* places of grids that the last evaluation looked at */
    haw_clasp *clasp;    /* of the last evaluation, `clasps` of them */
    int clasps, clasp_capacity;
};

/* What a row of the narrow phase answers about the points of its compliant pairs. */
struct haw_press_ops {
    bool anchors; /* bristles of new points stand where they came in, hold their regime, and those
                     of statics keep their load: a comb laid on a rope */
    bool takes_given; /* normal forces may be those of haw_compliant_give */
    /** The part of a pair that the row knows, and the period of its slide. */
    haw_status (*create)(haw_compliant *compliant, haw_compliant_pair *pair);
    /** Closed points at (q, u) as patches, pressed by haw_press_push, and their forces: normal and
     * tangential [dofs] +=. */
    haw_status (*evaluate)(haw_compliant *compliant, haw_compliant_pair *pair, const double *q,
                           const double *u, double *const force[2]);
    /** Where a point was at the start of the step. */
    haw_arrival (*arrive)(haw_compliant *compliant, const haw_compliant_pair *pair,
                          const haw_press *touch);
    /** Matrix += d(-f)/dq + rate d(-f)/du of a patch. */
    void (*tangent)(haw_compliant *compliant, const haw_patch *patch, double rate,
                    haw_system *system);
    /** The published switch of a pair; its error [N]. NULL: the row has none */
    double (*change)(haw_compliant *compliant, const haw_compliant_pair *pair);
    /** Point i of a patch; NULL: it is open. */
    const haw_press *(*point)(const haw_compliant *compliant, const haw_patch *patch, int i);
    /** Frame, body and its rows of point i into item; rates and forces along the frame [d]. */
    void (*describe)(const haw_compliant *compliant, const haw_patch *patch, int i, haw_touch *item,
                     double *rate, double *force);
    /** What friction remembers of a point, history[2] on. @param is_relaxed  nothing is bent */
    void (*keep)(const haw_compliant *compliant, const haw_compliant_pair *pair,
                 const haw_press *touch, bool is_relaxed, double *history);
};

extern const haw_press_ops haw_press_line, haw_press_ball, haw_press_comb, haw_press_clasp;

/** True if forces are those of the data of the last switch. */
static inline bool haw_press_is_frozen(const haw_compliant *compliant,
                                       const haw_compliant_pair *pair)
{
    return pair->switched && compliant->phase == HAW_DYNAMICS;
}

/** The representative of a slide next to zero. */
static inline double haw_slide_wrap(double slide, double period)
{
    return fabs(slide) <= 0.5 * period ? slide : remainder(slide, period);
}

/** Friction of a point with a full share, by its regime at the start of the step. */
static inline const haw_friction_parameters *
haw_press_friction(const haw_compliant *compliant, const haw_compliant_pair *pair, int id)
{
    const double regime = haw_history_start(&compliant->histories, id)[1];
    return &pair->rubbing[fabs(regime) == HAW_REGIME_FORWARD ? 1 : 0];
}

/** The same with the share of the point, which may need `part`. */
const haw_friction_parameters *haw_press_share(const haw_compliant *compliant,
                                               const haw_compliant_pair *pair,
                                               const haw_press *touch,
                                               haw_friction_parameters *part);

/** Where a point was at the start of the step: looked up when it turns out to be a new one. */
const haw_arrival *haw_press_arrival(haw_compliant *compliant, const haw_compliant_pair *pair,
                                     const haw_press *touch);

/** Normal force of a closed point, whose gap, rate, share and is_new are set [N]. */
double haw_press_normal(haw_compliant *compliant, const haw_compliant_pair *pair, haw_press *touch);

/** What a row with one slide describes and keeps of a point, but for the rows of the body. */
void haw_press_describe(const haw_compliant_pair *pair, const haw_press *touch, haw_touch *item,
                        double *rate, double *force);
void haw_press_keep(const haw_compliant *compliant, const haw_compliant_pair *pair,
                    const haw_press *touch, bool is_relaxed, double *history);

/** Normal and friction force of a closed point, whose gap, rates, slide, inset, share and is_new
 * are set. */
void haw_press_push(haw_compliant *compliant, const haw_compliant_pair *pair, haw_press *touch);

/** Views of the narrow phase are wanted: `touched`. @return ERR_NOMEM */
HAW_NODISCARD haw_status haw_press_list(haw_compliant *compliant);

/** A point that is held closed may be this far outside, or stand for what is so much nearer [m]. */
static inline double haw_press_margin(const haw_compliant_pair *pair)
{
    const double radius = pair->body != NULL ? haw_body_radius(pair->body) : pair->cable->radius;
    const double part = pair->pair->proxies == HAW_PROXY_MINIMA ? 0.25 : 1e-2;
    return isfinite(radius) ? part * radius : 0;
}

/** Arrays that the elements of lines share, once all pairs are there (chord.c). */
HAW_NODISCARD haw_status haw_chords_create(haw_compliant *compliant);

/** Room for another patch with its grid points and touches, of a line or of a comb.
 * @return ERR_NOMEM */
HAW_NODISCARD haw_status haw_compliant_reserve(haw_compliant *compliant, int knots, int touches,
                                               int teeth);

#endif
