/* SPDX-License-Identifier: BSD-3-Clause */
/* Tension along the cables at several instants: element means, which is what converges. */
#include "report/figure.h"

/* tension-<cable>.csv: one block per instant. */
static haw_status write_block(haw_figure *figure, const char *cable, const haw_array *xi,
                              double *value, FILE *stream)
{
    for (int i = 0; i < figure->instants; i++) {
        const int frame = figure->instant[i];
        double *label = value + xi->rows;
        HAW_TRY(haw_results_labels(figure->results, cable, frame, xi, label));
        HAW_TRY(
            haw_results_profile(figure->results, cable, "element_tension", frame, xi->rows, value));
        (void)fprintf(stream, "%s# t = %.17g s: xi [m], mean tension of the element [N]\n",
                      i > 0 ? "\n\n" : "", figure->t.value[frame]);
        /* Only where the mean changes: one step per element, drawn in one stroke. */
        for (int j = 0; j < xi->rows; j++) {
            if (j == 0 || j + 1 == xi->rows || value[j] < value[j - 1] || value[j] > value[j - 1]) {
                (void)fprintf(stream, "%.17g,%.17g\n", label[j], value[j]);
            }
        }
    }
    return HAW_OK;
}

static haw_status write_table(haw_figure *figure, int index, const char *cable)
{
    char path[256];
    char name[32];
    haw_array xi;
    haw_text text;
    (void)snprintf(path, sizeof path, "/hawser/cables/%s/xi", cable);
    (void)snprintf(name, sizeof name, "tension-%d", index + 1);
    HAW_TRY(haw_results_array(figure->results, path, &xi));
    double *value = haw_allocate(figure->context, 2 * (size_t)xi.rows + 1, sizeof *value);
    if (value == NULL) {
        return HAW_ERR_NOMEM;
    }
    haw_status status = haw_text_open(figure->context, figure->folder, name, ".csv", &text);
    if (status == HAW_OK) {
        status = write_block(figure, cable, &xi, value, text.stream);
        const haw_status closed = haw_text_close(&text);
        status = status == HAW_OK ? closed : status;
    }
    haw_release(figure->context, value);
    return status;
}

static void write_plot(haw_figure *figure, int index, const char *cable, haw_text *script)
{
    (void)fprintf(script->stream, "set key title %s left\n", haw_figure_quote(figure, cable, ""));
    haw_figure_blocks(figure, "tension", index, "1:2 with steps", script);
}

haw_status haw_figure_tension(haw_figure *figure, bool *drawn)
{
    const haw_names *cables = haw_results_names(figure->results, HAW_RESULTS_CABLES);
    haw_text script;
    *drawn = cables->count > 0;
    if (!*drawn) {
        return HAW_OK;
    }
    for (int i = 0; i < cables->count; i++) {
        HAW_TRY(write_table(figure, i, cables->name[i]));
    }
    haw_panels panels = {.count = cables->count};
    HAW_TRY(haw_panels_begin(figure, "tension", cables->count > 1 ? 200 : 300, &panels, &script));
    for (int i = 0; i < cables->count; i++) {
        haw_panels_next(&panels, "mean tension of the element  [N]",
                        "unstrained arc length  {/:Italic ξ}  [m]", &script);
        write_plot(figure, i, cables->name[i], &script);
    }
    return haw_script_end(&script);
}
