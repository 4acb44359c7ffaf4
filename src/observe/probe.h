/* SPDX-License-Identifier: BSD-3-Clause */
/* Table of the probes; ends with a NULL name. */
#ifndef HAWSER_OBSERVE_PROBE_H
#define HAWSER_OBSERVE_PROBE_H

#include "observe/observation.h"

typedef enum haw_probe_kind {
    HAW_PROBE_NONE,
    HAW_PROBE_BODY,
    HAW_PROBE_CABLE,
    HAW_PROBE_CONTACT, /* of one pair, or summed over all */
    HAW_PROBE_JOINT,
    HAW_PROBE_SYSTEM /* of all bodies and cables */
} haw_probe_kind;

/* What a probe takes and needs. */
typedef enum haw_probe_trait {
    HAW_PROBE_PLAIN = 0,
    HAW_PROBE_RANGED = 1,   /* [a:b] */
    HAW_PROBE_POINT = 2,    /* [a:a] as well */
    HAW_PROBE_SINGLE = 4,   /* `contact` stands for the only pair, not for a sum */
    HAW_PROBE_BELT = 8,     /* the belt of the observation */
    HAW_PROBE_VECTOR = 16,  /* .x, .y, .z name one component, where there are several */
    HAW_PROBE_FRAME = 32,   /* a mean since the last frame: nothing to watch at every step */
    HAW_PROBE_FIXED = 64,   /* of cables whose nodes are fixed to the material alone */
    HAW_PROBE_SHEAVES = 128 /* of those whose mesh moves along it alone */
} haw_probe_trait;

typedef struct haw_probe_row haw_probe_row;

/* A probe bound to what it reads. */
typedef struct haw_probe {
    const haw_probe_row *row;
    int index;       /* body, cable or pair; -1: all pairs */
    int size;        /* values */
    int component;   /* of the row's values, -1: all of them */
    double range[2]; /* fractions of the cable's length */
    double mean;     /* over the frames of this time [s], 0: the value itself */
    double *window;  /* [capacity][2 + size] times, times since the frame before, values; oldest
                        replaced */
    int capacity, count, next;
    haw_probe_watch watch; /* scale 0: none */
    double seen_t, seen;   /* last value looked at and its time; NAN: none */
    double extreme;        /* largest value, or time of the crossing; NAN: none */
    char unit[40];         /* of what is shown */
} haw_probe;

typedef void haw_probe_function(const haw_observation *o, const haw_probe *probe, double *value);

struct haw_probe_row {
    haw_row row; /* "OWNER.quantity" */
    haw_probe_kind kind;
    int size[4]; /* values by dimension, [2] and [3]; 0: no such quantity */
    int traits;
    const char *unit; /* "": a number */
    haw_probe_function *evaluate;
    size_t offset; /* of the value in the numbers or the struct that the function reads it from */
};

/* A row of the table of probes, `function` or `function, .offset = ...` last; the second for
 * numbers without a unit. */
#define HAW_PROBE(owner, quantity, plane, space, takes, unit_text, help, ...)                      \
    HAW_PROBE_ROW(owner, quantity, plane, space, takes, unit_text, help " [" unit_text "]",        \
                  __VA_ARGS__)
#define HAW_PROBE_NUMBER(owner, quantity, plane, space, takes, help, ...)                          \
    HAW_PROBE_ROW(owner, quantity, plane, space, takes, "", help " [1]", __VA_ARGS__)
#define HAW_PROBE_ROW(owner, quantity, in_plane, in_space, takes, unit_text, help, ...)            \
    &(const haw_probe_row){                                                                        \
        .row = {.name = HAW_OWNER_##owner "." quantity, .summary = (help), .source = ""},          \
        .kind = HAW_PROBE_##owner,                                                                 \
        .size = {[2] = (in_plane), [3] = (in_space)},                                              \
        .traits = (takes),                                                                         \
        .unit = (unit_text),                                                                       \
        .evaluate = __VA_ARGS__}                                                                   \
         .row
#define HAW_OWNER_BODY    "BODY"
#define HAW_OWNER_CABLE   "CABLE"
#define HAW_OWNER_CONTACT "contact"
#define HAW_OWNER_JOINT   "joint.NAME"
#define HAW_OWNER_SYSTEM  "system"

extern const haw_row *const haw_probes[];

/** The quantity that a row is named after: what stands after the owner. */
const char *haw_probe_quantity(const haw_probe_row *row);

/** Number of values of a row in a dimension. */
static inline int haw_probe_row_size(const haw_row *row, int dimension)
{
    return ((const haw_probe_row *)row)->size[dimension];
}

/* The names that a model or a scene gives; of a pair two. */
typedef struct haw_probe_names {
    int dimension;
    haw_name_list body, cable, joint, pair;
} haw_probe_names;

/** Bind a probe's name. @return ERR_INPUT with what is allowed */
HAW_NODISCARD haw_status haw_probe_resolve(haw_context *context, const haw_probe_names *names,
                                           const char *text, haw_probe *probe);

/** The same for a scene that is not built yet. */
HAW_NODISCARD haw_status haw_probe_check(haw_context *context, const haw_scene *scene,
                                         const char *text);

/** Elements of a range of fractions of a cable; at least one. */
void haw_probe_elements(int elements, const double range[2], int *first, int *end);

/* ---- twist and writhe of cables (link.c) ---- */

haw_probe_function haw_link_twist, haw_link_writhe, haw_link_number;

/* ---- watches (probe_run.c) ---- */

/** Take the value of a time into account, once per time. */
void haw_probe_watch_value(haw_probe *probe, double t, double value);

/** What the watch says instead of the value [size]. */
void haw_probe_watch_result(const haw_probe *probe, double *value);

#endif
