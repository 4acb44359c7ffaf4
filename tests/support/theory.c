/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/theory.h"

void theory_setup(const char *name, int count, const setting *set, const haw_theory_ops **theory,
                  theory_options *options)
{
    *theory = (const haw_theory_ops *)haw_row_find(haw_theories, name);
    assert_non_null(*theory);
    haw_options_init((*theory)->row.options, options);
    for (int i = 0; i < count; ++i) {
        const haw_option *rows = (*theory)->row.options;
        assert_int_equal(set[i].word != NULL
                             ? haw_options_set_text(NULL, rows, options, set[i].key, set[i].word)
                             : haw_options_set_real(NULL, rows, options, set[i].key, set[i].value),
                         HAW_OK);
    }
}

haw_theory_result theory_run(haw_context *context, const char *name, int count, const setting *set)
{
    const haw_theory_ops *theory = NULL;
    theory_options options;
    haw_theory_result result;
    theory_setup(name, count, set, &theory, &options);
    if (haw_theory_evaluate(context, theory, &options, &result) != HAW_OK) {
        fail_msg("%s: %s", name, haw_context_message(context));
    }
    return result;
}

double theory_quantity(haw_context *context, const char *name, int count, const setting *set,
                       const char *key)
{
    haw_theory_result r = theory_run(context, name, count, set);
    const double value = haw_theory_value(&r, key);
    haw_theory_result_free(context, &r);
    return value;
}

void theory_refuses(haw_context *context, const char *name, int count, const setting *set,
                    const char *reason)
{
    const haw_theory_ops *theory = NULL;
    theory_options options;
    haw_theory_result result;
    theory_setup(name, count, set, &theory, &options);
    assert_int_not_equal(haw_theory_evaluate(context, theory, &options, &result), HAW_OK);
    if (strstr(haw_context_message(context), reason) == NULL) {
        fail_msg("'%s' does not say '%s'", haw_context_message(context), reason);
    }
}

const haw_quantity *theory_profile(const haw_theory_result *result, const char *key)
{
    for (int i = 0; i < result->count; ++i) {
        if (strcmp(result->quantity[i].key, key) == 0) {
            return &result->quantity[i];
        }
    }
    fail_msg("no quantity '%s'", key);
    return NULL;
}

double half_digit(const char *printed)
{
    const char *point = strchr(printed, '.');
    const size_t decimals = point == NULL ? 0 : strlen(point + 1);
    return 0.5 * (1 + 1e-6) * pow(10, -(double)decimals);
}

int theory_create(void **state)
{
    haw_context *context = NULL;
    const haw_status status = haw_context_create(NULL, &context);
    *state = context;
    return status == HAW_OK ? 0 : 1;
}

int theory_free(void **state)
{
    haw_context_free(*state);
    return 0;
}
