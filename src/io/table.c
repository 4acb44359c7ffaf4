/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffered columns of a results file. */
#include "io/table.h"

#include <errno.h>
#include <string.h>

enum {
    BUFFER_BYTES = 1 << 20,  /* bounds the memory of long cables */
    BUFFER_FRAMES = 64,      /* bounds what a killed run loses */
    HISTORY_BYTES = 1 << 12, /* chunk of a history: scenes may have thousands */
    CHUNK_BYTES = 1 << 16,   /* of a profile */
    CHUNK_OVERHEAD = 8192    /* index and header of a dataset */
};

haw_status haw_table_store(haw_table *table, int samples)
{
    const size_t fit = CHUNK_BYTES / (sizeof(double) * ((size_t)samples + 1));
    if (table->storage.compress > 0 && H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0) {
        return haw_fail(table->arena->context, HAW_ERR_INPUT,
                        "output.compress: HDF5 was built without deflate here; leave it out");
    }
    table->chunk_frames = fit < 1 ? 1 : fit > BUFFER_FRAMES ? BUFFER_FRAMES : (int)fit;
    return HAW_OK;
}

hid_t haw_table_type(const haw_table *table, bool is_profile)
{
    return is_profile && table->storage.precision == HAW_PRECISION_FLOAT32 ? H5T_IEEE_F32LE
                                                                           : H5T_IEEE_F64LE;
}

/*
 * Rows of a chunk. A chunk that is compressed moves when it is written a second time, so it has
 * whole frames, and as many as the buffer or a fraction of it: it is written once.
 */
static hsize_t chunk_rows(const haw_table *table, const haw_column_spec *spec)
{
    if (spec->is_profile && table->storage.compress > 0) {
        return (hsize_t)table->chunk_frames * (hsize_t)spec->rows;
    }
    const bool is_history = spec->rows == 1 && !spec->is_profile;
    const size_t fit =
        (is_history ? HISTORY_BYTES : CHUNK_BYTES) / (sizeof(double) * (size_t)spec->components);
    return fit > 1 ? fit : 1;
}

/* Time stamps would make equal runs differ. Each chunk is written once, so the cache is small. */
static haw_status make_set(const haw_table *table, hid_t group, const haw_column_spec *spec,
                           hid_t *set)
{
    const hsize_t chunk[2] = {chunk_rows(table, spec), (hsize_t)spec->components};
    const hsize_t size[2] = {0, (hsize_t)spec->components};
    const hsize_t limit[2] = {H5S_UNLIMITED, (hsize_t)spec->components};
    const int rank = spec->components > 1 || spec->is_matrix ? 2 : 1;
    const hid_t space = H5Screate_simple(rank, size, limit);
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    const hid_t type = spec->is_integer ? H5T_STD_I64LE : haw_table_type(table, spec->is_profile);
    bool is_set = H5Pset_chunk(create, rank, chunk) >= 0;
    if (spec->is_profile && table->storage.compress > 0) {
        is_set = is_set && H5Pset_shuffle(create) >= 0 &&
                 H5Pset_deflate(create, (unsigned)table->storage.compress) >= 0;
    }
    is_set = is_set && H5Pset_obj_track_times(create, false) >= 0;
    is_set = is_set && H5Pset_chunk_cache(access, 7, (size_t)2 * CHUNK_BYTES, 1.0) >= 0;
    *set = is_set ? H5Dcreate2(group, spec->name, type, space, H5P_DEFAULT, create, access) : -1;
    const haw_status status = *set < 0 ? haw_hdf5_broken(table->file) : HAW_OK;
    (void)H5Pclose(access);
    (void)H5Pclose(create);
    (void)H5Sclose(space);
    return status;
}

haw_status haw_table_add(haw_table *table, hid_t group, const haw_column_spec *spec)
{
    hid_t set = -1;
    table->column = haw_arena_extend(table->arena, table->column, (size_t)table->columns,
                                     sizeof *table->column);
    HAW_TRY(haw_arena_status(table->arena));
    HAW_TRY(haw_hdf5_reserve(table->file, CHUNK_OVERHEAD));
    HAW_TRY(make_set(table, group, spec, &set));
    haw_column *column = &table->column[table->columns++];
    *column = (haw_column){.set = set,
                           .rows = spec->rows,
                           .components = spec->components,
                           .chunk_bytes = sizeof(double) * (size_t)chunk_rows(table, spec) *
                                          (size_t)spec->components};
    table->frame_bytes += sizeof(double) * (size_t)spec->rows * (size_t)spec->components;
    return haw_hdf5_text(table->file, set, "unit", spec->unit);
}

haw_status haw_table_allocate(haw_table *table)
{
    const size_t fit = BUFFER_BYTES / (table->frame_bytes > 0 ? table->frame_bytes : 1);
    table->capacity = fit < 1 ? 1 : fit > BUFFER_FRAMES ? BUFFER_FRAMES : (int)fit;
    if (table->storage.compress > 0) { /* whole chunks */
        const int chunks = table->capacity / table->chunk_frames;
        table->capacity = (chunks > 1 ? chunks : 1) * table->chunk_frames;
    }
    for (int i = 0; i < table->columns; i++) {
        haw_column *column = &table->column[i];
        const size_t numbers = (size_t)column->rows * (size_t)column->components;
        column->data =
            haw_arena_allocate(table->arena, (size_t)table->capacity * numbers, sizeof(double));
        if (column->data != NULL) { /* a page is given when it is touched: a run does not grow */
            memset(column->data, 0, (size_t)table->capacity * numbers * sizeof(double));
        }
    }
    return haw_arena_status(table->arena);
}

double *haw_table_slot(const haw_table *table, int column)
{
    const haw_column *c = &table->column[column];
    return c->data + (size_t)table->filled * (size_t)c->rows * (size_t)c->components;
}

bool haw_table_advance(haw_table *table)
{
    table->filled++;
    const long begun = table->storage.compress > 0 ? table->frames % table->chunk_frames : 0;
    return table->filled + begun == table->capacity;
}

size_t haw_table_growth(const haw_table *table)
{
    size_t bytes = (size_t)table->filled * table->frame_bytes;
    for (int i = 0; i < table->columns; i++) {
        bytes += table->column[i].chunk_bytes + CHUNK_OVERHEAD;
    }
    return bytes;
}

static haw_status append(haw_hdf5 *to, const haw_column *column, long frames, int filled)
{
    const hsize_t rows = (hsize_t)column->rows;
    const hsize_t start[2] = {(hsize_t)frames * rows, 0};
    const hsize_t count[2] = {(hsize_t)filled * rows, (hsize_t)column->components};
    const hsize_t size[2] = {start[0] + count[0], count[1]};
    if (H5Dset_extent(column->set, size) < 0) {
        return haw_hdf5_broken(to);
    }
    const hid_t file = H5Dget_space(column->set);
    /* Equal ranks in memory and in the file: HDF5 is ten times slower with different ones. */
    const hid_t memory = H5Screate_simple(H5Sget_simple_extent_ndims(file), count, NULL);
    const bool is_written =
        H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
        H5Dwrite(column->set, H5T_NATIVE_DOUBLE, memory, file, to->transfer, column->data) >= 0;
    const haw_status status = is_written ? HAW_OK : haw_hdf5_broken(to);
    (void)H5Sclose(memory);
    (void)H5Sclose(file);
    return status;
}

haw_status haw_table_write(haw_table *table)
{
    for (int i = 0; i < table->columns && table->filled > 0; i++) {
        HAW_TRY(append(table->file, &table->column[i], table->frames, table->filled));
    }
    table->frames += table->filled;
    table->filled = 0;
    return HAW_OK;
}

/* Rows of the next `filled` frames of a column into its buffer. */
static bool fetch(hid_t from, const haw_column *column, long frames, int filled)
{
    char path[1024];
    const hsize_t rows = (hsize_t)column->rows;
    const hsize_t start[2] = {(hsize_t)frames * rows, 0};
    const hsize_t count[2] = {(hsize_t)filled * rows, (hsize_t)column->components};
    hsize_t size[2] = {0, 1};
    const ssize_t length = H5Iget_name(column->set, path, sizeof path);
    const hid_t set =
        length > 0 && length < (ssize_t)sizeof path ? H5Dopen2(from, path, H5P_DEFAULT) : -1;
    const hid_t file = set >= 0 ? H5Dget_space(set) : -1;
    const int rank = file >= 0 ? H5Sget_simple_extent_ndims(file) : -1;
    bool is_read = (rank == 1 || rank == 2) && H5Sget_simple_extent_dims(file, size, NULL) >= 0 &&
                   start[0] + count[0] <= size[0] && count[1] == size[1] && haw_hdf5_holds(set);
    const hid_t memory = is_read ? H5Screate_simple(rank, count, NULL) : -1;
    is_read = is_read && H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
              H5Dread(set, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, column->data) >= 0;
    (void)H5Sclose(memory);
    (void)H5Sclose(file);
    (void)H5Dclose(set);
    return is_read;
}

haw_status haw_table_import(haw_table *table, hid_t from, long frames)
{
    errno = 0; /* HDF5 does not tell of memory */
    while (table->frames < frames) {
        const long left = frames - table->frames;
        table->filled = left < table->capacity ? (int)left : table->capacity;
        for (int i = 0; i < table->columns; i++) {
            if (!fetch(from, &table->column[i], table->frames, table->filled)) {
                const bool lacks_memory = errno == ENOMEM;
                table->filled = 0;
                return haw_fail(
                    table->arena->context, lacks_memory ? HAW_ERR_NOMEM : HAW_ERR_IO,
                    "cannot read the frames of the run to go on with: column %d is %s", i,
                    lacks_memory ? "not read for want of memory" : "missing or damaged");
            }
        }
        HAW_TRY(haw_hdf5_reserve(table->file, haw_table_growth(table)));
        HAW_TRY(haw_table_write(table));
    }
    return HAW_OK;
}
