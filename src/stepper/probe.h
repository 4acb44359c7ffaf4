/* SPDX-License-Identifier: BSD-3-Clause */
/* Table of the probes; ends with a NULL name. */
#ifndef HAWSER_STEPPER_PROBE_H
#define HAWSER_STEPPER_PROBE_H

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
    HAW_PROBE_RANGED = 1, /* [a:b] */
    HAW_PROBE_POINT = 2,  /* [a:a] as well */
    HAW_PROBE_SINGLE = 4, /* `contact` stands for the only pair, not for a sum */
    HAW_PROBE_BELT = 8    /* simulation->belt */
} haw_probe_trait;

struct haw_probe_row {
    haw_probe_kind kind;
    int size; /* values */
    int traits;
    const char *name, *unit, *help;
    void (*evaluate)(const haw_simulation *simulation, const haw_probe *probe, double *value);
};

extern const haw_probe_row haw_probe_rows[];

/* The names that a model or a scene gives; each list ends with NULL or false. */
typedef struct haw_probe_names {
    const void *scene;
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

/** Forget the frames that means were taken of. */
void haw_probes_restart(haw_simulation *simulation);

#endif
