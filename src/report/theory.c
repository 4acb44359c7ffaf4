/* SPDX-License-Identifier: BSD-3-Clause */
/* The profiles of a closed form: a table of columns, one panel for each over the first. */
#include "report/figure.h"

enum { HEIGHT = 170, LABEL = 96 };

static const char *const name = "profile";

/* The first profiles that have one length. */
typedef struct group {
    const haw_quantity *column;
    int columns;
} group;

static group find(const haw_theory_result *result)
{
    group g = {NULL, 0};
    for (int i = 0; i < result->count; i++) {
        const haw_quantity *q = &result->quantity[i];
        if (g.columns == 0 && q->count > 1) {
            g = (group){q, 1};
        } else if (g.columns > 0 && q == g.column + g.columns && q->count == g.column->count) {
            g.columns++;
        }
    }
    return g;
}

static haw_status write_table(const haw_figure *figure, const group *g)
{
    haw_csv_column *column = haw_allocate(figure->context, (size_t)g->columns, sizeof *column);

    if (column == NULL) {
        return HAW_ERR_NOMEM;
    }
    for (int i = 0; i < g->columns; i++) {
        const haw_quantity *q = &g->column[i];

        (void)snprintf(column[i].header, HAW_HEADER_MAX, "%s[%s]", q->key, q->unit);
        column[i].value = q->value;
        column[i].stride = 1;
    }
    const haw_status status =
        haw_csv_table(figure->context, figure->folder, name, g->column->count, g->columns, column);

    haw_release(figure->context, column);
    return status;
}

static const char *label(const haw_quantity *q, char text[LABEL])
{
    const char *unit = q->unit[0] != '\0' ? q->unit : "1";

    (void)snprintf(text, LABEL, "%s  [%s]", q->key, unit);
    for (char *c = text; *c != '\0'; c++) {
        if (*c == '_') { /* a subscript to gnuplot */
            *c = ' ';
        }
    }
    return text;
}

static haw_status write_script(const haw_figure *figure, const group *g)
{
    haw_panels panels = {.count = g->columns - 1, .right = 20};
    haw_text script;
    char axis[LABEL];
    char text[LABEL];

    HAW_TRY(haw_panels_begin(figure, name, HEIGHT, &panels, &script));
    for (int i = 1; i < g->columns; i++) {
        haw_panels_next(&panels, label(&g->column[i], text), label(&g->column[0], axis), &script);
        (void)fprintf(script.stream,
                      "plot 'profile.csv' skip 1 using 1:%d with lines linewidth 1.6 linecolor rgb "
                      "'%s' notitle\n",
                      i + 1, haw_figure_color(i - 1));
    }
    return haw_script_end(&script);
}

haw_status haw_report_theory(haw_context *context, const haw_theory_result *result,
                             const char *folder, haw_report_written written, void *user)
{
    const haw_figure figure = {
        .context = context, .folder = folder, .written = written, .user = user};
    const group g = find(result);

    if (g.columns < 2) {
        return haw_fail(context, HAW_ERR_ARG, "this theory has no profile to draw");
    }
    HAW_TRY(haw_folder_make(context, folder));
    HAW_TRY(write_table(&figure, &g));
    HAW_TRY(write_script(&figure, &g));
    HAW_TRY(haw_figure_draw(&figure, 1, &name));
    return haw_figure_written(&figure, "%s.csv", name);
}
