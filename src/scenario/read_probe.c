/* SPDX-License-Identifier: BSD-3-Clause */
/* `probes` of the output: names of quantities, or {name, of, ...}. */
#include "observe/probe.h"
#include "scenario/reader.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char *const none_word[] = {"none", NULL};
static const char *const end_word[] = {"end", NULL};

#define AT(field) offsetof(haw_probe_entry, field)
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

const haw_grammar haw_grammar_probe = {"a probe", haw_probe_options, NULL, NULL};

/* Without the name of every body and cable a probe cannot be judged. */
static void check_probe(haw_reader *reader, const haw_yaml_node *node, const char *probe)
{
    haw_context *context = reader->yaml.context;
    if (probe == NULL || reader->names_lost) {
        return;
    }
    if (haw_probe_check(context, &reader->scenario->scene, probe) != HAW_OK) {
        haw_yaml_error(&reader->yaml, node, "%s", haw_context_message(context));
    }
}

static void check_watch(haw_reader *reader, const haw_yaml_node *item, const haw_probe_entry *entry)
{
    const haw_yaml_node *level = haw_yaml_get(item, "first_above");
    const haw_yaml_node *mean = haw_yaml_get(item, "mean_over");
    const haw_yaml_node *until = haw_yaml_get(item, "until");
    const bool is_watched = entry->maximum || !isnan(entry->first_above);
    if (entry->maximum && !isnan(entry->first_above)) {
        haw_yaml_error(&reader->yaml, level->key, "'maximum' and 'first_above' exclude each other");
    }
    if (is_watched && entry->mean_over > 0) {
        haw_yaml_error(&reader->yaml, mean->key, "'%s' and 'mean_over' exclude each other",
                       entry->maximum ? "maximum" : "first_above");
    }
    if (entry->until <= entry->after) {
        haw_yaml_error(&reader->yaml, until, "'until' must be later than 'after', %g s",
                       entry->after);
    }
}

static void read_entry(haw_reader *reader, const haw_yaml_node *item, haw_probe_entry *entry)
{
    haw_options_init(haw_probe_options, entry);
    if (item->kind != HAW_YAML_MAPPING) {
        entry->of = haw_read_text(reader, item, "a probe");
        check_probe(reader, item, entry->of);
        return;
    }
    haw_read_options(reader, item, &haw_grammar_probe, entry);
    const haw_yaml_node *of = haw_yaml_get(item, "of");
    if (of == NULL) {
        haw_yaml_error(&reader->yaml, item, "missing required key 'of' in a probe");
    } else {
        check_probe(reader, of, entry->of);
    }
    check_watch(reader, item, entry);
    if (entry->name != NULL) {
        (void)haw_read_check_word(reader, haw_yaml_get(item, "name"), entry->name);
    }
}

static haw_probe_watch watch_of(const haw_probe_entry *entry)
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
            haw_yaml_error(&reader->yaml, name != NULL ? name : item,
                           "a probe named '%.60s' is there already", names[index]);
            return;
        }
    }
}

void haw_read_probes(haw_reader *reader, const haw_yaml_node *node)
{
    haw_run_settings *run = &reader->scenario->run;
    if (!haw_read_kind(reader, node, "probes", HAW_YAML_LIST)) {
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
        haw_probe_entry entry = {.name = NULL};
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
