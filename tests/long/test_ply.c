/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two rods without torsion between a clamp and a plate that turns twice or three times, as a whole:
 * against a boundary value problem. Each rod lies on the cylinder of the radius r = a about the
 * axis, at the angle psi to it; the other one is its image. Per unstrained length of a rod
 *
 *     B (psi'^2 + (1 + e)^2 sin^4 / r^2) / 2 + EA e^2 / 2 - (1 + e) (T cos + M sin / r) / 2
 *
 * is stationary. The rod turns by (1 + e) sin / r; psi = 0 at both ends, and M is such that they
 * turn as the plate does.
 */
#include "support/scenario.h"

static const double pi = 3.14159265358979323846;
static const double length = 0.08, radius = 1e-3, bending = 1.570796e-3, axial = 6283;

enum { CELLS = 2000 };

typedef struct rod {
    double length;                /* between the clamps [m] */
    double tension, moment;       /* T, M [N, N m] */
    double psi[CELLS + 1];        /* at the places between cells */
    double force[CELLS + 1];      /* what is out of balance, then the change of psi */
    double per_moment[CELLS + 1]; /* turning by psi, then the change of psi by M / 2 */
    double diagonal[CELLS + 1];
    double turned, height;
} rod;

static double strain(const rod *x, int i)
{
    const double s = sin(x->psi[i]), c = cos(x->psi[i]);
    const double tight = bending * pow(s, 4) / (radius * radius);
    return (x->tension / 2 * c + x->moment / 2 * s / radius - tight) / (axial + tight);
}

/* Forces on psi, their slopes, and how far the rod turns, of the iterate. */
static void measure(rod *x)
{
    const double h = x->length / CELLS, half = x->tension / 2, turns = x->moment / 2 / radius;
    x->turned = 0;
    x->height = h * (1 + strain(x, 0)); /* half of the first and half of the last */
    for (int i = 1; i < CELLS; i++) {
        const double s = sin(x->psi[i]), c = cos(x->psi[i]), grow = 1 + strain(x, i);
        const double b = 2 * bending * grow * grow / (radius * radius);
        const double along = x->psi[i - 1] - 2 * x->psi[i] + x->psi[i + 1];
        x->force[i] = bending * along / (h * h) - b * s * s * s * c - grow * (half * s - turns * c);
        x->diagonal[i] =
            2 * bending / (h * h) + b * s * s * (3 * c * c - s * s) + grow * (half * c + turns * s);
        x->per_moment[i] = grow * c / radius;
        x->turned += h * grow * s / radius;
        x->height += h * grow * c;
    }
}

/* y, of d_i y_i + o (y_i-1 + y_i+1) = y_i on entry. */
static void solve_band(const double *d, double o, double *y)
{
    double pivot[CELLS + 1];
    pivot[1] = d[1];
    for (int i = 2; i < CELLS; i++) {
        pivot[i] = d[i] - o * o / pivot[i - 1];
        y[i] -= o / pivot[i - 1] * y[i - 1];
    }
    for (int i = CELLS - 1; i > 0; i--) {
        y[i] = (y[i] - (i + 1 < CELLS ? o * y[i + 1] : 0)) / pivot[i];
    }
}

/* Newton's method, at the strains of the iterate. */
static void find_rod(rod *x, double free_length, double tension, double turn)
{
    const double h = free_length / CELLS, first = asin(radius * turn / free_length);
    double change = 1;
    *x = (rod){free_length, tension, tension * radius * tan(first)};
    for (int i = 1; i < CELLS; i++) {
        x->psi[i] = first;
    }
    for (int k = 0; k < 100 && change > 1e-12; k++) {
        double miss = turn, slope = 0;
        measure(x);
        double turns[CELLS + 1];
        memcpy(turns, x->per_moment, sizeof turns);
        solve_band(x->diagonal, -bending / (h * h), x->force);
        solve_band(x->diagonal, -bending / (h * h), x->per_moment);
        miss -= x->turned;
        for (int i = 1; i < CELLS; i++) {
            miss -= h * turns[i] * x->force[i];
            slope += h * turns[i] * x->per_moment[i];
        }
        change = 0;
        for (int i = 1; i < CELLS; i++) {
            const double step = x->force[i] + miss / slope * x->per_moment[i];
            x->psi[i] += step;
            change = fmax(change, fabs(step));
        }
        x->moment += 2 * miss / slope;
    }
    assert_true(change <= 1e-12);
    measure(x);
}

/* Per unstrained length in the middle, where the rod is a helix (doc/theory/cable-cable.md). */
static double find_contact(const rod *x)
{
    const double s = sin(x->psi[CELLS / 2]), c = cos(x->psi[CELLS / 2]);
    const double grow = 1 + strain(x, CELLS / 2), k = s * s / radius, t = s * c / radius;
    const double binormal = -k * bending * grow * t;
    return grow * (k * (x->tension / 2 - binormal * s) / c - t * binormal);
}

/* ---- a run ---- */

typedef struct middle {
    double z, half; /* half of the elements lie within z +- half at the end */
    double contact; /* force per unstrained length there */
} middle;

/* The points at their ends, which are nodes, are open. */
static void keep_contact(scenario_run *run, const haw_frame *frame, void *user)
{
    middle *m = user;
    (void)run;
    m->contact = 0;
    for (int i = 0; i < frame->touches; i++) {
        const haw_touch_frame *touch = &frame->touch[i];
        const bool is_in = fabs(touch->x[2] - m->z) < m->half;
        m->contact += is_in ? 2 * touch->impulse[0] / frame->h / length : 0;
    }
}

static void wind(double turns)
{
    static rod x;
    static const char *const names[] = {"first", "second"};
    scenario_run run;
    double a[3], b[3];
    const double taut = length * (1 + 10 / axial), angle = 2 * pi * turns, time = 0.2;
    find_rod(&x, length, 20, angle);
    middle m = {x.height / 2, length / 4 * (1 + strain(&x, CELLS / 2)) * cos(x.psi[CELLS / 2]), 0};
    scenario_init(&run, "two-ply");
    for (int i = 0; i < 2; i++) {
        scenario_set(&run, "cables.%s.element=ancf", names[i]);
        scenario_set(&run, "cables.%s.tension=10", names[i]);
        scenario_set(&run, "cables.%s.to=[%g, 0, %.12g]", names[i], i == 0 ? 1e-3 : -1e-3, taut);
    }
    scenario_set(&run, "bodies.plate.position=[0, 0, %.12g]", taut);
    scenario_set(&run,
                 "bodies.plate.motion={spin: %.12g, velocity: [0, 0, {table: [[0, 0], [%g, "
                 "%.12g]]}]}",
                 angle / time, time, 2 * (x.height - taut) / time);
    run.look = keep_contact;
    run.user = &m;
    scenario_complete(&run);
    for (int k = 0; k < 3; k++) {
        a[k] = scenario_last(&run, "first.position[0.45:0.45]", k);
        b[k] = scenario_last(&run, "first.position[0.55:0.55]", k);
    }
    const double turn = atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
    const double beta = atan(radius * turn / (b[2] - a[2]));
    const double tension = 2 * scenario_last(&run, "first.reaction_end", 2);
    const double moment = 2 * (scenario_last(&run, "first.reaction_moment_end", 2) +
                               radius * scenario_last(&run, "first.reaction_end", 1));
    const double own[2] = {x.moment, find_contact(&x)};
    find_rod(&x, length, tension, angle);
    print_message("%g turns: beta %.4f (%.4f), M %.5f (%.5f), p %.1f (%.1f) at T %.3f; at 20: M "
                  "%.6f, p %.1f\n",
                  turns, beta * 180 / pi, x.psi[CELLS / 2] * 180 / pi, moment, x.moment, m.contact,
                  find_contact(&x), tension, own[0], own[1]);
    assert_near(tension, 20, 0, 2e-2);
    assert_near(beta, x.psi[CELLS / 2], 0, 3e-4);
    assert_near(moment, x.moment, 0, 1e-3);
    assert_near(m.contact, find_contact(&x), 0, 1e-3);
    scenario_close(&run);
}

static void two_turns(void **state)
{
    (void)state;
    wind(2);
}

static void three_turns(void **state)
{
    (void)state;
    wind(3);
}

/* Elements that shear have kinks at their nodes, and points of the other rod a foot on either side
 * of such a kink: what keeps the rods apart between points holds for both. The moment is that of
 * helices at the angle in the middle of the run. */
static void rods_with_kinks_stay_apart(void **state)
{
    scenario_run run;
    (void)state;
    scenario_init(&run, "two-ply");
    scenario_set(&run, "contact.proxy=minima");
    scenario_complete(&run);
    const double moment = 2 * (scenario_last(&run, "first.reaction_moment_end", 2) -
                               radius * scenario_last(&run, "first.reaction_end", 1));
    print_message("kinks: M %.5f, nearer by %.2g m\n", moment,
                  run.summary.certificate.penetration_max);
    assert_near(moment, 0.30214, 0, 2e-4);
    assert_true(run.summary.certificate.penetration_max < 1e-6 * 2 * radius);
    scenario_close(&run);
}

/*
 * A chain of 200 straight pieces, the outer ones of which lie in the clamps: bending begins in the
 * middle between two of its joints, so it is a rod that is shorter by one piece, to first order.
 * Figures of such a computation: half a percent, and so much more of p as it falls with the angle.
 */
static void clamped_pieces_shorten_the_rod(void **state)
{
    static rod x;
    static const double turns[] = {2, 3};
    static const double figures[][3] = {{9.769, 0.03420, 1597}, {14.36, 0.10130, 6607}};
    (void)state;
    for (int i = 0; i < 2; i++) {
        find_rod(&x, length * (1 - 1.0 / 200), 20, 2 * pi * turns[i]);
        const double beta = x.psi[CELLS / 2] * 180 / pi, contact = find_contact(&x);
        print_message("%g turns, pieces in clamps: beta %.4f (%+.2f %%), M %.5f (%+.2f %%), p %.1f "
                      "(%+.2f %%)\n",
                      turns[i], beta, 100 * (beta / figures[i][0] - 1), x.moment,
                      100 * (x.moment / figures[i][1] - 1), contact,
                      100 * (contact / figures[i][2] - 1));
        assert_near(beta, figures[i][0], 0, 5e-3);
        assert_near(x.moment, figures[i][1], 0, 5e-3);
        assert_near(contact, figures[i][2], 0, 1e-2);
        find_rod(&x, length, 20, 2 * pi * turns[i]); /* the limit is another */
        assert_true(fabs(x.moment / figures[i][1] - 1) > 1e-2);
    }
}

TEST_FILE(test_ply)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_turns),
        cmocka_unit_test(three_turns),
        cmocka_unit_test(rods_with_kinks_stay_apart),
        cmocka_unit_test(clamped_pieces_shorten_the_rod),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
