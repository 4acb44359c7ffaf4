/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser bench: generated contact problems, solved and measured. */
#include "cli/cmd_bench.h"

#include "cli/cmd_solve.h"
#include "io/file.h"
#include "report/report.h"

#include <hawser/io.h>

#include <math.h>
#include <string.h>

typedef struct bench_result {
    haw_suite suite;
    haw_trial *trial;           /* [problems * solvers] problem by problem */
    haw_suite_summary *summary; /* [solvers] */
    double tolerance;
    haw_files files; /* written by --output */
} bench_result;

typedef struct bench_job {
    haw_cli *cli;
    const haw_bench_args *args;
    bench_result result;
    const char *head; /* of the progress line */
    double started;   /* [s] the problem at hand */
} bench_job;

/* ---- which problems, and which solvers ---- */

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

/* A whole number of the command line is 0 where it was not given. */
static bool agrees(int asked, int number)
{
    return asked == 0 || asked == number;
}

static int or_default(int asked, int otherwise)
{
    return asked > 0 ? asked : otherwise;
}

static bool is_asked(const haw_bench_args *args, const haw_winding *w)
{
    return agrees(args->dimension, w->dimension) && agrees(args->nodes, w->nodes) &&
           agrees(args->layers, w->layers) &&
           (!args->kappa.given || is_near(args->kappa.value, w->kappa)) &&
           (!args->friction.given || is_near(args->friction.value, w->friction));
}

/* The problems of the suite that agree with the command line, or else the one of its parameters. */
static void choose_problems(bench_job *job)
{
    const haw_bench_args *args = job->args;
    const int all = haw_winding_suite_count();
    haw_winding *chosen = haw_cli_allocate(job->cli, (size_t)all + 1, sizeof *chosen);
    int count = 0;

    for (int i = 0; i < all; i++) {
        chosen[count] = haw_winding_suite(i);
        count += is_asked(args, &chosen[count]) ? 1 : 0;
    }
    if (count == 0) {
        chosen[count++] = (haw_winding){
            .dimension = or_default(args->dimension, 3),
            .nodes = or_default(args->nodes, 200),
            .layers = or_default(args->layers, 1),
            .kappa = args->kappa.given ? args->kappa.value : 1e4,
            .friction = args->friction.given ? args->friction.value : 0.4,
            .seed = haw_winding_suite(0).seed,
        };
    }
    for (int i = 0; i < count && args->seed > 0; i++) {
        chosen[i].seed = (unsigned long)args->seed;
    }
    job->result.suite.winding = chosen;
    job->result.suite.problems = count;
}

static haw_exit choose_solvers(bench_job *job)
{
    haw_suite *suite = &job->result.suite;
    haw_solver_settings *settings = haw_cli_allocate(job->cli, HAW_SOLVERS_MAX, sizeof *settings);
    const char *list = job->args->solver != NULL ? job->args->solver : "auto";
    const haw_exit code =
        haw_solve_choose(job->cli, list, &job->args->solve, settings, &suite->solvers);

    suite->settings = settings;
    if (code == HAW_EXIT_DONE) {
        haw_solver_common common;

        memcpy(&common, settings[0].options, sizeof common);
        job->result.tolerance = common.tolerance;
    }
    return code;
}

/* ---- the table, the summaries, the JSON object ---- */

static void print_row(const haw_suite *suite, int problem, const char *solver,
                      const haw_trial *trial)
{
    const haw_report *report = &trial->report;
    const haw_effort *effort = &report->effort;
    char name[HAW_WINDING_NAME_SIZE];

    haw_suite_name(suite, problem, name);
    printf("%-20s %8d  %-7s %-15s  %10d  %6d%c %8d  %8d  %9.3g  %8.1e  %8.1e\n", name,
           haw_suite_contacts(suite, problem), solver, haw_trial_text(trial), effort->iterations,
           effort->factorizations, haw_trial_is_newton(trial) ? ' ' : '*', effort->sweeps,
           effort->products, trial->cpu_seconds, report->residual.natural,
           report->residual.relative);
    fflush(stdout);
}

static void print_newton(const char *label, double value)
{
    if (isfinite(value)) {
        printf("%s %g", label, value);
    } else {
        printf("%s not solved", label);
    }
}

static void print_summary(const char *solver, double tolerance, const haw_suite_summary *summary)
{
    printf("\n%s: %d of %d solved (residual_natural <= %g; %d of them residual_relative too)\n",
           solver, summary->solved, summary->problems, tolerance, summary->solved_relative);
    print_newton("  Newton iterations  median", summary->newton_median);
    print_newton(", 90 %", summary->newton_p90);
    print_newton(", most", summary->newton_max);
    printf("\n  CPU time           %.3g s\n", summary->cpu_seconds);
    printf("  largest residual   natural %.2g, relative %.2g\n", summary->natural_max,
           summary->relative_max);
}

static void print_end(const bench_result *result)
{
    bool has_first_order = false;

    for (int i = 0; i < result->suite.problems * result->suite.solvers; i++) {
        has_first_order = has_first_order ||
                          (result->trial[i].was_run && !haw_trial_is_newton(&result->trial[i]));
    }
    if (has_first_order) {
        printf("* sweeps and products cost more than the factorizations: not a Newton solve\n");
    }
    for (int s = 0; s < result->suite.solvers; s++) {
        print_summary(result->suite.settings[s].ops->row.name, result->tolerance,
                      &result->summary[s]);
    }
    haw_files_print(&result->files, "\n");
}

#define INT(member)  HAW_FIELD_OF(INT, haw_suite_summary, member)
#define REAL(member) HAW_FIELD_OF(REAL, haw_suite_summary, member)
static const haw_field summary_fields[] = {
    INT(problems),
    INT(solved),
    INT(solved_relative),
    INT(newton_solves),
    REAL(newton_median),
    REAL(newton_p90),
    REAL(newton_max),
    REAL(cpu_seconds),
    HAW_FIELD_NAMED("residual_natural_max", REAL, haw_suite_summary, natural_max),
    HAW_FIELD_NAMED("residual_relative_max", REAL, haw_suite_summary, relative_max),
    HAW_FIELDS_END};
#undef INT
#undef REAL
#define FIELD(kind, member) HAW_FIELD_OF(kind, haw_winding, member)
static const haw_field winding_fields[] = {FIELD(INT, dimension), FIELD(INT, nodes),
                                           FIELD(INT, layers),    FIELD(REAL, kappa),
                                           FIELD(REAL, friction), HAW_FIELDS_END};
#undef FIELD
static const haw_field scene_fields[] = {HAW_FIELD_OF(INT, haw_suite_scene, dimension),
                                         HAW_FIELD_OF(REAL, haw_suite_scene, friction),
                                         HAW_FIELDS_END};

static void write_row(haw_json *json, const haw_suite *suite, int problem, const char *solver,
                      const haw_trial *trial)
{
    char name[HAW_WINDING_NAME_SIZE];

    haw_suite_name(suite, problem, name);
    haw_json_open(json, NULL, '{');
    haw_json_text(json, "name", name);
    if (suite->winding != NULL) {
        haw_json_fields(json, winding_fields, &suite->winding[problem]);
    } else {
        haw_json_fields(json, scene_fields, &suite->scene[problem]);
    }
    haw_json_integer(json, "contacts", haw_suite_contacts(suite, problem));
    haw_solve_write(json, solver, trial);
    haw_json_close(json, '}');
}

/* Rows of what was reached: all, unless the run was interrupted. */
static void write_solver(haw_json *json, const bench_result *result, int index)
{
    const haw_suite *suite = &result->suite;

    haw_json_open(json, "summary", '{');
    haw_json_fields(json, summary_fields, &result->summary[index]);
    haw_json_close(json, '}');
    haw_json_open(json, "rows", '[');
    for (int p = 0; p < suite->problems; p++) {
        const haw_trial *trial = &result->trial[(ptrdiff_t)p * suite->solvers + index];

        if (trial->was_run) {
            write_row(json, suite, p, suite->settings[index].ops->row.name, trial);
        }
    }
    haw_json_close(json, ']');
}

static void write_answer(const bench_job *job)
{
    const bench_result *result = &job->result;
    const haw_suite *suite = &result->suite;
    haw_json *json = haw_cli_answer(job->cli);

    haw_json_text(json, "suite", job->args->common.operand);
    haw_json_number(json, "tolerance", result->tolerance);
    haw_json_number(json, "time_limit", suite->time_limit > 0.0 ? suite->time_limit : HUGE_VAL);
    if (suite->winding != NULL) {
        haw_json_integer(json, "seed", (long)suite->winding[0].seed);
    }
    if (suite->solvers == 1) {
        haw_json_text(json, "solver", suite->settings[0].ops->row.name);
        write_solver(json, result, 0);
    } else {
        haw_json_open(json, "solvers", '{');
        for (int s = 0; s < suite->solvers; s++) {
            haw_json_open(json, suite->settings[s].ops->row.name, '{');
            write_solver(json, result, s);
            haw_json_close(json, '}');
        }
        haw_json_close(json, '}');
    }
    haw_json_texts(json, "files", result->files.count, result->files.path);
}

enum { LOCAL_CONTACTS_MAX = 200 };

/* ---- while it runs ---- */

static haw_status write_problem(bench_job *job, const char *name, const char *ending,
                                const haw_problem *problem)
{
    const haw_fclib_info info = {
        .title = name,
        .description =
            haw_cli_format(job->cli, "problem of hawser bench %s", job->args->common.operand),
    };
    const char *path =
        haw_cli_format(job->cli, "%s/%s%s.hdf5", job->args->export_folder, name, ending);

    return haw_fclib_write(job->cli->context, path, problem, &info);
}

static haw_status on_made(void *user, int index, const haw_problem *problem)
{
    bench_job *job = user;
    haw_context *context = job->cli->context;
    haw_problem *local = NULL;
    char name[HAW_WINDING_NAME_SIZE];

    haw_suite_name(&job->result.suite, index, name);
    job->head = haw_cli_format(job->cli, "[%d/%d] %s", index + 1, job->result.suite.problems, name);
    job->started = haw_term_begin(&job->cli->term);
    if (job->args->export_folder == NULL) {
        return HAW_OK;
    }
    HAW_TRY(write_problem(job, name, "", problem));
    if (problem->contacts > LOCAL_CONTACTS_MAX) {
        return HAW_OK;
    }
    haw_status status = haw_problem_reduce(context, problem, &local);

    if (status == HAW_OK) {
        status = write_problem(job, name, "-local", local);
    }
    haw_problem_free(context, local);
    return status;
}

static void on_progress(void *user, const haw_solve_progress *progress)
{
    const bench_job *job = user;

    haw_solve_show_progress(job->cli, job->head, job->started, progress);
}

static void on_done(void *user, int problem, int solver, const haw_trial *trial)
{
    bench_job *job = user;
    const haw_suite *suite = &job->result.suite;

    haw_term_clear(&job->cli->term);
    if (!job->cli->json) {
        if (problem == 0 && solver == 0) {
            printf("%-20s contacts  solver  outcome          iterations  newton    sweeps  "
                   "products    CPU [s]   natural  relative\n",
                   "problem");
        }
        print_row(suite, problem, suite->settings[solver].ops->row.name, trial);
    }
}

/* ---- afterwards ---- */

static haw_status draw(bench_job *job)
{
    const haw_suite *suite = &job->result.suite;
    const char *folder = job->args->output;
    const char *name[HAW_SOLVERS_MAX];
    haw_files *files = &job->result.files;
    const haw_report_comparison what = {
        .solvers = suite->solvers,
        .problems = suite->problems,
        .solver = name,
        .tolerance = job->result.tolerance,
    };

    for (int s = 0; s < suite->solvers; s++) {
        name[s] = suite->settings[s].ops->row.name;
    }
    HAW_TRY(haw_suite_write(job->cli->context, suite, job->result.trial, folder));
    HAW_TRY(haw_report_compare(job->cli->context, folder, &what, haw_files_keep, files));
    haw_files_keep(files, haw_cli_format(job->cli, "%s/rows.csv", folder));
    haw_files_keep(files, haw_cli_format(job->cli, "%s/profile.csv", folder));
    haw_files_keep(files, haw_cli_format(job->cli, "%s/convergence.csv", folder));
    return HAW_OK;
}

/* What was computed is reported, also after a failure; the last failure is the one that counts. */
static haw_exit finish(bench_job *job, haw_status status)
{
    haw_cli *cli = job->cli;
    bench_result *result = &job->result;
    const haw_suite *suite = &result->suite;
    int missed = 0;

    result->summary = haw_cli_allocate(cli, (size_t)suite->solvers, sizeof *result->summary);
    for (int s = 0; s < suite->solvers; s++) {
        const haw_status summarized =
            haw_suite_summarize(cli->context, suite, s, result->trial, &result->summary[s]);

        if (summarized != HAW_OK) {
            return haw_cli_exit(cli, summarized, true);
        }
        missed += suite->problems - result->summary[s].solved;
    }
    haw_exit code = haw_cli_exit(cli, status, result->trial[0].was_run);

    if (status == HAW_OK && missed > 0) {
        code = haw_cli_fail(cli, HAW_EXIT_ENDED, "%d of %d solves missed the tolerance %g", missed,
                            suite->problems * suite->solvers, result->tolerance);
    }
    if (!result->trial[0].was_run) {
        return code;
    }
    const haw_exit drawn =
        job->args->output != NULL ? haw_cli_exit(cli, draw(job), true) : HAW_EXIT_DONE;

    if (cli->json) {
        write_answer(job);
    } else {
        print_end(result);
    }
    return drawn != HAW_EXIT_DONE ? drawn : code;
}

static haw_exit run_suite(bench_job *job)
{
    haw_cli *cli = job->cli;
    haw_suite *suite = &job->result.suite;
    const bool exports = job->args->export_folder != NULL;
    const haw_suite_observer observer = {
        .made = on_made,
        .progress = cli->term.has_progress ? on_progress : NULL,
        .done = on_done,
        .user = job,
    };
    const size_t trials = (size_t)suite->problems * (size_t)suite->solvers;

    suite->time_limit = job->args->solve.time_limit.value;
    suite->keeps_history = job->args->output != NULL;
    job->result.trial = haw_cli_allocate(cli, trials, sizeof *job->result.trial);
    if (exports && haw_folder_make(cli->context, job->args->export_folder) != HAW_OK) {
        return haw_cli_exit(cli, HAW_ERR_IO, false);
    }
    const haw_status status = haw_suite_run(&cli->arena, suite, &observer, job->result.trial);

    haw_term_clear(&cli->term);
    return finish(job, status);
}

static int run(haw_cli *cli, const void *options)
{
    const haw_bench_args *args = options;
    bench_job job = {.cli = cli, .args = args, .result.files.cli = cli};

    const bool has_windings = strcmp(args->common.operand, "winding") == 0;

    if (has_windings && args->dynamic) {
        return haw_bench_dynamic(cli, args);
    }
    haw_exit code =
        has_windings ? HAW_EXIT_DONE : haw_bench_scenes_open(cli, args, &job.result.suite);

    code = code == HAW_EXIT_DONE ? choose_solvers(&job) : code;
    if (code == HAW_EXIT_DONE) {
        if (has_windings) {
            choose_problems(&job);
        }
        haw_cli_catch_interrupts(cli);
        code = run_suite(&job);
    }
    haw_bench_scenes_close(&job.result.suite);
    return code;
}

static const haw_arg rows[] = {
    {"dimension", 'd', HAW_ARG_INTEGER, offsetof(haw_bench_args, dimension), "2|3",
     "only problems in the plane or in space"},
    {"nodes", 'n', HAW_ARG_INTEGER, offsetof(haw_bench_args, nodes), "N",
     "only cables of N nodes (of each layer)"},
    {"kappa", 'k', HAW_ARG_REAL, offsetof(haw_bench_args, kappa), "KAPPA",
     "only this stiffness h^2 EA / (l m)"},
    {"friction", 'm', HAW_ARG_REAL, offsetof(haw_bench_args, friction), "MU",
     "only this coefficient of friction"},
    {"layers", 'l', HAW_ARG_INTEGER, offsetof(haw_bench_args, layers), "1|2",
     "only cables with this many layers"},
    {"seed", 0, HAW_ARG_INTEGER, offsetof(haw_bench_args, seed), "N",
     "seed of the random part of the loads (default: that of the suite)"},
    {"solver", 's', HAW_ARG_TEXT, offsetof(haw_bench_args, solver), "SOLVER",
     "a solver of 'hawser list solvers', or several separated by commas (default: auto)"},
    HAW_SOLVE_ARG_ROWS(haw_bench_args, solve),
    {"dynamic", 0, HAW_ARG_FLAG, offsetof(haw_bench_args, dynamic), NULL,
     "run the scenario winding-w1 with each solver and tolerance instead"},
    {"tolerances", 0, HAW_ARG_TEXT, offsetof(haw_bench_args, tolerances), "LIST",
     "tolerances of --dynamic, separated by commas (default: 1e-4,1e-6,1e-8)"},
    {"element", 0, HAW_ARG_TEXT, offsetof(haw_bench_args, element), "ELEMENT",
     "element of the cable of --dynamic; bezier and bezier-c0 run the scenario winding-bezier"},
    {"end", 0, HAW_ARG_REAL, offsetof(haw_bench_args, end), "S",
     "simulated time of each run of --dynamic (default: 5; of winding-bezier 0.7)"},
    {"export", 0, HAW_ARG_TEXT, offsetof(haw_bench_args, export_folder), "DIR",
     "also write every problem as an FCLIB file, into a folder created if missing"},
    {"output", 'o', HAW_ARG_TEXT, offsetof(haw_bench_args, output), "DIR",
     "also write tables (CSV) and figures (PNG, SVG), into a folder created if missing"},
    {NULL, 0, HAW_ARG_FLAG, 0, NULL, NULL},
};

const haw_command haw_command_bench = {
    .name = "bench",
    .summary = "Measure solvers on generated contact problems",
    .operand = "SUITE",
    .operand_required = true,
    .details =
        "The suites knots and pile are contact problems that steps of the shipped scenarios "
        "knot-trefoil (as a motion, with friction and without) and cable-pile meet, with several "
        "coefficients of friction: the steps are simulated, and their problems given to the "
        "solvers.\n\nThe suite winding has 56 problems of a cable of 3 turns on a drum, which are "
        "dominated by "
        "sticking contacts and arbitrarily stiff. --dimension, --nodes, --kappa, --friction and "
        "--layers select the problems of the suite that match all the given values; if none does, "
        "a single problem with these parameters is generated, where dimension 3, 200 nodes, kappa "
        "1e4, friction 0.4 and one layer stand for values not given. Names of problems: c2 or c3 "
        "for the dimension, L2 for two layers, then nodes, kappa, friction.\n\nEvery solve starts "
        "from zero impulses and runs on one thread; its CPU time includes all preparation. Newton "
        "iterations are all factorizations of a solve, inner ones included; a solve whose sweeps "
        "and products cost more operations than its factorizations is marked. Percentiles are "
        "linear between the order statistics (definition 7 of Hyndman and Fan, 1996); a problem "
        "that is not solved counts as infinitely many Newton iterations (null in JSON). The exit "
        "status is 1 if a solve misses the tolerance.\n\n--output writes rows.csv, profile.csv and "
        "convergence.csv, and draws with gnuplot performance-profile (share of the problems solved "
        "within a multiple of the CPU time of the best solver of each, after Dolan and More, 2002, "
        "and within a CPU time) and convergence (residual_natural against iterations and CPU time, "
        "one line per solve). --export writes NAME.hdf5 in the global form and, up to 200 "
        "contacts, NAME-local.hdf5 in the local form. Without them no file is "
        "written.\n\n--dynamic runs the shipped scenario winding-w1, a yarn wound on a drum, with "
        "all solvers (or those of --solver) at all --tolerances on the same steps: iterations, CPU "
        "time, steps that missed the tolerance, and the spurious tension, the largest T/T0 - 1 of "
        "all elements from 0.2 s on, which accumulates from inexact impulses of sticking contacts; "
        "no solver can avoid that of the same winding without friction. newton and auto use the "
        "band method of the stepper, the others solve the contact problems of its Newton passes; "
        "every step of any of them is accepted by the same residual. A run that takes longer than "
        "--time-limit (default 20 s of CPU time) is ended, in the middle of a step if necessary, "
        "and reported with the steps it finished; this does not count as a failure. --nodes and "
        "--friction are those of the yarn, --set PATH=VALUE changes the scenario; --element bezier "
        "or bezier-c0 winds a cable of these cubics with explicit steps on a dense grid (scenario "
        "winding-bezier), where every solver gets the Delassus operator. --output writes "
        "dynamic.csv and draws dynamic with gnuplot. Keys of --json: suite, scenario, stepper, "
        "end, time_limit, frictionless_tension, rows (solver, tolerance, outcome: done, time "
        "limit, interrupted or failed, reason, steps, t_end, unconverged_steps, iterations_total, "
        "newton_iterations, factorizations, contacts_max, cpu_seconds, cpu_seconds_per_step, "
        "residual_max, spurious_tension), files, status, message, messages.\n\nKeys of --json: "
        "suite, tolerance, time_limit, seed (of winding), solver, summary (problems, solved, "
        "solved_relative, "
        "newton_solves, newton_median, newton_p90, newton_max, cpu_seconds, residual_natural_max, "
        "residual_relative_max), rows (name, dimension, friction, contacts, of winding nodes, "
        "layers and kappa, "
        "and the keys of hawser solve from solver to tolerance), files, status, message, messages. "
        "With several solvers: solvers (an object with summary and rows under the name of each) "
        "instead of solver, summary and rows.",
    .example = {"hawser bench winding --nodes 200 --solver auto,pgs --time-limit 5 -o figures",
                "hawser bench pile --solver newton,ppa,pgs --time-limit 1"},
    .args = rows,
    .options_size = sizeof(haw_bench_args),
    .run = run,
};
