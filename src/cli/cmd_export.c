/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser export: results for spreadsheets and for older ParaView. */
#include "cli/cli.h"

#include <hawser/io.h>

typedef struct export_args {
    haw_args_common common;
    const char *folder;
    bool csv, vtp;
} export_args;

static void report(haw_cli *cli, const export_args *args, const char *folder, bool csv, bool vtp)
{
    if (!args->common.json) {
        printf("%s\n", folder);
        return;
    }
    haw_json json = haw_cli_answer(cli);

    haw_json_text(&json, "results", args->common.operand);
    haw_json_text(&json, "folder", folder);
    haw_json_flag(&json, "csv", csv);
    haw_json_flag(&json, "vtp", vtp);
    haw_cli_answer_status(cli, &json, HAW_EXIT_DONE);
    haw_json_close(&json, '}');
}

static int run(haw_cli *cli, const void *options)
{
    const export_args *args = options;
    const char *file = args->common.operand;
    const char *folder = args->folder != NULL ? args->folder : haw_cli_base_name(cli, file);
    const bool both = args->csv == args->vtp;
    haw_status status = HAW_OK;

    if (both || args->csv) {
        status = haw_export_csv(cli->context, file, folder);
    }
    if (status == HAW_OK && (both || args->vtp)) {
        status = haw_export_vtp(cli->context, file, folder);
    }
    if (status != HAW_OK) {
        return haw_cli_fail_status(cli, status, false);
    }
    report(cli, args, folder, both || args->csv, both || args->vtp);
    return HAW_EXIT_DONE;
}

static const haw_arg rows[] = {
    {"output", 'o', HAW_ARG_TEXT, offsetof(export_args, folder), "DIR",
     "folder to write to, created if missing (default: name of the results)"},
    {"csv", 0, HAW_ARG_FLAG, offsetof(export_args, csv), NULL,
     "histories, events and profiles as CSV"},
    {"vtp", 0, HAW_ARG_FLAG, offsetof(export_args, vtp), NULL,
     "centrelines as .vtp with a .pvd collection"},
    {NULL, 0, HAW_ARG_FLAG, 0, NULL, NULL},
};

const haw_command haw_command_export = {
    .name = "export",
    .summary = "Write results as CSV and as .vtp/.pvd",
    .operand = "RESULTS",
    .operand_required = true,
    .endings = "h5",
    .details =
        "Without --csv and --vtp both are written; the folder is printed.\n\n"
        "CSV files: histories, energy, solver, probes, events; contact-PAIR, the sums of a contact "
        "pair over time; profile-CABLE, the centreline of every frame with tension, strain, "
        "curvature and contact forces; contact-profile-PAIR, the contact over the unstrained "
        "length of the cable at the last frame (a row for each contact point: place, direction "
        "from the body, gap, normal and tangential stress, state, tension, strain, speed of the "
        "material along the cable, slip). Stresses are in Pa where the cable has a width, else in "
        "N/m. States are -2 (open), -1 (slips against the tangent), 0 (sticks) and 1 (slips along "
        "it).\n\n"
        "Keys of --json: results, folder, csv, vtp, status, message, messages.",
    .example = {"hawser export disk-impact.h5 -o tables --csv",
                "hawser export disk-impact.h5 -o paraview --vtp"},
    .args = rows,
    .options_size = sizeof(export_args),
    .run = run,
};
