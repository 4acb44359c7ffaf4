/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The suites of `hawser bench` whose problems are those of steps of shipped scenarios. A scenario
 * runs on from one problem to the next, with its own solver; the first step that is asked for of
 * another variant starts anew.
 */
#include "cli/cmd_bench.h"
#include "cli/shipped.h"

#include <hawser/scenario.h>
#include <hawser/stepper.h>

#include <string.h>

enum { FRICTIONS_MAX = 4, STEPS_MAX = 4 };

/* All frictions with all steps. */
typedef struct scene_row {
    const char *suite, *name; /* before the underscore of a problem's name */
    const char *scenario, *set;
    double friction[FRICTIONS_MAX];
    int frictions;
    long step[STEPS_MAX]; /* ascending */
    int steps;
} scene_row;

static const scene_row rows[] = {
    {"knots",
     "trefoil",
     "knot-trefoil",
     "stepper={type: moreau-jean, step: 0.01, end: 10}",
     {0, 0.1, 0.3, 0.6},
     4,
     {2, 10, 40, 120},
     4},
    {"pile", "pile", "cable-pile", "stepper.end=2", {0.1, 0.3, 1}, 3, {2, 4, 20, 60}, 4},
};

enum { ROWS = sizeof rows / sizeof *rows };

typedef struct place {
    const scene_row *row;
    double friction;
    long step;
} place;

typedef struct scenes {
    haw_cli *cli;
    place *place;    /* [problems] */
    const place *at; /* whose variant runs, NULL: none yet */
    haw_scenario *scenario;
    haw_model *model;
    haw_simulation *simulation;
    long step;
} scenes;

static void leave(scenes *s)
{
    haw_simulation_free(s->simulation);
    haw_model_free(s->model);
    haw_scenario_free(s->cli->context, s->scenario);
    s->simulation = NULL;
    s->model = NULL;
    s->scenario = NULL;
    s->step = 0;
}

static haw_status start(scenes *s, const place *at)
{
    const char *set[] = {at->row->set,
                         haw_cli_format(s->cli, "contact.friction=%.17g", at->friction)};
    const char *name = at->row->scenario;
    haw_context *context = s->cli->context;
    leave(s);
    HAW_TRY(haw_scenario_parse(context, name, haw_shipped_text(name), 2, set, &s->scenario));
    HAW_TRY(haw_model_build(context, &s->scenario->scene, &s->model));
    return haw_simulation_create(context, s->model, &s->scenario->run, &s->simulation);
}

static haw_status make(void *user, int problem, const haw_problem **made)
{
    scenes *s = user;
    const place *at = &s->place[problem];
    const double *impulses;
    if (s->at == NULL || s->at->row != at->row || s->at->friction != at->friction) {
        HAW_TRY(start(s, at));
    }
    s->at = at;
    for (; s->step < at->step; s->step++) {
        HAW_TRY(haw_simulation_step(s->simulation));
    }
    *made = haw_simulation_problem(s->simulation, &impulses);
    return *made != NULL
               ? HAW_OK
               : haw_fail(s->cli->context, HAW_ERR_INPUT, "step %ld of %s has no contact problem",
                          at->step, at->row->scenario);
}

static int list_row(const scene_row *row, place *list, haw_suite_scene *scene)
{
    const int count = row->frictions * row->steps;
    for (int i = 0; i < count; i++) {
        list[i] = (place){row, row->friction[i / row->steps], row->step[i % row->steps]};
        (void)snprintf(scene[i].name, sizeof scene[i].name, "%s_m%g_%ld", row->name,
                       list[i].friction, list[i].step);
    }
    return count;
}

/* What selects windings selects nothing here. */
static haw_exit refuse(haw_cli *cli, const haw_bench_args *args)
{
    const int whole = args->dimension + args->nodes + args->layers + args->seed;
    const bool selects = whole > 0 || args->kappa.given || args->friction.given || args->dynamic;
    return selects
               ? haw_cli_fail(cli, HAW_EXIT_USAGE,
                              "options that select problems are of the suite winding, not of %s",
                              args->common.operand)
               : HAW_EXIT_DONE;
}

haw_exit haw_bench_scenes_open(haw_cli *cli, const haw_bench_args *args, haw_suite *suite)
{
    scenes *s = haw_cli_allocate(cli, 1, sizeof *s);
    const char *known = "winding";
    *s = (scenes){.cli = cli};
    s->place = haw_cli_allocate(cli, ROWS * FRICTIONS_MAX * STEPS_MAX, sizeof *s->place);
    suite->scene = haw_cli_allocate(cli, ROWS * FRICTIONS_MAX * STEPS_MAX, sizeof *suite->scene);
    for (int i = 0; i < ROWS; i++) {
        const int from = suite->problems;
        if (strcmp(rows[i].suite, args->common.operand) == 0) {
            suite->problems += list_row(&rows[i], s->place + from, suite->scene + from);
        }
        if (i == 0 || strcmp(rows[i - 1].suite, rows[i].suite) != 0) {
            known = haw_cli_format(cli, "%s, %s", known, rows[i].suite);
        }
    }
    if (suite->problems == 0) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE, "unknown suite '%s' (known: %s)",
                            args->common.operand, known);
    }
    suite->make = make;
    suite->user = s;
    return refuse(cli, args);
}

void haw_bench_scenes_close(haw_suite *suite)
{
    if (suite->make == make) {
        leave(suite->user);
    }
}
