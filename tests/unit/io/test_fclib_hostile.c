/* SPDX-License-Identifier: BSD-3-Clause */
/* FCLIB files that are damaged or mean harm: each is refused in one line, none does damage. */
#include "support/fclib_damage.h"

#include <sys/stat.h>

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
        cmocka_unit_test_setup_teardown(each_damage_has_its_line, fclib_setup, fclib_teardown),
        cmocka_unit_test_setup_teardown(files_that_cannot_be_opened_are_io_errors, fclib_setup,
                                        fclib_teardown),
        cmocka_unit_test_setup_teardown(a_pipe_does_not_hang_the_reader, fclib_setup,
                                        fclib_teardown),
        cmocka_unit_test_setup_teardown(files_that_are_not_hdf5_are_refused, fclib_setup,
                                        fclib_teardown),
        cmocka_unit_test_setup_teardown(a_truncated_file_is_refused_wherever_it_ends, fclib_setup,
                                        fclib_teardown),
        cmocka_unit_test_setup_teardown(solutions_and_guesses_are_not_looked_at, fclib_setup,
                                        fclib_teardown),
        cmocka_unit_test_setup_teardown(a_file_that_the_program_has_open_is_read, fclib_setup,
                                        fclib_teardown),
        cmocka_unit_test_setup_teardown(attributes_change_nothing, fclib_setup, fclib_teardown),
        cmocka_unit_test_setup_teardown(a_chunk_of_size_zero_is_refused, fclib_setup,
                                        fclib_teardown),
        cmocka_unit_test_setup_teardown(nothing_is_printed, fclib_setup, fclib_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
