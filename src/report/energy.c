/* SPDX-License-Identifier: BSD-3-Clause */
/* The energy ledger: stored energy, losses and the error of the balance. */
#include "report/figure.h"

#include <math.h>

static const struct {
    const char *column; /* of /hawser/energy */
    const char *title;
    int number; /* column of energy.csv, from 1 */
} losses[] = {
    {"external_work", "external work", 5},   {"friction_loss", "friction loss", 6},
    {"impact_loss", "impact loss", 7},       {"damping_loss", "damping loss", 8},
    {"numerical_loss", "numerical loss", 9},
};

enum { LOSSES = sizeof losses / sizeof losses[0] };

static haw_status largest(haw_figure *figure, const char *column, double *size)
{
    haw_array array;
    HAW_TRY(haw_results_column(figure->results, "energy", NULL, column, &array));
    *size = 0.0;
    for (int i = 0; i < array.rows; i++) {
        *size = fmax(*size, fabs(array.value[i]));
    }
    return HAW_OK;
}

static void curve(haw_text *script, int k, const char *using, const char *title)
{
    (void)fprintf(script->stream,
                  "%s 'energy.csv' skip 1 using 1:%s with lines linewidth 1.4 linecolor rgb '%s' "
                  "title '%s'",
                  k == 0 ? "plot" : ", \\\n ", using, haw_figure_color(k), title);
}

static void write_stored(haw_text *script, double gravity, bool has_elastic)
{
    char using[96];
    int k = 0;
    curve(script, k++, "2", "kinetic");
    if (has_elastic) {
        curve(script, k++, "3", "elastic");
    }
    (void)snprintf(using, sizeof using, "($4-(%.17g))", gravity);
    curve(script, k, using, "gravity (from start)");
    (void)snprintf(using, sizeof using, "($2+$3+$4-(%.17g))", gravity);
    (void)fprintf(script->stream,
                  ", \\\n  'energy.csv' skip 1 using 1:%s with lines linewidth 1.1 dashtype 2 "
                  "linecolor rgb '#202020' title 'sum'\n",
                  using);
}

static void write_losses(haw_text *script, const double *size)
{
    int k = 0;
    for (int i = 0; i < LOSSES; i++) {
        if (size[i] > 0.0) {
            char using[16];
            (void)snprintf(using, sizeof using, "%d", losses[i].number);
            curve(script, k++, using, losses[i].title);
        }
    }
    (void)fputc('\n', script->stream);
}

haw_status haw_figure_energy(haw_figure *figure, bool *drawn)
{
    static const char axis[] = "time  {/:Italic t}  [s]";
    double size[LOSSES];
    double error = 0.0;
    double elastic = 0.0;
    haw_array gravity;
    bool has_losses = false;
    haw_panels panels = {0};
    haw_text script;
    *drawn = true;
    for (int i = 0; i < LOSSES; i++) {
        HAW_TRY(largest(figure, losses[i].column, &size[i]));
        has_losses = has_losses || size[i] > 0.0;
    }
    HAW_TRY(largest(figure, "elastic", &elastic));
    HAW_TRY(largest(figure, "balance_error", &error));
    HAW_TRY(haw_results_column(figure->results, "energy", NULL, "gravity", &gravity));
    panels.count = 1 + (has_losses ? 1 : 0) + (error > 0.0 ? 1 : 0);
    HAW_TRY(haw_panels_begin(figure, "energy", 160, &panels, &script));
    haw_panels_time(figure, &script);
    haw_panels_next(&panels, "stored energy  [J]", axis, &script);
    write_stored(&script, gravity.rows > 0 ? gravity.value[0] : 0.0, elastic > 0.0);
    if (has_losses) {
        haw_panels_next(&panels, "left the system  [J]", axis, &script);
        write_losses(&script, size);
    }
    if (error > 0.0) {
        haw_panels_next(&panels, "balance error  [J]", axis, &script);
        /* Zeros cannot be drawn on a logarithmic axis and are left out. */
        (void)fputs("set logscale y\nset format y '10^{%T}'\n", script.stream);
        curve(&script, 0, "($10>0?$10:NaN)", "worst step so far");
        curve(&script, 1, "(abs($11)>0?abs($11):NaN)", "whole run");
        (void)fputs(
            ", \\\n  'energy.csv' skip 1 using 1:($13>0?1e-14*$13:NaN) with lines linewidth 1.1 "
            "dashtype 2 linecolor rgb '#202020' title '10^{−14} of initial energy'\n",
            script.stream);
    }
    return haw_script_end(&script);
}
