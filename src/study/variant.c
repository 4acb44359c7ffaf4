/* SPDX-License-Identifier: BSD-3-Clause */
/* Variants of a scenario: read each text, multiply what the texts offer. */
#include "study/variant.h"

#include "scenario/grammar.h"

#include <gsl/gsl_randist.h>
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
    int paths;
    const char **path; /* as in haw_variant_axis */
    int choices;
    choice *choice;
} axis;

enum { SHOWN = 120 }; /* of a text that is refused */

/* ---- words ---- */

static haw_status refuse(haw_arena *arena, const char *text, const char *why)
{
    return haw_fail(arena->context, HAW_ERR_INPUT, "'%.*s': %s", SHOWN, text, why);
}

#define BLANKS " \t\n\r"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Where a value may begin, so that a quote there opens one: an apostrophe in a word does not. */
static bool opens_quote(const char *text, const char *at)
{
    return (*at == '\'' || *at == '"') && (at == text || strchr("=[,{:" BLANKS, at[-1]) != NULL);
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

/* from:to, from:to:count, each with :log behind it or not. */
typedef struct range {
    double from, to;
    int count; /* 0: not given, -1: no range although it begins like one */
    bool is_log;
} range;

/* Whether a text begins like a range. */
static bool read_range(const char *text, range *r)
{
    char *end = NULL;
    *r = (range){.from = strtod(text, &end)};
    if (end == text || *end != ':') {
        return false;
    }
    text = end + 1;
    r->to = strtod(text, &end);
    bool is_good = end != text && isfinite(r->from) && isfinite(r->to) && r->from != r->to;
    r->is_log = strcmp(end, ":log") == 0;
    if (*end == ':' && !r->is_log) {
        const long count = strtol(end + 1, &end, 10);
        r->count = (int)fmin((double)count, HAW_VARIANTS_MAX + 1.0);
        r->is_log = strcmp(end, ":log") == 0;
        is_good = is_good && count >= 2;
    }
    is_good = is_good && (r->is_log ? r->from > 0.0 && r->to > 0.0 : *end == '\0');
    r->count = is_good ? r->count : -1;
    return true;
}

/* The value at a place 0 ... 1 of a range, as the text that the scenario reads: twelve digits. */
static const char *value_at(haw_arena *arena, const range *r, double place)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%.12g",
                   r->is_log ? r->from * pow(r->to / r->from, place)
                             : r->from + place * (r->to - r->from));
    return haw_arena_string(arena, text);
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

static haw_status refuse_many(haw_arena *arena)
{
    return haw_fail(arena->context, HAW_ERR_INPUT, "more than %d variants", HAW_VARIANTS_MAX);
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
    to->set = haw_arena_allocate(arena, count_parts(part, BLANKS), sizeof *to->set);
    HAW_TRY(haw_arena_status(arena));
    for (const char *from = part; from != NULL;) {
        const char *set = "";
        HAW_TRY(next_part(arena, text, BLANKS, &from, &set));
        if (set[0] == '\0') {
            continue;
        }
        const char *equals = strchr(set, '=');
        if (equals == NULL || equals == set || equals[1] == '\0') {
            return haw_fail(arena->context, HAW_ERR_INPUT,
                            "'%.*s': '%.*s' is not an assignment; write path=value, separated by "
                            "spaces",
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

static haw_status add_choice(haw_arena *arena, axis *a, choice added)
{
    a->choice = haw_arena_extend(arena, a->choice, (size_t)a->choices, sizeof *a->choice);
    HAW_TRY(haw_arena_status(arena));
    a->choice[a->choices++] = added;
    return a->choices <= HAW_VARIANTS_MAX ? HAW_OK : refuse_many(arena);
}

static haw_status read_names(haw_arena *arena, axis *a)
{
    for (const char *from = a->text; from != NULL;) {
        const char *part = "";
        HAW_TRY(next_part(arena, a->text, ";", &from, &part));
        if (part[0] == '\0') {
            continue;
        }
        choice named = {0};
        HAW_TRY(read_named(arena, a->text, part, &named));
        HAW_TRY(add_choice(arena, a, named));
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
    if (l->number > 0 && l->values >= a->choices) {
        l->values++; /* too many are reported with the rest */
        return HAW_OK;
    }
    if (l->number == 0) {
        const char *dot = strrchr(l->path, '.');
        HAW_TRY(
            add_choice(arena, a,
                       (choice){.name = join(arena, dot != NULL ? dot + 1 : l->path, "=", value),
                                .set = haw_arena_allocate(arena, count_parts(a->text, "="),
                                                          sizeof(const char *)),
                                .value = number(value)}));
    }
    choice *to = &a->choice[l->values++];
    HAW_TRY(haw_arena_status(arena));
    to->set[to->sets++] = join(arena, l->path, "=", value);
    return haw_arena_status(arena);
}

/* One value of a list, or all those of a range. */
static haw_status read_value(haw_arena *arena, axis *a, list *l, const char *value)
{
    range r;
    if (!read_range(value, &r)) {
        return value[0] != '\0' ? add_value(arena, a, l, value)
                                : refuse(arena, a->text, "a value is missing between two commas");
    }
    if (r.count <= 0) {
        return refuse(arena, a->text,
                      "a range has the form from:to:count (at least 2), or from:to:count:log "
                      "between positive numbers");
    }
    for (int i = 0; i < r.count; i++) {
        const char *point = value_at(arena, &r, (double)i / (r.count - 1));
        HAW_TRY(haw_arena_status(arena));
        HAW_TRY(add_value(arena, a, l, point));
    }
    return HAW_OK;
}

/* value,value,... */
static haw_status read_list(haw_arena *arena, axis *a, list *l, const char *values)
{
    for (const char *from = values; from != NULL;) {
        const char *value = "";
        HAW_TRY(next_part(arena, a->text, ",", &from, &value));
        HAW_TRY(read_value(arena, a, l, value));
    }
    return l->values == a->choices ? HAW_OK
                                   : refuse(arena, a->text, "its lists differ in their lengths");
}

/* A list ends at a blank that no comma stands beside; NULL as find. */
static const char *end_of_list(const char *from)
{
    for (const char *end = from;;) {
        end = find(end, BLANKS);
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
        a->path = l.number == 0 ? haw_arena_allocate(arena, 1, sizeof *a->path) : a->path;
        HAW_TRY(haw_arena_status(arena));
        a->path[0] = l.number == 0 ? l.path : a->path[0];
        a->paths = 1;
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
                return haw_fail(arena->context, HAW_ERR_INPUT, "'%.*s': '%.*s' appears twice",
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
            if (a[i].paths != 1 || a[j].paths != 1 ||
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
        bool numeric = a[i].paths == 1 && a[i].choices > 1;
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

/* Bytes of the path of a setting; the key of contact pairs alone is that of all pairs. */
static size_t path_length(const char **set)
{
    static const char pairs[] = "contact.";
    size_t length = strcspn(*set, "=");
    const size_t most = sizeof pairs - 1;
    if (strncmp(*set, pairs, most) == 0 && memchr(*set + most, '.', length - most) == NULL) {
        *set += most;
        length -= most;
    }
    return length;
}

/* The later of two values would be the only one, and the earlier stand in the table. */
static haw_status check_paths(haw_arena *arena, const haw_variant *variant)
{
    for (int i = 0; i < variant->sets; i++) {
        for (int j = 0; j < i; j++) {
            const char *one = variant->set[i], *other = variant->set[j];
            const size_t length = path_length(&one);
            if (length == path_length(&other) && strncmp(one, other, length) == 0) {
                return haw_fail(arena->context, HAW_ERR_INPUT, "'%.*s' sets '%.*s' twice", SHOWN,
                                variant->name, (int)length, one);
            }
        }
    }
    return HAW_OK;
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
    variant->pick = pick;
    variant->value = (double)NAN;
    HAW_TRY(haw_arena_status(arena));
    for (int i = 0; i < axes; i++) {
        const choice *from = &a[i].choice[pick[i]];
        for (int k = 0; k < from->sets; k++) {
            set[variant->sets++] = from->set[k];
        }
    }
    return check_paths(arena, variant);
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
    int *pick =
        haw_arena_allocate(arena, (size_t)variants->count * ((size_t)axes + 1), sizeof *pick);
    HAW_TRY(haw_arena_status(arena));
    variants->swept = swept >= 0 ? a[swept].path[0] : NULL;
    variants->groups = swept >= 0 ? variants->count / a[swept].choices : variants->count;
    for (int i = 0; i < variants->count; i++, pick += axes) {
        haw_variant *variant = &variants->item[i];
        split(axes, a, i, pick);
        HAW_TRY(make_variant(arena, axes, a, pick, variant));
        variant->group = group_of(axes, a, pick, swept);
        variant->value = swept >= 0 ? a[swept].choice[pick[swept]].value : (double)NAN;
        variants->group_name[variant->group] = join_names(arena, axes, a, pick, swept);
    }
    return haw_arena_status(arena);
}

/* What the axes offer, for those who draw it. */
static haw_status list_axes(haw_arena *arena, int axes, const axis *a, haw_variants *variants)
{
    variants->axes = axes;
    variants->axis = haw_arena_allocate(arena, (size_t)axes + 1, sizeof *variants->axis);
    HAW_TRY(haw_arena_status(arena));
    for (int i = 0; i < axes; i++) {
        const char **name = haw_arena_allocate(arena, (size_t)a[i].choices, sizeof *name);
        HAW_TRY(haw_arena_status(arena));
        for (int k = 0; k < a[i].choices; k++) {
            name[k] = a[i].choice[k].name;
        }
        variants->axis[i] = (haw_variant_axis){
            .choices = a[i].choices, .paths = a[i].paths, .path = a[i].path, .name = name};
    }
    return HAW_OK;
}

/* ---- the hypercube ---- */

/* A text path=from:to, or with :log behind it. */
static bool read_side(haw_arena *arena, const char *text, const char **path, range *r)
{
    const char *equals = strchr(text, '=');
    const bool is_side =
        equals != NULL && equals > text && read_range(equals + 1, r) && r->count == 0;
    *path = is_side ? copy(arena, text, equals) : NULL;
    return is_side;
}

static haw_status add_side(haw_arena *arena, axis *a, const char *path, const range *r,
                           const gsl_rng *rng)
{
    int *part = haw_arena_allocate(arena, (size_t)a->choices, sizeof *part);
    a->path = haw_arena_extend(arena, a->path, (size_t)a->paths, sizeof *a->path);
    HAW_TRY(haw_arena_status(arena));
    a->path[a->paths++] = path;
    for (int i = 0; i < a->choices; i++) {
        part[i] = i;
    }
    gsl_ran_shuffle(rng, part, (size_t)a->choices, sizeof *part);
    for (int i = 0; i < a->choices; i++) {
        const char *value = value_at(arena, r, (part[i] + gsl_rng_uniform(rng)) / a->choices);
        HAW_TRY(haw_arena_status(arena));
        a->choice[i].set[a->choice[i].sets++] = join(arena, path, "=", value);
    }
    return haw_arena_status(arena);
}

static haw_status begin_hypercube(haw_arena *arena, int sides, int samples, axis *a)
{
    *a = (axis){.text = ""};
    for (int i = 0; i < samples; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "sample %d", i + 1);
        HAW_TRY(add_choice(
            arena, a,
            (choice){.name = haw_arena_string(arena, name),
                     .set = haw_arena_allocate(arena, (size_t)sides, sizeof(const char *)),
                     .value = (double)NAN}));
    }
    return haw_arena_status(arena);
}

/* ---- all texts together ---- */

/* One axis for each text, and the hypercube at the place of its first. */
static haw_status read_axes(haw_arena *arena, int texts, const char *const *text, int samples,
                            const gsl_rng *rng, axis *a)
{
    axis *cube = NULL;
    haw_status status = HAW_OK;
    for (int i = 0; i < texts && status == HAW_OK; i++) {
        const char *path = NULL;
        range r;
        if (samples == 0 || !read_side(arena, text[i], &path, &r)) {
            status = read_axis(arena, text[i], &a[i]);
            continue;
        }
        if (cube == NULL) {
            cube = &a[i];
            status = begin_hypercube(arena, texts, samples, cube);
        }
        status = status == HAW_OK ? add_side(arena, cube, path, &r, rng) : status;
    }
    HAW_TRY(status);
    return samples == 0 || cube != NULL
               ? HAW_OK
               : haw_fail(arena->context, HAW_ERR_INPUT,
                          "sampling needs at least one range: write path=from:to");
}

haw_status haw_variants_read(haw_arena *arena, int texts, const char *const *text,
                             haw_sampling sampling, haw_variants *variants)
{
    axis *axes = haw_arena_allocate(arena, (size_t)texts + 1, sizeof *axes);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int count = 0;
    haw_status status = axes != NULL && rng != NULL ? HAW_OK : HAW_ERR_NOMEM;
    if (status == HAW_OK) {
        gsl_rng_set(rng, (unsigned long)sampling.seed);
        status = read_axes(arena, texts, text, sampling.samples, rng, axes);
    }
    gsl_rng_free(rng);
    HAW_TRY(status);
    for (int i = 0; i < texts; i++) { /* the other sides of the hypercube offer nothing */
        axes[count] = axes[i];
        count += axes[i].choices > 0;
    }
    *variants = (haw_variants){.count = 1};
    for (int i = 0; i < count; i++) {
        if ((long)variants->count * axes[i].choices > HAW_VARIANTS_MAX) {
            return refuse_many(arena);
        }
        variants->count *= axes[i].choices;
    }
    lengthen_names(count, axes);
    const size_t items = (size_t)variants->count;
    variants->item = haw_arena_allocate(arena, items, sizeof *variants->item);
    variants->group_name = haw_arena_allocate(arena, items, sizeof *variants->group_name);
    HAW_TRY(haw_arena_status(arena));
    HAW_TRY(list_axes(arena, count, axes, variants));
    return multiply(arena, count, axes, variants);
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

const char *haw_variant_value(const haw_variant *variant, const char *path)
{
    const size_t length = strlen(path);
    for (int i = variant->sets - 1; i >= 0; i--) {
        if (strncmp(variant->set[i], path, length) == 0 && variant->set[i][length] == '=') {
            return variant->set[i] + length + 1;
        }
    }
    return NULL;
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
