/* SPDX-License-Identifier: BSD-3-Clause */
/* Read a results file; every defect in it is reported in one line. */
#include "io/results.h"

#include "io/file.h"
#include "io/hdf5.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_MAX_BYTES = 512, LONGEST_TEXT = 1 << 22 };

static const char *const group_names[HAW_RESULTS_GROUPS] = {
    [HAW_RESULTS_BODIES] = "bodies",
    [HAW_RESULTS_CABLES] = "cables",
    [HAW_RESULTS_CONTACTS] = "contacts",
    [HAW_RESULTS_PROBES] = "probes",
};

/* After a failure: was it for lack of memory? HDF5 does not tell. */
static haw_status check_memory(const haw_results *results, const char *path)
{
    if (errno != ENOMEM && !results->is_blind && !results->was_short) {
        return HAW_OK;
    }
    errno = 0;
    return haw_fail(results->context, HAW_ERR_NOMEM, "out of memory, while '%s' of '%s' is read",
                    path, results->file);
}

void haw_results_look(haw_results *results)
{
    results->was_short = results->was_short || errno == ENOMEM;
    errno = 0;
}

haw_status haw_results_damaged(const haw_results *results, const char *path)
{
    HAW_TRY(check_memory(results, path));
    return haw_fail(results->context, HAW_ERR_IO, "cannot read '%s': '%s' is missing or damaged",
                    results->file, path);
}

haw_status haw_results_without(const haw_results *results, const char *path)
{
    return results->is_blind ? haw_results_damaged(results, path) : HAW_OK;
}

/* ---- datasets ---- */

/* An open dataset and its shape; rank 1 counts as one component. */
typedef struct dataset {
    hid_t id;
    int rows, components;
} dataset;

/* No more numbers than the file can hold, before memory is asked for: deflate makes 1032 bytes of
 * one at most. */
static bool is_plausible(const haw_results *results, hid_t set, const hsize_t size[2])
{
    static const double ratio = 1032;
    hsize_t bytes = 0;
    const hid_t plist = H5Dget_create_plist(set), type = H5Dget_type(set);
    const bool may_be_packed = H5Pget_nfilters(plist) > 0 || H5Pget_layout(plist) == H5D_VIRTUAL;
    const double wanted = (double)size[0] * (double)size[1] * (double)H5Tget_size(type);
    (void)H5Tclose(type);
    (void)H5Pclose(plist);
    return plist >= 0 && H5Fget_filesize(results->id, &bytes) >= 0 &&
           wanted <= (double)bytes * (may_be_packed ? ratio : 1.0);
}

static bool open_dataset(const haw_results *results, const char *path, dataset *set)
{
    hsize_t size[2] = {0, 1};
    set->id = H5Dopen2(results->id, path, H5P_DEFAULT);
    const hid_t space = set->id >= 0 ? H5Dget_space(set->id) : -1;
    const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    const bool is_good = (rank == 1 || rank == 2) &&
                         H5Sget_simple_extent_dims(space, size, NULL) >= 0 && size[0] <= INT_MAX &&
                         size[1] >= 1 && size[1] <= INT_MAX && haw_hdf5_holds(set->id) &&
                         is_plausible(results, set->id, size);
    (void)H5Sclose(space);
    if (!is_good) {
        (void)H5Dclose(set->id);
    }
    set->rows = is_good ? (int)size[0] : 0;
    set->components = is_good ? (int)size[1] : 0;
    return is_good;
}

/* An attribute with room for one value is given: HDF5 would write all that there are. */
static bool is_single(hid_t attribute)
{
    const hid_t space = H5Aget_space(attribute);
    const bool is_one = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
    (void)H5Sclose(space);
    return is_one;
}

/* None is an empty one; false: there is one that cannot be read, or no memory to see it. */
static bool read_unit(hid_t set, char *unit, size_t bytes)
{
    const htri_t exists = H5Aexists(set, "unit");
    unit[0] = '\0';
    if (exists <= 0) {
        return exists == 0;
    }
    const hid_t attribute = H5Aopen(set, "unit", H5P_DEFAULT);
    const hid_t type = H5Tcopy(H5T_C_S1);
    const bool is_read = attribute >= 0 && is_single(attribute) && type >= 0 &&
                         H5Tset_size(type, bytes) >= 0 && H5Aread(attribute, type, unit) >= 0;
    unit[bytes - 1] = '\0';
    (void)H5Tclose(type);
    (void)H5Aclose(attribute);
    return is_read;
}

static haw_status read_array(haw_results *results, const char *path, haw_array *array)
{
    dataset set;
    if (results->is_blind || !open_dataset(results, path, &set)) {
        return haw_results_damaged(results, path);
    }
    *array = (haw_array){.rows = set.rows, .components = set.components};
    array->value = haw_arena_allocate(
        &results->arena, (size_t)set.rows * (size_t)set.components + 1, sizeof(double));
    haw_status status = haw_arena_status(&results->arena);
    if (status == HAW_OK && set.rows > 0 &&
        H5Dread(set.id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array->value) < 0) {
        status = haw_results_damaged(results, path);
    }
    if (status == HAW_OK && !read_unit(set.id, array->unit, sizeof array->unit)) {
        status = haw_results_damaged(results, path);
    }
    (void)H5Dclose(set.id);
    return status;
}

haw_status haw_results_array(haw_results *results, haw_array *array, const char *path, ...)
{
    char full[PATH_MAX_BYTES];
    va_list arguments;
    va_start(arguments, path);
    (void)vsnprintf(full, sizeof full, path, arguments);
    va_end(arguments);
    return read_array(results, full, array);
}

haw_status haw_results_column(haw_results *results, const char *group, const char *name,
                              const char *column, int components, haw_array *array)
{
    char path[PATH_MAX_BYTES];
    (void)snprintf(path, sizeof path, "/hawser/%s/%s%s%s", group, name != NULL ? name : "",
                   name != NULL ? "/" : "", column);
    HAW_TRY(read_array(results, path, array));
    if (array->rows < results->frames || (components > 0 && array->components != components)) {
        return haw_results_damaged(results, path);
    }
    array->rows = results->frames;
    return HAW_OK;
}

haw_status haw_results_points(haw_results *results, int *points)
{
    static const char path[] = "/VTKHDF/Points";
    haw_array count;
    dataset all;
    HAW_TRY(haw_results_array(results, &count, "/VTKHDF/NumberOfPoints"));
    if (!open_dataset(results, path, &all)) {
        return haw_results_damaged(results, path);
    }
    (void)H5Dclose(all.id);
    const double found = count.rows > 0 ? count.value[0] : 0;
    if (!(found >= 0 && found <= all.rows && found * results->frames <= INT_MAX)) {
        return haw_results_damaged(results, "/VTKHDF/NumberOfPoints");
    }
    *points = (int)found;
    return HAW_OK;
}

haw_status haw_results_cells(haw_results *results, const char *name, int points, haw_cells *cells)
{
    haw_array *corners = &cells->corners, *offsets = &cells->offsets;
    HAW_TRY(haw_results_array(results, corners, "/VTKHDF/%s/Connectivity", name));
    HAW_TRY(haw_results_array(results, offsets, "/VTKHDF/%s/Offsets", name));
    bool is_good = corners->components == 1 && offsets->components == 1;
    for (int i = 0; i < corners->rows && is_good; i++) {
        is_good = corners->value[i] >= 0 && corners->value[i] < points;
    }
    for (int i = 0; i + 1 < offsets->rows && is_good; i++) {
        const double from = offsets->value[i], to = offsets->value[i + 1];
        is_good = from >= 0 && from < to && to <= corners->rows;
    }
    cells->count = offsets->rows > 0 ? offsets->rows - 1 : 0;
    return is_good ? HAW_OK : haw_results_damaged(results, name);
}

haw_status haw_results_block(haw_results *results, const char *path, const haw_block *block,
                             double *value)
{
    dataset set;
    if (!open_dataset(results, path, &set)) {
        return haw_results_damaged(results, path);
    }
    const hsize_t start[2] = {(hsize_t)block->row, (hsize_t)block->component};
    const hsize_t count[2] = {(hsize_t)block->rows, (hsize_t)block->components};
    const hid_t file = H5Dget_space(set.id);
    const hid_t memory = H5Screate_simple(H5Sget_simple_extent_ndims(file), count, NULL);
    const bool is_read = set.components - block->component >= block->components &&
                         set.rows - block->row >= block->rows &&
                         H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                         H5Dread(set.id, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, value) >= 0;
    (void)H5Sclose(memory);
    (void)H5Sclose(file);
    (void)H5Dclose(set.id);
    return is_read ? HAW_OK : haw_results_damaged(results, path);
}

/* The labels of the samples change from frame to frame for ropes, for other cables they do not. */
static haw_status read_labels(haw_results *results, const char *cable, int frame, int points,
                              double *value)
{
    char path[PATH_MAX_BYTES];
    const bool moves = haw_results_has(results, "/hawser/cables/%s/label", cable);
    const haw_block block = moves ? (haw_block){.row = frame, .rows = 1, .components = points}
                                  : (haw_block){.rows = points, .components = 1};
    (void)snprintf(path, sizeof path, "/hawser/cables/%s/%s", cable, moves ? "label" : "xi");
    return haw_results_block(results, path, &block, value);
}

haw_status haw_results_profile(haw_results *results, const char *cable, const char *column,
                               int frame, int points, double *value)
{
    static const char vector[] = "contact_force_";
    char path[PATH_MAX_BYTES];
    double first[2] = {0.0, 0.0};
    double all[2] = {0.0, 0.0};
    if (strcmp(column, "xi") == 0) {
        return read_labels(results, cable, frame, points, value);
    }
    if (!haw_results_attribute(results, "cables", cable, "first_point", first) ||
        !haw_results_attribute(results, "cables", cable, "frame_points", all) ||
        !(fabs(first[0] + frame * all[0]) < INT_MAX)) {
        return haw_results_damaged(results, cable);
    }
    /* The views in the cable's group are not used: the file of a killed run does not have them. */
    haw_block block = {.row = (int)(first[0] + frame * all[0]), .rows = points, .components = 1};
    if (strcmp(column, "x") == 0 || strcmp(column, "y") == 0 || strcmp(column, "z") == 0) {
        block.component = column[0] - 'x';
        return haw_results_block(results, "/VTKHDF/Points", &block, value);
    }
    if (strncmp(column, vector, sizeof vector - 1) == 0) {
        block.component = column[sizeof vector - 1] - 'x';
        return haw_results_block(results, "/VTKHDF/PointData/contact_force", &block, value);
    }
    (void)snprintf(path, sizeof path, "/VTKHDF/PointData/%s", column);
    return haw_results_block(results, path, &block, value);
}

haw_status haw_results_profiles(haw_results *results, const char *cable, const char *const *column,
                                int frame, haw_array *array)
{
    haw_array xi;
    HAW_TRY(haw_results_array(results, &xi, "/hawser/cables/%s/xi", cable));
    *array = (haw_array){.rows = xi.rows, .components = haw_words_count(column)};
    array->value = haw_arena_allocate(
        &results->arena, (size_t)array->components * (size_t)xi.rows + 1, sizeof(double));
    HAW_TRY(haw_arena_status(&results->arena));
    for (int i = 0; i < array->components; i++) {
        HAW_TRY(haw_results_profile(results, cable, column[i], frame, xi.rows,
                                    array->value + (ptrdiff_t)i * xi.rows));
    }
    return HAW_OK;
}

/* HDF5 answers alike where something is not there and where it cannot look for lack of memory. */
static bool is_there(haw_results *results, htri_t answer)
{
    results->is_blind = results->is_blind || (answer <= 0 && haw_hdf5_lacks_memory());
    return answer > 0;
}

bool haw_results_has(haw_results *results, const char *path, ...)
{
    char full[PATH_MAX_BYTES];
    va_list arguments;
    va_start(arguments, path);
    (void)vsnprintf(full, sizeof full, path, arguments);
    va_end(arguments);
    haw_results_look(results);
    return is_there(results, H5Lexists(results->id, full, H5P_DEFAULT));
}

bool haw_results_attribute(haw_results *results, const char *group, const char *name,
                           const char *key, double value[2])
{
    char path[PATH_MAX_BYTES];
    (void)snprintf(path, sizeof path, "/hawser/%s/%s", group, name);
    haw_results_look(results);
    if (!is_there(results, H5Aexists_by_name(results->id, path, key, H5P_DEFAULT))) {
        return false;
    }
    const hid_t attribute = H5Aopen_by_name(results->id, path, key, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = attribute >= 0 ? H5Aget_space(attribute) : -1;
    const hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    const bool is_read =
        count >= 1 && count <= 2 && H5Aread(attribute, H5T_NATIVE_DOUBLE, value) >= 0;
    (void)H5Sclose(space);
    (void)H5Aclose(attribute);
    return is_there(results, is_read);
}

haw_status haw_results_text(haw_results *results, const char *path, char **text)
{
    const hid_t set = H5Dopen2(results->id, path, H5P_DEFAULT);
    const hid_t type = set >= 0 ? H5Dget_type(set) : -1, space = set >= 0 ? H5Dget_space(set) : -1;
    /* One text that is stored as its bytes: neither many nor a pointer to one. */
    const bool is_text = type >= 0 && H5Tget_class(type) == H5T_STRING &&
                         H5Tis_variable_str(type) == 0 &&
                         H5Sget_simple_extent_npoints(space) == 1 && haw_hdf5_holds(set);
    const size_t bytes = is_text ? H5Tget_size(type) : LONGEST_TEXT;
    *text = bytes < LONGEST_TEXT ? haw_arena_allocate(&results->arena, bytes + 1, 1) : NULL;
    const bool is_read =
        *text != NULL && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *text) >= 0;
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    (void)H5Dclose(set);
    HAW_TRY(haw_arena_status(&results->arena));
    return is_read ? HAW_OK : haw_results_damaged(results, path);
}

/* ---- opening ---- */

static haw_status list_group(haw_results *results, haw_results_group which)
{
    char text[HAW_MEMBER_MAX];
    haw_names *names = &results->names[which];
    H5G_info_t info;
    (void)snprintf(text, sizeof text, "/hawser/%s", group_names[which]);
    const hid_t group = H5Gopen2(results->id, text, H5P_DEFAULT);
    if (group < 0 || H5Gget_info(group, &info) < 0 || info.nlinks > INT_MAX) {
        return haw_results_damaged(results, text);
    }
    names->name = haw_arena_allocate(&results->arena, info.nlinks + 1, sizeof *names->name);
    bool is_read = names->name != NULL;
    for (hsize_t i = 0; is_read && i < info.nlinks; i++) {
        haw_results_look(results);
        is_read = H5Lget_name_by_idx(group, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, text,
                                     sizeof text, H5P_DEFAULT) >= 0;
        const bool is_clock = is_read && haw_hdf5_is_clock(group, text);
        is_read = is_read && (is_clock || errno != ENOMEM);
        if (is_read && !is_clock) {
            names->name[names->count++] = haw_arena_string(&results->arena, text);
        }
    }
    (void)H5Gclose(group);
    HAW_TRY(haw_arena_status(&results->arena));
    return is_read ? HAW_OK : haw_results_damaged(results, group_names[which]);
}

/* A missing file, a file that is not HDF5 and an HDF5 file of another program have their own
 * messages. */
static haw_status open_file(haw_results *results)
{
    char magic[9] = "";
    size_t bytes;
    int descriptor;
    H5G_info_t root;
    HAW_TRY(haw_file_regular(results->context, results->file, &descriptor, &bytes));
    ssize_t got;
    do {
        got = read(descriptor, magic, 8);
    } while (got < 0 && errno == EINTR);
    const int error = errno;
    (void)close(descriptor);
    if (got < 0) {
        return haw_file_fail(results->context, "read", results->file, error);
    }
    if (memcmp(magic, "\211HDF\r\n\032\n", 8) != 0) {
        return haw_fail(results->context, HAW_ERR_IO,
                        "cannot read '%s': it is not a hawser results file", results->file);
    }
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    (void)H5Pset_fclose_degree(access, H5F_CLOSE_STRONG); /* with all that a failure left open */
    results->id = H5Fopen(results->file, H5F_ACC_RDONLY, access);
    (void)H5Pclose(access);
    if (results->id < 0) {
        HAW_TRY(check_memory(results, "/"));
        return haw_fail(results->context, HAW_ERR_IO,
                        "cannot read '%s': it is incomplete or damaged", results->file);
    }
    if (!haw_results_has(results, "/hawser")) {
        HAW_TRY(check_memory(results, "/hawser"));
        if (H5Gget_info(results->id, &root) >= 0 && root.nlinks == 0) {
            return haw_fail(results->context, HAW_ERR_IO,
                            "cannot read '%s': there is nothing in it, as where a run was killed "
                            "before its first flush",
                            results->file);
        }
        return haw_fail(results->context, HAW_ERR_IO,
                        "cannot read '%s': it is not a hawser results file", results->file);
    }
    return HAW_OK;
}

/* Frames that are whole, by the number that is written last; negative: there is none. */
static long count_frames(haw_results *results)
{
    long steps = -1;
    haw_results_look(results);
    const hid_t count =
        H5Aopen_by_name(results->id, "/VTKHDF/Steps", "NSteps", H5P_DEFAULT, H5P_DEFAULT);
    if (count < 0 || !is_single(count) || H5Aread(count, H5T_NATIVE_LONG, &steps) < 0) {
        steps = -1;
    }
    (void)H5Aclose(count);
    (void)is_there(results, steps >= 0);
    return steps;
}

typedef struct torn_search {
    double frames, points;
    char name[PATH_MAX_BYTES]; /* of a dataset that lacks chunks, or "" */
} torn_search;

/* A chunk that the index has lost would be read as zeros. */
static herr_t look_for_torn(hid_t parent, const char *name, const H5O_info_t *info, void *user)
{
    torn_search *search = user;
    hsize_t chunk[2] = {1, 1}, chunks = 0, size[2] = {0, 1};
    if (info->type != H5O_TYPE_DATASET) {
        return 0;
    }
    const hid_t set = H5Dopen2(parent, name, H5P_DEFAULT);
    const hid_t plist = H5Dget_create_plist(set), space = H5Dget_space(set);
    const bool is_chunked = plist >= 0 && H5Pget_layout(plist) == H5D_CHUNKED;
    const bool is_read = is_chunked && H5Pget_chunk(plist, 2, chunk) > 0 &&
                         H5Sget_simple_extent_ndims(space) <= 2 &&
                         H5Sget_simple_extent_dims(space, size, NULL) >= 0 &&
                         H5Dget_num_chunks(set, space, &chunks) >= 0;
    const bool is_event = strncmp(name, "hawser/events/", 14) == 0;
    const bool has_points = strncmp(name, "VTKHDF/Point", 12) == 0;
    const double rows =
        is_event ? (double)size[0] : search->frames * (has_points ? search->points : 1.0);
    if (is_chunked &&
        (!is_read || (double)chunks * (double)chunk[0] < rows || (double)size[0] < rows)) {
        (void)snprintf(search->name, sizeof search->name, "/%s", name);
    }
    (void)H5Sclose(space);
    (void)H5Pclose(plist);
    (void)H5Dclose(set);
    return errno == ENOMEM ? -1 : search->name[0] != '\0';
}

/* What a killed run has left: HDF5 changes its indices in place, and a process can be killed in the
 * middle of that. */
static haw_status check_indices(haw_results *results)
{
    haw_array points;
    torn_search search = {.frames = results->frames};
    HAW_TRY(haw_results_array(results, &points, "/VTKHDF/NumberOfPoints"));
    search.points = points.rows > 0 ? points.value[0] : 0.0;
    haw_results_look(results);
    const herr_t found = H5Ovisit2(results->id, H5_INDEX_NAME, H5_ITER_NATIVE, look_for_torn,
                                   &search, H5O_INFO_BASIC);
    if (found == 0) {
        return HAW_OK;
    }
    HAW_TRY(check_memory(results, found > 0 ? search.name : "/"));
    return haw_fail(results->context, HAW_ERR_IO,
                    "cannot read '%s': its run was killed while '%s' was being written; a "
                    "checkpoint beside it is whole",
                    results->file, found > 0 ? search.name : "it");
}

static haw_status open_results(haw_results *results)
{
    dataset clock;
    HAW_TRY(open_file(results));
    if (!open_dataset(results, "/hawser/energy/t", &clock)) {
        return haw_results_damaged(results, "/hawser/energy/t");
    }
    const long whole = count_frames(results);
    results->frames = whole >= 0 && whole < clock.rows ? (int)whole : clock.rows;
    haw_results_look(results);
    results->dimension =
        is_there(results, H5Aexists_by_name(results->id, "/hawser", "dimension", H5P_DEFAULT))
            ? 3
            : HAW_RESULTS_DIMENSION;
    (void)H5Dclose(clock.id);
    if (!haw_results_has(results, "/hawser/summary")) {
        HAW_TRY(check_indices(results));
    }
    for (int i = 0; i < HAW_RESULTS_GROUPS; i++) {
        HAW_TRY(list_group(results, (haw_results_group)i));
    }
    return haw_results_without(results, "/hawser");
}

haw_status haw_results_open(haw_context *context, const char *file, haw_results **results)
{
    *results = NULL;
    errno = 0;
    HAW_TRY(haw_hdf5_silence(context));
    *results = haw_allocate(context, 1, sizeof **results);
    if (*results == NULL) {
        return HAW_ERR_NOMEM;
    }
    (*results)->context = context;
    (*results)->id = -1;
    haw_arena_init(&(*results)->arena, context);
    (*results)->file = haw_arena_string(&(*results)->arena, file);
    haw_status status = haw_arena_status(&(*results)->arena);
    status = status == HAW_OK ? open_results(*results) : status;
    if (status != HAW_OK) {
        haw_results_close(*results);
        *results = NULL;
    }
    return status;
}

void haw_results_close(haw_results *results)
{
    if (results == NULL) {
        return;
    }
    if (results->id >= 0) {
        (void)H5Fclose(results->id);
    }
    haw_arena_fini(&results->arena);
    haw_release(results->context, results);
}

haw_status haw_results_end(haw_results *results, haw_status status)
{
    status = status == HAW_OK ? haw_results_without(results, "/hawser") : status;
    haw_results_close(results);
    return status;
}

/* ---- events ---- */

haw_status haw_results_events(haw_results *results, haw_events *events)
{
    static const char *const columns[] = {"t", "pair", "kind", "value"};
    haw_array array[4] = {{0}};
    int count = INT_MAX;
    for (int i = 0; i < 4; i++) {
        HAW_TRY(haw_results_array(results, &array[i], "/hawser/events/%s", columns[i]));
        count = array[i].rows < count ? array[i].rows : count;
    }
    events->count = 0;
    events->event = haw_arena_allocate(&results->arena, (size_t)count + 1, sizeof *events->event);
    HAW_TRY(haw_arena_status(&results->arena));
    for (int i = 0; i < count; i++) {
        const double kind = array[2].value[i];
        const double pair = array[1].value[i];
        if (!(kind >= HAW_EVENT_FIRST_CONTACT && kind <= HAW_EVENT_WRAP && fabs(pair) <= INT_MAX)) {
            return haw_results_damaged(results, "/hawser/events");
        }
        const haw_event event = {array[0].value[i], (int)pair, (haw_event_kind)(int)kind,
                                 array[3].value[i]};
        int place = events->count++;
        /* A separation is detected after it has happened, so events are almost, but not quite, in
         * order. */
        for (; place > 0 && events->event[place - 1].t > event.t; place--) {
            events->event[place] = events->event[place - 1];
        }
        events->event[place] = event;
    }
    return HAW_OK;
}
