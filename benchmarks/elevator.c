/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ride of data/scenarios/elevator.yaml: CPU seconds of its 12 s with both kinds of rope and two
 * steps, and a picture of the torque of the drive and of the friction along the sheave in the
 * steady part of the ride, beside the steady bristle theory.
 */
#include "measure.h"
#include "observe/belt.h"
#include "report/figure.h"

#include <hawser/hawser.h>

#include <stdlib.h>

#define SCENARIO "data/scenarios/elevator.yaml"
#define FOLDER   "build/bench"

enum { RIDES = 4, FRAMES = 601, KNOTS_MAX = 10000 };

static const double STEADY = 5, PI = 3.14159265358979323846;

typedef struct ride {
    const char *element, *step;
    double cpu;
    int frames, knots;
    double t[FRAMES], torque[FRAMES];
    haw_wrap_knot knot[KNOTS_MAX]; /* at STEADY */
} ride;

static haw_status on_frame(void *user, const haw_frame *frame)
{
    ride *r = user;
    if (r->frames < FRAMES) {
        r->t[r->frames] = frame->t;
        r->torque[r->frames++] = -frame->torque[0];
    }
    if (fabs(frame->t - STEADY) < 1e-6 && frame->model->pair[0].points <= KNOTS_MAX) {
        r->knots = haw_wrap_knots(frame, 0, r->knot);
    }
    return HAW_OK;
}

static haw_status simulate(haw_context *context, const haw_scenario *scenario, ride *r)
{
    haw_model *model = NULL;
    haw_simulation *simulation = NULL;
    haw_summary summary = {0};
    const haw_observer observer = {.frame = on_frame, .user = r};
    const double start = cpu_seconds();
    haw_status status = haw_model_build(context, &scenario->scene, &model);
    if (status == HAW_OK) {
        status = haw_simulation_create(context, model, &scenario->run, &simulation);
    }
    if (status == HAW_OK) {
        status = haw_simulation_run(simulation, &observer, &summary);
    }
    r->cpu = cpu_seconds() - start;
    (void)printf("%-6s step %-6s s  %7.3f s CPU, %5.2f Newton iterations a step, torque at 5 s "
                 "%.3f N m\n",
                 r->element, r->step, r->cpu,
                 (double)summary.certificate.newton_iterations / (double)summary.steps,
                 r->frames > 250 ? r->torque[250] : (double)NAN);
    haw_simulation_free(simulation);
    haw_model_free(model);
    return status;
}

static haw_status run(haw_context *context, ride *r)
{
    char element[64], step[64];
    const char *const sets[] = {element, step};
    haw_scenario *scenario = NULL;
    (void)snprintf(element, sizeof element, "cables.rope.element=%s", r->element);
    (void)snprintf(step, sizeof step, "stepper.step=%s", r->step);
    haw_status status = haw_scenario_read(context, SCENARIO, 2, sets, &scenario);
    if (status == HAW_OK) {
        status = simulate(context, scenario, r);
    }
    haw_scenario_free(context, scenario);
    return status;
}

/* Friction per length over the angle from the exit, as the knots have it. */
static haw_status write_theory(haw_context *context, FILE *csv)
{
    static const struct {
        const char *key;
        double value;
    } set[] = {{"t1", 10056.4}, {"t2", 13140.7}, {"radius", 0.24}, {"mu", 0.2},
               {"ea", 1.6e7},   {"kn", 3e8},     {"kt", 1e7}};

    const haw_theory_ops *theory =
        (const haw_theory_ops *)haw_row_find(haw_theories, "bristle-steady");
    double options[32];
    haw_theory_result result = {0};
    haw_options_init(theory->row.options, options);
    haw_status status =
        haw_options_set_text(context, theory->row.options, options, "direction", "braking");
    for (size_t i = 0; status == HAW_OK && i < sizeof set / sizeof *set; ++i) {
        status =
            haw_options_set_real(context, theory->row.options, options, set[i].key, set[i].value);
    }
    if (status == HAW_OK) {
        status = haw_theory_evaluate(context, theory, options, &result);
    }
    const haw_quantity *alpha = NULL, *tangential = NULL;
    for (int i = 0; i < result.count; ++i) {
        alpha = strcmp(result.quantity[i].key, "alpha") == 0 ? &result.quantity[i] : alpha;
        tangential =
            strcmp(result.quantity[i].key, "tangential") == 0 ? &result.quantity[i] : tangential;
    }
    for (int i = 0; alpha != NULL && tangential != NULL && i < alpha->count; ++i) {
        (void)fprintf(csv, "%.9g,%.9g\n", alpha->value[i], tangential->value[i]);
    }
    haw_theory_result_free(context, &result);
    return status;
}

static haw_status write_tables(haw_context *context, const ride *rides)
{
    const double yardstick = calibrate();
    FILE *cost = open_csv("elevator.csv", yardstick);
    FILE *torque = open_csv("elevator-torque.csv", yardstick);
    FILE *friction = open_csv("elevator-friction.csv", yardstick);
    haw_status status = cost != NULL && torque != NULL && friction != NULL ? HAW_OK : HAW_ERR_IO;
    if (status == HAW_OK) {
        (void)fputs("element,step[s],cpu[s],times_real_time\n", cost);
        for (int i = 0; i < RIDES; ++i) {
            (void)fprintf(cost, "%s,%s,%.4f,%.1f\n", rides[i].element, rides[i].step, rides[i].cpu,
                          12 / rides[i].cpu);
        }
        (void)fputs("t[s],arc1d[N m],ale[N m]\n", torque);
        for (int k = 1; k < rides[0].frames; ++k) {
            (void)fprintf(torque, "%.9g,%.9g,%.9g\n", rides[0].t[k], rides[0].torque[k],
                          rides[1].torque[k]);
        }
        (void)fputs("# theory: angle from the counterweight's side [rad], friction [N/m]\n",
                    friction);
        status = write_theory(context, friction);
        for (int i = 0; i < 2; ++i) {
            (void)fprintf(friction, "\n\n# %s: angle [rad], friction [N/m]\n", rides[i].element);
            for (int k = 0; k < rides[i].knots; ++k) {
                (void)fprintf(friction, "%.9g,%.9g\n", PI - rides[i].knot[k].angle,
                              fabs(rides[i].knot[k].tangential));
            }
        }
    }
    FILE *const all[] = {cost, torque, friction};
    for (int i = 0; i < 3; ++i) {
        if (all[i] != NULL && fclose(all[i]) != 0) {
            status = HAW_ERR_IO;
        }
    }
    return status;
}

/* ---- figure ---- */

static void frame(haw_text *script, double left, double right, const char *x, const char *y)
{
    (void)fprintf(script->stream,
                  "set lmargin at screen %.4f\nset rmargin at screen %.4f\n"
                  "set tmargin at screen 0.965\nset bmargin at screen 0.135\n"
                  "set xlabel '%s' offset 0,0.3\nset ylabel '%s' offset 0.4\n",
                  left, right, x, y);
}

static haw_status draw_figure(haw_context *context)
{
    static const int size[2] = {980, 400};
    static const char *const name[] = {"elevator"};
    const haw_figure figure = {.context = context, .folder = FOLDER};
    haw_text script;
    haw_status status = haw_script_begin(&figure, name[0], size, &script);
    if (status != HAW_OK) {
        return status;
    }
    (void)fputs("set multiplot\nset key top left Left reverse samplen 1.8 spacing 1.2\n",
                script.stream);
    frame(&script, 0.08, 0.48, "t  [s]", "torque of the drive  [N m]");
    (void)fprintf(script.stream,
                  "plot 'elevator-torque.csv' skip 2 using 1:2 with lines linewidth 4 "
                  "linecolor rgb '#c8c8c8' title 'arc1d', \\\n '' skip 2 using 1:3 with lines "
                  "linewidth 1.4 linecolor rgb '%s' title 'ale'\n",
                  haw_figure_color(0));
    frame(&script, 0.575, 0.975, "angle from the entry at t = 5 s  [°]", "friction  [kN/m]");
    (void)fprintf(script.stream,
                  "set xrange [0:180]\n"
                  "plot 'elevator-friction.csv' index 0 using (57.29578*$1):(1e-3*$2) with lines "
                  "linewidth 4 linecolor rgb '#c8c8c8' title 'steady bristle theory', \\\n"
                  " '' index 1 using (57.29578*$1):(1e-3*$2) with points pointtype 6 pointsize 0.4 "
                  "linecolor rgb '%s' title 'arc1d', \\\n"
                  " '' index 2 using (57.29578*$1):(1e-3*$2) with points pointtype 1 pointsize 0.4 "
                  "linecolor rgb '%s' title 'ale'\n",
                  haw_figure_color(1), haw_figure_color(0));
    status = haw_script_end(&script);
    return status == HAW_OK ? haw_figure_draw(&figure, 1, name) : status;
}

int main(void)
{
    static ride rides[RIDES] = {{.element = "arc1d", .step = "1.0e-3"},
                                {.element = "ale", .step = "1.0e-3"},
                                {.element = "arc1d", .step = "5.0e-3"},
                                {.element = "ale", .step = "5.0e-3"}};
    haw_context *context = NULL;
    haw_status status = haw_context_create(NULL, &context);
    for (int i = 0; status == HAW_OK && i < RIDES; ++i) {
        status = run(context, &rides[i]);
    }
    status = status == HAW_OK ? write_tables(context, rides) : status;
    status = status == HAW_OK ? draw_figure(context) : status;
    if (status != HAW_OK) {
        (void)fprintf(stderr, "elevator: %s: %s\n", haw_status_text(status),
                      haw_context_message(context));
    }
    haw_context_free(context);
    return status == HAW_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
