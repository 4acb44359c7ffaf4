/* SPDX-License-Identifier: BSD-3-Clause */
/* Error and cost of the runs of a study over the one key that was swept. */
#include "report/study_figures.h"
#include "stepper/stepper.h"

#include <math.h>
#include <string.h>

enum { LEFT = 78, PANEL = 300, BETWEEN = 74, HEIGHT = 330, LINE = 20, COLORS = 6 };

/* Smallest and largest; `low` INFINITY: there is nothing. */
typedef struct span {
    double low, high;
} span;

static void widen(span *s, double value)
{
    s->low = fmin(s->low, value);
    s->high = fmax(s->high, value);
}

/* Errors of zero and costs that were not measured have no place on an axis. */
static void widen_positive(span *s, double value)
{
    if (value > 0.0) {
        widen(s, value);
    }
}

static bool is_decade(const span *s)
{
    return isfinite(s->low) && s->low > 0.0 && s->high >= 10.0 * s->low;
}

/* A run that stands on a curve: one of a group, not a reference that was run beside them. */
static bool is_on_curve(const haw_study_run *run)
{
    return run->variant->group >= 0 && run->has_run;
}

/* Spans of the swept key, of the errors and of the CPU time. */
static void measure(const haw_study *study, span spans[3])
{
    for (int k = 0; k < 3; k++) {
        spans[k] = (span){INFINITY, -INFINITY};
    }
    for (int i = 0; i < study->runs; i++) {
        const haw_study_run *run = &study->run[i];
        const bool is_alone = i == study->reference && !is_on_curve(run);
        if (is_on_curve(run) || is_alone) {
            widen_positive(&spans[2], run->summary.cpu_seconds);
        }
        if (!is_on_curve(run)) {
            continue;
        }
        widen(&spans[0], run->variant->value);
        widen_positive(&spans[1], run->error);
        for (int p = 0; study->groups == 1 && p < run->probes; p++) {
            widen_positive(&spans[1], run->probe_error[p]);
        }
        if (study->groups == 1) {
            widen_positive(&spans[1], run->tension_l2);
        }
    }
}

/* Whether any run on a curve has the error of this column of sweep.csv; 5: tension, then probes. */
static bool has_error(const haw_study *study, int column)
{
    for (int i = 0; i < study->runs; i++) {
        const haw_study_run *run = &study->run[i];
        if (!is_on_curve(run) || i == study->reference) {
            continue;
        }
        const int probe = column - 6;
        const double error = probe < 0
                                 ? run->tension_l2
                                 : (probe < run->probes ? run->probe_error[probe] : (double)NAN);
        if (error > 0.0) {
            return true;
        }
    }
    return false;
}

static bool has_runs(const haw_study *study, int group)
{
    for (int i = 0; i < study->runs; i++) {
        if (study->run[i].variant->group == group && study->run[i].has_run) {
            return true;
        }
    }
    return false;
}

/* Unit of a key in one of the tables of its part, by the end of its path. */
static const char *unit_in(const haw_option *table, const char *path)
{
    for (const haw_option *row = table; row->key != NULL; row++) {
        const size_t length = strlen(path), tail = strlen(row->key);
        if (length > tail && path[length - tail - 1] == '.' &&
            strcmp(path + length - tail, row->key) == 0) {
            return row->unit;
        }
    }
    return "";
}

static const char *unit_of(const char *path)
{
    const char *unit = "";
    if (strncmp(path, "contact.", 8) == 0) {
        return unit_in(haw_contact_options, path);
    }
    if (strncmp(path, "cables.", 7) == 0) {
        return unit_in(haw_cable_options, path);
    }
    if (strncmp(path, "bodies.", 7) == 0) {
        return unit_in(haw_body_options, path);
    }
    for (int i = 0; strncmp(path, "stepper.", 8) == 0 && haw_steppers[i] != NULL; i++) {
        unit = unit[0] != '\0' ? unit : unit_in(haw_steppers[i]->options, path);
    }
    return unit;
}

/* Name and unit of the swept key; stiffness and damping of a contact may be given per length. */
static void put_label(haw_figure *figure, haw_text *script, const haw_study *study)
{
    static const char *const shares[] = {
        [HAW_PER_POINT] = "", [HAW_PER_LENGTH] = " per m", [HAW_PER_AREA] = " per m^2"};
    const char *unit = unit_of(study->swept);
    const bool is_share =
        strncmp(study->swept, "contact.", 8) == 0 &&
        (strstr(study->swept, "_stiffness") != NULL || strstr(study->swept, "_damping") != NULL);
    char text[96] = "";
    if (unit[0] != '\0') {
        (void)snprintf(text, sizeof text, "[%.40s%s]", unit,
                       is_share ? shares[study->run[0].per] : "");
    }
    (void)fprintf(script->stream, "set xlabel %s offset 0,0.3\n",
                  haw_figure_quote(figure, study->swept, text));
}

static void put_curve(haw_text *script, int *written, const char *source, int k)
{
    (void)fprintf(script->stream,
                  "%s 'sweep.csv' %s with linespoints linewidth 1.3 dashtype %d pointtype 7 "
                  "pointsize 0.4 linecolor rgb '%s'",
                  (*written)++ > 0 ? ", \\\n " : "plot", source, k / COLORS + 1,
                  haw_figure_color(k));
}

/* Column `column` of every group. */
static void put_groups(haw_figure *figure, haw_text *script, const haw_study *study, int column,
                       bool titled)
{
    int written = 0, block = 0;
    for (int g = 0; g < study->groups; g++) {
        char source[96];
        if (!has_runs(study, g)) {
            continue;
        }
        (void)snprintf(source, sizeof source, "index %d skip 1 using 2:($%d>0?$%d:NaN)", block++,
                       column, column);
        put_curve(script, &written, source, g);
        (void)fprintf(script->stream, " %s%s", titled ? "title " : "notitle",
                      titled ? haw_study_title(figure, study->group_name[g], "") : "");
    }
}

/* The errors one by one, of the only group. */
static void put_errors(haw_figure *figure, haw_text *script, const haw_study *study)
{
    const haw_study_run *reference = &study->run[study->reference];
    int written = 0;
    for (int column = 5; column < 6 + reference->probes; column++) {
        char source[96];
        if (!has_error(study, column)) {
            continue;
        }
        (void)snprintf(source, sizeof source, "index 0 skip 1 using 2:($%d>0?$%d:NaN)", column,
                       column);
        put_curve(script, &written, source, written);
        (void)fprintf(script->stream, " title %s",
                      column == 5 ? "'tension profile'"
                                  : haw_study_title(figure, reference->probe[column - 6].name, ""));
    }
    if (written == 0) {
        (void)fputs("plot NaN notitle", script->stream);
    }
}

/* Letters of the longest text of either legend. */
static size_t letters(const haw_study *study)
{
    const haw_study_run *reference = &study->run[study->reference];
    const bool is_alone = !is_on_curve(reference);
    size_t longest = is_alone ? strlen(" (reference)") + strlen(reference->variant->name) : 8;
    for (int g = 0; g < study->groups; g++) {
        const size_t length = strlen(study->group_name[g]);
        longest = length > longest ? length : longest;
    }
    for (int i = 0; study->groups == 1 && i < reference->probes; i++) {
        const size_t length = strlen(reference->probe[i].name);
        longest = length > longest ? length : longest;
    }
    return longest < HAW_LEGEND_MAX ? longest : HAW_LEGEND_MAX;
}

/* One of the two panels; `lines` of the legend are taken already. */
static void frame(haw_text *script, const int size[2], int panel, const char *label, int lines)
{
    const double left = LEFT + panel * (PANEL + BETWEEN);
    (void)fprintf(script->stream,
                  "set lmargin at screen %.6f\nset rmargin at screen %.6f\n"
                  "set tmargin at screen 0.96\nset bmargin at screen 0.15\n"
                  "set ylabel '%s' offset 0.4\n"
                  "set key at screen %.6f, screen %.6f left top Left reverse samplen 1.6 "
                  "spacing 1.2\n",
                  left / size[0], (left + PANEL) / size[0], label,
                  (LEFT + 2.0 * PANEL + BETWEEN + 10.0) / size[0],
                  0.96 - (double)(lines * LINE) / size[1]);
}

/* Tics of a logarithmic axis: powers of ten, or 1, 2, 5 where there are few of them. */
static void put_log_tics(haw_text *script, char axis, double low, double high)
{
    const char *comma = "";
    if (high > 300.0 * low) {
        (void)fprintf(script->stream, "set %ctics autofreq\nset format %c '10^{%%T}'\n", axis,
                      axis);
        return;
    }
    (void)fprintf(script->stream, "set format %c '%%g'\nset %ctics (", axis, axis);
    for (int k = 3 * (int)floor(log10(low)); k < 3 * (int)ceil(log10(high)) + 1; k++) {
        static const double part[] = {1.0, 2.0, 5.0};
        const int third = ((k % 3) + 3) % 3, decade = (k - third) / 3;
        (void)fprintf(script->stream, "%s%.3g", comma, part[third] * pow(10.0, decade));
        comma = ", ";
    }
    (void)fputs(")\n", script->stream);
}

/* Linear axes of errors and costs begin at zero. */
static void put_axis(haw_text *script, char axis, const span *s, bool is_log)
{
    const double width = s->high - s->low;
    if (is_log && isfinite(width)) {
        (void)fprintf(script->stream, "set logscale %c\nset %crange [%.9g:%.9g]\n", axis, axis,
                      s->low / 1.6, s->high * 1.6);
        put_log_tics(script, axis, s->low / 1.6, s->high * 1.6);
        return;
    }
    (void)fprintf(script->stream, "unset logscale %c\nset %ctics autofreq\nset format %c '%%g'\n",
                  axis, axis, axis);
    if (!isfinite(width)) {
        (void)fprintf(script->stream, "set %crange [0:1]\n", axis);
    } else {
        (void)fprintf(script->stream, "set %crange [%.9g:%.9g]\n", axis,
                      axis == 'y' ? 0.0 : s->low - 0.06 * width,
                      axis == 'y' ? 1.1 * s->high : s->high + 0.06 * width);
    }
}

/* Cost of a reference that stands on no curve. */
static void put_reference_cost(haw_figure *figure, haw_text *script, const haw_study *study)
{
    const haw_study_run *reference = &study->run[study->reference];
    if (reference->variant->group >= 0 || !(reference->summary.cpu_seconds > 0.0)) {
        return;
    }
    (void)fprintf(script->stream,
                  ", \\\n  %.9g with lines linewidth 1.3 dashtype 2 linecolor rgb '#404040' "
                  "title %s",
                  reference->summary.cpu_seconds,
                  haw_study_title(figure, reference->variant->name, " (reference)"));
}

static void draw(haw_figure *figure, haw_text *script, const haw_study *study, const int size[2])
{
    span spans[3];
    int lines = study->groups > 1 ? study->groups : 0;
    measure(study, spans);
    for (int column = 5; study->groups == 1 && column < 6 + study->run[study->reference].probes;
         column++) {
        lines += has_error(study, column) ? 1 : 0;
    }
    (void)fprintf(script->stream, "set multiplot\n");
    put_label(figure, script, study);
    const bool is_log = is_decade(&spans[0]);
    put_axis(script, 'x', &spans[0], is_log);
    put_axis(script, 'y', &spans[1], is_log || is_decade(&spans[1]));
    frame(script, size, 0, "relative error against the reference", 0);
    if (study->groups == 1) {
        put_errors(figure, script, study);
    } else {
        put_groups(figure, script, study, 4, true);
    }
    (void)fputc('\n', script->stream);
    put_axis(script, 'y', &spans[2], is_log || is_decade(&spans[2]));
    frame(script, size, 1, "CPU time  [s]", lines);
    put_groups(figure, script, study, 3, false);
    put_reference_cost(figure, script, study);
    (void)fputc('\n', script->stream);
}

haw_status haw_study_sweep(haw_figure *figure, const haw_study *study, bool *drawn)
{
    int runs = 0;
    haw_text script;
    for (int i = 0; i < study->runs; i++) {
        runs += is_on_curve(&study->run[i]) ? 1 : 0;
    }
    *drawn = study->swept != NULL && runs > 1;
    if (!*drawn) {
        return HAW_OK;
    }
    const int size[2] = {LEFT + 2 * PANEL + BETWEEN + haw_legend_width(letters(study)), HEIGHT};
    HAW_TRY(haw_script_begin(figure, "sweep", size, &script));
    draw(figure, &script, study, size);
    return haw_script_end(&script);
}
