/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/catalog.h"

#include "cable/reeving.h"
#include "element/element.h"
#include "element/space.h"
#include "law/law.h"
#include "observe/probe.h"
#include "scenario/grammar.h"
#include "scenario/reader.h"
#include "shape/surface.h"

#include <hawser/hawser.h>

#include <assert.h>
#include <dirent.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    help = add_keys(cli, help, "; needs", key->needs);
    help = add_keys(cli, help, "; not beside", key->excludes);
    return add_keys(cli, help, "; formerly", key->also);
}

/* Rows of its tables, then values that are more than a row: what they are instead of a type. */
static haw_option *read_mapping(haw_cli *cli, const haw_mapping *mapping, haw_option *to)
{
    for (const haw_key *key = mapping->keys; !haw_key_is_end(key); key++) {
        const haw_option *rows = key->key == NULL ? key->of : NULL;

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
                                 .unit = "",
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

    for (int i = 0; i < count; i++) {
        haw_option *options = haw_cli_allocate(cli, KEYS_MAX, sizeof *options);

        entry[i] = (haw_row){.name = part[i].name,
                             .summary = haw_cli_format(cli, "keys of %s", part[i].mapping->noun),
                             .source = "",
                             .options = options};
        const haw_option *end = read_mapping(cli, part[i].mapping, options);

        assert(end - options < KEYS_MAX);
        (void)end;
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

enum { SCENARIOS_MAX = 256, LINE_MAX_LENGTH = 512, PROGRAM_PATH_MAX = 4096 };

/* Folder of the running program where the system knows it, else NULL. */
static const char *program_folder(haw_cli *cli)
{
    char path[PROGRAM_PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

    if (length <= 0) {
        return NULL;
    }
    path[length] = '\0';
    char *slash = strrchr(path, '/');

    if (slash == NULL) {
        return NULL;
    }
    *slash = '\0';
    return haw_cli_format(cli, "%s", path);
}

const char *haw_scenarios_folder(haw_cli *cli)
{
    const char *data = getenv("HAWSER_DATA");
    const char *program = program_folder(cli);
    const char *folder[] = {"data/scenarios", NULL, NULL};
    struct stat info;

    if (data != NULL && data[0] != '\0') {
        folder[0] = haw_cli_format(cli, "%s/scenarios", data);
    } else if (program != NULL) {
        folder[1] = haw_cli_format(cli, "%s/../share/hawser/scenarios", program);
        folder[2] = haw_cli_format(cli, "%s/../data/scenarios", program);
    }
    for (int i = 2; i >= 0; i--) {
        if (folder[i] != NULL && stat(folder[i], &info) == 0 && S_ISDIR(info.st_mode)) {
            return folder[i];
        }
    }
    return NULL;
}

/* The text behind "title:" of a scenario; one line, quotes and comments are not expected there. */
static const char *read_title(haw_cli *cli, const char *path)
{
    char line[LINE_MAX_LENGTH];
    const char *title = "";
    FILE *file = fopen(path, "r");

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "title: ", 7) == 0) {
            title = haw_cli_format(cli, "%.*s", (int)strcspn(line + 7, "\n"), line + 7);
            break;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return title;
}

static int by_name(const void *a, const void *b)
{
    const haw_row *left = a;
    const haw_row *right = b;

    return strcmp(left->name, right->name);
}

/* In alphabetical order: name without ending, title, path as the source. */
static void read_scenarios(haw_cli *cli, const haw_kind *kind, haw_entries *entries)
{
    const char *folder = haw_scenarios_folder(cli);
    haw_row *entry = haw_cli_allocate(cli, SCENARIOS_MAX, sizeof *entry);
    DIR *directory = folder != NULL ? opendir(folder) : NULL;
    const struct dirent *file = NULL;
    int count = 0;

    (void)kind;
    while (directory != NULL && count < SCENARIOS_MAX && (file = readdir(directory)) != NULL) {
        const size_t length = strlen(file->d_name);

        if (length > 5 && strcmp(file->d_name + length - 5, ".yaml") == 0) {
            const char *name = haw_cli_format(cli, "%.*s", (int)length - 5, file->d_name);
            const char *path = haw_cli_format(cli, "%s/%s", folder, file->d_name);

            entry[count++] = (haw_row){name, read_title(cli, path), path, NULL, 0};
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
    qsort(entry, (size_t)count, sizeof *entry, by_name);
    *entries = (haw_entries){.count = count, .entry = entry};
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
    {"elements", "Cable elements", "", true, haw_elements, NULL},
    {"cables", "Kinds of cables", "", true, haw_cables, NULL},
    {"space-elements", "Cable elements in space", "", true, haw_space_elements, NULL},
    {"shapes", "Shapes of bodies", "", true, haw_shapes, NULL},
    {"surfaces", "Shapes of bodies in space", "", true, haw_surfaces, NULL},
    {"laws", "Contact laws", "", true, haw_laws, NULL},
    {"normal-laws", "Normal laws of compliant contact", "", true, haw_normal_laws, read_laws},
    {"friction-laws", "Friction laws of compliant contact", "", true, haw_friction_laws, read_laws},
    {"solvers", "Solvers of the contact problem", "", true, haw_solvers, NULL},
    {"steppers", "Time-steppers", "", true, haw_steppers, NULL},
    {"theories", "Closed forms", "--", true, haw_theories, NULL},
    {"probes", "Probes", "", true, NULL, read_probes},
    {"space-probes", "Probes of spatial models", "", true, NULL, read_probes},
    {"keys", "Keys of a scenario", "", true, NULL, read_keys},
    {"scenarios", "Scenarios that come with the program", "", false, NULL, read_scenarios},
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

/* All choices, or the limits of a number: "> 0, <= 1"; "" where there are none. */
static const char *range_text(haw_cli *cli, const haw_option *option)
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

const char *haw_option_help(haw_cli *cli, const haw_option *option)
{
    const char *text = option->help, *preset = haw_option_preset_text(cli, option);
    const char *range = range_text(cli, option);

    if (option->unit[0] != '\0') {
        text = haw_cli_format(cli, "%s [%s]", text, option->unit);
    }
    if (preset[0] != '\0') {
        text = haw_cli_format(cli, "%s; default %s", text, preset);
    }
    return range[0] != '\0' ? haw_cli_format(cli, "%s; %s", text, range) : text;
}
