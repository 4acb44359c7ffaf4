/* SPDX-License-Identifier: BSD-3-Clause */
#include "theory/mandrel.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

void haw_mandrel_profile(const void *mandrel, double z, double r[3])
{
    const haw_mandrel *m = mandrel;
    const double k = 2 * pi / m->wavelength;
    const double slope = tan(m->half_angle_deg * pi / 180);
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
        .start = {course->z, 0, course->alpha_deg * pi / 180},
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

haw_status haw_mandrel_profiles(haw_context *context, int count, const haw_path_point *point,
                                haw_theory_result *result)
{
    const haw_quantity rows[] = {
        {"s", "m", "arc length along the path", count, NULL},
        {"z", "m", "position along the axis", count, NULL},
        {"phi", "rad", "angle about the axis", count, NULL},
        {"alpha", "rad", "angle from the meridian", count, NULL},
        {"bend", "1/m", "normal curvature, < 0 where the yarn would bridge", count, NULL},
    };
    double *value[5];
    for (int k = 0; k < 5; ++k) {
        HAW_TRY(haw_result_profile(context, result, &rows[k], &value[k]));
    }
    for (int i = 0; i < count; ++i) {
        value[0][i] = point[i].s;
        value[1][i] = point[i].z;
        value[2][i] = point[i].phi;
        value[3][i] = point[i].alpha;
        value[4][i] = point[i].bend;
    }
    return HAW_OK;
}
