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
    int size; /* values */
    const char *name, *unit, *help;
    void (*evaluate)(const haw_simulation *simulation, const haw_probe *probe, double *value);
};

extern const haw_probe_row haw_probe_rows[];

#endif
