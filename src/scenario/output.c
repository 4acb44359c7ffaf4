/* SPDX-License-Identifier: BSD-3-Clause */
/* `output` and its probes: names of quantities, or {name, of, ...}. */
#include "observe/probe.h"
#include "scenario/grammar.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- a probe with a name ---- */

/* A probe in its long form, where it is watched by two keys. */
typedef struct probe_entry {
    haw_probe_spec spec;
    bool maximum;       /* HAW_WATCH_MAXIMUM */
    double first_above; /* HAW_WATCH_FIRST_ABOVE, NAN: not */
    double until;       /* [s] NAN: the end of the run */
} probe_entry;

static const char *const none_word[] = {"none", NULL};
static const char *const end_word[] = {"end", NULL};

#define AT(field) offsetof(probe_entry, field)
static const haw_option probe_options[] = {
    {"name", HAW_OPTION_STRING, AT(spec.name), 0.0, 0.0, 0.0, "",
     "name in the results; default: the text of the probe", NULL},
    {"of", HAW_OPTION_STRING, AT(spec.of), 0.0, 0.0, 0.0, "",
     "the quantity, as in a probe without name", NULL, HAW_KEY_REQUIRED},
    {"mean_over", HAW_OPTION_REAL, AT(spec.mean_over), 0.0, 0.0, DBL_MAX, "s",
     "mean over this last interval of the results; 0: none", NULL},
    {"maximum", HAW_OPTION_BOOL, AT(maximum), 0.0, 0.0, 0.0, "",
     "largest value over the steps so far", NULL},
    {"first_above", HAW_OPTION_REAL, AT(first_above), NAN, 0.0, DBL_MAX, "",
     "instead of the value, give the first time [s] at which its magnitude exceeds this level",
     none_word},
    {"after", HAW_OPTION_REAL, AT(spec.watch.after), 0.0, -DBL_MAX, DBL_MAX, "s",
     "`maximum` and `first_above` consider the steps from this time on", NULL},
    {"until", HAW_OPTION_REAL, AT(until), NAN, -DBL_MAX, DBL_MAX, "s", "and up to this time",
     end_word},
    {"scale", HAW_OPTION_REAL, AT(spec.watch.scale), 1.0, -DBL_MAX, DBL_MAX, "",
     "factor: scale times the value plus shift is watched and shown", NULL},
    {"shift", HAW_OPTION_REAL, AT(spec.watch.shift), 0.0, -DBL_MAX, DBL_MAX, "",
     "added to the scaled value", NULL},
    {0}};
#undef AT

static const haw_key probe_keys[] = {
    {.of = probe_options},
    {"first_above", .excludes = "maximum"},
    {"mean_over", .excludes = "maximum|first_above"},
    {NULL},
};
static const haw_mapping probe_mapping = {"a probe", probe_keys};

/* A probe can be checked only if the names of all bodies and cables are known. */
static void check_probe(haw_reader *reader, const haw_yaml_node *node, const char *probe)
{
    haw_context *context = reader->yaml.context;
    if (probe == NULL || reader->names_lost) {
        return;
    }
    if (haw_probe_check(context, &reader->scenario->scene, probe) != HAW_OK) {
        haw_read_error(reader, node, "%s", haw_context_message(context));
    }
}

/* The short form is the text of the quantity. */
static void read_entry(haw_reader *reader, const haw_yaml_node *item, probe_entry *entry)
{
    haw_probe_spec *spec = &entry->spec;
    haw_options_init(probe_options, entry);
    if (item->kind != HAW_YAML_MAPPING) {
        spec->of = haw_read_text(reader, item, "a probe");
        check_probe(reader, item, spec->of);
    } else {
        haw_read_mapping(reader, item, &probe_mapping, entry);
        check_probe(reader, haw_yaml_get(item, "of"), spec->of);
    }
    if (entry->until <= spec->watch.after) {
        haw_read_error(reader, haw_yaml_get(item, "until"),
                       "'until' must be later than 'after', %g s", spec->watch.after);
    }
    if (spec->name != NULL) {
        (void)haw_read_check_word(reader, haw_yaml_get(item, "name"), spec->name);
    }
    const bool is_crossing = !isnan(entry->first_above);
    spec->watch.kind = entry->maximum ? HAW_WATCH_MAXIMUM
                       : is_crossing  ? HAW_WATCH_FIRST_ABOVE
                                      : HAW_WATCH_NONE;
    spec->watch.level = is_crossing ? entry->first_above : 0;
    spec->watch.until = isnan(entry->until) ? HUGE_VAL : entry->until;
}

/* ---- the list ---- */

static void read_probes(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    haw_run_settings *run = value;
    const bool is_list = haw_read_kind(reader, node, node->key->text, HAW_YAML_LIST);
    haw_probe_spec *probe = is_list ? haw_read_allocate(reader, node->count, sizeof *probe) : NULL;
    if (probe == NULL) {
        return;
    }
    run->probes = node->count;
    run->probe = probe;
    int i = 0;
    for (const haw_yaml_node *item = node->first; item != NULL; item = item->next, ++i) {
        probe_entry entry = {.maximum = false};
        read_entry(reader, item, &entry);
        probe[i] = entry.spec;
        const char *own = haw_run_probe_name(run, i);
        for (int k = 0; k < i && own != NULL; ++k) { /* results are found by their names */
            const char *other = haw_run_probe_name(run, k);
            if (other != NULL && strcmp(other, own) == 0) {
                const haw_yaml_node *name = haw_yaml_get(item, "name");
                haw_read_error(reader, name != NULL ? name : item,
                               "there is already a probe named '%.60s'", own);
                break;
            }
        }
    }
}

/* The short form unless there is more to say than the quantity. */
static void write_probes(haw_resolve *out, const void *value)
{
    const haw_run_settings *run = value;
    for (int i = 0; i < run->probes; ++i) {
        const haw_probe_spec *spec = &run->probe[i];
        const haw_probe_watch *watch = &spec->watch;
        const bool is_crossing = watch->kind == HAW_WATCH_FIRST_ABOVE;
        const probe_entry entry = {.spec = *spec,
                                   .maximum = watch->kind == HAW_WATCH_MAXIMUM,
                                   .first_above = is_crossing ? watch->level : (double)NAN,
                                   .until = isinf(watch->until) ? (double)NAN : watch->until};
        haw_text_add(&out->text, i > 0 ? ", " : "[");
        if (spec->name == NULL && spec->mean_over == 0 && watch->kind == HAW_WATCH_NONE &&
            watch->scale == 1 && watch->shift == 0) {
            haw_text_quote(&out->text, spec->of);
        } else {
            haw_resolve_braces(out, &probe_mapping, &entry);
        }
    }
    haw_text_add(&out->text, run->probes > 0 ? "]" : "[]");
}

static void describe_probes(haw_text *text, const haw_key *key)
{
    (void)key;
    haw_text_add(text, "\"type\": \"array\", \"items\": {");
    haw_describe_either(text, &probe_mapping);
    haw_text_add(text, "\"type\": \"string\"}}");
}

static const haw_form probes_form = {read_probes, write_probes, describe_probes, .word = "list",
                                     .inner = {&probe_mapping}};

/* ---- output ---- */

static const char *const precision_names[] = {"float64", "float32", NULL};

static const haw_option output_options[] = {
    {"every", HAW_OPTION_REAL, offsetof(haw_run_settings, every), 1e-3, DBL_MIN, DBL_MAX, "s",
     "interval of the results", NULL},
    {"separation", HAW_OPTION_REAL, offsetof(haw_run_settings, separation), 0.02, 0.0, DBL_MAX, "s",
     "a contact has ended once it has been open for this time", NULL},
    {"precision", HAW_OPTION_CHOICE, offsetof(haw_run_settings, storage.precision),
     HAW_PRECISION_FLOAT64, 0.0, 0.0, "",
     "numbers along cables and bodies in frames; histories and checkpoints are always float64",
     precision_names},
    {"compress", HAW_OPTION_INT, offsetof(haw_run_settings, storage.compress), 0.0, 0.0, 9.0, "",
     "compression of the same numbers (deflate): 1 is fast, 9 small, 0 none", NULL},
    {"checkpoint.wall", HAW_OPTION_REAL, offsetof(haw_run_settings, checkpoint.wall), 0.0, 0.0,
     DBL_MAX, "s", "keep a checkpoint whenever so much time of the clock has passed; 0: do not",
     NULL},
    {"checkpoint.frames", HAW_OPTION_INT, offsetof(haw_run_settings, checkpoint.frames), 0.0, 0.0,
     INT_MAX, "", "keep a checkpoint after every so many frames; 0: do not", NULL},
    {"checkpoint.keep", HAW_OPTION_INT, offsetof(haw_run_settings, checkpoint.keep), 1.0, 1.0,
     1000.0, "", "how many checkpoints are kept, the last ones", NULL},
    {0}};

static const haw_key output_keys[] = {
    {.of = output_options},
    {"checkpoint", .help = "states to go on from after a run was killed (run --resume)"},
    {"probes", &probes_form, .help = "quantities to follow, by their text or in parts"},
    {NULL},
};
const haw_mapping haw_mapping_output = {"the output", output_keys};
