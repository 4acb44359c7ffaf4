/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser new: write a scenario to start from. */
#include "cli/catalog.h"
#include "cli/shipped.h"
#include "io/file.h"

#include <errno.h>
#include <string.h>

typedef struct new_args {
    haw_args_common common;
    const char *output;
} new_args;

static haw_exit list_templates(haw_cli *cli)
{
    haw_entries entries;
    haw_json *json = cli->json ? haw_cli_answer(cli) : NULL;

    haw_entries_read(cli, haw_kind_find("templates"), &entries);
    if (json != NULL) {
        haw_json_open(json, "templates", '[');
    }
    for (int i = 0; i < entries.count; i++) {
        if (json != NULL) {
            haw_json_text(json, NULL, entries.entry[i].name);
        } else {
            printf("%-16s %s\n", entries.entry[i].name, entries.entry[i].summary);
        }
    }
    if (json != NULL) {
        haw_json_close(json, ']');
    } else {
        printf(
            "\nhawser new NAME writes NAME.yaml; NAME may also be a shipped scenario (hawser list "
            "scenarios)\n");
    }
    return HAW_EXIT_DONE;
}

/* A scenario that someone has changed is not overwritten. */
static haw_status write_file(haw_cli *cli, const char *path, const char *text)
{
    FILE *file = fopen(path, "wx");

    if (file == NULL && errno == EEXIST) {
        return haw_fail(cli->context, HAW_ERR_IO,
                        "'%s' already exists and was not overwritten: remove it, or choose another "
                        "file with -o",
                        path);
    }
    if (file == NULL) {
        return haw_file_fail(cli->context, "write", path, errno);
    }
    const bool is_written = fputs(text, file) >= 0 && fflush(file) == 0;
    const int error = errno;

    return fclose(file) == 0 && is_written ? HAW_OK
                                           : haw_file_fail(cli->context, "write", path, error);
}

static int run(haw_cli *cli, const void *options)
{
    const new_args *args = options;
    const char *name = args->common.operand;

    if (name == NULL) {
        return list_templates(cli);
    }
    const char *text = haw_shipped_text(name);
    const char *path = args->output != NULL ? args->output : haw_cli_format(cli, "%s.yaml", name);

    if (text == NULL) {
        int count;
        const char **names = haw_shipped_names(cli, &count);

        return haw_cli_unknown(cli, "template", name, count, names, "hawser new");
    }
    const bool is_file = strcmp(path, "-") != 0;
    const haw_status status = is_file ? write_file(cli, path, text) : HAW_OK;

    if (status != HAW_OK) {
        return haw_cli_exit(cli, status, false);
    }
    if (cli->json) {
        haw_json *json = haw_cli_answer(cli);

        haw_json_text(json, "template", name);
        haw_json_text(json, is_file ? "output" : "text", is_file ? path : text);
    } else if (is_file) {
        printf("%s\n", path);
    } else {
        fputs(text, stdout);
    }
    return HAW_EXIT_DONE;
}

static const haw_arg rows[] = {
    {"output", 'o', HAW_ARG_TEXT, offsetof(new_args, output), "FILE",
     "file to write, - for the standard output (default: NAME.yaml)"},
    {NULL, 0, HAW_ARG_FLAG, 0, NULL, NULL},
};

const haw_command haw_command_new = {
    .name = "new",
    .summary = "Write a scenario to start from",
    .operand = "NAME",
    .details =
        "Without NAME the templates are listed. NAME may also be a shipped scenario. A file "
        "that exists is not overwritten. Keys of --json: templates (without NAME), template, "
        "output (the file written) or text (with -o -), status, message, messages.",
    .example = {"hawser new pulley", "hawser new impact -o first.yaml"},
    .args = rows,
    .options_size = sizeof(new_args),
    .run = run,
};
