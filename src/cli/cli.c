/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/cli.h"

#include "cli/last.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { INTERRUPTS = 32 }; /* above the numbers of those that are caught */

/* A signal handler has no other way to know what to cancel. */
static haw_context *volatile interrupted_context;

const char *haw_exit_word(haw_exit code)
{
    static const char *const word[] = {[HAW_EXIT_DONE] = "done",
                                       [HAW_EXIT_ENDED] = "ended",
                                       [HAW_EXIT_USAGE] = "usage",
                                       [HAW_EXIT_REFUSED] = "refused",
                                       [HAW_EXIT_IO] = "io"};

    return code == HAW_EXIT_INTERRUPTED ? "interrupted" : word[code];
}

haw_exit haw_exit_code(haw_status status, bool started)
{
    switch (status) {
    case HAW_OK:
    case HAW_DONE:
        return HAW_EXIT_DONE;
    case HAW_ERR_ARG:
    case HAW_ERR_NOMEM:
    case HAW_ERR_INPUT:
        return started ? HAW_EXIT_ENDED : HAW_EXIT_REFUSED;
    case HAW_ERR_IO:
        return HAW_EXIT_IO;
    case HAW_ERR_CANCELLED:
        return HAW_EXIT_INTERRUPTED;
    case HAW_ERR_SINGULAR:
    case HAW_ERR_DIVERGED:
    case HAW_ERR_UNCONVERGED:
    case HAW_ERR_GUARD:
        return HAW_EXIT_ENDED;
    }
    return HAW_EXIT_ENDED;
}

haw_exit haw_cli_fail(haw_cli *cli, haw_exit code, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(cli->message, sizeof cli->message, format, arguments);
    va_end(arguments);
    haw_term_message(&cli->term, HAW_LOG_ERROR, cli->message);
    return code;
}

/*
 * The diagnostic of a scenario with one error is complete; the summary of the reader would only
 * repeat it.
 */
haw_exit haw_cli_exit(haw_cli *cli, haw_status status, bool started)
{
    const char *message = haw_context_message(cli->context);
    const haw_exit code = haw_exit_code(status, started);

    if (code == HAW_EXIT_DONE) {
        return code;
    }
    if ((status == HAW_ERR_INPUT || status == HAW_ERR_NOMEM) && !started && cli->errors == 1) {
        snprintf(cli->message, sizeof cli->message, "%s", cli->first_error);
        return code;
    }
    return haw_cli_fail(cli, code, "%s", message[0] != '\0' ? message : haw_status_text(status));
}

void haw_cli_log(void *user, haw_log_level level, const char *text)
{
    haw_cli_tell(user, level, text, text);
}

void haw_cli_tell(haw_cli *cli, haw_log_level level, const char *text, const char *kept)
{
    haw_term_message(&cli->term, level, text);
    if (level == HAW_LOG_ERROR && cli->errors++ == 0) {
        snprintf(cli->first_error, sizeof cli->first_error, "%.*s", (int)strcspn(text, "\n"), text);
    }
    if (cli->json && level <= HAW_LOG_WARNING) {
        char **list =
            haw_arena_extend(&cli->arena, cli->diagnostic, (size_t)cli->diagnostics, sizeof *list);
        char *copy = haw_arena_string(&cli->arena, kept);

        if (list != NULL && copy != NULL) {
            list[cli->diagnostics++] = copy;
            cli->diagnostic = list;
        }
    }
}

/* [s] timeout(1) sends its signal to the program and once more to all of its group. */
static const time_t SOON = 1;

/* The first of a kind cancels; one that does not come with it ends the program at once. */
static void on_interrupt(int number)
{
    static struct timespec first[INTERRUPTS];
    struct timespec now, *since = &first[number % INTERRUPTS];

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    if (since->tv_sec == 0 || number == SIGXCPU) { /* this comes with every further second */
        *since = now;
        haw_context_cancel(interrupted_context);
    } else if (now.tv_sec - since->tv_sec > SOON) {
        (void)signal(number, SIG_DFL);
        (void)raise(number);
    }
}

void haw_cli_catch_interrupts(haw_cli *cli)
{
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESTART};

    sigemptyset(&action.sa_mask);
    interrupted_context = cli->context;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGXCPU, &action, NULL);        /* time of a batch job is over */
    if (signal(SIGHUP, SIG_IGN) != SIG_IGN) { /* the terminal was closed, and not under nohup */
        sigaction(SIGHUP, &action, NULL);
    }
}

haw_json *haw_cli_answer(haw_cli *cli)
{
    cli->answer = (haw_json){.out = stdout, .first = true};
    haw_json_open(&cli->answer, NULL, '{');
    return &cli->answer;
}

void haw_cli_end_answer(haw_cli *cli, haw_exit code)
{
    haw_json *json = &cli->answer;

    if (code != HAW_EXIT_DONE && cli->json && json->out == NULL) {
        haw_cli_answer(cli);
    }
    if (json->depth > 0) {
        haw_json_text(json, "status", haw_exit_word(code));
        haw_json_text(json, "message", cli->message[0] != '\0' ? cli->message : NULL);
        haw_json_texts(json, "messages", cli->diagnostics, (const char *const *)cli->diagnostic);
        haw_json_close(json, '}');
    }
}

void *haw_cli_allocate(haw_cli *cli, size_t count, size_t size)
{
    void *memory = haw_arena_allocate(&cli->arena, count > 0 ? count : 1, size);

    if (memory == NULL) {
        haw_cli_exit(cli, HAW_ERR_NOMEM, false);
        haw_cli_end_answer(cli, HAW_EXIT_REFUSED);
        haw_last_end();
        exit(HAW_EXIT_REFUSED);
    }
    return memory;
}

char *haw_cli_format(haw_cli *cli, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);

    va_end(arguments);
    char *text = haw_cli_allocate(cli, (size_t)length + 1, 1);

    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

int haw_cli_numbers(const char *text, int most, double *value)
{
    for (int count = 0; count < most; text++) {
        char *end;

        value[count++] = strtod(text, &end);
        if (end == text || !isfinite(value[count - 1])) {
            return 0;
        }
        text = end;
        if (*text != ',') {
            return *text == '\0' ? count : 0;
        }
    }
    return 0;
}

haw_exit haw_cli_unknown(haw_cli *cli, const char *what, const char *word, int count,
                         const char *const *names, const char *see)
{
    char hint[HAW_HINT_SIZE];

    haw_hint(word, count, names, hint);
    return haw_cli_fail(cli, HAW_EXIT_USAGE, "unknown %s '%s'%s%s%s", what, word,
                        hint[0] != '\0' ? hint : "; see '", hint[0] != '\0' ? "" : see,
                        hint[0] != '\0' ? "" : "'");
}

haw_exit haw_cli_unknown_row(haw_cli *cli, const char *what, const char *word,
                             const haw_row *const *table, const char *see)
{
    const char *nearest = haw_row_nearest(table, word);

    return haw_cli_unknown(cli, what, word, 1, &nearest, see);
}

void haw_files_keep(void *user, const char *path)
{
    haw_files *files = user;

    const char **longer =
        haw_arena_extend(&files->cli->arena, files->path, (size_t)files->count, sizeof *longer);

    if (longer != NULL) {
        longer[files->count++] = haw_cli_format(files->cli, "%s", path);
        files->path = longer;
    }
}

void haw_files_print(const haw_files *files, const char *before)
{
    for (int i = 0; i < files->count; i++) {
        printf("%s%s\n", i == 0 ? before : "", files->path[i]);
    }
}

char *haw_cli_base_name(haw_cli *cli, const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *name = slash != NULL ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    const size_t length = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);

    if (strcmp(file, "-") == 0) {
        return haw_cli_format(cli, "hawser");
    }
    return haw_cli_format(cli, "%.*s", (int)length, name);
}
