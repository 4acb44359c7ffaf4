/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * HAWSER-DISK-1 under refinement, against the converged trajectories of data/reference/disk (lumped
 * chain, 4000 elements): largest errors over the press-in, [0, 0.05] s, and over the whole run.
 */
#include "support/csv.h"
#include "support/scene.h"

#include <stdio.h>

enum { COLUMNS = 3, MESHES = 4 };

static const char *const column_name[COLUMNS] = {"x", "vx", "omega"};

/* Largest differences from the reference and, for both windows, the reference's own errors. */
typedef struct errors {
    double early[COLUMNS], late[COLUMNS]; /* up to 0.05 s, up to the end */
    double floor[COLUMNS];                /* of the reference, up to 0.05 s */
} errors;

typedef struct comparison {
    csv_table table;
    int row;
    errors found;
} comparison;

static haw_status compare(void *user, const haw_frame *frame)
{
    static const int place[COLUMNS] = {0, 3, 5}; /* in (x, y, angle, vx, vy, spin) */
    comparison *c = user;
    const double *q = frame->state->q, *u = frame->state->u;
    const double got[6] = {q[0], q[1], q[2], u[0], u[1], u[2]};
    if (fabs(frame->t - csv_at(&c->table, c->row, 0)) > 1e-9) {
        return HAW_OK; /* of a run that ended early: its status tells */
    }
    for (int i = 0; i < COLUMNS; i++) {
        const int column = csv_column(&c->table, column_name[i]);
        const double error = fabs(got[place[i]] - csv_at(&c->table, c->row, column));
        const double own = csv_at(&c->table, c->row, column + 1);
        c->found.late[i] = fmax(c->found.late[i], error);
        if (frame->t < 0.0505) {
            c->found.early[i] = fmax(c->found.early[i], error);
            c->found.floor[i] = fmax(c->found.floor[i], own);
        }
    }
    c->row++;
    return HAW_OK;
}

typedef struct mesh {
    const char *element;
    int elements, points;
    double friction;
} mesh;

/* A run that ends early leaves the errors found until then. */
static haw_status try_run(const mesh *m, errors *found)
{
    char file[96];
    haw_context *context;
    haw_run_settings settings;
    haw_summary summary;
    disk_case c;
    comparison against = {.row = 0};
    snprintf(file, sizeof file, "data/reference/disk/reference_mu%g.csv", m->friction);
    csv_read(file, &against.table);
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    disk_case_init(&c);
    c.element = m->element;
    c.elements = m->elements;
    c.points = m->points;
    c.friction = m->friction;
    c.step = 0; /* auto: 0.8 of the critical one, halves with the elements */
    c.tolerance = 1e-8;
    disk_case_settings(context, &c, &settings);
    const haw_observer observer = {.frame = compare, .user = &against};
    const haw_status status =
        scene_run(context, disk_case_scene(&c), &settings, &observer, &summary);
    const errors *e = found;
    *found = against.found;
    assert_true(status != HAW_OK || against.row == against.table.rows);
    print_message(
        "mu %g %-6s %4d x %d: to 0.05 s x %.1e, vx %.1e, omega %.1e; all x %.1e, vx %.1e, "
        "omega %.1e; %.1f s\n",
        m->friction, m->element, m->elements, m->points, e->early[0], e->early[1], e->early[2],
        e->late[0], e->late[1], e->late[2], summary.cpu_seconds);
    haw_context_free(context);
    csv_free(&against.table);
    return status;
}

static errors run(const mesh *m)
{
    errors e;
    assert_int_equal(try_run(m, &e), HAW_OK);
    return e;
}

/* Bounds on the errors of the coarsest and of the finest mesh. */
typedef struct bounds {
    double coarse[COLUMNS], fine[COLUMNS]; /* up to 0.05 s */
    double run[COLUMNS];                   /* of the finest, to the end */
} bounds;

static void refine(mesh m, errors e[MESHES], const bounds *b)
{
    for (int k = 0; k < MESHES; k++, m.elements *= 2) {
        e[k] = run(&m);
    }
    for (int i = 0; i < COLUMNS; i++) {
        assert_true(e[0].early[i] <= b->coarse[i]);
        assert_true(e[MESHES - 1].early[i] <= b->fine[i] + e[MESHES - 1].floor[i]);
        assert_true(e[MESHES - 1].late[i] <= b->run[i]);
    }
}

/* Mean order between meshes a and b of a column. */
static double order(const errors e[MESHES], int column, int a, int b)
{
    const double coarse = e[a].early[column], fine = e[b].early[column];
    return fine > 0 ? log2(coarse / fine) / (b - a) : 0;
}

static void print_orders(const char *element, const errors e[MESHES])
{
    print_message("%s: order in x %.2f, vx %.2f, omega %.2f\n", element, order(e, 0, 0, 3),
                  order(e, 1, 0, 3), order(e, 2, 0, 3));
}

/*
 * Two points per element: more stall a Gauss-Seidel method on the finest meshes, where contacts
 * outnumber degrees of freedom. x ~ O(Le^2); vx first follows it, then meets the error of the
 * reference (2e-4, without friction 8e-4 at 160 elements).
 */
static void bezier_converges_with_order_two_in_position(void **state)
{
    (void)state;
    static const bounds limit = {{1e-4, 1.2e-2, 0.25}, {1.5e-6, 1e-3, 5e-3}, {1e-4, 2e-3, 0.15}};
    for (int i = 0; i < 2; i++) {
        errors e[MESHES];
        refine((mesh){"bezier", 20, 2, i * 0.3}, e, &limit);
        print_orders("bezier", e);
        assert_near(order(e, 0, 0, 3), 2, 0.35, 0);
        assert_near(order(e, 1, 0, 2), 1.4, 0.5, 0);
        assert_true(i == 0 || order(e, 2, 0, 3) > 1.2);
    }
}

/*
 * The reference is a chain, too: against 4000 elements an error of first order falls by 4.75 from
 * 200 to 800 elements, one of second order by 16.6.
 */
static void chain_converges_with_order_one_in_velocity(void **state)
{
    (void)state;
    static const bounds limit = {{3e-5, 5e-3, 3e-2}, {1e-6, 4e-4, 2e-3}, {1e-4, 1.5e-3, 0.05}};
    for (int i = 0; i < 2; i++) {
        errors e[MESHES];
        refine((mesh){"chain", 200, 1, i * 0.3}, e, &limit);
        print_orders("chain", e);
        assert_near(order(e, 0, 0, 2), 1.9, 0.4, 0);
        assert_near(order(e, 1, 0, 2), log2(4.75) / 2, 0.3, 0);
        assert_true(i == 0 || (order(e, 2, 0, 2) > 0.7 && order(e, 2, 0, 2) < 2));
    }
}

/* More points per element than degrees of freedom: a stall is reported, no wrong motion shown. */
static void a_redundant_grid_converges_or_says_that_it_did_not(void **state)
{
    (void)state;
    for (int points = 3; points <= 6; points++) {
        errors e;
        const mesh m = {"bezier", 160, points, 0.3};
        const haw_status status = try_run(&m, &e);
        assert_true(status == HAW_OK || status == HAW_ERR_UNCONVERGED);
        assert_true(e.early[0] <= 4e-6 && e.late[0] <= 1e-4);
        assert_true(e.early[1] <= 1e-3 && e.late[1] <= 2e-3);
    }
}

TEST_FILE(test_disk_convergence)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bezier_converges_with_order_two_in_position),
        cmocka_unit_test(a_redundant_grid_converges_or_says_that_it_did_not),
        cmocka_unit_test(chain_converges_with_order_one_in_velocity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
