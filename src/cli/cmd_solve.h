/* SPDX-License-Identifier: BSD-3-Clause */
/* What `hawser solve` and `hawser bench` share, and the end of the former. */
#ifndef HAWSER_CLI_CMD_SOLVE_H
#define HAWSER_CLI_CMD_SOLVE_H

#include "bench/trial.h"
#include "cli/cli.h"

/* How to solve, as the command line has it. */
typedef struct haw_solve_args {
    haw_arg_real tol, time_limit;
    haw_arg_list set;
} haw_solve_args;

/** Rows of the options of haw_solve_args that stands at `member` of a command's struct. */
#define HAW_SOLVE_ARG_ROWS(type, member)                                                           \
    {"tol",        't',                                                                            \
     HAW_ARG_REAL, offsetof(type, member) + offsetof(haw_solve_args, tol),                         \
     "TOL",        "tolerance on residual_natural (default 1e-8)"},                                \
        {"time-limit", 0,                                                                          \
         HAW_ARG_REAL, offsetof(type, member) + offsetof(haw_solve_args, time_limit),              \
         "S",          "end each solve after this CPU time [s]"},                                  \
    {                                                                                              \
        "set", 0, HAW_ARG_LIST, offsetof(type, member) + offsetof(haw_solve_args, set),            \
            "KEY=VALUE", "set one option of the solver (repeatable); see hawser list solvers -v"   \
    }

enum { HAW_SOLVERS_MAX = 16 };

/**
 * Add solvers by their names, with commas between, and the options of the command line.
 * @return HAW_EXIT_DONE or, reported, HAW_EXIT_USAGE
 */
haw_exit haw_solve_choose(haw_cli *cli, const char *list, const haw_solve_args *args,
                          haw_solver_settings settings[HAW_SOLVERS_MAX], int *solvers);

/** Draw the progress line of a solve if it is due; `head` says which one. */
void haw_solve_show_progress(haw_cli *cli, const char *head, double started,
                             const haw_solve_progress *progress);

/** Keys of one solve: from solver to cpu_seconds, without a bracket. */
void haw_solve_write(haw_json *json, const char *solver, const haw_trial *trial);

#endif
