/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/fclib_file.h"

static void fclib_file_setup(fclib_file *f)
{
    const char *base = getenv("TMPDIR");
    (void)snprintf(f->folder, sizeof f->folder, "%s/hawser-fclib.XXXXXX",
                   base != NULL ? base : "/tmp");
    assert_non_null(mkdtemp(f->folder));
    (void)snprintf(f->path, sizeof f->path, "%s/problem.hdf5", f->folder);
    assert_int_equal(haw_context_create(NULL, &f->context), HAW_OK);
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

static void fclib_file_teardown(fclib_file *f)
{
    haw_context_free(f->context);
    (void)remove(f->path);
    assert_int_equal(rmdir(f->folder), 0); /* nothing else is left behind */
}

int fclib_setup(void **state)
{
    fclib_file *f = calloc(1, sizeof *f);
    assert_non_null(f);
    fclib_file_setup(f);
    *state = f;
    return 0;
}

int fclib_teardown(void **state)
{
    fclib_file_teardown(*state);
    free(*state);
    return 0;
}

void fclib_file_begin(fclib_file *f)
{
    f->id = H5Fcreate(f->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(f->id >= 0);
}

void fclib_file_open(fclib_file *f)
{
    f->id = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(f->id >= 0);
}

void fclib_file_end(fclib_file *f)
{
    assert_true(H5Fclose(f->id) >= 0);
}

void fclib_put_as(const fclib_file *f, const char *name, const hid_t type[2], const hsize_t *size,
                  int rank, const void *value)
{
    if (H5Lexists(f->id, name, H5P_DEFAULT) > 0) {
        assert_true(H5Ldelete(f->id, name, H5P_DEFAULT) >= 0);
    }
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    (void)H5Pset_create_intermediate_group(links, 1);
    const hid_t space = H5Screate_simple(rank, size, NULL);
    const hid_t set = H5Dcreate2(f->id, name, type[0], space, links, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(set >= 0);
    if (value != NULL && H5Sget_simple_extent_npoints(space) > 0) {
        assert_true(H5Dwrite(set, type[1], H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
    }
    (void)H5Dclose(set);
    (void)H5Sclose(space);
    (void)H5Pclose(links);
}

void fclib_put_integers(const fclib_file *f, const char *name, int count, const int *value)
{
    const hid_t type[2] = {H5T_STD_I32LE, H5T_NATIVE_INT};
    const hsize_t n = (hsize_t)count;
    fclib_put_as(f, name, type, &n, 1, value);
}

void fclib_put_integer(const fclib_file *f, const char *name, int value)
{
    fclib_put_integers(f, name, 1, &value);
}

void fclib_put_reals(const fclib_file *f, const char *name, int count, const double *value)
{
    const hid_t type[2] = {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE};
    const hsize_t n = (hsize_t)count;
    fclib_put_as(f, name, type, &n, 1, value);
}

void fclib_drop(const fclib_file *f, const char *name)
{
    assert_true(H5Ldelete(f->id, name, H5P_DEFAULT) >= 0);
}

void fclib_put_matrix(const fclib_file *f, const char *group, const fclib_matrix *a)
{
    char name[80];

    const struct {
        const char *name;
        int value;
    } sizes[] = {{"m", a->m}, {"n", a->n}, {"nz", a->nz}, {"nzmax", a->nzmax}};

    for (int k = 0; k < 4; k++) {
        (void)snprintf(name, sizeof name, "%s/%s", group, sizes[k].name);
        fclib_put_integer(f, name, sizes[k].value);
    }
    (void)snprintf(name, sizeof name, "%s/p", group);
    fclib_put_integers(f, name, a->pointers, a->p);
    (void)snprintf(name, sizeof name, "%s/i", group);
    fclib_put_integers(f, name, a->indices, a->i);
    (void)snprintf(name, sizeof name, "%s/x", group);
    fclib_put_reals(f, name, a->indices, a->x);
}

const double fclib_w[4][4] = {{2.0, 0.5, -0.25, 0.0},
                              {0.375, 3.0, 0.0, 0.125},
                              {-0.25, 0.0, 1.5, 0.0},
                              {0.0, 0.0625, 0.0, 1.0}};

void fclib_put_local(const fclib_file *f)
{
    static const int p[] = {0, 3, 6, 8, 10};
    static const int i[] = {0, 1, 2, 0, 1, 3, 0, 2, 1, 3};
    static const double x[] = {2.0, 0.5, -0.25, 0.375, 3.0, 0.125, -0.25, 1.5, 0.0625, 1.0};
    static const double q[] = {-1.0, 0.25, -0.5, 0.75}, mu[] = {0.3, 0.6};
    const fclib_matrix w = {4, 4, -2, 10, 5, 10, p, i, x};
    fclib_put_integer(f, "/fclib_local/spacedim", 2);
    fclib_put_matrix(f, "/fclib_local/W", &w);
    fclib_put_reals(f, "/fclib_local/vectors/q", 4, q);
    fclib_put_reals(f, "/fclib_local/vectors/mu", 2, mu);
}

void fclib_put_global(const fclib_file *f)
{
    static const int mp[] = {0, 1, 2, 3, 1, 0}, mi[] = {0, 1, 2, 3, 0, 1};
    static const double mx[] = {2.0, 3.0, 4.0, 5.0, 0.5, 0.5};
    static const int hp[] = {0, 1, 2, 0}, hi[] = {0, 1, 2, 3};
    static const double hx[] = {1.0, 1.0, 1.0, -0.5};
    static const int gp[] = {0, 0}, gi[] = {2, 3};
    static const double gx[] = {1.0, 2.0};
    static const double force[] = {-1.0, 0.5, 0.25, 0.0}, w[] = {-0.1, 0.2, 0.3};
    static const double mu = 0.4, b = 0.7;
    const fclib_matrix m = {4, 4, 6, 6, 6, 6, mp, mi, mx};
    const fclib_matrix h = {4, 3, 4, 4, 4, 4, hp, hi, hx};
    const fclib_matrix g = {4, 1, 2, 2, 2, 2, gp, gi, gx};
    fclib_put_integer(f, "/fclib_global/spacedim", 3);
    fclib_put_matrix(f, "/fclib_global/M", &m);
    fclib_put_matrix(f, "/fclib_global/H", &h);
    fclib_put_matrix(f, "/fclib_global/G", &g);
    fclib_put_reals(f, "/fclib_global/vectors/f", 4, force);
    fclib_put_reals(f, "/fclib_global/vectors/w", 3, w);
    fclib_put_reals(f, "/fclib_global/vectors/mu", 1, &mu);
    fclib_put_reals(f, "/fclib_global/vectors/b", 1, &b);
}

double fclib_entry(const haw_problem *problem, int i, int j)
{
    const haw_bsr *w = &problem->w;
    const int d = w->block;
    for (int k = w->start[i / d]; k < w->start[i / d + 1]; k++) {
        if (w->column[k] == j / d) {
            return w->value[(k * d + i % d) * d + j % d];
        }
    }
    return 0.0;
}

double fclib_csr_entry(const haw_csr *a, int i, int j)
{
    for (int k = a->start[i]; k < a->start[i + 1]; k++) {
        if (a->column[k] == j) {
            return a->value[k];
        }
    }
    return 0.0;
}

haw_problem *fclib_read(const fclib_file *f)
{
    haw_problem *problem = NULL;
    if (haw_fclib_read(f->context, f->path, &problem) != HAW_OK) {
        fail_msg("%s", haw_context_message(f->context));
    }
    return problem;
}
