/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser check: everything up to the first step, and what the scenario means. */
#include "cli/session.h"

#include <math.h>

typedef struct check_args {
    haw_args_common common;
    haw_arg_list set;
    bool resolve, schema;
} check_args;

static haw_exit print_schema(haw_cli *cli)
{
    char *text = NULL;
    const haw_status status = haw_scenario_schema(cli->context, &text);

    if (status == HAW_OK) {
        fputs(text, stdout);
        haw_text_free(cli->context, text);
    }
    return haw_cli_exit(cli, status, false);
}

static void write_answer(haw_cli *cli, const haw_session *session, const char *resolved)
{
    haw_json *json = haw_cli_answer(cli);

    haw_json_text(json, "scenario", session->scenario->file);
    haw_json_text(json, "title", session->scenario->title);
    haw_json_integer(json, "dofs", haw_model_dofs(session->model));
    haw_json_integer(json, "bodies", haw_model_bodies(session->model));
    haw_json_integer(json, "cables", haw_model_cables(session->model));
    haw_json_number(json, "step", haw_session_stepper(session).step);
    haw_json_number(json, "critical_step", haw_model_critical_step(session->model));
    if (resolved != NULL) {
        haw_json_text(json, "resolved", resolved);
    }
}

static void print_ready(const haw_session *session)
{
    const double limit = haw_model_critical_step(session->model);

    printf("%s: ready (%d degrees of freedom", session->scenario->file,
           haw_model_dofs(session->model));
    if (isfinite(limit)) {
        printf(", explicit step limit %.4g s", limit);
    }
    printf(")\n");
}

static haw_exit report(haw_cli *cli, const check_args *args, const haw_session *session)
{
    char *text = NULL;
    const haw_status status =
        args->resolve ? haw_scenario_resolve(cli->context, session->scenario, &text) : HAW_OK;

    if (status != HAW_OK) {
        return haw_cli_exit(cli, status, false);
    }
    if (cli->json) {
        write_answer(cli, session, text);
    } else if (text != NULL) {
        fputs(text, stdout);
    } else {
        print_ready(session);
    }
    haw_text_free(cli->context, text);
    return HAW_EXIT_DONE;
}

static int run(haw_cli *cli, const void *options)
{
    const check_args *args = options;
    haw_session session = {0};

    if (args->schema) {
        return print_schema(cli);
    }
    if (args->common.operand == NULL) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE, "FILE is missing; see 'hawser check --help'");
    }
    haw_exit code = haw_session_open(cli, args->common.operand, NULL, &args->set, &session);

    if (code == HAW_EXIT_DONE) {
        code = report(cli, args, &session);
    }
    haw_session_close(cli, &session);
    return code;
}

static const haw_arg rows[] = {
    {"set", 0, HAW_ARG_LIST, offsetof(check_args, set), "PATH=VALUE",
     "override one value of the scenario (repeatable)"},
    {"resolve", 0, HAW_ARG_FLAG, offsetof(check_args, resolve), NULL,
     "print the scenario with every default"},
    {"schema", 0, HAW_ARG_FLAG, offsetof(check_args, schema), NULL,
     "print the JSON schema of scenarios; needs no file"},
    {NULL, 0, HAW_ARG_FLAG, 0, NULL, NULL},
};

const haw_command haw_command_check = {
    .name = "check",
    .summary = "Check a scenario: everything up to the first step, all errors at once",
    .operand = "FILE",
    .endings = "yaml yml",
    .details = "Every error is reported with file, line and column. Keys of --json: scenario, "
               "title, dofs, bodies, cables, step (null: automatic), critical_step, resolved "
               "(YAML, with --resolve), status, "
               "message, messages.",
    .example = {"hawser check disk-impact.yaml",
                "hawser check disk-impact.yaml --resolve --set contact.friction=0.2"},
    .args = rows,
    .options_size = sizeof(check_args),
    .run = run,
};
