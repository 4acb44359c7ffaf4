/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The published contact of a circle and the chords of an element: forces and post-Newton step
 * against vectors from an independent implementation. Their tangent is the opposite one of the
 * project's: friction, slip and stick positions change sign.
 */
#include "support/compliant_stage.h"
#include "support/csv.h"
#include "support/vector.h"

enum { CHORDS = 4 };

static csv_table golden;

static void column(const char *prefix, const char *name, double value[8])
{
    char key[64];
    snprintf(key, sizeof key, "%s%s", prefix, name);
    const int c = csv_column(&golden, key);
    for (int i = 0; i < 8; i++) {
        value[i] = csv_at(&golden, i, c);
    }
}

/* A case of the file: parameters k, d, mu_v, mu_k, mu, L, chords; body x, y, angle, rates, r. */
static void open_case(compliant_stage *s, const char *prefix, double offset)
{
    double body[8], parameter[8];
    column(prefix, "body", body);
    column(prefix, "par", parameter);
    stage_init(s);
    s->body[STAGE_DISK].shape_options[0] = body[6];
    s->cable.to[0] = parameter[5];
    s->contact.points_per_element = (int)parameter[6];
    s->contact.normal_stiffness = parameter[0];
    s->contact.normal_damping = parameter[1];
    s->contact.tangential_damping = parameter[2];
    s->contact.tangential_stiffness = parameter[3];
    s->contact.friction = parameter[4];
    s->contact.switching = HAW_SWITCHING_POST_NEWTON;
    s->contact.offset = offset;
    stage_build(s);
    double q[8], u[8];
    column(prefix, "q", q);
    column(prefix, "u", u);
    memcpy(stage_cable(s, s->q), q, sizeof q);
    memcpy(stage_cable(s, s->u), u, sizeof u);
    memcpy(stage_body(s, s->q, STAGE_DISK), body, 3 * sizeof(double));
    memcpy(stage_body(s, s->u, STAGE_DISK), body + 3, 3 * sizeof(double));
}

/* Histories from gaps, slips and stick positions of the file. */
static void set_histories(const compliant_stage *s, const char *prefix, const char *which)
{
    static const char *const names[] = {"gap", "slip", "xref"};
    double value[3][8];
    for (int k = 0; k < 3; k++) {
        char name[32];
        snprintf(name, sizeof name, "%s%s", which, names[k]);
        column(prefix, name, value[k]);
    }
    for (int i = 0; i < CHORDS; i++) {
        double *history = stage_history(s, i);
        history[0] = value[0][i];
        history[1] = value[1][i] == -2 ? HAW_REGIME_NONE : -value[1][i];
        history[2] = -value[2][i];
    }
}

/* The vectors of the file are on the left-hand side of the equations of motion. */
static void compare_forces(const compliant_stage *s, const char *prefix)
{
    double cable[8], body[8];
    column(prefix, "fq", cable);
    column(prefix, "fbody", body);
    for (int i = 0; i < 8; i++) {
        assert_near(stage_cable(s, s->total)[i], -cable[i], 1e-13 * vector_largest(8, cable),
                    1e-10);
    }
    for (int i = 0; i < 3; i++) {
        assert_near(stage_body(s, s->total, STAGE_DISK)[i], -body[i],
                    1e-13 * vector_largest(3, body), 1e-10);
    }
}

/* Forces, gaps of the chords that commit reports. */
static void compare_chords(compliant_stage *s, const char *prefix)
{
    double friction[8], normal[8], gap[8];
    column(prefix, "ft", friction);
    column(prefix, "fn", normal);
    column(prefix, "gap", gap);
    stage_commit(s);
    int found = 0;
    for (int i = 0; i < s->contacts->count; i++) {
        const int id = s->contacts->item[i].id;
        assert_near(s->contacts->impulse[2 * i], -normal[id], 1e-12, 1e-10);
        assert_near(s->contacts->impulse[2 * i + 1], friction[id], 1e-12, 1e-10);
        assert_near(s->contacts->item[i].gap, gap[id], 1e-16, 1e-10);
        found++;
    }
    assert_true(found > 0);
}

static void test_frozen_forces_of_a_coarse_element_with_and_without_offset(void **unused)
{
    (void)unused;
    static const char *const prefix[] = {"coarse0_", "coarse5_"};
    for (int i = 0; i < 2; i++) {
        compliant_stage s;
        open_case(&s, "coarse_", i == 0 ? 0 : -0.005);
        set_histories(&s, "coarse_", "");
        haw_compliant_begin(s.compliant, s.state, HAW_DYNAMICS, 1);
        stage_evaluate(&s);
        assert_int_equal(haw_compliant_closed(s.compliant), 3);
        compare_forces(&s, prefix[i]);
        compare_chords(&s, prefix[i]);
        stage_close(&s);
    }
}

/*
 * The published data of the iterate differ from those at the start of the step: both are given.
 * `start` must stay what the switch refers to while Newton uses `cur`, so one switch is made from a
 * state in which it leaves exactly these data behind.
 */
static void test_forces_and_post_newton_step_of_an_element_on_a_pulley(void **unused)
{
    (void)unused;
    compliant_stage s;
    double error[8], gap[8], slip[8], stick[8];
    open_case(&s, "arc_", -5e-5);
    set_histories(&s, "arc_", "cur_");
    haw_compliant_begin(s.compliant, s.state, HAW_DYNAMICS, 1);
    stage_evaluate(&s);
    compare_forces(&s, "arc_");
    set_histories(&s, "arc_", "start_"); /* begin has copied what Newton uses */
    column("arc_", "error", error);
    assert_near(haw_compliant_switch(s.compliant), error[0], 0, 1e-10);
    compare_chords(&s, "arc_");
    column("arc_", "pns_new_gap", gap);
    column("arc_", "pns_new_slip", slip);
    column("arc_", "pns_new_xref", stick);
    for (int i = 0; i < CHORDS; i++) {
        const double *history = stage_history(&s, i);
        assert_near(history[0], gap[i], 0, 1e-10);
        assert_near(history[1], -slip[i], 0, 0);
        assert_near(history[2], -stick[i], 1e-16, 1e-12);
    }
    stage_close(&s);
}

static int open_file(void **unused)
{
    (void)unused;
    csv_read("data/reference/beltdrive/contact_golden.csv", &golden);
    return golden.rows == 8 ? 0 : -1;
}

static int close_file(void **unused)
{
    (void)unused;
    csv_free(&golden);
    return 0;
}

TEST_FILE(test_compliant_published)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frozen_forces_of_a_coarse_element_with_and_without_offset),
        cmocka_unit_test(test_forces_and_post_newton_step_of_an_element_on_a_pulley),
    };
    return cmocka_run_group_tests(tests, open_file, close_file);
}
