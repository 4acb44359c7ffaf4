/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/catalog.h"

#include "cable/reeving.h"
#include "cli/scenarios.h"
#include "element/element.h"
#include "element/space.h"
#include "law/law.h"
#include "observe/probe.h"
#include "scenario/reader.h"
#include "shape/shape.h"
#include "shape/surface.h"

#include <hawser/hawser.h>

#include <stdlib.h>
#include <string.h>

haw_row *haw_entries_reserve(haw_cli *cli, int count, haw_entries *entries)
{
    haw_row *entry = haw_arena_allocate(&cli->arena, (size_t)count + 1, sizeof *entry);

    if (entry == NULL) {
        haw_cli_fail_status(cli, HAW_ERR_NOMEM, false);
        exit(HAW_EXIT_REFUSED);
    }
    *entries = (haw_entries){.count = count, .entry = entry};
    return entry;
}

static haw_row *read_rows(haw_cli *cli, const haw_row *const *table, haw_entries *entries)
{
    const int count = haw_row_count(table);
    haw_row *entry = haw_entries_reserve(cli, count, entries);

    for (int i = 0; i < count; i++) {
        entry[i] = *table[i];
    }
    return entry;
}

/* Parameters of compliant laws are keys of a contact: of each law those that it reads. */
static const haw_option *options_of(haw_cli *cli, const char *const *keys)
{
    int count = 0, kept = 0;

    while (keys[count] != NULL) {
        count++;
    }
    haw_option *options = haw_arena_allocate(&cli->arena, (size_t)count + 1, sizeof *options);

    for (int i = 0; options != NULL && i < count; i++) {
        const haw_option *row = haw_options_find(haw_contact_options, keys[i]);

        if (row != NULL) {
            options[kept++] = *row;
        }
    }
    return options;
}

static void read_normal_laws(haw_cli *cli, haw_entries *entries)
{
    haw_row *entry = read_rows(cli, haw_normal_laws, entries);

    for (int i = 0; i < entries->count; i++) {
        entry[i].options = options_of(cli, ((const haw_normal_ops *)haw_normal_laws[i])->keys);
    }
}

static void read_friction_laws(haw_cli *cli, haw_entries *entries)
{
    haw_row *entry = read_rows(cli, haw_friction_laws, entries);

    for (int i = 0; i < entries->count; i++) {
        entry[i].options = options_of(cli, ((const haw_friction_ops *)haw_friction_laws[i])->keys);
    }
}

static void read_keys(haw_cli *cli, haw_entries *entries)
{
    const haw_row keys[] = {
        {"scene", "keys at the top of a scenario", "", haw_scene_options, 0},
        {"bodies", "keys of a body", "", haw_body_options, 0},
        {"cables", "keys of a cable", "", haw_cable_options, 0},
        {"contact", "keys of a contact pair", "", haw_contact_options, 0},
        {"forces", "keys of a force", "", haw_force_options, 0},
        {"springs", "keys of a spring", "", haw_spring_options, 0},
        {"start", "keys of a start with parts", "", haw_start_options, 0},
        {"arc", "keys of an arc in the path of a cable", "", haw_arc_options, 0},
        {"solver", "keys beside those of the chosen solver", "", haw_solver_run_options, 0},
        {"output", "keys of the output, beside the list of probes", "", haw_output_options, 0},
        {"probes", "keys of a probe with a name", "", haw_probe_options, 0},
    };
    const int count = (int)(sizeof keys / sizeof keys[0]);

    memcpy(haw_entries_reserve(cli, count, entries), keys, sizeof keys);
}

/* Quantities that models of a dimension have. */
static void list_probes(haw_cli *cli, int dimension, haw_entries *entries)
{
    haw_row *entry = haw_entries_reserve(cli, haw_row_count(haw_probes), entries);

    entries->count = 0;
    for (int i = 0; haw_probes[i] != NULL; i++) {
        if (haw_probe_row_size(haw_probes[i], dimension) > 0) {
            entry[entries->count++] = *haw_probes[i];
        }
    }
}

static void read_probes(haw_cli *cli, haw_entries *entries)
{
    list_probes(cli, 2, entries);
}

static void read_space_probes(haw_cli *cli, haw_entries *entries)
{
    list_probes(cli, 3, entries);
}

void haw_entries_read(haw_cli *cli, const haw_kind *kind, haw_entries *entries)
{
    if (kind->read != NULL) {
        kind->read(cli, entries);
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
    {"normal-laws", "Normal laws of compliant contact", "", true, haw_normal_laws,
     read_normal_laws},
    {"friction-laws", "Friction laws of compliant contact", "", true, haw_friction_laws,
     read_friction_laws},
    {"solvers", "Solvers of the contact problem", "", true, haw_solvers, NULL},
    {"steppers", "Time-steppers", "", true, haw_steppers, NULL},
    {"theories", "Closed forms", "--", true, haw_theories, NULL},
    {"probes", "Probes", "", true, NULL, read_probes},
    {"space-probes", "Probes of spatial models", "", true, NULL, read_space_probes},
    {"keys", "Keys of a scenario", "", true, NULL, read_keys},
    {"scenarios", "Scenarios that come with the program", "", false, NULL, haw_scenarios_read},
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
