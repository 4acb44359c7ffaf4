/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser plot: figures of a run. */
#include "cli/cli.h"
#include "report/report.h"

#include <math.h>
#include <stdlib.h>

typedef struct plot_args {
    haw_args_common common;
    const char *folder, *at;
} plot_args;

/* "1.2,5,9.2": ascending times. */
static int read_times(haw_cli *cli, const char *text, haw_instants *at)
{
    const char *next = text;

    for (at->count = 0; next != NULL && at->count < HAW_INSTANTS_MAX; at->count++) {
        char *end;
        const double t = strtod(next, &end);

        if (end == next || (*end != ',' && *end != '\0') || !isfinite(t) ||
            (at->count > 0 && !(t > at->t[at->count - 1]))) {
            break;
        }
        at->t[at->count] = t;
        next = *end == ',' ? end + 1 : NULL;
    }
    if (next == NULL) {
        return HAW_EXIT_DONE;
    }
    return haw_cli_fail(cli, HAW_EXIT_USAGE,
                        "--at takes up to %d ascending times in seconds, separated by commas (got "
                        "'%s')",
                        HAW_INSTANTS_MAX, text);
}

static void print_path(void *user, const char *path)
{
    (void)user;
    printf("%s\n", path);
}

static void write_path(void *user, const char *path)
{
    haw_json_text(user, NULL, path);
}

/* The list of files grows while they are written, so the object is begun before. */
static haw_status plot_json(haw_cli *cli, const plot_args *args, const char *folder,
                            const haw_instants *at)
{
    haw_json json = haw_cli_answer(cli);

    haw_json_text(&json, "results", args->common.operand);
    haw_json_text(&json, "folder", folder);
    haw_json_open(&json, "files", '[');
    const haw_status status =
        haw_report_plot(cli->context, args->common.operand, folder, at, write_path, &json);
    haw_exit code = HAW_EXIT_DONE;

    haw_json_close(&json, ']');
    if (status != HAW_OK) {
        code = haw_cli_fail_status(cli, status, false);
    }
    haw_cli_answer_status(cli, &json, code);
    haw_json_close(&json, '}');
    return status;
}

static int run(haw_cli *cli, const void *options)
{
    const plot_args *args = options;
    const char *file = args->common.operand;
    const char *folder = args->folder != NULL ? args->folder : haw_cli_base_name(cli, file);

    haw_instants times = {.count = 0};
    const haw_instants *at = args->at != NULL ? &times : NULL;

    if (at != NULL && read_times(cli, args->at, &times) != HAW_EXIT_DONE) {
        return HAW_EXIT_USAGE;
    }
    if (args->common.json) {
        return (int)haw_exit_code(plot_json(cli, args, folder, at), false);
    }
    const haw_status status = haw_report_plot(cli->context, file, folder, at, print_path, NULL);

    if (status != HAW_OK) {
        return haw_cli_fail_status(cli, status, false);
    }
    return HAW_EXIT_DONE;
}

static const haw_arg rows[] = {
    {"output", 'o', HAW_ARG_TEXT, offsetof(plot_args, folder), "DIR",
     "folder to write to, created if missing (default: name of the results)"},
    {"at", 0, HAW_ARG_TEXT, offsetof(plot_args, at), "T,T,...",
     "times of snapshots and profiles [s] (default: chosen over the run)"},
    {NULL, 0, HAW_ARG_FLAG, 0, NULL, NULL},
};

const haw_command haw_command_plot = {
    .name = "plot",
    .summary = "Draw the figures of a run as PNG and SVG",
    .operand = "RESULTS",
    .operand_required = true,
    .endings = "h5",
    .details = "Snapshots of cables and bodies, histories, the energy ledger, tension profiles and "
               "the forces of ropes along their sheaves, drawn with gnuplot. The script and the "
               "data of each figure are written beside it. The names of the files are printed, "
               "pictures first. Keys of --json: results, folder, files, status, message, messages.",
    .example = {"hawser plot disk-impact.h5", "hawser plot disk-impact.h5 -o figures"},
    .args = rows,
    .options_size = sizeof(plot_args),
    .run = run,
};
