/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One view of all tables of the library: what `hawser list`, the manual page, the completion and
 * the suggestions for misspelt names are made from.
 */
#ifndef HAWSER_CLI_CATALOG_H
#define HAWSER_CLI_CATALOG_H

#include "cli/cli.h"

typedef struct haw_entries {
    int count;
    const haw_row *entry; /* from the arena of the program */
    bool are_keys;        /* of mappings, whose nouns are the summaries */
} haw_entries;

typedef struct haw_kind {
    const char *name; /* as in `hawser list NAME` */
    const char *title;
    const char *dashes; /* before its option keys where the command line takes them */
    bool documented;    /* a section of the manual */
    const haw_row *const *table;
    /* fill in the entries; NULL: the rows of the table as they are */
    void (*read)(haw_cli *cli, const struct haw_kind *kind, haw_entries *entries);
} haw_kind;

/** All kinds; ends with a NULL name. */
extern const haw_kind haw_kinds[];

/** @return NULL if there is none */
const haw_kind *haw_kind_find(const char *name);

void haw_entries_read(haw_cli *cli, const haw_kind *kind, haw_entries *entries);

/** Number of rows of an option table; 0 for NULL. */
int haw_options_count(const haw_option *options);

/** Texts of one option row, from the arena: "number", "0.3" (or "" where it has no default). */
const char *haw_option_type_word(const haw_option *option);
const char *haw_option_preset_text(haw_cli *cli, const haw_option *option);

/** All choices, or the limits of a number: "> 0, <= 1"; "" where there are none. */
const char *haw_option_range(haw_cli *cli, const haw_option *option);

/** A value of the key of a mapping. */
const char *haw_option_example(haw_cli *cli, const haw_option *option, const char *noun);

/**
 * Its help with all that is known of the value: "help [unit]; default 0.3; >= 0"; of the key of a
 * mapping also where it may stand, whether it must, and an example. `noun`: of the mapping, or
 * NULL.
 */
const char *haw_option_help(haw_cli *cli, const haw_option *option, const char *noun);

/** Write hawser(1) with the man macros, from the tables of commands and of the library. */
void haw_manual_write(haw_cli *cli, FILE *out);

/** Write the reference of the keys of a scenario in Markdown. */
void haw_keys_write(haw_cli *cli, FILE *out);

/** Write the completion script for bash, from the same tables. */
void haw_completion_write(haw_cli *cli, FILE *out);

#endif
