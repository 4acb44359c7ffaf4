/* SPDX-License-Identifier: BSD-3-Clause */
/* All theories, and what they have in common: the check of options and of results. */
#include "theory/result.h"

#include <string.h>

const haw_row *const haw_theories[] = {
    &haw_theory_string_impact.row,
    &haw_theory_string_modes.row,
    &haw_theory_catenary.row,
    &haw_theory_capstan.row,
    &haw_theory_bouncing_ball.row,
    &haw_theory_slip_to_roll.row,
    &haw_theory_elastica.row,
    &haw_theory_roll_up.row,
    &haw_theory_geodesic.row,
    &haw_theory_clairaut.row,
    &haw_theory_semi_geodesic.row,
    &haw_theory_helical_capstan.row,
    &haw_theory_bridging_limit.row,
    &haw_theory_winding_w1.row,
    &haw_theory_creep.row,
    &haw_theory_firbank.row,
    &haw_theory_bristle.row,
    &haw_theory_bristle_steady.row,
    &haw_theory_groove.row,
    &haw_theory_traction.row,
    &haw_theory_crossing.row,
    &haw_theory_crossing_wrap.row,
    &haw_theory_clasp.row,
    &haw_theory_ply.row,
    &haw_theory_knot.row,
    &haw_theory_multilayer.row,
    &haw_theory_strand.row,
    &haw_theory_collision.row,
    &haw_theory_plectoneme.row,
    &haw_theory_twisted_rod.row,
    NULL,
};

haw_status haw_theory_evaluate(haw_context *context, const haw_theory_ops *theory,
                               const void *options, haw_theory_result *result)
{
    const char *key = NULL;
    *result = (haw_theory_result){.count = 0};
    HAW_TRY(haw_options_check(context, theory->row.options, options, 2, theory->row.name, &key));
    haw_status status = theory->evaluate(context, options, result);
    for (int i = 0; i < result->count && status == HAW_OK; ++i) {
        const haw_quantity *quantity = &result->quantity[i];
        for (int j = 0; j < quantity->count && status == HAW_OK; ++j) {
            if (!isfinite(quantity->value[j])) {
                status =
                    haw_fail(context, HAW_ERR_ARG, "theory '%s': '%s' overflows for these values",
                             theory->row.name, quantity->key);
            }
        }
    }
    if (status != HAW_OK) {
        haw_theory_result_free(context, result);
    }
    return status;
}

double haw_theory_value(const haw_theory_result *result, const char *key)
{
    for (int i = 0; i < result->count; ++i) {
        const haw_quantity *quantity = &result->quantity[i];
        if (quantity->count == 1 && strcmp(quantity->key, key) == 0) {
            return quantity->value[0];
        }
    }
    return (double)NAN;
}

const char *haw_theory_word(const haw_theory_result *result, const char *key)
{
    for (int i = 0; i < result->texts; ++i) {
        if (strcmp(result->text[i].key, key) == 0) {
            return result->text[i].value;
        }
    }
    return NULL;
}

void haw_theory_result_free(haw_context *context, haw_theory_result *result)
{
    if (result == NULL) {
        return;
    }
    for (int i = 0; i < result->count; ++i) {
        haw_release(context, result->quantity[i].value);
    }
    haw_release(context, result->quantity);
    *result = (haw_theory_result){.count = 0};
}
