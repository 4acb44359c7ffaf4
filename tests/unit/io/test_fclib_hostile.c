/* SPDX-License-Identifier: BSD-3-Clause */
/* FCLIB files that are damaged or mean harm: each is refused in one line, none does damage. */
#include "support/fclib_file.h"

#include <limits.h>
#include <sys/stat.h>

#define W "/fclib_local/W"
#define H "/fclib_global/H"

static void damage_set_integer(const fclib_file *f, const char *name, int value)
{
    fclib_put_integer(f, name, value);
}

static void damage_grow_nzmax(const fclib_file *f)
{
    damage_set_integer(f, W "/nz", INT_MAX);
}

static void damage_negative_size(const fclib_file *f)
{
    damage_set_integer(f, W "/m", -4);
}

static void damage_size_of_another(const fclib_file *f)
{
    damage_set_integer(f, W "/n", 5);
}

static void damage_unknown_encoding(const fclib_file *f)
{
    damage_set_integer(f, W "/nz", -3);
}

static void damage_dense_without_numbers(const fclib_file *f)
{
    static const int p[5] = {0};
    fclib_put_integers(f, W "/p", 5, p);
    damage_set_integer(f, W "/nzmax", 16);
}

static void damage_dimension_four(const fclib_file *f)
{
    damage_set_integer(f, "/fclib_local/spacedim", 4);
}

static void damage_two_dimensions(const fclib_file *f)
{
    static const int two[] = {2, 2};
    fclib_put_integers(f, "/fclib_local/spacedim", 2, two);
}

static void damage_pointers_from_one(const fclib_file *f)
{
    static const int p[] = {1, 3, 6, 8, 10};
    fclib_put_integers(f, W "/p", 5, p);
}

static void damage_decreasing_pointers(const fclib_file *f)
{
    static const int p[] = {0, 6, 3, 8, 10};
    fclib_put_integers(f, W "/p", 5, p);
}

static void damage_negative_pointers(const fclib_file *f)
{
    static const int p[] = {0, INT_MIN, 3, 8, 10};
    fclib_put_integers(f, W "/p", 5, p);
}

static void damage_pointers_beyond(const fclib_file *f)
{
    static const int p[] = {0, 3, 6, 8, INT_MAX};
    fclib_put_integers(f, W "/p", 5, p);
}

static void damage_too_few_pointers(const fclib_file *f)
{
    static const int p[] = {0, 3, 6, 10};
    fclib_put_integers(f, W "/p", 4, p);
}

static void damage_index_beyond(const fclib_file *f)
{
    static const int i[] = {0, 1, 2, 0, 1, 3, 0, 4, 1, 3};
    fclib_put_integers(f, W "/i", 10, i);
}

static void damage_negative_index(const fclib_file *f)
{
    static const int i[] = {0, 1, 2, 0, 1, 3, 0, -1, 1, 3};
    fclib_put_integers(f, W "/i", 10, i);
}

static void damage_index_of_64_bits(const fclib_file *f)
{
    static const long long i[] = {0, 1, 2, 0, 1, 3, 0, 4294967296LL, 1, 3};
    const hid_t type[2] = {H5T_STD_I64LE, H5T_NATIVE_LLONG};
    const hsize_t n = 10;
    fclib_put_as(f, W "/i", type, &n, 1, i);
}

static void damage_triplet_beyond(const fclib_file *f)
{
    static const int p[] = {0, 1, 2, 4};
    fclib_put_integers(f, H "/p", 4, p);
}

static void damage_negative_triplet(const fclib_file *f)
{
    static const int p[] = {0, 1, 2, -1};
    fclib_put_integers(f, H "/p", 4, p);
}

static void damage_few_numbers(const fclib_file *f)
{
    static const double x[] = {1.0, 2.0};
    fclib_put_reals(f, W "/x", 2, x);
}

static void damage_no_group(const fclib_file *f)
{
    fclib_drop(f, W);
}

static void damage_no_vectors(const fclib_file *f)
{
    fclib_drop(f, "/fclib_local/vectors/mu");
}

static void damage_no_pointers(const fclib_file *f)
{
    fclib_drop(f, W "/p");
}

static void damage_odd_vector(const fclib_file *f)
{
    static const double q[3] = {0};
    fclib_put_reals(f, "/fclib_local/vectors/q", 3, q);
}

static void damage_short_friction(const fclib_file *f)
{
    static const double mu = 0.5;
    fclib_put_reals(f, "/fclib_local/vectors/mu", 1, &mu);
}

static void damage_real_index(const fclib_file *f)
{
    static const double i[10] = {0};
    fclib_put_reals(f, W "/i", 10, i);
}

static void damage_text_numbers(const fclib_file *f)
{
    const hid_t type[2] = {H5T_C_S1, H5T_C_S1};
    const hsize_t n = 10;
    fclib_put_as(f, W "/x", type, &n, 1, "0123456789");
}

static void damage_square_numbers(const fclib_file *f)
{
    const hid_t type[2] = {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE};
    const hsize_t n[2] = {4, 4};
    fclib_put_as(f, W "/x", type, n, 2, fclib_w);
}

static void damage_group_as_numbers(const fclib_file *f)
{
    fclib_drop(f, W "/x");
    (void)H5Gclose(H5Gcreate2(f->id, W "/x", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

/* 2^31 - 2 entries that were never written take no space in the file. */
static void damage_huge_vector(const fclib_file *f)
{
    const hid_t type[2] = {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE};
    const hsize_t n = 2147483646;
    fclib_put_as(f, "/fclib_local/vectors/q", type, &n, 1, NULL);
}

static void damage_more_than_an_int(const fclib_file *f)
{
    const hid_t type[2] = {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE};
    const hsize_t n = (hsize_t)1 << 40;
    fclib_put_as(f, "/fclib_local/vectors/q", type, &n, 1, NULL);
}

static void damage_soft_link(const fclib_file *f)
{
    fclib_drop(f, W "/x");
    (void)H5Lcreate_soft("/fclib_local/vectors/q", f->id, W "/x", H5P_DEFAULT, H5P_DEFAULT);
}

static void damage_external_link(const fclib_file *f)
{
    fclib_drop(f, W);
    (void)H5Lcreate_external("other.hdf5", "/fclib_local/W", f->id, W, H5P_DEFAULT, H5P_DEFAULT);
}

/* A dataset with a storage of its own kind. */
static void damage_put_stored(const fclib_file *f, hid_t creation)
{
    const hsize_t n = 10;
    fclib_drop(f, W "/x");
    const hid_t space = H5Screate_simple(1, &n, NULL);
    const hid_t set =
        H5Dcreate2(f->id, W "/x", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    assert_true(set >= 0);
    (void)H5Dclose(set);
    (void)H5Sclose(space);
    (void)H5Pclose(creation);
}

static void damage_external_storage(const fclib_file *f)
{
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    (void)H5Pset_external(creation, "/etc/passwd", 0, 80);
    damage_put_stored(f, creation);
}

static void damage_compressed(const fclib_file *f)
{
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk = 10;
    (void)H5Pset_chunk(creation, 1, &chunk);
    (void)H5Pset_deflate(creation, 9);
    damage_put_stored(f, creation);
}

static void damage_virtual_storage(const fclib_file *f)
{
    const hsize_t n = 10;
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t space = H5Screate_simple(1, &n, NULL);
    (void)H5Pset_virtual(creation, space, "other.hdf5", "/x", space);
    (void)H5Sclose(space);
    damage_put_stored(f, creation);
}

static void damage_not_a_number(const fclib_file *f)
{
    static const double x[] = {2.0, 0.5, -0.25, 0.375, 3.0, NAN, -0.25, 1.5, 0.0625, 1.0};
    fclib_put_reals(f, W "/x", 10, x);
}

static void damage_negative_friction(const fclib_file *f)
{
    static const double mu[] = {0.5, -0.5};
    fclib_put_reals(f, "/fclib_local/vectors/mu", 2, mu);
}

static void damage_rolling(const fclib_file *f)
{
    (void)H5Lmove(f->id, "/fclib_global", f->id, "/fclib_global_rolling", H5P_DEFAULT, H5P_DEFAULT);
}

static void damage_both_forms(const fclib_file *f)
{
    fclib_put_global(f);
}

static void damage_neither_form(const fclib_file *f)
{
    fclib_drop(f, "/fclib_local");
}

static void damage_half_of_the_equalities(const fclib_file *f)
{
    damage_set_integer(f, "/fclib_local/V/m", 4);
}

/* A thousand million columns in a file of a few kilobytes. */
static void damage_empty_columns(const fclib_file *f)
{
    damage_set_integer(f, "/fclib_global/G/n", 1000000000);
    fclib_drop(f, "/fclib_global/vectors/b");
}

static void damage_no_velocities(const fclib_file *f)
{
    fclib_put_reals(f, "/fclib_global/vectors/f", 0, NULL);
}

typedef struct hostile {
    const char *name;
    bool is_global;
    void (*damage)(const fclib_file *f);
    const char *says;
} hostile;

static const hostile hostile_cases[] = {
    {"nz of 2^31 - 1", false, damage_grow_nzmax, W "/p: 5 entries, expected 2147483647"},
    {"negative size", false, damage_negative_size, W ": is -4 x 4, expected 4 x 4"},
    {"size that does not fit", false, damage_size_of_another, W ": is 4 x 5, expected 4 x 4"},
    {"unknown encoding", false, damage_unknown_encoding, W ": unknown encoding nz = -3"},
    {"dense without numbers", false, damage_dense_without_numbers, W "/x: 10 entries, expected 16"},
    {"dimension 4", false, damage_dimension_four,
     "/fclib_local/spacedim: must be 2 or 3 (found 4)"},
    {"two dimensions", false, damage_two_dimensions, "/fclib_local/spacedim: 2 entries"},
    {"pointers from 1", false, damage_pointers_from_one, W "/p: must begin with 0 (found 1)"},
    {"decreasing pointers", false, damage_decreasing_pointers, W "/p: decreases from 6 to 3"},
    {"negative pointers", false, damage_negative_pointers, W "/p: decreases from 0 to -2147483648"},
    {"pointers beyond", false, damage_pointers_beyond, W "/i: 10 entries, expected 2147483647"},
    {"too few pointers", false, damage_too_few_pointers, W "/p: 4 entries, expected 5"},
    {"index beyond", false, damage_index_beyond, W "/i: entry 7 is 4, outside 0 ... 3"},
    {"negative index", false, damage_negative_index, W "/i: entry 7 is -1, outside 0 ... 3"},
    {"index of 64 bits", false, damage_index_of_64_bits, W "/i: entry 7 is 2147483647, outside"},
    {"triplet beyond", true, damage_triplet_beyond, H "/p: entry 3 is 4, outside 0 ... 2"},
    {"negative triplet", true, damage_negative_triplet, H "/p: entry 3 is -1, outside 0 ... 2"},
    {"few numbers", false, damage_few_numbers, W "/x: 2 entries, expected 10"},
    {"no group", false, damage_no_group, W ": missing"},
    {"no friction", false, damage_no_vectors, "/fclib_local/vectors/mu: missing"},
    {"no pointers", false, damage_no_pointers, W "/p: missing"},
    {"odd vector", false, damage_odd_vector,
     "/fclib_local/vectors/q: 3 entries are not a multiple"},
    {"short friction", false, damage_short_friction,
     "/fclib_local/vectors/mu: 1 entries, expected 2"},
    {"real index", false, damage_real_index, W "/i: expected integers"},
    {"text as numbers", false, damage_text_numbers, W "/x: expected integers or floating-point"},
    {"square of numbers", false, damage_square_numbers, W "/x: expected an array of one dimension"},
    {"group as numbers", false, damage_group_as_numbers, W "/x: not a dataset"},
    {"huge vector", false, damage_huge_vector,
     "/fclib_local/vectors/q: 2147483646 entries do not fit"},
    {"more than an int", false, damage_more_than_an_int,
     "/fclib_local/vectors/q: 1099511627776 entries"},
    {"soft link", false, damage_soft_link, W "/x: links to other places"},
    {"external link", false, damage_external_link, W ": links to other places"},
    {"external storage", false, damage_external_storage,
     W "/x: its data are stored in other files"},
    {"compressed", false, damage_compressed, W "/x: not contiguous"},
    {"virtual storage", false, damage_virtual_storage, W "/x: its data are stored in other files"},
    {"not a number", false, damage_not_a_number, "W contains "},
    {"negative friction", false, damage_negative_friction,
     "friction must be finite and at least 0"},
    {"rolling", true, damage_rolling, "/fclib_global_rolling: problems with rolling friction"},
    {"both forms", false, damage_both_forms, "contains both"},
    {"neither form", false, damage_neither_form, "contains neither"},
    {"V without R", false, damage_half_of_the_equalities, "/fclib_local/R: missing"},
    {"empty columns", true, damage_empty_columns, "/fclib_global/G: has more columns (1000000000)"},
    {"no velocities", true, damage_no_velocities, "/fclib_global/vectors/f: empty"},
};

/* ---- what is said of them ---- */

/* Read what must be refused with these words, in one line that begins with the path. */
static void expect_refusal(const fclib_file *f, const char *name, const char *says)
{
    haw_problem *problem = NULL;
    const haw_status status = haw_fclib_read(f->context, f->path, &problem);
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0); /* all is closed */
    const char *message = haw_context_message(f->context);
    const size_t length = strlen(f->path);
    if (status != HAW_ERR_INPUT || problem != NULL || strchr(message, '\n') != NULL ||
        strncmp(message, f->path, length) != 0 || strstr(message, says) == NULL) {
        fail_msg("%s: status %d, message \"%s\"", name, status, message);
    }
}

static void each_damage_has_its_line(void **state)
{
    fclib_file *f = *state;
    for (size_t k = 0; k < sizeof hostile_cases / sizeof *hostile_cases; k++) {
        fclib_file_begin(f);
        if (hostile_cases[k].is_global) {
            fclib_put_global(f);
        } else {
            fclib_put_local(f);
        }
        hostile_cases[k].damage(f);
        fclib_file_end(f);
        expect_refusal(f, hostile_cases[k].name, hostile_cases[k].says);
    }
}

/* ---- the file as such ---- */

static void files_that_cannot_be_opened_are_io_errors(void **state)
{
    const fclib_file *f = *state;
    haw_problem *problem = NULL;
    assert_int_equal(haw_fclib_read(f->context, f->path, &problem), HAW_ERR_IO);
    assert_non_null(strstr(haw_context_message(f->context), "no such file or folder"));
    assert_int_equal(haw_fclib_read(f->context, f->folder, &problem), HAW_ERR_IO);
    assert_non_null(strstr(haw_context_message(f->context), "it is a folder"));
    assert_int_equal(haw_fclib_read(f->context, "/dev/null", &problem), HAW_ERR_IO);
    assert_non_null(strstr(haw_context_message(f->context), "not a regular file"));
    assert_null(problem);
}

static void a_pipe_does_not_hang_the_reader(void **state)
{
    const fclib_file *f = *state;
    haw_problem *problem = NULL;
    assert_int_equal(mkfifo(f->path, 0600), 0);
    assert_int_equal(haw_fclib_read(f->context, f->path, &problem), HAW_ERR_IO);
}

static void files_that_are_not_hdf5_are_refused(void **state)
{
    const fclib_file *f = *state;
    FILE *stream = fopen(f->path, "w");
    assert_non_null(stream);
    (void)fputs("hawser: 1\n", stream);
    (void)fclose(stream);
    expect_refusal(f, "text", "not an HDF5 file");
}

/* All indices of groups, which begin with a word of HDF5's: where nothing can be looked for,
 * nothing is missing. */
static void a_damaged_index_is_not_an_empty_one(void **state)
{
    fclib_file *f = *state;
    static char bytes[1 << 16];
    int indices = 0;
    fclib_file_begin(f);
    fclib_put_local(f);
    fclib_file_end(f);
    FILE *stream = fopen(f->path, "r+");
    assert_non_null(stream);
    const size_t size = fread(bytes, 1, sizeof bytes, stream);
    for (size_t i = 0; i + 4 < size; i++) {
        if (memcmp(bytes + i, "TREE", 4) == 0) {
            assert_int_equal(fseek(stream, (long)i, SEEK_SET), 0);
            assert_int_equal(fputs("BUSH", stream) < 0, 0);
            indices++;
        }
    }
    assert_int_equal(fclose(stream), 0);
    assert_true(indices > 0);
    expect_refusal(f, "indices", "HDF5 cannot look into it: it is damaged, or memory is out");
}

static void a_truncated_file_is_refused_wherever_it_ends(void **state)
{
    fclib_file *f = *state;
    struct stat found;
    fclib_file_begin(f);
    fclib_put_global(f);
    fclib_file_end(f);
    assert_int_equal(stat(f->path, &found), 0);
    for (off_t end = found.st_size - 1; end >= 0; end -= 61) {
        assert_int_equal(truncate(f->path, end), 0);
        expect_refusal(f, "truncated", "damaged");
    }
}

/* Stored solutions and guesses of any shape change nothing. */
static void solutions_and_guesses_are_not_looked_at(void **state)
{
    fclib_file *f = *state;
    static const double r = NAN;
    fclib_file_begin(f);
    fclib_put_local(f);
    fclib_put_reals(f, "/solution/r", 1, &r);
    fclib_put_integer(f, "/guesses/number_of_guesses", -7);
    fclib_file_end(f);
    haw_problem_free(f->context, fclib_read(f));
}

static void a_file_that_the_program_has_open_is_read(void **state)
{
    fclib_file *f = *state;
    fclib_file_begin(f);
    fclib_put_local(f);
    fclib_file_end(f);
    fclib_file_open(f);
    haw_problem_free(f->context, fclib_read(f));
    fclib_file_end(f);
}

/* So many of them that the headers of the objects go on elsewhere in the file. */
static void attributes_change_nothing(void **state)
{
    fclib_file *f = *state;
    static const char *const name[] = {W, W "/x", W "/p", "/fclib_local/vectors"};
    fclib_file_begin(f);
    fclib_put_local(f);
    for (int k = 0; k < 80; k++) {
        char key[16];
        const double value = NAN;
        (void)snprintf(key, sizeof key, "rank%d", k);
        const hid_t space = H5Screate(H5S_SCALAR);
        const hid_t object = H5Oopen(f->id, name[k % 4], H5P_DEFAULT);
        const hid_t id = H5Acreate2(object, key, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(H5Awrite(id, H5T_NATIVE_DOUBLE, &value) >= 0);
        (void)H5Aclose(id);
        (void)H5Oclose(object);
        (void)H5Sclose(space);
    }
    fclib_file_end(f);
    haw_problem *problem = fclib_read(f);
    assert_near(fclib_entry(problem, 1, 0), fclib_w[1][0], 0, 0);
    haw_problem_free(f->context, problem);
}

/* HDF5 1.10 divides by the zero when it opens such a dataset. */
static void a_chunk_of_size_zero_is_refused(void **state)
{
    fclib_file *f = *state;
    static const unsigned char mark[] = {3, 2, 2}; /* layout of version 3, chunked, rank 2 */
    static unsigned char bytes[65536];
    fclib_file_begin(f);
    fclib_put_local(f);
    damage_compressed(f);
    fclib_file_end(f);
    FILE *stream = fopen(f->path, "r+b");
    assert_non_null(stream);
    const size_t size = fread(bytes, 1, sizeof bytes, stream);
    size_t found = 0, at = 0;
    for (size_t k = 0; k + 19 < size; k++) {
        if (memcmp(bytes + k, mark, sizeof mark) == 0 && bytes[k + 11] == 10) {
            at = k + 11;
            found++;
        }
    }
    assert_int_equal(found, 1);
    assert_int_equal(fseek(stream, (long)at, SEEK_SET), 0);
    assert_int_equal(fputc(0, stream), 0);
    (void)fclose(stream);
    expect_refusal(f, "chunk of size zero", W "/x: not contiguous");
}

/* Runs all of the above once more with the standard error in a file. */
static void nothing_is_printed(void **state)
{
    fclib_file *f = *state;
    (void)fflush(stderr);
    const int kept = dup(STDERR_FILENO);
    FILE *caught = tmpfile();
    assert_non_null(caught);
    assert_true(dup2(fileno(caught), STDERR_FILENO) >= 0);
    each_damage_has_its_line(state);
    (void)truncate(f->path, 2000);
    haw_problem *problem = NULL;
    const haw_status status = haw_fclib_read(f->context, f->path, &problem);
    (void)fflush(stderr);
    assert_true(dup2(kept, STDERR_FILENO) >= 0);
    (void)close(kept);
    assert_int_equal(status, HAW_ERR_INPUT);
    assert_int_equal(lseek(fileno(caught), 0, SEEK_END), 0);
    (void)fclose(caught);
}

TEST_FILE(test_fclib_hostile)
{
    const struct CMUnitTest tests[] = {
        FCLIB_TEST(each_damage_has_its_line),
        FCLIB_TEST(files_that_cannot_be_opened_are_io_errors),
        FCLIB_TEST(a_pipe_does_not_hang_the_reader),
        FCLIB_TEST(files_that_are_not_hdf5_are_refused),
        FCLIB_TEST(a_damaged_index_is_not_an_empty_one),
        FCLIB_TEST(a_truncated_file_is_refused_wherever_it_ends),
        FCLIB_TEST(solutions_and_guesses_are_not_looked_at),
        FCLIB_TEST(a_file_that_the_program_has_open_is_read),
        FCLIB_TEST(attributes_change_nothing),
        FCLIB_TEST(a_chunk_of_size_zero_is_refused),
        FCLIB_TEST(nothing_is_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
