/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser export, hawser plot: from a results file to a folder of tables or figures. */
#include "cli/cli.h"
#include "report/report.h"

#include <hawser/io.h>

#include <string.h>

typedef struct results_args {
    haw_args_common common;
    const char *folder, *at, *format, *font;
    haw_arg_real width;
    haw_arg_list probes;
    bool csv, vtp;
} results_args;

static const char *folder_of(haw_cli *cli, const results_args *args)
{
    return args->folder != NULL ? args->folder : haw_cli_base_name(cli, args->common.operand);
}

static haw_json *answer(haw_cli *cli, const results_args *args, const char *folder)
{
    haw_json *json = haw_cli_answer(cli);

    haw_json_text(json, "results", args->common.operand);
    haw_json_text(json, "folder", folder);
    return json;
}

static int run_export(haw_cli *cli, const void *options)
{
    const results_args *args = options;
    const char *file = args->common.operand, *folder = folder_of(cli, args);
    const bool csv = args->csv || !args->vtp, vtp = args->vtp || !args->csv;
    haw_status status = csv ? haw_export_csv(cli->context, file, folder) : HAW_OK;

    if (status == HAW_OK && vtp) {
        status = haw_export_vtp(cli->context, file, folder);
    }
    if (status == HAW_OK && cli->json) {
        haw_json *json = answer(cli, args, folder);

        haw_json_flag(json, "csv", csv);
        haw_json_flag(json, "vtp", vtp);
    } else if (status == HAW_OK) {
        printf("%s\n", folder);
    }
    return haw_cli_exit(cli, status, false);
}

static int run_plot(haw_cli *cli, const void *options)
{
    const results_args *args = options;
    const char *folder = folder_of(cli, args);
    haw_files files = {.cli = cli};
    haw_instants at = {.count = 0};
    bool are_ascending = true;

    if (args->at != NULL) {
        at.count = haw_cli_numbers(args->at, HAW_INSTANTS_MAX, at.t);
        are_ascending = at.count > 0;
    }
    for (int i = 1; i < at.count; i++) {
        are_ascending = are_ascending && at.t[i] > at.t[i - 1];
    }
    if (!are_ascending) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE,
                            "--at takes up to %d ascending times in seconds, separated by commas "
                            "(got '%s')",
                            HAW_INSTANTS_MAX, args->at);
    }
    if (args->format != NULL && strcmp(args->format, "png") != 0 &&
        strcmp(args->format, "svg") != 0 && strcmp(args->format, "pdf") != 0) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE, "--format is png, svg or pdf (got '%s')",
                            args->format);
    }
    if ((args->font != NULL && strpbrk(args->font, "'\"\\\n") != NULL) ||
        (args->width.given && !(args->width.value >= 50.0 && args->width.value <= 20000.0))) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE,
                            "--font takes NAME,SIZE without quotes, --size a width of 50 to 20000 "
                            "pixels");
    }
    const haw_style style = {.at = args->at != NULL ? &at : NULL,
                             .format = args->format,
                             .width = args->width.given ? args->width.value : 0.0,
                             .font = args->font,
                             .probes = args->probes.count,
                             .probe = args->probes.item};
    const haw_status status =
        haw_report_plot(cli->context, args->common.operand, folder, &style, haw_files_keep, &files);

    if (cli->json) {
        haw_json_texts(answer(cli, args, folder), "files", files.count, files.path);
    } else {
        haw_files_print(&files, "");
    }
    return haw_cli_exit(cli, status, false);
}

static const haw_arg export_rows[] = {
    {"output", 'o', HAW_ARG_TEXT, offsetof(results_args, folder), "DIR",
     "folder to write to, created if missing (default: name of the results)"},
    {"csv", 0, HAW_ARG_FLAG, offsetof(results_args, csv), NULL,
     "histories, events and profiles as CSV"},
    {"vtp", 0, HAW_ARG_FLAG, offsetof(results_args, vtp), NULL,
     "cables and bodies as .vtp with a .pvd collection"},
    {NULL, 0, HAW_ARG_FLAG, 0, NULL, NULL},
};

static const haw_arg plot_rows[] = {
    {"output", 'o', HAW_ARG_TEXT, offsetof(results_args, folder), "DIR",
     "folder to write to, created if missing (default: name of the results)"},
    {"at", 0, HAW_ARG_TEXT, offsetof(results_args, at), "T,T,...",
     "times of snapshots and profiles [s] (default: chosen over the run)"},
    {"format", 0, HAW_ARG_TEXT, offsetof(results_args, format), "FORMAT",
     "png, svg or pdf (default: png and svg)"},
    {"size", 0, HAW_ARG_REAL, offsetof(results_args, width), "PIXELS",
     "width of each picture at 96 pixels per inch; text and lines scale with it"},
    {"font", 0, HAW_ARG_TEXT, offsetof(results_args, font), "NAME,SIZE",
     "font and size, before scaling by --size (default: sans,10)"},
    {"probes", 0, HAW_ARG_LIST, offsetof(results_args, probes), "NAME",
     "draw only this probe (repeatable)"},
    {NULL, 0, HAW_ARG_FLAG, 0, NULL, NULL},
};

const haw_command haw_command_export = {
    .name = "export",
    .summary = "Write results as CSV and as .vtp/.pvd",
    .operand = "RESULTS",
    .operand_required = true,
    .reads_results = true,
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
    .args = export_rows,
    .options_size = sizeof(results_args),
    .run = run_export,
};

const haw_command haw_command_plot = {
    .name = "plot",
    .summary = "Draw the figures of a run as PNG and SVG",
    .operand = "RESULTS",
    .operand_required = true,
    .reads_results = true,
    .endings = "h5",
    .details = "Snapshots of cables and bodies, histories, all probes, the energy ledger, tension "
               "profiles and "
               "the forces of ropes along their sheaves, drawn with gnuplot. The script and the "
               "data of each figure are written beside it. The names of the files are printed, "
               "pictures first. Keys of --json: results, folder, files, status, message, messages.",
    .example = {"hawser plot disk-impact.h5", "hawser plot disk-impact.h5 -o figures"},
    .args = plot_rows,
    .options_size = sizeof(results_args),
    .run = run_plot,
};
