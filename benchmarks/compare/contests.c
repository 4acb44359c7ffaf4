/* SPDX-License-Identifier: BSD-3-Clause */
#include "contests.h"

#include <hawser/io.h>

#include <stdio.h>
#include <string.h>

enum { DENSE_ROWS = 3000 }; /* 72 MB of W, and several times that in some solvers */

/* The peers' local solvers take W; hawser and their global ones never see it. */
static haw_status reduce(haw_context *context, entry *e)
{
    const haw_problem *p = e->problem;

    e->contest.problem = p;
    if (p->global == NULL) {
        e->contest.local = p;
    } else if (p->contacts * p->dimension <= DENSE_ROWS) {
        const haw_status status = haw_problem_reduce(context, p, &e->reduced);

        e->contest.local = e->reduced;
        return status;
    }
    return HAW_OK;
}

bool contest_set_has(contest_set set, int dimension, const contestant *who)
{
    const bool is_form = who->dimension == 0 || who->dimension == dimension;
    const bool is_chosen =
        set != SET_TINY || who->role == ROLE_HAWSER || strcmp(who->name, "NSGS") == 0;

    return is_form && is_chosen;
}

haw_status entry_wind(haw_context *context, const haw_winding *winding, entry *e)
{
    *e = (entry){.set = winding->dimension == 3 ? SET_SPACE : SET_PLANE, .winding = *winding};
    haw_winding_name(winding, e->contest.name);
    const haw_status status = haw_winding_create(context, winding, &e->problem);

    return status == HAW_OK ? reduce(context, e) : status;
}

haw_status entry_read(haw_context *context, const char *folder, const char *file, entry *e)
{
    char path[1024];

    *e = (entry){.set = SET_TINY};
    (void)snprintf(path, sizeof path, "%s/%s", folder, file);
    (void)snprintf(e->contest.name, sizeof e->contest.name, "%.*s", (int)strcspn(file, "."), file);
    const haw_status status = haw_fclib_read(context, path, &e->problem);

    if (status != HAW_OK) {
        return status;
    }
    if (e->problem->contacts > TINY_CONTACTS) {
        entry_free(context, e);
        return HAW_OK;
    }
    return reduce(context, e);
}

void entry_free(haw_context *context, entry *e)
{
    haw_problem_free(context, e->problem);
    haw_problem_free(context, e->reduced);
    e->problem = e->reduced = NULL;
}
