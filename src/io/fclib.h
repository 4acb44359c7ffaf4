/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading FCLIB contact problems (HDF5), internal to this folder. Files are not trusted: a dataset
 * is used only if the file is large enough to hold it, and every size is checked against the
 * datasets before memory is allocated.
 */
#ifndef HAWSER_IO_FCLIB_H
#define HAWSER_IO_FCLIB_H

#include "base/arena.h"

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
    bool
        was_short; /* of memory: what fails later may do so for want of what HDF5 could not build */
    bool is_blind; /* memory was out when it was asked what there is: nothing is what it seems */
    bool is_lost;  /* HDF5 could not look for something, and does not say why */
} haw_fclib;

/* ---- datasets, by absolute names such as "/fclib_local/W/p" ---- */

enum { HAW_FCLIB_NAME = 64 }; /* bytes of a name */

/** Must be closed even after a failure. @return ERR_IO: cannot be read; ERR_INPUT: damaged */
HAW_NODISCARD haw_status haw_fclib_open(haw_context *context, const char *path, haw_fclib *file);
void haw_fclib_close(haw_fclib *file);

/** "path: name: ..." as ERR_INPUT; an empty name is left out. */
haw_status haw_fclib_fail(const haw_fclib *file, const char *name, const char *format, ...)
    HAW_PRINTF(3, 4);

/** True if a link of this name exists; its parent group must exist. */
bool haw_fclib_has(haw_fclib *file, const char *name);

/** Number of entries of a dataset. */
HAW_NODISCARD haw_status haw_fclib_extent(haw_fclib *file, const char *name, int *count);

/** The one integer of a dataset. */
HAW_NODISCARD haw_status haw_fclib_integer(haw_fclib *file, const char *name, int *value);

/** The first `count` entries of a dataset that may be longer; from the file's arena. */
HAW_NODISCARD haw_status haw_fclib_integers(haw_fclib *file, const char *name, int count,
                                            int **value);
HAW_NODISCARD haw_status haw_fclib_reals(haw_fclib *file, const char *name, int count,
                                         double **value);

#endif
