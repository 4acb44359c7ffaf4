/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two equal rods twisted into a ply: two helices of the radius r = a about one axis, at the angle
 * beta to it. Curvature k = sin^2 / r, torsion t = sin cos / r, twist rate u3 of each rod. The
 * balance of a rod about the ply's axis gives the section force in the tangent, Ft, and in the
 * binormal, Fb, Fb = k (C u3 - B t),  Ft = (T / 2 - Fb sin) / cos,  p = k Ft - t Fb, M = 2 (B k sin
 * + C u3 cos + r (Ft sin - Fb cos)). It follows from the energy as well: dU = T dl + M dPhi with l
 * = S cos, Phi = S sin / r. At beta = 45 degrees the strands lock: the nearest point of the other
 * one is no longer opposite.
 */
#include "theory/result.h"

typedef struct ply_options {
    double radius, bending, torsion, tension, beta_deg, stretch;
    int ends;
} ply_options;

enum { PLATES, SPIN, BALANCED };

static const char *const ends[] = {"plates", "spin", "balanced", NULL};

static const haw_option options[] = {
    HAW_POSITIVE("radius", ply_options, radius, 1e-3, "m", "radius a of a rod, and of its helix"),
    HAW_NONNEGATIVE("bending-stiffness", ply_options, bending, 1.570796e-3, "N m^2",
                    "bending stiffness B of a rod"),
    HAW_NONNEGATIVE("torsional-stiffness", ply_options, torsion, 1.208305e-3, "N m^2",
                    "torsional stiffness C of a rod"),
    HAW_ANY("tension", ply_options, tension, 20, "N",
            "axial force T of the ply; a balanced ply has none"),
    {"beta-deg", HAW_OPTION_REAL, offsetof(ply_options, beta_deg), 20, DBL_MIN, 45, "deg",
     "angle of the helix to the axis, below lock-up", NULL},
    {"ends", HAW_OPTION_CHOICE, offsetof(ply_options, ends), PLATES, 0, 0, "",
     "rods clamped to turning plates (u3 = t), free to spin (u3 = 0), or balanced (T = M = 0)",
     ends},
    {"stretch", HAW_OPTION_REAL, offsetof(ply_options, stretch), 0, -0.5, DBL_MAX, "",
     "axial strain e of a rod: its material bends and twists by 1 + e of the curve's rates", NULL},
    {0},
};

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const ply_options *o = data;
    const double beta = o->beta_deg * HAW_PI / 180, r = o->radius, s = sin(beta), c = cos(beta);
    const double k = s * s / r, t = s * c / r, grow = 1 + o->stretch, b = o->bending * grow;
    const double lock = (c - s) * (c + s); /* cos(2 beta) */
    if (!(o->beta_deg < 45)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "a ply locks at 45 degrees: 'beta-deg' must be less (got %g)", o->beta_deg);
    }
    const double balanced = -2 * b * s * s * s * c / (r * lock);
    const double twisted = o->ends == PLATES ? o->torsion * grow * t : 0;
    const double torque = o->ends == BALANCED ? balanced : twisted;
    const double tension = o->ends == BALANCED ? 0 : o->tension;
    const double binormal = k * (torque - b * t), tangent = (tension / 2 - binormal * s) / c;
    const double moment =
        o->ends == BALANCED ? 0 : 2 * (b * k * s + torque * c + r * (tangent * s - binormal * c));
    const double twist = o->torsion > 0 ? torque / (o->torsion * grow) : (double)NAN;
    const haw_scalar rows[] = {
        {"pitch", "m", "height of a turn, 2 pi r / tan(beta)", 2 * HAW_PI * r * c / s},
        {"curvature", "1/m", "curvature k of the helices", k},
        {"torsion", "1/m", "torsion t of the helices", t},
        {"section_torque", "N m", "twisting moment C u3 of a rod", torque},
        {"tangent_force", "N", "section force of a rod in its tangent", tangent},
        {"binormal_force", "N", "section force of a rod in its binormal", binormal},
        {"contact", "N/m", "contact force p per length of a rod; < 0: the ply opens",
         k * tangent - t * binormal},
        {"moment", "N m", "moment M of the ply", moment},
        {"tension", "N", "axial force T of the ply", tension},
        {"foot", "", "H / |y'|^2 of the foot on the other rod, cos(2 beta); zero at lock-up", lock},
    };
    const haw_scalar rates[] = {{"twist", "1/m", "twist rate u3 of a rod", twist}};
    HAW_TRY(haw_result_scalars(context, result, HAW_ROWS(rows)));
    return haw_result_finite(context, result, 1, rates);
}

const haw_theory_ops haw_theory_ply = {
    .row.name = "ply",
    .row.summary = "two rods twisted into a ply: moment, contact force, balanced state",
    .row.source = "J. M. T. Thompson, G. H. M. van der Heijden, S. Neukirch, Proc. R. Soc. A 458 "
                  "(2002)",
    .row.options = options,
    .row.options_size = sizeof(ply_options),
    .formula = "Fb = k (C u3 - B t),  Ft = (T / 2 - Fb sin) / cos,  p = k Ft - t Fb\n"
               "M = 2 (B k sin + C u3 cos + r (Ft sin - Fb cos)),  k = sin^2 / r,  t = sin cos / "
               "r\nbalanced: C u3 = -2 B sin^3 cos / (r cos(2 beta)),  p = B sin^4 / (r^3 cos(2 "
               "beta))",
    .example = "--beta-deg 15 --tension 20 --ends spin",
    .evaluate = evaluate,
};
