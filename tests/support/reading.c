/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/reading.h"

int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    *state = f;
    if (f == NULL || haw_context_create(NULL, &f->context) != HAW_OK) {
        return -1;
    }
    haw_context_set_log(f->context, hear, &f->log);
    return 0;
}

int tear_down(void **state)
{
    fixture *f = *state;
    haw_scenario_free(f->context, f->scenario);
    haw_context_free(f->context);
    free(f);
    return 0;
}

haw_status parse_text(fixture *f, const char *text, const char *const *set)
{
    int sets = 0;
    while (set != NULL && set[sets] != NULL) {
        ++sets;
    }
    haw_scenario_free(f->context, f->scenario);
    f->log = (heard){0};
    return haw_scenario_parse(f->context, "t.yaml", text, sets, set, &f->scenario);
}

void check_refusal(const refusal *refused)
{
    haw_context *context = NULL;
    haw_scenario *scenario = NULL;
    heard log = {0};
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    haw_context_set_log(context, hear, &log);
    const haw_status status =
        haw_scenario_parse(context, "t.yaml", refused->text, 0, NULL, &scenario);
    if (status != HAW_ERR_INPUT || strstr(log.text, refused->said) == NULL) {
        fail_msg("status %d\n%s\nwanted: %s\nheard: %s", status, refused->text, refused->said,
                 log.text);
    }
    /* whatever is said of a line of text has a caret below it */
    if (strstr(log.text, "t.yaml:1") != NULL && strstr(log.text, "not a text file") == NULL &&
        strchr(log.text, '^') == NULL) {
        fail_msg("no caret: %s", log.text);
    }
    assert_null(scenario);
    assert_non_null(strstr(haw_context_message(context), "t.yaml: "));
    haw_context_free(context);
}

haw_status resolve_text(haw_context *context, const char *from, int sets, const char *const *set)
{
    haw_scenario *scenario = NULL;
    char *text = NULL;
    haw_status status = haw_scenario_parse(context, "t.yaml", from, sets, set, &scenario);
    if (status == HAW_OK) {
        status = haw_scenario_resolve(context, scenario, &text);
    }
    haw_text_free(context, text);
    haw_scenario_free(context, scenario);
    return status;
}
