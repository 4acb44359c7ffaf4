/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of a report: its text, the libraries and the data, in one file. */
#include "report/page.h"

#include "io/file.h"
#include "io/json_tree.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of the points of all frames together that are shown; longer runs are thinned out. */
enum { NUMBERS = 12 * 1000 * 1000, PATH_BYTES = 512, WORD = 64 };

typedef struct page {
    haw_context *context;
    const haw_page_spec *spec;
    FILE *stream;
} page;

/* ---- libraries ---- */

static haw_status put_library(const page *p, const char *name)
{
    const char *given = getenv("HAWSER_JAVASCRIPT");
    char path[PATH_BYTES], bytes[4096];
    (void)snprintf(path, sizeof path, "%s/%s", given != NULL ? given : "/usr/share/javascript",
                   name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return haw_fail(p->context, HAW_ERR_IO,
                        "cannot read '%s': %s: the page needs the Debian packages libjs-three and "
                        "libjs-chart.js (or their files below $HAWSER_JAVASCRIPT)",
                        path, strerror(errno));
    }
    (void)fputs("<script>\n", p->stream);
    for (size_t n = fread(bytes, 1, sizeof bytes, file); n > 0;
         n = fread(bytes, 1, sizeof bytes, file)) {
        (void)fwrite(bytes, 1, n, p->stream);
    }
    (void)fputs("\n</script>\n", p->stream);
    const bool is_read = ferror(file) == 0;
    (void)fclose(file);
    return is_read ? HAW_OK : haw_file_fail(p->context, "read", path, EIO);
}

static haw_status put_libraries(const page *p)
{
    static const char *const library[] = {"three/three.min.js",
                                          "three/examples/js/controls/OrbitControls.js",
                                          "chart.js/chart.min.js"};
    for (size_t i = 0; i < sizeof library / sizeof *library; i++) {
        HAW_TRY(put_library(p, library[i]));
    }
    return HAW_OK;
}

/* ---- theories ---- */

/* The next word of a text, across the starts of lines of a comment; "" at the end of what is quoted
 * or in brackets. */
static const char *next_word(const char *at, char word[WORD])
{
    size_t n = 0;
    while (*at == ' ' || *at == '\n' || *at == '#') {
        at++;
    }
    for (; n + 1 < WORD && (isalnum((unsigned char)*at) || (*at != '\0' && strchr("-_.+", *at)));
         at++) {
        word[n++] = *at;
    }
    while (n > 0 && word[n - 1] == '.') { /* of the sentence */
        n--;
    }
    word[n] = '\0';
    return at;
}

static void put_result(haw_json *json, const haw_theory_result *result)
{
    haw_json_open(json, "values", '[');
    for (int i = 0; i < result->count; i++) {
        const haw_quantity *q = &result->quantity[i];
        haw_json_open(json, NULL, '{');
        haw_json_text(json, "key", q->key);
        haw_json_text(json, "unit", q->unit);
        haw_json_text(json, "help", q->help);
        haw_json_array(json, "value", q->count, q->value);
        haw_json_close(json, '}');
    }
    haw_json_close(json, ']');
    haw_json_open(json, "texts", '{');
    for (int i = 0; i < result->texts; i++) {
        haw_json_text(json, result->text[i].key, result->text[i].value);
    }
    haw_json_close(json, '}');
}

/* A theory with the options that stand behind its name; what is no option of it ends them. */
static haw_status put_theory(const page *p, const haw_theory_ops *theory, const char *at,
                             haw_json *json)
{
    double options[64] = {0};
    char word[WORD], value[8][WORD];
    haw_theory_result result = {.count = 0};
    if (theory->row.options_size > sizeof options) {
        return HAW_OK;
    }
    haw_options_init(theory->row.options, options);
    at = next_word(at, word);
    for (int i = 0; i < 8 && strncmp(word, "--", 2) == 0; i++) { /* texts stay where they are */
        at = next_word(at, value[i]);
        if (haw_options_parse(p->context, theory->row.options, options, word + 2, value[i]) !=
            HAW_OK) {
            break;
        }
        at = next_word(at, word);
    }
    const haw_status status = haw_theory_evaluate(p->context, theory, options, &result);
    if (status != HAW_OK) { /* a sentence about it, not a call */
        return status == HAW_ERR_NOMEM ? status : HAW_OK;
    }
    haw_json_open(json, NULL, '{');
    haw_json_text(json, "name", theory->row.name);
    haw_json_text(json, "source", theory->row.source);
    put_result(json, &result);
    haw_json_close(json, '}');
    haw_theory_result_free(p->context, &result);
    return HAW_OK;
}

static haw_status put_theories(const page *p, const char *scenario, haw_json *json)
{
    static const char call[] = "hawser theory ";
    haw_json_open(json, "theories", '[');
    for (const char *at = strstr(scenario, call); at != NULL; at = strstr(at, call)) {
        char name[WORD];
        at = next_word(at + sizeof call - 1, name);
        const haw_row *row = haw_row_find(haw_theories, name);
        HAW_TRY(row != NULL ? put_theory(p, (const haw_theory_ops *)row, at, json) : HAW_OK);
    }
    haw_json_close(json, ']');
    return HAW_OK;
}

/* ---- runs ---- */

/* An array of /VTKHDF, if the file has it. */
static haw_status put_column(haw_results *results, const char *name, int points, int stride,
                             haw_json *json)
{
    char path[PATH_BYTES];
    (void)snprintf(path, sizeof path, "/VTKHDF/%s%s",
                   strcmp(name, "Points") == 0 ? "" : "PointData/", name);
    return haw_results_has(results, "%s", path)
               ? haw_json_put_frames(results, name, path, points, stride, json)
               : HAW_OK;
}

static haw_status put_frames(haw_results *results, haw_json *json)
{
    static const char *const column[] = {
        "Points",        "tension",      "strain", "contact_normal", "contact_tangential",
        "contact_state", "contact_force"};
    int points;
    haw_cells lines;
    HAW_TRY(haw_results_points(results, &points));
    HAW_TRY(haw_results_cells(results, "Lines", points, &lines));
    const double numbers = 10.0 * points * results->frames;
    const int stride = numbers > NUMBERS ? (int)(numbers / NUMBERS) + 1 : 1;
    haw_json_integer(json, "points", points);
    haw_json_integer(json, "stride", stride);
    haw_json_open(json, "lines", '[');
    for (int i = 0; i < lines.count; i++) { /* consecutive points each: first and last */
        const double *offset = lines.offsets.value + i;
        const double ends[2] = {lines.corners.value[(int)offset[0]],
                                lines.corners.value[(int)offset[1] - 1]};
        haw_json_array(json, NULL, 2, ends);
    }
    haw_json_close(json, ']');
    haw_json_open(json, "frames", '{');
    for (size_t i = 0; i < sizeof column / sizeof *column; i++) {
        HAW_TRY(put_column(results, column[i], points, stride, json));
    }
    haw_json_close(json, '}');
    return HAW_OK;
}

static haw_status put_run(const page *p, haw_results *results, const char *file)
{
    const char *base = strrchr(file, '/');
    haw_json json = {.out = p->stream, .first = true, .compact = true};
    char *text = NULL;
    (void)fputs("<script type=\"application/json\" class=\"run\">", p->stream);
    haw_json_open(&json, NULL, '{');
    haw_json_text(&json, "file", base != NULL ? base + 1 : file);
    haw_json_integer(&json, "dimension", results->dimension);
    HAW_TRY(haw_json_put_results(results, "hawser", &json));
    HAW_TRY(put_frames(results, &json));
    HAW_TRY(haw_results_text(results, "/hawser/scenario", &text));
    HAW_TRY(put_theories(p, text, &json));
    haw_json_close(&json, '}');
    (void)fputs("</script>\n", p->stream);
    return HAW_OK;
}

static haw_status put_runs(const page *p)
{
    for (int i = 0; i < p->spec->runs; i++) {
        haw_results *results;
        HAW_TRY(haw_results_open(p->context, p->spec->run[i], &results));
        HAW_TRY(haw_results_end(results, put_run(p, results, p->spec->run[i])));
    }
    return HAW_OK;
}

/* ---- page ---- */

/* The text with libraries and runs in the places of their lines. */
static haw_status put_page(const page *p)
{
    static const struct {
        const char *line;
        haw_status (*put)(const page *p);
    } part[] = {{"<!--libraries-->", put_libraries}, {"<!--runs-->", put_runs}};

    const char *at = p->spec->text;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        const char *mark = strstr(at, part[i].line);
        (void)fwrite(at, 1, (size_t)(mark - at), p->stream);
        HAW_TRY(part[i].put(p));
        at = mark + strlen(part[i].line);
    }
    (void)fputs(at, p->stream);
    return HAW_OK;
}

haw_status haw_page_write(haw_context *context, const haw_page_spec *spec)
{
    haw_draft draft;
    HAW_TRY(haw_draft_open(context, &draft, spec->output));
    page p = {.context = context, .spec = spec, .stream = draft.stream};
    return haw_draft_close(context, &draft, put_page(&p));
}
