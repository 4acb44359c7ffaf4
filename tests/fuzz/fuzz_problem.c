/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuzz target of the solvers: a contact problem from bytes, by every row that takes it. Nothing may
 * crash or hang, and what is called converged is so by the referee, whose residual is taken again.
 *
 * The first byte is the dimension and the number of contacts; W = L L' + a share of the identity
 * from the numbers that follow, each a byte on a scale of thirty decades, then q and mu.
 */
#include "fuzz/replay.h"

#include <hawser/hawser.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONTACTS_MAX = 4, ROWS_MAX = 3 * CONTACTS_MAX, ITERATIONS = 2000 };

typedef struct bytes {
    const uint8_t *data;
    size_t size, at;
} bytes;

static uint8_t next(bytes *from)
{
    return from->size > 0 ? from->data[from->at++ % from->size] : 0;
}

/* Mostly of the order of one; the wildest bytes are 1e-15 to 1e15, or no number. */
static double number(bytes *from)
{
    const int byte = next(from);
    if (byte >= 252) {
        static const double wild[] = {1e300, -1e300, 1e-300, 0};
        return wild[byte - 252];
    }
    const double value = (next(from) - 127.5) / 64;
    return byte < 200 ? value : value * pow(10, (byte - 226) / 1.7);
}

/* Dense, every block stored. */
static haw_problem *make(haw_context *context, bytes *from)
{
    const int head = next(from), d = 2 + head % 2, n = 1 + head / 2 % CONTACTS_MAX, rows = d * n;
    const haw_problem_size size = {.dimension = d, .contacts = n, .blocks = n * n};
    double factor[ROWS_MAX][ROWS_MAX];
    haw_problem *problem = NULL;
    if (haw_problem_create(context, &size, &problem) != HAW_OK) {
        return NULL;
    }
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            factor[i][j] = number(from);
        }
    }
    const double share = fabs(number(from));
    for (int a = 0; a < n; a++) {
        problem->w.start[a + 1] = n * (a + 1);
        for (int b = 0; b < n; b++) {
            problem->w.column[n * a + b] = b;
        }
    }
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            double sum = i == j ? share : 0;
            for (int k = 0; k < rows; k++) {
                sum += factor[i][k] * factor[j][k];
            }
            const int block = n * (i / d) + j / d;
            problem->w.value[((ptrdiff_t)block * d + i % d) * d + j % d] = sum;
        }
        problem->q[i] = number(from);
    }
    for (int a = 0; a < n; a++) {
        problem->mu[a] = fabs(number(from));
    }
    return problem;
}

static void solve(haw_context *context, const haw_problem *problem, haw_workspace *workspace,
                  const char *name)
{
    double r[ROWS_MAX] = {0}, u[ROWS_MAX], again[ROWS_MAX];
    haw_solver_settings settings;
    haw_report report;
    haw_residual residual;
    if (haw_solver_settings_init(context, name, &settings) != HAW_OK) {
        abort();
    }
    (void)(haw_solver_set(context, &settings, "max_iterations", ITERATIONS) == HAW_OK);
    if (haw_solve(problem, &settings, workspace, r, u, &report) != HAW_OK ||
        report.outcome != HAW_CONVERGED) {
        return;
    }
    if (haw_problem_residual(context, problem, r, again, &residual) != HAW_OK ||
        !(residual.natural <= report.tolerance * (1 + 1e-9))) {
        (void)fprintf(stderr, "%s: converged to %g, the referee finds %g\n", name,
                      report.residual.natural, residual.natural);
        abort();
    }
}

void fuzz_input(const uint8_t *data, size_t size)
{
    haw_context *context = NULL;
    haw_workspace *workspace = NULL;
    bytes from = {data, size, 0};
    if (haw_context_create(NULL, &context) != HAW_OK) {
        return;
    }
    haw_problem *problem = make(context, &from);
    if (problem != NULL && haw_problem_check(context, problem) == HAW_OK &&
        haw_workspace_create(context, &workspace) == HAW_OK) {
        for (int i = 0; haw_solvers[i] != NULL; i++) {
            solve(context, problem, workspace, haw_solvers[i]->name);
        }
        haw_workspace_free(workspace);
    }
    haw_problem_free(context, problem);
    haw_context_free(context);
}

#ifndef HAW_LIBFUZZER
int main(int count, char **argument)
{
    static const char *const usual[] = {"tests/fuzz/problem", "tests/fuzz/corpus"};

    return replay_main(count, argument, usual);
}
#endif
