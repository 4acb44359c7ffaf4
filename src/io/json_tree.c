/* SPDX-License-Identifier: BSD-3-Clause */
/* A results file as JSON for a page: groups are objects, arrays are base64 of 32-bit floats. */
#include "io/json_tree.h"

#include "io/hdf5.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

/* ---- base64 ---- */

/* Three bytes are four digits; floats are little-endian on every machine that this runs on. */
typedef struct encoder {
    FILE *stream;
    uint32_t bits;
    int bytes;
} encoder;

static void put_digits(encoder *e)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const int count = e->bytes == 0 ? 0 : e->bytes + 1;
    char text[] = {'=', '=', '=', '='};
    e->bits <<= 8 * (3 - e->bytes);
    for (int i = 0; i < count; i++) {
        text[i] = digit[e->bits >> (18 - 6 * i) & 63];
    }
    (void)fwrite(text, 1, count > 0 ? sizeof text : 0, e->stream);
    e->bits = 0;
    e->bytes = 0;
}

static void put_floats(encoder *e, const double *value, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const float number = (float)value[i];
        unsigned char byte[sizeof number];
        memcpy(byte, &number, sizeof number);
        for (size_t k = 0; k < sizeof number; k++) {
            e->bits = e->bits << 8 | byte[k];
            if (++e->bytes == 3) {
                put_digits(e);
            }
        }
    }
}

/* Up to the numbers of an array, and behind them. */
static encoder begin_array(haw_json *json, const char *key, int rows, int components,
                           const char *unit)
{
    haw_json_open(json, key, '{');
    haw_json_array(json, "shape", 2, (const double[]){rows, components});
    haw_json_text(json, "unit", unit);
    haw_json_key(json, "data");
    (void)fputc('"', json->out);
    return (encoder){.stream = json->out};
}

static void end_array(haw_json *json, encoder *e)
{
    put_digits(e);
    (void)fputc('"', json->out);
    haw_json_close(json, '}');
}

static haw_status put_array(haw_results *results, const char *key, const char *path, haw_json *json)
{
    const haw_arena_mark mark = haw_arena_here(&results->arena);
    haw_array array;
    HAW_TRY(haw_results_array(results, &array, "%s", path));
    encoder e = begin_array(json, key, array.rows, array.components, array.unit);
    put_floats(&e, array.value, (size_t)array.rows * (size_t)array.components);
    end_array(json, &e);
    haw_arena_rewind(&results->arena, &mark);
    return HAW_OK;
}

/* ---- groups ---- */

enum { DEEPEST = 6, PATH = 512, OBJECT_BYTES = 64 };

typedef struct tree {
    haw_results *results;
    haw_json *json;
    hsize_t objects; /* so far */
} tree;

/* Links can lead round in circles: no more objects than the file has room for. */
static bool has_room(tree *t)
{
    hsize_t bytes = 0;
    return H5Fget_filesize(t->results->id, &bytes) >= 0 && ++t->objects <= bytes / OBJECT_BYTES;
}

/* What HDF5 could not see for lack of memory would be left out of the page in silence. */
static void note_memory(haw_results *results)
{
    results->is_blind = results->is_blind || errno == ENOMEM;
}

/* A short text, or up to eight numbers; else null. */
static void put_attribute(hid_t attribute, const char *key, haw_json *json)
{
    enum { MOST = 8, LONGEST = 2048 };

    double value[MOST] = {0};
    char text[LONGEST] = "";
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    const bool is_text = H5Tget_class(type) == H5T_STRING;
    const bool is_held = is_text && H5Tis_variable_str(type) == 0; /* its bytes, no pointer */
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (is_held && count == 1 && H5Tget_size(type) < LONGEST &&
        H5Aread(attribute, type, text) >= 0) {
        haw_json_text(json, key, text);
    } else if (!is_text && count > 0 && count <= MOST &&
               H5Aread(attribute, H5T_NATIVE_DOUBLE, value) >= 0) {
        haw_json_values(json, key, (int)count, value);
    } else {
        haw_json_text(json, key, NULL);
    }
    (void)H5Tclose(type);
    (void)H5Sclose(space);
}

static haw_status put_attributes(haw_results *results, hid_t group, haw_json *json)
{
    H5O_info_t info;
    haw_results_look(results);
    const haw_status status = H5Oget_info2(group, &info, H5O_INFO_NUM_ATTRS) >= 0
                                  ? HAW_OK
                                  : haw_results_damaged(results, "attributes");
    haw_json_open(json, "@", '{');
    for (hsize_t i = 0; status == HAW_OK && i < info.num_attrs; i++) {
        char name[HAW_MEMBER_MAX] = "";
        const hid_t attribute =
            H5Aopen_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT);
        (void)H5Aget_name(attribute, sizeof name, name);
        put_attribute(attribute, name, json);
        (void)H5Aclose(attribute);
    }
    note_memory(results);
    haw_json_close(json, '}');
    return status;
}

/* Numbers, or a text; views of what /VTKHDF has are left out. */
static haw_status put_dataset(haw_results *results, hid_t set, const char *key, const char *path,
                              haw_json *json)
{
    haw_results_look(results);
    const hid_t type = H5Dget_type(set), plist = H5Dget_create_plist(set);
    const bool is_text = H5Tget_class(type) == H5T_STRING;
    const H5D_layout_t layout = H5Pget_layout(plist);
    const bool is_view = layout == H5D_VIRTUAL;
    (void)H5Tclose(type);
    (void)H5Pclose(plist);
    note_memory(results);
    if (type < 0 || layout < 0) {
        return haw_results_damaged(results, path);
    }
    if (is_view) {
        haw_json_text(json, key, NULL);
        return HAW_OK;
    }
    if (is_text) {
        const haw_arena_mark mark = haw_arena_here(&results->arena);
        char *text;
        HAW_TRY(haw_results_text(results, path, &text));
        haw_json_text(json, key, text);
        haw_arena_rewind(&results->arena, &mark);
        return HAW_OK;
    }
    return put_array(results, key, path, json);
}

/* NOLINTNEXTLINE(misc-no-recursion): down to DEEPEST */
static haw_status put_group(tree *t, hid_t group, const char *key, const char *path, int depth)
{
    haw_results *results = t->results;
    haw_json *json = t->json;
    H5G_info_t info;
    haw_status status =
        H5Gget_info(group, &info) >= 0 ? HAW_OK : haw_results_damaged(results, path);
    haw_json_open(json, key, '{');
    HAW_TRY(status);
    HAW_TRY(put_attributes(results, group, json));
    for (hsize_t i = 0; status == HAW_OK && i < info.nlinks && depth < DEEPEST; i++) {
        char name[HAW_MEMBER_MAX] = "", full[PATH];
        if (!has_room(t)) {
            return haw_results_damaged(results, path);
        }
        haw_results_look(results);
        (void)H5Lget_name_by_idx(group, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, name, sizeof name,
                                 H5P_DEFAULT);
        (void)snprintf(full, sizeof full, "%s/%s", path, name);
        if (haw_hdf5_is_clock(group, name) && strcmp(path, "/hawser/energy") != 0) {
            continue;
        }
        const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
        note_memory(results);
        status = H5Iget_type(object) == H5I_GROUP ? put_group(t, object, name, full, depth + 1)
                                                  : put_dataset(results, object, name, full, json);
        (void)H5Oclose(object);
    }
    haw_json_close(json, '}');
    return status;
}

haw_status haw_json_put_results(haw_results *results, const char *key, haw_json *json)
{
    const hid_t group = H5Gopen2(results->id, "/hawser", H5P_DEFAULT);
    tree t = {.results = results, .json = json};
    const haw_status status = group < 0 ? haw_results_damaged(results, "/hawser")
                                        : put_group(&t, group, key, "/hawser", 0);
    (void)H5Gclose(group);
    return status;
}

/* ---- frames of /VTKHDF ---- */

haw_status haw_json_put_frames(haw_results *results, const char *key, const char *path, int points,
                               int stride, haw_json *json)
{
    haw_block block = {.rows = points};
    const bool is_vector = strstr(path, "Points") != NULL || strstr(path, "_force") != NULL;
    block.components = is_vector ? 3 : 1;
    const haw_arena_mark mark = haw_arena_here(&results->arena);
    double *value = haw_arena_allocate(
        &results->arena, (size_t)points * (size_t)block.components + 1, sizeof *value);
    HAW_TRY(haw_arena_status(&results->arena));
    encoder e = begin_array(json, key, points, block.components, "");
    for (int frame = 0; frame < results->frames; frame += stride) {
        block.row = frame * points;
        HAW_TRY(haw_results_block(results, path, &block, value));
        put_floats(&e, value, (size_t)points * (size_t)block.components);
    }
    end_array(json, &e);
    haw_arena_rewind(&results->arena, &mark);
    return HAW_OK;
}
