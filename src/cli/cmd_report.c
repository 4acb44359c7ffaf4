/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser report: results as one page for a browser. */
#include "cli/cli.h"
#include "cli/shipped.h"
#include "report/page.h"

typedef struct report_args {
    haw_args_common common;
    const char *output;
} report_args;

static int run(haw_cli *cli, const void *options)
{
    const report_args *args = options;
    const char *output =
        args->output != NULL
            ? args->output
            : haw_cli_format(cli, "%s.html", haw_cli_base_name(cli, args->common.operand));
    const haw_page_spec spec = {.text = haw_page_text,
                                .runs = args->common.operands,
                                .run = (const char *const *)args->common.operand_list,
                                .output = output};
    const haw_status status = haw_page_write(cli->context, &spec);

    if (status == HAW_OK && cli->json) {
        haw_json_text(haw_cli_answer(cli), "output", output);
    } else if (status == HAW_OK) {
        printf("%s\n", output);
    }
    return haw_cli_exit(cli, status, false);
}

static const haw_arg rows[] = {
    {"output", 'o', HAW_ARG_TEXT, offsetof(report_args, output), "FILE",
     "page to write (default: name of the first results file with .html)"},
    {NULL, 0, HAW_ARG_FLAG, 0, NULL, NULL},
};

const haw_command haw_command_report = {
    .name = "report",
    .summary = "Show results in a browser: one self-contained page",
    .operand = "RESULTS",
    .operand_required = true,
    .reads_results = true,
    .operand_repeats = true,
    .endings = "h5",
    .details =
        "The page plays the run in three dimensions, cables coloured by tension, strain, contact "
        "force or stick and slip, beside series that follow the cursor, the energy ledger, the "
        "certificate, events, the scenario with every default, and the closed forms that its "
        "comments name as `hawser theory NAME --key value`. Series of several results are drawn "
        "together. Frames of long runs are thinned out in the picture, not in the series. Needs "
        "the Debian packages libjs-three and libjs-chart.js, whose files are copied into the page. "
        "Keys of --json: output, status, message, messages.",
    .example = {"hawser report disk-impact.h5",
                "hawser report hard.h5 penalty.h5 -o comparison.html"},
    .args = rows,
    .options_size = sizeof(report_args),
    .run = run,
};
