/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of probes: owner.quantity, owner.quantity[a:b], owner.quantity.x[a:b]. */
#include "observe/probe.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "a-b" or "b-a"? */
static bool names_pair(const char *text, const char *a, const char *b)
{
    const size_t n = strlen(a), m = strlen(b);
    return strlen(text) == n + m + 1 &&
           ((memcmp(text, a, n) == 0 && text[n] == '-' && strcmp(text + n + 1, b) == 0) ||
            (memcmp(text, b, m) == 0 && text[m] == '-' && strcmp(text + m + 1, a) == 0));
}

static int find_pair(const haw_probe_names *names, const char *text)
{
    for (int i = 0; i < names->pair.count; i++) {
        const char *const *name = haw_names_at(names->pair, i);
        if (name[0] != NULL && name[1] != NULL && names_pair(text, name[0], name[1])) {
            return i;
        }
    }
    return -1;
}

static haw_probe_kind find_owner(const haw_probe_names *names, const char *name, int *index)
{
    *index = haw_names_find(names->body, name);
    if (*index >= 0) {
        return HAW_PROBE_BODY;
    }
    *index = haw_names_find(names->cable, name);
    if (*index >= 0) {
        return HAW_PROBE_CABLE;
    }
    if (strncmp(name, "joint.", strlen("joint.")) == 0) {
        *index = haw_names_find(names->joint, name + strlen("joint."));
        return *index >= 0 ? HAW_PROBE_JOINT : HAW_PROBE_NONE;
    }
    if (strcmp(name, HAW_OWNER_SYSTEM) == 0) {
        return HAW_PROBE_SYSTEM;
    }
    *index = find_pair(names, name);
    return *index >= 0 || strcmp(name, "contact") == 0 ? HAW_PROBE_CONTACT : HAW_PROBE_NONE;
}

const char *haw_probe_quantity(const haw_probe_row *row)
{
    return strrchr(row->row.name, '.') + 1;
}

static const haw_probe_row *find_row(haw_probe_kind kind, const char *name)
{
    static const char *const owner[] = {[HAW_PROBE_NONE] = "",
                                        [HAW_PROBE_BODY] = HAW_OWNER_BODY,
                                        [HAW_PROBE_CABLE] = HAW_OWNER_CABLE,
                                        [HAW_PROBE_CONTACT] = HAW_OWNER_CONTACT,
                                        [HAW_PROBE_JOINT] = HAW_OWNER_JOINT,
                                        [HAW_PROBE_SYSTEM] = HAW_OWNER_SYSTEM};
    char text[64];
    (void)snprintf(text, sizeof text, "%s.%s", owner[kind], name);
    return (const haw_probe_row *)haw_row_find(haw_probes, text);
}

/* @param is_other  models of the other dimension have this quantity */
static haw_status refuse(haw_context *context, const haw_probe_names *names, const char *text,
                         haw_probe_kind kind, bool is_other)
{
    static const char *const other[] = {[2] = "spatial", [3] = "planar"};
    char allowed[512] = "";
    size_t used = 0;
    for (int i = 0; haw_probes[i] != NULL; i++) {
        const haw_probe_row *row = (const haw_probe_row *)haw_probes[i];
        const bool is_there = haw_probe_row_size(haw_probes[i], names->dimension) > 0;
        if (row->kind == kind && is_there && used < sizeof allowed) {
            used += (size_t)snprintf(allowed + used, sizeof allowed - used, "%s%s",
                                     used > 0 ? ", " : "", haw_probe_quantity(row));
        }
    }
    if (kind == HAW_PROBE_NONE) {
        const char *const *pair = names->pair.count > 0 ? haw_names_at(names->pair, 0) : NULL;
        const bool is_named = pair != NULL && pair[0] != NULL && pair[1] != NULL;
        return haw_fail(context, HAW_ERR_INPUT,
                        "probe '%s': its first part must be a body, a cable, 'contact', a pair "
                        "such as %s-%s, as `contact` names it, joint.NAME or 'system'",
                        text, is_named ? pair[0] : "cable", is_named ? pair[1] : "disk");
    }
    if (is_other) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "probe '%s': only %s models have this quantity (allowed: %s)", text,
                        other[names->dimension], allowed);
    }
    return haw_fail(context, HAW_ERR_INPUT, "probe '%s': unknown quantity (allowed: %s)", text,
                    allowed);
}

/* "[a:b]" behind the quantity: 0 <= a <= b <= 1. */
static bool read_range(char *quantity, double range[2])
{
    char *bracket = strchr(quantity, '['), *end = NULL;
    range[0] = 0;
    range[1] = 1;
    if (bracket == NULL) {
        return true;
    }
    range[0] = strtod(bracket + 1, &end);
    if (end == bracket + 1 || *end != ':') {
        return false;
    }
    char *second = end + 1;
    range[1] = strtod(second, &end);
    *bracket = '\0';
    return end != second && strcmp(end, "]") == 0 && range[0] >= 0 && range[0] <= range[1] &&
           range[1] <= 1;
}

static haw_status refuse_range(haw_context *context, const char *text)
{
    return haw_fail(
        context, HAW_ERR_INPUT,
        "probe '%s': a range is written cable.quantity[a:b], 0 <= a < b <= 1, a point as "
        "[a:a], a component before it: cable.position.y[1:1]",
        text);
}

/* What the row takes: a range, a point, one pair. */
static haw_status check_row(haw_context *context, const haw_probe_names *names, const char *text,
                            haw_probe *probe)
{
    const haw_probe_row *row = probe->row;
    const bool is_ranged = strchr(text, '[') != NULL;
    if (is_ranged && (row->traits & HAW_PROBE_RANGED) == 0) {
        return haw_fail(context, HAW_ERR_INPUT, "probe '%s': '%s' takes no range", text,
                        haw_probe_quantity(row));
    }
    if (probe->range[0] == probe->range[1] && (row->traits & HAW_PROBE_POINT) == 0) {
        return refuse_range(context, text);
    }
    if (row->kind != HAW_PROBE_CONTACT || probe->index >= 0 ||
        (row->traits & HAW_PROBE_SINGLE) == 0 || names->pair.count == 0) {
        return HAW_OK;
    }
    if (names->pair.count > 1) {
        const char *const *pair = haw_names_at(names->pair, 0);
        return haw_fail(context, HAW_ERR_INPUT,
                        "probe '%s': there are several pairs; name one of them, such as %s-%s.%s",
                        text, pair[0] != NULL ? pair[0] : "cable",
                        pair[1] != NULL ? pair[1] : "disk", haw_probe_quantity(row));
    }
    probe->index = 0;
    return HAW_OK;
}

/* Cut the last part off a name; NULL if there is only one. */
static char *cut(char *name)
{
    char *dot = strrchr(name, '.');
    if (dot == NULL) {
        return NULL;
    }
    *dot = '\0';
    return dot + 1;
}

/* `name` is the owner and its quantity: "owner.quantity" or, of one component, "owner.quantity.z".
 */
static haw_status bind(haw_context *context, const haw_probe_names *names, const char *text,
                       char *name, haw_probe *probe)
{
    static const char letters[] = "xyz";
    const char *quantity = cut(name);
    haw_probe_kind kind = find_owner(names, name, &probe->index);
    probe->component = -1;
    if (quantity == NULL) {
        return refuse(context, names, text, HAW_PROBE_NONE, false);
    }
    if (kind == HAW_PROBE_NONE && strlen(quantity) == 1 && strchr(letters, quantity[0]) != NULL) {
        probe->component = (int)(strchr(letters, quantity[0]) - letters);
        quantity = cut(name);
        kind = quantity != NULL ? find_owner(names, name, &probe->index) : HAW_PROBE_NONE;
    }
    if (kind == HAW_PROBE_NONE) {
        return refuse(context, names, text, kind, false);
    }
    probe->row = find_row(kind, quantity);
    const int size =
        probe->row != NULL ? haw_probe_row_size(&probe->row->row, names->dimension) : 0;
    if (size == 0) {
        return refuse(context, names, text, kind, probe->row != NULL);
    }
    probe->size = probe->component >= 0 ? 1 : size;
    const bool is_vector = (probe->row->traits & HAW_PROBE_VECTOR) != 0 && size > 1;
    const int components = is_vector ? size : 0;
    if (probe->component >= 0 && probe->component >= components) {
        return haw_fail(context, HAW_ERR_INPUT, "probe '%s': '%s' has no component '%c'", text,
                        quantity, letters[probe->component]);
    }
    return HAW_OK;
}

haw_status haw_probe_resolve(haw_context *context, const haw_probe_names *names, const char *text,
                             haw_probe *probe)
{
    char name[256];
    *probe = (haw_probe){.index = -1, .component = -1};
    if (strlen(text) >= sizeof name) {
        return refuse(context, names, text, HAW_PROBE_NONE, false);
    }
    memcpy(name, text, strlen(text) + 1);
    char *bracket = strchr(name, '[');
    if (!read_range(name, probe->range)) {
        return refuse_range(context, text);
    }
    if (bracket != NULL) {
        *bracket = '\0';
    }
    const haw_status status = bind(context, names, text, name, probe);
    if (status != HAW_OK || probe->row == NULL) {
        return status;
    }
    return bracket != NULL && probe->row->kind != HAW_PROBE_CABLE
               ? refuse_range(context, text)
               : check_row(context, names, text, probe);
}

haw_status haw_probe_check(haw_context *context, const haw_scene *scene, const char *text)
{
    const haw_probe_names names = {
        scene->dimension, HAW_NAMES(scene->body, scene->bodies, haw_body_spec, name),
        HAW_NAMES(scene->cable, scene->cables, haw_cable_spec, name),
        HAW_NAMES(scene->joint, scene->joints, haw_joint_spec, name),
        HAW_NAMES(scene->contact, scene->contacts, haw_contact_spec, between)};
    haw_probe probe;
    return haw_probe_resolve(context, &names, text, &probe);
}
