/* SPDX-License-Identifier: BSD-3-Clause */
/* What holds for every row of the table of theories. */
#include "support/failing.h"
#include "support/theory.h"

static haw_status evaluate_default(haw_context *context, void *user)
{
    const haw_theory_ops *theory = *(const haw_theory_ops *const *)user;
    theory_options options;
    haw_theory_result result;
    haw_options_init(theory->row.options, &options);
    const haw_status status = haw_theory_evaluate(context, theory, &options, &result);
    haw_theory_result_free(context, &result);
    return status;
}

static void table_has_the_documented_rows(void **state)
{
    (void)state;
    const char *const names[] = {"string-impact", "string-modes", "catenary", "capstan",
                                 "bouncing-ball", "slip-to-roll", "elastica", "roll-up"};
    for (int i = 0; i < 8; ++i) {
        const haw_theory_ops *theory = (const haw_theory_ops *)haw_row_find(haw_theories, names[i]);
        assert_non_null(theory);
        assert_string_equal(theory->row.name, names[i]);
    }
    assert_null(haw_row_find(haw_theories, "capstain"));
}

static void rows_describe_themselves(void **state)
{
    (void)state;
    for (int i = 0; haw_theories[i] != NULL; ++i) {
        const haw_theory_ops *theory = (const haw_theory_ops *)haw_theories[i];
        assert_true(strlen(theory->row.summary) > 0 && strlen(theory->row.source) > 0);
        assert_true(theory->row.options_size <= sizeof(theory_options));
        for (const haw_option *row = theory->row.options; row->key != NULL; ++row) {
            assert_true(strlen(row->help) > 0);
            assert_non_null(row->unit);
            assert_ptr_equal(haw_options_find(theory->row.options, row->key), row);
            assert_true(row->type == HAW_OPTION_REAL || row->type == HAW_OPTION_INT ||
                        row->type == HAW_OPTION_CHOICE);
            assert_true(row->type != HAW_OPTION_CHOICE || row->choices[0] != NULL);
            const size_t size = row->type == HAW_OPTION_REAL ? sizeof(double) : sizeof(int);
            assert_true(row->offset + size <= theory->row.options_size);
        }
    }
}

static void defaults_give_finite_quantities_with_distinct_keys(void **state)
{
    for (int i = 0; haw_theories[i] != NULL; ++i) {
        haw_theory_result r = theory_run(*state, haw_theories[i]->name, 0, NULL);
        assert_true(r.count > 0);
        for (int j = 0; j < r.count; ++j) {
            const haw_quantity *quantity = &r.quantity[j];
            assert_true(strlen(quantity->help) > 0);
            assert_non_null(quantity->unit);
            assert_ptr_equal(theory_profile(&r, quantity->key), quantity);
            for (int k = 0; k < quantity->count; ++k) {
                assert_true(isfinite(quantity->value[k]));
            }
        }
        for (int j = 0; j < r.texts; ++j) {
            assert_true(strlen(r.text[j].help) > 0 && strlen(r.text[j].value) > 0);
            assert_ptr_equal(haw_theory_word(&r, r.text[j].key), r.text[j].value);
            assert_true(isnan(haw_theory_value(&r, r.text[j].key)));
        }
        assert_null(haw_theory_word(&r, "no such key"));
        haw_theory_result_free(*state, &r);
    }
}

static void value_of_a_profile_or_an_unknown_key_is_nan(void **state)
{
    haw_theory_result r = theory_run(*state, "capstan", 0, NULL);
    assert_true(isnan(haw_theory_value(&r, "alpha")));
    assert_true(isnan(haw_theory_value(&r, "ratios")));
    assert_near(haw_theory_value(&r, "ratio"), exp(0.3 * 3.14159265358979323846), 0, 1e-14);
    haw_theory_result_free(*state, &r);
    haw_theory_result_free(*state, &r); /* a freed result is empty */
}

typedef struct bad_row {
    const char *theory, *key;
    double value;
    const char *message;
} bad_row;

static const bad_row bad_table[] = {
    {"string-impact", "tension", -1, "string-impact: tension must be >= 0 N (got -1)"},
    {"string-impact", "velocity", 0, "string-impact: velocity must be > 0 m/s (got 0)"},
    {"string-impact", "density", NAN, "string-impact: density must be > 0 kg/m (got nan)"},
    {"string-modes", "tension", 0, "string-modes: tension must be > 0 N (got 0)"},
    {"string-modes", "gravity", -9.81, "string-modes: gravity must be >= 0 m/s^2 (got -9.81)"},
    {"catenary", "length", 0, "catenary: length must be > 0 m (got 0)"},
    {"catenary", "drop", -2, "catenary: drop must be >= 0 m (got -2)"},
    {"catenary", "span", INFINITY, "catenary: span must be > 0 m (got inf)"},
    {"capstan", "friction", -0.1, "capstan: friction must be >= 0 (got -0.1)"},
    {"bouncing-ball", "restitution", 1, "bouncing-ball: restitution must be >= 0 and < 1 (got 1)"},
    {"slip-to-roll", "friction", 0, "slip-to-roll: friction must be > 0 (got 0)"},
    {"slip-to-roll", "time", -1, "slip-to-roll: time must be >= 0 s (got -1)"},
    {"elastica", "load", 0, "elastica: load must be > 0 N (got 0)"},
    {"roll-up", "turns", -1, "roll-up: turns must be >= 0 (got -1)"},
};

/* Written into the struct past the setter: the theory itself must refuse. */
static void values_outside_their_range_are_refused(void **state)
{
    for (size_t i = 0; i < sizeof bad_table / sizeof bad_table[0]; ++i) {
        const bad_row *row = &bad_table[i];
        const haw_theory_ops *theory = NULL;
        theory_options options;
        haw_theory_result r;
        theory_setup(row->theory, 0, NULL, &theory, &options);
        const haw_option *option = haw_options_find(theory->row.options, row->key);
        assert_non_null(option);
        memcpy(options.bytes + option->offset, &row->value, sizeof row->value);
        assert_int_equal(haw_theory_evaluate(*state, theory, &options, &r), HAW_ERR_INPUT);
        assert_string_equal(haw_context_message(*state), row->message);
        assert_int_equal(r.count, 0);
        assert_null(r.quantity);
    }
}

static haw_status refusal(haw_context *context, const char *name, int count, const setting *set)
{
    const haw_theory_ops *theory = NULL;
    theory_options options;
    haw_theory_result r;
    theory_setup(name, count, set, &theory, &options);
    const haw_status status = haw_theory_evaluate(context, theory, &options, &r);
    assert_int_equal(r.count, 0);
    return status;
}

static void impossible_combinations_are_refused(void **state)
{
    const setting wound[] = {{"friction", 10}, {"wrap", 100}};
    const setting coarse[] = {{"contacts", 1}};
    const setting sticky[] = {{"friction", 1.5}, {"contacts", 2}};
    const setting huge[] = {{"velocity", 1e300}};
    assert_int_equal(refusal(*state, "capstan", 2, wound), HAW_ERR_INPUT);
    assert_non_null(strstr(haw_context_message(*state), "friction * wrap = 1000 is too large"));
    assert_int_equal(refusal(*state, "capstan", 1, coarse), HAW_ERR_INPUT);
    assert_non_null(strstr(haw_context_message(*state), "1 contact points are too few"));
    assert_int_equal(refusal(*state, "capstan", 2, sticky), HAW_ERR_INPUT);
    assert_int_equal(refusal(*state, "string-impact", 1, huge), HAW_ERR_ARG);
    assert_true(strlen(haw_context_message(*state)) > 0);
}

static void inextensible_cable_shorter_than_the_distance_is_refused(void **state)
{
    const setting set[] = {{"length", 10.1}};
    const haw_theory_ops *theory = NULL;
    theory_options options;
    haw_theory_result r;
    theory_setup("catenary", 1, set, &theory, &options);
    assert_int_equal(
        haw_options_set_text(*state, theory->row.options, &options, "stiffness", "inextensible"),
        HAW_OK);
    assert_int_equal(haw_theory_evaluate(*state, theory, &options, &r), HAW_ERR_INPUT);
    assert_string_equal(haw_context_message(*state),
                        "an inextensible cable of length 10.1 m cannot span 10.198 m: "
                        "length must exceed the distance of the supports");
}

static void running_out_of_memory_is_reported_at_every_allocation(void **state)
{
    (void)state;
    for (int i = 0; haw_theories[i] != NULL; ++i) {
        const haw_theory_ops *theory = (const haw_theory_ops *)haw_theories[i];
        assert_true(failing_loop(evaluate_default, &theory) > 1);
    }
}

TEST_FILE(test_theory)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_has_the_documented_rows),
        cmocka_unit_test(rows_describe_themselves),
        cmocka_unit_test(defaults_give_finite_quantities_with_distinct_keys),
        cmocka_unit_test(value_of_a_profile_or_an_unknown_key_is_nan),
        cmocka_unit_test(values_outside_their_range_are_refused),
        cmocka_unit_test(impossible_combinations_are_refused),
        cmocka_unit_test(inextensible_cable_shorter_than_the_distance_is_refused),
        cmocka_unit_test(running_out_of_memory_is_reported_at_every_allocation),
    };
    return cmocka_run_group_tests(tests, theory_create, theory_free);
}
