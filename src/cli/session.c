/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/session.h"

#include "base/status.h"
#include "cli/catalog.h"
#include "cli/shipped.h"

#include <string.h>
#include <sys/stat.h>

haw_exit haw_session_refuse(haw_cli *cli, const haw_session *session, haw_status status)
{
    haw_context *context = cli->context;
    const char *place = haw_context_place(context);

    if ((status == HAW_ERR_INPUT || status == HAW_ERR_NOMEM) && session->scenario != NULL &&
        place[0] != '\0') {
        const char *message = haw_cli_format(cli, "%s", haw_context_message(context));

        haw_scenario_complain(context, session->scenario, haw_cli_format(cli, "%s", place),
                              message);
    }
    return haw_cli_exit(cli, status, false);
}

static bool is_file(const char *path)
{
    struct stat info;

    return strcmp(path, "-") == 0 || (stat(path, &info) == 0 && !S_ISDIR(info.st_mode));
}

/* "no such file" is not all that is to be said where a word may be a name. */
static haw_status find_no_name(haw_cli *cli, const char *name)
{
    int count;
    const char **names = haw_shipped_names(cli, &count);
    char hint[HAW_HINT_SIZE];

    haw_hint(name, count, names, hint);
    return haw_fail(cli->context, HAW_ERR_IO,
                    "there is no file '%s' or '%s.yaml' and no shipped scenario of this name%s",
                    name, name, hint[0] != '\0' ? hint : "; see 'hawser list scenarios'");
}

haw_status haw_session_read(haw_cli *cli, const char *file, const haw_arg_list *set,
                            haw_scenario **scenario)
{
    const char *yaml = haw_cli_format(cli, "%s.yaml", file), *text = haw_shipped_text(file);
    const bool is_word = strpbrk(file, "./") == NULL && file[0] != '\0' && !is_file(file);

    if (is_word && !is_file(yaml)) {
        return text != NULL
                   ? haw_scenario_parse(cli->context, file, text, set->count, set->item, scenario)
                   : find_no_name(cli, file);
    }
    return haw_scenario_read(cli->context, is_word ? yaml : file, set->count, set->item, scenario);
}

haw_exit haw_session_open(haw_cli *cli, const char *file, const char *text, const haw_arg_list *set,
                          haw_session *session)
{
    haw_context *context = cli->context;
    haw_status status = text != NULL ? haw_scenario_parse(context, file, text, set->count,
                                                          set->item, &session->scenario)
                                     : haw_session_read(cli, file, set, &session->scenario);

    /* Only now: reading a scenario typed at a terminal must end with the first Ctrl-C. */
    haw_cli_catch_interrupts(cli);
    if (status == HAW_OK) {
        status = haw_model_build(context, &session->scenario->scene, &session->model);
    }
    if (status == HAW_OK) {
        status = haw_simulation_create(context, session->model, &session->scenario->run,
                                       &session->simulation);
    }
    session->status = status;
    return status == HAW_OK ? HAW_EXIT_DONE : haw_session_refuse(cli, session, status);
}

void haw_session_close(haw_cli *cli, haw_session *session)
{
    haw_simulation_free(session->simulation);
    haw_model_free(session->model);
    haw_scenario_free(cli->context, session->scenario);
}

haw_stepper_common haw_session_stepper(const haw_session *session)
{
    haw_stepper_common common;

    memcpy(&common, session->scenario->run.stepper.options, sizeof common);
    return common;
}
