/* SPDX-License-Identifier: BSD-3-Clause */
/* libfyaml documents to trees, aliases by copies. Tags are refused: the format has no use for them.
 */
#include "scenario/yaml.h"

#include <errno.h>
#include <libfyaml.h>
#include <stdio.h>
#include <string.h>

enum {
    POOL_NODES = 32,
    KEYS_MAX = 256,
    ALIAS_DEPTH_MAX = 16,
    ALIAS_NODES_MAX = 100000,
    VALUES_MAX = 1000000
};

/* One parsed text; kept to the end, as it owns the texts of the nodes. */
typedef struct haw_yaml_source {
    struct fy_diag *diag;
    struct fy_parser *parser;
    struct fy_document *document;
    struct haw_yaml_source *older;
} haw_yaml_source;

void haw_yaml_init(haw_yaml *yaml, haw_context *context, const char *file, const char *text)
{
    *yaml = (haw_yaml){.context = context, .file = file, .text = text};
    haw_arena_init(&yaml->arena, context);
    errno = 0; /* see count_error */
}

void haw_yaml_fini(haw_yaml *yaml)
{
    for (haw_yaml_source *source = yaml->source; source != NULL; source = source->older) {
        if (source->document != NULL) {
            fy_parse_document_destroy(source->parser, source->document);
        }
        if (source->parser != NULL) {
            fy_parser_destroy(source->parser);
        }
        fy_diag_destroy(source->diag);
    }
    haw_arena_fini(&yaml->arena);
    yaml->source = NULL;
}

/* ---- the YAML library's own errors ---- */

static struct fy_diag_error *last_error(struct fy_diag *diag, int *count)
{
    struct fy_diag_error *last = NULL;
    void *position = NULL;
    *count = 0;
    for (;;) {
        struct fy_diag_error *error = fy_diag_errors_iterate(diag, &position);
        if (error == NULL) {
            return last;
        }
        last = error;
        ++*count;
    }
}

/* Messages without a place, such as an unknown version of YAML. */
static void keep_diagnostic(struct fy_diag *diag, void *user, const char *text, size_t length)
{
    (void)diag;
    haw_yaml *yaml = user;
    const char *message = memchr(text, ' ', length); /* behind "[ERR]:" */
    const char *start = message != NULL ? message + 1 : text;
    size_t rest = length - (size_t)(start - text);
    while (rest > 0 && start[rest - 1] == '\n') {
        --rest;
    }
    (void)snprintf(yaml->diagnostic, sizeof yaml->diagnostic, "%.*s",
                   (int)(rest < 150 ? rest : 150), start);
}

static void report_text(haw_yaml *yaml, int set, const char *message)
{
    if (set >= 0) {
        haw_yaml_error_set(yaml, set, "the value is not valid YAML: %s", message);
    } else {
        haw_yaml_error_at(yaml, (haw_yaml_place){0, 0, 1}, message);
    }
}

static void report_syntax(haw_yaml *yaml, haw_yaml_source *source, int set)
{
    void *position = NULL;
    const struct fy_diag_error *error = fy_diag_errors_iterate(source->diag, &position);
    char message[240];
    const char *text = error != NULL ? error->msg : yaml->diagnostic;
    (void)snprintf(message, sizeof message, "%s%s", text[0] != '\0' ? text : "not readable as YAML",
                   strstr(text, "flow sequence") != NULL
                       ? "; in a list a text with brackets needs quotes: [\"rope.position[1:1]\"]"
                       : "");
    if (set >= 0 || error == NULL) {
        report_text(yaml, set, message);
    } else {
        haw_yaml_error_at(yaml, (haw_yaml_place){error->line, error->column, 1}, message);
    }
}

/* Width of a scalar; libfyaml places it behind the opening quote or asterisk. */
static void place_scalar(struct fy_node *node, haw_yaml_place *place)
{
    const size_t length = fy_node_get_scalar_utf8_length(node);
    const enum fy_node_style style = fy_node_get_style(node);
    const bool is_quoted = style == FYNS_SINGLE_QUOTED || style == FYNS_DOUBLE_QUOTED;
    const int before = is_quoted || fy_node_is_alias(node) ? 1 : 0;
    place->width = (int)(length < 1000 ? length : 1000) + before + (is_quoted ? 1 : 0);
    place->column -= before;
}

haw_yaml_place haw_yaml_locate(haw_yaml *yaml, const haw_yaml_node *node)
{
    /* libfyaml 0.7 gives places only inside its reports; a node with empty parts has none. */
    const haw_yaml_node *candidates[3] = {node, node->key, node->first};
    if (node->first != NULL && node->first->key != NULL) {
        candidates[2] = node->first->key;
    }
    haw_yaml_place place = {0, 0, 1};
    struct fy_diag *diag = yaml->source->diag;
    for (int i = 0; i < 3; ++i) {
        int before = 0, after = 0;
        (void)last_error(diag, &before);
        if (candidates[i] == NULL || candidates[i]->origin == NULL ||
            (haw_yaml_is_null(candidates[i]) && !fy_node_is_alias(candidates[i]->origin))) {
            continue;
        }
        fy_diag_node_report(diag, candidates[i]->origin, FYET_ERROR, "here");
        const struct fy_diag_error *error = last_error(diag, &after);
        if (after > before && error->line > 0) {
            place.line = error->line;
            place.column = error->column;
            if (candidates[i]->kind == HAW_YAML_SCALAR) {
                place_scalar(candidates[i]->origin, &place);
            }
            break;
        }
    }
    return place;
}

/* ---- conversion ---- */

haw_yaml_node *haw_yaml_make(haw_yaml *yaml, haw_yaml_kind kind, int set)
{
    if (yaml->pool == NULL || yaml->pool_left == 0) {
        yaml->pool = haw_arena_allocate(&yaml->arena, POOL_NODES, sizeof *yaml->pool);
        if (yaml->pool == NULL) {
            yaml->status = HAW_ERR_NOMEM;
            return NULL;
        }
        yaml->pool_left = POOL_NODES;
    }
    --yaml->pool_left;
    haw_yaml_node *node = yaml->pool++;
    *node = (haw_yaml_node){.kind = kind, .set = set};
    return node;
}

void haw_yaml_append(haw_yaml_node *parent, haw_yaml_node *child)
{
    if (parent->last != NULL) {
        parent->last->next = child;
    } else {
        parent->first = child;
    }
    parent->last = child;
    ++parent->count;
}

static void refuse_extras(haw_yaml *yaml, haw_yaml_node *node)
{
    size_t length = 0;
    if (fy_node_get_tag(node->origin, &length) != NULL) {
        haw_yaml_error(yaml, node, "tags are not part of the format; write the value alone");
    }
}

static haw_yaml_node *convert_scalar(haw_yaml *yaml, struct fy_node *from, int set)
{
    haw_yaml_node *node = haw_yaml_make(yaml, HAW_YAML_SCALAR, set);
    if (node == NULL) {
        return NULL;
    }
    node->origin = from;
    node->text = "";
    node->plain = true;
    if (from == NULL) {
        return node;
    }
    const size_t length = fy_node_get_scalar_length(from);
    const char *text = fy_node_get_scalar0(from);
    if (text == NULL && length > 0) { /* it makes a copy */
        yaml->status = HAW_ERR_NOMEM;
        return NULL;
    }
    node->text = text != NULL ? text : "";
    node->plain = fy_node_get_style(from) == FYNS_PLAIN;
    refuse_extras(yaml, node);
    if (strlen(node->text) != length) {
        haw_yaml_error(yaml, node, "text contains a zero byte");
    }
    return node;
}

/*
 * Depth: libfyaml refuses more than 64 levels. Its own search for duplicate keys takes minutes on
 * a large mapping; here the number of keys is bounded instead.
 */
static haw_yaml_node *convert(haw_yaml *yaml, struct fy_node *from, int set);

static bool convert_list(haw_yaml *yaml, haw_yaml_node *list) /* NOLINT(misc-no-recursion) */
{
    void *position = NULL;
    for (;;) {
        struct fy_node *item = fy_node_sequence_iterate(list->origin, &position);
        if (item == NULL) {
            return true;
        }
        haw_yaml_node *child = convert(yaml, item, list->set);
        if (child == NULL) {
            return false;
        }
        haw_yaml_append(list, child);
    }
}

static bool convert_mapping(haw_yaml *yaml, haw_yaml_node *mapping) /* NOLINT(misc-no-recursion) */
{
    void *position = NULL;
    for (;;) {
        struct fy_node_pair *pair = fy_node_mapping_iterate(mapping->origin, &position);
        if (pair == NULL) {
            return true;
        }
        haw_yaml_node *key = convert(yaml, fy_node_pair_key(pair), mapping->set);
        haw_yaml_node *child = convert(yaml, fy_node_pair_value(pair), mapping->set);
        if (key == NULL || child == NULL) {
            return false;
        }
        if (key->kind != HAW_YAML_SCALAR) {
            haw_yaml_error(yaml, key, "a key must be a word");
            key->kind = HAW_YAML_SCALAR;
            key->text = "";
        }
        if (haw_yaml_get(mapping, key->text) != NULL) {
            haw_yaml_error(yaml, key, "duplicate key '%.40s'", key->text);
        }
        if (mapping->count == KEYS_MAX) {
            haw_yaml_error(yaml, key, "a mapping of more than %d keys", (int)KEYS_MAX);
            return true;
        }
        child->key = key;
        haw_yaml_append(mapping, child);
    }
}

static haw_yaml_node *refuse_alias(haw_yaml *yaml, struct fy_node *alias, int set, const char *why)
{
    haw_yaml_node *node = haw_yaml_make(yaml, HAW_YAML_SCALAR, set);
    if (node != NULL) {
        node->origin = alias;
        node->text = "";
        haw_yaml_error(yaml, node, "%s", why);
    }
    return NULL;
}

/* A copy of what the anchor marks. A few lines could stand for any number of values, or for
 * themselves: both are bounded. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static haw_yaml_node *convert_alias(haw_yaml *yaml, struct fy_node *from, int set)
{
    struct fy_node *anchored = fy_node_resolve_alias(from);
    if (anchored == NULL) {
        return refuse_alias(yaml, from, set, "no value is marked by the anchor of this alias");
    }
    if (yaml->alias_depth == ALIAS_DEPTH_MAX) {
        return refuse_alias(yaml, from, set, "aliases stand within each other too deeply");
    }
    ++yaml->alias_depth;
    haw_yaml_node *node = convert(yaml, anchored, set);
    --yaml->alias_depth;
    return node;
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static haw_yaml_node *convert(haw_yaml *yaml, struct fy_node *from, int set)
{
    if (yaml->alias_depth > 0 && ++yaml->alias_nodes > ALIAS_NODES_MAX) {
        return refuse_alias(yaml, from, set, "the aliases stand for more than 100000 values");
    }
    if (from != NULL && fy_node_is_alias(from)) {
        return convert_alias(yaml, from, set);
    }
    const bool is_list = from != NULL && fy_node_is_sequence(from);
    if (!is_list && (from == NULL || !fy_node_is_mapping(from))) {
        return convert_scalar(yaml, from, set);
    }
    haw_yaml_node *node = haw_yaml_make(yaml, is_list ? HAW_YAML_LIST : HAW_YAML_MAPPING, set);
    if (node == NULL) {
        return NULL;
    }
    node->origin = from;
    const bool done = is_list ? convert_list(yaml, node) : convert_mapping(yaml, node);
    refuse_extras(yaml, node);
    return done ? node : NULL;
}

/* ---- parsing ---- */

static haw_yaml_source *open_source(haw_yaml *yaml, const char *text)
{
    haw_yaml_source *source = haw_arena_allocate(&yaml->arena, 1, sizeof *source);
    if (source == NULL) {
        yaml->status = HAW_ERR_NOMEM;
        return NULL;
    }
    struct fy_diag_cfg messages;
    fy_diag_cfg_default(&messages);
    messages.fp = NULL;
    messages.output_fn = keep_diagnostic;
    messages.user = yaml;
    messages.colorize = false;
    messages.show_type = true;
    source->diag = fy_diag_create(&messages);
    fy_diag_set_collect_errors(source->diag, true);
    const struct fy_parse_cfg settings = {.flags = FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE |
                                                   FYPCF_ALLOW_DUPLICATE_KEYS,
                                          .diag = source->diag};
    source->parser = source->diag != NULL ? fy_parser_create(&settings) : NULL;
    if (source->parser == NULL || fy_parser_set_string(source->parser, text, strlen(text)) != 0) {
        yaml->status = haw_fail(yaml->context, HAW_ERR_NOMEM, "out of memory for the YAML reader");
    }
    source->older = yaml->source;
    yaml->source = source;
    return source;
}

/* libfyaml takes some 440 bytes for a value, however short it is: between values stands a comma, a
 * colon or the end of a line. */
static bool has_room(haw_yaml *yaml, const char *text, int set)
{
    long marks = 0;
    for (const char *c = text; *c != '\0'; ++c) {
        marks += *c == ',' || *c == '\n' || *c == ':';
    }
    if (marks > VALUES_MAX) {
        report_text(yaml, set, "more than a million values; long tables belong into a file");
    }
    return marks <= VALUES_MAX;
}

/* libfyaml may go on with less than there is, and without a word. */
static bool lacks_memory(haw_yaml *yaml)
{
    yaml->status = errno == ENOMEM ? HAW_ERR_NOMEM : yaml->status;
    return errno == ENOMEM;
}

/* In a directive (%...) of bytes that are no text libfyaml goes round for ever. */
haw_yaml_node *haw_yaml_parse(haw_yaml *yaml, const char *text, int set)
{
    if (!haw_yaml_check_bytes(yaml, text, set) || !has_room(yaml, text, set)) {
        return NULL;
    }
    haw_yaml_source *source = open_source(yaml, text);
    if (yaml->status != HAW_OK) {
        return NULL;
    }
    source->document = fy_parse_load_document(source->parser);
    if (source->document == NULL) {
        if (!lacks_memory(yaml) && fy_parser_get_stream_error(source->parser)) {
            report_syntax(yaml, source, set);
        }
        return NULL;
    }
    struct fy_document *second = fy_parse_load_document(source->parser);
    if (second != NULL || fy_parser_get_stream_error(source->parser)) {
        if (second != NULL) {
            fy_parse_document_destroy(source->parser, second);
            report_text(yaml, set, "expected one YAML document, found more");
        } else {
            report_syntax(yaml, source, set);
        }
        return NULL;
    }
    haw_yaml_node *root = convert(yaml, fy_document_root(source->document), set);
    return lacks_memory(yaml) ? NULL : root;
}
