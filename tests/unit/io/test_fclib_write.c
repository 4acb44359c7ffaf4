/* SPDX-License-Identifier: BSD-3-Clause */
/* What is written as FCLIB has the layout of the format and comes back bit for bit. */
#include "linalg/vector.h"
#include "support/fclib_file.h"
#include "support/random.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* ---- random problems ---- */

enum { CONTACTS = 6, VELOCITIES = 17, BILATERAL = 3 };

/* A chain: every contact is coupled with the next. Negative zeros must survive, too. */
static haw_problem *make_local(const fclib_file *f, int d, uint64_t *seed)
{
    const haw_problem_size size = {
        .dimension = d, .contacts = CONTACTS, .blocks = 3 * CONTACTS - 2};
    haw_problem *problem = NULL;
    assert_int_equal(haw_problem_create(f->context, &size, &problem), HAW_OK);
    haw_bsr *w = &problem->w;
    int k = 0;
    for (int c = 0; c < CONTACTS; c++) {
        for (int j = c > 0 ? c - 1 : 0; j <= c + 1 && j < CONTACTS; j++) {
            w->diagonal[c] = j == c ? k : w->diagonal[c];
            w->column[k++] = j;
        }
        w->start[c + 1] = k;
        problem->mu[c] = 0.5 * (1.0 + random_signed(seed));
    }
    for (int i = 0; i < k * d * d; i++) {
        w->value[i] = i % 7 == 1 ? -0.0 : random_signed(seed) * 1e-3;
    }
    for (int c = 0; c < CONTACTS; c++) {
        for (int i = 0; i < d; i++) {
            w->value[w->diagonal[c] * d * d + i * (d + 1)] = 1.0 + 1e-9 * random_signed(seed);
            problem->q[c * d + i] = random_signed(seed);
        }
    }
    return problem;
}

/* Entries wherever (row + column) % step is 0. */
static void fill(haw_csr *a, int step, uint64_t *seed)
{
    int k = 0;
    for (int i = 0; i < a->rows; i++) {
        for (int j = 0; j < a->columns; j++) {
            if ((i + j) % step == 0 || i == j) {
                a->column[k] = j;
                a->value[k++] = (i == j ? 3.0 : 0.0) + random_signed(seed);
            }
        }
        a->start[i + 1] = k;
    }
}

static int count(int rows, int columns, int step)
{
    int k = 0;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            k += (i + j) % step == 0 || i == j;
        }
    }
    return k;
}

static haw_problem *make_global(const fclib_file *f, int d, int bilateral, uint64_t *seed)
{
    const haw_problem_size size = {.dimension = d,
                                   .contacts = CONTACTS,
                                   .velocities = VELOCITIES,
                                   .bilateral = bilateral,
                                   .m_count = count(VELOCITIES, VELOCITIES, 5),
                                   .h_count = count(CONTACTS * d, VELOCITIES, 4),
                                   .g_count = count(bilateral, VELOCITIES, 3)};
    haw_problem *problem = NULL;
    assert_int_equal(haw_problem_create(f->context, &size, &problem), HAW_OK);
    haw_global *g = problem->global;
    fill(&g->m, 5, seed);
    fill(&g->ht, 4, seed);
    fill(&g->gt, 3, seed);
    for (int i = 0; i < VELOCITIES; i++) {
        g->f[i] = random_signed(seed);
    }
    for (int i = 0; i < CONTACTS * d; i++) {
        g->w[i] = i % 5 == 0 ? -0.0 : random_signed(seed);
    }
    for (int i = 0; i < bilateral; i++) {
        g->b[i] = random_signed(seed);
    }
    for (int c = 0; c < CONTACTS; c++) {
        problem->mu[c] = 0.5 * (1.0 + random_signed(seed));
    }
    return problem;
}

/* ---- there and back ---- */

static void same_reals(const double *got, const double *want, int n)
{
    if (n > 0) {
        assert_memory_equal(got, want, (size_t)n * sizeof *got);
    }
}

static void same_csr(const haw_csr *got, const haw_csr *want)
{
    assert_int_equal(got->rows, want->rows);
    if (want->rows > 0) {
        const int n = want->start[want->rows];
        assert_int_equal(got->columns, want->columns);
        assert_memory_equal(got->start, want->start, (size_t)(want->rows + 1) * sizeof(int));
        assert_memory_equal(got->column, want->column, (size_t)n * sizeof(int));
        same_reals(got->value, want->value, n);
    }
}

static void same_problem(const haw_problem *got, const haw_problem *want)
{
    const int d = want->dimension, n = want->contacts;
    assert_int_equal(got->dimension, d);
    assert_int_equal(got->contacts, n);
    same_reals(got->mu, want->mu, n);
    if (want->global == NULL) {
        const haw_csr a = {n, n, got->w.start, got->w.column, NULL};
        const haw_csr b = {n, n, want->w.start, want->w.column, NULL};
        assert_null(got->global);
        assert_memory_equal(a.start, b.start, (size_t)(n + 1) * sizeof(int));
        assert_memory_equal(a.column, b.column, (size_t)b.start[n] * sizeof(int));
        assert_memory_equal(got->w.diagonal, want->w.diagonal, (size_t)n * sizeof(int));
        same_reals(got->w.value, want->w.value, b.start[n] * d * d);
        same_reals(got->q, want->q, n * d);
        return;
    }
    same_csr(&got->global->m, &want->global->m);
    same_csr(&got->global->ht, &want->global->ht);
    same_csr(&got->global->gt, &want->global->gt);
    same_reals(got->global->f, want->global->f, want->global->m.rows);
    same_reals(got->global->w, want->global->w, n * d);
    same_reals(got->global->b, want->global->b, want->global->gt.rows);
}

static void write_file(const fclib_file *f, const haw_problem *problem)
{
    static const haw_fclib_info info = {"title", "caf\xc3\xa9", NULL};
    if (haw_fclib_write(f->context, f->path, problem, &info) != HAW_OK) {
        fail_msg("%s", haw_context_message(f->context));
    }
}

static void there_and_back(const fclib_file *f, haw_problem *problem)
{
    write_file(f, problem);
    haw_problem *again = fclib_read(f);
    same_problem(again, problem);
    haw_problem_free(f->context, again);
    haw_problem_free(f->context, problem);
}

static void local_problems_come_back_bit_for_bit(void **state)
{
    uint64_t seed = 11;
    there_and_back(*state, make_local(*state, 2, &seed));
    there_and_back(*state, make_local(*state, 3, &seed));
}

static void global_problems_come_back_bit_for_bit(void **state)
{
    uint64_t seed = 12;
    for (int d = 2; d <= 3; d++) {
        there_and_back(*state, make_global(*state, d, 0, &seed));
        there_and_back(*state, make_global(*state, d, BILATERAL, &seed));
    }
}

static void a_problem_without_contacts_comes_back(void **state)
{
    const fclib_file *f = *state;
    const haw_problem_size size = {.dimension = 3};
    haw_problem *problem = NULL;
    assert_int_equal(haw_problem_create(f->context, &size, &problem), HAW_OK);
    there_and_back(f, problem);
}

/* ---- the layout of the format ---- */

static void expect_set(hid_t file, const char *name, hid_t type, hsize_t entries)
{
    hsize_t size = 0;
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(set >= 0);
    const hid_t space = H5Dget_space(set), stored = H5Dget_type(set);
    const hid_t creation = H5Dget_create_plist(set);
    assert_int_equal(H5Sget_simple_extent_dims(space, &size, NULL), 1);
    assert_int_equal(size, entries);
    assert_true(H5Tequal(stored, type) > 0);
    assert_int_equal(H5Pget_layout(creation), H5D_CONTIGUOUS);
    (void)H5Pclose(creation);
    (void)H5Tclose(stored);
    (void)H5Sclose(space);
    (void)H5Dclose(set);
}

static void expect_integer(hid_t file, const char *name, int want)
{
    int got = -77;
    expect_set(file, name, H5T_STD_I32LE, 1);
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &got) >= 0);
    (void)H5Dclose(set);
    assert_int_equal(got, want);
}

/* Length, with the terminating zero within it. */
static void expect_text(hid_t file, const char *name, const char *want)
{
    char got[32] = "";
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(set >= 0);
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    assert_int_equal(H5Tget_class(type), H5T_STRING);
    assert_int_equal(H5Tget_strpad(type), H5T_STR_NULLTERM);
    assert_int_equal(H5Tget_size(type), strlen(want) + 1);
    assert_int_equal(H5Sget_simple_extent_type(space), H5S_SCALAR);
    assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, got) >= 0);
    assert_string_equal(got, want);
    (void)H5Tclose(type);
    (void)H5Sclose(space);
    (void)H5Dclose(set);
}

static void local_files_have_the_layout_of_the_format(void **state)
{
    fclib_file *f = *state;
    uint64_t seed = 13;
    haw_problem *problem = make_local(f, 3, &seed);
    write_file(f, problem);
    fclib_file_open(f);
    const int entries = 9 * (3 * CONTACTS - 2);
    expect_integer(f->id, "/fclib_local/spacedim", 3);
    expect_integer(f->id, "/fclib_local/W/m", 3 * CONTACTS);
    expect_integer(f->id, "/fclib_local/W/n", 3 * CONTACTS);
    expect_integer(f->id, "/fclib_local/W/nz", -2);
    expect_integer(f->id, "/fclib_local/W/nzmax", entries);
    expect_set(f->id, "/fclib_local/W/p", H5T_STD_I32LE, 3 * CONTACTS + 1);
    expect_set(f->id, "/fclib_local/W/i", H5T_STD_I32LE, (hsize_t)entries);
    expect_set(f->id, "/fclib_local/W/x", H5T_IEEE_F64LE, (hsize_t)entries);
    expect_set(f->id, "/fclib_local/vectors/q", H5T_IEEE_F64LE, 3 * CONTACTS);
    expect_set(f->id, "/fclib_local/vectors/mu", H5T_IEEE_F64LE, CONTACTS);
    expect_text(f->id, "/fclib_local/info/title", "title");
    expect_text(f->id, "/fclib_local/info/description", "caf\xc3\xa9");
    expect_text(f->id, "/fclib_local/info/math_info", "");
    fclib_file_end(f);
    haw_problem_free(f->context, problem);
}

/* H is n x m with the column in p: y = H r from the file is the y of the problem's H^T. */
static void global_files_hold_triplets_with_the_column_in_p(void **state)
{
    fclib_file *f = *state;
    uint64_t seed = 14;
    haw_problem *problem = make_global(f, 2, BILATERAL, &seed);
    const int entries = problem->global->ht.start[2 * CONTACTS];
    int p[400], i[400];
    double x[400], y[VELOCITIES] = {0};
    assert_true(entries <= 400);
    write_file(f, problem);
    fclib_file_open(f);
    expect_integer(f->id, "/fclib_global/H/m", VELOCITIES);
    expect_integer(f->id, "/fclib_global/H/n", 2 * CONTACTS);
    expect_integer(f->id, "/fclib_global/H/nz", entries);
    expect_integer(f->id, "/fclib_global/H/nzmax", entries);
    expect_integer(f->id, "/fclib_global/G/m", VELOCITIES);
    expect_integer(f->id, "/fclib_global/G/n", BILATERAL);
    expect_set(f->id, "/fclib_global/vectors/f", H5T_IEEE_F64LE, VELOCITIES);
    expect_set(f->id, "/fclib_global/vectors/w", H5T_IEEE_F64LE, 2 * CONTACTS);
    expect_set(f->id, "/fclib_global/vectors/b", H5T_IEEE_F64LE, BILATERAL);
    const char *const name[] = {"/fclib_global/H/p", "/fclib_global/H/i", "/fclib_global/H/x"};
    void *const value[] = {p, i, x};
    for (int k = 0; k < 3; k++) {
        const hid_t set = H5Dopen2(f->id, name[k], H5P_DEFAULT);
        assert_true(H5Dread(set, k < 2 ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL,
                            H5P_DEFAULT, value[k]) >= 0);
        (void)H5Dclose(set);
    }
    fclib_file_end(f);
    for (int k = 0; k < entries; k++) {
        y[i[k]] += x[k] * (1.0 + p[k]);
    }
    for (int row = 0; row < 2 * CONTACTS; row++) {
        for (int j = 0; j < VELOCITIES; j++) {
            y[j] -= fclib_csr_entry(&problem->global->ht, row, j) * (1.0 + row);
        }
    }
    for (int j = 0; j < VELOCITIES; j++) {
        assert_near(y[j], 0.0, 1e-12, 0);
    }
    haw_problem_free(f->context, problem);
}

/* ---- what can go wrong ---- */

static void expect_failure(const fclib_file *f, const char *path, const char *words)
{
    uint64_t seed = 15;
    haw_problem *problem = make_local(f, 2, &seed);
    const haw_status status = haw_fclib_write(f->context, path, problem, NULL);
    haw_problem_free(f->context, problem);
    assert_int_equal(status, HAW_ERR_IO);
    if (strstr(haw_context_message(f->context), words) == NULL) {
        fail_msg("\"%s\" says nothing of \"%s\"", haw_context_message(f->context), words);
    }
}

static void files_that_cannot_be_made_are_refused_with_the_reason(void **state)
{
    const fclib_file *f = *state;
    char missing[1200];
    (void)snprintf(missing, sizeof missing, "%s/none/p.hdf5", f->folder);
    expect_failure(f, missing, "no such file or folder");
    expect_failure(f, f->folder, "it is a folder");
    expect_failure(f, "/dev/null", "not a regular file");
    expect_failure(f, "/dev/full", "no space left on the device");
}

/* The limit of the file size acts like a full disk; an older file of the name survives. */
static void a_full_disk_leaves_the_older_file_alone(void **state)
{
    fclib_file *f = *state;
    uint64_t seed = 16;
    haw_problem *problem = make_global(f, 3, BILATERAL, &seed);
    write_file(f, problem);
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {4096, 4096};
        char part[1200];
        (void)snprintf(part, sizeof part, "%s.part", f->path);
        (void)signal(SIGXFSZ, SIG_IGN);
        (void)setrlimit(RLIMIT_FSIZE, &limit);
        const haw_status status = haw_fclib_write(f->context, f->path, problem, NULL);
        const bool is_told =
            strstr(haw_context_message(f->context), "no space left on the device") != NULL;
        _exit(status == HAW_ERR_IO && is_told && access(part, F_OK) != 0 ? 0 : 1);
    }
    int result = -1;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_int_equal(result, 0);
    haw_problem *again = fclib_read(f);
    same_problem(again, problem);
    haw_problem_free(f->context, again);
    haw_problem_free(f->context, problem);
}

static void read_reals(hid_t file, const char *name, int count, double *value)
{
    expect_set(file, name, H5T_IEEE_F64LE, (hsize_t)count);
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
    (void)H5Dclose(set);
}

/* u = W r + q of the impulses that are given, in both forms. */
static void an_answer_is_written_with_its_velocities(void **state)
{
    fclib_file *f = *state;
    uint64_t seed = 15;
    double given[3 * CONTACTS], r[3 * CONTACTS], u[3 * CONTACTS], want[3 * CONTACTS];
    for (int form = 0; form < 2; form++) {
        haw_problem *problem =
            form == 0 ? make_local(f, 3, &seed) : make_global(f, 3, BILATERAL, &seed);
        haw_problem *local = NULL;
        for (int i = 0; i < 3 * CONTACTS; i++) {
            given[i] = cos(1.0 + i);
        }
        const haw_fclib_info info = {.impulses = given};
        assert_int_equal(haw_fclib_write(f->context, f->path, problem, &info), HAW_OK);
        fclib_file_open(f);
        read_reals(f->id, "/solution/r", 3 * CONTACTS, r);
        read_reals(f->id, "/solution/u", 3 * CONTACTS, u);
        fclib_file_end(f);
        assert_memory_equal(r, given, sizeof r);
        if (form == 1) {
            assert_int_equal(haw_problem_reduce(f->context, problem, &local), HAW_OK);
        }
        const haw_problem *w = form == 1 ? local : problem;
        for (int i = 0; i < 3 * CONTACTS; i++) {
            const int row = i / 3;
            want[i] = w->q[i];
            for (int k = w->w.start[row]; k < w->w.start[row + 1]; k++) {
                const double *block = w->w.value + ((ptrdiff_t)k * 3 + i % 3) * 3;
                want[i] += haw_dot(3, block, given + (ptrdiff_t)3 * w->w.column[k]);
            }
            assert_near(u[i], want[i], 1e-10, 1e-12);
        }
        haw_problem_free(f->context, local);
        haw_problem_free(f->context, problem);
    }
}

TEST_FILE(test_fclib_write)
{
    const struct CMUnitTest tests[] = {
        FCLIB_TEST(local_problems_come_back_bit_for_bit),
        FCLIB_TEST(global_problems_come_back_bit_for_bit),
        FCLIB_TEST(a_problem_without_contacts_comes_back),
        FCLIB_TEST(local_files_have_the_layout_of_the_format),
        FCLIB_TEST(global_files_hold_triplets_with_the_column_in_p),
        FCLIB_TEST(an_answer_is_written_with_its_velocities),
        FCLIB_TEST(files_that_cannot_be_made_are_refused_with_the_reason),
        FCLIB_TEST(a_full_disk_leaves_the_older_file_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
