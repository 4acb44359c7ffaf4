/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenfrequencies of prestressed cables against closed forms and the Sturm-Liouville problem. */
#include "support/scene.h"

#include <hawser/theory.h>

#include <string.h>

static void frequencies(const char *element, int elements, double gravity, double tension,
                        int modes, double *f)
{
    haw_context *context;
    haw_model *model = NULL;
    haw_simulation *simulation = NULL;
    haw_run_settings settings;
    disk_case c;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    disk_case_init(&c);
    c.element = element;
    c.elements = elements;
    c.step = 0;
    haw_scene scene = *disk_case_scene(&c);
    c.cable.tension = tension;
    scene.gravity[1] = gravity;
    scene.bodies = scene.contacts = 0;
    disk_case_settings(context, &c, &settings);
    assert_int_equal(haw_model_build(context, &scene, &model), HAW_OK);
    assert_int_equal(haw_simulation_create(context, model, &settings, &simulation), HAW_OK);
    if (haw_simulation_modes(simulation, modes, f, NULL) != HAW_OK) {
        fail_msg("%s", haw_context_message(context));
    }
    haw_simulation_free(simulation);
    haw_model_free(model);
    haw_context_free(context);
}

/* First frequency of the Sturm-Liouville problem to 1e-10; the page prints 15.90970731 Hz. */
static double closed_form(void)
{
    const haw_theory_ops *theory =
        (const haw_theory_ops *)haw_row_find(haw_theories, "string-modes");
    double options[32];
    haw_context *context;
    haw_theory_result result;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    haw_options_init(theory->row.options, options);
    assert_int_equal(haw_options_set_real(context, theory->row.options, options, "tension", 400),
                     HAW_OK);
    assert_int_equal(haw_options_set_real(context, theory->row.options, options, "gravity", 9.81),
                     HAW_OK);
    assert_int_equal(haw_theory_evaluate(context, theory, options, &result), HAW_OK);
    double frequency = NAN;
    for (int i = 0; i < result.count; i++) {
        if (strcmp(result.quantity[i].key, "transverse") == 0) {
            frequency = result.quantity[i].value[0];
        }
    }
    haw_theory_result_free(context, &result);
    haw_context_free(context);
    return frequency;
}

static void first_mode_of_the_canonical_cable(void **state)
{
    (void)state;
    const double want = closed_form();
    assert_near(want, 15.90970731, 5e-9, 0);
    double f[3], last = 0, order = 0;
    for (int n = 2; n <= 16; n *= 2) {
        frequencies("bezier", n, -9.81, 400, 3, f);
        const double error = f[0] / want - 1;
        order = log2(last / error);
        print_message("n = %d: %.10f Hz, relative error %.2e, order %.2f\n", n, f[0], error, order);
        last = error;
    }
    assert_near(order, 6, 0.1, 0);
    assert_near(f[0], want, 0, 1e-7);
    assert_near(f[1], 31.81941650, 0, 1e-6);
    assert_near(f[2], 47.72912527, 0, 2e-6);
}

static void weightless_string_has_the_closed_form(void **state)
{
    (void)state;
    double f[2];
    frequencies("bezier", 16, 0, 100, 2, f);
    assert_near(f[0], 7.9155701, 0, 1e-7);
    frequencies("bezier-polar", 16, 0, 100, 2, f);
    assert_near(f[0], 7.9155701, 0, 1e-7);
    frequencies("chain", 64, 0, 100, 2, f);
    assert_near(f[0] / 7.9155701 - 1, -1.0e-4, 1e-5, 0);
}

TEST_FILE(test_modes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_mode_of_the_canonical_cable),
        cmocka_unit_test(weightless_string_has_the_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
