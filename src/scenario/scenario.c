/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading a scenario: file or standard input, text, tree, --set, specifications. */
#include "scenario/grammar.h"
#include "stepper/stepper.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Far above any sensible scenario or history: a wrong file must not fill the memory. */
enum { TEXT_MAX = 4 * 1024 * 1024, HISTORY_MAX = 64 * 1024 * 1024, CHUNK = 64 * 1024 };

/* A text to read: its name and kind for messages, and the largest size. */
typedef struct source {
    const char *file, *noun;
    size_t limit;
    bool is_named; /* by a scenario, not by the user */
} source;

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
        haw_yaml_error(
            yaml, version,
            "version %s of the scenario format is not supported: hawser %s reads version 1",
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

static void write_version(haw_resolve *out, const void *value)
{
    (void)value;
    haw_text_add(&out->text, "1");
}

static const haw_form version_form = {NULL, write_version, .schema = "\"const\": 1",
                                      .word = "integer"};

static void check_scenario(haw_reader *reader, const haw_yaml_node *root, void *value)
{
    haw_scenario *scenario = value;
    haw_scene *scene = &scenario->scene;
    const haw_option *row = scenario->run.stepper.ops->row.options;
    if (scene->bodies == 0 && scene->cables == 0 && !reader->names_lost) {
        haw_read_error(reader, root, "a scenario needs a body or a cable");
    }
    /* the default stepper may need options that only the user knows */
    for (; haw_yaml_get(root, "stepper") == NULL && row->key != NULL; ++row) {
        if (haw_option_is_required(row)) {
            haw_read_error(reader, root, "missing required key 'stepper.%s'", row->key);
        }
    }
    scene->title = scene->title != NULL ? scene->title : "";
    scenario->title = scene->title;
}

#define AT(field) offsetof(haw_scenario, field)
static const haw_key scenario_keys[] = {
    {"hawser", &version_form, .flags = HAW_KEY_REQUIRED, .help = "version of the format"},
    {.offset = AT(scene), .of = haw_scene_options},
    {"bodies", &haw_form_list, AT(scene.body), &haw_list_bodies, .help = "rigid bodies",
     .absent = HAW_ABSENT_EQUAL, .asks = AT(scene.bodies)},
    {"cables", &haw_form_list, AT(scene.cable), &haw_list_cables, .help = "cables and ropes",
     .absent = HAW_ABSENT_EQUAL, .asks = AT(scene.cables)},
    {"contact", &haw_form_list, AT(scene.contact), &haw_list_contacts,
     .help = "pairs that may touch", .absent = HAW_ABSENT_EQUAL, .asks = AT(scene.contacts)},
    {"forces", &haw_form_list, AT(scene.force), &haw_list_forces, .help = "prescribed loads",
     .absent = HAW_ABSENT_EQUAL, .asks = AT(scene.forces)},
    {"springs", &haw_form_list, AT(scene.spring), &haw_list_springs, .help = "linear springs",
     .absent = HAW_ABSENT_EQUAL, .asks = AT(scene.springs)},
    {"joints", &haw_form_list, AT(scene.joint), &haw_list_joints,
     .help = "joints between bodies, cables and the ground", .absent = HAW_ABSENT_EQUAL,
     .asks = AT(scene.joints)},
    {"start", &haw_form_start, AT(scene)},
    {"stepper", &haw_form_typed, AT(run), &haw_typed_steppers,
     .help = "time-stepper; without it moreau"},
    {"solver", &haw_form_typed, AT(run), &haw_typed_solvers,
     .help = "solver of the contact problem; without it auto"},
    {"output", &haw_form_mapping, AT(run), &haw_mapping_output, .help = "what is recorded"},
    {NULL},
};
#undef AT
const haw_mapping haw_mapping_scenario = {"a scenario", scenario_keys, check_scenario};

static void read_scenario(haw_reader *reader)
{
    haw_scenario *scenario = reader->scenario;
    const haw_yaml_node *root = reader->yaml.root;
    haw_options_init(haw_start_options, &scenario->scene);
    haw_options_init(haw_scene_options, &scenario->scene);
    reader->yaml.status = haw_run_settings_init(reader->yaml.context, &scenario->run);
    if (reader->yaml.status != HAW_OK) {
        return;
    }
    if (read_dimension(reader)) {
        haw_read_mapping(reader, root, &haw_mapping_scenario, scenario);
    } else {
        haw_read_forms(reader, root, haw_mapping_find(&haw_mapping_scenario, "stepper"), scenario);
    }
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
    read_scenario(reader);
}

static bool keep_sets(haw_scenario *made, int sets, const char *const *set)
{
    const char **kept = haw_arena_allocate(made->memory, (size_t)sets + 1, sizeof *kept);
    for (int i = 0; kept != NULL && i < sets; ++i) {
        kept[i] = haw_arena_string(made->memory, set[i]);
    }
    made->sets = sets;
    made->set = kept;
    return haw_arena_status(made->memory) == HAW_OK;
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
    if (!keep_sets(made, sets, set)) {
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
    assert(text != NULL);
    haw_scenario *made = make_scenario(context, file, text, sets, set);
    if (made == NULL) {
        return HAW_ERR_NOMEM;
    }
    const haw_locale before = haw_locale_begin();
    haw_reader reader = {.arena = made->memory, .scenario = made};
    haw_yaml_init(&reader.yaml, context, shown_name(made), made->text);
    reader.yaml.sets = sets;
    reader.yaml.set = set;
    read_document(&reader, skip_mark(made->text));
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

/* The tree has been freed: it is built again from the text and the settings. */
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

/* ---- files ---- */

static haw_status refuse(haw_context *context, const char *file, int error)
{
    char reason[128] = "unknown error";
    (void)strerror_r(error, reason, sizeof reason);
    return haw_fail(context, HAW_ERR_IO, "cannot read '%.300s': %s", file, reason);
}

/* Doubles the block while there is more to read; the text ends with a zero byte. */
static haw_status read_stream(haw_context *context, const source *from, FILE *stream, char **text,
                              size_t *bytes)
{
    size_t capacity = CHUNK;
    char *data = haw_allocate(context, capacity, 1);
    *bytes = 0;
    while (data != NULL) {
        *bytes += fread(data + *bytes, 1, capacity - *bytes - 1, stream);
        if (ferror(stream)) {
            const int error = errno;
            haw_release(context, data);
            return refuse(context, from->file, error);
        }
        if (*bytes > from->limit) {
            haw_release(context, data);
            return haw_fail(context, HAW_ERR_INPUT,
                            "'%.300s' is too large for a %s: more than %zu MiB", from->file,
                            from->noun, from->limit / (1024 * 1024));
        }
        if (*bytes + 1 < capacity) {
            data[*bytes] = '\0';
            *text = data;
            return HAW_OK;
        }
        char *larger = haw_allocate(context, 2 * capacity, 1);
        if (larger != NULL) {
            memcpy(larger, data, *bytes);
        }
        haw_release(context, data);
        data = larger;
        capacity *= 2;
    }
    return HAW_ERR_NOMEM;
}

/* A scenario may come through a pipe that a shell made; what it names may not. */
static haw_status read_file(haw_context *context, const source *from, char **text, size_t *bytes)
{
    struct stat found;
    if (from->is_named && stat(from->file, &found) == 0 && !S_ISREG(found.st_mode) &&
        !S_ISDIR(found.st_mode)) {
        return haw_fail(context, HAW_ERR_IO, "cannot read '%s': it is not a regular file",
                        from->file);
    }
    FILE *stream = fopen(from->file, "rb");
    if (stream == NULL) {
        return refuse(context, from->file, errno);
    }
    const haw_status status = read_stream(context, from, stream, text, bytes);
    (void)fclose(stream);
    return status;
}

/* Refuses a text with zero bytes. */
static haw_status check_text(haw_context *context, const source *from, size_t bytes, char **text)
{
    if (*text == NULL || strlen(*text) == bytes) {
        return HAW_OK;
    }
    haw_release(context, *text);
    *text = NULL;
    return haw_fail(context, HAW_ERR_INPUT, "'%.300s' is not a text file: it contains zero bytes",
                    from->file);
}

haw_status haw_file_history(haw_context *context, const char *file, char **text)
{
    const source from = {.file = file, .noun = "history", .limit = HISTORY_MAX, .is_named = true};
    size_t bytes = 0;
    *text = NULL;
    HAW_TRY(read_file(context, &from, text, &bytes));
    return check_text(context, &from, bytes, text);
}

haw_status haw_scenario_read(haw_context *context, const char *file, int sets,
                             const char *const *set, haw_scenario **scenario)
{
    const source from = {.file = file, .noun = "scenario", .limit = TEXT_MAX};
    char *text = NULL;
    size_t bytes = 0;
    *scenario = NULL;
    if (strcmp(file, "-") == 0) {
        HAW_TRY(read_stream(context, &from, stdin, &text, &bytes));
    } else {
        HAW_TRY(read_file(context, &from, &text, &bytes));
    }
    HAW_TRY(check_text(context, &from, bytes, &text));
    const haw_status status = haw_scenario_parse(context, file, text, sets, set, scenario);
    haw_release(context, text);
    return status;
}
