/* SPDX-License-Identifier: BSD-3-Clause */
/* What every row of every table promises, however many rows there are. */
#include "element/element.h"
#include "law/law.h"
#include "shape/surface.h"
#include "stepper/stepper.h"
#include "support/near.h"
#include "support/table.h"

#include <hawser/hawser.h>

#include <string.h>

/* The leading fields and the options of a row; `room` is the storage of the options struct. */
typedef struct row {
    const char *table, *name, *summary, *source;
    const haw_option *options; /* NULL: none */
    size_t options_size, room;
} row;

enum { ROWS_MAX = 64 };

typedef struct rows {
    int count;
    row row[ROWS_MAX];
} rows;

static void add(rows *all, row one)
{
    assert_true(all->count < ROWS_MAX);
    all->row[all->count++] = one;
}

#define ADD_PLAIN(all, table_, ops)                                                                \
    add(all, (row){.table = (table_),                                                              \
                   .name = (ops)->name,                                                            \
                   .summary = (ops)->summary,                                                      \
                   .source = (ops)->source})

#define ADD_OPTIONS(all, table_, ops, storage)                                                     \
    add(all, (row){(table_), (ops)->name, (ops)->summary, (ops)->source, (ops)->options,           \
                   (ops)->options_size, storage})

static void collect(rows *all)
{
    all->count = 0;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        ADD_PLAIN(all, "elements", haw_elements[i]);
    }
    for (int i = 0; haw_laws[i] != NULL; i++) {
        ADD_PLAIN(all, "laws", haw_laws[i]);
    }
    for (int i = 0; haw_shapes[i] != NULL; i++) {
        ADD_OPTIONS(all, "shapes", haw_shapes[i], sizeof((haw_body_spec *)0)->shape_options);
    }
    for (int i = 0; haw_solvers[i] != NULL; i++) {
        ADD_OPTIONS(all, "solvers", haw_solvers[i], sizeof((haw_solver_settings *)0)->options);
    }
    for (int i = 0; haw_steppers[i] != NULL; i++) {
        ADD_OPTIONS(all, "steppers", haw_steppers[i], sizeof((haw_stepper_settings *)0)->options);
    }
    for (int i = 0; haw_theories[i] != NULL; i++) {
        ADD_OPTIONS(all, "theories", haw_theories[i], 256);
    }
}

static bool is_text(const char *text)
{
    return text != NULL && *text != '\0';
}

static void every_row_says_its_name_purpose_and_source(void **state)
{
    (void)state;
    rows all;
    collect(&all);
    assert_true(all.count >= 4 + 1 + 2 + 2 + 2 + 6);
    for (int i = 0; i < all.count; i++) {
        const row *r = &all.row[i];
        if (!is_text(r->name) || !is_text(r->summary) || !is_text(r->source)) {
            fail_msg("%s, row '%s': name, summary and source are required", r->table, r->name);
        }
        for (int k = 0; k < i; k++) {
            const bool twice =
                strcmp(all.row[k].name, r->name) == 0 && strcmp(all.row[k].table, r->table) == 0;
            assert_false(twice);
        }
    }
}

static size_t option_size(const haw_option *option)
{
    switch (option->type) {
    case HAW_OPTION_REAL:
        return sizeof(double);
    case HAW_OPTION_BOOL:
        return sizeof(bool);
    case HAW_OPTION_STRING:
        return sizeof(const char *);
    case HAW_OPTION_VECTOR:
        return 3 * sizeof(double);
    case HAW_OPTION_INT:
    case HAW_OPTION_CHOICE:
        break;
    }
    return sizeof(int);
}

/* Options live in storage of fixed size: a struct that outgrows it would write past its end. */
static void every_options_struct_fits_into_its_storage(void **state)
{
    (void)state;
    rows all;
    int options = 0;
    collect(&all);
    for (int i = 0; i < all.count; i++) {
        const row *r = &all.row[i];
        if (r->options_size > r->room) {
            fail_msg("%s '%s': options of %zu bytes, room for %zu", r->table, r->name,
                     r->options_size, r->room);
        }
        for (const haw_option *o = r->options; o != NULL && o->key != NULL; o++, options++) {
            if (o->offset + option_size(o) > r->options_size) {
                fail_msg("%s '%s': option '%s' ends behind its struct", r->table, r->name, o->key);
            }
        }
    }
    assert_true(options > 20);
}

/* Presets reach every byte they should and none behind: a canary stays as it was. */
static void presets_stay_inside_the_struct(void **state)
{
    (void)state;
    rows all;
    collect(&all);
    for (int i = 0; i < all.count; i++) {
        const row *r = &all.row[i];
        if (r->options == NULL) {
            continue;
        }
        double storage[40];
        unsigned char *bytes = (unsigned char *)storage;
        memset(bytes, 0xA5, sizeof storage);
        assert_true(r->options_size < sizeof storage);
        haw_options_init(r->options, storage);
        for (size_t k = r->options_size; k < sizeof storage; k++) {
            assert_int_equal(bytes[k], 0xA5);
        }
    }
}

static bool choices_are_sound(const haw_option *o)
{
    int count = 0;
    while (o->choices != NULL && o->choices[count] != NULL) {
        if (!is_text(o->choices[count])) {
            return false;
        }
        count++;
    }
    if (o->type == HAW_OPTION_CHOICE) {
        return count > 0 && o->preset >= 0 && o->preset < count;
    }
    const bool has_word = o->type == HAW_OPTION_REAL || o->type == HAW_OPTION_VECTOR;
    return o->choices == NULL || (has_word && count > 0);
}

/* A number without a default is NAN, or, in the tables of a scene, an integer below its range. */
static bool is_required(const haw_option *o, bool of_scene)
{
    return isnan(o->preset) ? o->type != HAW_OPTION_INT
                            : of_scene && o->type == HAW_OPTION_INT && o->preset < o->min;
}

static bool preset_is_sound(const haw_option *o, bool of_scene)
{
    switch (o->type) {
    case HAW_OPTION_REAL:
    case HAW_OPTION_INT:
    case HAW_OPTION_VECTOR:
        return o->min <= o->max &&
               (is_required(o, of_scene) || (o->preset >= o->min && o->preset <= o->max));
    case HAW_OPTION_BOOL:
        return o->preset == 0 || o->preset == 1;
    case HAW_OPTION_CHOICE:
    case HAW_OPTION_STRING:
        break;
    }
    return true;
}

/* Keys are words of YAML and of the command line. */
static bool key_is_sound(const haw_option *table, const haw_option *o)
{
    return strspn(o->key, "abcdefghijklmnopqrstuvwxyz0123456789_-.") == strlen(o->key) &&
           haw_options_find(table, o->key) == o; /* the first of its name: no key twice */
}

static void check_options(const char *table, const char *name, const haw_option *options)
{
    const bool of_scene = strcmp(table, "scene") == 0;
    for (const haw_option *o = options; o != NULL && o->key != NULL; o++) {
        const char *fault = !is_text(o->key) || !key_is_sound(options, o) ? "key"
                            : !is_text(o->help)                           ? "help"
                            : o->unit == NULL                             ? "unit"
                            : !preset_is_sound(o, of_scene)               ? "preset"
                            : !choices_are_sound(o)                       ? "choices"
                                                                          : NULL;
        if (fault != NULL) {
            fail_msg("%s '%s': option '%s' has an unsound %s", table, name, o->key, fault);
        }
    }
}

static void every_option_is_named_explained_and_preset_inside_its_range(void **state)
{
    (void)state;
    rows all;
    collect(&all);
    for (int i = 0; i < all.count; i++) {
        check_options(all.row[i].table, all.row[i].name, all.row[i].options);
    }
    check_options("scene", "body", haw_body_options);
    check_options("scene", "cable", haw_cable_options);
    check_options("scene", "contact", haw_contact_options);
    check_options("scene", "scene", haw_scene_options);
}

/* Settings begin with what the driver reads from every row. */
static void solvers_and_steppers_begin_with_the_common_part(void **state)
{
    (void)state;
    for (int i = 0; haw_solvers[i] != NULL; i++) {
        const haw_option *table = haw_solvers[i]->options;
        assert_int_equal(haw_options_find(table, "tolerance")->offset,
                         offsetof(haw_solver_common, tolerance));
        assert_int_equal(haw_options_find(table, "max_iterations")->offset,
                         offsetof(haw_solver_common, max_iterations));
    }
    for (int i = 0; haw_steppers[i] != NULL; i++) {
        const haw_option *table = haw_steppers[i]->options;
        static const char *const keys[2] = {"step", "end"};
        static const size_t offsets[2] = {offsetof(haw_stepper_common, step),
                                          offsetof(haw_stepper_common, end)};
        assert_true(haw_steppers[i]->options_size >= sizeof(haw_stepper_common));
        for (int k = 0; k < 2; k++) {
            const haw_option *o = haw_options_find(table, keys[k]);
            assert_true(o == NULL || o->offset == offsets[k]);
        }
        const haw_stepper_ops *ops = (const haw_stepper_ops *)haw_steppers[i];
        assert_non_null(ops->prepare);
        assert_true(ops->flags != 0);
    }
}

TEST_FILE(test_tables)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_says_its_name_purpose_and_source),
        cmocka_unit_test(every_options_struct_fits_into_its_storage),
        cmocka_unit_test(presets_stay_inside_the_struct),
        cmocka_unit_test(every_option_is_named_explained_and_preset_inside_its_range),
        cmocka_unit_test(solvers_and_steppers_begin_with_the_common_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
