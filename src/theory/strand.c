/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Strand of one straight core and six wires laid about it on the radius r = Rc + Rw at the lay
 * angle beta. Rigid sections: r stays. Under the strain eps of the strand and its twist theta' a
 * wire has, with h = 1 + eps, w = tan(beta) / r + theta' and the length S = sqrt(h^2 + r^2 w^2) per
 * length of the strand, the material measures
 *     1 + xi = S cos(beta),   K = cos(beta) r w^2 / S,   t = cos(beta) h w / S,
 * and the energy 6 / cos(beta) (EA xi^2 + EI (K - K0)^2 + GJ (t - t0)^2) / 2; stiffnesses are its
 * second derivatives. Costello's theory takes the curvature and torsion of the curve and lets all
 * sections shrink with nu; its matrix is not symmetric.
 */
#include "theory/result.h"

enum { REFUSE, IGNORE };

typedef struct strand_options {
    double core, wire, beta_deg, modulus, poisson, friction, tension, curvature;
    int overlap;
} strand_options;

static const char *const overlaps[] = {"refuse", "ignore", NULL};

static const haw_option options[] = {
    HAW_POSITIVE("core-radius", strand_options, core, 1.97e-3, "m", "radius Rc of the core"),
    HAW_POSITIVE("wire-radius", strand_options, wire, 1.8e-3, "m", "radius Rw of the six wires"),
    {"beta-deg", HAW_OPTION_REAL, offsetof(strand_options, beta_deg), 17.03, DBL_MIN, 80, "deg",
     "lay angle of the wires to the axis", NULL},
    HAW_POSITIVE("modulus", strand_options, modulus, 197.9e9, "Pa", "Young's modulus"),
    {"poisson", HAW_OPTION_REAL, offsetof(strand_options, poisson), 0.3, -0.99, 0.5, "",
     "Poisson's ratio", NULL},
    HAW_NONNEGATIVE("friction", strand_options, friction, 0.15, "",
                    "coefficient of friction mu between wires and core"),
    HAW_NONNEGATIVE("wire-tension", strand_options, tension, 5000, "N",
                    "tension Tw of a wire that presses it to the core"),
    HAW_NONNEGATIVE("curvature", strand_options, curvature, 0.04, "1/m",
                    "curvature of the bent strand"),
    {"overlap", HAW_OPTION_CHOICE, offsetof(strand_options, overlap), REFUSE, 0, 0, "",
     "what becomes of a strand whose wires would touch each other: refuse, or ignore that they do",
     overlaps},
    {0},
};

/* A strand and the stiffnesses of its sections. */
typedef struct strand {
    double rc, rw, r, s, c, nu;
    double core_ea, core_ei, core_gj, ea, ei, gj;
} strand;

static strand strand_from(const strand_options *o)
{
    const double beta = o->beta_deg * HAW_PI / 180, e = o->modulus;
    const double core2 = o->core * o->core, wire2 = o->wire * o->wire;
    strand x = {.rc = o->core, .rw = o->wire, .r = o->core + o->wire};
    x.s = sin(beta);
    x.c = cos(beta);
    x.nu = o->poisson;
    x.core_ea = e * HAW_PI * core2;
    x.core_ei = x.core_ea * core2 / 4;
    x.core_gj = x.core_ei / (1 + x.nu);
    x.ea = e * HAW_PI * wire2;
    x.ei = x.ea * wire2 / 4;
    x.gj = x.ei / (1 + x.nu);
    return x;
}

/* Where the neighbour of a wire is nearest, 60 degrees less some angle further about the axis. */
static double nearest_misfit(double angle, void *data)
{
    const double tangent = tan(*(const double *)data);
    return angle + tangent * tangent * sin(angle) - HAW_PI / 3;
}

/* Distance of neighbouring wires over r, 1 for straight ones. In the plane across a wire, seen as
 * an ellipse, it is 2 / sqrt(1 + 3 / cos^2), too much by some 1e-3. */
static haw_status neighbour(haw_context *context, double beta, double *ratio)
{
    double angle = 0;
    HAW_TRY(haw_root_find(context, nearest_misfit, &beta, (haw_bracket){0, HAW_PI / 3}, &angle));
    *ratio = hypot(2 * sin(angle / 2), (HAW_PI / 3 - angle) / tan(beta));
    return HAW_OK;
}

typedef struct fit {
    haw_context *context;
    double want;
    haw_status status;
} fit;

static double lay_misfit(double beta, void *data)
{
    fit *f = data;
    double ratio = (double)NAN;
    const haw_status status = neighbour(f->context, beta, &ratio);
    f->status = status != HAW_OK ? status : f->status;
    return ratio - f->want;
}

/* Refuses wires that overlap, and says which ones would not. */
static haw_status check(haw_context *context, const strand_options *o, const strand *x,
                        double *clearance)
{
    double ratio = 0, beta = 0;
    HAW_TRY(neighbour(context, o->beta_deg * HAW_PI / 180, &ratio));
    fit f = {context, 2 * x->rw / x->r, HAW_OK};
    *clearance = x->r * ratio - 2 * x->rw;
    if (*clearance > 0 || o->overlap == IGNORE) {
        return HAW_OK;
    }
    const double largest = ratio * x->rc / (2 - ratio);
    if (x->rw < x->rc) {
        const haw_bracket bracket = {1e-6, o->beta_deg * HAW_PI / 180};
        const haw_status found = haw_root_find(context, lay_misfit, &f, bracket, &beta);
        HAW_TRY(f.status);
        HAW_TRY(found);
        return haw_fail(context, HAW_ERR_INPUT,
                        "the wires overlap by %.3g m: 'wire-radius' must be less than %.6g m, or "
                        "'beta-deg' less than %.6g",
                        -*clearance, largest, beta * 180 / HAW_PI);
    }
    return haw_fail(context, HAW_ERR_INPUT,
                    "the wires overlap by %.3g m at any lay angle: 'wire-radius' must be less than "
                    "%.6g m",
                    -*clearance, largest);
}

/* Matrix of force and moment over strain and twist, and the force on the core. */
typedef struct stiffness {
    double ee, et, te, tt;
    double press; /* of one wire on the core, per length of the wire and strain */
} stiffness;

static stiffness rigid(const strand *x)
{
    const double s = x->s, c = x->c, r = x->r, s2 = s * s, c2 = c * c;
    /* derivatives of xi, K, t by eps and by theta' */
    const double by_e[] = {c2, -s2 * c2 / r, s2 * s * c / r};
    const double by_t[] = {r * s * c, s * c * (1 + c2), c2 * c2};
    const double of[] = {x->ea, x->ei, x->gj};
    /* derivatives by r of the three measures at constant eps and theta' = 0: w = tan / r stays */
    const double by_r[] = {s2 / r, s2 * c2 / (r * r), -s2 * s * c / (r * r)};
    stiffness k = {.ee = x->core_ea, .tt = x->core_gj};
    for (int i = 0; i < 3; ++i) {
        k.ee += 6 / c * of[i] * by_e[i] * by_e[i];
        k.et += 6 / c * of[i] * by_e[i] * by_t[i];
        k.tt += 6 / c * of[i] * by_t[i] * by_t[i];
        k.press += of[i] * by_e[i] * by_r[i];
    }
    k.te = k.et;
    return k;
}

/* Loads of the strand at the strain `eps` and the twist `twist`, linear, by Costello. */
typedef struct loads {
    double force, moment, press;
} loads;

static loads costello_at(const strand *x, double eps, double twist)
{
    const double s = x->s, c = x->c, r = x->r, nu = x->nu;
    const double xi = (r * twist + eps * (c / s - nu * x->rc * s / (r * c))) /
                      (s / c + c / s + nu * x->rw * s / (r * c));
    const double turn = (eps - xi) * c / s;                    /* of the wire towards the axis */
    const double shrink = nu * (x->rc * eps + x->rw * xi) / r; /* of the radius, over r */
    const double kappa = s * s / r, tau = s * c / r;
    const double bend = x->ei * (-2 * c * s * turn / r + shrink * kappa);
    const double torque = x->gj * ((s * s - c * c) * turn / r + shrink * tau);
    const double pull = x->ea * xi, shear = torque * kappa - bend * tau;
    const loads all = {6 * (pull * c + shear * s) + x->core_ea * eps,
                       6 * (torque * c + bend * s + pull * r * s - shear * r * c) +
                           x->core_gj * twist,
                       pull * kappa - shear * tau};
    return all;
}

static stiffness costello(const strand *x)
{
    const loads e = costello_at(x, 1, 0), t = costello_at(x, 0, 1);
    const stiffness k = {e.force, t.force, e.moment, t.moment, e.press};
    return k;
}

/* ---- bending ---- */

typedef struct bending {
    double slip, stick;     /* stiffnesses */
    double start, end;      /* curvatures at which slip begins, and has come everywhere */
    double saturated;       /* moment of friction then */
    double moment, tangent; /* at the curvature of the options, without the part of `slip` */
} bending;

static double angle_misfit(double f, void *data)
{
    return f - *(const double *)data * sin(f);
}

/*
 * A wire at the angle psi from the neutral axis has the tension EA K r cos^2 sin(psi) as long as it
 * sticks; friction, mu p = mu Tw sin^2 / r per length, lets it grow by mu Tw sin(beta) dpsi at
 * most. So it slips for psi < f with f / sin f = K / Ks, and everywhere from K / Ks = pi / 2 on.
 */
static haw_status slip_angle(haw_context *context, double ratio, double *f)
{
    const haw_bracket bracket = {1e-9, HAW_PI / 2};
    *f = ratio < HAW_PI / 2 ? 0 : HAW_PI / 2;
    if (ratio <= 1 || ratio >= HAW_PI / 2 || angle_misfit(bracket.low, &ratio) >= 0) {
        return HAW_OK;
    }
    return haw_root_find(context, angle_misfit, &ratio, bracket, f);
}

static haw_status bend(haw_context *context, const strand_options *o, const strand *x, bending *b)
{
    const double s = x->s, c = x->c, rate = o->friction * s * o->tension;
    const double stiff = x->ea * x->r * c * c, part = 12 / HAW_PI * x->r * c;
    double f = 0;
    b->slip = x->core_ei + 12 * x->ei * c / (2 + x->nu * s * s);
    b->stick = x->core_ei + 6 * x->ei * c + 3 * x->ea * x->r * x->r * c * c * c;
    b->start = rate / stiff;
    b->end = HAW_PI / 2 * b->start;
    b->saturated = part * rate;
    HAW_TRY(slip_angle(context, rate > 0 ? stiff * o->curvature / rate : DBL_MAX, &f));
    const double stuck = f < HAW_PI / 2 ? HAW_PI / 4 - f / 2 + sin(2 * f) / 4 : 0;
    b->moment = part * (rate * (sin(f) - f * cos(f)) + stiff * o->curvature * stuck);
    b->tangent = part * stiff * stuck;
    return HAW_OK;
}

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const strand_options *o = data;
    const strand x = strand_from(o);
    bending b = {0};
    double clearance = 0;
    HAW_TRY(check(context, o, &x, &clearance));
    HAW_TRY(bend(context, o, &x, &b));
    const stiffness k = rigid(&x), g = costello(&x);
    const haw_scalar rows[] = {
        {"pitch", "m", "lay length, 2 pi r / tan(beta)", 2 * HAW_PI * x.r * x.c / x.s},
        {"clearance", "m", "distance of the surfaces of neighbouring wires", clearance},
        {"k_ee", "N", "force over strain", k.ee},
        {"k_et", "N m", "force over twist, moment over strain", k.et},
        {"k_tt", "N m^2", "moment over twist", k.tt},
        {"core_force", "N/m", "force of a wire on the core, per length of the wire and strain",
         k.press},
        {"EA_free", "N", "force over strain with ends free to turn", k.ee - k.et * k.te / k.tt},
        {"costello_k_ee", "N", "k_ee by Costello", g.ee},
        {"costello_k_et", "N m", "force over twist by Costello", g.et},
        {"costello_k_te", "N m", "moment over strain by Costello", g.te},
        {"costello_k_tt", "N m^2", "k_tt by Costello", g.tt},
        {"costello_core_force", "N/m", "force on the core by Costello", g.press},
        {"costello_EA_free", "N", "force over strain with free ends, by Costello",
         g.ee - g.et * g.te / g.tt},
        {"EI_slip", "N m^2", "bending stiffness of wires that slip", b.slip},
        {"EI_stick", "N m^2", "bending stiffness of wires that stick", b.stick},
        {"K_slip", "1/m", "curvature at which slip begins", b.start},
        {"K_full", "1/m", "curvature at which all wires slip", b.end},
        {"M_slip", "N m", "moment above EI_slip K when all wires slip", b.saturated},
        {"M_friction", "N m", "moment above EI_slip K at the curvature", b.moment},
        {"EI_tangent", "N m^2", "dM/dK at the curvature, first loading", b.slip + b.tangent},
    };
    return haw_result_scalars(context, result, HAW_ROWS(rows));
}

const haw_theory_ops haw_theory_strand = {
    .row.name = "strand",
    .row.summary = "strand 1 + 6: axial, torsional and bending stiffness, slip of its wires",
    .row.source = "G. A. Costello, Theory of Wire Rope (1997); K. O. Papailiou, IEEE Trans. Power "
                  "Delivery 12 (1997); rigid sections: second derivatives of the energy",
    .row.options = options,
    .row.options_size = sizeof(strand_options),
    .formula =
        "W = 6 / cos(beta) (EA xi^2 + EI (K - K0)^2 + GJ (t - t0)^2) / 2 + core,  k = second "
        "derivatives\nEI_slip = EIc + 12 EI cos / (2 + nu sin^2),  EI_stick = EIc + 6 EI cos + 3 "
        "EA "
        "r^2 cos^3\nKs = mu sin Tw / (EA r cos^2),  f / sin f = K / Ks\nM = 12 / pi r cos (mu sin "
        "Tw "
        "(sin f - f cos f) + EA K r cos^2 (pi / 4 - f / 2 + sin(2 f) / 4))",
    .example = "--beta-deg 9.2 --wire-radius 1.865e-3",
    .evaluate = evaluate,
};
