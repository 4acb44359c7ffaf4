/* SPDX-License-Identifier: BSD-3-Clause */
/* What all subcommands share: the running program, its exit codes, how it fails. */
#ifndef HAWSER_CLI_CLI_H
#define HAWSER_CLI_CLI_H

#include "base/arena.h"
#include "cli/args.h"
#include "cli/term.h"
#include "io/json.h"

typedef enum haw_exit {
    HAW_EXIT_DONE = 0,
    HAW_EXIT_ENDED = 1, /* during the run, with what was computed written */
    HAW_EXIT_USAGE = 2,
    HAW_EXIT_REFUSED = 3, /* before the first step */
    HAW_EXIT_IO = 4,
    HAW_EXIT_INTERRUPTED = 130
} haw_exit;

enum { HAW_MESSAGE_MAX = 1024 };

typedef struct haw_cli {
    haw_context *context;
    char **argv;     /* of the program */
    haw_arena arena; /* lives as long as the program */
    haw_term term;
    bool json;       /* --json was given */
    haw_json answer; /* the JSON object on stdout, begun by haw_cli_answer */
    char message[HAW_MESSAGE_MAX];
    int errors; /* logged by the library */
    char first_error[HAW_MESSAGE_MAX];
    int diagnostics; /* errors and warnings of the library, in order */
    char **diagnostic;
} haw_cli;

/** One word for an exit code, as in the `status` key of --json. */
const char *haw_exit_word(haw_exit code);

/** Print `hawser: error: ...`, keep the line for --json and return the code. */
haw_exit haw_cli_fail(haw_cli *cli, haw_exit code, const char *format, ...) HAW_PRINTF(3, 4);

/** Exit code of a status of the library. `started`: the first step has been done. */
haw_exit haw_exit_code(haw_status status, bool started);

/** The same; a failure is printed and kept with the message of the context. */
haw_exit haw_cli_exit(haw_cli *cli, haw_status status, bool started);

/** The pair of haw_context_set_log: prints, and keeps errors and warnings for --json. */
void haw_cli_log(void *user, haw_log_level level, const char *text);

/** The same, where --json keeps another text than is printed. */
void haw_cli_tell(haw_cli *cli, haw_log_level level, const char *text, const char *kept);

/** Let Ctrl-C, SIGTERM, SIGXCPU and SIGHUP cancel the context; a second one, after a second or
 * more, ends the program at once. */
void haw_cli_catch_interrupts(haw_cli *cli);

/**
 * Begin the JSON object of this run on stdout. The program ends it with the keys status, message
 * and messages, unless the command has closed it.
 */
haw_json *haw_cli_answer(haw_cli *cli);

/** End it; a command that failed before it began one gets one with these keys only. */
void haw_cli_end_answer(haw_cli *cli, haw_exit code);

/** File name without folder and ending; "hawser" for the standard input. From the arena. */
char *haw_cli_base_name(haw_cli *cli, const char *file);

/** Numbers with commas between. @return how many; 0: no such list, or more than `most` of them */
int haw_cli_numbers(const char *text, int most, double *value);

/** Refuse a word that is none of `count` names, with the nearest of them or else what to see. */
haw_exit haw_cli_unknown(haw_cli *cli, const char *what, const char *word, int count,
                         const char *const *names, const char *see);

/** The same for the name of a row. */
haw_exit haw_cli_unknown_row(haw_cli *cli, const char *what, const char *word,
                             const haw_row *const *table, const char *see);

/* Files that a command has written. */
typedef struct haw_files {
    haw_cli *cli;
    int count;
    const char **path;
} haw_files;

/** Keep one more path: `user` is a haw_files, as the figures of a report want it. */
void haw_files_keep(void *user, const char *path);

/** One path in a line, `before` in front of the first. */
void haw_files_print(const haw_files *files, const char *before);

/** `count * size` zeroed bytes from the arena, and texts by format; the program ends with a message
 * when memory has run out. */
void *haw_cli_allocate(haw_cli *cli, size_t count, size_t size);
char *haw_cli_format(haw_cli *cli, const char *format, ...) HAW_PRINTF(2, 3);

#endif
