/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser compare: run one variant. */
#include "cli/cmd_compare.h"

#include <math.h>

typedef struct compare_job {
    haw_cli *cli;
    haw_study_record record;
    double end; /* [s] */
} compare_job;

static haw_status on_frame(void *user, const haw_frame *frame)
{
    compare_job *job = user;

    return haw_study_frame(&job->record, frame);
}

static void on_progress(void *user, const haw_frame *frame, int contacts, double residual)
{
    compare_job *job = user;

    haw_term_progress(&job->cli->term, frame->t, job->end, frame->step, contacts, residual);
}

/* The settings of the command line, then those of the variant: the later one of a key counts. */
static bool join_sets(haw_cli *cli, const haw_compare_args *args, const haw_variant *variant,
                      haw_arg_list *all)
{
    const int count = args->set.count + variant->sets;

    all->item = haw_arena_allocate(&cli->arena, (size_t)count + 1, sizeof *all->item);
    all->count = count;
    for (int i = 0; i < count && all->item != NULL; i++) {
        all->item[i] = i < args->set.count ? args->set.item[i] : variant->set[i - args->set.count];
    }
    return all->item != NULL;
}

/* The probes of different variants are followed over the same time, as are their progress lines. */
static haw_status simulate(compare_job *job, const haw_session *session, bool *started)
{
    const haw_observer observer = {.frame = on_frame, .progress = on_progress, .user = job};

    HAW_TRY(haw_study_begin(&job->record, session->scenario, session->simulation));
    const haw_status status =
        haw_simulation_run(session->simulation, &observer, &job->record.run->summary);

    *started = true;
    haw_term_clear(&job->cli->term);
    const haw_status kept = haw_study_end(&job->record, session->simulation);

    return status == HAW_OK ? kept : status;
}

static haw_exit run_session(compare_job *job, const haw_session *session)
{
    haw_cli *cli = job->cli;
    bool started = false;

    job->end = haw_session_stepper(session).end;
    const haw_status status = simulate(job, session, &started);

    if (status == HAW_OK) {
        return HAW_EXIT_DONE;
    }
    const char *why = haw_context_message(cli->context);

    why = haw_cli_format(cli, "%s", why[0] != '\0' ? why : haw_status_text(status));
    return haw_cli_fail(cli, haw_exit_code(status, started), "variant '%s': %s",
                        job->record.run->variant->name, why);
}

haw_exit haw_compare_run(haw_cli *cli, const haw_compare_args *args, const char *text,
                         haw_study_run *run)
{
    compare_job job = {
        .cli = cli,
        .record = {.arena = &cli->arena,
                   .run = run,
                   .at = args->at.given ? args->at.value : (double)INFINITY},
    };
    haw_session session = {0};
    haw_arg_list set;

    haw_log(cli->context, HAW_LOG_INFO, "variant '%s'", run->variant->name);
    cli->errors = 0; /* each variant has a first error of its own */
    cli->message[0] = '\0';
    if (!join_sets(cli, args, run->variant, &set)) {
        return haw_cli_fail_status(cli, HAW_ERR_NOMEM, false);
    }
    haw_exit code = text != NULL
                        ? haw_session_open_text(cli, args->common.operand, text, &set, &session)
                        : haw_session_open(cli, args->common.operand, &set, &session);

    if (code == HAW_EXIT_DONE) {
        code = run_session(&job, &session);
    }
    haw_session_close(cli, &session);
    run->is_done = code == HAW_EXIT_DONE;
    run->status = haw_exit_word(code);
    run->message = cli->message[0] != '\0' ? haw_cli_format(cli, "%s", cli->message) : NULL;
    return code;
}
