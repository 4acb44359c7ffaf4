/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/trial.h"

#include "support/random.h"
#include "support/table.h"

void trial_near(const trial *t, const char *what, const double pair[2], double atol, double rtol)
{
    if (!(fabs(pair[0] - pair[1]) <= atol + rtol * fabs(pair[1]))) {
        fail_msg("%s, seed %llu: %s is %.17g, expected %.17g (error %.3g)", t->line.ops->row.name,
                 (unsigned long long)t->seed, what, pair[0], pair[1], fabs(pair[0] - pair[1]));
    }
}

double trial_uniform(trial *t, double low, double high)
{
    return low + (high - low) * (1 + random_signed(&t->random)) / 2;
}

void trial_curve(const void *user, double xi, double x[2], double tangent[2], double *stretch)
{
    const trial_wave *p = user;
    const double e[2] = {cos(p->direction), sin(p->direction)};
    double slope[2];
    for (int i = 0; i < 2; i++) {
        const double angle = p->rate[i] * xi + p->phase[i];
        x[i] = p->origin[i] + p->stretch * xi * e[i] + p->amplitude[i] * sin(angle);
        slope[i] = p->stretch * e[i] + p->amplitude[i] * p->rate[i] * cos(angle);
    }
    *stretch = hypot(slope[0], slope[1]);
    tangent[0] = slope[0] / *stretch;
    tangent[1] = slope[1] / *stretch;
}

/**
 * A cable of about `stretch` times its unstrained length: a smooth random curve, and every
 * coordinate disturbed on its own. Directions stay away from the cut of atan2 at +-pi.
 */
static trial trial_make(const haw_element_ops *ops, uint64_t seed, double stretch)
{
    trial t = {.seed = seed, .random = seed * UINT64_C(0x9E3779B97F4A7C15)};
    t.line = line_make(ops->row.name, TRIAL_ELEMENTS, trial_uniform(&t, 0.5, 3));
    t.line.stiffness = trial_uniform(&t, 1e3, 1e5);
    t.line.density = trial_uniform(&t, 0.01, 2);
    trial_wave wave = {.stretch = stretch, .direction = trial_uniform(&t, -1.5, 1.5)};
    for (int i = 0; i < 2; i++) {
        const double length = t.line.le * TRIAL_ELEMENTS;
        wave.origin[i] = trial_uniform(&t, -1, 1);
        wave.rate[i] = trial_uniform(&t, 1, 4) / length;
        wave.amplitude[i] = trial_uniform(&t, -0.03, 0.03) * length;
        wave.phase[i] = trial_uniform(&t, -3, 3);
    }
    ops->interpolate(&t.line, trial_curve, &wave, t.q);
    for (int i = 0; i < t.line.dofs; i++) {
        t.q[i] += trial_uniform(&t, -0.01, 0.01) * t.line.le;
        t.u[i] = trial_uniform(&t, -1, 1);
    }
    return t;
}

/** Bending, damping and a stress-free shape of their own, for kinds that have them. */
static void trial_stiffen(trial *t, int scheme)
{
    haw_line *line = &t->line;
    const double ratio = trial_uniform(t, 0.01, 1) * line->le * line->le;
    const double delay = trial_uniform(t, 0.01, 1);
    line->scheme = scheme;
    line->bending = ratio * line->stiffness;
    line->damping_strain = delay * line->stiffness;
    line->damping_curvature = trial_uniform(t, 0.1, 1) * delay * line->bending;
    line->strain0 = trial_uniform(t, -0.05, 0.05);
    line->curvature0 = trial_uniform(t, -0.3, 0.3) / line->le;
    for (int i = 0; i < TRIAL_ELEMENTS * HAW_NATURAL_MAX; i++) {
        t->natural[i] = trial_uniform(t, -0.02, 0.02);
    }
    line->natural = t->natural;
}

int trial_rules(const haw_line *line, haw_quadrature *axial, haw_quadrature *bending)
{
    haw_quadrature_init(line->scheme == 0 ? 5 : 4, axial);
    haw_quadrature_init(line->scheme == 0 ? 3 : 2, bending);
    if (line->scheme == 2) {
        *axial =
            (haw_quadrature){.points = 3, .s = {0, 0.5, 1}, .weight = {1.0 / 6, 4.0 / 6, 1.0 / 6}};
    }
    return axial->points;
}

void trial_stiff(trial_check check, double stretch)
{
    for (int i = 0; haw_elements[i] != NULL; i++) {
        for (uint64_t k = 0; k < 3 * TRIAL_SEEDS && element_at(i)->force_rates != NULL; k++) {
            trial t = trial_make(element_at(i), 1 + k / 3, stretch);
            trial_stiffen(&t, (int)(k % 3));
            check(&t);
        }
    }
}

void trial_all(trial_check check, double stretch)
{
    for (int i = 0; haw_elements[i] != NULL; i++) {
        for (uint64_t seed = 1; seed <= TRIAL_SEEDS; seed++) {
            trial t = trial_make(element_at(i), seed, stretch);
            check(&t);
        }
    }
}

double trial_sample(int k, int *element)
{
    *element = k / TRIAL_SAMPLES;
    return (double)(k % TRIAL_SAMPLES) / (TRIAL_SAMPLES - 1);
}

void trial_points(const haw_line *line, const double *q, double *x, double *j)
{
    const int n = line->dofs, m = line->ops->dofs;
    memset(j, 0, (size_t)(TRIAL_ROWS * n) * sizeof *j);
    for (int k = 0; k < TRIAL_ROWS / 2; k++) {
        int e = 0;
        double block[2 * HAW_ELEMENT_DOFS_MAX];
        const double s = trial_sample(k, &e);
        line->ops->position(line, e, s, q, x + 2 * k, block);
        for (int i = 0; i < 2; i++) {
            memcpy(j + (2 * k + i) * n + line->ops->stride * e, block + m * i,
                   (size_t)m * sizeof *j);
        }
    }
}

void trial_rates(const haw_line *line, const double *q, const double *v, double *u)
{
    double x[TRIAL_ROWS], rest[TRIAL_ROWS];
    static double j[TRIAL_ROWS * TRIAL_DOFS];
    trial_points(line, q, x, j);
    memcpy(rest, v, sizeof rest);
    const int n = line->dofs;
    assert_true(n <= TRIAL_ROWS);
    assert_int_equal(LAPACKE_dgels(LAPACK_ROW_MAJOR, 'N', TRIAL_ROWS, n, 1, j, n, rest, 1), 0);
    memcpy(u, rest, (size_t)n * sizeof *u);
}

void trial_rigid(const haw_line *line, const double *q, const double motion[3], double *u)
{
    double x[TRIAL_ROWS], v[TRIAL_ROWS];
    static double j[TRIAL_ROWS * TRIAL_DOFS];
    trial_points(line, q, x, j);
    for (int k = 0; k < TRIAL_ROWS; k += 2) {
        v[k] = motion[0] - motion[2] * x[k + 1];
        v[k + 1] = motion[1] + motion[2] * x[k];
    }
    trial_rates(line, q, v, u);
}
