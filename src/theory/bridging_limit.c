/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Geodesic over the waists of r = a + b cos(2 pi z / w), b > 0: it lies on the mandrel where
 * k_n >= 0, tan^2(alpha) >= r r'' / (1 + r'^2). With r sin(alpha) = c that is
 *     c^2 >= f(z) = r^2 r r'' / (1 + r'^2 + r r''),
 * everywhere if it holds at the largest f.
 */
#include "theory/mandrel.h"
#include "theory/rows.h"

#include <float.h>
#include <math.h>

enum { SAMPLES = 2000 };

static const double pi = 3.14159265358979323846;

typedef struct bridging_options {
    double radius, amplitude, wavelength;
} bridging_options;

static const haw_option options[] = {
    {"radius", HAW_OPTION_REAL, offsetof(bridging_options, radius), 0.3, DBL_MIN, DBL_MAX, "m",
     "mean radius a", NULL},
    {"amplitude", HAW_OPTION_REAL, offsetof(bridging_options, amplitude), 0.05, DBL_MIN, DBL_MAX,
     "m", "amplitude b, less than the radius", NULL},
    {"wavelength", HAW_OPTION_REAL, offsetof(bridging_options, wavelength), 1, DBL_MIN, DBL_MAX,
     "m", "wavelength w", NULL},
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

/* f(z), and alpha on the limit there. */
static double limit_at(const haw_mandrel *mandrel, double z, double *alpha)
{
    double r[3];
    haw_mandrel_profile(mandrel, z, r);
    const double hollow = r[0] * r[2], square = 1 + r[1] * r[1];
    if (alpha != NULL) {
        *alpha = atan(sqrt(fmax(hollow, 0) / square));
    }
    return hollow > 0 ? r[0] * r[0] * hollow / (square + hollow) : 0;
}

/* Place of the largest f between the bulge at 0 and the waist at w / 2. */
static double steepest(const haw_mandrel *mandrel)
{
    const double golden = 0.6180339887498949;
    const double step = mandrel->wavelength / 2 / SAMPLES;
    int best = 0;
    for (int i = 1; i <= SAMPLES; ++i) {
        if (limit_at(mandrel, step * i, NULL) >= limit_at(mandrel, step * best, NULL)) {
            best = i;
        }
    }
    double low = step * (best - 1), high = fmin(step * (best + 1), mandrel->wavelength / 2);
    while (high - low > 1e-10 * mandrel->wavelength) {
        const double a = high - golden * (high - low), b = low + golden * (high - low);
        if (limit_at(mandrel, a, NULL) > limit_at(mandrel, b, NULL)) {
            high = b;
        } else {
            low = a;
        }
    }
    return best == SAMPLES ? high : (low + high) / 2;
}

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const bridging_options *o = data;
    const haw_mandrel mandrel = {o->radius, 0, o->amplitude, o->wavelength};
    const double bulge = o->radius + o->amplitude;
    if (o->amplitude >= o->radius) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "'amplitude' must be less than the radius %g m (got %g)", o->radius,
                        o->amplitude);
    }
    double alpha_waist = 0;
    const double waist = sqrt(limit_at(&mandrel, o->wavelength / 2, &alpha_waist));
    const double place = steepest(&mandrel);
    const double everywhere = fmax(waist, sqrt(limit_at(&mandrel, place, NULL)));
    const haw_scalar rows[] = {
        {"radius_waist", "m", "radius of the waist", o->radius - o->amplitude},
        {"alpha_waist", "rad", "least angle from the meridian at the waist", alpha_waist},
        {"alpha_bulge", "rad", "angle at the bulge below which a geodesic lifts off at the waist",
         asin(waist / bulge)},
        {"alpha_bulge_deg", "deg", "the same", asin(waist / bulge) * 180 / pi},
        {"alpha_everywhere", "rad", "angle at the bulge below which it lifts off anywhere",
         asin(everywhere / bulge)},
        {"z_everywhere", "m", "where it does so first, from the bulge", place},
    };
    return haw_result_scalars(context, result, (int)(sizeof rows / sizeof rows[0]), rows);
}

const haw_theory_ops haw_theory_bridging_limit = {
    .row.name = "bridging-limit",
    .row.summary = "smallest winding angle of a geodesic that does not bridge a waist",
    .row.source = "normal curvature k_n >= 0: D. J. Struik, Lectures on Classical Differential "
                  "Geometry, Addison-Wesley (1961), ch. 2",
    .row.options = options,
    .row.options_size = sizeof(bridging_options),
    .evaluate = evaluate,
};
