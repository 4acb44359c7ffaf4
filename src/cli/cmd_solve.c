/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser solve: contact problems from FCLIB files, judged by the referee. */
#include "cli/cmd_solve.h"

#include "cli/probe_file.h"

#include <hawser/io.h>

#include <string.h>

typedef struct solve_args {
    haw_args_common common;
    const char *solver;
    haw_solve_args solve;
} solve_args;

/* All files of one command. */
typedef struct solve_job {
    haw_cli *cli;
    const solve_args *args;
    haw_solver_settings settings;
    haw_workspace *workspace;
    int count;
    haw_solve_result *result; /* [count] from the arena of the program */
    const char *head;         /* of the progress line */
    double started;           /* [s] the solve at hand */
} solve_job;

static void on_progress(void *user, const haw_solve_progress *progress)
{
    const solve_job *job = user;

    haw_solve_show_progress(job->cli, job->head, job->started, progress);
}

static haw_exit fail_file(haw_cli *cli, haw_status status, haw_solve_result *result)
{
    const char *message = haw_context_message(cli->context);
    const bool names_file = strstr(message, result->file) != NULL;

    result->message =
        haw_cli_format(cli, "%s%s%s", names_file ? "" : result->file, names_file ? "" : ": ",
                       message[0] != '\0' ? message : haw_status_text(status));
    return haw_cli_fail(cli, haw_exit_code(status, false), "%s", result->message);
}

static haw_exit tell_unsolved(haw_cli *cli, haw_solve_result *result)
{
    result->message =
        haw_cli_format(cli, "%s: not solved: %s, residual_natural %.2g", result->file,
                       haw_trial_text(&result->trial), result->trial.report.residual.natural);
    return haw_cli_fail(cli, HAW_EXIT_ENDED, "%s", result->message);
}

static haw_exit try_problem(solve_job *job, const haw_problem *problem, haw_solve_result *result)
{
    haw_cli *cli = job->cli;
    const haw_trial_rules rules = {
        .time_limit = job->args->solve.time_limit.value,
        .progress = cli->term.has_progress ? on_progress : NULL,
        .user = job,
    };

    job->started = haw_term_begin(&cli->term);
    const haw_status status =
        haw_trial_run(&cli->arena, job->workspace, problem, &job->settings, &rules, &result->trial);

    haw_term_clear(&cli->term);
    if (status == HAW_ERR_CANCELLED) {
        return haw_cli_fail(cli, HAW_EXIT_INTERRUPTED, "interrupted");
    }
    if (status != HAW_OK) {
        result->trial.was_run = false;
        return fail_file(cli, status, result);
    }
    if (result->trial.refusal != NULL) {
        return fail_file(cli, HAW_ERR_INPUT, result);
    }
    return haw_trial_is_solved(&result->trial) ? HAW_EXIT_DONE : tell_unsolved(cli, result);
}

static haw_status read_file(haw_context *context, const char *path, haw_problem **problem)
{
    if (haw_cli_file_crashes(context, path)) {
        return haw_fail(context, HAW_ERR_INPUT, "%s: damaged: HDF5 crashes on it", path);
    }
    return haw_fclib_read(context, path, problem);
}

static haw_exit solve_file(solve_job *job, haw_solve_result *result)
{
    haw_cli *cli = job->cli;
    haw_problem *problem = NULL;
    const haw_status status = read_file(cli->context, result->file, &problem);

    if (status != HAW_OK || problem == NULL) {
        return fail_file(cli, status, result);
    }
    result->dimension = problem->dimension;
    result->contacts = problem->contacts;
    result->form = problem->global != NULL ? "global" : "local";
    const haw_exit code = try_problem(job, problem, result);

    haw_problem_free(cli->context, problem);
    return code;
}

/* A file that cannot be had weighs more than one that is refused, that more than one unsolved. */
static haw_exit solve_files(solve_job *job)
{
    haw_exit worst = HAW_EXIT_DONE;
    bool is_interrupted = false;

    for (int i = 0; i < job->count; i++) {
        haw_solve_result *result = &job->result[i];

        result->file = job->args->common.operand_list[i];
        result->code = HAW_EXIT_INTERRUPTED;
        if (is_interrupted) {
            continue;
        }
        job->head = haw_cli_format(job->cli, "[%d/%d] %s", i + 1, job->count,
                                   haw_cli_base_name(job->cli, result->file));
        result->code = solve_file(job, result);
        worst = result->code > worst ? result->code : worst;
        is_interrupted = haw_context_cancelled(job->cli->context);
    }
    return is_interrupted ? HAW_EXIT_INTERRUPTED : worst;
}

/* For people a single file that was not taken is told by the message alone. */
static void tell(const solve_job *job, haw_exit code)
{
    const char *solver = job->settings.ops->row.name;

    if (job->args->common.json) {
        haw_solve_answer(job->cli, solver, job->count, job->result, code);
    } else if (job->count > 1 || job->result[0].trial.was_run) {
        haw_solve_print(solver, job->count, job->result);
    }
}

static haw_exit run_job(solve_job *job)
{
    haw_cli *cli = job->cli;

    job->count = job->args->common.operands;
    job->result = haw_arena_allocate(&cli->arena, (size_t)job->count, sizeof *job->result);
    if (job->result == NULL || haw_workspace_create(cli->context, &job->workspace) != HAW_OK) {
        return haw_cli_fail_status(cli, HAW_ERR_NOMEM, false);
    }
    const haw_exit code = solve_files(job);

    haw_workspace_free(job->workspace);
    tell(job, code);
    return code;
}

static int run(haw_cli *cli, const void *options)
{
    const solve_args *args = options;
    solve_job job = {.cli = cli, .args = args};
    const haw_exit code = haw_solve_choose(cli, args->solver != NULL ? args->solver : "auto",
                                           &args->solve, &job.settings);

    if (code != HAW_EXIT_DONE) {
        return code;
    }
    haw_cli_catch_interrupts(cli);
    return run_job(&job);
}

static const haw_arg rows[] = {
    {"solver", 's', HAW_ARG_TEXT, offsetof(solve_args, solver), "SOLVER",
     "one of hawser list solvers (default: auto)"},
    HAW_SOLVE_ARG_ROWS(solve_args, solve),
    {NULL, 0, HAW_ARG_FLAG, 0, NULL, NULL},
};

const haw_command haw_command_solve = {
    .name = "solve",
    .summary = "Solve contact problems from FCLIB files",
    .operand = "FILE",
    .operand_required = true,
    .operand_repeats = true,
    .endings = "hdf5 h5",
    .details =
        "Reads the local (W, q, mu) or the global form (M, H, f, w, mu, bilateral rows) in two or "
        "three dimensions and starts from zero impulses; solutions and guesses in a file are not "
        "used. Whether a problem is solved is judged by residual_natural alone, computed anew from "
        "the impulses: the largest error of a contact, as a velocity, over the largest velocity. "
        "residual_relative is the residual of Siconos, for comparison. cpu_seconds is the CPU time "
        "of the solve with its preparation, without reading the file.\n\n"
        "Several files are solved one after the other; one that cannot be read or is refused does "
        "not keep the others from being solved. The exit status is then that of the worst file: 4 "
        "before 3 before 1, and 130 after Ctrl-C, which ends the solve at hand and leaves the "
        "others out.\n\n"
        "Keys of --json: problem, dimension, contacts, form (local, global), solver, converged, "
        "outcome (converged, stalled, iteration limit, singular, not finite, stopped, or, of what "
        "was not solved at all, refused, unreadable, not reached), timed_out (stopped by "
        "--time-limit), iterations, factorizations, newton (the same number), sweeps, products, "
        "newton_flops, first_order_flops, newton_solve (false: first-order "
        "work cost more than factorizations), cpu_seconds, residual_natural, "
        "residual_relative, cone, complementarity, bipotential, normal_min, tolerance, status, "
        "message, messages. With several files: results (an array of such objects), solved, "
        "problems, status, message, messages; of a file that was not read all figures are "
        "null.",
    .example = {"hawser solve box.hdf5", "hawser solve *.hdf5 --solver newton --tol 1e-10 --json"},
    .args = rows,
    .options_size = sizeof(solve_args),
    .run = run,
};
