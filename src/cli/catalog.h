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
} haw_entries;

typedef struct haw_kind {
    const char *name; /* as in `hawser list NAME` */
    const char *title;
    const char *dashes; /* before its option keys where the command line takes them */
    bool documented;    /* a section of the manual */
    const haw_row *const *table;
    void (*read)(haw_cli *cli, haw_entries *entries); /* NULL: the rows of the table as they are */
} haw_kind;

/** All kinds; ends with a NULL name. */
extern const haw_kind haw_kinds[];

/** @return NULL if there is none */
const haw_kind *haw_kind_find(const char *name);

void haw_entries_read(haw_cli *cli, const haw_kind *kind, haw_entries *entries);

/** Room for `count` rows; ends the program without memory. */
haw_row *haw_entries_reserve(haw_cli *cli, int count, haw_entries *entries);

/** Number of rows of an option table; 0 for NULL. */
int haw_options_count(const haw_option *options);

/** Texts of one option row, from the arena: "real", "0.3", ">= 0" (or "" where it has none). */
const char *haw_option_type_word(const haw_option *option);
const char *haw_option_preset_text(haw_cli *cli, const haw_option *option);
const char *haw_option_range_text(haw_cli *cli, const haw_option *option);

#endif
