/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs at fixed discretisation against data/reference/disk/regress_*.csv, computed by an
 * independent program with the same algorithm (explicit midpoint, h = 1e-5, tolerance 1e-12).
 */
#include "support/csv.h"
#include "support/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { T, X, Y, PHI, VX, VY, OMEGA };

typedef struct comparison {
    csv_table table;
    int row;
    double worst; /* over the columns, in units of 1e-7 relative or 1e-9 absolute */
} comparison;

/* The reference has rows every 5 ms; frames come every millisecond. */
static haw_status compare(void *user, const haw_frame *frame)
{
    comparison *c = user;
    if (c->row >= c->table.rows || fabs(frame->t - csv_at(&c->table, c->row, T)) > 1e-9) {
        return HAW_OK;
    }
    const double got[6] = {frame->state->q[0], frame->state->q[1], frame->state->q[2],
                           frame->state->u[0], frame->state->u[1], frame->state->u[2]};
    for (int i = 0; i < 6; i++) {
        const double want = csv_at(&c->table, c->row, X + i);
        const double error = fabs(got[i] - want) / (1e-9 + 1e-7 * fabs(want));
        c->worst = error > c->worst ? error : c->worst;
        if (error > 1) {
            print_message("t = %g column %d: %.12g, reference %.12g\n", frame->t, i, got[i], want);
        }
    }
    c->row++;
    return HAW_OK;
}

static void check(const char *element, const char *kind, int elements, int points, double friction)
{
    char file[96];
    snprintf(file, sizeof file, "data/reference/disk/regress_%s_mu%g.csv", kind, friction);
    comparison c = {.worst = 0};
    csv_read(file, &c.table);
    haw_context *context;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    disk_case scene;
    disk_case_init(&scene);
    scene.element = element;
    scene.elements = elements;
    scene.points = points;
    scene.friction = friction;
    haw_run_settings settings;
    disk_case_settings(context, &scene, &settings);
    const haw_observer observer = {.frame = compare, .user = &c};
    haw_summary summary;
    assert_int_equal(scene_run(context, disk_case_scene(&scene), &settings, &observer, &summary),
                     HAW_OK);
    print_message("%s mu %g: worst %.3g of the tolerance, balance error %.3g of E0\n", element,
                  friction, c.worst, summary.ledger.balance_error / summary.ledger.initial);
    assert_int_equal(c.row, c.table.rows);
    assert_true(c.worst <= 1);
    haw_context_free(context);
    csv_free(&c.table);
}

static void bezier_polar_reproduces_the_regression_files(void **state)
{
    (void)state;
    check("bezier-polar", "A", 20, 8, 0);
    check("bezier-polar", "A", 20, 8, 0.3);
}

static void bezier_reproduces_the_regression_files(void **state)
{
    (void)state;
    check("bezier", "B", 20, 8, 0);
    check("bezier", "B", 20, 8, 0.3);
}

static void chain_reproduces_the_regression_files(void **state)
{
    (void)state;
    check("chain", "C", 200, 1, 0);
    check("chain", "C", 200, 1, 0.3);
}

TEST_FILE(test_disk_regress)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bezier_reproduces_the_regression_files),
        cmocka_unit_test(bezier_polar_reproduces_the_regression_files),
        cmocka_unit_test(chain_reproduces_the_regression_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
