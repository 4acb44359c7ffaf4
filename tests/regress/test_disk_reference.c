/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * HAWSER-DISK-1 at 80 elements against the converged trajectories of data/reference/disk (lumped
 * chain, 4000 elements): difference minus the file's own error column stays below the tolerance.
 */
#include "support/csv.h"
#include "support/scene.h"

#include <stdio.h>

typedef struct column {
    const char *name, *error;
    int index; /* in (x, y, angle, vx, vy, spin) */
    double tolerance;
    double worst; /* largest excess over the run */
} column;

typedef struct comparison {
    csv_table table;
    int row;
    column column[5];
} comparison;

static haw_status compare(void *user, const haw_frame *frame)
{
    comparison *c = user;
    const double *q = frame->state->q, *u = frame->state->u;
    const double got[6] = {q[0], q[1], q[2], u[0], u[1], u[2]};
    assert_near(frame->t, csv_at(&c->table, c->row, 0), 1e-6, 0);
    for (int i = 0; i < 5; i++) {
        column *k = &c->column[i];
        const double want = csv_at(&c->table, c->row, csv_column(&c->table, k->name));
        const double error = csv_at(&c->table, c->row, csv_column(&c->table, k->error));
        const double excess = fabs(got[k->index] - want) - error;
        k->worst = excess > k->worst ? excess : k->worst;
    }
    c->row++;
    return HAW_OK;
}

static void check(double friction)
{
    comparison c = {.column = {{"x", "x_err", 0, 1e-4, 0},
                               {"y", "y_err", 1, 1e-3, 0},
                               {"vx", "vx_err", 3, 3e-3, 0},
                               {"vy", "vy_err", 4, 6e-3, 0},
                               {"omega", "omega_err", 5, 0.15, 0}}};
    char file[96];
    snprintf(file, sizeof file, "data/reference/disk/reference_mu%g.csv", friction);
    csv_read(file, &c.table);
    haw_context *context;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    disk_case scene;
    disk_case_init(&scene);
    scene.elements = 80;
    scene.points = 3;
    scene.friction = friction;
    scene.step = 0;
    scene.tolerance = 1e-8;
    haw_run_settings settings;
    disk_case_settings(context, &scene, &settings);
    const haw_observer observer = {.frame = compare, .user = &c};
    haw_summary summary;
    assert_int_equal(scene_run(context, disk_case_scene(&scene), &settings, &observer, &summary),
                     HAW_OK);
    assert_int_equal(summary.certificate.unconverged_steps, 0);
    assert_int_equal(c.row, c.table.rows);
    for (int i = 0; i < 5; i++) {
        print_message("mu %g %s: excess %.2e, allowed %.2e\n", friction, c.column[i].name,
                      c.column[i].worst, c.column[i].tolerance);
        assert_true(c.column[i].worst <= c.column[i].tolerance);
    }
    haw_context_free(context);
    csv_free(&c.table);
}

static void frictionless_impact_matches_the_reference(void **state)
{
    (void)state;
    check(0);
}

static void frictional_impact_matches_the_reference(void **state)
{
    (void)state;
    check(0.3);
}

TEST_FILE(test_disk_reference)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frictionless_impact_matches_the_reference),
        cmocka_unit_test(frictional_impact_matches_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
