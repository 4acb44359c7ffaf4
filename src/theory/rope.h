/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the theories of a rope on a sheave share: options, the bed of bristles, profiles. alpha = 0
 * at the end of the low tension T1 and alpha = W at that of the high tension T2; a tangential force
 * per length t > 0 raises T with alpha, dT/dalpha = R t.
 */
#ifndef HAWSER_THEORY_ROPE_H
#define HAWSER_THEORY_ROPE_H

#include "theory/result.h"

enum { HAW_ROPE_POINTS_MAX = 1000000 };

enum { HAW_ROPE_DRIVING, HAW_ROPE_BRAKING };

typedef struct haw_rope_options {
    double t1, t2, radius, wrap;
    double mu, mu_s, mu_k; /* NAN: not given */
    double r;              /* NAN: from the stiffnesses */
    double ea, kt, kn;     /* kn NAN: rigid */
    double t0;
    int direction, form, points;
} haw_rope_options;

extern const char *const haw_rope_auto[];
extern const char *const haw_rope_rigid[];
extern const char *const haw_rope_directions[];

/* Rows of the option tables, in groups. */
#define HAW_ROPE_REAL(key, field, preset, smallest, unit, words, help)                             \
    {                                                                                              \
        key, HAW_OPTION_REAL, offsetof(haw_rope_options, field), preset, smallest, DBL_MAX, unit,  \
            help, words                                                                            \
    }

#define HAW_ROPE_LOADS                                                                             \
    HAW_ROPE_REAL("t1", t1, 1000, DBL_MIN, "N", NULL, "low tension T1, at alpha = 0"),             \
        HAW_ROPE_REAL("t2", t2, 3000, DBL_MIN, "N", NULL, "high tension T2, at alpha = wrap"),     \
        HAW_ROPE_REAL("radius", radius, 1, DBL_MIN, "m", NULL,                                     \
                      "radius of the sheave, to the centreline of the rope"),                      \
        HAW_ROPE_REAL("wrap", wrap, HAW_PI, DBL_MIN, "rad", NULL, "wrap angle W"),                 \
        HAW_ROPE_REAL(                                                                             \
            "mu", mu, (double)NAN, 0, "", haw_rope_auto,                                           \
            "coefficient of friction, static and kinetic; auto: 0.4, or what mu-s or mu-k says"),  \
        HAW_ROPE_REAL("mu-s", mu_s, (double)NAN, 0, "", haw_rope_auto,                             \
                      "static friction, which limits adherence; auto: mu"),                        \
        HAW_ROPE_REAL("mu-k", mu_k, (double)NAN, 0, "", haw_rope_auto,                             \
                      "kinetic friction, of the slip arc on a turning sheave; auto: mu")

#define HAW_ROPE_STIFFNESS                                                                         \
    HAW_ROPE_REAL("ea", ea, 1.6e7, DBL_MIN, "N", NULL, "axial stiffness EA of the rope"),          \
        HAW_ROPE_REAL("kn", kn, 3e8, DBL_MIN, "N/m^2", haw_rope_rigid,                             \
                      "normal stiffness of the bed, force per length per displacement")

#define HAW_ROPE_BRISTLES                                                                          \
    HAW_ROPE_REAL("r", r, (double)NAN, DBL_MIN, "", haw_rope_auto,                                 \
                  "ratio r = R sqrt(k_t / EA*); auto: from kt, ea, kn and radius"),                \
        HAW_ROPE_REAL("kt", kt, 1e7, DBL_MIN, "N/m^2", NULL,                                       \
                      "tangential stiffness of the bristles, force per length per displacement; "  \
                      "where r is not given")

#define HAW_ROPE_DIRECTION                                                                         \
    {                                                                                              \
        "direction", HAW_OPTION_CHOICE, offsetof(haw_rope_options, direction), HAW_ROPE_DRIVING,   \
            0, 0, "",                                                                              \
            "driving: the sheave drives, the rope enters with T2; braking: the rope drives, it "   \
            "enters with T1",                                                                      \
            haw_rope_directions                                                                    \
    }

#define HAW_ROPE_POINTS                                                                            \
    {                                                                                              \
        "points", HAW_OPTION_INT, offsetof(haw_rope_options, points), 33, 2, HAW_ROPE_POINTS_MAX,  \
            "", "number of points of the profiles", NULL                                           \
    }

/* A rope on one sheave: the options as the theories need them. */
typedef struct haw_rope_theory {
    double t1, t2;    /* [N] */
    double radius;    /* [m] */
    double wrap;      /* [rad] */
    double log_ratio; /* ln(T2 / T1) */
    double mu_s, mu_k;
    double r;       /* R sqrt(k_t / EA*) */
    double ea_star; /* axial stiffness of rope and bed in series [N] */
    double kt;      /* [N/m^2] */
    bool is_driving;
} haw_rope_theory;

/** Frictions, EA* and r. @return ERR_INPUT if T2 < T1 */
HAW_NODISCARD haw_status haw_rope_resolve(haw_context *context, const haw_rope_options *options,
                                          haw_rope_theory *rope);

/** Refuse a static friction below the kinetic one. */
HAW_NODISCARD haw_status haw_rope_check_friction(haw_context *context, const haw_rope_theory *rope);

/**
 * Refuse a load that the sheave cannot hold, as the rope slides over the whole arc.
 *
 * @param limit  largest ln(T2 / T1)
 */
HAW_NODISCARD haw_status haw_rope_check_load(haw_context *context, const haw_rope_theory *rope,
                                             double limit);

/** ln(T2 / T1) / mu_k: slip arc of the creep theory. */
double haw_rope_creep_angle(const haw_rope_theory *rope);

/** Append r, EA_star and k_t. */
HAW_NODISCARD haw_status haw_rope_add_bed(haw_context *context, haw_theory_result *result,
                                          const haw_rope_theory *rope);

/**
 * Append tangential_sum, tension_sum and torque.
 *
 * @param tangential  R int t dalpha [N]
 * @param tension     int T dalpha [N]
 */
HAW_NODISCARD haw_status haw_rope_add_sums(haw_context *context, haw_theory_result *result,
                                           const haw_rope_theory *rope, double tangential,
                                           double tension);

/* Tension [N] and tangential force per length [N/m] at a place of the arc. */
typedef struct haw_rope_theory_point {
    double tension, tangential;
} haw_rope_theory_point;

typedef haw_rope_theory_point (*haw_rope_profile)(const void *solution, double alpha);

/** Append the profiles alpha, tension, normal and tangential with `points` points. */
HAW_NODISCARD haw_status haw_rope_add_profiles(haw_context *context, haw_theory_result *result,
                                               const haw_rope_theory *rope, int points,
                                               haw_rope_profile profile, const void *solution);

/*
 * Ratios of hyperbolic functions on the scale of their largest exponential, so that nothing
 * overflows, with their limits for r = 0; 0 <= x, 0 < y.
 */

/** sinh(r x) / sinh(r y) */
double haw_sinh_ratio(double r, double x, double y);

/** (cosh(r x) - 1) / (r sinh(r y)) */
double haw_versine_ratio(double r, double x, double y);

/** tanh(r x) / r */
double haw_tanh_over(double r, double x);

#endif
