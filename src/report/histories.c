/* SPDX-License-Identifier: BSD-3-Clause */
/* Histories: position, velocity, spin, contact forces and tension over a common time axis. */
#include "report/figure.h"

#include <string.h>

enum { CURVES_MAX = 12, PANELS = 5, BODY_COLUMNS = 6, CONTACT_COLUMNS = 4 };

typedef struct curve {
    int column; /* of histories.csv, from 1 */
    const char *owner, *symbol;
} curve;

typedef struct panel {
    const char *label;
    int curves;
    curve curve[CURVES_MAX];
} panel;

static void add(panel *p, int column, const char *owner, const char *symbol)
{
    if (p->curves < CURVES_MAX) {
        p->curve[p->curves++] = (curve){column, owner, symbol};
    }
}

/* Whether a history is anything but the number it starts with, or zero where that must be. */
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

/* Bodies that stay where they are have no position to follow, those that never turn no spin. */
static haw_status add_bodies(haw_figure *figure, panel *panels)
{
    const haw_names *bodies = haw_results_names(figure->results, HAW_RESULTS_BODIES);
    for (int i = 0; i < bodies->count; i++) {
        haw_array position;
        haw_array spin;
        const char *name = bodies->name[i];
        const int first = 2 + BODY_COLUMNS * i;
        HAW_TRY(haw_results_column(figure->results, "bodies", name, "position", &position));
        HAW_TRY(haw_results_column(figure->results, "bodies", name, "spin", &spin));
        if (varies(&position, false)) {
            add(&panels[0], first, name, "{/:Italic x}");
            add(&panels[0], first + 1, name, "{/:Italic y}");
            add(&panels[1], first + 3, name, "{/:Italic v_x}");
            add(&panels[1], first + 4, name, "{/:Italic v_y}");
        }
        if (varies(&spin, true)) {
            add(&panels[2], first + 5, name, "{/:Italic ω}");
        }
    }
    return HAW_OK;
}

static haw_status gather(haw_figure *figure, panel *panels)
{
    static const char *const labels[PANELS] = {"position  [m]", "velocity  [m/s]", "spin  [rad/s]",
                                               "contact force  [N]", "mean tension  [N]"};
    const haw_names *cables = haw_results_names(figure->results, HAW_RESULTS_CABLES);
    const haw_names *pairs = haw_results_names(figure->results, HAW_RESULTS_CONTACTS);
    for (int i = 0; i < PANELS; i++) {
        panels[i] = (panel){.label = labels[i]};
    }
    HAW_TRY(add_bodies(figure, panels));
    int column = 2 + BODY_COLUMNS * haw_results_names(figure->results, HAW_RESULTS_BODIES)->count;
    for (int i = 0; i < cables->count; i++) {
        add(&panels[4], column++, cables->name[i], "");
    }
    for (int i = 0; i < pairs->count; i++, column += CONTACT_COLUMNS) {
        const char *owner = pairs->count > 1 ? pairs->name[i] : "";
        add(&panels[3], column, owner, "normal");
        add(&panels[3], column + 1, owner, "tangential");
    }
    return HAW_OK;
}

static void write_panel(haw_figure *figure, const panel *p, haw_text *script)
{
    for (int i = 0; i < p->curves; i++) {
        (void)fprintf(script->stream,
                      "%s 'histories.csv' skip 1 using 1:%d with lines linewidth 1.4 "
                      "linecolor rgb '%s' title %s%s\n",
                      i == 0 ? "plot" : " ", p->curve[i].column, haw_figure_color(i),
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
            write_panel(figure, &panels[i], &script);
        }
    }
    return haw_script_end(&script);
}
