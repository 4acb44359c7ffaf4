/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of `hawser bench`: what is asked, what is measured, what is told. */
#ifndef HAWSER_CLI_CMD_BENCH_H
#define HAWSER_CLI_CMD_BENCH_H

#include "bench/suite.h"
#include "cli/cmd_solve.h"

enum { HAW_BENCH_FILES_MAX = 16, HAW_BENCH_SOLVERS_MAX = 16 };

typedef struct haw_bench_args {
    haw_args_common common;
    int dimension, nodes, layers, seed; /* 0: not given */
    haw_arg_real kappa, friction;
    const char *solver, *export_folder, *output;
    haw_solve_args solve;
    bool dynamic;
    const char *tolerances; /* NULL: not given */
    haw_arg_real end;
} haw_bench_args;

typedef struct haw_bench_result {
    haw_suite suite;
    haw_trial *trial;           /* [problems * solvers] problem by problem */
    haw_suite_summary *summary; /* [solvers] */
    double tolerance;
    int files; /* written by --output */
    const char *file[HAW_BENCH_FILES_MAX];
} haw_bench_result;

typedef struct haw_bench_job {
    haw_cli *cli;
    const haw_bench_args *args;
    haw_bench_result result;
    const char *head; /* of the progress line */
    int head_problem; /* whose it is, -1: none yet */
    double started;   /* [s] the problem at hand */
} haw_bench_job;

/** Fill in the suite from the command line. @return HAW_EXIT_DONE, or a failure, reported */
haw_exit haw_bench_choose_problems(haw_bench_job *job);
haw_exit haw_bench_choose_solvers(haw_bench_job *job);

/** Head of the table, and one line of it as soon as a solve is done. */
void haw_bench_print_head(void);
void haw_bench_print_row(const haw_winding *winding, const char *solver, const haw_trial *trial);

/** The figures of every solver, and the files. */
void haw_bench_print_end(const haw_bench_result *result);

/** The suite as a simulation: cmd_bench_dynamic.c. */
haw_exit haw_bench_dynamic(haw_cli *cli, const haw_bench_args *args);

/** One JSON object. */
void haw_bench_answer(haw_cli *cli, const haw_bench_result *result, haw_exit code);

#endif
