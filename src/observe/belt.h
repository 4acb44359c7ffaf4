/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What belts show: the free spans between pulleys, the slip zones on them, and the friction that
 * acts there. belt_fit.c works on arrays alone, belt.c fills them from a simulation.
 * Places on a cable are counted in elements, from 0 at its start.
 */
#ifndef HAWSER_OBSERVE_BELT_H
#define HAWSER_OBSERVE_BELT_H

#include "observe/probe.h"

/* The piece of cable that belongs to one grid point of a contact zone. */
typedef struct haw_belt_chord {
    double angle;      /* that it covers on the body, (1 + eps) ds / R [rad] */
    double tension;    /* at its middle [N] */
    double normal;     /* contact force or impulse, 0 where the point is open */
    double tangential; /* the same along t; of belts its size */
} haw_belt_chord;

/* From `begin` to `end` >= begin; places behind the end of a closed cable are those of its start.
 */
typedef struct haw_belt_span {
    double begin, end;
} haw_belt_span;

/* Values at the places first, first + step, ... */
typedef struct haw_belt_samples {
    int count;
    double first, step;
    bool cyclic;
    const double *value; /* [count] */
} haw_belt_samples;

typedef struct haw_belt_fit {
    double friction;  /* |d ln N / d phi| by least squares */
    double deviation; /* largest |N / N_mid exp(-+ mu (phi - phi_mid)) - 1| */
} haw_belt_fit;

/** Chords of the contiguous slip zone that ends with the last chord: |T| >= 0.999 mu N. */
int haw_belt_slip_count(int count, const haw_belt_chord *chord, double mu);

/** Turn the order of chords around. */
void haw_belt_reverse(int count, haw_belt_chord *chord);

/** Angle of the chords together [rad]. */
double haw_belt_angle(int count, const haw_belt_chord *chord);

/**
 * Effective friction of a slip zone (L. Euler; J. A. Eytelwein, N = N_0 exp(mu phi)): log-linear
 * least squares of N against the arc angle phi over its chords without the first and last two.
 *
 * @param mu  the law's own, for the deviation
 * @return    NAN where fewer than 5 chords are left, or one of them is slack
 */
haw_belt_fit haw_belt_fit_friction(int count, const haw_belt_chord *chord, double mu);

/**
 * Free spans of a cable of `length` elements between contact zones; the ends of an open cable end
 * a span as well. Sorts the zones.
 *
 * @param span  [zones + 1] out
 * @return      number of spans
 */
int haw_belt_spans(double length, bool closed, int zones, haw_belt_span *zone, haw_belt_span *span);

/** A span without the sixth at either end, where the cable still bends and slips. */
haw_belt_span haw_belt_trim(haw_belt_span span);

/** Mean of the samples in a window, NAN where there is none. */
double haw_belt_mean(const haw_belt_samples *samples, haw_belt_span window);

/** The samples' linear interpolation at a place. */
double haw_belt_interpolate(const haw_belt_samples *samples, double place);

/* One pair at one frame, NAN where it has no contact. Entry and exit are those of the cable's
 * motion along itself. */
typedef struct haw_belt_wrap {
    bool is_fresh;
    int count;             /* chords from the first to the last closed point, 0: no contact */
    haw_belt_chord *chord; /* [points] from entry to exit */
    haw_belt_span zone;
    double entry, exit;  /* angle of the outward normal [rad] */
    double length;       /* unstrained, in contact [m] */
    double slip, stick;  /* angles [rad] */
    haw_belt_fit effect; /* of the slip zone */
    bool forward;        /* the cable runs from its start to its end */
    double side[2];      /* tension at entry and exit; of belts once their spans are known [N] */
    /* Of ropes on sheaves (wrap.h), else NAN: */
    double creep;   /* of the rope against the sheave, since the last frame */
    bool is_marked; /* that frame had a label there and an angle of the sheave: */
    double mark[2];
    int way; /* as the rope last ran for more than its vibrations: 1 forward, -1, 0: not yet */
    double anchor;         /* where it must run past for that, NAN before the first frame */
    double tangential_max; /* largest friction per length [N/m] */
} haw_belt_wrap;

/* One cable at one frame. */
typedef struct haw_belt_line {
    bool is_fresh, has_spans;
    double *tension_value, *speed_value;
    haw_belt_samples tension;  /* at x = 0 and L / 2 of each element, damping included [N] */
    haw_belt_samples speed;    /* along the tangent at L / 2 of each element [m/s] */
    double tight[2], slack[2]; /* tension and speed of the tightest and the slackest span */
} haw_belt_line;

typedef struct haw_belt {
    haw_belt_wrap *wrap;        /* [pairs] */
    haw_belt_line *line;        /* [cables] */
    haw_belt_span *zone;        /* [pairs] */
    haw_belt_span *span;        /* [pairs + 1] */
    struct haw_wrap_knot *knot; /* [points of the largest pair of a rope] */
} haw_belt;

/** Room for the samples of a cable. @return ERR_NOMEM */
HAW_NODISCARD haw_status haw_belt_line_create(haw_arena *arena, const haw_cable *cable,
                                              haw_belt_line *line);

/** Fill the samples. @param q, u  of the model */
void haw_belt_line_sample(const haw_cable *cable, const double *q, const double *u,
                          haw_belt_line *line);

/* A material point of a cable in motion. */
typedef struct haw_belt_motion {
    double x[3];  /* [m] */
    double v[3];  /* [m/s] */
    double speed; /* along the tangent [m/s] */
} haw_belt_motion;

/** Motion at local coordinate s of element e. @param q, u  of the model */
void haw_belt_move(const haw_cable *cable, int e, double s, const double *q, const double *u,
                   haw_belt_motion *motion);

/** Middle of the piece of cable of a grid point: a chord follows its point, a point of the curve is
 * the middle of its own. */
void haw_belt_middle(const haw_model *model, const haw_pair *pair, int point, int *element,
                     double *s);

/** Room for o->belt. */
HAW_NODISCARD haw_status haw_belt_create(haw_observation *o);

/** The state is another one: what was computed of the last is forgotten. */
void haw_belt_refresh(haw_observation *o);

/** A pair, a cable at the present state; computed once. */
const haw_belt_wrap *haw_belt_wrap_get(const haw_observation *o, int pair);
const haw_belt_line *haw_belt_line_get(const haw_observation *o, int cable);

/* ---- wrap.c ---- */

/*
 * What ropes show on their sheaves at the present state: the closed knots of the last step with
 * their loads per length, tensions on both sides, slip arc and creep. Entry and exit are those of
 * the rope's motion over the sheave; where neither moves, of the turn of the sheave so far, or else
 * towards the larger tension.
 */

/* A closed knot. */
typedef struct haw_wrap_knot {
    double label;              /* [m] */
    double direction;          /* of its normal [rad] */
    double angle;              /* of the arc from the tangent point of the lower label [rad] */
    double share;              /* part of its length that lies on the sheave */
    double speed;              /* of the material along the rope, to growing labels [m/s] */
    double slip;               /* gamma_T [m/s] */
    double normal, tangential; /* force per length on the rope along n and t [N/m] */
    double tension, strain;
} haw_wrap_knot;

/**
 * Closed knots of a pair in the order of their labels.
 * @param knot  [pair->points] out
 * @return      their number
 */
int haw_wrap_knots(const haw_frame *frame, int pair, haw_wrap_knot *knot);

/** Fill the wrap of a pair `index` of knots, but not what belts alone have. */
void haw_wrap_measure(const haw_observation *o, int index, haw_belt_wrap *wrap);

/* Knots on their way over a sheave. */
typedef struct haw_wrap_passage {
    const haw_wrap_knot *knot; /* [count] in the order of their labels */
    int count;
    bool forward; /* the rope enters at the lower labels */
    double wrap;  /* between the tangent points [rad] */
} haw_wrap_passage;

/**
 * Angles of slip (where the rope leaves) and stick, and the effective friction of the slip arc, of
 * a compliant law.
 *
 * @param wrap  chords from entry to exit are set
 */
void haw_wrap_slip(const haw_wrap_passage *p, double mu, haw_belt_wrap *wrap);

/** The same of set-valued friction, by the slip velocities. */
void haw_wrap_hard_slip(const haw_wrap_passage *p, double mu, haw_belt_wrap *wrap);

/* Rows of the probes; the last reads a member of haw_belt_wrap. */
haw_probe_function haw_belt_tension_tight, haw_belt_tension_slack, haw_belt_speed_tight,
    haw_belt_speed_slack, haw_belt_creep, haw_belt_wrap_value;

#endif
