/* SPDX-License-Identifier: BSD-3-Clause */
/* Text files and folders with every error reported as one line. */
#ifndef HAWSER_IO_FILE_H
#define HAWSER_IO_FILE_H

#include "base/status.h"

#include <locale.h>
#include <stdio.h>

/** "cannot <verb> '<path>': <reason of the errno>" as ERR_IO. */
haw_status haw_file_fail(haw_context *context, const char *verb, const char *path, int error);

/** Reason of an errno in lower case, in the words of the manual. */
void haw_file_reason(int error, char *text, size_t bytes);

/** Make a folder; one that exists is as good. */
HAW_NODISCARD haw_status haw_folder_make(haw_context *context, const char *folder);

/** folder/name.suffix with everything in `name` replaced that a file name should not hold. */
HAW_NODISCARD haw_status haw_file_path(haw_context *context, const char *folder, const char *name,
                                       const char *suffix, char **path);

/* A text file being written. */
typedef struct haw_text {
    haw_context *context;
    FILE *stream;
    char *path;
    locale_t plain, before; /* numbers have a decimal point whatever the program's locale is */
} haw_text;

HAW_NODISCARD haw_status haw_text_open(haw_context *context, const char *folder, const char *name,
                                       const char *suffix, haw_text *text);

/** Close; only now is it known that everything was written. Frees what the text holds. */
HAW_NODISCARD haw_status haw_text_close(haw_text *text);

#endif
