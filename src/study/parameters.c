/* SPDX-License-Identifier: BSD-3-Clause */
/* Probes over the parameters of a study: a figure for each parameter, a panel for each probe, a
 * curve for each choice of the other parameters. */
#include "report/figure.h"
#include "study/cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PANELS_MAX = 24, PANEL_HEIGHT = 120, CURVES_NAMED = 6, LETTERS_MAX = 40 };

/* What one figure shows. */
typedef struct sweep {
    const haw_cases *cases;
    const char *name; /* of the figure and its data */
    int axis;         /* of the variants */
    const char *path; /* of the parameter; NULL: the choices of the axis, one by one */
    int curves;
    int probes;
    int probe[PANELS_MAX]; /* columns; the least and the largest value stand behind each */
} sweep;

static const char *const words[] = {"at the end", "least", "largest"};

/* ---- data ---- */

/* Number of the curve of a case: its choices of all other axes. */
static int curve_of(const sweep *s, const haw_variant *variant)
{
    int curve = 0;
    for (int a = 0; a < s->cases->variants->axes; a++) {
        const int choices = s->cases->variants->axis[a].choices;
        curve = a == s->axis ? curve : curve * choices + variant->pick[a];
    }
    return curve;
}

/* Place of a case on the abscissa. */
static double place_of(const sweep *s, const haw_variant *variant)
{
    const char *text = s->path != NULL ? haw_variant_value(variant, s->path) : NULL;
    return text != NULL ? strtod(text, NULL) : variant->pick[s->axis] + 1.0;
}

/* The cases of a curve that ran to their ends, by their places. @return their number */
static int gather(const sweep *s, int curve, int *index)
{
    const haw_variants *variants = s->cases->variants;
    int count = 0;
    for (int i = 0; i < variants->count; i++) {
        if (curve_of(s, &variants->item[i]) != curve ||
            strcmp(haw_cases_value(s->cases, i, "status"), "done") != 0) {
            continue;
        }
        int at = count++;
        const double place = place_of(s, &variants->item[i]);
        for (; at > 0 && place_of(s, &variants->item[index[at - 1]]) > place; at--) {
            index[at] = index[at - 1];
        }
        index[at] = i;
    }
    return count;
}

/* One block of rows for each curve, none of them empty: gnuplot would not count it. */
static haw_status write_data(const sweep *s)
{
    haw_arena *arena = s->cases->arena;
    const haw_arena_mark mark = haw_arena_here(arena);
    int *index = haw_arena_allocate(arena, (size_t)s->cases->variants->count, sizeof *index);
    haw_text text;
    HAW_TRY(haw_arena_status(arena));
    HAW_TRY(haw_text_open(arena->context, &text, s->cases->folder, "%s-curves.csv", s->name));
    haw_csv_text(text.stream, s->path != NULL ? s->path : "variant");
    for (int p = 0; p < 3 * s->probes; p++) {
        (void)fputc(',', text.stream);
        haw_csv_text(text.stream, s->cases->header[s->probe[p / 3] + p % 3]);
    }
    for (int curve = 0; curve < s->curves; curve++) {
        const int count = gather(s, curve, index);
        (void)fputs(curve > 0 ? "\n\n" : "", text.stream);
        for (int i = 0; i < count; i++) {
            const char *const *cell = s->cases->cell + (size_t)index[i] * (size_t)s->cases->columns;
            (void)fprintf(text.stream, "\n%.17g", place_of(s, &s->cases->variants->item[index[i]]));
            for (int p = 0; p < 3 * s->probes; p++) {
                (void)fprintf(text.stream, ",%s", cell[s->probe[p / 3] + p % 3]);
            }
        }
        (void)fputs(count == 0 ? "\nnan" : "", text.stream);
    }
    (void)fputc('\n', text.stream);
    haw_arena_rewind(arena, &mark);
    return haw_text_close(&text, HAW_OK);
}

/* Whether a column is a probe at the end: its least value comes next, as "name_min[unit]". */
static bool is_probe(const haw_cases *cases, int column)
{
    const char *header = cases->header[column];
    const size_t length = strcspn(header, "[");
    if (column + 2 >= cases->columns) {
        return false;
    }
    const char *next = cases->header[column + 1];
    return strncmp(next, header, length) == 0 && strncmp(next + length, "_min", 4) == 0 &&
           strcmp(next + length + 4, header + length) == 0;
}

/* ---- the figure ---- */

/* The choices of the other axes, "law=hard, step=0.1", or "" where there are none. */
static void name_curve(const sweep *s, int curve, char text[LETTERS_MAX])
{
    const haw_variants *variants = s->cases->variants;
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < variants->count; i++) {
        const haw_variant *variant = &variants->item[i];
        if (curve_of(s, variant) != curve) {
            continue;
        }
        for (int a = 0; a < variants->axes && used < LETTERS_MAX; a++) {
            if (a != s->axis) {
                used +=
                    (size_t)snprintf(text + used, LETTERS_MAX - used, "%s%s", used > 0 ? ", " : "",
                                     variants->axis[a].name[variant->pick[a]]);
            }
        }
        return;
    }
}

static int legend_width(const sweep *s)
{
    char text[LETTERS_MAX];
    size_t letters = 8;
    for (int curve = 0; curve < s->curves && s->curves > 1; curve++) {
        name_curve(s, curve, text);
        letters = strlen(text) > letters ? strlen(text) : letters;
    }
    return haw_figure_legend(letters);
}

/* One column of a curve; the least values are dashed. */
static void put_curve(haw_figure *figure, const sweep *s, int curve, int column, bool is_first,
                      haw_text *script)
{
    const haw_variant_axis *axis = &s->cases->variants->axis[s->axis];
    const int part = (column - 2) % 3;
    char color[8], title[LETTERS_MAX];
    const bool is_named = haw_figure_curve(curve, s->curves, CURVES_NAMED, color);
    name_curve(s, curve, title);
    (void)fprintf(script->stream,
                  "%s'%s-curves.csv' index %d skip %d using 1:%d with %s pointtype %d pointsize %s "
                  "linewidth 1.3 dashtype %d linecolor rgb '%s' ",
                  is_first ? "plot " : ", \\\n ", s->name, curve, curve == 0 ? 1 : 0, column,
                  axis->paths == 1 ? "linespoints" : "points", part == 1 ? 6 : 7,
                  axis->paths == 1 ? "0.4" : "0.8", part == 1 ? 2 : 1, color);
    if (column > 4 || (s->curves > 1 ? part == 1 || !is_named : part == 0)) {
        (void)fputs("notitle", script->stream);
    } else {
        (void)fprintf(script->stream, "title %s",
                      haw_figure_quote(figure, s->curves > 1 ? title : words[part], ""));
    }
}

/* The range of the abscissa, by ratios where the middle of the values stands far from theirs. */
static void put_abscissa(const sweep *s, bool is_last, haw_text *script)
{
    const haw_variants *variants = s->cases->variants;
    const int choices = variants->axis[s->axis].choices;
    haw_interval range = {INFINITY, -INFINITY};
    int below = 0;
    for (int i = 0; i < variants->count; i++) {
        haw_interval_widen(&range, place_of(s, &variants->item[i]));
    }
    for (int i = 0; i < variants->count; i++) {
        below += place_of(s, &variants->item[i]) < 0.7 * range.from + 0.3 * range.to;
    }
    const bool is_log = range.from > 0.0 && choices > 2 && 2 * below >= variants->count;
    const double width = is_log ? pow(range.to / range.from, 0.04) : 0.04 * (range.to - range.from);
    const double from = is_log ? range.from / width : range.from - width;
    const double to = is_log ? range.to * width : range.to + width;
    (void)fprintf(script->stream, "set xrange [%.9g:%.9g]\n", s->path == NULL ? 0.5 : from,
                  s->path == NULL ? choices + 0.5 : to);
    if (is_log) {
        (void)fputs("set logscale x\n", script->stream);
        haw_study_log_tics(script, 'x', from, to);
    }
    (void)fputs(is_last ? "" : "set format x ''\n", script->stream);
}

/* Names in place of numbers, below the last panel. */
static void put_names(haw_figure *figure, const sweep *s, haw_text *script)
{
    const haw_variant_axis *axis = &s->cases->variants->axis[s->axis];
    (void)fputs("set xtics (", script->stream);
    for (int i = 0; i < axis->choices; i++) {
        (void)fprintf(script->stream, "%s%s %d", i > 0 ? ", " : "",
                      haw_figure_quote(figure, axis->name[i], ""), i + 1);
    }
    (void)fputs(")\n", script->stream);
}

static void put_panel(haw_figure *figure, const sweep *s, int p, bool of_run, haw_text *script)
{
    const int from = of_run ? 1 : 0, to = of_run ? 2 : 0;
    const char *header = s->cases->header[s->probe[p]];
    char probe[HAW_HEADER_MAX];
    haw_interval range = {INFINITY, -INFINITY};
    (void)snprintf(probe, sizeof probe, "%.*s", (int)strcspn(header, "["), header);
    haw_panels_caption(figure, script, probe, of_run ? "over the run" : words[0]);
    for (int i = 0; i < s->cases->variants->count; i++) {
        for (int part = from; part <= to; part++) {
            const char *text = s->cases->cell[(size_t)i * (size_t)s->cases->columns +
                                              (size_t)s->probe[p] + (size_t)part];
            haw_interval_widen(&range, text[0] != '\0' ? strtod(text, NULL) : (double)NAN);
        }
    }
    haw_script_range(script, range);
    for (int curve = 0; curve < s->curves; curve++) {
        for (int part = to; part >= from; part--) {
            put_curve(figure, s, curve, 3 * p + 2 + part, curve == 0 && part == to, script);
        }
    }
    (void)fputc('\n', script->stream);
}

/* The probes at the end, or their largest and least values. */
static haw_status draw(haw_figure *figure, const sweep *s, const char *name, bool of_run)
{
    haw_panels panels = {.count = s->probes, .gap = 26, .right = legend_width(s)};
    const char *unit = s->path != NULL ? haw_variant_unit(s->path) : "";
    char axis[sizeof figure->phrase], symbol[64];
    haw_text script;
    (void)snprintf(symbol, sizeof symbol, unit[0] != '\0' ? "[%.40s]" : "%.40s", unit);
    (void)snprintf(axis, sizeof axis, "%s",
                   haw_figure_quote(figure, s->path != NULL ? s->path : "", symbol) + 1);
    axis[strlen(axis) - 1] = '\0'; /* the panel quotes it */
    HAW_TRY(haw_panels_begin(figure, name, PANEL_HEIGHT, &panels, &script));
    for (int p = 0; p < s->probes; p++) {
        const char *header = s->cases->header[s->probe[p]];
        haw_panels_next(&panels, header + strcspn(header, "["), axis, &script);
        put_abscissa(s, p == s->probes - 1, &script);
        if (s->path == NULL && p == s->probes - 1) {
            put_names(figure, s, &script);
        }
        put_panel(figure, s, p, of_run, &script);
    }
    return haw_script_end(&script);
}

/* ---- all ---- */

enum { FIGURES_MAX = 32 };

/* Whether the values at a path are numbers, and not all the same. */
static bool is_numeric(const haw_variants *variants, const char *path)
{
    const char *first = haw_variant_value(&variants->item[0], path);
    bool differ = false;
    for (int i = 0; i < variants->count; i++) {
        const char *text = haw_variant_value(&variants->item[i], path);
        char *end = NULL;
        const double value = text != NULL ? strtod(text, &end) : (double)NAN;
        if (text == NULL || end == text || *end != '\0' || !isfinite(value)) {
            return false;
        }
        differ = differ || strcmp(text, first) != 0;
    }
    return differ;
}

/* The figure of one side of the hypercube, or of an axis by its values or by its names. */
static sweep make_sweep(const haw_cases *cases, int axis, int side)
{
    const haw_variant_axis *a = &cases->variants->axis[axis];
    const char *path = side < a->paths ? a->path[side] : NULL;
    sweep s = {.cases = cases,
               .axis = axis,
               .path = path != NULL && is_numeric(cases->variants, path) ? path : NULL,
               .curves = cases->variants->count / a->choices};
    for (int c = 0; c < cases->columns && s.probes < PANELS_MAX; c++) {
        if (is_probe(cases, c)) {
            s.probe[s.probes++] = c;
        }
    }
    return s;
}

/* The figures of a study as they are drawn. */
typedef struct gallery {
    haw_figure figure;
    int count;
    char stem[FIGURES_MAX][24];
    const char *name[FIGURES_MAX];
} gallery;

/* Two pictures: values at the end, and those over the run. */
static haw_status add_sweep(gallery *g, sweep s)
{
    char number[12] = "";
    const int first = g->count;
    if (first > 0) {
        (void)snprintf(number, sizeof number, "-%d", first / 2 + 1);
    }
    s.name = g->stem[first];
    for (int k = 0; k < 2; k++) {
        g->name[first + k] = g->stem[first + k];
        (void)snprintf(g->stem[first + k], sizeof g->stem[0], "study%s%s", number,
                       k == 0 ? "" : "-range");
    }
    g->count += 2;
    HAW_TRY(write_data(&s));
    HAW_TRY(draw(&g->figure, &s, g->name[first], false));
    return draw(&g->figure, &s, g->name[first + 1], true);
}

haw_status haw_cases_figures(const haw_cases *cases, haw_report_written written, void *user)
{
    gallery all = {.figure = {.context = cases->arena->context,
                              .folder = cases->folder,
                              .written = written,
                              .user = user}};
    haw_status status = HAW_OK;
    for (int a = 0; a < cases->variants->axes && haw_cases_count(cases, "done") > 0; a++) {
        const haw_variant_axis *axis = &cases->variants->axis[a];
        for (int side = 0; status == HAW_OK && (side == 0 || side < axis->paths); side++) {
            const sweep s = make_sweep(cases, a, side);
            const bool is_empty = axis->choices < 2 || s.probes == 0 || all.count == FIGURES_MAX;
            status = is_empty ? HAW_OK : add_sweep(&all, s);
        }
    }
    HAW_TRY(status);
    HAW_TRY(haw_figure_draw(&all.figure, all.count, all.name));
    HAW_TRY(haw_figure_written(&all.figure, "study.csv"));
    return haw_figure_written(&all.figure, "times.csv");
}
