/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/enum.h"

enum { ENUM_OPEN, ENUM_STICK, ENUM_SLIP_POSITIVE, ENUM_SLIP_NEGATIVE, ENUM_STATES };

static void enum_swap(double *a, double *b)
{
    const double t = *a;

    *a = *b;
    *b = t;
}

/* Gauss elimination with row pivoting of a [n][n + 1]. @return false if singular */
static bool enum_eliminate(int n, double a[ENUM_ROWS][ENUM_ROWS + 1], double *x)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;

        for (int i = k + 1; i < n; i++) {
            pivot = fabs(a[i][k]) > fabs(a[pivot][k]) ? i : pivot;
        }
        if (fabs(a[pivot][k]) < 1.0e-13) {
            return false;
        }
        for (int j = 0; j <= n; j++) {
            enum_swap(&a[k][j], &a[pivot][j]);
        }
        for (int i = k + 1; i < n; i++) {
            const double factor = a[i][k] / a[k][k];

            for (int j = k; j <= n; j++) {
                a[i][j] -= factor * a[k][j];
            }
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] = a[i][n];
        for (int j = i + 1; j < n; j++) {
            x[i] -= a[i][j] * x[j];
        }
        x[i] /= a[i][i];
    }
    return true;
}

/* One row of the system: u_i = 0, or r_i = factor r_N. */
static void enum_row(small_problem *s, int i, bool velocity, double factor, double *row)
{
    const int n = 2 * s->problem.contacts;

    for (int j = 0; j < n; j++) {
        row[j] = velocity ? *small_problem_entry(s, i, j) : (j == i ? 1.0 : 0.0);
    }
    row[n] = velocity ? -s->q[i] : 0.0;
    if (!velocity && i % 2 == 1) {
        row[i - 1] -= factor;
    }
}

static bool enum_admissible(const small_problem *s, const int *state, const double *r,
                            const double *u)
{
    const double slack = 1.0e-10;
    bool valid = true;

    for (int c = 0; c < s->problem.contacts; c++) {
        const double rn = r[2 * c], rt = r[2 * c + 1], un = u[2 * c], ut = u[2 * c + 1];

        switch (state[c]) {
        case ENUM_OPEN:
            valid = valid && un >= -slack;
            break;
        case ENUM_STICK:
            valid = valid && rn >= -slack && fabs(rt) <= s->mu[c] * rn + slack;
            break;
        case ENUM_SLIP_POSITIVE:
            valid = valid && rn >= -slack && ut >= -slack;
            break;
        default:
            valid = valid && rn >= -slack && ut <= slack;
            break;
        }
    }
    return valid;
}

double enum_distance(int n, const double *a, const double *b)
{
    double distance = 0.0;

    for (int i = 0; i < n; i++) {
        distance = fmax(distance, fabs(a[i] - b[i]));
    }
    return distance;
}

static void enum_keep(enumeration *e, int n, const double *r, const double *u)
{
    for (int k = 0; k < e->count; k++) {
        if (enum_distance(n, r, e->r[k]) < 1.0e-9 && enum_distance(n, u, e->u[k]) < 1.0e-9) {
            return;
        }
    }
    if (e->count < ENUM_SOLUTIONS) {
        memcpy(e->r[e->count], r, sizeof e->r[0]);
        memcpy(e->u[e->count], u, sizeof e->u[0]);
        e->count++;
    }
}

void enum_solve(small_problem *s, enumeration *e)
{
    const int contacts = s->problem.contacts, n = 2 * contacts;

    e->count = 0;
    for (int code = 0; code < 1 << (2 * contacts); code++) {
        double a[ENUM_ROWS][ENUM_ROWS + 1] = {{0}}, r[ENUM_ROWS] = {0}, u[ENUM_ROWS] = {0};
        int state[ENUM_CONTACTS];

        for (int c = 0; c < contacts; c++) {
            const int kind = (code >> (2 * c)) % ENUM_STATES;
            const double mu = kind == ENUM_SLIP_POSITIVE ? -s->mu[c] : s->mu[c];

            state[c] = kind;
            enum_row(s, 2 * c, kind != ENUM_OPEN, 0.0, a[2 * c]);
            enum_row(s, 2 * c + 1, kind == ENUM_STICK, kind == ENUM_OPEN ? 0.0 : mu, a[2 * c + 1]);
        }
        if (!enum_eliminate(n, a, r)) {
            continue;
        }
        for (int i = 0; i < n; i++) {
            u[i] = s->q[i];
            for (int j = 0; j < n; j++) {
                u[i] += *small_problem_entry(s, i, j) * r[j];
            }
        }
        if (enum_admissible(s, state, r, u)) {
            enum_keep(e, n, r, u);
        }
    }
}
