/* SPDX-License-Identifier: BSD-3-Clause */
/* The mandrel r(z) = a + z tan(tau) + b cos(2 pi z / w): cylinder, cone and wave in one. */
#ifndef HAWSER_THEORY_MANDREL_H
#define HAWSER_THEORY_MANDREL_H

#include "theory/revolution_path.h"

typedef struct haw_mandrel {
    double radius;         /* a [m] */
    double half_angle_deg; /* tau */
    double amplitude;      /* b [m] */
    double wavelength;     /* w [m] */
} haw_mandrel;

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

#endif
