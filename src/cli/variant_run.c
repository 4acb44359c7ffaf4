/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/variant_run.h"

#include "base/status.h"
#include "cli/resumption.h"

#include <unistd.h>

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

/* ---- a case that was cut off ---- */

/* What a process that was killed or interrupted has left of it. @param is_saved  out: false if that
 * is nothing, or damaged or of another case; lack of memory is no reason to begin anew */
static haw_status find_saved(haw_cli *cli, const haw_session *session, const char *file,
                             haw_resumption *from, bool *is_saved)
{
    *is_saved = false;
    if (access(file, F_OK) != 0 && access(haw_cli_format(cli, "%s.ckpt", file), F_OK) != 0) {
        return HAW_OK;
    }
    haw_status status = haw_resumption_read(cli, file, from);

    status = status == HAW_OK ? haw_resumption_check(cli, session, from) : status;
    *is_saved = status == HAW_OK && from->is_whole;
    if (!*is_saved && status != HAW_ERR_NOMEM) {
        haw_log(cli->context, HAW_LOG_INFO, "begins anew: %s", haw_context_message(cli->context));
        return HAW_OK;
    }
    return status;
}

/* Results are written where they are wanted, or checkpoints, which are results so far. */
static haw_status open_results(observed *run, const haw_session *session, const char *file)
{
    haw_cli *cli = run->cli;
    haw_resumption from = {0};
    bool goes_on;
    haw_status status = find_saved(cli, session, file, &from, &goes_on);

    if (status == HAW_OK) {
        status = haw_writer_open(cli->context, file, session->scenario, session->model,
                                 session->simulation, &run->writer);
    }
    if (status == HAW_OK && goes_on) {
        status = haw_resumption_begin(cli, session, &from, run->writer);
        status = status == HAW_OK ? haw_study_continue(&run->record, from.saved) : status;
    }
    haw_saved_free(cli->context, from.saved);
    return status;
}

/* The case has its end, good or not: nobody goes on from them. */
static void remove_checkpoints(haw_cli *cli, const char *file, int count)
{
    (void)unlink(haw_cli_format(cli, "%s.ckpt", file));
    for (int k = 1; k < count; k++) {
        (void)unlink(haw_cli_format(cli, "%s.ckpt.%d", file, k));
    }
}

/* Where memory was out, another attempt begins anew, or where the last checkpoint was. */
static haw_status close_results(observed *run, const haw_session *session,
                                const haw_variant_job *job, haw_status status)
{
    if (run->writer == NULL || job->results == NULL) {
        return HAW_OK;
    }
    if (status == HAW_ERR_NOMEM) {
        haw_writer_discard(run->writer);
        return HAW_OK;
    }
    const char *name = haw_cli_format(run->cli, "%s", haw_writer_end(run->writer, status));
    const haw_status closed = haw_writer_close(run->writer, &run->record.run->summary);

    if (closed == HAW_OK && !job->keep && status != HAW_ERR_CANCELLED) {
        (void)unlink(job->results); /* as far as it was when it was interrupted */
        (void)unlink(name);
        remove_checkpoints(run->cli, job->results, session->scenario->run.checkpoint.keep);
    }
    return closed;
}

/* The first failure is the one that counts. */
static haw_status simulate(observed *run, const haw_session *session, const haw_variant_job *job)
{
    const haw_observer observer = {.frame = on_frame,
                                   .event = on_event,
                                   .progress = on_progress,
                                   .checkpoint = run->writer != NULL ? on_checkpoint : NULL,
                                   .user = run};
    haw_study_record *record = &run->record;
    haw_status status = haw_simulation_run(session->simulation, &observer, &record->run->summary);

    haw_term_clear(&run->cli->term);
    const haw_status kept = haw_study_end(record, session->simulation);

    status = status == HAW_OK ? kept : status;
    const haw_status closed = close_results(run, session, job, status);

    return status == HAW_OK ? closed : status;
}

/* The probes of different variants are followed over the same time, as are their progress lines. */
static haw_exit run_session(observed *run, const haw_session *session, const haw_variant_job *job)
{
    haw_cli *cli = run->cli;
    haw_study_record *record = &run->record;
    const haw_checkpoint_settings *saves = &session->scenario->run.checkpoint;
    haw_status status = haw_study_begin(record, session->scenario, session->simulation);

    run->end = haw_session_stepper(session).end;
    if (status == HAW_OK && job->results != NULL &&
        (job->keep || saves->wall > 0 || saves->frames > 0)) {
        status = open_results(run, session, job->results);
    }
    const bool started = status == HAW_OK;

    if (started) {
        status = simulate(run, session, job);
    } else {
        haw_writer_discard(run->writer);
    }
    const char *why = haw_context_message(cli->context);

    record->run->is_short = status == HAW_ERR_NOMEM;
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
    const bool is_open = code == HAW_EXIT_DONE; /* what comes then names the variant */

    if (is_open) {
        code = run_session(&now, &session, job);
    }
    run->is_short =
        run->is_short || session.status == HAW_ERR_NOMEM || haw_context_is_short(cli->context);
    haw_session_close(cli, &session);
    run->is_done = code == HAW_EXIT_DONE;
    run->status = haw_exit_word(code);
    run->message = NULL;
    if (cli->message[0] != '\0') {
        run->message =
            is_open ? haw_cli_format(cli, "%s", cli->message)
                    : haw_cli_format(cli, "variant '%s': %s", run->variant->name, cli->message);
    }
    return code;
}
