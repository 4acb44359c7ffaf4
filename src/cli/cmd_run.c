/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser run: scenario in, results file and summary out. */
#include "base/status.h"
#include "cli/resumption.h"
#include "cli/run_report.h"
#include "cli/session.h"
#include "cli/verify.h"
#include "io/file.h"
#include "stepper/stepper.h"

#include <hawser/io.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct problem_dump {
    haw_cli *cli;
    const haw_session *session;
    int every;         /* write every so many problems; 0: none at all */
    const char *stem;  /* files are called stem-problem-000123.hdf5 */
    long problems;     /* seen: steps with at least one closed contact */
    long missed;       /* unconverged steps seen */
    long written;      /* files */
    haw_status status; /* of the first file that could not be written; nothing is done after it */
    const char *message;
} problem_dump;

/* ---- contact problems as FCLIB files ---- */

/*
 * Name the files after the results file, without its ending.
 *
 * @param output  results file or scenario
 * @param folder  where to put them, made if missing; NULL: beside `output`
 * @return exit code; a failure has been reported
 */
static haw_exit open_dump(problem_dump *dump, const char *output, const char *folder)
{
    const char *name = haw_cli_base_name(dump->cli, output), *slash = strrchr(output, '/');
    const int length = slash != NULL ? (int)(slash - output) + 1 : 0;

    if (dump->every == 0) {
        return HAW_EXIT_DONE;
    }
    if (folder == NULL) {
        dump->stem = haw_cli_format(dump->cli, "%.*s%s", length, output, name);
        return HAW_EXIT_DONE;
    }
    dump->stem = haw_cli_format(dump->cli, "%s/%s", folder, name);
    return haw_cli_exit(dump->cli, haw_folder_make(dump->cli->context, folder), false);
}

/* Title and description say where the problem comes from. */
static haw_status write_problem(const problem_dump *dump, const haw_problem *problem,
                                const double *impulses, const char *when)
{
    const haw_scenario *scenario = dump->session->scenario;
    char description[512];

    (void)snprintf(description, sizeof description,
                   "contact problem %ld of %s, %s, largest contact speed %.17g m/s", dump->problems,
                   scenario->file, when, problem->scale);
    const haw_fclib_info info = {.title = scenario->title,
                                 .description = description,
                                 .math_info = "normal first; impulses in N s, velocities in m/s",
                                 .impulses = impulses};

    return haw_fclib_write(
        dump->cli->context,
        haw_cli_format(dump->cli, "%s-problem-%06ld.hdf5", dump->stem, dump->problems), problem,
        &info);
}

/* Count the problem of the last step; write every N-th and those that missed their tolerance. */
static void dump_problem(problem_dump *dump, bool missed, const char *when)
{
    haw_context *context = dump->cli->context;
    const double *impulses = NULL;
    const haw_problem *problem = haw_simulation_problem(dump->session->simulation, &impulses);

    if (problem == NULL) {
        return;
    }
    if (problem->global != NULL && problem->global->m.rows == 0) {
        dump->status = haw_fail(context, HAW_ERR_INPUT,
                                "contact problems of this model cannot be written: its stepper "
                                "does not keep their matrix");
    } else if (++dump->problems % dump->every == 0 || missed) {
        dump->status = write_problem(dump, problem, impulses, when);
        dump->written += dump->status == HAW_OK ? 1 : 0;
    }
    if (dump->status != HAW_OK) {
        dump->message = haw_cli_format(dump->cli, "%s", haw_context_message(context));
    }
}

static void dump_step(problem_dump *dump, const haw_frame *frame)
{
    if (dump->every == 0 || dump->status != HAW_OK) {
        return;
    }
    const bool missed = frame->certificate->unconverged_steps > dump->missed;
    char when[96];

    dump->missed = frame->certificate->unconverged_steps;
    (void)snprintf(when, sizeof when, "step %ld to t = %.9g s%s", frame->step, frame->t,
                   missed ? " (missed its tolerance)" : "");
    dump_problem(dump, missed, when);
}

/* After the run, by what it returned: the problem that ended it is written too. */
static void end_dump(problem_dump *dump, haw_status status, const haw_summary *summary)
{
    if (dump->every == 0 || dump->status != HAW_OK || status != HAW_ERR_UNCONVERGED) {
        return;
    }
    /* The reason of the run's end is still to be reported. */
    char message[HAW_MESSAGE_MAX], when[96];

    (void)snprintf(message, sizeof message, "%s", haw_context_message(dump->cli->context));
    (void)snprintf(when, sizeof when, "step %ld from t = %.9g s (missed its tolerance)",
                   summary->steps + 1, summary->t_end);
    dump_problem(dump, true, when);
    (void)haw_fail(dump->cli->context, status, "%s", message);
}

/* The failure of a file once more, as the last message of the context. */
static haw_status dump_status(const problem_dump *dump)
{
    return dump->status == HAW_OK ? HAW_OK
                                  : haw_fail(dump->cli->context, dump->status, "%s", dump->message);
}

/* ---- the subcommand ---- */

typedef struct run_args {
    haw_args_common common;
    haw_arg_list set;
    const char *output;
    bool no_output, resume, verify;
    int dump_every;
    const char *dump_folder;
} run_args;

/* What the observer works on. */
typedef struct run_job {
    haw_cli *cli;
    haw_writer *writer; /* NULL without a results file */
    haw_run_result result;
    problem_dump dump;
    haw_study_run history;   /* of the probes, where they are compared with finer steps */
    haw_study_record record; /* of that; its run is NULL where they are not */
    haw_resumption *from;    /* NULL: from the start */
    const char *wanted;      /* name of the results file as it was asked for */
    const char *partial;     /* name of the results file until it is closed */
    double end;              /* [s] */
} run_job;

static haw_status on_frame(void *user, const haw_frame *frame)
{
    run_job *job = user;

    HAW_TRY(dump_status(&job->dump));
    HAW_TRY(haw_run_result_frame(job->cli, &job->result, frame));
    HAW_TRY(job->record.run != NULL ? haw_study_frame(&job->record, frame) : HAW_OK);
    return job->writer != NULL ? haw_writer_frame(job->writer, frame) : HAW_OK;
}

static haw_status on_event(void *user, const haw_event *event)
{
    run_job *job = user;

    HAW_TRY(haw_run_result_event(job->cli, &job->result, event));
    return job->writer != NULL ? haw_writer_event(job->writer, event) : HAW_OK;
}

static haw_status on_checkpoint(void *user, const haw_checkpoint *checkpoint)
{
    run_job *job = user;

    return job->writer != NULL ? haw_writer_checkpoint(job->writer, checkpoint) : HAW_OK;
}

static void on_progress(void *user, const haw_frame *frame, int contacts, double residual)
{
    run_job *job = user;

    dump_step(&job->dump, frame);
    haw_term_progress(&job->cli->term, frame->t, job->end, frame->step, contacts, residual);
}

static haw_exit open_writer(run_job *job)
{
    const haw_session *session = job->result.session;

    if (job->result.output == NULL) {
        return HAW_EXIT_DONE;
    }
    const char *output = job->result.output;
    const haw_exit code =
        haw_cli_exit(job->cli,
                     haw_writer_open(job->cli->context, output, session->scenario, session->model,
                                     session->simulation, &job->writer),
                     false);
    const char *stale = haw_cli_format(job->cli, "%s.ckpt", output);

    /* --resume would take it for one of this run */
    if (code == HAW_EXIT_DONE && job->from == NULL &&
        rename(stale, haw_cli_format(job->cli, "%s.1", stale)) == 0) {
        haw_log(job->cli->context, HAW_LOG_WARNING,
                "'%s' is of a run that was killed or failed: it is now '%s.1', and run --resume "
                "goes on with that",
                stale, stale);
    }
    return code;
}

/* The state of the run that goes on, and what it has shown so far. */
static haw_exit go_on(run_job *job)
{
    const haw_resumption *from = job->from;

    if (from == NULL) {
        return HAW_EXIT_DONE;
    }
    haw_status status = haw_resumption_begin(job->cli, job->result.session, from, job->writer);

    job->result.earlier = from->saved->checkpoint.step;
    for (int i = 0; i < from->saved->events && from->is_whole && status == HAW_OK; i++) {
        status = haw_run_result_event(job->cli, &job->result, &from->saved->event[i]);
    }
    return haw_cli_exit(job->cli, status, false);
}

/* Tell the writer how the run ended. */
static void settle_name(run_job *job, haw_status status)
{
    if (job->writer == NULL) {
        return;
    }
    job->wanted = job->result.output;
    job->result.output = haw_cli_format(job->cli, "%s", haw_writer_end(job->writer, status));
    job->partial = haw_cli_format(job->cli, "%s.part", job->wanted);
}

/* The first failure is the one that is reported: closing must not hide why the run ended. */
static haw_exit close_writer(run_job *job, haw_exit code)
{
    if (job->writer == NULL) {
        return code;
    }
    const haw_status status = haw_writer_close(job->writer, &job->result.summary);

    if (status == HAW_OK && strcmp(job->result.output, job->wanted) != 0) {
        haw_log(job->cli->context, HAW_LOG_WARNING,
                "'%s' keeps the earlier results; those of this run are in '%s'", job->wanted,
                job->result.output);
    }
    if (status == HAW_OK) {
        return code;
    }
    /* Without space for its end the file keeps its first name; it is readable to its last flush. */
    if (access(job->partial, F_OK) == 0) {
        job->result.output = job->partial;
    }
    return code == HAW_EXIT_IO ? code : haw_cli_exit(job->cli, status, true);
}

static haw_exit simulate(run_job *job)
{
    const haw_observer observer = {.frame = on_frame,
                                   .event = on_event,
                                   .progress = on_progress,
                                   .checkpoint = on_checkpoint,
                                   .user = job};
    haw_status status =
        haw_simulation_run(job->result.session->simulation, &observer, &job->result.summary);

    haw_term_clear(&job->cli->term);
    settle_name(job, status);
    end_dump(&job->dump, status, &job->result.summary);
    status = status == HAW_OK ? dump_status(&job->dump) : status;
    return job->result.summary.steps > 0
               ? haw_cli_exit(job->cli, status, true)
               : haw_session_refuse(job->cli, job->result.session, status);
}

/* Keep histories of the probes, which finer steps are compared with. */
static haw_exit open_history(run_job *job, const run_args *args)
{
    const haw_session *session = job->result.session;

    if (!args->verify) {
        return HAW_EXIT_DONE;
    }
    if ((session->scenario->run.stepper.ops->flags & HAW_STEPPER_STATIC) != 0) {
        return haw_cli_fail(job->cli, HAW_EXIT_USAGE,
                            "'--verify' compares steps, and one equilibrium has none");
    }
    if (session->scenario->run.probes == 0) {
        return haw_cli_fail(job->cli, HAW_EXIT_USAGE,
                            "'--verify' compares probes, and %s has none: see output.probes",
                            session->scenario->file);
    }
    job->record =
        (haw_study_record){.arena = &job->cli->arena, .run = &job->history, .at = (double)INFINITY};
    return haw_cli_exit(
        job->cli, haw_study_begin(&job->record, session->scenario, session->simulation), false);
}

static haw_exit run_session(haw_cli *cli, const run_args *args, const haw_session *session,
                            haw_resumption *from)
{
    const char *output =
        args->output != NULL && !args->no_output
            ? args->output
            : haw_cli_format(cli, "%s.h5", haw_cli_base_name(cli, args->common.operand));
    run_job job = {
        .cli = cli,
        .result = {.session = session, .output = args->no_output ? NULL : output},
        .dump = {.cli = cli, .session = session, .every = args->dump_every},
        .from = from,
        .end = haw_session_stepper(session).end,
    };
    haw_exit code = open_history(&job, args);

    code = code == HAW_EXIT_DONE ? open_dump(&job.dump, output, args->dump_folder) : code;
    code = code == HAW_EXIT_DONE ? open_writer(&job) : code;
    if (code != HAW_EXIT_DONE) {
        return code;
    }
    code = go_on(&job);
    if (code != HAW_EXIT_DONE) {
        haw_writer_discard(job.writer);
        return code;
    }
    code = close_writer(&job, simulate(&job));
    if (job.dump.every > 0 && job.dump.problems == 0) {
        haw_log(cli->context, HAW_LOG_WARNING,
                "no contact problem written: no step closed a contact, or its stepper keeps none");
    } else if (job.dump.every > 0) {
        haw_log(cli->context, HAW_LOG_INFO,
                "%ld of %ld contact problems written as %s-problem-*.hdf5", job.dump.written,
                job.dump.problems, job.dump.stem);
    }
    if (cli->json) {
        haw_run_result_write(cli, &job.result);
    } else {
        haw_run_result_print(cli, &job.result);
    }
    job.history.summary = job.result.summary;
    return args->verify && code == HAW_EXIT_DONE
               ? haw_verify(cli, args->common.operand, &args->set, &job.history)
               : code;
}

/* ---- going on ---- */

/* Its own settings, then those of the command line. */
static haw_arg_list all_sets(haw_cli *cli, const haw_saved *saved, const haw_arg_list *set)
{
    const int count = saved->sets + set->count;
    haw_arg_list all = {.count = count,
                        .item = haw_cli_allocate(cli, (size_t)count, sizeof *all.item)};

    for (int i = 0; i < count; i++) {
        all.item[i] = i < saved->sets ? saved->set[i] : set->item[i - saved->sets];
    }
    return all;
}

/* FILE of FILE.ckpt and FILE.ckpt.2. */
static const char *results_name(haw_cli *cli, const char *file)
{
    size_t length = strlen(file), end = length;

    while (end > 0 && file[end - 1] >= '0' && file[end - 1] <= '9') {
        end--;
    }
    length = end < length && end > 0 && file[end - 1] == '.' ? end - 1 : length;
    return length > 5 && strncmp(file + length - 5, ".ckpt", 5) == 0
               ? haw_cli_format(cli, "%.*s", (int)length - 5, file)
               : file;
}

static haw_exit resume_session(haw_cli *cli, const run_args *args, haw_session *session,
                               haw_resumption *from)
{
    const char *file = args->common.operand;
    run_args own = *args;
    haw_status status = haw_resumption_read(cli, file, from);

    if (status != HAW_OK || from->saved == NULL) {
        return haw_cli_exit(cli, status, false);
    }
    const haw_arg_list set = all_sets(cli, from->saved, &args->set);
    const haw_exit code =
        haw_session_open(cli, from->saved->file, from->saved->text, &set, session);

    if (code != HAW_EXIT_DONE) {
        return code;
    }
    own.output = args->output != NULL ? args->output : results_name(cli, file);
    status = haw_resumption_check(cli, session, from);
    if (status == HAW_OK && !from->is_whole && args->output == NULL && !args->no_output) {
        status = haw_fail(cli->context, HAW_ERR_INPUT,
                          "frames of another output do not go on those in '%s': name a new file by "
                          "--output",
                          own.output);
    }
    return status == HAW_OK ? run_session(cli, &own, session, from)
                            : haw_cli_exit(cli, status, false);
}

static int run(haw_cli *cli, const void *options)
{
    const run_args *args = options;
    haw_session session = {0};
    haw_resumption from = {0};

    /* "" and "-" are no places for an HDF5 file. */
    if (args->output != NULL && (args->output[0] == '\0' || strcmp(args->output, "-") == 0)) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE,
                            "'--output' needs the name of a file (got '%s'); for histories as text "
                            "use hawser export",
                            args->output);
    }
    if (args->verify && (args->resume || strcmp(args->common.operand, "-") == 0)) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE,
                            "'--verify' reads the scenario three times and runs it from its start: "
                            "give it a file");
    }
    haw_exit code;

    if (args->resume) {
        code = resume_session(cli, args, &session, &from);
    } else {
        code = haw_session_open(cli, args->common.operand, NULL, &args->set, &session);
        code = code == HAW_EXIT_DONE ? run_session(cli, args, &session, NULL) : code;
    }
    haw_session_close(cli, &session);
    haw_saved_free(cli->context, from.saved);
    return code;
}

static const haw_arg rows[] = {
    {"output", 'o', HAW_ARG_TEXT, offsetof(run_args, output), "FILE",
     "results file (default: name of the scenario with .h5, in the current folder)"},
    {"no-output", 0, HAW_ARG_FLAG, offsetof(run_args, no_output), NULL, "write no results file"},
    {"dump-problems", 0, HAW_ARG_INTEGER, offsetof(run_args, dump_every), "N",
     "write every N-th contact problem as FCLIB, and those not solved to tolerance"},
    {"dump-dir", 0, HAW_ARG_TEXT, offsetof(run_args, dump_folder), "DIR",
     "folder of these files (default: beside the results)"},
    {"resume", 0, HAW_ARG_FLAG, offsetof(run_args, resume), NULL,
     "FILE is a results file: go on from its checkpoint, or from the one beside it"},
    {"set", 0, HAW_ARG_LIST, offsetof(run_args, set), "PATH=VALUE",
     "override one value of the scenario (repeatable)"},
    {"verify", 0, HAW_ARG_FLAG, offsetof(run_args, verify), NULL,
     "run twice more, with h/2 and h/4, and say how the probes converge"},
    {NULL, 0, HAW_ARG_FLAG, 0, NULL, NULL},
};

const haw_command haw_command_run = {
    .name = "run",
    .summary = "Simulate a scenario and write its results",
    .operand = "FILE",
    .operand_required = true,
    .endings = "yaml yml h5",
    .details =
        "The results file is written as FILE.part and renamed at the end; it is flushed every few "
        "frames, so that the file of a killed run can be read up to the last flush. On Ctrl-C the "
        "run ends after the current step and keeps what was computed.\n\n--resume goes on with an "
        "interrupted run, one that was killed, or one that ended before it should, bit for bit as "
        "if it had gone on at once. Checkpoints are kept where output.checkpoint asks for them, as "
        "FILE.ckpt beside the results while the run goes on, and on Ctrl-C and SIGTERM. The "
        "scenario is the one in FILE; --set may change stepper.end, output and title. Results that "
        "stand under the name of a run that fails stay; its own are written as "
        "NAME.failed.h5.\n\nIn a PATH, keys are "
        "joined by dots; an item of a list is addressed by its name, a contact pair by the names "
        "of its two sides joined by a hyphen; contact.KEY without a pair sets the key in every "
        "pair.\n\n--dump-problems numbers the contact problems of the run, one for each step with "
        "a closed contact, and writes every N-th as NAME-problem-000123.hdf5, where NAME is the "
        "results file without its ending. The problem of a step that missed its tolerance is "
        "always written. If a step is divided (on_unconverged: halve), the problem is that of the "
        "last part. hawser solve reads these files, and so does any program that reads "
        "FCLIB; solution/r are the impulses of the step and solution/u the velocities that belong "
        "to them.\n\n--verify tells whether the step is fine enough: the same run with h/2 and "
        "with h/4, the differences of each probe (root of the mean square over the run, relative "
        "to its largest magnitude), their order, and what they make the error of the run with h. "
        "Where that is more than 0.01 the run ends with exit code 1 and names a step that would "
        "do. The results are those of the run with h.\n\nKeys of --json: scenario, title, stepper, "
        "solver, step, steps, "
        "unconverged_steps, t_end, wall_seconds, cpu_seconds, seconds_per_step (of the wall "
        "clock), contacts_max, iterations_total, newton_iterations, factorizations, "
        "rejected_steps, held_points, newton_residual_max (of implicit steps), residual_max, "
        "residual_relative_max, cone_max, complementarity_max, penetration_max (of the curve), "
        "penetration_points_max (at the contact points), joint_drift_max, grid_points_max "
        "(examined "
        "in one detection), suitesparse (calls of its libraries: cholmod_factorizations, "
        "cholmod_solves, klu_factorizations, klu_solves, umfpack_factorizations, "
        "umfpack_solves), energy (kinetic, elastic, gravity, "
        "external_work, friction_loss, impact_loss, damping_loss, numerical_loss, balance_error, "
        "balance_drift, contact_work_max, initial), probes (name: number or array, at the last "
        "frame), events (t, contact, event, value), output, verify (with --verify: steps, limit, "
        "holds, probes {name: difference, order, error}), status (done, ended, usage, refused, "
        "io, interrupted), message, messages. A run that never began has the last three only.",
    .example = {"hawser run disk-impact.yaml -o impact.h5",
                "hawser run disk-impact.yaml --set contact.friction=0 --set stepper.step=2.0e-5 "
                "--json"},
    .args = rows,
    .options_size = sizeof(run_args),
    .run = run,
};
