/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/resumption.h"

#include "base/status.h"
#include "cli/child.h"

#include <string.h>

static void probe(haw_context *context, const char *file)
{
    haw_saved *saved = NULL;

    (void)(haw_saved_read(context, file, &saved) == HAW_OK);
}

haw_status haw_resumption_read(haw_cli *cli, const char *file, haw_resumption *from)
{
    const char *fault = haw_child_probe(cli->context, file, probe);

    return fault != NULL ? haw_fail(cli->context, HAW_ERR_IO, "cannot read '%s': %s", file, fault)
                         : haw_saved_read(cli->context, file, &from->saved);
}

/* The scenario is still read as it was, and nothing of its past is another one. */
haw_status haw_resumption_check(haw_cli *cli, const haw_session *session, haw_resumption *from)
{
    haw_context *context = cli->context;
    const haw_saved *saved = from->saved;
    haw_scenario *before = NULL;
    char *text = NULL;
    haw_status status =
        haw_scenario_parse(context, saved->file, saved->text, saved->sets, saved->set, &before);

    status = status == HAW_OK ? haw_scenario_resolve(context, before, &text) : status;
    if (status == HAW_OK && strcmp(text, saved->resolved) != 0) {
        status = haw_fail(context, HAW_ERR_INPUT,
                          "the scenario in '%s' does not resolve to what its run had: a file that "
                          "it reads has changed",
                          saved->path);
    }
    haw_text_free(context, text);
    if (status == HAW_OK) {
        status = haw_scenario_continues(context, before, session->scenario, &from->is_whole);
    }
    haw_scenario_free(context, before);
    return status;
}

haw_status haw_resumption_begin(haw_cli *cli, const haw_session *session,
                                const haw_resumption *from, haw_writer *writer)
{
    const haw_saved *saved = from->saved;
    const double end = haw_session_stepper(session).end;

    if (saved->checkpoint.t > end) {
        return haw_fail(cli->context, HAW_ERR_INPUT,
                        "cannot go on to %.9g s from a checkpoint at %.9g s: stepper.end lies "
                        "before it",
                        end, saved->checkpoint.t);
    }
    HAW_TRY(haw_simulation_resume(session->simulation, &saved->checkpoint, from->is_whole));
    if (from->is_whole && writer != NULL) {
        HAW_TRY(haw_writer_continue(writer, saved));
    }
    haw_log(cli->context, HAW_LOG_INFO, "goes on from step %ld, t = %.9g s, of '%s'",
            saved->checkpoint.step, saved->checkpoint.t, saved->path);
    return HAW_OK;
}
