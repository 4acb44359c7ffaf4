/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/cmd_bench.h"
#include "cli/cmd_solve.h"

#include <math.h>

void haw_bench_print_head(void)
{
    printf("%-20s contacts  solver  outcome          iterations  newton    sweeps  products    "
           "CPU [s]   natural  relative\n",
           "problem");
}

void haw_bench_print_row(const haw_winding *winding, const char *solver, const haw_trial *trial)
{
    const haw_report *report = &trial->report;
    const haw_effort *effort = &report->effort;
    char name[HAW_WINDING_NAME_SIZE];

    haw_winding_name(winding, name);
    printf("%-20s %8d  %-7s %-15s  %10d  %6d%c %8d  %8d  %9.3g  %8.1e  %8.1e\n", name,
           winding->nodes * winding->layers, solver, haw_trial_text(trial), effort->iterations,
           effort->factorizations, haw_trial_is_newton(trial) ? ' ' : '*', effort->sweeps,
           effort->products, trial->cpu_seconds, report->residual.natural,
           report->residual.relative);
    fflush(stdout);
}

static bool has_first_order(const haw_bench_result *result)
{
    for (int i = 0; i < result->suite.problems * result->suite.solvers; i++) {
        if (result->trial[i].was_run && !haw_trial_is_newton(&result->trial[i])) {
            return true;
        }
    }
    return false;
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

void haw_bench_print_end(const haw_bench_result *result)
{
    if (has_first_order(result)) {
        printf("* sweeps and products cost more than the factorizations: not a Newton solve\n");
    }
    for (int s = 0; s < result->suite.solvers; s++) {
        print_summary(result->suite.settings[s].ops->row.name, result->tolerance,
                      &result->summary[s]);
    }
    for (int i = 0; i < result->files; i++) {
        printf("%s%s\n", i == 0 ? "\n" : "", result->file[i]);
    }
}

static void write_summary(haw_json *json, const haw_suite_summary *summary)
{
    haw_json_open(json, "summary", '{');
    haw_json_integer(json, "problems", summary->problems);
    haw_json_integer(json, "solved", summary->solved);
    haw_json_integer(json, "solved_relative", summary->solved_relative);
    haw_json_integer(json, "newton_solves", summary->newton_solves);
    haw_json_number(json, "newton_median", summary->newton_median);
    haw_json_number(json, "newton_p90", summary->newton_p90);
    haw_json_number(json, "newton_max", summary->newton_max);
    haw_json_number(json, "cpu_seconds", summary->cpu_seconds);
    haw_json_number(json, "residual_natural_max", summary->natural_max);
    haw_json_number(json, "residual_relative_max", summary->relative_max);
    haw_json_close(json, '}');
}

static void write_row(haw_json *json, const haw_winding *winding, const char *solver,
                      const haw_trial *trial)
{
    char name[HAW_WINDING_NAME_SIZE];

    haw_winding_name(winding, name);
    haw_json_open(json, NULL, '{');
    haw_json_text(json, "name", name);
    haw_json_integer(json, "dimension", winding->dimension);
    haw_json_integer(json, "nodes", winding->nodes);
    haw_json_integer(json, "layers", winding->layers);
    haw_json_number(json, "kappa", winding->kappa);
    haw_json_number(json, "friction", winding->friction);
    haw_json_integer(json, "contacts", (long)winding->nodes * winding->layers);
    haw_solve_write(json, solver, trial);
    haw_json_close(json, '}');
}

/* Rows of what was reached: all, unless the run was interrupted. */
static void write_solver(haw_json *json, const haw_bench_result *result, int index)
{
    const haw_suite *suite = &result->suite;

    write_summary(json, &result->summary[index]);
    haw_json_open(json, "rows", '[');
    for (int p = 0; p < suite->problems; p++) {
        const haw_trial *trial = &result->trial[(ptrdiff_t)p * suite->solvers + index];

        if (trial->was_run) {
            write_row(json, &suite->winding[p], suite->settings[index].ops->row.name, trial);
        }
    }
    haw_json_close(json, ']');
}

void haw_bench_answer(haw_cli *cli, const haw_bench_result *result, haw_exit code)
{
    const haw_suite *suite = &result->suite;
    haw_json json = haw_cli_answer(cli);

    haw_json_text(&json, "suite", "winding");
    haw_json_number(&json, "tolerance", result->tolerance);
    haw_json_number(&json, "time_limit", suite->time_limit > 0.0 ? suite->time_limit : HUGE_VAL);
    haw_json_integer(&json, "seed", (long)suite->winding[0].seed);
    if (suite->solvers == 1) {
        haw_json_text(&json, "solver", suite->settings[0].ops->row.name);
        write_solver(&json, result, 0);
    } else {
        haw_json_open(&json, "solvers", '{');
        for (int s = 0; s < suite->solvers; s++) {
            haw_json_open(&json, suite->settings[s].ops->row.name, '{');
            write_solver(&json, result, s);
            haw_json_close(&json, '}');
        }
        haw_json_close(&json, '}');
    }
    haw_json_open(&json, "files", '[');
    for (int i = 0; i < result->files; i++) {
        haw_json_text(&json, NULL, result->file[i]);
    }
    haw_json_close(&json, ']');
    haw_cli_answer_status(cli, &json, code);
    haw_json_close(&json, '}');
}
