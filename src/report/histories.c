/* SPDX-License-Identifier: BSD-3-Clause */
/* Histories: position, velocity, spin, contact forces and tension over a common time axis. */
#include "report/figure.h"

#include <math.h>
#include <string.h>

enum { CURVES_MAX = 12, PANELS = 5, CONTACT_COLUMNS = 4 };

typedef struct curve {
    int column; /* of histories.csv, from 1 */
    const char *owner, *symbol;
} curve;

typedef struct panel {
    const char *label;
    haw_interval range; /* of all curves */
    int curves;
    curve curve[CURVES_MAX];
} panel;

/* Component k of an array, which is a column of histories.csv. */
static void add(panel *p, const haw_array *array, int k, const curve *added)
{
    for (int i = 0; i < array->rows; i++) {
        haw_interval_widen(&p->range, array->value[i * array->components + k]);
    }
    if (p->curves < CURVES_MAX) {
        p->curve[p->curves++] = *added;
    }
}

/* True if a history changes or, with `from_zero`, is ever different from zero. */
static bool varies(const haw_array *array, bool from_zero)
{
    for (int i = 0; i < array->rows * array->components; i++) {
        const double start = from_zero ? 0.0 : array->value[i % array->components];
        if (array->value[i] < start || array->value[i] > start) {
            return true;
        }
    }
    return false;
}

/* Where the columns of a body are in histories.csv, from its first. */
typedef struct layout {
    int stride, components; /* of positions and velocities */
    int velocity, spin;
} layout;

/* by dimension */
static const layout layouts[] = {
    [2] = {HAW_HISTORY_BODY_COLUMNS, 2, 3, 5}, [3] = {HAW_HISTORY_SPACE_BODY_COLUMNS, 3, 7, 13}};

/* Bodies that stay where they are have no position to follow, those that never turn no spin. */
static haw_status add_body(haw_figure *figure, panel *panels, const char *name, int first)
{
    static const char *const place[] = {"{/:Italic x}", "{/:Italic y}", "{/:Italic z}"};
    static const char *const rate[] = {"{/:Italic v_x}", "{/:Italic v_y}", "{/:Italic v_z}"};
    const layout *columns = &layouts[figure->results->dimension];
    haw_array position;
    haw_array velocity;
    haw_array spin;
    HAW_TRY(haw_results_column(figure->results, "bodies", name, "position", &position));
    HAW_TRY(haw_results_column(figure->results, "bodies", name, "velocity", &velocity));
    HAW_TRY(haw_results_column(figure->results, "bodies", name, "spin", &spin));
    for (int k = 0; k < columns->components && varies(&position, false); k++) {
        add(&panels[0], &position, k, &(curve){first + k, name, place[k]});
        add(&panels[1], &velocity, k, &(curve){first + columns->velocity + k, name, rate[k]});
    }
    if (varies(&spin, true)) {
        add(&panels[2], &spin, 0, &(curve){first + columns->spin, name, "{/:Italic ω}"});
    }
    return HAW_OK;
}

static haw_status add_pair(haw_figure *figure, panel *p, int index, int first)
{
    static const char *const column[2] = {"normal_sum", "tangential_sum"};
    static const char *const symbol[2] = {"normal", "tangential"};
    const haw_names *pairs = &figure->results->names[HAW_RESULTS_CONTACTS];
    const char *name = pairs->name[index];
    for (int i = 0; i < 2; i++) {
        haw_array sum;
        HAW_TRY(haw_results_column(figure->results, "contacts", name, column[i], &sum));
        add(p, &sum, 0, &(curve){first + i, pairs->count > 1 ? name : "", symbol[i]});
    }
    return HAW_OK;
}

/* The columns of histories.csv: bodies, then cables, then pairs. */
static haw_status gather(haw_figure *figure, panel *panels)
{
    static const char *const labels[PANELS] = {"position  [m]", "velocity  [m/s]", "spin  [rad/s]",
                                               "contact force  [N]", "mean tension  [N]"};
    const haw_names *bodies = &figure->results->names[HAW_RESULTS_BODIES];
    const haw_names *cables = &figure->results->names[HAW_RESULTS_CABLES];
    const haw_names *pairs = &figure->results->names[HAW_RESULTS_CONTACTS];
    int column = 2;
    for (int i = 0; i < PANELS; i++) {
        panels[i] = (panel){.label = labels[i], .range = {INFINITY, -INFINITY}};
    }
    for (int i = 0; i < bodies->count; i++, column += layouts[figure->results->dimension].stride) {
        HAW_TRY(add_body(figure, panels, bodies->name[i], column));
    }
    for (int i = 0; i < cables->count; i++, column++) {
        haw_array mean;
        HAW_TRY(
            haw_results_column(figure->results, "cables", cables->name[i], "tension_mean", &mean));
        add(&panels[4], &mean, 0, &(curve){column, cables->name[i], ""});
    }
    for (int i = 0; i < pairs->count; i++, column += CONTACT_COLUMNS) {
        HAW_TRY(add_pair(figure, &panels[3], i, column));
    }
    return HAW_OK;
}

static void write_panel(haw_figure *figure, const panel *p, haw_text *script)
{
    for (int i = 0; i < p->curves; i++) {
        (void)fprintf(script->stream,
                      "%s 'histories.csv' skip 1 using 1:%d with lines linewidth 1.4 "
                      "%slinecolor rgb '%s' title %s%s\n",
                      i == 0 ? "plot" : " ", p->curve[i].column,
                      strcmp(p->curve[i].owner, p->curve[0].owner) == 0 ? "" : "dashtype 2 ",
                      haw_figure_color(i),
                      haw_figure_quote(figure, p->curve[i].owner, p->curve[i].symbol),
                      i + 1 < p->curves ? ", \\" : "");
    }
}

haw_status haw_figure_histories(haw_figure *figure, bool *drawn)
{
    panel panels[PANELS];
    haw_panels stack = {0};
    haw_text script;
    HAW_TRY(gather(figure, panels));
    for (int i = 0; i < PANELS; i++) {
        stack.count += panels[i].curves > 0;
    }
    *drawn = stack.count > 0;
    if (!*drawn) {
        return HAW_OK;
    }
    HAW_TRY(haw_panels_begin(figure, "histories", 124, &stack, &script));
    haw_panels_time(figure, &script);
    for (int i = 0; i < PANELS; i++) {
        if (panels[i].curves > 0) {
            haw_panels_next(&stack, panels[i].label, "time  {/:Italic t}  [s]", &script);
            haw_script_range(&script, panels[i].range);
            write_panel(figure, &panels[i], &script);
        }
    }
    return haw_script_end(&script);
}

/* ---- the energy ledger: stored energy, losses and the error of the balance ---- */

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

static void draw_curve(haw_text *script, int k, const char *using, const char *title)
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
    draw_curve(script, k++, "2", "kinetic");
    if (has_elastic) {
        draw_curve(script, k++, "3", "elastic");
    }
    (void)snprintf(using, sizeof using, "($4-(%.17g))", gravity);
    draw_curve(script, k, using, "gravity (from start)");
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
            draw_curve(script, k++, using, losses[i].title);
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
        draw_curve(&script, 0, "($10>0?$10:NaN)", "worst step so far");
        draw_curve(&script, 1, "(abs($11)>0?abs($11):NaN)", "whole run");
        (void)fputs(
            ", \\\n  'energy.csv' skip 1 using 1:($13>0?1e-14*$13:NaN) with lines linewidth 1.1 "
            "dashtype 2 linecolor rgb '#202020' title '10^{−14} of initial energy'\n",
            script.stream);
    }
    return haw_script_end(&script);
}
