/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuzz target of the FCLIB reader: no file may crash it or make it take more memory than the file
 * is worth, and what it accepts must survive writing and reading again.
 *
 * An input that begins like an HDF5 file is one. Any other input is a list of changes to a good
 * file, so that mutations reach the reader and do not end within HDF5: a byte for the form and the
 * version of the file, then for each change a byte for the dataset, one for what happens to it, one
 * for its number of entries, and a byte for each entry. A byte of its header that is changed is
 * given by its place and the new one.
 *
 *     clang -fsanitize=fuzzer,address -DHAW_LIBFUZZER ...    for libFuzzer
 *
 * Without HAW_LIBFUZZER the program replays files and folders, by default its corpus and the
 * shipped problems: the tests run it so.
 */
#include "fuzz/replay.h"
#include "fuzz/scenes.h"

#include <hawser/io.h>

#include <hdf5.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 64, PATCHES = 32, RUN = 1024 };

/* Of the first byte of an input. */
enum {
    IS_GLOBAL = 1,
    IS_NEW = 2,
    HAS_PHASES = 4,
    HAS_USER_BLOCK = 8,
    IS_BOTH = 16,
    IS_NONE = 32,
    IS_MISSING = 64
};

/* A dataset of the good file. */
typedef struct dataset {
    const char *name;
    bool is_real;
    int count; /* -1: not there unless a change puts it */
    double value[12];
} dataset;

static const dataset local_sets[] = {
    {"/fclib_local/spacedim", false, 1, {2}},
    {"/fclib_local/vectors/q", true, 4, {-1, 0.25, -0.5, 0.75}},
    {"/fclib_local/vectors/mu", true, 2, {0.3, 0.6}},
    {"/fclib_local/W/m", false, 1, {4}},
    {"/fclib_local/W/n", false, 1, {4}},
    {"/fclib_local/W/nz", false, 1, {-2}},
    {"/fclib_local/W/nzmax", false, 1, {10}},
    {"/fclib_local/W/p", false, 5, {0, 3, 6, 8, 10}},
    {"/fclib_local/W/i", false, 10, {0, 1, 2, 0, 1, 3, 0, 2, 1, 3}},
    {"/fclib_local/W/x", true, 10, {2, 0.5, -0.25, 0.5, 3, 0.125, -0.25, 1.5, 0.125, 1}},
    {"/fclib_local/V/m", false, 1, {4}},
    {"/fclib_local/V/n", false, 1, {1}},
    {"/fclib_local/V/nz", false, 1, {2}},
    {"/fclib_local/V/nzmax", false, 1, {2}},
    {"/fclib_local/V/p", false, 2, {0, 0}},
    {"/fclib_local/V/i", false, 2, {1, 2}},
    {"/fclib_local/V/x", true, 2, {0.5, 1}},
    {"/fclib_local/R/m", false, 1, {1}},
    {"/fclib_local/R/n", false, 1, {1}},
    {"/fclib_local/R/nz", false, 1, {1}},
    {"/fclib_local/R/nzmax", false, 1, {1}},
    {"/fclib_local/R/p", false, 1, {0}},
    {"/fclib_local/R/i", false, 1, {0}},
    {"/fclib_local/R/x", true, 1, {-4}},
    {"/fclib_local/vectors/s", true, -1, {0}},
    {"/fclib_global_rolling", false, -1, {0}},
    {"/fclib_local/V", false, -1, {0}},
    {"/fclib_local/R", false, -1, {0}},
};

static const dataset global_sets[] = {
    {"/fclib_global/spacedim", false, 1, {2}},
    {"/fclib_global/vectors/f", true, 3, {-1, 0.5, 0.25}},
    {"/fclib_global/vectors/w", true, 2, {-0.1, 0.2}},
    {"/fclib_global/vectors/mu", true, 1, {0.4}},
    {"/fclib_global/vectors/b", true, 1, {0.7}},
    {"/fclib_global/M/m", false, 1, {3}},
    {"/fclib_global/M/n", false, 1, {3}},
    {"/fclib_global/M/nz", false, 1, {3}},
    {"/fclib_global/M/nzmax", false, 1, {3}},
    {"/fclib_global/M/p", false, 3, {0, 1, 2}},
    {"/fclib_global/M/i", false, 3, {0, 1, 2}},
    {"/fclib_global/M/x", true, 3, {2, 3, 4}},
    {"/fclib_global/H/m", false, 1, {3}},
    {"/fclib_global/H/n", false, 1, {2}},
    {"/fclib_global/H/nz", false, 1, {-1}},
    {"/fclib_global/H/nzmax", false, 1, {3}},
    {"/fclib_global/H/p", false, 3, {0, 1, 3}},
    {"/fclib_global/H/i", false, 3, {0, 1, 2}},
    {"/fclib_global/H/x", true, 3, {1, 1, -0.5}},
    {"/fclib_global/G/m", false, 1, {3}},
    {"/fclib_global/G/n", false, 1, {1}},
    {"/fclib_global/G/nz", false, 1, {1}},
    {"/fclib_global/G/nzmax", false, 1, {1}},
    {"/fclib_global/G/p", false, 1, {0}},
    {"/fclib_global/G/i", false, 1, {2}},
    {"/fclib_global/G/x", true, 1, {1}},
    {"/fclib_global/H", false, -1, {0}},
    {"/fclib_global/G", false, -1, {0}},
};

enum { SETS = sizeof local_sets / sizeof *local_sets };

_Static_assert(sizeof global_sets == sizeof local_sets, "one number chooses in both");

/* What can happen to a dataset; any other byte: it gets new entries. */
enum {
    DROPPED = 255,
    LINKED = 254,
    SQUARE = 253,
    SCALAR = 252,
    OTHER_TYPE = 251,
    GROUP = 250,
    COMPACT = 249,
    CHUNKED = 248,
    PACKED = 247,
    VIRTUAL = 246,
    EXTERNAL = 245,
    NO_SPACE = 244,
    UNWRITTEN = 243,
    HUGE_SIZE = 242,
    NOTED = 241, /* so many attributes that its header goes on elsewhere */
    PATCHED = 240,
    SERIES = 229, /* 1024 times as many entries, from the first on with the second for a step */
    TYPES = 230   /* the first of ten */
};

/* Numbers of every kind that is read, and two that are not. */
static hid_t type_of(int kind, bool is_real)
{
    const hid_t type[] = {H5T_STD_I32LE,  H5T_STD_I64LE,  H5T_STD_I32BE,  H5T_STD_I64BE,
                          H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_IEEE_F32BE, H5T_IEEE_F64BE,
                          H5T_STD_I8LE,   H5T_C_S1};
    const bool other = is_real != (kind == OTHER_TYPE);
    return kind >= TYPES && kind < TYPES + 10 ? type[kind - TYPES] : type[other ? 5 : 0];
}

static hid_t space_of(int kind, int count)
{
    const hsize_t size[2] = {kind == HUGE_SIZE ? (hsize_t)1 << 40 : (hsize_t)count, 2};
    return kind == SCALAR || kind == NO_SPACE
               ? H5Screate(kind == SCALAR ? H5S_SCALAR : H5S_NULL)
               : H5Screate_simple(kind == SQUARE ? 2 : 1, size, NULL);
}

static hid_t storage_of(int kind, int count, hid_t space, bool has_phases)
{
    const hsize_t size = (hsize_t)count;
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    if (has_phases) {
        (void)H5Pset_attr_phase_change(create, 6, 3);
        (void)H5Pset_attr_creation_order(create, H5P_CRT_ORDER_TRACKED);
    }
    if (kind == COMPACT) {
        (void)H5Pset_layout(create, H5D_COMPACT);
    } else if ((kind == CHUNKED || kind == PACKED) && count > 0) {
        (void)H5Pset_chunk(create, 1, &size);
        (void)(kind == PACKED ? H5Pset_deflate(create, 1) : 0);
    } else if (kind == VIRTUAL) {
        (void)H5Pset_virtual(create, space, ".", "/fclib_local/spacedim", space);
    } else if (kind == EXTERNAL) {
        (void)H5Pset_external(create, "/dev/zero", 0, size * 8);
    }
    return create;
}

static void note(hid_t id, int count)
{
    const hsize_t size = count % 2 == 1 ? 1 : 32;
    const hid_t space = H5Screate_simple(1, &size, NULL);
    for (int k = 0; k < 5 + count % 3; k++) {
        char key[48];
        (void)snprintf(key, sizeof key, "a note of %d that takes some room", k);
        (void)H5Aclose(H5Acreate2(id, key, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT));
    }
    (void)H5Sclose(space);
}

/* A file being built: bytes that are changed when it is closed. */
typedef struct building {
    hid_t file;
    bool has_phases;
    int patches;

    struct {
        haddr_t at;
        uint8_t byte;
    } patch[PATCHES];
} building;

static void put(const building *b, const dataset *set, int kind, int count, const double *value)
{
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    (void)H5Pset_create_intermediate_group(links, 1);
    const hid_t space = space_of(kind, count), type = type_of(kind, set->is_real);
    const hid_t create = storage_of(kind, count, space, b->has_phases);
    const hid_t id = H5Dcreate2(b->file, set->name, type, space, links, create, H5P_DEFAULT);
    const bool is_written = kind != UNWRITTEN && kind != HUGE_SIZE && kind != VIRTUAL;
    if (id >= 0 && count > 0 && is_written && kind != EXTERNAL && kind != SQUARE) {
        (void)H5Dwrite(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
    }
    if (kind == NOTED) {
        note(id, count);
    }
    (void)H5Dclose(id);
    (void)H5Sclose(space);
    (void)H5Pclose(create);
    (void)H5Pclose(links);
}

/* Small numbers, and the ones at the ends of their types. */
static double number(uint8_t byte, bool is_real)
{
    static const double ends[] = {65536, 1e9, 2147483647, -2147483648.0};
    if (byte >= 252) {
        return is_real && byte == 252 ? (double)INFINITY : ends[byte - 252];
    }
    return is_real ? (byte - 100) / 16.0 : byte - 20;
}

static void patch(building *b, const char *name, uint8_t place, uint8_t byte)
{
    H5O_info_t info;
    if (b->patches < PATCHES &&
        H5Oget_info_by_name2(b->file, name, &info, H5O_INFO_BASIC, H5P_DEFAULT) >= 0) {
        b->patch[b->patches].at = info.addr + place;
        b->patch[b->patches++].byte = byte;
    }
}

/* @return the bytes used; at least three are there */
static size_t change(building *b, const dataset *sets, const uint8_t *data, size_t size)
{
    const dataset *set = &sets[data[0] % SETS];
    static double value[ENTRIES * RUN];
    int count = data[2] % (ENTRIES + 1);
    size_t used = 3;
    if (data[1] == PATCHED) {
        patch(b, set->name, data[2], size > 3 ? data[3] : 0);
        return 4;
    }
    memset(value, 0, sizeof *value * ENTRIES);
    const int given = data[1] == SERIES && count > 2 ? 2 : count;
    for (int k = 0; k < given && used < size; k++, used++) {
        value[k] = number(data[used], set->is_real);
    }
    if (data[1] == SERIES) {
        count *= RUN;
        for (int k = 2; k < count; k++) {
            value[k] = value[0] + k * value[1];
        }
        value[1] += value[0];
    }
    (void)H5Ldelete(b->file, set->name, H5P_DEFAULT);
    if (data[1] == LINKED) {
        (void)H5Lcreate_soft("/", b->file, set->name, H5P_DEFAULT, H5P_DEFAULT);
    } else if (data[1] == GROUP) {
        (void)H5Gclose(H5Gcreate2(b->file, set->name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    } else if (data[1] != DROPPED) {
        put(b, set, data[1], count, value);
    }
    return used;
}

static void put_all(const building *b, const dataset *sets)
{
    for (int k = 0; k < SETS; k++) {
        if (sets[k].count >= 0) {
            put(b, &sets[k], 0, sets[k].count, sets[k].value);
        }
    }
}

static void write_patches(const building *b, const char *path)
{
    FILE *stream = fopen(path, "r+b");
    for (int k = 0; k < b->patches && stream != NULL; k++) {
        (void)fseek(stream, (long)b->patch[k].at, SEEK_SET);
        (void)fputc(b->patch[k].byte, stream);
    }
    if (stream != NULL) {
        (void)fclose(stream);
    }
}

static void build(const char *path, const uint8_t *data, size_t size)
{
    const int form = size > 0 ? data[0] : 0;
    const dataset *sets = (form & IS_GLOBAL) != 0 ? global_sets : local_sets;
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS), create = H5Pcreate(H5P_FILE_CREATE);
    (void)H5Pset_libver_bounds(access, (form & IS_NEW) != 0 ? H5F_LIBVER_V110 : H5F_LIBVER_EARLIEST,
                               H5F_LIBVER_V110);
    (void)H5Pset_userblock(create, (form & HAS_USER_BLOCK) != 0 ? 512 : 0);
    building b = {.has_phases = (form & HAS_PHASES) != 0};
    b.file = H5Fcreate(path, H5F_ACC_TRUNC, create, access);
    if ((form & IS_NONE) == 0) {
        put_all(&b, sets);
    }
    if ((form & IS_BOTH) != 0) {
        put_all(&b, sets == local_sets ? global_sets : local_sets);
    }
    for (size_t at = 1; at + 3 <= size;) {
        at += change(&b, sets, data + at, size - at);
    }
    (void)H5Fclose(b.file);
    (void)H5Pclose(create);
    (void)H5Pclose(access);
    write_patches(&b, path);
}

/* ---- the target ---- */

static void store(const char *path, const uint8_t *data, size_t size)
{
    FILE *stream = fopen(path, "wb");
    if (stream != NULL) {
        (void)fwrite(data, 1, size, stream);
        (void)fclose(stream);
    }
}

static bool is_same(const haw_problem *a, const haw_problem *b)
{
    const size_t rows = (size_t)a->dimension * (size_t)a->contacts;
    bool same = a->dimension == b->dimension && a->contacts == b->contacts;
    same = same && memcmp(a->mu, b->mu, (size_t)a->contacts * sizeof *a->mu) == 0;
    if (a->global != NULL) {
        const haw_csr *x = &a->global->ht, *y = &b->global->ht;
        return same && memcmp(a->global->w, b->global->w, rows * sizeof(double)) == 0 &&
               memcmp(x->start, y->start, (rows + 1) * sizeof(int)) == 0 &&
               memcmp(x->value, y->value, (size_t)x->start[rows] * sizeof(double)) == 0;
    }
    const size_t blocks = (size_t)a->w.start[a->contacts];
    return same && memcmp(a->q, b->q, rows * sizeof(double)) == 0 &&
           memcmp(a->w.start, b->w.start, ((size_t)a->contacts + 1) * sizeof(int)) == 0 &&
           memcmp(a->w.column, b->w.column, blocks * sizeof(int)) == 0;
}

static void check_round_trip(haw_context *context, const char *path, const haw_problem *problem)
{
    haw_problem *again = NULL;
    if (haw_fclib_write(context, path, problem, NULL) != HAW_OK ||
        haw_fclib_read(context, path, &again) != HAW_OK || !is_same(problem, again)) {
        (void)fprintf(stderr, "%s\n", haw_context_message(context));
        abort();
    }
    haw_problem_free(context, again);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    static char path[64];
    haw_problem *problem = NULL;
    haw_context *context = fuzz_context();
    replay_path(path, "fclib");
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    long memory = -1;
    if (size >= 8 && memcmp(data, "\211HDF\r\n\032\n", 8) == 0) {
        store(path, data, size);
    } else {
        memory = fuzz_take_memory(data, &size);
        build(path, data, size);
    }
    if (size > 0 && (data[0] & IS_MISSING) != 0 && data[0] < 128) {
        (void)remove(path);
    }
    *fuzz_memory() = memory;
    const haw_status status = haw_fclib_read(context, path, &problem);
    if (fuzz_end_memory(memory) && status != HAW_ERR_NOMEM) {
        (void)fprintf(stderr, "an allocation failed, and the status is %d\n", (int)status);
        abort();
    }
    if (status == HAW_OK) {
        check_round_trip(context, path, problem);
    } else if (haw_context_message(context)[0] == '\0') {
        abort();
    }
    (void)remove(path);
    haw_problem_free(context, problem);
    haw_context_free(context);
}

#ifndef HAW_LIBFUZZER
int main(int count, char **argument)
{
    static const char *const usual[] = {"tests/fuzz/fclib", "data/fclib"};

    return replay_main(count, argument, usual);
}
#endif
