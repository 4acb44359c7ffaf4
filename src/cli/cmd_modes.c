/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser modes: eigenfrequencies and shapes of the (prestressed) start state. */
#include "cli/session.h"
#include "io/file.h"
#include "model/model.h"

#include <hawser/stepper.h>

#include <errno.h>
#include <string.h>

typedef struct modes_args {
    haw_args_common common;
    haw_arg_list set;
    const char *output;
    int modes;
} modes_args;

typedef struct modes_result {
    int modes, dofs;
    double *frequency; /* [modes] Hz */
    double *shape;     /* [modes * dofs] */
} modes_result;

static haw_exit compute(haw_cli *cli, haw_session *session, modes_result *result)
{
    result->dofs = haw_model_dofs(session->model);
    const size_t modes = (size_t)result->modes;

    result->frequency = haw_cli_allocate(cli, modes, sizeof(double));
    result->shape = haw_cli_allocate(cli, modes * (size_t)result->dofs, sizeof(double));
    return haw_cli_exit(
        cli,
        haw_simulation_modes(session->simulation, result->modes, result->frequency, result->shape),
        false);
}

/*
 * One line of the table: the point and its displacement in every mode. Positions depend on the
 * coordinates by the Jacobian J of the element, so the displacement is J times the mode's share.
 */
static void write_point(FILE *file, const haw_frame *start, const haw_cable *cable, int element,
                        double part, const modes_result *result)
{
    const double *q = start->state->q;
    const haw_dofs dofs = cable->ops->dofs(cable, element);
    const double s = haw_cable_local(cable, element, part, q);
    haw_sample sample;
    haw_cable_point point;

    cable->ops->state(cable, element, s, q, NULL, &sample);
    cable->ops->point(cable, element, s, q, NULL, HAW_POINT_JACOBIAN, &point);
    fprintf(file, "%s,%.17g", cable->name, sample.label);
    for (int i = 0; i < start->model->dimension; i++) {
        fprintf(file, ",%.17g", point.x[i]);
    }
    for (int m = 0; m < result->modes; m++) {
        const double *shape = result->shape + (size_t)m * (size_t)result->dofs;

        for (int i = 0; i < start->model->dimension; i++) {
            double move = 0.0;

            for (int k = 0; k < dofs.count; k++) {
                move += point.j[i][k] * shape[haw_dof_at(&dofs, k)];
            }
            fprintf(file, ",%.17g", move);
        }
    }
    fputc('\n', file);
}

/* "xi[m],x[m],...", then "x1,y1,..." of every mode. */
static void write_head(FILE *file, int dimension, int modes)
{
    fputs("cable,xi[m]", file);
    for (int i = 0; i < dimension; i++) {
        fprintf(file, ",%c[m]", "xyz"[i]);
    }
    for (int k = 0; k < modes * dimension; k++) {
        fprintf(file, ",%c%d", "xyz"[k % dimension], k / dimension + 1);
    }
    fputc('\n', file);
}

static haw_exit write_shapes(haw_cli *cli, const haw_session *session, const char *path,
                             const modes_result *result)
{
    const haw_frame *start = haw_simulation_frame(session->simulation);
    haw_draft draft;
    const haw_status opened = haw_draft_open(cli->context, &draft, path);

    if (opened != HAW_OK) {
        return haw_cli_exit(cli, opened, false);
    }
    FILE *file = draft.stream;

    write_head(file, start->model->dimension, result->modes);
    for (int i = 0; i < start->model->cables; i++) {
        const haw_cable *cable = &start->model->cable[i];

        for (int e = 0; e < cable->line.elements; e++) {
            const int samples = cable->ops->samples(cable, e);

            for (int k = 0; k < samples; k++) {
                write_point(file, start, cable, e, (double)k / samples, result);
            }
        }
        write_point(file, start, cable, cable->line.elements - 1, 1.0, result);
    }
    return haw_cli_exit(cli, haw_draft_close(cli->context, &draft, HAW_OK), false);
}

static void report(haw_cli *cli, const modes_args *args, const haw_session *session,
                   const modes_result *result)
{
    if (!cli->json) {
        printf("mode  frequency [Hz]\n");
        for (int m = 0; m < result->modes; m++) {
            printf("%4d  %.10g\n", m + 1, result->frequency[m]);
        }
        return;
    }
    haw_json *json = haw_cli_answer(cli);

    haw_json_text(json, "scenario", session->scenario->file);
    haw_json_integer(json, "modes", result->modes);
    haw_json_array(json, "frequency", result->modes, result->frequency);
    haw_json_text(json, "output", args->output);
}

static int run(haw_cli *cli, const void *options)
{
    const modes_args *args = options;
    modes_result result = {.modes = args->modes > 0 ? args->modes : 6};
    haw_session session = {0};
    haw_exit code = haw_session_open(cli, args->common.operand, NULL, &args->set, &session);

    if (code == HAW_EXIT_DONE) {
        code = compute(cli, &session, &result);
    }
    if (code == HAW_EXIT_DONE && args->output != NULL) {
        code = write_shapes(cli, &session, args->output, &result);
    }
    if (code == HAW_EXIT_DONE) {
        report(cli, args, &session, &result);
    }
    haw_session_close(cli, &session);
    return code;
}

static const haw_arg rows[] = {
    {"modes", 'n', HAW_ARG_INTEGER, offsetof(modes_args, modes), "N",
     "number of modes (default: 6)"},
    {"output", 'o', HAW_ARG_TEXT, offsetof(modes_args, output), "FILE",
     "also write the mode shapes as CSV: displacement of the centreline, mass-normalised"},
    {"set", 0, HAW_ARG_LIST, offsetof(modes_args, set), "PATH=VALUE",
     "override one value of the scenario (repeatable)"},
    {NULL, 0, HAW_ARG_FLAG, 0, NULL, NULL},
};

const haw_command haw_command_modes = {
    .name = "modes",
    .summary = "Compute the lowest eigenfrequencies of the start state",
    .operand = "FILE",
    .operand_required = true,
    .endings = "yaml yml",
    .details =
        "Small undamped vibration about the start state, with its prestress. Springs, "
        "bodies held by a force and closed contacts of compliant laws are included, contacts "
        "of hard laws are not. A rigid motion has the frequency 0. Keys of --json: "
        "scenario, modes, frequency (array), output, status, "
        "message, messages.",
    .example = {"hawser modes disk-impact.yaml -n 3", "hawser modes disk-impact.yaml -o modes.csv"},
    .args = rows,
    .options_size = sizeof(modes_args),
    .run = run,
};
