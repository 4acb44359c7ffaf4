/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of `hawser bench`, and its second suite. */
#ifndef HAWSER_CLI_CMD_BENCH_H
#define HAWSER_CLI_CMD_BENCH_H

#include "bench/suite.h"
#include "cli/cmd_solve.h"

typedef struct haw_bench_args {
    haw_args_common common;
    int dimension, nodes, layers, seed; /* 0: not given */
    haw_arg_real kappa, friction;
    const char *solver, *export_folder, *output;
    haw_solve_args solve;
    bool dynamic;
    const char *tolerances; /* NULL: not given */
    const char *element;    /* the same */
    haw_arg_real end;
} haw_bench_args;

/** The suite as a simulation: cmd_bench_dynamic.c. */
haw_exit haw_bench_dynamic(haw_cli *cli, const haw_bench_args *args);

/** The problems of the suites that scenes make (cmd_bench_scene.c), into `suite`. */
haw_exit haw_bench_scenes_open(haw_cli *cli, const haw_bench_args *args, haw_suite *suite);
void haw_bench_scenes_close(haw_suite *suite);

#endif
