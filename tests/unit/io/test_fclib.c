/* SPDX-License-Identifier: BSD-3-Clause */
/* FCLIB files: every encoding means the same matrix, and what is written comes back. */
#include "support/failing.h"
#include "support/fclib_file.h"

#include <dirent.h>

/* ---- encodings ---- */

static void expect_local(const fclib_file *f)
{
    haw_problem *problem = fclib_read(f);
    assert_int_equal(problem->dimension, 2);
    assert_int_equal(problem->contacts, 2);
    assert_null(problem->global);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            assert_near(fclib_entry(problem, i, j), fclib_w[i][j], 0, 0);
        }
    }
    assert_near(problem->q[3], 0.75, 0, 0);
    assert_near(problem->mu[1], 0.6, 0, 0);
    haw_problem_free(f->context, problem);
}

static void rewrite(fclib_file *f, const fclib_matrix *w)
{
    fclib_file_begin(f);
    fclib_put_local(f);
    fclib_put_matrix(f, "/fclib_local/W", w);
    fclib_file_end(f);
}

static void compressed_rows_are_read(void **state)
{
    fclib_file *f = *state;
    fclib_file_begin(f);
    fclib_put_local(f);
    fclib_file_end(f);
    expect_local(f);
}

static void rows_may_be_unsorted_and_arrays_longer_than_needed(void **state)
{
    static const int p[] = {0, 3, 6, 8, 10, 77}, i[] = {2, 0, 1, 3, 1, 0, 2, 0, 3, 1, -5, 99};
    static const double x[] = {-0.25, 2.0,   0.5, 0.125,  3.0, 0.375,
                               1.5,   -0.25, 1.0, 0.0625, NAN, NAN};
    const fclib_matrix w = {4, 4, -2, 12, 6, 12, p, i, x};
    rewrite(*state, &w);
    expect_local(*state);
}

static void compressed_columns_are_read(void **state)
{
    /* Unsorted, and entry (0, 1) in two parts. */
    static const int p[] = {0, 3, 7, 9, 11}, i[] = {0, 1, 2, 0, 1, 3, 0, 2, 0, 3, 1};
    static const double x[] = {2.0, 0.375, -0.25, 0.25, 3.0, 0.0625, 0.25, 1.5, -0.25, 1.0, 0.125};
    const fclib_matrix w = {4, 4, -1, 11, 5, 11, p, i, x};
    rewrite(*state, &w);
    expect_local(*state);
}

static void duplicate_triplets_add_up(void **state)
{
    static const int p[] = {0, 1, 2, 0, 1, 3, 0, 2, 1, 3, 3, 3};
    static const int i[] = {0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 3};
    static const double x[] = {2.0,   0.5, -0.25,  0.375, 3.0,  0.125,
                               -0.25, 1.5, 0.0625, 0.5,   0.25, 0.25};
    const fclib_matrix w = {4, 4, 12, 40, 12, 12, p, i, x};
    rewrite(*state, &w);
    expect_local(*state);
}

static void a_dense_matrix_without_pointers_is_read(void **state)
{
    static const int p[5] = {0}, i[16] = {0};
    const fclib_matrix rows = {4, 4, -2, 16, 5, 16, p, i, &fclib_w[0][0]};
    rewrite(*state, &rows);
    expect_local(*state);
    double transposed[16];
    for (int k = 0; k < 16; k++) {
        transposed[k] = fclib_w[k % 4][k / 4];
    }
    const fclib_matrix columns = {4, 4, -1, 16, 5, 16, p, i, transposed};
    rewrite(*state, &columns);
    expect_local(*state);
}

/* 32 and 64 bits, both byte orders; all entries of W are short binary fractions. */
static void numbers_of_all_types_are_read(void **state)
{
    const hid_t whole[] = {H5T_STD_I32LE, H5T_STD_I32BE, H5T_STD_I64LE, H5T_STD_I64BE};
    const hid_t real[] = {H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_IEEE_F64BE};
    static const int i[] = {0, 1, 2, 0, 1, 3, 0, 2, 1, 3};
    static const double x[] = {2.0, 0.5, -0.25, 0.375, 3.0, 0.125, -0.25, 1.5, 0.0625, 1.0};
    const hsize_t n = 10;
    fclib_file *f = *state;
    for (int k = 0; k < 4; k++) {
        fclib_file_begin(f);
        fclib_put_local(f);
        fclib_put_as(f, "/fclib_local/W/i", (hid_t[]){whole[k], H5T_NATIVE_INT}, &n, 1, i);
        fclib_put_as(f, "/fclib_local/W/x", (hid_t[]){real[k], H5T_NATIVE_DOUBLE}, &n, 1, x);
        fclib_file_end(f);
        expect_local(f);
    }
}

static void triplets_have_the_column_in_p(void **state)
{
    static const int p[] = {0, 1, 2, 3, 2}, i[] = {0, 1, 2, 3, 0};
    static const double x[] = {1.0, 1.0, 1.0, 1.0, 0.5};
    const fclib_matrix w = {4, 4, 5, 5, 5, 5, p, i, x};
    rewrite(*state, &w);
    haw_problem *problem = fclib_read(*state);
    assert_near(fclib_entry(problem, 0, 2), 0.5, 0, 0);
    assert_near(fclib_entry(problem, 2, 0), 0.0, 0, 0);
    haw_problem_free(((fclib_file *)*state)->context, problem);
}

static void expect_global(const fclib_file *f)
{
    haw_problem *problem = fclib_read(f);
    const haw_global *g = problem->global;
    assert_non_null(g);
    assert_int_equal(problem->dimension, 3);
    assert_int_equal(problem->contacts, 1);
    assert_int_equal(g->m.rows, 4);
    assert_near(fclib_csr_entry(&g->m, 0, 1), 0.5, 0, 0);
    assert_int_equal(g->ht.rows, 3);
    assert_int_equal(g->ht.columns, 4);
    assert_int_equal(g->ht.start[3], 4);
    assert_near(fclib_csr_entry(&g->ht, 0, 3), -0.5, 0, 0);
    assert_near(fclib_csr_entry(&g->ht, 2, 2), 1.0, 0, 0);
    assert_int_equal(g->gt.rows, 1);
    assert_near(fclib_csr_entry(&g->gt, 0, 3), 2.0, 0, 0);
    assert_near(g->f[1], 0.5, 0, 0);
    assert_near(g->w[2], 0.3, 0, 0);
    assert_near(g->b[0], 0.7, 0, 0);
    assert_near(problem->mu[0], 0.4, 0, 0);
    haw_problem_free(f->context, problem);
}

static void triplets_of_both_orders_are_read(void **state)
{
    fclib_file *f = *state;
    /* p = row, i = column: the order that the format's own header describes. */
    static const int hp[] = {0, 1, 2, 3}, hi[] = {0, 1, 2, 0};
    static const double hx[] = {1.0, 1.0, 1.0, -0.5};
    static const int gp[] = {2, 3}, gi[] = {0, 0};
    static const double gx[] = {1.0, 2.0};
    const fclib_matrix h = {4, 3, 4, 4, 4, 4, hp, hi, hx};
    const fclib_matrix g = {4, 1, 2, 2, 2, 2, gp, gi, gx};
    fclib_file_begin(f);
    fclib_put_global(f);
    fclib_file_end(f);
    expect_global(f);
    fclib_file_open(f);
    fclib_put_matrix(f, "/fclib_global/H", &h);
    fclib_put_matrix(f, "/fclib_global/G", &g);
    fclib_file_end(f);
    expect_global(f);
}

static void missing_offsets_of_bilateral_rows_are_zero(void **state)
{
    fclib_file *f = *state;
    fclib_file_begin(f);
    fclib_put_global(f);
    fclib_drop(f, "/fclib_global/vectors/b");
    fclib_file_end(f);
    haw_problem *problem = fclib_read(f);
    assert_near(problem->global->b[0], 0.0, 0, 0);
    haw_problem_free(f->context, problem);
}

/* ---- blocks ---- */

static void zero_blocks_are_dropped_but_the_pattern_stays_symmetric(void **state)
{
    fclib_file *f = *state;
    /* Three contacts: (0, 1) holds a number and (1, 0) none, (0, 2) and (2, 0) only zeros. */
    static const int p[] = {0, 4, 5, 6, 7, 9, 10}, i[] = {0, 3, 4, 5, 1, 2, 3, 0, 4, 5};
    static const double x[] = {1.0, 0.5, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0};
    static const double q[6] = {0}, mu[3] = {0};
    const fclib_matrix w = {6, 6, -2, 10, 7, 10, p, i, x};
    fclib_file_begin(f);
    fclib_put_local(f);
    fclib_put_matrix(f, "/fclib_local/W", &w);
    fclib_put_reals(f, "/fclib_local/vectors/q", 6, q);
    fclib_put_reals(f, "/fclib_local/vectors/mu", 3, mu);
    fclib_file_end(f);
    haw_problem *problem = fclib_read(f);
    static const int start[] = {0, 2, 4, 5}, column[] = {0, 1, 0, 1, 2};
    assert_memory_equal(problem->w.start, start, sizeof start);
    assert_memory_equal(problem->w.column, column, sizeof column);
    assert_int_equal(problem->w.diagonal[1], 3);
    haw_problem_free(f->context, problem);
}

/* ---- bilateral rows of the local form ---- */

static void put_equalities(const fclib_file *f, const double *r)
{
    static const int vp[] = {0, 1, 1, 0}, vi[] = {0, 1, 3, 2};
    static const double vx[] = {1.0, 0.5, -1.0, 0.25};
    static const int rp[] = {0, 1, 0, 1}, ri[] = {0, 0, 1, 1};
    static const double s[] = {0.2, -0.6};
    const fclib_matrix v = {4, 2, 4, 4, 4, 4, vp, vi, vx};
    const fclib_matrix full = {2, 2, 4, 4, 4, 4, rp, ri, r};
    fclib_put_matrix(f, "/fclib_local/V", &v);
    fclib_put_matrix(f, "/fclib_local/R", &full);
    fclib_put_reals(f, "/fclib_local/vectors/s", 2, s);
}

/* l = -R^-1 (V^T r + s) by Cramer's rule gives u = (W - V R^-1 V^T) r + q - V R^-1 s. */
static void equalities_of_the_local_form_are_eliminated(void **state)
{
    fclib_file *f = *state;
    static const double r[] = {-4.0, 1.0, 2.0, -3.0}; /* R = [-4 1; 2 -3], by rows */
    static const double v[4][2] = {{1.0, 0.0}, {0.0, 0.5}, {0.25, 0.0}, {0.0, -1.0}};
    static const double q[] = {-1.0, 0.25, -0.5, 0.75}, s[] = {0.2, -0.6};
    const double det = r[0] * r[3] - r[1] * r[2];
    const double inverse[2][2] = {{r[3] / det, -r[1] / det}, {-r[2] / det, r[0] / det}};
    fclib_file_begin(f);
    fclib_put_local(f);
    put_equalities(f, r);
    fclib_file_end(f);
    haw_problem *problem = fclib_read(f);
    for (int i = 0; i < 4; i++) {
        double offset = q[i];
        for (int a = 0; a < 4; a++) {
            offset -= v[i][a / 2] * inverse[a / 2][a % 2] * s[a % 2];
        }
        assert_near(problem->q[i], offset, 1e-15, 1e-14);
        for (int j = 0; j < 4; j++) {
            double want = fclib_w[i][j];
            for (int a = 0; a < 4; a++) {
                want -= v[i][a / 2] * inverse[a / 2][a % 2] * v[j][a % 2];
            }
            assert_near(fclib_entry(problem, i, j), want, 1e-15, 1e-14);
        }
    }
    haw_problem_free(f->context, problem);
}

static void equalities_that_are_not_independent_are_refused(void **state)
{
    fclib_file *f = *state;
    static const double r[] = {1.0, 2.0, 2.0, 4.0};
    haw_problem *problem = NULL;
    fclib_file_begin(f);
    fclib_put_local(f);
    put_equalities(f, r);
    fclib_file_end(f);
    assert_int_equal(haw_fclib_read(f->context, f->path, &problem), HAW_ERR_INPUT);
    assert_null(problem);
    assert_non_null(strstr(haw_context_message(f->context), "/fclib_local/R: singular"));
}

/* ---- the shipped problems ---- */

enum { RAW_MAX = 20000 };

static int p_raw[RAW_MAX], i_raw[RAW_MAX];
static double x_raw[RAW_MAX];

/* The arrays of a matrix as they stand in the file. @return entries of i and x */
static int read_raw(hid_t file, const char *group)
{
    static const char *const name[] = {"p", "i", "x"};
    void *const value[] = {p_raw, i_raw, x_raw};
    int entries = 0;
    for (int k = 0; k < 3; k++) {
        char path[80];
        (void)snprintf(path, sizeof path, "%s/%s", group, name[k]);
        const hid_t set = H5Dopen2(file, path, H5P_DEFAULT), space = H5Dget_space(set);
        entries = (int)H5Sget_simple_extent_npoints(space);
        assert_in_range(entries, 1, RAW_MAX);
        assert_true(H5Dread(set, k < 2 ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL,
                            H5P_DEFAULT, value[k]) >= 0);
        (void)H5Sclose(space);
        (void)H5Dclose(set);
    }
    return entries;
}

/* Local files here have compressed rows, global ones triplets with p = column and i = row. */
static void expect_raw(const char *path, const haw_problem *problem)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    if (problem->global == NULL) {
        (void)read_raw(file, "/fclib_local/W");
        for (int row = 0; row < problem->dimension * problem->contacts; row++) {
            for (int k = p_raw[row]; k < p_raw[row + 1]; k++) {
                assert_near(fclib_entry(problem, row, i_raw[k]), x_raw[k], 0, 0);
            }
        }
    } else {
        const int entries = read_raw(file, "/fclib_global/H");
        assert_int_equal(problem->global->ht.start[problem->global->ht.rows], entries);
        for (int k = 0; k < entries; k++) {
            assert_near(fclib_csr_entry(&problem->global->ht, p_raw[k], i_raw[k]), x_raw[k], 0, 0);
        }
    }
    (void)H5Fclose(file);
}

static void a_file_that_the_program_has_open_is_read(void **state)
{
    const fclib_file *f = *state;
    const char *path = "data/fclib/FrictionContact3D_1c.hdf5";
    const hid_t mine = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    haw_problem *problem = NULL;

    assert_true(mine >= 0);
    assert_int_equal(haw_fclib_read(f->context, path, &problem), HAW_OK);
    assert_int_equal(problem->contacts, 1);
    haw_problem_free(f->context, problem);
    assert_int_equal(H5Fget_obj_count(mine, H5F_OBJ_ALL), 1); /* and stays open */
    assert_true(H5Lexists(mine, "fclib_local", H5P_DEFAULT) > 0);
    (void)H5Fclose(mine);
}

static void shipped_problems_are_read_entry_by_entry(void **state)
{
    const fclib_file *f = *state;
    int seen = 0, globals = 0;
    DIR *folder = opendir("data/fclib");
    assert_non_null(folder);
    for (const struct dirent *e = readdir(folder); e != NULL; e = readdir(folder)) {
        haw_problem *problem = NULL;
        char path[512];
        if (strstr(e->d_name, ".hdf5") == NULL) {
            continue;
        }
        (void)snprintf(path, sizeof path, "data/fclib/%s", e->d_name);
        if (haw_fclib_read(f->context, path, &problem) != HAW_OK) {
            fail_msg("%s", haw_context_message(f->context));
        }
        seen++;
        globals += problem->global != NULL;
        expect_raw(path, problem);
        haw_problem_free(f->context, problem);
    }
    (void)closedir(folder);
    assert_in_range(seen, 8, 100);
    assert_in_range(globals, 2, 100);
}

/* ---- out of memory ---- */

static haw_status read_once(haw_context *context, void *user)
{
    const fclib_file *f = user;
    haw_problem *problem = NULL;
    const haw_status status = haw_fclib_read(context, f->path, &problem);
    haw_problem_free(context, problem);
    return status;
}

static void memory_that_runs_out_is_an_error(void **state)
{
    fclib_file *f = *state;
    static const double r[] = {-4.0, 1.0, 1.0, -3.0};
    fclib_file_begin(f);
    fclib_put_local(f);
    put_equalities(f, r);
    fclib_file_end(f);
    assert_in_range(failing_loop(read_once, f), 3, 500);
    fclib_file_begin(f);
    fclib_put_global(f);
    fclib_file_end(f);
    assert_in_range(failing_loop(read_once, f), 3, 500);
}

TEST_FILE(test_fclib)
{
    const struct CMUnitTest tests[] = {
        FCLIB_TEST(compressed_rows_are_read),
        FCLIB_TEST(rows_may_be_unsorted_and_arrays_longer_than_needed),
        FCLIB_TEST(compressed_columns_are_read),
        FCLIB_TEST(duplicate_triplets_add_up),
        FCLIB_TEST(a_dense_matrix_without_pointers_is_read),
        FCLIB_TEST(numbers_of_all_types_are_read),
        FCLIB_TEST(triplets_have_the_column_in_p),
        FCLIB_TEST(triplets_of_both_orders_are_read),
        FCLIB_TEST(missing_offsets_of_bilateral_rows_are_zero),
        FCLIB_TEST(zero_blocks_are_dropped_but_the_pattern_stays_symmetric),
        FCLIB_TEST(equalities_of_the_local_form_are_eliminated),
        FCLIB_TEST(equalities_that_are_not_independent_are_refused),
        FCLIB_TEST(a_file_that_the_program_has_open_is_read),
        FCLIB_TEST(shipped_problems_are_read_entry_by_entry),
        FCLIB_TEST(memory_that_runs_out_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
