/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comparison with Siconos numerics: usage
 *
 *     compare [--limit S] [--only PATTERN] [FOLDER...]
 *
 * The winding suite, then the FCLIB files of the folders that have at most 5 contacts. Run from
 * the top of the tree; writes build/bench/compare.csv and build/bench/compare.md.
 */
#include "../measure.h"
#include "report.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROWS_MAX = 512 };

typedef struct session {
    haw_context *context;
    report report;
    const char *only; /* part of the names to run, NULL: all */
    row *rows;        /* [ROWS_MAX] */
    int count;
    int set; /* of the table begun last, -1: none */
} session;

static haw_status play_all(session *s, const entry *e, const contestant *list, row *r)
{
    for (const contestant *who = list; who->name != NULL && r->count < CONTESTANTS_MAX; who++) {
        if (contest_set_has(e->set, r->dimension, who)) {
            match *m = &r->matches[r->count++];
            const haw_status status = match_play(s->context, who, &e->contest, s->report.limit, m);

            if (status != HAW_OK) {
                return status;
            }
        }
    }
    return HAW_OK;
}

static haw_status play_entry(session *s, const entry *e)
{
    row *r = &s->rows[s->count];

    *r = (row){.set = e->set,
               .winding = e->winding,
               .dimension = e->problem->dimension,
               .contacts = e->problem->contacts};
    memcpy(r->name, e->contest.name, sizeof r->name);
    haw_status status = play_all(s, e, hawser_contestants, r);

    status = status == HAW_OK ? play_all(s, e, siconos_contestants, r) : status;
    if (status == HAW_OK) {
        if (s->set != (int)e->set) {
            report_head(&s->report, e->set);
            s->set = (int)e->set;
        }
        report_row(&s->report, r);
        s->count++;
    }
    return status;
}

static haw_status play_windings(session *s, int dimension)
{
    haw_status status = HAW_OK;

    for (int i = 0; i < haw_winding_suite_count() && status == HAW_OK; i++) {
        const haw_winding w = haw_winding_suite(i);
        char name[HAW_WINDING_NAME_SIZE];
        entry e;

        haw_winding_name(&w, name);
        if (w.dimension != dimension || (s->only != NULL && strstr(name, s->only) == NULL) ||
            s->count == ROWS_MAX) {
            continue;
        }
        status = entry_wind(s->context, &w, &e);
        status = status == HAW_OK ? play_entry(s, &e) : status;
        entry_free(s->context, &e);
    }
    return status;
}

static int is_fclib(const struct dirent *d)
{
    const size_t length = strlen(d->d_name);

    return length > 5 && strcmp(d->d_name + length - 5, ".hdf5") == 0;
}

static haw_status play_folder(session *s, const char *folder)
{
    struct dirent **files = NULL;
    const int count = scandir(folder, &files, is_fclib, alphasort);
    haw_status status = count < 0 ? HAW_ERR_IO : HAW_OK;

    for (int i = 0; i < count; i++) {
        const char *name = files[i]->d_name;
        entry e = {.problem = NULL};

        if (status == HAW_OK && s->count < ROWS_MAX &&
            (s->only == NULL || strstr(name, s->only) != NULL)) {
            status = entry_read(s->context, folder, name, &e);
        }
        if (status == HAW_OK && e.problem != NULL) {
            status = play_entry(s, &e);
        }
        entry_free(s->context, &e);
        free(files[i]);
    }
    free(files);
    return status;
}

/* The threads of BLAS are counted when it is loaded: set their number, then start again. */
static void use_one_thread(char **argv)
{
    const char *threads = getenv("OPENBLAS_NUM_THREADS");

    if (threads == NULL || strcmp(threads, "1") != 0) {
        (void)setenv("OPENBLAS_NUM_THREADS", "1", 1);
        (void)execv("/proc/self/exe", argv);
        (void)fprintf(stderr, "compare: set OPENBLAS_NUM_THREADS=1\n");
        exit(EXIT_FAILURE);
    }
}

static bool open_report(session *s)
{
    s->report.csv = open_csv("compare.csv", calibrate());
    s->report.text = fopen("build/bench/compare.md", "w");
    s->rows = calloc(ROWS_MAX, sizeof *s->rows);
    if (s->report.csv == NULL || s->report.text == NULL || s->rows == NULL) {
        return false;
    }
    (void)fprintf(s->report.csv,
                  "problem,dimension,contacts,code,configuration,ended,solved,tolerance,attempts,"
                  "iterations,cpu_ms_min,cpu_ms_median,runs,residual_natural,residual_relative,"
                  "best_natural\n");
    return true;
}

static haw_status play(session *s, char *const *folders)
{
    haw_status status = play_windings(s, 3);

    status = status == HAW_OK ? play_windings(s, 2) : status;
    for (int i = 0; status == HAW_OK && folders[i] != NULL; i++) {
        status = play_folder(s, folders[i]);
    }
    if (status == HAW_OK) {
        report_summary(&s->report, s->rows, s->count);
    }
    return status;
}

int main(int argc, char **argv)
{
    session s = {.report.limit = 10, .set = -1};
    int option = 1;

    use_one_thread(argv);
    for (; option + 1 < argc && strncmp(argv[option], "--", 2) == 0; option += 2) {
        if (strcmp(argv[option], "--limit") == 0) {
            s.report.limit = strtod(argv[option + 1], NULL);
        } else if (strcmp(argv[option], "--only") == 0) {
            s.only = argv[option + 1];
        }
    }
    haw_status status = haw_context_create(NULL, &s.context);

    if (status == HAW_OK) {
        status = open_report(&s) ? play(&s, argv + option) : HAW_ERR_IO;
    }
    if (status != HAW_OK) {
        (void)fprintf(stderr, "compare: %s: %s\n", haw_status_text(status),
                      s.context != NULL ? haw_context_message(s.context) : "");
    }
    free(s.rows);
    haw_context_free(s.context);
    return status == HAW_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
