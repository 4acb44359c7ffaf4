/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variants of a scenario, from texts of the command line:
 *
 *     name: path=value path=value; name: path=value      named variants
 *     path=value,value,value                             values of one key
 *     path=from:to:count                                 the same, equally spaced; with :log behind
 *                                                        it, their logarithms are
 *     path=value,value path=value,value                  the same with keys that go along with it
 *     path=from:to                                       one side of a Latin hypercube
 *
 * Several texts multiply; those of the hypercube are one. Values are YAML; quotes and brackets keep
 * blanks, commas and semicolons.
 */
#ifndef HAWSER_STUDY_VARIANT_H
#define HAWSER_STUDY_VARIANT_H

#include "base/arena.h"

enum { HAW_VARIANTS_MAX = 10000 };

/* What one text offers, or the texts of the hypercube together. */
typedef struct haw_variant_axis {
    int choices;
    int paths;         /* of the values that are its points: 0, 1, or the sides of the hypercube */
    const char **path; /* [paths] */
    const char **name; /* [choices] "friction=0.3", "hard", "sample 1" */
} haw_variant_axis;

typedef struct haw_variant {
    const char *name; /* "hard, friction=0.3" */
    int sets;
    const char *const *set; /* [sets] path=value, to be applied in this order */
    const int *pick;        /* [axes] what was chosen of each; NULL: no product */
    int group;              /* variants of a group differ in the swept value only */
    double value;           /* of the swept key, NAN without one */
} haw_variant;

typedef struct haw_variants {
    int count;
    haw_variant *item;
    const char *swept; /* path of the only key with a list of numbers, NULL without one */
    int groups;
    const char **group_name; /* [groups], "" for the only one */
    int axes;
    haw_variant_axis *axis;
} haw_variants;

/* A Latin hypercube: of `samples` equal parts of each of its sides every one has one point. */
typedef struct haw_sampling {
    int samples; /* 0: there is none */
    int seed;
} haw_sampling;

/**
 * All variants of these texts; the last text varies fastest.
 *
 * @param arena  owner of what is returned
 * @return ERR_INPUT with one line that says what is wrong with which text; ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_variants_read(haw_arena *arena, int texts, const char *const *text,
                                           haw_sampling sampling, haw_variants *variants);

/** One named variant, "name: path=value path=value". @return as haw_variants_read */
HAW_NODISCARD haw_status haw_variant_read(haw_arena *arena, const char *text, haw_variant *variant);

/** The text that a variant sets a path to, NULL where it does not. */
const char *haw_variant_value(const haw_variant *variant, const char *path);

/** Unit of a key, by the beginning and the end of its path; "" where it has none. */
const char *haw_variant_unit(const char *path);

#endif
