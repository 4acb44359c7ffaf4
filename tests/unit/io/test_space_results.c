/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of a spatial run: what the file, its exports and its figures say. */
#include "base/lie.h"
#include "io/results.h"
#include "io/writer.h"
#include "report/figure.h"
#include "report/report.h"
#include "support/csv.h"
#include "support/scenario.h"
#include "support/scratch.h"
#include "support/space_run.h"

#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FRAMES = 12 };

typedef struct fixture {
    space_run run;
    char folder[SCRATCH_PATH], file[SCRATCH_PATH + 8];
    /* of the last frame */
    double q[7 * 27], u[6 * 27];
    haw_pair_frame pair;
    int listed; /* files of hawser plot */
} fixture;

static const haw_probe_spec probe_names[] = {
    {"yarn.position"}, {"drum.orientation"}, {"contact.slip_front"}, {"contact.impulse"}};

/* Frames of one step each, so that mean forces are those of the last step. */
static void write_run(fixture *f)
{
    space_run *run = &f->run;
    haw_writer *writer = NULL;
    assert_int_equal(
        haw_writer_open(run->context, f->file, run->scenario, run->model, run->simulation, &writer),
        HAW_OK);
    for (int i = 0; i < FRAMES; i++) {
        const haw_frame *frame = haw_simulation_frame(run->simulation);
        assert_int_equal(haw_writer_frame(writer, frame), HAW_OK);
        memcpy(f->q, run->state->q, (size_t)run->state->coordinates * sizeof *f->q);
        memcpy(f->u, run->state->u, (size_t)run->state->dofs * sizeof *f->u);
        f->pair = frame->pair[0];
        if (i + 1 < FRAMES) {
            space_run_step(run);
        }
    }
    assert_int_equal(haw_writer_close(writer, NULL), HAW_OK);
}

static int setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    if (f == NULL) {
        return -1;
    }
    scratch_make(f->folder);
    (void)snprintf(f->file, sizeof f->file, "%s/run.h5", f->folder);
    space_run_read(&f->run, 0, NULL);
    f->run.settings.probes = 4;
    f->run.settings.probe = probe_names;
    space_run_start(&f->run);
    while (f->run.state->t < 2.5) {
        space_run_step(&f->run);
    }
    (void)haw_simulation_frame(f->run.simulation);
    space_run_step(&f->run);
    write_run(f);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    scratch_remove(f->folder);
    space_run_close(&f->run);
    free(f);
    return 0;
}

static haw_results *open_results(const fixture *f)
{
    haw_results *results = NULL;
    if (haw_results_open(f->run.context, f->file, &results) != HAW_OK) {
        fail_msg("%s", haw_context_message(f->run.context));
    }
    return results;
}

static haw_array history(haw_results *results, const char *group, const char *name,
                         const char *column)
{
    haw_array array = {0};
    if (haw_results_column(results, group, name, column, 0, &array) != HAW_OK) {
        fail_msg("no %s/%s", group, column);
    }
    return array;
}

static void assert_row(const haw_array *array, int row, int count, const double *want)
{
    assert_int_equal(array->components, count);
    for (int k = 0; k < count; k++) {
        assert_near(array->value[row * count + k], want[k], 0, 0);
    }
}

static void bodies_have_histories_in_space(void **state)
{
    fixture *f = *state;
    haw_results *results = open_results(f);
    assert_int_equal(results->dimension, 3);
    const haw_array position = history(results, "bodies", "drum", "position");
    const haw_array orientation = history(results, "bodies", "drum", "orientation");
    const haw_array velocity = history(results, "bodies", "drum", "velocity");
    const haw_array angular = history(results, "bodies", "drum", "angular_velocity");
    const haw_array spin = history(results, "bodies", "drum", "spin");
    const haw_array impulse = history(results, "contacts", "yarn-drum", "impulse");
    double rate[3];
    quaternion_rotate(f->q + 3, f->u + 3, rate);
    assert_row(&position, FRAMES - 1, 3, f->q);
    assert_row(&orientation, FRAMES - 1, 4, f->q + 3);
    assert_row(&velocity, FRAMES - 1, 3, f->u);
    assert_row(&angular, FRAMES - 1, 3, rate);
    assert_row(&spin, FRAMES - 1, 1, f->u + 5);
    assert_row(&impulse, FRAMES - 1, 6, f->pair.impulse);
    assert_string_equal(impulse.unit, "N s, N s, N s, N m s, N m s, N m s");
    haw_results_close(results);
}

/* Samples of the profile at the nodes are the nodes; the view of the group says the same. */
static void profiles_have_three_coordinates(void **state)
{
    static const char *const axis[3] = {"x", "y", "z"};
    fixture *f = *state;
    haw_results *results = open_results(f);
    const haw_cable *cable = &f->run.simulation->model.cable[0];
    const int n = haw_cable_sample_count(&f->run.simulation->model, 0);
    const int samples = haw_cable_samples(&f->run.simulation->model, 0);
    double *value = calloc((size_t)n, sizeof *value);
    double *all = calloc((size_t)FRAMES * (size_t)n, sizeof *all);
    assert_non_null(value);
    assert_non_null(all);
    for (int k = 0; k < 3; k++) {
        char view[64];
        assert_int_equal(haw_results_profile(results, "yarn", axis[k], FRAMES - 1, n, value),
                         HAW_OK);
        for (int node = 0; node <= cable->beam.elements; node++) {
            assert_near(value[samples * node], f->q[cable->first_q + 7 * node + k], 1e-14, 0);
        }
        (void)snprintf(view, sizeof view, "/hawser/cables/yarn/%s", axis[k]);
        const hid_t set = H5Dopen2(results->id, view, H5P_DEFAULT); /* for other programs */
        const hid_t space = H5Dget_space(set);
        assert_int_equal(H5Sget_simple_extent_npoints(space), FRAMES * n);
        assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0);
        assert_memory_equal(all + (size_t)(FRAMES - 1) * (size_t)n, value,
                            (size_t)n * sizeof *value);
        (void)H5Sclose(space);
        (void)H5Dclose(set);
    }
    free(all);
    free(value);
    haw_results_close(results);
}

/* Line loads times the lengths of the samples are what the body does to the yarn. */
static void contact_forces_are_vectors_with_the_right_sum(void **state)
{
    static const char *const names[3] = {"contact_force_x", "contact_force_y", "contact_force_z"};
    fixture *f = *state;
    haw_results *results = open_results(f);
    const int n = haw_cable_sample_count(&f->run.simulation->model, 0);
    double *value = calloc((size_t)n, sizeof *value), normal = 0;
    const double length = 2.0 / (n - 1) / (1 + 10 / 282743.34);
    assert_non_null(value);
    for (int k = 0; k < 3; k++) {
        double sum = 0;
        assert_int_equal(haw_results_profile(results, "yarn", names[k], FRAMES - 1, n, value),
                         HAW_OK);
        for (int i = 0; i < n; i++) {
            sum += value[i] * length * (i == 0 || i == n - 1 ? 0.5 : 1.0);
        }
        /* Shown along the normals at the end of the step, which lean by half the angle that the
         * drum turns in it against the mean ones of the forces on the body. */
        assert_near(sum, -f->pair.force[k], 1e-5, 0);
    }
    assert_int_equal(haw_results_profile(results, "yarn", "contact_normal", FRAMES - 1, n, value),
                     HAW_OK);
    for (int i = 0; i < n; i++) {
        normal += value[i] * length * (i == 0 || i == n - 1 ? 0.5 : 1.0);
    }
    assert_near(normal, f->pair.normal_sum, 1e-9, 0);
    assert_true(normal > 5);
    free(value);
    haw_results_close(results);
}

/* The drum: radius 0.4 and 1.2 long. Its wire lies on it and turns with it. */
/* The drum as quadrangles: 32 plane strips on a cylinder of radius 0.4 and length 1.2; a line and a
 * surface of the body beside the line of the cable. */
static void bodies_are_surfaces_beside_cables(void **state)
{
    fixture *f = *state;
    haw_results *results = open_results(f);
    haw_array corners, offsets, points, kind, part, time, energy;
    assert_int_equal(haw_results_array(results, &points, "/VTKHDF/Points"), HAW_OK);
    assert_int_equal(haw_results_array(results, &corners, "/VTKHDF/Polygons/Connectivity"), HAW_OK);
    assert_int_equal(haw_results_array(results, &offsets, "/VTKHDF/Polygons/Offsets"), HAW_OK);
    assert_int_equal(haw_results_array(results, &kind, "/VTKHDF/CellData/kind"), HAW_OK);
    assert_int_equal(haw_results_array(results, &part, "/VTKHDF/CellData/part"), HAW_OK);
    double area = 0;
    for (int i = 0; i + 1 < offsets.rows; i++) {
        double side[2][3], normal[3];
        assert_int_equal((int)(offsets.value[i + 1] - offsets.value[i]), 4);
        for (int k = 0; k < 6; k++) {
            const int at = (int)offsets.value[i];
            const double *from = points.value + 3 * (int)corners.value[at];
            const double *to = points.value + 3 * (int)corners.value[at + 1 + 2 * (k / 3)];
            side[k / 3][k % 3] = to[k % 3] - from[k % 3];
        }
        vec3_cross(side[0], side[1], normal);
        area += vec3_norm(normal);
    }
    assert_near(area, 64 * 0.4 * sin(3.14159265358979323846 / 32) * 1.2, 1e-12, 0);
    assert_int_equal(kind.rows, 2 + offsets.rows - 1);
    for (int i = 0; i < kind.rows; i++) {
        assert_true(kind.value[i] == (i > 0) && part.value[i] == (i > 0));
    }
    assert_int_equal(haw_results_column(results, "bodies", "drum", "t", 0, &time), HAW_OK);
    assert_int_equal(haw_results_column(results, "energy", NULL, "t", 0, &energy), HAW_OK);
    assert_memory_equal(time.value, energy.value, (size_t)time.rows * sizeof(double));
    haw_results_close(results);
}

static void bodies_are_drawn_as_wires_on_their_surfaces(void **state)
{
    fixture *f = *state;
    haw_results *results = open_results(f);
    haw_array offsets, points;
    assert_int_equal(haw_results_array(results, &offsets, "/VTKHDF/Lines/Offsets"), HAW_OK);
    assert_int_equal(haw_results_array(results, &points, "/VTKHDF/Points"), HAW_OK);
    assert_int_equal(offsets.rows, 3); /* the yarn and the drum */
    const int from = (int)offsets.value[1], to = (int)offsets.value[2];
    const double *p = points.value + (ptrdiff_t)3 * (points.rows - to + from);
    double low = 1, high = -1;
    for (int i = 0; i < to - from; i++) {
        assert_near(hypot(p[3 * i], p[3 * i + 1]), 0.4, 1e-14, 0);
        low = fmin(low, p[3 * i + 2]);
        high = fmax(high, p[3 * i + 2]);
    }
    assert_near(low, -0.6, 1e-15, 0);
    assert_near(high, 0.6, 1e-15, 0);
    assert_near(atan2(p[1], p[0]), remainder(2 * atan2(f->q[6], f->q[3]), 6.283185307179586), 1e-12,
                0);
    haw_results_close(results);
}

/* A sharp box, a ring and a plane, all about the origin. */
static const char solids[] =
    "hawser: 1\ndimension: 3\nbodies:\n"
    "  - {name: block, shape: {type: box, length: 0.3, width: 0.2, height: 0.1}, mass: 1}\n"
    "  - {name: ring, shape: {type: torus, radius: 0.5, tube_radius: 0.05}, mass: 1}\n"
    "  - {name: table, shape: {type: plane}, motion: {fixed: true}}\n"
    "stepper: {type: moreau, step: 1.0e-3, end: 0.01}\n";

static void write_solids(fixture *f)
{
    scenario_run run;
    haw_writer *writer = NULL;
    scenario_init(&run, "solids");
    run.text = solids;
    scenario_open(&run);
    assert_int_equal(
        haw_writer_open(run.context, f->file, run.scenario, run.model, run.simulation, &writer),
        HAW_OK);
    assert_int_equal(haw_writer_frame(writer, haw_simulation_frame(run.simulation)), HAW_OK);
    assert_int_equal(haw_writer_close(writer, NULL), HAW_OK);
    scenario_close(&run);
}

/* Volume within the polygons of a part, by the divergence of x / 3: that of its outside where all
 * of them go round alike. */
static double volume_of(const haw_array *points, const haw_array *offsets, const haw_array *corners,
                        const haw_array *part, int lines, int wanted)
{
    double sum = 0;
    for (int i = 0; i + 1 < offsets->rows; i++) {
        const double *at[3];
        for (int k = (int)offsets->value[i] + 2; k < (int)offsets->value[i + 1]; k++) {
            double normal[3];
            at[0] = points->value + 3 * (int)corners->value[(int)offsets->value[i]];
            at[1] = points->value + 3 * (int)corners->value[k - 1];
            at[2] = points->value + 3 * (int)corners->value[k];
            vec3_cross(at[1], at[2], normal);
            sum += part->value[lines + i] == wanted ? vec3_dot(at[0], normal) / 6 : 0;
        }
    }
    return sum;
}

static void surfaces_go_round_alike_and_planes_are_as_large_as_the_scene(void **state)
{
    fixture *f = *state;
    haw_array corners, offsets, lines, points, part;
    write_solids(f);
    haw_results *results = open_results(f);
    assert_int_equal(haw_results_array(results, &points, "/VTKHDF/Points"), HAW_OK);
    assert_int_equal(haw_results_array(results, &corners, "/VTKHDF/Polygons/Connectivity"), HAW_OK);
    assert_int_equal(haw_results_array(results, &offsets, "/VTKHDF/Polygons/Offsets"), HAW_OK);
    assert_int_equal(haw_results_array(results, &lines, "/VTKHDF/Lines/Offsets"), HAW_OK);
    assert_int_equal(haw_results_array(results, &part, "/VTKHDF/CellData/part"), HAW_OK);
    const int count = lines.rows - 1;
    const double block = volume_of(&points, &offsets, &corners, &part, count, 0);
    const double ring = volume_of(&points, &offsets, &corners, &part, count, 1);
    const double pi = 3.14159265358979323846;
    const double section = 4 * 0.05 * 0.05 * sin(pi / 4); /* of 8 sides, along 32 chords */
    assert_near(block, 0.3 * 0.2 * 0.1, 1e-12, 0);
    assert_near(ring, 32 * sin(pi / 16) * 0.5 * section, 1e-12, 0);
    double half = 0;
    for (int i = points.rows - 5; i < points.rows; i++) {
        half = fmax(half, points.value[3 * i]);
    }
    assert_near(half, 3 * 0.55, 1e-12, 0);
    haw_results_close(results);
}

static csv_table table(const fixture *f, const char *name)
{
    char path[256];
    csv_table made;
    (void)snprintf(path, sizeof path, "%s/out/%s", f->folder, name);
    csv_read(path, &made);
    return made;
}

static void export_to(const fixture *f,
                      haw_status (*export)(haw_context *, const char *, const char *))
{
    char folder[SCRATCH_PATH + 16];
    (void)snprintf(folder, sizeof folder, "%s/out", f->folder);
    if (export(f->run.context, f->file, folder) != HAW_OK) {
        fail_msg("%s", haw_context_message(f->run.context));
    }
}

static void tables_name_all_components(void **state)
{
    fixture *f = *state;
    int of_drum = 0;
    export_to(f, haw_export_csv);
    csv_table histories = table(f, "histories.csv"), contact = table(f, "contact-yarn-drum.csv");
    csv_table probes = table(f, "probes.csv");
    for (const char *at = histories.header; (at = strstr(at, ",drum.")) != NULL; at++) {
        of_drum++;
    }
    assert_int_equal(of_drum, HAW_HISTORY_SPACE_BODY_COLUMNS);
    assert_near(csv_at(&histories, FRAMES - 1, csv_column(&histories, "drum.orientation_z[1]")),
                f->q[6], 0, 0);
    assert_near(
        csv_at(&histories, FRAMES - 1, csv_column(&histories, "drum.angular_velocity_z[rad/s]")),
        f->u[5], 1e-15, 0);
    assert_near(csv_at(&contact, FRAMES - 1, csv_column(&contact, "force_z[N]")), f->pair.force[2],
                0, 0);
    assert_near(csv_at(&contact, FRAMES - 1, csv_column(&contact, "impulse_angular_z[N m s]")),
                f->pair.impulse[5], 0, 0);
    assert_true(csv_column(&probes, "yarn.position_z[m]") > 0);
    assert_true(csv_column(&probes, "drum.orientation_w[1]") > 0);
    assert_true(csv_column(&probes, "contact.impulse_z[N s]") > 0);
    assert_true(csv_column(&probes, "contact.impulse_angular_x[N m s]") > 0);
    csv_free(&histories);
    csv_free(&contact);
    csv_free(&probes);
}

static void profile_tables_have_z_and_forces(void **state)
{
    fixture *f = *state;
    export_to(f, haw_export_csv);
    csv_table profile = table(f, "profile-yarn.csv");
    csv_table contact = table(f, "contact-profile-yarn-drum.csv");
    const int n = haw_cable_sample_count(&f->run.simulation->model, 0);
    const int first = f->run.simulation->model.cable[0].first_q;
    double normal = 0;
    assert_int_equal(profile.rows, FRAMES * n);
    assert_near(csv_at(&profile, FRAMES * n - 1, csv_column(&profile, "z[m]")),
                f->q[first + 7 * 25 + 2], 1e-15, 0);
    assert_true(csv_column(&profile, "force_z[N/m]") > 0);
    for (int i = 0; i < contact.rows; i++) { /* one point per node, 80 mm of yarn each */
        const double share = i == 0 || i == contact.rows - 1 ? 0.04 : 0.08;
        normal += csv_at(&contact, i, csv_column(&contact, "normal_stress[N/m]")) * share;
        assert_near(csv_at(&contact, i, csv_column(&contact, "z[m]")), f->q[first + 7 * i + 2],
                    1e-15, 0);
    }
    assert_int_equal(contact.rows, 26);
    assert_near(normal / (1 + 10 / 282743.34), f->pair.normal_sum, 1e-9, 0);
    csv_free(&profile);
    csv_free(&contact);
}

static bool file_has(const char *path, const char *text)
{
    char line[512];
    bool found = false;
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    while (!found && fgets(line, sizeof line, stream) != NULL) {
        found = strstr(line, text) != NULL;
    }
    (void)fclose(stream);
    return found;
}

static void pictures_for_paraview_have_vectors(void **state)
{
    fixture *f = *state;
    char path[SCRATCH_PATH + 64];
    export_to(f, haw_export_vtp);
    (void)snprintf(path, sizeof path, "%s/out/lines-%05d.vtp", f->folder, FRAMES - 1);
    assert_true(file_has(path, "Name=\"contact_force\" NumberOfComponents=\"3\""));
    assert_true(file_has(path, "NumberOfLines=\"2\""));
}

static void count_file(void *user, const char *path)
{
    struct stat found;
    fixture *f = user;
    assert_int_equal(stat(path, &found), 0);
    assert_true(found.st_size > 20);
    f->listed++;
}

static void a_spatial_run_gets_its_figures(void **state)
{
    fixture *f = *state;
    char folder[SCRATCH_PATH + 16], path[SCRATCH_PATH + 64];
    (void)snprintf(folder, sizeof folder, "%s/figures", f->folder);
    f->listed = 0;
    if (haw_report_plot(f->run.context, f->file, folder, NULL, count_file, f) != HAW_OK) {
        fail_msg("%s", haw_context_message(f->run.context));
    }
    /* five figures as PNG, SVG and script; snapshots, outlines, histories, probes, energy,
     * tension-1 */
    assert_int_equal(f->listed, 5 * 3 + 6);
    (void)snprintf(path, sizeof path, "%s/histories.gp", folder);
    assert_true(file_has(path, "using 1:(1*$17)")); /* the tension, behind the drum */
    (void)snprintf(path, sizeof path, "%s/snapshots.gp", folder);
    assert_true(file_has(path, "u(x, y) = "));
}

/* Headers and indices in memory, all of which HDF5 would keep: 0.9 MB of so many frames. */
static void frames_leave_nothing_in_memory(void **state)
{
    enum { EACH = 200, TIMES = 400 };

    const fixture *f = *state;
    scenario_run run;
    haw_writer *writer = NULL;
    size_t size = 0, largest = 0;
    scenario_init(&run, "bouncing-ball");
    scenario_set(&run, "output.compress=1");
    scenario_open(&run);
    assert_int_equal(
        haw_writer_open(run.context, f->file, run.scenario, run.model, run.simulation, &writer),
        HAW_OK);
    for (int i = 0; i < TIMES; i++) {
        for (int k = 0; k < EACH; k++) {
            assert_int_equal(haw_writer_frame(writer, haw_simulation_frame(run.simulation)),
                             HAW_OK);
        }
        assert_int_equal(haw_writer_flush(writer), HAW_OK);
        assert_true(H5Fget_mdc_size(writer->file.id, NULL, NULL, &size, NULL) >= 0);
        largest = size > largest ? size : largest;
    }
    assert_true(largest < 600000);
    assert_int_equal(haw_writer_close(writer, NULL), HAW_OK);
    scenario_close(&run);
}

TEST_FILE(test_space_results)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_have_histories_in_space),
        cmocka_unit_test(profiles_have_three_coordinates),
        cmocka_unit_test(contact_forces_are_vectors_with_the_right_sum),
        cmocka_unit_test(bodies_are_surfaces_beside_cables),
        cmocka_unit_test(bodies_are_drawn_as_wires_on_their_surfaces),
        cmocka_unit_test(tables_name_all_components),
        cmocka_unit_test(profile_tables_have_z_and_forces),
        cmocka_unit_test(pictures_for_paraview_have_vectors),
        cmocka_unit_test(a_spatial_run_gets_its_figures),
        cmocka_unit_test(surfaces_go_round_alike_and_planes_are_as_large_as_the_scene),
        cmocka_unit_test(frames_leave_nothing_in_memory),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
