/* SPDX-License-Identifier: BSD-3-Clause */
/* Ropes on sheaves: normal and friction force per length and tension along each arc. */
#include "report/figure.h"

#include <math.h>

enum { COLUMNS = 4, PANELS = 3 };

static const double degrees = 57.29577951308232;

bool haw_figure_has_sheave(const haw_figure *figure, const char *pair)
{
    char path[256];
    (void)snprintf(path, sizeof path, "/hawser/sheaves/%s", pair);
    return haw_results_has(figure->results, "/hawser/sheaves") &&
           haw_results_has(figure->results, path);
}

/* True if the rope touches the sheave at one of the instants: gnuplot draws no axes without a
 * number. */
static bool touches(const haw_figure *figure, const haw_array *angle)
{
    for (int i = 0; i < figure->instants; i++) {
        const double *row = angle->value + (ptrdiff_t)figure->instant[i] * angle->components;
        for (int k = 0; k < angle->components; k++) {
            if (!isnan(row[k])) {
                return true;
            }
        }
    }
    return false;
}

/* One block per instant: the knots of its frame. */
static void write_blocks(const haw_figure *figure, const haw_array column[COLUMNS], FILE *stream)
{
    const char *empty = touches(figure, &column[0]) ? "NaN,NaN,NaN,NaN\n" : "0,0,0,0\n";
    for (int i = 0; i < figure->instants; i++) {
        const int frame = figure->instant[i], n = column[0].components;
        (void)fprintf(stream,
                      "%s# t = %.17g s: angle from the tangent point at the start [deg], "
                      "normal [N/m], friction along t [N/m], tension [N]\n",
                      i > 0 ? "\n\n" : "", figure->t.value[frame]);
        int count = 0;
        for (int k = 0; k < n; k++) {
            const ptrdiff_t at = (ptrdiff_t)frame * n + k;
            if (!isnan(column[0].value[at])) {
                (void)fprintf(stream, "%.17g,%.17g,%.17g,%.17g\n", degrees * column[0].value[at],
                              column[1].value[at], column[2].value[at], column[3].value[at]);
                count++;
            }
        }
        if (count == 0) { /* gnuplot counts blocks that have a line */
            (void)fputs(empty, stream);
        }
    }
}

static haw_status write_table(haw_figure *figure, int index, const char *name)
{
    static const char *const key[COLUMNS] = {"angle", "normal", "tangential", "tension"};
    haw_array column[COLUMNS];
    char file[32];
    haw_text text;
    for (int k = 0; k < COLUMNS; k++) {
        HAW_TRY(haw_results_column(figure->results, "sheaves", name, key[k], &column[k]));
    }
    (void)snprintf(file, sizeof file, "sheaves-%d", index + 1);
    HAW_TRY(haw_text_open(figure->context, figure->folder, file, ".csv", &text));
    write_blocks(figure, column, text.stream);
    return haw_text_close(&text);
}

static void write_panels(haw_figure *figure, int index, const char *name, haw_panels *panels,
                         haw_text *script)
{
    static const char *const label[PANELS] = {"normal force  [N/m]", "friction  [N/m]",
                                              "tension  [N]"};
    static const char *const style[PANELS] = {"1:2 with lines", "1:3 with lines", "1:4 with lines"};
    for (int k = 0; k < PANELS; k++) {
        haw_panels_next(panels, label[k],
                        "angle from the tangent point at the start of the rope  [°]", script);
        (void)fprintf(script->stream, "set key title %s left\n",
                      haw_figure_quote(figure, name, ""));
        haw_figure_blocks(figure, "sheaves", index, style[k], script);
    }
}

haw_status haw_figure_sheaves(haw_figure *figure, bool *drawn)
{
    const haw_names *pairs = haw_results_names(figure->results, HAW_RESULTS_CONTACTS);
    haw_text script;
    haw_panels panels = {.count = 0};
    for (int i = 0; i < pairs->count; i++) {
        const bool shown = haw_figure_has_sheave(figure, pairs->name[i]);
        HAW_TRY(shown ? write_table(figure, i, pairs->name[i]) : HAW_OK);
        panels.count += shown ? PANELS : 0;
    }
    *drawn = panels.count > 0;
    if (!*drawn) {
        return HAW_OK;
    }
    HAW_TRY(haw_panels_begin(figure, "sheaves", 200, &panels, &script));
    for (int i = 0; i < pairs->count; i++) {
        if (haw_figure_has_sheave(figure, pairs->name[i])) {
            write_panels(figure, i, pairs->name[i], &panels, &script);
        }
    }
    return haw_script_end(&script);
}
