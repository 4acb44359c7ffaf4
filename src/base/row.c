/* SPDX-License-Identifier: BSD-3-Clause */
/* Names: rows of tables and lists of words, found, joined, and suggested for a misspelt one. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 256, WORD_MAX = 63, SUGGESTION_DISTANCE = 3 };

/* ---- words: lists that end with NULL; a list may be NULL ---- */

int haw_words_count(const char *const *words)
{
    int count = 0;
    while (words != NULL && words[count] != NULL) {
        count++;
    }
    return count;
}

int haw_words_find(const char *const *words, const char *word)
{
    const int count = haw_words_count(words);
    for (int i = 0; i < count; i++) {
        if (strcmp(words[i], word) == 0) {
            return i;
        }
    }
    return -1;
}

void haw_words_join(const char *const *words, size_t size, char *text)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; words != NULL && words[i] != NULL && used < size; i++) {
        const int more = snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", words[i]);
        used += more > 0 ? (size_t)more : 0;
    }
}

/* ---- names of structs ---- */

const char *const *haw_names_at(haw_name_list list, int i)
{
    const unsigned char *first = list.first;
    return (const void *)(first + (size_t)i * list.stride + list.offset);
}

int haw_names_find(haw_name_list list, const char *name)
{
    for (int i = 0; i < list.count; i++) {
        const char *own = *haw_names_at(list, i);
        if (own != NULL && strcmp(own, name) == 0) { /* none after an error of a reader */
            return i;
        }
    }
    return -1;
}

/* ---- suggestions ---- */

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/*
 * Edits between two words: insert, delete, replace, swap of neighbours (optimal string alignment,
 * the restricted form of Damerau, Commun. ACM 7 (1964) 171). Three rows of the table are enough.
 */
static int edit_distance(const char *a, const char *b)
{
    const size_t n = strlen(a);
    const size_t m = strlen(b);
    if (n > WORD_MAX || m > WORD_MAX) {
        return WORD_MAX;
    }
    int row[3][WORD_MAX + 1];
    for (size_t j = 0; j <= m; ++j) {
        row[0][j] = (int)j;
    }
    for (size_t i = 1; i <= n; ++i) {
        int *now = row[i % 3];
        const int *last = row[(i + 2) % 3];
        const int *before = row[(i + 1) % 3];
        now[0] = (int)i;
        for (size_t j = 1; j <= m; ++j) {
            const int replace = last[j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0);
            now[j] = smaller(replace, smaller(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                now[j] = smaller(now[j], before[j - 2] + 1);
            }
        }
    }
    return row[n % 3][m];
}

/* Whether a name of several words, joined by _ or -, begins or ends with this one. */
static bool is_part(const char *word, const char *name)
{
    if (name == NULL) {
        return false;
    }
    const size_t n = strlen(word), m = strlen(name);
    return n >= 4 && m > n + 1 &&
           ((strncmp(name, word, n) == 0 && strchr("_-", name[n]) != NULL) ||
            (strcmp(name + m - n, word) == 0 && strchr("_-", name[m - n - 1]) != NULL));
}

const char *haw_nearest(const char *word, int count, const char *const *names)
{
    if (word == NULL) {
        return NULL;
    }
    /* A distance as long as the word would suggest anything for it. */
    int best = smaller(SUGGESTION_DISTANCE + 1, (int)strlen(word));
    const char *nearest = NULL;
    for (int i = 0; i < count; ++i) {
        const int distance = names[i] != NULL ? edit_distance(word, names[i]) : best;
        if (distance < best) {
            best = distance;
            nearest = names[i];
        }
    }
    for (int i = 0; i < count && nearest == NULL; ++i) {
        nearest = is_part(word, names[i]) ? names[i] : NULL;
    }
    return nearest;
}

const char *haw_hint(const char *word, int count, const char *const *names,
                     char hint[HAW_HINT_SIZE])
{
    const char *nearest = haw_nearest(word, count, names);
    hint[0] = '\0';
    if (nearest != NULL) {
        (void)snprintf(hint, HAW_HINT_SIZE, "; did you mean '%.100s'?", nearest);
    }
    return hint;
}

/* ---- rows ---- */

int haw_row_count(const haw_row *const *table)
{
    int count = 0;
    while (table[count] != NULL) {
        count++;
    }
    return count;
}

const haw_row *haw_row_find(const haw_row *const *table, const char *name)
{
    for (int i = 0; name != NULL && table[i] != NULL; i++) {
        if (strcmp(table[i]->name, name) == 0) {
            return table[i];
        }
    }
    return NULL;
}

const char *haw_row_nearest(const haw_row *const *table, const char *name)
{
    const char *best = NULL;
    for (int i = 0; table[i] != NULL; i++) {
        const char *const either[2] = {best, table[i]->name};
        best = haw_nearest(name, 2, either);
    }
    return best;
}

haw_status haw_row_unknown(haw_context *context, const haw_row *const *table, const char *name,
                           const char *format, ...)
{
    char what[TEXT_SIZE], hint[HAW_HINT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const char *const nearest = haw_row_nearest(table, name);
    return haw_fail(context, HAW_ERR_INPUT, "%s '%s'%s", what, name != NULL ? name : "",
                    haw_hint(name, 1, &nearest, hint));
}
