/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Write problems as FCLIB files, in the encodings that every reader of the format supports: W by
 * compressed rows, the matrices of the global form as triplets with p = column and i = row.
 */
#include "base/arena.h"
#include "io/hdf5.h"

#include <hawser/io.h>

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* ---- matrices ---- */

/* A matrix in the layout of the format; see fclib_read.c. */
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
    HAW_TRY(haw_hdf5_array(file, group, "nzmax", H5T_STD_I32LE, 1, &a->nzmax));
    HAW_TRY(haw_hdf5_array(file, group, "m", H5T_STD_I32LE, 1, &a->m));
    HAW_TRY(haw_hdf5_array(file, group, "n", H5T_STD_I32LE, 1, &a->n));
    HAW_TRY(haw_hdf5_array(file, group, "nz", H5T_STD_I32LE, 1, &a->nz));
    HAW_TRY(haw_hdf5_array(file, group, "p", H5T_STD_I32LE, a->pointers, a->p));
    HAW_TRY(haw_hdf5_array(file, group, "i", H5T_STD_I32LE, a->nzmax, a->i));
    return haw_hdf5_array(file, group, "x", H5T_IEEE_F64LE, a->nzmax, a->x);
}

static haw_status allocate_matrix(haw_arena *arena, matrix *a)
{
    const size_t count = (size_t)a->nzmax + 1;
    a->p = haw_arena_allocate(arena, (size_t)a->pointers + 1, sizeof *a->p);
    a->i = haw_arena_allocate(arena, count, sizeof *a->i);
    a->x = haw_arena_allocate(arena, count, sizeof *a->x);
    return haw_arena_status(arena);
}

/* W, row by row. */
static haw_status expand(haw_arena *arena, const haw_bsr *w, matrix *a)
{
    const int d = w->block, rows = w->rows * d;
    int n = 0;
    *a = (matrix){
        .m = rows, .n = rows, .nz = -2, .nzmax = w->start[w->rows] * d * d, .pointers = rows + 1};
    HAW_TRY(allocate_matrix(arena, a));
    for (int row = 0; row < rows; row++) {
        for (int k = w->start[row / d]; k < w->start[row / d + 1]; k++) {
            for (int j = 0; j < d; j++) {
                a->i[n] = w->column[k] * d + j;
                a->x[n++] = w->value[((ptrdiff_t)k * d + row % d) * d + j];
            }
        }
        a->p[row + 1] = n;
    }
    return HAW_OK;
}

/* Triplets of a matrix or of its transpose. */
static haw_status list_triplets(haw_arena *arena, const haw_csr *from, bool transpose, matrix *a)
{
    const int count = from->start[from->rows];
    *a = (matrix){.m = transpose ? from->columns : from->rows,
                  .n = transpose ? from->rows : from->columns,
                  .nz = count,
                  .nzmax = count,
                  .pointers = count};
    HAW_TRY(allocate_matrix(arena, a));
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
    const char *info[3];    /* title, description, math_info; not NULL */
    const double *impulses; /* NULL: no solution */
} output;

static haw_status put_info(output *out, hid_t form)
{
    static const char *const name[] = {"title", "description", "math_info"};
    hid_t group = -1;
    HAW_TRY(haw_hdf5_group(&out->file, form, "info", &group));
    for (int i = 0; i < 3; i++) {
        HAW_TRY(haw_hdf5_string(&out->file, group, name[i], out->info[i]));
    }
    return HAW_OK;
}

static haw_status put_local(output *out, hid_t form)
{
    const haw_problem *problem = out->problem;
    matrix w;
    hid_t vectors = -1;
    HAW_TRY(expand(&out->arena, &problem->w, &w));
    HAW_TRY(put_matrix(&out->file, form, "W", &w));
    HAW_TRY(haw_hdf5_group(&out->file, form, "vectors", &vectors));
    HAW_TRY(haw_hdf5_array(&out->file, vectors, "q", H5T_IEEE_F64LE, w.m, problem->q));
    return haw_hdf5_array(&out->file, vectors, "mu", H5T_IEEE_F64LE, problem->contacts,
                          problem->mu);
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
    HAW_TRY(haw_hdf5_array(&out->file, vectors, "f", H5T_IEEE_F64LE, global->m.rows, global->f));
    HAW_TRY(haw_hdf5_array(&out->file, vectors, "w", H5T_IEEE_F64LE, rows, global->w));
    HAW_TRY(haw_hdf5_array(&out->file, vectors, "mu", H5T_IEEE_F64LE, out->problem->contacts,
                           out->problem->mu));
    if (bilateral > 0) {
        HAW_TRY(haw_hdf5_array(&out->file, vectors, "b", H5T_IEEE_F64LE, bilateral, global->b));
    }
    return HAW_OK;
}

/* The answer r with the velocities u that belong to it. */
static haw_status put_solution(output *out)
{
    const int rows = out->problem->dimension * out->problem->contacts;
    double *u = haw_arena_allocate(&out->arena, (size_t)rows + 1, sizeof *u);
    haw_residual residual;
    hid_t group = -1;
    HAW_TRY(haw_arena_status(&out->arena));
    HAW_TRY(haw_problem_residual(out->arena.context, out->problem, out->impulses, u, &residual));
    HAW_TRY(haw_hdf5_group(&out->file, out->file.id, "solution", &group));
    HAW_TRY(haw_hdf5_array(&out->file, group, "r", H5T_IEEE_F64LE, rows, out->impulses));
    return haw_hdf5_array(&out->file, group, "u", H5T_IEEE_F64LE, rows, u);
}

static haw_status put_problem(output *out)
{
    const bool is_global = out->problem->global != NULL;
    hid_t form = -1;
    HAW_TRY(haw_hdf5_group(&out->file, out->file.id, is_global ? "fclib_global" : "fclib_local",
                           &form));
    HAW_TRY(
        haw_hdf5_array(&out->file, form, "spacedim", H5T_STD_I32LE, 1, &out->problem->dimension));
    HAW_TRY(is_global ? put_global(out, form) : put_local(out, form));
    HAW_TRY(put_info(out, form));
    return out->impulses != NULL ? put_solution(out) : HAW_OK;
}

/* ---- the file ---- */

static size_t count_entries(const haw_csr *a)
{
    return a->start != NULL ? (size_t)a->start[a->rows] : 0;
}

/* Upper bound of the size of the file: 16 bytes per entry of a matrix, 8 per entry of a vector. */
static size_t room_needed(const output *out)
{
    const haw_problem *problem = out->problem;
    const haw_global *global = problem->global;
    const size_t d = (size_t)problem->dimension, rows = d * (size_t)problem->contacts;
    size_t bytes = 65536 + 48 * rows;
    for (int i = 0; i < 3; i++) {
        bytes += strlen(out->info[i]);
    }
    if (global == NULL) {
        return bytes + (size_t)problem->w.start[problem->w.rows] * d * d * 16;
    }
    bytes += 8 * ((size_t)global->m.rows + (size_t)global->gt.rows);
    return bytes + 16 * (count_entries(&global->m) + count_entries(&global->ht) +
                         count_entries(&global->gt));
}

haw_status haw_fclib_write(haw_context *context, const char *path, const haw_problem *problem,
                           const haw_fclib_info *info)
{
    static const haw_fclib_info nothing = {0};
    const haw_fclib_info *given = info != NULL ? info : &nothing;
    const char *text[] = {given->title, given->description, given->math_info};
    output out = {.problem = problem, .impulses = given->impulses};
    for (int i = 0; i < 3; i++) {
        out.info[i] = text[i] != NULL ? text[i] : "";
    }
    /* The format counts the entries of a matrix with an int. */
    const int size = problem->dimension * problem->dimension;
    if (problem->global == NULL && problem->w.start[problem->w.rows] > INT_MAX / size) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "cannot write '%s': W has more entries than the format can count", path);
    }
    haw_arena_init(&out.arena, context);
    haw_status status = haw_hdf5_init(&out.file, &out.arena, path);
    status = status == HAW_OK ? haw_hdf5_create(&out.file, room_needed(&out)) : status;
    out.file.is_passing = out.file.id >= 0;
    status = status == HAW_OK ? put_problem(&out) : status;
    status = haw_hdf5_close(&out.file, status);
    haw_arena_fini(&out.arena);
    return status;
}
