/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contact laws. Part of the contact problem is how a law shifts q:
 * a set-valued law on velocity level acts on gamma+ + e gamma-, so q_c = gamma_free + e gamma-.
 * A compliant law is a force of gap, velocity and history: one row of haw_normal_laws and one of
 * haw_friction_laws. Signs of all of them: the normal force f_N >= 0 presses the cable away from
 * the body along n; the friction f_T acts on the cable along -t, t being n turned clockwise.
 */
#ifndef HAWSER_LAW_LAW_H
#define HAWSER_LAW_LAW_H

#include "base/status.h"

typedef struct haw_law_options {
    double friction;               /* mu */
    double restitution;            /* e_N */
    double restitution_tangential; /* e_T */
} haw_law_options;

typedef struct haw_law_ops {
    haw_row row;
    bool set_valued; /* true: a row of the contact problem; false: a force of gap and velocity */
    /** shift [d] = what the law adds to gamma_free, from gamma- [d] before the step [m/s]. NULL
     * where the law is not set-valued. */
    void (*shift)(const haw_law_options *options, int dimension, const double *gamma_minus,
                  double *shift);
} haw_law_ops;

extern const haw_law_ops haw_law_hard, haw_law_penalty;

/** All laws; ends with NULL. */
extern const haw_row *const haw_laws[];

/* ---- compliant laws ---- */

/** Whether a law reads a key of a contact. @param keys  of the law, ends with NULL */
bool haw_law_reads(const char *const *keys, const char *key);

/* ---- compliant normal laws ---- */

/* Of one contact point, whatever `per` they were given in. */
typedef struct haw_normal_parameters {
    double stiffness;   /* k [N/m^n] */
    double damping;     /* d [N s/m] (linear), [N s/m^(n+1)] (hunt-crossley) */
    double exponent;    /* n; 1 for linear */
    double restitution; /* e of lankarani-nikravesh */
} haw_normal_parameters;

typedef struct haw_normal_force {
    double force;  /* f_N >= 0 [N] */
    double d_gap;  /* df_N/dg [N/m] */
    double d_rate; /* df_N/dgamma_N [N s/m] */
} haw_normal_force;

typedef struct haw_normal_ops {
    haw_row row;
    const char *const *keys;  /* of a contact that it reads; ends with NULL */
    const char *const *needs; /* numbers among them that must be given, and positive */
    bool uses_impact;         /* needs the speed at first touch */
    bool is_linear;           /* its stiffness does not depend on the gap */
    /**
     * Force at gap g <= 0 and its rate gamma_N, never negative (a compliant contact does not
     * stick); the derivatives are those of the branch in force.
     * @param impact  speed -gamma_N at first touch [m/s], > 0 where uses_impact
     */
    void (*force)(const haw_normal_parameters *p, double gap, double rate, double impact,
                  haw_normal_force *out);
    /** Energy stored at gap g <= 0 [J]. */
    double (*energy)(const haw_normal_parameters *p, double gap);
} haw_normal_ops;

extern const haw_normal_ops haw_normal_linear, haw_normal_lankarani, haw_normal_hunt;
extern const haw_row *const haw_normal_laws[];

/** Force of a contact that is held closed: at gap > 0 the law continued from g = 0 along its
 * tangent, never tensile. */
void haw_normal_extend(const haw_normal_ops *law, const haw_normal_parameters *p, double gap,
                       double rate, double impact, haw_normal_force *out);

/* ---- friction laws ---- */

/* Of one contact point. Static friction may exceed kinetic friction (Stribeck):
 * F_lim(v) = f_N (mu_k + (mu_s - mu_k) exp(-(v / v_s)^2)). */
typedef struct haw_friction_parameters {
    double mu_static, mu_kinetic;
    double stribeck_velocity; /* v_s [m/s] > 0; 0 where haw_friction_after chooses one of both */
    double stiffness;         /* bristle: mu_k of the source; lugre: sigma_0 [N/m] */
    double damping;           /* bristle: mu_v of the source; lugre: sigma_1 [N s/m] */
    double viscous;           /* sigma_2, added to every law [N s/m] */
    double regularization;    /* regularized: |gamma_T| of full friction [m/s] */
} haw_friction_parameters;

typedef enum haw_regime {
    HAW_REGIME_NONE = -2, /* new contact: no bristle yet */
    HAW_REGIME_BACKWARD = -1,
    HAW_REGIME_STICK = 0,
    HAW_REGIME_FORWARD = 1 /* the cable slips along +t, gamma_T > 0 */
} haw_regime;

/* Of slips along one line. */
typedef struct haw_friction_state {
    double normal; /* f_N >= 0 [N] */
    double rate;   /* gamma_T [m/s] */
    double slide;  /* displacement along t since the bristle was set [m] (bristle only) */
    double memory; /* z of lugre at the start of the step [m] */
    double h;      /* step [s] */
} haw_friction_state;

typedef struct haw_friction_force {
    double force; /* f_T, acts on the cable along -t [N] */
    double d_rate, d_slide, d_normal;
    haw_regime regime;
    double deflection; /* bristle: (slide after the return map), lugre: z at the end [m] */
} haw_friction_force;

/* The same of slips in a plane: vectors of n components, and matrices [n^2] row-major. All laws are
 * isotropic: in space n may be 3, all vectors being tangent to the surface. */
typedef struct haw_slip {
    double normal, rate[3], slide[3], memory[3], h;
} haw_slip;

typedef struct haw_slip_force {
    double force[3]; /* acts on the cable along its opposite [N] */
    double d_rate[9];
    double d_slide[9];
    double d_memory[9]; /* of laws without a slide */
    double d_normal[3];
    haw_regime regime; /* of slip: FORWARD, where n > 1 */
    double deflection[3];
} haw_slip_force;

/* Keys that all of them read. */
#define HAW_FRICTION_KEYS                                                                          \
    "friction", "friction_kinetic", "stribeck_velocity", "viscous_friction", "per"

typedef struct haw_friction_ops {
    haw_row row;
    const char *const *keys;  /* of a contact that it reads; ends with NULL */
    const char *const *needs; /* numbers among them that must be given, and positive */
    bool uses_slide;          /* needs the slide since the bristle was set */
    bool is_unbounded;        /* may exceed F_lim without bound */
    bool is_drag;             /* of the velocity alone: none at rest */
    /** Force with the return map inside; the derivatives are those of the branch in force. */
    void (*force)(const haw_friction_parameters *p, const haw_friction_state *state,
                  haw_friction_force *out);
    /** The same for n = 3. */
    void (*vector)(const haw_friction_parameters *p, const haw_slip *slip, haw_slip_force *out);
} haw_friction_ops;

extern const haw_friction_ops haw_friction_regularized, haw_friction_bristle, haw_friction_lugre,
    haw_friction_blend;
extern const haw_row *const haw_friction_laws[];

/** F_lim(v) / f_N, the friction coefficient at slip speed v, and its derivative to v. */
double haw_friction_coefficient(const haw_friction_parameters *p, double v, double *slope);

/**
 * Without a Stribeck velocity: one coefficient for both, the static one after stick and for new
 * contacts, the kinetic one after slip (hysteresis). Else p as it is.
 * @param last  regime at the start of the step
 */
haw_friction_parameters haw_friction_after(const haw_friction_parameters *p, haw_regime last);

#endif
