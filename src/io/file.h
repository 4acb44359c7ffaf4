/* SPDX-License-Identifier: BSD-3-Clause */
/* Text files and folders with every error reported as one line. */
#ifndef HAWSER_IO_FILE_H
#define HAWSER_IO_FILE_H

#include "base/status.h"

#include <locale.h>
#include <stdio.h>

/** "cannot <verb> '<path>': <reason of the errno>" as ERR_IO. */
haw_status haw_file_fail(haw_context *context, const char *verb, const char *path, int error);

/** All that was written to a file, and its folder, has reached the disk; then it gets this name.
 * @param descriptor  of the file */
HAW_NODISCARD haw_status haw_file_complete(haw_context *context, int descriptor, const char *part,
                                           const char *path);

/**
 * Open a file for reading, if it is a regular one: a pipe would wait, a device may have no end.
 *
 * @param bytes  out: its size
 * @return ERR_IO; descriptor is then -1
 */
HAW_NODISCARD haw_status haw_file_regular(haw_context *context, const char *path, int *descriptor,
                                          size_t *bytes);

/** Create a folder; an existing one is accepted. */
HAW_NODISCARD haw_status haw_folder_make(haw_context *context, const char *folder);

/** Path of a file in a folder; characters that do not belong in a file name are replaced. */
HAW_NODISCARD haw_status haw_file_path(haw_context *context, char **path, const char *folder,
                                       const char *name, ...) HAW_PRINTF(4, 5);

/* A file being written, which gets its name once it is whole; a device or pipe has it already. */
typedef struct haw_draft {
    FILE *stream;
    char *path, *part; /* of the draft alone; part: NULL where there is none */
} haw_draft;

HAW_NODISCARD haw_status haw_draft_open(haw_context *context, haw_draft *draft, const char *path);

/** Close and rename; what is not whole is removed. @return `status`, of the writing so far, or the
 * failure of this */
HAW_NODISCARD haw_status haw_draft_close(haw_context *context, haw_draft *draft, haw_status status);

/** From now on a process that is forked tells this one the names of its drafts. */
void haw_drafts_share(void);

/** Replace a name among those that are told, as of a draft that another program writes; "": none.
 */
void haw_draft_tell(const char *before, const char *part);

/** Remove the drafts that such a process has left, and end the sharing. */
void haw_drafts_remove(void);

/* A text file being written. */
typedef struct haw_text {
    haw_context *context;
    FILE *stream;
    haw_draft draft;
    locale_t plain, before; /* numbers have a decimal point whatever the program's locale is */
} haw_text;

HAW_NODISCARD haw_status haw_text_open(haw_context *context, haw_text *text, const char *folder,
                                       const char *name, ...) HAW_PRINTF(4, 5);

/**
 * Close, which completes the writing, and free the text.
 * @return `status`, of the writing so far, or the failure of this
 */
HAW_NODISCARD haw_status haw_text_close(haw_text *text, haw_status status);

#endif
