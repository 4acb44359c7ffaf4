/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * FCLIB files into problems (V. Acary et al., FCLIB: a collection of discrete 3D frictional
 * contact problems, RT-444, INRIA 2014). Solutions and guesses that a file may hold are not read.
 */
#include "io/fclib.h"
#include "linalg/lu.h"

#include <hawser/io.h>

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- sparse matrices ---- */

/*
 * Sparse matrices of FCLIB files. `nz` selects the encoding: -2 compressed rows, -1 compressed
 * columns, otherwise the number of triplets. According to the format's own header p of a triplet is
 * the row and i the column; existing files have it the other way round.
 */

enum { COMPRESSED_COLUMNS = -1, COMPRESSED_ROWS = -2 };

/* The shape that a matrix must have. */
typedef struct shape {
    int rows;
    int columns;    /* -1: as the file says */
    bool transpose; /* give the transposed matrix */
} shape;

/* A matrix group being read. */
typedef struct source {
    haw_fclib *file;
    const char *group; /* "/fclib_local/W" */
    int rows, columns, nz, nzmax;
    haw_triplets entries; /* in rows and columns of the file */
} source;

static const char *member(const source *from, const char *name, char text[HAW_FCLIB_NAME])
{
    (void)snprintf(text, HAW_FCLIB_NAME, "%s/%s", from->group, name);
    return text;
}

static haw_status read_sizes(source *from)
{
    char text[HAW_FCLIB_NAME];
    HAW_TRY(haw_fclib_integer(from->file, member(from, "m", text), &from->rows));
    HAW_TRY(haw_fclib_integer(from->file, member(from, "n", text), &from->columns));
    HAW_TRY(haw_fclib_integer(from->file, member(from, "nz", text), &from->nz));
    return haw_fclib_integer(from->file, member(from, "nzmax", text), &from->nzmax);
}

static haw_status check_sizes(const source *from, const shape *wanted)
{
    if (from->rows != wanted->rows || (wanted->columns >= 0 && from->columns != wanted->columns)) {
        return wanted->columns >= 0
                   ? haw_fclib_fail(from->file, from->group, "is %d x %d, expected %d x %d",
                                    from->rows, from->columns, wanted->rows, wanted->columns)
                   : haw_fclib_fail(from->file, from->group, "has %d rows, expected %d", from->rows,
                                    wanted->rows);
    }
    if (from->columns < 0 || from->columns == INT_MAX) {
        return haw_fclib_fail(from->file, from->group, "the number of columns %d is not valid",
                              from->columns);
    }
    if (from->nz < COMPRESSED_ROWS) {
        return haw_fclib_fail(from->file, from->group,
                              "unknown encoding nz = %d (-2: rows, -1: columns, else triplets)",
                              from->nz);
    }
    return HAW_OK;
}

static haw_status check_range(const source *from, const char *name, const int *index, int limit)
{
    char text[HAW_FCLIB_NAME];
    for (int k = 0; k < from->entries.count; k++) {
        if (index[k] < 0 || index[k] >= limit) {
            return haw_fclib_fail(from->file, member(from, name, text),
                                  "entry %d is %d, outside 0 ... %d", k, index[k], limit - 1);
        }
    }
    return HAW_OK;
}

static haw_status check_pointers(const source *from, const int *p, int lines)
{
    char text[HAW_FCLIB_NAME];
    member(from, "p", text);
    if (p[0] != 0) {
        return haw_fclib_fail(from->file, text, "must begin with 0 (found %d)", p[0]);
    }
    for (int k = 0; k < lines; k++) {
        if (p[k + 1] < p[k]) {
            return haw_fclib_fail(from->file, text, "decreases from %d to %d at entry %d", p[k],
                                  p[k + 1], k + 1);
        }
    }
    return HAW_OK;
}

/*
 * Some writers store all numbers of a dense matrix, line by line, with pointers that are all zero.
 * Such a matrix is read as dense, since no contact problem has an empty matrix.
 */
static bool is_dense(const source *from, const int *p, int lines)
{
    bool is_empty = true;
    for (int k = 0; k <= lines; k++) {
        is_empty = is_empty && p[k] == 0;
    }
    const int64_t full = (int64_t)from->rows * from->columns;
    return is_empty && full > 0 && from->nzmax == full;
}

static haw_status read_dense(source *from, int lines, int **line, int **place)
{
    char text[HAW_FCLIB_NAME];
    haw_triplets all;
    int numbers = 0;
    /* Check that the numbers exist before memory is allocated for their places. */
    HAW_TRY(haw_fclib_extent(from->file, member(from, "x", text), &numbers));
    if (numbers < from->nzmax) {
        return haw_fclib_fail(from->file, text, "%d entries, expected %d", numbers, from->nzmax);
    }
    HAW_TRY(haw_triplets_create(&from->file->arena, from->nzmax, false, &all));
    const int length = from->nzmax / lines;
    for (int k = 0; k < from->nzmax; k++) {
        haw_triplets_add(&all, k / length, k % length, 0.0);
    }
    *line = all.row;
    *place = all.column;
    from->entries.count = all.count;
    return HAW_OK;
}

/* Compressed lines; the entries of a line may be in any order. */
static haw_status read_lines(source *from, int lines, int **line, int **place)
{
    char text[HAW_FCLIB_NAME];
    int *p = NULL;
    HAW_TRY(haw_fclib_integers(from->file, member(from, "p", text), lines + 1, &p));
    if (is_dense(from, p, lines)) {
        return read_dense(from, lines, line, place);
    }
    HAW_TRY(check_pointers(from, p, lines));
    const int count = p[lines];
    HAW_TRY(haw_fclib_integers(from->file, member(from, "i", text), count, place));
    *line = haw_arena_allocate(&from->file->arena, (size_t)count + 1, sizeof(int));
    HAW_TRY(haw_arena_status(&from->file->arena));
    for (int k = 0, at = 0; at < lines; at++) {
        for (; k < p[at + 1]; k++) {
            (*line)[k] = at;
        }
    }
    from->entries.count = count;
    return HAW_OK;
}

static int largest(const int *index, int count)
{
    int found = -1;
    for (int k = 0; k < count; k++) {
        found = index[k] > found ? index[k] : found;
    }
    return found;
}

/* p holds the columns, as in all known files, unless only the opposite order fits. */
static haw_status read_triplets(source *from)
{
    char text[HAW_FCLIB_NAME];
    int *p = NULL, *i = NULL;
    HAW_TRY(haw_fclib_integers(from->file, member(from, "p", text), from->nz, &p));
    HAW_TRY(haw_fclib_integers(from->file, member(from, "i", text), from->nz, &i));
    const int p_max = largest(p, from->nz), i_max = largest(i, from->nz);
    const bool is_usual = p_max < from->columns && i_max < from->rows;
    const bool is_swapped = !is_usual && p_max < from->rows && i_max < from->columns;
    from->entries.column = is_swapped ? i : p;
    from->entries.row = is_swapped ? p : i;
    from->entries.count = from->nz;
    HAW_TRY(check_range(from, "p", p, is_swapped ? from->rows : from->columns));
    return check_range(from, "i", i, is_swapped ? from->columns : from->rows);
}

static haw_status read_entries(source *from)
{
    haw_triplets *entries = &from->entries;
    char text[HAW_FCLIB_NAME];
    if (from->nz == COMPRESSED_ROWS) {
        HAW_TRY(read_lines(from, from->rows, &entries->row, &entries->column));
        HAW_TRY(check_range(from, "i", entries->column, from->columns));
    } else if (from->nz == COMPRESSED_COLUMNS) {
        HAW_TRY(read_lines(from, from->columns, &entries->column, &entries->row));
        HAW_TRY(check_range(from, "i", entries->row, from->rows));
    } else {
        HAW_TRY(read_triplets(from));
    }
    return haw_fclib_reals(from->file, member(from, "x", text), entries->count, &entries->value);
}

/* Read a matrix group in any of the encodings of the format. */
static haw_status read_matrix(haw_fclib *file, const char *group, const shape *wanted,
                              haw_csr *matrix)
{
    source from = {.file = file, .group = group};
    HAW_TRY(read_sizes(&from));
    HAW_TRY(check_sizes(&from, wanted));
    HAW_TRY(read_entries(&from));
    /* Empty lines carry no information: more lines than entries would only cost memory. */
    if (wanted->columns < 0 && from.columns > from.entries.count) {
        return haw_fclib_fail(file, group, "has more columns (%d) than entries (%d)", from.columns,
                              from.entries.count);
    }
    haw_triplets entries = from.entries;
    if (wanted->transpose) {
        entries.row = from.entries.column;
        entries.column = from.entries.row;
        return haw_triplets_compress(&file->arena, &entries, from.columns, from.rows, matrix);
    }
    return haw_triplets_compress(&file->arena, &entries, from.rows, from.columns, matrix);
}

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

/* An optional vector; zero if it is missing. */
static haw_status read_optional(haw_fclib *file, const char *name, int count, double **value)
{
    if (haw_fclib_has(file, name)) {
        return read_vector(file, name, &count, value);
    }
    *value = haw_arena_allocate(&file->arena, (size_t)count + 1, sizeof(double));
    return haw_arena_status(&file->arena);
}

/* The number of contacts, from a vector with an entry for each contact velocity. */
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

/* The local form as it is stored in the file: u = W r + V l + q, V^T r + R l + s = 0. */
typedef struct local_form {
    int dimension, contacts;
    int bilateral; /* p, 0 where there are no equalities */
    haw_csr w;     /* [n d x n d] */
    haw_csr v;     /* [n d x p] */
    haw_csr r;     /* [p x p] */
    double *q;     /* [n d] */
    double *s;     /* [p] */
    double *mu;    /* [n] */
} local_form;

static void copy_reals(double *to, const double *from, int count)
{
    if (count > 0) {
        memcpy(to, from, (size_t)count * sizeof *to);
    }
}

/* ---- local form: bilateral rows eliminated ---- */

/* Limit of the numbers that an elimination may create: its result is dense, however small the file
 * is. */
enum { FILL_MAX = 1 << 24 };

/* State of the elimination. */
typedef struct elimination {
    const local_form *local;
    haw_lu *lu;
    int count; /* contact rows that V couples */
    int *row;  /* [count] */
    double *x; /* [p] */
    haw_triplets sum;
} elimination;

static double row_times(const haw_csr *matrix, int row, const double *x)
{
    double sum = 0.0;
    for (int k = matrix->start[row]; k < matrix->start[row + 1]; k++) {
        sum += matrix->value[k] * x[matrix->column[k]];
    }
    return sum;
}

/* q - V R^-1 s */
static void eliminate_offset(elimination *e)
{
    const local_form *local = e->local;
    copy_reals(e->x, local->s, local->bilateral);
    haw_lu_solve(e->lu, e->x);
    for (int a = 0; a < e->count; a++) {
        local->q[e->row[a]] -= row_times(&local->v, e->row[a], e->x);
    }
}

/* W - V R^-1 V^T, a column at a time */
static void eliminate_coupling(elimination *e)
{
    const haw_csr *w = &e->local->w, *v = &e->local->v;
    for (int i = 0; i < w->rows; i++) {
        for (int k = w->start[i]; k < w->start[i + 1]; k++) {
            haw_triplets_add(&e->sum, i, w->column[k], w->value[k]);
        }
    }
    for (int b = 0; b < e->count; b++) {
        for (int j = 0; j < e->local->bilateral; j++) {
            e->x[j] = 0.0;
        }
        for (int k = v->start[e->row[b]]; k < v->start[e->row[b] + 1]; k++) {
            e->x[v->column[k]] = v->value[k];
        }
        haw_lu_solve(e->lu, e->x);
        for (int a = 0; a < e->count; a++) {
            haw_triplets_add(&e->sum, e->row[a], e->row[b], -row_times(v, e->row[a], e->x));
        }
    }
}

static haw_status run_elimination(haw_fclib *file, local_form *local, elimination *e)
{
    const haw_status status = haw_lu_factor(e->lu, local->r.value);
    if (status == HAW_ERR_SINGULAR) {
        return haw_fclib_fail(file, "/fclib_local/R",
                              "singular: the equalities do not determine their multipliers");
    }
    HAW_TRY(status);
    eliminate_offset(e);
    eliminate_coupling(e);
    return haw_triplets_compress(&file->arena, &e->sum, local->w.rows, local->w.columns, &local->w);
}

/*
 * Eliminate the bilateral impulses: W becomes W - V R^-1 V^T, q becomes q - V R^-1 s.
 * @return ERR_INPUT: R is singular, or the result too large
 */
static haw_status eliminate(haw_fclib *file, local_form *local)
{
    haw_arena *arena = &file->arena;
    const haw_csr *v = &local->v;
    elimination e = {.local = local};
    e.row = haw_arena_allocate(arena, (size_t)v->rows + 1, sizeof(int));
    e.x = haw_arena_allocate(arena, (size_t)local->bilateral, sizeof(double));
    HAW_TRY(haw_arena_status(arena));
    for (int i = 0; i < v->rows; i++) {
        if (v->start[i + 1] > v->start[i]) {
            e.row[e.count++] = i;
        }
    }
    const int64_t p = local->bilateral, n = e.count;
    const int64_t entries = local->w.start[local->w.rows];
    if (p * p + n * n > FILL_MAX || entries + n * n >= INT_MAX) {
        return haw_fclib_fail(file, "/fclib_local/V",
                              "%d equalities on %d contact rows are too many to eliminate",
                              local->bilateral, e.count);
    }
    HAW_TRY(haw_triplets_create(arena, (int)(entries + n * n), true, &e.sum));
    HAW_TRY(haw_lu_create(arena, &local->r, &e.lu));
    const haw_status status = run_elimination(file, local, &e);
    haw_lu_release(e.lu);
    return status;
}

/* ---- local form: scalar entries gathered into blocks ---- */

/*
 * Find the blocks with nonzero entries, their transposes and the diagonal: solvers may rely on a
 * symmetric pattern.
 */
static haw_status find_blocks(haw_fclib *file, const local_form *local, haw_csr *pattern)
{
    const int d = local->dimension;
    const haw_csr *w = &local->w;
    const int entries = w->start[w->rows];
    haw_triplets places;
    HAW_TRY(haw_triplets_create(&file->arena, (ptrdiff_t)2 * entries + local->contacts, false,
                                &places));
    for (int c = 0; c < local->contacts; c++) {
        haw_triplets_add(&places, c, c, 0.0);
    }
    for (int i = 0; i < w->rows; i++) {
        int last = -1;
        for (int k = w->start[i]; k < w->start[i + 1]; k++) {
            const int block = w->column[k] / d;
            if (w->value[k] != 0.0 && block != last) {
                haw_triplets_add(&places, i / d, block, 0.0);
                haw_triplets_add(&places, block, i / d, 0.0);
                last = block;
            }
        }
    }
    return haw_triplets_compress(&file->arena, &places, local->contacts, local->contacts, pattern);
}

/* Positions and values of blocks are counted with an int. */
static haw_status check_count(haw_fclib *file, const local_form *local, int blocks)
{
    const int entries = local->w.start[local->w.rows];
    const bool is_small = entries <= INT_MAX / 2 - local->contacts && blocks <= INT_MAX / 9;
    return is_small ? HAW_OK
                    : haw_fclib_fail(file, "/fclib_local/W", "%d entries are too many", entries);
}

/* Fill the rows of one contact. place [contacts]: scratch. Entries outside all blocks are zero. */
static void fill_row(const haw_csr *from, int c, int *place, haw_bsr *w)
{
    const int d = w->block;
    for (int k = w->start[c]; k < w->start[c + 1]; k++) {
        place[w->column[k]] = k + 1;
    }
    w->diagonal[c] = place[c] - 1;
    for (int i = d * c; i < d * (c + 1); i++) {
        for (int k = from->start[i]; k < from->start[i + 1]; k++) {
            const int at = place[from->column[k] / d] - 1;
            if (at >= 0) {
                const int inside = d * (i - d * c) + from->column[k] % d;
                w->value[(ptrdiff_t)at * d * d + inside] = from->value[k];
            }
        }
    }
    for (int k = w->start[c]; k < w->start[c + 1]; k++) {
        place[w->column[k]] = 0;
    }
}

/* The problem of a local form without bilateral rows. */
static haw_status make_blocks(haw_fclib *file, const local_form *local, haw_problem **problem)
{
    const int d = local->dimension, n = local->contacts;
    haw_csr pattern;
    HAW_TRY(check_count(file, local, 0));
    HAW_TRY(find_blocks(file, local, &pattern));
    HAW_TRY(check_count(file, local, pattern.start[n]));
    int *place = haw_arena_allocate(&file->arena, (size_t)n + 1, sizeof(int));
    HAW_TRY(haw_arena_status(&file->arena));
    const haw_problem_size size = {.dimension = d, .contacts = n, .blocks = pattern.start[n]};
    HAW_TRY(haw_problem_create(file->context, &size, problem));
    haw_bsr *w = &(*problem)->w;
    memcpy(w->start, pattern.start, ((size_t)n + 1) * sizeof *w->start);
    memcpy(w->column, pattern.column, (size_t)pattern.start[n] * sizeof *w->column);
    for (int c = 0; c < n; c++) {
        fill_row(&local->w, c, place, w);
    }
    copy_reals((*problem)->mu, local->mu, n);
    copy_reals((*problem)->q, local->q, n * d);
    return HAW_OK;
}

/* ---- local form ---- */

static haw_status read_equalities(haw_fclib *file, local_form *local)
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
    const shape v = {.rows = rows, .columns = -1};
    HAW_TRY(read_matrix(file, "/fclib_local/V", &v, &local->v));
    const int p = local->v.columns;
    const shape r = {.rows = p, .columns = p};
    HAW_TRY(read_matrix(file, "/fclib_local/R", &r, &local->r));
    local->bilateral = p;
    return read_optional(file, "/fclib_local/vectors/s", p, &local->s);
}

static haw_status read_local(haw_fclib *file, haw_problem **problem)
{
    local_form local = {.dimension = 0};
    HAW_TRY(read_dimension(file, "/fclib_local/spacedim", &local.dimension));
    HAW_TRY(
        read_contacts(file, "/fclib_local/vectors/q", local.dimension, &local.q, &local.contacts));
    HAW_TRY(read_vector(file, "/fclib_local/vectors/mu", &local.contacts, &local.mu));
    const int rows = local.dimension * local.contacts;
    const shape w = {.rows = rows, .columns = rows};
    HAW_TRY(read_matrix(file, "/fclib_local/W", &w, &local.w));
    HAW_TRY(read_equalities(file, &local));
    if (local.bilateral > 0) {
        HAW_TRY(eliminate(file, &local));
    }
    return make_blocks(file, &local, problem);
}

/* ---- global form ---- */

/* The global form as it is stored in the file, with matrices in the orientation of the problem. */
typedef struct global_form {
    haw_csr m, ht, gt;
    double *f, *w, *b, *mu;
} global_form;

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
    const shape m = {.rows = nv, .columns = nv};
    HAW_TRY(read_matrix(file, "/fclib_global/M", &m, &form->m));
    const shape h = {.rows = nv, .columns = size->dimension * size->contacts, .transpose = true};
    HAW_TRY(read_matrix(file, "/fclib_global/H", &h, &form->ht));
    size->velocities = nv;
    size->m_count = form->m.start[nv];
    size->h_count = form->ht.start[form->ht.rows];
    if (!haw_fclib_has(file, "/fclib_global/G")) {
        return HAW_OK;
    }
    const shape g = {.rows = nv, .columns = -1, .transpose = true};
    HAW_TRY(read_matrix(file, "/fclib_global/G", &g, &form->gt));
    size->bilateral = form->gt.rows;
    size->g_count = form->gt.start[form->gt.rows];
    return read_optional(file, "/fclib_global/vectors/b", size->bilateral, &form->b);
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
            is_local ? "contains both /fclib_local and /fclib_global"
                     : "not an FCLIB file: it contains neither /fclib_local nor /fclib_global");
    }
    return is_local ? read_local(file, problem) : read_global(file, problem);
}

/* Refuse problems that no solver accepts, with the name of the file before the reason. */
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
    status = status == HAW_OK && (file.is_blind || file.is_lost)
                 ? haw_fclib_fail(&file, "", "incomplete")
                 : status;
    status = status == HAW_OK ? check_problem(&file, made) : status;
    haw_fclib_close(&file);
    if (status != HAW_OK) {
        haw_problem_free(context, made);
        return status;
    }
    *problem = made;
    return HAW_OK;
}
