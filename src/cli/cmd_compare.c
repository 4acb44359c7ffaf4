/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser compare: one scenario in several variants, side by side. */
#include "cli/run_report.h"
#include "cli/variant_run.h"

#include <math.h>
#include <string.h>

typedef struct compare_args {
    haw_args_common common;
    haw_arg_list set, vary;
    const char *reference, *folder;
    haw_arg_real at;
    bool no_output;
} compare_args;

/* A study and where its files go. */
typedef struct compare_result {
    haw_study study;
    const char *scenario;
    const char *folder; /* NULL: nothing is written */
    haw_files files;
} compare_result;

/* ---- table ---- */

/* Largest difference of a probe; its index is -1 where there is none. */
static double worst_probe(const haw_study_run *run, int *index)
{
    double worst = (double)NAN;

    *index = -1;
    for (int i = 0; i < run->probes; i++) {
        if (!isnan(run->probe_error[i]) && !(run->probe_error[i] <= worst)) {
            worst = run->probe_error[i];
            *index = i;
        }
    }
    return worst;
}

static void put_note(const haw_study *study, int index)
{
    const haw_study_run *run = &study->run[index];
    int probe;
    const double worst = worst_probe(run, &probe);

    if (index == study->reference) {
        printf("  %s", "reference");
    }
    if (!run->has_run) {
        printf("  %s", run->status);
    } else if (!run->is_done) {
        printf("  %s at t = %.6g s", run->status, run->summary.t_end);
    } else if (index != study->reference && worst > 0.0) {
        printf("  %s", run->probe[probe].name);
    }
}

static const struct {
    const char *head, *unit;
    int width;
    const char *format;
} columns[] = {{"error", "", 10, "%.2e"},          {"CPU", "[s]", 9, "%.3g"},
               {"steps", "", 9, "%.0f"},           {"Newton", "", 9, "%.0f"},
               {"factor.", "", 9, "%.0f"},         {"unconv.", "", 8, "%.0f"},
               {"penetration", "[m]", 12, "%.2e"}, {"balance", "[J]", 11, "%.1e"},
               {"tension", "L2", 11, "%.2e"},      {"probes", "largest", 11, "%.2e"}};

enum { COLUMNS = sizeof columns / sizeof columns[0] };

static void put_row(const haw_study *study, int index, int width)
{
    const haw_study_run *run = &study->run[index];
    const haw_certificate *certificate = &run->summary.certificate;
    const bool is_reference = index == study->reference;
    int probe;
    const double value[COLUMNS] = {is_reference ? (double)NAN : run->error,
                                   run->summary.cpu_seconds,
                                   (double)run->summary.steps,
                                   (double)certificate->newton_iterations,
                                   (double)certificate->factorizations,
                                   (double)certificate->unconverged_steps,
                                   certificate->penetration_max,
                                   run->summary.ledger.balance_error,
                                   is_reference ? (double)NAN : run->tension_l2,
                                   is_reference ? (double)NAN : worst_probe(run, &probe)};

    printf("%-*s", width, run->variant->name);
    for (int i = 0; i < COLUMNS; i++) {
        char text[32] = "-";

        if (run->has_run && !isnan(value[i])) {
            snprintf(text, sizeof text, columns[i].format, value[i]);
        }
        printf("%*s", columns[i].width, text);
    }
    put_note(study, index);
    fputc('\n', stdout);
}

static void print_comparison(const compare_result *comparison)
{
    const haw_study *study = &comparison->study;
    size_t widest = strlen("variant");

    for (int i = 0; i < study->runs; i++) {
        const size_t length = strlen(study->run[i].variant->name);

        widest = length > widest ? length : widest;
    }
    for (int line = 0; line < 2; line++) {
        printf("%-*s", (int)widest, line == 0 ? "variant" : "");
        for (int i = 0; i < COLUMNS; i++) {
            printf("%*s", columns[i].width, line == 0 ? columns[i].head : columns[i].unit);
        }
        fputc('\n', stdout);
    }
    for (int i = 0; i < study->runs; i++) {
        put_row(study, i, (int)widest);
    }
    if (comparison->files.count > 0) {
        printf("\ntables and figures: %s\n", comparison->folder);
    }
}

/* ---- JSON ---- */

static void write_probes(haw_json *json, const haw_study_run *run)
{
    const size_t last = (size_t)(run->frames - 1) * (size_t)run->values;

    haw_json_open(json, "probes", '{');
    for (int i = 0; i < run->probes; i++) {
        const haw_study_probe *probe = &run->probe[i];

        haw_json_values(json, probe->name, probe->size, run->value + last + probe->first);
    }
    haw_json_close(json, '}');
}

static void write_error(haw_json *json, const haw_study_run *run)
{
    haw_json_open(json, "error", '{');
    haw_json_number(json, "largest", run->error);
    haw_json_number(json, "tension_l2", run->tension_l2);
    haw_json_open(json, "probes", '{');
    for (int i = 0; i < run->probes; i++) {
        haw_json_number(json, run->probe[i].name, run->probe_error[i]);
    }
    haw_json_close(json, '}');
    haw_json_close(json, '}');
}

/* A variant that never ran has name, set, status and message only. */
static void write_variant(haw_json *json, const haw_study_run *run)
{
    haw_json_open(json, NULL, '{');
    haw_json_text(json, "name", run->variant->name);
    haw_json_texts(json, "set", run->variant->sets, run->variant->set);
    haw_json_text(json, "status", run->status);
    haw_json_text(json, "message", run->message);
    if (run->has_run) {
        haw_json_summary(json, &run->summary);
        haw_json_number(json, "balance_error", run->summary.ledger.balance_error);
        haw_json_number(json, "balance_drift", run->summary.ledger.balance_drift);
        haw_json_integer(json, "elements", run->elements);
        haw_json_integer(json, "contact_points", run->points);
        write_probes(json, run);
        write_error(json, run);
    }
    haw_json_close(json, '}');
}

static void write_comparison(haw_cli *cli, const compare_result *comparison)
{
    const haw_study *study = &comparison->study;
    const haw_files *files = &comparison->files;
    const char *table = NULL;
    const char **figure = haw_cli_allocate(cli, (size_t)files->count, sizeof *figure);
    int figures = 0;
    haw_json *json = haw_cli_answer(cli);

    for (int i = 0; i < files->count; i++) {
        const char *path = files->path[i], *ending = strrchr(path, '.');

        if (strcmp(ending, ".png") == 0 || strcmp(ending, ".svg") == 0) {
            figure[figures++] = path;
        }
        table = strcmp(strrchr(path, '/'), "/compare.csv") == 0 ? path : table;
    }
    haw_json_text(json, "scenario", comparison->scenario);
    haw_json_text(json, "reference",
                  study->reference >= 0 ? study->run[study->reference].variant->name : NULL);
    haw_json_text(json, "swept", study->swept);
    haw_json_open(json, "variants", '[');
    for (int i = 0; i < study->runs; i++) {
        write_variant(json, &study->run[i]);
    }
    haw_json_close(json, ']');
    haw_json_texts(json, "figures", figures, figure);
    haw_json_text(json, "table", table);
    haw_json_texts(json, "files", files->count, files->path);
}

/* ---- variants and reference ---- */

/* A text that is refused here is the user's, whatever the library calls it. */
static haw_exit refuse(haw_cli *cli, const char *option, haw_status status)
{
    return status == HAW_ERR_NOMEM ? haw_cli_exit(cli, status, false)
                                   : haw_cli_fail(cli, HAW_EXIT_USAGE, "option '--%s': %s", option,
                                                  haw_context_message(cli->context));
}

static haw_exit unknown_reference(haw_cli *cli, const haw_study *study, const char *name)
{
    const char **names = haw_cli_allocate(cli, (size_t)study->runs, sizeof *names);

    for (int i = 0; i < study->runs; i++) {
        names[i] = study->run[i].variant->name;
    }
    char hint[HAW_HINT_SIZE];

    haw_hint(name, study->runs, names, hint);
    return haw_cli_fail(cli, HAW_EXIT_USAGE, "option '--reference': no variant '%s'%s", name,
                        hint[0] != '\0' ? hint
                                        : "; write a new one as name: path=value path=value");
}

/* The name of a variant, or one more variant that stands beside the others. */
static haw_exit find_reference(haw_cli *cli, const compare_args *args, haw_study *study)
{
    study->reference = -1;
    if (args->reference == NULL) {
        return HAW_EXIT_DONE;
    }
    for (int i = 0; i < study->runs; i++) {
        if (strcmp(study->run[i].variant->name, args->reference) == 0) {
            study->reference = i;
            return HAW_EXIT_DONE;
        }
    }
    if (strchr(args->reference, ':') == NULL) {
        return unknown_reference(cli, study, args->reference);
    }
    haw_variant *extra = haw_cli_allocate(cli, 1, sizeof *extra);
    const haw_status status = haw_variant_read(&cli->arena, args->reference, extra);

    if (status != HAW_OK) {
        return refuse(cli, "reference", status);
    }
    study->reference = study->runs;
    study->run[study->runs++].variant = extra;
    return HAW_EXIT_DONE;
}

static haw_exit read_variants(haw_cli *cli, const compare_args *args, haw_study *study)
{
    haw_variants variants = {0};

    const haw_status status = haw_variants_read(&cli->arena, args->vary.count, args->vary.item,
                                                (haw_sampling){0}, &variants);

    if (status != HAW_OK) {
        return refuse(cli, "vary", status);
    }
    *study = (haw_study){.arena = &cli->arena,
                         .runs = variants.count,
                         .swept = variants.swept,
                         .groups = variants.groups,
                         .group_name = variants.group_name};
    study->run = haw_cli_allocate(cli, (size_t)variants.count + 1, sizeof *study->run);
    for (int i = 0; i < study->runs; i++) {
        study->run[i].variant = &variants.item[i];
    }
    return find_reference(cli, args, study);
}

/* ---- runs ---- */

/* The standard input gives its text once; each variant reads the copy. */
static haw_exit read_input(haw_cli *cli, const compare_args *args, const char **text)
{
    haw_scenario *scenario = NULL;

    *text = NULL;
    if (strcmp(args->common.operand, "-") != 0) {
        return HAW_EXIT_DONE;
    }
    const haw_status status =
        haw_scenario_read(cli->context, "-", args->set.count, args->set.item, &scenario);

    if (status != HAW_OK) {
        return haw_cli_exit(cli, status, false);
    }
    *text = haw_cli_format(cli, "%s", scenario->text);
    haw_scenario_free(cli->context, scenario);
    return HAW_EXIT_DONE;
}

/* The largest exit code matters most: interrupted, files, refused, ended. */
static haw_exit run_all(haw_cli *cli, const compare_args *args, haw_study *study)
{
    haw_variant_job job = {.file = args->common.operand,
                           .set = &args->set,
                           .at = args->at.given ? args->at.value : (double)INFINITY};
    haw_exit code = read_input(cli, args, &job.text);

    if (code != HAW_EXIT_DONE) {
        return code;
    }
    for (int i = 0; i < study->runs; i++) {
        haw_term *term = &cli->term;

        term->started = 0.0;
        term->next = term->drawn_step = 0;
        snprintf(term->task, sizeof term->task, "%d of %d  ", i + 1, study->runs);
        const haw_exit one = haw_variant_run(cli, &job, &study->run[i]);

        code = one > code ? one : code;
        if (one != HAW_EXIT_DONE && one != HAW_EXIT_IO && !study->run[i].has_run) {
            haw_cli_fail(cli, one, "variant '%s' did not start", study->run[i].variant->name);
        }
        if (one == HAW_EXIT_IO || one == HAW_EXIT_INTERRUPTED) {
            while (++i < study->runs) {
                study->run[i].status = "skipped";
            }
        }
    }
    return code;
}

/* A reference that has nothing to show is no reference. */
static haw_status compare_all(haw_cli *cli, haw_study *study)
{
    if (study->reference >= 0 && !study->run[study->reference].has_run) {
        haw_log(cli->context, HAW_LOG_WARNING,
                "the reference '%s' did not run; using the finest variant instead",
                study->run[study->reference].variant->name);
        study->reference = -1;
    }
    if (study->reference < 0) {
        study->reference = haw_study_finest(study);
    }
    return haw_study_compare(study);
}

static haw_status write_files(haw_cli *cli, compare_result *comparison)
{
    HAW_TRY(haw_study_tables(cli->context, &comparison->study, comparison->folder));
    return haw_study_figures(cli->context, &comparison->study, comparison->folder, haw_files_keep,
                             &comparison->files);
}

static int run(haw_cli *cli, const void *options)
{
    const compare_args *args = options;
    compare_result comparison = {.scenario = args->common.operand, .files.cli = cli};
    haw_study *study = &comparison.study;

    if (args->vary.count == 0) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE,
                            "nothing to compare: option '--vary' is missing; see 'hawser compare "
                            "--help'");
    }
    haw_exit code = read_variants(cli, args, study);

    if (code != HAW_EXIT_DONE || study->run == NULL) {
        return code;
    }
    code = run_all(cli, args, study);
    haw_status status = compare_all(cli, study);

    if (status != HAW_OK) {
        return haw_cli_exit(cli, status, true);
    }
    if (!args->no_output) {
        comparison.folder =
            args->folder != NULL
                ? args->folder
                : haw_cli_format(cli, "compare-%s", haw_cli_base_name(cli, args->common.operand));
    }
    if (!args->no_output && study->reference >= 0) {
        const haw_exit written = haw_cli_exit(cli, write_files(cli, &comparison), true);

        code = written > code ? written : code;
    }
    if (cli->json) {
        write_comparison(cli, &comparison);
    } else if (study->reference >= 0) {
        print_comparison(&comparison);
    }
    return code;
}

static const haw_arg rows[] = {
    {"vary", 0, HAW_ARG_LIST, offsetof(compare_args, vary), "VARIANTS",
     "'name: path=value path=value; name: ...' or path=value,value,... (several multiply)"},
    {"set", 0, HAW_ARG_LIST, offsetof(compare_args, set), "PATH=VALUE",
     "override one value in all variants (repeatable)"},
    {"reference", 0, HAW_ARG_TEXT, offsetof(compare_args, reference), "NAME",
     "variant with which the others are compared, or an additional one as 'name: path=value' "
     "(default: the finest)"},
    {"at", 0, HAW_ARG_REAL, offsetof(compare_args, at), "SECONDS",
     "time of the profiles (default: the end)"},
    {"output", 'o', HAW_ARG_TEXT, offsetof(compare_args, folder), "DIR",
     "folder of tables and figures, created if missing (default: compare- and the scenario's "
     "name)"},
    {"no-output", 0, HAW_ARG_FLAG, offsetof(compare_args, no_output), NULL,
     "do not write tables or figures"},
    {NULL, 0, HAW_ARG_FLAG, 0, NULL, NULL},
};

const haw_command haw_command_compare = {
    .name = "compare",
    .summary = "Run variants of a scenario and compare them",
    .operand = "FILE",
    .operand_required = true,
    .endings = "yaml yml",
    .details =
        "A variation is a list of named variants, each with its settings, or a list of values of "
        "one key; further lists with the same number of values, separated by spaces, vary along "
        "with it. Several variations multiply: every variant of the first with every one of the "
        "second. Paths are those of --set; values are YAML; put a value with spaces, commas or "
        "semicolons in quotes or brackets.\n\nThe table has a line for each variant: error (the "
        "larger of the last two columns), CPU time, steps, Newton iterations and factorizations of "
        "implicit steps, unconverged steps, largest penetration, largest error of the energy "
        "balance of a step, relative distance of the tension profile (L2 over the arc length; "
        "closed cables from the place above their middle), and the largest difference of a probe "
        "at the end over its largest magnitude in the reference, with the name of that probe. The "
        "reference is the variant with the smallest step, then the most contact points and "
        "elements, then the last one given, unless --reference names another. A variant that is "
        "refused or ends early does not stop the others.\n\nThe files written are compare.csv, "
        "tension.csv, "
        "contact.csv, histories.csv and the figures profiles (tension, normal and tangential "
        "contact force per length; the impulses of the whole run where nothing touches at that "
        "time) and histories; where one key has a list of numbers, also sweep: error and CPU time "
        "over it.\n\nKeys of --json: scenario, reference, swept (path or null), variants (name, "
        "set, status, message, stepper, solver, step, steps, t_end, cpu_seconds, wall_seconds, "
        "newton_iterations, factorizations, iterations_total, unconverged_steps, rejected_steps, "
        "contacts_max, penetration_max, residual_max, balance_error, balance_drift, elements, "
        "contact_points, probes {name: number or array}, error {largest, tension_l2, probes}), "
        "figures, table, files, status, message, messages. A variant that never ran has the first "
        "four only.",
    .example = {"hawser compare disk-impact.yaml --vary contact.points_per_element=2,4,8,16",
                "hawser compare belt-drive.yaml --vary 'hard: contact.law=hard "
                "stepper.type=moreau-jean stepper.step=1.0e-3; penalty: contact.law=penalty'"},
    .args = rows,
    .options_size = sizeof(compare_args),
    .run = run,
};
