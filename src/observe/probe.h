/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of the probes. */
#ifndef HAWSER_OBSERVE_PROBE_H
#define HAWSER_OBSERVE_PROBE_H

#include "stepper/simulation.h"

typedef enum haw_probe_kind {
    HAW_PROBE_NONE,
    HAW_PROBE_BODY,
    HAW_PROBE_CABLE,
    HAW_PROBE_CONTACT /* of one pair, or summed over all */
} haw_probe_kind;

/* What a probe takes and needs. */
typedef enum haw_probe_trait {
    HAW_PROBE_PLAIN = 0,
    HAW_PROBE_RANGED = 1,  /* [a:b] */
    HAW_PROBE_POINT = 2,   /* [a:a] as well */
    HAW_PROBE_SINGLE = 4,  /* `contact` stands for the only pair, not for a sum */
    HAW_PROBE_BELT = 8,    /* simulation->belt */
    HAW_PROBE_VECTOR = 16, /* .x, .y, .z name one component */
    HAW_PROBE_FRAME = 32,  /* a mean since the last frame: nothing to watch at every step */
    HAW_PROBE_LINE = 64,   /* not of ropes */
    HAW_PROBE_ROPE = 128   /* of ropes alone */
} haw_probe_trait;

struct haw_probe_row {
    haw_row row; /* "OWNER.quantity" */
    haw_probe_kind kind;
    int size; /* values */
    int traits;
    const char *unit; /* "": a number */
    void (*evaluate)(const haw_simulation *simulation, const haw_probe *probe, double *value);
};

/* A row of a table of probes; the second for numbers without a unit. */
#define HAW_PROBE(owner, quantity, values, takes, unit_text, help, function)                       \
    HAW_PROBE_ROW(owner, quantity, values, takes, unit_text, help " [" unit_text "]", function)
#define HAW_PROBE_NUMBER(owner, quantity, values, takes, help, function)                           \
    HAW_PROBE_ROW(owner, quantity, values, takes, "", help " [1]", function)
#define HAW_PROBE_ROW(owner, quantity, values, takes, unit_text, help, function)                   \
    &(const haw_probe_row){                                                                        \
        .row = {.name = HAW_OWNER_##owner "." quantity, .summary = (help), .source = ""},          \
        .kind = HAW_PROBE_##owner,                                                                 \
        .size = (values),                                                                          \
        .traits = (takes),                                                                         \
        .unit = (unit_text),                                                                       \
        .evaluate = (function)}                                                                    \
         .row
#define HAW_OWNER_BODY    "BODY"
#define HAW_OWNER_CABLE   "CABLE"
#define HAW_OWNER_CONTACT "contact"

extern const haw_row *const haw_probes[];       /* of planar models */
extern const haw_row *const haw_space_probes[]; /* of spatial models */

/** The quantity that a row is named after: what stands after the owner. */
const char *haw_probe_quantity(const haw_probe_row *row);

/* The names that a model or a scene gives; each list ends with NULL or false. */
typedef struct haw_probe_names {
    const void *scene;
    int dimension;
    const char *(*body)(const void *scene, int i);
    const char *(*cable)(const void *scene, int i);
    bool (*pair)(const void *scene, int i, const char *name[2]);
} haw_probe_names;

/** Bind a probe's name. @return ERR_INPUT with what is allowed */
HAW_NODISCARD haw_status haw_probe_resolve(haw_context *context, const haw_probe_names *names,
                                           const char *text, haw_probe *probe);

/** The same for a scene that is not built yet. */
HAW_NODISCARD haw_status haw_probe_check(haw_context *context, const haw_scene *scene,
                                         const char *text);

/** Elements of a range of fractions of a cable; at least one. */
void haw_probe_elements(int elements, const double range[2], int *first, int *end);

/** Number of values of a bound probe. */
int haw_probe_size(const haw_probe *probe);

/** Forget the frames that means were taken of, and what was watched. */
void haw_probes_restart(haw_simulation *simulation);

/* ---- watches (probe_watch.c) ---- */

/** Take over the watch of probe i. @return ERR_INPUT for what has no single value at every step */
HAW_NODISCARD haw_status haw_probe_watch_create(haw_simulation *simulation, int i);

/** Look at the value of the present time, once per time. */
void haw_probe_watch_look(haw_probe *probe, double t, double value);

/** What the watch says instead of the value [haw_probe_size]. */
void haw_probe_watch_result(const haw_probe *probe, double *value);

/* ---- rows that both tables share ---- */

typedef void haw_probe_function(const haw_simulation *simulation, const haw_probe *probe,
                                double *value);

haw_probe_function haw_probe_torque, haw_probe_tension_mean, haw_probe_tension_start,
    haw_probe_tension_end, haw_probe_normal_sum, haw_probe_tangential_sum, haw_probe_wrap_angle,
    haw_probe_closed, haw_probe_sticking;

#endif
