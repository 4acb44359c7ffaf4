/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Solvers compared, from the tables that a benchmark has left in the folder: a performance profile,
 * the fall of the residuals, and what the tolerance does to a simulation. Each figure has two
 * panels side by side.
 */
#include "report/figure.h"

#include <math.h>

enum { WIDTH = 980, HEIGHT = 400, KEY = 130, WIDE_KEY = 190 };

static const int canvas[2] = {WIDTH, HEIGHT};

/* Beyond six solvers the colours begin again, with dashes. */
static int dash(int solver)
{
    return solver / 6 + 1;
}

/* One of the two panels. */
typedef struct panel {
    const char *axis;
    const char *column; /* of the table, an expression of gnuplot */
    const char *start;  /* where the residuals may begin, an expression on profile.csv */
    double x[2];        /* its borders on the canvas, 0 to 1 */
} panel;

/* The key stands once, right of both panels; the second panel shares the axis of the first. */
static void frame(haw_text *script, const panel *p, const char *label, bool has_key)
{
    const double y[2] = {0.135, 0.965};
    haw_script_margins(script, p->x, y);
    (void)fprintf(script->stream, "set xlabel '%s' offset 0,0.3\nset ylabel '%s' offset 0.4\n",
                  p->axis, label);
    if (has_key) {
        haw_script_key(script, p->x[1] + 10.0 / WIDTH, y[1]);
    } else {
        (void)fputs("unset key\n", script->stream);
    }
}

/* Two panels left of the key [px]. */
static void place(panel p[2], int key, int gap, int second)
{
    const double width = 1.0 - (double)key / WIDTH;
    p[0].x[0] = 74.0 / WIDTH;
    p[0].x[1] = 0.5 * width + (double)gap / WIDTH;
    p[1].x[0] = p[0].x[1] + (double)second / WIDTH;
    p[1].x[1] = width;
}

/* ---- performance profile ---- */

/* Where each curve ends, so that it can be drawn on to the edge of its panel. */
static void find_ends(haw_text *script, const haw_report_comparison *what)
{
    (void)fputs("end_3 = 1.5\nend_4 = 0\n", script->stream);
    for (int s = 0; s < what->solvers; s++) {
        for (int column = 3; column <= 4; column++) {
            (void)fprintf(script->stream,
                          "stats 'profile.csv' index %d skip 1 using %d:2 nooutput\n"
                          "last_%d_%d = STATS_max_x\nshare_%d = STATS_max_y\n"
                          "end_%d = STATS_max_x > end_%d ? STATS_max_x : end_%d\n",
                          s, column, column, s, s, column, column, column);
        }
    }
}

static void draw_shares(haw_figure *figure, haw_text *script, const haw_report_comparison *what,
                        const panel *p)
{
    (void)fputs("unset arrow\n", script->stream);
    for (int s = 0; s < what->solvers; s++) {
        (void)fprintf(script->stream,
                      "set arrow from last_%s_%d, share_%d to graph 1, first share_%d nohead "
                      "linewidth 1.6 dashtype %d linecolor rgb '%s'\n",
                      p->column, s, s, s, dash(s), haw_figure_color(s));
    }
    for (int s = 0; s < what->solvers; s++) {
        (void)fprintf(script->stream,
                      "%s 'profile.csv' index %d skip 1 using %s:2 with steps linewidth 1.6 "
                      "dashtype %d linecolor rgb '%s' title %s%s\n",
                      s == 0 ? "plot" : " ", s, p->column, dash(s), haw_figure_color(s),
                      haw_figure_quote(figure, what->solver[s], ""),
                      s + 1 < what->solvers ? ", \\" : "");
    }
}

static haw_status write_profile(haw_figure *figure, const haw_report_comparison *what)
{
    panel p[2] = {{.axis = "CPU time over that of the best solver", .column = "3"},
                  {.axis = "CPU time  [s]", .column = "4"}};
    haw_text script;

    place(p, KEY, 8, 66);
    HAW_TRY(haw_script_begin(figure, "performance-profile", canvas, &script));
    find_ends(&script, what);
    (void)fputs("set multiplot\nset logscale x\nset xrange [1:1.5*end_3]\nset yrange [0:1.04]\n"
                "set format x '%g'\n"
                "if (end_3 < 200) { set xtics (1, 2, 5, 10, 20, 50, 100, 200) }\n",
                script.stream);
    frame(&script, &p[0], "share of the problems solved", false);
    draw_shares(figure, &script, what, &p[0]);
    (void)fputs("set xrange [*:2*end_4]\nset xtics autofreq\nset format x '10^{%T}'\n",
                script.stream);
    frame(&script, &p[1], "", true);
    draw_shares(figure, &script, what, &p[1]);
    return haw_script_end(&script);
}

/* ---- convergence ---- */

/* Many thin lines, one per solve, half transparent; one thick empty line per solver for the key. */
static void draw_histories(haw_figure *figure, haw_text *script, const haw_report_comparison *what,
                           const panel *p)
{
    for (int s = 0; s < what->solvers; s++) {
        const char *color = haw_figure_color(s);

        (void)fprintf(script->stream,
                      "%s 'convergence.csv' index %d:%d skip 1 using (%s>0?%s:NaN):($5>0?$5:NaN) "
                      "with lines linewidth %s dashtype %d linecolor rgb '#%s%s' notitle, \\\n"
                      "  NaN with lines linewidth 1.6 dashtype %d linecolor rgb '%s' title %s, "
                      "\\\n",
                      s == 0 ? "plot" : " ", s * what->problems, (s + 1) * what->problems - 1,
                      p->column, p->column, what->problems > 4 ? "0.7" : "1.4", dash(s),
                      what->problems > 4 ? "60" : "00", color + 1, dash(s), color,
                      haw_figure_quote(figure, what->solver[s], ""));
    }
    /* One point on the line of the tolerance, for the case that no residual is finite. */
    (void)fprintf(script->stream,
                  "  'profile.csv' index 0 every ::0::0 skip 1 using (%s):(%.9g) with dots "
                  "linecolor rgb '#202020' notitle, \\\n"
                  "  NaN with lines linewidth 0.9 dashtype 2 linecolor rgb '#202020' "
                  "title 'tolerance'\n",
                  p->start, what->tolerance);
}

static haw_status write_convergence(haw_figure *figure, const haw_report_comparison *what)
{
    panel p[2] = {{.axis = "iterations", .column = "$3", .start = "1"},
                  {.axis = "CPU time  [s]", .column = "$4", .start = "$4"}};
    haw_text script;

    place(p, KEY, 8, 66);
    HAW_TRY(haw_script_begin(figure, "convergence", canvas, &script));
    (void)fprintf(script.stream,
                  "set multiplot\nset logscale xy\nset format xy '10^{%%T}'\n"
                  "set yrange [1e-16<*<%.9g:*]\n"
                  "set arrow from graph 0, first %.9g to graph 1, first %.9g nohead linewidth 0.9 "
                  "dashtype 2 linecolor rgb '#202020'\n",
                  0.1 * what->tolerance, what->tolerance, what->tolerance);
    frame(&script, &p[0], "residual\\_natural", false);
    draw_histories(figure, &script, what, &p[0]);
    frame(&script, &p[1], "", true);
    draw_histories(figure, &script, what, &p[1]);
    return haw_script_end(&script);
}

haw_status haw_report_compare(haw_context *context, const char *folder,
                              const haw_report_comparison *what, haw_report_written written,
                              void *user)
{
    static const char *const figures[] = {"performance-profile", "convergence"};
    haw_figure figure = {.context = context, .folder = folder, .written = written, .user = user};

    HAW_TRY(write_profile(&figure, what));
    HAW_TRY(write_convergence(&figure, what));
    return haw_figure_draw(&figure, 2, figures);
}

/* ---- spurious tension and CPU time per step over the tolerance ---- */

enum { SHAPES = 5 };

/* Lines through the runs that reached the end, and the marks of all. */
static void draw(haw_figure *figure, haw_text *script, const haw_report_tolerance *what,
                 const char *value)
{
    /* Filled and open marks of gnuplot, the same shapes. */
    static const int filled[SHAPES] = {7, 5, 9, 11, 13}, open[SHAPES] = {6, 4, 8, 10, 12};
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

static haw_status write_tolerances(haw_figure *figure, const haw_report_tolerance *what)
{
    static const char axis[] = "tolerance on residual\\_natural";
    panel p[2] = {{.axis = axis}, {.axis = axis}};
    haw_text script;
    place(p, WIDE_KEY, 3, 76);
    HAW_TRY(haw_script_begin(figure, "dynamic", canvas, &script));
    (void)fprintf(script.stream,
                  "of(solver) = strcol(1) eq solver && strcol(3) ne 'failed'\n"
                  "kept(x) = strcol(3) eq 'done' && $5 == 0\n"
                  "set multiplot\nset logscale xy\nunset mxtics\nset format xy '10^{%%T}'\n"
                  "set xrange [%.9g:%.9g]\n",
                  2 * what->loose, 0.5 * what->tight);
    frame(&script, &p[0], "spurious tension  max T/T_0 - 1", false);
    draw_tension(figure, &script, what);
    frame(&script, &p[1], "CPU time per step  [ms]", true);
    draw(figure, &script, what, "1e3*$11/$4");
    (void)fputs("  NaN with points pointtype 6 pointsize 1.1 linecolor rgb '#606060' "
                "title 'missed or out of time', \\\n"
                "  NaN with lines linewidth 0.9 dashtype 2 linecolor rgb '#202020' "
                "title 'no friction'\n",
                script.stream);
    return haw_script_end(&script);
}

haw_status haw_report_tolerances(haw_context *context, const char *folder,
                                 const haw_report_tolerance *what, haw_report_written written,
                                 void *user)
{
    static const char *const name = "dynamic";
    haw_figure figure = {.context = context, .folder = folder, .written = written, .user = user};
    HAW_TRY(write_tolerances(&figure, what));
    return haw_figure_draw(&figure, 1, &name);
}
