/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Problems into FCLIB files, in the encodings that every reader of the format knows: W by
 * compressed rows, the matrices of the global form as triplets with p = column and i = row.
 */
#include "base/arena.h"
#include "io/file.h"
#include "io/hdf5.h"

#include <hawser/io.h>

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- datasets ---- */

/* What is written: type in the file, type in memory, numbers. */
typedef struct numbers {
    hid_t stored, held;
    int count;
    const void *value;
} numbers;

static haw_status put(haw_hdf5 *file, hid_t group, const char *name, const numbers *what)
{
    const hsize_t n = (hsize_t)what->count;
    const hid_t space = H5Screate_simple(1, &n, NULL);
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    (void)H5Pset_obj_track_times(create, false); /* equal problems make equal files */
    const hid_t id = H5Dcreate2(group, name, what->stored, space, H5P_DEFAULT, create, H5P_DEFAULT);
    bool is_made = id >= 0;
    if (is_made && what->count > 0) {
        is_made = H5Dwrite(id, what->held, H5S_ALL, H5S_ALL, file->transfer, what->value) >= 0;
    }
    is_made = is_made && H5Dclose(id) >= 0;
    const haw_status status = is_made ? HAW_OK : haw_hdf5_broken(file);
    (void)H5Pclose(create);
    (void)H5Sclose(space);
    return status;
}

static haw_status put_integers(haw_hdf5 *file, hid_t group, const char *name, int count,
                               const int *value)
{
    const numbers what = {H5T_STD_I32LE, H5T_NATIVE_INT, count, value};
    return put(file, group, name, &what);
}

static haw_status put_reals(haw_hdf5 *file, hid_t group, const char *name, int count,
                            const double *value)
{
    const numbers what = {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, value};
    return put(file, group, name, &what);
}

/* Null-terminated within its length: readers of the format take the length for the buffer. */
static haw_status put_text(haw_hdf5 *file, hid_t group, const char *name, const char *text)
{
    const char *value = text != NULL ? text : "";
    const hid_t type = H5Tcopy(H5T_C_S1);
    (void)H5Tset_size(type, strlen(value) + 1);
    for (const char *c = value; *c != '\0'; c++) {
        if ((unsigned char)*c > 127) {
            (void)H5Tset_cset(type, H5T_CSET_UTF8);
        }
    }
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    (void)H5Pset_obj_track_times(create, false);
    const hid_t id = H5Dcreate2(group, name, type, space, H5P_DEFAULT, create, H5P_DEFAULT);
    const bool is_made = id >= 0 &&
                         H5Dwrite(id, type, H5S_ALL, H5S_ALL, file->transfer, value) >= 0 &&
                         H5Dclose(id) >= 0;
    const haw_status status = is_made ? HAW_OK : haw_hdf5_broken(file);
    (void)H5Pclose(create);
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    return status;
}

/* ---- matrices ---- */

/* A matrix as the format keeps it; see fclib_matrix.c. */
typedef struct matrix {
    int m, n, nz, nzmax;
    int *p; /* [pointers] */
    int *i; /* [nzmax] */
    double *x;
    int pointers;
} matrix;

static haw_status put_matrix(haw_hdf5 *file, hid_t form, const char *name, const matrix *a)
{
    hid_t group = -1;
    HAW_TRY(haw_hdf5_group(file, form, name, &group));
    HAW_TRY(put_integers(file, group, "nzmax", 1, &a->nzmax));
    HAW_TRY(put_integers(file, group, "m", 1, &a->m));
    HAW_TRY(put_integers(file, group, "n", 1, &a->n));
    HAW_TRY(put_integers(file, group, "nz", 1, &a->nz));
    HAW_TRY(put_integers(file, group, "p", a->pointers, a->p));
    HAW_TRY(put_integers(file, group, "i", a->nzmax, a->i));
    HAW_TRY(put_reals(file, group, "x", a->nzmax, a->x));
    return haw_hdf5_leave(file, group);
}

static haw_status take(haw_arena *arena, matrix *a)
{
    const size_t count = (size_t)a->nzmax + 1;
    a->p = haw_arena_allocate(arena, (size_t)a->pointers + 1, sizeof *a->p);
    a->i = haw_arena_allocate(arena, count, sizeof *a->i);
    a->x = haw_arena_allocate(arena, count, sizeof *a->x);
    return haw_arena_status(arena);
}

/* One scalar row of W behind the others. */
static void expand_row(const haw_bsr *w, int row, matrix *a)
{
    const int d = w->block, c = row / d;
    int n = a->p[row];
    for (int k = w->start[c]; k < w->start[c + 1]; k++) {
        const double *line = w->value + ((ptrdiff_t)k * d + row % d) * d;
        for (int j = 0; j < d; j++) {
            a->i[n] = w->column[k] * d + j;
            a->x[n++] = line[j];
        }
    }
    a->p[row + 1] = n;
}

static haw_status expand(haw_arena *arena, const haw_bsr *w, matrix *a)
{
    const int rows = w->rows * w->block;
    *a = (matrix){.m = rows,
                  .n = rows,
                  .nz = -2,
                  .nzmax = w->start[w->rows] * w->block * w->block,
                  .pointers = rows + 1};
    HAW_TRY(take(arena, a));
    for (int row = 0; row < rows; row++) {
        expand_row(w, row, a);
    }
    return HAW_OK;
}

/* Triplets of a matrix or of its transposed one. */
static haw_status list_triplets(haw_arena *arena, const haw_csr *from, bool transpose, matrix *a)
{
    const int count = from->start[from->rows];
    *a = (matrix){.m = transpose ? from->columns : from->rows,
                  .n = transpose ? from->rows : from->columns,
                  .nz = count,
                  .nzmax = count,
                  .pointers = count};
    HAW_TRY(take(arena, a));
    for (int row = 0; row < from->rows; row++) {
        for (int k = from->start[row]; k < from->start[row + 1]; k++) {
            a->i[k] = transpose ? from->column[k] : row;
            a->p[k] = transpose ? row : from->column[k];
            a->x[k] = from->value[k];
        }
    }
    return HAW_OK;
}

/* ---- problems ---- */

/* A file being written. */
typedef struct output {
    haw_hdf5 file;
    haw_arena arena;
    const haw_problem *problem;
    const haw_fclib_info *info; /* not NULL */
} output;

static haw_status put_info(output *out, hid_t form)
{
    hid_t group = -1;
    HAW_TRY(haw_hdf5_group(&out->file, form, "info", &group));
    HAW_TRY(put_text(&out->file, group, "title", out->info->title));
    HAW_TRY(put_text(&out->file, group, "description", out->info->description));
    HAW_TRY(put_text(&out->file, group, "math_info", out->info->math_info));
    return haw_hdf5_leave(&out->file, group);
}

static haw_status put_local(output *out, hid_t form)
{
    const haw_problem *problem = out->problem;
    matrix w;
    hid_t vectors = -1;
    HAW_TRY(expand(&out->arena, &problem->w, &w));
    HAW_TRY(put_matrix(&out->file, form, "W", &w));
    HAW_TRY(haw_hdf5_group(&out->file, form, "vectors", &vectors));
    HAW_TRY(put_reals(&out->file, vectors, "q", w.m, problem->q));
    HAW_TRY(put_reals(&out->file, vectors, "mu", problem->contacts, problem->mu));
    return haw_hdf5_leave(&out->file, vectors);
}

static haw_status put_triplets(output *out, hid_t form, const char *name, const haw_csr *from)
{
    matrix a;
    HAW_TRY(list_triplets(&out->arena, from, strcmp(name, "M") != 0, &a));
    return put_matrix(&out->file, form, name, &a);
}

static haw_status put_global(output *out, hid_t form)
{
    const haw_global *global = out->problem->global;
    const int rows = out->problem->dimension * out->problem->contacts;
    const int bilateral = global->gt.rows;
    hid_t vectors = -1;
    HAW_TRY(put_triplets(out, form, "M", &global->m));
    HAW_TRY(put_triplets(out, form, "H", &global->ht));
    if (bilateral > 0) {
        HAW_TRY(put_triplets(out, form, "G", &global->gt));
    }
    HAW_TRY(haw_hdf5_group(&out->file, form, "vectors", &vectors));
    HAW_TRY(put_reals(&out->file, vectors, "f", global->m.rows, global->f));
    HAW_TRY(put_reals(&out->file, vectors, "w", rows, global->w));
    HAW_TRY(put_reals(&out->file, vectors, "mu", out->problem->contacts, out->problem->mu));
    if (bilateral > 0) {
        HAW_TRY(put_reals(&out->file, vectors, "b", bilateral, global->b));
    }
    return haw_hdf5_leave(&out->file, vectors);
}

static haw_status put_problem(output *out)
{
    const bool is_global = out->problem->global != NULL;
    hid_t form = -1;
    HAW_TRY(haw_hdf5_group(&out->file, out->file.id, is_global ? "fclib_global" : "fclib_local",
                           &form));
    HAW_TRY(put_integers(&out->file, form, "spacedim", 1, &out->problem->dimension));
    HAW_TRY(is_global ? put_global(out, form) : put_local(out, form));
    HAW_TRY(put_info(out, form));
    return haw_hdf5_leave(&out->file, form);
}

/* ---- the file ---- */

static size_t count_entries(const haw_csr *a)
{
    return a->start != NULL ? (size_t)a->start[a->rows] : 0;
}

/* Upper bound of what the file takes: 16 bytes per entry of a matrix, 8 per one of a vector. */
static size_t room_needed(const output *out)
{
    const haw_problem *problem = out->problem;
    const haw_global *global = problem->global;
    const size_t d = (size_t)problem->dimension, rows = d * (size_t)problem->contacts;
    size_t bytes = 65536 + 32 * rows;
    for (int i = 0; i < 3; i++) {
        const char *text[] = {out->info->title, out->info->description, out->info->math_info};
        bytes += text[i] != NULL ? strlen(text[i]) : 0;
    }
    if (global == NULL) {
        return bytes + (size_t)problem->w.start[problem->w.rows] * d * d * 16;
    }
    bytes += 8 * ((size_t)global->m.rows + (size_t)global->gt.rows);
    return bytes + 16 * (count_entries(&global->m) + count_entries(&global->ht) +
                         count_entries(&global->gt));
}

/* The format counts the entries of a matrix with an int. */
static haw_status check_size(haw_context *context, const char *path, const haw_problem *problem)
{
    const int size = problem->dimension * problem->dimension;
    if (problem->global == NULL && problem->w.start[problem->w.rows] > INT_MAX / size) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "cannot write '%s': W has more entries than the format can count", path);
    }
    return HAW_OK;
}

static haw_status name_part(output *out, const char *path)
{
    struct stat found;
    const bool exists = stat(path, &found) == 0;
    if (exists && S_ISDIR(found.st_mode)) {
        return haw_file_fail(out->file.context, "write", path, EISDIR);
    }
    const bool is_device = exists && !S_ISREG(found.st_mode);
    const size_t bytes = strlen(path) + sizeof ".part";
    char *part = haw_arena_allocate(&out->arena, bytes, 1);
    HAW_TRY(haw_arena_status(&out->arena));
    (void)snprintf(part, bytes, "%s%s", path, is_device ? "" : ".part");
    out->file.name = path;
    out->file.part = part;
    return HAW_OK;
}

/* Nothing stays behind of a file that could not be finished. */
static haw_status write_file(output *out)
{
    haw_status status = haw_hdf5_create(&out->file, room_needed(out));
    const bool is_made = out->file.id >= 0;
    status = status == HAW_OK ? put_problem(out) : status;
    if (is_made && !out->file.is_broken) {
        const haw_status closed = haw_hdf5_close(&out->file);
        status = status == HAW_OK ? closed : status;
    }
    if (status == HAW_OK && rename(out->file.part, out->file.name) != 0) {
        status = haw_file_fail(out->file.context, "write", out->file.name, errno);
    }
    if (status != HAW_OK && is_made) {
        (void)unlink(out->file.part);
    }
    return status;
}

haw_status haw_fclib_write(haw_context *context, const char *path, const haw_problem *problem,
                           const haw_fclib_info *info)
{
    static const haw_fclib_info nothing = {0};
    HAW_TRY(check_size(context, path, problem));
    output out = {.file = {.context = context, .id = -1},
                  .problem = problem,
                  .info = info != NULL ? info : &nothing};
    haw_arena_init(&out.arena, context);
    haw_status status = name_part(&out, path);
    status = status == HAW_OK ? write_file(&out) : status;
    haw_arena_fini(&out.arena);
    return status;
}
