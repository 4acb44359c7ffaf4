/* SPDX-License-Identifier: BSD-3-Clause */
/* Files, groups, attributes and small datasets; see hdf5.h for how a full disk is handled. */
#include "io/hdf5.h"

#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    CONVERSION_BYTES = 32768, /* HDF5's own is a megabyte */
    METADATA_BYTES = 65536,   /* what HDF5 takes at a time for names and headers */
    METADATA_KEPT = 1 << 18   /* of it, in memory, where that grows from flush to flush */
};

haw_status haw_hdf5_silence(haw_context *context)
{
    (void)H5dont_atexit(); /* refused once HDF5 is in use, which does no harm */
    return H5Eset_auto2(H5E_DEFAULT, NULL, NULL) < 0
               ? haw_fail(context, HAW_ERR_NOMEM, "out of memory, while HDF5 begins")
               : HAW_OK;
}

static herr_t find_shortage(unsigned n, const H5E_error2_t *record, void *user)
{
    (void)n;
    bool *is_short = user;
    *is_short = *is_short || record->min_num == H5E_NOSPACE || record->min_num == H5E_CANTALLOC;
    return 0;
}

bool haw_hdf5_lacks_memory(void)
{
    bool is_short = errno == ENOMEM;
    (void)H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, find_shortage, &is_short);
    return is_short;
}

typedef struct cause {
    int error; /* errno, 0: none found */
    char text[96];
} cause;

/* HDF5 keeps the errno of a failed system call only in the text of its error records. */
static herr_t find_cause(unsigned n, const H5E_error2_t *record, void *user)
{
    (void)n;
    cause *found = user;
    const char *mark = record->desc != NULL ? strstr(record->desc, "errno = ") : NULL;
    if (mark != NULL && found->error == 0) {
        found->error = (int)strtol(mark + strlen("errno = "), NULL, 10);
    }
    if (record->desc != NULL) {
        (void)snprintf(found->text, sizeof found->text, "%s", record->desc);
    }
    return 0;
}

haw_status haw_hdf5_broken(haw_hdf5 *file)
{
    cause found = {.error = errno == ENOMEM ? ENOMEM : 0, .text = "HDF5 gives no reason"};
    errno = 0; /* it is told now */
    file->is_broken = true;
    (void)H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, find_cause, &found);
    (void)H5Eclear2(H5E_DEFAULT);
    if (found.error != 0) {
        return haw_file_fail(file->context, "write", file->name, found.error);
    }
    return haw_fail(file->context, HAW_ERR_IO, "cannot write '%s': %s", file->name, found.text);
}

haw_status haw_hdf5_init(haw_hdf5 *file, haw_arena *arena, const char *path)
{
    struct stat found;
    const bool exists = stat(path, &found) == 0;
    *file = (haw_hdf5){.context = arena->context, .id = -1, .lock = -1};
    if (exists && S_ISDIR(found.st_mode)) {
        return haw_file_fail(file->context, "write", path, EISDIR);
    }
    const bool is_device = exists && !S_ISREG(found.st_mode); /* opened under its own name */
    const size_t bytes = strlen(path) + sizeof ".part";
    char *part = haw_arena_allocate(arena, bytes, 1);
    file->name = file->final = haw_arena_string(arena, path);
    HAW_TRY(haw_arena_status(arena));
    (void)snprintf(part, bytes, "%s%s", path, is_device ? "" : ".part");
    file->part = part;
    return HAW_OK;
}

/* Reserve bytes of an open file; file systems that do not support this are assumed to have room. */
static haw_status reserve(const haw_hdf5 *file, int descriptor, off_t from, size_t bytes)
{
    if (bytes > (size_t)LONG_MAX) {
        return haw_file_fail(file->context, "write", file->name, EFBIG);
    }
    int error;
    do {
        error = posix_fallocate(descriptor, from, (off_t)bytes);
    } while (error == EINTR);
    if (error == ENOSPC || error == EFBIG || error == EDQUOT || error == EIO) {
        return haw_file_fail(file->context, "write", file->name, error);
    }
    return HAW_OK;
}

/* A file of that name which nobody has renamed or replaced since it was opened. */
static bool is_same_file(int descriptor, const char *path)
{
    struct stat open, named;
    return fstat(descriptor, &open) == 0 && lstat(path, &named) == 0 &&
           open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

/*
 * The part as a file of this run alone: new, or one that was left by a run that was killed. A link
 * is not followed, and nothing waits for the other end of a pipe. What another run has locked is
 * left alone; it may have become its results between the opening and the lock.
 */
static haw_status lock_part(haw_hdf5 *file)
{
    const bool is_device = strcmp(file->part, file->name) == 0;
    const int flags = O_RDWR | O_CLOEXEC | O_NONBLOCK | (is_device ? 0 : O_NOFOLLOW);
    for (;;) {
        file->lock = open(file->part, flags | O_CREAT | O_EXCL, 0666);
        if (file->lock < 0 && errno == EEXIST) {
            file->lock = open(file->part, flags);
            if (file->lock < 0 && errno == ENOENT) {
                continue; /* it was renamed in between */
            }
        }
        if (file->lock < 0) {
            return haw_file_fail(file->context, "write", errno == ELOOP ? file->part : file->name,
                                 errno);
        }
        if (flock(file->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            return haw_fail(
                file->context, HAW_ERR_IO,
                "cannot write '%s': another run is writing it; wait for it, or name another "
                "file by --output",
                file->name);
        }
        if (is_device || is_same_file(file->lock, file->part)) {
            return HAW_OK;
        }
        (void)close(file->lock);
    }
}

/* Check folder, permission, other runs and space first: HDF5 must not fail while it creates the
 * file. Nothing is truncated before it is known to be free. */
static haw_status probe(haw_hdf5 *file, size_t bytes)
{
    struct stat found;
    HAW_TRY(lock_part(file));
    const bool is_file = fstat(file->lock, &found) == 0 && S_ISREG(found.st_mode);
    if (!is_file) { /* a device: writing one byte is the only way to find out */
        return write(file->lock, "", 1) == 1
                   ? haw_fail(file->context, HAW_ERR_IO,
                              "cannot write '%s': it is not a regular file", file->part)
                   : haw_file_fail(file->context, "write", file->name, errno);
    }
    int emptied;
    do {
        emptied = ftruncate(file->lock, 0);
    } while (emptied != 0 && errno == EINTR);
    haw_status status =
        emptied == 0 ? HAW_OK : haw_file_fail(file->context, "write", file->name, errno);
    status = status == HAW_OK ? reserve(file, file->lock, 0, bytes) : status;
    if (status != HAW_OK) {
        (void)unlink(file->part);
    }
    return status;
}

/* No time stamps: equal runs make equal files. */
static hid_t creation(hid_t class)
{
    const hid_t list = H5Pcreate(class);
    (void)H5Pset_obj_track_times(list, false);
    return list;
}

/* Headers and indices stay in memory between two flushes: what a killed run leaves is that of the
 * last one, unless it was killed within one. */
static bool keep_metadata(hid_t access)
{
    H5AC_cache_config_t config = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
    if (H5Pget_mdc_config(access, &config) < 0) {
        return false;
    }
    config.evictions_enabled = false;
    config.incr_mode = H5C_incr__off;
    config.flash_incr_mode = H5C_flash_incr__off;
    config.decr_mode = H5C_decr__off;
    return H5Pset_mdc_config(access, &config) >= 0;
}

bool haw_hdf5_trim(haw_hdf5 *file)
{
    H5AC_cache_config_t config = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
    size_t size = 0;
    if (H5Fget_mdc_size(file->id, NULL, NULL, &size, NULL) < 0 ||
        H5Fget_mdc_config(file->id, &config) < 0) {
        return false;
    }
    if (file->is_trimmed || file->metadata == 0) { /* what one flush needs */
        file->metadata = 2 * size > 2 * METADATA_KEPT ? 2 * size : 2 * METADATA_KEPT;
    }
    file->is_trimmed = size > file->metadata;
    if (!file->is_trimmed) {
        return true;
    }
    /* HDF5 evicts when it next looks at a header after its cache was made smaller. */
    H5AC_cache_config_t small = config;
    small.evictions_enabled = small.set_initial_size = config.set_initial_size = true;
    small.initial_size = small.min_size = METADATA_KEPT;
    return H5Fset_mdc_config(file->id, &small) >= 0 &&
           H5Lexists(file->id, "hawser", H5P_DEFAULT) >= 0 &&
           H5Fset_mdc_config(file->id, &config) >= 0;
}

haw_status haw_hdf5_create(haw_hdf5 *file, size_t bytes)
{
    file->id = -1;
    HAW_TRY(haw_hdf5_silence(file->context));
    file->reserved = 0; /* creation gives back what the probe finds */
    HAW_TRY(probe(file, bytes));
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    /*
     * Below 1.10 at the low end: a superblock of 1.10 is marked "open for writing", and the file
     * of a killed run would need h5clear before it can be read.
     */
    bool is_set = access >= 0;
    is_set = is_set && H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V110) >= 0;
    is_set = is_set && H5Pset_meta_block_size(access, METADATA_BYTES) >= 0;
    is_set = is_set && H5Pset_file_locking(access, false, true) >= 0; /* it is locked already */
    is_set = is_set && keep_metadata(access);
    is_set = is_set && H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0;
    const hid_t create = creation(H5P_FILE_CREATE);
    is_set = is_set && (!file->has_moving || H5Pset_file_space_strategy(
                                                 create, H5F_FSPACE_STRATEGY_AGGR, false, 1) >= 0);
    file->id = is_set ? H5Fcreate(file->part, H5F_ACC_TRUNC, create, access) : -1;
    const haw_status status = file->id < 0 ? haw_hdf5_broken(file) : HAW_OK;
    (void)H5Pclose(create);
    (void)H5Pclose(access);
    HAW_TRY(status);
    file->transfer = H5Pcreate(H5P_DATASET_XFER);
    if (file->transfer < 0 || H5Pset_buffer(file->transfer, CONVERSION_BYTES, NULL, NULL) < 0) {
        return haw_hdf5_broken(file);
    }
    HAW_TRY(haw_hdf5_reserve(file, bytes));
    /* A run that is killed before its first flush leaves an empty file, not a damaged one. */
    return H5Fflush(file->id, H5F_SCOPE_LOCAL) >= 0 ? HAW_OK : haw_hdf5_broken(file);
}

haw_status haw_hdf5_reserve(haw_hdf5 *file, size_t bytes)
{
    hsize_t end = 0;
    int *descriptor = NULL;
    if (H5Fget_filesize(file->id, &end) < 0 ||
        H5Fget_vfd_handle(file->id, H5P_DEFAULT, (void **)&descriptor) < 0) {
        return haw_hdf5_broken(file);
    }
    /* also what HDF5 has given away already and not written yet */
    const size_t wanted = (size_t)end + bytes + METADATA_BYTES;
    struct stat now;
    if (fstat(*descriptor, &now) == 0 && (size_t)now.st_size < file->reserved) {
        file->reserved = (size_t)now.st_size; /* a flush has cut the file to its used size */
    }
    if (wanted > file->reserved) {
        HAW_TRY(reserve(file, *descriptor, (off_t)file->reserved, wanted - file->reserved));
        file->reserved = wanted;
    }
    return HAW_OK;
}

haw_status haw_hdf5_reopen(haw_hdf5 *file, const char *path)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    (void)H5Pset_file_locking(access, false, true);
    (void)H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    file->id = H5Fopen(path, H5F_ACC_RDWR, access);
    (void)H5Pclose(access);
    return file->id < 0 ? haw_hdf5_broken(file) : HAW_OK;
}

haw_status haw_hdf5_owns(const haw_hdf5 *file)
{
    return is_same_file(file->lock, file->part)
               ? HAW_OK
               : haw_fail(file->context, HAW_ERR_IO,
                          "cannot write '%s': '%s' was removed, renamed or replaced while it was "
                          "being written",
                          file->name, file->part);
}

static haw_status finish(haw_hdf5 *file)
{
    (void)H5Pclose(file->transfer);
    const herr_t closed = H5Fclose(file->id);
    file->id = -1;
    HAW_TRY(closed < 0 ? haw_hdf5_broken(file) : HAW_OK);
    HAW_TRY(haw_hdf5_owns(file)); /* another run may have begun in its place */
    /* Opening a file for writing truncates it to its used size, which releases the reserve. */
    HAW_TRY(haw_hdf5_reopen(file, file->part));
    const herr_t shortened = H5Fclose(file->id);
    file->id = -1;
    return shortened < 0 ? haw_hdf5_broken(file) : HAW_OK;
}

haw_status haw_hdf5_close(haw_hdf5 *file, haw_status status)
{
    if (file->id >= 0 && !file->is_broken) {
        const haw_status finished = finish(file);
        status = status == HAW_OK ? finished : status;
    }
    if (status == HAW_OK) {
        status = haw_file_complete(file->context, file->lock, file->part, file->final);
    }
    if (status != HAW_OK && file->is_passing && is_same_file(file->lock, file->part)) {
        (void)unlink(file->part);
    }
    if (file->lock >= 0) {
        (void)close(file->lock);
    }
    file->lock = -1;
    return status;
}

void haw_hdf5_member(const char *name, char member[HAW_MEMBER_MAX])
{
    (void)snprintf(member, HAW_MEMBER_MAX, "%s", strcmp(name, ".") == 0 ? "_" : name);
    for (char *c = member; *c != '\0'; c++) {
        if (*c == '/') {
            *c = '_';
        }
    }
}

haw_status haw_hdf5_group(haw_hdf5 *file, hid_t parent, const char *name, hid_t *id)
{
    char member[HAW_MEMBER_MAX];
    haw_hdf5_member(name, member);
    const hid_t order = creation(H5P_GROUP_CREATE);
    (void)H5Pset_link_creation_order(order, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    *id = H5Lexists(parent, member, H5P_DEFAULT) > 0
              ? H5Gopen2(parent, member, H5P_DEFAULT)
              : H5Gcreate2(parent, member, H5P_DEFAULT, order, H5P_DEFAULT);
    const haw_status status = *id < 0 ? haw_hdf5_broken(file) : HAW_OK;
    (void)H5Pclose(order);
    return status;
}

/* One attribute of a given type and shape; rank 0 for a scalar. */
static haw_status attribute(haw_hdf5 *file, hid_t object, const char *key, hid_t type[2], int count,
                            const void *value)
{
    const hsize_t n = (hsize_t)count;
    const hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &n, NULL);
    const hid_t id = H5Acreate2(object, key, type[0], space, H5P_DEFAULT, H5P_DEFAULT);
    haw_status status = HAW_OK;
    if (id < 0 || H5Awrite(id, type[1], value) < 0 || H5Aclose(id) < 0) {
        status = haw_hdf5_broken(file);
    }
    (void)H5Sclose(space);
    return status;
}

/* Fixed-length text type: the only one that every reader of the format understands. */
static hid_t text_type(size_t bytes, H5T_str_t end)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    (void)H5Tset_size(type, bytes);
    (void)H5Tset_strpad(type, end);
    return type;
}

haw_status haw_hdf5_text(haw_hdf5 *file, hid_t object, const char *key, const char *value)
{
    if (value == NULL || value[0] == '\0') {
        return HAW_OK;
    }
    const hid_t type = text_type(strlen(value), H5T_STR_NULLPAD);
    hid_t types[2] = {type, type};
    const haw_status status = attribute(file, object, key, types, 1, value);
    (void)H5Tclose(type);
    return status;
}

haw_status haw_hdf5_real(haw_hdf5 *file, hid_t object, const char *key, int count,
                         const double *value)
{
    hid_t types[2] = {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE};
    return attribute(file, object, key, types, count, value);
}

haw_status haw_hdf5_integer(haw_hdf5 *file, hid_t object, const char *key, int count,
                            const long *value)
{
    hid_t types[2] = {H5T_STD_I64LE, H5T_NATIVE_LONG};
    return attribute(file, object, key, types, count, value);
}

/* @param type  in the file and in memory */
static haw_status dataset(haw_hdf5 *file, hid_t group, const char *name, const hid_t type[2],
                          hid_t space, const void *value)
{
    const hid_t create = creation(H5P_DATASET_CREATE);
    const hid_t id = H5Dcreate2(group, name, type[0], space, H5P_DEFAULT, create, H5P_DEFAULT);
    bool is_made = id >= 0;
    if (is_made && H5Sget_simple_extent_npoints(space) > 0) {
        is_made = H5Dwrite(id, type[1], H5S_ALL, H5S_ALL, file->transfer, value) >= 0;
    }
    is_made = is_made && H5Dclose(id) >= 0;
    const haw_status status = is_made ? HAW_OK : haw_hdf5_broken(file);
    (void)H5Pclose(create);
    (void)H5Sclose(space);
    return status;
}

haw_status haw_hdf5_array(haw_hdf5 *file, hid_t group, const char *name, hid_t type, int count,
                          const void *value)
{
    const hsize_t n = (hsize_t)count;
    const hid_t held = type == H5T_STD_I32LE ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
    const hid_t types[2] = {type, held};
    return dataset(file, group, name, types, H5Screate_simple(1, &n, NULL), value);
}

haw_status haw_hdf5_bytes(haw_hdf5 *file, hid_t group, const char *name, size_t bytes,
                          const void *value)
{
    const hsize_t n = (hsize_t)bytes;
    const hid_t types[2] = {H5T_STD_U8LE, H5T_NATIVE_UCHAR};
    return dataset(file, group, name, types, H5Screate_simple(1, &n, NULL), value);
}

haw_status haw_hdf5_string(haw_hdf5 *file, hid_t group, const char *name, const char *text)
{
    const hid_t type = text_type(strlen(text) + 1, H5T_STR_NULLTERM);
    const hid_t types[2] = {type, type};
    for (const char *c = text; *c != '\0'; c++) {
        if ((unsigned char)*c > 127) {
            (void)H5Tset_cset(type, H5T_CSET_UTF8);
        }
    }
    const haw_status status = dataset(file, group, name, types, H5Screate(H5S_SCALAR), text);
    (void)H5Tclose(type);
    return status;
}

haw_status haw_hdf5_unit(haw_hdf5 *file, hid_t group, const char *name, const char *unit)
{
    const hid_t id = H5Dopen2(group, name, H5P_DEFAULT);
    if (id < 0) {
        return haw_hdf5_broken(file);
    }
    HAW_TRY(haw_hdf5_text(file, id, "unit", unit));
    return H5Dclose(id) < 0 ? haw_hdf5_broken(file) : HAW_OK;
}

haw_status haw_hdf5_link(haw_hdf5 *file, hid_t from, const char *name, hid_t to, const char *as)
{
    return H5Lcreate_hard(from, name, to, as, H5P_DEFAULT, H5P_DEFAULT) < 0 ? haw_hdf5_broken(file)
                                                                            : HAW_OK;
}

bool haw_hdf5_is_clock(hid_t group, const char *name)
{
    H5O_info_t info;
    return strcmp(name, "t") == 0 &&
           H5Oget_info_by_name2(group, name, &info, H5O_INFO_BASIC, H5P_DEFAULT) >= 0 &&
           info.rc > 1;
}

/* Whether a dataset is in its file, itself. */
static bool is_stored(hid_t plist)
{
    return plist >= 0 && H5Pget_layout(plist) != H5D_VIRTUAL && H5Pget_external_count(plist) == 0;
}

/* Whether part i of a view is of a dataset that is in the same file, itself. */
static bool is_part_stored(hid_t set, hid_t plist, size_t i)
{
    char file[2] = "", name[256] = "";
    const ssize_t letters = H5Pget_virtual_dsetname(plist, i, name, sizeof name);
    const bool is_named = H5Pget_virtual_filename(plist, i, file, sizeof file) == 1 &&
                          file[0] == '.' && letters > 0 && (size_t)letters < sizeof name;
    const hid_t part = is_named ? H5Dopen2(set, name, H5P_DEFAULT) : -1;
    const hid_t own = part >= 0 ? H5Dget_create_plist(part) : -1;
    const bool is_held = is_stored(own);
    (void)H5Pclose(own);
    (void)H5Dclose(part);
    return is_held;
}

bool haw_hdf5_holds(hid_t set)
{
    const hid_t plist = H5Dget_create_plist(set);
    bool is_held = is_stored(plist);
    size_t parts = 0;
    if (plist >= 0 && H5Pget_layout(plist) == H5D_VIRTUAL) {
        is_held = H5Pget_virtual_count(plist, &parts) >= 0 && parts > 0;
    }
    for (size_t i = 0; i < parts && is_held; i++) {
        is_held = is_part_stored(set, plist, i);
    }
    (void)H5Pclose(plist);
    return is_held;
}
