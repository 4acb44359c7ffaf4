/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings by key for those who describe a scene in C. */
#include "base/status.h"
#include "shape/surface.h"

#include <hawser/model.h>

#include <string.h>

haw_status haw_body_set(haw_context *context, haw_body_spec *body, const char *key, double value)
{
    return haw_options_set_real(context, haw_body_options, body, key, value);
}

haw_status haw_body_set_text(haw_context *context, haw_body_spec *body, const char *key,
                             const char *text)
{
    return haw_options_parse(context, haw_body_options, body, key, text);
}

haw_status haw_cable_set(haw_context *context, haw_cable_spec *cable, const char *key, double value)
{
    return haw_options_set_real(context, haw_cable_options, cable, key, value);
}

haw_status haw_cable_set_text(haw_context *context, haw_cable_spec *cable, const char *key,
                              const char *text)
{
    return haw_options_parse(context, haw_cable_options, cable, key, text);
}

haw_status haw_contact_set(haw_context *context, haw_contact_spec *contact, const char *key,
                           double value)
{
    return haw_options_set_real(context, haw_contact_options, contact, key, value);
}

haw_status haw_contact_set_text(haw_context *context, haw_contact_spec *contact, const char *key,
                                const char *text)
{
    return haw_options_parse(context, haw_contact_options, contact, key, text);
}

/* ---- shapes ---- */

static bool has_key(const haw_row *row, const char *key)
{
    return key == NULL || haw_options_find(row->options, key) != NULL;
}

/* A name may stand in both tables (plane): the row that has the key. @return NULL: no such shape */
static const haw_row *choose_shape(haw_context *context, haw_body_spec *body, const char *shape,
                                   const char *key)
{
    const haw_row *flat = haw_row_find(haw_shapes, shape);
    const haw_row *round = haw_row_find(haw_surfaces, shape);
    const haw_row *row = round == NULL || (flat != NULL && has_key(flat, key)) ? flat : round;
    if (row == NULL) {
        const bool is_flat = haw_row_nearest(haw_shapes, shape) != NULL;
        (void)haw_row_unknown(context, is_flat ? haw_shapes : haw_surfaces, shape, "unknown shape");
        return NULL;
    }
    if (body->shape == NULL || strcmp(body->shape, shape) != 0) {
        haw_options_init(row->options, body->shape_options);
    }
    body->shape = row->name;
    return row;
}

haw_status haw_body_set_shape(haw_context *context, haw_body_spec *body, const char *shape,
                              const char *key, double value)
{
    const haw_row *row = choose_shape(context, body, shape, key);
    if (row == NULL || key == NULL) {
        return row == NULL ? HAW_ERR_INPUT : HAW_OK;
    }
    return haw_options_set_real(context, row->options, body->shape_options, key, value);
}

haw_status haw_body_set_shape_text(haw_context *context, haw_body_spec *body, const char *shape,
                                   const char *key, const char *text)
{
    const haw_row *row = choose_shape(context, body, shape, key);
    if (row == NULL || key == NULL) {
        return row == NULL ? HAW_ERR_INPUT : HAW_OK;
    }
    return haw_options_parse(context, row->options, body->shape_options, key, text);
}
