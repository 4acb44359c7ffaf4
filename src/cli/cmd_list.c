/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser list: what the tables hold, and the documents made from them. */
#include "bench/combination.h"
#include "cli/catalog.h"
#include "scenario/reader.h"

#include <math.h>
#include <string.h>

enum { NAME_WIDTH = 20 }; /* at least */

typedef struct list_args {
    haw_args_common common;
    bool names, man, completion, markdown, attempt;
} list_args;

static void print_entry(haw_cli *cli, const haw_row *entry, const char *noun, int width,
                        bool verbose)
{
    printf("  %-*s %s\n", width, entry->name, entry->summary);
    if (verbose && entry->source[0] != '\0') {
        printf("  %-*s (%s)\n", width, "", entry->source);
    }
    for (int i = 0; verbose && i < haw_options_count(entry->options); i++) {
        const haw_option *row = &entry->options[i];

        printf("      %-24s %-8s %s\n", row->key, haw_option_type_word(row),
               haw_option_help(cli, row, noun));
    }
}

static void print_kind(haw_cli *cli, const list_args *args, const haw_kind *kind)
{
    haw_entries entries;
    int width = NAME_WIDTH;

    haw_entries_read(cli, kind, &entries);
    /* who asks for keys wants more than the names of their mappings */
    const bool verbose =
        args->common.verbose > 0 || (entries.are_keys && args->common.operand != NULL);

    for (int i = 0; i < entries.count; i++) {
        const int length = (int)strlen(entries.entry[i].name);

        width = length > width ? length : width;
    }
    if (!args->names) {
        printf("%s: %s\n", kind->name, kind->title);
    }
    for (int i = 0; i < entries.count; i++) {
        if (args->names) {
            printf("%s\n", entries.entry[i].name);
        } else {
            print_entry(cli, &entries.entry[i], entries.are_keys ? entries.entry[i].summary : NULL,
                        width, verbose);
        }
    }
}

static void write_limit(haw_json *json, const char *key, double limit)
{
    haw_json_number(json, key, fabs(limit) < 1e300 ? limit : (double)NAN);
}

static void write_option(haw_cli *cli, haw_json *json, const haw_option *row, const char *noun)
{
    haw_json_open(json, NULL, '{');
    haw_json_text(json, "key", row->key);
    haw_json_text(json, "type", haw_option_type_word(row));
    if (row->type == HAW_OPTION_REAL || row->type == HAW_OPTION_INT ||
        row->type == HAW_OPTION_VECTOR) {
        haw_json_number(json, "default", haw_option_is_required(row) ? (double)NAN : row->preset);
        write_limit(json, "min", row->min);
        write_limit(json, "max", row->max);
    } else if (row->type == HAW_OPTION_BOOL) {
        haw_json_flag(json, "default", row->preset > 0.0);
    } else {
        const char *preset = haw_option_preset_text(cli, row);

        haw_json_text(json, "default", preset[0] != '\0' ? preset : NULL);
    }
    haw_json_text(json, "unit", row->unit);
    haw_json_text(json, "help", row->help);
    if (noun != NULL) {
        haw_json_integer(json, "dimension", haw_key_dimension(row->flags));
        haw_json_flag(json, "required", haw_option_is_required(row));
        haw_json_text(json, "example", haw_option_example(cli, row, noun));
    }
    if (row->choices != NULL && row->type != HAW_OPTION_STRING) {
        haw_json_texts(json, "choices", haw_words_count(row->choices), row->choices);
    }
    haw_json_close(json, '}');
}

static void write_kind(haw_cli *cli, haw_json *json, const haw_kind *kind)
{
    haw_entries entries;

    haw_entries_read(cli, kind, &entries);
    haw_json_open(json, kind->name, '[');
    for (int i = 0; i < entries.count; i++) {
        const haw_row *entry = &entries.entry[i];

        haw_json_open(json, NULL, '{');
        haw_json_text(json, "name", entry->name);
        haw_json_text(json, "summary", entry->summary);
        haw_json_text(json, "source", entry->source);
        haw_json_open(json, "options", '[');
        for (int k = 0; k < haw_options_count(entry->options); k++) {
            write_option(cli, json, &entry->options[k], entries.are_keys ? entry->summary : NULL);
        }
        haw_json_close(json, ']');
        haw_json_close(json, '}');
    }
    haw_json_close(json, ']');
}

enum { TRIED_STEPS = 20 };

/* What runs with what, a line for each cell, with the reason where it does not. */
static int list_combinations(haw_cli *cli, const list_args *args)
{
    haw_json *json = cli->json ? haw_cli_answer(cli) : NULL;
    haw_cell cell;
    int wrong = 0;

    if (json != NULL) {
        haw_json_open(json, "combinations", '[');
    }
    for (int i = 0; haw_cell_at(i, &cell); i++) {
        const bool runs = haw_cell_run(cli->context, &cell, 0) == HAW_OK;
        const char *why = runs ? "" : haw_cli_format(cli, "%s", haw_context_message(cli->context));

        if (args->attempt && (haw_cell_run(cli->context, &cell, TRIED_STEPS) == HAW_OK) != runs) {
            wrong++;
            fprintf(stderr, "%s %s %s %s: the table says %s; %s\n", cell.element->name,
                    cell.stepper->name, cell.law->name, haw_cell_form(&cell),
                    runs ? "runs" : "refused", haw_context_message(cli->context));
        }
        if (json != NULL) {
            haw_json_open(json, NULL, '{');
            haw_json_text(json, "element", cell.element->name);
            haw_json_integer(json, "dimension", cell.dimension);
            haw_json_text(json, "stepper", cell.stepper->name);
            haw_json_text(json, "law", cell.law->name);
            haw_json_text(json, "form", haw_cell_form(&cell));
            haw_json_flag(json, "runs", runs);
            haw_json_text(json, "reason", runs ? NULL : why);
            haw_json_close(json, '}');
        } else {
            printf("%-13s %d %-17s %-8s %-12s %s%s\n", cell.element->name, cell.dimension,
                   cell.stepper->name, cell.law->name, haw_cell_form(&cell),
                   runs ? "runs" : "refused: ", why);
        }
    }
    if (json != NULL) {
        haw_json_close(json, ']');
        haw_json_close(json, '}');
    }
    return wrong == 0 ? HAW_EXIT_DONE : HAW_EXIT_ENDED;
}

/* The rows of one kind, or of all. */
static void list_rows(haw_cli *cli, const list_args *args, const haw_kind *only)
{
    haw_json *json = cli->json ? haw_cli_answer(cli) : NULL;

    for (const haw_kind *kind = haw_kinds; kind->name != NULL; kind++) {
        if (only != NULL && kind != only) {
            continue;
        }
        if (json != NULL) {
            write_kind(cli, json, kind);
        } else {
            print_kind(cli, args, kind);
        }
    }
    if (json != NULL) {
        haw_json_close(json, '}');
    }
}

static int run(haw_cli *cli, const void *options)
{
    enum { KINDS_MAX = 32 };

    const char *names[KINDS_MAX] = {"combinations"};
    int count = 1;
    const list_args *args = options;
    const char *word = args->common.operand;

    if (word != NULL && strcmp(word, "combinations") == 0) {
        return list_combinations(cli, args);
    }
    const haw_kind *only = word != NULL ? haw_kind_find(word) : NULL;

    for (const haw_kind *kind = haw_kinds; kind->name != NULL; kind++) {
        names[count++] = kind->name;
    }
    if (word != NULL && only == NULL) {
        return haw_cli_unknown(cli, "list", word, count, names, "hawser list --help");
    }
    if (args->man) {
        haw_manual_write(cli, stdout);
    } else if (args->completion) {
        haw_completion_write(cli, stdout);
    } else if (args->markdown) {
        haw_keys_write(cli, stdout);
    } else {
        list_rows(cli, args, only);
    }
    return HAW_EXIT_DONE;
}

static const haw_arg rows[] = {
    {"names", 0, HAW_ARG_FLAG, offsetof(list_args, names), NULL, "names only, one per line"},
    {"man", 0, HAW_ARG_FLAG, offsetof(list_args, man), NULL, "write the manual page (roff)"},
    {"completion", 0, HAW_ARG_FLAG, offsetof(list_args, completion), NULL,
     "write the completion script for bash"},
    {"markdown", 0, HAW_ARG_FLAG, offsetof(list_args, markdown), NULL,
     "write the reference of the keys of a scenario (Markdown)"},
    {"try", 0, HAW_ARG_FLAG, offsetof(list_args, attempt), NULL,
     "combinations: take 20 steps of each; exit with 1 if the table is wrong"},
    {NULL, 0, HAW_ARG_FLAG, 0, NULL, NULL},
};

const haw_command haw_command_list = {
    .name = "list",
    .summary = "List elements, shapes, laws, solvers, steppers, theories, probes, keys, scenarios",
    .operand = "KIND",
    .details = "Without KIND all lists are shown; keys shows every key of a scenario. -v adds the "
               "source of each row and its options "
               "with type, unit, default and range.\n\ncombinations: a line for each element, "
               "dimension, stepper, law and form of the cable, with the reason where the model or "
               "the stepper refuses it.",
    .example = {"hawser list solvers -v", "hawser list --man > hawser.1"},
    .args = rows,
    .options_size = sizeof(list_args),
    .run = run,
};
