/* SPDX-License-Identifier: BSD-3-Clause */
/* Text files and folders with every error reported as one line. */
#include "io/file.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

void haw_file_reason(int error, char *text, size_t bytes)
{
    const char *known = NULL;
    switch (error) {
    case ENOSPC:
        known = "no space left on the device";
        break;
    case EFBIG:
        known = "no space left on the device (file size limit reached)";
        break;
    case ENOENT:
        known = "no such file or folder";
        break;
    case ENOTDIR:
        known = "a part of the path is not a folder";
        break;
    case EISDIR:
        known = "it is a folder";
        break;
    default:
        break;
    }
    if (known != NULL) {
        (void)snprintf(text, bytes, "%s", known);
    } else if (strerror_r(error, text, bytes) != 0) {
        (void)snprintf(text, bytes, "system error %d", error);
    }
    text[0] = (char)tolower((unsigned char)text[0]);
}

haw_status haw_file_fail(haw_context *context, const char *verb, const char *path, int error)
{
    char reason[128];
    haw_file_reason(error, reason, sizeof reason);
    return haw_fail(context, HAW_ERR_IO, "cannot %s '%s': %s", verb, path, reason);
}

haw_status haw_folder_make(haw_context *context, const char *folder)
{
    if (mkdir(folder, 0777) == 0) {
        return HAW_OK;
    }
    const int error = errno;
    struct stat found;
    if (error == EEXIST && stat(folder, &found) == 0) {
        return S_ISDIR(found.st_mode) ? HAW_OK : haw_file_fail(context, "make", folder, ENOTDIR);
    }
    return haw_file_fail(context, "make folder", folder, error);
}

haw_status haw_file_path(haw_context *context, const char *folder, const char *name,
                         const char *suffix, char **path)
{
    const size_t stem = strlen(folder) + 1;
    const size_t bytes = stem + strlen(name) + strlen(suffix) + 1;
    *path = haw_allocate(context, bytes, 1);
    if (*path == NULL) {
        return HAW_ERR_NOMEM;
    }
    (void)snprintf(*path, bytes, "%s/%s%s", folder, name, suffix);
    for (char *c = *path + stem; *c != '\0'; c++) {
        if (*c == '/' || iscntrl((unsigned char)*c)) {
            *c = '_';
        }
    }
    return HAW_OK;
}

haw_status haw_text_open(haw_context *context, const char *folder, const char *name,
                         const char *suffix, haw_text *text)
{
    *text = (haw_text){.context = context};
    HAW_TRY(haw_file_path(context, folder, name, suffix, &text->path));
    text->stream = fopen(text->path, "w");
    if (text->stream == NULL) {
        const haw_status status = haw_file_fail(context, "write", text->path, errno);
        haw_release(context, text->path);
        *text = (haw_text){.context = context};
        return status;
    }
    text->plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    text->before = text->plain != (locale_t)0 ? uselocale(text->plain) : (locale_t)0;
    return HAW_OK;
}

haw_status haw_text_close(haw_text *text)
{
    haw_status status = HAW_OK;
    errno = 0;
    const bool damaged = ferror(text->stream) != 0;
    const bool closed = fclose(text->stream) == 0;
    if (damaged || !closed) {
        /* An error long ago has lost its errno: almost always the disk is full. */
        status = haw_file_fail(text->context, "write", text->path, errno != 0 ? errno : ENOSPC);
        (void)remove(text->path); /* half a table under its full name would mislead */
    }
    if (text->plain != (locale_t)0) {
        (void)uselocale(text->before);
        freelocale(text->plain);
    }
    haw_release(text->context, text->path);
    *text = (haw_text){.context = text->context};
    return status;
}
