/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser solve: contact problems from FCLIB files, judged by the referee. */
#include "cli/cmd_solve.h"

#include "cli/child.h"

#include <hawser/io.h>

#include <string.h>

/* One file of `hawser solve`. */
typedef struct solve_result {
    const char *file;
    haw_exit code;       /* of this file alone */
    const char *message; /* why it was not read or solved; NULL */
    int dimension, contacts;
    const char *form; /* "local", "global"; NULL: not read */
    haw_trial trial;
} solve_result;

/* ---- a solver and its options from the command line ---- */

static haw_exit set_option(haw_cli *cli, const char *item, haw_solver_settings *settings)
{
    const char *equals = strchr(item, '=');

    if (equals == NULL || equals == item) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE, "option '--set' needs KEY=VALUE (got '%s')", item);
    }
    const char *key = haw_cli_format(cli, "%.*s", (int)(equals - item), item);

    if (haw_solver_set_text(cli->context, settings, key, equals + 1) != HAW_OK) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE, "'--set %s' of solver '%s': %s", item,
                            settings->ops->row.name, haw_context_message(cli->context));
    }
    return HAW_EXIT_DONE;
}

/* A solver by name with the options of the command line. */
static haw_exit choose(haw_cli *cli, const char *name, const haw_solve_args *args,
                       haw_solver_settings *settings)
{
    if (haw_row_find(haw_solvers, name) == NULL) {
        return haw_cli_unknown_row(cli, "solver", name, haw_solvers, "hawser list solvers");
    }
    if (haw_solver_settings_init(cli->context, name, settings) != HAW_OK) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE, "%s", haw_context_message(cli->context));
    }
    if (args->time_limit.given && args->time_limit.value <= 0.0) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE, "option '--time-limit' must be > 0 (got %g)",
                            args->time_limit.value);
    }
    for (int i = 0; i < args->set.count; i++) {
        const haw_exit code = set_option(cli, args->set.item[i], settings);

        if (code != HAW_EXIT_DONE) {
            return code;
        }
    }
    if (args->tol.given &&
        haw_solver_set(cli->context, settings, "tolerance", args->tol.value) != HAW_OK) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE, "option '--tol': %s",
                            haw_context_message(cli->context));
    }
    return HAW_EXIT_DONE;
}

haw_exit haw_solve_choose(haw_cli *cli, const char *list, const haw_solve_args *args,
                          haw_solver_settings settings[HAW_SOLVERS_MAX], int *solvers)
{
    haw_exit code = HAW_EXIT_DONE;

    for (const char *at = list; at != NULL && code == HAW_EXIT_DONE;) {
        const int length = (int)strcspn(at, ",");
        const char *name = haw_cli_format(cli, "%.*s", length, at);

        at = at[length] == ',' ? at + length + 1 : NULL;
        if (*solvers == HAW_SOLVERS_MAX) {
            return haw_cli_fail(cli, HAW_EXIT_USAGE, "more than %d solvers", HAW_SOLVERS_MAX);
        }
        for (int i = 0; i < *solvers; i++) {
            if (strcmp(settings[i].ops->row.name, name) == 0) {
                return haw_cli_fail(cli, HAW_EXIT_USAGE, "solver '%s' is named twice", name);
            }
        }
        code = choose(cli, name, args, &settings[(*solvers)++]);
    }
    return code;
}

/* ---- progress line, table, JSON ---- */

void haw_solve_show_progress(haw_cli *cli, const char *head, double started,
                             const haw_solve_progress *progress)
{
    const haw_effort *effort = progress->effort;
    char line[256];

    if (!haw_term_is_due(&cli->term)) {
        return;
    }
    snprintf(line, sizeof line, "%.30s  %s  %d it.  %d fact.  residual %.1e  %.1f s", head,
             progress->solver, effort->iterations, effort->factorizations, progress->residual,
             cli->term.drawn - started);
    haw_term_line(&cli->term, line);
}

#define FIELD(kind, name, member) HAW_FIELD_NAMED(name, kind, haw_trial, member)
static const haw_field trial_fields[] = {
    FIELD(INT, "iterations", report.effort.iterations),
    FIELD(INT, "factorizations", report.effort.factorizations),
    FIELD(INT, "newton", report.effort.factorizations),
    FIELD(INT, "sweeps", report.effort.sweeps),
    FIELD(INT, "products", report.effort.products),
    FIELD(REAL, "newton_flops", report.effort.newton_flops),
    FIELD(REAL, "first_order_flops", report.effort.first_order_flops),
    FIELD(REAL, "cpu_seconds", cpu_seconds),
    FIELD(REAL, "residual_natural", report.residual.natural),
    FIELD(REAL, "residual_relative", report.residual.relative),
    FIELD(REAL, "cone", report.residual.cone),
    FIELD(REAL, "complementarity", report.residual.complementarity),
    FIELD(REAL, "bipotential", report.residual.bipotential),
    FIELD(REAL, "normal_min", report.residual.normal_min),
    FIELD(REAL, "tolerance", report.tolerance),
    HAW_FIELDS_END};
#undef FIELD

void haw_solve_write(haw_json *json, const char *solver, const haw_trial *trial)
{
    haw_json_text(json, "solver", solver);
    haw_json_flag(json, "converged", haw_trial_is_solved(trial));
    haw_json_text(json, "outcome",
                  trial->refusal != NULL ? "refused" : haw_outcome_text(trial->report.outcome));
    haw_json_flag(json, "timed_out", trial->timed_out);
    haw_json_flag(json, "newton_solve", haw_trial_is_newton(trial));
    haw_json_fields(json, trial_fields, trial);
}

static const char *unread_word(const solve_result *result)
{
    if (result->code == HAW_EXIT_IO) {
        return "unreadable";
    }
    return result->code == HAW_EXIT_INTERRUPTED ? "not reached" : "refused";
}

static const haw_field problem_fields[] = {HAW_FIELD_OF(INT, solve_result, dimension),
                                           HAW_FIELD_OF(INT, solve_result, contacts),
                                           HAW_FIELDS_END};

static void write_result(haw_json *json, const char *solver, const solve_result *result)
{
    haw_json_text(json, "problem", result->file);
    haw_json_fields(json, problem_fields, result->form != NULL ? result : NULL);
    haw_json_text(json, "form", result->form);
    if (result->trial.was_run) {
        haw_solve_write(json, solver, &result->trial);
        return;
    }
    /* The same keys where there was nothing to solve. */
    haw_json_text(json, "solver", solver);
    haw_json_flag(json, "converged", false);
    haw_json_text(json, "outcome", unread_word(result));
    haw_json_flag(json, "timed_out", false);
    haw_json_text(json, "newton_solve", NULL);
    haw_json_fields(json, trial_fields, NULL);
}

static int count_solved(int count, const solve_result *result)
{
    int solved = 0;

    for (int i = 0; i < count; i++) {
        solved += haw_trial_is_solved(&result[i].trial) ? 1 : 0;
    }
    return solved;
}

/* One JSON object, design contract of `solve --json`. */
static void write_answer(haw_cli *cli, const char *solver, int count, const solve_result *result)
{
    haw_json *json = haw_cli_answer(cli);

    if (count == 1) {
        write_result(json, solver, result);
    } else {
        haw_json_open(json, "results", '[');
        for (int i = 0; i < count; i++) {
            haw_json_open(json, NULL, '{');
            write_result(json, solver, &result[i]);
            haw_json_text(json, "status", haw_exit_word(result[i].code));
            haw_json_text(json, "message", result[i].message);
            haw_json_close(json, '}');
        }
        haw_json_close(json, ']');
        haw_json_integer(json, "solved", count_solved(count, result));
        haw_json_integer(json, "problems", count);
    }
}

static void print_result(const char *solver, int width, const solve_result *result)
{
    const haw_report *report = &result->trial.report;
    const haw_effort *effort = &report->effort;

    if (!result->trial.was_run) {
        printf("%-*s  %s\n", width, result->file, unread_word(result));
        return;
    }
    printf("%-*s  %d  %8d  %-7s %-15s  %9d  %7d  %8d  %9.3g  %8.1e  %8.1e\n", width, result->file,
           result->dimension, result->contacts, solver, haw_trial_text(&result->trial),
           effort->iterations, effort->factorizations, effort->sweeps, result->trial.cpu_seconds,
           report->residual.natural, report->residual.relative);
}

/* The table at the end. */
static void print_results(const char *solver, int count, const solve_result *result)
{
    size_t widest = strlen("problem");

    for (int i = 0; i < count; i++) {
        const size_t length = strlen(result[i].file);

        widest = length > widest ? length : widest;
    }
    const int width = widest < 60 ? (int)widest : 60;

    printf("%-*s  d  contacts  solver  outcome          iterations  factor.    sweeps    CPU [s]   "
           "natural  relative\n",
           width, "problem");
    for (int i = 0; i < count; i++) {
        print_result(solver, width, &result[i]);
    }
    if (count > 1) {
        printf("%d of %d solved\n", count_solved(count, result), count);
    }
}

/* ---- the subcommand ---- */

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
    solve_result *result; /* [count] from the arena of the program */
    const char *head;     /* of the progress line */
    double started;       /* [s] the solve at hand */
} solve_job;

static void on_progress(void *user, const haw_solve_progress *progress)
{
    const solve_job *job = user;

    haw_solve_show_progress(job->cli, job->head, job->started, progress);
}

static haw_exit fail_file(haw_cli *cli, haw_status status, solve_result *result)
{
    const char *message = haw_context_message(cli->context);
    const bool names_file = strstr(message, result->file) != NULL;

    result->message =
        haw_cli_format(cli, "%s%s%s", names_file ? "" : result->file, names_file ? "" : ": ",
                       message[0] != '\0' ? message : haw_status_text(status));
    return haw_cli_fail(cli, haw_exit_code(status, false), "%s", result->message);
}

static haw_exit solve_problem(solve_job *job, const haw_problem *problem, solve_result *result)
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
        return haw_cli_exit(cli, status, false);
    }
    if (status != HAW_OK) {
        result->trial.was_run = false;
        return fail_file(cli, status, result);
    }
    if (result->trial.refusal != NULL) {
        return fail_file(cli, HAW_ERR_INPUT, result);
    }
    if (haw_trial_is_solved(&result->trial)) {
        return HAW_EXIT_DONE;
    }
    result->message =
        haw_cli_format(cli, "%s: not solved: %s, residual_natural %.2g", result->file,
                       haw_trial_text(&result->trial), result->trial.report.residual.natural);
    return haw_cli_fail(cli, HAW_EXIT_ENDED, "%s", result->message);
}

static void probe(haw_context *context, const char *path)
{
    haw_problem *problem = NULL;

    (void)(haw_fclib_read(context, path, &problem) == HAW_OK);
}

static haw_exit solve_file(solve_job *job, solve_result *result)
{
    haw_cli *cli = job->cli;
    haw_problem *problem = NULL;
    const char *fault = haw_child_probe(cli->context, result->file, probe);
    const haw_status status =
        fault != NULL ? haw_fail(cli->context, HAW_ERR_INPUT, "%s: %s", result->file, fault)
                      : haw_fclib_read(cli->context, result->file, &problem);

    if (status != HAW_OK || problem == NULL) {
        return fail_file(cli, status, result);
    }
    result->dimension = problem->dimension;
    result->contacts = problem->contacts;
    result->form = problem->global != NULL ? "global" : "local";
    const haw_exit code = solve_problem(job, problem, result);

    haw_problem_free(cli->context, problem);
    return code;
}

/* The worst exit code of all: an unreadable file, then a refused one, then one not solved. */
static haw_exit solve_files(solve_job *job)
{
    haw_exit worst = HAW_EXIT_DONE;
    bool is_interrupted = false;

    for (int i = 0; i < job->count; i++) {
        solve_result *result = &job->result[i];

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

static int run(haw_cli *cli, const void *options)
{
    const solve_args *args = options;
    solve_job job = {.cli = cli, .args = args, .count = args->common.operands};
    haw_exit code =
        choose(cli, args->solver != NULL ? args->solver : "auto", &args->solve, &job.settings);

    if (code != HAW_EXIT_DONE) {
        return code;
    }
    haw_cli_catch_interrupts(cli);
    job.result = haw_cli_allocate(cli, (size_t)job.count, sizeof *job.result);
    if (haw_workspace_create(cli->context, &job.workspace) != HAW_OK) {
        return haw_cli_exit(cli, HAW_ERR_NOMEM, false);
    }
    code = solve_files(&job);
    haw_workspace_free(job.workspace);
    /* For people the message alone stands for a single file that was not solved at all. */
    if (cli->json) {
        write_answer(cli, job.settings.ops->row.name, job.count, job.result);
    } else if (job.count > 1 || job.result[0].trial.was_run) {
        print_results(job.settings.ops->row.name, job.count, job.result);
    }
    return code;
}

static const haw_arg rows[] = {
    {"solver", 's', HAW_ARG_TEXT, offsetof(solve_args, solver), "SOLVER",
     "a solver of 'hawser list solvers' (default: auto)"},
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
        "of the solve with its preparation, without reading the file.\n\nSeveral files are solved "
        "one after the other; one that cannot be read or is refused does not prevent the others "
        "from being solved. The exit status is then that of the worst file: 4 before 3 before 1, "
        "and 130 after Ctrl-C, which ends the current solve and skips the rest.\n\nKeys of --json: "
        "problem, dimension, contacts, form (local, global), solver, converged, outcome "
        "(converged, stalled, iteration limit, singular, not finite, stopped, or, of what was not "
        "solved at all, refused, unreadable, not reached), timed_out (stopped by --time-limit), "
        "iterations, factorizations, newton (the same number), sweeps, products, newton_flops, "
        "first_order_flops, newton_solve (false: first-order work cost more than factorizations), "
        "cpu_seconds, residual_natural, residual_relative, cone, complementarity, bipotential, "
        "normal_min, tolerance, status, message, messages. With several files: results (an array "
        "of such objects), solved, problems, status, message, messages; all figures of a file that "
        "was not read are null.",
    .example = {"hawser solve box.hdf5", "hawser solve *.hdf5 --solver newton --tol 1e-10 --json"},
    .args = rows,
    .options_size = sizeof(solve_args),
    .run = run,
};
