/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/catalog.h"

#include "cli/catalog_laws.h"
#include "cli/scenarios.h"
#include "element/element.h"
#include "element/space.h"
#include "law/law.h"
#include "model/rope.h"
#include "observe/probe.h"
#include "scenario/reader.h"
#include "shape/shape.h"
#include "shape/surface.h"

#include <hawser/hawser.h>

#include <stdlib.h>
#include <string.h>

haw_entry *haw_entries_reserve(haw_cli *cli, int count, haw_entries *entries)
{
    haw_entry *entry = haw_arena_allocate(&cli->arena, (size_t)count + 1, sizeof *entry);

    if (entry == NULL) {
        haw_cli_fail_status(cli, HAW_ERR_NOMEM, false);
        exit(HAW_EXIT_REFUSED);
    }
    *entries = (haw_entries){.count = count, .entry = entry};
    return entry;
}

/* All tables end with NULL and their rows begin alike; only the types differ. */
#define DEFINE_READ(function, table, own_options)                                                  \
    static void function(haw_cli *cli, haw_entries *entries)                                       \
    {                                                                                              \
        int count = 0;                                                                             \
                                                                                                   \
        while ((table)[count] != NULL) {                                                           \
            count++;                                                                               \
        }                                                                                          \
        haw_entry *entry = haw_entries_reserve(cli, count, entries);                               \
                                                                                                   \
        for (int i = 0; i < count; i++) {                                                          \
            entry[i] = (haw_entry){(table)[i]->name, (table)[i]->summary, (table)[i]->source,      \
                                   own_options};                                                   \
        }                                                                                          \
    }

DEFINE_READ(read_elements, haw_elements, NULL)
DEFINE_READ(read_ropes, haw_ropes, NULL)
DEFINE_READ(read_space_elements, haw_space_elements, NULL)
DEFINE_READ(read_shapes, haw_shapes, haw_shapes[i]->options)
DEFINE_READ(read_surfaces, haw_surfaces, haw_surfaces[i]->options)
DEFINE_READ(read_laws, haw_laws, NULL)
DEFINE_READ(read_solvers, haw_solvers, haw_solvers[i]->options)
DEFINE_READ(read_steppers, haw_steppers, haw_steppers[i]->options)
DEFINE_READ(read_theories, haw_theories, haw_theories[i]->options)

static void read_keys(haw_cli *cli, haw_entries *entries)
{
    const haw_entry keys[] = {
        {"scene", "keys at the top of a scenario", "", haw_scene_options},
        {"bodies", "keys of a body", "", haw_body_options},
        {"cables", "keys of a cable", "", haw_cable_options},
        {"contact", "keys of a contact pair", "", haw_contact_options},
        {"forces", "keys of a force", "", haw_force_options},
        {"springs", "keys of a spring", "", haw_spring_options},
        {"start", "keys of a start with parts", "", haw_start_options},
        {"arc", "keys of an arc in the path of a cable", "", haw_arc_options},
        {"solver", "keys beside those of the chosen solver", "", haw_solver_run_options},
        {"output", "keys of the output, beside the list of probes", "", haw_output_options},
        {"probes", "keys of a probe with a name", "", haw_probe_options},
    };
    const int count = (int)(sizeof keys / sizeof keys[0]);

    memcpy(haw_entries_reserve(cli, count, entries), keys, sizeof keys);
}

static const char *probe_owner(haw_probe_kind kind)
{
    switch (kind) {
    case HAW_PROBE_BODY:
        return "BODY";
    case HAW_PROBE_CABLE:
        return "CABLE";
    case HAW_PROBE_CONTACT:
        return "contact";
    case HAW_PROBE_NONE:
        break;
    }
    return "";
}

static void list_probes(haw_cli *cli, const haw_probe_row *rows, haw_entries *entries)
{
    int count = 0;

    while (rows[count].name != NULL) {
        count++;
    }
    haw_entry *entry = haw_entries_reserve(cli, count, entries);

    for (int i = 0; i < count; i++) {
        const haw_probe_row *row = &rows[i];
        const char *unit = row->unit[0] != '\0' ? row->unit : "1";

        entry[i] = (haw_entry){
            .name = haw_cli_format(cli, "%s.%s", probe_owner(row->kind), row->name),
            .summary = haw_cli_format(cli, "%s [%s]", row->help, unit),
            .source = "",
        };
    }
}

static void read_probes(haw_cli *cli, haw_entries *entries)
{
    list_probes(cli, haw_probe_rows, entries);
}

static void read_space_probes(haw_cli *cli, haw_entries *entries)
{
    list_probes(cli, haw_probe_space_rows, entries);
}

const haw_kind haw_kinds[] = {
    {"elements", "Cable elements", "", true, read_elements},
    {"ropes", "Ropes over sheaves", "", true, read_ropes},
    {"space-elements", "Cable elements in space", "", true, read_space_elements},
    {"shapes", "Shapes of bodies", "", true, read_shapes},
    {"surfaces", "Shapes of bodies in space", "", true, read_surfaces},
    {"laws", "Contact laws", "", true, read_laws},
    {"normal-laws", "Normal laws of compliant contact", "", true, haw_normal_laws_read},
    {"friction-laws", "Friction laws of compliant contact", "", true, haw_friction_laws_read},
    {"solvers", "Solvers of the contact problem", "", true, read_solvers},
    {"steppers", "Time-steppers", "", true, read_steppers},
    {"theories", "Closed forms", "--", true, read_theories},
    {"probes", "Probes", "", true, read_probes},
    {"space-probes", "Probes of spatial models", "", true, read_space_probes},
    {"keys", "Keys of a scenario", "", true, read_keys},
    {"scenarios", "Scenarios that come with the program", "", false, haw_scenarios_read},
    {NULL, NULL, NULL, false, NULL},
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

const char *haw_entries_nearest(const haw_entries *entries, const char *word)
{
    const char *nearest = NULL;

    for (int i = 0; i < entries->count; i++) {
        const char *const pair[] = {nearest, entries->entry[i].name};

        nearest = haw_nearest(word, 2, pair);
    }
    return nearest;
}
