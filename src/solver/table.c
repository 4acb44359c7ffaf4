/* SPDX-License-Identifier: BSD-3-Clause */
/* A new solver is one file and one row here. */
#include "solver/solver.h"

const haw_row *const haw_solvers[] = {
    &haw_solver_auto.row,  &haw_solver_newton.row, &haw_solver_ppa.row,
    &haw_solver_pgs.row,   &haw_solver_alprox.row, &haw_solver_admm.row,
    &haw_solver_lemke.row, &haw_solver_enum.row,   NULL};
