/* SPDX-License-Identifier: BSD-3-Clause */
/* Compliant laws with the keys of a contact that they read. */
#include "cli/catalog_laws.h"

#include "law/law.h"

#include <hawser/model.h>

#include <string.h>

enum { KEYS_MAX = 12 };

/* The laws' own parameters are rows of haw_contact_options: which of them a law takes. */
typedef struct law_keys {
    const char *law, *key[KEYS_MAX];
} law_keys;

static const law_keys keys_of[] = {
    {"linear", {"normal_stiffness", "normal_damping", "per"}},
    {"lankarani-nikravesh", {"normal_stiffness", "normal_exponent", "restitution", "per"}},
    {"hunt-crossley", {"normal_stiffness", "normal_damping", "normal_exponent", "per"}},
    {"regularized",
     {"friction", "friction_kinetic", "stribeck_velocity", "viscous_friction",
      "regularization_velocity", "per"}},
    {"bristle",
     {"friction", "friction_kinetic", "stribeck_velocity", "viscous_friction",
      "tangential_stiffness", "tangential_damping", "switching", "per"}},
    {"lugre",
     {"friction", "friction_kinetic", "stribeck_velocity", "viscous_friction",
      "tangential_stiffness", "tangential_damping", "per"}},
    {"blend",
     {"friction", "friction_kinetic", "stribeck_velocity", "viscous_friction",
      "tangential_stiffness", "tangential_damping", "per"}},
};

static const haw_option *contact_row(const char *key)
{
    for (const haw_option *row = haw_contact_options; row->key != NULL; row++) {
        if (strcmp(row->key, key) == 0) {
            return row;
        }
    }
    return NULL;
}

/* A table of the rows that the law reads; NULL for a law that is not listed above. */
static const haw_option *options_of(haw_cli *cli, const char *law)
{
    haw_option *options = NULL;
    int count = 0;

    for (size_t i = 0; i < sizeof keys_of / sizeof keys_of[0]; i++) {
        if (strcmp(keys_of[i].law, law) != 0) {
            continue;
        }
        options = haw_arena_allocate(&cli->arena, KEYS_MAX + 1, sizeof *options);
        for (int k = 0; options != NULL && k < KEYS_MAX && keys_of[i].key[k] != NULL; k++) {
            const haw_option *row = contact_row(keys_of[i].key[k]);

            if (row != NULL) {
                options[count++] = *row;
            }
        }
    }
    return options;
}

void haw_normal_laws_read(haw_cli *cli, haw_entries *entries)
{
    const int count = haw_row_count(haw_normal_laws);
    haw_row *entry = haw_entries_reserve(cli, count, entries);

    for (int i = 0; i < count; i++) {
        entry[i] = *haw_normal_laws[i];
        entry[i].options = options_of(cli, entry[i].name);
    }
}

void haw_friction_laws_read(haw_cli *cli, haw_entries *entries)
{
    const int count = haw_row_count(haw_friction_laws);
    haw_row *entry = haw_entries_reserve(cli, count, entries);

    for (int i = 0; i < count; i++) {
        entry[i] = *haw_friction_laws[i];
        entry[i].options = options_of(cli, entry[i].name);
    }
}
