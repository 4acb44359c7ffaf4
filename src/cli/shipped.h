/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenarios that come with the program; data/embed.sh writes their texts as C. */
#ifndef HAWSER_CLI_SHIPPED_H
#define HAWSER_CLI_SHIPPED_H

struct haw_cli;

typedef struct haw_shipped {
    const char *kind; /* "templates" or "scenarios" */
    const char *name, *text;
} haw_shipped;

/** Sorted by kind and name; ends with a NULL name. */
extern const haw_shipped haw_shipped_all[];

/** The page of `hawser report`. */
extern const char haw_page_text[];

/** Text of the template or scenario of a name, or NULL. */
const char *haw_shipped_text(const char *name);

/** All names, from the arena of the program. */
const char **haw_shipped_names(struct haw_cli *cli, int *count);

#endif
