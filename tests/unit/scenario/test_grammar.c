/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of the grammar itself, and its three users on a tree that no YAML library made. */
#include "scenario/grammar.h"
#include "support/log.h"
#include "support/near.h"

#include <stdio.h>
#include <string.h>

/* ---- the grammar of scenarios ---- */

static void check_row(const haw_mapping *mapping, const haw_option *row, const char *schema)
{
    char key[64];
    const char *dot = strchr(row->key, '.');
    assert_true(strlen(row->help) > 0);
    assert_false((row->flags & HAW_KEY_PLANE) != 0 && (row->flags & HAW_KEY_SPACE) != 0);
    assert_ptr_equal(haw_mapping_row(mapping, row->key), row); /* no row of the same key before */
    (void)snprintf(key, sizeof key, "\"%s\": {", dot != NULL ? dot + 1 : row->key);
    assert_non_null(strstr(schema, key));
}

static int check_mapping(haw_context *context, const haw_mapping *mapping);

/* What a form is made of, as far as it leads to other mappings. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static int check_form(haw_context *context, const haw_key *key)
{
    assert_true(key->form->describe != NULL || key->form->schema != NULL);
    const bool is_told = (key->flags & HAW_KEY_REQUIRED) != 0; /* who needs it reads it */
    assert_true(key->form->read != NULL || key->form->write != NULL || is_told);
    const haw_mapping *inner[3];
    int count = 0;
    haw_key_inner(key, inner);
    for (int i = 0; inner[i] != NULL; ++i) {
        count += check_mapping(context, inner[i]);
    }
    return count;
}

/* Keys that are named in a rule exist. */
static void check_names(const haw_mapping *mapping, const char *list)
{
    char word[HAW_KEY_SIZE];
    haw_members members;
    haw_mapping_members(mapping, &members);
    while (haw_key_next(&list, word)) {
        if (haw_members_find(&members, word) == NULL && haw_mapping_row(mapping, word) == NULL) {
            fail_msg("%s has no key '%s'", mapping->noun, word);
        }
    }
}

/* @return the mappings that it leads to, itself among them */
/* NOLINTNEXTLINE(misc-no-recursion) */
static int check_mapping(haw_context *context, const haw_mapping *mapping)
{
    haw_text text = {.context = context};
    int count = 1;
    haw_describe_mapping(&text, mapping);
    assert_false(text.failed);
    assert_true(strlen(mapping->noun) > 0);
    check_names(mapping, mapping->needs[0]);
    check_names(mapping, mapping->needs[1]);
    for (const haw_key *key = mapping->keys; !haw_key_is_end(key); ++key) {
        if (key->key != NULL) {
            char name[64];
            (void)snprintf(name, sizeof name, "\"%s\": {", key->key);
            assert_ptr_equal(haw_mapping_find(mapping, key->key), key);
            check_names(mapping, key->key);
            check_names(mapping, key->needs);
            check_names(mapping, key->excludes);
            if (key->form != NULL) {
                assert_true(key->help != NULL || haw_mapping_row(mapping, key->key) != NULL);
                assert_non_null(strstr(text.data, name));
                count += check_form(context, key);
            }
            continue;
        }
        for (const haw_option *row = key->of; row->key != NULL; ++row) {
            check_row(mapping, row, text.data);
        }
    }
    haw_text_free(context, text.data);
    return count;
}

static void every_key_is_described_and_stands_once(void **state)
{
    haw_part part[HAW_PARTS_MAX];
    assert_true(check_mapping(*state, &haw_mapping_scenario) >= 20);
    assert_true(haw_scenario_parts(part) < HAW_PARTS_MAX); /* more would be left out */
}

/* ---- a toy mapping ---- */

typedef struct toy {
    double size;
    int count;
    const char *name;
    double low, high; /* range.low, range.high */
    haw_function load, pull;
    bool quiet;
} toy;

#define AT(field) offsetof(toy, field)
static const haw_option toy_options[] = {
    {"size", HAW_OPTION_REAL, AT(size), 2.0, 0.0, 10.0, "m", "its size", NULL},
    {"count", HAW_OPTION_INT, AT(count), 0.0, 1.0, 9.0, "", "required", NULL},
    {"name", HAW_OPTION_STRING, AT(name), 0.0, 0.0, 0.0, "", "text", NULL, HAW_KEY_SPACE},
    {"range.low", HAW_OPTION_REAL, AT(low), 0.5, 0.0, 1.0, "", "lower", NULL},
    {"range.high", HAW_OPTION_REAL, AT(high), 1.0, 0.0, 1.0, "", "upper", NULL},
    {0}};
static const haw_key toy_keys[] = {
    {.of = toy_options},
    {"load", &haw_form_function, AT(load), .also = "weight|true"},
    {"pull", &haw_form_function, AT(pull), .needs = "size|name", .excludes = "load|range",
     .absent = HAW_ABSENT_TRUE, .asks = AT(quiet)},
    {NULL},
};
#undef AT
static const haw_mapping toy_mapping = {"a toy", toy_keys, .needs = {"load|pull"}};

enum { NODES = 16 };

/* Nodes of a --set, whose errors need no file. */
typedef struct tree {
    haw_yaml_node node[NODES], key[NODES];
    int used;
} tree;

static haw_yaml_node *put(tree *t, haw_yaml_node *parent, const char *key, const char *text)
{
    haw_yaml_node *node = &t->node[t->used], *name = &t->key[t->used++];
    assert_true(t->used <= NODES);
    *name = (haw_yaml_node){.kind = HAW_YAML_SCALAR, .plain = true, .text = key};
    *node = (haw_yaml_node){.kind = text != NULL ? HAW_YAML_SCALAR : HAW_YAML_MAPPING,
                            .plain = true,
                            .text = text,
                            .key = name};
    if (parent != NULL) {
        haw_yaml_append(parent, node);
    }
    return node;
}

/* Read a tree; what was said of it is in the log. */
static int read_toy(haw_context *context, heard *log, const haw_yaml_node *root, toy *made)
{
    static const char *const set[] = {"toy={}"};
    haw_scenario scenario = {.scene = {.dimension = 2}};
    haw_arena arena;
    haw_arena_init(&arena, context);
    haw_reader reader = {.arena = &arena, .scenario = &scenario};
    reader.yaml = (haw_yaml){.context = context, .file = "toy", .sets = 1, .set = set};
    *log = (heard){0};
    haw_context_set_log(context, hear, log);
    haw_mapping_init(&toy_mapping, made);
    haw_read_mapping(&reader, root, &toy_mapping, made);
    haw_arena_fini(&arena);
    return reader.yaml.errors;
}

static void a_mapping_is_read_written_and_described(void **state)
{
    tree t = {.used = 0};
    heard log;
    toy made = {0};
    haw_yaml_node *root = put(&t, NULL, "toy", NULL);
    put(&t, root, "count", "3");
    put(&t, put(&t, root, "range", NULL), "high", "0.75");
    put(&t, root, "load", "4");
    assert_int_equal(read_toy(*state, &log, root, &made), 0);
    assert_near(made.size, 2, 0, 0);
    assert_int_equal(made.count, 3);
    assert_near(made.low, 0.5, 0, 0);
    assert_near(made.high, 0.75, 0, 0);
    assert_near(made.load.constant, 4, 0, 0);

    made.quiet = true;
    haw_resolve out = {.text = {.context = *state}, .dimension = 2};
    haw_resolve_mapping(&out, &toy_mapping, &made);
    assert_string_equal(out.text.data,
                        "size: 2.0\ncount: 3\nrange: {low: 0.5, high: 0.75}\nload: 4.0\n");
    haw_text_free(*state, out.text.data);

    haw_text schema = {.context = *state};
    haw_describe_mapping(&schema, &toy_mapping);
    assert_non_null(strstr(schema.data, "\"required\": [\"count\"]"));
    assert_non_null(strstr(schema.data, "{\"anyOf\": [{\"required\": [\"load\"]}, {\"required\": "
                                        "[\"pull\"]}]}, {"));
    assert_non_null(strstr(schema.data, "{\"not\": {\"required\": [\"load\", \"pull\"]}}"));
    assert_non_null(strstr(schema.data,
                           "{\"if\": {\"required\": [\"pull\"]}, \"then\": {\"anyOf\": "
                           "[{\"required\": [\"size\"]}, {\"required\": [\"name\"]}]}}"));
    assert_non_null(strstr(schema.data, "\"range\": {\"type\": \"object\""));
    assert_non_null(strstr(schema.data, "\"load\": {\"$ref\": \"#/$defs/function\"}"));
    haw_text_free(*state, schema.data);
}

static void every_error_of_a_mapping_is_told(void **state)
{
    tree t = {.used = 0};
    heard log;
    toy made = {0};
    haw_yaml_node *root = put(&t, NULL, "toy", NULL);
    put(&t, root, "siz", "3");
    put(&t, root, "size", "11");
    put(&t, root, "name", "x");
    put(&t, put(&t, root, "range", NULL), "high", "2");
    put(&t, root, "load", "much");
    assert_int_equal(read_toy(*state, &log, root, &made), 6);
    assert_non_null(strstr(log.text, "unknown key 'siz' in a toy; did you mean 'size'?"));
    assert_non_null(strstr(log.text, "'size' must be between 0 and 10 m (got 11)"));
    assert_non_null(strstr(log.text, "'name' needs dimension: 3"));
    assert_non_null(strstr(log.text, "'range.high' must be between 0 and 1 (got 2)"));
    assert_non_null(strstr(log.text, "missing required key 'count' in a toy"));
    assert_non_null(strstr(log.text, "'load' must be a number (got 'much')"));
}

static void keys_say_what_they_need_and_exclude(void **state)
{
    tree t = {.used = 0};
    heard log;
    toy made = {0};
    haw_yaml_node *root = put(&t, NULL, "toy", NULL);
    put(&t, root, "count", "3");
    assert_int_equal(read_toy(*state, &log, root, &made), 1);
    assert_non_null(strstr(log.text, "missing required key 'load' (or 'pull') in a toy"));
    put(&t, root, "size", "2.0"); /* the preset: as if it were not there */
    put(&t, root, "pull", "4");
    assert_int_equal(read_toy(*state, &log, root, &made), 1); /* `name` is for space only */
    assert_non_null(strstr(log.text, "missing required key 'size', needed by 'pull'"));
    put(&t, root, "load", "1");
    put(&t, put(&t, root, "range", NULL), "high", "0.5");
    assert_int_equal(read_toy(*state, &log, root, &made), 3);
    assert_non_null(strstr(log.text, "'load' and 'pull' exclude each other"));
    assert_non_null(strstr(log.text, "'range' and 'pull' exclude each other"));
}

static void older_spellings_are_read(void **state)
{
    static const char *const spelling[] = {"load", "weight", "true"};
    heard log;
    for (size_t i = 0; i < sizeof spelling / sizeof *spelling; ++i) {
        tree t = {.used = 0};
        toy made = {0};
        haw_yaml_node *root = put(&t, NULL, "toy", NULL);
        put(&t, root, "count", "3");
        put(&t, root, spelling[i], "7");
        assert_int_equal(read_toy(*state, &log, root, &made), 0);
        assert_near(made.load.constant, 7, 0, 0);
    }
    tree t = {.used = 0};
    toy made = {0};
    haw_yaml_node *root = put(&t, NULL, "toy", NULL);
    put(&t, root, "count", "3");
    put(&t, root, "load", "1");
    put(&t, root, "weight", "2");
    assert_int_equal(read_toy(*state, &log, root, &made), 2);
    assert_non_null(strstr(log.text, "'weight' is an older spelling of 'load'; remove one"));
}

static int make_context(void **state)
{
    haw_context *context = NULL;
    const haw_status status = haw_context_create(NULL, &context);
    *state = context;
    return status == HAW_OK ? 0 : -1;
}

static int free_context(void **state)
{
    haw_context_free(*state);
    return 0;
}

TEST_FILE(test_grammar)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_described_and_stands_once),
        cmocka_unit_test(a_mapping_is_read_written_and_described),
        cmocka_unit_test(every_error_of_a_mapping_is_told),
        cmocka_unit_test(keys_say_what_they_need_and_exclude),
        cmocka_unit_test(older_spellings_are_read),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
