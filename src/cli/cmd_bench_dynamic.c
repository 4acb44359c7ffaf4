/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser bench winding --dynamic: benchmark W1 with every solver at several tolerances. */
#include "bench/dynamic.h"
#include "cli/catalog.h"
#include "cli/cmd_bench.h"
#include "cli/run_report.h"
#include "cli/shipped.h"
#include "element/space.h"
#include "report/report.h"
#include "stepper/stepper.h"

#include <hawser/scenario.h>

#include <math.h>
#include <string.h>

enum { TOLERANCES_MAX = 16 };

static const double END = 5, BEZIER_END = 0.7, FROM = 0.2, TIME_LIMIT = 20; /* [s] */
static const double FRICTIONLESS_TOLERANCE = 1e-8;

typedef struct dynamic_job {
    haw_cli *cli;
    const haw_bench_args *args;
    const char *name; /* of the scenario */
    haw_scenario *scenario;
    haw_model *model;
    haw_solver_settings solver[HAW_SOLVERS_MAX];
    double tolerance[TOLERANCES_MAX];
    int solvers, tolerances;
    haw_dynamic *result; /* [solvers * tolerances] solver by solver */
    double end;          /* [s] */
    double frictionless; /* max T / T0 - 1 without friction, NAN: unknown */
    haw_files files;     /* written by --output */
} dynamic_job;

/* ---- the command line and the scenario ---- */

static haw_exit read_tolerances(dynamic_job *job)
{
    const haw_arg_real *single = &job->args->solve.tol;
    const char *list = job->args->tolerances != NULL ? job->args->tolerances : "1e-4,1e-6,1e-8";
    if (single->given) {
        job->tolerance[job->tolerances++] = single->value;
        return HAW_EXIT_DONE;
    }
    job->tolerances = haw_cli_numbers(list, TOLERANCES_MAX, job->tolerance);
    bool are_positive = job->tolerances > 0;
    for (int i = 0; i < job->tolerances; i++) {
        are_positive = are_positive && job->tolerance[i] > 0;
    }
    return are_positive ? HAW_EXIT_DONE
                        : haw_cli_fail(job->cli, HAW_EXIT_USAGE,
                                       "option '--tolerances' needs up to %d numbers > 0 separated "
                                       "by commas (got '%s')",
                                       TOLERANCES_MAX, list);
}

/* All of them unless some are named. */
static haw_exit read_solvers(dynamic_job *job)
{
    static const haw_solve_args plain;
    const char *list = job->args->solver;
    const char *all = "";
    for (int i = 0; haw_solvers[i] != NULL; i++) {
        all = haw_cli_format(job->cli, "%s%s%s", all, i > 0 ? "," : "", haw_solvers[i]->name);
    }
    return haw_solve_choose(job->cli, list != NULL ? list : all, &plain, job->solver,
                            &job->solvers);
}

/* Cubics that only stretch have a scenario of their own: no end of theirs can be clamped. */
static haw_exit choose_scenario(dynamic_job *job)
{
    const char *name = job->args->element;
    const haw_row *row = name != NULL ? haw_row_find(haw_space_elements, name) : NULL;
    if (name != NULL && row == NULL) {
        return haw_cli_fail(job->cli, HAW_EXIT_USAGE, "option '--element': unknown element '%s'",
                            name);
    }
    const bool stretches = row != NULL && ((const haw_space_ops *)row)->stretches_only;
    const haw_arg_real *end = &job->args->end;
    job->name = stretches ? "winding-bezier" : "winding-w1";
    job->end = stretches ? BEZIER_END : END;
    job->end = end->given ? end->value : job->end;
    return HAW_EXIT_DONE;
}

static void forget_scenario(dynamic_job *job)
{
    haw_model_free(job->model);
    haw_scenario_free(job->cli->context, job->scenario);
    job->model = NULL;
    job->scenario = NULL;
}

/* The scenario of the suite with what the command line changes, then `more`, which may be NULL. */
static haw_exit read_scenario(dynamic_job *job, const char *more)
{
    haw_cli *cli = job->cli;
    const haw_bench_args *args = job->args;
    const char **set = haw_cli_allocate(cli, (size_t)args->solve.set.count + 5, sizeof *set);
    int sets = 0;
    set[sets++] = haw_cli_format(cli, "stepper.end=%.17g", job->end);
    if (args->friction.given) {
        set[sets++] = haw_cli_format(cli, "contact.friction=%.17g", args->friction.value);
    }
    if (args->nodes > 1) {
        set[sets++] = haw_cli_format(cli, "cables.yarn.elements=%d", args->nodes - 1);
    }
    if (args->element != NULL) {
        set[sets++] = haw_cli_format(cli, "cables.yarn.element=%s", args->element);
    }
    for (int i = 0; i < args->solve.set.count; i++) {
        set[sets++] = args->solve.set.item[i];
    }
    if (more != NULL) {
        set[sets++] = more;
    }
    forget_scenario(job);
    haw_status status = haw_scenario_parse(cli->context, job->name, haw_shipped_text(job->name),
                                           sets, set, &job->scenario);
    if (status == HAW_OK) {
        status = haw_model_build(cli->context, &job->scenario->scene, &job->model);
    }
    return haw_cli_exit(cli, status, false);
}

/* ---- the runs ---- */

static void on_progress(void *user, const haw_frame *frame)
{
    dynamic_job *job = user;
    haw_term_progress(&job->cli->term, frame->t, job->end, frame->step, 0, 0);
}

static double per_step(const haw_dynamic *r, double value)
{
    return r->steps > 0 ? value / (double)r->steps : (double)NAN;
}

static void print_row(const haw_dynamic *r)
{
    const haw_certificate *c = &r->certificate;
    printf("%-8s %9.0e  %-10s %7ld %7.3f %7ld %10.2f %12.2f %8.3g %8.3f  %.3e\n", r->solver,
           r->tolerance, haw_dynamic_text(r), r->steps, r->t_end, (long)c->unconverged_steps,
           per_step(r, (double)c->iterations_total), per_step(r, (double)c->newton_iterations),
           r->cpu_seconds, 1e3 * per_step(r, r->cpu_seconds), r->spurious);
    if (r->message != NULL) {
        printf("         %s\n", r->message);
    }
    fflush(stdout);
}

static haw_status run_one(dynamic_job *job, const haw_solver_settings *solver, double tolerance,
                          haw_dynamic *result)
{
    haw_cli *cli = job->cli;
    haw_run_settings settings = job->scenario->run;
    const haw_arg_real *limit = &job->args->solve.time_limit;
    const haw_dynamic_rules rules = {
        .time_limit = limit->given ? limit->value : TIME_LIMIT,
        .tension = job->scenario->scene.cable[0].tension,
        .from = FROM,
        .progress = cli->term.has_progress ? on_progress : NULL,
        .user = job,
    };
    settings.solver = *solver;
    HAW_TRY(haw_options_set_real(cli->context, settings.solver.ops->row.options,
                                 settings.solver.options, "tolerance", tolerance));
    (void)haw_term_begin(&cli->term);
    const haw_status status = haw_dynamic_run(&cli->arena, job->model, &settings, &rules, result);
    haw_term_clear(&cli->term);
    return status;
}

/* Inertia and landing nodes raise the tension without friction, too: what no solver can avoid. */
static haw_exit run_frictionless(dynamic_job *job)
{
    haw_dynamic result = {.was_run = false};
    const haw_exit code = read_scenario(job, "contact.friction=0");
    job->frictionless = (double)NAN;
    if (code != HAW_EXIT_DONE || job->scenario == NULL) {
        return code;
    }
    const haw_solver_settings own = job->scenario->run.solver;
    const haw_status status = run_one(job, &own, FRICTIONLESS_TOLERANCE, &result);
    if (status != HAW_OK && status != HAW_ERR_CANCELLED) {
        return haw_cli_exit(job->cli, status, false);
    }
    if (strcmp(haw_dynamic_text(&result), "done") == 0) {
        job->frictionless = result.spurious;
    }
    return HAW_EXIT_DONE;
}

static haw_status run_all(dynamic_job *job)
{
    for (int i = 0; i < job->solvers * job->tolerances; i++) {
        HAW_TRY(run_one(job, &job->solver[i / job->tolerances], job->tolerance[i % job->tolerances],
                        &job->result[i]));
        if (!job->cli->json && i == 0) {
            printf("%-8s tolerance  outcome      steps   t [s]  missed   its/step  newton/step  "
                   "CPU [s]  ms/step  T/T0 - 1\n",
                   "solver");
        }
        if (!job->cli->json) {
            print_row(&job->result[i]);
        }
    }
    return HAW_OK;
}

/* ---- afterwards ---- */

#define FIELD(kind, name, member) HAW_FIELD_NAMED(name, kind, haw_dynamic, member)
static const haw_field row_fields[] = {FIELD(REAL, "tolerance", tolerance),
                                       FIELD(LONG, "steps", steps),
                                       FIELD(REAL, "t_end", t_end),
                                       FIELD(REAL, "cpu_seconds", cpu_seconds),
                                       FIELD(REAL, "spurious_tension", spurious),
                                       HAW_FIELDS_END};
#undef FIELD

static void write_row(haw_json *json, const haw_dynamic *r)
{
    haw_json_open(json, NULL, '{');
    haw_json_text(json, "solver", r->solver);
    haw_json_text(json, "outcome", haw_dynamic_text(r));
    haw_json_text(json, "reason", r->message);
    haw_json_fields(json, row_fields, r);
    haw_json_fields(json, haw_certificate_fields, &r->certificate);
    haw_json_number(json, "cpu_seconds_per_step", per_step(r, r->cpu_seconds));
    haw_json_close(json, '}');
}

static void write_answer(const dynamic_job *job)
{
    const haw_arg_real *limit = &job->args->solve.time_limit;
    haw_json *json = haw_cli_answer(job->cli);
    haw_json_text(json, "suite", "winding-dynamic");
    haw_json_text(json, "scenario", job->name);
    haw_json_text(json, "stepper", job->scenario->run.stepper.ops->row.name);
    haw_json_number(json, "end", job->end);
    haw_json_number(json, "time_limit", limit->given ? limit->value : TIME_LIMIT);
    haw_json_number(json, "frictionless_tension", job->frictionless);
    haw_json_open(json, "rows", '[');
    for (int i = 0; i < job->solvers * job->tolerances; i++) {
        if (job->result[i].was_run) {
            write_row(json, &job->result[i]);
        }
    }
    haw_json_close(json, ']');
    haw_json_texts(json, "files", job->files.count, job->files.path);
}

/* The table, and a figure of the solvers that got anywhere. */
static haw_status write_files(dynamic_job *job)
{
    haw_context *context = job->cli->context;
    const char *folder = job->args->output, *name[HAW_SOLVERS_MAX];
    haw_report_tolerance what = {.solver = name,
                                 .loose = job->tolerance[0],
                                 .tight = job->tolerance[0],
                                 .frictionless = job->frictionless};
    const int count = job->solvers * job->tolerances;
    HAW_TRY(haw_dynamic_write(context, count, job->result, job->frictionless, folder));
    haw_files_keep(&job->files, haw_cli_format(job->cli, "%s/dynamic.csv", folder));
    for (int i = 0; i < count; i++) {
        const haw_dynamic *r = &job->result[i];
        what.loose = fmax(what.loose, r->was_run ? r->tolerance : 0);
        what.tight = fmin(what.tight, r->was_run ? r->tolerance : HUGE_VAL);
        const bool is_known = what.solvers > 0 && strcmp(name[what.solvers - 1], r->solver) == 0;
        if (r->was_run && r->steps > 0 && r->message == NULL && !is_known) {
            name[what.solvers++] = r->solver;
        }
    }
    return what.solvers > 0
               ? haw_report_tolerances(context, folder, &what, haw_files_keep, &job->files)
               : HAW_OK;
}

/* A solver that runs out of time is a result, not a failure. */
static haw_exit measure(dynamic_job *job)
{
    haw_cli *cli = job->cli;
    const int count = job->solvers * job->tolerances;
    job->result = haw_cli_allocate(cli, (size_t)count, sizeof *job->result);
    const haw_status status = run_all(job);
    const bool has_run = job->result[0].was_run;
    const haw_exit code = haw_cli_exit(cli, status, has_run);
    if (!has_run) {
        return code;
    }
    const haw_exit drawn =
        job->args->output != NULL ? haw_cli_exit(cli, write_files(job), true) : HAW_EXIT_DONE;
    if (cli->json) {
        write_answer(job);
    } else {
        if (isfinite(job->frictionless)) {
            printf("\nT/T0 - 1 without friction: %.3e\n", job->frictionless);
        }
        haw_files_print(&job->files, "\n");
    }
    return drawn != HAW_EXIT_DONE ? drawn : code;
}

haw_exit haw_bench_dynamic(haw_cli *cli, const haw_bench_args *args)
{
    dynamic_job job = {.cli = cli, .args = args, .files.cli = cli};
    haw_exit code = choose_scenario(&job);
    code = code == HAW_EXIT_DONE ? read_tolerances(&job) : code;
    code = code == HAW_EXIT_DONE ? read_solvers(&job) : code;
    haw_cli_catch_interrupts(cli);
    code = code == HAW_EXIT_DONE ? run_frictionless(&job) : code;
    code = code == HAW_EXIT_DONE ? read_scenario(&job, NULL) : code;
    code = code == HAW_EXIT_DONE ? measure(&job) : code;
    forget_scenario(&job);
    return code;
}
