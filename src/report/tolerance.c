/* SPDX-License-Identifier: BSD-3-Clause */
/* Spurious tension and CPU time per step over the tolerance, one line per solver. */
#include "report/tolerance.h"

#include "report/figure.h"

#include <math.h>

enum { WIDTH = 980, HEIGHT = 400, KEY = 190, SHAPES = 5 };

static const char *const name = "dynamic";

static const char axis[] = "tolerance on residual\\_natural";

/* Filled and open marks of gnuplot, the same shapes. */
static const int filled[SHAPES] = {7, 5, 9, 11, 13}, open[SHAPES] = {6, 4, 8, 10, 12};

static void frame(haw_text *script, double left, double right, const char *label)
{
    (void)fprintf(script->stream,
                  "set lmargin at screen %.4f\n"
                  "set rmargin at screen %.4f\n"
                  "set tmargin at screen 0.965\n"
                  "set bmargin at screen 0.135\n"
                  "set xlabel '%s' offset 0,0.3\n"
                  "set ylabel '%s' offset 0.4\n",
                  left, right, axis, label);
}

/* Lines through the runs that reached the end, and the marks of all. */
static void draw(haw_figure *figure, haw_text *script, const haw_report_tolerance *what,
                 const char *value)
{
    for (int s = 0; s < what->solvers; s++) {
        const char *solver = haw_figure_quote(figure, what->solver[s], "");
        const char *color = haw_figure_color(s);
        (void)fprintf(script->stream,
                      "%s 'dynamic.csv' skip 1 using (of(%s)?$2:NaN):(kept(0)?%s:NaN) with "
                      "linespoints linewidth 1.4 pointtype %d pointsize 0.9 linecolor rgb '%s' "
                      "title %s, \\\n"
                      "  '' skip 1 using (of(%s)?$2:NaN):(kept(0)?NaN:%s) with points "
                      "linewidth 1.2 pointtype %d pointsize 1.1 linecolor rgb '%s' notitle, \\\n",
                      s == 0 ? "plot" : " ", solver, value, filled[s % SHAPES], color, solver,
                      solver, value, open[s % SHAPES], color);
    }
}

static void draw_tension(haw_figure *figure, haw_text *script, const haw_report_tolerance *what)
{
    draw(figure, script, what, "$13");
    (void)fputs("  NaN notitle", script->stream);
    if (isfinite(what->frictionless)) {
        (void)fprintf(script->stream,
                      ", \\\n  %.9g with lines linewidth 0.9 dashtype 2 linecolor rgb '#202020' "
                      "notitle",
                      what->frictionless);
    }
    (void)fputc('\n', script->stream);
}

static void draw_cost(haw_figure *figure, haw_text *script, const haw_report_tolerance *what)
{
    draw(figure, script, what, "1e3*$11/$4");
    (void)fputs("  NaN with points pointtype 6 pointsize 1.1 linecolor rgb '#606060' "
                "title 'missed or out of time', \\\n"
                "  NaN with lines linewidth 0.9 dashtype 2 linecolor rgb '#202020' "
                "title 'no friction'\n",
                script->stream);
}

static haw_status write_script(haw_figure *figure, const haw_report_tolerance *what)
{
    static const int size[2] = {WIDTH, HEIGHT};
    const double end = 1 - (double)KEY / WIDTH, first = 0.5 * end + 3.0 / WIDTH;
    haw_text script;
    HAW_TRY(haw_script_begin(figure, name, size, &script));
    (void)fprintf(script.stream,
                  "of(solver) = strcol(1) eq solver && strcol(3) ne 'failed'\n"
                  "kept(x) = strcol(3) eq 'done' && $5 == 0\n"
                  "set multiplot\nset logscale xy\nunset mxtics\nset format xy '10^{%%T}'\n"
                  "set xrange [%.9g:%.9g]\nunset key\n",
                  2 * what->loose, 0.5 * what->tight);
    frame(&script, 74.0 / WIDTH, first, "spurious tension  max T/T_0 - 1");
    draw_tension(figure, &script, what);
    frame(&script, first + 76.0 / WIDTH, end, "CPU time per step  [ms]");
    (void)fprintf(script.stream,
                  "set key at screen %.4f, screen 0.965 left top Left reverse samplen 1.6 spacing "
                  "1.2\n",
                  end + 10.0 / WIDTH);
    draw_cost(figure, &script, what);
    return haw_script_end(&script);
}

haw_status haw_report_tolerances(haw_context *context, const char *folder,
                                 const haw_report_tolerance *what, haw_report_written written,
                                 void *user)
{
    static const char *const suffix[] = {".png", ".svg", ".gp"};
    haw_figure figure = {.context = context, .folder = folder};
    HAW_TRY(write_script(&figure, what));
    HAW_TRY(haw_gnuplot_run(context, folder, name));
    for (size_t i = 0; written != NULL && i < sizeof suffix / sizeof *suffix; i++) {
        char *path = NULL;
        HAW_TRY(haw_file_path(context, folder, name, suffix[i], &path));
        written(user, path);
        haw_release(context, path);
    }
    return HAW_OK;
}
