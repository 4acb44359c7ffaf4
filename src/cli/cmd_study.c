/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser study: one scenario over ranges of its parameters, by many processes. */
#include "cli/pool.h"
#include "cli/variant_run.h"
#include "io/file.h"
#include "study/cases.h"
#include "study/team.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct study_args {
    haw_args_common common;
    haw_arg_list set, vary;
    const char *folder, *only;
    int processes, samples, seed;
    bool results, collect, slurm;
} study_args;

/* All that the study of a command line is about. */
typedef struct study {
    haw_cli *cli;
    const study_args *args;
    const char *folder, *text;
    haw_variants variants;
    haw_cases cases;
    haw_pool pool;
    haw_files files;
} study;

/* ---- one case, in a process of its own ---- */

static haw_exit work(void *user, int index, bool wait)
{
    study *s = user;
    haw_cli *cli = s->cli;
    haw_study_run run = {.variant = &s->variants.item[index]};
    const haw_variant_job job = {
        .file = s->args->common.operand,
        .text = s->text,
        .set = &s->args->set,
        .at = (double)INFINITY,
        .results = haw_cli_format(cli, "%s/%s.h5", s->cases.inner, s->cases.name[index]),
        .keep = s->args->results};

    if (!haw_case_take(&s->cases, index, wait)) {
        return (haw_exit)HAW_POOL_ELSEWHERE;
    }
    if (haw_case_is_here(&s->cases, index)) {
        return (haw_exit)HAW_POOL_HERE;
    }
    cli->term.has_progress = false; /* the line is that of the study */
    const haw_exit code = haw_variant_run(cli, &job, &run);

    if (code == HAW_EXIT_IO || code == HAW_EXIT_INTERRUPTED || run.is_short) {
        return code; /* without a record: the next study runs it */
    }
    if (run.message != NULL) { /* it names the case */
        snprintf(cli->message, sizeof cli->message, "%s", run.message);
    }
    const haw_exit written = haw_cli_exit(cli, haw_case_write(&s->cases, index, &run), true);

    return written != HAW_EXIT_DONE ? written : code;
}

/* ---- before the first case ---- */

static haw_status read_case(const study *s, int index)
{
    haw_scenario *scenario = NULL;
    const haw_arg_list set = haw_variant_sets(s->cli, &s->args->set, &s->variants.item[index]);
    const haw_status status = haw_scenario_parse(s->cli->context, s->args->common.operand, s->text,
                                                 set.count, set.item, &scenario);

    haw_scenario_free(s->cli->context, status == HAW_OK ? scenario : NULL);
    return status;
}

/* Some case must be one that can be read: an error in the file, or in the name of a parameter, is
 * one message, that of the first case, instead of one for each. Which of them cannot makes no
 * difference: it is refused, in its row of the table, and the others run. */
static haw_exit check(study *s)
{
    haw_context *context = s->cli->context;
    haw_scenario *scenario = NULL;
    haw_status status = haw_session_read(s->cli, s->args->common.operand, &s->args->set, &scenario);

    if (status != HAW_OK) {
        return haw_cli_exit(s->cli, status, false);
    }
    s->text = haw_cli_format(s->cli, "%s", scenario->text);
    haw_scenario_free(context, scenario);
    haw_context_set_log(context, NULL, NULL);
    status = HAW_ERR_INPUT;
    for (int i = 0; i < s->variants.count && status != HAW_OK && status != HAW_ERR_NOMEM; i++) {
        status = read_case(s, i);
    }
    haw_context_set_log(context, haw_cli_log, s->cli);
    return haw_cli_exit(s->cli, status == HAW_OK ? HAW_OK : read_case(s, 0), false);
}

static haw_exit read_variants(study *s)
{
    const study_args *args = s->args;
    const haw_sampling sampling = {args->samples, args->seed};
    const haw_status status = haw_variants_read(&s->cli->arena, args->vary.count, args->vary.item,
                                                sampling, &s->variants);

    return status == HAW_OK || status == HAW_ERR_NOMEM
               ? haw_cli_exit(s->cli, status, false)
               : haw_cli_fail(s->cli, HAW_EXIT_USAGE, "option '--vary': %s",
                              haw_context_message(s->cli->context));
}

static haw_exit check_usage(haw_cli *cli, const study_args *args)
{
    const char *wrong = NULL;

    if (args->vary.count == 0) {
        wrong = "nothing to study: option '--vary' is missing; see 'hawser study --help'";
    } else if (strcmp(args->common.operand, "-") == 0) {
        wrong = "a study needs a file: several processes read it, and the command may be repeated";
    } else if ((int)args->slurm + (int)args->collect + (args->only != NULL ? 1 : 0) > 1) {
        wrong = "--slurm, --case and --collect exclude each other";
    }
    return wrong == NULL ? HAW_EXIT_DONE : haw_cli_fail(cli, HAW_EXIT_USAGE, "%s", wrong);
}

/* Path of the running program; as it was called where the system does not know it. */
static char *program_path(haw_cli *cli)
{
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

    path[length > 0 ? length : 0] = '\0';
    return haw_cli_format(cli, "%s", length > 0 ? path : cli->argv[0]);
}

/* Under mpirun this process becomes hawser-mpi, which stands beside it where Open MPI was found. */
static haw_exit join_team(study *s)
{
    if (s->args->slurm || s->args->collect || s->args->only != NULL || !haw_team_is_called() ||
        haw_team_is_able()) {
        return HAW_EXIT_DONE;
    }
    execv(haw_cli_format(s->cli, "%s-mpi", program_path(s->cli)), s->cli->argv);
    return haw_cli_fail(
        s->cli, HAW_EXIT_USAGE,
        "mpirun started this program, but there is no hawser-mpi beside it: install "
        "Open MPI (Debian: libopenmpi-dev) and run make again, or use -j");
}

/* ---- which cases ---- */

/* "K", or "K/N" for every N-th case from K on. The others are left to other processes. */
static haw_exit choose(study *s)
{
    const char *text = s->args->only;
    char *end;

    if (text == NULL) {
        return HAW_EXIT_DONE;
    }
    const long first = strtol(text, &end, 10);
    const long every = *end == '/' ? strtol(end + 1, &end, 10) : s->pool.cases;

    if (end == text || *end != '\0' || first < 0 || every < 1 || first >= every ||
        first >= s->pool.cases) {
        return haw_cli_fail(s->cli, HAW_EXIT_USAGE,
                            "option '--case' takes the number of a case, 0 to %d, or K/N for every "
                            "N-th case from K on (got '%s')",
                            s->pool.cases - 1, text);
    }
    for (int i = 0; i < s->pool.cases; i++) {
        if (i % every != first) {
            s->pool.state[i] = (char)HAW_POOL_OVER;
        }
    }
    return HAW_EXIT_DONE;
}

static void skip_those_here(study *s)
{
    for (int i = 0; i < s->pool.cases; i++) {
        if (s->pool.state[i] == (char)HAW_POOL_OPEN && haw_case_is_here(&s->cases, i)) {
            s->pool.state[i] = (char)HAW_POOL_OVER;
        }
    }
}

/* ---- Slurm ---- */

enum { ARRAY_MAX = 1000 }; /* tasks: what Slurm allows unless it is told more */

/* One word of a shell. */
static void put_word(FILE *out, const char *word)
{
    fputs(" '", out);
    for (; *word != '\0'; word++) {
        fputs(*word == '\'' ? "'\\''" : (const char[]){*word, '\0'}, out);
    }
    fputc('\'', out);
}

/* The command line again, in the folder where it was given, but without what made this script. */
static void put_command(const study *s, int tasks, FILE *out)
{
    char **word = s->cli->argv;

    put_word(out, program_path(s->cli));
    fprintf(out, " study --case \"$SLURM_ARRAY_TASK_ID/%d\"", tasks);
    for (word += 2; *word != NULL; word++) {
        if (strcmp(*word, "--slurm") != 0) {
            put_word(out, *word);
        }
    }
    fputc('\n', out);
}

static haw_exit write_slurm(study *s)
{
    const int tasks = s->args->processes > 0 ? s->args->processes : ARRAY_MAX;
    const int used = tasks < s->pool.cases ? tasks : s->pool.cases;
    const char *path = haw_cli_format(s->cli, "%s/study.slurm", s->folder);
    char here[4096];
    haw_text script;
    haw_status status = haw_text_open(s->cli->context, &script, s->folder, "study.slurm");

    if (status != HAW_OK) {
        return haw_cli_exit(s->cli, status, false);
    }
    fprintf(script.stream,
            "#!/bin/sh\n# Submit with sbatch; again where cases are missing. Partition, time and "
            "memory are options of sbatch.\n"
            "#SBATCH --job-name=hawser-study\n#SBATCH --array=0-%d\n#SBATCH --ntasks=1\n"
            "#SBATCH --cpus-per-task=1\n#SBATCH --output=/dev/null\ncd",
            used - 1);
    put_word(script.stream, getcwd(here, sizeof here) != NULL ? here : ".");
    fputs(" &&\nexec", script.stream);
    put_command(s, used, script.stream);
    status = haw_text_close(&script, HAW_OK);
    if (status == HAW_OK && s->cli->json) {
        haw_json_text(haw_cli_answer(s->cli), "script", path);
    } else if (status == HAW_OK) {
        printf("sbatch %s\n", path);
    }
    return haw_cli_exit(s->cli, status, false);
}

/* ---- what came of it ---- */

static const char *const statuses[] = {"done", "ended", "refused", "missing"};

enum { STATUSES = sizeof statuses / sizeof statuses[0] };

/* The first message of each status but the good one: the others are in the table. An answer in JSON
 * has it, whether or not a child has said it already. */
static void say_failures(const study *s)
{
    for (int k = 1; k < STATUSES - 1; k++) {
        const int count = haw_cases_count(&s->cases, statuses[k]);
        int first = 0;

        while (count > 0 && strcmp(haw_cases_value(&s->cases, first, "status"), statuses[k]) != 0) {
            first++;
        }
        if (count > 0) {
            const char *some =
                haw_cli_format(s->cli, "%d of %d cases %s", count, s->variants.count, statuses[k]);
            const char *all = haw_cli_format(s->cli, "%s; the first: %s", some,
                                             haw_cases_value(&s->cases, first, "message"));
            const char *rest = haw_cli_format(s->cli, "%s, the first as said", some);

            haw_cli_tell(s->cli, HAW_LOG_WARNING, s->pool.said[first] != 0 ? rest : all, all);
        }
    }
}

static void report(study *s)
{
    const double workers = s->pool.wall > 0.0 ? s->pool.busy / s->pool.wall : 0.0;

    if (s->cli->json) {
        haw_json *json = haw_cli_answer(s->cli);

        haw_json_text(json, "scenario", s->args->common.operand);
        haw_json_text(json, "folder", s->folder);
        haw_json_integer(json, "cases", s->variants.count);
        for (int k = 0; k < STATUSES; k++) {
            haw_json_integer(json, statuses[k], haw_cases_count(&s->cases, statuses[k]));
        }
        haw_json_integer(json, "ran", s->pool.ran);
        haw_json_integer(json, "processes", s->pool.workers);
        haw_json_number(json, "working", workers);
        haw_json_number(json, "wall_seconds", s->pool.wall);
        haw_json_number(json, "busy_seconds", s->pool.busy);
        haw_json_texts(json, "files", s->files.count, s->files.path);
        return;
    }
    printf("%d cases:", s->variants.count);
    for (int k = 0; k < STATUSES; k++) {
        const int count = haw_cases_count(&s->cases, statuses[k]);

        if (count > 0) {
            printf(" %d %s", count, statuses[k]);
        }
    }
    if (s->pool.ran > 0) {
        printf("; %d run now in %.3g s by %d processes, %.2f of them busy on average", s->pool.ran,
               s->pool.wall, s->pool.workers, workers);
    }
    printf("\n");
    haw_files_print(&s->files, "");
}

/* Table and figures of what is there. */
static haw_exit collect(study *s, haw_exit code)
{
    haw_cases_take_tables(&s->cases);
    haw_status status = haw_cases_collect(&s->cases);

    status = status == HAW_OK ? haw_cases_tables(&s->cases) : status;
    status = status == HAW_OK ? haw_cases_figures(&s->cases, haw_files_keep, &s->files) : status;
    if (status != HAW_OK) {
        return haw_cli_exit(s->cli, status, true);
    }
    const int missing = haw_cases_count(&s->cases, "missing");
    const int done = haw_cases_count(&s->cases, "done");

    say_failures(s);
    if (code == HAW_EXIT_INTERRUPTED) {
        haw_cli_fail(s->cli, code,
                     "interrupted with %d of %d cases missing; repeat the command to continue",
                     missing, s->variants.count);
    } else if (missing > 0 && code != HAW_EXIT_IO) {
        code = haw_cli_fail(s->cli, HAW_EXIT_ENDED, "%d of %d cases are missing%s", missing,
                            s->variants.count,
                            s->args->collect ? "; repeat the study without --collect to run them"
                                             : ": their processes ended without a record, as where "
                                               "memory is out (fewer at a time, by -j, have more "
                                               "each); repeat the command to run them");
    } else if (code != HAW_EXIT_IO) {
        const bool is_refused = haw_cases_count(&s->cases, "refused") == s->variants.count;

        code = done == s->variants.count ? HAW_EXIT_DONE
                                         : (is_refused ? HAW_EXIT_REFUSED : HAW_EXIT_ENDED);
    }
    report(s);
    return code;
}

/* ---- the subcommand ---- */

static haw_exit run_cases(study *s)
{
    haw_exit code = choose(s);

    if (code != HAW_EXIT_DONE) {
        return code;
    }
    if (!s->args->collect) {
        skip_those_here(s);
        code = haw_pool_run(&s->pool);
    }
    return s->pool.is_first && s->args->only == NULL ? collect(s, code) : code;
}

static int run(haw_cli *cli, const void *options)
{
    const study_args *args = options;
    study s = {.cli = cli, .args = args, .files.cli = cli};
    haw_exit code = check_usage(cli, args);

    code = code == HAW_EXIT_DONE ? join_team(&s) : code;
    code = code == HAW_EXIT_DONE ? read_variants(&s) : code;
    code = code == HAW_EXIT_DONE ? check(&s) : code;
    if (code != HAW_EXIT_DONE) {
        return code;
    }
    s.folder = args->folder != NULL
                   ? args->folder
                   : haw_cli_format(cli, "study-%s", haw_cli_base_name(cli, args->common.operand));
    s.cases = (haw_cases){.arena = &cli->arena, .folder = s.folder, .variants = &s.variants};
    code = haw_cli_exit(cli,
                        haw_cases_open(&s.cases, s.text, args->set.count, args->set.item,
                                       args->results ? "results" : ""),
                        false);
    if (code != HAW_EXIT_DONE) {
        return code;
    }
    s.pool =
        (haw_pool){.cli = cli,
                   .processes = args->processes > 0 && args->only == NULL ? args->processes : 1,
                   .cases = s.variants.count,
                   .state = haw_cli_allocate(cli, (size_t)s.variants.count, 1),
                   .said = haw_cli_allocate(cli, (size_t)s.variants.count, 1),
                   .work = work,
                   .user = &s,
                   .is_first = true};
    code = args->slurm ? write_slurm(&s) : run_cases(&s);
    return (int)code;
}

static const haw_arg rows[] = {
    {"vary", 0, HAW_ARG_LIST, offsetof(study_args, vary), "PARAMETER",
     "path=from:to:count, path=value,value,... or 'name: path=value ...; name: ...' (several "
     "multiply)"},
    {"set", 0, HAW_ARG_LIST, offsetof(study_args, set), "PATH=VALUE",
     "override one value in all cases (repeatable)"},
    {"samples", 0, HAW_ARG_INTEGER, offsetof(study_args, samples), "N",
     "draw N points of a Latin hypercube over all --vary path=from:to"},
    {"seed", 0, HAW_ARG_INTEGER, offsetof(study_args, seed), "N", "seed of --samples (default: 0)"},
    {"processes", 'j', HAW_ARG_INTEGER, offsetof(study_args, processes), "N",
     "number of cases run at a time (default: 1), under mpirun by each process; with --slurm, "
     "number of tasks of the array"},
    {"output", 'o', HAW_ARG_TEXT, offsetof(study_args, folder), "DIR",
     "folder of the study, created if missing (default: study- and the scenario's name)"},
    {"results", 0, HAW_ARG_FLAG, offsetof(study_args, results), NULL,
     "also keep a results file for each case"},
    {"collect", 0, HAW_ARG_FLAG, offsetof(study_args, collect), NULL,
     "run nothing: write table and figures of the cases computed so far"},
    {"case", 0, HAW_ARG_TEXT, offsetof(study_args, only), "K",
     "run case K only (from 0), or every N-th from K on, as K/N; no table"},
    {"slurm", 0, HAW_ARG_FLAG, offsetof(study_args, slurm), NULL,
     "run nothing: write DIR/study.slurm, an array job for sbatch"},
    {NULL, 0, HAW_ARG_FLAG, 0, NULL, NULL},
};

const haw_command haw_command_study = {
    .name = "study",
    .summary = "Run a scenario over ranges of its parameters",
    .operand = "FILE",
    .operand_required = true,
    .endings = "yaml yml",
    .details =
        "Variations are those of hawser compare; from:to:count stands for as many values at equal "
        "distances, from:to:count:log for equal ratios. The name of a key of contact pairs alone, "
        "as in friction=0:1:20, means contact.friction. With --samples, variations of the form "
        "path=from:to (or from:to:log) are the sides of a Latin hypercube.\n\nEach case writes one "
        "file to DIR/cases when it has finished, named after a hash of the scenario and of its "
        "settings. Repeating the command runs only the missing cases: after an interruption, after "
        "the loss of a machine, or when a range has been extended. Several commands may work in "
        "one folder at the same time without repeating each other's cases. If a process dies, its "
        "case is tried again, at most three times.\n\nThe results are study.csv (a row for each "
        "case: parameters, status, message, statistics of the run, and the last, smallest and "
        "largest value of each probe; it does not depend on the order in which the cases were "
        "run), times.csv (CPU times), and for each parameter a figure of the probes over "
        "it.\n\nUnder mpirun (Open MPI), the first process distributes the cases; with -j mpirun "
        "needs --bind-to none. For Slurm, --slurm writes a script; when its array has finished, "
        "--collect writes the table and the figures.\n\nExit code 1: cases ended early or are "
        "missing; 3: all were "
        "refused. Keys of --json: scenario, folder, cases, done, ended, refused, missing (numbers "
        "of cases), ran (by this command), processes, working (of them, on average), wall_seconds, "
        "busy_seconds (of all processes), files, status, message, messages; with --slurm: script, "
        "status, message, messages.",
    .example = {"hawser study disk-impact.yaml --vary friction=0:1:20 -j 4",
                "hawser study disk-impact.yaml --samples 50 --vary friction=0:1 --vary "
                "bodies.disk.spin=-40:40 -j 4"},
    .args = rows,
    .options_size = sizeof(study_args),
    .run = run,
};
