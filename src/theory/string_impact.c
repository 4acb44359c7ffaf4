/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Transverse impact on a long elastic string with pretension: behind the longitudinal wave the
 * strain is uniform, material flows towards the point of impact with W = c (eps - eps0), and a kink
 * runs outwards. In material coordinates it runs with U = c sqrt(eps / (1 + eps)), in space with
 * v_k = (1 + eps) U - W, and the velocity of the struck point closes the triangle:
 *     V^2 = ((1 + eps) U)^2 - v_k^2.
 */
#include "theory/result.h"

typedef struct impact_options {
    double stiffness, density, tension, velocity, radius;
} impact_options;

static const haw_option options[] = {
    HAW_POSITIVE("stiffness", impact_options, stiffness, 4.0e4, "N", "axial stiffness EA"),
    HAW_POSITIVE("density", impact_options, density, 0.1, "kg/m", "mass per unstrained length"),
    HAW_NONNEGATIVE("tension", impact_options, tension, 100, "N", "tension before the impact"),
    HAW_POSITIVE("velocity", impact_options, velocity, 40, "m/s",
                 "transverse velocity of the struck point"),
    HAW_NONNEGATIVE("radius", impact_options, radius, 0, "m",
                    "radius of the disk that strikes, 0 for a point"),
    {0},
};

typedef struct strain_data {
    double strain0; /* eps0 */
    double mach;    /* V / c */
} strain_data;

/*
 * (V / c)^2 of a strain jump d = eps - eps0, minus the wanted one. With A = sqrt(eps (1 + eps)) the
 * triangle reads (V / c)^2 = A^2 - (A - d)^2 = d (2 A - d); it grows with d from 0.
 */
static double excess(double jump, void *data)
{
    const strain_data *wanted = data;
    const double strain = wanted->strain0 + jump;
    return jump * (2 * sqrt(strain * (1 + strain)) - jump) - wanted->mach * wanted->mach;
}

/*
 * Loss of the first contact of a disk with restitution 0: the contact front starts faster than the
 * transverse wave, at V R / x, and dissipates until it is sonic. To leading order in V / c_s
 * D = (2/3) rho_s R V^3 / c_s with the density of the strained string; needs a wave speed c_s > 0.
 */
static haw_status add_contact_loss(haw_context *context, const impact_options *o,
                                   haw_theory_result *result)
{
    if (!(o->tension > 0)) {
        return HAW_OK;
    }
    const double density = o->density / (1 + o->tension / o->stiffness);
    const double wave = sqrt(o->tension / density);
    const double loss = 2.0 / 3.0 * density * o->radius * o->velocity * o->velocity / wave;
    const haw_scalar rows[] = {
        {"transverse_mach", "", "V / c_s: contact_loss holds for small values", o->velocity / wave},
        {"contact_loss", "J", "loss of the first contact of a disk (needs tension > 0)",
         loss * o->velocity},
    };
    return haw_result_scalars(context, result, 2, rows);
}

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const impact_options *o = data;
    const double c = sqrt(o->stiffness / o->density);
    strain_data wanted = {o->tension / o->stiffness, o->velocity / c};
    /* d <= A gives d <= V / c, and with that bound on A, d >= (V / c)^2 / (2 A) */
    const double mach = wanted.mach, high = mach * (1 + 1e-9), most = wanted.strain0 + high;
    const double low = mach * mach / (2 * sqrt(most * (1 + most)));
    double jump = 0;
    HAW_TRY(haw_root_find(context, excess, &wanted, (haw_bracket){low * (1 - 1e-9), high}, &jump));
    const double strain = wanted.strain0 + jump;
    const double transverse = c * sqrt(strain / (1 + strain));
    const double inflow = c * jump;
    const double kink = (1 + strain) * transverse - inflow;
    const double angle = atan2(o->velocity, kink);
    const haw_scalar rows[] = {
        {"strain", "", "strain behind the longitudinal wave", strain},
        {"tension", "N", "tension behind the longitudinal wave", o->stiffness * strain},
        {"wave_speed", "m/s", "longitudinal wave, per unstrained length", c},
        {"transverse_speed", "m/s", "kink, per unstrained length (U)", transverse},
        {"inflow", "m/s", "material speed towards the point of impact (W)", inflow},
        {"kink_speed", "m/s", "kink in space (v_k)", kink},
        {"angle", "rad", "slope behind the kink", angle},
        {"angle_deg", "deg", "slope behind the kink", angle * 180 / HAW_PI},
        {"force", "N", "force on the string, 2 rho0 U V",
         2 * o->density * transverse * o->velocity},
        {"kink_displacement", "m", "lead of the kink for a disk, R tan(angle / 2)",
         o->radius * tan(angle / 2)},
    };
    HAW_TRY(haw_result_scalars(context, result, HAW_ROWS(rows)));
    return add_contact_loss(context, o, result);
}

const haw_theory_ops haw_theory_string_impact = {
    .row.name = "string-impact",
    .row.summary = "transverse impact on a long prestressed elastic string",
    .row.source = "J. C. Smith, F. L. McCrackin, H. F. Schiefer, Text. Res. J. 28 (1958) 288-302; "
                  "with pretension",
    .row.options = options,
    .row.options_size = sizeof(impact_options),
    .formula = "V^2 = ((1 + eps) U)^2 - ((1 + eps) U - W)^2\nU = c sqrt(eps / (1 + eps)),  W = c "
               "(eps - eps0),  c = sqrt(EA / rho)",
    .example = "--tension 100 --velocity 40 --radius 0.1",
    .evaluate = evaluate,
};
