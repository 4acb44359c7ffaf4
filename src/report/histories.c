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
    const char *label, *unit;
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
    HAW_TRY(haw_results_column(figure->results, "bodies", name, "position", columns->components,
                               &position));
    HAW_TRY(haw_results_column(figure->results, "bodies", name, "velocity", columns->components,
                               &velocity));
    HAW_TRY(haw_results_column(figure->results, "bodies", name, "spin", 1, &spin));
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
        HAW_TRY(haw_results_column(figure->results, "contacts", name, column[i], 1, &sum));
        add(p, &sum, 0, &(curve){first + i, pairs->count > 1 ? name : "", symbol[i]});
    }
    return HAW_OK;
}

/* The columns of histories.csv: bodies, then cables, then pairs. */
static haw_status gather(haw_figure *figure, panel *panels)
{
    static const char *const labels[PANELS] = {"position", "velocity", "spin", "contact force",
                                               "mean tension"};
    static const char *const units[PANELS] = {"m", "m/s", "rad/s", "N", "N"};
    const haw_names *bodies = &figure->results->names[HAW_RESULTS_BODIES];
    const haw_names *cables = &figure->results->names[HAW_RESULTS_CABLES];
    const haw_names *pairs = &figure->results->names[HAW_RESULTS_CONTACTS];
    int column = 2;
    for (int i = 0; i < PANELS; i++) {
        panels[i] = (panel){.label = labels[i], .unit = units[i], .range = {INFINITY, -INFINITY}};
    }
    for (int i = 0; i < bodies->count; i++, column += layouts[figure->results->dimension].stride) {
        HAW_TRY(add_body(figure, panels, bodies->name[i], column));
    }
    for (int i = 0; i < cables->count; i++, column++) {
        haw_array mean;
        HAW_TRY(haw_results_column(figure->results, "cables", cables->name[i], "tension_mean", 1,
                                   &mean));
        add(&panels[4], &mean, 0, &(curve){column, cables->name[i], ""});
    }
    for (int i = 0; i < pairs->count; i++, column += CONTACT_COLUMNS) {
        HAW_TRY(add_pair(figure, &panels[3], i, column));
    }
    return HAW_OK;
}

static void write_panel(haw_figure *figure, const panel *p, double factor, haw_text *script)
{
    for (int i = 0; i < p->curves; i++) {
        (void)fprintf(script->stream,
                      "%s 'histories.csv' skip 1 using 1:(%g*$%d) with lines linewidth 1.4 "
                      "%slinecolor rgb '%s' title %s%s\n",
                      i == 0 ? "plot" : " ", factor, p->curve[i].column,
                      strcmp(p->curve[i].owner, p->curve[0].owner) == 0 ? "" : "dashtype 2 ",
                      haw_figure_color(i),
                      haw_figure_quote(figure, p->curve[i].owner, p->curve[i].symbol),
                      i + 1 < p->curves ? ", \\" : "");
    }
}

/* The next panel with its label; the range in the unit that it asks for. @return its factor */
static double next_panel(haw_panels *panels, haw_interval range, const char *text, const char *unit,
                         haw_text *script)
{
    char label[96];
    const double factor = haw_figure_prefix(range, text, unit, label);
    haw_panels_next(panels, label, "time  {/:Italic t}  [s]", script);
    (void)haw_script_range(script, (haw_interval){factor * range.from, factor * range.to});
    return factor;
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
            const double factor =
                next_panel(&stack, panels[i].range, panels[i].label, panels[i].unit, &script);
            write_panel(figure, &panels[i], factor, &script);
        }
    }
    return haw_script_end(&script);
}

/* ---- probes ---- */

/* A probe that is drawn: its column of probes.csv, and its values. */
typedef struct followed {
    const char *name;
    int column;
    haw_array value;
} followed;

static bool is_wanted(const haw_style *style, const char *name)
{
    bool found = style == NULL || style->probes == 0;
    for (int i = 0; !found && i < style->probes; i++) {
        found = strcmp(style->probe[i], name) == 0;
    }
    return found;
}

/* A name that the run does not have is an error, not a picture less. */
static haw_status check_wanted(const haw_figure *figure)
{
    const haw_names *names = &figure->results->names[HAW_RESULTS_PROBES];
    for (int i = 0; figure->style != NULL && i < figure->style->probes; i++) {
        const char *wanted = figure->style->probe[i];
        char hint[HAW_HINT_SIZE];
        int k = 0;
        while (k < names->count && strcmp(names->name[k], wanted) != 0) {
            k++;
        }
        if (k == names->count) {
            return haw_fail(figure->context, HAW_ERR_INPUT, "the run has no probe '%s'%s", wanted,
                            haw_hint(wanted, names->count, names->name, hint));
        }
    }
    return HAW_OK;
}

/* A quaternion, or a vector and behind it, as of an impulse, the part about the axes. */
static void write_probe(const followed *p, int dimension, double factor, haw_text *script)
{
    static const char *const component[][6] = {
        [2] = {"{/:Italic x}", "{/:Italic y}", "about {/:Italic z}", "", "", ""},
        [3] = {"{/:Italic x}", "{/:Italic y}", "{/:Italic z}", "about {/:Italic x}",
               "about {/:Italic y}", "about {/:Italic z}"}};
    static const char *const quaternion[] = {"{/:Italic w}", "{/:Italic x}", "{/:Italic y}",
                                             "{/:Italic z}"};
    const int n = p->value.components;
    for (int k = 0; k < n; k++) {
        (void)fprintf(script->stream,
                      "%s 'probes.csv' skip 1 using 1:(%g*$%d) with lines linewidth 1.4 linecolor "
                      "rgb '%s' ",
                      k == 0 ? "plot" : ", \\\n ", factor, p->column + k, haw_figure_color(k));
        if (n == 1) {
            (void)fputs("notitle", script->stream);
        } else {
            (void)fprintf(script->stream, "title '%s'",
                          n == 4  ? quaternion[k]
                          : k < 6 ? component[dimension][k]
                                  : "");
        }
    }
    (void)fputc('\n', script->stream);
}

haw_status haw_figure_probes(haw_figure *figure, bool *drawn)
{
    const haw_names *names = &figure->results->names[HAW_RESULTS_PROBES];
    followed *all =
        haw_arena_allocate(&figure->results->arena, (size_t)names->count + 1, sizeof *all);
    haw_panels panels = {.gap = 26};
    haw_text script;
    int column = 2;
    HAW_TRY(haw_arena_status(&figure->results->arena));
    HAW_TRY(check_wanted(figure));
    for (int i = 0; i < names->count; i++) {
        followed *p = &all[panels.count];
        *p = (followed){.name = names->name[i], .column = column};
        HAW_TRY(haw_results_column(figure->results, "probes", NULL, p->name, 0, &p->value));
        column += p->value.components;
        panels.count += is_wanted(figure->style, p->name);
    }
    *drawn = panels.count > 0;
    if (!*drawn) {
        return HAW_OK;
    }
    HAW_TRY(haw_panels_begin(figure, "probes", 110, &panels, &script));
    haw_panels_time(figure, &script);
    for (int i = 0; i < panels.count; i++) {
        haw_interval range = {INFINITY, -INFINITY};
        for (int k = 0; k < all[i].value.rows * all[i].value.components; k++) {
            haw_interval_widen(&range, all[i].value.value[k]);
        }
        const double factor = next_panel(&panels, range, "", all[i].value.unit, &script);
        haw_panels_caption(figure, &script, all[i].name, "");
        write_probe(&all[i], figure->results->dimension, factor, &script);
    }
    return haw_script_end(&script);
}

/* ---- the energy ledger: what is stored, what entered, what left, the error of the balance ---- */

static const struct {
    const char *column; /* of /hawser/energy */
    const char *title;
    int number; /* column of energy.csv, from 1 */
} flows[] = {
    {"external_work", "external work", 5},   {"friction_loss", "friction loss", 6},
    {"impact_loss", "impact loss", 7},       {"damping_loss", "damping loss", 8},
    {"numerical_loss", "numerical loss", 9},
};

enum { FLOWS = sizeof flows / sizeof flows[0], ENTERED = 1 };

/* Range of a column of the ledger, from `origin` on; what is rounding only has none. */
static haw_status range_of(haw_figure *figure, const char *column, bool from_start,
                           haw_interval *range)
{
    static const double least = 1e-12; /* [J] */
    haw_array array;
    HAW_TRY(haw_results_column(figure->results, "energy", NULL, column, 1, &array));
    *range = (haw_interval){0.0, 0.0};
    for (int i = 0; i < array.rows; i++) {
        haw_interval_widen(range, array.value[i] - (from_start ? array.value[0] : 0.0));
    }
    if (fmax(-range->from, range->to) < least) {
        *range = (haw_interval){INFINITY, -INFINITY};
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

static haw_interval join(haw_interval a, haw_interval b)
{
    return (haw_interval){fmin(a.from, b.from), fmax(a.to, b.to)};
}

static haw_status write_stored(haw_figure *figure, haw_panels *panels, haw_text *script)
{
    static const char *const column[] = {"kinetic", "elastic", "gravity"};
    static const char *const title[] = {"kinetic", "elastic", "gravity (from start)"};
    haw_interval range[3], all = {INFINITY, -INFINITY};
    haw_array gravity;
    char using[96];
    for (int i = 0; i < 3; i++) {
        HAW_TRY(range_of(figure, column[i], i == 2, &range[i]));
        all = join(all, range[i]);
    }
    HAW_TRY(haw_results_column(figure->results, "energy", NULL, "gravity", 1, &gravity));
    const double factor = next_panel(panels, all, "stored energy", "J", script);
    const double start = gravity.rows > 0 ? gravity.value[0] : 0.0;
    if (all.to >= all.from) {                              /* else there is rounding only */
        (void)fputs("set yrange [*:*]\n", script->stream); /* the sum goes beyond */
    }
    int k = 0;
    for (int i = 0; i < 3; i++) {
        (void)snprintf(using, sizeof using, "(%g*($%d-(%.17g)))", factor, 2 + i,
                       i == 2 ? start : 0.0);
        if (i == 0 || range[i].to > range[i].from) {
            draw_curve(script, k++, using, title[i]);
        }
    }
    (void)fprintf(
        script->stream,
        ", \\\n  'energy.csv' skip 1 using 1:(%g*($2+$3+$4-(%.17g))) with lines linewidth "
        "1.1 dashtype 2 linecolor rgb '#202020' title 'sum'\n",
        factor, start);
    return HAW_OK;
}

/* What entered, flows[0], or what left, the others: those of them that there are. */
static void write_flows(const haw_interval range[FLOWS], bool has_left, haw_panels *panels,
                        haw_text *script)
{
    const int from = has_left ? ENTERED : 0, to = has_left ? FLOWS : ENTERED;
    haw_interval all = {INFINITY, -INFINITY};
    int k = 0;
    for (int i = from; i < to; i++) {
        all = join(all, range[i]);
    }
    if (!(all.to > all.from)) {
        return;
    }
    const double factor =
        next_panel(panels, all, has_left ? "left the system" : "entered the system", "J", script);
    for (int i = from; i < to; i++) {
        char using[32];
        (void)snprintf(using, sizeof using, "(%g*$%d)", factor, flows[i].number);
        if (range[i].to > range[i].from) {
            draw_curve(script, k++, using, flows[i].title);
        }
    }
    (void)fputc('\n', script->stream);
}

haw_status haw_figure_energy(haw_figure *figure, bool *drawn)
{
    haw_interval range[FLOWS];
    haw_array error;
    double largest = 0.0;
    bool has_left = false;
    haw_panels panels = {.count = 1};
    haw_text script;
    *drawn = true;
    for (int i = 0; i < FLOWS; i++) {
        HAW_TRY(range_of(figure, flows[i].column, false, &range[i]));
        has_left = has_left || (i >= ENTERED && range[i].to > range[i].from);
    }
    HAW_TRY(haw_results_column(figure->results, "energy", NULL, "balance_error", 1, &error));
    for (int i = 0; i < error.rows; i++) {
        largest = fmax(largest, fabs(error.value[i]));
    }
    panels.count += (range[0].to > range[0].from) + (has_left ? 1 : 0) + (largest > 0.0 ? 1 : 0);
    HAW_TRY(haw_panels_begin(figure, "energy", 160, &panels, &script));
    haw_panels_time(figure, &script);
    const haw_status stored = write_stored(figure, &panels, &script);
    if (stored != HAW_OK) {
        return haw_text_close(&script, stored);
    }
    write_flows(range, false, &panels, &script);
    write_flows(range, true, &panels, &script);
    if (largest > 0.0) {
        haw_panels_next(&panels, "balance error  [J]", "time  {/:Italic t}  [s]", &script);
        /* Zeros cannot be drawn on a logarithmic axis and are left out. */
        (void)fputs("set yrange [*:*]\nset logscale y\nset format y '10^{%T}'\n", script.stream);
        draw_curve(&script, 0, "($10>0?$10:NaN)", "worst step so far");
        draw_curve(&script, 1, "(abs($11)>0?abs($11):NaN)", "whole run");
        (void)fputs(
            ", \\\n  'energy.csv' skip 1 using 1:($13>0?1e-14*$13:NaN) with lines linewidth 1.1 "
            "dashtype 2 linecolor rgb '#202020' title '10^{−14} of initial energy'\n",
            script.stream);
    }
    return haw_script_end(&script);
}
