/* SPDX-License-Identifier: BSD-3-Clause */
/* Which keys belong to the plane alone, and which to space. */
#include "scenario/reader.h"

#include <string.h>

typedef struct foreign {
    const haw_option *table;
    int dimension;
    const char *key; /* of a nested mapping the part before the dot stands for all its keys */
} foreign;

static const foreign keys[] = {
    {haw_body_options, 2, "angle_deg"},
    {haw_body_options, 3, "orientation"},
    {haw_body_options, 3, "inertias"},
    {haw_cable_options, 2, "closed"},
    {haw_cable_options, 2, "slack"},
    {haw_cable_options, 2, "quadrature"},
    {haw_cable_options, 2, "gauss_points"},
    {haw_cable_options, 2, "width"},
    {haw_cable_options, 2, "overflow"},
    {haw_cable_options, 2, "modes"},
    {haw_cable_options, 3, "shear_stiffness"},
    {haw_cable_options, 3, "torsional_stiffness"},
    {haw_cable_options, 3, "radius"},
    {haw_cable_options, 3, "rotary_inertia"},
    {haw_cable_options, 3, "damping.shear"},
    {haw_cable_options, 3, "damping.torsion"},
    {haw_cable_options, 3, "lay"},
    {haw_contact_options, 2, "kinematics"},
    {haw_contact_options, 2, "normals"},
    {haw_contact_options, 2, "chord_length"},
    {haw_contact_options, 2, "offset"},
    {haw_contact_options, 2, "switching"},
    {haw_contact_options, 3, "proxy"},
    {haw_force_options, 3, "follows"},
    {haw_end_options, 3, "clamped"},
    {haw_end_options, 3, "tension"},
    {haw_end_options, 3, "towards"},
};

int haw_key_dimension(const haw_option *table, const char *key)
{
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
        const size_t length = strlen(keys[i].key);
        if (keys[i].table == table && strncmp(keys[i].key, key, length) == 0 &&
            (key[length] == '\0' || key[length] == '.')) {
            return keys[i].dimension;
        }
    }
    return 0;
}

int haw_read_dimension(const haw_reader *reader)
{
    return reader->scenario->scene.dimension == 3 ? 3 : 2;
}

bool haw_read_foreign_key(haw_reader *reader, const haw_yaml_node *entry, const haw_option *table,
                          const char *key)
{
    const int dimension = haw_key_dimension(table, key);
    if (dimension == 0 || dimension == haw_read_dimension(reader)) {
        return false;
    }
    haw_yaml_error(&reader->yaml, entry->key, "'%.40s' needs dimension: %d", entry->key->text,
                   dimension);
    return true;
}
