/* SPDX-License-Identifier: BSD-3-Clause */
/* Which scenario may go on from which: nothing may change what has been computed. */
#include "scenario/text.h"
#include "stepper/stepper.h"

#include <hawser/scenario.h>

#include <string.h>

/* The line in which two texts begin to differ, without what is before its first word. */
static const char *differing_line(const char *text, const char *other, int *length)
{
    size_t at = 0, line = 0;
    for (; text[at] == other[at] && text[at] != '\0'; at++) {
        line = text[at] == '\n' ? at + 1 : line;
    }
    line += strspn(text + line, " -");
    *length = (int)strcspn(text + line, "\n");
    return text + line;
}

static haw_status refuse(haw_context *context, const char *before, const char *now)
{
    int length[2];
    const char *old = differing_line(before, now, &length[0]);
    const char *new = differing_line(now, before, &length[1]);
    return haw_fail(context, HAW_ERR_INPUT,
                    "cannot go on with '%.*s' where the run had '%.*s': it would change the past; "
                    "only stepper.end, output and title may be others",
                    length[1] < 120 ? length[1] : 120, new, length[0] < 120 ? length[0] : 120, old);
}

/* One that differs from `before` in its end, in what has no part in the results, and where
 * `with_output` in what is recorded. */
static haw_scenario adapt(const haw_scenario *before, const haw_scenario *now, bool with_output)
{
    haw_scenario adapted = *before;
    haw_stepper_common common, given;
    memcpy(&common, before->run.stepper.options, sizeof common);
    memcpy(&given, now->run.stepper.options, sizeof given);
    common.end = given.end;
    memcpy(adapted.run.stepper.options, &common, sizeof common);
    adapted.title = now->title;
    adapted.scene.title = now->scene.title;
    adapted.run.checkpoint = now->run.checkpoint;
    if (with_output) {
        adapted.run.every = now->run.every;
        adapted.run.separation = now->run.separation;
        adapted.run.storage = now->run.storage;
        adapted.run.probes = now->run.probes;
        adapted.run.probe = now->run.probe;
    }
    return adapted;
}

haw_status haw_scenario_continues(haw_context *context, const haw_scenario *before,
                                  const haw_scenario *now, bool *same_output)
{
    char *text = NULL;
    haw_status status = haw_scenario_resolve(context, now, &text);
    bool is_same = false;
    *same_output = true;
    for (int with_output = 0; with_output < 2 && status == HAW_OK && !is_same; with_output++) {
        const haw_scenario adapted = adapt(before, now, with_output == 1);
        char *other = NULL;
        status = haw_scenario_resolve(context, &adapted, &other);
        is_same = status == HAW_OK && strcmp(text, other) == 0;
        *same_output = with_output == 0;
        if (status == HAW_OK && !is_same && with_output == 1) {
            status = refuse(context, other, text);
        }
        haw_text_free(context, other);
    }
    haw_text_free(context, text);
    return status;
}
