/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Vectors [3], matrices [9] row-major, unit quaternions (w, x, y, z) and the exponential maps of
 * SO(3) and SE(3) (V. Sonneville, A. Cardona, O. Bruls, Comput. Methods Appl. Mech. Eng. 268
 * (2014)). With phi = |w| and w~ a = w x a,
 *
 *     exp(w) = 1 + s w~ + b w~^2,   V(w) = 1 + b w~ + d w~^2,   T(w) = V(w)^T,
 *     T(w)^-1 = 1 + w~ / 2 + c w~^2,
 *
 * where d exp(w) = exp(w) (T dw)~. A twist is (u, w), translation first, in the body's frame.
 * Results may not overlap arguments unless said.
 */
#ifndef HAWSER_BASE_LIE_H
#define HAWSER_BASE_LIE_H

#include <math.h>
#include <string.h>

/* ---- vectors and matrices ---- */

static inline double vec3_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double vec3_norm(const double a[3])
{
    return sqrt(vec3_dot(a, a));
}

/** c = a x b. */
static inline void vec3_cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/** y += a x; may be in place. */
static inline void vec3_add(double a, const double x[3], double y[3])
{
    y[0] += a * x[0];
    y[1] += a * x[1];
    y[2] += a * x[2];
}

/** y = M x. */
static inline void mat3_apply(const double m[9], const double x[3], double y[3])
{
    for (int i = 0; i < 3; i++) {
        y[i] = m[3 * i] * x[0] + m[3 * i + 1] * x[1] + m[3 * i + 2] * x[2];
    }
}

/** y = M^T x. */
static inline void mat3_apply_t(const double m[9], const double x[3], double y[3])
{
    for (int i = 0; i < 3; i++) {
        y[i] = m[i] * x[0] + m[3 + i] * x[1] + m[6 + i] * x[2];
    }
}

/** C = A B. */
static inline void mat3_product(const double a[9], const double b[9], double c[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
        }
    }
}

/** C += factor A B. */
static inline void mat3_add_product(double factor, const double a[9], const double b[9],
                                    double c[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c[3 * i + j] +=
                factor * (a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j]);
        }
    }
}

/** C += A^T B. */
static inline void mat3_add_t_product(const double a[9], const double b[9], double c[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c[3 * i + j] += a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
        }
    }
}

/** A frame whose first axis is the unit vector t, by the axis that t is farthest from: one normal
 * to the plane that t lies in where that is the plane. */
static inline void mat3_frame(const double t[3], double r[9])
{
    double axis[3] = {0, 0, 0}, second[3], third[3];
    int least = fabs(t[1]) < fabs(t[2]) ? 1 : 2;
    least = fabs(t[0]) < fabs(t[least]) ? 0 : least;
    axis[least] = 1;
    vec3_cross(axis, t, second);
    const double size = vec3_norm(second);
    for (int i = 0; i < 3; i++) {
        second[i] /= size;
    }
    vec3_cross(t, second, third);
    for (int i = 0; i < 3; i++) {
        r[3 * i] = t[i];
        r[3 * i + 1] = second[i];
        r[3 * i + 2] = third[i];
    }
}

/** T = M^T. */
static inline void mat3_transpose(const double m[9], double t[9])
{
    for (int i = 0; i < 9; i++) {
        t[i] = m[3 * (i % 3) + i / 3];
    }
}

/** M += factor x~, the matrix of the cross product x x. */
static inline void mat3_add_skew(double factor, const double x[3], double m[9])
{
    m[1] -= factor * x[2];
    m[2] += factor * x[1];
    m[3] += factor * x[2];
    m[5] -= factor * x[0];
    m[6] -= factor * x[1];
    m[7] += factor * x[0];
}

/** M += factor x y^T. */
static inline void mat3_add_outer(double factor, const double x[3], const double y[3], double m[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            m[3 * i + j] += factor * x[i] * y[j];
        }
    }
}

/** M += factor x~ y~ = factor (y x^T - (x.y) 1). */
static inline void mat3_add_double(double factor, const double x[3], const double y[3], double m[9])
{
    const double dot = factor * vec3_dot(x, y);
    mat3_add_outer(factor, y, x, m);
    m[0] -= dot;
    m[4] -= dot;
    m[8] -= dot;
}

/* ---- quaternions ---- */

/** c = a b: first the rotation b, then a. */
static inline void quaternion_product(const double a[4], const double b[4], double c[4])
{
    c[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    c[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    c[2] = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3];
    c[3] = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1];
}

/** c = a^-1 b of unit quaternions: b as seen from a. */
static inline void quaternion_between(const double a[4], const double b[4], double c[4])
{
    const double inverse[4] = {a[0], -a[1], -a[2], -a[3]};
    quaternion_product(inverse, b, c);
}

static inline void quaternion_normalise(double a[4])
{
    const double scale = 1.0 / sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
    for (int i = 0; i < 4; i++) {
        a[i] *= scale;
    }
}

/** Rotation matrix of a unit quaternion, body to inertial. */
static inline void quaternion_matrix(const double a[4], double r[9])
{
    const double w = a[0], x = a[1], y = a[2], z = a[3];
    r[0] = 1.0 - 2.0 * (y * y + z * z);
    r[1] = 2.0 * (x * y - w * z);
    r[2] = 2.0 * (x * z + w * y);
    r[3] = 2.0 * (x * y + w * z);
    r[4] = 1.0 - 2.0 * (x * x + z * z);
    r[5] = 2.0 * (y * z - w * x);
    r[6] = 2.0 * (x * z - w * y);
    r[7] = 2.0 * (y * z + w * x);
    r[8] = 1.0 - 2.0 * (x * x + y * y);
}

/** y = R(a) x. */
static inline void quaternion_rotate(const double a[4], const double x[3], double y[3])
{
    double r[9];
    quaternion_matrix(a, r);
    mat3_apply(r, x, y);
}

/**
 * Unit quaternion of a rotation matrix. Divides by the largest component, which is 1/2 or more
 * (S. W. Shepperd, J. Guid. Control 1 (1978) 223).
 */
static inline void quaternion_from_matrix(const double r[9], double a[4])
{
    const double trace = r[0] + r[4] + r[8];
    int pivot = 0;
    double largest = trace;
    for (int i = 0; i < 3; i++) {
        if (r[4 * i] > largest) {
            largest = r[4 * i];
            pivot = 1 + i;
        }
    }
    if (pivot == 0) {
        a[0] = 1.0 + trace;
        a[1] = r[7] - r[5];
        a[2] = r[2] - r[6];
        a[3] = r[3] - r[1];
    } else {
        const int i = pivot - 1, j = pivot % 3, k = (pivot + 1) % 3;
        a[0] = r[3 * k + j] - r[3 * j + k];
        a[1 + i] = 1.0 + 2.0 * r[4 * i] - trace;
        a[1 + j] = r[3 * i + j] + r[3 * j + i];
        a[1 + k] = r[3 * i + k] + r[3 * k + i];
    }
    quaternion_normalise(a);
}

/* ---- SO(3) ---- */

/** Unit quaternion of exp(w). */
static inline void so3_exp(const double w[3], double a[4])
{
    const double phi = vec3_norm(w);
    const double scale = phi < 1e-4 ? 0.5 - phi * phi / 48.0 : sin(0.5 * phi) / phi;
    a[0] = cos(0.5 * phi);
    a[1] = scale * w[0];
    a[2] = scale * w[1];
    a[3] = scale * w[2];
}

/** Rotation vector of a unit quaternion, at most pi long; of a and -a the same. */
static inline void so3_log(const double a[4], double w[3])
{
    const double sign = a[0] < 0.0 ? -1.0 : 1.0;
    const double size = vec3_norm(a + 1);
    const double scale = size < 1e-8 ? 2.0 : 2.0 * atan2(size, fabs(a[0])) / size;
    for (int i = 0; i < 3; i++) {
        w[i] = sign * scale * a[1 + i];
    }
}

/** a exp(h w) into `result`, normalised; may be in place. */
static inline void so3_move(const double a[4], double h, const double w[3], double result[4])
{
    const double turn[3] = {h * w[0], h * w[1], h * w[2]};
    double step[4], moved[4];
    so3_exp(turn, step);
    quaternion_product(a, step, moved);
    quaternion_normalise(moved);
    for (int i = 0; i < 4; i++) {
        result[i] = moved[i];
    }
}

/* One step of so3_coast: the mean W of both velocities, by fixed-point iteration. */
static inline void so3_coast_once(const double j[3], double h, const double w[3], double way[3],
                                  double w_plus[3])
{
    const double least = 4.0 * 2.3e-16 * vec3_norm(w);
    double before = 0.0, change = 0.0;
    memcpy(w_plus, w, 3 * sizeof *w_plus);
    for (int k = 0; k < 60 && (k < 2 || (change > least && change < before)); k++) {
        double momentum[3], moment[3];
        for (int i = 0; i < 3; i++) {
            const double mean = 0.5 * (w[i] + w_plus[i]);
            way[i] = h * mean;
            momentum[i] = j[i] * mean;
        }
        const double half = 0.5 * vec3_norm(way);
        const double part = half > 1e-4 ? tan(half) / half : 1.0 + half * half / 3.0;
        vec3_cross(way, momentum, moment);
        before = change;
        change = 0.0;
        for (int i = 0; i < 3; i++) {
            const double next = w[i] - part * moment[i] / j[i];
            change = fmax(change, fabs(next - w_plus[i]));
            w_plus[i] = next;
        }
    }
    for (int i = 0; i < 3; i++) {
        way[i] = h * 0.5 * (w[i] + w_plus[i]);
    }
}

/**
 * What has the moments of inertia j about its axes and no moment on it turns for a time h: from the
 * velocity w in its own frame by exp(way) to w_plus, with
 *
 *     J (w_plus - w) = -t way x J W,   way = h W,   W = (w + w_plus) / 2,
 *
 * t = tan(|way| / 2) / (|way| / 2), which is (1 + t way~ / 2) J w_plus = (1 - t way~ / 2) J w. The
 * quotient of the brackets is exp(way) (A. Cayley): exp(way) J w_plus = J w, so that the angular
 * momentum stays in space, and the moment is at right angles to W: so does the energy. In parts
 * where it turns by more than a radian or precesses by more than a quarter.
 */
static inline void so3_coast(const double j[3], double h, const double w[3], double way[3],
                             double w_plus[3])
{
    const double spread =
        fmax(fmax(fabs(j[1] - j[2]) / j[0], fabs(j[2] - j[0]) / j[1]), fabs(j[0] - j[1]) / j[2]);
    const double angle = fabs(h) * vec3_norm(w), precession = angle * spread;
    const int parts = 1 + (int)fmin(fmax(4.0 * precession, angle), 1000.0);
    double turned[4] = {1.0, 0.0, 0.0, 0.0}, now[3] = {w[0], w[1], w[2]};
    if (!(precession > 0.0)) {
        for (int i = 0; i < 3; i++) {
            way[i] = h * w[i];
            w_plus[i] = w[i];
        }
        return;
    }
    for (int k = 0; k < parts; k++) {
        so3_coast_once(j, h / parts, now, way, w_plus);
        memcpy(now, w_plus, sizeof now);
        if (parts > 1) {
            so3_move(turned, 1.0, way, turned);
        }
    }
    if (parts > 1) {
        so3_log(turned, way);
    }
}

/** w = log(a^-1 b). */
static inline void so3_difference(const double a[4], const double b[4], double w[3])
{
    double relative[4];
    quaternion_between(a, b, relative);
    so3_log(relative, w);
}

/* p and its first two derivatives at x of the polynomial with coefficients a [n]. */
static inline void series_sum(int n, const double *a, double x, double p[3])
{
    double value = a[n - 1], slope = 0.0, half = 0.0;
    for (int k = n - 2; k >= 0; k--) {
        half = half * x + slope;
        slope = slope * x + value;
        value = value * x + a[k];
    }
    p[0] = value;
    p[1] = slope;
    p[2] = 2.0 * half;
}

/* s, b, d of exp, V and T, (1 / phi) d/dphi of b and d, and the same of these. */
typedef struct so3_factors {
    double s, b, d, b1, d1, b2, d2;
} so3_factors;

enum { SO3_EXP_TERMS = 9, SO3_LOG_TERMS = 15 };

/** @param x  phi^2; the closed forms cancel below phi = 1, their series have 9 terms of use */
static inline so3_factors so3_exp_factors(double x)
{
    static const double b[SO3_EXP_TERMS] = {
        1.0 / 2.0,
        1.0 / 24.0,
        1.0 / 720.0,
        1.0 / 40320.0,
        1.0 / 3628800.0,
        1.0 / 479001600.0,
        1.0 / 87178291200.0,
        1.0 / 20922789888000.0,
        1.0 / 6402373705728000.0,
    };
    static const double d[SO3_EXP_TERMS] = {
        1.0 / 6.0,
        1.0 / 120.0,
        1.0 / 5040.0,
        1.0 / 362880.0,
        1.0 / 39916800.0,
        1.0 / 6227020800.0,
        1.0 / 1307674368000.0,
        1.0 / 355687428096000.0,
        1.0 / 121645100408832000.0,
    };
    if (x < 1.0) {
        double pb[3], pd[3];
        series_sum(SO3_EXP_TERMS, b, -x, pb);
        series_sum(SO3_EXP_TERMS, d, -x, pd);
        return (so3_factors){1.0 - x * pd[0], pb[0],       pd[0],      -2.0 * pb[1],
                             -2.0 * pd[1],    4.0 * pb[2], 4.0 * pd[2]};
    }
    const double phi = sqrt(x), s = sin(phi) / phi, cosine = (1.0 - cos(phi)) / x;
    const double cubic = (1.0 - s) / x;
    const double b1 = (s - 2.0 * cosine) / x, d1 = (cosine - 3.0 * cubic) / x;
    const double b2 = (cubic - cosine - 4.0 * b1) / x, d2 = (b1 - 5.0 * d1) / x;
    return (so3_factors){s, cosine, cubic, b1, d1, b2, d2};
}

/* c of T^-1, e = (dc/dphi) / phi, e2 = (de/dphi) / phi. */
typedef struct so3_log_factors {
    double c, e, e2;
} so3_log_factors;

/**
 * c = (1 - (phi/2) cot(phi/2)) / phi^2 has its nearest poles at phi = +-2 pi. Without them, as
 * 2 / (4 pi^2 - x), what is left is sum_k 2 (zeta(2 k) - 1) (2 pi)^-2k x^(k-1), x = phi^2: 15 terms
 * hold to rounding up to phi = pi, where the closed forms of e and e2 lose up to nine digits.
 */
static inline so3_log_factors so3_inverse_factors(double x)
{
    static const double rest[SO3_LOG_TERMS] = {
        3.26727415121644479412e-02, 1.05641107053346995377e-04, 5.63737028287684532902e-07,
        3.35714192665745120317e-09, 2.07428729041660451766e-11, 1.30004821386989750506e-13,
        8.19605205569100818845e-16, 5.18011819616972402113e-18, 3.27753917470179213139e-20,
        2.07474018785936042101e-22, 1.31362418071665342465e-24, 8.31800319518926396252e-27,
        5.26726299683423109803e-29, 3.33548429882214430383e-31, 2.11220633231838847457e-33,
    };
    const double pole = 1.0 / (39.4784176043574344753 - x);
    double p[3];
    series_sum(SO3_LOG_TERMS, rest, x, p);
    return (so3_log_factors){2.0 * pole + p[0], 4.0 * pole * pole + 2.0 * p[1],
                             16.0 * pole * pole * pole + 4.0 * p[2]};
}

/** M = 1 + first w~ + second w~^2. */
static inline void so3_polynomial(double first, double second, const double w[3], double m[9])
{
    static const double unit[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    memcpy(m, unit, sizeof unit);
    mat3_add_skew(first, w, m);
    mat3_add_double(second, w, w, m);
}

/** M = d(V(h) y)/dh at fixed y = -b y~ - d ((h x y)~ + h~ y~) + (b1 h x y + d1 h x (h x y)) h^T;
 * the same of V(h)^T with -b and -b1. */
static inline void so3_bend(const so3_factors *f, const double h[3], const double y[3], double m[9])
{
    double hy[3], hhy[3];
    vec3_cross(h, y, hy);
    vec3_cross(h, hy, hhy);
    memset(m, 0, 9 * sizeof *m);
    mat3_add_skew(-f->b, y, m);
    mat3_add_skew(-f->d, hy, m);
    mat3_add_double(-f->d, h, y, m);
    mat3_add_outer(f->b1, hy, h, m);
    mat3_add_outer(f->d1, hhy, h, m);
}

/** T(w)^-1, where the angular velocity in the body's frame of exp(w) is T(w) dw/dt. */
static inline void so3_tangent_inverse(const double w[3], double t[9])
{
    so3_polynomial(0.5, so3_inverse_factors(vec3_dot(w, w)).c, w, t);
}

/* ---- SE(3): poses are position [3] and unit quaternion [4] ---- */

/* d = (u, w) = log(a^-1 b) of two poses, R the rotation of a, A = T(w)^-1. */
typedef struct se3_log {
    double r[9], d[6], a[9];
    so3_log_factors f;
} se3_log;

/** With z the position of b as seen from a, u = V(w)^-1 z = A^T z. */
static inline void se3_between(const double a[7], const double b[7], se3_log *log)
{
    const double x[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    double z[3], w[3];
    quaternion_matrix(a + 3, log->r);
    mat3_apply_t(log->r, x, z);
    so3_difference(a + 3, b + 3, w);
    memcpy(log->d + 3, w, sizeof w);
    log->f = so3_inverse_factors(vec3_dot(w, w));
    so3_polynomial(0.5, log->f.c, w, log->a);
    mat3_apply_t(log->a, z, log->d);
}

/**
 * B of T(d)^-1 = [A B; 0 A]: B = u~/2 + c (u~ w~ + w~ u~) + e (w.u) w~^2. That of -d has A^T and
 * B^T in their places.
 */
static inline void se3_coupling(const se3_log *log, double b[9])
{
    const double *u = log->d, *w = log->d + 3;
    memset(b, 0, 9 * sizeof *b);
    mat3_add_skew(0.5, u, b);
    mat3_add_double(log->f.c, u, w, b);
    mat3_add_double(log->f.c, w, u, b);
    mat3_add_double(log->f.e * vec3_dot(w, u), w, w, b);
}

#endif
