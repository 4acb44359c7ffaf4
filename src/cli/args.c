/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/args.h"

#include "cli/cli.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_ONLY = 256 }; /* getopt values of rows start above all letters */

const haw_arg haw_common_args[] = {
    {"json", 0, HAW_ARG_FLAG, offsetof(haw_args_common, json), NULL,
     "print a single JSON object to standard output"},
    {"quiet", 'q', HAW_ARG_FLAG, offsetof(haw_args_common, quiet), NULL,
     "print no warnings and no progress line"},
    {"verbose", 'v', HAW_ARG_COUNT, offsetof(haw_args_common, verbose), NULL,
     "print more; give it twice for even more"},
    {"help", 'h', HAW_ARG_FLAG, offsetof(haw_args_common, help), NULL, "show this help"},
    {NULL, 0, HAW_ARG_FLAG, 0, NULL, NULL},
};

static void append(haw_arg_rows *rows, const haw_arg *args)
{
    for (int i = 0; args[i].name != NULL && rows->count < HAW_ARGS_MAX; i++) {
        rows->row[rows->count++] = args[i];
    }
}

static bool has_value(const haw_arg *arg)
{
    return arg->kind != HAW_ARG_FLAG && arg->kind != HAW_ARG_COUNT;
}

/* getopt's view of the rows; ":" at the start of `letters` tells missing values apart. */
static void describe(const haw_arg_rows *rows, struct option *longs, char *letters)
{
    *letters++ = ':';
    for (int i = 0; i < rows->count; i++) {
        const haw_arg *arg = &rows->row[i];

        longs[i] = (struct option){
            .name = arg->name,
            .has_arg = has_value(arg) ? required_argument : no_argument,
            .val = LONG_ONLY + i,
        };
        if (arg->letter != 0) {
            *letters++ = arg->letter;
            if (has_value(arg)) {
                *letters++ = ':';
            }
        }
    }
    longs[rows->count] = (struct option){0};
    *letters = '\0';
}

static const haw_arg *find_row(const haw_arg_rows *rows, int value)
{
    if (value >= LONG_ONLY) {
        return &rows->row[value - LONG_ONLY];
    }
    for (int i = 0; i < rows->count; i++) {
        if (rows->row[i].letter == value) {
            return &rows->row[i];
        }
    }
    return NULL;
}

/* getopt leaves in optopt the row of a known option, an unknown letter, or 0: unknown long one. */
static int refused_option(haw_cli *cli, const haw_command *command, const haw_arg_rows *rows,
                          int error, const char *word)
{
    const char *names[HAW_ARGS_MAX];

    if (error == ':') {
        const haw_arg *arg = find_row(rows, optopt);

        return haw_cli_fail(cli, HAW_EXIT_USAGE, "option '--%s' needs a value (%s)", arg->name,
                            arg->value);
    }
    if (optopt >= LONG_ONLY) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE, "option '--%s' takes no value",
                            rows->row[optopt - LONG_ONLY].name);
    }
    if (optopt != 0) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE, "unknown option '-%c'; see 'hawser %s --help'",
                            optopt, command->name);
    }
    for (int i = 0; i < rows->count; i++) {
        names[i] = haw_cli_format(cli, "--%s", rows->row[i].name);
    }
    return haw_cli_unknown(cli, "option",
                           haw_cli_format(cli, "%.*s", (int)strcspn(word, "="), word), rows->count,
                           names, haw_cli_format(cli, "hawser %s --help", command->name));
}

static int set_integer(haw_cli *cli, const haw_arg *arg, const char *text, int *target)
{
    char *end;

    errno = 0;
    const long value = strtol(text, &end, 10);

    if (end == text || *end != '\0' || errno != 0 || value < 1 || value > INT_MAX) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE,
                            "option '--%s' needs a whole number >= 1 (got '%s')", arg->name, text);
    }
    *target = (int)value;
    return 0;
}

static int set_real(haw_cli *cli, const haw_arg *arg, const char *text, haw_arg_real *target)
{
    if (haw_cli_numbers(text, 1, &target->value) != 1) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE, "option '--%s' needs a number (got '%s')",
                            arg->name, text);
    }
    target->given = true;
    return 0;
}

static int set_value(haw_cli *cli, const haw_arg *arg, int argc, const char *text, void *options)
{
    void *target = (char *)options + arg->offset;
    haw_arg_list *list = target;

    switch (arg->kind) {
    case HAW_ARG_FLAG:
        *(bool *)target = true;
        return 0;
    case HAW_ARG_COUNT:
        ++*(int *)target;
        return 0;
    case HAW_ARG_INTEGER:
        return set_integer(cli, arg, text, target);
    case HAW_ARG_REAL:
        return set_real(cli, arg, text, target);
    case HAW_ARG_TEXT:
        *(const char **)target = text;
        return 0;
    case HAW_ARG_LIST:
        if (list->item == NULL) {
            list->item = haw_cli_allocate(cli, (size_t)argc, sizeof *list->item);
        }
        list->item[list->count++] = text;
        return 0;
    }
    return 0;
}

static int set_operand(haw_cli *cli, const haw_command *command, int argc, char **argv,
                       haw_args_common *common)
{
    const int operands = argc - optind;
    const int most = command->operand_repeats ? argc : command->operand != NULL ? 1 : 0;

    if (operands > most) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE, "unexpected argument '%s'; see 'hawser %s --help'",
                            argv[argc - 1], command->name);
    }
    common->operand = operands > 0 ? argv[optind] : NULL;
    common->operands = operands;
    common->operand_list = argv + optind;
    if (common->operand == NULL && command->operand_required && !common->help) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE, "%s is missing; see 'hawser %s --help'",
                            command->operand, command->name);
    }
    return 0;
}

int haw_args_parse(haw_cli *cli, const haw_command *command, int argc, char **argv,
                   haw_arg_rows *rows, void *options)
{
    struct option longs[HAW_ARGS_MAX + 1];
    char letters[2 * HAW_ARGS_MAX + 2];
    int found = 0;

    rows->count = 0;
    append(rows, command->args);
    if (command->extra != NULL) {
        const int extra = command->extra(cli, argc, argv, rows->row + rows->count,
                                         HAW_ARGS_MAX - rows->count - 8);

        if (extra < 0) {
            return HAW_EXIT_USAGE;
        }
        rows->count += extra;
    }
    append(rows, haw_common_args);
    describe(rows, longs, letters);
    opterr = 0;
    optind = 1;
    while ((found = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
        int failure = 0;

        if (found == '?' || found == ':') {
            failure = refused_option(cli, command, rows, found, argv[optind - 1]);
        } else {
            failure = set_value(cli, find_row(rows, found), argc, optarg, options);
        }
        if (failure != 0) {
            return failure;
        }
    }
    return set_operand(cli, command, argc, argv, options);
}

static void help_row(const haw_arg *arg)
{
    char left[64];
    const int n = snprintf(left, sizeof left, "--%s%s%s", arg->name, has_value(arg) ? " " : "",
                           has_value(arg) ? arg->value : "");

    if (arg->letter != 0) {
        printf("  -%c, ", arg->letter);
    } else {
        printf("      ");
    }
    if (n < 24) {
        printf("%-24s %s\n", left, arg->help);
    } else {
        printf("%s\n%31s%s\n", left, "", arg->help);
    }
}

void haw_args_help(const haw_command *command, const haw_arg_rows *rows)
{
    printf("usage: hawser %s [options]", command->name);
    if (command->operand != NULL) {
        printf(command->operand_required ? " %s" : " [%s]", command->operand);
        printf("%s", command->operand_repeats ? "..." : "");
    }
    printf("\n\n%s.\n\noptions:\n", command->summary);
    for (int i = 0; i < rows->count; i++) {
        help_row(&rows->row[i]);
    }
    printf("\nexamples:\n  %s\n  %s\n\nSee hawser(1) for exit codes and the keys of --json.\n",
           command->example[0], command->example[1]);
}
