/* SPDX-License-Identifier: BSD-3-Clause */
/* Printed figures of grooves and of the traction of a lift. */
#include "support/rope_theory.h"

/* ---- grooves ---- */

typedef struct groove_row {
    const char *kind;
    double gamma, beta;
    const char *factor, *tenth, *fifth; /* f / mu, e^(f pi) for mu = 0.1 and 0.2 */
} groove_row;

static const groove_row grooves[] = {
    {"flat", 0, 0, "1", "1.3691078", "1.8744561"},
    {"u", 0, 0, "1.273239545", "1.4918247", "2.2255409"},
    {"undercut", 25, 90, "1.932850767", "1.8353276", "3.3684273"},
    {"undercut", 0, 90, "2.052523501", "1.9056426", "3.6314737"},
    {"v", 35, 0, "3.325509523", "2.8426583", "8.0807061"},
    {"v", 60, 0, "2", "1.8744561", "3.5135856"},
};

static void grooves_have_the_printed_factors(void **state)
{
    for (int i = 0; i < COUNT(grooves); ++i) {
        const groove_row *row = &grooves[i];
        for (int k = 1; k <= 2; ++k) {
            const setting set[] = {
                {"gamma-deg", row->gamma}, {"beta-deg", row->beta}, {"mu", 0.1 * k}};
            haw_theory_result r =
                rope_run(*state, "groove", (word){"groove", row->kind}, COUNT(set), set);
            assert_printed(value(&r, "f_over_mu"), row->factor);
            assert_digits(value(&r, "ratio"), k == 1 ? row->tenth : row->fifth);
            assert_near(value(&r, "f"), 0.1 * k * value(&r, "f_over_mu"), 0, 1e-15);
            haw_theory_result_free(*state, &r);
        }
    }
}

/* A trade note's table for mu = 0.09 over half a turn. */
static void grooves_agree_with_a_trade_note(void **state)
{
    const groove_row note[] = {{"v", 35, 0, "2.5607", "2.56", NULL},
                               {"u", 0, 0, "1.4333", "1.43", NULL},
                               {"undercut", 0, 90, "1.7866", "1.79", NULL},
                               {"undercut", 0, 105, "1.9763", "1.98", NULL}};
    for (int i = 0; i < COUNT(note); ++i) {
        const setting set[] = {
            {"gamma-deg", note[i].gamma}, {"beta-deg", note[i].beta}, {"mu", 0.09}};
        haw_theory_result r =
            rope_run(*state, "groove", (word){"groove", note[i].kind}, COUNT(set), set);
        assert_digits(value(&r, "ratio"), note[i].factor);
        assert_digits(value(&r, "ratio"), note[i].tenth);
        haw_theory_result_free(*state, &r);
    }
}

/* int p dpsi / int p cos(psi) dpsi of the pressure cos(psi) on both sides, by the midpoint rule. */
static void seat_factor_is_an_integral_of_the_pressure(void **state)
{
    const double angles[][2] = {{0, 0}, {90, 25}, {40, 60}, {106, 30}, {5, 170}};
    for (int i = 0; i < COUNT(angles); ++i) {
        const setting set[] = {{"beta-deg", angles[i][0]}, {"gamma-deg", angles[i][1]}};
        haw_theory_result r =
            rope_run(*state, "groove", (word){"groove", "undercut"}, COUNT(set), set);
        const double from = angles[i][0] * pi / 360, to = pi / 2 - angles[i][1] * pi / 360;
        const int n = 20000;
        double friction = 0, load = 0;
        for (int k = 0; k < n; ++k) {
            const double psi = from + (to - from) * (k + 0.5) / n;
            friction += cos(psi);
            load += cos(psi) * cos(psi);
        }
        assert_near(value(&r, "f_over_mu"), friction / load, 0, 1e-8);
        haw_theory_result_free(*state, &r);
    }
}

/* A rope that still sinks into a V: the bound 2.21041 for mu = 0.1, 35 degrees. */
static void sinking_rope_holds_less(void **state)
{
    const setting set[] = {{"mu", 0.1}};
    haw_theory_result r = rope_run(*state, "groove", (word){"groove", "v"}, 1, set);
    assert_digits(value(&r, "ratio_sinking"), "2.21041");
    haw_theory_result_free(*state, &r);
}

/* ---- traction ---- */

static void traction_prints_three_cases(void **state)
{
    const setting set[] = {{"t1", 13000},           {"t2", 9000},   {"gamma-deg", 25},
                           {"beta-deg", 90},        {"speed", 2.5}, {"radius", 0.24},
                           {"rope-diameter", 0.01}, {"ropes", 4},   {"breaking-load", 6e4}};
    haw_theory_result r =
        rope_run(*state, "traction", (word){"groove", "undercut"}, COUNT(set), set);
    const double ratio = 13.0 / 9, factor = 1.932850767;
    assert_near(value(&r, "T_high"), 13000, 0, 0);
    assert_near(value(&r, "T_low_stalled"), 9000, 0, 0);
    assert_near(value(&r, "ratio_braking"), ratio, 0, 1e-15);
    assert_near(value(&r, "alpha"), pi, 0, 0);
    assert_near(value(&r, "margin_loading"), exp(0.1 * factor * pi) / ratio, 0, 1e-9);
    assert_near(value(&r, "margin_braking"), exp(0.08 * factor * pi) / ratio, 0, 1e-9);
    assert_near(value(&r, "margin_stalled"), ratio / exp(0.2 * factor * pi), 0, 1e-9);
    assert_near(value(&r, "diameter_ratio"), 48, 0, 1e-15);
    assert_near(value(&r, "specific_pressure"), 13000 / 4.0 / (0.01 * 0.48), 0, 1e-14);
    assert_near(value(&r, "safety_factor"), 24e4 / 13000, 0, 1e-15);
    assert_string_equal(haw_theory_word(&r, "loading"), "holds");
    assert_string_equal(haw_theory_word(&r, "stalled"), "holds");
    assert_string_equal(haw_theory_word(&r, "groove"), "undercut");
    assert_non_null(strstr(haw_theory_word(&r, "check"), "standard"));
    haw_theory_result_free(*state, &r);
}

/* Each case has its own tensions; the verdict is that of all three. */
static void traction_takes_a_pair_for_each_case(void **state)
{
    const double f = 0.1 * 1.932850767;
    const setting set[] = {{"t1", 2000},          {"t2", 1000},         {"t1-loading", 13000},
                           {"t2-loading", 9000},  {"t2-braking", 9400}, {"t1-braking", 12500},
                           {"t1-stalled", 10000}, {"speed", 2.5},       {"t2-stalled", 900}};
    for (int i = 0; i < 2; i++) { /* the last tension may be that of all cases */
        const int count = COUNT(set) - i;
        haw_theory_result r =
            rope_run(*state, "traction", (word){"groove", "undercut"}, count, set);
        assert_near(value(&r, "margin_loading"), exp(f * pi) * 9 / 13, 0, 1e-9);
        assert_near(value(&r, "margin_braking"), exp(0.8 * f * pi) * 94 / 125, 0, 1e-9);
        assert_near(value(&r, "ratio_stalled"), i == 0 ? 100.0 / 9 : 10, 0, 1e-15);
        assert_near(value(&r, "T_high"), 13000, 0, 0);
        assert_string_equal(haw_theory_word(&r, "verdict"),
                            "suitable: it holds where it must, and slips when stalled");
        haw_theory_result_free(*state, &r);
    }
    const setting even[] = {{"t1", 1000}, {"t2", 1000}, {"t2-braking", 3000}};
    haw_theory_result r = rope_run(*state, "traction", (word){"groove", "undercut"}, 2, even);
    assert_string_equal(haw_theory_word(&r, "verdict"),
                        "not suitable: it does not slip when stalled");
    haw_theory_result_free(*state, &r);
    r = rope_run(*state, "traction", (word){"groove", "undercut"}, 3, even);
    assert_string_equal(
        haw_theory_word(&r, "verdict"),
        "not suitable: it slips while the car is loaded or braked, and does not when "
        "stalled");
    assert_string_equal(haw_theory_word(&r, "braking"), "slips");
    haw_theory_result_free(*state, &r);
}

/* Plain flanks wear to a seat: 4 / pi while the rope must hold, the V when it must slip. */
static void plain_flanks_hold_less(void **state)
{
    const haw_theory_ops *theory = NULL;
    theory_options options;
    haw_theory_result r;
    theory_setup("traction", 0, NULL, &theory, &options);
    assert_int_equal(haw_options_set_text(*state, theory->row.options, &options, "groove", "v"),
                     HAW_OK);
    assert_int_equal(haw_options_set_text(*state, theory->row.options, &options, "flanks", "plain"),
                     HAW_OK);
    assert_int_equal(haw_theory_evaluate(*state, theory, &options, &r), HAW_OK);
    assert_near(value(&r, "f_loading"), 0.4 / pi, 0, 1e-14);
    assert_digits(value(&r, "f_stalled"), ".665101905");
    assert_true(isnan(value(&r, "diameter_ratio")));
    haw_theory_result_free(*state, &r);
}

static void impossible_grooves_are_refused(void **state)
{
    const setting wide[] = {{"beta-deg", 120}, {"gamma-deg", 60}};
    const setting deep[] = {{"beta-deg", 30}};
    const setting sharp[] = {{"gamma-deg", 0}};
    haw_theory_result r;
    assert_int_equal(rope_try(*state, "groove", (word){"groove", "undercut"}, 2, wide, &r),
                     HAW_ERR_INPUT);
    assert_int_equal(rope_try(*state, "groove", (word){"groove", "u"}, 1, deep, &r), HAW_ERR_INPUT);
    assert_int_equal(rope_try(*state, "groove", (word){"groove", "v"}, 1, sharp, &r),
                     HAW_ERR_INPUT);
    assert_int_equal(rope_try(*state, "traction", (word){"groove", "v"}, 1, sharp, &r),
                     HAW_ERR_INPUT);
}

TEST_FILE(test_theory_groove)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grooves_have_the_printed_factors),
        cmocka_unit_test(grooves_agree_with_a_trade_note),
        cmocka_unit_test(seat_factor_is_an_integral_of_the_pressure),
        cmocka_unit_test(sinking_rope_holds_less),
        cmocka_unit_test(traction_prints_three_cases),
        cmocka_unit_test(traction_takes_a_pair_for_each_case),
        cmocka_unit_test(plain_flanks_hold_less),
        cmocka_unit_test(impossible_grooves_are_refused),
    };
    return cmocka_run_group_tests(tests, theory_create, theory_free);
}
