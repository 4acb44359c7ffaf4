/* SPDX-License-Identifier: BSD-3-Clause */
/* `probes` of the output: names of quantities, or {name, of, mean_over}. */
#include "scenario/reader.h"
#include "stepper/probe.h"

#include <float.h>
#include <string.h>

#define AT(field) offsetof(haw_probe_entry, field)
const haw_option haw_probe_options[] = {
    {"name", HAW_OPTION_STRING, AT(name), 0.0, 0.0, 0.0, "",
     "name in the results; the text of the probe unless given", NULL},
    {"of", HAW_OPTION_STRING, AT(of), 0.0, 0.0, 0.0, "", "the quantity, as in a probe without name",
     NULL},
    {"mean_over", HAW_OPTION_REAL, AT(mean_over), 0.0, 0.0, DBL_MAX, "s",
     "mean of the results of this last time; 0: none", NULL},
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

static void read_entry(haw_reader *reader, const haw_yaml_node *item, haw_probe_entry *entry)
{
    if (item->kind != HAW_YAML_MAPPING) {
        entry->of = haw_read_text(reader, item, "a probe");
        check_probe(reader, item, entry->of);
        return;
    }
    haw_options_init(haw_probe_options, entry);
    haw_read_options(reader, item, &haw_grammar_probe, entry);
    const haw_yaml_node *of = haw_yaml_get(item, "of");
    if (of == NULL) {
        haw_yaml_error(&reader->yaml, item, "missing required key 'of' in a probe");
    } else {
        check_probe(reader, of, entry->of);
    }
    if (entry->name != NULL) {
        (void)haw_read_check_word(reader, haw_yaml_get(item, "name"), entry->name);
    }
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
    if (probe == NULL || name == NULL || mean == NULL) {
        return;
    }
    int i = 0;
    for (const haw_yaml_node *item = node->first; item != NULL; item = item->next, ++i) {
        haw_probe_entry entry = {.name = NULL};
        read_entry(reader, item, &entry);
        probe[i] = entry.of;
        name[i] = entry.name != NULL ? entry.name : entry.of;
        mean[i] = entry.mean_over;
        check_unique(reader, item, name, i);
    }
    run->probes = node->count;
    run->probe = probe;
    run->probe_name = name;
    run->probe_mean = mean;
}
