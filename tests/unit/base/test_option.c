/* SPDX-License-Identifier: BSD-3-Clause */
/* Option tables: presets, ranges, words and the messages of refusals. */
#include "base/status.h"
#include "support/near.h"

#include <float.h>
#include <limits.h>
#include <string.h>

typedef struct settings {
    double friction, theta, density, step, factor, plain;
    int elements, type, shift;
    bool slack;
    const char *element;
    double position[3];
} settings;

static const char *const types[] = {"moreau", "static", NULL};
static const char *const automatic[] = {"auto", NULL};

static const haw_option table[] = {
    {"friction", HAW_OPTION_REAL, offsetof(settings, friction), 0.3, 0, HUGE_VAL, "", "", NULL},
    {"theta", HAW_OPTION_REAL, offsetof(settings, theta), 0.55, 0.5, 1, "1", "", NULL},
    {"density", HAW_OPTION_REAL, offsetof(settings, density), (double)NAN, DBL_MIN, HUGE_VAL,
     "kg/m", "", NULL},
    {"step", HAW_OPTION_REAL, offsetof(settings, step), (double)NAN, DBL_MIN, DBL_MAX, "s", "",
     automatic},
    {"factor", HAW_OPTION_REAL, offsetof(settings, factor), 0.5, 0, 1 - DBL_EPSILON / 2, "", "",
     NULL},
    {"plain", HAW_OPTION_REAL, offsetof(settings, plain), 0, -HUGE_VAL, HUGE_VAL, "", "", NULL},
    {"elements", HAW_OPTION_INT, offsetof(settings, elements), 20, 1, INT_MAX, "", "", NULL},
    {"shift", HAW_OPTION_INT, offsetof(settings, shift), -2, -5, 5, "", "", NULL},
    {"type", HAW_OPTION_CHOICE, offsetof(settings, type), 1, 0, 1, "", "", types},
    {"slack", HAW_OPTION_BOOL, offsetof(settings, slack), 1, 0, 1, "", "", NULL},
    {"element", HAW_OPTION_STRING, offsetof(settings, element), 0, 0, 0, "", "", NULL},
    {"position", HAW_OPTION_VECTOR, offsetof(settings, position), 0.25, -1, 1, "m", "", NULL},
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

typedef struct fixture {
    haw_context *context;
    settings set;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    haw_options_init(table, &f.set);
    *state = &f;
    return haw_context_create(NULL, &f.context) == HAW_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    haw_context_free(((fixture *)*state)->context);
    return 0;
}

static void presets_come_from_the_table(void **state)
{
    const settings *set = &((fixture *)*state)->set;
    assert_near(set->friction, 0.3, 0, 0);
    assert_true(isnan(set->density) && isnan(set->step));
    assert_int_equal(set->elements, 20);
    assert_int_equal(set->shift, -2);
    assert_int_equal(set->type, 1);
    assert_true(set->slack);
    assert_null(set->element);
    for (int i = 0; i < 3; i++) {
        assert_near(set->position[i], 0.25, 0, 0);
    }
}

static void keys_are_found_by_their_whole_name(void **state)
{
    (void)state;
    assert_ptr_equal(haw_options_find(table, "theta"), &table[1]);
    assert_null(haw_options_find(table, "thet"));
    assert_null(haw_options_find(table, ""));
}

static void numbers_inside_the_range_are_stored(void **state)
{
    fixture *f = *state;

    const struct {
        const char *key;
        double value;
        const double *slot;
    } rows[] = {
        {"friction", 0, &f->set.friction},    {"friction", 1e9, &f->set.friction},
        {"theta", 0.5, &f->set.theta},        {"theta", 1, &f->set.theta},
        {"density", 1e-300, &f->set.density}, {"step", 1e-5, &f->set.step},
        {"plain", -DBL_MAX, &f->set.plain},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        assert_int_equal(
            haw_options_set_real(f->context, table, &f->set, rows[i].key, rows[i].value), HAW_OK);
        assert_near(*rows[i].slot, rows[i].value, 0, 0);
    }
    assert_int_equal(haw_options_set_real(f->context, table, &f->set, "elements", 5e4), HAW_OK);
    assert_int_equal(f->set.elements, 50000);
    assert_int_equal(haw_options_set_real(f->context, table, &f->set, "shift", -5), HAW_OK);
    assert_int_equal(f->set.shift, -5);
}

static void refused_numbers_say_what_is_allowed(void **state)
{
    fixture *f = *state;
    const settings before = f->set;

    const struct {
        const char *key;
        double value;
        const char *message;
    } rows[] = {
        {"friction", -0.3, "'friction' must be >= 0 (got -0.3)"},
        {"friction", (double)NAN, "'friction' must be >= 0 (got nan)"},
        {"friction", -(double)NAN, "'friction' must be >= 0 (got nan)"},
        {"friction", HUGE_VAL, "'friction' must be >= 0 (got inf)"},
        {"theta", 2, "'theta' must be between 0.5 and 1 (got 2)"},
        {"theta", 0.49999999999, "'theta' must be between 0.5 and 1 (got 0.49999999999)"},
        {"density", 0, "'density' must be > 0 kg/m (got 0)"},
        {"density", -0.1, "'density' must be > 0 kg/m (got -0.1)"},
        {"step", 0, "'step' must be > 0 s or 'auto' (got 0)"},
        {"factor", 1, "'factor' must be >= 0 and < 1 (got 1)"},
        {"plain", (double)NAN, "'plain' must be a finite number (got nan)"},
        {"elements", 2.5, "'elements' must be a whole number >= 1 (got 2.5)"},
        {"elements", 0, "'elements' must be a whole number >= 1 (got 0)"},
        {"elements", 1e10, "'elements' must be a whole number >= 1 (got 10000000000)"},
        {"type", 1, "'type' must be one of moreau, static (got 1)"},
        {"slack", 1, "'slack' must be true or false (got 1)"},
        {"element", 1, "'element' must be text (got 1)"},
        {"position", 1, "'position' must be a list of numbers (got 1)"},
        {"frction", 1, "unknown key 'frction'; did you mean 'friction'?"},
        {"gravitation", 1, "unknown key 'gravitation'"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        assert_int_equal(
            haw_options_set_real(f->context, table, &f->set, rows[i].key, rows[i].value),
            HAW_ERR_INPUT);
        assert_string_equal(haw_context_message(f->context), rows[i].message);
    }
    assert_memory_equal(&f->set, &before, sizeof before);
}

static void words_are_stored(void **state)
{
    fixture *f = *state;
    assert_int_equal(haw_options_set_text(f->context, table, &f->set, "type", "moreau"), HAW_OK);
    assert_int_equal(f->set.type, 0);
    f->set.step = 1;
    assert_int_equal(haw_options_set_text(f->context, table, &f->set, "step", "auto"), HAW_OK);
    assert_true(isnan(f->set.step));
    assert_int_equal(haw_options_set_text(f->context, table, &f->set, "slack", "false"), HAW_OK);
    assert_false(f->set.slack);
    assert_int_equal(haw_options_set_text(f->context, table, &f->set, "slack", "true"), HAW_OK);
    assert_true(f->set.slack);
    const char *name = "bezier";
    assert_int_equal(haw_options_set_text(f->context, table, &f->set, "element", name), HAW_OK);
    assert_ptr_equal(f->set.element, name);
}

static void refused_words_say_what_is_allowed(void **state)
{
    fixture *f = *state;
    const settings before = f->set;

    const struct {
        const char *key, *text, *message;
    } rows[] = {
        {"type", "moro",
         "unknown word 'moro' for 'type'; did you mean 'moreau'? (allowed: moreau, static)"},
        {"type", "newton", "unknown word 'newton' for 'type' (allowed: moreau, static)"},
        {"type", "", "unknown word '' for 'type' (allowed: moreau, static)"},
        {"step", "automatic", "'step' must be a number > 0 s or 'auto' (got 'automatic')"},
        {"friction", "auto", "'friction' must be a number >= 0 (got 'auto')"},
        {"elements", "many", "'elements' must be a whole number >= 1 (got 'many')"},
        {"slack", "yes", "'slack' must be true or false (got 'yes')"},
        {"position", "here", "'position' must be a list of numbers (got 'here')"},
        {"tpye", "static", "unknown key 'tpye'; did you mean 'type'?"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        assert_int_equal(
            haw_options_set_text(f->context, table, &f->set, rows[i].key, rows[i].text),
            HAW_ERR_INPUT);
        assert_string_equal(haw_context_message(f->context), rows[i].message);
    }
    assert_memory_equal(&f->set, &before, sizeof before);
}

TEST_FILE(test_option)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(presets_come_from_the_table),
        cmocka_unit_test(keys_are_found_by_their_whole_name),
        FIXTURE_TEST(numbers_inside_the_range_are_stored),
        FIXTURE_TEST(refused_numbers_say_what_is_allowed),
        FIXTURE_TEST(words_are_stored),
        FIXTURE_TEST(refused_words_say_what_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
