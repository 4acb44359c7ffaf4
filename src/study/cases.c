/* SPDX-License-Identifier: BSD-3-Clause */
/* The folder of a study: names, locks and files of its cases, and the table of all. */
#include "study/cases.h"

#include "io/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- names ---- */

/* FNV-1a, 64 bits; the end of each text counts. */
static uint64_t add_text(uint64_t hash, const char *text)
{
    do {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    } while (*text++ != '\0');
    return hash;
}

/* a/b and what stands behind it, from the arena. */
static const char *path_of(haw_arena *arena, const char *a, const char *b, const char *ending)
{
    const size_t bytes = strlen(a) + strlen(b) + strlen(ending) + 2;
    char *path = haw_arena_allocate(arena, bytes, 1);
    if (path != NULL) {
        (void)snprintf(path, bytes, "%s/%s%s", a, b, ending);
    }
    return path;
}

haw_status haw_cases_open(haw_cases *cases, const char *text, int sets, const char *const *set,
                          const char *mark)
{
    haw_arena *arena = cases->arena;
    const haw_variants *variants = cases->variants;
    uint64_t hash = add_text(UINT64_C(0xcbf29ce484222325), haw_version());
    hash = add_text(add_text(hash, mark), text);
    for (int i = 0; i < sets; i++) {
        hash = add_text(hash, set[i]);
    }
    cases->inner = path_of(arena, cases->folder, "cases", "");
    cases->name = haw_arena_allocate(arena, (size_t)variants->count, sizeof *cases->name);
    HAW_TRY(haw_arena_status(arena));
    for (int i = 0; i < variants->count; i++) {
        uint64_t own = hash;
        for (int k = 0; k < variants->item[i].sets; k++) {
            own = add_text(own, variants->item[i].set[k]);
        }
        (void)snprintf(cases->name[i], HAW_CASE_NAME, "%016" PRIx64, own);
    }
    HAW_TRY(haw_folder_make(arena->context, cases->folder));
    return haw_folder_make(arena->context, cases->inner);
}

/* One byte of a file for each case, and one behind them for tables and figures. The file stays
 * open: the locks of a process end with it, however it ends. */
static bool take(const haw_cases *cases, off_t byte, bool wait)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    const char *path = path_of(cases->arena, cases->inner, "lock", "");
    const int file = path != NULL ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    int result;
    do {
        result = file >= 0 ? fcntl(file, wait ? F_SETLKW : F_SETLK, &lock) : 0;
    } while (result != 0 && errno == EINTR && !haw_context_cancelled(cases->arena->context));
    return result == 0 || (errno != EAGAIN && errno != EACCES && errno != EINTR);
}

bool haw_case_take(const haw_cases *cases, int index, bool wait)
{
    return take(cases, (off_t)(strtoull(cases->name[index], NULL, 16) >> 2), wait);
}

void haw_cases_take_tables(const haw_cases *cases)
{
    (void)take(cases, (off_t)1 << 62, true);
}

haw_status haw_case_write(const haw_cases *cases, int index, const haw_study_run *run)
{
    haw_context *context = cases->arena->context;
    haw_text text;
    HAW_TRY(haw_text_open(context, &text, cases->inner, "%s.csv", cases->name[index]));
    haw_study_put(text.stream, run);
    return haw_text_close(&text, HAW_OK);
}

/* ---- reading ---- */

/* The text of a file, NULL where there is none. */
static char *read_file(haw_arena *arena, const char *path)
{
    struct stat found;
    FILE *stream = path != NULL ? fopen(path, "rb") : NULL;
    char *text = NULL;
    if (stream != NULL && fstat(fileno(stream), &found) == 0) {
        text = haw_arena_allocate(arena, (size_t)found.st_size + 1, 1);
    }
    if (text != NULL) {
        text[fread(text, 1, (size_t)found.st_size, stream)] = '\0';
    }
    if (stream != NULL) {
        (void)fclose(stream);
    }
    return text;
}

/* The next field of a line, without its quotes; *at goes behind it. NULL behind the last. */
static const char *next_field(char **at)
{
    char *from = *at, *to = from;
    const char *field = to;
    if (from == NULL) {
        return NULL;
    }
    for (bool is_quoted = false; *from != '\0' && (is_quoted || strchr(",\n", *from) == NULL);) {
        if (*from == '"' && from[1] == '"' && is_quoted) {
            from++;
        } else if (*from == '"') {
            is_quoted = !is_quoted;
            from++;
            continue;
        }
        *to++ = *from++;
    }
    *at = *from == ',' ? from + 1 : NULL;
    *to = '\0';
    return field;
}

/* Of the first `count` headers, -1: none has the name. Most often it is where it was before. */
static int find_column(const haw_cases *cases, const char *header, int guess)
{
    if (guess < cases->columns && strcmp(cases->header[guess], header) == 0) {
        return guess;
    }
    for (int i = 0; i < cases->columns; i++) {
        if (strcmp(cases->header[i], header) == 0) {
            return i;
        }
    }
    return -1;
}

/* Split the two lines of a case. NULL: they are not whole, as after a loss of power. */
static char *second_line(char *text)
{
    char *end = strchr(text, '\n');
    if (end != NULL) {
        *end = '\0';
    }
    return end != NULL && strchr(end + 1, '\n') != NULL ? end + 1 : NULL;
}

bool haw_case_is_here(const haw_cases *cases, int index)
{
    const haw_arena_mark mark = haw_arena_here(cases->arena);
    char *text =
        read_file(cases->arena, path_of(cases->arena, cases->inner, cases->name[index], ".csv"));
    const bool is_here = text != NULL && second_line(text) != NULL;
    haw_arena_rewind(cases->arena, &mark);
    return is_here;
}

static haw_status add_headers(haw_cases *cases, char *line)
{
    int guess = 0;
    for (const char *header; (header = next_field(&line)) != NULL; guess++) {
        if (find_column(cases, header, guess) >= 0) {
            continue;
        }
        cases->header = haw_arena_extend(cases->arena, cases->header, (size_t)cases->columns,
                                         sizeof *cases->header);
        HAW_TRY(haw_arena_status(cases->arena));
        cases->header[cases->columns++] = header;
    }
    return haw_arena_status(cases->arena);
}

/* Both lines again, now that all columns are known. */
static void add_values(haw_cases *cases, char *headers, char *line, const char **cell)
{
    const char *header, *value;
    for (int guess = 0; (header = next_field(&headers)) != NULL; guess++) {
        value = next_field(&line);
        cell[find_column(cases, header, guess)] = value != NULL ? value : "";
    }
}

/* The two lines of a case, both NULL where it has none; its headers join the others. */
static haw_status read_case(haw_cases *cases, int index, char *line[2])
{
    haw_arena *arena = cases->arena;
    line[0] = read_file(arena, path_of(arena, cases->inner, cases->name[index], ".csv"));
    line[1] = line[0] != NULL ? second_line(line[0]) : NULL;
    char *copy = line[1] != NULL ? haw_arena_string(arena, line[0]) : NULL;
    HAW_TRY(haw_arena_status(arena));
    return add_headers(cases, copy);
}

haw_status haw_cases_collect(haw_cases *cases)
{
    const int count = cases->variants->count;
    char **line = haw_arena_allocate(cases->arena, (size_t)count * 2, sizeof *line);
    cases->columns = 0;
    cases->header = NULL;
    HAW_TRY(add_headers(cases, haw_arena_string(cases->arena, "status")));
    for (int i = 0; i < count; i++) {
        HAW_TRY(read_case(cases, i, line + (ptrdiff_t)2 * i));
    }
    const size_t columns = (size_t)cases->columns;
    cases->cell = haw_arena_allocate(cases->arena, (size_t)count * columns, sizeof *cases->cell);
    HAW_TRY(haw_arena_status(cases->arena));
    for (int i = 0; i < count; i++) {
        const char **cell = cases->cell + (size_t)i * columns;
        for (size_t c = 0; c < columns; c++) {
            cell[c] = c == 0 ? "missing" : "";
        }
        if (line[2 * i + 1] != NULL) {
            add_values(cases, line[2 * i], line[2 * i + 1], cell);
        }
    }
    return HAW_OK;
}

int haw_cases_count(const haw_cases *cases, const char *status)
{
    int count = 0;
    for (int i = 0; i < cases->variants->count; i++) {
        count += strcmp(haw_cases_value(cases, i, "status"), status) == 0;
    }
    return count;
}

const char *haw_cases_value(const haw_cases *cases, int index, const char *header)
{
    const int column = find_column(cases, header, 0);
    return column >= 0 ? cases->cell[(size_t)index * (size_t)cases->columns + (size_t)column] : "";
}

/* ---- tables ---- */

static const char cost[] = "cpu_seconds[s]";

/* The paths that any variant sets, each once, in the order in which they appear. */
typedef struct paths {
    int count;
    const char **path;
} paths;

static haw_status add_path(haw_arena *arena, paths *to, const char *set)
{
    const size_t length = strcspn(set, "=");
    for (int i = 0; i < to->count; i++) {
        if (strncmp(to->path[i], set, length) == 0 && to->path[i][length] == '\0') {
            return HAW_OK;
        }
    }
    char *name = haw_arena_string(arena, set);
    to->path = haw_arena_extend(arena, to->path, (size_t)to->count, sizeof *to->path);
    HAW_TRY(haw_arena_status(arena));
    name[length] = '\0';
    to->path[to->count++] = name;
    return HAW_OK;
}

static haw_status find_paths(const haw_cases *cases, paths *found)
{
    haw_status status = HAW_OK;
    *found = (paths){0};
    for (int i = 0; i < cases->variants->count; i++) {
        const haw_variant *variant = &cases->variants->item[i];
        for (int k = 0; k < variant->sets && status == HAW_OK; k++) {
            status = add_path(cases->arena, found, variant->set[k]);
        }
    }
    return status;
}

static void put_field(FILE *stream, const char *text)
{
    (void)fputc(',', stream);
    haw_csv_text(stream, text != NULL ? text : "");
}

static void put_path(FILE *stream, const char *path)
{
    const char *unit = haw_variant_unit(path);
    char header[HAW_HEADER_MAX];
    (void)snprintf(header, sizeof header, "%s%s%s%s", path, unit[0] != '\0' ? "[" : "", unit,
                   unit[0] != '\0' ? "]" : "");
    put_field(stream, header);
}

/* What a case cost differs from run to run; all else in this table does not. */
static void put_row(const haw_cases *cases, int index, const char *const *cell, FILE *stream)
{
    for (int c = 0; c < cases->columns; c++) {
        if (strcmp(cases->header[c], cost) != 0) {
            put_field(stream, cell[c]);
        }
    }
    put_field(stream, index < 0 ? "file" : cases->name[index]);
    (void)fputc('\n', stream);
}

haw_status haw_cases_tables(const haw_cases *cases)
{
    haw_context *context = cases->arena->context;
    haw_text text;
    paths all;
    HAW_TRY(find_paths(cases, &all));
    HAW_TRY(haw_text_open(context, &text, cases->folder, "study.csv"));
    (void)fputs("case,variant", text.stream);
    for (int p = 0; p < all.count; p++) {
        put_path(text.stream, all.path[p]);
    }
    put_row(cases, -1, cases->header, text.stream);
    for (int i = 0; i < cases->variants->count; i++) {
        (void)fprintf(text.stream, "%d", i);
        put_field(text.stream, cases->variants->item[i].name);
        for (int p = 0; p < all.count; p++) {
            put_field(text.stream, haw_variant_value(&cases->variants->item[i], all.path[p]));
        }
        put_row(cases, i, cases->cell + (size_t)i * (size_t)cases->columns, text.stream);
    }
    HAW_TRY(haw_text_close(&text, HAW_OK));
    HAW_TRY(haw_text_open(context, &text, cases->folder, "times.csv"));
    (void)fprintf(text.stream, "case,%s\n", cost);
    for (int i = 0; i < cases->variants->count; i++) {
        (void)fprintf(text.stream, "%d,%s\n", i, haw_cases_value(cases, i, cost));
    }
    return haw_text_close(&text, HAW_OK);
}
