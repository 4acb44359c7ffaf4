/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tangent of the modal span, first over y = (l, a_k, b_k): with the columns B_j of (r', r'') in the
 * frame, the modulus (S, D) of a place and T_j the derivatives of the rates at a fixed label,
 *
 *     K_ij = L sum w B_i' (S B_j + D T_j),   C_il = L sum w B_i' D B_l.
 *
 * With F the work on l and d = r2 - r1, the force -F e1 on d gives e1 (K_ll e1 + omega C_ll e2)'
 * + F e2 e2' / l, as dl = e1.dd and d(l') = omega e2.dd + e1.dd'.
 */
#include "element/alem_span.h"

typedef struct reduced {
    int n;
    double k[ALEM_REDUCED][ALEM_REDUCED]; /* lower rows only need i, j < n */
    double rate[ALEM_REDUCED];            /* C_il */
    double work;                          /* F */
} reduced;

/* Column of one unknown: its component, and its part of r', r'', r'''. */
typedef struct column {
    int component;
    double x, y, z;
} column;

static int columns(const alem_modes *span, const alem_place *place, column out[ALEM_REDUCED])
{
    const double inverse = span->inverse, square = inverse * inverse;
    int n = 0;
    out[n++] = (column){0, inverse, 0.0, 0.0};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < span->modes[i]; k++) {
            const double slope = place->slope[k] * inverse, wave = place->square[k] * square;
            out[n++] = (column){i, slope, -wave * place->sine[k], -wave * slope};
        }
    }
    return n;
}

static inline void add_place(const haw_ale_section *section, const alem_modes *span,
                             const alem_place *place, double rate, reduced *sum)
{
    const double swell = span->swell * span->inverse, weight = place->weight * span->le;
    const double flow = alem_drift(span, place->eta) * span->le;
    double x[3][3];
    ale_slopes slopes;
    column b[ALEM_REDUCED];
    ale_modulus modulus;
    alem_slopes(span, place, x);
    alem_slope_rates(span, place, x, slopes.dx, slopes.dy);
    memcpy(slopes.x, x[0], sizeof slopes.x);
    memcpy(slopes.y, x[1], sizeof slopes.y);
    haw_ale_modulus(section, &slopes, rate, &modulus);
    sum->n = columns(span, place, b);
    sum->work += weight * span->inverse * modulus.stress.n[0];
    for (int j = 0; j < sum->n; j++) {
        const int l = b[j].component;
        const double tx = flow * b[j].y - swell * b[j].x;
        const double ty = flow * b[j].z - 2.0 * swell * b[j].y;
        double v[4];
        for (int r = 0; r < 4; r++) {
            const double *s = modulus.s[r] + l, *d = modulus.d[r] + l;
            v[r] = weight * (s[0] * b[j].x + s[2] * b[j].y + d[0] * tx + d[2] * ty);
        }
        for (int i = 0; i < sum->n; i++) {
            const int row = b[i].component;
            sum->k[i][j] += b[i].x * v[row] + b[i].y * v[2 + row];
        }
        sum->rate[j] +=
            weight * span->inverse * (b[j].x * modulus.d[l][0] + b[j].y * modulus.d[2 + l][0]);
    }
}

/* Row and column of d, from those of l and the turn of its direction. */
typedef struct ends {
    double dd[2][2], row[2][ALEM_REDUCED], column[ALEM_REDUCED][2]; /* d with amplitudes */
} ends;

static void ends_of(const alem_span *span, const reduced *sum, ends *to)
{
    const double *e1 = span->e1, *e2 = span->e2;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            to->dd[i][j] = e1[i] * (sum->k[0][0] * e1[j] + span->turning * sum->rate[0] * e2[j]) +
                           sum->work * e2[i] * e2[j] / span->modes.length;
        }
        for (int k = 1; k < sum->n; k++) {
            to->row[i][k] = e1[i] * sum->k[0][k];
            to->column[k][i] = sum->k[k][0] * e1[i] + span->turning * sum->rate[k] * e2[i];
        }
    }
}

/* Gravity turns with the span: its work is -P, P = rho L (g.e1 mean U + g.e2 mean V). */
static void add_weight(const haw_ale_section *section, const alem_span *span, ends *to)
{
    const double whole = section->density * span->modes.le / span->modes.length;
    const double g[2] = {alem_dot(span->e1, section->gravity),
                         alem_dot(span->e2, section->gravity)};
    double w[2];
    alem_mean_of(&span->modes, w);
    const double power = whole * (w[0] * g[0] + w[1] * g[1]) / span->modes.length;
    const double turn = whole * (w[0] * g[1] - w[1] * g[0]) / span->modes.length;
    const double *e1 = span->e1, *e2 = span->e2;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            to->dd[i][j] += power * e2[i] * e2[j] + turn * (e1[i] * e2[j] + e2[i] * e1[j]);
        }
        for (int part = 0, k = 1; part < 2; part++) {
            const double pull = part == 0 ? g[1] : -g[0];
            for (int l = 0; l < span->modes.modes[part]; l++, k++) {
                const double term = whole * alem_mean(l) * pull * e2[i];
                to->row[i][k] -= term;
                to->column[k][i] -= term;
            }
        }
    }
}

/* k += the tangent over r1, r2, amplitudes: d = r2 - r1. */
static void scatter(const reduced *sum, const ends *at, int n, double *k)
{
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            k[n * i + j] += at->dd[i][j];
            k[n * i + 2 + j] -= at->dd[i][j];
            k[n * (2 + i) + j] -= at->dd[i][j];
            k[n * (2 + i) + 2 + j] += at->dd[i][j];
        }
        for (int l = 1; l < sum->n; l++) {
            const int at_l = ALEM_ENDS - 1 + l;
            k[n * i + at_l] -= at->row[i][l];
            k[n * (2 + i) + at_l] += at->row[i][l];
            k[n * at_l + i] -= at->column[l][i];
            k[n * at_l + 2 + i] += at->column[l][i];
        }
    }
    for (int i = 1; i < sum->n; i++) {
        for (int j = 1; j < sum->n; j++) {
            k[n * (ALEM_ENDS - 1 + i) + ALEM_ENDS - 1 + j] += sum->k[i][j];
        }
    }
}

/* The mass matrix without rows and columns of the labels. */
static void free_mass(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                      double factor, double *k)
{
    const int n = kind->dofs;
    haw_alem_span.mass(kind, section, q, k);
    for (int i = 0; i < n * n; i++) {
        k[i] = i / n < n - 2 && i % n < n - 2 ? factor * k[i] : 0.0;
    }
}

void haw_alem_span_tangent(const haw_ale_kind *kind, const haw_ale_section *section,
                           const double *q, const double *u, const double factor[2], double *k)
{
    const alem_span span = alem_span_of(kind, q, u);
    const alem_rule *rule = alem_span_rule(kind);
    reduced sum = {.work = 0.0};
    ends at;
    for (int g = 0; g < rule->points; g++) {
        const alem_gauss gauss = alem_gauss_at(rule, g);
        const alem_place place = alem_place_of(&span.modes, &gauss);
        add_place(section, &span.modes, &place, factor[1], &sum);
    }
    free_mass(kind, section, q, factor[0], k);
    ends_of(&span, &sum, &at);
    add_weight(section, &span, &at);
    scatter(&sum, &at, kind->dofs, k);
}
