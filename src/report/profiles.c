/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Profiles at several instants: the tension along the cables, by element means, which is what
 * converges; normal and friction force per length and tension of ropes along the arcs of sheaves.
 */
#include "report/figure.h"

#include <math.h>

/* ---- tension along the cables ---- */

/* tension-<cable>.csv: one block per instant. @param length  in out: of the longest cable [m] */
static haw_status write_blocks(const haw_figure *figure, const char *cable, haw_interval *range,
                               double *length, FILE *stream)
{
    static const char *const column[] = {"xi", "element_tension", NULL};
    for (int i = 0; i < figure->instants; i++) {
        const int frame = figure->instant[i];
        haw_array p;
        HAW_TRY(haw_results_profiles(figure->results, cable, column, frame, &p));
        const double *label = p.value, *value = p.value + p.rows;
        (void)fprintf(stream, "%s# t = %.17g s: xi [m], mean tension of the element [N]\n",
                      i > 0 ? "\n\n" : "", figure->t.value[frame]);
        /* Only where the mean changes: one step per element, drawn in one stroke. */
        for (int j = 0; j < p.rows; j++) {
            haw_interval_widen(range, value[j]);
            *length = fmax(*length, label[j]);
            if (j == 0 || j + 1 == p.rows || value[j] < value[j - 1] || value[j] > value[j - 1]) {
                (void)fprintf(stream, "%.17g,%.17g\n", label[j], value[j]);
            }
        }
    }
    return HAW_OK;
}

/* Where the cable carries a contact force at the last instant, grey; parts that stand nearer to
 * each other than a hundredth of its length are one. */
static haw_status shade_zones(const haw_figure *figure, const char *cable, haw_text *script)
{
    static const char *const column[] = {"xi", "contact_normal", NULL};
    haw_array p;
    (void)fputs("unset object\n", script->stream);
    if (!haw_results_has(figure->results, "/VTKHDF/PointData/contact_normal")) {
        return HAW_OK;
    }
    HAW_TRY(haw_results_profiles(figure->results, cable, column,
                                 figure->instant[figure->instants - 1], &p));
    const double *xi = p.value, *force = p.value + p.rows;
    const double near = p.rows > 0 ? 0.01 * (xi[p.rows - 1] - xi[0]) : 0.0;
    for (int j = 0; j < p.rows; j++) {
        int end = j;
        for (int k = j; k < p.rows && force[j] > 0.0 && xi[k] - xi[end] <= near; k++) {
            end = force[k] > 0.0 ? k : end;
        }
        if (end > j) {
            (void)fprintf(script->stream,
                          "set object rectangle from %.9g, graph 0 to %.9g, graph 1 behind "
                          "fillcolor rgb '#eeeeee' fillstyle solid noborder\n",
                          xi[j], xi[end]);
            j = end;
        }
    }
    return HAW_OK;
}

enum { STACKED = 6, MANY_COLUMNS = 4 };

/* The round number next below half of a length: 1, 2 or 5 times a power of ten. */
static double few_tics(double length)
{
    const double half = 0.5 * length, power = pow(10, floor(log10(half)));
    return power * (half >= 5 * power ? 5 : half >= 2 * power ? 2 : 1);
}

haw_status haw_figure_tension(haw_figure *figure, bool *drawn)
{
    const haw_names *cables = &figure->results->names[HAW_RESULTS_CABLES];
    const bool is_many = cables->count > STACKED; /* in columns, on one scale with one legend */
    haw_panels panels = {.count = cables->count};
    haw_interval range = {INFINITY, -INFINITY}; /* of all cables: they are seen side by side */
    double length = 0;
    char label[96], style[64];
    haw_text text;
    *drawn = cables->count > 0;
    if (!*drawn) {
        return HAW_OK;
    }
    for (int i = 0; i < cables->count; i++) {
        HAW_TRY(haw_text_open(figure->context, &text, figure->folder, "tension-%d.csv", i + 1));
        HAW_TRY(haw_text_close(
            &text, write_blocks(figure, cables->name[i], &range, &length, text.stream)));
    }
    const double factor = haw_figure_prefix(
        range, cables->count > 1 ? "mean tension" : "mean tension of the element", "N", label);
    range = (haw_interval){factor * range.from, factor * range.to};
    (void)snprintf(style, sizeof style, "1:(%g*$2) with steps", factor);
    panels.columns = is_many ? MANY_COLUMNS : 1;
    panels.gap = is_many ? 26 : 0;
    HAW_TRY(haw_panels_begin(figure, "tension",
                             is_many             ? 110
                             : cables->count > 1 ? 200
                                                 : 300,
                             &panels, &text));
    if (is_many && length > 0) { /* two or three labels fit */
        (void)fprintf(text.stream, "set xtics %g\n", few_tics(length));
    }
    for (int i = 0; i < cables->count; i++) {
        const char *owner = !is_many ? cables->name[i] : i == 0 ? "" : NULL;
        haw_panels_next(&panels, label,
                        is_many ? "{/:Italic ξ}  [m]" : "unstrained arc length  {/:Italic ξ}  [m]",
                        &text);
        if (haw_script_range(&text, range) && is_many) {
            const double room = 0.08 * (range.to - range.from);
            (void)fprintf(text.stream, "set yrange [%.9g:%.9g]\n", range.from - room,
                          range.to + room);
        }
        if (is_many) {
            haw_panels_caption(figure, &text, cables->name[i], "");
        }
        const haw_status status = shade_zones(figure, cables->name[i], &text);
        if (status != HAW_OK) {
            return haw_text_close(&text, status);
        }
        haw_figure_blocks(figure, "tension", i, owner, style, &text);
    }
    return haw_script_end(&text);
}

/* ---- ropes on sheaves ---- */

enum { COLUMNS = 4, PANELS = 3 };

static const double degrees = 57.29577951308232;

static bool has_sheave(const haw_figure *figure, const char *pair)
{
    return haw_results_has(figure->results, "/hawser/sheaves/%s", pair);
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
static void write_knots(const haw_figure *figure, const haw_array column[COLUMNS], FILE *stream)
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
        if (count == 0) { /* gnuplot counts only blocks with at least one line */
            (void)fputs(empty, stream);
        }
    }
}

static haw_status write_sheave(haw_figure *figure, int index, const char *name)
{
    static const char *const key[COLUMNS] = {"angle", "normal", "tangential", "tension"};
    haw_array column[COLUMNS];
    haw_text text;
    int knots = 0; /* of the first column, and so of all */
    for (int k = 0; k < COLUMNS; k++) {
        HAW_TRY(haw_results_column(figure->results, "sheaves", name, key[k], knots, &column[k]));
        knots = column[k].components;
    }
    HAW_TRY(haw_text_open(figure->context, &text, figure->folder, "sheaves-%d.csv", index + 1));
    write_knots(figure, column, text.stream);
    return haw_text_close(&text, HAW_OK);
}

static haw_status write_panels(haw_figure *figure, int index, haw_panels *panels, haw_text *script)
{
    static const char *const key[PANELS] = {"normal", "tangential", "tension"};
    static const char *const text[PANELS] = {"normal force", "friction", "tension"};
    static const char *const unit[PANELS] = {"N/m", "N/m", "N"};
    const char *name = figure->results->names[HAW_RESULTS_CONTACTS].name[index];
    for (int k = 0; k < PANELS; k++) {
        haw_interval range = {INFINITY, -INFINITY};
        haw_array column;
        char label[96], style[64];
        HAW_TRY(haw_results_column(figure->results, "sheaves", name, key[k], 0, &column));
        for (int i = 0; i < column.rows * column.components; i++) {
            haw_interval_widen(&range, column.value[i]);
        }
        const double factor = haw_figure_prefix(range, text[k], unit[k], label);
        (void)snprintf(style, sizeof style, "1:(%g*$%d) with lines", factor, k + 2);
        haw_panels_next(panels, label, "angle from the tangent point at the start of the rope  [°]",
                        script);
        haw_figure_blocks(figure, "sheaves", index, name, style, script);
    }
    return HAW_OK;
}

haw_status haw_figure_sheaves(haw_figure *figure, bool *drawn)
{
    const haw_names *pairs = &figure->results->names[HAW_RESULTS_CONTACTS];
    haw_text script;
    haw_panels panels = {.count = 0};
    haw_status status = HAW_OK;
    for (int i = 0; i < pairs->count; i++) {
        const bool shown = has_sheave(figure, pairs->name[i]);
        HAW_TRY(shown ? write_sheave(figure, i, pairs->name[i]) : HAW_OK);
        panels.count += shown ? PANELS : 0;
    }
    *drawn = panels.count > 0;
    if (!*drawn) {
        return HAW_OK;
    }
    HAW_TRY(haw_panels_begin(figure, "sheaves", 200, &panels, &script));
    for (int i = 0; i < pairs->count && status == HAW_OK; i++) {
        status =
            has_sheave(figure, pairs->name[i]) ? write_panels(figure, i, &panels, &script) : HAW_OK;
    }
    return status == HAW_OK ? haw_script_end(&script) : haw_text_close(&script, status);
}
