/* SPDX-License-Identifier: BSD-3-Clause */
/* Text files and folders with every error reported as one line. */
#define _DEFAULT_SOURCE /* NOLINT: MAP_ANONYMOUS */
#include "io/file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

haw_status haw_file_fail(haw_context *context, const char *verb, const char *path, int error)
{
    static const struct {
        int error;
        const char *reason;
    } known[] = {
        {ENOSPC, "no space left on the device"},
        {EFBIG, "no space left on the device (file size limit reached)"},
        {ENOENT, "no such file or folder"},
        {ENOTDIR, "part of the path is not a folder"},
        {EEXIST, "a file of this name exists"},
        {EISDIR, "it is a folder"},
        {ENOMEM, "out of memory"},
        {ELOOP, "it is a symbolic link"},
    };

    char reason[128];
    if (strerror_r(error, reason, sizeof reason) != 0) {
        (void)snprintf(reason, sizeof reason, "system error %d", error);
    }
    reason[0] = (char)tolower((unsigned char)reason[0]);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i].error == error) {
            (void)snprintf(reason, sizeof reason, "%s", known[i].reason);
        }
    }
    return haw_fail(context, HAW_ERR_IO, "cannot %s '%s': %s", verb, path, reason);
}

/* @return errno, 0: it is on the disk, or the file system knows no such thing */
static int sync_file(int descriptor)
{
    int error;
    do {
        error = fsync(descriptor) != 0 ? errno : 0;
    } while (error == EINTR);
    return error == EINVAL || error == EROFS ? 0 : error;
}

/* Names of a folder are written apart from the files. */
static int sync_folder(const char *path)
{
    char *copy = strdup(path);
    const int folder = copy != NULL ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(copy);
    if (folder < 0) {
        return 0; /* a folder that may be written but not read */
    }
    const int error = sync_file(folder);
    (void)close(folder);
    return error;
}

haw_status haw_file_complete(haw_context *context, int descriptor, const char *part,
                             const char *path)
{
    int error = sync_file(descriptor);
    if (error == 0 && rename(part, path) != 0) {
        error = errno;
    }
    if (error != 0) {
        return haw_file_fail(context, "write", path, error);
    }
    error = sync_folder(path);
    return error == 0 ? HAW_OK
                      : haw_file_fail(context, "force to the disk the name of the whole file", path,
                                      error);
}

haw_status haw_file_regular(haw_context *context, const char *path, int *descriptor, size_t *bytes)
{
    struct stat found;
    *descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (*descriptor < 0) {
        return haw_file_fail(context, "read", path, errno);
    }
    const bool is_known = fstat(*descriptor, &found) == 0;
    if (is_known && S_ISREG(found.st_mode)) {
        *bytes = (size_t)found.st_size;
        return HAW_OK;
    }
    const int error = is_known ? EISDIR : errno;
    (void)close(*descriptor);
    *descriptor = -1;
    return !is_known || S_ISDIR(found.st_mode)
               ? haw_file_fail(context, "read", path, error)
               : haw_fail(context, HAW_ERR_IO, "cannot read '%s': it is not a regular file", path);
}

haw_status haw_folder_make(haw_context *context, const char *folder)
{
    struct stat found;
    if (mkdir(folder, 0777) == 0) {
        return HAW_OK;
    }
    const int error = errno;
    return error == EEXIST && stat(folder, &found) == 0 && S_ISDIR(found.st_mode)
               ? HAW_OK
               : haw_file_fail(context, "create folder", folder, error);
}

static haw_status make_path(haw_context *context, char **path, const char *folder, const char *name,
                            va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const size_t stem = strlen(folder) + 1;
    const size_t bytes = (size_t)vsnprintf(NULL, 0, name, again) + 1;
    va_end(again);
    *path = haw_allocate(context, stem + bytes, 1);
    if (*path == NULL) {
        return HAW_ERR_NOMEM;
    }
    (void)snprintf(*path, stem + 1, "%s/", folder);
    (void)vsnprintf(*path + stem, bytes, name, arguments);
    for (char *c = *path + stem; *c != '\0'; c++) {
        if (*c == '/' || iscntrl((unsigned char)*c)) {
            *c = '_';
        }
    }
    return HAW_OK;
}

haw_status haw_file_path(haw_context *context, char **path, const char *folder, const char *name,
                         ...)
{
    va_list arguments;
    va_start(arguments, name);
    const haw_status status = make_path(context, path, folder, name, arguments);
    va_end(arguments);
    return status;
}

/* ---- drafts ---- */

/* Names of the drafts that are open, in memory that processes share. */
enum { DRAFTS = 16 };

static char (*shared)[PATH_MAX]; /* NULL: nobody looks at them */

void haw_drafts_share(void)
{
    void *place = mmap(NULL, (size_t)DRAFTS * PATH_MAX, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    shared = place != MAP_FAILED ? place : NULL;
}

void haw_drafts_remove(void)
{
    for (int i = 0; shared != NULL && i < DRAFTS; i++) {
        if (shared[i][0] != '\0') {
            (void)remove(shared[i]);
        }
    }
    if (shared != NULL) {
        (void)munmap(shared, (size_t)DRAFTS * PATH_MAX);
    }
    shared = NULL;
}

void haw_draft_tell(const char *before, const char *part)
{
    for (int i = 0; shared != NULL && i < DRAFTS && strlen(part) < PATH_MAX; i++) {
        if (strcmp(shared[i], before) == 0) {
            (void)snprintf(shared[i], PATH_MAX, "%s", part);
            return;
        }
    }
}

static void free_draft(haw_context *context, haw_draft *draft)
{
    if (draft->part != NULL) {
        haw_draft_tell(draft->part, "");
    }
    haw_release(context, draft->path);
    haw_release(context, draft->part);
    *draft = (haw_draft){.stream = NULL};
}

haw_status haw_draft_open(haw_context *context, haw_draft *draft, const char *path)
{
    struct stat found;
    const size_t bytes = strlen(path) + 32;
    const bool is_special = stat(path, &found) == 0 && !S_ISREG(found.st_mode);
    *draft = (haw_draft){.path = haw_allocate(context, bytes, 1)};
    draft->part = is_special ? NULL : haw_allocate(context, bytes, 1);
    if (draft->path == NULL || (draft->part == NULL && !is_special)) {
        free_draft(context, draft);
        return HAW_ERR_NOMEM;
    }
    (void)snprintf(draft->path, bytes, "%s", path);
    if (draft->part != NULL) {
        /* of this process: two that write one file do not share a draft */
        (void)snprintf(draft->part, bytes, "%s.%ld.part", path, (long)getpid());
        (void)remove(draft->part); /* a link of that name would be followed */
        haw_draft_tell("", draft->part);
    }
    draft->stream = fopen(draft->part != NULL ? draft->part : path, "w");
    if (draft->stream == NULL) {
        const haw_status status = haw_file_fail(context, "write", path, errno);
        free_draft(context, draft);
        return status;
    }
    return HAW_OK;
}

haw_status haw_draft_close(haw_context *context, haw_draft *draft, haw_status status)
{
    errno = 0;
    const bool damaged = ferror(draft->stream) != 0;
    const bool closed = fclose(draft->stream) == 0;
    /* The errno of an earlier error is lost; almost always the disk is full. */
    int error = damaged || !closed ? (errno != 0 ? errno : ENOSPC) : 0;
    const bool is_good = error == 0 && status == HAW_OK;
    if (is_good && draft->part != NULL && rename(draft->part, draft->path) != 0) {
        error = errno;
    }
    if (error != 0 && status == HAW_OK) {
        status = haw_file_fail(context, "write", draft->path, error);
    }
    if (status != HAW_OK && draft->part != NULL) {
        (void)remove(draft->part); /* half a table would mislead */
    }
    free_draft(context, draft);
    return status;
}

haw_status haw_text_open(haw_context *context, haw_text *text, const char *folder, const char *name,
                         ...)
{
    char *path = NULL;
    *text = (haw_text){.context = context};
    va_list arguments;
    va_start(arguments, name);
    const haw_status named = make_path(context, &path, folder, name, arguments);
    va_end(arguments);
    HAW_TRY(named);
    const haw_status opened = haw_draft_open(context, &text->draft, path);
    haw_release(context, path);
    HAW_TRY(opened);
    text->stream = text->draft.stream;
    text->plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    text->before = text->plain != (locale_t)0 ? uselocale(text->plain) : (locale_t)0;
    return HAW_OK;
}

haw_status haw_text_close(haw_text *text, haw_status status)
{
    status = haw_draft_close(text->context, &text->draft, status);
    if (text->plain != (locale_t)0) {
        (void)uselocale(text->before);
        freelocale(text->plain);
    }
    *text = (haw_text){.context = text->context};
    return status;
}
