/* SPDX-License-Identifier: BSD-3-Clause */
/* Multiply the ways of several texts. */
#include "report/variant.h"

#include "report/variant_axis.h"

#include <math.h>
#include <string.h>

/* Two lists whose paths end alike are told apart by their whole paths. */
static void lengthen_names(int axes, haw_axis *a)
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
static int find_swept(int axes, const haw_axis *a)
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
static void split(int axes, const haw_axis *a, int index, int *pick)
{
    for (int i = axes - 1; i >= 0; i--) {
        pick[i] = index % a[i].choices;
        index /= a[i].choices;
    }
}

/* Names of the choices joined by commas, without those of axis `but`. */
static const char *join_names(haw_arena *arena, int axes, const haw_axis *a, const int *pick,
                              int but)
{
    const char *name = "";
    for (int i = 0; i < axes && name != NULL; i++) {
        if (i != but) {
            name =
                haw_axis_join(arena, name, name[0] != '\0' ? ", " : "", a[i].choice[pick[i]].name);
        }
    }
    return name;
}

static haw_status make_variant(haw_arena *arena, int axes, const haw_axis *a, const int *pick,
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
    if (set == NULL || variant->name == NULL) {
        return HAW_ERR_NOMEM;
    }
    for (int i = 0; i < axes; i++) {
        const haw_choice *from = &a[i].choice[pick[i]];
        for (int k = 0; k < from->sets; k++) {
            set[variant->sets++] = from->set[k];
        }
    }
    return HAW_OK;
}

/* Number of the group: that of the variant were the swept axis not there. */
static int group_of(int axes, const haw_axis *a, const int *pick, int swept)
{
    int group = 0;
    for (int i = 0; i < axes; i++) {
        group = i == swept ? group : group * a[i].choices + pick[i];
    }
    return group;
}

static haw_status multiply(haw_arena *arena, int axes, const haw_axis *a, haw_variants *variants)
{
    const int swept = find_swept(axes, a);
    int *pick = haw_arena_allocate(arena, (size_t)axes, sizeof *pick);
    if (pick == NULL) {
        return HAW_ERR_NOMEM;
    }
    variants->swept = swept >= 0 ? a[swept].path : NULL;
    variants->groups = swept >= 0 ? variants->count / a[swept].choices : variants->count;
    for (int i = 0; i < variants->count; i++) {
        haw_variant *variant = &variants->item[i];
        split(axes, a, i, pick);
        HAW_TRY(make_variant(arena, axes, a, pick, variant));
        variant->group = group_of(axes, a, pick, swept);
        variant->value = swept >= 0 ? a[swept].choice[pick[swept]].value : (double)NAN;
        variants->group_name[variant->group] = join_names(arena, axes, a, pick, swept);
        if (variants->group_name[variant->group] == NULL) {
            return HAW_ERR_NOMEM;
        }
    }
    return HAW_OK;
}

haw_status haw_variants_read(haw_arena *arena, int texts, const char *const *text,
                             haw_variants *variants)
{
    haw_axis *axes = haw_arena_allocate(arena, (size_t)texts + 1, sizeof *axes);
    *variants = (haw_variants){.count = 1};
    if (axes == NULL) {
        return HAW_ERR_NOMEM;
    }
    for (int i = 0; i < texts; i++) {
        HAW_TRY(haw_axis_read(arena, text[i], &axes[i]));
        if (axes[i].choices > HAW_VARIANTS_MAX / variants->count) {
            return haw_fail(arena->context, HAW_ERR_INPUT, "more than %d variants",
                            HAW_VARIANTS_MAX);
        }
        variants->count *= axes[i].choices;
    }
    lengthen_names(texts, axes);
    const size_t count = (size_t)variants->count;
    variants->item = haw_arena_allocate(arena, count, sizeof *variants->item);
    variants->group_name = haw_arena_allocate(arena, count, sizeof *variants->group_name);
    if (variants->item == NULL || variants->group_name == NULL) {
        return HAW_ERR_NOMEM;
    }
    return multiply(arena, texts, axes, variants);
}

haw_status haw_variant_read(haw_arena *arena, const char *text, haw_variant *variant)
{
    haw_choice only;
    HAW_TRY(haw_choice_read(arena, text, &only));
    *variant = (haw_variant){
        .name = only.name, .sets = only.sets, .set = only.set, .group = -1, .value = (double)NAN};
    return HAW_OK;
}
