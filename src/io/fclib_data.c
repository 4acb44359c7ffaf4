/* SPDX-License-Identifier: BSD-3-Clause */
/* Datasets of files that are not trusted; see fclib.h. */
#include "io/fclib.h"
#include "io/file.h"
#include "io/hdf5.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

haw_status haw_fclib_fail(const haw_fclib *file, const char *name, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const bool lacks_memory = errno == ENOMEM || file->is_blind || file->was_short;
    errno = 0;
    return haw_fail(file->context, lacks_memory ? HAW_ERR_NOMEM : HAW_ERR_INPUT, "%s: %s%s%s",
                    file->path, name, name[0] != '\0' ? ": " : "",
                    lacks_memory    ? "out of memory"
                    : file->is_lost ? "HDF5 cannot look into it: it is damaged, or memory is out"
                                    : text);
}

/* ---- the file ---- */

/* To be closed with all that HDF5 leaves open in it where memory was out, which has no handle by
 * which it could be closed. What the program has open already is closed as it wants. */
static void open_file(haw_fclib *file)
{
    const bool is_open = H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_FILE) > 0;
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);

    if (H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0) {
        file->id = H5Fopen(file->path, H5F_ACC_RDONLY, access);
    }
    file->was_short = file->id < 0 && haw_hdf5_lacks_memory();
    if (file->id < 0 && !file->was_short && is_open) {
        file->id = H5Fopen(file->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    }
    (void)H5Pclose(access);
}

haw_status haw_fclib_open(haw_context *context, const char *path, haw_fclib *file)
{
    *file = (haw_fclib){.context = context, .path = path, .id = -1, .descriptor = -1};
    haw_arena_init(&file->arena, context);
    errno = 0;
    HAW_TRY(haw_hdf5_silence(context));
    HAW_TRY(haw_file_regular(context, path, &file->descriptor, &file->bytes));
    open_file(file);
    if (file->id < 0) {
        (void)H5Eclear2(H5E_DEFAULT);
        return haw_fclib_fail(file, "", "it is not an HDF5 file, or it is incomplete or damaged");
    }
    return HAW_OK;
}

void haw_fclib_close(haw_fclib *file)
{
    if (file->descriptor >= 0) {
        (void)close(file->descriptor);
        file->descriptor = -1;
    }
    if (file->id >= 0) {
        (void)H5Fclose(file->id);
        file->id = -1;
    }
    (void)H5Eclear2(H5E_DEFAULT);
    haw_arena_fini(&file->arena);
}

/* As H5Lexists, which fails alike where a group above is missing. */
static htri_t look_for(const haw_fclib *file, const char *name)
{
    char group[HAW_FCLIB_NAME];
    const htri_t found = H5Lexists(file->id, name, H5P_DEFAULT);
    htri_t above = found;
    (void)snprintf(group, sizeof group, "%s", name);
    for (char *last = strrchr(group, '/'); above < 0 && last > group; last = strrchr(group, '/')) {
        *last = '\0';
        above = H5Lexists(file->id, group, H5P_DEFAULT);
    }
    return above == 0 ? 0 : found;
}

bool haw_fclib_has(haw_fclib *file, const char *name)
{
    file->was_short = file->was_short || errno == ENOMEM;
    errno = 0;
    const htri_t found = look_for(file, name);
    const bool has = found > 0;
    file->is_blind = file->is_blind || (!has && haw_hdf5_lacks_memory());
    file->is_lost = file->is_lost || found < 0;
    (void)H5Eclear2(H5E_DEFAULT);
    return has;
}

/* Read raw bytes of the file; false beyond its end. */
static bool read_bytes(const haw_fclib *file, off_t offset, size_t count, unsigned char *bytes)
{
    size_t done = 0;
    while (done < count) {
        const ssize_t n = pread(file->descriptor, bytes + done, count - done, offset + (off_t)done);
        if (n == 0 || (n < 0 && errno != EINTR)) {
            return false;
        }
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* ---- object headers ---- */

/*
 * The storage class of a dataset, from the object header itself (HDF5 File Format Specification
 * 3.0, IV.A.1 and IV.A.2.i). HDF5 1.10 uses the sizes of chunks before it has checked them: opening
 * a damaged description ends in a division by zero. Only contiguous datasets are supported, so no
 * others need to be opened.
 */
enum { SPANS = 256, MESSAGES = 2048, LAYOUT = 8, CONTINUATION = 16 };

/* A header being parsed: the spans of the file that hold its messages, of which the first `done`
 * are finished. */
typedef struct header {
    const haw_fclib *file;
    bool is_old;  /* version 1 */
    off_t prefix; /* bytes before the body of a message */
    int done, spans;
    off_t from[SPANS], to[SPANS];
} header;

static uint64_t little_endian(const unsigned char *bytes, int count)
{
    uint64_t value = 0;
    for (int k = count - 1; k >= 0; k--) {
        value = value << 8 | bytes[k];
    }
    return value;
}

static bool add_span(header *h, uint64_t from, uint64_t bytes)
{
    const uint64_t end = h->file->bytes;
    if (h->spans == SPANS || from > end || bytes > end - from) {
        return false;
    }
    h->from[h->spans] = (off_t)from;
    h->to[h->spans++] = (off_t)(from + bytes);
    return true;
}

/* Read the version and the size of the first span. */
static bool begin(header *h, uint64_t address)
{
    unsigned char bytes[16] = {0};
    if (address > h->file->bytes || !read_bytes(h->file, (off_t)address, sizeof bytes, bytes)) {
        return false;
    }
    h->is_old = bytes[0] == 1;
    if (h->is_old) {
        h->prefix = 8;
        return add_span(h, address + 16, little_endian(bytes + 8, 4));
    }
    if (memcmp(bytes, "OHDR\2", 5) != 0) {
        return false;
    }
    const unsigned flags = bytes[5];
    const uint64_t size_at =
        address + 6 + ((flags & 32U) != 0 ? 16 : 0) + ((flags & 16U) != 0 ? 4 : 0);
    const int size_bytes = 1 << (flags & 3U);
    h->prefix = (flags & 4U) != 0 ? 6 : 4;
    return read_bytes(h->file, (off_t)size_at, (size_t)size_bytes, bytes) &&
           add_span(h, size_at + (uint64_t)size_bytes, little_endian(bytes, size_bytes));
}

/* @return the storage class if this is the layout message, -1: damaged, -2: another message */
static int read_message(header *h, int type, int size, off_t body_at)
{
    unsigned char body[16] = {0};
    const int wanted = type == CONTINUATION ? 16 : 3;
    if (type != LAYOUT && type != CONTINUATION) {
        return -2;
    }
    if (size < wanted || !read_bytes(h->file, body_at, (size_t)wanted, body)) {
        return -1;
    }
    if (type == CONTINUATION) {
        /* In version 2 a signature precedes the messages and a checksum follows them. */
        const uint64_t from = little_endian(body, 8), bytes = little_endian(body + 8, 8);
        const bool is_good =
            h->is_old ? add_span(h, from, bytes) : bytes >= 8 && add_span(h, from + 4, bytes - 8);
        return is_good ? -2 : -1;
    }
    return body[0] < 3 ? body[2] : body[1]; /* versions 1 and 2 store the rank first */
}

/*
 * Storage class of the dataset whose object header is at this address: 0 compact, 1 contiguous,
 * 2 chunked, 3 virtual; negative: damaged or none.
 */
static int storage_class(const haw_fclib *file, uint64_t address)
{
    header h = {.file = file};
    if (!begin(&h, address)) {
        return -1;
    }
    int found = -2;
    for (int k = 0; k < MESSAGES && found == -2 && h.done < h.spans; k++) {
        unsigned char bytes[8] = {0};
        off_t *at = &h.from[h.done];
        if (h.to[h.done] - *at < h.prefix) {
            h.done++;
            continue;
        }
        if (!read_bytes(file, *at, (size_t)h.prefix, bytes)) {
            return -1;
        }
        const int type = (int)little_endian(bytes, h.is_old ? 2 : 1);
        const int size = (int)little_endian(bytes + (h.is_old ? 2 : 1), 2);
        found = read_message(&h, type, size, *at + h.prefix);
        *at += h.prefix + size;
    }
    return found;
}

/* ---- datasets ---- */

/*
 * Numbers that are stored contiguously in this file. They are read by their offset and not by
 * H5Dread, which overruns its buffers on damaged descriptions (seen in HDF5 1.10).
 */
typedef struct dataset {
    bool is_real;
    hid_t type;
    size_t size; /* bytes of an entry, 4 or 8 */
    int count;
    off_t offset; /* of the first entry; < 0: never written */
} dataset;

/* Every part of a name must be a hard link: other links could point out of the file. */
static haw_status walk(haw_fclib *file, const char *name)
{
    char part[HAW_FCLIB_NAME];
    for (size_t end = 1; end <= strlen(name); end++) {
        if (name[end] != '/' && name[end] != '\0') {
            continue;
        }
        (void)snprintf(part, sizeof part, "%.*s", (int)end, name);
        H5L_info_t info;
        if (!haw_fclib_has(file, part)) {
            return haw_fclib_fail(file, part, "missing");
        }
        if (H5Lget_info(file->id, part, &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_HARD) {
            return haw_fclib_fail(file, part, "links to other places are not followed");
        }
    }
    return HAW_OK;
}

static haw_status find_type(const haw_fclib *file, const char *name, hid_t id, dataset *set)
{
    const hid_t known[] = {H5T_STD_I32LE,  H5T_STD_I64LE,  H5T_STD_I32BE,  H5T_STD_I64BE,
                           H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_IEEE_F32BE, H5T_IEEE_F64BE};
    const hid_t type = H5Dget_type(id);
    int found = -1;
    for (int i = 0; i < 8 && type >= 0; i++) {
        found = H5Tequal(type, known[i]) > 0 ? i : found;
    }
    (void)H5Tclose(type);
    set->is_real = found >= 4;
    set->type = known[found > 0 ? found : 0];
    set->size = found % 2 == 0 ? 4 : 8;
    return found >= 0
               ? HAW_OK
               : haw_fclib_fail(file, name,
                                "expected integers or floating-point numbers of 32 or 64 bits");
}

static haw_status find_entries(const haw_fclib *file, const char *name, hid_t id, dataset *set)
{
    hsize_t extent = 1;
    const hid_t space = H5Dget_space(id);
    const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    const bool is_simple = rank == 0 || rank == 1;
    const bool is_read = is_simple && H5Sget_simple_extent_type(space) != H5S_NULL &&
                         H5Sget_simple_extent_dims(space, &extent, NULL) >= 0;
    (void)H5Sclose(space);
    if (!is_read) {
        return haw_fclib_fail(file, name, "expected an array of one dimension");
    }
    if (extent >= INT_MAX || extent > file->bytes / set->size) {
        return haw_fclib_fail(file, name, "%llu entries do not fit into the file",
                              (unsigned long long)extent);
    }
    set->count = (int)extent;
    const haddr_t offset = H5Dget_offset(id);
    const bool is_stored = offset != HADDR_UNDEF;
    if (is_stored && (offset > file->bytes || extent > (file->bytes - offset) / set->size)) {
        return haw_fclib_fail(file, name, "its data are beyond the end of the file");
    }
    set->offset = is_stored ? (off_t)offset : -1;
    return HAW_OK;
}

/*
 * Only contiguous datasets are opened, see above. Besides, filters can expand a few bytes to
 * gigabytes or load plugins, and virtual datasets refer to other files.
 */
static haw_status open_set(haw_fclib *file, const char *name, hid_t *id)
{
    H5G_stat_t found;
    HAW_TRY(walk(file, name));
    if (H5Gget_objinfo(file->id, name, 0, &found) < 0 || found.type != H5G_DATASET) {
        return haw_fclib_fail(file, name, "not a dataset, or damaged");
    }
    const uint64_t address = found.objno[0] | (uint64_t)found.objno[1] << 32U;
    const int class = storage_class(file, address);
    if (class == H5D_VIRTUAL) {
        return haw_fclib_fail(file, name, "its data are stored in other files");
    }
    if (class == H5D_COMPACT || class == H5D_CHUNKED) {
        return haw_fclib_fail(file, name,
                              "not contiguous; convert it with h5repack -l CONTI -f NONE");
    }
    if (class != H5D_CONTIGUOUS) {
        return haw_fclib_fail(file, name, "damaged");
    }
    *id = H5Dopen2(file->id, name, H5P_DEFAULT);
    return *id >= 0 ? HAW_OK : haw_fclib_fail(file, name, "not a dataset, or damaged");
}

static haw_status describe(haw_fclib *file, const char *name, dataset *set)
{
    hid_t id = -1;
    haw_status status = open_set(file, name, &id);
    if (status == HAW_OK) {
        /* External storage is contiguous, too, but in another file. */
        const hid_t creation = H5Dget_create_plist(id);
        const bool is_own =
            creation >= 0 && H5Pget_external_count(creation) == 0 && H5Pget_nfilters(creation) == 0;
        (void)H5Pclose(creation);
        status = is_own ? HAW_OK : haw_fclib_fail(file, name, "its data are stored in other files");
        status = status == HAW_OK ? find_type(file, name, id, set) : status;
        status = status == HAW_OK ? find_entries(file, name, id, set) : status;
        (void)H5Dclose(id);
    }
    (void)H5Eclear2(H5E_DEFAULT);
    return status;
}

haw_status haw_fclib_extent(haw_fclib *file, const char *name, int *count)
{
    dataset set = {.count = 0};
    HAW_TRY(describe(file, name, &set));
    *count = set.count;
    return HAW_OK;
}

/* ---- numbers ---- */

enum { BUFFER = 1024 }; /* entries */

/* Read the first `count` entries. Integers beyond the range of an int are clipped to it; no check
 * accepts the limits of that range. */
static haw_status fetch(const haw_fclib *file, const char *name, const dataset *set, int count,
                        bool is_real, void *value)
{
    const hid_t native = is_real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT;
    const size_t bytes = is_real ? sizeof(double) : sizeof(int);
    double buffer[BUFFER];
    if (set->is_real != is_real) {
        return haw_fclib_fail(file, name, "expected %s",
                              is_real ? "floating-point numbers" : "integers");
    }
    for (int first = 0; first < count; first += BUFFER) {
        const size_t n = (size_t)(count - first < BUFFER ? count - first : BUFFER);
        const off_t offset = set->offset + (off_t)set->size * first;
        if (set->offset < 0 || !read_bytes(file, offset, n * set->size, (unsigned char *)buffer) ||
            H5Tconvert(set->type, native, n, buffer, NULL, H5P_DEFAULT) < 0) {
            return haw_fclib_fail(file, name, "its data are missing");
        }
        memcpy((char *)value + (size_t)first * bytes, buffer, n * bytes);
    }
    return HAW_OK;
}

/* The same into new memory, allocated only after the number of entries has been checked. */
static haw_status take(haw_fclib *file, const char *name, int count, bool is_real, void **value)
{
    dataset set = {.count = 0};
    HAW_TRY(describe(file, name, &set));
    if (set.count < count) {
        return haw_fclib_fail(file, name, "%d entries, expected %d", set.count, count);
    }
    *value =
        haw_arena_allocate(&file->arena, (size_t)count + 1, is_real ? sizeof(double) : sizeof(int));
    HAW_TRY(haw_arena_status(&file->arena));
    return fetch(file, name, &set, count, is_real, *value);
}

haw_status haw_fclib_integers(haw_fclib *file, const char *name, int count, int **value)
{
    void *memory = NULL;
    const haw_status status = take(file, name, count, false, &memory);
    *value = memory;
    return status;
}

haw_status haw_fclib_reals(haw_fclib *file, const char *name, int count, double **value)
{
    void *memory = NULL;
    const haw_status status = take(file, name, count, true, &memory);
    *value = memory;
    return status;
}

haw_status haw_fclib_integer(haw_fclib *file, const char *name, int *value)
{
    dataset set = {.count = 0};
    HAW_TRY(describe(file, name, &set));
    if (set.count != 1) {
        return haw_fclib_fail(file, name, "%d entries, expected one integer", set.count);
    }
    return fetch(file, name, &set, 1, false, value);
}
