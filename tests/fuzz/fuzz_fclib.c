/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuzz target of the FCLIB reader: no file may crash it or make it take more memory than the file
 * is worth, and what it accepts must survive writing and reading again.
 *
 * An input that begins like an HDF5 file is one. Any other input is a list of changes to a good
 * file, so that mutations reach the reader and do not end within HDF5: a byte for the form, then
 * for each change a byte for the dataset, one for what happens to it, one for its number of
 * entries, and a byte for each entry.
 *
 *     clang -fsanitize=fuzzer,address -DHAW_LIBFUZZER ...    for libFuzzer
 *
 * Without HAW_LIBFUZZER the program replays files and folders, by default its corpus and the
 * shipped problems: the tests run it so.
 */
#include "fuzz/replay.h"

#include <hawser/io.h>

#include <hdf5.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 64 };

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
};

enum { SETS = sizeof local_sets / sizeof *local_sets };

_Static_assert(sizeof global_sets == sizeof local_sets, "one number chooses in both");

static void put(hid_t file, const dataset *set, int rank, int count, const double *value)
{
    const hsize_t size[2] = {(hsize_t)count, 2};
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    (void)H5Pset_create_intermediate_group(links, 1);
    const hid_t space = rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, size, NULL);
    const hid_t type = set->is_real ? H5T_IEEE_F64LE : H5T_STD_I32LE;
    const hid_t id = H5Dcreate2(file, set->name, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    if (id >= 0 && count > 0 && rank <= 1) {
        (void)H5Dwrite(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
    }
    (void)H5Dclose(id);
    (void)H5Sclose(space);
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

/* What can happen to a dataset; any other byte: it gets new entries. */
enum { DROPPED = 255, LINKED = 254, SQUARE = 253, SCALAR = 252, OTHER_TYPE = 251, GROUP = 250 };

/* @return the bytes used; at least three are there */
static size_t change(hid_t file, const dataset *sets, const uint8_t *data, size_t size)
{
    dataset set = sets[data[0] % SETS];
    double value[ENTRIES] = {0};
    const int count = data[2] % (ENTRIES + 1);
    size_t used = 3;
    for (int k = 0; k < count && used < size; k++, used++) {
        value[k] = number(data[used], set.is_real);
    }
    (void)H5Ldelete(file, set.name, H5P_DEFAULT);
    if (data[1] == LINKED) {
        (void)H5Lcreate_soft("/", file, set.name, H5P_DEFAULT, H5P_DEFAULT);
    } else if (data[1] == GROUP) {
        (void)H5Gclose(H5Gcreate2(file, set.name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    } else if (data[1] != DROPPED) {
        set.is_real = set.is_real != (data[1] == OTHER_TYPE);
        put(file, &set, data[1] == SQUARE ? 2 : data[1] == SCALAR ? 0 : 1, count, value);
    }
    return used;
}

static void build(const char *path, const uint8_t *data, size_t size)
{
    const dataset *sets = size > 0 && data[0] % 2 == 1 ? global_sets : local_sets;
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    for (int k = 0; k < SETS; k++) {
        if (sets[k].count >= 0) {
            put(file, &sets[k], 1, sets[k].count, sets[k].value);
        }
    }
    for (size_t at = 1; at + 3 <= size;) {
        at += change(file, sets, data + at, size - at);
    }
    (void)H5Fclose(file);
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[64];
    haw_context *context = NULL;
    haw_problem *problem = NULL;
    if (haw_context_create(NULL, &context) != HAW_OK) {
        return 0;
    }
    replay_path(path, "fclib");
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    if (size >= 8 && memcmp(data, "\211HDF\r\n\032\n", 8) == 0) {
        store(path, data, size);
    } else {
        build(path, data, size);
    }
    if (haw_fclib_read(context, path, &problem) == HAW_OK) {
        check_round_trip(context, path, problem);
    } else if (haw_context_message(context)[0] == '\0') {
        abort();
    }
    (void)remove(path);
    haw_problem_free(context, problem);
    haw_context_free(context);
    return 0;
}

#ifndef HAW_LIBFUZZER
int main(int count, char **argument)
{
    static const char *const usual[] = {"tests/fuzz/fclib", "data/fclib"};

    return replay_main(count, argument, usual);
}
#endif
