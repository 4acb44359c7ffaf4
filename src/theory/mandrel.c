/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths of a yarn on mandrels: geodesics, paths that friction holds off them, and where they
 * bridge.
 */
#include "theory/mandrel.h"

#include "theory/result.h"

enum { POINTS_MAX = 100000, SAMPLES = 2000 };

typedef struct path_options {
    haw_mandrel mandrel; /* first, for MANDREL_OPTIONS */
    haw_mandrel_course course;
} path_options;

/* Rows of an options struct that begins with a mandrel. */
/* clang-format off */
#define MANDREL_OPTIONS                                                                          \
    {"radius", HAW_OPTION_REAL, offsetof(haw_mandrel, radius), 0.3, 0, DBL_MAX, "m",               \
     "mean radius a of the mandrel at z = 0", NULL},                                               \
    {"half-angle-deg", HAW_OPTION_REAL, offsetof(haw_mandrel, half_angle_deg), 0, -89, 89, "deg",  \
     "angle tau by which the mandrel opens upwards", NULL},                                        \
    {"amplitude", HAW_OPTION_REAL, offsetof(haw_mandrel, amplitude), 0, -DBL_MAX, DBL_MAX, "m",    \
     "amplitude b of the wave, a bulge at z = 0", NULL},                                           \
    {"wavelength", HAW_OPTION_REAL, offsetof(haw_mandrel, wavelength), 1, DBL_MIN, DBL_MAX, "m",   \
     "wavelength w", NULL}

/* The start of a path and its points, in path_options. */
#define COURSE_OPTIONS(alpha, way)                                                                 \
    {"z", HAW_OPTION_REAL, offsetof(path_options, course.z), 0, -DBL_MAX, DBL_MAX, "m",            \
     "position of the start along the axis", NULL},                                                \
    {"alpha-deg", HAW_OPTION_REAL, offsetof(path_options, course.alpha_deg), alpha, 0, 180, "deg", \
     "angle from the meridian at the start, 90 along the hoop", NULL},                             \
    {"length", HAW_OPTION_REAL, offsetof(path_options, course.length), way, DBL_MIN, DBL_MAX, "m", \
     "arc length of the path", NULL},                                                              \
    {"points", HAW_OPTION_INT, offsetof(path_options, course.points), 23, 2, POINTS_MAX, "",       \
     "number of points of the profile", NULL}

/* clang-format on */

void haw_mandrel_profile(const void *mandrel, double z, double r[3])
{
    const haw_mandrel *m = mandrel;
    const double k = 2 * HAW_PI / m->wavelength;
    const double slope = tan(m->half_angle_deg * HAW_PI / 180);
    r[0] = m->radius + z * slope + m->amplitude * cos(k * z);
    r[1] = slope - m->amplitude * k * sin(k * z);
    r[2] = -m->amplitude * k * k * cos(k * z);
}

haw_status haw_mandrel_follow(haw_context *context, const haw_mandrel *mandrel,
                              const haw_mandrel_course *course, haw_path_point **point)
{
    const haw_path path = {
        .profile = haw_mandrel_profile,
        .data = mandrel,
        .slip = course->slip,
        .start = {course->z, 0, course->alpha_deg * HAW_PI / 180},
    };
    *point = haw_allocate(context, (size_t)course->points, sizeof **point);
    if (*point == NULL) {
        return HAW_ERR_NOMEM;
    }
    for (int i = 0; i < course->points; ++i) {
        (*point)[i].s = course->length * i / (course->points - 1);
    }
    const haw_status status = haw_path_follow(context, &path, course->points, *point);
    if (status != HAW_OK) {
        haw_release(context, *point);
        *point = NULL;
    }
    return status;
}

/* ---- what both paths report ---- */

static haw_status add_end(haw_context *context, const haw_path_point *end,
                          haw_theory_result *result)
{
    const haw_scalar rows[] = {
        {"z_end", "m", "position along the axis at the end", end->z},
        {"phi_end", "rad", "angle about the axis at the end", end->phi},
        {"alpha_end", "rad", "angle from the meridian at the end", end->alpha},
    };
    return haw_result_scalars(context, result, 3, rows);
}

/* The least curvature and the profiles s, z, phi, alpha, bend. */
static haw_status add_path(haw_context *context, int count, const haw_path_point *point,
                           haw_theory_result *result)
{
    const haw_quantity rows[] = {
        {"s", "m", "arc length along the path", count, true, NULL},
        {"z", "m", "position along the axis", count, true, NULL},
        {"phi", "rad", "angle about the axis", count, true, NULL},
        {"alpha", "rad", "angle from the meridian", count, true, NULL},
        {"bend", "1/m", "normal curvature, < 0 where the yarn would bridge", count, true, NULL},
    };
    haw_scalar least = {"bend_min", "1/m",
                        "least normal curvature at the points, < 0 where the yarn would bridge",
                        point[0].bend};
    double *value[5];
    for (int i = 1; i < count; ++i) {
        least.value = fmin(least.value, point[i].bend);
    }
    HAW_TRY(haw_result_scalars(context, result, 1, &least));
    HAW_TRY(haw_result_profiles(context, result, 5, rows, value));
    for (int i = 0; i < count; ++i) {
        value[0][i] = point[i].s;
        value[1][i] = point[i].z;
        value[2][i] = point[i].phi;
        value[3][i] = point[i].alpha;
        value[4][i] = point[i].bend;
    }
    return HAW_OK;
}

/* ---- geodesic: r sin(alpha) is the same all along (A. C. Clairaut) ---- */

static const haw_option geodesic_rows[] = {
    MANDREL_OPTIONS,
    COURSE_OPTIONS(30, 1.2),
    {0},
};

static haw_status add_geodesic(haw_context *context, const path_options *o,
                               const haw_path_point *point, haw_theory_result *result)
{
    const int count = o->course.points;
    double constant = 0, drift = 0;
    for (int i = 0; i < count; ++i) {
        double r[3];
        haw_mandrel_profile(&o->mandrel, point[i].z, r);
        const double here = r[0] * sin(point[i].alpha);
        constant = i == 0 ? here : constant;
        drift = fmax(drift, fabs(here - constant));
    }
    const haw_scalar rows[] = {
        {"clairaut", "m", "r sin(alpha) at the start: no geodesic comes nearer to the axis",
         constant},
        {"drift", "m", "largest change of r sin(alpha) along the integrated path", drift},
    };
    HAW_TRY(haw_result_scalars(context, result, 2, rows));
    HAW_TRY(add_end(context, &point[count - 1], result));
    return add_path(context, count, point, result);
}

static haw_status evaluate_geodesic(haw_context *context, const void *data,
                                    haw_theory_result *result)
{
    const path_options *o = data;
    haw_mandrel_course course = o->course;
    haw_path_point *point = NULL;
    course.slip = 0; /* no option here */
    HAW_TRY(haw_mandrel_follow(context, &o->mandrel, &course, &point));
    const haw_status status = add_geodesic(context, o, point, result);
    haw_release(context, point);
    return status;
}

const haw_theory_ops haw_theory_clairaut = {
    .row.name = "clairaut",
    .row.summary = "geodesic of a mandrel, along which r sin(alpha) is constant",
    .row.source =
        "D. J. Struik, Lectures on Classical Differential Geometry, Addison-Wesley (1961), ch. 4",
    .row.options = geodesic_rows,
    .row.options_size = sizeof(path_options),
    .formula = "r sin(alpha) = constant",
    .example = "--amplitude 0.05 --alpha-deg 60",
    .evaluate = evaluate_geodesic,
};

/* ---- semi-geodesic ---- */

/*
 * Path that friction holds off the geodesic, k_g = lambda k_n with |lambda| <= mu, on a cylinder,
 * a cone or a wave. On a cylinder, with beta = pi/2 - alpha from the hoop direction:
 *     tan(beta) = tan(beta_0) - lambda s / R,  asinh(tan(beta)) = asinh(tan(beta_0)) - lambda phi,
 *     z - z_0 = R (1/cos(beta_0) - 1/cos(beta)) / lambda.
 */

static const haw_option semi_geodesic_rows[] = {
    MANDREL_OPTIONS,
    COURSE_OPTIONS(60, 1),
    {"slip", HAW_OPTION_REAL, offsetof(path_options, course.slip), 0.1, -100, 100, "",
     "lambda = k_g / k_n, > 0 turns the path away from growing z", NULL},
    {0},
};

/* The closed form of the cylinder, also for lambda -> 0. */
static void unroll(const path_options *o, haw_path_point *point)
{
    const double radius = o->mandrel.radius, lambda = o->course.slip;
    const double alpha = o->course.alpha_deg * HAW_PI / 180;
    const double start = cos(alpha) / sin(alpha);
    const double turned = lambda * point->s / radius, end = start - turned;
    /* 1/cos(b_0) - 1/cos(b) = (tan^2(b_0) - tan^2(b)) / (1/cos(b_0) + 1/cos(b)) */
    const double first = hypot(1, start), last = hypot(1, end);
    const double sines = turned * (start + end) / (start * last + end * first);
    point->z = o->course.z + point->s * (start + end) / (first + last);
    point->phi = point->s / radius;
    if (fabs(turned) > DBL_EPSILON) {
        point->phi *= (start * end > 0 ? asinh(sines) : asinh(start) - asinh(end)) / turned;
    } else {
        point->phi /= first;
    }
    point->alpha = atan2(1, end);
    point->bend = sin(point->alpha) * sin(point->alpha) / radius;
}

static haw_status add_semi_geodesic(haw_context *context, const path_options *o,
                                    const haw_path_point *point, haw_theory_result *result)
{
    const haw_path_point *end = &point[o->course.points - 1];
    const haw_scalar rows[] = {
        {"beta_end", "rad", "angle from the hoop direction at the end", HAW_PI / 2 - end->alpha},
        {"friction", "", "least coefficient of friction that holds the path", fabs(o->course.slip)},
    };
    HAW_TRY(add_end(context, end, result));
    HAW_TRY(haw_result_scalars(context, result, 2, rows));
    return add_path(context, o->course.points, point, result);
}

/* A path along the meridian of a cylinder is a straight line that the closed form does not hold. */
static haw_status evaluate_semi_geodesic(haw_context *context, const void *data,
                                         haw_theory_result *result)
{
    const path_options *o = data;
    const double sine = sin(o->course.alpha_deg * HAW_PI / 180);
    const bool is_cylinder = o->mandrel.half_angle_deg == 0 && o->mandrel.amplitude == 0;
    haw_path_point *point = NULL;
    HAW_TRY(haw_mandrel_follow(context, &o->mandrel, &o->course, &point));
    for (int i = 0; i < o->course.points && is_cylinder && sine > 1e-9; ++i) {
        unroll(o, &point[i]);
    }
    const haw_status status = add_semi_geodesic(context, o, point, result);
    haw_release(context, point);
    return status;
}

const haw_theory_ops haw_theory_semi_geodesic = {
    .row.name = "semi-geodesic",
    .row.summary = "yarn path on a mandrel with a given ratio of geodesic to normal curvature",
    .row.source =
        "S. Koussios, Filament Winding: a Unified Approach, Delft University Press (2004)",
    .row.options = semi_geodesic_rows,
    .row.options_size = sizeof(path_options),
    .formula = "dalpha/ds = lambda k_n - sin(alpha) r' / (r q),  dz/ds = cos(alpha) / q,  dphi/ds "
               "= sin(alpha) / r,  q = sqrt(1 + r'^2)",
    .example = "--alpha-deg 60 --slip 0.1",
    .evaluate = evaluate_semi_geodesic,
};

/* ---- bridging ---- */

/*
 * Geodesic over the waists of r = a + b cos(2 pi z / w), b > 0: it lies on the mandrel where
 * k_n >= 0, tan^2(alpha) >= r r'' / (1 + r'^2). With r sin(alpha) = c that is
 *     c^2 >= f(z) = r^2 r r'' / (1 + r'^2 + r r''),
 * everywhere if it holds at the largest f.
 */

typedef struct bridging_options {
    double radius, amplitude, wavelength;
} bridging_options;

static const haw_option bridging_rows[] = {
    HAW_POSITIVE("radius", bridging_options, radius, 0.3, "m", "mean radius a"),
    HAW_POSITIVE("amplitude", bridging_options, amplitude, 0.05, "m",
                 "amplitude b, less than the radius"),
    HAW_POSITIVE("wavelength", bridging_options, wavelength, 1, "m", "wavelength w"),
    {0},
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

static haw_status evaluate_bridging(haw_context *context, const void *data,
                                    haw_theory_result *result)
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
        {"alpha_bulge_deg", "deg", "the same", asin(waist / bulge) * 180 / HAW_PI},
        {"alpha_everywhere", "rad", "angle at the bulge below which it lifts off anywhere",
         asin(everywhere / bulge)},
        {"z_everywhere", "m", "where it does so first, from the bulge", place},
    };
    return haw_result_scalars(context, result, HAW_ROWS(rows));
}

const haw_theory_ops haw_theory_bridging_limit = {
    .row.name = "bridging-limit",
    .row.summary = "smallest winding angle of a geodesic that does not bridge a waist",
    .row.source = "normal curvature k_n >= 0: D. J. Struik, Lectures on Classical Differential "
                  "Geometry, Addison-Wesley (1961), ch. 2",
    .row.options = bridging_rows,
    .row.options_size = sizeof(bridging_options),
    .formula = "(r sin(alpha))^2 >= r^2 r r\" / (1 + r'^2 + r r\") where the right side is largest",
    .example = "--amplitude 0.05",
    .evaluate = evaluate_bridging,
};
