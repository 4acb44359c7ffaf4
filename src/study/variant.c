/* SPDX-License-Identifier: BSD-3-Clause */
/* Variants of a scenario: read each text, multiply what the texts offer. */
#include "study/variant.h"

#include "scenario/grammar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct choice {
    const char *name;
    int sets;
    const char **set; /* [sets] path=value */
    double value;     /* NAN: no number */
} choice;

typedef struct axis {
    const char *text;
    const char *path; /* of a list of values, NULL for named variants */
    int choices;
    choice *choice;
} axis;

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

/* Three texts as one from the arena, NULL without memory. */
static char *join(haw_arena *arena, const char *a, const char *between, const char *b)
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

/* Copy the part up to a character of `stops` and go behind it; *from becomes NULL at the end. */
static haw_status next_part(haw_arena *arena, const char *text, const char *stops,
                            const char **from, const char **part)
{
    const char *end = find(*from, stops);
    if (end == NULL) {
        return refuse(arena, text, "a quote or a bracket is not closed");
    }
    *part = copy(arena, *from, end);
    *from = *end != '\0' ? end + 1 : NULL;
    return haw_arena_status(arena);
}

/* path=value path=value ... */
static haw_status read_sets(haw_arena *arena, const char *text, const char *part, choice *to)
{
    to->set = haw_arena_allocate(arena, count_parts(part, " \t\n"), sizeof *to->set);
    HAW_TRY(haw_arena_status(arena));
    for (const char *from = part; from != NULL;) {
        const char *set = "";
        HAW_TRY(next_part(arena, text, " \t\n\r", &from, &set));
        if (set[0] == '\0') {
            continue;
        }
        const char *equals = strchr(set, '=');
        if (equals == NULL || equals == set || equals[1] == '\0') {
            return haw_fail(arena->context, HAW_ERR_INPUT,
                            "'%.*s': '%.*s' is no assignment; write path=value, blanks between "
                            "them",
                            SHOWN, text, SHOWN, set);
        }
        to->set[to->sets++] = set;
    }
    return HAW_OK;
}

/* name: path=value ... */
static haw_status read_named(haw_arena *arena, const char *text, const char *part, choice *to)
{
    const char *colon = strchr(part, ':'), *equals = strchr(part, '=');
    if (colon == NULL || (equals != NULL && equals < colon)) {
        return haw_fail(arena->context, HAW_ERR_INPUT,
                        "'%.*s': '%.*s' has no name; write name: path=value path=value; name: ...",
                        SHOWN, text, SHOWN, part);
    }
    to->value = (double)NAN;
    to->name = copy(arena, part, colon);
    HAW_TRY(haw_arena_status(arena));
    if (to->name[0] == '\0') {
        return refuse(arena, text, "a variant has no name before its colon");
    }
    return read_sets(arena, text, colon + 1, to);
}

static haw_status read_names(haw_arena *arena, axis *a)
{
    for (const char *from = a->text; from != NULL;) {
        const char *part = "";
        HAW_TRY(next_part(arena, a->text, ";", &from, &part));
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

static haw_status add_value(haw_arena *arena, axis *a, list *l, const char *value)
{
    if (l->number > 0 && l->values == a->choices) {
        l->values++; /* one too many is reported with the rest */
        return HAW_OK;
    }
    choice *to = &a->choice[l->values++];
    if (l->number == 0) {
        const char *dot = strrchr(l->path, '.');
        to->name = join(arena, dot != NULL ? dot + 1 : l->path, "=", value);
        to->set = haw_arena_allocate(arena, count_parts(a->text, "="), sizeof *to->set);
        to->value = number(value);
        a->choices++;
    }
    HAW_TRY(haw_arena_status(arena));
    to->set[to->sets++] = join(arena, l->path, "=", value);
    return haw_arena_status(arena);
}

/* value,value,... */
static haw_status read_list(haw_arena *arena, axis *a, list *l, const char *values)
{
    for (const char *from = values; from != NULL;) {
        const char *value = "";
        HAW_TRY(next_part(arena, a->text, ",", &from, &value));
        if (value[0] == '\0') {
            return refuse(arena, a->text, "a value is missing between two commas");
        }
        HAW_TRY(add_value(arena, a, l, value));
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
static haw_status read_values(haw_arena *arena, axis *a)
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
        const char *word = copy(arena, from, end);
        HAW_TRY(haw_arena_status(arena));
        const char *equals = strchr(word, '=');
        if (equals == NULL || equals == word || strcspn(word, ";, \t") < (size_t)(equals - word)) {
            return refuse(arena, a->text, "a list of values has the form path=value,value,...");
        }
        list l = {.path = copy(arena, word, equals), .number = lists++};
        HAW_TRY(haw_arena_status(arena));
        a->path = l.number == 0 ? l.path : a->path;
        HAW_TRY(read_list(arena, a, &l, equals + 1));
        from = end;
    }
    return HAW_OK;
}

static haw_status check_names(haw_arena *arena, const axis *a)
{
    if (a->choices == 0) {
        return refuse(arena, a->text, "it contains no variant");
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
static haw_status read_axis(haw_arena *arena, const char *text, axis *a)
{
    const char *colon = strchr(text, ':'), *equals = strchr(text, '=');
    *a = (axis){.text = text};
    a->choice = haw_arena_allocate(arena, count_parts(text, ";,"), sizeof *a->choice);
    HAW_TRY(haw_arena_status(arena));
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

/* ---- all texts ---- */

/* Two lists whose paths end alike are told apart by their whole paths. */
static void lengthen_names(int axes, axis *a)
{
    for (int i = 0; i < axes; i++) {
        for (int j = 0; j < i; j++) {
            if (a[i].path == NULL || a[j].path == NULL ||
                strncmp(a[i].choice[0].name, a[j].choice[0].name,
                        strcspn(a[i].choice[0].name, "=") + 1) != 0) {
                continue;
            }
            for (int k = 0; k < a[i].choices; k++) {
                a[i].choice[k].name = a[i].choice[k].set[0];
            }
            for (int k = 0; k < a[j].choices; k++) {
                a[j].choice[k].name = a[j].choice[k].set[0];
            }
        }
    }
}

/* The only axis with a list of at least two numbers, or -1. */
static int find_swept(int axes, const axis *a)
{
    int found = -1;
    for (int i = 0; i < axes; i++) {
        bool numeric = a[i].path != NULL && a[i].choices > 1;
        for (int k = 0; k < a[i].choices; k++) {
            numeric = numeric && !isnan(a[i].choice[k].value);
        }
        if (numeric && found >= 0) {
            return -1;
        }
        found = numeric ? i : found;
    }
    return found;
}

/* Choice of every axis for variant `index`, the last axis fastest. */
static void split(int axes, const axis *a, int index, int *pick)
{
    for (int i = axes - 1; i >= 0; i--) {
        pick[i] = index % a[i].choices;
        index /= a[i].choices;
    }
}

/* Names of the choices joined by commas, without those of axis `but`. */
static const char *join_names(haw_arena *arena, int axes, const axis *a, const int *pick, int but)
{
    const char *name = "";
    for (int i = 0; i < axes && name != NULL; i++) {
        if (i != but) {
            name = join(arena, name, name[0] != '\0' ? ", " : "", a[i].choice[pick[i]].name);
        }
    }
    return name;
}

static haw_status make_variant(haw_arena *arena, int axes, const axis *a, const int *pick,
                               haw_variant *variant)
{
    size_t sets = 0;
    for (int i = 0; i < axes; i++) {
        sets += (size_t)a[i].choice[pick[i]].sets;
    }
    const char **set = haw_arena_allocate(arena, sets + 1, sizeof *set);
    variant->name = join_names(arena, axes, a, pick, -1);
    variant->set = set;
    variant->value = (double)NAN;
    HAW_TRY(haw_arena_status(arena));
    for (int i = 0; i < axes; i++) {
        const choice *from = &a[i].choice[pick[i]];
        for (int k = 0; k < from->sets; k++) {
            set[variant->sets++] = from->set[k];
        }
    }
    return HAW_OK;
}

/* Number of the group: that of the variant were the swept axis not there. */
static int group_of(int axes, const axis *a, const int *pick, int swept)
{
    int group = 0;
    for (int i = 0; i < axes; i++) {
        group = i == swept ? group : group * a[i].choices + pick[i];
    }
    return group;
}

static haw_status multiply(haw_arena *arena, int axes, const axis *a, haw_variants *variants)
{
    const int swept = find_swept(axes, a);
    int *pick = haw_arena_allocate(arena, (size_t)axes, sizeof *pick);
    HAW_TRY(haw_arena_status(arena));
    variants->swept = swept >= 0 ? a[swept].path : NULL;
    variants->groups = swept >= 0 ? variants->count / a[swept].choices : variants->count;
    for (int i = 0; i < variants->count; i++) {
        haw_variant *variant = &variants->item[i];
        split(axes, a, i, pick);
        HAW_TRY(make_variant(arena, axes, a, pick, variant));
        variant->group = group_of(axes, a, pick, swept);
        variant->value = swept >= 0 ? a[swept].choice[pick[swept]].value : (double)NAN;
        variants->group_name[variant->group] = join_names(arena, axes, a, pick, swept);
    }
    return haw_arena_status(arena);
}

haw_status haw_variants_read(haw_arena *arena, int texts, const char *const *text,
                             haw_variants *variants)
{
    axis *axes = haw_arena_allocate(arena, (size_t)texts + 1, sizeof *axes);
    *variants = (haw_variants){.count = 1};
    HAW_TRY(haw_arena_status(arena));
    for (int i = 0; i < texts; i++) {
        HAW_TRY(read_axis(arena, text[i], &axes[i]));
        if ((long)variants->count * axes[i].choices > HAW_VARIANTS_MAX) {
            return haw_fail(arena->context, HAW_ERR_INPUT, "more than %d variants",
                            HAW_VARIANTS_MAX);
        }
        variants->count *= axes[i].choices;
    }
    lengthen_names(texts, axes);
    const size_t count = (size_t)variants->count;
    variants->item = haw_arena_allocate(arena, count, sizeof *variants->item);
    variants->group_name = haw_arena_allocate(arena, count, sizeof *variants->group_name);
    HAW_TRY(haw_arena_status(arena));
    return multiply(arena, texts, axes, variants);
}

haw_status haw_variant_read(haw_arena *arena, const char *text, haw_variant *variant)
{
    choice only = {0};
    const char *part = copy(arena, text, text + strlen(text));
    HAW_TRY(haw_arena_status(arena));
    HAW_TRY(read_named(arena, text, part, &only));
    *variant = (haw_variant){
        .name = only.name, .sets = only.sets, .set = only.set, .group = -1, .value = (double)NAN};
    return HAW_OK;
}

const char *haw_variant_unit(const char *path)
{
    haw_part part[HAW_PARTS_MAX];
    const int parts = haw_scenario_parts(part);
    const char *dot = strrchr(path, '.'), *key = dot != NULL ? dot + 1 : path;
    const haw_option *row = NULL;
    haw_typed_mapping made;
    for (int i = 0; i < parts && row == NULL; i++) {
        const size_t length = strlen(part[i].name);
        const haw_mapping *mapping = part[i].mapping;
        if (strncmp(path, part[i].name, length) != 0 || path[length] != '.') {
            continue;
        }
        if (mapping == NULL) {
            haw_typed_make(part[i].typed, part[i].row, &made);
            mapping = &made.mapping;
        }
        row = haw_mapping_row(mapping, key);
    }
    return row != NULL ? row->unit : "";
}
