/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The winding of data/scenarios/winding-w1.yaml at three coefficients of friction, with the real
 * bending stiffness and with a hundredth of it: way of the node in the middle along the drum beside
 * the closed form, as build/bench/winding-w1.csv and a figure of it.
 */
#include "measure.h"
#include "report/figure.h"

#include <hawser/hawser.h>

#include <stdlib.h>

#define SCENARIO "data/scenarios/winding-w1.yaml"
#define FOLDER   "build/bench"

enum { FRICTIONS = 3, CURVES = 3 * FRICTIONS, FRAMES = 121 };

static const double START = 6, EVERY = 0.05; /* [s] */

static const char *const friction[FRICTIONS] = {"0", "0.1", "0.4"};

typedef struct history {
    double z[CURVES][FRAMES]; /* [m] closed form, EI, EI / 100, for each friction */
} history;

typedef struct watch {
    double *z; /* [FRAMES] */
} watch;

static haw_status on_frame(void *user, const haw_frame *frame)
{
    const watch *w = user;
    const double place = (frame->t - START) / EVERY;
    const int k = (int)lround(place);
    if (k >= 0 && k < FRAMES && fabs(place - k) < 1e-6) {
        w->z[k] = frame->probe[0];
    }
    return HAW_OK;
}

static haw_status simulate(haw_context *context, const haw_scenario *scenario, watch *w)
{
    haw_model *model = NULL;
    haw_simulation *simulation = NULL;
    haw_summary summary;
    const haw_observer observer = {.frame = on_frame, .user = w};
    haw_status status = haw_model_build(context, &scenario->scene, &model);
    if (status == HAW_OK) {
        status = haw_simulation_create(context, model, &scenario->run, &simulation);
    }
    if (status == HAW_OK) {
        status = haw_simulation_run(simulation, &observer, &summary);
    }
    haw_simulation_free(simulation);
    haw_model_free(model);
    return status;
}

static haw_status run(haw_context *context, const char *mu, bool is_soft, watch *w)
{
    char set[64];
    const char *const sets[] = {set, "output.every=0.05", "cables.yarn.elements=100",
                                "cables.yarn.bending_factor=0.01"};
    haw_scenario *scenario = NULL;
    (void)snprintf(set, sizeof set, "contact.friction=%s", mu);
    haw_status status = haw_scenario_read(context, SCENARIO, is_soft ? 4 : 2, sets, &scenario);
    if (status == HAW_OK) {
        status = simulate(context, scenario, w);
    }
    haw_scenario_free(context, scenario);
    return status;
}

static haw_status evaluate(haw_context *context, double mu, double *z)
{
    const haw_theory_ops *theory = (const haw_theory_ops *)haw_row_find(haw_theories, "winding-w1");
    double options[32];
    haw_status status = HAW_OK;
    haw_options_init(theory->row.options, options);
    z[0] = 0;
    for (int k = 1; status == HAW_OK && k < FRAMES; ++k) {
        haw_theory_result result = {0};
        status = haw_options_set_real(context, theory->row.options, options, "friction", mu);
        if (status == HAW_OK) {
            status = haw_options_set_real(context, theory->row.options, options, "end",
                                          START + k * EVERY);
        }
        if (status == HAW_OK) {
            status = haw_theory_evaluate(context, theory, options, &result);
        }
        z[k] = status == HAW_OK ? haw_theory_value(&result, "z_end") : (double)NAN;
        haw_theory_result_free(context, &result);
    }
    return status;
}

static haw_status fill(haw_context *context, history *h)
{
    haw_status status = HAW_OK;
    for (int i = 0; status == HAW_OK && i < FRICTIONS; ++i) {
        status = evaluate(context, strtod(friction[i], NULL), h->z[3 * i]);
        for (int soft = 0; status == HAW_OK && soft < 2; ++soft) {
            watch w = {.z = h->z[3 * i + 1 + soft]};
            status = run(context, friction[i], soft == 1, &w);
        }
        (void)printf("mu %-4s z25(12 s): closed form %.5f, EI %.5f, EI/100 %.5f m\n", friction[i],
                     h->z[3 * i][FRAMES - 1], h->z[3 * i + 1][FRAMES - 1],
                     h->z[3 * i + 2][FRAMES - 1]);
    }
    return status;
}

static haw_status write_table(const history *h)
{
    FILE *csv = open_csv("winding-w1.csv", calibrate());
    if (csv == NULL) {
        return HAW_ERR_IO;
    }
    (void)fputs("t[s]", csv);
    for (int i = 0; i < FRICTIONS; ++i) {
        (void)fprintf(csv, ",closed_form_mu%s[m],EI_mu%s[m],EI/100_mu%s[m]", friction[i],
                      friction[i], friction[i]);
    }
    for (int k = 0; k < FRAMES; ++k) {
        (void)fprintf(csv, "\n%.9g", START + k * EVERY);
        for (int c = 0; c < CURVES; ++c) {
            (void)fprintf(csv, ",%.9g", h->z[c][k]);
        }
    }
    (void)fputc('\n', csv);
    return fclose(csv) == 0 ? HAW_OK : HAW_ERR_IO;
}

/* ---- figure ---- */

static void frame(haw_text *script, double left, double right, const char *range, const char *label)
{
    (void)fprintf(script->stream,
                  "set lmargin at screen %.4f\nset rmargin at screen %.4f\n"
                  "set tmargin at screen 0.965\nset bmargin at screen 0.135\n"
                  "set xlabel 't  [s]' offset 0,0.3\nset ylabel '%s' offset 0.4\n%s",
                  left, right, label, range);
}

static void curve(haw_text *script, int column, const char *scale, const char *look,
                  const char *title)
{
    (void)fprintf(script->stream, "'winding-w1.csv' skip 2 using 1:(%s*$%d) with lines %s %s%s",
                  scale, column, look, title, ", \\\n ");
}

/* The closed forms below, the runs on them. */
static void draw(haw_text *script, int first, const char *scale, bool has_key)
{
    (void)fputs("plot ", script->stream);
    for (int i = first; i < FRICTIONS; ++i) {
        curve(script, 3 * i + 2, scale, "linewidth 4 linecolor rgb '#c8c8c8'", "notitle");
    }
    for (int i = first; i < FRICTIONS; ++i) {
        char look[80], title[48] = "notitle";
        (void)snprintf(look, sizeof look, "linewidth 1.4 linecolor rgb '%s'", haw_figure_color(i));
        if (has_key) {
            (void)snprintf(title, sizeof title, "title 'µ = %s'", friction[i]);
        }
        curve(script, 3 * i + 3, scale, look, title);
        (void)snprintf(look, sizeof look, "linewidth 1.4 dashtype 2 linecolor rgb '%s'",
                       haw_figure_color(i));
        curve(script, 3 * i + 4, scale, look, "notitle");
    }
    (void)fputs("NaN with lines linewidth 1.4 linecolor rgb '#606060' "
                "title 'EI, 50 elements', \\\n "
                "NaN with lines linewidth 1.4 dashtype 2 linecolor rgb '#606060' "
                "title 'EI/100, 100 elements', \\\n "
                "NaN with lines linewidth 4 linecolor rgb '#c8c8c8' "
                "title 'closed form, EI = 0'\n",
                script->stream);
}

static haw_status draw_figure(haw_context *context)
{
    static const int size[2] = {980, 400};
    static const char *const name[] = {"winding-w1"};
    const haw_figure figure = {.context = context, .folder = FOLDER};
    haw_text script;
    haw_status status = haw_script_begin(&figure, name[0], size, &script);
    if (status != HAW_OK) {
        return status;
    }
    (void)fputs("set multiplot\nset key top left Left reverse samplen 1.8 spacing 1.2\n",
                script.stream);
    frame(&script, 0.08, 0.48, "set xrange [6:12]\nset yrange [0:0.5]\n",
          "z of the node in the middle  [m]");
    draw(&script, 0, "1", true);
    frame(&script, 0.575, 0.975,
          "set xrange [9.5:12]\nset yrange [0:12]\nunset key\n"
          "set label 'µ = 0.4' at graph 0.05, graph 0.93\n",
          "z  [mm]");
    draw(&script, FRICTIONS - 1, "1e3", false);
    status = haw_script_end(&script);
    return status == HAW_OK ? haw_figure_draw(&figure, 1, name) : status;
}

int main(void)
{
    static history h;
    haw_context *context = NULL;
    haw_status status = haw_context_create(NULL, &context);
    if (status == HAW_OK) {
        status = fill(context, &h);
        status = status == HAW_OK ? write_table(&h) : status;
        status = status == HAW_OK ? draw_figure(context) : status;
        if (status != HAW_OK) {
            (void)fprintf(stderr, "winding_w1: %s: %s\n", haw_status_text(status),
                          haw_context_message(context));
        }
    }
    haw_context_free(context);
    return status == HAW_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
