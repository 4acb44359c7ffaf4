/* SPDX-License-Identifier: BSD-3-Clause */
/* FCLIB files that are damaged or mean harm: each is refused in one line, none does damage. */
#include "support/fclib_damage.h"

#include <sys/stat.h>

static int setup(void **state)
{
    fclib_file *f = calloc(1, sizeof *f);
    assert_non_null(f);
    fclib_file_setup(f);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fclib_file_teardown(*state);
    free(*state);
    return 0;
}

/* Read what must be refused with these words, in one line that begins with the path. */
static void expect_refusal(const fclib_file *f, const char *name, const char *says)
{
    haw_problem *problem = NULL;
    const haw_status status = haw_fclib_read(f->context, f->path, &problem);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_damage_has_its_line, setup, teardown),
        cmocka_unit_test_setup_teardown(files_that_cannot_be_opened_are_io_errors, setup, teardown),
        cmocka_unit_test_setup_teardown(a_pipe_does_not_hang_the_reader, setup, teardown),
        cmocka_unit_test_setup_teardown(files_that_are_not_hdf5_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(a_truncated_file_is_refused_wherever_it_ends, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(solutions_and_guesses_are_not_looked_at, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_is_printed, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
