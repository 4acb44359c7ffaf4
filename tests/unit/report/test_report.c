/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser plot: pictures are made, for every kind of scene, in folders of every name. */
#include "report/figure.h"
#include "stepper/simulation.h"
#include "support/failing.h"
#include "support/fake_run.h"

#include <hdf5.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct fixture {
    fake_run fake;
    char file[1024];
    int written, pictures;
} fixture;

static int setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    disk_case_init(&f->fake.disk);
    fake_run_open(&f->fake);
    fake_path(&f->fake, "run.h5", f->file);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    fake_run_close(&f->fake);
    free(f);
    return 0;
}

/* Every file that is named is there; pictures are what they say. */
static void check_file(void *user, const char *path)
{
    fixture *f = user;
    unsigned char head[8] = {0};
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        fail_msg("no %s", path);
        return;
    }
    (void)fread(head, 1, sizeof head, stream);
    (void)fseek(stream, 0, SEEK_END);
    const long size = ftell(stream);
    (void)fclose(stream);
    f->written++;
    if (strstr(path, ".png") != NULL) {
        assert_memory_equal(head, "\211PNG\r\n\032\n", 8);
        assert_true(size > 10000);
        f->pictures++;
    } else if (strstr(path, ".svg") != NULL) {
        assert_memory_equal(head, "<?xml", 5);
        assert_true(size > 5000);
        f->pictures++;
    }
}

static void plot(fixture *f, const char *folder)
{
    if (haw_report_plot(f->fake.r.context, f->file, folder, NULL, check_file, f) != HAW_OK) {
        fail_msg("%s", haw_context_message(f->fake.r.context));
    }
}

static void a_scene_gets_five_figures_in_two_formats(void **state)
{
    fixture *f = *state;
    char folder[1024];
    fake_run_results(&f->fake, f->file, 20);
    fake_path(&f->fake, "figures", folder);
    plot(f, folder);
    assert_int_equal(f->pictures, 10);
    assert_int_equal(f->written, 10 + 5 + 8); /* pictures, scripts, tables */
}

static void folders_may_have_any_name(void **state)
{
    static const char *const names[] = {"a b",    "it's $(touch no)", "\"q\" `touch no`",
                                        "-e ARG", "new\nline",        "back\\slash;|<>",
                                        "äöü"};
    fixture *f = *state;
    char folder[1024];
    char before[1024];
    fake_run_results(&f->fake, f->file, 3);
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(f->fake.folder), 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        fake_path(&f->fake, names[i], folder);
        plot(f, i % 2 == 0 ? names[i] : folder);
    }
    assert_int_not_equal(access("no", F_OK), 0);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(f->pictures, 10 * 7);
}

/* A name must not be taken for markup, for the end of a text or for a command. */
static void bodies_and_cables_may_have_any_name(void **state)
{
    fixture *f = *state;
    char folder[1024];
    f->fake.r.simulation->model.body[0].name = "it's_{a}^\\\"b\"`c`";
    f->fake.r.simulation->model.cable[0].name = "'; set output 'x'; #,%s%d";
    fake_run_results(&f->fake, f->file, 10);
    fake_path(&f->fake, "figures", folder);
    plot(f, folder);
    assert_int_equal(f->pictures, 10);
}

/* Whether a file of the folder has this text. */
static bool has(const char *folder, const char *name, const char *text)
{
    char path[1200];
    static char all[65536];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    all[fread(all, 1, sizeof all - 1, stream)] = '\0';
    (void)fclose(stream);
    return strstr(all, text) != NULL;
}

/* One format in place of two, a width that the height follows, a font, some of the probes. */
static void a_style_is_what_is_drawn(void **state)
{
    static const char *const wanted[] = {"cable.tension_mean"};
    const haw_style style = {
        .format = "pdf", .width = 480.0, .font = "Times,12", .probes = 1, .probe = wanted};
    fixture *f = *state;
    char folder[1024];
    fake_run_results(&f->fake, f->file, 10);
    fake_path(&f->fake, "styled", folder);
    assert_int_equal(haw_report_plot(f->fake.r.context, f->file, folder, &style, check_file, f),
                     HAW_OK);
    assert_int_equal(f->pictures, 0);
    assert_int_equal(f->written, 5 + 5 + 8);
    assert_true(has(folder, "probes.pdf", "%PDF"));
    assert_true(has(folder, "probes.gp", "size 5in,")); /* 480 px at 96 to an inch */
    assert_true(has(folder, "probes.gp", "font 'Times,12'"));
    assert_true(has(folder, "probes.gp", "'cable.tension\\_mean'"));
    assert_false(has(folder, "probes.gp", "disk.position"));
}

/* An instant outside the run, a probe that it does not have. */
static void what_is_not_in_the_run_is_an_error(void **state)
{
    static const char *const wanted[] = {"cable.tension_men"};
    const haw_style style = {.probes = 1, .probe = wanted};
    const haw_instants late = {.count = 2, .t = {0.0, 1.0e3}};
    const haw_style when = {.at = &late};
    fixture *f = *state;
    char folder[1024];
    fake_run_results(&f->fake, f->file, 10);
    fake_path(&f->fake, "none", folder);
    assert_int_equal(haw_report_plot(f->fake.r.context, f->file, folder, &when, NULL, NULL),
                     HAW_ERR_INPUT);
    assert_non_null(strstr(haw_context_message(f->fake.r.context),
                           "time 1000 s is outside the run, which goes from"));
    assert_int_equal(haw_report_plot(f->fake.r.context, f->file, folder, &style, NULL, NULL),
                     HAW_ERR_INPUT);
    assert_non_null(
        strstr(haw_context_message(f->fake.r.context), "did you mean 'cable.tension_mean'"));
}

/* Thousands of units that have them; the label says which. */
static void large_forces_are_in_kilonewtons(void **state)
{
    static const struct {
        double from, to;
        const char *text, *unit, *label;
        double factor;
    } cases[] = {{0.0, 9999.0, "force", "N", "force  [N]", 1.0},
                 {-2e4, 0.0, "force", "N", "force  [kN]", 1e-3},
                 {0.0, 1e5, "", "N/m", "[kN/m]", 1e-3},
                 {0.0, 1e5, "torque", "N m", "torque  [kN m]", 1e-3},
                 {-2e-4, 8e-4, "force", "N", "force  [mN]", 1e3},
                 {0.0, 5e-5, "energy", "J", "energy  [µJ]", 1e6},
                 {0.0, 1e-12, "energy", "J", "energy  [J]", 1.0},
                 {0.0, 0.2, "force", "N", "force  [N]", 1.0},
                 {0.0, 0.01, "length", "m", "length  [m]", 1.0},
                 {0.0, 1e5, "length", "m", "length  [m]", 1.0},
                 {0.0, 1e5, "count", "", "count", 1.0},
                 {INFINITY, -INFINITY, "force", "N", "force  [N]", 1.0}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char label[96];
        const double factor = haw_figure_prefix((haw_interval){cases[i].from, cases[i].to},
                                                cases[i].text, cases[i].unit, label);
        assert_string_equal(label, cases[i].label);
        assert_true(!(factor < cases[i].factor) && !(factor > cases[i].factor));
    }
}

/* Rounding errors about zero, and about a constant, do not fill a panel; small quantities do. */
static void rounding_does_not_fill_a_panel(void **state)
{
    static const struct {
        double from, to;
        const char *range;
    } cases[] = {
        {-1e-34, 2e-34, "set yrange [-1:1]\n"},
        {400.0, 400.0 + 1e-11, "set yrange [360:440]\n"},
        {400.0, 400.003, "set yrange [359.9997:440.0003]\n"}, /* the labels would be equal */
        {400.0, 400.03, "set yrange [*:*]\n"},
        {0.0, 1e-9, "set yrange [*:*]\n"},
        {INFINITY, -INFINITY, "set yrange [-1:1]\n"}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = NULL;
        size_t size = 0;
        haw_text script = {.stream = open_memstream(&text, &size)};
        assert_non_null(script.stream);
        const bool varies = haw_script_range(&script, (haw_interval){cases[i].from, cases[i].to});
        assert_true(varies == (strchr(cases[i].range, '*') != NULL));
        assert_int_equal(fclose(script.stream), 0);
        assert_string_equal(text, cases[i].range);
        free(text);
    }
}

/* One frame, no motion: nothing varies, every range is empty. */
static void a_single_frame_can_be_drawn(void **state)
{
    fixture *f = *state;
    char folder[1024];
    fake_run_results(&f->fake, f->file, 1);
    fake_path(&f->fake, "figures", folder);
    plot(f, folder);
    assert_true(f->pictures >= 6);
}

static haw_status record(void *user, const haw_frame *frame)
{
    return haw_writer_frame(user, frame);
}

static haw_status note(void *user, const haw_event *event)
{
    return haw_writer_event(user, event);
}

static void a_ball_without_cable_gets_three_figures(void **state)
{
    fixture *f = *state;
    haw_context *context = f->fake.r.context;
    haw_body_spec body[2] = {haw_body_spec_default(), haw_body_spec_default()};
    haw_contact_spec contact = haw_contact_spec_default();
    haw_run_settings settings;
    haw_model *model = NULL;
    haw_simulation *simulation = NULL;
    haw_writer *writer = NULL;
    haw_summary summary;
    char folder[1024];
    body[0].name = "ball";
    body[0].shape = "circle";
    body[0].shape_options[0] = 0.1;
    body[0].mass = 1;
    body[0].position[1] = 0.2;
    body[1].name = "floor";
    body[1].shape = "plane";
    body[1].motion = HAW_MOTION_FIXED;
    contact.between[0] = "ball";
    contact.between[1] = "floor";
    contact.depth_limit = 0.1; /* coarse steps do for figures */
    const haw_scene scene = {
        .gravity = {0, -9.81}, .bodies = 2, .body = body, .contacts = 1, .contact = &contact};
    assert_int_equal(haw_run_settings_init(context, &settings), HAW_OK);
    assert_int_equal(haw_stepper_set(context, &settings.stepper, "step", 1e-3), HAW_OK);
    assert_int_equal(haw_stepper_set(context, &settings.stepper, "end", 0.3), HAW_OK);
    settings.every = 1e-2;
    assert_int_equal(haw_model_build(context, &scene, &model), HAW_OK);
    assert_int_equal(haw_simulation_create(context, model, &settings, &simulation), HAW_OK);
    assert_int_equal(haw_writer_open(context, f->file, NULL, model, simulation, &writer), HAW_OK);
    const haw_observer observer = {.frame = record, .event = note, .user = writer};
    assert_int_equal(haw_simulation_run(simulation, &observer, &summary), HAW_OK);
    assert_int_equal(haw_writer_close(writer, &summary), HAW_OK);
    fake_path(&f->fake, "figures", folder);
    plot(f, folder);
    assert_int_equal(f->pictures, 6);
    haw_simulation_free(simulation);
    haw_model_free(model);
}

static void message_has(const fixture *f, haw_status status, const char *words)
{
    assert_int_equal(status, HAW_ERR_IO);
    if (strstr(haw_context_message(f->fake.r.context), words) == NULL) {
        fail_msg("\"%s\" says nothing of \"%s\"", haw_context_message(f->fake.r.context), words);
    }
}

static void a_missing_gnuplot_is_told(void **state)
{
    fixture *f = *state;
    char folder[1024];
    char *path = strdup(getenv("PATH"));
    fake_run_results(&f->fake, f->file, 2);
    fake_path(&f->fake, "figures", folder);
    assert_int_equal(setenv("PATH", f->fake.folder, 1), 0);
    const haw_status status = haw_report_plot(f->fake.r.context, f->file, folder, NULL, NULL, NULL);
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
    message_has(f, status, "cannot run gnuplot: it is not installed");
}

/* gnuplot -d -c NAME.gp FOLDER ENDING is this script from now on. @return PATH as it was */
static char *fake_gnuplot(const fixture *f, const char *script)
{
    char program[1024];
    char *path = strdup(getenv("PATH"));
    fake_path(&f->fake, "gnuplot", program);
    FILE *stream = fopen(program, "w");
    assert_non_null(stream);
    (void)fprintf(stream, "#!/bin/sh\n%s\n", script);
    (void)fclose(stream);
    assert_int_equal(chmod(program, 0755), 0);
    assert_int_equal(setenv("PATH", f->fake.folder, 1), 0);
    return path;
}

static void forget_gnuplot(char *path)
{
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
}

static haw_status plot_by(const fixture *f, const char *script, const char *folder)
{
    char *path = fake_gnuplot(f, script);
    const haw_status status = haw_report_plot(f->fake.r.context, f->file, folder, NULL, NULL, NULL);
    forget_gnuplot(path);
    return status;
}

#define HALF  "n=${3##*/}; cd \"$4\"; echo '<svg></svg>' >${n%.gp}.svg$5; "
#define WHOLE HALF "printf 'IEND\\256B`\\202' >${n%.gp}.png$5"

/* Its last words are passed on. */
static void a_failing_gnuplot_is_quoted(void **state)
{
    fixture *f = *state;
    char folder[1024];
    fake_run_results(&f->fake, f->file, 2);
    fake_path(&f->fake, "figures", folder);
    const haw_status status = plot_by(f, "echo first\necho 'no such terminal' >&2\nexit 1", folder);
    message_has(f, status, "snapshots.gp': no such terminal");
}

/* As on a full disk, which gnuplot does not notice. */
static void a_picture_that_is_not_whole_gets_no_name(void **state)
{
    fixture *f = *state;
    char folder[1024], picture[1100];
    fake_run_results(&f->fake, f->file, 2);
    fake_path(&f->fake, "figures", folder);
    message_has(f, plot_by(f, HALF "printf half >${n%.gp}.png$5", folder),
                "has not written all of");
    (void)snprintf(picture, sizeof picture, "%s/snapshots.png", folder);
    assert_int_not_equal(access(picture, F_OK), 0);
    assert_int_equal(plot_by(f, WHOLE, folder), HAW_OK);
    assert_int_equal(access(picture, F_OK), 0);
}

static void unreadable_results_are_told(void **state)
{
    fixture *f = *state;
    char folder[1024];
    fake_path(&f->fake, "figures", folder);
    message_has(f, haw_report_plot(f->fake.r.context, f->file, folder, NULL, NULL, NULL),
                "no such file or folder");
    fake_run_results(&f->fake, f->file, 0);
    message_has(f, haw_report_plot(f->fake.r.context, f->file, folder, NULL, NULL, NULL),
                "contains no frames");
}

static haw_status plot_once(haw_context *context, void *user)
{
    const fixture *f = user;
    char folder[1024];
    fake_path(&f->fake, "figures", folder);
    return haw_report_plot(context, f->file, folder, NULL, NULL, NULL);
}

/* A damaged file may hold any number; what is infinitely wide has no rows and columns. */
static void positions_without_a_scale_are_told(void **state)
{
    static double x[4000][3];
    fixture *f = *state;
    char folder[1024];
    fake_run_results(&f->fake, f->file, 3);
    fake_path(&f->fake, "figures", folder);
    const hid_t file = H5Fopen(f->file, H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t points = H5Dopen2(file, "/VTKHDF/Points", H5P_DEFAULT);
    assert_in_range(H5Dget_storage_size(points), 1, sizeof x);
    for (int i = 0; i < 4000; i++) {
        x[i][0] = i % 2 == 0 ? -1.7e308 : 1.7e308;
    }
    assert_true(H5Dwrite(points, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
    (void)H5Dclose(points);
    (void)H5Fclose(file);
    const haw_status status =
        haw_report_plot(f->fake.r.context, f->file, folder, NULL, check_file, f);
    message_has(f, status, "its positions are inf m apart");
}

/* With a gnuplot that draws nothing: the many runs are about memory only. */
static void running_out_of_memory_is_told_and_leaks_nothing(void **state)
{
    fixture *f = *state;
    fake_run_results(&f->fake, f->file, 3);
    char *path = fake_gnuplot(f, WHOLE);
    const long calls = failing_loop(plot_once, f);
    forget_gnuplot(path);
    assert_true(calls > 10);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

TEST_FILE(test_report)
{
    const struct CMUnitTest tests[] = {
        TEST(a_scene_gets_five_figures_in_two_formats),
        TEST(folders_may_have_any_name),
        TEST(bodies_and_cables_may_have_any_name),
        TEST(a_style_is_what_is_drawn),
        TEST(what_is_not_in_the_run_is_an_error),
        TEST(large_forces_are_in_kilonewtons),
        TEST(rounding_does_not_fill_a_panel),
        TEST(a_single_frame_can_be_drawn),
        TEST(a_ball_without_cable_gets_three_figures),
        TEST(a_missing_gnuplot_is_told),
        TEST(a_failing_gnuplot_is_quoted),
        TEST(a_picture_that_is_not_whole_gets_no_name),
        TEST(unreadable_results_are_told),
        TEST(positions_without_a_scale_are_told),
        TEST(running_out_of_memory_is_told_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
