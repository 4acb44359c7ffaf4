/* SPDX-License-Identifier: BSD-3-Clause */
/* The results file: what is written is read back to the last bit. */
#include "io/hdf5.h"
#include "io/results.h"
#include "model/model.h"
#include "stepper/simulation.h"
#include "support/failing.h"
#include "support/fake_run.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FRAMES = 150 }; /* more than two buffers */

typedef struct fixture {
    fake_run fake;
    char file[1024], part[1024];
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    disk_case_init(&f->fake.disk);
    fake_run_open(&f->fake);
    fake_path(&f->fake, "run.h5", f->file);
    fake_path(&f->fake, "run.h5.part", f->part);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    assert_int_equal(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
    fake_run_close(&f->fake);
    free(f);
    return 0;
}

static haw_results *open_results(const fixture *f, const char *file)
{
    haw_results *results = NULL;
    if (haw_results_open(f->fake.r.context, file, &results) != HAW_OK) {
        fail_msg("%s", haw_context_message(f->fake.r.context));
    }
    return results;
}

static haw_array column(haw_results *results, const char *group, const char *name, const char *what)
{
    haw_array array;
    if (haw_results_column(results, group, name, what, 0, &array) != HAW_OK) {
        fail_msg("no %s/%s/%s", group, name != NULL ? name : "", what);
    }
    return array;
}

static void equal(double got, double want)
{
    assert_memory_equal(&got, &want, sizeof got);
}

static void histories_are_read_back_to_the_last_bit(void **state)
{
    fixture *f = *state;
    fake_run_results(&f->fake, f->file, FRAMES);
    haw_results *results = open_results(f, f->file);
    assert_int_equal(results->frames, FRAMES);
    const haw_array t = column(results, "energy", NULL, "t");
    const haw_array friction = column(results, "energy", NULL, "friction_loss");
    const haw_array iterations = column(results, "solver", NULL, "iterations_total");
    const haw_array impulse = column(results, "contacts", "cable-disk", "impulse");
    const haw_array closed = column(results, "contacts", "cable-disk", "closed");
    const haw_array position = column(results, "bodies", "disk", "position");
    const haw_array spin = column(results, "bodies", "disk", "spin");
    const haw_array torque = column(results, "bodies", "disk", "torque");
    const haw_array newton = column(results, "solver", NULL, "newton_iterations");
    const haw_array probe = column(results, "probes", NULL, "disk.position");
    const haw_array last = column(results, "probes", NULL, "cable-disk.normal_sum");
    assert_int_equal(impulse.components, 3);
    assert_int_equal(position.components, 2);
    for (int i = 0; i < FRAMES; i++) {
        const haw_frame *frame = fake_run_frame(&f->fake, i);
        equal(t.value[i], frame->t);
        equal(friction.value[i], frame->ledger->friction_loss);
        equal(iterations.value[i], 1e8 * i);
        equal(impulse.value[3 * i + 2], frame->pair->impulse[5]);
        equal(closed.value[i], i % 5);
        equal(position.value[2 * i + 1], frame->state->q[1]);
        equal(spin.value[i], frame->state->u[2]);
        equal(torque.value[i], frame->torque[0]);
        equal(newton.value[i], 11.0 * i);
        equal(probe.value[2 * i + 1], frame->probe[1]);
        equal(last.value[i], frame->probe[3]);
    }
    haw_results_close(results);
}

static void every_column_has_its_unit(void **state)
{
    fixture *f = *state;
    fake_run_results(&f->fake, f->file, 2);
    haw_results *results = open_results(f, f->file);
    assert_string_equal(column(results, "energy", NULL, "t").unit, "s");
    assert_string_equal(column(results, "energy", NULL, "elastic").unit, "J");
    assert_string_equal(column(results, "bodies", "disk", "velocity").unit, "m/s");
    assert_string_equal(column(results, "cables", "cable", "tension_mean").unit, "N");
    assert_string_equal(column(results, "contacts", "cable-disk", "moment").unit, "N m");
    assert_string_equal(column(results, "probes", NULL, "disk.position").unit, "m");
    haw_array load;
    assert_int_equal(haw_results_array(results, &load, "/VTKHDF/PointData/contact_normal"), HAW_OK);
    assert_string_equal(load.unit, "N/m");
    haw_results_close(results);
}

/* Profiles, read from /VTKHDF and through the views of the cable's group. */
static void profiles_are_those_of_the_model(void **state)
{
    fixture *f = *state;
    const int n = haw_cable_sample_count(f->fake.r.model, 0);
    double *want = calloc((size_t)n * 7, sizeof *want);
    double *got = calloc((size_t)n, sizeof *got);
    const haw_profile profile = {.xi = want,
                                 .x = want + n,
                                 .y = want + 2 * n,
                                 .tension = want + 3 * n,
                                 .strain = want + 4 * n,
                                 .curvature = want + 5 * n,
                                 .element_tension = want + 6 * n};
    static const char *const columns[6] = {"x",      "y",         "tension",
                                           "strain", "curvature", "element_tension"};
    fake_run_results(&f->fake, f->file, FRAMES);
    haw_results *results = open_results(f, f->file);
    for (int i = 0; i < FRAMES; i += 49) {
        haw_cable_profile(f->fake.r.model, 0, fake_run_frame(&f->fake, i)->state->q, NULL,
                          &profile);
        for (int k = 0; k < 6; k++) {
            char view[64];
            haw_array all;
            assert_int_equal(haw_results_profile(results, "cable", columns[k], i, n, got), HAW_OK);
            assert_memory_equal(got, want + (k + 1) * n, (size_t)n * sizeof *got);
            (void)snprintf(view, sizeof view, "/hawser/cables/cable/%s", columns[k]);
            assert_int_equal(haw_results_array(results, &all, "%s", view), HAW_OK);
            assert_int_equal(all.rows, FRAMES);
            assert_int_equal(all.components, n);
            assert_memory_equal(all.value + (size_t)i * (size_t)n, got, (size_t)n * sizeof *got);
        }
    }
    haw_array xi;
    assert_int_equal(haw_results_array(results, &xi, "/hawser/cables/cable/xi"), HAW_OK);
    for (int j = 0; j < n; j++) {
        assert_near(xi.value[j], want[j], 1e-15, 1e-15);
    }
    haw_results_close(results);
    free(want);
    free(got);
}

/* The line load times the length of each sample adds up to the forces of the grid points. */
static void line_loads_add_up_to_the_contact_forces(void **state)
{
    static const char *const columns[2] = {"contact_normal", "contact_tangential"};
    fixture *f = *state;
    const haw_model *model = f->fake.r.model;
    const int n = haw_cable_sample_count(model, 0);
    const double step = model->cable[0].line.le / haw_cable_samples(model, 0);
    double *load = calloc((size_t)n, sizeof *load);
    fake_run_results(&f->fake, f->file, 3);
    haw_results *results = open_results(f, f->file);
    (void)fake_run_frame(&f->fake, 2);
    for (int k = 0; k < 2; k++) {
        double sum = 0.0;
        double want = 0.0;
        double scale = 0.0;
        assert_int_equal(haw_results_profile(results, "cable", columns[k], 2, n, load), HAW_OK);
        for (int j = 0; j < n; j++) {
            sum += load[j] * step * (j == 0 || j == n - 1 ? 0.5 : 1.0);
        }
        for (int i = 0; i < model->pair[0].points; i++) {
            want += f->fake.point_force[2 * i + k];
            scale += fabs(f->fake.point_force[2 * i + k]);
        }
        assert_near(sum, want, 1e-14 * scale, 0);
    }
    haw_results_close(results);
    free(load);
}

static void events_come_back_in_the_order_of_time(void **state)
{
    fixture *f = *state;
    haw_events events;
    fake_run_results(&f->fake, f->file, 3);
    haw_results *results = open_results(f, f->file);
    assert_int_equal(haw_results_events(results, &events), HAW_OK);
    assert_int_equal(events.count, 4);
    assert_int_equal(events.event[0].kind, HAW_EVENT_FIRST_CONTACT);
    assert_int_equal(events.event[2].kind, HAW_EVENT_SEPARATION);
    equal(events.event[2].value, 0.25);
    assert_int_equal(events.event[3].kind, HAW_EVENT_STICK);
    haw_results_close(results);
}

static long integer_attribute(hid_t file, const char *object, const char *key)
{
    long value[2] = {-1, -1};
    const hid_t id = H5Aopen_by_name(file, object, key, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(id >= 0);
    assert_true(H5Aread(id, H5T_NATIVE_LONG, value) >= 0);
    assert_true(H5Aclose(id) >= 0);
    return value[0];
}

/*
 * What vtkHDFReader reads for step k of PolyData: the part at PartOffsets[k], its number of points
 * from PointOffsets[k] on, its lines from CellOffsets[k] + PartOffsets[k] on. So each of these
 * must stay inside its array, and the lines must name points of the frame.
 */
static void the_vtk_group_is_what_its_reader_expects(void **state)
{
    fixture *f = *state;
    char type[9] = "";
    haw_array points, count, offsets, parts, cells, lines, corners;
    fake_run_results(&f->fake, f->file, FRAMES);
    const hid_t file = H5Fopen(f->file, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t attribute = H5Aopen_by_name(file, "/VTKHDF", "Type", H5P_DEFAULT, H5P_DEFAULT);
    const hid_t stored = H5Aget_type(attribute);
    assert_int_equal(H5Tis_variable_str(stored), 0);
    assert_int_equal(H5Tget_cset(stored), H5T_CSET_ASCII);
    assert_true(H5Aread(attribute, stored, type) >= 0);
    assert_string_equal(type, "PolyData");
    assert_int_equal(integer_attribute(file, "/VTKHDF", "Version"), 2);
    assert_int_equal(integer_attribute(file, "/VTKHDF/Steps", "NSteps"), FRAMES);
    H5Tclose(stored);
    H5Aclose(attribute);
    H5Fclose(file);
    haw_results *results = open_results(f, f->file);
    assert_int_equal(haw_results_array(results, &points, "/VTKHDF/Points"), HAW_OK);
    assert_int_equal(haw_results_array(results, &count, "/VTKHDF/NumberOfPoints"), HAW_OK);
    assert_int_equal(haw_results_array(results, &offsets, "/VTKHDF/Steps/PointOffsets"), HAW_OK);
    assert_int_equal(haw_results_array(results, &parts, "/VTKHDF/Steps/PartOffsets"), HAW_OK);
    assert_int_equal(haw_results_array(results, &cells, "/VTKHDF/Steps/CellOffsets"), HAW_OK);
    assert_int_equal(haw_results_array(results, &lines, "/VTKHDF/Lines/Offsets"), HAW_OK);
    assert_int_equal(haw_results_array(results, &corners, "/VTKHDF/Lines/Connectivity"), HAW_OK);
    assert_int_equal(cells.components, 4);
    for (int k = 0; k < FRAMES; k++) {
        assert_int_equal((int)parts.value[k], 0);
        assert_int_equal((int)cells.value[4 * k + 1], 0);
        assert_true(offsets.value[k] + count.value[0] <= points.rows);
    }
    assert_int_equal((int)offsets.value[FRAMES - 1], (FRAMES - 1) * (int)count.value[0]);
    assert_int_equal((int)lines.value[lines.rows - 1], corners.rows);
    for (int j = 0; j < corners.rows; j++) {
        assert_true(corners.value[j] >= 0 && corners.value[j] < count.value[0]);
    }
    haw_results_close(results);
}

static void the_disk_is_drawn_around_its_centre(void **state)
{
    fixture *f = *state;
    haw_array points;
    fake_run_results(&f->fake, f->file, 2);
    haw_results *results = open_results(f, f->file);
    assert_int_equal(haw_results_array(results, &points, "/VTKHDF/Points"), HAW_OK);
    const double *pose = fake_run_frame(&f->fake, 1)->state->q;
    const double *last = points.value + 3 * (points.rows - 1); /* closes the circle */
    assert_near(last[0], pose[0] + 0.1 * cos(pose[2]), 1e-15, 0);
    assert_near(last[1], pose[1] + 0.1 * sin(pose[2]), 1e-15, 0);
    haw_results_close(results);
}

static void equal_runs_make_equal_files(void **state)
{
    fixture *f = *state;
    char *bytes[2] = {NULL, NULL};
    long size[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        fake_run_results(&f->fake, f->file, 70);
        FILE *stream = fopen(f->file, "rb");
        assert_int_equal(fseek(stream, 0, SEEK_END), 0);
        size[k] = ftell(stream);
        rewind(stream);
        bytes[k] = malloc((size_t)size[k]);
        assert_int_equal(fread(bytes[k], 1, (size_t)size[k], stream), size[k]);
        fclose(stream);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], (size_t)size[0]);
    free(bytes[0]);
    free(bytes[1]);
}

/* ---- when something goes wrong: kills, full disks, foreign files, no memory ---- */

static void a_finished_file_holds_no_reserve(void **state)
{
    fixture *f = *state;
    struct stat found;
    fake_run_results(&f->fake, f->file, 1);
    assert_int_equal(stat(f->file, &found), 0);
    assert_true(found.st_size < 1200000);
    assert_int_not_equal(stat(f->part, &found), 0);
}

/* HDF5 cuts a file to its used size as it flushes: what is asked for next has room all the same. */
static void a_flush_does_not_lose_the_reserve(void **state)
{
    enum { BYTES = 1 << 20 };

    fixture *f = *state;
    haw_arena arena;
    haw_hdf5 file;
    struct stat found;
    haw_arena_init(&arena, f->fake.r.context);
    assert_int_equal(haw_hdf5_init(&file, &arena, f->file), HAW_OK);
    assert_int_equal(haw_hdf5_create(&file, BYTES), HAW_OK);
    for (int i = 0; i < 3; i++) {
        const double value = i;
        const char name[] = {(char)('a' + i), '\0'};
        assert_int_equal(haw_hdf5_reserve(&file, BYTES), HAW_OK);
        assert_int_equal(fstat(file.lock, &found), 0);
        assert_true(found.st_size >= BYTES);
        assert_int_equal(haw_hdf5_real(&file, file.id, name, 1, &value), HAW_OK);
        assert_true(H5Fflush(file.id, H5F_SCOPE_LOCAL) >= 0);
    }
    assert_int_equal(haw_hdf5_close(&file, HAW_OK), HAW_OK);
    haw_arena_fini(&arena);
}

static void write_and_die(const fixture *f)
{
    const pid_t child = fork();
    if (child == 0) {
        (void)fake_run_write(&((fixture *)f)->fake, f->file, FRAMES);
        (void)raise(SIGKILL);
    }
    int result = 0;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFSIGNALED(result));
}

static void a_killed_run_is_readable_to_its_last_flush(void **state)
{
    fixture *f = *state;
    double value[2];
    write_and_die(f);
    haw_results *results = open_results(f, f->part);
    const int frames = results->frames;
    assert_in_range(frames, 65, FRAMES - 1); /* full buffers only */
    const haw_array t = column(results, "energy", NULL, "t");
    equal(t.value[frames - 1], 1e-3 * (frames - 1));
    assert_int_equal(haw_results_profile(results, "cable", "tension", frames - 1, 2, value),
                     HAW_OK);
    assert_near(value[0], 400.0, 100.0, 0);
    haw_results_close(results);
}

/* Lengths of a dataset, one after another, as an index that is written by halves has them. */
static void resize(const fixture *f, const char *path, int count, const hsize_t *rows)
{
    const hid_t file = H5Fopen(f->part, H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    for (int i = 0; i < count; i++) {
        assert_true(H5Dset_extent(set, rows + i) >= 0);
    }
    H5Dclose(set);
    H5Fclose(file);
}

static void a_run_that_was_killed_within_a_flush_is_not_read_wrongly(void **state)
{
    fixture *f = *state;
    haw_results *results = NULL;
    write_and_die(f);
    results = open_results(f, f->part);
    const hsize_t rows = (hsize_t)results->frames, longer = rows + 600, gap[2] = {0, rows};
    haw_results_close(results);
    resize(f, "/hawser/energy/t", 1, &longer); /* without the number of frames */
    results = open_results(f, f->part);
    assert_int_equal(results->frames, rows);
    haw_results_close(results);
    resize(f, "/hawser/energy/kinetic", 2, gap); /* without the chunks */
    assert_int_equal(haw_results_open(f->fake.r.context, f->part, &results), HAW_ERR_IO);
    assert_non_null(strstr(haw_context_message(f->fake.r.context), "killed while"));
    assert_non_null(strstr(haw_context_message(f->fake.r.context), "/hawser/energy/kinetic"));
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

/* The second of two runs into one file is refused, and takes nothing from the first. */
static void a_file_that_another_run_writes_is_left_alone(void **state)
{
    fixture *f = *state;
    struct stat before, after;
    haw_writer *writer = fake_run_write(&f->fake, f->file, FRAMES);
    assert_int_equal(stat(f->part, &before), 0);
    message_has(f, try_open(f, f->file), "another run is writing it");
    assert_int_equal(stat(f->part, &after), 0);
    assert_int_equal(after.st_size, before.st_size);
    assert_int_equal(haw_writer_close(writer, NULL), HAW_OK);
    haw_results *results = open_results(f, f->file);
    const haw_array t = column(results, "energy", NULL, "t");
    equal(t.value[FRAMES - 1], 1e-3 * (FRAMES - 1));
    haw_results_close(results);
}

#if defined(__SANITIZE_ADDRESS__)
#define STATM "" /* a sanitizer takes pages of its own */
#else
#define STATM "/proc/self/statm"
#endif

/* Pages of this process in memory; 0: not known. */
static long count_pages(void)
{
    long pages = 0;
    FILE *stream = fopen(STATM, "r");
    if (stream != NULL) {
        (void)(fscanf(stream, "%*d %ld", &pages) != 1); /* NOLINT(cert-err34-c) */
        (void)fclose(stream);
    }
    return pages;
}

static void frames_take_no_further_memory_until_they_are_written(void **state)
{
    fixture *f = *state;
    haw_writer *writer = fake_run_write(&f->fake, f->file, 2);
    (void)count_pages();
    const long before = count_pages();
    for (int i = 2; i < 12; i++) {
        assert_int_equal(haw_writer_frame(writer, fake_run_frame(&f->fake, i)), HAW_OK);
    }
    assert_in_range(count_pages() - before + 4, 0, 8);
    assert_int_equal(haw_writer_close(writer, NULL), HAW_OK);
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
        frames = results->frames;
        haw_results_close(results);
    }
    return access(f->file, F_OK) == 0 ? 3 : 10 + frames;
}

/* The same in a process of its own: HDF5 keeps what a limit has left behind. */
static int limited_code(fixture *f, rlim_t bytes)
{
    int result = 0;
    (void)unlink(f->part);
    const pid_t child = fork();
    if (child == 0) {
        _exit(write_limited(f, bytes));
    }
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFEXITED(result));
    return WEXITSTATUS(result);
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
        const int code = limited_code(f, cases[i].bytes);
        if (code < cases[i].least || code > cases[i].most) {
            fail_msg("limit %lu: code %d", (unsigned long)cases[i].bytes, code);
        }
    }
}

/* Wherever among groups and columns the space ends, it is seen before HDF5 sees it. */
static void a_disk_that_is_full_at_the_start_ends_in_one_message(void **state)
{
    for (rlim_t bytes = 10000; bytes < 1000000; bytes += 10000) {
        const int code = limited_code(*state, bytes);
        if (code != 10) {
            fail_msg("limit %lu: code %d", (unsigned long)bytes, code);
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
    message_has(f, haw_results_open(context, f->file, &results), "not a hawser results file");
    write_text(f->file, "hawser: 1\ntitle: a scenario\n");
    message_has(f, haw_results_open(context, f->file, &results), "not a hawser results file");
    hid_t foreign = H5Fcreate(f->file, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(foreign);
    message_has(f, haw_results_open(context, f->file, &results), "killed before its first flush");
    foreign = H5Fopen(f->file, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Gclose(H5Gcreate2(foreign, "VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Fclose(foreign);
    message_has(f, haw_results_open(context, f->file, &results), "not a hawser results file");
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
    message_has(f, haw_results_column(results, "bodies", "ball", "spin", 0, &array),
                "'/hawser/bodies/ball/spin' is missing");
    haw_results_close(results);
}

/* Whoever counts on two numbers in each row would read behind a column of one. */
static void columns_of_another_width_are_refused(void **state)
{
    fixture *f = *state;
    haw_array array;
    fake_run_results(&f->fake, f->file, 2);
    haw_results *results = open_results(f, f->file);
    assert_int_equal(haw_results_column(results, "bodies", "disk", "position", 2, &array), HAW_OK);
    assert_int_equal(haw_results_column(results, "bodies", "disk", "position", 0, &array), HAW_OK);
    message_has(f, haw_results_column(results, "bodies", "disk", "position", 3, &array),
                "'/hawser/bodies/disk/position' is missing or damaged");
    message_has(f, haw_results_column(results, "energy", NULL, "t", 2, &array), "damaged");
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
    haw_status status = haw_results_column(results, "energy", NULL, "t", 0, &array);
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
    memset(&f->fake, 0, sizeof f->fake);
    disk_case_init(&f->fake.disk);
    fake_run_open(&f->fake);
    fake_path(&f->fake, "run.h5", f->file);
    fake_path(&f->fake, "run.h5.part", f->part);
    f->fake.r.model->body[0].name = "a/b";
    f->fake.r.simulation->model.body[0].name = "a/b";
    f->fake.r.simulation->model.pair[0].between[1] = "a/b";
    fake_run_results(&f->fake, f->file, 2);
    haw_results *results = open_results(f, f->file);
    assert_string_equal(results->names[HAW_RESULTS_BODIES].name[0], "a_b");
    assert_string_equal(results->names[HAW_RESULTS_CONTACTS].name[0], "cable-a_b");
    assert_int_equal(column(results, "bodies", "a_b", "spin").rows, 2);
    haw_results_close(results);
}

TEST_FILE(test_hdf5)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(histories_are_read_back_to_the_last_bit),
        FIXTURE_TEST(every_column_has_its_unit),
        FIXTURE_TEST(profiles_are_those_of_the_model),
        FIXTURE_TEST(line_loads_add_up_to_the_contact_forces),
        FIXTURE_TEST(events_come_back_in_the_order_of_time),
        FIXTURE_TEST(the_vtk_group_is_what_its_reader_expects),
        FIXTURE_TEST(the_disk_is_drawn_around_its_centre),
        FIXTURE_TEST(equal_runs_make_equal_files),
        FIXTURE_TEST(a_finished_file_holds_no_reserve),
        FIXTURE_TEST(a_flush_does_not_lose_the_reserve),
        FIXTURE_TEST(a_killed_run_is_readable_to_its_last_flush),
        FIXTURE_TEST(a_run_that_was_killed_within_a_flush_is_not_read_wrongly),
        FIXTURE_TEST(files_that_cannot_be_made_are_refused_with_the_reason),
        FIXTURE_TEST(a_file_that_another_run_writes_is_left_alone),
        FIXTURE_TEST(frames_take_no_further_memory_until_they_are_written),
        FIXTURE_TEST(a_full_device_is_named_at_the_start),
        FIXTURE_TEST(a_disk_that_is_full_at_the_start_ends_in_one_message),
        FIXTURE_TEST(a_disk_that_fills_up_leaves_a_good_part_and_one_message),
        FIXTURE_TEST(foreign_and_damaged_files_are_refused_in_one_line),
        FIXTURE_TEST(missing_columns_are_named),
        FIXTURE_TEST(columns_of_another_width_are_refused),
        FIXTURE_TEST(running_out_of_memory_is_told_and_leaks_nothing),
        FIXTURE_TEST(names_with_slashes_and_dots_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
