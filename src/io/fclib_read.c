/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * FCLIB files into problems (V. Acary et al., FCLIB: a collection of discrete 3D frictional
 * contact problems, RT-444, INRIA 2014). Solutions and guesses that a file may hold are not read.
 */
#include "io/fclib.h"

#include <hawser/io.h>

#include <stdio.h>
#include <string.h>

/* ---- vectors ---- */

static haw_status read_dimension(haw_fclib *file, const char *name, int *dimension)
{
    HAW_TRY(haw_fclib_integer(file, name, dimension));
    if (*dimension != 2 && *dimension != 3) {
        return haw_fclib_fail(file, name, "must be 2 or 3 (found %d)", *dimension);
    }
    return HAW_OK;
}

/* All entries of a vector. @param count  expected, or -1: out, as many as there are */
static haw_status read_vector(haw_fclib *file, const char *name, int *count, double **value)
{
    int extent = 0;
    HAW_TRY(haw_fclib_extent(file, name, &extent));
    if (*count >= 0 && extent != *count) {
        return haw_fclib_fail(file, name, "%d entries, expected %d", extent, *count);
    }
    *count = extent;
    return haw_fclib_reals(file, name, extent, value);
}

/* A vector that may be missing: then it is zero. */
static haw_status read_optional(haw_fclib *file, const char *name, int count, double **value)
{
    if (haw_fclib_has(file, name)) {
        return read_vector(file, name, &count, value);
    }
    *value = haw_arena_allocate(&file->arena, (size_t)count + 1, sizeof(double));
    return haw_arena_status(&file->arena);
}

/* A vector with an entry per contact velocity tells the number of contacts. */
static haw_status read_contacts(haw_fclib *file, const char *name, int dimension, double **value,
                                int *contacts)
{
    int rows = -1;
    HAW_TRY(read_vector(file, name, &rows, value));
    *contacts = rows / dimension;
    if (rows != dimension * *contacts) {
        return haw_fclib_fail(file, name, "%d entries are not a multiple of the dimension %d", rows,
                              dimension);
    }
    return HAW_OK;
}

/* ---- local form ---- */

static haw_status read_equalities(haw_fclib *file, haw_fclib_local *local)
{
    const int rows = local->dimension * local->contacts;
    const bool has_v = haw_fclib_has(file, "/fclib_local/V");
    if (has_v != haw_fclib_has(file, "/fclib_local/R")) {
        return haw_fclib_fail(file, has_v ? "/fclib_local/R" : "/fclib_local/V",
                              "missing; V and R must be given together");
    }
    if (!has_v) {
        return HAW_OK;
    }
    const haw_fclib_shape v = {.rows = rows, .columns = -1};
    HAW_TRY(haw_fclib_matrix(file, "/fclib_local/V", &v, &local->v));
    const int p = local->v.columns;
    const haw_fclib_shape r = {.rows = p, .columns = p};
    HAW_TRY(haw_fclib_matrix(file, "/fclib_local/R", &r, &local->r));
    local->bilateral = p;
    return read_optional(file, "/fclib_local/vectors/s", p, &local->s);
}

static haw_status read_local(haw_fclib *file, haw_problem **problem)
{
    haw_fclib_local local = {.dimension = 0};
    HAW_TRY(read_dimension(file, "/fclib_local/spacedim", &local.dimension));
    HAW_TRY(
        read_contacts(file, "/fclib_local/vectors/q", local.dimension, &local.q, &local.contacts));
    HAW_TRY(read_vector(file, "/fclib_local/vectors/mu", &local.contacts, &local.mu));
    const int rows = local.dimension * local.contacts;
    const haw_fclib_shape shape = {.rows = rows, .columns = rows};
    HAW_TRY(haw_fclib_matrix(file, "/fclib_local/W", &shape, &local.w));
    HAW_TRY(read_equalities(file, &local));
    if (local.bilateral > 0) {
        HAW_TRY(haw_fclib_eliminate(file, &local));
    }
    return haw_fclib_blocks(file, &local, problem);
}

/* ---- global form ---- */

/* The global form as the file has it, its matrices in the problem's orientation. */
typedef struct global_form {
    haw_csr m, ht, gt;
    double *f, *w, *b, *mu;
} global_form;

static haw_status read_bilateral(haw_fclib *file, int velocities, global_form *form,
                                 haw_problem_size *size)
{
    if (!haw_fclib_has(file, "/fclib_global/G")) {
        return HAW_OK;
    }
    const haw_fclib_shape g = {.rows = velocities, .columns = -1, .transpose = true};
    HAW_TRY(haw_fclib_matrix(file, "/fclib_global/G", &g, &form->gt));
    size->bilateral = form->gt.rows;
    size->g_count = form->gt.start[form->gt.rows];
    return read_optional(file, "/fclib_global/vectors/b", size->bilateral, &form->b);
}

static haw_status read_form(haw_fclib *file, global_form *form, haw_problem_size *size)
{
    int nv = -1;
    HAW_TRY(read_dimension(file, "/fclib_global/spacedim", &size->dimension));
    HAW_TRY(read_vector(file, "/fclib_global/vectors/f", &nv, &form->f));
    if (nv == 0) {
        return haw_fclib_fail(file, "/fclib_global/vectors/f",
                              "empty: the problem has no velocities");
    }
    HAW_TRY(
        read_contacts(file, "/fclib_global/vectors/w", size->dimension, &form->w, &size->contacts));
    HAW_TRY(read_vector(file, "/fclib_global/vectors/mu", &size->contacts, &form->mu));
    const haw_fclib_shape m = {.rows = nv, .columns = nv};
    HAW_TRY(haw_fclib_matrix(file, "/fclib_global/M", &m, &form->m));
    const haw_fclib_shape h = {
        .rows = nv, .columns = size->dimension * size->contacts, .transpose = true};
    HAW_TRY(haw_fclib_matrix(file, "/fclib_global/H", &h, &form->ht));
    size->velocities = nv;
    size->m_count = form->m.start[nv];
    size->h_count = form->ht.start[form->ht.rows];
    return read_bilateral(file, nv, form, size);
}

static void copy_reals(double *to, const double *from, int count)
{
    if (count > 0) {
        memcpy(to, from, (size_t)count * sizeof *to);
    }
}

static void copy_matrix(haw_csr *to, const haw_csr *from)
{
    if (from->rows > 0) {
        const int count = from->start[from->rows];
        memcpy(to->start, from->start, ((size_t)from->rows + 1) * sizeof *to->start);
        memcpy(to->column, from->column, (size_t)count * sizeof *to->column);
        copy_reals(to->value, from->value, count);
    }
}

static haw_status read_global(haw_fclib *file, haw_problem **problem)
{
    global_form form = {.f = NULL};
    haw_problem_size size = {.dimension = 0};
    HAW_TRY(read_form(file, &form, &size));
    HAW_TRY(haw_problem_create(file->context, &size, problem));
    haw_global *global = (*problem)->global;
    copy_matrix(&global->m, &form.m);
    copy_matrix(&global->ht, &form.ht);
    copy_matrix(&global->gt, &form.gt);
    copy_reals(global->f, form.f, size.velocities);
    copy_reals(global->w, form.w, size.dimension * size.contacts);
    copy_reals(global->b, form.b, size.bilateral);
    copy_reals((*problem)->mu, form.mu, size.contacts);
    return HAW_OK;
}

/* ---- the file ---- */

static haw_status read_problem(haw_fclib *file, haw_problem **problem)
{
    const bool is_local = haw_fclib_has(file, "/fclib_local");
    const bool is_global = haw_fclib_has(file, "/fclib_global");
    if (haw_fclib_has(file, "/fclib_global_rolling")) {
        return haw_fclib_fail(file, "/fclib_global_rolling",
                              "problems with rolling friction are not supported");
    }
    if (is_local == is_global) {
        return haw_fclib_fail(
            file, "",
            is_local ? "holds both /fclib_local and /fclib_global"
                     : "not an FCLIB file: it holds neither /fclib_local nor /fclib_global");
    }
    return is_local ? read_local(file, problem) : read_global(file, problem);
}

/* What no solver can take is refused with the name of the file before the reason. */
static haw_status check_problem(const haw_fclib *file, const haw_problem *problem)
{
    const haw_status status = haw_problem_check(file->context, problem);
    if (status != HAW_ERR_INPUT) {
        return status;
    }
    char reason[512];
    (void)snprintf(reason, sizeof reason, "%s", haw_context_message(file->context));
    return haw_fail(file->context, status, "%s: %s", file->path, reason);
}

haw_status haw_fclib_read(haw_context *context, const char *path, haw_problem **problem)
{
    haw_fclib file;
    haw_problem *made = NULL;
    *problem = NULL;
    haw_status status = haw_fclib_open(context, path, &file);
    status = status == HAW_OK ? read_problem(&file, &made) : status;
    status = status == HAW_OK ? check_problem(&file, made) : status;
    haw_fclib_close(&file);
    if (status != HAW_OK) {
        haw_problem_free(context, made);
        return status;
    }
    *problem = made;
    return HAW_OK;
}
