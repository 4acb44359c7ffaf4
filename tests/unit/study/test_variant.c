/* SPDX-License-Identifier: BSD-3-Clause */
/* Variants of a scenario: both forms of a text, their product, and what is refused. */
#include "study/variant.h"
#include "support/near.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    haw_context *context;
    haw_arena arena;
} fixture;

static int set_up(void **state)
{
    static fixture f;

    assert_int_equal(haw_context_create(NULL, &f.context), HAW_OK);
    haw_arena_init(&f.arena, f.context);
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

static haw_variants read_texts(void **state, int texts, const char *const *text)
{
    fixture *f = *state;
    haw_variants variants;

    assert_int_equal(haw_variants_read(&f->arena, texts, text, (haw_sampling){0}, &variants),
                     HAW_OK);
    return variants;
}

static void named_variants_keep_their_settings_in_order(void **state)
{
    const char *const text[] = {"hard: contact.law=hard stepper.step=1.0e-3;  soft :contact.law="
                                "penalty;"};
    const haw_variants v = read_texts(state, 1, text);

    assert_int_equal(v.count, 2);
    assert_string_equal(v.item[0].name, "hard");
    assert_int_equal(v.item[0].sets, 2);
    assert_string_equal(v.item[0].set[0], "contact.law=hard");
    assert_string_equal(v.item[0].set[1], "stepper.step=1.0e-3");
    assert_string_equal(v.item[1].name, "soft");
    assert_string_equal(v.item[1].set[0], "contact.law=penalty");
    assert_null(v.swept);
    assert_int_equal(v.groups, 2);
}

static void every_kind_of_blank_separates(void **state)
{
    const char *const text[] = {"all: a=0\rb=1\rc=2\rd=3\re=4\rf=5\rg=6\rh=7\ti=8\nj=9\r\r k=0"};
    const haw_variants v = read_texts(state, 1, text);

    assert_int_equal(v.item[0].sets, 11);
    for (int i = 0; i < 11; i++) {
        const char set[] = {(char)('a' + i), '=', (char)('0' + i % 10), '\0'};
        assert_string_equal(v.item[0].set[i], set);
    }
}

/* The scenario as it is, beside a change of it. */
static void a_variant_may_change_nothing(void **state)
{
    const char *const text[] = {"as it is:; other: contact.friction=0"};
    const haw_variants v = read_texts(state, 1, text);

    assert_int_equal(v.count, 2);
    assert_string_equal(v.item[0].name, "as it is");
    assert_int_equal(v.item[0].sets, 0);
}

static void values_are_swept_where_they_are_numbers(void **state)
{
    const char *const text[] = {"contact.friction=0, 0.3,5.0e-1"};
    const haw_variants v = read_texts(state, 1, text);

    assert_int_equal(v.count, 3);
    assert_string_equal(v.item[1].name, "friction=0.3");
    assert_string_equal(v.item[1].set[0], "contact.friction=0.3");
    assert_near(v.item[2].value, 0.5, 0.0, 0.0);
    assert_string_equal(v.swept, "contact.friction");
    assert_int_equal(v.groups, 1);
    assert_string_equal(v.group_name[0], "");
    assert_int_equal(v.item[2].group, 0);
}

static void keys_may_go_along_with_the_swept_one(void **state)
{
    const char *const text[] = {" stiffness=1e4 , 1e6 a.step=2e-5,1e-5 c=x,y "};
    const haw_variants v = read_texts(state, 1, text);

    assert_int_equal(v.count, 2);
    assert_string_equal(v.item[1].name, "stiffness=1e6");
    assert_int_equal(v.item[1].sets, 3);
    assert_string_equal(v.item[1].set[0], "stiffness=1e6");
    assert_string_equal(v.item[1].set[1], "a.step=1e-5");
    assert_string_equal(v.item[1].set[2], "c=y");
    assert_string_equal(v.swept, "stiffness");
    assert_near(v.item[0].value, 1.0e4, 0.0, 0.0);
}

static void words_and_single_values_are_not_swept(void **state)
{
    const char *const words[] = {"solver.type=pgs,newton"}, *const one[] = {"stepper.end=0.1"};
    const haw_variants v = read_texts(state, 1, words), w = read_texts(state, 1, one);

    assert_int_equal(v.count, 2);
    assert_null(v.swept);
    assert_int_equal(w.count, 1);
    assert_null(w.swept);
}

static void texts_multiply_the_last_one_fastest(void **state)
{
    const char *const text[] = {"a: x=1; b: x=2", "contact.friction=0.3,0.5"};
    const haw_variants v = read_texts(state, 2, text);

    assert_int_equal(v.count, 4);
    assert_string_equal(v.item[0].name, "a, friction=0.3");
    assert_string_equal(v.item[1].name, "a, friction=0.5");
    assert_string_equal(v.item[2].name, "b, friction=0.3");
    assert_int_equal(v.item[2].sets, 2);
    assert_string_equal(v.item[2].set[0], "x=2");
    assert_string_equal(v.item[2].set[1], "contact.friction=0.3");
    assert_int_equal(v.groups, 2);
    assert_string_equal(v.group_name[1], "b");
    assert_int_equal(v.item[3].group, 1);
    assert_near(v.item[3].value, 0.5, 0.0, 0.0);
}

static void two_lists_of_numbers_sweep_nothing(void **state)
{
    const char *const text[] = {"a.x=1,2", "b.y=3,4", "a: c=1"};
    const haw_variants v = read_texts(state, 3, text);

    assert_int_equal(v.count, 4);
    assert_null(v.swept);
    assert_int_equal(v.groups, 4);
}

static void lists_of_keys_with_one_name_show_their_paths(void **state)
{
    const char *const text[] = {"cables.a.elements=10,20", "cables.b.elements=10,20"};
    const haw_variants v = read_texts(state, 2, text);

    assert_string_equal(v.item[1].name, "cables.a.elements=10, cables.b.elements=20");
}

static void quotes_and_brackets_keep_what_separates(void **state)
{
    const char *const named[] = {"a: title='one; two' x=[1, 2] y={k: [3, 4]}; b: title=don't"};
    const char *const list[] = {"bodies.disk.velocity=[3, 0],[2, 0.5]", "title=\"a,b\",c"};
    const haw_variants v = read_texts(state, 1, named), w = read_texts(state, 2, list);

    assert_int_equal(v.count, 2);
    assert_int_equal(v.item[0].sets, 3);
    assert_string_equal(v.item[0].set[0], "title='one; two'");
    assert_string_equal(v.item[0].set[1], "x=[1, 2]");
    assert_string_equal(v.item[0].set[2], "y={k: [3, 4]}");
    assert_string_equal(v.item[1].set[0], "title=don't");
    assert_int_equal(w.count, 4);
    assert_string_equal(w.item[0].set[0], "bodies.disk.velocity=[3, 0]");
    assert_string_equal(w.item[0].set[1], "title=\"a,b\"");
    assert_null(w.swept);
}

static void every_malformed_text_gives_one_line(void **state)
{
    static const char *const bad[][2] = {
        {"", "write path=value"},
        {"contact.friction", "write path=value"},
        {"=1,2", "form path=value"},
        {"a b=1,2", "form path=value"},
        {"x=", "a value is missing"},
        {"x=1,,2", "a value is missing"},
        {"x=1,2,", "a value is missing"},
        {"x=[1,2", "not closed"},
        {"x=1],2", "not closed"},
        {"x='1,2", "not closed"},
        {"x=1,1", "appears twice"},
        {"x=1,2 y", "form path=value"},
        {"x=1,2 y=3", "differ in their lengths"},
        {"x=1,2 y=3,4,5", "differ in their lengths"},
        {"x=1,2 y=3:6:4", "differ in their lengths"},
        {"x=1,2 y=3,", "a value is missing"},
        {":x=1", "no name"},
        {"  : x=1", "no name"},
        {"a: x=1; b", "has no name"},
        {"a: x=1; y=2", "has no name"},
        {"a: x", "is not an assignment"},
        {"a: x=", "is not an assignment"},
        {"a: =1", "is not an assignment"},
        {"a: x=1 y", "is not an assignment"},
        {"a: x='1; b: x=2", "not closed"},
        {"a: x=[1; b: x=2", "not closed"},
        {"a: x=1; a: x=2", "appears twice"},
        {"x=0:1", "form from:to:count"},
        {"x=0:1:1", "form from:to:count"},
        {"x=0:1:2.5", "form from:to:count"},
        {"x=0:0:3", "form from:to:count"},
        {"x=0:1:3:log", "form from:to:count"},
        {"x=1:2:3:lag", "form from:to:count"},
        {"x=1:", "form from:to:count"},
        {"x=0:1:10001", "more than 10000"},
        {"a: x=1 x=2; b: x=3", "'a' sets 'x' twice"},
    };
    fixture *f = *state;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        haw_variants variants;

        assert_int_equal(haw_variants_read(&f->arena, 1, &bad[i][0], (haw_sampling){0}, &variants),
                         HAW_ERR_INPUT);
        const char *message = haw_context_message(f->context);

        if (strstr(message, bad[i][1]) == NULL || strchr(message, '\n') != NULL) {
            fail_msg("'%s': %s", bad[i][0], message);
        }
    }
}

/* A variant that is named after two values would have the later alone. */
static void a_path_is_varied_once(void **state)
{
    static const char *const twice[][2] = {{"x.y=1,2", "x.y=3,4"},
                                           {"friction=0:1:3", "contact.friction=0.5"},
                                           {"a: friction=1; b: z=1", "contact.friction=0.5"},
                                           {"x=0:1", "x=0:2"}};
    fixture *f = *state;

    for (size_t i = 0; i < sizeof twice / sizeof *twice; i++) {
        const haw_sampling sampling = {.samples = i == 3 ? 2 : 0};
        haw_variants variants;

        assert_int_equal(haw_variants_read(&f->arena, 2, twice[i], sampling, &variants),
                         HAW_ERR_INPUT);
        assert_non_null(strstr(haw_context_message(f->context), "twice"));
    }
    const char *const apart[] = {"contact.friction=0,1", "contact.cable-disk.friction=0.5",
                                 "cables.a.friction=1"};
    assert_int_equal(read_texts(state, 3, apart).count, 2);
}

/* Ends included, equal distances or equal ratios; beside other values and other lists. */
static void ranges_are_lists_of_values(void **state)
{
    const char *const text[] = {"contact.friction=0:1:5", "x=0.5,1:100:3:log y=1:5:4",
                                "gravity=[0,-9.81]"};
    const haw_variants v = read_texts(state, 3, text);

    assert_int_equal(v.count, 20);
    for (int i = 0; i < 5; i++) {
        assert_near(strtod(haw_variant_value(&v.item[4 * i], "contact.friction"), NULL), 0.25 * i,
                    0.0, 0.0);
    }
    assert_string_equal(v.item[4].name, "friction=0.25, x=0.5, gravity=[0,-9.81]");
    assert_string_equal(haw_variant_value(&v.item[0], "x"), "0.5");
    assert_string_equal(haw_variant_value(&v.item[2], "x"), "10");
    assert_string_equal(haw_variant_value(&v.item[3], "x"), "100");
    assert_near(strtod(haw_variant_value(&v.item[1], "y"), NULL), 1.0 + 4.0 / 3.0, 0.0, 1e-11);
    assert_null(haw_variant_value(&v.item[0], "contact"));
    assert_int_equal(v.axes, 3);
    assert_string_equal(v.axis[1].path[0], "x");
    assert_int_equal(v.item[7].pick[0], 1);
    assert_int_equal(v.item[7].pick[1], 3);
}

/* Each of the equal parts of each side has one point; a list multiplies the hypercube. */
static void a_hypercube_has_a_point_in_every_part(void **state)
{
    enum { SAMPLES = 50 };

    const char *const text[] = {"a=-1:1", "l=p,q", "b=1:1000:log"};
    fixture *f = *state;
    haw_variants v, again, other;
    int seen[2][SAMPLES] = {{0}}, together = 0;

    assert_int_equal(haw_variants_read(&f->arena, 3, text, (haw_sampling){SAMPLES, 7}, &v), HAW_OK);
    assert_int_equal(haw_variants_read(&f->arena, 3, text, (haw_sampling){SAMPLES, 7}, &again),
                     HAW_OK);
    assert_int_equal(haw_variants_read(&f->arena, 3, text, (haw_sampling){SAMPLES, 8}, &other),
                     HAW_OK);
    assert_int_equal(v.count, 2 * SAMPLES);
    assert_int_equal(v.axis[0].paths, 2);
    assert_string_equal(v.item[2].name, "sample 2, l=p");
    for (int i = 0; i < SAMPLES; i++) {
        const double a = strtod(haw_variant_value(&v.item[2 * i], "a"), NULL);
        const double b = strtod(haw_variant_value(&v.item[2 * i], "b"), NULL);
        const int part[] = {(int)floor((a + 1.0) / 2.0 * SAMPLES),
                            (int)floor(log10(b) / 3.0 * SAMPLES)};

        for (int k = 0; k < 2; k++) {
            assert_in_range(part[k], 0, SAMPLES - 1);
            assert_int_equal(seen[k][part[k]]++, 0);
        }
        together += part[0] == part[1];
        assert_string_equal(haw_variant_value(&v.item[2 * i + 1], "a"),
                            haw_variant_value(&v.item[2 * i], "a"));
        assert_string_equal(haw_variant_value(&again.item[2 * i], "b"),
                            haw_variant_value(&v.item[2 * i], "b"));
    }
    assert_true(together < SAMPLES / 4);
    assert_string_not_equal(haw_variant_value(&other.item[0], "a"),
                            haw_variant_value(&v.item[0], "a"));
    assert_int_equal(haw_variants_read(&f->arena, 1, text + 1, (haw_sampling){3, 1}, &v),
                     HAW_ERR_INPUT);
}

static void too_many_variants_are_refused(void **state)
{
    static char text[8192];
    const char *const texts[] = {text, text, text};
    fixture *f = *state;
    haw_variants variants;
    size_t used = (size_t)snprintf(text, sizeof text, "x=0");

    for (int i = 1; i < 40; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, ",%d", i);
    }
    assert_int_equal(haw_variants_read(&f->arena, 1, texts, (haw_sampling){0}, &variants), HAW_OK);
    assert_int_equal(variants.count, 40);
    assert_int_equal(haw_variants_read(&f->arena, 3, texts, (haw_sampling){0}, &variants),
                     HAW_ERR_INPUT);
    assert_non_null(strstr(haw_context_message(f->context), "more than 10000"));
}

static void one_variant_can_be_read_alone(void **state)
{
    fixture *f = *state;
    haw_variant variant;

    assert_int_equal(haw_variant_read(&f->arena, " rigid: contact.law=hard ", &variant), HAW_OK);
    assert_string_equal(variant.name, "rigid");
    assert_int_equal(variant.sets, 1);
    assert_string_equal(variant.set[0], "contact.law=hard");
    assert_int_equal(variant.group, -1);
    assert_true(isnan(variant.value));
    assert_int_equal(haw_variant_read(&f->arena, "contact.law=hard", &variant), HAW_ERR_INPUT);
}

/* The units that hawser list keys gives. */
static void keys_have_the_units_of_their_tables(void **state)
{
    static const char *const units[][2] = {{"stepper.step", "s"},
                                           {"cables.yarn.tension", "N"},
                                           {"springs.left.stiffness", "N/m"},
                                           {"bodies.disk.mass", "kg"},
                                           {"output.every", "s"},
                                           {"contact.yarn-disk.friction", ""},
                                           {"nothing.step", ""},
                                           {"contacts.offset", ""},
                                           {"step", ""}};
    (void)state;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        assert_string_equal(haw_variant_unit(units[i][0]), units[i][1]);
    }
}

TEST_FILE(test_variant)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(named_variants_keep_their_settings_in_order),
        FIXTURE_TEST(every_kind_of_blank_separates),
        FIXTURE_TEST(a_variant_may_change_nothing),
        FIXTURE_TEST(values_are_swept_where_they_are_numbers),
        FIXTURE_TEST(keys_may_go_along_with_the_swept_one),
        FIXTURE_TEST(words_and_single_values_are_not_swept),
        FIXTURE_TEST(texts_multiply_the_last_one_fastest),
        FIXTURE_TEST(two_lists_of_numbers_sweep_nothing),
        FIXTURE_TEST(lists_of_keys_with_one_name_show_their_paths),
        FIXTURE_TEST(quotes_and_brackets_keep_what_separates),
        FIXTURE_TEST(every_malformed_text_gives_one_line),
        FIXTURE_TEST(a_path_is_varied_once),
        FIXTURE_TEST(ranges_are_lists_of_values),
        FIXTURE_TEST(a_hypercube_has_a_point_in_every_part),
        FIXTURE_TEST(too_many_variants_are_refused),
        FIXTURE_TEST(one_variant_can_be_read_alone),
        cmocka_unit_test(keys_have_the_units_of_their_tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
