/* SPDX-License-Identifier: BSD-3-Clause */
/* Which kind of cable a description is for, and how it is refused. */
#include "cable/site.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = HAW_MESSAGE_SIZE };

haw_status haw_cable_refuse(const haw_site *site, const haw_cable_spec *spec, const char *key,
                            const char *format, ...)
{
    char text[TEXT];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const haw_status status =
        haw_fail(site->context, HAW_ERR_INPUT, "cable '%s': %s", spec->name, text);
    return haw_place(site->context, status, "cables.%s.%s", spec->name, key);
}

haw_status haw_cable_check_positive(const haw_site *site, const haw_cable_spec *spec,
                                    const char *key, double value)
{
    return value > 0 && isfinite(value)
               ? HAW_OK
               : haw_cable_refuse(site, spec, key, "%s must be > 0 (got %g)", key, value);
}

int haw_site_find_body(const haw_site *site, const char *name)
{
    return haw_names_find(HAW_NAMES(site->body, site->bodies, haw_body, name), name);
}

haw_status haw_cable_number(const haw_site *site, haw_cable *cable)
{
    if (cable->coordinates == 0) {
        cable->coordinates = cable->line.dofs;
    }
    if (cable->held == NULL) {
        cable->held =
            haw_arena_allocate(site->arena, (size_t)cable->line.dofs, sizeof *cable->held);
    }
    return haw_arena_status(site->arena);
}

/* ---- the row for a description ---- */

static bool takes_dimension(const haw_cable_ops *ops, int dimension)
{
    return ops->dimension == 0 || ops->dimension == dimension;
}

/* "ale or arc1d": the elements of kinds that are reeved. */
static void reeved_names(char text[TEXT])
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; haw_cables[i] != NULL; i++) {
        const haw_cable_ops *ops = (const haw_cable_ops *)haw_cables[i];
        if (ops->is_reeved && used < TEXT) {
            const int count =
                snprintf(text + used, TEXT - used, "%s%s", used > 0 ? " or " : "", ops->row.name);
            used += (size_t)(count > 0 ? count : 0);
        }
    }
}

/* Why no row takes it: `other` has its element. */
static haw_status refuse_kind(const haw_site *site, const haw_cable_spec *spec,
                              const haw_cable_ops *other, const char *element)
{
    const bool is_reeved = other != NULL && other->is_reeved;
    if (is_reeved && spec->sheaves > 0) {
        return haw_cable_refuse(site, spec, "reeving", "ropes over sheaves are planar");
    }
    if (is_reeved) {
        return haw_cable_refuse(site, spec, "reeving",
                                "the element '%s' is for ropes over sheaves: give a reeving",
                                element);
    }
    if (spec->sheaves > 0) {
        char names[TEXT];
        reeved_names(names);
        return haw_cable_refuse(site, spec, "element",
                                "a rope over sheaves needs the element %s, not '%s'", names,
                                element);
    }
    if (other != NULL) {
        return haw_cable_refuse(site, spec, "element", "there is no element '%s' in %s", element,
                                site->dimension > 2 ? "space" : "the plane");
    }
    const haw_row *const *elements = NULL;
    for (int i = 0; haw_cables[i] != NULL && elements == NULL; i++) {
        const haw_cable_ops *ops = (const haw_cable_ops *)haw_cables[i];
        elements = takes_dimension(ops, site->dimension) ? ops->elements : NULL;
    }
    const haw_status status = haw_row_unknown(site->context, elements, element,
                                              "cable '%s': unknown element", spec->name);
    return haw_place(site->context, status, "cables.%s.element", spec->name);
}

haw_status haw_cable_find(const haw_site *site, const haw_cable_spec *spec,
                          const haw_cable_ops **ops)
{
    const char *element = spec->element != NULL ? spec->element : "";
    const haw_cable_ops *other = NULL;
    for (int i = 0; haw_cables[i] != NULL; i++) {
        *ops = (const haw_cable_ops *)haw_cables[i];
        const bool has_element = (*ops)->elements != NULL /* by name, or by its own */
                                     ? haw_row_find((*ops)->elements, element) != NULL
                                     : strcmp((*ops)->row.name, element) == 0;
        if (has_element) {
            if (takes_dimension(*ops, site->dimension) &&
                (*ops)->is_reeved == (spec->sheaves > 0)) {
                return HAW_OK;
            }
            other = *ops;
        }
    }
    return refuse_kind(site, spec, other, element);
}
