/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser plot: all figures of a results file. */
#include "report/figure.h"
#include "report/report.h"

typedef struct row {
    const char *name;
    haw_status (*write)(haw_figure *figure, bool *drawn);
    const char *const *tables; /* ends with NULL */
} row;

enum { ROWS = 5 };

static const row plane_rows[ROWS] = {
    {"snapshots", haw_figure_snapshots,
     (const char *const[]){"snapshots", "supports", "outlines", "surfaces", NULL}},
    {"histories", haw_figure_histories, (const char *const[]){"histories", NULL}},
    {"energy", haw_figure_energy, (const char *const[]){"energy", NULL}},
    {"tension", haw_figure_tension, (const char *const[]){NULL}},
    {"sheaves", haw_figure_sheaves, (const char *const[]){NULL}},
};

static const row space_rows[ROWS] = {
    {"snapshots", haw_figure_views, (const char *const[]){"snapshots", "outlines", NULL}},
    {"histories", haw_figure_histories, (const char *const[]){"histories", NULL}},
    {"energy", haw_figure_energy, (const char *const[]){"energy", NULL}},
    {"tension", haw_figure_tension, (const char *const[]){NULL}},
    {"sheaves", haw_figure_sheaves, (const char *const[]){NULL}},
};

static const row *rows_of(const haw_figure *figure)
{
    static const row *const of_dimension[] = {[2] = plane_rows, [3] = space_rows};
    return of_dimension[haw_results_dimension(figure->results)];
}

/* Who is told of the files. */
typedef struct listener {
    haw_report_written written;
    void *user;
} listener;

static haw_status tell(const haw_figure *figure, const char *name, const char *suffix,
                       const listener *to)
{
    char *path = NULL;
    HAW_TRY(haw_file_path(figure->context, figure->folder, name, suffix, &path));
    if (to->written != NULL) {
        to->written(to->user, path);
    }
    haw_release(figure->context, path);
    return HAW_OK;
}

static haw_status tell_drawn(const haw_figure *figure, const bool *drawn, const char *suffix,
                             const listener *to)
{
    const row *rows = rows_of(figure);
    for (int i = 0; i < ROWS; i++) {
        HAW_TRY(drawn[i] ? tell(figure, rows[i].name, suffix, to) : HAW_OK);
    }
    return HAW_OK;
}

static haw_status tell_tables(const haw_figure *figure, const row *r, const listener *to)
{
    for (int j = 0; r->tables[j] != NULL; j++) {
        HAW_TRY(tell(figure, r->tables[j], ".csv", to));
    }
    return HAW_OK;
}

/* Pictures first, then what they were made from. */
static haw_status tell_all(const haw_figure *figure, const bool *drawn, const listener *to)
{
    const row *rows = rows_of(figure);
    HAW_TRY(tell_drawn(figure, drawn, ".png", to));
    HAW_TRY(tell_drawn(figure, drawn, ".svg", to));
    HAW_TRY(tell_drawn(figure, drawn, ".gp", to));
    for (int i = 0; i < ROWS; i++) {
        HAW_TRY(drawn[i] ? tell_tables(figure, &rows[i], to) : HAW_OK);
    }
    const haw_names *cables = haw_results_names(figure->results, HAW_RESULTS_CABLES);
    for (int i = 0; i < cables->count; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "tension-%d", i + 1);
        HAW_TRY(tell(figure, name, ".csv", to));
    }
    const haw_names *pairs = haw_results_names(figure->results, HAW_RESULTS_CONTACTS);
    for (int i = 0; i < pairs->count && drawn[ROWS - 1]; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "sheaves-%d", i + 1);
        HAW_TRY(haw_figure_has_sheave(figure, pairs->name[i]) ? tell(figure, name, ".csv", to)
                                                              : HAW_OK);
    }
    return HAW_OK;
}

static haw_status draw(haw_figure *figure, const listener *to)
{
    const row *rows = rows_of(figure);
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
    return tell_all(figure, drawn, to);
}

haw_status haw_report_plot(haw_context *context, const char *results, const char *folder,
                           const haw_instants *at, haw_report_written written, void *user)
{
    haw_figure figure = {.context = context, .folder = folder, .at = at};
    HAW_TRY(haw_results_open(context, results, &figure.results));
    const haw_status status = draw(&figure, &(listener){written, user});
    haw_release(context, figure.contact);
    haw_results_close(figure.results);
    return status;
}
