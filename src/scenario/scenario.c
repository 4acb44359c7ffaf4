/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading a scenario: text, tree, --set, specifications. */
#include "scenario/locale.h"
#include "scenario/reader.h"

#include <string.h>

static const char *const scene_keys[] = {"hawser",  "bodies",  "cables", "contact", "forces",
                                         "springs", "stepper", "solver", "output",  NULL};
const haw_grammar haw_grammar_scene = {"a scenario", haw_scene_options, scene_keys, NULL};

/* `hawser: 1` comes first: nothing else can be judged in an unknown version. */
static bool check_version(haw_reader *reader)
{
    haw_yaml *yaml = &reader->yaml;
    const haw_yaml_node *version = haw_yaml_get(yaml->root, "hawser");
    if (version == NULL) {
        haw_yaml_error(yaml, yaml->root,
                       "missing required key 'hawser' (the version of the format: 'hawser: 1')");
        return false;
    }
    if (version->kind != HAW_YAML_SCALAR || strcmp(version->text, "1") != 0) {
        char text[64];
        haw_yaml_error(yaml, version,
                       "version %s of the scenario format is not known to this hawser (%s), which "
                       "reads version 1",
                       haw_yaml_describe(version, sizeof text, text), haw_version());
        return false;
    }
    return true;
}

/*
 * `dimension` may stand anywhere, but everything else is read by it. @return false after an error,
 * which would lead to many others
 */
static bool read_dimension(haw_reader *reader)
{
    haw_scene *scene = &reader->scenario->scene;
    const haw_yaml_node *node = haw_yaml_get(reader->yaml.root, "dimension");
    const int errors = reader->yaml.errors;
    if (node != NULL) {
        haw_read_option(reader, node, haw_options_find(haw_scene_options, "dimension"), scene);
    }
    return reader->yaml.errors == errors;
}

/*
 * `start: {type: static, ...}`: the tree keeps a word in its place. @return the parts, to be read
 * once all names are known; a scalar if there are none
 */
static haw_yaml_node unwrap_start(haw_reader *reader)
{
    haw_yaml_node *start = haw_yaml_get(reader->yaml.root, "start");
    if (start == NULL || start->kind != HAW_YAML_MAPPING) {
        return (haw_yaml_node){.kind = HAW_YAML_SCALAR};
    }
    const haw_yaml_node parts = *start;
    start->kind = HAW_YAML_SCALAR;
    start->text = "auto";
    start->plain = true;
    return parts;
}

/* Entries of a list at the root; 0 if there is none. */
static int count_entries(haw_reader *reader, const char *key)
{
    const haw_yaml_node *list = haw_yaml_get(reader->yaml.root, key);
    if (list == NULL) {
        return 0;
    }
    if (!haw_read_kind(reader, list, key, HAW_YAML_LIST)) {
        reader->names_lost = true;
        return 0;
    }
    return list->count;
}

typedef struct entries {
    int bodies, cables, contacts, forces, springs;
} entries;

/* Arrays of defaults. The counts grow with the entries read, so that names are checked in order. */
static bool make_scene(haw_reader *reader, const entries *count)
{
    haw_scene *scene = &reader->scenario->scene;
    reader->body = haw_read_allocate(reader, count->bodies, sizeof *reader->body);
    reader->cable = haw_read_allocate(reader, count->cables, sizeof *reader->cable);
    reader->contact = haw_read_allocate(reader, count->contacts, sizeof *reader->contact);
    reader->force = haw_read_allocate(reader, count->forces, sizeof *reader->force);
    reader->spring = haw_read_allocate(reader, count->springs, sizeof *reader->spring);
    scene->body = reader->body;
    scene->cable = reader->cable;
    scene->contact = reader->contact;
    scene->force = reader->force;
    scene->spring = reader->spring;
    return reader->yaml.status == HAW_OK;
}

static const haw_yaml_node *first_entry(const haw_reader *reader, const char *key, int count)
{
    return count > 0 ? haw_yaml_get(reader->yaml.root, key)->first : NULL;
}

/* Bodies and cables first: the others refer to them. */
static void read_owners(haw_reader *reader, const entries *count)
{
    haw_scene *scene = &reader->scenario->scene;
    const haw_yaml_node *entry = first_entry(reader, "bodies", count->bodies);
    for (int i = 0; i < count->bodies; ++i, entry = entry->next) {
        reader->body[i] = haw_body_spec_default();
        scene->bodies = i + 1;
        haw_read_body(reader, entry, &reader->body[i]);
    }
    entry = first_entry(reader, "cables", count->cables);
    for (int i = 0; i < count->cables; ++i, entry = entry->next) {
        reader->cable[i] = haw_cable_spec_default();
        scene->cables = i + 1;
        haw_read_cable(reader, entry, &reader->cable[i]);
    }
    if (count->bodies == 0 && count->cables == 0 && !reader->names_lost) {
        haw_yaml_error(&reader->yaml, reader->yaml.root, "a scenario needs a body or a cable");
    }
}

static void read_interactions(haw_reader *reader, const entries *count)
{
    haw_scene *scene = &reader->scenario->scene;
    const haw_yaml_node *entry = first_entry(reader, "contact", count->contacts);
    for (int i = 0; i < count->contacts; ++i, entry = entry->next) {
        reader->contact[i] = haw_contact_spec_default();
        scene->contacts = i + 1;
        haw_read_contact(reader, entry, i);
    }
    entry = first_entry(reader, "forces", count->forces);
    for (int i = 0; i < count->forces; ++i, entry = entry->next) {
        reader->force[i] = haw_force_spec_default();
        scene->forces = i + 1;
        haw_read_force(reader, entry, &reader->force[i]);
    }
    entry = first_entry(reader, "springs", count->springs);
    for (int i = 0; i < count->springs; ++i, entry = entry->next) {
        reader->spring[i] = haw_spring_spec_default();
        scene->springs = i + 1;
        haw_read_spring(reader, entry, &reader->spring[i]);
    }
}

static void read_scene(haw_reader *reader)
{
    haw_scene *scene = &reader->scenario->scene;
    const entries count = {.bodies = count_entries(reader, "bodies"),
                           .cables = count_entries(reader, "cables"),
                           .contacts = count_entries(reader, "contact"),
                           .forces = count_entries(reader, "forces"),
                           .springs = count_entries(reader, "springs")};
    if (!make_scene(reader, &count)) {
        return;
    }
    const haw_yaml_node start = unwrap_start(reader);
    haw_options_init(haw_start_options, scene);
    haw_options_init(haw_scene_options, scene);
    if (!read_dimension(reader)) {
        return;
    }
    haw_read_options(reader, reader->yaml.root, &haw_grammar_scene, scene);
    read_owners(reader, &count);
    read_interactions(reader, &count);
    if (start.kind == HAW_YAML_MAPPING) {
        haw_read_start(reader, &start);
    }
    if (scene->title == NULL) {
        scene->title = "";
    }
    reader->scenario->title = scene->title;
}

static void read_document(haw_reader *reader, const char *text)
{
    haw_yaml *yaml = &reader->yaml;
    yaml->root = haw_yaml_parse(yaml, text, -1);
    if (yaml->root == NULL || yaml->errors > 0 || yaml->status != HAW_OK) {
        if (yaml->root == NULL && yaml->errors == 0 && yaml->status == HAW_OK) {
            haw_yaml_error(yaml, NULL, "the file is empty; a scenario starts with 'hawser: 1'");
        }
        return;
    }
    if (yaml->root->kind != HAW_YAML_MAPPING) {
        haw_yaml_error(yaml, yaml->root, "a scenario is a mapping that starts with 'hawser: 1'");
        return;
    }
    for (int i = 0; i < yaml->sets && yaml->status == HAW_OK; ++i) {
        haw_set_apply(yaml, i);
    }
    if (yaml->status != HAW_OK || !check_version(reader)) {
        return;
    }
    read_scene(reader);
    if (yaml->status == HAW_OK) {
        haw_read_run(reader);
    }
}

static bool keep_sets(haw_scenario *made, int sets, const char *const *set)
{
    const char **kept = haw_arena_allocate(made->memory, (size_t)sets + 1, sizeof *kept);
    for (int i = 0; kept != NULL && i < sets; ++i) {
        kept[i] = haw_arena_string(made->memory, set[i]);
        kept = kept[i] != NULL ? kept : NULL;
    }
    made->sets = sets;
    made->set = kept;
    return kept != NULL;
}

/* The scenario lives in its own arena; `memory` points to it. */
static haw_scenario *make_scenario(haw_context *context, const char *file, const char *text,
                                   int sets, const char *const *set)
{
    haw_arena *arena = haw_allocate(context, 1, sizeof *arena);
    if (arena == NULL) {
        return NULL;
    }
    haw_arena_init(arena, context);
    haw_scenario *made = haw_arena_allocate(arena, 1, sizeof *made);
    if (made == NULL) {
        haw_release(context, arena);
        return NULL;
    }
    made->memory = arena;
    made->file = haw_arena_string(arena, file);
    made->text = haw_arena_string(arena, text);
    if (made->file == NULL || made->text == NULL || !keep_sets(made, sets, set)) {
        haw_scenario_free(context, made);
        return NULL;
    }
    return made;
}

/* Behind a byte order mark. */
static const char *skip_mark(const char *text)
{
    return strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? text + 3 : text;
}

static const char *shown_name(const haw_scenario *scenario)
{
    return strcmp(scenario->file, "-") == 0 ? "<stdin>" : scenario->file;
}

haw_status haw_scenario_parse(haw_context *context, const char *file, const char *text, int sets,
                              const char *const *set, haw_scenario **scenario)
{
    *scenario = NULL;
    haw_scenario *made = make_scenario(context, file, text, sets, set);
    if (made == NULL) {
        return HAW_ERR_NOMEM;
    }
    const haw_locale before = haw_locale_begin();
    haw_reader reader = {.arena = made->memory, .scenario = made};
    haw_yaml_init(&reader.yaml, context, shown_name(made), made->text);
    reader.yaml.sets = sets;
    reader.yaml.set = set;
    if (haw_yaml_check_bytes(&reader.yaml, text, strlen(text))) {
        read_document(&reader, skip_mark(made->text));
    }
    const haw_status status = haw_yaml_status(&reader.yaml);
    haw_yaml_fini(&reader.yaml);
    haw_locale_end(before);
    if (status != HAW_OK) {
        haw_scenario_free(context, made);
        return status;
    }
    *scenario = made;
    return HAW_OK;
}

/* The tree is gone by now; the text and the settings make it again. */
void haw_scenario_complain(haw_context *context, const haw_scenario *scenario, const char *place,
                           const char *message)
{
    haw_yaml yaml;
    const haw_locale before = haw_locale_begin();
    haw_yaml_init(&yaml, context, shown_name(scenario), scenario->text);
    yaml.sets = scenario->sets;
    yaml.set = scenario->set;
    yaml.root = haw_yaml_parse(&yaml, skip_mark(scenario->text), -1);
    for (int i = 0; i < yaml.sets && yaml.root != NULL; ++i) {
        haw_set_apply(&yaml, i);
    }
    haw_yaml_error(&yaml, yaml.root != NULL ? haw_set_find(&yaml, place) : NULL, "%s", message);
    haw_yaml_fini(&yaml);
    haw_locale_end(before);
}

void haw_scenario_free(haw_context *context, haw_scenario *scenario)
{
    if (scenario == NULL) {
        return;
    }
    haw_arena *arena = scenario->memory; /* the scenario itself lies in it */
    haw_arena_fini(arena);
    haw_release(context, arena);
}
