/* SPDX-License-Identifier: BSD-3-Clause */
/* Distances between runs: profiles against integrals in closed form, probes, the reference. */
#include "study/study.h"
#include "support/near.h"

#include <string.h>

enum { ELEMENTS_MAX = 400 };

typedef struct profile {
    haw_study_cable cable;
    double s[ELEMENTS_MAX], tension[ELEMENTS_MAX];
} profile;

/* N(s) = 2 + cos(2 pi s / L + phase) + slope s / L at the middles of the elements. */
static haw_study_cable *make(profile *p, int elements, double length, double phase, double slope)
{
    const double pi = acos(-1.0);

    p->cable = (haw_study_cable){
        .name = "rope", .elements = elements, .length = length, .s = p->s, .tension = p->tension};
    for (int e = 0; e < elements; e++) {
        const double place = (e + 0.5) / elements;

        p->s[e] = place * length;
        p->tension[e] = 2.0 + cos(2.0 * pi * place + phase) + slope * place;
    }
    return &p->cable;
}

/* Relative distance of two profiles, |a - b| / |b|, as of two runs that ended together. */
static double distance(haw_study_cable *a, haw_study_cable *b)
{
    double time[1] = {0.0};
    haw_study_run run[2] = {{.has_run = true, .frames = 1, .time = time, .cables = 1, .cable = a},
                            {.has_run = true, .frames = 1, .time = time, .cables = 1, .cable = b}};
    haw_context *context = NULL;
    haw_arena arena;

    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    haw_arena_init(&arena, context);
    const haw_study study = {.arena = &arena, .runs = 2, .run = run, .reference = 1};

    assert_int_equal(haw_study_compare(&study), HAW_OK);
    haw_arena_fini(&arena);
    haw_context_free(context);
    return run[0].tension_l2;
}

static void a_profile_has_no_distance_from_itself(void **state)
{
    static profile a;

    (void)state;
    make(&a, 20, 3.0, 0.3, 0.0);
    assert_near(distance(&a.cable, &a.cable), 0.0, 0.0, 0.0);
}

/* |c| / |N|: a shift by c of a constant N = 2. */
static void a_shift_has_its_closed_distance(void **state)
{
    static profile a, b;

    (void)state;
    make(&a, 40, 1.0, 0.0, 0.0);
    make(&b, 40, 1.0, 0.0, 0.0);
    for (int e = 0; e < 40; e++) {
        b.tension[e] = 2.0;
        a.tension[e] = 2.5;
    }
    assert_near(distance(&a.cable, &b.cable), 0.25, 1.0e-12, 0.0);
}

/* The integral of (cos(x + d) - cos(x))^2 over a turn is that of 2 (1 - cos d) cos^2: with
 * |N|^2 = 4.5 the distance is sqrt((1 - cos d) / 4.5). */
static void a_turned_wave_has_its_closed_distance(void **state)
{
    static profile a, b;
    const double d = 0.2;

    (void)state;
    make(&a, 400, 2.0, d, 0.0);
    make(&b, 400, 2.0, 0.0, 0.0);
    a.cable.closed = b.cable.closed = true;
    assert_near(distance(&a.cable, &b.cable), sqrt((1.0 - cos(d)) / 4.5), 1.0e-4, 0.0);
}

/* Other meshes and other lengths: places are fractions of the length; second order in the mesh. */
static void meshes_and_lengths_may_differ(void **state)
{
    static profile coarse, middle, fine;

    (void)state;
    make(&fine, 400, 2.0, 0.0, 0.0);
    make(&coarse, 20, 7.0, 0.0, 0.0);
    make(&middle, 40, 5.0, 0.0, 0.0);
    coarse.cable.closed = middle.cable.closed = fine.cable.closed = true;
    const double first = distance(&coarse.cable, &fine.cable);
    const double second = distance(&middle.cable, &fine.cable);

    assert_near(first, 0.0, 1.0e-2, 0.0);
    assert_near(first / second, 4.0, 0.2, 0.0);
}

static void a_closed_profile_goes_on_over_its_seam(void **state)
{
    static profile a, b;

    (void)state;
    make(&a, 20, 1.0, 0.0, 0.0);
    make(&b, 400, 1.0, 0.0, 0.0);
    const double open = distance(&a.cable, &b.cable);

    a.cable.closed = b.cable.closed = true;
    assert_true(distance(&a.cable, &b.cable) <= open);
}

/* ---- runs ---- */

typedef struct fixture {
    haw_context *context;
    haw_arena arena;
    haw_study study;
    haw_study_run run[4];
    haw_variant variant[4];
    haw_study_probe probe[3];
    double time[2], value[4][8];
    profile rope[4];
} fixture;

/* Four runs of two frames with a scalar and a vector probe; run i has more points and elements. */
static int set_up(void **state)
{
    static fixture f;

    memset(&f, 0, sizeof f);
    assert_int_equal(haw_context_create(NULL, &f.context), HAW_OK);
    haw_arena_init(&f.arena, f.context);
    f.study = (haw_study){.arena = &f.arena, .runs = 4, .run = f.run};
    f.time[1] = 1.0;
    f.probe[0] = (haw_study_probe){"force", "N", 1, 0};
    f.probe[1] = (haw_study_probe){"velocity", "m/s", 2, 1};
    for (int i = 0; i < 4; i++) {
        f.variant[i].name = "run";
        make(&f.rope[i], 10, 1.0, 0.0, 0.1 * i);
        f.run[i] = (haw_study_run){.variant = &f.variant[i],
                                   .has_run = true,
                                   .is_done = true,
                                   .summary = {.step = 1.0e-3},
                                   .elements = 10,
                                   .points = 10,
                                   .frames = 2,
                                   .values = 3,
                                   .time = f.time,
                                   .value = f.value[i],
                                   .probes = 2,
                                   .probe = f.probe,
                                   .cables = 1,
                                   .cable = &f.rope[i].cable};
    }
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;

    haw_arena_fini(&f->arena);
    haw_context_free(f->context);
    return 0;
}

static void the_finest_run_is_the_reference(void **state)
{
    fixture *f = *state;

    assert_int_equal(haw_study_finest(&f->study), 3); /* all alike: the last */
    f->run[1].elements = 11;
    assert_int_equal(haw_study_finest(&f->study), 1);
    f->run[2].points = 11;
    assert_int_equal(haw_study_finest(&f->study), 2);
    f->run[0].summary.step = 0.5e-3;
    assert_int_equal(haw_study_finest(&f->study), 0);
    f->run[0].is_done = false; /* the finest that came to its end */
    assert_int_equal(haw_study_finest(&f->study), 2);
    for (int i = 0; i < 4; i++) {
        f->run[i].has_run = f->run[i].is_done = false;
    }
    assert_int_equal(haw_study_finest(&f->study), -1);
}

/* Probes by their last values, over the largest magnitude that the reference had. */
static void probes_are_compared_at_the_end(void **state)
{
    fixture *f = *state;
    const double reference[6] = {10.0, 3.0, 4.0, 0.0, 0.0, 1.0};
    const double other[6] = {99.0, 9.0, 9.0, 0.5, 0.3, 1.4};

    memcpy(f->value[3], reference, sizeof reference);
    memcpy(f->value[0], other, sizeof other);
    f->study.reference = 3;
    assert_int_equal(haw_study_compare(&f->study), HAW_OK);
    assert_near(f->run[0].probe_error[0], 0.05, 1.0e-15, 0.0);
    assert_near(f->run[0].probe_error[1], 0.1, 1.0e-15, 0.0);
    assert_near(f->run[0].tension_l2, distance(f->run[0].cable, f->run[3].cable), 0.0, 1.0e-15);
    assert_near(f->run[0].error, f->run[0].probe_error[1], 0.0, 0.0);
    assert_true(f->run[0].tension_l2 > 0.0 && f->run[0].tension_l2 < 0.1);
    assert_near(f->run[3].error, 0.0, 0.0, 0.0);
}

/* A rod in pure bending has no tension that could be compared. */
static void a_profile_of_rounding_has_no_error(void **state)
{
    fixture *f = *state;

    for (int i = 0; i < 4; i++) {
        f->rope[i].cable.stiffness = 1.0e6;
        for (int e = 0; e < 10; e++) {
            f->rope[i].tension[e] = i == 0 ? 1.0e-5 : 1.0e-4;
        }
    }
    f->study.reference = 3;
    assert_int_equal(haw_study_compare(&f->study), HAW_OK);
    assert_true(isnan(f->run[0].tension_l2));
    assert_near(f->run[0].error, 0.0, 0.0, 0.0);
}

/* A probe that is zero all along: no distance if the other is, none that could be told if not. */
static void a_probe_without_a_scale_has_no_relative_error(void **state)
{
    fixture *f = *state;

    f->study.reference = 3;
    f->value[1][3] = 1.0;
    assert_int_equal(haw_study_compare(&f->study), HAW_OK);
    assert_near(f->run[0].probe_error[0], 0.0, 0.0, 0.0);
    assert_true(isnan(f->run[1].probe_error[0]));
}

static void a_run_that_ended_early_has_no_error(void **state)
{
    fixture *f = *state;
    double early[2] = {0.0, 0.3};

    f->run[1].time = early;
    f->study.reference = 3;
    assert_int_equal(haw_study_compare(&f->study), HAW_OK);
    assert_true(isnan(f->run[1].error) && isnan(f->run[1].tension_l2));
    assert_true(isnan(f->run[1].probe_error[0]));
    assert_true(isfinite(f->run[0].error));
}

static void probes_are_matched_by_their_names(void **state)
{
    fixture *f = *state;
    haw_study_probe other[2] = {{"velocity", "m/s", 2, 0}, {"torque", "N m", 1, 2}};
    const double reference[6] = {0.0, 0.0, 0.0, 7.0, 3.0, 4.0}, got[6] = {0.0, 0.0, 0.0, 3.0, 4.0};

    memcpy(f->value[3], reference, sizeof reference);
    memcpy(f->value[0], got, sizeof got);
    f->run[0].probe = other;
    f->study.reference = 3;
    assert_int_equal(haw_study_compare(&f->study), HAW_OK);
    assert_near(f->run[0].probe_error[0], 0.0, 0.0, 0.0);
    assert_true(isnan(f->run[0].probe_error[1]));
}

/* ---- convergence ---- */

enum { FRAMES = 11 };

typedef struct series {
    haw_study_probe probe;
    haw_study_run run;
    double time[FRAMES], value[FRAMES];
} series;

/* cos(t) - error h^order t, at most 1, every so many tenths of a second. */
static const haw_study_run *follow(series *s, double step, double order, double error, int every)
{
    *s = (series){.probe = {"x", "m", 1, 0}};
    s->run = (haw_study_run){.values = 1,
                             .probes = 1,
                             .probe = &s->probe,
                             .time = s->time,
                             .value = s->value,
                             .frames = (FRAMES - 1) / every + 1};
    s->run.summary.step = step;
    for (int i = 0; i < s->run.frames; i++) {
        s->time[i] = 0.1 * every * i;
        s->value[i] = cos(s->time[i]) - error * pow(step, order) * s->time[i];
    }
    return &s->run;
}

/* The differences, and with them Richardson's estimate, are those of e(h) = C h^p. */
static void the_order_and_the_error_of_a_run_are_found(void **state)
{
    static series s[3];

    (void)state;
    for (int order = 1; order <= 3; order++) {
        const haw_study_run *const run[3] = {follow(&s[0], 0.1, order, 0.7, 1),
                                             follow(&s[1], 0.05, order, 0.7, 1),
                                             follow(&s[2], 0.025, order, 0.7, 1)};
        double square = 0.0;
        for (int i = 0; i < FRAMES; i++) {
            square += pow(0.7 * pow(0.1, order) * 0.1 * i, 2.0);
        }
        const haw_study_richardson r = haw_study_refine(run, &s[0].probe);

        assert_near(r.order, order, 1.0e-9, 0.0);
        assert_near(r.error, sqrt(square / FRAMES), 1.0e-9, 0.0);
    }
}

/* A part of rounding is as large as the whole, and no reason to take smaller steps; a micrometre is
 * none. */
static void what_is_at_rest_has_converged(void **state)
{
    static series s[3];

    static const struct {
        const char *unit;
        double size;
        bool is_at_rest;
    } way[] = {{"m", 1e-13, true},   {"m", 1e-11, false},  {"rad", 1e-13, true},
               {"m/s", 1e-13, true}, {"m/s", 1e-6, false}, {"N", 1e-13, false}};

    (void)state;
    for (size_t k = 0; k < sizeof way / sizeof *way; k++) {
        const haw_study_run *run[3];
        for (int i = 0; i < 3; i++) {
            run[i] = follow(&s[i], 0.1 / (1 << i), 1.0, 0.0, 1);
            s[i].probe.unit = way[k].unit;
            for (int j = 0; j < FRAMES; j++) {
                s[i].value[j] = way[k].size * sin(7.0 * i + j);
            }
        }
        const haw_study_richardson r = haw_study_refine(run, &s[0].probe);
        assert_true(way[k].is_at_rest ? r.error <= 0.0 : r.error > 0.5);
    }
}

static void frames_that_only_one_run_has_do_not_count(void **state)
{
    static series a, b;

    (void)state;
    follow(&a, 0.1, 1.0, 0.7, 1);
    follow(&b, 0.1, 1.0, 0.7, 5);
    assert_near(haw_study_history_error(&a.run, &a.probe, &b.run), 0.0, 0.0, 1.0e-14);
    b.value[1] -= 0.3; /* one of three */
    assert_near(haw_study_history_error(&a.run, &a.probe, &b.run), 0.3 / sqrt(3.0), 1.0e-12, 0.0);
}

/* A time that no run has reached is the same; one that only one has is not. */
static void what_has_not_happened_is_no_number(void **state)
{
    static series a, b;

    (void)state;
    follow(&a, 0.1, 1.0, 0.0, 1);
    follow(&b, 0.1, 1.0, 0.0, 1);
    a.value[FRAMES - 1] = b.value[FRAMES - 1] = (double)NAN;
    assert_near(haw_study_history_error(&a.run, &a.probe, &b.run), 0.0, 0.0, 0.0);
    b.value[FRAMES - 1] = 1.0;
    assert_true(isinf(haw_study_history_error(&a.run, &a.probe, &b.run)));
}

#define WITH_RUNS(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

TEST_FILE(test_study)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_profile_has_no_distance_from_itself),
        cmocka_unit_test(a_shift_has_its_closed_distance),
        cmocka_unit_test(a_turned_wave_has_its_closed_distance),
        cmocka_unit_test(meshes_and_lengths_may_differ),
        cmocka_unit_test(a_closed_profile_goes_on_over_its_seam),
        cmocka_unit_test(the_order_and_the_error_of_a_run_are_found),
        cmocka_unit_test(what_is_at_rest_has_converged),
        cmocka_unit_test(frames_that_only_one_run_has_do_not_count),
        cmocka_unit_test(what_has_not_happened_is_no_number),
        WITH_RUNS(the_finest_run_is_the_reference),
        WITH_RUNS(probes_are_compared_at_the_end),
        WITH_RUNS(a_profile_of_rounding_has_no_error),
        WITH_RUNS(a_probe_without_a_scale_has_no_relative_error),
        WITH_RUNS(a_run_that_ended_early_has_no_error),
        WITH_RUNS(probes_are_matched_by_their_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
