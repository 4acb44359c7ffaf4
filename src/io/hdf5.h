/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Thin layer over HDF5: every return code becomes a status and one line of English.
 *
 * HDF5 1.10 crashes when it closes a file after a failed write. Therefore the space for the next
 * write is reserved first (posix_fallocate): a full disk is detected before HDF5 writes, and the
 * file can always be closed. After any other failure its handles are not touched any more.
 */
#ifndef HAWSER_IO_HDF5_H
#define HAWSER_IO_HDF5_H

#include "base/arena.h"

#include <hdf5.h>

/* A file being written; it is called `part` until it is complete. */
typedef struct haw_hdf5 {
    haw_context *context;
    const char *name; /* in messages, as the user gave it */
    const char *part;
    const char *final; /* what the part becomes: `name`, unless that shall stay as it is */
    int lock;          /* descriptor of the part, locked as long as it is open; -1: none */
    hid_t id;          /* -1: closed */
    hid_t transfer;    /* how to write: with a small buffer for conversions */
    size_t reserved;   /* bytes from the start that the file has room for */
    bool has_moving;   /* chunks that move as they grow: what they leave is not used again, or the
                          index of the last flush would point at something else */
    size_t metadata;   /* bytes of headers and indices in memory above which they are trimmed */
    bool is_trimmed;   /* at the last flush */
    bool is_passing;   /* closed without success it is removed, while it is locked */
    bool is_broken;    /* HDF5 failed to write: it must not be closed any more */
} haw_hdf5;

/** Turn off the messages of HDF5, and its exit handler, which would crash on a broken file. */
HAW_NODISCARD haw_status haw_hdf5_silence(haw_context *context);

/** Whether the last call of HDF5 that failed found no memory: by errno, which what HDF5 does until
 * it returns may overwrite, or by its error records, which are to be there still. */
bool haw_hdf5_lacks_memory(void);

/** "cannot write '<file>': <reason>" from HDF5's error stack, as ERR_IO; the file is broken from
 * now on. */
haw_status haw_hdf5_broken(haw_hdf5 *file);

/** A closed file. @param path  until the file is closed */
HAW_NODISCARD haw_status haw_hdf5_init(haw_hdf5 *file, haw_arena *arena, const char *path);

/** Create the part, with `bytes` of space reserved. What stands there from a run that was killed is
 * overwritten; links are not followed. @return ERR_IO with the reason */
HAW_NODISCARD haw_status haw_hdf5_create(haw_hdf5 *file, size_t bytes);

/** Open a file to write into it, which nobody else has. */
HAW_NODISCARD haw_status haw_hdf5_reopen(haw_hdf5 *file, const char *path);

/** Right after a flush: let go all but 256 KiB of headers and indices in memory, which grow with a
 * run, once they are twice what a flush needs. @return false: HDF5 failed */
bool haw_hdf5_trim(haw_hdf5 *file);

/** Reserve space behind the present end. @return ERR_IO: no space left; the file stays valid */
HAW_NODISCARD haw_status haw_hdf5_reserve(haw_hdf5 *file, size_t bytes);

/** Whether the file still has the name under which it is written. @return ERR_IO: somebody has
 * removed or renamed it, or put another in its place: nothing that is written will be found */
HAW_NODISCARD haw_status haw_hdf5_owns(const haw_hdf5 *file);

/**
 * Close the file with all its open objects, release the reserved space and, if all went well and
 * has reached the disk, rename the part.
 * @return `status`, of the writing so far, or the failure of this
 */
HAW_NODISCARD haw_status haw_hdf5_close(haw_hdf5 *file, haw_status status);

enum { HAW_MEMBER_MAX = 256 };

/** Name of a member: slashes would make it a path, and a lone dot would mean the group itself. */
void haw_hdf5_member(const char *name, char member[HAW_MEMBER_MAX]);

/** Open a group, made if missing, that remembers the order of its members; slashes in the name
 * become underscores. It stays open until the file is closed. */
HAW_NODISCARD haw_status haw_hdf5_group(haw_hdf5 *file, hid_t parent, const char *name, hid_t *id);

/** Attributes of an object. Empty texts are not written. */
HAW_NODISCARD haw_status haw_hdf5_text(haw_hdf5 *file, hid_t object, const char *key,
                                       const char *value);
HAW_NODISCARD haw_status haw_hdf5_real(haw_hdf5 *file, hid_t object, const char *key, int count,
                                       const double *value);
HAW_NODISCARD haw_status haw_hdf5_integer(haw_hdf5 *file, hid_t object, const char *key, int count,
                                          const long *value);

/**
 * Dataset of fixed size. @param type  in the file: H5T_IEEE_F64LE and H5T_STD_I64LE of doubles,
 * H5T_STD_I32LE of ints
 */
HAW_NODISCARD haw_status haw_hdf5_array(haw_hdf5 *file, hid_t group, const char *name, hid_t type,
                                        int count, const void *value);

/** Dataset of bytes. */
HAW_NODISCARD haw_status haw_hdf5_bytes(haw_hdf5 *file, hid_t group, const char *name, size_t bytes,
                                        const void *value);

/** Set the unit of a dataset. */
HAW_NODISCARD haw_status haw_hdf5_unit(haw_hdf5 *file, hid_t group, const char *name,
                                       const char *unit);

/** Scalar text dataset, null-terminated within its length: some readers use the length as the size
 * of their buffer. UTF-8 where it is not ASCII. */
HAW_NODISCARD haw_status haw_hdf5_string(haw_hdf5 *file, hid_t group, const char *name,
                                         const char *text);

/** The same object under a second name. */
HAW_NODISCARD haw_status haw_hdf5_link(haw_hdf5 *file, hid_t from, const char *name, hid_t to,
                                       const char *as);

/** True if this name of a group is the time that stands beside its series: t of /hawser/energy. */
bool haw_hdf5_is_clock(hid_t group, const char *name);

/** True if the numbers of a dataset are in its file, itself or as a view of such. Another file
 * could hold anything, and HDF5 follows a view that is one of itself until the stack ends. */
bool haw_hdf5_holds(hid_t set);

#endif
