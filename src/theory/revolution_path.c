/* SPDX-License-Identifier: BSD-3-Clause */
#include "theory/revolution_path.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>

enum {
    COMPONENTS = 3,   /* z, phi, alpha */
    STEPS_MAX = 20000 /* between two points of a path */
};

static const double tolerance = 1.0e-13;

/* Normal curvature k_n for r, r', r'' and alpha [1/m]. */
static double bend(const double r[3], double alpha)
{
    const double q = sqrt(1.0 + r[1] * r[1]);
    const double s = sin(alpha), c = cos(alpha);

    return s * s / (r[0] * q) - r[2] * c * c / (q * q * q);
}

static int slope(double s, const double y[], double dy[], void *data)
{
    const haw_path *path = data;
    double r[3];

    (void)s;
    path->profile(path->data, y[0], r);
    if (!(r[0] > 0.0) || !isfinite(r[1]) || !isfinite(r[2])) {
        return GSL_EDOM;
    }
    const double q = sqrt(1.0 + r[1] * r[1]);

    dy[0] = cos(y[2]) / q;
    dy[1] = sin(y[2]) / r[0];
    dy[2] = path->slip * bend(r, y[2]) - sin(y[2]) * r[1] / (r[0] * q);
    return GSL_SUCCESS;
}

static haw_status follow(haw_context *context, gsl_odeiv2_driver *driver, const haw_path *path,
                         int count, haw_path_point *point)
{
    double y[COMPONENTS] = {path->start[0], path->start[1], path->start[2]};
    double s = 0.0, r[3];

    for (int i = 0; i < count; i++) {
        const double to = point[i].s;
        const int code = to > s ? gsl_odeiv2_driver_apply(driver, &s, to, y) : GSL_SUCCESS;

        if (code != GSL_SUCCESS) {
            return haw_fail(context, HAW_ERR_ARG,
                            "the path cannot be followed beyond the arc length %.6g m (z = %.6g "
                            "m), where it leaves the surface: %s",
                            s, y[0], gsl_strerror(code));
        }
        path->profile(path->data, y[0], r);
        point[i].z = y[0];
        point[i].phi = y[1];
        point[i].alpha = y[2];
        point[i].bend = bend(r, y[2]);
    }
    return HAW_OK;
}

haw_status haw_path_follow(haw_context *context, const haw_path *path, int count,
                           haw_path_point *point)
{
    haw_path copy = *path;
    gsl_odeiv2_system system = {slope, NULL, COMPONENTS, &copy};
    double r[3];

    path->profile(path->data, path->start[0], r);
    if (!(r[0] > 0.0)) {
        return haw_fail(context, HAW_ERR_ARG, "the path begins at z = %.6g m, off the surface",
                        path->start[0]);
    }
    gsl_odeiv2_driver *driver = gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd,
                                                              0.01 * r[0], tolerance, tolerance);
    if (driver == NULL) {
        return haw_fail(context, HAW_ERR_NOMEM, "out of memory for a path");
    }
    (void)gsl_odeiv2_driver_set_nmax(driver, STEPS_MAX); /* where the meridian turns vertical */
    const haw_status status = follow(context, driver, path, count, point);

    gsl_odeiv2_driver_free(driver);
    return status;
}
