/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two instabilities of twisted rods and what becomes of them: the plectoneme, two strands of one
 * rod wound about each other at the angle alpha to their axis, the centrelines at the radius R from
 * it. A length l of it has the energy of bending B l sin^4 / (2 R^2), pulls the ends nearer by l
 * against F, and writhes by sin(2 alpha) l / (2 R), twist that the moment M no longer stores:
 *     d/dl:      B sin^4 / (2 R^2) + F = M sin(2 alpha) / (2 R),
 *     d/dalpha:  M = 2 B sin^3 cos / (R cos(2 alpha)),
 *     d/dR:      p = M sin(2 alpha) / (2 R^2) - B sin^4 / R^3.
 */
#include "theory/result.h"

typedef struct plectoneme_options {
    double radius, bending, torsion, alpha_deg;
} plectoneme_options;

static const char *const unknown[] = {"unknown", NULL};

static const haw_option options[] = {
    HAW_POSITIVE("radius", plectoneme_options, radius, 1.55e-3, "m",
                 "radius R of the centrelines about the axis: that of the rod if it touches"),
    HAW_POSITIVE("bending-stiffness", plectoneme_options, bending, 5.8933e-6, "N m^2",
                 "bending stiffness B"),
    {"torsional-stiffness", HAW_OPTION_REAL, offsetof(plectoneme_options, torsion), (double)NAN,
     DBL_MIN, DBL_MAX, "N m^2", "torsional stiffness C, for the rate of twist", unknown},
    {"alpha-deg", HAW_OPTION_REAL, offsetof(plectoneme_options, alpha_deg), 20, DBL_MIN, 45, "deg",
     "angle of the strands to the axis, below lock-up", NULL},
    {0},
};

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const plectoneme_options *o = data;
    const double alpha = o->alpha_deg * HAW_PI / 180, r = o->radius, b = o->bending;
    const double s = sin(alpha), c = cos(alpha), lock = (c - s) * (c + s), s3 = s * s * s;
    if (!(o->alpha_deg < 45)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "the strands lock at 45 degrees: 'alpha-deg' must be less (got %g)",
                        o->alpha_deg);
    }
    const double moment = 2 * b * s3 * c / (r * lock);
    const haw_scalar rows[] = {
        {"force", "N", "axial force F of the straight tails",
         b / (r * r) * s3 * (2 * s * c * c / lock - s / 2)},
        {"moment", "N m", "twisting moment M of the rod", moment},
        {"contact", "N/m", "contact force per length of a strand",
         moment * s * c / (r * r) - b * s3 * s / (r * r * r)},
        {"pitch", "m", "height of a turn, 2 pi R / tan(alpha)", 2 * HAW_PI * r * c / s},
        {"writhe", "1/m", "turns of writhe per length of the rod", s * c / (2 * HAW_PI * r)},
        {"twist", "1/m", "turns of twist per length of the rod",
         moment / (2 * HAW_PI * o->torsion)},
    };
    return haw_result_finite(context, result, HAW_ROWS(rows));
}

const haw_theory_ops haw_theory_plectoneme = {
    .row.name = "plectoneme",
    .row.summary = "two strands of one twisted rod wound about each other, without friction",
    .row.source = "N. Clauvelin, B. Audoly, S. Neukirch, Biophys. J. 96 (2009)",
    .row.options = options,
    .row.options_size = sizeof(plectoneme_options),
    .formula = "F R^2 / B = sin^3 (cos tan(2 alpha) - sin / 2)\n"
               "M = 2 / sin(2 alpha) (B sin^4 / (2 R) + R F) = 2 B sin^3 cos / (R cos(2 alpha))\n"
               "p = M sin(2 alpha) / (2 R^2) - B sin^4 / R^3",
    .example = "--alpha-deg 15",
    .evaluate = evaluate,
};

/* ---- where a twisted rod leaves its line or its plane ---- */

typedef struct twisted_options {
    double bending, torsion, radius, tension;
} twisted_options;

static const haw_option twisted_rows[] = {
    HAW_POSITIVE("bending-stiffness", twisted_options, bending, 1, "N m^2", "bending stiffness B"),
    HAW_POSITIVE("torsional-stiffness", twisted_options, torsion, 1.5, "N m^2",
                 "torsional stiffness C"),
    HAW_POSITIVE("radius", twisted_options, radius, 1, "m", "radius R of the ring"),
    HAW_NONNEGATIVE("tension", twisted_options, tension, 1, "N", "tension T of the straight rod"),
    {0},
};

/* Michell's ring: the mode of two waves is the first, M R / B = sqrt(2^2 - 1). */
static haw_status evaluate_twisted(haw_context *context, const void *data,
                                   haw_theory_result *result)
{
    const twisted_options *o = data;
    const double ring = sqrt(3) * o->bending / o->radius;
    const double straight = 2 * sqrt(o->bending * o->tension);
    const haw_scalar rows[] = {
        {"ring_twist", "rad", "total twist at which the ring leaves its plane",
         2 * HAW_PI * o->radius * ring / o->torsion},
        {"ring_moment", "N m", "twisting moment then", ring},
        {"rod_moment", "N m", "twisting moment at which the long straight rod buckles", straight},
        {"rod_twist", "rad/m", "rate of twist then", straight / o->torsion},
        {"rod_wavelength", "m", "height of a turn of the helix into which it buckles",
         o->tension > 0 ? 2 * HAW_PI * sqrt(o->bending / o->tension) : (double)NAN},
    };
    return haw_result_finite(context, result, HAW_ROWS(rows));
}

const haw_theory_ops haw_theory_twisted_rod = {
    .row.name = "twisted-rod",
    .row.summary =
        "twist at which a ring leaves its plane and a straight rod under tension buckles",
    .row.source = "J. H. Michell, Messenger of Mathematics 19 (1889); A. G. Greenhill, Proc. Inst. "
                  "Mech. Eng. (1883)",
    .row.options = twisted_rows,
    .row.options_size = sizeof(twisted_options),
    .formula = "ring: theta = 2 pi sqrt(3) B / C;  rod under tension: M = 2 sqrt(B T)",
    .example = "--torsional-stiffness 2.2",
    .evaluate = evaluate_twisted,
};
