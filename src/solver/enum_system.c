/* SPDX-License-Identifier: BSD-3-Clause */
/* Newton's method on the equations of one combination, dense and with complete pivoting. */
#include "solver/enum_system.h"

#include <float.h>
#include <math.h>
#include <string.h>

bool haw_combination_turns(const haw_enumeration *s, const haw_combination *k, int c)
{
    return k->state[c] == HAW_ENUM_SLIP && s->d == 3 && s->mu[c] > 0.0;
}

static bool active(const haw_enumeration *s, const haw_combination *k, int c, int i)
{
    if (k->state[c] == HAW_ENUM_OPEN || k->state[c] == HAW_ENUM_STICK) {
        return k->state[c] == HAW_ENUM_STICK;
    }
    return i == 0 || (i == 1 && haw_combination_turns(s, k, c) && !k->held);
}

void haw_enum_velocity(const haw_enumeration *s, const double *r, double *u)
{
    const int rows = s->d * s->n;

    for (int i = 0; i < rows; i++) {
        u[i] = s->q[i];
        for (int j = 0; j < rows; j++) {
            u[i] += s->w[i][j] * r[j];
        }
    }
}

/* Impulses and velocities of the present unknowns. */
static void evaluate(const haw_enumeration *s, haw_combination *k)
{
    for (int c = 0; c < s->n; c++) {
        double *r = k->r + s->d * c;

        if (k->state[c] == HAW_ENUM_OPEN) {
            memset(r, 0, (size_t)s->d * sizeof *r);
        } else if (k->state[c] != HAW_ENUM_STICK) {
            k->e[c][0] = k->state[c] == HAW_ENUM_SLIP_BACK ? -1.0 : cos(k->theta[c]);
            k->e[c][1] = sin(k->theta[c]);
            r[0] = k->p[c] * s->cosine[c];
            for (int i = 1; i < s->d; i++) {
                r[i] = -k->p[c] * s->sine[c] * k->e[c][i - 1];
            }
        }
    }
    haw_enum_velocity(s, k->r, k->u);
}

/* du by unknown j of contact c. */
static void derivative(const haw_enumeration *s, const haw_combination *k, int c, int j, double *du)
{
    const int d = s->d;

    for (int i = 0; i < d * s->n; i++) {
        const double *w = s->w[i] + d * c;

        if (k->state[c] == HAW_ENUM_STICK) {
            du[i] = w[j];
        } else if (j == 0) {
            du[i] = s->cosine[c] * w[0] - s->sine[c] * w[1] * k->e[c][0];
            du[i] -= d == 3 ? s->sine[c] * w[2] * k->e[c][1] : 0.0;
        } else {
            du[i] = k->p[c] * s->sine[c] * (w[1] * k->e[c][1] - w[2] * k->e[c][0]);
        }
    }
}

/* Equation i of contact c on velocities or on their derivative. */
static double equation(const haw_enumeration *s, const haw_combination *k, int c, int i,
                       const double *u)
{
    const double *uc = u + s->d * c;

    if (k->state[c] == HAW_ENUM_STICK || i == 0) {
        return uc[i];
    }
    return uc[1] * k->e[c][1] - uc[2] * k->e[c][0];
}

static void swap(double *a, double *b)
{
    const double t = *a;

    *a = *b;
    *b = t;
}

/* Bring the largest entry of a[k...][k...n - 1] to (k, k). @return its absolute value */
static double pivot(int n, int k, double a[HAW_ENUM_ROWS][HAW_ENUM_ROWS + 1], int *order)
{
    int row = k, column = k;

    for (int i = k; i < n; i++) {
        for (int j = k; j < n; j++) {
            if (fabs(a[i][j]) > fabs(a[row][column])) {
                row = i;
                column = j;
            }
        }
    }
    for (int j = 0; j <= n; j++) {
        swap(&a[k][j], &a[row][j]);
    }
    for (int i = 0; i < n; i++) {
        swap(&a[i][k], &a[i][column]);
    }
    const int index = order[k];

    order[k] = order[column];
    order[column] = index;
    return fabs(a[k][k]);
}

/* Gauss elimination with complete pivoting; unknowns that are not determined become 0. */
static void eliminate(int n, double a[HAW_ENUM_ROWS][HAW_ENUM_ROWS + 1], double *x)
{
    int order[HAW_ENUM_ROWS], rank = 0;
    double y[HAW_ENUM_ROWS] = {0}, largest = 0.0;

    for (int k = 0; k < n; k++) {
        order[k] = k;
    }
    for (int k = 0; k < n; k++) {
        const double size = pivot(n, k, a, order);

        largest = k == 0 ? size : largest;
        if (!(size > 1.0e-14 * largest)) {
            break;
        }
        rank++;
        for (int i = k + 1; i < n; i++) {
            const double factor = a[i][k] / a[k][k];

            for (int j = k; j <= n; j++) {
                a[i][j] -= factor * a[k][j];
            }
        }
    }
    for (int i = rank - 1; i >= 0; i--) {
        y[i] = a[i][n];
        for (int j = i + 1; j < rank; j++) {
            y[i] -= a[i][j] * y[j];
        }
        y[i] /= a[i][i];
    }
    for (int i = 0; i < n; i++) {
        x[order[i]] = y[i];
    }
}

/* The linear system of Newton's step; what is not active does not move. */
static void linearize(const haw_enumeration *s, const haw_combination *k,
                      double a[HAW_ENUM_ROWS][HAW_ENUM_ROWS + 1])
{
    const int d = s->d, rows = d * s->n;
    double du[HAW_ENUM_ROWS];

    for (int column = 0; column < rows; column++) {
        const int c = column / d, j = column % d;
        const bool moves = active(s, k, c, j);

        if (moves) {
            derivative(s, k, c, j, du);
        }
        for (int i = 0; i < rows; i++) {
            const bool holds = moves && active(s, k, i / d, i % d);

            a[i][column] = holds ? equation(s, k, i / d, i % d, du) : i == column ? 1.0 : 0.0;
        }
        if (moves && k->state[c] == HAW_ENUM_SLIP && j == 1) { /* e turns with theta too */
            a[column][column] += k->u[d * c + 1] * k->e[c][0] + k->u[d * c + 2] * k->e[c][1];
        }
        a[column][rows] = moves ? -equation(s, k, c, j, k->u) : 0.0;
    }
}

/* @return largest change of an unknown */
static double newton_step(const haw_enumeration *s, haw_combination *k)
{
    double a[HAW_ENUM_ROWS][HAW_ENUM_ROWS + 1], x[HAW_ENUM_ROWS] = {0}, change = 0.0;

    linearize(s, k, a);
    eliminate(s->d * s->n, a, x);
    for (int c = 0; c < s->n; c++) {
        const double *dx = x + s->d * c;

        for (int i = 0; i < s->d; i++) {
            k->r[s->d * c + i] += dx[i];
            change = fmax(change, fabs(dx[i]));
        }
        k->p[c] += dx[0];
        k->theta[c] += haw_combination_turns(s, k, c) ? fmax(-1.0, fmin(1.0, dx[1])) : 0.0;
    }
    evaluate(s, k);
    s->task->effort.factorizations++;
    s->task->effort.newton_flops += 0.7 * pow(s->d * s->n, 3.0);
    return change;
}

void haw_combination_solve(const haw_enumeration *s, haw_combination *k, int turns)
{
    enum { STEPS = 30 };

    bool turning = false;

    evaluate(s, k);
    k->held = true;
    for (int c = 0; c < s->n; c++) {
        turning = turning || haw_combination_turns(s, k, c);
    }
    (void)newton_step(s, k);
    for (int i = 0; turning && i < turns; i++) {
        for (int c = 0; c < s->n; c++) {
            k->theta[c] = atan2(k->u[s->d * c + 2], k->u[s->d * c + 1]);
        }
        evaluate(s, k);
        (void)newton_step(s, k);
    }
    k->held = false;
    for (int i = 0; i < (turning ? STEPS : 1); i++) { /* without turns: refine the solution */
        if (!(newton_step(s, k) > 2.0 * DBL_EPSILON)) {
            break;
        }
    }
}
