/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of a run with a rope on a sheave: forces along the arc, labels of the moving mesh, line
 * loads for ParaView, the profile of the last frame, tables. */
#include "model/model.h"
#include "support/csv.h"
#include "support/scenario_file.h"

enum { FRAMES = 6 };

static const double SPACING = 6.2831853071795866e-3, LENGTH_MAX = 15;

typedef struct fixture {
    scenario_run run;
    scenario_file out;
    double normal[FRAMES], tangential[FRAMES]; /* sums of the pair at each frame [N] */
} fixture;

static void write_frame(scenario_run *run, const haw_frame *frame, void *user)
{
    fixture *f = user;
    assert_true(run->frames <= FRAMES);
    f->normal[run->frames - 1] = frame->pair[0].normal_sum;
    f->tangential[run->frames - 1] = frame->pair[0].tangential_sum;
    if (haw_writer_frame(f->out.writer, frame) != HAW_OK) {
        fail_msg("%s", haw_context_message(run->context));
    }
}

/* Frames of one step each, so that mean forces are those of the last step. */
static void make(fixture *f, const char *element)
{
    scenario_run *run = &f->run;
    memset(f, 0, sizeof *f);
    scenario_init(run, "elevator");
    scenario_set(run, "cables.rope.element=%s", element);
    scenario_set(run, "bodies.sheave.motion={spin: {table: [[0, 0], [0.01, 0.04]], ramp: linear}}");
    scenario_set(run, "stepper.step=2.0e-3");
    scenario_set(run, "stepper.end=%g", 2e-3 * (FRAMES - 1));
    scenario_set(run, "output.every=2.0e-3");
    run->look = write_frame;
    run->user = f;
    scenario_file_make(run, FRAMES, &f->out);
}

static void unmake(fixture *f)
{
    scenario_file_remove(&f->run, &f->out);
}

static void with_both(void (*check)(fixture *f))
{
    static const char *const element[] = {"arc1d", "ale"};
    for (int i = 0; i < 2; i++) {
        fixture f;
        make(&f, element[i]);
        check(&f);
        unmake(&f);
    }
}

static haw_array read_array(const fixture *f, const char *path)
{
    haw_array array;
    if (haw_results_array(f->out.results, &array, "%s", path) != HAW_OK) {
        fail_msg("no %s", path);
    }
    return array;
}

/* ---- /hawser/sheaves ---- */

typedef struct sheave {
    haw_array angle, normal, tangential, tension, slip;
} sheave;

static sheave read_sheave(const fixture *f)
{
    const sheave s = {read_array(f, "/hawser/sheaves/rope-sheave/angle"),
                      read_array(f, "/hawser/sheaves/rope-sheave/normal"),
                      read_array(f, "/hawser/sheaves/rope-sheave/tangential"),
                      read_array(f, "/hawser/sheaves/rope-sheave/tension"),
                      read_array(f, "/hawser/sheaves/rope-sheave/slip")};
    assert_string_equal(s.angle.unit, "rad");
    assert_string_equal(s.normal.unit, "N/m");
    assert_string_equal(s.tangential.unit, "N/m");
    assert_string_equal(s.tension.unit, "N");
    assert_string_equal(s.slip.unit, "m/s");
    assert_int_equal(s.angle.rows, FRAMES);
    assert_int_equal(s.slip.components, s.angle.components);
    return s;
}

/* Knots of a frame: numbers first, then nothing. */
static int count_knots(const sheave *s, int frame)
{
    const haw_array *all[] = {&s->angle, &s->normal, &s->tangential, &s->tension, &s->slip};
    const ptrdiff_t first = (ptrdiff_t)frame * s->angle.components;
    int count = 0;
    while (count < s->angle.components && !isnan(s->angle.value[first + count])) {
        count++;
    }
    for (int k = 0; k < s->angle.components; k++) {
        for (int i = 0; i < 5; i++) {
            assert_int_equal(isnan(all[i]->value[first + k]) != 0, k >= count);
        }
    }
    return count;
}

/* The two outermost knots may lie on the sheave by a part of their length. */
static void check_sums(const fixture *f, const sheave *s, int frame, int count)
{
    const double *normal = s->normal.value + (ptrdiff_t)frame * s->normal.components;
    const double *friction = s->tangential.value + (ptrdiff_t)frame * s->normal.components;
    double sum[2] = {0, 0};
    for (int k = 0; k < count; k++) {
        sum[0] += SPACING * normal[k];
        sum[1] += SPACING * friction[k];
    }
    const double ends = SPACING * (normal[0] + normal[count - 1]);
    const double slack = SPACING * (fabs(friction[0]) + fabs(friction[count - 1]));
    assert_true(f->normal[frame] > 1000);
    assert_near(sum[0], f->normal[frame], ends, 0);
    assert_near(sum[1], f->tangential[frame], slack, 0);
}

/* A rope that rests has the forces of its static start, and nearly so one step later. */
static void check_start(const sheave *s, int count)
{
    const haw_array *all[] = {&s->normal, &s->tangential};
    for (int i = 0; i < 2; i++) {
        double sum[2] = {0, 0};
        for (int k = 0; k < count; k++) {
            sum[0] += all[i]->value[k];
            sum[1] += all[i]->value[all[i]->components + k];
        }
        assert_true(fabs(sum[0]) > 1000);
        assert_near(sum[0], sum[1], 0, 8e-3);
    }
}

static void check_sheave(fixture *f)
{
    const sheave s = read_sheave(f);
    const double arc = 3.14159265358979 * 0.24;
    assert_true(s.angle.components < LENGTH_MAX / SPACING);
    for (int i = 0; i < FRAMES; i++) { /* the first has the forces of the static start */
        const int count = count_knots(&s, i);
        const ptrdiff_t first = (ptrdiff_t)i * s.angle.components;
        assert_in_range(count, (int)(0.9 * arc / SPACING), (int)(1.05 * arc / SPACING));
        for (int k = 1; k < count; k++) {
            assert_true(s.angle.value[first + k] > s.angle.value[first + k - 1]);
        }
        for (int k = 0; k < count; k++) {
            assert_near(s.tension.value[first + k], 11500, 2500, 0);
        }
        if (i == 0) {
            check_start(&s, count);
        } else { /* the pair counts what it got since the frame before */
            check_sums(f, &s, i, count);
        }
    }
}

static void forces_along_the_arc_are_those_of_the_closed_knots(void **state)
{
    (void)state;
    with_both(check_sheave);
}

/* ---- labels and line loads ---- */

static void read_labels(const fixture *f, int frame, const haw_array *xi, double *label)
{
    assert_int_equal(haw_results_profile(f->out.results, "rope", "xi", frame, xi->rows, label),
                     HAW_OK);
}

static void check_labels(fixture *f)
{
    const haw_array xi = read_array(f, "/hawser/cables/rope/xi");
    const haw_array all = read_array(f, "/hawser/cables/rope/label");
    const double length = xi.value[xi.rows - 1];
    assert_int_equal(all.rows, FRAMES);
    assert_int_equal(all.components, xi.rows);
    assert_string_equal(all.unit, "m");
    assert_near(length, 14.754, 0.02, 0);
    double moved = 0;
    for (int i = 0; i < FRAMES; i++) {
        const double *label = all.value + (ptrdiff_t)i * all.components;
        assert_near(label[0], 0, 0, 0);
        assert_near(label[xi.rows - 1], length, 0, 1e-12);
        for (int k = 1; k < xi.rows; k++) {
            assert_true(label[k] > label[k - 1]);
            moved = fmax(moved, fabs(label[k] - all.value[k]));
        }
    }
    assert_near(moved, 3e-5, 2e-5,
                0); /* the sheave turns by 4.8e-5 m, rope and bristles give way */
}

static void samples_have_the_labels_of_the_moving_mesh(void **state)
{
    (void)state;
    with_both(check_labels);
}

/* Of a line load over the labels, by the trapezoidal rule. */
static double integral(const fixture *f, const char *column, int frame)
{
    const haw_array xi = read_array(f, "/hawser/cables/rope/xi");
    double *label = calloc((size_t)xi.rows * 2, sizeof *label), sum = 0;
    assert_non_null(label);
    double *load = label + xi.rows;
    read_labels(f, frame, &xi, label);
    assert_int_equal(haw_results_profile(f->out.results, "rope", column, frame, xi.rows, load),
                     HAW_OK);
    for (int k = 1; k < xi.rows; k++) {
        sum += 0.5 * (label[k] - label[k - 1]) * (load[k] + load[k - 1]);
    }
    free(label);
    return sum;
}

static void check_loads(fixture *f)
{
    for (int i = 1; i < FRAMES; i++) {
        assert_near(integral(f, "contact_normal", i), f->normal[i], 0, 1e-9);
        assert_near(integral(f, "contact_tangential", i), f->tangential[i], 1e-6, 1e-9);
    }
}

static void line_loads_have_the_sums_of_the_pair(void **state)
{
    (void)state;
    with_both(check_loads);
}

/* ---- the profile of the last frame ---- */

static void check_profile(fixture *f)
{
    const haw_array xi = read_array(f, "/hawser/contacts/rope-sheave/profile/xi");
    const haw_array x = read_array(f, "/hawser/contacts/rope-sheave/profile/x");
    const haw_array y = read_array(f, "/hawser/contacts/rope-sheave/profile/y");
    const haw_array angle = read_array(f, "/hawser/contacts/rope-sheave/profile/angle");
    const haw_array gap = read_array(f, "/hawser/contacts/rope-sheave/profile/gap");
    const haw_array load = read_array(f, "/hawser/contacts/rope-sheave/profile/normal_stress");
    double sum = 0, most = 0;
    int closed = 0;
    for (int k = 0; k < xi.rows; k++) {
        assert_near(xi.value[k], k * SPACING, 1e-12, 1e-12);
        assert_near(angle.value[k], atan2(y.value[k], x.value[k]), 1e-12, 0);
        if (load.value[k] > 0) {
            closed++;
            sum += SPACING * load.value[k];
            most = fmax(most, load.value[k]);
            assert_near(hypot(x.value[k], y.value[k]), 0.24, 5e-4, 0);
            assert_true(gap.value[k] <= 0);
        }
    }
    assert_int_equal(xi.rows, f->run.model->pair[0].points);
    assert_true(closed > 100);
    assert_near(sum, f->normal[FRAMES - 1], 2 * SPACING * most, 0);
}

static void the_profile_has_a_row_for_every_knot_of_the_rope(void **state)
{
    (void)state;
    with_both(check_profile);
}

/* ---- tables ---- */

static void check_tables(fixture *f)
{
    char path[160];
    csv_table table;
    const haw_array all = read_array(f, "/hawser/cables/rope/label");
    assert_int_equal(haw_export_csv(f->run.context, f->out.file, f->out.folder), HAW_OK);
    (void)snprintf(path, sizeof path, "%s/profile-rope.csv", f->out.folder);
    csv_read(path, &table);
    assert_int_equal(table.rows, FRAMES * all.components);
    const int label = csv_column(&table, "xi[m]"), frame = csv_column(&table, "frame");
    for (int k = 0; k < table.rows; k++) {
        assert_int_equal((int)csv_at(&table, k, frame), k / all.components);
        assert_near(csv_at(&table, k, label), all.value[k], 0, 0);
    }
    free(table.value);
}

static void tables_have_the_labels_of_each_frame(void **state)
{
    (void)state;
    with_both(check_tables);
}

TEST_FILE(test_rope_results)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_along_the_arc_are_those_of_the_closed_knots),
        cmocka_unit_test(samples_have_the_labels_of_the_moving_mesh),
        cmocka_unit_test(line_loads_have_the_sums_of_the_pair),
        cmocka_unit_test(the_profile_has_a_row_for_every_knot_of_the_rope),
        cmocka_unit_test(tables_have_the_labels_of_each_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
