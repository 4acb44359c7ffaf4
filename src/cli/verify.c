/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/verify.h"

#include "cli/variant_run.h"

#include <math.h>

enum { RUNS = 3 };

static const double LIMIT = 1e-2; /* of the largest magnitude of a probe */
static const double SAFETY = 0.8; /* of a step that is named, as orders are not whole */

static haw_exit repeat(haw_cli *cli, const char *file, const haw_arg_list *set, double step,
                       haw_study_run *run)
{
    const haw_variant_job job = {.file = file, .set = set, .at = (double)INFINITY};
    haw_variant *variant = haw_cli_allocate(cli, 1, sizeof *variant);
    const char **line = haw_cli_allocate(cli, 1, sizeof *line);

    *line = haw_cli_format(cli, "stepper.step=%.17g", step);
    *variant = (haw_variant){
        .name = haw_cli_format(cli, "step = %.6g", step), .sets = 1, .set = line, .value = step};
    run->variant = variant;
    return haw_variant_run(cli, &job, run);
}

static void print_table(const haw_study_run *const run[RUNS])
{
    printf("\nconvergence (mean over the run, of the largest magnitude of each probe)\n");
    printf("  steps %.6g, %.6g, %.6g s\n", run[0]->summary.step, run[1]->summary.step,
           run[2]->summary.step);
    printf("  %-28s %10s %10s %8s %10s\n", "", "h to h/2", "h/2 to h/4", "order", "error");
    for (int i = 0; i < run[0]->probes; i++) {
        const haw_study_richardson r = haw_study_refine(run, &run[0]->probe[i]);

        printf("  %-28s %10.3g %10.3g ", run[0]->probe[i].name, r.difference[0], r.difference[1]);
        if (isnan(r.order)) {
            printf("%8s", "-");
        } else {
            printf("%8.2f", r.order);
        }
        printf(" %10.3g%s\n", r.error, r.error <= LIMIT ? "" : "  too coarse");
    }
}

static void write_table(haw_json *json, const haw_study_run *const run[RUNS], bool holds)
{
    const double step[RUNS] = {run[0]->summary.step, run[1]->summary.step, run[2]->summary.step};

    haw_json_open(json, "verify", '{');
    haw_json_values(json, "steps", RUNS, step);
    haw_json_number(json, "limit", LIMIT);
    haw_json_flag(json, "holds", holds);
    haw_json_open(json, "probes", '{');
    for (int i = 0; i < run[0]->probes; i++) {
        const haw_study_richardson r = haw_study_refine(run, &run[0]->probe[i]);

        haw_json_open(json, run[0]->probe[i].name, '{');
        haw_json_values(json, "difference", 2, r.difference);
        haw_json_number(json, "order", r.order);
        haw_json_number(json, "error", r.error);
        haw_json_close(json, '}');
    }
    haw_json_close(json, '}');
    haw_json_close(json, '}');
}

/* The probe that is worst, and the step that would do if its order holds. */
static haw_exit judge(haw_cli *cli, const haw_study_run *const run[RUNS], bool *holds)
{
    const double h = run[0]->summary.step;
    double worst = 0.0, wanted = h;
    int probe = 0;

    for (int i = 0; i < run[0]->probes; i++) {
        const haw_study_richardson r = haw_study_refine(run, &run[0]->probe[i]);

        if (!(r.error <= worst)) {
            worst = r.error;
            probe = i;
            wanted = SAFETY * h * pow(LIMIT / r.error, 1.0 / fmin(fmax(r.order, 0.5), 4.0));
        }
    }
    *holds = worst <= LIMIT;
    if (*holds) {
        return HAW_EXIT_DONE;
    }
    /* A fraction of the given step, so that frames and the corners of loads are met as before. */
    wanted = h / exp2(ceil(log2(h / wanted)));
    if (!(wanted >= h / 1024.0)) {
        return haw_cli_fail(cli, HAW_EXIT_ENDED,
                            "the step of %.6g s is too coarse for %s, which does not converge: it "
                            "changes by %.3g of its largest magnitude with h/2, by %.3g from there "
                            "to h/4",
                            h, run[0]->probe[probe].name,
                            haw_study_refine(run, &run[0]->probe[probe]).difference[0],
                            haw_study_refine(run, &run[0]->probe[probe]).difference[1]);
    }
    return haw_cli_fail(cli, HAW_EXIT_ENDED,
                        "the step of %.6g s is too coarse: the error of %s is about %.3g of its "
                        "largest magnitude; stepper.step: %.10g would bring it below %g",
                        h, run[0]->probe[probe].name, worst, wanted, LIMIT);
}

haw_exit haw_verify(haw_cli *cli, const char *file, const haw_arg_list *set, haw_study_run *run)
{
    haw_study_run finer[2] = {0};
    const haw_study_run *const all[RUNS] = {run, &finer[0], &finer[1]};
    haw_exit code = HAW_EXIT_DONE;
    bool holds = false;

    for (int i = 0; i < 2 && code == HAW_EXIT_DONE; i++) {
        code = repeat(cli, file, set, run->summary.step / (i == 0 ? 2 : 4), &finer[i]);
    }
    if (code != HAW_EXIT_DONE) {
        return code;
    }
    code = judge(cli, all, &holds);
    if (cli->json) {
        write_table(&cli->answer, all, holds);
    } else {
        print_table(all);
    }
    return code;
}
