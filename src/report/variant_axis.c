/* SPDX-License-Identifier: BSD-3-Clause */
/* Read one text of variants. */
#include "report/variant_axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 120 }; /* of a text that is refused */

/* ---- words ---- */

static haw_status refuse(haw_arena *arena, const char *text, const char *why)
{
    return haw_fail(arena->context, HAW_ERR_INPUT, "'%.*s': %s", SHOWN, text, why);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Where a value may begin, so that a quote there opens one: an apostrophe in a word does not. */
static bool opens_quote(const char *text, const char *at)
{
    return (*at == '\'' || *at == '"') && (at == text || strchr("=[,{: \t\n", at[-1]) != NULL);
}

/*
 * The first character of `stops` outside quotes and brackets, or the end of the text; NULL where
 * a quote or a bracket is not closed.
 */
static const char *find(const char *text, const char *stops)
{
    int depth = 0;
    for (const char *at = text; *at != '\0'; at++) {
        if (opens_quote(text, at)) {
            at = strchr(at + 1, *at);
            if (at == NULL) {
                return NULL;
            }
            continue;
        }
        if (depth == 0 && strchr(stops, *at) != NULL) {
            return at;
        }
        depth += (*at == '[' || *at == '{') - (*at == ']' || *at == '}');
        if (depth < 0) {
            return NULL;
        }
    }
    return depth == 0 ? text + strlen(text) : NULL;
}

/* Copy without the blanks around it. */
static char *copy(haw_arena *arena, const char *from, const char *to)
{
    while (from < to && is_blank(*from)) {
        from++;
    }
    while (to > from && is_blank(to[-1])) {
        to--;
    }
    char *text = haw_arena_allocate(arena, (size_t)(to - from) + 1, 1);
    if (text != NULL) {
        memcpy(text, from, (size_t)(to - from));
    }
    return text;
}

/* "a" + between + "b" */
char *haw_axis_join(haw_arena *arena, const char *a, const char *between, const char *b)
{
    const size_t bytes = strlen(a) + strlen(between) + strlen(b) + 1;
    char *text = haw_arena_allocate(arena, bytes, 1);
    if (text != NULL) {
        (void)snprintf(text, bytes, "%s%s%s", a, between, b);
    }
    return text;
}

static double number(const char *text)
{
    char *end = NULL;
    const double value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(value) ? value : (double)NAN;
}

/* How many parts `stops` separate, an upper bound for the room of lists. */
static size_t count_parts(const char *text, const char *stops)
{
    size_t count = 1;
    for (const char *at = text; *at != '\0'; at++) {
        count += strchr(stops, *at) != NULL;
    }
    return count;
}

/* ---- one text ---- */

static haw_status add_set(haw_arena *arena, const char *text, haw_choice *to, char *set)
{
    if (set == NULL) {
        return HAW_ERR_NOMEM;
    }
    const char *equals = strchr(set, '=');
    if (equals == NULL || equals == set || equals[1] == '\0') {
        return haw_fail(arena->context, HAW_ERR_INPUT,
                        "'%.*s': '%.*s' is no assignment; write path=value, blanks between them",
                        SHOWN, text, SHOWN, set);
    }
    to->set[to->sets++] = set;
    return HAW_OK;
}

/* path=value path=value ... */
static haw_status read_sets(haw_arena *arena, const char *text, const char *part, haw_choice *to)
{
    to->set = haw_arena_allocate(arena, count_parts(part, " \t\n"), sizeof *to->set);
    if (to->set == NULL) {
        return HAW_ERR_NOMEM;
    }
    for (const char *from = part; *from != '\0';) {
        if (is_blank(*from)) {
            from++;
            continue;
        }
        const char *end = find(from, " \t\n\r");
        if (end == NULL) {
            return refuse(arena, text, "a quote or a bracket is not closed");
        }
        HAW_TRY(add_set(arena, text, to, copy(arena, from, end)));
        from = end;
    }
    return HAW_OK;
}

/* name: path=value ... */
static haw_status read_named(haw_arena *arena, const char *text, const char *part, haw_choice *to)
{
    const char *colon = strchr(part, ':'), *equals = strchr(part, '=');
    if (colon == NULL || (equals != NULL && equals < colon)) {
        return haw_fail(arena->context, HAW_ERR_INPUT,
                        "'%.*s': '%.*s' has no name; write name: path=value path=value; name: ...",
                        SHOWN, text, SHOWN, part);
    }
    to->value = (double)NAN;
    to->name = copy(arena, part, colon);
    if (to->name == NULL) {
        return HAW_ERR_NOMEM;
    }
    if (to->name[0] == '\0') {
        return refuse(arena, text, "a variant has no name before its colon");
    }
    return read_sets(arena, text, colon + 1, to);
}

static haw_status read_names(haw_arena *arena, haw_axis *a)
{
    for (const char *from = a->text; *from != '\0';) {
        const char *end = find(from, ";");
        if (end == NULL) {
            return refuse(arena, a->text, "a quote or a bracket is not closed");
        }
        const char *part = copy(arena, from, end);
        if (part == NULL) {
            return HAW_ERR_NOMEM;
        }
        from = end + (*end == ';' ? 1 : 0);
        if (part[0] == '\0') {
            continue;
        }
        HAW_TRY(read_named(arena, a->text, part, &a->choice[a->choices++]));
    }
    return HAW_OK;
}

/* A list of values within a text. */
typedef struct list {
    const char *path;
    int number; /* 0: the first, which gives the names; the others follow it */
    int values;
} list;

static haw_status add_value(haw_arena *arena, haw_axis *a, list *l, const char *value)
{
    if (l->number > 0 && l->values == a->choices) {
        l->values++; /* one too many is told with the rest */
        return HAW_OK;
    }
    haw_choice *to = &a->choice[l->values++];
    if (l->number == 0) {
        const char *dot = strrchr(l->path, '.');
        to->name = haw_axis_join(arena, dot != NULL ? dot + 1 : l->path, "=", value);
        to->set = haw_arena_allocate(arena, count_parts(a->text, "="), sizeof *to->set);
        to->value = number(value);
        a->choices++;
    }
    if (to->set == NULL || to->name == NULL) {
        return HAW_ERR_NOMEM;
    }
    to->set[to->sets] = haw_axis_join(arena, l->path, "=", value);
    return to->set[to->sets++] != NULL ? HAW_OK : HAW_ERR_NOMEM;
}

/* value,value,... */
static haw_status read_list(haw_arena *arena, haw_axis *a, list *l, const char *values)
{
    for (const char *from = values;;) {
        const char *end = find(from, ",");
        if (end == NULL) {
            return refuse(arena, a->text, "a quote or a bracket is not closed");
        }
        const char *value = copy(arena, from, end);
        if (value == NULL) {
            return HAW_ERR_NOMEM;
        }
        if (value[0] == '\0') {
            return refuse(arena, a->text, "a value is missing between its commas");
        }
        HAW_TRY(add_value(arena, a, l, value));
        if (*end == '\0') {
            break;
        }
        from = end + 1;
    }
    return l->values == a->choices ? HAW_OK
                                   : refuse(arena, a->text, "its lists differ in their lengths");
}

/* A list ends at a blank that no comma stands beside; NULL as find. */
static const char *end_of_list(const char *from)
{
    for (const char *end = from;;) {
        end = find(end, " \t\n\r");
        if (end == NULL || *end == '\0') {
            return end;
        }
        const char *next = end;
        while (is_blank(*next)) {
            next++;
        }
        if (end > from && end[-1] != ',' && *next != ',') {
            return end;
        }
        end = next;
    }
}

/* path=value,value,... path=value,value,...: lists that go together */
static haw_status read_values(haw_arena *arena, haw_axis *a)
{
    int lists = 0;
    for (const char *from = a->text; *from != '\0';) {
        if (is_blank(*from)) {
            from++;
            continue;
        }
        const char *end = end_of_list(from);
        if (end == NULL) {
            return refuse(arena, a->text, "a quote or a bracket is not closed");
        }
        const char *word = copy(arena, from, end), *equals = NULL;
        if (word == NULL) {
            return HAW_ERR_NOMEM;
        }
        equals = strchr(word, '=');
        if (equals == NULL || equals == word || strcspn(word, ";, \t") < (size_t)(equals - word)) {
            return refuse(arena, a->text, "a list of values has the form path=value,value,...");
        }
        list l = {.path = copy(arena, word, equals), .number = lists++};
        if (l.path == NULL) {
            return HAW_ERR_NOMEM;
        }
        a->path = l.number == 0 ? l.path : a->path;
        HAW_TRY(read_list(arena, a, &l, equals + 1));
        from = end;
    }
    return HAW_OK;
}

static haw_status check_names(haw_arena *arena, const haw_axis *a)
{
    if (a->choices == 0) {
        return refuse(arena, a->text, "there is no variant in it");
    }
    for (int i = 0; i < a->choices; i++) {
        for (int j = 0; j < i; j++) {
            if (strcmp(a->choice[i].name, a->choice[j].name) == 0) {
                return haw_fail(arena->context, HAW_ERR_INPUT, "'%.*s': '%.*s' is there twice",
                                SHOWN, a->text, SHOWN, a->choice[i].name);
            }
        }
    }
    return HAW_OK;
}

/* What comes first tells the two forms apart: the colon of a name, or the = of a path. */
haw_status haw_axis_read(haw_arena *arena, const char *text, haw_axis *a)
{
    const char *colon = strchr(text, ':'), *equals = strchr(text, '=');
    *a = (haw_axis){.text = text};
    a->choice = haw_arena_allocate(arena, count_parts(text, ";,"), sizeof *a->choice);
    if (a->choice == NULL) {
        return HAW_ERR_NOMEM;
    }
    if (equals != NULL && (colon == NULL || equals < colon)) {
        HAW_TRY(read_values(arena, a));
    } else if (colon != NULL) {
        HAW_TRY(read_names(arena, a));
    } else {
        return refuse(arena, text,
                      "write path=value,value,... or name: path=value path=value; name: ...");
    }
    return check_names(arena, a);
}

haw_status haw_choice_read(haw_arena *arena, const char *text, haw_choice *choice)
{
    const char *part = copy(arena, text, text + strlen(text));
    *choice = (haw_choice){0};
    return part != NULL ? read_named(arena, text, part, choice) : HAW_ERR_NOMEM;
}
