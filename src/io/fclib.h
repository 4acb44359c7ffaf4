/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * FCLIB contact problems (HDF5), for this folder's own files. A file comes from anywhere, so
 * nothing in it is believed: a dataset is used only as far as the file can really hold it, and
 * every size is checked against the datasets before any memory is taken.
 */
#ifndef HAWSER_IO_FCLIB_H
#define HAWSER_IO_FCLIB_H

#include "linalg/csr.h"

#include <hawser/problem.h>

#include <hdf5.h>

/* A file that is read. */
typedef struct haw_fclib {
    haw_context *context;
    haw_arena arena;  /* of the reading only */
    const char *path; /* in messages, as the user gave it */
    hid_t id;         /* -1: closed */
    int descriptor;   /* of the same file, for its numbers; -1: closed */
    size_t bytes;     /* of the file: no array in it can be larger */
} haw_fclib;

/* ---- fclib_data.c: datasets, by absolute names such as "/fclib_local/W/p" ---- */

enum { HAW_FCLIB_NAME = 64 }; /* bytes of a name */

/** To be closed whatever it returns. @return ERR_IO: missing or unreadable; ERR_INPUT: damaged */
HAW_NODISCARD haw_status haw_fclib_open(haw_context *context, const char *path, haw_fclib *file);
void haw_fclib_close(haw_fclib *file);

/** "path: name: ..." as ERR_INPUT; an empty name is left out. */
haw_status haw_fclib_fail(const haw_fclib *file, const char *name, const char *format, ...)
    HAW_PRINTF(3, 4);

/** A link of this name exists; its parent must. */
bool haw_fclib_has(const haw_fclib *file, const char *name);

/** Number of entries of a dataset. */
HAW_NODISCARD haw_status haw_fclib_extent(const haw_fclib *file, const char *name, int *count);

/** The one integer of a dataset. */
HAW_NODISCARD haw_status haw_fclib_integer(const haw_fclib *file, const char *name, int *value);

/** The first `count` entries of a dataset that may be longer; from the file's arena. */
HAW_NODISCARD haw_status haw_fclib_integers(haw_fclib *file, const char *name, int count,
                                            int **value);
HAW_NODISCARD haw_status haw_fclib_reals(haw_fclib *file, const char *name, int count,
                                         double **value);

/* ---- fclib_matrix.c ---- */

/* What a matrix must look like. */
typedef struct haw_fclib_shape {
    int rows;
    int columns;    /* -1: as the file says */
    bool transpose; /* give the transposed matrix */
} haw_fclib_shape;

/** Read a matrix group in any of the encodings of the format. */
HAW_NODISCARD haw_status haw_fclib_matrix(haw_fclib *file, const char *group,
                                          const haw_fclib_shape *shape, haw_csr *matrix);

#endif
