/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser export: what the CSV and VTK files say, and what is said when they cannot be written. */
#include "io/json_tree.h"
#include "io/results.h"
#include "model/model.h"
#include "report/figure.h"
#include "support/csv.h"
#include "support/failing.h"
#include "support/fake_run.h"

#include <hdf5.h>
#include <locale.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FRAMES = 5 };

typedef struct fixture {
    fake_run fake;
    char file[1024], folder[1024];
} fixture;

static int setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    disk_case_init(&f->fake.disk);
    fake_run_open(&f->fake);
    fake_path(&f->fake, "run.h5", f->file);
    fake_path(&f->fake, "out", f->folder);
    fake_run_results(&f->fake, f->file, FRAMES);
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

static void export_csv(const fixture *f)
{
    if (haw_export_csv(f->fake.r.context, f->file, f->folder) != HAW_OK) {
        fail_msg("%s", haw_context_message(f->fake.r.context));
    }
}

static csv_table table(const fixture *f, const char *name)
{
    char path[1100];
    csv_table made;
    (void)snprintf(path, sizeof path, "%s/%s", f->folder, name);
    csv_read(path, &made);
    return made;
}

static void histories_have_named_columns_and_all_digits(void **state)
{
    fixture *f = *state;
    export_csv(f);
    csv_table histories = table(f, "histories.csv");
    csv_table energy = table(f, "energy.csv");
    csv_table solver = table(f, "solver.csv");
    csv_table probes = table(f, "probes.csv");
    assert_int_equal(histories.rows, FRAMES);
    int of_disk = 0; /* what the figures count on */
    for (const char *at = histories.header; (at = strstr(at, ",disk.")) != NULL; at++) {
        of_disk++;
    }
    assert_int_equal(of_disk, HAW_HISTORY_BODY_COLUMNS);
    for (int i = 0; i < FRAMES; i++) {
        const haw_frame *frame = fake_run_frame(&f->fake, i);
        assert_near(csv_at(&histories, i, csv_column(&histories, "t[s]")), frame->t, 0, 0);
        assert_near(csv_at(&histories, i, csv_column(&histories, "disk.velocity_y[m/s]")),
                    frame->state->u[1], 0, 0);
        assert_near(csv_at(&histories, i, csv_column(&histories, "disk.torque[N m]")),
                    frame->torque[0], 0, 0);
        assert_near(csv_at(&histories, i, csv_column(&histories, "cable-disk.tangential_sum[N]")),
                    frame->pair->tangential_sum, 0, 0);
        assert_near(csv_at(&energy, i, csv_column(&energy, "gravity[J]")), frame->ledger->gravity,
                    0, 0);
        assert_near(csv_at(&solver, i, csv_column(&solver, "contacts_max[1]")), 7 * i, 0, 0);
        assert_near(csv_at(&probes, i, csv_column(&probes, "disk.position_y[m]")), frame->probe[1],
                    0, 0);
    }
    csv_free(&histories);
    csv_free(&energy);
    csv_free(&solver);
    csv_free(&probes);
}

static void each_pair_has_its_table(void **state)
{
    fixture *f = *state;
    export_csv(f);
    csv_table contact = table(f, "contact-cable-disk.csv");
    for (int i = 0; i < FRAMES; i++) {
        const haw_pair_frame *pair = fake_run_frame(&f->fake, i)->pair;
        assert_near(csv_at(&contact, i, csv_column(&contact, "force_y[N]")), pair->force[1], 0, 0);
        assert_near(csv_at(&contact, i, csv_column(&contact, "impulse_angular[N m s]")),
                    pair->impulse[5], 0, 0);
        assert_near(csv_at(&contact, i, csv_column(&contact, "moment[N m]")), pair->moment[2], 0,
                    0);
        assert_near(csv_at(&contact, i, csv_column(&contact, "wrap_angle[rad]")), pair->wrap_angle,
                    0, 0);
        assert_near(csv_at(&contact, i, csv_column(&contact, "sticking[1]")), pair->sticking, 0, 0);
    }
    csv_free(&contact);
}

/* As fake_run_frame has them; the last sample is the pinned end, which has no contact point. */
static const double states[4] = {HAW_POINT_OPEN, HAW_POINT_BACKWARD, HAW_POINT_STICK,
                                 HAW_POINT_FORWARD};

static void profiles_list_every_sample_of_every_frame(void **state)
{
    fixture *f = *state;
    const int n = haw_cable_sample_count(f->fake.r.model, 0);
    export_csv(f);
    csv_table profile = table(f, "profile-cable.csv");
    haw_results *results = NULL;
    double *tension = calloc((size_t)n, sizeof *tension);
    assert_int_equal(profile.rows, FRAMES * n);
    assert_int_equal(profile.columns, 13);
    assert_int_equal(haw_results_open(f->fake.r.context, f->file, &results), HAW_OK);
    assert_int_equal(haw_results_profile(results, "cable", "tension", 3, n, tension), HAW_OK);
    for (int j = 0; j < n; j++) {
        const int row = 3 * n + j;
        assert_near(csv_at(&profile, row, csv_column(&profile, "frame")), 3, 0, 0);
        assert_near(csv_at(&profile, row, csv_column(&profile, "tension[N]")), tension[j], 0, 0);
        const double point_state = csv_at(&profile, row, csv_column(&profile, "state[1]"));
        assert_near(point_state, states[j < n - 1 ? (3 + j) % 4 : 0], 0, 0);
        assert_true(isnan(csv_at(&profile, row, csv_column(&profile, "gap[m]"))) ==
                    (point_state == HAW_POINT_OPEN));
    }
    haw_results_close(results);
    free(tension);
    csv_free(&profile);
}

static double contact_at(const csv_table *table, int row, const char *column)
{
    return csv_at(table, row, csv_column(table, column));
}

/* Rows of the last frame: stresses over the length of a point, kinematics of a rigid surface. */
static void the_contact_profile_is_that_of_the_last_frame(void **state)
{
    fixture *f = *state;
    const haw_model *model = f->fake.r.model;
    const haw_line *line = &model->cable[0].line;
    export_csv(f);
    csv_table profile = table(f, "contact-profile-cable-disk.csv");
    const haw_frame *frame = fake_run_frame(&f->fake, FRAMES - 1);
    const double *q = frame->state->q, *u = frame->state->u;
    assert_int_equal(profile.rows, model->pair[0].points);
    assert_int_equal(profile.columns, 12);
    for (int k = 0; k < profile.rows; k++) {
        double x[2], v[2] = {0, 0}, j[2 * HAW_ELEMENT_DOFS_MAX];
        haw_axial axial;
        const int e = k / 8, is_open = states[(FRAMES - 1 + k) % 4] == HAW_POINT_OPEN;
        line->ops->position(line, e, (k % 8) / 8.0, q + 3, x, j);
        line->ops->axial(line, e, (k % 8) / 8.0, q + 3, NULL, &axial);
        for (int a = 0; a < 2 * line->ops->dofs; a++) {
            v[a / line->ops->dofs] += j[a] * u[3 + line->ops->stride * e + a % line->ops->dofs];
        }
        const double r[2] = {x[0] - q[0], x[1] - q[1]}, size = hypot(r[0], r[1]);
        const double n[2] = {r[0] / size, r[1] / size}, piece = line->le / 8 * (k == 0 ? 0.5 : 1);
        const double slip = n[1] * (v[0] - u[0]) - n[0] * (v[1] - u[1]) + 0.1 * u[2];
        assert_near(contact_at(&profile, k, "xi[m]"), k * line->le / 8, 1e-14, 0);
        assert_near(contact_at(&profile, k, "x[m]"), x[0], 1e-15, 0);
        assert_near(contact_at(&profile, k, "y[m]"), x[1], 1e-15, 0);
        assert_near(contact_at(&profile, k, "angle[rad]"), atan2(r[1], r[0]), 1e-14, 0);
        assert_near(contact_at(&profile, k, "normal_stress[N/m]") * piece,
                    frame->point_force[2 * k], 0, 1e-14);
        assert_near(contact_at(&profile, k, "tangential_stress[N/m]") * piece,
                    frame->point_force[2 * k + 1], 0, 1e-14);
        assert_near(contact_at(&profile, k, "state[1]"), frame->point_state[k], 0, 0);
        assert_true(isnan(contact_at(&profile, k, "gap[m]")) == is_open);
        assert_near(contact_at(&profile, k, "speed[m/s]"),
                    v[0] * axial.tangent[0] + v[1] * axial.tangent[1], 1e-12, 1e-12);
        assert_near(contact_at(&profile, k, "slip[m/s]"), slip, 1e-11, 1e-12);
        if (k % 4 == 0) { /* a sample of the axial force */
            assert_near(contact_at(&profile, k, "tension[N]"), axial.tension, 1e-11, 0);
            assert_near(contact_at(&profile, k, "strain[1]"), axial.strain, 1e-15, 0);
        }
    }
    csv_free(&profile);
}

/* The file of a run that was killed: everything but what is written at its end. */
static void a_run_without_an_end_has_no_contact_profile(void **state)
{
    fixture *f = *state;
    char path[1200];
    haw_results *results = NULL;
    fake_run_results(&f->fake, f->file, 2);
    const hid_t file = H5Fopen(f->file, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Ldelete(file, "/hawser/contacts/cable-disk/profile", H5P_DEFAULT) >= 0);
    H5Fclose(file);
    assert_int_equal(haw_results_open(f->fake.r.context, f->file, &results), HAW_OK);
    assert_true(haw_results_has(results, "/hawser/contacts/cable-disk/closed"));
    assert_false(haw_results_has(results, "/hawser/contacts/cable-disk/profile"));
    haw_results_close(results);
    assert_int_equal(haw_export_csv(f->fake.r.context, f->file, f->folder), HAW_OK);
    (void)snprintf(path, sizeof path, "%s/contact-profile-cable-disk.csv", f->folder);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* The file of an earlier version, whose steps tell less. */
static void older_files_have_fewer_columns(void **state)
{
    fixture *f = *state;
    fake_run_results(&f->fake, f->file, 2);
    const hid_t file = H5Fopen(f->file, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Ldelete(file, "/hawser/solver/penetration_points_max", H5P_DEFAULT) >= 0);
    assert_true(H5Ldelete(file, "/hawser/energy/balance_drift", H5P_DEFAULT) >= 0);
    H5Fclose(file);
    assert_int_equal(haw_export_csv(f->fake.r.context, f->file, f->folder), HAW_OK);
    csv_table solver = table(f, "solver.csv"), energy = table(f, "energy.csv");
    assert_non_null(strstr(solver.header, "penetration_max[m]"));
    assert_null(strstr(solver.header, "penetration_points_max[m]"));
    assert_null(strstr(energy.header, "balance_drift[J]"));
    csv_free(&solver);
    csv_free(&energy);
}

/* Rows without numbers: a value for each of them would be looked for beyond what was read. */
static void rows_of_nothing_are_damage(void **state)
{
    fixture *f = *state;
    const hsize_t size[2] = {FRAMES, 0};
    haw_results *results = NULL;
    fake_run_results(&f->fake, f->file, FRAMES);
    const hid_t file = H5Fopen(f->file, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Ldelete(file, "/hawser/energy/t", H5P_DEFAULT) >= 0);
    const hid_t space = H5Screate_simple(2, size, NULL);
    const hid_t set = H5Dcreate2(file, "/hawser/energy/t", H5T_IEEE_F64LE, space, H5P_DEFAULT,
                                 H5P_DEFAULT, H5P_DEFAULT);
    assert_true(set >= 0);
    (void)H5Dclose(set);
    (void)H5Sclose(space);
    (void)H5Fclose(file);
    assert_int_equal(haw_results_open(f->fake.r.context, f->file, &results), HAW_ERR_IO);
    assert_non_null(strstr(haw_context_message(f->fake.r.context), "/hawser/energy/t"));
}

static void read_all(const fixture *f, const char *name, char *text, size_t bytes)
{
    char path[1100];
    (void)snprintf(path, sizeof path, "%s/%s", f->folder, name);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    text[fread(text, 1, bytes - 1, stream)] = '\0';
    (void)fclose(stream);
}

static void events_are_told_in_words(void **state)
{
    fixture *f = *state;
    char text[1024];
    export_csv(f);
    read_all(f, "events.csv", text, sizeof text);
    assert_string_equal(text, "t[s],contact,event,value\n"
                              "0.0025000000000000001,cable-disk,first contact,0\n"
                              "0.0035000000000000001,cable-disk,slip,1\n"
                              "0.0085000000000000006,cable-disk,separation,0.25\n"
                              "0.0094999999999999998,cable-disk,stick,0\n");
}

static int count(const char *text, const char *word)
{
    int found = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
        found++;
    }
    return found;
}

static void vtk_files_are_one_per_frame_and_listed(void **state)
{
    fixture *f = *state;
    static char text[400000];
    char points[64];
    assert_int_equal(haw_export_vtp(f->fake.r.context, f->file, f->folder), HAW_OK);
    read_all(f, "lines.pvd", text, sizeof text);
    assert_int_equal(count(text, "<DataSet timestep="), FRAMES);
    assert_non_null(strstr(text, "file=\"lines-00004.vtp\""));
    read_all(f, "lines-00004.vtp", text, sizeof text);
    const int n = haw_cable_sample_count(f->fake.r.model, 0) + 66; /* centre and closed circle */
    (void)snprintf(points, sizeof points, "NumberOfPoints=\"%d\"", n);
    assert_non_null(strstr(text, points));
    assert_non_null(strstr(text, "NumberOfLines=\"2\""));
    assert_non_null(strstr(text, "NumberOfPolys=\"1\""));
    assert_int_equal(count(text, "<DataArray "), count(text, "</DataArray>"));
    assert_int_equal(count(text, "<DataArray "),
                     8 + 2 + 1 + 2 + 2); /* points, cells, places, ends */
    assert_int_equal(count(text, "nan"), 0);
    const char *array = strstr(text, "Name=\"Points\"");
    assert_non_null(array);
    array = strchr(array, '\n');
    double first[3];
    assert_int_equal(sscanf(array, "%lf %lf %lf", &first[0], &first[1], &first[2]), 3); /* NOLINT */
    assert_near(first[0], 0, 1e-2, 0);
    assert_near(first[2], 0, 0, 0);
}

static void message_has(const fixture *f, haw_status status, const char *words)
{
    assert_int_equal(status, HAW_ERR_IO);
    if (strstr(haw_context_message(f->fake.r.context), words) == NULL) {
        fail_msg("\"%s\" says nothing of \"%s\"", haw_context_message(f->fake.r.context), words);
    }
}

static void folders_that_cannot_be_made_are_named(void **state)
{
    fixture *f = *state;
    char nested[1100];
    (void)snprintf(nested, sizeof nested, "%s/a/b", f->fake.folder);
    message_has(f, haw_export_csv(f->fake.r.context, f->file, nested), "no such file or folder");
    message_has(f, haw_export_csv(f->fake.r.context, f->file, f->file),
                "a file of this name exists");
    message_has(f, haw_export_vtp(f->fake.r.context, "/nowhere.h5", f->folder),
                "cannot read '/nowhere.h5': no such file or folder");
    assert_int_not_equal(access(f->folder, F_OK), 0); /* nothing made for nothing */
}

static void a_full_disk_is_told(void **state)
{
    fixture *f = *state;
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {20000, 20000};
        (void)signal(SIGXFSZ, SIG_IGN);
        (void)setrlimit(RLIMIT_FSIZE, &limit);
        const haw_status status = haw_export_csv(f->fake.r.context, f->file, f->folder);
        _exit(status == HAW_ERR_IO && strstr(haw_context_message(f->fake.r.context),
                                             "profile-cable.csv': no space left") != NULL
                  ? 42
                  : 1);
    }
    int result = 0;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFEXITED(result));
    assert_int_equal(WEXITSTATUS(result), 42);
}

/* An attribute or, where the key is NULL, a dataset of so many values in the place of a single one.
 */
static void plant(const fixture *f, const char *name, const char *key, hid_t type, int count,
                  const void *value)
{
    const hsize_t size = (hsize_t)count;
    const hid_t file = H5Fopen(f->file, H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(1, &size, NULL);
    if (key != NULL) {
        assert_true(H5Adelete_by_name(file, name, key, H5P_DEFAULT) >= 0);
        const hid_t id =
            H5Acreate_by_name(file, name, key, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(H5Awrite(id, type, value) >= 0);
        (void)H5Aclose(id);
    } else {
        assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
        const hid_t id = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
        (void)H5Dclose(id);
    }
    (void)H5Sclose(space);
    (void)H5Fclose(file);
}

static void check_text(const fixture *f, hid_t type, int count, const void *value)
{
    haw_results *results = NULL;
    char *text = NULL;
    plant(f, "/hawser/resolved", NULL, type, count, value);
    assert_int_equal(haw_results_open(f->fake.r.context, f->file, &results), HAW_OK);
    message_has(f, haw_results_text(results, "/hawser/resolved", &text),
                "'/hawser/resolved' is missing or damaged");
    haw_results_close(results);
}

/* HDF5 writes all values that there are, and of a text of variable length its address. */
static void many_values_in_the_place_of_one_are_damage(void **state)
{
    enum { MANY = 40, BYTES = 60 };

    static const char texts[MANY * BYTES] = "m";
    static const char *const pointed[] = {"text"};
    const fixture *f = *state;
    long steps[MANY];
    for (int i = 0; i < MANY; i++) {
        steps[i] = FRAMES - 2;
    }
    const hid_t type = H5Tcopy(H5T_C_S1), variable = H5Tcopy(H5T_C_S1);
    (void)H5Tset_size(type, BYTES);
    (void)H5Tset_size(variable, H5T_VARIABLE);
    check_text(f, type, MANY, texts);
    check_text(f, variable, 1, pointed);
    haw_results *results = NULL;
    plant(f, "/VTKHDF/Steps", "NSteps", H5T_NATIVE_LONG, MANY, steps);
    assert_int_equal(haw_results_open(f->fake.r.context, f->file, &results), HAW_OK);
    assert_int_equal(results->frames, FRAMES); /* as if it were missing */
    haw_results_close(results);
    char *page = NULL;
    size_t bytes = 0;
    plant(f, "/hawser/options", "version", type, MANY, texts);
    assert_int_equal(haw_results_open(f->fake.r.context, f->file, &results), HAW_OK);
    haw_json json = {.out = open_memstream(&page, &bytes), .first = true, .compact = true};
    (void)(haw_json_put_results(results, "hawser", &json) == HAW_OK);
    assert_int_equal(fclose(json.out), 0);
    haw_results_close(results);
    assert_non_null(strstr(page, "\"version\":null"));
    free(page);
    plant(f, "/hawser/energy/kinetic", "unit", type, MANY, texts);
    message_has(f, haw_export_csv(f->fake.r.context, f->file, f->folder),
                "'/hawser/energy/kinetic' is missing or damaged");
    (void)H5Tclose(variable);
    (void)H5Tclose(type);
}

/* Read by HDF5, the first would go round until the stack ends, and the second for as long as it is
 * let. */
static void numbers_that_are_not_in_the_file_are_damage(void **state)
{
    static const char name[] = "/hawser/energy/kinetic";
    const fixture *f = *state;
    for (int is_view = 0; is_view < 2; is_view++) {
        const hsize_t size = FRAMES;
        const hid_t file = H5Fopen(f->file, H5F_ACC_RDWR, H5P_DEFAULT);
        const hid_t space = H5Screate_simple(1, &size, NULL),
                    create = H5Pcreate(H5P_DATASET_CREATE);
        assert_true((is_view
                         ? H5Pset_virtual(create, space, ".", name, space)
                         : H5Pset_external(create, "/dev/zero", 0, size * sizeof(double))) >= 0);
        assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
        const hid_t id =
            H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, create, H5P_DEFAULT);
        assert_true(id >= 0);
        (void)H5Dclose(id);
        (void)H5Pclose(create);
        (void)H5Sclose(space);
        (void)H5Fclose(file);
        message_has(f, haw_export_csv(f->fake.r.context, f->file, f->folder),
                    "'/hawser/energy/kinetic' is missing or damaged");
    }
}

static haw_status export_both(haw_context *context, void *user)
{
    const fixture *f = user;
    HAW_TRY(haw_export_csv(context, f->file, f->folder));
    return haw_export_vtp(context, f->file, f->folder);
}

static void running_out_of_memory_is_told_and_leaks_nothing(void **state)
{
    assert_true(failing_loop(export_both, *state) > 10);
}

static void numbers_keep_their_point_in_every_language(void **state)
{
    fixture *f = *state;
    char text[4096];
    /* A machine may have none that writes a comma; the last one it has. */
    static const char *const languages[] = {"de_DE.UTF-8", "de_DE.utf8",  "fr_FR.UTF-8",
                                            "pl_PL.UTF-8", "ru_RU.UTF-8", "C"};
    for (int i = 0; setlocale(LC_NUMERIC, languages[i]) == NULL; i++) {
    }
    export_csv(f);
    (void)setlocale(LC_NUMERIC, "C");
    read_all(f, "energy.csv", text, sizeof text);
    csv_table energy = table(f, "energy.csv");
    assert_near(csv_at(&energy, 1, 0), 1e-3, 0, 0);
    csv_free(&energy);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

TEST_FILE(test_export)
{
    const struct CMUnitTest tests[] = {
        TEST(histories_have_named_columns_and_all_digits),
        TEST(each_pair_has_its_table),
        TEST(profiles_list_every_sample_of_every_frame),
        TEST(the_contact_profile_is_that_of_the_last_frame),
        TEST(a_run_without_an_end_has_no_contact_profile),
        TEST(older_files_have_fewer_columns),
        TEST(rows_of_nothing_are_damage),
        TEST(events_are_told_in_words),
        TEST(vtk_files_are_one_per_frame_and_listed),
        TEST(folders_that_cannot_be_made_are_named),
        TEST(a_full_disk_is_told),
        TEST(many_values_in_the_place_of_one_are_damage),
        TEST(numbers_that_are_not_in_the_file_are_damage),
        TEST(running_out_of_memory_is_told_and_leaks_nothing),
        TEST(numbers_keep_their_point_in_every_language),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
