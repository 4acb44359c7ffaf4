/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/cmd_run_dump.h"

#include "base/status.h"
#include "io/file.h"

#include <hawser/io.h>

#include <stdio.h>
#include <string.h>

static const char *without_ending(haw_cli *cli, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    const size_t length = dot != NULL && dot > name ? (size_t)(dot - path) : strlen(path);

    return haw_cli_format(cli, "%.*s", (int)length, path);
}

haw_exit haw_run_dump_open(haw_run_dump *dump, const char *output, const char *folder)
{
    if (dump->every == 0) {
        return HAW_EXIT_DONE;
    }
    if (folder == NULL) {
        dump->stem = without_ending(dump->cli, output);
        return HAW_EXIT_DONE;
    }
    const haw_status status = haw_folder_make(dump->cli->context, folder);

    dump->stem = haw_cli_format(dump->cli, "%s/%s", folder, haw_cli_base_name(dump->cli, output));
    return status == HAW_OK ? HAW_EXIT_DONE : haw_cli_fail_status(dump->cli, status, false);
}

/* What a reader of the file may want to know of where it comes from. */
static void write_problem(haw_run_dump *dump, const haw_problem *problem, const char *when)
{
    const haw_scenario *scenario = dump->session->scenario;
    char path[4096], description[512];

    if (snprintf(path, sizeof path, "%s-problem-%06ld.hdf5", dump->stem, dump->problems) >=
        (int)sizeof path) {
        dump->status = HAW_ERR_IO;
        (void)snprintf(dump->message, sizeof dump->message, "cannot write '%.200s...': too long",
                       dump->stem);
        return;
    }
    (void)snprintf(description, sizeof description,
                   "contact problem %ld of %s, %s, largest contact speed %.17g m/s", dump->problems,
                   scenario->file, when, problem->scale);
    const haw_fclib_info info = {.title = scenario->title,
                                 .description = description,
                                 .math_info = "normal first; impulses in N s, velocities in m/s"};

    dump->status = haw_fclib_write(dump->cli->context, path, problem, &info);
    dump->written += dump->status == HAW_OK ? 1 : 0;
    if (dump->status != HAW_OK) {
        (void)snprintf(dump->message, sizeof dump->message, "%s",
                       haw_context_message(dump->cli->context));
    }
}

static const haw_problem *next_problem(haw_run_dump *dump)
{
    const double *impulses = NULL;
    const haw_problem *problem = haw_simulation_problem(dump->session->simulation, &impulses);

    if (problem != NULL && problem->global != NULL && problem->global->m.rows == 0) {
        dump->status = HAW_ERR_INPUT;
        (void)snprintf(dump->message, sizeof dump->message,
                       "contact problems of this model cannot be written: its steps do not keep "
                       "their matrix");
        return NULL;
    }
    dump->problems += problem != NULL ? 1 : 0;
    return problem;
}

void haw_run_dump_step(haw_run_dump *dump, const haw_frame *frame)
{
    if (dump->every == 0 || dump->status != HAW_OK) {
        return;
    }
    const haw_problem *problem = next_problem(dump);
    const bool missed = frame->certificate->unconverged_steps > dump->missed;

    dump->missed = frame->certificate->unconverged_steps;
    if (problem != NULL && (missed || dump->problems % dump->every == 0)) {
        char when[96];

        (void)snprintf(when, sizeof when, "step %ld to t = %.9g s%s", frame->step, frame->t,
                       missed ? " (missed its tolerance)" : "");
        write_problem(dump, problem, when);
    }
}

void haw_run_dump_end(haw_run_dump *dump, haw_status status, const haw_summary *summary)
{
    if (dump->every == 0 || dump->status != HAW_OK || status != HAW_ERR_UNCONVERGED) {
        return;
    }
    const haw_problem *problem = next_problem(dump);

    if (problem != NULL) {
        /* The reason of the run's end is still to be told. */
        char message[HAW_MESSAGE_MAX], when[96];

        (void)snprintf(message, sizeof message, "%s", haw_context_message(dump->cli->context));
        (void)snprintf(when, sizeof when, "step %ld from t = %.9g s (missed its tolerance)",
                       summary->steps + 1, summary->t_end);
        write_problem(dump, problem, when);
        (void)haw_fail(dump->cli->context, status, "%s", message);
    }
}

haw_status haw_run_dump_status(const haw_run_dump *dump)
{
    return dump->status == HAW_OK ? HAW_OK
                                  : haw_fail(dump->cli->context, dump->status, "%s", dump->message);
}
