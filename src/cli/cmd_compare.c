/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser compare: one scenario in several variants, side by side. */
#include "cli/cmd_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- variants and reference ---- */

/* A text that is refused here is the user's, whatever the library calls it. */
static haw_exit refuse(haw_cli *cli, const char *option, haw_status status)
{
    if (status == HAW_ERR_NOMEM) {
        return haw_cli_fail_status(cli, status, false);
    }
    const char *why = haw_cli_format(cli, "%s", haw_context_message(cli->context));

    return haw_cli_fail(cli, HAW_EXIT_USAGE, "option '--%s': %s", option, why);
}

static haw_exit unknown_reference(haw_cli *cli, const haw_study *study, const char *name)
{
    const char *nearest = NULL;

    for (int i = 0; i < study->runs; i++) {
        const char *const pair[] = {nearest, study->run[i].variant->name};

        nearest = haw_nearest(name, 2, pair);
    }
    if (nearest != NULL) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE,
                            "option '--reference': no variant '%s'; did you mean '%s'?", name,
                            nearest);
    }
    return haw_cli_fail(cli, HAW_EXIT_USAGE,
                        "option '--reference': no variant '%s'; one of its own is written "
                        "name: path=value path=value",
                        name);
}

/* The name of a variant, or one more variant that stands beside the others. */
static haw_exit find_reference(haw_cli *cli, const haw_compare_args *args, haw_study *study)
{
    haw_variant *extra = NULL;

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
    extra = haw_arena_allocate(&cli->arena, 1, sizeof *extra);
    const haw_status status =
        extra != NULL ? haw_variant_read(&cli->arena, args->reference, extra) : HAW_ERR_NOMEM;

    if (status != HAW_OK) {
        return refuse(cli, "reference", status);
    }
    study->reference = study->runs;
    study->run[study->runs++].variant = extra;
    return HAW_EXIT_DONE;
}

static haw_exit read_variants(haw_cli *cli, const haw_compare_args *args, haw_study *study)
{
    haw_variants variants = {0};

    const haw_status status =
        haw_variants_read(&cli->arena, args->vary.count, args->vary.item, &variants);

    if (status != HAW_OK) {
        return refuse(cli, "vary", status);
    }
    *study = (haw_study){.arena = &cli->arena,
                         .runs = variants.count,
                         .swept = variants.swept,
                         .groups = variants.groups,
                         .group_name = variants.group_name};
    study->run = haw_arena_allocate(&cli->arena, (size_t)variants.count + 1, sizeof *study->run);
    if (study->run == NULL) {
        return haw_cli_fail_status(cli, HAW_ERR_NOMEM, false);
    }
    for (int i = 0; i < study->runs; i++) {
        study->run[i].variant = &variants.item[i];
    }
    return find_reference(cli, args, study);
}

/* ---- runs ---- */

/* The standard input gives its text once; each variant reads the copy. */
static haw_exit read_input(haw_cli *cli, const haw_compare_args *args, const char **text)
{
    haw_scenario *scenario = NULL;

    *text = NULL;
    if (strcmp(args->common.operand, "-") != 0) {
        return HAW_EXIT_DONE;
    }
    const haw_status status =
        haw_scenario_read(cli->context, "-", args->set.count, args->set.item, &scenario);

    if (status != HAW_OK) {
        return haw_cli_fail_status(cli, status, false);
    }
    *text = haw_cli_format(cli, "%s", scenario->text);
    haw_scenario_free(cli->context, scenario);
    return HAW_EXIT_DONE;
}

/* What matters most of two exit codes: interrupted, files, refused, ended. */
static haw_exit worse(haw_exit a, haw_exit b)
{
    return b > a ? b : a;
}

/* Variants that were not reached are told as such. */
static void skip(haw_study *study, int from)
{
    for (int i = from; i < study->runs; i++) {
        study->run[i].status = "skipped";
    }
}

static haw_exit run_all(haw_cli *cli, const haw_compare_args *args, haw_study *study)
{
    const char *text;
    haw_exit code = read_input(cli, args, &text);

    if (code != HAW_EXIT_DONE) {
        return code;
    }
    for (int i = 0; i < study->runs; i++) {
        const haw_exit one = haw_compare_run(cli, args, text, &study->run[i]);

        code = worse(code, one);
        if (one != HAW_EXIT_DONE && one != HAW_EXIT_IO && !study->run[i].has_run) {
            haw_cli_fail(cli, one, "variant '%s' did not start", study->run[i].variant->name);
        }
        if (one == HAW_EXIT_IO || one == HAW_EXIT_INTERRUPTED) {
            skip(study, i + 1);
            break;
        }
    }
    return code;
}

/* A reference that has nothing to show is no reference. */
static haw_status compare_all(haw_cli *cli, haw_study *study)
{
    if (study->reference >= 0 && !study->run[study->reference].has_run) {
        haw_log(cli->context, HAW_LOG_WARNING,
                "the reference '%s' has not run; the finest variant takes its place",
                study->run[study->reference].variant->name);
        study->reference = -1;
    }
    if (study->reference < 0) {
        study->reference = haw_study_finest(study);
    }
    return haw_study_compare(study);
}

/* ---- files ---- */

static void keep_path(void *user, const char *path)
{
    haw_comparison *comparison = user;
    const size_t length = strlen(path);
    const char *suffix = length > 4 ? path + length - 4 : "";

    if (comparison->files == comparison->room) {
        return;
    }
    char *copy = haw_arena_string(comparison->study.arena, path);

    if (copy == NULL) {
        return;
    }
    comparison->file[comparison->files++] = copy;
    if (strcmp(suffix, ".png") == 0 || strcmp(suffix, ".svg") == 0) {
        comparison->figure[comparison->figures++] = copy;
    }
}

static haw_exit write_files(haw_cli *cli, haw_comparison *comparison)
{
    const haw_study *study = &comparison->study;

    comparison->room = 128;
    comparison->file = haw_arena_allocate(&cli->arena, 128, sizeof *comparison->file);
    comparison->figure = haw_arena_allocate(&cli->arena, 128, sizeof *comparison->figure);
    if (comparison->file == NULL || comparison->figure == NULL) {
        return haw_cli_fail_status(cli, HAW_ERR_NOMEM, true);
    }
    haw_status status = haw_study_tables(cli->context, study, comparison->folder);

    if (status == HAW_OK) {
        status = haw_study_figures(cli->context, study, comparison->folder, keep_path, comparison);
    }
    return status == HAW_OK ? HAW_EXIT_DONE : haw_cli_fail_status(cli, status, true);
}

static const char *folder_name(haw_cli *cli, const haw_compare_args *args)
{
    if (args->no_output) {
        return NULL;
    }
    if (args->folder != NULL) {
        return args->folder;
    }
    return haw_cli_format(cli, "compare-%s", haw_cli_base_name(cli, args->common.operand));
}

static int run(haw_cli *cli, const void *options)
{
    const haw_compare_args *args = options;
    haw_comparison comparison = {.scenario = args->common.operand,
                                 .folder = folder_name(cli, args)};
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
    const haw_status status = compare_all(cli, study);

    if (status != HAW_OK) {
        return haw_cli_fail_status(cli, status, true);
    }
    if (comparison.folder != NULL && study->reference >= 0) {
        code = worse(code, write_files(cli, &comparison));
    }
    comparison.code = code;
    if (args->common.json) {
        haw_compare_write(cli, &comparison);
    } else if (study->reference >= 0) {
        haw_compare_print(&comparison);
    }
    return code;
}

static const haw_arg rows[] = {
    {"vary", 0, HAW_ARG_LIST, offsetof(haw_compare_args, vary), "VARIANTS",
     "'name: path=value path=value; name: ...' or path=value,value,... (several multiply)"},
    {"set", 0, HAW_ARG_LIST, offsetof(haw_compare_args, set), "PATH=VALUE",
     "override one value in all variants (repeatable)"},
    {"reference", 0, HAW_ARG_TEXT, offsetof(haw_compare_args, reference), "NAME",
     "variant that the others are compared with, or one more as 'name: path=value' (default: the "
     "finest)"},
    {"at", 0, HAW_ARG_REAL, offsetof(haw_compare_args, at), "SECONDS",
     "time of the profiles (default: the end)"},
    {"output", 'o', HAW_ARG_TEXT, offsetof(haw_compare_args, folder), "DIR",
     "folder of tables and figures, made if missing (default: compare- and the scenario's name)"},
    {"no-output", 0, HAW_ARG_FLAG, offsetof(haw_compare_args, no_output), NULL,
     "write no tables and no figures"},
    {NULL, 0, HAW_ARG_FLAG, 0, NULL, NULL},
};

const haw_command haw_command_compare = {
    .name = "compare",
    .summary = "Run variants of a scenario and compare them",
    .operand = "FILE",
    .operand_required = true,
    .endings = "yaml yml",
    .details =
        "A variation is a list of named variants, each with the settings that make it, or a list "
        "of values of one key; further lists of as many values, after a blank, go along with it. "
        "Several variations multiply: every variant of the first with every one of the second. "
        "Paths are those of --set; values are YAML, and a value with blanks, commas or "
        "semicolons stands in quotes or brackets.\n\n"
        "The table has a line for each variant: error (the larger of the last two columns), CPU "
        "time, steps, Newton iterations and factorizations of implicit steps, unconverged steps, "
        "largest penetration, largest error of the energy balance of a step, relative distance of "
        "the tension profile (L2 over the arc length; closed cables from the place above their "
        "middle), and the largest difference of a probe at the end over its largest magnitude in "
        "the reference, with the name of that probe. The reference is the variant with the "
        "smallest step, then the most contact points and elements, then the last one given, "
        "unless --reference names another. A variant that is refused or ends early does not stop "
        "the others.\n\n"
        "Written are compare.csv, tension.csv, contact.csv, histories.csv and the figures "
        "profiles (tension, normal and tangential contact force per length; the impulses of the "
        "whole run where nothing touches at that time) and histories; where one key has a list "
        "of numbers, also sweep: error and CPU time over it.\n\n"
        "Keys of --json: scenario, reference, swept (path or null), variants (name, set, "
        "status, message, stepper, solver, step, steps, t_end, cpu_seconds, wall_seconds, "
        "newton_iterations, factorizations, iterations_total, unconverged_steps, rejected_steps, "
        "contacts_max, penetration_max, residual_max, balance_error, balance_drift, elements, "
        "contact_points, probes {name: number or array}, error {largest, tension_l2, probes}), "
        "figures, table, files, status, message, messages. A variant that never ran has the "
        "first four only.",
    .example = {"hawser compare disk-impact.yaml --vary contact.points_per_element=2,4,8,16",
                "hawser compare belt-drive.yaml --vary 'hard: contact.law=hard "
                "stepper.type=moreau-jean stepper.step=1.0e-3; penalty: contact.law=penalty'"},
    .args = rows,
    .options_size = sizeof(haw_compare_args),
    .run = run,
};
