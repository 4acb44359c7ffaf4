/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser plot: all figures of a results file. */
#include "report/figure.h"
#include "report/report.h"

typedef struct row {
    const char *name;
    haw_status (*write)(haw_figure *figure, bool *drawn);
    const char *const *tables; /* ends with NULL */
} row;

static const row rows[] = {
    {"snapshots", haw_figure_snapshots,
     (const char *const[]){"snapshots", "supports", "outlines", "surfaces", NULL}},
    {"histories", haw_figure_histories, (const char *const[]){"histories", NULL}},
    {"energy", haw_figure_energy, (const char *const[]){"energy", NULL}},
    {"tension", haw_figure_tension, (const char *const[]){NULL}},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static haw_status tell(const haw_figure *figure, const char *name, const char *suffix,
                       haw_report_written written, void *user)
{
    char *path = NULL;
    HAW_TRY(haw_file_path(figure->context, figure->folder, name, suffix, &path));
    if (written != NULL) {
        written(user, path);
    }
    haw_release(figure->context, path);
    return HAW_OK;
}

/* Pictures first, then what they were made from. */
static haw_status tell_all(const haw_figure *figure, const bool *drawn, haw_report_written written,
                           void *user)
{
    static const char *const suffix[] = {".png", ".svg", ".gp"};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < ROWS; i++) {
            HAW_TRY(drawn[i] ? tell(figure, rows[i].name, suffix[k], written, user) : HAW_OK);
        }
    }
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; drawn[i] && rows[i].tables[j] != NULL; j++) {
            HAW_TRY(tell(figure, rows[i].tables[j], ".csv", written, user));
        }
    }
    const haw_names *cables = haw_results_names(figure->results, HAW_RESULTS_CABLES);
    for (int i = 0; i < cables->count; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "tension-%d", i + 1);
        HAW_TRY(tell(figure, name, ".csv", written, user));
    }
    return HAW_OK;
}

static haw_status draw(haw_figure *figure, haw_report_written written, void *user)
{
    bool drawn[ROWS];
    HAW_TRY(haw_figure_init(figure));
    if (figure->t.rows == 0) {
        return haw_fail(figure->context, HAW_ERR_IO, "there is no frame to draw in the results");
    }
    HAW_TRY(haw_folder_make(figure->context, figure->folder));
    HAW_TRY(haw_csv_histories(figure->results, figure->folder));
    HAW_TRY(haw_csv_energy(figure->results, figure->folder));
    for (int i = 0; i < ROWS; i++) {
        HAW_TRY(rows[i].write(figure, &drawn[i]));
        HAW_TRY(drawn[i] ? haw_gnuplot_run(figure->context, figure->folder, rows[i].name) : HAW_OK);
    }
    return tell_all(figure, drawn, written, user);
}

haw_status haw_report_plot(haw_context *context, const char *results, const char *folder,
                           haw_report_written written, void *user)
{
    haw_figure figure = {.context = context, .folder = folder};
    HAW_TRY(haw_results_open(context, results, &figure.results));
    const haw_status status = draw(&figure, written, user);
    haw_release(context, figure.contact);
    haw_results_close(figure.results);
    return status;
}
