/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser plot: all figures of a results file. */
#include "report/figure.h"

enum { FIGURES = 6, TABLES = 4 };

/* Figures with the tables that only they use; tables of profiles are numbered instead. */
static const struct {
    const char *name;
    haw_status (*write)(haw_figure *figure, bool *drawn);
    const char *tables[4][TABLES]; /* by dimension */
} figures[FIGURES] = {
    {"snapshots",
     haw_figure_snapshots,
     {[2] = {"snapshots", "supports", "outlines", "surfaces"}, [3] = {"snapshots", "outlines"}}},
    {"histories", haw_figure_histories, {[2] = {"histories"}, [3] = {"histories"}}},
    {"probes", haw_figure_probes, {[2] = {"probes"}, [3] = {"probes"}}},
    {"energy", haw_figure_energy, {[2] = {"energy"}, [3] = {"energy"}}},
    {"tension", haw_figure_tension},
    {"sheaves", haw_figure_sheaves},
};

static haw_status report_tables(const haw_figure *figure, const bool *drawn)
{
    const haw_names *cables = &figure->results->names[HAW_RESULTS_CABLES];
    const haw_names *pairs = &figure->results->names[HAW_RESULTS_CONTACTS];
    for (int i = 0; i < FIGURES * TABLES; i++) {
        const int k = i / TABLES;
        const char *table = figures[k].tables[figure->results->dimension][i % TABLES];
        HAW_TRY(drawn[k] && table != NULL ? haw_figure_written(figure, "%s.csv", table) : HAW_OK);
    }
    for (int i = 0; i < cables->count; i++) {
        HAW_TRY(haw_figure_written(figure, "tension-%d.csv", i + 1));
    }
    for (int i = 0; i < pairs->count; i++) {
        const bool has = haw_results_has(figure->results, "/hawser/sheaves/%s", pairs->name[i]);
        HAW_TRY(has ? haw_figure_written(figure, "sheaves-%d.csv", i + 1) : HAW_OK);
    }
    return HAW_OK;
}

static haw_status draw(haw_figure *figure)
{
    bool drawn[FIGURES];
    const char *name[FIGURES];
    int count = 0;
    HAW_TRY(haw_figure_init(figure));
    if (figure->t.rows == 0) {
        return haw_fail(figure->context, HAW_ERR_IO, "cannot draw '%s': it contains no frames",
                        figure->results->file);
    }
    HAW_TRY(haw_folder_make(figure->context, figure->folder));
    HAW_TRY(haw_csv_histories(figure->results, figure->folder));
    HAW_TRY(haw_csv_energy(figure->results, figure->folder));
    HAW_TRY(haw_csv_probes(figure->results, figure->folder));
    for (int i = 0; i < FIGURES; i++) {
        HAW_TRY(figures[i].write(figure, &drawn[i]));
        if (drawn[i]) {
            name[count++] = figures[i].name;
        }
    }
    HAW_TRY(haw_results_without(figure->results, "/hawser")); /* or something is left out */
    HAW_TRY(haw_figure_draw(figure, count, name));
    return report_tables(figure, drawn);
}

haw_status haw_report_plot(haw_context *context, const char *results, const char *folder,
                           const haw_style *style, haw_report_written written, void *user)
{
    haw_figure figure = {.context = context,
                         .folder = folder,
                         .style = style,
                         .at = style != NULL ? style->at : NULL,
                         .written = written,
                         .user = user};
    HAW_TRY(haw_results_open(context, results, &figure.results));
    return haw_results_end(figure.results, draw(&figure));
}
