/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Printed figures of the rope theories. Loads 1 and 3 kN on a sheave of 1 m over half a turn are
 * given in kN and kN/m, so the options are 1 and 3.
 */
#include "support/rope_theory.h"

/* 0, 15, ... 180 degrees with 13 points. */
static double at(const haw_theory_result *r, const char *key, int degrees)
{
    const haw_quantity *profile = theory_profile(r, key);
    assert_int_equal(profile->count, 13);
    return profile->value[degrees / 15];
}

/* ---- creep and Firbank ---- */

static const setting loads[] = {{"t1", 1}, {"t2", 3}, {"mu-k", 0.4}, {"mu-s", 0.5}, {"points", 13}};

typedef struct printed_row {
    int degrees;
    const char *creep[2], *printed[2], *consistent[2]; /* T and t */
} printed_row;

static const printed_row table[] = {
    {0, {"1", "0.4"}, {"1", "0.4"}, {"1", "0.4"}},
    {45,
     {"1.369107771", ".547643108"},
     {"1.369107771", ".547643108"},
     {"1.369107771", ".547643108"}},
    {90,
     {"1.874456088", ".749782435"},
     {"1.874456088", ".749782435"},
     {"1.874456088", ".749782435"}},
    {120,
     {"2.311179594", ".924471838"},
     {"2.311179594", ".924471838"},
     {"2.311179594", ".924471838"}},
    {135,
     {"2.566332395", "1.026532958"},
     {"2.519626913", ".849347750"},
     {"2.583077398", "1.061684688"}},
    {150,
     {"2.849653908", "1.139861563"},
     {"2.679751275", ".566231834"},
     {"2.814701066", ".707789792"}},
    {165, {"3", "0"}, {"2.839875638", ".283115917"}, {"2.953675266", ".353894896"}},
    {180, {"3", "0"}, {"3", "0"}, {"3", "0"}},
};

static void assert_column(const haw_theory_result *r, int degrees, const char *const printed[2])
{
    assert_near(at(r, "tension", degrees), strtod(printed[0], NULL),
                fmax(half_digit(printed[0]) * (strchr(printed[0], '.') != NULL), 1e-14), 0);
    assert_near(at(r, "tangential", degrees), strtod(printed[1], NULL),
                fmax(half_digit(printed[1]) * (strlen(printed[1]) > 4), 1e-14), 0);
}

static void creep_and_firbank_have_the_printed_profiles(void **state)
{
    const word printed = {"form", "printed"};
    haw_theory_result creep = rope_run(*state, "creep", no_word, COUNT(loads), loads);
    haw_theory_result wrong = rope_run(*state, "firbank", printed, COUNT(loads), loads);
    haw_theory_result right = rope_run(*state, "firbank", no_word, COUNT(loads), loads);
    for (int i = 0; i < COUNT(table); ++i) {
        assert_column(&creep, table[i].degrees, table[i].creep);
        assert_column(&wrong, table[i].degrees, table[i].printed);
        assert_column(&right, table[i].degrees, table[i].consistent);
    }
    haw_theory_result_free(*state, &creep);
    haw_theory_result_free(*state, &wrong);
    haw_theory_result_free(*state, &right);
}

static void creep_and_firbank_have_the_printed_constants(void **state)
{
    const word printed = {"form", "printed"};
    haw_theory_result creep = rope_run(*state, "creep", no_word, COUNT(loads), loads);
    haw_theory_result wrong = rope_run(*state, "firbank", printed, COUNT(loads), loads);
    haw_theory_result right = rope_run(*state, "firbank", no_word, COUNT(loads), loads);
    assert_digits(value(&creep, "slip_angle"), "2.746530721670");
    assert_digits(value(&creep, "slip_angle") * 180 / pi, "157.364618655");
    assert_near(value(&creep, "tangential_sum"), 2, 1e-12, 0);
    assert_digits(value(&right, "slip_angle"), "2.236666562294");
    assert_digits(value(&right, "slip_angle") * 180 / pi, "128.151554198");
    assert_digits(value(&right, "tension_stick"), "2.446520044674");
    assert_digits(value(&right, "a2"), "-1.3517789288");
    assert_digits(value(&right, "b2"), "4.2467387520");
    assert_near(value(&right, "tangential_sum"), 2, 1e-12, 0);
    assert_digits(value(&wrong, "slip_angle"), "2.236666562294");
    assert_digits(value(&wrong, "a1"), ".6116300112");
    assert_digits(value(&wrong, "b1"), "1.0785076502");
    assert_digits(value(&wrong, "a2"), "-1.0814231430");
    assert_digits(value(&wrong, "b2"), "3.3973910016");
    assert_digits(value(&wrong, "tangential_sum"), "1.889304008935");
    assert_string_equal(haw_theory_word(&right, "form"), "consistent");
    assert_non_null(strstr(haw_theory_word(&wrong, "form"), "inconsistent"));
    haw_theory_result_free(*state, &creep);
    haw_theory_result_free(*state, &wrong);
    haw_theory_result_free(*state, &right);
}

/* Below T2 / T1 = 1 + mu_s W / 2 no bristle breaks away, and t is 0 ... 2 (T2 - T1) / (R W). */
static void firbank_slips_above_its_threshold(void **state)
{
    const double threshold = 1 + 0.25 * pi;
    for (int i = -1; i <= 1; i += 2) {
        const setting set[] = {{"t1", 1},      {"t2", threshold + 1e-9 * i},
                               {"mu-k", 0.4},  {"mu-s", 0.5},
                               {"points", 13}, {"radius", 2}};
        haw_theory_result r = rope_run(*state, "firbank", no_word, COUNT(set), set);
        assert_true((value(&r, "slip_angle") > 0) == (i > 0));
        assert_near(at(&r, "tangential", 90), (threshold - 1) / (2 * pi), 1e-8, 0);
        assert_near(at(&r, "tangential", 180), 0, 1e-15, 0);
        haw_theory_result_free(*state, &r);
    }
}

/* The rope drives: slip at the high end, e^(mu_k beta) / (1 - mu_s (W - beta) / 2) = T2 / T1. */
static void braking_sheave_slips_at_the_high_end(void **state)
{
    const setting set[] = {{"t1", 1}, {"t2", 3}, {"mu", 0.4}, {"points", 13}};
    haw_theory_result creep = rope_run(*state, "creep", braking, COUNT(set), set);
    haw_theory_result belt = rope_run(*state, "firbank", braking, COUNT(set), set);
    const double beta = value(&belt, "slip_angle");
    assert_near(exp(0.4 * beta) / (1 - 0.2 * (pi - beta)), 3, 1e-14, 0);
    assert_near(value(&creep, "slip_angle"), log(3) / 0.4, 0, 1e-15);
    assert_near(at(&creep, "tension", 15), 1, 0, 0);
    assert_near(at(&creep, "tangential", 15), 0, 0, 0);
    assert_near(at(&creep, "tension", 165), 3 * exp(-0.4 * pi / 12), 0, 1e-14);
    assert_near(at(&creep, "tangential", 180), 1.2, 0, 1e-14);
    assert_near(at(&belt, "tangential", 0), 0, 0, 0);
    assert_near(at(&belt, "tangential", 180), 1.2, 0, 1e-14);
    assert_near(at(&belt, "tension", 180), 3, 0, 1e-14);
    assert_near(value(&belt, "tangential_sum"), 2, 1e-12, 0);
    haw_theory_result_free(*state, &creep);
    haw_theory_result_free(*state, &belt);
}

/* ---- bristles at rest ---- */

typedef struct bristle_row {
    double r;
    const char *regime, *low, *high, *t_i, *t_ii, *least, *t_start, *t_end;
} bristle_row;

/* Smallest tensions: T_m = 2 sqrt(T_I T_II) where T' = 0 inside the adherence arc. */
static const bristle_row bristles[] = {
    {.1, "slip-low", ".445411845", NULL, "3.585066512", "-2.612726436", "1", ".5", ".681668484"},
    {.3, "stick", NULL, NULL, "1.199234314", "-.199234314", "1", ".419540588", ".946580322"},
    {.6, "slip-high", NULL, "2.124278849", ".462262069", ".537737931", ".997147629", "-.045285517",
     "1.5"},
    {1, "slip-high", NULL, "1.019054419", ".281002048", ".718997952", ".898976968", "-.437995903",
     "1.5"},
    {1.5, "slip-both", ".241134978", ".703233098", ".205793458", ".848461873", ".835722209", "-.5",
     "1.5"},
};

static void bristles_at_rest_have_the_printed_figures(void **state)
{
    for (int i = 0; i < COUNT(bristles); ++i) {
        const bristle_row *row = &bristles[i];
        const setting set[] = {{"t1", 1}, {"t2", 3}, {"mu", 0.5}, {"r", row->r}};
        haw_theory_result r = rope_run(*state, "bristle", no_word, COUNT(set), set);
        assert_string_equal(haw_theory_word(&r, "regime"), row->regime);
        assert_near(value(&r, "alpha_low"), row->low != NULL ? strtod(row->low, NULL) : 0,
                    row->low != NULL ? half_digit(row->low) : 0, 0);
        assert_near(value(&r, "alpha_high"), row->high != NULL ? strtod(row->high, NULL) : pi,
                    row->high != NULL ? half_digit(row->high) : 0, 0);
        assert_printed(value(&r, "T_I"), row->t_i);
        assert_printed(value(&r, "T_II"), row->t_ii);
        assert_printed(value(&r, "tension_min"), row->least);
        assert_printed(value(&r, "t_start"), row->t_start);
        assert_printed(value(&r, "t_end"), row->t_end);
        assert_near(value(&r, "tangential_sum"), 2, 1e-12, 0);
        haw_theory_result_free(*state, &r);
    }
}

static void bristles_at_rest_have_the_printed_profiles(void **state)
{
    const setting soft[] = {{"t1", 1}, {"t2", 3}, {"mu", 0.5}, {"r", 0.6}, {"points", 13}};
    const setting stiff[] = {{"t1", 1}, {"t2", 3}, {"mu", 0.5}, {"r", 1}, {"points", 13}};
    haw_theory_result r = rope_run(*state, "bristle", no_word, COUNT(soft), soft);
    assert_digits(at(&r, "tension", 45), "1.076204810");
    assert_digits(at(&r, "tension", 90), "1.395853696");
    assert_digits(at(&r, "tension", 120), "1.777242707");
    assert_digits(at(&r, "tension", 135), "2.025695720");
    assert_digits(at(&r, "tangential", 45), ".242917318");
    assert_digits(at(&r, "tangential", 90), ".586069529");
    assert_digits(at(&r, "tangential", 120), ".882691208");
    assert_digits(at(&r, "tangential", 135), "1.012847860");
    haw_theory_result_free(*state, &r);
    r = rope_run(*state, "bristle", no_word, COUNT(stiff), stiff);
    assert_digits(at(&r, "tension", 45), ".944134767");
    assert_digits(at(&r, "tension", 90), "1.367814383");
    assert_digits(at(&r, "tangential", 15), "-.188291485");
    assert_digits(at(&r, "tangential", 45), ".288497607");
    haw_theory_result_free(*state, &r);
}

static void regimes_change_at_the_printed_stiffness(void **state)
{
    const char *const printed[] = {".529978346813", "1.071320694257"};
    const char *const regime[] = {"stick", "slip-high", "slip-both"};
    for (int i = 0; i < 2; ++i) {
        for (int side = 0; side < 2; ++side) {
            const double r = strtod(printed[i], NULL) + (side == 0 ? -6e-13 : 6e-13);
            const setting set[] = {{"t1", 1}, {"t2", 3}, {"mu", 0.5}, {"r", r}};
            haw_theory_result result = rope_run(*state, "bristle", no_word, COUNT(set), set);
            assert_string_equal(haw_theory_word(&result, "regime"), regime[i + side]);
            haw_theory_result_free(*state, &result);
        }
    }
}

/* 1 / EA* = 1 / EA + 1 / (k_n R^2), r^2 = k_t R^2 / EA*; given r goes before, and tells k_t. */
static void stiffnesses_give_the_ratio(void **state)
{
    const setting elevator[] = {{"ea", 1.6e7}, {"kn", 3e8}, {"kt", 1e7}, {"radius", 0.24}};
    const setting rigid[] = {{"ea", 1.6e7}, {"kt", 1e8}, {"r", 0.5}, {"radius", 0.24}};
    haw_theory_result r = rope_run(*state, "bristle", no_word, COUNT(elevator), elevator);
    assert_digits(value(&r, "r"), ".263312");
    assert_near(value(&r, "EA_star"), 8.307692e6, 0.5, 0);
    haw_theory_result_free(*state, &r);
    r = rope_run(*state, "bristle-steady", (word){"kn", "rigid"}, COUNT(rigid), rigid);
    assert_near(value(&r, "EA_star"), 1.6e7, 0, 0);
    assert_near(value(&r, "k_t"), 0.25 * 1.6e7 / (0.24 * 0.24), 0, 1e-15);
    assert_near(value(&r, "r"), 0.5, 0, 0);
    haw_theory_result_free(*state, &r);
}

/* ---- bristles on a turning sheave ---- */

static void turning_bristles_have_the_printed_slip_arcs(void **state)
{
    const double r[] = {0.1, 0.6, 2, 20};
    const char *const drive[] = {"2.401648975", "2.410298191", "2.469228303", "2.697037643"};
    const char *const brake[] = {"2.264938223", "2.291382756", "2.415000640", "2.696037715"};
    for (int i = 0; i < 4; ++i) {
        const setting set[] = {{"t1", 1}, {"t2", 3}, {"mu", 0.4}, {"r", r[i]}};
        haw_theory_result a = rope_run(*state, "bristle-steady", driving, COUNT(set), set);
        haw_theory_result b = rope_run(*state, "bristle-steady", braking, COUNT(set), set);
        assert_digits(value(&a, "slip_angle"), drive[i]);
        assert_digits(value(&b, "slip_angle"), brake[i]);
        assert_string_equal(haw_theory_word(&a, "regime"), "slip-exit");
        assert_near(value(&a, "t_exit"), 0.4, 0, 1e-14);
        assert_near(value(&b, "t_exit"), 1.2, 0, 1e-14);
        haw_theory_result_free(*state, &a);
        haw_theory_result_free(*state, &b);
    }
}

static void turning_bristles_join_the_older_theories(void **state)
{
    const setting soft[] = {{"t1", 1}, {"t2", 3}, {"mu-s", 0.5}, {"mu-k", 0.4}, {"r", 1e-4}};
    const setting stiff[] = {{"t1", 1}, {"t2", 3}, {"mu", 0.4}, {"r", 300}};
    haw_theory_result r = rope_run(*state, "bristle-steady", driving, COUNT(soft), soft);
    assert_digits(value(&r, "slip_angle"), "2.236666563");
    haw_theory_result_free(*state, &r);
    r = rope_run(*state, "bristle-steady", driving, COUNT(stiff), stiff);
    assert_digits(value(&r, "slip_angle"), "2.743199609");
    assert_digits(value(&r, "beta_C"), "2.746530722");
    haw_theory_result_free(*state, &r);
}

static void light_loads_slip_on_stiff_bristles_only(void **state)
{
    const setting soft[] = {{"t1", 1}, {"t2", 1.3}, {"mu", 0.4}, {"r", 0.6}, {"points", 13}};
    const setting stiff[] = {{"t1", 1}, {"t2", 1.3}, {"mu", 0.4}, {"r", 2}};
    haw_theory_result r = rope_run(*state, "bristle-steady", driving, COUNT(soft), soft);
    assert_string_equal(haw_theory_word(&r, "regime"), "stick");
    assert_near(value(&r, "slip_angle"), 0, 0, 0);
    assert_digits(value(&r, "t_exit"), ".244446116");
    assert_digits(at(&r, "tangential", 90), ".082695078");
    haw_theory_result_free(*state, &r);
    r = rope_run(*state, "bristle-steady", driving, COUNT(stiff), stiff);
    assert_digits(value(&r, "stick_angle"), "2.939158403");
    haw_theory_result_free(*state, &r);
    r = rope_run(*state, "bristle-steady", braking, COUNT(stiff), stiff);
    assert_digits(value(&r, "stick_angle"), "3.040692745");
    haw_theory_result_free(*state, &r);
}

/* The slip case of the elevator, simulated with a creep of 1.1377e-3. */
static void elevator_with_stiff_bristles_slips_and_creeps(void **state)
{
    const setting set[] = {{"t1", 10056.4}, {"t2", 13140.7}, {"radius", 0.24}, {"mu", 0.16},
                           {"ea", 1.6e7},   {"kn", 3e8},     {"kt", 1e8}};
    haw_theory_result r = rope_run(*state, "bristle-steady", braking, COUNT(set), set);
    assert_near(value(&r, "stick_angle"), 2.4764, 3e-4, 0);
    assert_digits(value(&r, "creep"), ".0011398");
    haw_theory_result_free(*state, &r);
}

/* ---- refusals, names ---- */

static void infeasible_loads_are_refused(void **state)
{
    const char *const names[] = {"creep", "firbank", "bristle", "bristle-steady"};
    for (int i = 0; i < COUNT(names); ++i) {
        const setting slide[] = {{"t1", 1}, {"t2", 5}, {"mu", 0.5}};
        const setting smooth[] = {{"t1", 1}, {"t2", 1.1}, {"mu", 0}};
        const setting swapped[] = {{"t1", 2}, {"t2", 1}};
        rope_refused(*state, names[i], COUNT(slide), slide, "slides over the whole arc");
        rope_refused(*state, names[i], COUNT(smooth), smooth, "slides over the whole arc");
        rope_refused(*state, names[i], COUNT(swapped), swapped, "'t2' is the high tension");
    }
    const setting order[] = {{"mu-s", 0.4}, {"mu-k", 0.5}};
    rope_refused(*state, "firbank", 2, order, "'mu-s' must be at least");
    rope_refused(*state, "bristle-steady", 2, order, "'mu-s' must be at least");
}

static void choice_out_of_its_words_is_refused(void **state)
{
    const haw_theory_ops *theory = NULL;
    theory_options options;
    haw_theory_result r;
    theory_setup("creep", 0, NULL, &theory, &options);
    const int bad = 7;
    memcpy(options.bytes + haw_options_find(theory->row.options, "direction")->offset, &bad,
           sizeof bad);
    assert_int_equal(haw_theory_evaluate(*state, theory, &options, &r), HAW_ERR_INPUT);
    assert_non_null(strstr(haw_context_message(*state), "direction"));
}

/* mu sets both frictions, a single one sets the other. */
static void frictions_follow_what_is_given(void **state)
{
    const setting both[] = {{"t1", 1}, {"t2", 3}, {"mu", 0.5}, {"mu-k", 0.4}};
    const setting kinetic[] = {{"t1", 1}, {"t2", 3}, {"mu-k", 0.4}};
    const setting same[] = {{"t1", 1}, {"t2", 3}, {"mu", 0.4}};
    haw_theory_result a = rope_run(*state, "firbank", no_word, 4, both);
    haw_theory_result b = rope_run(*state, "firbank", no_word, 3, kinetic);
    haw_theory_result c = rope_run(*state, "firbank", no_word, 3, same);
    assert_digits(value(&a, "slip_angle"), "2.236666562294");
    assert_near(value(&b, "slip_angle"), value(&c, "slip_angle"), 0, 0);
    haw_theory_result_free(*state, &a);
    haw_theory_result_free(*state, &b);
    haw_theory_result_free(*state, &c);
}

static void capstan_knows_the_names_of_the_rope_theories(void **state)
{
    const setting named[] = {{"t1", 40}, {"mu", 0.2}};
    const setting plain[] = {{"tension", 40}, {"friction", 0.2}};
    haw_theory_result a = theory_run(*state, "capstan", 2, named);
    haw_theory_result b = theory_run(*state, "capstan", 2, plain);
    for (int i = 0; i < a.count; ++i) {
        assert_near(a.quantity[i].value[0], b.quantity[i].value[0], 0, 0);
    }
    assert_near(value(&a, "tension_high"), 40 * exp(0.2 * pi), 0, 1e-14);
    haw_theory_result_free(*state, &a);
    haw_theory_result_free(*state, &b);
}

TEST_FILE(test_theory_rope)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creep_and_firbank_have_the_printed_profiles),
        cmocka_unit_test(creep_and_firbank_have_the_printed_constants),
        cmocka_unit_test(firbank_slips_above_its_threshold),
        cmocka_unit_test(braking_sheave_slips_at_the_high_end),
        cmocka_unit_test(bristles_at_rest_have_the_printed_figures),
        cmocka_unit_test(bristles_at_rest_have_the_printed_profiles),
        cmocka_unit_test(regimes_change_at_the_printed_stiffness),
        cmocka_unit_test(stiffnesses_give_the_ratio),
        cmocka_unit_test(turning_bristles_have_the_printed_slip_arcs),
        cmocka_unit_test(turning_bristles_join_the_older_theories),
        cmocka_unit_test(light_loads_slip_on_stiff_bristles_only),
        cmocka_unit_test(elevator_with_stiff_bristles_slips_and_creeps),
        cmocka_unit_test(infeasible_loads_are_refused),
        cmocka_unit_test(choice_out_of_its_words_is_refused),
        cmocka_unit_test(frictions_follow_what_is_given),
        cmocka_unit_test(capstan_knows_the_names_of_the_rope_theories),
    };
    return cmocka_run_group_tests(tests, theory_create, theory_free);
}
