/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of /hawser/sheaves are the knots of each sheave at each frame. */
#include "observe/belt.h"
#include "support/scenario_file.h"

enum { FRAMES = 3, SHEAVES = 2, KNOTS_MAX = 2000, COLUMNS = 5 };

typedef struct fixture {
    scenario_run run;
    scenario_file out;
    int count[FRAMES][SHEAVES];
    haw_wrap_knot knot[FRAMES][SHEAVES][KNOTS_MAX];
} fixture;

static void write_frame(scenario_run *run, const haw_frame *frame, void *user)
{
    fixture *f = user;
    const int at = run->frames - 1;
    assert_true(run->frames <= FRAMES);
    for (int i = 0; i < SHEAVES; i++) {
        assert_true(run->simulation->model.pair[i].points <= KNOTS_MAX);
        f->count[at][i] = haw_wrap_knots(haw_simulation_frame(run->simulation), i, f->knot[at][i]);
    }
    assert_int_equal(haw_writer_frame(f->out.writer, frame), HAW_OK);
}

static void make(fixture *f)
{
    scenario_run *run = &f->run;
    memset(f, 0, sizeof *f);
    scenario_init(run, "hook-block");
    scenario_set(run, "cables.rope.element=arc1d");
    scenario_set(run,
                 "bodies.winch.motion={velocity: [0, {table: [[0, 0], [1, -5]], ramp: linear}]}");
    scenario_set(run, "contact.friction=0.1");
    scenario_set(run, "stepper.step=1.0e-3");
    scenario_set(run, "stepper.end=%g", 1e-3 * (FRAMES - 1));
    scenario_set(run, "output.every=1.0e-3");
    run->look = write_frame;
    run->user = f;
    scenario_file_make(run, FRAMES, &f->out);
}

static void unmake(fixture *f)
{
    scenario_file_remove(&f->run, &f->out);
}

static void check_row(const double *row, int components, int count, const haw_wrap_knot *knot,
                      int column)
{
    assert_true(count < components);
    for (int k = 0; k < components; k++) {
        const double want[COLUMNS] = {knot[k].angle, knot[k].normal, knot[k].tangential,
                                      knot[k].tension, knot[k].slip};
        if (k < count) {
            assert_near(row[k], want[column], 0, 0);
        } else {
            assert_true(isnan(row[k]));
        }
    }
}

/* Half a turn from the tangent point of the lower label on, wherever that lies. */
static void check_angles(int count, const haw_wrap_knot *knot)
{
    for (int k = 0; k < count; k++) {
        assert_true(knot[k].angle > -0.1 && knot[k].angle < 3.25);
        assert_true(k == 0 || knot[k].angle > knot[k - 1].angle);
    }
}

static void columns_are_the_knots_of_each_sheave(void **state)
{
    static const char *const sheave[SHEAVES] = {"rope-block", "rope-top"};
    static const char *const column[COLUMNS] = {"angle", "normal", "tangential", "tension", "slip"};
    static fixture f;
    (void)state;
    make(&f);
    assert_true(f.knot[1][0][0].tension != f.knot[1][1][0].tension);
    for (int i = 0; i < SHEAVES * COLUMNS; i++) {
        haw_array array;
        char path[128];
        (void)snprintf(path, sizeof path, "/hawser/sheaves/%s/%s", sheave[i / COLUMNS],
                       column[i % COLUMNS]);
        assert_int_equal(haw_results_array(f.out.results, &array, "%s", path), HAW_OK);
        assert_int_equal(array.rows, FRAMES);
        for (int frame = 0; frame < FRAMES; frame++) { /* the first has had no step */
            assert_true(frame == 0 || f.count[frame][i / COLUMNS] > 10);
            check_angles(f.count[frame][i / COLUMNS], f.knot[frame][i / COLUMNS]);
            check_row(array.value + (ptrdiff_t)frame * array.components, array.components,
                      f.count[frame][i / COLUMNS], f.knot[frame][i / COLUMNS], i % COLUMNS);
        }
    }
    unmake(&f);
}

TEST_FILE(test_rope_columns)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_the_knots_of_each_sheave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
