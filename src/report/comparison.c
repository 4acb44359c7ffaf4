/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Solvers compared: a performance profile and the fall of the residuals, from the tables that a
 * benchmark has left in the folder. Each figure has two panels side by side.
 */
#include "report/comparison.h"

#include "report/figure.h"

enum { WIDTH = 980, HEIGHT = 400, KEY = 130 };

/* Beyond six solvers the colours begin again, with dashes. */
static int dash(int solver)
{
    return solver / 6 + 1;
}

/* What is drawn over what. */
typedef struct panel {
    const char *axis;
    const char *column; /* of the table, an expression of gnuplot */
    const char *start;  /* where the residuals may begin, an expression on profile.csv */
    double left, right; /* on the canvas, 0 to 1 */
} panel;

static haw_status begin(const haw_figure *figure, const char *name, haw_text *script)
{
    static const int size[2] = {WIDTH, HEIGHT};

    return haw_script_begin(figure, name, size, script);
}

/* The key stands once, right of both panels; the second panel shares the axis of the first. */
static void frame(haw_text *script, const panel *p, const char *label, bool has_key)
{
    (void)fprintf(script->stream,
                  "set lmargin at screen %.4f\n"
                  "set rmargin at screen %.4f\n"
                  "set tmargin at screen 0.965\n"
                  "set bmargin at screen 0.135\n"
                  "set xlabel '%s' offset 0,0.3\n"
                  "set ylabel '%s' offset 0.4\n",
                  p->left, p->right, p->axis, label);
    if (has_key) {
        (void)fprintf(script->stream,
                      "set key at screen %.4f, screen 0.965 left top Left reverse samplen 1.6 "
                      "spacing 1.2\n",
                      p->right + 10.0 / WIDTH);
    } else {
        (void)fputs("unset key\n", script->stream);
    }
}

static void panels(panel p[2])
{
    const double width = 1.0 - (double)KEY / WIDTH;

    p[0].left = 74.0 / WIDTH;
    p[0].right = 0.5 * width + 8.0 / WIDTH;
    p[1].left = p[0].right + 66.0 / WIDTH;
    p[1].right = width;
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

    panels(p);
    HAW_TRY(begin(figure, "performance-profile", &script));
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
    /* One point on the line of the tolerance, lest no residual at all be finite. */
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

    panels(p);
    HAW_TRY(begin(figure, "convergence", &script));
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

/* ---- both ---- */

static const char *const figures[] = {"performance-profile", "convergence"};

enum { FIGURES = sizeof figures / sizeof *figures };

static haw_status tell(const haw_figure *figure, const char *suffix, haw_report_written written,
                       void *user)
{
    for (int i = 0; i < FIGURES; i++) {
        char *path = NULL;

        HAW_TRY(haw_file_path(figure->context, figure->folder, figures[i], suffix, &path));
        written(user, path);
        haw_release(figure->context, path);
    }
    return HAW_OK;
}

haw_status haw_report_compare(haw_context *context, const char *folder,
                              const haw_report_comparison *what, haw_report_written written,
                              void *user)
{
    haw_figure figure = {.context = context, .folder = folder};

    HAW_TRY(write_profile(&figure, what));
    HAW_TRY(write_convergence(&figure, what));
    for (int i = 0; i < FIGURES; i++) {
        HAW_TRY(haw_gnuplot_run(context, folder, figures[i]));
    }
    if (written != NULL) {
        HAW_TRY(tell(&figure, ".png", written, user));
        HAW_TRY(tell(&figure, ".svg", written, user));
        HAW_TRY(tell(&figure, ".gp", written, user));
    }
    return HAW_OK;
}
