/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables of subcommands and their options. One row gives the parsing, the line of --help, the
 * entry of the manual page and the word of the shell completion.
 */
#ifndef HAWSER_CLI_ARGS_H
#define HAWSER_CLI_ARGS_H

#include <stdbool.h>
#include <stddef.h>

struct haw_cli;

typedef enum haw_arg_kind {
    HAW_ARG_FLAG,    /* bool */
    HAW_ARG_COUNT,   /* int, how often it was given */
    HAW_ARG_INTEGER, /* int, at least 1 */
    HAW_ARG_REAL,    /* haw_arg_real, finite */
    HAW_ARG_TEXT,    /* const char *, the last one given */
    HAW_ARG_LIST     /* haw_arg_list, all that were given */
} haw_arg_kind;

typedef struct haw_arg_real {
    bool given;
    double value;
} haw_arg_real;

typedef struct haw_arg_list {
    int count;
    const char **item;
} haw_arg_list;

typedef struct haw_arg {
    const char *name; /* long option, without dashes */
    char letter;      /* short option, 0: none */
    haw_arg_kind kind;
    size_t offset;     /* bytes into the command's options struct */
    const char *value; /* how the help calls the value; FILE and DIR also steer the completion */
    const char *help;
} haw_arg;

enum { HAW_ARGS_MAX = 48 };

/* Leading part of every command's options struct. */
typedef struct haw_args_common {
    bool json, quiet, help;
    int verbose;
    const char *operand; /* FILE, KIND or NAME; NULL if not given */
    int operands;        /* number of those given, more than one only where a command takes them */
    char *const *operand_list;
} haw_args_common;

struct haw_arg_rows;

typedef struct haw_command {
    const char *name, *summary;
    const char *operand; /* how the help calls it */
    bool operand_required, operand_repeats;
    bool reads_results;  /* and may crash in HDF5: it runs in a child process */
    const char *endings; /* of files offered as operand, e.g. "yaml yml"; NULL: words */
    const char *details; /* paragraphs of the manual */
    const char *example[2];
    const haw_arg *args; /* ends with a NULL name */
    size_t options_size;
    /** Further rows that depend on the command line; a usage error is a negative count. */
    int (*extra)(struct haw_cli *cli, int argc, char *const *argv, haw_arg *rows, int capacity);
    int (*run)(struct haw_cli *cli, const void *options);
    /** --help of a command line; NULL: haw_args_help. */
    void (*help)(struct haw_cli *cli, const struct haw_arg_rows *rows, const void *options);
} haw_command;

/** All subcommands; ends with NULL. */
extern const haw_command *const haw_commands[];

/** Options that every subcommand has; offsets into haw_args_common. */
extern const haw_arg haw_common_args[];

/** The rows of one command line: the command's, its extra ones, the common ones. */
typedef struct haw_arg_rows {
    int count;
    haw_arg row[HAW_ARGS_MAX];
} haw_arg_rows;

/**
 * Collect the rows and parse argv[1] ... argv[argc - 1] into an options struct.
 * Options may stand before or after the operand; "--" ends them.
 *
 * @return 0, or the exit code of a usage error, reported
 */
int haw_args_parse(struct haw_cli *cli, const haw_command *command, int argc, char **argv,
                   haw_arg_rows *rows, void *options);

/** Print usage, options and examples of a command to stdout. */
void haw_args_help(const haw_command *command, const haw_arg_rows *rows);

#endif
