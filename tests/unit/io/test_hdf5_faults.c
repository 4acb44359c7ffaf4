/* SPDX-License-Identifier: BSD-3-Clause */
/* The results file when something goes wrong: kills, full disks, foreign files, no memory. */
#include "model/model.h"
#include "stepper/simulation.h"
#include "support/failing.h"
#include "support/results_file.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void a_finished_file_holds_no_reserve(void **state)
{
    fixture *f = *state;
    struct stat found;
    fake_run_results(&f->fake, f->file, 1);
    assert_int_equal(stat(f->file, &found), 0);
    assert_true(found.st_size < 1200000);
    assert_int_not_equal(stat(f->part, &found), 0);
}

static void a_killed_run_is_readable_to_its_last_flush(void **state)
{
    fixture *f = *state;
    const pid_t child = fork();
    if (child == 0) {
        (void)fake_run_write(&f->fake, f->file, FRAMES);
        (void)raise(SIGKILL);
    }
    int result = 0;
    double value[2];
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFSIGNALED(result));
    haw_results *results = open_results(f, f->part);
    const int frames = haw_results_frames(results);
    assert_in_range(frames, 65, FRAMES - 1); /* full buffers only */
    const haw_array t = column(results, "energy", NULL, "t");
    equal(t.value[frames - 1], 1e-3 * (frames - 1));
    assert_int_equal(haw_results_profile(results, "cable", "tension", frames - 1, 2, value),
                     HAW_OK);
    assert_near(value[0], 400.0, 100.0, 0);
    haw_results_close(results);
}

/* ---- what can go wrong ---- */

static void message_has(const fixture *f, haw_status status, const char *words)
{
    assert_int_equal(status, HAW_ERR_IO);
    if (strstr(haw_context_message(f->fake.r.context), words) == NULL) {
        fail_msg("\"%s\" says nothing of \"%s\"", haw_context_message(f->fake.r.context), words);
    }
}

static haw_status try_open(const fixture *f, const char *file)
{
    haw_writer *writer = NULL;
    const haw_status status = haw_writer_open(f->fake.r.context, file, &f->fake.scenario,
                                              f->fake.r.model, f->fake.r.simulation, &writer);
    assert_null(writer);
    return status;
}

static void files_that_cannot_be_made_are_refused_with_the_reason(void **state)
{
    fixture *f = *state;
    char missing[1100];
    (void)snprintf(missing, sizeof missing, "%s/none/run.h5", f->fake.folder);
    message_has(f, try_open(f, missing), "no such file or folder");
    message_has(f, try_open(f, f->fake.folder), "it is a folder");
    message_has(f, try_open(f, "/dev/null"), "not a regular file");
}

static void a_full_device_is_named_at_the_start(void **state)
{
    fixture *f = *state;
    message_has(f, try_open(f, "/dev/full"),
                "cannot write '/dev/full': no space left on the device");
}

/* Write under a limit of the file size. @return 10 + frames that are left, 0: no failure */
static int write_limited(fixture *f, rlim_t bytes)
{
    const struct rlimit limit = {bytes, bytes};
    haw_writer *writer = NULL;
    haw_context *context = f->fake.r.context;
    int frames = 0;
    (void)signal(SIGXFSZ, SIG_IGN);
    (void)setrlimit(RLIMIT_FSIZE, &limit);
    haw_status status = haw_writer_open(context, f->file, &f->fake.scenario, f->fake.r.model,
                                        f->fake.r.simulation, &writer);
    for (int i = 0; i < FRAMES && status == HAW_OK; i++) {
        status = haw_writer_frame(writer, fake_run_frame(&f->fake, i));
    }
    if (writer != NULL) {
        (void)haw_fail(context, HAW_OK, "something else");
        status = haw_writer_close(writer, NULL);
    }
    if (status == HAW_OK) {
        return 0;
    }
    if (status != HAW_ERR_IO ||
        strstr(haw_context_message(context), "run.h5': no space left on the device") == NULL) {
        return 1;
    }
    haw_results *results = NULL;
    if (access(f->part, F_OK) == 0) {
        if (haw_results_open(context, f->part, &results) != HAW_OK) {
            return 2;
        }
        frames = haw_results_frames(results);
        haw_results_close(results);
    }
    return access(f->file, F_OK) == 0 ? 3 : 10 + frames;
}

static void a_disk_that_fills_up_leaves_a_good_part_and_one_message(void **state)
{
    /* codes of write_limited: none of the frames fits, some do, all do */
    static const struct {
        rlim_t bytes;
        int least, most;
    } cases[] = {{100, 10, 10},      {200000, 10, 10},           {1000000, 10, 10},
                 {3000000, 30, 100}, {4800000, 100, 9 + FRAMES}, {20000000, 0, 0}};

    fixture *f = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        (void)unlink(f->part);
        const pid_t child = fork();
        if (child == 0) {
            _exit(write_limited(f, cases[i].bytes));
        }
        int result = 0;
        assert_int_equal(waitpid(child, &result, 0), child);
        assert_true(WIFEXITED(result));
        const int code = WEXITSTATUS(result);
        if (code < cases[i].least || code > cases[i].most) {
            fail_msg("limit %lu: code %d", (unsigned long)cases[i].bytes, code);
        }
    }
}

static void write_text(const char *file, const char *text)
{
    FILE *stream = fopen(file, "w");
    (void)fputs(text, stream);
    (void)fclose(stream);
}

static void foreign_and_damaged_files_are_refused_in_one_line(void **state)
{
    fixture *f = *state;
    haw_context *context = f->fake.r.context;
    haw_results *results = NULL;
    message_has(f, haw_results_open(context, f->file, &results), "no such file or folder");
    write_text(f->file, "");
    message_has(f, haw_results_open(context, f->file, &results), "not a results file of hawser");
    write_text(f->file, "hawser: 1\ntitle: a scenario\n");
    message_has(f, haw_results_open(context, f->file, &results), "not a results file of hawser");
    H5Fclose(H5Fcreate(f->file, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    message_has(f, haw_results_open(context, f->file, &results), "not a results file of hawser");
    message_has(f, haw_results_open(context, f->fake.folder, &results), "it is a folder");
    fake_run_results(&f->fake, f->file, FRAMES);
    assert_int_equal(truncate(f->file, 100000), 0);
    message_has(f, haw_results_open(context, f->file, &results), "incomplete or damaged");
    assert_null(results);
}

static void missing_columns_are_named(void **state)
{
    fixture *f = *state;
    haw_array array;
    fake_run_results(&f->fake, f->file, 2);
    haw_results *results = open_results(f, f->file);
    message_has(f, haw_results_column(results, "bodies", "ball", "spin", &array),
                "'/hawser/bodies/ball/spin' is missing");
    haw_results_close(results);
}

static haw_status write_and_read(haw_context *context, void *user)
{
    const fixture *f = user;
    haw_writer *writer = NULL;
    haw_results *results = NULL;
    haw_array array;
    haw_events events;
    HAW_TRY(haw_writer_open(context, f->file, &f->fake.scenario, f->fake.r.model,
                            f->fake.r.simulation, &writer));
    HAW_TRY(haw_writer_close(writer, NULL));
    HAW_TRY(haw_results_open(context, f->file, &results));
    haw_status status = haw_results_column(results, "energy", NULL, "t", &array);
    if (status == HAW_OK) {
        status = haw_results_events(results, &events);
    }
    haw_results_close(results);
    return status;
}

static void running_out_of_memory_is_told_and_leaks_nothing(void **state)
{
    assert_true(failing_loop(write_and_read, *state) > 5);
}

static void names_with_slashes_and_dots_do_no_harm(void **state)
{
    fixture *f = *state;
    fake_run_close(&f->fake);
    (void)rmdir(f->fake.folder);
    memset(&f->fake, 0, sizeof f->fake);
    disk_case_init(&f->fake.disk);
    fake_run_open(&f->fake);
    fake_path(&f->fake, "run.h5", f->file);
    fake_path(&f->fake, "run.h5.part", f->part);
    f->fake.r.model->body[0].name = "a/b";
    f->fake.r.simulation->model.body[0].name = "a/b";
    fake_run_results(&f->fake, f->file, 2);
    haw_results *results = open_results(f, f->file);
    assert_string_equal(haw_results_names(results, HAW_RESULTS_BODIES)->name[0], "a_b");
    assert_string_equal(haw_results_names(results, HAW_RESULTS_CONTACTS)->name[0], "cable-a_b");
    assert_int_equal(column(results, "bodies", "a_b", "spin").rows, 2);
    haw_results_close(results);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

TEST_FILE(test_hdf5_faults)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_finished_file_holds_no_reserve, setup, teardown),
        cmocka_unit_test_setup_teardown(a_killed_run_is_readable_to_its_last_flush, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(files_that_cannot_be_made_are_refused_with_the_reason,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(a_full_device_is_named_at_the_start, setup, teardown),
        cmocka_unit_test_setup_teardown(a_disk_that_fills_up_leaves_a_good_part_and_one_message,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(foreign_and_damaged_files_are_refused_in_one_line, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(missing_columns_are_named, setup, teardown),
        cmocka_unit_test_setup_teardown(running_out_of_memory_is_told_and_leaks_nothing, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(names_with_slashes_and_dots_do_no_harm, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
