/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of probes: owner.quantity or owner.quantity[a:b]. */
#include "stepper/probe.h"

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
    const char *name[2];
    for (int i = 0; names->pair(names->scene, i, name); i++) {
        if (name[0] != NULL && name[1] != NULL && names_pair(text, name[0], name[1])) {
            return i;
        }
    }
    return -1;
}

static int find_name(const char *(*list)(const void *scene, int i), const void *scene,
                     const char *name)
{
    const char *candidate = list(scene, 0);
    for (int i = 0; candidate != NULL; candidate = list(scene, ++i)) {
        if (strcmp(candidate, name) == 0) {
            return i;
        }
    }
    return -1;
}

static haw_probe_kind find_owner(const haw_probe_names *names, const char *name, int *index)
{
    *index = find_name(names->body, names->scene, name);
    if (*index >= 0) {
        return HAW_PROBE_BODY;
    }
    *index = find_name(names->cable, names->scene, name);
    if (*index >= 0) {
        return HAW_PROBE_CABLE;
    }
    *index = find_pair(names, name);
    return *index >= 0 || strcmp(name, "contact") == 0 ? HAW_PROBE_CONTACT : HAW_PROBE_NONE;
}

static const haw_probe_row *find_row(haw_probe_kind kind, const char *name)
{
    for (const haw_probe_row *row = haw_probe_rows; row->name != NULL; row++) {
        if (row->kind == kind && strcmp(row->name, name) == 0) {
            return row;
        }
    }
    return NULL;
}

static haw_status refuse(haw_context *context, const char *text, haw_probe_kind kind)
{
    char names[512] = "";
    size_t used = 0;
    for (const haw_probe_row *row = haw_probe_rows; row->name != NULL; row++) {
        if (row->kind == kind && used < sizeof names) {
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                     used > 0 ? ", " : "", row->name);
        }
    }
    if (kind == HAW_PROBE_NONE) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "probe '%s': its first part must be a body, a cable, 'contact' or a pair "
                        "such as cable-disk",
                        text);
    }
    return haw_fail(context, HAW_ERR_INPUT, "probe '%s': unknown quantity (allowed: %s)", text,
                    names);
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
    return haw_fail(context, HAW_ERR_INPUT,
                    "probe '%s': a range is written cable.quantity[a:b], 0 <= a < b <= 1, a point "
                    "of cable.tension as [a:a]",
                    text);
}

/* What the row takes: a range, a point, one pair. */
static haw_status check_row(haw_context *context, const haw_probe_names *names, const char *text,
                            haw_probe *probe)
{
    const haw_probe_row *row = probe->row;
    const bool is_ranged = strchr(text, '[') != NULL;
    const char *pair[2], *other[2];
    if (is_ranged && (row->traits & HAW_PROBE_RANGED) == 0) {
        return haw_fail(context, HAW_ERR_INPUT, "probe '%s': '%s' takes no range", text, row->name);
    }
    if (probe->range[0] == probe->range[1] && (row->traits & HAW_PROBE_POINT) == 0) {
        return refuse_range(context, text);
    }
    if (row->kind != HAW_PROBE_CONTACT || probe->index >= 0 ||
        (row->traits & HAW_PROBE_SINGLE) == 0 || !names->pair(names->scene, 0, pair)) {
        return HAW_OK;
    }
    if (names->pair(names->scene, 1, other)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "probe '%s': there are several pairs; name one of them, such as %s-%s.%s",
                        text, pair[0] != NULL ? pair[0] : "cable",
                        pair[1] != NULL ? pair[1] : "disk", row->name);
    }
    probe->index = 0;
    return HAW_OK;
}

haw_status haw_probe_resolve(haw_context *context, const haw_probe_names *names, const char *text,
                             haw_probe *probe)
{
    char name[256];
    if (strlen(text) >= sizeof name || strrchr(text, '.') == NULL) {
        return refuse(context, text, HAW_PROBE_NONE);
    }
    memcpy(name, text, strlen(text) + 1);
    char *bracket = strchr(name, '[');
    char *dot = bracket != NULL ? bracket : name + strlen(name);
    while (dot > name && *dot != '.') {
        dot--;
    }
    *dot = '\0';
    const haw_probe_kind kind = find_owner(names, name, &probe->index);
    if (!read_range(dot + 1, probe->range) || (bracket != NULL && kind != HAW_PROBE_CABLE)) {
        return refuse_range(context, text);
    }
    probe->row = find_row(kind, dot + 1);
    return probe->row != NULL ? check_row(context, names, text, probe)
                              : refuse(context, text, kind);
}

static const char *body_name(const void *scene, int i)
{
    const haw_scene *s = scene;
    return i < s->bodies ? s->body[i].name : NULL;
}

static const char *cable_name(const void *scene, int i)
{
    const haw_scene *s = scene;
    return i < s->cables ? s->cable[i].name : NULL;
}

static bool pair_names(const void *scene, int i, const char *name[2])
{
    const haw_scene *s = scene;
    if (i >= s->contacts) {
        return false;
    }
    name[0] = s->contact[i].between[0];
    name[1] = s->contact[i].between[1];
    return true;
}

haw_status haw_probe_check(haw_context *context, const haw_scene *scene, const char *text)
{
    const haw_probe_names names = {scene, body_name, cable_name, pair_names};
    haw_probe probe;
    return haw_probe_resolve(context, &names, text, &probe);
}
