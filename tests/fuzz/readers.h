/* SPDX-License-Identifier: BSD-3-Clause */
/* All that reads a results file, without what draws it. */
#ifndef HAWSER_TESTS_READERS_H
#define HAWSER_TESTS_READERS_H

#include "fuzz/scenes.h"
#include "report/page.h"
#include "report/report.h"

#include <sys/stat.h>

enum { READERS = 5 };

/* Nearly empty files in the place of the libraries of the page, and no gnuplot: what is drawn is no
 * matter here, the tables are. */
static inline void readers_begin(const char *place)
{
    static const char *const folders[] = {"",
                                          "/three",
                                          "/three/examples",
                                          "/three/examples/js",
                                          "/three/examples/js/controls",
                                          "/chart.js"};
    static const char *const files[] = {"/three/three.min.js",
                                        "/three/examples/js/controls/OrbitControls.js",
                                        "/chart.js/chart.min.js"};
    char path[160];
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        (void)snprintf(path, sizeof path, "%s%s", place, folders[i]);
        (void)mkdir(path, 0700);
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        (void)snprintf(path, sizeof path, "%s%s", place, files[i]);
        FILE *stream = fopen(path, "w");
        if (stream == NULL || fputs("{}", stream) < 0 || fclose(stream) != 0) {
            abort();
        }
    }
    (void)setenv("HAWSER_JAVASCRIPT", place, 1);
    (void)setenv("PATH", "/nonexistent", 1);
}

static inline void readers_take_name(void *user, const char *path)
{
    (void)user;
    (void)path;
}

/* @param which  of the readers, from 1; 0: all. @return how many accept the file */
static inline int readers_call(haw_context *context, int which, const char *file,
                               const char *folder)
{
    static const char text[] = "<!--libraries--><!--runs-->";
    const char *const run[] = {file};
    const haw_page_spec page = {.text = text, .runs = 1, .run = run, .output = "/dev/null"};
    int done = 0;
    if (which == 0 || which == 1) {
        done += haw_export_csv(context, file, folder) == HAW_OK;
    }
    if (which == 0 || which == 2) {
        done += haw_export_vtp(context, file, folder) == HAW_OK;
    }
    if (which == 0 || which == 3) { /* there is no gnuplot at the end */
        done +=
            haw_report_plot(context, file, folder, NULL, readers_take_name, NULL) == HAW_ERR_IO &&
            strstr(haw_context_message(context), "gnuplot") != NULL;
    }
    if (which == 0 || which == 4) {
        done += haw_page_write(context, &page) == HAW_OK;
    }
    if (which == 0 || which == READERS) {
        haw_saved *saved = NULL;
        done += haw_saved_read(context, file, &saved) == HAW_OK;
        haw_saved_free(context, saved);
    }
    return done;
}

#endif
