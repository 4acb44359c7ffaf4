/* SPDX-License-Identifier: BSD-3-Clause */
/* Read scenarios and hear what is said of them. */
#ifndef HAWSER_TESTS_READING_H
#define HAWSER_TESTS_READING_H

#include "support/log.h"
#include "support/near.h"

#include <hawser/hawser.h>

#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    haw_context *context;
    haw_scenario *scenario;
    heard log;
} fixture;

int set_up(void **state);

int tear_down(void **state);

/** Read a text with settings (NULL-terminated, or NULL), forgetting what was read and heard before.
 */
haw_status parse_text(fixture *f, const char *text, const char *const *set);

/* A text that must be refused, with what must be said of it. */
typedef struct refusal {
    const char *text, *said;
} refusal;

void check_refusal(const refusal *refused);

/** Read a text with settings, write it out with all defaults. */
haw_status resolve_text(haw_context *context, const char *from, int sets, const char *const *set);

#endif
