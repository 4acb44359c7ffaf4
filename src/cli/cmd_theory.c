/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser theory: evaluate a closed form; its options come from its row. */
#include "cli/catalog.h"
#include "io/file.h"
#include "report/report.h"

#include <hawser/theory.h>

#include <errno.h>
#include <string.h>

enum { THEORY_OPTIONS_MAX = 32, THEORY_STORAGE = 256, FIGURE_POINTS = 601 };

static const char *const points_key = "points";

extern const haw_command haw_command_theory;

typedef struct theory_args {
    haw_args_common common;
    int profile; /* points, 0: not given */
    bool plot;
    const char *folder, *report;
    const char *value[THEORY_OPTIONS_MAX]; /* as given, in the order of the theory's rows */
} theory_args;

static int unknown_theory(haw_cli *cli, const char *word)
{
    return haw_cli_unknown_row(cli, "theory", word, haw_theories, "hawser theory");
}

/* The rows of the theory that the command line names, wherever its name stands. */
static int theory_rows(haw_cli *cli, int argc, char *const *argv, haw_arg *rows, int capacity)
{
    const haw_theory_ops *theory = NULL;
    const char *word = NULL;

    for (int i = 1; i < argc && theory == NULL; i++) {
        if (argv[i][0] != '-') {
            word = word != NULL ? word : argv[i];
            theory = (const haw_theory_ops *)haw_row_find(haw_theories, argv[i]);
        }
    }
    if (theory == NULL) {
        return word != NULL ? -unknown_theory(cli, word) : 0;
    }
    const int count = haw_options_count(theory->row.options);

    for (int i = 0; i < count && i < capacity; i++) {
        rows[i] = (haw_arg){
            .name = theory->row.options[i].key,
            .kind = HAW_ARG_TEXT,
            .offset = offsetof(theory_args, value) + (size_t)i * sizeof(const char *),
            .value = "VALUE",
            .help = haw_option_help(cli, &theory->row.options[i], NULL),
        };
    }
    return count < capacity ? count : capacity;
}

/* `points` > 0 of the profiles replace those of the option of the theory. */
static haw_status evaluate(haw_cli *cli, const haw_theory_ops *theory, const theory_args *args,
                           int points, haw_theory_result *result)
{
    union {
        max_align_t align;
        char bytes[THEORY_STORAGE];
    } options;

    haw_options_init(theory->row.options, &options);
    haw_status status = HAW_OK;

    for (int i = 0; i < haw_options_count(theory->row.options) && status == HAW_OK; i++) {
        if (args->value[i] != NULL) {
            status = haw_options_parse(cli->context, theory->row.options, &options,
                                       theory->row.options[i].key, args->value[i]);
        }
    }
    if (status == HAW_OK && points > 0) {
        status =
            haw_options_set_real(cli->context, theory->row.options, &options, points_key, points);
    }
    return status == HAW_OK ? haw_theory_evaluate(cli->context, theory, &options, result) : status;
}

/* ---- answers ---- */

static haw_status draw(haw_cli *cli, const haw_theory_ops *theory, const theory_args *args,
                       haw_files *files)
{
    const char *folder =
        args->folder != NULL ? args->folder : haw_cli_format(cli, "theory-%s", theory->row.name);
    haw_theory_result fine;

    HAW_TRY(evaluate(cli, theory, args, args->profile > 0 ? args->profile : FIGURE_POINTS, &fine));
    const haw_status status = haw_report_theory(cli->context, &fine, folder, haw_files_keep, files);

    haw_theory_result_free(cli->context, &fine);
    return status;
}

static void write_result(haw_cli *cli, const haw_theory_ops *theory,
                         const haw_theory_result *result, const haw_files *files)
{
    haw_json *json = haw_cli_answer(cli);

    haw_json_text(json, "theory", theory->row.name);
    for (int i = 0; i < result->texts; i++) {
        haw_json_text(json, result->text[i].key, result->text[i].value);
    }
    for (int i = 0; i < result->count; i++) {
        const haw_quantity *q = &result->quantity[i];

        if (q->is_profile) {
            haw_json_array(json, q->key, q->count, q->value);
        } else {
            haw_json_number(json, q->key, *q->value);
        }
    }
    if (files->count > 0) {
        haw_json_texts(json, "files", files->count, files->path);
    }
    haw_json_close(json, '}');
}

/* Profiles that belong together have the same length: one column each. */
static void print_columns(const haw_theory_result *result, int first, int last)
{
    printf("\n#");
    for (int i = first; i < last; i++) {
        printf(" %s[%s]", result->quantity[i].key, result->quantity[i].unit);
    }
    printf("\n");
    for (int k = 0; k < result->quantity[first].count; k++) {
        for (int i = first; i < last; i++) {
            printf("%s%.12g", i > first ? " " : "", result->quantity[i].value[k]);
        }
        printf("\n");
    }
}

static void print_result(const haw_theory_ops *theory, const haw_theory_result *result)
{
    printf("%s: %s\n", theory->row.name, theory->row.summary);
    for (int i = 0; i < result->count; i++) {
        const haw_quantity *q = &result->quantity[i];

        if (!q->is_profile) {
            printf("  %-22s %-18.12g %-8s %s\n", q->key, q->value[0], q->unit, q->help);
        }
    }
    for (int i = 0; i < result->texts; i++) {
        printf("  %-22s %s (%s)\n", result->text[i].key, result->text[i].value,
               result->text[i].help);
    }
    for (int first = 0; first < result->count;) {
        int last = first + 1;

        while (last < result->count &&
               result->quantity[last].is_profile == result->quantity[first].is_profile &&
               result->quantity[last].count == result->quantity[first].count) {
            last++;
        }
        if (result->quantity[first].is_profile) {
            print_columns(result, first, last);
        }
        first = last;
    }
}

/* ---- one page to print ---- */

static void put_cells(FILE *out, const char *row, int count, const char *const *cell)
{
    fputs(row, out);
    for (int i = 0; i < count; i++) {
        fputs("<td>", out);
        for (const char *c = cell[i]; *c != '\0'; c++) {
            fprintf(out, *c == '<' || *c == '>' || *c == '&' ? "&#%d;" : "%c", *c);
        }
    }
    fputs("\n", out);
}

static void put_page(haw_cli *cli, FILE *out, const haw_theory_ops *theory, const theory_args *args,
                     const haw_theory_result *result)
{
    static const char heads[] = "<table><tr><th>name<th>value<th>unit<th>what it is\n";

    fprintf(out,
            "<!DOCTYPE html><html lang=\"en\"><meta "
            "charset=\"utf-8\"><title>%s</title>\n<style>body{font:"
            "11pt sans-serif;max-width:50em;margin:2em auto}td,th{text-align:left;padding:.1em 1em "
            ".1em 0;white-space:pre-line}.word td{font-weight:bold}table{font-size:9pt}</style>\n"
            "<h1>%s</h1>\n",
            theory->row.name, theory->row.summary);
    put_cells(out, "<table>", 1, &theory->formula);
    put_cells(out, "<tr>", 1, &theory->row.source);
    fprintf(out, "</table><h2>Data</h2>%s", heads);
    for (int i = 0; i < haw_options_count(theory->row.options); i++) {
        const haw_option *row = &theory->row.options[i];
        const char *value =
            args->value[i] != NULL ? args->value[i] : haw_option_preset_text(cli, row);
        const char *const cell[] = {row->key, value, row->unit, row->help};

        put_cells(out, "<tr>", 4, cell);
    }
    fprintf(out, "</table><h2>Results</h2>%s", heads);
    for (int i = 0; i < result->count; i++) {
        const haw_quantity *q = &result->quantity[i];
        const char *const cell[] = {q->key, haw_cli_format(cli, "%.6g", q->value[0]), q->unit,
                                    q->help};

        if (q->count == 1) {
            put_cells(out, "<tr>", 4, cell);
        }
    }
    fputs("</table><p><table>\n", out);
    for (int i = 0; i < result->texts; i++) {
        const haw_theory_text *text = &result->text[i];
        const char *const cell[] = {text->key, text->value, text->help};

        put_cells(out, "<tr class=\"word\">", 3, cell);
    }
    fprintf(out, "</table><p>hawser %s, <code>hawser theory %s</code></html>\n", haw_version(),
            theory->row.name);
}

static haw_status write_page(haw_cli *cli, const haw_theory_ops *theory, const theory_args *args,
                             const haw_theory_result *result)
{
    haw_draft draft;

    HAW_TRY(haw_draft_open(cli->context, &draft, args->report));
    put_page(cli, draft.stream, theory, args, result);
    return haw_draft_close(cli->context, &draft, HAW_OK);
}

/* ---- help ---- */

/* The quantities of the theory are those of its example. */
static void print_outputs(haw_cli *cli, const haw_theory_ops *theory)
{
    const haw_option *options = theory->row.options;
    const char *rest = theory->example;
    theory_args args = {.profile = 0};
    haw_theory_result result;
    char key[64], value[64];
    int used = 0;

    while (sscanf(rest, " --%63s %63s%n", key, value, &used) == 2) {
        const haw_option *row = haw_options_find(options, key);

        if (row != NULL) {
            args.value[row - options] = haw_cli_format(cli, "%s", value);
        }
        rest += used;
    }
    if (evaluate(cli, theory, &args, 0, &result) != HAW_OK) {
        return;
    }
    printf("\nresults:\n");
    for (int i = 0; i < result.count; i++) {
        const haw_quantity *q = &result.quantity[i];

        printf("  %-22s %-8s %s%s\n", q->key, q->unit, q->help, q->is_profile ? " (profile)" : "");
    }
    for (int i = 0; i < result.texts; i++) {
        printf("  %-22s %-8s %s\n", result.text[i].key, "word", result.text[i].help);
    }
    haw_theory_result_free(cli->context, &result);
}

static void help(haw_cli *cli, const haw_arg_rows *rows, const void *options)
{
    const char *name = ((const haw_args_common *)options)->operand;
    const haw_theory_ops *theory =
        name != NULL ? (const haw_theory_ops *)haw_row_find(haw_theories, name) : NULL;
    haw_command own = haw_command_theory;

    if (theory != NULL) {
        own.name = haw_cli_format(cli, "theory %s", name);
        own.operand = NULL;
        own.summary = haw_cli_format(cli, "%s:\n\n%s\n\n%s", theory->row.summary, theory->formula,
                                     theory->row.source);
        own.example[0] = haw_cli_format(cli, "hawser %s %s", own.name, theory->example);
        own.example[1] = haw_cli_format(cli, "hawser %s --json", own.name);
    }
    haw_args_help(&own, rows);
    if (theory != NULL) {
        print_outputs(cli, theory);
    }
}

static int list_theories(haw_cli *cli)
{
    haw_json *json = cli->json ? haw_cli_answer(cli) : NULL;

    if (json != NULL) {
        haw_json_open(json, "theories", '[');
    }
    for (int i = 0; haw_theories[i] != NULL; i++) {
        if (json != NULL) {
            haw_json_text(json, NULL, haw_theories[i]->name);
        } else {
            printf("%-16s %s\n", haw_theories[i]->name, haw_theories[i]->summary);
        }
    }
    if (json != NULL) {
        haw_json_close(json, ']');
        haw_json_close(json, '}');
    }
    return HAW_EXIT_DONE;
}

/* --profile and --plot are of theories that have profiles. */
static int check_profile(haw_cli *cli, const haw_theory_ops *theory, const theory_args *args)
{
    const bool wanted = args->profile > 0 || args->plot;

    if (wanted && haw_options_find(theory->row.options, points_key) == NULL) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE,
                            "theory '%s' has no profile of N points: it takes no --%s",
                            theory->row.name, args->plot ? "plot" : "profile");
    }
    if (args->folder != NULL && !args->plot) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE,
                            "--output names the folder of the figure: add --plot");
    }
    return HAW_EXIT_DONE;
}

static int answer(haw_cli *cli, const haw_theory_ops *theory, const theory_args *args)
{
    haw_theory_result result;
    haw_files files = {.cli = cli};
    haw_status status = evaluate(cli, theory, args, args->profile, &result);

    if (status != HAW_OK) {
        return haw_cli_exit(cli, status, false);
    }
    if (args->plot) {
        haw_cli_catch_interrupts(cli); /* figures that have begun become whole */
        status = draw(cli, theory, args, &files);
    }
    if (status == HAW_OK && args->report != NULL) {
        status = write_page(cli, theory, args, &result);
        haw_files_keep(&files, args->report);
    }
    if (status == HAW_OK && cli->json) {
        write_result(cli, theory, &result, &files);
    } else if (status == HAW_OK) {
        print_result(theory, &result);
        haw_files_print(&files, "\n");
    }
    haw_theory_result_free(cli->context, &result);
    return haw_cli_exit(cli, status, false);
}

static int run(haw_cli *cli, const void *options)
{
    const theory_args *args = options;

    if (args->common.operand == NULL) {
        return list_theories(cli);
    }
    const haw_theory_ops *theory =
        (const haw_theory_ops *)haw_row_find(haw_theories, args->common.operand);

    if (theory == NULL) {
        return unknown_theory(cli, args->common.operand);
    }
    const int refused = check_profile(cli, theory, args);

    return refused != HAW_EXIT_DONE ? refused : answer(cli, theory, args);
}

static const haw_arg rows[] = {
    {"profile", 0, HAW_ARG_INTEGER, offsetof(theory_args, profile), "N",
     "number of points of the profiles (sets the option points of the theory)"},
    {"plot", 0, HAW_ARG_FLAG, offsetof(theory_args, plot), NULL,
     "draw the profiles as PNG and SVG with gnuplot; the names of the files are printed last"},
    {"output", 'o', HAW_ARG_TEXT, offsetof(theory_args, folder), "DIR",
     "folder of the figure, created if missing (default: theory-NAME)"},
    {"report", 0, HAW_ARG_TEXT, offsetof(theory_args, report), "FILE",
     "write a page with formula, source, data and results (HTML)"},
    {NULL, 0, HAW_ARG_FLAG, 0, NULL, NULL},
};

const haw_command haw_command_theory = {
    .name = "theory",
    .summary = "Evaluate a closed form",
    .operand = "NAME",
    .details =
        "Without NAME the closed forms are listed. The options of each are its parameters, "
        "described below and in hawser theory NAME --help. With --json its quantities are the keys "
        "of the object; a profile is an array. With --plot or --report the key files lists the "
        "files written. hawser theory NAME --help has the formula, its source, the results and an "
        "example.",
    .example = {"hawser theory capstan --friction 0.3 --json",
                "hawser theory bristle --t1 1000 --t2 3000 --mu 0.5 --r 0.6 --plot"},
    .args = rows,
    .options_size = sizeof(theory_args),
    .extra = theory_rows,
    .run = run,
    .help = help,
};
