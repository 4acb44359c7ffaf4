/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mean deflection z of elastic bristles:
 *
 *     z' = v - sigma_0 |v| z / F_lim(v),   f_T = sigma_0 z + sigma_1 z' + sigma_2 v,   v = gamma_T.
 *
 * One implicit Euler step at the end velocity v has the closed form
 *
 *     z  = (z_0 + h v) F_lim / a,   z' = (F_lim v - sigma_0 |v| z_0) / a,
 *     a  = F_lim + sigma_0 h |v|.
 *
 * The source has a constant normal force, under which sigma_0 |z| never exceeds mu_s f_N. Where f_N
 * falls, the bristles let go as far as that, else sigma_1 z' would push along the motion. Where it
 * rises again they bend anew, and sigma_1 z' would brake without its counterpart: a ball that
 * bounces on its springs would lose a tenth of its speed. sigma_0 z + sigma_1 z' is returned to
 * |f| <= mu_s f_N, which under a constant normal force it passes by the damping of presliding only.
 */
#include "law/friction.h"

/* A moving bristle slips once it is bent to this part of its steady deflection: most of v is slip
 * then. The model itself knows no stick. */
static const double slip_bend = 0.9;

/* Deflection at the start of the step that f_N can still hold, and its derivatives to f_N and to
 * what is remembered. */
static HAW_INLINE void held_deflection(const haw_friction_parameters *p, const haw_slip *slip,
                                       int n, double *start, double *start_n, double *start_z)
{
    double e[3];
    const double mu = fmax(p->mu_static, p->mu_kinetic);
    const double size = friction_direction(n, slip->memory, e);
    const bool is_held = p->stiffness * size <= mu * slip->normal;
    for (int k = 0; k < n * n; k++) {
        start_z[k] = is_held && k / n == k % n ? 1 : 0;
    }
    for (int i = 0; i < n; i++) {
        start_n[i] = is_held ? 0 : e[i] * mu / p->stiffness;
        start[i] = is_held ? slip->memory[i] : start_n[i] * slip->normal;
    }
    if (!is_held) {
        friction_turn(n, mu * slip->normal / (p->stiffness * size), e, start_z);
    }
}

/* m [n][columns] = scale (1 - e e^T) m. */
static HAW_INLINE void turn_with(int n, double scale, const double *e, int columns, double *m)
{
    for (int j = 0; j < columns; j++) {
        double along = 0;
        for (int i = 0; i < n; i++) {
            along += e[i] * m[i * columns + j];
        }
        for (int i = 0; i < n; i++) {
            m[i * columns + j] = scale * (m[i * columns + j] - along * e[i]);
        }
    }
}

/* Return of spring and damper to what mu_s f_N holds. */
static HAW_INLINE void bound_force(const haw_friction_parameters *p, const haw_slip *slip, int n,
                                   haw_slip_force *out)
{
    double e[3];
    const double mu = fmax(p->mu_static, p->mu_kinetic);
    const double size = friction_direction(n, out->force, e), most = mu * slip->normal;
    if (size > most) {
        turn_with(n, most / size, e, n, out->d_rate);
        turn_with(n, most / size, e, n, out->d_memory);
        turn_with(n, most / size, e, 1, out->d_normal);
        for (int i = 0; i < n; i++) {
            out->force[i] = most * e[i];
            out->d_normal[i] += mu * e[i];
        }
    }
}

static HAW_INLINE void add_viscous(const haw_friction_parameters *p, const double *v, int n,
                                   haw_slip_force *out)
{
    for (int i = 0; i < n; i++) {
        out->force[i] += p->viscous * v[i];
        out->d_rate[i * n + i] += p->viscous;
    }
}

static HAW_INLINE void lugre(const haw_friction_parameters *p, const haw_slip *slip, int n,
                             haw_slip_force *out)
{
    const double *v = slip->rate, h = slip->h, sigma0 = p->stiffness;
    double slope, e[3], start[3], start_n[3], start_z[9];
    const double speed = friction_direction(n, v, e);
    const double mu = haw_friction_coefficient(p, speed, &slope);
    const double limit = mu * slip->normal, a = limit + sigma0 * h * speed;

    *out = (haw_slip_force){.regime = HAW_REGIME_STICK};
    if (limit <= 0.0) { /* nothing holds a bristle, and one that is let go acts on nothing */
        add_viscous(p, v, n, out);
        return;
    }
    held_deflection(p, slip, n, start, start_n, start_z);
    /* z depends on v and F_lim through h only, z' = (z - z_0) / h: both share these derivatives */
    const double weight = sigma0 * h + p->damping;
    const double by_start = sigma0 * (limit - p->damping * speed) / a;
    double power = 0, bent = 0;
    for (int i = 0; i < n; i++) {
        const double free = start[i] + h * v[i];
        for (int j = 0; j < n; j++) {
            const double own = i == j ? limit * a : 0;
            const double rate_v =
                (own + free * sigma0 * (slope * e[j] * slip->normal * speed - limit * e[j])) /
                (a * a);
            out->d_rate[i * n + j] = weight * rate_v;
            out->d_memory[i * n + j] = by_start * start_z[i * n + j];
        }
        out->deflection[i] = free * limit / a;
        out->force[i] = sigma0 * out->deflection[i] +
                        p->damping * (limit * v[i] - sigma0 * speed * start[i]) / a;
        out->d_normal[i] = weight * (free * sigma0 * speed * mu / (a * a)) + by_start * start_n[i];
        power += v[i] * out->deflection[i];
        bent += out->deflection[i] * out->deflection[i];
    }
    bound_force(p, slip, n, out);
    add_viscous(p, v, n, out);
    if (power > 0.0 && sigma0 * sqrt(bent) > slip_bend * limit) {
        out->regime = friction_regime(n, e);
    }
}

HAW_FRICTION_FORCES(lugre)

static const char *const keys[] = {HAW_FRICTION_KEYS, "tangential_stiffness", "tangential_damping",
                                   NULL};
static const char *const needs[] = {"tangential_stiffness", NULL};

const haw_friction_ops haw_friction_lugre = {
    .row.name = "lugre",
    .row.summary =
        "mean deflection of elastic bristles: presliding, Stribeck effect, frictional lag",
    .row.source = "C. Canudas de Wit, H. Olsson, K. J. Astrom, P. Lischinsky, A new model for "
                  "control of systems with friction, 1995",
    .keys = keys,
    .needs = needs,
    .force = lugre_force,
    .vector = lugre_vector,
};
