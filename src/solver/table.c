/* SPDX-License-Identifier: BSD-3-Clause */
/* A new solver is one file and one row here. */
#include "solver/solver.h"

#include <string.h>

const haw_solver_ops *const haw_solvers[] = {
    &haw_solver_auto,   &haw_solver_newton, &haw_solver_ppa,  &haw_solver_pgs,
    &haw_solver_alprox, &haw_solver_admm,   &haw_solver_enum, NULL};

const haw_solver_ops *haw_solver_find(const char *name)
{
    for (int i = 0; haw_solvers[i] != NULL; i++) {
        if (strcmp(haw_solvers[i]->name, name) == 0) {
            return haw_solvers[i];
        }
    }
    return NULL;
}
