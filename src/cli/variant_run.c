/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/variant_run.h"

#include "io/writer.h"

#include <string.h>

typedef struct observed {
    haw_cli *cli;
    haw_study_record record;
    haw_writer *writer; /* NULL without a results file */
    double end;         /* [s] */
} observed;

static haw_status on_frame(void *user, const haw_frame *frame)
{
    observed *run = user;

    HAW_TRY(haw_study_frame(&run->record, frame));
    return run->writer != NULL ? haw_writer_frame(run->writer, frame) : HAW_OK;
}

static haw_status on_event(void *user, const haw_event *event)
{
    observed *run = user;

    return run->writer != NULL ? haw_writer_event(run->writer, event) : HAW_OK;
}

static haw_status on_checkpoint(void *user, const haw_checkpoint *checkpoint)
{
    observed *run = user;

    return run->writer != NULL ? haw_writer_checkpoint(run->writer, checkpoint) : HAW_OK;
}

static void on_progress(void *user, const haw_frame *frame, int contacts, double residual)
{
    observed *run = user;

    haw_term_progress(&run->cli->term, frame->t, run->end, frame->step, contacts, residual);
}

haw_arg_list haw_variant_sets(haw_cli *cli, const haw_arg_list *set, const haw_variant *variant)
{
    const int count = set->count + variant->sets;
    haw_arg_list all = {.count = count,
                        .item = haw_cli_allocate(cli, (size_t)count, sizeof *all.item)};

    for (int i = 0; i < count; i++) {
        all.item[i] = i < set->count ? set->item[i] : variant->set[i - set->count];
    }
    return all;
}

/* The first failure is the one that counts. */
static haw_status simulate(observed *run, const haw_session *session, const char *results)
{
    const haw_observer observer = {.frame = on_frame,
                                   .event = on_event,
                                   .progress = on_progress,
                                   .checkpoint = on_checkpoint,
                                   .user = run};
    haw_study_record *record = &run->record;
    haw_status status = haw_simulation_run(session->simulation, &observer, &record->run->summary);

    haw_term_clear(&run->cli->term);
    const haw_status kept = haw_study_end(record, session->simulation);

    if (results != NULL) {
        (void)haw_writer_end(run->writer, status);
    }
    const haw_status closed =
        results != NULL ? haw_writer_close(run->writer, &record->run->summary) : HAW_OK;

    status = status == HAW_OK ? kept : status;
    return status == HAW_OK ? closed : status;
}

/* The probes of different variants are followed over the same time, as are their progress lines. */
static haw_exit run_session(observed *run, const haw_session *session, const char *results)
{
    haw_cli *cli = run->cli;
    haw_study_record *record = &run->record;
    haw_status status = haw_study_begin(record, session->scenario, session->simulation);

    run->end = haw_session_stepper(session).end;
    if (status == HAW_OK && results != NULL) {
        status = haw_writer_open(cli->context, results, session->scenario, session->model,
                                 session->simulation, &run->writer);
    }
    const bool started = status == HAW_OK;

    status = started ? simulate(run, session, results) : status;
    const char *why = haw_context_message(cli->context);

    return status == HAW_OK ? HAW_EXIT_DONE
                            : haw_cli_fail(cli, haw_exit_code(status, started), "variant '%s': %s",
                                           record->run->variant->name,
                                           why[0] != '\0' ? why : haw_status_text(status));
}

haw_exit haw_variant_run(haw_cli *cli, const haw_variant_job *job, haw_study_run *run)
{
    observed now = {.cli = cli, .record = {.arena = &cli->arena, .run = run, .at = job->at}};
    haw_session session = {0};
    const haw_arg_list set = haw_variant_sets(cli, job->set, run->variant);

    haw_log(cli->context, HAW_LOG_INFO, "variant '%s'", run->variant->name);
    cli->errors = 0; /* each variant has a first error of its own */
    cli->message[0] = '\0';
    haw_exit code = haw_session_open(cli, job->file, job->text, &set, &session);

    if (code == HAW_EXIT_DONE) {
        code = run_session(&now, &session, job->results);
    }
    haw_session_close(cli, &session);
    run->is_done = code == HAW_EXIT_DONE;
    run->status = haw_exit_word(code);
    run->message = cli->message[0] != '\0' ? haw_cli_format(cli, "%s", cli->message) : NULL;
    return code;
}
