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

struct haw_probe_row {
    haw_probe_kind kind;
    int size;    /* values */
    bool ranged; /* takes [a:b] */
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

#endif
