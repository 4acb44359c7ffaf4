/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the spacing d of the contact points costs, at fixed elements and step. Between two points
 * the curve may dip into the disk: a chord of length d by the sagitta d^2 / (8 R).
 */
#include "element/element.h"
#include "stepper/simulation.h"
#include "support/rig.h"

enum { SAMPLES = 64, SPACINGS = 5 };

typedef struct spacing {
    int points;      /* per element */
    double d;        /* [m] */
    double dip;      /* deepest place of the curve between points [m] */
    double point;    /* deepest point [m] */
    double final[6]; /* state of the disk */
} spacing;

/* Depth of the whole curve in the disk, from a fine sample of its elements. */
static double curve_depth(const rig *r)
{
    const haw_line *line = &r->simulation->model.cable[0].line;
    const double *disk = r->state->q;
    double depth = 0;
    for (int i = 0; i < SAMPLES * line->elements; i++) {
        double x[2];
        line->ops->position(line, i / SAMPLES, (double)(i % SAMPLES) / SAMPLES, disk + 3, x, NULL);
        depth = fmax(depth, 0.1 - hypot(x[0] - disk[0], x[1] - disk[1]));
    }
    return depth;
}

static void run(spacing *s, int elements, double friction)
{
    rig r;
    disk_case c;
    disk_case_init(&c);
    c.elements = elements;
    c.points = s->points;
    c.friction = friction;
    c.tolerance = 1e-8;
    rig_disk(&r, &c);
    for (int i = 0; i < 500; i++) {
        rig_steps(&r, 50);
        s->dip = fmax(s->dip, curve_depth(&r));
    }
    for (int k = 0; k < 3; k++) {
        s->final[k] = r.state->q[k];
        s->final[3 + k] = r.state->u[k];
    }
    s->d = r.simulation->model.cable[0].line.le * 1.01 / s->points;
    s->point = r.simulation->certificate.penetration_points_max;
    rig_close(&r);
}

static void print(const spacing *s, double friction)
{
    print_message("mu %g, %d points: d/R %.4f, dip %.2e (sagitta %.2e), points %.1e, vx %.5f, vy "
                  "%.5f, omega %.4f\n",
                  friction, s->points, s->d / 0.1, s->dip, s->d * s->d / 0.8, s->point, s->final[3],
                  s->final[4], s->final[5]);
}

/* The dip is the sagitta, up to the depth of the points themselves and the curve of the cable. */
static void between_two_points_the_cable_dips_by_the_sagitta(void **state)
{
    (void)state;
    for (int i = 0; i < 4 * SPACINGS; i++) {
        const int elements = i < 2 * SPACINGS ? 20 : 40, finest = elements == 20 ? 2 : 1;
        const double friction = i / SPACINGS % 2 == 0 ? 0 : 0.3;
        spacing s = {.points = finest << i % SPACINGS};
        run(&s, elements, friction);
        print(&s, friction);
        const double sagitta = s.d * s.d / (8 * 0.1);
        assert_true(s.dip <= 1.08 * sagitta + s.point);
        assert_true(s.dip >= 0.75 * sagitta);
        assert_true(s.point <= 4e-5); /* the speed of the disk times the step, whatever d is */
    }
}

/*
 * The rebound velocity against the densest grid of the same mesh. An independent program found
 * 0.029, 0.012, 0.0045 m/s and less than 0.001 m/s for d/R = 1/2, 1/4, 1/8, 1/16.
 */
static void the_rebound_converges_with_the_spacing(void **state)
{
    (void)state;
    static const double known[4] = {0.029, 0.012, 0.0045, 0.001};
    spacing s[4], dense = {.points = 64};
    run(&dense, 20, 0.3);
    print(&dense, 0.3);
    for (int i = 0; i < 4; i++) {
        s[i] = (spacing){.points = 2 << i};
        run(&s[i], 20, 0.3);
        print(&s[i], 0.3);
        assert_near(dense.final[3] - s[i].final[3], known[i], 5e-4, 0);
        assert_near(s[i].final[4], dense.final[4], 0.03, 0);
        assert_near(s[i].final[5], dense.final[5], 0.25, 0);
    }
}

TEST_FILE(test_grid_spacing)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(between_two_points_the_cable_dips_by_the_sagitta),
        cmocka_unit_test(the_rebound_converges_with_the_spacing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
