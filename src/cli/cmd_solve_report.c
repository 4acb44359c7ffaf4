/* SPDX-License-Identifier: BSD-3-Clause */
/* How solves are told: progress line, table, JSON. */
#include "cli/cmd_solve.h"

#include <math.h>
#include <string.h>

void haw_solve_show_progress(haw_cli *cli, const char *head, double started,
                             const haw_solve_progress *progress)
{
    const haw_effort *effort = progress->effort;
    char line[256];

    if (!haw_term_is_due(&cli->term)) {
        return;
    }
    snprintf(line, sizeof line, "%.30s  %s  %d it.  %d fact.  residual %.1e  %.1f s", head,
             progress->solver, effort->iterations, effort->factorizations, progress->residual,
             cli->term.drawn - started);
    haw_term_line(&cli->term, line);
}

/* The words of the outcome, and one more for a problem that the solver cannot take. */
static const char *outcome_word(const haw_trial *trial)
{
    return trial->refusal != NULL ? "refused" : haw_outcome_text(trial->report.outcome);
}

void haw_solve_write(haw_json *json, const char *solver, const haw_trial *trial)
{
    const haw_report *report = &trial->report;
    const haw_effort *effort = &report->effort;

    haw_json_text(json, "solver", solver);
    haw_json_flag(json, "converged", haw_trial_is_solved(trial));
    haw_json_text(json, "outcome", outcome_word(trial));
    haw_json_flag(json, "timed_out", trial->timed_out);
    haw_json_integer(json, "iterations", effort->iterations);
    haw_json_integer(json, "factorizations", effort->factorizations);
    haw_json_integer(json, "newton", effort->factorizations);
    haw_json_integer(json, "sweeps", effort->sweeps);
    haw_json_integer(json, "products", effort->products);
    haw_json_number(json, "newton_flops", effort->newton_flops);
    haw_json_number(json, "first_order_flops", effort->first_order_flops);
    haw_json_flag(json, "newton_solve", haw_trial_is_newton(trial));
    haw_json_number(json, "cpu_seconds", trial->cpu_seconds);
    haw_json_number(json, "residual_natural", report->residual.natural);
    haw_json_number(json, "residual_relative", report->residual.relative);
    haw_json_number(json, "cone", report->residual.cone);
    haw_json_number(json, "complementarity", report->residual.complementarity);
    haw_json_number(json, "bipotential", report->residual.bipotential);
    haw_json_number(json, "normal_min", report->residual.normal_min);
    haw_json_number(json, "tolerance", report->tolerance);
}

static const char *unread_word(const haw_solve_result *result)
{
    if (result->code == HAW_EXIT_IO) {
        return "unreadable";
    }
    return result->code == HAW_EXIT_INTERRUPTED ? "not reached" : "refused";
}

/* The same keys where there was nothing to solve. */
static void write_unread(haw_json *json, const char *solver, const haw_solve_result *result)
{
    static const char *const keys[] = {"iterations",
                                       "factorizations",
                                       "newton",
                                       "sweeps",
                                       "products",
                                       "newton_flops",
                                       "first_order_flops",
                                       "newton_solve",
                                       "cpu_seconds",
                                       "residual_natural",
                                       "residual_relative",
                                       "cone",
                                       "complementarity",
                                       "bipotential",
                                       "normal_min",
                                       "tolerance"};

    haw_json_text(json, "solver", solver);
    haw_json_flag(json, "converged", false);
    haw_json_text(json, "outcome", unread_word(result));
    haw_json_flag(json, "timed_out", false);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        haw_json_text(json, keys[i], NULL);
    }
}

static void write_result(haw_json *json, const char *solver, const haw_solve_result *result)
{
    haw_json_text(json, "problem", result->file);
    if (result->form != NULL) {
        haw_json_integer(json, "dimension", result->dimension);
        haw_json_integer(json, "contacts", result->contacts);
    } else {
        haw_json_text(json, "dimension", NULL);
        haw_json_text(json, "contacts", NULL);
    }
    haw_json_text(json, "form", result->form);
    if (result->trial.was_run) {
        haw_solve_write(json, solver, &result->trial);
    } else {
        write_unread(json, solver, result);
    }
}

static int count_solved(int count, const haw_solve_result *result)
{
    int solved = 0;

    for (int i = 0; i < count; i++) {
        solved += haw_trial_is_solved(&result[i].trial) ? 1 : 0;
    }
    return solved;
}

void haw_solve_answer(haw_cli *cli, const char *solver, int count, const haw_solve_result *result,
                      haw_exit code)
{
    haw_json json = haw_cli_answer(cli);

    if (count == 1) {
        write_result(&json, solver, result);
    } else {
        haw_json_open(&json, "results", '[');
        for (int i = 0; i < count; i++) {
            haw_json_open(&json, NULL, '{');
            write_result(&json, solver, &result[i]);
            haw_json_text(&json, "status", haw_exit_word(result[i].code));
            haw_json_text(&json, "message", result[i].message);
            haw_json_close(&json, '}');
        }
        haw_json_close(&json, ']');
        haw_json_integer(&json, "solved", count_solved(count, result));
        haw_json_integer(&json, "problems", count);
    }
    haw_cli_answer_status(cli, &json, code);
    haw_json_close(&json, '}');
}

static int widest_name(int count, const haw_solve_result *result)
{
    size_t width = strlen("problem");

    for (int i = 0; i < count; i++) {
        const size_t length = strlen(result[i].file);

        width = length > width ? length : width;
    }
    return width < 60 ? (int)width : 60;
}

static void print_result(const char *solver, int width, const haw_solve_result *result)
{
    const haw_report *report = &result->trial.report;
    const haw_effort *effort = &report->effort;

    if (!result->trial.was_run) {
        printf("%-*s  %s\n", width, result->file, unread_word(result));
        return;
    }
    printf("%-*s  %d  %8d  %-7s %-15s  %9d  %7d  %8d  %9.3g  %8.1e  %8.1e\n", width, result->file,
           result->dimension, result->contacts, solver, haw_trial_text(&result->trial),
           effort->iterations, effort->factorizations, effort->sweeps, result->trial.cpu_seconds,
           report->residual.natural, report->residual.relative);
}

void haw_solve_print(const char *solver, int count, const haw_solve_result *result)
{
    const int width = widest_name(count, result);

    printf("%-*s  d  contacts  solver  outcome          iterations  factor.    sweeps    CPU [s]   "
           "natural  relative\n",
           width, "problem");
    for (int i = 0; i < count; i++) {
        print_result(solver, width, &result[i]);
    }
    if (count > 1) {
        printf("%d of %d solved\n", count_solved(count, result), count);
    }
}
