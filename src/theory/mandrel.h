/* SPDX-License-Identifier: BSD-3-Clause */
/* The mandrel r(z) = a + z tan(tau) + b cos(2 pi z / w): cylinder, cone and wave in one. */
#ifndef HAWSER_THEORY_MANDREL_H
#define HAWSER_THEORY_MANDREL_H

#include "theory/result.h"
#include "theory/revolution_path.h"

typedef struct haw_mandrel {
    double radius;         /* a [m] */
    double half_angle_deg; /* tau */
    double amplitude;      /* b [m] */
    double wavelength;     /* w [m] */
} haw_mandrel;

/* Rows of an options struct that begins with a mandrel. */
/* clang-format off */
#define HAW_MANDREL_OPTIONS                                                                        \
    {"radius", HAW_OPTION_REAL, offsetof(haw_mandrel, radius), 0.3, 0, DBL_MAX, "m",               \
     "mean radius a of the mandrel at z = 0", NULL},                                               \
    {"half-angle-deg", HAW_OPTION_REAL, offsetof(haw_mandrel, half_angle_deg), 0, -89, 89, "deg",  \
     "angle tau by which the mandrel opens upwards", NULL},                                        \
    {"amplitude", HAW_OPTION_REAL, offsetof(haw_mandrel, amplitude), 0, -DBL_MAX, DBL_MAX, "m",    \
     "amplitude b of the wave, a bulge at z = 0", NULL},                                           \
    {"wavelength", HAW_OPTION_REAL, offsetof(haw_mandrel, wavelength), 1, DBL_MIN, DBL_MAX, "m",   \
     "wavelength w", NULL}
/* clang-format on */

/** haw_profile_function of a mandrel. */
void haw_mandrel_profile(const void *mandrel, double z, double r[3]);

/* Start and length of a path on it. */
typedef struct haw_mandrel_course {
    double z, alpha_deg; /* [m] */
    double slip, length; /* k_g / k_n, [m] */
    int points;
} haw_mandrel_course;

/**
 * Points at equal steps of s from 0 to the length; release with haw_release.
 * @param point  out: [course->points]
 */
HAW_NODISCARD haw_status haw_mandrel_follow(haw_context *context, const haw_mandrel *mandrel,
                                            const haw_mandrel_course *course,
                                            haw_path_point **point);

/** Append the profiles s, z, phi, alpha, bend of a path. */
HAW_NODISCARD haw_status haw_mandrel_profiles(haw_context *context, int count,
                                              const haw_path_point *point,
                                              haw_theory_result *result);

#endif
