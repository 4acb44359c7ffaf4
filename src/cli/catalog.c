/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/catalog.h"

#include "cable/reeving.h"
#include "cli/shipped.h"
#include "element/element.h"
#include "element/space.h"
#include "law/law.h"
#include "observe/probe.h"
#include "scenario/grammar.h"
#include "scenario/reader.h"
#include "shape/surface.h"

#include <hawser/hawser.h>

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

static haw_row *reserve(haw_cli *cli, int count, haw_entries *entries)
{
    haw_row *entry = haw_cli_allocate(cli, (size_t)count + 1, sizeof *entry);

    *entries = (haw_entries){.count = count, .entry = entry};
    return entry;
}

static haw_row *read_rows(haw_cli *cli, const haw_row *const *table, haw_entries *entries)
{
    const int count = haw_row_count(table);
    haw_row *entry = reserve(cli, count, entries);

    for (int i = 0; i < count; i++) {
        entry[i] = *table[i];
    }
    return entry;
}

/* Parameters of compliant laws are keys of a contact: of each law those that it reads. */
static const haw_option *options_of(haw_cli *cli, const char *const *keys)
{
    const int count = haw_words_count(keys);
    int kept = 0;

    haw_option *options = haw_cli_allocate(cli, (size_t)count + 1, sizeof *options);

    for (int i = 0; i < count; i++) {
        const haw_option *row = haw_options_find(haw_contact_options, keys[i]);

        if (row != NULL) {
            options[kept++] = *row;
        }
    }
    return options;
}

static void read_laws(haw_cli *cli, const haw_kind *kind, haw_entries *entries)
{
    haw_row *entry = read_rows(cli, kind->table, entries);

    for (int i = 0; i < entries->count; i++) {
        const haw_row *law = kind->table[i];

        entry[i].options =
            options_of(cli, kind->table == haw_normal_laws ? ((const haw_normal_ops *)law)->keys
                                                           : ((const haw_friction_ops *)law)->keys);
    }
}

/* A list "a|b" of keys behind the help of another, as in "; needs a or b". */
static const char *add_keys(haw_cli *cli, const char *text, const char *what, const char *list)
{
    char word[HAW_KEY_SIZE];

    for (int i = 0; haw_key_next(&list, word); i++) {
        text = haw_cli_format(cli, "%s%s %s", text, i > 0 ? " or" : what, word);
    }
    return text;
}

static const char *key_help(haw_cli *cli, const haw_key *key, const char *help)
{
    if (key->form != NULL && key->form->is_name) {
        const char *words[HAW_WORDS_MAX];
        char all[512];

        haw_names_list(key->of, 0, words);
        haw_words_join(words, sizeof all, all);
        help = haw_cli_format(cli, "%s; one of %s", help, all);
    }
    help = add_keys(cli, help, "; needs", key->needs);
    help = add_keys(cli, help, "; not beside", key->excludes);
    return add_keys(cli, help, "; formerly", key->also);
}

/* Rows of its tables, then values that are more than a row: what they are instead of a type. */
static haw_option *read_mapping(haw_cli *cli, const haw_mapping *mapping, haw_option *to)
{
    for (const haw_key *key = mapping->keys; !haw_key_is_end(key); key++) {
        const bool is_foreign =
            key->absent == HAW_ABSENT_ALWAYS; /* listed where it has a meaning */
        const haw_option *rows = key->key == NULL && !is_foreign ? key->of : NULL;

        for (; rows != NULL && rows->key != NULL; rows++) {
            const haw_key *more = haw_mapping_find(mapping, rows->key);

            *to = *rows;
            to++->help = more != NULL ? key_help(cli, more, rows->help) : rows->help;
        }
        if (key->key != NULL && haw_mapping_row(mapping, key->key) == NULL) {
            const char *kind = key->form != NULL ? key->form->word : NULL;
            const char *const words[] = {kind != NULL ? kind : "mapping", NULL};
            const char **word = haw_cli_allocate(cli, 2, sizeof *word);

            memcpy(word, words, sizeof words);
            *to++ = (haw_option){.key = key->key,
                                 .type = HAW_OPTION_STRING,
                                 .unit = key->unit != NULL ? key->unit : "",
                                 .help = key_help(cli, key, key->help),
                                 .choices = word,
                                 .flags = key->flags};
        }
    }
    return to;
}

static void read_keys(haw_cli *cli, const haw_kind *kind, haw_entries *entries)
{
    enum { KEYS_MAX = 100 };

    haw_part part[HAW_PARTS_MAX];
    const int count = haw_scenario_parts(part);

    (void)kind;
    haw_row *entry = reserve(cli, count, entries);

    entries->are_keys = true;
    for (int i = 0; i < count; i++) {
        haw_option *options = haw_cli_allocate(cli, KEYS_MAX, sizeof *options);
        haw_typed_mapping *made = haw_cli_allocate(cli, 1, sizeof *made);
        const haw_mapping *mapping = part[i].mapping;
        const char *name = part[i].name;

        if (mapping == NULL) {
            haw_typed_make(part[i].typed, part[i].row, made);
            mapping = &made->mapping;
            name = haw_cli_format(cli, "%s.%s", name, part[i].row->name);
        }
        const haw_option *end = read_mapping(cli, mapping, options);

        assert(end - options < KEYS_MAX);
        (void)end;
        /* the first key, `type`, stands for all of a row */
        options[0].flags |= part[i].flags;
        entry[i] = (haw_row){name, haw_cli_format(cli, "%s", mapping->noun), "", options, 0};
    }
}

/* Quantities that models of a dimension have. */
static void read_probes(haw_cli *cli, const haw_kind *kind, haw_entries *entries)
{
    const int dimension = strcmp(kind->name, "probes") == 0 ? 2 : 3;
    haw_row *entry = reserve(cli, haw_row_count(haw_probes), entries);

    entries->count = 0;
    for (int i = 0; haw_probes[i] != NULL; i++) {
        if (haw_probe_row_size(haw_probes[i], dimension) > 0) {
            entry[entries->count++] = *haw_probes[i];
        }
    }
}

/* ---- scenarios that come with the program ---- */

const char *haw_shipped_text(const char *name)
{
    const haw_shipped *own = haw_shipped_all;

    while (own->name != NULL && strcmp(own->name, name) != 0) {
        own++;
    }
    return own->text;
}

/* Name and title of one kind: the text behind "title:", one line. */
static void read_shipped(haw_cli *cli, const haw_kind *kind, haw_entries *entries)
{
    int count = 0;

    for (const haw_shipped *own = haw_shipped_all; own->name != NULL; own++) {
        count += strcmp(own->kind, kind->name) == 0 ? 1 : 0;
    }
    haw_row *entry = reserve(cli, count, entries);

    for (const haw_shipped *own = haw_shipped_all; own->name != NULL; own++) {
        const char *found = strstr(own->text, "\ntitle: ");
        const char *title = found != NULL ? found + strlen("\ntitle: ") : "";

        if (strcmp(own->kind, kind->name) == 0) {
            *entry++ =
                (haw_row){.name = own->name,
                          .summary = haw_cli_format(cli, "%.*s", (int)strcspn(title, "\n"), title),
                          .source = ""};
        }
    }
}

const char **haw_shipped_names(haw_cli *cli, int *count)
{
    for (*count = 0; haw_shipped_all[*count].name != NULL;) {
        ++*count;
    }
    const char **names = haw_cli_allocate(cli, (size_t)*count, sizeof *names);

    for (int i = 0; i < *count; i++) {
        names[i] = haw_shipped_all[i].name;
    }
    return names;
}

/* ---- all kinds ---- */

void haw_entries_read(haw_cli *cli, const haw_kind *kind, haw_entries *entries)
{
    if (kind->read != NULL) {
        kind->read(cli, kind, entries);
    } else {
        (void)read_rows(cli, kind->table, entries);
    }
}

const haw_kind haw_kinds[] = {
    {"elements", "Cable elements in the plane; those of space: space-elements", "", true,
     haw_elements, NULL},
    {"cables", "Kinds of cables", "", true, haw_cables, NULL},
    {"space-elements", "Cable elements in space; those of the plane: elements", "", true,
     haw_space_elements, NULL},
    {"shapes", "Shapes of bodies in the plane; those of space: surfaces", "", true, haw_shapes,
     NULL},
    {"surfaces", "Shapes of bodies in space; those of the plane: shapes", "", true, haw_surfaces,
     NULL},
    {"laws", "Contact laws", "", true, haw_laws, NULL},
    {"normal-laws", "Normal laws of compliant contact", "", true, haw_normal_laws, read_laws},
    {"friction-laws", "Friction laws of compliant contact", "", true, haw_friction_laws, read_laws},
    {"solvers", "Solvers of the contact problem", "", true, haw_solvers, NULL},
    {"steppers", "Time-steppers", "", true, haw_steppers, NULL},
    {"theories", "Closed forms", "--", true, haw_theories, NULL},
    {"probes", "Probes of plane models; those of space: space-probes", "", true, NULL, read_probes},
    {"space-probes", "Probes of spatial models; those of the plane: probes", "", true, NULL,
     read_probes},
    {"keys", "Keys of a scenario", "", true, NULL, read_keys},
    {"scenarios", "Scenarios that come with the program", "", false, NULL, read_shipped},
    {"templates", "Scenarios to start from", "", false, NULL, read_shipped},
    {NULL, NULL, NULL, false, NULL, NULL},
};

const haw_kind *haw_kind_find(const char *name)
{
    for (const haw_kind *kind = haw_kinds; kind->name != NULL; kind++) {
        if (strcmp(kind->name, name) == 0) {
            return kind;
        }
    }
    return NULL;
}

/* ---- option rows in words, for lists and the manual ---- */

int haw_options_count(const haw_option *options)
{
    int count = 0;

    while (options != NULL && options[count].key != NULL) {
        count++;
    }
    return count;
}

const char *haw_option_type_word(const haw_option *option)
{
    static const char *const words[] = {
        [HAW_OPTION_REAL] = "number",  [HAW_OPTION_INT] = "integer",
        [HAW_OPTION_BOOL] = "boolean", [HAW_OPTION_CHOICE] = "choice",
        [HAW_OPTION_STRING] = "text",  [HAW_OPTION_VECTOR] = "vector"};

    /* a value that is more than a text says what it is */
    return option->type == HAW_OPTION_STRING && option->choices != NULL ? option->choices[0]
                                                                        : words[option->type];
}

const char *haw_option_preset_text(haw_cli *cli, const haw_option *option)
{
    switch (option->type) {
    case HAW_OPTION_STRING:
        return "";
    case HAW_OPTION_BOOL:
        return option->preset > 0.0 ? "true" : "false";
    case HAW_OPTION_CHOICE:
        return option->choices[(int)option->preset];
    case HAW_OPTION_REAL:
    case HAW_OPTION_INT:
    case HAW_OPTION_VECTOR:
        break;
    }
    if (haw_option_is_required(option)) {
        return "";
    }
    if (isnan(option->preset)) {
        return option->choices != NULL ? option->choices[0] : "";
    }
    return haw_cli_format(cli, option->type == HAW_OPTION_VECTOR ? "[%.10g, %.10g]" : "%.10g",
                          option->preset, option->preset);
}

/* "> 0", ">= 1", "" for one limit. */
static const char *limit_text(haw_cli *cli, const char *sign, const haw_limit *limit)
{
    return limit->given ? haw_cli_format(cli, "%s%s %s", sign, limit->open ? "" : "=", limit->text)
                        : "";
}

const char *haw_option_range(haw_cli *cli, const haw_option *option)
{
    const haw_limit min = haw_option_limit(option, option->min);
    const haw_limit max = haw_option_limit(option, option->max);

    if (option->type == HAW_OPTION_CHOICE) {
        char words[512];

        haw_words_join(option->choices, sizeof words, words);
        return haw_cli_format(cli, "%s", words);
    }
    if (option->type == HAW_OPTION_STRING || option->type == HAW_OPTION_BOOL) {
        return "";
    }
    return haw_cli_format(cli, "%s%s%s", limit_text(cli, ">", &min),
                          min.given && max.given ? ", " : "", limit_text(cli, "<", &max));
}

const char *haw_option_example(haw_cli *cli, const haw_option *option, const char *noun)
{
    char text[HAW_EXAMPLE_SIZE];

    haw_key_example(noun, option->key, option, text);
    return haw_cli_format(cli, "%s", text);
}

const char *haw_option_help(haw_cli *cli, const haw_option *option, const char *noun)
{
    static const char *const only[] = {"", "", "; plane only", "; space only"};
    const char *text = option->help, *preset = haw_option_preset_text(cli, option);
    const char *range = haw_option_range(cli, option);

    if (option->unit[0] != '\0') {
        text = haw_cli_format(cli, "%s [%s]", text, option->unit);
    }
    if (preset[0] != '\0') {
        text = haw_cli_format(cli, "%s; default %s", text, preset);
    }
    if (range[0] != '\0') {
        text = haw_cli_format(cli, "%s; %s", text, range);
    }
    if (noun == NULL) {
        return text;
    }
    const char *example = haw_option_example(cli, option, noun);

    return haw_cli_format(cli, "%s%s%s%s%s", text, only[haw_key_dimension(option->flags)],
                          haw_option_is_required(option) ? "; required" : "",
                          example[0] != '\0' ? "; e.g. " : "", example);
}
