/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Columns that grow by the same number of rows with every frame. Frames are collected in memory,
 * column by column, and are appended to the chunked datasets of the file a buffer at a time. The
 * datasets stay open until the file is closed.
 */
#ifndef HAWSER_IO_TABLE_H
#define HAWSER_IO_TABLE_H

#include "base/arena.h"
#include "io/hdf5.h"

#include <hawser/stepper.h>

/* What a column is. */
typedef struct haw_column_spec {
    const char *name, *unit;
    bool is_integer;
    bool is_matrix;  /* two-dimensional even with one component */
    int rows;        /* per frame */
    int components;  /* numbers in a row */
    bool is_profile; /* a number for each sample: what output.precision and compress are about */
} haw_column_spec;

typedef struct haw_column {
    hid_t set;
    int rows, components;
    size_t chunk_bytes;
    double *data; /* [capacity * rows * components] */
} haw_column;

typedef struct haw_table {
    haw_hdf5 *file;
    haw_arena *arena;
    haw_storage_settings storage; /* of profiles */
    int chunk_frames;             /* in a chunk of compressed profiles */
    int columns;
    haw_column *column;
    size_t frame_bytes; /* of all columns together */
    int capacity;       /* frames of the buffer */
    int filled;         /* frames in it */
    long frames;        /* frames in the file */
} haw_table;

/** Prepare for profiles with so many samples. @return ERR_INPUT: HDF5 cannot compress */
HAW_NODISCARD haw_status haw_table_store(haw_table *table, int samples);

/** Type of real numbers in the file. */
hid_t haw_table_type(const haw_table *table, bool is_profile);

/** Make the dataset of a column, with its space reserved; columns are numbered in this order. */
HAW_NODISCARD haw_status haw_table_add(haw_table *table, hid_t group, const haw_column_spec *spec);

/** Allocate the buffer, once all columns are known. */
HAW_NODISCARD haw_status haw_table_allocate(haw_table *table);

/** Memory for the numbers of a column in the current frame. */
double *haw_table_slot(const haw_table *table, int column);

/** Complete the current frame. @return true if the buffer is full and must be written */
bool haw_table_advance(haw_table *table);

/** Bytes by which the file may grow when the buffer is written, with all overhead. */
size_t haw_table_growth(const haw_table *table);

/** Append the first frames of the same columns of another file. @return ERR_IO: not there */
HAW_NODISCARD haw_status haw_table_import(haw_table *table, hid_t from, long frames);

/** Append the buffered frames to the file. */
HAW_NODISCARD haw_status haw_table_write(haw_table *table);

#endif
