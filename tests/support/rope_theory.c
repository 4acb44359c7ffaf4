/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/rope_theory.h"

double value(const haw_theory_result *r, const char *key)
{
    return haw_theory_value(r, key);
}

void assert_printed(double got, const char *printed)
{
    assert_near(got, strtod(printed, NULL), strlen(printed) > 4 ? half_digit(printed) : 1e-13, 0);
}

haw_status rope_try(haw_context *context, const char *name, word choice, int count,
                    const setting *set, haw_theory_result *result)
{
    const haw_theory_ops *theory = NULL;
    theory_options options;
    theory_setup(name, count, set, &theory, &options);
    if (choice.key != NULL) {
        assert_int_equal(
            haw_options_set_text(context, theory->row.options, &options, choice.key, choice.value),
            HAW_OK);
    }
    return haw_theory_evaluate(context, theory, &options, result);
}

haw_theory_result rope_run(haw_context *context, const char *name, word choice, int count,
                           const setting *set)
{
    haw_theory_result result;
    if (rope_try(context, name, choice, count, set, &result) != HAW_OK) {
        fail_msg("%s: %s", name, haw_context_message(context));
    }
    return result;
}

void rope_refused(haw_context *context, const char *name, int count, const setting *set,
                  const char *text)
{
    haw_theory_result result;
    assert_int_equal(rope_try(context, name, (word){NULL, NULL}, count, set, &result),
                     HAW_ERR_INPUT);
    if (strstr(haw_context_message(context), text) == NULL) {
        fail_msg("%s", haw_context_message(context));
    }
}
