/* SPDX-License-Identifier: BSD-3-Clause */
/* `output` and its probes: names of quantities, or {name, of, ...}. */
#include "observe/probe.h"
#include "scenario/grammar.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- a probe with a name ---- */

/* One entry of `probes` in its long form. */
typedef struct probe_entry {
    const char *name; /* NULL: the text of the probe */
    const char *of;
    double mean_over;    /* [s] */
    bool maximum;        /* HAW_WATCH_MAXIMUM */
    double first_above;  /* HAW_WATCH_FIRST_ABOVE, NAN: not */
    double after, until; /* [s] NAN: the end of the run */
    double scale, shift;
} probe_entry;

static const char *const none_word[] = {"none", NULL};
static const char *const end_word[] = {"end", NULL};

#define AT(field) offsetof(probe_entry, field)
const haw_option haw_probe_options[] = {
    {"name", HAW_OPTION_STRING, AT(name), 0.0, 0.0, 0.0, "",
     "name in the results; the text of the probe unless given", NULL},
    {"of", HAW_OPTION_STRING, AT(of), 0.0, 0.0, 0.0, "", "the quantity, as in a probe without name",
     NULL, HAW_KEY_REQUIRED},
    {"mean_over", HAW_OPTION_REAL, AT(mean_over), 0.0, 0.0, DBL_MAX, "s",
     "mean of the results of this last time; 0: none", NULL},
    {"maximum", HAW_OPTION_BOOL, AT(maximum), 0.0, 0.0, 0.0, "",
     "largest value of the steps so far", NULL},
    {"first_above", HAW_OPTION_REAL, AT(first_above), NAN, 0.0, DBL_MAX, "",
     "instead of the value the first time [s] at which its magnitude exceeds this level",
     none_word},
    {"after", HAW_OPTION_REAL, AT(after), 0.0, -DBL_MAX, DBL_MAX, "s",
     "`maximum` and `first_above` look at the steps from this time on", NULL},
    {"until", HAW_OPTION_REAL, AT(until), NAN, -DBL_MAX, DBL_MAX, "s", "and up to this time",
     end_word},
    {"scale", HAW_OPTION_REAL, AT(scale), 1.0, -DBL_MAX, DBL_MAX, "",
     "what is watched and shown is scale times the value plus shift", NULL},
    {"shift", HAW_OPTION_REAL, AT(shift), 0.0, -DBL_MAX, DBL_MAX, "", "added to the scaled value",
     NULL},
    {0}};
#undef AT

static const haw_key probe_keys[] = {{.of = haw_probe_options}, {NULL}};
static const haw_mapping probe_mapping = {"a probe", probe_keys};

/* Without the name of every body and cable a probe cannot be judged. */
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

static void check_watch(haw_reader *reader, const haw_yaml_node *item, const probe_entry *entry)
{
    const haw_yaml_node *level = haw_yaml_get(item, "first_above");
    const haw_yaml_node *mean = haw_yaml_get(item, "mean_over");
    const haw_yaml_node *until = haw_yaml_get(item, "until");
    const bool is_watched = entry->maximum || !isnan(entry->first_above);
    if (entry->maximum && !isnan(entry->first_above)) {
        haw_read_error(reader, level->key, "'maximum' and 'first_above' exclude each other");
    }
    if (is_watched && entry->mean_over > 0) {
        haw_read_error(reader, mean->key, "'%s' and 'mean_over' exclude each other",
                       entry->maximum ? "maximum" : "first_above");
    }
    if (entry->until <= entry->after) {
        haw_read_error(reader, until, "'until' must be later than 'after', %g s", entry->after);
    }
}

static void read_entry(haw_reader *reader, const haw_yaml_node *item, probe_entry *entry)
{
    haw_options_init(haw_probe_options, entry);
    if (item->kind != HAW_YAML_MAPPING) {
        entry->of = haw_read_text(reader, item, "a probe");
        check_probe(reader, item, entry->of);
        return;
    }
    haw_read_mapping(reader, item, &probe_mapping, entry);
    check_probe(reader, haw_yaml_get(item, "of"), entry->of);
    check_watch(reader, item, entry);
    if (entry->name != NULL) {
        (void)haw_read_check_word(reader, haw_yaml_get(item, "name"), entry->name);
    }
}

static haw_probe_watch watch_of(const probe_entry *entry)
{
    haw_probe_watch watch = {.kind = HAW_WATCH_NONE,
                             .after = entry->after,
                             .until = isnan(entry->until) ? HUGE_VAL : entry->until,
                             .scale = entry->scale,
                             .shift = entry->shift};
    if (entry->maximum) {
        watch.kind = HAW_WATCH_MAXIMUM;
    } else if (!isnan(entry->first_above)) {
        watch.kind = HAW_WATCH_FIRST_ABOVE;
        watch.level = entry->first_above;
    }
    return watch;
}

/* Results are found by their names. */
static void check_unique(haw_reader *reader, const haw_yaml_node *item, const char *const *names,
                         int index)
{
    const haw_yaml_node *name = haw_yaml_get(item, "name");
    for (int i = 0; i < index && names[index] != NULL; ++i) {
        if (names[i] != NULL && strcmp(names[i], names[index]) == 0) {
            haw_read_error(reader, name != NULL ? name : item,
                           "a probe named '%.60s' is there already", names[index]);
            return;
        }
    }
}

/* ---- the list ---- */

static void read_probes(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    haw_run_settings *run = value;
    if (!haw_read_kind(reader, node, node->key->text, HAW_YAML_LIST)) {
        return;
    }
    const char **probe = haw_read_allocate(reader, node->count, sizeof *probe);
    const char **name = haw_read_allocate(reader, node->count, sizeof *name);
    double *mean = haw_read_allocate(reader, node->count, sizeof *mean);
    haw_probe_watch *watch = haw_read_allocate(reader, node->count, sizeof *watch);
    if (probe == NULL || name == NULL || mean == NULL || watch == NULL) {
        return;
    }
    int i = 0;
    for (const haw_yaml_node *item = node->first; item != NULL; item = item->next, ++i) {
        probe_entry entry = {.name = NULL};
        read_entry(reader, item, &entry);
        probe[i] = entry.of;
        name[i] = entry.name != NULL ? entry.name : entry.of;
        mean[i] = entry.mean_over;
        watch[i] = watch_of(&entry);
        check_unique(reader, item, name, i);
    }
    run->probes = node->count;
    run->probe = probe;
    run->probe_name = name;
    run->probe_mean = mean;
    run->probe_watch = watch;
}

/* What is watched, and how the result is scaled: only where it is. */
static void add_watch(haw_resolve *out, const haw_probe_watch *watch)
{
    if (watch->kind == HAW_WATCH_MAXIMUM) {
        haw_text_add(&out->text, ", maximum: true");
    } else if (watch->kind == HAW_WATCH_FIRST_ABOVE) {
        haw_text_add(&out->text, ", first_above: ");
        haw_text_number(&out->text, watch->level);
    }
    haw_text_add(&out->text, ", after: ");
    haw_text_number(&out->text, watch->after);
    haw_text_add(&out->text, ", until: ");
    if (isinf(watch->until)) {
        haw_text_add(&out->text, "end");
    } else {
        haw_text_number(&out->text, watch->until);
    }
    haw_text_add(&out->text, ", scale: ");
    haw_text_number(&out->text, watch->scale);
    haw_text_add(&out->text, ", shift: ");
    haw_text_number(&out->text, watch->shift);
}

static bool is_trivial(const haw_probe_watch *watch)
{
    return watch->kind == HAW_WATCH_NONE && watch->scale == 1 && watch->shift == 0;
}

/* The short form unless there is more to say than the quantity. */
static void add_probe(haw_resolve *out, const haw_run_settings *run, int i)
{
    const char *name = run->probe_name != NULL ? run->probe_name[i] : run->probe[i];
    const double mean = run->probe_mean != NULL ? run->probe_mean[i] : 0;
    const haw_probe_watch *watch = run->probe_watch != NULL ? &run->probe_watch[i] : NULL;
    const bool has_name = strcmp(name, run->probe[i]) != 0;
    const bool is_watched = watch != NULL && !is_trivial(watch);
    if (!has_name && mean == 0 && !is_watched) {
        haw_text_quote(&out->text, run->probe[i]);
        return;
    }
    haw_text_add(&out->text, "{");
    if (has_name) {
        haw_text_add(&out->text, "name: ");
        haw_text_quote(&out->text, name);
        haw_text_add(&out->text, ", ");
    }
    haw_text_add(&out->text, "of: ");
    haw_text_quote(&out->text, run->probe[i]);
    haw_text_add(&out->text, ", mean_over: ");
    haw_text_number(&out->text, mean);
    if (is_watched) {
        add_watch(out, watch);
    }
    haw_text_add(&out->text, "}");
}

static void write_probes(haw_resolve *out, const void *value)
{
    const haw_run_settings *run = value;
    haw_text_add(&out->text, "[");
    for (int i = 0; i < run->probes; ++i) {
        haw_text_add(&out->text, "%s", i > 0 ? ", " : "");
        add_probe(out, run, i);
    }
    haw_text_add(&out->text, "]");
}

static void describe_probes(haw_text *text, const haw_key *key)
{
    (void)key;
    haw_text_add(text, "\"type\": \"array\", \"items\": {\"anyOf\": [{\"type\": \"string\"}, {");
    haw_describe_mapping(text, &probe_mapping);
    haw_text_add(text, "}]}");
}

static const haw_form probes_form = {read_probes, write_probes, describe_probes};

/* ---- output ---- */

const haw_option haw_output_options[] = {
    {"every", HAW_OPTION_REAL, offsetof(haw_run_settings, every), 1e-3, DBL_MIN, DBL_MAX, "s",
     "interval of the results", NULL},
    {"separation", HAW_OPTION_REAL, offsetof(haw_run_settings, separation), 0.02, 0.0, DBL_MAX, "s",
     "a contact has ended once it has been open for this time", NULL},
    {0}};

static const haw_key output_keys[] = {
    {.of = haw_output_options},
    {"probes", &probes_form},
    {NULL},
};
const haw_mapping haw_mapping_output = {"the output", output_keys};
