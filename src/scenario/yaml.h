/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A YAML text as a tree of our own, with the place of every node. Only yaml.c knows the YAML
 * library. `--set` values are small YAML texts of their own whose nodes remember their origin.
 */
#ifndef HAWSER_SCENARIO_YAML_H
#define HAWSER_SCENARIO_YAML_H

#include "base/arena.h"

typedef enum haw_yaml_kind { HAW_YAML_SCALAR, HAW_YAML_LIST, HAW_YAML_MAPPING } haw_yaml_kind;

typedef struct haw_yaml_node {
    haw_yaml_kind kind;
    bool plain;       /* a scalar without quotes */
    const char *text; /* of a scalar */
    int count;        /* of the children of a list or mapping */
    struct haw_yaml_node *first, *last, *next;
    struct haw_yaml_node *key; /* of an entry of a mapping */
    int set;                   /* index of the --set that it came from, -1: the file */
    void *origin;              /* node of the YAML library; NULL if a --set made it */
} haw_yaml_node;

/* A document and all that is needed to complain about it. */
typedef struct haw_yaml {
    haw_context *context;
    haw_arena arena; /* nodes; the texts belong to the YAML library */
    const char *file, *text;
    int sets;
    const char *const *set;
    haw_yaml_node *root;
    haw_yaml_node *pool; /* nodes not used yet */
    int pool_left;
    int errors;        /* reported so far */
    int alias_depth;   /* aliases that the present node stands in */
    int alias_nodes;   /* nodes that stand in aliases so far */
    int first_line;    /* of the first error in the file, 0 if there is none */
    haw_status status; /* HAW_OK, or ERR_NOMEM for good */
    bool file_missing; /* an error was a file that cannot be read */
    struct haw_yaml_source *source;
    char diagnostic[160]; /* message of the YAML library without a place */
    char last[200];       /* message of the last error of a --set, reported once for all pairs */
    int last_set;
} haw_yaml;

/** `text` must outlive the document. haw_yaml_fini is due even after a failure. */
void haw_yaml_init(haw_yaml *yaml, haw_context *context, const char *file, const char *text);
void haw_yaml_fini(haw_yaml *yaml);

/**
 * Parse the file's text (set -1) or the value of a --set. Syntax errors are reported.
 * @return the root; NULL after errors or if there is no document
 */
haw_yaml_node *haw_yaml_parse(haw_yaml *yaml, const char *text, int set);

/** Line and column of a node of the file, from 1, and its width in characters. */
typedef struct haw_yaml_place {
    int line, column, width;
} haw_yaml_place;

haw_yaml_place haw_yaml_locate(haw_yaml *yaml, const haw_yaml_node *node);

/** Report one error at a node, in the form of a compiler; NULL: in the file as a whole. */
void haw_yaml_error(haw_yaml *yaml, const haw_yaml_node *node, const char *format, ...)
    HAW_PRINTF(3, 4);

/** Report one error at a place of the file; line 0: in the file as a whole. */
void haw_yaml_error_at(haw_yaml *yaml, haw_yaml_place place, const char *message);

/** Report one error of a --set. */
void haw_yaml_error_set(haw_yaml *yaml, int set, const char *format, ...) HAW_PRINTF(3, 4);

/** Report the first byte that texts do not contain, of the file (set -1) or of the value of a
 * --set.
 * @return whether the text is clean */
bool haw_yaml_check_bytes(haw_yaml *yaml, const char *text, int set);

/** Refuse the document: one line with the number of errors; ERR_NOMEM or ERR_IO if that was the
 * reason. */
haw_status haw_yaml_status(haw_yaml *yaml);

/** New node of a --set, NULL without memory. */
haw_yaml_node *haw_yaml_make(haw_yaml *yaml, haw_yaml_kind kind, int set);
void haw_yaml_append(haw_yaml_node *parent, haw_yaml_node *child);

/** Value of a key, NULL if `node` is not a mapping or has no such key. */
haw_yaml_node *haw_yaml_get(const haw_yaml_node *node, const char *key);

/** An empty value, ~ or null. */
bool haw_yaml_is_null(const haw_yaml_node *node);

/** "a list", "a mapping", "nothing" or the quoted text, for messages. Cut to `size` bytes. */
const char *haw_yaml_describe(const haw_yaml_node *node, size_t size, char *text);

#endif
